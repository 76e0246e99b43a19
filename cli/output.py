"""Printing: JSON for programs, tables for people. rich is loaded only where a table is printed."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.streams import speak_utf8

if TYPE_CHECKING:
    from rich.table import Table

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
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
    """Prints tables and lines. What is written to no terminal gets 100 columns, so that tables stay whole."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=100)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))


def counted(number: int, what: str) -> str:
    """`1 hand`, `2 hands`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def signed(units: int) -> str:
    """Units with their sign, nought without."""
    return f"{units:+d}" if units else "0"
