"""The service's gateway desk: makes and ends attempts, hears notifications, asks what none told, and books money once.

Money moves only after the gateway was asked itself, and in one database function; everything here may be repeated.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from enum import StrEnum

from app.domain.gateway import (
    ENDS_ANYWAY_SECONDS,
    LEAST_LINK_SECONDS,
    AttemptKind,
    AttemptState,
    GatewayStatus,
    after_status,
    retry_seconds,
    seconds_to_late_ask,
    seconds_to_next_ask,
)
from app.usecases.index_work import IndexWork
from app.usecases.outbox import Effect, Outbox
from app.usecases.ports import Ids, Store
from app.usecases.ports_gateway import GatewayAway, GatewayNotices, GatewayPort, GatewayRefused
from app.usecases.rows import OutboxRow
from app.usecases.rows_gateway import (
    Attempt,
    AttemptNews,
    AttemptNote,
    BookedMoney,
    EventSource,
    GatewayTold,
    MadeAttempt,
    MoneyOutcome,
    NewMoney,
    StoredEvent,
    Verdict,
)
from app.usecases.sweeps import JobResult

log = logging.getLogger(__name__)

FIRST_LATE_ASK = 60
REFUSED_PAUSE = 120
NOT_OPENED = GatewayStatus.NOT_OPENED.value.lower()


class NoticeOutcome(StrEnum):
    """What a notification led to."""

    BOOKED = "booked"
    REINSTATED = "reinstated"
    LATE_MONEY = "late_money"
    GIVEN_BACK = "given_back"
    HELD = "held"
    REPLAY = "replay"
    NOTED = "noted"
    UNKNOWN_ORDER = "unknown_order"
    WRONG_AMOUNT = "wrong_amount"


_OUTCOMES = {
    MoneyOutcome.PAID: NoticeOutcome.BOOKED,
    MoneyOutcome.REINSTATED: NoticeOutcome.REINSTATED,
    MoneyOutcome.LATE: NoticeOutcome.LATE_MONEY,
    MoneyOutcome.GIVEN_BACK: NoticeOutcome.GIVEN_BACK,
    MoneyOutcome.HELD: NoticeOutcome.HELD,
    MoneyOutcome.ALREADY: NoticeOutcome.REPLAY,
    MoneyOutcome.UNKNOWN: NoticeOutcome.NOTED,
}


_STRANGE = frozenset({MoneyOutcome.GIVEN_BACK, MoneyOutcome.HELD, MoneyOutcome.UNKNOWN})
"""Somebody should look at it."""

_ENDS = frozenset({GatewayStatus.OVER, GatewayStatus.DENIED})
_QUIET = frozenset(GatewayStatus) - _ENDS - {GatewayStatus.PAID, GatewayStatus.REFUNDED, GatewayStatus.HELD}
"""What is told of a transaction without any need to ask."""


class GatewayDesk:
    """Several services may run one each: attempts are claimed, effects leased, and money is booked once."""

    def __init__(self, store: Store, port: GatewayPort, notices: GatewayNotices, work: IndexWork, ids: Ids) -> None:
        self._store = store
        self._port = port
        self._work = work
        self._ids = ids
        self.notices = notices
        self.effects: tuple[Effect, ...] = (
            Effect(kind="gateway_create", carry_out=self._carry_out_create),
            Effect(kind="gateway_end", carry_out=self._carry_out_end),
        )
        self._outbox = Outbox(store, self.effects)

    def publish(self) -> None:
        """Tell counters which gateway this is; before it they ask for no attempt. Told anew with every pass: a service
        without a key withdraws what nobody told of for a minute."""
        self._store.transact(lambda tx: tx.publish_gateway(self._port.place), one_call=True)

    def work_now(self) -> int:
        """Make and end at once what counters asked for; how many. Raises Refusal(UNREACHABLE) when PostgreSQL is
        away."""
        return self._outbox.run().done

    def notice(self, told: GatewayTold) -> NoticeOutcome:
        """Hear a signed notification: stored, then asked about, then acted on. The same again changes nothing.

        Raises GatewayAway when the gateway does not answer: what it told is on record, and is asked about again within
        seconds by `pass_once`. Raises Refusal(UNREACHABLE) when PostgreSQL is away.
        """
        stored = self._record(told, EventSource.NOTIFICATION)
        if stored.verdict is Verdict.UNKNOWN_ORDER or stored.attempt is None:
            log.error("the gateway told of order %s, which is none of ours; kept aside", told.order_id)
            return NoticeOutcome.UNKNOWN_ORDER
        if stored.is_booked:
            return NoticeOutcome.REPLAY
        if told.status in _QUIET:
            return NoticeOutcome.NOTED
        booked = self._ask_of_all(stored.attempt, told.transaction_id if told.status not in _ENDS else "")
        if stored.verdict is Verdict.WRONG_AMOUNT:
            log.error("the gateway told another amount of order %s than was asked for: %s", told.order_id, told.said)
            return NoticeOutcome.WRONG_AMOUNT
        return NoticeOutcome.NOTED if booked is None else _OUTCOMES[booked.outcome]

    def pass_once(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Ask about every attempt whose time has come, and end those past their deadline or asked to be ended.

        The first that the gateway does not answer for ends the pass: the others wait for the next one.
        """
        self.publish()
        done = 0
        while not stop():
            attempt = self._store.transact(lambda tx: tx.claim_attempt(), one_call=True)
            if attempt is None:
                break
            try:
                done += self._ask_about(attempt)
            except GatewayAway as away:
                self._put_off(attempt, retry_seconds(attempt.asked_count), str(away))
                return JobResult(job="gateway", done=done, failed=1, problem=f"the gateway does not answer: {away}")
            except GatewayRefused as no:
                log.error("the gateway refuses to speak of %s: %s", attempt.order_id, no)
                pause = REFUSED_PAUSE if attempt.is_live else seconds_to_late_ask(attempt.seconds_since_end)
                self._put_off(attempt, pause, str(no))
        return JobResult(job="gateway", done=done, failed=0)

    # --- asking -----------------------------------------------------------------------------------------------------

    def _ask_about(self, attempt: Attempt) -> bool:
        """Whether it came to something: money, or its end."""
        if attempt.is_live and (attempt.seconds_left == 0 or attempt.is_end_asked):
            return self._close(attempt).state is not attempt.state
        before = attempt.state
        booked = self._ask_of_all(attempt)
        if booked is not None and booked.outcome is not MoneyOutcome.UNKNOWN:
            return booked.outcome is not MoneyOutcome.ALREADY
        after = self._store.read.attempt(attempt.order_id)
        return after is not None and after.state is not before

    def _ask_of_all(self, attempt: Attempt, also: str = "") -> BookedMoney | None:
        """Ask about the order, and about what else was told to be paid under its name: a page may be paid on twice."""
        answer = self._port.status(attempt.order_id)
        booked = self._apply(attempt, answer)
        others = dict.fromkeys((also, *self._store.read.told_transactions(attempt.order_id)))
        for name in others:
            if name and (answer is None or name != answer.transaction_id):
                booked = self._apply(attempt, self._port.status(name)) or booked
        return booked

    def _close(self, attempt: Attempt) -> Attempt:
        """End it at the gateway, unless it was paid: then book that. The attempt as it stands then: over, but for one
        that the gateway neither ends nor tells to be over, for a while."""
        answer = self._port.status(attempt.order_id)
        if answer is None or answer.status in (GatewayStatus.PENDING, GatewayStatus.DENIED):
            if self._port.expire(attempt.order_id):
                return self._note(attempt, AttemptNews.ENDED, FIRST_LATE_ASK, seen="expire")
            if answer is None or answer.status is GatewayStatus.DENIED:  # nothing there could be ended
                seen = NOT_OPENED if answer is None else answer.word
                return self._note(attempt, AttemptNews.ENDED, FIRST_LATE_ASK, seen=seen)
            answer = self._port.status(attempt.order_id)  # it became something else between the two questions
        self._apply(attempt, answer)
        after = self._store.read.attempt(attempt.order_id) or attempt
        is_pending = answer is not None and answer.status is GatewayStatus.PENDING
        if not after.is_live or (is_pending and after.seconds_over < ENDS_ANYWAY_SECONDS):
            return after
        return self._note(
            attempt, AttemptNews.ENDED, FIRST_LATE_ASK, seen=NOT_OPENED if answer is None else answer.word
        )

    def _put_off(self, attempt: Attempt, seconds: int | None, error: str) -> None:
        """No answer. One that is long past its end is over all the same, and is asked about later still."""
        is_over = attempt.is_live and attempt.seconds_over >= ENDS_ANYWAY_SECONDS
        self._note(attempt, AttemptNews.ENDED if is_over else AttemptNews.LATER, seconds, error=error)

    def _apply(self, attempt: Attempt, answer: GatewayTold | None) -> BookedMoney | None:
        """Record what the gateway answered; what became of its money, if it has any."""
        if answer is not None and answer.order_id != attempt.order_id:
            raise GatewayAway("an answer about another order")
        if answer is None:
            self._note_seen(attempt, NOT_OPENED)
            return None
        if answer.status.brought_money or answer.status is GatewayStatus.HELD:
            return self._book(attempt, self._record(answer, EventSource.STATUS), answer)
        if answer.status is GatewayStatus.UNKNOWN:
            log.error("the gateway says %r of order %s: nobody here knows what that is", answer.word, attempt.order_id)
        if after_status(attempt.kind, attempt.state, answer.status) is AttemptState.ENDED and attempt.is_live:
            self._note(attempt, AttemptNews.ENDED, FIRST_LATE_ASK, seen=answer.word)
            self._announce(attempt)
        else:
            self._note_seen(attempt, answer.word)
        return None

    def _book(self, attempt: Attempt, stored: StoredEvent, told: GatewayTold) -> BookedMoney:
        if stored.is_booked:
            self._note_seen(attempt, told.word)
            return BookedMoney(outcome=MoneyOutcome.ALREADY)
        money = NewMoney(
            event_id=stored.id,
            payment_id=self._ids.uuid(),
            late_id=self._ids.uuid(),
            payment_type=told.payment_type,
        )
        epoch = self._work.epoch()
        booked = self._store.transact(lambda tx: tx.book_gateway_money(money), one_call=True)
        if booked.projections:
            self._work.project(epoch, booked.projections)
        for invoice_id in dict.fromkeys(filter(None, (booked.asked_invoice_id, booked.invoice_id))):
            self._work.announce(booked.branch_id, "invoice", invoice_id)
        for booking_id in booked.bookings:
            self._work.announce(booked.branch_id, "booking", booking_id)
        if booked.outcome in _STRANGE:
            log.error("money of order %s: %s, the gateway says %s", told.order_id, booked.outcome.value, told.word)
        else:
            found = booked.reason or booked.number or ""
            log.info("money of order %s: %s %s", told.order_id, booked.outcome.value, found)
        if booked.outcome in (MoneyOutcome.ALREADY, *_STRANGE):
            self._note_seen(attempt, told.word)
        return booked

    # --- outside effects --------------------------------------------------------------------------------------------

    def _carry_out_create(self, rows: Sequence[OutboxRow]) -> None:
        for row in rows:
            attempt = self._store.read.attempt(str(row.payload["order_id"]))
            if attempt is None or attempt.state is not AttemptState.ASKED:
                continue
            if attempt.is_end_asked or attempt.seconds_left < 1:
                self._note(attempt, AttemptNews.ENDED, FIRST_LATE_ASK)
                continue
            if attempt.kind is AttemptKind.LINK and attempt.seconds_left < LEAST_LINK_SECONDS:
                self._note(attempt, AttemptNews.FAILED, None, error="too late for a link")
                self._announce(attempt)
                continue
            try:
                made = self._made(attempt, row.id)
            except GatewayRefused as no:
                log.error("the gateway refuses order %s: %s", attempt.order_id, no)
                self._note(attempt, AttemptNews.FAILED, FIRST_LATE_ASK, error=str(no))
                self._announce(attempt)
                continue
            noted = self._store.transact(
                lambda tx, attempt=attempt, made=made: tx.note_attempt(  # type: ignore[misc]
                    AttemptNote(
                        order_id=attempt.order_id,
                        news=AttemptNews.MADE,
                        seconds=seconds_to_next_ask(0),
                        link=made.link,
                        qr=made.qr,
                        transaction_id=made.transaction_id,
                    )
                ),
                one_call=True,
            )
            if not noted.is_live or noted.is_end_asked:  # it was ended here while it was made there
                self._close(noted)
            self._announce(attempt)

    def _made(self, attempt: Attempt, key: str) -> MadeAttempt:
        create = self._port.create_qris if attempt.kind is AttemptKind.QRIS else self._port.create_link
        return create(attempt.order_id, attempt.amount, attempt.seconds_left, key)

    def _carry_out_end(self, rows: Sequence[OutboxRow]) -> None:
        for row in rows:
            attempt = self._store.read.attempt(str(row.payload["order_id"]))
            if attempt is None or not attempt.is_live or attempt.seconds_left == 0:
                continue  # past its end the passes end it
            try:
                closed = self._close(attempt)
            except GatewayRefused as no:
                raise GatewayAway(f"the gateway refuses to end it: {no}") from None
            self._announce(attempt)
            if closed.is_live:
                raise GatewayAway("the gateway has not ended it yet")

    # --- notes ------------------------------------------------------------------------------------------------------

    def _note_seen(self, attempt: Attempt, seen: str) -> None:
        if attempt.is_live:
            seconds: int | None = seconds_to_next_ask((attempt.now - attempt.created_at).total_seconds())
            if attempt.seconds_left == 0 or attempt.is_end_asked:
                seconds = retry_seconds(attempt.asked_count)
        else:
            seconds = seconds_to_late_ask(attempt.seconds_since_end)
        self._note(attempt, AttemptNews.SEEN, seconds, seen=seen)

    def _note(
        self, attempt: Attempt, news: AttemptNews, seconds: int | None, seen: str = "", error: str = ""
    ) -> Attempt:
        note = AttemptNote(order_id=attempt.order_id, news=news, seconds=seconds, seen=seen, error=error)
        return self._store.transact(lambda tx: tx.note_attempt(note), one_call=True)

    def _record(self, told: GatewayTold, source: EventSource) -> StoredEvent:
        event_id = self._ids.uuid()
        return self._store.transact(lambda tx: tx.record_gateway_event(event_id, told, source), one_call=True)

    def _announce(self, attempt: Attempt) -> None:
        self._work.announce(attempt.branch_id, "invoice", attempt.invoice_id)
