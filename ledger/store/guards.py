"""The guards: triggers that keep the tables append-only, whoever writes to the database.

They are a policy, not history: put in place after every migration, and compared word for word whenever a
store is opened. On SQLite, triggers against UPDATE and DELETE alone let INSERT OR REPLACE rewrite a row, so
a trigger before INSERT stands beside them. PostgreSQL has TRUNCATE besides, and lets an owner switch
triggers off, so they are set to fire always and that is what is checked.
"""

from __future__ import annotations

from sqlalchemy import Connection

from ledger.store.model import StoreError

#: Table -> when an INSERT would replace a row, or not stand at the end (SQLite).
_SQLITE_INSERT = {
    "ledgers": "EXISTS (SELECT 1 FROM ledgers WHERE ledger = NEW.ledger OR ledger_id = NEW.ledger_id"
    " OR name = NEW.name)",
    "heads": "EXISTS (SELECT 1 FROM heads WHERE ledger = NEW.ledger)",
    "events": "NEW.position <> 1 + ifnull((SELECT max(position) FROM events WHERE ledger = NEW.ledger), 0)"
    " OR NEW.version <> 1 + ifnull((SELECT max(version) FROM events WHERE ledger = NEW.ledger"
    " AND session = NEW.session), 0)",
    "commands": "EXISTS (SELECT 1 FROM commands WHERE ledger = NEW.ledger"
    " AND first_position = NEW.first_position)"
    " OR EXISTS (SELECT 1 FROM commands WHERE ledger = NEW.ledger AND command_id = NEW.command_id)",
    "names": "EXISTS (SELECT 1 FROM names WHERE ledger = NEW.ledger AND name_hash = NEW.name_hash)",
    "checkpoints": "EXISTS (SELECT 1 FROM checkpoints WHERE ledger = NEW.ledger"
    " AND position = NEW.position AND key_name = NEW.key_name)",
}
_TABLES = tuple(_SQLITE_INSERT)
_BACKWARDS = "NEW.ledger <> OLD.ledger OR NEW.position <= OLD.position OR NEW.recorded_at < OLD.recorded_at"


def sqlite_guards() -> dict[str, str]:
    """Trigger name -> its CREATE TRIGGER statement, for SQLite."""
    guards = {}

    def guard(table: str, verb: str, when: str = "") -> None:
        name = f"{table}_no_{verb.lower()}"
        guards[name] = (
            f"CREATE TRIGGER {name} BEFORE {verb.replace('REPLACE', 'INSERT')} ON {table}"
            f"{f' WHEN {when}' if when else ''}"
            f" BEGIN SELECT RAISE(ABORT, '{table} is append-only: {verb} refused'); END"
        )

    for table in _TABLES:
        guard(table, "REPLACE", _SQLITE_INSERT[table])
        guard(table, "UPDATE", _BACKWARDS if table == "heads" else "")
        if table != "names":  # the one table whose rows may be deleted
            guard(table, "DELETE")
    return guards


def postgresql_guards() -> dict[str, tuple[str, str]]:
    """Trigger name -> (its table, its CREATE TRIGGER statement), for PostgreSQL."""
    guards = {}
    for table in _TABLES:
        for verb in ("UPDATE", "DELETE", "TRUNCATE"):
            if (table, verb) == ("names", "DELETE"):
                continue
            name = f"{table}_no_{verb.lower()}"
            each = "STATEMENT" if verb == "TRUNCATE" else "ROW"
            when = f" WHEN ({_BACKWARDS})" if (table, verb) == ("heads", "UPDATE") else ""
            guards[name] = (
                table,
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH {each}{when}"
                " EXECUTE FUNCTION mistigris_refuse()",
            )
    return guards


_REFUSE_BODY = (
    "BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only: ' || TG_OP || ' refused'; END"
)
_REFUSE = (
    f"CREATE OR REPLACE FUNCTION mistigris_refuse() RETURNS trigger LANGUAGE plpgsql AS $${_REFUSE_BODY}$$"
)


def install(connection: Connection) -> None:
    """Puts every guard in place as this program wants it, within the caller's transaction."""
    if connection.dialect.name == "sqlite":
        for name, statement in sqlite_guards().items():
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
            connection.exec_driver_sql(statement)
        return
    connection.exec_driver_sql(_REFUSE)
    for name, (table, statement) in postgresql_guards().items():
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def check(connection: Connection, place: str) -> None:
    """Raises StoreError naming the first guard that is missing, changed or switched off."""
    if connection.dialect.name == "sqlite":
        wanted, found = sqlite_guards(), _sqlite_state(connection)
    else:
        wanted, found = _postgresql_wanted(), _postgresql_state(connection)
    for name, definition in wanted.items():
        if name not in found:
            raise StoreError(f"{place}: the guard {name} is missing; the ledger may have been edited")
        if found[name] != definition:
            raise StoreError(f"{place}: the guard {name} was changed; the ledger may have been edited")


def _sqlite_state(connection: Connection) -> dict[str, str]:
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    return {str(name): str(sql) for name, sql in rows}


def _postgresql_wanted() -> dict[str, str]:
    """Guard -> its statement and, A for always, when it fires; and the body of the function."""
    wanted = {name: f"A {_plain(statement)}" for name, (_, statement) in postgresql_guards().items()}
    return wanted | {"mistigris_refuse": _REFUSE_BODY}


def _plain(statement: str) -> str:
    """A CREATE TRIGGER without what PostgreSQL writes otherwise than we: case, quotes, brackets."""
    return statement.translate(str.maketrans("", "", '()"')).lower()


def _postgresql_state(connection: Connection) -> dict[str, str]:
    """As `_postgresql_wanted`, of what is there; a table or function of another schema is written with its name."""
    rows = connection.exec_driver_sql(
        "SELECT t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid, true)"
        " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT t.tgisinternal AND c.oid = to_regclass(c.relname)"
    )
    found = {name: f"{enabled} {_plain(definition)}" for name, enabled, definition in rows}
    bodies = connection.exec_driver_sql(
        "SELECT proname, prosrc FROM pg_proc WHERE proname = 'mistigris_refuse' AND pg_function_is_visible(oid)"
    )
    return found | {str(name): str(body) for name, body in bodies}
