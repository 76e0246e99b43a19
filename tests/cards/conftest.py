"""A second ranking to hold the first one against: slow, straight from the rule texts, sharing no code with
it.

A hand is laid out as its cards in the order that ranks them, and two layouts are compared place by place. The
joker is tried as every card there is.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from types import SimpleNamespace

import pytest

from ledger.cards import RankRules

WEAKEST_FIRST = [
    "high_card",
    "pair",
    "two_pairs",
    "blaze",
    "threes",
    "skip_straight",
    "straight",
    "flush",
    "full_house",
    "fours",
    "straight_flush",
    "five_of_a_kind",
]
WITHOUT_SIDE_CARDS = {"pair": 2, "two_pairs": 4, "blaze": 1, "threes": 3, "full_house": 3, "fours": 4}


@dataclass(frozen=True)
class Placed:
    value: int
    suit: int
    is_joker: bool = False

    @property
    def is_heart(self) -> bool:
        return self.suit == 2 and not self.is_joker


@dataclass(frozen=True)
class Layout:
    hand: str
    places: list[Placed]
    has_joker: bool


def _difference(a: float, b: float) -> int:
    return (a > b) - (a < b)


def _before_hearts(rules: RankRules, a: Layout, b: Layout) -> int:
    by_class = _difference(WEAKEST_FIRST.index(a.hand), WEAKEST_FIRST.index(b.hand))
    if by_class:
        return by_class
    for mine, his in zip(a.places, b.places, strict=False):
        if mine.value != his.value:
            return _difference(mine.value, his.value)
        if rules.joker == "higher" and mine.is_joker != his.is_joker:
            return 1 if mine.is_joker else -1
    if len(a.places) != len(b.places):
        return _difference(len(a.places), len(b.places))
    return _difference(a.has_joker, b.has_joker) if rules.joker == "mistigris" else 0


def _compared(rules: RankRules, a: Layout, b: Layout) -> int:
    found = _before_hearts(rules, a, b)
    if found == 0 and rules.suit_precedence == "hearts":
        for mine, his in zip(a.places, b.places, strict=True):
            if mine.is_heart != his.is_heart:
                return 1 if mine.is_heart else -1
    return found


def _sequence(rules: RankRules, cards: list[Placed], step: int) -> list[Placed] | None:
    lows = [Placed(1, card.suit, card.is_joker) if card.value == 14 else card for card in cards]
    for reading in [lows] if rules.sequence_ace == "low" else [cards, lows]:
        down = sorted(reading, key=lambda card: -card.value)
        if [card.value for card in down] == [down[0].value - step * i for i in range(5)]:
            return down
    return None


def _laid_out(rules: RankRules, cards: list[Placed]) -> tuple[str, list[Placed]]:
    number = Counter(card.value for card in cards)
    down = sorted(cards, key=lambda card: (-card.value, not card.is_joker, not card.is_heart))
    grouped = sorted(down, key=lambda card: (-number[card.value], -card.value))
    pattern = sorted(number.values(), reverse=True)
    if len(cards) == 5:
        flush = len({card.suit for card in cards}) == 1
        run = _sequence(rules, cards, 1)
        skip = _sequence(rules, cards, 2) if rules.skip_straight else None
        courts = {"off": set(), "kqj": {11, 12, 13}, "akqj": {11, 12, 13, 14}}[rules.blaze]
        cases = [
            ("five_of_a_kind", pattern == [5], grouped),
            ("straight_flush", flush and run is not None, run),
            ("fours", pattern == [4, 1], grouped),
            ("full_house", pattern == [3, 2], grouped),
            ("flush", flush, down),
            ("straight", run is not None, run),
            ("skip_straight", skip is not None, skip),
            ("threes", pattern[0] == 3, grouped),
            ("blaze", set(number) <= courts, down),
        ]
        for name, holds, places in cases:
            if holds:
                return name, list(places or [])
    names = {(4,): "fours", (3,): "threes", (2, 2): "two_pairs", (2,): "pair", (): "high_card"}
    return names[tuple(count for count in pattern if count > 1)], grouped


def _layout(rules: RankRules, cards: Sequence[int]) -> Layout:
    real = [Placed(card // 4 + 2, card % 4) for card in cards if card != 52]
    tries = [real]
    if 52 in cards:
        calls = [Placed(card // 4 + 2, card % 4, is_joker=True) for card in range(52)]
        if rules.joker == "higher":
            calls = [call for call in calls if Placed(call.value, call.suit) not in real]
        tries = [[*real, call] for call in calls]
    layouts = []
    for hand in tries:
        name, places = _laid_out(rules, hand)
        if rules.side_cards == "none":
            places = places[: WITHOUT_SIDE_CARDS.get(name, 5)]
        layouts.append(Layout(name, places, 52 in cards))

    def compared(a: Layout, b: Layout) -> int:
        return _before_hearts(rules, a, b)

    return max(layouts, key=cmp_to_key(compared))


def _compare(rules: RankRules, a: Sequence[int], b: Sequence[int]) -> int:
    return _compared(rules, _layout(rules, a), _layout(rules, b))


def _class_of(rules: RankRules, cards: Sequence[int]) -> str:
    return _layout(rules, cards).hand


@pytest.fixture(scope="session")
def slow() -> SimpleNamespace:
    """`class_of(rules, cards)` and `compare(rules, a, b)` (above, below or nought)."""
    return SimpleNamespace(class_of=_class_of, compare=_compare)
