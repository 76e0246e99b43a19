"""Jack-pots: what makes one, who opens it, what an opener owes (R-JACK-*)."""

from tests.support.sheets import play

ENGLISH = "rules english\nset ante 3\nset limit 12\n"
SEATS = "seat A B C D\nA buys 100; B buys 100; C buys 100; D buys 100\nhand dealer A\n"
UNOPENED = "B antes\ndeal\nC passes; D passes; A passes; B passes\nhand\nantes\ndeal\n"
"""The first hand is passed out; in the next, a jack-pot of 15, B deals and C has the first say."""


def test_every_stake_carries_when_the_last_straddler_passes_too() -> None:
    played = play(ENGLISH + SEATS + "B antes\nC straddles\ndeal\nD passes; A passes; B passes; C passes")
    assert played.session.bank.pool == 9
    assert played.net == {"A": 0, "B": -3, "C": -6, "D": 0}


def test_the_last_straddler_alone_takes_the_pool_with_any_stake_that_makes_the_price() -> None:
    played = play(ENGLISH + SEATS + "B antes\nC straddles\ndeal\nD passes; A passes; B passes; C opens 6")
    assert played.net == {"A": 0, "B": -3, "C": 3, "D": 0}


def test_without_jack_pots_the_last_one_in_takes_the_pool_unasked() -> None:
    played = play(
        ENGLISH + "set jackpots off\n" + SEATS + "B antes\nC straddles\ndeal\nD passes; A passes; B passes"
    )
    assert played.net == {"A": 0, "B": -3, "C": 3, "D": 0}
    assert played.session.in_play is None


def false_opening(switches: str) -> dict[str, int]:
    """C opens on a pair of tens, D calls, C bets after the draw, D passes."""
    played = play(
        ENGLISH + switches + SEATS + UNOPENED + "C opens 6; D calls; A passes; B passes\nC pat; D pat\n"
        "C bets 5; D passes\nC shows Th Td 5s 4c 2d"
    )
    assert played.refused is None
    assert played.session.bank.pool == 15 + sum(-n - 3 for n in played.net.values())
    return played.net


def test_a_false_opener_pays_two_antes_and_his_opening_stays() -> None:
    assert false_opening("") == {"A": -3, "B": -3, "C": -15, "D": -9}


def test_a_false_opening_comes_back_where_the_house_rules_so_also_after_a_bet() -> None:
    assert false_opening("set false_opening_stake returned\n") == {"A": -3, "B": -3, "C": -9, "D": -9}


def test_who_opened_falsely_with_his_last_counters_pays_the_penalty_out_of_what_comes_back() -> None:
    poor = "seat A B C D\nA buys 50; B buys 50; C buys 10; D buys 50\nhand dealer A\n"
    opened = UNOPENED + "C opens 7; D passes; A passes; B passes\nC shows openers Th Td"
    played = play(ENGLISH + "set false_opening_stake returned\n" + poor + opened)
    assert played.net == {"A": -3, "B": -3, "C": -9, "D": -3}
    assert played.held["C"] == 1
    assert played.session.bank.pool == 21
    assert played.found == ["R-JACK-FALSE"], "the audit finds the false opening, and nothing else amiss"


def test_after_a_false_opening_the_series_goes_on() -> None:
    played = play(
        ENGLISH + SEATS + UNOPENED + "C opens 6; D passes; A passes; B passes\nC shows openers Th Td\nhand"
    )
    assert played.hand["jackpot"] == {"openers": "QQ"}
    assert played.hand["carried"] == 27


def test_an_opener_who_passes_shows_nothing() -> None:
    played = play(
        ENGLISH + SEATS + UNOPENED + "C opens 6; D calls; A passes; B passes\nC pat; D pat\nC passes"
    )
    assert played.session.in_play is None
    assert played.net == {"A": -3, "B": -3, "C": -9, "D": 18}


def test_an_opener_whose_openers_nobody_wrote_down_wins_as_stated() -> None:
    played = play(ENGLISH + SEATS + UNOPENED + "C opens 6; D passes; A passes; B passes\nC wins")
    assert played.hand["returned"] == {"C": 6}
    assert played.net == {"A": -3, "B": -3, "C": 12, "D": -3}


def test_the_opener_bets_first_after_the_draw() -> None:
    drawn = "C passes; D passes; A opens 6; B calls; A pat; B pat"
    assert play(ENGLISH + SEATS + UNOPENED + drawn).turn == "A"


def test_the_first_left_of_the_dealer_bets_first_where_the_house_says_so() -> None:
    out_of_turn = "! D opens 6; A calls; B calls; C calls; C pat; D pat; A pat; B pat"
    assert play(ENGLISH + SEATS + UNOPENED + out_of_turn).turn == "D"
    left = "set jackpot_first_bet left_of_dealer\n"
    assert play(ENGLISH + left + SEATS + UNOPENED + out_of_turn).turn == "C"


def test_a_jack_pot_follows_though_the_kitty_took_all_of_the_pool() -> None:
    played = play(ENGLISH + SEATS + "B antes\nkitty 3\ndeal\nC passes; D passes; A passes; B passes\nhand")
    assert played.hand["jackpot"] == {"openers": "JJ"}


def test_after_a_false_opening_the_same_dealer_deals_again_where_he_does_after_a_passed_deal() -> None:
    same = ENGLISH + "set redeal_after_passed_deal same_dealer\n" + SEATS + UNOPENED
    played = play(same + "B passes; C opens 6; D passes; A passes\nC shows openers Th Td\nhand")
    assert played.refused is None
    assert played.hand["hand"] == 3
    assert played.hand["dealer"] == "A"
