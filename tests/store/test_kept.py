"""A store of every earlier schema opens, is brought up to date, and keeps its head; also where that fails midway.

`kept/` has a store of each revision as SQL text. There is no second revision yet, so one is pretended too.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import alembic.command
import alembic.config
import pytest
from sqlalchemy import create_engine

import migrations
from ledger.store import Appended, Head, StoreError, Verified, guards, open_store
from ledger.store.tables import REVISIONS, VERSION_TABLE
from tests.store.conftest import Maker
from tests.store.keep import KEPT
from tests.support.faults import UnpluggedError, every_connection

TABLES = ("ledgers", "heads", "events", "commands", "names", "checkpoints")


def heads(revision: str) -> dict[str, Head]:
    """What each ledger of a kept store must still be."""
    lines = (KEPT / f"{revision}.sql").read_text("utf-8").splitlines()
    told = [line.split()[1:] for line in lines if line.startswith("-- ")]
    return {name: Head(int(position), bytes.fromhex(hash_)) for name, position, hash_ in told}


def kept_on_sqlite(revision: str, path: Path) -> str:
    with closing(sqlite3.connect(path)) as made:
        made.executescript((KEPT / f"{revision}.sql").read_text("utf-8"))
    return str(path)


def kept_on_postgresql(revision: str, url: str, path: Path) -> str:
    """The same rows in tables that the migrations up to the revision make."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(Path(migrations.__file__ or "").parent).replace("%", "%%"))
    engine = create_engine(url)
    with closing(sqlite3.connect(kept_on_sqlite(revision, path))) as old, engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, revision)
        for table in TABLES:
            cursor = old.execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in cursor.description]
            marks = ", ".join(["%s"] * len(columns))
            insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
            connection.exec_driver_sql(insert, cursor.fetchall())
        guards.install(connection)
    engine.dispose()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, path: Path) -> Callable[[str], str]:
    """Makes the kept store of a revision and gives its address."""
    if request.param == "sqlite":
        return lambda revision: kept_on_sqlite(revision, path)
    make: Callable[[], str] = request.getfixturevalue("postgresql_database")
    return lambda revision: kept_on_postgresql(revision, make(), path)


def revision_of(url: str) -> str:
    engine = create_engine(url if "://" in url else f"sqlite:///{url}")
    with engine.connect() as connection:
        found = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar_one()
    engine.dispose()
    return str(found)


def assert_kept(url: str, wanted: dict[str, Head], maker: Maker) -> None:
    """Every ledger has its head, its chain holds, what stands beside it is there, and it goes on."""
    for name, head in wanted.items():
        with open_store(url, ledger=name, create=False) as store:
            assert store.verify() == Verified(head.position, head)
            assert [row.name for row in store.names()] == ["Ä"]
            assert store.checkpoints() == [(4, "host", "a note\nof two lines\n")]
            assert len(store.commands("a" * 32)) == 2
            command = replace(maker.command(), command_id=b"the 16 byte long")
            assert isinstance(store.append("b" * 32, 4, [command]), Appended)
            assert store.hash_at(head.position) == head.hash


def test_a_store_of_every_revision_is_kept() -> None:
    """Who adds a revision keeps a store of it: python -m tests.store.keep."""
    assert {path.stem for path in KEPT.iterdir()} == set(REVISIONS)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_store_of_an_earlier_revision_keeps_its_head(
    kept: Callable[[str], str], revision: str, maker: Maker
) -> None:
    url = kept(revision)
    assert_kept(url, heads(revision), maker)
    assert revision_of(url) == REVISIONS[-1]


# --- a next revision, pretended ---

NEXT = '''
"""A column and an index more."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{last}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("checkpoints", sa.Column("remark", sa.Text))
    op.create_table("remarks", sa.Column("remark", sa.Text, primary_key=True))
    op.create_index("remarks_remark", "remarks", ["remark"])
'''


@pytest.fixture
def next_revision(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """What makes the program one that knows a revision more."""
    with pytest.MonkeyPatch.context() as patch:

        def learn() -> None:
            folder = tmp_path / "migrations"
            shutil.copytree(Path(migrations.__file__ or "").parent, folder)
            (folder / "versions" / "r9999_next.py").write_text(NEXT.format(last=REVISIONS[-1]).lstrip())
            patch.setattr(migrations, "__file__", str(folder / "__init__.py"))
            patch.setattr("ledger.store.opening.REVISIONS", (*REVISIONS, "9999"))

        yield learn


def test_the_next_revision_keeps_the_head(
    kept: Callable[[str], str], next_revision: Callable[[], None], maker: Maker
) -> None:
    url = kept(REVISIONS[-1])
    next_revision()
    assert_kept(url, heads(REVISIONS[-1]), maker)
    assert revision_of(url) == "9999"


def test_an_upgrade_that_fails_anywhere_leaves_the_store_as_it_was(
    kept: Callable[[str], str], next_revision: Callable[[], None], maker: Maker
) -> None:
    url, failures, upgraded = kept(REVISIONS[-1]), 0, False
    next_revision()
    with every_connection() as fuse:
        while not upgraded:
            fuse.left = failures
            try:
                open_store(url, ledger="club", create=False).close()
                upgraded = True
            except UnpluggedError:
                failures += 1
            fuse.left = None
            assert revision_of(url) in (REVISIONS[-1], "9999")
    assert failures > 20
    assert_kept(url, heads(REVISIONS[-1]), maker)


def test_an_older_program_is_told_so(kept: Callable[[str], str], next_revision: Callable[[], None]) -> None:
    url = kept(REVISIONS[-1])
    next_revision()
    open_store(url, ledger="club", create=False).close()
    with pytest.MonkeyPatch.context() as older:
        older.setattr("ledger.store.opening.REVISIONS", REVISIONS)
        with pytest.raises(StoreError, match="was written by a newer version"):
            open_store(url, ledger="club", create=False)
