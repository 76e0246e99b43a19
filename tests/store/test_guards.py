"""The tables are append-only whoever writes to the database, and a store without its guards is not opened.

On a SQLite file and on PostgreSQL alike; there the stranger is the superuser, and owns the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import alembic.migration
import alembic.operations
import pytest
from sqlalchemy import Connection, create_engine, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ledger.store import Broken, NameRow, StoreError, Verified, guards, open_store
from ledger.store.tables import metadata

if TYPE_CHECKING:
    from tests.store.conftest import Maker

S = "a" * 32

EVENT_AT = (
    "SELECT ledger, {}, event_id, session, version, event_type, schema_version, occurred_at, zone, recorded_at,"
    " command_id, cause, payload_hash, payload, salt, hash FROM events WHERE position = 2"
)
COMMAND_AT = "SELECT ledger, {0}, {0}, command_id, content_hash FROM commands WHERE first_position = 1"

UPDATES = [
    "UPDATE events SET payload = payload_hash WHERE position = 2",
    "UPDATE events SET payload = NULL, salt = NULL",
    "UPDATE events SET position = position + 10",
    "UPDATE commands SET content_hash = (SELECT hash FROM heads)",
    "UPDATE heads SET position = position - 1",
    "UPDATE heads SET hash = (SELECT hash FROM events WHERE position = 1)",
    "UPDATE heads SET position = position + 1, recorded_at = recorded_at - 1",
    "UPDATE heads SET position = position + 1, ledger = 2",
    "UPDATE ledgers SET name = 'other'",
    "UPDATE names SET name = 'B'",
    "UPDATE checkpoints SET note = ''",
]
DELETES = [
    "DELETE FROM events WHERE position = 3",
    *(f"DELETE FROM {table}" for table in ("events", "commands", "heads", "ledgers", "checkpoints")),
]
#: An INSERT that meets what is there already: in what table, of what, in which unique columns.
MEETINGS = [
    ("events", EVENT_AT.format(2), "ledger, position"),
    # at a new position, but with the session and version of an old event
    ("events", EVENT_AT.format(4), "ledger, session, version"),
    ("commands", COMMAND_AT.format(1), "ledger, first_position"),
    ("commands", COMMAND_AT.format(9), "command_id, ledger"),
    ("heads", "SELECT ledger, 1, hash, recorded_at FROM heads WHERE true", "ledger"),
    ("ledgers", "SELECT ledger, ledger_id, 'other', 0, copy_for FROM ledgers WHERE true", "ledger"),
    ("ledgers", "SELECT 2, ledger_id, 'other', 0, copy_for FROM ledgers WHERE true", "ledger_id"),
    ("ledgers", f"SELECT 2, '{S}', name, 0, copy_for FROM ledgers WHERE true", "name"),
    ("names", "SELECT ledger, name_hash, player, 'B', salt FROM names WHERE true", "ledger, name_hash"),
    (
        "checkpoints",
        "SELECT ledger, position, key_name, '', recorded_at FROM checkpoints WHERE true",
        "ledger, position, key_name",
    ),
]
SET = {
    "events": "zone = 'UTC'",
    "commands": "content_hash = excluded.command_id",
    "heads": "position = excluded.position",
    "ledgers": "name = 'other'",
    "names": "name = excluded.name",
    "checkpoints": "note = excluded.note",
}
UPSERTS = [
    f"INSERT INTO {table} {rows} ON CONFLICT ({unique}) DO UPDATE SET {SET[table]}"
    for table, rows, unique in MEETINGS
]
#: What only one of the databases knows.
OWN = {
    "sqlite": [
        *(f"INSERT OR REPLACE INTO {table} {rows}" for table, rows, _ in MEETINGS),
        *(f"REPLACE INTO {table} {rows}" for table, rows, _ in MEETINGS),
        "UPDATE OR REPLACE events SET position = 1 WHERE position = 2",
        "UPDATE OR IGNORE events SET zone = 'UTC'",
    ],
    "postgresql": [
        *(f"TRUNCATE {table} CASCADE" for table in SET),
        "TRUNCATE ONLY events",
        "TRUNCATE events, commands, heads, names, checkpoints, ledgers RESTART IDENTITY",
        "WITH gone AS (DELETE FROM events RETURNING position) SELECT count(*) FROM gone",
        "UPDATE events SET zone = 'UTC' FROM heads WHERE events.position = heads.position",
        "DELETE FROM events USING heads WHERE events.position = heads.position",
    ],
}
#: What lets triggers be passed by: REPLACE deletes without firing them; a superuser can have them left out.
BYPASSES = {
    "sqlite": ["PRAGMA recursive_triggers = OFF", "PRAGMA recursive_triggers = ON"],
    "postgresql": ["SET session_replication_role = origin", "SET session_replication_role = replica"],
}


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, path: Path, maker: Maker) -> str:
    """The address of a store with a row in every table."""
    address = f"sqlite:///{path}"
    if request.param == "postgresql":
        make: Callable[[], str] = request.getfixturevalue("postgresql_database")
        address = make()
    with open_store(address) as store:
        name = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
        store.append(S, 0, [maker.command()], [name])
        maker.fill(store, S, 2)
        store.keep_checkpoint(3, "host", "note")
    return address


@pytest.fixture
def stranger(filled: str) -> Iterator[Connection]:
    """A connection past the program; what is run on it is committed."""
    engine = create_engine(filled, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection


def _dump(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    found = {}
    for table in metadata.sorted_tables:
        query = select(table).order_by(*table.primary_key.columns)
        found[table.name] = [tuple(row) for row in connection.execute(query)]
    return found


def _refused(connection: Connection, statement: str) -> bool:
    """Runs a statement; whether a guard was in its way."""
    try:
        connection.exec_driver_sql(statement)
    except DBAPIError as error:
        return "is append-only" in str(error.orig)
    return False


def test_a_stranger_is_refused(filled: str, stranger: Connection) -> None:
    before, database = _dump(stranger), stranger.dialect.name
    for bypass in BYPASSES[database]:
        stranger.exec_driver_sql(bypass)
        statements = [*UPDATES, *DELETES, *UPSERTS, *OWN[database]]
        assert [s for s in statements if not _refused(stranger, s)] == []
    assert _dump(stranger) == before
    with open_store(filled) as store:
        assert store.verify() == Verified(3, store.head())


def test_an_insert_that_leaves_alone_what_is_there_changes_nothing(stranger: Connection) -> None:
    before = _dump(stranger)
    for table, rows, unique in MEETINGS:
        statement = f"INSERT INTO {table} {rows} ON CONFLICT ({unique}) DO NOTHING"
        if not _refused(stranger, statement):  # PostgreSQL does as it is told: nothing
            assert stranger.dialect.name == "postgresql"
            assert _dump(stranger) == before
    assert _dump(stranger) == before


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE heads SET position = position + 1", "the tail was cut"),
        ("INSERT INTO events " + EVENT_AT.format(4).replace(" version,", " 4,"), "do not fit the chain"),
        (
            "INSERT INTO commands SELECT ledger, 4, 4, event_id, content_hash FROM commands JOIN events USING (ledger)"
            " WHERE position = 3 AND first_position = 1",
            "the commands go beyond the last event",
        ),
    ],
)
def test_what_may_be_added_is_found(filled: str, stranger: Connection, statement: str, found: str) -> None:
    """Recording is to move the head and to add rows, so that much is open to a stranger."""
    stranger.exec_driver_sql(statement)
    with open_store(filled) as store:
        outcome = store.verify()
    assert isinstance(outcome, Broken)
    assert found in outcome.reason


def test_names_may_be_deleted(filled: str, stranger: Connection) -> None:
    assert stranger.exec_driver_sql("DELETE FROM names").rowcount == 1
    with open_store(filled) as store:
        assert store.names() == []
        assert isinstance(store.verify(), Verified)


def _guards(database: str) -> dict[str, tuple[str, str]]:
    """Guard -> what it is on, as DROP TRIGGER has it, and what makes it."""
    if database == "sqlite":
        return {name: ("", made) for name, made in guards.sqlite_guards().items()}
    return {name: (f" ON {table}", made) for name, (table, made) in guards.postgresql_guards().items()}


def test_a_missing_guard_is_named(filled: str, stranger: Connection) -> None:
    for name, (on, _) in _guards(stranger.dialect.name).items():
        stranger.exec_driver_sql(f"DROP TRIGGER {name}{on}")
        with pytest.raises(StoreError, match=f"the guard {name} is missing"):
            open_store(filled)
        guards.install(stranger)
    open_store(filled).close()


#: How a guard is made to guard nothing, and is still there.
HOLLOW: dict[str, list[tuple[str, ...]]] = {
    "sqlite": [
        (
            "DROP TRIGGER events_no_update",
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN 0 BEGIN SELECT 1; END",
        ),
    ],
    "postgresql": [
        ("ALTER TABLE events DISABLE TRIGGER events_no_update",),
        ("ALTER TABLE events DISABLE TRIGGER ALL",),
        ("ALTER TABLE events ENABLE REPLICA TRIGGER events_no_update",),
        # not under session_replication_role = replica
        ("ALTER TABLE events ENABLE TRIGGER events_no_update",),
        (
            "DROP TRIGGER events_no_update ON events",
            "CREATE TRIGGER events_no_update BEFORE UPDATE OF zone ON events FOR EACH ROW"
            " EXECUTE FUNCTION mistigris_refuse()",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_no_update",
        ),
        (
            "DROP TRIGGER events_no_update ON events",
            "CREATE SCHEMA other",
            "CREATE FUNCTION other.mistigris_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events FOR EACH ROW"
            " EXECUTE FUNCTION other.mistigris_refuse()",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_no_update",
        ),
        (
            "DROP TRIGGER events_no_update ON events",
            "CREATE TRIGGER events_no_update AFTER UPDATE ON events FOR EACH STATEMENT"
            " EXECUTE FUNCTION mistigris_refuse()",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_no_update",
        ),
    ],
}


def test_a_guard_that_guards_nothing_is_named(filled: str, stranger: Connection) -> None:
    for statements in HOLLOW[stranger.dialect.name]:
        for statement in statements:
            stranger.exec_driver_sql(statement)
        with pytest.raises(StoreError, match="the guard events_no_update was changed"):
            open_store(filled)
        guards.install(stranger)
    open_store(filled).close()


@pytest.mark.parametrize("filled", ["postgresql"], indirect=True)
def test_a_guard_with_another_condition_is_named(filled: str, stranger: Connection) -> None:
    stranger.exec_driver_sql("DROP TRIGGER heads_no_update ON heads")
    stranger.exec_driver_sql(
        "CREATE TRIGGER heads_no_update BEFORE UPDATE ON heads FOR EACH ROW WHEN (false)"
        " EXECUTE FUNCTION mistigris_refuse()"
    )
    stranger.exec_driver_sql("ALTER TABLE heads ENABLE ALWAYS TRIGGER heads_no_update")
    with pytest.raises(StoreError, match="the guard heads_no_update was changed"):
        open_store(filled)


@pytest.mark.parametrize("filled", ["postgresql"], indirect=True)
def test_a_function_that_refuses_nothing_is_named(filled: str, stranger: Connection) -> None:
    stranger.exec_driver_sql(
        "CREATE OR REPLACE FUNCTION mistigris_refuse() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RETURN OLD; END'"
    )
    with pytest.raises(StoreError, match="the guard mistigris_refuse was changed"):
        open_store(filled)


@pytest.mark.parametrize("table", list(SET))
def test_a_rebuilt_table_has_lost_its_guards_and_is_found(
    filled: str, stranger: Connection, table: str
) -> None:
    before = _dump(stranger)
    _rebuild(stranger, table)
    assert _dump(stranger) == before
    with pytest.raises(StoreError, match=rf"the guard {table}_no_[a-z]+ is missing"):
        open_store(filled)


def _rebuild(connection: Connection, table: str, on_the_way: str = "") -> None:
    """What a migration does to a table that it does not alter in place: copy, drop, rename."""
    every = " CASCADE" if connection.dialect.name == "postgresql" else ""
    connection.exec_driver_sql(f"CREATE TABLE moved AS SELECT * FROM {table}")
    if on_the_way:
        connection.exec_driver_sql(on_the_way)
    connection.exec_driver_sql(f"DROP TABLE {table}{every}")
    connection.exec_driver_sql(f"ALTER TABLE moved RENAME TO {table}")


def test_an_edit_while_a_table_is_rebuilt_is_found(filled: str, stranger: Connection) -> None:
    _rebuild(stranger, "events", "UPDATE moved SET payload = payload_hash WHERE position = 2")
    with open_store(filled, create=False, guarded=False) as store:
        assert "is missing" in (store.guard_fault() or "")
        assert store.verify() == Broken(2, "the payload was changed: it does not fit its hash")
    guards.install(stranger)
    with open_store(filled) as store:  # the guards stand again; the chain tells nevertheless
        assert isinstance(store.verify(), Broken)


def test_alembic_rebuilds_a_table_on_sqlite_alone(filled: str, stranger: Connection) -> None:
    """PostgreSQL alters it in place, and the guards stay."""
    context = alembic.migration.MigrationContext.configure(stranger)
    with alembic.operations.Operations(context).batch_alter_table("names") as batch:
        batch.alter_column("player", nullable=True)
    if stranger.dialect.name == "postgresql":
        open_store(filled).close()
        assert _refused(stranger, "UPDATE names SET name = 'B'")
    else:
        with pytest.raises(StoreError, match=r"the guard names_no_[a-z]+ is missing"):
            open_store(filled)
