"""Look-up tables for ranking arrays of hands with numpy.

As in `lists`, five cards are two and three: one table has a word for any two cards, one for any three, and
their sum is the cell that holds the rank. A word is an int32: the cell's part in the low 17 bits, and in bits
24 to 27 the suits all its cards can be of (the joker of any), so that `word & word` has one of these bits
left just where the five are of one suit. Such hands are one in 500 and are looked up anew in a table of their
own. Hands go through in blocks that stay in the second-level cache.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.cards.lists import Cells
from ledger.cards.order import HEARTS_LEAD_SHIFT, Standing
from ledger.cards.pack import HEARTS, JOKER, CardError

Cards = NDArray[np.integer[Any]]
Ranks = NDArray[np.int64]
Cells32 = NDArray[np.int32]
Masks = NDArray[np.int64]

_CELL_MASK = (1 << 17) - 1
_SUITS_SHIFT = 24
_BLOCK = 32_768


class Words(NamedTuple):
    """Words of two or three cards; where hearts count, the masks of ranks of which there is the heart."""

    cells: Cells32
    hearts: Masks | None


class Arrays:
    """The tables under one set of switches, and the ranking of arrays by them.

    `pair[a + 256 * b]` and `triple[a + 64 * b + 4096 * c]` are the words of cards; the strides are such that
    two neighbouring bytes of a row are an index as they stand.
    """

    def __init__(self, cells: Cells, hearts: bool) -> None:
        self.cards = JOKER + 1 if cells.kinds == 14 else JOKER
        self._pair_hearts: Masks | None = None
        self._triple_hearts: Masks | None = None
        self.pair = np.zeros(256 * self.cards, np.int32)
        self.triple = np.zeros(4096 * self.cards, np.int32)
        self._fill_words(cells)
        self._mixed, self._one_suit = _column(cells.mixed, "rank"), _column(cells.one_suit, "rank")
        if hearts:
            self._fill_hearts(cells)

    def rank_many(self, hands: Cards) -> Ranks:
        """The ranks of hands of shape (n, 5); see `Ranking.rank_many`."""
        rows = self._checked(hands)
        ranks = np.empty(len(rows), np.int64)
        for start in range(0, len(rows), _BLOCK):
            self._rank_block(rows[start : start + _BLOCK], ranks[start : start + _BLOCK])
        return ranks

    def rank_words(self, two: Words, three: Words, out: Ranks) -> None:
        """Rank hands given as words of two and three cards that broadcast; `out` takes them raveled."""
        cell = ((two.cells + three.cells) & _CELL_MASK).ravel()
        self._mixed.take(cell, out=out, mode="wrap")
        suited = np.flatnonzero((two.cells & three.cells).ravel() >= 1 << _SUITS_SHIFT)
        cell_suited = cell[suited]
        out[suited] = self._one_suit[cell_suited]
        if two.hearts is not None and three.hearts is not None:
            hearts = (two.hearts | three.hearts).ravel()
            lead, rest = self._mixed_lead.take(cell, mode="wrap"), self._mixed_rest.take(cell, mode="wrap")
            lead[suited], rest[suited] = self._one_suit_lead[cell_suited], self._one_suit_rest[cell_suited]
            out |= (hearts & lead) << HEARTS_LEAD_SHIFT | (hearts & rest)

    def words_of_two(self, a: Cards, b: Cards) -> Words:
        """The words of pairs of cards, elementwise; the cards are trusted."""
        return self._words_at(a.astype(np.intp) + 256 * b.astype(np.intp), self.pair, self._pair_hearts)

    def words_of_three(self, a: Cards, b: Cards, c: Cards) -> Words:
        """The words of triples of cards, elementwise; the cards are trusted."""
        index = a.astype(np.intp) + 64 * b.astype(np.intp) + 4096 * c.astype(np.intp)
        return self._words_at(index, self.triple, self._triple_hearts)

    def _words_at(self, index: NDArray[np.intp], cells: Cells32, hearts: Masks | None) -> Words:
        return Words(
            cells.take(index, mode="wrap"), None if hearts is None else hearts.take(index, mode="wrap")
        )

    def _rank_block(self, rows: NDArray[np.uint8], out: Ranks) -> None:
        """Rank rows of five bytes. Two side by side are read as one number, which is their index."""
        n = len(rows)
        first_two = np.ndarray((n,), "<u2", rows, 0, (5,)).astype(np.intp)
        next_two = np.ndarray((n,), "<u2", rows, 2, (5,)).astype(np.int32)
        next_two -= (next_two >> 8) * (256 - 64)
        last = rows[:, 4].astype(np.int32)
        last_three = (next_two + (last << 12)).astype(np.intp)
        self.rank_words(
            self._words_at(first_two, self.pair, self._pair_hearts),
            self._words_at(last_three, self.triple, self._triple_hearts),
            out,
        )

    def _checked(self, hands: Cards) -> NDArray[np.uint8]:
        if hands.ndim != 2 or hands.shape[1] != 5 or hands.dtype.kind not in "iu":
            raise CardError(
                f"hands to rank are whole numbers of shape (n, 5), not {hands.dtype} of shape {hands.shape}"
            )
        if hands.size and (hands.max() >= self.cards or (hands.dtype.kind == "i" and hands.min() < 0)):
            raise CardError(f"cards to rank are numbers from 0 to {self.cards - 1} in this pack")
        return np.ascontiguousarray(hands, dtype=np.uint8)

    def _fill_words(self, cells: Cells) -> None:
        kind = np.minimum(np.arange(self.cards) >> 2, 13)
        suits = np.where(np.arange(self.cards) == JOKER, 15, 1 << (np.arange(self.cards) & 3)) << _SUITS_SHIFT
        of_two = _table(cells.kinds, 2, lambda *kinds: cells.pairs[tuple(sorted(kinds))])
        of_three = _table(cells.kinds, 3, lambda *kinds: cells.triples[tuple(sorted(kinds))])
        a, b = np.ix_(range(self.cards), range(self.cards))
        self.pair.reshape(self.cards, 256)[:, : self.cards] = of_two[kind[a], kind[b]] | (suits[a] & suits[b])
        c, b, a = np.ix_(range(self.cards), range(self.cards), range(self.cards))
        self.triple.reshape(self.cards, 64, 64)[:, : self.cards, : self.cards] = of_three[
            kind[a], kind[b], kind[c]
        ] | (suits[a] & suits[b] & suits[c])

    def _fill_hearts(self, cells: Cells) -> None:
        cards = np.arange(64)
        mask = np.where((cards & 3 == HEARTS) & (cards < JOKER), 1 << np.minimum(cards >> 2, 13), 0).astype(
            np.int64
        )
        b, a = np.ix_(range(self.cards), range(256))
        self._pair_hearts = (mask[b] | mask[a & 63]).ravel()
        c, b, a = np.ix_(range(self.cards), range(64), range(64))
        self._triple_hearts = (mask[c] | mask[b] | mask[a]).ravel()
        self._mixed_lead, self._mixed_rest = _column(cells.mixed, "lead"), _column(cells.mixed, "rest")
        self._one_suit_lead = _column(cells.one_suit, "lead")
        self._one_suit_rest = _column(cells.one_suit, "rest")


def _column(standings: list[Standing | None], field: str) -> Ranks:
    return np.array([getattr(standing, field) if standing else 0 for standing in standings], np.int64)


def _table(kinds: int, dimensions: int, number: Callable[..., int]) -> NDArray[np.int64]:
    table = np.empty((kinds,) * dimensions, np.int64)
    for index in np.ndindex(*table.shape):
        table[index] = number(*index)
    return table
