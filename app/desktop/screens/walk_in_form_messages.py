"""What the walk-in form says: which field is wrong and why, what a refusal means, what became of an order."""

import datetime as dt

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.screens.walk_in_form import FormField, Stage
from app.desktop.screens.walk_in_form_page import FormFields
from app.desktop.screens.walk_in_people_viewmodel import nik_of
from app.desktop.screens.walk_in_sent import FoundOrder
from app.desktop.screens.walk_in_texts import found_sentence, problem_sentence
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.viewmodel import Failure
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Tone
from app.domain.errors import Refusal, RefusalCode


class FormMessages(FormFields):
    """One message area for all; a wrong field is marked and gets the focus. `focused` with a field that gets it."""

    focused = Signal(object)

    def __init__(self, model: WalkInViewModel, parent: QWidget | None = None) -> None:
        super().__init__(
            lambda: model.today() if model.clock.is_set() else dt.date.min,
            has_papers=model.offers.save_customer is not None,
            has_terms=model.offers.has_terms,
            has_hours=model.who.branch.counts_hours,
            parent=parent,
        )
        self.model = model
        self._until_left: Refusal | None = None
        model.refused.connect(self._show_refusal)
        model.part_refused.connect(self._show_part)
        model.failed.connect(self._show_failure)
        model.invalid.connect(self._show_problems)
        model.found_sent.connect(self._show_found)
        model.sent_asked.connect(self._show_asked)

    def quiet(self) -> None:
        """The person goes on typing: the last message has been read."""
        self.message.setText("")
        self._until_left = None
        for field in self._fields():
            field.set_wrong(False)

    def _fields(self) -> tuple[Field, ...]:
        return (
            self.customer,
            *self.new_person.fields(),
            self.sku,
            self.unit,
            self.first,
            self.last,
            self.days,
            *(self.hours.fields() if self.model.who.branch.counts_hours else ()),
            *(self.terms.fields() if self.model.offers.has_terms else ()),
        )

    def focus(self, field: Field) -> None:
        field.edit.setFocus(Qt.FocusReason.TabFocusReason)
        self.focused.emit(field)
        # From the end to the beginning: a text wider than the box shows its beginning.
        field.edit.end(False)
        field.edit.home(True)

    def _show_refusal(self, refusal: Refusal) -> None:
        if refusal.code is RefusalCode.DAYS_TAKEN or self.model.stage is not Stage.FORM:
            return
        if refusal.code is RefusalCode.UNREACHABLE:
            form = self.model.form
            if not form.is_new and form.customer_id is None and nik_of(form.customer_text):
                self._say(self.tr("NIK belum bisa dicari. Cari dengan telepon atau nama, atau coba lagi nanti."))
            elif refusal.params.get("reason") == "identity_key":
                self._say(self.tr("NIK belum bisa disegel, layanan belum jalan. Kosongkan NIK atau coba lagi nanti."))
                self._mark(FormField.NIK)
            elif self.model.is_busy("search", "price") or not self.model.form.was_sent:
                self._say(self.tr("Harga belum bisa dihitung. Yang Anda isi tersimpan sebagai draf."), Tone.WARNING)
            else:
                self._say(self.tr("Belum tahu apakah unit tertahan. Tekan F9 lagi: tidak akan dobel."), Tone.WARNING)
            return
        if refusal.code is RefusalCode.DUPLICATE and refusal.field == "order_id":
            text = self.tr("Kiriman ini milik booking lain, isian belum ditahan. Periksa kalender, lalu F9 lagi.")
            self._say(text)
            return
        self._say(refusal_sentence(refusal, self.model.who.branch.zone).whole)
        self._mark(_field_of(refusal))

    def _show_part(self, refusal: Refusal) -> None:
        """No price with this down payment; half a number is no wrong number, so it waits until the field is left."""
        self._until_left = refusal
        if not self.terms.down.edit.hasFocus():
            self._tell_part()

    def _tell_part(self) -> None:
        refusal, self._until_left = self._until_left, None
        if refusal is not None:
            self.terms.down.set_wrong(True)
            self._say(refusal_sentence(refusal, self.model.who.branch.zone).whole)

    def _show_found(self, found: object) -> None:
        """The order before this one was booked after all; what stands here was not."""
        if isinstance(found, FoundOrder) and found.is_draft_kept:
            text = self.tr("{0} Isian ini belum dikirim: F9 menahannya sebagai booking baru.")
            self._say(text.format(found_sentence(found)), Tone.WARNING)

    def _show_asked(self) -> None:
        self._say(self.tr("Memeriksa dulu kiriman sebelumnya; isian ini ditahan sesudahnya."), Tone.WARNING)

    def _show_failure(self, failure: Failure) -> None:
        self._say(failure_sentence(failure).whole)

    def _show_problems(self, problems: object) -> None:
        if not isinstance(problems, tuple) or not problems:
            return
        self._say(
            " ".join(
                dict.fromkeys(
                    problem_sentence(problem, self.model.form, self.model.least_deposit) for _, problem in problems
                )
            )
        )
        for name, _ in problems:
            widget = self._widget_of(name)
            if widget is not None:
                widget.set_wrong(True)
        self._mark(problems[0][0])

    def _mark(self, name: FormField | None) -> None:
        widget = self._widget_of(name) if name is not None else None
        if widget is not None:
            widget.set_wrong(True)
            self.focus(widget)

    def _widget_of(self, name: FormField) -> Field | None:
        return {
            FormField.CUSTOMER: self.customer,
            FormField.NAME: self.new_name,
            FormField.NIK: self.new_person.nik,
            FormField.LICENCE: self.new_person.licence,
            FormField.DISCOUNT: self.terms.discount,
            FormField.DEPOSIT: self.terms.deposit,
            FormField.DOWN: self.terms.down,
            FormField.SKU: self.sku,
            FormField.UNIT: self.unit,
            FormField.FIRST_DAY: self.first,
            FormField.LAST_DAY: self.last,
            FormField.DAYS: self.days,
            FormField.PICKUP: self.hours.pickup,
            FormField.DUE: self.hours.due,
        }.get(name)

    def _say(self, text: str, tone: Tone = Tone.ERROR) -> None:
        if text != self.message.text():
            self.message.set_tone(tone)
            self.message.setText(text)
            if text and self.isVisible():
                announce(self, text, assertive=tone is Tone.ERROR)


def _field_of(refusal: Refusal) -> FormField | None:
    """Which widget a refusal speaks of."""
    name = refusal.field or ""
    for part, field in (
        ("customer.name", FormField.NAME),
        ("nik", FormField.NIK),
        ("licence", FormField.LICENCE),
        ("name", FormField.NAME),
        ("phone", FormField.CUSTOMER),
        ("customer", FormField.CUSTOMER),
        ("sku", FormField.SKU),
        ("unit_id", FormField.UNIT),
        ("discount", FormField.DISCOUNT),
        ("deposit", FormField.DEPOSIT),
        ("down_payment", FormField.DOWN),
        ("pickup_time", FormField.PICKUP),
        ("due_time", FormField.DUE),
        ("due_at", FormField.DUE),
        ("first_day", FormField.FIRST_DAY),
        ("last_day", FormField.LAST_DAY),
    ):
        if part in name:
            return field
    return None
