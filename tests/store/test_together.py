"""Several sessions in one transaction: all of them, or none."""

import os
from collections.abc import Iterator

import pytest

from ledger.store import Appended, CommandDrafts, Draft, VersionConflict, open_store
from ledger.store.model import SessionBatch
from ledger.store.store import Store

ONE, OTHER = "1" * 32, "2" * 32


def batch(session: str, expected: int = 0) -> SessionBatch:
    draft = Draft("noted", 1, b'{"text":"x","type":"noted"}', 1_796_000_000_000_000, "UTC")
    return SessionBatch(session, expected, [CommandDrafts(os.urandom(16), os.urandom(32), (draft,))])


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://") as opened:
        yield opened


def test_all_are_there_in_one_order(store: Store) -> None:
    outcome = store.append_all([batch(ONE), batch(OTHER), batch(ONE, 1)])
    assert isinstance(outcome, tuple)
    assert all(isinstance(done, Appended) for done in outcome)
    assert [event.session for event in store.read()] == [ONE, OTHER, ONE]
    assert store.head() == outcome[-1].head


def test_where_one_cannot_be_none_is(store: Store) -> None:
    head = store.head()
    outcome = store.append_all([batch(ONE), batch(OTHER, 7)])
    assert isinstance(outcome, VersionConflict)
    assert (outcome.session, outcome.expected, outcome.actual) == (OTHER, 7, 0)
    assert list(store.read()) == []
    assert store.head() == head
