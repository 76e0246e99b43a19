"""Views that stand before the fact tables while a report is asked: told as recorded, merged players under one id.

The facts say what is so now: rulings and corrections in, every player under the id of his events. What a report wants
told otherwise is laid over them here, in views of the connection's own, so that no query knows of it, and a report that
wants nothing of the kind reads the tables themselves.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analytics.facts import tallied
from analytics.schema import EVERY_TABLE

if TYPE_CHECKING:
    import duckdb

_OF_PLAYERS = tuple(t for t, columns in EVERY_TABLE.items() if any(c.name == "player" for c in columns))


def lay_over(
    connection: "duckdb.DuckDBPyConnection", *, merged: Mapping[str, str], as_recorded: bool
) -> None:
    """Puts up the views that a report wants, and takes down those of the one before.

    `merged`: the id of a player found to be another -> the id he counts under. `as_recorded`: rulings, and corrections
    after the close, are in no net.
    """
    for table in EVERY_TABLE:
        connection.execute(f"drop view if exists temp.{table}")
    named = connection.execute("select current_database()").fetchone()
    assert named is not None
    tables = {table: f'"{named[0]}".main.{table}' for table in EVERY_TABLE}
    over = _as_recorded(tables) if as_recorded else {}
    if as_recorded:  # a table, for several queries go through it
        connection.execute(f"create or replace temp table recorded_tallies as {over['tallies']}")
        over["tallies"] = "select * from recorded_tallies"
    if merged:
        pairs = ", ".join(f"({literal(player)}, {literal(whole)})" for player, whole in merged.items())
        connection.execute(
            f"create or replace temp view merged_players as select * from (values {pairs}) as pairs (player, whole)"
        )
        over |= {t: _merged(t, f"({over[t]})" if t in over else tables[t]) for t in _OF_PLAYERS}
    for table, told in over.items():
        connection.execute(f"create temp view {table} as {told}")


def _as_recorded(tables: Mapping[str, str]) -> dict[str, str]:
    """The tables that have a net, told as it was played: a query for each.

    Of the sums over sessions only those with something to leave out are counted anew, hand by hand.
    """
    hands = _told_otherwise("hand_players", net="net - ruled - corrected", ruled="0", corrected="0")
    hands += f" from {tables['hand_players']} where dealt = 1 or shared <> 0"
    people = _told_otherwise("session_players", settled="settled - put_right", put_right="0", corrected="0")
    people += f" from {tables['session_players']}"
    moved = f"select session, player from {tables['hand_players']} where dealt = 0 or ruled <> 0 or corrected <> 0"
    sums = (
        f"with moved as ({moved}), "
        f"anew as (select * from ({hands}) as hands where (session, player) in (select session, player from moved)) "
        f"select * from {tables['tallies']} where (session, player) not in (select session, player from moved) "
        f"union all {tallied('anew')}"
    )
    return {"hand_players": hands, "session_players": people, "tallies": sums}


def _told_otherwise(table: str, **told: str) -> str:
    """The columns of a table, some of them with another content."""
    columns = (
        f"cast({told[c.name]} as {c.type}) as {c.name}" if c.name in told else c.name
        for c in EVERY_TABLE[table]
    )
    return f"select {', '.join(columns)}"


def _merged(table: str, source: str) -> str:
    """A table in which merged players have the id they count under.

    The facts keep the ids of the events, so that a merge, and its undoing, changes no row.
    """
    columns = ", ".join(
        "coalesce(merged_players.whole, whole_table.player) as player"
        if c.name == "player"
        else f"whole_table.{c.name}"
        for c in EVERY_TABLE[table]
    )
    return (
        f"select {columns} from {source} as whole_table "
        "left join merged_players on merged_players.player = whole_table.player"
    )


def literal(value: str) -> str:
    """A literal: views take no parameters."""
    return "'" + value.replace("'", "''") + "'"
