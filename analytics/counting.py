"""The figures, counted in one hand: for every player dealt in the hits and chances, nought or one.

Each function looks at the notes of one part of a hand and marks what it finds; what a hit and a chance are stands in
`schema.RATES`. Nothing here asks what the rules would have allowed, but for the option to straddle: what counts is what
happened, so the figures hold under any rules.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analytics.notes import Act, Draw, HandNotes
from analytics.schema import ALL_RATES
from ledger.cards import CLASSES, CardError, ranking_for
from ledger.rules.model import Rules
from ledger.rules.ranks import rank_rules
from ledger.table.hand import Hand

Marks = dict[str, int]

_ACTS = ("bets", "raises", "calls", "passes", "checks")
NO_MARKS: Marks = dict.fromkeys(_ACTS, 0) | {f"{r.key}_{end}": 0 for r in ALL_RATES for end in ("n", "of")}
"""Of one who had no chance, as of one who was not dealt in."""
_STAKES = frozenset({"open", "bet", "call", "raise", "all_in"})
_SAYS = _STAKES | {"check", "pass"}
_STRAIGHT = CLASSES.index("straight")


def count(hand: Hand, notes: HandNotes) -> dict[str, Marks]:
    """Every player's marks in a hand that is over; what was said in a deal that was void is none of it."""
    marks = {player: dict(NO_MARKS) for player in hand.players}
    void = notes.void()
    says = [a for a in notes.acts() if a.action in _SAYS and a.player in marks and a.version > void]
    _before_draw(marks, [a for a in says if a.stage == "before_draw"], _live_posts(hand))
    _straddles(marks, hand, notes)
    _after_draw(marks, [a for a in says if a.stage == "after_draw"])
    _acts(marks, says)
    won = {award.player for award in hand.awards if award.units}
    after, show = set(notes.moment("after")), set(notes.moment("show"))
    _draws(marks, hand, notes.draws(), won, show)
    for player in after:
        _mark(marks[player], "to_show", player in show)
        _mark(marks[player], "won_without_show", player in won and player not in show)
    for player in show:
        _mark(marks[player], "won_at_show", player in won)
    if hand.openers is not None:
        _jackpot(marks, hand, won)
    return marks


def _mark(marks: Marks, key: str, hit: bool) -> None:
    """A chance, and a hit if it was taken; a hand counts once however often it came."""
    marks[f"{key}_of"] = 1
    if hit:
        marks[f"{key}_n"] = 1


def _staked(act: Act) -> bool:
    """Whether it put in counters of one's own accord."""
    return act.action in _STAKES and act.units > 0


def _above(act: Act) -> bool:
    """Whether it put up more than anybody, whatever the sheet called it: who calls for too much raises."""
    return _staked(act) and act.stake > act.high


def _live_posts(hand: Hand) -> set[str]:
    """Who put up an ante, a blind or a straddle that counts towards his stake."""
    return {player for player, _ in hand.forced}


def _before_draw(marks: dict[str, Marks], says: Sequence[Act], posted: set[str]) -> None:
    gone_in, raises = False, 0
    for act in says:
        mine = marks[act.player]
        staked = _staked(act)
        raised = _above(act) and (gone_in or act.stake > act.entry)
        facing = raises > 0 and act.high > act.mine
        _mark(mine, "vpip", staked)
        _mark(mine, "raised_before", raised)
        if not gone_in:
            _mark(mine, "opened", staked)
        if facing:
            _mark(mine, "called_raise", staked and not raised)
            _mark(mine, "passed_to_raise", act.action == "pass")
        if facing and raises == 1:
            _mark(mine, "reraised_before", raised)
        if act.player in posted and act.high > act.mine:
            _mark(mine, "ante_defended", staked)
        gone_in = gone_in or staked
        raises += raised


def _straddles(marks: dict[str, Marks], hand: Hand, notes: HandNotes) -> None:
    straddled = {a.player for a in notes.acts() if a.action == "straddle"}
    for player in notes.options() & set(hand.players):
        _mark(marks[player], "straddled", player in straddled)


