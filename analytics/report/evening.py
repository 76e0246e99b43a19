"""What the report of an evening says, gathered from the ledger: plain values in the order in which the page has them.

Everything is for all players to see: no card that was not shown is in it, nor a figure that rests on one (promise 10).
"""

from collections.abc import Sequence
from typing import NamedTuple

from analytics.counting import Marks, count
from analytics.notes import Evening
from analytics.report.stories import NameOf, Story, stories, tell_openly
from analytics.report.words import (
    Rate,
    both,
    clock,
    counters,
    date_words,
    gain,
    isolated,
    listed,
    rate,
    signed,
)
from analytics.report.words import amount as amount_of
from ledger import events as ev
from ledger.codec import to_recorded
from ledger.refusal import told
from ledger.rules.catalogue import rules_by_id
from ledger.session.state import RAKE, Recorded, Session
from ledger.store.model import Broken, StoredEvent, Verified
from ledger.store.store import Store
from ledger.views import kitty_given, labels, limit_rows, settle_view

_MANY_ROWS = 40
_MANY_WITHDRAWN = 12


class Taken(NamedTuple):
    """A session as it was read: folded with its notes, what was withdrawn by which event, and its last event."""

    evening: Evening
    withdrawn: list[tuple[Recorded, list[Recorded]]]
    last: StoredEvent


class Payment(NamedTuple):
    """Who pays whom; `amount` in money where counters have a price, `counters` beside it then."""

    frm: str
    to: str
    amount: str
    counters: str


class Person(NamedTuple):
    """A line of who won what; the amounts as they are printed."""

    name: str
    counters: str
    """Bought and cashed."""
    net: str
    money: str
    won: int
    """1 won, -1 lost, 0 even."""


class Curve(NamedTuple):
    """How one player stood after every hand, in units, from nought before his first; always up to the last hand."""

    name: str
    points: list[tuple[int, int]]


class Kitty(NamedTuple):
    """What the kitty took, whose pools it came from, and what became of it."""

    holds: str
    keeper: str
    taken: str
    given: str
    moves: list[str]


class Figures(NamedTuple):
    """A player's figures: hands dealt in, hands won, and the rates under `RATES`, mean cards drawn."""

    name: str
    hands: int
    won: int
    rates: list[Rate]
    drawn: str


class Limit(NamedTuple):
    """A player's limits and how he kept them."""

    name: str
    limit: str
    lowest: str
    kept: str
    stop: str
    late: str


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


class Receipt(NamedTuple):
    """What a player keeps: the position and hash of the evening's last event, and what verifying the chain said."""

    position: int
    hash: str
    holds: bool
    answer: str


class Report(NamedTuple):
    """An evening's report. Lists that are empty have no part in the page."""

    title: str
    played: str
    state: list[str]
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


