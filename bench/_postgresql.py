"""A PostgreSQL server of our own for tests and measurements, if this machine has its programs."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, or None."""
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((c for c in candidates if (c / "initdb").exists() and (c / "pg_ctl").exists()), None)


def _user() -> str | None:
    """PostgreSQL refuses to run as root; then somebody else runs it."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    return None


@contextmanager
def server(found: Path, *, durable: bool) -> Iterator[str]:
    """Starts a server from the programs found; gives the folder of its socket. Its superuser is called host."""
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="mistigris-pg-"))
    if user is not None:
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=120)

    data, ctl = str(folder / "data"), str(found / "pg_ctl")
    run(str(found / "initdb"), "-D", data, "-U", "host", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    if not durable:
        options += " -c fsync=off"
    run(ctl, "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield str(folder)
    finally:
        run(ctl, "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)
