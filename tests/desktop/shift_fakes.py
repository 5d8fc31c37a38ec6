"""A branch's shifts kept by hand: counted blind, closed and opened again with the database's own refusals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app.desktop.money_printing import MoneyPrinting
from app.desktop.printers import Pages, Sent
from app.desktop.screens.company_bills_page import CompanyBillsPage
from app.desktop.screens.company_bills_viewmodel import CompanyBillsViewModel
from app.desktop.screens.shift_count_kept import CountKept, drafts_of
from app.desktop.screens.shift_desk_view import ShiftDeskScreen
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel
from app.desktop.screens.tax_month_page import TaxMonthPage
from app.desktop.screens.tax_month_viewmodel import TaxMonthViewModel
from app.domain.cash_count import counted
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import ZERO, Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows import ShiftRow
from app.usecases.rows_approvals import Approval
from app.usecases.rows_companies import CollectiveInvoice, Receivable, WithholdingSlip
from app.usecases.rows_till import CashMovement, ClosingList, CountedOnce, ShiftCount, ShiftLine, ShiftReport
from app.usecases.tax_months import TaxMonth
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.money_samples import CLOSED, OPENED, a_bill, running_shift
from tests.desktop.settlement_fakes import fake_settlement
from tests.desktop.shells import QuietShell

LIMIT = Rupiah(20_000)
SHOULD = Rupiah(1_887_000)
DEWI = StaffMember(login="dewi", name="Dewi", roles=frozenset({Role.CASHIER}), branch=BRANCH)
MAYA = StaffMember(login="maya", name="Maya", roles=frozenset({Role.CASHIER, Role.MANAGER}), branch=BRANCH)
NOTHING = ClosingList(locks=(), qris=(), transfers=())


class FakeShifts:
    """One drawer that should hold `should`. `away` is a server that does not answer; `lost` answers that get lost."""

    def __init__(self) -> None:
        self.report: ShiftReport | None = running_shift()
        self.lines: tuple[ShiftLine, ...] = ()
        self.ends = NOTHING
        self.should = SHOULD
        self.counts: dict[str, ShiftCount] = {}
        self.closed_with: list[tuple[str | None, str | None, tuple[str, ...]]] = []
        self.reopened: list[tuple[str, str, str | None]] = []
        self.away = False
        self.lost = 0

    def current_shift(self) -> ShiftRow | None:
        report = self.report
        if report is None:
            return None
        return ShiftRow(
            id=report.id,
            number=report.number,
            drawer=report.drawer,
            opening_float=report.opening_float,
            opened_at=report.opened_at,
        )

    def open_shift(self, drawer: str, opening_float: Rupiah) -> ShiftRow:
        self.report = running_shift(drawer=drawer, opening_float=opening_float)
        found = self.current_shift()
        assert found is not None
        return found

    def shift_report(self, shift_id: str | None = None) -> ShiftReport:
        self._answer()
        if self.report is None:
            raise Refusal(RefusalCode.SHIFT_NEEDED, cash=True)
        return self.report

    def shifts(self, limit: int = 100) -> tuple[ShiftLine, ...]:
        return self.lines[:limit]

    def closing_list(self) -> ClosingList:
        return self.ends

    def move_cash(self, movement_id: str, amount: Rupiah, reason: str) -> ShiftReport:
        report = self.shift_report()
        if amount < -int(self.should):
            raise Refusal(RefusalCode.FIELD_INVALID, field="amount", reason="over_drawer")
        moved = CashMovement(id=movement_id, amount=amount, reason=reason, made_at=OPENED)
        self.should = Rupiah(self.should + amount)
        self.report = replace(report, movements=(*report.movements, moved))
        return self.report

    def count_shift(
        self,
        count_id: str,
        pieces: Mapping[int, int],
        edc_slips: int = 0,
        edc_total: Rupiah = Rupiah(0),
        shift_id: str | None = None,
    ) -> ShiftCount:
        report = self.shift_report()
        if count_id not in self.counts:
            if len(self.counts) >= 2:
                raise Refusal(RefusalCode.BOOKING_STATE, field="pieces", reason="counted_twice", action="count_shift")
            total = counted(pieces)
            self.counts[count_id] = ShiftCount(
                id=count_id,
                shift_id=report.id,
                n=len(self.counts) + 1,
                counted=total,
                expected=self.should,
                difference=Rupiah(total - self.should),
                limit=LIMIT,
                may_recount=not self.counts,
                edc_slips=edc_slips,
                edc_total=edc_total,
                edc_expected_slips=4,
                edc_expected=Rupiah(2_950_000),
            )
        if self.lost:
            self.lost -= 1
            raise Refusal(RefusalCode.UNREACHABLE)
        return self.counts[count_id]

    def close_shift(
        self, shift_id: str, reason: str | None = None, approval_id: str | None = None, drafts: tuple[str, ...] = ()
    ) -> ShiftReport:
        report = self.shift_report()
        last = list(self.counts.values())[-1]
        if last.expected != self.should:
            raise Refusal(RefusalCode.FIELD_INVALID, field="pieces", reason="counted_before")
        self.closed_with.append((reason, approval_id, drafts))
        once = CountedOnce(
            round=1,
            n=last.n,
            pieces={},
            counted=last.counted,
            expected=last.expected,
            edc_slips=last.edc_slips,
            edc_total=last.edc_total,
            counted_at=CLOSED,
        )
        zed = replace(
            report,
            closed_at=CLOSED,
            closed_by_name="Dewi",
            close_reason=reason or "",
            expected=last.expected,
            counted=last.counted,
            counts=(once,),
            drafts=drafts,
        )
        self.report = None
        self.lines = (line_of(zed), *self.lines)
        return zed

    def reopen_shift(self, shift_id: str, reason: str, approval_id: str | None = None) -> ShiftReport:
        self.reopened.append((shift_id, reason, approval_id))
        self.report = running_shift()
        self.counts = {}
        self.lines = ()
        return self.report

    def _answer(self) -> None:
        if self.away:
            raise Refusal(RefusalCode.UNREACHABLE)


def line_of(report: ShiftReport) -> ShiftLine:
    return ShiftLine(
        id=report.id,
        number=report.number,
        drawer=report.drawer,
        cashier_name=report.cashier_name,
        opened_at=report.opened_at,
        closed_at=report.closed_at,
        difference=report.difference,
    )


class FakeManager:
    """Agrees to the right password and keeps what was asked, never the password."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str, str, Rupiah | None]] = []

    def approve(
        self, login: str, password: str, action: str, thing: str, reason: str, amount: Rupiah | None = None
    ) -> Approval:
        if password != "maya-demo":
            raise Refusal(RefusalCode.NOT_ALLOWED, field="password", left=4)
        self.asked.append((login, action, thing, reason, amount))
        return Approval(id="word-1", approved_by_name="Maya", expires_at=CLOSED)


