"""What a scanned code does: into the open booking, to the thing itself, or refused with a sound and in words."""

from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.desktop.commands import call, command
from app.desktop.errors import refusal_sentence
from app.desktop.main_window import MainWindow
from app.desktop.scan_burst import CodeKind, code_of
from app.desktop.screen import BannerAction, BannerContent
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.search_desk import SearchDesk
from app.desktop.screens.walk_in_form import Stage
from app.desktop.theme import BannerKind
from app.desktop.viewmodel import Failure, ViewModel
from app.desktop.widgets.flash import Flash
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import FleetUnit

BANNER = "scan"


class ScanUseCases(Protocol):
    """The part of a counter that checks a scanned unit."""

    def unit_for(self, unit_id: str, period: RentalPeriod) -> FleetUnit: ...


class ScanViewModel(ViewModel):
    """Asks the server about a scanned unit. `unit` is the latest answer, which holds for `period` and was asked for the
    form `order_id` alone."""

    def __init__(self, scans: ScanUseCases, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scans = scans
        self.unit: FleetUnit | None = None
        self.period: RentalPeriod | None = None
        self.order_id = ""

    @command
    async def check(self, unit_id: str, period: RentalPeriod, order_id: str) -> None:
        """Free for all these days, or refused with the reason."""
        self.unit, self.period, self.order_id = None, period, order_id
        self.unit = await call(self._scans.unit_for, unit_id, period)


class ScanDesk(QObject):
    """One scan at a time; the next one waits for nobody: a code that comes while another is checked is refused."""

    def __init__(self, window: MainWindow, search: SearchDesk, model: ScanViewModel) -> None:
        super().__init__(window)
        self._window, self._search, self.model = window, search, model
        model.setParent(self)
        self.flash = Flash(window)
        self._looked_for = ""
        model.changed.connect(self._answered)
        model.refused.connect(self._refused)
        model.failed.connect(self._failed)
        search.model.chosen.connect(lambda _hit: self._found())
        search.model.nothing_found.connect(self._unknown)
        search.model.unsure.connect(self._unknown)

    def take(self, text: str) -> None:
        """A code came in, whatever has the focus."""
        self._window.hide_banner(BANNER)
        code = code_of(text)
        form = self._open_form()
        if not self._window.is_online():
            self._tell(self.tr("Kode belum bisa diperiksa: koneksi terputus."))
        elif code.kind is CodeKind.UNIT and form is not None:
            self._check(form, code.value)
        else:
            self._looked_for = code.value
            self._search.look_up(code.value)

    # --- into the booking ---------------------------------------------------------------------------------------------

    def _open_form(self) -> CalendarScreen | None:
        """The calendar with a booking form that somebody began; an empty one that is pinned open is nobody's."""
        screen = self._window.current()
        if not isinstance(screen, CalendarScreen) or screen.walk_in.stage is not Stage.FORM:
            return None
        is_begun = screen.drawer.is_open() or (screen.drawer.is_shown() and not screen.walk_in.form.is_empty)
        return screen if is_begun else None

    def _check(self, screen: CalendarScreen, unit_id: str) -> None:
        """Ask for the form's days: a unit is never set that was not found free for them."""
        form = screen.walk_in.form
        period = form.period
        if screen.walk_in.is_sending or screen.panel.is_asking():
            self._tell(self.tr("Booking ini sedang diproses. Pindai lagi setelah selesai."))
        elif period is None:
            self._tell(self.tr("Isi tanggal sewa dulu, lalu pindai unitnya lagi."))
        elif any(line.unit_id == unit_id and line.period.overlaps(period) for line in form.lines):
            self._tell(self.tr("Unit itu sudah ada di booking ini. Pindai unit lain."))
        elif not self.model.check(unit_id, period, form.order_id):
            self._answer(is_good=False)

    def _answered(self) -> None:
        unit, screen = self.model.unit, self._open_form()
        if unit is None or self.model.is_busy("check"):
            return
        self.model.unit = None
        if screen is None or screen.walk_in.form.order_id != self.model.order_id:
            plate = unit.unit.plate  # whoever it was scanned for is not served any more: it goes to nobody else
            self._tell(self.tr("{0} tidak dipilih: formulirnya sudah berganti. Pindai lagi.").format(plate))
            return
        if screen.walk_in.is_sending or screen.walk_in.form.period != self.model.period:
            self._check(screen, unit.unit.id)  # other days were typed meanwhile: free for those or not
            return
        screen.walk_in.set_sku(unit.sku.code)
        screen.walk_in.set_unit(unit.unit.id)
        self._answer(is_good=True)
        plate = unit.unit.plate
        self._window.toast(lambda: self.tr("{0} kosong dan dipilih.").format(plate), seconds=4)

    def _refused(self, no: object) -> None:
        if not isinstance(no, Refusal):
            return
        screen = self._open_form()
        self._answer(is_good=False)
        if screen is not None and screen.walk_in.form.order_id != self.model.order_id:
            screen = None
        if no.code is RefusalCode.DAYS_TAKEN and screen is not None:
            screen.refusals.show(no)
            return
        sentence = refusal_sentence(no, self._window.who.zone)
        title = sentence.title
        if no.params.get("reason") == "other_branch":
            title = self.tr("Unit {0} milik cabang lain.").format(no.params.get("plate", ""))
        sku = next((item.params.get("sku") for item in no.next if item.action == "any_unit"), None)
        actions = [BannerAction(text=self.tr("Tutup"), run=self._close)]
        if isinstance(sku, str) and screen is not None:
            text = self.tr("Pakai unit lain yang kosong")
            actions.append(BannerAction(text=text, run=partial(self._use_any, sku)))
        content = BannerContent(
            kind=BannerKind.ERROR, title=title, text=sentence.text if len(actions) == 1 else "", actions=tuple(actions)
        )
        self._window.show_banner(BANNER, content)

    def _use_any(self, sku: str) -> None:
        """Any free unit of what was scanned: the server chooses at F9."""
        screen = self._open_form()
        self._close()
        if screen is not None:
            screen.walk_in.set_sku(sku)
            screen.walk_in.set_unit(None)
            screen.panel.focus_primary()

    def _close(self) -> None:
        self._window.hide_banner(BANNER)

    # --- answers ------------------------------------------------------------------------------------------------------

    def _found(self) -> None:
        if self._looked_for:
            self._looked_for = ""
            self._answer(is_good=True)

    def _unknown(self, text: str) -> None:
        if self._looked_for:
            self._looked_for = ""
            self._tell(self.tr("Kode {0} tidak dikenal.").format(text))

    def _failed(self, failure: object) -> None:
        if isinstance(failure, Failure):
            self._tell(self.tr("Kode belum bisa diperiksa. Kode {0}.").format(failure.code))

    def _tell(self, text: str) -> None:
        self._answer(is_good=False)
        self._window.toast(text, seconds=6)

    def _answer(self, *, is_good: bool) -> None:
        """The frame is always seen; the system's sound is heard where sounds are on."""
        self.flash.show_answer(is_good=is_good)
        if not is_good:
            QApplication.beep()
