"""`mistigris doctor`: what store this is, whether all is well with it, and what to do where it is not."""

import os
import pathlib
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from cli.output import AsJson, counted, print_json, show
from cli.settings import Settings, settings

if TYPE_CHECKING:
    from ledger.store.store import Store

_LITTLE_SPACE = 100 * 2**20  # bytes; an evening takes about two million


@dataclass(frozen=True, slots=True)
class Found:
    """One thing looked at: whether it is well, what it is, and what to do where it is not."""

    what: str
    well: bool
    says: str
    do: str = ""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("doctor")(doctor)


def doctor(context: typer.Context, as_json: AsJson = False) -> None:
    """Say what store this is and how it is, and what to do where something is wrong."""
    found = list(_look(settings(context)))
    if as_json:
        print_json({"well": all(f.well for f in found), "found": [asdict(f) for f in found]})
    else:
        for each in found:
            show(f"{'ok   ' if each.well else 'WRONG'} {each.what}: {each.says}")
            if each.do:
                show(f"      {each.do}")
    if not all(f.well for f in found):
        raise typer.Exit(1)


def _look(place: Settings) -> Iterator[Found]:
    from importlib.metadata import version

    from ledger.store.model import StoreError

    yield Found("program", True, f"mistigris {version('mistigris')}")
    try:
        with place.store(guarded=False) as store:
            yield from _store(store)
            yield from _file(pathlib.Path(store.place))
            yield from _chain(store)
            yield from _people(store)
    except StoreError as fault:
        yield Found("store", False, str(fault), _advice(str(fault)))
    yield from _key()


def _advice(fault: str) -> str:
    """What to do where a store cannot be opened or read to its end."""
    if "newer version" in fault:
        return "install that version of mistigris, or a later one; nothing was changed"
    if "several ledgers" in fault:
        return "name one of them: mistigris --ledger NAME doctor"
    if "cannot be read" in fault or "damaged" in fault:
        return "go back to a backup: mistigris restore; hold it to the receipts players have"
    return "give another with --db, restore a backup, or record a sheet"


def _store(store: "Store") -> Iterator[Found]:
    from ledger.house import evenings
    from ledger.store.tables import REVISIONS

    kind = "SQLite file" if pathlib.Path(store.place).exists() else "store"
    copy = f", a copy for {store.copy_for}" if store.copy_for is not None else ""
    yield Found("store", True, f"{kind} {store.place}, schema {REVISIONS[-1]}{copy}")
    events, sessions = store.head().position, len(evenings(store))
    size = f"{counted(sessions, 'session')}, {counted(events, 'event')}"
    yield Found("ledger", True, f"{store.ledger_name}, id {store.ledger_id}, {size}")
    fault = store.guard_fault()
    advice = "verify, hold it to a receipt, and go back to a backup made before; somebody had the guards off"
    yield Found("guards", fault is None, fault or "all in place", advice if fault else "")


def _file(path: pathlib.Path) -> Iterator[Found]:
    """What can be said of a file on disk; nothing for a server."""
    if not path.exists():
        return
    free = shutil.disk_usage(path.parent).free
    enough = free >= _LITTLE_SPACE
    yield Found(
        "disk", enough, f"{free // 2**20} MiB free", "" if enough else "make room before the next evening"
    )
    if os.name == "posix":
        mode = path.stat().st_mode & 0o777
        shut = not mode & 0o077
        do = "" if shut else f"chmod 600 {path}, unless others are meant to read it"
        yield Found(
            "file", shut, "only its owner reads it" if shut else f"others may read it (mode {mode:o})", do
        )


def _chain(store: "Store") -> Iterator[Found]:
    from ledger.receipts.checkpoints import check_chain
    from ledger.receipts.keys import KeyFileError, key_path, newest_path, public_keys
    from ledger.store.model import Broken

    try:
        chain = check_chain(store, public_keys(key_path()), key_path())
    except KeyFileError as fault:
        yield Found("checkpoints", False, str(fault), "move the file away; what it held is then not compared")
        return
    found = chain.found
    if isinstance(found, Broken):
        do = "go back to a backup: mistigris restore; hold it to the receipts players have"
        yield Found("chain", False, f"broken at event {found.position}: {found.reason}", do)
        return
    yield Found("chain", True, f"holds, head {found.head.hash.hex()[:16]}")
    if chain.fault is not None:
        place = newest_path(key_path(), store.ledger_id)
        do = f"if an older backup was restored on purpose, remove {place}; if not, find the newer file"
        yield Found("checkpoints", False, f"event {chain.fault.position}: {chain.fault.reason}", do)
    elif chain.anchored:
        told = f"{counted(len(chain.anchors), 'checkpoint')}, the last that holds on event {chain.anchored}"
        yield Found("checkpoints", True, told)
    elif chain.anchors:
        told = (
            f"{counted(len(chain.anchors), 'checkpoint')}, by a key not known here: nothing is anchored by it"
        )
        do = "mistigris verify --key NAME+HASH+BASE64, with the key that mistigris receipt --key prints at its host"
        yield Found("checkpoints", True, told, do)
    else:
        yield Found("checkpoints", True, "none yet; one is signed when a session is closed")


def _people(store: "Store") -> Iterator[Found]:
    from ledger.names import name_hash
    from ledger.people import load_names

    unproved = [row for row in store.names() if name_hash(row.name, row.salt) != row.name_hash]
    if unproved:
        told = (
            f"{counted(len(unproved), 'name')} {'is' if len(unproved) == 1 else 'are'} not what was recorded"
        )
        yield Found(
            "names", False, f"{told}: {unproved[0].name}", "mistigris rename gives the right one again"
        )
    people = load_names(store).people()
    erased = sum(p.erased for p in people)
    merged = sum(p.into is not None for p in people)
    yield Found(
        "people", True, f"{counted(len(people), 'player')}, {erased} erased, {merged} merged into another"
    )


def _key() -> Iterator[Found]:
    from ledger.receipts.keys import VARIABLE, KeyFileError, key_path, open_to_others, public_keys

    try:
        path = key_path()
        keys = public_keys(path)
    except KeyFileError as fault:
        yield Found("key", False, str(fault), f"move it away, or set {VARIABLE} to another file")
        return
    if not path.exists():
        yield Found("key", True, f"none yet; {path} is made at the first close or receipt")
    elif open_to_others(path):
        yield Found("key", False, f"others may read {path}", f"chmod 600 {path}; mistigris receipt --new-key")
    else:
        retired = f", {counted(len(keys) - 1, 'older key')} listed" if len(keys) > 1 else ""
        yield Found("key", True, f"{keys[-1].text} in {path}{retired}")
