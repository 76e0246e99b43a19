"""A ledger as lines of JSON, and back: every column of every row, so that what is read in is byte for byte the same.

First the ledger's own line; then the events in order, before each command's first event the command; names,
checkpoints; last the end: head, hash and time. Hashes, ids and salts are hex, payloads text (they are JSON
within JSON). Keys are sorted, so a ledger has one text. Several ledgers may follow each other.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, Select, Table, insert, select
from sqlalchemy.exc import IntegrityError

from ledger.store import chain, verifying
from ledger.store.database import reading
from ledger.store.model import Broken, Head, StoreError
from ledger.store.statements import EVENT_COLUMNS, Statements
from ledger.store.tables import checkpoints, commands, heads, ledgers, names

FORMAT = 1
_PAGE = 4096
_BIGGEST = 2**53
_NO_COMMAND: verifying.CommandRow = (0, 0, b"")
#: Says what a name's hash must be, from name and salt. The store knows the hash only as 32 bytes.
NameHash = Callable[[str, bytes], bytes]


def written(engine: Engine, place: str, ledger: int) -> Iterator[bytes]:
    """The lines of a ledger as its head stands now; what is appended meanwhile is left to the next time."""
    sql = Statements(engine)
    with reading(engine, place) as connection:
        own = connection.execute(select(ledgers).where(ledgers.c.ledger == ledger)).one()
        end = sql.head.rows(connection, ledger=ledger)
    if not end:
        raise StoreError(f"{place}: the ledger has no head; mistigris verify says more")
    position, hash_, recorded_at = end[0]
    row = {"row": "ledger", "format": FORMAT, "ledger_id": own.ledger_id, "name": own.name}
    yield _line(row | {"created_at": own.created_at, "copy_for": own.copy_for})
    yield from _event_lines(engine, place, sql, ledger, position)
    yield from _side_lines(engine, place, "name", select(*names.c[1:]).where(names.c.ledger == ledger))
    # one that is signed meanwhile is on an event that is left out, and would speak against what is read in
    signed = checkpoints.c.ledger == ledger, checkpoints.c.position <= position
    yield from _side_lines(engine, place, "checkpoint", select(*checkpoints.c[1:]).where(*signed))
    yield _line({"row": "end", "position": position, "hash": hash_, "recorded_at": recorded_at})


def _event_lines(engine: Engine, place: str, sql: Statements, ledger: int, last: int) -> Iterator[bytes]:
    after = 0
    asked = select(*commands.c[1:]).where(commands.c.ledger == ledger).order_by(commands.c.first_position)
    columns = [column.name for column in EVENT_COLUMNS]
    while after < last:
        upto = min(after + _PAGE, last)
        with reading(engine, place) as connection:
            begun = commands.c.first_position.between(after + 1, upto)
            answers = {row.first_position: row._asdict() for row in connection.execute(asked.where(begun))}
            rows = sql.page.rows(connection, ledger=ledger, after=after, upto=upto, page=_PAGE)
        for row in rows:
            if row[0] in answers:
                yield _line({"row": "command", **answers[row[0]]})
            yield _line({"row": "event", **dict(zip(columns, row, strict=True))})
        after = upto


def _side_lines(engine: Engine, place: str, kind: str, asked: Select[Any]) -> Iterator[bytes]:
    with reading(engine, place) as connection:
        rows = connection.execute(asked).all()
    yield from sorted(_line({"row": kind, **row._asdict()}) for row in rows)


def _line(row: dict[str, Any]) -> bytes:
    # a column's name is of a subclass of str, which orjson does not take for a key
    fields = {str(name): value.hex() if isinstance(value, bytes) else value for name, value in row.items()}
    payload = row.get("payload")
    if payload is not None:
        try:
            fields["payload"] = payload.decode()
        except UnicodeDecodeError:
            raise StoreError(
                f"event {row['position']}: its payload is not text; the record was changed"
            ) from None
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


class AlreadyThereError(StoreError):
    """The lines are a ledger's, but it, or another of its name, is in the store already."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Taken:
    """A ledger that was read in, verified from its first event to its head."""

    ledger_id: str
    name: str
    head: Head


