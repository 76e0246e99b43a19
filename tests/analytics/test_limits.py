"""Limits on losing over sessions, by each way of counting, and the kitty's accounts; hours when clocks change."""

import pytest

from analytics.facts import Facts
from analytics.kitty import kitty_accounts
from analytics.limits import kept_limits, over
from analytics.scope import Scope
from ledger.store.store import Store
from tests.support.ledgers import player_id
from tests.support.recorded import record

HEAD = """session "{title}" on {date} at {time} in {zone}
rules foster
set ante 1
set limit 50
{more}
seat A B C
A buys 200; B buys 200; C buys 200
"""
LOSES = """A antes
deal
B opens {units}; C passes; A calls
A pat; B pat
B checks; A checks
A shows 2h 3d 4s 5c 7h; B shows Ah Ad 9s 8c 2c
"""


def loss(units: int) -> str:
    """A hand in which A loses so many to B."""
    return "hand dealer C\n" + LOSES.format(units=units)


def evening(
    title: str, date: str, time: str, body: str, *, zone: str = "Europe/London", more: str = ""
) -> str:
    return HEAD.format(title=title, date=date, time=time, zone=zone, more=more) + body


def reached(facts: Facts, store: Store) -> list[tuple[int | None, int, int]]:
    facts.catch_up(store)
    wanted = Scope(player=player_id(store, "A"))
    return [(k.reached_at_hand, k.most_lost, k.overrun) for k in kept_limits(facts.connection, wanted)]


@pytest.mark.parametrize(
    ("way", "second"),
    [("session", (None, 30, 0)), ("day", (1, 60, 10)), ("24_hours", (1, 60, 10)), ("gross", (None, 30, 0))],
)
def test_two_sessions_of_one_day(
    store: Store, facts: Facts, way: str, second: tuple[int | None, int, int]
) -> None:
    rules = f'set loss_limit_counts "{way}"'
    for title, time in (("Noon", "12:00"), ("Night", "20:00")):
        body = "A loss-limit 50\n" + loss(30) + "close\n"
        record(store, evening(title, "2026-11-27", time, body, more=rules))
    assert reached(facts, store) == [(None, 30, 0), second]


@pytest.mark.parametrize(("way", "second"), [("day", (None, 30, 0)), ("24_hours", (1, 60, 10))])
def test_over_midnight_a_day_ends_and_24_hours_do_not(
    store: Store, facts: Facts, way: str, second: tuple[int | None, int, int]
) -> None:
    rules = f'set loss_limit_counts "{way}"'
    for title, date in (("Friday", "2026-11-27"), ("Saturday", "2026-11-28")):
        time = "23:00" if title == "Friday" else "21:00"
        body = "A loss-limit 50\n" + loss(30) + "close\n"
        record(store, evening(title, date, time, body, more=rules))
    assert reached(facts, store) == [(None, 30, 0), second]


def test_the_calendar_day_is_that_of_the_zone(store: Store, facts: Facts) -> None:
    """In Tokyo both are of one day; in UTC they would be of two."""
    rules = "set loss_limit_counts day"
    for title, time in (("Morning", "08:00"), ("Evening", "22:00")):
        body = "A loss-limit 50\n" + loss(30) + "close\n"
        record(store, evening(title, "2026-11-27", time, body, more=rules, zone="Asia/Tokyo"))
    assert reached(facts, store)[1] == (1, 60, 10)


def test_weeks_and_months(store: Store, facts: Facts) -> None:
    """30 November and 1 December 2026 are of one week and of two months."""
    for title, date, units in (
        ("One", "2026-11-30", 30),
        ("Two", "2026-12-01", 20),
        ("Three", "2026-12-08", 30),
    ):
        body = (
            "A loss-limit 25; A stops-at 21:30\nat 21:00\n"
            + loss(units).replace("deal\n", "deal\nat 22:10\n")
            + "close\n"
        )
        record(store, evening(title, date, "20:00", body, more="unit 10c"))
    facts.catch_up(store)
    found = kept_limits(facts.connection, Scope())
    weeks = over(found, "week")
    assert [(w.span, w.limits, w.reached, w.kept, w.stops, w.stopped) for w in weeks] == [
        ("2026-W49", 2, 1, 2, 2, 0),
        ("2026-W50", 1, 1, 1, 1, 0),
    ]
    assert weeks[0].overrun is not None
    assert (weeks[0].overrun.units, weeks[0].overrun.money) == (5, {"USD": "0.50"})
    assert [(m.span, m.limits, m.seconds_after) for m in over(found, "month")] == [
        ("2026-11", 1, 40 * 60),
        ("2026-12", 2, 80 * 60),
    ]


@pytest.mark.parametrize(
    ("zone", "date", "start", "end", "hours"),
    [
        ("America/New_York", "2026-10-31", "20:00", "04:00", 9),
        ("Europe/London", "2026-10-24", "22:00", "03:00", 6),
        ("Europe/London", "2026-03-28", "22:00", "03:00", 4),
        ("Europe/London", "2026-11-27", "22:00", "03:00", 5),
    ],
)
def test_hours_are_right_when_clocks_change(
    store: Store, facts: Facts, zone: str, date: str, start: str, end: str, hours: int
) -> None:
    first = f"at {start}\nhand dealer C\nA antes\ndeal\nB opens 2; C passes; A passes\n"
    body = f"{first}at 23:30\nhand\nB antes\ndeal\nat {end}\nC opens 2; A passes; B passes\nclose\n"
    record(store, evening("Clocks", date, start, body, zone=zone))
    facts.catch_up(store)
    played = facts.connection.execute("select distinct played_us from session_players").fetchall()
    assert played == [(hours * 3_600_000_000,)]


