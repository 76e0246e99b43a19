"""Folding recorded events into the session, one function for each type; the hand's own go on to the table.

`project` judges no rules; after every event it asks whether every counter is somewhere (R-CONSERVE).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ledger import events as ev
from ledger.collecting import collector_paused
from ledger.counters.bank import CountersLostError
from ledger.counters.limits import Watch
from ledger.session.state import (
    RAKE,
    DisputeRaised,
    KittyEntry,
    Recorded,
    RulingMade,
    Session,
    Span,
    Withdrawal,
    checkpoint,
    restore,
)
from ledger.table.hand import Hand
from ledger.table.project import HAND_EVENTS, apply

_HANDS_APART = 8
"""Hands between two checkpoints: an undo folds at most so many again, and a checkpoint costs as much as half a hand."""


def project(session: Session, recorded: Recorded) -> None:
    """Folds one event into the session, in place.

    Raises CountersLostError where the event leaves a counter nowhere or twice, and AssertionError, KeyError or
    ValueError where it cannot belong to this stream.
    """
    assert recorded.version == session.version + 1, "events are folded in order"
    event = recorded.event
    if isinstance(event, ev.Withdrawn):
        _withdraw(session, event)
        session.withdrawn.append(
            Withdrawal(recorded.version, event.kind, event.first, event.last, event.reason)
        )
        session.version = recorded.version
    else:
        _fold(session, recorded)


def fold(session_id: str, stream: list[Recorded]) -> Session:
    """The session that a whole stream gives."""
    session = Session(session_id)
    with collector_paused():
        for recorded in stream:
            project(session, recorded)
    return session


def _fold(session: Session, recorded: Recorded) -> None:
    event = recorded.event
    kind = type(event)
    if kind is ev.HandBegun and len(session.hands) % _HANDS_APART == 0:
        session.version = recorded.version - 1
        session.checkpoints.append(checkpoint(session))
    session.version = recorded.version
    if kind in HAND_EVENTS and not (kind is ev.KittyTaken and session.in_play is None):
        _in_hand(session, event, recorded)
    else:
        _PROJECT[kind](session, event, recorded)
    session.told_at = recorded.occurred_at
    session.zone = recorded.zone
    session.log.append(recorded)
    if not session.spans or session.spans[-1].command != recorded.command:
        session.spans.append(Span(recorded.command, recorded.version))
    if kind in _UNMOVING:
        return
    session.bank.check()
    hand = session.hand
    if hand is not None and hand.pool != session.bank.pool and hand.phase != "over":
        raise CountersLostError(f"the table has {hand.pool} in the pool, the bank {session.bank.pool}")


def _withdraw(session: Session, event: ev.Withdrawn) -> None:
    version = session.version
    for recorded in restore(session, event.first):
        _fold(session, recorded)
    session.version = version


def _in_hand(session: Session, event: Any, recorded: Recorded) -> None:
    """Moves the counters of a hand's event at the bank, then folds it at the table."""
    hand = session.hand
    kind = type(event)
    assert hand is not None, "a hand is in play"
    assert hand.phase != "over" or kind is ev.MarkedIrregular, "the hand is over"
    left = 0
    move = _MOVES.get(kind)
    if move is not None:
        move(session, event, recorded)
        if kind in _OF_PLAYER:
            left = session.bank.held[event.player]
    apply(hand, event, left, recorded.version, recorded.occurred_at)
    if hand.phase == "over" and kind is not ev.MarkedIrregular:
        _hand_over(session, hand, recorded)


def _into_pool(session: Session, event: Any, _recorded: Recorded) -> None:
    session.bank.stake(event.player, event.units)


def _out_of_pool(session: Session, event: Any, _recorded: Recorded) -> None:
    session.bank.give(event.player, event.units)


def _into_kitty(session: Session, event: ev.KittyTaken, recorded: Recorded) -> None:
    session.bank.pool -= event.units
    session.bank.kitty += event.units
    assert session.hand is not None
    reason = {"rule": "", "odd": "the odd counter", "stated": "by hand"}[event.kind]
    session.kitty_entries.append(
        KittyEntry(recorded.version, session.hand.number, event.units, "taken", None, reason)
    )


def _rake(session: Session, event: ev.RakeTaken, recorded: Recorded) -> None:
    """Rake leaves the table at once: in the kitty's entries taken and spent, so that the kitty holds none of it."""
    session.bank.pool -= event.units
    session.bank.spent += event.units
    session.bank.rake += event.units
    assert session.hand is not None
    for kind in ("taken", "spent"):
        session.kitty_entries.append(
            KittyEntry(recorded.version, session.hand.number, event.units, kind, None, RAKE)
        )


