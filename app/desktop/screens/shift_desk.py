"""Makes the place "Shift" for a logged-in person, and the window's keys that lead to it from everywhere."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.bootstrap import Counter
from app.desktop.main_window import MainWindow
from app.desktop.money_printing import money_printing
from app.desktop.printers import SystemPrinters
from app.desktop.screen import Screen, ScreenKey, Shell
from app.desktop.screens.company_bills_page import CompanyBillsPage
from app.desktop.screens.company_bills_viewmodel import CompanyBillsViewModel
from app.desktop.screens.shift_count_kept import CountKept, drafts_of
from app.desktop.screens.shift_desk_view import COMPANY_BILLS, TAX_MONTHS, X_REPORT, ShiftDeskScreen
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel, drawer_proposal
from app.desktop.screens.tax_month_page import TaxMonthPage
from app.desktop.screens.tax_month_viewmodel import TaxMonthViewModel
from app.domain.staff import Role, StaffMember


def make_shift_desk(counter: Counter, shell: Shell, folder: Path) -> Screen:
    """Counts are kept in `drafts` of the data folder, papers and exports in `documents`."""
    who, drafts = counter.who, folder / "drafts"
    opening = ShiftViewModel(
        current_shift=counter.shifts.current_shift,
        open_shift=counter.shifts.open_shift,
        zone=who.branch.zone,
        drawer=drawer_proposal(counter.counter_name, who.name),
        roles=frozenset(role.value for role in who.roles),
    )
    model = ShiftDeskViewModel(
        desk=counter.shifts,
        approve=counter.approvals.approve,
        new_id=counter.new_id,
        who=who,
        kept=CountKept(drafts, who.login),
        drafts=partial(drafts_of, drafts, who.login),
    )
    tax = TaxMonthViewModel(counter.till.tax_months, who, folder / "documents")
    return ShiftDeskScreen(
        model,
        money_printing(counter, folder, SystemPrinters()),
        ShiftScreen(opening, shell),
        TaxMonthPage(tax),
        CompanyBillsPage(
            CompanyBillsViewModel(counter.till.company_bills, counter.new_id, counter.store.read.now, who)
        ),
        shell,
    )


def add_till_keys(window: MainWindow, who: StaffMember) -> None:
    """The X report for whoever takes money, the month's export for managers: keys and names of the palette."""
    if who.roles & {Role.CASHIER, Role.MANAGER}:
        window.keys.add(
            "Ctrl+Shift+X",
            lambda: QCoreApplication.translate("TillKeys", "Laporan X"),
            partial(window.go, ScreenKey.SHIFT, X_REPORT),
        )
        window.keys.add(
            "Ctrl+Shift+G",
            lambda: QCoreApplication.translate("TillKeys", "Tagihan perusahaan"),
            partial(window.go, ScreenKey.SHIFT, COMPANY_BILLS),
        )
    if Role.MANAGER in who.roles:
        window.keys.add(
            "Ctrl+Shift+E",
            lambda: QCoreApplication.translate("TillKeys", "Ekspor e-Faktur bulan"),
            partial(window.go, ScreenKey.SHIFT, TAX_MONTHS),
        )
    window.keys.retranslate()
