"""Figures of small evenings, counted by hand: each is a table that a player can follow with a pencil."""

from typing import Any

import pytest

from analytics.facts import Facts
from analytics.reports import Count, PlayerFigures, player_figures, table_figures
from analytics.scope import DIVISIONS, Scope, merges
from ledger.people import load_names, merge
from ledger.store.store import Store
from tests.support.ledgers import player_id
from tests.support.recorded import record

FOSTER = """session "{title}" on {date}
rules foster
set ante 1
set limit 50
{more}
seat A B C D
A buys 200; B buys 200; C buys 200; D buys 200
"""


def evening(body: str, *, title: str = "One", date: str = "2026-11-27", more: str = "") -> str:
    return FOSTER.format(title=title, date=date, more=more) + body


def figures(store: Store, facts: Facts, **narrowed: Any) -> dict[str, PlayerFigures]:
    """The figures by name."""
    facts.catch_up(store)
    names = load_names(store)
    return {names.name(f.player): f for f in player_figures(facts.connection, Scope(**narrowed))}


def counts(found: dict[str, PlayerFigures], key: str) -> dict[str, tuple[int, int]]:
    there = {name: f.counts[key] for name, f in sorted(found.items())}
    return {name: (count.hits, count.chances) for name, count in there.items() if count.chances}


BEFORE = evening(
    """hand dealer D
A antes; B straddles
deal
C opens 4; D raises 3; A passes; B calls; C raises 5; D calls; B passes
C draws 1; D pat
C checks; D bets 10; C raises 10; D calls
C shows Kh Kd 9s 9c 2d
D shows Qh Qs 4d 4c Jd
close
"""
)


def test_before_the_draw(store: Store, facts: Facts) -> None:
    record(store, BEFORE)
    found = figures(store, facts)
    assert counts(found, "vpip") == {"A": (0, 1), "B": (1, 1), "C": (1, 1), "D": (1, 1)}
    assert counts(found, "opened") == {"C": (1, 1)}
    assert counts(found, "raised_before") == {"A": (0, 1), "B": (0, 1), "C": (1, 1), "D": (1, 1)}
    assert counts(found, "reraised_before") == {"A": (0, 1), "B": (0, 1), "C": (1, 1)}
    assert counts(found, "called_raise") == {"A": (0, 1), "B": (1, 1), "C": (0, 1), "D": (1, 1)}
    assert counts(found, "passed_to_raise") == {"A": (1, 1), "B": (1, 1), "C": (0, 1), "D": (0, 1)}
    assert counts(found, "ante_defended") == {"A": (0, 1), "B": (1, 1)}
    assert counts(found, "straddled") == {"B": (1, 1), "C": (0, 1)}


def test_after_the_draw_and_the_show(store: Store, facts: Facts) -> None:
    record(store, BEFORE)
    found = figures(store, facts)
    assert counts(found, "bet_after") == {"C": (0, 1), "D": (1, 1)}
    assert counts(found, "check_raised") == {"C": (1, 1)}
    assert counts(found, "raised_after") == {"C": (1, 1), "D": (0, 1)}
    assert counts(found, "called_after") == {"C": (0, 1), "D": (1, 1)}
    assert counts(found, "to_show") == {"C": (1, 1), "D": (1, 1)}
    assert counts(found, "won_at_show") == {"C": (1, 1), "D": (0, 1)}
    assert counts(found, "pat") == {"C": (0, 1), "D": (1, 1)}
    assert counts(found, "pat_unmade") == {"D": (1, 1)}
    assert found["D"].acts["bets"] == 1
    assert found["C"].acts | {} == found["C"].acts
    assert {k: found["C"].acts[k] for k in ("bets", "raises", "calls", "passes", "checks")} == {
        "bets": 1, "raises": 2, "calls": 0, "passes": 0, "checks": 1,
    }  # fmt: skip
    assert found["C"].aggression is None
    assert found["D"].aggression == 1.0
    assert found["D"].aggression_rate == Count(2, 4)
    assert found["C"].shown == {"two_pairs": Count(1, 1)}


def test_a_walk_is_no_chance_and_a_blind_is_not_of_ones_own_accord(store: Store, facts: Facts) -> None:
    """PokerTracker 4: vpip over the hands that were not walks; the big blind that checks has had his chance."""
    record(
        store,
        """session "Walks" on 2026-11-27
rules modern
set small 1
set big 2
set limit none
seat A B C
A buys 200; B buys 200; C buys 200
hand dealer C
A posts small; B posts big
deal
C passes; A passes
hand
B posts small; C posts big
deal
A calls; B calls; C checks
B pat; C pat; A pat
B checks; C checks; A checks
B shows Kh Kd 9s 9c 2d; C mucks; A mucks
close
""",
    )
    found = figures(store, facts)
    assert counts(found, "vpip") == {"A": (1, 2), "B": (1, 1), "C": (0, 2)}
    assert counts(found, "raised_before") == {"A": (0, 2), "B": (0, 1), "C": (0, 2)}
    assert found["B"].by_position == {"big": (1, 1), "small": (1, 4)}
    assert counts(found, "won_at_show") == {"A": (0, 1), "B": (1, 1), "C": (0, 1)}


