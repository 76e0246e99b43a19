"""Rows of the fact tables, from a folded evening: plain dicts by column name, ready to be written as JSON."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from analytics.counting import NO_MARKS, KnownDraw, count, improvement, known_draw
from analytics.notes import Evening, HandNotes
from ledger import events as ev
from ledger.cards import CLASSES, cards_text
from ledger.rules.ranks import rank_rules
from ledger.session.state import RAKE, Recorded, RulingMade, Session
from ledger.table.hand import Hand
from ledger.times import moment
from ledger.views import kitty_from

Row = dict[str, Any]
Rows = dict[str, list[Row]]

HAND_TABLES = ("hands", "hand_players", "actions", "shown_hands")
SESSION_TABLES = ("sessions", "counters", "kitty", "limits", "session_players")


def hand_rows(evening: Evening, first: int, late: Sequence[ev.Corrected] = ()) -> Rows:
    """The rows of every hand that is over, from the one numbered `first`; `late` are corrections after the close."""
    rows: Rows = {table: [] for table in HAND_TABLES}
    session = evening.session
    marked = {r.cause for r in session.log if isinstance(r.event, ev.MarkedIrregular)}
    for hand, notes in zip(session.hands[first - 1 :], evening.hands[first - 1 :], strict=True):
        if hand.over:
            of_hand = [c for c in late if c.hand == hand.number]
            rows["hands"].append(_hand(session, hand, notes, len(of_hand)))
            rows["hand_players"] += _hand_players(session, hand, notes, _given_by(of_hand))
            rows["actions"] += _actions(session, hand, notes, marked)
            rows["shown_hands"] += _shown(session, hand, notes)
    return rows


def session_rows(evening: Evening, late: Sequence[ev.Corrected] = ()) -> Rows:
    """The rows of the session as a whole; none where its opening was withdrawn. `late` as in `hand_rows`."""
    session = evening.session
    if session.rules is None:
        return {}
    log = [r for r in session.log if type(r.event) in _BESIDE_HANDS]
    return {
        "sessions": [_session(session)],
        "counters": list(_counters(session, log)),
        "kitty": list(_kitty(session, log)),
        "limits": [_limit(session, player) for player in session.watches],
        "session_players": list(_session_players(session, log, late)),
    }


Log = Sequence[Recorded]
"""The events of a session that its rows as a whole come from: few beside those of its hands."""

_BESIDE_HANDS = frozenset(
    {
        ev.HandBegun, ev.CountersSold, ev.CountersBoughtBack, ev.CountersCounted, ev.KittyPaid, ev.KittyShared,
        ev.KittySpent, ev.KittyTaken, ev.KittyBroughtForward, ev.DifferenceBorne, ev.RakeTaken, ev.PoolShared, ev.Ruled,
        ev.SatOut, ev.SatIn, ev.Left, ev.Seated,
    }
)  # fmt: skip


@lru_cache(maxsize=64)
def _date(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def _session(session: Session) -> Row:
    assert session.rules is not None
    date, unit, bank = _date(session.date), session.unit, session.bank
    year, week, _ = date.isocalendar()
    over = [h for h in session.hands if h.over]
    return {
        "session": session.id, "title": session.title, "played_on": session.date,
        "month": session.date[:7], "week": f"{year:04d}-W{week:02d}", "zone": session.zone,
        "timed": session.timed, "rules": session.rules.name,
        "loss_limit_counts": session.rules.loss_limit_counts,
        "unit_numerator": unit.minor_numerator if unit else None,
        "unit_denominator": unit.minor_denominator if unit else None,
        "currency": unit.currency if unit else None, "decimals": unit.decimals if unit else None,
        "opened_at": session.opened_at,
        "first_hand_at": over[0].begun_at if over else None,
        "last_hand_at": over[-1].ended_at if over else None,
        "hands": len(over), "kitty": bank.kitty, "kitty_forward": bank.brought_forward, "pool": bank.pool,
        "difference": bank.difference, "events": session.version, "closed": session.closed,
    }  # fmt: skip


def _hand(session: Session, hand: Hand, notes: HandNotes, corrected: int) -> Row:
    winners = {a.player for a in hand.awards if a.units}
    classes = [a.hand for a in hand.awards if a.hand is not None]
    show = notes.moment("show")
    before = [a for a in notes.acts() if a.stage == "before_draw"]
    return {
        "session": session.id, "hand": hand.number,
        "begun_at": hand.begun_at, "ended_at": hand.ended_at,
        "day": moment(hand.ended_at, session.zone).date().isoformat(),
        "dealer": hand.dealer, "dealt_in": len(hand.players), "jackpot": hand.openers,
        "carried": hand.carried, "in_play": notes.in_play, "pool": hand.won_pool,
        "pool_at_draw": hand.pool_at_draw, "kitty": hand.kitty, "rake": hand.raked, "carried_on": hand.carried_on,
        "gone_in": any(a.units > 0 for a in before), "to_draw": bool(hand.drawn), "to_show": bool(show),
        "winners": len(winners),
        "winning_class": max(classes, key=CLASSES.index) if show and classes else None,
        "irregular": len(hand.marks),
        "ruled": sum(r.hand == hand.number for r in session.rulings), "corrected": corrected,
        "first_event": hand.first_version, "last_event": hand.last_version,
    }  # fmt: skip


def positions(hand: Hand) -> list[str]:
    """What the places are called, from the dealer's left; of two players under blinds the dealer has the small one."""
    middle = [f"no_{n}" for n in range(1, len(hand.players))]
    if hand.old:
        first = ["ante"]
    elif not hand.rules.big:
        first = []
    else:
        first = ["big"] if len(hand.players) == 2 else ["small", "big"]
    return [*[*first, *middle][: len(hand.players) - 1], "dealer"]


