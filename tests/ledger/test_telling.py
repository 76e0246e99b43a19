"""Events told in a line: nothing is told of which the reader would still have to ask what it was."""

import pytest

from ledger.recorder import SheetRecorded
from ledger.store import open_store
from ledger.telling import tell_recorded
from tests.support.recorded import record

HEAD = """session "Told" on 2026-10-24 at 20:00 in Europe/London
rules english
set ante 3; set limit 12
unit 1s6d
seat A B
A stops-at 23:30
stops-at 02:30
at 20:12
"""


def lines(done: SheetRecorded) -> list[str]:
    return [tell_recorded(recorded, done.names.name) for recorded in done.session.log]


@pytest.mark.parametrize(
    "line", ["a counter costs 1s 6d", "A stops at 23:30", "all stop at 02:30", "it is 20:12"]
)
def test_prices_and_times_are_told_as_they_were_written(line: str) -> None:
    with open_store("sqlite://") as store:
        assert line in lines(record(store, HEAD))


def test_what_an_amendment_changes_in_a_price_or_a_time_is_seen() -> None:
    with open_store("sqlite://") as store:
        record(store, HEAD)
        changed = HEAD.replace("1s6d", "2s").replace("20:12", "21:12")
        changes = record(store, changed, amend="read wrong").changes
    assert changes[:2] == ["- a counter costs 1s 6d", "+ unit 2s"]
    assert "- it is 20:12" in changes
    assert "+ at 21:12" in changes


def test_a_kitty_that_cannot_be_brought_forward_is_told_with_its_reason() -> None:
    evening = (
        'session "{}" on {}\nrules english\nset ante 3; set limit 12\nunit {}\nkitty 1 per hand\nseat A B\n'
        "A buys 20; B buys 20\nhand dealer A\nB antes; deal; A opens 6; B passes\n"
    )
    with open_store("sqlite://") as store:
        record(store, evening.format("One", "2026-11-27", "5c") + "close")
        done = record(store, evening.format("Two", "2026-11-28", "1d"))
    assert "a kitty is not brought forward: its counters had another price" in lines(done)