def test_a_player_without_chances_has_an_empty_figure_and_one_with_three_a_wide_interval(
    store: Store, facts: Facts
) -> None:
    hands = "".join(
        f"hand{' dealer D' if not n else ''}\n{ante} antes\ndeal\n"
        + f"{one} opens 2; {two} passes; {three} passes; {ante} passes\n"
        for n, (ante, one, two, three) in enumerate((list("ABCD"), list("BCDA"), list("CDAB")))
    )
    record(store, evening(hands + "close\n"))
    found = figures(store, facts)
    never = found["A"].counts["pat"]
    assert (never.value, never.interval) == (None, None)
    assert found["A"].luck is None
    three = found["A"].counts["vpip"]
    assert three == Count(0, 3)
    assert three.interval == pytest.approx((0, 0.5615), abs=1e-4)
    assert found["A"].net_per_100 is not None
    assert found["A"].net_per_100.low is None


def test_money_over_different_units(store: Store, facts: Facts) -> None:
    hand = "hand dealer D\nA antes\ndeal\nB opens 2; C calls; D passes; A passes\n"
    hand += "B pat; C pat\nB bets 5; C passes\nclose\n"
    record(store, evening(hand, title="Pence", more="unit 1d"))
    record(store, evening(hand, title="Pounds", date="2026-12-04", more="unit 0.05 GBP"))
    found = figures(store, facts)
    assert found["B"].net is None
    assert found["B"].sums["net"].money == {"GBP": "0.15", "LSD": "0s 3d"}
    assert found["B"].net_per_100 is None
    assert found["B"].places == {}
    one = figures(store, facts, since="2026-12-01")
    assert one["B"].net == 3
    assert one["B"].places["biggest_pool"].units == 5
    assert figures(store, facts, until="2026-11-01") == {}
    table = table_figures(facts.connection, Scope())
    assert table.pool_mean is None
    assert table_figures(facts.connection, Scope(since="2026-12-01")).pool_median == 5


def test_divisions_are_parts_of_the_whole(store: Store, facts: Facts) -> None:
    record(store, BEFORE)
    record(
        store,
        evening(
            "hand dealer A\nB antes\ndeal\nC opens 2; D passes; A passes; B passes\nclose\n", title="Two"
        ),
    )
    whole = figures(store, facts)
    for by in DIVISIONS:
        parts = player_figures(facts.connection, Scope(by=by))
        for name, figure in whole.items():
            mine = [p for p in parts if p.player == player_id(store, name)]
            assert sum(p.hands for p in mine) == figure.hands
            assert sum(p.net or 0 for p in mine) == figure.net
            assert sum(p.counts["vpip"].hits for p in mine) == figure.counts["vpip"].hits
    drawn = {p.part for p in player_figures(facts.connection, Scope(by="cards_drawn"))}
    assert drawn == {"0", "1", "no draw"}


def test_filters_that_go_into_hands(store: Store, facts: Facts) -> None:
    record(store, BEFORE)
    assert figures(store, facts, jackpot=True) == {}
    assert set(figures(store, facts, position="dealer")) == {"D"}
    assert set(figures(store, facts, dealt_in=4)) == {"A", "B", "C", "D"}
    assert figures(store, facts, rules="english") == {}
    assert set(figures(store, facts, player=player_id(store, "C"))) == {"C"}


def test_improvement_against_its_exact_chance(store: Store, facts: Facts) -> None:
    """Three cards to a pair: 2,592 two pairs, 1,854 threes, 165 full hands, 45 fours, of 16,215."""
    record(
        store,
        evening(
            """hand dealer D
A antes
deal
B holds 9h 9d Ks 7c 4d
B opens 2; C calls; D passes; A passes
B discards Ks 7c 4d; B gets 9s 2h 3h
C draws 3
B bets 5; C passes
close
"""
        ),
    )
    found = figures(store, facts)["B"]
    assert found.luck is not None
    assert (found.luck.draws, found.luck.improved) == (1, 1)
    assert found.luck.expected == pytest.approx(4656 / 16215, abs=1e-9)
    chance = 4656 / 16215
    assert found.luck.spread == pytest.approx((chance * (1 - chance)) ** 0.5)
    assert found.counts["best_draw"] == Count(1, 1)


