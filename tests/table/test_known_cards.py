"""Cards known to the recorder: a draw counts, what is known of its cards stands beside it (R-PACK, R-DRAW-COUNT)."""

import pytest

from ledger import events as ev
from ledger.cards.pack import cards_text
from tests.support.sheets import Played, play

DEALT = """rules english
set ante 3
set limit 12
set joker off
seat B C A
A buys 100; B buys 100; C buys 100
hand dealer A
B antes
deal
A holds Ah Ad 7c 8c 9d
C opens 12; A calls; B calls
B pat
C draws 1
"""


def known(played: Played, name: str = "A") -> str | None:
    """The whole hand of a player as far as the record knows it."""
    hand = played.session.hands[-1]
    player = played.names.player(name)
    assert player is not None
    return cards_text(hand.known[player]) if player in hand.known else None


def test_a_draw_tells_no_cards_and_they_stand_beside_it() -> None:
    played = play(DEALT + "A discards 7c 8c gets 7d 8d\n")
    assert played.refused is None
    told = [r.event for r in played.stream if isinstance(r.event, (ev.Drew, ev.CardsKnown))][-3:]
    assert [e.type for e in told] == ["drew", "cards_known", "cards_known"]
    assert [e.kind for e in told if isinstance(e, ev.CardsKnown)] == ["discarded", "received"]
    assert set(ev.Drew.model_fields) == {"type", "player", "count"}
    assert known(played) == "Ah Ad 9d 7d 8d"
    assert played.found == []


@pytest.mark.parametrize(
    ("draw", "hand"),
    [
        ("A pat", "Ah Ad 7c 8c 9d"),
        ("A discards 7c 8c", None),
        ("A draws 2", None),
        ("A draws 2 gets 7d 8d", None),
        ("A discards 7c 8c; A gets 7d 8d", "Ah Ad 9d 7d 8d"),
    ],
)
def test_what_is_known_of_a_hand_after_its_draw(draw: str, hand: str | None) -> None:
    played = play(DEALT + draw + "\n")
    assert played.refused is None
    assert known(played) == hand


@pytest.mark.parametrize(
    ("draw", "rule"),
    [
        ("A discards 7c 2c", "R-PACK"),  # a card he did not hold
        ("A discards 7c 7c", "R-PACK"),
        ("A discards 7c gets 7c", "R-PACK"),  # what he threw away
        ("A discards 7c gets Ah", "R-PACK"),  # what he holds
        ("A discards 7c 8c gets 7d", "R-DRAW-COUNT"),
        ("A discards 7c; A gets 7d 8d", "R-DRAW-COUNT"),
        ("A discards 7c gets Jk", "R-PACK"),
        ("! A discards 7c gets Ah", "R-PACK"),  # no mark overrides the pack
    ],
)
def test_cards_that_cannot_be_are_refused_with_the_draw(draw: str, rule: str) -> None:
    played = play(DEALT + draw + "\n")
    assert played.refused == rule
    assert known(played) == ("Ah Ad 7c 8c 9d" if ";" not in draw else None)


def test_what_one_holds_still_after_his_discard_nobody_else_can_hold() -> None:
    assert play(DEALT + "A discards 7c 8c\nC holds 9d\n").refused == "R-PACK"
    assert play(DEALT + "A discards 7c 8c\nC holds 7c\n").refused == "R-PACK"
    assert play(DEALT + "A draws 2\nC holds 9d\n").refused == "R-PACK"


def test_a_draw_that_is_undone_leaves_the_hand_as_it_was() -> None:
    played = play(DEALT + "A discards 7c 8c gets 7d 8d\nundo\n")
    assert known(played) == "Ah Ad 7c 8c 9d"
    assert played.turn == "A"
