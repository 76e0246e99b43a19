"""`N wins X`: pools whose cards nobody wrote down."""

from tests.support.sheets import play

CALLED = """rules foster
set ante 2
set limit 10
seat A B C
A buys 50; B buys 50; C buys 50
hand dealer C
A antes
deal
B opens 4; C calls; A calls
A pat; B pat; C pat
B checks; C checks; A checks
"""
"""Twelve in the pool, three at the show."""


def test_a_pool_is_stated_in_parts_or_whole() -> None:
    assert play(CALLED + "B wins").net == {"A": -4, "B": 8, "C": -4}
    assert play(CALLED + "B wins 5; C wins").net == {"A": -4, "B": 1, "C": 3}
    assert play(CALLED + "B wins 13").refused == "R-CONSERVE"
    assert play(CALLED + "B wins 0").refused == "R-CONSERVE"


def test_the_kitty_takes_by_hand_what_nobody_is_stated_to_have_won() -> None:
    assert play(CALLED + "B wins 10; kitty 3").refused == "R-CONSERVE"
    assert play(CALLED + "B wins 10; kitty 2").net == {"A": -4, "B": 6, "C": -4}


def test_a_kitty_for_good_hands_leaves_what_was_stated() -> None:
    sheet = CALLED.replace("seat", "kitty 5 when shown pair\nseat")
    assert play(sheet + "B wins 10; C shows Kh Kd 9s 8c 2d").session.bank.kitty == 2
