"""The store beside bare loops over sqlite3 and psycopg, and beside the package eventsourcing, on the same file system.

A bare loop writes rows of the same columns and sizes into a table with the same keys, with the same journal and
durability; it keeps no chain, no head, no commands, no guards. Eventsourcing is taken as it comes (a write-ahead log,
one flush a commit, which we do not use: `ledger/store/database.py` says why) and with our journal. The two compared
take turns, a short slice each: a disk is not equally fast for long.
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
from random import Random

from bench._postgresql import programs, server
from bench.generator import PLAIN, begin_evening, play_hand, random_rules
from ledger import events as ev
from ledger.codec import to_draft
from ledger.loading import load_session
from ledger.session.state import Recorded
from ledger.store import Appended, CommandDrafts, Draft, Verified, open_store
from ledger.store.store import Store

SESSION = "a" * 32
PAYLOAD = b'{"hand":12,"player":"0123456789abcdef0123456789abcdef","units":12,"verb":"raise"}'
NOW = 1_796_000_000_000_000
ROUNDS = 9
VERIFIED = 600_000
REPLAYED = 5_000

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


def timed(work: Callable[[], object]) -> float:
    """Seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def append_all(store: Store, version: int, what: list[list[CommandDrafts]]) -> None:
    for batch in what:
        outcome = store.append(SESSION, version, batch)
        assert isinstance(outcome, Appended)
        version = outcome.answers[-1].last_version


def bare_rows(position: int, events: int) -> list[tuple[object, ...]]:
    """Rows of the same columns and sizes as the store's."""
    rows: list[tuple[object, ...]] = []
    for number in range(position + 1, position + events + 1):
        ids = os.urandom(16), os.urandom(16), os.urandom(16)
        header = (1, number, ids[0], SESSION, number, "stake_placed", 1, NOW, "Europe/London", NOW)
        rows.append((*header, ids[1], None, bytes(32), PAYLOAD, ids[2], bytes(32)))
    return rows


def insert_all(bare: sqlite3.Connection, position: int, transactions: int, events: int) -> None:
    marks = ", ".join("?" * 16)
    for n in range(transactions):
        rows = bare_rows(position + n * events, events)
        bare.execute("BEGIN IMMEDIATE")
        bare.executemany(f"INSERT INTO events VALUES ({marks})", rows)
        bare.execute("COMMIT")


Append = Callable[[int, list[list[CommandDrafts]]], None]
"""Appends batches to a session (or what stands for one) that has so many events."""


def compared(ours: Append, theirs: Append, events: int, transactions: int) -> tuple[float, float]:
    """Events a second of the first, and its ratio to the second, each the median over the rounds."""
    speeds, ratios = [], []
    for round_ in range(ROUNDS + 1):
        done, what = round_ * transactions * events, batches(transactions, events)
        one = timed(lambda done=done, what=what: ours(done, what))  # type: ignore[misc]
        other = timed(lambda done=done, what=what: theirs(done, what))  # type: ignore[misc]
        if round_:  # the first is to warm up
            speeds.append(transactions * events / one)
            ratios.append(other / one)
    return statistics.median(speeds), statistics.median(ratios)


def appends(events: int, transactions: int) -> tuple[float, float]:
    """The store on SQLite against a bare loop."""
    with places() as (store, bare):
        return compared(
            lambda done, what: append_all(store, done, what),
            lambda done, what: insert_all(bare, done, len(what), events),
            events,
            transactions,
        )


def appends_beside_eventsourcing(events: int, transactions: int, journal: str) -> float:
    """How many times as fast the store on SQLite is as eventsourcing, both from domain events in memory to disk."""
    from bench._eventsourcing import PLAYER, appending, staked

    theirs = staked(events * transactions * (ROUNDS + 1))
    with tempfile.TemporaryDirectory() as name, open_store(str(Path(name) / "ledger.db")) as store:
        record = appending(Path(name) / "theirs.db", journal)

        def append_ours(done: int, what: list[list[CommandDrafts]]) -> None:
            for n in range(len(what)):
                first = done + n * events
                drafts = tuple(
                    to_draft(Recorded(version, stake, NOW, "Europe/London", b""))
                    for version in range(first + 1, first + events + 1)
                )
                store.append(SESSION, first, [CommandDrafts(os.urandom(16), os.urandom(32), drafts)])

        def append_theirs(done: int, what: list[list[CommandDrafts]]) -> None:
            for n in range(len(what)):
                record(theirs[done + n * events : done + (n + 1) * events])

        stake = ev.Staked(player=PLAYER, action="raise", units=12, to=12)
        return compared(append_ours, append_theirs, events, transactions)[1]


