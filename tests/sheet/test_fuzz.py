"""Whatever is typed, a sheet is read or refused in one line: never an exception, never a hang."""

import random

import pytest

from ledger.sheet.fingerprint import fingerprint
from ledger.sheet.grammar import keywords
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.sheet.unparse import unparse

EVENING = """session "Friday at B's" on 2026-11-27 at 20:00 in Europe/London
rules english # or foster
set limit fixed 2 white 4; set openers 10 J Q K
unit 1d; counters red 3 white 9 blue 12
kitty 5% up to 3; kitty 1 when pool >= 30; kitty 1 when shown threes
seat B "the \\"Kid\\"" É राम; A buys 10 red 6 white; B buys £1 2s6d
hand dealer A; at 20:12; B antes; C straddles; antes; A posts big 2 dead; deal
D opens $2.50; E passes; ! A raises 3; C to 15; D calls; A all-in
D discards 7h 10c gets Kh Jk; A draws 1; B pat; C shows openers Qh Qd threw Qd
kitty pays B 1 "best; hand"; B disputes hand 12 “thirteen”; ruling "x" 1 from C to B
A counts 0; difference borne by losers; A sits left of B; undo; close
"""
WORDS = [
    *keywords(),
    *(
        "A",
        "B",
        "É",
        "राम",
        "3",
        "12.5",
        "1/2",
        "$2.50",
        "1s6d",
        "0.05",
        "USD",
        "red",
        "Kh",
        "1h",
        "Jk",
        "5%",
        "23:30",
    ),
    *(
        '"x"',
        '"',
        "“",
        "”",
        "\\",
        ";",
        "#",
        "!",
        ">=",
        "=",
        "2026-11-27",
        "\n",
        "\r",
        "\ufeff",
        "\u2028",
        "\u00a0",
    ),
]
CHARACTERS = "aAkKé\u0301\u200d\u202e0123456789.,;:#!\"“”\\'’%$€£½-_ \t\n\r\0\x1b\ud800\U0001f0a1"


def edited(rng: random.Random) -> str:
    """An evening with a few characters put in, taken out, exchanged or moved."""
    sheet = list(EVENING)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(sheet))
        length = rng.choice((0, 1, 1, 1, 2, 10))
        cut = sheet[at : at + length]
        sheet[at : at + length] = [rng.choice(CHARACTERS) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.3:
            to = rng.randrange(len(sheet) + 1)
            sheet[to:to] = cut
    return "".join(sheet)


def shuffled(rng: random.Random) -> str:
    """Words of the sheet in no order at all."""
    return rng.choice((" ", "", " ; ", "\n")).join(rng.choices(WORDS, k=rng.randint(1, 25)))


def damaged(rng: random.Random) -> bytes:
    """An evening with some bytes overwritten, or cut short."""
    sheet = bytearray(EVENING.encode())
    for _ in range(rng.randint(1, 4)):
        sheet[rng.randrange(len(sheet))] = rng.randrange(256)
    return bytes(sheet[: rng.randint(0, len(sheet))] if rng.random() < 0.5 else sheet)


def is_answered(sheet: str | bytes) -> bool:
    """Whether the sheet was read. What was can be written out again; what was not is told in one line."""
    result = parse(sheet, file="sheet")
    if isinstance(result, SheetError):
        assert result.message
        assert len(str(result).splitlines()) == 1
        assert len(str(result)) < 400
        assert result.line >= 1
        assert result.column >= 1
        return False
    again = parse("\n".join(map(unparse, result)), file="again")
    assert isinstance(again, list), str(again)
    assert list(map(fingerprint, again)) == list(map(fingerprint, result))
    return True


def fuzz(seed: int, times: int) -> set[bool]:
    rng = random.Random(seed)
    return {is_answered(rng.choice((edited, shuffled, damaged))(rng)) for _ in range(times)}


def test_a_few_thousand_broken_sheets() -> None:
    assert is_answered(EVENING)
    assert fuzz(seed=1, times=4_000) == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_million_broken_sheets(seed: int) -> None:
    assert fuzz(seed=1000 + seed, times=100_000) == {True, False}
