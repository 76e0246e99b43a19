"""The host's key: made on first use, kept outside every store in a file that only its owner can read.

The key file holds one line, the private key as Go's note package writes it (`PRIVATE+KEY+name+hash+base64`).
Beside it stand every public key this host ever used (`.pub`, a line each, the newest last) and, in a folder,
the newest checkpoint of each ledger (`.checkpoints`): by them a store that was put back to an older copy is
found.
"""

import base64
import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ledger.receipts.notes import Note, NoteError, PublicKey, Signature, parse_key

VARIABLE = "MISTIGRIS_KEY"
"""The environment variable that says where the key file is."""
_PRIVATE = "PRIVATE+KEY"


class KeyFileError(Exception):
    """The key cannot be had: one clear line."""


@dataclass(frozen=True, slots=True)
class HostKey:
    """A private key (its 32 bytes) with its public half."""

    public: PublicKey
    secret: bytes

    def sign(self, text: str) -> Note:
        """The text as a note, signed."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        signature = Ed25519PrivateKey.from_private_bytes(self.secret).sign(text.encode())
        return Note(text, (Signature(self.public.name, self.public.hash, signature),))


def key_path() -> Path:
    """Where the key file is: where `MISTIGRIS_KEY` says, else in the user's data folder. Raises KeyFileError."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    try:
        return _in_data_folder()
    except RuntimeError:
        raise KeyFileError(f"no home folder is known for the host's key; {VARIABLE} names its file") from None


def _in_data_folder() -> Path:
    import platformdirs

    return platformdirs.user_data_path("mistigris", appauthor=False) / "host.key"


def host_key(path: Path) -> HostKey:
    """The host's key, made now if there is none. Raises KeyFileError."""
    with _faults(path):
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _put_new(path, _new())
        key = _read(path)
        _list_public(path, key.public)
    return key


def rotate(path: Path) -> HostKey:
    """A new key in the place of the old one, whose private half is gone for good; its public half stays listed.

    Raises KeyFileError.
    """
    host_key(path)
    with _faults(path):
        os.replace(_beside(path, _new()), path)
    return host_key(path)


def public_keys(path: Path) -> list[PublicKey]:
    """Every public key this host used, oldest first; none where there is no key yet. Raises KeyFileError."""
    listed = path.with_suffix(".pub")
    with _faults(listed):
        lines = listed.read_text().splitlines() if listed.exists() else []
        keys = [parse_key(line) for line in lines if line.strip()]
    if path.exists():
        with _faults(path):
            own = _read(path).public
        keys = [key for key in keys if key != own] + [own]
    return keys


def keep_newest(path: Path, ledger_id: str, note: str) -> None:
    """Keeps a ledger's newest checkpoint beside the key. Raises KeyFileError."""
    place = newest_path(path, ledger_id)
    with _faults(place):
        place.parent.mkdir(mode=0o700, exist_ok=True)
        os.replace(_beside(place, note), place)


def newest_path(path: Path, ledger_id: str) -> Path:
    """Where the newest checkpoint of a ledger is kept."""
    return path.with_suffix(".checkpoints") / f"{ledger_id}.note"


def open_to_others(path: Path) -> bool:
    """Whether others than its owner may read the key file."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & 0o077)


def _new() -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secret = Ed25519PrivateKey.generate()
    public = _public(secret.private_bytes_raw())
    coded = base64.b64encode(b"\x01" + secret.private_bytes_raw()).decode()
    return f"{_PRIVATE}+{public.name}+{public.hash.hex()}+{coded}\n"


def _public(secret: bytes) -> PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    raw = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return PublicKey(f"mistigris-{raw[:4].hex()}", raw)


def _read(path: Path) -> HostKey:
    text = path.read_text(errors="replace").strip()
    coded = text.split("+", 4)[-1]
    try:
        raw = base64.b64decode(coded, validate=True)
    except ValueError:
        raw = b""
    if not text.startswith(f"{_PRIVATE}+") or len(raw) != 33:
        raise KeyFileError(f"{path}: is no key; move it away, and a new one is made")
    return HostKey(_public(raw[1:]), raw[1:])


def _put_new(path: Path, text: str) -> None:
    """Puts the file in place whole, or leaves the one that another process was quicker with."""
    beside = _beside(path, text)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()


def _beside(path: Path, text: str) -> Path:
    """A new file beside a path, for its owner only, on disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.unlink(name)
        raise
    return Path(name)


def _list_public(path: Path, key: PublicKey) -> None:
    listed = path.with_suffix(".pub")
    known = listed.read_text().splitlines() if listed.exists() else []
    if key.text not in known:
        with listed.open("a") as file:
            file.write(f"{key.text}\n")


@contextlib.contextmanager
def _faults(place: Path) -> Iterator[None]:
    """Turns a fault of the disk, or of what stands in a file, into one clear line."""
    try:
        yield
    except OSError as fault:
        raise KeyFileError(f"{place}: {(fault.strerror or str(fault)).lower()}") from None
    except (NoteError, UnicodeDecodeError) as fault:
        raise KeyFileError(f"{place}: {fault}") from None
