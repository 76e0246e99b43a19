"""The hand sheet: a plain-text record of an evening, read into statements.

`parse.parse` reads a sheet, `fingerprint.fingerprint` tells whether two statements say the same, and
`unparse.unparse` writes a statement out again.
"""
