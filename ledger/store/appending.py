"""Appending: one transaction for a whole batch, with a named outcome for everything that can come of it.

The head row is read first and moved by compare-and-swap before anything is written, so what was read in
between (the session's version, the commands known) holds: had another writer appended meanwhile, the head
would not be where it was. After some lost races (PostgreSQL) the row is locked instead, so that no writer
starves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from ledger.store import chain
from ledger.store.database import Clock, Entropy
from ledger.store.model import (
    Answer,
    Appended,
    AppendOutcome,
    BatchPartlyKnown,
    CommandConflict,
    CommandDrafts,
    Draft,
    ExistsInOtherSession,
    ExistsWithDifferentContent,
    Head,
    NameRow,
    StoreError,
    VersionConflict,
)
from ledger.store.statements import Statements

_IDS_A_QUERY = 500  # SQLite's least limit of variables is 999
_BIGGEST = 2**53


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be appended to which session of which ledger."""

    ledger: int
    ledger_id: str
    session: str
    expected_version: int
    commands: Sequence[CommandDrafts]
    names: Sequence[NameRow]


def check(batch: Batch) -> None:
    """Asserts what a caller must hand in; after this the header template needs no escaping."""
    assert chain.SESSION.fullmatch(batch.session), batch.session
    ids = [command.command_id for command in batch.commands]
    assert ids, "an append without a command"
    assert len(set(ids)) == len(ids), "a command twice in one batch"
    assert all(len(c.command_id) == 16 and len(c.content_hash) == 32 for c in batch.commands)
    drafts = [draft for command in batch.commands for draft in command.drafts]
    assert all(command.drafts for command in batch.commands), "a command without an event"
    assert all(chain.EVENT_TYPE.fullmatch(event_type) for event_type in {d.event_type for d in drafts})
    assert all(chain.ZONE.fullmatch(zone) for zone in {d.zone for d in drafts})
    assert all(abs(d.occurred_at) <= _BIGGEST for d in drafts)
    assert all(d.cause is None or 1 <= d.cause <= batch.expected_version + i for i, d in enumerate(drafts)), (
        "a cause comes before what it implies"
    )


def attempt(
    connection: Connection, sql: Statements, batch: Batch, clock: Clock, entropy: Entropy, *, lock: bool
) -> AppendOutcome | None:
    """Appends in the caller's transaction; None, with nothing written, if another writer was quicker."""
    if lock:
        sql.locked_head.rows(connection, ledger=batch.ledger)
    standing = sql.standing.rows(
        connection, ledger=batch.ledger, session=batch.session, command_id=batch.commands[0].command_id
    )
    if not standing:
        raise StoreError("the ledger has no head; mistigris verify says more")
    position, previous, last_recorded, actual, known = standing[0]
    answered = answer(connection, sql, batch) if known or len(batch.commands) > 1 else None
    if answered is not None:
        return answered
    if actual != batch.expected_version:
        return VersionConflict(batch.session, batch.expected_version, actual)
    recorded_at = max(clock(), last_recorded)
    rows = _rows(batch, Head(position, previous), recorded_at, entropy)
    head = Head(rows[-1][0], rows[-1][-1])
    moved = sql.move_head.run(
        connection,
        ledger=batch.ledger,
        from_position=position,
        from_hash=previous,
        to_position=head.position,
        to_hash=head.hash,
        to_recorded_at=recorded_at,
    )
    if moved != 1:
        return None
    answers = _answers(batch, position)
    _write(connection, sql, batch, rows, answers)
    return Appended(batch.session, answers, head, recorded_at)


def answer(connection: Connection, sql: Statements, batch: Batch) -> Appended | CommandConflict | None:
    """What is to be said of a batch whose commands, or some of them, are recorded; None if none is."""
    known = _known(connection, sql, batch)
    return _answer_known(batch, known) if known else None


def _rows(batch: Batch, head: Head, recorded_at: int, entropy: Entropy) -> list[chain.Row]:
    """The events' rows, chained to the head."""
    drafts: list[tuple[bytes, Draft]] = [(c.command_id, draft) for c in batch.commands for draft in c.drafts]
    random = entropy(8 + 16 * len(drafts))
    ids = chain.event_ids(recorded_at, len(drafts), random[:8])
    unlinked: list[chain.Row] = []
    for i, (command_id, draft) in enumerate(drafts):
        salt = random[8 + 16 * i : 24 + 16 * i]
        unlinked.append(
            (
                head.position + 1 + i,
                ids[i],
                batch.session,
                batch.expected_version + 1 + i,
                draft.event_type,
                draft.schema_version,
                draft.occurred_at,
                draft.zone,
                recorded_at,
                command_id,
                draft.cause,
                chain.payload_hash(salt, draft.payload),
                draft.payload,
                salt,
                b"",
            )
        )
    rows: list[chain.Row] = []
    link = head.hash
    for row, header in zip(unlinked, chain.headers(batch.ledger_id, unlinked), strict=True):
        link = chain.link(link, header)
        rows.append((*row[:-1], link))
    return rows


def _answers(batch: Batch, position: int) -> tuple[Answer, ...]:
    answers = []
    version = batch.expected_version
    for command in batch.commands:
        count = len(command.drafts)
        answers.append(
            Answer(command.command_id, False, position + 1, position + count, version + 1, version + count)
        )
        position, version = position + count, version + count
    return tuple(answers)


def _write(
    connection: Connection, sql: Statements, batch: Batch, rows: list[chain.Row], answers: tuple[Answer, ...]
) -> None:
    ledger = (batch.ledger,)
    sql.insert_event.run_many(connection, [ledger + row for row in rows])
    answered = [
        (*ledger, answer.first_position, answer.last_position, answer.command_id, command.content_hash)
        for command, answer in zip(batch.commands, answers, strict=True)
    ]
    sql.insert_command.run_many(connection, answered)
    if batch.names:
        sql.insert_name.run_many(
            connection,
            [(batch.ledger, row.name_hash, row.player, row.name, row.salt) for row in batch.names],
        )


def _known(connection: Connection, sql: Statements, batch: Batch) -> dict[bytes, Any]:
    """Those commands of the batch that are recorded, with where, and their last event's hash and time."""
    ids = [command.command_id for command in batch.commands]
    found = {}
    for start in range(0, len(ids), _IDS_A_QUERY):
        values = {"ledger": batch.ledger, "ids": ids[start : start + _IDS_A_QUERY]}
        for row in connection.execute(sql.known_commands, values):
            found[row.command_id] = row
    return found


def _answer_known(batch: Batch, known: dict[bytes, Any]) -> Appended | CommandConflict:
    """The first answer again, if it is the same batch; otherwise what is wrong with it, by name."""
    for command in batch.commands:
        row = known.get(command.command_id)
        if row is not None and row.session != batch.session:
            return ExistsInOtherSession(command.command_id, row.session)
        if row is not None and row.content_hash != command.content_hash:
            return ExistsWithDifferentContent(command.command_id, row.session)
    ids = [command.command_id for command in batch.commands]
    if len(known) < len(ids):
        return BatchPartlyKnown(tuple(i for i in ids if i in known), tuple(i for i in ids if i not in known))
    rows = [known[i] for i in ids]
    last = max(rows, key=lambda row: row.last_position)
    return Appended(
        batch.session,
        tuple(
            Answer(r.command_id, True, r.first_position, r.last_position, r.first_version, r.last_version)
            for r in rows
        ),
        Head(last.last_position, last.hash),
        last.recorded_at,
    )
