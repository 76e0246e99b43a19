"""The schema's history leads to the tables that the store uses, and keeps what was recorded."""

from __future__ import annotations

from pathlib import Path

import alembic.autogenerate
import alembic.config
import alembic.migration
import alembic.script
from sqlalchemy import create_engine

import migrations
from ledger.store import open_store
from ledger.store.tables import REVISIONS, VERSION_TABLE, metadata

HERE = Path(migrations.__file__ or "").parent


def test_the_revisions_are_one_line_and_the_store_knows_them_all() -> None:
    config = alembic.config.Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    walked = [
        script.revision for script in alembic.script.ScriptDirectory.from_config(config).walk_revisions()
    ]
    assert tuple(reversed(walked)) == REVISIONS


def test_the_migrated_schema_is_that_of_the_tables(url: str) -> None:
    with open_store(url) as store, store._engine.connect() as connection:
        context = alembic.migration.MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
        )
        assert alembic.autogenerate.compare_metadata(context, metadata) == []


def test_checks_and_options_are_those_of_the_tables(path: Path) -> None:
    """Alembic compares no CHECK, nor STRICT and WITHOUT ROWID; SQLite's text of the schema has them."""
    with open_store(str(path)) as store, store._engine.connect() as connection:
        migrated = _schema(connection.exec_driver_sql("SELECT name, sql FROM sqlite_master").all())
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        direct = _schema(connection.exec_driver_sql("SELECT name, sql FROM sqlite_master").all())
    engine.dispose()
    assert {name: migrated.get(name) for name in direct} == direct


def _schema(rows: object) -> dict[str, list[str]]:
    """Table or index -> the lines of its definition, in any order."""
    assert isinstance(rows, list)
    return {name: sorted(part.strip(" ,") for part in sql.splitlines()) for name, sql in rows if sql}


def test_no_migration_rebuilds_a_table() -> None:
    for script in (HERE / "versions").glob("*.py"):
        assert "batch_alter_table" not in script.read_text()
