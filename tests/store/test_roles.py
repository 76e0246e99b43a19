"""The roles that docs/POSTGRESQL.md sets up: the recorder can record, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import NameRow, StoreError, Verified, open_store

if TYPE_CHECKING:
    from tests.store.conftest import Maker

S = "a" * 32
GUIDE = Path(__file__).parents[2] / "docs" / "POSTGRESQL.md"


def as_role(url: str, role: str) -> str:
    return url.replace("host@", f"{role}@", 1)


@pytest.fixture(scope="module")
def statements() -> tuple[str, str]:
    """What the superuser and what the owner is told to run."""
    superuser, owner = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    return superuser, owner


@pytest.fixture
def club(postgresql_database: Callable[[], str], statements: tuple[str, str]) -> str:
    """A database set up as the guide says; roles belong to the server, so they may be there from before."""
    psycopg = pytest.importorskip("psycopg")
    url = postgresql_database()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as superuser:
        for statement in statements[0].split(";\n"):
            known = superuser.execute("SELECT rolname FROM pg_roles").fetchall()
            made = re.match(r"CREATE ROLE (\w+)", statement.strip())
            if statement.strip() and not (made and (made[1],) in known):
                superuser.execute(statement)
    open_store(as_role(url, "mistigris_owner")).close()
    run(as_role(url, "mistigris_owner"), statements[1])
    return url


def run(url: str, statement: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(statement)


def test_the_recorder_records_and_reads(club: str, maker: Maker) -> None:
    name = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
    with open_store(as_role(club, "mistigris_recorder")) as store:
        store.append(S, 0, [maker.command(3)], [name])
        maker.fill(store, S, 3)
        store.keep_checkpoint(6, "host", "note")
        assert store.verify() == Verified(6, store.head())
        assert [event.position for event in store.read(page=2)] == [1, 2, 3, 4, 5, 6]
        with pytest.raises(StoreError, match="permission denied for table names"):
            store.erase_name("1" * 32)
    with open_store(as_role(club, "mistigris_recorder"), ledger="another") as another:
        maker.fill(another, S, 1)
    with open_store(as_role(club, "mistigris_host"), ledger="default") as store:
        assert store.erase_name("1" * 32) == 1
        assert store.verify() == Verified(6, store.head())


REFUSED = [
    "UPDATE events SET payload = ''",
    "UPDATE heads SET ledger = 9",
    "UPDATE names SET name = 'B'",
    "DELETE FROM events",
    "DELETE FROM commands",
    "TRUNCATE events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "DROP TRIGGER events_no_update ON events",
    "DROP TABLE events CASCADE",
    "ALTER TABLE events OWNER TO mistigris_recorder",
    "CREATE OR REPLACE FUNCTION mistigris_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
    "CREATE TABLE mistigris.other (x int)",
    "SET session_replication_role = replica",
    "SET ROLE mistigris_owner",
    "UPDATE mistigris_version SET version_num = '0'",
]


@pytest.mark.parametrize("role", ["mistigris_recorder", "mistigris_host"])
def test_who_records_can_change_nothing(club: str, maker: Maker, role: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with open_store(as_role(club, role)) as store:
        maker.fill(store, S, 3)
    for statement in REFUSED:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(as_role(club, role), statement)
    with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        run(as_role(club, role), "UPDATE heads SET position = position - 1")
    with open_store(as_role(club, role)) as store:
        assert store.verify() == Verified(3, store.head())


def test_the_owner_is_stopped_by_the_guards(club: str, maker: Maker) -> None:
    psycopg: Any = pytest.importorskip("psycopg")
    with open_store(as_role(club, "mistigris_recorder")) as store:
        maker.fill(store, S, 3)
    for statement in ("UPDATE events SET zone = 'UTC'", "DELETE FROM events", "TRUNCATE events"):
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            run(as_role(club, "mistigris_owner"), statement)
    run(as_role(club, "mistigris_owner"), "ALTER TABLE events DISABLE TRIGGER events_no_update")
    with pytest.raises(StoreError, match="the guard events_no_update was changed"):
        open_store(as_role(club, "mistigris_recorder"))
