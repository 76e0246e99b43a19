"""What the fewest payments cost beside the plan that pays the largest first."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from ledger.counters.settlement import Payment, fewest_payments, largest_first

Nets = Sequence[tuple[str, int]]
EVENINGS = 50


def run() -> list[tuple[str, str]]:
    rng = random.Random(12)
    return [_row(rng, 12), _row(rng, 18, evenings=5)]


def _row(rng: random.Random, players: int, evenings: int = EVENINGS) -> tuple[str, str]:
    nights = [_evening(rng, players) for _ in range(evenings)]
    exact, exact_payments = _timed(fewest_payments, nights)
    greedy, greedy_payments = _timed(largest_first, nights)
    return (
        f"settling {players} players with the fewest payments, against largest first",
        f"{exact * 1000:.2f} ms against {greedy * 1000:.3f} ms ({exact / greedy:.0f} times), "
        f"{exact_payments / evenings:.1f} payments against {greedy_payments / evenings:.1f}",
    )


def _evening(rng: random.Random, players: int) -> Nets:
    """Nobody breaks even and no two are opposites, so that all of them are left to be divided into groups."""
    while True:
        nets = [rng.choice((-1, 1)) * 5 * size for size in rng.sample(range(1, 60), players - 1)]
        last = -sum(nets)
        if last != 0 and -last not in nets:
            return [(f"P{place:02}", net) for place, net in enumerate([*nets, last])]


def _timed(plan: Callable[[Nets], tuple[Payment, ...]], nights: list[Nets]) -> tuple[float, int]:
    """Seconds an evening, and payments of all of them."""
    start = time.perf_counter()
    payments = sum(len(plan(nets)) for nets in nights)
    return (time.perf_counter() - start) / len(nights), payments
