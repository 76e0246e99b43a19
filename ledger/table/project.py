"""Folding events into a hand: one function for each type of event that belongs to a hand.

`apply` takes the event, what the player concerned has left (units, after it), its version and its time. It judges
nothing: what was played against the rules is folded as it was played, and the say goes on to the left of who acted.
"""

from collections.abc import Callable
from typing import Any, cast

from ledger import events as ev
from ledger.cards import ranking_for
from ledger.rules.model import HandName
from ledger.rules.ranks import rank_rules
from ledger.table.betting import full_size
from ledger.table.hand import Award, Hand, Mark
from ledger.table.posts import blinds
from ledger.table.pots import kitty_part, stated_so_far, uncalled


def apply(hand: Hand, event: ev.Event, left: int, version: int, told_at: int) -> None:
    """Folds one event into the hand, in place."""
    _APPLY[type(event)](hand, event, left)
    if not hand.to_speak or hand.all_in:
        _advance(hand)
    if type(event) is ev.MarkedIrregular:
        hand.marks.append(Mark(version, event.rule, event.message, event.player))
    hand.last_version = version
    hand.ended_at = told_at


def _put_in(hand: Hand, player: str, units: int, left: int, *, live: bool) -> None:
    hand.pool += units
    hand.staked[player] = hand.staked.get(player, 0) + units
    if live:
        hand.stake[player] = hand.stake.get(player, 0) + units
        hand.claims[player] = hand.claims.get(player, 0) + units
    if left == 0 and hand.rules.table_stakes:
        hand.all_in.add(player)


def _ante(hand: Hand, event: ev.AntePosted, left: int) -> None:
    _put_in(hand, event.player, event.units, left, live=event.live)
    hand.anted.add(event.player)
    if not event.live:  # of nobody's stake, but who could put up less competes for as much of each ante only
        hand.claims[event.player] = hand.claims.get(event.player, 0) + min(event.units, hand.rules.ante or 0)
    if event.live:
        full = max(event.units, hand.rules.ante or 0)  # who has less owes no less to the price of entry
        hand.forced.append((event.player, full))
        hand.high = max(hand.high, hand.stake[event.player])


def _blind(hand: Hand, event: ev.BlindPosted, left: int) -> None:
    _put_in(hand, event.player, event.units, left, live=event.live)
    if event.blind != "extra":
        hand.forced.append((event.player, event.units))
        full = (hand.rules.big if event.blind == "big" else hand.rules.small) or 0
        hand.high = max(hand.high, hand.stake.get(event.player, 0), full)


def _straddle(hand: Hand, event: ev.Straddled, left: int) -> None:
    _put_in(hand, event.player, event.units, left, live=True)
    hand.forced.append((event.player, event.units))
    hand.high = max(hand.high, hand.stake[event.player])


def _dealt(hand: Hand, _event: ev.Dealt, _left: int) -> None:
    hand.phase = "before_draw"
    hand.live = list(hand.players)
    hand.two_left = len(hand.live) == 2
    hand.high = max(hand.high, 0 if hand.old else hand.rules.big or 0)
    if hand.old and hand.forced:
        last = hand.forced[-1][0]
    elif not hand.old and hand.rules.big:
        last = blinds(hand)[-1][0]
    else:
        last = hand.players[-1]
    order = [*hand.after(last), last]
    hand.to_speak = [p for p in order if p not in hand.all_in]


def _misdealt(hand: Hand, _event: ev.Misdealt, _left: int) -> None:
    hand.phase = "before_deal"
    hand.live = []
    hand.to_speak = []
    hand.spoken.clear()
    for cards in (hand.known, hand.places, hand.exposed, hand.sizes):
        cards.clear()


def _exposed(hand: Hand, event: ev.CardExposed, _left: int) -> None:
    hand.places[event.card] = (event.player, True)
    if event.by_dealer:
        hand.exposed[event.player] = (*hand.exposed.get(event.player, ()), event.card)


