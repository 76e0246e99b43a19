"""`mistigris copy SESSION --for NAME --out FILE`: the copy of an evening that a player may keep."""

import pathlib
from typing import Annotated

import typer

from cli.output import AsJson, SessionName, print_json, show
from cli.settings import find_session, refuse, settings


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("copy")(copy)


def copy(
    context: typer.Context,
    session: SessionName,
    player: Annotated[str, typer.Option("--for", metavar="NAME", help="The player who is to keep it.")],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="The file; it must not exist yet.")],
    as_json: AsJson = False,
) -> None:
    """Write a player's copy: the whole chain, without cards he may not see and without other evenings."""
    from ledger.copying import copy_for

    with settings(context).store() as store:
        try:
            done = copy_for(store, find_session(store, session), player, pathlib.Path(out))
        except ValueError as fault:
            refuse(str(fault))
    if as_json:
        head = {"position": done.head.position, "hash": done.head.hash.hex()}
        print_json({"file": out, "head": head, "withheld": done.withheld, "cards": done.cards})
        return
    show(
        f"{out}: a copy for {player}, events 1 to {done.head.position}; of {done.withheld} only the header",
        f"it verifies and can be read: mistigris --db {out} verify; mistigris --db {out} hand last 1 --private",
    )
