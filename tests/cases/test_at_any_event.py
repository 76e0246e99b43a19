"""The table as it stood at any event of an evening, and what is found where somebody edited the file since."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import to_recorded
from ledger.session.project import project
from ledger.session.state import Session
from ledger.store import open_store
from ledger.views import labels, table_view

EVENINGS = Path(__file__).parent / "evenings"


@pytest.mark.parametrize("name", ["contract-sheet", "jack-pots", "undo"])
def test_the_table_at_every_event_is_the_fold_up_to_it(name: str, table: Any) -> None:
    recorded = table.recorded(EVENINGS / f"{name}.sheet")
    with open_store(f"sqlite:///{table.folder}/ledger.db", create=False) as store:
        events = [to_recorded(stored) for stored in store.read(recorded["session"])]
        names = {row.player: row.name for row in store.names()}
    assert [event.position for event in events] == list(range(1, recorded["events"] + 1))
    session = Session(recorded["session"])
    for event in events:
        project(session, event)
        told = table.ask("table", "last", "--at", str(event.position), "--json").json
        assert told == table_view(session, labels(session, names.__getitem__))
        assert told["pool"] + sum(told["held"].values()) + session.bank.kitty == (
            sum(session.bank.bought.values()) - sum(session.bank.cashed.values())
        )
    assert table.ask("table", "last", "--json").json == told


def test_the_table_in_the_middle_of_the_worked_example(table: Any) -> None:
    """000 page 36: B has made 18 of his stake and drawn; C, with 6 in, has to add 12 or go."""
    table.recorded(EVENINGS / "english-worked-example.sheet")
    steps = table.ask("hand", "last", "1", "--json").json["events"]
    drawn = next(step["event"] for step in steps if step["type"] == "drew")
    told = table.ask("table", "last", "--at", str(drawn), "--json").json
    assert told["stakes"] == {"A": 18, "B": 18, "C": 6, "D": 0, "E": 6}
    assert (told["phase"], told["pool"], told["to_act"]) == ("draw", 48, "C")
    assert {"player": "C", "action": "call", "min": 12, "max": 12} in told["allowed"]
    assert not any(option["action"] == "raise" for option in told["allowed"])


EDITS: dict[str, tuple[str, int]] = {
    "an amount": (
        """UPDATE events SET payload = CAST(replace(CAST(payload AS TEXT), '"units":6', '"units":7') AS BLOB)
        WHERE event_type = 'staked' AND CAST(payload AS TEXT) LIKE '%"units":6%'""",
        0,
    ),
    "a payload that is none": ("UPDATE events SET payload = x'00ff' WHERE position = 20", 20),
    "a time": ("UPDATE events SET occurred_at = occurred_at + 1 WHERE position = 21", 21),
    "an event taken out": ("DELETE FROM events WHERE position = 22", 22),
    "two players exchanged": (
        """UPDATE events SET payload = (SELECT payload FROM events WHERE position = 13),
        salt = (SELECT salt FROM events WHERE position = 13) WHERE position = 14""",
        14,
    ),
}


@pytest.fixture(params=[True, False], ids=["guards put back", "guards left off"])
def edited(request: pytest.FixtureRequest, table: Any) -> Callable[[str], tuple[Any, int]]:
    """A recorded evening in which somebody changed something with sqlite3, having dropped the triggers."""

    def edit(statement: str) -> tuple[Any, int]:
        table.recorded(EVENINGS / "english-worked-example.sheet")
        file = sqlite3.connect(table.folder / "ledger.db", isolation_level=None)
        guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        assert guards
        for name, _ in guards:
            file.execute(f"DROP TRIGGER {name}")
        first = file.execute(
            """SELECT min(position) FROM events WHERE event_type = 'staked'
            AND CAST(payload AS TEXT) LIKE '%"units":6%'"""
        ).fetchone()[0]
        assert file.execute(statement).rowcount > 0
        for _, definition in guards if request.param else []:
            file.execute(definition)
        file.close()
        return table, first

    return edit


@pytest.mark.parametrize("edit", EDITS)
def test_the_first_event_that_does_not_fit_is_named(
    edit: str, edited: Callable[[str], tuple[Any, int]]
) -> None:
    statement, position = EDITS[edit]
    table, first_staked = edited(statement)
    broken_at = position or first_staked
    for command in (("audit",), ("audit", "last"), ("verify",)):
        answer = table.ask(*command, "--json")
        assert (answer.code, answer.err) == (1, "")
        assert answer.json["chain"]["broken_at"] == broken_at
        told = table.ask(*command)
        assert told.code == 1
        assert f"the chain is broken at event {broken_at}: " in told.out


def test_guards_that_are_gone_are_told_though_nothing_else_was_changed(table: Any) -> None:
    table.recorded(EVENINGS / "undo.sheet")
    with sqlite3.connect(table.folder / "ledger.db") as file:
        file.execute("DROP TRIGGER events_no_update")
    file.close()
    for command in (("audit",), ("verify",)):
        answer = table.ask(*command, "--json")
        assert answer.code == 1
        assert answer.json["chain"] == "ok"
        assert "the guard events_no_update is missing" in answer.json["guards"]
        assert "the guard events_no_update is missing" in table.ask(*command).out
    refused = table.ask("hand", "last", "1")
    assert (refused.code, refused.out) == (2, "")
    assert "the guard events_no_update is missing" in refused.err