def _given_by(moves: Iterable[RulingMade | ev.Corrected]) -> dict[str, int]:
    """What rulings or corrections moved to each player, nought in all."""
    given: dict[str, int] = {}
    for move in moves:
        if move.giver is not None and move.taker is not None:
            given[move.giver] = given.get(move.giver, 0) - move.units
            given[move.taker] = given.get(move.taker, 0) + move.units
    return given


def _divided(session: Session, hand: Hand) -> dict[str, int]:
    """What each got where the pool this hand left was divided."""
    if not hand.carried_on:
        return {}
    following = session.hand_numbered(hand.number + 1)
    end = following.first_version if following is not None else session.version + 1
    got: dict[str, int] = {}
    for recorded in reversed(session.log):
        if recorded.version <= hand.last_version:
            break
        if isinstance(recorded.event, ev.PoolShared) and recorded.version < end:
            got[recorded.event.player] = got.get(recorded.event.player, 0) + recorded.event.units
    return got


def _hand_players(
    session: Session, hand: Hand, notes: HandNotes, corrected: Mapping[str, int]
) -> Iterator[Row]:
    marks = count(hand, notes)
    ruled = _given_by(r for r in session.rulings if r.hand == hand.number)
    shared, given = _divided(session, hand), kitty_from(hand)
    ended, draws = notes.ended(), {d.player: d for d in notes.draws()}
    called = positions(hand)
    posted = {p for p, _ in hand.forced} - {a.player for a in notes.acts() if a.action == "straddle"}
    others = [p for p in [*ruled, *shared, *corrected] if p not in hand.players]
    assert ended is not None
    for seat, player in enumerate([*hand.players, *dict.fromkeys(others)]):
        dealt = player in hand.players
        won = sum(a.units for a in hand.awards if a.player == player)
        staked, returned = hand.staked.get(player, 0), hand.returned.get(player, 0)
        draw = draws.get(player)
        moved = ruled.get(player, 0) + shared.get(player, 0) + corrected.get(player, 0)
        row: Row = {
            "session": session.id, "hand": hand.number, "player": player, "dealt": int(dealt),
            "seat": seat + 1 if dealt else None, "position": called[seat] if dealt else None,
            "dealt_in": len(hand.players), "jackpot": int(hand.openers is not None),
            "irregular": int(bool(hand.marks)), "staked": staked, "returned": returned, "won": won,
            "ruled": ruled.get(player, 0), "shared": shared.get(player, 0), "corrected": corrected.get(player, 0),
            "net": won + returned - staked + moved,
            "pool_won": hand.won_pool if won else 0, "kitty_given": given.get(player, 0),
            "running": ended.net.get(player, 0), "held": ended.held.get(player, 0),
            "limit_units": ended.limits.get(player),
            "posted": int(player in posted), "drawn": draw.count if draw else None,
            "passed_before": int(draw is None and notes.passed(player)),
            "in_after": int(player in notes.moment("after")), "at_show": int(player in notes.moment("show")),
            "shown_class": hand.classes.get(player) if player in notes.moment("show") else None,
            "odds_hits": None, "odds_total": None,
        }  # fmt: skip
        row |= marks.get(player, NO_MARKS)
        if draw is not None and dealt:
            row |= _luck(hand, notes, player)
        yield row


