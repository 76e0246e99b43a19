"""Every switch is read from words and said again; what does not fit is refused with what would."""

from typing import get_args

import pytest
from pydantic import ValidationError

from ledger.rules import (
    SWITCHES,
    CapLimit,
    FixedLimit,
    HandName,
    Kitty,
    NoLimit,
    PotLimit,
    Rules,
    SwitchRefused,
    in_words,
    load,
    names,
    parse_kitty,
    set_switch,
)

# Every value that a switch with a choice may have; the amounts and ladders stand for their kind.
VALUES = {
    "structure": ["ante", "blinds"],
    "ante": ["unset", "0", "3"],
    "ante_cap": ["half_limit", "none"],
    "small": ["unset", "0", "1"],
    "big": ["unset", "0", "2"],
    "limit": ["unset", "12", "pot", "none", "fixed 2 4"],
    "limit_multiple": ["unset", "50"],
    "cap": ["3", "4"],
    "straddle": ["add", "double", "none"],
    "go_in": ["double_last", "double_total", "big_blind"],
    "raise_before_draw": ["yes", "no"],
    "draw_when": ["interleaved", "after"],
    "reshuffle": ["discards"],
    "play_first": ["left_of_ante", "left_of_dealer"],
    "stand": ["once", "never", "free"],
    "show": ["all", "may_muck"],
    "show_first": ["last_raiser", "left_of_last_raiser"],
    "caller_sees": ["yes", "no"],
    "cards_speak": ["cards", "declared"],
    "odd_counter": ["left_of_dealer", "kitty"],
    "suit_precedence": ["hearts", "none"],
    "sequence_ace": ["low", "high_or_low"],
    "side_cards": ["count", "none"],
    "joker": ["off", "higher", "mistigris"],
    "blaze": ["off", "kqj", "akqj"],
    "skip_straight": ["on", "off"],
    "jackpots": ["on", "off"],
    "openers": ["J Q K", "J", "J Q K A K Q J"],
    "split_openers": ["no", "declared"],
    "false_opening_stake": ["stays", "returned"],
    "jackpot_first_bet": ["opener", "left_of_dealer"],
    "cut_ace": ["high", "low"],
    "redeal_after_passed_deal": ["deal_passes", "same_dealer"],
    "foul_hand": ["dead", "short_allowed"],
    "table_stakes": ["on", "off"],
    "kitty": ["off", "1 per hand", "1 when pool >= 30", "5% up to 3", "2.5%", "1 when shown threes"],
    "kitty_at_close": ["stays", "shared"],
    "difference": ["unset", "banker", "winners", "losers", "kitty"],
    "loss_limits": ["warn", "refuse"],
    "loss_limit_counts": ["session", "day", "24_hours", "gross"],
}


def changed(rules: Rules, **switches: object) -> Rules:
    for name, words in switches.items():
        answer = set_switch(rules, name, str(words).split())
        assert isinstance(answer, Rules), answer
        rules = answer
    return rules


def refusal(rules: Rules, name: str, words: str) -> SwitchRefused:
    answer = set_switch(rules, name, words.split())
    assert isinstance(answer, SwitchRefused), f"{name} {words} was accepted"
    return answer


def test_the_table_above_knows_every_switch() -> None:
    assert set(VALUES) == set(SWITCHES)


@pytest.mark.parametrize(("switch", "words"), [(name, value) for name in VALUES for value in VALUES[name]])
def test_every_value_is_read_from_the_words_it_is_said_in(switch: str, words: str) -> None:
    for name in names():
        rules = changed(load(name), **{switch: words})
        assert in_words(rules, switch) == words
        assert Rules.model_validate_json(rules.model_dump_json()) == rules


@pytest.mark.parametrize("switch", SWITCHES)
def test_different_words_of_a_switch_are_different_values(switch: str) -> None:
    read = {repr(getattr(changed(load("english"), **{switch: words}), switch)) for words in VALUES[switch]}
    assert len(read) == len(VALUES[switch])


