"""A player's copy of the ledger: what of it he may see, so that it can still be folded and verified.

He gets one evening whole but for the cards that only the recorder and another player know. Of the other
evenings, and of the ledger's own stream, he gets the headers: what kind of event was recorded when, and the
hash of the rest. He is told people as the ledger tells them; of those of one name he gets who was named first.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.house import HOUSE
from ledger.loading import load_session
from ledger.names import Names
from ledger.people import load_names
from ledger.store.model import Head, StoredEvent
from ledger.store.store import Store


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was written: its head, how many payloads are withheld, and how many of them are cards."""

    head: Head
    withheld: int
    cards: int


def copy_for(store: Store, session: str, name: str, out: Path) -> Copied:
    """Writes the copy of a session for a player. Raises ValueError where there is no such player at that table."""
    names = load_names(store)
    state = load_session(store, session)
    there = [*state.people(), *(p for p in (state.banker, state.treasurer) if p is not None)]
    player = names.player(name, there)
    if player not in there:
        people = ", ".join(names.name(p) for p in dict.fromkeys(there))
        raise ValueError(f"{name} was not at “{state.title}”; there were {people}")
    own = {*names.group(player)}
    group = {p for player in there for p in names.group(player)}
    alike = _alike(names, there)
    cards = 0

    def withhold(event: StoredEvent) -> bool:
        nonlocal cards
        if event.session != session:
            return not _concerns(event, session, group, alike)
        if event.event_type != "cards_known":
            return False
        known = to_recorded(event).event
        hidden = not isinstance(known, ev.CardsKnown) or known.player not in own
        cards += hidden
        return hidden

    rows = [row for row in store.names() if row.player in group or alike.get(row.player) == row.name]
    head, withheld = store.write_copy(out, names.name(player), withhold, rows)
    return Copied(head, withheld, cards)


def _alike(names: Names, there: Iterable[str]) -> dict[str, str]:
    """Those of one name, if one of them was there, with that name: `B (2)` is only told by who was named first."""
    found: dict[str, str] = {}
    for player in there:
        name, bearers = names.called(player), names.bearers(player)
        if name is not None and len(bearers) > 1:
            found |= dict.fromkeys(bearers, name)
    return found


def _concerns(stored: StoredEvent, session: str, group: set[str], alike: Collection[str]) -> bool:
    """Whether what stands elsewhere is of this evening: corrections, the names of its people, who had one first."""
    if stored.payload is None or (stored.session != HOUSE and stored.event_type != "player_named"):
        return False
    event = to_recorded(stored).event
    if isinstance(event, ev.Corrected):
        return event.session == session
    if isinstance(event, (ev.PlayerNamed, ev.PlayerRenamed)) and event.player in alike:
        return True
    named_here = stored.session == HOUSE and getattr(event, "player", None) in group
    return named_here and getattr(event, "into", None) in (None, *group)
