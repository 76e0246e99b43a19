"""`mistigris backup FILE` and `restore FILE`; and `import` of a ledger that `export --jsonl` wrote."""

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import AsJson, counted, print_json
from cli.settings import refuse, settings

if TYPE_CHECKING:
    from ledger.backup import Proved


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where the backup goes; replaced if it is there.")
    ],
    as_json: AsJson = False,
) -> None:
    """Copy the store, while it may be in use, and prove the copy: restored, checked, and verified.

    A SQLite store becomes a SQLite file, a PostgreSQL one lines of JSON.
    """
    from ledger.backup import backup as save

    proved = save(settings(context).place, pathlib.Path(file))
    _tell(
        proved, file, f"backed up to {file}; the copy was restored to a temporary place and verified", as_json
    )


def restore(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What backup or export --jsonl wrote.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Replace what is recorded there; it is kept beside the new store.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put a backup in the place of the store, after verifying it."""
    from ledger.backup import InTheWayError
    from ledger.backup import restore as put

    place, source = settings(context).place, pathlib.Path(file)
    try:
        proved = put(source, place, replace=yes)
    except InTheWayError as fault:
        if not _at_a_terminal():
            raise
        typer.echo(str(fault), err=True)
        if not typer.confirm("Put the backup in its place?", err=True):
            refuse("nothing was restored")
        proved = put(source, place, replace=True)
    _tell(proved, file, f"restored from {file}", as_json)


def _at_a_terminal() -> bool:
    return sys.stdin.isatty()


def import_ledgers(context: typer.Context, files: list[str], as_json: bool) -> bool:
    """Takes in files that `export --jsonl` wrote, if they are such; says whether they were."""
    from ledger.backup import import_lines, is_lines

    paths = [pathlib.Path(file) for file in files]
    if not paths or not all(map(is_lines, paths)):
        return False
    chosen = settings(context)
    for path in paths:
        proved = import_lines(chosen.place, path, chosen.ledger)
        _tell(proved, str(path), f"imported from {path} and verified", as_json)
    return True


def _tell(proved: "list[Proved]", file: str, what: str, as_json: bool) -> None:
    """The ledgers with their heads, as JSON or in lines."""
    if as_json:
        rows = [
            {"ledger": p.name, "head": {"position": p.head.position, "hash": p.head.hash.hex()}}
            for p in proved
        ]
        print_json({"file": file, "ledgers": rows})
        return
    for ledger in proved:
        events = counted(ledger.head.position, "event")
        typer.echo(f"ledger {ledger.name}: {events}, head {ledger.head.hash.hex()}")
    typer.echo(what)