RATES: tuple[tuple[str, str, str], ...] = (
    (
        "vpip",
        "went in",
        "hands in which he put in counters of his own accord, of those in which he had a say",
    ),
    (
        "raised_before",
        "raised before the draw",
        "hands in which he raised or opened above the least, of the same",
    ),
    ("pat", "stood pat", "of the hands in which the draw came to him"),
    ("to_show", "to the show", "shown down, of the hands in which he was in after the draw"),
    ("won_at_show", "won at the show", "of the hands shown down"),
    ("won_without_show", "won unseen", "of the hands in which he was in after the draw"),
)
"""The rates of the table of figures: key, heading, what is counted. None of them rests on a card that was not shown."""


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
) -> Report:
    """The report of an evening. `limits` puts in everybody's, `player` (an id) that player's alone."""
    session = taken.evening.session
    label = labels(session, name)

    def name_of(player: str) -> str:
        return isolated(label(player))

    settled = settle_view(session, name_of)
    unit = session.unit
    payments = [
        Payment(p["from"], p["to"], amount_of(p["units"], unit), counters(p["units"]) if unit else "")
        for p in settled["payments"]
    ]
    people = [
        Person(
            p["name"],
            f"{p['bought']} → {p['cashed']}",
            signed(p["net"]),
            gain(p["net"], unit),
            (p["net"] > 0) - (p["net"] < 0),
        )
        for p in sorted(settled["players"], key=lambda p: -p["net"])
    ]
    curves = _curves(taken.evening, name_of)
    kitty = _kitty(session, name_of, settled["treasurer"])
    watched = zip(session.watches, limit_rows(session, name_of), strict=True)
    return Report(
        title=session.title,
        played=_played(session),
        state=_state(session, settled),
        payments=payments,
        message=_message(session, payments, kitty),
        people=people,
        curves=curves,
        rows=_rows(curves, session.in_play is None),
        kitty=kitty,
        rake=both(session.bank.rake, unit) if session.bank.rake else "",
        stories=stories(session, name_of),
        figures=_figures(taken.evening, name_of),
        limits=[_limit(row, session) for who, row in watched if limits or who == player],
        limits_asked=limits or player is not None,
        counts=_COUNTS.get(session.rules.loss_limit_counts, "") if session.rules else "",
        corrections=[_correction(session, gone, what, name_of) for gone, what in taken.withdrawn],
        disputes=[
            told_
            for r in session.log
            if isinstance(r.event, ev.Disputed | ev.Ruled) and (told_ := tell_openly(r.event, name_of))
        ],
        irregular=_irregular(session, name_of),
        notes=[r.event.text for r in session.log if isinstance(r.event, ev.Noted)],
        receipt=receipt_of(taken.last.position, taken.last.hash, verified),
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
    for number, what in ((len(session.people()), "player"), (len(over), "hand")):
        parts.append(f"{number} {what}{'' if number == 1 else 's'}" if number else f"no {what}s")
    return " · ".join(parts)


def _state(session: Session, settled: dict[str, object]) -> list[str]:
    """What must be known beside the settlement: what is not finished, who bears what."""
    said = []
    if not session.closed:
        said.append("The session is not closed: what the players hold counts as cashed.")
    hand = session.in_play
    if hand is not None:
        said.append(
            f"Hand {hand.number} is not finished; the {counters(session.bank.pool)} in its pool are counted with "
            f"{settled['treasurer']}."
        )
    elif session.bank.pool:
        said.append(
            f"A pool of {counters(session.bank.pool)} is carried and belongs to nobody yet; it is counted with "
            f"{settled['treasurer']}."
        )
    borne = settled["borne"]
    assert isinstance(borne, list)
    for share in borne:
        what = f"{'is owed' if share['units'] > 0 else 'owes'} {both(abs(share['units']), session.unit)}"
        said.append(f"Counters found and counters recorded differ: {share['by']} {what}.")
    return said


def _message(session: Session, payments: Sequence[Payment], kitty: Kitty | None) -> str:
    """The settlement as text to be sent to the group."""
    lines = [f"{session.title}, {date_words(session.date)}"]
    lines += [f"{p.frm} pays {p.to} {p.amount}" for p in payments] or ["Nobody owes anybody anything."]
    if kitty is not None and session.bank.kitty:
        lines.append(f"In the kitty: {kitty.holds}, kept by {kitty.keeper}")
    if not session.closed:
        lines.append("(The session is not closed yet.)")
    return "\n".join(lines)


def _curves(evening: Evening, name_of: NameOf) -> list[Curve]:
    """How everybody stood after each hand that is over; the last one has what moved since (rulings, the kitty)."""
    session = evening.session
    ends = [(notes.number, ended.net) for notes in evening.hands if (ended := notes.ended())]
    if not ends:
        return []
    now = {p: session.bank.net(p) for p in session.people()}
    if session.in_play is None:
        ends[-1] = (ends[-1][0], now)
    found = []
    for player, net in sorted(now.items(), key=lambda item: -item[1]):
        points = [(0, 0), *((number, nets.get(player, 0)) for number, nets in ends)]
        if net or any(units for _, units in points):
            found.append(Curve(name_of(player), points))
    return found


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


def _kitty(session: Session, name_of: NameOf, keeper: str) -> Kitty | None:
    bank, unit = session.bank, session.unit
    entries = [e for e in session.kitty_entries if e.reason != RAKE]
    taken = [e for e in entries if e.kind == "taken"]
    if not (entries or bank.kitty or bank.brought_forward):
        return None
    moves = (
        [f"{both(bank.brought_forward, unit)} brought forward from an earlier session"]
        if bank.brought_forward
        else []
    )
    sums: dict[tuple[str, str | None, str], list[int]] = {}
    for entry in entries:
        if entry.kind in _MOVED:
            sums.setdefault((entry.kind, entry.player, entry.reason), []).append(entry.units)
    for (kind, player, reason), each in sums.items():
        said = f"{_MOVED[kind]} {name_of(player)}" if player else _MOVED[kind]
        said += f" {both(sum(each), unit)}" + (f" “{reason}”" if reason else "")
        moves.append(said + (f", {len(each)} times" if len(each) > 1 else ""))
    units = sum(e.units for e in taken)
    given = sorted(kitty_given(session, name_of).items(), key=lambda who: -who[1])
    hands = len({e.hand for e in taken})
    return Kitty(
        both(bank.kitty, unit),
        keeper,
        f"{both(units, unit)} from the pools of {hands} hand{'' if hands == 1 else 's'}"
        if units
        else "nothing",
        listed(f"{name} {units}" for name, units in given) if given else "",
        moves,
    )


_MOVED = {"paid": "Paid to", "spent": "Spent", "shared": "Shared out to"}


def _figures(evening: Evening, name_of: NameOf) -> list[Figures]:
    session = evening.session
    marks: dict[str, Marks] = {}
    hands: dict[str, int] = {}
    won: dict[str, int] = {}
    drawn: dict[str, list[int]] = {}
    for notes in evening.hands:
        hand = session.hands[notes.number - 1]
        if not hand.over:
            continue
        for player, counted in count(hand, notes).items():
            sums = marks.setdefault(player, {})
            for key, units in counted.items():
                sums[key] = sums.get(key, 0) + units
            hands[player] = hands.get(player, 0) + 1
        for player in {award.player for award in hand.awards if award.units}:
            won[player] = won.get(player, 0) + 1
        for player, cards in hand.drawn.items():
            drawn.setdefault(player, []).append(cards)
    return [
        Figures(
            name_of(player),
            hands[player],
            won.get(player, 0),
            [rate(marks[player][f"{key}_n"], marks[player][f"{key}_of"]) for key, _, _ in RATES],
            f"{sum(drawn[player]) / len(drawn[player]):.1f}" if player in drawn else "",
        )
        for player in session.people()
        if player in hands
    ]


_COUNTS = {
    "session": "Losses are counted over this session.",
    "day": "The house counts losses by the calendar day; this is this session's part.",
    "24_hours": "The house counts losses over 24 hours; this is this session's part.",
    "gross": "The house counts losses gross: what losing hands cost, whatever was won.",
}


def _limit(row: dict[str, object], session: Session) -> Limit:
    limit, lowest, net = row["limit"], row["lowest"], row["net"]
    assert isinstance(lowest, int)
    assert isinstance(net, int)
    kept = ""
    if isinstance(limit, int):
        after = row["hands_after"]
        kept = "kept"
        if row["reached_at_hand"] is not None:
            kept = f"reached at hand {row['reached_at_hand']}, {after or 'no'} hand{'' if after == 1 else 's'} after it"
    stop, late = row["stop_at"], row["minutes_after"]
    return Limit(
        str(row["name"]),
        both(limit, session.unit) if isinstance(limit, int) else "none",
        signed(lowest),
        kept,
        str(stop)[11:16] if stop else "none",
        "" if not stop else f"{late} minute{'' if late == 1 else 's'} over" if late else "kept",
    )


def _correction(session: Session, gone: Recorded, what: Sequence[Recorded], name_of: NameOf) -> Correction:
    """A withdrawal told: what was asked for and is withdrawn, without what the rules implied of it."""
    event = gone.event
    assert isinstance(event, ev.Withdrawn)
    asked = [r for r in what if r.cause is None]
    told_ = [t for r in asked if (t := tell_openly(r.event, name_of, stands=False))]
    heading = "Taken back" if event.kind == "undo" else "The sheet was changed"
    if session.timed:
        heading += f", {clock(gone.occurred_at, gone.zone)}"
    return Correction(heading, event.reason, told_[:_MANY_WITHDRAWN], max(len(told_) - _MANY_WITHDRAWN, 0))


def _irregular(session: Session, name_of: NameOf) -> list[Irregular]:
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


def receipt_of(position: int, hash_: bytes, verified: Verified | Broken) -> Receipt:
    """The receipt for an event, with what verifying the chain said."""
    if isinstance(verified, Broken):
        answer = f"The chain is broken at event {verified.position}: {verified.reason}."
        return Receipt(position, hash_.hex(), False, answer)
    answer = f"Every hash was computed again from what is stored: the chain holds, {verified.events} events."
    if verified.withheld:
        ranges = listed(f"{first} to {end}" for first, end in verified.withheld)
        answer += f" Of events {ranges} only the hash is in this copy."
    return Receipt(position, hash_.hex(), True, answer)
