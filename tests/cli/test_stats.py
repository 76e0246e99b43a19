"""`stats`, `kitty`, `limits` and `export --facts`: what is printed, and how what cannot be done is answered."""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analytics.schema import ALL_RATES, EVERY_TABLE
from cli.app import run
from ledger.store import open_store
from tests.support.recorded import record

SHEET = """session "Friday" on 2026-11-27 at 20:00 in Europe/London
rules foster
set ante 2
set limit 20
unit 0.05 GBP
kitty 1 per hand
seat A B C D
A buys 100; B buys 100; C buys 100; D buys 100
C loss-limit 10
hand dealer D
A antes
deal
B opens 4; C calls; D passes; A passes
B draws 1; C draws 3
B bets 20; C calls
B shows Ah Ad Ac 5s 5d
C mucks
hand
B antes
deal
C opens 4; D passes; A passes; B passes
close
"""


@pytest.fixture
def db(path: Path) -> str:
    with open_store(str(path)) as store:
        record(store, SHEET)
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(list(arguments)) == code
    done = capsys.readouterr()
    return done.out if code == 0 else done.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(told(capsys, *arguments, "--json"))


def test_the_contracts_keys(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "--db", db, "stats")
    row = next(p for p in found["players"] if p["name"] == "C")
    assert (row["hands"], row["net"], row["vpip"], row["vpip_n"], row["vpip_of"]) == (2, -23, 1.0, 2, 2)
    assert row["net_money"] == {"GBP": "-1.15"}
    assert row["vpip_low"] < row["vpip_high"] == 1.0
    for rate in ALL_RATES:
        assert {rate.key, *(f"{rate.key}_{end}" for end in ("n", "of", "low", "high"))} <= row.keys()
    assert row["improved"] is None
    assert found["table"]["hands"] == 2
    assert sum(p["net"] for p in found["players"]) == -found["table"]["kitty"]
    assert found["table"]["shown_hands"]["full_house"]["share_n"] == 1
    assert sum(c["dealt_share"] for c in found["table"]["shown_hands"].values()) == pytest.approx(1, abs=1e-4)


def test_a_table_for_people(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "--db", db, "stats")
    assert "before the draw" in text
    assert "2/2" in text
    assert "█" in text
    assert "the table: 2 hands" in text


