"""The tables are append-only whoever writes to the database, and a store without its guards is not opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import NameRow, StoreError, Verified, open_store
from ledger.store.guards import postgresql_guards, sqlite_guards

if TYPE_CHECKING:
    from tests.store.conftest import Maker

S = "a" * 32

REWRITES = [
    "UPDATE events SET payload = x'7b7d' WHERE position = 2",
    "UPDATE events SET payload = NULL, salt = NULL",
    "UPDATE OR REPLACE events SET position = 1 WHERE position = 2",
    "DELETE FROM events WHERE position = 3",
    "DELETE FROM events",
    "INSERT OR REPLACE INTO events SELECT * FROM events WHERE position = 2",
    "REPLACE INTO events SELECT * FROM events WHERE position = 3",
    "INSERT INTO events SELECT * FROM events WHERE position = 2"
    " ON CONFLICT (ledger, position) DO UPDATE SET zone = 'UTC'",
    # at a new position, but with the session and version of an old event: REPLACE would delete the old one
    "INSERT OR REPLACE INTO events SELECT ledger, 4, event_id, session, version, event_type, schema_version,"
    " occurred_at, zone, recorded_at, command_id, cause, payload_hash, payload, salt, hash"
    " FROM events WHERE position = 2",
    "UPDATE commands SET content_hash = zeroblob(32)",
    "DELETE FROM commands",
    "INSERT OR REPLACE INTO commands SELECT * FROM commands WHERE first_position = 1",
    "INSERT OR REPLACE INTO commands SELECT ledger, 9, 9, command_id, zeroblob(32) FROM commands"
    " WHERE first_position = 1",
    "UPDATE heads SET position = position - 1",
    "UPDATE heads SET hash = zeroblob(32)",
    "UPDATE heads SET position = position + 1, recorded_at = recorded_at - 1",
    "DELETE FROM heads",
    "INSERT OR REPLACE INTO heads SELECT ledger, 1, hash, recorded_at FROM heads",
    "UPDATE ledgers SET name = 'other'",
    "DELETE FROM ledgers",
    "INSERT OR REPLACE INTO ledgers SELECT ledger, ledger_id, 'other', created_at, copy_for FROM ledgers",
    "UPDATE names SET name = 'B'",
    "INSERT OR REPLACE INTO names SELECT ledger, name_hash, player, 'B', salt FROM names",
    "UPDATE checkpoints SET note = ''",
    "DELETE FROM checkpoints",
    "INSERT OR REPLACE INTO checkpoints SELECT ledger, position, key_name, '', recorded_at FROM checkpoints",
]


@pytest.fixture
def filled(path: Path, maker: Maker) -> Path:
    """A store with a row in every table."""
    with open_store(str(path)) as store:
        name = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
        store.append(S, 0, [maker.command()], [name])
        maker.fill(store, S, 2)
        store.keep_checkpoint(3, "host", "note")
    return path


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize("statement", REWRITES)
def test_a_stranger_with_sqlite3_is_refused(filled: Path, statement: str) -> None:
    before = _dump(filled)
    with closing(sqlite3.connect(filled)) as stranger:
        with pytest.raises(sqlite3.DatabaseError, match="append-only"):
            stranger.execute(statement)
        stranger.commit()
    assert _dump(filled) == before


def test_names_may_be_deleted(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as owner:
        assert owner.execute("DELETE FROM names").rowcount == 1
        owner.commit()
    with open_store(str(filled)) as store:
        assert store.names() == []
        assert isinstance(store.verify(), Verified)


@pytest.mark.parametrize("name", sorted(sqlite_guards()))
def test_a_missing_guard_is_named(filled: Path, name: str) -> None:
    with closing(sqlite3.connect(filled)) as stranger:
        stranger.execute(f"DROP TRIGGER {name}")
    with pytest.raises(StoreError, match=f"the guard {name} is missing"):
        open_store(str(filled))


def test_a_guard_that_guards_nothing_is_named(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as stranger:
        stranger.execute("DROP TRIGGER events_no_update")
        stranger.execute("CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN 0 BEGIN SELECT 1; END")
    with pytest.raises(StoreError, match="the guard events_no_update was changed"):
        open_store(str(filled))


def test_a_rebuilt_table_has_lost_its_guards_and_is_found(filled: Path) -> None:
    """What Alembic's batch_alter_table does: copy, drop, rename."""
    with closing(sqlite3.connect(filled)) as migration:
        migration.executescript(
            "CREATE TABLE moved AS SELECT * FROM events; DROP TRIGGER events_no_delete; DROP TABLE events;"
            " ALTER TABLE moved RENAME TO events;"
        )
    with pytest.raises(StoreError, match="the guard events_no_"):
        open_store(str(filled))


@pytest.fixture
def server(postgresql_database: Callable[[], str], maker: Maker) -> Iterator[tuple[str, Any]]:
    """A filled store on PostgreSQL and a stranger's connection to it."""
    psycopg = pytest.importorskip("psycopg")
    url = postgresql_database()
    with open_store(url) as store:
        name = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
        store.append(S, 0, [maker.command()], [name])
        maker.fill(store, S, 2)
        store.keep_checkpoint(3, "host", "note")
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as stranger:
        yield url, stranger


POSTGRESQL_REWRITES = [
    *(f"TRUNCATE {table} CASCADE" for table in ("events", "commands", "heads", "names", "checkpoints")),
    *(f"DELETE FROM {table}" for table in ("events", "commands", "heads", "checkpoints", "ledgers")),
    "UPDATE events SET payload = NULL, salt = NULL WHERE position = 2",
    "INSERT INTO events SELECT * FROM events WHERE position = 2"
    " ON CONFLICT (ledger, position) DO UPDATE SET zone = 'UTC'",
    "UPDATE commands SET content_hash = hash FROM heads",
    "UPDATE heads SET position = position - 1",
    "UPDATE heads SET hash = sha256(hash)",
    "UPDATE ledgers SET name = 'other'",
    "UPDATE names SET name = 'B'",
    "UPDATE checkpoints SET note = ''",
]


def test_a_stranger_on_postgresql_is_refused(server: tuple[str, Any]) -> None:
    url, stranger = server
    for statement in POSTGRESQL_REWRITES:
        with pytest.raises(Exception, match="append-only"):
            stranger.execute(statement)
    # the superuser's way round triggers; ours fire always
    stranger.execute("SET session_replication_role = replica")
    with pytest.raises(Exception, match="append-only"):
        stranger.execute("DELETE FROM events")
    with open_store(url) as store:
        assert store.verify() == Verified(3, store.head())


def test_a_missing_or_disabled_guard_on_postgresql_is_named(server: tuple[str, Any]) -> None:
    url, stranger = server
    for name, (table, statement) in postgresql_guards().items():
        stranger.execute(f"DROP TRIGGER {name} ON {table}")
        with pytest.raises(StoreError, match=f"the guard {name} is missing"):
            open_store(url)
        stranger.execute(statement)
        with pytest.raises(StoreError, match=f"the guard {name} was changed"):
            open_store(url)
        stranger.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    stranger.execute(
        "CREATE OR REPLACE FUNCTION mistigris_refuse() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RETURN OLD; END'"
    )
    with pytest.raises(StoreError, match="the guard mistigris_refuse was changed"):
        open_store(url)
