"""Logins and passwords as they are typed, checked before a server is asked."""

from __future__ import annotations

import re

from app.domain.errors import invalid
from app.json_values import is_encodable

_LOGIN = re.compile(r"[a-z][a-z0-9_.]{1,30}")


def checked_login(login: str) -> str:
    """The login as the database has it; FIELD_INVALID when it can be nobody's."""
    name = login.strip().lower()
    if not _LOGIN.fullmatch(name):
        raise invalid("login", "not_a_login", given=login[:40])
    return name


def check_password(password: str) -> None:
    """Refuse an empty one, and one that cannot be sent."""
    if not password:
        raise invalid("password", "empty")
    if "\0" in password or not is_encodable(password):
        raise invalid("password", "not_text")