@pytest.mark.parametrize(
    ("switch", "words", "same"),
    [
        ("Side-Cards", "NONE", ("side_cards", "none")),
        ("show_first", "left of last raiser", ("show_first", "left_of_last_raiser")),
        ("loss-limit-counts", "24 hours", ("loss_limit_counts", "24_hours")),
        ("jackpots", "no", ("jackpots", "off")),
        ("raise-before-draw", "off", ("raise_before_draw", "no")),
        ("straddle", "off", ("straddle", "none")),
        ("suit-precedence", "on", ("suit_precedence", "hearts")),
        ("split-openers", "yes", ("split_openers", "declared")),
        ("cards_speak", "yes", ("cards_speak", "cards")),
        ("joker", "no", ("joker", "off")),
        ("openers", "knaves queens kings", ("openers", "J Q K")),
        ("openers", "JJ, QQ, 10", ("openers", "J Q T")),
        ("limit", "Fixed 2 4", ("limit", "fixed 2 4")),
        ("limit", "unset", ("limit", "unset")),
        ("kitty", "1 When Pool>=30", ("kitty", "1 when pool >= 30")),
        ("kitty", "1 when shown full hand", ("kitty", "1 when shown full_house")),
        ("kitty", "0.50 %", ("kitty", "0.5%")),
        ("difference", "borne by winners", ("difference", "winners")),
    ],
)
def test_other_words_for_the_same(switch: str, words: str, same: tuple[str, str]) -> None:
    rules = set_switch(load("english"), switch, words.split())
    assert isinstance(rules, Rules), rules
    assert in_words(rules, same[0]) == same[1]


@pytest.mark.parametrize(
    ("name", "switch", "value"),
    [
        ("english", "joker", "higher"),
        ("foster", "joker", "mistigris"),
        ("english", "blaze", "akqj"),
        ("english", "straddle", "add"),
        ("foster", "straddle", "double"),
    ],
)
def test_on_is_the_custom_of_the_set(name: str, switch: str, value: str) -> None:
    assert in_words(changed(load(name), **{switch: "on"}), switch) == value


def test_on_is_refused_where_the_set_knows_no_custom() -> None:
    assert refusal(load("chambers"), "joker", "on").message == (
        "joker cannot be 'on'; it may be off, higher or mistigris"
    )


def test_amounts_may_be_numbers_already() -> None:
    rules = set_switch(load("modern"), "limit", ["fixed", 2, 4])
    assert isinstance(rules, Rules)
    assert rules.limit == FixedLimit(small=2, big=4)


def test_setting_a_switch_leaves_the_others_and_the_old_rules_alone() -> None:
    before = load("english")
    after = changed(before, ante=3)
    assert before.ante is None
    assert after.model_dump(exclude={"ante"}) == before.model_dump(exclude={"ante"})


def test_an_unknown_switch_is_answered_with_the_nearest_or_with_all() -> None:
    refused = refusal(load("english"), "stradle", "add")
    assert refused.rule is None
    assert "the nearest: straddle" in refused.message
    none_near = refusal(load("english"), "zzzz", "1").message
    assert "nearest" not in none_near
    assert all(name in none_near for name in SWITCHES)


def test_the_name_is_no_switch() -> None:
    refusal(load("english"), "name", "foster")


