"""Ports of the till: parts of `Tx` and `Reads`, with the same guarantees. A write is idempotent by its client's id."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Protocol

from app.domain.money import Rupiah
from app.domain.refund import RefundState
from app.usecases.rows_companies import (
    CollectiveInvoice,
    CollectivePayment,
    Receivable,
    TaxRows,
    WithholdingSlip,
)
from app.usecases.rows_till import (
    ClosingList,
    CreditAnswer,
    CreditWish,
    CustomerCredit,
    NumberedMonth,
    PaidOut,
    PayOut,
    RefundRow,
    SettlementProof,
    ShiftCount,
    ShiftLine,
    ShiftReport,
    VoidedInvoice,
)


class TillTx(Protocol):
    """Writes. What takes a manager's word refuses APPROVAL_NEEDED naming the action, the object and the amount."""

    def pay_out_refund(self, wish: PayOut) -> PaidOut:
        """Refuses NOT_FOUND, DUPLICATE `paid_out`, BOOKING_STATE (`out_of_turn`), SHIFT_NEEDED, FIELD_INVALID."""

    def void_settled(
        self, invoice_id: str, reason: str, replace: bool, approval_id: str | None, counter: str
    ) -> VoidedInvoice:
        """Refuses NOT_FOUND, BOOKING_STATE (`booking_goes_on` without `replace`, `not_replaceable`)."""

    def write_credit(self, wish: CreditWish) -> CreditAnswer:
        """Refuses NOT_FOUND, SHIFT_NEEDED, FIELD_INVALID (`over_credit`)."""

    def issue_collective(self, collective_id: str, company_id: str, month: str, counter: str) -> CollectiveInvoice:
        """Refuses NOT_FOUND, FIELD_INVALID `nothing_owed`."""

    def pay_collective(self, payment: CollectivePayment) -> CollectiveInvoice:
        """Refuses NOT_FOUND, DUPLICATE `paid_before`, AMOUNT_MISMATCH, FIELD_INVALID `not_the_tax`."""

    def note_slip(self, withholding_id: str, slip_number: str, slip_on: dt.date | None, counter: str) -> None:
        """Refuses NOT_FOUND, FIELD_INVALID."""

    def move_cash(self, movement_id: str, amount: Rupiah, reason: str, counter: str) -> bool:
        """Whether this id had been recorded before. Refuses SHIFT_NEEDED, FIELD_INVALID `over_drawer`."""

    def count_shift(
        self,
        count_id: str,
        shift_id: str | None,
        pieces: Mapping[int, int],
        edc_slips: int,
        edc_total: Rupiah,
        counter: str,
    ) -> ShiftCount:
        """Lock a blind count in. Refuses SHIFT_NEEDED, NOT_ALLOWED, BOOKING_STATE (`counted_twice`, `shift_closed`)."""

    def close_shift(
        self, shift_id: str, reason: str | None, approval_id: str | None, drafts: Sequence[str], counter: str
    ) -> str:
        """By its last count; the shift's id. Refuses FIELD_INVALID `pieces` (`missing`, `counted_before`), `reason`."""

    def reopen_shift(self, shift_id: str, reason: str, approval_id: str | None, counter: str) -> str:
        """Refuses NOT_FOUND, BOOKING_STATE `shift_open`, DUPLICATE when its cashier or drawer has another open one."""

    def close_month(self, month: str, counter: str) -> NumberedMonth:
        """Managers. Refuses FIELD_INVALID for a month that has not begun."""

    def count_print(self, print_id: str, kind: str, subject_id: str, counter: str) -> int:
        """Which copy this printing is, 0 for the original. Refuses NOT_FOUND."""

    def set_till_setting(self, key: str, value: object, counter: str) -> None:
        """Managers. Refuses FIELD_INVALID."""


class TillReads(Protocol):
    """Reads, each one statement and so one snapshot; rows of the person's branch."""

    def refunds(self, states: Sequence[RefundState], limit: int) -> tuple[RefundRow, ...]:
        """The oldest first while they are due, else the newest."""

    def customer_credit(self, customer_id: str) -> CustomerCredit: ...

    def shift_report(self, shift_id: str | None) -> ShiftReport | None:
        """A shift, or the person's own open one; None when there is none, or it is another cashier's."""

    def shifts(self, limit: int) -> tuple[ShiftLine, ...]:
        """The newest first."""

    def closing_list(self) -> ClosingList:
        """What the person leaves behind when their shift is closed now."""

    def receivables(self, company_id: str | None, states: Sequence[str]) -> tuple[Receivable, ...]: ...

    def collectives(self, company_id: str | None) -> tuple[CollectiveInvoice, ...]:
        """The newest first."""

    def withholdings(self, missing_only: bool) -> tuple[WithholdingSlip, ...]:
        """The oldest first."""

    def tax_rows(self, month: str) -> TaxRows:
        """A month `YYYYMM` by the dates that its invoices were issued on."""

    def numbered_months(self) -> tuple[NumberedMonth, ...]:
        """The newest first."""

    def settlement_proof(self, invoice_id: str) -> SettlementProof:
        """Locks for cashiers; what the audit says for managers."""
