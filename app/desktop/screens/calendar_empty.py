"""What stands in the grid's place when there is nothing to show: one sentence and the one useful action."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.formats import period_with_weekdays
from app.desktop.language import language
from app.desktop.screens.calendar_shown import EVERYTHING, CalendarFilter, ShownFleet
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Label, Tone


class EmptyCalendar(Surface):
    """`chosen` carries the filter to use instead, `branches_wanted` asks for another branch."""

    chosen = Signal(object)
    branches_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self._instead: CalendarFilter | None = None
        page = QVBoxLayout(self)
        page.setSpacing(8)
        page.addStretch(2)
        self.text = Label("", TextRole.BASE, Tone.MUTED)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = Button("")
        self.button.clicked.connect(self._pressed)
        page.addWidget(self.text)
        page.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        page.addStretch(3)

    def show_fleet(self, shown: ShownFleet) -> None:
        """Say what was not found, and offer the nearest name, more units, or another branch."""
        sentence, action, self._instead = self._words(shown)
        self.text.setText(sentence)
        self.button.setText(action)

    def _words(self, shown: ShownFleet) -> tuple[str, str, CalendarFilter | None]:
        wanted = shown.wanted
        if not wanted.narrows:
            here = self.tr("Belum ada unit di cabang ini.") if wanted.branch is None else self._nothing_there(wanted)
            return here, self.tr("Lihat cabang lain"), None
        if wanted.free_for is not None and shown.candidates():
            period = period_with_weekdays(wanted.free_for.first, wanted.free_for.last, language())
            instead = replace(wanted, free_for=None)
            return self.tr("Tidak ada unit kosong {0}.").format(period), self.tr("Tampilkan juga yang terisi"), instead
        near = shown.suggestion() if wanted.text else None
        if near is not None:
            name, count = near
            text = self.tr("Tidak ditemukan '{0}'. Maksud Anda {1} ({2} unit)?").format(wanted.text, name, count)
            return text, self.tr("Tampilkan {0}").format(name), replace(EVERYTHING, text=name, branch=wanted.branch)
        if wanted.text and wanted.branch is None:
            text = self.tr("Tidak ada unit '{0}' di cabang ini.").format(wanted.text)
            return text, self.tr("Lihat cabang lain"), None
        text = self.tr("Tidak ada unit yang cocok.")
        return text, self.tr("Tampilkan semua unit"), replace(EVERYTHING, branch=wanted.branch)

    def _nothing_there(self, wanted: CalendarFilter) -> str:
        return self.tr("Belum ada unit di {0}.").format(wanted.branch.name if wanted.branch is not None else "")

    def _pressed(self) -> None:
        if self._instead is None:
            self.branches_wanted.emit()
        else:
            self.chosen.emit(self._instead)
