"""A process that records evenings action by action and is killed: `python -m tests.support.recording`.

It waits for an order on standard input (store, facts, a file of commands), forks a recorder that says what it has
on disk, and says `ended` when that is gone. Forked, because starting an interpreter takes longer than being killed.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import duckdb

from analytics.facts import Facts
from ledger import commands as cmd
from ledger.recorder import Recorder
from ledger.store import Appended, open_store

Commands = Sequence[tuple[cmd.Command, int]]
#: A command's number, and position and hash of its last event.
Said = tuple[int, int, str]
FACTS_EVERY = 25


def command_id(session: str, number: int) -> bytes:
    """The id of an evening's n-th command."""
    return bytes.fromhex(session)[8:] + number.to_bytes(8, "big")


def record(url: str, facts: str, session: str, commands: Commands) -> None:
    """Records what is not recorded yet, after asking the last two again; every 25 actions the facts catch up."""
    with open_store(url) as store:
        recorder = Recorder(store, session)
        _say("ready")
        known = len(store.commands(session))
        for number in range(max(0, known - 2), len(commands)):
            command, when = commands[number]
            outcome = recorder.record(command, occurred_at=when, command_id=command_id(session, number))
            assert isinstance(outcome, Appended), outcome
            assert outcome.answers[0].known == (number < known)
            _say("recorded", number, outcome.head.position, outcome.head.hash.hex())
            if number % FACTS_EVERY == 0:
                with duckdb.connect(facts) as connection:
                    found = Facts(connection)
                    if not found.fits(store):
                        found.clear(store)
                    found.catch_up(store)


def _say(*words: object) -> None:
    """One line, whole: `print` may write it in pieces, between which one can be killed."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class Zygote:
    """The process that forks recorders, as the test sees it."""

    def __init__(self, folder: Path) -> None:
        self._orders = folder / "order"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.recording"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def start(self, url: str, facts: str, session: str, commands: Commands) -> None:
        """Starts a recorder, and returns when it is ready to record."""
        self._orders.write_bytes(pickle.dumps((url, facts, session, commands)))
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._orders}\n")
        self._process.stdin.flush()
        self._pid = int(self._line().split()[1])
        self._code: int | None = None
        assert self._line() == "ready\n"

    def said(self, at_most: int) -> list[Said]:
        """What the recorder says next that it has on disk: so many commands, or fewer if it came to its end."""
        found: list[Said] = []
        while self._code is None and len(found) < at_most:
            word, *rest = self._line().split()
            if word == "ended":
                self._code = int(rest[0])
            else:
                found.append((int(rest[0]), int(rest[1]), rest[2]))
        return found

    def kill(self) -> list[Said]:
        """Kills the recorder, if it is still there, and gives what it had said before."""
        if self._code is None:
            os.kill(self._pid, signal.SIGKILL)
        found = self.said(10**9)
        assert self._code in (0, -signal.SIGKILL), "the recorder failed; its traceback is above"
        return found

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that forks is gone"
        return line

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
        assert self._process.wait(timeout=60) == 0


def main() -> None:
    """Forks a recorder for every order."""
    finished: list[int] = []
    for order in sys.stdin:
        while finished:
            os.waitpid(finished.pop(), 0)
        arguments = pickle.loads(Path(order.strip()).read_bytes())
        pid = os.fork()
        if pid == 0:
            try:
                record(*arguments)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _say("begun", pid)
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert found is not None
        code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        _say("ended", code)
        # it keeps its id until the next order, so that a kill that comes late finds nobody else
        finished.append(pid)


if __name__ == "__main__":
    main()
