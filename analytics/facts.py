"""Facts: what the ledger says, as tables in DuckDB that reports read; caught up from the last event they saw.

The rows of a session come from folding it with the projector that everything else uses (`notes`, `rows`). Only sessions
with new events are folded, and of these only hands from the first changed one on are written again; a correction after
the close, which stands in the ledger's own stream, is an event of the session that it names. Rows and the position they
go up to are written in one transaction. What is here is a throw-away: built anew it has the same rows.

Rows go to DuckDB as JSON lines: as fast as pyarrow for these tables (which folding outweighs ten times), and a library
of 40 MB less. DuckDB never opens the ledger.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import orjson

from analytics.notes import Evening
from analytics.rows import HAND_TABLES, SESSION_TABLES, Rows, hand_rows, session_rows
from analytics.schema import EVERY_TABLE, EXTREMES, SCHEMA_VERSION, SUMS, TABLES, create_tables
from ledger import events as ev
from ledger.codec import to_recorded
from ledger.collecting import collector_paused
from ledger.house import evenings
from ledger.store.store import Store

if TYPE_CHECKING:
    import duckdb

Progress = Callable[[int, int], None]
"""Told how many sessions of how many are done."""

_BATCH_ROWS = 40_000
_KEPT_EVENINGS = 8


class Facts:
    """Fact tables in one DuckDB connection, and the evenings folded last, so that one more hand costs one hand."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self.connection = connection
        self._evenings: dict[str, Evening] = {}

    def fits(self, store: Store) -> bool:
        """Whether these facts are of this schema, and of this ledger as it is now (not of one since replaced)."""
        tables = {
            row[0] for row in self.connection.execute("select table_name from duckdb_tables()").fetchall()
        }
        if "progress" not in tables:
            return False
        rows = self.connection.execute("select schema_version, ledger, upto, head from progress").fetchall()
        if len(rows) != 1 or rows[0][:2] != (SCHEMA_VERSION, store.ledger_id):
            return False
        hash_ = store.hash_at(rows[0][2])
        return hash_ is not None and hash_.hex() == rows[0][3]

    def upto(self) -> int:
        """The position of the last event that is in these facts."""
        row = self.connection.execute("select upto from progress").fetchone()
        assert row is not None
        return int(row[0])

    def clear(self, store: Store) -> None:
        """Makes every table, empty."""
        self._evenings.clear()
        self.connection.execute("begin")
        self.connection.execute(create_tables())
        start = store.hash_at(0)
        assert start is not None
        self.connection.execute(
            "insert into progress values (?, ?, 0, ?)", [SCHEMA_VERSION, store.ledger_id, start.hex()]
        )
        self.connection.execute("commit")

    def catch_up(self, store: Store, progress: Progress | None = None) -> int:
        """Writes what was recorded since; gives the number of sessions that had new events.

        Raises StoreError where the ledger cannot be folded; the facts are then as they were.
        """
        upto, head = self.upto(), store.head()
        if head.position == upto:
            return 0
        late = _corrections(store, head.position)
        spans = [
            s for s in evenings(store)
            if s.last_position > upto or any(c.position > upto for c in late.get(s.session, ()))
        ]  # fmt: skip
        self.connection.execute("begin")
        try:
            writer = _Writer(self.connection, fresh=upto == 0)
            for done, span in enumerate(spans):
                writer.add(
                    self._changed(store, span.session, upto, head.position, late.get(span.session, ()))
                )
                if progress is not None:
                    progress(done + 1, len(spans))
            writer.flush()
            self.connection.execute(
                "update progress set upto = ?, head = ?", [head.position, head.hash.hex()]
            )
            self.connection.execute("commit")
        except BaseException:
            self.connection.execute("rollback")
            self._evenings.clear()
            raise
        return len(spans)

    def _changed(
        self, store: Store, session: str, upto: int, head: int, late: "Sequence[_Correction]"
    ) -> "_Changed":
        """The evening folded up to `head`, and which of its hands are not in the facts as they stand now."""
        evening = self._evenings.pop(session, None) or Evening(session)
        written = None
        with collector_paused():
            for stored in store.read(session, after=evening.position, upto=head):
                if written is None and stored.position > upto:
                    written = evening.settled()
                evening.take(stored)
        if written is None:
            written = evening.settled()
        changed = [c.event.hand for c in late if c.position > upto and c.event.hand is not None]
        if evening.changed_from is not None:
            changed.append(evening.changed_from)
        first = min(changed, default=len(evening.session.hands) + 1)
        if not evening.session.closed:
            self._evenings[session] = evening
            while len(self._evenings) > _KEPT_EVENINGS:
                self._evenings.pop(next(iter(self._evenings)))
        return _Changed(evening, first, written, [c.event for c in late])


class _Correction(NamedTuple):
    """A correction after a close, and its position in the ledger."""

    position: int
    event: ev.Corrected


