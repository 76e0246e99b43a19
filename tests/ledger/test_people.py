"""Names beside the ledger: renamed is one, two of one name are two, merged and un-merged, erased and still verified."""

import unicodedata
from pathlib import Path

import pytest

from ledger import events as ev
from ledger import people
from ledger.house import HOUSE, evenings, write
from ledger.loading import load_session
from ledger.people import load_names
from ledger.recorder import SheetRecorded, SheetRefused
from ledger.store import Verified
from ledger.store.store import Store
from ledger.views import labels, settle_view
from tests.support.recorded import FRIDAY, SATURDAY, enter, record


def nets(store: Store, done: SheetRecorded) -> dict[str, int]:
    session = load_session(store, done.session.id)
    view = settle_view(session, labels(session, load_names(store).name))
    return {row["name"]: row["net"] for row in view["players"]}


def test_a_renamed_player_is_one_player_and_sheets_may_use_both_names(store: Store) -> None:
    friday = record(store, FRIDAY)
    assert people.rename(store, "C", "D") == "D"
    assert nets(store, friday) == {"B": -3, "D": 3, "A": 0}
    assert record(store, FRIDAY + "C buys 10; D buys 5\n").added == 2
    saturday = record(store, SATURDAY.replace("C", "D"))
    assert saturday.session.seats == friday.session.seats
    assert record(store, SATURDAY.replace("C", "D") + "C buys 7\n").added == 1


def test_a_renamed_player_may_have_his_name_back(store: Store) -> None:
    record(store, FRIDAY)
    people.rename(store, "C", "D")
    assert people.rename(store, "D", "C") == "C"
    assert load_names(store).known() == ["A", "B", "C"]


def test_two_of_one_name_are_two(store: Store) -> None:
    friday = record(store, FRIDAY)
    assert people.rename(store, "C", "B") == "B (2)"
    assert nets(store, friday) == {"B": -3, "B (2)": 3, "A": 0}
    assert record(store, FRIDAY + '"B (2)" buys 7; B buys 5\n').added == 2
    bank = load_session(store, friday.session.id).bank
    b, c, _ = friday.session.seats
    assert (bank.bought[b], bank.bought[c]) == (105, 107)


def test_a_sheet_can_seat_a_second_one_of_a_name(store: Store) -> None:
    record(store, FRIDAY)
    done = record(store, SATURDAY.replace("C", '"B (2)"'))
    assert sorted(nets(store, done)) == ["A", "B", "B (2)"]
    assert sorted(row.name for row in store.names()) == ["A", "B", "B", "C"]
    again = record(store, SATURDAY.replace("C", '"B (2)"') + '"B (2)" buys 9\n')
    assert again.added == 1


def test_nfc_and_nfd_are_one_name(store: Store) -> None:
    composed, decomposed = "Ë", unicodedata.normalize("NFD", "Ë")
    assert composed != decomposed
    friday = record(store, FRIDAY.replace("C", composed))
    saturday = record(store, SATURDAY.replace("C", f'"{decomposed} "'))
    assert friday.session.seats == saturday.session.seats
    with pytest.raises(ValueError, match="called so already"):
        people.rename(store, decomposed, composed)


def test_merged_players_count_as_one_and_the_merge_can_be_undone(store: Store) -> None:
    friday = record(store, FRIDAY)
    saturday = record(store, SATURDAY.replace("C", "D"))
    assert people.merge(store, "D", "C") == ("D", "C", saturday.session.seats[1])
    names = load_names(store)
    assert names.known() == ["A", "B", "C"]
    c, d = friday.session.seats[1], saturday.session.seats[1]
    assert c != d
    assert (names.canonical(d), names.group(c)) == (c, [c, d])
    assert nets(store, saturday) == {"B": -3, "C": 3, "A": 0}
    # a sheet that goes on means whom it meant
    assert record(store, SATURDAY.replace("C", "D") + "D buys 7; C buys 1\n").added == 2
    assert people.unmerge(store, "D") == "D"
    assert nets(store, saturday)["D"] == 3
    assert load_names(store).known() == ["A", "B", "C", "D"]


