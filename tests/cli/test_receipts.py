"""What holds a ledger from outside, as a host meets it: receipt, verify, copy, names, correct, doctor."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.app import run
from tests.support.recorded import FRIDAY

EVENING = FRIDAY.replace("deal\n", "deal\nA holds Ah Ad 7c 8c 9d\n")
Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command on the test's store: exit code, what it printed, its errors."""

    def asked(*arguments: str, db: Path = path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["--db", str(db), *arguments])
        out, err = capsys.readouterr()
        assert err.count("\n") <= 1, err
        return code, out, err

    return asked


@pytest.fixture
def friday(tmp_path: Path, ask: Ask) -> Path:
    """An evening recorded and closed."""
    sheet = tmp_path / "friday.sheet"
    sheet.write_text(EVENING + "close\n")
    code, out, err = ask("record", str(sheet))
    assert (code, err) == (0, "")
    assert "a checkpoint is signed" in out
    return sheet


def as_json(answer: tuple[int, str, str]) -> Any:
    return json.loads(answer[1])


def test_a_close_is_signed_and_what_comes_later_is_not_anchored(friday: Path, ask: Ask) -> None:
    before = as_json(ask("verify", "--json"))
    events = before["events"]
    assert (before["chain"], before["anchored"], before["unanchored"]) == ("ok", [[1, events]], [])
    ask("rename", "C", "D")
    code, out, _ = ask("verify")
    assert code == 0
    assert f"anchored by a signed checkpoint: events 1 to {events}" in out
    assert f"not anchored: events {events + 1} to {events + 1}" in out


def test_a_receipt_in_every_form_holds_the_ledger(
    friday: Path, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "receipt.txt"
    told = as_json(ask("receipt", "last", "--hand", "1", "--out", str(file), "--json"))
    assert file.read_text() == told["note"]
    for form in (str(file), told["short"], told["short"].lower()):
        code, out, err = ask("verify", "--receipt", form)
        assert (code, err) == (0, "")
        assert f"the receipt matches: events 1 to {told['position']}" in out
        assert "“Friday” up to event" in out
        assert "to the end of hand 1" in out
        assert f"not covered: events {told['position'] + 1} to " in out
        assert "not proved: that what was typed was what happened" in out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(told["note"].encode())))
    held = as_json(ask("verify", "--receipt", "-", "--json"))
    assert (held["receipt"], held["signed"]) == ("matches", "by a known key")
    assert held["covered"]["events"] == [1, told["position"]]


def test_a_receipt_is_not_matched_by_a_missing_an_empty_or_another_ledger(
    friday: Path, ask: Ask, tmp_path: Path
) -> None:
    note = tmp_path / "receipt.txt"
    ask("receipt", "--out", str(note))
    code, _, err = ask("verify", "--receipt", str(note), db=tmp_path / "missing.db")
    assert code == 1
    assert "no such store" in err
    other = tmp_path / "other.db"
    assert ask("record", str(friday), db=other)[0] == 0
    code, out, _ = ask("verify", "--receipt", str(note), db=other)
    assert code == 1
    assert "the receipt does not match: the receipt is of another ledger" in out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nowhere.txt", "no such file"),
        ("61 AAAA-AAAA-AAAA-AAAA-A", "mistyped"),
        ("61 AAAA", "a short receipt has 17 letters"),
    ],
)
def test_a_receipt_that_cannot_be_read_is_wrong_usage(friday: Path, ask: Ask, given: str, said: str) -> None:
    code, out, err = ask("verify", "--receipt", given)
    assert (code, out) == (2, "")
    assert said in err


def test_a_failing_key_fails_no_record(tmp_path: Path, ask: Ask, own_key: Path) -> None:
    own_key.parent.mkdir()
    own_key.write_text("nothing\n")
    sheet = tmp_path / "friday.sheet"
    sheet.write_text(EVENING + "close\n")
    code, out, err = ask("record", str(sheet))
    assert code == 0
    assert "added" in out
    assert "no checkpoint is signed" in err
    assert "is no key" in err
    assert ask("audit")[0] == 0
    assert ask("verify")[0] == 0
    code, out, err = ask("receipt")
    assert (code, "the receipt is not signed" in err) == (0, True)
    code, out, _ = ask("doctor")
    assert code == 1
    assert "WRONG key" in out


