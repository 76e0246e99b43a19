"""Tables on terminals of every width: no word and no figure is broken or cut short; and files written whole."""

import resource
from pathlib import Path

import pytest
from rich.text import Text

from cli.output import show, table, write_whole

ROWS = [("A", "a name of some words", "-1,234,567", "one and another"), ("B", "Z", "12", "")]


def printed(columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(name, value)
    made = table("seat", "name", ">net", "remark")
    for row in ROWS:
        made.add_row(*row)
    show(made)
    return Text.from_ansi(capsys.readouterr().out).plain.splitlines()


@pytest.mark.parametrize("columns", range(10, 80, 3))
def test_every_word_is_printed_whole(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(columns, monkeypatch, capsys)
    words = " ".join(lines).split()
    for row in ROWS:
        for word in " ".join(row).split():
            assert word in words, (columns, lines)


def test_a_table_that_fits_stays_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line.split() for line in printed(80, monkeypatch, capsys)]
    assert ["A", *"a name of some words".split(), "-1,234,567", "one", "and", "another"] in lines
    assert ["B", "Z", "12"] in lines


def test_a_table_too_wide_for_its_words_is_told_row_by_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(20, monkeypatch, capsys) == [
        "seat A",
        "  name a name of some words",
        "  net -1,234,567",
        "  remark one and another",
        "seat B",
        "  name Z",
        "  net 12",
    ]


def test_a_file_for_which_there_is_no_room_stays_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "receipt.txt"
    write_whole(place, "the first")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_whole(place, "x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert place.read_text() == "the first"
    assert list(tmp_path.iterdir()) == [place]
