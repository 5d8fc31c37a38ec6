"""The payment gateway: calls of the database's functions and their answers."""

from __future__ import annotations

from app.adapters.postgres.tx_call import Call, Told, as_json, moment_of, projection_of
from app.domain.gateway import AttemptKind, AttemptState, GatewayStatus
from app.domain.money import Rupiah
from app.usecases.rows_gateway import (
    Attempt,
    AttemptNote,
    BookedMoney,
    EventSource,
    GatewayPlace,
    GatewayTold,
    LateAnswer,
    LateAnswered,
    LateReason,
    MoneyOutcome,
    NewMoney,
    StoredEvent,
    Verdict,
)


class GatewayCalls:
    """The part `GatewayTx` of a transaction."""

    _call: Call

    def ask_attempt(self, invoice_id: str, kind: AttemptKind, counter: str) -> Attempt:
        asked = as_json({"invoice_id": invoice_id, "kind": kind.value, "counter": counter})
        return attempt_of(self._call.ask("SELECT sentra.ask_attempt(%s)", asked))

    def end_attempt(self, invoice_id: str, counter: str) -> Attempt | None:
        told = self._call.ask("SELECT sentra.end_attempt(%s)", as_json({"invoice_id": invoice_id, "counter": counter}))
        return None if told is None else attempt_of(told)

    def answer_late_money(
        self, late_id: str, answer: LateAnswer, reason: str, approval_id: str | None, counter: str
    ) -> LateAnswered:
        asked = {"late_id": late_id, "answer": answer.value, "reason": reason, "approval_id": approval_id}
        told = self._call.ask("SELECT sentra.answer_late_money(%s)", as_json({**asked, "counter": counter}))
        return LateAnswered(late_id=told["late_id"], kept=Rupiah(told["kept"]), already=told["already"])

    def publish_gateway(self, place: GatewayPlace | None) -> bool:
        told = (None, None) if place is None else (place.mode, place.is_simulated)
        return bool(self._call.ask("SELECT sentra.publish_gateway(CAST(%s AS text), CAST(%s AS boolean))", *told))

    def claim_attempt(self) -> Attempt | None:
        told = self._call.ask("SELECT sentra.claim_attempt()")
        return None if told is None else attempt_of(told)

    def note_attempt(self, note: AttemptNote) -> Attempt:
        told = self._call.ask(
            "SELECT sentra.note_attempt(%s)",
            as_json(
                {
                    "order_id": note.order_id,
                    "what": note.news.value,
                    "seconds": note.seconds,
                    "link": note.link,
                    "qr": note.qr,
                    "transaction_id": note.transaction_id,
                    "seen": note.seen or None,
                    "error": note.error[:300],
                }
            ),
        )
        return attempt_of(told)

    def record_gateway_event(self, event_id: str, told: GatewayTold, source: EventSource) -> StoredEvent:
        answer = self._call.ask(
            "SELECT sentra.record_gateway_event(%s)",
            as_json(
                {
                    "id": event_id,
                    "order_id": told.order_id,
                    "transaction_id": told.transaction_id,
                    "status": told.word,
                    "code": told.code,
                    "amount": None if told.amount is None else told.amount.gross,
                    "fee": 0 if told.amount is None else told.amount.fee,
                    "is_exact": told.amount is not None and told.amount.is_exact,
                    "said": told.said,
                    "given_back": told.given_back,
                    "is_money": told.status.brought_money,
                    "is_held": told.status is GatewayStatus.HELD,
                    "source": source.value,
                    "body": told.body,
                }
            ),
        )
        return StoredEvent(
            id=answer["id"],
            fresh=answer["fresh"],
            verdict=Verdict(answer["verdict"]),
            attempt=None if answer["attempt"] is None else attempt_of(answer["attempt"]),
            is_booked=answer["is_booked"],
        )

    def book_gateway_money(self, money: NewMoney) -> BookedMoney:
        told = self._call.ask(
            "SELECT sentra.book_gateway_money(%s)",
            as_json(
                {
                    "event_id": money.event_id,
                    "payment_id": money.payment_id,
                    "late_id": money.late_id,
                    "payment_type": money.payment_type,
                }
            ),
        )
        return BookedMoney(
            outcome=MoneyOutcome(told["outcome"]),
            branch_id=told.get("branch_id", ""),
            invoice_id=told.get("invoice_id", ""),
            asked_invoice_id=told.get("asked_invoice_id", ""),
            number=told.get("number"),
            late_id=told.get("late_id"),
            reason=LateReason(told["reason"]) if "reason" in told else None,
            bookings=tuple(told.get("bookings", ())),
            projections=tuple(projection_of(item) for item in told.get("projections", ())),
        )


def attempt_of(told: Told) -> Attempt:
    """An attempt out of the database's JSON."""
    return Attempt(
        order_id=told["order_id"],
        invoice_id=told["invoice_id"],
        number=told["number"],
        branch_id=told["branch_id"],
        kind=AttemptKind(told["kind"]),
        amount=Rupiah(told["amount"]),
        state=AttemptState(told["state"]),
        expires_at=moment_of(told["expires_at"]),
        seconds_left=told["seconds_left"],
        now=moment_of(told["now"]),
        created_at=moment_of(told["created_at"]),
        ended_at=moment_of(told["ended_at"]) if told["ended_at"] else None,
        asked_count=told["asked_count"],
        is_end_asked=told["end_asked_at"] is not None,
        is_simulated=told["simulated"],
        link=told["link"],
        qr=told["qr"],
        transaction_id=told["transaction_id"],
        error=told["error"],
        still_payable_until=moment_of(told["still_payable_until"]) if told["still_payable_until"] else None,
    )
