"""Frequent statements find their rows through an index, however large the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.store import Store
    from tests.store.conftest import Maker

S = "a" * 32


@pytest.fixture
def plans(path: Path) -> Iterator[tuple[Store, list[tuple[str, str]]]]:
    """A store, and every (statement, line of its plan) that it has run since."""
    seen: list[tuple[str, str]] = []

    with open_store(str(path)) as store:
        dialect = store._engine.dialect
        execute = dialect.do_execute

        def explain(cursor: Any, statement: str, parameters: Any, *context: Any) -> None:
            if statement.startswith(("SELECT", "WITH", "UPDATE")):
                plan = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
                seen.extend((statement, line) for *_, line in plan)
            execute(cursor, statement, parameters, *context)

        dialect.do_execute = explain  # type: ignore[method-assign, assignment]
        yield store, seen


def test_appending_and_reading_seek_and_do_not_scan(
    plans: tuple[Store, list[tuple[str, str]]], maker: Maker
) -> None:
    store, seen = plans
    store.append(S, 0, [maker.command() for _ in range(20)])
    list(store.read(S, after=3, upto=12, page=4))
    list(store.read(after=3, upto=12, page=4))
    (
        store.of_type("a", "b", "c"),
        store.version(S),
        store.sessions(),
        store.commands(S),
        store.head(),
        store.verify(),
    )
    whole_ledger = {
        (line, statement)
        for statement, line in seen
        if line.startswith(("SCAN events", "SCAN commands")) or line.endswith("PRIMARY KEY (ledger=?)")
    }
    # the head is one row a ledger, and the last position is the last entry of the key
    scans = {line for line, statement in whole_ledger if "ORDER BY events.position DESC" not in statement}
    assert scans == {"SEARCH heads USING PRIMARY KEY (ledger=?)"}
    assert any("INDEX commands_id (command_id=?)" in line for _, line in seen)


def test_postgresql_takes_the_end_of_a_long_session_from_an_index(
    postgresql_database: Callable[[], str], maker: Maker
) -> None:
    """Of a table that it has never counted: it would read each session whole for the greatest version in it."""
    with open_store(postgresql_database()) as store:
        for session in (S, "b" * 32):
            store.append(session, 0, [maker.command() for _ in range(300)])
        asked = {"ledger": store._ledger, "session": S, "command_id": bytes(16), "position": 600}
        sql = store._sql
        for statement in (sql.standing, sql.version, sql.version_at, sql.ends, sql.sessions):
            explained = statement._replace(sql=f"EXPLAIN (ANALYZE, FORMAT JSON) {statement.sql}")
            with store._engine.connect() as connection:
                ((plan,),) = explained.rows(connection, **asked)
            assert max(_rows_read(plan[0]["Plan"])) < 10, statement.sql


def _rows_read(node: dict[str, Any]) -> Iterator[int]:
    """Of each step of a plan: rows given on and rows thrown away, in all its rounds."""
    yield (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    for inner in node.get("Plans", ()):
        yield from _rows_read(inner)
