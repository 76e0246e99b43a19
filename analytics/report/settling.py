"""Who owes whom, who won what, and the kitty: the money of an evening as its report says it."""

from typing import Any, NamedTuple

from analytics.report.stories import NameOf
from analytics.report.words import amount, both, counters, date_words, gain, listed, number, sign, signed
from ledger.corrections import PutRight
from ledger.session.state import RAKE, Session
from ledger.views import kitty_given


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


class Kitty(NamedTuple):
    """What the kitty took, whose pools it came from, and what became of it."""

    holds: str
    keeper: str
    taken: str
    given: str
    moves: list[str]


def payments(session: Session, settled: dict[str, Any]) -> list[Payment]:
    """The payments of a `settle_view`."""
    unit = session.unit
    return [
        Payment(p["from"], p["to"], amount(p["units"], unit), counters(p["units"]) if unit else "")
        for p in settled["payments"]
    ]


def people(session: Session, settled: dict[str, Any]) -> list[Person]:
    """Everybody of a `settle_view`, who won most first."""
    return [
        Person(
            p["name"],
            f"{p['bought']} → {p['cashed']}",
            signed(p["net"]),
            gain(p["net"], session.unit),
            sign(p["net"]),
        )
        for p in sorted(settled["players"], key=lambda p: -p["net"])
    ]


AS_RECORDED = "As it was played: rulings, and corrections after the close, are left out."


def put_right_said(right: PutRight, name_of: NameOf) -> list[str]:
    """What was moved since the close, or that it is told as it was played."""
    if right.as_recorded:
        return [AS_RECORDED]
    moved = [f"{name_of(p)} {signed(units)}" for p, units in right.session.items() if units]
    return [f"Corrected after the close, in counters: {listed(moved)}."] if moved else []


def provisos(session: Session, settled: dict[str, Any]) -> list[str]:
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
    for share in settled["borne"]:
        what = f"{'is owed' if share['units'] > 0 else 'owes'} {both(abs(share['units']), session.unit)}"
        said.append(f"Counters found and counters recorded differ: {share['by']} {what}.")
    return said


def message(session: Session, paid: list[Payment], purse: Kitty | None) -> str:
    """The settlement as text to be sent to the group."""
    lines = [f"{session.title}, {date_words(session.date)}"]
    lines += [f"{p.frm} pays {p.to} {p.amount}" for p in paid] or ["Nobody owes anybody anything."]
    if purse is not None and session.bank.kitty:
        lines.append(f"In the kitty: {purse.holds}, kept by {purse.keeper}")
    if not session.closed:
        lines.append("(The session is not closed yet.)")
    return "\n".join(lines)


def kitty(session: Session, name_of: NameOf, keeper: str) -> Kitty | None:
    """The kitty of an evening, kept by `keeper`; None where there was none. Rake is no part of it."""
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
        f"{both(units, unit)} from the pools of {number(hands, 'hand')}" if units else "nothing",
        listed(f"{name} {units}" for name, units in given) if given else "",
        moves,
    )


_MOVED = {"paid": "Paid to", "spent": "Spent", "shared": "Shared out to"}