def test_players_found_to_be_one_count_as_one(store: Store, facts: Facts) -> None:
    hand = "hand dealer C\nD antes\ndeal\nA opens 2; {b} passes; C passes; D passes\nclose\n"
    sheet = evening(hand, title="First")
    record(store, sheet.replace("{b}", "B"))
    record(
        store,
        sheet.replace("{b}", "E")
        .replace("First", "Second")
        .replace(" B ", " E ")
        .replace("B buys", "E buys"),
    )
    before = figures(store, facts)
    assert {before["B"].hands, before["E"].hands} == {1}
    merge(store, "E", "B")
    found = figures(store, facts, merged=merges(load_names(store)))
    assert set(found) == {"A", "B", "C", "D"}
    assert (found["B"].sessions, found["B"].hands) == (2, 2)
    assert figures(store, facts)["B"].hands == 1


def test_extremes_with_their_session_and_hand(store: Store, facts: Facts) -> None:
    lost = "hand dealer D\nA antes\ndeal\nB opens 2; C passes; D passes; A passes\n"
    more = "hand\nB antes\ndeal\nC opens 10; D passes; A calls; B passes\nC pat; A pat\nC bets 5; A passes\nclose\n"
    for week in range(3):
        record(store, evening(lost + more, title=f"Week {week}", date=f"2026-11-{10 + week}"))
    facts.catch_up(store)
    found = figures(store, facts)
    first = facts.connection.execute("select session from sessions where title = 'Week 0'").fetchone()
    assert first is not None
    best = found["C"].places["best_hand_net"]
    assert (best.units, best.session, best.hand) == (11, first[0], 2)
    assert found["A"].places["worst_hand_net"].units == -10
    assert found["A"].places["worst_session"].units == -11
    assert found["A"].losing_run is not None
    assert found["A"].losing_run.sessions == 3
    assert found["C"].losing_run is not None
    assert found["C"].losing_run.sessions == 0
    assert "biggest_pool" not in found["D"].places
    assert found["C"].sums["net_without_show"].units == 33


def test_what_was_said_in_a_deal_that_was_void_is_no_chance(store: Store, facts: Facts) -> None:
    record(
        store,
        evening(
            """hand dealer D
A antes
deal
B passes; C passes
misdeal "a card faced in the pack"
deal
B opens 4; C passes; D passes; A passes
close
"""
        ),
    )
    found = figures(store, facts)
    assert counts(found, "opened") == {"B": (1, 1)}, (
        "C spoke first to nobody's opening in the void deal alone"
    )
    assert counts(found, "vpip") == {"A": (0, 1), "B": (1, 1), "C": (0, 1), "D": (0, 1)}
    assert {name: f.acts["passes"] for name, f in found.items()} == {"A": 1, "B": 0, "C": 1, "D": 1}
    assert found["B"].aggression_rate == Count(1, 1)


def test_a_ruling_for_one_who_was_not_dealt_in_is_counted_by_position_too(store: Store, facts: Facts) -> None:
    text = evening("hand dealer C\nA antes\ndeal\nB opens 4; C passes; A passes\n")
    sheet = text.replace("A buys", "D sits out\nA buys") + 'ruling hand 1 "he lent it" 1 from B to D\nclose\n'
    record(store, sheet)
    whole = figures(store, facts)["D"]
    assert (whole.hands, whole.net, whole.sums["straddle_net"].units) == (0, 1, 0)
    names = load_names(store)
    for by in DIVISIONS:
        parts = [f for f in player_figures(facts.connection, Scope(by=by)) if names.name(f.player) == "D"]
        assert [(f.hands, f.net, f.sums["straddle_net"].units) for f in parts] == [(0, 1, 0)], by


def test_under_twenty_hands_there_is_no_interval_from_however_many_sessions(
    store: Store, facts: Facts
) -> None:
    for day in range(1, 11):
        body = "hand dealer D\nA antes\ndeal\nB opens 4; C passes; D passes; A passes\nclose\n"
        record(store, evening(body, title=f"No. {day}", date=f"2026-11-{day:02}"))
    found = figures(store, facts)["A"]
    assert (found.sessions, found.hands, found.net) == (10, 10, -10)
    assert found.net_per_100 is not None
    assert (found.net_per_100.value, found.net_per_100.low, found.net_per_100.high) == (-100, None, None)
    assert found.sd_per_100 is None


def test_who_calls_for_too_much_has_raised(store: Store, facts: Facts) -> None:
    record(
        store,
        evening(
            """hand dealer D
A antes
deal
B opens 2; ! C calls 9; D passes; A passes; B calls
B draws 1; C pat
! B calls 3; C passes
close
"""
        ),
    )
    found = figures(store, facts)
    assert counts(found, "raised_before") == {"A": (0, 1), "B": (0, 1), "C": (1, 1), "D": (0, 1)}
    assert counts(found, "called_raise") == {"A": (0, 1), "B": (1, 1), "D": (0, 1)}
    assert counts(found, "bet_after") == {"B": (1, 1)}
    acts = {name: [f.acts[k] for k in ("bets", "raises", "calls")] for name, f in found.items()}
    assert acts == {"A": [0, 0, 0], "B": [2, 0, 1], "C": [0, 1, 0], "D": [0, 0, 0]}
