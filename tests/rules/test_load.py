"""The shipped sets say what the page on the rules says; a house's own file changes what it names."""

import json
import re
from pathlib import Path

import pytest

from ledger.rules import SWITCHES, Kitty, Rules, RulesError, UnknownRulesError, check, in_words, load, names

RULES_PAGE = Path(__file__).parents[3] / "shared" / "rules" / "RULES.md"

# The table "The four rule sets", and below it what other rules of the page say of a set.
FOUR_SETS = {
    "structure": ("ante", "ante", "ante", "blinds"),
    "ante": ("unset", "unset", "unset", "0"),
    "small": ("unset", "unset", "unset", "unset"),
    "big": ("unset", "unset", "unset", "unset"),
    "limit": ("unset", "unset", "unset", "unset"),
    "limit_multiple": ("unset", "unset", "50", "unset"),
    "straddle": ("add", "none", "double", "none"),
    "go_in": ("double_last", "double_last", "double_last", "big_blind"),
    "raise_before_draw": ("yes", "no", "yes", "yes"),
    "draw_when": ("interleaved", "after", "after", "after"),
    "stand": ("once", "never", "free", "free"),
    "show": ("all", "may_muck", "may_muck", "may_muck"),
    "show_first": ("last_raiser", "left_of_last_raiser", "last_raiser", "last_raiser"),
    "suit_precedence": ("hearts", "none", "none", "none"),
    "sequence_ace": ("low", "high_or_low", "high_or_low", "high_or_low"),
    "side_cards": ("count", "count", "count", "count"),
    "joker": ("off", "off", "off", "off"),
    "blaze": ("off", "off", "off", "off"),
    "skip_straight": ("off", "off", "off", "off"),
    "jackpots": ("on", "off", "off", "off"),
    "foul_hand": ("dead", "dead", "short_allowed", "dead"),
    "table_stakes": ("off", "off", "off", "on"),
    # R-ANTE-CAP, R-PLAY-FIRST, R-CALLER-SEES
    "ante_cap": ("half_limit", "none", "half_limit", "none"),
    "play_first": ("left_of_ante", "left_of_ante", "left_of_ante", "left_of_dealer"),
    "caller_sees": ("yes", "no", "no", "no"),
}
# "Left to the house", the first value being the default, and defaults named in the rules
IN_EVERY_SET = {
    "cap": "3",
    "reshuffle": "discards",
    "odd_counter": "left_of_dealer",
    "difference": "unset",
    "kitty": "off",
    "kitty_at_close": "stays",
    "openers": "J Q K",
    "split_openers": "no",
    "false_opening_stake": "stays",
    "jackpot_first_bet": "opener",
    "cut_ace": "high",
    "redeal_after_passed_deal": "deal_passes",
    "cards_speak": "cards",
    "loss_limits": "warn",
    "loss_limit_counts": "session",
}


def own(folder: Path, content: str) -> Path:
    path = folder / "house.toml"
    path.write_text(content, encoding="utf-8")
    return path


def test_the_tables_above_know_every_switch() -> None:
    assert set(FOUR_SETS) | set(IN_EVERY_SET) == set(SWITCHES)


@pytest.mark.parametrize("place", range(4))
def test_each_set_is_as_the_rules_say(place: int) -> None:
    rules = load(names()[place])
    assert rules.name == names()[place]
    wanted = {switch: row[place] for switch, row in FOUR_SETS.items()} | IN_EVERY_SET
    assert {switch: in_words(rules, switch) for switch in SWITCHES} == wanted


@pytest.mark.skipif(not RULES_PAGE.exists(), reason="the page on the rules is not beside the project")
def test_the_table_above_is_the_one_on_the_page() -> None:
    page = RULES_PAGE.read_text(encoding="utf-8").partition("## The four rule sets")[2].partition("## ")[0]
    compared = 0
    for line in re.findall(r"^\| (`.*) \|$", page, flags=re.MULTILINE):
        head, *cells = (cell.strip() for cell in line.split(" | "))
        switches = re.findall(r"`(\w+)`", head)
        for switch in switches:
            for place, cell in enumerate(cells):
                plain = cell.partition(" (")[0].replace("the big blind", "big_blind")
                if switch in ("ante", "limit", "openers"):
                    continue
                wanted = plain.partition(",")[0]
                assert FOUR_SETS[switch][place] == wanted, f"{switch} in {names()[place]}"
                compared += 1
    assert compared == 4 * 16


def test_rules_are_whole_in_json_without_a_fraction() -> None:
    for name in names():
        content = json.loads(load(name).model_dump_json(), parse_float=pytest.fail)
        assert set(content) == {"name", *SWITCHES}


