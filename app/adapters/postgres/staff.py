"""SCRAM verifiers, made on the client: no clear-text password ever reaches the server."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import stringprep
import unicodedata

SCRAM_ITERATIONS = 4096


def scram_verifier(password: str, *, salt: bytes | None = None, iterations: int = SCRAM_ITERATIONS) -> str:
    """What PostgreSQL stores for a password (RFC 5803 form); the clear text never leaves this process."""
    salt = secrets.token_bytes(16) if salt is None else salt
    salted = hashlib.pbkdf2_hmac("sha256", _prepared(password).encode(), salt, iterations)
    stored_key = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server_key = hmac.digest(salted, b"Server Key", "sha256")
    return f"SCRAM-SHA-256${iterations}:{_base64(salt)}${_base64(stored_key)}:{_base64(server_key)}"


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _prepared(password: str) -> str:
    """SASLprep (RFC 4013) as libpq does it at login: a password it cannot prepare is taken as it is."""
    mapped = "".join(
        " " if stringprep.in_table_c12(sign) else sign for sign in password if not stringprep.in_table_b1(sign)
    )
    plain = unicodedata.normalize("NFKC", mapped)
    prohibited = (
        stringprep.in_table_c12,
        stringprep.in_table_c21_c22,
        stringprep.in_table_c3,
        stringprep.in_table_c4,
        stringprep.in_table_c5,
        stringprep.in_table_c6,
        stringprep.in_table_c7,
        stringprep.in_table_c8,
        stringprep.in_table_c9,
        stringprep.in_table_a1,
    )
    if not plain or any(test(sign) for sign in plain for test in prohibited):
        return password
    right_to_left = [stringprep.in_table_d1(sign) for sign in plain]
    if any(right_to_left) and (any(map(stringprep.in_table_d2, plain)) or not (right_to_left[0] and right_to_left[-1])):
        return password
    return plain
