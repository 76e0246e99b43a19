"""Judging an action of a hand before it is folded: which rules it breaks, and what would have been allowed.

`refused` gives every broken rule, the first to be told; nothing where the action is allowed. A `!` overrides the rules
of turn, amount and draw (`SOFT`), never the pack, the counters or table stakes, nor what has no meaning at the table as
it stands.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledger import events as ev
from ledger.cards.pack import JOKER, card_text, cards_text
from ledger.refusal import Refusal
from ledger.table.betting import Say, say_of
from ledger.table.draw import count_refused, may_draw, pack_size, ran_out
from ledger.table.hand import Hand
from ledger.table.posts import ante_refused, blind_refused, deal_refused, straddle_refused
from ledger.table.pots import alone_in, kitty_part, stated_so_far
from ledger.table.project import apply

SOFT = frozenset(
    """R-ANTE R-BLINDS R-CALL R-CHECK R-CUT R-DEAL-ROTATE R-DRAW-COUNT R-DRAW-FIRST R-DRAW-GOOD R-DRAW-INTERLEAVE
    R-DRAW-ORDER R-FIXED-LIMIT R-GO-IN R-GO-IN-RAISE R-LIMIT R-MIN-RAISE R-POT-LIMIT R-SAY-FIRST R-STAND R-STRADDLE-CAP
    R-STRADDLE-STEP R-STRADDLE-TURN R-TURN""".split()
)
"""The rules of turn, amount and draw, which a `!` overrides: it was played so, though they forbid it."""


def overridable(refusal: Refusal) -> bool:
    """Whether a `!` before the action records it all the same, marked irregular."""
    return refusal.rule in SOFT and not refusal.final


def refused(hand: Hand, event: ev.Event, held: Mapping[str, int]) -> Iterator[Refusal]:
    """The rules the event would break. `held` are the units before each player, before the event."""
    player = getattr(event, "player", None)
    if player is not None and player not in hand.players:
        yield Refusal("R-PASS-FINAL", f"@{player} is not dealt into this hand")
        return
    if hand.over:
        yield Refusal("R-TURN", f"hand {hand.number} is over", "the next hand", final=True)
        return
    yield from _CHECKS[type(event)](hand, event, held)


def _ante(hand: Hand, event: ev.AntePosted, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from ante_refused(hand, event.player, event.units, held)
    yield from _pays(hand, event.player, event.units, held)


def _blind(hand: Hand, event: ev.BlindPosted, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from blind_refused(hand, event.player, event.blind, event.units, held)
    yield from _pays(hand, event.player, event.units, held)


def _straddle(hand: Hand, event: ev.Straddled, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from straddle_refused(hand, event.player, event.units)
    yield from _pays(hand, event.player, event.units, held)


def _deal(hand: Hand, _event: ev.Dealt, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from deal_refused(hand, held)


def _misdeal(hand: Hand, _event: ev.Misdealt, _held: Mapping[str, int]) -> Iterator[Refusal]:
    if hand.phase == "before_deal":
        yield Refusal("R-DEAL", "nothing is dealt", "deal")
    elif hand.entered or hand.drawing or hand.phase != "before_draw":
        yield Refusal("R-WRONG-COUNT", "a bet is made", "a fresh deal only before the first bet")


def _exposed(hand: Hand, event: ev.CardExposed, _held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _dealt_in(hand, event.player)
    if event.card in hand.exposed.get(event.player, ()):
        yield Refusal(
            "R-EXPOSED-ONE", f"{card_text(event.card)} is exposed already", "another card, or once only"
        )
    yield from _free(hand, event.player, (event.card,))


def _foul(hand: Hand, event: ev.HandFoul, _held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _dealt_in(hand, event.player)
    if event.player in hand.sizes:
        had = f"@{event.player} has {hand.sizes[event.player]} cards on record"
        yield Refusal("R-FOUL", had, "once only; undo, if that was a slip")
    if event.cards == 5:
        yield Refusal("R-FOUL", "five cards are no foul hand", "more or fewer than five")
    seen = sum(1 for whose, still in hand.places.values() if whose == event.player and still)
    if event.cards is not None and event.cards < seen:
        yield Refusal("R-FOUL", f"@{event.player} is known to hold {seen} cards", f"{seen} or more")
    if hand.rules.foul_hand == "short_allowed" and event.cards is None:
        yield Refusal("R-FOUL", "a short hand may be played", f"say how many cards: @{event.player} foul 4")


def _dealt_in(hand: Hand, player: str) -> Iterator[Refusal]:
    if hand.phase == "before_deal":
        yield Refusal("R-DEAL", "the cards are not dealt", "deal first")
    elif player not in hand.live:
        yield Refusal("R-PASS-FINAL", f"@{player} is not in this hand any more")


def _turn(hand: Hand, player: str) -> Iterator[Refusal]:
    """Whether the say is the player's (R-TURN, R-SAY-FIRST)."""
    if hand.phase == "before_deal":
        yield Refusal("R-DEAL", "the cards are not dealt", "deal first")
    elif player not in hand.live:
        yield Refusal("R-PASS-FINAL", f"@{player} has passed", "a hand thrown down cannot be taken up again")
    elif player in hand.all_in:
        yield Refusal("R-ALL-IN", f"@{player} is all in and has no say")
    elif not hand.to_speak:
        drawer = hand.next_drawer() if hand.phase == "draw" else None
        what = f"@{drawer} draws" if drawer else ("the show" if hand.phase == "show" else "nothing")
        right = what if drawer else f"{what} is next"
        yield Refusal("R-TURN", f"@{player} has no say now", right, final=hand.phase == "show")
    elif hand.to_speak[0] != player:
        first = hand.opener is None and not hand.spoken and hand.phase == "before_draw" and hand.old
        rule = "R-SAY-FIRST" if first else "R-TURN"
        yield Refusal(rule, f"it is not the turn of @{player}", f"@{hand.to_speak[0]} has the say")


