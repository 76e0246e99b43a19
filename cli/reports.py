"""The reports: `kitty` and `limits`, over one session or all."""

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, print_json, show, signed, table
from cli.settings import find_session, refuse, settings

if TYPE_CHECKING:
    from ledger.names import Names
    from ledger.session.state import Session
    from ledger.store.store import Store

OfSession = Annotated[
    str | None,
    typer.Option("--session", metavar="SESSION", help="Only this session: a title, an id, or last."),
]
OfPlayer = Annotated[str | None, typer.Option("--player", metavar="NAME", help="Only this player.")]
Since = Annotated[str | None, typer.Option("--since", metavar="DATE", help="Sessions of this date or later.")]
Until = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Sessions of this date or earlier.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("kitty")(kitty)
    app.command("limits")(limits)


def date_of(text: str | None, option: str) -> str | None:
    """A date as an option gives it, YYYY-MM-DD; ends the command where it is none."""
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        refuse(f"{option} {text}: a date is written 2026-11-27", 2)


def _chosen(
    store: "Store", wanted: str | None, since: str | None, until: str | None
) -> "Iterator[tuple[Session, Names]]":
    """The sessions asked for, folded, in the order they were opened."""
    from ledger.house import evenings
    from ledger.loading import load_session
    from ledger.people import load_names

    names = load_names(store)
    first, last = date_of(since, "--since"), date_of(until, "--until")
    ids = [find_session(store, wanted)] if wanted is not None else [s.session for s in evenings(store)]
    for id_ in ids:
        session = load_session(store, id_)
        if (first is None or session.date >= first) and (last is None or session.date <= last):
            yield session, names


def kitty(
    context: typer.Context,
    session: OfSession = None,
    player: OfPlayer = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """The kitty: what was taken from whose pools, what it paid and spent, what it holds."""
    from ledger.views import kitty_given, kitty_rows, labels

    rows: list[dict[str, Any]] = []
    given: dict[str, int] = {}
    balance = 0
    with settings(context).store() as store:
        for state, names in _chosen(store, session, since, until):
            name_of = labels(state, names.name)
            rows += kitty_rows(state, name_of)
            for name, units in kitty_given(state, name_of).items():
                given[name] = given.get(name, 0) + units
            balance += state.bank.kitty - (0 if session is not None else state.bank.brought_forward)
    if player is not None:
        rows = [r for r in rows if r["who"] == player]
        given = {name: units for name, units in given.items() if name == player}
    if as_json:
        print_json({"balance": balance, "entries": rows, "by_player": given})
        return
    shown = table(">hand", "", ">units", "who", "for")
    for row in rows:
        cells = (
            "" if row["hand"] is None else row["hand"],
            row["kind"],
            row["units"],
            row["who"] or "",
            row["reason"],
        )
        shown.add_row(*map(str, cells))
    show(
        f"the kitty holds {balance}",
        shown,
        *(f"from pools won by {name}: {units}" for name, units in given.items()),
    )


def limits(
    context: typer.Context,
    session: OfSession = None,
    player: OfPlayer = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Limits on losing: who set which, and how the evening kept them."""
    from ledger.views import labels, limit_rows

    rows: list[dict[str, Any]] = []
    with settings(context).store() as store:
        for state, names in _chosen(store, session, since, until):
            rows += limit_rows(state, labels(state, names.name))
    if player is not None:
        rows = [r for r in rows if r["name"] == player]
    if as_json:
        print_json({"players": rows})
        return
    shown = table(
        "player", ">limit", ">net", ">lowest", ">reached", ">hands after", "stops", ">minutes after"
    )
    for row in rows:
        cells = (
            row["name"], row["limit"] or "", signed(row["net"]), signed(row["lowest"]), row["reached_at_hand"] or "",
            row["hands_after"], (row["stop_at"] or "")[11:16], row["minutes_after"],
        )  # fmt: skip
        shown.add_row(*map(str, cells))
    show(shown if rows else "nobody has set a limit")
