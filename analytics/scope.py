"""Which hands a report is about: the filters and the division that every query reads through views.

`scope` has a row per player and session (from `tallies`, which needs no count of hands) or, where a filter or the
division goes into hands, a row per player and hand; its columns are those of `tallies` either way, so one query serves
both. `scope_nets` has a row per player, session and part of the division always, with what is money only: summed once
for the four queries that go by sessions. `scope_hands` has a row per player and hand always, `scope_sessions` and
`table_hands` are the sessions and hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from analytics.facts import EXTREME_OF, as_sums
from analytics.overlay import lay_over, literal
from analytics.schema import EXTREMES, NETS, SUMS
from ledger.names import Names

if TYPE_CHECKING:
    import duckdb

Division = Literal["position", "rules", "month", "dealt_in", "cards_drawn"]
DIVISIONS: tuple[Division, ...] = ("position", "rules", "month", "dealt_in", "cards_drawn")

_PART: dict[Division, str] = {
    "position": "coalesce(hand_players.position, '')",
    "rules": "scope_sessions.rules",
    "month": "scope_sessions.month",
    "dealt_in": "cast(hand_players.dealt_in as varchar)",
    "cards_drawn": "coalesce(cast(hand_players.drawn as varchar), 'no draw')",
}
_OF_SESSIONS = ("rules", "month")


@dataclass(frozen=True, slots=True)
class Scope:
    """What is counted: None does not narrow. `since` and `until` are dates of sessions, YYYY-MM-DD, both included."""

    sessions: tuple[str, ...] | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    rules: str | None = None
    dealt_in: int | None = None
    position: str | None = None
    jackpot: bool | None = None
    by: Division | None = None
    merged: Mapping[str, str] = field(default_factory=dict)
    """Players found to be another: his id -> the id he counts under (`merges` gives it)."""
    as_recorded: bool = False
    """Whether rulings, and corrections after the close, are left out of every net."""

    @property
    def of_hands(self) -> bool:
        """Whether it goes into hands, so that whole sessions cannot be added up."""
        hand_filters = (self.dealt_in, self.position, self.jackpot)
        return any(f is not None for f in hand_filters) or (
            self.by is not None and self.by not in _OF_SESSIONS
        )


def open_scope(connection: "duckdb.DuckDBPyConnection", scope: Scope) -> None:
    """Makes the views of a scope. They are the connection's own, so a facts file open for reading takes them."""
    lay_over(connection, merged=scope.merged, as_recorded=scope.as_recorded)
    part = "''" if scope.by is None else _PART[scope.by]
    hands = _all(_hand_conditions(scope, "hand_players"))
    connection.execute(
        f"create or replace temp view scope_sessions as select * from sessions where {_all(_session_conditions(scope))}"
    )
    connection.execute(
        f"create or replace temp view table_hands as select hands.* from hands "
        f"inner join scope_sessions on scope_sessions.session = hands.session where {_all(_table_conditions(scope))}"
    )
    own = ", ".join(f"{as_sums(c.name)} as {c.name}" for c in SUMS if as_sums(c.name) != c.name)
    extremes = ", ".join(f"{column} as {name}" for name, (_, column) in EXTREME_OF.items())
    connection.execute(
        f"create or replace temp view scope_hands as select hand_players.*, {part} as part, {own}, {extremes} "
        f"from hand_players{_with_sessions(scope, 'hand_players')} where {hands}"
    )
    if scope.of_hands:
        connection.execute("create or replace temp view scope as select * from scope_hands")
        sums = ", ".join(f"sum({c.name}) as {c.name}" for c in NETS)
        ends = ", ".join(f"{how}({name}) as {name}" for name, (how, _) in EXTREME_OF.items())
        connection.execute(
            f"create or replace temp table counted_nets as select session, player, part, {sums}, {ends} "
            "from scope_hands group by session, player, part"
        )
        connection.execute("create or replace temp view scope_nets as select * from counted_nets")
        return
    columns = ", ".join(f"tallies.{c.name}" for c in (*SUMS, *EXTREMES))
    players = _all(_player_condition(scope, "tallies"))
    connection.execute(
        f"create or replace temp view scope as select tallies.session, tallies.player, {part} as part, {columns} "
        f"from tallies{_with_sessions(scope, 'tallies')} where {players}"
    )
    connection.execute("create or replace temp view scope_nets as select * from scope")


def merges(names: Names) -> dict[str, str]:
    """Every player of the ledger who was found to be another, with the one he counts as."""
    return {p.player: names.canonical(p.player) for p in names.people() if p.into is not None}


def _with_sessions(scope: Scope, table: str) -> str:
    """The join with the sessions chosen; without a choice it would cost more than the count."""
    if not _session_conditions(scope) and scope.by not in _OF_SESSIONS:
        return ""
    return f" inner join scope_sessions on scope_sessions.session = {table}.session"


def _all(conditions: list[str]) -> str:
    return " and ".join(conditions) or "true"


def _session_conditions(scope: Scope) -> list[str]:
    found = []
    if scope.sessions is not None:
        found.append(f"session in ({', '.join(map(literal, scope.sessions)) or 'null'})")
    if scope.since is not None:
        found.append(f"played_on >= {literal(scope.since)}")
    if scope.until is not None:
        found.append(f"played_on <= {literal(scope.until)}")
    if scope.rules is not None:
        found.append(f"rules = {literal(scope.rules)}")
    return found


def _player_condition(scope: Scope, table: str) -> list[str]:
    return [] if scope.player is None else [f"{table}.player = {literal(scope.player)}"]


def _hand_conditions(scope: Scope, table: str) -> list[str]:
    found = _player_condition(scope, table)
    if scope.dealt_in is not None:
        found.append(f"{table}.dealt_in = {scope.dealt_in}")
    if scope.position is not None:
        found.append(f"{table}.position = {literal(scope.position)}")
    if scope.jackpot is not None:
        found.append(f"{table}.jackpot = {int(scope.jackpot)}")
    return found


def _table_conditions(scope: Scope) -> list[str]:
    """A table has no player and no place; the rest narrows its hands too."""
    found = []
    if scope.dealt_in is not None:
        found.append(f"hands.dealt_in = {scope.dealt_in}")
    if scope.jackpot is not None:
        found.append(f"hands.jackpot is {'not ' if scope.jackpot else ''}null")
    return found
