"""A store and facts, both in memory."""

from collections.abc import Iterator

import duckdb
import pytest

from analytics.facts import Facts
from ledger.store import open_store
from ledger.store.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store(":memory:") as made:
        yield made


@pytest.fixture
def facts(store: Store) -> Iterator[Facts]:
    """Facts of the store, still empty."""
    with duckdb.connect() as connection:
        made = Facts(connection)
        made.clear(store)
        yield made
