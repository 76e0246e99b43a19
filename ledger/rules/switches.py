"""Switches in words: reading them from a sheet or a file, and saying them again.

What a switch may be is read off the types of `Rules`, so that a new switch needs no parser of its own.
"""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from ledger.rules.model import (
    MOST_UNITS,
    SWITCHES,
    CapLimit,
    FixedLimit,
    Flag,
    HandName,
    Kitty,
    Limit,
    NoLimit,
    PotLimit,
    Rank,
    Rules,
    SomeUnits,
    Units,
)

Word = str | int


@dataclass(frozen=True, slots=True)
class SwitchRefused:
    """A switch that cannot be set so, with a sentence that says what would do.

    `rule` is the id of the rule it breaks; None where the words were not understood and no rule is concerned.
    """

    rule: str | None
    message: str


_NO = {"no", "off", "none", "false", "unset"}
_YES = {"yes", "on", "true"}
# Where `on` leaves a choice, it means the set's own custom.
_CUSTOMS = {
    ("english", "straddle"): "add",
    ("foster", "straddle"): "double",
    ("english", "joker"): "higher",
    ("foster", "joker"): "mistigris",
    ("english", "blaze"): "akqj",
}
_FLAG_WORDS = {
    "raise_before_draw": ("yes", "no"),
    "caller_sees": ("yes", "no"),
    "cards_speak": ("cards", "declared"),
}
_BEARERS = ("banker", "winners", "losers", "kitty")
_RANK_WORDS = {
    "10": "T",
    "ten": "T",
    "knave": "J",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
}
_HAND_WORDS = {
    "full": "full_house",
    "full_hand": "full_house",
    "triplets": "threes",
    "three_of_a_kind": "threes",
    "four_of_a_kind": "fours",
    "two_pair": "two_pairs",
    "sequence": "straight",
    "skip_sequence": "skip_straight",
    "sequence_flush": "straight_flush",
    "royal_flush": "straight_flush",
    "highest_card": "high_card",
}


def set_switch(rules: Rules, name: str, words: Sequence[Word]) -> Rules | SwitchRefused:
    """The rules with one switch changed, from words such as "limit", ["fixed", 2, 4].

    Amounts are units, already whole: an int or its digits. Hyphens, blanks and capitals do not matter.
    Whether the new value agrees with the other switches is `check`'s question.
    """
    switch = switch_name(name)
    if isinstance(switch, SwitchRefused):
        return switch
    value = read_switch(switch, words, set_name=rules.name)
    if isinstance(value, SwitchRefused):
        return value
    return rules.model_copy(update={switch: value})


def switch_name(text: str) -> str | SwitchRefused:
    """The switch a word names, or what the nearest names are; all of them where none is near."""
    name = _plain(text)
    if name in SWITCHES:
        return name
    near = difflib.get_close_matches(name, SWITCHES, n=3, cutoff=0.6)
    right = f"the nearest: {', '.join(near)}" if near else f"the switches are {', '.join(SWITCHES)}"
    return SwitchRefused(None, f"there is no switch {text!r}; {right}; mistigris rules shows them all")


def read_switch(name: str, words: Sequence[Word], *, set_name: str = "own") -> Any | SwitchRefused:
    """The value that words give the switch `name`; `set_name` says whose custom `on` means."""
    texts = [str(word).strip() for word in words]
    if not any(texts):
        return SwitchRefused(None, f"{name} needs a value: {choices(name)}")
    if _plain(" ".join(texts)) in _YES:
        texts = [custom(set_name, name) or texts[0]]
    value = _BY_SWITCH[name][0](texts)
    if isinstance(value, _Unread):
        why = f" ({value.why})" if value.why else ""
        return SwitchRefused(
            value.rule, f"{name} cannot be {' '.join(texts)!r}{why}; it may be {choices(name)}"
        )
    return value


def in_words(rules: Rules, name: str) -> str:
    """A switch's value in the words that set it; `unset` where the house has still to say."""
    value = getattr(rules, name)
    if value is None:
        return "unset"
    if isinstance(value, bool):
        yes, no = _FLAG_WORDS.get(name, ("on", "off"))
        return yes if value else no
    if isinstance(value, Kitty):
        return kitty_in_words(value)
    if isinstance(value, CapLimit | PotLimit | NoLimit | FixedLimit):
        return limit_in_words(value)
    if isinstance(value, tuple):
        return " ".join(value)
    return str(value)


