"""What goes in before the deal: antes, blinds and straddles (R-ANTE, R-JACK-ANTE, R-BLINDS, R-STRADDLE-TURN)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ledger.refusal import Refusal
from ledger.table.hand import Hand


@dataclass(frozen=True, slots=True)
class Due:
    """A stake somebody owes before the deal, in units (less than the rule's where he has less on the table)."""

    player: str
    what: str
    units: int
    required: bool = True


def posts_due(hand: Hand, held: Mapping[str, int]) -> list[Due]:
    """What is still to be put up, in the order of the seats; straddles apart."""
    rules = hand.rules
    if hand.old and hand.openers is None:
        return [] if hand.anted else [Due(hand.age, "ante", _able(hand, held, hand.age, rules.ante or 0))]
    due: list[Due] = []
    if rules.ante:
        due += [
            Due(p, "ante", _able(hand, held, p, rules.ante))
            for p in hand.players
            if p not in hand.anted and p not in hand.all_in
        ]
    if not hand.old:
        posted = {player for player, _ in hand.forced}
        due += [
            Due(p, what, _able(hand, held, p, units))
            for p, what, units in blinds(hand)
            if units and p not in posted and p not in hand.all_in
        ]
    return due


def blinds(hand: Hand) -> list[tuple[str, str, int]]:
    """Who owes the small and the big blind and how much; with two players the dealer has the small one (R-BLINDS).

    A small blind that fell to an empty seat is owed by nobody.
    """
    if hand.dead_small:
        return [(hand.players[0], "big", hand.rules.big or 0)]
    first, second = (hand.dealer, hand.age) if len(hand.players) == 2 else (hand.players[0], hand.players[1])
    return [(first, "small", hand.rules.small or 0), (second, "big", hand.rules.big or 0)]


def straddle_due(hand: Hand) -> tuple[str, int] | None:
    """Who may straddle now and with how many units, or None (R-STRADDLE-TURN, R-STRADDLE-STEP, R-STRADDLE-CAP)."""
    rules = hand.rules
    if not hand.old or hand.openers is not None or rules.straddle == "none" or not hand.forced:
        return None
    turn = len(hand.forced)
    if turn >= len(hand.players):
        return None
    units = next_straddle(hand)
    cap = rules.most_staked_blind
    if cap is not None and units > cap:
        return None
    return hand.players[turn], units


def next_straddle(hand: Hand) -> int:
    """The units of the next straddle, whether or not it is allowed."""
    ante = hand.rules.ante or 0
    last = hand.forced[-1][1] if hand.forced else ante
    return 2 * last if hand.rules.straddle == "double" else last + ante


def ante_refused(hand: Hand, player: str, units: int, held: Mapping[str, int]) -> Iterator[Refusal]:
    """Why this ante cannot be put up."""
    if hand.phase != "before_deal":
        yield Refusal("R-BLIND-UNSEEN", "the cards are dealt", "antes go in before the deal")
        return
    due = {d.player: d.units for d in posts_due(hand, held) if d.what == "ante"}
    if player in due:
        if units != due[player]:
            yield Refusal("R-ANTE", f"the ante of @{player} is {due[player]}, not {units}")
    elif player in hand.anted:
        rule = "R-JACK-ANTE" if hand.openers is not None else "R-ANTE"
        yield Refusal(rule, f"@{player} has put up his ante", "once only")
    elif hand.old:
        yield Refusal("R-ANTE", f"@{player} is not the age", f"@{hand.age} antes {hand.rules.ante}")
    else:
        yield Refusal("R-ANTE", f"@{player} owes no ante in this game")


def blind_refused(
    hand: Hand, player: str, blind: str, units: int, held: Mapping[str, int]
) -> Iterator[Refusal]:
    """Why this blind cannot be put up; an extra one is bounded by the big blind only."""
    if hand.old:
        yield Refusal(
            "R-ANTE", "there are no blinds in this game", f"@{hand.age} antes {hand.rules.ante}", final=True
        )
        return
    if hand.phase != "before_deal":
        yield Refusal("R-BLINDS", "the cards are dealt", "blinds go in before the deal", final=True)
        return
    if blind == "extra":
        if units > (hand.rules.big or 0):
            yield Refusal(
                "R-BLINDS", f"@{player} cannot post {units}", f"at most the big blind, {hand.rules.big}"
            )
        return
    due = next((d for d in posts_due(hand, held) if d.what == blind), None)
    owner = next((p for p, what, _ in blinds(hand) if what == blind), None)
    if owner != player:
        yield Refusal("R-BLINDS", f"@{player} does not owe the {blind} blind", f"@{owner} posts it")
    elif due is None:
        yield Refusal("R-BLINDS", f"@{player} owes no {blind} blind now", "once only, and not for nothing")
    elif due.units != units:
        yield Refusal("R-BLINDS", f"the {blind} blind of @{player} is {due.units}, not {units}")


def straddle_refused(hand: Hand, player: str, units: int) -> Iterator[Refusal]:
    """Why this straddle cannot be put up."""
    rules = hand.rules
    if hand.phase != "before_deal":
        yield Refusal("R-BLIND-UNSEEN", "the cards are dealt", "straddles go in before the deal")
        return
    if not hand.old or rules.straddle == "none" or hand.openers is not None:
        yield Refusal("R-STRADDLE-STEP", "there are no straddles in this game", "deal", final=True)
        return
    if not hand.forced:
        yield Refusal(
            "R-STRADDLE-TURN", f"@{player} cannot straddle yet", f"@{hand.age} antes first", final=True
        )
        return
    turn = hand.players[len(hand.forced)] if len(hand.forced) < len(hand.players) else None
    if turn != player:
        right = f"only @{turn}, or nobody" if turn is not None else "once round the table"
        yield Refusal("R-STRADDLE-TURN", f"@{player} may not straddle now", right)
    cap = rules.most_staked_blind
    due = next_straddle(hand)
    if cap is not None and due > cap:
        yield Refusal("R-STRADDLE-CAP", f"a straddle of {due} is over half the limit", f"at most {cap}; deal")
    if units != due:
        yield Refusal("R-STRADDLE-STEP", f"the straddle is {due}, not {units}")


def deal_refused(hand: Hand, held: Mapping[str, int]) -> Iterator[Refusal]:
    """Why the cards cannot be dealt yet."""
    if hand.phase != "before_deal":
        yield Refusal("R-DEAL", "the cards are dealt", 'the next action, or misdeal "reason"')
        return
    for due in posts_due(hand, held):
        rule = {"ante": "R-JACK-ANTE" if hand.openers is not None else "R-ANTE"}.get(due.what, "R-BLINDS")
        verb = "antes" if due.what == "ante" else f"posts {due.what}"
        yield Refusal(rule, f"@{due.player} has not put up {due.units}", f"@{due.player} {verb} first")
        return


def _able(hand: Hand, held: Mapping[str, int], player: str, units: int) -> int:
    """What a player can put up of what he owes: all he has where table stakes hold (R-ALL-IN)."""
    return min(units, held.get(player, 0)) if hand.rules.table_stakes else units
