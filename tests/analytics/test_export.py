"""Figures as files for a spreadsheet."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from analytics.export import write_rows


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=SUM(A1)", "'=SUM(A1)"),
        ("+1", "'+1"),
        ("@home", "'@home"),
        ("-1+2", "'-1+2"),
        ("-3s 9d", "'-3s 9d"),
        ("-12.50", "-12.50"),
        ("O'Neil", "O'Neil"),
        (-23, "-23"),
    ],
)
def test_a_spreadsheet_works_out_no_text(tmp_path: Path, text: str | int, written: str) -> None:
    path = tmp_path / "a.csv"
    write_rows([{"name": text, "money": {"GBP": "1.00"}}], path, "csv")
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [{"name": written, "money.GBP": "1.00"}]
