"""`mistigris verify`: the chain alone, and what holds it from outside: checkpoints and receipts."""

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, counted, print_json, show
from cli.settings import refuse, settings, why

if TYPE_CHECKING:
    from ledger.receipts.checkpoints import Chain
    from ledger.receipts.notes import PublicKey
    from ledger.receipts.receipt import Held, Receipt
    from ledger.store.model import Verified
    from ledger.store.store import Store

Keys = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="KEY", help="A host's public key, name+hash+base64; may be repeated."),
]


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("verify")(verify)


def verify(
    context: typer.Context,
    receipt: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Hold the ledger to a receipt: a file, - or the short form."),
    ] = None,
    key: Keys = None,
    as_json: AsJson = False,
) -> None:
    """Check the chain: every hash, recomputed from the stored bytes; and what holds it from outside."""
    from ledger.receipts.checkpoints import check_chain
    from ledger.receipts.keys import KeyFileError
    from ledger.store.model import StoreError

    keys, beside = _keys(key or [])
    if receipt is not None:
        wanted = _read(receipt)
        try:
            _hold(context, wanted, keys, as_json)
        except StoreError as fault:
            refuse(f"{fault}; it could not be held to the receipt for event {wanted.position}")
        return
    with settings(context).store(guarded=False) as store:
        guard = store.guard_fault()
        try:
            chain = check_chain(store, keys, beside)
        except KeyFileError as fault:
            refuse(f"mistigris: {fault}", 2)
    if as_json:
        print_json(chain_json(chain) | {"guards": guard or "ok", "copy_for": store.copy_for})
    else:
        copy = (
            []
            if store.copy_for is None
            else [f"this is a copy for {store.copy_for}, and not the ledger itself"]
        )
        show(*copy, *_told(chain), *([guard] if guard is not None else []))
    if chain.fault is not None or guard is not None:
        raise typer.Exit(1)


def _keys(given: list[str]) -> "tuple[list[PublicKey], pathlib.Path | None]":
    """The keys given and those of this host, and where its key is; None, and a line, where that cannot be read."""
    from ledger.receipts.keys import KeyFileError, key_path, public_keys
    from ledger.receipts.notes import NoteError, parse_key

    try:
        keys = [parse_key(text) for text in given]
    except NoteError as fault:
        refuse(f"--key: {fault}", 2)
    try:
        return [*keys, *public_keys(key_path())], key_path()
    except KeyFileError as fault:
        typer.echo(f"mistigris: checkpoints of this host are not compared: {fault}", err=True)
        return keys, None


def _read(given: str) -> "Receipt":
    """The receipt in a file, on standard input, or given as its short form."""
    from ledger.receipts.notes import MOST_BYTES, NoteError
    from ledger.receipts.receipt import parse_receipt
    from ledger.receipts.short import parse_short

    path = pathlib.Path(given)
    try:
        if given == "-":
            raw = sys.stdin.buffer.read(MOST_BYTES)
        elif parse_short(given) is not None and not path.exists():
            raw = given.encode()
        else:
            with path.open("rb") as file:
                raw = file.read(MOST_BYTES)
        return parse_receipt(raw.decode("utf-8"))
    except OSError as fault:
        refuse(f"--receipt {given}: {why(fault)}", 2)
    except (NoteError, UnicodeDecodeError) as fault:
        what = fault if isinstance(fault, NoteError) else "this is no text"
        refuse(f"--receipt {given}: {what}", 2)


def _hold(context: typer.Context, receipt: "Receipt", keys: "list[PublicKey]", as_json: bool) -> None:
    from ledger.receipts.receipt import hold

    with settings(context).store(guarded=False) as store:
        held = hold(store, receipt, keys)
    if as_json:
        print_json(_held_json(held))
    elif held.fault is not None:
        show(f"the receipt does not match: {held.fault}")
    else:
        show(*_covers(held))
    if held.fault is not None or held.broken is not None:
        raise typer.Exit(1)


