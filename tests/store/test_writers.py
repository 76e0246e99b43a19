"""Several processes at once, and processes that are killed: nothing acknowledged is lost, nothing is half there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.store import Verified, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

S = "a" * 32

#: Appends EVENTS events one by one (a command of two events each), trying again after a conflict; prints what
#: was acknowledged.
WRITER = """
import os, sys
from ledger.store import Appended, CommandDrafts, Draft, VersionConflict, open_store
url, session, commands = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = open_store(url)
print("ready", flush=True)
version = store.version(session)
while commands:
    drafts = tuple(Draft("noted", 1, b"{}", 0, "UTC") for _ in range(2))
    command = CommandDrafts(os.urandom(16), bytes(32), drafts)
    while isinstance(outcome := store.append(session, version, [command]), VersionConflict):
        assert outcome.actual > version
        version = outcome.actual
    assert isinstance(outcome, Appended), outcome
    version = outcome.answers[0].last_version
    print(outcome.head.position, outcome.head.hash.hex(), flush=True)
    commands -= 1
"""


def writer(url: str, session: str, commands: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, session, str(commands)], stdout=subprocess.PIPE, text=True
    )


def acknowledged(output: str) -> list[tuple[int, str]]:
    """Position and hash of every whole line that a writer printed."""
    lines = [line.split() for line in output.splitlines(keepends=True) if line.endswith("\n")]
    return [(int(line[0]), line[1]) for line in lines if len(line) == 2]


def assert_whole(url: str, acks: list[tuple[int, str]]) -> None:
    """The chain verifies, every acknowledged event is there, and no command is half there."""
    with open_store(url) as store:
        outcome = store.verify()
        assert isinstance(outcome, Verified), outcome
        recorded = list(store.read())
    assert [event.position for event in recorded] == list(range(1, outcome.events + 1))
    hashes = {event.position: event.hash.hex() for event in recorded}
    assert len(acks) == len(set(acks))
    assert all(hashes[position] == hash_ for position, hash_ in acks)
    assert set(Counter(event.command_id for event in recorded).values()) <= {2}


@pytest.mark.parametrize("sessions", [1, 3])
def test_writers_at_once(url: str, sessions: int) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory has one process")
    open_store(url).close()
    processes = [writer(url, f"{i % sessions:032x}", 15) for i in range(3)]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    acks = [ack for output in outputs for ack in acknowledged(output)]
    assert len(acks) == 45
    assert_whole(url, acks)


def test_a_reader_who_polls_misses_nothing(url: str) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory has one process")
    with open_store(url) as store:
        processes = [writer(url, f"{i:032x}", 20) for i in range(2)]
        seen: list[int] = []
        while any(process.poll() is None for process in processes) or store.head().position > len(seen):
            seen += [event.position for event in store.read(after=seen[-1] if seen else 0)]
    for process in processes:
        process.communicate()
    assert seen == list(range(1, 81))


def test_a_transaction_held_open_hides_no_event(postgresql_database: Callable[[], str]) -> None:
    """A writer who has taken his position and not committed holds up the next one, who else would overtake him."""
    psycopg = pytest.importorskip("psycopg")
    url = postgresql_database()
    with open_store(url) as store, psycopg.connect(url.replace("+psycopg", "")) as slow:
        slow.execute("UPDATE heads SET position = position + 1")
        other = writer(url, S, 1)
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        time.sleep(0.3)
        assert (store.head().position, list(store.read())) == (0, [])
        assert other.poll() is None
        slow.rollback()
        output = other.communicate(timeout=60)[0]
        assert [event.position for event in store.read()] == [1, 2]
    assert_whole(url, acknowledged(output))


def kill_rounds(url: str, rounds: int, seed: int) -> None:
    """Kills a writer at a random moment, again and again, on one store."""
    rng = random.Random(seed)
    acks: list[tuple[int, str]] = []
    for _ in range(rounds):
        process = writer(url, S, 100_000)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        acks += acknowledged(process.communicate(timeout=60)[0])
        assert_whole(url, acks)
    assert acks, "no round came as far as an append"


def test_killed_in_the_midst_of_appending(path: Path) -> None:
    open_store(str(path)).close()
    kill_rounds(str(path), rounds=20, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_killed_many_times(url: str, seed: int) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory ends with its process")
    open_store(url).close()
    kill_rounds(url, 60, seed)


def test_killed_while_the_store_is_made(path: Path) -> None:
    """At whatever moment: the next who opens it finds a store or makes one."""
    rng = random.Random(1)
    code = "import sys; from ledger.store.opening import open_store; print('ready', flush=True);"
    code += " import alembic.command; open_store(sys.argv[1])"
    for round_ in range(8):
        target = path.with_name(f"{round_}.db")
        process = subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0, 0.4))
        process.kill()
        process.communicate()
        with open_store(str(target)) as store:
            assert store.verify() == Verified(0, store.head())
