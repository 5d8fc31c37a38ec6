"""Printings of money papers are counted before they go on paper, and how an invoice was settled is told on one page."""

from __future__ import annotations

from enum import StrEnum

from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_input import checked_uuid
from app.usecases.ports import Store
from app.usecases.rows_till import SettlementProof

CASHIER = frozenset({Role.CASHIER})


class MoneyPaper(StrEnum):
    """What is printed; its subject is an invoice, a refund, a shift or a collective invoice."""

    INVOICE = "INVOICE"
    KWITANSI = "KWITANSI"
    RECEIPT = "RECEIPT"
    REFUND_SLIP = "REFUND_SLIP"
    SHIFT_REPORT = "SHIFT_REPORT"
    COLLECTIVE = "COLLECTIVE"


class MoneyPapers:
    """Paper use cases of one logged-in person at one counter."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def count_print(self, print_id: str, paper: MoneyPaper, subject_id: str) -> int:
        """Count a printing before it goes on paper: 0 is the original, from 1 on it says SALINAN. One id counts once.

        Refuses NOT_FOUND for an invoice that has no number yet and a refund that is not paid out.
        """
        require_role(self._who, CASHIER, "count_print")
        wanted, subject = checked_uuid(print_id, "id"), checked_uuid(subject_id, "subject_id")
        return self._store.transact(
            lambda tx: tx.count_print(wanted, paper.value, subject, self._counter), one_call=True
        )

    def settlement_proof(self, invoice_id: str) -> SettlementProof:
        """Every lock of an invoice with its beats and its end; for managers also what the audit says of it.

        Its tenders and attempts are those of `Settlement.invoice`.
        """
        require_role(self._who, CASHIER, "settlement_proof")
        return self._store.read.settlement_proof(checked_uuid(invoice_id, "invoice_id"))
