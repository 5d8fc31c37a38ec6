"""What companies owe the branch: bill a month, print the bill, record its one transfer, note a slip that came."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import ZERO, Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.rows_companies import CollectiveInvoice, Receivable, WithholdingSlip

SHOWN_BILLS = 12


class BillsDesk(Protocol):
    """The part of `CompanyBills` that the page needs."""

    def receivables(self, company_id: str | None, states: Sequence[str]) -> tuple[Receivable, ...]: ...

    def collectives(self) -> tuple[CollectiveInvoice, ...]: ...

    def withholdings(self) -> tuple[WithholdingSlip, ...]: ...

    def issue_collective(self, collective_id: str, company_id: str, month: str) -> CollectiveInvoice: ...

    def pay_collective(
        self,
        collective_id: str,
        attempt_id: str,
        amount: Rupiah,
        reference: str,
        *,
        withheld: Rupiah = ZERO,
        slip_number: str | None = None,
    ) -> CollectiveInvoice: ...

    def note_slip(self, withholding_id: str, slip_number: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDebt:
    """What one company owes and has not been billed for yet."""

    company_id: str
    name: str
    count: int
    amount: Rupiah


class CompanyBillsViewModel(ViewModel):
    """`issued` and `paid` carry the CollectiveInvoice, `noted` the number of a slip."""

    issued = Signal(object)
    paid = Signal(object)
    noted = Signal(str)

    def __init__(
        self,
        desk: BillsDesk,
        new_id: Callable[[], str],
        now: Callable[[], dt.datetime],
        who: StaffMember,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._new_id = new_id
        self._now = now
        self.month = ""
        self.who = who
        self.is_cashier = bool(who.roles & {Role.CASHIER, Role.MANAGER})
        self.debts: tuple[Receivable, ...] = ()
        self.bills: tuple[CollectiveInvoice, ...] = ()
        self.slips: tuple[WithholdingSlip, ...] = ()
        self.is_loaded = False
        self._names: dict[str, str] = {}
        self._unfinished: dict[str, str] = {}

    @reload_command
    async def load(self) -> None:
        """Read debts, bills and slips that are still missing."""
        if self.is_cashier:
            await self._read()
            self.month = f"{(await call(self._now)).astimezone(self.who.branch.zone):%Y%m}"
        self.is_loaded = True
        self.changed.emit()

    @command
    async def issue(self, company_id: str, month: str) -> None:
        """Bill a company for its open debts up to the end of the month; a lost answer is the same bill again."""
        key = f"issue {company_id} {month}"
        bill = await self._once(key, lambda bill_id: call(self._desk.issue_collective, bill_id, company_id, month))
        await self._read()
        self.changed.emit()
        self.issued.emit(bill)

    @command
    async def pay(self, bill_id: str, reference: str, slip: str | None, *, withheld: bool) -> None:
        """Record the transfer: the bill's total, less its PPh 23 where it was withheld."""
        bill = next(one for one in self.bills if one.id == bill_id)
        tax = self.withholdable(bill) if withheld else ZERO
        amount = Rupiah(bill.total - tax)
        paid = await self._once(
            f"pay {bill_id} {reference} {tax}",
            lambda attempt: call(
                self._desk.pay_collective, bill_id, attempt, amount, reference, withheld=tax, slip_number=slip
            ),
        )
        await self._read()
        self.changed.emit()
        self.paid.emit(paid)

    @command
    async def note_slip(self, withholding_id: str, number: str) -> None:
        """A withholding slip came."""
        await call(self._desk.note_slip, withholding_id, number)
        await self._read()
        self.changed.emit()
        self.noted.emit(number)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def open_debts(self) -> tuple[OpenDebt, ...]:
        """By company, the greatest first."""
        found: dict[str, list[Receivable]] = {}
        for debt in self.debts:
            if debt.state == "OPEN":
                found.setdefault(debt.company_id, []).append(debt)
        rows = [
            OpenDebt(
                company_id=company,
                name=some[0].company_name,
                count=len(some),
                amount=Rupiah(sum(debt.left for debt in some)),
            )
            for company, some in found.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.amount, row.name)))

    def owed_of(self, bill: CollectiveInvoice) -> tuple[Receivable, ...]:
        """The debts that stand on a bill."""
        return tuple(debt for debt in self.debts if debt.collective_number == bill.number)

    def withholdable(self, bill: CollectiveInvoice) -> Rupiah:
        """The PPh 23 that a company may keep back of a bill: all of it or none."""
        return Rupiah(sum(debt.withholdable for debt in self.owed_of(bill)))

    def name_of(self, bill: CollectiveInvoice) -> str:
        return self._names.get(bill.company_id, "")

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        self.debts = await call(self._desk.receivables, None, ("OPEN", "BILLED", "PAID"))
        self.bills = (await call(self._desk.collectives))[:SHOWN_BILLS]
        self.slips = await call(self._desk.withholdings)
        self._names |= {debt.company_id: debt.company_name for debt in self.debts}
        self._names |= {slip.company_id: slip.company_name for slip in self.slips}

    async def _once(self, key: str, work: Callable[[str], object]) -> CollectiveInvoice:
        """One id until it was answered, so that a lost answer makes nothing twice."""
        wanted = self._unfinished.setdefault(key, self._new_id())
        try:
            done: CollectiveInvoice = await work(wanted)  # type: ignore[misc]
        except Refusal as no:
            if no.code is not RefusalCode.UNREACHABLE:
                self._unfinished.pop(key, None)
            raise
        self._unfinished.pop(key, None)
        return done
