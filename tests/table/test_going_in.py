"""Going in under the old rules: the price, and how much above it at once (R-GO-IN, R-GO-IN-RAISE and the limits)."""

import pytest

from ledger.refusal import told
from tests.support.sheets import play

HAND = "seat A B C D\nA buys 100; B buys 100; C buys 100; D buys 100\nhand dealer A\nB antes\n"


@pytest.mark.parametrize(
    ("limit", "most"), [("12", 18), ("pot", 15), ("none", 100), ("fixed 3 6", 6)]
)  # fmt: skip
def test_who_goes_in_pays_the_price_and_up_to_the_limit_more(limit: str, most: int) -> None:
    played = play(f"rules english\nset ante 3\nset limit {limit}\n" + HAND + "deal")
    assert played.allowed == [("C", "pass", None, None), ("C", "open", 6, most)]


def test_without_raising_before_the_draw_the_price_is_all() -> None:
    played = play("rules chambers\nset ante 3\nset limit 12\n" + HAND + "deal")
    assert ("C", "open", 6, 6) in played.allowed
    assert (
        play("rules chambers\nset ante 3\nset limit 12\n" + HAND + "deal\nC opens 7").refused
        == "R-GO-IN-RAISE"
    )


def test_the_price_is_twice_the_last_straddle_or_all_of_them_and_what_was_straddled_counts() -> None:
    straddled = "rules english\nset ante 3\nset limit 12\n" + HAND + "C straddles\ndeal\n"
    assert ("D", "open", 12, 24) in play(straddled).allowed
    assert ("C", "call", 6, 6) in play(straddled + "D opens 12; A passes; B passes").allowed
    total = straddled.replace("set ante", "set go_in double_total\nset ante")
    assert ("D", "open", 18, 30) in play(total).allowed


OPENED = "rules english\nset ante 3\nset limit 12\n" + HAND + "deal\nC opens 6; D calls; A calls; B calls\n"
DRAWN = OPENED + "B pat; C pat; D pat; A pat\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "rules english\nset ante 3\nset limit 12\n" + HAND + "deal\nC opens 6\nD bets 6",
            "there is a bet already; calls 6, raises 1 to 12 or passes",
        ),
        (DRAWN + "C raises 6", "nobody has bet; checks, bets 1 to 12 or passes"),
        (
            DRAWN + "C checks; D checks; A checks; B checks; C raises 3",
            "nobody has bet; bets 1 to 12 or passes",
        ),
        (DRAWN + "C calls", "there is nothing for C to call; checks, bets 1 to 12 or passes"),
    ],
    ids=[
        "to bet where there is a bet",
        "to raise nothing",
        "to raise nothing after standing",
        "to call nothing",
    ],
)
def test_another_word_than_the_one_that_fits_is_answered_with_all_he_may_do(text: str, why: str) -> None:
    played = play(text)
    assert played.refused == "R-CALL"
    assert played.refusal is not None
    assert told(played.refusal.sentence, played.names.name).endswith(why)


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        (DRAWN + "C checks; D checks; A checks; B checks\n", "R-SHOW", "C has the say"),
        (OPENED + "B pat\n", "R-SHOW", "C draws"),
        ("rules english\nset ante 3\nset limit 12\n" + HAND, "R-DEAL", "deal first"),
    ],
    ids=["all stood once", "in the draw", "before the deal"],
)
def test_who_shows_too_early_is_told_what_comes_first(text: str, rule: str, why: str) -> None:
    played = play(text + "C shows Kh Kd 9s 9c 2d")
    assert played.refused == rule
    assert played.refusal is not None
    assert told(played.refusal.allowed, played.names.name) == why
