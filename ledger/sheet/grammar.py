"""One statement's source to its body: words told apart by shape, the grammar run over them, the body built.

The grammar stands in grammar.lark and is run by lark's LALR(1) parser, whose time is linear in the number of
words. Statements are read one by one, so an error never spreads to its neighbours and a statement written a
second time (an evening has many a `deal`) is looked up.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer

from ledger.cards.pack import CardError, parse_cards
from ledger.sheet import explain
from ledger.sheet import statements as st
from ledger.sheet.amounts import is_money, read_amount
from ledger.sheet.words import MOST_DIGITS, is_bare, shortened

_WORD = re.compile(r'"(?:[^"\\]++|\\.)*+"|“(?:[^”\\]++|\\.)*+”|>=|[^\s"“<>=]++|.', re.DOTALL)
_SHAPES = (
    ("CLOCK", re.compile(r"[0-9]{1,2}:[0-9]{2}")),
    ("DATE", re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")),
    ("PERCENT", re.compile(r"[0-9]+%")),
)
_YEARS = range(1500, 3000)  # no instant of them, in any zone, is beyond what the calendar reckons with
_ESCAPED = re.compile(r'\\(["”\\])')
_RANKS = frozenset("akqjt")
_HANDS = (
    *("high_card", "pair", "two_pairs", "blaze", "threes", "skip_straight", "straight", "flush"),
    *("full_house", "fours", "straight_flush", "five_of_a_kind"),
)
_SAME_HAND = {"full_hand": "full_house", "two_pair": "two_pairs"}


class UnreadableError(Exception):
    """What a statement says is wrong at this offset; raised and caught inside this module only."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class Fault(NamedTuple):
    """Where in a statement's source (from 0) it cannot be read, and why."""

    offset: int
    message: str


@lru_cache(maxsize=4096)
def read_statement(text: str) -> st.Body | Fault:
    """The body of one statement, given without `!` and outer blanks."""
    tokens = _tokens(text)
    try:
        body: st.Body = cast(Any, _parser()).parse(tokens)  # lark takes whatever its lexer takes
    except UnexpectedToken as error:
        return _explained(text, tokens, error)
    except UnreadableError as wrong:
        return Fault(wrong.offset, wrong.message)
    return body


@cache
def keywords() -> dict[str, str]:
    """Every keyword in lower case and the grammar's name for it, from grammar.lark itself."""
    return {str(t.pattern.value): t.name for t in _parser().terminals if t.pattern.type == "str"}


def is_bare_name(word: str) -> bool:
    """Whether a name may stand without quotes, and cannot be taken for a number, a date or an amount."""
    return word[:1].isalpha() and is_bare(word) and word.lower() not in keywords()


