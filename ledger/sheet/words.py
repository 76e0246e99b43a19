"""What may stand in a word of the hand sheet, and how a word is quoted in a message."""

from __future__ import annotations

import re
import unicodedata

MOST_DIGITS = 15
"""Of any number: every such number is exact in JSON (below 2**53), and no table holds so many counters."""

_BARE = re.compile(r"[\w.'’-]+")


def is_bare(word: str) -> bool:
    """Whether a word has only what a bare name may have: letters, digits, `_`, `-`, `.` and apostrophes."""
    if _BARE.fullmatch(word):
        return True
    # Some scripts write vowels as marks of their own, which Python's \w leaves out.
    return all(c.isalnum() or c in "_.'’-" or unicodedata.category(c)[0] == "M" for c in word)


def shortened(text: str) -> str:
    """A word as it is quoted in a message: never longer than a line holds."""
    return text if len(text) <= 40 else text[:37] + "..."