def test_a_close_left_without_a_checkpoint_gets_one_when_it_is_recorded_again(
    tmp_path: Path, ask: Ask, own_key: Path
) -> None:
    """Its recorder was killed, or never heard that it is on disk, before he came to sign."""
    own_key.parent.mkdir()
    own_key.write_text("nothing\n")
    sheet = tmp_path / "friday.sheet"
    sheet.write_text(EVENING + "close\n")
    assert "a checkpoint is signed" not in ask("record", str(sheet))[1]
    own_key.unlink()
    assert "a checkpoint is signed" not in ask("record", "--dry-run", str(sheet))[1]
    again, third = ask("record", str(sheet))[1], ask("record", str(sheet))[1]
    assert ("0 added" in again, "a checkpoint is signed" in again) == (True, True)
    assert "a checkpoint is signed" not in third
    assert "not anchored" not in ask("verify")[1]


def test_a_receipt_replaces_a_receipt_and_nothing_else(
    friday: Path, ask: Ask, path: Path, own_key: Path, tmp_path: Path
) -> None:
    slip = tmp_path / "slip.txt"
    for hand in ("--hand=1", "last"):
        assert ask("receipt", hand, "--out", str(slip))[0] == 0
    for place in (path, own_key, friday):
        before = place.read_bytes()
        code, out, err = ask("receipt", "--out", str(place))
        assert (code, out) == (2, "")
        assert err == f"{place}: is there already, and is no receipt; give another file\n"
        assert place.read_bytes() == before


def test_what_a_receipt_prints_is_itself_a_receipt(friday: Path, ask: Ask, tmp_path: Path) -> None:
    slip = tmp_path / "slip.txt"
    slip.write_text(ask("receipt")[1])
    code, out, _ = ask("verify", "--receipt", str(slip))
    assert code == 0
    assert "signed by a key that is known here" in out


def test_a_copy_is_not_held_to_what_was_signed_after_it(friday: Path, ask: Ask, tmp_path: Path) -> None:
    copy = tmp_path / "b.db"
    ask("copy", "Friday", "--for", "B", "--out", str(copy))
    friday.write_text(friday.read_text().replace("Friday", "Saturday"))
    assert ask("record", str(friday))[0] == 0
    code, out, _ = ask("verify", db=copy)
    assert code == 0
    assert "anchored by a signed checkpoint" in out


def test_the_doctor_tells_of_checkpoints_by_another_hosts_key(
    friday: Path, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISTIGRIS_KEY", str(tmp_path / "other.key"))
    _, out, _ = ask("doctor")
    assert "1 checkpoint, by a key not known here: nothing is anchored by it" in out
    assert "none yet; one is signed" not in out


def test_a_qr_code_is_drawn(friday: Path, ask: Ask) -> None:
    code, out, _ = ask("receipt", "--qr")
    assert code == 0
    assert "▄▄▄▄▄" in out


def test_a_new_key_lists_the_old_one(friday: Path, ask: Ask) -> None:
    (old,) = as_json(ask("receipt", "--key", "--json"))["keys"]
    keys = as_json(ask("receipt", "--new-key", "--json"))["keys"]
    assert keys[0] == old
    assert len(keys) == 2
    code, out, _ = ask("verify")
    assert code == 0
    assert "anchored by a signed checkpoint" in out


def test_a_player_reads_his_copy_with_the_hosts_key(
    friday: Path, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "b.db"
    assert ask("copy", "Friday", "--for", "B", "--out", str(copy))[0] == 0
    (key,) = as_json(ask("receipt", "--key", "--json"))["keys"]
    events = as_json(ask("verify", "--json"))["events"]
    settled = ask("settle", "--json")
    monkeypatch.setenv("MISTIGRIS_KEY", str(tmp_path / "players.key"))
    alone = as_json(ask("verify", "--json", db=copy))
    assert (alone["chain"], alone["anchored"]) == ("ok", [])
    assert len(alone["withheld"]) == 1
    assert alone["copy_for"] == "B"
    assert ask("verify", db=copy)[1].startswith("this is a copy for B, and not the ledger itself\n")
    told = as_json(ask("verify", "--key", key, "--json", db=copy))
    assert told["anchored"] == [[1, events]]
    assert ask("settle", "--json", db=copy) == settled
    assert ask("audit", db=copy)[0] == 0
    code, out, _ = ask("hand", "last", "1", db=copy)
    assert code == 0
    assert "Ah" not in out
    code, _, err = ask("record", str(friday), db=copy)
    assert code == 2
    assert "nothing is recorded in a copy" in err


def test_names_are_listed_changed_and_erased(friday: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        ask("rename", "C", "B")[1] == "C is B (2) now; there is another B: if they are one, mistigris merge\n"
    )
    assert ask("merge", "A", "into", "B")[0] == 1
    assert ask("merge", "A", "B", "C")[0] == 2
    assert ask("unmerge", "A")[0] == 1
    names = as_json(ask("names", "--json"))["players"]
    assert sorted(row["name"] for row in names) == ["A", "B", "B (2)"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"n\n")))
    assert ask("erase", "A")[0] == 130
    code, out, _ = ask("erase", "A", "--yes")
    assert code == 0
    assert "1 name erased" in out
    told = next(row["name"] for row in as_json(ask("names", "--json"))["players"] if row["erased"])
    assert told.startswith("player ")
    assert told in as_json(ask("hand", "last", "1", "--json"))["net"]
    assert ask("verify")[0] == 0
    assert ask("record", str(friday))[0] == 0


