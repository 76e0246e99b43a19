"""The chain: how an event's header is written as bytes, how it is hashed, and how event ids are made.

hash(n) = SHA-256(hash(n-1) + header(n)). The header is RFC 8785 canonical JSON of every column of the event
but its payload, its salt and the hash itself; it carries payload_hash = SHA-256(salt + payload), so a payload
can be withheld from a copy and the chain still verifies. hash(0) binds the ledger's id and this format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

#: position, event_id, session, version, event_type, schema_version, occurred_at, zone, recorded_at,
#: command_id, cause, payload_hash, payload, salt, hash: the order of StoredEvent and of every read.
Row = tuple[
    int, bytes, str, int, str, int, int, str, int, bytes, int | None, bytes, bytes | None, bytes | None, bytes
]

# The template below escapes nothing, so a string may only hold characters that JSON writes as they are.
EVENT_TYPE = re.compile(r"[a-z][a-z0-9_.]*")
ZONE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+/-]*")
SESSION = re.compile(r"[0-9a-f]{32}")


def genesis(ledger_id: str) -> bytes:
    """The hash before the first event of a ledger (32 hex digits)."""
    return sha256(f'{{"format":1,"ledger_id":"{ledger_id}"}}'.encode()).digest()


def payload_hash(salt: bytes, payload: bytes) -> bytes:
    """The salted hash of a payload; without the salt a short payload could be found by trying."""
    return sha256(salt + payload).digest()


def headers(ledger_id: str, rows: Iterable[Row]) -> list[bytes]:
    """The canonical header of each row.

    A template, because a JSON encoder would halve the speed of verifying; keys are in sorted order. One list
    for a page of rows, because a call for each row costs as much as the hashing.
    """
    return [
        (
            f'{{"cause":{"null" if cause is None else cause},"command_id":"{command_id.hex()}"'
            f',"event_id":"{event_id.hex()}","event_type":"{event_type}","ledger_id":"{ledger_id}"'
            f',"occurred_at":{occurred_at},"payload_hash":"{payload_hash_.hex()}","position":{position}'
            f',"recorded_at":{recorded_at},"schema_version":{schema_version},"session":"{session}"'
            f',"version":{version},"zone":"{zone}"}}'
        ).encode()
        for (
            position,
            event_id,
            session,
            version,
            event_type,
            schema_version,
            occurred_at,
            zone,
            recorded_at,
            command_id,
            cause,
            payload_hash_,
            _,
            _,
            _,
        ) in rows
    ]


def link(previous: bytes, header: bytes) -> bytes:
    """The hash of an event from the hash before it and its header."""
    return sha256(previous + header).digest()


def event_ids(recorded_at: int, count: int, entropy: bytes) -> list[bytes]:
    """`count` rising UUIDv7 (RFC 9562) of one microsecond, from 8 bytes of entropy.

    The microsecond within the millisecond stands in the 12 bits after the version (method 3 of the RFC);
    the random part is counted up, its first bit clear so that the count has room.
    """
    milliseconds, microseconds = divmod(recorded_at, 1000)
    start = milliseconds << 80 | 7 << 76 | (microseconds * 4096 // 1000) << 64 | 2 << 62
    start |= int.from_bytes(entropy[:8], "big") & ((1 << 61) - 1)
    return [(start + i).to_bytes(16, "big") for i in range(count)]
