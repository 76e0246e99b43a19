"""What the report of an evening says, gathered from the ledger: plain values in the order in which the page has them.

Everything is for all players to see: no card that was not shown is in it, nor a figure that rests on one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from analytics.notes import Ended, Evening
from analytics.report.corrections import Correction, Irregular, correction, irregular
from analytics.report.figures import Figures, figures
from analytics.report.limits import COUNTS, Limit, limit_kept
from analytics.report.receipt import Receipt, receipt_of
from analytics.report.settling import (
    Kitty,
    Payment,
    Person,
    kitty,
    message,
    payments,
    people,
    provisos,
    put_right_said,
)
from analytics.report.stories import NameOf, Story, stories, tell_on_page
from analytics.report.words import both, clock, date_words, isolated, number, signed
from ledger import events as ev
from ledger.codec import to_recorded
from ledger.corrections import NOTHING_PUT_RIGHT, PutRight
from ledger.session.state import Recorded, Session
from ledger.store.model import Broken, StoredEvent, Verified
from ledger.store.store import Store
from ledger.views import labels, limit_rows, settle_view

_MANY_ROWS = 40


class Taken(NamedTuple):
    """A session as it was read: folded with its notes, what was withdrawn by which event, and its last event."""

    evening: Evening
    withdrawn: list[tuple[Recorded, list[Recorded]]]
    last: StoredEvent


class Curve(NamedTuple):
    """How one player stood after every hand, in units, from nought before his first; always up to the last hand."""

    name: str
    points: list[tuple[int, int]]


class Report(NamedTuple):
    """An evening's report. Lists that are empty have no part in the page."""

    title: str
    played: str
    provisos: list[str]
    payments: list[Payment]
    message: str
    people: list[Person]
    curves: list[Curve]
    rows: list[tuple[str, list[str]]]
    kitty: Kitty | None
    rake: str
    stories: list[Story]
    figures: list[Figures]
    limits: list[Limit]
    limits_asked: bool
    counts: str
    corrections: list[Correction]
    disputes: list[str]
    irregular: list[Irregular]
    notes: list[str]
    receipt: Receipt


def take(store: Store, session: str) -> Taken:
    """Reads and folds a session. Raises StoreError where it does not fold."""
    evening = Evening(session)
    withdrawn = []
    last = None
    for last in store.read(session):
        if last.event_type == "withdrawn":
            recorded = to_recorded(last)
            assert isinstance(recorded.event, ev.Withdrawn)
            span = range(recorded.event.first, recorded.event.last + 1)
            withdrawn.append((recorded, [r for r in evening.session.log if r.version in span]))
        evening.take(last)
    assert last is not None, "a session has an event"
    return Taken(evening, withdrawn, last)


def report(
    taken: Taken,
    name: NameOf,
    verified: Verified | Broken,
    *,
    limits: bool = False,
    player: str | None = None,
    right: PutRight = NOTHING_PUT_RIGHT,
) -> Report:
    """The report of an evening. `limits` puts in everybody's, `player` (an id) that player's alone.

    `right` is what was corrected after the close, or leaves the rulings out: it goes into who owes whom, who won what
    and how everybody stood, and is told.
    """
    session = taken.evening.session
    label = labels(session, name)

    def name_of(player: str) -> str:
        return isolated(label(player))

    settled = settle_view(session, name_of, moved=right.session)
    paid = payments(session, settled)
    curves = _curves(taken.evening, name_of, right)
    purse = kitty(session, name_of, settled["treasurer"])
    watched = zip(session.watches, limit_rows(session, name_of), strict=True)
    return Report(
        title=session.title,
        played=_played(session),
        provisos=[*provisos(session, settled), *put_right_said(right, name_of)],
        payments=paid,
        message=message(session, paid, purse),
        people=people(session, settled),
        curves=curves,
        rows=_rows(curves, session.in_play is None),
        kitty=purse,
        rake=both(session.bank.rake, session.unit) if session.bank.rake else "",
        stories=stories(session, name_of),
        figures=figures(taken.evening, name_of),
        limits=[_limit(row, session) for who, row in watched if limits or who == player],
        limits_asked=limits or player is not None,
        counts=COUNTS.get(session.rules.loss_limit_counts, "") if session.rules else "",
        corrections=[correction(session, gone, what, name_of) for gone, what in taken.withdrawn],
        disputes=[
            said
            for r in session.log
            if isinstance(r.event, ev.Disputed | ev.Ruled) and (said := tell_on_page(r.event, name_of))
        ]
        + [said for c in right.told if (said := tell_on_page(c, name_of))],
        irregular=irregular(session, name_of),
        notes=[r.event.text for r in session.log if isinstance(r.event, ev.Noted)],
        receipt=receipt_of(taken.last.position, taken.last.hash, verified),
    )


