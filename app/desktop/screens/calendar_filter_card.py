"""F: which units the calendar shows. Free for a period (typed, or the days chosen in the grid), category, branch."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.pick_field import Pick, PickField
from app.desktop.widgets.popover import Popover
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal
from app.usecases.calendar import BranchRow

_ALL = "all"


class FilterCard(Popover):
    """`chosen` carries a CalendarFilter; `closed` follows Esc. Enter applies from every field."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, today: Callable[[], dt.date], parent: QWidget) -> None:
        super().__init__(parent)
        self._today = today
        self._wanted = CalendarFilter()
        self._branches: tuple[BranchRow, ...] = ()
        self._own_id = ""
        self.pad(10, 8)
        self.setFixedWidth(352)
        self._title = Label("", TextRole.BASE, weight=600)
        self._hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.first = DateField("", today)
        self.last = DateField("", today)
        self.category = PickField("")
        self.branch = PickField("")
        self.apply = Button("", key="Return", primary=True, size=ButtonSize.SMALL)
        self.clear = Button("", size=ButtonSize.SMALL)
        self._lay_out()
        for edit in (self.first.edit, self.last.edit):
            edit.returnPressed.connect(self._take)
        for pick in (self.category, self.branch):
            pick.entered.connect(self._take)
        self.apply.clicked.connect(self._take)
        self.clear.clicked.connect(lambda: self.chosen.emit(CalendarFilter(text=self._wanted.text)))

    def _lay_out(self) -> None:
        self._title.setContentsMargins(3, 0, 0, 0)
        self.body.addWidget(self._title)
        self._labels = [Label("", TextRole.SECONDARY, Tone.MUTED) for _ in range(3)]
        days = QHBoxLayout()
        days.setSpacing(0)
        days.addWidget(self.first, 1)
        days.addWidget(Label("–", TextRole.BASE, Tone.MUTED))
        days.addWidget(self.last, 1)
        picks = QHBoxLayout()
        picks.setSpacing(2)
        for label, pick in zip(self._labels[1:], (self.category, self.branch), strict=True):
            column = QVBoxLayout()
            column.setSpacing(0)
            label.setContentsMargins(3, 4, 0, 0)
            column.addWidget(label)
            column.addWidget(pick)
            picks.addLayout(column, 1)
        self._labels[0].setContentsMargins(3, 2, 0, 0)
        self.body.addWidget(self._labels[0])
        self.body.addLayout(days)
        self._hint.setContentsMargins(3, 0, 0, 0)
        self._hint.setWordWrap(True)
        self.body.addWidget(self._hint)
        self.body.addLayout(picks)
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.addWidget(self.clear)
        buttons.addStretch(1)
        buttons.addWidget(self.apply)
        self.body.addSpacing(4)
        self.body.addLayout(buttons)
        self.setTabOrder(self.first.edit, self.last.edit)
        self.setTabOrder(self.last.edit, self.category.edit)
        self.setTabOrder(self.category.edit, self.branch.edit)
        self.setTabOrder(self.branch.edit, self.clear)
        self.setTabOrder(self.clear, self.apply)

    def ask(
        self,
        wanted: CalendarFilter,
        categories: Sequence[str],
        branches: Sequence[BranchRow],
        own_id: str,
        chosen: RentalPeriod | None,
    ) -> None:
        """Ready to type; the days chosen in the grid are filled in, so that Enter alone asks for them."""
        self._wanted, self._own_id = wanted, own_id
        self._retranslate()
        period = chosen or wanted.free_for
        self.first.set_day(period.first if period is not None else None)
        self.last.set_day(period.last if period is not None else None)
        self.category.set_picks(
            [Pick(key=_ALL, text=self.tr("semua")), *(Pick(key=name, text=name) for name in categories)]
        )
        self.category.choose(wanted.category or _ALL)
        self.show_branches(branches)
        self.branch.choose(wanted.branch.id if wanted.branch is not None else own_id)
        self.first.edit.setFocus(Qt.FocusReason.PopupFocusReason)
        self.first.edit.selectAll()

    def show_branches(self, branches: Sequence[BranchRow]) -> None:
        """The branches, once they were read; the own one comes first."""
        self._branches = tuple(sorted(branches, key=lambda branch: branch.id != self._own_id))
        read_only = self.tr("hanya baca")
        self.branch.set_picks(
            [
                Pick(key=one.id, text=one.name, also=one.code, hint="" if one.id == self._own_id else read_only)
                for one in self._branches
            ]
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _take(self) -> None:
        """Apply; a day that is none, is past or ends before it begins is marked and nothing happens."""
        period = self._period()
        if period is None and (self.first.text().strip() or self.last.text().strip()):
            return
        category, branch_id = self.category.current(), self.branch.current()
        branch = next((one for one in self._branches if one.id == branch_id and one.id != self._own_id), None)
        self.chosen.emit(
            replace(self._wanted, free_for=period, category="" if category == _ALL else category, branch=branch)
        )

    def _period(self) -> RentalPeriod | None:
        first = self.first.day()
        last = self.last.day() if self.last.text().strip() else first
        self.first.set_wrong(bool(self.first.text().strip() or self.last.text().strip()) and not self._begins(first))
        self.last.set_wrong(first is not None and (last is None or last < first))
        if first is None or last is None or not self._begins(first) or last < first:
            return None
        try:
            return RentalPeriod(first, last)
        except Refusal:
            self.last.set_wrong(True)
            return None

    def _begins(self, first: dt.date | None) -> bool:
        return first is not None and first >= self._today()

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Unit yang ditampilkan"))
        self._labels[0].setText(self.tr("Kosong dari – sampai"))
        self._labels[1].setText(self.tr("Kategori"))
        self._labels[2].setText(self.tr("Cabang"))
        self._hint.setText(self.tr("30/11, besok, +3. Pilih hari di grid dulu: terisi sendiri."))
        self.first.set_name(self.tr("Kosong dari"))
        self.last.set_name(self.tr("Kosong sampai"))
        self.category.set_name(self.tr("Kategori"))
        self.branch.set_name(self.tr("Cabang"))
        self.apply.setText(self.tr("Tampilkan"))
        self.clear.setText(self.tr("Semua unit"))
        self.setAccessibleName(self._title.text())
