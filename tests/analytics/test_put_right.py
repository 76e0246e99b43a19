"""Nets as corrected and as recorded: rulings and later corrections, counted a second way and settled."""

from random import Random

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.facts import EXTREME_OF, Facts, tallied
from analytics.limits import kept_limits
from analytics.reports import PlayerFigures, player_figures
from analytics.schema import SUMS
from analytics.scope import Division, Scope, merges, open_scope
from bench.generator import WILD, Evening, begin_evening, end_evening, grouped, play_hand
from ledger import events as ev
from ledger.corrections import correct, put_right
from ledger.house import write
from ledger.loading import load_session
from ledger.people import load_names, merge
from ledger.store import open_store
from ledger.store.store import Store
from ledger.views import settle_view
from tests.support.ledgers import append, built, everything, house, player_id
from tests.support.recorded import record
from tests.support.recount import Account, accounts

BOTH_WAYS = pytest.mark.parametrize("as_recorded", [False, True], ids=["corrected", "recorded"])


def closed_evening(store: Store, rng: Random, hands: int) -> Evening:
    """A wild evening, recorded as a whole and closed."""
    evening = begin_evening(rng, house(rng), players=rng.randrange(3, 7), taste=WILD)
    while len(evening.session.hands) < hands:
        play_hand(evening)
    end_evening(evening)
    append(store, evening.session.id, list(grouped(evening.session.id, evening.stream)))
    return evening


def late_correction(store: Store, rng: Random, evening: Evening) -> ev.Corrected:
    """A correction of a closed evening, of any hand or of none; some move nothing."""
    giver, taker = rng.sample(evening.session.people(), 2)
    moves = {"units": rng.randrange(1, 40), "giver": giver, "taker": taker} if rng.random() < 0.8 else {}
    hand = rng.choice([None, *range(1, len(evening.session.hands) + 1)])
    made = ev.Corrected(session=evening.session.id, text="counted again", hand=hand, **moves)
    write(store, [made])
    return made


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_bit_by_bit_is_at_once(seed: int) -> None:
    """Corrections of the last evening and of old ones, several to a catch-up or none, in processes new and old."""
    rng = Random(seed)
    with open_store(":memory:") as store, duckdb.connect() as connection:
        facts = Facts(connection)
        facts.clear(store)
        evenings = []
        for _ in range(4):
            evenings.append(closed_evening(store, rng, 3))
            for _ in range(rng.randrange(4)):
                late_correction(store, rng, rng.choice(evenings))
                if rng.random() < 0.5:
                    facts.catch_up(store)
                if rng.random() < 0.3:
                    facts = Facts(connection)
            facts.catch_up(store)
            assert everything(facts) == everything(built(store))


@pytest.fixture(scope="module")
def corrected() -> tuple[Facts, list[dict[str, Account]], list[dict[str, Account]]]:
    """Facts of evenings with rulings and corrections; their accounts as corrected and as recorded."""
    rng = Random(6)
    now: list[dict[str, Account]] = []
    then: list[dict[str, Account]] = []
    with open_store(":memory:") as store:
        evenings = [closed_evening(store, rng, 8) for _ in range(12)]
        late = {
            e.session.id: [late_correction(store, rng, e) for _ in range(rng.randrange(5))] for e in evenings
        }
        for evening in evenings:
            now.append(accounts(evening.stream, late[evening.session.id]))
            then.append(accounts(evening.stream, late[evening.session.id], as_recorded=True))
        assert sum(r.units > 0 for e in evenings for r in e.session.rulings) > 5
        return built(store), now, then


Corrected = tuple[Facts, list[dict[str, Account]], list[dict[str, Account]]]


@BOTH_WAYS
def test_every_figure_of_money_equals_the_second_count(corrected: Corrected, as_recorded: bool) -> None:
    facts, now, then = corrected
    sessions = then if as_recorded else now
    found = player_figures(facts.connection, Scope(as_recorded=as_recorded))
    assert found
    for f in found:
        mine = [account for session in sessions for p, account in session.items() if p == f.player]
        nets = [net for account in mine for net in account.nets]
        assert f.sums["net"].units == sum(nets)
        assert f.places["best_hand_net"].units == max(nets)
        assert f.places["worst_hand_net"].units == min(nets)
        for key in ("kitty_received", "unrecorded", "corrected", "settled"):
            assert f.sums[key].units == sum(getattr(account, key) for account in mine), key
        assert sum(f.sums[k].units or 0 for k in ("net_at_show", "net_without_show")) == sum(nets)
    squares = facts.connection.execute("select sum(net_sq) from tallies").fetchone()
    assert squares == (sum(n * n for s in sessions for account in s.values() for n in account.nets),)
    assert sum(f.sums["corrected"].units or 0 for f in found) == 0


