"""The draw: who may draw now, and how many (R-DRAW-GOOD, R-DRAW-ORDER, R-DRAW-COUNT, R-DRAW-INTERLEAVE)."""

from collections.abc import Iterator

from ledger.refusal import Refusal
from ledger.table.hand import Hand


def may_draw(hand: Hand, player: str) -> Iterator[Refusal]:
    """Why the player may not draw now; nothing where he may."""
    if player not in hand.live:
        yield Refusal("R-PASS-FINAL", f"@{player} is not in this hand")
        return
    if player in hand.drawn:
        yield Refusal(
            "R-DRAW-COUNT", f"@{player} has drawn", "once only; a choice cannot be changed", final=True
        )
        return
    if hand.phase not in ("before_draw", "draw"):
        when = "the cards are not dealt" if hand.phase == "before_deal" else "the draw is over"
        yield Refusal("R-DRAW-ORDER", f"@{player} cannot draw: {when}", final=True)
        return
    if hand.to_speak:  # told first: whoever is next to draw may have to wait for it too
        yield from _while_others_speak(hand, player)
    drawer = hand.next_drawer()
    if drawer != player and not hand.old and not hand.drawing:
        yield Refusal(
            "R-DRAW-FIRST", f"@{player} is not the first to draw", f"@{drawer} draws first (R-DRAW-ORDER)"
        )
    elif drawer != player:
        yield Refusal("R-DRAW-ORDER", f"@{player} is not the next to draw", f"@{drawer} draws first")


def _while_others_speak(hand: Hand, player: str) -> Iterator[Refusal]:
    """Drawing while stakes are still open: only interleaved, only when good, only in the order of the draw."""
    first = f"@{hand.to_speak[0]} has the say first"
    if hand.rules.draw_when == "after":
        yield Refusal("R-DRAW-GOOD", f"@{player} cannot draw before all stakes are equal", first)
    elif player in hand.to_speak:
        yield Refusal("R-DRAW-GOOD", f"the stake of @{player} is not good yet", first)
    elif not hand.drawing and (hand.last_raiser is None or player == hand.last_raiser):
        yield Refusal("R-DRAW-INTERLEAVE", f"@{player} cannot draw before the others have answered", first)


def count_refused(hand: Hand, player: str, count: int) -> Iterator[Refusal]:
    """Why so many cards cannot be drawn; nothing where they can."""
    size = hand.size(player)
    if not 0 <= count <= size:
        yield Refusal("R-DRAW-COUNT", f"@{player} cannot draw {count}", f"nought to {size} cards")


def pack_size(hand: Hand) -> int:
    """The cards of the pack: 52, with the joker 53 (R-PACK)."""
    return 52 if hand.rules.joker == "off" else 53


def ran_out(hand: Hand) -> bool:
    """Whether the pack has run out in the draw, so that what was thrown away was shuffled and drawn from again."""
    dealt = sum(hand.size(player) for player in hand.players)
    return dealt + sum(hand.drawn.values()) > pack_size(hand)
