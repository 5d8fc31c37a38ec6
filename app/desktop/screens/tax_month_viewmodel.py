"""Months of numbers: closed by a manager, and exported for the tax office as files in a folder that is chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.documents.files import write_whole
from app.desktop.viewmodel import ViewModel
from app.domain.errors import invalid
from app.domain.staff import Role, StaffMember
from app.usecases.rows_till import NumberedMonth
from app.usecases.tax_months import TaxMonth


class TaxDesk(Protocol):
    """The part of `TaxMonths` that the page needs."""

    def months(self) -> tuple[NumberedMonth, ...]: ...

    def close_month(self, month: str) -> NumberedMonth: ...

    def export_tax_month(self, month: str) -> TaxMonth: ...

    def set_till_setting(self, key: str, value: object) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written, and what a person has to look at."""

    month: TaxMonth
    xml: Path
    csv: Path


class TaxMonthViewModel(ViewModel):
    """`exported` carries an Exported, `closed_month` a NumberedMonth, `unwritten` why there are no files."""

    exported = Signal(object)
    closed_month = Signal(object)
    unwritten = Signal(str)

    def __init__(self, desk: TaxDesk, who: StaffMember, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.who = who
        self.folder = folder
        self.is_manager = Role.MANAGER in who.roles
        self.months: tuple[NumberedMonth, ...] = ()

    @reload_command
    async def load(self) -> None:
        """Read which months have numbers."""
        self.months = await call(self._desk.months)
        self.changed.emit()

    @command
    async def export(self, month: str, folder: str) -> None:
        """Write `efaktur-JKT-202611.xml` and the same rows as CSV; whole or not at all, an older export is replaced."""
        said = folder.strip()
        if not said:
            raise invalid("folder", "empty")
        found = await call(self._desk.export_tax_month, month)
        stem = f"efaktur-{self.who.branch.code}-{found.month}"
        xml, csv = Path(said).expanduser() / f"{stem}.xml", Path(said).expanduser() / f"{stem}.csv"
        try:
            await call(_write, xml, found.xml, csv, found.csv)
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
            return
        self.exported.emit(Exported(month=found, xml=xml, csv=csv))

    @command
    async def close_month(self, month: str) -> None:
        """Close a month: later entries are dated in the next one."""
        closed = await call(self._desk.close_month, month)
        self.months = await call(self._desk.months)
        self.changed.emit()
        self.closed_month.emit(closed)

    @command
    async def save_identity(self, npwp: str, idtku: str, name: str, then: Callable[[], object]) -> None:
        """The seller that the files name; asked for once, where an export found none."""
        value = {"npwp": npwp.strip(), "idtku": idtku.strip(), "name": name.strip()}
        await call(self._desk.set_till_setting, "tax_identity", value)
        then()


def _write(xml: Path, rows: bytes, csv: Path, table: bytes) -> None:
    write_whole(xml, rows)
    write_whole(csv, table)
