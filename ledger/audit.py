"""The audit: a session replayed, every action judged by that night's rules, and everything implied held to them.

A check is a function from the session before an event, and the event, to findings; `CHECKS` is the policy. The chain is
the store's to verify.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ledger import events as ev
from ledger.counters.bank import CountersLostError
from ledger.session.decide import judge
from ledger.session.follow import follow
from ledger.session.project import project
from ledger.session.state import Recorded, Session


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the audit found: the hand's number or None, the event's version and position, the rule, what.

    The message has players as `@` and id.
    """

    hand: int | None
    version: int
    position: int | None
    rule: str
    message: str


Check = Callable[[Session, Recorded], Iterator[tuple[str, str]]]


def broken_rules(session: Session, recorded: Recorded) -> Iterator[tuple[str, str]]:
    """What was asked for and broke a rule, whether or not somebody marked it."""
    if recorded.cause is None:
        for refusal in judge(session, recorded.event):
            yield refusal.rule or "R-CONSERVE", refusal.sentence


def marked(_session: Session, recorded: Recorded) -> Iterator[tuple[str, str]]:
    """What the rules themselves mark, such as a false opening; a mark of `!` is found as the broken rule it marks."""
    event = recorded.event
    if isinstance(event, ev.MarkedIrregular) and event.rule == "R-JACK-FALSE":
        yield event.rule, event.message


def implied_as_ruled(session: Session, recorded: Recorded) -> Iterator[tuple[str, str]]:
    """What follows by the rules is what was recorded, and nothing else was recorded in its place."""
    event = recorded.event
    if isinstance(event, (ev.MarkedIrregular, ev.Withdrawn)) and getattr(event, "rule", "") != "R-JACK-FALSE":
        return
    due = follow(session)
    if recorded.cause is None:
        if due is not None:
            yield _RULE_OF.get(type(due), "R-CONSERVE"), f"{_what(due)} was due, and is not on record"
    elif due != event:
        wanted = "nothing" if due is None else _what(due)
        yield _RULE_OF.get(type(event), "R-CONSERVE"), f"{_what(event)} is on record where {wanted} was due"


CHECKS: tuple[Check, ...] = (broken_rules, marked, implied_as_ruled)


def audit(session_id: str, stream: Iterable[Recorded], hand: int | None = None) -> list[Finding]:
    """What the checks find in a whole stream, or in one hand of it; each rule once for an event.

    What was withdrawn since is not found fault with.
    """
    session = Session(session_id)
    found: list[Finding] = []
    for recorded in stream:
        if isinstance(recorded.event, ev.Withdrawn):
            gone = recorded.event
            found = [f for f in found if not gone.first <= f.version <= gone.last]
        number = _number(session, recorded.event)
        rules: dict[str, str] = {}
        for check in CHECKS:
            for rule, message in check(session, recorded):
                rules.setdefault(rule, message)
        found += [Finding(number, recorded.version, recorded.position, r, m) for r, m in rules.items()]
        try:
            project(session, recorded)
        except (AssertionError, KeyError, ValueError, IndexError) as fault:
            rule = "R-CONSERVE" if isinstance(fault, CountersLostError) else "R-TURN"
            message = f"the record cannot be replayed past this event: {fault or type(fault).__name__}"
            found.append(Finding(number, recorded.version, recorded.position, rule, message))
            break
    else:
        found += _lacking(session)
    return [f for f in found if hand is None or f.hand == hand]


def _lacking(session: Session) -> Iterator[Finding]:
    """What follows from the last event of the stream and is not on record."""
    due = follow(session)
    if due is not None:
        last = session.log[-1]
        message = f"{_what(due)} was due after this, and is not on record"
        number = session.in_play.number if session.in_play is not None else None
        yield Finding(number, last.version, last.position, _RULE_OF.get(type(due), "R-CONSERVE"), message)


def _number(session: Session, event: ev.Event) -> int | None:
    if session.in_play is not None:
        return session.in_play.number
    if isinstance(event, ev.HandBegun):
        return event.number
    return len(session.hands) if session.hands and isinstance(event, ev.MarkedIrregular) else None


def _what(event: ev.Event) -> str:
    units = getattr(event, "units", None)
    player = getattr(event, "player", None)
    text = event.type.replace("_", " ")
    text += f" of {units}" if units is not None else ""
    return text + (f" for @{player}" if player else "")


_RULE_OF: dict[type[ev.Event], str] = {
    ev.UncalledReturned: "R-UNCALLED",
    ev.KittyTaken: "R-KITTY",
    ev.PoolAwarded: "R-SHOW",
    ev.PoolCarried: "R-JACK-TRIGGER",
    ev.PenaltyPaid: "R-JACK-FALSE",
    ev.StakeGivenBack: "R-JACK-FALSE",
    ev.MarkedIrregular: "R-JACK-FALSE",
    ev.Misdealt: "R-EXPOSED-ONE",
    ev.CountersBoughtBack: "R-BUY-BACK",
}
