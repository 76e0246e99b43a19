"""Ledgers to count: sheets and random evenings recorded into stores, and facts built from them."""

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import duckdb

from analytics.facts import Facts
from analytics.schema import EVERY_TABLE
from bench.generator import random_rules
from ledger.codec import to_draft
from ledger.names import Names
from ledger.rules.model import Rules
from ledger.session.state import Recorded
from ledger.store import Appended, CommandDrafts
from ledger.store.store import Store


def grouped(session: str, stream: Sequence[Recorded]) -> Iterator[CommandDrafts]:
    """A session's stream as the commands that it came of, with ids that no other session has."""
    at = 0
    while at < len(stream):
        command = stream[at].command
        end = at
        while end < len(stream) and stream[end].command == command:
            end += 1
        id_ = hashlib.sha256(session.encode() + command).digest()
        yield CommandDrafts(id_[:16], id_, tuple(map(to_draft, stream[at:end])))
        at = end


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
