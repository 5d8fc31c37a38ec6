"""The cards at the left of the settlement screen: what is owed, what was paid, and for which booking."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from app.desktop.documents.line_words import line_words
from app.desktop.documents.tender_words import tender_words
from app.desktop.formats import clock, countdown, day_with_weekday, moment, money, phone, time_of_day, zone_label
from app.desktop.language import language
from app.desktop.screens.invoices_table import kind_label
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.label import ElidedLabel, Label, Tag, Tone
from app.domain.booking import BookingState
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.staff import Branch
from app.domain.tender import Tender
from app.usecases.rows import BookingRow, InvoiceDetail

LABEL_WIDTH, NARROW_LABEL_WIDTH = 100, 76
MAX_BOOKINGS = 2


class SettlementCards(QWidget):
    """Shows one InvoiceDetail. `show_seconds` steps the payment deadline on the server's time. `part_dropped` with the
    place of a part that is owed again."""

    split_pressed = Signal()
    part_dropped = Signal(int)

    def __init__(self, branch: Branch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._branch = branch
        self._detail: InvoiceDetail | None = None
        self._is_narrow = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self._lines, self._lines_body = self._card()
        self._kind = Tag("")
        self._lines.head.addWidget(self._kind)
        self._payments, self._payments_body = self._card()
        self.split_button = Button(key="Ctrl+B", size=ButtonSize.SMALL)
        self.split_button.clicked.connect(lambda *_: self.split_pressed.emit())
        self._payments.head.addWidget(self.split_button)
        self._parts: tuple[Tender, ...] = ()
        self.drop_buttons: list[Button] = []
        self._booking, self._booking_body = self._card()
        self._deadline: Label | None = None
        for card in (self._lines, self._payments, self._booking):
            column.addWidget(card)
        column.addStretch(1)

    def show_detail(self, detail: InvoiceDetail) -> None:
        """Fill all three cards."""
        self._detail = detail
        self._lines.set_title(self.tr("Rincian"))
        self._payments.set_title(self.tr("Pembayaran"))
        self.split_button.setText(self.tr("Bagi pembayaran"))
        self._booking.set_title(self.tr("Booking"))
        self._kind.set_text(kind_label(detail.row.kind))
        self._show_lines(detail)
        self._show_payments(detail)
        self._show_booking(detail)

    def show_parts(self, parts: tuple[Tender, ...], *, may_split: bool) -> None:
        """What is set aside of the payment that is being made; nothing of it is recorded yet."""
        self.split_button.setVisible(may_split)
        if parts != self._parts and self._detail is not None:
            self._parts = parts
            self._show_payments(self._detail)
        for button in self.drop_buttons:
            button.setEnabled(may_split)

    def set_narrow(self, narrow: bool) -> None:
        """Fewer words where the column is narrow."""
        if narrow is not self._is_narrow:
            self._is_narrow = narrow
            if self._detail is not None:
                self.show_detail(self._detail)

    def show_seconds(self, seconds_left: float) -> None:
        """How long the unit is still held for this payment."""
        if self._deadline is not None:
            held = self.tr("tahan {left}") if seconds_left > 0 else self.tr("batas lewat, kunci menahan")
            self._deadline.setText(f"· {held.format(left=countdown(seconds_left))}")

    # --- inside ---

    def _card(self) -> tuple[Card, QVBoxLayout]:
        card = Card(" ")
        body = QVBoxLayout()
        body.setSpacing(8)
        card.body.addLayout(body)
        return card, body

    def _show_lines(self, detail: InvoiceDetail) -> None:
        _clear(self._lines_body)
        for line in detail.lines:
            words = Label(line_words(line, language(), alone=len(detail.bookings) == 1))
            self._lines_body.addLayout(_pair(words, Label(money(line.amount, language())), self._aside(line)))
            self._lines_body.addWidget(Hairline())
        total = _pair(
            Label(self.tr("Jumlah"), weight=600), Label(money(detail.row.total, language()), TextRole.SECTION)
        )
        self._lines_body.addLayout(total)
        if detail.ppn and not any(line.kind is LineKind.PPN for line in detail.lines):
            words = Label(self.tr("termasuk PPN 12 % × 11/12"), TextRole.SECONDARY, Tone.MUTED)
            amount = Label(money(detail.ppn, language()), TextRole.SECONDARY, Tone.MUTED)
            self._lines_body.addLayout(_pair(words, amount))

    def _aside(self, line: InvoiceLine) -> Label | None:
        """Muted words behind a line's text."""
        if line.kind is not LineKind.DEPOSIT or self._is_narrow:
            return None
        return Label(self.tr("(dikembalikan saat selesai)"), tone=Tone.MUTED)

    def _show_payments(self, detail: InvoiceDetail) -> None:
        _clear(self._payments_body)
        self.drop_buttons = []
        if not detail.payments and not self._parts:
            self._payments_body.addWidget(Label(self.tr("Belum ada pembayaran masuk."), tone=Tone.MUTED))
        for payment in detail.payments:
            at = time_of_day(payment.paid_at, self._branch.zone, language())
            for tender in payment.tenders:
                words = self.tr("{way} {time}, {cashier}")
                text = words.format(way=tender_words(tender), time=at, cashier=payment.cashier)
                self._payments_body.addLayout(
                    _pair(ElidedLabel(text), Label(money(tender.amount, language()), weight=600))
                )
        for place, part in enumerate(self._parts if not detail.payments else ()):
            button = Button(icon="close", flat=True, size=ButtonSize.ROW)
            button.setAccessibleName(self.tr("Batalkan bagian {way}").format(way=tender_words(part)))
            button.clicked.connect(lambda _checked=False, place=place: self.part_dropped.emit(place))
            self.drop_buttons.append(button)
            words = self.tr("{way}, belum tercatat").format(way=tender_words(part))
            row = _pair(ElidedLabel(words), Label(money(part.amount, language()), weight=600))
            row.addWidget(button)
            self._payments_body.addLayout(row)

    def _show_booking(self, detail: InvoiceDetail) -> None:
        _clear(self._booking_body)
        grid = QGridLayout()
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, NARROW_LABEL_WIDTH if self._is_narrow else LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        self._booking_body.addLayout(grid)
        self._deadline = None
        for booking in detail.bookings[:1]:
            who = f"{booking.customer.name} · {phone(booking.customer.phone)}"
            self._row(grid, self.tr("Pelanggan"), who)
        for booking in detail.bookings[:MAX_BOOKINGS]:
            self._row(grid, self.tr("Unit"), self._unit(booking))
            self._row(grid, self.tr("Sewa"), self._period(booking))
        more = len(detail.bookings) - MAX_BOOKINGS
        if more > 0:
            self._row(grid, "", self.tr("dan %n booking lain di pesanan ini", "", more))
        first = detail.bookings[0] if detail.bookings else None
        if first is not None and first.state is BookingState.PENDING_PAYMENT and first.payment_deadline is not None:
            self._deadline_row(grid, first)
        number = detail.row.number or self.tr("diberikan saat lunas")
        self._row(grid, self.tr("No. tagihan"), number, Tone.TEXT if detail.row.number else Tone.MUTED)

    def _unit(self, booking: BookingRow) -> str:
        unit = booking.unit.unit
        return f"{booking.unit.sku.name} · {unit.plate} {unit.colour}".strip()

    def _period(self, booking: BookingRow) -> str:
        start = moment(booking.pickup_at, self._branch.zone, language())
        end = moment(booking.due_at, self._branch.zone, language())
        return f"{start} – {end} {zone_label(self._branch.zone.key, booking.due_at)}"

    def _deadline_row(self, grid: QGridLayout, booking: BookingRow) -> None:
        if booking.payment_deadline is None or self._detail is None:
            return
        at = booking.payment_deadline.astimezone(self._branch.zone)
        text = clock(at, self._branch.zone, language(), seconds=True)
        if at.date() != self._detail.now.astimezone(self._branch.zone).date():
            text = f"{day_with_weekday(at.date(), language())} {text}"
        row = QHBoxLayout()
        row.setSpacing(5)
        row.addWidget(Label(f"{text} {zone_label(self._branch.zone.key, at)}"))
        self._deadline = Label("", tone=Tone.MUTED)
        row.addWidget(self._deadline)
        row.addStretch(1)
        line = grid.rowCount()
        grid.addWidget(Label(self.tr("Batas bayar"), tone=Tone.MUTED), line, 0)
        grid.addLayout(row, line, 1)

    def _row(self, grid: QGridLayout, name: str, value: str, tone: Tone = Tone.TEXT) -> None:
        line = grid.rowCount()
        grid.addWidget(Label(name, tone=Tone.MUTED), line, 0)
        grid.addWidget(ElidedLabel(value, tone=tone), line, 1)


def _pair(left: Label | ElidedLabel, right: Label, aside: Label | None = None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(4)
    row.addWidget(left)
    if aside is not None:
        row.addWidget(aside)
    row.addStretch(1)
    right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(right)
    return row


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            _clear(inner)
