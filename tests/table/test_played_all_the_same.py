"""What was played against the rules and recorded with a `!`: turn, amount and draw, never the counters."""

from ledger import commands as cmd
from ledger.refusal import Refusal
from ledger.session.decide import decide
from tests.support.sheets import play

ENGLISH = (
    "rules english\nset ante 3\nset limit 12\nseat A B C D\nA buys 100; B buys 4; C buys 100; D buys 100\n"
)


def test_nobody_calls_with_counters_he_has_not_where_there_is_nothing_to_call() -> None:
    played = play(ENGLISH + "hand dealer A\nB antes\ndeal")
    age = played.names.player("B")
    assert age is not None
    outcome = decide(played.session, cmd.Stake(player=age, action="call", units=2, irregular=True))
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "R-CONSERVE"


def test_who_straddles_his_own_ante_has_both_before_him_and_the_next_owes_as_much() -> None:
    sheet = (
        ENGLISH.replace("B buys 4", "B buys 100") + "hand dealer A\nB antes\n! B straddles\ndeal\nC opens 12"
    )
    assert ("D", "raise", 1, 12) in play(sheet).allowed
    assert play(sheet + "; D passes; A passes; B passes").net == {"A": 0, "B": -9, "C": 9, "D": 0}


def test_what_the_kitty_took_by_hand_does_not_come_back_to_who_was_not_called() -> None:
    played = play(
        "rules modern\nset small 0\nset big 20\nset limit none\nseat A B\nA buys 50; B buys 50\n"
        "hand dealer A\nB posts big\nkitty 2\ndeal\nA passes"
    )
    assert played.refused is None
    assert played.net == {"A": 0, "B": -2}
