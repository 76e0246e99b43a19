"""The reports: `kitty` and `limits`, over one session or all."""

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, bar, print_json, progress, show, signed, table
from cli.settings import find_session, refuse, settings

if TYPE_CHECKING:
    from analytics.kitty import Accounts
    from analytics.limits import KeptLimit, KeptOver
    from analytics.reports import Purse
    from analytics.scope import Scope
    from ledger.names import Names
    from ledger.store.store import Store

    NameOf = Callable[[str], str]

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


def scope_of(
    store: "Store",
    names: "Names",
    session: str | None,
    player: str | None,
    since: str | None,
    until: str | None,
) -> "Scope":
    """What the options narrow a report to; ends the command where a session or a name is not there."""
    from analytics.scope import Scope, merges

    return Scope(
        sessions=None if session is None else (find_session(store, session),),
        player=None if player is None else player_of(names, player),
        since=date_of(since, "--since"),
        until=date_of(until, "--until"),
        merged=merges(names),
    )


def player_of(names: "Names", name: str) -> str:
    """The id that the player of a name counts under; ends the command where there is none."""
    found = names.player(name)
    if found is None:
        refuse(f"nobody is called {name}; there are {', '.join(names.known()) or 'no players yet'}")
    return names.canonical(found)


def kitty(
    context: typer.Context,
    session: OfSession = None,
    player: OfPlayer = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """The kitty: what was taken from whose pools, what it paid and spent, what it holds."""
    from analytics.kitty import kitty_accounts
    from analytics.opening import open_facts
    from ledger.people import load_names

    with settings(context).store() as store:
        names = load_names(store)
        scope = scope_of(store, names, session, player, since, until)
        with open_facts(store, progress("counting sessions", LONG_CATCH_UP)) as facts:
            accounts = kitty_accounts(facts, scope)
    if as_json:
        print_json(_kitty_json(accounts, names.name))
        return
    of_one = len(accounts.balances) == 1
    shown = table(*(() if of_one else ("session",)), ">hand", "", ">units", "who", "for", ">holds")
    for m in accounts.movements:
        first = [] if of_one else [f"{m.title}, {m.played_on}"]
        who = names.name(m.player) if m.player else ""
        cells = [
            "" if m.hand is None else str(m.hand),
            _KINDS.get(m.kind, m.kind),
            str(m.units),
            who,
            m.reason,
        ]
        shown.add_row(*first, *cells, str(m.balance))
    given = (f"from pools won by {name}: {_worth(purse)}" for name, purse in _given(accounts, names.name))
    show(f"the kitty holds {_worth(accounts.holds)}", shown, *given)


_KINDS = {"forward": "brought forward", "borne": "of a difference"}
_ENTRIES = ("taken", "paid", "spent", "shared")
LONG_CATCH_UP = 20
"""Sessions from which counting them is shown on a terminal."""


def in_money(purse: "Purse") -> str:
    """What a purse comes to in each currency; empty where counters have no price."""
    return ", ".join(m if c == "LSD" else f"{m} {c}" for c, m in purse.money.items())


def _worth(purse: "Purse") -> str:
    """A purse in units, and in money where counters have a price."""
    money = in_money(purse)
    if purse.units is None:
        return money
    return f"{purse.units} ({money})" if money else str(purse.units)


def _given(accounts: "Accounts", name_of: "NameOf") -> "list[tuple[str, Purse]]":
    """What the kitty took from whose pools, the most first; equal ones by name, for ids differ between stores."""
    named = [(name_of(player), purse) for player, purse in accounts.given.items()]
    return sorted(named, key=lambda row: (-(row[1].units or 0), row[0]))


def _kitty_json(accounts: "Accounts", name_of: "NameOf") -> dict[str, Any]:
    entries = [
        {"session": m.session, "hand": m.hand, "units": m.units, "kind": m.kind,
         "who": name_of(m.player) if m.player else None, "reason": m.reason, "balance": m.balance}
        for m in accounts.movements if m.kind in _ENTRIES
    ]  # fmt: skip
    sessions = [
        {"session": b.session, "title": b.title, "date": b.played_on, "forward": b.forward, "taken": b.taken,
         "paid": b.paid, "spent": b.spent, "shared": b.shared, "borne": b.borne, "balance": b.balance}
        for b in accounts.balances
    ]  # fmt: skip
    return {
        "balance": accounts.holds.units,
        "money": accounts.holds.money or None,
        "entries": entries,
        "by_player": {name: purse.units for name, purse in _given(accounts, name_of)},
        "by_player_money": {name: purse.money or None for name, purse in _given(accounts, name_of)},
        "sessions": sessions,
    }


def limits(
    context: typer.Context,
    session: OfSession = None,
    player: OfPlayer = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Limits on losing: who set which, and how the evening, the week and the month kept them.

    By what was won and lost until the close: what is corrected after it was not known when a limit was kept or not.
    """
    from analytics.limits import kept_limits, over
    from analytics.opening import open_facts
    from ledger.people import load_names

    with settings(context).store() as store:
        names = load_names(store)
        scope = scope_of(store, names, session, player, since, until)
        with open_facts(store, progress("counting sessions", LONG_CATCH_UP)) as facts:
            found = kept_limits(facts, scope)
        titles = _titles(store) if len({row.session for row in found}) > 1 else {}
    weeks, months = over(found, "week"), over(found, "month")
    if as_json:
        print_json(
            {
                "players": [_limit_json(row, names.name) for row in found],
                "weeks": [_over_json(row, names.name) for row in weeks],
                "months": [_over_json(row, names.name) for row in months],
            }
        )
    elif not found:
        show("nobody has set a limit")
    else:
        ways = ", ".join(sorted({_WAYS[row.counts] for row in found}))
        show(_limits_table(found, names.name, titles), f"losses are counted {ways}")
        if titles:
            show("by month", _over_table(months, names.name))


_WAYS = {
    "session": "net over the session",
    "day": "net over the calendar day",
    "24_hours": "net over 24 hours",
    "gross": "by losing hands alone",
}


def _limit_json(row: "KeptLimit", name_of: "NameOf") -> dict[str, Any]:
    from ledger.times import rfc3339

    return {
        "session": row.session, "name": name_of(row.player), "limit": row.limit, "net": row.net,
        "lowest": row.lowest, "reached_at_hand": row.reached_at_hand, "hands_after": row.hands_after,
        "stop_at": None if row.stop_at is None else rfc3339(row.stop_at, row.zone),
        "minutes_after": row.seconds_after // 60, "counts": row.counts, "most_lost": row.most_lost,
        "overrun": row.overrun, "kept": row.kept, "stopped": row.stopped,
    }  # fmt: skip


def _over_json(row: "KeptOver", name_of: "NameOf") -> dict[str, Any]:
    assert row.overrun is not None
    assert row.net is not None
    return {
        "name": name_of(row.player), "span": row.span, "limits": row.limits, "reached": row.reached,
        "kept": row.kept, "overrun": row.overrun.units, "overrun_money": row.overrun.money or None,
        "net": row.net.units, "net_money": row.net.money or None, "stops": row.stops, "stopped": row.stopped,
        "minutes_after": row.seconds_after // 60,
    }  # fmt: skip


def _titles(store: "Store") -> dict[str, str]:
    """Each session's title and date, as the kitty's report has them."""
    from ledger.listing import list_sessions

    return {row["session"]: f"{row['title']}, {(row['opened'] or '')[:10]}" for row in list_sessions(store)}


def _limits_table(found: "list[KeptLimit]", name_of: "NameOf", titles: dict[str, str]) -> object:
    """A row for each player's limit; with `titles` each says of which session."""
    from ledger.times import rfc3339

    shown = table(
        *(("session",) if titles else ()),
        "player",
        ">limit",
        ">net",
        "of the limit",
        ">lowest",
        ">reached",
        ">hands after",
        "stops",
        ">minutes after",
    )
    for row in found:
        stop = "" if row.stop_at is None else rfc3339(row.stop_at, row.zone)[11:16]
        cells = (
            name_of(row.player), row.limit or "", signed(row.net), _part(row.most_lost, row.limit),
            signed(row.lowest), row.reached_at_hand or "", row.hands_after, stop, row.seconds_after // 60,
        )  # fmt: skip
        shown.add_row(*((titles[row.session],) if titles else ()), *map(str, cells))
    return shown


def _part(lost: int, limit: int | None) -> str:
    """How much of the limit was lost at the worst, as a bar of ten."""
    if not limit:
        return ""
    return f"{bar(lost, limit)} {100 * lost // limit}%"


def _over_table(rows: "list[KeptOver]", name_of: "NameOf") -> object:
    shown = table(
        "month", "player", ">limits", ">reached", ">kept", ">over by", ">stops", ">stopped", ">minutes after"
    )
    for row in rows:
        over_by = _worth(row.overrun) if row.overrun is not None else ""
        cells = (
            row.span, name_of(row.player), row.limits, row.reached, row.kept, over_by, row.stops, row.stopped,
            row.seconds_after // 60,
        )  # fmt: skip
        shown.add_row(*map(str, cells))
    return shown
