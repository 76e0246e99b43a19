"""The ledger's own stream: what belongs to no evening.

Renames, merges and erasures of players, corrections after a close. It is a session of the store, under a
fixed id, and no evening at the table: `evenings` leaves it out.
"""

import hashlib
import os
import time
from collections.abc import Sequence

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.store.model import (
    Appended,
    CommandDrafts,
    Draft,
    NameRow,
    SessionSpan,
    StoreError,
    VersionConflict,
)
from ledger.store.store import Store
from ledger.times import host_zone

HOUSE = hashlib.sha256(b"house").hexdigest()[:32]
"""The id of the stream."""
_TRIES = 5


def evenings(store: Store) -> list[SessionSpan]:
    """Every evening of the ledger, in order of its first event; in a copy those that can be read."""
    withheld = {HOUSE}
    if store.copy_for is not None:
        withheld |= {s.session for s in store.of_type("session_opened") if s.payload is None}
    return [span for span in store.sessions() if span.session not in withheld]


def openings(store: Store) -> dict[str, ev.SessionOpened]:
    """How each evening was opened, by session, in order; of one opened anew the last. Withheld ones are left out."""
    found = {}
    for stored in store.of_type("session_opened"):
        if stored.payload is not None:
            event = to_recorded(stored).event
            assert isinstance(event, ev.SessionOpened)
            found[stored.session] = event
    return found


def write(store: Store, events: Sequence[ev.Event], names: Sequence[NameRow] = ()) -> Appended:
    """Appends to the ledger's own stream, dated now. Raises StoreError where others keep writing to it."""
    now, zone = time.time_ns() // 1000, host_zone()
    drafts = tuple(Draft(e.type, e.schema_version, ev.encode(e), now, zone) for e in events)
    content = hashlib.sha256(b"\n".join(d.payload for d in drafts)).digest()
    command = CommandDrafts(os.urandom(16), content, drafts)
    for _ in range(_TRIES):
        outcome = store.append(HOUSE, store.version(HOUSE), [command], names)
        if isinstance(outcome, Appended):
            return outcome
        assert isinstance(outcome, VersionConflict), "the id of the command is new"
    raise StoreError("somebody else is writing to this ledger at the same time; try again")


def corrections(store: Store, session: str | None = None) -> list[ev.Corrected]:
    """The corrections made after a close, of one session or of all, in order; those withheld from a copy left out."""
    found = [to_recorded(s).event for s in store.of_type("corrected") if s.payload is not None]
    return [e for e in found if isinstance(e, ev.Corrected) and session in (None, e.session)]
