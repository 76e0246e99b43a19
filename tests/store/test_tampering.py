"""What is done to a store, and what finds it: chain, checkpoint or a player's receipt (docs/PROMISES.md).

Each is done to a SQLite file and to a PostgreSQL database, by whoever owns it: he takes the guards off, writes,
and puts them back.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, CursorResult, create_engine, make_url, text
from sqlalchemy.pool import NullPool

from ledger.receipts.checkpoints import check_chain, sign_head
from ledger.receipts.keys import host_key, keep_newest, public_keys
from ledger.receipts.notes import Checkpoint
from ledger.receipts.receipt import Receipt, hold, origin, parse_receipt, receipt_for
from ledger.store import Broken, chain, guards, open_store
from ledger.store.store import Store
from tests.support.recorded import FRIDAY, record

ROWS = re.compile(
    r"^\| (.+?) \| (found|not found) \| (found|not found) \| (found|not found) \|$", re.MULTILINE
)
EDITED = b'{"type":"time_told"}'
ASIDE = 1_000_000
"""A position beyond every event, to put one aside."""


@dataclass(frozen=True)
class Scene:
    """Three evenings in a store, the store as it was after the first, the host's key, a receipt of the second."""

    store: str
    """Its address."""
    older: str
    key: Path
    receipt: Receipt
    between: int
    """The position at which the first evening ended."""


@pytest.fixture(params=["sqlite", "postgresql"])
def scene(request: pytest.FixtureRequest, path: Path, own_key: Path) -> Scene:
    address = f"sqlite:///{path}"
    if request.param == "postgresql":
        make: Callable[[], str] = request.getfixturevalue("postgresql_database")
        address = make()
    url = make_url(address)
    older = url.set(database=f"{url.database}_older").render_as_string(hide_password=False)
    with open_store(address) as store:
        between = _evening(store, "Friday", own_key).position
    _copy(address, older)
    with open_store(address) as store:
        receipt = _evening(store, "Saturday", own_key)
        _evening(store, "Sunday", own_key)
    return Scene(address, older, own_key, receipt, between)


def _evening(store: Store, title: str, key: Path) -> Receipt:
    """Records an evening, signs the head as its close does, and gives a player his receipt."""
    done = record(store, FRIDAY.replace("Friday", title) + "close\n")
    sign_head(store, key)
    return parse_receipt(host_key(key).sign(receipt_for(store, done.session).text).whole)


