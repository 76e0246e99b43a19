"""What was withdrawn, and what was played against the rules: the record of slips, told."""

from collections.abc import Sequence
from typing import NamedTuple

from analytics.report.stories import NameOf, tell_on_page
from analytics.report.words import clock
from ledger import events as ev
from ledger.refusal import told
from ledger.rules.catalogue import rules_by_id
from ledger.session.state import Recorded, Session

_MANY_WITHDRAWN = 12


class Irregular(NamedTuple):
    """A rule that was played against: its id and words, and each time it was (the hand, whose play, what happened)."""

    rule: str
    text: str
    told: list[str]


class Correction(NamedTuple):
    """A withdrawal: how it is headed, its reason, what it withdrew, and how many more that were."""

    heading: str
    reason: str
    told: list[str]
    more: int


def correction(session: Session, gone: Recorded, what: Sequence[Recorded], name_of: NameOf) -> Correction:
    """A withdrawal told: what was asked for and is withdrawn, without what the rules implied of it."""
    event = gone.event
    assert isinstance(event, ev.Withdrawn)
    asked = [r for r in what if r.cause is None]
    told_ = [t for r in asked if (t := tell_on_page(r.event, name_of, stands=False))]
    heading = "Taken back" if event.kind == "undo" else "The sheet was changed"
    if session.timed:
        heading += f", {clock(gone.occurred_at, gone.zone)}"
    return Correction(heading, event.reason, told_[:_MANY_WITHDRAWN], max(len(told_) - _MANY_WITHDRAWN, 0))


def irregular(session: Session, name_of: NameOf) -> list[Irregular]:
    """What was played against each rule, in order of the first time."""
    found: dict[str, list[str]] = {}
    for hand in session.hands:
        for mark in hand.marks:
            whose = f", {name_of(mark.player)}" if mark.player else ""
            found.setdefault(mark.rule, []).append(
                f"hand {hand.number}{whose}: {told(mark.message, name_of)}"
            )
    entries = rules_by_id()
    return [
        Irregular(rule, entries[rule].text if rule in entries else "", marks) for rule, marks in found.items()
    ]
