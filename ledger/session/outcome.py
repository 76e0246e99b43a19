"""What a command comes to, and the shapes of the functions that say so."""

from collections.abc import Callable, Iterator
from typing import Any

from ledger import events as ev
from ledger.refusal import Refusal
from ledger.session.state import Session

Outcome = list[ev.Event] | Refusal
Decide = Callable[[Session, Any], Outcome]
Judge = Callable[[Session, Any], Iterator[Refusal]]