def test_a_correction_is_settled_and_listed(friday: Path, ask: Ask) -> None:
    move = ("--units", "5", "--from", "B", "--to", "A", "--hand", "1", "--by", "C")
    assert ask("correct", "Friday", "B was paid twice", *move)[0] == 0
    settled = as_json(ask("settle", "--json"))
    assert settled["as"] == "corrected"
    assert {row["name"]: row["net"] for row in settled["players"]} == {"B": -8, "C": 3, "A": 5}
    played = as_json(ask("settle", "--as-recorded", "--json"))
    assert {row["name"]: row["net"] for row in played["players"]} == {"B": -3, "C": 3, "A": 0}
    (row,) = as_json(ask("audit", "--corrections", "--json"))["corrections"]
    assert (row["title"], row["kind"], row["hand"], row["by"]) == ("Friday", "corrected", 1, "C")
    assert row["why"] == "B was paid twice"
    assert ask("correct", "Friday", "x", "--units", "5")[0] == 1


def test_the_doctor_finds_all_well_and_says_what_is_wrong(
    friday: Path, ask: Ask, path: Path, own_key: Path
) -> None:
    path.chmod(0o600)
    code, out, _ = ask("doctor")
    assert code == 0, out
    told = as_json(ask("doctor", "--json"))
    assert {f["what"] for f in told["found"]} == {
        "program", "store", "ledger", "guards", "disk", "file", "chain", "checkpoints", "people", "key",
    }  # fmt: skip
    path.chmod(0o644)
    own_key.chmod(0o644)
    wrong = [f for f in as_json(ask("doctor", "--json"))["found"] if not f["well"]]
    assert [f["what"] for f in wrong] == ["file", "key"]
    assert all(f["do"] for f in wrong)
    code, out, _ = ask("doctor", db=path.with_name("missing.db"))
    assert code == 1
    assert "no such store" in out


def test_where_several_ledgers_are_one_is_to_be_named(
    friday: Path, ask: Ask, path: Path, tmp_path: Path
) -> None:
    lines, slip, both = (tmp_path / name for name in ("friday.jsonl", "slip.txt", "both.db"))
    ask("receipt", "--out", str(slip))
    ask("export", "--jsonl", str(lines))
    assert ask("--ledger", "one", "import", str(lines), db=both)[0] == 0
    assert ask("--ledger", "two", "record", str(friday), db=both)[0] == 0
    code, _, err = ask("verify", "--receipt", str(slip), db=both)
    assert code == 1
    assert "say which is meant: one, two; it could not be held to the receipt" in err
    assert ask("--ledger", "one", "verify", "--receipt", str(slip), db=both)[0] == 0
    assert "mistigris --ledger NAME doctor" in ask("doctor", db=both)[1]


def test_the_doctor_goes_on_where_no_home_folder_is_known_for_the_key(
    friday: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "MISTIGRIS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for a user of no passwd entry
    code, out, _ = ask("doctor")
    assert code == 1
    assert "WRONG key: no home folder is known" in out
