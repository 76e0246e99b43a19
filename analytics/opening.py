"""Where the facts lie, and how processes share them: one writes, or many read.

Beside `ledger.db` lies `ledger.facts.duckdb`, for its owner only and good to be thrown away. A report catches it up if
there is something new, then reads it. DuckDB lets one process write or several read; who does not get in waits, and
in the end says so in one line. A ledger that is no file, or lies in a folder that cannot be written, has its facts in
memory. A file of another schema or another ledger, or one that DuckDB cannot read, is built anew beside and moved over.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analytics.facts import Facts, Progress
from ledger.store.model import StoreError
from ledger.store.store import Store

if TYPE_CHECKING:
    import duckdb

_PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.02
_SETTINGS = "set TimeZone = 'UTC'; set preserve_insertion_order = false"


class FactsBusyError(StoreError):
    """Another process kept the facts to itself."""

    exit_code = 1


def facts_path(store: Store) -> Path | None:
    """The file of a store's facts; None: they are built in memory."""
    if "://" in store.place:
        return None
    ledger = Path(store.place)
    if not ledger.is_file() or not os.access(ledger.parent, os.W_OK):
        return None
    own = "" if store.ledger_name == "default" else f".{store.ledger_id[:8]}"
    return ledger.with_name(f"{ledger.stem}{own}.facts.duckdb")


@contextlib.contextmanager
def open_facts(
    store: Store, progress: Progress | None = None, patience: float = _PATIENCE_SECONDS
) -> "Iterator[duckdb.DuckDBPyConnection]":
    """The facts as they are after the ledger's last event, open for queries.

    Raises FactsBusyError where another process keeps them longer than `patience` (seconds), and StoreError where the
    ledger cannot be folded.
    """
    path = facts_path(store)
    if path is None:
        connection = _connect(":memory:", read_only=False)
        with contextlib.closing(connection):
            facts = Facts(connection)
            facts.clear(store)
            facts.catch_up(store, progress)
            yield connection
        return
    until = time.monotonic() + patience
    connection = _up_to_date(store, path, progress, until)
    with contextlib.closing(connection):
        yield connection


def _up_to_date(
    store: Store, path: Path, progress: Progress | None, until: float
) -> "duckdb.DuckDBPyConnection":
    """The file, open for reading, caught up to what is recorded now; who goes on recording is not waited for."""
    wanted = store.head().position
    while True:
        readable = _waiting(path, until, read_only=True) if path.exists() else None
        if readable is None:
            _rebuild(store, path, progress, until)
            continue
        facts = Facts(readable)
        fits = facts.fits(store)
        if fits and facts.upto() >= wanted:
            return readable
        readable.close()
        if fits:
            _catch_up(store, path, progress, until)
        else:
            _rebuild(store, path, progress, until)


def _catch_up(store: Store, path: Path, progress: Progress | None, until: float) -> None:
    connection = _waiting(path, until, read_only=False)
    if connection is None:
        return
    with contextlib.closing(connection):
        facts = Facts(connection)
        if facts.fits(store):  # another process may have been quicker, or built it anew
            facts.catch_up(store, progress)


def _rebuild(store: Store, path: Path, progress: Progress | None, until: float) -> None:
    """Builds the facts beside the file and moves them over it. What a broken-off build left is built over."""
    beside = path.with_name(path.name + ".new")
    connection = _waiting(beside, until, read_only=False)
    if connection is None:
        beside.unlink(missing_ok=True)
        connection = _waiting(beside, until, read_only=False)
    if connection is None:
        raise StoreError(f"{beside}: cannot be written; the facts are built there")
    with contextlib.closing(connection):
        facts = Facts(connection)
        facts.clear(store)
        facts.catch_up(store, progress)
        if not facts.fits(store):  # and never would: it would be built again without end
            raise StoreError(f"{store.place}: the head is not the last event's; mistigris verify says more")
    with contextlib.suppress(FileNotFoundError):  # another process built the same and moved it
        beside.replace(path)
    path.with_name(path.name + ".wal").unlink(missing_ok=True)


def _waiting(path: Path, until: float, *, read_only: bool) -> "duckdb.DuckDBPyConnection | None":
    """A connection to the file as soon as no other process is in the way; None where it is no file DuckDB can read."""
    import duckdb

    while True:
        try:
            connection = _connect(str(path), read_only=read_only)
        except duckdb.IOException as fault:
            if "lock" not in str(fault).lower():
                return None
        except duckdb.Error:
            return None
        else:
            if not read_only:
                path.chmod(0o600)
            return connection
        if time.monotonic() > until:
            raise FactsBusyError(f"{path}: another process has the facts open; try again when it is done")
        time.sleep(_PAUSE_SECONDS)


def _connect(place: str, *, read_only: bool) -> "duckdb.DuckDBPyConnection":
    import duckdb

    connection = duckdb.connect(place, read_only=read_only)
    connection.execute(_SETTINGS)
    return connection
