"""The chance to win a show: a hand and its draw against the hands and draws of others, given or unknown.

Exact, over every deal of the cards to come, where nobody else draws, where one other does, and where all the
deals can be played out; else by sampling from a seed that is handed in, with the error stated.

Against one other who draws, deals are not listed one by one. The two draws must not share a card, and how
many draws that share none rank below mine is found by inclusion and exclusion over the cards of my draw: all
his draws that rank below, less those that hold one of my cards, plus those that hold two, and so on. Each of
these counts is a look-up in a sorted list, so two draws of three (105 million deals) take a tenth of a second
and not one is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ledger.cards import pack
from ledger.cards.order import CLASS_SHIFT, CLASSES, RankRules
from ledger.cards.pack import CardError
from ledger.cards.ranking import Ranking, ranking_for

Counts = NDArray[np.int64]
Rows = NDArray[np.intp]

_MOST_PLAYED_OUT = 200_000
"""Deals that are played out one by one before sampling takes over."""
_MOST_LISTED = 80_000_000
"""Entries in the sorted lists against one other who draws (some 4 s); two hands wholly unknown take more."""
_DEALS_PER_SAMPLE = 20
"""An unseen hand fits what it drew in one deal of this many or oftener; rarer ones give fewer samples."""

_HELD_BY_DRAW = {
    0: ("blaze", "skip_straight", "straight", "flush", "full_house", "straight_flush", "five_of_a_kind"),
    1: ("two_pairs", "fours"),
    2: ("threes",),
    3: ("pair",),
    4: ("high_card",),
}


@dataclass(frozen=True, slots=True)
class Drawer:
    """One who keeps these cards and draws so many; `Drawer((), 5)` is a hand of which nothing is known."""

    kept: tuple[int, ...]
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Unseen:
    """One of whom only the number drawn is known, 0 to 4. He is taken to have drawn to what calls for it.

    None: a blaze or any straight or better, but fours; one: two pairs or fours (not four to a flush or
    straight); two: threes; three: a pair; four: nothing, keeping the highest card. Each such deal is equally
    likely.
    """

    draws: int


@dataclass(frozen=True, slots=True)
class WinOdds:
    """How a show comes out, counted over `total` deals that are equally likely.

    `shared` is, for each number of hands that divide the pool, the deals in which mine is one of them.
    `exact` deals are all there are; sampled ones are drawn, and `error` bounds the share of the pool 19 times
    in 20.
    """

    total: int
    alone: int
    shared: tuple[tuple[int, int], ...]
    lost: int
    exact: bool
    method: str

    @property
    def share(self) -> Fraction:
        """The part of the pool won on average, a tie counting as an equal part."""
        won = self.alone + sum(Fraction(deals, hands) for hands, deals in self.shared)
        return Fraction(won) / self.total

    @property
    def error(self) -> float:
        """Half the width of the interval that holds the true share 19 times in 20; 0 where exact."""
        if self.exact:
            return 0.0
        mean = float(self.share)
        squares = self.alone + sum(deals / hands**2 for hands, deals in self.shared)
        return 1.96 * sqrt(max(squares / self.total - mean**2, 1 / self.total) / self.total)


def win_odds(
    rules: RankRules,
    mine: Drawer,
    others: Sequence[Drawer | Unseen],
    known_elsewhere: Sequence[int] = (),
    *,
    seed: int = 0,
    samples: int = 100_000,
) -> WinOdds:
    """The chance that my hand wins the show against the others.

    `known_elsewhere`: cards that nobody here can get, my own discards among them. `seed` and `samples` are
    used only where sampling is. Raises CardError where the cards do not go together or the pack runs out.
    """
    ranking = ranking_for(rules)
    seen = [other for other in others if isinstance(other, Drawer)]
    stub = _stub(ranking, mine, others, known_elsewhere)
    if len(seen) < len(others):
        return _sampled(ranking, mine, others, stub, seed=seed, samples=samples)
    drawing = [other for other in seen if other.draws]
    fixed = [ranking.rank(other.kept) for other in seen if not other.draws]
    if len(drawing) == 0:
        return _against_fixed(ranking, mine, fixed, stub)
    if len(drawing) == 1 and _number_listed(len(stub), mine.draws, drawing[0].draws) <= _MOST_LISTED:
        return _against_one(ranking, mine, drawing[0], fixed, stub)
    deals = _number_of_deals(len(stub), [each.draws for each in (mine, *drawing)])
    if deals <= _MOST_PLAYED_OUT:
        return _played_out(ranking, [mine, *drawing], fixed, stub)
    return _sampled(ranking, mine, others, stub, seed=seed, samples=samples)


def _stub(
    ranking: Ranking, mine: Drawer, others: Sequence[Drawer | Unseen], known_elsewhere: Sequence[int]
) -> tuple[int, ...]:
    known = [*known_elsewhere]
    needed = 0
    for each in (mine, *others):
        if isinstance(each, Unseen):
            if each.draws not in _HELD_BY_DRAW:
                raise CardError(
                    f"an unseen hand draws 0 to 4 cards, not {each.draws}; one who drew 5 is unknown"
                )
            needed += 5 + each.draws
            continue
        if each.draws < 0 or not 1 <= len(each.kept) + each.draws <= 5:
            raise CardError(
                f"a hand has one to five cards: {len(each.kept)} kept and {each.draws} drawn cannot be one"
            )
        known += each.kept
        needed += each.draws
    pack.check_cards(known, ranking.has_joker)
    cards = pack.PACK_WITH_JOKER if ranking.has_joker else pack.PACK
    stub = tuple(card for card in cards if card not in known)
    if needed > len(stub):
        raise CardError(f"{needed} cards are still to come, and only {len(stub)} are left in the pack")
    return stub


def _against_fixed(ranking: Ranking, mine: Drawer, fixed: Sequence[int], stub: Sequence[int]) -> WinOdds:
    from ledger.cards.odds import ranks_of_draws

    ranks = ranks_of_draws(ranking, mine.kept, stub, mine.draws)
    best = max(fixed, default=-1)
    alone, tied = int((ranks > best).sum()), int((ranks == best).sum())
    shared = {1 + fixed.count(best): tied}
    return _exact(len(ranks), alone, shared, "every draw counted")


def _against_one(
    ranking: Ranking, mine: Drawer, other: Drawer, fixed: Sequence[int], stub: Sequence[int]
) -> WinOdds:
    """Inclusion and exclusion over the cards my draw and his might share; see the top of this file."""
    my_draws, his_draws = _draws(len(stub), mine.draws), _draws(len(stub), other.draws)
    my_ranks = _rank_draws(ranking, mine.kept, stub, my_draws)
    his_ranks = _rank_draws(ranking, other.kept, stub, his_draws)
    ranks, dense = np.unique(np.concatenate([my_ranks, his_ranks]), return_inverse=True)
    mine_dense, his_dense = dense[: len(my_ranks)], dense[len(my_ranks) :]
    below = np.zeros(len(my_draws), np.int64)
    equal = np.zeros(len(my_draws), np.int64)
    for size in range(min(mine.draws, other.draws) + 1):
        sign = (-1) ** size
        his = np.sort(np.concatenate(_keyed(his_draws, his_dense, size, len(stub), len(ranks))))
        for key in _keyed(my_draws, mine_dense, size, len(stub), len(ranks)):
            first = np.searchsorted(his, key - mine_dense)
            start, end = np.searchsorted(his, key), np.searchsorted(his, key, side="right")
            below += sign * (start - first)
            equal += sign * (end - start)
    best = max(fixed, default=-1)
    above, level = my_ranks > best, my_ranks == best
    with_fixed = 1 + fixed.count(best)
    shared = Counter({2: int(equal[above].sum())})
    shared[with_fixed] += int(below[level].sum())
    shared[with_fixed + 1] += int(equal[level].sum())
    total = len(my_draws) * comb(len(stub) - mine.draws, other.draws)
    return _exact(total, int(below[above].sum()), shared, "every deal counted")


def _keyed(draws: Rows, dense: Counts, size: int, cards: int, ranks: int) -> list[Counts]:
    """A sortable number for each draw and each `size` of its cards: which cards first, then the rank."""
    keys = []
    for columns in combinations(range(draws.shape[1]), size):
        which = np.zeros(len(draws), np.int64)
        for column in columns:
            which = which * cards + draws[:, column]
        keys.append(which * ranks + dense)
    return keys


def _played_out(
    ranking: Ranking, drawing: Sequence[Drawer], fixed: Sequence[int], stub: Sequence[int]
) -> WinOdds:
    """Every deal of the cards to come, one after another; the first of those who draw is me."""
    outcomes: Counter[int] = Counter()

    def deal(place: int, left: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        if place == len(drawing):
            sharers = ranks.count(ranks[0]) + fixed.count(ranks[0]) if ranks[0] >= max(*ranks, *fixed) else 0
            outcomes[sharers] += 1
            return
        who = drawing[place]
        for drawn in combinations(left, who.draws):
            rest = tuple(card for card in left if card not in drawn)
            deal(place + 1, rest, (*ranks, ranking.rank((*who.kept, *drawn))))

    deal(0, tuple(stub), ())
    alone = outcomes.pop(1, 0)
    lost = outcomes.pop(0, 0)
    return _exact(alone + lost + sum(outcomes.values()), alone, outcomes, "every deal played out")


def _sampled(
    ranking: Ranking,
    mine: Drawer,
    others: Sequence[Drawer | Unseen],
    stub: Sequence[int],
    *,
    seed: int,
    samples: int,
) -> WinOdds:
    """Deals drawn at random, those thrown out in which an unseen hand does not call for what it drew."""
    generator = np.random.default_rng(seed)
    outcomes = np.zeros(len(others) + 2, np.int64)
    for _ in range(_DEALS_PER_SAMPLE):
        wanted = samples - int(outcomes.sum())
        if wanted <= 0:
            break
        ranks = _dealt_ranks(ranking, (mine, *others), stub, generator, samples)[:wanted]
        sharers = (ranks == ranks[:, :1]).sum(axis=1)
        sharers[ranks[:, 0] < ranks.max(axis=1)] = 0
        outcomes += np.bincount(sharers, minlength=len(outcomes))
    lost, alone, *shared = outcomes.tolist()
    total = int(outcomes.sum())
    if total == 0:
        raise CardError("no deal of the cards left fits what the unseen hands drew")
    return WinOdds(
        total=total,
        alone=alone,
        shared=tuple((hands, deals) for hands, deals in enumerate(shared, start=2) if deals),
        lost=lost,
        exact=False,
        method=f"{total} deals sampled, seed {seed}",
    )


def _dealt_ranks(
    ranking: Ranking,
    players: Sequence[Drawer | Unseen],
    stub: Sequence[int],
    generator: np.random.Generator,
    deals: int,
) -> Counts:
    """The players' ranks, (n, players), in those of so many random deals that fit."""
    needs = [player.draws + (5 if isinstance(player, Unseen) else 0) for player in players]
    shuffled = np.argsort(generator.random((deals, len(stub))), axis=1)[:, : sum(needs)]
    cards = np.array(stub, np.intp)[shuffled]
    ranks, fits = [], np.ones(deals, bool)
    for player, need in zip(players, needs, strict=True):
        got, cards = cards[:, :need], cards[:, need:]
        if isinstance(player, Unseen):
            held = ranking.rank_many(got[:, :5]) >> CLASS_SHIFT
            fits &= np.isin(held, [CLASSES.index(name) for name in _HELD_BY_DRAW[player.draws]])
            got = np.concatenate([_kept(got[:, :5], 5 - player.draws), got[:, 5:]], axis=1)
            ranks.append(ranking.rank_many(got))
        else:
            ranks.append(_rank_rows(ranking, player.kept, got))
    return np.stack(ranks, axis=1)[fits]


