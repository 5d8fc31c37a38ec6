"""Refunds that are due are paid out once, and a settled invoice is voided keeping its number."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from app.domain.refund import RefundState, RefundWay, is_cashiers_refund
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.rows_till import PaidOut, PayOut, RefundRow, VoidedInvoice
from app.usecases.till_input import checked_text

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})


class Refunds:
    """Refund use cases of one logged-in person at one counter."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember, counter: str) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter

    def refunds(self, states: Sequence[RefundState] = (RefundState.DUE,), limit: int = 500) -> tuple[RefundRow, ...]:
        """Refunds of the branch in these states: those that are due first, the oldest of them first."""
        require_role(self._who, CASHIER, "refunds")
        return self._store.read.refunds(states, max(1, min(limit, 5000)))

    def may_pay_out_alone(self, refund: RefundRow, way: RefundWay) -> bool:
        """Whether this person needs no other's word for paying the refund out by this way."""
        return Role.MANAGER in self._who.roles or is_cashiers_refund(
            refund.kind, way, refund.amount, refund.came_by, refund.edc_limit
        )

    def refund_pay_out(
        self,
        refund_id: str,
        attempt_id: str,
        way: RefundWay,
        *,
        reference: str | None = None,
        bank: str | None = None,
        reason: str | None = None,
        approval_id: str | None = None,
    ) -> PaidOut:
        """Pay a refund out. One attempt id pays once, however often it is sent; another one is refused DUPLICATE.

        Cash comes out of my open shift, else SHIFT_NEEDED; EDC and TRANSFER say their `reference`. A deposit by the way
        it was paid is a cashier's alone; everything else needs a `reason` and a manager's approval of `refund_pay_out`
        on the refund for its amount, else APPROVAL_NEEDED. CREDIT keeps it for the customer, RECEIVABLE takes it off a
        company's open debt for the invoice.
        """
        require_role(self._who, CASHIER, "refund_pay_out")
        wish = PayOut(
            refund_id=checked_uuid(refund_id, "refund_id"),
            attempt_id=checked_uuid(attempt_id, "attempt_id"),
            way=way,
            reference=checked_text(reference, "reference"),
            bank=checked_text(bank, "bank"),
            reason=None if reason is None else checked_reason(reason),
            approval_id=None if approval_id is None else checked_uuid(approval_id, "approval_id"),
            counter=self._counter,
        )
        done = self._store.transact(lambda tx: tx.pay_out_refund(wish), one_call=True)
        self._work.announce(self._who.branch.id, "invoice", done.invoice_id)
        log.info("refund %s paid out as %s by %s", done.refund_id, done.number, done.way.value)
        return done

    def void_invoice(
        self, invoice_id: str, reason: str, *, replace: bool = False, approval_id: str | None = None
    ) -> VoidedInvoice:
        """Void a settled invoice: it keeps its number, and what is left of its money is due to be paid back.

        `replace` makes an open invoice with the same lines instead of it. While its bookings go on it cannot be voided
        without (BOOKING_STATE `booking_goes_on`). A manager's, or with a manager's approval of `void_invoice` on the
        invoice for its total, else APPROVAL_NEEDED.
        """
        require_role(self._who, CASHIER, "void_invoice")
        wanted, why = checked_uuid(invoice_id, "invoice_id"), checked_reason(reason)
        word = None if approval_id is None else checked_uuid(approval_id, "approval_id")
        done = self._store.transact(
            lambda tx: tx.void_settled(wanted, why, replace, word, self._counter), one_call=True
        )
        for one in (done.invoice_id, done.replaced_by):
            if one is not None:
                self._work.announce(self._who.branch.id, "invoice", one)
        log.info("invoice %s is void, %d is due back", done.number, done.refund)
        return done
