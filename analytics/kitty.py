"""The kitty's accounts: every movement, what was taken from whose pools, what each session's kitty holds.

The kitty is the players' money; rake, what the house that runs the table keeps, stands apart under its own reason.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from analytics.reports import Purse, ask, unit_of
from analytics.scope import Scope, open_scope
from ledger.counters.money import Unit

if TYPE_CHECKING:
    import duckdb


class Movement(NamedTuple):
    """One movement; units are positive and the kind says which way. `balance` is the session's kitty after it."""

    session: str
    title: str
    played_on: str
    unit: Unit | None
    hand: int | None
    kind: str
    units: int
    player: str | None
    reason: str
    balance: int
    told_at: int


class Balance(NamedTuple):
    """One session's kitty: what it had from before, took, paid, spent, shared and bore, and what it holds.

    `borne` is what counters missing added to it, below nought what counters too many took.
    """

    session: str
    title: str
    played_on: str
    unit: Unit | None
    forward: int
    taken: int
    paid: int
    spent: int
    shared: int
    borne: int
    balance: int


@dataclass(frozen=True, slots=True)
class Accounts:
    """The kitty over the sessions of a scope; `holds` counts what was brought forward once."""

    movements: list[Movement]
    balances: list[Balance]
    given: dict[str, Purse] = field(default_factory=dict)

    @property
    def holds(self) -> Purse:
        """What the kitties hold together: what a session brought forward lies in it and not in the one before."""
        if len(self.balances) == 1:
            return Purse([(b.balance, b.unit) for b in self.balances])
        return Purse([(b.balance - b.forward, b.unit) for b in self.balances])


def kitty_accounts(connection: "duckdb.DuckDBPyConnection", scope: Scope) -> Accounts:
    """The accounts over the sessions of the scope; with a player, the movements that concern him."""
    open_scope(connection, scope)
    wanted = scope.player
    movements = [
        Movement(
            row["session"], row["title"], row["played_on"], unit_of(row), row["hand"], row["kind"], row["units"],
            row["player"], row["reason"], row["balance"], row["told_at"],
        )
        for row in ask(connection, "kitty")
        if wanted in (None, row["player"])
    ]  # fmt: skip
    balances = [
        Balance(
            row["session"], row["title"], row["played_on"], unit_of(row), row["forward"], row["taken"], row["paid"],
            row["spent"], row["shared"], row["borne"], row["balance"],
        )
        for row in ask(connection, "kitty_balances")
    ]  # fmt: skip
    given: dict[str, Purse] = {}
    for row in ask(connection, "kitty_given"):
        if wanted in (None, row["player"]):
            given.setdefault(row["player"], Purse()).parts.append((row["given"], unit_of(row)))
    return Accounts(movements, balances, given)
