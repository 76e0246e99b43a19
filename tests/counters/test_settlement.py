"""The fewest payments: against the sources' examples, against trying everything, and as properties."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.counters.settlement import (
    EXACT_PLAYERS,
    Payment,
    fewest_payments,
    largest_first,
    via_banker,
)

Nets = list[tuple[str, int]]

# nets, the fewest payments, and how many matching the largest first takes
EXAMPLES = [
    ([-5, -4, 3, 2, 4], 3, 4),
    ([-10, -3, -3, 6, 5, 5], 4, 5),
    ([-9, -8, 2, 7, 8], 3, 4),
    ([39, -23, 2, -75, 11, -12, 8, -37, 87], 7, 8),
    ([-30, -5, -20, 42, 13], 4, 4),
    ([210, -90, -80, 130, -150, -20], 5, 5),
    ([-24, -48, 78, 0, -6], 3, 3),
    ([0, 0], 0, 0),
    ([], 0, 0),
]


def named(nets: Sequence[int]) -> Nets:
    return [(chr(ord("A") + place), net) for place, net in enumerate(nets)]


def after(nets: Nets, payments: Sequence[Payment]) -> dict[str, int]:
    """What of every net is left when the payments are made."""
    left = Counter(dict(nets))
    for payment in payments:
        left[payment.frm] += payment.units
        left[payment.to] -= payment.units
    return dict(left)


def fewest_by_trying(nets: list[int]) -> int:
    """The first player settles with anyone on the other side, then the next: the least over all ways."""
    open_nets = [net for net in nets if net]
    if not open_nets:
        return 0
    first, others = open_nets[0], open_nets[1:]
    return 1 + min(
        fewest_by_trying([*others[:place], other + first, *others[place + 1 :]])
        for place, other in enumerate(others)
        if other * first < 0
    )


def evenings(most_players: int, most_units: int) -> st.SearchStrategy[Nets]:
    nets = st.lists(st.integers(-most_units, most_units), max_size=most_players - 1)
    return nets.map(lambda some: named([*some, -sum(some)]))


@pytest.mark.parametrize(("nets", "fewest", "greedy"), EXAMPLES)
def test_examples(nets: list[int], fewest: int, greedy: int) -> None:
    assert len(fewest_payments(named(nets))) == fewest
    assert len(largest_first(named(nets))) == greedy


def test_the_plan_of_the_evening_of_five() -> None:
    nets = named([-5, -4, 3, 2, 4])
    assert fewest_payments(nets) == (Payment("A", "C", 3), Payment("A", "D", 2), Payment("B", "E", 4))


@settings(max_examples=150, deadline=None)
@given(evenings(most_players=8, most_units=7))
def test_no_plan_is_shorter(nets: Nets) -> None:
    assert len(fewest_payments(nets)) == fewest_by_trying([net for _, net in nets])


@settings(max_examples=150, deadline=None)
@given(evenings(most_players=12, most_units=30))
def test_payments_make_every_net_nought(nets: Nets) -> None:
    payments = fewest_payments(nets)
    players = sum(net != 0 for _, net in nets)
    net_of = dict(nets)
    assert set(after(nets, payments).values()) <= {0}
    assert len(payments) <= max(0, players - 1)
    assert all(payment.units > 0 for payment in payments)
    assert all(net_of[payment.frm] < 0 < net_of[payment.to] for payment in payments)
    assert list(payments) == sorted(payments, key=lambda payment: (payment.frm, payment.to))


@pytest.mark.parametrize(
    "nets",
    [[-5, -5, 5, 5, 0], [-3, -3, -3, 9, 1, -1], [-2, -1, 3, 1, 1, -2], [-1, -2, -3, 1, 2, 3], [-4, -2, 1, 5]],
)
def test_order_of_players_does_not_change_the_plan(nets: list[int]) -> None:
    plans = {fewest_payments(order) for order in permutations(named(nets))}
    assert len(plans) == 1


@settings(max_examples=60, deadline=None)
@given(st.data(), evenings(most_players=12, most_units=5))
def test_any_order_gives_the_same_plan(data: st.DataObject, nets: Nets) -> None:
    assert fewest_payments(data.draw(st.permutations(nets))) == fewest_payments(nets)


def test_equal_loss_and_gain_settle_each_other_first_by_name() -> None:
    nets = named([-5, 5, 5, -5])
    assert fewest_payments(nets) == (Payment("A", "B", 5), Payment("D", "C", 5))


def test_the_first_by_name_is_settled_in_the_smallest_group() -> None:
    """A with C and D, or with D and two of E, F, G: five payments either way, and the first is smaller."""
    nets = named([-6, -3, 2, 4, 1, 1, 1])
    assert len(fewest_payments(nets)) == 5
    assert [payment for payment in fewest_payments(nets) if payment.frm == "A"] == [
        Payment("A", "C", 2),
        Payment("A", "D", 4),
    ]


def bounded_evening(players: int, seed: int) -> Nets:
    """Players whose wins and losses all differ in size, so that none is another's opposite."""
    rng = random.Random(seed)
    while True:
        nets = [rng.choice((-1, 1)) * size for size in rng.sample(range(1, 400), players - 1)]
        last = -sum(nets)
        if last != 0 and -last not in nets:
            return [(f"P{place:02}", net) for place, net in enumerate([*nets, last])]


def test_beyond_the_exact_bound_the_plan_is_whole_and_not_too_long() -> None:
    players = EXACT_PLAYERS + 12
    nets = bounded_evening(players, seed=1)
    payments = fewest_payments(nets)
    assert set(after(nets, payments).values()) == {0}
    assert len(payments) <= players - 1
    assert 2 * len(payments) < 3 * (players - players // 3)


def test_many_players_in_opposites_are_settled_exactly() -> None:
    nets = [(f"L{size:02}", -size) for size in range(1, 31)] + [
        (f"W{size:02}", size) for size in range(1, 31)
    ]
    assert fewest_payments(nets) == tuple(
        Payment(f"L{size:02}", f"W{size:02}", size) for size in range(1, 31)
    )


def test_at_the_exact_bound_every_group_is_found() -> None:
    """Six hidden groups of three, which the largest first does not see."""
    rng = random.Random(3)
    gains = [(rng.randint(1, 10**6), rng.randint(1, 10**6)) for _ in range(EXACT_PLAYERS // 3)]
    nets = [net for one, other in gains for net in (-(one + other), one, other)]
    rng.shuffle(nets)
    assert len(fewest_payments(named(nets))) == EXACT_PLAYERS - EXACT_PLAYERS // 3
    assert len(largest_first(named(nets))) > EXACT_PLAYERS - EXACT_PLAYERS // 3


def test_via_the_banker_each_settles_with_him_alone() -> None:
    nets = named([-24, -48, 78, 0, -6])
    assert via_banker(nets, "B") == (Payment("A", "B", 24), Payment("B", "C", 78), Payment("E", "B", 6))
    assert after(nets, via_banker(nets, "B")) == {"A": 0, "B": 0, "C": 0, "D": 0, "E": 0}


def test_via_the_house_where_no_player_keeps_the_bank() -> None:
    assert via_banker(named([-5, 5]), "the house") == (
        Payment("A", "the house", 5),
        Payment("the house", "B", 5),
    )


def test_nets_that_do_not_come_to_nought_are_a_mistake_of_the_program() -> None:
    with pytest.raises(AssertionError, match="come to nought"):
        fewest_payments(named([-5, 4]))
    with pytest.raises(AssertionError, match="must differ"):
        fewest_payments([("A", -5), ("A", 5)])
