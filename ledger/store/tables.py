"""The tables, for SQLAlchemy Core. How they come about is `migrations`; a test holds the two to be equal.

`ledger` is a small number within one store; what is chained is the ledger's id, so rows of two ledgers cannot
be exchanged. A payload and its salt stand in the event's row and are NULL together in a player's copy.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

#: Every schema revision, oldest first; the last is the one this program writes.
REVISIONS = ("0001",)
#: Alembic's version table; a name of its own, so that a PostgreSQL database may be shared.
VERSION_TABLE = "mistigris_version"
#: SQLite's application_id: "Mist" in ASCII.
APPLICATION_ID = 0x4D697374

BIG = BigInteger().with_variant(Integer, "sqlite")
STRICT: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}

metadata = MetaData()


def _ledger_column() -> Column[int]:
    return Column("ledger", Integer, ForeignKey("ledgers.ledger"), primary_key=True, autoincrement=False)


ledgers = Table(
    "ledgers",
    metadata,
    Column("ledger", Integer, primary_key=True, autoincrement=False),
    Column("ledger_id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, unique=True),
    Column("created_at", BIG, nullable=False),
    # The player for whom this is a copy with payloads withheld; a copy is read and verified, not continued.
    Column("copy_for", Text),
    CheckConstraint("length(ledger_id) = 32", name="ledgers_id"),
    **STRICT,
)

heads = Table(
    "heads",
    metadata,
    _ledger_column(),
    Column("position", BIG, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("recorded_at", BIG, nullable=False),
    CheckConstraint("length(hash) = 32", name="heads_hash"),
    **STRICT,
)

events = Table(
    "events",
    metadata,
    _ledger_column(),
    Column("position", BIG, primary_key=True, autoincrement=False),
    Column("event_id", LargeBinary, nullable=False),
    Column("session", Text, nullable=False),
    Column("version", BIG, nullable=False),
    Column("event_type", Text, nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("occurred_at", BIG, nullable=False),
    Column("zone", Text, nullable=False),
    Column("recorded_at", BIG, nullable=False),
    Column("command_id", LargeBinary, nullable=False),
    Column("cause", BIG),
    Column("payload_hash", LargeBinary, nullable=False),
    Column("payload", LargeBinary),
    Column("salt", LargeBinary),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("position >= 1 AND version >= 1", name="events_numbers"),
    CheckConstraint("cause IS NULL OR (cause >= 1 AND cause < version)", name="events_cause"),
    CheckConstraint("length(event_id) = 16 AND length(command_id) = 16", name="events_ids"),
    CheckConstraint("length(payload_hash) = 32 AND length(hash) = 32", name="events_hashes"),
    CheckConstraint("(payload IS NULL) = (salt IS NULL)", name="events_withheld"),
    **STRICT,
)
# On PostgreSQL it includes the position; that stands in the migration alone, for saying it here would load
# SQLAlchemy's PostgreSQL into every command on SQLite.
Index("events_session", events.c.ledger, events.c.session, events.c.version, unique=True)
Index("events_type", events.c.event_type, events.c.ledger, events.c.position)

# A command's session and versions are those of its events, so they are not written twice.
commands = Table(
    "commands",
    metadata,
    _ledger_column(),
    Column("first_position", BIG, primary_key=True, autoincrement=False),
    Column("last_position", BIG, nullable=False),
    Column("command_id", LargeBinary, nullable=False),
    Column("content_hash", LargeBinary, nullable=False),
    CheckConstraint("last_position >= first_position", name="commands_range"),
    CheckConstraint("length(command_id) = 16 AND length(content_hash) = 32", name="commands_lengths"),
    **STRICT,
)
Index("commands_id", commands.c.command_id, commands.c.ledger, unique=True)

names = Table(
    "names",
    metadata,
    _ledger_column(),
    Column("name_hash", LargeBinary, primary_key=True),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    CheckConstraint("length(name_hash) = 32", name="names_hash"),
    **STRICT,
)

# Signed notes on a position, by whose key; receipts need no table, since an event's hash is one.
checkpoints = Table(
    "checkpoints",
    metadata,
    _ledger_column(),
    Column("position", BIG, primary_key=True, autoincrement=False),
    Column("key_name", Text, primary_key=True),
    Column("note", Text, nullable=False),
    Column("recorded_at", BIG, nullable=False),
    **STRICT,
)
