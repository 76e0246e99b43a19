"""A connection that fails at the k-th statement, for every k: an append is all there or not at all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine

from ledger.store import Appended, NameRow, StoreError, Verified, open_store
from tests.support.faults import Fuse, UnpluggedError, every_connection, fuse_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.store import Store
    from tests.store.conftest import Maker

S = "a" * 32


@pytest.fixture
def fused(url: str) -> Iterator[tuple[Store, Fuse]]:
    with open_store(url) as store:
        yield store, fuse_of(store)


def test_an_append_that_fails_anywhere_leaves_nothing(fused: tuple[Store, Fuse], maker: Maker) -> None:
    store, fuse = fused
    maker.fill(store, S, 1)
    head = store.head()
    batch = [maker.command(3), maker.command()]
    name = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
    failures = 0
    while True:
        fuse.left = failures
        try:
            outcome = store.append(S, 1, batch, [name])
        except UnpluggedError:
            fuse.left = None
            failures += 1
            assert store.head() == head
            assert store.names() == []
            assert store.verify() == Verified(1, head)
            continue
        break
    fuse.left = None
    assert failures >= 7  # standing, known, compare and swap, events, commands, names, commit
    assert isinstance(outcome, Appended)
    assert outcome.added == 4
    assert store.verify() == Verified(5, outcome.head)


def test_a_connection_that_the_server_ends_is_told_and_replaced(
    postgresql_database: Callable[[], str], maker: Maker
) -> None:
    """Ended between two transactions nobody is told; ended within one it is a fault, and nothing is recorded."""
    with open_store(postgresql_database()) as store:
        maker.fill(store, S, 1)
        _end_connections(store)
        maker.fill(store, S, 1)
        batch = [maker.command()]
        execute = store._engine.dialect.do_execute

        def ended(cursor: Any, sql: str, *values: Any) -> None:
            if sql.startswith("UPDATE"):
                _end_connections(store)
            execute(cursor, sql, *values)

        store._engine.dialect.do_execute = ended  # type: ignore[method-assign, assignment]
        with pytest.raises(StoreError, match="the connection is lost"):
            store.append(S, 2, batch)
        store._engine.dialect.do_execute = execute  # type: ignore[method-assign]
        assert store.version(S) == 2
        assert isinstance(store.append(S, 2, batch), Appended)
        assert store.verify() == Verified(3, store.head())


def _end_connections(store: Store) -> None:
    """As a server that is restarted does."""
    other = create_engine(store._engine.url)
    with other.connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    other.dispose()


def test_a_reader_whose_connection_fails_can_go_on(fused: tuple[Store, Fuse], maker: Maker) -> None:
    store, fuse = fused
    maker.fill(store, S, 6)
    seen = []
    reader = store.read(page=2)
    seen += [next(reader).position, next(reader).position]
    fuse.left = 0
    with pytest.raises(UnpluggedError):
        next(reader)
    fuse.left = None
    seen += [event.position for event in store.read(after=seen[-1])]
    assert seen == [1, 2, 3, 4, 5, 6]


def test_making_a_store_that_fails_anywhere_leaves_none_or_a_whole_one(path: Path) -> None:
    failures, made = 0, False
    with every_connection() as fuse:
        while not made:
            target, fuse.left = path.with_name(f"{failures}.db"), failures
            try:
                open_store(str(target)).close()
                made = True
            except UnpluggedError:
                failures += 1
            fuse.left = None
            with open_store(str(target)) as store:
                assert store.verify() == Verified(0, store.head())
    assert failures > 40  # tables, indexes, guards


def test_making_a_store_on_postgresql_that_fails_leaves_none_or_a_whole_one(
    postgresql_database: Callable[[], str],
) -> None:
    """Every seventh statement, on the same database: what one failure left would stop the next."""
    url, left, made = postgresql_database(), 0, False
    with every_connection() as fuse:
        while not made:
            fuse.left = left
            try:
                open_store(url).close()
                made = True
            except UnpluggedError:
                left += 7
                fuse.left = None
                with pytest.raises(
                    StoreError, match=r"is empty; no ledger is in it|has no ledger called default"
                ):
                    open_store(url, create=False)
    assert left > 40
    with open_store(url, create=False) as store:
        assert store.verify() == Verified(0, store.head())
