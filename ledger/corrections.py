"""Corrections in plain sight: everything that was withdrawn, disputed, ruled or put right, with who, when and why.

Nothing is edited. In the evening a slip is withdrawn and entered anew, a dispute ends in a ruling; after the close a
correction is written to the present, in the ledger's own stream, and names what it corrects.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.house import corrections, write
from ledger.loading import load_session
from ledger.names import Names
from ledger.people import load_names
from ledger.session.state import Recorded, Session
from ledger.store.model import Appended
from ledger.store.store import Store

_KINDS = ("withdrawn", "disputed", "ruled", "corrected")
_LONGEST = 4000  # letters that an event's text may have


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction on record. `told_at` is the table's clock, `recorded_at` the store's, microseconds UTC.

    `by` is None where it was not told; `withdrawn` are the events that were taken back, in order.
    """

    position: int
    session: str
    kind: str
    hand: int | None
    by: str | None
    told_at: int
    zone: str
    recorded_at: int
    event: ev.Event
    withdrawn: tuple[Recorded, ...] = ()


def all_corrections(store: Store, session: str | None = None) -> list[Correction]:
    """Every correction of one session or of all, in the order they were recorded."""
    found = []
    for stored in store.of_type(*_KINDS):
        if stored.payload is None:
            continue
        recorded = to_recorded(stored)
        event = recorded.event
        of = event.session if isinstance(event, ev.Corrected) else stored.session
        if session not in (None, of):
            continue
        by = event.player if isinstance(event, ev.Disputed) else getattr(event, "by", None)
        found.append(
            Correction(
                stored.position, of, _kind(event), getattr(event, "hand", None), by, stored.occurred_at, stored.zone,
                stored.recorded_at, event, _withdrawn(store, of, event),
            )
        )  # fmt: skip
    return found


def _kind(event: ev.Event) -> str:
    return event.kind if isinstance(event, ev.Withdrawn) else event.type


def _withdrawn(store: Store, session: str, event: ev.Event) -> tuple[Recorded, ...]:
    if not isinstance(event, ev.Withdrawn):
        return ()
    stream = (to_recorded(s) for s in store.read(session) if event.first <= s.version <= event.last)
    return tuple(recorded for recorded in stream if recorded.cause is None)


def correct(
    store: Store,
    session: str,
    text: str,
    *,
    hand: int | None = None,
    event: int | None = None,
    units: int = 0,
    giver: str | None = None,
    taker: str | None = None,
    by: str | None = None,
) -> Appended:
    """Writes a correction of a closed session: why, and what moves (`units`) from whom to whom, if anything does.

    People are given by name, `hand` by its number, `event` by its position. Raises ValueError where it cannot be.
    """
    state, names = load_session(store, session), load_names(store)
    if not state.closed:
        raise ValueError(f"“{state.title}” is not closed: withdraw on its sheet, or write a ruling there")
    if not text.strip() or len(text) > _LONGEST or not text.isprintable():
        raise ValueError(f"a correction says why, in one line of 1 to {_LONGEST} characters")
    if not 0 <= units <= ev.MOST_UNITS:
        raise ValueError(f"{units} units cannot move; 1 to {ev.MOST_UNITS} can")
    if hand is not None and state.hand_numbered(hand) is None:
        raise ValueError(f"there is no hand {hand} in “{state.title}”")
    if event is not None and not any(r.position == event for r in state.log):
        raise ValueError(f"event {event} does not stand in “{state.title}”")
    if len({bool(units), giver is not None, taker is not None}) > 1:
        raise ValueError(
            "counters move from one player to another: units, from whom and to whom, or none of the three"
        )
    frm, to = _of_table(state, names, giver), _of_table(state, names, taker)
    if frm is not None and frm == to:
        raise ValueError("counters move from one player to another")
    who = None if by is None else names.player(by)
    if by is not None and who is None:
        raise ValueError(f"nobody is called {by}")
    made = ev.Corrected(
        session=session, text=text, hand=hand, event=event, units=units, giver=frm, taker=to, by=who
    )
    return write(store, [made])


def _of_table(state: Session, names: Names, name: str | None) -> str | None:
    """The id of somebody who was there; None where no name is given. Raises ValueError where he was not."""
    if name is None:
        return None
    player = names.player(name, state.people())
    if player not in state.people():
        raise ValueError(f"{name} was not at “{state.title}”")
    return player


@dataclass(frozen=True, slots=True)
class PutRight:
    """What a report moves to tell a session as corrected since its close, or as recorded, its rulings left out.

    Units by player, nought in all: of the whole session, and of each hand that a ruling or correction names.
    `told` are the corrections that are told, none where it is told as recorded.
    """

    session: dict[str, int]
    hands: dict[int, dict[str, int]]
    told: list[ev.Corrected]
    as_recorded: bool

    def of(self, hand: int) -> dict[str, int]:
        """What is moved of one hand."""
        return self.hands.get(hand, {})


NOTHING_PUT_RIGHT = PutRight({}, {}, [], as_recorded=False)
"""Told as it stands on record, rulings in."""


def put_right(store: Store, session: Session, *, as_recorded: bool = False) -> PutRight:
    """A session as corrected after its close, or (`as_recorded`) as it was played, rulings and corrections left out."""
    if as_recorded:
        undone = [(r.hand, r.taker, r.giver, r.units) for r in session.rulings]
        return _put_right(undone, [], as_recorded=True)
    told = corrections(store, session.id)
    return _put_right([(c.hand, c.giver, c.taker, c.units) for c in told], told, as_recorded=False)


def _put_right(
    moves: Sequence[tuple[int | None, str | None, str | None, int]],
    told: list[ev.Corrected],
    *,
    as_recorded: bool,
) -> PutRight:
    hands = {hand: _moved(m[1:] for m in moves if m[0] == hand) for hand, *_ in moves if hand is not None}
    return PutRight(_moved(m[1:] for m in moves), hands, told, as_recorded)


def _moved(moves: Iterable[tuple[str | None, str | None, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for giver, taker, units in moves:
        if giver is not None and taker is not None:
            total[giver] = total.get(giver, 0) - units
            total[taker] = total.get(taker, 0) + units
    return total