def taken(
    connection: Connection,
    place: str,
    source: str,
    lines: Iterable[bytes],
    name: str | None,
    name_hash: NameHash,
) -> list[Taken]:
    """Writes the ledgers of `lines` within the caller's transaction, under `name` where there is one only.

    Raises StoreError, saying which line of `source` is wrong and how; the caller's transaction must then end
    in a rollback. Every event is verified before this returns.
    """
    found: list[Taken] = []
    reader: _Reader | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            row = _parsed(line)
            if reader is None:
                _want(not (found and name is not None), "holds several ledgers; they keep their own names")
                reader = _begin(connection, place, row, name)
            elif row["row"] == "end":
                found.append(reader.end(row))
                reader = None
            else:
                reader.take(row, name_hash)
        except _BrokenError as broken:
            raise StoreError(f"{source}: {broken}; nothing was imported") from None
        except _WrongError as wrong:
            kind = AlreadyThereError if isinstance(wrong, _ThereError) else StoreError
            raise kind(f"{source}:{number}: {wrong}; nothing was imported") from None
        except IntegrityError as clash:
            said = " ".join(str(clash.orig).split())
            raise StoreError(f"{source}:{number}: cannot stand here ({said}); nothing was imported") from None
    if reader is not None or not found:
        raise StoreError(f"{source}:{number + 1}: ends before its ledger does; nothing was imported")
    return found


class _WrongError(Exception):
    """What is wrong with a line."""


class _BrokenError(_WrongError):
    """What is wrong with the chain; found where a page of it is full, so no line is named."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(f"event {broken.position}: {broken.reason}")


class _ThereError(_WrongError):
    """What is in the store already."""


def _want(holds: object, otherwise: str, kind: type[_WrongError] = _WrongError) -> None:
    if not holds:
        raise kind(otherwise)


def _hex(size: int | None) -> Callable[[Any], bytes]:
    def read(value: Any) -> bytes:
        decoded = bytes.fromhex(value)
        if (size is not None and len(decoded) != size) or decoded.hex() != value:
            raise ValueError
        return decoded

    return read


def _integer(value: Any) -> int:
    if type(value) is not int or abs(value) > _BIGGEST:
        raise ValueError
    return value


def _text(pattern: re.Pattern[str] | None = None) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or "\0" in value or (pattern and not pattern.fullmatch(value)):
            raise ValueError
        return value

    return read


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


_HEX_16, _HEX_32 = _hex(16), _hex(32)
_IDENTIFIER = _text(chain.SESSION)
#: Kind of line -> its keys, each with what reads its value or raises ValueError or TypeError.
_KEYS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "ledger": {
        "format": _integer,
        "ledger_id": _IDENTIFIER,
        "name": _text(),
        "created_at": _integer,
        "copy_for": _or_none(_text()),
    },
    "command": {
        "first_position": _integer,
        "last_position": _integer,
        "command_id": _HEX_16,
        "content_hash": _HEX_32,
    },
    "event": {
        "position": _integer,
        "event_id": _HEX_16,
        "session": _IDENTIFIER,
        "version": _integer,
        "event_type": _text(chain.EVENT_TYPE),
        "schema_version": _integer,
        "occurred_at": _integer,
        "zone": _text(chain.ZONE),
        "recorded_at": _integer,
        "command_id": _HEX_16,
        "cause": _or_none(_integer),
        "payload_hash": _HEX_32,
        "payload": _or_none(lambda value: _text()(value).encode()),
        "salt": _or_none(_HEX_16),
        "hash": _HEX_32,
    },
    "name": {"name_hash": _HEX_32, "player": _IDENTIFIER, "name": _text(), "salt": _hex(None)},
    "checkpoint": {"position": _integer, "key_name": _text(), "note": _text(), "recorded_at": _integer},
    "end": {"position": _integer, "hash": _HEX_32, "recorded_at": _integer},
}


def _parsed(line: bytes) -> dict[str, Any]:
    """The line's values, in the order of the columns, its kind first."""
    try:
        fields = orjson.loads(line)
    except ValueError:
        raise _WrongError("is not a line of a ledger: no JSON") from None
    kind = fields.pop("row", None) if isinstance(fields, dict) else None
    keys = _KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None:
        raise _WrongError(f"is not a line of a ledger; it should say “row” and one of {', '.join(_KEYS)}")
    if fields.keys() != keys.keys():
        raise _WrongError(f"the {kind} should have the keys {', '.join(keys)}")
    row: dict[str, Any] = {"row": kind}
    for key, read in keys.items():
        try:
            row[key] = read(fields[key])
        except (ValueError, TypeError):
            raise _WrongError(f"the {kind} has a “{key}” that cannot be one") from None
    return row


