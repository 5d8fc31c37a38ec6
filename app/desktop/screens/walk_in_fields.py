"""Small inputs of the drawer: the customer field with its arrows, a short date, a numbered section label."""

import datetime as dt

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import day_with_weekday, phone
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import KeyCap, Label, Tone
from app.desktop.widgets.pick_field import PickField

MOST_PHONE_DIGITS = 13


class CustomerField(Field):
    """`stepped` with +1 or -1 on the arrows, `entered` on Enter. A local phone is grouped as it is typed."""

    stepped = Signal(int)
    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.edit.textEdited.disconnect(self.typed)
        self.edit.textEdited.connect(self._group)

    def _group(self, text: str) -> None:
        """`0812-3456-78`; the cursor stays behind the digit it stood behind."""
        grouped = grouped_phone(text)
        if grouped != text:
            before = sum(sign.isdigit() for sign in text[: self.edit.cursorPosition()])
            self.edit.setText(grouped)
            self.edit.setCursorPosition(_after_digit(grouped, before))
        self.typed.emit(grouped)

    def key_pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
            return True
        return False


def grouped_phone(text: str) -> str:
    """A local phone number, whole or begun, as it is written; anything else as it is."""
    digits = text.replace("-", "")
    local = digits.isascii() and digits.isdigit() and digits.startswith("0") and len(digits) <= MOST_PHONE_DIGITS
    return phone(digits) if local else text


def _after_digit(text: str, count: int) -> int:
    places = [index for index, sign in enumerate(text) if sign.isdigit()]
    return places[count - 1] + 1 if count else 0


class CompactDateField(DateField):
    """Shows `Sen 30 Nov`: the weekday is part of the text, so that two dates stand in one narrow row."""

    def set_day(self, day: dt.date | None) -> None:
        self.set_text("" if day is None else day_with_weekday(day, language()))
        self.edit.setCursorPosition(0)
        self.set_wrong(False)
        self._store(day)
        self.set_suffix("")

    def _set_margins(self) -> None:
        """Two px less at each side than other boxes: the widest day (`Wed 30 May`) is read whole."""
        super()._set_margins()
        self._row.setContentsMargins(self._row.contentsMargins() - QMargins(2, 0, 2, 0))

    def set_suffix(self, text: str) -> None:
        """While a day is typed only its weekday stands behind it: the box is narrow."""
        super().set_suffix(text.split(" ", 1)[0])

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.edit.selectAll()


class CompactPickField(PickField):
    """Closer than elsewhere: `otomatis B 1207 XYZ` is read whole in the drawer."""

    def _set_margins(self) -> None:
        super()._set_margins()
        self._row.setSpacing(3)
        self._row.setContentsMargins(self._row.contentsMargins() - QMargins(2, 0, 2, 0))


class DaysField(Field):
    """The length of the rental; its word gives way to a third digit."""

    def __init__(self) -> None:
        super().__init__("", align_right=True)
        self._word = ""
        self.edit.textChanged.connect(self._show_word)

    def set_word(self, word: str) -> None:
        self._word = word
        self._show_word()

    def _show_word(self) -> None:
        self.set_suffix(self._word if len(self.text()) <= 2 else "")

    def _set_margins(self) -> None:
        """As the days beside it."""
        super()._set_margins()
        self._row.setContentsMargins(self._row.contentsMargins() - QMargins(2, 0, 2, 0))


class SectionLabel(QWidget):
    """`1 Pelanggan` with the section's key at the right."""

    def __init__(self, number: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 2, 3, 1)
        row.setSpacing(7)
        if number:
            row.addWidget(Label(number, TextRole.SECONDARY, weight=700))
        self._text = Label("", TextRole.SECONDARY, Tone.MUTED)
        row.addWidget(self._text)
        row.addStretch(1)
        if key:
            row.addWidget(KeyCap(key))
        self.setFixedHeight(22)

    def add_button(self, button: QWidget) -> None:
        """A small thing to press, at the right."""
        row = self.layout()
        if row is not None:
            row.addWidget(button)

    def set_text(self, text: str) -> None:
        self._text.setText(text)
