"""The one door for writing: every command counts once, and who comes late is told what happened."""

from __future__ import annotations

import hashlib
import tracemalloc
from itertools import count

import pytest

from ledger import commands as cmd
from ledger.events import Noted
from ledger.loading import load_session
from ledger.recorder import MovedOn, Recorder
from ledger.refusal import Refusal
from ledger.rules.load import load
from ledger.rules.model import NoLimit
from ledger.store import (
    Appended,
    BatchPartlyKnown,
    ExistsInOtherSession,
    ExistsWithDifferentContent,
    StoreError,
    Verified,
)
from ledger.store.store import Store

S, R = "a" * 32, "b" * 32
RULES = load("modern").model_copy(update={"small": 1, "big": 2, "limit": NoLimit()})


def id_(number: int) -> bytes:
    return number.to_bytes(16, "big")


def opened(store: Store, session: str = S, names: str = "ABC") -> Recorder:
    """A session with players seated who have counters, and a recorder of it."""
    salts = count(ord(session[0]) << 32)
    recorder = Recorder(store, session, entropy=lambda size: next(salts).to_bytes(size, "big"))
    rows = [recorder.names.give(name) for name in names]
    named = tuple(cmd.Naming(player=row.player, name_hash=row.name_hash.hex()) for row in rows)
    seats = tuple(row.player for row in rows)
    for command in (
        cmd.OpenSession(title=session[:1], date="1897-01-01", timed=False, rules=RULES),
        cmd.SeatPlayers(players=seats, named=named),
        *(cmd.SellCounters(player=player, units=100) for player in seats),
    ):
        done = recorder.apply(command)
        assert not isinstance(done, Refusal), done
    assert isinstance(recorder.flush(), Appended)
    return recorder


def appended(outcome: object) -> Appended:
    assert isinstance(outcome, Appended), outcome
    return outcome


def whole(store: Store) -> int:
    """How many events the ledger has, whose chain holds."""
    verified = store.verify()
    assert isinstance(verified, Verified)
    return verified.events


def test_an_action_is_on_disk_with_all_it_implies(store: Store) -> None:
    recorder = opened(store)
    before = store.version(S)
    outcome = appended(recorder.record(cmd.BeginHand(dealer=recorder.session.seats[0]), command_id=id_(1)))
    assert outcome.added == store.version(S) - before
    assert load_session(store, S).in_play is not None
    assert store.commands(S)[-1].command_id == id_(1)


# --- the four cases of a repeated command ---


def test_the_same_command_again_is_answered_as_the_first_time(store: Store) -> None:
    recorder = opened(store)
    begin, note = cmd.BeginHand(dealer=recorder.session.seats[0]), cmd.Note(text="a second lamp")
    first = appended(recorder.record(begin, command_id=id_(1)))
    appended(recorder.record(note, command_id=id_(2)))
    events = whole(store)
    for who in (recorder, Recorder(store, S)):  # a hand is in play: decided anew it would be refused
        again = appended(who.record(begin, command_id=id_(1)))
        assert (again.head, again.added, again.answers[0].known) == (first.head, 0, True)
        assert who.session.version == store.version(S)
    assert whole(store) == events


def test_the_same_id_with_other_content(store: Store) -> None:
    recorder = opened(store)
    recorder.record(cmd.Note(text="one"), command_id=id_(1))
    events = whole(store)
    outcome = recorder.record(cmd.Note(text="another"), command_id=id_(1))
    assert outcome == ExistsWithDifferentContent(id_(1), S)
    assert whole(store) == events
    appended(recorder.record(cmd.Note(text="another"), command_id=id_(2)))


def test_the_same_id_for_another_action_of_the_same_player(store: Store) -> None:
    """A sits out; under that id he neither sits in nor leaves, and of an hour told no other hour is the same."""
    recorder = opened(store)
    a = recorder.session.seats[0]
    appended(recorder.record(cmd.SitOut(player=a), command_id=id_(1)))
    appended(recorder.record(cmd.TellTime(), occurred_at=10**15, command_id=id_(2)))
    for other in (cmd.SitIn(player=a), cmd.Leave(player=a)):
        assert recorder.record(other, command_id=id_(1)) == ExistsWithDifferentContent(id_(1), S)
    told = recorder.record(cmd.TellTime(), occurred_at=10**15 + 1, command_id=id_(2))
    assert told == ExistsWithDifferentContent(id_(2), S)
    assert appended(recorder.record(cmd.SitOut(player=a), occurred_at=10**15, command_id=id_(1))).added == 0


def test_the_same_id_in_another_session(store: Store) -> None:
    note = cmd.Note(text="one")
    opened(store).record(note, command_id=id_(1))
    other = opened(store, R, "DE")
    events = whole(store)
    assert other.record(note, command_id=id_(1)) == ExistsInOtherSession(id_(1), S)
    assert whole(store) == events


