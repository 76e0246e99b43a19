"""`mistigris import FILE...`: takes in histories of other card rooms."""

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, counted, print_json, progress
from cli.settings import settings, why

if TYPE_CHECKING:
    from ledger.formats.pokerstars.played import Unreadable
    from ledger.importing import Imported


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("import")(import_)


def import_(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="PokerStars histories of five-card draw; - reads standard input."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Take in hand histories: PokerStars five-card draw, fixed, pot and no limit.

    Each file goes in whole or not at all; hands that are on record already add nothing.
    """
    from cli.backup import import_ledgers
    from ledger.backup import begins_as_lines
    from ledger.formats.pokerstars.played import Unreadable
    from ledger.importing import first_number, import_history

    if import_ledgers(context, files, as_json):
        return
    rows: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    contents: list[tuple[str, bytes]] = []
    for file in files:
        content = _read(file)
        if isinstance(content, str):
            refused.append(_complaint(file, None, None, content, 2))
        elif begins_as_lines(content):
            what = "this is a ledger that export --jsonl wrote: give it as a file, and no history with it"
            refused.append(_complaint(file, None, None, what, 2))
        else:
            contents.append((file, content))
    with settings(context).store(create=True) as store:
        for file, content in sorted(contents, key=lambda given: first_number(given[1])):
            outcome = import_history(store, content, progress=progress(f"taking in {file}", _LONG_FILE))
            if isinstance(outcome, Unreadable):
                refused.append(_refusal(file, outcome))
            else:
                rows.append(_row(file, outcome))
    for row in refused:
        typer.echo(row["text"], err=True)
    if as_json:
        print_json(_answer(rows, refused))
    else:
        _tell(rows)
    if refused:
        raise typer.Exit(max(row["code"] for row in refused))


_LONG_FILE = 200
"""Hands from which taking in a file is shown on a terminal."""


def _read(file: str) -> bytes | str:
    """The bytes of a file, or why there are none."""
    try:
        return sys.stdin.buffer.read() if file == "-" else pathlib.Path(file).read_bytes()
    except OSError as fault:
        what = {FileNotFoundError: "there is no such file", IsADirectoryError: "this is a folder, not a file"}
        return what.get(type(fault), why(fault))


def _name(file: str) -> str:
    return "standard input" if file == "-" else pathlib.Path(file).name


def _refusal(file: str, found: "Unreadable") -> dict[str, Any]:
    return _complaint(file, found.line, found.rule, found.message, 1 if found.broken else 2)


def _complaint(file: str, line: int | None, rule: str | None, message: str, code: int) -> dict[str, Any]:
    """A refused file: one line for people, its parts for programs. Nothing of the file is recorded."""
    where = file if line is None else f"{_name(file)}:{line}"
    text = " ".join(f"{where}: {rule + ': ' if rule else ''}{message}".split())
    return {"file": _name(file), "line": line, "rule": rule, "message": message, "text": text, "code": code}


def _row(file: str, done: "Imported") -> dict[str, Any]:
    return {
        "file": _name(file),
        "sessions": done.sessions,
        "added": done.added,
        "known": done.known,
        "events": done.events,
        "notes": done.notes,
    }


def _answer(rows: list[dict[str, Any]], refused: list[dict[str, Any]]) -> dict[str, Any]:
    keys = ("file", "line", "rule", "message")
    return {
        "files": rows,
        "sessions": list(dict.fromkeys(s for row in rows for s in row["sessions"])),
        "hands": {key: sum(row[key] for row in rows) for key in ("added", "known")},
        "events": sum(row["events"] for row in rows),
        "refused": [{key: row[key] for key in keys} for row in refused],
    }


def _tell(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        known = f", {row['known']} known before" if row["known"] else ""
        typer.echo(f"{row['file']}: {counted(row['added'], 'hand')} added{known}, {row['events']} events")
        for note in row["notes"]:
            typer.echo(f"{row['file']}: {note}", err=True)
