"""One ledger of a store: append, read, sessions, commands, names, verify."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, delete, insert, select

from ledger.store import appending, chain, guards, verifying
from ledger.store.database import Clock, Entropy, Prepared, reading, writing
from ledger.store.model import (
    Appended,
    AppendOutcome,
    Broken,
    CommandConflict,
    CommandDrafts,
    CommandRecord,
    Head,
    NameRow,
    SessionBatch,
    SessionSpan,
    StoredEvent,
    StoreError,
    Verified,
    VersionConflict,
)
from ledger.store.statements import Statements
from ledger.store.tables import checkpoints, names
from ledger.store.verifying import CommandRow, Walk

_EVERY_POSITION = 2**62
_PAGE = 4096
_TRIES_WITHOUT_LOCK = 3


class _UndoneError(Exception):
    """Ends a transaction of which nothing is to stay; `outcome` None: the head moved meanwhile, try again."""

    def __init__(self, outcome: VersionConflict | CommandConflict | None) -> None:
        self.outcome = outcome


class Store:
    """One ledger, open. Every method is one short transaction (a read: one a page); faults are StoreError."""

    def __init__(
        self,
        engine: Engine,
        address: str | None,  # where another process would open it; None in memory
        place: str,
        found: tuple[int, str, str, str | None],
        clock: Clock,
        entropy: Entropy,
    ) -> None:
        self._engine = engine
        self._address = address
        self.place = place
        self._ledger, self.ledger_id, self.ledger_name, self.copy_for = found
        self._clock = clock
        self._entropy = entropy
        self._sql = Statements(engine)

    def close(self) -> None:
        """Gives the database's connections back."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(
        self,
        session: str,
        expected_version: int,
        commands: Sequence[CommandDrafts],
        names: Sequence[NameRow] = (),
    ) -> AppendOutcome:
        """Records the events of a batch of commands, all or none, and names beside them.

        `expected_version` is the session's version that the caller saw, 0 for a new one. A batch that is
        recorded already is answered as it was the first time, whatever the version now. After a StoreError
        while committing it may not be known what became of it: append the same again, it counts once.
        """
        outcome = self.append_all([SessionBatch(session, expected_version, commands, names)])
        return outcome[0] if isinstance(outcome, tuple) else outcome

    def append_all(
        self, batches: Sequence[SessionBatch]
    ) -> tuple[Appended, ...] | VersionConflict | CommandConflict:
        """The same for several sessions in one transaction: all of them, or the first that cannot be and none."""
        if self.copy_for is not None:
            raise StoreError(f"{self.place}: is a copy for {self.copy_for}; nothing is recorded in a copy")
        checked = [appending.Batch(self._ledger, self.ledger_id, *batch) for batch in batches]
        for batch in checked:
            appending.check(batch)
        tries = 0
        while True:
            try:
                return self._attempt(checked, lock=tries >= _TRIES_WITHOUT_LOCK)
            except _UndoneError as undone:
                if undone.outcome is not None:
                    return undone.outcome
            tries += 1

    def _attempt(self, batches: Sequence[appending.Batch], *, lock: bool) -> tuple[Appended, ...]:
        done = []
        with writing(self._engine, self.place) as connection:
            for batch in batches:
                outcome = appending.attempt(
                    connection, self._sql, batch, self._clock, self._entropy, lock=lock
                )
                if not isinstance(outcome, Appended):
                    raise _UndoneError(outcome)
                done.append(outcome)
        return tuple(done)

    def answered(
        self, session: str, asked: Sequence[tuple[bytes, bytes]]
    ) -> Appended | CommandConflict | None:
        """What `append` would answer to commands, each its id and content hash, that are recorded already.

        None where none of them is. So a command that is repeated need not be decided again to be answered.
        """
        commands = [CommandDrafts(command_id, content_hash, ()) for command_id, content_hash in asked]
        batch = appending.Batch(self._ledger, self.ledger_id, session, 0, commands, ())
        with reading(self._engine, self.place) as connection:
            return appending.answer(connection, self._sql, batch)

    def read(
        self, session: str | None = None, after: int = 0, upto: int | None = None, page: int = _PAGE
    ) -> Iterator[StoredEvent]:
        """Events with after < position <= upto in order of position, of one session or of all.

        Without `upto`, up to the end as it is when the reader gets there.
        """
        pages = self._pages if session is None else self._session_pages
        for rows in pages(session, after, _EVERY_POSITION if upto is None else upto, page):
            yield from map(StoredEvent._make, rows)

    def _pages(self, _: str | None, after: int, upto: int, page: int) -> Iterator[list[chain.Row]]:
        while rows := self._fetch(self._sql.page, after=after, upto=upto, page=page):
            yield rows
            if len(rows) < page:
                return
            after = rows[-1][0]

    def _session_pages(
        self, session: str | None, after: int, upto: int, page: int
    ) -> Iterator[list[chain.Row]]:
        version = 0
        if after > 0:
            version = self._fetch(self._sql.version_at, session=session, position=after)[0][0]
        values = {"session": session, "upto": upto, "page": page}
        while rows := self._fetch(self._sql.session_page, after_version=version, **values):
            yield rows
            if len(rows) < page:
                return
            version = rows[-1][3]

    def _fetch(self, statement: Prepared, **values: Any) -> list[Any]:
        """All rows as the driver gives them."""
        with reading(self._engine, self.place) as connection:
            return statement.rows(connection, ledger=self._ledger, **values)

    def of_type(self, *event_types: str) -> list[StoredEvent]:
        """The events of some types, of all sessions, in order of position; for types of which there are few."""
        with reading(self._engine, self.place) as connection:
            rows = connection.execute(self._sql.of_types, {"ledger": self._ledger, "types": event_types})
            return [StoredEvent._make(row) for row in rows]

    def head(self) -> Head:
        """The end of the ledger: last position and hash. This is what a receipt writes down."""
        found = self._fetch(self._sql.head)
        if not found:
            raise StoreError(f"{self.place}: the ledger has no head; mistigris verify says more")
        position, hash_, _ = found[0]
        return Head(position, hash_)

    def guard_fault(self) -> str | None:
        """Which guard is missing, changed or switched off, in a line; None where all stand."""
        with reading(self._engine, self.place) as connection:
            try:
                guards.check(connection, self.place)
            except StoreError as fault:
                return str(fault)
        return None

    def hash_at(self, position: int) -> bytes | None:
        """The recorded hash at a position (0: before the first event), None beyond the end."""
        if position == 0:
            return chain.genesis(self.ledger_id)
        return next((event.hash for event in self.read(after=position - 1, upto=position)), None)

    def version(self, session: str) -> int:
        """The number of events of a session; 0 if there is no such session."""
        return int(self._fetch(self._sql.version, session=session)[0][0])

    def sessions(self) -> list[SessionSpan]:
        """Every session, in order of its first event."""
        return [SessionSpan(*row) for row in self._fetch(self._sql.sessions)]

    def commands(self, session: str) -> list[CommandRecord]:
        """The recorded commands of a session, in order."""
        return [CommandRecord(*row) for row in self._fetch(self._sql.session_commands, session=session)]

    def names(self) -> list[NameRow]:
        """Every name that has not been erased."""
        columns = select(names.c.player, names.c.name, names.c.salt, names.c.name_hash)
        ordered = columns.where(names.c.ledger == self._ledger).order_by(names.c.player, names.c.name_hash)
        with reading(self._engine, self.place) as connection:
            return [NameRow(*row) for row in connection.execute(ordered)]

    def erase_name(self, player: str, name_hash: bytes | None = None) -> int:
        """Deletes a player's names, or the one of that hash, with their salts; says how many there were.

        What is left is the salted hash in the event, against which nobody can try names any more. SQLite
        overwrites the bytes; PostgreSQL frees them at the next VACUUM; older backups still have them.
        """
        erased = delete(names).where(names.c.ledger == self._ledger, names.c.player == player)
        if name_hash is not None:
            erased = erased.where(names.c.name_hash == name_hash)
        with writing(self._engine, self.place) as connection:
            return connection.execute(erased).rowcount

    def keep_checkpoint(self, position: int, key_name: str, note: str) -> None:
        """Keeps a signed note on a position beside the ledger; one for each position and key."""
        values = {"position": position, "key_name": key_name, "note": note, "recorded_at": self._clock()}
        with writing(self._engine, self.place) as connection:
            connection.execute(insert(checkpoints).values(ledger=self._ledger, **values))

    def checkpoints(self) -> list[tuple[int, str, str]]:
        """The checkpoints kept: position, key name, signed note; in order of position."""
        c = checkpoints.c
        query = select(c.position, c.key_name, c.note).where(c.ledger == self._ledger)
        with reading(self._engine, self.place) as connection:
            rows = connection.execute(query.order_by(c.position, c.key_name)).all()
        return [(position, key_name, note) for position, key_name, note in rows]

    def lines(self) -> Iterator[bytes]:
        """The whole ledger as lines of JSON, from which `read_in` makes the same again."""
        from ledger.store import lines

        return lines.written(self._engine, self.place, self._ledger)

    def write_copy(
        self, out: Path, copy_for: str, withhold: Callable[[StoredEvent], bool], rows: Iterable[NameRow]
    ) -> tuple[Head, int]:
        """Writes a player's copy to a file: every header, `rows` of the names, no payload that is to be withheld.

        Gives the copy's head and from how many events the payload is withheld. Raises StoreError, and leaves nothing,
        if the file is there already or cannot be written.
        """
        from ledger.store import copies

        return copies.write_copy(self._engine, self.place, self._ledger, out, copy_for, withhold, rows)

    def verify(self, processes: int | None = None) -> Verified | Broken:
        """Recomputes every hash from the stored bytes, and compares commands and head with the events.

        A long ledger is shared among `processes` (as many as there are processors, unless told). Events
        appended meanwhile are left to the next time.
        """
        ends = self._fetch(self._sql.ends)
        if not ends:
            return Broken(1, "the ledger has no head")
        position, hash_, recorded_at, last, last_command = ends[0]
        walk = self._follow_shared(last, processes)
        if isinstance(walk, Broken):
            return walk
        broken = verifying.end(walk, position, hash_, recorded_at, last_command)
        if broken is not None:
            return broken
        return Verified(walk.position, Head(walk.position, walk.hash), tuple(walk.withheld))

    def _follow_shared(self, last: int, processes: int | None) -> Walk | Broken:
        from ledger.store import stretches

        count = processes or stretches.processes_for(last)
        firsts = [1] if self._address is None else self._firsts(last, count)
        shares = list(zip(firsts, [first - 1 for first in firsts[1:]] + [last], strict=True))
        with stretches.Helpers(self._address or "", self.ledger_name, shares[1:]) as helpers:
            walk = self.follow(*shares[0])
            for number, share in enumerate(shares[1:]):
                if isinstance(walk, Broken):
                    return walk
                following = helpers.result(number) or self.follow(*share)
                broken = following if isinstance(following, Broken) else verifying.join(walk, following)
                if broken is not None:
                    return broken
        return walk

    def _firsts(self, last: int, count: int) -> list[int]:
        """Where about equal stretches begin: each with the first event of a command."""
        firsts = [1]
        for share in range(1, count):
            at = last * share // count
            if self.copy_for is None:
                found = self._fetch(self._sql.command_page, after=at, page=1)
                at = found[0][0] if found else last + 1
            if firsts[-1] < at <= last:
                firsts.append(at)
        return firsts

    def follow(self, first: int, last: int) -> Walk | Broken:
        """Walks the chain from one position to another; what `verify` is made of."""
        before = self._fetch(self._sql.page, after=first - 2, upto=first - 1, page=1)
        if first > 1 and not before:
            return Broken(first - 1, verifying.MISSING)
        commands = self._command_rows(first, last) if self.copy_for is None else None
        walk = verifying.start(self.ledger_id, commands, before[0] if before else None)
        for rows in self._pages(None, first - 1, last, _PAGE):
            broken = verifying.follow(walk, rows)
            if broken is not None:
                return broken
        walk.commands = None
        return walk

    def _command_rows(self, first: int, last: int) -> Iterator[CommandRow]:
        after = first - 1
        while rows := self._fetch(self._sql.command_page, after=after, page=_PAGE):
            yield from (row for row in rows if row[0] <= last)
            after = rows[-1][0]
            if after > last:
                return
