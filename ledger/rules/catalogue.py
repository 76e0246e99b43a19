"""The catalogue of rule ids: what each rule says, where it comes from and which switches turn on it.

The entries stand in `catalogue.toml`, because they are prose that a card player should be able to read and
correct beside the sources, and because only `mistigris rule` ever needs them: nothing that plays pays for it.
"""

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["forbids", "decides", "informs"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source: its number as in the catalogue's list, and the page or pages where it has any."""

    source: str
    pages: str | None

    def __str__(self) -> str:
        return f"{self.source}, p. {self.pages}" if self.pages else self.source


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule. `ours` tells what the sources leave open and how it is read; None: nothing is."""

    id: str
    kind: Kind
    text: str
    ours: str | None
    sources: tuple[Citation, ...]
    switches: tuple[str, ...]
    sets: tuple[str, ...]


def rule(rule_id: str) -> RuleEntry | None:
    """The rule of that id, in capitals or not, with or without `R-`; None where there is none."""
    return rules_by_id().get(_full_id(rule_id))


def nearest(rule_id: str) -> list[str]:
    """Up to three ids that look like the one asked for, the likest first."""
    return difflib.get_close_matches(_full_id(rule_id), rules_by_id(), n=3, cutoff=0.5)


@cache
def rules_by_id() -> dict[str, RuleEntry]:
    """Every rule by its id, in the order of the game."""
    return {entry["id"]: _entry(entry) for entry in _content()["rule"]}


@cache
def sources() -> dict[str, str]:
    """The sources by their numbers, described as far as they name themselves."""
    return dict(_content()["sources"])


def _full_id(rule_id: str) -> str:
    plain = rule_id.strip().upper().replace("_", "-").replace(" ", "-")
    return plain if plain.startswith("R-") else f"R-{plain}"


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(files("ledger.rules").joinpath("catalogue.toml").read_text(encoding="utf-8"))


def _entry(entry: dict[str, Any]) -> RuleEntry:
    return RuleEntry(
        id=entry["id"],
        kind=entry["kind"],
        text=entry["text"],
        ours=entry.get("ours"),
        sources=tuple(_citation(text) for text in entry["sources"]),
        switches=tuple(entry["switches"]),
        sets=tuple(entry["sets"]),
    )


def _citation(text: str) -> Citation:
    source, _, pages = text.partition(" p. ")
    return Citation(source, pages or None)
