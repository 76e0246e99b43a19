"""The store beside a bare sqlite3 loop on the same file system, with the same journal and durability.

The bare loop writes rows of the same columns and sizes into a table with the same keys; it keeps no chain, no
head, no commands, no guards. The two take turns, a short slice each: a disk is not equally fast for long.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ledger.store import Appended, CommandDrafts, Draft, Verified, open_store
from ledger.store.store import Store

SESSION = "a" * 32
PAYLOAD = b'{"hand":12,"player":"0123456789abcdef0123456789abcdef","units":12,"verb":"raise"}'
NOW = 1_796_000_000_000_000
ROUNDS = 9
VERIFIED = 600_000

BARE_TABLE = """
CREATE TABLE events (ledger INTEGER, position INTEGER, event_id BLOB, session TEXT, version INTEGER,
    event_type TEXT, schema_version INTEGER, occurred_at INTEGER, zone TEXT, recorded_at INTEGER,
    command_id BLOB, cause INTEGER, payload_hash BLOB, payload BLOB, salt BLOB, hash BLOB,
    PRIMARY KEY (ledger, position), UNIQUE (ledger, session, version)) WITHOUT ROWID
"""


def command(events: int) -> CommandDrafts:
    """A command as the recorder hands it in: one action and what it implies."""
    draft = Draft("stake_placed", 1, PAYLOAD, NOW, "Europe/London")
    return CommandDrafts(os.urandom(16), os.urandom(32), (draft,) * events)


def batches(count: int, events: int) -> list[list[CommandDrafts]]:
    """Batches of `events` events; the larger ones of commands of two events each."""
    return [[command(1)] if events == 1 else [command(2) for _ in range(events // 2)] for _ in range(count)]


@contextmanager
def places() -> Iterator[tuple[Store, sqlite3.Connection]]:
    """A new store and a new bare file in one folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            open_store(str(folder / "ledger.db")) as store,
            closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as bare,
        ):
            bare.execute("PRAGMA journal_mode = DELETE")
            bare.execute("PRAGMA synchronous = FULL")
            bare.execute(BARE_TABLE)
            yield store, bare


def timed(work: Callable[[], None]) -> float:
    """Seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def append_all(store: Store, version: int, what: list[list[CommandDrafts]]) -> None:
    for batch in what:
        outcome = store.append(SESSION, version, batch)
        assert isinstance(outcome, Appended)
        version = outcome.answers[-1].last_version


def insert_all(bare: sqlite3.Connection, position: int, transactions: int, events: int) -> None:
    marks = ", ".join("?" * 16)
    for _ in range(transactions):
        rows = []
        for _ in range(events):
            position += 1
            ids = os.urandom(16), os.urandom(16), os.urandom(16)
            header = (1, position, ids[0], SESSION, position, "stake_placed", 1, NOW, "Europe/London", NOW)
            rows.append((*header, ids[1], None, bytes(32), PAYLOAD, ids[2], bytes(32)))
        bare.execute("BEGIN IMMEDIATE")
        bare.executemany(f"INSERT INTO events VALUES ({marks})", rows)
        bare.execute("COMMIT")


def appends(events: int, transactions: int) -> tuple[float, float]:
    """Events a second of the store, and its ratio to the bare loop, each the median over the rounds."""
    speeds, ratios = [], []
    with places() as (store, bare):
        append_all(store, 0, batches(transactions, events))  # to warm up
        insert_all(bare, 0, transactions, events)
        for round_ in range(1, ROUNDS + 1):
            done, what = round_ * transactions * events, batches(transactions, events)
            ours = timed(lambda done=done, what=what: append_all(store, done, what))  # type: ignore[misc]
            theirs = timed(lambda done=done: insert_all(bare, done, transactions, events))  # type: ignore[misc]
            speeds.append(transactions * events / ours)
            ratios.append(theirs / ours)
    return statistics.median(speeds), statistics.median(ratios)


def verifying() -> tuple[float, float]:
    """Events verified a second by all processors and by one: the best of three, of a ledger of one session."""
    with tempfile.TemporaryDirectory() as name, open_store(str(Path(name) / "ledger.db")) as store:
        append_all(store, 0, batches(VERIFIED // 20_000, 20_000))

        def verify(processes: int | None = None) -> None:
            assert isinstance(store.verify(processes), Verified)

        shared = min(timed(verify) for _ in range(3))
        alone = min(timed(lambda: verify(1)) for _ in range(3))
        return VERIFIED / shared, VERIFIED / alone


def run() -> list[tuple[str, str]]:
    """What, and the figure with its aim."""
    one, one_ratio = appends(events=1, transactions=60)
    many, many_ratio = appends(events=100, transactions=30)
    verified, alone = verifying()
    return [
        ("append, 1 event a transaction", f"{one:,.0f}/s, {one_ratio:.2f} of bare sqlite3 (aim 0.5)"),
        ("append, 100 events a transaction", f"{many:,.0f}/s, {many_ratio:.2f} of bare sqlite3 (aim 0.4)"),
        ("verify", f"{verified:,.0f} events/s (aim 400,000); {alone:,.0f} in one process"),
    ]
