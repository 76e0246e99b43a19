"""What the report of a player over his lifetime says, asked of the facts: net over time, figures, limits.

Nets over sessions are drawn for each sort of money by itself; sessions whose counters have no price are a sort of their
own. What is measured stays whole numbers (units, or parts of the smallest coin) until it is drawn.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from analytics.intervals import Clusters, Interval, by_sessions, rate_over_hands, rate_over_sessions
from analytics.plots import Step
from analytics.report.limits import Limit, limit_kept
from analytics.report.receipt import Receipt
from analytics.report.settling import AS_RECORDED
from analytics.report.words import Rate, clock, date_words, gain, minus, number, rate, sign, signed
from analytics.reports import PlayerFigures, Row, ask, player_figures, unit_of
from analytics.schema import ALL_RATES
from analytics.scope import Scope
from ledger.counters.money import Unit

if TYPE_CHECKING:
    import duckdb


class Evening(NamedTuple):
    """One session: its date and title, hands, net in units and in money, and the sum so far in this sort of money."""

    date: str
    title: str
    hands: int
    net: str
    money: str
    so_far: str
    won: int


class Account(NamedTuple):
    """The sessions in one sort of money: what they came to, and the steps of its picture (the first is nought)."""

    heading: str
    total: str
    won: int
    verdict: str
    steps: list[Step]
    banded: bool
    up: str
    evenings: list[Evening]


class Figure(NamedTuple):
    """One figure: what it is called, its rate, and what is a hit and what a chance."""

    name: str
    rate: Rate
    meaning: str


class Lifetime(NamedTuple):
    """A player's report. Lists that are empty have no part in the page; `proviso` says what is left out of its nets."""

    name: str
    played: str
    proviso: str
    accounts: list[Account]
    money: list[tuple[str, str]]
    figures: list[Figure]
    limits: list[Limit]
    receipt: Receipt


def lifetime(facts: "duckdb.DuckDBPyConnection", scope: Scope, name: str, receipt: Receipt) -> Lifetime:
    """The report of the player of a scope, called `name`, over the sessions of the scope."""
    player = scope.player
    assert player is not None
    found = player_figures(facts, scope)
    rows = [row for row in ask(facts, "lifetime") if row["hands"] or row["settled"]]
    limits = [_limit(row) for row in ask(facts, "lifetime_limits") if row["player"] == player]
    sorts = dict.fromkeys(map(_sort, rows))
    figures = found[0] if found else PlayerFigures(player, "")
    return Lifetime(
        name,
        _played(rows, figures),
        AS_RECORDED if scope.as_recorded else "",
        [_account([row for row in rows if _sort(row) == sort]) for sort in sorts],
        _money(figures, {row["session"]: row for row in rows}),
        _figures(figures),
        limits,
        receipt,
    )


def _played(rows: Sequence[Row], figures: PlayerFigures) -> str:
    if not rows:
        return "no session yet"
    first, last = date_words(rows[0]["played_on"]), date_words(rows[-1]["played_on"])
    parts = [first if first == last else f"{first} to {last}"]
    parts += [number(len(rows), "session"), number(figures.hands, "hand")]
    if figures.seconds:
        parts.append(f"{number(max(round(figures.seconds / 3600), 1), 'hour')} at the table")
    return " · ".join(parts)


def _sort(row: Row) -> tuple[str | None, int | None]:
    """Which sort of money it was for; a currency that lost its small coin between two evenings is two."""
    return row["currency"], row["decimals"]


def _account(rows: Sequence[Row]) -> Account:
    """The sessions of one sort of money, added up in parts of its coin that each of their counters is whole of."""
    currency, decimals = _sort(rows[0])
    units = [unit_of(row) for row in rows]
    worth = [Fraction(1) if u is None else Fraction(u.minor_numerator, u.minor_denominator) for u in units]
    parts = math.lcm(*(w.denominator for w in worth))
    coin = None if currency is None else Unit(
        minor_numerator=1, minor_denominator=parts, currency=currency, decimals=decimals or 0
    )  # fmt: skip
    # what is drawn: counters, pence of the old money, or whole ones of the currency
    scale = parts if currency in (None, "LSD") else parts * 10 ** (decimals or 0)
    steps, evenings = [Step(0.0, None, None)], []
    sums, squares, settled = [0] * 6, 0, 0
    for row, unit, each in zip(rows, units, worth, strict=True):
        factor = int(each * parts)
        y, n = row["net"] * factor, row["hands"]
        sums = [a + b for a, b in zip(sums, (1, y, n, y * y, y * n, n * n), strict=True)]
        squares += row["net_sq"] * factor**2
        settled += row["settled"] * factor
        steps.append(_step(settled, _bounds(Clusters(*sums), squares), scale))
        evenings.append(
            Evening(
                row["played_on"], row["title"], n, signed(row["settled"]), gain(row["settled"], unit),
                gain(settled, coin) or signed(settled), sign(row["settled"]),
            )
        )  # fmt: skip
    heading = {None: "counters without a price", "LSD": "shillings and pence"}.get(currency, currency)
    return Account(
        heading or "",
        gain(settled, coin) or signed(settled),
        sign(settled),
        _verdict(steps[-1]),
        steps,
        any(step.low is not None for step in steps),
        {None: "counters", "LSD": "pence"}.get(currency, currency) or "",
        evenings,
    )


