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


@dataclass(slots=True)
class Walk:
    """How far a ledger has been followed, and what is needed to go on."""

    ledger_id: str
    commands: Iterator[CommandRow] | None
    position: int = 0
    hash: bytes = b""
    recorded_at: int = 0
    versions: dict[str, int] = field(default_factory=dict)
    command: CommandRow = (0, 0, b"")
    withheld: list[tuple[int, int]] = field(default_factory=list)


def start(ledger_id: str, commands: Iterable[CommandRow] | None) -> Walk:
    """A walk before the first event; `commands` is None for a copy, which holds none."""
    return Walk(ledger_id, None if commands is None else iter(commands), hash=chain.genesis(ledger_id))


def follow(walk: Walk, rows: Sequence[chain.Row]) -> Broken | None:
    """Follows one page of rows in order of position; the first that does not fit, or None.

    The walk keeps what is needed for the next page.
    """
    try:
        headers = chain.headers(walk.ledger_id, rows)
    except (AttributeError, TypeError, ValueError):
        # Something of the wrong type in a column: find where, one row at a time.
        if len(rows) == 1:
            return Broken(walk.position + 1, "a column holds what cannot stand there")
        return _one_by_one(walk, rows)
    position, link, recorded, versions = walk.position, walk.hash, walk.recorded_at, walk.versions
    _, last_of_command, command_id = walk.command
    for row, header in zip(rows, headers, strict=True):
        position += 1
        if row[0] != position:
            return Broken(position, "the event is missing")
        payload, salt = row[12], row[13]
        if payload is None or salt is None:
            _withhold(walk, position)
        elif sha256(salt + payload).digest() != row[11]:
            return Broken(position, "the payload was changed: it does not fit its hash")
        link = sha256(link + header).digest()
        if link != row[14]:
            return Broken(position, "the header was changed, or the hash: they do not fit the chain")
        session, version = row[2], row[3]
        if version != versions.get(session, 0) + 1:
            return Broken(position, f"the session goes from version {versions.get(session, 0)} to {version}")
        versions[session] = version
        if row[8] < recorded:
            return Broken(position, "recorded_at goes back")
        recorded = row[8]
        if walk.commands is not None:
            if position > last_of_command:
                walk.command = next(walk.commands, (0, 0, b""))
                first, last_of_command, command_id = walk.command
                if first != position:
                    return Broken(position, "the command of this event is not among the commands")
            if row[9] != command_id:
                return Broken(position, "the command of this event is another than the commands say")
    walk.position, walk.hash, walk.recorded_at = position, link, recorded
    return None


def _one_by_one(walk: Walk, rows: Sequence[chain.Row]) -> Broken | None:
    for row in rows:
        broken = follow(walk, [row])
        if broken is not None:
            return broken
    return None


def _withhold(walk: Walk, position: int) -> None:
    if walk.withheld and walk.withheld[-1][1] == position - 1:
        walk.withheld[-1] = (walk.withheld[-1][0], position)
    else:
        walk.withheld.append((position, position))


def end(walk: Walk, head_position: int, head_hash: bytes, head_recorded_at: int) -> Broken | None:
    """Compares the end of the walk with the ledger's head row."""
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
    if walk.commands is not None:
        extra = next(walk.commands, None)
        if extra is not None or walk.command[1] != walk.position:
            return Broken(walk.position, "the commands go beyond the last event")
    return None
