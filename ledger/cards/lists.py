"""Look-up lists for ranking one hand after another at speed, without numpy.

Five cards are looked up as two and three. Each of the 91 pairs of ranks (105 with the joker) and each of the
455 triples (560) has a number, and the cell `pair * triples + triple` holds the rank. Suits go into the same
sum: a pair is of suit 1 to 4 or of none (0), a triple counts 3 to 0 or 5 for none, so the two come to 4 just
where all five cards are of one suit; ten blocks of cells, of which the one numbered 4 holds the flushes. So a
hand costs two look-ups for the cards, one for the rank, and no question asked.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from ledger.cards.order import Standing
from ledger.cards.pack import HEARTS, JOKER

HEARTS_SHIFT = 20
_JOKER_KIND = 13
_BLOCKS = 10
_ONE_SUIT_BLOCK = 4


class Cells(NamedTuple):
    """The standing of every cell, of mixed suits and of one suit; None where no pack holds such a hand."""

    kinds: int
    pairs: dict[tuple[int, ...], int]
    triples: dict[tuple[int, ...], int]
    mixed: list[Standing | None]
    one_suit: list[Standing | None]


class Lists(NamedTuple):
    """`ranks[pair[a][b] + triple[c][d][e]]` is the rank of five cards, hearts apart."""

    pair: list[list[int]]
    triple: list[list[list[int]]]
    ranks: list[int]


StandingOf = Callable[[tuple[int, ...], bool, bool], Standing]


def cells(standing_of: StandingOf, joker: bool) -> Cells:
    """Fill the cells; `standing_of(values, joker, one_suit)` is `order.standing` under the rules."""
    kinds = 14 if joker else 13
    pairs = list(combinations_with_replacement(range(kinds), 2))
    triples = list(combinations_with_replacement(range(kinds), 3))
    of_kinds: dict[tuple[int, ...], tuple[Standing | None, Standing | None]] = {}
    found = []
    for pair in pairs:
        for triple in triples:
            hand = tuple(sorted(pair + triple, reverse=True))
            if hand not in of_kinds:
                of_kinds[hand] = _standings(standing_of, hand)
            found.append(of_kinds[hand])
    return Cells(
        kinds=kinds,
        pairs={kinds_: i * len(triples) for i, kinds_ in enumerate(pairs)},
        triples={kinds_: i for i, kinds_ in enumerate(triples)},
        mixed=[mixed for mixed, _ in found],
        one_suit=[one_suit for _, one_suit in found],
    )


def lists(filled: Cells, hearts: bool = False) -> Lists:
    """The lists for single hands. A hand no pack holds (five kings, two jokers) has rank 0.

    With `hearts`, what is looked up for the cards has their hearts' mask too, from HEARTS_SHIFT up.
    """
    mixed = [standing.rank if standing else 0 for standing in filled.mixed]
    one_suit = [standing.rank if standing else 0 for standing in filled.one_suit]
    blocks = [one_suit if block == _ONE_SUIT_BLOCK else mixed for block in range(_BLOCKS)]
    size = len(mixed)
    cards = range(JOKER + 1 if filled.kinds > _JOKER_KIND else JOKER)

    def pair(a: int, b: int) -> int:
        suit = common_suit((a, b))
        mask = hearts_mask((a, b)) << HEARTS_SHIFT if hearts else 0
        return mask + filled.pairs[kinds_of((a, b))] + (0 if suit is None else suit + 1) * size

    def triple(a: int, b: int, c: int) -> int:
        suit = common_suit((a, b, c))
        mask = hearts_mask((a, b, c)) << HEARTS_SHIFT if hearts else 0
        return mask + filled.triples[kinds_of((a, b, c))] + (5 if suit is None else 3 - suit) * size

    return Lists(
        pair=[[pair(a, b) for b in cards] for a in cards],
        triple=[[[triple(a, b, c) for c in cards] for b in cards] for a in cards],
        ranks=[rank for block in blocks for rank in block],
    )


def kinds_of(cards: Sequence[int]) -> tuple[int, ...]:
    """The ranks of cards as kinds, lowest first: 0 for the deuce to 12 for the ace, 13 for the joker."""
    return tuple(sorted([card >> 2 for card in cards]))


def hearts_mask(cards: Sequence[int]) -> int:
    """The mask of ranks of which there is the heart, the deuce lowest; the joker is none (R-HEARTS)."""
    mask = 0
    for card in cards:
        if card & 3 == HEARTS:
            mask |= 1 << (card >> 2)
    return mask


def common_suit(cards: Sequence[int]) -> int | None:
    """The one suit of the cards, the joker being of any; None where they differ (or are all jokers)."""
    suits = {card & 3 for card in cards if card != JOKER}
    return suits.pop() if len(suits) == 1 else None


def _standings(standing_of: StandingOf, kinds: tuple[int, ...]) -> tuple[Standing | None, Standing | None]:
    joker = kinds[0] == _JOKER_KIND
    real = kinds[1:] if joker else kinds
    if real[0] == _JOKER_KIND or (len(real) == 5 and real[0] == real[4]):
        return None, None
    values = tuple(kind + 2 for kind in real)
    mixed = standing_of(values, joker, False)
    if len(set(real)) < len(real):
        return mixed, None
    return mixed, standing_of(values, joker, True)
