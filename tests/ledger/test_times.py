"""Times at the table: told late at night, over midnight, and in the nights when clocks change."""

import datetime as dt

import pytest

from ledger import times

LONDON = "Europe/London"
NEW_YORK = "America/New_York"


def at(date: str, time: str, zone: str = LONDON) -> int:
    return times.on_date(dt.date.fromisoformat(date), dt.time.fromisoformat(time), zone)


@pytest.mark.parametrize(
    ("last", "told", "meant"),
    [
        (("2026-11-27", "20:12"), "20:40", ("2026-11-27", "20:40")),
        (("2026-11-27", "23:50"), "00:10", ("2026-11-28", "00:10")),
        (("2026-11-27", "20:12"), "20:10", ("2026-11-27", "20:10")),
        (("2026-11-28", "00:10"), "23:55", ("2026-11-27", "23:55")),
        (("2026-11-27", "20:00"), "07:30", ("2026-11-28", "07:30")),
    ],
    ids=["on", "over midnight", "a slip of two minutes", "a slip back over midnight", "a long night"],
)
def test_the_nearest_time_is_meant(last: tuple[str, str], told: str, meant: tuple[str, str]) -> None:
    assert times.next_told(dt.time.fromisoformat(told), at(*last), LONDON, first=False) == at(*meant)


def test_the_first_hour_told_is_of_the_date_itself() -> None:
    midnight = times.on_date(dt.date(2026, 11, 27), None, LONDON)
    assert times.next_told(dt.time(20, 12), midnight, LONDON, first=True) == at("2026-11-27", "20:12")


def test_an_hour_that_comes_twice_is_the_later_one_once_the_first_has_passed() -> None:
    """In London on 2026-10-25 the hour from one to two comes twice."""
    first = at("2026-10-25", "01:50")
    told = times.next_told(dt.time(1, 55), first + 50 * 60_000_000, LONDON, first=False)
    assert told == first + 65 * 60_000_000
    assert times.rfc3339(told, LONDON) == "2026-10-25T01:55:00+00:00"


@pytest.mark.parametrize(
    ("minutes_after_one", "told", "meant"),
    [
        (20, "01:10", 70),  # the first 01:20, then 01:10: the second one
        (20, "01:30", 30),
        (80, "01:10", 70),  # a slip of ten minutes in the second hour
        (110, "02:05", 125),
    ],
)
def test_time_does_not_run_backwards_while_an_hour_comes_twice(
    minutes_after_one: int, told: str, meant: int
) -> None:
    one = at("2026-10-25", "01:00")
    last = one + minutes_after_one * 60_000_000
    found = times.next_told(dt.time.fromisoformat(told), last, LONDON, first=False)
    assert (found - one) // 60_000_000 == meant


def test_a_night_in_which_clocks_go_back_has_one_hour_more() -> None:
    hour = 3_600_000_000
    assert at("2026-11-01", "04:00", NEW_YORK) - at("2026-10-31", "20:00", NEW_YORK) == 9 * hour
    assert at("2026-10-25", "04:00") - at("2026-10-24", "20:00") == 9 * hour


def test_a_stop_time_is_the_next_such_time() -> None:
    start = at("2026-11-27", "20:00")
    assert times.next_after(dt.time(23, 30), start, LONDON) == at("2026-11-27", "23:30")
    assert times.next_after(dt.time(1, 0), start, LONDON) == at("2026-11-28", "01:00")
    assert times.next_after(dt.time(20, 0), start, LONDON) == at("2026-11-28", "20:00")


def test_the_host_s_zone_is_the_one_named_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTIGRIS_ZONE", "Asia/Tokyo")
    monkeypatch.setenv("TZ", LONDON)
    assert times.host_zone() == "Asia/Tokyo"
    monkeypatch.setenv("MISTIGRIS_ZONE", "Nowhere/Such")
    assert times.host_zone() == LONDON


@pytest.mark.parametrize("name", ["Nowhere/Such", "../etc/passwd", "", "/etc/localtime"])
def test_what_is_no_zone_is_none(name: str) -> None:
    assert times.zone_named(name) is None


def test_a_time_that_no_store_takes_is_told_as_the_furthest() -> None:
    assert times.rfc3339(10**18, "UTC") == times.rfc3339(2**53, "UTC") == "2255-06-05T23:47:34+00:00"
    assert times.rfc3339(-(10**18), "UTC").startswith("1684-")
