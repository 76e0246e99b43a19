"""Signed notes: a short text and Ed25519 signatures under it, in the form C2SP calls signed-note and checkpoint.

Sources: https://c2sp.org/signed-note and https://c2sp.org/tlog-checkpoint. A checkpoint's lines are the
origin, the number of events, a hash in base64, and lines of ours after it. Its hash is the chain's at that
position, not a Merkle tree's root.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass

_ED25519 = b"\x01"
_MARK = "— "  # an em dash and a blank, before every signature
MOST_BYTES = 100_000
"""No note is longer; more is not read."""


class NoteError(ValueError):
    """A text that is no signed note, or no key: one clear line."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key's name and its 32 bytes, as they are written down: `name+hash+base64`."""

    name: str
    raw: bytes

    @property
    def hash(self) -> bytes:
        """Four bytes by which a signature says whose it is."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.raw).digest()[:4]

    @property
    def text(self) -> str:
        """The key in one line, to be given away."""
        return f"{self.name}+{self.hash.hex()}+{base64.b64encode(_ED25519 + self.raw).decode()}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature as it stands under a note: by whose name, the key's hash (4 bytes), the signature (64)."""

    name: str
    key_hash: bytes
    raw: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A text that ends with a line break, and the signatures under it, maybe none."""

    text: str
    signatures: tuple[Signature, ...] = ()

    @property
    def whole(self) -> str:
        """The note as it is written down."""
        lines = [
            _MARK + f"{s.name} {base64.b64encode(s.key_hash + s.raw).decode()}\n" for s in self.signatures
        ]
        return f"{self.text}\n{''.join(lines)}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a note says: whose chain, how many events of it, the hash of the last one; what more stands there."""

    origin: str
    position: int
    hash: bytes
    more: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that is signed."""
        lines = (self.origin, str(self.position), base64.b64encode(self.hash).decode(), *self.more)
        return "".join(f"{line}\n" for line in lines)


def parse_key(text: str) -> PublicKey:
    """A public key from its line. Raises NoteError."""
    name, _, rest = text.strip().partition("+")
    key_hash, _, coded = rest.partition("+")
    raw = _decoded(coded)
    if raw is None or len(raw) != 33 or raw[:1] != _ED25519 or not _is_name(name):
        raise NoteError("this is no public key; one is written name+hash+base64")
    key = PublicKey(name, raw[1:])
    if key.hash.hex() != key_hash:
        raise NoteError(f"the key of {name} is misspelt: its hash does not fit")
    return key


def parse_note(text: str) -> Note:
    """A note from its text. Raises NoteError. Line ends of other systems and blanks at the ends are put right."""
    clean = "\n".join(line.rstrip() for line in text.strip("\ufeff\r\n ").splitlines())
    body, gap, signed = clean.rpartition("\n\n")
    if not gap:
        body, signed = clean, ""
    signatures = []
    for line in signed.splitlines():
        name, _, coded = line.removeprefix(_MARK).partition(" ")
        raw = _decoded(coded)
        if not line.startswith(_MARK) or raw is None or len(raw) != 68 or not _is_name(name):
            raise NoteError("after the empty line stand signatures: — NAME BASE64")
        signatures.append(Signature(name, raw[:4], raw[4:]))
    return Note(body + "\n", tuple(signatures))


def is_signature(line: str) -> bool:
    """Whether a line begins as a signature under a note does."""
    return line.startswith(_MARK)


def parse_checkpoint(text: str) -> Checkpoint:
    """What a note's text says. Raises NoteError."""
    lines = text.splitlines()
    hash_ = _decoded(lines[2]) if len(lines) >= 3 else None
    number = lines[1] if len(lines) >= 3 else ""
    if hash_ is None or len(hash_) != 32 or not (number.isascii() and number.isdigit() and len(number) <= 15):
        raise NoteError("this is no checkpoint: its lines are the origin, the number of events and the hash")
    return Checkpoint(lines[0], int(number), hash_, tuple(lines[3:]))


def signed_by(note: Note, key: PublicKey) -> bool | None:
    """Whether the key signed the note; None where no signature says it is this key's."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    mine = [s for s in note.signatures if (s.name, s.key_hash) == (key.name, key.hash)]
    if not mine:
        return None
    for signature in mine:
        try:
            Ed25519PublicKey.from_public_bytes(key.raw).verify(signature.raw, note.text.encode())
        except (InvalidSignature, ValueError):
            return False
    return True


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(c.isspace() for c in name)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
