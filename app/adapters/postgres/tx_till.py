"""The till: calls of the database's functions and their answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from app.adapters.postgres.tx_call import Call, Told, as_json, day_of, moment_of
from app.domain.money import Rupiah
from app.domain.refund import RefundWay
from app.usecases.rows_companies import CollectiveInvoice, CollectivePayment
from app.usecases.rows_till import (
    CreditAnswer,
    CreditWish,
    NumberedMonth,
    PaidOut,
    PayOut,
    ShiftCount,
    VoidedInvoice,
)


class TillCalls:
    """The part `TillTx` of a transaction."""

    _call: Call

    def pay_out_refund(self, wish: PayOut) -> PaidOut:
        told = self._call.ask(
            "SELECT sentra.pay_out_refund(%s)",
            as_json(
                {
                    "refund_id": wish.refund_id,
                    "attempt_id": wish.attempt_id,
                    "way": wish.way.value,
                    "reference": wish.reference,
                    "bank": wish.bank,
                    "reason": wish.reason,
                    "approval_id": wish.approval_id,
                    "counter": wish.counter,
                }
            ),
        )
        return PaidOut(
            refund_id=told["refund_id"],
            number=told["number"],
            invoice_id=told["invoice_id"],
            amount=Rupiah(told["amount"]),
            way=RefundWay(told["way"]),
            done_at=moment_of(told["done_at"]),
            already=told["already"],
        )

    def void_settled(
        self, invoice_id: str, reason: str, replace: bool, approval_id: str | None, counter: str
    ) -> VoidedInvoice:
        asked = {"invoice_id": invoice_id, "reason": reason, "replace": replace, "approval_id": approval_id}
        told = self._call.ask(
            "SELECT sentra.void_settled(%s, %s)", as_json({**asked, "counter": counter}), self._call.again
        )
        return VoidedInvoice(
            invoice_id=told["invoice_id"],
            number=told["number"],
            refund_id=told["refund_id"],
            refund=Rupiah(told["refund"]),
            replaced_by=told["replaced_by"],
        )

    def write_credit(self, wish: CreditWish) -> CreditAnswer:
        told = self._call.ask(
            "SELECT sentra.write_credit(%s)",
            as_json(
                {
                    "attempt_id": wish.attempt_id,
                    "customer_id": wish.customer_id,
                    "kind": wish.kind,
                    "way": wish.way,
                    "amount": wish.amount,
                    "reference": wish.reference,
                    "bank": wish.bank,
                    "reason": wish.reason,
                    "invoice_id": wish.invoice_id,
                    "approval_id": wish.approval_id,
                    "counter": wish.counter,
                }
            ),
        )
        return CreditAnswer(entry_id=told["entry_id"], balance=Rupiah(told["balance"]), already=told["already"])

    def issue_collective(self, collective_id: str, company_id: str, month: str, counter: str) -> CollectiveInvoice:
        asked = {"id": collective_id, "company_id": company_id, "month": month, "counter": counter}
        return collective_of(self._call.ask("SELECT sentra.issue_collective(%s)", as_json(asked)))

    def pay_collective(self, payment: CollectivePayment) -> CollectiveInvoice:
        told = self._call.ask(
            "SELECT sentra.pay_collective(%s)",
            as_json(
                {
                    "id": payment.id,
                    "attempt_id": payment.attempt_id,
                    "amount": payment.amount,
                    "withheld": payment.withheld,
                    "reference": payment.reference,
                    "bank": payment.bank,
                    "sender": payment.sender,
                    "slip_number": payment.slip_number,
                    "counter": payment.counter,
                }
            ),
        )
        return collective_of(told)

    def note_slip(self, withholding_id: str, slip_number: str, slip_on: dt.date | None, counter: str) -> None:
        self._call.ask("SELECT sentra.note_slip(%s, %s, %s, %s)", withholding_id, slip_number, slip_on, counter)

    def move_cash(self, movement_id: str, amount: Rupiah, reason: str, counter: str) -> bool:
        asked = {"id": movement_id, "amount": amount, "reason": reason, "counter": counter}
        return bool(self._call.ask("SELECT sentra.move_cash(%s)", as_json(asked))["already"])

    def count_shift(
        self,
        count_id: str,
        shift_id: str | None,
        pieces: Mapping[int, int],
        edc_slips: int,
        edc_total: Rupiah,
        counter: str,
    ) -> ShiftCount:
        told = self._call.ask(
            "SELECT sentra.count_shift(%s)",
            as_json(
                {
                    "id": count_id,
                    "shift_id": shift_id,
                    "pieces": {str(piece): number for piece, number in pieces.items()},
                    "edc_slips": edc_slips,
                    "edc_total": edc_total,
                    "counter": counter,
                }
            ),
        )
        return ShiftCount(
            id=told["id"],
            shift_id=told["shift_id"],
            n=told["n"],
            counted=Rupiah(told["counted"]),
            expected=Rupiah(told["expected"]),
            difference=Rupiah(told["difference"]),
            limit=Rupiah(told["limit"]),
            may_recount=told["may_recount"],
            edc_slips=told["edc_slips"],
            edc_total=Rupiah(told["edc_total"]),
            edc_expected_slips=told["edc_expected_slips"],
            edc_expected=Rupiah(told["edc_expected"]),
        )

    def close_shift(
        self, shift_id: str, reason: str | None, approval_id: str | None, drafts: Sequence[str], counter: str
    ) -> str:
        asked = {"shift_id": shift_id, "reason": reason, "approval_id": approval_id, "drafts": list(drafts)}
        return self._shift("SELECT sentra.close_shift(%s, %s)", {**asked, "counter": counter})

    def reopen_shift(self, shift_id: str, reason: str, approval_id: str | None, counter: str) -> str:
        asked = {"shift_id": shift_id, "reason": reason, "approval_id": approval_id, "counter": counter}
        return self._shift("SELECT sentra.reopen_shift(%s, %s)", asked)

    def close_month(self, month: str, counter: str) -> NumberedMonth:
        return month_of(self._call.ask("SELECT sentra.close_month(%s, %s)", month, counter))

    def count_print(self, print_id: str, kind: str, subject_id: str, counter: str) -> int:
        asked = {"id": print_id, "kind": kind, "subject_id": subject_id, "counter": counter}
        return int(self._call.ask("SELECT sentra.count_print(%s)", as_json(asked)))

    def set_till_setting(self, key: str, value: object, counter: str) -> None:
        self._call.ask("SELECT sentra.set_till_setting(%s, %s, %s)", key, as_json(value), counter)

    def _shift(self, statement: str, asked: Mapping[str, object]) -> str:
        return str(self._call.ask(statement, as_json(asked), self._call.again)["shift_id"])


def collective_of(told: Told) -> CollectiveInvoice:
    """A collective invoice out of JSON."""
    return CollectiveInvoice(
        id=told["id"],
        number=told["number"],
        company_id=told["company_id"],
        month=told["month"],
        total=Rupiah(told["total"]),
        withheld=Rupiah(told["withheld"]),
        state=told["state"],
        issued_on=day_of(told["issued_on"]),
        due_on=day_of(told["due_on"]),
        paid_at=moment_of(told["paid_at"]) if told["paid_at"] else None,
        invoices=tuple(told["invoices"]),
        already=told.get("already", False),
    )


def month_of(told: Told) -> NumberedMonth:
    """A numbered month out of JSON."""
    closed = told["closed_at"]
    return NumberedMonth(
        month=told["month"],
        last=told["last"],
        closed_at=moment_of(closed) if closed else None,
        closed_by_name=told["closed_by_name"],
    )