def _luck(hand: Hand, notes: HandNotes, player: str) -> Row:
    """Improvement against its exact chance, and whether the best way to draw was chosen, where the cards are known."""
    draw = next(d for d in notes.draws() if d.player == player)
    known: KnownDraw | None = known_draw(hand, notes, draw)
    if known is None:
        return {}
    from analytics.prospects import kept_best

    row: Row = {}
    if len(known.before) == 5:
        row = {
            "best_draw_of": 1,
            "best_draw_n": int(kept_best(rank_rules(hand.rules), known.before, known.kept)),
        }
    found = improvement(hand.rules, draw, known)
    if found is not None:
        rose, hits, total = found
        row |= {"improved_of": 1, "improved_n": int(rose), "odds_hits": hits, "odds_total": total}
    return row


def _actions(session: Session, hand: Hand, notes: HandNotes, marked: set[int | None]) -> Iterator[Row]:
    for act in notes.acts():
        yield {
            "session": session.id, "hand": hand.number, "event": act.version, "player": act.player,
            "stage": act.stage, "action": act.action, "units": act.units, "stake": act.stake,
            "faced": max(act.high - act.mine, 0), "pool": act.pool, "irregular": act.version in marked,
            "told_at": act.told_at,
        }  # fmt: skip


def _shown(session: Session, hand: Hand, notes: HandNotes) -> Iterator[Row]:
    draws = {d.player: d.count for d in notes.draws()}
    for player in hand.players:
        if player in notes.moment("show") and player in hand.classes:
            name = hand.classes[player]
            yield {
                "session": session.id, "hand": hand.number, "player": player, "class": name,
                "class_order": CLASSES.index(name), "strength": hand.ranks[player],
                "cards": cards_text(hand.shown[player]), "drawn": draws.get(player),
                "won": sum(a.units for a in hand.awards if a.player == player),
            }  # fmt: skip


def _counters(session: Session, log: Log) -> Iterator[Row]:
    """Movements outside the play of a hand, in order."""
    hand = 0
    for recorded in log:
        event = recorded.event
        if isinstance(event, ev.HandBegun):
            hand = event.number
        for player, kind, units in _moved(event):
            yield {
                "session": session.id, "event": recorded.version, "hand": hand, "player": player, "kind": kind,
                "units": units, "told_at": recorded.occurred_at,
            }  # fmt: skip


def _moved(event: ev.Event) -> Iterator[tuple[str, str, int]]:
    match event:
        case ev.CountersSold():
            yield event.player, "sold", event.units
        case ev.CountersBoughtBack():
            yield event.player, "bought_back", -event.units
        case ev.CountersCounted():
            yield event.player, "counted", event.difference
        case ev.KittyPaid():
            yield event.player, "kitty_paid", event.units
        case ev.KittyShared():
            yield event.player, "kitty_shared", event.units
        case ev.PoolShared():
            yield event.player, "pool_shared", event.units
        case ev.Ruled() if event.giver is not None and event.taker is not None and event.units:
            yield event.giver, "ruled", -event.units
            yield event.taker, "ruled", event.units


