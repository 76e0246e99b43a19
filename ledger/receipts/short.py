"""A receipt's short form, for a chat or a slip of paper: `61 K7QF-2M9D-8XNA-4RTE-C`.

The position, then the first 80 of the hash's 256 bits in Crockford's base32 (no I, L, O, U), then a check
letter that finds every single wrong letter and every two neighbours exchanged.
"""

import re

BITS = 80
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("OIL", "011")
_FORM = re.compile(r"(?:MISTIGRIS)?\s*(\d{1,12})\s*[:.]?\s+([0-9A-Z][0-9A-Z\s-]*)", re.IGNORECASE)


def short_form(position: int, hash_: bytes) -> str:
    """The short form of a position and its hash (32 bytes)."""
    number = int.from_bytes(hash_[: BITS // 8], "big")
    letters = "".join(_LETTERS[number >> shift & 31] for shift in range(BITS - 5, -1, -5))
    groups = [letters[i : i + 4] for i in range(0, len(letters), 4)]
    return f"{position} {'-'.join(groups)}-{_check(position, letters)}"


def parse_short(text: str) -> tuple[int, bytes] | str | None:
    """Position and the first 10 bytes of the hash; what is wrong, as text; None where it is no short form."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    position = int(found[1])
    letters = re.sub(r"[\s-]", "", found[2].upper()).translate(_READ_AS)
    if len(letters) != BITS // 5 + 1:
        return f"a short receipt has {BITS // 5 + 1} letters after the position, this one {len(letters)}"
    strange = next((letter for letter in letters if letter not in _LETTERS), None)
    if strange is not None:
        return f"{strange} is no letter of a receipt"
    if _check(position, letters[:-1]) != letters[-1]:
        return "a letter or digit of this receipt is mistyped: the check letter does not fit"
    number = 0
    for letter in letters[:-1]:
        number = number << 5 | _LETTERS.index(letter)
    return position, number.to_bytes(BITS // 8, "big")


def _check(position: int, letters: str) -> str:
    """One letter more: the digits and letters as a polynomial over GF(32), at a generator of its 31 elements."""
    total = 0
    for letter in f"{position}{letters}":
        total = total << 1 ^ (0b100101 if total & 16 else 0)
        total ^= _LETTERS.index(letter)
    total = total << 1 ^ (0b100101 if total & 16 else 0)
    return _LETTERS[total]
