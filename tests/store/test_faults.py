"""A connection that fails at the k-th statement, for every k: an append is all there or not at all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Engine, event

from ledger.store import Appended, NameRow, Verified, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.store import Store
    from tests.store.conftest import Maker

S = "a" * 32


class UnpluggedError(Exception):
    """What the test breaks the connection with."""


class Fuse:
    """Lets `left` statements through, the commit counting as one, then fails at every one until it is mended."""

    def __init__(self, store: Store) -> None:
        self.left: int | None = None
        engine = store._engine
        event.listen(engine, "before_cursor_execute", lambda *_: self.burn())
        commit = engine.dialect.do_commit

        def do_commit(connection: Any) -> None:
            self.burn()
            commit(connection)

        engine.dialect.do_commit = do_commit  # type: ignore[assignment]

    def burn(self) -> None:
        if self.left is None:
            return
        if self.left == 0:
            raise UnpluggedError
        self.left -= 1


@pytest.fixture
def fused(url: str) -> Iterator[tuple[Store, Fuse]]:
    with open_store(url) as store:
        yield store, Fuse(store)


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
    assert failures >= 8  # head, known, version, compare and swap, events, commands, names, commit
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
    left = 0

    def burn(*_: object) -> None:
        nonlocal left
        if left == 0:
            raise UnpluggedError
        left -= 1

    failures, made = 0, False
    event.listen(Engine, "before_cursor_execute", burn)
    try:
        while not made:
            target, left = path.with_name(f"{failures}.db"), failures
            try:
                open_store(str(target)).close()
                made = True
            except UnpluggedError:
                failures += 1
            left = 10_000
            with open_store(str(target)) as store:
                assert store.verify() == Verified(0, store.head())
    finally:
        event.remove(Engine, "before_cursor_execute", burn)
    assert failures > 40  # tables, indexes, guards
