"""What was played against the rules and recorded with a `!`: turn, amount and draw, never the counters."""

from tests.support.sheets import play

ENGLISH = "rules english\nset ante 3\nset limit 12\nseat A B C D\nA buys 100; B buys 4; C buys 100; D buys 100\n"


def test_nobody_calls_with_counters_he_has_not() -> None:
    played = play(ENGLISH + "hand dealer A\nB antes\ndeal\nC opens 6; D calls; A passes\n! B calls")
    assert played.refused == "R-CONSERVE"
