"""The chance to win a show: against every deal played out here, and sampled within its stated error."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from ledger.cards import CardError, RankRules, parse_cards, ranking_for
from ledger.cards.duel import Drawer, Unseen, WinOdds, win_odds

PLAIN = RankRules()
ENGLISH = RankRules(sequence_ace="low", suit_precedence="hearts", joker="higher", side_cards="none")


def _hand(text: str, draws: int = 0) -> Drawer:
    return Drawer(parse_cards(text), draws)


def _played(rules: RankRules, players: Sequence[Drawer], gone: str) -> WinOdds:
    """Every deal, one after another, as slowly as it comes."""
    known = {card for player in players for card in player.kept} | set(parse_cards(gone))
    stub = [card for card in range(52 if rules.joker == "off" else 53) if card not in known]
    rank = ranking_for(rules).rank
    outcomes: Counter[int] = Counter()
    deals: list[tuple[list[int], list[int]]] = [([], stub)]
    for player in players:
        deals = [
            ([*ranks, rank((*player.kept, *drawn))], [card for card in left if card not in drawn])
            for ranks, left in deals
            for drawn in combinations(left, player.draws)
        ]
    for ranks, _ in deals:
        outcomes[ranks.count(ranks[0]) if ranks[0] == max(ranks) else 0] += 1
    shared = tuple(sorted((hands, count) for hands, count in outcomes.items() if hands > 1))
    return WinOdds(len(deals), outcomes[1], shared, outcomes[0], exact=True, method="")


CASES = [
    (PLAIN, [_hand("9s 9h Kd 7c 4s"), _hand("9d 9c Kh 7h 4h")], ""),
    (PLAIN, [_hand("9s 9h Kd 7c", 1), _hand("9d 9c Kh 7h 4h")], ""),
    (PLAIN, [_hand("9s 9h Kd 7c", 1), _hand("9d 9c Kh 7h", 1)], "2c"),
    (PLAIN, [_hand("9s 9h Kd 7c", 1), _hand("9d 9c Kh", 2), _hand("As Ah Kc Qs Js")], "2c"),
    (PLAIN, [_hand("9s 9h Kd", 2), _hand("Qd Qc Kh", 2)], "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s"),
    (PLAIN, [_hand("9s 9h Kd 7c"), _hand("Qd Jc 4h", 1)], ""),
    (PLAIN, [_hand("As Ah Kd Kc", 1), _hand("9s 8s 7s 6s", 1), _hand("Qd Qc Jd Jc", 1)], ""),
    (ENGLISH, [_hand("9s 9h Kd 7c", 1), _hand("9d 9c Kh", 2)], "2c 3c 4c 5c 6c"),
    (ENGLISH, [_hand("9s Jk Kd 7c", 1), _hand("9d 9c Kh", 2)], "2c 3c 4c 5c 6c"),
]


@pytest.mark.parametrize(("rules", "players", "gone"), CASES)
def test_every_deal_played_out_agrees(rules: RankRules, players: list[Drawer], gone: str) -> None:
    found = win_odds(rules, players[0], players[1:], parse_cards(gone))
    played = _played(rules, players, gone)
    assert found.exact
    assert (found.total, found.alone, found.shared, found.lost) == (
        played.total,
        played.alone,
        played.shared,
        played.lost,
    )
    assert found.error == 0
    assert found.share + sum(
        win_odds(rules, players[i], players[:i] + players[i + 1 :], parse_cards(gone)).share
        for i in range(1, len(players))
    ) == Fraction(1)


def test_two_draws_of_three_are_exact_and_sampling_agrees_within_its_error() -> None:
    mine, his, gone = _hand("9s 9h", 3), _hand("Kh Kd", 3), parse_cards("7c 4s 2d")
    exact = win_odds(PLAIN, mine, [his], gone)
    assert exact.exact
    assert exact.total == comb(45, 3) * comb(42, 3)
    # a third hand that draws and cannot win makes the deals too many, and changes nothing else
    sampled = win_odds(PLAIN, mine, [his, _hand("2c", 1)], gone, seed=11, samples=20_000)
    assert not sampled.exact
    assert sampled.total == 20_000
    assert abs(float(sampled.share - exact.share)) < 2 * sampled.error < 0.02


def test_a_seed_gives_the_same_deals() -> None:
    def share(seed: int) -> Fraction:
        return win_odds(PLAIN, _hand("9s 9h", 3), [Unseen(3)], seed=seed, samples=2_000).share

    assert share(1) == share(1)
    assert share(1) != share(2)


def test_a_hand_of_which_nothing_is_known() -> None:
    pat = parse_cards("9s 9h Kd 7c 4s")
    found = win_odds(PLAIN, Drawer(pat), [Drawer((), 5)])
    assert (found.total, found.exact) == (comb(47, 5), True)
    rank = ranking_for(PLAIN).rank
    few = [card for card in range(52) if card not in pat][::3]
    gone = [card for card in range(52) if card not in (*pat, *few)]
    against_few = win_odds(PLAIN, Drawer(pat), [Drawer((), 5)], gone)
    lost = sum(rank(drawn) > rank(pat) for drawn in combinations(few, 5))
    assert (against_few.total, against_few.lost) == (comb(len(few), 5), lost)


@pytest.mark.parametrize(
    ("draws", "below"), [(0, "Ah Ad Ac Ks Qh"), (1, "Ah Ad Kc Qs Jh"), (2, "Ah Ad Kc Ks Qh")]
)
def test_an_unseen_hand_holds_what_its_draw_calls_for(draws: int, below: str) -> None:
    """Who stands pat beats any threes, who draws one any pair, who draws two any two pairs, in every deal."""
    found = win_odds(PLAIN, _hand(below), [Unseen(draws)], samples=500)
    assert (found.alone, found.shared, found.lost) == (0, (), found.total)
    assert found.total > 0


def test_an_unseen_pair_keeps_its_pair_and_one_who_draws_four_his_highest_card() -> None:
    assert win_odds(PLAIN, _hand("7s 5h 4d 3c 2s"), [Unseen(3)], samples=2_000).alone == 0
    assert win_odds(PLAIN, _hand("7s 5h 4d 3c 2s"), [Unseen(4)], samples=2_000).alone == 0
    joker = RankRules(joker="mistigris")
    assert win_odds(joker, _hand("7s 5h 4d 3c 2s"), [Unseen(3)], samples=2_000).alone == 0


@pytest.mark.parametrize(
    ("mine", "others", "message"),
    [
        (_hand("9s 9h Kd 7c", 2), [], "a hand has one to five cards: 4 kept and 2 drawn cannot be one"),
        (_hand("", 0), [], "a hand has one to five cards: 0 kept and 0 drawn cannot be one"),
        (_hand("9s 9h", 3), [_hand("9s", 4)], "9s is there twice: the pack has each card once"),
        (_hand("9s 9h", 3), [Unseen(5)], "an unseen hand draws 0 to 4 cards, not 5"),
        (_hand("9s 9h", 3), [Unseen(4)] * 6, "57 cards are still to come, and only 50 are left in the pack"),
    ],
)
def test_players_that_cannot_be_are_refused(
    mine: Drawer, others: list[Drawer | Unseen], message: str
) -> None:
    with pytest.raises(CardError) as fault:
        win_odds(PLAIN, mine, others)
    assert str(fault.value).startswith(message)
