"""All-ins and side pots: who cannot match stakes all he has, and competes for what he matched."""

from tests.support.sheets import play

ENGLISH = "rules english\nset ante 3\nset limit 12\nset table_stakes on\nseat A B C D\n"


def test_the_age_antes_all_he_has_where_that_is_less_and_the_price_stays() -> None:
    played = play(
        ENGLISH + "A buys 50; B buys 2; C buys 50; D buys 50\n"
        "hand dealer A\nB antes\ndeal\nC opens 5"
    )  # fmt: skip
    assert played.refused == "R-GO-IN"
    assert ("C", "open", 6, 18) in played.allowed


def test_who_goes_in_with_less_than_the_price_competes_for_that_and_the_others_owe_the_price() -> None:
    played = play(
        ENGLISH + "A buys 50; B buys 50; C buys 4; D buys 50\n"
        "hand dealer A\nB antes\ndeal\nC all-in; D calls; A passes; B calls\n"
        "B pat; C pat; D pat\nD bets 5; B calls\n"
        "D shows Kh Kd 9s 9c 2d; B shows Qh Qs 4d 4c Jd; C shows Ah As Ad 2c 7h"
    )  # fmt: skip
    assert played.refused is None
    assert played.net == {"A": 0, "B": -11, "C": 8, "D": 3}


def test_without_table_stakes_nobody_is_all_in() -> None:
    played = play(
        "rules english\nset ante 3\nset limit 12\nseat A B C D\nA buys 50; B buys 50; C buys 4; D buys 50\n"
        "hand dealer A\nB antes\ndeal\nC all-in"
    )
    assert played.refused == "R-ALL-IN"
    assert played.allowed == [("C", "pass", None, None)]


def test_who_lacks_the_ante_is_not_offered_it_and_buys_counters_first() -> None:
    short = "rules foster\nset ante 2\nseat A B\nA buys 1; B buys 50\nhand dealer B\n"
    assert play(short).allowed == []
    assert play(short + "A antes").refused == "R-CONSERVE"
    assert play(short + "A buys 10\nA antes").refused is None


def test_the_big_blind_is_owed_in_full_where_the_one_who_owes_it_is_all_in_by_his_ante() -> None:
    played = play(
        "rules modern\nset small 1\nset big 2\nset ante 1\nset limit none\nseat A B C\n"
        "A buys 50; B buys 1; C buys 50\nhand dealer C\nantes\nA posts small\ndeal"
    )
    assert played.turn == "C"
    assert ("C", "call", 2, 2) in played.allowed
    assert ("C", "raise", 2, 47) in played.allowed


def test_who_could_put_up_half_an_ante_competes_for_half_of_each() -> None:
    played = play(
        "rules modern\nset small 0\nset big 0\nset ante 2\nset limit none\nseat A B C\n"
        "A buys 50; B buys 1; C buys 50\nhand dealer C\nantes\ndeal\nA checks; C checks\n"
        "A pat; B pat; C pat\nA bets 2; C calls\n"
        "A shows Kh Kd 9s 9c 2d; C shows Qh Qs 4d 4c Jd; B shows Ah As Ad 2c 7h"
    )
    assert played.refused is None
    assert played.net == {"A": 2, "B": 2, "C": -4}


SIDE = """rules modern
set small 1
set big 2
set limit none
seat A B C
A buys 40; B buys 200; C buys 200
hand dealer C
A posts small; B posts big
deal
C raises 6; A all-in; B calls; C calls
A pat; B pat; C pat
B bets 60; C calls
"""


def test_the_side_pot_is_of_those_who_claim_it_though_the_main_pot_has_shown_better() -> None:
    shown = "B shows Kh Kd 9s 9c 2d; A shows Ah Ad As 2c 7h; C "
    assert play(SIDE + shown + "shows Qh Qs Jd 4c 4d").net == {"A": 80, "B": 20, "C": -100}
    assert play(SIDE + shown + "mucks").net == {"A": 80, "B": 20, "C": -100}


def test_the_last_who_claims_the_side_pot_shows() -> None:
    assert play(SIDE + "A shows Ah Ad As 2c 7h; B mucks; C mucks").refused == "R-SIDE-POT"
    assert play(SIDE + "A shows Ah Ad As 2c 7h; B mucks; C shows Kh Kd 9s 9c 2d").net == {
        "A": 80,
        "B": -100,
        "C": 20,
    }


def test_who_has_thrown_his_hand_away_shows_it_no_more() -> None:
    shown = "B shows Kh Kd 9s 9c 2d; C mucks; "
    assert play(SIDE + shown + "C shows Qh Qs Jd 4c 4d").refused == "R-SHOW"
    assert play(SIDE + shown + "A shows Ah Ad As 2c 7h").refused is None