def _covers(held: "Held") -> list[str]:
    position, head = held.receipt.position, held.head.position
    whole = [c.title for c in held.covered if c.whole]
    lines = [
        f"the receipt matches: events 1 to {position} are, bit for bit, what they were when it was given"
    ]
    if len(held.receipt.hash) < 32:
        lines.append(f"a short form was compared, {8 * len(held.receipt.hash)} of 256 bits")
    lines.append(
        {True: "signed by a key that is known here", False: "", None: "no known key's signature is on it"}[
            held.signed
        ]
    )
    if whole:
        named = f"“{whole[0]}”" if len(whole) == 1 else counted(len(whole), "session")
        lines.append(f"covered: {named}, whole")
    for part in held.covered:
        if not part.whole:
            upto = (
                f"to the end of hand {part.hand}"
                if part.hand is not None
                else "before the end of its first hand"
            )
            lines.append(f"covered: “{part.title}” up to event {position}, {upto}")
    after = f"events {position + 1} to {head}" if head > position else "whatever is recorded from now on"
    lines.append(f"not covered: {after}")
    if held.broken is not None:
        lines.append(
            f"after what is covered the chain is broken, at event {held.broken.position}: {held.broken.reason}"
        )
    lines.append("not proved: that what was typed was what happened")
    return lines


def _held_json(held: "Held") -> dict[str, Any]:
    position, head = held.receipt.position, held.head.position
    matches = held.fault is None
    broken = held.broken
    return {
        "receipt": "matches" if matches else "does not match",
        "reason": held.fault,
        "position": position,
        "bits": 8 * len(held.receipt.hash),
        "signed": {True: "by a known key", False: "wrongly", None: "by no known key"}[held.signed],
        "covered": None if not matches else {
            "events": [1, position],
            "sessions": [
                {"session": c.session, "title": c.title, "whole": c.whole, "to_hand": c.hand} for c in held.covered
            ],
        },
        "not_covered": [position + 1, head] if matches and head > position else None,
        "not_proved": "that what was typed was what happened",
        "chain": "ok" if broken is None else {"broken_at": broken.position, "reason": broken.reason},
    }  # fmt: skip


def _told(chain: "Chain") -> list[str]:
    from ledger.store.model import Broken

    if isinstance(chain.found, Broken):
        return [f"the chain is broken at event {chain.found.position}: {chain.found.reason}"]
    lines = [f"the chain holds: {counted(chain.found.events, 'event')}, head {chain.found.head.hash.hex()}"]
    for first, last in _ranges(chain, chain.found)["withheld"]:
        lines.append(f"withheld from this copy: events {first} to {last}; their headers are chained")
    if chain.fault is not None:
        lines.append(f"event {chain.fault.position}: {chain.fault.reason}; mistigris doctor says what to do")
    elif chain.anchored:
        lines.append(f"anchored by a signed checkpoint: events 1 to {chain.anchored}")
    if chain.anchored < chain.found.events:
        lines.append(
            f"not anchored: events {chain.anchored + 1} to {chain.found.events}; whoever holds the file could have "
            "built them anew, and only a receipt would tell"
        )
    strange = sum(a.state != "holds" and not a.wrong for a in chain.anchors)
    if strange:
        lines.append(
            f"{counted(strange, 'checkpoint')} by a key not known here: --key NAME+HASH+BASE64 gives it"
        )
    return lines


def _ranges(chain: "Chain", found: "Verified") -> dict[str, list[list[int]]]:
    anchored = chain.anchored
    return {
        "anchored": [[1, anchored]] if anchored else [],
        "unanchored": [[anchored + 1, found.events]] if anchored < found.events else [],
        "withheld": [[first, last] for first, last in found.withheld],
    }


def chain_json(chain: "Chain") -> dict[str, Any]:
    """The chain as JSON: what is broken, or how far it goes and what anchors it."""
    from ledger.store.model import Broken

    anchors = [{"position": a.position, "key": a.key_name, "state": a.state} for a in chain.anchors]
    fault = chain.fault
    told: dict[str, Any] = {
        "chain": "ok" if fault is None else {"broken_at": fault.position, "reason": fault.reason},
        "checkpoints": anchors,
    }
    if not isinstance(chain.found, Broken):
        head = {"position": chain.found.head.position, "hash": chain.found.head.hash.hex()}
        told |= {"events": chain.found.events, "head": head, **_ranges(chain, chain.found)}
    return told


def checked(store: "Store") -> str | dict[str, Any]:
    """The chain as other reports tell it: ok, or where it does not hold, by itself or by a checkpoint."""
    from ledger.receipts.checkpoints import check_chain
    from ledger.receipts.keys import KeyFileError

    keys, beside = _keys([])
    try:
        fault = check_chain(store, keys, beside).fault
    except KeyFileError as unreadable:
        refuse(f"mistigris: {unreadable}", 2)
    return "ok" if fault is None else {"broken_at": fault.position, "reason": fault.reason}
