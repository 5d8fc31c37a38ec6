"""Sealed identity numbers: anybody seals with the public key, only the service opens (X25519 sealed boxes).

The private key and the key of the lookups are one file of mode 0600 in the service's data folder, outside the database
and its backup: whoever runs the service keeps a copy of it elsewhere, for without it no number opens again.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
import os
import secrets
import sys
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import IdentityKind
from app.usecases.rows_customers import PublishedKey, SealedIdentity

log = logging.getLogger(__name__)

KEY_FILE = "identity.key"


class Seals:
    """What a counter does: seal, with the customer and the kind inside, so that no box serves for another row."""

    def seal(self, key: PublishedKey, customer_id: str, kind: IdentityKind, number: str) -> bytes:
        """Refuses UNREACHABLE when the published key is none."""
        try:
            public = PublicKey(base64.b64decode(key.public_key, validate=True))
        except (binascii.Error, ValueError, TypeError):
            raise _no_key() from None
        said = json.dumps({"customer": customer_id, "kind": kind.value, "number": number})
        return SealedBox(public).encrypt(said.encode())


class KeyFile:
    """The service's keys, read from its file."""

    def __init__(self, private: bytes, lookup: bytes) -> None:
        self._private = PrivateKey(private)
        self._lookup = lookup

    @property
    def published(self) -> PublishedKey:
        public = bytes(self._private.public_key)
        return PublishedKey(
            key_id=hashlib.sha256(public).hexdigest()[:16], public_key=base64.b64encode(public).decode("ascii")
        )

    def open(self, identity: SealedIdentity) -> str | None:
        """The number; None when the box does not open, or was sealed for another customer or kind."""
        try:
            said = json.loads(SealedBox(self._private).decrypt(identity.sealed))
        except (CryptoError, ValueError):
            return None
        if not isinstance(said, dict):
            return None
        fits = said.get("customer") == identity.customer_id and said.get("kind") == identity.kind.value
        number = said.get("number")
        return number if fits and isinstance(number, str) else None

    def lookup(self, kind: IdentityKind, number: str) -> bytes:
        """The keyed hash by which exactly this number is found: HMAC-SHA-256."""
        return hmac.digest(self._lookup, f"{kind.value}:{number}".encode(), "sha256")


def open_key_file(folder: Path, *, may_make: bool) -> KeyFile:
    """The keys of this data folder; with `may_make` they are made where there are none.

    Refuses UNREACHABLE `identity_key` when they are lost or cannot be read: never replaced by others in silence.
    """
    path = folder / KEY_FILE
    if may_make and not path.exists():
        _make(path)
    try:
        held = json.loads(path.read_text(encoding="ascii"))
        private, lookup = (base64.b64decode(held[name], validate=True) for name in ("private", "lookup"))
        return KeyFile(private, lookup)
    except (OSError, ValueError, KeyError, TypeError) as no:
        log.error("%s cannot be read (%s): identity numbers stay sealed", path, type(no).__name__)
        raise _no_key() from None


def _make(path: Path) -> None:
    """Written whole under another name first: a crash leaves no half key, and the first of two services wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{KEY_FILE}.{secrets.token_hex(8)}")
    held = {name: base64.b64encode(secrets.token_bytes(32)).decode("ascii") for name in ("private", "lookup")}
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump({"v": 1, **held}, file)
            file.flush()
            os.fsync(file.fileno())
        os.link(fresh, path)
    except FileExistsError:
        log.info("another process made the identity key first")
    else:
        guard = "protect it by its folder's rights" if sys.platform == "win32" else "readable for its owner only"
        log.warning("made the identity key %s (%s); keep a copy of it outside this machine", path, guard)
    finally:
        fresh.unlink()


def _no_key() -> Refusal:
    return Refusal(RefusalCode.UNREACHABLE, next=(), reason="identity_key")