def test_a_batch_partly_known(store: Store) -> None:
    recorder = opened(store)
    one, two = (id_(1), cmd.Note(text="one")), (id_(2), cmd.Note(text="two"))
    appended(recorder.record_all([one]))
    events = whole(store)
    assert recorder.record_all([one, two]) == BatchPartlyKnown(known=(id_(1),), new=(id_(2),))
    assert whole(store) == events
    both = appended(recorder.record_all([two, (id_(3), cmd.Note(text="three"))]))
    again = appended(recorder.record_all([two, (id_(3), cmd.Note(text="three"))]))
    assert (again.head, again.added) == (both.head, 0)


# --- all or nothing ---


def test_of_a_batch_with_a_refusal_nothing_is_recorded(store: Store) -> None:
    recorder = opened(store)
    version, events = recorder.session.version, whole(store)
    begin = cmd.BeginHand(dealer=recorder.session.seats[0])
    outcome = recorder.record_all([(id_(1), begin), (id_(2), begin)])
    assert isinstance(outcome, Refusal)
    assert (recorder.session.version, whole(store)) == (version, events)
    assert recorder.session.in_play is None
    appended(recorder.record(begin, command_id=id_(1)))


def _fail_once(store: Store, patch: pytest.MonkeyPatch, *, written: bool) -> None:
    """The next append ends in a fault, before it wrote anything or after it wrote everything."""
    append = store.append

    def once(*arguments: object) -> object:
        patch.undo()
        if written:
            append(*arguments)  # type: ignore[arg-type]
        raise StoreError("the connection was lost")

    patch.setattr(store, "append", once)


@pytest.mark.parametrize("written", [True, False])
def test_after_a_fault_the_same_command_again_counts_once(store: Store, written: bool) -> None:
    recorder = opened(store)
    row = recorder.names.give("D")
    naming = cmd.Naming(player=row.player, name_hash=row.name_hash.hex())
    sits = cmd.SitDown(player=row.player, named=(naming,))
    with pytest.MonkeyPatch.context() as patch:
        _fail_once(store, patch, written=written)
        with pytest.raises(StoreError):
            recorder.record(sits, command_id=id_(1))
    appended(recorder.record(sits, command_id=id_(1)))
    assert recorder.session.seats.count(row.player) == 1
    assert load_session(store, S).seats == recorder.session.seats
    assert [r.name for r in store.names()].count("D") == 1
    assert recorder.names.new == []


def test_a_name_is_known_by_what_was_recorded_with_it(store: Store) -> None:
    recorder = opened(store)
    (a,) = (row for row in store.names() if row.name == "A")
    assert a.name_hash == hashlib.sha256(a.salt + b"A").digest()
    assert recorder.names.player("A") == a.player


def test_what_waits_takes_little_memory(store: Store) -> None:
    """A file of many hands waits whole for its one transaction; an encoder's spare room is not to wait with it."""
    recorder = opened(store)
    recorder.apply(cmd.Note(text="one"))
    tracemalloc.start()
    for number in range(300):
        recorder.apply(cmd.Note(text=f"note {number}"))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 300 * 3_000


# --- two recorders ---


def test_who_comes_late_is_told_what_happened(store: Store) -> None:
    early = opened(store)
    late = Recorder(store, S)
    a = early.session.seats[0]
    early.record(cmd.SellCounters(player=a, units=50), command_id=id_(1))
    early.record(cmd.Note(text="the lamp smokes"), command_id=id_(2))
    events = whole(store)
    moved = late.record(cmd.Note(text="midnight"), command_id=id_(3))
    assert isinstance(moved, MovedOn)
    assert (moved.session, moved.actual - moved.expected) == (S, 2)
    assert moved.told == ("A buys 50", "note: the lamp smokes")
    assert [r.version for r in moved.events] == [moved.expected + 1, moved.actual]
    assert whole(store) == events
    appended(late.record(cmd.Note(text="midnight"), command_id=id_(3)))
    assert whole(store) == events + 1


def test_a_refusal_by_what_stands_no_longer_is_none(store: Store) -> None:
    """B cannot cash what he does not hold; but meanwhile he bought it."""
    early = opened(store)
    late = Recorder(store, S)
    b = early.session.seats[1]
    early.record(cmd.SellCounters(player=b, units=50))
    assert isinstance(late.record(cmd.BuyBackCounters(player=b, units=150)), MovedOn)
    appended(late.record(cmd.BuyBackCounters(player=b, units=150)))
    assert isinstance(late.record(cmd.BuyBackCounters(player=b, units=1)), Refusal)


def test_two_recorders_lose_and_double_nothing(store: Store) -> None:
    opened(store)
    recorders = [Recorder(store, S), Recorder(store, S)]
    told = {0: 0, 1: 0}
    for number in range(40):
        which = number * 7 % 3 % 2
        note = cmd.Note(text=f"note {number}")
        while isinstance(outcome := recorders[which].record(note, command_id=id_(100 + number)), MovedOn):
            told[which] += len(outcome.events)
        appended(outcome)
        assert appended(recorders[which].record(note, command_id=id_(100 + number))).added == 0
    texts = [r.event.text for r in load_session(store, S).log if isinstance(r.event, Noted)]
    assert texts == [f"note {number}" for number in range(40)]
    assert told[0] > 0
    assert told[1] > 0
    assert whole(store) == store.version(S)
