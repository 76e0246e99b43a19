"""Turning a hand of a history into commands: who sits where with what, the deal, every line of play, the rake.

The commands are made one by one, each after the one before was taken, so that the session they are asked of stands as
the file has it by then. What the file has to agree with, and does not, ends the hand (UnreadableError).
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from ledger import commands as cmd
from ledger.counters.money import Unit
from ledger.formats.pokerstars.lines import fits
from ledger.formats.pokerstars.played import POSTS, Action, Played, Seat, UnreadableError
from ledger.names import Names
from ledger.rules.load import load
from ledger.rules.model import FixedLimit, NoLimit, PotLimit, Rules
from ledger.session.dealing import next_dealer
from ledger.session.state import Session
from ledger.table.hand import Hand
from ledger.table.posts import blinds
from ledger.table.pots import pots


class Asking(NamedTuple):
    """A command and the line it comes from."""

    line: int
    command: cmd.Command


def opening(hands: list[Played], title: str) -> Iterator[Asking]:
    """Opens the session of some hands at one table, in their order."""
    first = hands[0]
    opened = cmd.OpenSession(
        title=title, date=first.at.date().isoformat(), timed=True, rules=_rules(hands), kitty_left=()
    )
    yield Asking(first.line, opened)
    if first.stakes.currency is not None:
        unit = Unit(minor_numerator=1, minor_denominator=1, currency=first.stakes.currency, decimals=2)
        yield Asking(first.line, cmd.SetUnit(unit=unit))


def _rules(hands: list[Played]) -> Rules:
    """The modern rules at these stakes. What the heading leaves open (the small blind of a fixed limit, an ante) the
    posts tell.
    """
    stakes = hands[0].stakes
    limits = {
        "fixed": FixedLimit(small=stakes.small, big=stakes.big),
        "pot": PotLimit(),
        "none": NoLimit(),
    }
    fixed = stakes.limit == "fixed"
    posts = [a for hand in hands for a in hand.actions if a.verb in POSTS and not a.all_in]
    small = stakes.small
    if fixed:
        posted = next((a for a in posts if a.verb == "small"), None)
        small = stakes.small // 2 if posted is None else posted.units
        if posted is not None and not fits(small, stakes.small):
            raise UnreadableError(posted.line, f"{small} is no small blind of a bet of {stakes.small}")
    return load("modern").model_copy(
        update={
            "small": small,
            "big": stakes.small if fixed else stakes.big,
            "ante": next((a.units for a in posts if a.verb == "ante"), 0),
            "limit": limits[stakes.limit],
        }
    )


def ask(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    """All of one hand, from taking the seats to the last hand shown or thrown away."""
    yield from _leaving(hand, session, names)
    yield from _sitting(hand, session, names)
    yield from _presence(hand, session, names)
    yield from _counters(hand, session, names)
    dealer = _dealer(hand, names)
    begin = cmd.BeginHand(
        dealer=dealer,
        found=next_dealer(session) != dealer,
        source_id=hand.id,
        dead_small=_dead_small(hand),
    )
    yield Asking(hand.line, begin)
    dealt = {_id(names, seat.name) for seat in hand.dealt_in()}
    assert session.hand is not None
    if set(session.hand.players) != dealt:
        raise UnreadableError(hand.line, "somebody is dealt in who has nothing before him")
    yield from _posts(hand, session, names)
    yield Asking(hand.deal_line, cmd.Deal())
    if hand.hero is not None:
        hole = cmd.KnowCards(player=_id(names, hand.hero), cards=hand.hole, kind="holds")
        yield Asking(hand.hole_line, hole)
    yield from _play(hand, session, names)


def _id(names: Names, name: str) -> str:
    player = names.player(name)
    assert player is not None, "everybody at the table was named when he sat down"
    return player


# --- between hands ---


def _leaving(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    """Who is at the table no more has left, and taken along what he had; so has who moved to another seat, for now."""
    here = {names.player(name) for name in hand.seats}
    gone = [p for p in session.seats if p not in session.gone and p not in here]
    for player in gone:
        yield Asking(hand.line, cmd.Leave(player=player))
        held = session.bank.held.get(player, 0)
        if held:
            yield Asking(hand.line, cmd.BuyBackCounters(player=player, units=held, found=True))
    for player in _moved(hand, session, names):
        yield Asking(hand.line, cmd.Leave(player=player))


def _moved(hand: Played, session: Session, names: Names) -> list[str]:
    """The fewest who have to take another seat so that all sit in the order of the seats' numbers."""
    number = {names.player(s.name): s.number for s in hand.seats.values()}
    sitting = [p for p in session.seats if p not in session.gone and p in number]
    for count in range(len(sitting)):
        for stay in itertools.combinations(sitting, len(sitting) - count):
            numbers = [number[p] for p in stay]
            low = numbers.index(min(numbers))
            if [*numbers[low:], *numbers[:low]] == sorted(numbers):
                return [p for p in sitting if p not in stay]
    return []


