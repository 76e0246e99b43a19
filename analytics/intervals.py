"""Intervals of 95 %: Wilson's for proportions, t for means, with sessions as clusters where there are enough.

Everything comes from whole numbers (n, sums, sums of squares and products), which add up over any rows; a float is
made at the end only.

The quantile of t is worked out here: the libraries that have it are a hundred megabytes (scipy), and for whole degrees
of freedom Student's distribution is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
"""

import math
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)
ENOUGH_SESSIONS = 10
LEAST_HANDS = 20
_MANY = 2000


class Interval(NamedTuple):
    """A value with its bounds; `rough`: over hands, which of one evening are not independent."""

    value: float
    low: float | None
    high: float | None
    rough: bool = False


class Clusters(NamedTuple):
    """Sums over sessions, of what is measured (y) and of what it is measured by (n: hands, or seconds)."""

    sessions: int
    y: int
    n: int
    yy: int
    yn: int
    nn: int


class Squares(NamedTuple):
    """Sums over sessions, q being the sum of squared nets of a session's hands: q, q*q, q*y, q*n."""

    q: int
    qq: float
    qy: float
    qn: float


def wilson(hits: int, chances: int) -> tuple[float, float] | None:
    """The 95 % interval of a proportion (Wilson, 1927); None without chances."""
    if chances == 0:
        return None
    p = hits / chances
    spread = Z * math.sqrt(p * (1 - p) / chances + Z * Z / (4 * chances * chances))
    middle = p + Z * Z / (2 * chances)
    whole = 1 + Z * Z / chances
    low = 0.0 if hits == 0 else (middle - spread) / whole
    high = 1.0 if hits == chances else (middle + spread) / whole
    return low, high


@lru_cache(maxsize=4096)
def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; `freedom` is at least 1."""
    assert freedom >= 1
    if freedom > _MANY:
        return _near_normal(freedom)
    low, high = Z, 13.0  # t with one degree of freedom is 12.7
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if _within(middle, freedom) < 0.95:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _within(t: float, freedom: int) -> float:
    """The probability that |T| <= t."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    if freedom % 2:
        term, total = math.cos(angle), 0.0
        for k in range(1, freedom, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        return 2 / math.pi * (angle + math.sin(angle) * total)
    term, total = 1.0, 0.0
    for k in range(0, freedom, 2):
        total += term
        term *= square * (k + 1) / (k + 2)
    return math.sin(angle) * total


def _near_normal(freedom: int) -> float:
    """The expansion about the normal quantile (Abramowitz and Stegun, 26.7.5), for many degrees of freedom."""
    z = Z
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def by_sessions(sessions: int, hands: int) -> bool:
    """Whether an interval has sessions as clusters; under 20 hands there is none, from however many sessions."""
    return sessions >= ENOUGH_SESSIONS and hands >= LEAST_HANDS


def rate_over_sessions(c: Clusters, scale: int) -> Interval | None:
    """The ratio of sums, times `scale`, with sessions as clusters and t; None below two sessions or without size.

    The ratio estimator: the residuals of the sessions about the common ratio give its variance (Cochran, 1977, 6.3).
    """
    if c.sessions < 2 or c.n <= 0:
        return None
    ratio = Fraction(c.y, c.n)
    squares = c.yy - 2 * ratio * c.yn + ratio * ratio * c.nn
    variance = squares * c.sessions / (c.sessions - 1) / c.n**2
    return _about(float(ratio * scale), math.sqrt(variance) * scale * t_quantile(c.sessions - 1))


def rate_over_hands(hands: int, total: int, squares: int, scale: Fraction) -> Interval | None:
    """The mean of a hand times `scale`, with t over hands: rough. None under 20 hands."""
    if hands < LEAST_HANDS:
        return None
    error = math.sqrt(variance_of_hand(hands, total, squares) / hands)
    mean = float(Fraction(total, hands) * scale)
    return _about(mean, error * float(scale) * t_quantile(hands - 1), rough=True)


def variance_of_hand(hands: int, total: int, squares: int) -> Fraction:
    """The variance of the net of one hand, from n, the sum and the sum of squares; exact."""
    return (squares - Fraction(total * total, hands)) / (hands - 1)


def spread_over_sessions(c: Clusters, s: Squares, scale: int) -> Interval | None:
    """The standard deviation over `scale` hands, with sessions as clusters.

    Its interval is that of the variance (linearised: q - 2 m y - (k - 2 m m) n per session, with m the mean and k the
    mean square of a hand), carried over to the root.
    """
    mean, mean_square = c.y / c.n, s.q / c.n
    variance = float(Fraction(s.q, c.n) - Fraction(c.y, c.n) ** 2)
    if variance <= 0:
        return None
    a, b = -2 * mean, -(mean_square - 2 * mean * mean)
    rest = s.qq + a * a * c.yy + b * b * c.nn + 2 * a * s.qy + 2 * b * s.qn + 2 * a * b * c.yn
    error = math.sqrt(max(rest, 0.0) * c.sessions / (c.sessions - 1)) / c.n
    sd = math.sqrt(variance * scale)
    return _about(sd, t_quantile(c.sessions - 1) * error * scale / (2 * sd), least=0.0)


def spread_over_hands(hands: int, total: int, squares: int, scale: int) -> Interval | None:
    """The standard deviation over `scale` hands with the interval of chi-square: rough. None under 20 hands.

    The quantiles of chi-square are Wilson and Hilferty's, to three figures from 19 degrees of freedom on.
    """
    if hands < LEAST_HANDS:
        return None
    freedom = hands - 1
    sd = math.sqrt(float(variance_of_hand(hands, total, squares) * scale))
    part = 2 / (9 * freedom)
    bounds = [math.sqrt(1 / (1 - part + sign * Z * math.sqrt(part)) ** 3) for sign in (1, -1)]
    return Interval(sd, sd * bounds[0], sd * bounds[1], rough=True)


def _about(value: float, half: float, *, rough: bool = False, least: float = -math.inf) -> Interval:
    return Interval(value, max(value - half, least), value + half, rough)