def _after_draw(marks: dict[str, Marks], says: Sequence[Act]) -> None:
    checked: set[str] = set()
    for act in says:
        mine = marks[act.player]
        if act.high == 0:
            _mark(mine, "bet_after", _staked(act))
        elif act.high > act.mine:
            raised = _above(act)
            _mark(mine, "raised_after", raised)
            _mark(mine, "called_after", _staked(act) and not raised)
            _mark(mine, "passed_after", act.action == "pass")
            if act.player in checked:
                _mark(mine, "check_raised", raised)
        if act.action == "check":
            checked.add(act.player)


def _acts(marks: dict[str, Marks], says: Iterable[Act]) -> None:
    """Bets (openings too), raises and calls by what a stake did to the highest one, whatever the sheet called it."""
    for act in says:
        mine = marks[act.player]
        if act.action in ("check", "pass"):
            mine["checks" if act.action == "check" else "passes"] += 1
        elif act.units and not _above(act):
            mine["calls"] += 1
        elif act.units:
            first = act.high == 0 or (act.stage == "before_draw" and act.high < act.entry)
            mine["bets" if first else "raises"] += 1


def _jackpot(marks: dict[str, Marks], hand: Hand, won: set[str]) -> None:
    for player, mine in marks.items():
        _mark(mine, "jackpot_opened", hand.opener == player)
        _mark(mine, "jackpot_won", player in won)
        _mark(mine, "false_openings", hand.opener == player and hand.false_opening)


def _draws(marks: dict[str, Marks], hand: Hand, draws: Iterable[Draw], won: set[str], show: set[str]) -> None:
    for draw in draws:
        if draw.player not in marks:
            continue
        mine, pat = marks[draw.player], draw.count == 0
        _mark(mine, "pat", pat)
        if not pat:
            continue
        _mark(mine, "pat_won", draw.player in won)
        _mark(mine, "pat_won_without_show", draw.player in won and draw.player not in show)
        shown = hand.classes.get(draw.player)
        if draw.player in show and shown is not None:
            _mark(mine, "pat_unmade", CLASSES.index(shown) < _STRAIGHT)


class KnownDraw(NamedTuple):
    """A draw of which the record knows enough: the hand before, what was kept of it, the hand after where known."""

    before: tuple[int, ...]
    kept: tuple[int, ...]
    after: tuple[int, ...] | None


def known_draw(hand: Hand, notes: HandNotes, draw: Draw) -> KnownDraw | None:
    """What the record knows of a draw; None where the hand before or what was kept of it is not known.

    One of the hands follows from the other where discards and the cards received are known; where both hands are
    known, what was kept is what they share, since nobody gets a card back that he threw away.
    """
    before, after = draw.before, hand.known.get(draw.player)
    thrown, received = notes.told(draw.player, "discarded"), notes.told(draw.player, "received")
    if before is None and after is not None and thrown is not None and received is not None:
        before = (*(c for c in after if c not in received), *thrown)
    if before is None:
        return None
    if draw.count == 0:
        return KnownDraw(before, before, before)
    if thrown is not None:
        kept = tuple(c for c in before if c not in thrown)
    elif after is not None:
        kept = tuple(c for c in before if c in after)
    else:
        return None
    if after is None and received is not None:
        after = (*kept, *received)
    fits = len(kept) + draw.count == len(before) and (after is None or len(after) == len(before))
    return KnownDraw(before, kept, after) if fits else None


def improvement(rules: Rules, draw: Draw, known: KnownDraw) -> tuple[bool, int, int] | None:
    """Whether the class rose, in how many of how many possible draws it would have; None: no chance of the figure.

    The draws that could come leave out the cards that the record had elsewhere when he drew. Where the pack ran out
    and discards came back, what could come is not known, and the draw is left out.
    """
    from ledger.cards.odds import improvement_odds

    if draw.count == 0 or known.after is None or draw.ran_out:
        return None
    ranks = rank_rules(rules)
    ranking = ranking_for(ranks)
    before, after = (
        CLASSES.index(ranking.class_of(ranking.rank(cards))) for cards in (known.before, known.after)
    )
    elsewhere = [c for c in draw.elsewhere if c not in known.before]
    try:
        hits, total = improvement_odds(ranks, known.before, known.kept, elsewhere)
    except CardError:
        return None
    return after > before, hits, total
