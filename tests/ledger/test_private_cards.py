"""Cards that only the recorder knows stay out of what players see."""

from typing import Any

import pytest

from ledger.names import Names
from ledger.store import open_store
from ledger.views import hand_view
from tests.support.recorded import record

EVENING = """session "Private" on 2026-11-27
rules foster
set ante 1
seat A B C
A buys 100; B buys 100; C buys 100
hand dealer C
A antes
deal
C holds 2c 3c 4c 5c 7d
B opens 2; C calls; A passes
B discards 7h 6s gets Qs Qd
C draws 1
B bets 5; C calls
B shows Kh Kd 9s Qs Qd
C mucks
"""


@pytest.fixture(scope="module")
def played() -> tuple[Any, Names]:
    """The evening: C's hand was never shown, nor what B threw."""
    with open_store("sqlite://") as store:
        done = record(store, EVENING)
    return done.session, done.names


def text(played: tuple[Any, Names], *, private: bool) -> str:
    session, names = played
    view = hand_view(session, session.hands[0], names.name, events=True, private=private)
    return "\n".join(event["text"] for event in view["events"])


def test_what_was_shown_is_told_and_nothing_else(played: tuple[Any, Names]) -> None:
    told = text(played, private=False)
    assert "B shows Kh Kd 9s Qs Qd" in told
    assert "what C holds is known to the recorder" in told
    for card in ("2c", "7d", "7h", "6s"):
        assert card not in told


def test_the_recorder_may_see_what_he_wrote(played: tuple[Any, Names]) -> None:
    told = text(played, private=True)
    assert "C holds 2c 3c 4c 5c 7d" in told
    assert "B threw 7h 6s" in told
