"""One evening as it stands: its rules, its people, the hand in play, every counter.

A `Session` belongs to whoever folds recorded events into it and changes in place, by `project.py` alone. Lists that
only grow (`log`, `hands`, `rulings` ...) are cut back by length when something is withdrawn; everything else is copied
into a `Checkpoint` before every few hands, so that a withdrawal folds those again and not the evening.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ledger import events as ev
from ledger.counters.bank import Bank
from ledger.counters.colours import Colours
from ledger.counters.limits import Watch
from ledger.counters.money import Unit
from ledger.rules.model import Rules
from ledger.table.hand import Hand


class Recorded(NamedTuple):
    """An event with what its header says of it.

    `version` counts within the session from 1; `occurred_at` is microseconds since 1970 UTC in `zone`; `cause` the
    version of the event that implied this one; `position` in the ledger is None before it is appended.
    """

    version: int
    event: ev.Event
    occurred_at: int
    zone: str
    command: bytes
    cause: int | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """What one command recorded: from version `first` to the next one's."""

    command: bytes
    first: int


RAKE = "rake"
"""The reason of the kitty's entries that tell what the house took and carried off."""


@dataclass(frozen=True, slots=True)
class KittyEntry:
    """A movement of the kitty: units are positive, the kind says which way."""

    version: int
    hand: int | None
    units: int
    kind: str
    player: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A ruling about a hand; units nought: nothing moved."""

    version: int
    hand: int
    text: str
    units: int
    giver: str | None
    taker: str | None


@dataclass(frozen=True, slots=True)
class DisputeRaised:
    """A dispute about a hand."""

    version: int
    hand: int
    player: str
    claim: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What was withdrawn, by which event."""

    version: int
    kind: str
    first: int
    last: int
    reason: str


@dataclass(slots=True)
class Checkpoint:
    """The state before a version: small parts copied, growing lists by their length."""

    before: int
    fields: dict[str, object]
    lengths: dict[str, int]


@dataclass(slots=True)
class Session:
    """The state of one session. Players are ids, amounts units, times microseconds UTC."""

    id: str
    version: int = 0
    told_at: int = 0
    zone: str = "UTC"
    opened_at: int = 0
    title: str = ""
    date: str = ""
    timed: bool = False
    rules: Rules | None = None
    unit: Unit | None = None
    colours: Colours = ()
    kitty_left: tuple[ev.KittyLeft, ...] = ()
    banker: str | None = None
    treasurer: str | None = None
    seats: list[str] = field(default_factory=list)
    """Everybody who sat down, clockwise; who left keeps his place for the passing of the deal."""
    away: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    played: set[str] = field(default_factory=set)
    """Who was dealt into a hand."""
    bank: Bank = field(default_factory=Bank)
    hand: Hand | None = None
    """The hand in play, or the last one played."""
    rung: int | None = None
    """Where the next hand is a jack-pot: its place in the series, from nought."""
    putters: list[str] = field(default_factory=list)
    """Who put into the pool that is carried."""
    cuts: list[tuple[str, int]] = field(default_factory=list)
    watches: dict[str, Watch] = field(default_factory=dict)
    stop_all: int | None = None
    difference_by: str | None = None
    borne: list[ev.DifferenceBorne] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    closed: bool = False

    log: list[Recorded] = field(default_factory=list)
    """What stands: every event not withdrawn, in order."""
    spans: list[Span] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    kitty_entries: list[KittyEntry] = field(default_factory=list)
    rulings: list[RulingMade] = field(default_factory=list)
    disputes: list[DisputeRaised] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    withdrawn: list[Withdrawal] = field(default_factory=list)
    """Never cut back: the record of what was withdrawn."""

    @property
    def in_play(self) -> Hand | None:
        """The hand being played, or None between hands."""
        return self.hand if self.hand is not None and not self.hand.over else None

    def dealt_in(self) -> list[str]:
        """Who would be dealt into the next hand, clockwise; under table stakes only who has counters."""
        there = [p for p in self.seats if p not in self.away and p not in self.gone]
        if self.rules is not None and self.rules.table_stakes:
            there = [p for p in there if self.bank.held.get(p, 0) > 0]
        return there

    def people(self) -> list[str]:
        """Everybody with a place in the reckoning: who sat down, and anybody else who ever had counters."""
        others = [p for p in [*self.bank.bought, *self.bank.held] if p not in self.seats]
        return [*self.seats, *dict.fromkeys(others)]

    def hand_numbered(self, number: int) -> Hand | None:
        """The hand of that number (from 1), or None."""
        return self.hands[number - 1] if 1 <= number <= len(self.hands) else None

    def hand_net(self, hand: Hand) -> dict[str, int]:
        """What the hand brought each player dealt in, rulings on it included, in units."""
        net = {p: hand.returned.get(p, 0) - hand.staked.get(p, 0) for p in hand.players}
        for award in hand.awards:
            net[award.player] += award.units
        for ruling in self.rulings:
            if ruling.hand == hand.number and ruling.giver is not None and ruling.taker is not None:
                net[ruling.giver] = net.get(ruling.giver, 0) - ruling.units
                net[ruling.taker] = net.get(ruling.taker, 0) + ruling.units
        return net

    def seat_order(self, start: str) -> Iterator[str]:
        """All seats clockwise, the first to the left of `start`, `start` himself last."""
        at = self.seats.index(start)
        yield from self.seats[at + 1 :]
        yield from self.seats[: at + 1]


_GROWING = ("log", "spans", "hands", "kitty_entries", "rulings", "disputes", "checkpoints")
_KEPT = ("id", "withdrawn", *_GROWING)


def checkpoint(session: Session) -> Checkpoint:
    """What it takes to come back to this state while no hand is in play."""
    fields: dict[str, object] = {}
    for name in Session.__slots__:
        if name not in _KEPT:
            fields[name] = _copied(getattr(session, name))
    return Checkpoint(session.version + 1, fields, {name: len(getattr(session, name)) for name in _GROWING})


def restore(session: Session, first: int) -> list[Recorded]:
    """Takes the session back to the last checkpoint before `first`; gives what stood between, to be folded again."""
    usable = [c for c in session.checkpoints if c.before <= first]
    point = usable[-1] if usable else checkpoint(Session(session.id))
    again = [r for r in session.log[point.lengths["log"] :] if r.version < first]
    for name, value in point.fields.items():
        setattr(session, name, _copied(value))
    for name in _GROWING:
        del getattr(session, name)[point.lengths[name] :]
    return again


def _copied(value: object) -> object:
    if isinstance(value, Bank):
        return value.copy()
    if isinstance(value, (dict, list, set)):
        return value.copy()
    return value
