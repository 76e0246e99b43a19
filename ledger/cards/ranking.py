"""The ranking of hands under one set of switches: one hand at a time, or arrays of them.

This is the project's only ranking. A `Ranking` is made once per set of switches (`ranking_for`) and kept in
memory. Ranks are ints, as `order` lays them out: higher is better, equal is a tie, and short hands stand on
the same scale.

A single hand needs no numpy and, at first, no table: hands are worked out and their standings remembered, so
that a table with three hands to show answers at once. Who goes on asking gets look-up lists, which cost 0.2 s
to build (0.3 s with the joker) and answer seven times faster after that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from ledger.cards import lists, order, pack
from ledger.cards.order import CLASS_SHIFT, CLASSES, RankRules, Standing

if TYPE_CHECKING:
    from ledger.cards.arrays import Arrays, Cards, Ranks

_WORTH_LISTS = 100_000
"""After so many hands worked out one by one the lists are built: about as long as building them takes."""


@cache
def ranking_for(rules: RankRules) -> Ranking:
    """The ranking under these switches, made on first use and kept."""
    return Ranking(rules)


class Ranking:
    """What beats what under one set of switches.

    `rank(cards)` takes one to five cards in any order and gives an int. It is the hot path and trusts its
    cards to be distinct (`pack.check_hand` asks); a number of cards that is no hand, or a joker where there
    is none, is a CardError.
    """

    rank: Callable[[Sequence[int]], int]

    def __init__(self, rules: RankRules) -> None:
        self.rules = rules
        self.has_joker = rules.joker != "off"
        self._hearts = rules.suit_precedence == "hearts"
        self._standings: dict[tuple[tuple[int, ...], bool, bool], Standing] = {}
        self._asked = 0
        self.rank = self._rank_and_count

    def rank_many(self, hands: Cards) -> Ranks:
        """The ranks, int64 of shape (n,), of five-card hands: whole numbers of shape (n, 5), in any order.

        The same numbers as `rank`. Fastest on uint8 in C order. Raises CardError for another shape or a
        number that is no card of this pack; that the five cards of a row are distinct is the caller's to see
        to.
        """
        return self.arrays.rank_many(hands)

    @cached_property
    def arrays(self) -> Arrays:
        """The tables for numpy, built on first use."""
        from ledger.cards.arrays import Arrays

        return Arrays(self._cells, self._hearts)

    def class_of(self, rank: int) -> str:
        """The class of a rank, by its name in `CLASSES`."""
        return CLASSES[rank >> CLASS_SHIFT]

    def joker_stands_for(self, cards: Sequence[int]) -> int | None:
        """The card the joker is called, as the hand ranks best; None without the joker.

        The suit is the one a flush needs; else hearts, spades, diamonds, clubs in this order, a card not in
        the hand before one that is (R-MISTIGRIS allows both). It never matters to the rank: the joker itself
        is no heart.
        """
        if pack.JOKER not in cards:
            return None
        standing = self.standing(cards)
        real = [card for card in cards if card != pack.JOKER]
        if standing.called_in_suit:
            return (standing.called - 2) * 4 + (real[0] & 3)
        choice = [(standing.called - 2) * 4 + pack.SUITS.index(suit) for suit in "hsdc"]
        return next((card for card in choice if card not in real), choice[0])

    def build_lists(self) -> None:
        """Make `rank` look hands up from now on, without waiting until it has been asked often."""
        self.rank = self._listed()

    def words(self, cards: Sequence[int]) -> str:
        """The hand as a player says it: `two pairs, kings and nines`."""
        from ledger.cards import words

        return words.words(self, cards)

    def standing(self, cards: Sequence[int]) -> Standing:
        """The standing of one to five distinct cards, hearts apart. Raises CardError for another number."""
        joker = pack.JOKER in cards
        if not 1 <= len(cards) <= 5 or (joker and not self.has_joker):
            pack.check_hand(cards, self.has_joker, size=None)
        values = tuple(sorted([(card >> 2) + 2 for card in cards if card != pack.JOKER], reverse=True))
        one_suit = len(cards) == 5 and lists.common_suit(cards) is not None
        return self._standing_of(values, joker, one_suit)

    def _standing_of(self, values: tuple[int, ...], joker: bool, one_suit: bool) -> Standing:
        key = values, joker, one_suit
        found = self._standings.get(key)
        if found is None:
            found = self._standings[key] = order.standing(self.rules, values, joker, one_suit)
        return found

    @cached_property
    def _cells(self) -> lists.Cells:
        return lists.cells(self._standing_of, self.has_joker)

    def _rank_and_count(self, cards: Sequence[int]) -> int:
        self._asked += 1
        if self._asked == _WORTH_LISTS:
            self.build_lists()
        return self._worked_out(cards)

    def _worked_out(self, cards: Sequence[int]) -> int:
        standing = self.standing(cards)
        if not self._hearts:
            return standing.rank
        return standing.rank | order.hearts_bits(standing.lead, standing.rest, lists.hearts_mask(cards))

    def _listed(self) -> Callable[[Sequence[int]], int]:
        """A `rank` that looks five cards up and works anything else out (which refuses what is no hand)."""
        if self._hearts:
            return self._listed_with_hearts()
        pair, triple, ranks = lists.lists(self._cells)
        worked_out = self._worked_out

        def rank(cards: Sequence[int]) -> int:
            try:
                a, b, c, d, e = cards
                return ranks[pair[a][b] + triple[c][d][e]]
            except (ValueError, IndexError):
                return worked_out(cards)

        return rank

    def _listed_with_hearts(self) -> Callable[[Sequence[int]], int]:
        """As `_listed`; the sum brings the mask of hearts with it, above the cell."""
        pair, triple, ranks = lists.lists(self._cells, hearts=True)
        masks = {standing.rank: (standing.lead, standing.rest) for standing in self._standings.values()}
        cell, to_hearts = (1 << lists.HEARTS_SHIFT) - 1, lists.HEARTS_SHIFT
        to_lead, worked_out = order.HEARTS_LEAD_SHIFT, self._worked_out

        def rank(cards: Sequence[int]) -> int:
            try:
                a, b, c, d, e = cards
                word = pair[a][b] + triple[c][d][e]
            except (ValueError, IndexError):
                return worked_out(cards)
            found = ranks[word & cell]
            hearts = word >> to_hearts
            if hearts:
                lead, rest = masks[found]
                return found | (hearts & lead) << to_lead | hearts & rest
            return found

        return rank
