"""Odds of a draw: known figures, and every draw counted again one by one."""

import json
import random
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.cards import JOKER, CardError, RankRules, parse_cards, ranking_for
from ledger.cards.odds import (
    all_draws,
    at_least,
    beat,
    best_draw,
    draw_odds,
    improve,
    improvement_odds,
    rank_counts,
    ranks_of_draws,
)

DRAWS = json.loads(Path(__file__).with_name("draws.json").read_text(encoding="utf-8"))
PLAIN = RankRules()
ENGLISH = RankRules(
    sequence_ace="low", suit_precedence="hearts", joker="higher", blaze="akqj", skip_straight=True
)
MISTIGRIS = RankRules(joker="mistigris")


@pytest.mark.parametrize("case", DRAWS, ids=lambda case: f"{case['kept']} - {case['thrown']}")
def test_known_draws_to_the_last_unit(case: dict[str, Any]) -> None:
    kept, thrown = parse_cards(case["kept"]), parse_cards(case["thrown"])
    odds = draw_odds(PLAIN, (*kept, *thrown), thrown)
    assert (odds.total, odds.classes) == (case["total"], case["classes"])
    assert (odds.kept, odds.thrown) == (kept, thrown)


def test_the_draws_of_the_shared_cases() -> None:
    shared = Path(__file__).parents[2].with_name("shared") / "cases" / "counts.json"
    if not shared.exists():
        pytest.skip("the shared cases are not here")
    for case in json.loads(shared.read_text(encoding="utf-8"))["draws"]:
        kept, thrown = parse_cards(case.pop("keep")), parse_cards(case.pop("discard"))
        odds = draw_odds(PLAIN, (*kept, *thrown), thrown)
        assert {"total": odds.total, **odds.classes} == {name: count for name, count in case.items() if count}


@pytest.mark.parametrize("rules", [PLAIN, ENGLISH, MISTIGRIS], ids=["plain", "english", "mistigris"])
@pytest.mark.parametrize("thrown", [0, 1, 2])
def test_short_draws_counted_one_by_one(rules: RankRules, thrown: int, slow: SimpleNamespace) -> None:
    hand = parse_cards("9s 9h Kd 7c 4s" if rules == PLAIN else "9s Jk Kh Qh Jh")
    kept = hand[thrown:]
    others = [card for card in range(52) if card not in hand]
    few = random.Random(thrown).sample(others, 12)
    odds = draw_odds(rules, hand, hand[:thrown], [card for card in others if card not in few])
    hands = [(*kept, *drawn) for drawn in combinations(few, thrown)]
    compared = Counter(slow.compare(rules, drawn, hand) for drawn in hands)
    assert odds.classes == Counter(slow.class_of(rules, drawn) for drawn in hands)
    assert (odds.better, odds.equal, odds.worse) == (compared[1], compared[0], compared[-1])


