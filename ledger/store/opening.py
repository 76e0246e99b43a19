"""Opening a store: is it one, of which schema, are its guards in place, and which of its ledgers is meant."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.pool import StaticPool

from ledger.store import chain, guards
from ledger.store.database import Clock, Entropy, connect, reading, writing
from ledger.store.model import StoreError
from ledger.store.store import Store
from ledger.store.tables import APPLICATION_ID, REVISIONS, VERSION_TABLE, heads, ledgers

if TYPE_CHECKING:
    from ledger.store.lines import NameHash, Taken

DEFAULT_LEDGER = "default"
_MIGRATION_LOCK = APPLICATION_ID


def now() -> int:
    """The wall clock, in microseconds since 1970 UTC."""
    return time.time_ns() // 1000


def open_store(
    url_or_path: str,
    *,
    ledger: str | None = None,
    create: bool = True,
    guarded: bool = True,
    clock: Clock = now,
    entropy: Entropy = os.urandom,
) -> Store:
    """Opens the ledger called `ledger` in the store at a file path or SQLAlchemy URL.

    Without a name: the one called "default", or the only one there is. With `create`, the store and the
    ledger are made where they are not there. A store of an older schema is brought up to date. Raises
    StoreError with one clear line, having changed nothing, if it cannot be done.

    With `guarded` off a store is opened whose guards are gone, so that somebody can look for what was changed in it;
    what it lacks is `guard_fault`. Nothing is made then.
    """
    assert guarded or not create
    engine, place = _opened(url_or_path, create, guarded=guarded)
    try:
        with reading(engine, place) as connection:
            found = _pick(connection, place, ledger, create)
        if found is None:
            found = _make(engine, place, ledger or DEFAULT_LEDGER, clock, entropy)
    except BaseException:
        engine.dispose()
        raise
    in_memory = isinstance(engine.pool, StaticPool)
    return Store(engine, None if in_memory else url_or_path, place, found, clock, entropy)


def ledger_names(url_or_path: str) -> list[str]:
    """The names of the ledgers in a store, in the order in which they were made. Raises StoreError."""
    engine, place = _opened(url_or_path, create=False)
    try:
        with reading(engine, place) as connection:
            return list(connection.execute(select(ledgers.c.name).order_by(ledgers.c.ledger)).scalars())
    finally:
        engine.dispose()


def read_in(
    url_or_path: str, source: str, lines: Iterable[bytes], *, name: str | None, name_hash: NameHash
) -> list[Taken]:
    """Makes ledgers of the lines that `Store.lines` gave, in a store that is made if it is not there.

    `source` is what the lines come from, for messages; `name` another name for the ledger, if there is one only.
    Nothing is to be seen of them until all are verified and written. Raises StoreError with one clear line.
    """
    from ledger.store.lines import taken

    engine, place = _opened(url_or_path, create=True)
    try:
        with writing(engine, place) as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            return taken(connection, place, source, lines, name, name_hash)
    finally:
        engine.dispose()


def empty_store(url_or_path: str) -> tuple[Engine, str]:
    """An engine to a store, made where there is none, up to date and guarded; no ledger is made in it."""
    return _opened(url_or_path, create=True)


def _opened(url_or_path: str, create: bool, *, guarded: bool = True) -> tuple[Engine, str]:
    """An engine to a store that is up to date and, unless that is not asked, guarded."""
    engine, place = connect(url_or_path, create)
    try:
        _bring_up_to_date(engine, place, create)
        if guarded:
            with reading(engine, place) as connection:
                guards.check(connection, place)
    except BaseException:
        engine.dispose()
        raise
    return engine, place


def _bring_up_to_date(engine: Engine, place: str, create: bool) -> None:
    with reading(engine, place) as connection:
        revision = _revision(connection, place)
    if revision == REVISIONS[-1]:
        return
    if revision is None and not create:
        raise StoreError(f"{place}: is empty; no ledger is in it")
    with writing(engine, place) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        if _revision(connection, place) != REVISIONS[-1]:  # another process may have been quicker
            _migrate(connection)


def _revision(connection: Connection, place: str) -> str | None:
    """The schema's revision; None where nothing is there yet; StoreError where it is something else."""
    if connection.dialect.name == "sqlite":
        mark = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        if mark == 0 and not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
            return None
        if mark != APPLICATION_ID:
            raise StoreError(f"{place}: is a SQLite file of another kind; no ledger is in it")
    elif connection.exec_driver_sql(f"SELECT to_regclass('{VERSION_TABLE}')").scalar_one() is None:
        return None
    revision = str(connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar_one())
    if revision not in REVISIONS:
        raise StoreError(
            f"{place}: was written by a newer version (schema {revision}; this one knows {REVISIONS[-1]})"
        )
    return revision


def _migrate(connection: Connection) -> None:
    """Alembic is imported here only: it costs as much time as all the rest of opening a store."""
    import alembic.command
    import alembic.config

    import migrations

    assert migrations.__file__ is not None
    config = alembic.config.Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, "head")
    guards.install(connection)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


Found = tuple[int, str, str, str | None]


def _pick(connection: Connection, place: str, name: str | None, create: bool) -> Found | None:
    """The ledger's number, id, name and whose copy it is; None if it is to be made."""
    columns = select(ledgers.c.ledger, ledgers.c.ledger_id, ledgers.c.name, ledgers.c.copy_for)
    by_name: dict[str, Found] = {
        row.name: (row.ledger, row.ledger_id, row.name, row.copy_for) for row in connection.execute(columns)
    }
    if name is None and DEFAULT_LEDGER not in by_name and len(by_name) == 1:
        return next(iter(by_name.values()))
    wanted = name or DEFAULT_LEDGER
    if wanted in by_name:
        return by_name[wanted]
    known = ", ".join(sorted(by_name))
    if name is None and by_name:
        raise StoreError(f"{place}: holds several ledgers; say which is meant: {known}")
    if not create:
        raise StoreError(f"{place}: has no ledger called {wanted}" + (f"; it has {known}" if known else ""))
    return None


def _make(engine: Engine, place: str, name: str, clock: Clock, entropy: Entropy) -> Found:
    with writing(engine, place) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        found = _pick(connection, place, name, create=True)
        if found is not None:  # another process was quicker
            return found
        number = 1 + len(connection.execute(select(ledgers.c.ledger)).all())
        ledger_id, created_at = uuid.UUID(bytes=entropy(16), version=4).hex, clock()
        connection.execute(
            insert(ledgers).values(ledger=number, ledger_id=ledger_id, name=name, created_at=created_at)
        )
        start = chain.genesis(ledger_id)
        connection.execute(
            insert(heads).values(ledger=number, position=0, hash=start, recorded_at=created_at)
        )
    return number, ledger_id, name, None
