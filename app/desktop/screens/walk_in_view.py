"""The walk-in drawer: customer, unit, days, price, hold; beside the calendar, never over the whole of it."""

import datetime as dt

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screens.walk_in_customer import CustomerHits, PersonLine
from app.desktop.screens.walk_in_fields import CompactDateField, CustomerField, SectionLabel
from app.desktop.screens.walk_in_form import FormField, Stage
from app.desktop.screens.walk_in_hold import HoldPage
from app.desktop.screens.walk_in_price import PriceLines
from app.desktop.screens.walk_in_texts import digit_count, problem_sentence, return_note
from app.desktop.screens.walk_in_viewmodel import Hold, WalkInViewModel
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme
from app.desktop.typed import typed_days
from app.desktop.viewmodel import Failure
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, StateChip, Tone
from app.desktop.widgets.pick_field import Pick, PickField
from app.domain.errors import Refusal, RefusalCode

ANY_UNIT = "any"
_PERSON_AREA = 122


class WalkInPanel(QWidget):
    """Shows a WalkInViewModel. Enter goes from field to field; the primary button acts when it has the focus.

    `close_wanted` on the cross and Esc; the draft stays. `suggest_unit` names the unit an automatic choice would take.
    """

    close_wanted = Signal()
    unit_list_wanted = Signal()

    def __init__(self, model: WalkInViewModel, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self._action = action
        self._pinned = False
        self._automatic = ""
        self._filling = False
        self._free: frozenset[str] | None = None
        page = QVBoxLayout(self)
        page.setContentsMargins(2, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._make_head())
        self._stack = QStackedWidget()
        self._form_page = self._make_form()
        self.hold_page = HoldPage(model)
        self._stack.addWidget(self._form_page)
        self._stack.addWidget(self.hold_page)
        page.addWidget(self._stack, 1)
        page.addWidget(self._make_foot())
        self.hits = CustomerHits(self._form_page)
        self.hits.picked.connect(self._picked)
        self.hits.new_wanted.connect(self._new_customer)
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

    def _make_form(self) -> QWidget:
        page = Surface("surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(13, 8, 13, 4)
        column.setSpacing(1)
        self._customer_label = SectionLabel("1", "F3")
        self.customer = CustomerField("")
        self._person_area = QWidget()
        self._person_area.setFixedHeight(_PERSON_AREA)
        area = QVBoxLayout(self._person_area)
        area.setContentsMargins(0, 2, 0, 0)
        area.setSpacing(1)
        self.person = PersonLine()
        self._name_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.new_name = Field("")
        self.new_name.edit.setMaxLength(80)
        self._hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._hint.setWordWrap(True)
        for label in (self._name_label, self._hint):
            label.setContentsMargins(3, 0, 3, 0)
        self.person.setContentsMargins(3, 0, 3, 0)
        for widget in (self.person, self._name_label, self.new_name, self._hint):
            area.addWidget(widget)
        area.addStretch(1)
        column.addWidget(self._customer_label)
        column.addWidget(self.customer)
        column.addWidget(self._person_area)
        labels = QHBoxLayout()
        labels.setSpacing(2)
        self._sku_label = SectionLabel("2", "")
        self._unit_label = SectionLabel("", "Ctrl+U")
        labels.addWidget(self._sku_label, 41)
        labels.addWidget(self._unit_label, 59)
        column.addLayout(labels)
        items = QHBoxLayout()
        items.setSpacing(2)
        self.sku = PickField("")
        self.unit = PickField("")
        items.addWidget(self.sku, 41)
        items.addWidget(self.unit, 59)
        column.addLayout(items)
        column.addSpacing(9)
        self._days_label = SectionLabel("3", "")
        column.addWidget(self._days_label)
        dates = QHBoxLayout()
        dates.setSpacing(1)
        self.first = CompactDateField("", self._today)
        self.last = CompactDateField("", self._today)
        self.days = Field("", align_right=True)
        dates.addWidget(self.first, 40)
        dates.addWidget(Label("–", TextRole.BASE, Tone.MUTED))
        dates.addWidget(self.last, 36)
        dates.addWidget(self.days, 30)
        column.addLayout(dates)
        self._echo = Label("", TextRole.CAPTION, Tone.MUTED)
        self._echo.setContentsMargins(3, 1, 3, 0)
        column.addWidget(self._echo)
        column.addStretch(1)
        self.message = Label("", TextRole.SECONDARY, Tone.ERROR)
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.message.setContentsMargins(3, 0, 3, 0)
        self.message.setFixedHeight(34)
        column.addWidget(self.message)
        return page

    def _make_foot(self) -> QWidget:
        foot = Surface("sunken", top_line=True)
        column = QVBoxLayout(foot)
        column.setContentsMargins(16, 10, 13, 9)
        column.setSpacing(6)
        self.price = PriceLines()
        self.price.setContentsMargins(0, 0, 3, 0)
        column.addWidget(self.price)
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.setContentsMargins(0, 0, 0, 0)
        self.clear_button = Button("", icon="trash", size=ButtonSize.PRIMARY)
        self.clear_button.clicked.connect(self._clear)
        self.release_button = Button("", size=ButtonSize.PRIMARY)
        self.release_button.clicked.connect(self.model.cancel_hold)
        self.primary = Button("", primary=True, size=ButtonSize.PRIMARY)
        self.primary.follow(self._action)
        buttons.addWidget(self.clear_button)
        buttons.addWidget(self.release_button)
        buttons.addWidget(self.primary, 1)
        column.addLayout(buttons)
        return foot

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self.show_model)
        model.hits_changed.connect(self._show_hits)
        model.quote_changed.connect(self._show_price)
        model.refused.connect(self._show_refusal)
        model.failed.connect(self._show_failure)
        model.invalid.connect(self._show_problems)
        model.held.connect(self._held)
        model.ticked.connect(self.hold_page.show_time)
        model.draft_saved.connect(self._show_saved)
        self.customer.typed.connect(self._customer_typed)
        self.customer.stepped.connect(self.hits.step)
        self.customer.entered.connect(self._customer_entered)
        self.new_name.typed.connect(model.type_new_name)
        self.new_name.edit.returnPressed.connect(self._name_entered)
        self.sku.picked.connect(model.set_sku)
        self.sku.entered.connect(lambda: self._focus(self.unit))
        self.unit.picked.connect(lambda key: model.set_unit(None if key == ANY_UNIT else key))
        self.unit.entered.connect(lambda: self._focus(self.days))
        self.first.day_changed.connect(self._first_changed)
        self.last.day_changed.connect(self._last_changed)
        self.days.typed.connect(self._days_typed)
        self.first.edit.returnPressed.connect(lambda: self._focus(self.last))
        self.last.edit.returnPressed.connect(lambda: self._focus(self.days))
        self.days.edit.returnPressed.connect(lambda: self.primary.setFocus(Qt.FocusReason.TabFocusReason))

    # --- what the screen calls ----------------------------------------------------------------------------------------

    def set_pinned(self, pinned: bool) -> None:
        """Pinned beside the grid (wide windows) or laid over its right part."""
        self._pinned = pinned
        self.close_button.setVisible(True)
        self.update()

    def suggest_unit(self, text: str, free: frozenset[str] | None) -> None:
        """What "automatic" would take now, and which units are free for the days (None: not known here)."""
        if (text, free) != (self._automatic, self._free):
            self._automatic, self._free = text, free
            self._show_units()

    def start_typing(self) -> None:
        """Focus where typing goes on: the first field that is still empty."""
        form = self.model.form
        if self.model.stage is not Stage.FORM:
            self.primary.setFocus()
        elif form.customer_id is None and not form.is_new:
            self._focus(self.customer)
        elif not form.sku:
            self._focus(self.sku)
        else:
            self._focus(self.days)

    def focus_customer(self) -> None:
        if self.model.stage is Stage.FORM:
            self._focus(self.customer)

    def focus_unit(self) -> None:
        """Ctrl+U: choose another unit."""
        if self.model.stage is Stage.FORM:
            self._focus(self.unit)
            self.unit.open_menu()

    def focus_primary(self) -> None:
        self.primary.setFocus(Qt.FocusReason.TabFocusReason)

    def escape(self) -> bool:
        """Close the suggestions first; False when the drawer itself is to be closed."""
        if self.hits.isVisible():
            self.hits.hide()
            return True
        if self.model.form.is_new and self.new_name.edit.hasFocus():
            self.model.give_up_new()
            self._focus(self.customer)
            return True
        return False

    # --- showing ------------------------------------------------------------------------------------------------------

    def show_model(self) -> None:
        """Bring every widget up to date; a field the person is typing in is left alone."""
        model = self.model
        if self._filling:
            return
        self._filling = True
        try:
            is_form = model.stage is Stage.FORM
            self._stack.setCurrentWidget(self._form_page if is_form else self.hold_page)
            self._show_head()
            self._show_buttons()
            if is_form:
                self._show_form()
            else:
                self.hold_page.show_hold()
            self._show_price()
        finally:
            self._filling = False

    def _show_head(self) -> None:
        model, hold = self.model, self.model.hold
        self._chip.setVisible(hold is not None)
        if hold is None:
            self._title.setText(self.tr("Booking baru"))
        else:
            self._title.setText(hold.number)
            states = {Stage.EXPIRED: ShownState.EXPIRED, Stage.PAID: ShownState.PAID_APPROVED}
            self._chip.set_state(states.get(model.stage, ShownState.PENDING_PAYMENT))
        self._show_saved()

    def _show_saved(self) -> None:
        model = self.model
        saved = model.saved_at
        if saved is None or model.stage is not Stage.FORM:
            self._saved.setText("")
            return
        at = clock(saved, model.who.branch.zone, language(), seconds=True)
        self._saved.setText(self.tr("Draf tersimpan {0}").format(at))

    def _show_buttons(self) -> None:
        model = self.model
        busy = model.is_busy("book", "cancel_hold")
        self.clear_button.setVisible(model.stage is Stage.FORM)
        self.release_button.setVisible(model.stage in (Stage.HELD, Stage.CHECKING))
        self.release_button.setEnabled(not busy and model.is_online)
        reason = ""
        match model.stage:
            case Stage.FORM:
                text = self.tr("Menahan…") if busy else self.tr("Tahan 15 mnt & tagih")
                if not model.is_online:
                    reason = self.tr("Belum bisa menahan unit: koneksi terputus. Draf disimpan.")
            case Stage.HELD | Stage.CHECKING:
                text = self.tr("Bayar")
                if not model.may_pay:
                    reason = self.tr("Menerima pembayaran perlu peran Kasir.")
                elif not model.is_online:
                    reason = self.tr("Belum bisa membayar: koneksi terputus.")
            case Stage.EXPIRED:
                text = self.tr("Tahan lagi 15 mnt")
                if not model.is_online:
                    reason = self.tr("Belum bisa menahan unit: koneksi terputus. Draf disimpan.")
            case Stage.PAID:
                text = self.tr("Booking berikutnya")
        self.primary.setText(text)
        # The sign & in the label would make a key of its own (Alt+Space).
        self.primary.setShortcut(QKeySequence())
        self.primary.set_reason(reason)
        self._action.setEnabled(not busy and not reason)
        self.primary.setEnabled(not busy and not reason)
        if reason and model.stage is not Stage.FORM:
            self._saved.setText("")

    def _show_form(self) -> None:
        form = self.model.form
        if not self.customer.edit.hasFocus() or self.customer.text() != form.customer_text:
            self.customer.set_text(form.customer_text)
        self.customer.set_suffix("" if form.customer_id else digit_count(form.customer_text))
        picked = form.customer_id is not None
        self.person.setVisible(picked)
        self.person.show_person(form.customer_name, form.customer_phone, form.customer_rentals)
        self._name_label.setVisible(form.is_new)
        self.new_name.setVisible(form.is_new)
        if not self.new_name.edit.hasFocus():
            self.new_name.set_text(form.new_name)
        self._hint.setVisible(not picked and not form.is_new)
        if picked or form.is_new:
            self.hits.hide()
        self._show_skus()
        self._show_units()
        if not self.first.edit.hasFocus() or self.first.day() != form.first_day:
            self.first.set_day(form.first_day)
        if not self.last.edit.hasFocus() or self.last.day() != form.last_day:
            self.last.set_day(form.last_day)
        if not self.days.edit.hasFocus():
            self.days.set_text("" if form.days is None else str(form.days))
        self._echo.setText(return_note(self.model.who.branch, form.last_day))
        if not self.model.is_online:
            self._say(self.tr("Belum bisa menahan unit: koneksi terputus. Draf disimpan."), Tone.WARNING)

    def _show_skus(self) -> None:
        seen: dict[str, Pick] = {}
        for unit in self.model.fleet:
            seen.setdefault(unit.sku.code, Pick(key=unit.sku.code, text=unit.sku.name, also=unit.sku.code))
        picks = tuple(seen.values())
        if picks != self.sku.picks():
            self.sku.set_picks(picks)
        if self.sku.current() != self.model.form.sku:
            self.sku.choose(self.model.form.sku)

    def _show_units(self) -> None:
        form = self.model.form
        word = self.tr("otomatis")
        lead, text = (word, self._automatic) if self._automatic else ("", word)
        picks = [Pick(key=ANY_UNIT, text=text, lead=lead, also=word)]
        for unit in self.model.fleet:
            if unit.sku.code == form.sku:
                busy = self._free is not None and unit.unit.id not in self._free
                hint = self.tr("terpakai") if busy else unit.unit.colour
                picks.append(Pick(key=unit.unit.id, text=unit.unit.plate, also=unit.unit.id, hint=hint))
        if tuple(picks) != self.unit.picks():
            self.unit.set_picks(picks)
        wanted = form.unit_id or ANY_UNIT
        if self.unit.current() != wanted:
            self.unit.choose(wanted)

    def _show_price(self) -> None:
        hold = self.model.hold
        if hold is not None:
            self.price.show_quote(hold.quote, hold.total)
        else:
            self.price.show_quote(self.model.quote)

    def _show_hits(self) -> None:
        model = self.model
        text = model.form.customer_text
        if not model.hits and not model.hits_for:
            self.hits.hide()
            return
        self.hits.show_hits(model.hits, text)
        self._place_hits()
        self.hits.show()
        self.hits.raise_()

    def _place_hits(self) -> None:
        below = self.customer.geometry()
        self.hits.setGeometry(below.left() + 3, below.bottom() + 1, below.width() - 6, self.hits.sizeHint().height())

    def _show_refusal(self, refusal: Refusal) -> None:
        if refusal.code is RefusalCode.DAYS_TAKEN:
            return
        if refusal.code is RefusalCode.UNREACHABLE:
            if self.model.is_busy("search", "price") or not self.model.form.was_sent:
                self._say(self.tr("Harga belum bisa dihitung. Yang Anda isi tersimpan sebagai draf."), Tone.WARNING)
            else:
                self._say(self.tr("Belum tahu apakah unit tertahan. Tekan F9 lagi: tidak akan dobel."), Tone.WARNING)
            return
        self._say(refusal_sentence(refusal, self.model.who.branch.zone).whole)
        self._mark(_field_of(refusal))

    def _show_failure(self, failure: Failure) -> None:
        self._say(failure_sentence(failure).whole)

    def _show_problems(self, problems: object) -> None:
        if not isinstance(problems, tuple) or not problems:
            return
        self._say(" ".join(dict.fromkeys(problem_sentence(problem) for _, problem in problems)))
        for name, _ in problems:
            widget = self._widget_of(name)
            if widget is not None:
                widget.set_wrong(True)
        self._mark(problems[0][0])

    def _mark(self, name: FormField | None) -> None:
        widget = self._widget_of(name) if name is not None else None
        if widget is not None:
            widget.set_wrong(True)
            self._focus(widget)

    def _widget_of(self, name: FormField) -> Field | None:
        return {
            FormField.CUSTOMER: self.customer,
            FormField.NAME: self.new_name,
            FormField.SKU: self.sku,
            FormField.UNIT: self.unit,
            FormField.FIRST_DAY: self.first,
            FormField.LAST_DAY: self.last,
            FormField.DAYS: self.days,
        }.get(name)

    def _say(self, text: str, tone: Tone = Tone.ERROR) -> None:
        if text != self.message.text():
            self.message.set_tone(tone)
            self.message.setText(text)
            if text and self.isVisible():
                announce(self, text, assertive=tone is Tone.ERROR)

    def _quiet(self) -> None:
        """The person goes on typing: the last message has been read."""
        self.message.setText("")
        for field in (self.customer, self.new_name, self.sku, self.unit, self.first, self.last, self.days):
            field.set_wrong(False)

    # --- what the person does -----------------------------------------------------------------------------------------

    def _customer_typed(self, text: str) -> None:
        self._quiet()
        self.model.type_customer(text)

    def _customer_entered(self) -> None:
        if self.hits.isVisible():
            self.hits.take()
        elif self.model.form.customer_id is not None:
            self._focus(self.sku)
        elif self.model.form.is_new:
            self._focus(self.new_name)
        elif self.customer.text().strip():
            self.model.ask_new()
            self._focus(self.new_name)

    def _picked(self, hit: object) -> None:
        self.hits.hide()
        if hasattr(hit, "customer"):
            self.model.pick(hit)  # type: ignore[arg-type]
        self._focus(self.sku)

    def _new_customer(self) -> None:
        self.hits.hide()
        self.model.ask_new()
        self._focus(self.new_name if self.model.form.customer_text else self.customer)

    def _name_entered(self) -> None:
        self._focus(self.customer if not self.model.form.customer_text.strip() else self.sku)

    def _first_changed(self, day: object) -> None:
        if not self._filling and (day is None or isinstance(day, dt.date)):
            self._quiet()
            self.model.set_first(day)

    def _last_changed(self, day: object) -> None:
        if not self._filling and (day is None or isinstance(day, dt.date)):
            self._quiet()
            self.model.set_last(day)

    def _days_typed(self, text: str) -> None:
        self._quiet()
        count = typed_days(text)
        self.days.set_wrong(count is None and bool(text.strip()))
        if count is not None:
            self.model.set_days(count)

    def _clear(self) -> None:
        self._quiet()
        self.model.clear()
        self._focus(self.customer)

    def _held(self, hold: object) -> None:
        if isinstance(hold, Hold):
            self._quiet()
            self.hits.hide()
            self.hold_page.begin()
            self.primary.setFocus(Qt.FocusReason.TabFocusReason)
            announce(self, self.tr("{0} ditahan 15 menit").format(hold.number))

    def _focus(self, field: Field) -> None:
        field.edit.setFocus(Qt.FocusReason.TabFocusReason)
        field.edit.selectAll()

    def _today(self) -> dt.date:
        return self.model.today() if self.model.clock.is_set() else dt.date.min

    # --- Qt -----------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.escape():
                self.close_wanted.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_hits()

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
        self._customer_label.set_text(self.tr("Pelanggan"))
        self.customer.set_name(self.tr("Pelanggan"))
        self.customer.set_placeholder(self.tr("Telepon atau nama"))
        self._hint.setText(self.tr("Mulai dari 4 angka telepon atau 2 huruf nama."))
        self._name_label.setText(self.tr("Nama pelanggan baru"))
        self.new_name.set_name(self.tr("Nama pelanggan baru"))
        self.new_name.set_placeholder(self.tr("Sesuai KTP"))
        self._sku_label.set_text(self.tr("Barang"))
        self.sku.set_name(self.tr("Barang"))
        self._unit_label.set_text(self.tr("Unit"))
        self.unit.set_name(self.tr("Unit"))
        self._days_label.set_text(self.tr("Tanggal"))
        self.first.set_name(self.tr("Tanggal ambil"))
        self.last.set_name(self.tr("Tanggal kembali"))
        self.days.set_name(self.tr("Lama sewa"))
        self.days.set_suffix(self.tr("hari"))
        self.clear_button.set_hint(self.tr("Kosongkan: buang isian dan mulai baru"))
        self.release_button.setText(self.tr("Batalkan tahan"))


def _field_of(refusal: Refusal) -> FormField | None:
    """Which widget a refusal speaks of."""
    name = refusal.field or ""
    for part, field in (
        ("customer.name", FormField.NAME),
        ("customer", FormField.CUSTOMER),
        ("sku", FormField.SKU),
        ("unit_id", FormField.UNIT),
        ("first_day", FormField.FIRST_DAY),
        ("last_day", FormField.LAST_DAY),
    ):
        if part in name:
            return field
    return None