def _kept(hands: Rows, count: int) -> Rows:
    """The `count` best cards of each hand: the joker, then the largest group, then the highest."""
    kinds = hands >> 2
    alike = (kinds[:, :, None] == kinds[:, None, :]).sum(axis=2)
    worth = (hands == pack.JOKER) * 1_000 + alike * 100 + kinds
    order = np.argsort(-worth, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(hands, order, axis=1)


def _rank_draws(ranking: Ranking, kept: Sequence[int], stub: Sequence[int], draws: Rows) -> Counts:
    return _rank_rows(ranking, kept, np.array(stub, np.intp)[draws])


def _rank_rows(ranking: Ranking, kept: Sequence[int], drawn: NDArray[Any]) -> Counts:
    """The ranks of the kept cards with each row of drawn ones."""
    rows = np.concatenate([np.tile(np.array(kept, np.intp), (len(drawn), 1)), drawn], axis=1)
    if rows.shape[1] == 5:
        return ranking.rank_many(rows)
    return np.array([ranking.rank(row) for row in rows.tolist()], np.int64)


def _draws(cards: int, count: int) -> Rows:
    """All ways to draw `count` out of so many cards, as places, of shape (n, count)."""
    return np.array(list(combinations(range(cards), count)), np.intp).reshape(comb(cards, count), count)


def _number_listed(cards: int, mine: int, his: int) -> int:
    sizes = range(min(mine, his) + 1)
    return sum(comb(cards, draws) * comb(draws, size) for draws in (mine, his) for size in sizes)


def _number_of_deals(cards: int, draws: Sequence[int]) -> int:
    return prod(comb(cards - sum(draws[:i]), count) for i, count in enumerate(draws))


def _exact(total: int, alone: int, shared: Mapping[int, int], method: str) -> WinOdds:
    divided = tuple(sorted((hands, deals) for hands, deals in shared.items() if deals))
    lost = total - alone - sum(deals for _, deals in divided)
    return WinOdds(total, alone, divided, lost, exact=True, method=method)
