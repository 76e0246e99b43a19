"""The way to the database: a SQLAlchemy engine from a path or URL, and faults told in one line.

SQLite: rollback journal and synchronous=FULL (WAL can corrupt a file before SQLite 3.51.3, and does not work
on network disks), BEGIN IMMEDIATE for a writer so that it waits its turn instead of failing half-way, and a
file that only its owner can read. Only Python's own sqlite3 ever opens it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import QueuePool, StaticPool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from ledger.store.model import StoreError

_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30.0
_PRAGMAS = (
    "PRAGMA journal_mode = DELETE",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # REPLACE then fires the guards against DELETE as well
    "PRAGMA secure_delete = ON",  # an erased name is overwritten, not just unlinked
    "PRAGMA trusted_schema = OFF",
)


def connect(url_or_path: str, create: bool) -> tuple[Engine, str]:
    """An engine, and the place it leads to as people may read it (a path, or a URL without its password).

    With `create`, a SQLite file that is not there is made, empty, for its owner only. Raises StoreError.
    """
    url = _url(url_or_path)
    backend = url.get_backend_name()
    if backend == "postgresql":
        return _postgresql(url)
    if backend != "sqlite" or url.get_driver_name() != "pysqlite" or url.query:
        raise StoreError(f"{_shown(url)}: a store is a SQLite file or a postgresql+psycopg:// address")
    if url.database in (None, "", ":memory:"):
        return _sqlite(":memory:", StaticPool), "the store in memory"
    path = Path(str(url.database)).expanduser()
    _look_at_file(path, create)
    # mode=rw: SQLite itself must never make the file, it would be readable for everybody
    return _sqlite(f"{path.absolute().as_uri()}?mode=rw", QueuePool), str(path)


def sqlite_file(url_or_path: str) -> Path | None:
    """The file of a SQLite store, there or not; None for PostgreSQL. Raises StoreError for any other address."""
    url = _url(url_or_path)
    if url.get_backend_name() == "postgresql":
        return None
    if url.get_driver_name() != "pysqlite" or url.query or url.database in (None, "", ":memory:"):
        raise StoreError(f"{_shown(url)}: is no file; give a SQLite file or a postgresql+psycopg:// address")
    return Path(str(url.database)).expanduser()


def _url(url_or_path: str) -> URL:
    if "://" not in url_or_path:
        return URL.create("sqlite", database=url_or_path)
    scheme, _, rest = url_or_path.partition("://")
    if scheme in ("postgresql", "postgres"):
        scheme = "postgresql+psycopg"
    try:
        url = make_url(f"{scheme}://{rest}")
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise StoreError(
            f"{scheme}://...: not an address of a store; right would be a file path, sqlite:///FILE"
            " or postgresql+psycopg://USER@HOST/DATABASE"
        ) from None
    return url


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _look_at_file(path: Path, create: bool) -> None:
    """Makes the file if it is to be made; raises StoreError if what is there cannot be a store."""
    try:
        if path.is_dir():
            raise StoreError(f"{path}: is a folder; a store is a file")
        if not path.exists():
            if not create:
                raise StoreError(f"{path}: no such store; the first evening recorded makes it")
            if not path.parent.is_dir():
                raise StoreError(f"{path}: the folder {path.parent} does not exist")
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if not path.is_file():  # to read from a pipe would be to wait for who writes into it
            raise StoreError(f"{path}: is a device or a pipe; a store is a file")
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except OSError as error:
        raise StoreError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    if start not in (b"", _MAGIC):
        raise StoreError(f"{path}: is not a SQLite file, so no ledger is in it")


def _sqlite(uri: str, pool: type[QueuePool | StaticPool]) -> Engine:
    def opened() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=uri != ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except (
            sqlite3.Error
        ):  # a damaged file, or none of SQLite's: nobody else closes what the pool never had
            connection.close()
            raise
        return connection

    return create_engine("sqlite://", creator=opened, poolclass=pool)


def _postgresql(url: URL) -> tuple[Engine, str]:
    # Positional parameters, so that one tuple of values fits both databases.
    engine = create_engine(
        url, paramstyle="format", isolation_level="READ COMMITTED", pool_pre_ping=True, hide_parameters=True
    )
    return engine, _shown(url)


_BEGIN_READING = {"sqlite": "BEGIN"}
_BEGIN_WRITING = {"sqlite": "BEGIN IMMEDIATE"}
"""What the driver (isolation_level=None) does not say itself; a writer takes the lock at once."""


@contextmanager
def reading(engine: Engine, place: str) -> Iterator[Connection]:
    """A short transaction for reading; faults of the database become StoreError."""
    with _transaction(engine, place, _BEGIN_READING) as connection:
        yield connection


@contextmanager
def writing(engine: Engine, place: str) -> Iterator[Connection]:
    """A transaction for writing, committed at the end or wholly undone; faults become StoreError."""
    with _transaction(engine, place, _BEGIN_WRITING) as connection:
        yield connection


@contextmanager
def _transaction(engine: Engine, place: str, begin: dict[str, str]) -> Iterator[Connection]:
    with faults(place), engine.connect() as connection, connection.begin():
        if engine.dialect.name in begin:
            with _running(connection) as cursor:
                engine.dialect.do_execute(cursor, begin[engine.dialect.name], ())
        yield connection


@contextmanager
def faults(place: str) -> Iterator[None]:
    """Turns an error of the database into one clear line."""
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"{place}: {_explained(error)}") from error


_EXPLAINED = (
    ("database is locked", "is locked by another program, and stayed so; try again later"),
    ("database or disk is full", "the disk is full; nothing was recorded"),
    ("readonly database", "cannot be written: the file or its folder is read-only"),
    ("file is not a database", "is not a SQLite file, so no ledger is in it"),
    ("malformed", "the SQLite file is damaged; restore a backup"),
    ("unable to open", "cannot be opened"),
)


def _explained(error: DBAPIError) -> str:
    said = " ".join(str(error.orig).split())
    for sign, words in _EXPLAINED:
        if sign in said:
            return words
    return f"the database says: {said}"


class Prepared(NamedTuple):
    """A Core statement compiled once: its text, the order of its values, and those of them that are fixed.

    It is handed to the driver's own cursor, in the transaction of the connection: half of the time of a small append
    was SQLAlchemy's results of seven short statements.
    """

    sql: str
    order: tuple[str, ...]
    constants: Mapping[str, Any]

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        """Runs it with values by name and gives its rows, as the driver has them."""
        with _running(connection) as cursor:
            connection.dialect.do_execute(cursor, self.sql, self._bound(values))
            return list(cursor.fetchall())

    def run(self, connection: Connection, **values: Any) -> int:
        """Runs it with values by name and gives how many rows it touched."""
        with _running(connection) as cursor:
            connection.dialect.do_execute(cursor, self.sql, self._bound(values))
            return cursor.rowcount

    def run_many(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
        """Runs it once for each row of values, in the statement's order."""
        with _running(connection) as cursor:
            if len(rows) == 1:
                connection.dialect.do_execute(cursor, self.sql, rows[0])
            else:
                connection.dialect.do_executemany(cursor, self.sql, rows)

    def _bound(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        bound = {**self.constants, **values}
        return tuple([bound[name] for name in self.order])


@contextmanager
def _running(connection: Connection) -> Iterator[DBAPICursor]:
    """A cursor of the driver; its errors get the names that SQLAlchemy has for those of every driver."""
    base = connection.dialect.loaded_dbapi.Error
    try:
        yield connection.connection.cursor()
    except base as error:
        raise DBAPIError.instance(None, None, error, base, dialect=connection.dialect) from error


def prepare(engine: Engine, statement: ClauseElement, columns: Sequence[str] | None = None) -> Prepared:
    """Compiles a Core statement; `columns` are those an INSERT fills."""
    compiled = statement.compile(dialect=engine.dialect, column_keys=columns)
    assert isinstance(compiled, SQLCompiler)
    assert compiled.positional
    constants = {name: value for name, value in compiled.params.items() if value is not None}
    return Prepared(str(compiled), tuple(compiled.positiontup or ()), constants)


Clock = Callable[[], int]
Entropy = Callable[[int], bytes]
