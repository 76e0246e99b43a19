"""Events told as a player would say them, one line each; names put in by the caller's `name_of`."""

from collections.abc import Callable
from typing import Any

from ledger import events as ev
from ledger.cards.pack import card_text, cards_text
from ledger.counters.money import marked_money
from ledger.refusal import told
from ledger.rules.switches import in_words
from ledger.session.state import Recorded
from ledger.times import moment

NameOf = Callable[[str], str]


def tell(event: ev.Event, name_of: NameOf) -> str:
    """The event in one line. Amounts are units."""
    teller = _TELL.get(type(event))
    assert teller is not None, f"{event.type} cannot be told"
    return told(teller(event), name_of)


def tell_openly(event: ev.Event, name_of: NameOf) -> str:
    """The same as everybody at the table may hear it: without the cards that only the recorder knows."""
    if isinstance(event, ev.CardsKnown):
        what = {"holds": "holds", "discarded": "threw", "received": "got"}[event.kind]
        return told(f"what @{event.player} {what} is known to the recorder", name_of)
    return tell(event, name_of)


def tell_recorded(recorded: Recorded, name_of: NameOf, *, openly: bool = False) -> str:
    """As `tell`, or `tell_openly`, with what only the header knows: the zone in whose clock times are told."""
    event = recorded.event
    if isinstance(event, ev.TimeTold):
        return f"it is {_clock(recorded.occurred_at, recorded.zone)}"
    if isinstance(event, ev.StopTimeSet):
        who = f"@{event.player} stops" if event.player else "all stop"
        return told(f"{who} at {_clock(event.stop_at, recorded.zone)}", name_of)
    return (tell_openly if openly else tell)(event, name_of)


def _clock(microseconds: int, zone: str) -> str:
    return moment(microseconds, zone).strftime("%H:%M")


def _staked(e: ev.Staked) -> str:
    if e.action in ("open", "bet"):
        more = f" ({e.to} in all)" if e.to != e.units else ""
        return f"@{e.player} {'opens with' if e.action == 'open' else 'bets'} {e.units}{more}"
    if e.action == "raise":
        return f"@{e.player} raises to {e.to}, {e.units} more"
    if e.action == "call":
        return f"@{e.player} calls {e.to}, {e.units} more"
    return f"@{e.player} is all in with {e.units}, making it {e.to}"


def _drew(e: ev.Drew) -> str:
    return f"@{e.player} draws {e.count}" if e.count else f"@{e.player} stands pat"


def _known(e: ev.CardsKnown) -> str:
    verb = {"holds": "holds", "discarded": "threw", "received": "got"}[e.kind]
    return f"@{e.player} {verb} {cards_text(e.cards)}"


def _shown(e: ev.Shown) -> str:
    what = "openers " if e.openers else ""
    threw = f" (threw {cards_text(e.threw)})" if e.threw else ""
    return f"@{e.player} shows {what}{cards_text(e.cards)}{threw}"


def _ruled(e: ev.Ruled) -> str:
    moved = f": {e.units} from @{e.giver} to @{e.taker}" if e.giver and e.units else ""
    return f"ruling on hand {e.hand}, “{e.text}”{moved}"


def _corrected(e: ev.Corrected) -> str:
    where = f" of hand {e.hand}" if e.hand is not None else ""
    moved = f": {e.units} from @{e.giver} to @{e.taker}" if e.giver and e.units else ""
    return f"correction{where}, “{e.text}”{moved}"


def _rules_set(e: ev.RulesSet) -> str:
    return f"rules {e.rules.name}" if e.switch is None else f"{e.switch} is {in_words(e.rules, e.switch)}"


def _begun(e: ev.HandBegun) -> str:
    text = f"hand {e.number}, @{e.dealer} deals to {len(e.players)}"
    if e.openers is not None:
        text += f"; a jack-pot, opened on a pair of {e.openers} or better"
    return text + (f"; {e.carried} in the pool" if e.carried else "")


def _borne(e: ev.DifferenceBorne) -> str:
    who = "the kitty" if e.kitty else (f"@{e.player}" if e.player else "the house")
    return f"{who} bears the difference: {e.units:+d}"


def _kitty_taken(e: ev.KittyTaken) -> str:
    return (
        f"the kitty takes {e.units}" + {"rule": "", "odd": ", the odd counter", "stated": ", by hand"}[e.kind]
    )


def _reason(text: str) -> str:
    return f" “{text}”" if text else ""


def _counted(e: ev.CountersCounted) -> str:
    return f"@{e.player} counts {e.units}" + (f" ({e.difference:+d} unrecorded)" if e.difference else "")


