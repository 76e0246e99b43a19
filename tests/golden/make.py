"""Makes the golden ledger of the current schema: `python -m tests.golden.make` from the sheets beside this file.

A golden ledger is what this program once wrote, kept for good; it is made anew only until it is released. Clock and
entropy are fixed, so that the same sheets give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ledger import events as ev
from ledger.house import HOUSE, corrections, evenings
from ledger.importing import Imported, import_history
from ledger.loading import load_session
from ledger.people import load_names
from ledger.recorder import SheetRecorded, record_sheet
from ledger.session.state import Session
from ledger.sheet.parse import parse
from ledger.store import Appended, CommandDrafts, Draft, open_store
from ledger.store.store import Store
from ledger.table.hand import Hand

HERE = Path(__file__).parent
VERSION = "v1"
START = 1_796_000_000_000_000


def entropy() -> Callable[[int], bytes]:
    """The same bytes in every run, never the same twice in one."""
    numbers = count()

    def draw(size: int) -> bytes:
        return b"".join(
            hashlib.sha256(f"golden {next(numbers)}".encode()).digest() for _ in range(size // 32 + 1)
        )[:size]

    return draw


def clock() -> Callable[[], int]:
    """A second from each call to the next; microseconds UTC."""
    seconds = count()
    return lambda: START + 1_000_000 * next(seconds)


def fill(store: Store) -> None:
    """Records every sheet and takes in every history, in order of their names."""
    drawn = entropy()
    for path in sorted((HERE / "sheets").iterdir()):
        if path.suffix == ".txt":
            imported = import_history(store, path.read_bytes(), entropy=drawn)
            assert isinstance(imported, Imported), imported
            continue
        statements = parse(path.read_bytes(), file=path.name)
        assert isinstance(statements, list), statements
        done = record_sheet(store, statements, folder=path.parent, entropy=drawn)
        assert isinstance(done, SheetRecorded), (path.name, done)
    _fill_house(store, drawn)


def _fill_house(store: Store, drawn: Callable[[int], bytes]) -> None:
    """Puts one event of every kind into the ledger's own stream; `house.write` dates them by the clock on the wall."""
    names = load_names(store, drawn)
    a, b, c, guest = (names.player(name) or "" for name in ("A", "B", "C", "Player1"))
    renamed, alias = names.another(a, "Ae"), names.another(b, "Bee", called=False)
    first = store.sessions()[0].session
    events: list[ev.Event] = [
        ev.PlayerRenamed(player=a, name_hash=renamed.name_hash.hex()),
        ev.AliasGiven(player=b, name_hash=alias.name_hash.hex()),
        ev.PlayersMerged(player=guest, into=c),
        ev.PlayersMerged(player=b, into=c),
        ev.PlayerUnmerged(player=b),
        ev.Corrected(session=first, hand=2, text="the raise was of twelve", units=1, giver=c, taker=b),
        ev.NameErased(player=c),
    ]
    drafts = tuple(Draft(e.type, e.schema_version, ev.encode(e), START, "Europe/London") for e in events)
    appended = store.append(HOUSE, 0, [CommandDrafts(drawn(16), bytes(32), drafts)], names.new)
    assert isinstance(appended, Appended)
    store.erase_name(c)


def summary(store: Store) -> dict[str, Any]:
    """What must come out of the events for good: people, and by session counters, hands, what is on record."""
    names = load_names(store, entropy())
    moved = [(c.text, c.units) for c in corrections(store)]
    return {
        "people": [[p.label, list(p.also), p.into and names.name(p.into), p.erased] for p in names.people()],
        "corrections": moved,
        "evenings": [_session(load_session(store, span.session), names.name) for span in evenings(store)],
    }


def _session(session: Session, name: Callable[[str], str]) -> dict[str, Any]:
    bank = session.bank
    return {
        "title": session.title,
        "date": session.date,
        "zone": session.zone,
        "version": session.version,
        "told_at": session.told_at,
        "closed": session.closed,
        "rules": None if session.rules is None else session.rules.name,
        "seats": [name(p) for p in session.seats],
        "away": sorted(map(name, session.away)),
        "gone": sorted(map(name, session.gone)),
        "bought": _by_name(bank.bought, name),
        "held": _by_name(bank.held, name),
        "cashed": _by_name(bank.cashed, name),
        "counters": [bank.pool, bank.kitty, bank.spent, bank.rake, bank.brought_forward, bank.difference],
        "borne": [[b.player and name(b.player), b.kitty, b.units] for b in session.borne],
        "hands": [_hand(hand, name) for hand in session.hands],
        "rulings": [[r.hand, r.text, r.units] for r in session.rulings],
        "disputes": [[d.hand, name(d.player), d.claim] for d in session.disputes],
        "withdrawn": [[w.kind, w.first, w.last] for w in session.withdrawn],
        "kitty": [[k.kind, k.units] for k in session.kitty_entries],
    }


def _hand(hand: Hand, name: Callable[[str], str]) -> dict[str, Any]:
    return {
        "number": hand.number,
        "dealer": name(hand.dealer),
        "phase": hand.phase,
        "pool": hand.won_pool,
        "staked": _by_name(hand.staked, name),
        "awards": [[name(a.player), a.units, a.pot, a.hand] for a in hand.awards],
        "carried": [hand.carried, hand.carried_on],
        "shown": {name(p): list(cards) for p, cards in hand.shown.items()},
        "marks": [m.rule for m in hand.marks],
    }


def _by_name(units: dict[str, int], name: Callable[[str], str]) -> dict[str, int]:
    return dict(sorted((name(player), amount) for player, amount in units.items()))


def lines() -> Iterator[tuple[str, bytes]]:
    """The golden files: name and content."""
    with open_store("sqlite://", clock=clock(), entropy=entropy()) as store:
        fill(store)
        yield "ledger.jsonl", b"".join(store.lines())
        yield "state.json", (json.dumps(summary(store), indent=1, ensure_ascii=False) + "\n").encode()


def main() -> None:
    """Writes the files of the current version."""
    folder = HERE / VERSION
    folder.mkdir(exist_ok=True)
    for name, content in lines():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
