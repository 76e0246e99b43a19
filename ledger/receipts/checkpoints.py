"""Checkpoints: the head of a ledger signed with the host's key at every close, and the chain held to them.

One stands in the store, beside the chain; the newest also beside the key. Who has the file and not the key
can build the chain anew but not its checkpoints; who puts an older copy of the file in its place is found by
the one beside the key. Against the host himself only a receipt in another's pocket stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger.receipts.keys import KeyFileError, host_key, keep_newest, newest_path
from ledger.receipts.notes import Checkpoint, NoteError, PublicKey, parse_checkpoint, parse_note, signed_by
from ledger.receipts.receipt import origin
from ledger.store.model import Broken, Verified
from ledger.store.store import Store

HOLDS, UNKNOWN_KEY = "holds", "signed by a key that is not known here"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One checkpoint: on which position, by whose key, and whether it holds; `state` says why it does not."""

    position: int
    key_name: str
    state: str

    @property
    def wrong(self) -> bool:
        """Whether it speaks against the chain; one by an unknown key speaks neither way."""
        return self.state not in (HOLDS, UNKNOWN_KEY)


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain alone, its checkpoints, and what of it they anchor: events 1 to `anchored`, nought for none."""

    found: Verified | Broken
    anchors: tuple[Anchor, ...]
    fault: Broken | None

    @property
    def anchored(self) -> int:
        """The last position that a checkpoint which holds is on."""
        return max((a.position for a in self.anchors if a.state == HOLDS), default=0)


def sign_head(store: Store, path: Path) -> Checkpoint:
    """Signs the head, keeps the note in the store and beside the key at `path`. Raises KeyFileError and StoreError.

    A ledger that no longer holds what was signed last is not signed anew: that would hide what happened to it.
    """
    key = host_key(path)
    head = store.head()
    before = _newest(store, path, [key.public])
    if before is not None and before.wrong:
        raise KeyFileError(
            f"the checkpoint on event {before.position} speaks against this ledger: {before.state}"
        )
    said = Checkpoint(origin(store.ledger_id), head.position, head.hash)
    note = key.sign(said.text).whole
    if not any((p, n) == (head.position, key.public.name) for p, n, _ in store.checkpoints()):
        store.keep_checkpoint(head.position, key.public.name, note)
    now = _newest(store, path, [key.public])
    if now is None or now.position <= head.position:  # else another evening was closed and signed meanwhile
        keep_newest(path, store.ledger_id, note)
    return said


def check_chain(store: Store, keys: Sequence[PublicKey], path: Path | None = None) -> Chain:
    """Verifies the chain and holds it to its checkpoints, and to the newest one kept beside the key at `path`."""
    found = store.verify()
    anchors = [_state(store, position, name, note, keys) for position, name, note in store.checkpoints()]
    # where the chain is broken that is what is told; what the newest checkpoint is held to may be gone
    newest = None if path is None or isinstance(found, Broken) else _newest(store, path, keys)
    if newest is not None and newest not in anchors:
        anchors.append(newest)
    fault = found if isinstance(found, Broken) else None
    wrong = next((a for a in anchors if a.wrong), None)
    if fault is None and wrong is not None:
        fault = Broken(wrong.position, f"the checkpoint on it speaks against the chain: {wrong.state}")
    return Chain(found, tuple(anchors), fault)


def _newest(store: Store, path: Path, keys: Sequence[PublicKey]) -> Anchor | None:
    place = newest_path(path, store.ledger_id)
    try:
        note = place.read_text() if place.exists() else None
    except (OSError, UnicodeDecodeError) as fault:
        raise KeyFileError(f"{place}: cannot be read: {fault}") from None
    if note is None:
        return None
    try:
        said = parse_checkpoint(parse_note(note).text)
    except NoteError as fault:
        raise KeyFileError(f"{place}: {fault}") from None
    names = [s.name for s in parse_note(note).signatures]
    anchor = _state(store, said.position, names[0] if names else "", note, keys)
    if store.head().position < said.position:
        if store.copy_for is not None:  # it ends where it was given away, and the ledger went on
            return None
        gone = f"the ledger ended at event {said.position} when it was signed ({place})"
        return Anchor(anchor.position, anchor.key_name, f"{gone}; an older copy is in its place")
    return anchor


def _state(store: Store, position: int, name: str, text: str, keys: Sequence[PublicKey]) -> Anchor:
    try:
        note = parse_note(text)
        said = parse_checkpoint(note.text)
    except NoteError as fault:
        return Anchor(position, name, str(fault))
    answers = [answer for key in keys if (answer := signed_by(note, key)) is not None]
    if not answers:
        state = UNKNOWN_KEY
    elif not all(answers):
        state = "its signature is wrong"
    elif (said.origin, said.position) != (origin(store.ledger_id), position):
        state = "it is of another ledger or place"
    elif store.hash_at(position) != said.hash:
        state = "the chain has another hash there"
    else:
        state = HOLDS
    return Anchor(position, name, state)
