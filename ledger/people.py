"""People of the ledger: their names loaded, and renaming, merging, un-merging, aliases and erasing, each on record.

Each gives an error as text where it cannot be done, and nothing is then recorded. No event of an evening is
touched: players stand there by id.
"""

import os
import re
from collections.abc import Callable

import orjson

from ledger import events as ev
from ledger.codec import to_recorded
from ledger.house import write
from ledger.loading import load_session
from ledger.names import Names, plain
from ledger.rules.load import SHIPPED
from ledger.store.store import Store

_NAMING = ("player_named", "player_renamed", "alias_given", "players_merged", "player_unmerged")
_TEXTS = (
    "session_opened", "noted", "withdrawn", "kitty_paid", "kitty_spent", "misdealt", "marked_irregular", "disputed",
    "ruled", "corrected", "hand_begun", "rules_set",
)  # fmt: skip
_TEXT_KEYS = ("title", "text", "reason", "claim", "message", "source_id")


def load_names(store: Store, entropy: Callable[[int], bytes] = os.urandom) -> Names:
    """The names of the ledger as they stand, by what was recorded of them in order."""
    history = [to_recorded(stored).event for stored in store.of_type(*_NAMING) if stored.payload is not None]
    return Names(store.names(), entropy, history)


def rename(store: Store, old: str, new: str) -> str:
    """A player is called otherwise from now on; gives what he is told by. Raises ValueError where it cannot be."""
    names, player = _find(store, old)
    if plain(new) == names.name(player):
        raise ValueError(f"{names.name(player)} is called so already")
    row = names.another(player, _name(new))
    write(store, [ev.PlayerRenamed(player=player, name_hash=row.name_hash.hex())], names.new)
    return names.name(player)


def alias(store: Store, name: str, other: str) -> str:
    """Another name that finds a player; gives what he is told by. Raises ValueError where it cannot be."""
    names, player = _find(store, name)
    found = names.player(_name(other))
    if found is not None:
        raise ValueError(f"{plain(other)} is {names.name(found)} already")
    row = names.another(player, other, called=False)
    write(store, [ev.AliasGiven(player=player, name_hash=row.name_hash.hex())], names.new)
    return names.name(player)


def merge(store: Store, name: str, into: str) -> tuple[str, str, str]:
    """Two who were one all along count as `into`; gives (who was merged, who he is, the id merged). Raises ValueError.

    By the id alone `unmerge` surely finds him: once merged, `B (2)` is told by no name of his own.
    """
    names, player = _find(store, name)
    _, whole = _find(store, into)
    if player == whole:
        raise ValueError(f"{names.name(player)} is one player already")
    together = _together(store, {*names.group(player)}, {*names.group(whole)})
    if together:
        raise ValueError(f"{names.name(player)} and {names.name(whole)} sat at one table: “{together}”")
    told = names.name(player), names.name(whole), player
    write(store, [ev.PlayersMerged(player=player, into=whole)])
    return told


def unmerge(store: Store, name: str) -> str:
    """Undoes a merge; gives what the player is told by again. Raises ValueError where none is to be undone."""
    found = load_names(store).merged(name)
    if len(found) != 1:
        listed = f"several were: give the id, {', '.join(p[:8] for p in found)}" if found else "nobody was"
        raise ValueError(f"{plain(name)}: {listed} merged into another; mistigris names lists them")
    write(store, [ev.PlayerUnmerged(player=found[0])])
    return load_names(store).name(found[0])


def erase(store: Store, name: str) -> tuple[str, int]:
    """Erases every name of a player; gives what he is told by now, and how many rows went. Raises ValueError."""
    names, player = _find(store, name)
    ids = names.group(player)
    write(store, [ev.NameErased(player=p) for p in ids])
    gone = sum(store.erase_name(p) for p in ids)
    return load_names(store).name(player), gone


def texts_with(store: Store, name: str) -> list[int]:
    """Positions of events whose free text holds a name as a word: they are chained, and cannot be erased."""
    wanted = re.compile(rf"(?<!\w){re.escape(plain(name))}(?!\w)", re.IGNORECASE)
    return [
        stored.position
        for stored in store.of_type(*_TEXTS)
        if stored.payload is not None and any(wanted.search(plain(t)) for t in _free_texts(stored.payload))
    ]


def _free_texts(payload: bytes) -> list[str]:
    """What was typed freely in an event: its own texts, and what a house calls its rules."""
    said = orjson.loads(payload)
    texts = [str(said.get(key, "")) for key in _TEXT_KEYS]
    rules = str(said.get("rules", {}).get("name", ""))
    return texts if rules in SHIPPED else [*texts, rules]


def names_of(names: Names, player: str) -> list[str]:
    """Every name that finds a player, what he is told by first."""
    ids = names.group(player)
    also = [n for person in names.people() if person.player in ids for n in (person.label, *person.also)]
    return list(dict.fromkeys([names.name(player), *also]))


def _find(store: Store, name: str) -> tuple[Names, str]:
    names = load_names(store)
    player = names.player(name)
    if player is None:
        known = ", ".join(names.known())
        raise ValueError(
            f"nobody is called {plain(name)}; known are {known}" if known else "nobody is known yet"
        )
    return names, names.canonical(player)


def _name(text: str) -> str:
    name = plain(text)
    if not name or len(name) > 200 or not name.isprintable():
        raise ValueError("a name is one line of 1 to 200 characters")
    return name


def _together(store: Store, ones: set[str], others: set[str]) -> str | None:
    """The title of a session in which one of each had a seat, or None."""
    seated: dict[str, set[str]] = {}
    for stored in store.of_type("seated"):
        event = to_recorded(stored).event
        assert isinstance(event, ev.Seated)
        seated.setdefault(stored.session, set()).add(event.player)
    for session, players in seated.items():
        if players & ones and players & others:
            state = load_session(store, session)
            there = {*state.people()}
            if there & ones and there & others:
                return state.title
    return None
