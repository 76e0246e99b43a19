"""A backup has been restored and verified before it is called one; lines of JSON give the same ledger again."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ledger.backup
from ledger.backup import (
    InTheWayError,
    Proved,
    UnprovedError,
    backup,
    export_lines,
    import_lines,
    is_lines,
    restore,
)
from ledger.receipts.checkpoints import check_chain, sign_head
from ledger.receipts.keys import public_keys
from ledger.store import Head, StoreError, Verified, open_store
from tests.support import recorded as sheets

EVENING = """session "Friday" on 2026-11-27
rules modern; set small 1; set big 2; set limit none
seat A B C; A buys 20; B buys 20; C buys 20
hand dealer A; B posts small 1; C posts big 2; deal
A calls; B calls; C checks; B pat; C draws 1; A draws 3; B checks; C bets 4
A passes; B passes
"""


def record(url: str, sheet: str = EVENING, ledger: str | None = None) -> Head:
    with open_store(url, ledger=ledger) as store:
        sheets.record(store, sheet)
        return store.head()


def head(url: str, ledger: str | None = None) -> Head:
    with open_store(url, ledger=ledger, create=False) as store:
        verified = store.verify()
        assert isinstance(verified, Verified)
        assert verified.head == store.head()
        return verified.head


@pytest.fixture
def places(url: str, path: Path, request: pytest.FixtureRequest) -> tuple[str, str]:
    """Two empty places of the same kind, of which the store goes from one to the other."""
    if url == "sqlite://":
        pytest.skip("a store in memory is in no place")
    if url.startswith("postgresql"):
        make: Callable[[], str] = request.getfixturevalue("postgresql_database")
        return url, make()
    return url, str(path.with_name("other.db"))


def rows(url: str) -> dict[str, list[Any]]:
    """Every row of every table."""
    with open_store(url, create=False) as store, store._engine.connect() as connection:
        tables = ("ledgers", "heads", "events", "commands", "names", "checkpoints")
        return {
            table: sorted(map(tuple, connection.exec_driver_sql(f"SELECT * FROM {table}")))
            for table in tables
        }


def test_a_backup_is_the_store_again(places: tuple[str, str], path: Path) -> None:
    old, new = places
    recorded = record(old)
    with open_store(old) as store:
        store.keep_checkpoint(recorded.position, "host", "a signed note\n")
    file = path.with_name("kept")
    assert backup(old, file) == [Proved("default", recorded)]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert restore(file, new) == [Proved("default", recorded)]
    assert rows(new) == rows(old)
    assert record(new, EVENING + 'note "on"\n').position == recorded.position + 1


def test_lines_are_the_ledger_again_byte_for_byte(places: tuple[str, str], path: Path) -> None:
    old, new = places
    recorded = record(old)
    with open_store(old) as store:
        store.keep_checkpoint(recorded.position, "host", "a signed note\n")
    one, other = path.with_name("one.jsonl"), path.with_name("other.jsonl")
    export_lines(old, None, one)
    assert is_lines(one)
    assert import_lines(new, one) == [Proved("default", recorded)]
    assert rows(new) == rows(old)
    export_lines(new, None, other)
    assert other.read_bytes() == one.read_bytes()


def test_what_is_closed_while_lines_are_written_is_left_to_the_next_time(
    places: tuple[str, str], path: Path, own_key: Path
) -> None:
    old, new = places
    recorded, file = record(old), path.with_name("kept.jsonl")
    with open_store(old) as store, file.open("wb") as out:
        lines = store.lines()
        out.write(next(lines))
        record(old, EVENING.replace("Friday", "Saturday") + "close\n")
        sign_head(store, own_key)
        out.writelines(lines)
    assert import_lines(new, file) == [Proved("default", recorded)]
    with open_store(new, create=False) as store:
        assert check_chain(store, public_keys(own_key)).fault is None


def test_from_one_database_to_the_other(postgresql_database: Callable[[], str], path: Path) -> None:
    server, small = postgresql_database(), str(path)
    recorded = record(server)
    backup(server, path.with_name("kept.jsonl"))
    assert restore(path.with_name("kept.jsonl"), small) == [Proved("default", recorded)]
    assert rows(small) == rows(server)
    backup(small, path.with_name("kept.db"))
    another = postgresql_database()
    restore(path.with_name("kept.db"), another)
    assert rows(another) == rows(server)
    with pytest.raises(StoreError, match=r"this ledger is in .* already; nothing was imported"):
        restore(path.with_name("kept.db"), another)
    assert rows(another) == rows(server)


def test_every_ledger_of_a_store_is_in_its_backup(places: tuple[str, str], path: Path) -> None:
    old, new = places
    heads = [Proved(name, record(old, ledger=name)) for name in ("home", "club")]
    file = path.with_name("kept")
    assert backup(old, file) == heads
    assert restore(file, new) == heads
    assert [head(new, "home"), head(new, "club")] == [proved.head for proved in heads]


def test_a_long_ledger_goes_by_pages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = record(str(path))
    for page in (1, 2, 7, recorded.position, recorded.position + 1):
        monkeypatch.setattr("ledger.store.lines._PAGE", page)
        file = path.with_name(f"{page}.jsonl")
        export_lines(str(path), None, file)
        assert import_lines(str(path.with_name(f"{page}.db")), file)[0].head == recorded
        assert file.read_bytes() == path.with_name("1.jsonl").read_bytes()


def test_an_empty_ledger(places: tuple[str, str], path: Path) -> None:
    old, new = places
    open_store(old).close()
    backup(old, path.with_name("kept"))
    restore(path.with_name("kept"), new)
    assert head(new) == head(old)


def test_a_backup_while_others_record(path: Path) -> None:
    record(str(path))
    code = (
        "import sys; from ledger.store import open_store, CommandDrafts, Draft; import os\n"
        "store = open_store(sys.argv[1]); print('ready', flush=True)\n"
        "for n in range(100000): store.append('b' * 32, n,"
        " [CommandDrafts(os.urandom(16), bytes(32), (Draft('noted', 1, b'{}', 0, 'UTC'),) * 2)])"
        " if n % 2 == 0 else None"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        for number in range(4):
            (proved,) = backup(str(path), path.with_name(f"{number}.db"))
            with open_store(str(path)) as store:
                assert store.hash_at(proved.head.position) == proved.head.hash
    finally:
        process.kill()
        process.communicate()


# --- what is not to be backed up, or not to be put in place ---


def spoil(path: Path, *statements: str) -> None:
    """Edits a store as its owner can: guards off, edit, guards on."""
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        guards = owner.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            owner.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            owner.execute(statement)
        for _, sql in guards:
            owner.execute(sql)


def test_a_ledger_without_its_head_is_told_in_a_line(path: Path, own_key: Path) -> None:
    record(str(path))
    with open_store(str(path)) as store:
        sign_head(store, own_key)
        spoil(path, "DELETE FROM heads")
        for write in (
            lambda: export_lines(str(path), None, path.with_name("kept.jsonl")),
            lambda: store.write_copy(path.with_name("copy.db"), "A", lambda _: False, []),
        ):
            with pytest.raises(StoreError, match="the ledger has no head; mistigris verify says more"):
                write()
        fault = check_chain(store, public_keys(own_key), own_key).fault
    assert fault is not None
    assert fault.reason == "the ledger has no head"


def test_a_broken_chain_is_not_backed_up(path: Path) -> None:
    record(str(path))
    file = path.with_name("kept.db")
    backup(str(path), file)
    before = file.read_bytes()
    spoil(path, "UPDATE events SET payload = x'7b7d' WHERE position = 5")
    with pytest.raises(UnprovedError, match="is broken at event 5: the payload was changed"):
        backup(str(path), file)
    assert file.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["kept.db", "ledger.db"]


def test_damaged_pages_are_found(path: Path) -> None:
    record(str(path))
    file = path.with_name("kept.db")
    backup(str(path), file)
    damaged = bytearray(file.read_bytes())
    damaged[4096 * 3 : 4096 * 3 + 900] = os.urandom(900)
    file.write_bytes(damaged)
    with pytest.raises(StoreError):
        restore(file, str(path.with_name("new.db")))
    assert not path.with_name("new.db").exists()


def test_a_backup_that_was_edited_is_not_put_in_place(path: Path) -> None:
    recorded = record(str(path))
    file = path.with_name("kept.db")
    backup(str(path), file)
    spoil(file, "DELETE FROM events WHERE position = 7")
    with pytest.raises(UnprovedError, match="is broken at event 7"):
        restore(file, str(path), replace=True)
    assert head(str(path)) == recorded


def test_what_is_recorded_is_not_replaced_unasked(path: Path) -> None:
    first = record(str(path))
    file = path.with_name("kept.db")
    backup(str(path), file)
    second = record(str(path), EVENING + 'note "later"\n')
    with pytest.raises(
        InTheWayError, match=rf"{second.position} events are recorded there; nothing was restored"
    ):
        restore(file, str(path))
    assert head(str(path)) == second
    restore(file, str(path), replace=True)
    assert head(str(path)) == first
    assert head(f"{path}.replaced") == second
    restore(file, str(path), replace=True)
    assert head(f"{path}.replaced-2") == first


def test_who_has_the_store_open_sees_what_was_restored(path: Path) -> None:
    first = record(str(path))
    backup(str(path), path.with_name("kept.db"))
    record(str(path), EVENING + 'note "later"\n')
    with open_store(str(path)) as store:
        assert store.head() != first
        restore(path.with_name("kept.db"), str(path), replace=True)
        assert store.head() == first


@pytest.mark.parametrize("said", ["database or disk is full", "database is locked"])
def test_a_store_that_cannot_be_kept_stays_in_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    recorded, file = record(str(path)), path.with_name("kept.db")
    backup(str(path), file)
    now = record(str(path), EVENING + 'note "on"\n')

    def copy(source: Path, target: Path) -> None:
        if target.name.endswith(".replaced"):
            target.touch()
            raise sqlite3.OperationalError(said)
        copied(source, target)

    copied = ledger.backup._copy
    monkeypatch.setattr("ledger.backup._copy", copy)
    with pytest.raises(StoreError, match=said.removeprefix("database or ")):
        restore(file, str(path), replace=True)
    assert head(str(path)) == now != recorded
    assert sorted(p.name for p in path.parent.iterdir()) == [file.name, path.name]


def test_a_damaged_store_is_moved_aside(path: Path) -> None:
    recorded = record(str(path))
    backup(str(path), path.with_name("kept.db"))
    path.write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    with pytest.raises(InTheWayError, match="holds something else"):
        restore(path.with_name("kept.db"), str(path))
    restore(path.with_name("kept.db"), str(path), replace=True)
    assert head(str(path)) == recorded
    assert path.with_name("ledger.db.replaced").stat().st_size == 5016


def test_nothing_goes_over_the_store_itself(path: Path) -> None:
    recorded = record(str(path))
    with pytest.raises(StoreError, match="is the store itself; a backup is another file"):
        backup(str(path), path)
    with pytest.raises(StoreError, match="is the store itself; an export is another file"):
        export_lines(str(path), None, path)
    assert head(str(path)) == recorded


def test_a_folder_or_a_pipe_is_not_replaced_by_a_file(path: Path) -> None:
    record(str(path))
    pipe = path.with_name("pipe")
    os.mkfifo(pipe)
    for place in (pipe, path.parent):
        with pytest.raises(StoreError, match="is a folder or a device; a backup is a file"):
            backup(str(path), place)
        with pytest.raises(StoreError, match="is a folder or a device; an export is a file"):
            export_lines(str(path), None, place)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no such file"), (b"", "is no backup of a ledger"), (b"a sheet", "is no backup of a ledger")],
)
def test_what_is_no_backup(path: Path, content: bytes | None, said: str) -> None:
    file = path.with_name("kept")
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(StoreError, match=said):
        restore(file, str(path))
    assert not path.exists()
    assert not is_lines(file)


def test_what_comes_through_a_pipe_is_left_to_who_reads_it(path: Path) -> None:
    record(str(path))
    export_lines(str(path), None, path.with_name("kept.jsonl"))
    lines = path.with_name("kept.jsonl").read_bytes()[:1000]
    reading, writing = os.pipe()
    os.write(writing, lines)
    os.close(writing)
    try:
        assert not is_lines(Path(f"/dev/fd/{reading}"))
        assert os.read(reading, 2000) == lines
    finally:
        os.close(reading)


def test_places_that_are_none(path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        backup(str(path), path.with_name("kept.db"))
    record(str(path))
    with pytest.raises(StoreError, match="no such file or directory"):
        backup(str(path), path.parent / "not" / "there.db")
    backup(str(path), path.with_name("kept.db"))
    with pytest.raises(StoreError, match="does not exist"):
        restore(path.with_name("kept.db"), str(path.parent / "not" / "there.db"))
    with pytest.raises(StoreError, match="is no file"):
        restore(path.with_name("kept.db"), "sqlite://")


# --- lines that were edited ---

Lines = list[dict[str, Any]]


def _first(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["row"] == kind)


def _swap(lines: Lines) -> None:
    places = [n for n, line in enumerate(lines) if line["row"] == "event"][4:6]
    lines[places[0]], lines[places[1]] = lines[places[1]], lines[places[0]]


def _renumber(lines: Lines) -> None:
    """An event is left out and those after it counted anew."""
    lines.remove([line for line in lines if line["row"] == "event"][-1])
    lines[-1]["position"] -= 1


EDITS: dict[str, Callable[[Lines], object]] = {
    "a payload": lambda lines: _first(lines, "event").update(payload='{"x":1}'),
    "a salt": lambda lines: _first(lines, "event").update(salt="00" * 16),
    "a hash": lambda lines: _first(lines, "event").update(hash="00" * 32),
    "a time": lambda lines: _first(lines, "event").update(occurred_at=1),
    "a zone": lambda lines: _first(lines, "event").update(zone='"'),
    "a float": lambda lines: _first(lines, "event").update(version=1.0),
    "a huge number": lambda lines: _first(lines, "event").update(occurred_at=2**60),
    "an upper-case hash": lambda lines: _first(lines, "event").update(
        hash=_first(lines, "event")["hash"].upper()
    ),
    "a payload withheld, not its salt": lambda lines: _first(lines, "event").update(payload=None),
    "an event left out": lambda lines: lines.remove(_first(lines, "event")),
    "the last event left out": _renumber,
    "an event twice": lambda lines: lines.insert(4, _first(lines, "event")),
    "two swapped": _swap,
    "a command left out": lambda lines: lines.remove(_first(lines, "command")),
    "a command's id": lambda lines: _first(lines, "command").update(command_id="00" * 16),
    "a command's end": lambda lines: _first(lines, "command").update(last_position=10**6),
    "a command twice": lambda lines: lines.insert(1, _first(lines, "command")),
    "a command that answers nothing": lambda lines: lines.insert(
        -1, _first(lines, "command") | {"first_position": 1 + lines[-1]["position"]}
    ),
    "a name": lambda lines: _first(lines, "name").update(name="Z"),
    "a name's player": lambda lines: _first(lines, "name").update(player="Z"),
    "a name twice": lambda lines: lines.insert(-1, _first(lines, "name")),
    "the ledger's id": lambda lines: lines[0].update(ledger_id="0" * 32),
    "a copy": lambda lines: lines[0].update(copy_for="A"),
    "a later format": lambda lines: lines[0].update(format=2),
    "no beginning": lambda lines: lines.pop(0),
    "two beginnings": lambda lines: lines.insert(1, lines[0]),
    "no end": lambda lines: lines.pop(),
    "the end's head": lambda lines: lines[-1].update(hash="00" * 32),
    "the end's time": lambda lines: lines[-1].update(recorded_at=1),
    "a key too many": lambda lines: lines[3].update(more=1),
    "a row of no kind": lambda lines: lines[3].update(row="other"),
    "a row without one": lambda lines: lines[3].pop("row"),
    "a kind that is none": lambda lines: lines[3].update(row=["event"]),
    "the ledger twice": lambda lines: lines.extend(list(lines)),
    "nothing at all": lambda lines: lines.clear(),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_lines_are_refused_whole(path: Path, edit: str) -> None:
    record(str(path))
    file, target = path.with_name("one.jsonl"), str(path.with_name("target.db"))
    export_lines(str(path), None, file)
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    EDITS[edit](lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = record(target, EVENING.replace("Friday", "Saturday"), ledger="own")
    with pytest.raises(StoreError) as refused:
        import_lines(target, file)
    line = str(refused.value)
    assert "\n" not in line
    assert line.startswith(f"{file}:")
    assert line.endswith("; nothing was imported")
    with open_store(target, create=False) as store:  # the only ledger there is
        assert (store.ledger_name, store.head()) == ("own", before)


def test_lines_that_are_no_json(path: Path) -> None:
    file = path.with_name("one.jsonl")
    file.write_bytes(b'{"row":"ledger"\xff\n')
    with pytest.raises(
        StoreError, match=r"one.jsonl:1: is not a line of a ledger: no JSON; nothing was imported"
    ):
        import_lines(str(path), file)


def test_under_another_name(path: Path) -> None:
    recorded = record(str(path))
    file, target = path.with_name("one.jsonl"), str(path.with_name("target.db"))
    export_lines(str(path), None, file)
    own = record(target)
    with pytest.raises(StoreError, match="has another ledger called default; --ledger NAME names this one"):
        import_lines(target, file)
    assert import_lines(target, file, "theirs") == [Proved("theirs", recorded)]
    assert (head(target, "theirs"), head(target, "default")) == (recorded, own)
    file.write_bytes(file.read_bytes() * 2)
    with pytest.raises(StoreError, match="holds several ledgers; they keep their own names"):
        import_lines(str(path.with_name("third.db")), file, "theirs")
