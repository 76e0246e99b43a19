"""Mutated sheets, histories and exported ledgers: recorded or refused in one line; no traceback, no hang, no growth.

Sheets are mutated by statements and words (`tests/sheet/test_fuzz.py` does it by characters), so that most of them come
as far as the rules. Each line is parsed once, and most are recorded without the append, which makes ten thousand quick.
"""

from __future__ import annotations

import random
import re
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import FrameType

import pytest

from ledger.audit import audit
from ledger.codec import to_recorded
from ledger.formats.pokerstars.played import Unreadable
from ledger.importing import import_history
from ledger.loading import load_session
from ledger.names import name_hash
from ledger.recorder import SheetRefused, record_sheet
from ledger.refusal import told
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError, Statement
from ledger.store import StoreError, Verified, open_store
from ledger.store.database import writing
from ledger.store.lines import taken
from ledger.store.store import Store

HERE = Path(__file__).parents[1]
PLACES = (HERE / "cases" / "evenings", HERE / "golden" / "sheets")
SHEETS = [path.read_text("utf-8").splitlines() for place in PLACES for path in sorted(place.glob("*.sheet"))]
SMALL = [[line for line in sheet if line.strip()] for sheet in SHEETS if len(sheet) < 40]
HISTORIES = [path.read_bytes() for path in sorted((HERE / "formats" / "data").glob("*.txt"))]
HISTORIES.append((HERE / "golden" / "sheets" / "5-elsewhere.txt").read_bytes())
KINDS = (
    re.compile(r"[2-9TJQKA10]{1,2}[cdhs]"),
    re.compile(r"\d+"),
    re.compile(r"[A-Z]"),
    re.compile(r"[a-z-]+"),
)
NUMBERS = ("0", "1", "2", "7", "13", "1000000", "9007199254740993", "-3", "1/2", "12.5", "0.01")
SECONDS, MEGABYTES = 20, 150


class Hung(BaseException):
    """One input took longer than any should."""


@contextmanager
def bounded() -> Iterator[Callable[[], None]]:
    """Gives what is to be called before every input; it sets the clock anew. At the end looks at the memory."""

    def ring(_: int, __: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, ring)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        yield lambda: signal.setitimer(signal.ITIMER_REAL, SECONDS) and None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) / 1024
    assert grown < MEGABYTES, f"grown by {grown:.0f} MB"


def one_line(message: str) -> str:
    """That something was refused, in one line."""
    assert message.strip()
    assert "\n" not in message
    return "refused"


# --- sheets ---


@lru_cache(maxsize=20_000)
def statements(line: str) -> tuple[Statement, ...] | SheetError:
    read = parse(line, file="sheet")
    return read if isinstance(read, SheetError) else tuple(read)


@lru_cache(maxsize=5_000)
def alike(word: str) -> tuple[str, ...]:
    """What may stand for a word: mostly of the same kind, a card for a card, so that the line can still be read."""
    every = sorted({word for sheet in SMALL for line in sheet for word in re.findall(r"[^\s;]+", line)})
    for kind in KINDS:
        if kind.fullmatch(word):
            return (
                *(other for other in every if kind.fullmatch(other)),
                *(NUMBERS if word.isdigit() else ()),
            )
    return (word,)


def mutated(rng: random.Random) -> list[str]:
    """A sheet with lines exchanged, left out, put in from another, and words replaced."""
    lines = list(rng.choice(SMALL))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        # mostly late in the sheet: what goes wrong at once tells little
        at = min(max(rng.randrange(1, len(lines) + 1) for _ in range(3)), len(lines) - 1)
        kind = rng.randrange(6)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, rng.choice(rng.choice(SMALL)))
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines.insert(
                at, rng.choice(("undo", "close", "hand", "deal", "antes", "misdeal", "pool divided"))
            )
        else:
            words = re.findall(r"\s+|;|[^\s;]+", lines[at])
            where = rng.randrange(len(words))
            words[where] = rng.choice(alike(words[where]))
            if rng.random() < 0.1:
                words.insert(0, "! ")
            lines[at] = "".join(words)
    return lines


def assembled(lines: list[str]) -> list[Statement] | None:
    """The statements of a sheet, or None where a line cannot be read."""
    found: list[Statement] = []
    for number, line in enumerate(lines, 1):
        read = statements(line)
        if isinstance(read, SheetError):
            return None
        found += [replace(s, line=number) for s in read]
    return found or None


