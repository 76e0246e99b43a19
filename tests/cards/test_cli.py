"""`mistigris compare` and `mistigris odds`: what is printed, in words and in JSON, and how bad input is answered."""

import json
import subprocess
import sys
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from cli.cards import register


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    register(app)
    return app


def run(app: typer.Typer, *words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "120"})


def read(app: typer.Typer, *words: str) -> Any:
    result = run(app, *words, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_a_comparison_explains_itself(app: typer.Typer) -> None:
    result = run(app, "compare", "Kh Kd 9s 9c 2d", "Qh Qs 4d 4c Jd", "--rules", "english")
    assert result.exit_code == 0
    assert result.stdout == (
        "a wins: two pairs, kings and nines, against two pairs, queens and fours; "
        "by the higher pair, king over queen (R-TWO-PAIRS).\n"
    )


def test_a_comparison_in_json(app: typer.Typer) -> None:
    content = read(app, "compare", "10h Td Tc 4s 4d", "9h9d9cKsKd")
    assert {key: content[key] for key in ("a", "b", "better", "rule")} == {
        "a": {"hand": "full_house", "words": "full house, tens and fours"},
        "b": {"hand": "full_house", "words": "full house, nines and kings"},
        "better": "a",
        "rule": "R-FULL",
    }


@pytest.mark.parametrize(
    ("arguments", "better", "rule"),
    [
        ([], "tie", "R-TIE"),
        (["--rules", "english"], "a", "R-HEARTS"),
        (["--rules", "english", "--set", "suit_precedence=none"], "tie", "R-TIE"),
    ],
)
def test_a_comparison_follows_the_rules(
    app: typer.Typer, arguments: list[str], better: str, rule: str
) -> None:
    content = read(app, "compare", "Ah Kd 9c 7s 4h", "Ac Ks 9d 7h 4c", *arguments)
    assert (content["better"], content["rule"]) == (better, rule)


def test_switches_may_be_set_one_after_the_other(app: typer.Typer) -> None:
    hands = ("Ac Jk Qd 7s 4h", "Ah Ad Kc 7d 4s")
    assert read(app, "compare", *hands, "--set", "joker=higher")["rule"] == "R-JOKER"
    assert read(app, "compare", *hands, "--set", "joker=mistigris")["rule"] == "R-PAIR"
    both = ("--set", "joker=mistigris", "--set", "side_cards=none")
    assert read(app, "compare", *hands, *both)["rule"] == "R-MISTIGRIS"


def test_odds_in_json(app: typer.Typer) -> None:
    content = read(app, "odds", "9s 9h Kd 7c 4s", "--throw", "Kd 7c 4s", "--rules", "foster")
    assert content["total"] == 16215
    assert content["classes"] == {
        "fours": 45,
        "full_house": 165,
        "threes": 1854,
        "two_pairs": 2592,
        "pair": 11559,
    }
    assert content["improves"] == 45 + 165 + 1854 + 2592
    assert content["better"] + content["equal"] + content["worse"] == 16215


def test_odds_for_reading(app: typer.Typer) -> None:
    result = run(app, "odds", "9s 9h Kd 7c 4s", "--throw", "Kd 7c 4s", "--aim", "full house")
    lines = [" ".join(line.replace("█", "").split()) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert lines[0] == "keep 9s 9h, throw Kd 7c 4s"
    assert "two pairs 2592 15.985%" in lines
    assert lines[-1] == "aim full house: 210 (1.295%)"


def test_standing_pat_is_a_draw_of_none(app: typer.Typer) -> None:
    assert read(app, "odds", "9s 9h Kd 7c 4s", "--throw", "")["classes"] == {"pair": 1}


def test_known_cards_and_every_rank(app: typer.Typer) -> None:
    content = read(app, "odds", "Ks Kh 4d 4c 9s", "--throw", "9s", "--known", "Kd Kc 4h", "--ranks")
    assert (content["total"], content["classes"]) == (44, {"full_house": 1, "two_pairs": 43})
    assert content["ranks"][0] == {"hand": "full_house", "words": "full house 4 4 4 K K", "count": 1}
    assert sum(rank["count"] for rank in content["ranks"]) == 44


def test_all_ways_to_draw_are_shown_best_first(app: typer.Typer) -> None:
    content = read(app, "odds", "9s 9h Kd 7c 4s", "--best")
    assert len(content["ways"]) == 32
    assert content["ways"][0]["kept"] == "9s 9h"
    lines = run(app, "odds", "9s 9h Kd 7c 4s", "--best").stdout.splitlines()
    ways = [line.split() for line in lines if "%" in line]
    assert len(ways) == 32
    assert ways[0][:6] == ["9s", "9h", "Kd", "7c", "4s", "28.714%"]
    assert ways[0][6] == "██████"


def test_the_best_draw_for_a_hand_to_beat(app: typer.Typer) -> None:
    content = read(app, "odds", "8s 7s 6s 5s 8h", "--best", "--aim", "Ah Ad Ac Ks Qh")
    assert content["ways"][0]["kept"] == "8s 7s 6s 5s"
    assert content["ways"][0]["reaching"] == 15


def test_the_chance_to_win(app: typer.Typer) -> None:
    words = ("odds", "9s 9h Kd 7c 4s", "--throw", "Kd 7c 4s")
    exact = read(app, *words, "--against", "Ks Kh:3")["win"]
    assert (exact["exact"], exact["error"]) == (True, "0.000000")
    assert exact["alone"] + exact["lost"] + sum(exact["shared"].values()) == exact["total"]
    sampled = read(app, *words, "--against", "unknown:3", "--seed", "7", "--samples", "1000")["win"]
    assert (sampled["exact"], sampled["method"]) == (False, "1000 deals sampled, seed 7")
    assert "give or take" in run(app, *words, "--against", "unknown:3", "--samples", "1000").stdout
    assert "every deal counted" in run(app, *words, "--against", "unknown").stdout


HAND = "9s 9h Kd 7c 4s"
BAD = [
    (["compare", "Kh Kd 9s 9c 2d 3d", HAND], "a hand has one to five cards, not 6: Kh Kd 9s 9c 2d 3d"),
    (["compare", HAND, "Kh Kh 9s 9c 2d"], "Kh is there twice: the pack has each card once"),
    (["compare", HAND, "Kh Jk 9s 9c 2d"], "the joker is not in this pack: these rules have joker = off"),
    (["compare", HAND, "Kh 1d 9s 9c 2d"], '"1d" is no card: a card is 2-9'),
    (["compare", HAND, ""], "a hand has one to five cards, not 0"),
    (["odds", HAND, "--throw", "Kc"], "Kc is not in the hand 9s 9h Kd 7c 4s: throw cards it holds"),
    (["odds", HAND, "--throw", "Kd", "--known", "Kd"], "Kd is there twice: the pack has each card once"),
    (["odds", HAND], 'give --throw CARDS (--throw "" stands pat) or --best, one of the two'),
    (["odds", HAND, "--best", "--throw", "Kd"], 'give --throw CARDS (--throw "" stands pat) or --best'),
    (["odds", HAND, "--best", "--ranks"], "--against and --ranks go with --throw CARDS, not with --best"),
    (
        ["odds", HAND, "--best", "--aim", "flsh"],
        '--aim "flsh": say improve, a hand to beat, or one of high_card',
    ),
    (["odds", HAND, "--throw", "Kd", "--aim", "Kx"], '"Kx" is no card'),
    (["odds", HAND, "--throw", "Kd", "--against", "Kh:x"], '--against "Kh:x": after the colon stands'),
    (
        ["odds", HAND, "--throw", "Kd", "--against", "Kh:5"],
        "a hand has one to five cards: 1 kept and 5 drawn",
    ),
    (["odds", HAND, "--throw", "Kd", "--against", "Kd:4"], "Kd is there twice: the pack has each card once"),
    (["odds", HAND, "--throw", "Kd", "--set", "joker"], '--set "joker": write SWITCH=VALUE'),
    (["odds", HAND, "--throw", "Kd", "--set", "joker=wild"], '--set "joker=wild": joker cannot be'),
    (["odds", HAND, "--throw", "Kd", "--set", "jokr=off"], "--set \"jokr=off\": there is no switch 'jokr'"),
]


@pytest.mark.parametrize(
    ("words", "message"), BAD, ids=lambda value: value if isinstance(value, str) else None
)
def test_bad_input_is_one_clear_line(app: typer.Typer, words: list[str], message: str) -> None:
    result = run(app, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1


def test_an_unknown_rule_set_is_refused(app: typer.Typer) -> None:
    result = run(app, "compare", HAND, HAND, "--rules", "inglish")
    assert result.exit_code == 1
    assert result.stderr.startswith("inglish: no rule set")


def test_ranking_a_hand_loads_no_numpy() -> None:
    code = (
        "import sys; from ledger.cards import RankRules, compare, parse_cards, ranking_for;"
        "compare(RankRules(), parse_cards('KhKd9s9c2d'), parse_cards('QhQs4d4cJd'));"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
