"""One hand as it stands: who is in, what is staked, whose say it is, which cards are known.

A `Hand` belongs to whoever folds events into it; it changes in place, by `project.py` alone. All amounts are units.
Players are in order from the dealer's left, the dealer last, which is the order of the deal, the draw and (under the
modern rules) of betting.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ledger.rules.model import HandName, Rank, Rules

Phase = Literal["before_deal", "before_draw", "draw", "after_draw", "show", "over"]


@dataclass(frozen=True, slots=True)
class Award:
    """What one player took of one pot, in units; `hand` None where no cards decided."""

    player: str
    units: int
    pot: int
    hand: HandName | None


@dataclass(frozen=True, slots=True)
class Mark:
    """An irregularity: the version of the event that marks it, the rule, what happened, who."""

    version: int
    rule: str
    message: str
    player: str | None


@dataclass(slots=True)
class Hand:
    """One hand in play or over. `version` counters are of the session's stream."""

    number: int
    dealer: str
    players: tuple[str, ...]
    rules: Rules
    openers: Rank | None
    carried: int
    first_version: int
    begun_at: int
    source_id: str | None = None
    """What the hand is called where it was imported from."""
    dead_small: bool = False
    """The small blind fell to an empty seat: nobody posts it, and the dealer's left posts the big one."""
    phase: Phase = "before_deal"
    last_version: int = 0
    ended_at: int = 0

    # counters
    pool: int = 0
    staked: dict[str, int] = field(default_factory=dict)
    """All a player put in, antes and penalties too."""
    claims: dict[str, int] = field(default_factory=dict)
    """What of it counts for side pots: antes of everybody and live stakes, less what came back."""
    returned: dict[str, int] = field(default_factory=dict)
    kitty: int = 0
    kitty_ruled: bool = False
    """The house rule's part has been taken."""
    rake: dict[int, int] = field(default_factory=dict)
    """What the house that runs the table kept of each pot, apart from the kitty's part."""
    deciding: bool = False
    """Nothing more is to be played; the pool goes out."""
    won_pool: int = 0
    """The pool there was to win: with what was carried, without what came back, before the kitty."""
    awards: list[Award] = field(default_factory=list)
    stated: list[tuple[str, int]] = field(default_factory=list)
    carried_on: int = 0
    """What was left in the pool for the next hand."""
    pool_at_draw: int | None = None

    # who is in, whose say
    live: list[str] = field(default_factory=list)
    all_in: set[str] = field(default_factory=set)
    to_speak: list[str] = field(default_factory=list)
    stake: dict[str, int] = field(default_factory=dict)
    """Stakes of this interval of betting."""
    high: int = 0
    last_raiser: str | None = None
    entered: bool = False
    """Somebody has staked of his own accord, if only by calling a blind."""
    opener: str | None = None
    opened_with: int = 0
    forced: list[tuple[str, int]] = field(default_factory=list)
    """The age's ante and the straddles, or the blinds, in the order put up: (player, stake)."""
    anted: set[str] = field(default_factory=set)
    stood: set[str] = field(default_factory=set)
    spoken: set[str] = field(default_factory=set)
    """Who has spoken since the last full bet or raise (R-MIN-RAISE)."""
    last_full: int = 0
    raises: int = 0
    two_left: bool = False
    """Only two were left when this interval started (R-FIXED-LIMIT: no cap)."""
    called: bool = False
    """Somebody was called or bet to in the interval that led to the show."""

    # cards
    drawn: dict[str, int] = field(default_factory=dict)
    known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The cards a player holds, where the record knows all of them."""
    places: dict[int, tuple[str, bool | None]] = field(default_factory=dict)
    """Known cards: whose, and whether still in his hand (False: thrown away; None: he drew, and nobody said)."""
    exposed: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Cards of a player that the dealer turned up in this deal."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Cards in a foul hand that is played short."""
    shown: dict[str, tuple[int, ...]] = field(default_factory=dict)
    proved: bool = False
    """The opener of a jack-pot has shown his openers."""
    false_opening: bool = False
    """The opener of a jack-pot showed that he had none (R-JACK-FALSE)."""
    penalty: int | None = None
    given_back: bool = False
    """The stake of a false opening came back."""
    declared: dict[str, HandName] = field(default_factory=dict)
    mucked: set[str] = field(default_factory=set)
    ranks: dict[str, int] = field(default_factory=dict)
    classes: dict[str, HandName] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)

    def copy(self) -> "Hand":
        """A hand that can be folded further and leaves this one as it is."""
        parts = {f.name: getattr(self, f.name) for f in fields(self)}
        apart: dict[str, Any] = {n: p.copy() for n, p in parts.items() if isinstance(p, (dict, list, set))}
        return replace(self, **apart)

    @property
    def age(self) -> str:
        """The eldest hand, left of the dealer."""
        return self.players[0]

    @property
    def old(self) -> bool:
        """Whether the first stake is the age's ante and not blinds."""
        return self.rules.structure == "ante"

    @property
    def over(self) -> bool:
        """Whether the hand's pool is decided."""
        return self.phase == "over"

    @property
    def unwon(self) -> bool:
        """Whether the hand ended without a winner, so that its pool, were it empty, is carried (R-JACK-TRIGGER)."""
        return self.over and not self.deciding

    @property
    def to_win(self) -> int:
        """The pool there is to win, before the kitty's part."""
        return self.won_pool if self.deciding else self.pool + self.kitty + self.raked

    @property
    def raked(self) -> int:
        """What was kept of the pool as rake."""
        return sum(self.rake.values())

    @property
    def drawing(self) -> bool:
        """Whether somebody has drawn."""
        return bool(self.drawn)

    def after(self, player: str) -> list[str]:
        """The other players, from the left of the given one round to his right."""
        at = self.players.index(player)
        return [*self.players[at + 1 :], *self.players[:at]]

    def next_drawer(self) -> str | None:
        """The first still in, from the dealer's left, who has not drawn (R-DRAW-ORDER)."""
        for player in self.players:
            if player in self.live and player not in self.drawn:
                return player
        return None

    def unshown(self) -> list[str]:
        """Who is in at the show and has neither shown nor thrown his hand away, in the order of showing."""
        return [p for p in self.show_order() if p not in self.shown and p not in self.mucked]

    def show_order(self) -> list[str]:
        """Who shows first, second ... (R-SHOW-ORDER)."""
        if not self.called or self.last_raiser is None:
            order = list(self.players)
        elif self.rules.show_first == "last_raiser":
            order = [self.last_raiser, *self.after(self.last_raiser)]
        else:
            order = [*self.after(self.last_raiser), self.last_raiser]
        return [p for p in order if p in self.live]

    def claimants(self) -> list[str]:
        """Who is still in and has not thrown his hand away at the show, from the dealer's left."""
        return [p for p in self.players if p in self.live and p not in self.mucked]

    def price(self) -> int:
        """The price of entry under the old rules, in units of stake (R-GO-IN; a jack-pot: two antes)."""
        ante = self.rules.ante or 0
        if self.openers is not None or not self.forced:
            return 2 * ante
        if self.rules.go_in == "double_total":
            return 2 * sum(units for _, units in self.forced)
        return 2 * self.forced[-1][1]

    def size(self, player: str) -> int:
        """How many cards he plays with: five, or fewer in a short hand (R-FOUL)."""
        return self.sizes.get(player, 5)
