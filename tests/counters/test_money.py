"""Money: what marks mean, what is refused, and that nothing is lost on the way."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ledger.counters.money import (
    GREATEST,
    MoneyRefused,
    Unit,
    marked_money,
    money_text,
    parse_unit,
    sum_money,
    units_of,
)


def unit(text: str) -> Unit:
    parsed = parse_unit(text)
    assert isinstance(parsed, Unit), parsed
    return parsed


def refusal(outcome: int | Unit | MoneyRefused) -> str:
    assert isinstance(outcome, MoneyRefused), outcome
    return outcome.message


@pytest.mark.parametrize(
    ("text", "numerator", "denominator", "currency"),
    [
        ("1d", 1, 1, "LSD"),
        ("1s", 12, 1, "LSD"),
        ("1s6d", 18, 1, "LSD"),
        ("1S 6D", 18, 1, "LSD"),
        ("18d", 18, 1, "LSD"),
        ("£1 2s 6d", 270, 1, "LSD"),
        ("£1 6d", 246, 1, "LSD"),
        ("1l 2s", 264, 1, "LSD"),
        ("20s", 240, 1, "LSD"),
        ("½d", 1, 2, "LSD"),
        ("1¼d", 5, 4, "LSD"),
        ("0.5d", 1, 2, "LSD"),
        ("£1", 100, 1, "GBP"),
        ("£2.50", 250, 1, "GBP"),
        ("10p", 10, 1, "GBP"),
        ("0.05 GBP", 5, 1, "GBP"),
        ("5c", 5, 1, "USD"),
        ("5¢", 5, 1, "USD"),
        ("20ct", 20, 1, "EUR"),
        ("0.05 USD", 5, 1, "USD"),
        ("usd 0.05", 5, 1, "USD"),
        ("0.005 USD", 1, 2, "USD"),
        ("$0.25", 25, 1, "USD"),
        ("1 EUR", 100, 1, "EUR"),
        ("€2,50", 250, 1, "EUR"),
        ("2,50\u00a0€", 250, 1, "EUR"),
        ("1\u202f000,50 €", 100050, 1, "EUR"),
        ("1\u2009000 EUR", 100000, 1, "EUR"),
        ("¥5", 5, 1, "JPY"),
        ("0.001 KWD", 1, 1, "KWD"),
    ],
)
def test_units_as_people_write_them(text: str, numerator: int, denominator: int, currency: str) -> None:
    parsed = unit(text)
    assert (parsed.minor_numerator, parsed.minor_denominator, parsed.currency) == (
        numerator,
        denominator,
        currency,
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5", "no sum of money"),
        ("", "no sum of money"),
        ("d", "no sum of money"),
        ("$", "no sum of money"),
        ("-1d", "no sum of money"),
        ("1d 2s", "no sum of money"),
        ("1.5½d", "no sum of money"),
        ("$1,000.50", "no sum of money"),
        ("9" * 5000 + " USD", "no sum of money"),
        ("٣d", "no sum of money"),
        ("0d", "must cost something"),
        ("$0.00", "must cost something"),
        ("1 ABC", "no currency of ISO 4217"),
        ("1 XAU", "no currency of ISO 4217"),
        ("1 LSD", "written like £1 2s 6d"),
        ("1.500 KWDX", "no sum of money"),
        ("1,000 EUR", "may mean 1000 or 1.00"),
        ("€1.005", "may mean 1005 or 1.005"),
        ("999999999999999 USD", "more than a counter may cost"),
    ],
)
def test_what_no_counter_can_cost(text: str, reason: str) -> None:
    message = refusal(parse_unit(text))
    assert reason in message
    assert "\n" not in message
    assert len(message) < 160


@pytest.mark.parametrize(
    ("text", "price", "units"),
    [
        ("8s3d", "1d", 99),
        ("£1", "1d", 240),
        ("£1 2s 6d", "6d", 45),
        ("0d", "1d", 0),
        ("1s", "½d", 24),
        ("$2.50", "5c", 50),
        ("10c", "5c", 2),
        ("10c", "0.05 EUR", 2),
        ("$2.50", "0.05 AUD", 50),
        ("¥10", "1 CNY", 10),
        ("€2,50", "1 ct", 250),
        ("£1", "10p", 10),
        ("£1.50", "10p", 15),
        ("0.01 USD", "0.005 USD", 2),
        ("1.500 KWD", "0.5 KWD", 3),
        ("1.005 USD", "0.005 USD", 201),
        ("£1 000", "1d", 240_000),
    ],
)
def test_money_in_counters(text: str, price: str, units: int) -> None:
    outcome = units_of(text, unit(price))
    assert outcome == units


def test_a_sum_that_may_mean_a_thousand_is_refused() -> None:
    assert refusal(units_of("$1,000", unit("5c"))) == "'$1,000' may mean 1000 or 1.00; write the one you mean"
    assert "may mean 1000" in refusal(units_of("1.000 JPY", unit("1 JPY")))
    assert "may mean 1500 or 1.50" in refusal(units_of("1,500 KWD", unit("0.5 KWD")))


def test_part_of_a_counter_is_refused_with_the_nearest() -> None:
    assert refusal(units_of("1s7d", unit("6d"))) == (
        "'1s7d' is not a whole number of counters at 0s 6d; the nearest: 1s 6d (3) or 2s 0d (4)"
    )
    assert refusal(units_of("2d", unit("6d"))).endswith("the nearest: 0s 6d (1)")
    assert refusal(units_of("$0.12", unit("5c"))).endswith("the nearest: 0.10 USD (2) or 0.15 USD (3)")


def test_money_of_another_currency_is_refused_with_the_right_one() -> None:
    assert refusal(units_of("$2.50", unit("0.05 GBP"))) == (
        "'$2.50' is not in GBP (a counter: 0.05 GBP); write it like 0.50 GBP"
    )
    assert "is not in LSD" in refusal(units_of("10p", unit("1d")))
    assert "is not in GBP" in refusal(units_of("1s", unit("10p")))
    assert "is not in USD" in refusal(units_of("5 EUR", unit("5c")))


def test_decimal_pounds_where_pence_are_old_are_told_in_shillings() -> None:
    assert refusal(units_of("£2.50", unit("1d"))).endswith("write £2 10s 0d")


def test_money_where_a_counter_has_no_price() -> None:
    assert "write a number of counters" in refusal(units_of("£1", None))


def test_more_counters_than_can_be_recorded() -> None:
    assert "more counters than" in refusal(units_of("999999999999999 USD", unit("0.000000001 USD")))


@pytest.mark.parametrize(
    ("units", "price", "text"),
    [
        (-24, "1d", "-2s 0d"),
        (6, "1d", "0s 6d"),
        (0, "1d", "0s 0d"),
        (270, "1d", "£1 2s 6d"),
        (-240, "1d", "-£1 0s 0d"),
        (3, "½d", "0s 1½d"),
        (1, "¼d", "0s ¼d"),
        (-1, "0.125d", "-0s 0.125d"),
        (-24, "1c", "-0.24"),
        (0, "5c", "0.00"),
        (3, "0.005 USD", "0.015"),
        (2, "0.005 USD", "0.01"),
        (1234567, "1 EUR", "1234567.00"),
        (7, "1 JPY", "7"),
        (7, "0.5 JPY", "3.5"),
        (7, "1 KWD", "7.000"),
    ],
)
def test_counters_in_money(units: int, price: str, text: str) -> None:
    assert money_text(units, unit(price)) == text


def test_money_with_its_mark() -> None:
    assert marked_money(-24, unit("1c")) == "-0.24 USD"
    assert marked_money(-24, unit("1d")) == "-2s 0d"


def test_sums_over_sessions_are_exact_and_by_currency() -> None:
    sums = sum_money(
        [(1, unit("0.005 USD")), (-24, unit("1d")), (1, unit("0.005 USD")), (10, unit("5c")), (3, unit("£1"))]
    )
    assert sums == {"GBP": "3.00", "LSD": "-2s 0d", "USD": "0.51"}
    assert list(sums) == ["GBP", "LSD", "USD"]
    assert sum_money([]) == {}


def test_a_sum_over_the_years_in_which_a_currency_lost_its_small_coin() -> None:
    before = Unit(minor_numerator=50, minor_denominator=1, currency="ISK", decimals=2)
    after = Unit(minor_numerator=5, minor_denominator=1, currency="ISK", decimals=0)
    assert sum_money([(1, before), (1, after)]) == {"ISK": "5.50"}


def test_a_unit_is_integers_and_strings_on_record() -> None:
    assert json.loads(unit("0.005 USD").model_dump_json()) == {
        "minor_numerator": 1,
        "minor_denominator": 2,
        "currency": "USD",
        "decimals": 2,
    }


def test_an_old_evening_is_told_in_a_currency_no_longer_in_use() -> None:
    assert "no currency" in refusal(parse_unit("1 HRK"))
    kuna = Unit(minor_numerator=50, minor_denominator=1, currency="HRK", decimals=2)
    assert marked_money(3, kuna) == "1.50 HRK"
    assert units_of("1.50 HRK", kuna) == 3


@pytest.mark.parametrize(
    ("numerator", "denominator"), [(2, 4), (1, 3), (0, 1), (1, 0), (-1, 1), (GREATEST + 1, 1), (1.0, 1)]
)
def test_units_with_no_one_exact_form_cannot_be(numerator: float, denominator: int) -> None:
    with pytest.raises(ValidationError):
        Unit.model_validate(
            {"minor_numerator": numerator, "minor_denominator": denominator, "currency": "USD", "decimals": 2}
        )


@st.composite
def prices(draw: st.DrawFn) -> Unit:
    currency, decimals = draw(st.sampled_from([("LSD", 0), ("USD", 2), ("JPY", 0)]))
    places = draw(st.integers(0, 3))
    price = Fraction(draw(st.integers(1, 5000)), 10**places)
    return Unit(
        minor_numerator=price.numerator,
        minor_denominator=price.denominator,
        currency=currency,
        decimals=decimals,
    )


@given(prices(), st.integers(0, 10**6))
def test_what_is_told_is_read_back(price: Unit, units: int) -> None:
    assert units_of(marked_money(units, price), price) == units


@given(prices(), st.lists(st.integers(-(10**6), 10**6), max_size=6))
def test_a_sum_is_the_money_of_the_sum(price: Unit, amounts: list[int]) -> None:
    sums = sum_money([(units, price) for units in amounts])
    assert sums == ({price.currency: money_text(sum(amounts), price)} if amounts else {})
