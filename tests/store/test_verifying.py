"""A file that was edited with the guards off: `verify` says where, and why."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import Broken, StoreError, Verified, chain, guards, open_store, stretches, verifying

if TYPE_CHECKING:
    from tests.store.conftest import Maker

S = "a" * 32
R = "b" * 32
EVENTS = 12


@pytest.fixture
def filled(path: Path, maker: Maker) -> Path:
    """Twelve events of six commands in two sessions; event 5 is the first of a command of two."""
    with open_store(str(path)) as store:
        for session in (S, R, S, S, R, S):
            maker.fill(store, session, 1, events=2)
    return path


def edit(path: Path, *statements: str) -> None:
    """Edits the file as its owner can: guards off, edit, guards on again."""
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        owner.execute("PRAGMA ignore_check_constraints = ON")
        for name in guards.sqlite_guards():
            owner.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            owner.execute(statement)
        for guard in guards.sqlite_guards().values():
            owner.execute(guard)


class NoHelpers(stretches.Helpers):
    """Helpers that all fail: every stretch is left to the process itself."""

    def __init__(self, address: str, ledger: str, stretches: Sequence[tuple[int, int]]) -> None:
        self._started = []

    def result(self, number: int) -> None:
        return None


def verify(path: Path) -> Verified | Broken:
    """What `verify` finds, which is the same in one stretch and in several."""
    with open_store(str(path)) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "Helpers", NoHelpers)
        outcomes = [store.verify(processes) for processes in (1, 2, 3, 5, EVENTS)]
    assert outcomes == [outcomes[0]] * 5
    return outcomes[0]


def test_what_nobody_edited_verifies(filled: Path) -> None:
    outcome = verify(filled)
    assert isinstance(outcome, Verified)
    assert (outcome.events, outcome.head.position, outcome.withheld) == (EVENTS, EVENTS, ())


ANOTHER_VALUE = {
    "event_id": "zeroblob(16)",
    "session": f"'{'c' * 32}'",
    "version": "99",
    "event_type": "'other'",
    "schema_version": "2",
    "occurred_at": "occurred_at + 1",
    "zone": "'UTC'",
    "recorded_at": "recorded_at + 1",
    "command_id": "zeroblob(16)",
    "cause": "1",
    "payload_hash": "zeroblob(32)",
    "payload": "x'7b7d'",
    "salt": "zeroblob(16)",
    "hash": "zeroblob(32)",
}


@pytest.mark.parametrize("column", ANOTHER_VALUE)
def test_an_edit_of_any_column_is_found_where_it_is(filled: Path, column: str) -> None:
    edit(filled, f"UPDATE events SET {column} = {ANOTHER_VALUE[column]} WHERE position = 7")
    outcome = verify(filled)
    assert isinstance(outcome, Broken)
    assert outcome.position == 7
    assert ("payload" in outcome.reason) == (column in ("payload", "salt", "payload_hash"))


def _rehash_payload(position: int) -> Callable[[sqlite3.Connection], None]:
    def change(owner: sqlite3.Connection) -> None:
        (salt,) = owner.execute("SELECT salt FROM events WHERE position = ?", (position,)).fetchone()
        changed = b'{"units":999}'
        owner.execute(
            "UPDATE events SET payload = ?, payload_hash = ? WHERE position = ?",
            (changed, sha256(salt + changed).digest(), position),
        )

    return change


def _rehash_event(position: int) -> Callable[[sqlite3.Connection], None]:
    """Payload, its hash and the event's own hash made to fit each other."""

    def change(owner: sqlite3.Connection) -> None:
        _rehash_payload(position)(owner)
        (ledger_id,) = owner.execute("SELECT ledger_id FROM ledgers").fetchone()
        columns = (
            "position, event_id, session, version, event_type, schema_version, occurred_at, zone,"
            " recorded_at, command_id, cause, payload_hash, payload, salt, hash"
        )
        row = owner.execute(f"SELECT {columns} FROM events WHERE position = ?", (position,)).fetchone()
        query = "SELECT hash FROM events WHERE position = ?"
        (previous,) = owner.execute(query, (position - 1,)).fetchone()
        linked = chain.link(previous, chain.headers(ledger_id, [row])[0])
        owner.execute("UPDATE events SET hash = ? WHERE position = ?", (linked, position))

    return change


