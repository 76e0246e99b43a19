"""Evenings that nobody played: random and legal ones from a seed, by way of the same `decide` as anything else.

`play_evening` gives the commands of an evening under any rules; `Evening` plays one step after the other and keeps the
session and its stream as well. The cards come from a shuffled pack, so that what is shown is what was dealt and drawn;
the generator alone knows what nobody wrote down. The same seed gives the same evening.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Any

from ledger import commands as cmd
from ledger import events as ev
from ledger.cards import ranking_for
from ledger.cards.pack import PACK, PACK_WITH_JOKER
from ledger.codec import to_draft
from ledger.refusal import Refusal
from ledger.rules.agreement import check, missing
from ledger.rules.load import load
from ledger.rules.model import CapLimit, FixedLimit, Kitty, NoLimit, PotLimit, Rules
from ledger.rules.ranks import rank_rules
from ledger.session.decide import decide
from ledger.session.follow import follow
from ledger.session.project import project
from ledger.session.state import Recorded, Session
from ledger.store import CommandDrafts
from ledger.table.hand import Hand
from ledger.table.options import Option, options
from ledger.table.project import proves_openers

START = 1_790_000_000_000_000
"""When an evening begins: microseconds UTC, in September 2026."""
MINUTE = 60_000_000
HEX = 32


@dataclass(frozen=True, slots=True)
class Taste:
    """How often what is not the plain game happens: the chance of each where it could, from 0 to 1."""

    rebuy: float = 0.9
    """That a player who has hardly anything left buys counters between two hands."""
    straddle: float = 0.2
    written: float = 0.8
    """That a hand's cards are written down where they are seen; otherwise its winner is stated."""
    known: float = 0.2
    """That the recorder knows a player's cards before they are shown."""
    muck: float = 0.4
    false_opening: float = 0.1
    irregular: float = 0.0
    undo: float = 0.0
    amend: float = 0.0
    deal: float = 0.0
    """That something goes wrong with the deal: a misdeal, a card exposed, a foul hand."""
    presence: float = 0.0
    bank: float = 0.0
    """That counters change hands beside the game: rebuys, the kitty's payments, rulings, counts."""
    talk: float = 0.0
    """Notes, times, disputes, what a player says he holds."""


PLAIN = Taste()
WILD = Taste(
    rebuy=0.3,
    irregular=0.06,
    undo=0.04,
    amend=0.01,
    deal=0.08,
    presence=0.3,
    bank=0.06,
    talk=0.05,
    false_opening=0.3,
)
LEGAL = Taste(rebuy=0.3, undo=0.03, deal=0.06, presence=0.3, bank=0.05, talk=0.05, false_opening=0.0)
"""Nothing that the audit finds fault with."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Where every card is, whether or not anybody wrote it down. Replaced and never changed, so that undo is easy."""

    hands: dict[str, tuple[int, ...]] = field(default_factory=dict)
    pack: tuple[int, ...] = ()
    thrown: dict[str, tuple[int, ...]] = field(default_factory=dict)
    written: bool = True


@dataclass(slots=True)
class Evening:
    """One evening being played: the session, the commands so far and the stream they came to."""

    rng: Random
    taste: Taste
    session: Session
    stream: list[Recorded] = field(default_factory=list)
    commands: list[tuple[cmd.Command, int]] = field(default_factory=list)
    """Each with its time, microseconds UTC."""
    truth: Truth = field(default_factory=Truth)
    truths: list[Truth] = field(default_factory=list)
    """The truth before each command that stands, beside `session.spans`."""
    clock: int = START

    def ask(self, command: cmd.Command) -> list[Recorded] | Refusal:
        """Records the command with all it implies, or gives the refusal and changes nothing."""
        done = enter(self.session, command, self.clock, len(self.commands))
        if isinstance(done, Refusal):
            return done
        self.commands.append((command, self.clock))
        self.stream += done
        if isinstance(command, cmd.Undo | cmd.Amend):
            self.truth = self.truths[len(self.session.spans)]
            del self.truths[len(self.session.spans) :]
        else:
            self.truths.append(self.truth)
            self._cards(command, done)
        return done

    def _cards(self, command: cmd.Command, done: list[Recorded]) -> None:
        """Keeps the truth beside what was recorded."""
        for recorded in done:
            if isinstance(recorded.event, ev.Dealt):
                self.truth = _shuffled(self)
            elif isinstance(recorded.event, ev.Misdealt):
                self.truth = Truth()
        if isinstance(command, cmd.Draw):
            away, got, left = _draw_of(self.truth, command.player, command.count, self.session.hand)
            kept = tuple(c for c in left.hands.get(command.player, ()) if c not in away)
            hands = left.hands | {command.player: kept + got}
            self.truth = Truth(hands, left.pack, left.thrown | {command.player: away}, left.written)

    def do(self, command: cmd.Command) -> list[Recorded]:
        """Records what must be allowed: a refusal is a fault of the generator or of the game."""
        done = self.ask(command)
        assert not isinstance(done, Refusal), f"{command!r} is refused: {done}"
        return done

    def held(self, player: str) -> int:
        """Units before a player."""
        return self.session.bank.held.get(player, 0)


