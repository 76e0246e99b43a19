"""Receipts and checkpoints: their forms, the key, and a ledger held to them."""

import base64
import errno
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.receipts.checkpoints import HOLDS, UNKNOWN_KEY, check_chain, sign_head
from ledger.receipts.keys import KeyFileError, host_key, newest_path, open_to_others, public_keys, rotate
from ledger.receipts.notes import (
    Checkpoint,
    Note,
    NoteError,
    PublicKey,
    parse_checkpoint,
    parse_key,
    parse_note,
    signed_by,
)
from ledger.receipts.receipt import Receipt, hold, parse_receipt, receipt_for
from ledger.receipts.short import parse_short, short_form
from ledger.store import open_store
from ledger.store.store import Store
from tests.support.recorded import FRIDAY, record

EVENING = f"{FRIDAY}hand; C antes; deal; A opens 12; B passes; C passes\n"
HASH = base64.b64encode(bytes(32)).decode()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "host.key"


def test_a_note_of_the_go_program_is_read_and_its_signature_holds() -> None:
    """The example of Go's golang.org/x/mod/sumdb/note, whose form C2SP's signed-note wrote down."""
    key = parse_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    note = parse_note(
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )
    assert signed_by(note, key) is True
    assert signed_by(replace(note, text=note.text.replace("don't", "do")), key) is False
    assert signed_by(note, replace(key, name="other")) is None


def test_a_checkpoint_is_signed_written_and_read_again(key: Path) -> None:
    mine = host_key(key)
    said = Checkpoint("mistigris/" + "a" * 32, 61, bytes(range(32)), ("hand 2",))
    written = mine.sign(said.text).whole
    lines = written.split("\n")
    assert lines[:4] == [said.origin, "61", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "hand 2"]
    assert lines[4] == ""
    assert lines[5].startswith(f"— {mine.public.name} ")
    note = parse_note(written)
    assert (note.whole, parse_checkpoint(note.text)) == (written, said)
    assert signed_by(note, mine.public) is True
    assert parse_key(mine.public.text) == mine.public
    # as a telephone may send it
    assert signed_by(parse_note("\ufeff" + written.replace("\n", "\r\n") + "\r\n\r\n"), mine.public) is True


@pytest.mark.parametrize(
    "text", ["", "x", "a\n1\n", f"a\n-1\n{HASH}\n", f"a\n1\n{HASH[4:]}\n", f"a\n1\n{HASH}\n\n— x y\n"]
)
def test_what_is_no_receipt_is_told_in_a_line(text: str) -> None:
    with pytest.raises(NoteError) as found:
        parse_receipt(text)
    assert "\n" not in str(found.value)


def test_a_receipt_is_read_as_it_was_printed_and_as_a_mail_quotes_it(key: Path) -> None:
    said = Checkpoint("mistigris/" + "a" * 32, 61, bytes(32), ("hand 2",))
    note = host_key(key).sign(said.text)
    for whole in (note.whole, said.text + "\n"):
        around = (
            f"receipt for hand 2, event 61\n\n{whole}\nshort form, for a chat: {short_form(61, bytes(32))}\n"
        )
        quoted = "".join(f"> {line}\n" for line in around.splitlines())
        for text in (around, quoted, f">{quoted}", quoted.replace("\n", "\r\n")):
            assert parse_receipt(text) == parse_receipt(whole)
    with pytest.raises(NoteError, match="signatures"):
        parse_receipt(note.whole.replace("=", "") + "\nyours\n")


def test_a_key_that_is_misspelt_is_no_key(key: Path) -> None:
    text = host_key(key).public.text
    for wrong in (text[:-2], text.replace("+", " "), "x" + text, ""):
        with pytest.raises(NoteError):
            parse_key(wrong)


def test_the_short_form_is_read_as_people_write_it() -> None:
    short = short_form(61, bytes(range(32)))
    assert short == "61 000G-40R4-0M30-E209-" + short[-1]
    wanted = (61, bytes(range(10)))
    for written in (
        short,
        short.lower(),
        short.replace("-", " "),
        f"MISTIGRIS {short}",
        short.replace("0", "o"),
    ):
        assert parse_short(written) == wanted
    assert parse_short("receipt.txt") is None
    assert parse_short("61 000G-40R4") == "a short receipt has 17 letters after the position, this one 8"


def test_the_check_letter_finds_a_wrong_letter_and_two_exchanged() -> None:
    short = short_form(1234, bytes(range(7, 39)))
    position, letters = short.split(" ")
    for i, letter in enumerate(letters):
        for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ":
            if letter not in ("-", other):
                assert isinstance(parse_short(f"{position} {letters[:i]}{other}{letters[i + 1 :]}"), str)
        nxt = letters[i + 1 : i + 2]
        if nxt and "-" not in (letter, nxt) and nxt != letter:
            assert isinstance(parse_short(f"{position} {letters[:i]}{nxt}{letter}{letters[i + 2 :]}"), str)
    for wrong in ("1243", "1235", "2134"):
        assert isinstance(parse_short(f"{wrong} {letters}"), str)


def test_the_key_is_made_once_for_its_owner_only(key: Path) -> None:
    first = host_key(key)
    assert host_key(key) == first
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert not open_to_others(key)
    key.chmod(0o644)
    assert open_to_others(key)
    assert public_keys(key) == [first.public]


