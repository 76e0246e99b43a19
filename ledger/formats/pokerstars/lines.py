"""The lines of a PokerStars history: what each says, and which only remark on the table.

Patterns are matched against whole lines with trailing blanks off, so that a line cut anywhere is no line any more.
"""

import datetime as dt
import re
from typing import Literal

from ledger.cards.pack import JOKER, CardError, parse_card
from ledger.formats.pokerstars.played import Stakes, UnreadableError

MARKS = {"$": "USD", "€": "EUR", "£": "GBP"}
"""The currency of a mark where the heading names none; all have cents."""
CENTS = ("USD", "EUR", "GBP", "CAD", "AUD")

_LIMITS: dict[str, Literal["fixed", "pot", "none"]] = {
    "Limit": "fixed",
    "Pot Limit": "pot",
    "No Limit": "none",
}
HEADING = re.compile(
    r"PokerStars (?:Zoom )?(?:Game|Hand) #(?P<id>\d{1,30}):\s+(?P<game>.+?) - +(?P<time>\d{4}/\d\d?/\d\d? .+)"
)
_GAME = re.compile(
    r"5 Card Draw (?P<limit>Limit|Pot Limit|No Limit) "
    r"\((?P<mark>[$€£]?)(?P<small>[\d.]+)/(?P=mark)(?P<big>[\d.]+)(?: (?P<currency>[A-Z]{3}))?\)"
)
_CLOCK = r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d)"
_ONE_TIME = re.compile(rf"{_CLOCK} \(?ET\)?")
_TWO_TIMES = re.compile(rf"{_CLOCK} [A-Z]{{2,5}} \[{_CLOCK} ET\]")
TABLE = re.compile(
    r"Table '(?P<table>.{1,100})' \d{1,2}-max (?:\(Play Money\) )?Seat #(?P<button>\d{1,2}) is the button"
)
SEAT = re.compile(
    r"Seat (?P<seat>\d{1,2}): (?P<name>\S(?:.{0,98}\S)?) \((?P<units>\S+) in chips\)(?P<out> is sitting out)?"
)
DEALT = re.compile(r"Dealt to (?P<name>.+?)(?: \[(?P<kept>[^]]*)\])? \[(?P<cards>[^]]+)\]")
UNCALLED = re.compile(r"Uncalled bet \((?P<units>\S+)\) returned to (?P<name>.+)")
COLLECTED = re.compile(r"(?P<name>.+) collected (?P<units>\S+) from (?P<pot>pot|main pot|side pot(?:-\d)?)")
TOTAL = re.compile(
    r"Total pot (?P<total>\S+)(?: Main pot (?P<main>\S+?)\.(?P<sides>(?: Side pot(?:-\d)? \S+?\.)+))?"
    r" \| Rake (?P<rake>\S+)"
)
SIDE = re.compile(r" Side pot(?:-\d)? (\S+?)\.(?= |$)")
ENDING = re.compile(
    r"(?P<places>(?: \((?:button|small blind|big blind)\))*) (?:"
    r"folded (?P<stage>before|after) the Draw(?P<no_bet> \(didn't bet\))?"
    r"|showed \[(?P<showed>[^]]+)\] and (?:won \((?P<won>\S+)\)|lost) with (?P<words>.+)"
    r"|mucked \[(?P<mucked>[^]]+)\]"
    r"|collected \((?P<collected>\S+)\))"
)
VERB = re.compile(
    r"posts (?P<post>small blind|big blind|small & big blinds|the ante) (?P<posted>\S+)(?P<post_in> and is all-in)?"
    r"|(?P<fold>folds)|(?P<check>checks)"
    r"|(?P<stake>calls|bets) (?P<staked>\S+)(?P<stake_in> and is all-in)?"
    r"|raises (?P<by>\S+) to (?P<to>\S+)(?P<raise_in> and is all-in)?"
    r"|discards (?P<count>\d) cards?(?: \[(?P<thrown>[^]]+)\])?"
    r"|(?P<pat>stands pat)(?: on \[(?P<kept>[^]]+)\])?"
    r"|shows \[(?P<shown>[^]]+)\] \((?P<words>.+)\)"
    r"|(?P<muck>mucks hand)"
)
SITS_OUT = re.compile(r"(?P<name>.+?):? (?:sits out|is sitting out)")
REMARK = re.compile(
    r".+? (?:leaves the table|joins the table at seat #\d{1,2}|was removed from the table for failing to post"
    r"|has timed out(?: while (?:being )?disconnected)?|is (?:dis)?connected|has returned|has requested TIME"
    r"|will be allowed to play after the button)"
    r"|.+?: (?:doesn't show hand|will be allowed to play after the button)"
    r"|.+? said, \".*\""
    r"|The deck is reshuffled"
)


