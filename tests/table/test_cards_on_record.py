"""Which cards the record takes: none in two places, also when the pack has run out (R-PACK, `reshuffle`)."""

from tests.support.sheets import play

SEVEN = """
rules foster
set ante 1
set limit 10
seat A B C D E F G
A buys 50; B buys 50; C buys 50; D buys 50; E buys 50; F buys 50; G buys 50
hand dealer G
A antes
deal
A holds 2c 3d 5h 7s 9c
B opens 2; C calls; D calls; E calls; F calls; G calls; A calls
"""
"""Thirty-five cards are dealt: seventeen are left to draw, and five draws of five take more than that."""


def test_who_draws_last_may_get_what_was_thrown_away_when_the_pack_has_run_out() -> None:
    played = play(
        SEVEN + "A draws 4; B draws 5; C draws 5; D draws 3; E discards Kh Kd gets 2c Qh\n"
        "F pat; G pat\nB bets 1; C passes; D passes; E calls; F passes; G passes; A passes"
    )
    assert played.refused is None


def test_nobody_gets_what_may_be_in_another_hand_while_the_pack_lasts() -> None:
    played = play(SEVEN + "A draws 4; B draws 5; C draws 5; D pat; E discards Kh Kd gets 2c Qh")
    assert played.refused == "R-PACK"


def test_nobody_gets_what_another_keeps_when_the_pack_has_run_out() -> None:
    played = play(SEVEN + "A pat; B draws 5; C draws 5; D draws 5; E discards Kh Kd 4c gets 2c Qh Qd")
    assert played.refused == "R-PACK"


def test_cards_known_before_a_draw_of_which_nobody_said_what_was_thrown_may_be_gone() -> None:
    show = "B bets 1; C passes; D passes; E passes; F passes; G passes; A calls; B shows 4h 4s 6d 6c 8h\n"
    drawn = SEVEN + "A draws 2; B pat; C pat; D pat; E pat; F pat; G pat\n" + show
    assert play(drawn + "A shows 2c 3d 5h Ts Td").refused is None
    assert play(drawn + "A shows 2c 3d Th Ts Td").refused == "R-PACK"
