"""What a statement says, as a hash: equal for two ways of writing the same, different otherwise.

A sheet recorded again is compared with what was recorded by these hashes, so their form is kept for good: a
field added to a statement later must have a default, and stands in the hash only where it differs from it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import fields
from functools import lru_cache
from typing import Any

from ledger.sheet import statements as st


def fingerprint(statement: st.Statement) -> bytes:
    """SHA-256 (32 bytes) of the statement as parsed.

    Comments, blanks, letter case of keywords, old words, card spellings and Unicode forms make no difference;
    amounts as written do (`3` and `1 red`).
    """
    return _hashed(statement.body, statement.irregular)


@lru_cache(maxsize=4096)
def _hashed(body: st.Body, irregular: bool) -> bytes:
    said = [_plain(body), irregular]
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).digest()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, st.Switch):
        # The words of the rules are keywords too, so their letter case does not count.
        words = [word.casefold() if isinstance(word, str) else _plain(word) for word in value.values]
        return ["Switch", {"name": value.name, "values": words}]
    if isinstance(value, dt.time | dt.date):
        return value.isoformat()
    if isinstance(value, bool | int | str) or value is None:
        return value
    held = {field.name: getattr(value, field.name) for field in fields(value)}
    defaults = {field.name: field.default for field in fields(value)}
    kept = {name: _plain(one) for name, one in sorted(held.items()) if one != defaults[name]}
    return [type(value).__name__, kept]
