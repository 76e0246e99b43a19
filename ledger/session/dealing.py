"""How a hand begins: to whom the deal passes, who is dealt in, whether it is a jack-pot; the cut for the first deal."""

from collections.abc import Iterator

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.rules.agreement import missing
from ledger.rules.model import Rank
from ledger.session.outcome import Decide, Judge, Outcome
from ledger.session.state import Session
from ledger.table.options import options

MANY = 6
"""More players than this are advised against (R-SEATS)."""


def _begin(session: Session, command: cmd.BeginHand) -> Outcome:
    assert session.rules is not None
    if session.in_play is not None:
        return Refusal("R-DEAL-ROTATE", f"hand {session.in_play.number} is not over", _waits_for(session))
    lacking = missing(session.rules)
    if lacking:
        return Refusal(lacking[0].rule, lacking[0].message)
    there = session.dealt_in()
    if len(there) < 2:
        return Refusal(
            "R-SEATS", f"{len(there)} would be dealt in", "two players with a seat and counters, or more"
        )
    due = next_dealer(session)
    dealer = command.dealer or due
    if dealer is None:
        return Refusal("R-CUT", "nobody is named to deal the first hand", f"hand dealer @{there[0]}")
    if dealer not in there:
        return Refusal("R-DEAL-ROTATE", f"@{dealer} is not dealt in and cannot deal", "somebody at the table")
    limit = _over_limit(session, there) if command.live else None
    if limit is not None:
        return limit
    return [
        ev.HandBegun(
            number=len(session.hands) + 1,
            dealer=dealer,
            players=_places(session, dealer),
            openers=_openers(session),
            carried=session.bank.pool,
            found=command.found,
            source_id=command.source_id,
            dead_small=command.dead_small,
        )
    ]


def _places(session: Session, dealer: str) -> tuple[str, ...]:
    """Who is dealt in, from the dealer's left."""
    there = session.dealt_in()
    return tuple(p for p in session.seat_order(dealer) if p in there)


def _openers(session: Session) -> Rank | None:
    """The pair that opens the next hand where that is a jack-pot (R-JACK-OPENERS)."""
    assert session.rules is not None
    ladder = session.rules.openers
    return None if session.rung is None else ladder[session.rung % len(ladder)]


def _waits_for(session: Session) -> str:
    """Who has to do what before the hand in play can be over."""
    assert session.in_play is not None
    offered = options(session.in_play, session.bank.held)
    if not offered:
        return "its pool is decided first"
    player = offered[0].player
    ways = [o.action.replace("_", " ") for o in offered if o.player == player]
    return f"@{player} comes first: {', '.join(ways)}"


def next_dealer(session: Session) -> str | None:
    """To whom the deal passes (R-DEAL-ROTATE, `redeal_after_passed_deal`); at first who cut lowest, if he plays."""
    there = session.dealt_in()
    if session.hand is None:
        winner = cut_winner(session)
        return winner if winner in there else None
    last = session.hand.dealer
    passed = session.hand.unwon  # a false opening too, as if the hand had not been opened (R-JACK-FALSE)
    if passed and session.hand.rules.redeal_after_passed_deal == "same_dealer" and last in there:
        return last
    return next((p for p in session.seat_order(last) if p in there), None)


def cut_winner(session: Session) -> str | None:
    """Who cut the lowest card; players who cut equal lowest cut again, and None until they have (R-CUT)."""
    assert session.rules is not None
    still: list[str] = []
    cut: dict[str, int] = {}
    for player, card in session.cuts:
        if not still and player in cut:
            still, cut = _lowest(session, cut), {}
        if not still or player in still:
            cut[player] = card
        if still and len(cut) == len(still):
            still, cut = _lowest(session, cut), {}
    still = still or _lowest(session, cut)
    return still[0] if len(still) == 1 else None


def _lowest(session: Session, cut: dict[str, int]) -> list[str]:
    """Who cut the lowest card, or the lowest cards of one rank."""
    lowest = min((_cut_rank(session, card) for card in cut.values()), default=0)
    return [player for player, card in cut.items() if _cut_rank(session, card) == lowest]


def _cut_rank(session: Session, card: int) -> int:
    """A card's place in a cut; suits do not count, the ace as the house says."""
    assert session.rules is not None
    rank = card // 4
    return -1 if rank == 12 and session.rules.cut_ace == "low" else rank


def _over_limit(session: Session, there: list[str]) -> Refusal | None:
    """Played live, who has reached his limit is not dealt in where the rules say so (`loss_limits`)."""
    assert session.rules is not None
    if session.rules.loss_limits != "refuse":
        return None
    for player in there:
        watch = session.watches.get(player)
        if watch is not None and watch.reached_at_hand is not None:
            return Refusal(
                "R-LOSS-LIMIT", f"@{player} has reached his limit of {watch.limit}", f"@{player} sits out"
            )
    return None


def _may_begin(session: Session, event: ev.HandBegun) -> Iterator[Refusal]:
    if len(event.players) * 5 > _pack(session):
        yield Refusal(
            "R-SEATS",
            f"{len(event.players)} players",
            f"the pack deals {_pack(session) // 5} hands",
            final=True,
        )
    if event.dealer not in session.seats or event.players != _places(session, event.dealer):
        yield Refusal(
            "R-DEAL", "others are dealt in than are at the table", "all of them, in order", final=True
        )
    if (event.openers, event.carried) != (_openers(session), session.bank.pool):
        yield Refusal("R-JACK-OPENERS", "the hand begins on other terms than the last one left", final=True)
    if event.number != len(session.hands) + 1:
        yield Refusal(
            "R-DEAL", f"that is no hand {event.number}", f"hand {len(session.hands) + 1}", final=True
        )
    due = next_dealer(session)
    if due is not None and event.dealer != due and not event.found:
        rule = "R-CUT" if session.hand is None else "R-DEAL-ROTATE"
        yield Refusal(rule, f"the deal is not @{event.dealer}'s", f"@{due} deals")


def _pack(session: Session) -> int:
    assert session.rules is not None
    return 52 if session.rules.joker == "off" else 53


def _cut(_session: Session, command: cmd.Cut) -> Outcome:
    return [ev.CardCut(player=command.player, card=command.card)]


def _may_cut(session: Session, event: ev.CardCut) -> Iterator[Refusal]:
    if session.hand is not None:
        yield Refusal("R-CUT", "the first hand is begun", "players cut for the first deal", final=True)
    if event.player not in session.seats:
        yield Refusal("R-CUT", f"@{event.player} has no seat", "players cut for the deal", final=True)


DECIDE: dict[type[cmd.Command], Decide] = {
    cmd.BeginHand: _begin,
    cmd.Cut: _cut,
}

JUDGE: dict[type[ev.Event], Judge] = {
    ev.HandBegun: _may_begin,
    ev.CardCut: _may_cut,
}
