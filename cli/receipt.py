"""`mistigris receipt SESSION`: what a player keeps, so that the ledger can later be held to it."""

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import AsJson, SessionName, print_json, write_whole
from cli.settings import load, refuse, settings, why

if TYPE_CHECKING:
    from ledger.receipts.keys import HostKey


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("receipt")(receipt)


def receipt(
    context: typer.Context,
    session: SessionName = "last",
    hand: Annotated[int | None, typer.Option(metavar="N", help="To the end of this hand.")] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the whole receipt to a file.")
    ] = None,
    qr: Annotated[bool, typer.Option("--qr", help="Show the short form as a QR code.")] = False,
    key: Annotated[
        bool, typer.Option("--key", help="Print this host's public keys, the newest last.")
    ] = False,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Sign with a new key from now on; the old one stays listed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Give a receipt: position and hash, signed; and a short form for a chat or a QR code."""
    from ledger.receipts.receipt import receipt_for
    from ledger.receipts.short import BITS, short_form
    from ledger.times import rfc3339

    if key or new_key:
        _print_keys(new=new_key, as_json=as_json)
        return
    with settings(context).store() as store:
        state, _ = load(store, session)
        if hand is not None and state.hand_numbered(hand) is None:
            refuse(f"there is no hand {hand} in “{state.title}”; mistigris hands lists them")
        said = receipt_for(store, state, hand)
        recorded = next(store.read(after=said.position - 1, upto=said.position)).recorded_at
    signer = _signer()
    note = said.text if signer is None else signer.sign(said.text).whole
    short = short_form(said.position, said.hash)
    if out is not None:
        _write(pathlib.Path(out), note)
    if as_json:
        print_json(
            {
                "ledger": said.origin.partition("/")[2], "session": state.id, "hand": hand, "position": said.position,
                "hash": said.hash.hex(), "short": short, "bits": BITS, "recorded": rfc3339(recorded, "UTC"),
                "note": note, "key": None if signer is None else signer.public.text,
            }
        )  # fmt: skip
        return
    what = f"hand {hand} of “{state.title}”" if hand is not None else f"“{state.title}”"
    typer.echo(f"receipt for {what}, event {said.position}\n\n{note}")
    typer.echo(f"short form, {BITS} of 256 bits, for a chat: {short}")
    if qr:
        _print_qr(f"MISTIGRIS {short}")
    typer.echo("mistigris verify --receipt FILE (or the short form) holds the ledger to it.")


def _signer() -> "HostKey | None":
    """The host's key; None, and a line that says why, where it cannot be had: a receipt is worth keeping without."""
    from ledger.receipts.keys import KeyFileError, host_key, key_path

    try:
        return host_key(key_path())
    except KeyFileError as fault:
        typer.echo(f"mistigris: the receipt is not signed: {fault}", err=True)
        return None


def _print_keys(*, new: bool, as_json: bool) -> None:
    from ledger.receipts.keys import KeyFileError, host_key, key_path, public_keys, rotate

    try:
        rotate(key_path()) if new else host_key(key_path())
        keys = [key.text for key in public_keys(key_path())]
    except KeyFileError as fault:
        refuse(f"mistigris: {fault}", 2)
    if as_json:
        print_json({"keys": keys, "file": str(key_path())})
        return
    for text in keys:
        typer.echo(text)


def _write(place: pathlib.Path, note: str) -> None:
    """Writes a receipt to a file that is new, or was a receipt: a ledger or a key is not replaced by a slip."""
    from ledger.receipts.notes import MOST_BYTES, NoteError
    from ledger.receipts.receipt import parse_receipt

    try:
        if place.is_file() and place.stat().st_size:
            with place.open("rb") as file:
                parse_receipt(file.read(MOST_BYTES).decode())
        write_whole(place, note)
    except (NoteError, UnicodeDecodeError):
        refuse(f"{place}: is there already, and is no receipt; give another file", 2)
    except OSError as fault:
        refuse(f"{place}: {why(fault)}", 2)


def _print_qr(text: str) -> None:
    """The code in half blocks, dark on light whatever the terminal's colours."""
    import segno

    segno.make(text, error="m").terminal(out=sys.stdout, compact=True)
