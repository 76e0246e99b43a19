"""Whatever is wrong in a sheet, one clear line says where, what, and what would have been right."""

import pytest

from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError

# What is written, the column of the complaint, and the words it must hold.
WRONG = [
    ("C rises 3", 3, "`rises`: did you mean `raises`?"),
    ("C waltzes 3", 3, "`waltzes` is nothing a player does"),
    ("dael", 1, "did you mean `deal`?"),
    ('sesion "x" on 2026-01-01', 1, "did you mean `session`?"),
    ("C", 2, "what `C` does is missing"),
    ("buys 200", 1, "who `buys` is missing"),
    ("C opens", 8, "an amount (12, 2 white 1 red, $2.50) is missing after `opens`"),
    ("C raises by 3", 10, "`by` does not fit here: an amount"),
    ("C raises 3 gets", 12, "the end of the statement is wanted"),
    ("C buys 12.5", 8, "`12.5` is a fraction; amounts are whole counters"),
    ("C buys 1/2", 8, "`1/2` is a fraction"),
    ("C buys 2½", 8, "`2½` is a fraction"),
    ("C buys -3", 8, "never below nought"),
    ("C buys 1,000", 8, "write 1000"),
    ("C buys a lot", 8, "`a lot` is no amount"),
    ("C buys 2 white 1", 8, "`1` has no colour"),
    ("C buys 2 white: 1 red", 8, "is no amount"),
    ("C buys 9999999999999999", 8, "more than any table holds"),
    ("C draws 9999999999999999", 9, "more than any table holds"),
    ("set ante 2.5", 10, "`2.5` is a fraction"),
    ("set limit fixed 2 4.5", 19, "`4.5` is a fraction"),
    ("set", 4, "a switch is missing after `set`"),
    ("set ante", 9, "a value is missing after `ante`"),
    ("C buys 200 B buys 200", 12, "a second statement begins at `B`: put a `;` before it"),
    ("C calls B calls", 9, "a second statement begins at `B`"),
    ("C shows Kh Kd D mucks", 15, "a second statement begins at `D`"),
    ("deal B opens 2", 6, "a second statement begins at `B`"),
    ("A antes deal", 9, "a second statement begins at `deal`"),
    ("Pat opens 3", 1, '`Pat` is a keyword; as a name it stands in double quotes: "Pat"'),
    ("Ante antes", 1, "`Ante` is a keyword"),
    ("seat Pat B", 6, "`Pat` is a keyword"),
    ("A to B", 6, "`B` is no amount"),
    ("B@home buys 3", 1, "`B@home` is no bare name"),
    ("seat A, B", 6, "`A,`: no comma stands after a name, only a blank"),
    ("seat A,B C", 6, "`A,B` is no bare name"),
    ("B raises to 12", 10, "`to` is the verb itself, for the stake as it becomes: `B to 12`"),
    ("B bets to 2 white 1 red", 8, "`B to 2 white 1 red`"),
    ("B buys to 12", 8, "`to` does not fit here: an amount"),
    ("B X buys 3", 1, 'a name of several words stands in double quotes: "B X"'),
    ('"" buys 3', 1, "a name is empty"),
    ('"  " buys 3', 1, "a name is empty"),
    ("A shows Kh 1h", 12, "`1h` is no card"),
    ("A shows Xh", 9, "`Xh` is no card"),
    ("A shows 11h", 9, "`11h` is no card"),
    ("A shows ,", 9, "`,` is no card"),
    ("A shows", 8, "a card (Kh, 10d, Jk) is missing after `shows`"),
    ("A shows openers", 16, "a card (Kh, 10d, Jk) is missing"),
    ("A cuts KhQh", 8, "`KhQh` is more than one card"),
    ("A draws two", 9, "`two` does not fit here: a number is wanted"),
    ("A declares luck", 12, "`luck` is no hand; write one of high_card, pair"),
    ("note", 5, "text in double quotes"),
    ("note hello", 6, "text in double quotes"),
    ('note "hello', 6, "this quote is not closed"),
    ("note “hello", 6, "this quote is not closed"),
    ('A calls; note "hello # ; B calls', 15, "this quote is not closed"),
    ('session "x"', 12, "`on` is missing"),
    ('session "x" on 2026-02-30', 16, "`2026-02-30` is no date"),
    ('session "x" on 0001-01-01 at 00:00 in Asia/Tokyo', 16, "no evening is in the year 1; 1500 to 2999"),
    ("at 9999-12-31 23:59", 4, "no evening is in the year 9999"),
    ('session "x" on friday', 16, "a date (2026-11-27) is wanted"),
    ('session "x" on 2026-01-01 at 25:00', 30, "`25:00` is no time"),
    ('session "x" on 2026-01-01 at 8pm', 30, "a time (23:30) is wanted"),
    ('session "x" on 2026-01-01 in 12', 30, "a time zone (Europe/London) is wanted"),
    ("hand dealer", 12, "a name is missing after `dealer`"),
    ("kitty", 6, "an amount"),
    ("kitty 1 per", 12, "`hand` is missing after `per`"),
    ("kitty 1 when pool > 3", 19, "`>=` is wanted"),
    ("kitty 2.5% up to 3", 7, "whole per cent"),
    ("kitty 200%", 7, "at most 100%"),
    ("kitty 1 when shown nice", 20, "`nice` is no hand"),
    ("unit 3", 1, "a unit costs money"),
    ("counters red 3 Red 4", 16, "`Red` is given twice"),
    ("counters red 0", 10, "`red` is worth nothing"),
    ("counters", 9, "a colour (red 3) is missing"),
    ("difference borne by A", 21, "`banker`, `kitty`, `losers` or `winners` is wanted"),
    ("A sits on B", 8, "`in`, `left`, `out` or the end of the statement is wanted"),
    ("!", 1, "an action is missing after `!`"),
    ("  ! C rises 3", 7, "did you mean `raises`?"),
    ("A buys " + "1 red " * 1000, 1, "a statement of 6006 characters; at most 4000 are read"),
]


