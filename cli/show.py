"""What stands on record: `sessions`, `table`, `hand`, `hands`, `balances`, `settle`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, AsRecorded, SessionName, print_json, show, signed, table
from cli.settings import load, refuse, settings

if TYPE_CHECKING:
    from ledger.session.state import Session
    from ledger.table.hand import Hand

HandNumber = Annotated[int, typer.Argument(metavar="N", help="The hand's number, from 1.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("sessions")(sessions)
    app.command("table")(table_now)
    app.command("hand")(hand)
    app.command("hands")(hands)
    app.command("balances")(balances)
    app.command("settle")(settle)


def sessions(context: typer.Context, as_json: AsJson = False) -> None:
    """List the sessions in the store."""
    from ledger.listing import list_sessions

    with settings(context).store() as store:
        rows = list_sessions(store)
    if as_json:
        print_json({"sessions": rows})
        return
    shown = table("session", "title", "rules", ">hands", ">events", "opened", "")
    for row in rows:
        state = "closed" if row["closed"] else "open"
        cells = (
            row["session"][:8],
            row["title"],
            row["rules"],
            row["hands"],
            row["events"],
            row["opened"],
            state,
        )
        shown.add_row(*map(str, cells))
    show(shown if rows else "no session is recorded yet; mistigris record SHEET")


def table_now(
    context: typer.Context,
    session: SessionName = "last",
    hand: Annotated[
        int | None, typer.Option(metavar="N", help="As it stood at the end of this hand.")
    ] = None,
    at: Annotated[int | None, typer.Option(metavar="EVENT", help="As it stood after this event.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the table: seats, stakes, pool, whose say, what he may do."""
    from ledger.views import labels, table_view

    with settings(context).store() as store:
        state, names = load(store, session, upto=at)
        if hand is not None:
            last = _numbered(state, hand).last_version
            position = next(r.position for r in state.log if r.version == last)
            state, names = load(store, session, upto=position)
    view = table_view(state, labels(state, names.name))
    if as_json:
        print_json(view)
    else:
        _show_table(state, view)


def _show_table(state: "Session", view: dict[str, Any]) -> None:
    where = (
        "no hand yet" if view["hand"] is None else f"hand {view['hand']}, {view['phase'].replace('_', ' ')}"
    )
    pot = "" if view["jackpot"] is None else f", a jack-pot on {view['jackpot']['openers']}"
    shown = table("seat", ">held", ">stake", "")
    for name in view["seats"]:
        marks = [
            m
            for m, there in (("dealer", view["dealer"] == name), ("to act", view["to_act"] == name))
            if there
        ]
        if view["hand"] is not None and name not in view.get("in", []) and view["phase"] != "over":
            marks.append("out")
        shown.add_row(
            name, str(view["held"].get(name, 0)), str(view["stakes"].get(name, "")), ", ".join(marks)
        )
    lines = []
    for option in view["allowed"]:
        span = "" if option["min"] is None else f" {option['min']}"
        if option["min"] != option["max"]:
            span += f" to {option['max']}"
        lines.append(f"{option['player']}: {option['action'].replace('_', ' ')}{span}")
    show(f"{state.title}: {where}{pot}; pool {view['pool']}", shown, *lines)


def _numbered(state: "Session", number: int) -> "Hand":
    found = state.hand_numbered(number)
    if found is None:
        last = len(state.hands)
        refuse(
            f"there is no hand {number} in “{state.title}”; {f'the last is {last}' if last else 'none is played'}"
        )
    return found


def hand(
    context: typer.Context,
    session: SessionName,
    number: HandNumber,
    private: Annotated[
        bool, typer.Option("--private", help="With the cards that only the recorder knows.")
    ] = False,
    as_recorded: AsRecorded = False,
    as_json: AsJson = False,
) -> None:
    """Tell one hand step by step; its net as ruled and corrected since."""
    from ledger.corrections import put_right
    from ledger.views import hand_view, labels

    with settings(context).store() as store:
        state, names = load(store, session)
        moved = put_right(store, state, as_recorded=as_recorded).of(number)
    view = hand_view(
        state,
        _numbered(state, number),
        labels(state, names.name),
        events=True,
        private=private,
        moved=moved,
    )
    if as_json:
        print_json(view)
        return
    lines = [f"{e['event']:>7}  {'  ' if e['cause'] else ''}{e['text']}" for e in view["events"]]
    won = ", ".join(_won(w) for w in view["winners"]) or "nobody"
    net = ", ".join(f"{name} {signed(units)}" for name, units in view["net"].items())
    taken = f"to the kitty {view['kitty'] - view['rake']}" + (
        f", rake {view['rake']}" if view["rake"] else ""
    )
    show(*lines, f"pool {view['pool']}, {taken}; won: {won}", f"net: {net}")


