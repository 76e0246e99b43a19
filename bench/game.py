"""The game room: folding recorded hands, recording one more, a long sheet, and the start of the command.

Folding is measured against PokerKit playing as many hands of a single-draw game with the same actions, all its checks
on; recording against itself with more behind it.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from ledger import commands as cmd
from ledger.loading import load_session
from ledger.recorder import Recorder, SheetRecorded, record_sheet
from ledger.session.project import fold
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.store import Appended, open_store
from ledger.store.store import Store

PLAYERS = "ABCDEF"
HEAD = """session "{title}" on 2026-11-27 at 20:00 in Europe/London
rules foster
set ante 1
set limit 50
seat A B C D E F
"""
FOLDED = 1_000


def hand_text(number: int) -> str:
    """One hand of six: two pass, one raises, two call, three draw, a bet and a call, a show of two."""
    seats = [PLAYERS[(number + place) % 6] for place in range(6)]
    age, one, two, three, four, dealer = seats
    dealt = f"hand dealer {dealer}" if number == 0 else "hand"
    return f"""{dealt}
{age} antes
deal
{one} opens 2; {two} passes; {three} raises 4; {four} calls; {dealer} passes; {age} passes; {one} calls
{one} draws 3; {three} draws 1; {four} draws 2
{one} checks; {three} bets 8; {four} passes; {one} calls
{three} shows Kh Kd 9s 9c 2d
{one} shows Qh Qs 4d 4c Jd
"""


def sheet(hands: int, title: str = "Bench") -> str:
    """An evening of so many hands."""
    buys = "".join(f"{p} buys 1000000\n" for p in PLAYERS)
    return HEAD.format(title=title) + buys + "".join(hand_text(n) for n in range(hands))


def record(store: Store, text: str) -> SheetRecorded:
    """Records a sheet's text."""
    statements = parse(text, file="bench.sheet")
    assert not isinstance(statements, SheetError), statements
    done = record_sheet(store, statements, folder=pathlib.Path())
    assert isinstance(done, SheetRecorded), done
    return done


def run() -> list[tuple[str, str]]:
    """Every measure of the room."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        return [*_folding(place), *_one_more(place), *_long_sheet(place), *_starts(place)]


def _seconds(work: Callable[[], object], rounds: int = 5) -> float:
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _folding(place: pathlib.Path) -> list[tuple[str, str]]:
    with open_store(str(place / "fold.db")) as store:
        state = record(store, sheet(FOLDED)).session
        session = load_session(store, state.id)
        ours = FOLDED / _seconds(lambda: fold(session.id, session.log))
    theirs = 50 / _seconds(lambda: _pokerkit_hands(50))
    events = len(session.log) * ours / FOLDED
    return [
        (
            "folding hands of six, all checks on",
            f"{ours:,.0f} hands/s ({events:,.0f} events/s), PokerKit {theirs:,.0f} hands/s: "
            f"{ours / theirs:.0f} times (aim 10)",
        )
    ]


def _pokerkit_hands(count: int) -> None:
    for _ in range(count):
        _pokerkit_hand()


def _pokerkit_hand() -> None:
    """The same hand in PokerKit: a five-card single draw of six, the cards dealt by it."""
    from pokerkit import Automation, NoLimitDeuceToSevenLowballSingleDraw

    state = NoLimitDeuceToSevenLowballSingleDraw.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_DEALING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
        ),
        True,
        0,
        (1, 2),
        2,
        1_000_000,
        6,
    )
    state.fold()
    state.complete_bet_or_raise_to(6)
    state.check_or_call()
    state.fold()
    state.fold()
    state.check_or_call()
    for thrown in (3, 1, 2):
        index = state.stand_patter_or_discarder_index
        assert index is not None
        state.stand_pat_or_discard(state.hole_cards[index][:thrown])
    while state.actor_index is not None:
        if state.checking_or_calling_amount == 0 and state.can_complete_bet_or_raise_to(8):
            state.complete_bet_or_raise_to(8)
        else:
            state.check_or_call()


def _one_more(place: pathlib.Path) -> list[tuple[str, str]]:
    rates = []
    for hands in (10, 1_000):
        with open_store(str(place / f"more{hands}.db")) as store:
            state = record(store, sheet(hands)).session
            recorder = Recorder(store, state.id)
            players = list(state.seats)
            taken = []
            for number in range(hands, hands + 30):
                start = time.perf_counter()
                _record_hand(recorder, [players[(number + place_) % 6] for place_ in range(6)])
                taken.append(time.perf_counter() - start)
            rates.append(statistics.median(taken))
    return [
        (
            "recording one more hand, an action a transaction",
            f"{rates[0] * 1000:.1f} ms after 10 hands, {rates[1] * 1000:.1f} ms after 1,000: "
            f"{rates[1] / rates[0]:.2f} times (aim 1)",
        )
    ]


def _record_hand(recorder: Recorder, seats: list[str]) -> None:
    age, one, two, three, four, dealer = seats
    for command in (
        cmd.BeginHand(),
        cmd.PostAnte(player=age),
        cmd.Deal(),
        cmd.Stake(player=one, action="open", units=2),
        cmd.Pass(player=two),
        cmd.Stake(player=three, action="raise", units=4),
        cmd.Pass(player=four),
        cmd.Pass(player=dealer),
        cmd.Pass(player=age),
        cmd.Pass(player=one),
    ):
        done = recorder.record(command)
        assert isinstance(done, Appended), done


def _long_sheet(place: pathlib.Path) -> list[tuple[str, str]]:
    taken = {}
    for hands in (100, 1_000):
        text = sheet(hands)
        with open_store(str(place / f"sheet{hands}.db")) as store:
            start = time.perf_counter()
            record(store, text)
            taken[hands] = time.perf_counter() - start
    return [
        (
            "a sheet of 1,000 hands",
            f"{taken[1000]:.2f} s, of 100 {taken[100]:.2f} s: {taken[1000] / taken[100]:.1f} times (aim: linear, 10)",
        )
    ]


def _starts(place: pathlib.Path) -> list[tuple[str, str]]:
    db = str(place / "start.db")
    with open_store(db) as store:
        record(store, sheet(3))
    bare = _seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 7)
    rows = []
    for what, arguments, aim in (
        ("the start of mistigris --version", ["--version"], 0.15),
        ("the start of mistigris table", ["--db", db, "table", "last"], 0.4),
    ):
        command = [sys.executable, "-m", "cli.entry", *arguments]
        seconds = _seconds(lambda c=command: subprocess.run(c, check=True, capture_output=True), 7)  # type: ignore[misc]
        rows.append((what, f"{seconds:.2f} s, {seconds / bare:.0f} times a bare Python (aim {aim} s)"))
    return rows
