"""Exact odds of a draw: every hand that can come of it is ranked and counted.

All counts are whole numbers of draws, all equally likely; a probability is made from them where it is shown.
The cards that can come are the pack (with the joker where the rules have one) less the hand as dealt and the
cards known to be elsewhere. A short hand draws as many as it throws and stays short (R-FOUL).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from ledger.cards import pack
from ledger.cards.order import CLASS_SHIFT, CLASSES, RankRules
from ledger.cards.pack import CardError
from ledger.cards.ranking import Ranking, ranking_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ledger.cards.arrays import Ranks, Words

Hand = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawOdds:
    """What comes of throwing `thrown` and keeping `kept`, counted over `total` draws.

    `classes` has each class that can come. `better`, `equal` and `worse` are against the hand as held, rank
    against rank; `improves` counts the draws in which the class rises; `reaching` those that reach the aim
    asked about (by default, that the class rises).
    """

    kept: Hand
    thrown: Hand
    total: int
    classes: dict[str, int]
    better: int
    equal: int
    worse: int
    improves: int
    reaching: int


def draw_odds(
    rules: RankRules,
    hand: Sequence[int],
    thrown: Sequence[int],
    known_elsewhere: Sequence[int] = (),
    aim: int | None = None,
) -> DrawOdds:
    """The odds of one draw. `aim` is the least rank wanted, as `improve`, `at_least` or `beat` give it.

    Raises CardError where the cards are no hand of this pack, or a card thrown is not in it.
    """
    ranking = ranking_for(rules)
    stub = _stub(ranking, hand, thrown, known_elsewhere)
    return _counted(ranking, tuple(hand), tuple(thrown), stub, aim)


def rank_counts(
    rules: RankRules, hand: Sequence[int], thrown: Sequence[int], known_elsewhere: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """Every rank that can come of the draw, best first, with the number of draws that give it."""
    ranking = ranking_for(rules)
    stub = _stub(ranking, hand, thrown, known_elsewhere)
    ranks, counts = np.unique(
        ranks_of_draws(ranking, _less(hand, thrown), stub, len(thrown)), return_counts=True
    )
    return list(zip(ranks[::-1].tolist(), counts[::-1].tolist(), strict=True))


def all_draws(
    rules: RankRules, hand: Sequence[int], known_elsewhere: Sequence[int] = (), aim: int | None = None
) -> list[DrawOdds]:
    """Every way to draw from the hand (32 from five cards), the likeliest to reach the aim first.

    Of ways that reach it equally often the one that more often betters the hand comes first, then the one
    that throws fewer cards.
    """
    ranking = ranking_for(rules)
    stub = _stub(ranking, hand, (), known_elsewhere)
    ways = chain.from_iterable(combinations(hand, size) for size in range(len(hand) + 1))
    odds = [_counted(ranking, tuple(hand), thrown, stub, aim) for thrown in ways]
    return sorted(
        odds, key=lambda way: (-Fraction(way.reaching, way.total), -Fraction(way.better, way.total))
    )


def best_draw(
    rules: RankRules, hand: Sequence[int], aim: int | None = None, known_elsewhere: Sequence[int] = ()
) -> DrawOdds:
    """The draw that most often reaches the aim (by default, that the class rises); see `all_draws`."""
    return all_draws(rules, hand, known_elsewhere, aim)[0]


def improvement_odds(
    rules: RankRules, hand: Sequence[int], kept: Sequence[int], known_elsewhere: Sequence[int] = ()
) -> tuple[int, int]:
    """(hits, total): in how many draws, of how many, the class rises. Remembered once counted."""
    return _improvement(rules, tuple(sorted(hand)), tuple(sorted(kept)), tuple(sorted(known_elsewhere)))


def improve(rules: RankRules, hand: Sequence[int]) -> int:
    """The least rank of a class above the hand's."""
    return ((ranking_for(rules).rank(hand) >> CLASS_SHIFT) + 1) << CLASS_SHIFT


def at_least(class_name: str) -> int:
    """The least rank of a class, by its name in `CLASSES`."""
    return CLASSES.index(class_name) << CLASS_SHIFT


def beat(rules: RankRules, cards: Sequence[int]) -> int:
    """The least rank that beats a hand."""
    return ranking_for(rules).rank(cards) + 1


