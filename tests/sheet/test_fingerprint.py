"""Two ways of writing the same have one fingerprint; two things said have two."""

import unicodedata

import pytest

from ledger.sheet.fingerprint import fingerprint
from ledger.sheet.parse import parse


def prints(sheet: str) -> list[bytes]:
    statements = parse(sheet, file="sheet")
    assert isinstance(statements, list), str(statements)
    return [fingerprint(statement) for statement in statements]


@pytest.mark.parametrize(
    "same",
    [
        ("C bets 3", "C bet 3", "  c".upper() + " BETS  3 # all of it", '"C" bets 3'),
        ("C calls", "C call", "C sees", "C see", "C makes-good", "C make good"),
        ("C checks", "C stands", "C stand"),
        ("C passes", "C folds", "C resigns", "C abdicates"),
        ("C raises 3", "C betters 3", "C better 3"),
        ("C pat", "C stands pat"),
        ("C shows 10h Jk", "C shows Th jk", "C shows T♥Jk"),
        ("É calls", unicodedata.normalize("NFD", "É calls"), '" É " calls'),
        ("set joker higher", "SET Joker Higher", 'set joker "higher"'),
        ("counters red 3", "counters RED 3"),
        ("A buys 2 red", "A buys 2 Red"),
        ("kitty 1 when shown two_pairs", "kitty 1 when shown Two Pairs", "kitty 1 when shown two-pair"),
        ('A disputes "x" hand 2', 'A disputes hand 2 "x"'),
        ("! C calls", "!C calls"),
        ("at 9:05", "at 09:05"),
        ('note "x"', "note “x”"),
    ],
)
def test_equal(same: tuple[str, ...]) -> None:
    assert len({fingerprint for source in same for fingerprint in prints(source)}) == 1


def test_different() -> None:
    different = [
        *(
            "C calls",
            "c calls",
            "D calls",
            "! C calls",
            "C calls 3",
            "C to 3",
            "C bets 3",
            "C opens 3",
            "C raises 3",
        ),
        *(
            "C bets 4",
            "C bets 1 red",
            "C bets 3d",
            "C draws 0",
            "C draws 1",
            "C pat",
            "C gets Kh",
            "C holds Kh",
        ),
        *(
            "C shows Kh",
            "C shows Kd",
            "C shows Kh Kd",
            "C shows Kd Kh",
            "C shows openers Kh",
            "C discards Kh",
        ),
        *(
            "C exposed Kh",
            "C exposed Kh by dealer",
            "C foul",
            "C foul 4",
            "hand",
            "hand dealer C",
            "antes",
            "C antes",
        ),
        *('note "x"', 'note "X"', 'note "x "', 'ruling "x"', 'ruling "x" hand 2', 'ruling "x" 1 from A to B'),
        *("set limit 12", "set limit pot", "set ante 12", "at 9:05", "at 2026-11-28 9:05", "stops-at 9:05"),
    ]
    assert len(set(prints("\n".join(different)))) == len(different)


def test_blanks_comments_and_line_breaks_do_not_matter() -> None:
    loose = "# spaced\n\n  A   antes ;\r\n\r\ndeal   # five each\n B opens 2; \t C passes"
    assert prints(loose) == prints("A antes\ndeal\nB opens 2\nC passes")


def test_the_form_is_kept_for_good() -> None:
    """What was recorded years ago must still be known again."""
    told = prints('! C raises 13; session "x" on 2026-11-27 at 20:00; deal')
    assert [one.hex()[:16] for one in told] == ["cc33793d47a7ef63", "fc39d2b56cc4e717", "3203700d2749a6ca"]