def _hand_over(session: Session, hand: Hand, recorded: Recorded) -> None:
    """The deal passes, the series of jack-pots goes on or ends, limits are marked."""
    if hand.unwon:
        rungs = len(hand.rules.openers)
        session.rung = 0 if hand.openers is None or session.rung is None else (session.rung + 1) % rungs
        put = [p for p in hand.players if hand.staked.get(p, 0) > hand.returned.get(p, 0)]
        session.putters += [p for p in put if p not in session.putters]
    else:
        session.rung = None
        session.putters = []
    _mark_limits(session, hand, recorded.occurred_at)


def _mark_limits(session: Session, hand: Hand, ended: int) -> None:
    if not session.watches:
        return
    nets = session.hand_net(hand)
    gross = hand.rules.loss_limit_counts == "gross"
    for player, watch in session.watches.items():
        session.watches[player] = watch.marked(
            hand.number, session.bank.net(player), nets.get(player, 0), gross, player in hand.players, ended
        )


def _opened(session: Session, event: ev.SessionOpened, recorded: Recorded) -> None:
    session.title = event.title
    session.date = event.date
    session.timed = event.timed
    session.opened_at = recorded.occurred_at
    session.rules = event.rules
    session.unit = event.unit
    session.colours = event.colours
    session.kitty_left = event.kitty_left


def _rules_set(session: Session, event: ev.RulesSet, _recorded: Recorded) -> None:
    session.rules = event.rules


def _unit_set(session: Session, event: ev.UnitSet, _recorded: Recorded) -> None:
    session.unit = event.unit


def _colours_set(session: Session, event: ev.ColoursSet, _recorded: Recorded) -> None:
    session.colours = event.colours


def _banker(session: Session, event: ev.BankerNamed, _recorded: Recorded) -> None:
    session.banker = event.player


def _treasurer(session: Session, event: ev.TreasurerNamed, _recorded: Recorded) -> None:
    session.treasurer = event.player


def _nothing(_session: Session, _event: ev.Event, _recorded: Recorded) -> None:
    """On the record, and changes nothing."""


def _seated(session: Session, event: ev.Seated, _recorded: Recorded) -> None:
    session.gone.discard(event.player)
    session.away.discard(event.player)
    if event.player in session.seats:
        session.seats.remove(event.player)
    at = len(session.seats) if event.left_of is None else session.seats.index(event.left_of) + 1
    session.seats.insert(at, event.player)
    if session.stop_all is not None:
        session.watches.setdefault(event.player, Watch(stop_at=session.stop_all))


def _sat_out(session: Session, event: ev.SatOut, _recorded: Recorded) -> None:
    session.away.add(event.player)


def _sat_in(session: Session, event: ev.SatIn, _recorded: Recorded) -> None:
    session.away.discard(event.player)


def _left(session: Session, event: ev.Left, _recorded: Recorded) -> None:
    session.gone.add(event.player)


def _closed(session: Session, _event: ev.SessionClosed, _recorded: Recorded) -> None:
    session.closed = True


def _sold(session: Session, event: ev.CountersSold, _recorded: Recorded) -> None:
    session.bank.sell(event.player, event.units)


def _bought_back(session: Session, event: ev.CountersBoughtBack, _recorded: Recorded) -> None:
    session.bank.buy_back(event.player, event.units)


def _counted(session: Session, event: ev.CountersCounted, _recorded: Recorded) -> None:
    session.bank.count(event.player, event.units)


def _difference_by(session: Session, event: ev.DifferenceAssigned, _recorded: Recorded) -> None:
    session.difference_by = event.by


def _borne(session: Session, event: ev.DifferenceBorne, _recorded: Recorded) -> None:
    session.borne.append(event)
    if event.kitty:
        session.bank.kitty += event.units
        session.bank.difference += event.units


def _brought_forward(session: Session, event: ev.KittyBroughtForward, _recorded: Recorded) -> None:
    session.bank.brought_forward += event.units
    session.bank.kitty += event.units
    session.kitty_left = tuple(k for k in session.kitty_left if k.session != event.session)


def _kitty_out(session: Session, event: Any, recorded: Recorded) -> None:
    session.bank.kitty -= event.units
    kind = {"kitty_paid": "paid", "kitty_spent": "spent", "kitty_shared": "shared"}[event.type]
    player = getattr(event, "player", None)
    if player is None:
        session.bank.spent += event.units
    else:
        session.bank.held[player] = session.bank.held.get(player, 0) + event.units
    if kind == "shared":
        session.shared.add(event.player)
    session.kitty_entries.append(
        KittyEntry(
            recorded.version,
            len(session.hands) or None,
            event.units,
            kind,
            player,
            getattr(event, "reason", ""),
        )
    )


