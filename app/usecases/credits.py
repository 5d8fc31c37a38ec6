"""Customer credit: money that settles nothing is kept for the customer, used later as a tender, or given back."""

from __future__ import annotations

import logging

from app.domain.errors import invalid
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.domain.tender import TenderKind
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.ports import Store
from app.usecases.rows_till import CreditAnswer, CreditWish, CustomerCredit
from app.usecases.till_input import checked_amount, checked_text

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
COMES_BY = frozenset({TenderKind.CASH, TenderKind.EDC, TenderKind.QRIS, TenderKind.TRANSFER})
GOES_BY = frozenset({TenderKind.CASH, TenderKind.TRANSFER})


class Credits:
    """Credit use cases of one logged-in person at one counter. Credit is the branch's own, never below nothing."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def customer_credit(self, customer_id: str) -> CustomerCredit:
        """What the branch owes a customer, and why."""
        require_role(self._who, CASHIER, "customer_credit")
        return self._store.read.customer_credit(checked_uuid(customer_id, "customer_id"))

    def receive_credit(
        self,
        customer_id: str,
        attempt_id: str,
        way: TenderKind,
        amount: Rupiah,
        *,
        reference: str | None = None,
        bank: str | None = None,
        invoice_id: str | None = None,
    ) -> CreditAnswer:
        """Keep money that came without settling anything (case C-62); no invoice changes. One attempt id counts once.

        Cash goes into my open shift, else SHIFT_NEEDED; other ways say their `reference`. `invoice_id`: what the
        customer meant it for, if known.
        """
        if way not in COMES_BY:
            raise invalid("way", "not_offered", given=way.value)
        return self._write("RECEIVED", customer_id, attempt_id, way, amount, reference, bank, None, invoice_id, None)

    def pay_out_credit(
        self,
        customer_id: str,
        attempt_id: str,
        way: TenderKind,
        amount: Rupiah,
        reason: str,
        *,
        reference: str | None = None,
        bank: str | None = None,
        approval_id: str | None = None,
    ) -> CreditAnswer:
        """Give credit back in cash or by transfer. A manager's, or with a manager's approval of `pay_out_credit` on the
        customer for the amount. Refuses FIELD_INVALID `over_credit` with the balance."""
        if way not in GOES_BY:
            raise invalid("way", "not_offered", given=way.value)
        why = checked_reason(reason)
        return self._write("PAID_OUT", customer_id, attempt_id, way, amount, reference, bank, why, None, approval_id)

    def _write(
        self,
        kind: str,
        customer_id: str,
        attempt_id: str,
        way: TenderKind,
        amount: Rupiah,
        reference: str | None,
        bank: str | None,
        reason: str | None,
        invoice_id: str | None,
        approval_id: str | None,
    ) -> CreditAnswer:
        require_role(self._who, CASHIER, "customer_credit")
        wish = CreditWish(
            attempt_id=checked_uuid(attempt_id, "attempt_id"),
            customer_id=checked_uuid(customer_id, "customer_id"),
            kind=kind,
            way=way.value,
            amount=checked_amount(amount),
            reference=checked_text(reference, "reference"),
            bank=checked_text(bank, "bank"),
            reason=reason,
            invoice_id=None if invoice_id is None else checked_uuid(invoice_id, "invoice_id"),
            approval_id=None if approval_id is None else checked_uuid(approval_id, "approval_id"),
            counter=self._counter,
        )
        done = self._store.transact(lambda tx: tx.write_credit(wish), one_call=True)
        log.info("credit of customer %s: %s %d", wish.customer_id, kind, amount)
        return done
