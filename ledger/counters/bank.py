"""The bank: where every counter is. Sold, held, in the pool, in the kitty, spent, bought back; in units.

The bank belongs to whoever folds events into it and changes in place. `check` is asked after every event (R-CONSERVE).
"""

from dataclasses import dataclass, field


class CountersLostError(AssertionError):
    """Counters that are nowhere, or twice: the stream cannot have been written by these rules."""


@dataclass(slots=True)
class Bank:
    """All counters of one session, by player id where they are a player's."""

    bought: dict[str, int] = field(default_factory=dict)
    """Sold to each player, rebuys included."""
    held: dict[str, int] = field(default_factory=dict)
    cashed: dict[str, int] = field(default_factory=dict)
    """Bought back from each player."""
    pool: int = 0
    kitty: int = 0
    spent: int = 0
    """Off the table: out of the kitty, and what the house kept as rake."""
    rake: int = 0
    """What of it was rake."""
    brought_forward: int = 0
    difference: int = 0
    """Counted less recorded, less what the kitty bore of it."""

    def copy(self) -> "Bank":
        """A bank that changes apart from this one."""
        return Bank(
            dict(self.bought), dict(self.held), dict(self.cashed), self.pool, self.kitty, self.spent,
            self.rake, self.brought_forward, self.difference,
        )  # fmt: skip

    def sell(self, player: str, units: int) -> None:
        """Counters to a player."""
        self.bought[player] = self.bought.get(player, 0) + units
        self.held[player] = self.held.get(player, 0) + units

    def buy_back(self, player: str, units: int) -> None:
        """Counters back from a player."""
        self.cashed[player] = self.cashed.get(player, 0) + units
        self.held[player] -= units

    def count(self, player: str, units: int) -> None:
        """A player's counters are found to be so many; what differs from the record is kept as the difference."""
        self.difference += units - self.held.get(player, 0)
        self.held[player] = units

    def stake(self, player: str, units: int) -> None:
        """From a player into the pool."""
        self.held[player] = self.held.get(player, 0) - units
        self.pool += units

    def give(self, player: str, units: int) -> None:
        """Out of the pool to a player: an award, or a stake that comes back."""
        self.held[player] = self.held.get(player, 0) + units
        self.pool -= units

    def move(self, giver: str, taker: str, units: int) -> None:
        """From one player to another, by a ruling."""
        self.held[giver] = self.held.get(giver, 0) - units
        self.held[taker] = self.held.get(taker, 0) + units

    def net(self, player: str) -> int:
        """Held and bought back less bought: how the player stands."""
        return self.held.get(player, 0) + self.cashed.get(player, 0) - self.bought.get(player, 0)

    def all_there(self) -> int:
        """All counters there should be: sold, brought forward, and found too many or missing."""
        return sum(self.bought.values()) + self.brought_forward + self.difference

    def check(self) -> None:
        """Raises CountersLostError where counters are nowhere, twice, or less than none (R-CONSERVE)."""
        there = self.all_there()
        held = self.held.values()
        here = sum(held) + sum(self.cashed.values()) + self.pool + self.kitty + self.spent
        if there != here:
            raise CountersLostError(f"{there} counters are accounted for, {here} are there")
        if self.pool < 0 or self.kitty < 0 or (held and min(held) < 0):
            raise CountersLostError("somebody holds less than no counters")
