"""The store: keeps events in order, chained, for good; knows nothing of poker.

`open_store` gives a `Store`; what it takes and answers with is in `model`. SQLAlchemy is imported when a
store is opened, not when this package is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.model import (
    Answer,
    Appended,
    AppendOutcome,
    BatchPartlyKnown,
    Broken,
    CommandConflict,
    CommandDrafts,
    CommandRecord,
    Draft,
    ExistsInOtherSession,
    ExistsWithDifferentContent,
    Head,
    NameRow,
    SessionSpan,
    StoredEvent,
    StoreError,
    Verified,
    VersionConflict,
)

if TYPE_CHECKING:
    from ledger.store.opening import open_store
    from ledger.store.store import Store

__all__ = [
    "Answer",
    "AppendOutcome",
    "Appended",
    "BatchPartlyKnown",
    "Broken",
    "CommandConflict",
    "CommandDrafts",
    "CommandRecord",
    "Draft",
    "ExistsInOtherSession",
    "ExistsWithDifferentContent",
    "Head",
    "NameRow",
    "SessionSpan",
    "Store",
    "StoreError",
    "StoredEvent",
    "Verified",
    "VersionConflict",
    "open_store",
]


def __getattr__(name: str) -> object:
    if name == "open_store":
        from ledger.store.opening import open_store

        return open_store
    if name == "Store":
        from ledger.store.store import Store

        return Store
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
