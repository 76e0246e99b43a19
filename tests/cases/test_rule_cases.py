"""Every rule of the catalogue by small sheets under `rules/`: what it forbids beside what it allows, what it decides.

A `forbids` is a beginning (`before`), a line `refused` for the rule, and what is `allowed` in its place; or the refused
line itself where the house plays otherwise (`allowed_with`); `then` is what comes of it. A `decides` is a `play` with
what comes of it, and in `other` the same or another play `with` other switches and what comes of that. The amounts are
worked out by hand in the notes.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ledger import commands as cmd
from ledger.recorder import Recorder
from ledger.refusal import Refusal
from ledger.rules.catalogue import rules_by_id
from ledger.store import open_store

ROOM = Path(__file__).parent / "rules"
HOUSES = {
    "": "",
    "english": "rules english; set ante 3; set limit 12",
    "chambers": "rules chambers; set ante 1; set limit 20",
    "foster": "rules foster; set ante 1; set limit 50",
    "modern": "rules modern; set small 1; set big 2; set limit none",
}
CONTROLS = {"rule", "note", "source", "house", "stakes", "seats", "buys", "with", "before", "play", "other"}


@dataclass(frozen=True)
class Case:
    """One case as it stands in a file; `kind` is the table it stands in."""

    name: str
    kind: str
    rule: str
    facts: dict[str, Any]


def _cases() -> Iterator[Case]:
    for path in sorted(ROOM.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for kind in ("forbids", "decides"):
            for number, facts in enumerate(content.get(kind, []), 1):
                name = f"{facts['rule']}-{path.stem}-{kind}-{number}"
                yield Case(name, kind, facts["rule"], content.get("common", {}) | facts)


def _reasons(name: str) -> dict[str, str]:
    return tomllib.loads((ROOM / name).read_text(encoding="utf-8"))


CASES = list(_cases())
INFORMS = _reasons("informs.toml")
NO_REFUSAL = _reasons("without_refusal.toml")
NO_OTHER = _reasons("without_other.toml")
FORBIDS = [case for case in CASES if case.kind == "forbids"]
DECIDES = [case for case in CASES if case.kind == "decides"]


def sheet(case: Case, play: str, more: list[str] | None = None) -> str:
    """The whole sheet: the house, its stakes and switches, who sits and buys, the beginning, the play."""
    facts = case.facts
    seats = facts.get("seats", "A B C D").split()
    buys = facts.get("buys", 100)
    each = buys if isinstance(buys, dict) else dict.fromkeys(seats, buys)
    lines = [
        f'session "{case.rule}" on 1897-01-01',
        HOUSES[facts["house"]],
        facts.get("stakes", ""),
        *facts.get("with", []),
        *(more or []),
        f"seat {' '.join(seats)}",
        "; ".join(f"{player} buys {units}" for player, units in each.items()),
        facts.get("before", "").strip(),
        play.strip(),
    ]
    return "\n".join(lines) + "\n"


def wanted_of(facts: dict[str, Any]) -> dict[str, Any]:
    """What is to come of a play; without a word on it the audit finds nothing."""
    return {"findings": []} | {key: value for key, value in facts.items() if key not in CONTROLS}


class Played:
    """Writes a sheet and records it."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._sheet: Path = table.folder / "case.sheet"

    def comes_to(self, text: str, wanted: dict[str, Any]) -> None:
        self._sheet.write_text(text, encoding="utf-8")
        recorded = self._table.recorded(self._sheet)
        for rule in wanted.get("warned", []):
            assert any(rule in warning for warning in recorded["warnings"])
        self._table.look(wanted)

    def is_refused(self, text: str, rule: str, at: str | None = None) -> str:
        self._sheet.write_text(text, encoding="utf-8")
        lines = text.splitlines()
        line = len(lines) if at is None else lines.index(at) + 1
        said: str = self._table.refused(self._sheet, line, [rule])
        assert f":{line}: {rule}: " in said
        return said


