"""`mistigris export`: what is recorded, for other programs and for good."""

import pathlib
from typing import Annotated

import typer

from cli.settings import refuse, settings


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("export")(export)


def export(
    context: typer.Context,
    jsonl: Annotated[
        str | None,
        typer.Option(
            "--jsonl", metavar="FILE", help="The ledger, every byte of it, as lines of JSON; import reads it."
        ),
    ] = None,
) -> None:
    """Write the ledger to a file."""
    from ledger.backup import export_lines

    if jsonl is None:
        refuse("say what to write: --jsonl FILE", 2)
    chosen = settings(context)
    export_lines(chosen.place, chosen.ledger, pathlib.Path(jsonl))
    typer.echo(f"exported to {jsonl}", err=True)
