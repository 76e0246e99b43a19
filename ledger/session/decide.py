"""What a command comes to: events, or a refusal that cites the rule. One function for each kind of command.

`decide` gives the events that were asked for; what the rules imply comes from `follow` once those are folded. Neither
changes the state. `judge` asks of one event alone which rules it breaks: `decide` uses it before anything is recorded,
the audit afterwards, so that both go by the same rules.
"""

from collections.abc import Iterator

from pydantic import ValidationError

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.session import banking, dealing, disputes, evening, playing
from ledger.session.outcome import Decide, Judge, Outcome
from ledger.session.state import Session
from ledger.table.check import ACTIONS, draw_refused, overridable, refused


def decide(session: Session, command: cmd.Command) -> Outcome:
    """The events the command comes to, or why it is refused."""
    if not isinstance(command, cmd.OpenSession):
        if session.rules is None:
            return Refusal(None, "no session is open", 'session "TITLE" on DATE first')
        if session.closed and not isinstance(command, (cmd.Note, cmd.Amend)):
            return Refusal(None, "the session is closed", "open another, or --amend the sheet")
    try:
        outcome = DECIDE[type(command)](session, command)
    except ValidationError as fault:  # amounts add up: a raise of the most there can be is more than that
        if any(error["type"] != "less_than_equal" for error in fault.errors()):
            raise
        return Refusal("R-COUNTERS", "more counters than a session takes", f"{ev.MOST_UNITS} at most")
    if isinstance(outcome, Refusal):
        return outcome
    found = list(_broken(session, outcome))
    if not found:
        return outcome
    hard = next((r for r in found if not (command.irregular and overridable(r))), None)
    if hard is not None:
        return hard
    marks = {
        r.rule: ev.MarkedIrregular(rule=r.rule, message=r.sentence, player=getattr(command, "player", None))
        for r in found
        if r.rule is not None
    }
    return [*outcome, *marks.values()]


def _broken(session: Session, events: list[ev.Event]) -> Iterator[Refusal]:
    """The rules that the events of one command break. The cards of a draw are judged as the draw leaves the hand."""
    first = events[0]
    if isinstance(first, ev.Drew) and session.hand is not None:
        yield from draw_refused(session.hand, first, events[1:], session.bank.held)
        return
    for event in events:
        yield from judge(session, event)


def judge(session: Session, event: ev.Event) -> Iterator[Refusal]:
    """The rules that an event somebody asked for breaks, as the session stands before it; nothing: it is allowed."""
    if isinstance(event, ev.KittyTaken) and event.kind != "stated":
        return
    if type(event) in ACTIONS:
        hand = session.hand
        if hand is None:
            yield Refusal("R-DEAL", "no hand is in play", "hand first", final=True)
        else:
            yield from refused(hand, event, session.bank.held)
        return
    checker = JUDGE.get(type(event))
    if checker is not None:
        yield from checker(session, event)


DECIDE: dict[type[cmd.Command], Decide] = (
    evening.DECIDE | banking.DECIDE | dealing.DECIDE | playing.DECIDE | disputes.DECIDE
)
JUDGE: dict[type[ev.Event], Judge] = evening.JUDGE | banking.JUDGE | dealing.JUDGE | disputes.JUDGE
"""Of the events that somebody asks for outside the play of a hand, which the table judges."""