def test_a_new_key_leaves_the_old_one_listed_and_its_checkpoints_good(store: Store, key: Path) -> None:
    record(store, EVENING)
    old = host_key(key).public
    sign_head(store, key)
    new = rotate(key).public
    assert public_keys(key) == [old, new]
    sign_head(store, key)
    chain = check_chain(store, public_keys(key), key)
    assert [(a.key_name, a.state) for a in chain.anchors] == [
        (n, HOLDS) for n in sorted({old.name, new.name})
    ]


def test_a_key_file_that_is_no_key_is_told_and_not_written_over(key: Path) -> None:
    key.write_text("not a key\n")
    for use in (host_key, public_keys, rotate):
        with pytest.raises(KeyFileError, match="is no key"):
            use(key)
    assert key.read_text() == "not a key\n"


def test_a_key_that_finds_no_room_leaves_nothing_behind(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(KeyFileError, match="no space left on device"):
        host_key(key)
    assert list(key.parent.iterdir()) == []


def test_a_checkpoint_anchors_what_stands_before_it(store: Store, key: Path) -> None:
    done = record(store, EVENING)
    sign_head(store, key)
    sign_head(store, key)  # the same head twice is one checkpoint
    record(store, EVENING + 'note "later"\n')
    chain = check_chain(store, public_keys(key), key)
    assert (chain.fault, chain.anchored, len(chain.anchors)) == (None, done.session.version, 1)
    stranger = PublicKey("mistigris-00000000", bytes(32))
    (unknown,) = check_chain(store, [stranger], None).anchors
    assert (unknown.state, unknown.wrong) == (UNKNOWN_KEY, False)


def test_a_ledger_that_was_put_back_is_not_signed_anew(store: Store, key: Path, tmp_path: Path) -> None:
    record(store, EVENING)
    sign_head(store, key)
    place = newest_path(key, store.ledger_id)
    mine = host_key(key)
    later = Checkpoint(f"mistigris/{store.ledger_id}", 900, bytes(32))
    place.write_text(mine.sign(later.text).whole)
    with pytest.raises(KeyFileError, match="speaks against this ledger"):
        sign_head(store, key)
    fault = check_chain(store, public_keys(key), key).fault
    assert fault is not None
    assert "an older copy is in its place" in fault.reason


def test_of_two_closes_at_once_the_later_checkpoint_stays_beside_the_key(
    store: Store, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(store, EVENING + "close\n")
    first, keep = store.head().position, store.keep_checkpoint

    def slowly(*given: Any) -> None:
        monkeypatch.undo()
        record(store, EVENING.replace("Friday", "Saturday") + "close\n")
        sign_head(store, key)
        keep(*given)

    monkeypatch.setattr(store, "keep_checkpoint", slowly)
    sign_head(store, key)
    newest = parse_checkpoint(parse_note(newest_path(key, store.ledger_id).read_text()).text)
    assert newest.position == store.head().position
    assert [position for position, _, _ in store.checkpoints()] == [first, newest.position]


def test_a_receipt_of_two_signatures_holds_with_both(store: Store, key: Path, tmp_path: Path) -> None:
    done = record(store, EVENING)
    one, other = host_key(key), host_key(tmp_path / "other.key")
    said = receipt_for(store, done.session).text
    good, wrong = (other.sign(text).signatures for text in (said, said + "x\n"))
    for signatures, outcome in ((good, True), (wrong, False)):
        note = Note(said, one.sign(said).signatures + signatures)
        for keys in ([one.public, other.public], [other.public, one.public]):
            assert hold(store, parse_receipt(note.whole), keys).signed is outcome


def test_a_receipt_says_what_is_covered(store: Store, key: Path) -> None:
    done = record(store, EVENING)
    mine = host_key(key)
    after_first = receipt_for(store, done.session, 1)
    note = mine.sign(after_first.text)
    held = hold(store, parse_receipt(note.whole), [mine.public])
    assert (held.fault, held.signed) == (None, True)
    assert [(c.title, c.whole, c.hand) for c in held.covered] == [("Friday", False, 1)]
    assert held.receipt.position < held.head.position
    record(store, EVENING + "close\n")
    whole = hold(store, Receipt(store.head().position, store.head().hash))
    assert [(c.title, c.whole) for c in whole.covered] == [("Friday", True)]
    short = parse_receipt(short_form(after_first.position, after_first.hash))
    assert hold(store, short).fault is None


def test_an_evening_that_was_opened_again_is_not_covered_whole(store: Store) -> None:
    record(store, EVENING + "close\n")
    record(store, EVENING, amend="closed too early")
    (covered,) = hold(store, Receipt(store.head().position, store.head().hash)).covered
    assert (covered.whole, covered.hand) == (False, 2)


def test_a_receipt_that_does_not_match_says_why(store: Store, key: Path, path: Path) -> None:
    done = record(store, EVENING)
    mine = host_key(key)
    said = receipt_for(store, done.session)
    good = parse_receipt(mine.sign(said.text).whole)
    assert good.note is not None
    altered = replace(good.note, text=good.note.text.replace("session", "Session"))
    cases = [
        (replace(good, hash=bytes(32)), "has another hash"),
        (replace(good, position=good.position + 1), "the ledger ends at event"),
        (replace(good, origin="mistigris/" + "0" * 32), "of another ledger"),
        (replace(good, note=altered), "the signature on the receipt is wrong"),
    ]
    for receipt, why in cases:
        fault = hold(store, receipt, [mine.public]).fault
        assert fault is not None
        assert why in fault
    with open_store(str(path.with_name("empty.db"))) as empty:
        fault = hold(empty, replace(good, origin=None), [mine.public]).fault
        assert fault is not None
        assert "the ledger is empty" in fault
