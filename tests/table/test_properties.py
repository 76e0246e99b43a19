"""What the table offers is what it accepts, at every step of random hands; and every hand comes to its end."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given

from bench.generator import Evening, play
from ledger import commands as cmd
from ledger.refusal import Refusal
from ledger.session.decide import decide
from ledger.session.state import Session
from ledger.table.betting import opened
from ledger.table.hand import Hand
from ledger.table.options import options
from ledger.table.pots import alone_in
from tests.support.evenings import Plan, copied, plans, quick, steps, thorough

STEPS = 600
"""More than any hand has from anywhere to its end."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the table offers one player, by action: the least and the most."""

    bounds: dict[str, tuple[int, int]]

    def takes(self, action: str, units: int = 0) -> bool:
        """Whether it is offered, with that amount where it has one."""
        least, most = self.bounds.get(action, (1, 0))
        return least <= units <= most

    def around(self, action: str) -> set[int]:
        """Amounts within, at and just beyond the bounds."""
        least, most = self.bounds.get(action, (1, 1))
        return {
            units for units in (0, 1, least - 1, least, (least + most) // 2, most, most + 1) if units >= 0
        }


def offers(session: Session, hand: Hand) -> dict[str, Offer]:
    found = {p: Offer({}) for p in hand.players}
    for option in options(hand, session.bank.held):
        found[option.player].bounds[option.action] = (option.least or 0, option.most or 0)
    return found


def tries(evening: Evening, hand: Hand, player: str, offer: Offer) -> Iterator[tuple[cmd.Command, bool]]:
    """Everything a player could try, and whether the table offers it."""
    yield cmd.Pass(player=player), offer.takes("pass")
    yield cmd.Check(player=player), offer.takes("check")
    yield cmd.Stake(player=player, action="call"), "call" in offer.bounds
    yield cmd.Stake(player=player, action="all_in"), "all_in" in offer.bounds
    yield cmd.Deal(), any("deals" in o.bounds for o in offers(evening.session, hand).values())
    yield cmd.PostAnte(player=player), "antes" in offer.bounds
    yield cmd.Straddle(player=player), "straddles" in offer.bounds
    for blind in ("small", "big"):
        if hand.rules.structure == "blinds":
            yield cmd.PostBlind(player=player, blind=blind), f"posts_{blind}" in offer.bounds
    for count in range(7):
        yield cmd.Draw(player=player, count=count), offer.takes("draw", count)
    yield from stakes(hand, player, offer)
    yield from shows(evening, hand, player, offer)


def stakes(hand: Hand, player: str, offer: Offer) -> Iterator[tuple[cmd.Command, bool]]:
    for units in offer.around("open") | offer.around("bet"):
        for action in ("open", "bet"):
            taken = offer.takes("open", units) or offer.takes("bet", units)
            yield cmd.Stake(player=player, action=action, units=units), taken
    for units in offer.around("raise"):
        yield cmd.Stake(player=player, action="raise", units=units), offer.takes("raise", units)
    mine = hand.stake.get(player, 0)
    for units in offer.around("raise") | offer.around("call") | offer.around("open"):
        to = hand.high + units
        if not opened(hand):
            taken = offer.takes("open", to - mine) or offer.takes("bet", to - mine)
        else:
            taken = offer.takes("raise", units) if units else offer.takes("call", to - mine)
        yield cmd.Stake(player=player, action="to", units=to), taken


def shows(evening: Evening, hand: Hand, player: str, offer: Offer) -> Iterator[tuple[cmd.Command, bool]]:
    cards = evening.truth.hands.get(player)
    if cards:
        yield cmd.Show(player=player, cards=cards), "show" in offer.bounds
    yield cmd.Muck(player=player), "muck" in offer.bounds


def what_is_offered_is_accepted_and_nothing_else(plan: Plan) -> None:
    for evening in steps(plan):
        hand = evening.session.hand
        assert hand is not None
        if hand.over:
            assert options(hand, evening.session.bank.held) == [] or hand.phase == "over"
            continue
        offered = offers(evening.session, hand)
        for player in hand.players:
            for command, offer in tries(evening, hand, player, offered[player]):
                outcome = decide(evening.session, command)
                assert isinstance(outcome, Refusal) != offer, f"{command!r} in {hand.phase}: {outcome}"


def every_hand_ends(plan: Plan) -> None:
    for place, evening in enumerate(steps(plan)):
        if place % 5 or evening.session.in_play is None:
            continue
        on = copied(evening, plan.seed + place)
        left = STEPS
        while (hand := on.session.in_play) is not None:
            held = on.session.bank.held
            assert (
                options(hand, held)
                or hand.stated
                or min(held.get(p, 0) for p in hand.players) < max(hand.rules.ante or 0, hand.rules.big or 0)
            )
            play(on, hand)
            left -= 1
            assert left, f"{hand.phase}: no end"


def payouts(evening: Evening, *, muck: bool) -> dict[str, int]:
    """What each takes when all show, or when those who can throw their hands away do so after the winners showed."""
    hand = evening.session.in_play
    assert hand is not None
    truth = evening.truth.hands
    winners: set[str] = set()
    if muck:
        winners = {p for p, units in payouts(copied(evening, 0), muck=False).items() if units}
    for player in sorted(hand.unshown(), key=lambda p: p not in winners):
        if muck and player not in winners and not alone_in(hand, player):
            evening.do(cmd.Muck(player=player))
        elif not hand.over and not hand.deciding:
            evening.do(cmd.Show(player=player, cards=truth[player]))
    taken = dict.fromkeys(hand.players, 0)
    for award in hand.awards:
        taken[award.player] += award.units
    return taken


def a_loser_who_throws_his_hand_away_changes_nothing(plan: Plan) -> None:
    for evening in steps(plan):
        hand = evening.session.in_play
        if hand is None or hand.phase != "show" or hand.shown or hand.stated or hand.rules.show == "all":
            continue
        if len(hand.live) > 1 and hand.rules.cards_speak:
            assert payouts(copied(evening, 0), muck=True) == payouts(copied(evening, 0), muck=False)


@quick(60)
@given(plans("wild"))
def test_what_is_offered_is_accepted_and_nothing_else(plan: Plan) -> None:
    what_is_offered_is_accepted_and_nothing_else(plan)


@quick(60)
@given(plans("wild"))
def test_every_hand_ends(plan: Plan) -> None:
    every_hand_ends(plan)


@quick(100)
@given(plans("legal"))
def test_a_loser_who_throws_his_hand_away_changes_nothing(plan: Plan) -> None:
    a_loser_who_throws_his_hand_away_changes_nothing(plan)


@pytest.mark.long
@thorough(3000)
@given(plans("wild"))
def test_offers_at_length(plan: Plan) -> None:
    what_is_offered_is_accepted_and_nothing_else(plan)


@pytest.mark.long
@thorough(2000)
@given(plans("wild"))
def test_ends_at_length(plan: Plan) -> None:
    every_hand_ends(plan)


@pytest.mark.long
@thorough(3000)
@given(plans("legal"))
def test_mucking_at_length(plan: Plan) -> None:
    a_loser_who_throws_his_hand_away_changes_nothing(plan)