def replay() -> tuple[float, float]:
    """Events a second read from the file and folded to a table, against the simplest aggregate of eventsourcing."""
    from bench._eventsourcing import replaying

    played = begin_evening(Random(1), random_rules(Random(1), "english"), taste=PLAIN)
    while len(played.stream) < REPLAYED:
        play_hand(played)
    drafts = tuple(to_draft(recorded) for recorded in played.stream)
    with tempfile.TemporaryDirectory() as name, open_store(str(Path(name) / "ledger.db")) as store:
        store.append(SESSION, 0, [CommandDrafts(bytes(16), bytes(32), drafts)])
        theirs = replaying(Path(name) / "theirs.db", len(drafts))
        ours = min(timed(lambda: load_session(store, SESSION)) for _ in range(ROUNDS))
        other = min(timed(theirs) for _ in range(ROUNDS))
    return len(drafts) / ours, other / ours


def appends_on_postgresql(url: str, conninfo: str, events: int, transactions: int) -> tuple[float, float]:
    """The store on PostgreSQL against a bare psycopg loop on the same server."""
    import psycopg

    table = BARE_TABLE.replace(") WITHOUT ROWID", ")").replace("BLOB", "BYTEA").replace("INTEGER", "BIGINT")
    name = f"bare_{events}"
    with open_store(url, ledger=name) as store, psycopg.connect(conninfo) as bare:
        bare.execute(table.replace("events", name))
        bare.commit()

        def insert(position: int, transactions: int) -> None:
            marks = ", ".join(["%s"] * 16)
            with bare.cursor() as cursor:
                for n in range(transactions):
                    rows = bare_rows(position + n * events, events)
                    cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
                    bare.commit()

        return compared(
            lambda done, what: append_all(store, done, what),
            lambda done, what: insert(done, len(what)),
            events,
            transactions,
        )


def postgresql_rows() -> list[tuple[str, str]]:
    """What PostgreSQL does on a server of our own, durable; a row that says so where there is none."""
    found = programs()
    if found is None:
        return [("PostgreSQL", "not measured: no server programs (initdb, pg_ctl) on this machine")]
    rows = []
    with server(found, durable=True) as socket:
        url = f"postgresql+psycopg://host@/postgres?host={socket}"
        for events, transactions, word in ((1, 100, "1 event"), (100, 20, "100 events")):
            speed, ratio = appends_on_postgresql(
                url, f"host={socket} user=host dbname=postgres", events, transactions
            )
            rows.append(
                (f"PostgreSQL: append, {word} a transaction", f"{speed:,.0f}/s, {ratio:.2f} of bare psycopg")
            )
    return rows


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
    rows = []
    for events, transactions, word, aims in (
        (1, 60, "1 event", ("0.5", "1")),
        (100, 30, "100 events", ("0.4", "2")),
    ):
        what = f"append, {word} a transaction"
        speed, ratio = appends(events, transactions)
        rows.append((what, f"{speed:,.0f}/s, {ratio:.2f} of bare sqlite3 (aim {aims[0]})"))
        for journal, named in (("wal", "as it comes"), ("delete", "with our journal")):
            ratio = appends_beside_eventsourcing(events, transactions, journal)
            rows.append((f"{what}, eventsourcing {named}", f"{ratio:.2f} times as fast (aim {aims[1]})"))
    speed, ratio = replay()
    rows.append(("replay", f"{speed:,.0f} events/s, {ratio:.1f} times as fast as eventsourcing (aim 5)"))
    verified, alone = verifying()
    rows.append(("verify", f"{verified:,.0f} events/s (aim 400,000); {alone:,.0f} in one process"))
    return rows + postgresql_rows()
