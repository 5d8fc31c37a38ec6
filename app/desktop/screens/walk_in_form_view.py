"""What the walk-in form does: shows its model, goes from field to field on Enter, says what is wrong and where."""

import datetime as dt
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.desktop.screens.calendar_verbs import booking_reason
from app.desktop.screens.walk_in_form_messages import FormMessages
from app.desktop.screens.walk_in_texts import (
    blocked_sentence,
    closed_warning,
    digit_count,
    nik_warning,
    offline_reason,
    problem_sentence,
    return_note,
)
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Tone
from app.desktop.widgets.pick_field import Pick
from app.desktop.widgets.time_field import TimeField
from app.usecases.booking_input import MAX_LINES

ANY_UNIT = "any"
_FOOT = 112
"""What the suggestions leave uncovered at the drawer's lower end: the total and the buttons."""


class FormPage(FormMessages):
    """`finished` after Enter in the last field."""

    finished = Signal()

    def __init__(self, model: WalkInViewModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._automatic = ""
        self._filling = False
        self._free: frozenset[str] | None = None
        model.hits_changed.connect(self._show_hits)
        self.hits.picked.connect(self._picked)
        self.hits.new_wanted.connect(self._new_customer)
        self.customer.typed.connect(self._customer_typed)
        self.customer.stepped.connect(self.hits.step)
        self.customer.entered.connect(self._customer_entered)
        person = self.new_person
        person.name_typed.connect(self._name_typed)
        person.nik_typed.connect(self._nik_typed)
        person.class_picked.connect(model.set_licence_class)
        person.licence_typed.connect(self._licence_typed)
        person.left.connect(self._paper_left)
        person.wanted.connect(self.focus)
        person.finished.connect(self._person_finished)
        terms = self.terms
        terms.extra_set.connect(self._extra_set)
        terms.discount_typed.connect(partial(self._term_typed, model.type_discount))
        terms.deposit_typed.connect(partial(self._term_typed, model.type_deposit))
        terms.down_typed.connect(partial(self._term_typed, model.type_down_payment))
        terms.left.connect(self._paper_left)
        terms.finished.connect(self.finished)
        hours = self.hours
        hours.pickup_typed.connect(partial(self._term_typed, model.type_pickup))
        hours.due_typed.connect(partial(self._term_typed, model.type_due))
        hours.left.connect(self._hour_left)
        hours.wanted.connect(self.focus)
        hours.finished.connect(self.finished)
        self.order_lines.dropped.connect(model.drop_line)
        self.add_button.clicked.connect(self.add_line)
        self.sku.picked.connect(self._sku_picked)
        self.sku.entered.connect(lambda: self.focus(self.unit))
        self.unit.picked.connect(self._unit_picked)
        self.unit.entered.connect(lambda: self.focus(self.days))
        self.first.day_changed.connect(self._first_changed)
        self.last.day_changed.connect(self._last_changed)
        self.days.typed.connect(self._days_typed)
        self.first.edit.returnPressed.connect(lambda: self.focus(self.last))
        self.last.edit.returnPressed.connect(lambda: self.focus(self.days))
        self.days.edit.returnPressed.connect(self.finished)

    # --- what the drawer calls ----------------------------------------------------------------------------------------

    def show_form(self) -> None:
        """Bring every field up to date; one the person is typing in is left alone."""
        self._filling = True
        try:
            self._show_form()
        finally:
            self._filling = False

    def suggest_unit(self, text: str, free: frozenset[str] | None) -> None:
        """What "automatic" would take now, and which units are free for the days (None: not known here)."""
        if (text, free) != (self._automatic, self._free):
            self._automatic, self._free = text, free
            self._show_units()

    def start_typing(self) -> None:
        """Focus the first field that is still empty; with none left the form is `finished`.

        Never a field that is filled already: a name typed blindly would end up in it.
        """
        form = self.model.form
        if form.customer_id is None and not form.is_new:
            self.focus(self.customer)
        elif form.is_new and not form.new_name.strip():
            self.focus(self.new_name)
        elif not form.sku:
            self.focus(self.sku)
        elif form.period is None:
            self.focus(self.first if form.first_day is None else self.last)
        else:
            self.finished.emit()

    def begin_customer(self, text: str) -> None:
        """Somebody began to type a customer elsewhere: go on in the field."""
        self.focus(self.customer)
        if text:
            self.customer.edit.insert(text)
            self._customer_typed(self.customer.text())

    def focus_customer(self) -> None:
        self.focus(self.customer)

    def focus_unit(self) -> None:
        """Ctrl+U: choose another unit."""
        self.focus(self.unit)
        self.unit.open_menu()

    def escape(self) -> bool:
        """Close the suggestions or the new name; False when there was nothing to close."""
        if self.hits.isVisible():
            self.hits.hide()
            return True
        if self.model.form.is_new and self.new_name.edit.hasFocus():
            self.model.give_up_new()
            self.focus(self.customer)
            return True
        return False

    # --- showing ------------------------------------------------------------------------------------------------------

    def _show_form(self) -> None:
        form = self.model.form
        self._show_reason()
        if not self.customer.edit.hasFocus() or self.customer.text() != form.customer_text:
            self.customer.set_text(form.customer_text)
        self.customer.set_suffix("" if form.customer_id else digit_count(form.customer_text))
        picked = form.customer_id is not None
        self.person.setVisible(picked)
        self.person.show_person(
            form.customer_name, form.customer_phone, form.customer_rentals, masked=form.customer_masked
        )
        notice = blocked_sentence(form.customer_blocked) if picked and form.customer_blocked else ""
        self._notice.setText(notice)
        self._notice.setVisible(bool(notice))
        self.show_person_area(with_papers=form.is_new and self.new_person.has_papers)
        self.new_person.setVisible(form.is_new)
        self.new_person.show_form(form)
        self._hint.setVisible(not picked and not form.is_new)
        if picked or form.is_new:
            self.hits.hide()
        self.order_lines.show_lines(form.lines, self.model.fleet)
        self.add_button.setVisible(bool(form.sku) and form.period is not None and len(form.lines) + 1 < MAX_LINES)
        self.clear_button.setVisible(not form.is_empty or self.model.draft_count > 0)
        self._show_skus()
        self._show_units()
        if not self.first.edit.hasFocus() or self.first.day() != form.first_day:
            self.first.set_day(form.first_day)
        if not self.last.edit.hasFocus() or self.last.day() != form.last_day:
            self.last.set_day(form.last_day)
        if not self.days.edit.hasFocus():
            self.days.set_text(form.days_text or ("" if self.model.length is None else str(self.model.length)))
        hours = self.model.hours()
        self.hours.show_form(form, hours)
        self.terms.show_extras(self.model.extras, after=self.add_button)
        first = form.first_day
        self.terms.show_form(
            form,
            is_later=first is not None and self.model.clock.is_set() and first > self.model.today(),
            reason=booking_reason(self.model.who.roles),
            least_deposit=self.model.least_deposit,
        )
        self._echo.setText(return_note(self.model.who.branch, form.last_day, hours.due if hours is not None else None))
        if offline := offline_reason(self.model):
            self._say(offline, Tone.WARNING)

    def _show_reason(self) -> None:
        """Who may not book reads why, beside fields that take nothing; what is on its way takes nothing either."""
        reason = booking_reason(self.model.who.roles)
        for field in self._fields():
            field.set_reason(reason)
            field.edit.setReadOnly(bool(reason) or self.model.is_sending)
        if reason:
            self._say(reason, Tone.MUTED)

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

    def _show_hits(self) -> None:
        model = self.model
        text = model.form.customer_text
        if not model.hits and not model.hits_for:
            self.hits.hide()
            return
        self.hits.show_hits(model.hits, text)
        self.place_hits()
        self.hits.show()
        self.hits.raise_()

    def host_hits(self, host: QWidget) -> None:
        """Let the suggestions lie over all of this widget: a small form would cut them."""
        self.hits.setParent(host)
        self.hits.hide()

    def place_hits(self) -> None:
        """Below the customer field, as many of them as there is room for above the total."""
        host, field = self.hits.parentWidget() or self, self.customer
        at = field.mapTo(host, QPoint(3, field.height() - 1))
        self.hits.set_room(host.height() - at.y() - _FOOT)
        self.hits.setGeometry(at.x(), at.y(), field.width() - 6, self.hits.sizeHint().height())

    # --- what the person does -----------------------------------------------------------------------------------------

    def _name_typed(self, text: str) -> None:
        self.quiet()
        self.model.type_new_name(text)

    def _nik_typed(self, text: str) -> None:
        self.quiet()
        self.model.type_nik(text)

    def _licence_typed(self, text: str, day: object) -> None:
        self.quiet()
        self.model.type_licence(text, day if isinstance(day, dt.date) else None)

    def _extra_set(self, code: str, wanted: bool) -> None:
        self.quiet()
        self.model.set_extra(code, wanted)

    def _term_typed(self, store: Callable[[str], None], text: str) -> None:
        self.quiet()
        store(text)

    def focus_discount(self) -> None:
        """Ctrl+D."""
        if self.model.offers.has_terms:
            self.focus(self.terms.discount)

    def _paper_left(self, field: object) -> None:
        """A field of the papers was left: what is wrong or odd with it is said now, not while it is typed."""
        for name, problem in (*self.model.paper_problems(), *self.model.term_problems()):
            if self._widget_of(name) is field and isinstance(field, Field):
                field.set_wrong(True)
                self._say(problem_sentence(problem, self.model.form, self.model.least_deposit))
                return
        if field is self.terms.down:
            self._tell_part()
        if field is self.new_person.nik and (odd := nik_warning(self.model.form)):
            self._say(odd, Tone.WARNING)

    def _hour_left(self, field: object) -> None:
        """An hour was left: what is wrong with it, else that nobody is at the branch then."""
        for name, problem in self.model.hour_problems():
            widget = self._widget_of(name)
            if widget is field and widget is not None:
                widget.set_wrong(True)
                self._say(problem_sentence(problem))
                return
        at = field.time() if isinstance(field, TimeField) else None
        if at is not None and (closed := closed_warning(self.model.who.branch, at)):
            self._say(closed, Tone.WARNING)

    def _person_finished(self) -> None:
        self.focus(self.customer if not self.model.form.customer_text.strip() else self.sku)

    def add_line(self) -> None:
        """One more unit for the same customer: the next item is typed, the days stay."""
        if self.model.form.with_line_added() is not self.model.form:
            self.quiet()
            self.model.add_line()
            self.focus(self.sku)

    def _sku_picked(self, key: str) -> None:
        self.quiet()
        self.model.set_sku(key)

    def _unit_picked(self, key: str) -> None:
        self.quiet()
        self.model.set_unit(None if key == ANY_UNIT else key)

    def _customer_typed(self, text: str) -> None:
        self.quiet()
        self.model.type_customer(text)

    def _customer_entered(self) -> None:
        if self.hits.isVisible():
            self.hits.take()
        elif self.model.form.customer_id is not None:
            self.focus(self.sku)
        elif self.model.form.is_new:
            self.focus(self.new_name)
        elif self.customer.text().strip():
            self.model.ask_new()
            self.focus(self.new_name)

    def _picked(self, hit: object) -> None:
        self.hits.hide()
        if hasattr(hit, "customer"):
            self.model.pick(hit)  # type: ignore[arg-type]
        self.focus(self.sku)

    def _new_customer(self) -> None:
        self.hits.hide()
        self.model.ask_new()
        self.focus(self.new_name if self.model.form.customer_text else self.customer)

    def _first_changed(self, day: object) -> None:
        if not self._filling and (day is None or isinstance(day, dt.date)):
            self.quiet()
            self.model.set_first(day)

    def _last_changed(self, day: object) -> None:
        if not self._filling and (day is None or isinstance(day, dt.date)):
            self.quiet()
            self.model.set_last(day)

    def _days_typed(self, text: str) -> None:
        self.quiet()
        self.model.type_days(text)
        self.days.set_wrong(bool(self.model.form.days_text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place_hits()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
