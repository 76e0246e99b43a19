"""The evening itself: opened and closed, its rules, its people, its clock; what is withdrawn."""

from collections.abc import Callable, Iterator
from typing import Any

from ledger import commands as cmd
from ledger import events as ev
from ledger.refusal import Refusal
from ledger.rules.agreement import check
from ledger.rules.switches import SwitchRefused, set_switch
from ledger.session.follow import bearer, kitty_shares
from ledger.session.outcome import Decide, Judge, Outcome
from ledger.session.state import Session


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
        number = abs(session.bank.difference)
        yield Refusal(
            "R-CONSERVE",
            f"{number} {'counter is' if number == 1 else 'counters are'} {missing_or}",
            "difference borne by banker, winners, losers or kitty",
        )
    if bearer(session) == "kitty" and session.bank.kitty < session.bank.difference:
        yield Refusal("R-CONSERVE", f"the kitty has only {session.bank.kitty}", "difference borne by another")


DECIDE: dict[type[cmd.Command], Decide] = {
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
}

JUDGE: dict[type[ev.Event], Judge] = {
    ev.RulesSet: _rules_fit,
    ev.UnitSet: _once_fixed,
    ev.ColoursSet: _once_fixed,
    ev.Seated: _may_sit,
    ev.SatOut: _seated_one,
    ev.SatIn: _seated_one,
    ev.Left: _seated_one,
    ev.SessionClosed: _may_close,
}