def _loss_limit(session: Session, event: ev.LossLimitSet, _recorded: Recorded) -> None:
    watch = session.watches.get(event.player, Watch(stop_at=session.stop_all))
    session.watches[event.player] = replace(watch, limit=event.units)


def _stop_time(session: Session, event: ev.StopTimeSet, _recorded: Recorded) -> None:
    if event.player is None:
        before, session.stop_all = session.stop_all, event.stop_at
        for player in [*session.seats, *session.watches]:
            watch = session.watches.get(player, Watch())
            own = (
                None if watch.stop_at == before else watch.stop_at
            )  # which a later hour of the house never undoes
            stop_at = event.stop_at if own is None else min(own, event.stop_at)
            session.watches[player] = replace(watch, stop_at=stop_at)
    else:
        watch = session.watches.get(event.player, Watch())
        session.watches[event.player] = replace(watch, stop_at=event.stop_at)


def _cut(session: Session, event: ev.CardCut, _recorded: Recorded) -> None:
    session.cuts.append((event.player, event.card))


def _begun(session: Session, event: ev.HandBegun, recorded: Recorded) -> None:
    assert session.rules is not None
    hand = Hand(
        number=event.number,
        dealer=event.dealer,
        players=event.players,
        rules=session.rules,
        openers=event.openers,
        carried=event.carried,
        first_version=recorded.version,
        last_version=recorded.version,
        begun_at=recorded.occurred_at,
        source_id=event.source_id,
        dead_small=event.dead_small,
        pool=event.carried,
    )
    session.hand = hand
    session.hands.append(hand)
    session.played.update(event.players)


def _pool_shared(session: Session, event: ev.PoolShared, _recorded: Recorded) -> None:
    session.bank.give(event.player, event.units)
    if session.bank.pool == 0:
        session.rung = None
        session.putters = []


def _disputed(session: Session, event: ev.Disputed, recorded: Recorded) -> None:
    session.disputes.append(DisputeRaised(recorded.version, event.hand, event.player, event.claim))


def _ruled(session: Session, event: ev.Ruled, recorded: Recorded) -> None:
    if event.giver is not None and event.taker is not None and event.units:
        session.bank.move(event.giver, event.taker, event.units)
    session.rulings.append(
        RulingMade(recorded.version, event.hand, event.text, event.units, event.giver, event.taker)
    )


_MOVES: dict[type[ev.Event], Callable[[Session, Any, Recorded], None]] = {
    ev.AntePosted: _into_pool,
    ev.BlindPosted: _into_pool,
    ev.Straddled: _into_pool,
    ev.Staked: _into_pool,
    ev.PenaltyPaid: _into_pool,
    ev.UncalledReturned: _out_of_pool,
    ev.StakeGivenBack: _out_of_pool,
    ev.PoolAwarded: _out_of_pool,
    ev.KittyTaken: _into_kitty,
    ev.RakeTaken: _rake,
}

_OF_PLAYER = frozenset(kind for kind in _MOVES if "player" in kind.model_fields)

_UNMOVING = HAND_EVENTS - _MOVES.keys()
"""What leaves the bank as it was, so that nothing has to be counted again."""

_PROJECT: dict[type[ev.Event], Callable[[Session, Any, Recorded], None]] = {
    ev.SessionOpened: _opened,
    ev.RulesSet: _rules_set,
    ev.UnitSet: _unit_set,
    ev.ColoursSet: _colours_set,
    ev.BankerNamed: _banker,
    ev.TreasurerNamed: _treasurer,
    ev.PlayerNamed: _nothing,
    ev.Seated: _seated,
    ev.SatOut: _sat_out,
    ev.SatIn: _sat_in,
    ev.Left: _left,
    ev.TimeTold: _nothing,
    ev.Noted: _nothing,
    ev.SessionClosed: _closed,
    ev.CountersSold: _sold,
    ev.CountersBoughtBack: _bought_back,
    ev.CountersCounted: _counted,
    ev.DifferenceAssigned: _difference_by,
    ev.DifferenceBorne: _borne,
    ev.KittyBroughtForward: _brought_forward,
    ev.KittyPaid: _kitty_out,
    ev.KittySpent: _kitty_out,
    ev.KittyShared: _kitty_out,
    ev.LossLimitSet: _loss_limit,
    ev.StopTimeSet: _stop_time,
    ev.CardCut: _cut,
    ev.HandBegun: _begun,
    ev.KittyTaken: _into_kitty,
    ev.PoolShared: _pool_shared,
    ev.Disputed: _disputed,
    ev.Ruled: _ruled,
    ev.Withheld: _nothing,
}