@pytest.mark.parametrize(
    ("change", "found_at"), [(_rehash_payload(7), 7), (_rehash_event(7), 8), (_rehash_event(EVENTS), EVENTS)]
)
def test_recomputed_hashes_are_found_one_further_on(
    filled: Path, change: Callable[[sqlite3.Connection], None], found_at: int
) -> None:
    edit(filled)
    with closing(sqlite3.connect(filled, isolation_level=None)) as owner:
        owner.execute("DROP TRIGGER events_no_update")
        change(owner)
        owner.execute(guards.sqlite_guards()["events_no_update"])
    outcome = verify(filled)
    assert isinstance(outcome, Broken)
    assert outcome.position == found_at


def test_a_deleted_event_is_missing(filled: Path) -> None:
    edit(filled, "DELETE FROM events WHERE position = 4")
    assert verify(filled) == Broken(4, "the event is missing")


def test_two_events_exchanged(filled: Path) -> None:
    edit(
        filled,
        "UPDATE events SET position = 100 WHERE position = 4",
        "UPDATE events SET position = 4 WHERE position = 6",
        "UPDATE events SET position = 6 WHERE position = 100",
    )
    outcome = verify(filled)
    assert isinstance(outcome, Broken)
    assert outcome.position == 4


def test_a_cut_tail(filled: Path) -> None:
    edit(filled, "DELETE FROM events WHERE position > 8", "DELETE FROM commands WHERE first_position > 8")
    assert verify(filled) == Broken(9, "the tail was cut: the head stands at 12, the last event is 8")


def test_a_head_that_was_moved(filled: Path) -> None:
    edit(filled, "UPDATE heads SET position = 10")
    assert verify(filled) == Broken(11, "events stand beyond the head, which is at 10")


def test_a_head_with_another_hash_or_time(filled: Path) -> None:
    edit(filled, "UPDATE heads SET recorded_at = recorded_at + 1")
    assert verify(filled) == Broken(12, "the head has another time than the last event")
    edit(filled, "UPDATE heads SET hash = zeroblob(32)")
    assert verify(filled) == Broken(12, "the head has another hash than the last event")


def test_a_ledger_without_its_head(filled: Path, maker: Maker) -> None:
    edit(filled, "DELETE FROM heads")
    assert verify(filled) == Broken(1, "the ledger has no head")
    with open_store(str(filled)) as store, pytest.raises(StoreError, match="the ledger has no head"):
        store.append(S, store.version(S), [maker.command()])


def test_an_emptied_ledger(filled: Path) -> None:
    edit(filled, "DELETE FROM events", "DELETE FROM commands")
    assert verify(filled) == Broken(1, "the tail was cut: the head stands at 12, the last event is 0")


def test_a_command_that_was_deleted_or_changed(filled: Path) -> None:
    """Else it could be recorded a second time."""
    edit(filled, "UPDATE commands SET command_id = zeroblob(16) WHERE first_position = 5")
    outcome = verify(filled)
    assert outcome == Broken(5, "the command of this event is another than the commands say")
    edit(filled, "DELETE FROM commands WHERE first_position = 5")
    assert verify(filled) == Broken(5, "the command of this event is not among the commands")
    edit(filled, "DELETE FROM commands WHERE first_position > 5")
    assert verify(filled) == Broken(5, "the command of this event is not among the commands")


def test_a_command_that_covers_too_much(filled: Path) -> None:
    edit(filled, "UPDATE commands SET last_position = 13 WHERE first_position = 11")
    assert verify(filled) == Broken(12, "the commands go beyond the last event")
    edit(filled, "UPDATE commands SET last_position = 7 WHERE first_position = 5")
    assert verify(filled) == Broken(7, "the command of this event is another than the commands say")


def test_two_ledgers_exchanged(path: Path, maker: Maker) -> None:
    for name in ("club", "home"):
        with open_store(str(path), ledger=name) as store:
            maker.fill(store, S, 3)
    edit(
        path,
        "UPDATE ledgers SET name = 'x' WHERE name = 'club'",
        "UPDATE ledgers SET name = 'club' WHERE name = 'home'",
        "UPDATE ledgers SET name = 'home' WHERE name = 'x'",
        "UPDATE ledgers SET ledger_id = ledger_id || 'x'",
        "UPDATE ledgers SET ledger_id = (SELECT substr(other.ledger_id, 1, 32) FROM ledgers AS other"
        " WHERE other.ledger <> ledgers.ledger) WHERE ledger = 1",
    )
    with open_store(str(path), ledger="home") as store:
        outcome = store.verify()
    assert isinstance(outcome, Broken)
    assert outcome.position == 1


