"""What the command line prints of a session, as JSON: plain dicts and lists, players by name.

Amounts are units; money is text as people write it in the session's currency; times are RFC 3339 in the session's zone.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ledger.counters.money import money_text
from ledger.counters.settlement import Payment, fewest_payments, via_banker
from ledger.refusal import told
from ledger.session.follow import difference_shares
from ledger.session.state import Session
from ledger.table.hand import Hand
from ledger.table.options import options, to_act
from ledger.table.pots import pots
from ledger.telling import tell_recorded
from ledger.times import rfc3339

NameOf = Callable[[str], str]
Json = dict[str, Any]
BANK = "the bank"
KITTY = "the kitty"
_NOTHING: Mapping[str, int] = MappingProxyType({})


def labels(session: Session, name_of: NameOf) -> NameOf:
    """Names as they can stand side by side: of two players of one name the later one gets a number."""
    given: dict[str, str] = {}
    for player in session.people():
        name = name_of(player)
        count = 2
        while name in given.values():
            name = f"{name_of(player)} ({count})"
            count += 1
        given[player] = name
    return lambda player: given.get(player) or name_of(player)


def money(session: Session, units: int) -> tuple[str | None, str | None]:
    """Units as money and its currency; both None where counters have no price."""
    if session.unit is None:
        return None, None
    return money_text(units, session.unit), session.unit.currency


def table_view(session: Session, name_of: NameOf) -> Json:
    """The table as it stands: seats, stakes, pool, whose say, what he may do."""
    hand = session.hand
    held = {name_of(p): session.bank.held.get(p, 0) for p in session.people()}
    seats = [name_of(p) for p in session.seats if p not in session.gone]
    if hand is None:
        return {
            "session": session.id, "hand": None, "phase": "between_hands", "dealer": None, "pool": 0, "stakes": {},
            "held": held, "to_act": None, "allowed": [], "jackpot": None, "carried": 0, "seats": seats,
        }  # fmt: skip
    turn = to_act(hand, session.bank.held) if not hand.over else None
    allowed = options(hand, session.bank.held) if not hand.over else []
    return {
        "session": session.id,
        "hand": hand.number,
        "phase": hand.phase,
        "dealer": name_of(hand.dealer),
        "pool": session.bank.pool,
        "stakes": {name_of(p): hand.stake.get(p, 0) for p in hand.players},
        "held": held,
        "to_act": None if turn is None else name_of(turn),
        "allowed": [
            {"player": name_of(o.player), "action": o.action, "min": o.least, "max": o.most} for o in allowed
        ],
        "jackpot": _jackpot(hand),
        "carried": hand.carried,
        "seats": seats,
        "in": [name_of(p) for p in hand.players if p in hand.live or hand.phase == "before_deal"],
    }


def _jackpot(hand: Hand) -> Json | None:
    return None if hand.openers is None else {"openers": hand.openers * 2}


def balances_view(session: Session, name_of: NameOf) -> Json:
    """Where every counter is."""
    bank = session.bank
    there = sum(bank.bought.values()) + bank.brought_forward + bank.difference
    here = sum(bank.held.values()) + sum(bank.cashed.values()) + bank.pool + bank.kitty + bank.spent
    return {
        "sold": sum(bank.bought.values()),
        "brought_forward": bank.brought_forward,
        "held": {name_of(p): bank.held.get(p, 0) for p in session.people()},
        "bought_back": {name_of(p): bank.cashed.get(p, 0) for p in session.people()},
        "bought": {name_of(p): bank.bought.get(p, 0) for p in session.people()},
        "pool": bank.pool,
        "kitty": bank.kitty,
        "kitty_spent": bank.spent,
        "rake": bank.rake,
        "difference": bank.difference,
        "balanced": there == here,
    }


def settle_view(
    session: Session, name_of: NameOf, *, through_banker: bool = False, moved: Mapping[str, int] = _NOTHING
) -> Json:
    """Buy-backs and the payments that make every net nought; who keeps the kitty's money stands for it.

    Before the close what is held counts as cashed. `moved` are units that corrections moved after it, nought in all.
    """
    bank = session.bank
    players = []
    for player in session.people():
        bought = bank.bought.get(player, 0)
        cashed = bank.cashed.get(player, 0) + bank.held.get(player, 0)
        net = cashed - bought + moved.get(player, 0)
        text, currency = money(session, net)
        players.append(
            {"name": name_of(player), "bought": bought, "cashed": cashed, "moved": moved.get(player, 0), "net": net,
             "money": text, "currency": currency}
        )  # fmt: skip
    payments = payments_of(session, name_of, through_banker=through_banker, moved=moved)
    person = keeper(session)
    return {
        "players": players,
        "payments": [
            {"from": p.frm, "to": p.to, "units": p.units, "money": money(session, p.units)[0]}
            for p in payments
        ],
        "pool": bank.pool,
        "kitty": bank.kitty,
        "kitty_spent": bank.spent,
        "rake": bank.rake,
        "brought_forward": bank.brought_forward,
        "difference": bank.difference,
        "treasurer": name_of(person) if person else BANK,
        "borne": [
            {"by": KITTY if b.kitty else (name_of(b.player) if b.player else BANK), "units": b.units}
            for b in (session.borne or difference_shares(session))
        ],
    }


def keeper(session: Session) -> str | None:
    """Who keeps the kitty's money: the treasurer, else the banker, else (None) the house."""
    return session.treasurer or session.banker


