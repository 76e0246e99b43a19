"""Playing a sheet through the command line, in this process, in a store of its own, and looking at what came of it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

Wanted = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What one command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code in (0, 1), self.err
        return json.loads(self.out)


Ask = Callable[..., Answer]


@dataclass(frozen=True)
class Table:
    """A store, and the questions the cases put to it."""

    ask: Ask
    folder: Path

    def sessions(self) -> list[Any]:
        """What is recorded; nothing where no store was made yet."""
        answer = self.ask("sessions", "--json")
        return answer.json["sessions"] if answer.code == 0 else []

    def record(self, sheet: Path, *options: str) -> Answer:
        return self.ask("record", str(sheet), *options, "--json")

    def recorded(self, sheet: Path, *options: str) -> Any:
        """Records a sheet that is to be taken, and once more, which must add nothing."""
        answer = self.record(sheet, *options)
        assert answer.code == 0, answer.err
        first = answer.json
        assert first["added"] > 0
        again = self.record(sheet).json
        assert (again["added"], again["head"]) == (0, first["head"])
        return first

    def refused(self, sheet: Path, line: int, rules: list[str], *options: str) -> str:
        """Records a sheet that is to be refused: at this line, by one of these rules (none: by no rule)."""
        before = self.sessions()
        answer = self.record(sheet, *options)
        assert (answer.code, answer.out) == (1, ""), answer
        assert answer.err.count("\n") == 1, answer.err
        assert answer.err.startswith(f"{sheet.name}:{line}: "), answer.err
        named = re.findall(r"\bR-[A-Z]+(?:-[A-Z]+)*\b", answer.err)
        assert set(rules) & set(named) or not (rules or named), answer.err
        assert self.sessions() == before
        return answer.err

    def look(self, wanted: Wanted) -> None:
        """Holds the record to what is wanted of it. Counters are conserved whatever is asked."""
        for number, hand in wanted.get("hand", {}).items():
            told = self.ask("hand", "last", number, "--json").json
            agree(hand, told | {"marked": sorted({m["rule"] for m in told["irregular"]})}, f"hand {number}")
        if "table" in wanted:
            agree(wanted["table"], self.ask("table", "last", "--json").json, "table")
        if "settle" in wanted:
            self._settle(wanted["settle"])
        if "kitty" in wanted:
            self._kitty(wanted["kitty"])
        if "limits" in wanted:
            rows = self.ask("limits", "--session", "last", "--json").json["players"]
            agree(wanted["limits"], {row["name"]: row for row in rows}, "limits")
        if "findings" in wanted:
            audit = self.ask("audit", "last", "--json").json
            assert audit["chain"] == "ok"
            found = [{"hand": f["hand"], "rule": f["rule"]} for f in audit["findings"]]
            assert sorted(found, key=str) == sorted(wanted["findings"], key=str), audit
        self._balances(wanted.get("balances", {}))

    def _settle(self, wanted: Wanted) -> None:
        settled = self.ask("settle", "last", "--json").json
        for key in wanted.keys() - {"payments"}:
            agree(wanted[key], {row["name"]: row[key] for row in settled["players"]}, key)
        if "payments" in wanted:
            assert len(settled["payments"]) == wanted["payments"], settled["payments"]
        owed = {row["name"]: row["net"] for row in settled["players"]}
        stand_for = [
            (settled["treasurer"], settled["kitty"] + settled["kitty_spent"] - settled["brought_forward"])
        ]
        stand_for += [(b["by"], b["units"]) for b in settled["borne"] if b["by"] != "the kitty"]
        moved = [(p["from"], p["units"]) for p in settled["payments"]]
        moved += [(p["to"], -p["units"]) for p in settled["payments"]]
        for who, units in [*stand_for, *moved]:
            owed[who] = owed.get(who, 0) + units
        assert not any(owed.values()), settled
        assert all(payment["units"] > 0 for payment in settled["payments"])

    def _kitty(self, wanted: Wanted) -> None:
        kitty = self.ask("kitty", "--session", "last", "--json").json
        sums: Wanted = dict.fromkeys(("taken", "paid", "spent", "shared"), 0)
        for entry in kitty["entries"]:
            sums[entry["kind"]] += entry["units"]
        agree(wanted, {"balance": kitty["balance"], **sums}, "kitty")

    def _balances(self, wanted: Wanted) -> None:
        books = self.ask("balances", "last", "--json").json
        agree(wanted | {"balanced": True}, books, "balances")
        at_the_table = sum(books["held"].values()) + books["pool"] + books["kitty"]
        gone = sum(books["bought_back"].values()) + books["kitty_spent"]
        assert books["sold"] + books["brought_forward"] + books["difference"] == at_the_table + gone


def agree(wanted: Any, got: Any, where: str) -> None:
    """Everything wanted is there with the same value and type; more keys may stand beside. "none" is null."""
    if isinstance(wanted, dict):
        assert isinstance(got, dict), f"{where}: {got!r}"
        for key, value in wanted.items():
            assert key in got, f"{where}.{key} is missing"
            agree(value, got[key], f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(got, list), f"{where}: {got!r}"
        assert len(got) == len(wanted), f"{where}: {got!r}, not {wanted!r}"
        for place, (one, other) in enumerate(zip(wanted, got, strict=True)):
            agree(one, other, f"{where}[{place}]")
    else:
        value = None if wanted == "none" else wanted
        assert (type(got), got) == (type(value), value), f"{where}: {got!r}, not {value!r}"


@pytest.fixture
def table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Table:
    def ask(*arguments: str) -> Answer:
        code = run(["--db", f"sqlite:///{tmp_path}/ledger.db", *arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return Table(ask, tmp_path)
