"""Counters in colours, told and read."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.counters.colours import ColourRefused, Colours, in_colours, make_colours, units_of_coloured


def colours_of(*named: tuple[str, int]) -> Colours:
    colours = make_colours(named)
    assert not isinstance(colours, ColourRefused)
    return colours


ENGLISH = colours_of(("red", 3), ("white", 9), ("blue", 12))


def test_an_amount_in_colours_is_its_sum() -> None:
    assert units_of_coloured([(10, "red"), (6, "white"), (8, "blue")], ENGLISH) == 180
    assert units_of_coloured([(2, "white"), (1, "red")], ENGLISH) == 21
    assert units_of_coloured([(0, "blue")], ENGLISH) == 0


def test_names_are_compared_without_case_and_after_normalisation() -> None:
    colours = colours_of(("Grün", 2))
    for name in ("grün", "GRÜN", unicodedata.normalize("NFD", "Grün")):
        assert units_of_coloured([(3, name)], colours) == 6


def test_an_unknown_colour_is_refused_with_those_there_are() -> None:
    refused = units_of_coloured([(1, "red"), (1, "gren")], ENGLISH)
    assert refused == ColourRefused("gren is no colour of this session; it has red (3), white (9), blue (12)")
    none = units_of_coloured([(1, "red")], ())
    assert isinstance(none, ColourRefused)
    assert "it has none" in none.message


def test_more_than_can_be_recorded_is_refused() -> None:
    most = (2**53 - 1) // 3
    assert units_of_coloured([(most, "red")], ENGLISH) == 3 * most
    refused = units_of_coloured([(most + 1, "red")], ENGLISH)
    assert isinstance(refused, ColourRefused)
    assert "more than" in refused.message


def test_colours_that_cannot_be() -> None:
    assert make_colours([("red", 0)]) == ColourRefused("a red counter must be worth 1 unit or more, not 0")
    vast = make_colours([("red", 2**53)])
    assert isinstance(vast, ColourRefused)
    assert "at most" in vast.message
    twice = make_colours([("red", 3), ("RED", 9)])
    assert twice == ColourRefused("RED is already a colour, worth 3; every colour is named once")


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (180, "15 blue"),
        (21, "1 blue 1 white"),
        (18, "1 blue 2 red"),
        (-15, "-1 blue 1 red"),
        (13, "1 blue and 1 unit"),
        (2, "2 units"),
        (0, "0"),
    ],
)
def test_amounts_told_in_colours(units: int, told: str) -> None:
    assert in_colours(units, ENGLISH) == told


def test_fewer_of_the_dearest_where_only_that_comes_out() -> None:
    assert in_colours(18, colours_of(("white", 9), ("blue", 12))) == "2 white"
    assert in_colours(6, colours_of(("green", 4), ("red", 3))) == "2 red"


def test_no_colours_tell_units() -> None:
    assert in_colours(7, ()) == "7 units"


def test_colours_too_large_to_try_are_told_with_a_rest() -> None:
    vast = colours_of(("red", 999_983), ("white", 999_979), ("blue", 1_000_003))
    assert in_colours(1_999_966, vast) == "1 blue and 999963 units"


values = st.lists(st.integers(1, 12), min_size=1, max_size=3, unique=True)


@given(values, st.integers(0, 60))
def test_told_amounts_read_back_and_are_exact_where_any_counters_are(values: list[int], units: int) -> None:
    colours = colours_of(*((f"c{place}", value) for place, value in enumerate(values)))
    told, _, rest = in_colours(units, colours).partition(" and ")
    if told.endswith(("unit", "units")):
        told, rest = "", told
    words = told.split() if told != "0" else []
    parts = [(int(count), name) for count, name in zip(words[::2], words[1::2], strict=True)]
    read = units_of_coloured(parts, colours)
    assert read == units - int(rest.split()[0] if rest else 0)
    possible = any(
        sum(n * value for n, value in zip(counts, values, strict=True)) == units
        for counts in product(*(range(units // value + 1) for value in values))
    )
    assert possible == (not rest)
