"""Printing: JSON for programs, tables for people. rich is loaded only where a table is printed."""

import os
import pathlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.streams import speak_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.table import Table

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
AsRecorded = Annotated[
    bool, typer.Option("--as-recorded", help="As it was played: rulings and later corrections left out.")
]
SessionName = Annotated[str, typer.Argument(metavar="SESSION", help="A title, an id, or last.")]


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    import orjson

    speak_utf8()
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def table(*columns: str) -> "Table":
    """A plain table; columns that begin with `>` are numbers, set right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left")
    return made


def show(*parts: object) -> None:
    """Prints tables and lines. What is written to no terminal gets 100 columns, so that tables stay whole.

    A table wider than the terminal, as on a telephone, is printed row by row: a figure cut short would be misread.
    """
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=100)
    for part in parts:
        if isinstance(part, Table) and not _fitted(part, console):
            for line in row_by_row(part):
                console.print(line, soft_wrap=True)
        else:
            console.print(part, soft_wrap=isinstance(part, str))


def _fitted(made: "Table", console: "Console") -> bool:
    """Gives a table widths in which no word of it is broken; false where the terminal is too narrow for that."""
    from rich.cells import cell_len
    from rich.measure import Measurement

    texts = [[str(part) for part in (column.header, *column.cells)] for column in made.columns]
    least = [max((cell_len(word) for text in column for word in text.split()), default=0) for column in texts]
    widths = [
        max(cell_len(line) for text in column for line in (text.splitlines() or [""])) for column in texts
    ]
    between = Measurement.get(console, console.options.update_width(10_000), made).maximum - sum(widths)
    if sum(least) + between > console.width:
        return False
    while sum(widths) + between > console.width:
        loose = [number for number, width in enumerate(widths) if width > least[number]]
        widths[max(loose, key=widths.__getitem__)] -= 1
    for column, width in zip(made.columns, widths, strict=True):
        column.width = width
    return True


def row_by_row(made: "Table") -> "Iterator[str]":
    """What stands first in a row, and under it whatever else it holds, a line each with its heading."""
    headings = [str(column.header) for column in made.columns]
    for row in zip(*(column.cells for column in made.columns), strict=True):
        values = [" ".join(str(cell).split()) for cell in row]
        yield f"{headings[0]} {values[0]}".strip()
        yield from (f"  {h} {v}".rstrip() for h, v in zip(headings[1:], values[1:], strict=True) if v)


Progress = Callable[[int, int], None]
_PROGRESS_WIDTH = 30


def progress(what: str, least: int) -> Progress | None:
    """Shows on a terminal how far long work is, where there are `least` parts of it or more; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, of: int) -> None:
        if of >= least and (done == of or done % max(of // 200, 1) == 0):
            filled = _PROGRESS_WIDTH * done // of
            end = "\n" if done == of else ""
            sys.stderr.write(f"\r{what} {'━' * filled}{'╌' * (_PROGRESS_WIDTH - filled)} {done}/{of}{end}")
            sys.stderr.flush()

    return tell


def write_whole(place: pathlib.Path, text: str) -> None:
    """Writes a file; where that fails (OSError) what was there before is there still. What is no file is written to."""
    there = place.resolve()
    if there.exists() and not there.is_file():
        there.write_text(text, "utf-8")
        return
    beside = there.with_name(f".{there.name}.part")
    try:
        beside.write_text(text, "utf-8")
        os.replace(beside, there)
    finally:
        beside.unlink(missing_ok=True)


def counted(number: int, what: str) -> str:
    """`1 hand`, `2 hands`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def bar(part: int, whole: int, width: int = 10) -> str:
    """A bar of so many places, filled as far as the part goes into the whole; it is full only of the whole."""
    filled = min(width * part // whole, width)
    return "█" * filled + "░" * (width - filled)


def signed(units: int) -> str:
    """Units with their sign, nought without."""
    return f"{units:+d}" if units else "0"