def enter(session: Session, command: cmd.Command, when: int, number: int) -> list[Recorded] | Refusal:
    """Decides a command and folds what it comes to, with all it implies; `number` makes its id."""
    outcome = decide(session, command)
    if isinstance(outcome, Refusal):
        return outcome
    id_ = number.to_bytes(16, "big")
    done: list[Recorded] = []
    asked: int | None = None
    for event in outcome:
        cause = asked if isinstance(event, ev.MarkedIrregular) else None
        done.append(Recorded(session.version + 1, event, when, "UTC", id_, cause))
        project(session, done[-1])
        asked = asked if cause is not None else session.version
    while (implied := follow(session)) is not None:
        done.append(Recorded(session.version + 1, implied, when, "UTC", id_, asked))
        project(session, done[-1])
    return done


def play_evening(
    rng: Random, rules: Rules, hands: int, *, players: int = 5, taste: Taste = PLAIN
) -> list[cmd.Command]:
    """The commands of an evening of so many hands, closed at its end. The amounts of `rules` must be set."""
    evening = begin_evening(rng, rules, players=players, taste=taste)
    while len(evening.session.hands) < hands:
        play_hand(evening)
    end_evening(evening)
    return [command for command, _ in evening.commands]


def player_id(number: int) -> str:
    """The id of the generator's n-th player."""
    return f"{number + 0xA0:0{HEX}x}"


def begin_evening(rng: Random, rules: Rules, *, players: int = 5, taste: Taste = PLAIN) -> Evening:
    """The session opened, players seated and given counters: 20 to 80 of the largest fixed stake each."""
    evening = Evening(rng, taste, Session(f"{rng.getrandbits(64):0{HEX}x}"))
    date = "2026-09-21"
    evening.do(cmd.OpenSession(title="an evening", date=date, timed=True, rules=rules))
    seats = tuple(player_id(n) for n in range(players))
    named = tuple(cmd.Naming(player=p, name_hash=p + p) for p in seats)
    evening.do(cmd.SeatPlayers(players=seats, named=named))
    for player in seats:
        evening.do(cmd.SellCounters(player=player, units=_stack(evening)))
    return evening


def _stack(evening: Evening) -> int:
    rules = evening.session.rules
    assert rules is not None
    unit = _unit(rules)
    return evening.rng.choice((unit, 3 * unit + 1, 20 * unit, 20 * unit + 3, 80 * unit))


def _unit(rules: Rules) -> int:
    return max(rules.ante or 0, rules.big or 0, 1)


def play_hand(evening: Evening) -> None:
    """One hand from the deal before it to its end, with whatever the taste allows on the way."""
    hands = len(evening.session.hands)
    begin_hand(evening)
    for _ in range(5000):
        if evening.session.in_play is None:
            if len(evening.session.hands) > hands:
                return
            _begin(evening)  # an undo took the hand back
        step(evening)
    raise AssertionError("the hand does not end")


def begin_hand(evening: Evening) -> None:
    """What lies between two hands, and the next one begun."""
    _between_hands(evening)
    _begin(evening)