def payments_of(
    session: Session, name_of: NameOf, *, through_banker: bool = False, moved: Mapping[str, int] = _NOTHING
) -> tuple[Payment, ...]:
    """The fewest payments between players, or each with the banker; none while a pool is undecided and owned by nobody.

    The kitty's money and what the pool holds lie with their keeper, rake with the house; a difference is with whoever
    bears it.
    """
    bank = session.bank
    nets = {name_of(p): bank.net(p) + moved.get(p, 0) for p in session.people()}
    person = keeper(session)
    keeps = name_of(person) if person else BANK
    nets[keeps] = nets.get(keeps, 0) + bank.kitty + bank.spent - bank.rake - bank.brought_forward + bank.pool
    for share in session.borne or difference_shares(session):
        if not share.kitty:
            who = name_of(share.player) if share.player else BANK
            nets[who] = nets.get(who, 0) + share.units
        elif not session.borne:
            nets[keeps] += share.units
    rest = -sum(nets.values())
    if rest:
        nets[BANK] = nets.get(BANK, 0) + rest
    rows = [(name, units) for name, units in nets.items() if units]
    if through_banker:
        return via_banker(rows, name_of(session.banker) if session.banker else BANK)
    return fewest_payments(rows)


def hand_view(
    session: Session,
    hand: Hand,
    name_of: NameOf,
    *,
    events: bool = False,
    private: bool = False,
    moved: Mapping[str, int] = _NOTHING,
) -> Json:
    """One hand: what was staked, returned and won; with `events` told step by step.

    `moved` are units that a correction after the close moved, or that leave a ruling out; they go into `net`. Cards
    that only the recorder knows are left out, unless `private`.
    """
    net = session.hand_net(hand)
    for player, units in moved.items():
        net[player] = net.get(player, 0) + units
    view: Json = {
        "hand": hand.number,
        "source_id": hand.source_id,
        "dealer": name_of(hand.dealer),
        "jackpot": _jackpot(hand),
        "carried": hand.carried,
        "pool_at_draw": hand.pool_at_draw,
        "staked": {name_of(p): hand.staked.get(p, 0) for p in hand.players},
        "returned": {name_of(p): units for p, units in hand.returned.items() if units},
        "pool": hand.won_pool if hand.over else hand.to_win,
        "kitty": hand.kitty + hand.raked,
        "rake": hand.raked,
        "winners": winners(hand, name_of),
        "net": {name_of(p): units for p, units in net.items()},
        "irregular": [
            {
                "rule": m.rule,
                "message": told(m.message, name_of),
                "player": name_of(m.player) if m.player else None,
            }
            for m in hand.marks
        ],
        "over": hand.over,
    }
    if events:
        view["events"] = [
            {
                "event": r.position,
                "version": r.version,
                "type": r.event.type,
                "told": rfc3339(r.occurred_at, r.zone),
                "text": tell_recorded(r, name_of, openly=not private),
                "cause": r.cause,
            }
            for r in session.log
            if hand.first_version <= r.version <= hand.last_version
            or (r.event.type in ("disputed", "ruled") and getattr(r.event, "hand", None) == hand.number)
        ]
    return view


def winners(hand: Hand, name_of: NameOf) -> list[Json]:
    """A row per player who got something, from the dealer's left, kitty already off."""
    rows: dict[str, Json] = {}
    for award in hand.awards:
        row = rows.setdefault(award.player, {"name": name_of(award.player), "units": 0, "hand": award.hand})
        row["units"] += award.units
    return [rows[p] for p in hand.players if p in rows]


def kitty_from(hand: Hand) -> dict[str, int]:
    """Units the kitty took that each winner would have had: equal parts of each pot, odd ones from the dealer's left.

    A pot paid what it held less its awards, so that it counts against who won it and against nobody else. Where winners
    were stated there is one pot; one that the kitty took whole counts against who won the others.
    """
    given: dict[str, int] = {}
    if not hand.kitty or not hand.awards:
        return given
    held = [hand.to_win] if hand.stated else [pot.units for pot in pots(hand)]
    for number, units in enumerate(held):
        awards = [award for award in hand.awards if hand.stated or award.pot == number]
        taken = units - min(hand.rake.get(number, 0), units) - sum(award.units for award in awards)
        won = {award.player for award in awards or hand.awards}
        takers = [p for p in hand.players if p in won]
        share, odd = divmod(taken, len(takers))
        for place, player in enumerate(takers):
            given[player] = given.get(player, 0) + share + (1 if place < odd else 0)
    return {player: units for player, units in given.items() if units}


def kitty_given(session: Session, name_of: NameOf) -> dict[str, int]:
    """Units the kitty took from pools each player won."""
    given: dict[str, int] = {}
    for hand in session.hands:
        for player, units in kitty_from(hand).items():
            name = name_of(player)
            given[name] = given.get(name, 0) + units
    return given


def limit_rows(session: Session, name_of: NameOf) -> list[Json]:
    """Each player's limits and how the evening kept them; net as it is now, the rest as marked at each hand's end."""
    rows = []
    for player, watch in session.watches.items():
        rows.append(
            {
                "session": session.id,
                "name": name_of(player),
                "limit": watch.limit,
                "net": session.bank.net(player),
                "lowest": watch.lowest,
                "reached_at_hand": watch.reached_at_hand,
                "hands_after": watch.hands_after,
                "stop_at": None if watch.stop_at is None else rfc3339(watch.stop_at, session.zone),
                "minutes_after": watch.minutes_after,
                "counts": session.rules.loss_limit_counts if session.rules is not None else None,
            }
        )
    return rows
