"""`mistigris stats`: every figure of the players and of the table, by any filter."""

import pathlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, AsRecorded, bar, counted, print_json, progress, show, signed, table
from cli.reports import LONG_CATCH_UP, OfPlayer, OfSession, Since, Until, in_money, scope_of
from cli.settings import refuse, settings, why

if TYPE_CHECKING:
    import duckdb

    from analytics.reports import PlayerFigures, TableFigures
    from analytics.scope import Scope
    from ledger.store.store import Store

By = Annotated[
    str | None,
    typer.Option("--by", metavar="WHAT", help="Divide: position, rules, month, dealt_in or cards_drawn."),
]
Sort = Annotated[
    str, typer.Option("--sort", metavar="KEY", help="Any key of --json, the highest first; name: by name.")
]
OfRules = Annotated[
    str | None, typer.Option("--rules", metavar="NAME", help="Only sessions of this rule set.")
]
DealtIn = Annotated[
    int | None, typer.Option("--dealt-in", metavar="N", help="Only hands of so many players.")
]
OfPosition = Annotated[
    str | None,
    typer.Option("--position", metavar="PLACE", help="Only hands from this place: ante, no_1, dealer."),
]
JackPots = Annotated[
    bool | None, typer.Option("--jackpots/--no-jackpots", help="Only jack-pots, or only other hands.")
]
Csv = Annotated[pathlib.Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")]
Parquet = Annotated[
    pathlib.Path | None, typer.Option("--parquet", metavar="FILE", help="Write the figures as Parquet.")
]


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("stats")(stats)


def stats(
    context: typer.Context,
    session: OfSession = None,
    player: OfPlayer = None,
    since: Since = None,
    until: Until = None,
    rules: OfRules = None,
    dealt_in: DealtIn = None,
    position: OfPosition = None,
    jackpots: JackPots = None,
    by: By = None,
    sort: Sort = "hands",
    as_recorded: AsRecorded = False,
    csv: Csv = None,
    parquet: Parquet = None,
    as_json: AsJson = False,
) -> None:
    """Count how everybody plays: money, before the draw, the draw, after it, the show; as ruled and corrected since.

    A correction after the close that names a hand counts in its net; one that names none stands apart (corrected).
    """
    from dataclasses import replace

    from analytics.figures import player_json, table_json
    from analytics.opening import open_facts
    from analytics.reports import player_figures, table_figures
    from analytics.scope import DIVISIONS
    from ledger.people import load_names

    if by is not None and by not in DIVISIONS:
        refuse(f"--by {by}: one of {', '.join(DIVISIONS)}", 2)
    with settings(context).store() as store:
        names = load_names(store)
        scope = replace(
            scope_of(store, names, session, player, since, until),
            rules=rules, dealt_in=dealt_in, position=position, jackpot=jackpots, by=by, as_recorded=as_recorded,
        )  # fmt: skip
        with open_facts(store, progress("counting sessions", LONG_CATCH_UP)) as facts:
            _among(facts, "--rules", rules, "sessions", "rules")
            _among(facts, "--position", position, "hand_players", "position")
            players = player_figures(facts, scope)
            at_table = table_figures(facts, scope)
            shares = _dealt_shares(facts, store)
    rows = [player_json(f, names.name, by) for f in players]
    order = _order(rows, sort)
    rows, players = [rows[i] for i in order], [players[i] for i in order]
    for path, how in ((csv, "csv"), (parquet, "parquet")):
        if path is not None:
            _write(rows, path, how)
    if as_json:
        told = "recorded" if as_recorded else "corrected"
        print_json({"as": told, "players": rows, "table": table_json(at_table, shares)})
    elif csv is None and parquet is None:
        _print(players, at_table, names.name, scope)


def _among(
    facts: "duckdb.DuckDBPyConnection", option: str, wanted: str | None, table: str, column: str
) -> None:
    """Refuses a value of an option that the ledger does not have, and names those it has."""
    if wanted is None:
        return
    found = facts.execute(f"select distinct {column} from {table} where {column} is not null").fetchall()
    there = sorted(str(value) for (value,) in found)
    if there and wanted not in there:
        refuse(f"{option} {wanted}: not in this ledger; it has {', '.join(there)}", 2)


def _order(rows: list[dict[str, Any]], key: str) -> list[int]:
    """The places of the rows in the order asked for; what has no value comes last."""
    if rows and key not in rows[0]:
        refuse(f"--sort {key}: no such figure; stats --json shows their keys", 2)
    if any(isinstance(r[key], dict) for r in rows):
        refuse(f"--sort {key}: this is no single number", 2)
    places = range(len(rows))
    if key in ("name", "part"):
        return sorted(places, key=lambda i: rows[i][key])
    return sorted(places, key=lambda i: (rows[i][key] is None, -(rows[i][key] or 0), rows[i]["name"]))


def _dealt_shares(facts: "duckdb.DuckDBPyConnection", store: "Store") -> dict[str, float]:
    """The share of each class among all hands of the pack, by the rules of the last session in the scope."""
    from analytics.prospects import class_counts
    from ledger.codec import to_recorded
    from ledger.rules.ranks import rank_rules

    last = facts.execute(
        "select session from scope_sessions where hands > 0 order by opened_at desc, session limit 1"
    ).fetchone()
    if last is None:
        return {}
    rules = None
    for stored in store.read(last[0]):
        rules = getattr(to_recorded(stored).event, "rules", rules)
        if stored.event_type == "hand_begun":
            break
    assert rules is not None
    counts = class_counts(rank_rules(rules))
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()}


