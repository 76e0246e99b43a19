"""From a statement to a command: names to ids, colours and money to units, times to instants.

Needs the session as it stands before the statement, for its colours, its unit and its clock. What cannot be resolved is
a refusal without a rule; it is `unreadable` where the words say nothing that could be asked.
"""

import datetime as dt
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from ledger import commands as cmd
from ledger import times
from ledger.counters.colours import ColourRefused, make_colours, units_of_coloured
from ledger.counters.money import MoneyRefused, Unit, parse_unit, units_of
from ledger.events import MOST_UNITS, KittyLeft
from ledger.names import Names
from ledger.refusal import Refusal
from ledger.rules import HandName, Kitty, Rules, RulesError, load
from ledger.rules.load import UnknownRulesError
from ledger.session.state import Session
from ledger.sheet import statements as st


class _NotResolvedError(Exception):
    """Carries a refusal out of the depth of a statement; never leaves this module."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Context:
    """What a statement is read against. `folder` is where paths of the sheet start; `live`: it is being played now."""

    session: Session
    names: Names
    folder: pathlib.Path
    kitty_left: Callable[[], tuple[KittyLeft, ...]]
    live: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A command and when and where on the clock it is asked (microseconds UTC, IANA zone)."""

    command: cmd.Command
    occurred_at: int
    zone: str


def translate(statement: st.Statement, context: Context) -> Asked | Refusal:
    """The command a statement asks for, or why it asks for none."""
    body = statement.body
    session = context.session
    try:
        if isinstance(body, st.Session):
            return _session(body, context)
        if isinstance(body, st.At):
            return Asked(cmd.TellTime(), _told(body, session), session.zone)
        command = _TRANSLATE[type(body)](context, body)
    except _NotResolvedError as found:
        return found.refusal
    if statement.irregular:
        command = command.model_copy(update={"irregular": True})
    return Asked(command, session.told_at, session.zone)


def _refuse(message: str, allowed: str = "", *, unreadable: bool = False) -> _NotResolvedError:
    return _NotResolvedError(Refusal(None, message, allowed, unreadable=unreadable))


def _session(body: st.Session, context: Context) -> Asked:
    zone = body.zone or times.host_zone()
    if times.zone_named(zone) is None:
        raise _refuse(f"there is no zone {zone}", "for instance Europe/London", unreadable=True)
    command = cmd.OpenSession(
        title=body.title,
        date=body.date.isoformat(),
        timed=body.time is not None,
        rules=load("english"),
        kitty_left=context.kitty_left(),
    )
    return Asked(command, times.on_date(body.date, body.time, zone), zone)


def _told(body: st.At, session: Session) -> int:
    if body.date is not None:
        return times.on_date(body.date, body.time, session.zone)
    first = not session.timed and session.told_at == session.opened_at
    return times.next_told(body.time, session.told_at, session.zone, first=first)


def _player(context: Context, name: str) -> str:
    session = context.session
    player = context.names.player(name, _known_here(session))
    if player is None or (player not in session.seats and player not in (session.banker, session.treasurer)):
        here = [context.names.name(p) for p in session.seats]
        near = f"at the table: {', '.join(here)}" if here else "nobody has a seat yet"
        raise _refuse(f"nobody here is called {name}", near)
    return player


def _known_here(session: Session) -> list[str]:
    """Ids that stand in the session: a name means one of them where it can, whatever was renamed or merged since."""
    return [*session.people(), *(p for p in (session.banker, session.treasurer) if p is not None)]


def _newcomer(context: Context, *given: str) -> tuple[tuple[str, ...], tuple[cmd.Naming, ...]]:
    """The ids of players who may be new to the ledger, and the naming of those who are."""
    players: list[str] = []
    named: list[cmd.Naming] = []
    for name in given:
        player = context.names.player(name, _known_here(context.session))
        if player is None:
            row = context.names.give(name)
            player = row.player
            named.append(cmd.Naming(player=player, name_hash=row.name_hash.hex()))
        players.append(player)
    return tuple(players), tuple(named)


def _units(context: Context, amount: st.Amount) -> int:
    session = context.session
    if isinstance(amount, st.Units):
        units = amount.count
    elif isinstance(amount, st.Coloured):
        coloured = units_of_coloured(amount.parts, session.colours)
        if isinstance(coloured, ColourRefused):
            raise _NotResolvedError(Refusal("R-COUNTERS", coloured.message))
        units = coloured
    else:
        found = units_of(amount.text, session.unit)
        if isinstance(found, MoneyRefused):
            raise _refuse(found.message, unreadable=True)
        units = found
    if units > MOST_UNITS:
        raise _refuse(
            f"{units} counters are more than a session takes", f"{MOST_UNITS} at most", unreadable=True
        )
    return units


def _maybe(context: Context, amount: st.Amount | None) -> int | None:
    return None if amount is None else _units(context, amount)


