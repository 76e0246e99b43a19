"""Which way to draw from a hand has the best prospect: the figure `best_draw`.

The ways to draw are compared by the mean place, among all hands of the pack, of the hands that come of them. A choice
is judged by what the player knew when he made it, his own five cards; so the place of a hand is that among all hands.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from ledger.cards import PACK, PACK_WITH_JOKER, RankRules, ranking_for
from ledger.cards.odds import ranks_of_draws

if TYPE_CHECKING:
    from numpy.typing import NDArray


def kept_best(rules: RankRules, hand: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether no other way to draw from the hand has a better prospect than keeping `kept`."""
    if len(hand) != 5:
        return False
    worth = _prospects(rules, tuple(sorted(hand)))
    return worth.get(tuple(sorted(kept)), -1.0) >= max(worth.values()) * (1 - 1e-12)


@lru_cache(maxsize=20_000)
def _prospects(rules: RankRules, hand: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    """For every way to draw the mean number of hands of the pack that rank below what comes of it."""
    ranking = ranking_for(rules)
    ranks, below = _places(rules)
    pack = PACK_WITH_JOKER if ranking.has_joker else PACK
    stub = [c for c in pack if c not in hand]
    worth = {}
    for kept in _ways(hand):
        drawn = ranks_of_draws(ranking, kept, stub, 5 - len(kept))
        worth[kept] = float(below[np.searchsorted(ranks, drawn)].mean())
    return worth


def _ways(hand: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """What may be kept: all, four, three or two cards, or the highest.

    A lower card is no better to keep alone, nor is nothing better than the highest; and to count them out would take
    thirty times as long as all the others together.
    """
    yield from chain.from_iterable(combinations(hand, size) for size in (5, 4, 3, 2))
    yield (max(hand, key=lambda card: card // 4),)


@lru_cache(maxsize=4)
def _places(rules: RankRules) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Every rank there is, in order, and how many hands of the pack are below it."""
    ranking = ranking_for(rules)
    pack = PACK_WITH_JOKER if ranking.has_joker else PACK
    ranks, counts = np.unique(ranks_of_draws(ranking, (), pack, 5), return_counts=True)
    return ranks, np.concatenate(([0], np.cumsum(counts)[:-1]))


def class_counts(rules: RankRules) -> dict[str, int]:
    """How many five-card hands of the whole pack are of each class under the rules."""
    from ledger.cards import CLASSES
    from ledger.cards.order import CLASS_SHIFT

    ranks, below = _places(rules)
    pack = PACK_WITH_JOKER if ranking_for(rules).has_joker else PACK
    counts = np.diff(np.append(below, comb(len(pack), 5)))
    summed = np.bincount(ranks >> CLASS_SHIFT, weights=counts, minlength=len(CLASSES))
    return {name: int(n) for name, n in zip(CLASSES, summed, strict=True) if n}
