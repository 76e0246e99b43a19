"""What a hand sheet can say: one frozen dataclass for each form of statement.

A statement knows what was written and where, and nothing of the evening it belongs to. Players are names,
amounts stand as they were written (whole counters, counters in colours, or money), because only the session
knows its colours and its unit; cards are resolved, since the pack is the same everywhere.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal, TypeAlias

# --- amounts, as written ---


@dataclass(frozen=True, slots=True)
class Units:
    """`12`: whole counters of the smallest value."""

    count: int


@dataclass(frozen=True, slots=True)
class Coloured:
    """`2 white 1 red`: counters in the session's colours, (how many, lower-case colour) as they came."""

    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Money:
    """`$2.50`, `5c`, `0.05 USD`, `1s6d`: money as it was written, words parted by single blanks.

    What it comes to in counters is for the session's unit (`ledger.counters.money`).
    """

    text: str


Amount: TypeAlias = Units | Coloured | Money
Cards: TypeAlias = tuple[int, ...]

# --- the evening ---


@dataclass(frozen=True, slots=True)
class Session:
    """`session "TITLE" on DATE [at HH:MM] [in ZONE]`."""

    title: str
    date: dt.date
    time: dt.time | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class RulesFrom:
    """`rules NAME`: a shipped rule set, or the path of a TOML file."""

    source: str


