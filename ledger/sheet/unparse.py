"""A statement written out again, in the one way a hand sheet would be printed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from ledger.cards.pack import card_text, cards_text
from ledger.sheet import statements as st
from ledger.sheet.grammar import is_bare_name
from ledger.sheet.words import is_bare

# How each form is written: a field by its name, with how to write it where its type does not tell. What
# stands in brackets is left out where its field holds nothing.
_FORMS: dict[type, str] = {
    st.Session: "session {title:text} on {date}[ at {time}][ in {zone:text}]",
    st.RulesFrom: "rules {source:text}",
    st.Switch: "set {name:word} {values:values}",
    st.Unit: "unit {cost}",
    st.Counters: "counters {values:counters}",
    st.Banker: "banker {player}",
    st.Treasurer: "treasurer {player}",
    st.Seat: "seat {players:names}",
    st.At: "at [{date} ]{time}",
    st.Note: "note {text:text}",
    st.Undo: "undo",
    st.Close: "close",
    st.Sits: "{player} sits[ left of {left_of}]",
    st.SitsOut: "{player} sits out",
    st.SitsIn: "{player} sits in",
    st.Leaves: "{player} leaves",
    st.Buys: "{player} buys {amount}",
    st.Cashes: "{player} cashes {amount}",
    st.LossLimit: "{player} loss-limit {amount}",
    st.StopsAt: "[{player} ]stops-at {time}",
    st.Counts: "{player} counts {amount}",
    st.DifferenceBorne: "difference borne by {by:word}",
    st.KittyOff: "kitty off",
    st.KittyPerHand: "kitty {amount} per hand",
    st.KittyWhenPool: "kitty {amount} when pool >= {pool}",
    st.KittyPercent: "kitty {percent}%[ up to {up_to}]",
    st.KittyWhenShown: "kitty {amount} when shown {hand:word}",
    st.KittyTakes: "kitty {amount}",
    st.KittyPays: "kitty pays {player} {amount}[ {reason:text}]",
    st.KittySpends: "kitty spends {amount}[ {reason:text}]",
    st.PoolDivided: "pool divided",
    st.Hand: "hand[ dealer {dealer}]",
    st.Cuts: "{player} cuts {card:card}",
    st.Antes: "[{player} ]antes[ {amount}]",
    st.Straddles: "{player} straddles",
    st.Posts: "{player} posts[ {blind:word}][ {amount}][ {standing:word}]",
    st.Deal: "deal",
    st.Misdeal: "misdeal[ {reason:text}]",
    st.Exposed: "{player} exposed {card:card}[ {by_dealer:dealer}]",
    st.Foul: "{player} foul[ {cards}]",
    st.Opens: "{player} opens {amount}",
    st.Bets: "{player} bets {amount}",
    st.Raises: "{player} raises {amount}",
    st.To: "{player} to {amount}",
    st.Calls: "{player} calls[ {amount}]",
    st.Checks: "{player} checks",
    st.Passes: "{player} passes",
    st.AllIn: "{player} all-in",
    st.Draws: "{player} draws {count}[ gets {gets:cards}]",
    st.Pat: "{player} pat",
    st.Discards: "{player} discards {cards:cards}[ gets {gets:cards}]",
    st.Gets: "{player} gets {cards:cards}",
    st.Holds: "{player} holds {cards:cards}",
    st.Shows: "{player} shows {cards:cards}",
    st.ShowsOpeners: "{player} shows openers {cards:cards}[ threw {threw:cards}]",
    st.Declares: "{player} declares {hand:word}",
    st.Mucks: "{player} mucks",
    st.Wins: "{player} wins[ {amount}]",
    st.Disputes: "{player} disputes[ hand {hand}] {claim:text}",
    st.Moves: "{amount} from {giver} to {taker}",
    st.Ruling: "ruling {text:text}[ hand {hand}][ {moves}]",
}
_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
_OPTIONAL = re.compile(r"\[([^]]*)\]")


def unparse(statement: st.Statement) -> str:
    """The statement in canonical text; read again it says the same."""
    return ("! " if statement.irregular else "") + _written(statement.body)


def amount_text(amount: st.Amount) -> str:
    """`12`, `2 white 1 red`, `$2.50`: the amount as a sheet writes it."""
    if isinstance(amount, st.Units):
        return str(amount.count)
    if isinstance(amount, st.Coloured):
        return " ".join(f"{count} {colour}" for count, colour in amount.parts)
    return amount.text


def _written(form: Any) -> str:
    def field(match: re.Match[str]) -> str:
        value = getattr(form, match[1])
        return _KINDS[match[2]](value) if match[2] else _by_type(value)

    def optional(match: re.Match[str]) -> str:
        held = getattr(form, _FIELD.findall(match[1])[0][0])
        return "" if held is None or held is False or held in ("", ()) else match[1]

    return _FIELD.sub(field, _OPTIONAL.sub(optional, _FORMS[type(form)]))


def _by_type(value: Any) -> str:
    if isinstance(value, str):
        return _name(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, st.Moves):
        return _written(value)
    return str(value) if isinstance(value, int) else amount_text(value)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _name(name: str) -> str:
    return name if is_bare_name(name) else _text(name)


def _values(values: tuple[str | st.Amount, ...]) -> str:
    """The values of a switch; a word after an amount is quoted, or it would be read as a colour."""
    written = []
    for before, value in zip((None, *values), values, strict=False):
        if not isinstance(value, str):
            written.append(amount_text(value))
        elif (before is None or isinstance(before, str)) and value[:1].isalpha() and is_bare(value):
            written.append(value)
        else:
            written.append(_text(value))
    return " ".join(written)


_KINDS: dict[str, Callable[[Any], str]] = {
    "text": _text,
    "word": str,
    "card": card_text,
    "cards": cards_text,
    "names": lambda names: " ".join(map(_name, names)),
    "values": _values,
    "counters": lambda values: " ".join(f"{colour} {units}" for colour, units in values),
    "dealer": lambda _: "by dealer",
}
