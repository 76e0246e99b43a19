"""What may be asked to be recorded: one frozen model for each kind of command.

The same from a sheet, a tap or an import. Amounts are units, players ids, times integer microseconds UTC; names,
colours and money are resolved before (`sheet/translate.py`). `irregular` stands for the sheet's `!`: it was played so,
though the rules of turn, amount or draw forbid it.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from ledger.counters.colours import Colours
from ledger.counters.money import Unit
from ledger.events import Cards, Instant, KittyLeft, PlayerId, Text, Units, Version
from ledger.rules.model import HandName, Kitty, Rules


class Command(BaseModel):
    """What all commands share."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    irregular: bool = False


class Naming(BaseModel):
    """A player who is new to the ledger, with the salted hash of his name (hex)."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    player: PlayerId
    name_hash: str


class OpenSession(Command):
    """`session`: opens an evening."""

    title: Text
    date: str
    timed: bool
    rules: Rules
    kitty_left: tuple[KittyLeft, ...] = ()


class AdoptRules(Command):
    """`rules`: the session's rules are these."""

    rules: Rules


class SetSwitch(Command):
    """`set`: one switch of the rules, its value in words (amounts as digits of units)."""

    switch: str
    words: tuple[str, ...]


class SetKitty(Command):
    """`kitty 1 per hand` and its like: the house's kitty rule."""

    kitty: Kitty


class SetUnit(Command):
    """`unit`: what one counter costs."""

    unit: Unit


class SetColours(Command):
    """`counters`: the colours and their values in units."""

    colours: Colours


class NameBanker(Command):
    """`banker`."""

    player: PlayerId
    named: tuple[Naming, ...] = ()


class NameTreasurer(Command):
    """`treasurer`."""

    player: PlayerId
    named: tuple[Naming, ...] = ()


class SeatPlayers(Command):
    """`seat`: players clockwise, each to the left of the one before."""

    players: tuple[PlayerId, ...]
    named: tuple[Naming, ...] = ()


class SitDown(Command):
    """`sits`: one player takes a seat."""

    player: PlayerId
    left_of: PlayerId | None = None
    named: tuple[Naming, ...] = ()


class SitOut(Command):
    """`sits out`."""

    player: PlayerId


class SitIn(Command):
    """`sits in`."""

    player: PlayerId


class Leave(Command):
    """`leaves`."""

    player: PlayerId


class TellTime(Command):
    """`at`: the time, which the recorder puts into the header."""


class Note(Command):
    """`note`."""

    text: Text


class Undo(Command):
    """`undo`: withdraws the last command not yet withdrawn and all it implied."""

    by: PlayerId | None = None


class Amend(Command):
    """Withdraws everything from a version on, to be entered anew (`--amend`)."""

    first: Version
    reason: Text
    by: PlayerId | None = None


class Close(Command):
    """`close`."""


class SellCounters(Command):
    """`buys`; `found`: seen by an import."""

    player: PlayerId
    units: Units
    found: bool = False


class BuyBackCounters(Command):
    """`cashes`; `found`: seen by an import."""

    player: PlayerId
    units: Units
    found: bool = False


class CountCounters(Command):
    """`counts`."""

    player: PlayerId
    units: Units


class AssignDifference(Command):
    """`difference borne by`."""

    by: Literal["banker", "winners", "losers", "kitty"]


class SetLossLimit(Command):
    """`loss-limit`."""

    player: PlayerId
    units: Units


class SetStopTime(Command):
    """`stops-at`; player None: for all."""

    player: PlayerId | None
    stop_at: Instant


class KittyPays(Command):
    """`kitty pays`."""

    player: PlayerId
    units: Units
    reason: Text = ""


class KittySpends(Command):
    """`kitty spends`."""

    units: Units
    reason: Text = ""


class KittyTakes(Command):
    """`kitty X`: into the kitty from the pool by hand."""

    units: Units


class TakeRake(Command):
    """What the house that runs the table keeps of a pot (counted from nought); only imports know of it."""

    units: Units
    pot: int = 0


class DividePool(Command):
    """`pool divided`."""


class BeginHand(Command):
    """`hand`; dealer None: the deal passes by itself. `live`: it is being played now, so limits may refuse it.

    `found`: an import found the dealer here; `source_id`: what the hand is called there; `dead_small`: nobody posts
    the small blind in it.
    """

    dealer: PlayerId | None = None
    live: bool = False
    found: bool = False
    source_id: str | None = None
    dead_small: bool = False


class Cut(Command):
    """`cuts`."""

    player: PlayerId
    card: int


class PostAnte(Command):
    """`antes`; player None: everybody who owes one; units None: what is owed."""

    player: PlayerId | None = None
    units: Units | None = None


class PostBlind(Command):
    """`posts`; blind None: what he owes."""

    player: PlayerId
    blind: Literal["small", "big", "ante"] | None = None
    units: Units | None = None
    standing: Literal["dead", "live"] | None = None


class Straddle(Command):
    """`straddles`; units None: the step of the rules."""

    player: PlayerId
    units: Units | None = None


class Deal(Command):
    """`deal`."""


class Misdeal(Command):
    """`misdeal`."""

    reason: Text = ""


class Expose(Command):
    """`exposed`."""

    player: PlayerId
    card: int
    by_dealer: bool = False


class Foul(Command):
    """`foul`; cards: how many he has."""

    player: PlayerId
    cards: Units | None = None


class Stake(Command):
    """`opens`, `bets`: `units` put in; `raises`: above the call; `to`: the stake of this interval."""

    player: PlayerId
    action: Literal["open", "bet", "raise", "to", "call", "all_in"]
    units: Units | None = None


class Check(Command):
    """`checks`, `stands`."""

    player: PlayerId


class Pass(Command):
    """`passes`."""

    player: PlayerId


class Draw(Command):
    """`draws`, `pat`, `discards`, with the cards where they are known."""

    player: PlayerId
    count: Units
    discarded: Cards | None = None
    received: Cards | None = None


class KnowCards(Command):
    """`holds`, `gets`."""

    player: PlayerId
    cards: Cards
    kind: Literal["holds", "received"]


class Show(Command):
    """`shows`, `shows openers`."""

    player: PlayerId
    cards: Cards
    openers: bool = False
    threw: Cards = ()


class Declare(Command):
    """`declares`."""

    player: PlayerId
    hand: HandName


class Muck(Command):
    """`mucks`."""

    player: PlayerId


class Win(Command):
    """`wins`; units None: all that is left of the pool."""

    player: PlayerId
    units: Units | None = None


class Dispute(Command):
    """`disputes`; hand None: the one just played."""

    player: PlayerId
    claim: Text
    hand: int | None = None


class Rule(Command):
    """`ruling`; units nought: nothing moves."""

    text: Text
    hand: int | None = None
    units: Units = 0
    giver: PlayerId | None = None
    taker: PlayerId | None = None
    by: PlayerId | None = None
