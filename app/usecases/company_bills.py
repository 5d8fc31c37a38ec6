"""What companies owe: debts, the monthly collective invoice, its one transfer, withholding slips that are chased."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from app.domain.errors import invalid
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_input import checked_uuid
from app.usecases.ports import Store
from app.usecases.rows_companies import CollectiveInvoice, CollectivePayment, Receivable, WithholdingSlip
from app.usecases.till_input import checked_amount, checked_month, checked_text

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
STATES = ("OPEN", "BILLED", "PAID", "DROPPED")


class CompanyBills:
    """Use cases of companies' debts of one logged-in person at one counter."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def receivables(
        self, company_id: str | None = None, states: Sequence[str] = ("OPEN", "BILLED")
    ) -> tuple[Receivable, ...]:
        """What companies (or one) owe this branch."""
        require_role(self._who, CASHIER, "receivables")
        for state in states:
            if state not in STATES:
                raise invalid("states", "not_a_state", given=state[:20])
        return self._store.read.receivables(_company(company_id), states)

    def collectives(self, company_id: str | None = None) -> tuple[CollectiveInvoice, ...]:
        """Collective invoices, the newest first."""
        require_role(self._who, CASHIER, "collectives")
        return self._store.read.collectives(_company(company_id))

    def issue_collective(self, collective_id: str, company_id: str, month: str) -> CollectiveInvoice:
        """Bill a company for all its open debts here up to the end of `month` (`YYYYMM`): one number, one due date.

        One id is one bill. Refuses FIELD_INVALID `month` `nothing_owed`.
        """
        require_role(self._who, CASHIER, "issue_collective")
        wanted, firm = checked_uuid(collective_id, "id"), checked_uuid(company_id, "company_id")
        when = checked_month(month)
        bill = self._store.transact(lambda tx: tx.issue_collective(wanted, firm, when, self._counter), one_call=True)
        log.info("collective invoice %s over %d", bill.number, bill.total)
        return bill

    def pay_collective(
        self,
        collective_id: str,
        attempt_id: str,
        amount: Rupiah,
        reference: str,
        *,
        withheld: Rupiah = Rupiah(0),
        slip_number: str | None = None,
        bank: str | None = None,
        sender: str | None = None,
    ) -> CollectiveInvoice:
        """Record the transfer that pays a collective invoice in full: `amount` + `withheld` = its total.

        `withheld` is all of its PPh 23 or none of it. One attempt id pays once; refuses DUPLICATE `paid_before`.
        """
        require_role(self._who, CASHIER, "pay_collective")
        if withheld < 0:
            raise invalid("withheld", "not_an_amount", given=withheld)
        payment = CollectivePayment(
            id=checked_uuid(collective_id, "id"),
            attempt_id=checked_uuid(attempt_id, "attempt_id"),
            amount=checked_amount(amount),
            withheld=withheld,
            reference=_said(reference, "reference"),
            bank=checked_text(bank, "bank"),
            sender=checked_text(sender, "sender"),
            slip_number=checked_text(slip_number, "slip_number"),
            counter=self._counter,
        )
        bill = self._store.transact(lambda tx: tx.pay_collective(payment), one_call=True)
        log.info("collective invoice %s is paid", bill.number)
        return bill

    def withholdings(self, missing_only: bool = True) -> tuple[WithholdingSlip, ...]:
        """PPh 23 that was withheld; by default only where the slip has not come yet."""
        require_role(self._who, CASHIER, "withholdings")
        return self._store.read.withholdings(missing_only)

    def note_slip(self, withholding_id: str, slip_number: str, slip_on: dt.date | None = None) -> None:
        """Note the number of a withholding slip that came, or correct it."""
        require_role(self._who, CASHIER, "note_slip")
        wanted, number = checked_uuid(withholding_id, "withholding_id"), _said(slip_number, "slip_number")
        self._store.transact(lambda tx: tx.note_slip(wanted, number, slip_on, self._counter), one_call=True)
        log.info("slip noted for withholding %s", wanted)


def _company(company_id: str | None) -> str | None:
    return None if company_id is None else checked_uuid(company_id, "company_id")


def _said(text: str, field: str) -> str:
    found = checked_text(text, field)
    if found is None:
        raise invalid(field, "empty")
    return found
