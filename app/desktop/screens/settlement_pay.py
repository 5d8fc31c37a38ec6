"""The pay card: what is owed, what the customer hands over, what goes back, and Bayar. Nothing in it ever moves."""

import html

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.desktop.formats import money, number
from app.desktop.icons import IconRole, icon_colour, paint_icon
from app.desktop.language import language
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_texts import Message, SettlementTexts
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.change_box import ChangeBox
from app.desktop.widgets.field import FieldSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.paint import RING_MARGIN
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.invoice import quick_amounts
from app.domain.lock import LockState
from app.domain.staff import Role

FIELD_LEFT = 140
PADDING = 24
PAY_WIDTH, COMPACT_PAY_WIDTH = 306, 270


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


class MessageArea(QWidget):
    """An icon and two lines of text in a fixed place; empty lines keep their room."""

    HEIGHT, LINE_HEIGHT = 40, 20

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = Message()
        self._is_compact = False
        self.setFixedHeight(self.HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 0, 0)
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.RichText)
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        row.addWidget(self._words)
        theme_source().changed.connect(self._restyle)

    def message(self) -> Message:
        return self._message

    def show_message(self, message: Message) -> None:
        if message != self._message:
            self._message = message
            self.setAccessibleName(f"{message.title} {message.text}".strip())
            self._restyle()

    def set_compact(self, compact: bool) -> None:
        """Where height is short, words of one line get the room of one line."""
        if compact != self._is_compact:
            self._is_compact = compact
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def fits(self) -> bool:
        """Whether the words fit into the two lines."""
        return self._words.heightForWidth(self._words.width()) <= self.HEIGHT

    def paintEvent(self, event: QPaintEvent) -> None:
        message = self._message
        if not message.title and not message.text:
            return
        painter = QPainter(self)
        try:
            paint_icon(painter, QRectF(0, 1, 16, 16), message.icon, icon_colour(IconRole(message.tone.value)))
        finally:
            painter.end()

    def _fit(self) -> None:
        is_one_line = self._words.heightForWidth(self.width() - 24) <= self.LINE_HEIGHT
        self.setFixedHeight(self.LINE_HEIGHT if self._is_compact and is_one_line else self.HEIGHT)

    def _restyle(self) -> None:
        message, look = self._message, theme()
        colour = getattr(look, message.tone.value).name()
        parts = []
        if message.title:
            parts.append(f"<b style='font-weight:600'>{html.escape(message.title)}</b>")
        if message.text:
            parts.append(html.escape(message.text))
        self._words.setFont(look.font())
        self._words.setText(f"<span style='color:{colour}'>{' '.join(parts)}</span>")
        self._fit()
        self.update()


