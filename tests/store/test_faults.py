"""A connection that fails at the k-th statement, for every k: an append is all there or not at all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

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
