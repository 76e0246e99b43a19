"""The one door for writing: load a session once, decide and project in memory, append once.

`Recorder` holds a session and takes commands, one action or many; `record_sheet` records a hand sheet. A refusal leaves
nothing recorded; so does a fault, since everything of one call is appended in one transaction.
"""

import hashlib
import os
import pathlib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ledger import commands as cmd
from ledger import events as ev
from ledger.codec import to_draft, to_recorded
from ledger.counters.limits import LEVELS
from ledger.loading import load_session
from ledger.losses import HandNet, by_hands, hand_nets, hands_elsewhere, lost
from ledger.names import Names, plain
from ledger.people import load_names
from ledger.refusal import Refusal
from ledger.session.dealing import MANY
from ledger.session.decide import decide
from ledger.session.follow import follow
from ledger.session.project import project
from ledger.session.state import Recorded, Session, Withdrawal
from ledger.sheet import statements as st
from ledger.sheet.fingerprint import fingerprint
from ledger.sheet.translate import Asked, Context, translate
from ledger.store.model import (
    Appended,
    AppendOutcome,
    CommandConflict,
    CommandDrafts,
    CommandRecord,
    SessionBatch,
    StoreError,
    VersionConflict,
)
from ledger.store.store import Store
from ledger.telling import tell_recorded

Entropy = Callable[[int], bytes]
Ask = Callable[[str], bool]
Progress = Callable[[int, int], None]
_TRIES = 3