def _begin(evening: Evening) -> None:
    session = evening.session
    while len(session.dealt_in()) < 2:
        if session.in_play is not None:
            return
        _bring_in(evening)
    first = None
    if session.hand is None and evening.rng.random() < 0.8:
        first = evening.rng.choice(session.dealt_in())
    elif session.hand is None:
        _cut_for_deal(evening)
    done = evening.ask(cmd.BeginHand(dealer=first))
    if isinstance(done, Refusal):
        assert done.rule == "R-CUT", done
        evening.do(cmd.BeginHand(dealer=evening.rng.choice(session.dealt_in()), irregular=True))


def _cut_for_deal(evening: Evening) -> None:
    pack = list(PACK)
    evening.rng.shuffle(pack)
    for player in evening.session.dealt_in():
        evening.do(cmd.Cut(player=player, card=pack.pop()))


def _bring_in(evening: Evening) -> None:
    """Somebody comes back, buys counters or sits down, so that two can play."""
    session = evening.session
    for player in session.seats:
        if player in session.gone:
            continue
        if player in session.away:
            evening.do(cmd.SitIn(player=player))
        if not evening.held(player):
            evening.do(cmd.SellCounters(player=player, units=_stack(evening)))
        if len(session.dealt_in()) > 1:
            return
    _newcomer(evening)


def _newcomer(evening: Evening) -> None:
    player = player_id(len(evening.session.seats) + len(evening.session.gone))
    named = (cmd.Naming(player=player, name_hash=player * 2),)
    evening.do(cmd.SitDown(player=player, named=named))
    evening.do(cmd.SellCounters(player=player, units=_stack(evening)))


# --- between hands ---


def _between_hands(evening: Evening) -> None:
    rng, taste = evening.rng, evening.taste
    evening.clock += rng.randrange(1, 4) * MINUTE
    if rng.random() < 0.5:
        evening.do(cmd.TellTime())
    session = evening.session
    assert session.rules is not None
    for player in session.seats:
        short = evening.held(player) < 4 * _unit(session.rules) and player not in session.gone | session.away
        if short and rng.random() < taste.rebuy:
            evening.do(cmd.SellCounters(player=player, units=_stack(evening)))
    for _ in range(3):
        if rng.random() < taste.presence:
            evening.ask(_presence(evening))
        if rng.random() < taste.bank:
            evening.ask(_banking(evening))


def _presence(evening: Evening) -> cmd.Command:
    rng, session = evening.rng, evening.session
    player = rng.choice(session.seats)
    kind = rng.choice((cmd.SitOut, cmd.SitIn, cmd.SitIn, cmd.Leave, None))
    if kind is not None:
        return kind(player=player)
    back = [p for p in session.seats if p in session.gone]
    seats = [p for p in session.seats if p not in session.gone]
    left_of = rng.choice([*seats, None])
    if back:
        return cmd.SitDown(player=rng.choice(back), left_of=left_of)
    new = player_id(len(session.seats))
    if len(session.seats) > 8:
        return cmd.SitIn(player=player)
    return cmd.SitDown(player=new, left_of=left_of, named=(cmd.Naming(player=new, name_hash=new * 2),))


