"""A connection that breaks when it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from ledger.store.store import Store


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


@contextmanager
def every_connection() -> Iterator[Fuse]:
    """A fuse on every engine there is and will be, for what opens stores itself; commits are not counted."""
    fuse = Fuse.__new__(Fuse)
    fuse.left = None

    def burn(*_: object) -> None:
        fuse.burn()

    event.listen(Engine, "before_cursor_execute", burn)
    try:
        yield fuse
    finally:
        event.remove(Engine, "before_cursor_execute", burn)
