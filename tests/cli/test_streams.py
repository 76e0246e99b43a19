"""Standard streams as a command may find them: closed, full, or with letters missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHEET = """\
session "The café, by night" on 1897-01-01
rules english
set ante 3; set limit 12
seat É ß "Ж 🃏"
É buys 100; ß buys 100; "Ж 🃏" buys 100
hand dealer É
ß antes; deal
"Ж 🃏" opens 6; É passes; ß passes
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("streams")
    (made / "evening.sheet").write_text(SHEET, encoding="utf-8")
    assert mistigris(made, "record evening.sheet").returncode == 0
    return made


def mistigris(folder: Path, words: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """The words as a shell runs them, redirections and all; `more` is its environment."""
    command = f'"{sys.executable}" -m cli.entry --db ledger.db {words}'
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    environment |= {"PYTHONPATH": str(Path(__file__).parents[2]), **more}
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, timeout=60, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["settle", "settle --json"])
def test_an_answer_that_finds_no_room_is_told_in_a_line(words: str, folder: Path) -> None:
    done = mistigris(folder, f"{words} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.decode() == "mistigris: the answer could not be printed: no space left on device\n"


def test_a_reader_who_has_seen_enough_is_no_fault(folder: Path) -> None:
    done = mistigris(folder, "settle --json | head -1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{\n", b"")


def test_a_closed_standard_input_holds_an_empty_sheet(folder: Path) -> None:
    done = mistigris(folder, "record - <&-")
    assert done.returncode == 2
    assert done.stderr.decode().startswith("standard input:1:1: an empty sheet")
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_that_was_never_set_up_gets_utf_8(folder: Path) -> None:
    done = mistigris(folder, "settle", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Ж 🃏" in done.stdout.decode("utf-8")


def test_letters_a_terminal_lacks_are_replaced(folder: Path) -> None:
    done = mistigris(folder, "settle", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode("latin-1")
    assert "The café, by night" in told
    assert " ? ? " in told


def test_json_is_utf_8_on_any_terminal(folder: Path) -> None:
    done = mistigris(folder, "settle --json", PYTHONIOENCODING="latin-1")
    names = [row["name"] for row in json.loads(done.stdout.decode("utf-8"))["players"]]
    assert names == ["É", "ß", "Ж 🃏"]
