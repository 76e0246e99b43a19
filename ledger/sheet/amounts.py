"""Amounts as a hand sheet writes them: whole counters, counters in colours, money with its mark."""

from __future__ import annotations

import re

from ledger.sheet.statements import Amount, Coloured, Money, Units
from ledger.sheet.words import MOST_DIGITS, is_bare, shortened

_DECIMAL = r"(?P<whole>[0-9]+)(?:[.,](?P<part>[0-9]+))?"
_MONEY = (
    re.compile(rf"(?P<mark>[$€£¥]) ?{_DECIMAL}"),
    re.compile(rf"{_DECIMAL} ?(?P<mark>[$€£¥]|[A-Z]{{3}})"),
    re.compile(rf"{_DECIMAL}(?P<mark>[cp¢])"),
)
_OLD_MONEY = re.compile(r"(?:£(?P<pounds>[0-9]+) ?)?(?:(?P<shillings>[0-9]+)s)? ?(?:(?P<pence>[0-9]+)d)?")
_COLOURS = re.compile(r"[0-9]+ [^\W\d_][^ ]*(?: [0-9]+ [^\W\d_][^ ]*)*")
_FRACTION = re.compile(r"[0-9]*[.,/][0-9]+|[0-9]*[½¼¾⅓⅔]")


def read_amount(words: list[str]) -> Amount | str:
    """The amount these words say, or one sentence on why they say none."""
    text = " ".join(words)
    too_much = f"`{shortened(text)}` is more than any table holds"
    if any(len(run) > MOST_DIGITS for run in re.findall(r"[0-9]+", text)):
        return too_much
    if text.isascii() and text.isdigit():
        return Units(int(text))
    money = _money(text)
    if money is not None:
        return too_much if isinstance(money, Money) and money.digits >= 10**MOST_DIGITS else money
    if _COLOURS.fullmatch(text) and all(is_bare(colour) for colour in words[1::2]):
        numbers, colours = words[::2], words[1::2]
        return Coloured(tuple((int(n), c.casefold()) for n, c in zip(numbers, colours, strict=True)))
    return _why_not(words)


def _money(text: str) -> Money | str | None:
    for pattern in _MONEY:
        match = pattern.fullmatch(text)
        if match:
            return _decimal_money(match["whole"], match["part"] or "", match["mark"])
    match = _OLD_MONEY.fullmatch(text.lower())
    if match and (match["shillings"] or match["pence"]):
        pounds, shillings, pence = (int(match[name] or 0) for name in ("pounds", "shillings", "pence"))
        return Money("LSD", pounds * 240 + shillings * 12 + pence)
    return None


def _decimal_money(whole: str, part: str, mark: str) -> Money | str:
    if mark == "LSD":
        return "old money is written £1 2s6d, 1s6d, 3d"
    if len(part) == 3 and int(whole):
        return f"`{whole},{part}` may be thousands or a part; write {whole}{part} or {whole}.{part[:2]}"
    if len(part) > 6:
        return "money is read to six places at most"
    mark = "c" if mark == "¢" else mark
    part = part.rstrip("0")
    digits, places = int(whole + part), len(part)
    if mark in "cp":
        places += 2
        while places and digits % 10 == 0:
            digits, places = digits // 10, places - 1
    return Money(mark, digits, places)


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