def session_id(title: str, date: str) -> str:
    """The id of the session of a title and a date, by which a sheet is known: 32 hex digits."""
    return hashlib.sha256(f"session\n{plain(title)}\n{date}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class MovedOn:
    """Another recorder wrote to the session meanwhile; nothing was recorded.

    `expected` is the session's version as it was thought to be, `actual` as it is. `events` came in between, `told` in
    words, an event each.
    """

    session: str
    expected: int
    actual: int
    events: tuple[Recorded, ...]
    told: tuple[str, ...]


class Recorder:
    """One session, open for recording. What `apply` took stands in memory until `flush` appends it."""

    def __init__(self, store: Store, session: str, *, entropy: Entropy = os.urandom) -> None:
        self._store = store
        self._entropy = entropy
        self._id = session
        self.reload()

    def reload(self) -> None:
        """Forgets what is not recorded and loads the session anew."""
        session, names = load_session(self._store, self._id), load_names(self._store, self._entropy)
        self.session, self.names = session, names
        self._loaded = self.session.version
        self._waiting: list[CommandDrafts] = []

    def apply(
        self,
        command: cmd.Command,
        *,
        occurred_at: int | None = None,
        zone: str | None = None,
        command_id: bytes | None = None,
        content_hash: bytes | None = None,
    ) -> list[Recorded] | Refusal:
        """Decides a command and folds what it comes to, with all it implies; or refuses, and nothing is changed.

        `occurred_at` is microseconds UTC; without it the time told last stands.
        """
        outcome = decide(self.session, command)
        if isinstance(outcome, Refusal):
            return outcome
        id_ = command_id or self._entropy(16)
        when = self.session.told_at if occurred_at is None else occurred_at
        where = zone or self.session.zone
        done = [*_fold_asked(self.session, outcome, id_, when, where)]
        asked = max(r.version for r in done if not isinstance(r.event, ev.MarkedIrregular))
        while (event := follow(self.session)) is not None:
            done.append(Recorded(self.session.version + 1, event, when, where, id_, asked))
            project(self.session, done[-1])
        content = content_hash or _content(command, occurred_at)
        self._waiting.append(CommandDrafts(id_, content, tuple(map(to_draft, done))))
        return done

    def flush(self) -> AppendOutcome:
        """Appends what waits, in one transaction. Anything but Appended leaves the store as it was."""
        outcome = self._store.append(*self.waiting())
        if isinstance(outcome, Appended):
            self.flushed()
        return outcome

    def waiting(self) -> SessionBatch:
        """What waits to be appended, for one who appends several sessions in one transaction."""
        return SessionBatch(self._id, self._loaded, self._waiting, self.names.new)

    def flushed(self) -> None:
        """What waited is on disk."""
        self._loaded = self.session.version
        self._waiting = []
        self.names.new.clear()

    def record(
        self, command: cmd.Command, *, occurred_at: int | None = None, command_id: bytes | None = None
    ) -> Appended | Refusal | MovedOn | CommandConflict:
        """One action at the table: on disk, or refused. See `record_all`."""
        return self.record_all([(command_id or self._entropy(16), command)], occurred_at=occurred_at)

    def record_all(
        self, commands: Sequence[tuple[bytes, cmd.Command]], *, occurred_at: int | None = None
    ) -> Appended | Refusal | MovedOn | CommandConflict:
        """Some commands, each with its id, recorded together or not at all.

        What is recorded already is answered as it was the first time, whatever has happened since; so after a
        StoreError, when nobody knows what became of them, the same is to be asked again. Where another recorder wrote
        to the session, the answer is what he wrote, and the session is as he left it: whether the commands still mean
        what they meant is for the one who asked to say. Names given for commands that were not taken are to be given
        anew. What `apply` took and nobody flushed is forgotten.
        """
        if self._waiting:
            self._load_again()
        asked = [(id_, _content(command, occurred_at)) for id_, command in commands]
        answered = self._store.answered(self._id, asked)
        if answered is not None:
            return answered
        for (id_, content), (_, command) in zip(asked, commands, strict=True):
            done = self.apply(command, occurred_at=occurred_at, command_id=id_, content_hash=content)
            if isinstance(done, Refusal):
                return self._refused(done)
        outcome = self.flush()
        if isinstance(outcome, VersionConflict):
            return self._moved_on(outcome.expected)
        if not isinstance(outcome, Appended) or outcome.answers[-1].known:
            self.reload()
        return outcome

    def _load_again(self) -> None:
        """Loads the session anew, after it was not known what became of the last append; its names stay given."""
        given, recorded = self.names.new, self._store.names()
        self.reload()
        for row in given:
            if row not in recorded:
                self.names.keep(row)

    def _refused(self, refusal: Refusal) -> Refusal | MovedOn:
        """The refusal, if it was of the session as it is; nothing of the commands before it stands."""
        loaded = self._loaded
        if self._store.version(self._id) != loaded:
            return self._moved_on(loaded)
        if self._waiting:
            self.reload()
        return refusal

    def _moved_on(self, expected: int) -> MovedOn:
        self.reload()
        events = tuple(
            to_recorded(stored) for stored in self._store.read(self._id) if stored.version > expected
        )
        told = tuple(tell_recorded(recorded, self.names.name) for recorded in events)
        return MovedOn(self._id, expected, self.session.version, events, told)


def _content(command: cmd.Command, occurred_at: int | None) -> bytes:
    """The hash of what a command asks, by which a repeated command is known from another of the same id.

    The hour belongs to it only where it is all that is told: who asks again may look at the clock again.
    """
    hour = f"\n{occurred_at}" if isinstance(command, cmd.TellTime) else ""
    said = f"{type(command).__name__}\n{command.model_dump_json()}{hour}"
    return hashlib.sha256(said.encode()).digest()


def _fold_asked(
    session: Session, events: Sequence[ev.Event], command: bytes, when: int, where: str
) -> Iterator[Recorded]:
    asked: int | None = None
    for event in events:
        cause = asked if isinstance(event, ev.MarkedIrregular) else None
        recorded = Recorded(session.version + 1, event, when, where, command, cause)
        project(session, recorded)
        if cause is None:
            asked = recorded.version
        yield recorded


@dataclass(frozen=True, slots=True)
class SheetRefused:
    """A sheet of which nothing was recorded: at which line, and why."""

    line: int
    refusal: Refusal
    names: Names


@dataclass(slots=True)
class SheetRecorded:
    """What became of a sheet. `changes` tells where an amendment differs from what it withdrew."""

    session: Session
    names: Names
    added: int
    head: bytes
    warnings: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


def record_sheet(
    store: Store,
    statements: Sequence[st.Statement],
    *,
    folder: pathlib.Path,
    amend: str | None = None,
    dry_run: bool = False,
    ask: Ask | None = None,
    by: str | None = None,
    progress: Progress | None = None,
    entropy: Entropy = os.urandom,
) -> SheetRecorded | SheetRefused:
    """Records what of a sheet is not recorded yet. Raises StoreError where others keep writing to the session.

    `by` is the name of the player who withdraws and rules, where the sheet or `amend` does either.
    `ask` is given where the evening is being played now: limits on losing then warn, and before a player who has
    reached his is dealt in it is asked whether he shall be, or the rules refuse it (`loss_limits`). `progress` hears
    before each new statement which of how many it is.
    """
    if store.copy_for is not None:
        raise StoreError(f"{store.place}: is a copy for {store.copy_for}; nothing is recorded in a copy")
    for _ in range(_TRIES):
        run = _SheetRun(store, statements, folder, ask, by, entropy)
        outcome = run.run(amend, progress)
        if isinstance(outcome, SheetRefused) or dry_run:
            return outcome
        if not outcome.added:
            return outcome
        if run.kitty_given_away():
            continue
        appended = run.recorder.flush()
        if isinstance(appended, Appended) and appended.added:
            outcome.head = appended.head.hash
            return outcome
        # Somebody recorded some of it meanwhile, or other lines in their place: compared anew, it is told as to who
        # comes after him. But an amendment would then withdraw what nobody has seen.
        if amend is not None and not isinstance(appended, Appended):
            break
    raise StoreError("somebody else is recording this session at the same time; try again")


class _SheetRun:
    """One attempt to record a sheet against the session as it is stored now."""

    def __init__(
        self,
        store: Store,
        statements: Sequence[st.Statement],
        folder: pathlib.Path,
        ask: Ask | None,
        by: str | None,
        entropy: Entropy,
    ) -> None:
        self.store = store
        self.by = by
        self.ask = ask
        self.levels: dict[str, int] = {}
        self.elsewhere: list[HandNet] | None = None
        """The hands of other evenings that count towards a limit; read when first needed."""
        self.left: tuple[int, tuple[ev.KittyLeft, ...]] | None = None
        """What kitties had left when the session was opened here, and the ledger's end then."""
        self.statements = statements
        self.folder = folder
        first = statements[0].body
        title, date = (first.title, first.date.isoformat()) if isinstance(first, st.Session) else ("", "")
        self.id = session_id(title, date)
        self.recorder = Recorder(store, self.id, entropy=entropy)
        loaded = self.recorder.session.version
        # but not what somebody added since the session was loaded
        self.known = [c for c in store.commands(self.id) if c.last_version <= loaded] if loaded else []
        self.ordinal = len(self.known)

    def run(self, amend: str | None, progress: Progress | None = None) -> SheetRecorded | SheetRefused:
        """Compares, amends if asked, and applies the rest in memory."""
        session = self.recorder.session
        if not isinstance(self.statements[0].body, st.Session):
            return self._refused(
                self.statements[0],
                Refusal(None, "a sheet begins with its session", 'session "TITLE" on DATE'),
            )
        if any(c.command_id != self._command_id(n) for n, c in enumerate(self.known)):
            return self._refused(
                self.statements[0],
                Refusal(
                    None, "the session was written to by another way too", "record it that way to its end"
                ),
            )
        standing = self._standing()
        same = self._same(standing)
        before = session.version
        changes: list[str] = []
        if same < len(standing):
            changed = self.statements[min(same, len(self.statements) - 1)]
            if amend is None:
                return self._refused(changed, _changed(same, len(self.statements), len(standing)))
            by = self._who()
            if isinstance(by, Refusal):
                return self._refused(changed, by)
            same = self._back_to(standing, same)
            changes = self._amend(standing, same, amend, by)
        warnings: list[str] = []
        for _told_before in self._limits_near():
            pass
        for place, statement in enumerate(self.statements[same:], same + 1):
            if progress is not None:
                progress(place, len(self.statements))
            refusal = self._apply(statement, warnings)
            if refusal is not None:
                return self._refused(statement, refusal)
        added = session.version - before
        return SheetRecorded(session, self.recorder.names, added, self.store.head().hash, warnings, changes)

    def _command_id(self, ordinal: int) -> bytes:
        """The id of a sheet's command: by its place among all commands of the session, so that a place counts once."""
        return hashlib.sha256(f"sheet\n{self.id}\n{ordinal}".encode()).digest()[:16]

    def _standing(self) -> list[CommandRecord]:
        """The recorded statements that an amendment has not withdrawn, amendments themselves apart."""
        amended = self._withdrawn("amend")
        own = {w.version for w in amended}
        return [
            c
            for c in self.known
            if c.first_version not in own and not any(w.first <= c.first_version <= w.last for w in amended)
        ]

    def _withdrawn(self, kind: str) -> list[Withdrawal]:
        return [w for w in self.recorder.session.withdrawn if w.kind == kind]

    def _undone(self) -> list[Withdrawal]:
        """What the statements that stand have undone."""
        amended = self._withdrawn("amend")
        return [
            w for w in self._withdrawn("undo") if not any(a.first <= w.version <= a.last for a in amended)
        ]

    def _back_to(self, standing: list[CommandRecord], same: int) -> int:
        """Where an amendment from a statement begins: what an undo after it took back came before, and stands again."""
        first = standing[same].first_version
        for undone in reversed(self._undone()):
            if undone.version >= first:
                first = min(first, undone.first)
        return next(n for n, c in enumerate(standing) if c.first_version >= first)

    def _same(self, standing: list[CommandRecord]) -> int:
        """How many statements from the start are recorded as they stand in the sheet."""
        pairs = zip(self.statements, standing, strict=False)
        return next(
            (n for n, (s, c) in enumerate(pairs) if fingerprint(s) != c.content_hash),
            min(len(self.statements), len(standing)),
        )

    def _who(self) -> str | Refusal | None:
        """The id of who withdraws and rules; a player seated earlier on the sheet will do."""
        if self.by is None:
            return None
        found = self.recorder.names.player(self.by, self.recorder.session.people())
        return found or Refusal(None, f"nobody is called {self.by}", "--by a player of this ledger")

    def _amend(self, standing: list[CommandRecord], same: int, reason: str, by: str | None) -> list[str]:
        changes = self._changes(standing, same)
        command = cmd.Amend(first=standing[same].first_version, reason=reason, by=by)
        content = hashlib.sha256(f"amend\n{reason}\n{command.first}".encode()).digest()
        done = self.recorder.apply(command, command_id=self._next_id(), content_hash=content)
        assert not isinstance(done, Refusal)
        return changes

    def _changes(self, standing: list[CommandRecord], same: int) -> list[str]:
        """What an amendment changes, in words: events that go, statements that come.

        What follows the first change is entered anew whole, but nobody would find the changes in all of it.
        """
        was = [c.content_hash for c in standing]
        becomes = [fingerprint(s) for s in self.statements]
        end = 0  # off first: in a long evening nearly all repeats, and then the matcher sees no likeness
        while end < min(len(was), len(becomes)) - same and was[-1 - end] == becomes[-1 - end]:
            end += 1
        matcher = SequenceMatcher(None, was[same : len(was) - end], becomes[same : len(becomes) - end])
        starts = [*(c.first_version for c in standing), self.recorder.session.version + 1]
        changes: list[str] = []
        for kind, i, i_end, j, j_end in matcher.get_opcodes():
            if kind == "equal":
                end += i_end - i
                continue
            changes += [f"- {words}" for words in self._gone(starts[same + i], starts[same + i_end])]
            changes += [f"+ {s.text}" for s in self.statements[same + j : same + j_end]]
        if end:
            changes.append(f"entered anew as they were: {_statements(end)} after the first change")
        return changes

    def _gone(self, first: int, end: int) -> list[str]:
        """What stands of the versions from one to before another, in words, and the undos among them."""
        log = self.recorder.session.log
        inside = slice(*(bisect_left(log, version, key=_version) for version in (first, end)))
        told = [(r.version, tell_recorded(r, self.recorder.names.name)) for r in log[inside]]
        told += [(w.version, "undo") for w in self._undone() if first <= w.version < end]
        return [words for _, words in sorted(told)]

    def _next_id(self) -> bytes:
        self.ordinal += 1
        return self._command_id(self.ordinal - 1)

    def _apply(self, statement: st.Statement, warnings: list[str]) -> Refusal | None:
        recorder = self.recorder
        live = self.ask is not None
        judged_there = live and not by_hands(recorder.session)  # else the session alone cannot tell
        context = Context(recorder.session, recorder.names, self.folder, self._kitty_left, judged_there)
        asked = translate(statement, context)
        if isinstance(asked, Refusal):
            return asked
        if isinstance(asked.command, cmd.BeginHand) and (player := self._kept_out()) is not None:
            limit = recorder.session.watches[player].limit
            return Refusal(
                "R-LOSS-LIMIT", f"@{player} has reached his limit of {limit}", f"@{player} sits out"
            )
        command = asked.command
        if isinstance(command, (cmd.Undo, cmd.Rule)):
            by = self._who()
            if isinstance(by, Refusal):
                return by
            command = command.model_copy(update={"by": by})
        done = recorder.apply(
            command,
            occurred_at=asked.occurred_at,
            zone=asked.zone,
            command_id=self._next_id(),
            content_hash=fingerprint(statement),
        )
        if isinstance(done, Refusal):
            return done
        warnings += [f"{statement.line}: {w}" for w in _warnings(asked, done, recorder)]
        if live:
            warnings += [f"{statement.line}: {w}" for w in self._limits_near()]
        return None

    def _kept_out(self) -> str | None:
        """Who would be dealt in, has reached his limit, and shall not play by the rules or the host; None: nobody."""
        session = self.recorder.session
        if self.ask is None or session.rules is None:
            return None
        refuse = session.rules.loss_limits == "refuse"
        if refuse and not by_hands(session):
            return None  # the session judges that itself
        name = self.recorder.names.name
        reached = [p for p in session.dealt_in() if self.levels.get(p, 0) >= LEVELS[-1]]
        for player in reached:
            limit = session.watches[player].limit
            if refuse or not self.ask(f"{name(player)} has reached his limit of {limit}: deal him in?"):
                return player
        return None

    def _limits_near(self) -> Iterator[str]:
        """A warning for each player whose losses came to a further part of his limit at the end of a hand."""
        session = self.recorder.session
        if session.in_play is not None or session.rules is None:
            return
        hands = self._hands_that_count()
        for player, watch in session.watches.items():
            level = watch.level(lost(session, player, hands, self.recorder.names.canonical))
            if level > self.levels.get(player, 0):
                name = self.recorder.names.name(player)
                yield f"R-LOSS-LIMIT: {name} has lost {level} % of his limit of {watch.limit}, or more"
            self.levels[player] = level

    def _hands_that_count(self) -> list[HandNet]:
        """The hands of this evening and of others by which the house counts losses; none where it counts otherwise."""
        session, canonical = self.recorder.session, self.recorder.names.canonical
        if not session.watches or not by_hands(session):
            return []
        if self.elsewhere is None:
            self.elsewhere = hands_elsewhere(self.store, session, canonical)
        return [*self.elsewhere, *hand_nets(session, canonical)]

    def _kitty_left(self) -> tuple[ev.KittyLeft, ...]:
        position = self.store.head().position
        left = kitty_left(self.store, self.id)
        self.left = (position, left)
        return left

    def kitty_given_away(self) -> bool:
        """Whether another evening that was opened meanwhile brings forward what this one was to."""
        if self.left is None:
            return False
        position, left = self.left
        return self.store.head().position != position and kitty_left(self.store, self.id) != left

    def _refused(self, statement: st.Statement, refusal: Refusal) -> SheetRefused:
        return SheetRefused(statement.line, refusal, self.recorder.names)


def _version(recorded: Recorded) -> int:
    return recorded.version


def _statements(number: int) -> str:
    return f"{number} statement" if number == 1 else f"{number} statements"


def _changed(same: int, in_sheet: int, recorded: int) -> Refusal:
    if same < in_sheet:
        return Refusal(
            None,
            "this was recorded otherwise",
            'an old line stays as it is, or --amend "reason" enters it anew',
        )
    more = recorded - in_sheet
    return Refusal(
        None,
        f"the record goes on for {_statements(more)} after the sheet's end",
        'put them back, or --amend "reason" withdraws them',
    )


def _warnings(asked: Asked, done: list[Recorded], recorder: Recorder) -> Iterator[str]:
    """What the host should hear of, though it is recorded."""
    for recorded in done:
        event = recorded.event
        if isinstance(event, ev.HandBegun) and len(event.players) > MANY:
            yield f"R-SEATS: {len(event.players)} players; five or six at a table is advised"
        elif isinstance(event, ev.MarkedIrregular) and not asked.command.irregular:
            yield f"{event.rule}: {_named(event.message, recorder.names)}"


def _named(text: str, names: Names) -> str:
    from ledger.refusal import told

    return told(text, names.name)


def kitty_left(store: Store, but: str) -> tuple[ev.KittyLeft, ...]:
    """What closed sessions have in their kitties that no session but `but` has brought forward, the oldest first.

    A session opened for it keeps it reserved, until it turns out not to be of its unit. What a kitty got by an
    amendment after it was brought forward is left to the next.
    """
    taken: dict[tuple[str, str], int] = {}
    closed: list[str] = []
    for stored in store.of_type("session_opened", "session_closed", "kitty_brought_forward"):
        event = to_recorded(stored).event
        if stored.session == but:
            continue
        if isinstance(event, ev.SessionOpened):
            taken |= {(left.session, stored.session): left.units for left in event.kitty_left}
        elif isinstance(event, ev.KittyBroughtForward) and event.units == 0:
            taken.pop((event.session, stored.session), None)
        elif isinstance(event, ev.SessionClosed) and event.kitty:
            closed.append(stored.session)
    found: list[ev.KittyLeft] = []
    for session in dict.fromkeys(closed):
        state = load_session(store, session)
        gone = sum(units for (giver, _), units in taken.items() if giver == session)
        if state.closed and state.bank.kitty > gone:
            found.append(ev.KittyLeft(session=session, units=state.bank.kitty - gone, unit=state.unit))
    return tuple(found)
