"""Every figure, counted a second way from the events alone: on the shared cases and on random evenings."""

from pathlib import Path
from random import Random

import pytest

from analytics.facts import Facts
from analytics.schema import ALL_RATES
from bench.generator import LEGAL, PLAIN, Evening, Taste, begin_evening, end_evening, grouped, play_hand
from cli.app import run
from ledger.codec import to_recorded
from ledger.house import evenings
from ledger.recorder import SheetRecorded, record_sheet
from ledger.session.state import Recorded
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.store import open_store
from ledger.store.store import Store
from tests.support.ledgers import append, built, house
from tests.support.recount import finish, recount

CASES = Path(__file__).parents[3] / "shared" / "cases"
BY_CARDS = {"improved", "best_draw"}
"""Counted a second way in test_draws.py."""
KEYS = [f"{r.key}_{end}" for r in ALL_RATES if r.key not in BY_CARDS for end in ("n", "of")]
PLAIN_MARKS = ["bets", "raises", "calls", "passes", "checks", "passed_before", "in_after", "at_show"]


def check(facts: Facts, session: str, stream: list[Recorded], *, irregular: bool = False) -> int:
    """Holds every row of a session to the second count; says how many there were."""
    seen = 0
    for hand in recount(stream):
        finish(hand)
        columns = ", ".join(["player", "dealt", "net", "drawn", "irregular", *PLAIN_MARKS, *KEYS])
        found = facts.connection.execute(
            f"select {columns} from hand_players where session = ? and hand = ?", [session, hand.number]
        ).fetchall()
        for player, dealt, net, drawn, marked, *marks in found:
            assert net == hand.net[player], (hand.number, player)
            if not dealt or (marked and not irregular):
                continue
            counted = [hand.marks[player][key] for key in (*PLAIN_MARKS, *KEYS)]
            assert dict(zip((*PLAIN_MARKS, *KEYS), marks, strict=True)) == dict(
                zip((*PLAIN_MARKS, *KEYS), counted, strict=True)
            ), (hand.number, player)
            assert drawn == hand.drawn.get(player)
            seen += 1
        kitty = facts.connection.execute(
            "select kitty from hands where session = ? and hand = ?", [session, hand.number]
        ).fetchone()
        assert kitty is None or kitty[0] == hand.kitty
    return seen


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("path", sorted(CASES.glob("*.sheet")), ids=lambda p: p.stem)
def test_the_shared_cases(path: Path, store: Store, facts: Facts) -> None:
    statements = parse(path.read_bytes(), file=path.name)
    assert not isinstance(statements, SheetError)
    done = record_sheet(store, statements, folder=path.parent)
    facts.catch_up(store)
    if isinstance(done, SheetRecorded):
        stream = [to_recorded(s) for s in store.read(done.session.id)]
        check(facts, done.session.id, stream, irregular=True)
        hands = facts.connection.execute("select count(*) from hands").fetchone()
        assert hands == (sum(h.over for h in done.session.hands),)
    else:
        assert facts.connection.execute("select count(*) from sessions").fetchone() == (0,)


DATA = CASES.parent / "data" / "pokerstars"


@pytest.mark.skipif(not DATA.is_dir(), reason="the histories are not here")
@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda p: p.stem)
def test_real_histories(path: Path, tmp_path: Path) -> None:
    """Hands of a card room; what is missing between them was found by the import."""
    db = str(tmp_path / "ledger.db")
    assert run(["--db", db, "import", str(path)]) == 0
    with open_store(db) as store:
        facts = built(store)
        seen = 0
        for span in evenings(store):
            stream = [to_recorded(s) for s in store.read(span.session)]
            seen += check(facts, span.session, stream, irregular=True)
    assert seen > 0


def played(seed: int, taste: Taste, hands: int) -> Evening:
    rng = Random(seed)
    evening = begin_evening(rng, house(rng), players=rng.randrange(2, 7), taste=taste)
    while len(evening.session.hands) < hands:
        play_hand(evening)
    end_evening(evening)
    return evening


def count_evenings(store: Store, facts: Facts, seeds: range) -> None:
    seen = 0
    evenings = [played(seed, PLAIN if seed % 2 else LEGAL, 12) for seed in seeds]
    for evening in evenings:
        append(store, evening.session.id, list(grouped(evening.session.id, evening.stream)))
    facts.catch_up(store)
    for evening in evenings:
        seen += check(facts, evening.session.id, evening.stream)
    assert seen > 20 * len(seeds)


def test_random_evenings(store: Store, facts: Facts) -> None:
    count_evenings(store, facts, range(24))


@pytest.mark.long
def test_many_random_evenings(store: Store, facts: Facts) -> None:
    count_evenings(store, facts, range(1000, 1600))