def _foul(hand: Hand, event: ev.HandFoul, left: int) -> None:
    if hand.rules.foul_hand == "short_allowed" and event.cards is not None and 0 < event.cards < 5:
        hand.sizes[event.player] = event.cards
    else:
        _out(hand, event.player, in_turn=False)


def _spoke(hand: Hand, player: str) -> None:
    """The say goes on to the left of who acted; who was passed over still has his."""
    hand.spoken.add(player)
    if hand.to_speak and hand.to_speak[0] == player:
        del hand.to_speak[0]
    else:
        hand.to_speak = [p for p in hand.after(player) if p in hand.to_speak]


def _staked(hand: Hand, event: ev.Staked, left: int) -> None:
    player = event.player
    _put_in(hand, player, event.units, left, live=True)
    hand.entered = True
    goes_in = hand.old and hand.opener is None and hand.phase in ("before_draw", "draw") and event.units > 0
    if hand.stake[player] > hand.high or goes_in:
        _raised(hand, player)
    else:
        _spoke(hand, player)
    if hand.phase == "after_draw":
        hand.called = True


def _raised(hand: Hand, player: str) -> None:
    new = hand.stake[player]
    increase = new - hand.high
    bet = hand.opener is None if hand.phase in ("before_draw", "draw") else hand.high == 0
    if hand.phase in ("before_draw", "draw") and hand.opener is None:
        hand.opener = player
        hand.opened_with = new
        if hand.old and player in hand.all_in:
            new = max(new, hand.price())  # he goes in with all he has; the others still owe the price
    blind_is_bet = not hand.old and hand.phase in ("before_draw", "draw") and hand.high > 0
    full = increase >= max(hand.last_full, full_size(hand))
    if full:
        hand.last_full = increase
        hand.spoken = {player}
    else:
        hand.spoken.add(player)
    if full and (not bet or blind_is_bet):
        hand.raises += 1
    hand.high = max(hand.high, new)
    hand.last_raiser = player
    hand.to_speak = [p for p in hand.after(player) if p in hand.live and p not in hand.all_in]


def _checked(hand: Hand, event: ev.Checked, _left: int) -> None:
    hand.stood.add(event.player)
    _spoke(hand, event.player)
    if hand.phase == "after_draw" and hand.rules.stand == "once" and hand.high == 0 and not hand.to_speak:
        hand.to_speak = [p for p in _play_order(hand) if p in hand.live and p not in hand.all_in]


def _out(hand: Hand, player: str, *, in_turn: bool = True) -> None:
    if player in hand.live:
        hand.live.remove(player)
    if in_turn:
        _spoke(hand, player)
    else:
        hand.to_speak = [p for p in hand.to_speak if p != player]
    for card, (whose, _) in list(hand.places.items()):
        if whose == player:
            hand.places[card] = (whose, False)
    if len(hand.live) == 1:
        last = hand.live[0]
        unopened = hand.phase == "before_draw" and hand.old and hand.opener is None and hand.rules.jackpots
        hand.to_speak = [last] if unopened and last in hand.to_speak else []


def _passed(hand: Hand, event: ev.Passed, _left: int) -> None:
    _out(hand, event.player)


def _drew(hand: Hand, event: ev.Drew, _left: int) -> None:
    player = event.player
    hand.drawn[player] = event.count
    hand.phase = "draw"
    hand.pool_at_draw = hand.pool
    if event.count:
        hand.known.pop(player, None)
        _known_to_hold(hand, player, was=True, now=None)


def _known_to_hold(hand: Hand, player: str, *, was: bool | None, now: bool | None) -> None:
    for card, (whose, still) in list(hand.places.items()):
        if whose == player and still is was:
            hand.places[card] = (player, now)


def _cards_known(hand: Hand, event: ev.CardsKnown, _left: int) -> None:
    player = event.player
    if event.kind == "discarded":  # then what he held besides he holds still
        _known_to_hold(hand, player, was=None, now=True)
    for card in event.cards:
        hand.places[card] = (player, event.kind != "discarded")
    held = tuple(card for card, (whose, still) in hand.places.items() if whose == player and still)
    if event.kind == "holds" and len(event.cards) == hand.size(player):
        hand.known[player] = event.cards
    elif event.kind != "holds" and len(held) == hand.size(player):
        hand.known[player] = held


