"""What the rules and the close imply, at the session: one event after the other until nothing follows.

`follow` is asked after every event was folded. What it gives names as its cause the event that was asked for.
"""

from fractions import Fraction

from ledger import events as ev
from ledger.counters.money import Unit
from ledger.session.state import Session
from ledger.table.implied import implied


def follow(session: Session) -> ev.Event | None:
    """The next event implied by the session as it stands, or None."""
    if session.kitty_left and (session.hands or session.closed):
        return _bring_forward(session)
    hand = session.in_play
    if hand is not None:
        return implied(hand, session.bank.held)
    if session.closed:
        return _closing(session)
    return None


def _bring_forward(session: Session) -> ev.Event:
    left = session.kitty_left[0]
    units = _at_unit(left.units, left.unit, session.unit)
    return ev.KittyBroughtForward(session=left.session, units=units)


def _at_unit(units: int, theirs: Unit | None, ours: Unit | None) -> int:
    """Counters of an earlier session at this one's unit; nought where that is of other money or not a whole number."""
    if theirs == ours:
        return units
    if theirs is None or ours is None or theirs.currency != ours.currency:
        return 0
    worth = Fraction(theirs.minor_numerator, theirs.minor_denominator) * units
    here = worth / Fraction(ours.minor_numerator, ours.minor_denominator)
    return int(here) if here.denominator == 1 else 0


def _closing(session: Session) -> ev.Event | None:
    """After the close: the difference is borne, the kitty shared where the house does, all counters bought back."""
    for share in difference_shares(session)[len(session.borne) :]:
        return share
    given = sum(entry.units for entry in session.kitty_entries if entry.kind == "shared")
    for player, units in kitty_shares(session, session.bank.kitty + given).items():
        if player not in session.shared:
            return ev.KittyShared(player=player, units=units)
    for player in session.people():
        held = session.bank.held.get(player, 0)
        if held > 0:
            return ev.CountersBoughtBack(player=player, units=held)
    return None


def bearer(session: Session) -> str | None:
    """Who stands for a difference: as said in the session, or as its rules say; None: nobody yet."""
    return session.difference_by or (session.rules.difference if session.rules is not None else None)


def difference_shares(session: Session) -> list[ev.DifferenceBorne]:
    """What each bears of the difference, to his good where counters are missing.

    Winners (or losers) bear it in the measure of their nets, by the largest remainder, in the order of the seats.
    """
    total = -(session.bank.difference - sum(b.units for b in session.borne if b.kitty))
    by = bearer(session)
    if total == 0 or by is None:
        return []
    if by == "kitty":
        return [ev.DifferenceBorne(player=None, kitty=True, units=total)]
    if by == "banker":
        return [ev.DifferenceBorne(player=session.banker, kitty=False, units=total)]
    sign = 1 if by == "winners" else -1
    nets = {p: sign * session.bank.net(p) for p in session.people()}
    weights = {p: net for p, net in nets.items() if net > 0} or dict.fromkeys(session.people(), 1)
    return [
        ev.DifferenceBorne(player=p, kitty=False, units=units)
        for p, units in _in_measure(total, weights).items()
        if units
    ]


def _in_measure(total: int, weights: dict[str, int]) -> dict[str, int]:
    """Whole shares of a total in the measure of the weights, the largest remainders first."""
    whole = sum(weights.values())
    size = abs(total)
    shares = {p: size * w // whole for p, w in weights.items()}
    rest = sorted(weights, key=lambda p: -(size * weights[p] % whole))
    for player in rest[: size - sum(shares.values())]:
        shares[player] += 1
    return {p: (units if total > 0 else -units) for p, units in shares.items()}


def kitty_shares(session: Session, kitty: int) -> dict[str, int]:
    """Equal shares of the kitty at the close where the house shares it; what does not divide stays in it."""
    if session.rules is None or session.rules.kitty_at_close != "shared":
        return {}
    still_in = [p for p in session.seats if p not in session.gone]
    units = kitty // len(still_in) if still_in else 0
    return dict.fromkeys(still_in, units) if units else {}
