"""The small card that puts a customer on the waitlist: who, for what, and what that does and does not promise."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import day_count, period_with_weekdays, phone
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.typed import typed_phone
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import KeyCap, Label, Tone
from app.desktop.widgets.popover import Popover
from app.domain.days import RentalPeriod
from app.usecases.waitlist import WaitlistWish

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Who would wait for what; without `customer_id` name and phone are typed (or come from the form)."""

    sku: str
    sku_name: str
    period: RentalPeriod
    customer_id: str | None = None
    name: str = ""
    phone: str = ""

    @property
    def is_known(self) -> bool:
        """Nothing has to be typed any more."""
        return self.customer_id is not None or (len(self.name.strip()) > 1 and typed_phone(self.phone) is not None)


class WaitlistCard(Popover):
    """`wanted` carries a WaitlistWish, `closed` follows Esc. With a known customer Enter alone is enough."""

    wanted = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._waiting: Waiting | None = None
        self.setFixedWidth(352)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pad(14, 10)
        head = QHBoxLayout()
        self._title = Label("", TextRole.SECTION)
        head.addWidget(self._title, 1)
        head.addWidget(KeyCap("Esc"), 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self._days = Label("", TextRole.BASE)
        self._customer = Label("", TextRole.BASE, weight=600)
        self.phone = Field("")
        self.name = Field("")
        self.name.edit.setMaxLength(LONGEST_NAME)
        self._wrong = Label("", TextRole.SECONDARY, Tone.ERROR)
        self._honest = Label("", TextRole.SECONDARY, Tone.MUTED)
        for widget in (self._days, self._customer, self.phone, self.name, self._wrong, self._honest):
            self.body.addWidget(widget)
        self._honest.setWordWrap(True)
        self._wrong.setWordWrap(True)
        self.join = Button("", key="Return", size=ButtonSize.SMALL, primary=True)
        self.join.clicked.connect(self._join)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.join)
        self.body.addLayout(row)
        self.phone.edit.returnPressed.connect(self._after_phone)
        self.name.edit.returnPressed.connect(self._join)

    def ask(self, waiting: Waiting) -> None:
        """Fill in; place it afterwards and call `take_focus`."""
        self._waiting = waiting
        self._title.setText(self.tr("Antrean {0}").format(waiting.sku_name))
        period = period_with_weekdays(waiting.period.first, waiting.period.last, language())
        self._days.setText(f"{period} · {day_count(waiting.period.count, language())}")
        self._customer.setText(" · ".join(part for part in (waiting.name, self._shown(waiting.phone)) if part))
        self._customer.setVisible(waiting.is_known)
        self.phone.set_name(self.tr("Telepon pelanggan"))
        self.phone.set_placeholder(self.tr("Telepon, contoh 0812-3456-7890"))
        self.name.set_name(self.tr("Nama pelanggan"))
        self.name.set_placeholder(self.tr("Nama pelanggan"))
        self.phone.set_text(waiting.phone)
        self.name.set_text(waiting.name)
        for field in (self.phone, self.name):
            field.setVisible(not waiting.is_known)
            field.set_wrong(False)
        self._wrong.hide()
        self._honest.setText(self.tr("Kami hubungi bila ada unit; belum menjamin."))
        self.join.setText(self.tr("Masukkan antrean"))
        self.setAccessibleName(f"{self._title.text()}, {self._days.text()}. {self._honest.text()}")

    def take_focus(self) -> None:
        """The button when the customer is known, else the first thing to type."""
        waiting = self._waiting
        if waiting is not None and waiting.is_known:
            self.join.setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.phone.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_card(self) -> bool:
        """Close it; False when it was not open."""
        if not self.isVisible():
            return False
        self.hide()
        self.closed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_card()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.join.hasFocus():
            self._join()
        # Nothing else reaches the grid underneath while the card asks.
        event.accept()

    def _after_phone(self) -> None:
        self.name.edit.setFocus(Qt.FocusReason.TabFocusReason)

    def _join(self) -> None:
        waiting = self._waiting
        if waiting is None or not self.isVisible():
            return
        if waiting.customer_id is not None:
            self._send(WaitlistWish(sku=waiting.sku, period=waiting.period, customer_id=waiting.customer_id))
            return
        number, name = typed_phone(self.phone.text()), self.name.text().strip()
        self.phone.set_wrong(number is None)
        self.name.set_wrong(len(name) < 2)
        if number is None:
            self._complain(self.tr("Nomor telepon 9-13 angka, contoh 0812-3456-7890."), self.phone)
        elif len(name) < 2:
            self._complain(self.tr("Isi nama pelanggan."), self.name)
        else:
            wish = WaitlistWish(sku=waiting.sku, period=waiting.period, customer_name=name, customer_phone=number)
            self._send(wish)

    def _send(self, wish: WaitlistWish) -> None:
        self.hide()
        self.wanted.emit(wish)

    def _complain(self, text: str, field: Field) -> None:
        self._wrong.setText(text)
        self._wrong.show()
        self.adjustSize()
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shown(self, number: str) -> str:
        found = typed_phone(number)
        return phone(found) if found is not None else number
