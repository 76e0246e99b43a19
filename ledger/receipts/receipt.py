"""Receipts: a position and its hash, to be kept by a player; and holding a ledger to one.

What a receipt proves: that the events up to its position are, bit for bit, those that stood there when it was
given. Not what came after it, and not that what was typed was what happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from ledger.house import evenings, openings
from ledger.listing import list_sessions
from ledger.loading import load_session
from ledger.receipts.notes import (
    Checkpoint,
    Note,
    NoteError,
    PublicKey,
    is_signature,
    parse_checkpoint,
    parse_note,
    signed_by,
)
from ledger.receipts.short import parse_short
from ledger.session.state import Session
from ledger.store.model import Broken, Head
from ledger.store.store import Store
from ledger.times import moment


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a receipt says. `hash` has 32 bytes, of a short form the first 10; only the long form names its ledger."""

    position: int
    hash: bytes
    origin: str | None = None
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Covered:
    """An evening that a receipt covers: wholly, or to the end of a hand (None: to no hand's end) at some event."""

    session: str
    title: str
    whole: bool
    hand: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """A ledger held to a receipt: why it does not match (None: it does), and what the receipt covers if so.

    `broken` tells of a chain that breaks only after the receipt. `signed` is True, False (a wrong signature), or None:
    by nobody, or by a key not known here.
    """

    receipt: Receipt
    fault: str | None
    head: Head
    covered: tuple[Covered, ...] = ()
    broken: Broken | None = None
    signed: bool | None = None


def origin(ledger_id: str) -> str:
    """The first line of every note about a ledger."""
    return f"mistigris/{ledger_id}"


def receipt_for(store: Store, session: Session, hand: int | None = None) -> Checkpoint:
    """What a receipt says of a session as far as it is recorded, or to the end of one hand, withdrawn ones apart."""
    last = session.version if hand is None else session.hands[hand - 1].last_version
    event = next(stored for stored in store.read(session.id) if stored.version == last)
    recorded = moment(event.recorded_at, "UTC")
    more = [f"session {session.id}", f"recorded {recorded:%Y-%m-%dT%H:%M:%SZ}"]
    if hand is not None:
        more.insert(1, f"hand {hand}")
    return Checkpoint(origin(store.ledger_id), event.position, event.hash, tuple(more))


def parse_receipt(text: str) -> Receipt:
    """A receipt from its long or its short form. Raises NoteError in one clear line.

    The long form may be quoted, as in a mail, and may stand among other lines, as the command prints it.
    """
    short = parse_short(text.strip("\ufeff"))
    if isinstance(short, str):
        raise NoteError(short)
    if short is not None:
        return Receipt(*short)
    try:
        return _long(text)
    except NoteError:
        within = _within(text)
        if within is None:
            raise
    return _long(within)


def _long(text: str) -> Receipt:
    note = parse_note(text)
    said = parse_checkpoint(note.text)
    return Receipt(said.position, said.hash, said.origin, note)


def _within(text: str) -> str | None:
    """The note that stands among other lines: from the first that begins as an origin does to its signatures."""
    lines = [line.strip("> \ufeff") for line in text.splitlines()]
    first = next((n for n, line in enumerate(lines) if line.startswith(origin(""))), None)
    if first is None:
        return None
    said = list(takewhile(bool, lines[first:]))
    signed = list(takewhile(is_signature, lines[first + len(said) + 1 :]))
    return "\n".join([*said, "", *signed])


def hold(store: Store, receipt: Receipt, keys: Sequence[PublicKey] = ()) -> Held:
    """Holds a ledger to a receipt: recomputes the chain up to it and beyond."""
    head = store.head()
    signed = _signed(receipt, keys)
    fault = _fault(store, receipt, head)
    if fault is None and signed is False:
        fault = "the signature on the receipt is wrong: it was altered after it was signed"
    if fault is not None:
        return Held(receipt, fault, head, signed=signed)
    verified = store.verify()
    broken = verified if isinstance(verified, Broken) else None
    return Held(receipt, None, head, tuple(_covered(store, receipt.position)), broken, signed)


def _fault(store: Store, receipt: Receipt, head: Head) -> str | None:
    if receipt.origin not in (None, origin(store.ledger_id)):
        return f"the receipt is of another ledger, {receipt.origin}; this is {origin(store.ledger_id)}"
    if head.position == 0:
        return f"the ledger is empty, and the receipt is for event {receipt.position}"
    if receipt.position > head.position:
        return f"the ledger ends at event {head.position}, and the receipt is for event {receipt.position}"
    walk = store.follow(1, receipt.position)
    if isinstance(walk, Broken):
        return f"the chain is broken at event {walk.position}: {walk.reason}"
    if walk.position != receipt.position or walk.hash[: len(receipt.hash)] != receipt.hash:
        return f"event {receipt.position} has another hash: something up to it was changed since"
    return None


def _signed(receipt: Receipt, keys: Sequence[PublicKey]) -> bool | None:
    found = [signed_by(receipt.note, key) for key in keys] if receipt.note is not None else []
    answers = [answer for answer in found if answer is not None]
    return all(answers) if answers else None


def _covered(store: Store, position: int) -> list[Covered]:
    opened = openings(store)
    closed = {row["session"] for row in list_sessions(store) if row["closed"]}  # one opened again is not
    found = []
    for span in evenings(store):
        if span.session not in opened:  # what it was called is gone, and the chain tells so
            continue
        if span.last_position <= position and span.session in closed:
            found.append(Covered(span.session, opened[span.session].title, True, None))
        elif span.first_position <= position:
            state = load_session(store, span.session, position)
            over = [hand.number for hand in state.hands if hand.over]
            found.append(Covered(span.session, opened[span.session].title, False, over[-1] if over else None))
    return found
