"""What has to be noted while an evening is folded, because the state after it no longer tells.

`Evening` folds one session with the projector that everything else uses, and before each event looks at what the
player faced. Notes carry the version of their event, so that a withdrawal drops just those it takes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.loading import DamagedError
from ledger.session.project import project
from ledger.session.state import Recorded, Session
from ledger.store.model import StoredEvent
from ledger.table.betting import full_size
from ledger.table.draw import pack_size
from ledger.table.hand import Hand
from ledger.table.posts import straddle_due


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a player did. `units` are put in (of a draw: cards); `stake` is his stake of the interval after it.

    Before it: `mine` his stake, `high` the highest, `entry` the least stake of one who goes in, `pool` the pool.
    """

    version: int
    player: str
    stage: str
    action: str
    units: int
    stake: int
    mine: int
    high: int
    entry: int
    pool: int
    told_at: int


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw, with what the record knew then: the hand before it, the cards it had elsewhere."""

    version: int
    player: str
    count: int
    before: tuple[int, ...] | None
    elsewhere: tuple[int, ...]
    ran_out: bool


@dataclass(frozen=True, slots=True)
class Told:
    """Cards thrown away (`discarded`) or `received` in a draw."""

    version: int
    player: str
    kind: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """Who was in when the draw was over (`after`) or the show began (`show`), who might straddle (`option`).

    `void`: a deal was void.
    """

    version: int
    kind: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """How everybody stood when the pool was decided: units held, net (held and bought back less bought), limit."""

    version: int
    held: dict[str, int]
    net: dict[str, int]
    limits: dict[str, int]


Note = Act | Draw | Told | Moment | Ended


@dataclass(slots=True)
class HandNotes:
    """The notes on one hand; `in_play` are the units before all players and in the pool when it began."""

    number: int
    version: int
    in_play: int
    notes: list[Note] = field(default_factory=list)

    def acts(self) -> Iterator[Act]:
        """What the players did, in order."""
        return (n for n in self.notes if isinstance(n, Act))

    def draws(self) -> Iterator[Draw]:
        """The draws, in order."""
        return (n for n in self.notes if isinstance(n, Draw))

    def told(self, player: str, kind: str) -> tuple[int, ...] | None:
        """The cards a player threw away (`discarded`) or `received`, where they were told."""
        found = (n.cards for n in self.notes if isinstance(n, Told) and (n.player, n.kind) == (player, kind))
        return next(found, None)

    def moment(self, kind: str) -> tuple[str, ...]:
        """Who was in at that moment; nobody where it did not come."""
        return next((n.players for n in self.notes if isinstance(n, Moment) and n.kind == kind), ())

    def void(self) -> int:
        """The version of the last event that made a deal void; 0: none did."""
        return max((n.version for n in self.notes if isinstance(n, Moment) and n.kind == "void"), default=0)

    def passed(self, player: str) -> bool:
        """Whether he passed, in a deal that was not void."""
        void = self.void()
        return any(a.player == player and a.action == "pass" and a.version > void for a in self.acts())

    def options(self) -> set[str]:
        """Who might straddle."""
        return {p for n in self.notes if isinstance(n, Moment) and n.kind == "option" for p in n.players}

    def ended(self) -> Ended | None:
        """How everybody stood at its end."""
        return next((n for n in self.notes if isinstance(n, Ended)), None)


class Evening:
    """One session, folded as far as it was given, with its notes and the first hand changed since `settled`."""

    def __init__(self, session: str) -> None:
        self.session = Session(session)
        self.position = 0
        self.hands: list[HandNotes] = []
        self.changed_from: int | None = None

    def take(self, stored: StoredEvent) -> None:
        """Folds one stored event. Raises DamagedError, naming it, where it cannot belong to this stream."""
        recorded = to_recorded(stored)
        try:
            self._take(recorded)
        except (AssertionError, KeyError, ValueError, IndexError) as fault:
            raise DamagedError(
                f"event {stored.position} does not fit what is recorded before it: "
                f"{fault or type(fault).__name__}; mistigris verify says where the record was changed"
            ) from None
        self.position = stored.position

    def settled(self) -> int:
        """What was given so far is in the facts; says how many hands are over in that."""
        self.changed_from = None
        return sum(hand.over for hand in self.session.hands)

    def _take(self, recorded: Recorded) -> None:
        event = recorded.event
        if isinstance(event, ev.Withdrawn):
            self._withdraw(recorded, event)
            return
        session = self.session
        hand = session.in_play
        if isinstance(event, ev.HandBegun):
            in_play = sum(session.bank.held.values()) + session.bank.pool
            self.hands.append(HandNotes(event.number, recorded.version, in_play))
        noted = _before(hand, event, recorded, session.bank.held) if hand is not None else []
        project(session, recorded)
        if hand is not None:
            self.hands[hand.number - 1].notes += noted
            self._after(hand, event, recorded)
        self._change(_hand_of(session, event))

    def _withdraw(self, recorded: Recorded, event: ev.Withdrawn) -> None:
        gone = [r for r in self.session.log if r.version >= event.first]
        numbers = [h.number for h in self.session.hands if h.last_version >= event.first]
        numbers += [r.event.hand for r in gone if isinstance(r.event, ev.Ruled | ev.Disputed)]
        if any(isinstance(r.event, ev.PoolShared) for r in gone) and self.session.hand is not None:
            numbers.append(self.session.hand.number)
        project(self.session, recorded)
        while self.hands and self.hands[-1].version >= event.first:
            self.hands.pop()
        if self.hands:
            notes = self.hands[-1].notes
            while notes and notes[-1].version >= event.first:
                notes.pop()
        for number in numbers:
            self._change(number)

    def _change(self, number: int | None) -> None:
        if number is not None and (self.changed_from is None or number < self.changed_from):
            self.changed_from = number

    def _after(self, hand: Hand, event: ev.Event, recorded: Recorded) -> None:
        """Notes the draw, and the moments that the event brought about."""
        notes, version = self.hands[hand.number - 1].notes, recorded.version
        if isinstance(event, ev.CardsKnown) and event.kind != "holds":
            notes.append(Told(version, event.player, event.kind, event.cards))
        if isinstance(event, ev.Misdealt):
            notes.append(Moment(version, "void", ()))
        late = hand.phase in ("after_draw", "show")
        seen = {n.kind for n in notes if isinstance(n, Moment)} if late else set()
        if late and "after" not in seen and hand.drawing and len(hand.live) > 1:
            notes.append(Moment(version, "after", tuple(hand.live)))
        if hand.phase == "show" and "show" not in seen and len(hand.live) > 1:
            notes.append(Moment(version, "show", tuple(hand.live)))
        if hand.over and not isinstance(event, ev.MarkedIrregular):
            bank = self.session.bank
            people = {*self.session.seats, *hand.players}
            held, net = {p: bank.held.get(p, 0) for p in people}, {p: bank.net(p) for p in people}
            limits = {p: w.limit for p, w in self.session.watches.items() if w.limit is not None}
            notes.append(Ended(version, held, net, limits))


def _hand_of(session: Session, event: ev.Event) -> int | None:
    """The hand whose facts an event changes, after it was folded; None: of no hand."""
    if isinstance(event, ev.Ruled | ev.Disputed):
        return event.hand
    if isinstance(event, ev.PoolShared | ev.HandBegun | ev.MarkedIrregular) or session.in_play is not None:
        return session.hand.number if session.hand is not None else None
    hand = session.hand
    return hand.number if hand is not None and hand.last_version == session.version else None


_POSTS: dict[type[ev.Event], str] = {
    ev.AntePosted: "ante",
    ev.BlindPosted: "blind",
    ev.Straddled: "straddle",
}
_PLAIN: dict[type[ev.Event], str] = {
    ev.Checked: "check",
    ev.Passed: "pass",
    ev.Shown: "show",
    ev.Mucked: "muck",
}


def _before(hand: Hand, event: ev.Event, recorded: Recorded, held: dict[str, int]) -> list[Note]:
    """What is noted of an event before it is folded."""
    version = recorded.version
    if isinstance(event, ev.Staked):
        return [_act(hand, event.player, event.action, event.units, event.to, recorded)]
    if type(event) in _PLAIN:
        player: str = event.player  # type: ignore[attr-defined]
        return [_act(hand, player, _PLAIN[type(event)], 0, hand.stake.get(player, 0), recorded)]
    if isinstance(event, ev.Drew):
        elsewhere = tuple(c for c, (whose, _) in hand.places.items() if whose != event.player)
        ran_dry = 5 * len(hand.players) + sum(hand.drawn.values()) + event.count > pack_size(hand)
        draw = Draw(version, event.player, event.count, hand.known.get(event.player), elsewhere, ran_dry)
        return [
            draw,
            _act(hand, event.player, "draw", event.count, hand.stake.get(event.player, 0), recorded),
        ]
    if type(event) in _POSTS:
        return [*_option(hand, event, version, held), _post(hand, event, recorded)]
    return _option(hand, event, version, held) if isinstance(event, ev.Dealt) else []


def _act(hand: Hand, player: str, action: str, units: int, stake: int, recorded: Recorded) -> Act:
    mine = hand.stake.get(player, 0)
    entry = hand.price() if hand.old else max(hand.high, hand.rules.big or 0) or full_size(hand)
    stage = "before_draw" if hand.phase == "draw" and action != "draw" else hand.phase
    stage = "draw" if action == "draw" else stage
    return Act(
        recorded.version, player, stage, action, units, stake, mine, hand.high, entry, hand.pool, recorded.occurred_at
    )  # fmt: skip


def _post(hand: Hand, event: ev.Event, recorded: Recorded) -> Act:
    assert isinstance(event, ev.AntePosted | ev.BlindPosted | ev.Straddled)
    mine = hand.stake.get(event.player, 0)
    live = isinstance(event, ev.Straddled) or event.live
    stake = mine + event.units if live else mine
    return Act(
        recorded.version, event.player, "posts", _POSTS[type(event)], event.units, stake, mine, hand.high, 0,
        hand.pool, recorded.occurred_at,
    )  # fmt: skip


def _option(hand: Hand, event: ev.Event, version: int, held: dict[str, int]) -> list[Note]:
    """Who might straddle when the cards were dealt, or straddled."""
    if isinstance(event, ev.Straddled):
        return [Moment(version, "option", (event.player,))]
    due = straddle_due(hand) if isinstance(event, ev.Dealt) else None
    if due is None or held.get(due[0], 0) < due[1]:
        return []
    return [Moment(version, "option", (due[0],))]
