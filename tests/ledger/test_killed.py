"""A recorder killed at random moments: no acknowledged event lost, no command half there, no projection adrift."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analytics.facts import Facts
from bench.generator import LEGAL, Evening, begin_evening, end_evening, play_hand, random_rules
from ledger.codec import to_recorded
from ledger.loading import load_session
from ledger.store import Verified, open_store
from ledger.store.store import Store
from tests.support.recording import Zygote, command_id


def evening(seed: int, hands: int = 12) -> Evening:
    """What is to be recorded."""
    rng = random.Random(seed)
    played = begin_evening(rng, random_rules(rng, rng.choice(("english", "foster", "modern"))), taste=LEGAL)
    while len(played.session.hands) < hands:
        play_hand(played)
    end_evening(played)
    return played


@pytest.fixture
def zygote(tmp_path: Path) -> Iterator[Zygote]:
    made = Zygote(tmp_path)
    yield made
    made.close()


def assert_whole(store: Store, played: Evening, acknowledged: int) -> int:
    """What is stored is what was played, up to the end of a command not before the last one acknowledged."""
    verified = store.verify()
    assert isinstance(verified, Verified), verified
    stored = [to_recorded(s) for s in store.read(played.session.id)]
    own = [
        r._replace(command=command_id(played.session.id, int.from_bytes(r.command, "big")))
        for r in played.stream
    ]
    assert [r._replace(position=None) for r in stored] == own[: len(stored)]
    commands = len(store.commands(played.session.id))
    assert commands > acknowledged
    assert len(stored) == len(own) or own[len(stored)].command == command_id(played.session.id, commands)
    assert load_session(store, played.session.id).version == len(stored)
    return commands


def rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    return {name: sorted(map(repr, connection.execute(f"FROM {name}").fetchall())) for (name,) in tables}


def assert_not_adrift(store: Store, file: Path) -> None:
    """The facts left behind catch up to what facts made anew are; without being made anew if they ever were made."""
    with duckdb.connect(str(file)) as left, duckdb.connect() as anew:
        facts, fresh = Facts(left), Facts(anew)
        if not facts.fits(store):
            tables = rows(left)
            assert not any(tables.values()), "facts that had been made do not fit the ledger"
            facts.clear(store)
        facts.catch_up(store)
        fresh.clear(store)
        fresh.catch_up(store)
        assert rows(left) == rows(anew)


def kill_rounds(zygote: Zygote, url: str, folder: Path, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    print(f"seed {seed}")
    facts = folder / "facts.duckdb"
    played = evening(seed)
    acknowledged, done = -1, 0
    for round_ in range(rounds):
        zygote.start(url, str(facts), played.session.id, played.commands)
        said = zygote.said(rng.randrange(30))
        time.sleep(rng.choice((0, rng.uniform(0, 0.02))))
        said += zygote.kill()
        acknowledged = max([acknowledged, *(number for number, _, _ in said)])
        done += len(said)
        with open_store(url) as store:
            for _, position, hash_ in said:
                found = store.hash_at(position)
                assert found is not None
                assert found.hex() == hash_
            commands = assert_whole(store, played, acknowledged)
            if round_ % 4 == 0 or round_ == rounds - 1:
                assert_not_adrift(store, facts)
        if commands == len(played.commands):
            played, acknowledged = evening(seed + round_ + 1), -1
    assert done > rounds, "the recorder was killed before it came to anything"


def test_a_recorder_killed_at_random_moments(zygote: Zygote, path: Path) -> None:
    open_store(str(path)).close()
    kill_rounds(zygote, str(path), path.parent, rounds=20, seed=random.randrange(10**6))


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_a_recorder_killed_many_times(zygote: Zygote, url: str, path: Path, seed: int) -> None:
    if url == "sqlite://":
        pytest.skip("a store in memory ends with its process")
    open_store(url).close()
    kill_rounds(zygote, url, path.parent, rounds=200, seed=seed)
