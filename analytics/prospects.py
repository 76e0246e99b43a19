"""Which way to draw from a hand has the best prospect: the figure `best_draw`.

The ways to draw are compared by the mean place, among all hands of the pack, of the hands that come of them. A choice
is judged by what the player knew when he made it, his own five cards; so the place of a hand is that among all hands.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from ledger.cards import PACK, PACK_WITH_JOKER, RankRules, ranking_for
from ledger.cards.odds import ranks_of_draws
from ledger.cards.pack import JOKER

if TYPE_CHECKING:
    from numpy.typing import NDArray


def kept_best(rules: RankRules, hand: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether no other way to draw from the hand has a better prospect than keeping `kept`."""
    if len(hand) != 5:
        return False
    worth = prospects(rules, tuple(sorted(hand)))
    return worth.get(tuple(sorted(kept))) == max(worth.values())


@lru_cache(maxsize=20_000)
def prospects(rules: RankRules, hand: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """For each of the 32 ways to draw from five cards the mean number of hands of the pack below what comes of it.

    By the cards kept, in the order of `hand`. What comes of a draw are the hands that hold what is kept and nothing of
    what is thrown. Those that hold given cards are summed once for all hands that share them; from the sums, card by
    card, those are taken that hold it too.
    """
    sums = [_below_with(rules, _alike(rules, _of(hand, mask))) for mask in range(32)]
    for card in (1, 2, 4, 8, 16):
        for mask in range(32):
            if not mask & card:
                sums[mask] -= sums[mask | card]
    left = _pack_of(rules) - 5
    ways = ((_of(hand, mask), below) for mask, below in enumerate(sums))
    return {kept: Fraction(below, comb(left, 5 - len(kept))) for kept, below in ways}


def _of(hand: tuple[int, ...], mask: int) -> tuple[int, ...]:
    return tuple(card for place, card in enumerate(hand) if mask >> place & 1)


def _alike(rules: RankRules, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards with their suits called anew in the order they come in: where no suit counts, none is like another."""
    if rules.suit_precedence != "none":
        return cards
    suits: dict[int, int] = {}
    return tuple(c if c == JOKER else c & ~3 | suits.setdefault(c & 3, len(suits)) for c in cards)


@lru_cache(maxsize=100_000)
def _below_with(rules: RankRules, cards: tuple[int, ...]) -> int:
    """The hands of the pack that hold the cards: of each the number of hands below it, summed."""
    ranks, below, counts = _places(rules)
    if not cards:
        return int((below * counts).sum())
    stub = [card for card in range(_pack_of(rules)) if card not in cards]
    found = ranks_of_draws(ranking_for(rules), cards, stub, 5 - len(cards))
    return int(below[np.searchsorted(ranks, found)].sum())


def _pack_of(rules: RankRules) -> int:
    """How many cards the pack has; they are numbered from 0, the joker last."""
    return len(PACK_WITH_JOKER if ranking_for(rules).has_joker else PACK)


@lru_cache(maxsize=4)
def _places(rules: RankRules) -> "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]":
    """Every rank there is, in order; how many hands of the pack are below it; how many have it."""
    ranking = ranking_for(rules)
    ranks, counts = np.unique(ranks_of_draws(ranking, (), range(_pack_of(rules)), 5), return_counts=True)
    return ranks, np.concatenate(([0], np.cumsum(counts)[:-1])), counts


def class_counts(rules: RankRules) -> dict[str, int]:
    """How many five-card hands of the whole pack are of each class under the rules."""
    from ledger.cards import CLASSES
    from ledger.cards.order import CLASS_SHIFT

    ranks, _, counts = _places(rules)
    summed = np.bincount(ranks >> CLASS_SHIFT, weights=counts, minlength=len(CLASSES))
    return {name: int(n) for name, n in zip(CLASSES, summed, strict=True) if n}
