"""`mistigris balances` in the house's colours: what the banker has to count out."""

import pathlib

import pytest

from cli.app import run

SHEET = """session "Colours" on 2026-11-27
rules english
{colours}
seat A B
A buys 99; B buys 14
"""


@pytest.mark.parametrize("colours", ["", "counters red 3 white 9 blue 12"])
def test_what_is_held_is_told_in_colours_where_there_are_any(
    colours: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "colours.sheet"
    sheet.write_text(SHEET.format(colours=colours), "utf-8")
    db = str(tmp_path / "ledger.db")
    assert run(["--db", db, "record", str(sheet)]) == 0
    assert run(["--db", db, "balances"]) == 0
    told = capsys.readouterr().out
    assert ("8 blue 1 red" in told) == bool(colours), "99 of 12, and 3 over"
    assert ("1 blue and 2 units" in told) == bool(colours), "14 are no whole counters"
