"""Where every counter is, reckoned a second way: from the stream alone, as transfers between accounts.

Knows nothing of hands, pots or sessions; what the ledger's own bank says is held against it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ledger import events as ev
from ledger.session.state import Recorded, Session

HOUSE, POOL, KITTY, SPENT, UNRECORDED = "house", "pool", "kitty", "spent", "unrecorded"
Transfer = tuple[str, str, int]


def standing(stream: Iterable[Recorded]) -> list[Recorded]:
    """What of a stream is not withdrawn."""
    rows: list[Recorded] = []
    for recorded in stream:
        event = recorded.event
        if isinstance(event, ev.Withdrawn):
            rows = [r for r in rows if r.version < event.first]
        else:
            rows.append(recorded)
    return rows


def transfer(event: Any) -> Transfer | None:
    """What an event moves: from, to, units."""
    row = _TRANSFERS.get(type(event))
    return None if row is None else row(event)


def _ruled(event: ev.Ruled) -> Transfer | None:
    return None if event.giver is None or event.taker is None else (event.giver, event.taker, event.units)


def _in(e: Any) -> Transfer:
    return (e.player, POOL, e.units)


def _out(e: Any) -> Transfer:
    return (POOL, e.player, e.units)


_TRANSFERS: dict[type[ev.Event], Callable[[Any], Transfer | None]] = {
    ev.CountersSold: lambda e: (HOUSE, e.player, e.units),
    ev.CountersBoughtBack: lambda e: (e.player, HOUSE, e.units),
    ev.KittyBroughtForward: lambda e: (HOUSE, KITTY, e.units),
    ev.CountersCounted: lambda e: (UNRECORDED, e.player, e.difference),
    ev.DifferenceBorne: lambda e: (UNRECORDED, KITTY, e.units) if e.kitty else None,
    ev.AntePosted: _in,
    ev.BlindPosted: _in,
    ev.Straddled: _in,
    ev.Staked: _in,
    ev.PenaltyPaid: _in,
    ev.UncalledReturned: _out,
    ev.StakeGivenBack: _out,
    ev.PoolAwarded: _out,
    ev.PoolShared: _out,
    ev.KittyTaken: lambda e: (POOL, KITTY, e.units),
    ev.KittyPaid: lambda e: (KITTY, e.player, e.units),
    ev.KittyShared: lambda e: (KITTY, e.player, e.units),
    ev.KittySpent: lambda e: (KITTY, SPENT, e.units),
    ev.Ruled: _ruled,
}


def accounts(stream: Iterable[Recorded]) -> Counter[str]:
    """The balance of every account; they come to nought together."""
    balance: Counter[str] = Counter()
    for recorded in stream:
        post(balance, recorded.event)
    return balance


def post(balance: Counter[str], event: ev.Event) -> None:
    """Posts what one event moves."""
    row = transfer(event)
    if row is not None:
        balance[row[0]] -= row[2]
        balance[row[1]] += row[2]


def assert_agrees(session: Session, balance: Counter[str]) -> None:
    """The ledger's bank says the same of every account."""
    bank = session.bank
    assert sum(balance.values()) == 0
    people = {a: units for a, units in balance.items() if len(a) == 32 and units}
    assert {p: units for p, units in bank.held.items() if units} == people
    assert (bank.pool, bank.kitty, bank.spent) == (balance[POOL], balance[KITTY], balance[SPENT])
    assert bank.difference == -balance[UNRECORDED]
    sold = sum(bank.bought.values()) + bank.brought_forward - sum(bank.cashed.values())
    assert sold == -balance[HOUSE]
    assert min((balance[POOL], balance[KITTY], balance[SPENT], *people.values()), default=0) >= 0
