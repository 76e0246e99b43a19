"""`mistigris correct SESSION TEXT`, and what `audit --corrections` lists: what was put right, by whom, when, why."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import SessionName, print_json, show
from cli.settings import find_session, refuse, settings

if TYPE_CHECKING:
    from ledger.corrections import Correction
    from ledger.names import Names
    from ledger.store.store import Store


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("correct")(correct)


def correct(
    context: typer.Context,
    session: SessionName,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was wrong, and why.")],
    hand: Annotated[int | None, typer.Option(metavar="N", help="The hand concerned.")] = None,
    event: Annotated[int | None, typer.Option(metavar="EVENT", help="The event concerned.")] = None,
    units: Annotated[int, typer.Option(min=0, metavar="X", help="Counters that move.")] = 0,
    giver: Annotated[str | None, typer.Option("--from", metavar="NAME", help="From whom.")] = None,
    taker: Annotated[str | None, typer.Option("--to", metavar="NAME", help="To whom.")] = None,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who puts it right.")] = None,
) -> None:
    """Correct a closed session: written to the present, naming what it corrects; the record stays as it was."""
    from ledger.corrections import correct as write

    with settings(context).store() as store:
        found = find_session(store, session)
        try:
            done = write(
                store, found, text, hand=hand, event=event, units=units, giver=giver, taker=taker, by=by
            )
        except ValueError as fault:
            refuse(str(fault))
    typer.echo(
        f"corrected, as event {done.head.position}; mistigris settle and stats count it, --as-recorded does not"
    )


def list_corrections(context: typer.Context, session: str | None, as_json: bool) -> None:
    """Prints every correction of a session, or of all."""
    from ledger.corrections import all_corrections
    from ledger.people import load_names

    with settings(context).store() as store:
        found = all_corrections(store, None if session is None else find_session(store, session))
        names = load_names(store)
        titles = _titles(store)
    rows = [_row(each, names, titles) for each in found]
    if as_json:
        print_json({"corrections": rows})
        return
    lines = []
    for row in rows:
        who = f"by {row['by']}" if row["by"] else "by whom is not on record"
        lines.append(f"{row['event']:>7}  {row['title']}: {row['text']}")
        lines.append(f"         {who}; recorded {row['recorded']}, told {row['told']}")
        lines += [f"         - {text}" for text in row["withdrawn"]]
    show(*(lines or ["nothing was withdrawn, disputed, ruled or corrected"]))


def _row(each: "Correction", names: "Names", titles: dict[str, str]) -> dict[str, Any]:
    from ledger.telling import tell_openly, tell_recorded
    from ledger.times import rfc3339

    return {
        "event": each.position,
        "session": each.session,
        "title": titles.get(each.session, ""),
        "kind": each.kind,
        "hand": each.hand,
        "by": None if each.by is None else names.name(each.by),
        "told": rfc3339(each.told_at, each.zone),
        "recorded": rfc3339(each.recorded_at, "UTC"),
        "why": next(
            (text for key in ("reason", "text", "claim") if (text := getattr(each.event, key, ""))), None
        ),
        "text": tell_openly(each.event, names.name),
        "withdrawn": [tell_recorded(r, names.name, openly=True) for r in each.withdrawn],
    }


def _titles(store: "Store") -> dict[str, str]:
    from ledger.listing import list_sessions

    return {row["session"]: row["title"] for row in list_sessions(store)}