def _shown(hand: Hand, event: ev.Shown, _left: int) -> None:
    player = event.player
    for card in event.cards:
        hand.places[card] = (player, card not in event.threw)
    if hand.opener == player and hand.live == [player]:
        hand.proved = proves_openers(hand, event.cards)
        hand.false_opening = not hand.proved
        hand.shown[player] = event.cards
        return
    if event.openers:
        return
    ranking = ranking_for(rank_rules(hand.rules))
    hand.shown[player] = event.cards
    hand.known[player] = event.cards
    hand.ranks[player] = ranking.rank(event.cards)
    hand.classes[player] = cast(HandName, ranking.class_of(hand.ranks[player]))


def proves_openers(hand: Hand, cards: tuple[int, ...]) -> bool:
    """Whether the cards are the pair the jack-pot opens on, or better (R-JACK-OPENERS)."""
    ranking = ranking_for(rank_rules(hand.rules))
    at = "23456789TJQKA".index(hand.openers or "J")
    return ranking.rank(cards) >= ranking.rank((4 * at, 4 * at + 1))


def _declared(hand: Hand, event: ev.HandDeclared, _left: int) -> None:
    hand.declared[event.player] = event.hand


def _mucked(hand: Hand, event: ev.Mucked, _left: int) -> None:
    hand.mucked.add(event.player)


def _won_as_stated(hand: Hand, event: ev.WonAsStated, _left: int) -> None:
    if hand.openers is not None and hand.live == [hand.opener]:
        hand.proved = True  # somebody saw the openers, and nobody wrote them down
        return
    hand.stated.append((event.player, event.units))
    if sum(units for _, units in hand.stated) >= hand.pool - kitty_part(hand):
        _decide(hand)


def _returned(hand: Hand, event: ev.UncalledReturned, _left: int) -> None:
    hand.pool -= event.units
    hand.stake[event.player] -= event.units
    hand.claims[event.player] -= event.units
    hand.returned[event.player] = hand.returned.get(event.player, 0) + event.units
    hand.high = max(hand.stake.values(), default=0)
    hand.all_in.discard(event.player)


def _kitty_taken(hand: Hand, event: ev.KittyTaken, _left: int) -> None:
    hand.pool -= event.units
    hand.kitty += event.units
    if event.kind == "rule":
        hand.kitty_ruled = True


def _rake(hand: Hand, event: ev.RakeTaken, _left: int) -> None:
    hand.pool -= event.units
    hand.rake[event.pot] = hand.rake.get(event.pot, 0) + event.units


def _penalty(hand: Hand, event: ev.PenaltyPaid, left: int) -> None:
    _put_in(hand, event.player, event.units, left, live=False)
    hand.penalty = event.units


def _given_back(hand: Hand, event: ev.StakeGivenBack, _left: int) -> None:
    hand.given_back = True
    hand.pool -= event.units
    hand.claims[event.player] -= event.units
    hand.returned[event.player] = hand.returned.get(event.player, 0) + event.units


def _awarded(hand: Hand, event: ev.PoolAwarded, _left: int) -> None:
    hand.pool -= event.units
    hand.awards.append(Award(event.player, event.units, event.pot, event.hand))


def _carried(hand: Hand, event: ev.PoolCarried, _left: int) -> None:
    hand.carried_on = event.units
    hand.won_pool = hand.to_win
    hand.phase = "over"


def _nothing(_hand: Hand, _event: ev.Event, _left: int) -> None:
    """The event changes nothing at the table."""


def _play_order(hand: Hand) -> list[str]:
    """Who speaks first, second ... after the draw (R-PLAY-FIRST, R-DRAW-FIRST, `jackpot_first_bet`)."""
    if hand.openers is not None and hand.rules.jackpot_first_bet == "opener" and hand.opener is not None:
        return [hand.opener, *hand.after(hand.opener)]
    if hand.openers is None and hand.rules.play_first == "left_of_ante":
        return [*hand.after(hand.age), hand.age]
    return list(hand.players)


