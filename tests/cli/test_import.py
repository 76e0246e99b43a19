"""`mistigris import`: what it prints, how it ends, and what the reports say of the hands afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

DATA = Path(__file__).parents[1] / "formats" / "data"


@pytest.fixture
def db(path: Path) -> str:
    return str(path)


def said(capsys: pytest.CaptureFixture[str], db: str, *arguments: str) -> tuple[int, Any, str]:
    """The exit code of a command, what it printed as JSON, and its standard error."""
    capsys.readouterr()
    code = run(["--db", db, *arguments, "--json"])
    printed = capsys.readouterr()
    return code, json.loads(printed.out) if printed.out else None, printed.err


def test_files_go_in_once_and_are_counted(capsys: pytest.CaptureFixture[str], db: str) -> None:
    files = [str(file) for file in sorted(DATA.glob("*.txt"))]
    code, answer, errors = said(capsys, db, "import", *files)
    assert (code, errors) == (0, "")
    assert answer["hands"] == {"added": 9, "known": 0}
    assert len(answer["sessions"]) == 7
    assert answer["refused"] == []
    assert {row["file"]: row["added"] for row in answer["files"]}["comings-and-goings.txt"] == 3
    code, again, _ = said(capsys, db, "import", *files)
    assert code == 0
    assert again["hands"] == {"added": 0, "known": 9}
    assert again["events"] == 0
    assert again["sessions"] == answer["sessions"]
    code, found, _ = said(capsys, db, "audit")
    assert (code, found["chain"], found["hands"], found["findings"]) == (0, "ok", 9, [])


def test_a_ledger_in_lines_among_histories_is_told_what_it_is(
    capsys: pytest.CaptureFixture[str], db: str, tmp_path: Path
) -> None:
    """Alone and in a file it goes in; beside a history, or through a pipe, it is refused for what it is."""
    history, lines = str(DATA / "three-all-ins.txt"), str(tmp_path / "ledger.jsonl")
    run(["--db", db, "import", history])
    run(["--db", db, "export", "--jsonl", lines])
    code, answer, errors = said(capsys, str(tmp_path / "new.db"), "import", lines, history)
    assert (code, answer["hands"]["added"]) == (2, 1)
    assert errors.startswith(f"{lines}: this is a ledger that export --jsonl wrote")


def test_the_reports_tell_rake_apart_from_the_kitty(capsys: pytest.CaptureFixture[str], db: str) -> None:
    run(["--db", db, "import", str(DATA / "three-all-ins.txt")])
    _, hand, _ = said(capsys, db, "hand", "last", "1")
    assert hand["source_id"] == "900000000001"
    assert (hand["pool"], hand["kitty"], hand["rake"]) == (7800, 250, 250)
    assert sum(row["units"] for row in hand["winners"]) + hand["kitty"] == hand["pool"]
    assert sum(hand["net"].values()) == -250
    _, balances, _ = said(capsys, db, "balances", "last")
    assert (balances["kitty"], balances["kitty_spent"], balances["rake"]) == (0, 250, 250)
    held = sum(balances["held"].values()) + sum(balances["bought_back"].values())
    assert balances["sold"] == held + balances["pool"] + balances["kitty"] + balances["kitty_spent"]
    _, kitty, _ = said(capsys, db, "kitty")
    assert (kitty["balance"], kitty["by_player"]) == (0, {})
    assert {(row["kind"], row["reason"]) for row in kitty["entries"]} == {
        ("taken", "rake"),
        ("spent", "rake"),
    }
    _, settle, _ = said(capsys, db, "settle", "last")
    assert sum(row["net"] for row in settle["players"]) == -250
    assert sum(p["units"] for p in settle["payments"] if p["to"] == "the bank") == 250


def test_a_refused_file_is_told_in_one_line_and_the_others_go_in(
    capsys: pytest.CaptureFixture[str], db: str, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.txt"
    cut.write_bytes((DATA / "antes.txt").read_bytes()[:-30])
    code, answer, errors = said(capsys, db, "import", str(cut), str(DATA / "odd-cent.txt"))
    assert code == 2
    assert errors.startswith("cut.txt:35: ")
    assert errors.count("\n") == 1
    assert [(row["file"], row["line"]) for row in answer["refused"]] == [("cut.txt", 35)]
    assert answer["hands"]["added"] == 1
    _, listed, _ = said(capsys, db, "sessions")
    assert [row["title"] for row in listed["sessions"]] == ["Capella, limit $0.10/$0.20 USD"]


def test_a_hand_against_the_rules_names_the_rule_and_ends_with_one(
    capsys: pytest.CaptureFixture[str], db: str, tmp_path: Path
) -> None:
    file = tmp_path / "raised.txt"
    text = (DATA / "pot-limit.txt").read_text(encoding="utf-8")
    file.write_text(text.replace("raises $0.25 to $0.35", "raises $0.26 to $0.36"), encoding="utf-8")
    code, answer, errors = said(capsys, db, "import", str(file))
    assert code == 1
    assert errors.startswith("raised.txt:9: R-POT-LIMIT: ")
    assert answer["refused"][0]["rule"] == "R-POT-LIMIT"


def test_a_missing_file_ends_with_two(capsys: pytest.CaptureFixture[str], db: str) -> None:
    code, _, errors = said(capsys, db, "import", "no-such-file.txt")
    assert (code, errors) == (2, "no-such-file.txt: there is no such file\n")


def test_files_are_taken_in_the_order_of_play_whatever_the_order_they_are_named_in(
    capsys: pytest.CaptureFixture[str], db: str, tmp_path: Path
) -> None:
    hands = (DATA / "comings-and-goings.txt").read_text(encoding="utf-8").split("\n\n\n")
    files = []
    for number, hand in enumerate(hands):
        file = tmp_path / f"{number}.txt"
        file.write_text(hand, encoding="utf-8")
        files.append(str(file))
    code, answer, errors = said(capsys, db, "import", *reversed(files))
    assert (code, errors) == (0, "")
    assert len(answer["sessions"]) == 1
