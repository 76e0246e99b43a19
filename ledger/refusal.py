"""A refusal: what may not be recorded as asked, by which rule, and what would have been allowed.

A refusal is a value, not an exception. Players stand in messages as `@` and their id, for the rooms
that write messages know no names; whoever prints one puts the names in (`told`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_PLAYER = re.compile(r"@([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is refused.

    `rule` is an id of the catalogue, or None where no rule of the game is concerned (an unknown
    name, a changed line). `message` says what is wrong; `allowed` what would have been right.
    """

    rule: str | None
    message: str
    allowed: str = ""
    final: bool = False
    """Not even a `!` records it: it has no meaning at the table as it stands."""
    unreadable: bool = False
    """What was written says nothing that could be asked (a fraction, an unknown word): wrong usage."""

    @property
    def sentence(self) -> str:
        """The message with what would have been allowed, players still as ids."""
        return f"{self.message}; {self.allowed}" if self.allowed else self.message


def told(text: str, name_of: Callable[[str], str]) -> str:
    """The text with a name in the place of every `@` and player id."""
    return _PLAYER.sub(lambda found: name_of(found[1]), text)
