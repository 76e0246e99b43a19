"""Reading a PokerStars history: from bytes to hands, or to the line that cannot be read.

Every line has to be one that is known and every hand has to be whole, to the summary's last seat, so that a file that
was cut is refused and not half understood.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ledger.formats.pokerstars import lines
from ledger.formats.pokerstars.played import (
    Action,
    Ending,
    Played,
    Seat,
    Sum,
    Unreadable,
    UnreadableError,
    Verb,
)

_ENDS = re.compile(r"\r\n|\r|\n")
_POSTS: dict[str, Verb] = {
    "small blind": "small",
    "big blind": "big",
    "small & big blinds": "both",
    "the ante": "ante",
}
_DEALING = "*** DEALING HANDS ***"
_SHOW_DOWN = "*** SHOW DOWN ***"
_SUMMARY = "*** SUMMARY ***"

Stage = Callable[[Played, int, str], "Stage | None"]
"""What takes a line of one part of a hand; where another part begins, what takes the lines from there."""


def read(content: bytes) -> list[Played] | Unreadable:
    """The hands of a file in its order, or why it is not taken in."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = len(_ENDS.split(content[: fault.start].decode("utf-8")))
        return Unreadable(line, "this is no UTF-8 text")
    try:
        hands = [_hand(block) for block in _blocks(text)]
    except UnreadableError as fault:
        return fault.found
    if not hands:
        return Unreadable(1, "there is no hand in this file")
    numbers: dict[str, int] = {}
    for hand in hands:
        if hand.id in numbers:
            return Unreadable(hand.line, f"hand {hand.id} stands on line {numbers[hand.id]} already")
        numbers[hand.id] = hand.line
    return hands


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each hand with their numbers; blank lines mean nothing."""
    block: list[tuple[int, str]] = []
    for number, raw in enumerate(_ENDS.split(text), 1):
        line = raw.lstrip("\ufeff").rstrip()
        if not line:
            continue
        if line.startswith("PokerStars ") and block:
            yield block
            block = []
        block.append((number, line))
    if block:
        yield block


def _hand(block: list[tuple[int, str]]) -> Played:
    """One hand, whole. Raises UnreadableError."""
    first, text = block[0]
    hand = Played(first, *lines.heading(first, text))
    stage: Stage = _table
    for number, line in block[1:]:
        stage = stage(hand, number, line) or stage
        hand.last_line = number
    hand.last_line = block[-1][0]
    for name in {a.player for a in hand.actions}:
        hand.seats[name] = replace(hand.seats[name], out=False)  # he said it too late to be left out
    _whole(hand, stage)
    hand.digest = hashlib.sha256("\n".join(line for _, line in block).encode()).digest()
    return hand


def _table(hand: Played, line: int, text: str) -> Stage | None:
    found = lines.TABLE.fullmatch(text)
    if found is None:
        raise UnreadableError(line, f"the table and its button come next, not “{text[:60]}”")
    hand.table, hand.button = found["table"], int(found["button"])
    return _before_deal


def _before_deal(hand: Played, line: int, text: str) -> Stage | None:
    if text == _DEALING:
        hand.deal_line = line
        return _play
    found = lines.SEAT.fullmatch(text)
    if found is not None and not hand.actions:
        _seat(hand, line, found)
        return None
    action = _action(hand, line, text)
    if action is not None:
        hand.actions.append(action)
        return None
    out = lines.SITS_OUT.fullmatch(text)
    if out is not None:
        seat = hand.seats.get(out["name"])
        if seat is not None:
            hand.seats[seat.name] = replace(seat, out=True)
        return None
    _remark(line, text)
    return None


def _seat(hand: Played, line: int, found: "re.Match[str]") -> None:
    seat = Seat(
        line,
        int(found["seat"]),
        found["name"],
        lines.amount(line, found["units"], hand.stakes),
        found["out"] is not None,
    )
    if seat.name in hand.seats or any(s.number == seat.number for s in hand.seats.values()):
        raise UnreadableError(line, f"the seat {seat.number} or {seat.name} stands there twice")
    hand.seats[seat.name] = seat


def _play(hand: Played, line: int, text: str) -> Stage | None:
    if text == _SUMMARY:
        return _total
    if text == _SHOW_DOWN:
        return None
    action = _action(hand, line, text)
    if action is not None:
        hand.actions.append(action)
        return None
    if text.startswith("Dealt to "):
        _dealt(hand, line, text)
        return None
    found = lines.UNCALLED.fullmatch(text)
    if found is not None:
        hand.uncalled.append(
            Sum(line, _seated(hand, line, found["name"]), lines.amount(line, found["units"], hand.stakes))
        )
        return None
    found = lines.COLLECTED.fullmatch(text)
    if found is not None:
        pot = {"pot": 0, "main pot": 0, "side pot": 1}.get(found["pot"])
        hand.collected.append(
            Sum(
                line,
                _seated(hand, line, found["name"]),
                lines.amount(line, found["units"], hand.stakes),
                int(found["pot"][-1]) if pot is None else pot,
            )
        )
        return None
    if lines.SITS_OUT.fullmatch(text):
        return None
    _remark(line, text)
    return None


def _remark(line: int, text: str) -> None:
    if not lines.REMARK.fullmatch(text):
        raise UnreadableError(line, f"“{text[:80]}” is no line of a hand of five-card draw")


def _seated(hand: Played, line: int, name: str) -> str:
    if name not in hand.seats:
        raise UnreadableError(line, f"{name} has no seat in this hand")
    return name


def _action(hand: Played, line: int, text: str) -> Action | None:
    """What a seated player did on this line, or None where it is no such line. Raises UnreadableError."""
    owners = [name for name in hand.seats if text.startswith(f"{name}: ")]
    if not owners:
        return None
    name = max(owners, key=len)
    found = lines.VERB.fullmatch(text[len(name) + 2 :])
    return None if found is None else _said(hand, line, name, found)


def _said(hand: Played, line: int, name: str, found: "re.Match[str]") -> Action:
    def units(group: str) -> int:
        return lines.amount(line, found[group], hand.stakes)

    if found["post"]:
        return Action(line, name, _POSTS[found["post"]], units("posted"), all_in=found["post_in"] is not None)
    if found["stake"]:
        verb: Verb = "call" if found["stake"] == "calls" else "bet"
        return Action(line, name, verb, units("staked"), all_in=found["stake_in"] is not None)
    if found["by"]:
        return Action(line, name, "raise", units("by"), units("to"), found["raise_in"] is not None)
    if found["count"]:
        count = int(found["count"])
        thrown = None if found["thrown"] is None else lines.cards(line, found["thrown"], count)
        return Action(line, name, "draw", count=count, cards=thrown)
    if found["pat"]:
        kept = None if found["kept"] is None else lines.cards(line, found["kept"], 5)
        return Action(line, name, "draw", cards=kept)
    if found["shown"]:
        return Action(line, name, "show", cards=lines.cards(line, found["shown"], 5), words=found["words"])
    plain: Verb = "fold" if found["fold"] else "check" if found["check"] else "muck"
    return Action(line, name, plain)


def _dealt(hand: Played, line: int, text: str) -> None:
    """The cards of whose history it is: at first his five, after his draw those he kept and those that came."""
    found = lines.DEALT.fullmatch(text)
    if found is None:
        raise UnreadableError(line, f"“{text[:80]}” is cut, or no cards are dealt on it")
    name = _seated(hand, line, found["name"])
    if not hand.hole:
        hand.hero, hand.hole, hand.hole_line = name, lines.cards(line, found["cards"], 5), line
        return
    last = hand.actions[-1] if hand.actions else None
    if name != hand.hero or last is None or last.player != name or last.verb != "draw" or last.received:
        raise UnreadableError(line, f"{name} has drawn nothing for which these cards could come")
    came = lines.cards(line, found["cards"], last.count)
    kept = set(lines.cards(line, found["kept"] or ""))
    if last.cards is not None and set(hand.hole) - set(last.cards) != kept:
        raise UnreadableError(line, f"what {name} kept is not what he had less what he threw away")
    hand.actions[-1] = replace(last, received=came)


def _total(hand: Played, line: int, text: str) -> Stage | None:
    found = lines.TOTAL.fullmatch(text)
    if found is None:
        raise UnreadableError(line, f"the total of the pot and the rake come next, not “{text[:60]}”")
    hand.total = lines.amount(line, found["total"], hand.stakes)
    hand.total_line = line
    hand.rake = lines.amount(line, found["rake"], hand.stakes)
    if found["main"]:
        sides = lines.SIDE.findall(found["sides"])
        hand.pots = [lines.amount(line, pot, hand.stakes) for pot in (found["main"], *sides)]
    return _ending


def _ending(hand: Played, line: int, text: str) -> Stage | None:
    seats = {f"Seat {s.number}: {s.name}": s for s in hand.seats.values()}
    start = max((s for s in seats if text.startswith(s)), key=len, default=None)
    found = None if start is None else lines.ENDING.fullmatch(text[len(start) :])
    if start is None or found is None:
        raise UnreadableError(line, f"“{text[:80]}” is cut, or tells of nobody who has a seat in this hand")
    name = seats[start].name
    if name in hand.endings:
        raise UnreadableError(line, f"{name} stands in the summary twice")
    places = tuple(re.findall(r"\((.+?)\)", found["places"]))
    hand.endings[name] = replace(_fate(hand, line, name, found), places=places)
    return None


def _fate(hand: Played, line: int, name: str, found: "re.Match[str]") -> Ending:
    if found["stage"]:
        return Ending(line, name, "folded", found["stage"], found["no_bet"] is not None)
    if found["showed"]:
        won = None if found["won"] is None else lines.amount(line, found["won"], hand.stakes)
        shown = lines.cards(line, found["showed"], 5)
        return Ending(line, name, "showed", cards=shown, won=won, words=found["words"])
    if found["mucked"]:
        return Ending(line, name, "mucked", cards=lines.cards(line, found["mucked"], 5))
    return Ending(line, name, "collected", won=lines.amount(line, found["collected"], hand.stakes))


def _whole(hand: Played, stage: Stage) -> None:
    """Whether nothing of the hand is missing. Raises UnreadableError."""
    missing = [s.name for s in hand.dealt_in() if s.name not in hand.endings]
    if stage is not _ending or missing:
        what = f"the summary does not tell of {missing[0]}" if stage is _ending else "its summary is missing"
        raise UnreadableError(hand.last_line, f"hand {hand.id} is cut short: {what}")
    if len(hand.dealt_in()) < 2:
        raise UnreadableError(hand.line, f"{len(hand.dealt_in())} players are dealt into hand {hand.id}")