def test_withheld_payloads_are_withheld_and_not_broken(filled: Path) -> None:
    edit(
        filled,
        "UPDATE events SET payload = NULL, salt = NULL WHERE position IN (2, 3, 4, 9)",
        "DELETE FROM commands",
        "UPDATE ledgers SET copy_for = 'A'",
    )
    outcome = verify(filled)
    assert isinstance(outcome, Verified)
    assert outcome.withheld == ((2, 4), (9, 9))
    with open_store(str(filled)) as store:
        (event,) = store.read(after=8, upto=9)
        assert (event.payload, event.salt) == (None, None)


def test_a_payload_taken_out_of_what_is_no_copy_is_found(filled: Path) -> None:
    edit(filled, "UPDATE events SET payload = NULL, salt = NULL WHERE position = 3")
    assert verify(filled) == Broken(3, "the payload is gone, and this is no copy")


def test_a_withheld_payload_in_an_edited_event_is_still_found(filled: Path) -> None:
    edit(filled, "UPDATE events SET payload = NULL, salt = NULL, event_type = 'other' WHERE position = 3")
    outcome = verify(filled)
    assert isinstance(outcome, Broken)
    assert outcome.position == 3


def test_a_column_of_the_wrong_type(filled: Path) -> None:
    """A STRICT table refuses it; one made anew without STRICT does not."""
    columns = "SELECT * FROM events"
    edit(
        filled,
        f"CREATE TABLE loose AS {columns}",
        "DROP TABLE events",
        "ALTER TABLE loose RENAME TO events",
        "UPDATE events SET command_id = 'text' WHERE position = 6",
    )
    assert verify(filled) == Broken(6, "a column holds what cannot stand there")


def test_several_processes_find_the_same(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[tuple[int, int]] = []
    with open_store(str(filled)) as store:
        follow = store.follow

        def noted(first: int, last: int) -> verifying.Walk | Broken:
            walked.append((first, last))
            return follow(first, last)

        monkeypatch.setattr(store, "follow", noted)
        assert store.verify(processes=3) == store.verify(processes=1)
    assert walked == [(1, 4), (1, EVENTS)]  # the other stretches were left to the helpers
    edit(filled, "UPDATE events SET zone = 'UTC' WHERE position = 11")
    with open_store(str(filled)) as store:
        outcome = store.verify(processes=3)
    assert isinstance(outcome, Broken)
    assert outcome.position == 11


def test_the_first_of_several_edits_is_named(filled: Path) -> None:
    edit(filled, "UPDATE events SET zone = 'UTC' WHERE position IN (5, 8, 10)")
    outcome = verify(filled)
    assert isinstance(outcome, Broken)
    assert outcome.position == 5


def no_memory(*_: object, **__: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


def ended_at_once(_: object, **options: Any) -> subprocess.Popen[bytes]:
    """A helper that is gone before it has read what it is to do."""
    process = subprocess.Popen([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], **options)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    return process


def silent(_: object, **options: Any) -> subprocess.Popen[bytes]:
    """A helper that says nothing and calls that well."""
    return subprocess.Popen([sys.executable, "-c", "pass"], **options)


@pytest.mark.parametrize("start", [no_memory, ended_at_once, silent])
def test_what_helpers_do_not_follow_is_followed_without_them(
    filled: Path, monkeypatch: pytest.MonkeyPatch, start: Callable[..., object]
) -> None:
    with open_store(str(filled)) as store:
        alone = store.verify(processes=1)
        monkeypatch.setattr(stretches, "subprocess", SimpleNamespace(**vars(subprocess) | {"Popen": start}))
        assert store.verify(processes=3) == alone == Verified(EVENTS, store.head())


@pytest.mark.parametrize("file", ["json.py", "ledger/__init__.py"])
def test_helpers_run_nothing_of_the_folder_they_are_started_in(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    strange = tmp_path / file
    strange.parent.mkdir(exist_ok=True)
    strange.write_text("open('was run', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with open_store(str(filled)) as store:
        assert isinstance(store.verify(processes=3), Verified)
    assert not (tmp_path / "was run").exists()
