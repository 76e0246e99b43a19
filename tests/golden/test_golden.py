"""Ledgers of every schema version are read, upcast and folded to the state that is pinned beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from ledger import events as ev
from ledger.audit import audit
from ledger.backup import export_lines, import_lines
from ledger.codec import to_recorded
from ledger.house import evenings
from ledger.recorder import SheetRecorded, record_sheet
from ledger.sheet.parse import parse
from ledger.store import Appended, CommandDrafts, Draft, StoredEvent, StoreError, Verified, open_store
from ledger.store.store import Store
from tests.golden.make import HERE, VERSION, clock, entropy, fill, lines, summary

VERSIONS = sorted(folder.name for folder in HERE.iterdir() if folder.name.startswith("v"))


def pinned(version: str) -> Any:
    return json.loads((HERE / version / "state.json").read_text("utf-8"))


@pytest.fixture(params=VERSIONS)
def golden(request: pytest.FixtureRequest, path: Path) -> Iterator[tuple[str, Store]]:
    """The ledger of a version, read in, which verifies every event of it."""
    import_lines(str(path), HERE / request.param / "ledger.jsonl")
    with open_store(str(path), create=False) as store:
        yield request.param, store


def test_a_golden_ledger_is_folded_to_its_pinned_state(golden: tuple[str, Store]) -> None:
    version, store = golden
    assert isinstance(store.verify(), Verified)
    assert json.loads(json.dumps(summary(store))) == pinned(version)


def test_a_golden_ledger_is_written_again_as_it_was(golden: tuple[str, Store], tmp_path: Path) -> None:
    version, store = golden
    export_lines(store.place, None, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (HERE / version / "ledger.jsonl").read_bytes()


def test_a_golden_ledger_is_judged_and_goes_on(golden: tuple[str, Store]) -> None:
    version, store = golden
    for span, pins in zip(evenings(store), pinned(version)["evenings"], strict=True):
        found = audit(span.session, [to_recorded(stored) for stored in store.read(span.session)])
        assert [f.rule for f in found] == [rule for hand in pins["hands"] for rule in hand["marks"]]
    head = store.head()
    sheet = parse('session "Later" on 1897-03-01\nrules foster; set ante 1; seat Ae B', file="later.sheet")
    assert isinstance(sheet, list)
    done = record_sheet(store, sheet, folder=Path())
    assert isinstance(done, SheetRecorded)
    assert not any(isinstance(recorded.event, ev.PlayerNamed) for recorded in done.session.log)
    assert store.hash_at(head.position) == head.hash


def test_every_event_of_every_version_stands_in_a_golden_ledger() -> None:
    """Who adds an event or a version of one makes a golden ledger of it: python -m tests.golden.make."""
    kept = set()
    for version in VERSIONS:
        for line in (HERE / version / "ledger.jsonl").read_bytes().splitlines():
            row = orjson.loads(line)
            if row["row"] == "event":
                kept.add((row["event_type"], row["schema_version"]))
    known = {(name, n + 1) for name, kind in ev.EVENT_TYPES.items() for n in range(kind.schema_version)}
    assert known - kept == set()


def test_a_golden_ledger_can_be_made_again() -> None:
    assert VERSIONS[-1] == VERSION
    assert dict(lines()) == dict(lines())


# --- an older version, pretended: what is now is called the second or third version of what these tests write ---


def rewritten(
    path: Path, event_type: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> Iterator[StoredEvent]:
    """The golden evenings as an older program would have written them: payloads of one type in their older shape."""
    with open_store("sqlite://", clock=clock(), entropy=entropy()) as new:
        fill(new)
        names, stream = new.names(), list(new.read())
    with open_store(str(path), clock=clock(), entropy=entropy()) as old:
        versions: dict[str, int] = {}
        for n, stored in enumerate(stream):
            assert stored.payload is not None
            payload = stored.payload
            if stored.event_type == event_type:
                payload = orjson.dumps(change(orjson.loads(payload)), option=orjson.OPT_SORT_KEYS)
            draft = Draft(stored.event_type, 1, payload, stored.occurred_at, stored.zone, stored.cause)
            command = CommandDrafts(n.to_bytes(16, "big"), bytes(32), (draft,))
            version = versions.get(stored.session, 0)
            appended = old.append(stored.session, version, [command], names if n == 0 else ())
            assert isinstance(appended, Appended)
            versions[stored.session] = version + 1
        assert isinstance(old.verify(), Verified)
        yield from old.read()


@pytest.fixture
def third_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """`counters` of version 1 became `amount` in 2 and `units` in 3; whether it was `found` came with 2."""
    monkeypatch.setattr(ev.CountersSold, "schema_version", 3)
    first: Callable[[dict[str, Any]], dict[str, Any]] = lambda old: {  # noqa: E731
        "type": old["type"], "player": old["player"], "amount": old["counters"], "found": old["price"] is None,
    }  # fmt: skip

    def second(old: dict[str, Any]) -> dict[str, Any]:
        return {"units": old.pop("amount"), **old}

    monkeypatch.setitem(ev.UPCASTS, ("counters_sold", 1), first)
    monkeypatch.setitem(ev.UPCASTS, ("counters_sold", 2), second)


def older(now: dict[str, Any]) -> dict[str, Any]:
    price = None if now["found"] else "1d"
    return {"type": now["type"], "player": now["player"], "counters": now["units"], "price": price}


@pytest.mark.usefixtures("third_version")
def test_events_of_an_older_version_fold_to_the_same_state(path: Path) -> None:
    stream = list(rewritten(path, "counters_sold", older))
    assert b'"counters"' in next(s.payload for s in stream if s.event_type == "counters_sold" and s.payload)
    with open_store(str(path)) as store:
        assert json.loads(json.dumps(summary(store))) == pinned(VERSION)


@pytest.mark.usefixtures("third_version")
def test_each_version_is_brought_up_step_by_step(path: Path) -> None:
    sold = next(s for s in rewritten(path, "counters_sold", older) if s.event_type == "counters_sold")
    assert sold.payload is not None
    player = orjson.loads(sold.payload)["player"]
    second = b'{"amount":7,"found":true,"player":"%s","type":"counters_sold"}' % player.encode()
    third = b'{"found":true,"player":"%s","type":"counters_sold","units":7}' % player.encode()
    wanted = ev.CountersSold(player=player, units=7, found=True)
    for version, payload in ((2, second), (3, third)):
        assert to_recorded(sold._replace(schema_version=version, payload=payload)).event == wanted


def test_an_event_of_a_later_version_is_refused_in_one_line(path: Path) -> None:
    stored = next(iter(rewritten(path, "counters_sold", dict)))
    with pytest.raises(StoreError, match=r"of version 2 is newer than this program"):
        to_recorded(stored._replace(schema_version=2))
