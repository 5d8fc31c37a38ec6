"""Ctrl+G: a small field that understands `30/11`, `besok`, `+7` and brings that day into the window."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.field_words import not_a_day
from app.desktop.screens.calendar_window import FIRST_DAY, LAST_DAY
from app.desktop.theme import TextRole
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.popover import Popover


class CalendarDay(DateField):
    """Takes the days that the calendar answers for, and names their years for any other."""

    def is_understood(self) -> bool:
        day = self.day()
        return super().is_understood() and (day is None or FIRST_DAY <= day <= LAST_DAY)

    def problem(self) -> str:
        if self.day() is None or self.is_understood():
            return super().problem()
        text = self.tr("{0}: kalender hanya punya tahun {1}-{2}.")
        return text.format(self.name(), FIRST_DAY.year, LAST_DAY.year)


class GoToDay(Popover):
    """`chosen` carries the day; `closed` follows Esc."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, today: Callable[[], dt.date], parent: QWidget) -> None:
        super().__init__(parent)
        self.pad(8, 7)
        self.setFixedWidth(250)
        self._label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._label.setWordWrap(True)
        self._label.setContentsMargins(3, 0, 0, 0)
        self.field = CalendarDay("", today)
        self.field.edit.returnPressed.connect(self._entered)
        self.field.typed.connect(lambda _: self._explain())
        self.body.addWidget(self._label)
        self.body.addWidget(self.field)

    def ask(self) -> None:
        """Empty and ready to type."""
        self.field.set_name(self.tr("Ke tanggal"))
        self.field.set_day(None)
        self._explain()
        self.field.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def says(self) -> str:
        """The line over the field: what it understands, or why not what was typed."""
        return self._label.text()

    def _explain(self) -> None:
        self._say(self.tr("Ke tanggal: 30/11, besok, +7"), Tone.MUTED)

    def _say(self, text: str, tone: Tone) -> None:
        self._label.setText(text)
        self._label.set_tone(tone)
        self._fit()

    def _entered(self) -> None:
        day = self.field.day()
        if day is not None and self.field.is_understood():
            self.chosen.emit(day)
            return
        self.field.set_wrong(True)
        self._say(self.field.problem() or not_a_day(self.field.name()), Tone.ERROR)
        announce(self.field.edit, self.says())