_TELL: dict[type[ev.Event], Callable[[Any], str]] = {
    ev.SessionOpened: lambda e: f"session “{e.title}” on {e.date}",
    ev.RulesSet: _rules_set,
    ev.UnitSet: lambda e: f"a counter costs {marked_money(1, e.unit)}",
    ev.ColoursSet: lambda e: "counters: " + ", ".join(f"{c.name} {c.units}" for c in e.colours),
    ev.BankerNamed: lambda e: f"@{e.player} is banker",
    ev.TreasurerNamed: lambda e: f"@{e.player} is treasurer",
    ev.PlayerNamed: lambda e: f"@{e.player} is new to the ledger",
    ev.Seated: lambda e: f"@{e.player} sits down",
    ev.SatOut: lambda e: f"@{e.player} sits out",
    ev.SatIn: lambda e: f"@{e.player} sits in again",
    ev.Left: lambda e: f"@{e.player} leaves",
    ev.TimeTold: lambda e: "the time is told",
    ev.Noted: lambda e: f"note: {e.text}",
    ev.Withdrawn: lambda e: (
        f"events {e.first} to {e.last} of the session are withdrawn ({e.kind}){_reason(e.reason)}"
    ),
    ev.SessionClosed: lambda e: "the session is closed",
    ev.CountersSold: lambda e: f"@{e.player} buys {e.units}" + (" (found on import)" if e.found else ""),
    ev.CountersBoughtBack: lambda e: (
        f"@{e.player} cashes {e.units}" + (" (found on import)" if e.found else "")
    ),
    ev.CountersCounted: _counted,
    ev.DifferenceAssigned: lambda e: f"a difference is borne by the {e.by}",
    ev.DifferenceBorne: _borne,
    ev.KittyBroughtForward: lambda e: (
        f"{e.units} brought forward into the kitty"
        if e.units
        else "a kitty is not brought forward: its counters had another price"
    ),
    ev.KittyTaken: _kitty_taken,
    ev.RakeTaken: lambda e: f"the house takes {e.units} as rake" + (f" of side pot {e.pot}" if e.pot else ""),
    ev.KittyPaid: lambda e: f"the kitty pays @{e.player} {e.units}{_reason(e.reason)}",
    ev.KittySpent: lambda e: f"the kitty spends {e.units}{_reason(e.reason)}",
    ev.KittyShared: lambda e: f"@{e.player} has {e.units} of the kitty",
    ev.LossLimitSet: lambda e: f"@{e.player} sets himself a limit of {e.units}",
    ev.StopTimeSet: lambda e: (f"@{e.player} stops" if e.player else "all stop") + " at a time fixed",
    ev.HandBegun: _begun,
    ev.CardCut: lambda e: f"@{e.player} cuts {card_text(e.card)}",
    ev.AntePosted: lambda e: f"@{e.player} antes {e.units}",
    ev.BlindPosted: lambda e: f"@{e.player} posts {e.blind} {e.units}" + ("" if e.live else ", dead"),
    ev.Straddled: lambda e: f"@{e.player} straddles with {e.units}",
    ev.Dealt: lambda e: "the cards are dealt",
    ev.Misdealt: lambda e: f"a misdeal{_reason(e.reason)}",
    ev.CardExposed: lambda e: (
        f"{card_text(e.card)} of @{e.player} is exposed" + (" by the dealer" if e.by_dealer else "")
    ),
    ev.HandFoul: lambda e: (
        f"@{e.player} has a foul hand" + (f" of {e.cards} cards" if e.cards is not None else "")
    ),
    ev.Staked: _staked,
    ev.Checked: lambda e: f"@{e.player} stands",
    ev.Passed: lambda e: f"@{e.player} passes",
    ev.Drew: _drew,
    ev.CardsKnown: _known,
    ev.Shown: _shown,
    ev.HandDeclared: lambda e: f"@{e.player} declares {e.hand.replace('_', ' ')}",
    ev.Mucked: lambda e: f"@{e.player} throws his hand away",
    ev.WonAsStated: lambda e: f"@{e.player} is said to win {e.units}",
    ev.UncalledReturned: lambda e: f"{e.units} nobody called go back to @{e.player}",
    ev.PenaltyPaid: lambda e: f"@{e.player} pays a penalty of {e.units}",
    ev.StakeGivenBack: lambda e: f"@{e.player} has {e.units} of his stake back",
    ev.PoolAwarded: lambda e: f"@{e.player} takes {e.units}" + (f" of side pot {e.pot}" if e.pot else ""),
    ev.PoolCarried: lambda e: f"{e.units} stay in the pool",
    ev.PoolShared: lambda e: f"@{e.player} has {e.units} of the divided pool",
    ev.MarkedIrregular: lambda e: f"irregular, {e.rule}: {e.message}",
    ev.Disputed: lambda e: f"@{e.player} disputes hand {e.hand}{_reason(e.claim)}",
    ev.Ruled: _ruled,
    ev.PlayerRenamed: lambda e: f"@{e.player} is renamed",
    ev.AliasGiven: lambda e: f"@{e.player} has another name besides",
    ev.PlayersMerged: lambda e: f"@{e.player} counts as @{e.into}",
    ev.PlayerUnmerged: lambda e: f"@{e.player} is one of his own again",
    ev.NameErased: lambda e: f"the names of @{e.player} were erased",
    ev.Corrected: _corrected,
    ev.Withheld: lambda e: f"withheld from this copy: {e.kind.replace('_', ' ')}",
}
