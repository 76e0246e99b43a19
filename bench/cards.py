"""Ranking and odds: hands a second beside two public packages, and a full draw in milliseconds.

All rankings get the same hands, each in the form it likes best, made ready before the clock starts; one
thread each. What the packages say of the hands must put them in our order, else there is no figure.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ledger.cards import RankRules, card_text, parse_cards, ranking_for
from ledger.cards.odds import draw_odds
from ledger.cards.ranking import Ranking

_HANDS = 500_000
_RUNS = 5
_PLAIN = RankRules()
_ENGLISH = RankRules(sequence_ace="low", suit_precedence="hearts")
_MISTIGRIS = RankRules(joker="mistigris")


def run() -> list[tuple[str, str]]:
    """(what, figure with its ratio and aim) rows."""
    rows = [_row_of_building()]
    hands = _deals(52)
    one_by_one = hands.tolist()
    others = {"phevaluator": _phevaluator(hands), "treys": _treys(hands)}
    rates = {
        name: rate
        for name, rank_all in others.items()
        if (rate := _rate_of_other(name, rank_all, hands, rows))
    }
    best = max(rates.values(), default=0.0)
    vectorised = _rate(lambda: ranking_for(_PLAIN).rank_many(hands))
    rows.append(("rank an array, plain game", _figure(vectorised, best, "aim 100 M/s and 50 times the best")))
    for name, rules in (("english, hearts", _ENGLISH), ("53 cards, mistigris", _MISTIGRIS)):
        deals = hands if rules.joker == "off" else _deals(53)
        rows.append((f"rank an array, {name}", _figure(_rate(_ranked(rules, deals)), best, "")))
    for name, rules in (("plain game", _PLAIN), ("english, hearts", _ENGLISH)):
        rate = _rate(_ranked_singly(rules, one_by_one))
        rows.append(
            (f"rank single hands, {name}", _figure(rate, best, "aim 4 M/s" if rules == _PLAIN else ""))
        )
    return rows + _draws()


def _draws() -> list[tuple[str, str]]:
    hand = parse_cards("9s 9h Kd 7c 4s")
    rows = []
    for count, aim in ((3, "aim under 1"), (5, "aim under 30")):
        seconds, odds = _best_of(partial(draw_odds, _PLAIN, hand, hand[5 - count :]))
        rows.append((f"draw {count}, all {odds.total:,} hands", f"{1000 * seconds:.2f} ms ({aim})"))
    return rows


def _row_of_building() -> tuple[str, str]:
    def built(rules: RankRules) -> float:
        def build() -> None:
            ranking = Ranking(rules)
            ranking.build_lists()
            _ = ranking.arrays

        return 1000 * _best_of(build, runs=2)[0]

    return (
        "build all tables for a set of switches",
        f"{built(_PLAIN):.0f} ms, with the joker {built(_MISTIGRIS):.0f} ms (aim well under 1,000)",
    )


def _rate_of_other(
    name: str, rank_all: Callable[[], list[int]] | None, hands: NDArray[np.uint8], rows: list[tuple[str, str]]
) -> float | None:
    """The package's hands a second, noted as a row; None where it is not installed."""
    if rank_all is None:
        rows.append((f"{name}, hand by hand", "not installed"))
        return None
    seconds, ranks = _best_of(rank_all, runs=3)
    in_our_order = np.array(ranks)[np.argsort(ranking_for(_PLAIN).rank_many(hands), kind="stable")]
    if (np.diff(in_our_order) > 0).any():
        rows.append((f"{name}, hand by hand", "orders the hands otherwise"))
        return None
    rate = _HANDS / seconds
    rows.append((f"{name}, hand by hand", f"{rate / 1e6:.2f} M/s"))
    return rate


def _phevaluator(hands: NDArray[np.uint8]) -> Callable[[], list[int]] | None:
    package = _installed("phevaluator")
    if package is None:
        return None
    evaluate_cards, rows = package.evaluate_cards, hands.tolist()
    return lambda: [evaluate_cards(*row) for row in rows]


def _treys(hands: NDArray[np.uint8]) -> Callable[[], list[int]] | None:
    package = _installed("treys")
    if package is None:
        return None
    cards = [package.Card.new(card_text(card)) for card in range(52)]
    rows = [[cards[card] for card in row] for row in hands.tolist()]
    rank_five: Callable[[list[int]], int] = package.Evaluator()._five
    return lambda: [rank_five(row) for row in rows]


def _installed(name: str) -> Any:
    """The package, or None; both are without types, and only `bench` installs them."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _ranked(rules: RankRules, hands: NDArray[np.uint8]) -> Callable[[], object]:
    return lambda: ranking_for(rules).rank_many(hands)


def _ranked_singly(rules: RankRules, hands: list[list[int]]) -> Callable[[], object]:
    ranking = ranking_for(rules)
    ranking.build_lists()
    rank = ranking.rank
    return lambda: [rank(hand) for hand in hands]


def _deals(cards: int) -> NDArray[np.uint8]:
    generator = np.random.default_rng(41)
    return np.argsort(generator.random((_HANDS, cards)), axis=1)[:, :5].astype(np.uint8)


def _rate(work: Callable[[], object]) -> float:
    return _HANDS / _best_of(work)[0]


def _best_of(work: Callable[[], Any], runs: int = _RUNS) -> tuple[float, Any]:
    """The shortest of some runs in seconds, after one that builds what is built once; and what came out."""
    result = work()
    shortest = float("inf")
    for _ in range(runs):
        start = perf_counter()
        work()
        shortest = min(shortest, perf_counter() - start)
    return shortest, result


def _figure(rate: float, best: float, aim: str) -> str:
    ratio = f"{rate / best:.1f} times the best" if best else "no package to compare with"
    return f"{rate / 1e6:.1f} M/s, {ratio}" + (f" ({aim})" if aim else "")