def test_absences_do_not_count_as_hours(store: Store, facts: Facts) -> None:
    body = "hand dealer C\nA antes\ndeal\nB opens 2; C passes; A passes\n"
    body += "at 20:30\nC sits out\nat 21:00\nC sits in\nhand\nB antes\ndeal\n"
    body += "at 22:00\nC opens 2; A passes; B passes\nclose\n"
    record(store, evening("Away", "2026-11-27", "20:00", "at 20:00\n" + body))
    facts.catch_up(store)
    hours = dict(
        facts.connection.execute("select player, played_us / 60000000 from session_players").fetchall()
    )
    assert hours[player_id(store, "A")] == 120
    assert hours[player_id(store, "C")] == 90


def test_the_kittys_accounts(store: Store, facts: Facts) -> None:
    body = "hand dealer C\nA antes\ndeal\nB opens 2; C passes; A passes\n"
    body += "hand\nB antes\ndeal\nC opens 2; A passes; B passes\n"
    first = body + 'kitty pays B 1 "four of a kind"\nclose\n'
    record(store, evening("One", "2026-11-27", "20:00", first, more="kitty 1 per hand"))
    second = body + 'kitty spends 2 "wine"\nclose\n'
    record(store, evening("Two", "2026-12-04", "20:00", second, more="kitty 1 per hand"))
    facts.catch_up(store)
    accounts = kitty_accounts(facts.connection, Scope())
    assert [(b.forward, b.taken, b.paid, b.spent, b.balance) for b in accounts.balances] == [
        (0, 2, 1, 0, 1),
        (1, 2, 0, 2, 1),
    ]
    assert accounts.holds.units == 1
    kinds = [(m.kind, m.units, m.balance) for m in accounts.movements if m.title == "Two"]
    assert kinds == [("forward", 1, 1), ("taken", 1, 2), ("taken", 1, 3), ("spent", 2, 1)]
    given = {player: purse.units for player, purse in accounts.given.items()}
    assert given == {player_id(store, "B"): 2, player_id(store, "C"): 2}


def test_a_difference_that_the_kitty_bears_is_in_its_balance(store: Store, facts: Facts) -> None:
    body = "hand dealer C\nA antes\ndeal\nB opens 2; C passes; A passes\n"
    body += "A counts 198; difference borne by kitty\nclose\n"
    record(store, evening("Short", "2026-11-27", "20:00", body, more="kitty 1 per hand"))
    facts.catch_up(store)
    (b,) = kitty_accounts(facts.connection, Scope()).balances
    assert (b.taken, b.borne, b.balance) == (1, 1, 2), "who misses a counter paid for it"


@pytest.mark.parametrize("way", ["session", "day", "24_hours", "gross"])
def test_a_limit_lowered_after_it_was_reached_was_still_reached_then(
    store: Store, facts: Facts, way: str
) -> None:
    """60 lost of 50 at hand 1, and 65 of 40 at hand 2; what was lost before is measured by the limit as it stood."""
    body = "A loss-limit 50\n" + loss(60) + "A loss-limit 40\n! " + loss(5) + "close\n"
    more = f'set loss_limit_counts "{way}"\nset limit 80'
    record(store, evening("Late", "2026-11-27", "20:00", body, more=more))
    facts.catch_up(store)
    (kept,) = kept_limits(facts.connection, Scope())
    assert (kept.reached_at_hand, kept.hands_after, kept.kept) == (1, 1, False)
    assert (kept.most_lost, kept.overrun) == (65, 25)


@pytest.mark.parametrize("way", ["session", "day", "24_hours"])
def test_what_was_lost_and_won_back_before_a_limit_was_lowered_is_no_overrun(
    store: Store, facts: Facts, way: str
) -> None:
    back = loss(30).replace(
        "A shows 2h 3d 4s 5c 7h; B shows Ah Ad 9s 8c 2c", "A shows Ah Ad 9s 8c 2c; B mucks"
    )
    body = "A loss-limit 50\n" + loss(30) + "! " + back + "A loss-limit 20\n! " + loss(5) + "close\n"
    record(store, evening("Back", "2026-11-27", "20:00", body, more=f'set loss_limit_counts "{way}"'))
    facts.catch_up(store)
    (kept,) = kept_limits(facts.connection, Scope())
    assert (kept.most_lost, kept.reached_at_hand, kept.kept, kept.overrun) == (30, None, True, 0)


def test_within_24_hours_hands_of_one_told_time_come_one_after_the_other(store: Store, facts: Facts) -> None:
    """Nobody told the time between: the limit is reached at the third hand, not by what was still to come."""
    body = "A loss-limit 25\n" + loss(10) + ("! " + loss(10)) * 3 + "close\n"
    record(store, evening("Still", "2026-11-27", "20:00", body, more='set loss_limit_counts "24_hours"'))
    facts.catch_up(store)
    (kept,) = kept_limits(facts.connection, Scope())
    assert (kept.reached_at_hand, kept.hands_after, kept.most_lost, kept.overrun) == (3, 1, 40, 15)
