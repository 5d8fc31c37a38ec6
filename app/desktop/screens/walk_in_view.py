"""The walk-in drawer: customer, unit, days, price, hold; beside the calendar, never over the whole of it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screens.walk_in_foot import DrawerFoot
from app.desktop.screens.walk_in_form import Stage, WalkInForm
from app.desktop.screens.walk_in_held import Hold
from app.desktop.screens.walk_in_pages import DrawerPages
from app.desktop.screens.walk_in_primary import primary_step
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Label, StateChip, Tone
from app.domain.errors import Refusal

LOW = 480
"""Height under which the drawer is on a small screen."""
ROOMY = 760
"""Height from which the whole form has room with a place for its message beside it."""


class WalkInPanel(QWidget):
    """Shows a WalkInViewModel. Enter goes from field to field; the primary button acts when it has the focus.

    `close_wanted` on the cross and Esc; the draft stays. The focus stays in the drawer while its content changes: it
    goes on to the next thing to press. `asking` is the question whose draft is gone on with, `waitlist_wanted` a press
    on the waitlist's button, which is there where what was held has ended and nothing else is free.
    """

    close_wanted = Signal()
    waitlist_wanted = Signal()

    def __init__(self, model: WalkInViewModel, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self._action = action
        self._park: QAction | None = None
        self._pinned = False
        self._filling = self._none_free = False
        self._is_asking = self._is_listing = False
        self._parked: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        page = QVBoxLayout(self)
        page.setContentsMargins(2, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._make_head())
        self.pages = DrawerPages(model)
        self.form, self.hold_page = self.pages.form, self.pages.hold
        self.choice, self.parked, self.approval = self.pages.choice, self.pages.parked, self.pages.approval
        self.form.host_hits(self)
        page.addWidget(self.pages, 1)
        page.addWidget(self.form.message)
        self.foot = DrawerFoot(action)
        self.price, self.primary = self.foot.price, self.foot.primary
        self.park_button, self.release_button = self.foot.park_button, self.foot.release_button
        self.clear_button = self.form.clear_button
        page.addWidget(self.foot)
        self._connect()
        self.retranslate()
        self.show_model()

    # --- making -------------------------------------------------------------------------------------------------------

    def _make_head(self) -> QWidget:
        head = Surface("surface", bottom_line=True)
        head.setFixedHeight(theme().sizes.drawer_head)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 6, 1)
        row.setSpacing(8)
        self._title = Label("", TextRole.SECTION)
        self._chip = StateChip(ShownState.PENDING_PAYMENT)
        self._saved = Label("", TextRole.CAPTION, Tone.MUTED)
        self.close_button = Button(icon="close", flat=True)
        self.close_button.clicked.connect(self.close_wanted)
        row.addWidget(self._title)
        row.addWidget(self._chip)
        row.addStretch(1)
        row.addWidget(self._saved)
        row.addWidget(self.close_button)
        return head

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self.show_model)
        model.quote_changed.connect(self._show_price)
        model.held.connect(self._held)
        model.ticked.connect(self.hold_page.show_time)
        model.draft_saved.connect(self._show_saved)
        self.form.finished.connect(self.focus_primary)
        self.clear_button.clicked.connect(self._clear)
        self.release_button.clicked.connect(lambda: self.model.cancel_hold())
        self.foot.waitlist_button.clicked.connect(self.waitlist_wanted)
        self.parked.chosen.connect(self._take_up)
        self.parked.left.connect(self.escape)
        model.approval_wanted.connect(self._ask_manager)
        model.approved.connect(self._approved)
        self.approval.left.connect(self._leave_approval)

    def follow_park(self, park: QAction) -> None:
        """The key that puts the form aside; its button is drawn here."""
        self._park = park
        self.park_button.follow(park)
        self.show_model()

    # --- what the screen calls ----------------------------------------------------------------------------------------

    def set_pinned(self, pinned: bool) -> None:
        """Pinned beside the grid (wide windows) or laid over its right part."""
        self._pinned = pinned
        self.close_button.setVisible(True)
        self.update()

    def suggest_unit(self, text: str, free: frozenset[str] | None) -> None:
        """What "automatic" would take now, and which units are free for the days (None: not known here)."""
        self._none_free = free is not None and not free
        self.form.suggest_unit(text, free)
        self.foot.waitlist_button.setVisible(self._may_wait())

    def start_typing(self) -> None:
        """Focus where typing goes on: the first empty field, or the next money step."""
        if self.model.wanted_approval is not None:
            self.approval.take_focus()
        elif self._is_listing:
            self.parked.take_focus()
        elif self._is_asking:
            self.choice.take_focus()
        elif self.model.stage is Stage.FORM:
            self.form.start_typing()
        else:
            self.focus_primary()

    def focus_customer(self) -> None:
        if self.model.stage is Stage.FORM:
            self.form.focus_customer()

    def focus_unit(self) -> None:
        """Ctrl+U: choose another unit."""
        if self.model.stage is Stage.FORM:
            self.form.focus_unit()

    def focus_discount(self) -> None:
        """Ctrl+D."""
        if self.model.stage is Stage.FORM and not self._is_asking:
            self.form.focus_discount()

    def focus_primary(self) -> None:
        """The next thing to press; while nothing can be pressed the drawer keeps the focus, and gives it on."""
        for button in (self.primary, self.release_button):
            if button.isEnabled() and not button.isHidden():
                button.setFocus(Qt.FocusReason.TabFocusReason)
                return
        self._parked = self.primary
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self, form: WalkInForm) -> None:
        """Ask whether to go on with this draft."""
        self._is_asking, self._is_listing = True, False
        self.choice.ask(form)
        self.show_model()

    def list_parked(self) -> None:
        """Shift+F4: the drafts that wait; nothing that stands in the form changes."""
        self._is_asking = self._is_listing = True
        self.parked.show_forms(self.model.kept_forms(), self.model.fleet)
        self.show_model()
        self.start_typing()

    def is_asking(self) -> bool:
        return self._is_asking

    def end_question(self) -> None:
        self._is_asking = self._is_listing = False
        self.show_model()

    def escape(self) -> bool:
        """Close one level inside the drawer; False when the drawer itself is to be closed."""
        if self.model.wanted_approval is not None:
            self._leave_approval()
            return True
        if self._is_listing:
            self.end_question()
            self.start_typing()
            return True
        return not self._is_asking and self.form.escape()

    # --- showing ------------------------------------------------------------------------------------------------------

    def show_model(self) -> None:
        """Bring every widget up to date; a field the person is typing in is left alone."""
        model = self.model
        if self._filling:
            return
        self._filling = True
        try:
            is_form = model.stage is Stage.FORM
            asked = self._question()
            shown = asked if self._is_asking else self.form if is_form else self.hold_page
            self._park_focus(shown)
            self.pages.show_page(shown)
            if shown is not self.form:
                self.form.hits.hide()
            self._fit_foot()
            self._show_head()
            self._show_buttons()
            if is_form:
                self.form.show_form()
            else:
                self.hold_page.show_hold()
            self._show_price()
        finally:
            self._filling = False
        self._return_focus()

    def _question(self) -> QWidget:
        """The page of what is being asked."""
        if self.model.wanted_approval is not None:
            self._is_asking = True
            return self.approval
        return self.parked if self._is_listing else self.choice

    def _park_focus(self, page: QWidget) -> None:
        """Hold the focus while what has it goes away or is disabled; else Qt gives it to whatever comes next."""
        focus = self.window().focusWidget()
        if focus is None or not self.isAncestorOf(focus) or self._parked is not None:
            return
        goes = self.pages.isAncestorOf(focus) and page is not self.pages.page()
        if goes or focus in (self.primary, self.release_button, self.clear_button, self.park_button):
            self._parked = focus
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _return_focus(self) -> None:
        """Give the held focus back, or on to the next thing to press."""
        before = self._parked
        if before is None or self.model.is_busy("book", "cancel_hold"):
            return
        self._parked = None
        if not self.hasFocus():
            return
        if before.isEnabled() and before.isVisible() and before is not self.release_button:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.start_typing()

    def _fit_foot(self) -> None:
        """Price, buttons and the form's message where the shown page needs them."""
        shown = self.pages.page()
        self.foot.show_for(is_asking=self._is_asking, is_priced=shown is self.approval)
        self.form.message.set_place(kept=self.height() >= ROOMY, has_form=shown is self.form)

    def _may_wait(self) -> bool:
        """What was held has ended, and as far as the grid knows nothing of its item is free."""
        return self.model.stage is Stage.EXPIRED and self._none_free

    def _show_head(self) -> None:
        model, hold = self.model, self.model.hold
        self._chip.setVisible(hold is not None)
        if hold is None:
            self._title.setText(self.tr("Booking baru"))
        else:
            self._title.setText(hold.number)
            ended = ShownState.CANCELLED if model.was_let_go else ShownState.EXPIRED
            states = {Stage.EXPIRED: ended, Stage.PAID: ShownState.PAID_APPROVED}
            self._chip.set_state(states.get(model.stage, ShownState.PENDING_PAYMENT))
        self._show_saved()

    def _show_saved(self) -> None:
        model = self.model
        saved = model.saved_at
        if saved is None or model.stage is not Stage.FORM or model.form.is_empty:
            self._saved.setText("")
            return
        at = clock(saved, model.who.branch.zone, language(), seconds=True)
        self._saved.setText(self.tr("Draf tersimpan {0}").format(at))

    def _show_buttons(self) -> None:
        model = self.model
        busy = model.is_busy("book", "cancel_hold")
        self.park_button.setVisible(model.stage is Stage.FORM and not self._is_asking)
        if self._park is not None:
            self._park.setEnabled(model.stage is Stage.FORM and not model.form.is_empty and not busy)
        self.release_button.setVisible(model.stage in (Stage.HELD, Stage.CHECKING))
        self.release_button.setEnabled(not busy and model.is_online)
        self.foot.waitlist_button.setVisible(self._may_wait())
        text, reason = primary_step(model, is_asking=self._is_asking, is_listing=self._is_listing)
        self.primary.setText(text)
        # The sign & in the label would make a key of its own (Alt+Space).
        self.primary.setShortcut(QKeySequence())
        self.primary.set_reason(reason)
        self._action.setEnabled(not busy and not reason)
        self.primary.setEnabled(not busy and not reason)
        if reason and model.stage is not Stage.FORM:
            self._saved.setText("")

    def _show_price(self) -> None:
        hold = self.model.hold
        if hold is not None:
            self.price.show_quote(hold.quote, hold.total)
        else:
            quote, zone = self.model.quote, self.model.who.branch.zone
            until = quote.valid_until if quote is not None else None
            self.price.show_quote(quote, until=clock(until, zone, language()) if until is not None else "")

    def _clear(self) -> None:
        self.form.quiet()
        self.model.clear()
        self.form.start_typing()

    def _ask_manager(self, refusal: object) -> None:
        if isinstance(refusal, Refusal):
            self.approval.begin(refusal)
            self.show_model()
            self.start_typing()

    def _leave_approval(self) -> None:
        """Back to the form as it was, with nothing held: to the discount, or to the customer."""
        wanted = self.model.wanted_approval
        self._is_asking = False
        self.model.give_up_approval()
        self.show_model()
        if wanted is not None and wanted.params.get("action") == "discount":
            self.form.focus_discount()
        else:
            self.form.focus_customer()

    def _approved(self, name: str) -> None:
        """The word is there: the order goes out once more."""
        self._is_asking = False
        self.show_model()
        announce(self, self.tr("Disetujui oleh {0}").format(name))
        self.model.book()

    def _take_up(self, order_id: str) -> None:
        self.end_question()
        self.form.quiet()
        self.model.take_up(order_id)
        self.form.start_typing()

    def _held(self, hold: object) -> None:
        if isinstance(hold, Hold):
            self.form.quiet()
            self.form.hits.hide()
            self.hold_page.begin()
            self.focus_primary()
            announce(self, self.tr("{0} ditahan 15 menit").format(hold.number))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.foot.set_low(self.height() < LOW)
        self._fit_foot()
        self.form.place_hits()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """F6 comes here: go on to where something can be done."""
        super().focusInEvent(event)
        if event.reason() is Qt.FocusReason.ShortcutFocusReason:
            self.start_typing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.escape():
                self.close_wanted.emit()
            return
        if event.key() == Qt.Key.Key_W and self._may_wait():
            self.waitlist_wanted.emit()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.show_model()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), look.surface)
            painter.fillRect(0, 0, 1 if self._pinned else 2, self.height(), look.control)
        finally:
            painter.end()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Booking baru"))
        self.close_button.set_hint(self.tr("Tutup (Esc), draf tetap ada"))
        self.park_button.setText(self.tr("Parkir"))
        self.park_button.set_hint(self.tr("Simpan dulu, layani pelanggan berikutnya. Shift+F4: daftarnya"))
        self.release_button.setText(self.tr("Batalkan tahan"))
        self.foot.waitlist_button.setText(self.tr("Antrean"))
        self.foot.waitlist_button.set_hint(self.tr("Semua unit terpakai di tanggal ini. Kami hubungi bila ada unit."))
