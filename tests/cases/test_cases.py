"""The evenings beside this file, each played through the command line in a store of its own.

`evenings/NAME.sheet` is what somebody wrote down, `NAME.toml` what must come of it, with the page of the source:
`refused` (nothing is recorded), `hand.N`, `settle`, `balances`, `kitty`, `limits`, `findings` (complete), and in `then`
further sheets for the same store. "none" stands for null.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

EVENINGS = Path(__file__).parent / "evenings"
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "run"
NAMES = sorted(path.stem for path in EVENINGS.glob("*.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_comes_out_as_written_beside_it(name: str, table: Any) -> None:
    wanted = tomllib.loads((EVENINGS / f"{name}.toml").read_text(encoding="utf-8"))
    sheet = EVENINGS / f"{name}.sheet"
    if "refused" in wanted:
        table.refused(sheet, **wanted["refused"])
        return
    table.recorded(sheet)
    table.look(wanted)
    for step in wanted.get("then", []):
        options = ("--amend", step["amend"]) if "amend" in step else ()
        if "refused" in step:
            table.refused(
                EVENINGS / step["sheet"], step["refused"]["line"], step["refused"]["rules"], *options
            )
        else:
            table.recorded(EVENINGS / step["sheet"], *options)
        table.look(step)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not beside this project")
@pytest.mark.parametrize(
    "names",
    [["out-of-turn", "undo"], pytest.param([], marks=pytest.mark.long)],
    ids=["some", "all"],
)
def test_the_shared_cases_pass_through_the_installed_command(names: list[str]) -> None:
    command = Path(sys.executable).with_name("mistigris")
    played = subprocess.run(
        [sys.executable, str(SHARED), "--command", str(command), "--jobs", str(os.cpu_count() or 2), *names],
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout
    count = len(names) or len(list(SHARED.parent.glob("*.expect.json")))
    assert f"{count} passed, 0 failed" in played.stdout