class FakePapers:
    def __init__(self) -> None:
        self.counted: list[tuple[MoneyPaper, str]] = []

    def count_print(self, print_id: str, paper: MoneyPaper, subject_id: str) -> int:
        self.counted.append((paper, subject_id))
        return len(self.counted) - 1


class FakePrinter:
    def __init__(self) -> None:
        self.says = Sent.PRINTED
        self.titles: list[str] = []

    def send(self, pages: Pages) -> Sent:
        self.titles.append(pages.title)
        return self.says


class NoMonths:
    """A branch without any number yet."""

    def months(self) -> tuple[()]:
        return ()

    def close_month(self, month: str) -> None:
        raise AssertionError(month)

    def export_tax_month(self, month: str) -> TaxMonth:
        raise AssertionError(month)

    def set_till_setting(self, key: str, value: object) -> None:
        raise AssertionError(key)


class FakeBills:
    """One company with two open debts; a bill takes them both."""

    def __init__(self) -> None:
        bill, debts = a_bill()
        self.bill = bill
        self.debts = tuple(replace(debt, state="OPEN", collective_number=None) for debt in debts)
        self.bills: tuple[CollectiveInvoice, ...] = ()
        self.slips: tuple[WithholdingSlip, ...] = ()
        self.issued: dict[str, tuple[str, str]] = {}
        self.payments: list[tuple[str, int, str, int, str | None]] = []
        self.lost = 0

    def receivables(self, company_id: str | None, states: Sequence[str]) -> tuple[Receivable, ...]:
        return tuple(debt for debt in self.debts if debt.state in states)

    def collectives(self) -> tuple[CollectiveInvoice, ...]:
        return self.bills

    def withholdings(self) -> tuple[WithholdingSlip, ...]:
        return tuple(slip for slip in self.slips if slip.slip_number is None)

    def issue_collective(self, collective_id: str, company_id: str, month: str) -> CollectiveInvoice:
        self.issued[collective_id] = (company_id, month)
        self.bills = (self.bill,)
        self.debts = tuple(replace(debt, state="BILLED", collective_number=self.bill.number) for debt in self.debts)
        if self.lost:
            self.lost -= 1
            raise Refusal(RefusalCode.UNREACHABLE)
        return self.bill

    def pay_collective(
        self,
        collective_id: str,
        attempt_id: str,
        amount: Rupiah,
        reference: str,
        *,
        withheld: Rupiah = ZERO,
        slip_number: str | None = None,
    ) -> CollectiveInvoice:
        if amount + withheld != self.bill.total:
            raise Refusal(RefusalCode.AMOUNT_MISMATCH, field="amount", due=self.bill.total)
        self.payments.append((attempt_id, amount, reference, withheld, slip_number))
        self.bill = replace(self.bill, state="PAID", paid_at=CLOSED, withheld=withheld)
        self.bills = (self.bill,)
        if withheld and slip_number is None:
            self.slips = (
                WithholdingSlip(
                    id="w-1",
                    company_id=self.bill.company_id,
                    company_name="PT Contoh Maju",
                    of_number=self.bill.number,
                    amount=withheld,
                    slip_number=None,
                    slip_on=None,
                    created_at=CLOSED,
                ),
            )
        return self.bill

    def note_slip(self, withholding_id: str, slip_number: str) -> None:
        self.slips = tuple(replace(slip, slip_number=slip_number) for slip in self.slips)


