"""The pack: cards as numbers and as text.

A card is an int: 0..51 is `rank_index * 4 + suit`, with rank index 0 for the deuce to 12 for the ace and
suits in the order clubs, diamonds, hearts, spades; 52 is the joker (R-PACK).
"""

import re
from collections.abc import Iterable, Sequence

JOKER = 52
PACK: tuple[int, ...] = tuple(range(52))
PACK_WITH_JOKER: tuple[int, ...] = (*PACK, JOKER)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
HEARTS = SUITS.index("h")

RANK_WORDS = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("knave", "queen", "king", "ace"),
)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")

_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")
_CARD = re.compile(r"(10|[2-9tjqka])([cdhs])|(joker|jk)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,]+")
_WHAT_A_CARD_IS = "a card is 2-9, T (or 10), J, Q, K or A with c, d, h or s, as in Kh, or Jk for the joker"


class CardError(ValueError):
    """Text that is no card, or cards that no hand can hold; the message is one sentence for the user."""


def parse_card(text: str) -> int:
    """Read one card: `Kh`, `kH`, `Th` or `10h`, `Jk`. Raises CardError naming the text."""
    match = _CARD.fullmatch(text.strip().translate(_SYMBOLS))
    if match is None:
        raise CardError(f'"{text}" is no card: {_WHAT_A_CARD_IS}')
    return _card_of(match)


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards in the order written, parted by blanks or commas or run together (`KhKd`).

    Cards are read, not judged: the same one twice passes here and is for `check_hand` or for R-PACK at the
    table. Raises CardError naming the piece that is no card. Empty text gives no cards.
    """
    cards: list[int] = []
    for piece in _SEPARATORS.split(text.strip()):
        plain, at = piece.translate(_SYMBOLS), 0
        while at < len(plain):
            match = _CARD.match(plain, at)
            if match is None:
                raise CardError(f'"{piece[at:]}" is no card: {_WHAT_A_CARD_IS}')
            cards.append(_card_of(match))
            at = match.end()
    return tuple(cards)


def card_text(card: int) -> str:
    """The card as it is written on a sheet: `Kh`, `Th`, `Jk`."""
    if card == JOKER:
        return "Jk"
    assert 0 <= card < JOKER, card
    return RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: Iterable[int]) -> str:
    """The cards in the order given, parted by blanks."""
    return " ".join(map(card_text, cards))


def card_words(card: int) -> str:
    """The card as a player names it: `king of hearts`, `joker`."""
    if card == JOKER:
        return "joker"
    return f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}"


def plural(rank_index: int) -> str:
    """Cards of one rank: `kings`, `sixes`."""
    word = RANK_WORDS[rank_index]
    return word + ("es" if word.endswith("x") else "s")


def check_cards(cards: Sequence[int], joker: bool) -> None:
    """Raise CardError where a card is there twice, or is a joker while the pack has none (R-PACK)."""
    seen: set[int] = set()
    for card in cards:
        if card == JOKER and not joker:
            raise CardError("the joker is not in this pack: these rules have joker = off")
        if card in seen:
            raise CardError(f"{card_text(card)} is there twice: the pack has each card once")
        seen.add(card)


def check_hand(cards: Sequence[int], joker: bool, size: int | None = 5) -> None:
    """Raise CardError unless the cards can be a hand of `size` cards (None: of one to five)."""
    if size is None and not 1 <= len(cards) <= 5:
        raise CardError(f"a hand has one to five cards, not {len(cards)}: {cards_text(cards)}")
    if size is not None and len(cards) != size:
        raise CardError(f"a hand has {size} cards, not {len(cards)}: {cards_text(cards)}")
    check_cards(cards, joker)


def _card_of(match: re.Match[str]) -> int:
    rank, suit, joker = match.groups()
    if joker:
        return JOKER
    return RANKS.index("T" if rank == "10" else rank.upper()) * 4 + SUITS.index(suit.lower())
