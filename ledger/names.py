"""Names beside the ledger: who is called what. Players stand in events by id (promise 9).

The event that gives a name carries its hash, salted; name and salt stand in the store's `names` and can be erased,
after which a player is told by the beginning of his id. Names are compared exactly after NFC, outer blanks off.
"""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable

from ledger.store.model import NameRow


def plain(name: str) -> str:
    """The name as it is compared and kept: NFC, without outer blanks."""
    return unicodedata.normalize("NFC", name).strip()


def name_hash(name: str, salt: bytes) -> bytes:
    """The salted hash (32 bytes, SHA-256) by which a name can be proved or, once erased, is nothing."""
    return hashlib.sha256(salt + plain(name).encode()).digest()


class Names:
    """The names of one ledger, by player and by name; new ones are kept until they are recorded."""

    def __init__(self, rows: Iterable[NameRow], entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._name: dict[str, str] = {}
        self._player: dict[str, str] = {}
        self.new: list[NameRow] = []
        for row in rows:
            self._know(row)

    def _know(self, row: NameRow) -> None:
        self._name[row.player] = row.name
        self._player.setdefault(row.name, row.player)

    def player(self, name: str) -> str | None:
        """The id of the player of that name, or None."""
        return self._player.get(plain(name))

    def name(self, player: str) -> str:
        """The player's name, or where it was erased the beginning of his id."""
        return self._name.get(player) or f"player {player[:6]}"

    def give(self, name: str) -> NameRow:
        """A new player of that name, not recorded yet."""
        salt = self._entropy(16)
        row = NameRow(self._entropy(16).hex(), plain(name), salt, name_hash(name, salt))
        self.new.append(row)
        self._know(row)
        return row

    def known(self) -> list[str]:
        """All names, in order."""
        return sorted(self._player)
