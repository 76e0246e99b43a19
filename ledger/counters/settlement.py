"""Settlement: who pays whom after an evening, with the fewest payments or each with the banker.

The fewest: the payments of a plan join players into groups whose nets come to nought, and k players need at
least k - 1 payments to be joined. So a plan of fewest payments is a division of the players who won or lost
into as many groups of sum nought as can be, and takes players - groups payments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Dividing n players takes time in proportion to n * 2**n: 3 ms at 12, 50 ms at 16, a quarter second at 18.
EXACT_PLAYERS = 18


@dataclass(frozen=True, slots=True)
class Payment:
    """`frm` pays `to` what `units` (more than 0) are worth."""

    frm: str
    to: str
    units: int


def fewest_payments(nets: Sequence[tuple[str, int]]) -> tuple[Payment, ...]:
    """The payments that make every net (cashed - bought, in units) nought, in the order of payers and payees.

    First a loss and a gain of equal size settle each other, which never costs a payment (see `_opposites`).
    If at most EXACT_PLAYERS players are left, the plan has the fewest payments there can be. With n more than
    that it has at most n - 1 payments for them, under 3/2 of the fewest: no two of them settle each other, so
    groups have three players or more, and n - n // 3 payments are needed at least.

    Among equally short plans the choice depends on names and nets alone, not on the order given: whoever
    comes first by name is settled in as small a group as a shortest plan allows, in the first such group by
    name; then the next; and within a group the greatest loss pays the greatest gain. Names must differ, and
    must not be ids drawn anew at every recording, or the plan would change with them.
    """
    open_nets = _checked(nets)
    payments = _opposites(open_nets)
    groups = _most_groups(open_nets) if len(open_nets) <= EXACT_PLAYERS else [open_nets]
    for group in groups:
        payments += _greatest_first(group)
    return tuple(sorted(payments, key=lambda payment: (payment.frm, payment.to)))


def largest_first(nets: Sequence[tuple[str, int]]) -> tuple[Payment, ...]:
    """The greatest loss always pays the greatest gain: at most players - 1 payments, often not the fewest."""
    return tuple(_greatest_first(_checked(nets)))


def via_banker(nets: Sequence[tuple[str, int]], banker: str) -> tuple[Payment, ...]:
    """Who lost pays the banker, and the banker pays who won; a payment for each, in the order of `nets`.

    The banker may be one of the players, whose own net then needs no payment, or nobody of them (the house).
    """
    players = [name for name, _ in nets]
    assert len(set(players)) == len(players), players
    assert banker not in players or sum(net for _, net in nets) == 0, nets
    return tuple(
        Payment(name, banker, -net) if net < 0 else Payment(banker, name, net)
        for name, net in nets
        if net != 0 and name != banker
    )


def _checked(nets: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those with something to settle, by name."""
    assert sum(net for _, net in nets) == 0, f"nets must come to nought: {nets}"
    assert len({name for name, _ in nets}) == len(nets), f"names must differ: {nets}"
    return sorted((name, net) for name, net in nets if net != 0)


def _opposites(open_nets: list[tuple[str, int]]) -> list[Payment]:
    """Takes pairs of equal loss and gain out of `open_nets`, first by name with first by name.

    Some shortest plan has such a pair as a group of its own: if the two are in different groups, what is left
    of both makes one group, and there are as many as before; if they are in one, there is one more.
    """
    payments = []
    for loser, loss in [entry for entry in open_nets if entry[1] < 0]:
        winner = next((name for name, net in open_nets if net == -loss), None)
        if winner is not None:
            payments.append(Payment(loser, winner, -loss))
            open_nets.remove((loser, loss))
            open_nets.remove((winner, -loss))
    return payments


def _most_groups(players: list[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    """The players divided into as many groups of sum nought as can be; ties as `fewest_payments` says."""
    sums = [0]
    for _, net in players:
        sums += [partial + net for partial in sums]
    best = _groups_within(sums)
    nought = sorted(
        (mask for mask, total in enumerate(sums) if mask and total == 0), key=_smallest_then_first
    )
    groups = []
    left = len(sums) - 1
    while left:
        first = left & -left
        group = next(
            mask
            for mask in nought
            if mask & first and mask & left == mask and best[left ^ mask] == best[left] - 1
        )
        groups.append([player for place, player in enumerate(players) if group >> place & 1])
        left ^= group
    return groups


def _groups_within(sums: list[int]) -> list[int]:
    """For every set of players (a bit mask), the most groups of sum nought that fit into it.

    Put the players of a set into a row: every beginning of the row that comes to nought ends a group. So the
    most groups are the most over who stands last, and one more if the set itself comes to nought.
    """
    best = [0] * len(sums)
    bits = [1 << place for place in range((len(sums) - 1).bit_length())]
    for mask in range(1, len(sums)):
        most = max([best[mask ^ last] for last in bits if mask & last])
        best[mask] = most if sums[mask] else most + 1
    return best


def _smallest_then_first(mask: int) -> tuple[int, list[int]]:
    return mask.bit_count(), [place for place in range(mask.bit_length()) if mask >> place & 1]


def _greatest_first(group: list[tuple[str, int]]) -> list[Payment]:
    """Settles a group of k with at most k - 1 payments: each settles one player at least, the last two."""
    left = dict(group)
    payments = []
    while left:
        loser = min(left, key=lambda name: (left[name], name))
        winner = min(left, key=lambda name: (-left[name], name))
        units = min(-left[loser], left[winner])
        payments.append(Payment(loser, winner, units))
        for name, change in ((loser, units), (winner, -units)):
            left[name] += change
            if left[name] == 0:
                del left[name]
    return payments