def _rules(context: Context, body: st.RulesFrom) -> cmd.Command:
    path = context.folder / body.source
    try:
        rules: Rules = load(str(path) if path.suffix == ".toml" else body.source)
    except UnknownRulesError as fault:
        raise _refuse(str(fault)) from None
    except RulesError as fault:
        raise _refuse(str(fault), unreadable=True) from None
    return cmd.AdoptRules(rules=rules)


def _switch(context: Context, body: st.Switch) -> cmd.Command:
    words = tuple(v if isinstance(v, str) else str(_units(context, v)) for v in body.values)
    return cmd.SetSwitch(switch=body.name, words=words)


def _unit(_context: Context, body: st.Unit) -> cmd.Command:
    unit = parse_unit(body.cost.text)
    if not isinstance(unit, Unit):
        raise _refuse(unit.message, unreadable=True)
    return cmd.SetUnit(unit=unit)


def _counters(_context: Context, body: st.Counters) -> cmd.Command:
    colours = make_colours(body.values)
    if isinstance(colours, ColourRefused):
        raise _refuse(colours.message, unreadable=True)
    return cmd.SetColours(colours=colours)


def _banker(context: Context, body: st.Banker) -> cmd.Command:
    players, named = _newcomer(context, body.player)
    return cmd.NameBanker(player=players[0], named=named)


def _treasurer(context: Context, body: st.Treasurer) -> cmd.Command:
    players, named = _newcomer(context, body.player)
    return cmd.NameTreasurer(player=players[0], named=named)


def _seat(context: Context, body: st.Seat) -> cmd.Command:
    players, named = _newcomer(context, *body.players)
    return cmd.SeatPlayers(players=players, named=named)


def _sits(context: Context, body: st.Sits) -> cmd.Command:
    left_of = None if body.left_of is None else _player(context, body.left_of)
    players, named = _newcomer(context, body.player)
    return cmd.SitDown(player=players[0], left_of=left_of, named=named)


def _stops(context: Context, body: st.StopsAt) -> cmd.Command:
    """The first such time after the session began; where its hour is unknown, times before noon are the next day."""
    session = context.session
    player = None if body.player is None else _player(context, body.player)
    start = session.opened_at
    if not session.timed and session.told_at == session.opened_at:
        date = times.moment(start, session.zone).date()
        start = times.on_date(date, dt.time(12), session.zone) - 1
    return cmd.SetStopTime(player=player, stop_at=times.next_after(body.time, start, session.zone))


def _kitty(kind: str) -> Callable[[Context, Any], cmd.Command]:
    def rule(context: Context, body: Any) -> cmd.Command:
        fields: dict[str, Any] = {"kind": kind}
        if kind in ("per_hand", "when_pool", "when_shown"):
            fields["units"] = _units(context, body.amount)
            if not fields["units"]:
                raise _refuse("a kitty of nothing is none", "kitty off", unreadable=True)
        if kind == "when_pool":
            fields["at_least"] = _units(context, body.pool)
        if kind == "percent":
            fields |= {"basis_points": body.percent * 100, "up_to": _maybe(context, body.up_to)}
        if kind == "when_shown":
            fields["hand"] = body.hand
        try:
            return cmd.SetKitty(kitty=Kitty(**fields))
        except ValueError:
            raise _refuse(
                "this is no kitty rule", "kitty 1 per hand, or kitty off", unreadable=True
            ) from None

    return rule


def _antes(context: Context, body: st.Antes) -> cmd.Command:
    player = None if body.player is None else _player(context, body.player)
    return cmd.PostAnte(player=player, units=_maybe(context, body.amount))


def _posts(context: Context, body: st.Posts) -> cmd.Command:
    return cmd.PostBlind(
        player=_player(context, body.player),
        blind=body.blind,
        units=_maybe(context, body.amount),
        standing=body.standing,
    )


def _stake(action: str) -> Callable[[Context, Any], cmd.Command]:
    def stake(context: Context, body: Any) -> cmd.Command:
        return cmd.Stake(
            player=_player(context, body.player),
            action=cast(Any, action),
            units=_maybe(context, getattr(body, "amount", None)),
        )

    return stake


def _draw(context: Context, body: st.Draws) -> cmd.Command:
    return cmd.Draw(player=_player(context, body.player), count=body.count, received=body.gets or None)


def _pat(context: Context, body: st.Pat) -> cmd.Command:
    return cmd.Draw(player=_player(context, body.player), count=0)


def _discards(context: Context, body: st.Discards) -> cmd.Command:
    return cmd.Draw(
        player=_player(context, body.player),
        count=len(body.cards),
        discarded=body.cards,
        received=body.gets or None,
    )


def _ruling(context: Context, body: st.Ruling) -> cmd.Command:
    moves = body.moves
    if moves is None:
        return cmd.Rule(text=body.text, hand=body.hand)
    return cmd.Rule(
        text=body.text,
        hand=body.hand,
        units=_units(context, moves.amount),
        giver=_player(context, moves.giver),
        taker=_player(context, moves.taker),
    )


