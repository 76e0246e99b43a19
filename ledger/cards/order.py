"""What beats what: the standing of five cards, or fewer, under the six switches that rank hands.

A rank is one int, higher is better, equal is a tie. From the top bit down it holds what decides first:

    bits 52-55  the class (index in CLASSES)                                            R-ORDER
    bits 27-51  five places of five bits: the card's value (ace 14, or 1 where low in a sequence) times two,
                plus one where the joker under `higher` stands there; 0 where no card counts     R-JOKER
    bit  26     the joker under `mistigris`                                             R-MISTIGRIS
    bits 0-25   hearts: one bit a rank, those that come first in the places in the upper half    R-HEARTS

So ranks of hands under one set of switches compare as plain numbers, and a rank tells its class without any
table.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

CLASSES = (
    *("high_card", "pair", "two_pairs", "blaze", "threes", "skip_straight", "straight", "flush"),
    *("full_house", "fours", "straight_flush", "five_of_a_kind"),
)
HIGH_CARD, PAIR, TWO_PAIRS, BLAZE, THREES, SKIP_STRAIGHT = range(6)
STRAIGHT, FLUSH, FULL_HOUSE, FOURS, STRAIGHT_FLUSH, FIVE_OF_A_KIND = range(6, 12)

CLASS_SHIFT = 52
PLACE_SHIFTS = (47, 42, 37, 32, 27)
MISTIGRIS_BIT = 1 << 26
HEARTS_LEAD_SHIFT = 13

ACE = 14
_KNAVE = 11


@dataclass(frozen=True, slots=True)
class RankRules:
    """The switches that decide what beats what; the defaults are the plain game of today."""

    sequence_ace: Literal["low", "high_or_low"] = "high_or_low"
    side_cards: Literal["count", "none"] = "count"
    joker: Literal["off", "higher", "mistigris"] = "off"
    blaze: Literal["off", "kqj", "akqj"] = "off"
    skip_straight: bool = False
    suit_precedence: Literal["hearts", "none"] = "none"


class Standing(NamedTuple):
    """Where a hand stands, hearts apart: `rank` without its heart bits.

    `called` is the value the joker takes (0 without a joker), `called_in_suit` whether it must be of the
    hand's one suit. `lead` and `rest` are masks over the 13 ranks: where hearts count, in the order they
    count.
    """

    rank: int
    called: int
    called_in_suit: bool
    lead: int
    rest: int


def standing(rules: RankRules, values: tuple[int, ...], joker: bool, one_suit: bool) -> Standing:
    """The standing of real cards with these values (2..14, highest first), and of the joker if it is among
    them.

    `one_suit`: there are five cards in all and the real ones are of one suit. Short hands stand on the same
    scale: a place without a card is below any card, and what takes five cards cannot be made (R-FOUL).
    """
    if not joker:
        return _standing(rules, values, 0, one_suit)
    return max(
        _standing(rules, tuple(sorted((*values, called), reverse=True)), called, in_suit)
        for called in range(2, ACE + 1)
        for in_suit in (False, True)
        if _may_be_called(rules, values, called, in_suit, one_suit)
    )


def hearts_bits(lead: int, rest: int, hearts: int) -> int:
    """The heart bits of a rank, from the mask of ranks of which the hand holds the heart (R-HEARTS)."""
    return (hearts & lead) << HEARTS_LEAD_SHIFT | hearts & rest


def places_of(rank: int) -> tuple[tuple[int, bool], ...]:
    """The places of a rank that count: (value 1..14, whether the joker under `higher` stands there)."""
    fields = [rank >> shift & 31 for shift in PLACE_SHIFTS]
    return tuple((field >> 1, bool(field & 1)) for field in fields if field)


def hearts_in(rank: int) -> list[int]:
    """The values (2..14, highest first) of the hearts that count in a rank; none where suits do not count."""
    mask = rank >> HEARTS_LEAD_SHIFT & 0x1FFF | rank & 0x1FFF
    return [value for value in range(ACE, 1, -1) if mask >> value - 2 & 1]


def _may_be_called(
    rules: RankRules, values: tuple[int, ...], called: int, in_suit: bool, one_suit: bool
) -> bool:
    """Under `higher` the joker is never a card that is in the hand; under `mistigris` it may be (R-JOKER)."""
    if in_suit:
        return one_suit and (rules.joker == "mistigris" or called not in values)
    return rules.joker == "mistigris" or values.count(called) < 4


def _standing(rules: RankRules, values: tuple[int, ...], called: int, one_suit: bool) -> Standing:
    class_, places = _class_and_places(rules, values, one_suit)
    rank = class_ << CLASS_SHIFT
    marked = rules.joker != "higher" or not called
    for shift, value in zip(PLACE_SHIFTS, places, strict=False):
        mark = not marked and value in (called, 1 if called == ACE else called)
        marked = marked or mark
        rank |= (value << 1 | mark) << shift
    if called and rules.joker == "mistigris":
        rank |= MISTIGRIS_BIT
    return Standing(rank, called, bool(called) and one_suit, *_heart_masks(places))


@cache
def _class_and_places(
    rules: RankRules, values: tuple[int, ...], one_suit: bool
) -> tuple[int, tuple[int, ...]]:
    """The class, and the values of the cards that count in the order in which they do."""
    groups = sorted(Counter(values).items(), key=lambda group: (-group[1], -group[0]))
    counts = tuple(count for _, count in groups)
    grouped = tuple(value for value, count in groups for _ in range(count))
    counted = 5 if rules.side_cards == "count" else 0
    if counts[0] == 5:
        return FIVE_OF_A_KIND, grouped
    if len(values) == 5 and (one_suit or counts[0] == 1):
        by_sequence = _in_sequence(rules, values, one_suit)
        if by_sequence is not None:
            return by_sequence
    if one_suit:
        return FLUSH, values
    if counts[0] == 4:
        return FOURS, grouped[: counted or 4]
    if counts[:2] == (3, 2):
        return FULL_HOUSE, grouped[: counted or 3]
    if counts[0] == 3:
        return THREES, grouped[: counted or 3]
    if _is_blaze(rules, values):
        return BLAZE, values[: counted or 1]
    if counts[:2] == (2, 2):
        return TWO_PAIRS, grouped[: counted or 4]
    if counts[0] == 2:
        return PAIR, grouped[: counted or 2]
    return HIGH_CARD, values


def _in_sequence(
    rules: RankRules, values: tuple[int, ...], one_suit: bool
) -> tuple[int, tuple[int, ...]] | None:
    """Five cards as a sequence, plain or skipping, the ace where R-SEQ-ACE has it; None if they are none."""
    ace_low = (*values[1:], 1) if values[0] == ACE else values
    readings = [ace_low] if rules.sequence_ace == "low" else [values, ace_low]
    for reading in readings:
        if _steps(reading, 1):
            return STRAIGHT_FLUSH if one_suit else STRAIGHT, reading
    if rules.skip_straight and not one_suit:
        for reading in readings:
            if _steps(reading, 2):
                return SKIP_STRAIGHT, reading
    return None


def _steps(values: tuple[int, ...], step: int) -> bool:
    return all(upper - lower == step for upper, lower in pairwise(values))


def _is_blaze(rules: RankRules, values: tuple[int, ...]) -> bool:
    """Five court cards (R-BLAZE); `akqj` takes the ace for one."""
    if rules.blaze == "off" or len(values) != 5:
        return False
    highest = ACE if rules.blaze == "akqj" else ACE - 1
    return values[-1] >= _KNAVE and values[0] <= highest


@cache
def _heart_masks(places: tuple[int, ...]) -> tuple[int, int]:
    """Where hearts are looked for, as two masks over the 13 ranks that compare as numbers, the first one
    first.

    Of one rank a hand holds one heart at most, and it comes first among its equals; so a bit a rank is
    enough. Ranks in falling order compare as bits do; the places fall from the first, and once more from
    where a side card is above the group before it (or the ace ends a sequence), so two masks hold any hand.
    The joker is no heart.
    """
    order = list(dict.fromkeys(ACE if value == 1 else value for value in places))
    turn = next((i for i in range(1, len(order)) if order[i] > order[i - 1]), len(order))
    assert order[turn:] == sorted(order[turn:], reverse=True), order
    lead, rest = (sum(1 << value - 2 for value in part) for part in (order[:turn], order[turn:]))
    return lead, rest
