"""An evening apart from its hands: the cut, seats, the deal, undo, the bank between hands."""

from tests.support.sheets import play

HOUSE = (
    "rules english\nset ante 3\nset limit 12\nseat A B C D\nA buys 100; B buys 100; C buys 100; D buys 100\n"
)


def test_the_lowest_card_deals_first() -> None:
    assert play(HOUSE + "A cuts Kh; B cuts 3d; C cuts 7s\nhand").hand["dealer"] == "B"


def test_equal_lowest_cut_again_and_nobody_else() -> None:
    tied = HOUSE + "A cuts 3h; B cuts 3d; C cuts 7s\n"
    assert play(tied + "hand").refused == "R-CUT"
    assert play(tied + "A cuts 2h\nhand").refused == "R-CUT"
    assert play(tied + "A cuts 9h; B cuts Th\nhand").hand["dealer"] == "A"
    assert play(tied + "A cuts 9h; C cuts 2s; B cuts 9d\nA cuts Jd; B cuts 4c\nhand").hand["dealer"] == "B"


def test_the_ace_is_high_in_a_cut_or_low_as_the_house_says() -> None:
    cuts = "A cuts Ah; B cuts 2d\nhand"
    assert play(HOUSE + cuts).hand["dealer"] == "B"
    assert play(HOUSE + "set cut_ace low\n" + cuts).hand["dealer"] == "A"


def test_nobody_has_two_seats() -> None:
    assert play("rules english\nseat A B A").refused == ""


def test_an_undo_takes_back_the_time_as_well() -> None:
    told = HOUSE + "at 20:00\nhand dealer A\n"
    assert play(told + "at 20:10\nundo").session.told_at == play(told).session.told_at
    assert play(told + "B antes\nundo").session.told_at == play(told).session.told_at
