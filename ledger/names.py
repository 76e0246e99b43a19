"""Names beside the ledger: who is called what. Players stand in events by id.

The event that gives a name carries its hash, salted; name and salt stand in the store's `names` and can be erased,
after which a player is told by the beginning of his id. Names are compared exactly after NFC, outer blanks off. Of two
players of one name the later one is told, and asked for, with his number: `B (2)`.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import chain, count

from ledger import events as ev
from ledger.store.model import NameRow

_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d+)\)")
_BY_ID = re.compile(r"(?:player )?([0-9a-f]{6,32})")


def plain(name: str) -> str:
    """The name as it is compared and kept: NFC, without outer blanks."""
    return unicodedata.normalize("NFC", name).strip()


def name_hash(name: str, salt: bytes) -> bytes:
    """The salted hash (32 bytes, SHA-256) by which a name can be proved or, once erased, is nothing."""
    return hashlib.sha256(salt + plain(name).encode()).digest()


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the ledger: what he is told by, what else finds him, who he counts as (None: himself)."""

    player: str
    label: str
    also: tuple[str, ...]
    into: str | None
    erased: bool


class Names:
    """The names of one ledger, by player and by name; new ones are kept until they are recorded.

    `history` are the events that named, renamed, merged and un-merged players, in order; rows that no event of it
    gave come after it.
    """

    def __init__(
        self, rows: Iterable[NameRow], entropy: Callable[[int], bytes], history: Iterable[ev.Event] = ()
    ) -> None:
        self._entropy = entropy
        self._borne: dict[str, list[str]] = {}  # player -> every name that finds him, in the order given
        self._called: dict[str, str] = {}
        self._into: dict[str, str] = {}
        self.new: list[NameRow] = []
        waiting = {row.name_hash.hex(): row for row in rows}
        for event in history:
            self._follow(event, waiting)
        for row in waiting.values():  # in a copy: named on an evening that is withheld, maybe renamed since
            self._know(row.player, row.name, called=row.player not in self._called)
        self._index()

    def _follow(self, event: ev.Event, waiting: dict[str, NameRow]) -> None:
        if isinstance(event, (ev.PlayerNamed, ev.PlayerRenamed, ev.AliasGiven)):
            row = waiting.pop(event.name_hash, None)
            name = None if row is None else row.name
            self._know(event.player, name, called=not isinstance(event, ev.AliasGiven))
        elif isinstance(event, ev.PlayersMerged):
            self._into.pop(event.player, None)
            # two may merge each into the other at the same moment: the later says nothing new, and must not go round
            if self.canonical(event.into) != event.player:
                self._into[event.player] = event.into
        elif isinstance(event, ev.PlayerUnmerged):
            self._into.pop(event.player, None)

    def _know(self, player: str, name: str | None, *, called: bool = True) -> None:
        borne = self._borne.setdefault(player, [])
        if name is not None:
            borne.append(name)
            if called:
                self._called[player] = name

    def _index(self) -> None:
        """Who bears each name, and by what each is told: of several of one name the first named has it plain."""
        bearers: dict[str, list[str]] = {}
        for player in self._borne:
            if player not in self._into and player in self._called:
                bearers.setdefault(self._called[player], []).append(player)
        self._label: dict[str, str] = {}
        for name, players in bearers.items():
            numbered = (f"{name} ({number})" for number in count(2))
            free = (
                label for label in numbered if label not in bearers
            )  # somebody may be called `B (2)` outright
            self._label |= zip(players, chain([name], free), strict=False)
        self._labelled = {label: player for player, label in self._label.items()}
        self._bearers = bearers

    def canonical(self, player: str) -> str:
        """The id a player counts under: his own, or that of the one he was found to be."""
        while player in self._into:
            player = self._into[player]
        return player

    def group(self, player: str) -> list[str]:
        """All ids that count as the same player, the one he counts under first."""
        whole = self.canonical(player)
        return [whole, *(p for p in self._borne if p != whole and self.canonical(p) == whole)]

    def called(self, player: str) -> str | None:
        """The name a player goes by, without the number that tells him from another of it; None where it was erased."""
        return self._called.get(self.canonical(player))

    def bearers(self, player: str) -> list[str]:
        """All who are called as this player is, the first named first; none where his name was erased."""
        return list(self._bearers.get(self.called(player) or "", ()))

    def player(self, name: str, among: Collection[str] = ()) -> str | None:
        """The id of the player of that name, or None; of several ids that it may mean, one that is `among` these.

        What a player is told by comes before what he was once called or is called besides.
        """
        wanted = plain(name)
        told = self._labelled.get(wanted)
        found = [] if told is None else [told]
        found += [p for p, borne in self._borne.items() if wanted in borne]
        by_id = _BY_ID.fullmatch(wanted)
        if not found and by_id:
            found = [p for p in self._borne if p.startswith(by_id[1])]
            if len({self.canonical(p) for p in found}) > 1:
                return None
        ids = [p for player in found for p in self.group(player)]
        return next((p for p in ids if p in among), ids[0] if ids else None)

    def merged(self, name: str) -> list[str]:
        """The ids that were merged into another and that a name or the beginning of the id means."""
        wanted = plain(name)
        by_id = _BY_ID.fullmatch(wanted)
        return [
            p
            for p in self._into
            if wanted in self._borne.get(p, ()) or (by_id is not None and p.startswith(by_id[1]))
        ]

    def name(self, player: str) -> str:
        """What a player is told by: his name, or where it was erased the beginning of his id."""
        whole = self.canonical(player)
        return self._label.get(whole) or f"player {whole[:6]}"

    def give(self, name: str) -> NameRow:
        """A new player of that name, not recorded yet. `B (2)` is a second B where there is one."""
        given = plain(name)
        numbered = _NUMBERED.fullmatch(given)
        if numbered and len(self._bearers.get(numbered[1], ())) == int(numbered[2]) - 1:
            given = numbered[1]
        return self.another(self._entropy(16).hex(), given)

    def another(self, player: str, name: str, *, called: bool = True) -> NameRow:
        """One more name of a player, not recorded yet; from now on he is `called` so, or it only finds him."""
        salt = self._entropy(16)
        row = NameRow(player, plain(name), salt, name_hash(name, salt))
        self.new.append(row)
        self._know(player, row.name, called=called)
        self._index()
        return row

    def keep(self, row: NameRow) -> None:
        """Holds on to a name that was given before and is not recorded after all."""
        self.new.append(row)
        self._know(row.player, row.name)
        self._index()

    def known(self) -> list[str]:
        """What all players are told by, in order."""
        return sorted(self._labelled)

    def people(self) -> list[Person]:
        """Every player, in the order they were named."""
        return [
            Person(
                player,
                self.name(player),
                tuple(dict.fromkeys(n for n in borne if n != self._called.get(player))),
                self._into.get(player),
                not borne,
            )
            for player, borne in self._borne.items()
        ]
