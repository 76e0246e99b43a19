"""What a kitty keeps goes on to the next evening, once (`kitty_at_close`)."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from ledger.recorder import SheetRecorded, record_sheet
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.store import open_store
from ledger.store.store import Store

EVENING = """session "{title}" on 2026-11-{day}
rules foster
set ante 1
{kitty}
seat A B
A buys 100; B buys 100
hand dealer A
B antes
deal
A opens 6
B calls
B draws 1; A draws 1
A bets 4; B passes
{close}
"""


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://") as opened:
        yield opened


def evening(store: Store, day: int, kitty: str = "", close: str = "close", **options: Any) -> SheetRecorded:
    text = EVENING.format(title=f"Evening {day}", day=day, kitty=kitty, close=close)
    statements = parse(text, file="evening.sheet")
    assert not isinstance(statements, SheetError)
    done = record_sheet(store, statements, folder=pathlib.Path(), **options)
    assert isinstance(done, SheetRecorded), done
    return done


def forward(done: SheetRecorded) -> int:
    return done.session.bank.brought_forward


def test_it_is_brought_forward_once(store: Store) -> None:
    evening(store, 10, "kitty 2 per hand")
    assert [forward(evening(store, day)) for day in (11, 12)] == [2, 2], (
        "the second hands on what it was given"
    )
    assert store.verify()


def test_two_evenings_open_at_once_do_not_both_get_it(store: Store) -> None:
    evening(store, 10, "kitty 2 per hand")
    assert forward(evening(store, 11, close="")) == 2
    assert forward(evening(store, 12, close="")) == 0


def test_two_evenings_recorded_in_the_same_moment_do_not_both_get_it(store: Store) -> None:
    evening(store, 10, "kitty 2 per hand")
    given: list[int] = []

    def meanwhile(place: int, of: int) -> None:
        """Just before the last line of the one, the other is opened and recorded."""
        if place == of and not given:
            given.append(forward(evening(store, 12, close="")))

    assert forward(evening(store, 11, close="", progress=meanwhile)) == 0
    assert given == [2]


def test_what_an_amendment_adds_later_goes_to_the_next(store: Store) -> None:
    evening(store, 10, "kitty 1 per hand")
    assert forward(evening(store, 11, close="")) == 1
    evening(store, 10, "kitty 3 per hand", amend="it was three")
    assert forward(evening(store, 12)) == 2


def test_a_kitty_of_another_unit_waits_for_an_evening_of_its_own(store: Store) -> None:
    evening(store, 10, "kitty 2 per hand\nunit 5p")
    assert forward(evening(store, 11, "unit 1 EUR")) == 0
    assert forward(evening(store, 12, "unit 10p")) == 1
