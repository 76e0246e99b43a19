"""Several processes at once, and processes that are killed: nothing acknowledged is lost, nothing is half there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.store import Verified, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.store.conftest import Maker

S, R = "a" * 32, "b" * 32
COMMANDS = 8

#: One process for each session named (a name may come twice), forked, for starting interpreters takes longer than
#: appending. Each appends commands of two events, trying again after a conflict; prints what was acknowledged.
WRITER = """
import os, sys
from ledger.store import Appended, CommandDrafts, Draft, VersionConflict, open_store
url, sessions, commands = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
def write(session):
    store = open_store(url)
    os.write(1, b"ready\\n")
    version = store.version(session)
    for _ in range(commands):
        drafts = tuple(Draft("noted", 1, b"{}", 0, "UTC") for _ in range(2))
        command = CommandDrafts(os.urandom(16), bytes(32), drafts)
        while isinstance(outcome := store.append(session, version, [command]), VersionConflict):
            assert outcome.actual > version
            version = outcome.actual
        assert isinstance(outcome, Appended), outcome
        version = outcome.answers[0].last_version
        os.write(1, f"{outcome.head.position} {outcome.head.hash.hex()}\\n".encode())  # a line whole
if len(sessions) == 1:
    write(sessions[0])
    sys.exit()
for session in sessions:
    if os.fork() == 0:
        try:
            write(session)
        finally:
            os._exit(sys.exc_info()[0] is not None)
sys.exit(max(os.waitstatus_to_exitcode(os.wait()[1]) for _ in sessions))
"""


def writer(url: str, sessions: str, commands: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, sessions, str(commands)], stdout=subprocess.PIPE, text=True
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


@pytest.mark.parametrize("sessions", [1, 8])
def test_eight_writers_at_once_and_a_reader_who_polls(url: str, sessions: int) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory has one process")
    seen: list[int] = []
    said: list[str] = []
    with open_store(url) as store:
        process = writer(url, ",".join(f"{i % sessions:032x}" for i in range(8)), COMMANDS)
        listener = threading.Thread(target=lambda: said.append(process.communicate()[0]))
        listener.start()
        while listener.is_alive() or store.head().position > len(seen):
            seen += [event.position for event in store.read(after=seen[-1] if seen else 0, page=7)]
            time.sleep(0.002)  # so that the reader's lock does not hold up the writers on SQLite
    acks = acknowledged(said[0])
    assert process.returncode == 0
    assert len(acks) == 8 * COMMANDS
    assert seen == list(range(1, 8 * COMMANDS * 2 + 1))
    assert_whole(url, acks)


@pytest.mark.long
@pytest.mark.parametrize("sessions", [1, 8])
def test_eight_writers_for_long(url: str, sessions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "COMMANDS", 300)
    test_eight_writers_at_once_and_a_reader_who_polls(url, sessions)


def test_a_transaction_held_open_hides_no_event(url: str, maker: Maker) -> None:
    """A writer has his positions and does not commit; a reader polls, others want to append. Nobody overtakes him."""
    if url == "sqlite://":
        pytest.skip("a store in memory has one connection")
    seen: list[int] = []
    held, let_go = threading.Event(), threading.Event()
    with open_store(url) as slow, open_store(url) as quick, open_store(url) as reader:

        def poll() -> None:
            seen.extend(event.position for event in reader.read(after=seen[-1] if seen else 0))

        def hold(connection: object) -> None:
            held.set()
            assert let_go.wait(60)
            commit(connection)

        maker.fill(quick, R, 2)
        poll()
        commit: Callable[[object], None] = slow._engine.dialect.do_commit  # type: ignore[assignment]
        slow._engine.dialect.do_commit = hold  # type: ignore[method-assign, assignment]
        writers = [threading.Thread(target=slow.append, args=(S, 0, [maker.command(3)]))]
        writers[0].start()
        assert held.wait(60)
        writers.append(threading.Thread(target=maker.fill, args=(quick, R, 2)))
        writers[1].start()
        for _ in range(5):
            poll()
            time.sleep(0.05)
        assert seen == [1, 2], "what is not committed was seen, or somebody overtook"
        assert writers[1].is_alive()
        let_go.set()
        while any(thread.is_alive() for thread in writers):
            poll()
            time.sleep(0.002)
        poll()
        assert seen == [1, 2, 3, 4, 5, 6, 7]
        assert [event.session for event in reader.read()] == [R, R, S, S, S, R, R]
        assert isinstance(reader.verify(), Verified)


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
    kill_rounds(str(path), rounds=8, seed=1)


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
    for round_ in range(5):
        target = path.with_name(f"{round_}.db")
        process = subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0, 0.4))
        process.kill()
        process.communicate()
        with open_store(str(target)) as store:
            assert store.verify() == Verified(0, store.head())
