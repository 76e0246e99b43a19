"""Facts and figures as files: Parquet by month, and CSV or Parquet of a report's rows."""

import csv
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from analytics.schema import EVERY_TABLE, dictionary

if TYPE_CHECKING:
    import duckdb


def export_facts(connection: "duckdb.DuckDBPyConnection", folder: Path) -> dict[str, int]:
    """Writes every fact table as Parquet, FOLDER/TABLE/month=YYYY-MM/data_0.parquet, and the data dictionary.

    Months of an earlier export in the folder are written over. Gives the number of rows of each table.
    """
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, int] = {}
    for table, columns in EVERY_TABLE.items():
        names = ", ".join(f"{table}.{c.name}" for c in columns if c.name != "month")
        source = f"select {names}, sessions.month from {table}"
        if table != "sessions":
            source += f" inner join sessions on sessions.session = {table}.session"
        order = ", ".join(c.name for c in columns if c.name in ("session", "hand", "event", "player"))
        target = str(folder / table).replace("'", "''")
        try:
            connection.execute(
                f"copy ({source} order by {order}) to '{target}' "
                "(format parquet, compression zstd, partition_by (month), overwrite_or_ignore)"
            )
        except duckdb.IOException as fault:
            raise OSError(f"cannot be written: {str(fault).splitlines()[0]}") from None
        counted = connection.execute(f"select count(*) from {table}").fetchone()
        rows[table] = counted[0] if counted else 0
    (folder / "dictionary.md").write_text(dictionary(), "utf-8")
    return rows


def flat(row: dict[str, Any], before: str = "") -> dict[str, Any]:
    """A row whose nested parts stand in columns of their own, their names joined by dots."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            found |= flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found


_FORMULA = re.compile(r"[=+@\t\r]|-(?!\d+(\.\d+)?$)")


def _no_formula(value: Any) -> Any:
    """Text that a spreadsheet would work out (a name may begin with =), with an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def write_rows(rows: list[dict[str, Any]], path: Path, how: str) -> None:
    """Writes a report's rows as `csv` or `parquet`. Raises OSError where the file cannot be written."""
    flattened = [flat(row) for row in rows]
    columns = list(dict.fromkeys(key for row in flattened for key in row))
    if how == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows({c: _no_formula(value) for c, value in row.items()} for row in flattened)
        return
    path.open("ab").close()  # DuckDB's own complaint would not be one line
    import duckdb

    with tempfile.NamedTemporaryFile(suffix=".json") as lines, duckdb.connect() as connection:
        lines.write(b"\n".join(orjson.dumps({c: row.get(c) for c in columns}) for row in flattened))
        lines.flush()
        target, source = str(path).replace("'", "''"), lines.name.replace("'", "''")
        try:
            connection.execute(
                f"copy (select * from read_json('{source}', format = 'newline_delimited', sample_size = -1)) "
                f"to '{target}' (format parquet)"
            )
        except duckdb.IOException as fault:
            raise OSError(str(fault).splitlines()[0]) from None
