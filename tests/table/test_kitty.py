"""The kitty's part of a pool, by each of its rules, and where it comes from when there is more than one pot."""

import pytest

from ledger.views import kitty_from
from tests.support.sheets import play

TIED = """seat A B C D
A buys 100; B buys 100; C buys 100; D buys 100
hand dealer D
A antes
deal
B opens 4; C calls; D calls; A calls
A pat; B pat; C pat; D pat
B bets 5; C calls; D passes; A passes
B shows Kh Kd 9s 9c 2d; C shows Ks Kc 9h 9d 2c
"""
"""A pool of 26 that B and C divide."""


@pytest.mark.parametrize(
    ("rule", "kitty", "b", "c"),
    [
        ("kitty off", 0, 4, 4),
        ("kitty 1 per hand", 1, 4, 3),
        ("kitty 2 when pool >= 26", 2, 3, 3),
        ("kitty 2 when pool >= 27", 0, 4, 4),
        ("kitty 10%", 2, 3, 3),
        ("kitty 10% up to 1", 1, 4, 3),
        ("kitty 1 when shown two_pairs", 1, 4, 3),
        ("kitty 1 when shown threes", 0, 4, 4),
        ("set odd_counter kitty; kitty 1 per hand", 2, 3, 3),
    ],
)
def test_what_the_kitty_takes_and_who_has_the_odd_counter(rule: str, kitty: int, b: int, c: int) -> None:
    played = play(f"rules foster\nset ante 2\nset limit 20\n{rule}\n" + TIED)
    assert played.session.bank.kitty == kitty
    assert played.net == {"A": -4, "B": b, "C": c, "D": -4}


def test_the_main_pot_pays_the_kitty_first() -> None:
    played = play(
        "rules modern\nset small 1\nset big 2\nset limit none\nkitty 130 per hand\nseat A B C\n"
        "A buys 41; B buys 200; C buys 200\nhand dealer C\nA posts small; B posts big\ndeal\n"
        "C raises 6; A all-in; B calls; C calls\nA pat; B pat; C pat\nB bets 60; C calls\n"
        "B shows Kh Kd 9s 9c 2d; C shows Ks Kc 9h 9d 3c; A shows Ac Ad Ah 7s 8s"
    )
    assert played.hand["winners"] == [{"name": "C", "units": 113, "hand": "two_pairs"}]


def test_it_is_taken_from_who_won_the_pot_that_paid_it() -> None:
    """A's pot pays the three of the house rule, and the odd counter is of the side pot of B and C."""
    played = play(
        "rules modern\nset small 1\nset big 2\nset limit none\nset odd_counter kitty\nkitty 5% up to 3\n"
        "seat A B C D\nA buys 7; B buys 20; C buys 20; D buys 50\nhand dealer D\nA posts small; B posts big\ndeal\n"
        "C all-in; D calls; A all-in; B all-in\nA pat; B pat; C pat; D pat\n"
        "A shows Qs Qd Qc 2d 4d; B shows Ah Ad Kc 5d 3d; C shows As Ac Kd 5h 3c; D shows 9h 9c 8s 7c 2h"
    )
    assert played.net == {"A": 18, "B": -1, "C": -1, "D": -20}
    given = kitty_from(played.session.hands[0])
    assert {played.names.name(player): units for player, units in given.items()} == {"A": 3, "B": 1}