def _won(winner: dict[str, Any]) -> str:
    with_hand = f" with {winner['hand'].replace('_', ' ')}" if winner["hand"] else ""
    return f"{winner['name']} {winner['units']}{with_hand}"


def hands(
    context: typer.Context,
    session: SessionName = "last",
    as_recorded: AsRecorded = False,
    as_json: AsJson = False,
) -> None:
    """List all hands of a session, a line each; their nets as ruled and corrected since."""
    from ledger.corrections import put_right
    from ledger.views import hand_view, labels

    with settings(context).store() as store:
        state, names = load(store, session)
        right = put_right(store, state, as_recorded=as_recorded)
    name_of = labels(state, names.name)
    rows = [hand_view(state, h, name_of, moved=right.of(h.number)) for h in state.hands]
    if as_json:
        print_json({"hands": rows})
        return
    shown = table(">hand", "dealer", ">pool", ">kitty", "won", "")
    for row in rows:
        won = ", ".join(_won(w) for w in row["winners"]) or ("carried" if row["over"] else "in play")
        marks = ", ".join(sorted({m["rule"] for m in row["irregular"]}))
        shown.add_row(str(row["hand"]), row["dealer"], str(row["pool"]), str(row["kitty"]), won, marks)
    show(shown if rows else "no hand is played yet")


def balances(context: typer.Context, session: SessionName = "last", as_json: AsJson = False) -> None:
    """Show where every counter is; in the house's colours what each holds, or had bought back."""
    from ledger.counters.colours import in_colours
    from ledger.views import balances_view, labels

    with settings(context).store() as store:
        state, names = load(store, session)
    view = balances_view(state, labels(state, names.name))
    if as_json:
        print_json(view)
    else:
        shown = table("", ">bought", ">held", ">bought back", *(("in counters",) if state.colours else ()))
        for name, held in view["held"].items():
            back = view["bought_back"][name]
            colours = (in_colours(held or back, state.colours),) if state.colours else ()
            shown.add_row(name, *map(str, (view["bought"][name], held, back)), *colours)
        keys = ("sold", "brought_forward", "difference", "pool", "kitty", "kitty_spent")
        line = ", ".join(f"{key.replace('_', ' ')} {view[key]}" for key in keys)
        show(
            state.title, shown, line, "the books balance" if view["balanced"] else "the books do not balance"
        )
    if not view["balanced"]:
        raise typer.Exit(1)


def _worth(state: "Session", units: int) -> str:
    """Units as money with its currency, nothing where counters have no price."""
    from ledger.counters.money import marked_money

    return "" if state.unit is None else marked_money(units, state.unit)


def settle(
    context: typer.Context,
    session: SessionName = "last",
    through_banker: Annotated[
        bool, typer.Option("--via-banker", help="Each pays or is paid by the banker.")
    ] = False,
    as_recorded: AsRecorded = False,
    as_json: AsJson = False,
) -> None:
    """Settle: buy-backs in counters and money, and the fewest payments; as ruled and corrected since."""
    from ledger.corrections import put_right
    from ledger.views import labels, settle_view

    with settings(context).store() as store:
        state, names = load(store, session)
        moved = put_right(store, state, as_recorded=as_recorded).session
    name_of = labels(state, names.name)
    view = settle_view(state, name_of, through_banker=through_banker, moved=moved)
    if as_json:
        print_json(view | {"as": "recorded" if as_recorded else "corrected"})
        return
    shown = table("", ">bought", ">cashed", ">net", ">money")
    for row in view["players"]:
        cells = (row["bought"], row["cashed"], signed(row["net"]), _worth(state, row["net"]))
        shown.add_row(row["name"], *map(str, cells))
    lines = [
        f"{p['from']} pays {p['to']} {_worth(state, p['units']) or p['units']}" for p in view["payments"]
    ]
    kept = [f"the {what}'s {view[what]}" for what in ("kitty", "pool") if view[what]]
    if kept:
        lines.append(f"{' and '.join(kept)} lie with {view['treasurer']}")
    lines += [f"{b['by']} bears {signed(b['units'])} of the difference" for b in view["borne"]]
    what = "rulings left out" if as_recorded else "corrected after the close"
    lines += [f"{what}: {name_of(p)} {signed(units)}" for p, units in moved.items() if units]
    if not state.closed:
        lines.append("the session is not closed; what is held counts as cashed")
    show(state.title, shown, *(lines or ["nobody owes anybody anything"]))