@pytest.mark.parametrize(
    ("switch", "words", "would_do"),
    [
        ("straddle", "up", "add, double or none"),
        ("stand", "yes", "once, never or free"),
        ("structure", "no", "ante or blinds"),
        ("jackpots", "maybe", "on or off"),
        ("cards_speak", "they do", "cards or declared"),
        ("ante", "1.5", "a whole number, 0 or more"),
        ("ante", "-1", "a whole number, 0 or more"),
        ("ante", "٣", "a whole number, 0 or more"),
        ("ante", "1 2", "one number"),
        ("ante", "", "needs a value"),
        ("ante", "9007199254740992", "at most 9007199254740991"),
        ("ante", "9" * 5000, "at most 9007199254740991"),
        ("cap", "0", "at least 1"),
        ("cap", "unset", "a whole number, 1 or more"),
        ("limit", "0", "at least 1"),
        ("limit", "half", "pot, none, fixed SMALL BIG"),
        ("limit", "fixed 2", "fixed SMALL BIG"),
        ("limit", "fixed 0 4", "at least 1"),
        ("limit", "fixed 2 x", "'x' is no whole number"),
        ("openers", "J B", "'B' is no rank"),
        ("openers", "J Jk", "'Jk' is no rank"),
        ("difference", "everybody", "banker, winners, losers, kitty"),
        ("kitty", "1 a week", "N per hand"),
        ("kitty", "0 per hand", "at least 1"),
        ("kitty", "0% up to 3", "above 0%"),
        ("kitty", "101%", "at most 100%"),
        ("kitty", "5.125%", "N%"),
        ("kitty", "5% up to 0", "at least 1"),
        ("kitty", "1 when shown nothing", "'nothing' is no hand"),
    ],
)
def test_a_value_that_will_not_do_is_told_what_would(switch: str, words: str, would_do: str) -> None:
    refused = refusal(load("english"), switch, words)
    assert refused.rule is None
    assert would_do in refused.message
    assert "\n" not in refused.message


def test_a_fixed_limit_grows() -> None:
    assert refusal(load("modern"), "limit", "fixed 4 2").rule == "R-FIXED-LIMIT"
    assert changed(load("modern"), limit="fixed 2 2").limit == FixedLimit(small=2, big=2)
    with pytest.raises(ValidationError):
        FixedLimit(small=4, big=2)


@pytest.mark.parametrize(
    ("words", "kitty"),
    [
        ("off", Kitty()),
        ("1 per hand", Kitty(kind="per_hand", units=1)),
        ("1 when pool >= 30", Kitty(kind="when_pool", units=1, at_least=30)),
        ("5% up to 3", Kitty(kind="percent", basis_points=500, up_to=3)),
        ("0.25%", Kitty(kind="percent", basis_points=25)),
        ("100%", Kitty(kind="percent", basis_points=10_000)),
        ("1 when shown threes", Kitty(kind="when_shown", units=1, hand="threes")),
    ],
)
def test_the_kitty_rules_of_a_sheet(words: str, kitty: Kitty) -> None:
    assert parse_kitty(words.split()) == kitty


@pytest.mark.parametrize("hand", get_args(HandName))
def test_the_kitty_knows_every_hand(hand: str) -> None:
    kitty = parse_kitty(["1", "when", "shown", *hand.split("_")])
    assert isinstance(kitty, Kitty)
    assert kitty.hand == hand


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "per_hand"},
        {"kind": "off", "units": 1},
        {"kind": "when_shown", "units": 1},
        {"kind": "per_hand", "units": 1, "up_to": 3},
        {"kind": "percent", "basis_points": 10_001},
    ],
)
def test_a_kitty_has_what_its_kind_needs_and_no_more(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Kitty.model_validate(fields)


def test_the_limit_that_holds() -> None:
    foster = changed(load("foster"), ante=2)
    assert foster.effective_limit == CapLimit(units=100)
    assert foster.most_staked_blind == 50
    assert changed(foster, limit=25).effective_limit == CapLimit(units=25)
    assert changed(foster, limit=25).most_staked_blind == 12
    assert load("foster").effective_limit is None
    assert changed(load("english"), ante=2).effective_limit is None
    for words, limit in (("pot", PotLimit()), ("none", NoLimit())):
        rules = changed(foster, limit=words)
        assert (rules.effective_limit, rules.most_staked_blind) == (limit, None)


def test_rules_are_frozen_whole_and_strict() -> None:
    content = load("english").model_dump()
    with pytest.raises(ValidationError):
        load("english").ante = 3  # type: ignore[misc]
    for wrong in ({"ante": True}, {"ante": 1.0}, {"jackpots": 1}, {"openers": ()}, {"stakes": 1}):
        with pytest.raises(ValidationError):
            Rules.model_validate({**content, **wrong})
    del content["stand"]
    with pytest.raises(ValidationError):
        Rules.model_validate(content)
