"""What a player may do when the say is his: pass, stand, call, open, bet, raise, all he has, and by how much.

`say_of` answers for any player as if it were his turn; `options.py` offers it and `check.py` judges by it, so that what
the table offers and what it accepts cannot differ. All amounts are units, in the meaning of the sheet's verbs: an
opening or a bet is what is put in now, a raise is above the call.
"""

from dataclasses import dataclass

from ledger.refusal import Refusal
from ledger.rules.model import MOST_UNITS, CapLimit, FixedLimit, PotLimit
from ledger.table.hand import Hand


@dataclass(frozen=True, slots=True)
class Say:
    """What one player may do.

    `call` is what matches the stake (None: there is nothing to call), `verb` what an increase is called now, `least`
    and `most` its bounds (least over most: it can only be made all-in, if at all). `no_check`, `no_call` and `no_raise`
    are the refusals where that is forbidden; `low` and `high` the rules that bound an increase.
    """

    call: int | None
    verb: str
    least: int
    most: int
    all_in: int | None
    low: str
    high: str
    no_check: Refusal | None
    no_call: Refusal | None
    no_raise: Refusal | None


def opened(hand: Hand) -> bool:
    """Whether this interval has an opening or a bet; the blinds are one (R-BLINDS)."""
    if hand.phase in ("before_draw", "draw"):
        return hand.opener is not None or (not hand.old and hand.high > 0)
    return hand.high > 0


def say_of(hand: Hand, player: str, held: int) -> Say:
    """What the player may do with `held` units before him if the say is his."""
    before = hand.phase in ("before_draw", "draw")
    mine = hand.stake.get(player, 0)
    owed = hand.high - mine
    is_open = opened(hand)
    if before and hand.old and not is_open:
        return _go_in(hand, player, held, mine)
    least, most, low, high = _increase(hand, owed)
    no_raise = _no_raise(hand, player, before, is_open)
    reach = held - owed
    call = min(owed, held) if hand.rules.table_stakes else owed
    return Say(
        call=call if is_open and owed > 0 else None,
        verb="raise" if is_open else ("open" if before else "bet"),
        least=least,
        most=min(most, reach),
        all_in=_all_in(hand, held, owed, most, least, no_raise),
        low=low,
        high=high if most <= reach else ("R-TABLE-STAKES" if hand.rules.table_stakes else "R-CONSERVE"),
        no_check=_no_check(hand, player, owed, before),
        no_call=_cannot_pay(hand, player, call, held) if is_open else None,
        no_raise=no_raise or (_cannot_pay(hand, player, owed + least, held) if reach < least else None),
    )


def _go_in(hand: Hand, player: str, held: int, mine: int) -> Say:
    """The old rules before anybody has gone in: open for the price of entry or more, or pass (R-GO-IN).

    Who is left alone has nobody to go in against: any stake takes the pool (R-ANTE-ALONE).
    """
    price = max(hand.price() - mine, 0)
    least = 1 if hand.live == [player] and hand.openers is None else price
    most = price + _room(hand, price) if hand.rules.raise_before_draw else max(price, least)
    stand = Refusal("R-GO-IN", f"@{player} cannot stand before the draw", f"opens {least} or more, or passes")
    return Say(
        call=None,
        verb="open",
        least=least,
        most=min(most, held),
        all_in=held if hand.rules.table_stakes and 0 < held <= most else None,
        low="R-GO-IN",
        high=("R-LIMIT" if hand.rules.raise_before_draw else "R-GO-IN-RAISE")
        if most <= held
        else "R-CONSERVE",
        no_check=stand,
        no_call=Refusal(
            "R-GO-IN", f"nobody has gone in for @{player} to call", f"opens {least} or more, or passes"
        ),
        no_raise=_cannot_pay(hand, player, least, held),
    )


def _room(hand: Hand, price: int) -> int:
    """By how much who goes in may raise above the price at once; under a fixed limit the opening is the price."""
    limit = hand.rules.effective_limit
    if isinstance(limit, CapLimit):
        return limit.units
    if isinstance(limit, PotLimit):
        return hand.pool + price
    return 0 if isinstance(limit, FixedLimit) else MOST_UNITS


