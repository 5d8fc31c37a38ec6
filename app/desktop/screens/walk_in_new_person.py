"""The fields of a customer who is new: name, and where a register is there the papers."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import masked_nik
from app.desktop.screens.walk_in_fields import CompactDateField
from app.desktop.screens.walk_in_form import NIK_DIGITS, WalkInForm
from app.desktop.screens.walk_in_people_viewmodel import USUAL_CLASS
from app.desktop.theme import TextRole
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.pick_field import Pick, PickField
from app.domain.identity import LicenceClass, bare_number

MOST_NIK_SIGNS = 24

MOST_TYPED = 200
"""More than a name may have: one that is too long is told, not cut."""


class NikField(Field):
    """An identity number: counted while it is typed, masked as soon as it is whole and left (others see the screen)."""

    def __init__(self) -> None:
        super().__init__("")
        self._number = ""
        self.edit.setMaxLength(MOST_NIK_SIGNS)
        self.typed.connect(self._typed)

    def number(self) -> str:
        return self._number

    def set_number(self, text: str) -> None:
        """Show a number from elsewhere; the one being typed is left alone."""
        if text != self._number or not self.edit.hasFocus():
            self._number = text
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show(is_open=event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def _typed(self, text: str) -> None:
        self._number = text
        self._count()

    def _show(self, *, is_open: bool | None = None) -> None:
        digits = bare_number(self._number)
        is_whole = len(digits) == NIK_DIGITS and digits.isdigit()
        open_now = self.edit.hasFocus() if is_open is None else is_open
        shown = masked_nik(digits) if is_whole and not open_now else self._number
        if shown != self.text():
            self.set_text(shown)
        self._count()

    def _count(self) -> None:
        digits = len(bare_number(self._number))
        self.set_suffix(f"{digits}/{NIK_DIGITS}" if digits and digits != NIK_DIGITS else "")


class NewPerson(QWidget):
    """Enter goes from name to NIK to the licence's last day; `finished` after that. The papers may stay empty.

    `name_typed`, `nik_typed`, `class_picked`, `licence_typed` with text and day, `left` with the field that was left.
    """

    name_typed = Signal(str)
    nik_typed = Signal(str)
    class_picked = Signal(str)
    licence_typed = Signal(str, object)
    left = Signal(object)
    finished = Signal()
    wanted = Signal(object)

    def __init__(self, today: Callable[[], dt.date], *, has_papers: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.has_papers = has_papers
        self._filling = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self._label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._label.setContentsMargins(3, 0, 3, 0)
        self.name = Field("")
        self.name.edit.setMaxLength(MOST_TYPED)
        self.nik = NikField()
        self.licence_class = PickField("", prefix="SIM")
        self.licence_class.set_picks([Pick(key=each.value, text=each.value) for each in LicenceClass])
        self.licence_class.choose(USUAL_CLASS)
        self.licence = CompactLicenceField(today)
        papers = QHBoxLayout()
        papers.setSpacing(2)
        papers.addWidget(self.licence_class, 46)
        papers.addWidget(self.licence, 54)
        column.addWidget(self._label)
        column.addWidget(self.name)
        column.addWidget(self.nik)
        column.addLayout(papers)
        for field in self.papers():
            field.setVisible(has_papers)
        self._connect()
        self.retranslate()

    def papers(self) -> tuple[Field, ...]:
        return self.nik, self.licence_class, self.licence

    def fields(self) -> tuple[Field, ...]:
        return (self.name, *self.papers()) if self.has_papers else (self.name,)

    def show_form(self, form: WalkInForm) -> None:
        """Bring every field up to date; one the person is typing in is left alone."""
        self._filling = True
        try:
            if not self.name.edit.hasFocus() or not form.new_name:
                self.name.set_text(form.new_name)
            self.nik.set_number(form.new_nik)
            self.licence_class.choose(form.licence_class or USUAL_CLASS)
            if not self.licence.edit.hasFocus():
                if form.licence_day is not None:
                    self.licence.set_day(form.licence_day)
                elif self.licence.text() != form.licence_text:
                    self.licence.set_text(form.licence_text)
        finally:
            self._filling = False

    def retranslate(self) -> None:
        self._label.setText(self.tr("Nama pelanggan baru"))
        self.name.set_name(self.tr("Nama pelanggan baru"))
        self.name.set_placeholder(self.tr("Sesuai KTP"))
        self.nik.set_name(self.tr("NIK"))
        self.nik.set_prefix(self.tr("NIK"))
        self.nik.set_placeholder(self.tr("16 angka, boleh nanti"))
        self.licence_class.set_name(self.tr("Golongan SIM"))
        self.licence.set_name(self.tr("SIM berlaku sampai"))
        self.licence.set_placeholder(self.tr("Berlaku s.d."))

    def _connect(self) -> None:
        self.name.typed.connect(self.name_typed)
        self.nik.typed.connect(self.nik_typed)
        self.licence_class.picked.connect(self.class_picked)
        self.licence.typed.connect(lambda _: self._licence_changed())
        self.licence.day_changed.connect(lambda _: self._licence_changed())
        for field in (self.name, self.nik, self.licence):
            field.committed.connect(lambda left=field: self.left.emit(left))
        self.name.edit.returnPressed.connect(lambda: self._go_on(self.nik))
        self.nik.edit.returnPressed.connect(lambda: self._go_on(self.licence))
        self.licence_class.entered.connect(lambda: self._go_on(self.licence))
        self.licence.edit.returnPressed.connect(self.finished)

    def _go_on(self, field: Field) -> None:
        if self.has_papers:
            self.wanted.emit(field)
        else:
            self.finished.emit()

    def _licence_changed(self) -> None:
        if not self._filling:
            self.licence_typed.emit(self.licence.text(), self.licence.day())


class CompactLicenceField(CompactDateField):
    """`Kam 30 Nov 2028`: a licence's day is years away, so its year is always read."""

    def __init__(self, today: Callable[[], dt.date]) -> None:
        super().__init__("", today)

    def set_day(self, day: dt.date | None) -> None:
        super().set_day(day)
        if day is not None:
            self.set_text(f"{self.text()} {day.year}" if str(day.year) not in self.text() else self.text())
            self.edit.setCursorPosition(0)