def error(sheet: str | bytes) -> SheetError:
    result = parse(sheet, file="sheet")
    assert isinstance(result, SheetError)
    return result


@pytest.mark.parametrize(("source", "column", "words"), WRONG)
def test_what_is_wrong_and_where(source: str, column: int, words: str) -> None:
    found = error(f"close\n{source}\nC rises 3")
    assert (found.line, found.column) == (2, column)
    assert words in found.message
    assert "\n" not in str(found)
    assert str(found).startswith(f"sheet:2:{column}: ")


@pytest.mark.parametrize(
    ("sheet", "line", "column", "words"),
    [
        (b"", 1, 1, "an empty sheet"),
        (b"\n  # only a remark\n;;\n", 1, 1, "an empty sheet"),
        (b"\xef\xbb\xbf", 1, 1, "an empty sheet"),
        (b"deal\nA\xffB calls", 2, 2, "no UTF-8 text (byte 0xFF)"),
        (b"\xef\xbb\xbfdeal\r\n\xe9 calls", 2, 1, "no UTF-8 text (byte 0xE9)"),
        (b"deal\nA calls\0", 2, 8, "a binary file"),
        ("session".encode("utf-16"), 1, 4, "a binary file"),
        (b"deal\rA\x1b[31m calls", 2, 2, "control character U+001B"),
        ("A\u2028 calls", 1, 2, "control character U+2028"),
        ("A\ud800 calls", 1, 2, "control character U+D800"),
    ],
)
def test_what_is_no_sheet(sheet: str | bytes, line: int, column: int, words: str) -> None:
    found = error(sheet)
    assert (found.line, found.column) == (line, column)
    assert words in found.message


def test_the_place_is_pointed_at() -> None:
    assert error("deal\n\tA calls; C rises 3; D calls").pointed == (
        " A calls; C rises 3; D calls\n            ^"
    )


def test_of_a_long_line_only_what_is_near_is_shown() -> None:
    line, caret = error("A calls; " * 1000 + "C rises 3").pointed.split("\n")
    assert len(line) <= 100
    assert line[caret.index("^") :].startswith("rises")


@pytest.mark.parametrize(
    "junk",
    ["x", '"', '\\"', "“", "x ", 'x "', ";", "!", "#", "\n", "A ! ", "é", "e\u0301", "1 red ", "A calls\n; "],
)
def test_a_million_characters_of_junk_end_in_an_answer(junk: str) -> None:
    result = parse(junk * (1_000_000 // len(junk)), file="sheet")
    assert isinstance(result, list) or len(str(result)) < 300
