"""Opening a store: what is made, what is found, and one clear line for everything that is no store."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.store import StoreError, Verified, open_store
from ledger.store.tables import VERSION_TABLE

if TYPE_CHECKING:
    from tests.store.conftest import Maker

S = "a" * 32


def refused(address: str | Path, **options: object) -> str:
    """The one line a store is refused with."""
    with pytest.raises(StoreError) as error:
        open_store(str(address), **options)  # type: ignore[arg-type]
    line = str(error.value)
    assert "\n" not in line
    return line


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_new_file_is_its_owners_alone(path: Path, maker: Maker) -> None:
    umask = os.umask(0)
    try:
        with open_store(str(path)) as store:
            maker.fill(store, S, 1)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]  # no journal is left


def test_how_the_file_is_written(path: Path) -> None:
    with open_store(str(path)) as store, store._engine.connect() as connection:

        def pragma(name: str) -> object:
            return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()

        assert pragma("journal_mode") == "delete"
        assert pragma("synchronous") == 2  # FULL
        assert pragma("foreign_keys") == 1
        assert pragma("recursive_triggers") == 1
        assert pragma("secure_delete") == 1
        assert pragma("busy_timeout") == 30_000


def test_an_empty_file_becomes_a_store_only_if_it_may(path: Path) -> None:
    path.touch()
    assert refused(path, create=False) == f"{path}: is empty; no ledger is in it"
    assert path.read_bytes() == b""
    open_store(str(path)).close()
    open_store(str(path), create=False).close()


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda p: p.write_bytes(b"PK\x03\x04" + bytes(200)), "is not a SQLite file, so no ledger is in it"),
        (lambda p: p.write_text("session\n"), "is not a SQLite file, so no ledger is in it"),
        (lambda p: p.write_bytes(b"SQLite format 3\0" + bytes(84)), "is not a SQLite file"),
        (lambda p: p.mkdir(), "is a folder; a store is a file"),
    ],
)
def test_what_is_no_store_is_refused_and_left_alone(
    path: Path, make: Callable[[Path], object], line: str
) -> None:
    make(path)
    before = _contents(path.parent)
    for create in (True, False):
        assert refused(path, create=create).startswith(f"{path}: {line}")
    assert _contents(path.parent) == before


def test_a_sqlite_file_of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE ledgers (name TEXT)")
    before = path.read_bytes()
    assert refused(path) == f"{path}: is a SQLite file of another kind; no ledger is in it"
    assert path.read_bytes() == before


def test_a_store_written_by_a_newer_version(path: Path) -> None:
    open_store(str(path)).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
        newer.commit()
    before = path.read_bytes()
    assert "was written by a newer version (schema 9999; this one knows " in refused(path)
    assert path.read_bytes() == before


def test_a_missing_file_and_a_missing_folder(tmp_path: Path) -> None:
    assert (
        refused(tmp_path / "none.db", create=False)
        == f"{tmp_path / 'none.db'}: no such store; the first evening recorded makes it"
    )
    deep = tmp_path / "not" / "there" / "x.db"
    assert refused(deep) == f"{deep}: the folder {deep.parent} does not exist"
    below_a_file = tmp_path / "file"
    below_a_file.touch()
    assert "not a directory" in refused(below_a_file / "x.db") or "does not exist" in refused(
        below_a_file / "x.db"
    )
    assert _contents(tmp_path) == {"file": b""}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://host/db", "mysql://"),
        ("sqlite+aiosqlite:///x.db", "sqlite+aiosqlite://"),
        ("nonsense://x", "nonsense://"),
        ("postgresql://host:port/x", "postgresql+psycopg://"),
        ("sqlite:///x.db?mode=ro", "sqlite:///x.db?mode=ro"),
    ],
)
def test_an_address_that_leads_to_no_store(address: str, said: str) -> None:
    line = refused(address)
    assert line.startswith(said)
    assert "SQLite file" in line or "sqlite:///FILE" in line


def test_a_password_is_never_shown() -> None:
    pytest.importorskip("psycopg")
    line = refused("postgresql+psycopg://host:hunter2@127.0.0.1:1/x?connect_timeout=2")
    assert "hunter2" not in line
    assert "127.0.0.1" in line


def test_a_url_and_a_path_are_the_same_file(path: Path, maker: Maker) -> None:
    with open_store(f"sqlite:///{path}") as store:
        maker.fill(store, S, 1)
    with open_store(str(path), create=False) as store:
        assert store.version(S) == 1


def test_a_path_with_odd_characters(tmp_path: Path, maker: Maker) -> None:
    odd = tmp_path / "Friday at B's? 100% #1 é.db"
    with open_store(str(odd)) as store:
        maker.fill(store, S, 1)
    assert [p.name for p in tmp_path.iterdir()] == [odd.name]


@contextmanager
def somebody_else() -> Iterator[None]:
    """As root every file may be written; be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def read_only_folder(maker: Maker) -> Iterator[Path]:
    """A folder that may be read and not written, with a store of one event in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_store(str(folder / "ledger.db")) as store:
            maker.fill(store, S, 1)
        (folder / "ledger.db").chmod(0o444)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


def test_a_read_only_folder(read_only_folder: Path, maker: Maker) -> None:
    with somebody_else():
        new = read_only_folder / "new.db"
        assert refused(new) == f"{new}: permission denied"
        with open_store(str(read_only_folder / "ledger.db")) as store:
            assert store.verify() == Verified(1, store.head())
            with pytest.raises(StoreError, match=r"cannot be written: the file or its folder is read-only"):
                store.append(S, 1, [maker.command()])
            assert store.version(S) == 1
    assert sorted(p.name for p in read_only_folder.iterdir()) == ["ledger.db"]


def test_which_ledger_is_meant(path: Path) -> None:
    def opened(name: str | None = None, create: bool = True) -> str:
        with open_store(str(path), ledger=name, create=create) as store:
            return store.ledger_name

    assert opened("club") == "club"
    assert opened() == "club"  # the only one
    assert refused(path, ledger="home", create=False) == f"{path}: has no ledger called home; it has club"
    assert opened("home") == "home"
    assert refused(path) == f"{path}: holds several ledgers; say which is meant: club, home"
    assert opened("default") == "default"
    assert opened() == "default"


def test_a_new_store_has_the_default_ledger(path: Path) -> None:
    with open_store(str(path)) as store:
        assert store.ledger_name == "default"
        assert len(store.ledger_id) == 32


def test_a_copy_is_read_and_not_continued(path: Path, maker: Maker) -> None:
    with open_store(str(path)) as store:
        maker.fill(store, S, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        (guard,) = owner.execute("SELECT sql FROM sqlite_master WHERE name = 'ledgers_no_update'").fetchone()
        owner.execute("DROP TRIGGER ledgers_no_update")
        owner.execute("UPDATE ledgers SET copy_for = 'A'")
        owner.execute(guard)
    with open_store(str(path)) as store:
        assert store.copy_for == "A"
        with pytest.raises(StoreError, match="is a copy for A; nothing is recorded in a copy"):
            store.append(S, 1, [maker.command()])


def test_a_locked_store_says_so(path: Path, maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.store.database._BUSY_SECONDS", 0.05)
    with open_store(str(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked by another program"):
            store.append(S, 0, [maker.command()])
        other.execute("ROLLBACK")
        maker.fill(store, S, 1)


def test_a_full_disk_says_so_and_loses_nothing(path: Path, maker: Maker) -> None:
    with open_store(str(path)) as store:
        maker.fill(store, S, 1)
        with store._engine.connect() as connection:  # the pool hands this connection out again
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 3}")
        head = store.head()
        with pytest.raises(StoreError, match="the disk is full; nothing was recorded"):
            store.append(S, 1, [maker.command(events=500)])
        assert store.head() == head
        assert store.verify() == Verified(1, head)
        maker.fill(store, S, 1)


def test_opening_an_existing_store_imports_no_alembic(path: Path) -> None:
    open_store(str(path)).close()
    code = (
        "import sys; from ledger.store import open_store;"
        f" open_store({str(path)!r}).version('a' * 32); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_store_imports_no_sqlalchemy() -> None:
    code = "import sys, ledger.store; assert 'sqlalchemy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_several_who_open_a_new_store_at_once_share_one_ledger(url: str) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory is nobody else's")
    code = f"from ledger.store import open_store; print(open_store({url!r}).ledger_id)"
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    said = {process.communicate(timeout=60)[0] for process in started}
    assert [process.returncode for process in started] == [0] * 4
    assert len(said) == 1


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise sqlite3.OperationalError("the plug was pulled")

    monkeypatch.setattr("ledger.store.guards.install", fail)
    with pytest.raises(sqlite3.OperationalError):
        open_store(str(path))
    assert path.read_bytes() == b""
    monkeypatch.undo()
    with open_store(str(path)) as store:
        assert store.verify() == Verified(0, store.head())
