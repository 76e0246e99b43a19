"""Taking in histories written elsewhere: whole files into sessions, through the same door as anything else.

A file goes in as it is or not at all: every hand is decided, judged and held to what the file prints before the first
event is appended. Hands of one table and stakes are one session until they are more than six hours apart. A hand has
the ids of its commands from its own number, so that it counts once however often it comes.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain

from ledger.formats.pokerstars.asking import Asking, ask, opening
from ledger.formats.pokerstars.played import Played, Stakes, Unreadable, UnreadableError
from ledger.formats.pokerstars.printed import compare
from ledger.formats.pokerstars.reader import read
from ledger.house import openings
from ledger.names import Names
from ledger.recorder import Recorder
from ledger.refusal import Refusal, told
from ledger.store.model import NameRow, StoreError, VersionConflict
from ledger.store.store import Store
from ledger.times import instant, zone_named

Entropy = Callable[[int], bytes]
Progress = Callable[[int, int], None]
ZONE = "America/New_York"
"""The zone of the times in a PokerStars file."""
APART = 6 * 3600 * 1_000_000
"""Hands further apart than this, in microseconds, are two sessions."""
_TRIES = 3
_LIMIT_WORDS = {"fixed": "limit", "pot": "pot limit", "none": "no limit"}


@dataclass(slots=True)
class Imported:
    """What became of a file: hands and events that are new, hands known before, the sessions they are in.

    `notes` are what the one who imports should hear of.
    """

    added: int = 0
    known: int = 0
    events: int = 0
    sessions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def import_history(
    store: Store,
    content: bytes,
    *,
    progress: Progress | None = None,
    entropy: Entropy = os.urandom,
) -> Imported | Unreadable:
    """Takes in what of a file is not on record yet, or says at which line and why nothing of it was.

    `progress` hears before each hand which of how many it is. Raises StoreError where others keep writing to the same
    sessions, and on faults of the store.
    """
    hands = read(content)
    if isinstance(hands, Unreadable):
        return hands
    for _ in range(_TRIES):
        run = _FileRun(store, entropy, progress, len(hands))
        try:
            for table in _tables(hands):
                run.take(table)
        except (UnreadableError, _RefusedError) as fault:
            return fault.found
        if run.flush():
            return run.done
    raise StoreError("somebody else is recording these sessions at the same time; try again")


def first_number(content: bytes) -> int:
    """The number of a file's first hand, by which files are put in the order of play; nought where it has none."""
    hands = read(content)
    return 0 if isinstance(hands, Unreadable) else min(int(hand.id) for hand in hands)


def session_of(hand_id: str) -> str:
    """The id of the session that begins with a hand: 32 hex digits."""
    return hashlib.sha256(f"session\npokerstars\n{hand_id}".encode()).hexdigest()[:32]


def command_id(hand_id: str, place: int) -> bytes:
    """The id of a hand's command, by its place among all of them from nought."""
    return hashlib.sha256(f"pokerstars\n{hand_id}\n{place}".encode()).digest()[:16]


class _RefusedError(Exception):
    """Ends the taking in of a file; never leaves this module."""

    def __init__(self, found: Unreadable) -> None:
        super().__init__(found.message)
        self.found = found


def _tables(hands: Iterable[Played]) -> list[list[Played]]:
    """The hands of each table and stakes, in the order they were played, which is that of their numbers."""
    tables: dict[str, list[Played]] = {}
    for hand in sorted(hands, key=lambda h: int(h.id)):
        tables.setdefault(title(hand), []).append(hand)
    return list(tables.values())


def title(hand: Played) -> str:
    """A session's title: the table, the limit, the stakes."""
    stakes = hand.stakes
    amounts = f"{_amount(stakes, stakes.small)}/{_amount(stakes, stakes.big)}"
    currency = f" {stakes.currency}" if stakes.currency is not None else ""
    return f"{hand.table}, {_LIMIT_WORDS[stakes.limit]} {amounts}{currency}"


def _amount(stakes: Stakes, units: int) -> str:
    if stakes.currency is None:
        return str(units)
    whole, cents = divmod(units, 100)
    return f"{stakes.mark}{whole}.{cents:02}" if cents else f"{stakes.mark}{whole}"


def _instant(hand: Played, after: int) -> int:
    """When a hand began. Of an hour that comes twice, the one that is not before `after`."""
    moments = [instant(hand.at.replace(tzinfo=zone_named(ZONE), fold=fold)) for fold in (0, 1)]
    return moments[0] if moments[0] >= after else moments[1]


@dataclass(slots=True)
class _Sitting:
    """A session of one table as it will be: its recorder and the numbers and times of its first and last hand."""

    recorder: Recorder
    first: tuple[int, int]
    last: tuple[int, int]


