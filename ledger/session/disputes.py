"""Disputes about a hand, and how they were settled."""

from collections.abc import Iterator

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.session.outcome import Decide, Judge, Outcome
from ledger.session.state import Session


def _about(session: Session, number: int | None) -> int | Refusal:
    if not session.hands:
        return Refusal(None, "no hand has been begun yet", "hand first")
    if number is None:
        number = len(session.hands)
    if session.hand_numbered(number) is None:
        return Refusal(None, f"there is no hand {number}", f"a hand from 1 to {len(session.hands)}")
    return number


def _dispute(session: Session, command: cmd.Dispute) -> Outcome:
    number = _about(session, command.hand)
    if isinstance(number, Refusal):
        return number
    return [ev.Disputed(player=command.player, hand=number, claim=command.claim)]


def _rule(session: Session, command: cmd.Rule) -> Outcome:
    number = _about(session, command.hand)
    if isinstance(number, Refusal):
        return number
    if command.giver is not None and command.giver == command.taker:
        return Refusal(None, f"nothing moves from @{command.giver} to himself", "from one to another")
    return [
        ev.Ruled(
            hand=number,
            text=command.text,
            units=command.units,
            giver=command.giver,
            taker=command.taker,
            by=command.by,
        )
    ]


def _may_rule(session: Session, event: ev.Ruled) -> Iterator[Refusal]:
    if event.giver is None:
        return
    held = session.bank.held.get(event.giver, 0)
    if event.units > held:
        yield Refusal("R-CONSERVE", f"@{event.giver} holds {held}", f"at most {held}")
    hand = session.in_play
    if hand is not None and hand.rules.table_stakes:
        yield Refusal("R-TABLE-STAKES", "no counters change hands in mid-hand", "a ruling after the hand")


DECIDE: dict[type[cmd.Command], Decide] = {
    cmd.Dispute: _dispute,
    cmd.Rule: _rule,
}

JUDGE: dict[type[ev.Event], Judge] = {
    ev.Ruled: _may_rule,
}
