"""A store on each database in turn, a clock that stands, and commands to fill it with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

import pytest

from ledger.store import Appended, CommandDrafts, Draft, open_store
from ledger.store.store import Store

T0 = 1_796_000_000_000_000


@dataclass
class Clock:
    """A clock that stands where it is put."""

    now: int = T0

    def __call__(self) -> int:
        return self.now


class Maker:
    """Makes commands that are all different, and the same ones again in the next run."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def command(self, events: int = 1, text: str = "x", cause: int | None = None) -> CommandDrafts:
        number = next(self._numbers)
        drafts = tuple(
            Draft("noted", 1, b'{"n":%d,"text":"%s"}' % (i, text.encode()), T0 + i, "Europe/London", cause)
            for i in range(events)
        )
        return CommandDrafts(number.to_bytes(16, "big"), sha256(f"{number} {text}".encode()).digest(), drafts)

    def session(self) -> str:
        return f"{next(self._numbers):032x}"

    def fill(self, store: Store, session: str, batches: int, events: int = 1) -> None:
        """Appends batches of one command each."""
        for _ in range(batches):
            outcome = store.append(session, store.version(session), [self.command(events)])
            assert isinstance(outcome, Appended)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    with open_store(url, clock=clock) as opened:
        yield opened
