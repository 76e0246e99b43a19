"""The hand sheet read: from its text to statements, or to the one place where it cannot be read."""

from __future__ import annotations

from ledger.sheet.source import Piece, decoded, lines_of, pieces, pointed
from ledger.sheet.statements import SheetError, Statement


def parse(text: str | bytes, *, file: str) -> list[Statement] | SheetError:
    """The statements of a sheet in order, or the first error; never an exception for what was written.

    Bytes are UTF-8, with or without a byte order mark; lines end in LF, CRLF or CR. Columns count characters
    of the text in NFC. `file` is what errors call the sheet. Time and memory are linear in the text's length.
    """
    from ledger.sheet.grammar import Fault, read_statement

    whole = decoded(text)
    if not isinstance(whole, str):
        return SheetError(file, whole.line, whole.column, whole.message)
    lines = lines_of(whole)
    statements: list[Statement] = []
    for piece in pieces(lines):
        if not isinstance(piece, Piece):
            return _error(file, lines, piece.line, piece.column, piece.message)
        irregular = piece.text[0] == "!"
        source = piece.text[1:].lstrip() if irregular else piece.text
        if not source:
            return _error(file, lines, piece.line, piece.column, "an action is missing after `!`")
        body = read_statement(source)
        if isinstance(body, Fault):
            column = piece.column + len(piece.text) - len(source) + body.offset
            return _error(file, lines, piece.line, column, body.message)
        statements.append(Statement(piece.line, piece.column, piece.text, irregular, body))
    if not statements:
        return SheetError(file, 1, 1, 'an empty sheet; it begins with session "TITLE" on 2026-11-27')
    return statements


def _error(file: str, lines: list[str], line: int, column: int, message: str) -> SheetError:
    return SheetError(file, line, column, message, pointed(lines[line - 1], column))
