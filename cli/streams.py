"""The standard streams, made fit for names in any alphabet wherever the command is run."""

import codecs
import io
import os
import sys


def prepare() -> None:
    """Puts an empty stream where one was closed, and lets no letter stop an answer.

    What a terminal's encoding lacks is replaced. One that says it has ASCII only was never set up (a service, a job by
    the clock): it gets UTF-8.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="replace")


def speak_utf8() -> None:
    """Sets standard output to UTF-8, for what programs read is in no terminal's encoding."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def fall_silent() -> None:
    """Drops what a standard output that takes no more has still to print: the end of the process would fail on it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