def _staked(hand: Hand, event: ev.Staked, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _turn(hand, event.player)
    if event.player not in hand.live:
        return
    say = say_of(hand, event.player, held.get(event.player, 0))
    owed = hand.high - hand.stake.get(event.player, 0)
    if event.action == "all_in":
        if say.all_in is None:
            yield _no_all_in(hand, event.player, held.get(event.player, 0), say.most)
    elif event.action == "call":
        if say.call is None or say.call == 0:
            yield say.no_call or Refusal(
                "R-CALL",
                f"there is nothing for @{event.player} to call",
                _ways(say),
            )
        elif say.no_call is not None:
            yield say.no_call
        elif event.units != say.call:
            yield Refusal("R-CALL", f"@{event.player} calls {say.call}, not {event.units}")
        yield from _pays(hand, event.player, event.units, held)
    else:
        yield from _increase(hand, event, say, owed, held.get(event.player, 0))


def _increase(hand: Hand, event: ev.Staked, say: Say, owed: int, held: int) -> Iterator[Refusal]:
    by = event.units - owed if say.verb == "raise" else event.units
    if say.no_raise is not None and say.no_raise.rule not in ("R-CONSERVE", "R-TABLE-STAKES"):
        yield say.no_raise
    elif event.action != say.verb and {event.action, say.verb} != {"open", "bet"}:
        what = "nobody has bet" if say.verb != "raise" else "there is a bet already"
        yield Refusal("R-CALL", f"@{event.player} cannot {event.action}: {what}", _ways(say))
    elif by < say.least:
        yield Refusal(say.low, f"{_noun(say.verb)} of {by} is too little", _range(say))
    elif by > say.most and event.units <= held:
        yield Refusal(say.high, f"{_noun(say.verb)} of {by} is too much", _range(say))
    yield from _pays(hand, event.player, event.units, {event.player: held})


def _ways(say: Say) -> str:
    """All that the say leaves him, in the words of the sheet."""
    ways = ["checks"] if say.no_check is None else []
    if say.call and say.no_call is None:
        ways.append(f"calls {say.call}")
    if say.no_raise is None:
        ways.append(f"{say.verb}s {_range(say)}")
    return f"{', '.join(ways)} or passes" if ways else "passes"


def _noun(verb: str) -> str:
    return {"open": "an opening", "bet": "a bet", "raise": "a raise"}[verb]


def _range(say: Say) -> str:
    if say.least > say.most:
        return "only all-in, or a call or pass"
    return f"exactly {say.least}" if say.least == say.most else f"{say.least} to {say.most}"


def _no_all_in(hand: Hand, player: str, held: int, most: int) -> Refusal:
    if not hand.rules.table_stakes:
        return Refusal("R-ALL-IN", "there are no all-ins without table stakes", "buys counters, or passes")
    if held <= 0:
        return Refusal("R-ALL-IN", f"@{player} has nothing left")
    return Refusal(
        "R-ALL-IN", f"@{player} may not stake all {held} now", f"raises {most} at most, calls or passes"
    )


def _pays(hand: Hand, player: str, units: int, held: Mapping[str, int]) -> Iterator[Refusal]:
    has = held.get(player, 0)
    if units > has:
        rule = "R-TABLE-STAKES" if hand.rules.table_stakes else "R-CONSERVE"
        way = f"at most {has}" if hand.rules.table_stakes else "buys counters first"
        yield Refusal(rule, f"@{player} holds {has} and cannot put in {units}", way)


def _checked(hand: Hand, event: ev.Checked, held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _turn(hand, event.player)
    if event.player in hand.live:
        say = say_of(hand, event.player, held.get(event.player, 0))
        if say.no_check is not None:
            yield say.no_check


def _passed(hand: Hand, event: ev.Passed, _held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _turn(hand, event.player)


def _drew(hand: Hand, event: ev.Drew, _held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from may_draw(hand, event.player)
    yield from count_refused(hand, event.player, event.count)


def draw_refused(
    hand: Hand, event: ev.Drew, cards: Sequence[ev.Event], held: Mapping[str, int]
) -> Iterator[Refusal]:
    """The rules that a draw would break, and what is said of its cards, each as the one before leaves the hand."""
    found = list(refused(hand, event, held))
    yield from found
    if not cards or not all(map(overridable, found)):
        return
    then = hand.copy()
    apply(then, event, held.get(event.player, 0), hand.last_version, hand.ended_at)
    for known in cards:
        yield from refused(then, known, held)
        apply(then, known, held.get(event.player, 0), hand.last_version, hand.ended_at)


def _cards_known(hand: Hand, event: ev.CardsKnown, _held: Mapping[str, int]) -> Iterator[Refusal]:
    yield from _dealt_in(hand, event.player)
    if event.kind != "holds":
        count = hand.drawn.get(event.player)
        if count is None or len(event.cards) != count:
            had = "has not drawn" if count is None else f"drew {count}"
            what = "come" if event.kind == "received" else "been thrown away"
            yield Refusal("R-DRAW-COUNT", f"@{event.player} {had}, {len(event.cards)} cannot have {what}")
    if event.kind == "received":
        yield from _free(hand, event.player, event.cards, new=True)
    elif event.kind == "discarded":
        yield from _had(hand, event.player, event.cards)
        yield from _free(hand, event.player, event.cards)
    else:
        yield from _size(hand, event.player, event.cards, most_only=True)
        yield from _free(hand, event.player, event.cards)
        yield from _agrees(hand, event.player, event.cards)


def _had(hand: Hand, player: str, cards: tuple[int, ...]) -> Iterator[Refusal]:
    """Whether he can have thrown the cards away: he held them, where the record knows all that he held."""
    before = tuple(card for card, (whose, still) in hand.places.items() if whose == player and still is None)
    for card in cards:
        if len(before) == hand.size(player) and card not in before:
            yield Refusal("R-PACK", f"@{player} did not hold {card_text(card)}", cards_text(before))


def _size(hand: Hand, player: str, cards: tuple[int, ...], *, most_only: bool = False) -> Iterator[Refusal]:
    size = hand.size(player)
    if len(cards) > size or (len(cards) < size and not most_only):
        yield Refusal("R-FOUL", f"@{player} has {len(cards)} cards", f"a hand is {size} cards")


def _agrees(hand: Hand, player: str, cards: tuple[int, ...]) -> Iterator[Refusal]:
    """Whether the cards are those the record knows him to hold, but for as many as he drew."""
    mine = {card for card, (whose, still) in hand.places.items() if whose == player and still}
    perhaps = {card for card, (whose, still) in hand.places.items() if whose == player and still is None}
    strange, parted = mine - set(cards), perhaps - set(cards)
    if len(cards) == hand.size(player) and (strange or len(parted) > hand.drawn.get(player, 0)):
        mine |= perhaps
        yield Refusal("R-PACK", f"@{player} holds {cards_text(tuple(sorted(mine)))}", "the cards on record")


def _free(hand: Hand, player: str, cards: tuple[int, ...], *, new: bool = False) -> Iterator[Refusal]:
    """Whether each card can be where it is said to be: in the pack, once, in nobody else's hand (R-PACK)."""
    again = ran_out(hand)
    if len(set(cards)) < len(cards):
        yield Refusal("R-PACK", f"a card is named twice in {cards_text(cards)}", "no card is in two places")
    for card in cards:
        if card == JOKER and pack_size(hand) == 52:
            yield Refusal("R-PACK", "there is no joker in this pack", "set joker higher, or mistigris")
        whose, still = hand.places.get(card, (player, True))
        if whose == player and still is False:
            yield Refusal("R-PACK", f"@{player} threw {card_text(card)} away", "no card is in two places")
        elif whose != player and (still or not again):
            where = "was thrown away by" if still is False else "is in the hand of"
            yield Refusal("R-PACK", f"{card_text(card)} {where} @{whose}", "no card is in two places")
        elif new and card in hand.places and whose == player:
            yield Refusal("R-PACK", f"@{player} held {card_text(card)} before", "no card is in two places")


def _shown(hand: Hand, event: ev.Shown, _held: Mapping[str, int]) -> Iterator[Refusal]:
    player = event.player
    if hand.phase == "before_deal" or player not in hand.live:
        yield from _dealt_in(hand, player)
        return
    proof = hand.opener is not None and hand.openers is not None and hand.live == [hand.opener]
    if hand.phase != "show":
        yield Refusal("R-SHOW", "it is not time to show yet", _first(hand))
    elif player in hand.shown or player in hand.mucked:
        done = "shown" if player in hand.shown else "thrown his hand away"
        yield Refusal("R-SHOW", f"@{player} has {done}", "once only")
    if event.openers and not proof:
        yield Refusal(
            "R-JACK-SHOW", "openers are shown when all the others have passed", f"@{player} shows CARDS"
        )
    if event.threw and hand.rules.split_openers == "no":
        yield Refusal("R-JACK-SHOW", "the openers must be in the hand he holds", "set split_openers declared")
    if not event.openers:
        yield from _size(hand, player, event.cards)
        yield from _agrees(hand, player, event.cards)
    yield from _free(hand, player, tuple(c for c in event.cards if c not in event.threw))
    if len(set(event.threw)) > hand.drawn.get(player, 0) or set(event.threw) - set(event.cards):
        yield Refusal(
            "R-JACK-SHOW", f"@{player} cannot have thrown {cards_text(event.threw)}", "those he drew for"
        )


def _first(hand: Hand) -> str:
    """What comes before the show, in a hand that is dealt."""
    return f"@{hand.to_speak[0]} has the say" if hand.to_speak else f"@{hand.next_drawer()} draws"


def _declared(hand: Hand, event: ev.HandDeclared, _held: Mapping[str, int]) -> Iterator[Refusal]:
    if hand.phase != "show" or event.player not in hand.live:
        yield Refusal("R-SHOW", f"@{event.player} cannot declare a hand now", "at the show")


def _mucked(hand: Hand, event: ev.Mucked, _held: Mapping[str, int]) -> Iterator[Refusal]:
    player = event.player
    if hand.phase != "show" or player not in hand.live:
        yield Refusal("R-SHOW", f"@{player} has nothing to show now", f"@{player} passes")
    elif hand.live == [player]:
        yield Refusal(
            "R-JACK-SHOW", f"@{player} must show the openers first", f"@{player} shows openers CARDS"
        )
    elif hand.rules.show == "all":
        yield Refusal("R-SHOW", "every hand still in is shown", f"@{player} shows CARDS")
    elif player in hand.shown or player in hand.mucked:
        yield Refusal("R-SHOW", f"@{player} has shown or thrown his hand away", "once only")
    elif alone_in(hand, player):
        yield Refusal("R-SIDE-POT", f"@{player} is the last who claims a pot", f"@{player} shows CARDS")


def _won(hand: Hand, event: ev.WonAsStated, _held: Mapping[str, int]) -> Iterator[Refusal]:
    if hand.phase != "show" or event.player not in hand.claimants():
        yield Refusal(
            "R-SHOW", f"@{event.player} cannot take the pool now", "when all is called, one still in"
        )
        return
    left = hand.pool - kitty_part(hand) - stated_so_far(hand)
    if event.units > left or (left and not event.units):
        yield Refusal("R-CONSERVE", f"there are {left} in the pool", f"1 to {left}")


def _kept(hand: Hand, event: ev.KittyTaken | ev.RakeTaken, _held: Mapping[str, int]) -> Iterator[Refusal]:
    left = hand.pool - stated_so_far(hand)
    if event.units > left:
        yield Refusal("R-CONSERVE", f"there are {left} in the pool", f"at most {left}")


_CHECKS: dict[type[ev.Event], Callable[[Hand, Any, Mapping[str, int]], Iterator[Refusal]]] = {
    ev.AntePosted: _ante,
    ev.BlindPosted: _blind,
    ev.Straddled: _straddle,
    ev.Dealt: _deal,
    ev.Misdealt: _misdeal,
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
    ev.WonAsStated: _won,
    ev.KittyTaken: _kept,
    ev.RakeTaken: _kept,
}
ACTIONS = frozenset(_CHECKS)
"""The types of event that somebody asks for in a hand; what else happens in it the rules imply."""
