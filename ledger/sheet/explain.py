"""Why a statement is not one: from the word the grammar could not take to a sentence that helps."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from ledger.sheet.words import is_bare, shortened

_NAMES = frozenset({"WORD", "INT", "STRING"})
_BEFORE_CARDS = frozenset({"show", "hold", "discard", "get", "opener", "threw", "cut", "expose", "exposed"})
_STAKES = frozenset({"open", "bet", "raise", "better"})
# What the grammar takes at a place, the fullest first.
_SHAPES = (
    ({"WORD", "INT", "STRING", "ODD"}, "a value"),
    ({"WORD", "INT", "STRING"}, "a name"),
    ({"WORD", "STRING", "ODD"}, "a time zone (Europe/London)"),
    ({"INT", "ODD"}, "an amount (12, 2 white 1 red, $2.50)"),
    ({"CLOCK"}, "a time (23:30)"),
    ({"DATE"}, "a date (2026-11-27)"),
    ({"STRING"}, 'text in double quotes ("...")'),
    ({"INT"}, "a number"),
)
_DEEDS = "opens, bets, raises, to, calls, checks, passes, all-in, draws, pat, shows, mucks, buys, cashes ..."


class Word(NamedTuple):
    """A word of a statement: as written, the grammar's name for it, and where it begins (from 0)."""

    text: str
    kind: str
    offset: int


class Openings(NamedTuple):
    """Keywords (lower case -> the grammar's name), what begins a statement, what may follow a player's name.

    `is_whole` tells whether words make a statement.
    """

    keywords: dict[str, str]
    starts: frozenset[str]
    deeds: frozenset[str]
    is_whole: Callable[[list[Word]], bool]


def explain(
    text: str,
    words: list[Word],
    at: int,
    expected: set[str],
    openings: Openings,
) -> tuple[int, str]:
    """Offset and sentence for a statement whose word `at` (if that is past the last: its end) does not fit.

    `expected` holds the grammar's names of what would have fitted there.
    """
    if at == 1 and words[0].kind in _NAMES:
        return _no_deed(text, words, openings)
    if at == len(words):
        return len(text), f"{_wanted(words, expected, openings)} is missing after {_quoted(words[-1].text)}"
    word = words[at]
    if {"STRING", "WORD", "INT"} <= expected:
        return word.offset, _no_name(words[at:], at == 0, openings)
    if at == 1 and word.kind in openings.deeds:
        return words[0].offset, _quoted_name(words[0])
    second = _second(words, at, openings)
    if second:
        shown = shortened(second.text)
        return second.offset, f"a second statement begins at `{shown}`: put a `;` before it"
    percent = next((before for before in words[:at] if before.text.endswith("%")), None)
    if percent:
        return percent.offset, f"{_quoted(percent.text)}: the kitty takes whole per cent (5%)"
    if word.text.lower() == "to" and at == 2 and words[1].text.lower().removesuffix("s") in _STAKES:
        right = shortened(" ".join([words[0].text, *(said.text for said in words[at:])]))
        return word.offset, f"{_quoted(word.text)} is the verb itself, for the stake as it becomes: `{right}`"
    near = _near(word, [name for name, kind in openings.keywords.items() if kind in expected])
    if near:
        return word.offset, f"{_quoted(word.text)}: did you mean `{near}`?"
    wanted = _wanted(words[:at], expected, openings)
    return word.offset, f"{_quoted(word.text)} does not fit here: {wanted} is wanted"


def _no_deed(text: str, words: list[Word], openings: Openings) -> tuple[int, str]:
    """A name stands first, and what follows is nothing a player does."""
    first = words[0]
    said = words[1] if len(words) > 1 else None
    if said and said.kind == "WORD" and len(words) > 2 and words[2].kind in openings.deeds:
        name = shortened(f"{first.text} {said.text}")
        return first.offset, f'a name of several words stands in double quotes: "{name}"'
    near = said and _near(said, [name for name, kind in openings.keywords.items() if kind in openings.deeds])
    if said and near:
        return said.offset, f"{_quoted(said.text)}: did you mean `{near}`?"
    near = _near(first, [name for name, kind in openings.keywords.items() if kind in openings.starts])
    if near:
        return first.offset, f"{_quoted(first.text)}: did you mean `{near}`?"
    if said is None:
        return len(text), f"what {_quoted(first.text)} does is missing: {_DEEDS}"
    return said.offset, f"{_quoted(said.text)} is nothing a player does; write one of {_DEEDS}"


def _second(words: list[Word], at: int, openings: Openings) -> Word | None:
    """The word at which a second statement begins with no `;` before it, if that is what is wrong.

    A name may have been taken into the first statement as a colour or a card, and only its verb did not fit.
    """
    for begins in (at - 1, at) if words[at - 1].kind in _NAMES else (at,):
        if begins >= 1 and _begins(words[begins:], openings) and openings.is_whole(words[:begins]):
            return words[begins]
    return None


def _begins(words: list[Word], openings: Openings) -> bool:
    if words[0].kind in _NAMES:
        return len(words) > 1 and words[1].kind in openings.deeds
    return words[0].kind in openings.starts


def _quoted_name(word: Word) -> str:
    shown = shortened(word.text)
    return f'`{shown}` is a keyword; as a name it stands in double quotes: "{shown}"'


def _no_name(words: list[Word], first: bool, openings: Openings) -> str:
    word = words[0]
    shown = shortened(word.text)
    if word.text.lower() in openings.keywords:
        follows = words[1].kind if len(words) > 1 else ""
        if first and word.kind in openings.deeds and follows not in openings.deeds:
            return f"who `{shown}` is missing: a player's name stands before it"
        return _quoted_name(word)
    if word.text.endswith(",") and is_bare(word.text[:-1]):
        return f"`{shown}`: no comma stands after a name, only a blank"
    return (
        f"`{shown}` is no bare name (letters, digits, _ - . and apostrophes); others stand in double quotes"
    )


def _near(word: Word, known: list[str]) -> str:
    if word.kind == "STRING" or len(word.text) > 24:
        return ""
    return next(iter(get_close_matches(word.text.lower(), known, 1, 0.7)), "")


def _wanted(words: list[Word], expected: set[str], openings: Openings) -> str:
    """What would have fitted after these words, in words."""
    shape = "" if "$END" in expected else _wanted_shape(words[-1].text.lower() if words else "", expected)
    if shape:
        return shape
    known = sorted(f"`{name}`" for name, kind in openings.keywords.items() if kind in expected)[:8]
    if "$END" in expected:
        known.append("the end of the statement")
    return ", ".join(known[:-1]) + " or " + known[-1] if len(known) > 1 else "".join(known)


def _wanted_shape(last: str, expected: set[str]) -> str:
    """The same where no keyword will do; nothing where one will."""
    if "ODD" in expected and last.removesuffix("s") in _BEFORE_CARDS:
        return "a card (Kh, 10d, Jk)"
    for kinds, wanted in _SHAPES:
        if kinds <= expected:
            return wanted
    if "WORD" in expected:
        return {"set": "a switch", "counters": "a colour (red 3)"}.get(last, "a hand (full_house)")
    return ""


def _quoted(text: str) -> str:
    return f"`{shortened(text)}`"
