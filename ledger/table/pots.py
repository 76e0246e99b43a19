"""The pool at the end of a hand: side pots, the kitty's part, equal shares and the odd counter.

Everything here is arithmetic on whole units; what is paid out never depends on who shows first or throws his hand away
after losing.
"""

from dataclasses import dataclass
from typing import get_args

from ledger.rules.model import MOST_UNITS, HandName, Kitty
from ledger.table.hand import Award, Hand

CLASSES: tuple[HandName, ...] = get_args(HandName)
"""The classes of hands, the lowest first (R-ORDER)."""


@dataclass(frozen=True, slots=True)
class Pot:
    """Units, and who competes for them (from the dealer's left), whether or not he threw his hand away at the show."""

    units: int
    claimants: tuple[str, ...]


def uncalled(hand: Hand) -> tuple[str, int] | None:
    """What of the highest stake of this interval nobody matched: (player, units), or None (R-UNCALLED).

    The age's own ante belongs to the pool from the start, even where nobody else stakes anything (000 p. 40; 002), and
    what a jack-pot was opened with stays until the openers are shown (R-JACK-FALSE).
    """
    top, most, others = None, -1, 0
    for player, units in hand.stake.items():
        if units > most:
            top, most, others = player, units, max(most, 0)
        elif units > others:
            others = units
    if top is None:
        return None
    before = hand.phase in ("before_draw", "draw")
    floor = hand.forced[0][1] if before and hand.old and hand.forced and hand.forced[0][0] == top else 0
    over = most - max(others, floor)
    if (
        hand.openers is not None
        and hand.live == [hand.opener]
        and hand.phase != "after_draw"
        and not hand.proved
    ):
        over = min(over, most - hand.opened_with)
    over = min(over, hand.pool)  # of which the kitty may have taken some by hand
    return (top, over) if over > 0 else None


def pots(hand: Hand) -> list[Pot]:
    """The main pot and the side pots, one for each set of claimants (R-SIDE-POT).

    Claims of equal height make a layer; layers with the same claimants are one pot; stakes of those who passed, dead
    money, what was carried and penalties lie in the lowest layers they reach.
    """
    levels = sorted({hand.claims.get(p, 0) for p in hand.live})
    if len(levels) == 1:
        return [Pot(hand.to_win, tuple(p for p in hand.players if p in hand.live))]
    layers: list[Pot] = []
    below = 0
    left = hand.to_win
    for level in levels:
        high = MOST_UNITS if level == levels[-1] else level
        units = sum(min(max(c - below, 0), high - below) for c in hand.claims.values())
        layers.append(
            Pot(units, tuple(p for p in hand.players if p in hand.live and hand.claims.get(p, 0) >= level))
        )
        left -= units
        below = level
    layers[0] = Pot(layers[0].units + left, layers[0].claimants)
    return [layer for layer in layers if layer.units]


def alone_in(hand: Hand, player: str) -> bool:
    """Whether a pot would be left without a hand if the player threw his away: the others who claim it have."""
    return any({p for p in pot.claimants if p not in hand.mucked} == {player} for pot in pots(hand))


def kitty_part(hand: Hand) -> int:
    """What the house rule takes of the pool before it is awarded, in units (R-KITTY)."""
    if hand.kitty_ruled:
        return 0
    rule: Kitty = hand.rules.kitty
    pool = hand.to_win
    if rule.kind == "per_hand":
        due = rule.units
    elif rule.kind == "when_pool":
        due = rule.units if pool >= rule.at_least else 0
    elif rule.kind == "percent":
        due = pool * rule.basis_points // 10_000
        due = due if rule.up_to is None else min(due, rule.up_to)
    elif rule.kind == "when_shown" and rule.hand is not None:
        won = [award.hand for award in decided(hand, 0)[0] if award.hand is not None]
        due = rule.units if any(CLASSES.index(h) >= CLASSES.index(rule.hand) for h in won) else 0
    else:
        due = 0
    return max(min(due, hand.pool - stated_so_far(hand)), 0)


def stated_so_far(hand: Hand) -> int:
    """The units of the pool of which somebody stated who won them."""
    return sum(units for _, units in hand.stated)


def decided(hand: Hand, kitty: int) -> tuple[list[Award], int]:
    """The awards of the pool less rake and `kitty` units (the main pot pays first), and the kitty's odd counters.

    A row per player and pot, from the dealer's left. Hands are compared only where more than one player is left in
    a pot (R-SHOW, R-TIE, R-TAKE-DOWN).
    """
    awards: list[Award] = []
    odd_left = 0
    there = pots(hand)
    rake = [min(hand.rake.get(number, 0), pot.units) for number, pot in enumerate(there)]
    kitty += hand.raked - sum(rake)
    for number, pot in enumerate(there):
        units = pot.units - rake[number]
        taken = min(kitty, units)
        kitty -= taken
        units -= taken
        winners = _best(hand, pot)
        share, odd = divmod(units, len(winners))
        if hand.rules.odd_counter == "kitty":
            odd_left += odd
            odd = 0
        for place, player in enumerate(winners):
            got = share + (1 if place < odd else 0)
            if got:
                awards.append(Award(player, got, number, hand_class(hand, player)))
    return awards, odd_left


def hand_class(hand: Hand, player: str) -> HandName | None:
    """The class of the hand a player showed, or declared where what was declared decides; None: no cards decided."""
    if not hand.rules.cards_speak and player in hand.declared:
        return hand.declared[player]
    return hand.classes.get(player)


def strength(hand: Hand, player: str) -> tuple[int, int]:
    """What is compared at the show: the class and, where that is the one he holds, the rank of his cards."""
    name = hand_class(hand, player)
    rank = hand.ranks.get(player, 0) if name == hand.classes.get(player) else 0
    return (CLASSES.index(name) if name else -1, rank)


def _best(hand: Hand, pot: Pot) -> list[str]:
    """The winners of a pot, from the dealer's left."""
    still = [p for p in pot.claimants if p not in hand.mucked] or hand.claimants()
    if len(still) == 1:
        return still
    best = max(strength(hand, p) for p in still)
    return [p for p in still if strength(hand, p) == best]
