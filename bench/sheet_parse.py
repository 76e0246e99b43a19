"""Reading a hand sheet: statements a second, and whether the time stays linear in the length."""

from __future__ import annotations

import time

from ledger.sheet.parse import parse

SHORT, LONG = 10_000, 100_000


def run() -> list[tuple[str, str]]:
    """Statements that are all different, so that none is looked up; then those of an evening over and over."""
    _seconds("close\n")
    short, long = _seconds(_different(SHORT)), _seconds(_different(LONG))
    evening = _seconds(
        "A antes; deal\nB opens 6; C raises 12; A passes; B calls\nB draws 2; C pat\n" * (LONG // 8)
    )
    return [
        ("hand sheet, statements all different", f"{LONG / long:,.0f}/s (aim: 15,000)"),
        (
            f"hand sheet, {LONG:,} statements against {SHORT:,}",
            f"{long / short:.1f} times the time (aim: 10)",
        ),
        ("hand sheet, an evening's statements again and again", f"{LONG / evening:,.0f}/s"),
    ]


def _different(statements: int) -> str:
    forms = ("A raises {}", "B buys {} red 2 white", 'note "hand {}"', '"C{}" calls', "D to {}")
    return "\n".join(forms[number % len(forms)].format(number) for number in range(statements))


def _seconds(sheet: str) -> float:
    begun = time.perf_counter()
    statements = parse(sheet, file="sheet")
    spent = time.perf_counter() - begun
    assert isinstance(statements, list), str(statements)
    return spent