def _banking(evening: Evening) -> cmd.Command:
    rng, session = evening.rng, evening.session
    player = rng.choice(session.seats)
    held = evening.held(player)
    some = rng.randrange(1, held + 1) if held else 1
    kitty = session.bank.kitty
    other = rng.choice([p for p in session.seats if p != player])
    return rng.choice(
        (
            cmd.SellCounters(player=player, units=_stack(evening)),
            cmd.SellCounters(player=player, units=_stack(evening)),
            cmd.BuyBackCounters(player=player, units=rng.choice((held, some))),
            cmd.CountCounters(player=player, units=max(held + rng.randrange(-2, 3), 0)),
            cmd.KittyPays(player=player, units=max(kitty, 1), reason="four of a kind"),
            cmd.KittySpends(units=max(kitty // 2, 1), reason="wine"),
            cmd.Rule(text="as agreed", units=min(some, 3), giver=player, taker=other),
            cmd.DividePool(),
            cmd.SetLossLimit(player=player, units=_stack(evening)),
            cmd.SetStopTime(player=rng.choice((None, player)), stop_at=START + 30 * MINUTE),
        )
    )


def end_evening(evening: Evening) -> None:
    """The pool divided where one is carried, the difference borne, and the close."""
    session = evening.session
    if session.bank.pool:
        evening.do(cmd.DividePool())
    if session.bank.difference:
        able = session.bank.kitty >= session.bank.difference
        by: Any = evening.rng.choice(("banker", "winners", "losers", *(("kitty",) if able else ())))
        evening.do(cmd.AssignDifference(by=by))
    evening.do(cmd.Close())


# --- in a hand ---


def step(evening: Evening) -> None:
    """One command of the hand in play: mostly one the table offers."""
    rng, taste, session = evening.rng, evening.taste, evening.session
    hand = session.in_play
    assert hand is not None
    if taste.undo and rng.random() < taste.undo:
        evening.do(cmd.Undo())
    elif taste.amend and rng.random() < taste.amend:
        first = rng.choice(session.spans[-6:]).first
        evening.do(cmd.Amend(first=max(first, hand.first_version), reason="entered wrongly"))
    elif taste.irregular and rng.random() < taste.irregular:
        evening.ask(irregular(evening, hand))
    elif taste.bank and rng.random() < taste.bank:
        evening.ask(rng.choice((_banking(evening), cmd.KittyTakes(units=rng.randrange(1, 4)))))
    elif taste.talk and rng.random() < taste.talk:
        evening.ask(_talk(evening, hand))
    elif taste.deal and rng.random() < taste.deal:
        _wrong_deal(evening, hand)
    else:
        play(evening, hand)


def play(evening: Evening, hand: Hand) -> None:
    """One thing the table offers; where it offers nothing somebody lacks counters, and buys some."""
    offered = options(hand, evening.session.bank.held)
    if not offered:
        evening.do(cmd.SellCounters(player=_lacking(evening, hand), units=_stack(evening)))
        return
    if hand.phase == "show":
        _show(evening, hand, offered)
        return
    option = _chosen(evening, hand, offered)
    _ACTIONS[option.action](evening, hand, option)


def _lacking(evening: Evening, hand: Hand) -> str:
    return min(hand.players, key=evening.held)


_WEIGHTS = {
    "pass": 20, "check": 40, "call": 45, "open": 35, "bet": 30, "raise": 12, "all_in": 3, "draw": 30, "antes": 50,
    "posts_small": 50, "posts_big": 50, "straddles": 0, "deals": 50,
}  # fmt: skip


def _chosen(evening: Evening, hand: Hand, offered: Sequence[Option]) -> Option:
    rng = evening.rng
    weights = [_WEIGHTS[o.action] for o in offered]
    for place, option in enumerate(offered):
        if option.action == "straddles" and rng.random() < evening.taste.straddle:
            return option
        if option.action == "open" and hand.openers is not None and not _has_openers(evening, hand, option):
            weights[place] = 35 if rng.random() < evening.taste.false_opening else 0
    return rng.choices(offered, weights)[0]


def _has_openers(evening: Evening, hand: Hand, option: Option) -> bool:
    cards = evening.truth.hands.get(option.player)
    return bool(cards) and proves_openers(hand, cards or ())


def _amount(rng: Random, option: Option) -> int:
    """The least, the most or something between; no-limit stakes stay mostly small, so that hands have a middle."""
    assert option.least is not None
    assert option.most is not None
    at = rng.random()
    if at < 0.5:
        return option.least
    if at < 0.6:
        return option.most
    return rng.randint(option.least, min(option.most, 4 * option.least + 4))


def _ante(evening: Evening, hand: Hand, option: Option) -> None:
    everybody = not (hand.old and hand.openers is None) and evening.rng.random() < 0.5
    if everybody and not isinstance(evening.ask(cmd.PostAnte()), Refusal):
        return
    evening.do(cmd.PostAnte(player=option.player))


def _blind(evening: Evening, _hand: Hand, option: Option) -> None:
    evening.do(cmd.PostBlind(player=option.player, units=evening.rng.choice((None, option.least))))


def _straddle(evening: Evening, _hand: Hand, option: Option) -> None:
    evening.do(cmd.Straddle(player=option.player))


def _deal(evening: Evening, hand: Hand, _option: Option) -> None:
    evening.do(cmd.Deal())
    for player, cards in evening.truth.hands.items():
        if evening.taste.known and evening.rng.random() < evening.taste.known:
            evening.do(cmd.KnowCards(player=player, cards=cards, kind="holds"))


def _shuffled(evening: Evening) -> Truth:
    hand = evening.session.hand
    assert hand is not None
    pack = list(PACK if hand.rules.joker == "off" else PACK_WITH_JOKER)
    evening.rng.shuffle(pack)
    hands = {player: tuple(pack[5 * n : 5 * n + 5]) for n, player in enumerate(hand.players)}
    return Truth(hands, tuple(pack[5 * len(hands) :]), {}, evening.rng.random() < evening.taste.written)


def _pass(evening: Evening, _hand: Hand, option: Option) -> None:
    evening.do(cmd.Pass(player=option.player))


def _check(evening: Evening, _hand: Hand, option: Option) -> None:
    evening.do(cmd.Check(player=option.player))


def _staking(action: Any) -> Callable[[Evening, Hand, Option], None]:
    def stake(evening: Evening, _hand: Hand, option: Option) -> None:
        amount = _amount(evening.rng, option) if action in ("open", "bet", "raise") else None
        evening.do(cmd.Stake(player=option.player, action=action, units=amount))

    return stake


def _draw(evening: Evening, hand: Hand, option: Option) -> None:
    rng, truth = evening.rng, evening.truth
    size = len(truth.hands.get(option.player, ()))
    count = min(rng.choice((0, 1, 2, 3, 3, 3, 4, 5)), size)
    away, got, _ = _draw_of(truth, option.player, count, hand)
    while len(got) < count:  # of ten at a table so many may draw that not even what was thrown away is enough
        count = len(got)
        away, got, _ = _draw_of(truth, option.player, count, hand)
    told = count > 0 and truth.written and rng.random() < 0.6
    evening.do(
        cmd.Draw(
            player=option.player,
            count=count,
            discarded=away if told else None,
            received=got if told and rng.random() < 0.5 else None,
        )
    )


_Cards = tuple[int, ...]


def _draw_of(truth: Truth, player: str, count: int, hand: Hand | None) -> tuple[_Cards, _Cards, Truth]:
    """What a player throws away for so many cards (of few of a rank the first), what he gets, and what is left.

    Where the pack runs out, what the others threw away is drawn from again (`reshuffle`), in an order of no sense;
    their hands with it, so that they are shuffled in once.
    """
    cards = truth.hands.get(player, ())
    ranks = [c // 4 for c in cards]
    away = tuple(sorted(cards, key=lambda c: (ranks.count(c // 4), c))[:count])
    count = len(away)
    hands, pack, thrown = truth.hands, truth.pack, truth.thrown
    if len(pack) < count:
        assert hand is not None
        again = [c for threw in thrown.values() for c in threw]
        again += [c for p in hand.players if p not in hand.live for c in hands.get(p, ())]
        pack = (*pack, *sorted(again, key=lambda c: c * 29 % 53))
        hands = {p: cards for p, cards in hands.items() if p in hand.live}
        thrown = {}
    return away, pack[:count], Truth(hands, pack[count:], thrown, truth.written)


_ACTIONS: dict[str, Callable[[Evening, Hand, Option], None]] = {
    "antes": _ante,
    "posts_small": _blind,
    "posts_big": _blind,
    "straddles": _straddle,
    "deals": _deal,
    "pass": _pass,
    "check": _check,
    "call": _staking("call"),
    "open": _staking("open"),
    "bet": _staking("bet"),
    "raise": _staking("raise"),
    "all_in": _staking("all_in"),
    "draw": _draw,
}


# --- the show ---


def _show(evening: Evening, hand: Hand, offered: Sequence[Option]) -> None:
    rng, truth = evening.rng, evening.truth
    option = offered[0] if rng.random() < 0.9 else rng.choice(offered)
    player = option.player
    if hand.live == [hand.opener]:
        evening.do(_openers(evening, hand, player))
    elif hand.stated or (not truth.written and not hand.shown):
        units = None if rng.random() < 0.7 else rng.randrange(hand.pool + 1)
        if isinstance(evening.ask(cmd.Win(player=rng.choice(hand.claimants()), units=units)), Refusal):
            evening.do(cmd.Win(player=rng.choice(hand.claimants())))
    elif any(o.action == "muck" and o.player == player for o in offered) and _muck(evening, hand, player):
        evening.do(cmd.Muck(player=player))
    else:
        evening.do(cmd.Show(player=player, cards=truth.hands[player]))


def _muck(evening: Evening, hand: Hand, player: str) -> bool:
    """Whether a player who has lost already throws his hand away."""
    if not hand.shown or evening.rng.random() > evening.taste.muck:
        return False
    ranking = ranking_for(rank_rules(hand.rules))
    return ranking.rank(evening.truth.hands[player]) < max(hand.ranks.values())


def _openers(evening: Evening, hand: Hand, player: str) -> cmd.Show:
    """The openers, or the whole hand; in the hand he holds, or where the house lets him with what he threw."""
    cards = evening.truth.hands[player]
    threw = evening.truth.thrown.get(player, ())
    if hand.rules.split_openers == "declared" and threw and not proves_openers(hand, cards):
        ranks = {c // 4 for c in cards}
        parted = tuple(c for c in threw if c // 4 in ranks)[:1]
        kept = tuple(c for c in cards if parted and c // 4 == parted[0] // 4)[:1]
        if parted:
            return cmd.Show(player=player, cards=(*kept, *parted), openers=True, threw=parted)
    return cmd.Show(player=player, cards=cards, openers=evening.rng.random() < 0.5)


# --- what goes wrong ---


def _wrong_deal(evening: Evening, hand: Hand) -> None:
    rng, truth = evening.rng, evening.truth
    dealt = [p for p in hand.live if truth.hands.get(p)]
    if not dealt or hand.phase == "show":
        play(evening, hand)
        return
    player = rng.choice(dealt)
    cards = truth.hands[player]
    kind = rng.randrange(4)
    if kind == 0:
        evening.ask(cmd.Misdeal(reason="a card was faced"))
    elif kind == 1:
        evening.ask(cmd.Expose(player=player, card=rng.choice(cards), by_dealer=rng.random() < 0.7))
    elif kind == 2 and player not in hand.known and not hand.drawing:
        _short(evening, player, cards)
    elif kind == 3 and player not in hand.known:
        evening.ask(cmd.KnowCards(player=player, cards=cards, kind="holds"))


def _short(evening: Evening, player: str, cards: tuple[int, ...]) -> None:
    """A hand of four cards or six; a fifth that he never had goes back under the pack."""
    count = evening.rng.choice((3, 4, 4, 6, None))
    done = evening.ask(cmd.Foul(player=player, cards=count))
    if isinstance(done, Refusal) or count is None or count > 4:
        return
    hand = evening.session.hand
    assert hand is not None
    seen = [c for c, (whose, _) in hand.places.items() if whose == player]
    kept = tuple(sorted(cards, key=lambda c: c not in seen)[:count])
    back = tuple(c for c in cards if c not in kept)
    truth = evening.truth
    evening.truth = Truth(truth.hands | {player: kept}, truth.pack + back, truth.thrown, truth.written)


def irregular(evening: Evening, hand: Hand) -> cmd.Command:
    """Anything at all, out of turn, amount or order; recorded with its `!` where the rules let it stand."""
    rng = evening.rng
    player = rng.choice(hand.players)
    some = rng.randrange(1, 3 * max(hand.high, hand.rules.ante or 1) + 2)
    action: Any = rng.choice(("open", "bet", "raise", "to", "call", "all_in"))
    return rng.choice(
        (
            cmd.Stake(player=player, action=action, units=some, irregular=True),
            cmd.Stake(player=player, action=action, units=some, irregular=True),
            cmd.Check(player=player, irregular=True),
            cmd.Pass(player=player, irregular=True),
            cmd.Draw(player=player, count=rng.randrange(6), irregular=True),
            cmd.PostAnte(player=player, units=some, irregular=True),
            cmd.PostBlind(player=player, units=some, irregular=True),
            cmd.Straddle(player=player, units=some, irregular=True),
            cmd.Deal(irregular=True),
        )
    )


def _talk(evening: Evening, hand: Hand) -> cmd.Command:
    rng = evening.rng
    player = rng.choice(hand.players)
    evening.clock += MINUTE
    return rng.choice(
        (
            cmd.Note(text="the lamp goes out"),
            cmd.TellTime(),
            cmd.Dispute(player=player, claim="that was a string bet"),
            cmd.Rule(text="it was none"),
            cmd.Declare(player=player, hand="two_pairs"),
            cmd.SetStopTime(player=None, stop_at=START + 60 * MINUTE),
        )
    )


# --- rules ---


def random_rules(rng: Random, name: str) -> Rules:
    """The rules of a shipped set, its amounts set and some of its switches changed, such that they agree."""
    while True:
        rules = load(name).model_copy(update=_amounts(rng, name) | _switches(rng, name))
        if not check(rules) and not missing(rules):
            return rules


def _amounts(rng: Random, name: str) -> dict[str, Any]:
    unit = rng.choice((1, 2, 3, 10))
    if name != "modern":
        limits: tuple[Any, ...] = (
            CapLimit(units=2 * unit),
            CapLimit(units=8 * unit + 1),
            PotLimit(),
            NoLimit(),
        )
        limit = rng.choice(limits[:2] * 3 + limits[2:])
        if name == "foster" and rng.random() < 0.4:
            limit = None
        return {"ante": unit, "limit": limit}
    limit = rng.choice(
        (NoLimit(), PotLimit(), FixedLimit(small=2 * unit, big=4 * unit), CapLimit(units=9 * unit))
    )
    ante = rng.choice((0, 0, unit))
    small = rng.choice((unit, unit, 0))
    return {"small": small, "big": 2 * unit if small or not ante else 0, "ante": ante, "limit": limit}


def _switches(rng: Random, name: str) -> dict[str, Any]:
    choices: dict[str, tuple[Any, ...]] = {
        "show": ("all", "may_muck"),
        "show_first": ("last_raiser", "left_of_last_raiser"),
        "cards_speak": (True, True, False),
        "odd_counter": ("left_of_dealer", "kitty"),
        "suit_precedence": ("hearts", "none"),
        "joker": ("off", "off", "higher", "mistigris"),
        "blaze": ("off", "kqj", "akqj"),
        "foul_hand": ("dead", "short_allowed"),
        "stand": ("once", "never", "free"),
        "draw_when": ("interleaved", "after"),
        "kitty": _KITTIES,
        "kitty_at_close": ("stays", "shared"),
        "loss_limit_counts": ("session", "gross"),
        "cap": (1, 3),
    }
    if name != "modern":
        choices |= {
            "straddle": ("add", "double", "none"),
            "go_in": ("double_last", "double_total"),
            "raise_before_draw": (True, True, False),
            "jackpots": (True, True, False),
            "openers": (("J", "Q", "K"), ("J",), ("J", "Q", "K", "A", "K", "Q", "J")),
            "split_openers": ("no", "declared"),
            "false_opening_stake": ("stays", "returned"),
            "jackpot_first_bet": ("opener", "left_of_dealer"),
            "redeal_after_passed_deal": ("deal_passes", "same_dealer"),
            "play_first": ("left_of_ante", "left_of_dealer"),
            "table_stakes": (False, False, True),
        }
    else:
        choices["table_stakes"] = (True, True, True, False)
    names = rng.sample(sorted(choices), rng.randrange(len(choices)))
    return {switch: rng.choice(choices[switch]) for switch in names}


_KITTIES = (
    Kitty(),
    Kitty(kind="per_hand", units=1),
    Kitty(kind="when_pool", units=2, at_least=9),
    Kitty(kind="percent", basis_points=500),
    Kitty(kind="percent", basis_points=1000, up_to=3),
    Kitty(kind="when_shown", units=1, hand="two_pairs"),
)


def grouped(session: str, stream: Sequence[Recorded]) -> Iterator[CommandDrafts]:
    """A session's stream as the commands that it came of, with ids that no other session has."""
    for command, rows in groupby(stream, key=lambda recorded: recorded.command):
        id_ = hashlib.sha256(session.encode() + command).digest()
        yield CommandDrafts(id_[:16], id_, tuple(map(to_draft, rows)))
