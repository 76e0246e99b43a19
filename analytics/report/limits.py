"""Limits on losing and how they were kept, in words; for the player himself, or where everybody's are asked for."""

from typing import NamedTuple

from analytics.report.words import both, number, signed
from ledger.counters.money import Unit


class Limit(NamedTuple):
    """What is limited (a player, or a session of his), the limits, and how he kept them."""

    name: str
    limit: str
    lowest: str
    kept: str
    stop: str
    late: str


COUNTS = {
    "session": "Losses are counted over this session.",
    "day": "The house counts losses by the calendar day; this is this session's part.",
    "24_hours": "The house counts losses over 24 hours; this is this session's part.",
    "gross": "The house counts losses gross: what losing hands cost, whatever was won.",
}
"""How the house counts, by its switch `loss_limit_counts`."""


def limit_kept(
    name: str,
    unit: Unit | None,
    *,
    limit: int | None,
    lowest: int,
    reached_at_hand: int | None,
    hands_after: int,
    stops_at: str | None,
    minutes_after: int,
) -> Limit:
    """A limit in words. Amounts are units; `stops_at` is a time of day on the table's clock."""
    kept = "" if limit is None else "kept"
    if reached_at_hand is not None:
        kept = f"reached at hand {reached_at_hand}, {number(hands_after, 'hand')} after it"
    late = "" if stops_at is None else "kept"
    if minutes_after:
        late = f"{number(minutes_after, 'minute')} over"
    return Limit(
        name, "none" if limit is None else both(limit, unit), signed(lowest), kept, stops_at or "none", late
    )
