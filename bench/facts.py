"""Facts: catching up from nothing and after one more hand, and all figures of all players over a million hands.

The evenings are played by the seeded generator and recorded into a ledger. A hundred thousand and a million hands are
these hands copied under new session ids by SQL, since playing and recording a million would take an hour; the copies
have the same players, so each of them has played everything.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import duckdb

from analytics.facts import Facts
from analytics.opening import facts_path, open_facts
from analytics.reports import player_figures
from analytics.schema import EVERY_TABLE, SUMS
from analytics.scope import Scope
from bench.generator import PLAIN, begin_evening, grouped, play_hand
from ledger.events import Corrected
from ledger.house import evenings, write
from ledger.loading import load_session
from ledger.rules.load import load
from ledger.rules.model import CapLimit
from ledger.store import Appended, CommandDrafts, open_store
from ledger.store.store import Store

SEED = 20261130
EVENINGS = 20
HANDS = 100
TASTE = replace(PLAIN, known=0.0)


def append(store: Store, session: str, drafts: list[CommandDrafts]) -> None:
    assert isinstance(store.append(session, store.version(session), drafts), Appended)


def fill(store: Store) -> tuple[str, list[list[CommandDrafts]]]:
    """Records the evenings; of the last one, which stays open, the session and its last hands, not recorded yet."""
    rules = load("foster").model_copy(update={"ante": 1, "limit": CapLimit(units=10)})
    rest: list[list[CommandDrafts]] = []
    session = ""
    for number in range(EVENINGS):
        evening = begin_evening(Random(SEED + number), rules, players=6, taste=TASTE)
        while len(evening.session.hands) < HANDS:
            play_hand(evening)
        session = evening.session.id
        drafts = list(grouped(session, evening.stream))
        append(store, session, drafts)
        if number == EVENINGS - 1:
            for _ in range(12):
                done = len(evening.stream)
                play_hand(evening)
                rest.append(list(grouped(session, evening.stream[done:])))
    return session, rest


def copied(connection: duckdb.DuckDBPyConnection, times: int, tables: tuple[str, ...]) -> None:
    """Copies the facts under new session ids, so that there are `times` as many."""
    for table in tables:
        columns = ", ".join(
            "substr(md5(session || n::varchar), 1, 32) as session" if c.name == "session" else c.name
            for c in EVERY_TABLE[table]
        )
        connection.execute(
            f"insert into {table} select {columns} from {table} cross join range(1, {times}) as copies (n)"
        )
    connection.execute("checkpoint")


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """The median."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def one_more_hand(store: Store, session: str, rest: list[list[CommandDrafts]]) -> tuple[float, float]:
    """Milliseconds to catch up after one hand: in a process that goes on, and in one that has just been started."""
    path = facts_path(store)
    assert path is not None
    going, fresh = [], []
    with duckdb.connect(str(path)) as connection:
        facts = Facts(connection)
        for drafts in rest[:6]:
            append(store, session, drafts)
            start = time.perf_counter()
            facts.catch_up(store)
            going.append(time.perf_counter() - start)
    for drafts in rest[6:]:
        append(store, session, drafts)
        start = time.perf_counter()
        with open_facts(store):
            fresh.append(time.perf_counter() - start)
    return 1000 * statistics.median(going[1:]), 1000 * statistics.median(fresh)


def one_correction(store: Store) -> float:
    """Milliseconds for a new process to catch up after a correction of an old evening, folded anew."""
    taken = []
    for span in evenings(store)[:5]:
        giver, taker, *_ = load_session(store, span.session).people()
        write(
            store, [Corrected(session=span.session, text="late", hand=1, units=1, giver=giver, taker=taker)]
        )
        start = time.perf_counter()
        with open_facts(store):
            taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken)


def figures(connection: duckdb.DuckDBPyConnection) -> tuple[float, float, float, float]:
    """Seconds: a plain scan of the columns, all figures counted hand by hand, as `stats` has them, and as recorded."""
    columns = [c.name for c in EVERY_TABLE["hand_players"] if c.name in {s.name for s in SUMS}]
    scan = f"select count(distinct player), {', '.join(f'sum({c})' for c in columns)} from hand_players"
    plain = seconds(lambda: connection.execute(scan).fetchall())
    by_hand = seconds(lambda: player_figures(connection, Scope(jackpot=False)), times=3)
    tallied = seconds(lambda: player_figures(connection, Scope()))
    recorded = seconds(lambda: player_figures(connection, Scope(as_recorded=True)))
    return plain, by_hand, tallied, recorded


def run() -> list[tuple[str, str]]:
    """What, and the figure with its aim."""
    rows: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "ledger.db")) as store:
        session, rest = fill(store)
        start = time.perf_counter()
        with open_facts(store):
            pace = EVENINGS * HANDS / (time.perf_counter() - start)
        rows.append(("catch-up from an empty file", f"{pace:,.0f} hands/s"))
        path = facts_path(store)
        assert path is not None
        with duckdb.connect(str(path)) as connection:
            copied(connection, 50, tuple(EVERY_TABLE))
        going, fresh = one_more_hand(store, session, rest)
        told = "100,000 hands of facts, 2,000 of them in the ledger"
        rows.append((f"one more hand, {told}", f"{going:.0f} ms in a process that goes on (aim 100)"))
        rows.append(("  the same by a new process, its evening folded anew", f"{fresh:.0f} ms"))
        rows.append(("  a correction of an old evening of 100 hands", f"{one_correction(store):.0f} ms"))
        with duckdb.connect(str(path)) as connection:
            copied(connection, 10, tuple(t for t in EVERY_TABLE if t not in ("actions", "counters", "kitty")))
            plain, by_hand, tallied, recorded = figures(connection)
        rows += [
            ("a plain scan of the columns, 1,000,000 hands", f"{plain:.2f} s"),
            (
                "all figures of all players, counted hand by hand",
                f"{by_hand:.2f} s, {by_hand / plain:.1f} scans (aim 8)",
            ),
            (
                "all figures as `stats` has them, from tallies",
                f"{tallied:.2f} s, {tallied / plain:.1f} scans (aim 8)",
            ),
            (
                "  the same as recorded, rulings and corrections left out",
                f"{recorded:.2f} s, {recorded / plain:.1f} scans (aim 8)",
            ),
        ]
    rows.append(("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"))
    return rows
