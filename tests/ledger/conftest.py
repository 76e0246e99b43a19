"""A store on each database in turn."""

from collections.abc import Iterator

import pytest

from ledger.store import open_store
from ledger.store.store import Store


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened
