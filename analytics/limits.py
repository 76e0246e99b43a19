"""How limits on losing were kept: per session, and over weeks and months (R-LOSS-LIMIT, R-TIME-LIMIT)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from analytics.reports import Purse, ask, unit_of
from analytics.scope import Scope, open_scope
from ledger.counters.money import Unit

if TYPE_CHECKING:
    import duckdb

Span = Literal["week", "month"]


@dataclass(frozen=True, slots=True)
class KeptLimit:
    """One player's limit in one session. Amounts are units; what is lost goes by the house's way (`counts`)."""

    session: str
    player: str
    zone: str
    month: str
    week: str
    unit: Unit | None
    counts: str
    limit: int | None
    net: int
    lowest: int
    most_lost: int
    reached_at_hand: int | None
    hands_after: int
    overrun: int
    stop_at: int | None
    seconds_after: int

    @property
    def kept(self) -> bool | None:
        """Whether no hand was played after the limit was reached; None where none was set."""
        return None if self.limit is None else self.hands_after == 0

    @property
    def stopped(self) -> bool | None:
        """Whether no hand ended a minute or more after the time to stop; None where none was set."""
        return None if self.stop_at is None else self.seconds_after < 60


@dataclass(slots=True)
class KeptOver:
    """One player's limits over a week or a month: how often set, reached and kept, overrun, time over the stop."""

    player: str
    span: str
    limits: int = 0
    reached: int = 0
    kept: int = 0
    stops: int = 0
    stopped: int = 0
    seconds_after: int = 0
    overrun: Purse | None = None
    net: Purse | None = None


def kept_limits(connection: "duckdb.DuckDBPyConnection", scope: Scope) -> list[KeptLimit]:
    """Every limit and stop time in the scope, in the order of the sessions."""
    open_scope(connection, scope)
    return [
        KeptLimit(
            row["session"], row["player"], row["zone"], row["month"], row["week"], unit_of(row), row["counts"],
            row["limit_units"], row["net"], row["lowest"], row["most_lost"], row["reached_at_hand"],
            row["hands_after"], row["overrun"], row["stop_at"], row["us_after"] // 1_000_000,
        )
        for row in ask(connection, "limits")
        if scope.player in (None, row["player"])
    ]  # fmt: skip


def over(limits: Iterable[KeptLimit], span: Span) -> list[KeptOver]:
    """The limits of sessions put together by week or month, in order of time and player."""
    found: dict[tuple[str, str], KeptOver] = {}
    for limit in limits:
        when = limit.week if span == "week" else limit.month
        row = found.setdefault((when, limit.player), KeptOver(limit.player, when))
        row.limits += limit.limit is not None
        row.reached += limit.reached_at_hand is not None
        row.kept += bool(limit.kept)
        row.stops += limit.stop_at is not None
        row.stopped += bool(limit.stopped)
        row.seconds_after += limit.seconds_after
        row.overrun = row.overrun or Purse()
        row.net = row.net or Purse()
        row.overrun.parts.append((limit.overrun, limit.unit))
        row.net.parts.append((limit.net, limit.unit))
    return [found[key] for key in sorted(found)]
