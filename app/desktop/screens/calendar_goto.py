"""Ctrl+G: a small field that understands `30/11`, `besok`, `+7` and brings that day into the window."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desktop.theme import TextRole
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.popover import Popover


class GoToDay(Popover):
    """`chosen` carries the day; `closed` follows Esc."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, today: Callable[[], dt.date], parent: QWidget) -> None:
        super().__init__(parent)
        self.pad(8, 7)
        self.setFixedWidth(250)
        self._label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._label.setContentsMargins(3, 0, 0, 0)
        self.field = DateField("", today)
        self.field.edit.returnPressed.connect(self._entered)
        self.body.addWidget(self._label)
        self.body.addWidget(self.field)

    def ask(self) -> None:
        """Empty and ready to type."""
        self._label.setText(self.tr("Ke tanggal: 30/11, besok, +7"))
        self.field.set_name(self.tr("Ke tanggal"))
        self.field.set_day(None)
        self.field.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _entered(self) -> None:
        day = self.field.day()
        if day is None:
            self.field.set_wrong(True)
            return
        self.chosen.emit(day)
