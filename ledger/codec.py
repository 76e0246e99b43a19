"""Between the store's rows and the session's events: payload bytes to models and back."""

from pydantic import ValidationError

from ledger.events import Event, Withheld, decode, encode
from ledger.session.state import Recorded
from ledger.store.model import Draft, StoredEvent, StoreError

MAY_BE_WITHHELD = frozenset({"cards_known"})
"""The types of event without which an evening can still be folded, for nothing that counts depends on them."""


def to_draft(recorded: Recorded) -> Draft:
    """What the store appends for an event that was folded in memory."""
    event = recorded.event
    return Draft(
        event.type, event.schema_version, encode(event), recorded.occurred_at, recorded.zone, recorded.cause
    )


def to_recorded(stored: StoredEvent) -> Recorded:
    """The event of a stored row. Raises StoreError where it is withheld and needed, or no event of its type."""
    event: Event
    if stored.payload is None and stored.event_type in MAY_BE_WITHHELD:
        event = Withheld(kind=stored.event_type)
    elif stored.payload is None:
        raise StoreError(f"event {stored.position} is withheld from this copy; what needs it cannot be shown")
    else:
        try:
            event = decode(stored.event_type, stored.schema_version, stored.payload)
        except ValueError as fault:
            raise StoreError(f"event {stored.position} cannot be read: {_why(fault)}") from None
    return Recorded(
        stored.version,
        event,
        stored.occurred_at,
        stored.zone,
        stored.command_id,
        stored.cause,
        stored.position,
    )


def _why(fault: ValueError) -> str:
    """What does not fit, in one short line: of a payload the first field that is not as its type has it."""
    if isinstance(fault, ValidationError):
        first = fault.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "the payload"
        return f"{field}: {first['msg'][:200]}"
    return str(fault)[:200]
