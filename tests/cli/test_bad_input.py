"""Bad input: one line that says where, what, and what would have been right; the right exit code; nothing recorded."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.app import run

GOOD = """\
session "Bad input" on 1897-01-01
rules english
set ante 3; set limit 12
seat A B C D
A buys 100; B buys 100; C buys 100; D buys 100
hand dealer D
A antes; deal
B opens 6; C passes; D passes; A passes
"""


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Ask = Callable[..., Answer]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command in a folder with a good sheet, against a store beside it."""
    monkeypatch.chdir(tmp_path)
    Path("good.sheet").write_text(GOOD, encoding="utf-8")

    def call(*arguments: str, db: str = "ledger.db") -> Answer:
        code = run(["--db", db, *arguments])
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture
def recorded(ask: Ask) -> Ask:
    """The same, with the good sheet on record."""
    assert ask("record", "good.sheet").code == 0
    return ask


def refuses(answer: Answer, code: int, *told: str) -> None:
    assert (answer.code, answer.out) == (code, ""), answer
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.endswith("\n")
    assert "Traceback" not in answer.err
    for words in told:
        assert words in answer.err


def head(ask: Ask) -> str:
    return ask("verify").out


LINES = [
    ("Z buys 100", 1, "nobody here is called Z", "at the table: A, B, C, D"),
    ("hand dealer Z", 1, "nobody here is called Z", "A, B, C, D"),
    ('ruling "halved" 5 from A to Z', 1, "nobody here is called Z", "A, B, C, D"),
    ("B frobs 6", 2, ":9:3:", "`frobs`", "opens, bets, raises"),
    ("A cashes 1.5", 2, ":9:10:", "`1.5` is a fraction", "whole counters"),
    ("A buys -5", 2, "`-5`", "whole counters"),
    ("A buys", 2, ":9:7:", "an amount", "missing"),
    ("A buys 2 green", 1, "R-COUNTERS", "green", "counters red 1"),
    ("A buys $5", 2, "'$5' is money", "a number of counters"),
    ("hand; B antes; deal; C holds 1h", 2, ":9:30:", "`1h` is no card", "Kh, Td or 10d"),
    ("hand; B antes; deal; C holds Jk", 1, "R-PACK", "no joker", "set joker"),
    ("hand; B antes; deal\nhand", 1, ":10:", "R-DEAL-ROTATE", "hand 2 is not over", "C comes first"),
    ("at 25:00", 2, "`25:00` is no time", "00:00 to 23:59"),
    ("set colour red", 2, "no switch 'colour'", "straddle"),
    ("set straddle thrice", 2, "straddle", "add, double or none"),
    ("rules polish", 1, "polish: no rule set", "english, chambers, foster, modern"),
    ("rules none.toml", 2, "none.toml: no such file", "path of a .toml file"),
    ('note "unfinished', 2, "quote is not closed"),
    ("A draws three", 2, "`three`", "a number is wanted"),
    ("B", 2, "what `B` does is missing", "opens"),
]


@pytest.mark.parametrize(
    ("line", "code", "told"), [(row[0], row[1], row[2:]) for row in LINES], ids=lambda v: str(v)[:30]
)
def test_a_line_that_cannot_be_recorded(line: str, code: int, told: tuple[str, ...], ask: Ask) -> None:
    Path("bad.sheet").write_text(f"{GOOD}{line}\n", encoding="utf-8")
    answer = ask("record", "bad.sheet")
    refuses(answer, code, *told)
    assert answer.err.startswith(f"bad.sheet:{9 + line.count(chr(10))}")
    assert ask("sessions").out.strip() in ("", "no session is recorded yet; mistigris record SHEET")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", ("empty sheet", 'session "TITLE" on')),
        (b"# a remark and nothing else\n", ("empty sheet", 'session "TITLE" on')),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ("binary file", "UTF-8 text")),
        (b'session "Caf\xe9" on 1897-01-01\n', ("UTF-8",)),
        (b"rules english\n", ("begins with its session", 'session "TITLE" on DATE')),
    ],
    ids=["empty", "remark", "binary", "latin", "headless"],
)
def test_a_file_that_is_no_sheet(content: bytes, told: tuple[str, ...], ask: Ask) -> None:
    Path("bad.sheet").write_bytes(content)
    answer = ask("record", "bad.sheet")
    refuses(answer, 1 if content.startswith(b"rules") else 2, "bad.sheet:", *told)
    assert "Bad input" not in ask("sessions").out


