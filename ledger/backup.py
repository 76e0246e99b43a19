"""Backups: a copy of a store that has been restored and verified before it is called one, and the way back.

A SQLite store is copied while it is in use, by SQLite's own backup; a PostgreSQL one is written as lines of JSON,
ledger after ledger, which is also what `export_lines` and `import_lines` do for one ledger. A backup is kept only
after it was restored to a temporary place, its pages and its chain were checked, and its heads are those of the store.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ledger.names import name_hash
from ledger.store.model import Broken, Head, StoreError

SQLITE = b"SQLite format 3\0"
LINES = b"{"
_WAIT_SECONDS = 30.0


class UnprovedError(StoreError):
    """What was copied does not hold; nothing was put in place."""

    exit_code = 1


class InTheWayError(StoreError):
    """Something is recorded where a backup was to be restored."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Proved:
    """A ledger that was restored and verified from its first event to its head."""

    name: str
    head: Head


def backup(url_or_path: str, file: Path) -> list[Proved]:
    """Copies a store to a file while it may be in use, proves the copy, and only then gives it its name.

    The file holds every ledger of the store; one that was there before is replaced. Raises StoreError, with the file
    as it was before, where the copy or the store itself does not hold.
    """
    from ledger.store.database import sqlite_file
    from ledger.store.opening import ledger_names

    ledger_names(url_or_path)  # that it is a store is to be known before anything is written
    path = sqlite_file(url_or_path)
    _look_at(file, path, "a backup")
    with _growing(file) as (growing, folder):
        if path is None:
            _write(growing, _lines(url_or_path))
        else:
            _copy(path, growing)
        proved = _proved(_restored(growing, folder))
        _compare(url_or_path, proved)
    return proved


def restore(file: Path, url_or_path: str, *, replace: bool = False) -> list[Proved]:
    """Puts a backup (either kind) where the address leads, after proving it in a temporary place.

    Where events are recorded there already, raises InTheWayError unless `replace`; then a SQLite store is kept beside
    the new one, with `.replaced` after its name. On PostgreSQL nothing is replaced: give an empty database.
    """
    from ledger.store.database import sqlite_file
    from ledger.store.opening import read_in

    with tempfile.TemporaryDirectory(dir=_folder_for(url_or_path), prefix=".restore-") as name:
        fresh = _restored(file, Path(name))
        proved = _proved(fresh)
        path = sqlite_file(url_or_path)
        if path is None:
            read_in(url_or_path, str(file), _lines(str(fresh)), name=None, name_hash=name_hash)
        else:
            _put(fresh, path, replace)
    return proved


def export_lines(url_or_path: str, ledger: str | None, file: Path) -> None:
    """Writes one ledger as lines of JSON, from which `import_lines` makes the same again, byte for byte."""
    from ledger.store.database import sqlite_file
    from ledger.store.opening import open_store

    with open_store(url_or_path, ledger=ledger, create=False) as store:
        _look_at(file, sqlite_file(url_or_path), "an export")
        with _growing(file) as (growing, _):
            _write(growing, store.lines())


def import_lines(url_or_path: str, file: Path, ledger: str | None = None) -> list[Proved]:
    """Makes the ledgers of a file of lines in a store, under another name if told; all of them or none.

    Every event is verified before anything is to be seen. Raises StoreError with file, line and what is wrong.
    """
    from ledger.store.opening import read_in

    with _read(file) as lines:
        taken = read_in(url_or_path, str(file), lines, name=ledger, name_hash=name_hash)
    return [Proved(t.name, t.head) for t in taken]


def is_lines(file: Path) -> bool:
    """Whether a file begins as a ledger written by `export_lines` or a backup of PostgreSQL.

    A pipe is none: what is looked at is gone for who reads it.
    """
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return begins_as_lines(opened.read(512))
    except OSError:
        return False


def begins_as_lines(content: bytes) -> bool:
    """Whether the first bytes of a file are those of such lines."""
    return content.startswith(LINES) and b'"row":"ledger"' in content[:512]


def _look_at(file: Path, store: Path | None, what: str) -> None:
    """Raises StoreError where what is to be put in place would replace the store itself, or what is no file."""
    with _faults(file):
        if not file.exists():
            return
        if not file.is_file():
            raise StoreError(f"{file}: is a folder or a device; {what} is a file")
        if store is not None and file.samefile(store):
            raise StoreError(f"{file}: is the store itself; {what} is another file")


def _lines(url_or_path: str) -> Iterator[bytes]:
    """The lines of every ledger of a store, one after the other."""
    from ledger.store.opening import ledger_names, open_store

    for name in ledger_names(url_or_path):
        with open_store(url_or_path, ledger=name, create=False) as store:
            yield from store.lines()


def _restored(file: Path, folder: Path) -> Path:
    """A backup of either kind as a fresh SQLite store in a folder. Raises StoreError where it is no backup."""
    fresh = folder / "restored.db"
    if is_lines(file):
        import_lines(str(fresh), file)
        return fresh
    with _faults(file):
        with file.open("rb") as opened:
            start = opened.read(len(SQLITE))
        if start != SQLITE:
            raise StoreError(f"{file}: is no backup of a ledger")
        _copy(file, fresh)
    return fresh


