"""What the rules imply at the end of an interval, of the show and of the hand, one event after the other.

`implied` looks at the hand only; it is asked again after each event it gave was folded, until it gives None.
"""

from collections.abc import Mapping

from ledger import events as ev
from ledger.table.hand import Award, Hand
from ledger.table.pots import decided, kitty_part, uncalled


def implied(hand: Hand, held: Mapping[str, int]) -> ev.Event | None:
    """The next event that follows from the hand as it stands, or None. `held`: the units before each player."""
    if hand.over or hand.phase == "before_deal":
        return None
    if hand.deciding:
        return _payout(hand)
    if hand.phase == "before_draw" and not hand.spoken and any(len(c) >= 2 for c in hand.exposed.values()):
        return ev.Misdealt(reason="two cards of one player exposed by the dealer")
    if hand.phase == "show" and hand.false_opening:
        return _false_opening(hand, held)
    if not hand.live:  # every stake so far stays, the last straddler's too (R-ANTE-ALONE)
        return ev.PoolCarried(units=hand.pool)
    if not hand.to_speak and (hand.phase != "show" or hand.proved):
        over = uncalled(hand)
        if over is not None:
            return ev.UncalledReturned(player=over[0], units=over[1])
    return None


def _payout(hand: Hand) -> ev.Event | None:
    """The kitty's part, then a row per winner and pot, then the odd counters where they are the kitty's."""
    due = kitty_part(hand)
    if due:
        return ev.KittyTaken(units=due)
    awards, odd = _stated(hand) if hand.stated else decided(hand, hand.kitty)
    done = len(hand.awards)
    if done < len(awards):
        award = awards[done]
        return ev.PoolAwarded(player=award.player, units=award.units, pot=award.pot, hand=award.hand)
    return ev.KittyTaken(units=odd, kind="odd") if odd else None


def _stated(hand: Hand) -> tuple[list[Award], int]:
    """Awards as somebody stated them, from the dealer's left."""
    rows = sorted(hand.stated, key=lambda row: hand.players.index(row[0]))
    return [Award(player, units, 0, None) for player, units in rows if units], 0


def _false_opening(hand: Hand, held: Mapping[str, int]) -> ev.Event:
    """The mark, the penalty of two antes, the stake where the house gives it back, the pool carried (R-JACK-FALSE)."""
    opener = hand.live[0]
    if not any(mark.rule == "R-JACK-FALSE" for mark in hand.marks):
        text = f"@{opener} opened without a pair of {_NAMES[hand.openers or 'J']} or better"
        return ev.MarkedIrregular(rule="R-JACK-FALSE", message=text, player=opener)
    due, has = 2 * (hand.rules.ante or 0), held.get(opener, 0)
    stake = min(hand.opened_with, hand.pool)
    back = hand.rules.false_opening_stake == "returned" and not hand.given_back and stake > 0
    if hand.penalty is None and not (back and has < due):  # who has too little pays out of what he gets back
        return ev.PenaltyPaid(player=opener, units=min(due, has))
    if back:
        return ev.StakeGivenBack(player=opener, units=stake)
    return ev.PoolCarried(units=hand.pool)


_NAMES = {
    "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights", "9": "nines",
    "T": "tens", "J": "knaves", "Q": "queens", "K": "kings", "A": "aces",
}  # fmt: skip