def test_two_who_sat_at_one_table_are_not_merged(store: Store) -> None:
    record(store, FRIDAY)
    with pytest.raises(ValueError, match="sat at one table: “Friday”"):
        people.merge(store, "A", "B")
    with pytest.raises(ValueError, match="one player already"):
        people.merge(store, "A", "A")
    with pytest.raises(ValueError, match="nobody was merged"):
        people.unmerge(store, "A")
    assert store.version(HOUSE) == 0


def test_the_second_of_a_name_is_un_merged_by_his_id(store: Store) -> None:
    record(store, FRIDAY)
    record(store, SATURDAY.replace("C", '"B (2)"'))
    _, _, merged = people.merge(store, "B (2)", "C")
    assert people.unmerge(store, merged[:8]) == "B (2)"


def test_two_merges_at_once_each_into_the_other_leave_one_player(store: Store) -> None:
    friday, saturday = record(store, FRIDAY), record(store, SATURDAY.replace("C", "D"))
    c, d = friday.session.seats[1], saturday.session.seats[1]
    merges = [ev.PlayersMerged(player=c, into=d), ev.PlayersMerged(player=d, into=c)]
    write(store, merges)
    names = load_names(store)
    assert (names.name(c), names.name(d), names.group(c)) == ("D", "D", [d, c])


def test_no_number_makes_two_players_of_one_label(store: Store) -> None:
    friday = record(store, FRIDAY)
    people.rename(store, "C", "B (2)")
    people.rename(store, "A", "B")
    assert nets(store, friday) == {"B": -3, "B (2)": 3, "B (3)": 0}


def test_an_alias_finds_a_player_and_changes_no_report(store: Store) -> None:
    friday = record(store, FRIDAY)
    assert people.alias(store, "C", "E") == "C"
    assert "C" in nets(store, friday)
    assert record(store, FRIDAY + "E buys 7\n").added == 1
    with pytest.raises(ValueError, match="B is B already"):
        people.alias(store, "C", "B")


def test_an_erased_name_leaves_the_chain_whole(store: Store) -> None:
    friday = record(store, FRIDAY)
    people.rename(store, "C", "D")
    told, gone = people.erase(store, "C")
    player = friday.session.seats[1]
    assert (told, gone) == (f"player {player[:6]}", 2)
    assert isinstance(store.verify(), Verified)
    assert nets(store, friday) == {"B": -3, told: 3, "A": 0}
    assert not any(row.name in ("C", "D") for row in store.names())
    assert record(store, FRIDAY).added == 0
    assert isinstance(enter(store, FRIDAY + "C buys 7\n"), SheetRefused)
    assert record(store, FRIDAY + f'"{told}" buys 7\n').added == 1


def test_a_name_in_a_free_text_is_told_of_for_it_cannot_be_erased(store: Store) -> None:
    record(store, FRIDAY + 'note "D was late"\n')
    people.rename(store, "C", "D")
    assert people.texts_with(store, "d") == [store.head().position - 1]
    assert people.texts_with(store, "Ë") == []


def test_a_name_in_what_a_house_calls_its_rules_is_told_of_too(store: Store, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('based_on = "english"\nname = "D\'s rules"\nante = 3\nlimit = 12\n')
    rules = f'rules "{tmp_path / "house.toml"}"'
    record(store, FRIDAY.replace("rules english", rules).replace("\nset limit 12", ""))
    told = people.texts_with(store, "D")
    assert told
    assert {stored.event_type for stored in store.read() if stored.position in told} <= {
        "session_opened",
        "rules_set",
    }
    assert people.texts_with(store, "english") == []


def test_the_ledgers_own_stream_is_no_evening(store: Store) -> None:
    friday = record(store, FRIDAY)
    people.rename(store, "C", "D")
    assert [span.session for span in evenings(store)] == [friday.session.id]
    assert len(store.sessions()) == 2


def test_a_name_that_is_no_name_is_refused(store: Store) -> None:
    record(store, FRIDAY)
    for name in ("", "  ", "two\nlines", "x" * 201):
        with pytest.raises(ValueError, match="one line"):
            people.rename(store, "C", name)
    with pytest.raises(ValueError, match="nobody is called Q; known are A, B, C"):
        people.rename(store, "Q", "R")
