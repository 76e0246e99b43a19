"""What is done to a file, and what finds it: chain, checkpoint or a player's receipt (docs/PROMISES.md)."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ledger.receipts.checkpoints import check_chain, sign_head
from ledger.receipts.keys import host_key, keep_newest, public_keys
from ledger.receipts.notes import Checkpoint
from ledger.receipts.receipt import Receipt, hold, origin, parse_receipt, receipt_for
from ledger.store import Broken, chain, open_store
from ledger.store.guards import sqlite_guards
from ledger.store.store import Store
from tests.support.recorded import FRIDAY, record

ROWS = re.compile(
    r"^\| (.+?) \| (found|not found) \| (found|not found) \| (found|not found) \|$", re.MULTILINE
)
EDITED = b'{"type":"time_told"}'


@dataclass(frozen=True)
class Scene:
    """Two evenings on file, the file as it was after the first, the host's key, a receipt of the end."""

    path: Path
    older: Path
    key: Path
    receipt: Receipt
    between: int
    """The position at which the first evening ended."""


@pytest.fixture
def scene(path: Path, own_key: Path) -> Scene:
    older = path.with_name("older.db")
    with open_store(str(path)) as store:
        between = _evening(store, "Friday", own_key).position
        shutil.copy(path, older)
        receipt = _evening(store, "Saturday", own_key)
    return Scene(path, older, own_key, receipt, between)


def _evening(store: Store, title: str, key: Path) -> Receipt:
    """Records an evening, signs the head as its close does, and gives a player his receipt."""
    done = record(store, FRIDAY.replace("Friday", title) + "close\n")
    sign_head(store, key)
    return parse_receipt(host_key(key).sign(receipt_for(store, done.session).text).whole)


@contextmanager
def _without_guards(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection:
        for name in sqlite_guards():
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for statement in sqlite_guards().values():
            connection.execute(statement)
        connection.commit()


def _ledger_id(connection: sqlite3.Connection) -> str:
    return str(connection.execute("SELECT ledger_id FROM ledgers").fetchone()[0])


COLUMNS = (
    "position, event_id, session, version, event_type, schema_version, occurred_at, zone, recorded_at, command_id,"
    " cause, payload_hash, payload, salt, hash"
)


def _rehash(connection: sqlite3.Connection, first: int, last: int) -> None:
    """Recomputes payload hash and hash of events, each from the one before it."""
    id_ = _ledger_id(connection)
    found = connection.execute("SELECT hash FROM events WHERE position = ?", (first - 1,)).fetchone()
    link = found[0] if found else chain.genesis(id_)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE position BETWEEN ? AND ?", (first, last)
    ).fetchall()
    for row in rows:
        body = chain.payload_hash(row[13], row[12])
        (header,) = chain.headers(id_, [(*row[:11], body, *row[12:])])
        link = chain.link(link, header)
        connection.execute(
            "UPDATE events SET payload_hash = ?, hash = ? WHERE position = ?", (body, link, row[0])
        )


def _head_to_the_end(connection: sqlite3.Connection) -> None:
    connection.execute(
        "UPDATE heads SET (position, hash, recorded_at) ="
        " (SELECT position, hash, recorded_at FROM events ORDER BY position DESC LIMIT 1)"
    )


def _edit(connection: sqlite3.Connection, position: int) -> None:
    connection.execute("UPDATE events SET payload = ? WHERE position = ?", (EDITED, position))


