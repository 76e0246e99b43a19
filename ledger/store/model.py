"""What goes into the store and what comes out of it: plain values, and a name for every outcome of an append.

Times are whole microseconds since 1970-01-01 UTC. Session ids are 32 hex digits, command and event ids 16
bytes, salts 16 bytes, hashes 32 bytes (SHA-256).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class StoreError(Exception):
    """An operating fault or a store that is not usable: one clear line, fit to be shown as it is."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is still to be recorded.

    `payload` is canonical JSON. `zone` is an IANA name. `cause` is the version, within the session, of the
    event that implied this one, or None.
    """

    event_type: str
    schema_version: int
    payload: bytes
    occurred_at: int
    zone: str
    cause: int | None = None


@dataclass(frozen=True, slots=True)
class CommandDrafts:
    """A command's id, the hash of what it asked, and the events (at least one) that answer it.

    The id must not be computed from the command's content alone: it stands in the open, so one who is not
    to see a payload could find it by trying.
    """

    command_id: bytes
    content_hash: bytes
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A player's name beside the ledger; `name_hash` is the salted hash that stands in an event."""

    player: str
    name: str
    salt: bytes
    name_hash: bytes


class SessionBatch(NamedTuple):
    """What is to be appended to one session: its version as the caller saw it (0: new), commands, names beside."""

    session: str
    expected_version: int
    commands: Sequence[CommandDrafts]
    names: Sequence[NameRow] = ()


class StoredEvent(NamedTuple):
    """An event as it is recorded. `payload` and `salt` are None where they are withheld from this copy.

    A tuple, as `Recorded` is: a frozen dataclass of so many fields took a fifth of the time of a replay to make.
    """

    position: int
    event_id: bytes
    session: str
    version: int
    event_type: str
    schema_version: int
    occurred_at: int
    zone: str
    recorded_at: int
    command_id: bytes
    cause: int | None
    payload_hash: bytes
    payload: bytes | None
    salt: bytes | None
    hash: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a ledger: the last position (0: nothing yet) and its hash."""

    position: int
    hash: bytes


class SessionSpan(NamedTuple):
    """A session in the ledger: its first and last position, and its version (the number of its events)."""

    session: str
    first_position: int
    last_position: int
    version: int


class CommandRecord(NamedTuple):
    """A recorded command and the versions of its session that it covers, both ends included."""

    command_id: bytes
    content_hash: bytes
    first_version: int
    last_version: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one command of a batch; `known` if it had been recorded before."""

    command_id: bytes
    known: bool
    first_position: int
    last_position: int
    first_version: int
    last_version: int


@dataclass(frozen=True, slots=True)
class Appended:
    """The batch is on disk. The same commands again get the same answer, but for `known`.

    `head` is the position and hash of the last event of the batch; `recorded_at` is that event's.
    """

    session: str
    answers: tuple[Answer, ...]
    head: Head
    recorded_at: int

    @property
    def added(self) -> int:
        """How many events this append wrote: none if every command was known."""
        return sum(a.last_position - a.first_position + 1 for a in self.answers if not a.known)


@dataclass(frozen=True, slots=True)
class VersionConflict:
    """The session has moved on (or is not as far as was thought); nothing was written."""

    session: str
    expected: int
    actual: int


@dataclass(frozen=True, slots=True)
class ExistsWithDifferentContent:
    """A command of this id is recorded, and asked something else; nothing was written."""

    command_id: bytes
    session: str


@dataclass(frozen=True, slots=True)
class ExistsInOtherSession:
    """A command of this id is recorded in another session, named here; nothing was written."""

    command_id: bytes
    session: str


@dataclass(frozen=True, slots=True)
class BatchPartlyKnown:
    """Some commands of the batch are recorded, `known`, and some are not, `new`; nothing was written."""

    known: tuple[bytes, ...]
    new: tuple[bytes, ...]


CommandConflict = ExistsWithDifferentContent | ExistsInOtherSession | BatchPartlyKnown
AppendOutcome = Appended | VersionConflict | CommandConflict


@dataclass(frozen=True, slots=True)
class Verified:
    """Every hash fits. `withheld` are ranges of positions, both ends included, without their payload."""

    events: int
    head: Head
    withheld: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """The first position that does not fit, and why."""

    position: int
    reason: str
