"""The figures as typed results: one query after the other, put together per player and for the table.

Players are ids here; what they are called is the printer's matter. Units over sessions of different units of money are
None, and only money is summed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from analytics import intervals
from analytics.intervals import Clusters, Interval, Squares
from analytics.schema import RATES
from analytics.scope import Scope, open_scope
from ledger.cards import CLASSES
from ledger.counters.money import Unit, sum_money

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
Key = tuple[str, str]
"""A player and a part of the division."""

HOUR = 3600


class Count(NamedTuple):
    """Hits and chances; without chances there is no value."""

    hits: int
    chances: int

    @property
    def value(self) -> float | None:
        """Hits / chances."""
        return self.hits / self.chances if self.chances else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval of 95 %."""
        return intervals.wilson(self.hits, self.chances)


class Place(NamedTuple):
    """An extreme, in units, with the session and, where it is one, the hand."""

    units: int
    session: str
    hand: int | None = None


class Run(NamedTuple):
    """Sessions lost one after the other: how many, from which to which."""

    sessions: int
    first: str | None
    last: str | None


class Luck(NamedTuple):
    """Draws whose hands are known: improved, expected to, and the standard deviation of the difference."""

    draws: int
    improved: int
    expected: float
    spread: float


@dataclass(slots=True)
class Purse:
    """Sums of units, each with what a unit is worth, and what they come to: units only if all are worth the same."""

    parts: list[tuple[int, Unit | None]] = field(default_factory=list)

    @property
    def units(self) -> int | None:
        """The sum of units, None over different units."""
        if len({unit for _, unit in self.parts}) > 1:
            return None
        return sum(units for units, _ in self.parts)

    @property
    def money(self) -> dict[str, str]:
        """The sum of money per currency, as people write it."""
        return sum_money((units, unit) for units, unit in self.parts if unit is not None)


@dataclass(slots=True)
class PlayerFigures:
    """One player's figures, or one part of them. Amounts are units, None over sessions of different units."""

    player: str
    part: str
    sessions: int = 0
    hands: int = 0
    seconds: int = 0
    """Time played; nought where nobody told the time."""
    sums: dict[str, Purse] = field(default_factory=dict)
    """net, net_at_show, net_without_show, ante_net, straddle_net, jackpot_net, kitty_given; over whole sessions
    kitty_received, unrecorded and corrected, and settled, to which these and net add up."""
    net_per_100: Interval | None = None
    net_per_hour: Interval | None = None
    sd_per_100: Interval | None = None
    counts: dict[str, Count] = field(default_factory=dict)
    """Every proportion by its key."""
    acts: dict[str, int] = field(default_factory=dict)
    """bets, raises, calls, passes, checks; drew, cards, drew_0 ... drew_5, passed_before."""
    places: dict[str, Place] = field(default_factory=dict)
    """biggest_pool, best_hand_net, worst_hand_net, best_session, worst_session."""
    losing_run: Run | None = None
    luck: Luck | None = None
    by_position: dict[str, tuple[int, int]] = field(default_factory=dict)
    """position -> hands, net."""
    won_by_drawn: dict[int, Count] = field(default_factory=dict)
    shown: dict[str, Count] = field(default_factory=dict)
    """class -> won / shown."""

    @property
    def net(self) -> int | None:
        """Units won less lost in hands, rulings and corrections of them in, unless told as recorded."""
        return self.sums["net"].units if "net" in self.sums else 0

    @property
    def one_unit(self) -> bool:
        """Whether all his sessions have the same unit."""
        return self.net is not None

    @property
    def aggression(self) -> float | None:
        """(bets + raises) / calls; None without calls."""
        forward = self.acts.get("bets", 0) + self.acts.get("raises", 0)
        return forward / self.acts["calls"] if self.acts.get("calls") else None

    @property
    def aggression_rate(self) -> Count:
        """(bets + raises) / all his actions but checks."""
        forward = self.acts.get("bets", 0) + self.acts.get("raises", 0)
        return Count(forward, forward + self.acts.get("calls", 0) + self.acts.get("passes", 0))


@dataclass(slots=True)
class TableFigures:
    """The table's figures. Amounts are units, None over sessions of different units."""

    sessions: int = 0
    hands: int = 0
    hands_per_hour: float | None = None
    dealt_in: float | None = None
    pool_mean: float | None = None
    pool_median: float | None = None
    counters_in_play: float | None = None
    counts: dict[str, Count] = field(default_factory=dict)
    """to_draw, to_show, unopened, jackpots, irregular: of all hands."""
    kitty: Purse = field(default_factory=Purse)
    rake: Purse = field(default_factory=Purse)
    shown: dict[str, Count] = field(default_factory=dict)
    """class -> won / shown, all players."""


