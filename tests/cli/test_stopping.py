"""Who stops a command is told in one line what became of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import pytest

from cli import entry
from cli.app import run
from ledger.store import open_store

LINE = "mistigris: stopped; what was not yet recorded is not recorded\n"


def interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_in_the_midst_of_a_command(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(str(path)).close()
    monkeypatch.setattr("ledger.listing.list_sessions", interrupted)
    assert run(["--db", str(path), "sessions"]) == 130
    assert capsys.readouterr() == ("", LINE)


def test_before_there_is_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cli.streams.prepare", interrupted)
    monkeypatch.setattr(sys, "argv", ["mistigris", "table"])
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", LINE)
