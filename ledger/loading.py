"""Loading a session from the store: its events folded, for reading and for recording alike."""

from ledger.codec import to_recorded
from ledger.collecting import collector_paused
from ledger.session.project import project
from ledger.session.state import Session
from ledger.store.model import StoredEvent, StoreError
from ledger.store.store import Store


class DamagedError(StoreError):
    """What is stored does not fold: it was changed, or written by no program of this kind."""

    exit_code = 1


def load_session(store: Store, session: str, upto: int | None = None) -> Session:
    """The session folded from the store, up to a position if given. Raises DamagedError where it does not fold."""
    state = Session(session)
    with collector_paused():
        for stored in store.read(session, upto=upto):
            fold_stored(state, stored)
    return state


def fold_stored(state: Session, stored: StoredEvent) -> None:
    """Folds one stored event. Raises DamagedError, naming the event, where it cannot belong to this stream."""
    try:
        project(state, to_recorded(stored))
    except (AssertionError, KeyError, ValueError, IndexError) as fault:
        raise DamagedError(
            f"event {stored.position} does not fit what is recorded before it: {fault or type(fault).__name__}; "
            "mistigris verify says where the record was changed"
        ) from None