@cache
def query(name: str) -> str:
    """The text of one query of analytics/queries."""
    return (files("analytics") / "queries" / f"{name}.sql").read_text("utf-8")


def ask(connection: "duckdb.DuckDBPyConnection", name: str) -> Iterator[Row]:
    """The rows of one query, by column; decimals are whole numbers here."""
    cursor = connection.execute(query(name))
    columns = [d[0] for d in cursor.description]
    for row in cursor.fetchall():
        yield {c: int(v) if isinstance(v, Decimal) else v for c, v in zip(columns, row, strict=True)}


def player_figures(connection: "duckdb.DuckDBPyConnection", scope: Scope) -> list[PlayerFigures]:
    """Every figure of every player in the scope, most hands first; a row for each part of its division."""
    open_scope(connection, scope)
    found: dict[Key, PlayerFigures] = {}
    squares = _money(connection, found)
    for group, rates in RATES.items():
        for row in ask(connection, group):
            figures = found[row["player"], row["part"]]
            figures.counts |= {r.key: Count(row[f"{r.key}_n"], row[f"{r.key}_of"]) for r in rates}
            used = {"player", "part"} | {f"{r.key}_{end}" for r in rates for end in ("n", "of")}
            figures.acts |= {key: value for key, value in row.items() if key not in used}
    _intervals(connection, found, squares)
    _extremes(connection, found)
    _draws(connection, found)
    if not scope.of_hands:
        _played(connection, found, scope)
    return sorted(found.values(), key=lambda f: (-f.hands, f.player, f.part))


_SUMS = (
    "net", "net_at_show", "net_without_show", "ante_net", "straddle_net", "jackpot_net", "kitty_given",
)  # fmt: skip


def unit_of(row: Row) -> Unit | None:
    """What one counter costs, from the columns of a query; None: no price."""
    if row["unit_numerator"] is None:
        return None
    return Unit(
        minor_numerator=row["unit_numerator"], minor_denominator=row["unit_denominator"],
        currency=row["currency"], decimals=row["decimals"],
    )  # fmt: skip


def _money(connection: "duckdb.DuckDBPyConnection", found: dict[Key, PlayerFigures]) -> dict[Key, int]:
    """Makes the rows that there are, with their sums; gives the sums of squared nets."""
    squares: dict[Key, int] = {}
    for row in ask(connection, "money"):
        key = row["player"], row["part"]
        figures = found.setdefault(key, PlayerFigures(*key))
        figures.sessions += row["sessions"]
        figures.hands += row["hands"]
        squares[key] = squares.get(key, 0) + row["net_sq"]
        unit = unit_of(row)
        for name in _SUMS:
            figures.sums.setdefault(name, Purse()).parts.append((row[name], unit))
    return squares


def _intervals(
    connection: "duckdb.DuckDBPyConnection", found: dict[Key, PlayerFigures], squares: dict[Key, int]
) -> None:
    for row in ask(connection, "clusters"):
        key = row["player"], row["part"]
        figures = found[key]
        figures.sessions = row["sessions"]
        figures.seconds = row["u"]
        if not figures.one_unit:
            continue
        by_hands = Clusters(row["sessions"], row["y"], row["n"], row["yy"], row["yn"], row["nn"])
        by_time = Clusters(row["timed"], row["ty"], row["u"], row["tyy"], row["tyu"], row["uu"])
        spread = Squares(squares[key], row["qq"], row["qy"], row["qn"])
        figures.net_per_100 = _per_100(by_hands, squares[key])
        figures.net_per_hour = _per_hour(by_time, by_hands, squares[key])
        if intervals.by_sessions(by_hands.sessions, by_hands.n):
            figures.sd_per_100 = intervals.spread_over_sessions(by_hands, spread, 100)
        else:
            figures.sd_per_100 = intervals.spread_over_hands(by_hands.n, by_hands.y, squares[key], 100)


def _per_100(c: Clusters, squares: int) -> Interval | None:
    if intervals.by_sessions(c.sessions, c.n):
        return intervals.rate_over_sessions(c, 100)
    over_hands = intervals.rate_over_hands(c.n, c.y, squares, Fraction(100))
    return over_hands or (Interval(100 * c.y / c.n, None, None, rough=True) if c.n else None)