class ShiftPlace:
    """The screen with everything behind it in a test's hand."""

    def __init__(self, folder: Path, who: StaffMember = DEWI, shifts: FakeShifts | None = None) -> None:
        self.folder = folder
        self.shifts = shifts or FakeShifts()
        self.manager = FakeManager()
        self.papers = FakePapers()
        self.printer = FakePrinter()
        self.shell = QuietShell()
        self.ids = (f"00000000-0000-4000-8000-{n:012}" for n in range(1, 999))
        drafts = folder / "drafts"
        self.model = ShiftDeskViewModel(
            desk=self.shifts,
            approve=self.manager.approve,
            new_id=lambda: next(self.ids),
            who=who,
            kept=CountKept(drafts, who.login),
            drafts=lambda: drafts_of(drafts, who.login),
        )
        opening = ShiftViewModel(
            current_shift=self.shifts.current_shift,
            open_shift=self.shifts.open_shift,
            zone=BRANCH.zone,
            drawer="Kasir 1",
            roles=frozenset(role.value for role in who.roles),
        )
        printing = MoneyPrinting(
            papers=self.papers,
            invoices=fake_settlement(),
            letterhead=lambda _language: "",
            new_id=lambda: next(self.ids),
            who=who,
            counter="Kasir 1",
            folder=folder / "documents",
            printers=self.printer,
        )
        tax = TaxMonthPage(TaxMonthViewModel(NoMonths(), who, folder / "documents"))  # type: ignore[arg-type]
        self.companies = FakeBills()
        bills = CompanyBillsPage(CompanyBillsViewModel(self.companies, lambda: next(self.ids), lambda: CLOSED, who))
        self.screen = ShiftDeskScreen(self.model, printing, ShiftScreen(opening, self.shell), tax, bills, self.shell)
