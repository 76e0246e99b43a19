"""Money: what one counter costs, and the way between sums of money and whole counters, exactly.

Money is a rational number of minor units (cents, pence) of one currency; no float and no rounding anywhere.
Currencies are those of ISO 4217, and LSD: the pounds, shillings and pence of before 1971, in pence.

How a mark is read:

- `d`, `s` and a `£` (or `l`) before them are LSD: `3d`, `1s6d`, `½d`, `£1 2s 6d`;
- `£1` alone is one pound: 240d where the session counts in pence, GBP otherwise (and as a `unit`).
  `£2.50` is decimal, so GBP always. A unit of an old pound is written `20s`;
- `$`, `¥` and `c` stand for whichever of their currencies the session has; as a `unit`, for USD, JPY and USD;
- a code is always plain: `0.05 EUR`. The decimal mark is a point or a comma; thousands are set off by blanks
  or not at all.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

PENCE_IN_SHILLING = 12
PENCE_IN_POUND = 240
GREATEST = 2**53 - 1  # the greatest integer of the canonical JSON

_DOLLARS = ("USD", "AUD", "CAD", "HKD", "MXN", "NZD", "SGD", "TWD")
_MARKS = {"$": _DOLLARS, "€": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY")}
_MINOR_MARKS = {"c": (*_DOLLARS, "EUR", "ZAR"), "¢": _DOLLARS, "ct": ("EUR",), "p": ("GBP",)}
_QUARTERS = {"": Fraction(0), "¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}

_NUMBER = r"(?P<number>[0-9]{1,3}(?: [0-9]{3}){1,4}(?:[.,][0-9]{1,9})?|[0-9]{1,15}(?:[.,][0-9]{1,9})?)"
_MARK = r"(?P<mark>[$€£¥]|[a-z]{3})"
_MARK_FIRST = re.compile(rf"{_MARK} ?{_NUMBER}", re.IGNORECASE)
_MARK_LAST = re.compile(rf"{_NUMBER} ?{_MARK}", re.IGNORECASE)
_MINOR_LAST = re.compile(rf"{_NUMBER} ?(?P<mark>ct|c|¢|p)", re.IGNORECASE)
_LSD = re.compile(
    r"(?:(?:£ ?(?P<pounds>[0-9]{1,12})|(?P<librae>[0-9]{1,12}) ?l) ?)?"
    r"(?:(?P<shillings>[0-9]{1,12}) ?s ?)?"
    r"(?:(?P<pence>[0-9]{1,12}(?:[.,][0-9]{1,9})?)?(?P<quarter>[¼½¾]?) ?d)?",
    re.IGNORECASE,
)
_EXAMPLES = "0.05 GBP, $2.50, 10p, 5c or 1s 6d"

Positive = Annotated[int, Field(strict=True, ge=1, le=GREATEST)]


@dataclass(frozen=True, slots=True)
class MoneyRefused:
    """Why a sum of money cannot be taken, in one sentence that says what would have been right."""

    message: str


class Unit(BaseModel):
    """What one counter of the smallest value costs: minor_numerator / minor_denominator minor units.

    The fraction is in lowest terms and of finitely many decimals. `decimals` is how many of them the currency
    shows (0 for LSD, whose minor unit is the penny): it stands in the event because currencies are
    withdrawn from ISO 4217 (HRK in 2023), and an old evening must still be told in its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    minor_numerator: Positive
    minor_denominator: Positive
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    decimals: Annotated[int, Field(strict=True, ge=0, le=4)]

    @model_validator(mode="after")
    def _has_one_exact_form(self) -> Self:
        if math.gcd(self.minor_numerator, self.minor_denominator) != 1:
            raise ValueError("the price of a counter must be in lowest terms")
        rest = self.minor_denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest != 1:
            raise ValueError("the price of a counter must be a finite decimal")
        return self


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum as written: `value` in minor units if `minor`, else in whole ones, of one of `currencies`.

    `thousands` is what else the number may mean: 1000 for `1,000` and `1.000`; None where it is clear.
    """

    currencies: tuple[str, ...]
    value: Fraction
    minor: bool
    thousands: int | None = None
    has_point: bool = False

    def minor_units(self, currency: str, decimals: int) -> Fraction:
        return self.value if self.minor else self.value * _minor_in_major(currency, decimals)


def parse_unit(text: str) -> Unit | MoneyRefused:
    """The price of one counter from text such as `1d`, `5c`, `0.05 USD`, `10p`, `€2,50`.

    A fraction of a minor unit will do (`0.005 USD`); nought will not.
    """
    read = _read(text)
    if isinstance(read, MoneyRefused):
        return read
    currency = read.currencies[0]
    decimals = _decimals(currency)
    if decimals is None:
        return MoneyRefused(
            f"{currency} is no currency of ISO 4217 that people pay in; write for instance {_EXAMPLES}"
        )
    if doubt := _doubt(text, read, decimals):
        return doubt
    price = read.minor_units(currency, decimals)
    if price == 0:
        return MoneyRefused(f"a counter must cost something: {_quoted(text)} is nothing")
    if price.numerator > GREATEST:
        return MoneyRefused(f"{_quoted(text)} is more than a counter may cost")
    return Unit(
        minor_numerator=price.numerator,
        minor_denominator=price.denominator,
        currency=currency,
        decimals=decimals,
    )


def units_of(money: str, unit: Unit | None) -> int | MoneyRefused:
    """How many counters of the session's `unit` a sum of money is: a whole number, nought included.

    Refused: what is no sum of money, a mark of another currency, and a sum that is not a whole number of
    units, with the nearest that are.
    """
    read = _read(money)
    if isinstance(read, MoneyRefused):
        return read
    said = _quoted(money)
    if unit is None:
        return MoneyRefused(
            f"{said} is money, and nobody has said what a counter costs; write a number of counters"
        )
    if unit.currency not in read.currencies:
        return MoneyRefused(
            f"{said} is not in {unit.currency} (a counter: {marked_money(1, unit)}); {_hint(read, unit)}"
        )
    if doubt := _doubt(money, read, _places(unit)):
        return doubt
    price = _price(unit)
    units = read.minor_units(unit.currency, unit.decimals) / price
    if units > GREATEST:
        return MoneyRefused(f"{said} is more counters than can be recorded")
    if units.denominator == 1:
        return units.numerator
    below = math.floor(units)
    nearest = [f"{marked_money(n, unit)} ({n})" for n in (below, below + 1) if n > 0]
    return MoneyRefused(
        f"{said} is not a whole number of counters at {marked_money(1, unit)}; "
        f"the nearest: {' or '.join(nearest)}"
    )


def money_text(units: int, unit: Unit) -> str:
    """A number of units (of either sign) as money, as people write it: `-0.24`, `-2s 0d`, `£1 2s 6d`.

    Without a mark where the currency is decimal: it stands beside. In LSD shillings and pence are always both
    there (`0s 6d`, `2s 0d`), pounds from 20s on. More decimals than usual are shown rather than lost.
    """
    return _minor_text(units * _price(unit), unit.currency, unit.decimals)


def marked_money(units: int, unit: Unit) -> str:
    """As `money_text`, with the code of the currency unless the text says it: `-0.24 GBP`, `-2s 0d`."""
    text = money_text(units, unit)
    return text if unit.currency == "LSD" else f"{text} {unit.currency}"


def sum_money(amounts: Iterable[tuple[int, Unit]]) -> dict[str, str]:
    """Exact sums of (units, unit) over sessions of different units, as money: currency -> text, by code."""
    sums: dict[str, Fraction] = {}
    decimals: dict[str, int] = {}
    for units, unit in amounts:
        # in whole ones, as a currency may lose its small coin between two evenings (ISK in 2007)
        value = units * _price(unit) / _minor_in_major(unit.currency, unit.decimals)
        sums[unit.currency] = sums.get(unit.currency, Fraction(0)) + value
        decimals[unit.currency] = max(decimals.get(unit.currency, 0), unit.decimals)
    return {
        currency: _minor_text(sums[currency] * _minor_in_major(currency, places), currency, places)
        for currency, places in sorted(decimals.items())
    }


def _read(text: str) -> _Sum | MoneyRefused:
    # split() knows every blank of Unicode, also the non-breaking and thin ones that telephones put in
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    if lsd := _LSD.fullmatch(plain):
        found = _read_lsd(lsd)
        if found is not None:
            return found
    if minor := _MINOR_LAST.fullmatch(plain):
        currencies, is_minor, match = _MINOR_MARKS[minor["mark"].lower()], True, minor
    elif major := _MARK_FIRST.fullmatch(plain) or _MARK_LAST.fullmatch(plain):
        mark = major["mark"].upper()
        currencies, is_minor, match = _MARKS.get(mark, (mark,)), False, major
    else:
        return MoneyRefused(f"{_quoted(text)} is no sum of money; write for instance {_EXAMPLES}")
    if currencies == ("LSD",):
        return MoneyRefused(f"{_quoted(text)}: pounds, shillings and pence are written like £1 2s 6d")
    number = match["number"]
    value = _value(number)
    if "£" in plain and not re.search("[.,]", number):
        currencies = ("GBP", "LSD")
    return _Sum(currencies, value, is_minor, _thousands(number), "." in number)


def _read_lsd(match: re.Match[str]) -> _Sum | None:
    """Pounds, shillings and pence; None where neither shillings nor pence nor an `l` say that it is these."""
    pounds, shillings, pence, quarter = match["pounds"], match["shillings"], match["pence"], match["quarter"]
    has_pence = pence is not None or bool(quarter)
    if not (has_pence or shillings or match["librae"]):
        return None
    if quarter and pence and not pence.isdecimal():
        return None
    total = int(pounds or match["librae"] or 0) * PENCE_IN_POUND + int(shillings or 0) * PENCE_IN_SHILLING
    return _Sum(("LSD",), total + _value(pence or "0") + _QUARTERS[quarter or ""], minor=True)


def _thousands(number: str) -> int | None:
    """1000 for `1,000` and `1.000`; None where there is one meaning, as in `0.005`, `1.50`, `1 000,500`."""
    grouped = re.fullmatch(r"([1-9][0-9]{0,2})[.,]([0-9]{3})", number)
    return int(grouped[1] + grouped[2]) if grouped else None


def _doubt(text: str, read: _Sum, places: int) -> MoneyRefused | None:
    """A thousand to some is one to others; only where money has three decimals a point is surely decimal."""
    if read.thousands is None or (places >= 3 and read.has_point):
        return None
    small = _decimal_text(read.value, 2)
    return MoneyRefused(f"{_quoted(text)} may mean {read.thousands} or {small}; write the one you mean")


def _places(unit: Unit) -> int:
    """How many decimals sums of this unit come to."""
    return len(money_text(1, unit).partition(".")[2])


def _price(unit: Unit) -> Fraction:
    return Fraction(unit.minor_numerator, unit.minor_denominator)


def _quoted(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _value(number: str) -> Fraction:
    return Fraction(number.replace(" ", "").replace(",", "."))


def _hint(read: _Sum, unit: Unit) -> str:
    if unit.currency == "LSD" and read.currencies == ("GBP",) and not read.minor:
        return f"write {_minor_text(read.value * PENCE_IN_POUND, 'LSD', 0)}"
    return f"write it like {marked_money(10, unit)}"


def _decimals(currency: str) -> int | None:
    """How many decimals a currency shows: 0 for LSD; None for what is none, or no money (gold, XXX)."""
    if currency == "LSD":
        return 0
    from iso4217 import Currency  # reads its table when imported, and only a new unit needs it

    try:
        return Currency(currency).exponent
    except ValueError:
        return None


def _minor_in_major(currency: str, decimals: int) -> int:
    return PENCE_IN_POUND if currency == "LSD" else int(10**decimals)


def _minor_text(minor: Fraction, currency: str, decimals: int) -> str:
    sign = "-" if minor < 0 else ""
    if currency != "LSD":
        return sign + _decimal_text(abs(minor) / _minor_in_major(currency, decimals), decimals)
    shillings, pence = divmod(abs(minor), PENCE_IN_SHILLING)
    pounds, shillings = divmod(shillings, PENCE_IN_POUND // PENCE_IN_SHILLING)
    return f"{sign}{f'£{pounds} ' if pounds else ''}{shillings}s {_pence_text(pence)}d"


def _pence_text(pence: Fraction) -> str:
    whole, part = divmod(pence, 1)
    for sign, quarter in _QUARTERS.items():
        if part == quarter:
            return f"{whole or ''}{sign}" if sign else str(whole)
    return _decimal_text(pence, 0)


def _decimal_text(value: Fraction, least: int) -> str:
    """A non-negative finite decimal with at least `least` decimals, and as many more as it has."""
    places = least
    while (scaled := value * 10**places).denominator != 1:
        places += 1
    whole, part = divmod(scaled.numerator, 10**places)
    return f"{whole}.{part:0{places}d}" if places else str(whole)