def sheet(rng: random.Random, store: Store, *, for_good: bool) -> str:
    """What becomes of one mutated sheet, in a word."""
    read = assembled(mutated(rng))
    if read is None:
        return "unreadable"
    done = record_sheet(store, read, folder=HERE / "cases" / "evenings", dry_run=not for_good)
    if isinstance(done, SheetRefused):
        return one_line(told(done.refusal.sentence, done.names.name))
    if for_good and done.added:
        again = load_session(store, done.session.id)
        assert again.bank == done.session.bank
        assert [h.number for h in again.hands] == [h.number for h in done.session.hands]
        list(audit(done.session.id, [to_recorded(s) for s in store.read(done.session.id)]))
    return "recorded"


# --- histories of elsewhere, and ledgers as lines ---


def edited(rng: random.Random, content: bytes) -> bytes:
    """A file with lines left out, doubled or exchanged, words or bytes replaced, or its end cut off."""
    lines = content.splitlines(keepends=True)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(lines))
        kind = rng.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines = lines[: at + 1]
        elif kind == 4:
            line = bytearray(lines[at])
            line[rng.randrange(len(line))] = rng.randrange(256)
            lines[at] = bytes(line)
        else:
            words = lines[at].split(b" ")
            words[rng.randrange(len(words))] = rng.choice(NUMBERS).encode()
            lines[at] = b" ".join(words)
    return b"".join(lines)


def history(rng: random.Random, store: Store) -> str:
    """What becomes of one edited history; what is taken in is known the next time, so ids vary."""
    content = edited(rng, rng.choice(HISTORIES)).replace(b"#9", b"#%d" % rng.randrange(1, 10**6))
    try:
        done = import_history(store, content)
    except StoreError as fault:
        return one_line(str(fault))
    if isinstance(done, Unreadable):
        return one_line(done.message)
    return "recorded"


def exported() -> bytes:
    with open_store("sqlite://") as store:
        read = assembled(SMALL[0])
        assert read is not None
        record_sheet(store, read, folder=HERE)
        return b"".join(store.lines())


class TakenError(Exception):
    """Ends the transaction of a ledger that was taken in, so that the next one finds the store empty."""


def ledger(rng: random.Random, store: Store, whole: bytes) -> str:
    """What becomes of one edited ledger. One that was taken in is what it was, and verified."""
    content = edited(rng, whole)
    try:
        with writing(store._engine, store.place) as connection:
            for found in taken(connection, store.place, "x", content.splitlines(True), "copy", name_hash):
                assert found.head.hash.hex().encode() in whole
            raise TakenError
    except StoreError as fault:
        return one_line(str(fault))
    except TakenError:
        return "recorded"


def fuzz(sheets: int, histories: int, ledgers: int, seed: int) -> None:
    rng = random.Random(seed)
    print(f"seed {seed}")
    said: dict[str, Counter[str]] = {"sheet": Counter(), "history": Counter(), "ledger": Counter()}
    whole = exported()
    with bounded() as next_one:
        for start in range(0, max(sheets, histories, ledgers), 1000):  # a store that only grows gets slow
            with open_store("sqlite://") as store:
                for n in range(start, min(start + 1000, sheets)):
                    next_one()
                    said["sheet"][sheet(rng, store, for_good=n % 25 == 0)] += 1
                assert isinstance(store.verify(), Verified)
            with open_store("sqlite://") as store:
                for _ in range(start, min(start + 1000, histories)):
                    next_one()
                    said["history"][history(rng, store)] += 1
                assert isinstance(store.verify(), Verified)
            with open_store("sqlite://") as store:
                for _ in range(start, min(start + 1000, ledgers)):
                    next_one()
                    said["ledger"][ledger(rng, store, whole)] += 1
    print(said)
    assert all(counts["recorded"] and len(counts) > 1 for counts in said.values()), said


def test_ten_thousand_mutated_inputs() -> None:
    fuzz(sheets=7_000, histories=1_500, ledgers=1_500, seed=random.randrange(10**6))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_million_mutated_inputs(seed: int) -> None:
    fuzz(sheets=80_000, histories=10_000, ledgers=10_000, seed=10_000 + seed)
