"""The settlement page: one invoice under its lock, from the padlock to the change."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.screen import BannerAction, BannerContent, Screen, Shell
from app.desktop.screens.invoices_table import shown_state
from app.desktop.screens.settlement_cards import SettlementCards
from app.desktop.screens.settlement_pay import PayCard
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_tendering import METHODS
from app.desktop.screens.settlement_texts import SettlementTexts
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.states import ShownState
from app.desktop.theme import BannerKind, TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Hairline, Surface
from app.desktop.widgets.label import ElidedLabel, Label, StateChip, Tone
from app.desktop.widgets.lock_chip import LockChip
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.tender import Tender
from app.usecases.rows import InvoiceDetail

TOOLBAR = 48
LEFT_WIDTH, NARROW_LEFT_WIDTH = 440, 314
NARROW, LOW = 1000, 520
KEYS_IGNORED_AFTER_PAYING = 0.7
KEYS_IGNORED_AFTER_SHIFT = 0.7
BANNER = "settlement"
MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock)


class SettlementPage(QWidget):
    """`leave_wanted`: the person is done here. `view_wanted`: look at the invoice without its lock."""

    leave_wanted = Signal()
    view_wanted = Signal(str)
    reprint_wanted = Signal(str)

    def __init__(
        self,
        model: SettlementViewModel,
        shell: Shell,
        make_shift: Callable[[], Screen],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = model
        self._shell = shell
        self._make_shift = make_shift
        self._banner: BannerContent | None = None
        self._shown_detail: InvoiceDetail | None = None
        self._texts = SettlementTexts(model)
        self._back = Button(icon="chevron_left", flat=True)
        self._number = Label("", TextRole.SECTION)
        self._customer = ElidedLabel("", TextRole.SECTION, weight=400)
        self._unit = Label("", TextRole.BASE, Tone.MUTED)
        self._state = StateChip(ShownState.PENDING_PAYMENT)
        self.chip = LockChip()
        self._chip_hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.cards = SettlementCards(model.who.branch)
        self.pay_card = PayCard(model, self._texts)
        self.shift: Screen | None = None
        self._shift_opened_at = float("-inf")
        self._right = QStackedWidget()
        self._right.addWidget(self.pay_card)
        self._lay_out()
        self._connect()
        self.retranslate()

    # --- what the screen calls ---

    def begin(self) -> None:
        """The page comes to the front: watch keys and mouse everywhere, so that working counts as working."""
        app = QCoreApplication.instance()
        if app is not None:
            app.installEventFilter(self)
        self.show_now()
        self.focus_amount()

    def end(self) -> None:
        """The page goes away."""
        app = QCoreApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        self._close_shift()
        self._show_banner(None)

    def focus_amount(self) -> None:
        """Ready to type: Diterima, or the shift panel while that stands in front of it."""
        if self.shift is not None:
            self.shift.activate()
        else:
            self.pay_card.focus_place()

    def pay(self) -> None:
        """F9: pay, check an unknown outcome, or lock again, whichever is next.

        Nothing while the shift panel is in front, nor for 0.7 s after it: a second Enter in it pays nothing.
        """
        if self.shift is not None or self.model.boot_time() - self._shift_opened_at < KEYS_IGNORED_AFTER_SHIFT:
            return
        match self.model.phase:
            case Phase.LOST:
                self.model.lock_again()
            case Phase.UNKNOWN:
                self.model.check_outcome()
            case _ if self.model.shows_code:
                self.model.look_at_code()
            case _:
                self.model.pay()

    def choose(self, place: int) -> None:
        """Alt+1 to Alt+4: another way to pay."""
        if self.shift is None and self.model.phase is Phase.OPEN:
            self.model.choose(METHODS[place - 1])
            self.pay_card.focus_place()

    def split(self) -> None:
        """Ctrl+B: what stands there is one part; the rest is paid another way."""
        if self.shift is None and self.model.phase is Phase.OPEN:
            before = len(self.model.tendering.parts)
            self.model.add_part()
            if len(self.model.tendering.parts) > before:
                self.pay_card.field.set_amount(None)
            self.pay_card.focus_place()

    def escape(self) -> bool:
        """Close the shift panel, else leave."""
        if self.shift is not None:
            self._close_shift()
            return True
        self.leave_wanted.emit()
        return True

    def retranslate(self) -> None:
        self._back.setText(self.tr("Tagihan"))
        self.pay_card.retranslate()
        self._shown_detail = None
        self.show_now()

    # --- showing ---

    def show_now(self) -> None:
        """Bring the page in line with the view model."""
        detail = self.model.detail
        if detail is not None and detail is not self._shown_detail:
            self._shown_detail = detail
            row = detail.row
            self._number.setText(row.number or row.booking_number)
            self._customer.setText(row.customer_name)
            self._unit.setText(row.unit_plate if row.unit_count == 1 else f"{row.unit_plate} +{row.unit_count - 1}")
            self._state.set_state(shown_state(row))
            self.cards.show_detail(detail)
        self.pay_card.show_now()
        self.cards.show_parts(self.model.tendering.parts, may_split=self.model.phase is Phase.OPEN)
        self._show_seconds()
        self._show_banner(self._wanted_banner())

    def _show_seconds(self) -> None:
        content = self._texts.chip()
        self.chip.setVisible(content is not None)
        if content is not None:
            self.chip.set_content(content)
        hint = self._texts.chip_hint()
        self._chip_hint.setText(hint)
        self._chip_hint.setVisible(bool(hint) and self.width() >= NARROW)
        detail = self.model.detail
        if detail is not None and detail.bookings and detail.bookings[0].payment_deadline is not None:
            left = (detail.bookings[0].payment_deadline - self.model.server_time()).total_seconds()
            self.cards.show_seconds(left)

    def _step(self) -> None:
        self._show_seconds()
        self.pay_card.show_seconds()

    def _wanted_banner(self) -> BannerContent | None:
        match self.model.phase:
            case Phase.LOST:
                view = BannerAction(text=self.tr("Lihat saja"), run=self._view_only)
                words = self.tr("Kunci lagi & catat") if self.model.tendering.charged else self.tr("Kunci lagi")
                again = BannerAction(text=words, run=self._lock_again, key="Enter", icon="lock")
                return BannerContent(
                    kind=BannerKind.ERROR,
                    title=self._texts.lost_title(),
                    text=self._texts.lost_text(times=self.width() >= NARROW),
                    icon="lock_open",
                    tall=True,
                    primary=True,
                    actions=(view, again),
                )
            case Phase.UNKNOWN:
                check = BannerAction(text=self.tr("Periksa sekarang"), run=self._check_outcome)
                return BannerContent(
                    kind=BannerKind.WARNING,
                    title=self._texts.unknown_title(),
                    text=self._texts.unknown_text(),
                    tall=True,
                    actions=(check,),
                )
            case _:
                return None

    def _show_banner(self, content: BannerContent | None) -> None:
        if content == self._banner:
            return
        self._banner = content
        if content is None:
            self._shell.hide_banner(BANNER)
        else:
            self._shell.show_banner(BANNER, content)

    # --- what happens ---

    def _tell_card(self, cards: tuple[Tender, ...]) -> None:
        self._shell.toast(partial(self._texts.unrecorded, cards), seconds=60)

    def _lock_again(self) -> None:
        self.model.lock_again()

    def _check_outcome(self) -> None:
        self.model.check_outcome()

    def _view_only(self) -> None:
        self.view_wanted.emit(self.model.invoice_id)

    def _opened(self) -> None:
        self.pay_card.field.set_amount(self.model.handed_over)
        self.show_now()
        self.focus_amount()
        if self.model.received is not None:
            self.pay_card.field.edit.selectAll()

    def _paid(self) -> None:
        self.pay_card.pay_button.setFocus()
        text = self.tr("Lunas. Kembalian {change}.").format(change=money(self.model.change, language()))
        if not self.model.change:
            text = self.tr("Lunas.")
        announce(self, text)

    def _unknown(self) -> None:
        announce(self, f"{self._texts.unknown_title()} {self._texts.unknown_text()}", assertive=True)

    def _entered(self) -> None:
        """Enter with a complete amount pays; in a lost lock it locks again."""
        if self.model.phase is Phase.OPEN:
            self.pay_card.go_on()
        else:
            self.pay()

    def _open_shift(self) -> None:
        """Cash needs an open shift: its panel stands in the place of the pay card, which keeps what was typed."""
        if self.shift is not None:
            return
        self.shift = self._make_shift()
        self._right.addWidget(self.shift)
        self._right.setCurrentWidget(self.shift)
        opened = getattr(getattr(self.shift, "model", None), "opened", None)
        if opened is not None:
            opened.connect(self._shift_opened)
        self.shift.activate()

    def _shift_opened(self) -> None:
        self._shift_opened_at = self.model.boot_time()
        self._close_shift()
        self.model.note_shift_opened()

    def _close_shift(self) -> None:
        shift, self.shift = self.shift, None
        if shift is not None:
            self._right.setCurrentWidget(self.pay_card)
            self._right.removeWidget(shift)
            shift.deleteLater()
            self.focus_amount()

    # --- Qt ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        """150 % on a small screen: narrower cards, fewer words, what cannot fit scrolls; Bayar stays in its place."""
        super().resizeEvent(event)
        narrow, low = self.width() < NARROW, self.height() < LOW
        self._left.setFixedWidth(NARROW_LEFT_WIDTH if narrow else LEFT_WIDTH)
        self._chip_hint.setVisible(not narrow and bool(self._chip_hint.text()))
        self._unit.setVisible(not narrow)
        self.pay_card.set_compact(low)
        self.cards.set_narrow(narrow)
        if self._banner is not None:
            self._show_banner(self._wanted_banner())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Any key or click keeps the lock; after paying the next deliberate key goes back to the list."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self.model.note_input()
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.model.note_input()
            if self.model.phase is Phase.PAID and isinstance(watched, QWidget) and self._dismisses(event):
                if not event.isAutoRepeat() and self.model.seconds_since_paid() >= KEYS_IGNORED_AFTER_PAYING:
                    self.leave_wanted.emit()
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits typed anywhere go to Diterima, `+` is exact, Enter is Bayar; not while the shift panel is in front."""
        text = event.text()
        if self.shift is not None:
            super().keyPressEvent(event)
        elif text == "+":
            self.pay_card.take_exact()
        elif text.isascii() and text.isdigit():
            self.pay_card.type_digit(text)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._entered()
        else:
            super().keyPressEvent(event)

    # --- inside ---

    @staticmethod
    def _dismisses(event: QKeyEvent) -> bool:
        """Plain keys; not those with Ctrl or Alt, nor the function keys other than F9 (it was just pressed)."""
        if event.key() in MODIFIERS:
            return False
        other = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        if event.modifiers() & other:
            return False
        return not Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F8

    def _lay_out(self) -> None:
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        toolbar = Surface("surface", bottom_line=True)
        toolbar.setFixedHeight(TOOLBAR)
        row = QHBoxLayout(toolbar)
        row.setContentsMargins(9, 0, 12, 1)
        row.setSpacing(8)
        self._back.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        row.addWidget(self._back)
        divider = Hairline(vertical=True, strong=True)
        divider.setFixedHeight(20)
        row.addWidget(divider)
        row.addSpacing(4)
        for widget in (self._number, self._customer, self._unit, self._state):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.chip)
        row.addWidget(self._chip_hint)
        page.addWidget(toolbar)
        body = Surface("app")
        columns = QHBoxLayout(body)
        columns.setContentsMargins(12, 12, 12, 12)
        columns.setSpacing(12)
        self._left, inside = scrolling_column(ground="app")
        self._left.setFixedWidth(LEFT_WIDTH)
        inside.addWidget(self.cards)
        columns.addWidget(self._left)
        columns.addWidget(self._right, 1)
        page.addWidget(body, 1)

    def _connect(self) -> None:
        self._back.clicked.connect(lambda *_: self.leave_wanted.emit())
        self.pay_card.pay_pressed.connect(self.pay)
        self.pay_card.check_pressed.connect(self._check_outcome)
        self.pay_card.leave_pressed.connect(self.leave_wanted)
        self.pay_card.reprint_pressed.connect(lambda: self.reprint_wanted.emit(self.model.invoice_id))
        self.model.changed.connect(self.show_now)
        self.model.ticked.connect(self._step)
        self.model.opened.connect(self._opened)
        self.model.paid.connect(lambda _receipt: self._paid())
        self.model.outcome_unknown.connect(self._unknown)
        self.model.shift_needed.connect(lambda _no: self._open_shift())
        self.model.card_unrecorded.connect(self._tell_card)
        self.cards.split_pressed.connect(self.split)
        self.cards.part_dropped.connect(self.model.drop_part)
