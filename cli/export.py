"""`mistigris export`: what is recorded, for other programs and for good."""

import pathlib
from typing import Annotated

import typer

from cli.settings import refuse, settings, why


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
    facts: Annotated[
        str | None,
        typer.Option(
            "--facts", metavar="FOLDER", help="The fact tables as Parquet by month, with their dictionary."
        ),
    ] = None,
) -> None:
    """Write the ledger to a file, or what it comes to as tables."""
    if jsonl is None and facts is None:
        refuse("say what to write: --jsonl FILE or --facts FOLDER", 2)
    if jsonl is not None:
        _lines(context, jsonl)
    if facts is not None:
        _facts(context, pathlib.Path(facts))


def _lines(context: typer.Context, jsonl: str) -> None:
    from ledger.backup import export_lines

    chosen = settings(context)
    export_lines(chosen.place, chosen.ledger, pathlib.Path(jsonl))
    typer.echo(f"exported to {jsonl}", err=True)


def _facts(context: typer.Context, folder: pathlib.Path) -> None:
    from analytics.export import export_facts
    from analytics.opening import open_facts
    from cli.output import progress
    from cli.reports import LONG_CATCH_UP

    with (
        settings(context).store() as store,
        open_facts(store, progress("counting sessions", LONG_CATCH_UP)) as facts,
    ):
        try:
            rows = export_facts(facts, folder)
        except OSError as fault:
            refuse(f"{folder}: {why(fault)}", 2)
    typer.echo(f"exported {sum(rows.values())} rows of {len(rows)} tables to {folder}", err=True)
