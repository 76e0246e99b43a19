"""Random evenings for the property tests: hypothesis chooses the rules and a seed, `bench.generator` plays them.

A failure prints its `Plan`; `played(plan)` plays the same evening again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bench.generator import (
    LEGAL,
    PLAIN,
    WILD,
    Evening,
    Taste,
    begin_evening,
    begin_hand,
    end_evening,
    play_hand,
    random_rules,
    step,
)
from ledger.rules.model import Rules
from ledger.session.project import fold
from ledger.session.state import Recorded, Session

RULE_SETS = ("english", "chambers", "foster", "modern")
TASTES: dict[str, Taste] = {"plain": PLAIN, "legal": LEGAL, "wild": WILD}
Test = TypeVar("Test", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes an evening: everything else comes from these."""

    rules: str
    seed: int
    players: int
    hands: int
    taste: str

    def house(self) -> Rules:
        """The rules of the evening, some of the set's switches changed."""
        return random_rules(Random(f"{self.rules} {self.seed}"), self.rules)


def plans(taste: str, *, hands: int = 4) -> st.SearchStrategy[Plan]:
    """Evenings under all four rule sets."""
    return st.builds(
        Plan,
        rules=st.sampled_from(RULE_SETS),
        seed=st.integers(0, 2**32 - 1),
        players=st.integers(2, 7),
        hands=st.integers(1, hands),
        taste=st.just(taste),
    )


def begun(plan: Plan) -> Evening:
    """The evening with everybody seated and no hand yet."""
    return begin_evening(Random(plan.seed), plan.house(), players=plan.players, taste=TASTES[plan.taste])


def played(plan: Plan, *, close: bool = True) -> Evening:
    """The whole evening."""
    evening = begun(plan)
    while len(evening.session.hands) < plan.hands:
        play_hand(evening)
    if close:
        end_evening(evening)
    return evening


def steps(plan: Plan) -> Iterator[Evening]:
    """The evening at every step of every hand, before what comes next."""
    evening = begun(plan)
    while len(evening.session.hands) < plan.hands or evening.session.in_play is not None:
        if evening.session.in_play is None:
            begin_hand(evening)
        yield evening
        if evening.session.in_play is not None:
            step(evening)


def quick(examples: int) -> Callable[[Test], Test]:
    """The short form, in every run: always the same examples."""
    return _settings(examples, derandomize=True)


def thorough(examples: int) -> Callable[[Test], Test]:
    """The long form: new examples each time."""
    return _settings(examples, derandomize=False)


def _settings(examples: int, *, derandomize: bool) -> Callable[[Test], Test]:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=derandomize,
        print_blob=not derandomize,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def by_command(stream: list[Recorded]) -> list[list[Recorded]]:
    """The stream, one list for each command."""
    return [list(rows) for _, rows in groupby(stream, key=lambda r: r.command)]


def copied(evening: Evening, seed: int) -> Evening:
    """The same evening, to be played on another way."""
    session = fold(evening.session.id, evening.stream)
    return Evening(
        Random(seed), PLAIN, session, list(evening.stream), list(evening.commands), evening.truth,
        list(evening.truths), evening.clock,
    )  # fmt: skip


def parts(session: Session, *but: str) -> dict[str, Any]:
    """A session's fields, positions in the ledger apart, for comparing."""
    found = {name: getattr(session, name) for name in Session.__slots__ if name not in but}
    found["log"] = [(r.version, r.event, r.occurred_at, r.zone, r.command, r.cause) for r in session.log]
    return found
