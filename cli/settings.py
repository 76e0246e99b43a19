"""Where the store is, and how a command finds a session in it."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from ledger.names import Names
    from ledger.session.state import Session
    from ledger.store.store import Store


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands before the command: the store's place and the ledger's name, as given."""

    db: str | None
    ledger: str | None

    @property
    def place(self) -> str:
        """The store's URL or path: the one given, or a file in the user's data folder."""
        if self.db:
            return self.db
        import platformdirs

        try:
            folder = platformdirs.user_data_path("mistigris", appauthor=False, ensure_exists=True)
        except RuntimeError:  # a user without a home, as services and containers have
            from ledger.store.model import StoreError

            raise StoreError(
                "no home folder is known here; --db FILE or MISTIGRIS_DB says where the ledger is"
            ) from None
        return str(folder / "ledger.db")

    @contextlib.contextmanager
    def store(self, *, create: bool = False, guarded: bool = True) -> "Iterator[Store]":
        """The store, open; closed again at the end. Raises StoreError in one clear line.

        With `guarded` off one that may have been edited, to look for what was.
        """
        from ledger.store import open_store

        if self.place in (":memory:", "sqlite://", "sqlite:///:memory:"):
            refuse(f"{self.place}: a store in memory ends with the command; give a file or a database", 2)
        with open_store(self.place, ledger=self.ledger, create=create, guarded=guarded) as store:
            yield store


def settings(context: typer.Context) -> Settings:
    """What stood before the command."""
    found = context.obj
    assert isinstance(found, Settings)
    return found


def refuse(message: str, code: int = 1) -> NoReturn:
    """Ends the command with one line on standard error."""
    typer.echo(" ".join(message.splitlines()), err=True)  # a file's name may hold line ends
    raise typer.Exit(code)


def why(fault: OSError) -> str:
    """What the system would not do, in its own words."""
    return (fault.strerror or str(fault)).lower()


def find_session(store: "Store", wanted: str) -> str:
    """The id of a session by title, id (or its beginning) or `last`; ends the command where there is none."""
    from ledger.house import evenings, openings
    from ledger.names import plain

    spans = evenings(store)
    if not spans:
        refuse("there is no session in this ledger yet; mistigris record SHEET makes one")
    if wanted == "last":
        return spans[-1].session
    alike = [
        s.session for s in spans if s.session == wanted or (len(wanted) >= 6 and s.session.startswith(wanted))
    ]
    if len(alike) == 1:
        return alike[0]
    opened = openings(store)
    found = [s for s, event in opened.items() if plain(event.title) == plain(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        dates = ", ".join(f"{s[:8]} ({opened[s].date})" for s in found)
        refuse(f"{len(found)} sessions are called “{wanted}”: give the id, {dates}")
    titles = ", ".join(f"“{e.title}”" for e in list(opened.values())[-5:])
    refuse(f"there is no session “{wanted}”; the last are {titles}")


def load(store: "Store", wanted: str, *, upto: int | None = None) -> "tuple[Session, Names]":
    """A session, folded, and the names; ends the command where there is none, or no such event."""
    from ledger.loading import load_session
    from ledger.people import load_names

    session = find_session(store, wanted)
    if upto is not None:
        _must_reach(store, session, upto)
    return load_session(store, session, upto), load_names(store)


def _must_reach(store: "Store", session: str, position: int) -> None:
    first = next(span.first_position for span in store.sessions() if span.session == session)
    if position < first:
        refuse(f"event {position} is before the session was opened; its first is event {first}")
    last = store.head().position
    if position > last:
        refuse(f"there is no event {position} yet; the last on record is event {last}")
