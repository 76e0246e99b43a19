"""A connection that breaks when it is told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.engine.default import DefaultDialect

from ledger.store.store import Store

Run = Callable[..., None]


class UnpluggedError(Exception):
    """What the test breaks the connection with."""


class Fuse:
    """Lets `left` statements through, then fails at every one until it is mended; None: lets all through."""

    left: int | None = None

    def burn(self) -> None:
        if self.left is None:
            return
        if self.left == 0:
            raise UnpluggedError
        self.left -= 1

    def before(self, run: Run) -> Run:
        """The same, once the fuse has let it."""

        def fused(*arguments: Any) -> None:
            self.burn()
            run(*arguments)

        return fused


def fuse_of(store: Store) -> Fuse:
    """A fuse on one store's connections, the commit counting as a statement."""
    fuse, dialect = Fuse(), store._engine.dialect
    dialect.do_execute = fuse.before(dialect.do_execute)  # type: ignore[method-assign]
    dialect.do_executemany = fuse.before(dialect.do_executemany)  # type: ignore[method-assign]
    dialect.do_commit = fuse.before(dialect.do_commit)  # type: ignore[method-assign]
    return fuse


@contextmanager
def every_connection() -> Iterator[Fuse]:
    """A fuse on every engine there is and will be, for what opens stores itself; commits are not counted."""
    fuse = Fuse()
    execute, many, bare = (
        DefaultDialect.do_execute,
        DefaultDialect.do_executemany,
        DefaultDialect.do_execute_no_params,
    )
    DefaultDialect.do_execute = fuse.before(execute)  # type: ignore[method-assign]
    DefaultDialect.do_executemany = fuse.before(many)  # type: ignore[method-assign]
    DefaultDialect.do_execute_no_params = fuse.before(bare)  # type: ignore[method-assign]
    try:
        yield fuse
    finally:
        DefaultDialect.do_execute = execute  # type: ignore[method-assign]
        DefaultDialect.do_executemany = many  # type: ignore[method-assign]
        DefaultDialect.do_execute_no_params = bare  # type: ignore[method-assign]