class _FileRun:
    """One attempt to take in a file against the store as it is now."""

    def __init__(self, store: Store, entropy: Entropy, progress: Progress | None, hands: int) -> None:
        self.done = Imported()
        self._progress = progress
        self._hands = hands
        self._store = store
        self._entropy = entropy
        self._names = Names(store.names(), entropy)
        self._given: dict[str, list[NameRow]] = {}
        self._touched: dict[str, Recorder] = {}

    def take(self, hands: list[Played]) -> None:
        """The hands of one table, in order. Raises _RefusedError and UnreadableError."""
        sittings, known = self._on_record(title(hands[0]))
        told_at = 0
        for place, hand in enumerate(hands):
            if self._progress is not None:
                self._progress(self.done.added + self.done.known + 1, self._hands)
            told_at = _instant(hand, told_at)
            recorded = known.get(command_id(hand.id, 0))
            if recorded is not None:
                content, session = recorded
                if content != hand.digest:
                    raise _RefusedError(
                        Unreadable(hand.line, f"hand {hand.id} is on record, and otherwise", broken=True)
                    )
                self.done.known += 1
                self._in(session)
                continue
            sitting = self._sitting(sittings, int(hand.id), told_at)
            if sitting is None:
                self._note_if_late(sittings, hand, told_at)
                sitting = self._open(hand, told_at)
                sittings.append(sitting)
            self._play(sitting.recorder, hands, place, told_at)
            sitting.last = (int(hand.id), told_at)

    def flush(self) -> bool:
        """Appends what is new in one transaction; False: another recorder was quicker, and all is to be done anew."""
        if not self._touched:
            return True
        outcome = self._store.append_all(
            [
                recorder.waiting()._replace(names=self._given.get(session, []))
                for session, recorder in self._touched.items()
            ]
        )
        if isinstance(outcome, VersionConflict):
            return False
        if not isinstance(outcome, tuple):
            raise StoreError("hands of this file were recorded meanwhile; import it again")
        self.done.events += sum(appended.added for appended in outcome)
        return True

    def _in(self, session: str) -> None:
        if session not in self.done.sessions:
            self.done.sessions.append(session)

    def _on_record(self, wanted: str) -> tuple[list[_Sitting], dict[bytes, tuple[bytes, str]]]:
        """The open sessions of a title whose hands were imported; every recorded command's content and session."""
        sittings: list[_Sitting] = []
        known: dict[bytes, tuple[bytes, str]] = {}
        for session, opened in openings(self._store).items():
            if opened.title != wanted:
                continue
            for command in self._store.commands(session):
                known[command.command_id] = command.content_hash, session
            recorder = self._recorder(session)
            numbers = [
                (int(h.source_id), h.begun_at)
                for h in recorder.session.hands
                if h.source_id is not None and h.source_id.isdecimal()
            ]
            if numbers and not recorder.session.closed:
                sittings.append(_Sitting(recorder, numbers[0], numbers[-1]))
        return sittings, known

    def _recorder(self, session: str) -> Recorder:
        """A recorder that knows who else was named in this file."""
        recorder = Recorder(self._store, session, entropy=self._entropy)
        recorder.names = self._names
        return recorder

    def _sitting(self, sittings: list[_Sitting], number: int, at: int) -> _Sitting | None:
        """The session a hand goes on with: the last one of its table before it, not more than six hours before."""
        before = [s for s in sittings if s.last[0] < number and at - s.last[1] <= APART]
        return max(before, key=lambda s: s.last, default=None)

    def _note_if_late(self, sittings: list[_Sitting], hand: Played, at: int) -> None:
        if any(s.last[0] > int(hand.id) and s.first[1] - at <= APART for s in sittings):
            self.done.notes.append(
                f"hand {hand.id} was played before hands of its table that are on record: a session of its own"
            )

    def _open(self, first: Played, at: int) -> _Sitting:
        """A new session, to be begun by a hand."""
        recorder = self._recorder(session_of(first.id))
        if recorder.session.version:
            raise _RefusedError(
                Unreadable(first.line, f"the session of hand {first.id} is on record without it", broken=True)
            )
        return _Sitting(recorder, (int(first.id), at), (int(first.id), at))

    def _play(self, recorder: Recorder, hands: list[Played], place: int, at: int) -> None:
        """One of some hands, judged and held to what is printed of it; it opens a session that is new."""
        session, hand = recorder.session, hands[place]
        begun = () if session.rules is not None else opening(hands[place:], title(hand))
        for number, asking in enumerate(chain(begun, ask(hand, session, self._names))):
            self._apply(recorder, hand, asking, at, number)
        assert session.hand is not None
        compare(hand, session.hand, self._names.name)
        given = self._given.setdefault(session.id, [])
        given += self._names.new
        self._names.new.clear()
        self._touched[session.id] = recorder
        self._in(session.id)
        self.done.added += 1

    def _apply(self, recorder: Recorder, hand: Played, asking: Asking, at: int, place: int) -> None:
        outcome = recorder.apply(
            asking.command,
            occurred_at=at,
            zone=ZONE,
            command_id=command_id(hand.id, place),
            content_hash=hand.digest,
        )
        if isinstance(outcome, Refusal):
            message = told(outcome.sentence, self._names.name)
            raise _RefusedError(Unreadable(asking.line, message, outcome.rule, broken=True))
