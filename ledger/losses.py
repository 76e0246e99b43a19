"""What counts as lost while an evening is played, by the house's way of counting (R-LOSS-LIMIT, `loss_limit_counts`).

By the calendar day and by 24 hours the hands of other evenings count too, if their counters had the same price; so they
are read from the store. `analytics/queries/limits.sql` counts the same way when it is over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ledger.loading import load_session
from ledger.session.state import Session
from ledger.store.store import Store
from ledger.times import moment

_DAY = 86_400_000_000
"""Microseconds."""
_NEAR = 3 * _DAY
"""An evening opened so long before or after has no hand on the day, nor in the 24 hours, of this one's hands."""


@dataclass(frozen=True, slots=True)
class HandNet:
    """A hand that is over: when it ended (microseconds UTC), its day on its table's clock, units by player."""

    ended_at: int
    day: str
    net: dict[str, int]


def by_hands(session: Session) -> bool:
    """Whether the house counts losses by the hands of a day or of 24 hours, wherever they were played."""
    return session.rules is not None and session.rules.loss_limit_counts in ("day", "24_hours")


def hand_nets(session: Session, canonical: Callable[[str], str]) -> Iterator[HandNet]:
    """The hands of a session that are over; players who were merged count as one."""
    for hand in session.hands:
        if hand.over:
            net: dict[str, int] = {}
            for player, units in session.hand_net(hand).items():
                net[canonical(player)] = net.get(canonical(player), 0) + units
            day = moment(hand.ended_at, session.zone).date().isoformat()
            yield HandNet(hand.ended_at, day, net)


def hands_elsewhere(store: Store, session: Session, canonical: Callable[[str], str]) -> list[HandNet]:
    """The hands of the other evenings near this one in time whose counters had the same price."""
    found: list[HandNet] = []
    for opened in store.of_type("session_opened"):
        if opened.session != session.id and abs(opened.occurred_at - session.opened_at) < _NEAR:
            other = load_session(store, opened.session)
            if other.unit == session.unit:
                found += hand_nets(other, canonical)
    return found


def lost(session: Session, player: str, hands: Sequence[HandNet], canonical: Callable[[str], str]) -> int:
    """Units that count as lost by the player as the session stands now; below nought where he is ahead.

    `hands` are those of this and of the other evenings, where the house counts by hands.
    """
    assert session.rules is not None
    if session.rules.loss_limit_counts == "gross":
        return session.watches[player].gross
    if not by_hands(session):
        return -session.bank.net(player)
    over = [hand.ended_at for hand in session.hands if hand.over]
    now = over[-1] if over else session.told_at
    today = moment(now, session.zone).date().isoformat()
    by_day = session.rules.loss_limit_counts == "day"
    return -sum(
        hand.net.get(canonical(player), 0)
        for hand in hands
        if hand.ended_at <= now and (hand.day == today if by_day else hand.ended_at > now - _DAY)
    )
