"""Numbers of papers in drafts: sealed on this PC with a key of its own, so that no draft's file holds them in clear.

What this keeps: a draft that is copied, backed up, searched or sent along with a report tells no number of a KTP,
passport or licence, whole or half typed. What it does not: the key lies beside the folder of the drafts, readable for
the same person of the operating system (mode 0600; on Windows by the folder's rights), because every field has to be
back after a power cut without anybody's password. Whoever reads this person's files, key and drafts together, opens
them. The booking ends a draft, and with it the number; from then on it is sealed for the service alone.
"""

import base64
import binascii
import json
import logging
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

log = logging.getLogger(__name__)

KEY_FILE = "drafts.key"
KEY_BYTES = 32
SEALED = "sealed"
SECRET = frozenset({"new_nik", "sent_content", "nik", "passport", "licence_number"})
"""Fields that are sealed whatever is typed in them; `sent_content` repeats the others."""
_LONG_NUMBER = re.compile(r"(?:\d[\s.\-/]*){14}", re.ASCII)
"""More digits than a phone has: somebody looks for, or notes, a NIK."""


class DraftBox:
    """Seals and opens the fields of drafts that lie in `folder`; the key is one file beside that folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder.parent / KEY_FILE

    def sealed(self, fields: Mapping[str, object]) -> dict[str, object]:
        """The fields as they may be written. Where no key can be had a secret is left out, never written in clear."""
        return {name: self._seal(name, value) for name, value in fields.items()}

    def opened(self, fields: Mapping[str, object]) -> dict[str, object]:
        """The fields as they were typed; one that does not open any more is empty."""
        return {name: self._open(name, value) for name, value in fields.items()}

    def has_secret(self, fields: Mapping[str, object]) -> bool:
        """Whether anything of it is to be sealed and is not."""
        return any(_is_secret(name, value) for name, value in _texts("", fields))

    # --- inside -------------------------------------------------------------------------------------------------------

    def _seal(self, name: str, value: object) -> object:
        if isinstance(value, Mapping):
            return {str(inner): self._seal(str(inner), item) for inner, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._seal(name, item) for item in value]
        if not isinstance(value, str) or not _is_secret(name, value):
            return value
        key = self._key(may_make=True)
        if key is None:
            return {SEALED: ""}
        from nacl.secret import SecretBox

        said = json.dumps({"name": name, "text": value}).encode()
        return {SEALED: base64.b64encode(SecretBox(key).encrypt(said)).decode("ascii")}

    def _open(self, name: str, value: object) -> object:
        if isinstance(value, Mapping):
            if set(value) == {SEALED}:
                return self._unseal(name, str(value[SEALED]))
            return {str(inner): self._open(str(inner), item) for inner, item in value.items()}
        if isinstance(value, list):
            return [self._open(name, item) for item in value]
        return value

    def _unseal(self, name: str, text: str) -> str:
        from nacl.exceptions import CryptoError
        from nacl.secret import SecretBox

        key = self._key(may_make=False)
        try:
            if key is None or not text:
                raise ValueError("there is no key, or nothing was kept")
            said = json.loads(SecretBox(key).decrypt(base64.b64decode(text, validate=True)))
            if said["name"] != name or not isinstance(said["text"], str):
                raise ValueError("it was sealed for another field")
            return str(said["text"])
        except (CryptoError, ValueError, TypeError, KeyError, binascii.Error) as problem:
            log.warning("the draft's %s could not be opened: %s", name, type(problem).__name__)
            return ""

    def _key(self, *, may_make: bool) -> bytes | None:
        """The key of this PC's drafts. One that is damaged is replaced: no draft opens with it anyway."""
        try:
            key = self._path.read_bytes()
            if len(key) == KEY_BYTES:
                return key
            self._path.unlink()
        except FileNotFoundError:
            pass  # the first draft of this PC makes it
        except OSError as problem:
            log.warning("the key of the drafts cannot be read: %s", problem.strerror)
            return None
        return self._make() if may_make else None

    def _make(self) -> bytes | None:
        """Written whole under another name first; of two windows that make one at once the first wins."""
        fresh = self._path.with_name(f".{KEY_FILE}.{secrets.token_hex(8)}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(secrets.token_bytes(KEY_BYTES))
                    file.flush()
                    os.fsync(file.fileno())
                os.link(fresh, self._path)
            except FileExistsError:
                log.info("another window made the key of the drafts first")
            finally:
                fresh.unlink()
            key = self._path.read_bytes()
        except OSError as problem:
            log.warning("no key for drafts can be made here: %s; numbers of papers are not kept", problem.strerror)
            return None
        return key if len(key) == KEY_BYTES else None


def _texts(name: str, value: object) -> list[tuple[str, str]]:
    """Every text of nested fields with the name it stands under."""
    if isinstance(value, Mapping):
        return [found for inner, item in value.items() for found in _texts(str(inner), item)]
    if isinstance(value, list | tuple):
        return [found for item in value for found in _texts(name, item)]
    return [(name, value)] if isinstance(value, str) else []


def _is_secret(name: str, text: object) -> bool:
    if not isinstance(text, str) or not text:
        return False
    if name in SECRET:
        return True
    return name not in ("id", "ids") and not name.endswith(("_id", "_ids")) and has_long_number(text)


def has_long_number(text: str) -> bool:
    """More digits one after the other than a phone has, whatever stands between them."""
    return _LONG_NUMBER.search(text) is not None