def test_a_sheet_that_is_not_there_and_one_that_is_a_folder(ask: Ask) -> None:
    refuses(ask("record", "missing.sheet"), 2, "missing.sheet: there is no such file")
    Path("folder").mkdir()
    refuses(ask("record", "folder"), 2, "folder: this is a folder, not a sheet")
    refuses(ask("record", "two\nlines"), 2, "two lines: there is no such file")
    assert not Path("ledger.db").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('based_on = "english"\nstradle = "add"\n', ("stradle", "straddle")),
        ('based_on = "english"\nante = "three"\n', ("ante cannot be 'three'", "a whole number")),
        ('straddle = "add"\n', ("based_on is missing", 'based_on = "english"')),
        ("straddle: add\n", ("not TOML", 'straddle = "double"')),
    ],
    ids=["no switch", "no value", "no base", "no TOML"],
)
def test_rules_of_ones_own_that_cannot_be_read(content: str, told: tuple[str, ...], ask: Ask) -> None:
    Path("house.toml").write_text(content, encoding="utf-8")
    Path("bad.sheet").write_text('session "Bad input" on 1897-01-01\nrules house.toml\n', encoding="utf-8")
    refuses(ask("record", "bad.sheet"), 2, "bad.sheet:2: ", "house.toml", *told)
    assert "Bad input" not in ask("sessions").out


def test_a_dispute_before_any_hand(ask: Ask) -> None:
    before_play = GOOD.split("hand", maxsplit=1)[0]
    for line in ('A disputes "the seats"', 'ruling "as drawn" hand 1'):
        Path("early.sheet").write_text(f"{before_play}{line}\n", encoding="utf-8")
        refuses(ask("record", "early.sheet"), 1, "early.sheet:6: no hand has been begun yet")


def test_an_old_line_that_was_changed_or_taken_away(recorded: Ask) -> None:
    before = head(recorded)
    Path("changed.sheet").write_text(GOOD.replace("B opens 6", "B opens 7"), encoding="utf-8")
    refuses(recorded("record", "changed.sheet"), 1, "changed.sheet:8: ", "recorded otherwise", "--amend")
    Path("shorter.sheet").write_text(GOOD.split("hand", maxsplit=1)[0], encoding="utf-8")
    refuses(recorded("record", "shorter.sheet"), 1, "shorter.sheet:5: ", "7 statements after", "--amend")
    refuses(recorded("record", "changed.sheet", "--amend", " "), 2, "--amend needs a reason")
    assert head(recorded) == before


