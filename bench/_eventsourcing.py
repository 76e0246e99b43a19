"""The package eventsourcing, set up to be measured beside the store: appending and replaying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

PLAYER = "0123456789abcdef0123456789abcdef"


class Table(Aggregate):  # type: ignore[misc]
    """The simplest table: whose counters are how many."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}

    @event("Staked")  # type: ignore[untyped-decorator]
    def stake(self, player: str, action: str, units: int, to: int) -> None:
        """Counters out of a player's hands."""
        self.held[player] = self.held.get(player, 0) - units


def application(path: Path) -> Application[UUID]:
    """On a new SQLite file, as durable as the store: SQLite's `synchronous` is FULL unless told otherwise."""
    return Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})


def staked(count: int) -> list[Any]:
    """Domain events of one aggregate, the first that it was created."""
    table = Table()
    for number in range(count - 1):
        table.stake(PLAYER, "raise", number % 7 + 1, number % 7 + 1)
    return list(table.collect_events())


def appending(path: Path, journal: str) -> Callable[[Sequence[Any]], object]:
    """What maps domain events to rows and records them in one transaction.

    It sets the write-ahead log itself; another journal is set after it.
    """
    made = application(path)
    pool = made.factory.datastore.pool
    connection = pool.get_connection()
    connection._sqlite_conn.execute(f"PRAGMA journal_mode = {journal}").fetchone()
    pool.put_connection(connection)

    def append(
        events: Sequence[Any],
    ) -> None:  # holds on to the application, which closes itself when it is let go
        made.recorder.insert_events([made.mapper.to_stored_event(domain_event) for domain_event in events])

    return append


def replaying(path: Path, events: int) -> Callable[[], object]:
    """What loads an aggregate of so many events from a new file."""
    made = application(path)
    record = [made.mapper.to_stored_event(domain_event) for domain_event in staked(events)]
    made.recorder.insert_events(record)
    return lambda: made.repository.get(record[0].originator_id)