def _proved(fresh: Path) -> list[Proved]:
    """The ledgers of a fresh store, after its pages, its guards and its chains were checked."""
    from ledger.store.opening import ledger_names, open_store

    with _faults(fresh), closing(sqlite3.connect(fresh)) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        sound = sound and not connection.execute("PRAGMA foreign_key_check").fetchall()
    if not sound:
        raise UnprovedError("the copy is damaged, or what it was made from is; nothing was put in place")
    proved = []
    for name in ledger_names(str(fresh)):
        with open_store(str(fresh), ledger=name, create=False) as store:
            outcome = store.verify()
        if isinstance(outcome, Broken):
            where = f"the chain of the ledger {name} is broken at event {outcome.position}: {outcome.reason}"
            raise UnprovedError(f"{where}; nothing was put in place")
        proved.append(Proved(name, outcome.head))
    return proved


def _compare(url_or_path: str, proved: list[Proved]) -> None:
    """Raises UnprovedError where a ledger's head in the copy is not in the store: what was copied is something else."""
    from ledger.store.opening import open_store

    for ledger in proved:
        with open_store(url_or_path, ledger=ledger.name, create=False) as store:
            if store.hash_at(ledger.head.position) != ledger.head.hash:
                raise UnprovedError(f"the copy of the ledger {ledger.name} is not that of {store.place}")


def _put(fresh: Path, path: Path, replace: bool) -> None:
    """Puts a proved store where another may be, which is kept if anything is recorded in it."""
    if path.exists() and path.stat().st_size:
        what = _recorded(path)
        if what is not None:
            if not replace:
                raise InTheWayError(
                    f"{path}: {what}; nothing was restored; --yes puts the backup in its place"
                )
            _keep(path)
    with _faults(path):
        _copy(fresh, path)


def _recorded(path: Path) -> str | None:
    """What there is to lose in a file; None where it is a store without an event."""
    from ledger.store.opening import ledger_names, open_store

    try:
        events = 0
        for name in ledger_names(str(path)):
            with open_store(str(path), ledger=name, create=False) as store:
                events += store.head().position
    except StoreError as fault:
        return f"holds something else ({str(fault).removeprefix(f'{path}: ')})"
    return f"{events} {'event is' if events == 1 else 'events are'} recorded there" if events else None


def _keep(path: Path) -> None:
    """Keeps what is there beside itself, under a name that is free."""
    kept, number = path.with_name(f"{path.name}.replaced"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.replaced-{number}")
    with _faults(path):
        try:
            _copy(path, kept)
        except BaseException as fault:
            kept.unlink(missing_ok=True)
            # one that is only busy, or finds no room, stays where those who have it open look for it
            if not isinstance(fault, sqlite3.DatabaseError) or isinstance(fault, sqlite3.OperationalError):
                raise
            path.rename(kept)


def _copy(source: Path, target: Path) -> None:
    """SQLite's online backup: one moment of the source, in one transaction of the target, whoever has them open."""
    until = time.monotonic() + _WAIT_SECONDS

    def progress(*_: int) -> None:
        if time.monotonic() > until:
            raise sqlite3.OperationalError("database is locked")

    os.close(os.open(target, os.O_RDWR | os.O_CREAT, 0o600))
    addresses = [f"{path.absolute().as_uri()}?mode=rw" for path in (source, target)]
    with (
        closing(sqlite3.connect(addresses[0], uri=True)) as old,
        closing(sqlite3.connect(addresses[1], uri=True)) as new,
    ):
        old.backup(new, progress=progress)


@contextmanager
def _growing(file: Path) -> Iterator[tuple[Path, Path]]:
    """A file that gets its name when it is whole and on disk, and a folder beside it that is gone then."""
    with _faults(file), tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=".backup-") as name:
        folder = Path(name)
        growing = folder / "growing"
        os.close(os.open(growing, os.O_RDWR | os.O_CREAT, 0o600))
        yield growing, folder
        _sync(growing)
        growing.replace(file)
        _sync(file.absolute().parent)


def _sync(path: Path) -> None:
    """Has a file, or the names in a folder, on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(file: Path, lines: Iterator[bytes]) -> None:
    with file.open("wb") as out:
        out.writelines(lines)


@contextmanager
def _read(file: Path) -> Iterator[Iterator[bytes]]:
    with _faults(file), file.open("rb") as opened:
        yield opened


def _folder_for(url_or_path: str) -> Path | None:
    """Where a store is tried before it is put in place: beside it, where there is room for it; else the system's."""
    from ledger.store.database import sqlite_file

    path = sqlite_file(url_or_path)
    if path is None:
        return None
    if not path.absolute().parent.is_dir():
        raise StoreError(f"{path}: the folder {path.parent} does not exist")
    return path.absolute().parent


@contextmanager
def _faults(place: Path) -> Iterator[None]:
    """Turns a fault of the disk or of SQLite into one clear line."""
    try:
        yield
    except OSError as fault:
        raise StoreError(f"{place}: {(fault.strerror or str(fault)).lower()}") from fault
    except sqlite3.Error as fault:
        if "disk is full" in str(fault):  # not where it is read from: where it is tried, beside its place
            raise StoreError(
                "the disk is full; what is copied is tried first, beside its place, and needs room there"
            ) from fault
        raise StoreError(f"{place}: {fault}") from fault
