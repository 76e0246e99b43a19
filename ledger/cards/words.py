"""Hands in a player's words, and a comparison of two hands that says which rule decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.cards import order, pack
from ledger.cards.order import CLASS_SHIFT, CLASSES, PLACE_SHIFTS, RankRules
from ledger.cards.ranking import Ranking, ranking_for

_RULE_OF_CLASS = {
    "high_card": "R-HIGH-CARD",
    "pair": "R-PAIR",
    "two_pairs": "R-TWO-PAIRS",
    "blaze": "R-BLAZE",
    "threes": "R-THREES",
    "skip_straight": "R-SKIP",
    "straight": "R-STRAIGHT",
    "flush": "R-FLUSH",
    "full_house": "R-FULL",
    "fours": "R-FOURS",
    "straight_flush": "R-STRAIGHT-FLUSH",
    "five_of_a_kind": "R-MISTIGRIS",
}
# What each of the five places holds, cards of one group sharing a name.
_ODD_CARDS = ("first side card", "second side card", "third side card")
_PLACES = {
    "pair": ("pair", "pair", *_ODD_CARDS),
    "two_pairs": ("higher pair", "higher pair", "lower pair", "lower pair", "odd card"),
    "threes": ("threes", "threes", "threes", *_ODD_CARDS[:2]),
    "full_house": ("threes", "threes", "threes", "pair", "pair"),
    "fours": ("fours", "fours", "fours", "fours", "side card"),
    "five_of_a_kind": ("five",) * 5,
}
_BY_CARDS = ("highest card", "second card", "third card", "fourth card", "fifth card")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two hands is better, by which rule, and both in words; `explanation` is one sentence."""

    better: Literal["a", "b", "tie"]
    rule: str
    a_class: str
    a_words: str
    b_class: str
    b_words: str
    explanation: str


def compare(rules: RankRules, a: Sequence[int], b: Sequence[int]) -> Comparison:
    """Compare two hands of one to five cards. Either may hold any cards: they need not be from one deal.

    The rule is R-ORDER where the classes differ, R-JOKER, R-MISTIGRIS or R-HEARTS where that alone made the
    difference, R-TIE where nothing does, and else the rule of the class. Raises CardError where the cards are
    no hand.
    """
    ranking = ranking_for(rules)
    for hand in (a, b):
        pack.check_hand(hand, ranking.has_joker, size=None)
    ranks = ranking.rank(a), ranking.rank(b)
    rule, reason = _reason(max(ranks), min(ranks))
    better: Literal["a", "b", "tie"] = "tie" if ranks[0] == ranks[1] else "a" if ranks[0] > ranks[1] else "b"
    a_words, b_words = words(ranking, a), words(ranking, b)
    outcome = f"{better} wins: {a_words}, against {b_words}"
    if better == "tie":
        outcome = f"a tie: {a_words}, against {b_words}"
    elif better == "b":
        outcome = f"b wins: {b_words}, against {a_words}"
    a_class, b_class = map(ranking.class_of, ranks)
    return Comparison(better, rule, a_class, a_words, b_class, b_words, f"{outcome}; {reason}")


def words(ranking: Ranking, cards: Sequence[int]) -> str:
    """The hand as a player says it: `two pairs, kings and nines`; what the joker is called is added."""
    standing = ranking.standing(cards)
    values = [(card >> 2) + 2 for card in cards if card != pack.JOKER]
    said = _said(standing.rank, [*values, standing.called] if standing.called else values)
    called = ranking.joker_stands_for(cards)
    return said if called is None else f"{said}, the joker as {pack.card_words(called)}"


def class_words(class_name: str) -> str:
    """The class as a player says it: `full house`."""
    return class_name.replace("_", " ")


def rank_words(rank: int) -> str:
    """A rank without its cards: the class and the cards that count, `two pairs K K 9 9 4`.

    A star marks the joker's place (`higher`), `with the joker` the tie it breaks (`mistigris`); hearts that
    decide are named.
    """
    places = [_letter(value) + "*" * joker for value, joker in order.places_of(rank)]
    said = f"{class_words(CLASSES[rank >> CLASS_SHIFT])} {' '.join(places)}"
    if rank & order.MISTIGRIS_BIT:
        said += ", with the joker"
    hearts = order.hearts_in(rank)
    if hearts:
        said += f", hearts {' '.join(_letter(value) for value in hearts)}"
    return said


def _letter(value: int) -> str:
    return pack.RANKS[-1] if value == 1 else pack.RANKS[value - 2]


def _said(rank: int, values: Sequence[int]) -> str:
    groups = sorted(Counter(values).items(), key=lambda group: (-group[1], -group[0]))
    first, second = (pack.plural(value - 2) for value, _ in (groups * 2)[:2])
    class_name = CLASSES[rank >> CLASS_SHIFT]
    high = f"{_name(order.places_of(rank)[0][0])} high"
    match class_name:
        case "high_card":
            return high
        case "pair":
            return f"a pair of {first}"
        case "two_pairs" | "full_house":
            return f"{class_words(class_name)}, {first} and {second}"
        case "threes" | "fours" | "five_of_a_kind":
            return f"{ {'threes': 'three', 'fours': 'four'}.get(class_name, 'five') } {first}"
        case _:
            return f"{class_words(class_name)}, {high}"


def _name(value: int) -> str:
    return pack.RANK_WORDS[-1] if value == 1 else pack.RANK_WORDS[value - 2]


def _reason(better: int, worse: int) -> tuple[str, str]:
    """The rule that parts two ranks, and in words what does."""
    if better == worse:
        return "R-TIE", "nothing parts them, so they divide the pool"
    class_, below = CLASSES[better >> CLASS_SHIFT], CLASSES[worse >> CLASS_SHIFT]
    if class_ != below:
        return "R-ORDER", f"by class, {class_words(class_)} over {class_words(below)}"
    for place, shift in enumerate(PLACE_SHIFTS):
        upper, lower = better >> shift & 31, worse >> shift & 31
        if upper >> 1 != lower >> 1:
            return _RULE_OF_CLASS[class_], _place_reason(class_, place, upper >> 1, lower >> 1)
        if upper != lower:
            return "R-JOKER", f"the joker is better than the real {_name(upper >> 1)}"
    if (better ^ worse) & order.MISTIGRIS_BIT:
        return "R-MISTIGRIS", "otherwise equal, the hand with the joker wins"
    return "R-HEARTS", "otherwise equal, a heart takes precedence of the other suits"


def _place_reason(class_: str, place: int, upper: int, lower: int) -> str:
    what = _PLACES.get(class_, _BY_CARDS)[place]
    above = _name(lower) if lower else "no card"
    return f"by the {what}, {_name(upper)} over {above}"