class _GivenTokens(Lexer):
    """Hands lark the words already told apart."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, tokens: list[Token]) -> Iterator[Token]:  # type: ignore[override]  # lark's simple interface
        return iter(tokens)


@cache
def _parser() -> Lark:
    grammar = files("ledger.sheet").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_GivenTokens, transformer=_Bodies(), maybe_placeholders=True)


def _tokens(text: str) -> list[Token]:
    known = keywords()
    tokens: list[Token] = []
    plain = False  # after `set` and `rules` stand words of the rules, not of the sheet
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isspace():
            continue
        kind = None if plain else known.get(word.lower())
        tokens.append(Token(kind or _shape(word, plain), word, match.start()))
        plain = plain or (len(tokens) == 1 and kind in ("SET", "RULES"))
    return tokens


def _shape(word: str, plain: bool) -> str:
    if word[0] in '"“':
        return "STRING" if len(word) > 1 else "ODD"
    if word.isascii() and word.isdigit():
        return "INT"
    if not plain:
        for kind, shape in _SHAPES:
            if shape.fullmatch(word):
                return kind
    return "WORD" if is_bare(word) else "ODD"


def _explained(text: str, tokens: list[Token], error: UnexpectedToken) -> Fault:
    ended = error.token.type == "$END"
    at = len(tokens) if ended else next(i for i, token in enumerate(tokens) if token is error.token)
    words = [explain.Word(str(token), token.type, token.start_pos or 0) for token in tokens]
    return Fault(
        *explain.explain(text, words, at, cast(Any, error).interactive_parser.accepts(), _openings())
    )


@cache
def _openings() -> explain.Openings:
    """What may begin a statement and what may follow a player's name there, out of the parser's own table."""
    parser = cast(Any, _parser()).parse_interactive()
    starts = frozenset(parser.accepts())
    parser.feed_token(Token("WORD", "A"))
    return explain.Openings(keywords(), starts, frozenset(parser.accepts()), _is_whole)


def _is_whole(words: list[explain.Word]) -> bool:
    try:
        cast(Any, _parser()).parse([Token(word.kind, word.text, word.offset) for word in words])
    except (UnexpectedToken, UnreadableError):
        return False
    return True


def _unquoted(token: Token) -> str:
    return _ESCAPED.sub(r"\1", token[1:-1]) if token.type == "STRING" else str(token)


def _offset(token: Token) -> int:
    return token.start_pos or 0


def _cards(token: Token) -> st.Cards:
    try:
        cards = parse_cards(str(token))
    except CardError:
        cards = ()
    if not cards:
        message = f"`{shortened(token)}` is no card; write rank and suit (Kh, Td or 10d, 2c, As), or Jk"
        raise UnreadableError(_offset(token), message)
    return cards


def _amount(tokens: list[Token]) -> st.Amount:
    amount = read_amount([str(token) for token in tokens])
    if isinstance(amount, str):
        raise UnreadableError(_offset(tokens[0]), amount)
    return amount


def _made(tokens: list[Token]) -> str:
    hand = "_".join(tokens).lower().replace("-", "_")
    hand = _SAME_HAND.get(hand, hand)
    if hand not in _HANDS:
        known = ", ".join(_HANDS)
        raise UnreadableError(
            _offset(tokens[0]), f"`{shortened(' '.join(tokens))}` is no hand; write one of {known}"
        )
    return hand


def _switch_values(tokens: list[Token]) -> Iterator[str | st.Amount]:
    """The values of a switch: amounts where they begin with a digit or a mark, words (`24_hours`) else."""
    at = 0
    while at < len(tokens):
        first = tokens[at]
        number = first[0].isdigit() or first[0] in "$€£¥"
        if first.type == "STRING" or not number or "_" in first:
            yield _unquoted(first)
            at += 1
            continue
        end = _coloured_end(tokens, at) if first.type == "INT" else at + 1
        joins = end == at + 1 < len(tokens) and tokens[end].type != "INT"
        if joins and is_money(f"{first} {tokens[end]}"):
            end += 1  # 1 EUR, £1 2s6d; but `fixed $1 200` are two
        yield _amount(tokens[at:end])
        at = end


def _coloured_end(tokens: list[Token], at: int) -> int:
    """Where the counters in colours that begin here end. A colour said twice begins another amount (`fixed
    1 red 2 red`), and a rank is no colour (`openers 10 J Q`).
    """
    said: set[str] = set()
    end = at + 1
    while at + 1 < len(tokens) and tokens[at].type == "INT" and tokens[at + 1].type == "WORD":
        colour = tokens[at + 1].lower()
        if (
            not colour[0].isalpha()
            or colour in _RANKS
            or colour in said
            or is_money(f"{tokens[at]} {tokens[at + 1]}")
        ):
            break
        said.add(colour)
        at += 2
        end = at
    return end


@v_args(inline=True)
class _Bodies(Transformer[Token, Any]):
    """A method for each form of grammar.lark, named as it is named there."""

    session = st.Session
    banker = st.Banker
    treasurer = st.Treasurer
    note = st.Note
    undo = st.Undo
    close = st.Close
    sits = st.Sits
    sits_out = st.SitsOut
    sits_in = st.SitsIn
    leaves = st.Leaves
    buys = st.Buys
    cashes = st.Cashes
    counts = st.Counts
    loss_limit = st.LossLimit
    stops_at = st.StopsAt
    difference_borne = st.DifferenceBorne
    pool_divided = st.PoolDivided
    kitty_off = st.KittyOff
    kitty_per_hand = st.KittyPerHand
    kitty_when_pool = st.KittyWhenPool
    kitty_when_shown = st.KittyWhenShown
    kitty_takes = st.KittyTakes
    hand = st.Hand
    cuts = st.Cuts
    antes = st.Antes
    all_ante = st.Antes
    straddles = st.Straddles
    posts = st.Posts
    deal = st.Deal
    exposed = st.Exposed
    foul = st.Foul
    opens = st.Opens
    bets = st.Bets
    raises = st.Raises
    to = st.To
    calls = st.Calls
    checks = st.Checks
    passes = st.Passes
    all_in = st.AllIn
    pat = st.Pat
    gets = st.Gets
    holds = st.Holds
    shows = st.Shows
    declares = st.Declares
    mucks = st.Mucks
    wins = st.Wins
    disputes = st.Disputes
    ruling = st.Ruling
    moves = st.Moves

    def rules_from(self, source: Token) -> st.RulesFrom:
        return st.RulesFrom(_unquoted(source).strip())

    def switch(self, name: Token, *values: Token) -> st.Switch:
        return st.Switch(name.lower(), tuple(_switch_values(list(values))))

    def unit(self, cost: st.Amount) -> st.Unit:
        if not isinstance(cost, st.Money):
            raise UnreadableError(0, "a unit costs money: unit 1d, unit 5c, unit 0.05 USD, unit £1")
        return st.Unit(cost)

    def counters(self, *values: tuple[Token, int]) -> st.Counters:
        seen: dict[str, int] = {}
        for colour, units in values:
            name = colour.casefold()
            if name in seen or not units:
                why = "is given twice" if name in seen else "is worth nothing; counters are worth 1 or more"
                raise UnreadableError(_offset(colour), f"`{shortened(colour)}` {why}")
            seen[name] = units
        return st.Counters(tuple(seen.items()))

    def seat(self, *names: str) -> st.Seat:
        return st.Seat(names)

    def at(self, date: dt.date | None, clock: dt.time) -> st.At:
        return st.At(clock, date)

    def all_stop_at(self, clock: dt.time) -> st.StopsAt:
        return st.StopsAt(None, clock)

    def kitty_percent(self, percent: Token, up_to: st.Amount | None) -> st.KittyPercent:
        if len(percent) > 4 or int(percent[:-1]) > 100:
            raise UnreadableError(_offset(percent), f"`{shortened(percent)}`: at most 100% of a pool")
        return st.KittyPercent(int(percent[:-1]), up_to)

    def kitty_pays(self, player: str, amount: st.Amount, reason: str | None) -> st.KittyPays:
        return st.KittyPays(player, amount, reason or "")

    def kitty_spends(self, amount: st.Amount, reason: str | None) -> st.KittySpends:
        return st.KittySpends(amount, reason or "")

    def posts_bare(self, player: str, amount: st.Amount, standing: Any) -> st.Posts:
        return st.Posts(player, None, amount, standing)

    def misdeal(self, reason: str | None) -> st.Misdeal:
        return st.Misdeal(reason or "")

    def exposed_by_dealer(self, player: str, card: int) -> st.Exposed:
        return st.Exposed(player, card, by_dealer=True)

    def draws(self, player: str, count: int, gets: st.Cards | None) -> st.Draws:
        return st.Draws(player, count, gets or ())

    def discards(self, player: str, cards: st.Cards, gets: st.Cards | None) -> st.Discards:
        return st.Discards(player, cards, gets or ())

    def shows_openers(self, player: str, cards: st.Cards, threw: st.Cards | None) -> st.ShowsOpeners:
        return st.ShowsOpeners(player, cards, threw or ())

    def disputes_hand(self, player: str, hand: int, claim: str) -> st.Disputes:
        return st.Disputes(player, claim, hand)

    def ruling_on_hand(self, hand: int, text: str, moves: st.Moves | None) -> st.Ruling:
        return st.Ruling(text, hand, moves)

    def counter(self, colour: Token, units: int) -> tuple[Token, int]:
        return colour, units

    def by_banker(self) -> str:
        return "banker"

    def by_winners(self) -> str:
        return "winners"

    def by_losers(self) -> str:
        return "losers"

    def by_kitty(self) -> str:
        return "kitty"

    def small_blind(self) -> str:
        return "small"

    def big_blind(self) -> str:
        return "big"

    def ante_blind(self) -> str:
        return "ante"

    def dead(self) -> str:
        return "dead"

    def live(self) -> str:
        return "live"

    def amount(self, *tokens: Token) -> st.Amount:
        return _amount(list(tokens))

    def cards(self, *tokens: Token) -> st.Cards:
        return tuple(card for token in tokens for card in _cards(token))

    def card(self, token: Token) -> int:
        cards = _cards(token)
        if len(cards) > 1:
            raise UnreadableError(_offset(token), f"`{shortened(token)}` is more than one card")
        return cards[0]

    def made(self, *tokens: Token) -> str:
        return _made(list(tokens))

    def name(self, token: Token) -> str:
        name = _unquoted(token).strip()
        if not name:
            raise UnreadableError(_offset(token), "a name is empty")
        return name

    def text(self, token: Token) -> str:
        return _unquoted(token)

    def number(self, token: Token) -> int:
        if len(token) > MOST_DIGITS:
            raise UnreadableError(_offset(token), f"`{shortened(token)}` is more than any table holds")
        return int(token)

    def clock(self, token: Token) -> dt.time:
        hours, minutes = (int(part) for part in token.split(":"))
        if hours > 23 or minutes > 59:
            raise UnreadableError(_offset(token), f"`{token}` is no time; write 00:00 to 23:59")
        return dt.time(hours, minutes)

    def date(self, token: Token) -> dt.date:
        try:
            date = dt.date(*(int(part) for part in token.split("-")))
        except ValueError:
            message = f"`{token}` is no date; write year-month-day (2026-11-27)"
            raise UnreadableError(_offset(token), message) from None
        if date.year not in _YEARS:
            message = f"no evening is in the year {date.year}; {_YEARS[0]} to {_YEARS[-1]}"
            raise UnreadableError(_offset(token), message)
        return date

    def value(self, token: Token) -> Token:
        return token

    def zone(self, token: Token) -> str:
        return _unquoted(token)