def _step(settled: int, bounds: Interval | None, scale: int) -> Step:
    """A point of the picture: the band lies about what was settled, as wide as nets over so many hands vary."""
    value = settled / scale
    if bounds is None or bounds.low is None or bounds.high is None:
        return Step(value, None, None)
    return Step(
        value, value + (bounds.low - bounds.value) / scale, value + (bounds.high - bounds.value) / scale
    )


def _bounds(c: Clusters, squares: int) -> Interval | None:
    """The interval of what so many hands are expected to bring: over sessions, or roughly over hands."""
    if by_sessions(c.sessions, c.n):
        return rate_over_sessions(c, c.n)
    return rate_over_hands(c.n, c.y, squares, Fraction(c.n))


def _verdict(last: Step) -> str:
    if last.low is None or last.high is None:
        return "There are too few hands to say whether this is more than luck."
    if last.low <= 0 <= last.high:
        return "The band holds nought: luck alone can explain this."
    return "The band does not hold nought: luck alone seldom explains this, one time in twenty."


def _money(figures: PlayerFigures, rows: dict[str, Row]) -> list[tuple[str, str]]:
    """Net per 100 hands and per hour, spread and extremes, in counters; nothing over counters of different worth."""
    said = []
    for heading, interval in (
        ("net of 100 hands", figures.net_per_100),
        ("net of an hour", figures.net_per_hour),
        ("spread of 100 hands", figures.sd_per_100),
    ):
        if interval is not None:
            said.append((heading, _interval(interval)))
    for heading, key in (
        ("biggest pool won", "biggest_pool"),
        ("best hand", "best_hand_net"),
        ("worst hand", "worst_hand_net"),
        ("best session", "best_session"),
        ("worst session", "worst_session"),
    ):
        place = figures.places.get(key)
        row = rows.get(place.session) if place is not None else None
        if place is not None and row is not None:
            units = str(place.units) if key == "biggest_pool" else signed(place.units)
            hand = f", hand {place.hand}" if place.hand is not None else ""
            said.append((heading, f"{units} ({row['title']}, {date_words(row['played_on'])}{hand})"))
    run = figures.losing_run
    if run is not None and run.sessions:
        said.append(("sessions lost in a row, at most", str(run.sessions)))
    return said


def _interval(interval: Interval) -> str:
    text = minus(f"{interval.value:.1f}")
    if interval.low is None or interval.high is None:
        return f"{text}, too few hands for an interval"
    rough = ", roughly" if interval.rough else ""
    return f"{text} ({minus(f'{interval.low:.1f}')} to {minus(f'{interval.high:.1f}')}{rough})"


def _figures(figures: PlayerFigures) -> list[Figure]:
    """Every rate with a chance; what counts as a hit and as a chance stands in the schema."""
    found = []
    chances = {each.key: each.chance for each in ALL_RATES}
    for each in ALL_RATES:
        counted = figures.counts.get(each.key)
        if counted is not None and counted.chances:
            chance = chances.get(each.chance.removeprefix("as "), each.chance)
            meaning = f"{each.hit}; of the hands: {chance}"
            name = each.key.replace("_", " ")
            found.append(Figure(name, rate(counted.hits, counted.chances), meaning))
    return found


def _limit(row: Row) -> Limit:
    stop, last = row["stop_at"], row["last_hand_at"]
    return limit_kept(
        f"{row['title']}, {row['played_on']}",
        unit_of(row),
        limit=row["limit_units"],
        lowest=row["lowest"],
        reached_at_hand=row["reached_at_hand"],
        hands_after=row["hands_after"],
        stops_at=None if stop is None else clock(stop, row["zone"]),
        minutes_after=0 if stop is None or last is None else max(last - stop, 0) // 60_000_000,
    )
