"""The commands put together, and what every one of them shares: options, errors in one line, exit codes."""

import functools
from collections.abc import Callable
from typing import Annotated

import typer

from cli import (
    audit,
    backup,
    cards,
    copy,
    corrections,
    demo,
    doctor,
    export,
    importing,
    names,
    receipt,
    record,
    report,
    reports,
    rules,
    show,
    stats,
    verify,
)
from cli.settings import Settings, why
from cli.streams import fall_silent
from ledger.store.model import StoreError

app = typer.Typer(
    name="mistigris",
    help="The hand-history ledger for home games of draw poker: record, settle, audit, report.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_ROOMS = (
    record, show, audit, verify, receipt, copy, names, corrections, doctor, reports, report, cards, rules, demo,
    importing, stats, backup, export,
)  # fmt: skip
for room in _ROOMS:
    room.register(app)


# typer carries a click of its own, under a private name, and shows of its exceptions only this one's heirs
_UsageFault: type[Exception] = next(k for k in typer.BadParameter.__mro__ if k.__name__ == "ClickException")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"mistigris {version('mistigris')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    db: Annotated[
        str | None,
        typer.Option(
            envvar="MISTIGRIS_DB",
            metavar="URL",
            help="The store: a file or an SQLAlchemy URL; without it a file in your data folder.",
        ),
    ] = None,
    ledger: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which ledger, where a store has several.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """What stands before the command."""
    context.obj = Settings(db, ledger)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


@functools.cache
def _commands() -> Callable[..., object]:
    """All commands, put together once: typer would do it again for every call, which takes longer than most of them."""
    return typer.main.get_command(app)


_INTERRUPTED = 130


def run(arguments: list[str]) -> int:
    """Runs one command and gives its exit code: 0 done, 1 refused or something found, 2 wrong usage or unreadable."""
    try:
        code = _commands()(args=arguments, prog_name="mistigris", standalone_mode=False)
    except _UsageFault as fault:
        return _fail(_usage(fault), 2)
    except StoreError as fault:
        return _fail(str(fault), getattr(fault, "exit_code", 2))
    except (typer.Abort, KeyboardInterrupt):
        code = _INTERRUPTED
    except BrokenPipeError:
        fall_silent()
        return 0
    except OSError as fault:
        fall_silent()
        return _fail(_unwritten(fault), 2)
    if code == _INTERRUPTED:  # typer gives it without a word
        return _fail("stopped; what was not yet recorded is not recorded", _INTERRUPTED)
    return code if isinstance(code, int) else 0


def _unwritten(fault: OSError) -> str:
    """What the system would not do: with a file that has a name, or with what was to be printed."""
    return (
        f"{fault.filename}: {why(fault)}"
        if fault.filename
        else f"the answer could not be printed: {why(fault)}"
    )


def _usage(fault: Exception) -> str:
    """What was wrong with the words of a command, and where the right ones stand."""
    message: str = getattr(fault, "format_message", fault.__str__)()
    context = getattr(fault, "ctx", None)
    command = "mistigris" if context is None else context.command_path
    return f"{message.rstrip('.')}; {command} --help says what is right"


def _fail(message: str, code: int) -> int:
    line = " ".join(message.split())
    typer.echo(f"mistigris: {line}", err=True)
    return code
