"""The filters of the calendar: F's card, the strip that says what is shown, the legend and the state of the toolbar."""

from PySide6.QtCore import QObject, QPoint, QRect, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.screens.calendar_filter_card import FilterCard
from app.desktop.screens.calendar_filter_strip import FilterStrip
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.screens.calendar_toolbar import CalendarToolbar
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.states import ShownState, state_label
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_legend import Legend
from app.desktop.widgets.month_grid_samples import Samples
from app.desktop.widgets.month_grid_spans import bars_in_state
from app.domain.days import RentalPeriod


class Filters(QObject):
    """Keeps every place that shows a filter in step. `done` when the grid should have the focus again."""

    done = Signal()

    def __init__(
        self, grid: MonthGrid, model: CalendarViewModel, toolbar: CalendarToolbar, legend: Legend, host: QWidget
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._toolbar, self._legend, self._host = grid, model, toolbar, legend, host
        self._said = CalendarFilter()
        self._shown: ShownState | None = None
        self.strip = FilterStrip()
        self.card = FilterCard(lambda: model.today or model.clock.now().date(), host)
        self.card.chosen.connect(self.use)
        self.card.closed.connect(self.close_card)
        self.strip.chosen.connect(self.use)
        toolbar.filtered.connect(model.set_filter)
        toolbar.state_chosen.connect(self.choose_state)
        toolbar.filters_wanted.connect(self.open)
        legend.chosen.connect(self.choose_state)
        legend.left.connect(self.done)
        model.changed.connect(self._show)
        model.content_replaced.connect(self._announce)

    def open(self) -> None:
        """F: the card under the toolbar's button, with the days chosen in the grid."""
        model = self._model
        chosen = self._grid.stretch()
        self.card.ask(
            model.shown.wanted,
            model.shown.categories(),
            model.branches,
            model.who.branch.id,
            RentalPeriod(chosen.first_day, chosen.last_day) if chosen is not None else None,
        )
        self._grid.clear_stretch()
        button = QRect(self._toolbar.filters.mapTo(self._host, QPoint(0, 0)), self._toolbar.filters.size())
        self.card.place(button, [QRect(QPoint(0, 0), self._toolbar.size())])
        model.read_branches()

    def close_card(self) -> bool:
        """Close the card; False when it was not open."""
        if not self.card.isVisible():
            return False
        self.card.hide()
        self.done.emit()
        return True

    def clear(self) -> bool:
        """Show everything again, the last thing chosen first: a state, then the units; False when nothing was."""
        if self._model.only_state is not None:
            self.choose_state(None)
            return True
        if self._model.shown.wanted.is_plain:
            return False
        self.use(CalendarFilter())
        return True

    def use(self, wanted: object) -> None:
        """Show the units of a CalendarFilter."""
        if not isinstance(wanted, CalendarFilter):
            return
        self.card.hide()
        self._grid.clear_stretch()
        self._toolbar.sku.set_text(wanted.text)
        self._model.set_wanted(wanted)
        self.done.emit()

    def choose_state(self, state: object) -> None:
        """Show one state alone (None: all), and say how many bars of the window have it."""
        only = state if isinstance(state, ShownState) else None
        self._model.set_only(only)
        content = self._model.content
        if only is not None and content is not None:
            count = bars_in_state(content.all_bars(), only, content.now)
            announce(self._grid, self.tr("{0}: {1} di rentang hari ini").format(state_label(only), count))

    def _show(self) -> None:
        model = self._model
        if self._shown is not model.only_state:
            # Only then: the whole grid is painted again.
            self._shown = model.only_state
            self._grid.show_only(model.only_state)
            self._legend.show_only(model.only_state)
            self._toolbar.show_state(model.only_state)
        content = model.content
        self.strip.show_filter(
            model.shown.wanted,
            content.unit_count if content is not None else 0,
            len(model.shown.units),
            model.who.branch.name,
        )
        groups = content.groups if content is not None else ()
        turnaround = any(group.sku.turnaround_days for group in groups)
        self._legend.show_samples(Samples(turnaround=turnaround, elsewhere=model.is_elsewhere))
        branch = model.shown.wanted.branch
        self._grid.corner.set_place(branch.name if branch is not None else "")
        if self.card.isVisible():
            self.card.show_branches(model.branches)

    def _announce(self) -> None:
        """Other units are shown: how many, once for each filter."""
        wanted = self._model.shown.wanted
        if wanted != self._said and self._model.shown.is_answered():
            self._said = wanted
            self._show()
            announce(self._grid, self.strip.spoken_count())
