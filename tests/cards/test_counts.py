"""Hands of each class over the whole pack, counted twice: all of them through the tables, and by kinds of
hand.

The second way ranks one hand of each kind (which ranks, of one suit or not) with the slow ranking of
conftest, and multiplies by the number of hands of that kind. `counts.json` has the figures as found, so that
a change in both shows too.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb, prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ledger.cards import JOKER, RankRules, ranking_for

FOUND = json.loads(Path(__file__).with_name("counts.json").read_text(encoding="utf-8"))
# With the joker the slow ranking takes a second and a half: the plain game and all at once now, the rest in
# the long run.
QUICK = [
    row
    for row in FOUND
    if row["switches"]["joker"] == "off"
    or (row["switches"]["blaze"], row["switches"]["skip_straight"]) in {("off", False), ("akqj", True)}
]
REST = [row for row in FOUND if row not in QUICK]


def _name(row: dict[str, Any]) -> str:
    return "-".join(str(value) for value in row["switches"].values())


@pytest.fixture(scope="session")
def packs() -> dict[int, NDArray[np.uint8]]:
    """Every hand of 52 and of 53 cards."""
    return {
        cards: np.fromiter(chain.from_iterable(combinations(range(cards), 5)), np.uint8).reshape(-1, 5)
        for cards in (52, 53)
    }


def _through_the_tables(rules: RankRules, hands: NDArray[np.uint8]) -> dict[str, int]:
    ranks, counts = np.unique(ranking_for(rules).rank_many(hands), return_counts=True)
    found: Counter[str] = Counter()
    for rank, count in zip(ranks.tolist(), counts.tolist(), strict=True):
        found[ranking_for(rules).class_of(rank)] += count
    return dict(found)


def _kinds(size: int) -> Iterator[tuple[list[int], int]]:
    """A hand of each kind of `size` real cards, and how many hands are like it."""
    for kinds in combinations_with_replacement(range(13), size):
        number = Counter(kinds)
        if max(number.values()) > 4:
            continue
        alike = prod(comb(4, count) for count in number.values())
        of_one_suit = 4 if len(number) == size else 0
        if of_one_suit:
            yield [kind * 4 for kind in kinds], of_one_suit
        suits = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
        suits[0] = 1 if of_one_suit else suits[0]
        yield [kind * 4 + suit for kind, suit in zip(kinds, suits, strict=True)], alike - of_one_suit


def _by_kinds(rules: RankRules, slow: SimpleNamespace) -> dict[str, int]:
    found: Counter[str] = Counter()
    for hand, alike in _kinds(5):
        found[slow.class_of(rules, hand)] += alike
    if rules.joker != "off":
        for hand, alike in _kinds(4):
            found[slow.class_of(rules, [*hand, JOKER])] += alike
    return dict(found)


def _check(row: dict[str, Any], packs: dict[int, NDArray[np.uint8]], slow: SimpleNamespace) -> None:
    rules = RankRules(**row["switches"])
    hands = packs[52 if rules.joker == "off" else 53]
    assert _through_the_tables(rules, hands) == row["classes"]
    assert _by_kinds(rules, slow) == row["classes"]
    assert sum(row["classes"].values()) == len(hands)


@pytest.mark.parametrize("row", QUICK, ids=_name)
def test_both_ways_of_counting_find_the_same(
    row: dict[str, Any], packs: dict[int, NDArray[np.uint8]], slow: SimpleNamespace
) -> None:
    _check(row, packs, slow)


@pytest.mark.long
@pytest.mark.parametrize("row", REST, ids=_name)
def test_both_ways_of_counting_find_the_same_under_every_other_set(
    row: dict[str, Any], packs: dict[int, NDArray[np.uint8]], slow: SimpleNamespace
) -> None:
    _check(row, packs, slow)


def test_every_set_of_switches_that_changes_a_class_is_counted() -> None:
    counted = [tuple(row["switches"].values()) for row in FOUND]
    aces, jokers, blazes = ("high_or_low", "low"), ("off", "higher", "mistigris"), ("off", "kqj", "akqj")
    assert sorted(counted) == sorted(product(aces, jokers, blazes, (False, True)))


@pytest.mark.parametrize("side_cards", ["count", "none"])
@pytest.mark.parametrize("suit_precedence", ["none", "hearts"])
def test_side_cards_and_hearts_change_no_class(
    side_cards: Any, suit_precedence: Any, packs: dict[int, NDArray[np.uint8]]
) -> None:
    rules = RankRules(side_cards=side_cards, suit_precedence=suit_precedence)
    assert _through_the_tables(rules, packs[52]) == _through_the_tables(RankRules(), packs[52])


def test_the_plain_game_as_everybody_counts_it(packs: dict[int, NDArray[np.uint8]]) -> None:
    ranks = ranking_for(RankRules()).rank_many(packs[52])
    assert len(np.unique(ranks)) == 7462


@pytest.mark.parametrize(
    ("switches", "distinct"),
    [
        ({}, 7462),
        ({"sequence_ace": "low"}, 7462),
        # 13 fours, 13 full houses, 13 threes, 78 two pairs, 13 pairs; the rest by all their cards
        ({"side_cards": "none"}, 10 + 13 + 13 + 1277 + 10 + 13 + 78 + 13 + 1277),
    ],
)
def test_distinct_ranks(switches: dict[str, Any], distinct: int, packs: dict[int, NDArray[np.uint8]]) -> None:
    ranks = ranking_for(RankRules(**switches)).rank_many(packs[52])
    assert len(np.unique(ranks)) == distinct


def test_the_classes_of_the_shared_cases(packs: dict[int, NDArray[np.uint8]]) -> None:
    shared = Path(__file__).parents[2].with_name("shared") / "cases" / "counts.json"
    if not shared.exists():
        pytest.skip("the shared cases are not here")
    for case in json.loads(shared.read_text(encoding="utf-8"))["counts"]:
        rules = replace(RankRules(), **case["switches"])
        assert _through_the_tables(rules, packs[case["pack"]]) == case["counts"], asdict(rules)
