"""An evening apart from its hands: the cut, seats, the deal, undo, the bank between hands."""

import pytest

from ledger import events as ev
from ledger.audit import audit
from ledger.times import rfc3339
from tests.support.sheets import play

HOUSE = (
    "rules english\nset ante 3\nset limit 12\nseat A B C D\nA buys 100; B buys 100; C buys 100; D buys 100\n"
)


def test_the_lowest_card_deals_first() -> None:
    assert play(HOUSE + "A cuts Kh; B cuts 3d; C cuts 7s\nhand").hand["dealer"] == "B"


def test_equal_lowest_cut_again_and_nobody_else() -> None:
    tied = HOUSE + "A cuts 3h; B cuts 3d; C cuts 7s\n"
    assert play(tied + "hand").refused == "R-CUT"
    assert play(tied + "A cuts 2h\nhand").refused == "R-CUT"
    assert play(tied + "A cuts 9h; B cuts Th\nhand").hand["dealer"] == "A"
    assert play(tied + "A cuts 9h; C cuts 2s; B cuts 9d\nA cuts Jd; B cuts 4c\nhand").hand["dealer"] == "B"


def test_the_ace_is_high_in_a_cut_or_low_as_the_house_says() -> None:
    cuts = "A cuts Ah; B cuts 2d\nhand"
    assert play(HOUSE + cuts).hand["dealer"] == "B"
    assert play(HOUSE + "set cut_ace low\n" + cuts).hand["dealer"] == "A"


def test_who_cut_lowest_and_left_does_not_deal() -> None:
    """Anybody may be named then; without a name the first hand has no dealer."""
    gone = HOUSE + "A cuts 3h; B cuts Kd; C cuts 7s\nA leaves\n"
    assert play(gone + "hand").refused == "R-CUT"
    assert play(gone + "hand dealer C").hand["dealer"] == "C"


def test_nobody_has_two_seats() -> None:
    assert play("rules english\nseat A B A").refused == ""


def test_an_undo_takes_back_the_time_as_well() -> None:
    told = HOUSE + "at 20:00\nhand dealer A\n"
    assert play(told + "at 20:10\nundo").session.told_at == play(told).session.told_at
    assert play(told + "B antes\nundo").session.told_at == play(told).session.told_at


CARRIED = HOUSE + "hand dealer A\nB antes\ndeal\nC passes; D passes; A passes; B passes\nhand\nantes\ndeal\n"
CARRIED += "C passes; D passes; A passes; B passes\n"


def test_a_carried_pool_is_shared_among_those_who_put_into_it_the_odd_counter_left_of_the_dealer() -> None:
    played = play(CARRIED + "pool divided")
    assert played.held == {"A": 101, "B": 97, "C": 101, "D": 101}
    assert played.found == []


def test_the_audit_finds_a_share_that_is_none_and_a_hand_that_begins_on_other_terms() -> None:
    played = play(CARRIED + "pool divided")
    for at, recorded in enumerate(played.stream):
        event = recorded.event
        if isinstance(event, ev.PoolShared):
            changed: ev.Event = event.model_copy(update={"units": event.units - 1})
        elif isinstance(event, ev.HandBegun):
            changed = event.model_copy(update={"openers": "K"})
        else:
            continue
        stream = [*played.stream[:at], recorded._replace(event=changed), *played.stream[at + 1 :]]
        assert audit(played.session.id, stream), changed


def test_amounts_that_add_up_to_more_than_an_event_takes_are_refused() -> None:
    most = ev.MOST_UNITS
    seats = f"rules english\nset ante 3\nset limit {most}\nseat A B\n"
    assert play(f"{seats}A buys {most}").refused is None
    assert play(f"{seats}A buys {most}; B buys 1").refused == "R-COUNTERS"
    assert play(f"{seats}A buys {most}; A cashes {most}; A buys 1").refused == "R-COUNTERS"
    assert play(f"{seats}A buys {most}; B counts 1").refused == "R-COUNTERS"
    assert (
        play(
            f"{seats}A buys {most - 100}; B buys 100\nhand dealer A; B antes; deal; A opens 20\n"
            f"B raises {most}"
        ).refused
        == "R-COUNTERS"
    )


def test_what_comes_after_the_end_of_a_hand_is_told_that_it_is_over() -> None:
    over = HOUSE + "hand dealer A\nB antes; deal\nC passes; D passes; A opens 6; B passes\n"
    for text, why in ((HOUSE, "no hand is in play"), (over, "hand 1 is over")):
        played = play(text + "A shows Kh Kd 9s 9c 2d")
        assert played.refusal is not None
        assert played.refusal.sentence == f"{why}; hand first"


def _stops(text: str) -> dict[str, str | None]:
    played = play(HOUSE + text)
    return {
        played.names.name(player): None if watch.stop_at is None else rfc3339(watch.stop_at, "UTC")[11:16]
        for player, watch in played.session.watches.items()
    }


def test_a_time_for_all_to_stop_holds_for_who_sits_down_later() -> None:
    assert _stops("stops-at 23:30\nE sits")["E"] == "23:30"
    assert _stops("stops-at 23:30\nE sits\nE loss-limit 20")["E"] == "23:30"


def test_a_time_for_all_leaves_a_player_his_own_earlier_one() -> None:
    assert _stops("C stops-at 22:00\nstops-at 23:30") == {
        "A": "23:30",
        "B": "23:30",
        "C": "22:00",
        "D": "23:30",
    }
    assert _stops("C stops-at 23:45\nstops-at 23:30")["C"] == "23:30"


def test_a_time_for_all_may_be_put_off_for_who_has_none_of_his_own() -> None:
    later = _stops("stops-at 22:00\nC stops-at 21:00\nstops-at 23:30")
    assert later == {"A": "23:30", "B": "23:30", "C": "21:00", "D": "23:30"}


@pytest.mark.parametrize(
    ("counted", "why"),
    [("101", "1 counter is too many"), ("99", "1 counter is missing"), ("98", "2 counters are missing")],
)
def test_what_the_counts_come_to_is_told_before_the_close(counted: str, why: str) -> None:
    refusal = play(HOUSE + f"A counts {counted}\nclose").refusal
    assert refusal is not None
    assert refusal.message == why


def test_a_ruling_moves_counters_from_one_to_another() -> None:
    over = HOUSE + "hand dealer A\nB antes; deal\nC passes; D passes; A opens 6; B passes\n"
    assert play(over + 'ruling "out of turn" 3 from A to B').refused is None
    assert play(over + 'ruling "out of turn" 3 from A to A').refused == ""
