"""Corrections in plain sight: with who, when and why, and reports with them or without."""

import pytest

from ledger.corrections import all_corrections, correct, put_right
from ledger.house import HOUSE
from ledger.loading import load_session
from ledger.people import load_names
from ledger.recorder import SheetRecorded, SheetRefused
from ledger.store import Verified
from ledger.store.store import Store
from ledger.telling import tell_recorded
from ledger.views import hand_view, settle_view
from tests.support.recorded import enter, record

EVENING = """session "Friday" on 2026-11-27 at 20:00 in Europe/London
rules english
set ante 3
set limit 12
seat B C A
A buys 100; B buys 100; C buys 90
undo
C buys 100
hand dealer A
B antes
deal
C opens 12; A passes; B passes
A disputes "C was out of turn"
ruling "so he was" 2 from C to A
"""


def test_an_amendment_shows_what_it_changes_and_only_counts_the_rest(store: Store) -> None:
    record(store, EVENING)
    amended = EVENING.replace("set limit 12", "set limit 24").replace("2 from C to A", "4 from C to A")
    done = record(store, amended + "B buys 5\nclose\n", amend="read again")
    assert done.changes == [
        "- limit is 12",
        "+ set limit 24",
        "- ruling on hand 1, “so he was”: 2 from C to A",
        '+ ruling "so he was" 4 from C to A',
        "+ B buys 5",
        "+ close",
        "entered anew as they were: 13 statements after the first change",
    ]
    shorter = enter(store, amended, amend="he did not")
    assert isinstance(shorter, SheetRecorded)
    assert shorter.changes[0] == "- B buys 5"
    assert shorter.changes[-1] == "- A cashes 104"


def test_every_correction_says_who_when_and_why(store: Store) -> None:
    session = record(store, EVENING, by="B").session.id
    amended = EVENING.replace("2 from C to A", "4 from C to A")
    record(store, amended, amend="4 were agreed", by="C")
    record(store, amended + "close\n")
    correct(store, session, "C paid B for a drink", hand=1, units=1, giver="C", taker="B", by="A")
    names = load_names(store)
    found = all_corrections(store, session)
    assert [(c.kind, c.hand, None if c.by is None else names.name(c.by)) for c in found] == [
        ("undo", None, "B"),
        ("disputed", 1, "A"),
        ("ruled", 1, "B"),
        ("amend", None, "C"),
        ("ruled", 1, "C"),
        ("corrected", 1, "A"),
    ]
    assert [tell_recorded(r, names.name) for r in found[0].withdrawn] == ["C buys 90"]
    assert [tell_recorded(r, names.name) for r in found[3].withdrawn] == [
        "ruling on hand 1, “so he was”: 2 from C to A"
    ]
    positions = [c.position for c in found]
    assert positions == sorted(positions)
    assert all(c.recorded_at > 0 for c in found)
    assert found[-1].told_at > found[0].told_at
    assert all_corrections(store) == found
    assert isinstance(store.verify(), Verified)


def test_a_correction_after_the_close_leaves_the_evening_as_it_was(store: Store) -> None:
    session = record(store, EVENING + "close\n").session.id
    before = store.version(session)
    correct(store, session, "C paid B twice", units=5, giver="B", taker="C")
    assert (store.version(session), store.version(HOUSE)) == (before, 1)
    state = load_session(store, session)
    name_of = load_names(store).name

    def nets(moved: dict[str, int]) -> dict[str, int]:
        view = settle_view(state, name_of, moved=moved)
        paid = dict.fromkeys("ABC", 0)
        for payment in view["payments"]:
            paid[payment["from"]] -= payment["units"]
            paid[payment["to"]] += payment["units"]
        found = {row["name"]: row["net"] for row in view["players"]}
        assert paid == found
        return found

    assert nets({}) == {"B": -3, "C": 1, "A": 2}
    assert nets(put_right(store, state).session) == {"B": -8, "C": 6, "A": 2}
    assert nets(put_right(store, state, as_recorded=True).session) == {"B": -3, "C": 3, "A": 0}


def test_a_hand_is_told_as_recorded_as_ruled_and_as_corrected(store: Store) -> None:
    session = record(store, EVENING + "close\n").session.id
    correct(store, session, "C paid B twice", hand=1, units=5, giver="B", taker="C")
    state = load_session(store, session)
    name_of = load_names(store).name

    def net(moved: dict[str, int]) -> dict[str, int]:
        return dict(hand_view(state, state.hands[0], name_of, moved=moved)["net"])

    ruled = net({})
    corrected = net(put_right(store, state).of(1))
    recorded = net(put_right(store, state, as_recorded=True).of(1))
    assert {p: corrected[p] - ruled[p] for p in "ABC"} == {"A": 0, "B": -5, "C": 5}
    assert {p: recorded[p] - ruled[p] for p in "ABC"} == {"A": -2, "B": 0, "C": 2}, (
        "the ruling moved 2 from C to A"
    )
    assert put_right(store, state).of(2) == {}


def test_what_cannot_be_corrected_is_told(store: Store) -> None:
    session = record(store, EVENING).session.id
    with pytest.raises(ValueError, match="is not closed"):
        correct(store, session, "x")
    record(store, EVENING + "close\n")
    cases: list[tuple[dict[str, object], str]] = [
        ({"hand": 2}, "no hand 2"),
        ({"event": 9999}, "event 9999 does not stand"),
        ({"units": 3}, "units, from whom and to whom"),
        ({"giver": "A", "taker": "B"}, "units, from whom and to whom"),
        ({"units": 3, "giver": "A", "taker": "A"}, "from one player to another"),
        ({"units": 3, "giver": "A", "taker": "Q"}, "Q was not at"),
        ({"by": "Q"}, "nobody is called Q"),
        ({"units": 10**12 + 1, "giver": "A", "taker": "B"}, "1 to 1000000000000 can"),
        ({"units": -1, "giver": "A", "taker": "B"}, "-1 units cannot move"),
    ]
    for given, why in cases:
        with pytest.raises(ValueError, match=why):
            correct(store, session, "x", **given)  # type: ignore[arg-type]
    for text in (" ", "x" * 4001, "two\nlines", "\udcff"):
        with pytest.raises(ValueError, match="says why, in one line"):
            correct(store, session, text)
    assert store.version(HOUSE) == 0


def test_who_rules_must_be_known(store: Store) -> None:
    refused = enter(store, EVENING, by="Q")
    assert isinstance(refused, SheetRefused)
    assert (refused.line, refused.refusal.message) == (7, "nobody is called Q")
    assert store.head().position == 0
