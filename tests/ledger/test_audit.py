"""The audit against a record that was written by other rules than the night's: each change is found, and only that."""

from collections.abc import Callable

import pytest

from ledger import events as ev
from ledger.audit import Finding, audit
from ledger.codec import to_recorded
from ledger.session.state import Recorded
from ledger.store import open_store
from tests.support.recorded import record

EVENING = """session "Audited" on 2026-11-27
rules foster
set ante 2
set limit 20
kitty 1 per hand
seat A B C
A buys 100; B buys 100; C buys 100
hand dealer C
A antes
deal
B opens 4; C calls; A passes
B draws 1; C draws 3
B bets 20; C calls
B shows Ah Ad Ac 5s 5d
C mucks
hand
B antes
deal
C opens 4
! B raises 30
C passes; A passes
"""


@pytest.fixture(scope="module")
def stream() -> list[Recorded]:
    """The evening as it is recorded: hand 1 by the rules, in hand 2 B raises by 30 out of turn."""
    with open_store("sqlite://") as store:
        record(store, EVENING)
        return [to_recorded(stored) for stored in store.read()]


def found(stream: list[Recorded]) -> list[tuple[int | None, str]]:
    return [(f.hand, f.rule) for f in audit("0" * 32, stream)]


def changed(stream: list[Recorded], kind: type[ev.Event], **fields: object) -> list[Recorded]:
    """The stream with the first event of a type changed."""
    at = next(n for n, r in enumerate(stream) if isinstance(r.event, kind))
    event = stream[at].event.model_copy(update=fields)
    return [*stream[:at], stream[at]._replace(event=event), *stream[at + 1 :]]


def without(stream: list[Recorded], kind: type[ev.Event]) -> list[Recorded]:
    """The stream without its first event of a type, the later ones counted anew."""
    at = next(n for n, r in enumerate(stream) if isinstance(r.event, kind))
    left = [*stream[:at], *stream[at + 1 :]]
    return [r._replace(version=n) for n, r in enumerate(left, 1)]


def test_only_what_was_played_against_the_rules_is_found(stream: list[Recorded]) -> None:
    assert found(stream) == [(2, "R-TURN"), (2, "R-LIMIT")]


def test_one_hand_alone_can_be_audited(stream: list[Recorded]) -> None:
    assert audit("0" * 32, stream, hand=1) == []
    assert {f.rule for f in audit("0" * 32, stream, hand=2)} == {"R-LIMIT", "R-TURN"}


def test_a_finding_names_its_event(stream: list[Recorded]) -> None:
    first: Finding = audit("0" * 32, stream)[0]
    raised = next(r for r in stream if isinstance(r.event, ev.Staked) and r.event.action == "raise")
    assert (first.version, first.position) == (raised.version, raised.position)


def test_a_pool_given_to_the_wrong_hand_is_found(stream: list[Recorded]) -> None:
    loser = next(r.event.player for r in stream if isinstance(r.event, ev.Mucked))
    assert (1, "R-SHOW") in found(changed(stream, ev.PoolAwarded, player=loser))


def test_a_kitty_that_took_too_much_is_found(stream: list[Recorded]) -> None:
    assert (1, "R-KITTY") in found(changed(stream, ev.KittyTaken, units=3))


@pytest.mark.parametrize("kind", [ev.KittyTaken, ev.PoolAwarded, ev.UncalledReturned])
def test_something_implied_that_is_missing_is_found(stream: list[Recorded], kind: type[ev.Event]) -> None:
    hand = 2 if kind is ev.UncalledReturned else 1
    assert any(number == hand for number, _ in found(without(stream, kind))[:1])


def test_an_award_that_is_missing_at_the_end_is_found(stream: list[Recorded]) -> None:
    assert isinstance(stream[-1].event, ev.PoolAwarded)
    assert found(stream[:-1])[-1] == (2, "R-SHOW")


def test_counters_from_nowhere_end_the_replay(stream: list[Recorded]) -> None:
    more: Callable[..., list[Recorded]] = changed
    findings = audit("0" * 32, more(stream, ev.UncalledReturned, units=10_000))
    assert findings[-1].rule == "R-CONSERVE"
    assert "cannot be replayed" in findings[-1].message