def edited(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        _edit(connection, 9)


def edited_and_rehashed(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        _edit(connection, 9)
        _rehash(connection, 9, 9)


def deleted(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        connection.execute("DELETE FROM events WHERE position = 9")


def swapped(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        for one, other in ((9, 0), (10, 9), (0, 10)):
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("UPDATE events SET position = ? WHERE position = ?", (other, one))


def cut(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        _cut(connection, scene.receipt.position - 1)


def _cut(connection: sqlite3.Connection, upto: int) -> None:
    connection.execute("DELETE FROM events WHERE position > ?", (upto,))
    connection.execute("DELETE FROM commands WHERE first_position > ?", (upto,))
    connection.execute("UPDATE commands SET last_position = ? WHERE last_position > ?", (upto, upto))


def cut_and_head_put_back(scene: Scene) -> None:
    with _without_guards(scene.path) as connection:
        _cut(connection, scene.receipt.position - 1)
        _head_to_the_end(connection)
        connection.execute("DELETE FROM checkpoints WHERE position = ?", (scene.receipt.position,))


def rebuilt(scene: Scene) -> None:
    _rebuild(scene, 9)


def _rebuild(scene: Scene, edited_at: int) -> None:
    with _without_guards(scene.path) as connection:
        _edit(connection, edited_at)
        _rehash(connection, 1, scene.receipt.position + 1000)
        _head_to_the_end(connection)


def rebuilt_and_signed(scene: Scene) -> None:
    rebuilt(scene)
    _sign_all_again(scene)


def _sign_all_again(scene: Scene) -> None:
    """What the host can do: he has the key, and the folder beside it."""
    key = host_key(scene.key)
    with _without_guards(scene.path) as connection:
        id_ = _ledger_id(connection)
        rows = connection.execute("SELECT position FROM checkpoints ORDER BY position").fetchall()
        note = ""
        for (position,) in rows:
            (hash_,) = connection.execute(
                "SELECT hash FROM events WHERE position = ?", (position,)
            ).fetchone()
            note = key.sign(Checkpoint(origin(id_), position, hash_).text).whole
            connection.execute("UPDATE checkpoints SET note = ? WHERE position = ?", (note, position))
    keep_newest(scene.key, id_, note)


def replaced_by_an_older_copy(scene: Scene) -> None:
    shutil.copy(scene.older, scene.path)


def rebuilt_after_the_receipt(scene: Scene) -> None:
    with open_store(str(scene.path)) as store:
        _evening(store, "Sunday", scene.key)
    _rebuild(scene, scene.receipt.position + 9)
    _sign_all_again(scene)


DONE: dict[str, Callable[[Scene], None]] = {
    "a payload is edited": edited,
    "a payload is edited and its event's hashes recomputed": edited_and_rehashed,
    "an event is deleted": deleted,
    "two events are swapped": swapped,
    "the tail is cut": cut,
    "the tail is cut and the head put back": cut_and_head_put_back,
    "the chain is rebuilt from an edit to its end": rebuilt,
    "the chain is rebuilt and signed again by the host": rebuilt_and_signed,
    "the file is replaced by an older copy of itself": replaced_by_an_older_copy,
    "what came after the receipt is rebuilt and signed again": rebuilt_after_the_receipt,
}


def _found(scene: Scene) -> tuple[bool, bool, bool]:
    """Whether it is found by the chain alone, with the checkpoints, with the receipt."""
    keys = public_keys(scene.key)
    with open_store(str(scene.path), create=False) as store:
        held = hold(store, scene.receipt, keys)
        return (
            isinstance(store.verify(), Broken),
            check_chain(store, keys, scene.key).fault is not None,
            held.fault is not None or held.broken is not None,
        )


def _promised() -> dict[str, tuple[bool, bool, bool]]:
    text = (Path(__file__).parents[2] / "docs" / "PROMISES.md").read_text("utf-8")
    return {what: (a == "found", b == "found", c == "found") for what, a, b, c in ROWS.findall(text)}


def test_nothing_is_found_where_nothing_was_done(scene: Scene) -> None:
    assert _found(scene) == (False, False, False)


def test_the_page_tells_of_everything_that_is_tried() -> None:
    assert list(_promised()) == list(DONE)


@pytest.mark.parametrize("what", DONE)
def test_what_is_found_is_what_the_page_promises(scene: Scene, what: str) -> None:
    DONE[what](scene)
    assert _found(scene) == _promised()[what]


def test_a_checkpoint_signed_with_another_key_does_not_pass_for_the_hosts(
    scene: Scene, tmp_path: Path
) -> None:
    """Somebody has the file and not the key: he can rebuild the chain, and sign it, but not as the host."""
    rebuilt(scene)
    stranger = Scene(scene.path, scene.older, tmp_path / "other.key", scene.receipt, scene.between)
    _sign_all_again(stranger)
    with open_store(str(scene.path)) as store:
        chain_ = check_chain(store, public_keys(scene.key), scene.key)
    assert chain_.anchored == 0
    assert chain_.fault is not None


def test_a_receipt_of_before_the_edit_still_matches(scene: Scene) -> None:
    """It says nothing of what came after it."""
    with open_store(str(scene.path)) as store:
        hash_ = store.hash_at(scene.between)
        assert hash_ is not None
    _rebuild(scene, scene.between + 9)
    with open_store(str(scene.path)) as store:
        assert hold(store, Receipt(scene.between, hash_)).fault is None
        assert hold(store, scene.receipt).fault is not None
