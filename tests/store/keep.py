"""Keeps a store of the current schema as SQL text, for when it is an earlier one: `python -m tests.store.keep`."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from ledger.store import NameRow, open_store
from ledger.store.tables import APPLICATION_ID, REVISIONS
from tests.store.conftest import T0, Maker

KEPT = Path(__file__).parent / "kept"


def _entropy(name: str) -> Callable[[int], bytes]:
    drawn = sha256(name.encode()).digest() * 10
    return lambda size: drawn[:size]


def lines() -> Iterator[str]:
    """The text: first what every ledger of it must still be, then what makes the file."""
    maker = Maker()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        for name in ("default", "club"):
            salt = name.encode().ljust(16)
            with open_store(str(path), ledger=name, clock=lambda: T0, entropy=_entropy(name)) as store:
                row = NameRow("1" * 32, "Ä", salt, sha256(salt + "Ä".encode()).digest())
                store.append("a" * 32, 0, [maker.command(3, text="é"), maker.command(1, cause=1)], [row])
                maker.fill(store, "b" * 32, 2, events=2)
                store.keep_checkpoint(4, "host", "a note\nof two lines\n")
                head = store.head()
                yield f"-- {name} {head.position} {head.hash.hex()}"
        yield f"PRAGMA application_id = {APPLICATION_ID};"
        with closing(sqlite3.connect(path)) as connection:
            yield from connection.iterdump()


def main() -> None:
    """Writes the file of the current revision."""
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{REVISIONS[-1]}.sql").write_text("\n".join(lines()) + "\n", "utf-8")


if __name__ == "__main__":
    main()
