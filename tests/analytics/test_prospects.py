"""The prospect of every way to draw, against every draw ranked and counted out."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from analytics.prospects import class_counts, kept_best, prospects
from ledger.cards import PACK, PACK_WITH_JOKER, RankRules, parse_cards, ranking_for
from ledger.cards.odds import ranks_of_draws

RULES = {
    "plain": RankRules(),
    "joker": RankRules(joker="mistigris"),
    "hearts": RankRules(suit_precedence="hearts"),
    "old": RankRules(sequence_ace="low", side_cards="none", joker="higher", blaze="akqj", skip_straight=True),
}
HANDS = ("2d 5c 6s 7s 8c", "Kh Kd 9s 8s 2c", "Ah Kh Qh Jh 3d", "7s 7h 7d 2c 2d", "Kh Qh 9h 4h 2h")


def counted_out(rules: RankRules, hand: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The mean number of hands of the pack that rank below, of each way to draw."""
    ranking = ranking_for(rules)
    pack = PACK_WITH_JOKER if ranking.has_joker else PACK
    everything = np.sort(ranks_of_draws(ranking, (), pack, 5))
    stub = [card for card in pack if card not in hand]
    found = {}
    for kept in chain.from_iterable(combinations(hand, size) for size in range(6)):
        ranks, counts = np.unique(ranks_of_draws(ranking, kept, stub, 5 - len(kept)), return_counts=True)
        below = np.searchsorted(everything, ranks)
        found[kept] = Fraction(int((below * counts).sum()), int(counts.sum()))
    return found


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_prospects_are_those_of_all_draws(rules: RankRules) -> None:
    for text in (*HANDS, *(["Jk Ks 9d 8d 2h"] if rules.joker != "off" else [])):
        hand = tuple(sorted(parse_cards(text)))
        assert prospects(rules, hand) == counted_out(rules, hand)


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("Kh Kd 9s 8s 2c", "Kh Kd"),
        ("Ah Kh Qh Jh 3d", "Ah Kh Qh Jh"),
        ("7s 7h 7d 2c 2d", "7s 7h 7d 2c 2d"),
        ("Ks 9d 7h 5c 2s", "Ks"),
        ("Th Jc Qs Kd 2c", "Qs Kd"),
        ("2s 4d 6h 8h 9d", ""),
    ],
)
def test_what_is_best_to_keep(hand: str, kept: str) -> None:
    cards = parse_cards(hand)
    ways = chain.from_iterable(combinations(cards, size) for size in range(6))
    best = {way for way in ways if kept_best(RankRules(), cards, way)}
    assert best == {tuple(c for c in cards if c in parse_cards(kept))}


def test_a_short_hand_has_no_best_draw() -> None:
    assert not kept_best(RankRules(), parse_cards("Kh Kd 9s 8s"), parse_cards("Kh Kd"))


def test_classes_are_as_many_as_is_known() -> None:
    assert class_counts(RankRules())["full_house"] == 3744
