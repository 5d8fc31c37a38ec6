"""The gateway's desk of a service that has no key any more: counters are told, and what was begun comes to an end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from app.domain.gateway import seconds_to_late_ask
from app.usecases.gateway import FIRST_LATE_ASK
from app.usecases.outbox import Effect, Outbox
from app.usecases.ports import Store
from app.usecases.rows import OutboxRow
from app.usecases.rows_gateway import AttemptNews, AttemptNote
from app.usecases.sweeps import JobResult

log = logging.getLogger(__name__)

_NO_KEY = "the service has no key of the gateway"


class WithdrawnGateway:
    """Nothing is asked of a gateway here. What was to be made there is FAILED, what is past its end is ENDED; both stay
    to be asked about by a service that has the key again. As long as another service has it, nothing is done here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._outbox = Outbox(
            store,
            (
                Effect(kind="gateway_create", carry_out=self._fail),
                Effect(kind="gateway_end", carry_out=self._leave),
            ),
        )
        self._is_told = False

    def pass_once(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Raises Refusal(UNREACHABLE) when PostgreSQL is away."""
        if not self._store.transact(lambda tx: tx.publish_gateway(None), one_call=True):
            return JobResult(job="gateway", done=0, failed=0)
        if not self._is_told:
            log.warning("no payment gateway: %s", _NO_KEY)
            self._is_told = True
        done = self._outbox.run(stop).done
        while not stop():
            attempt = self._store.transact(lambda tx: tx.claim_attempt(), one_call=True)
            if attempt is None:
                break
            is_over = attempt.is_live and (attempt.seconds_left == 0 or attempt.is_end_asked)
            pause = FIRST_LATE_ASK if attempt.is_live else seconds_to_late_ask(attempt.seconds_since_end)
            self._note(attempt.order_id, AttemptNews.ENDED if is_over else AttemptNews.LATER, pause)
            done += is_over
        return JobResult(job="gateway", done=done, failed=0)

    def _fail(self, rows: Sequence[OutboxRow]) -> None:
        for row in rows:
            self._note(str(row.payload["order_id"]), AttemptNews.FAILED)

    def _leave(self, rows: Sequence[OutboxRow]) -> None:
        """The passes end it for us; at the gateway it ends by itself, at the moment it was made to."""

    def _note(self, order_id: str, news: AttemptNews, seconds: int | None = FIRST_LATE_ASK) -> None:
        note = AttemptNote(order_id=order_id, news=news, seconds=seconds, error=_NO_KEY)
        self._store.transact(lambda tx: tx.note_attempt(note), one_call=True)
