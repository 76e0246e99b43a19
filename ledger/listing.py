"""The list of all sessions, told from the few events that matter to it instead of folding every evening."""

from typing import Any

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.session.state import Recorded
from ledger.store.store import Store
from ledger.times import rfc3339

_TELLING = ("session_opened", "rules_set", "hand_begun", "session_closed", "withdrawn")


def list_sessions(store: Store) -> list[dict[str, Any]]:
    """A row for every session, in the order they were opened, as `mistigris sessions --json` prints it."""
    standing: dict[str, list[Recorded]] = {}
    for stored in store.of_type(*_TELLING):
        if stored.payload is None:  # of another evening, withheld from this copy
            continue
        recorded = to_recorded(stored)
        live = standing.setdefault(stored.session, [])
        event = recorded.event
        if isinstance(event, ev.Withdrawn):
            live[:] = [r for r in live if not event.first <= r.version <= event.last]
        else:
            live.append(recorded)
    return [
        _row(s.session, s.version, standing[s.session]) for s in store.sessions() if s.session in standing
    ]


def _row(session: str, version: int, live: list[Recorded]) -> dict[str, Any]:
    opened = next((r for r in live if isinstance(r.event, ev.SessionOpened)), None)
    rules = [r.event.rules for r in live if isinstance(r.event, (ev.SessionOpened, ev.RulesSet))]
    return {
        "session": session,
        "title": opened.event.title if opened is not None else "",  # type: ignore[attr-defined]
        "rules": rules[-1].name if rules else None,
        "hands": sum(isinstance(r.event, ev.HandBegun) for r in live),
        "events": version,
        "opened": rfc3339(opened.occurred_at, opened.zone) if opened is not None else None,
        "closed": any(isinstance(r.event, ev.SessionClosed) for r in live),
    }
