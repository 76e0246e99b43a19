"""A connection that fails at the k-th statement under the recorder, for every k; and a full disk under a command."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.app import run
from ledger import commands as cmd
from ledger.loading import load_session
from ledger.recorder import Recorder
from ledger.refusal import Refusal
from ledger.store import Appended, StoreError, Verified, open_store
from ledger.store.store import Store
from tests.ledger.test_recorder import S, id_, opened
from tests.support.faults import UnpluggedError, fuse_of


def in_play(store: Store) -> Recorder:
    """A hand in play: the blinds are up, the cards dealt."""
    recorder = opened(store)
    a, b, c = recorder.session.seats
    for command in (
        cmd.BeginHand(dealer=a),
        cmd.PostBlind(player=b, blind="small"),
        cmd.PostBlind(player=c, blind="big"),
        cmd.Deal(),
    ):
        outcome = recorder.record(command)
        assert isinstance(outcome, Appended), outcome
    return recorder


def _stake(recorder: Recorder) -> list[cmd.Command]:
    return [cmd.Stake(player=recorder.session.seats[0], action="call")]


def _undo(recorder: Recorder) -> list[cmd.Command]:
    return [cmd.Undo()]


def _last_pass(recorder: Recorder) -> list[cmd.Command]:
    """With it the hand is over: what was not called comes back, the pool goes out."""
    a, b, _ = recorder.session.seats
    assert not isinstance(recorder.record(cmd.Pass(player=a)), Refusal)
    return [cmd.Pass(player=b)]


def _close(recorder: Recorder) -> list[cmd.Command]:
    for command in _last_pass(recorder):
        assert not isinstance(recorder.record(command), Refusal)
    return [cmd.Close()]


def _newcomer(recorder: Recorder) -> list[cmd.Command]:
    _close(recorder)
    row = recorder.names.give("D")
    naming = cmd.Naming(player=row.player, name_hash=row.name_hash.hex())
    return [cmd.SitDown(player=row.player, named=(naming,)), cmd.SellCounters(player=row.player, units=50)]


ASKED = {
    "a stake": _stake,
    "an undo": _undo,
    "the pass that ends a hand": _last_pass,
    "the close": _close,
    "a newcomer with a name": _newcomer,
}


@pytest.mark.parametrize("what", ASKED)
def test_what_fails_anywhere_is_recorded_whole_or_not_at_all(store: Store, what: str) -> None:
    recorder = in_play(store)
    commands = [(id_(1000 + n), command) for n, command in enumerate(ASKED[what](recorder))]
    head, version, names = store.head(), recorder.session.version, store.names()
    fuse, failures = fuse_of(store), 0
    while True:
        fuse.left = failures
        try:
            outcome = recorder.record_all(commands)
        except UnpluggedError:
            fuse.left = None
            failures += 1
            assert (store.head(), store.names()) == (head, names)
            continue
        break
    fuse.left = None
    assert failures > 6, outcome
    assert isinstance(outcome, Appended), outcome
    assert outcome.added == recorder.session.version - version > 0
    assert isinstance(store.verify(), Verified)
    assert load_session(store, S).bank == recorder.session.bank
    known = {row.player for row in store.names()}
    assert known.issuperset(recorder.session.seats)


# --- a full disk ---


EVENING = 'session "Friday" on 2026-11-27\nrules modern; set small 1; set big 2; set limit none\nseat A B; A buys 9\n'


@contextmanager
def _few_pages(folder: Path) -> Iterator[Callable[[], None]]:
    """SQLite may not take another page; until the function given is called."""
    from ledger.store import database

    pages = (folder / "ledger.db").stat().st_size // 4096
    pragmas = (*database._PRAGMAS, f"PRAGMA max_page_count = {pages + 1}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_PRAGMAS", pragmas)
        yield patch.undo


@contextmanager
def _small_disk(folder: Path) -> Iterator[Callable[[], None]]:
    """The folder's file system has a few kB left."""
    ballast = folder / "ballast"
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    ballast.write_bytes(bytes(free - 16_384))
    yield ballast.unlink


@pytest.fixture(params=["few pages", "small disk"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Callable[[], object]]]:
    """A folder, and what makes its disk full."""
    if request.param == "few pages":
        yield tmp_path, lambda: _few_pages(tmp_path)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("a small file system can be made by root only")
    yield tmp_path, lambda: _small_disk(tmp_path)
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_full_disk_is_told_in_one_line_and_loses_nothing(
    full: tuple[Path, Callable[[], object]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, make_full = full
    sheet, db = folder / "evening.sheet", str(folder / "ledger.db")

    def ask(*words: str) -> tuple[int, str, str]:
        code = run(["--db", db, *words])
        return (code, *capsys.readouterr())

    sheet.write_text(EVENING)
    assert ask("record", str(sheet))[0] == 0
    before = ask("verify")
    sheet.write_text(EVENING + "".join(f'note "{n} {"x" * 200}"\n' for n in range(200)))
    with make_full() as make_room:  # type: ignore[attr-defined]
        code, out, err = ask("record", str(sheet))
        assert (code, out, err) == (2, "", f"mistigris: {db}: the disk is full; nothing was recorded\n")
        assert ask("verify") == before
        if (folder / "ballast").exists():
            code, out, err = ask("backup", str(folder / "kept.db"))
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert "full" in err or "no space left" in err
            assert not (folder / "kept.db").exists()
        make_room()
    assert ask("record", str(sheet))[0] == 0
    with open_store(db) as store:
        assert isinstance(store.verify(), Verified)
        assert len(store.commands(store.sessions()[0].session)) == 207


def test_a_fault_is_told_by_the_recorder_as_it_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = opened(store)

    def fail(*_: object) -> object:
        raise StoreError("the disk is full; nothing was recorded")

    monkeypatch.setattr(store, "append", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        recorder.record(cmd.Note(text="one"))
