"""`mistigris names`, `rename`, `alias`, `merge`, `unmerge` and `erase`: who is called what, beside the record."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from cli.output import AsJson, counted, print_json, show, table
from cli.settings import refuse, settings

Name = Annotated[str, typer.Argument(metavar="NAME", help="A player's name, or the beginning of his id.")]
T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    for command in (names, rename, alias, merge, unmerge, erase):
        app.command(command.__name__)(command)


def names(context: typer.Context, as_json: AsJson = False) -> None:
    """List the players: what each is told by, what else finds him, who he counts as."""
    from ledger.people import load_names

    with settings(context).store() as store:
        known = load_names(store)
    people = known.people()
    if as_json:
        rows = [
            {"player": p.player, "name": p.label, "also": list(p.also), "erased": p.erased,
             "counts_as": None if p.into is None else known.canonical(p.player)}
            for p in people
        ]  # fmt: skip
        print_json({"players": rows})
        return
    shown = table("name", "id", "also", "")
    for p in people:
        state = f"merged into {p.label}" if p.into is not None else ("erased" if p.erased else "")
        name = p.also[0] if p.into is not None and p.also else p.label
        shown.add_row(name, p.player[:8], ", ".join(n for n in p.also if n != name), state)
    show(shown if people else "nobody is known yet; mistigris record SHEET")


def rename(
    context: typer.Context,
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
) -> None:
    """Call a player otherwise; he stays one player, and his old name still finds him."""
    from ledger import people

    with settings(context).store() as store:
        told = _done(lambda: people.rename(store, name, new))
    also = (
        "" if told == new.strip() else f"; there is another {new.strip()}: if they are one, mistigris merge"
    )
    typer.echo(f"{name} is {told} now{also}")


def alias(
    context: typer.Context,
    name: Name,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="A name besides.")],
) -> None:
    """Let another name find a player too; reports call him as before."""
    from ledger import people

    with settings(context).store() as store:
        told = _done(lambda: people.alias(store, name, other))
    typer.echo(f"{other} is {told} too")


def merge(
    context: typer.Context,
    name: Name,
    into: Annotated[list[str], typer.Argument(metavar="INTO NAME", help="Who he was all along.")],
) -> None:
    """Count two who were one player all along as one: merge A into B."""
    from ledger import people

    if len(into) > 2 or (len(into) == 2 and into[0].lower() != "into"):
        refuse("merge takes two names: mistigris merge A into B", 2)
    with settings(context).store() as store:
        merged, whole, player = _done(lambda: people.merge(store, name, into[-1]))
    typer.echo(f"{merged} counts as {whole} now; mistigris unmerge {player[:8]} undoes it")


def unmerge(context: typer.Context, name: Name) -> None:
    """Undo a merge."""
    from ledger import people

    with settings(context).store() as store:
        told = _done(lambda: people.unmerge(store, name))
    typer.echo(f"{told} is one of his own again")


def erase(
    context: typer.Context,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase a player's names for good; every hand stays, and verifies."""
    from ledger import people

    with settings(context).store() as store:
        known = people.load_names(store)
        player = known.player(name)
        if player is None:
            refuse(f"nobody is called {name}; mistigris names lists the players")
        found = people.names_of(known, player)
        texts = sorted({position for each in found for position in people.texts_with(store, each)})
        if not yes:
            typer.confirm(f"Erase {', '.join(found)} for good? It cannot be undone", abort=True)
        told, gone = _done(lambda: people.erase(store, name))
    typer.echo(
        f"{counted(gone, 'name')} erased; reports say “{told}” from now on, and every hand still verifies"
    )
    if texts:
        where = ", ".join(map(str, texts[:10])) + (" ..." if len(texts) > 10 else "")
        typer.echo(f"free texts hold the name, and are chained for good: events {where}")
    typer.echo("backups, copies given away and the sheets themselves still have it")


def _done(change: Callable[[], T]) -> T:
    try:
        return change()
    except ValueError as fault:
        refuse(str(fault))
