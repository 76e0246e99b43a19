"""`mistigris report`: an evening, or a player's lifetime, as one page that can be sent to the group or printed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import AsRecorded, progress, write_whole
from cli.reports import LONG_CATCH_UP, player_of
from cli.settings import find_session, refuse, settings, why

if TYPE_CHECKING:
    from ledger.names import Names
    from ledger.store.store import Store

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_QUIET = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-pdf-header-footer",
)  # fmt: skip
_LONG = 20_000
"""Events from which reading takes long enough to be told."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("report")(report)


def report(
    context: typer.Context,
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="A title, an id, or last (the default).")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Where the page is written; - is standard output."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="NAME", help="His limits too; without SESSION, his lifetime."),
    ] = None,
    limits: Annotated[
        bool, typer.Option("--limits", help="Everybody's limits, and how they were kept.")
    ] = False,
    as_recorded: AsRecorded = False,
    pdf: Annotated[bool, typer.Option("--pdf", help="A PDF beside it, where a browser is found.")] = False,
) -> None:
    """Write an evening's report, or a player's lifetime, as one page for telephone, desk and printer."""
    from ledger.people import load_names

    if out == "-" and pdf:
        refuse("--pdf needs a file: --out evening.html --pdf", 2)
    if out is not None and out.endswith(".pdf") and not pdf:
        refuse(f"--out {out}: for a PDF add --pdf", 2)
    with settings(context).store() as store:
        names = load_names(store)
        who = None if player is None else player_of(names, player)
        if who is not None and session is None:
            name, text = "lifetime.html", _lifetime(store, names, who, as_recorded)
        else:
            name, text = _evening(store, names, session or "last", who, limits, as_recorded)
    if out == "-":
        sys.stdout.buffer.write(text.encode())
        return
    place = pathlib.Path(out or name)
    if place.suffix == ".pdf":
        place = place.with_suffix(".html")
    _write(place, text)
    if pdf:
        _print_pdf(place, place.with_suffix(".pdf"))


def _evening(
    store: "Store", names: "Names", wanted: str, player: str | None, limits: bool, as_recorded: bool
) -> tuple[str, str]:
    """The file's name and the page of an evening."""
    from analytics.report.evening import report as gathered
    from analytics.report.evening import take
    from analytics.report.page import evening_page
    from ledger.corrections import put_right

    id_ = find_session(store, wanted)
    _tell_if_long(store.head().position)
    taken = take(store, id_)
    session = taken.evening.session
    if player is not None and player not in session.people():
        refuse(f"{names.name(player)} was not at the table of “{session.title}”")
    right = put_right(store, session, as_recorded=as_recorded)
    found = gathered(taken, names.name, store.verify(), limits=limits, player=player, right=right)
    return f"evening-{session.date}.html", evening_page(found, all_limits=limits)


def _lifetime(store: "Store", names: "Names", player: str, as_recorded: bool) -> str:
    from analytics.opening import open_facts
    from analytics.report.lifetime import lifetime
    from analytics.report.page import lifetime_page
    from analytics.report.receipt import receipt_of
    from analytics.scope import Scope, merges

    scope = Scope(player=player, merged=merges(names), as_recorded=as_recorded)
    head = store.head()
    _tell_if_long(head.position)
    with open_facts(store, progress("counting sessions", LONG_CATCH_UP)) as facts:
        receipt = receipt_of(head.position, head.hash, store.verify())
        return lifetime_page(lifetime(facts, scope, names.name(player), receipt))


def _tell_if_long(events: int) -> None:
    if events > _LONG:
        typer.echo(f"reading and verifying {events} events ...", err=True)


def _write(place: pathlib.Path, text: str) -> None:
    there = place.exists()
    try:
        write_whole(place, text)
    except OSError as fault:
        refuse(f"{place}: {why(fault)}", 2)
    size = -(-len(text.encode()) // 1000)
    typer.echo(f"{place}: {size} kB{', in the place of the one before' if there else ''}")


def _print_pdf(page: pathlib.Path, place: pathlib.Path) -> None:
    """Has a browser without a window print the page. Ends the command where none is found or it fails."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        refuse(
            f"no browser ({', '.join(_BROWSERS[:3])} ...) is found to make a PDF; open {page} and print it"
        )
    with tempfile.TemporaryDirectory(prefix="mistigris-") as folder:
        command = [browser, *_QUIET, f"--user-data-dir={folder}", f"--print-to-pdf={place.resolve()}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # which a browser cannot have as root
        try:
            done = subprocess.run(
                [*command, page.resolve().as_uri()], capture_output=True, check=False, timeout=120
            )
            failed = done.returncode != 0 or not place.exists()
        except (OSError, subprocess.TimeoutExpired):
            failed = True
    if failed:
        refuse(f"{browser} could not make the PDF; open {page} and print it")
    typer.echo(f"{place}: {-(-place.stat().st_size // 1000)} kB")
