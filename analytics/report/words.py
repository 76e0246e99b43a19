"""Amounts, dates and cards as a reader of a report has them before him."""

import datetime as dt
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from analytics.intervals import wilson
from ledger.cards.pack import JOKER, RANKS, card_words
from ledger.counters.money import Unit, marked_money
from ledger.times import moment

_SUITS = "♣♦♥♠"


class CardFace(NamedTuple):
    """A card to be drawn in text: `10♥`, whether it is red, and how it is read out."""

    face: str
    red: bool
    words: str


class Rate(NamedTuple):
    """A rate with its chances: `3/4` and `75 % (30–95)`; both empty without chances."""

    counted: str
    value: str


def signed(units: int) -> str:
    """Units with their sign, a true minus; nought without."""
    return minus(f"{units:+d}") if units else "0"


def minus(text: str) -> str:
    """An amount with a true minus, as wide as a plus."""
    return f"−{text[1:]}" if text.startswith("-") else text


def counters(units: int) -> str:
    """`1 counter`, `48 counters`."""
    return minus(f"{units} counter{'' if abs(units) == 1 else 's'}")


def number(count: int, what: str) -> str:
    """`no hands`, `1 hand`, `42 hands`."""
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


def sign(units: int) -> int:
    """1 for a gain, -1 for a loss, 0 for neither."""
    return (units > 0) - (units < 0)


def amount(units: int, unit: Unit | None) -> str:
    """What is to be paid: money where counters have a price, else counters."""
    return counters(units) if unit is None else minus(marked_money(units, unit))


def both(units: int, unit: Unit | None) -> str:
    """Counters, and money in brackets where they have a price."""
    return counters(units) if unit is None else f"{counters(units)} ({amount(units, unit)})"


def gain(units: int, unit: Unit | None) -> str:
    """What somebody won or lost, in money with its sign; nothing where counters have no price."""
    if unit is None:
        return ""
    return f"+{marked_money(units, unit)}" if units > 0 else minus(marked_money(units, unit))


def isolated(name: str) -> str:
    """A name that is written from the right, kept apart from what stands around it (UAX 9); others as they are."""
    from_right = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if from_right else name


def date_words(date: str) -> str:
    """`27 November 2026` of `2026-11-27`."""
    day = dt.date.fromisoformat(date)
    months = "January February March April May June July August September October November December".split()
    return f"{day.day} {months[day.month - 1]} {day.year}"


def clock(microseconds: int, zone: str) -> str:
    """The time of day on the table's clock: `20:12`."""
    return moment(microseconds, zone).strftime("%H:%M")


def listed(parts: Iterable[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    *before, last = parts
    return f"{', '.join(before)} and {last}" if before else last


def card_face(card: int) -> CardFace:
    """The card as a face."""
    if card == JOKER:
        return CardFace("Joker", False, "joker")
    rank = RANKS[card >> 2]
    suit = card & 3
    return CardFace(f"{'10' if rank == 'T' else rank}{_SUITS[suit]}", suit in (1, 2), card_words(card))


def rate(hits: int, chances: int) -> Rate:
    """Hits of chances with the value and its 95 % interval, in per cent."""
    bounds = wilson(hits, chances)
    if bounds is None:
        return Rate("", "")
    low, high = (round(100 * bound) for bound in bounds)
    return Rate(f"{hits}/{chances}", f"{round(100 * hits / chances)} % ({low}–{high})")