def _write(rows: list[dict[str, Any]], path: pathlib.Path, how: str) -> None:
    from analytics.export import write_rows

    try:
        write_rows(rows, path, how)
    except OSError as fault:
        refuse(f"{path}: {why(fault)}", 2)


def _print(
    players: "list[PlayerFigures]", at_table: "TableFigures", name_of: Callable[[str], str], scope: "Scope"
) -> None:
    if not players:
        show("no hand is over yet in what was asked for")
        return
    first = ("", scope.by) if scope.by else ("",)
    show("money", _money_table(players, name_of, first), *_corrected(players, name_of, scope))
    show("before the draw", _rate_table(_BEFORE, players, name_of, first))
    show("the draw", _draw_table(players, name_of, first))
    show("after the draw, and the show", _rate_table(_AFTER, players, name_of, first))
    if any(f.counts["jackpot_won"].chances for f in players):
        show("jack-pots", _rate_table(_JACK_POTS, players, name_of, first))
    show(_table_line(at_table))


_BEFORE = {
    "vpip": "vpip", "opened": "opened", "raised_before": "raised", "reraised_before": "reraised",
    "called_raise": "called raise", "ante_defended": "made good", "straddled": "straddled",
}  # fmt: skip
_AFTER = {
    "bet_after": "bet", "raised_after": "raised", "called_after": "called", "to_show": "to show",
    "won_at_show": "won there", "won_without_show": "won unseen",
}  # fmt: skip
_JACK_POTS = {"jackpot_opened": "opened", "jackpot_won": "won", "false_openings": "without openers"}


def _who(figures: "PlayerFigures", name_of: Callable[[str], str], first: tuple[Any, ...]) -> list[str]:
    return [name_of(figures.player), figures.part][: len(first)]


def _money_table(
    players: "list[PlayerFigures]", name_of: Callable[[str], str], first: tuple[Any, ...]
) -> object:
    made = table(*first, ">sessions", ">hands", ">net", ">money", ">per 100", ">from … to")
    for f in players:
        money = in_money(f.sums["net"])
        mean = f.net_per_100
        bounds = ""
        if mean is not None and mean.low is not None and mean.high is not None:
            bounds = f"{mean.low:+.0f} … {mean.high:+.0f}{' rough' if mean.rough else ''}"
        made.add_row(
            *_who(f, name_of, first), str(f.sessions), str(f.hands), "" if f.net is None else signed(f.net), money,
            "" if mean is None else f"{mean.value:+.1f}", bounds,
        )  # fmt: skip
    return made


def _corrected(
    players: "list[PlayerFigures]", name_of: Callable[[str], str], scope: "Scope"
) -> Iterator[str]:
    """What is left out of the nets above: everything as recorded; else corrections that name no hand."""
    if scope.as_recorded:
        yield "as it was played: rulings, and corrections after the close, are left out"
    moved = [
        f"{name_of(f.player)} {in_money(purse) if purse.units is None else signed(purse.units)}"
        for f in players
        if (purse := f.sums.get("corrected")) is not None and any(units for units, _ in purse.parts)
    ]
    if moved:
        yield f"corrected after the close, of no hand: {', '.join(moved)}"


def rate_cell(hits: int, chances: int, low: float | None, high: float | None) -> str:
    """A rate as people read it: per cent, a small bar, hits / chances; empty without chances."""
    if not chances or low is None or high is None:
        return ""
    return f"{100 * hits / chances:.0f}% {bar(hits, chances)}\n{hits}/{chances}, {100 * low:.0f}–{100 * high:.0f}%"


def _rate_table(
    keys: dict[str, str],
    players: "list[PlayerFigures]",
    name_of: Callable[[str], str],
    first: tuple[Any, ...],
) -> object:
    made = table(*first, *keys.values())
    for f in players:
        cells = [rate_cell(*f.counts[key], *(f.counts[key].interval or (None, None))) for key in keys]
        made.add_row(*_who(f, name_of, first), *cells)
    return made


def _draw_table(
    players: "list[PlayerFigures]", name_of: Callable[[str], str], first: tuple[Any, ...]
) -> object:
    made = table(*first, ">drew", ">cards", "pat", "pat won", "improved", ">expected", ">luck")
    for f in players:
        drew = f.acts["drew"]
        luck = f.luck
        cells = [
            rate_cell(*f.counts[k], *(f.counts[k].interval or (None, None)))
            for k in ("pat", "pat_won", "improved")
        ]
        made.add_row(
            *_who(f, name_of, first), str(drew), f"{f.acts['cards'] / drew:.2f}" if drew else "", *cells,
            f"{luck.expected:.1f}" if luck else "",
            f"{luck.improved - luck.expected:+.1f} ± {luck.spread:.1f}" if luck else "",
        )  # fmt: skip
    return made


def _table_line(t: "TableFigures") -> str:
    parts = [f"the table: {counted(t.hands, 'hand')}"]
    if t.hands_per_hour is not None:
        parts.append(f"{t.hands_per_hour:.0f} an hour")
    if t.dealt_in is not None:
        parts.append(f"{t.dealt_in:.1f} dealt in")
    if t.pool_mean is not None and t.pool_median is not None:
        parts.append(f"pools of {t.pool_mean:.1f} (median {t.pool_median:g})")
    for key, words in (("to_draw", "to the draw"), ("to_show", "to the show"), ("unopened", "unopened")):
        count = t.counts.get(key)
        if count is not None and count.value is not None:
            parts.append(f"{100 * count.value:.0f}% {words}")
    return ", ".join(parts)
