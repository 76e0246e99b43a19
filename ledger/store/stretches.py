"""Following a long ledger in several processes at once, each a stretch of it.

Each is a new interpreter that opens the store for itself: a fork would carry SQLite's connections and locks
along, and multiprocessing would import the caller's main module again. What one is to do comes on its standard
input (an address may hold a password, and arguments can be seen by others).
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import cast

from ledger.store.model import Broken
from ledger.store.opening import open_store
from ledger.store.verifying import Walk

#: Below this many events a process more costs more than it saves (it takes a third of a second to start).
WORTH_SHARING = 200_000
_MOST = 8


def processes_for(events: int) -> int:
    """How many processes are worth having."""
    return 1 if events < WORTH_SHARING or not sys.executable else min(os.cpu_count() or 1, _MOST)


class Helpers:
    """Processes that follow stretches, (first position, last position) each, of a ledger at an address."""

    def __init__(self, address: str, ledger: str, stretches: Sequence[tuple[int, int]]) -> None:
        self._started = [_started([address, ledger, first, last]) for first, last in stretches]

    def __enter__(self) -> Helpers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in filter(None, self._started):
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    def result(self, number: int) -> Walk | Broken | None:
        """What the helper of that number found; None if it failed, and the stretch is still to be followed."""
        process = self._started[number]
        if process is None:
            return None
        assert process.stdout is not None
        said = process.stdout.read()
        # one that was ended says nothing, and one that fails may say so with its code only
        return cast("Walk | Broken", pickle.loads(said)) if process.wait() == 0 and said else None


def _started(order: list[str | int]) -> subprocess.Popen[bytes] | None:
    """A helper with its order; None where the system will not start one."""
    # -P: what lies in the folder the user happens to be in is not run in the place of this program
    bare = "-I" if sys.flags.isolated else "-P"
    command = [sys.executable, bare, "-m", "ledger.store.stretches"]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:  # no memory, or too many processes
        return None
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin:  # it is gone already, as `result` will find
        process.stdin.write(json.dumps(order).encode())
    return process


def main() -> None:
    """Follows the stretch named on standard input and writes the walk, pickled, to standard output."""
    address, ledger, first, last = json.load(sys.stdin)
    with open_store(address, ledger=ledger, create=False) as store:
        found = store.follow(first, last)
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
