"""Cards as text and as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.cards import (
    JOKER,
    PACK_WITH_JOKER,
    CardError,
    card_text,
    card_words,
    cards_text,
    check_hand,
    parse_card,
    parse_cards,
)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("2c", 0),
        ("2d", 1),
        ("2h", 2),
        ("2s", 3),
        ("3c", 4),
        ("As", 51),
        ("Kh", 46),
        ("kH", 46),
        ("Ts", 35),
        ("10s", 35),
        ("10S", 35),
        ("K♥", 46),
        (" Kh ", 46),
        ("Jk", JOKER),
        ("JK", JOKER),
        ("joker", JOKER),
    ],
)
def test_a_card_is_read(text: str, card: int) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "K", "1s", "11s", "Kx", "Kh Kd", "0h", "Jks", "🂡", "K h"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CardError) as fault:
        parse_card(text)
    assert str(fault.value).startswith(f'"{text}" is no card: ')
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("text", ["Kh 10d Jk 9c", "Kh,Td,Jk,9c", " kh, 10D  jk,9c ", "KhTdJk9c", "Kh10dJk9c"])
def test_cards_are_read_in_order_however_they_are_parted(text: str) -> None:
    assert cards_text(parse_cards(text)) == "Kh Td Jk 9c"


def test_no_text_is_no_cards() -> None:
    assert parse_cards("  ") == ()


@pytest.mark.parametrize(("text", "piece"), [("Kh 1d", "1d"), ("KhKx", "Kx"), ("Kh;Kd", ";Kd"), ("Kh-", "-")])
def test_the_piece_that_is_no_card_is_named(text: str, piece: str) -> None:
    with pytest.raises(CardError) as fault:
        parse_cards(text)
    assert str(fault.value).startswith(f'"{piece}" is no card')


@given(st.lists(st.sampled_from(PACK_WITH_JOKER)))
def test_text_is_read_back(cards: list[int]) -> None:
    assert list(parse_cards(cards_text(cards))) == cards
    assert [parse_card(card_text(card)) for card in cards] == cards


def test_cards_in_words() -> None:
    assert card_words(parse_card("Jh")) == "knave of hearts"
    assert card_words(parse_card("2c")) == "deuce of clubs"
    assert card_words(JOKER) == "joker"


@pytest.mark.parametrize(
    ("text", "joker", "message"),
    [
        ("Kh Kd 9s 9c 2d 3d", True, "a hand has 5 cards, not 6: Kh Kd 9s 9c 2d 3d"),
        ("Kh Kd", True, "a hand has 5 cards, not 2: Kh Kd"),
        ("Kh Kd 9s 9c Kh", True, "Kh is there twice: the pack has each card once"),
        ("Kh Kd 9s Jk Jk", True, "Jk is there twice: the pack has each card once"),
        ("Kh Kd 9s 9c Jk", False, "the joker is not in this pack: these rules have joker = off"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, joker: bool, message: str) -> None:
    with pytest.raises(CardError) as fault:
        check_hand(parse_cards(text), joker)
    assert str(fault.value) == message


@pytest.mark.parametrize("text", ["", "Kh Kd 9s 9c 2d 3d"])
def test_a_short_hand_has_one_to_five_cards(text: str) -> None:
    with pytest.raises(CardError, match="one to five"):
        check_hand(parse_cards(text), joker=False, size=None)
    check_hand(parse_cards("Kh Kd 9s"), joker=False, size=None)