def _advance(hand: Hand) -> None:
    """Moves on where an interval of betting, the draw or the show is complete and nothing has to come back first."""
    if hand.phase in ("before_deal", "over"):
        return
    if hand.deciding:
        if hand.pool == 0:
            hand.phase = "over"
        return
    if hand.phase == "show":
        _advance_show(hand)
        return
    if hand.all_in:
        _skip_all_in(hand)
    if hand.to_speak or uncalled(hand) is not None or not hand.live:
        return
    if len(hand.live) == 1:
        if hand.openers is not None and hand.opener == hand.live[0]:
            hand.phase = "show"
        else:
            _decide(hand)
    elif hand.phase in ("before_draw", "draw"):
        hand.phase = "draw"
        if hand.next_drawer() is None:
            _begin_play(hand)
    else:
        hand.phase = "show"


def _skip_all_in(hand: Hand) -> None:
    """Who is all in has no say, nor has the only one left who could bet once he has matched the others."""
    hand.to_speak = [p for p in hand.to_speak if p not in hand.all_in]
    if len(hand.to_speak) == 1 and (hand.opener is not None or not hand.old):
        last = hand.to_speak[0]
        others = [p for p in hand.live if p != last]
        most = max((hand.stake.get(p, 0) for p in others), default=0)
        if all(p in hand.all_in for p in others) and hand.stake.get(last, 0) >= most:
            hand.to_speak = []


def _begin_play(hand: Hand) -> None:
    """The interval of betting after the draw begins."""
    hand.phase = "after_draw"
    hand.stake = {}
    hand.high = 0
    hand.last_raiser = None
    hand.spoken = set()
    hand.stood = set()
    hand.last_full = 0
    hand.raises = 0
    hand.two_left = len(hand.live) == 2
    can = [p for p in _play_order(hand) if p in hand.live and p not in hand.all_in]
    hand.to_speak = can if len(can) > 1 else []
    if not hand.to_speak:
        hand.phase = "show"


def _advance_show(hand: Hand) -> None:
    if hand.opener is not None and hand.live == [hand.opener] and hand.openers is not None:
        if hand.proved and uncalled(hand) is None:
            _decide(hand)
        return
    if hand.stated:
        done = stated_so_far(hand) >= hand.pool - kitty_part(hand)
    else:
        done = len(hand.claimants()) == 1 or not hand.unshown()
    if done:
        _decide(hand)


def _decide(hand: Hand) -> None:
    hand.won_pool = hand.to_win
    hand.deciding = True
    hand.to_speak = []
    if hand.pool == 0:
        hand.phase = "over"


_APPLY: dict[type[ev.Event], Callable[[Hand, Any, int], None]] = {
    ev.AntePosted: _ante,
    ev.BlindPosted: _blind,
    ev.Straddled: _straddle,
    ev.Dealt: _dealt,
    ev.Misdealt: _misdealt,
    ev.CardExposed: _exposed,
    ev.HandFoul: _foul,
    ev.Staked: _staked,
    ev.Checked: _checked,
    ev.Passed: _passed,
    ev.Drew: _drew,
    ev.CardsKnown: _cards_known,
    ev.Shown: _shown,
    ev.HandDeclared: _declared,
    ev.Mucked: _mucked,
    ev.WonAsStated: _won_as_stated,
    ev.UncalledReturned: _returned,
    ev.KittyTaken: _kitty_taken,
    ev.RakeTaken: _rake,
    ev.PenaltyPaid: _penalty,
    ev.StakeGivenBack: _given_back,
    ev.PoolAwarded: _awarded,
    ev.PoolCarried: _carried,
    ev.MarkedIrregular: _nothing,
}
HAND_EVENTS = frozenset(_APPLY)
"""The types of event that belong to a hand in play."""
