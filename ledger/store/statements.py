"""Every statement the store runs often: written in Core, compiled once, when first used, for its database."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from sqlalchemy import BindParameter, Engine, Select, bindparam, func, insert, literal_column, select, update
from sqlalchemy.sql.elements import ClauseElement

from ledger.store.database import Prepared, prepare
from ledger.store.tables import commands, events, heads, names

#: The columns of a read, in the order of StoredEvent and chain.Row.
EVENT_COLUMNS = tuple(column for column in events.c if column.name != "ledger")

_LEDGER: BindParameter[int] = bindparam("ledger")
_IN_SESSION = (events.c.ledger == _LEDGER) & (events.c.session == bindparam("session"))


class Statements:
    """The statements of one engine; every one takes `ledger`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _prepare(self, statement: ClauseElement) -> Prepared:
        return prepare(self._engine, statement)

    @cached_property
    def head(self) -> Prepared:
        """Position, hash and time of the head."""
        return self._prepare(_head())

    @cached_property
    def locked_head(self) -> Prepared:
        """The same, and other writers wait until the transaction ends (on SQLite they do anyway)."""
        return self._prepare(_head().with_for_update())

    @cached_property
    def standing(self) -> Prepared:
        """The head, the session's version, and whether a command is known, as one moment sees them."""
        known = select(commands.c.command_id).where(
            _unsought(commands.c.ledger) == _LEDGER, commands.c.command_id == bindparam("command_id")
        )
        return self._prepare(_head().add_columns(_last(events.c.version, _IN_SESSION), known.exists()))

    @cached_property
    def ends(self) -> Prepared:
        """The head, and where the last event and the last command stand, as one moment sees them."""
        last = _last(events.c.position, events.c.ledger == _LEDGER)
        command = _last(commands.c.first_position, commands.c.ledger == _LEDGER)
        return self._prepare(_head().add_columns(last, command))

    @cached_property
    def move_head(self) -> Prepared:
        """Compare and swap."""
        there = (heads.c.position == bindparam("from_position")) & (heads.c.hash == bindparam("from_hash"))
        to: dict[str, Any] = {name: bindparam(f"to_{name}") for name in ("position", "hash", "recorded_at")}
        return self._prepare(update(heads).where(heads.c.ledger == _LEDGER, there).values(to))

    @cached_property
    def insert_event(self) -> Prepared:
        """All columns, in the table's order."""
        return prepare(self._engine, insert(events), events.c.keys())

    @cached_property
    def insert_command(self) -> Prepared:
        """All columns, in the table's order."""
        return prepare(self._engine, insert(commands), commands.c.keys())

    @cached_property
    def insert_name(self) -> Prepared:
        """All columns, in the table's order."""
        return prepare(self._engine, insert(names), names.c.keys())

    @cached_property
    def version(self) -> Prepared:
        """A session's version, 0 if there is none."""
        return self._prepare(select(_last(events.c.version, _IN_SESSION)))

    @cached_property
    def version_at(self) -> Prepared:
        """A session's version as it was at a position."""
        upto = _unsought(events.c.position) <= bindparam("position")
        return self._prepare(select(_last(events.c.version, _IN_SESSION & upto)))

    @cached_property
    def page(self) -> Prepared:
        """Events after a position, up to a position."""
        return self._prepare(
            _events(events.c.ledger == _LEDGER, events.c.position > bindparam("after"), events.c.position)
        )

    @cached_property
    def session_page(self) -> Prepared:
        """Events of a session after a version; positions rise with it, and an index is so ordered."""
        return self._prepare(
            _events(_IN_SESSION, events.c.version > bindparam("after_version"), events.c.version)
        )

    @cached_property
    def sessions(self) -> Prepared:
        """Each session with its ends."""
        return self._prepare(_sessions())

    @cached_property
    def session_commands(self) -> Prepared:
        """The commands of a session with the versions they cover."""
        count = commands.c.last_position - commands.c.first_position
        joined = (commands.c.ledger == events.c.ledger) & (commands.c.first_position == events.c.position)
        columns = (commands.c.command_id, commands.c.content_hash, events.c.version, events.c.version + count)
        return self._prepare(
            select(*columns)
            .select_from(events.join(commands, joined))
            .where(_IN_SESSION)
            .order_by(events.c.version)
        )

    @cached_property
    def of_types(self) -> Select[Any]:
        """Events of `types`. Not compiled beforehand: the length of IN varies."""
        types = events.c.event_type.in_(bindparam("types", expanding=True))
        mine = _unsought(events.c.ledger) == _LEDGER
        return select(*EVENT_COLUMNS).where(types, mine).order_by(events.c.position)

    @cached_property
    def known_commands(self) -> Select[Any]:
        """Those of `ids` that are recorded, with where. Not compiled beforehand: the length of IN varies."""
        return _known_commands()

    @cached_property
    def command_page(self) -> Prepared:
        """Commands beginning after a position."""
        c = commands.c
        return self._prepare(
            select(c.first_position, c.last_position, c.command_id)
            .where(c.ledger == _LEDGER, c.first_position > bindparam("after"))
            .order_by(c.first_position)
            .limit(bindparam("page"))
        )


