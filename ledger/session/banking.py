"""At the bank: counters sold, bought back and counted, limits, the kitty, a carried pool that is divided."""

from collections.abc import Iterator
from typing import Any

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.session.outcome import Decide, Judge, Outcome
from ledger.session.playing import hand_in_play
from ledger.session.state import Session


def _sell(_session: Session, command: cmd.SellCounters) -> Outcome:
    if not command.units:
        return Refusal("R-COUNTERS", "nothing is bought", "one counter or more")
    return [ev.CountersSold(player=command.player, units=command.units, found=command.found)]


def _too_many(session: Session, more: int) -> Iterator[Refusal]:
    """No pool and no award can then be more than an event takes."""
    room = ev.MOST_UNITS - session.bank.all_there()
    if more > room:
        yield Refusal("R-COUNTERS", "more counters than a session takes", f"{room} at most")


def _may_buy(session: Session, event: ev.CountersSold) -> Iterator[Refusal]:
    yield from _too_many(session, event.units)
    hand = session.in_play
    if hand is not None and hand.rules.table_stakes and event.player in hand.players:
        yield Refusal("R-TABLE-STAKES", "nobody buys counters in mid-hand", "between hands")


def _buy_back(_session: Session, command: cmd.BuyBackCounters) -> Outcome:
    if not command.units:
        return Refusal("R-BUY-BACK", "nothing is cashed", "one counter or more")
    return [ev.CountersBoughtBack(player=command.player, units=command.units, found=command.found)]


def _may_cash(session: Session, event: ev.CountersBoughtBack) -> Iterator[Refusal]:
    held = session.bank.held.get(event.player, 0)
    if event.units > held:
        yield Refusal("R-CONSERVE", f"@{event.player} holds {held}", f"cashes {held} at most")
    if session.rules is not None and session.rules.table_stakes and not event.found:
        if session.in_play is not None and event.player in session.in_play.players:
            yield Refusal("R-TABLE-STAKES", "nothing is taken off the table in mid-hand", "between hands")
        elif event.units < held and event.player not in session.gone:
            yield Refusal(
                "R-TABLE-STAKES",
                "nothing is taken off the table but by leaving",
                f"cashes all {held}, and leaves",
            )


def _count(session: Session, command: cmd.CountCounters) -> Outcome:
    held = session.bank.held.get(command.player, 0)
    return [ev.CountersCounted(player=command.player, units=command.units, difference=command.units - held)]


def _may_count(session: Session, event: ev.CountersCounted) -> Iterator[Refusal]:
    yield from _too_many(session, event.difference)
    if session.in_play is not None:
        yield Refusal("R-CONSERVE", "counters are in the pool", "count between hands")


def _difference(_session: Session, command: cmd.AssignDifference) -> Outcome:
    return [ev.DifferenceAssigned(by=command.by)]


def _loss_limit(_session: Session, command: cmd.SetLossLimit) -> Outcome:
    if not command.units:
        return Refusal("R-LOSS-LIMIT", "a limit of nothing is no limit", "one unit or more")
    return [ev.LossLimitSet(player=command.player, units=command.units)]


def _may_limit(session: Session, event: ev.LossLimitSet) -> Iterator[Refusal]:
    if event.player not in session.played:
        return
    watch = session.watches.get(event.player)
    if watch is None or watch.limit is None:
        yield Refusal("R-OWN-STAKE", f"@{event.player} has played", "a limit is set before his first hand")
    elif event.units > watch.limit:
        yield Refusal(
            "R-OWN-STAKE",
            f"the limit of @{event.player} is {watch.limit}",
            "it may be lowered now, and raised from the next session",
        )


def _stop_time(_session: Session, command: cmd.SetStopTime) -> Outcome:
    return [ev.StopTimeSet(player=command.player, stop_at=command.stop_at)]