@BOTH_WAYS
def test_what_is_settled_is_hands_and_what_stands_beside_them(
    corrected: Corrected, as_recorded: bool
) -> None:
    facts, now, then = corrected
    sessions = then if as_recorded else now
    for f in player_figures(facts.connection, Scope(as_recorded=as_recorded)):
        beside = ("net", "kitty_received", "unrecorded", "corrected")
        assert f.sums["settled"].units == sum(f.sums[key].units or 0 for key in beside)
    for session in sessions:
        for account in session.values():
            assert account.settled == (
                sum(account.nets) + account.kitty_received + account.unrecorded + account.corrected
            )


@BOTH_WAYS
@pytest.mark.parametrize("by", ["position", "dealt_in", "cards_drawn", "rules"])
def test_parts_add_up(corrected: Corrected, as_recorded: bool, by: Division) -> None:
    connection = corrected[0].connection
    whole = {f.player: f.net for f in player_figures(connection, Scope(as_recorded=as_recorded))}
    parts: dict[str, int] = {}
    for f in player_figures(connection, Scope(as_recorded=as_recorded, by=by)):
        parts[f.player] = parts.get(f.player, 0) + (f.net or 0)
    assert parts == whole


@BOTH_WAYS
def test_sums_over_sessions_are_those_of_their_hands(corrected: Corrected, as_recorded: bool) -> None:
    """Under merged players too, and the tables themselves are as they were afterwards."""
    connection = corrected[0].connection
    one, other = [row[0] for row in connection.execute("select distinct player from tallies").fetchall()[:2]]
    open_scope(connection, Scope())
    before = everything(corrected[0])
    ends = [f"{how}({name})" for name, (how, _) in EXTREME_OF.items()]
    sums = ", ".join([*(f"sum({c.name})" for c in SUMS), *ends])
    for merged in ({}, {one: other}):
        open_scope(connection, Scope(as_recorded=as_recorded, merged=merged))
        told = connection.execute(f"select session, player, {sums} from tallies group by all").fetchall()
        anew = connection.execute(
            f"select session, player, {sums} from ({tallied('hand_players')}) as anew group by all"
        ).fetchall()
        assert sorted(told) == sorted(anew)
    open_scope(connection, Scope())
    assert everything(corrected[0]) == before


EVENING = """session "Friday" on 2026-11-27 at 20:00 in Europe/London
rules english
set ante 3
set limit 12
kitty 1 per hand
seat B C D A
A buys 100; B buys 100; C buys 100; D buys 40
B loss-limit 4
hand dealer A
B antes
deal
C opens 12; D passes; A passes; B passes
ruling "out of turn" 2 from C to D
hand
C antes
deal
D passes; A opens 12; B passes; C passes
kitty pays B 1 "a birthday"
"""


def nets(store: Store, facts: Facts, *, as_recorded: bool = False) -> dict[str, PlayerFigures]:
    facts.catch_up(store)
    name = load_names(store).name
    found = player_figures(facts.connection, Scope(as_recorded=as_recorded, merged=merges(load_names(store))))
    return {name(f.player): f for f in found}


def sums(found: dict[str, PlayerFigures], key: str) -> dict[str, int | None]:
    return {name: f.sums[key].units for name, f in sorted(found.items())}


def settled(store: Store, session: str, *, as_recorded: bool = False) -> dict[str, int]:
    """What `settle` says."""
    state = load_session(store, session)
    moved = put_right(store, state, as_recorded=as_recorded).session
    return {
        row["name"]: row["net"] for row in settle_view(state, load_names(store).name, moved=moved)["players"]
    }


def put_right_after_the_close(store: Store) -> str:
    """The evening closed and corrected: in a hand, in the deal of one who passed, beside hands, and in words alone."""
    session = record(store, EVENING + "close\n").session.id
    correct(store, session, "C paid A twice", hand=1, units=5, giver="A", taker="C")
    correct(store, session, "the pool was short", hand=2, units=7, giver="B", taker="A")
    correct(store, session, "a drink", units=3, giver="A", taker="D")
    correct(store, session, "it was a Friday", hand=2)
    return session


def test_a_correction_counts_in_its_hand_and_one_of_no_hand_stands_apart(store: Store, facts: Facts) -> None:
    session = put_right_after_the_close(store)
    now, then = nets(store, facts), nets(store, facts, as_recorded=True)
    assert sums(then, "net") == {"A": 2, "B": -3, "C": -1, "D": 0}
    assert sums(now, "net") == {"A": 2 - 5 + 7, "B": -3 - 7, "C": -1 - 2 + 5, "D": 0 + 2}
    assert sums(now, "corrected") == {"A": -3, "B": 0, "C": 0, "D": 3}
    assert sums(then, "corrected") == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert sums(now, "kitty_received") == sums(then, "kitty_received") == {"A": 0, "B": 1, "C": 0, "D": 0}
    assert sums(now, "settled") == settled(store, session)
    assert sums(then, "settled") == settled(store, session, as_recorded=True)


