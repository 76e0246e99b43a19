"""Colours of counters: from `2 white 1 red` to units and back (R-COUNTERS: the house chooses them)."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_GREATEST = 2**53 - 1  # the greatest integer of the canonical JSON
_MOST_TRIES = 100_000  # a tenth of a second; a case of counters of 1, 5, 10, 25 and 100 needs 1,250 at most


class Colour(BaseModel):
    """One colour and what a counter of it is worth, in units (at least 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    units: Annotated[int, Field(strict=True, ge=1, le=_GREATEST)]


# In the order the house names them. A row and not a mapping: the keys of a canonical event are our own words.
Colours = tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class ColourRefused:
    """Why a colour or an amount in colours cannot be taken, and what would have been right."""

    message: str


def make_colours(named: Sequence[tuple[str, int]]) -> Colours | ColourRefused:
    """The house's colours from (name, units) as stated.

    Refused: a value under 1 or too great, one name given twice.
    """
    colours: list[Colour] = []
    seen: dict[str, int] = {}
    for name, units in named:
        if units < 1:
            return ColourRefused(f"a {name} counter must be worth 1 unit or more, not {units}")
        if units > _GREATEST:
            return ColourRefused(f"a {name} counter may be worth {_GREATEST} units at most")
        if (key := _key(name)) in seen:
            return ColourRefused(f"{name} is already a colour, worth {seen[key]}; every colour is named once")
        seen[key] = units
        colours.append(Colour(name=unicodedata.normalize("NFC", name), units=units))
    return tuple(colours)


def units_of_coloured(parts: Sequence[tuple[int, str]], colours: Colours) -> int | ColourRefused:
    """The units of so many counters (nought or more) of each colour: [(2, "white"), (1, "red")] -> 21.

    Names are compared after NFC and without regard to case. Refused: a colour the house has not,
    and more than can be recorded.
    """
    worth = {_key(colour.name): colour.units for colour in colours}
    total = 0
    for count, name in parts:
        assert count >= 0, count
        units = worth.get(_key(name))
        if units is None:
            return ColourRefused(f"{name} is no colour of this session; {_known(colours)}")
        total += count * units
    if total > _GREATEST:
        return ColourRefused(f"that is more than {_GREATEST} units, the most that can be recorded")
    return total


def in_colours(units: int, colours: Colours) -> str:
    """An amount of units (of either sign) told in colours, the dearest first: `1 blue 2 red`.

    As many as can be of the dearest colour, then of the next, as long as it comes out exactly; where it
    cannot (or finding out would take more than _MOST_TRIES steps) the rest is told in units: `1 blue and 2
    units`. Nought is `0`.
    """
    if units == 0:
        return "0"
    dearest_first = sorted(colours, key=lambda colour: -colour.units)
    values = tuple(colour.units for colour in dearest_first)
    counts, rest = _greedily(abs(units), values)
    if rest and math.prod(values[1:]) <= _MOST_TRIES and (exact := _exactly(abs(units), values)):
        counts, rest = exact, 0
    told = " ".join(f"{n} {colour.name}" for n, colour in zip(counts, dearest_first, strict=True) if n)
    over = f"{rest} unit{'' if rest == 1 else 's'}" if rest else ""
    return ("-" if units < 0 else "") + " and ".join(part for part in (told, over) if part)


def _greedily(units: int, values: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    counts = []
    for value in values:
        n, units = divmod(units, value)
        counts.append(n)
    return tuple(counts), units


def _exactly(units: int, values: tuple[int, ...]) -> tuple[int, ...] | None:
    """Counts of each value (falling) that come to `units`, the most of the dearest first; None if none do."""
    if not values:
        return () if units == 0 else None
    if units % math.gcd(*values):
        return None
    dearest, others = values[0], values[1:]
    most = units // dearest
    # Among any `dearest` cheaper counters some come to a multiple of its value and can be changed into it. So
    # where there is an answer at all there is one with fewer cheaper counters than that, worth less than
    # dearest * others[0].
    least = max(0, most - others[0]) if others else most
    for n in range(most, least - 1, -1):
        rest = _exactly(units - n * dearest, others)
        if rest is not None:
            return (n, *rest)
    return None


def _known(colours: Colours) -> str:
    if not colours:
        return "it has none: say them first, for instance counters red 1 white 5 blue 10"
    return "it has " + ", ".join(f"{colour.name} ({colour.units})" for colour in colours)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
