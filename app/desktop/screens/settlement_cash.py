"""Cash: what the customer hands over, amounts to press, and the change that goes back."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import number
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.change_box import ChangeBox
from app.desktop.widgets.field import FieldSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.paint import RING_MARGIN
from app.domain.invoice import quick_amounts
from app.domain.money import Rupiah

FIELD_LEFT = 140


class ReceivedField(MoneyField):
    """Diterima. `+` is the exact amount; Enter is told by `entered`, a held Enter once."""

    exact_wanted = Signal()
    entered = Signal()

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.text() == "+":
            self.exact_wanted.emit()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.entered.emit()
            return True
        return False


class CashPart(QWidget):
    """`taken` with an amount that was pressed. Nothing in it ever moves."""

    taken = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quick: list[Button] = []
        self._field_name = Label("", TextRole.SECTION)
        self.field = ReceivedField("", size=FieldSize.AMOUNT)
        self.exact_button = Button(key="+", size=ButtonSize.SMALL)
        self._echo = ElidedLabel("", TextRole.SECONDARY, Tone.MUTED)
        self._echo.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.change_box = ChangeBox(FIELD_LEFT)
        self._lay_out()
        self.exact_button.clicked.connect(lambda *_: self.field.exact_wanted.emit())
        self.retranslate()

    def show_quick(self, due: Rupiah) -> None:
        """The rounded amounts above what is owed; made anew when that changes."""
        wanted = quick_amounts(due)
        if [button.property("amount") for button in self.quick] == [int(amount) for amount in wanted]:
            return
        for button in self.quick:
            self._quick_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.quick = []
        for place, amount in enumerate(wanted):
            button = Button(number(amount, language()), size=ButtonSize.SMALL)
            button.setCheckable(True)
            button.setProperty("amount", int(amount))
            button.clicked.connect(lambda _checked=False, amount=amount: self.taken.emit(amount))
            self._quick_row.insertWidget(place + 1, button)
            self.quick.append(button)

    def show_received(self, received: Rupiah | None, *, may_type: bool) -> None:
        """Which of the amounts is the one that was typed, and its words."""
        for button in (self.exact_button, *self.quick):
            button.setEnabled(may_type)
        for button in self.quick:
            button.setChecked(button.property("amount") == received)
        self._echo.setText(self.field.echo())

    def set_quick_shown(self, shown: bool) -> None:
        self._quick_place.setVisible(shown)

    def retranslate(self) -> None:
        self._field_name.setText(self.tr("Diterima"))
        self.field.set_name(self.tr("Diterima dari pelanggan"))
        self.exact_button.setText(self.tr("Pas"))
        self.change_box.set_words(self.tr("Kembalian"), self.tr("Serahkan"))
        for button in self.quick:
            button.setText(number(button.property("amount"), language()))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(RING_MARGIN, 0, 0, 0)
        row.setSpacing(0)
        self._field_name.setFixedWidth(FIELD_LEFT - RING_MARGIN)
        row.addWidget(self._field_name)
        row.addWidget(self.field)
        column.addLayout(row)
        column.addSpacing(8 - 2 * RING_MARGIN)
        self._quick_place = QWidget()
        self._quick_row = QHBoxLayout(self._quick_place)
        self._quick_row.setContentsMargins(FIELD_LEFT, 0, RING_MARGIN, 0)
        self._quick_row.setSpacing(2)
        self._quick_row.addWidget(self.exact_button)
        self._quick_row.addSpacing(12)
        self._quick_row.addWidget(self._echo, 1)
        column.addWidget(self._quick_place)
        column.addSpacing(16 - RING_MARGIN)
        box = QHBoxLayout()
        box.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
        box.addWidget(self.change_box)
        column.addLayout(box)
        column.addStretch(1)