def heading(line: int, text: str) -> tuple[str, Stakes, dt.datetime]:
    """A hand's id, its stakes and its time (New York). Raises UnreadableError."""
    found = HEADING.fullmatch(text)
    if found is None:
        raise UnreadableError(line, f"a hand begins with its game, number and time, not with “{text[:60]}”")
    return found["id"], _stakes(line, found["game"]), _time(line, found["time"])


def _stakes(line: int, text: str) -> Stakes:
    found = _GAME.fullmatch(text)
    if found is None:
        raise UnreadableError(
            line,
            f"“{text}” is not taken in; only cash games of 5 Card Draw are, Limit, Pot Limit and No Limit",
        )
    mark = found["mark"]
    currency = found["currency"] or MARKS.get(mark)
    if (currency is None) != (mark == "") or (currency is not None and currency not in CENTS):
        raise UnreadableError(line, f"the currency of “{text}” is not known; {', '.join(CENTS)} are")
    limit = _LIMITS[found["limit"]]
    stakes = Stakes(limit, 0, 0, currency, mark)
    small, big = amount(line, mark + found["small"], stakes), amount(line, mark + found["big"], stakes)
    if not (big == 2 * small > 0 if limit == "fixed" else fits(small, big)):
        right = "the bet after the draw is twice the one before it" if limit == "fixed" else "small, then big"
        raise UnreadableError(line, f"the stakes {found['small']}/{found['big']} cannot be; {right}")
    return Stakes(limit, small, big, currency, mark)


def fits(small: int, big: int) -> bool:
    """Whether a card room has these blinds: the small one half the big one, or the coin (1, 2, 5) next to its half."""
    coin = str(small).rstrip("0") in ("1", "2", "5")
    return small > 0 and (2 * small == big or (coin and big <= 3 * small <= 2 * big))


def _time(line: int, text: str) -> dt.datetime:
    """The clock of New York, which stands beside every other zone's. Raises UnreadableError."""
    found = _ONE_TIME.fullmatch(text) or _TWO_TIMES.fullmatch(text)
    if found is None:
        raise UnreadableError(
            line, f"the time “{text}” is none; it is 2016/05/11 3:23:37 ET, alone or in [ ]"
        )
    year, month, day, hour, minute, second = map(int, found.groups()[-6:])
    try:
        if not 1970 <= year < 2200:
            raise ValueError(year)
        return dt.datetime(year, month, day, hour, minute, second)
    except ValueError:
        raise UnreadableError(line, f"there is no such time as “{text}”") from None


def amount(line: int, text: str, stakes: Stakes) -> int:
    """An amount in units: cents of a currency, which has its mark, or chips. Raises UnreadableError."""
    form = r"\d{1,10}" if stakes.currency is None else re.escape(stakes.mark) + r"(\d{1,8})(?:\.(\d\d))?"
    found = re.fullmatch(form, text)
    if found is None:
        right = "whole chips" if stakes.currency is None else f"like {stakes.mark}2 or {stakes.mark}2.50"
        raise UnreadableError(line, f"“{text}” is no amount of this game; amounts are {right}")
    return int(text) if stakes.currency is None else 100 * int(found[1]) + int(found[2] or 0)


def cards(line: int, text: str, count: int | None = None) -> tuple[int, ...]:
    """Cards such as `Kh Td`, each once, so many of them if a count is given. Raises UnreadableError."""
    found: list[int] = []
    for word in text.split():
        try:
            card = parse_card(word)
        except CardError:
            card = JOKER
        if card == JOKER or card in found:
            raise UnreadableError(line, f"“{word}” in [{text}] is no card, or stands there twice")
        found.append(card)
    if count is not None and len(found) != count:
        raise UnreadableError(line, f"[{text}] are {len(found)} cards; it takes {count}")
    return tuple(found)