def test_extremes_go_with_the_corrections(store: Store, facts: Facts) -> None:
    put_right_after_the_close(store)
    now, then = nets(store, facts)["A"], nets(store, facts, as_recorded=True)["A"]
    assert (now.places["best_hand_net"].units, now.places["best_hand_net"].hand) == (9, 2)
    assert (then.places["best_hand_net"].units, then.places["best_hand_net"].hand) == (2, 2)
    assert (now.places["worst_hand_net"].units, now.places["worst_hand_net"].hand) == (-5, 1)
    assert then.places["worst_hand_net"].units == 0
    assert now.places["best_session"].units == 4
    assert then.places["best_session"].units == 2
    assert now.net_per_100 is not None
    assert now.net_per_100.value == 200
    assert now.by_position == {"dealer": (1, -5), "no_2": (1, 9)}


def test_who_was_not_dealt_in_has_no_hand_by_it(store: Store, facts: Facts) -> None:
    """A ruling or correction gives him a net, not a hand; as recorded he was not there at all."""
    sheet = EVENING.replace("hand\nC antes", "D sits out\nhand\nC antes").replace(
        "D passes; A opens", "A opens"
    )
    session = record(store, sheet + "close\n").session.id
    correct(store, session, "he had put it in for B", hand=2, units=4, giver="B", taker="D")
    now, then = nets(store, facts)["D"], nets(store, facts, as_recorded=True)["D"]
    assert (now.hands, now.net, now.places["best_hand_net"].units) == (1, 6, 4)
    assert (then.hands, then.net, then.places["best_hand_net"].units) == (1, 0, 0)


def test_limits_are_kept_by_what_was_known(store: Store, facts: Facts) -> None:
    put_right_after_the_close(store)
    facts.catch_up(store)
    (kept,) = kept_limits(facts.connection, Scope())
    assert (kept.net, kept.lowest, kept.most_lost, kept.overrun) == (-2, -3, 3, 0)
    by_day = "rules english\nset loss_limit_counts day"
    session = record(
        store, EVENING.replace("rules english", by_day).replace("Friday", "Day") + "close\n"
    ).session.id
    before = [k for k in kept_limits(built(store).connection, Scope()) if k.session == session]
    correct(store, session, "the pool was short", hand=2, units=7, giver="B", taker="A")
    facts.catch_up(store)
    assert [k for k in kept_limits(facts.connection, Scope()) if k.session == session] == before


def test_a_corrected_player_who_is_merged_counts_as_the_other(store: Store, facts: Facts) -> None:
    put_right_after_the_close(store)
    record(
        store,
        EVENING.replace("Friday", "Saturday")
        .replace("B C D A", "B C D E")
        .replace("A ", "E ")
        .replace("dealer A", "dealer E")
        + "close\n",
    )
    merge(store, "E", "A")
    for as_recorded, net in ((False, 4 + 2), (True, 2 + 2)):
        found = nets(store, facts, as_recorded=as_recorded)
        assert (found["A"].sessions, found["A"].net) == (2, net)
        assert "E" not in found


def test_a_correction_whose_hand_was_withdrawn_is_of_no_hand(store: Store, facts: Facts) -> None:
    session = put_right_after_the_close(store)
    facts.catch_up(store)
    shorter = EVENING[: EVENING.index("hand\nC antes")]
    record(store, shorter + "close\n", amend="the second hand was a joke")
    found = nets(store, facts)
    assert sums(found, "corrected") == {"A": -3 + 7, "B": -7, "C": 0, "D": 3}
    assert sums(found, "settled") == settled(store, session)
    assert everything(facts) == everything(built(store))


def test_an_old_evening_is_corrected_when_many_have_followed(store: Store, facts: Facts) -> None:
    session = record(store, EVENING + "close\n").session.id
    for number in range(12):
        record(store, EVENING.replace("Friday", f"No. {number}") + ("close\n" if number % 2 else ""))
    facts.catch_up(store)
    correct(store, session, "C paid A twice", hand=1, units=5, giver="A", taker="C")
    assert facts.catch_up(store) == 1
    assert everything(facts) == everything(built(store))
    told = facts.connection.execute(
        "select corrected, net from hand_players where session = ? and hand = 1 and player = ?",
        [session, player_id(store, "C")],
    ).fetchall()
    assert told == [(5, 5)]
    assert facts.catch_up(store) == 0
