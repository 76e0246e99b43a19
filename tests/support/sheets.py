"""A sheet played in memory, without a store: what the plain examples of the rules are written in."""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bench.generator import enter
from ledger.audit import audit
from ledger.names import Names
from ledger.refusal import Refusal, told
from ledger.session.state import Recorded, Session
from ledger.sheet.parse import parse
from ledger.sheet.statements import SheetError
from ledger.sheet.translate import Context, translate
from ledger.table.options import options, to_act
from ledger.views import hand_view


@dataclass(slots=True)
class Played:
    """What became of a sheet: the session up to the first statement refused, and why that was."""

    session: Session
    names: Names
    stream: list[Recorded] = field(default_factory=list)
    refusal: Refusal | None = None
    at: str = ""

    @property
    def refused(self) -> str | None:
        """The rule of the refusal; "" where no rule is concerned."""
        return None if self.refusal is None else (self.refusal.rule or "")

    @property
    def net(self) -> dict[str, int]:
        """What the last hand brought each, by name."""
        return dict(self.hand["net"])

    @property
    def hand(self) -> dict[str, Any]:
        """The last hand as the contract's JSON."""
        return hand_view(self.session, self.session.hands[-1], self.names.name)

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        hand = self.session.in_play
        player = None if hand is None else to_act(hand, self.session.bank.held)
        return None if player is None else self.names.name(player)

    @property
    def allowed(self) -> list[tuple[str, str, int | None, int | None]]:
        """What the table offers: player, action, least, most."""
        hand = self.session.in_play
        found = [] if hand is None else options(hand, self.session.bank.held)
        return [(self.names.name(o.player), o.action, o.least, o.most) for o in found]

    @property
    def found(self) -> list[str]:
        """The rules the audit finds broken."""
        return [f.rule for f in audit(self.session.id, self.stream)]

    @property
    def held(self) -> dict[str, int]:
        """Units before each player, by name."""
        return {self.names.name(p): units for p, units in self.session.bank.held.items()}


def play(text: str) -> Played:
    """Plays a sheet, with its session line put before it, to its end or to the first statement refused."""
    statements = parse('session "Example" on 1897-01-01\n' + text, file="example.sheet")
    assert not isinstance(statements, SheetError), statements
    salts = count(1)
    names = Names([], lambda size: next(salts).to_bytes(size, "big"))
    played = Played(Session("e" * 32), names)
    context = Context(played.session, names, Path(), lambda: ())
    for number, statement in enumerate(statements):
        asked = translate(statement, context)
        if not isinstance(asked, Refusal):
            done = enter(played.session, asked.command, asked.occurred_at, number)
            if not isinstance(done, Refusal):
                played.stream += done
                continue
            asked = done
        played.refusal, played.at = asked, statement.text
        return played
    return played


def sentence(played: Played) -> str:
    """The refusal as it is told, by name; empty where nothing was refused."""
    return "" if played.refusal is None else told(played.refusal.sentence, played.names.name)
