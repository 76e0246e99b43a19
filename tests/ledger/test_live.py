"""An evening recorded while it is played: limits on losing warn, ask, or refuse (R-LOSS-LIMIT)."""

import pytest

from ledger.recorder import SheetRecorded, SheetRefused
from ledger.refusal import told
from ledger.store import open_store
from ledger.store.store import Store
from tests.support.recorded import enter, record

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


def of(title: str, when: str, counts: str, policy: str = "warn") -> str:
    """An evening of one hand in which C, whose limit is 40, loses 24."""
    head = HEAD.replace('"Limited" on 2026-11-27', f'"{title}" on {when} in Europe/London')
    return head.format(switch=f"set loss_limit_counts {counts}; set loss_limits {policy}", limit=40)


FIRST = ("First", "2026-11-27 at 14:00")


@pytest.mark.parametrize(
    ("when", "counts", "level"),
    [
        ("2026-11-27 at 20:00", "session", 50),
        ("2026-11-27 at 20:00", "day", 100),
        ("2026-11-28 at 02:00", "day", 50),
        ("2026-11-28 at 02:00", "24_hours", 100),
        ("2026-11-28 at 14:00", "24_hours", 50),
    ],
)
def test_he_is_warned_by_the_house_s_way_of_counting(when: str, counts: str, level: int) -> None:
    with open_store("sqlite://") as store:
        record(store, of(*FIRST, counts))
        done = record(store, of("Second", when, counts), ask=Host(True))
    assert done.warnings[-1] == f"16: R-LOSS-LIMIT: C has lost {level} % of his limit of 40, or more"


def test_counters_of_another_price_do_not_count_towards_his_limit() -> None:
    with open_store("sqlite://") as store:
        record(store, of(*FIRST, "day").replace("seat", "unit 5c\nseat"))
        done = record(store, of("Second", "2026-11-27 at 20:00", "day"), ask=Host(True))
    assert done.warnings == ["16: R-LOSS-LIMIT: C has lost 50 % of his limit of 40, or more"]


@pytest.mark.parametrize(("policy", "asked"), [("warn", 1), ("refuse", 0)])
def test_who_reached_his_limit_over_the_day_is_kept_out(policy: str, asked: int) -> None:
    host = Host(False)
    second = of("Second", "2026-11-27 at 20:00", "day", policy)
    with open_store("sqlite://") as store:
        record(store, of(*FIRST, "day"))
        record(store, second, ask=host)
        done = enter(store, second + NEXT, ask=host)
    assert isinstance(done, SheetRefused)
    assert (done.line, done.refusal.rule, len(host.asked)) == (17, "R-LOSS-LIMIT", asked)


def test_who_is_ahead_over_the_day_may_go_on_though_the_rules_refuse_by_the_evening() -> None:
    won = of(*FIRST, "day", "refuse").replace("C shows 3c 4c 7d 9h Jd", "C shows 3c 3d 3h 9h Jd")
    second = of("Second", "2026-11-27 at 20:00", "day", "refuse").replace("limit 40", "limit 20")
    with open_store("sqlite://") as store:
        record(store, won)
        assert record(store, second + NEXT, ask=Host(False)).warnings == []