def test_a_database_that_is_no_ledger_is_left_alone(ask: Ask) -> None:
    Path("text.db").write_text("Dear diary\n", encoding="utf-8")
    with sqlite3.connect("other.db") as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    other.close()
    contents = {name: Path(name).read_bytes() for name in ("text.db", "other.db")}
    for command in (("record", "good.sheet"), ("sessions",), ("verify",)):
        refuses(ask(*command, db="text.db"), 2, "text.db: is not a SQLite file")
        refuses(ask(*command, db="other.db"), 2, "other.db: is a SQLite file of another kind")
    assert contents == {name: Path(name).read_bytes() for name in contents}


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("good.sheet/ledger.db", "good.sheet does not exist"),
        ("nowhere/ledger.db", "nowhere does not exist"),
        (".", "is a folder; a store is a file"),
        ("nosuch://host/ledger", "not an address of a store"),
    ],
)
def test_a_place_where_no_store_can_be(place: str, told: str, ask: Ask) -> None:
    refuses(ask("record", "good.sheet", db=place), 2, told)
    assert sorted(path.name for path in Path().iterdir()) == ["good.sheet"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_no_store_and_nobody_waits_for_it(ask: Ask) -> None:
    os.mkfifo("pipe")
    for command in (("record", "good.sheet"), ("sessions",), ("verify",), ("doctor",)):
        answer = ask(*command, db="pipe")
        assert answer.code != 0
        assert "pipe: is a device or a pipe; a store is a file" in answer.err + answer.out


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder where not even root can make a file")
def test_a_folder_that_cannot_be_written_to(ask: Ask) -> None:
    refuses(ask("record", "good.sheet", db="/proc/self/ledger.db"), 2, "/proc/self/ledger.db")


def test_a_store_that_is_not_there_is_not_made_by_asking(ask: Ask) -> None:
    refuses(ask("sessions"), 2, "ledger.db: no such store; the first evening recorded makes it")
    assert not Path("ledger.db").exists()


def test_a_user_without_a_home_is_asked_for_a_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "MISTIGRIS_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for a user of no passwd entry
    code = run(["sessions"])
    refuses(Answer(code, *capsys.readouterr()), 2, "no home folder", "--db FILE")


USAGE = [
    ("frob", 2, "No such command 'frob'", "mistigris --help"),
    ("record", 2, "Missing argument 'SHEET'", "mistigris record --help"),
    ("record a b", 2, "unexpected extra argument", "mistigris record --help"),
    ("sessions --frob", 2, "No such option: --frob", "mistigris sessions --help"),
    ("hand last", 2, "Missing argument 'N'", "mistigris hand --help"),
    ("hand last one", 2, "Invalid value for 'N'", "integer"),
    ("table nosuch", 1, "no session “nosuch”", "“Bad input”"),
    ("settle nosuch", 1, "no session “nosuch”", "“Bad input”"),
    ("audit nosuch", 1, "no session “nosuch”", "“Bad input”"),
    ("kitty --session nosuch", 1, "no session “nosuch”", "“Bad input”"),
    ("hand last 0", 1, "no hand 0", "the last is 1"),
    ("hand last 2", 1, "no hand 2", "the last is 1"),
    ("table last --hand 2", 1, "no hand 2", "the last is 1"),
    ("audit last --hand 2", 1, "no hand 2", "mistigris hands"),
    ("table last --at 0", 1, "event 0 is before the session was opened", "its first is event 1"),
    ("table last --at -1", 1, "event -1 is before the session was opened", "its first is event 1"),
    ("table last --at 26", 1, "no event 26", "the last on record is event 25"),
    ("table last --at noon", 2, "Invalid value for '--at'", "integer"),
    ("rule R-NOPE", 1, "R-NOPE: no such rule", "did you mean"),
    ("rules polish", 1, "polish: no rule set", "english"),
    ("stats --player Z", 1, "nobody is called Z", "A, B, C, D"),
    ("stats --since yesterday", 2, "--since yesterday", "2026-11-27"),
    ("--ledger other sessions", 2, "no ledger called other", "default"),
]


@pytest.mark.parametrize(
    ("words", "code", "told"), [(row[0], row[1], row[2:]) for row in USAGE], ids=[row[0] for row in USAGE]
)
def test_a_command_that_asks_for_nothing_there_is(
    words: str, code: int, told: tuple[str, ...], recorded: Ask
) -> None:
    before = head(recorded)
    refuses(recorded(*words.split()), code, *told)
    assert head(recorded) == before


def test_a_cut_ledger_file_is_told_in_a_line(recorded: Ask) -> None:
    shutil.copy("ledger.db", "cut.db")
    content = Path("cut.db").read_bytes()
    Path("cut.db").write_bytes(content[: len(content) // 2])
    answer = recorded("sessions", db="cut.db")
    refuses(answer, 2, "cut.db")
