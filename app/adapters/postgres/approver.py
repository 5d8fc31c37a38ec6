"""Somebody else's short connection at a counter, for a manager's word: opened with the password and closed at once."""

from __future__ import annotations

from app.adapters.postgres.connection import person_url
from app.adapters.postgres.store import PostgresStore
from app.usecases.rows_approvals import Approval, NewApproval


class PostgresApprover:
    """`ApproverGate`. Knows the server, never keeps a password or a connection."""

    def __init__(self, url: str, role_prefix: str, counter: str) -> None:
        self._url = url
        self._role_prefix = role_prefix
        self._counter = counter

    def __call__(self, login: str, password: str, wanted: NewApproval) -> Approval:
        url = person_url(self._url, f"{self._role_prefix}_{login}", password)
        store = PostgresStore(url, counter=self._counter, pool_size=1)
        try:
            return store.transact(lambda tx: tx.approve(wanted), one_call=True)
        finally:
            store.close()
