"""`mistigris demo`: real evenings from beginning to end, in a store of their own."""

import importlib.resources
import os
import pathlib
import shlex
import tempfile

import typer

_STEPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    (
        "The game that an English handbook tells on its pages 35 to 38, written down as it was played.",
        (("record", "worked-example.sheet"), ("hand", "last", "1"), ("settle", "last")),
    ),
    (
        "A second evening: straddles, a jack-pot, a rebuy, a kitty, a limit on losses, and a dispute.",
        (
            ("record", "second-evening.sheet"),
            ("hands", "last"),
            ("settle", "last"),
            ("kitty", "--session", "last"),
        ),
    ),
    (
        "C disputed the fourth hand. The audit replays it, judges it by that night's rules and cites the one broken.",
        (("audit", "last"), ("rule", "R-LIMIT"), ("verify",)),
    ),
    (
        "What the book tells: limits kept or not, and figures for every player.",
        (("limits", "--session", "last"), ("stats",)),
    ),
)


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("demo")(demo)


def demo() -> None:
    """Record real evenings and show settlement, audit and statistics."""
    from cli.app import run
    from ledger.receipts.keys import VARIABLE

    with tempfile.TemporaryDirectory(prefix="mistigris-") as folder:
        place = pathlib.Path(folder)
        for sheet in (importlib.resources.files("cli") / "evenings").iterdir():
            if sheet.name.endswith(".sheet"):
                (place / sheet.name).write_text(sheet.read_text("utf-8"), "utf-8")
        store = str(place / "ledger.db")
        # a demonstration leaves nothing behind, and does not sign as the host
        os.environ[VARIABLE] = str(place / "host.key")
        for heading, commands in _STEPS:
            typer.echo(f"\n{heading}\n")
            for command in commands:
                typer.echo(f"$ mistigris {shlex.join(command)}")
                where = [str(place / part) if part.endswith(".sheet") else part for part in command]
                if run(["--db", store, *where]) not in (0, 1):
                    raise typer.Exit(1)
    typer.echo("\nThe store of this demonstration is gone again; your own is made by mistigris record SHEET.")