@pytest.fixture(scope="module")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Making a store takes longer than playing a sheet: one is made, and each case gets a copy."""
    path = tmp_path_factory.mktemp("store") / "ledger.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def played(table: Any, empty_store: Path) -> Played:
    shutil.copy(empty_store, table.folder)
    return Played(table)


@pytest.mark.parametrize("case", FORBIDS, ids=lambda case: case.name)
def test_it_is_refused(case: Case, played: Played) -> None:
    said = played.is_refused(sheet(case, case.facts["refused"]), case.rule)
    sentence = said.split(f"{case.rule}: ")[1]
    assert re.search(r"; \S|: \S|, not \d", sentence), "what would have been right is told"


@pytest.mark.parametrize(
    "case", [case for case in FORBIDS if "allowed" in case.facts], ids=lambda case: case.name
)
def test_beside_it_is_allowed(case: Case, played: Played) -> None:
    played.comes_to(sheet(case, case.facts["allowed"]), wanted_of(case.facts.get("then", {})))


@pytest.mark.parametrize(
    "case", [case for case in FORBIDS if "allowed_with" in case.facts], ids=lambda case: case.name
)
def test_another_house_allows_it(case: Case, played: Played) -> None:
    text = sheet(case, case.facts["refused"], case.facts["allowed_with"])
    played.comes_to(text, wanted_of({} if "allowed" in case.facts else case.facts.get("then", {})))


@pytest.mark.parametrize("case", DECIDES, ids=lambda case: case.name)
def test_it_decides(case: Case, played: Played) -> None:
    played.comes_to(sheet(case, case.facts["play"]), wanted_of(case.facts))


@pytest.mark.parametrize(
    ("case", "other"),
    [(case, other) for case in DECIDES for other in case.facts.get("other", [])],
    ids=lambda value: value.name if isinstance(value, Case) else ",".join(value.get("with", [])),
)
def test_another_house_decides_otherwise(case: Case, other: dict[str, Any], played: Played) -> None:
    text = sheet(case, other.get("play", case.facts["play"]), other.get("with"))
    if "refused" in other:
        played.is_refused(text, other["refused"], other.get("refused_at"))
    else:
        inherited = {key: case.facts[key] for key in ("findings",) if key in case.facts}
        played.comes_to(text, wanted_of(inherited | other))


def test_a_player_who_reached_his_limit_is_not_dealt_in_live(table: Any) -> None:
    """R-LOSS-LIMIT forbids at the table only; a sheet written afterwards is recorded."""
    play = "A loss-limit 3\nhand dealer D; A antes; deal; B opens 6; C passes; D passes; A passes"
    outcomes = {}
    for policy in ("refuse", "warn"):
        title = Case("", "", policy, {"house": "english", "with": [f"set loss_limits {policy}"]})
        (table.folder / "case.sheet").write_text(sheet(title, play), encoding="utf-8")
        session = table.recorded(table.folder / "case.sheet")["session"]
        with open_store(f"sqlite:///{table.folder}/ledger.db") as store:
            outcomes[policy] = Recorder(store, session).apply(cmd.BeginHand(live=True))
    refused = outcomes["refuse"]
    assert isinstance(refused, Refusal)
    assert refused.rule == "R-LOSS-LIMIT"
    assert refused.allowed.endswith(" sits out")
    assert not isinstance(outcomes["warn"], Refusal)


@pytest.mark.parametrize("rule", rules_by_id())
def test_every_rule_has_its_cases(rule: str) -> None:
    entry = rules_by_id()[rule]
    forbids = [case for case in FORBIDS if case.rule == rule]
    decides = [case for case in DECIDES if case.rule == rule]
    assert (entry.kind == "informs") == (rule in INFORMS)
    if entry.kind == "forbids" and rule not in NO_REFUSAL:
        assert any({"allowed", "allowed_with"} & case.facts.keys() for case in forbids)
    elif entry.kind != "informs":
        assert decides
        assert any(case.facts.get("other") for case in decides) or not entry.switches or rule in NO_OTHER


def test_no_case_names_a_rule_that_is_not_there() -> None:
    assert {
        case.rule for case in CASES
    } | INFORMS.keys() | NO_REFUSAL.keys() | NO_OTHER.keys() <= rules_by_id().keys()