def custom(set_name: str, switch: str) -> str | None:
    """What `on` means for a switch in that set, where there is a choice; None: its sources do not say."""
    return _CUSTOMS.get((set_name, switch))


def limit_in_words(limit: Limit) -> str:
    """A limit as a sheet says it: `12`, `pot`, `none`, `fixed 2 4`."""
    match limit:
        case CapLimit(units=units):
            return str(units)
        case FixedLimit(small=small, big=big):
            return f"fixed {small} {big}"
        case _:
            return limit.kind


def kitty_in_words(kitty: Kitty) -> str:
    """A kitty's rule as a sheet says it: `1 when pool >= 30`, `5% up to 3`."""
    match kitty.kind:
        case "per_hand":
            return f"{kitty.units} per hand"
        case "when_pool":
            return f"{kitty.units} when pool >= {kitty.at_least}"
        case "when_shown":
            return f"{kitty.units} when shown {kitty.hand}"
        case "percent":
            whole, rest = divmod(kitty.basis_points, 100)
            share = f"{whole}.{rest:02}".rstrip("0") if rest else str(whole)
            return f"{share}%" + (f" up to {kitty.up_to}" if kitty.up_to else "")
        case _:
            return "off"


def choices(name: str) -> str:
    """What a switch may be, for a reader."""
    return _BY_SWITCH[name][1]


def parse_kitty(words: Sequence[Word]) -> Kitty | SwitchRefused:
    """The kitty rule in the words that follow `kitty` on a sheet, such as `1 when pool >= 30` or `off`."""
    value: Kitty | SwitchRefused = read_switch("kitty", words)
    return value


# Reading one value: a reader takes the words; `_Unread` says why it could not.


@dataclass(frozen=True, slots=True)
class _Unread:
    why: str = ""
    rule: str | None = None


Reader = Callable[[list[str]], Any]


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())


def _number(text: str, *, least: int) -> int | _Unread:
    if not re.fullmatch(r"[0-9]+", text):
        return _Unread(f"{text!r} is no whole number")
    number = int(text) if len(text) <= len(str(MOST_UNITS)) else MOST_UNITS + 1
    if number > MOST_UNITS:
        return _Unread(f"at most {MOST_UNITS}")
    return number if number >= least else _Unread(f"at least {least}")


def _units_reader(least: int, *, may_be_unset: bool) -> Reader:
    def read(texts: list[str]) -> int | _Unread | None:
        if may_be_unset and _plain(texts[0]) == "unset":
            return None
        return _number(texts[0], least=least) if len(texts) == 1 else _Unread("one number")

    return read


def _flag_reader(yes: str, no: str) -> Reader:
    def read(texts: list[str]) -> bool | _Unread:
        word = _plain(" ".join(texts))
        if word in _YES | {yes}:
            return True
        return False if word in _NO | {no} else _Unread()

    return read


def _literal_reader(values: tuple[str, ...]) -> Reader:
    off = [value for value in values if value in _NO]
    on = [value for value in values if value not in _NO]

    def read(texts: list[str]) -> str | _Unread:
        word = _plain(" ".join(texts))
        if word in values:
            return word
        if word in _NO and off:
            return off[0]
        # "on" is plain where there is nothing to choose
        return on[0] if word in _YES and off and len(on) == 1 else _Unread()

    return read


def _read_difference(texts: list[str]) -> str | _Unread | None:
    word = _plain(" ".join(texts)).removeprefix("borne_by_")
    if word in _BEARERS:
        return word
    return None if word in _NO else _Unread()


def _read_openers(texts: list[str]) -> tuple[str, ...] | _Unread:
    ladder = []
    for word in re.split(r"[\s,]+", " ".join(texts).strip(" ,")):
        rank = _rank(word)
        if rank is None:
            return _Unread(f"{word!r} is no rank")
        ladder.append(rank)
    return tuple(ladder)


def _rank(word: str) -> str | None:
    """The rank of `J`, `JJ`, `knaves`, `10`; None for anything else."""
    low = word.lower()
    one = _RANK_WORDS.get(low) or _RANK_WORDS.get(low.removesuffix("s")) or low.upper()
    if len(one) == 2 and one[0] == one[1]:
        one = one[0]
    return one if one in get_args(Rank) else None