def test_sorted_and_divided(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    by_net = as_json(capsys, "--db", db, "stats", "--sort", "net")["players"]
    assert [p["net"] for p in by_net] == sorted((p["net"] for p in by_net), reverse=True)
    by_name = as_json(capsys, "--db", db, "stats", "--sort", "name")["players"]
    assert [p["name"] for p in by_name] == ["A", "B", "C", "D"]
    parts = as_json(capsys, "--db", db, "stats", "--by", "position", "--player", "C")["players"]
    assert {(p["part"], p["hands"]) for p in parts} == {("no_2", 1), ("no_1", 1)}
    assert as_json(capsys, "--db", db, "stats", "--since", "2027-01-01")["players"] == []


def test_as_csv_and_parquet(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, columns = tmp_path / "a.csv", tmp_path / "a.parquet"
    told(capsys, "--db", db, "stats", "--csv", str(text), "--parquet", str(columns))
    with text.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {r["name"]: r["net"] for r in rows}["C"] == "-23"
    where = f"from '{columns}' where name = 'C'"
    read = duckdb.execute(f'select name, net, "cards_drawn_share.3.share" {where}').fetchall()
    assert read == [("C", -23, 1.0)]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["stats", "--by", "moon"], 2, "position, rules, month"),
        (["stats", "--sort", "moon"], 2, "no such figure"),
        (["stats", "--player", "Nobody"], 1, "nobody is called Nobody"),
        (["stats", "--since", "yesterday"], 2, "a date is written"),
        (["stats", "--session", "No such"], 1, "there is no session"),
        (["stats", "--csv", "/no/such/folder/a.csv"], 2, "a.csv"),
        (["stats", "--position", "age"], 2, "--position age: not in this ledger; it has ante, dealer"),
        (["stats", "--rules", "whist"], 2, "--rules whist: not in this ledger; it has foster"),
        (["export"], 2, "--facts FOLDER"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    db: str, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    said = told(capsys, "--db", db, *arguments, code=code)
    assert words in said
    assert len(said.strip().splitlines()) == 1


def test_kitty(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "--db", db, "kitty")
    assert found["balance"] == 2
    assert found["money"] == {"GBP": "0.10"}
    assert [(e["hand"], e["units"], e["kind"], e["who"]) for e in found["entries"]] == [
        (1, 1, "taken", "B"),
        (2, 1, "taken", "C"),
    ]
    assert found["by_player"] == {"B": 1, "C": 1}
    assert as_json(capsys, "--db", db, "kitty", "--player", "B")["by_player"] == {"B": 1}
    assert "the kitty holds 2 (0.10 GBP)" in told(capsys, "--db", db, "kitty")


def test_a_sessions_kitty_adds_up_where_it_bears_a_difference(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(str(path)) as store:
        record(store, SHEET.replace("close\n", "B counts 110; difference borne by kitty\nclose\n"))
    (row,) = as_json(capsys, "--db", str(path), "kitty")["sessions"]
    assert row["borne"] != 0
    given = row["paid"] + row["spent"] + row["shared"]
    assert row["forward"] + row["taken"] + row["borne"] - given == row["balance"]


def test_limits(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "--db", db, "limits")
    row = found["players"][0]
    assert (row["name"], row["limit"], row["net"], row["lowest"]) == ("C", 10, -23, -24)
    assert (row["reached_at_hand"], row["hands_after"], row["kept"], row["overrun"]) == (1, 1, False, 14)
    assert found["months"][0] | {"span": "2026-11", "overrun": 14} == found["months"][0]
    assert "net over the session" in told(capsys, "--db", db, "limits")


def test_limits_of_more_than_one_evening_say_which(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Friday" not in told(capsys, "--db", db, "limits")
    with open_store(db) as store:
        record(store, SHEET.replace("Friday", "Saturday").replace("27", "28").replace("limit 10", "limit 60"))
    rows = [line.split() for line in told(capsys, "--db", db, "limits", "--player", "C").splitlines()]
    assert [row[:3] for row in rows if row[:1] in (["Friday,"], ["Saturday,"])] == [
        ["Friday,", "C", "10"],
        ["Saturday,", "C", "60"],
    ]
    heads = next(row for row in rows if row[:1] == ["month"])
    assert len(set(heads)) == len(heads), "no two columns of the months are headed alike"


@pytest.fixture
def corrected(db: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The evening corrected since its close: in a hand, and beside hands."""
    told(
        capsys,
        "--db",
        db,
        "correct",
        "Friday",
        "C paid B twice",
        "--hand",
        "1",
        "--units",
        "5",
        "--from",
        "B",
        "--to",
        "C",
    )
    told(capsys, "--db", db, "correct", "Friday", "a drink", "--units", "3", "--from", "C", "--to", "A")
    return db


def test_stats_as_corrected_and_as_recorded_add_up_to_what_is_settled(
    corrected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, net, apart in (((), -18, -3), (("--as-recorded",), -23, 0)):
        found = as_json(capsys, "--db", corrected, "stats", *options)
        settled = as_json(capsys, "--db", corrected, "settle", *options)
        assert found["as"] == settled["as"] == ("recorded" if options else "corrected")
        rows = {row["name"]: row for row in found["players"]}
        assert (rows["C"]["net"], rows["C"]["corrected"]) == (net, apart)
        assert rows["C"]["net_money"] == {"GBP": f"{net * 5 / 100:.2f}"}
        assert {name: row["settled"] for name, row in rows.items()} == {
            row["name"]: row["net"] for row in settled["players"]
        }
        for row in rows.values():
            beside = row["kitty_received"] + row["unrecorded"] + row["corrected"]
            assert row["settled"] == row["net"] + beside


def test_what_is_left_out_is_told(corrected: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "--db", corrected, "stats")
    assert "corrected after the close, of no hand: A +3, C -3" in text
    assert "as it was played" not in text
    text = told(capsys, "--db", corrected, "stats", "--as-recorded")
    assert "as it was played: rulings, and corrections after the close, are left out" in text
    assert "of no hand" not in text


def test_exported_nets_can_be_told_both_ways(
    corrected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "facts"
    assert run(["--db", corrected, "export", "--facts", str(folder)]) == 0
    rows = duckdb.execute(
        f"select net, net - ruled - corrected from '{folder}/hand_players/*/*.parquet' where hand = 1 order by net"
    ).fetchall()
    assert rows == [(-19, -24), (-2, -2), (0, 0), (20, 25)]
    people = duckdb.execute(
        f"select settled, settled - put_right from '{folder}/session_players/*/*.parquet' order by settled"
    ).fetchall()
    assert people == [(-21, -23), (0, 0), (1, -2), (18, 23)]


def test_facts_as_parquet_by_month(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "facts"
    for _ in range(2):
        assert run(["--db", db, "export", "--facts", str(folder)]) == 0
    for table, columns in EVERY_TABLE.items():
        files = f"{folder}/{table}/*/*.parquet"
        if not list(folder.glob(f"{table}/*/*.parquet")):
            continue
        read = duckdb.execute(f"select * from read_parquet('{files}', hive_partitioning = true)")
        assert {c.name for c in columns} | {"month"} == {d[0] for d in read.description}
        assert set(duckdb.execute(f"select distinct month from '{files}'").fetchall()) == {("2026-11",)}
    count = duckdb.execute(f"select count(*), sum(net) from '{folder}/hand_players/*/*.parquet'").fetchone()
    assert count == (8, -2)
    assert (folder / "dictionary.md").is_file()
