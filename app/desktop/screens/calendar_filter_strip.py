"""The line under the toolbar that says which units are shown when it is not all of the own branch's."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import period_with_weekdays
from app.desktop.language import language
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import ElidedLabel, Tone

_HEIGHT = 34


class FilterStrip(Surface):
    """One chip per part of the filter; pressing it takes that part away. `chosen` carries the filter that is left."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("sunken", bottom_line=True, parent=parent)
        self._wanted = CalendarFilter()
        self._counts = (0, 0)
        self._own = ""
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 0, 9, 1)
        row.setSpacing(1)
        self.branch = Button("", icon="lock", trailing_icon="close", size=ButtonSize.ROW)
        self.free = Button("", icon="calendar", trailing_icon="close", size=ButtonSize.ROW)
        self.category = Button("", icon="filter", trailing_icon="close", size=ButtonSize.ROW)
        self.count = ElidedLabel("", TextRole.SECONDARY, Tone.MUTED)
        self.all_units = Button("", key="Esc", size=ButtonSize.ROW)
        for widget in (self.branch, self.free, self.category):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.count, 100)
        row.addStretch(1)
        row.addWidget(self.all_units)
        self.branch.clicked.connect(lambda: self.chosen.emit(replace(self._wanted, branch=None)))
        self.free.clicked.connect(lambda: self.chosen.emit(replace(self._wanted, free_for=None)))
        self.category.clicked.connect(lambda: self.chosen.emit(replace(self._wanted, category="")))
        self.all_units.clicked.connect(lambda: self.chosen.emit(CalendarFilter()))
        self.hide()

    def show_filter(self, wanted: CalendarFilter, shown: int, of: int, own: str) -> None:
        """Appears with the first part and goes with the last; `shown` of `of` units of the branch are in the grid.
        `own` is the name of the own branch, to which its last button goes back.
        """
        self._wanted, self._counts, self._own = wanted, (shown, of), own
        self.setVisible(wanted.branch is not None or bool(wanted.category) or wanted.free_for is not None)
        self.branch.setVisible(wanted.branch is not None)
        self.free.setVisible(wanted.free_for is not None)
        self.category.setVisible(bool(wanted.category))
        if wanted.branch is not None:
            self.branch.setText(self.tr("{0}, hanya baca").format(wanted.branch.name))
        if wanted.free_for is not None:
            self.free.setText(self.tr("Kosong {0}").format(_days(wanted)))
        self.category.setText(wanted.category)
        self.count.setText(self.spoken_count())
        self.all_units.setText(self.tr("Semua unit {0}").format(self._own))
        for button in (self.branch, self.free, self.category):
            button.set_hint(self.tr("Hapus saringan ini"))

    def spoken_count(self) -> str:
        """`6 dari 26 unit`, with what they have in common, for the strip and for announcing it."""
        shown, of = self._counts
        text = self.tr("{0} dari {1} unit").format(shown, of)
        if self._wanted.free_for is not None:
            return self.tr("{0} kosong {1}").format(text, _days(self._wanted))
        return text

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_filter(self._wanted, *self._counts, self._own)
        super().changeEvent(event)


def _days(wanted: CalendarFilter) -> str:
    period = wanted.free_for
    return period_with_weekdays(period.first, period.last, language()) if period is not None else ""