def _per_hour(timed: Clusters, hands: Clusters, squares: int) -> Interval | None:
    """Net per hour over sessions whose time is known; with few of them the interval of the hands, at their pace."""
    if not timed.n:
        return None
    value = HOUR * timed.y / timed.n
    if intervals.by_sessions(timed.sessions, hands.n):
        return intervals.rate_over_sessions(timed, HOUR)
    over_hands = None
    if timed.sessions == hands.sessions:
        pace = Fraction(hands.n * HOUR, timed.n)
        over_hands = intervals.rate_over_hands(hands.n, hands.y, squares, pace)
    return over_hands or Interval(value, None, None, rough=True)


def _extremes(connection: "duckdb.DuckDBPyConnection", found: dict[Key, PlayerFigures]) -> None:
    for row in ask(connection, "extremes"):
        figures = found[row["player"], row["part"]]
        if figures.one_unit:
            figures.places[row["what"]] = Place(row["units"], row["session"], row["hand"])
    for row in ask(connection, "by_session"):
        figures = found[row["player"], row["part"]]
        figures.losing_run = Run(row["losing_run"], row["run_from"], row["run_to"])
        if figures.one_unit:
            figures.places["best_session"] = Place(row["best"], row["best_session"])
            figures.places["worst_session"] = Place(row["worst"], row["worst_session"])


def _draws(connection: "duckdb.DuckDBPyConnection", found: dict[Key, PlayerFigures]) -> None:
    for row in ask(connection, "by_position"):
        found[row["player"], row["part"]].by_position[row["position"]] = (row["hands"], row["net"])
    for row in ask(connection, "by_drawn"):
        found[row["player"], row["part"]].won_by_drawn[row["drawn"]] = Count(row["won_n"], row["won_of"])
    for row in sorted(ask(connection, "shown_hands"), key=lambda row: CLASSES.index(row["class"])):
        found[row["player"], row["part"]].shown[row["class"]] = Count(row["won"], row["shown"])
    lucks: dict[Key, list[Row]] = {}
    for row in ask(connection, "draw_luck"):
        lucks.setdefault((row["player"], row["part"]), []).append(row)
    for key, rows in lucks.items():
        found[key].luck = _luck(rows)


def _luck(rows: Iterable[Row]) -> Luck:
    draws = improved = 0
    expected = variance = Fraction(0)
    for row in rows:
        draws += row["draws"]
        improved += row["improved"]
        expected += Fraction(row["hits"], row["total"])
        variance += Fraction(row["spread"], row["total"] ** 2)
    return Luck(draws, improved, float(expected), float(variance) ** 0.5)


def _played(connection: "duckdb.DuckDBPyConnection", found: dict[Key, PlayerFigures], scope: Scope) -> None:
    """What belongs to whole sessions."""
    if scope.by is None:
        for row in ask(connection, "played"):
            figures = found.get((row["player"], ""))
            if figures is not None:
                for name in ("kitty_received", "unrecorded", "corrected", "settled"):
                    figures.sums.setdefault(name, Purse()).parts.append((row[name], unit_of(row)))


def table_figures(connection: "duckdb.DuckDBPyConnection", scope: Scope) -> TableFigures:
    """The table's figures over the sessions and hands of the scope."""
    open_scope(connection, scope)
    figures = TableFigures()
    rows = list(ask(connection, "table"))
    for row in rows:
        figures.sessions += row["sessions"]
        figures.hands += row["hands"]
        figures.kitty.parts.append((row["kitty"], unit_of(row)))
        figures.rake.parts.append((row["rake"], unit_of(row)))
    if not figures.hands:
        return figures
    for key in ("to_draw", "to_show", "unopened", "jackpots", "irregular"):
        figures.counts[key] = Count(sum(row[key] for row in rows), figures.hands)
    figures.dealt_in = sum(row["dealt_in"] for row in rows) / figures.hands
    if len(rows) == 1:
        figures.pool_mean = rows[0]["pool"] / figures.hands
        figures.pool_median = rows[0]["pool_median"]
        figures.counters_in_play = rows[0]["in_play"] / figures.hands
    for row in ask(connection, "table_time"):
        if row["us"]:
            figures.hands_per_hour = row["hands"] * HOUR * 1_000_000 / row["us"]
    for row in ask(connection, "shown_hands"):
        before = figures.shown.get(row["class"], Count(0, 0))
        figures.shown[row["class"]] = Count(before.hits + row["won"], before.chances + row["shown"])
    return figures
