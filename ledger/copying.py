"""A player's copy of the ledger: what of it he may see, so that it can still be folded and verified.

He gets one evening whole but for the cards that only the recorder and another player know. Of the other
evenings, and of the ledger's own stream, he gets the headers: what kind of event was recorded when, and the
hash of the rest.
"""

from dataclasses import dataclass
from pathlib import Path

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.house import HOUSE
from ledger.loading import load_session
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
    cards = 0

    def withhold(event: StoredEvent) -> bool:
        nonlocal cards
        if event.session != session:
            return not (event.session == HOUSE and _concerns(event, session, there))
        if event.event_type != "cards_known":
            return False
        known = to_recorded(event).event
        hidden = not isinstance(known, ev.CardsKnown) or known.player not in own
        cards += hidden
        return hidden

    group = {p for player in there for p in names.group(player)}
    rows = [row for row in store.names() if row.player in group]
    head, withheld = store.write_copy(out, names.name(player), withhold, rows)
    return Copied(head, withheld, cards)


def _concerns(stored: StoredEvent, session: str, people: list[str]) -> bool:
    """Whether what stands in the ledger's own stream is of this evening: its corrections, the names of its people."""
    event = None if stored.payload is None else to_recorded(stored).event
    if isinstance(event, ev.Corrected):
        return event.session == session
    return getattr(event, "player", None) in people and getattr(event, "into", None) in (None, *people)
