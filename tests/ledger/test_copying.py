"""A player's copy: it verifies to the same head, folds to the same evening, and holds no card he may not see."""

import re
from pathlib import Path

import pytest

from ledger import people
from ledger.copying import copy_for
from ledger.corrections import correct
from ledger.events import CardsKnown, Withheld
from ledger.house import evenings
from ledger.listing import list_sessions
from ledger.loading import load_session
from ledger.people import load_names
from ledger.receipts.receipt import hold, parse_receipt, receipt_for
from ledger.recorder import SheetRecorded
from ledger.store import StoreError, Verified, open_store
from ledger.store.store import Store
from ledger.views import balances_view, hand_view, settle_view
from tests.support.recorded import record

EVENING = """session "{title}" on 2026-11-27 at 20:00 in Europe/London
rules english
set ante 3
set limit 12
banker B
seat B C A
A buys 100; B buys 100; C buys 100
hand dealer A
B antes
deal
A holds Ah Ad 7c 8c 9d
C holds Kh Kd 9s 9c 2c
C opens 12; A calls; B passes
C discards 2c gets Kc; A draws 3 gets 7d 8d 4d
C bets 6; A passes
close
"""
WITHOUT_THE_FIRST = """session "Sunday" on 2026-11-29
rules english; set ante 3; set limit 12
seat "B (2)" C
"""
SECRET = (b'"Kh"', b'"9s"', b'"2c"', b'"Kc"')


def evening(store: Store, title: str, others: str = "A") -> SheetRecorded:
    """Records the evening, A perhaps by another name."""
    return record(store, re.sub(r"\bA\b", others, EVENING.format(title=title)))


def test_a_copy_verifies_and_folds_to_the_same_evening(store: Store, path: Path) -> None:
    evening(store, "Thursday")
    done = evening(store, "Friday")
    correct(store, done.session.id, "paid twice", units=5, giver="A", taker="B")
    made = copy_for(store, done.session.id, "A", path.with_name("a.db"))
    name_of = load_names(store).name
    with open_store(str(path.with_name("a.db")), create=False) as copy:
        verified = copy.verify()
        assert isinstance(verified, Verified)
        assert (verified.head, made.head) == (store.head(), store.head())
        assert sum(last - first + 1 for first, last in verified.withheld) == made.withheld
        assert [s.session for s in evenings(copy)] == [done.session.id]
        assert [row["title"] for row in list_sessions(copy)] == ["Friday"]
        mine, theirs = load_session(copy, done.session.id), load_session(store, done.session.id)
        assert load_names(copy).name(mine.seats[0]) == "B"
        for view in (balances_view, settle_view):
            assert view(mine, name_of) == view(theirs, name_of)
        (one,), (other,) = mine.hands, theirs.hands
        assert hand_view(mine, one, name_of) == hand_view(theirs, other, name_of)


def test_a_copy_holds_no_card_of_another(store: Store, path: Path) -> None:
    done = evening(store, "Friday")
    out = path.with_name("a.db")
    made = copy_for(store, done.session.id, "A", out)
    assert made.cards == made.withheld == 3
    with open_store(str(out), create=False) as copy:
        log = load_session(copy, done.session.id).log
        known = [r.event for r in log if isinstance(r.event, CardsKnown)]
        a = load_names(copy).player("A")
        assert {e.player for e in known} == {a}
        assert sum(isinstance(r.event, Withheld) for r in log) == 3
        assert copy.commands(done.session.id) == []
    content = out.read_bytes()
    assert not any(card in content for card in SECRET)
    assert b'"Ah"' in content
    payloads = b"".join(stored.payload or b"" for stored in store.read())
    assert all(card in payloads for card in SECRET)


def test_a_copy_tells_nothing_of_other_evenings_and_other_people(store: Store, path: Path) -> None:
    evening(store, "Thursday", others="GuestOne")
    people.rename(store, "GuestOne", "GuestTwo")
    done = evening(store, "Friday")
    out = path.with_name("a.db")
    copy_for(store, done.session.id, "A", out)
    content = out.read_bytes()
    assert not any(text in content for text in (b"Thursday", b"GuestOne", b"GuestTwo"))
    with open_store(str(out), create=False) as copy:
        assert load_names(copy).known() == ["A", "B", "C"]


def test_a_copy_tells_people_as_the_ledger_does(store: Store, path: Path) -> None:
    evening(store, "Thursday")
    evening(store, "Friday", others='"B (2)"')
    people.rename(store, "C", "Other")
    evening(store, "Saturday", others="Guest")
    people.merge(store, "Guest", "A")
    for number, row in enumerate(list_sessions(store)):
        out = path.with_name(f"{number}.db")
        copy_for(store, row["session"], "Other", out)
        with open_store(str(out), create=False) as copy:
            there = load_session(copy, row["session"]).people()
            told = [load_names(of).name(player) for of in (copy, store) for player in there]
            assert told[: len(there)] == told[len(there) :], row["title"]
            assert "Other" in told


def test_a_copy_numbers_those_of_one_name_as_the_ledger_does(store: Store, path: Path) -> None:
    evening(store, "Thursday")
    evening(store, "Friday", others='"B (2)"')
    evening(store, "Saturday", others='"B (2)"')
    record(store, WITHOUT_THE_FIRST)
    titles = {row["title"]: row["session"] for row in list_sessions(store)}
    for title, told in {"Friday": ["B", "C", "B (2)"], "Sunday": ["B (2)", "C"]}.items():
        out = path.with_name(f"{title}.db")
        copy_for(store, titles[title], "B (2)", out)
        with open_store(str(out), create=False) as copy:
            names = load_names(copy)
            assert [names.name(player) for player in load_session(copy, titles[title]).seats] == told
        assert b"Thursday" not in out.read_bytes()


def test_a_copy_is_held_to_a_receipt_and_takes_nothing_in(store: Store, path: Path) -> None:
    done = evening(store, "Friday")
    out = path.with_name("a.db")
    copy_for(store, done.session.id, "A", out)
    receipt = parse_receipt(receipt_for(store, done.session, 1).text)
    with open_store(str(out), create=False) as copy:
        assert hold(copy, receipt).fault is None
        with pytest.raises(StoreError, match="is a copy for A; nothing is recorded in a copy"):
            evening(copy, "Friday")
        with pytest.raises(StoreError, match="nothing is recorded in a copy"):
            people.rename(copy, "A", "Annie")


def test_a_copy_replaces_nothing_and_is_for_somebody_who_was_there(store: Store, path: Path) -> None:
    done = evening(store, "Friday")
    out = path.with_name("a.db")
    with pytest.raises(ValueError, match="Q was not at “Friday”; there were B, C, A"):
        copy_for(store, done.session.id, "Q", out)
    out.write_bytes(b"mine")
    with pytest.raises(StoreError, match="is there already"):
        copy_for(store, done.session.id, "A", out)
    assert out.read_bytes() == b"mine"
    with pytest.raises(StoreError, match="does not exist"):
        copy_for(store, done.session.id, "A", path.with_name("nowhere") / "a.db")
    assert not list(path.parent.glob("*.part*"))
