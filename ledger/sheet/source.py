"""From the bytes of a hand sheet to its statements' source texts, each with its place.

Everything here walks the text once from left to right, so its time and memory grow with the length of the
sheet and with nothing else, whatever was typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_STATEMENT = 4_000
"""Characters: more than any remark needs, and so few that a line of junk cannot fill the memory."""

_LINE_END = re.compile(r"\r\n|\r|\n")
# Half a surrogate pair is what reading bytes leniently leaves of what is no UTF-8; the separators U+2028 and U+2029
# would break a name over two lines wherever it is told.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A statement runs up to a `;`, a `#` or the line's end, with quoted text in it taken whole. Telephones type
# curved quotes of their own accord, so these quote too. Possessive: there is never anything to go back for.
_UP_TO_END = re.compile(r'(?:[^";#“]++|"(?:[^"\\]++|\\.)*+"|“(?:[^”\\]++|\\.)*+”)*+')


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement's source without outer blanks, and where it begins (from 1)."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What cannot be read, at which line and column (from 1)."""

    line: int
    column: int
    message: str


def decoded(sheet: str | bytes) -> str | Fault:
    """The text of a sheet in NFC, without a byte order mark; a fault where it is no UTF-8 text."""
    if isinstance(sheet, bytes):
        sheet = sheet.removeprefix(b"\xef\xbb\xbf")
        nul = sheet.find(b"\0")
        if nul >= 0:
            before = sheet[:nul].decode("utf-8", "replace")
            return _fault_at(
                before, len(before), "a binary file (it holds a NUL byte); a hand sheet is UTF-8 text"
            )
        try:
            text = sheet.decode("utf-8")
        except UnicodeDecodeError as error:
            before, byte = sheet[: error.start].decode("utf-8"), sheet[error.start]
            return _fault_at(
                before, len(before), f"no UTF-8 text (byte 0x{byte:02X}); save the sheet as UTF-8"
            )
    else:
        text = sheet.removeprefix("\ufeff")
    text = unicodedata.normalize("NFC", text)
    odd = _CONTROL.search(text)
    if odd is None:
        return text
    return _fault_at(text, odd.start(), f"control character U+{ord(odd[0]):04X}; a hand sheet is plain text")


def lines_of(text: str) -> list[str]:
    """The lines of a text, however they end (LF, CRLF, CR)."""
    return _LINE_END.split(text)


def pieces(lines: list[str]) -> Iterator[Piece | Fault]:
    """The statements' sources in order, and a fault where a quote is not closed or a statement has no end."""
    for number, line in enumerate(lines, start=1):
        for start, end in _spans(line):
            if end < 0:
                yield Fault(number, start + 1, 'this quote is not closed; end it with " on the same line')
                continue
            text = line[start:end].strip()
            if not text:
                continue
            column = line.index(text[0], start) + 1
            if len(text) > LONGEST_STATEMENT:
                message = f"a statement of {len(text)} characters; at most {LONGEST_STATEMENT} are read"
                yield Fault(number, column, message)
            else:
                yield Piece(number, column, text)


def pointed(line: str, column: int) -> str:
    """The line, or 100 characters of it around the place, and under it a caret."""
    first = max(0, column - 60)
    shown = line[first : first + 100].replace("\t", " ")
    return f"{shown}\n{' ' * (column - 1 - first)}^"


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each statement of a line; an end of -1 where the quote at the begin is not closed."""
    if '"' not in line and "“" not in line:
        start = 0
        for part in line.partition("#")[0].split(";"):
            yield start, start + len(part)
            start += len(part) + 1
        return
    start = 0
    while True:
        match = _UP_TO_END.match(line, start)
        end = match.end() if match else start
        if end < len(line) and line[end] in '"“':
            yield end, -1
            return
        yield start, end
        if end == len(line) or line[end] == "#":
            return
        start = end + 1


def _fault_at(text: str, offset: int, message: str) -> Fault:
    lines = _LINE_END.split(text[:offset])
    return Fault(len(lines), len(lines[-1]) + 1, message)
