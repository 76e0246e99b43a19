"""`backup`, `restore`, `export --jsonl` and `import` as they are typed: what is printed, and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.app import run

EVENING = """session "Friday" on 2026-11-27
rules modern; set small 1; set big 2; set limit none
seat A B; A buys 20; B buys 20
"""

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Runs a command in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(path.parent)
    Path("evening.sheet").write_text(EVENING)

    def asked(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        return (code, *capsys.readouterr())

    assert asked("--db", "a.db", "record", "evening.sheet")[0] == 0
    return asked


def test_there_and_back(ask: Ask) -> None:
    code, out, _ = ask("--db", "a.db", "backup", "kept.db")
    assert code == 0
    assert out.splitlines()[-1].startswith(
        "backed up to kept.db; the copy was restored to a temporary place and"
    )
    assert ask("--db", "b.db", "restore", "kept.db")[0] == 0
    (a, b) = (ask("--db", place, "verify", "--json")[1] for place in ("a.db", "b.db"))
    assert json.loads(a)["head"] == json.loads(b)["head"]


def test_lines_there_and_back(ask: Ask) -> None:
    assert ask("--db", "a.db", "export", "--jsonl", "a.jsonl")[0] == 0
    code, out, _ = ask("--db", "b.db", "import", "a.jsonl", "--json")
    assert code == 0
    head = json.loads(ask("--db", "a.db", "verify", "--json")[1])["head"]
    assert json.loads(out)["ledgers"] == [{"ledger": "default", "head": head}]
    assert ask("--db", "b.db", "export", "--jsonl", "b.jsonl")[0] == 0
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()


def test_what_is_there_already_is_refused_and_no_wrong_usage(ask: Ask) -> None:
    assert ask("--db", "a.db", "export", "--jsonl", "a.jsonl")[0] == 0
    for place in ("a.db", "b.db"):
        assert ask("--db", "b.db", "record", "evening.sheet")[0] == 0
        code, out, err = ask("--db", place, "import", "a.jsonl")
        assert (code, out) == (1, "")
        assert err.endswith("; nothing was imported\n")
    assert "b.db has another ledger called default; --ledger NAME names this one" in err


def test_what_is_recorded_is_replaced_only_when_said(ask: Ask) -> None:
    ask("--db", "a.db", "backup", "kept.db")
    code, out, err = ask("--db", "a.db", "restore", "kept.db")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "events are recorded there; nothing was restored; --yes puts the backup in its place" in err
    assert ask("--db", "a.db", "restore", "kept.db", "--yes")[0] == 0
    assert Path("a.db.replaced").exists()


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_who_sits_at_a_terminal_is_asked(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    ask("--db", "a.db", "backup", "kept.db")
    monkeypatch.setattr("cli.backup._at_a_terminal", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: answer == "y\n")
    assert ask("--db", "a.db", "restore", "kept.db")[0] == code
    assert Path("a.db.replaced").exists() == (code == 0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--db", "a.db", "backup", "not/there.db"), 2, "mistigris: not/there.db: no such file or directory"),
        (
            ("--db", "a.db", "backup", "a.db"),
            2,
            "mistigris: a.db: is the store itself; a backup is another file",
        ),
        (
            ("--db", "none.db", "backup", "x.db"),
            2,
            "mistigris: none.db: no such store; the first evening recorded makes it",
        ),
        (
            ("--db", "b.db", "restore", "evening.sheet"),
            2,
            "mistigris: evening.sheet: is no backup of a ledger",
        ),
        (("--db", "b.db", "restore", "none"), 2, "mistigris: none: no such file or directory"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    ask: Ask, words: tuple[str, ...], code: int, said: str
) -> None:
    assert ask(*words) == (code, "", f"{said}\n")
    assert not Path("b.db").exists()


def test_an_edited_line_is_told_with_its_place(ask: Ask) -> None:
    ask("--db", "a.db", "export", "--jsonl", "a.jsonl")
    lines = Path("a.jsonl").read_text().splitlines()
    Path("a.jsonl").write_text("\n".join([*lines[:2], lines[2].replace('"zone":"', '"zone":" '), *lines[3:]]))
    code, out, err = ask("--db", "b.db", "import", "a.jsonl")
    assert (code, out) == (2, "")
    assert err == "mistigris: a.jsonl:3: the event has a “zone” that cannot be one; nothing was imported\n"
    assert ask("--db", "b.db", "sessions")[0] == 2