def _read_limit(texts: list[str]) -> Any:
    match [text.lower() for text in texts]:
        case ["unset"]:
            return None
        case ["pot"]:
            return PotLimit()
        case ["none" | "no"]:
            return NoLimit()
        case ["fixed", small, big]:
            return _fixed_limit(small, big)
        case [word]:
            units = _number(word, least=1)
            return units if isinstance(units, _Unread) else CapLimit(units=units)
        case _:
            return _Unread()


def _fixed_limit(small_word: str, big_word: str) -> FixedLimit | _Unread:
    small, big = _number(small_word, least=1), _number(big_word, least=1)
    if isinstance(small, _Unread):
        return small
    if isinstance(big, _Unread):
        return big
    if small > big:
        return _Unread("the bet before the draw may not be above the one after it", "R-FIXED-LIMIT")
    return FixedLimit(small=small, big=big)


_KITTY_FORMS = {
    "off": re.compile(r"off|none|no"),
    "per_hand": re.compile(r"(?P<units>[0-9]+) (?:per|a|every) hand"),
    "when_pool": re.compile(r"(?P<units>[0-9]+) when pool ?>= ?(?P<at_least>[0-9]+)"),
    "percent": re.compile(r"(?P<whole>[0-9]+)(?:\.(?P<cents>[0-9]{1,2}))? ?%(?: up to (?P<up_to>[0-9]+))?"),
    "when_shown": re.compile(r"(?P<units>[0-9]+) when shown (?P<hand>.+)"),
}


def _read_kitty(texts: list[str]) -> Kitty | _Unread:
    text = " ".join(" ".join(texts).lower().split())
    for kind, form in _KITTY_FORMS.items():
        if found := form.fullmatch(text):
            return _kitty_of(kind, found.groupdict())
    return _Unread()


def _kitty_of(kind: str, words: dict[str, str | None]) -> Kitty | _Unread:
    fields: dict[str, Any] = {"kind": kind}
    for name in ("units", "at_least", "up_to"):
        if word := words.get(name):
            fields[name] = _number(word, least=1)
    if kind == "percent":
        # two places at most, so that the share is a whole number of basis points
        share = _number(f"{words['whole']}{(words['cents'] or '').ljust(2, '0')}", least=1)
        fields["basis_points"] = share if share in range(1, 10_001) else _Unread("above 0%, at most 100%")
    if hand := words.get("hand"):
        name = _plain(hand)
        fields["hand"] = _HAND_WORDS.get(name, name)
        if fields["hand"] not in get_args(HandName):
            return _Unread(f"{hand!r} is no hand; the hands are {', '.join(get_args(HandName))}")
    unread = next((value for value in fields.values() if isinstance(value, _Unread)), None)
    return unread or Kitty.model_validate(fields)


def _reader_and_choices(name: str) -> tuple[Reader, str]:
    """How a switch is read and what it may be: by its type, but for those that have words of their own."""
    kind: Any = Rules.__annotations__[name]
    if name in _OWN_WORDS:
        return _OWN_WORDS[name]
    if get_origin(kind) is Literal:
        *others, last = get_args(kind)
        return _literal_reader(get_args(kind)), " or ".join(filter(None, (", ".join(others), last)))
    if kind == Flag:
        yes, no = _FLAG_WORDS.get(name, ("on", "off"))
        return _flag_reader(yes, no), f"{yes} or {no}"
    may_be_unset = NoneType in get_args(kind)
    least = 1 if SomeUnits in (kind, *get_args(kind)) else 0
    assert least or Units in (kind, *get_args(kind)), f"no reader for {name}"
    unset = ", or unset" if may_be_unset else ""
    return _units_reader(least, may_be_unset=may_be_unset), f"a whole number, {least} or more{unset}"


_OWN_WORDS: dict[str, tuple[Reader, str]] = {
    "limit": (_read_limit, "a number of units, pot, none, fixed SMALL BIG, or unset"),
    "kitty": (_read_kitty, "N per hand, N when pool >= N, N% [up to N], N when shown HAND, or off"),
    "openers": (_read_openers, "a ladder of pairs, such as J Q K"),
    "difference": (_read_difference, f"{', '.join(_BEARERS)}, or unset"),
}
_BY_SWITCH = {name: _reader_and_choices(name) for name in SWITCHES}
