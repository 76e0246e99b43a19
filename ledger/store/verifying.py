"""Verifying: walks a ledger from its first event and recomputes every hash from the stored bytes.

Reports the first position that does not fit. A chain that was rebuilt from an edit to its end and its head
fits again; against that stands only a receipt or a checkpoint kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from ledger.store import chain
from ledger.store.model import Broken

#: first position, last position, command id: in order of position.
CommandRow = tuple[int, int, bytes]

MISSING = "the event is missing"
_NO_COMMAND: CommandRow = (0, 0, b"")
_WRONG_TYPE = "a column holds what cannot stand there"
_VERSION = "the session goes from version {} to {}"
_OTHER_COMMAND = "the command of this event is another than the commands say"


@dataclass(slots=True)
class Walk:
    """How far a ledger, or a stretch of it, has been followed, and what is needed to go on.

    A stretch that begins later takes the hash before it as it stands; the stretch before answers for it. So
    several can be followed at once and joined.
    """

    ledger_id: str
    #: None for a copy, which holds none, and when the walk is over.
    commands: Iterator[CommandRow] | None
    first: int
    position: int
    hash: bytes
    recorded_at: int
    #: Session -> its version by now.
    versions: dict[str, int] = field(default_factory=dict)
    #: Session -> its version before this stretch, and where the stretch first meets it.
    joins: dict[str, tuple[int, int]] = field(default_factory=dict)
    command: CommandRow = _NO_COMMAND
    withheld: list[tuple[int, int]] = field(default_factory=list)


def start(ledger_id: str, commands: Iterable[CommandRow] | None, before: chain.Row | None = None) -> Walk:
    """A walk from the first event, or from the one after `before`."""
    position, hash_, recorded_at = 0, chain.genesis(ledger_id), 0
    if before is not None:
        position, hash_, recorded_at = before[0], before[14], before[8]
    rows = None if commands is None else iter(commands)
    return Walk(ledger_id, rows, position + 1, position, hash_, recorded_at)


def join(walk: Walk, following: Walk) -> Broken | None:
    """Joins the walk of the next stretch to this one."""
    if following.first != walk.position + 1:
        return Broken(walk.position + 1, MISSING)
    for session, (before, position) in following.joins.items():
        if before != walk.versions.get(session, 0):
            return Broken(position, _VERSION.format(walk.versions.get(session, 0), before + 1))
    if walk.command[1] not in (0, walk.position):
        return Broken(following.first, _OTHER_COMMAND)
    walk.versions.update(following.versions)
    for first, last in following.withheld:
        _withhold(walk, first, last)
    walk.position, walk.hash, walk.recorded_at = following.position, following.hash, following.recorded_at
    walk.command = following.command
    return None


def follow(walk: Walk, rows: Sequence[chain.Row]) -> Broken | None:
    """Follows one page of rows in order of position; the first that does not fit, or None.

    The walk keeps what is needed for the next page.
    """
    try:
        headers = chain.headers(walk.ledger_id, rows)
    except (AttributeError, TypeError, ValueError):
        # Something of the wrong type in a column: find where, one row at a time.
        if len(rows) == 1:
            return Broken(walk.position + 1, _WRONG_TYPE)
        return next(filter(None, (follow(walk, [row]) for row in rows)), None)
    position, link, recorded = walk.position, walk.hash, walk.recorded_at
    for row, header in zip(rows, headers, strict=True):
        position += 1
        if row[0] != position:
            return Broken(position, MISSING)
        payload, salt = row[12], row[13]
        if payload is None or salt is None:
            if walk.commands is not None:
                return Broken(position, "the payload is gone, and this is no copy")
            _withhold(walk, position, position)
        elif not isinstance(payload, bytes) or not isinstance(salt, bytes):
            return Broken(position, _WRONG_TYPE)
        elif sha256(salt + payload).digest() != row[11]:
            return Broken(position, "the payload was changed: it does not fit its hash")
        link = sha256(link + header).digest()
        if link != row[14]:
            return Broken(position, "the header was changed, or the hash: they do not fit the chain")
        if row[8] < recorded:
            return Broken(position, "recorded_at goes back")
        recorded = row[8]
        reason = _misplaced(walk, row)
        if reason is not None:
            return Broken(position, reason)
    walk.position, walk.hash, walk.recorded_at = position, link, recorded
    return None


def _misplaced(walk: Walk, row: chain.Row) -> str | None:
    """Why an event does not follow the one before it in its session, or is not its command's."""
    position, session, version, command_id = row[0], row[2], row[3], row[9]
    before = walk.versions.get(session)
    if before is None:
        before = 0 if walk.first == 1 else version - 1
        walk.joins[session] = (before, position)
    if version != before + 1:
        return _VERSION.format(before, version)
    walk.versions[session] = version
    if walk.commands is not None:
        if position > walk.command[1]:
            walk.command = next(walk.commands, _NO_COMMAND)
            if walk.command[0] != position:
                return "the command of this event is not among the commands"
        if command_id != walk.command[2]:
            return _OTHER_COMMAND
    return None


def _withhold(walk: Walk, first: int, last: int) -> None:
    if walk.withheld and walk.withheld[-1][1] == first - 1:
        walk.withheld[-1] = (walk.withheld[-1][0], last)
    else:
        walk.withheld.append((first, last))


def end(
    walk: Walk, head_position: int, head_hash: bytes, head_recorded_at: int, last_command: int
) -> Broken | None:
    """Compares the end of the walk with the ledger's head row and with where its last command begins."""
    if head_position > walk.position:
        return Broken(
            walk.position + 1,
            f"the tail was cut: the head stands at {head_position}, the last event is {walk.position}",
        )
    if head_position < walk.position:
        return Broken(head_position + 1, f"events stand beyond the head, which is at {head_position}")
    if head_hash != walk.hash:
        return Broken(walk.position, "the head has another hash than the last event")
    if walk.position and head_recorded_at != walk.recorded_at:
        return Broken(walk.position, "the head has another time than the last event")
    if walk.command[1] not in (0, walk.position) or last_command > walk.position:
        return Broken(walk.position, "the commands go beyond the last event")
    return None