def _limit(row: dict[str, Any], session: Session) -> Limit:
    return limit_kept(
        row["name"],
        session.unit,
        limit=row["limit"],
        lowest=row["lowest"],
        reached_at_hand=row["reached_at_hand"],
        hands_after=row["hands_after"],
        stops_at=row["stop_at"] and row["stop_at"][11:16],
        minutes_after=row["minutes_after"],
    )


def _played(session: Session) -> str:
    """`27 November 2026, 20:10 to 23:15 (Europe/London), english rules, 5 players, 42 hands`."""
    parts = [date_words(session.date)]
    over = [hand for hand in session.hands if hand.over]
    if session.timed and over:
        start, end = (clock(at, session.zone) for at in (over[0].begun_at, over[-1].ended_at))
        when = start if start == end else f"{start} to {end}"
        parts[0] += f", {when} ({session.zone})"
    assert session.rules is not None
    parts.append(f"{session.rules.name} rules")
    parts += [number(len(session.people()), "player"), number(len(over), "hand")]
    return " · ".join(parts)


def _curves(evening: Evening, name_of: NameOf, right: PutRight) -> list[Curve]:
    """How everybody stood after each hand that is over; the last one has what moved since (rulings, the kitty).

    What is corrected after the close moves the last one too; as recorded no ruling moves any.
    """
    session = evening.session
    ends = [
        (notes.number, _without_rulings(session, ended) if right.as_recorded else ended.net)
        for notes in evening.hands
        if (ended := notes.ended())
    ]
    if not ends:
        return []
    now = {p: session.bank.net(p) + right.session.get(p, 0) for p in session.people()}
    if session.in_play is None:
        ends[-1] = (ends[-1][0], now)
    found = []
    for player, net in sorted(now.items(), key=lambda item: -item[1]):
        points = [(0, 0), *((number, nets.get(player, 0)) for number, nets in ends)]
        if net or any(units for _, units in points):
            found.append(Curve(name_of(player), points))
    return found


def _without_rulings(session: Session, ended: Ended) -> dict[str, int]:
    """How everybody stood at the end of a hand, had nothing been ruled by then."""
    net = dict(ended.net)
    for ruling in session.rulings:
        if ruling.version <= ended.version and ruling.giver is not None and ruling.taker is not None:
            net[ruling.giver] = net.get(ruling.giver, 0) + ruling.units
            net[ruling.taker] = net.get(ruling.taker, 0) - ruling.units
    return net


def _rows(curves: Sequence[Curve], ended: bool) -> list[tuple[str, list[str]]]:
    """The curves as rows of a table, about forty of them at most: the hand's number, how each stood."""
    if not curves:
        return []
    columns = [curve.points for curve in curves]
    count_ = len(columns[0])
    step = -(-count_ // _MANY_ROWS)
    places = sorted({*range(step, count_, step), count_ - 1})
    return [
        (
            "end" if ended and place == count_ - 1 else str(columns[0][place][0]),
            [signed(points[place][1]) for points in columns],
        )
        for place in places
    ]