def _unsought(column: Any) -> Any:
    """The column's value, for a condition by which SQLite is not to seek.

    Knowing nothing of how many rows there are, it takes the primary key where it can, and reads a whole
    ledger, although another index leads straight to the few rows that are wanted.
    """
    return column + literal_column("0")


def _head() -> Select[Any]:
    return select(heads.c.position, heads.c.hash, heads.c.recorded_at).where(heads.c.ledger == _LEDGER)


def _last(column: Any, where: Any) -> Any:
    """The greatest value of a column, 0 if there is none, taken from the end of an index.

    Not by max(): PostgreSQL, where it has not yet counted a growing table, reads every row for that.
    """
    greatest = select(column).where(where).order_by(column.desc()).limit(literal_column("1"))
    return func.coalesce(greatest.scalar_subquery(), 0)


def _events(where: Any, after: Any, order: Any) -> Select[Any]:
    upto = events.c.position <= bindparam("upto")
    return select(*EVENT_COLUMNS).where(where, after, upto).order_by(order).limit(bindparam("page"))


def _known_commands() -> Select[Any]:
    c = commands.c
    first, last = events.alias("first_event"), events.alias("last_event")
    columns = (c.command_id, c.content_hash, c.first_position, c.last_position, first.c.session)
    versions = (first.c.version.label("first_version"), last.c.version.label("last_version"))
    return (
        select(*columns, *versions, last.c.recorded_at, last.c.hash)
        .join(first, (first.c.ledger == c.ledger) & (first.c.position == c.first_position))
        .join(last, (last.c.ledger == c.ledger) & (last.c.position == c.last_position))
        .where(_unsought(c.ledger) == _LEDGER, c.command_id.in_(bindparam("ids", expanding=True)))
    )


def _sessions() -> Select[Any]:
    """Hops through the index from session to session; GROUP BY would read it whole for a few hundred rows."""
    mine = events.c.ledger == _LEDGER
    least = select(events.c.session).order_by(events.c.session).limit(literal_column("1"))
    hops = select(least.where(mine).scalar_subquery().label("session")).cte("hops", recursive=True)
    following = least.where(mine, events.c.session > hops.c.session).scalar_subquery()
    hops = hops.union_all(select(following).where(hops.c.session.is_not(None)))
    own = select(events.c.position).where(mine, events.c.session == hops.c.session).limit(literal_column("1"))
    first = own.order_by(events.c.version).scalar_subquery().label("first_position")
    last = own.order_by(events.c.version.desc()).scalar_subquery()
    newest = _last(events.c.version, mine & (events.c.session == hops.c.session))
    return select(hops.c.session, first, last, newest).where(hops.c.session.is_not(None)).order_by(first.name)
