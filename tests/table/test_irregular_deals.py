"""What goes wrong with the deal: foul hands, cards exposed, a deal that is void."""

from tests.support.sheets import play

FOSTER = "rules foster\nset ante 1\nset limit 10\nseat A B C D\nA buys 50; B buys 50; C buys 50; D buys 50\n"
DEALT = FOSTER + "hand dealer D\nA antes\ndeal\n"


def test_a_foul_hand_found_out_of_turn_leaves_the_say_where_it_is() -> None:
    played = play(
        DEALT.replace("foster", "english").replace("set ante", "set jackpots off\nset ante") + "D foul"
    )
    assert played.turn == "B"
    assert [a[1] for a in played.allowed if a[0] == "B"] == ["pass", "open"]


def test_a_short_hand_is_played_short_and_draws_no_more_than_it_holds() -> None:
    short = DEALT + "B foul 4\nB opens 2; C passes; D passes; A calls\nA pat; B draws "
    assert play(short + "4").refused is None
    assert play(short + "5").refused == "R-DRAW-COUNT"


def test_how_many_cards_a_short_hand_has_is_said_once() -> None:
    assert play(DEALT + "B foul 3; B foul 4").refused == "R-FOUL"
    assert play(DEALT + "B foul 3; undo; B foul 4").refused is None


def test_a_hand_of_six_or_of_none_is_dead() -> None:
    for cards in ("6", "0"):
        played = play(DEALT + f"B foul {cards}")
        assert played.turn == "C"
        assert play(DEALT + f"B foul {cards}\nC opens 2; B calls").refused == "R-PASS-FINAL"


def test_a_hand_known_to_hold_five_cards_is_no_short_one() -> None:
    assert play(DEALT + "B holds Kh Kd 9s 9c 2d; B foul 4").refused == "R-FOUL"
    assert play(DEALT + "B holds Kh Kd 9s 9c; B foul 4").refused is None


def test_two_cards_of_one_player_exposed_by_the_dealer_are_a_fresh_deal_by_the_same_dealer() -> None:
    played = play(DEALT + "B exposed Kh by dealer; B exposed 2c by dealer")
    assert played.session.hands[-1].phase == "before_deal"
    assert played.allowed[-1] == ("D", "deals", None, None)
    assert play(DEALT + "B exposed Kh by dealer; C exposed 2c by dealer").turn == "B"
    assert play(DEALT + "B exposed Kh; B exposed 2c").turn == "B"


def test_one_card_is_exposed_once() -> None:
    assert play(DEALT + "B exposed Kh by dealer; B exposed Kh by dealer").refused == "R-EXPOSED-ONE"


def test_a_card_exposed_in_the_draw_is_no_second_one_of_the_deal() -> None:
    played = play(
        DEALT
        + "B exposed Kh by dealer\nB opens 2; C passes; D passes; A calls; A pat\nB exposed 2c by dealer\nB pat"
    )
    assert played.turn == "B"


def test_no_deal_is_void_once_a_bet_is_made_and_a_call_of_the_blind_is_one() -> None:
    modern = (
        "rules modern\nset small 1\nset big 2\nset limit none\nseat A B C\nA buys 50; B buys 50; C buys 50\n"
    )
    dealt = modern + "hand dealer C\nA posts small; B posts big\ndeal\n"
    assert play(dealt + 'C passes; misdeal "a card faced"').refused is None
    assert play(dealt + 'C calls; misdeal "a card faced"').refused == "R-WRONG-COUNT"
