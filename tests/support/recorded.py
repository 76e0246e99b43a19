"""Sheets recorded into a store, and a short evening that is told in many tests: one hand, in which C wins B's ante."""

from pathlib import Path
from typing import Any

from ledger.recorder import SheetRecorded, SheetRefused, record_sheet
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.store.store import Store

FRIDAY = """session "Friday" on 2026-11-27 at 20:00 in Europe/London
rules english
set ante 3
set limit 12
seat B C A
A buys 100; B buys 100; C buys 100
hand dealer A
B antes
deal
C opens 12; A passes; B passes
"""
SATURDAY = FRIDAY.replace("Friday", "Saturday").replace("27", "28")


def enter(store: Store, text: str, **options: Any) -> SheetRecorded | SheetRefused:
    """Records a sheet that can be read; the options are those of `record_sheet`."""
    statements = parse(text.encode(), file="evening.sheet")
    assert not isinstance(statements, SheetError), statements
    return record_sheet(store, statements, folder=Path(), **options)


def record(store: Store, text: str, **options: Any) -> SheetRecorded:
    """Records a sheet that must be taken."""
    done = enter(store, text, **options)
    assert isinstance(done, SheetRecorded), done
    return done
