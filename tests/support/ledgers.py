"""Ledgers to count: sheets and random evenings recorded into stores, and facts built from them."""

from collections.abc import Sequence
from random import Random
from typing import Any

import duckdb

from analytics.facts import Facts
from analytics.schema import EVERY_TABLE
from bench.generator import random_rules
from ledger.names import Names
from ledger.rules.model import Rules
from ledger.store import Appended, CommandDrafts
from ledger.store.store import Store


def append(store: Store, session: str, commands: Sequence[CommandDrafts]) -> None:
    """Appends commands to a session."""
    assert isinstance(store.append(session, store.version(session), commands), Appended)


def everything(facts: Facts) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in an order of its own."""
    return {
        table: sorted(facts.connection.execute(f"select * from {table}").fetchall(), key=repr)
        for table in EVERY_TABLE
    }


def built(store: Store) -> Facts:
    """Facts built at once, from nothing."""
    facts = Facts(duckdb.connect())
    facts.clear(store)
    facts.catch_up(store)
    return facts


def house(rng: Random) -> Rules:
    """Random rules of any set that rank hands alike, so that the tables of the ranking are made once."""
    rules = random_rules(rng, rng.choice(("english", "foster", "chambers", "modern")))
    ranked = {"joker": "off", "blaze": "off", "suit_precedence": "none", "sequence_ace": "high_or_low"}
    return rules.model_copy(update=ranked)


def player_id(store: Store, name: str) -> str:
    """The id of a name."""
    found = Names(store.names(), bytes).player(name)
    assert found is not None
    return found
