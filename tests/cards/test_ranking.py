"""The order of hands: worked examples, its laws, and the slow ranking of conftest as the judge."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.cards import CLASSES, JOKER, CardError, RankRules, parse_cards, ranking_for
from ledger.cards.ranking import Ranking

HANDS = json.loads(Path(__file__).with_name("hands.json").read_text(encoding="utf-8"))

rule_sets = st.builds(
    RankRules,
    sequence_ace=st.sampled_from(["low", "high_or_low"]),
    side_cards=st.sampled_from(["count", "none"]),
    joker=st.sampled_from(["off", "higher", "mistigris"]),
    blaze=st.sampled_from(["off", "kqj", "akqj"]),
    skip_straight=st.booleans(),
    suit_precedence=st.sampled_from(["hearts", "none"]),
)


@st.composite
def hands_of(draw: st.DrawFn, rules: RankRules, sizes: Sequence[int] = (1, 2, 3, 4, 5, 5, 5, 5)) -> list[int]:
    """A hand, often of near ranks, one suit or the joker, so that hands worth comparing are common."""
    size = draw(st.sampled_from(sizes))
    joker = rules.joker != "off" and draw(st.booleans())
    lowest, width = draw(st.integers(0, 12)), draw(st.sampled_from([2, 5, 9, 13]))
    suits = draw(st.sampled_from([[0], [1], [2], [3], [0, 2], [0, 1, 2, 3]]))
    cards = [rank * 4 + suit for rank in range(lowest, min(lowest + width, 13)) for suit in suits]
    real = size - joker
    if len(cards) < real:
        cards = list(range(52))
    chosen = draw(st.lists(st.sampled_from(cards), min_size=real, max_size=real, unique=True))
    return [*chosen, JOKER] if joker else chosen


@st.composite
def games(draw: st.DrawFn, hands: int, sizes: Sequence[int] = (1, 2, 3, 4, 5, 5, 5, 5)) -> Any:
    rules = draw(rule_sets)
    return rules, [draw(hands_of(rules, sizes)) for _ in range(hands)]


def _sign(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _better(rules: RankRules, a: str, b: str) -> str:
    rank = ranking_for(rules).rank
    return {1: "a", -1: "b", 0: "tie"}[_sign(rank(parse_cards(a)), rank(parse_cards(b)))]


@pytest.mark.parametrize("case", HANDS, ids=lambda case: f"{case[1]} - {case[2]}")
def test_worked_examples(case: list[Any], slow: SimpleNamespace) -> None:
    switches, a, b, better, a_is, b_is, _, why = case
    rules = RankRules(**switches)
    ranking = ranking_for(rules)
    assert _better(rules, a, b) == better, why
    for hand, name in ((a, a_is), (b, b_is)):
        assert ranking.class_of(ranking.rank(parse_cards(hand))) == name, why
        assert slow.class_of(rules, parse_cards(hand)) == name, why


def test_the_shared_examples() -> None:
    shared = Path(__file__).parents[2].with_name("shared") / "cases" / "hands.json"
    if not shared.exists():
        pytest.skip("the shared cases are not here")
    for case in json.loads(shared.read_text(encoding="utf-8")):
        rules = RankRules(**case["switches"])
        assert _better(rules, case["a"], case["b"]) == case["better"], case["why"]


@settings(max_examples=400, deadline=None)
@given(games(hands=2))
def test_the_slow_ranking_agrees(slow: SimpleNamespace, game: Any) -> None:
    rules, (a, b) = game
    ranking = ranking_for(rules)
    assert _sign(ranking.rank(a), ranking.rank(b)) == slow.compare(rules, a, b)
    assert ranking.class_of(ranking.rank(a)) == slow.class_of(rules, a)


@settings(max_examples=200, deadline=None)
@given(games(hands=3))
def test_the_slow_ranking_is_an_order_too(slow: SimpleNamespace, game: Any) -> None:
    """Ranks are numbers, hence an order; here the place-by-place comparison of R-JOKER is asked itself."""
    rules, (a, b, c) = game
    assert slow.compare(rules, a, b) == -slow.compare(rules, b, a)
    if slow.compare(rules, a, b) >= 0 and slow.compare(rules, b, c) >= 0:
        assert slow.compare(rules, a, c) == max(slow.compare(rules, a, b), slow.compare(rules, b, c))


@given(games(hands=1), st.randoms())
def test_the_order_of_cards_does_not_matter(game: Any, random: Any) -> None:
    rules, (hand,) = game
    shuffled = list(hand)
    random.shuffle(shuffled)
    assert ranking_for(rules).rank(shuffled) == ranking_for(rules).rank(hand)


@given(games(hands=1), st.permutations(range(4)))
@example((RankRules(suit_precedence="hearts"), [[0, 5, 10, 15, 20]]), [0, 1, 3, 2])
def test_suits_may_be_renamed(game: Any, names: list[int]) -> None:
    """All four where suits do not count; where hearts take precedence the other three among themselves."""
    rules, (hand,) = game
    if rules.suit_precedence == "hearts":
        names = [name for name in names if name != 2]
        names.insert(2, 2)
    renamed = [card if card == JOKER else card // 4 * 4 + names[card % 4] for card in hand]
    assert ranking_for(rules).rank(renamed) == ranking_for(rules).rank(hand)


@given(games(hands=1))
def test_the_joker_is_worth_no_less_than_any_card_it_may_be_called(game: Any) -> None:
    rules, (hand,) = game
    if JOKER in hand:
        real = [card for card in hand if card != JOKER]
        rank = ranking_for(rules).rank
        assert all(rank([*real, card]) <= rank(hand) for card in range(52) if card not in real)


@given(games(hands=1))
def test_what_the_joker_stands_for_makes_the_class(game: Any) -> None:
    rules, (hand,) = game
    ranking = ranking_for(rules)
    called = ranking.joker_stands_for(hand)
    if JOKER not in hand:
        assert called is None
        return
    assert called is not None
    real = [card for card in hand if card != JOKER]
    if called in real:
        assert rules.joker == "mistigris"
        assert ranking.class_of(ranking.rank(hand)) in ("five_of_a_kind", "flush")
    else:
        assert ranking.class_of(ranking.rank([*real, called])) == ranking.class_of(ranking.rank(hand))


@pytest.mark.parametrize(
    ("joker", "text", "called"),
    [
        ("higher", "Kh Kd 9s 9c Jk", "Ks"),
        ("higher", "Ks Jk 9d 7c 4h", "Kh"),
        ("higher", "Ac Jc 8c 5c Jk", "Kc"),
        ("mistigris", "Ac Jc 8c 5c Jk", "Ac"),
        ("higher", "Ah Ad Ac As Jk", "Kh"),
        ("mistigris", "Ah Ad Ac As Jk", "Ah"),
        ("higher", "Jk 5h 6d 8c 9s", "7h"),
    ],
)
def test_what_the_joker_stands_for(joker: Any, text: str, called: str) -> None:
    ranking = ranking_for(RankRules(joker=joker))
    assert ranking.joker_stands_for(parse_cards(text)) == parse_cards(called)[0]


@settings(max_examples=12, deadline=None)
@given(rule_sets, st.integers(0, 2**32 - 1))
def test_arrays_and_lists_give_the_numbers_of_single_hands(rules: RankRules, seed: int) -> None:
    generator = np.random.default_rng(seed)
    cards = 52 if rules.joker == "off" else 53
    hands = np.argsort(generator.random((500, cards)), axis=1)[:, :5]
    ranking = Ranking(rules)
    one_by_one = [ranking.rank(hand) for hand in hands.tolist()]
    assert ranking.rank_many(hands).tolist() == one_by_one
    assert ranking.rank_many(hands.astype(np.uint8)).tolist() == one_by_one
    assert ranking.rank_many(np.asfortranarray(hands)).tolist() == one_by_one
    ranking.build_lists()
    assert [ranking.rank(hand) for hand in hands.tolist()] == one_by_one


@settings(max_examples=8, deadline=None)
@given(games(hands=60, sizes=(1, 2, 3, 4, 5, 5, 5, 5)))
def test_lists_change_no_rank(game: Any) -> None:
    rules, hands = game
    ranking = Ranking(rules)
    worked_out = [ranking.rank(hand) for hand in hands]
    ranking.build_lists()
    assert [ranking.rank(hand) for hand in hands] == worked_out


def test_many_hands_span_blocks(slow: SimpleNamespace) -> None:
    rules = RankRules(joker="mistigris", suit_precedence="hearts", skip_straight=True, blaze="akqj")
    generator = np.random.default_rng(5)
    hands = np.argsort(generator.random((40_000, 53)), axis=1)[:, :5].astype(np.uint8)
    ranks = ranking_for(rules).rank_many(hands)
    assert ranks.shape == (40_000,)
    assert ranks.dtype == np.int64
    for at in (0, 32_767, 32_768, 39_999):
        assert ranks[at] == ranking_for(rules).rank(hands[at].tolist())


def test_no_hands_are_no_ranks() -> None:
    assert ranking_for(RankRules()).rank_many(np.empty((0, 5), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    "hands",
    [
        np.zeros(5, np.uint8),
        np.zeros((3, 6), np.uint8),
        np.zeros((3, 5), np.float64),
        np.full((3, 5), 52, np.uint8),
        np.full((3, 5), -1),
        np.full((3, 5), 300),
    ],
)
def test_arrays_that_are_no_hands_are_refused(hands: Any) -> None:
    with pytest.raises(CardError, match="to rank are"):
        ranking_for(RankRules()).rank_many(hands)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("text", ["", "Kh Kd 9s 9c 2d 3d", "Kh Kd 9s 9c Jk", "Kh Kd Jk"])
def test_what_is_no_hand_has_no_rank(listed: bool, text: str) -> None:
    ranking = Ranking(RankRules())
    if listed:
        ranking.build_lists()
    with pytest.raises(CardError):
        ranking.rank(parse_cards(text))


def test_one_ranking_for_one_set_of_switches() -> None:
    assert ranking_for(RankRules(blaze="kqj")) is ranking_for(RankRules(blaze="kqj"))
    assert ranking_for(RankRules(blaze="kqj")) is not ranking_for(RankRules(blaze="akqj"))


def test_classes_rise_with_ranks() -> None:
    ranking = ranking_for(RankRules(joker="mistigris", blaze="akqj", skip_straight=True))
    ladder = [
        "Ah Kd 9c 7s 4h",
        "2h 2d 9c 7s 4h",
        "2h 2d 3c 3s 4h",
        "Kh Kd Qc Qs Jh",
        "2h 2d 2c 3s 4h",
        "2h 4d 6c 8s Th",
        "2h 3d 4c 5s 6h",
        "2h 3h 4h 5h 7h",
        "2h 2d 2c 3s 3h",
        "2h 2d 2c 2s 3h",
        "2h 3h 4h 5h 6h",
        "2h 2d 2c 2s Jk",
    ]
    ranks = [ranking.rank(parse_cards(hand)) for hand in ladder]
    assert ranks == sorted(ranks)
    assert tuple(ranking.class_of(rank) for rank in ranks) == CLASSES
