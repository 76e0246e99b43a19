"""`mistigris audit`: hands judged by their rules, and the chain; and what was put right since."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.corrections import list_corrections
from cli.output import AsJson, counted, print_json, show
from cli.settings import find_session, refuse, settings
from cli.verify import checked

if TYPE_CHECKING:
    from ledger.store.store import Store


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("audit")(audit)


def audit(
    context: typer.Context,
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="A title, an id, or last.")
    ] = None,
    hand: Annotated[int | None, typer.Option(metavar="N", help="Only this hand.")] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="List what was withdrawn, disputed, ruled and put right.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay and judge every hand by its rules, and check the chain."""
    if corrections:
        list_corrections(context, session, as_json)
        return
    with settings(context).store(guarded=False) as store:
        fault = store.guard_fault()
        chain = checked(store)
        hands, findings = _judged(store, session, hand)
    if hand is not None and not hands and chain == "ok":
        refuse(f"there is no hand {hand} to judge; mistigris hands SESSION lists them")
    if as_json:
        print_json({"chain": chain, "guards": fault or "ok", "hands": hands, "findings": findings})
    else:
        for found in findings:
            show(f"hand {found['hand']}, event {found['event']}: {found['rule']}: {found['message']}")
        if not isinstance(chain, str):
            show(f"the chain is broken at event {chain['broken_at']}: {chain['reason']}")
        if fault is not None:
            show(fault)
        what = "nothing was found" if not findings else counted(len(findings), "finding")
        holds = "holds" if chain == "ok" else "is broken"
        show(f"{counted(hands, 'hand')} judged by the rules of the night: {what}; the chain {holds}")
    if findings or chain != "ok" or fault is not None:
        raise typer.Exit(1)


def _judged(store: "Store", wanted: str | None, hand: int | None) -> tuple[int, list[dict[str, Any]]]:
    """How many hands were judged, and what was found, in one session or in all."""
    from ledger.audit import audit as judge
    from ledger.codec import to_recorded
    from ledger.house import evenings
    from ledger.people import load_names
    from ledger.refusal import told
    from ledger.store.model import StoreError

    names = load_names(store)
    chosen = [find_session(store, wanted)] if wanted is not None else [s.session for s in evenings(store)]
    count = 0
    rows: list[dict[str, Any]] = []
    for session in chosen:
        stream = []
        try:
            for stored in store.read(session):
                stream.append(to_recorded(stored))
        except StoreError as fault:
            rows.append(
                {"session": session, "hand": None, "event": None, "rule": "R-CONSERVE", "message": str(fault)}
            )
        numbers: set[int] = {n for r in stream if (n := getattr(r.event, "number", None)) is not None}
        count += len(numbers) if hand is None else len(numbers & {hand})
        rows += [
            {"session": session, "hand": f.hand, "event": f.position, "rule": f.rule,
             "message": told(f.message, names.name)}
            for f in judge(session, stream, hand)
        ]  # fmt: skip
    return count, rows
