"""The ledger: events in one chain, its head, commands, names, checkpoints."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")
STRICT: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    op.create_table(
        "ledgers",
        sa.Column("ledger", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ledger_id", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("copy_for", sa.Text),
        sa.CheckConstraint("length(ledger_id) = 32", name="ledgers_id"),
        **STRICT,
    )
    op.create_table(
        "heads",
        ledger_column(),
        sa.Column("position", BIG, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("recorded_at", BIG, nullable=False),
        sa.CheckConstraint("length(hash) = 32", name="heads_hash"),
        **STRICT,
    )
    create_events()
    op.create_table(
        "commands",
        ledger_column(),
        sa.Column("first_position", BIG, primary_key=True, autoincrement=False),
        sa.Column("last_position", BIG, nullable=False),
        sa.Column("command_id", sa.LargeBinary, nullable=False),
        sa.Column("content_hash", sa.LargeBinary, nullable=False),
        sa.CheckConstraint("last_position >= first_position", name="commands_range"),
        sa.CheckConstraint("length(command_id) = 16 AND length(content_hash) = 32", name="commands_lengths"),
        **STRICT,
    )
    op.create_index("commands_id", "commands", ["command_id", "ledger"], unique=True)
    op.create_table(
        "names",
        ledger_column(),
        sa.Column("name_hash", sa.LargeBinary, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.CheckConstraint("length(name_hash) = 32", name="names_hash"),
        **STRICT,
    )
    op.create_table(
        "checkpoints",
        ledger_column(),
        sa.Column("position", BIG, primary_key=True, autoincrement=False),
        sa.Column("key_name", sa.Text, primary_key=True),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("recorded_at", BIG, nullable=False),
        **STRICT,
    )


def ledger_column() -> sa.Column[int]:
    return sa.Column(
        "ledger", sa.Integer, sa.ForeignKey("ledgers.ledger"), primary_key=True, autoincrement=False
    )


def create_events() -> None:
    op.create_table(
        "events",
        ledger_column(),
        sa.Column("position", BIG, primary_key=True, autoincrement=False),
        sa.Column("event_id", sa.LargeBinary, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("version", BIG, nullable=False),
        sa.Column("event_type", sa.Text, nullable=False),
        sa.Column("schema_version", sa.Integer, nullable=False),
        sa.Column("occurred_at", BIG, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("recorded_at", BIG, nullable=False),
        sa.Column("command_id", sa.LargeBinary, nullable=False),
        sa.Column("cause", BIG),
        sa.Column("payload_hash", sa.LargeBinary, nullable=False),
        sa.Column("payload", sa.LargeBinary),
        sa.Column("salt", sa.LargeBinary),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.CheckConstraint("position >= 1 AND version >= 1", name="events_numbers"),
        sa.CheckConstraint("cause IS NULL OR (cause >= 1 AND cause < version)", name="events_cause"),
        sa.CheckConstraint("length(event_id) = 16 AND length(command_id) = 16", name="events_ids"),
        sa.CheckConstraint("length(payload_hash) = 32 AND length(hash) = 32", name="events_hashes"),
        sa.CheckConstraint("(payload IS NULL) = (salt IS NULL)", name="events_withheld"),
        **STRICT,
    )
    op.create_index(
        "events_session",
        "events",
        ["ledger", "session", "version"],
        unique=True,
        postgresql_include=["position"],
    )
    op.create_index("events_type", "events", ["event_type", "ledger", "position"])
