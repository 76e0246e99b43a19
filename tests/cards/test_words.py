"""Hands in words, and comparisons that explain themselves."""

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.cards import CardError, RankRules, compare, parse_cards, ranking_for
from ledger.cards.words import rank_words

HANDS = json.loads(Path(__file__).with_name("hands.json").read_text(encoding="utf-8"))
EVERYTHING = RankRules(joker="mistigris", blaze="akqj", skip_straight=True)


@pytest.mark.parametrize("case", HANDS, ids=lambda case: f"{case[1]} - {case[2]}")
def test_a_comparison_names_the_rule_that_decides(case: list[Any]) -> None:
    switches, a, b, better, a_is, b_is, rule, why = case
    rules = RankRules(**switches)
    found = compare(rules, parse_cards(a), parse_cards(b))
    assert (found.better, found.rule, found.a_class, found.b_class) == (better, rule, a_is, b_is), why
    turned = compare(rules, parse_cards(b), parse_cards(a))
    assert turned.better == {"a": "b", "b": "a", "tie": "tie"}[better]
    assert (turned.rule, turned.a_words, turned.b_words) == (rule, found.b_words, found.a_words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Kh Kd 9s 9c 2d", "two pairs, kings and nines"),
        ("Ah Kd 9c 7s 4h", "ace high"),
        ("6h 6d 9c 7s 4h", "a pair of sixes"),
        ("Jh Jd Jc 7s 4h", "three knaves"),
        ("Kh Kd Qc Qs Jh", "blaze, king high"),
        ("2h 4d 6c 8s Th", "skip straight, ten high"),
        ("5h 4d 3c 2s Ah", "straight, five high"),
        ("5h 4h 3h 2h 7h", "flush, seven high"),
        ("Th Td Tc 4s 4d", "full house, tens and fours"),
        ("2h 2d 2c 2s 4d", "four deuces"),
        ("9h Th Jh Qh Kh", "straight flush, king high"),
        ("Ah Ad Ac As Jk", "five aces, the joker as ace of hearts"),
        ("Ks Jk 9d 7c 4h", "a pair of kings, the joker as king of hearts"),
        ("Kh Kd 9s 9c", "two pairs, kings and nines"),
        ("4d", "four high"),
    ],
)
def test_a_hand_as_a_player_says_it(text: str, said: str) -> None:
    assert ranking_for(EVERYTHING).words(parse_cards(text)) == said


def test_words_name_the_pair_of_a_full_house_that_does_not_count() -> None:
    ranking = ranking_for(RankRules(side_cards="none"))
    assert ranking.words(parse_cards("Th Td Tc 4s 4d")) == "full house, tens and fours"


@pytest.mark.parametrize(
    ("switches", "a", "b", "explanation"),
    [
        (
            {},
            "Kh Kd 9s 9c 2d",
            "Qh Qs 4d 4c Jd",
            "a wins: two pairs, kings and nines, against two pairs, queens and fours; "
            "by the higher pair, king over queen",
        ),
        (
            {},
            "Ah Kd 9c 7s 4h",
            "2c 2d 7h 8s 9d",
            "b wins: a pair of deuces, against ace high; by class, pair over high card",
        ),
        (
            {},
            "Ah Kd 9c 7s 4h",
            "Ac Ks 9d 7h 4c",
            "a tie: ace high, against ace high; nothing parts them, so they divide the pool",
        ),
        (
            {},
            "Kh Kd 9s 9c",
            "Kc Ks 9d 9h 2c",
            "b wins: two pairs, kings and nines, against two pairs, kings and nines; "
            "by the odd card, deuce over no card",
        ),
        (
            {"joker": "higher"},
            "Ks Jk 9d 7c 4h",
            "Kh Kd 9c 7s 4d",
            "a wins: a pair of kings, the joker as king of hearts, against a pair of kings; "
            "the joker is better than the real king",
        ),
    ],
)
def test_the_explanation_is_one_sentence(switches: dict[str, Any], a: str, b: str, explanation: str) -> None:
    assert compare(RankRules(**switches), parse_cards(a), parse_cards(b)).explanation == explanation


@pytest.mark.parametrize(
    ("switches", "text", "said"),
    [
        ({}, "Kh Kd 9s 9c 2d", "two pairs K K 9 9 2"),
        ({"side_cards": "none"}, "Kh Kd 9s 9c 2d", "two pairs K K 9 9"),
        ({"sequence_ace": "low"}, "5h 4d 3c 2s Ah", "straight 5 4 3 2 A"),
        ({"joker": "higher"}, "5h Jk 7c 8s 9h", "straight 9 8 7 6* 5"),
        ({"joker": "mistigris"}, "Kh Jk 7c 8s 9h", "pair K K 9 8 7, with the joker"),
        ({"suit_precedence": "hearts"}, "Kh Kd 7c 8s 9h", "pair K K 9 8 7, hearts K 9"),
    ],
)
def test_a_rank_in_words(switches: dict[str, Any], text: str, said: str) -> None:
    assert rank_words(ranking_for(RankRules(**switches)).rank(parse_cards(text))) == said


@pytest.mark.parametrize("bad", ["", "Kh Kd 9s 9c 2d 3d", "Kh Kh 9s 9c 2d", "Kh Kd 9s 9c Jk"])
def test_what_is_no_hand_is_not_compared(bad: str) -> None:
    good = parse_cards("Ah Kd 9c 7s 4h")
    with pytest.raises(CardError):
        compare(RankRules(), parse_cards(bad), good)
    with pytest.raises(CardError):
        compare(RankRules(), good, parse_cards(bad))
