"""A sheet recorded twice, or by two at once: every line counts once, and who comes late is told what happened."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.recorder import SheetRefused, record_sheet
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.store import StoreError, Verified, open_store
from tests.support.recorded import FRIDAY, enter, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store.store import Store

LAMP, MIDNIGHT, COLD = 'note "the lamp smokes"\n', 'note "midnight"\n', 'note "it is cold"\n'
ALL = FRIDAY + LAMP + MIDNIGHT + COLD


def meanwhile(store: Store, text: str, **options: Any) -> Callable[[int, int], None]:
    """What hears of a sheet's progress, and records another sheet once the first is read, before it is appended."""
    waiting = [text]

    def heard(_place: int, _of: int) -> None:
        while waiting:
            record(store, waiting.pop(), **options)

    return heard


def assert_stands(store: Store, text: str) -> None:
    """The record is that sheet, and recording it adds nothing."""
    assert record(store, text).added == 0
    assert isinstance(store.verify(), Verified)


@pytest.mark.parametrize("before", ["", FRIDAY])
def test_the_same_sheet_by_two_at_once_is_recorded_once(store: Store, before: str) -> None:
    if before:
        record(store, before)
    done = record(store, ALL, progress=meanwhile(store, ALL))
    assert (done.added, done.head) == (0, store.head().hash)
    assert set(done.session.seats) <= {row.player for row in store.names()}
    assert_stands(store, ALL)


def test_who_recorded_some_lines_meanwhile_leaves_the_rest_to_the_other(store: Store) -> None:
    record(store, FRIDAY)
    done = record(store, ALL, progress=meanwhile(store, FRIDAY + LAMP))
    assert done.added == 2
    assert_stands(store, ALL)


@pytest.mark.parametrize(
    ("other", "line", "told"),
    [
        (FRIDAY + LAMP + MIDNIGHT, 11, "the record goes on for 1 statement after the sheet's end"),
        (FRIDAY + COLD, 11, "this was recorded otherwise"),
    ],
)
def test_what_another_recorded_meanwhile_is_told_as_to_who_comes_later(
    store: Store, other: str, line: int, told: str
) -> None:
    record(store, FRIDAY)
    done = enter(store, FRIDAY + LAMP, progress=meanwhile(store, other))
    assert isinstance(done, SheetRefused)
    assert (done.line, done.refusal.message) == (line, told)
    assert_stands(store, other)


@pytest.mark.parametrize("mine", [FRIDAY + LAMP + MIDNIGHT, FRIDAY + LAMP + MIDNIGHT + MIDNIGHT])
def test_two_who_amend_at_once_withdraw_nothing_they_have_not_seen(store: Store, mine: str) -> None:
    """Each goes back to another line and goes on in the same words; of the same reason one is no copy of the other."""
    record(store, ALL)
    other = mine.replace(LAMP, "", 1)
    read = parse(mine.encode(), file="evening.sheet")
    assert not isinstance(read, SheetError)
    once = [lambda: record(store, other, amend="a slip")]
    run = store.append

    def append(*arguments: Any) -> Any:
        if once:
            once.pop()()
        return run(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "append", append)
        with pytest.raises(StoreError, match="somebody else is recording"):
            record_sheet(store, read, folder=Path(), amend="a slip")
    assert_stands(store, other)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("A buys 10\nundo\n", "A buys 10\n", ["- undo"]),
        ("A buys 10\nB buys 5\nundo\nundo\n", "A buys 10\nB buys 5\n", ["- undo", "- undo"]),
        ("A buys 10\nundo\nB buys 5\n", "A buys 10\nB buys 6\n", ["- undo", "- B buys 5", "+ B buys 6"]),
        ("A buys 10\nundo\nB buys 5\n", "A buys 10\nundo\nB buys 6\n", ["- B buys 5", "+ B buys 6"]),
    ],
)
def test_what_an_undo_took_back_stands_again_when_the_undo_is_amended(
    store: Store, before: str, after: str, told: list[str]
) -> None:
    record(store, FRIDAY + before)
    done = record(store, FRIDAY + after, amend="undone by mistake")
    assert [change for change in done.changes if change[0] in "+-"] == told
    with open_store("sqlite://") as other:
        anew = record(other, FRIDAY + after)
    assert list(done.session.bank.held.values()) == list(anew.session.bank.held.values())
    assert_stands(store, FRIDAY + after)


LINES = (
    "A buys 10",
    "B buys 5",
    "C cashes 3",
    "undo",
    LAMP.strip(),
    "at 20:15",
    "at 23:50",
    "B sits out",
    "B sits in",
)


def changed(rng: random.Random, lines: list[str]) -> list[str]:
    """The lines with one more, one less and another, somewhere."""
    lines = [*lines, rng.choice(LINES), rng.choice(LINES)]
    lines.insert(rng.randrange(len(lines)), rng.choice(LINES))
    del lines[rng.randrange(len(lines))]
    lines[rng.randrange(len(lines))] = rng.choice(LINES)
    return lines


@pytest.mark.parametrize("seed", range(8))
def test_a_sheet_amended_again_and_again_comes_to_what_the_last_one_says(seed: int) -> None:
    rng, lines = random.Random(seed), ["A buys 10"]
    taken = 0
    with open_store("sqlite://") as store:
        for _ in range(12):
            tried = changed(rng, lines)
            text = FRIDAY + "\n".join(tried)
            done = enter(store, text, amend="a slip")
            with open_store("sqlite://") as other:
                anew = enter(other, text)
            assert type(done) is type(anew)
            if isinstance(done, SheetRefused) or isinstance(anew, SheetRefused):
                continue
            lines, taken = tried, taken + 1
            assert sorted(done.session.bank.held.values()) == sorted(anew.session.bank.held.values())
            assert done.session.told_at == anew.session.told_at
            assert_stands(store, text)
    assert taken


def test_what_is_added_while_a_session_is_loaded_is_not_taken_for_loaded(store: Store) -> None:
    record(store, FRIDAY)
    commands, once = store.commands, [lambda: record(store, ALL)]

    def looked_up(session: str) -> Any:
        if once:
            once.pop()()
        return commands(session)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commands", looked_up)
        done = record(store, ALL)
    assert (done.added, done.session.version) == (0, store.head().position)
    assert_stands(store, ALL)
