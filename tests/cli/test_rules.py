"""`mistigris rule` and `mistigris rules`: what is printed, and how a wrong name is answered."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from cli.rules import register
from ledger.rules import SWITCHES, names


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    register(app)
    return app


def run(app: typer.Typer, *words: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": str(columns)})


def test_a_rule_is_printed_with_source_page_and_switches(app: typer.Typer) -> None:
    result = run(app, "rule", "R-STRADDLE-CAP")
    assert result.exit_code == 0
    assert "No straddle goes above half the limit." in result.stdout
    assert "000, p. 32: an English handbook" in result.stdout
    assert ["switch", *names()] in [line.split() for line in result.stdout.splitlines()]
    assert ["straddle", "add", "none", "double", "none"] in [
        line.split() for line in result.stdout.splitlines()
    ]


def test_a_rule_in_json(app: typer.Typer) -> None:
    content = json.loads(run(app, "rule", "hearts", "--json").stdout)
    assert content["id"] == "R-HEARTS"
    assert content["sources"][0]["source"] == "003"
    assert content["sources"][0]["pages"] is None
    assert content["switches"] == {
        "suit_precedence": {"english": "hearts", "chambers": "none", "foster": "none", "modern": "none"}
    }


def test_a_rule_without_an_old_source_says_so(app: typer.Typer) -> None:
    assert "none of the old texts: today's custom" in run(app, "rule", "R-BLINDS").stdout
    assert "none of the old texts: ours" in run(app, "rule", "R-CONSERVE").stdout


def test_an_unknown_rule_is_one_line_with_the_nearest(app: typer.Typer) -> None:
    result = run(app, "rule", "R-STRADLE-CAP")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("R-STRADLE-CAP: no such rule; did you mean R-STRADDLE-CAP")
    assert result.stderr.count("\n") == 1


def test_the_sets_side_by_side_name_every_switch_in_full(app: typer.Typer) -> None:
    result = run(app, "rules")
    assert result.exit_code == 0
    first_words = [line.split()[0] for line in result.stdout.splitlines() if line.strip()]
    assert set(SWITCHES) <= set(first_words)
    assert max(len(line) for line in result.stdout.splitlines()) <= 80


def test_the_sets_in_json(app: typer.Typer) -> None:
    content = json.loads(run(app, "rules", "--json").stdout)
    assert [each["name"] for each in content["sets"]] == names()
    assert all(list(each["switches"]) == list(SWITCHES) for each in content["sets"])


def test_one_set_with_what_else_its_switches_may_be(app: typer.Typer) -> None:
    text = run(app, "rules", "foster").stdout
    assert "50 antes" in text
    assert "off (its own:" in text
    assert "[up to N]" in text
    assert "R-STRADDLE-LAST-SAY" in text


def test_rules_of_ones_own(app: typer.Typer, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'based_on = "english"\nante = 3\n[kitty]\nkind = "per_hand"\nunits = 1\n', encoding="utf-8"
    )
    content = json.loads(run(app, "rules", str(path), "--json").stdout)
    assert content["sets"][0]["name"] == "own"
    assert content["sets"][0]["switches"]["ante"] == 3
    assert content["sets"][0]["switches"]["kitty"]["kind"] == "per_hand"


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("englsh", 1, "did you mean english?"),
        ("x" * 5000, 1, "no rule set and no file of that name"),
        ("none.toml", 2, "no such file"),
    ],
)
def test_rules_that_are_not_there_are_one_line(app: typer.Typer, name: str, code: int, told: str) -> None:
    result = run(app, "rules", name)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", [30, 40, 60])
def test_on_a_telephone_a_set_is_told_switch_by_switch(app: typer.Typer, columns: int) -> None:
    """A table so narrow dropped its values, or broke each of them in the middle."""
    lines = run(app, "rules", "english", columns=columns).stdout.splitlines()
    at = lines.index("switch show_first")
    assert lines[at + 1] == "  english last_raiser"
    assert lines[at + 2].startswith("  may be last_raiser or left_of_last_raiser")
    told = run(app, "rules", columns=columns).stdout.splitlines()
    assert told[told.index("switch show_first") + 2] == "  chambers left_of_last_raiser"
    assert "  foster 50 antes" in run(app, "rule", "R-LIMIT", columns=columns).stdout.splitlines()
