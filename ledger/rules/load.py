"""Rule sets from files: the four that are shipped, and a house's own.

A shipped set writes every switch out. A house's own file names one to start from and what it changes:

    based_on = "english"
    ante = 3
    limit = 12
    straddle = "double"

    [kitty]
    kind = "per_hand"
    units = 1
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ledger.rules.agreement import check, missing
from ledger.rules.model import SWITCHES, Kitty, Limit, Rules
from ledger.rules.switches import SwitchRefused, read_switch, switch_name

SHIPPED = ("english", "chambers", "foster", "modern")
_TABLES: dict[str, TypeAdapter[Any]] = {"kitty": TypeAdapter(Kitty), "limit": TypeAdapter(Limit | None)}


class RulesError(Exception):
    """Rules that cannot be read: one line that says which file, what, and what would have been right."""


class UnknownRulesError(RulesError):
    """A name that is neither a shipped set nor a file."""


def names() -> list[str]:
    """The rule sets that are shipped."""
    return list(SHIPPED)


def load(name_or_path: str | Path) -> Rules:
    """The rules of a shipped set, by its name, or of a house's own TOML file. Raises RulesError."""
    name = str(name_or_path)
    if name.lower() in SHIPPED:
        return _shipped(name.lower())
    path = Path(name_or_path)
    if path.suffix != ".toml" and not os.path.exists(name):  # Path.exists raises on a name no file can have
        near = difflib.get_close_matches(name.lower(), SHIPPED, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UnknownRulesError(
            f"{name}: no rule set and no file of that name; {hint}the sets are {', '.join(SHIPPED)},"
            " or give the path of a .toml file"
        )
    return _own(path)


@cache
def _shipped(name: str) -> Rules:
    content = tomllib.loads(
        files("ledger.rules").joinpath("sets", f"{name}.toml").read_text(encoding="utf-8")
    )
    values = {key: _value(f"{name}.toml", key, content[key], name) for key in SWITCHES}
    return Rules(name=name, **values)


def _own(path: Path) -> Rules:
    content = _parsed(path)
    base = content.pop("based_on", None)
    if base not in SHIPPED:
        said = "based_on is missing" if base is None else f"based_on cannot be {base!r}"
        raise RulesError(f'{path}: {said}; write based_on = "english", or one of {", ".join(SHIPPED)}')
    name = content.pop("name", "own")
    if not isinstance(name, str) or not name.strip() or name in SHIPPED:
        raise RulesError(
            f"{path}: name cannot be {name!r}; give the house's rules a name of their own, or none"
        )
    values = {}
    for key, said in content.items():
        switch = switch_name(key)
        if isinstance(switch, SwitchRefused):
            raise RulesError(f"{path}: {switch.message}")
        values[switch] = _value(str(path), switch, said, base)
    rules = _shipped(base).model_copy(update={"name": name, **values})
    amounts_to_come = "R-STAKES-FIXED"
    for refused in (*check(rules), *missing(rules)):
        if refused.rule != amounts_to_come:
            raise RulesError(f"{path}: {refused.rule}: {refused.message}")
    return rules


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise RulesError(f"{path}: not a text file; rules are TOML in UTF-8") from None
    except tomllib.TOMLDecodeError as fault:
        raise RulesError(f'{path}: not TOML: {fault}; write a switch as straddle = "double"') from None
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise RulesError(f"{path}: {why.lower()}; give the path of a .toml file") from None


def _value(where: str, switch: str, said: object, set_name: str) -> Any:
    if isinstance(said, Mapping) and switch in _TABLES:
        return _from_table(where, switch, said)
    if isinstance(said, bool):
        words: list[str | int] = ["on" if said else "off"]
    elif isinstance(said, int | str):
        words = [said] if isinstance(said, int) else list(said.split())
    elif isinstance(said, list) and all(isinstance(each, str | int) for each in said):
        words = [str(each) for each in said]
    else:
        words = [str(said)]
    value = read_switch(switch, words, set_name=set_name)
    if isinstance(value, SwitchRefused):
        raise RulesError(f"{where}: {value.message}")
    return value


def _from_table(where: str, switch: str, table: Mapping[str, object]) -> Any:
    try:
        return _TABLES[switch].validate_python(dict(table))
    except ValidationError as fault:
        first = fault.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        what = f"[{switch}] {field}".strip()
        raise RulesError(f"{where}: {what}: {first['msg'].removeprefix('Value error, ').lower()}") from None
