"""Intervals: against published values, against scipy where it is there, and by covering what they should."""

import math
from fractions import Fraction
from random import Random

import pytest

from analytics.intervals import (
    Clusters,
    Squares,
    rate_over_hands,
    rate_over_sessions,
    spread_over_hands,
    spread_over_sessions,
    t_quantile,
    variance_of_hand,
    wilson,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (9, 2.2622),
        (10, 2.2281),
        (30, 2.0423),
        (120, 1.9799),
        (10**6, 1.96),
    ],
)
def test_t_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-5)


def test_t_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (*range(1, 60), 999, 1999, 2000, 2001, 2002, 10_000):
        assert t_quantile(freedom) == pytest.approx(float(stats.t.ppf(0.975, freedom)), rel=1e-9)


def test_wilson_as_published() -> None:
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, chances), bounds in published.items():
        assert wilson(hits, chances) == pytest.approx(bounds, abs=6e-5)


def test_without_chances_there_is_no_interval_and_with_three_it_is_wide() -> None:
    assert wilson(0, 0) is None
    bounds = wilson(3, 3)
    assert bounds is not None
    assert bounds[0] < 0.45
    assert bounds[1] == 1.0


def test_wilson_covers_rare_figures() -> None:
    """At 20 chances and a true 5 % Wilson covers about 93 %, counted out over the binomial."""
    covered = 0.0
    for hits in range(21):
        bounds = wilson(hits, 20)
        assert bounds is not None
        if bounds[0] <= 0.05 <= bounds[1]:
            covered += math.comb(20, hits) * 0.05**hits * 0.95 ** (20 - hits)
    assert covered == pytest.approx(0.925, abs=0.005)


def sums(sessions: list[list[int]]) -> tuple[Clusters, Squares]:
    y, n = [sum(s) for s in sessions], [len(s) for s in sessions]
    q = [sum(x * x for x in s) for s in sessions]

    def dot(a: list[int], b: list[int]) -> int:
        return sum(i * j for i, j in zip(a, b, strict=True))

    return (
        Clusters(len(sessions), sum(y), sum(n), dot(y, y), dot(y, n), dot(n, n)),
        Squares(sum(q), dot(q, q), dot(q, y), dot(q, n)),
    )


def test_the_ratio_estimator_by_its_definition() -> None:
    rng = Random(5)
    sessions = [[rng.randrange(-9, 10) for _ in range(rng.randrange(20, 60))] for _ in range(12)]
    clusters, _ = sums(sessions)
    found = rate_over_sessions(clusters, 100)
    assert found is not None
    ratio = sum(map(sum, sessions)) / sum(map(len, sessions))
    residuals = [sum(s) - ratio * len(s) for s in sessions]
    error = math.sqrt(sum(r * r for r in residuals) * 12 / 11) / sum(map(len, sessions))
    assert found.value == pytest.approx(100 * ratio)
    assert found.high == pytest.approx(100 * (ratio + t_quantile(11) * error))


def simulated(rng: Random, sessions: int) -> list[list[int]]:
    """Nets of evenings whose hands go together: a good night for all of its hands or a bad one."""
    made = []
    for _ in range(sessions):
        night = rng.gauss(0, 3)
        made.append([round(rng.gauss(night, 20)) for _ in range(rng.randrange(60, 140))])
    return made


def test_sessions_as_clusters_cover_where_hands_do_not() -> None:
    rng = Random(11)
    by_session = by_hand = spread = 0
    for _ in range(300):
        evenings = simulated(rng, 15)
        clusters, squares = sums(evenings)
        found = rate_over_sessions(clusters, 100)
        rough = rate_over_hands(clusters.n, clusters.y, squares.q, Fraction(100))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        assert rough is not None
        assert rough.low is not None
        assert rough.high is not None
        assert rough.rough
        by_session += found.low <= 0 <= found.high
        by_hand += rough.low <= 0 <= rough.high
        sd = spread_over_sessions(clusters, squares, 100)
        assert sd is not None
        assert sd.low is not None
        assert sd.high is not None
        spread += sd.low <= 10 * math.sqrt(409) <= sd.high
    assert by_session > 0.91 * 300
    assert by_hand < 0.88 * 300
    assert spread > 0.9 * 300


def test_few_hands_have_no_interval() -> None:
    assert rate_over_hands(19, 5, 100, Fraction(100)) is None
    assert spread_over_hands(19, 5, 100, 100) is None
    assert rate_over_hands(20, 5, 100, Fraction(100)) is not None
    assert rate_over_sessions(Clusters(1, 5, 20, 25, 100, 400), 100) is None


def test_the_variance_of_a_hand_is_exact() -> None:
    assert variance_of_hand(4, 2, 14) == Fraction(13, 3)


def test_the_spread_of_hands_is_chi_square() -> None:
    stats = pytest.importorskip("scipy.stats")
    found = spread_over_hands(50, 0, 49 * 100, 1)
    assert found is not None
    assert found.value == pytest.approx(10)
    assert found.low == pytest.approx(10 * math.sqrt(49 / stats.chi2.ppf(0.975, 49)), rel=1e-3)
    assert found.high == pytest.approx(10 * math.sqrt(49 / stats.chi2.ppf(0.025, 49)), rel=1e-3)
