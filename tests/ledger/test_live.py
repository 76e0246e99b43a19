"""An evening recorded while it is played: limits on losing warn, ask, or refuse (R-LOSS-LIMIT)."""

import pytest

from ledger.recorder import SheetRecorded, SheetRefused
from ledger.refusal import told
from ledger.store import open_store
from ledger.store.store import Store
from tests.support.recorded import enter

HEAD = """session "Limited" on 2026-11-27
rules foster
set ante 2
set limit 20
{switch}
seat A B C
A buys 100; B buys 100; C buys 100
C loss-limit {limit}
hand dealer A
B antes
deal
C opens 4; A calls; B passes
C draws 3; A draws 1
C bets 20; A calls
C shows 3c 4c 7d 9h Jd
A shows 2h 2s 9s 8c Kd
"""
NEXT = """hand
C antes
deal
A opens 4; B passes; C passes
"""


class Host:
    """Answers what he is asked, and remembers it."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, question: str) -> bool:
        self.asked.append(question)
        return self.answer


def recorded(
    store: Store, text: str, host: Host | None, limit: int = 24, switch: str = ""
) -> SheetRecorded | SheetRefused:
    return enter(store, text.format(switch=switch, limit=limit), ask=host)


@pytest.mark.parametrize(("limit", "level"), [(24, 100), (25, 90), (30, 75), (40, 50), (60, None)])
def test_he_is_warned_at_parts_of_his_limit(limit: int, level: int | None) -> None:
    with open_store("sqlite://") as store:
        done = recorded(store, HEAD, Host(True), limit)
    assert isinstance(done, SheetRecorded)
    wanted = (
        [] if level is None else [f"16: R-LOSS-LIMIT: C has lost {level} % of his limit of {limit}, or more"]
    )
    assert done.warnings == wanted


def test_who_has_reached_his_limit_is_dealt_in_only_if_the_host_says_so() -> None:
    for answer, outcome in ((True, SheetRecorded), (False, SheetRefused)):
        host = Host(answer)
        with open_store("sqlite://") as store:
            assert isinstance(recorded(store, HEAD, host), SheetRecorded)
            assert isinstance(recorded(store, HEAD + NEXT, host), outcome)
        assert host.asked == ["C has reached his limit of 24: deal him in?"]


def test_the_refusal_tells_who_of_the_table_sits_out() -> None:
    with open_store("sqlite://") as store:
        done = recorded(store, HEAD + NEXT, Host(False))
    assert isinstance(done, SheetRefused)
    sentence = told(done.refusal.sentence, done.names.name)
    assert (done.line, sentence) == (17, "C has reached his limit of 24; C sits out")


def test_the_rules_may_refuse_it_without_asking() -> None:
    host = Host(True)
    with open_store("sqlite://") as store:
        done = recorded(store, HEAD + NEXT, host, switch="set loss_limits refuse")
    assert isinstance(done, SheetRefused)
    assert (done.line, done.refusal.rule) == (17, "R-LOSS-LIMIT")
    assert host.asked == []


def test_a_sheet_written_afterwards_is_never_refused_for_it() -> None:
    with open_store("sqlite://") as store:
        done = recorded(store, HEAD + NEXT, None, switch="set loss_limits refuse")
    assert isinstance(done, SheetRecorded)
    assert done.warnings == []
