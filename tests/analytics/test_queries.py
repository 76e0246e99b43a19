"""Each query is one question whose comment defines its columns, in the part of SQL that other engines have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlglot
from sqlglot import ErrorLevel, exp

QUERIES = sorted((Path(__file__).parents[2] / "analytics" / "queries").glob("*.sql"))
KEPT_OUT = (exp.Array, exp.List, exp.Map, exp.Struct, exp.Unnest, exp.Lambda, exp.Explode, exp.PercentileCont)
"""What Spark has otherwise or not at all; a quantile is written `percentile_cont ... within group`."""


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_query_is_carried_over_to_another_engine(path: Path) -> None:
    (query,) = sqlglot.parse(path.read_text("utf-8"), read="duckdb")
    assert query is not None
    unknown = {call.name for call in query.find_all(exp.Anonymous, exp.AnonymousAggFunc)}
    assert unknown == set()
    found = {type(part).__name__ for part in query.find_all(*KEPT_OUT) if not _within_group(part)}
    assert found == set()
    query.sql(dialect="spark", unsupported_level=ErrorLevel.RAISE)


def _within_group(part: exp.Expr) -> bool:
    return isinstance(part, exp.PercentileCont) and isinstance(part.parent, exp.WithinGroup)


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_the_comment_of_a_query_defines_every_column(path: Path) -> None:
    text = path.read_text("utf-8")
    comment = "\n".join(line for line in text.splitlines() if line.startswith("--"))
    (query,) = sqlglot.parse(text, read="duckdb")
    assert isinstance(query, exp.Query)
    missing = [name for name in query.named_selects if not re.search(rf"\b{name}\b", comment)]
    assert missing == []
