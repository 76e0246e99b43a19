"""Where tests keep a store: a SQLite file, SQLite in memory, and a PostgreSQL server that the tests start."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from bench._postgresql import programs, server

_KEYS = count(1)
NO_SERVER = "PostgreSQL is NOT tested: no server programs (initdb, pg_ctl) on this machine"


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(autouse=True)
def own_key(key_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test signs with a key of its own, made when first used; none with that of whoever runs it."""
    key = key_folder / f"{next(_KEYS)}" / "host.key"
    monkeypatch.setenv("MISTIGRIS_KEY", str(key))
    return key


@pytest.fixture
def path() -> Iterator[Path]:
    """Where a SQLite store may be made: in memory where the system has such a folder, for commits are slow."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder) / "ledger.db"


@pytest.fixture(params=["sqlite", "memory", "postgresql"])
def url(request: pytest.FixtureRequest, path: Path) -> str:
    """The address of an empty store on each database in turn."""
    if request.param == "postgresql":
        make: Callable[[], str] = request.getfixturevalue("postgresql_database")
        return make()
    return "sqlite://" if request.param == "memory" else str(path)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The folder of the socket of a server of our own, without durability."""
    found = programs()
    if found is None:
        pytest.skip(NO_SERVER)
    with server(found, durable=False) as folder:
        yield folder


@pytest.fixture
def postgresql_database(postgresql_server: str) -> Callable[[], str]:
    """A function that makes a new, empty database and gives its address."""
    psycopg = pytest.importorskip("psycopg")

    def make() -> str:
        with psycopg.connect(host=postgresql_server, user="host", dbname="postgres", autocommit=True) as c:
            name = f"ledger{c.execute('SELECT count(*) FROM pg_database').fetchone()[0]}"
            c.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://host@/{name}?host={postgresql_server}"

    return make


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says loudly that a database was left out; a skipped test is easily overlooked."""
    skipped = terminalreporter.stats.get("skipped", [])
    if any(NO_SERVER in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(NO_SERVER, red=True, bold=True)
