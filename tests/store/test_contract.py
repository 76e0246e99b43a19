"""What a store does, the same on SQLite, in memory and on PostgreSQL."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import (
    Appended,
    BatchPartlyKnown,
    CommandDrafts,
    Draft,
    ExistsInOtherSession,
    ExistsWithDifferentContent,
    NameRow,
    StoreError,
    Verified,
    VersionConflict,
    open_store,
)

if TYPE_CHECKING:
    from ledger.store import Store
    from tests.store.conftest import Clock, Maker

S = "a" * 32
R = "b" * 32


def append(store: Store, session: str, version: int, commands: list[CommandDrafts]) -> Appended:
    outcome = store.append(session, version, commands)
    assert isinstance(outcome, Appended)
    return outcome


def verified(store: Store) -> int:
    outcome = store.verify()
    assert isinstance(outcome, Verified)
    return outcome.events


def test_an_event_comes_back_as_it_was_appended(store: Store, clock: Clock) -> None:
    draft = Draft("stake_placed", 3, b'{"units":12}', 1_700_000_000_000_001, "Europe/London", None)
    implied = Draft("pool_awarded", 1, b'{"to":"\xc3\xa9"}', -5, "Etc/GMT+1", 1)
    outcome = append(store, S, 0, [CommandDrafts(b"c" * 16, b"h" * 32, (draft, implied))])
    first, second = store.read()
    assert (first.position, first.session, first.version, first.cause) == (1, S, 1, None)
    assert (first.event_type, first.schema_version, first.payload) == ("stake_placed", 3, b'{"units":12}')
    assert (first.occurred_at, first.zone) == (1_700_000_000_000_001, "Europe/London")
    assert (first.recorded_at, first.command_id) == (clock.now, b"c" * 16)
    assert first.salt is not None
    assert first.payload is not None
    assert first.payload_hash == sha256(first.salt + first.payload).digest()
    assert (second.position, second.version, second.cause) == (2, 2, 1)
    assert (second.occurred_at, second.payload) == (-5, b'{"to":"\xc3\xa9"}')
    assert first.salt != second.salt
    assert (outcome.head.position, outcome.head.hash) == (2, second.hash)
    assert store.head() == outcome.head


def test_the_answer_says_positions_and_versions(store: Store, maker: Maker) -> None:
    maker.fill(store, R, 2)
    a, b = maker.command(2), maker.command(3)
    outcome = append(store, S, 0, [a, b])
    assert [(x.first_position, x.last_position) for x in outcome.answers] == [(3, 4), (5, 7)]
    assert [(x.first_version, x.last_version) for x in outcome.answers] == [(1, 2), (3, 5)]
    assert [x.known for x in outcome.answers] == [False, False]
    assert outcome.added == 5


def test_an_empty_store(store: Store) -> None:
    assert store.head().position == 0
    assert list(store.read()) == []
    assert store.sessions() == []
    assert store.version(S) == 0
    assert store.commands(S) == []
    assert store.verify() == Verified(0, store.head())


def test_a_stale_version_is_told_both_versions_and_writes_nothing(store: Store, maker: Maker) -> None:
    maker.fill(store, S, 3)
    head = store.head()
    assert store.append(S, 2, [maker.command()]) == VersionConflict(S, expected=2, actual=3)
    assert store.append(S, 4, [maker.command()]) == VersionConflict(S, expected=4, actual=3)
    assert store.append(R, 1, [maker.command()]) == VersionConflict(R, expected=1, actual=0)
    assert store.head() == head


def test_the_same_command_again_gets_the_first_answer(store: Store, maker: Maker) -> None:
    command = maker.command(2)
    first = append(store, S, 0, [command])
    maker.fill(store, S, 2)
    again = append(store, S, 0, [command])
    assert again.answers[0].known
    assert again.added == 0
    assert (again.head, again.recorded_at) == (first.head, first.recorded_at)
    assert again.answers[0].last_version == first.answers[0].last_version == 2
    assert store.head().position == 4


def test_the_same_batch_again_gets_the_first_answer(store: Store, maker: Maker) -> None:
    batch = [maker.command(), maker.command(3)]
    first = append(store, S, 0, batch)
    again = append(store, S, 0, batch)
    assert again.head == first.head
    assert [(x.first_version, x.last_version) for x in again.answers] == [(1, 1), (2, 4)]


def test_a_known_command_with_other_content(store: Store, maker: Maker) -> None:
    command = maker.command()
    store.append(S, 0, [command])
    changed = CommandDrafts(command.command_id, b"other content hash, of 32 bytes.", command.drafts)
    assert store.append(S, 1, [changed]) == ExistsWithDifferentContent(command.command_id, S)
    assert store.append(S, 1, [maker.command(), changed]) == ExistsWithDifferentContent(command.command_id, S)
    assert store.version(S) == 1


def test_a_known_command_in_another_session(store: Store, maker: Maker) -> None:
    command = maker.command()
    store.append(S, 0, [command])
    assert store.append(R, 0, [command]) == ExistsInOtherSession(command.command_id, S)
    assert store.version(R) == 0


def test_a_batch_that_is_partly_known(store: Store, maker: Maker) -> None:
    known, new = maker.command(), maker.command()
    store.append(S, 0, [known])
    outcome = store.append(S, 1, [known, new])
    assert outcome == BatchPartlyKnown(known=(known.command_id,), new=(new.command_id,))
    assert store.version(S) == 1


def test_many_commands_in_one_batch(store: Store, maker: Maker) -> None:
    batch = [maker.command() for _ in range(1200)]
    assert append(store, S, 0, batch).head.position == 1200
    again = append(store, S, 0, batch)
    assert again.added == 0
    assert len(again.answers) == 1200
    assert verified(store)


def test_reading_by_pages_gives_every_event_once(store: Store, maker: Maker) -> None:
    for session in (S, R, S, R, R):
        maker.fill(store, session, 1, events=3)
    for page in (1, 2, 3, 4, 15, 100):
        assert [e.position for e in store.read(page=page)] == list(range(1, 16))
        assert [e.position for e in store.read(S, page=page)] == [1, 2, 3, 7, 8, 9]
    assert [e.position for e in store.read(after=4, upto=9, page=2)] == [5, 6, 7, 8, 9]
    assert [e.position for e in store.read(S, after=2, upto=8, page=2)] == [3, 7, 8]
    assert [e.position for e in store.read(S, after=5)] == [7, 8, 9]
    assert [e.version for e in store.read(R, after=12)] == [7, 8, 9]
    assert list(store.read(after=15)) == []


def test_a_reader_may_append_while_he_reads(store: Store, maker: Maker) -> None:
    maker.fill(store, S, 4)
    seen = []
    for event in store.read(page=2):
        seen.append(event.position)
        if event.position == 3:
            maker.fill(store, S, 2)
    assert seen == [1, 2, 3, 4, 5, 6]


def test_events_of_a_type_are_found_in_all_sessions(store: Store) -> None:
    def of(event_type: str) -> CommandDrafts:
        return CommandDrafts(
            event_type.encode().ljust(16), bytes(32), (Draft(event_type, 1, b"{}", 0, "UTC"),)
        )

    for version, (session, event_type) in enumerate(
        [(S, "opened"), (S, "noted"), (R, "shown"), (S, "closed")]
    ):
        append(store, session, 0 if session == R else min(version, 2), [of(event_type)])
    assert [event.position for event in store.of_type("opened", "closed")] == [1, 4]
    assert [event.session for event in store.of_type("shown")] == [R]
    assert store.of_type("never") == []


def test_sessions_in_order_of_their_first_event(store: Store, maker: Maker) -> None:
    sessions = [maker.session() for _ in range(5)][::-1]
    for session in sessions:
        maker.fill(store, session, 1, events=2)
    maker.fill(store, sessions[1], 1)
    assert store.sessions() == [
        (sessions[0], 1, 2, 2),
        (sessions[1], 3, 11, 3),
        (sessions[2], 5, 6, 2),
        (sessions[3], 7, 8, 2),
        (sessions[4], 9, 10, 2),
    ]


def test_commands_of_a_session_in_order(store: Store, maker: Maker) -> None:
    a, b, c = maker.command(2), maker.command(), maker.command(3)
    store.append(S, 0, [c])
    store.append(R, 0, [maker.command()])
    store.append(S, 3, [b, a])
    assert store.commands(S) == [
        (c.command_id, c.content_hash, 1, 3),
        (b.command_id, b.content_hash, 4, 4),
        (a.command_id, a.content_hash, 5, 6),
    ]


def test_recorded_at_never_goes_back(store: Store, clock: Clock, maker: Maker) -> None:
    maker.fill(store, S, 1)
    clock.now -= 3_600_000_000
    maker.fill(store, S, 1)
    clock.now += 7_200_000_000
    maker.fill(store, S, 1)
    times = [event.recorded_at for event in store.read()]
    assert times == [clock.now - 3_600_000_000, clock.now - 3_600_000_000, clock.now]
    assert verified(store)


def test_event_ids_rise_within_a_batch_and_carry_the_time(store: Store, clock: Clock, maker: Maker) -> None:
    maker.fill(store, S, 1, events=50)
    ids = [event.event_id for event in store.read()]
    assert ids == sorted(ids)
    assert len(set(ids)) == 50
    assert int.from_bytes(ids[0][:6], "big") == clock.now // 1000


def test_names_stand_beside_the_ledger_and_can_be_erased(store: Store, maker: Maker) -> None:
    rows = [NameRow("1" * 32, name, b"salt" * 4, sha256(name.encode()).digest()) for name in ("A", "A.")]
    rows.append(NameRow("2" * 32, "B", b"salt" * 4, sha256(b"B").digest()))
    store.append(S, 0, [maker.command()], rows)
    assert sorted(row.name for row in store.names()) == ["A", "A.", "B"]
    assert store.erase_name("1" * 32, rows[1].name_hash) == 1
    assert sorted(row.name for row in store.names()) == ["A", "B"]
    assert store.erase_name("1" * 32) == 1
    assert store.erase_name("1" * 32) == 0
    assert store.names() == [rows[2]]
    assert verified(store)


def test_names_are_written_with_the_events_or_not_at_all(store: Store, maker: Maker) -> None:
    row = NameRow("1" * 32, "A", b"salt" * 4, sha256(b"A").digest())
    assert isinstance(store.append(S, 7, [maker.command()], [row]), VersionConflict)
    assert store.names() == []
    with pytest.raises(StoreError):
        store.append(S, 0, [maker.command()], [row, row])
    assert store.names() == []
    assert store.head().position == 0


def test_hash_at_is_what_a_receipt_compares(store: Store, maker: Maker) -> None:
    maker.fill(store, S, 3)
    assert store.hash_at(3) == store.head().hash
    assert store.hash_at(2) == next(iter(store.read(after=1))).hash
    assert store.hash_at(0) not in (None, store.hash_at(1))
    assert store.hash_at(4) is None


def test_checkpoints_are_kept_one_to_a_position_and_key(store: Store) -> None:
    store.keep_checkpoint(5, "host", "note b")
    store.keep_checkpoint(2, "host", "note a")
    assert store.checkpoints() == [(2, "host", "note a"), (5, "host", "note b")]
    with pytest.raises(StoreError):
        store.keep_checkpoint(2, "host", "another note")


def test_two_ledgers_in_one_store_know_nothing_of_each_other(url: str, maker: Maker) -> None:
    if url == "sqlite://":
        pytest.skip("each opening of a store in memory is another store")
    with open_store(url, ledger="club") as club, open_store(url, ledger="home") as home:
        command = maker.command()
        assert append(club, S, 0, [command]).head.position == 1
        assert append(home, S, 0, [command]).head.position == 1
        assert club.head().hash != home.head().hash
        maker.fill(home, S, 1)
        assert (club.version(S), home.version(S)) == (1, 2)
        assert verified(club) == 1
        assert verified(home) == 2


def test_a_store_opened_again_goes_on_where_it_was(url: str, maker: Maker) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory ends with its connection")
    with open_store(url) as store:
        maker.fill(store, S, 2)
        head, ledger_id = store.head(), store.ledger_id
    with open_store(url, create=False) as store:
        assert (store.head(), store.ledger_id) == (head, ledger_id)
        maker.fill(store, S, 1)
        assert verified(store) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"event_type": 'x"'},
        {"event_type": "Noted"},
        {"zone": 'Europe/"'},
        {"zone": ""},
        {"cause": 1},
        {"cause": 0},
        {"occurred_at": 2**60},
    ],
)
def test_what_would_not_be_canonical_is_the_programmers_error(store: Store, wrong: dict[str, Any]) -> None:
    fields = {"event_type": "noted", "zone": "UTC", "cause": None, "occurred_at": 0} | wrong
    draft = Draft(schema_version=1, payload=b"{}", **fields)
    with pytest.raises(AssertionError):
        store.append(S, 0, [CommandDrafts(b"c" * 16, b"h" * 32, (draft,))])
    assert store.head().position == 0
