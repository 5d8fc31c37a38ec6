"""The fields of the walk-in form and where they stand; what they do is FormPage's."""

import datetime as dt
from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.desktop.screens.walk_in_customer import CustomerHits, PersonLine
from app.desktop.screens.walk_in_fields import (
    CompactDateField,
    CompactPickField,
    CustomerField,
    DaysField,
    SectionLabel,
)
from app.desktop.screens.walk_in_hours_row import HoursRow
from app.desktop.screens.walk_in_lines import OrderLines
from app.desktop.screens.walk_in_new_person import NewPerson
from app.desktop.screens.walk_in_terms import Terms
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Label, Tone

_PERSON_AREA = 122
_PERSON_AREA_LEAST = 86
_PAPERS_AREA = 140
_MESSAGE = 40


class FormMessage(Label):
    """What is wrong, in a place of its own below the form: never scrolled away from the field it speaks of, and as high
    as it is long. Where there is room a place of two lines is kept free, elsewhere it is there while something is said.
    """

    def __init__(self) -> None:
        super().__init__("", TextRole.SECONDARY, Tone.ERROR)
        self._is_kept = self._has_form = True
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setContentsMargins(16, 3, 16, 2)
        self.setFixedHeight(_MESSAGE)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._fit()

    def set_place(self, *, kept: bool, has_form: bool) -> None:
        """Whether its place is kept free, and whether the form it speaks of is shown."""
        self._is_kept, self._has_form = kept, has_form
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """What scrolls away above ends at a line, not in the middle of nothing."""
        super().paintEvent(event)
        if self.text():
            painter = QPainter(self)
            try:
                painter.fillRect(0, 0, self.width(), 1, theme().line)
            finally:
                painter.end()

    def _fit(self) -> None:
        host = self.parentWidget()
        if host is not None:
            self.setFixedHeight(max(_MESSAGE, self.heightForWidth(host.width())))
            self.setVisible(self._has_form and (bool(self.text()) or self._is_kept))


class FormFields(Surface):
    """Places never move: suggestions, the picked person and the new name share one area of a fixed height."""

    def __init__(
        self,
        today: Callable[[], dt.date],
        *,
        has_papers: bool = False,
        has_terms: bool = False,
        has_hours: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("surface", parent=parent)
        self._today = today
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(13, 8, 13, 4)
        column.setSpacing(1)
        self._customer_label = SectionLabel("1", "F3")
        self.customer = CustomerField("")
        self._person_area = QWidget()
        self._person_area.setMinimumHeight(_PERSON_AREA_LEAST)
        self._person_area.setMaximumHeight(_PERSON_AREA)
        self._person_area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        area = QVBoxLayout(self._person_area)
        area.setContentsMargins(0, 2, 0, 0)
        area.setSpacing(1)
        self.person = PersonLine()
        self.new_person = NewPerson(today, has_papers=has_papers)
        self.new_name = self.new_person.name
        self._hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._hint.setWordWrap(True)
        self._hint.setContentsMargins(3, 0, 3, 0)
        self.person.setContentsMargins(3, 0, 3, 0)
        self._notice = Label("", TextRole.SECONDARY, Tone.WARNING, weight=500)
        self._notice.setContentsMargins(3, 0, 3, 0)
        for widget in (self.person, self._notice, self.new_person, self._hint):
            area.addWidget(widget)
        area.addStretch(1)
        column.addWidget(self._customer_label)
        column.addWidget(self.customer)
        column.addWidget(self._person_area)
        self.order_lines = OrderLines()
        column.addWidget(self.order_lines)
        labels = QHBoxLayout()
        labels.setSpacing(2)
        self._sku_label = SectionLabel("2", "")
        self._unit_label = SectionLabel("", "Ctrl+U")
        labels.addWidget(self._sku_label, 38)
        labels.addWidget(self._unit_label, 62)
        column.addLayout(labels)
        items = QHBoxLayout()
        items.setSpacing(2)
        self.sku = CompactPickField("")
        self.unit = CompactPickField("")
        items.addWidget(self.sku, 38)
        items.addWidget(self.unit, 62)
        column.addLayout(items)
        column.addSpacing(9)
        self._days_label = SectionLabel("3", "")
        column.addWidget(self._days_label)
        dates = QHBoxLayout()
        dates.setSpacing(1)
        self.first = CompactDateField("", self._today)
        self.last = CompactDateField("", self._today)
        self.days = DaysField()
        dates.addWidget(self.first, 75)
        dates.addWidget(Label("–", TextRole.BASE, Tone.MUTED))
        dates.addWidget(self.last, 75)
        dates.addWidget(self.days, 54)
        column.addLayout(dates)
        self.hours = HoursRow()
        column.addWidget(self.hours)
        # As the terms: hidden here or never.
        if not has_hours:
            self.hours.hide()
        self._echo = Label("", TextRole.CAPTION, Tone.MUTED)
        self._echo.setContentsMargins(3, 1, 3, 0)
        column.addWidget(self._echo)
        self.terms = Terms()
        column.addWidget(self.terms)
        # Only hidden, never shown here: shown before the form has its place it would be a window of its own.
        if not has_terms:
            self.terms.hide()
        column.addStretch(1)
        self.message = FormMessage()
        self.hits = CustomerHits(self)
        self.add_button = Button(flat=True, icon="plus", size=ButtonSize.ROW)
        self._days_label.add_button(self.add_button)
        ways = [self.days.edit, *(field.edit for field in (self.hours.fields() if has_hours else ()))]
        for before, after in pairwise([*ways, self.add_button]):
            QWidget.setTabOrder(before, after)
        self.clear_button = Button(flat=True, icon="trash", size=ButtonSize.ROW)
        self._customer_label.add_button(self.clear_button)
        for button in (self.add_button, self.clear_button):
            button.set_quiet(True)
        self.retranslate()

    def make_room(self, scroll_bar: int) -> None:
        """A scroll bar takes its width from the margin, not from the fields."""
        self._column.setContentsMargins(13, 8, max(3, 13 - scroll_bar), 4)

    def show_person_area(self, *, with_papers: bool) -> None:
        """The papers of somebody new need more room than a name; everybody else keeps one height."""
        self._person_area.setMaximumHeight(_PAPERS_AREA if with_papers else _PERSON_AREA)
        self._person_area.setMinimumHeight(_PAPERS_AREA if with_papers else _PERSON_AREA_LEAST)

    def retranslate(self) -> None:
        self._customer_label.set_text(self.tr("Pelanggan"))
        self.customer.set_name(self.tr("Pelanggan"))
        self.customer.set_placeholder(self.tr("Telepon atau nama"))
        self._hint.setText(self.tr("Mulai dari 4 angka telepon atau 2 huruf nama."))
        self.new_person.retranslate()
        self.add_button.setText(self.tr("Unit lagi"))
        self.add_button.set_hint(self.tr("Satu unit lagi di booking ini; satu tagihan, semua atau tidak sama sekali"))
        self.clear_button.setText(self.tr("Buang"))
        self.clear_button.set_hint(self.tr("Buang isian dan mulai baru"))
        self._sku_label.set_text(self.tr("Barang"))
        self.sku.set_name(self.tr("Barang"))
        self._unit_label.set_text(self.tr("Unit"))
        self.unit.set_name(self.tr("Unit"))
        self._days_label.set_text(self.tr("Tanggal"))
        self.first.set_name(self.tr("Tanggal ambil"))
        self.last.set_name(self.tr("Tanggal kembali"))
        self.days.set_name(self.tr("Lama sewa"))
        self.days.set_word(self.tr("hari"))