def _copy(source: str, target: str) -> None:
    """Puts a copy of one store in the place of another, there or not; nobody may have either open."""
    here, there = make_url(source), make_url(target)
    if here.get_backend_name() == "sqlite":
        shutil.copy(str(here.database), str(there.database))
        return
    server = create_engine(here.set(database="postgres"), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with server.connect() as superuser:
        superuser.exec_driver_sql(f"DROP DATABASE IF EXISTS {there.database}")
        superuser.exec_driver_sql(f"CREATE DATABASE {there.database} TEMPLATE {here.database}")


@contextmanager
def _connected(scene: Scene) -> Iterator[Connection]:
    """The owner's connection past the program, in one transaction."""
    with create_engine(scene.store, poolclass=NullPool).begin() as connection:
        yield connection


@contextmanager
def _without_guards(scene: Scene) -> Iterator[Connection]:
    with _connected(scene) as connection:
        if connection.dialect.name == "sqlite":
            dropped = [f"DROP TRIGGER {name}" for name in guards.sqlite_guards()]
        else:
            dropped = [
                f"DROP TRIGGER {name} ON {table}" for name, (table, _) in guards.postgresql_guards().items()
            ]
        for statement in dropped:
            connection.exec_driver_sql(statement)
        yield connection
        guards.install(connection)


def _run(connection: Connection, statement: str, **values: Any) -> CursorResult[Any]:
    return connection.execute(text(statement), values)


def _ledger_id(connection: Connection) -> str:
    return str(_run(connection, "SELECT ledger_id FROM ledgers").scalar_one())


COLUMNS = (
    "position, event_id, session, version, event_type, schema_version, occurred_at, zone, recorded_at, command_id,"
    " cause, payload_hash, payload, salt, hash"
)


def _rehash(connection: Connection, first: int, last: int) -> None:
    """Recomputes payload hash and hash of events, each from the one before it."""
    id_ = _ledger_id(connection)
    before = "SELECT hash FROM events WHERE position = :position"
    link = _run(connection, before, position=first - 1).scalar_one_or_none() or chain.genesis(id_)
    rows: Any = _run(
        connection,
        f"SELECT {COLUMNS} FROM events WHERE position BETWEEN :first AND :last ORDER BY position",
        first=first,
        last=last,
    ).all()
    for row in rows:
        body = chain.payload_hash(row.salt, row.payload)
        (header,) = chain.headers(id_, [(*row[:11], body, *row[12:])])
        link = chain.link(link, header)
        _run(
            connection,
            "UPDATE events SET payload_hash = :body, hash = :link WHERE position = :position",
            body=body,
            link=link,
            position=row.position,
        )


def _head_to_the_end(connection: Connection) -> None:
    _run(
        connection,
        "UPDATE heads SET (position, hash, recorded_at) ="
        " (SELECT position, hash, recorded_at FROM events ORDER BY position DESC LIMIT 1)",
    )


def _edit(connection: Connection, position: int) -> None:
    _run(
        connection,
        "UPDATE events SET payload = :edited WHERE position = :position",
        edited=EDITED,
        position=position,
    )


def edited(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        _edit(owner, 9)


def edited_and_rehashed(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        _edit(owner, 9)
        _rehash(owner, 9, 9)


def taken_out(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        _run(owner, "UPDATE events SET payload = NULL, salt = NULL WHERE position = 9")


def deleted(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        _run(owner, "DELETE FROM events WHERE position = 9")


def swapped(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        for old, new in ((9, ASIDE), (10, 9), (ASIDE, 10)):
            _run(owner, "UPDATE events SET position = :new WHERE position = :old", old=old, new=new)


def cut(scene: Scene) -> None:
    with _without_guards(scene) as owner:
        _cut(owner, scene.receipt.position - 1)


def _cut(owner: Connection, upto: int) -> None:
    _run(owner, "DELETE FROM events WHERE position > :upto", upto=upto)
    _run(owner, "DELETE FROM commands WHERE first_position > :upto", upto=upto)
    _run(owner, "UPDATE commands SET last_position = :upto WHERE last_position > :upto", upto=upto)


def cut_and_head_put_back(scene: Scene) -> None:
    upto = scene.receipt.position - 1
    with _without_guards(scene) as owner:
        _cut(owner, upto)
        _head_to_the_end(owner)
        _run(owner, "DELETE FROM checkpoints WHERE position > :upto", upto=upto)


def rebuilt(scene: Scene) -> None:
    _rebuild(scene, 9)


def _rebuild(scene: Scene, edited_at: int) -> None:
    with _without_guards(scene) as owner:
        _edit(owner, edited_at)
        _rehash(owner, 1, ASIDE)
        _head_to_the_end(owner)


def rebuilt_and_signed(scene: Scene) -> None:
    rebuilt(scene)
    _sign_all_again(scene)


def _sign_all_again(scene: Scene) -> None:
    """What the host can do: he has the key, and the folder beside it."""
    key = host_key(scene.key)
    with _without_guards(scene) as owner:
        id_ = _ledger_id(owner)
        rows: Any = _run(
            owner,
            "SELECT position, hash FROM events WHERE position IN (SELECT position FROM checkpoints)"
            " ORDER BY position",
        ).all()
        for position, hash_ in rows:
            note = key.sign(Checkpoint(origin(id_), position, hash_).text).whole
            _run(
                owner,
                "UPDATE checkpoints SET note = :note WHERE position = :position",
                note=note,
                position=position,
            )
    keep_newest(scene.key, id_, note)


def replaced_by_an_older_copy(scene: Scene) -> None:
    _copy(scene.older, scene.store)


def rebuilt_after_the_receipt(scene: Scene) -> None:
    _rebuild(scene, scene.receipt.position + 9)
    _sign_all_again(scene)


DONE: dict[str, Callable[[Scene], None]] = {
    "a payload is edited": edited,
    "a payload is edited and its event's hashes recomputed": edited_and_rehashed,
    "a payload is taken out, as from a player's copy": taken_out,
    "an event is deleted": deleted,
    "two events are swapped": swapped,
    "the tail is cut": cut,
    "the tail is cut and the head put back": cut_and_head_put_back,
    "the chain is rebuilt from an edit to its end": rebuilt,
    "the chain is rebuilt and signed again by the host": rebuilt_and_signed,
    "the store is replaced by an older copy of itself": replaced_by_an_older_copy,
    "what came after the receipt is rebuilt and signed again": rebuilt_after_the_receipt,
}


def _found(scene: Scene) -> tuple[bool, bool, bool]:
    """Whether it is found by the chain alone, with the checkpoints, with the receipt."""
    keys = public_keys(scene.key)
    with open_store(scene.store, create=False) as store:
        held = hold(store, scene.receipt, keys)
        return (
            isinstance(store.verify(), Broken),
            check_chain(store, keys, scene.key).fault is not None,
            held.fault is not None or held.broken is not None,
        )


def _recorded(scene: Scene) -> list[tuple[Any, ...]]:
    with _connected(scene) as connection:
        rows = _run(connection, "SELECT position, payload, hash FROM events ORDER BY position").all()
        return [tuple(row) for row in rows]


def _promised() -> dict[str, tuple[bool, bool, bool]]:
    text = (Path(__file__).parents[2] / "docs" / "PROMISES.md").read_text("utf-8")
    return {what: (a == "found", b == "found", c == "found") for what, a, b, c in ROWS.findall(text)}


def test_nothing_is_found_where_nothing_was_done(scene: Scene) -> None:
    assert _found(scene) == (False, False, False)


def test_the_page_tells_of_everything_that_is_tried() -> None:
    assert list(_promised()) == list(DONE)


@pytest.mark.parametrize("what", DONE)
def test_what_is_found_is_what_the_page_promises(scene: Scene, what: str) -> None:
    before = _recorded(scene)
    DONE[what](scene)
    assert _recorded(scene) != before  # what is not found must have been done nevertheless
    assert _found(scene) == _promised()[what]


def test_a_checkpoint_signed_with_another_key_does_not_pass_for_the_hosts(
    scene: Scene, tmp_path: Path
) -> None:
    """Somebody has the store and not the key: he can rebuild the chain, and sign it, but not as the host."""
    rebuilt(scene)
    _sign_all_again(replace(scene, key=tmp_path / "other.key"))
    with open_store(scene.store) as store:
        chain_ = check_chain(store, public_keys(scene.key), scene.key)
    assert chain_.anchored == 0
    assert chain_.fault is not None


def test_a_receipt_of_before_the_edit_still_matches(scene: Scene) -> None:
    """It says nothing of what came after it."""
    with open_store(scene.store) as store:
        hash_ = store.hash_at(scene.between)
        assert hash_ is not None
    _rebuild(scene, scene.between + 9)
    with open_store(scene.store) as store:
        assert hold(store, Receipt(scene.between, hash_)).fault is None
        assert hold(store, scene.receipt).fault is not None