def _sitting(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    """Who is new takes his seat, left of who sits at the next lower number, or of the last one round the table."""
    order = sorted(hand.seats.values(), key=lambda s: s.number)
    there = {p for p in session.seats if p not in session.gone}
    for at, seat in enumerate(order):
        player = names.player(seat.name)
        if player in there:
            continue
        named: tuple[cmd.Naming, ...] = ()
        if player is None:
            row = names.give(seat.name)
            player, named = row.player, (cmd.Naming(player=row.player, name_hash=row.name_hash.hex()),)
        before = [names.player(s.name) for s in [*order[:at][::-1], *order[at + 1 :][::-1]]]
        left_of = next((p for p in before if p in there), None)
        there.add(player)
        yield Asking(seat.line, cmd.SitDown(player=player, left_of=left_of, named=named))


def _presence(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    for seat in hand.seats.values():
        player = _id(names, seat.name)
        if seat.out and player not in session.away:
            yield Asking(seat.line, cmd.SitOut(player=player))
        elif not seat.out and player in session.away:
            yield Asking(seat.line, cmd.SitIn(player=player))


def _counters(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    """What lies before a player and the record cannot explain was sold to him, or bought back from him."""
    for seat in hand.seats.values():
        player = _id(names, seat.name)
        more = seat.units - session.bank.held.get(player, 0)
        if more > 0:
            yield Asking(seat.line, cmd.SellCounters(player=player, units=more, found=True))
        elif more < 0:
            yield Asking(seat.line, cmd.BuyBackCounters(player=player, units=-more, found=True))


def _dealer(hand: Played, names: Names) -> str:
    """Who has the button; where nobody sits behind it, who is dealt in next to its right, so that all speak in turn."""

    def behind(seat: Seat) -> bool:
        return seat.number > hand.button

    return _id(names, max(hand.dealt_in(), key=lambda s: (not behind(s), s.number)).name)


def _dead_small(hand: Played) -> bool:
    """Whether nobody has the small blind: the first one left of the button posts the big one."""
    seats = hand.dealt_in()
    first = min(seats, key=lambda s: (s.number <= hand.button, s.number))
    blinds_put = [a for a in hand.actions if a.verb in ("small", "big")]
    anted_away = any(a.verb == "ante" and a.all_in and a.player != first.name for a in hand.actions)
    if not blinds_put or any(a.verb == "small" for a in hand.actions) or (len(seats) == 2 and anted_away):
        return False
    return blinds_put[0].player == first.name


# --- in the hand ---


def _posts(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    for action in hand.actions:
        if action.verb in POSTS:
            for command in _post(action, session, _id(names, action.player)):
                yield Asking(action.line, command)
            _all_in_or_not(action, session, names)


def _post(action: Action, session: Session, player: str) -> Iterator[cmd.Command]:
    """An ante, a blind of one whose turn it is, or of one who comes in: then his small blind is dead, his big one live.

    With both in one sum what is above the big blind is dead.
    """
    at_table = _in_play(action.line, session)
    if action.verb == "ante":
        yield cmd.PostAnte(player=player, units=action.units)
        return
    if action.verb == "both":
        big = at_table.rules.big or 0
        if action.units <= big:
            raise UnreadableError(action.line, f"both blinds are more than the big one of {big}")
        yield cmd.PostBlind(player=player, blind="small", units=action.units - big, standing="dead")
        yield cmd.PostBlind(player=player, blind="big", units=big, standing="live")
        return
    blind = "small" if action.verb == "small" else "big"
    owed = any(p == player and what == blind for p, what, _ in blinds(at_table))
    extra = "dead" if blind == "small" else "live"
    yield cmd.PostBlind(
        player=player, blind=blind, units=action.units, standing=None if owed else extra
    )  # fmt: skip


def _in_play(line: int, session: Session) -> Hand:
    if session.in_play is None:
        raise UnreadableError(line, "the hand is over before this line")
    return session.in_play


def _play(hand: Played, session: Session, names: Names) -> Iterator[Asking]:
    """The say, the draw and the show; the rake before the last of it, for then the pool goes out by itself."""
    play = [a for a in hand.actions if a.verb not in POSTS]
    folded = {a.player for a in play if a.verb == "fold"}
    contested = len(hand.dealt_in()) - len(folded) > 1
    last_fold = max((n for n, a in enumerate(play) if a.verb == "fold"), default=-1)
    raked = False
    for place, action in enumerate(play):
        showing = action.verb in ("show", "muck")
        if not raked and (showing if contested else place == last_fold):
            raked = True
            yield from _rake(hand, _in_play(action.line, session), contested)
            if not contested:
                yield from _shown_unasked(play[place + 1 :], names)
        if showing and not contested:
            continue
        for command in _action(hand, action, _in_play(action.line, session), session, names):
            yield Asking(action.line, command)
        _all_in_or_not(action, session, names)


def _shown_unasked(rest: list[Action], names: Names) -> Iterator[Asking]:
    """What the winner shows of his own will after the hand is known before it ends, for then it is over."""
    for action in rest:
        if action.verb == "show" and action.cards is not None:
            known = cmd.KnowCards(player=_id(names, action.player), cards=action.cards, kind="holds")
            yield Asking(action.line, known)


def _rake(hand: Played, at_table: Hand, contested: bool) -> Iterator[Asking]:
    """The rake of each pot: what there is in it less what the file prints of it."""
    kept = [hand.rake]
    if hand.pots and contested:
        there = [pot.units for pot in pots(at_table)]
        if len(there) != len(hand.pots):
            raise UnreadableError(
                hand.total_line, f"{len(hand.pots)} pots are printed, there are {len(there)}"
            )
        kept = [have - printed for have, printed in zip(there, hand.pots, strict=True)]
        if min(kept) < 0 or sum(kept) != hand.rake:
            raise UnreadableError(
                hand.total_line,
                f"the pots of {', '.join(map(str, hand.pots))} and a rake of {hand.rake} are not what was put in: "
                + ", ".join(map(str, there)),
            )
    for number, units in enumerate(kept):
        if units:
            yield Asking(hand.total_line, cmd.TakeRake(units=units, pot=number))


def _action(
    hand: Played, action: Action, at_table: Hand, session: Session, names: Names
) -> Iterator[cmd.Command]:
    """One line of play as commands."""
    player = _id(names, action.player)
    if action.verb == "fold":
        yield cmd.Pass(player=player)
    elif action.verb == "check":
        yield cmd.Check(player=player)
    elif action.verb == "draw":
        yield from _draw(action, player)
    elif action.verb == "show":
        yield cmd.Show(player=player, cards=action.cards or ())
    elif action.verb == "muck":
        ending = hand.endings[action.player]
        if ending.cards is not None:
            yield cmd.KnowCards(player=player, cards=ending.cards, kind="holds")
        yield cmd.Muck(player=player)
    else:
        yield _stake(action, player, at_table, session.bank.held.get(player, 0))


def _draw(action: Action, player: str) -> Iterator[cmd.Command]:
    if action.count == 0:
        if action.cards is not None:
            yield cmd.KnowCards(player=player, cards=action.cards, kind="holds")
        yield cmd.Draw(player=player, count=0)
    else:
        yield cmd.Draw(
            player=player, count=action.count, discarded=action.cards, received=action.received
        )  # fmt: skip


def _stake(action: Action, player: str, at_table: Hand, held: int) -> cmd.Command:
    """A call, a bet or a raise. Raises UnreadableError where what is printed of it does not agree with the table."""
    units = action.units
    if action.verb == "call":
        return cmd.Stake(player=player, action="call", units=units)
    if action.verb == "raise" and action.to - at_table.high != units:
        raise UnreadableError(
            action.line, f"a raise of {units} over {at_table.high} does not make {action.to}"
        )
    if action.all_in:
        puts_in = (
            action.to - at_table.stake.get(player, 0) if action.verb == "raise" else units
        )  # fmt: skip
        if puts_in != held:
            raise UnreadableError(
                action.line, f"{action.player} has {held}, not {puts_in}, to be all-in with"
            )
        return cmd.Stake(player=player, action="all_in")
    return cmd.Stake(player=player, action="bet" if action.verb == "bet" else "raise", units=units)


def _all_in_or_not(action: Action, session: Session, names: Names) -> None:
    """Whether it is printed that he is all-in, and only then. Raises UnreadableError."""
    if action.verb not in ("small", "big", "both", "ante", "call", "bet", "raise"):
        return
    held = session.bank.held.get(_id(names, action.player), 0)
    if (held == 0) != action.all_in:
        have = "has nothing left" if held == 0 else f"has {held} left"
        raise UnreadableError(action.line, f"{action.player} {have}, which is not what the line says")