@dataclass(slots=True)
class _Reader:
    """One ledger on its way in: the walk over it, and the rows that are not yet written."""

    connection: Connection
    sql: Statements
    ledger: int
    ledger_id: str
    name: str
    is_copy: bool
    walk: verifying.Walk
    feed: deque[verifying.CommandRow]
    rows: list[chain.Row] = field(default_factory=list)
    commands: list[tuple[Any, ...]] = field(default_factory=list)
    position: int = 0

    def take(self, row: dict[str, Any], name_hash: NameHash) -> None:
        kind, *values = row.values()
        if kind == "event":
            self.position += 1
            _want(row["position"] == self.position, f"event {self.position} should stand here")
            self.rows.append(tuple(values))
            if len(self.rows) == _PAGE:
                self.write()
        elif kind == "command":
            _want(not self.is_copy, "a copy holds no commands")
            _want(
                row["first_position"] == self.position + 1, "the command should stand before its first event"
            )
            self.feed.append((row["first_position"], row["last_position"], row["command_id"]))
            self.commands.append((self.ledger, *values))
        elif kind == "name":
            _want(name_hash(row["name"], row["salt"]) == row["name_hash"], "the name does not fit its hash")
            _insert(self.connection, names, self.ledger, row)
        elif kind == "checkpoint":
            _insert(self.connection, checkpoints, self.ledger, row)
        else:
            raise _WrongError("the ledger before has not come to its end")

    def write(self) -> None:
        """Verifies the page of events, then writes it."""
        broken = verifying.follow(self.walk, self.rows)
        if broken is not None:
            raise _BrokenError(broken)
        if self.rows:
            self.sql.insert_event.run_many(self.connection, [(self.ledger, *row) for row in self.rows])
        if self.commands:
            self.sql.insert_command.run_many(self.connection, self.commands)
        self.rows, self.commands = [], []

    def end(self, row: dict[str, Any]) -> Taken:
        self.write()
        head = Head(row["position"], row["hash"])
        left = self.feed[-1][0] if self.feed else 0
        broken = verifying.end(self.walk, head.position, head.hash, row["recorded_at"], left)
        if broken is not None:
            raise _BrokenError(broken)
        _insert(self.connection, heads, self.ledger, row)
        return Taken(self.ledger_id, self.name, head)


def _insert(connection: Connection, table: Table, ledger: int, row: dict[str, Any]) -> None:
    values = {name: value for name, value in row.items() if name != "row"}
    connection.execute(insert(table).values(ledger=ledger, **values))


def _begin(connection: Connection, place: str, row: dict[str, Any], name: str | None) -> _Reader:
    """Makes the ledger of its line, and what is needed to follow it."""
    _want(row["row"] == "ledger", "a ledger should begin here")
    _want(row["format"] == FORMAT, f"is of format {row['format']}; this version reads {FORMAT}")
    ledger_id, called = row["ledger_id"], name or row["name"]
    known = connection.execute(select(ledgers.c.ledger_id, ledgers.c.name)).all()
    ids, called_so = {k.ledger_id for k in known}, {k.name for k in known}
    _want(ledger_id not in ids, f"this ledger is in {place} already", _ThereError)
    another = f"{place} has another ledger called {called}; --ledger NAME names this one"
    _want(called not in called_so, another, _ThereError)
    number = 1 + len(known)
    own = {
        "ledger_id": ledger_id,
        "name": called,
        "created_at": row["created_at"],
        "copy_for": row["copy_for"],
    }
    connection.execute(insert(ledgers).values(ledger=number, **own))
    feed: deque[verifying.CommandRow] = deque()
    is_copy = row["copy_for"] is not None
    walk = verifying.start(ledger_id, None if is_copy else _fed(feed))
    return _Reader(connection, Statements(connection.engine), number, ledger_id, called, is_copy, walk, feed)


def _fed(feed: deque[verifying.CommandRow]) -> Iterator[verifying.CommandRow]:
    """The commands as they come in; one that is looked for and has not come is none."""
    while True:
        yield feed.popleft() if feed else _NO_COMMAND