def _corrections(store: Store, head: int) -> dict[str, list[_Correction]]:
    """The corrections recorded up to `head`, by the session they name; those withheld from a copy left out."""
    found: dict[str, list[_Correction]] = {}
    for stored in store.of_type("corrected"):
        if stored.payload is not None and stored.position <= head:
            event = to_recorded(stored).event
            assert isinstance(event, ev.Corrected)
            found.setdefault(event.session, []).append(_Correction(stored.position, event))
    return found


class _Changed(NamedTuple):
    """An evening with new events: its hands from `first` on are to be written, of which `written` had been before.

    `late` are all corrections made after its close.
    """

    evening: Evening
    first: int
    written: int
    late: list[ev.Corrected]


class _Writer:
    """Collects the rows of evenings and writes them in batches, old rows of the same hands taken out first."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", *, fresh: bool) -> None:
        self._connection = connection
        self._fresh = fresh
        self._rows: Rows = {table: [] for table in TABLES}
        self._sessions: list[str] = []
        self._rewritten: list[tuple[str, int]] = []

    def add(self, changed: _Changed) -> None:
        """Takes the evening's rows, of its hands those that changed."""
        evening, first, written, late = changed
        self._sessions.append(evening.session.id)
        if first <= written:
            self._rewritten.append((evening.session.id, first))
        for rows in (session_rows(evening, late), hand_rows(evening, first, late)):
            for table, more in rows.items():
                self._rows[table] += more
        if sum(map(len, self._rows.values())) >= _BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Writes what was collected."""
        if not self._sessions:
            return
        if not self._fresh:
            self._delete()
        load(self._connection, self._rows)
        _tally(self._connection, self._sessions)
        self._sessions.clear()
        self._rewritten.clear()
        for rows in self._rows.values():
            rows.clear()

    def _delete(self) -> None:
        for some in _chunks(self._sessions, 500):
            marks = ", ".join("?" * len(some))
            for table in (*SESSION_TABLES, "tallies"):
                self._connection.execute(f"delete from {table} where session in ({marks})", list(some))
        for session, first in self._rewritten:
            for table in HAND_TABLES:
                self._connection.execute(
                    f"delete from {table} where session = ? and hand >= ?", [session, first]
                )


def load(connection: "duckdb.DuckDBPyConnection", rows: Rows) -> None:
    """Appends rows to their tables, by way of JSON lines in a folder that only this user can read."""
    with tempfile.TemporaryDirectory() as folder:
        for table, more in rows.items():
            if more:
                path = Path(folder) / f"{table}.json"
                path.write_bytes(b"\n".join(map(orjson.dumps, more)))
                columns = ", ".join(f"'{c.name}': '{c.type}'" for c in EVERY_TABLE[table])
                names = ", ".join(c.name for c in EVERY_TABLE[table])
                connection.execute(
                    f"insert into {table} select {names} from read_json('{_quoted(str(path))}', "
                    f"format = 'newline_delimited', columns = {{{columns}}})"
                )


def _quoted(text: str) -> str:
    return text.replace("'", "''")


_OWN_SUMS: dict[str, str] = {
    "hands": "dealt",
    "net_sq": "cast(net as decimal(18, 0)) * cast(net as decimal(18, 0))",
    "net_at_show": "at_show * net",
    "net_without_show": "(1 - at_show) * net",
    "ante_net": "posted * net",
    "straddle_net": "straddled_n * net",
    "jackpot_net": "jackpot * net",
    "drew": "case when drawn is null then 0 else 1 end",
    "cards": "coalesce(drawn, 0)",
    **{f"drew_{n}": f"case when drawn = {n} then 1 else 0 end" for n in range(6)},
}


EXTREME_OF: dict[str, tuple[str, str]] = dict(
    zip((c.name for c in EXTREMES), (("max", "net"), ("min", "net"), ("max", "pool_won")), strict=True)
)
"""An extreme of `tallies`: how it comes of which column of `hand_players`."""


def as_sums(column: str) -> str:
    """What of a row of `hand_players` adds up to a column of `tallies`, in SQL."""
    return _OWN_SUMS.get(column, column)


def tallied(hand_players: str) -> str:
    """The query whose rows are those of `tallies`, over (some of) the rows of `hand_players`."""
    sums = [f"cast(sum({as_sums(c.name)}) as {c.type}) as {c.name}" for c in SUMS]
    ends = [f"{how}({column}) as {name}" for name, (how, column) in EXTREME_OF.items()]
    return f"select session, player, {', '.join([*sums, *ends])} from {hand_players} group by session, player"


def _tally(connection: "duckdb.DuckDBPyConnection", sessions: Sequence[str]) -> None:
    for some in _chunks(sessions, 500):
        marks = ", ".join("?" * len(some))
        rows = f"(select * from hand_players where session in ({marks})) as of_sessions"
        connection.execute(f"insert into tallies {tallied(rows)}", list(some))


def _chunks(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[at : at + size] for at in range(0, len(items), size))