def test_a_house_changes_what_it_names(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        """
        based_on = "english"
        ante = 3
        limit = 12
        straddle = "double"
        jackpots = false
        joker = "on"            # the English joker
        side-cards = "none"
        openers = ["J", "Q", "K", "A"]

        [kitty]
        kind = "when_pool"
        units = 1
        at_least = 30
        """,
    )
    rules, english = load(path), load("english")
    changed = {
        "ante": "3",
        "limit": "12",
        "straddle": "double",
        "jackpots": "off",
        "joker": "higher",
        "side_cards": "none",
        "openers": "J Q K A",
        "kitty": "1 when pool >= 30",
    }
    assert rules.name == "own"
    assert {name: in_words(rules, name) for name in changed} == changed
    assert rules.model_dump(exclude={"name", *changed}) == english.model_dump(exclude={"name", *changed})
    assert load(str(path)) == rules
    assert Rules.model_validate_json(rules.model_dump_json()) == rules


def test_a_house_may_name_its_rules_and_write_tables_or_words(tmp_path: Path) -> None:
    words = load(
        own(tmp_path, 'based_on = "modern"\nname = "friday"\nlimit = "fixed 2 4"\nkitty = "5% up to 3"')
    )
    tables = load(
        own(
            tmp_path,
            'based_on = "modern"\nname = "friday"\nlimit = { kind = "fixed", small = 2, big = 4 }\n'
            'kitty = { kind = "percent", basis_points = 500, up_to = 3 }',
        )
    )
    assert words == tables
    assert words.name == "friday"
    assert words.kitty == Kitty(kind="percent", basis_points=500, up_to=3)


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'\xef\xbb\xbfbased_on = "foster"\r\nante = 2\r\n')
    assert load(path).ante == 2


def test_an_ante_game_can_be_made_of_a_blind_game(tmp_path: Path) -> None:
    rules = load(own(tmp_path, 'based_on = "modern"\nstructure = "ante"\nante = 1\ngo_in = "double_last"'))
    assert check(rules) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("ante = 3", "based_on is missing"),
        ('based_on = "hoyle"', "based_on cannot be 'hoyle'"),
        ('based_on = ["english"]', "based_on cannot be ['english']"),
        ('based_on = "english"\nname = "foster"', "name cannot be 'foster'"),
        ('based_on = "english"\nstradle = "add"', "the nearest: straddle"),
        ('based_on = "english"\nstraddle = "up"', "add, double or none"),
        ('based_on = "english"\nante = 1.5', "'1.5' is no whole number"),
        ('based_on = "english"\nante = -1', "'-1' is no whole number"),
        ('based_on = "english"\nante = 1979-05-27', "is no whole number"),
        ('based_on = "english"\nante = 7\nlimit = 12', "R-ANTE-CAP"),
        ('based_on = "english"\nstructure = "blinds"', "R-GO-IN"),
        ('based_on = "modern"\nsmall = 3\nbig = 2', "R-BLINDS"),
        ('based_on = "english"\n[kitty]\nkind = "per_hand"', "needs units"),
        ('based_on = "english"\n[kitty]\nkind = "tithe"', "[kitty] kind"),
        ('based_on = "english"\n[kitty]\nkind = "off"\nwho = "B"', "[kitty] who"),
        ('based_on = "english"\n[limit]\nkind = "cap"', "units"),
        ('based_on = "english"\n[straddle]\nkind = "add"', "add, double or none"),
        ('based_on = "english"\nante = 3\nante = 4', "not TOML"),
        ("based_on = english", "not TOML"),
        ("", "based_on is missing"),
    ],
)
def test_a_fault_in_a_house_s_file_is_one_line_that_names_it(tmp_path: Path, content: str, told: str) -> None:
    path = own(tmp_path, content)
    with pytest.raises(RulesError) as fault:
        load(path)
    message = str(fault.value)
    assert message.startswith(f"{path}: ")
    assert told in message
    assert "\n" not in message


def test_what_is_no_rules_file(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\x00\xff\xfe")
    for path, told in (
        (binary, "not a text file"),
        (tmp_path / "none.toml", "no such file"),
        (tmp_path, "is a directory"),
    ):
        with pytest.raises(RulesError, match=told):
            load(path)


def test_an_unknown_name_is_told_the_likeliest_and_all() -> None:
    with pytest.raises(UnknownRulesError) as fault:
        load("englsh")
    assert "did you mean english?" in str(fault.value)
    assert all(name in str(fault.value) for name in names())
    assert load("English") == load("english")