@dataclass(frozen=True, slots=True)
class Switch:
    """`set SWITCH VALUE...`: `name` in lower case; each value a word as written, or an amount."""

    name: str
    values: tuple[str | Amount, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """`unit 1d`: what one unit costs."""

    cost: Money


@dataclass(frozen=True, slots=True)
class Counters:
    """`counters red 3 white 9`: (lower-case colour, units) in the order written; no colour twice."""

    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Banker:
    """`banker N`: who sells counters and buys them back."""

    player: str


@dataclass(frozen=True, slots=True)
class Treasurer:
    """`treasurer N`: who keeps the kitty's money."""

    player: str


@dataclass(frozen=True, slots=True)
class Seat:
    """`seat A B C`: the players clockwise; no name twice."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class At:
    """`at [DATE] HH:MM`: the time at the table from here on."""

    time: dt.time
    date: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """`note "TEXT"`: a remark on the record."""

    text: str


@dataclass(frozen=True, slots=True)
class Undo:
    """`undo`: withdraws the last statement not yet withdrawn."""


@dataclass(frozen=True, slots=True)
class Close:
    """`close`: buys back every counter held and ends the session."""


# --- presence ---


@dataclass(frozen=True, slots=True)
class Sits:
    """`N sits [left of M]`."""

    player: str
    left_of: str | None = None


@dataclass(frozen=True, slots=True)
class SitsOut:
    """`N sits out`: not dealt in until he sits in again."""

    player: str


@dataclass(frozen=True, slots=True)
class SitsIn:
    """`N sits in`."""

    player: str


@dataclass(frozen=True, slots=True)
class Leaves:
    """`N leaves`."""

    player: str


# --- the bank and the kitty ---


@dataclass(frozen=True, slots=True)
class Buys:
    """`N buys X`."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Cashes:
    """`N cashes X`: sells counters back."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class LossLimit:
    """`N loss-limit X`."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class StopsAt:
    """`N stops-at HH:MM`; without a player it holds for all."""

    player: str | None
    time: dt.time


@dataclass(frozen=True, slots=True)
class Counts:
    """`N counts X`: what his counters are found to be, nought included."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class DifferenceBorne:
    """`difference borne by WHO`."""

    by: Literal["banker", "winners", "losers", "kitty"]


@dataclass(frozen=True, slots=True)
class KittyOff:
    """`kitty off`."""


@dataclass(frozen=True, slots=True)
class KittyPerHand:
    """`kitty X per hand`."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class KittyWhenPool:
    """`kitty X when pool >= Y`."""

    amount: Amount
    pool: Amount


@dataclass(frozen=True, slots=True)
class KittyPercent:
    """`kitty 5% [up to X]`: whole per cent of the pool, rounded down."""

    percent: int
    up_to: Amount | None = None


@dataclass(frozen=True, slots=True)
class KittyWhenShown:
    """`kitty X when shown HAND` (or better); the hand by its name in `CLASSES`."""

    amount: Amount
    hand: str


@dataclass(frozen=True, slots=True)
class KittyTakes:
    """`kitty X`: into the kitty from the pool by hand."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class KittyPays:
    """`kitty pays N X ["REASON"]`."""

    player: str
    amount: Amount
    reason: str = ""


@dataclass(frozen=True, slots=True)
class KittySpends:
    """`kitty spends X ["REASON"]`."""

    amount: Amount
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PoolDivided:
    """`pool divided`: a carried pool shared among those who put into it."""


# --- before the deal ---


@dataclass(frozen=True, slots=True)
class Hand:
    """`hand [dealer N]`: the next hand."""

    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class Cuts:
    """`N cuts CARD`."""

    player: str
    card: int


@dataclass(frozen=True, slots=True)
class Antes:
    """`N antes [X]`; `antes` alone: everybody dealt in puts in one."""

    player: str | None = None
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class Straddles:
    """`N straddles`."""

    player: str


@dataclass(frozen=True, slots=True)
class Posts:
    """`N posts [small|big|ante] [X] [dead|live]`; what it is for or how much, or both."""

    player: str
    blind: Literal["small", "big", "ante"] | None
    amount: Amount | None = None
    standing: Literal["dead", "live"] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal`."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    """`misdeal ["REASON"]`."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Exposed:
    """`N exposed CARD [by dealer]`."""

    player: str
    card: int
    by_dealer: bool = False


@dataclass(frozen=True, slots=True)
class Foul:
    """`N foul [COUNT]`: a hand of more or fewer than five cards, of how many where it is said."""

    player: str
    cards: int | None = None


# --- the say ---


@dataclass(frozen=True, slots=True)
class Opens:
    """`N opens X`: puts X more in."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Bets:
    """`N bets X`: puts X more in."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Raises:
    """`N raises X` (old: betters): X above the call."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class To:
    """`N to X`: makes the stake of this interval X."""

    player: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Calls:
    """`N calls [X]` (old: sees, makes-good)."""

    player: str
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class Checks:
    """`N checks` (old: stands)."""

    player: str


@dataclass(frozen=True, slots=True)
class Passes:
    """`N passes` (old: resigns, abdicates; today: folds)."""

    player: str


@dataclass(frozen=True, slots=True)
class AllIn:
    """`N all-in`."""

    player: str


# --- the draw and the show ---


@dataclass(frozen=True, slots=True)
class Draws:
    """`N draws COUNT [gets CARDS]`."""

    player: str
    count: int
    gets: Cards = ()


@dataclass(frozen=True, slots=True)
class Pat:
    """`N pat`: stands pat, a draw of none."""

    player: str


@dataclass(frozen=True, slots=True)
class Discards:
    """`N discards CARDS [gets CARDS]`: a draw whose discards are known."""

    player: str
    cards: Cards
    gets: Cards = ()


@dataclass(frozen=True, slots=True)
class Gets:
    """`N gets CARDS`: what came in the draw, written on its own."""

    player: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class Holds:
    """`N holds CARDS`: known to the recorder, not shown."""

    player: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class Shows:
    """`N shows CARDS`."""

    player: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class ShowsOpeners:
    """`N shows openers CARDS [threw CARDS]`: the openers, and which of them he threw in the draw."""

    player: str
    cards: Cards
    threw: Cards = ()


@dataclass(frozen=True, slots=True)
class Declares:
    """`N declares HAND`: what he says he has, by its name in `CLASSES`."""

    player: str
    hand: str


@dataclass(frozen=True, slots=True)
class Mucks:
    """`N mucks`."""

    player: str


@dataclass(frozen=True, slots=True)
class Wins:
    """`N wins [X]`: the pool, or X of it, as stated."""

    player: str
    amount: Amount | None = None


# --- disputes ---


@dataclass(frozen=True, slots=True)
class Disputes:
    """`N disputes [hand NUMBER] "CLAIM"`; without a number the hand just played."""

    player: str
    claim: str
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """`X from A to B`: what a ruling moves."""

    amount: Amount
    giver: str
    taker: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """`ruling "TEXT" [hand NUMBER] [X from A to B]`; a ruling may move nothing."""

    text: str
    hand: int | None = None
    moves: Moves | None = None


Body: TypeAlias = (
    Session | RulesFrom | Switch | Unit | Counters | Banker | Treasurer | Seat | At | Note | Undo | Close
    | Sits | SitsOut | SitsIn | Leaves
    | Buys | Cashes | LossLimit | StopsAt | Counts | DifferenceBorne
    | KittyOff | KittyPerHand | KittyWhenPool | KittyPercent | KittyWhenShown
    | KittyTakes | KittyPays | KittySpends | PoolDivided
    | Hand | Cuts | Antes | Straddles | Posts | Deal | Misdeal | Exposed | Foul
    | Opens | Bets | Raises | To | Calls | Checks | Passes | AllIn
    | Draws | Pat | Discards | Gets | Holds | Shows | ShowsOpeners | Declares | Mucks | Wins
    | Disputes | Ruling
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a sheet: where it stands (from 1), its source without outer blanks, and what it says.

    `irregular` tells that a `!` stood before it: it was played so, though the rules forbid it.
    """

    line: int
    column: int
    text: str
    irregular: bool
    body: Body


@dataclass(frozen=True, slots=True)
class SheetError:
    """Why a sheet cannot be read: the place (from 1) and what would have been right.

    `pointed` is the offending line with a caret under the place, two lines, empty where no line can be shown.
    """

    file: str
    line: int
    column: int
    message: str
    pointed: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"
