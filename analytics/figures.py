"""The figures as JSON: players by name, every rate under its key of `schema.RATES`, null where there was no chance."""

from collections.abc import Callable, Mapping
from typing import Any

from analytics.intervals import Interval
from analytics.reports import Count, PlayerFigures, Purse, TableFigures
from analytics.schema import ALL_RATES

Json = dict[str, Any]
NameOf = Callable[[str], str]
_PLACES = 6
"""Decimals of what is no whole number; sums over many rows differ in the fifteenth by the order of adding."""


def player_json(figures: PlayerFigures, name_of: NameOf, by: str | None) -> Json:
    """One player's figures, or one part of them where a division was asked for."""
    row: Json = {"name": name_of(figures.player)}
    if by is not None:
        row |= {"by": by, "part": figures.part}
    row |= {
        "sessions": figures.sessions,
        "hands": figures.hands,
        "hours": _rounded(figures.seconds / 3600) if figures.seconds else None,
    }
    for key, purse in figures.sums.items():
        row[key] = purse.units
    row["net_money"] = figures.sums["net"].money or None
    for key in ("net_per_100", "net_per_hour", "sd_per_100"):
        row |= _interval(key, getattr(figures, key))
    for key in ("biggest_pool", "best_hand_net", "worst_hand_net", "best_session", "worst_session"):
        place = figures.places.get(key)
        row[key] = None if place is None else place._asdict()
    row["longest_losing_run"] = figures.losing_run._asdict() if figures.losing_run else None
    row["net_by_position"] = {p: {"hands": h, "net": n} for p, (h, n) in sorted(figures.by_position.items())}
    if not figures.one_unit:
        row["net_by_position"] = None
    for rate in ALL_RATES:
        row |= _count(rate.key, figures.counts.get(rate.key, Count(0, 0)))
    row |= _drawn(figures)
    row["aggression"] = _rounded(figures.aggression)
    row |= _count("aggression_rate", figures.aggression_rate)
    row["actions"] = {
        key: figures.acts.get(key, 0) for key in ("bets", "raises", "calls", "passes", "checks")
    }
    row["shown_hands"] = _classes(figures.shown)
    return row


def _drawn(figures: PlayerFigures) -> Json:
    drew = figures.acts.get("drew", 0)
    row: Json = {
        "drew": drew,
        "passed_before_draw": figures.acts.get("passed_before", 0),
        "cards_drawn": _rounded(figures.acts.get("cards", 0) / drew) if drew else None,
    }
    row["cards_drawn_share"] = {
        str(n): _count("share", Count(figures.acts.get(f"drew_{n}", 0), drew)) for n in range(6)
    }
    luck = figures.luck
    row["improved_expected"] = _rounded(luck.expected) if luck else None
    row["draw_luck"] = _rounded(luck.improved - luck.expected) if luck else None
    row["draw_luck_spread"] = _rounded(luck.spread) if luck else None
    row["won_by_drawn"] = {str(n): _count("won", c) for n, c in sorted(figures.won_by_drawn.items())}
    return row


def table_json(figures: TableFigures, expected: Mapping[str, float]) -> Json:
    """The table's figures; `expected` is the share of each class that the cards alone would give."""
    row: Json = {"sessions": figures.sessions, "hands": figures.hands}
    for key in ("hands_per_hour", "dealt_in", "pool_mean", "pool_median", "counters_in_play"):
        row[key] = _rounded(getattr(figures, key))
    for key in ("to_draw", "to_show", "unopened", "jackpots", "irregular"):
        row |= _count(key, figures.counts.get(key, Count(0, 0)))
    row |= _purse("kitty", figures.kitty) | _purse("rake", figures.rake)
    shown = sum(count.chances for count in figures.shown.values())
    row["shown_hands"] = {
        name: {
            **_count("share", Count(figures.shown.get(name, Count(0, 0)).chances, shown)),
            "won": figures.shown.get(name, Count(0, 0)).hits,
            "dealt_share": _rounded(share),
        }
        for name, share in expected.items()
    }
    return row


def _count(key: str, count: Count) -> Json:
    low, high = count.interval or (None, None)
    return {
        key: _rounded(count.value), f"{key}_n": count.hits, f"{key}_of": count.chances,
        f"{key}_low": _rounded(low), f"{key}_high": _rounded(high),
    }  # fmt: skip


def _interval(key: str, interval: Interval | None) -> Json:
    value, low, high, rough = interval or (None, None, None, None)
    return {
        key: _rounded(value), f"{key}_low": _rounded(low), f"{key}_high": _rounded(high), f"{key}_rough": rough,
    }  # fmt: skip


def _purse(key: str, purse: Purse) -> Json:
    return {key: purse.units, f"{key}_money": purse.money or None}


def _classes(shown: Mapping[str, Count]) -> Json:
    return {name: {"shown": count.chances, "won": count.hits} for name, count in shown.items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES)
