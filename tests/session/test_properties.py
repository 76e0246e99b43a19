"""What holds of every evening, however it is played: counters, folding, recording again, undo, the audit, nets."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from bench.generator import Evening, enter
from ledger import commands as cmd
from ledger import events as ev
from ledger.audit import audit
from ledger.loading import load_session
from ledger.recorder import Recorder
from ledger.refusal import Refusal
from ledger.session.project import fold, project
from ledger.session.state import Recorded, Session
from ledger.store import Appended, open_store
from ledger.table.pots import pots
from tests.support.evenings import Plan, by_command, parts, plans, played, quick, steps, thorough
from tests.support.reckoning import accounts, assert_agrees, post, standing


def every_counter_is_somewhere(plan: Plan) -> None:
    evening = played(plan)
    session, balance = Session(evening.session.id), Counter[str]()
    for at, recorded in enumerate(evening.stream):
        project(session, recorded)
        session.bank.check()
        if isinstance(recorded.event, ev.Withdrawn):
            balance = accounts(standing(evening.stream[: at + 1]))
        else:
            post(balance, recorded.event)
        assert_agrees(session, balance)


def a_state_is_what_its_stream_gives(plan: Plan) -> None:
    evening = played(plan)
    session, choice = Session(evening.session.id), Random(plan.seed)
    for at, recorded in enumerate(evening.stream, 1):
        project(session, recorded)
        if isinstance(recorded.event, ev.Withdrawn) or choice.random() < 0.05:
            assert parts(fold(session.id, evening.stream[:at])) == parts(session)
    assert parts(session) == parts(evening.session)


def recorded_again(evening: Evening, salt: int, later: int) -> tuple[Session, Session]:
    """The commands recorded in a store of their own, at other times, with other ids: as it stands, and loaded."""
    entropy = Random(salt)
    with open_store("sqlite://", entropy=entropy.randbytes) as store:
        recorder = Recorder(store, evening.session.id, entropy=entropy.randbytes)
        for left, (command, when) in enumerate(evening.commands, 1 - len(evening.commands)):
            done = recorder.apply(command, occurred_at=when + later)
            assert not isinstance(done, Refusal)
            if not left or entropy.random() < 0.1:
                assert isinstance(recorder.flush(), Appended)
        return recorder.session, load_session(store, evening.session.id)


def recording_again_gives_the_same_events(plan: Plan) -> None:
    evening = played(plan)
    live, loaded = recorded_again(evening, plan.seed, 3_600_000_000)
    assert parts(loaded) == parts(live)
    events = [(r.version, r.event, r.cause) for r in standing(evening.stream)]
    assert [(r.version, r.event, r.cause) for r in loaded.log] == events


def an_undo_takes_back_all_of_a_command(plan: Plan) -> None:
    evening = played(plan, close=False)
    commands = by_command(evening.stream)
    for at in range(2 + plan.seed % 3, len(commands), 3):
        if isinstance(commands[at][0].event, ev.Withdrawn):
            continue
        rows = [r for group in commands[:at] for r in group]
        before = fold(evening.session.id, rows)
        back = fold(evening.session.id, [*rows, *commands[at]])
        assert not isinstance(enter(back, cmd.Undo(), 0, 10**6), Refusal)
        assert parts(back, "version", "withdrawn") == parts(before, "version", "withdrawn")


def nets_come_to_what_the_kitty_took_and_what_was_carried(plan: Plan) -> None:
    for evening in steps(plan):
        hand = evening.session.hand
        if hand is not None and hand.live:
            assert sum(pot.units for pot in pots(hand)) == hand.to_win
            assert all(pot.claimants for pot in pots(hand))
    session = evening.session
    for hand in session.hands:
        assert hand.over
        taken = hand.carried - hand.kitty - hand.carried_on
        assert sum(session.hand_net(hand).values()) == taken
        assert sum(a.units for a in hand.awards) + hand.kitty + hand.carried_on == hand.won_pool
        put_in = sum(hand.staked.values()) - sum(hand.returned.values())
        assert hand.won_pool == hand.carried + put_in


def marked(stream: list[Recorded]) -> set[tuple[int, str]]:
    """Each event that was marked irregular, and the rule; what the rules mark of themselves at its own place."""
    found = set()
    for recorded in standing(stream):
        event = recorded.event
        if isinstance(event, ev.MarkedIrregular):
            at = recorded.version if event.rule == "R-JACK-FALSE" else recorded.cause
            assert at is not None
            found.add((at, event.rule))
    return found


def the_audit_finds_what_was_marked(plan: Plan) -> None:
    evening = played(plan)
    assert {(f.version, f.rule) for f in audit(evening.session.id, evening.stream)} == marked(evening.stream)


def the_audit_finds_an_implied_event_changed_or_gone(plan: Plan) -> None:
    evening = played(plan)
    stream = [r._replace(version=n) for n, r in enumerate(evening.stream, 1)]
    choice = Random(plan.seed)
    before = len(audit("", stream))
    at = choice.choice([n for n, r in enumerate(stream[:-1]) if r.cause is not None] or [0])
    event = stream[at].event
    if not at:
        return
    gone = [*stream[:at], *(_moved(r, at) for r in stream[at + 1 :])]
    assert len(audit("", gone)) > before, (plan, event)
    if getattr(event, "units", 0):
        units = event.model_dump()["units"] + choice.choice((-1, 1)) or 2
        changed = event.model_copy(update={"units": units})
        assert len(audit("", [*stream[:at], stream[at]._replace(event=changed), *stream[at + 1 :]])) > before


def _moved(recorded: Recorded, at: int) -> Recorded:
    cause = recorded.cause
    return recorded._replace(
        version=recorded.version - 1,
        cause=cause - 1 if cause is not None and cause > at + 1 else cause,
    )


Check = Callable[[Plan], None]


@quick(150)
@given(plans("wild"))
def test_every_counter_is_somewhere_after_every_event(plan: Plan) -> None:
    every_counter_is_somewhere(plan)


@quick(150)
@given(plans("wild"))
def test_a_state_is_what_its_stream_gives_at_every_prefix(plan: Plan) -> None:
    a_state_is_what_its_stream_gives(plan)


@quick(40)
@given(plans("wild"))
def test_recording_the_commands_again_gives_the_same_events_and_the_store_the_same_state(plan: Plan) -> None:
    recording_again_gives_the_same_events(plan)


@quick(60)
@given(plans("wild"))
def test_an_undo_takes_back_all_of_a_command(plan: Plan) -> None:
    an_undo_takes_back_all_of_a_command(plan)


@quick(200)
@given(plans("wild"))
def test_nets_come_to_what_the_kitty_took_and_what_was_carried(plan: Plan) -> None:
    nets_come_to_what_the_kitty_took_and_what_was_carried(plan)


@quick(200)
@given(plans("wild"))
def test_the_audit_finds_exactly_what_was_marked(plan: Plan) -> None:
    the_audit_finds_what_was_marked(plan)


@quick(150)
@given(plans("legal"))
def test_the_audit_finds_nothing_against_an_evening_by_the_rules(plan: Plan) -> None:
    evening = played(plan)
    assert {f.rule for f in audit(evening.session.id, evening.stream)} <= {"R-JACK-FALSE"}


@quick(300)
@given(plans("plain"))
def test_the_audit_finds_an_implied_event_changed_or_gone(plan: Plan) -> None:
    the_audit_finds_an_implied_event_changed_or_gone(plan)


@pytest.mark.long
@pytest.mark.parametrize(
    "check",
    [
        every_counter_is_somewhere,
        a_state_is_what_its_stream_gives,
        an_undo_takes_back_all_of_a_command,
        nets_come_to_what_the_kitty_took_and_what_was_carried,
        the_audit_finds_what_was_marked,
    ],
)
@thorough(2000)
@given(plan=plans("wild", hands=8))
def test_at_length(check: Check, plan: Plan) -> None:
    check(plan)


@pytest.mark.long
@thorough(200)
@given(plans("wild", hands=8))
def test_recording_again_at_length(plan: Plan) -> None:
    recording_again_gives_the_same_events(plan)


@pytest.mark.long
@thorough(2000)
@given(plans("plain", hands=8))
def test_the_audit_finds_changes_at_length(plan: Plan) -> None:
    the_audit_finds_an_implied_event_changed_or_gone(plan)