def _kitty(session: Session, log: Log) -> Iterator[Row]:
    balance, hand = 0, 0
    for recorded in log:
        event = recorded.event
        if isinstance(event, ev.HandBegun):
            hand = event.number
        for kind, sign, units, player, reason in _kitty_moved(session, event, hand):
            balance += sign * units
            yield {
                "session": session.id, "event": recorded.version, "hand": hand or None, "kind": kind,
                "units": units, "player": player, "reason": reason, "balance": balance,
                "told_at": recorded.occurred_at,
            }  # fmt: skip


def _kitty_moved(
    session: Session, event: ev.Event, number: int
) -> Iterator[tuple[str, int, int, str | None, str]]:
    """Kind, sign, units, player, reason; rake passes through it, as in the session's own entries."""
    match event:
        case ev.KittyTaken():
            hand = session.hand_numbered(number)
            takers = {a.player for a in hand.awards} if hand is not None else set()
            reason = {"rule": "", "odd": "the odd counter", "stated": "by hand"}[event.kind]
            yield "taken", 1, event.units, takers.pop() if len(takers) == 1 else None, reason
        case ev.KittyPaid():
            yield "paid", -1, event.units, event.player, event.reason
        case ev.KittySpent():
            yield "spent", -1, event.units, None, event.reason
        case ev.KittyShared():
            yield "shared", -1, event.units, event.player, ""
        case ev.KittyBroughtForward() if event.units:
            yield "forward", 1, event.units, None, ""
        case ev.DifferenceBorne() if event.kitty:
            yield "borne", 1, event.units, None, ""
        case ev.RakeTaken():
            yield "taken", 1, event.units, None, RAKE
            yield "spent", -1, event.units, None, RAKE


def _limit(session: Session, player: str) -> Row:
    assert session.rules is not None
    watch = session.watches[player]
    return {
        "session": session.id, "player": player, "limit_units": watch.limit, "stop_at": watch.stop_at,
        "counts": session.rules.loss_limit_counts, "net": session.bank.net(player), "lowest": watch.lowest,
        "gross": watch.gross, "reached_at_hand": watch.reached_at_hand, "hands_after": watch.hands_after,
        "last_hand_at": watch.last_hand_at,
    }  # fmt: skip


def _session_players(session: Session, log: Log, late: Sequence[ev.Corrected]) -> Iterator[Row]:
    """Everybody in the reckoning. A correction whose hand was withdrawn since is of no hand."""
    bank = session.bank
    over = {h.number for h in session.hands if h.over}
    ruled, corrected = _given_by(session.rulings), _given_by(late)
    beside_hands = _given_by(c for c in late if c.hand not in over)
    for player in dict.fromkeys([*session.people(), *corrected]):
        events = [r.event for r in log if getattr(r.event, "player", None) == player]
        yield {
            "session": session.id, "player": player, "played_us": _played(session, log, player),
            "bought": bank.bought.get(player, 0), "cashed": bank.cashed.get(player, 0),
            "held": bank.held.get(player, 0), "settled": bank.net(player) + corrected.get(player, 0),
            "put_right": ruled.get(player, 0) + corrected.get(player, 0),
            "kitty_received": sum(e.units for e in events if isinstance(e, ev.KittyPaid | ev.KittyShared)),
            "unrecorded": sum(e.difference for e in events if isinstance(e, ev.CountersCounted)),
            "corrected": beside_hands.get(player, 0),
        }  # fmt: skip


def _played(session: Session, log: Log, player: str) -> int:
    """From the beginning of his first hand to the end of his last, less the time he was away between (microseconds)."""
    mine = [h for h in session.hands if h.over and player in h.players]
    if not mine:
        return 0
    start, end = mine[0].begun_at, mine[-1].ended_at
    away = 0
    left_at: int | None = None
    for recorded in _comings_and_goings(log, player):
        if isinstance(recorded.event, ev.SatOut | ev.Left):
            left_at = recorded.occurred_at if left_at is None else left_at
        elif left_at is not None:
            away += max(min(recorded.occurred_at, end) - max(left_at, start), 0)
            left_at = None
    return end - start - away


def _comings_and_goings(log: Log, player: str) -> Iterator[Recorded]:
    for recorded in log:
        event = recorded.event
        if isinstance(event, ev.SatOut | ev.SatIn | ev.Left | ev.Seated) and event.player == player:
            yield recorded
