"""Whole evenings through the command line on PostgreSQL: every answer is the one that SQLite gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

EVENINGS = Path(__file__).parents[1] / "cases" / "evenings"
#: What hangs on the hour and on ids that are drawn.
DRAWN = {"head", "opened", "recorded_at", "closed_at"}
QUESTIONS = (
    ("sessions",),
    ("table", "last"),
    ("hands", "last"),
    ("hand", "last", "1"),
    ("balances", "last"),
    ("settle", "last"),
    ("audit", "last"),
    ("verify",),
    ("kitty", "--session", "last"),
    ("limits", "--session", "last"),
)

Answer = tuple[int, Any, str]


def without_the_drawn(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_the_drawn(inner) for key, inner in value.items() if key not in DRAWN}
    return [without_the_drawn(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def both(
    path: Path, postgresql_database: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> Callable[..., Answer]:
    """Gives a command to both databases, holds their answers to be the same, and gives one of them."""
    places = (f"sqlite:///{path}", postgresql_database())

    def ask(*words: str) -> Answer:
        answers = []
        for place in places:
            code = run(["--db", place, *words, "--json"])
            out, err = capsys.readouterr()
            answers.append((code, without_the_drawn(json.loads(out)) if out else None, err))
        assert answers[0] == answers[1]
        return answers[1]

    return ask


def look(both: Callable[..., Answer]) -> None:
    for question in QUESTIONS:
        code, answer, err = both(*question)
        assert code in (0, 1), err
        assert answer


@pytest.mark.parametrize("evening", ["english-worked-example", "kitty", "undo", "modern-side-pot"])
def test_an_evening_is_recorded_and_looked_at(both: Callable[..., Answer], evening: str) -> None:
    sheet = str(EVENINGS / f"{evening}.sheet")
    assert both("record", sheet, "--dry-run")[1]["added"] > 0
    code, done, _ = both("record", sheet)
    assert code == 0
    assert done["added"] == done["events"] > 0
    look(both)
    assert both("record", sheet)[1]["added"] == 0


def test_an_evening_grows_is_amended_and_refused(both: Callable[..., Answer]) -> None:
    for number in ("", ".2", ".3"):
        both("record", str(EVENINGS / f"grown{number}.sheet"))
    assert both("record", str(EVENINGS / "grown.sheet"))[0] == 1
    assert both("record", str(EVENINGS / "grown.sheet"), "--amend", "what came after was not played")[0] == 0
    code, done, err = both("record", str(EVENINGS / "raise-over-limit.sheet"))
    assert (code, done, err.count("\n")) == (1, None, 1)
    look(both)


def test_several_evenings_in_one_ledger(both: Callable[..., Answer]) -> None:
    for evening in ("kitty", "jack-pots", "straddle-out-of-turn", "misdeal"):
        both("record", str(EVENINGS / f"{evening}.sheet"))
    look(both)


def test_what_is_no_server_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("psycopg")
    assert run(["--db", "postgresql+psycopg://host:secret@127.0.0.1:1/x?connect_timeout=2", "sessions"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("mistigris: postgresql+psycopg://host:***@127.0.0.1:1/x")
    assert "secret" not in err
