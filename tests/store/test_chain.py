"""How an event is written for the chain: canonical JSON, checked against another encoder; and its id."""

from __future__ import annotations

import uuid
from hashlib import sha256

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ledger.store import StoredEvent, chain

number = st.integers(min_value=1, max_value=2**53 - 1)
digest = st.binary(min_size=32, max_size=32)
ident = st.binary(min_size=16, max_size=16)
rows = st.tuples(
    number,
    ident,
    ident.map(bytes.hex),
    number,
    st.from_regex(chain.EVENT_TYPE, fullmatch=True),
    number,
    st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1),
    st.from_regex(chain.ZONE, fullmatch=True),
    number,
    ident,
    st.none() | number,
    digest,
    st.none() | st.binary(),
    st.none() | ident,
    digest,
)
COLUMNS = StoredEvent._fields[:12]


@given(rows, ident.map(bytes.hex))
def test_the_header_is_rfc_8785_of_its_columns(row: chain.Row, ledger_id: str) -> None:
    shown = {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in zip(COLUMNS, row[:12], strict=True)
    }
    assert chain.headers(ledger_id, [row]) == [rfc8785.dumps(shown | {"ledger_id": ledger_id})]


@given(rows, rows, ident.map(bytes.hex))
def test_two_events_that_differ_have_different_headers(a: chain.Row, b: chain.Row, ledger_id: str) -> None:
    first, second = chain.headers(ledger_id, [a, b])
    assert (first == second) == (a[:12] == b[:12])


def test_a_worked_example() -> None:
    row = (1, bytes(16), "a" * 32, 1, "noted", 1, 0, "UTC", 2, b"\1" * 16, None, b"\2" * 32, b"{}", b"", b"")
    (header,) = chain.headers("f" * 32, [row])
    assert header == (
        b'{"cause":null,"command_id":"01010101010101010101010101010101",'
        b'"event_id":"00000000000000000000000000000000","event_type":"noted",'
        b'"ledger_id":"ffffffffffffffffffffffffffffffff","occurred_at":0,'
        b'"payload_hash":"0202020202020202020202020202020202020202020202020202020202020202",'
        b'"position":1,"recorded_at":2,"schema_version":1,"session":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'
        b'"version":1,"zone":"UTC"}'
    )
    start = chain.genesis("f" * 32)
    assert start == sha256(b'{"format":1,"ledger_id":"' + b"f" * 32 + b'"}').digest()
    assert chain.link(start, header) == sha256(start + header).digest()
    assert chain.payload_hash(b"salt", b"{}") == sha256(b"salt{}").digest()


@given(st.integers(min_value=0, max_value=2**57), st.integers(1, 300), st.binary(min_size=8, max_size=8))
def test_event_ids_are_uuid_version_7_and_rise(recorded_at: int, count: int, entropy: bytes) -> None:
    ids = chain.event_ids(recorded_at, count, entropy)
    assert len(set(ids)) == count
    assert ids == sorted(ids)
    for event_id in (ids[0], ids[-1]):
        parsed = uuid.UUID(bytes=event_id)
        assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
        assert parsed.int >> 80 == recorded_at // 1000


@given(st.integers(0, 2**57), st.binary(min_size=8, max_size=8), st.binary(min_size=8, max_size=8))
def test_event_ids_of_a_later_microsecond_come_after(recorded_at: int, one: bytes, other: bytes) -> None:
    (earlier,) = chain.event_ids(recorded_at, 1, one)
    (later,) = chain.event_ids(recorded_at + 1, 1, other)
    assert earlier < later
