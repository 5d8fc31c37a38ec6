"""The errors of the owner's own connection as refusals: set-up is run by a person, who is told in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.errors import REFUSED_BY_FUNCTION, unreachable
from app.domain.errors import Refusal, RefusalCode


@contextmanager
def owner_errors() -> Iterator[None]:
    """UNREACHABLE when no server answers or lets the owner in, a function's own "no" as it is told, NOT_ALLOWED for
    somebody who is no owner; anything else is a fault and passes."""
    try:
        yield
    except PermissionError as no:
        raise Refusal(RefusalCode.NOT_ALLOWED, next=(), reason=str(no)) from no
    except DBAPIError as error:
        cause = error.orig
        if not isinstance(cause, psycopg.Error):
            raise
        raise _meaning(cause) from error
    except psycopg.Error as error:
        raise _meaning(error) from error


def _meaning(error: psycopg.Error) -> Exception:
    if error.sqlstate == REFUSED_BY_FUNCTION:
        params = json.loads(error.diag.message_detail or "{}")
        code = RefusalCode(error.diag.message_primary or "")
        return Refusal(code, field=params.pop("field", None), next=(), **params)
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return Refusal(RefusalCode.NOT_ALLOWED, next=(), reason="not_the_owner")
    if isinstance(error, psycopg.OperationalError):
        return unreachable("database")
    return error