class PayCard(Card):
    """Bound to one view model. `pay_pressed`, `leave_pressed` and `again_pressed` are the only ways out."""

    pay_pressed = Signal()
    leave_pressed = Signal()
    check_pressed = Signal()
    reprint_pressed = Signal()

    def __init__(self, model: SettlementViewModel, texts: SettlementTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        self._texts = texts
        self._quick: list[Button] = []
        self._is_compact = False
        self._due_name = Label("", TextRole.SECTION)
        self._due = Label("", TextRole.TOTAL)
        self.cash_button = Button(icon="cash", size=ButtonSize.PRIMARY)
        self._field_name = Label("", TextRole.SECTION)
        self.field = ReceivedField("", size=FieldSize.AMOUNT)
        self.exact_button = Button(key="+", size=ButtonSize.SMALL)
        self._echo = ElidedLabel("", TextRole.SECONDARY, Tone.MUTED)
        self._echo.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.change_box = ChangeBox(FIELD_LEFT)
        self.message = MessageArea()
        self.leave_button = Button(key="Esc", size=ButtonSize.PRIMARY)
        self._hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.pay_button = Button(primary=True, size=ButtonSize.PAY, key="F9")
        self._lay_out()
        self._connect()
        self.retranslate()

    def set_compact(self, compact: bool) -> None:
        """Without the height for all of it (150 % on a small screen): no tiles, no choice among one way to pay."""
        self._is_compact = compact
        self.change_box.set_compact(compact)
        top, bottom = (6, 5) if compact else (16, 13)
        self.body.setContentsMargins(PADDING - RING_MARGIN, top, PADDING - RING_MARGIN, bottom)
        self.pay_button.setMinimumWidth(COMPACT_PAY_WIDTH if compact else PAY_WIDTH)
        self._methods.setVisible(not compact)
        self._hint.setVisible(not compact)
        self._show_quick_row()

    def type_digit(self, text: str) -> None:
        """A digit typed anywhere in the screen goes to Diterima."""
        if self.field.edit.isReadOnly():
            return
        self.field.setFocus()
        self.field.edit.end(False)
        self.field.edit.insert(text)
        self.field.typed.emit(self.field.text())

    def take_exact(self) -> None:
        """`+`: exactly what is owed."""
        if not self.field.edit.isReadOnly():
            self.field.set_amount(int(self._model.due))
            self.field.setFocus()

    def show_quick(self) -> None:
        """The rounded amounts above what is owed; made anew when that changes."""
        wanted = quick_amounts(self._model.due)
        if [button.property("amount") for button in self._quick] == [int(amount) for amount in wanted]:
            return
        for button in self._quick:
            self._quick_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._quick = []
        for place, amount in enumerate(wanted):
            button = Button(number(amount, language()), size=ButtonSize.SMALL)
            button.setCheckable(True)
            button.setProperty("amount", int(amount))
            button.clicked.connect(lambda _checked=False, amount=int(amount): self._take(amount))
            self._quick_row.insertWidget(place + 1, button)
            self._quick.append(button)

    def show_now(self) -> None:
        """Bring the card in line with the view model."""
        model = self._model
        shown = model.handed_over
        if self.field.amount() != shown and not self.field.edit.hasFocus():
            self.field.set_amount(shown)
        self._due_name.setText(self.tr("Sudah dibayar") if model.is_paid else self.tr("Sisa tagihan"))
        self._due.setText(money(model.due, language()))
        self.show_quick()
        may_type = model.phase is Phase.OPEN
        self.field.set_reason("" if may_type else self._closed_reason())
        for button in (self.cash_button, self.exact_button, *self._quick):
            button.setEnabled(may_type)
        self._show_quick_row()
        for button in self._quick:
            button.setChecked(button.property("amount") == model.received)
        self._echo.setText(self.field.echo())
        pale = model.phase in (Phase.LOST, Phase.VIEWING, Phase.UNKNOWN, Phase.ACQUIRING)
        self.change_box.set_change(int(model.change), model.notes(), pale=pale)
        self.show_seconds()

    def show_seconds(self) -> None:
        """What depends on the lock's seconds: the message and whether Bayar may be pressed."""
        self.message.show_message(self._texts.message())
        self._show_pay_button()
        self._show_leave_button()

    def retranslate(self) -> None:
        self.cash_button.setText(self.tr("Tunai"))
        self._field_name.setText(self.tr("Diterima"))
        self.field.set_name(self.tr("Diterima dari pelanggan"))
        self.exact_button.setText(self.tr("Pas"))
        self.change_box.set_words(self.tr("Kembalian"), self.tr("Serahkan"))
        for button in self._quick:
            button.setText(number(button.property("amount"), language()))
        self.show_now()

    # --- inside ---

    def _show_quick_row(self) -> None:
        """In a lost lock nothing of it can be pressed: where height is short, the change has its place."""
        lost = self._is_compact and self._model.phase is Phase.LOST
        self._quick_place.setVisible(not lost)
        self.message.set_compact(lost)
        self._above_message.setContentsMargins(RING_MARGIN, 8 if lost else 0, RING_MARGIN, 0)

    def _take(self, amount: int) -> None:
        self.field.set_amount(amount)
        self.field.setFocus()

    def _closed_reason(self) -> str:
        if self._model.phase is Phase.VIEWING:
            return self.tr("Hanya dilihat.")
        return self.tr("Tidak bisa diubah sekarang.")

    def _show_pay_button(self) -> None:
        model, button = self._model, self.pay_button
        key = "F9"
        match model.phase:
            case Phase.COMMITTING:
                text, reason = self.tr("Menyimpan…"), self.tr("Pembayaran sedang disimpan.")
            case Phase.LOST:
                text, reason = self.tr("Kunci hilang"), self.tr("Kunci lagi dulu, baru bayar.")
            case Phase.UNKNOWN:
                text, reason = self.tr("Periksa sekarang"), ""
            case Phase.PAID:
                text, reason, key = self.tr("Cetak ulang"), "", "Ctrl+P"
            case Phase.VIEWING if model.is_paid:
                text, reason, key = self.tr("Cetak ulang"), "", "Ctrl+P"
            case Phase.VIEWING if Role.CASHIER not in model.who.roles:
                text, reason = self.tr("Hanya kasir"), self.tr("Membayar perlu peran Kasir. Minta kasir atau manajer.")
            case Phase.VIEWING | Phase.CLOSED:
                text, reason = self.tr("Hanya dilihat"), self.tr("Buka dengan F9 dari daftar untuk membayar.")
            case Phase.ACQUIRING:
                text, reason = self.tr("Mengunci…"), self.tr("Kunci sedang diambil.")
            case _:
                text = self.tr("Bayar {amount}").format(amount=money(model.due, language()))
                reason = "" if model.may_pay() else self._unpayable_reason()
        if button.text() != text:
            button.setText(text)
        button.set_key(key)
        button.set_primary(not model.is_paid)
        self._hint.setText("" if model.is_paid else self.tr("Kwitansi PDF tersimpan setelah lunas"))
        if button.reason() != reason or button.isEnabled() is bool(reason):
            button.set_reason(reason)

    def _unpayable_reason(self) -> str:
        model = self._model
        if not model.is_online:
            return self.tr("Koneksi terputus: bayar lagi setelah terhubung. Yang Anda isi tetap ada.")
        if not model.lock.clock_trusted or model.lock_state() in (LockState.CRITICAL, LockState.LOST):
            return self.tr("Tunggu sampai kunci diperpanjang.")
        return self.tr("Isi jumlah yang diterima, paling sedikit sebesar sisa tagihan.")

    def _show_leave_button(self) -> None:
        phase = self._model.phase
        text = self.tr("Lepas kunci") if phase in (Phase.OPEN, Phase.ACQUIRING) else self.tr("Kembali ke daftar")
        if self.leave_button.text() != text:
            self.leave_button.setText(text)
        self.leave_button.set_reason(self.tr("Pembayaran sedang disimpan.") if phase is Phase.COMMITTING else "")

    def _press(self) -> None:
        match self._model.phase:
            case Phase.UNKNOWN:
                self.check_pressed.emit()
            case Phase.PAID | Phase.VIEWING if self._model.is_paid:
                self.reprint_pressed.emit()
            case _:
                self.pay_pressed.emit()

    def _lay_out(self) -> None:
        outside = self.body
        # Boxes are drawn RING_MARGIN inside their widgets; what has no ring is moved in by as much.
        outside.setContentsMargins(PADDING - RING_MARGIN, 16, PADDING - RING_MARGIN, 13)
        outside.setSpacing(0)
        area, body = scrolling_column()
        outside.addWidget(area, 1)
        top = QHBoxLayout()
        top.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
        top.addWidget(self._due_name)
        top.addStretch(1)
        top.addWidget(self._due)
        body.addLayout(top)
        body.addSpacing(12)
        body.addLayout(_moved_in(Hairline()))
        body.addSpacing(12 - RING_MARGIN)
        self._methods = QWidget()
        methods = QHBoxLayout(self._methods)
        methods.setContentsMargins(0, 0, 0, 14 - 2 * RING_MARGIN)
        self.cash_button.setCheckable(True)
        self.cash_button.setChecked(True)
        self.cash_button.setFixedWidth(196)
        methods.addWidget(self.cash_button)
        methods.addStretch(1)
        body.addWidget(self._methods)
        row = QHBoxLayout()
        row.setContentsMargins(RING_MARGIN, 0, 0, 0)
        row.setSpacing(0)
        self._field_name.setFixedWidth(FIELD_LEFT - RING_MARGIN)
        row.addWidget(self._field_name)
        row.addWidget(self.field)
        body.addLayout(row)
        body.addSpacing(8 - 2 * RING_MARGIN)
        self._quick_place = QWidget()
        self._quick_row = QHBoxLayout(self._quick_place)
        self._quick_row.setContentsMargins(FIELD_LEFT, 0, RING_MARGIN, 0)
        self._quick_row.setSpacing(2)
        self._quick_row.addWidget(self.exact_button)
        self._quick_row.addSpacing(12)
        self._quick_row.addWidget(self._echo, 1)
        body.addWidget(self._quick_place)
        body.addSpacing(16 - RING_MARGIN)
        body.addLayout(_moved_in(self.change_box))
        body.addStretch(1)
        self._above_message = _moved_in(self.message)
        outside.addLayout(self._above_message)
        outside.addSpacing(8)
        bottom = QHBoxLayout()
        bottom.setSpacing(8)
        bottom.addWidget(self.leave_button)
        bottom.addWidget(self._hint)
        bottom.addStretch(1)
        self.pay_button.setMinimumWidth(PAY_WIDTH)
        bottom.addWidget(self.pay_button)
        outside.addLayout(bottom)

    def _connect(self) -> None:
        self.field.amount_changed.connect(self._model.set_received)
        self.field.exact_wanted.connect(self.take_exact)
        self.field.entered.connect(self.pay_pressed)
        self.exact_button.clicked.connect(lambda *_: self.take_exact())
        self.cash_button.clicked.connect(lambda *_: self._stay_cash())
        self.pay_button.clicked.connect(lambda *_: self._press())
        self.leave_button.clicked.connect(lambda *_: self.leave_pressed.emit())

    def _stay_cash(self) -> None:
        self.cash_button.setChecked(True)
        self.field.setFocus()


def _moved_in(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
    row.addWidget(widget)
    return row
