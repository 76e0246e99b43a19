"""What a command comes to: events, or a refusal that cites the rule. One function for each kind of command.

`decide` gives the events that were asked for; what the rules imply comes from `follow` once those are folded. Neither
changes the state. `judge` asks of one event alone which rules it breaks: `decide` uses it before anything is recorded,
the audit afterwards, so that both go by the same rules.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.rules.agreement import check, missing
from ledger.rules.model import Rank
from ledger.rules.switches import SwitchRefused, set_switch
from ledger.session.follow import bearer, kitty_shares
from ledger.session.state import Session
from ledger.table.betting import opened
from ledger.table.check import ACTIONS, draw_refused, overridable, refused
from ledger.table.hand import Hand
from ledger.table.options import options
from ledger.table.posts import next_straddle, posts_due
from ledger.table.pots import kitty_part, stated_so_far

Outcome = list[ev.Event] | Refusal
MANY = 6
"""More players than this are advised against (R-SEATS)."""


def decide(session: Session, command: cmd.Command) -> Outcome:
    """The events the command comes to, or why it is refused."""
    if not isinstance(command, cmd.OpenSession):
        if session.rules is None:
            return Refusal(None, "no session is open", 'session "TITLE" on DATE first')
        if session.closed and not isinstance(command, (cmd.Note, cmd.Amend)):
            return Refusal(None, "the session is closed", "open another, or --amend the sheet")
    outcome = _DECIDE[type(command)](session, command)
    if isinstance(outcome, Refusal):
        return outcome
    found = list(_broken(session, outcome))
    if not found:
        return outcome
    hard = next((r for r in found if not (command.irregular and overridable(r))), None)
    if hard is not None:
        return hard
    marks = {
        r.rule: ev.MarkedIrregular(rule=r.rule, message=r.sentence, player=getattr(command, "player", None))
        for r in found
        if r.rule is not None
    }
    return [*outcome, *marks.values()]


def _broken(session: Session, events: list[ev.Event]) -> Iterator[Refusal]:
    """The rules that the events of one command break. The cards of a draw are judged as the draw leaves the hand."""
    first = events[0]
    if isinstance(first, ev.Drew) and session.hand is not None:
        yield from draw_refused(session.hand, first, events[1:], session.bank.held)
        return
    for event in events:
        yield from judge(session, event)


def judge(session: Session, event: ev.Event) -> Iterator[Refusal]:
    """The rules that an event somebody asked for breaks, as the session stands before it; nothing: it is allowed."""
    if isinstance(event, ev.KittyTaken) and event.kind != "stated":
        return
    if type(event) in ACTIONS:
        hand = session.hand
        if hand is None:
            yield Refusal("R-DEAL", "no hand is in play", "hand first", final=True)
        else:
            yield from refused(hand, event, session.bank.held)
        return
    checker = _JUDGE.get(type(event))
    if checker is not None:
        yield from checker(session, event)


# --- the evening ---


def _open(session: Session, command: cmd.OpenSession) -> Outcome:
    if session.rules is not None:
        return Refusal(None, "the session is open already", "one session statement, the first of the sheet")
    return [
        ev.SessionOpened(
            title=command.title,
            date=command.date,
            timed=command.timed,
            rules=command.rules,
            kitty_left=command.kitty_left,
        )
    ]


def _fixed(session: Session) -> Iterator[Refusal]:
    """After the first hand nothing of the stakes is altered (R-STAKES-FIXED)."""
    if session.hands:
        yield Refusal(
            "R-STAKES-FIXED", "the rules are fixed once the first hand is begun", "before the first hand only"
        )


def _adopt(_session: Session, command: cmd.AdoptRules) -> Outcome:
    return [ev.RulesSet(switch=None, rules=command.rules)]


def _switch(session: Session, command: cmd.SetSwitch) -> Outcome:
    assert session.rules is not None
    rules = set_switch(session.rules, command.switch, command.words)
    if isinstance(rules, SwitchRefused):
        return Refusal(rules.rule, rules.message, unreadable=rules.rule is None)
    return [ev.RulesSet(switch=command.switch, rules=rules)]


def _kitty_rule(session: Session, command: cmd.SetKitty) -> Outcome:
    assert session.rules is not None
    return [ev.RulesSet(switch="kitty", rules=session.rules.model_copy(update={"kitty": command.kitty}))]


def _rules_fit(session: Session, event: ev.RulesSet) -> Iterator[Refusal]:
    yield from _fixed(session)
    for found in check(event.rules):
        yield Refusal(found.rule, found.message)


def _unit(_session: Session, command: cmd.SetUnit) -> Outcome:
    return [ev.UnitSet(unit=command.unit)]


def _colours(_session: Session, command: cmd.SetColours) -> Outcome:
    return [ev.ColoursSet(colours=command.colours)]


def _once_fixed(session: Session, _event: ev.Event) -> Iterator[Refusal]:
    yield from _fixed(session)


# --- people ---


def _named(command: Any) -> list[ev.Event]:
    return [ev.PlayerNamed(player=n.player, name_hash=n.name_hash) for n in command.named]


def _banker(_session: Session, command: cmd.NameBanker) -> Outcome:
    return [*_named(command), ev.BankerNamed(player=command.player)]


def _treasurer(_session: Session, command: cmd.NameTreasurer) -> Outcome:
    return [*_named(command), ev.TreasurerNamed(player=command.player)]


def _seat(_session: Session, command: cmd.SeatPlayers) -> Outcome:
    twice = next((p for p in command.players if command.players.count(p) > 1), None)
    if twice is not None:
        return Refusal(None, f"@{twice} has a seat", "each player sits down once")
    return [*_named(command), *(ev.Seated(player=p) for p in command.players)]


def _sit(_session: Session, command: cmd.SitDown) -> Outcome:
    return [*_named(command), ev.Seated(player=command.player, left_of=command.left_of)]


def _may_sit(session: Session, event: ev.Seated) -> Iterator[Refusal]:
    yield from _between_hands(session, "sits down")
    if event.player in session.seats and event.player not in session.gone:
        yield Refusal(None, f"@{event.player} has a seat", "each player sits down once")
    if event.left_of is not None and (event.left_of not in session.seats or event.left_of == event.player):
        yield Refusal(None, f"@{event.left_of} has no seat", "left of somebody who sits at the table")


def _between_hands(session: Session, what: str) -> Iterator[Refusal]:
    if session.in_play is not None:
        yield Refusal(None, f"nobody {what} in mid-hand", "between hands")


def _presence(kind: type[ev.Event]) -> Callable[[Session, Any], Outcome]:
    def asked(_session: Session, command: Any) -> Outcome:
        return [kind(player=command.player)]  # type: ignore[call-arg]

    return asked


def _seated_one(session: Session, event: Any) -> Iterator[Refusal]:
    what = {ev.SatOut: "sits out", ev.SatIn: "sits in", ev.Left: "leaves"}[type(event)]
    yield from _between_hands(session, what)
    if event.player not in session.seats or event.player in session.gone:
        yield Refusal(None, f"@{event.player} is not at the table", f"@{event.player} sits")
    elif isinstance(event, ev.SatIn) and event.player not in session.away:
        yield Refusal(None, f"@{event.player} is not sitting out")
    elif isinstance(event, ev.SatOut) and event.player in session.away:
        yield Refusal(None, f"@{event.player} is sitting out already")


def _time(_session: Session, _command: cmd.TellTime) -> Outcome:
    return [ev.TimeTold()]


def _note(_session: Session, command: cmd.Note) -> Outcome:
    return [ev.Noted(text=command.text)]


def _undo(session: Session, command: cmd.Undo) -> Outcome:
    last = session.spans[-1] if session.spans else None
    if last is None or len(session.spans) == 1:
        return Refusal(None, "there is nothing to undo", "the session itself stays")
    return [ev.Withdrawn(kind="undo", first=last.first, last=session.version, by=command.by)]


def _amend(session: Session, command: cmd.Amend) -> Outcome:
    assert 1 <= command.first <= session.version
    return [
        ev.Withdrawn(
            kind="amend", first=command.first, last=session.version, reason=command.reason, by=command.by
        )
    ]


def _close(session: Session, _command: cmd.Close) -> Outcome:
    kitty = session.bank.kitty
    if bearer(session) == "kitty":
        kitty -= session.bank.difference
    shares = kitty_shares(session, kitty)
    return [ev.SessionClosed(kitty=max(kitty - sum(shares.values()), 0))]


def _may_close(session: Session, _event: ev.SessionClosed) -> Iterator[Refusal]:
    if session.in_play is not None:
        yield Refusal("R-CONSERVE", f"hand {session.in_play.number} is not over", "play it out, or undo")
    elif session.bank.pool:
        yield Refusal(
            "R-JACK-TRIGGER", f"{session.bank.pool} are carried in the pool", "pool divided, or play on"
        )
    if session.bank.difference and bearer(session) is None:
        missing_or = "missing" if session.bank.difference < 0 else "too many"
        yield Refusal(
            "R-CONSERVE",
            f"{abs(session.bank.difference)} counters are {missing_or}",
            "difference borne by banker, winners, losers or kitty",
        )
    if bearer(session) == "kitty" and session.bank.kitty < session.bank.difference:
        yield Refusal("R-CONSERVE", f"the kitty has only {session.bank.kitty}", "difference borne by another")


# --- the bank ---


def _sell(_session: Session, command: cmd.SellCounters) -> Outcome:
    if not command.units:
        return Refusal("R-COUNTERS", "nothing is bought", "one counter or more")
    return [ev.CountersSold(player=command.player, units=command.units, found=command.found)]


def _may_buy(session: Session, event: ev.CountersSold) -> Iterator[Refusal]:
    hand = session.in_play
    if hand is not None and hand.rules.table_stakes and event.player in hand.players:
        yield Refusal("R-TABLE-STAKES", "nobody buys counters in mid-hand", "between hands")


def _buy_back(_session: Session, command: cmd.BuyBackCounters) -> Outcome:
    if not command.units:
        return Refusal("R-BUY-BACK", "nothing is cashed", "one counter or more")
    return [ev.CountersBoughtBack(player=command.player, units=command.units, found=command.found)]


def _may_cash(session: Session, event: ev.CountersBoughtBack) -> Iterator[Refusal]:
    held = session.bank.held.get(event.player, 0)
    if event.units > held:
        yield Refusal("R-CONSERVE", f"@{event.player} holds {held}", f"cashes {held} at most")
    if session.rules is not None and session.rules.table_stakes and not event.found:
        if session.in_play is not None and event.player in session.in_play.players:
            yield Refusal("R-TABLE-STAKES", "nothing is taken off the table in mid-hand", "between hands")
        elif event.units < held and event.player not in session.gone:
            yield Refusal(
                "R-TABLE-STAKES",
                "nothing is taken off the table but by leaving",
                f"cashes all {held}, and leaves",
            )


def _count(session: Session, command: cmd.CountCounters) -> Outcome:
    held = session.bank.held.get(command.player, 0)
    return [ev.CountersCounted(player=command.player, units=command.units, difference=command.units - held)]


def _may_count(session: Session, _event: ev.CountersCounted) -> Iterator[Refusal]:
    if session.in_play is not None:
        yield Refusal("R-CONSERVE", "counters are in the pool", "count between hands")


def _difference(_session: Session, command: cmd.AssignDifference) -> Outcome:
    return [ev.DifferenceAssigned(by=command.by)]


def _loss_limit(_session: Session, command: cmd.SetLossLimit) -> Outcome:
    if not command.units:
        return Refusal("R-LOSS-LIMIT", "a limit of nothing is no limit", "one unit or more")
    return [ev.LossLimitSet(player=command.player, units=command.units)]


def _may_limit(session: Session, event: ev.LossLimitSet) -> Iterator[Refusal]:
    if event.player not in session.played:
        return
    watch = session.watches.get(event.player)
    if watch is None or watch.limit is None:
        yield Refusal("R-OWN-STAKE", f"@{event.player} has played", "a limit is set before his first hand")
    elif event.units > watch.limit:
        yield Refusal(
            "R-OWN-STAKE",
            f"the limit of @{event.player} is {watch.limit}",
            "it may be lowered now, and raised from the next session",
        )


def _stop_time(_session: Session, command: cmd.SetStopTime) -> Outcome:
    return [ev.StopTimeSet(player=command.player, stop_at=command.stop_at)]


def _kitty_pays(_session: Session, command: cmd.KittyPays) -> Outcome:
    if not command.units:
        return Refusal("R-KITTY", "the kitty pays nothing", "one counter or more")
    return [ev.KittyPaid(player=command.player, units=command.units, reason=command.reason)]


def _kitty_spends(_session: Session, command: cmd.KittySpends) -> Outcome:
    if not command.units:
        return Refusal("R-KITTY", "the kitty spends nothing", "one counter or more")
    return [ev.KittySpent(units=command.units, reason=command.reason)]


def _kitty_has(session: Session, event: Any) -> Iterator[Refusal]:
    if event.units > session.bank.kitty:
        yield Refusal("R-CONSERVE", f"the kitty has {session.bank.kitty}", f"at most {session.bank.kitty}")
    hand = session.in_play
    if isinstance(event, ev.KittyPaid) and hand is not None and hand.rules.table_stakes:
        yield Refusal("R-TABLE-STAKES", "the kitty pays nobody in mid-hand", "between hands")


def _kitty_takes(session: Session, command: cmd.KittyTakes) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    if not command.units:
        return Refusal("R-KITTY", "nothing is put into the kitty", "one counter or more")
    return [ev.KittyTaken(units=command.units, kind="stated")]


def _take_rake(session: Session, command: cmd.TakeRake) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    if not command.units:
        return Refusal("R-KITTY", "nothing is kept as rake", "one counter or more")
    return [ev.RakeTaken(units=command.units, pot=command.pot)]


def _divide(session: Session, _command: cmd.DividePool) -> Outcome:
    if session.in_play is not None or not session.bank.pool:
        return Refusal("R-JACK-TRIGGER", "no pool is carried", "after a hand that nobody opened")
    assert session.hand is not None
    return _shares(session, session.bank.pool)


def _shares(session: Session, pool: int) -> list[ev.Event]:
    """A carried pool in equal parts, from the left of the last dealer; the odd counters as the rules say."""
    assert session.hand is not None
    order = [p for p in [*session.hand.players, *session.seats] if p in session.putters]
    order = list(dict.fromkeys(order))
    share, odd = divmod(pool, len(order))
    to_kitty = odd if session.hand.rules.odd_counter == "kitty" else 0
    odd -= to_kitty
    events: list[ev.Event] = [
        ev.PoolShared(player=p, units=share + (1 if place < odd else 0))
        for place, p in enumerate(order)
        if share or place < odd
    ]
    if to_kitty:
        events.insert(0, ev.KittyTaken(units=to_kitty, kind="odd"))
    return events


def _may_share(session: Session, event: ev.PoolShared) -> Iterator[Refusal]:
    carried = session.hand.carried_on if session.hand is not None else 0
    if not carried or event not in _shares(session, carried):
        yield Refusal(
            "R-JACK-TRIGGER", f"{event.units} are no equal share of @{event.player}", f"of {carried}"
        )


# --- a hand ---


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
    """To whom the deal passes (R-DEAL-ROTATE, `redeal_after_passed_deal`); at first who cut lowest, or None."""
    there = session.dealt_in()
    if session.hand is None:
        return cut_winner(session)
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
            return Refusal("R-LOSS-LIMIT", f"@{player} has reached his limit of {watch.limit}", "he sits out")
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


def _hand(session: Session) -> Hand | Refusal:
    if session.in_play is None:
        return Refusal("R-DEAL", "no hand is in play", "hand first", final=True)
    return session.in_play


def _post_ante(session: Session, command: cmd.PostAnte) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    live = hand.old and hand.openers is None
    due = {d.player: d.units for d in posts_due(hand, session.bank.held) if d.what == "ante"}
    if command.player is not None:
        units = command.units if command.units is not None else due.get(command.player, hand.rules.ante or 0)
        if not units:
            return Refusal("R-ANTE", "there is no ante in this game", "set ante before the first hand")
        return [ev.AntePosted(player=command.player, units=units, live=live)]
    if live:
        return Refusal("R-ANTE", "only the age antes", f"@{hand.age} antes {hand.rules.ante}")
    if not due:
        return Refusal("R-JACK-ANTE" if hand.openers else "R-ANTE", "nobody owes an ante", "deal")
    return [ev.AntePosted(player=p, units=units, live=False) for p, units in due.items()]


def _post_blind(session: Session, command: cmd.PostBlind) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    mine = [d for d in posts_due(hand, session.bank.held) if d.player == command.player]
    blind: Any = command.blind or next((d.what for d in mine if d.what != "ante"), "big")
    if blind == "ante":
        return _post_ante(session, cmd.PostAnte(player=command.player, units=command.units))
    owed = next((d for d in mine if d.what == blind), None)
    full = (hand.rules.small if blind == "small" else hand.rules.big) or 0
    units = command.units if command.units is not None else (owed.units if owed else full)
    if not units:
        return Refusal("R-BLINDS", f"there is no {blind} blind in this game", "the other blind, or antes")
    name = blind if owed is not None or command.standing is None else "extra"
    return [ev.BlindPosted(player=command.player, units=units, blind=name, live=command.standing != "dead")]


def _straddle(session: Session, command: cmd.Straddle) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    units = command.units if command.units is not None else next_straddle(hand)
    return [ev.Straddled(player=command.player, units=max(units, 1))]


def _stake(session: Session, command: cmd.Stake) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    player = command.player
    mine = hand.stake.get(player, 0)
    held = session.bank.held.get(player, 0)
    owed = max(hand.high - mine, 0)
    action: Any = command.action
    if action == "all_in":
        units = held
    elif action == "call":
        reach = min(owed, held) if hand.rules.table_stakes else owed
        units = reach if command.units is None else command.units
    elif action == "raise":
        units = owed + (command.units or 0)
    elif action == "to":
        action, units = _to(hand, player, mine, command.units or 0)
    else:
        units = command.units or 0
    if units < 0:
        return Refusal("R-PASS-FINAL", f"@{player} has staked {mine}", "counters in the pool stay there")
    return [ev.Staked(player=player, action=action, units=units, to=mine + units)]


def _to(hand: Hand, player: str, mine: int, stake: int) -> tuple[str, int]:
    """What making the stake of this interval `stake` is called."""
    if not opened(hand):
        return ("open" if hand.phase in ("before_draw", "draw") else "bet"), stake - mine
    return ("raise" if stake > hand.high else "call"), stake - mine


def _simple(make: Callable[[Any], ev.Event]) -> Callable[[Session, Any], Outcome]:
    def asked(session: Session, command: Any) -> Outcome:
        hand = _hand(session)
        return hand if isinstance(hand, Refusal) else [make(command)]

    return asked


def _draw(session: Session, command: cmd.Draw) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    player = command.player
    events: list[ev.Event] = [ev.Drew(player=player, count=command.count)]
    if command.discarded is not None:
        events.append(ev.CardsKnown(player=player, cards=command.discarded, kind="discarded"))
    if command.received is not None:
        events.append(ev.CardsKnown(player=player, cards=command.received, kind="received"))
    return events


def _win(session: Session, command: cmd.Win) -> Outcome:
    hand = _hand(session)
    if isinstance(hand, Refusal):
        return hand
    left = hand.pool - kitty_part(hand) - stated_so_far(hand)
    return [ev.WonAsStated(player=command.player, units=left if command.units is None else command.units)]


# --- disputes ---


def _about(session: Session, number: int | None) -> int | Refusal:
    if number is None:
        number = len(session.hands)
    if session.hand_numbered(number) is None:
        return Refusal(None, f"there is no hand {number}", f"a hand from 1 to {len(session.hands)}")
    return number


def _dispute(session: Session, command: cmd.Dispute) -> Outcome:
    number = _about(session, command.hand)
    if isinstance(number, Refusal):
        return number
    return [ev.Disputed(player=command.player, hand=number, claim=command.claim)]


def _rule(session: Session, command: cmd.Rule) -> Outcome:
    number = _about(session, command.hand)
    if isinstance(number, Refusal):
        return number
    return [
        ev.Ruled(
            hand=number,
            text=command.text,
            units=command.units,
            giver=command.giver,
            taker=command.taker,
            by=command.by,
        )
    ]


def _may_rule(session: Session, event: ev.Ruled) -> Iterator[Refusal]:
    if event.giver is None:
        return
    held = session.bank.held.get(event.giver, 0)
    if event.units > held:
        yield Refusal("R-CONSERVE", f"@{event.giver} holds {held}", f"at most {held}")
    hand = session.in_play
    if hand is not None and hand.rules.table_stakes:
        yield Refusal("R-TABLE-STAKES", "no counters change hands in mid-hand", "a ruling after the hand")


_DECIDE: dict[type[cmd.Command], Callable[[Session, Any], Outcome]] = {
    cmd.OpenSession: _open,
    cmd.AdoptRules: _adopt,
    cmd.SetSwitch: _switch,
    cmd.SetKitty: _kitty_rule,
    cmd.SetUnit: _unit,
    cmd.SetColours: _colours,
    cmd.NameBanker: _banker,
    cmd.NameTreasurer: _treasurer,
    cmd.SeatPlayers: _seat,
    cmd.SitDown: _sit,
    cmd.SitOut: _presence(ev.SatOut),
    cmd.SitIn: _presence(ev.SatIn),
    cmd.Leave: _presence(ev.Left),
    cmd.TellTime: _time,
    cmd.Note: _note,
    cmd.Undo: _undo,
    cmd.Amend: _amend,
    cmd.Close: _close,
    cmd.SellCounters: _sell,
    cmd.BuyBackCounters: _buy_back,
    cmd.CountCounters: _count,
    cmd.AssignDifference: _difference,
    cmd.SetLossLimit: _loss_limit,
    cmd.SetStopTime: _stop_time,
    cmd.KittyPays: _kitty_pays,
    cmd.KittySpends: _kitty_spends,
    cmd.KittyTakes: _kitty_takes,
    cmd.TakeRake: _take_rake,
    cmd.DividePool: _divide,
    cmd.BeginHand: _begin,
    cmd.Cut: _cut,
    cmd.PostAnte: _post_ante,
    cmd.PostBlind: _post_blind,
    cmd.Straddle: _straddle,
    cmd.Deal: _simple(lambda c: ev.Dealt()),
    cmd.Misdeal: _simple(lambda c: ev.Misdealt(reason=c.reason)),
    cmd.Expose: _simple(lambda c: ev.CardExposed(player=c.player, card=c.card, by_dealer=c.by_dealer)),
    cmd.Foul: _simple(lambda c: ev.HandFoul(player=c.player, cards=c.cards)),
    cmd.Stake: _stake,
    cmd.Check: _simple(lambda c: ev.Checked(player=c.player)),
    cmd.Pass: _simple(lambda c: ev.Passed(player=c.player)),
    cmd.Draw: _draw,
    cmd.KnowCards: _simple(lambda c: ev.CardsKnown(player=c.player, cards=c.cards, kind=c.kind)),
    cmd.Show: _simple(lambda c: ev.Shown(player=c.player, cards=c.cards, openers=c.openers, threw=c.threw)),
    cmd.Declare: _simple(lambda c: ev.HandDeclared(player=c.player, hand=c.hand)),
    cmd.Muck: _simple(lambda c: ev.Mucked(player=c.player)),
    cmd.Win: _win,
    cmd.Dispute: _dispute,
    cmd.Rule: _rule,
}

_JUDGE: dict[type[ev.Event], Callable[[Session, Any], Iterator[Refusal]]] = {
    ev.RulesSet: _rules_fit,
    ev.UnitSet: _once_fixed,
    ev.ColoursSet: _once_fixed,
    ev.Seated: _may_sit,
    ev.SatOut: _seated_one,
    ev.SatIn: _seated_one,
    ev.Left: _seated_one,
    ev.SessionClosed: _may_close,
    ev.CountersSold: _may_buy,
    ev.CountersBoughtBack: _may_cash,
    ev.CountersCounted: _may_count,
    ev.LossLimitSet: _may_limit,
    ev.KittyPaid: _kitty_has,
    ev.KittySpent: _kitty_has,
    ev.HandBegun: _may_begin,
    ev.PoolShared: _may_share,
    ev.CardCut: _may_cut,
    ev.Ruled: _may_rule,
}
