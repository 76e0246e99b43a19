"""The facts: caught up bit by bit they are what they are built at once; halves add up; counters are conserved."""

from importlib.resources import files
from random import Random

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.facts import Facts
from analytics.schema import EVERY_TABLE, SUMS, dictionary
from bench.generator import WILD, begin_evening, end_evening, grouped, play_hand
from ledger.store import open_store
from ledger.store.store import Store
from tests.support.ledgers import append, built, everything, house
from tests.support.recorded import record


def evening_into(
    store: Store, rng: Random, hands: int, *, close: bool = True, facts: Facts | None = None
) -> str:
    """A wild evening recorded command by command; `facts` catch up now and then on the way."""
    evening = begin_evening(rng, house(rng), players=rng.randrange(2, 7), taste=WILD)
    while len(evening.session.hands) < hands:
        play_hand(evening)
    if close:
        end_evening(evening)
    waiting = []
    for command in grouped(evening.session.id, evening.stream):
        waiting.append(command)
        if facts is not None and rng.random() < 0.06:
            append(store, evening.session.id, waiting)
            waiting = []
            facts.catch_up(store)
    if waiting:
        append(store, evening.session.id, waiting)
    return evening.session.id


@given(st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_bit_by_bit_is_at_once(seed: int) -> None:
    rng = Random(seed)
    with open_store(":memory:") as store, duckdb.connect() as connection:
        facts = Facts(connection)
        facts.clear(store)
        for close in (True, False):
            evening_into(store, rng, 4, close=close, facts=facts)
        facts.catch_up(store)
        assert everything(facts) == everything(built(store))


@given(st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_another_process_goes_on_where_one_stopped(seed: int) -> None:
    """New `Facts` on the same tables know no evening: they fold it anew and write only what changed."""
    rng = Random(seed)
    evening = begin_evening(rng, house(rng), players=4, taste=WILD)
    while len(evening.session.hands) < 5:
        play_hand(evening)
    with open_store(":memory:") as store, duckdb.connect() as connection:
        Facts(connection).clear(store)
        for command in grouped(evening.session.id, evening.stream):
            append(store, evening.session.id, [command])
            if rng.random() < 0.05:
                Facts(connection).catch_up(store)
        Facts(connection).catch_up(store)
        assert everything(Facts(connection)) == everything(built(store))


def test_halves_add_up(store: Store, facts: Facts) -> None:
    for seed in range(6):
        evening_into(store, Random(seed), 6)
    facts.catch_up(store)
    columns = ", ".join(f"sum({c.name})" for c in SUMS)
    whole = facts.connection.execute(f"select {columns} from tallies").fetchone()
    sessions = [row[0] for row in facts.connection.execute("select session from sessions").fetchall()]
    halves = [
        facts.connection.execute(
            f"select {columns} from tallies where session in (select unnest(?))", [half]
        ).fetchone()
        for half in (sessions[:3], sessions[3:])
    ]
    assert halves[0] is not None
    assert halves[1] is not None
    assert whole == tuple(a + b for a, b in zip(*halves, strict=True))


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_nets_and_the_kitty_come_to_nought(seed: int) -> None:
    """What all players won, what kitty and house took less what the kitty paid, and what lies in the pool."""
    with open_store(":memory:") as store:
        evening_into(store, Random(seed), 5)
        facts = built(store)
        ask = facts.connection.execute
        nets = ask("select coalesce(sum(net), 0) from hand_players").fetchone()
        received = ask("select sum(kitty_received) from session_players").fetchone()
        taken = ask("select coalesce(sum(units), 0) from kitty where kind = 'taken'").fetchone()
        paid = ask("select coalesce(sum(units), 0) from kitty where kind in ('paid', 'shared')").fetchone()
        pool = ask("select sum(pool) from sessions").fetchone()
        unrecorded = ask("select sum(unrecorded) from session_players").fetchone()
        settled = ask("select sum(settled) from session_players").fetchone()
        assert nets is not None
        assert received is not None
        assert taken is not None
        assert paid is not None
        assert pool is not None
        assert unrecorded is not None
        assert settled is not None
        assert nets[0] + taken[0] + pool[0] == 0
        assert nets[0] + received[0] + taken[0] - paid[0] + pool[0] == 0
        assert settled[0] == nets[0] + received[0] + unrecorded[0]


def test_every_player_is_settled_as_his_hands_and_the_bank_say(store: Store, facts: Facts) -> None:
    for seed in range(8):
        evening_into(store, Random(100 + seed), 6)
    facts.catch_up(store)
    wrong = facts.connection.execute(
        "select s.session, s.player, s.settled, coalesce(t.net, 0) from session_players s "
        "left join tallies t on t.session = s.session and t.player = s.player "
        "where s.settled <> coalesce(t.net, 0) + s.kitty_received + s.unrecorded"
    ).fetchall()
    assert wrong == []


SHEET = """session "Undone" on 2026-11-27
rules foster
set ante 1
set limit 50
seat A B C
A buys 100; B buys 100; C buys 100
hand dealer C
A antes
deal
B opens 3; C passes; A passes
hand
B antes
deal
C opens 2; A passes; B passes
"""


def nets(facts: Facts) -> list[tuple[int, int]]:
    return facts.connection.execute(
        "select hand, max(net) from hand_players group by hand order by hand"
    ).fetchall()


def test_what_is_withdrawn_is_gone_at_once(store: Store, facts: Facts) -> None:
    record(store, SHEET)
    facts.catch_up(store)
    assert nets(facts) == [(1, 1), (2, 1)]
    record(store, SHEET + "undo\n")
    facts.catch_up(store)
    assert nets(facts) == [(1, 1)]


def test_a_ruling_counts_at_once_on_the_hand_it_is_about(store: Store, facts: Facts) -> None:
    record(store, SHEET)
    facts.catch_up(store)
    record(store, SHEET + 'C disputes "no" hand 1\nruling hand 1 "one back" 1 from B to C\n')
    facts.catch_up(store)
    rows = facts.connection.execute(
        "select net, ruled from hand_players where hand = 1 order by net"
    ).fetchall()
    assert [r[1] for r in rows].count(0) == 1
    assert sum(r[0] for r in rows) == 0
    assert everything(facts) == everything(built(store))


def test_an_irregular_hand_is_marked(store: Store, facts: Facts) -> None:
    record(store, SHEET.replace("B opens 3", "! B opens 1"))
    facts.catch_up(store)
    assert facts.connection.execute("select hand, irregular from hands order by hand").fetchall() == [
        (1, 1),
        (2, 0),
    ]
    assert facts.connection.execute("select action from actions where irregular").fetchall() == [("open",)]


def test_a_fault_leaves_the_facts_as_they_were(
    store: Store, facts: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(store, SHEET)
    facts.catch_up(store)
    before = everything(facts)
    record(store, SHEET + "hand\nC antes\ndeal\nA opens 2; B passes; C passes\n")

    def broken(*_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("analytics.facts._tally", broken)
        with pytest.raises(RuntimeError):
            facts.catch_up(store)
    assert everything(facts) == before
    facts.catch_up(store)
    assert everything(facts) == everything(built(store))


def test_the_dictionary_has_every_column_with_its_type(facts: Facts) -> None:
    rows = facts.connection.execute(
        "select table_name, column_name, data_type from duckdb_columns() "
        "where schema_name = 'main' and not internal and table_name <> 'progress'"
    ).fetchall()
    told = set()
    table = ""
    for line in dictionary().splitlines():
        if line.startswith("## "):
            table = line[3:]
        elif line.startswith("| `"):
            column, type_, meaning = (cell.strip() for cell in line.strip("|").split("|"))
            assert meaning
            told.add((table, column.strip("`"), type_))
    assert told == set(rows)
    assert {row[0] for row in rows} == set(EVERY_TABLE)


def test_the_dictionary_is_printed_as_it_is() -> None:
    text = (files("analytics") / "dictionary.md").read_text("utf-8")
    assert text == dictionary(), "write analytics/dictionary.md anew: it is what schema.dictionary() gives"
