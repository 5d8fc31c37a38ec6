"""Accounts: SCRAM verifiers made on the client, and the owner's set-up of the first branches and logins."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import stringprep
import unicodedata
from collections.abc import Sequence

import psycopg

from app.adapters.postgres.connection import plain_url
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Branch

SCRAM_ITERATIONS = 4096
_ADD_BRANCH = """
    INSERT INTO sentra.branch (id, code, name, zone, has_ppn, prices_include_ppn, cash_rounding, opens_at, closes_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING"""


def scram_verifier(password: str, *, salt: bytes | None = None, iterations: int = SCRAM_ITERATIONS) -> str:
    """What PostgreSQL stores for a password (RFC 5803 form); the clear text never leaves this process."""
    salt = secrets.token_bytes(16) if salt is None else salt
    salted = hashlib.pbkdf2_hmac("sha256", _prepared(password).encode(), salt, iterations)
    stored_key = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server_key = hmac.digest(salted, b"Server Key", "sha256")
    return f"SCRAM-SHA-256${iterations}:{_base64(salt)}${_base64(stored_key)}:{_base64(server_key)}"


def add_branch(owner_url: str, branch: Branch) -> bool:
    """Make a branch; False when its id is there already (nothing is changed then). The owner's URL only."""
    values = (branch.id, branch.code, branch.name, branch.zone.key, branch.has_ppn, branch.prices_include_ppn)
    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        times = (branch.cash_rounding, branch.opens_at, branch.closes_at)
        return connection.execute(_ADD_BRANCH, (*values, *times)).rowcount == 1


def add_login(
    owner_url: str, *, login: str, name: str, password: str, branch_code: str, roles: Sequence[str]
) -> str | None:
    """Make an employee (or, with role `service`, a service account); the role's name, or None when it is there already.

    The names of the group roles cannot be logins. Refuses FIELD_INVALID and NOT_FOUND (branch).
    """
    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        try:
            row = connection.execute(
                "SELECT sentra.add_staff(%s, %s, %s, %s::text[], %s)",
                (login, name, branch_code, list(roles), scram_verifier(password)),
            ).fetchone()
        except psycopg.Error as error:
            if error.sqlstate != "SR001":
                raise
            code = RefusalCode(error.diag.message_primary or "")
            if code is RefusalCode.DUPLICATE:
                return None
            params = json.loads(error.diag.message_detail or "{}")
            raise Refusal(code, field=params.pop("field", None), next=(), **params) from None
    return str(row[0]) if row else None


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
