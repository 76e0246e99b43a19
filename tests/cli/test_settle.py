"""`mistigris settle` while a hand is in play: whatever is paid has to be found somewhere."""

import json
import pathlib

import pytest

from cli.app import run

SHEET = """session "Open" on 2026-11-27
rules english
set ante 3; set limit 12
kitty 1 when pool >= 9
{keeper}
seat A B C
A buys 40; B buys 40; C buys 40
hand dealer A
B antes; deal; C opens 6; A passes; B calls
B draws 1; C draws 1; C bets 1; B passes
hand
C antes; deal; A opens 6
"""


@pytest.mark.parametrize(("keeper", "who"), [("", "the bank"), ("banker B", "B"), ("treasurer C", "C")])
def test_it_tells_with_whom_the_pool_lies_and_the_kitty(
    keeper: str, who: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "open.sheet"
    sheet.write_text(SHEET.format(keeper=keeper), "utf-8")
    db = str(tmp_path / "ledger.db")
    assert run(["--db", db, "record", str(sheet)]) == 0
    capsys.readouterr()
    assert run(["--db", db, "settle"]) == 0
    assert f"the kitty's 1 and the pool's 9 lie with {who}" in capsys.readouterr().out
    assert run(["--db", db, "settle", "--json"]) == 0
    view = json.loads(capsys.readouterr().out)
    assert sum(row["net"] for row in view["players"]) + view["kitty"] + view["pool"] == 0
