"""The file of the facts: where it lies, who gets in, and that it can be thrown away."""

import multiprocessing
import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from analytics.facts import Facts
from analytics.opening import FactsBusyError, facts_path, open_facts
from ledger.store import Broken, StoreError, open_store
from ledger.store.guards import sqlite_guards
from ledger.store.store import Store
from tests.support.recorded import record

SHEET = """session "One" on 2026-11-27
rules foster
set ante 1
set limit 50
seat A B C
A buys 100; B buys 100; C buys 100
hand dealer C
A antes
deal
B opens 3; C passes; A passes
"""
MORE = SHEET + "hand\nB antes\ndeal\nC opens 2; A passes; B passes\n"


def hands(connection: duckdb.DuckDBPyConnection) -> int:
    row = connection.execute("select count(*) from hands").fetchone()
    assert row is not None
    return int(row[0])


def test_the_file_lies_beside_the_ledger_for_its_owner_only(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store) as facts:
            assert hands(facts) == 1
        made = facts_path(store)
    assert made == path.with_name("ledger.facts.duckdb")
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_two_ledgers_of_one_store_have_their_own(path: Path) -> None:
    with open_store(str(path)) as one, open_store(str(path), ledger="club") as two:
        assert facts_path(one) != facts_path(two)


def test_a_ledger_in_memory_has_its_facts_there() -> None:
    with open_store(":memory:") as store:
        record(store, SHEET)
        assert facts_path(store) is None
        with open_facts(store) as facts:
            assert hands(facts) == 1


def test_what_was_recorded_since_is_there(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        record(store, MORE)
        with open_facts(store) as facts:
            assert hands(facts) == 2


@pytest.mark.parametrize("harm", ["gone", "garbage", "another schema", "another ledger"])
def test_the_file_can_be_thrown_away(path: Path, harm: str) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        made = facts_path(store)
        assert made is not None
        if harm == "gone":
            made.unlink()
        elif harm == "garbage":
            made.write_bytes(b"no database" * 1000)
        else:
            with duckdb.connect(str(made)) as connection:
                column = "schema_version = 0" if harm == "another schema" else "ledger = 'f'"
                connection.execute(f"update progress set {column}")
        with open_facts(store) as facts:
            assert hands(facts) == 1


def test_what_a_broken_off_build_left_is_built_over(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        made = facts_path(store)
        assert made is not None
        made.with_name(made.name + ".new").write_bytes(b"half of something")
        with open_facts(store) as facts:
            assert hands(facts) == 1
        assert not made.with_name(made.name + ".new").exists()


def test_a_ledger_that_was_replaced_is_counted_anew(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, MORE)
        with open_facts(store):
            pass
    path.unlink()
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store) as facts:
            assert hands(facts) == 1


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            "UPDATE heads SET hash = zeroblob(32)",
            "the head is not the last event's; mistigris verify says more",
        ),
        ("DELETE FROM heads", "the ledger has no head; mistigris verify says more"),
    ],
)
def test_a_ledger_whose_head_does_not_fit_is_told_of_and_not_counted_without_end(
    path: Path, damage: str, said: str
) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
    with closing(sqlite3.connect(path)) as owner, owner:
        for guard in sqlite_guards():
            owner.execute(f"DROP TRIGGER {guard}")
        owner.execute(damage)
    with open_store(str(path), create=False, guarded=False) as store:
        with pytest.raises(StoreError, match=said), open_facts(store):
            pass
        assert isinstance(store.verify(), Broken)


def test_who_goes_on_recording_is_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits, looks = Facts.fits, []

    def busy(facts: Facts, store: Store) -> bool:
        looks.append(facts)
        if len(looks) < 20:  # then it gives up, so that a fault is told and hangs nobody
            record(store, SHEET + "B buys 1\n" * (1 + len(looks)))
        return fits(facts, store)

    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        record(store, SHEET + "B buys 1\n")
        monkeypatch.setattr(Facts, "fits", busy)
        with open_facts(store) as facts:
            assert hands(facts) == 1
    assert len(looks) == 3  # before catching up, in it, and after it


def hold(place: str, read_only: bool, ready: "multiprocessing.synchronize.Event", seconds: float) -> None:
    """Another process that has the facts open for a while."""
    with duckdb.connect(place, read_only=read_only):
        ready.set()
        time.sleep(seconds)


def held_elsewhere(made: Path, *, read_only: bool, seconds: float) -> multiprocessing.process.BaseProcess:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    other = context.Process(target=hold, args=(str(made), read_only, ready, seconds))
    other.start()
    assert ready.wait(30)
    return other


def test_who_does_not_get_in_is_told_in_one_line(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        made = facts_path(store)
        assert made is not None
        other = held_elsewhere(made, read_only=False, seconds=60)
        try:
            with (
                pytest.raises(FactsBusyError, match="another process") as told,
                open_facts(store, patience=0.2),
            ):
                pass
            assert "\n" not in str(told.value)
            assert "Could not set lock" not in str(told.value)
        finally:
            other.terminate()
            other.join()


def test_who_waits_gets_in_when_the_other_is_done(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        record(store, MORE)
        made = facts_path(store)
        assert made is not None
        other = held_elsewhere(made, read_only=True, seconds=0.3)
        with open_facts(store, patience=30) as facts:
            assert hands(facts) == 2
        other.join()


def test_many_may_read_at_once(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
        with open_facts(store):
            pass
        made = facts_path(store)
        assert made is not None
        other = held_elsewhere(made, read_only=True, seconds=60)
        try:
            with open_facts(store, patience=0.2) as facts:
                assert hands(facts) == 1
        finally:
            other.terminate()
            other.join()


def test_two_that_find_no_facts_both_get_an_answer(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, MORE)
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=count_in_process, args=(str(path),)) for _ in range(2)]
    for other in others:
        other.start()
    count_in_process(str(path))
    for other in others:
        other.join()
    assert [other.exitcode for other in others] == [0, 0]


def count_in_process(path: str) -> None:
    with open_store(path) as store, open_facts(store, patience=60) as facts:
        assert hands(facts) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_in_a_folder_that_cannot_be_written_the_facts_are_in_memory(path: Path) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET)
    path.parent.chmod(0o500)
    try:
        with open_store(str(path), create=False) as store:
            assert facts_path(store) is None
            with open_facts(store) as facts:
                assert hands(facts) == 1
    finally:
        path.parent.chmod(0o700)


def test_facts_of_the_same_ledger_fit(path: Path) -> None:
    with open_store(str(path)) as store, duckdb.connect() as connection:
        facts = Facts(connection)
        assert not facts.fits(store)
        facts.clear(store)
        assert facts.fits(store)
