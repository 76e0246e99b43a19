"""The pack, the ranking of hands under any switches, and the exact odds of a draw.

Nothing here loads numpy on import: a single hand is ranked without it, and the odds load it when first asked.
"""

from ledger.cards.order import CLASSES, RankRules
from ledger.cards.pack import (
    JOKER,
    PACK,
    PACK_WITH_JOKER,
    CardError,
    card_text,
    card_words,
    cards_text,
    check_cards,
    check_hand,
    parse_card,
    parse_cards,
)
from ledger.cards.ranking import Ranking, ranking_for
from ledger.cards.words import Comparison, class_words, compare

__all__ = [
    "CLASSES",
    "JOKER",
    "PACK",
    "PACK_WITH_JOKER",
    "CardError",
    "Comparison",
    "RankRules",
    "Ranking",
    "card_text",
    "card_words",
    "cards_text",
    "check_cards",
    "check_hand",
    "class_words",
    "compare",
    "parse_card",
    "parse_cards",
    "ranking_for",
]
