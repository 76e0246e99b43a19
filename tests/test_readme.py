"""The README's evening: its sheet is recorded, its commands are run, and what it says they print they print.

`MISTIGRIS_WRITE_README=1 pytest tests/test_readme.py` writes the real output into it.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

README = pathlib.Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```(sheet|console)\n(.*?)```", re.DOTALL)
SALTED = re.compile(r"head [0-9a-f]{16}")


def output(command: str, folder: pathlib.Path) -> str:
    """What a command prints, both streams, blanks at line ends off."""
    scripts = pathlib.Path(sys.executable).parent
    env = os.environ | {
        "MISTIGRIS_DB": str(folder / "ledger.db"),
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=env,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")


def played(text: str, folder: pathlib.Path) -> str:
    """The README as it should be: every console block with the real output of its commands."""

    def block(found: re.Match[str]) -> str:
        if found[1] == "sheet":
            (folder / "evening.sheet").write_text(found[2], "utf-8")
            return found[0]
        commands = [line for line in found[2].splitlines() if line.startswith("$ ")]
        parts = [part for c in commands for part in (c, output(c[2:], folder)) if part]
        return "```console\n" + "\n".join(parts) + "\n```"

    return SALTED.sub("head 0123456789abcdef", BLOCK.sub(block, text))


@pytest.mark.skipif(os.name == "nt", reason="the README's commands are a POSIX shell's")
def test_the_readme_tells_what_is_printed(tmp_path: pathlib.Path) -> None:
    text = README.read_text("utf-8")
    real = played(text, tmp_path)
    if os.environ.get("MISTIGRIS_WRITE_README"):
        README.write_text(real, "utf-8")
    assert SALTED.sub("head 0123456789abcdef", text) == real


def test_the_readme_gives_the_two_commands() -> None:
    text = README.read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text
