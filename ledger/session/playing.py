"""What is asked within a hand, turned into its events; the table judges them."""

from collections.abc import Callable
from typing import Any

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.session.outcome import Decide, Outcome
from ledger.session.state import Session
from ledger.table.betting import opened
from ledger.table.hand import Hand
from ledger.table.posts import next_straddle, posts_due
from ledger.table.pots import kitty_part, stated_so_far


def hand_in_play(session: Session) -> Hand | Refusal:
    """The hand being played, or why nothing of a hand can be asked now."""
    if session.in_play is None:
        last = session.hands[-1].number if session.hands else None
        what = "no hand is in play" if last is None else f"hand {last} is over"
        return Refusal("R-DEAL", what, "hand first", final=True)
    return session.in_play


def _post_ante(session: Session, command: cmd.PostAnte) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    live = hand.old and hand.openers is None
    due = {d.player: d.units for d in posts_due(hand, session.bank.held) if d.what == "ante"}
    if command.player is not None:
        units = command.units if command.units is not None else due.get(command.player, hand.rules.ante or 0)
        if not units:
            return Refusal("R-ANTE", "there is no ante in this game", "set ante before the first hand")
        return [ev.AntePosted(player=command.player, units=units, live=live)]
    if live:
        return Refusal("R-ANTE", "only the age antes", f"@{hand.age} antes {hand.rules.ante}")
    if not due:
        return Refusal("R-JACK-ANTE" if hand.openers else "R-ANTE", "nobody owes an ante", "deal")
    return [ev.AntePosted(player=p, units=units, live=False) for p, units in due.items()]


def _post_blind(session: Session, command: cmd.PostBlind) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    mine = [d for d in posts_due(hand, session.bank.held) if d.player == command.player]
    blind: Any = command.blind or next((d.what for d in mine if d.what != "ante"), "big")
    if blind == "ante":
        return _post_ante(session, cmd.PostAnte(player=command.player, units=command.units))
    owed = next((d for d in mine if d.what == blind), None)
    full = (hand.rules.small if blind == "small" else hand.rules.big) or 0
    units = command.units if command.units is not None else (owed.units if owed else full)
    if not units:
        return Refusal("R-BLINDS", f"there is no {blind} blind in this game", "the other blind, or antes")
    name = blind if owed is not None or command.standing is None else "extra"
    return [ev.BlindPosted(player=command.player, units=units, blind=name, live=command.standing != "dead")]


def _straddle(session: Session, command: cmd.Straddle) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    units = command.units if command.units is not None else next_straddle(hand)
    return [ev.Straddled(player=command.player, units=max(units, 1))]


def _stake(session: Session, command: cmd.Stake) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    player = command.player
    mine = hand.stake.get(player, 0)
    held = session.bank.held.get(player, 0)
    owed = max(hand.high - mine, 0)
    action: Any = command.action
    if action == "all_in":
        units = held
    elif action == "call":
        reach = min(owed, held) if hand.rules.table_stakes else owed
        units = reach if command.units is None else command.units
    elif action == "raise":
        units = owed + (command.units or 0)
    elif action == "to":
        action, units = _to(hand, player, mine, command.units or 0)
    else:
        units = command.units or 0
    if units < 0:
        return Refusal("R-PASS-FINAL", f"@{player} has staked {mine}", "counters in the pool stay there")
    return [ev.Staked(player=player, action=action, units=units, to=mine + units)]


def _to(hand: Hand, player: str, mine: int, stake: int) -> tuple[str, int]:
    """What making the stake of this interval `stake` is called."""
    if not opened(hand):
        return ("open" if hand.phase in ("before_draw", "draw") else "bet"), stake - mine
    return ("raise" if stake > hand.high else "call"), stake - mine


def _simple(make: Callable[[Any], ev.Event]) -> Callable[[Session, Any], Outcome]:
    def asked(session: Session, command: Any) -> Outcome:
        hand = hand_in_play(session)
        return hand if isinstance(hand, Refusal) else [make(command)]

    return asked


def _draw(session: Session, command: cmd.Draw) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    player = command.player
    events: list[ev.Event] = [ev.Drew(player=player, count=command.count)]
    if command.discarded is not None:
        events.append(ev.CardsKnown(player=player, cards=command.discarded, kind="discarded"))
    if command.received is not None:
        events.append(ev.CardsKnown(player=player, cards=command.received, kind="received"))
    return events


def _win(session: Session, command: cmd.Win) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    left = hand.pool - kitty_part(hand) - stated_so_far(hand)
    return [ev.WonAsStated(player=command.player, units=left if command.units is None else command.units)]


DECIDE: dict[type[cmd.Command], Decide] = {
    cmd.PostAnte: _post_ante,
    cmd.PostBlind: _post_blind,
    cmd.Straddle: _straddle,
    cmd.Deal: _simple(lambda c: ev.Dealt()),
    cmd.Misdeal: _simple(lambda c: ev.Misdealt(reason=c.reason)),
    cmd.Expose: _simple(lambda c: ev.CardExposed(player=c.player, card=c.card, by_dealer=c.by_dealer)),
    cmd.Foul: _simple(lambda c: ev.HandFoul(player=c.player, cards=c.cards)),
    cmd.Stake: _stake,
    cmd.Check: _simple(lambda c: ev.Checked(player=c.player)),
    cmd.Pass: _simple(lambda c: ev.Passed(player=c.player)),
    cmd.Draw: _draw,
    cmd.KnowCards: _simple(lambda c: ev.CardsKnown(player=c.player, cards=c.cards, kind=c.kind)),
    cmd.Show: _simple(lambda c: ev.Shown(player=c.player, cards=c.cards, openers=c.openers, threw=c.threw)),
    cmd.Declare: _simple(lambda c: ev.HandDeclared(player=c.player, hand=c.hand)),
    cmd.Muck: _simple(lambda c: ev.Mucked(player=c.player)),
    cmd.Win: _win,
}