def ranks_of_draws(ranking: Ranking, kept: Sequence[int], stub: Sequence[int], count: int) -> Ranks:
    """The ranks of the hands that drawing `count` cards from the stub to `kept` gives, int64, one a draw.

    In no order that means anything. The cards are trusted to be distinct.
    """
    if len(kept) + count != 5 or count == 0:
        return np.array([ranking.rank((*kept, *drawn)) for drawn in combinations(stub, count)], np.int64)
    ranks = np.empty(comb(len(stub), count), np.int64)
    done = 0
    for two, three in _blocks(ranking, np.array(kept, np.intp), np.array(stub, np.intp), count):
        size = np.broadcast(two.cells, three.cells).size
        ranking.arrays.rank_words(two, three, ranks[done : done + size])
        done += size
    return ranks


def _blocks(
    ranking: Ranking, kept: NDArray[np.intp], stub: NDArray[np.intp], count: int
) -> Iterator[tuple[Words, Words]]:
    """The draws as words of two and three cards, in blocks that broadcast: no hand is written out.

    Triples of the stub stand in order, so those that lie wholly behind a card are the end of the list; a draw
    of four or five is one card or a pair with every triple behind it.
    """
    tables = ranking.arrays
    if count == 1:
        yield tables.words_of_two(kept[0], stub), tables.words_of_three(*kept[1:])
        return
    if count == 2:
        first, second = np.triu_indices(len(stub), 1)
        yield tables.words_of_two(stub[first], stub[second]), tables.words_of_three(*kept)
        return
    places = _triples(len(stub))
    triples = tables.words_of_three(*stub[places])
    if count == 3:
        yield tables.words_of_two(*kept), triples
        return
    for at in range(len(stub)):
        behind = int(np.searchsorted(places[0], at, side="right"))
        if behind == len(places[0]):
            return
        before = kept if count == 4 else stub[:at]
        two = tables.words_of_two(before[:, None], stub[at])
        yield two, _from(triples, behind)


def _from(words: Words, start: int) -> Words:
    return words._replace(
        cells=words.cells[start:], hearts=None if words.hearts is None else words.hearts[start:]
    )


@lru_cache(maxsize=16)
def _triples(size: int) -> NDArray[np.intp]:
    """All three places out of `size`, in order, of shape (3, n)."""
    return np.array(list(combinations(range(size), 3)), np.intp).reshape(-1, 3).T.copy()


@lru_cache(maxsize=100_000)
def _improvement(rules: RankRules, hand: Hand, kept: Hand, known_elsewhere: Hand) -> tuple[int, int]:
    odds = draw_odds(rules, hand, _less(hand, kept), known_elsewhere)
    return odds.improves, odds.total


def _counted(ranking: Ranking, hand: Hand, thrown: Hand, stub: Hand, aim: int | None) -> DrawOdds:
    kept = _less(hand, thrown)
    held = ranking.rank(hand)
    ranks = ranks_of_draws(ranking, kept, stub, len(thrown))
    counts = np.bincount(ranks >> CLASS_SHIFT, minlength=len(CLASSES)).tolist()
    better, worse = int((ranks > held).sum()), int((ranks < held).sum())
    improves = sum(counts[(held >> CLASS_SHIFT) + 1 :])
    return DrawOdds(
        kept=kept,
        thrown=thrown,
        total=len(ranks),
        classes={CLASSES[i]: count for i, count in reversed(list(enumerate(counts))) if count},
        better=better,
        equal=len(ranks) - better - worse,
        worse=worse,
        improves=improves,
        reaching=improves if aim is None else int((ranks >= aim).sum()),
    )


def _stub(
    ranking: Ranking, hand: Sequence[int], thrown: Sequence[int], known_elsewhere: Sequence[int]
) -> Hand:
    """The cards that can come. Raises CardError where hand, thrown and known cards do not go together."""
    pack.check_hand(hand, ranking.has_joker, size=None)
    pack.check_cards(thrown, ranking.has_joker)
    for card in thrown:
        if card not in hand:
            raise CardError(
                f"{pack.card_text(card)} is not in the hand {pack.cards_text(hand)}: throw cards it holds"
            )
    pack.check_cards((*hand, *known_elsewhere), ranking.has_joker)
    stub = _less(pack.PACK_WITH_JOKER if ranking.has_joker else pack.PACK, (*hand, *known_elsewhere))
    if len(stub) < len(thrown):
        raise CardError(f"only {len(stub)} cards are left to draw from, and {len(thrown)} are thrown")
    return stub


def _less(cards: Sequence[int], gone: Sequence[int]) -> Hand:
    return tuple(card for card in cards if card not in gone)