def _hand(context: Context, body: st.Hand) -> cmd.Command:
    dealer = None if body.dealer is None else _player(context, body.dealer)
    return cmd.BeginHand(dealer=dealer, live=context.live)


def _of_player(kind: type[cmd.Command]) -> Callable[[Context, Any], cmd.Command]:
    """A command that needs nothing but its player."""

    def make(context: Context, body: Any) -> cmd.Command:
        return kind(player=_player(context, body.player))  # type: ignore[call-arg]

    return make


def _of_amount(kind: type[cmd.Command]) -> Callable[[Context, Any], cmd.Command]:
    """A command that needs its player and an amount."""

    def make(context: Context, body: Any) -> cmd.Command:
        return kind(player=_player(context, body.player), units=_units(context, body.amount))  # type: ignore[call-arg]

    return make


_TRANSLATE: dict[type[Any], Callable[[Context, Any], cmd.Command]] = {
    st.RulesFrom: _rules,
    st.Switch: _switch,
    st.Unit: _unit,
    st.Counters: _counters,
    st.Banker: _banker,
    st.Treasurer: _treasurer,
    st.Seat: _seat,
    st.Note: lambda _c, b: cmd.Note(text=b.text),
    st.Undo: lambda _c, _b: cmd.Undo(),
    st.Close: lambda _c, _b: cmd.Close(),
    st.Sits: _sits,
    st.SitsOut: _of_player(cmd.SitOut),
    st.SitsIn: _of_player(cmd.SitIn),
    st.Leaves: _of_player(cmd.Leave),
    st.Buys: _of_amount(cmd.SellCounters),
    st.Cashes: _of_amount(cmd.BuyBackCounters),
    st.LossLimit: _of_amount(cmd.SetLossLimit),
    st.StopsAt: _stops,
    st.Counts: _of_amount(cmd.CountCounters),
    st.DifferenceBorne: lambda _c, b: cmd.AssignDifference(by=b.by),
    st.KittyOff: _kitty("off"),
    st.KittyPerHand: _kitty("per_hand"),
    st.KittyWhenPool: _kitty("when_pool"),
    st.KittyPercent: _kitty("percent"),
    st.KittyWhenShown: _kitty("when_shown"),
    st.KittyTakes: lambda c, b: cmd.KittyTakes(units=_units(c, b.amount)),
    st.KittyPays: lambda c, b: cmd.KittyPays(
        player=_player(c, b.player), units=_units(c, b.amount), reason=b.reason
    ),
    st.KittySpends: lambda c, b: cmd.KittySpends(units=_units(c, b.amount), reason=b.reason),
    st.PoolDivided: lambda _c, _b: cmd.DividePool(),
    st.Hand: _hand,
    st.Cuts: lambda c, b: cmd.Cut(player=_player(c, b.player), card=b.card),
    st.Antes: _antes,
    st.Straddles: _of_player(cmd.Straddle),
    st.Posts: _posts,
    st.Deal: lambda _c, _b: cmd.Deal(),
    st.Misdeal: lambda _c, b: cmd.Misdeal(reason=b.reason),
    st.Exposed: lambda c, b: cmd.Expose(player=_player(c, b.player), card=b.card, by_dealer=b.by_dealer),
    st.Foul: lambda c, b: cmd.Foul(player=_player(c, b.player), cards=b.cards),
    st.Opens: _stake("open"),
    st.Bets: _stake("bet"),
    st.Raises: _stake("raise"),
    st.To: _stake("to"),
    st.Calls: _stake("call"),
    st.AllIn: _stake("all_in"),
    st.Checks: _of_player(cmd.Check),
    st.Passes: _of_player(cmd.Pass),
    st.Draws: _draw,
    st.Pat: _pat,
    st.Discards: _discards,
    st.Gets: lambda c, b: cmd.KnowCards(player=_player(c, b.player), cards=b.cards, kind="received"),
    st.Holds: lambda c, b: cmd.KnowCards(player=_player(c, b.player), cards=b.cards, kind="holds"),
    st.Shows: lambda c, b: cmd.Show(player=_player(c, b.player), cards=b.cards),
    st.ShowsOpeners: lambda c, b: cmd.Show(
        player=_player(c, b.player), cards=b.cards, openers=True, threw=b.threw
    ),
    st.Declares: lambda c, b: cmd.Declare(player=_player(c, b.player), hand=cast(HandName, b.hand)),
    st.Mucks: _of_player(cmd.Muck),
    st.Wins: lambda c, b: cmd.Win(player=_player(c, b.player), units=_maybe(c, b.amount)),
    st.Disputes: lambda c, b: cmd.Dispute(player=_player(c, b.player), claim=b.claim, hand=b.hand),
    st.Ruling: _ruling,
}
