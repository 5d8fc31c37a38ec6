"""The list of drafts that wait (Shift+F4): whose, which days, and the one key that goes on with each."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.formats import period_with_weekdays, phone
from app.desktop.language import language
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.theme import TextRole
from app.desktop.typed import typed_phone
from app.desktop.widgets.button import Button
from app.desktop.widgets.label import Label, Tone

MOST_SHOWN = 6


class ParkedList(QWidget):
    """`chosen` with the order id of the draft to go on with, `left` when none is wanted. 1 to 6 choose; arrows move."""

    chosen = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._forms: tuple[WalkInForm, ...] = ()
        self.buttons: list[Button] = []
        self._page = QVBoxLayout(self)
        self._page.setContentsMargins(13, 14, 13, 12)
        self._page.setSpacing(2)
        self._title = Label("", TextRole.SECTION)
        self._title.setContentsMargins(3, 0, 3, 6)
        self._page.addWidget(self._title)
        self._page.addStretch(1)
        self._rows: list[QWidget] = []

    def show_forms(self, forms: tuple[WalkInForm, ...]) -> None:
        """The newest first."""
        self._forms = forms[:MOST_SHOWN]
        self._build()

    def take_focus(self) -> None:
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.text()
        if number.isdigit() and number.isascii() and 1 <= int(number) <= len(self._forms):
            self.chosen.emit(self._forms[int(number) - 1].order_id)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._leave_or_take(event)
        else:
            super().keyPressEvent(event)

    def _leave_or_take(self, event: QKeyEvent) -> None:
        at = self._at()
        if event.key() == Qt.Key.Key_Escape or at is None:
            self.left.emit()
        else:
            self.chosen.emit(self._forms[at].order_id)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._build()
        super().changeEvent(event)

    def _at(self) -> int | None:
        return next((at for at, button in enumerate(self.buttons) if button.hasFocus()), None)

    def _step(self, by: int) -> None:
        at = self._at()
        if at is not None:
            wanted = max(0, min(len(self.buttons) - 1, at + by))
            self.buttons[wanted].setFocus(Qt.FocusReason.TabFocusReason)

    def _build(self) -> None:
        for row in self._rows:
            self._page.removeWidget(row)
            row.deleteLater()
        self._rows, self.buttons = [], []
        title = self.tr("Draf yang diparkir") if self._forms else self.tr("Tidak ada draf yang diparkir")
        self._title.setText(title)
        self.setAccessibleName(title)
        for number, form in enumerate(self._forms, start=1):
            button = Button(parked_name(form), key=str(number))
            button.clicked.connect(partial(self._choose, form.order_id))
            words = Label(_days(form), TextRole.SECONDARY, Tone.MUTED)
            words.setContentsMargins(3, 0, 3, 6)
            for row in (button, words):
                self._page.insertWidget(self._page.count() - 1, row)
                self._rows.append(row)
            self.buttons.append(button)

    def _choose(self, order_id: str, _checked: bool = False) -> None:
        self.chosen.emit(order_id)


def parked_name(form: WalkInForm) -> str:
    """Whose draft it is; a phone as it is written."""
    number = typed_phone(form.typed_name)
    return phone(number) if number is not None else form.typed_name or "–"


def _days(form: WalkInForm) -> str:
    period = form.period
    return period_with_weekdays(period.first, period.last, language()) if period is not None else ""
