"""From a session's rules to the switches by which the cards room ranks hands."""

from ledger.cards.order import RankRules
from ledger.rules.model import Rules


def rank_rules(rules: Rules) -> RankRules:
    """The switches of a session's rules that rank hands."""
    return RankRules(
        sequence_ace=rules.sequence_ace,
        side_cards=rules.side_cards,
        joker=rules.joker,
        blaze=rules.blaze,
        skip_straight=rules.skip_straight,
        suit_precedence=rules.suit_precedence,
    )
