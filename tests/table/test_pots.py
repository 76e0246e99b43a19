"""The pool divided exactly: layers, dead money, odd counters, and losers who show or throw their hands away."""

from itertools import product

import pytest

from ledger.rules.load import load
from ledger.rules.model import NoLimit
from ledger.table.hand import Hand
from ledger.table.pots import decided, pots

PLAYERS = ("A", "B", "C", "D", "E")
RULES = load("modern").model_copy(update={"small": 1, "big": 2, "limit": NoLimit()})


def at_the_show(
    claims: dict[str, int],
    strength: dict[str, int],
    *,
    dead: int = 0,
    mucked: tuple[str, ...] = (),
    odd_counter: str = "left_of_dealer",
    rake: dict[int, int] | None = None,
) -> Hand:
    """A hand at its end: live stakes, how good each hand still in is (who is not named has passed), dead money."""
    players = tuple(p for p in PLAYERS if p in claims)
    rules = RULES.model_copy(update={"odd_counter": odd_counter})
    hand = Hand(1, players[-1], players, rules, None, 0, 1, 0)
    hand.phase = "show"
    hand.claims = dict(claims)
    hand.pool = sum(claims.values()) + dead
    hand.live = [p for p in players if p in strength]
    hand.mucked = set(mucked)
    for player, rank in strength.items():
        if player not in mucked:
            hand.ranks[player] = rank
            hand.classes[player] = "pair"
    if rake:
        hand.rake = rake
        hand.pool -= sum(rake.values())
    hand.won_pool = hand.to_win
    hand.deciding = True
    return hand


def paid(hand: Hand) -> dict[str, int]:
    """What each takes of all pots."""
    taken: dict[str, int] = {}
    for award in decided(hand, hand.kitty)[0]:
        taken[award.player] = taken.get(award.player, 0) + award.units
    return taken


def rows(hand: Hand) -> list[tuple[int, str, int]]:
    return [(a.pot, a.player, a.units) for a in decided(hand, hand.kitty)[0]]


def test_three_who_tie_share_the_dead_money_too() -> None:
    hand = at_the_show({"A": 10_000, "B": 10_000, "C": 10_000}, {"A": 5, "B": 5, "C": 5}, dead=100 + 200)
    assert paid(hand) == {"A": 10_100, "B": 10_100, "C": 10_100}


def test_the_main_pot_and_a_side_pot_each_have_an_odd_counter_of_their_own() -> None:
    hand = at_the_show({"A": 5, "B": 10, "C": 10, "D": 10, "E": 1}, {"A": 9, "B": 9, "C": 9}, dead=0)
    assert [pot.units for pot in pots(hand)] == [21, 15]
    assert rows(hand) == [(0, "A", 7), (0, "B", 7), (0, "C", 7), (1, "B", 8), (1, "C", 7)]
    odd = at_the_show({"A": 5, "B": 10, "C": 10, "D": 10, "E": 2}, {"A": 9, "B": 9, "C": 9}, dead=0)
    assert rows(odd) == [(0, "A", 8), (0, "B", 7), (0, "C", 7), (1, "B", 8), (1, "C", 7)]


def test_every_pots_odd_counters_go_to_the_kitty_where_the_house_says_so() -> None:
    hand = at_the_show(
        {"A": 5, "B": 10, "C": 10, "D": 10, "E": 2}, {"A": 9, "B": 9, "C": 9}, odd_counter="kitty"
    )
    awards, odd = decided(hand, 0)
    assert odd == 2
    assert sum(a.units for a in awards) + odd == hand.pool


def test_layers_with_the_same_claimants_are_one_pot() -> None:
    """The stakes of those who passed lie at heights of their own and make no pots of their own."""
    hand = at_the_show({"A": 50, "B": 50, "C": 7, "D": 20, "E": 33}, {"A": 2, "B": 2})
    assert [(pot.units, pot.claimants) for pot in pots(hand)] == [(160, ("A", "B"))]
    side = at_the_show({"A": 10, "B": 50, "C": 50, "D": 20, "E": 33}, {"A": 3, "B": 2, "C": 2})
    assert [(pot.units, pot.claimants) for pot in pots(side)] == [(50, ("A", "B", "C")), (113, ("B", "C"))]


def test_three_all_ins_make_three_pots_and_each_goes_to_the_best_who_claims_it() -> None:
    hand = at_the_show({"A": 5, "B": 20, "C": 50, "D": 50}, {"A": 9, "B": 7, "C": 5, "D": 3}, dead=4)
    assert rows(hand) == [(0, "A", 24), (1, "B", 45), (2, "C", 60)]


@pytest.mark.parametrize(
    ("claims", "strength"),
    [
        ({"A": 5, "B": 20, "C": 50, "D": 50}, {"A": 9, "B": 7, "C": 5, "D": 3}),
        ({"A": 5, "B": 20, "C": 50, "D": 50}, {"A": 3, "B": 9, "C": 5, "D": 5}),
        ({"A": 10, "B": 10, "C": 10, "D": 10}, {"A": 4, "B": 4, "C": 4, "D": 1}),
        ({"A": 7, "B": 30, "C": 30, "D": 11}, {"A": 6, "B": 2, "C": 1}),
        ({"A": 12, "B": 9, "C": 9, "D": 3}, {"A": 1, "B": 2, "C": 3, "D": 4}),
    ],
)
def test_what_is_paid_out_does_not_depend_on_whether_losers_show(
    claims: dict[str, int], strength: dict[str, int]
) -> None:
    shown = at_the_show(claims, strength, dead=3)
    expected = rows(shown)
    losers = [p for p in strength if p not in {player for _, player, _ in expected}]
    assert losers
    for choice in product((False, True), repeat=len(losers)):
        mucked = tuple(p for p, away in zip(losers, choice, strict=True) if away)
        assert rows(at_the_show(claims, strength, dead=3, mucked=mucked)) == expected


def test_rake_is_taken_from_the_pot_it_is_of() -> None:
    claims, strength = {"A": 5, "B": 20, "C": 50, "D": 50}, {"A": 9, "B": 7, "C": 5, "D": 3}
    hand = at_the_show(claims, strength, rake={0: 1, 2: 3})
    assert rows(hand) == [(0, "A", 19), (1, "B", 45), (2, "C", 57)]
    assert sum(units for _, _, units in rows(hand)) == hand.pool
    assert hand.to_win == 125


def test_rake_of_a_pot_that_is_not_there_comes_off_the_main_pot() -> None:
    hand = at_the_show({"A": 10, "B": 10}, {"A": 2, "B": 1}, rake={3: 4})
    assert rows(hand) == [(0, "A", 16)]
