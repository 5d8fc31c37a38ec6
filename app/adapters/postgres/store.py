"""The database as one logged-in person: reads, and transactions with their rules for trying again."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.adapters.postgres.connection import PoolLife, make_engine
from app.adapters.postgres.driver import BEGIN, COMMIT, Borrowed
from app.adapters.postgres.errors import Failure, failure_of, refusal_of, sqlstate_of, unreachable
from app.adapters.postgres.reads import PostgresReads
from app.adapters.postgres.tx import PostgresTx
from app.usecases.ports import Tx

T = TypeVar("T")
log = logging.getLogger(__name__)

TRIES_AGAIN = 3
FIRST_PAUSE_SECONDS = 0.02


class PostgresStore:
    """`Store` over a small pool of the person's own connections; safe to use from several threads.

    `url` logs in as the person; `counter` names the till or PC in the audit trail. Nothing is connected before use.
    """

    def __init__(
        self, url: str, *, counter: str = "", pool_size: int = 2, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._life = PoolLife()
        self._engine = make_engine(url, counter=counter, pool_size=pool_size, life=self._life)
        self._reads = PostgresReads(self._engine)
        self._sleep = sleep

    @property
    def read(self) -> PostgresReads:
        return self._reads

    def transact(self, work: Callable[[Tx], T], *, one_call: bool = False) -> T:
        """Run `work` in one READ COMMITTED transaction and commit; a Refusal, or any other exception, rolls back.

        40001, 40P01 and lost connections are tried again up to 3 times with jitter: every write carries the caller's
        id, so a COMMIT whose answer was lost is found, not repeated. Then UNREACHABLE, `outcome` `unknown` when a
        COMMIT may have happened.

        `one_call`: `work` makes exactly one call, which is sent with its BEGIN and COMMIT in one round trip. No rows
        stay locked while a client thinks, or is stopped; what `work` raises afterwards undoes nothing.
        """
        unseen = False
        failed = 0
        while True:
            step = _Step()
            try:
                return self._run(work, step, again=unseen, one_call=one_call)
            except (DBAPIError, PoolTimeout) as error:
                what = failure_of(error)
                if what is Failure.REFUSED:
                    raise refusal_of(error) from error
                if what is Failure.FAULT:
                    raise
                unseen = unseen or (step.committing and what is Failure.LOST)
                failed += 1
                if failed > TRIES_AGAIN or (what is Failure.LOST and not step.connected and failed > 1):
                    no = unreachable("database" if what is Failure.LOST else "busy")
                    if unseen:
                        no.params["outcome"] = "unknown"
                    raise no from error
                state = sqlstate_of(error) if isinstance(error, DBAPIError) else None
                log.info("transaction failed (%s, SQLSTATE %s), try %d follows", what.name, state, failed + 1)
                self._sleep(FIRST_PAUSE_SECONDS * 2**failed * (0.5 + random.random()))

    def close(self) -> None:
        """Return every connection; one that is in use now ends with its question. Later questions are UNREACHABLE."""
        self._life.is_over = True
        self._engine.dispose()

    def _run(self, work: Callable[[Tx], T], step: _Step, *, again: bool, one_call: bool) -> T:
        connection = Borrowed(self._engine)
        step.connected = True
        try:
            if one_call:
                step.committing = True
                result = work(PostgresTx(connection, again=again, one_call=True))
            else:
                connection.say(BEGIN)
                result = work(PostgresTx(connection, again=again))
                step.committing = True
                connection.say(COMMIT)
        except BaseException as error:
            _leave(connection, error)
            raise
        connection.give_back()
        return result


class _Step:
    """How far one try came."""

    def __init__(self) -> None:
        self.connected = False
        self.committing = False


def _leave(connection: Borrowed, error: BaseException) -> None:
    """Roll back and give the connection back; a dying one is dropped, since its rollback would raise over the cause."""
    if isinstance(error, DBAPIError) and failure_of(error) is Failure.LOST:
        connection.drop()
    else:
        connection.give_back()
