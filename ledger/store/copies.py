"""A player's copy: a store of its own with the whole chain of headers, payloads he is not to see left out.

Without its payload and salt an event keeps its payload's hash, so the chain verifies to the same head. Commands
are left out: their hashes are not salted. The file is written beside its place and moved there when it is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, insert, select

from ledger.store import chain
from ledger.store.database import reading, writing
from ledger.store.model import Head, NameRow, StoredEvent, StoreError
from ledger.store.opening import empty_store
from ledger.store.statements import Statements
from ledger.store.tables import checkpoints, heads, ledgers, names

_PAGE = 4096
_NUMBER = 1  # of the ledger within the copy
Withhold = Callable[[StoredEvent], bool]


def write_copy(
    source: Engine,
    place: str,
    ledger: int,
    out: Path,
    copy_for: str,
    withhold: Withhold,
    rows: Iterable[NameRow],
) -> tuple[Head, int]:
    """Writes the copy of a ledger as it stands now; see `Store.write_copy`."""
    if out.exists():
        raise StoreError(f"{out}: is there already; a copy replaces nothing")
    beside = out.with_name(out.name + ".part")
    try:
        with suppress(FileNotFoundError):  # of a copy that was broken off
            beside.unlink()
        engine, target = empty_store(str(beside))
        try:
            with reading(source, place) as there, writing(engine, target) as here:
                found = _fill(there, Statements(source), ledger, here, Statements(engine), copy_for, withhold)
                for row in rows:
                    here.execute(insert(names).values(_name(row)))
        finally:
            engine.dispose()
        os.replace(beside, out)
    except OSError as error:
        raise StoreError(f"{out}: {(error.strerror or str(error)).lower()}") from error
    finally:
        with suppress(OSError):
            beside.unlink()
    return found


def _fill(
    there: Connection,
    ask: Statements,
    ledger: int,
    here: Connection,
    tell: Statements,
    copy_for: str,
    withhold: Withhold,
) -> tuple[Head, int]:
    own = there.execute(select(ledgers).where(ledgers.c.ledger == ledger)).mappings().one()
    here.execute(insert(ledgers).values({**own, "ledger": _NUMBER, "copy_for": copy_for}))
    end = ask.head.rows(there, ledger=ledger)
    if not end:
        raise StoreError("the ledger has no head; mistigris verify says more")
    position, hash_, recorded_at = end[0]
    withheld = 0
    for page in _pages(there, ask, ledger, position):
        events = [_veiled(StoredEvent._make(row), withhold) for row in page]
        withheld += sum(event.payload is None for event in events)
        tell.insert_event.run_many(here, [(_NUMBER, *event) for event in events])
    head = {"position": position, "hash": hash_, "recorded_at": recorded_at}
    here.execute(insert(heads).values(ledger=_NUMBER, **head))
    mine = select(checkpoints).where(checkpoints.c.ledger == ledger, checkpoints.c.position <= position)
    for row in there.execute(mine).mappings():
        here.execute(insert(checkpoints).values({**row, "ledger": _NUMBER}))
    return Head(position, hash_), withheld


def _pages(connection: Connection, sql: Statements, ledger: int, upto: int) -> Iterator[list[chain.Row]]:
    after = 0
    while after < upto:
        page = sql.page.rows(connection, ledger=ledger, after=after, upto=upto, page=_PAGE)
        if not page:
            raise StoreError(f"event {after + 1} is missing; mistigris verify says more")
        yield page
        after = page[-1][0]


def _veiled(event: StoredEvent, withhold: Withhold) -> StoredEvent:
    return event._replace(payload=None, salt=None) if withhold(event) else event


def _name(row: NameRow) -> dict[str, object]:
    own = {"player": row.player, "name": row.name, "salt": row.salt, "name_hash": row.name_hash}
    return {"ledger": _NUMBER, **own}
