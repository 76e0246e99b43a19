"""Any statement written out by `unparse` is read again as what it was."""

import datetime as dt
import unicodedata
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ledger.sheet import statements as st
from ledger.sheet.fingerprint import fingerprint
from ledger.sheet.parse import parse
from ledger.sheet.unparse import unparse

TEXT = some.text(some.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30).map(
    lambda text: unicodedata.normalize("NFC", text)
)
NAME = some.one_of(
    some.sampled_from(
        ["A", "B", "É", "राम", "B's", "7", "7h", "Pat", "hand", 'the "Kid"; #2', "a\\", "$5", "K.O."]
    ),
    TEXT.map(str.strip).filter(bool),
)
WORD = some.sampled_from(
    ["higher", "pot", "J", "Q", "set", "on", "seat", "", "2x", "a b", 'a"b', "fixed", "none"]
)
CARD = some.integers(0, 52)
CARDS = some.lists(CARD, min_size=1, max_size=6).map(tuple)
COUNT = some.integers(0, 10**15 - 1)
UNITS = some.builds(st.Units, COUNT)
COLOUR = some.sampled_from(["red", "white", "blue", "ivoire", "été", "mother-of-pearl"])
COLOURED = some.lists(some.tuples(COUNT, COLOUR), min_size=1, max_size=4, unique_by=lambda part: part[1]).map(
    lambda parts: st.Coloured(tuple(parts))
)
MONEY = some.builds(
    st.Money,
    some.sampled_from(
        ["$2.50", "€2,50", "2,50 €", "£1", "0.05 USD", "1 EUR", "5c", "10p", "1s6d", "£1 2s 6d", "½d"]
    ),
)
AMOUNT = some.one_of(UNITS, COLOURED, MONEY)
DATE = some.dates(dt.date(1500, 1, 1), dt.date(2999, 12, 31))
CLOCK = some.times().map(lambda time: time.replace(second=0, microsecond=0))
HAND = some.sampled_from(["pair", "two_pairs", "full_house", "five_of_a_kind"])


def no_colours_side_by_side(values: list[Any]) -> bool:
    """Two amounts in colours one after the other are read as one, so no sheet can say two."""
    return not any(isinstance(a, st.Coloured) and isinstance(b, st.Coloured) for a, b in pairwise(values))


VALUES = (
    some.lists(
        some.one_of(WORD, UNITS, COLOURED, some.builds(st.Money, some.sampled_from(["$2", "5c"]))), min_size=1
    )
    .filter(no_colours_side_by_side)
    .map(tuple)
)
MOVES = some.builds(st.Moves, AMOUNT, NAME, NAME)

# Fields whose type does not say what they hold.
FIELDS: dict[tuple[type, str] | str, some.SearchStrategy[Any]] = {
    "player": NAME,
    "left_of": NAME,
    "dealer": NAME,
    "giver": NAME,
    "taker": NAME,
    "title": NAME,
    "amount": AMOUNT,
    "pool": AMOUNT,
    "up_to": AMOUNT,
    "cost": MONEY,
    "moves": MOVES,
    "card": CARD,
    "cards": CARDS,
    "gets": CARDS,
    "threw": CARDS,
    "count": COUNT,
    "percent": some.integers(0, 100),
    "time": CLOCK,
    "date": DATE,
    "zone": some.sampled_from(["Europe/London", "UTC", "Etc/GMT+1"]),
    "text": TEXT,
    "claim": TEXT,
    "reason": TEXT,
    "source": TEXT.map(str.strip),
    "hand": HAND,
    "by": some.sampled_from(["banker", "winners", "losers", "kitty"]),
    "by_dealer": some.booleans(),
    "blind": some.sampled_from(["small", "big", "ante"]),
    "standing": some.sampled_from(["dead", "live"]),
    "players": some.lists(NAME, min_size=1, max_size=7).map(tuple),
    "name": some.sampled_from(["ante", "limit"]),
    (st.Switch, "values"): VALUES,
    (st.Counters, "values"): some.lists(
        some.tuples(COLOUR, some.integers(1, 99)), min_size=1, unique_by=lambda one: one[0]
    ).map(tuple),
    (st.Foul, "cards"): COUNT,
    (st.Disputes, "hand"): COUNT,
    (st.Ruling, "hand"): COUNT,
}


def bodies(form: type) -> some.SearchStrategy[Any]:
    """Statements of one form; what has a default is sometimes left at it."""
    held: dict[str, some.SearchStrategy[Any]] = {}
    for name, field in form.__dataclass_fields__.items():  # type: ignore[attr-defined]
        one = FIELDS[form, name] if (form, name) in FIELDS else FIELDS[name]
        optional = "None" in str(field.type) or isinstance(field.default, tuple)
        held[name] = (
            some.one_of(some.just(None if "None" in str(field.type) else ()), one) if optional else one
        )
    return some.builds(form, **held)


def can_be_said(body: st.Body) -> bool:
    """What the fields alone would allow and no sheet can say."""
    if isinstance(body, st.Antes):
        return body.player is not None or body.amount is None
    if isinstance(body, st.Posts):
        return body.blind is not None or body.amount is not None
    return True


BODY = some.one_of([bodies(form) for form in st.Body.__args__]).filter(can_be_said)
STATEMENT = some.builds(st.Statement, some.just(1), some.just(1), some.just(""), some.booleans(), BODY)


def reads_back(statements: list[st.Statement]) -> None:
    sheet = "\n".join(map(unparse, statements))
    again = parse(sheet, file="sheet")
    assert isinstance(again, list), f"{again}\n{again.pointed}"
    assert [(s.irregular, s.body) for s in again] == [(s.irregular, s.body) for s in statements]
    assert [s.line for s in again] == list(range(1, len(statements) + 1))
    assert list(map(fingerprint, again)) == list(map(fingerprint, statements))
    assert "\n".join(map(unparse, again)) == sheet


@given(some.lists(STATEMENT, min_size=1, max_size=10))
@settings(max_examples=300, deadline=None)
def test_what_is_written_out_reads_back(statements: list[st.Statement]) -> None:
    reads_back(statements)


@pytest.mark.long
@given(some.lists(STATEMENT, min_size=1, max_size=10))
@settings(max_examples=20_000, deadline=None)
def test_what_is_written_out_reads_back_many_times(statements: list[st.Statement]) -> None:
    reads_back(statements)
