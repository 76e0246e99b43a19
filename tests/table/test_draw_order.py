"""Drawing while others still answer a raise (R-DRAW-INTERLEAVE), the raiser in every place of the order."""

from ledger.refusal import told
from tests.support.sheets import play

HAND = """rules english
set ante 3
set limit 12
seat A B C D
A buys 100; B buys 100; C buys 100; D buys 100
hand dealer A
B antes
deal
"""
"""B is the age and the first to draw, then C, D and A, who deals."""

MIDDLE = HAND + "C opens 6; D raises 3; A calls; B calls; "
"""D has raised: of those after him all but C have answered."""


def test_the_first_to_draw_draws_at_once_when_he_has_made_his_stake_good() -> None:
    assert play(MIDDLE).allowed[:2] == [("C", "pass", None, None), ("C", "call", 3, 3)]
    assert ("B", "draw", 0, 5) in play(MIDDLE).allowed
    assert play(MIDDLE + "B draws 2").refused is None
    assert play(
        HAND.replace("english", "foster") + "C opens 6; D raises 3; A calls; B calls; B pat"
    ).refused == ("R-DRAW-GOOD")


def test_once_a_card_is_drawn_nobody_raises() -> None:
    assert play(MIDDLE + "C raises 3").refused is None
    assert play(MIDDLE + "B draws 2; C raises 3").refused == "R-DRAW-INTERLEAVE"


def test_the_raiser_in_the_middle_draws_when_all_before_him_have_answered() -> None:
    assert play(MIDDLE + "B draws 2; D draws 1").refused == "R-DRAW-ORDER"
    assert play(MIDDLE + "B draws 2; C passes; D draws 1; A pat").turn == "D"
    assert play(MIDDLE + "B draws 2; C calls; C draws 1; D draws 1; A pat").turn == "C"


def test_a_raiser_who_is_the_first_to_draw_waits_for_all_the_others() -> None:
    first = HAND + "C opens 6; D calls; A calls; B raises 3; "
    assert play(first + "B draws 2").refused == "R-DRAW-INTERLEAVE"
    assert play(first + "C calls; D calls; B draws 2").refused == "R-DRAW-INTERLEAVE"
    assert play(first + "C calls; D calls; A calls; B draws 2").refused is None


def test_who_draws_before_his_stake_is_equal_is_told_whose_say_it_is() -> None:
    """Not who draws first: that player would have to wait for it too."""
    early = play(HAND.replace("english", "foster") + "C opens 6; C draws 1")
    assert early.refused == "R-DRAW-GOOD"
    assert early.refusal is not None
    assert told(early.refusal.allowed, early.names.name) == "D has the say first"
