"""A hand as a PokerStars history tells it: plain values, amounts in units (cents, or chips of play money)."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal

Verb = Literal[
    "small", "big", "both", "ante", "fold", "check", "call", "bet", "raise", "draw", "show", "muck"
]
POSTS: frozenset[Verb] = frozenset({"small", "big", "both", "ante"})


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file is not taken in: the line (from 1), what is wrong with it, whether it was read at all.

    `broken`: it could be read, and the rules or the sums forbid it.
    """

    line: int
    message: str
    rule: str | None = None
    broken: bool = False


class UnreadableError(Exception):
    """Ends the reading of a file at a line; `found` is what is told of it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.found = Unreadable(line, message)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The game: its limit, the two amounts of its heading, its currency (None: play money) and that one's mark."""

    limit: Literal["fixed", "pot", "none"]
    small: int
    big: int
    currency: str | None
    mark: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table when the hand begins, with what lies before him; `out`: he is not dealt in."""

    line: int
    number: int
    name: str
    units: int
    out: bool


@dataclass(frozen=True, slots=True)
class Action:
    """One line of play. `units` put in (a raise: above the highest stake), `to` the stake a raise makes.

    `cards` are those shown, thrown away, or stood pat on; `received` what came for them, where the file knows.
    """

    line: int
    player: str
    verb: Verb
    units: int = 0
    to: int = 0
    all_in: bool = False
    count: int = 0
    cards: tuple[int, ...] | None = None
    received: tuple[int, ...] | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount that a line gives somebody; `pot` is the number of the pot it is of (0: the main or only one)."""

    line: int
    player: str
    units: int
    pot: int = 0


@dataclass(frozen=True, slots=True)
class Ending:
    """What the summary says of one seat: `fate` is folded, showed, mucked or collected."""

    line: int
    player: str
    fate: Literal["folded", "showed", "mucked", "collected"]
    stage: str = ""
    no_bet: bool = False
    cards: tuple[int, ...] | None = None
    won: int | None = None
    words: str = ""
    places: tuple[str, ...] = ()
    """Which of button, small blind and big blind he was, as printed."""


@dataclass(slots=True)
class Played:
    """One hand of a file. It is filled by the reader alone; `at` is the clock of New York."""

    line: int
    id: str
    stakes: Stakes
    at: dt.datetime
    table: str = ""
    button: int = 0
    last_line: int = 0
    seats: dict[str, Seat] = field(default_factory=dict)
    hero: str | None = None
    hole: tuple[int, ...] = ()
    hole_line: int = 0
    deal_line: int = 0
    actions: list[Action] = field(default_factory=list)
    uncalled: list[Sum] = field(default_factory=list)
    collected: list[Sum] = field(default_factory=list)
    total: int | None = None
    total_line: int = 0
    rake: int = 0
    pots: list[int] = field(default_factory=list)
    """What the summary prints of the main pot and each side pot, where it tells them apart."""
    endings: dict[str, Ending] = field(default_factory=dict)
    digest: bytes = b""

    def dealt_in(self) -> list[Seat]:
        """Who plays, in the order of the seats."""
        return sorted((s for s in self.seats.values() if not s.out), key=lambda s: s.number)
