"""What the table offers now: who may do what, between which amounts (units, in the meaning of the sheet's verbs)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.table.betting import say_of
from ledger.table.draw import may_draw
from ledger.table.hand import Hand
from ledger.table.posts import posts_due, straddle_due
from ledger.table.pots import alone_in


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a player may do; `least` and `most` are None where the action has no amount."""

    player: str
    action: str
    least: int | None = None
    most: int | None = None


def options(hand: Hand, held: Mapping[str, int]) -> list[Option]:
    """All that may be done now, the player in turn first. `held` are the units before each player."""
    if hand.phase == "before_deal":
        return _before_deal(hand, held)
    if hand.phase == "show":
        return _show(hand)
    found: list[Option] = []
    if hand.to_speak:
        found += _say(hand, hand.to_speak[0], held.get(hand.to_speak[0], 0))
    drawer = hand.next_drawer()
    if hand.phase in ("before_draw", "draw") and drawer is not None and not any(may_draw(hand, drawer)):
        size = hand.size(drawer)
        found.append(Option(drawer, "draw", 0, size))
    return found


def to_act(hand: Hand, held: Mapping[str, int]) -> str | None:
    """The player whose turn it is, or None."""
    if hand.phase in ("before_draw", "draw", "after_draw") and hand.to_speak:
        return hand.to_speak[0]
    offered = options(hand, held)
    return offered[0].player if offered else None


def _before_deal(hand: Hand, held: Mapping[str, int]) -> list[Option]:
    due = posts_due(hand, held)
    found = [
        Option(d.player, "antes" if d.what == "ante" else f"posts_{d.what}", d.units, d.units)
        for d in due
        if d.units <= held.get(d.player, 0)
    ]
    if not any(d.required for d in due):
        straddle = straddle_due(hand)
        if straddle is not None and straddle[1] <= held.get(straddle[0], 0):
            found.append(Option(straddle[0], "straddles", straddle[1], straddle[1]))
        found.append(Option(hand.dealer, "deals"))
    return found


def _say(hand: Hand, player: str, held: int) -> list[Option]:
    say = say_of(hand, player, held)
    found = [Option(player, "pass")]
    if say.no_check is None:
        found.append(Option(player, "check"))
    if say.call is not None and say.no_call is None and say.call > 0:
        found.append(Option(player, "call", say.call, say.call))
    if say.no_raise is None and say.least <= say.most:
        found.append(Option(player, say.verb, say.least, say.most))
    if say.all_in is not None:
        found.append(Option(player, "all_in", say.all_in, say.all_in))
    return found


def _show(hand: Hand) -> list[Option]:
    if hand.opener is not None and hand.live == [hand.opener]:
        return [Option(hand.opener, "show")]
    found = []
    for player in hand.unshown():
        found.append(Option(player, "show"))
        if hand.rules.show == "may_muck" and not alone_in(hand, player):
            found.append(Option(player, "muck"))
    return found
