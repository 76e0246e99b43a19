"""Two switches that contradict each other, and what must be said before the first hand."""

import pytest

from ledger.rules import Rules, check, load, missing, names, set_switch


def changed(name: str, **switches: object) -> Rules:
    rules = load(name)
    for switch, words in switches.items():
        answer = set_switch(rules, switch, str(words).split())
        assert isinstance(answer, Rules), answer
        rules = answer
    return rules


@pytest.mark.parametrize(
    ("name", "ante", "limit", "rules_broken"),
    [
        ("english", 6, "12", []),
        ("english", 7, "12", ["R-ANTE-CAP"]),
        ("english", 6, "13", []),
        ("english", 7, "13", ["R-ANTE-CAP"]),
        ("foster", 25, "50", []),
        ("foster", 26, "50", ["R-ANTE-CAP"]),
        ("foster", 26, "unset", []),
        ("chambers", 7, "12", []),
        ("modern", 7, "12", []),
        ("english", 7, "pot", []),
        ("english", 7, "unset", []),
        ("english", 1, "1", ["R-ANTE-CAP"]),
        ("english", 0, "12", ["R-ANTE"]),
        ("modern", 0, "12", []),
    ],
)
def test_the_ante_is_at_most_half_the_limit(
    name: str, ante: int, limit: str, rules_broken: list[str]
) -> None:
    rules = changed(name, ante=ante, limit=limit)
    assert [refused.rule for refused in check(rules)] == rules_broken


def test_the_refused_ante_is_told_both_ways_out() -> None:
    (refused,) = check(changed("english", limit=12, ante=7))
    assert "up to 6" in refused.message
    assert "14 or more" in refused.message


def test_a_house_may_lift_the_cap_on_the_ante() -> None:
    assert check(changed("english", limit=12, ante=7, ante_cap="none")) == []


@pytest.mark.parametrize(("small", "big", "rules_broken"), [(1, 2, []), (2, 2, []), (3, 2, ["R-BLINDS"])])
def test_the_small_blind_is_not_above_the_big_one(small: int, big: int, rules_broken: list[str]) -> None:
    rules = changed("modern", small=small, big=big)
    assert [refused.rule for refused in check(rules)] == rules_broken


@pytest.mark.parametrize("name", names())
def test_nothing_contradicts_itself_in_a_shipped_set(name: str) -> None:
    assert check(load(name)) == []


@pytest.mark.parametrize(
    ("name", "switches", "words"),
    [
        ("english", {}, ["ante", "limit"]),
        ("english", {"ante": 1}, ["limit"]),
        ("english", {"ante": 1, "limit": "pot"}, []),
        ("chambers", {"limit": 12}, ["ante"]),
        ("foster", {}, ["ante"]),
        ("foster", {"ante": 1}, []),
        ("modern", {}, ["small", "big", "limit"]),
        ("modern", {"small": 1, "big": 2, "limit": "none"}, []),
        ("modern", {"small": 0, "big": 0, "limit": "none"}, ["somebody"]),
        ("modern", {"small": 0, "big": 0, "ante": 1, "limit": "none"}, []),
        ("english", {"ante": 1, "limit": 12, "go_in": "big_blind"}, ["go_in big_blind"]),
        ("modern", {"small": 1, "big": 2, "limit": "none", "straddle": "add"}, ["a straddle"]),
        ("modern", {"small": 1, "big": 2, "limit": "none", "jackpots": "on"}, ["a jack-pot"]),
        ("modern", {"small": 1, "big": 2, "limit": "none", "go_in": "double_last"}, ["go_in double_last"]),
    ],
)
def test_what_is_missing_before_the_first_hand(
    name: str, switches: dict[str, object], words: list[str]
) -> None:
    found = missing(changed(name, **switches))
    assert len(found) == len(words)
    for refused, word in zip(found, words, strict=True):
        assert refused.message.startswith(word)