def _increase(hand: Hand, owed: int) -> tuple[int, int, str, str]:
    """The least and the most of a bet or raise, before what the player has is looked at, and the rules for each."""
    limit = hand.rules.effective_limit
    if isinstance(limit, FixedLimit):
        exact = full_size(hand)
        return exact, exact, "R-FIXED-LIMIT", "R-FIXED-LIMIT"
    if isinstance(limit, CapLimit):
        most, high = limit.units, "R-LIMIT"
    elif isinstance(limit, PotLimit):
        most, high = hand.pool + owed, "R-POT-LIMIT"
    else:
        most, high = MOST_UNITS, "R-TABLE-STAKES"
    if hand.old:
        return 1, most, "R-LIMIT", high
    least = max(hand.last_full, full_size(hand))
    return least, max(most, least), "R-MIN-RAISE", high


def full_size(hand: Hand) -> int:
    """What a bet or raise must be to count as a full one, in units (R-MIN-RAISE, R-FIXED-LIMIT)."""
    limit = hand.rules.effective_limit
    if isinstance(limit, FixedLimit):
        return limit.small if hand.phase in ("before_draw", "draw") else limit.big
    return 1 if hand.old else hand.rules.big or hand.rules.ante or 1


def _no_raise(hand: Hand, player: str, before: bool, is_open: bool) -> Refusal | None:
    """Why nobody, or this player, may raise now; None: he may."""
    if before and hand.drawing:
        return Refusal(
            "R-DRAW-INTERLEAVE", "nobody may raise once the draw has begun", f"@{player} calls or passes"
        )
    if before and hand.old and not hand.rules.raise_before_draw:
        return Refusal("R-GO-IN-RAISE", "there is no raising before the draw", f"@{player} calls or passes")
    fixed = isinstance(hand.rules.effective_limit, FixedLimit)
    if fixed and is_open and hand.raises >= hand.rules.cap and not hand.two_left:
        return Refusal(
            "R-FIXED-LIMIT", f"the bet has been raised {hand.raises} times", f"@{player} calls or passes"
        )
    if not hand.old and player in hand.spoken and is_open:
        return Refusal(
            "R-MIN-RAISE", f"@{player} has spoken and nobody raised in full since", "he calls or passes"
        )
    if all(p in hand.all_in for p in hand.live if p != player):
        return Refusal("R-ALL-IN", "everybody else is all in", f"@{player} calls or passes")
    return None


def _no_check(hand: Hand, player: str, owed: int, before: bool) -> Refusal | None:
    """Why the player may not stand now; None: he may (R-STAND, R-CHECK)."""
    if owed > 0 or (before and hand.old):
        rule = "R-CHECK" if not hand.old else ("R-GO-IN" if before else "R-CALL")
        return Refusal(rule, f"@{player} faces a stake of {hand.high}", f"calls {owed}, raises or passes")
    if hand.rules.stand == "never" and hand.high == 0:
        return Refusal("R-STAND", f"@{player} may not stand", "bets or passes")
    if hand.rules.stand == "once" and player in hand.stood:
        return Refusal("R-STAND", f"@{player} has stood once", "bets or passes")
    return None


def _cannot_pay(hand: Hand, player: str, units: int, held: int) -> Refusal | None:
    """Why the player cannot put in so many units; None: he can."""
    if held >= units:
        return None
    if hand.rules.table_stakes:
        return Refusal(
            "R-TABLE-STAKES", f"@{player} has {held} on the table", f"all-in for {held}, or passes"
        )
    return Refusal(
        "R-CONSERVE", f"@{player} holds {held}, that takes {units}", "buys counters first, or passes"
    )


def _all_in(hand: Hand, held: int, owed: int, most: int, least: int, no_raise: Refusal | None) -> int | None:
    """What an all-in stakes, or None where it is not allowed: no table stakes, nothing left, or over the limit."""
    if not hand.rules.table_stakes or held <= 0:
        return None
    if held > owed and (no_raise is not None or held - owed > most):
        return None
    return held