@pytest.mark.parametrize("rules", [PLAIN, ENGLISH, MISTIGRIS], ids=["plain", "english", "mistigris"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_blocks_hold_every_draw_once(rules: RankRules, count: int) -> None:
    """The blocks write no hand out; here every hand is, over a stub small enough for it."""
    cards = list(range(53 if rules.joker != "off" else 52))
    random.Random(count).shuffle(cards)
    kept, stub = cards[: 5 - count], cards[5 - count : 23]
    if rules.joker != "off" and JOKER not in (*kept, *stub):
        stub[0] = JOKER
    ranking = ranking_for(rules)
    one_by_one = sorted(ranking.rank((*kept, *drawn)) for drawn in combinations(stub, count))
    assert sorted(ranks_of_draws(ranking, kept, stub, count).tolist()) == one_by_one


@pytest.mark.parametrize("rules", [PLAIN, ENGLISH, MISTIGRIS], ids=["plain", "english", "mistigris"])
def test_ranks_add_up_to_the_classes_and_to_better_and_worse(rules: RankRules) -> None:
    hand = parse_cards("9s 9h Kd 7c 4s")
    thrown = parse_cards("Kd 7c 4s")
    odds, ranks = draw_odds(rules, hand, thrown), rank_counts(rules, hand, thrown)
    ranking = ranking_for(rules)
    held = ranking.rank(hand)
    assert [rank for rank, _ in ranks] == sorted({rank for rank, _ in ranks}, reverse=True)
    classes: Counter[str] = Counter()
    for rank, count in ranks:
        classes[ranking.class_of(rank)] += count
    assert classes == odds.classes
    assert odds.better == sum(count for rank, count in ranks if rank > held)
    assert odds.equal == sum(count for rank, count in ranks if rank == held)
    assert odds.better + odds.equal + odds.worse == odds.total == sum(odds.classes.values())
    assert odds.improves == sum(count for name, count in classes.items() if name not in ("pair", "high_card"))


def test_the_joker_can_be_drawn() -> None:
    hand = parse_cards("9s 9h 9d Kd 4s")
    odds = draw_odds(MISTIGRIS, hand, parse_cards("Kd 4s"))
    # 48 cards are left; the nine and the joker make five, either with another of 46 cards makes fours
    assert odds.total == comb(48, 2)
    assert (odds.classes["five_of_a_kind"], odds.classes["fours"]) == (1, 46 + 46)
    gone = draw_odds(MISTIGRIS, hand, parse_cards("Kd 4s"), [JOKER])
    assert gone.classes == draw_odds(PLAIN, hand, parse_cards("Kd 4s")).classes


def test_cards_known_to_be_elsewhere_cannot_come() -> None:
    hand, thrown = parse_cards("Ks Kh 4d 4c 9s"), parse_cards("9s")
    assert draw_odds(PLAIN, hand, thrown, parse_cards("Kd Kc")).classes == {"full_house": 2, "two_pairs": 43}


def test_all_ways_to_draw() -> None:
    hand = parse_cards("9s 9h Kd 7c 4s")
    ways = all_draws(PLAIN, hand)
    assert len({way.kept for way in ways}) == 32
    assert sum(way.total for way in ways) == sum(comb(5, n) * comb(47, n) for n in range(6))
    chances = [way.reaching / way.total for way in ways]
    assert chances == sorted(chances, reverse=True)
    assert len(all_draws(PLAIN, hand[:3])) == 8


@pytest.mark.parametrize(
    ("hand", "aim", "kept"),
    [
        ("9s 9h Kd 7c 4s", None, "9s 9h"),
        ("8s 7s 6s 5s 8h", "straight", "8s 7s 6s 5s"),
        ("8s 7s 6s 5s 8h", "threes", "8s 7s 6s 5s"),
        ("8s 8h 7d Kc 4s", "full_house", "8s 8h"),
        # 2,066 of 16,215 make threes or better, and only 4 of 47 a full house of the two pairs
        ("Ks Kh 4d 4c 9s", None, "Ks Kh"),
        ("Ks Kh 4d 4c 9s", "full_house", "Ks Kh 4d 4c"),
        ("9h Th Jh Qh Kh", "straight_flush", "9h Th Jh Qh Kh"),
    ],
)
def test_the_best_draw_for_an_aim(hand: str, aim: str | None, kept: str) -> None:
    least = None if aim is None else at_least(aim)
    assert best_draw(PLAIN, parse_cards(hand), least).kept == parse_cards(kept)


def test_aims_are_least_ranks() -> None:
    hand = parse_cards("9s 9h Kd 7c 4s")
    rank = ranking_for(PLAIN).rank
    assert rank(parse_cards("Ah Ad Kc Qs Jh")) < improve(PLAIN, hand) <= rank(parse_cards("2h 2d 3c 3s 4h"))
    assert beat(PLAIN, hand) == rank(hand) + 1
    beaten = parse_cards("Th Td Ac Ks Qh")
    odds = draw_odds(PLAIN, hand, parse_cards("Kd 7c 4s"), aim=beat(PLAIN, beaten))
    assert odds.reaching == odds.improves


def test_improvement_is_counted_in_whole_draws() -> None:
    hand = parse_cards("9s 9h Kd 7c 4s")
    assert improvement_odds(PLAIN, hand, parse_cards("9s 9h")) == (45 + 165 + 1854 + 2592, 16215)
    assert improvement_odds(PLAIN, hand, hand) == (0, 1)
    assert improvement_odds(PLAIN, hand, parse_cards("9h 9s"), parse_cards("9d 9c"))[1] == comb(45, 3)


def test_a_short_hand_stays_short() -> None:
    odds = draw_odds(PLAIN, parse_cards("9h 8h 7h 2c"), parse_cards("2c"))
    assert odds.total == 48
    assert odds.classes == {"pair": 9, "high_card": 39}


@pytest.mark.parametrize(
    ("hand", "thrown", "known", "message"),
    [
        ("9s 9h Kd 7c 4s 3s", "Kd", "", "a hand has one to five cards, not 6: 9s 9h Kd 7c 4s 3s"),
        ("9s 9s Kd 7c 4s", "Kd", "", "9s is there twice: the pack has each card once"),
        ("9s Jk Kd 7c 4s", "Kd", "", "the joker is not in this pack: these rules have joker = off"),
        ("9s 9h Kd 7c 4s", "Kc", "", "Kc is not in the hand 9s 9h Kd 7c 4s: throw cards it holds"),
        ("9s 9h Kd 7c 4s", "Kd Kd", "", "Kd is there twice: the pack has each card once"),
        ("9s 9h Kd 7c 4s", "Kd", "9s", "9s is there twice: the pack has each card once"),
        ("9s 9h Kd 7c 4s", "Kd", "Jk", "the joker is not in this pack: these rules have joker = off"),
    ],
)
def test_cards_that_do_not_go_together_are_refused(hand: str, thrown: str, known: str, message: str) -> None:
    with pytest.raises(CardError) as fault:
        draw_odds(PLAIN, parse_cards(hand), parse_cards(thrown), parse_cards(known))
    assert str(fault.value) == message


def test_a_pack_that_runs_out_is_refused() -> None:
    hand = parse_cards("9s 9h Kd 7c 4s")
    known = [card for card in range(52) if card not in hand][:-1]
    with pytest.raises(CardError, match="only 1 cards are left to draw from, and 2 are thrown"):
        draw_odds(PLAIN, hand, hand[:2], known)