def _kitty_pays(_session: Session, command: cmd.KittyPays) -> Outcome:
    if not command.units:
        return Refusal("R-KITTY", "the kitty pays nothing", "one counter or more")
    return [ev.KittyPaid(player=command.player, units=command.units, reason=command.reason)]


def _kitty_spends(_session: Session, command: cmd.KittySpends) -> Outcome:
    if not command.units:
        return Refusal("R-KITTY", "the kitty spends nothing", "one counter or more")
    return [ev.KittySpent(units=command.units, reason=command.reason)]


def _kitty_has(session: Session, event: Any) -> Iterator[Refusal]:
    if event.units > session.bank.kitty:
        yield Refusal("R-CONSERVE", f"the kitty has {session.bank.kitty}", f"at most {session.bank.kitty}")
    hand = session.in_play
    if isinstance(event, ev.KittyPaid) and hand is not None and hand.rules.table_stakes:
        yield Refusal("R-TABLE-STAKES", "the kitty pays nobody in mid-hand", "between hands")


def _kitty_takes(session: Session, command: cmd.KittyTakes) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    if not command.units:
        return Refusal("R-KITTY", "nothing is put into the kitty", "one counter or more")
    return [ev.KittyTaken(units=command.units, kind="stated")]


def _take_rake(session: Session, command: cmd.TakeRake) -> Outcome:
    hand = hand_in_play(session)
    if isinstance(hand, Refusal):
        return hand
    if not command.units:
        return Refusal("R-KITTY", "nothing is kept as rake", "one counter or more")
    return [ev.RakeTaken(units=command.units, pot=command.pot)]


def _divide(session: Session, _command: cmd.DividePool) -> Outcome:
    if session.in_play is not None or not session.bank.pool:
        return Refusal("R-JACK-TRIGGER", "no pool is carried", "after a hand that nobody opened")
    assert session.hand is not None
    return _shares(session, session.bank.pool)


def _shares(session: Session, pool: int) -> list[ev.Event]:
    """A carried pool in equal parts, from the left of the last dealer; the odd counters as the rules say."""
    assert session.hand is not None
    order = [p for p in [*session.hand.players, *session.seats] if p in session.putters]
    order = list(dict.fromkeys(order))
    share, odd = divmod(pool, len(order))
    to_kitty = odd if session.hand.rules.odd_counter == "kitty" else 0
    odd -= to_kitty
    events: list[ev.Event] = [
        ev.PoolShared(player=p, units=share + (1 if place < odd else 0))
        for place, p in enumerate(order)
        if share or place < odd
    ]
    if to_kitty:
        events.insert(0, ev.KittyTaken(units=to_kitty, kind="odd"))
    return events


def _may_share(session: Session, event: ev.PoolShared) -> Iterator[Refusal]:
    carried = session.hand.carried_on if session.hand is not None else 0
    if not carried or event not in _shares(session, carried):
        yield Refusal(
            "R-JACK-TRIGGER", f"{event.units} are no equal share of @{event.player}", f"of {carried}"
        )


DECIDE: dict[type[cmd.Command], Decide] = {
    cmd.SellCounters: _sell,
    cmd.BuyBackCounters: _buy_back,
    cmd.CountCounters: _count,
    cmd.AssignDifference: _difference,
    cmd.SetLossLimit: _loss_limit,
    cmd.SetStopTime: _stop_time,
    cmd.KittyPays: _kitty_pays,
    cmd.KittySpends: _kitty_spends,
    cmd.KittyTakes: _kitty_takes,
    cmd.TakeRake: _take_rake,
    cmd.DividePool: _divide,
}

JUDGE: dict[type[ev.Event], Judge] = {
    ev.CountersSold: _may_buy,
    ev.CountersBoughtBack: _may_cash,
    ev.CountersCounted: _may_count,
    ev.LossLimitSet: _may_limit,
    ev.KittyPaid: _kitty_has,
    ev.KittySpent: _kitty_has,
    ev.PoolShared: _may_share,
}
