"""Amounts as a hand sheet writes them: whole counters, counters in colours, money with its mark.

Only their shapes are told apart here. What a sum of money or a colour is worth is for the rooms that know the
session's unit and its colours.
"""

from __future__ import annotations

import re

from ledger.sheet.statements import Amount, Coloured, Money, Units
from ledger.sheet.words import MOST_DIGITS, is_bare, shortened

_NUMBER = r"(?:[0-9]{1,3}(?: [0-9]{3})+|[0-9]+)(?:[.,][0-9]{1,9})?"
_MARKED = re.compile(rf"[$€£¥] ?{_NUMBER}|{_NUMBER} ?[$€£¥¢]|{_NUMBER}(?:c|p|ct)", re.IGNORECASE)
_CODED = re.compile(rf"(?P<number>{_NUMBER}) ?(?P<code>[A-Z]{{3}})")
_OLD_MONEY = re.compile(
    r"(?:£[0-9]+ ?)?(?:[0-9]+s ?)?(?:(?:[0-9]+(?:[.,][0-9]+)?[¼½¾]?|[¼½¾])d)?", re.IGNORECASE
)
_COLOURS = re.compile(r"[0-9]+ [^\W\d_][^ ]*(?: [0-9]+ [^\W\d_][^ ]*)*")
_FRACTION = re.compile(r"[0-9]*[.,/][0-9]+|[0-9]*[½¼¾⅓⅔]")


def read_amount(words: list[str]) -> Amount | str:
    """The amount these words say, or one sentence on why they say none."""
    text = " ".join(words)
    if any(len(run) > MOST_DIGITS for run in re.findall(r"[0-9]+", text)):
        return f"`{shortened(text)}` is more than any table holds"
    if text.isascii() and text.isdigit():
        return Units(int(text))
    if is_money(text):
        return Money(text)
    if _COLOURS.fullmatch(text) and all(is_bare(colour) for colour in words[1::2]):
        numbers, colours = words[::2], words[1::2]
        return Coloured(tuple((int(n), c.casefold()) for n, c in zip(numbers, colours, strict=True)))
    return _why_not(words)


def is_money(text: str) -> bool:
    """Whether words joined by single blanks have the shape of money: `$2.50`, `1s 6d`, `0.05 USD`."""
    if _MARKED.fullmatch(text):
        return True
    coded = _CODED.fullmatch(text)
    if coded:
        # `10 RED` are ten red counters, written with the capitals lock on.
        return not coded["number"].isdigit() or _is_currency(coded["code"])
    return bool(_OLD_MONEY.fullmatch(text)) and text[-1] in "sdSD"


def _is_currency(code: str) -> bool:
    from iso4217 import Currency  # reads its table when imported, and few sheets write a code

    try:
        return bool(Currency(code))
    except ValueError:
        return False


def _why_not(words: list[str]) -> str:
    right = "write whole counters (12), colours (2 white 1 red) or money with its mark ($2.50)"
    first = words[0]
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", first):
        return f"`{first}`: write {first.replace(',', '')}, a comma is a decimal mark here"
    for word in words:
        if _FRACTION.fullmatch(word):
            return f"`{shortened(word)}` is a fraction; amounts are whole counters (12), or money ($2.50)"
    if re.fullmatch(r"[-−][0-9]+.*", first):
        return f"`{shortened(first)}`: an amount is never below nought; {right}"
    if len(words) > 1 and len(words) % 2 and first.isdigit():
        return f"`{shortened(words[-1])}` has no colour; write each number before its colour (2 white 1 red)"
    return f"`{shortened(' '.join(words))}` is no amount; {right}"
