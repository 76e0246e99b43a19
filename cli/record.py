"""`mistigris record SHEET`: records a hand sheet."""

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import AsJson, counted, print_json, progress
from cli.settings import refuse, settings, why

if TYPE_CHECKING:
    from ledger.recorder import SheetRecorded, SheetRefused
    from ledger.sheet.statements import Statement
    from ledger.store.store import Store


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("record")(record)


def record(
    context: typer.Context,
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="The hand sheet; - reads standard input.")],
    amend: Annotated[
        str | None,
        typer.Option(
            metavar="REASON", help="Enter anew what follows the first changed line; both stay on record."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be added; record nothing.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who withdraws or rules what is withdrawn or ruled in it."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="It is being played now: limits on losing warn, ask or refuse.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Record a hand sheet, or what of it is not recorded yet."""
    from ledger.recorder import SheetRefused, record_sheet

    if amend is not None and not amend.strip():
        refuse('--amend needs a reason: --amend "C had called"', 2)
    name, statements, folder = read_sheet(sheet)
    with settings(context).store(create=True) as store:
        outcome = record_sheet(
            store,
            statements,
            folder=folder,
            amend=amend,
            dry_run=dry_run,
            by=by,
            ask=_asked if live else None,
            progress=progress(f"recording {name}", _LONG_SHEET),
        )
        if isinstance(outcome, SheetRefused):
            refuse(_line(name, outcome), 2 if outcome.refusal.unreadable else 1)
        for warning in outcome.warnings:
            typer.echo(f"{name}:{warning}", err=True)
        closed = outcome.session.closed and not dry_run
        signed = closed and (outcome.added > 0 or not _signed(store, outcome.session.id)) and sign(store)
        if as_json:
            print_json(_answer(outcome, dry_run) | {"checkpoint": signed})
        else:
            _tell(outcome, dry_run)
            if signed:
                typer.echo("closed, and a checkpoint is signed; mistigris receipt gives the players theirs")


def sign(store: "Store") -> bool:
    """Signs the ledger as it stands; what hinders it is told in a line, for the record is made all the same."""
    from ledger.receipts.checkpoints import sign_head
    from ledger.receipts.keys import KeyFileError, key_path
    from ledger.store.model import StoreError

    try:
        sign_head(store, key_path())
    except (KeyFileError, StoreError) as fault:
        typer.echo(f"mistigris: no checkpoint is signed: {fault}", err=True)
        return False
    return True


def _signed(store: "Store", session: str) -> bool:
    """Whether a checkpoint stands on a session's end or after it: who closed it may have been cut off before."""
    end = next(span.last_position for span in store.sessions() if span.session == session)
    return any(position >= end for position, _, _ in store.checkpoints())


_LONG_SHEET = 3_000
"""Statements, about a hundred hands, from which recording is shown on a terminal."""


def _asked(question: str) -> bool:
    """Asks the host where there is one to ask; elsewhere the answer is yes, and the warning has been printed."""
    return not sys.stdin.isatty() or typer.confirm(question, err=True)


def read_sheet(sheet: str) -> "tuple[str, list[Statement], pathlib.Path]":
    """A sheet's name for messages, its statements, the folder its paths start from; ends the command on bad input."""
    from ledger.sheet.parse import parse
    from ledger.sheet.statements import SheetError

    path = pathlib.Path(sheet)
    name = "standard input" if sheet == "-" else path.name
    try:
        content = sys.stdin.buffer.read() if sheet == "-" else path.read_bytes()
    except OSError as fault:
        what = {
            FileNotFoundError: "there is no such file",
            IsADirectoryError: "this is a folder, not a sheet",
        }
        refuse(f"{sheet}: {what.get(type(fault), why(fault))}", 2)
    statements = parse(content, file=name)
    if isinstance(statements, SheetError):
        refuse(str(statements), 2)
    return name, statements, path.parent if sheet != "-" else pathlib.Path()


def _line(name: str, refused: "SheetRefused") -> str:
    from ledger.refusal import told

    sentence = told(refused.refusal.sentence, refused.names.name)
    rule = f"{refused.refusal.rule}: " if refused.refusal.rule else ""
    return f"{name}:{refused.line}: {rule}{sentence}"


def _answer(outcome: "SheetRecorded", dry_run: bool) -> dict[str, object]:
    session = outcome.session
    return {
        "session": session.id,
        "hands": len(session.hands),
        "events": session.version,
        "added": outcome.added,
        "head": outcome.head.hex(),
        "unfinished": session.in_play.number if session.in_play is not None else None,
        "warnings": outcome.warnings,
        "changes": outcome.changes,
        "dry_run": dry_run,
    }


def _tell(outcome: "SheetRecorded", dry_run: bool) -> None:
    from ledger.telling import tell_recorded

    session = outcome.session
    for change in outcome.changes:
        typer.echo(change)
    if dry_run:
        for recorded in session.log:
            if recorded.version > session.version - outcome.added:
                typer.echo(f"  {tell_recorded(recorded, outcome.names.name)}")
    verb = "would be added" if dry_run else "added"
    typer.echo(
        f"“{session.title}” on {session.date}: {counted(len(session.hands), 'hand')}, "
        f"{counted(session.version, 'event')}, {outcome.added} {verb}; head {outcome.head.hex()[:16]}"
    )
    if session.in_play is not None:
        typer.echo(f"hand {session.in_play.number} is unfinished")
