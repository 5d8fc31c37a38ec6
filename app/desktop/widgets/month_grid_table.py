"""The month grid's table: content, frozen heads, painting, and repainting only what changed."""

import datetime as dt
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QRect, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QTableView, QWidget

from app.desktop.states import ShownState
from app.desktop.theme import theme, theme_source
from app.desktop.widgets.month_grid_anchor import anchor, row_to_stand_on
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_fit import GridFit, fit
from app.desktop.widgets.month_grid_header import DayHeader, GridCorner, UnitHeader
from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.desktop.widgets.month_grid_model import GridRow, MonthGridModel
from app.desktop.widgets.month_grid_painting import GridPainting, Scene
from app.desktop.widgets.month_grid_pinned import painted_parts, places_of
from app.desktop.widgets.month_grid_pulses import Pulses
from app.desktop.widgets.month_grid_settings import settle_view
from app.desktop.widgets.month_grid_spans import Group
from app.desktop.widgets.month_grid_strips import Frame
from app.domain.days import YearMonth


class GridTable(QTableView):
    """Shows a GridContent and repaints only what changed. `moved` when another cell is current, `fit_changed` with the
    new GridFit. What a person does with it is MonthGrid's.
    """

    fit_changed = Signal(object)
    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = MonthGridModel(self)
        self._painting: GridPainting | None = None
        self._now: Callable[[], dt.datetime] | None = None
        self._stale = False
        self._only: ShownState | None = None
        self._marks: tuple[GridMark, ...] = ()
        self._fit: GridFit | None = None
        self._days, self._units = DayHeader(self._model, self), UnitHeader(self._model, self)
        self.corner = GridCorner(self)
        self._set_up()
        self.setModel(self._model)
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._count_down)
        self._pulses = Pulses(self)
        self._pulses.ended.connect(self._end_pulses)
        theme_source().changed.connect(self._restyle)
        self.selectionModel().currentChanged.connect(self._current_changed)
        self._units.group_pressed.connect(self.toggle)

    def _set_up(self) -> None:
        self.setHorizontalHeader(self._days)
        self.setVerticalHeader(self._units)
        settle_view(self)
        self.setAccessibleName(self.tr("Kalender unit"))

    # --- content ------------------------------------------------------------------------------------------------------

    @property
    def content(self) -> GridContent | None:
        return self._model.content

    def grid_model(self) -> MonthGridModel:
        return self._model

    def show_content(self, content: GridContent, *, keep_rows: bool = False) -> None:
        """Another window, or data read anew; the current cell stays on its unit and day, with `keep_rows` every row."""
        before = self.current_cell()
        day = self.content.days[before[1]] if self.content is not None and before is not None else None
        height, row_before = self._units.defaultSectionSize(), self.currentIndex().row()
        stood = anchor(self._model, self.verticalOffset(), self.viewport().height(), height, row_before)
        self.content_changing()
        reset = self._model.set_content(content)
        self.corner.show_count(content.unit_count)
        self._fit_columns()
        if reset:
            scrolled = stood.scrolled(self._model, height) if keep_rows or self.is_busy_with_hand() else None
            near = stood.current if scrolled is not None else 0
            self._place_current(before[0] if before else None, day or content.today, near)
            if scrolled is not None:
                self.updateGeometries()
                self.verticalScrollBar().setValue(scrolled)
        self.content_changed()
        for part in (self._days, self._units, self):
            part.viewport().update()
        self._watch_time()

    def set_clock(self, now: Callable[[], dt.datetime]) -> None:
        """The server's time now, for countdowns."""
        self._now = now

    def set_stale(self, stale: bool) -> None:
        """Hatch the whole grid: its data is old."""
        if stale != self._stale:
            self._stale = stale
            self.viewport().update()

    def show_only(self, state: ShownState | None) -> None:
        """Fade every bar of another state; None shows all."""
        self._only = state
        self.viewport().update()

    def set_marks(self, marks: Sequence[GridMark]) -> None:
        """Lay these over the rows (drafts, refused stretches, offers); the head line follows the first of them."""
        new = tuple(marks)
        if new != self._marks:
            self._marks = new
            self.viewport().update()
        self.show_head_line()

    def bars_changed(self, unit_ids: frozenset[str]) -> None:
        """These units look different now: lay out and repaint their rows only."""
        if self._painting is not None:
            self._painting.forget(unit_ids)
        known = [self.content.unit(unit_id) for unit_id in unit_ids] if self.content is not None else []
        skus = {unit.sku.code for unit in known if unit is not None}  # of folded ones too: their numbers are seen
        rows = [self._model.row_of_unit(unit_id) for unit_id in unit_ids]
        for row in (*rows, *(self._model.row_of_group(sku) for sku in skus)):
            if row is not None:
                self._update_row(row)
        self._watch_time()
        self.days_changed()

    def apply_hint(self, sku: str, month: YearMonth, slot: int, mask: int) -> None:
        """Paint another counter's change at once: only the cells that differ, with a short pulse."""
        content = self.content
        unit = content.unit_at(sku, slot) if content is not None else None
        if content is None or unit is None:
            return
        before = content.spans(unit)
        changed = content.apply_hint(sku, month, slot, mask)
        if changed is None:
            return
        spans = set(before) ^ set(content.spans(unit))
        columns = {*changed[1], *(column for span in spans for column in range(span.first, span.last + 1))}
        if self._painting is not None:
            self._painting.forget([unit.unit.id])
        first, last = min(columns), max(columns)
        self.pulse(unit.unit.id, first, last)
        group_row = self._model.row_of_group(sku)
        if group_row is not None:
            self._update_cells(group_row, first, last)
        self.days_changed()

    def pulse(self, unit_id: str, first: int, last: int) -> None:
        """Light up some cells once, for a moment: these have a new owner."""
        self._pulses.add(unit_id, first, last)
        row = self._model.row_of_unit(unit_id)
        if row is not None:
            self._update_cells(row, first, last)

    # --- folding ------------------------------------------------------------------------------------------------------

    def toggle(self, group: Group) -> None:
        """Fold or unfold a SKU."""
        self._model.fold(group, not self._model.is_folded(group))
        for view in (self._units, self):
            view.viewport().update()

    # --- where am I ---------------------------------------------------------------------------------------------------

    def current_cell(self) -> tuple[str, int] | None:
        """Unit id (or "" on a SKU's row) and column of the current cell."""
        index = self.currentIndex()
        if not index.isValid() or self.content is None:
            return None
        row = self._model.row(index.row())
        return (row.unit.unit.id if row.unit is not None else "", index.column())

    def current_row(self) -> GridRow | None:
        index = self.currentIndex()
        return self._model.row(index.row()) if index.isValid() else None

    def go_to(self, unit_id: str | None, column: int) -> bool:
        """Scroll to a cell and make it current; a folded SKU opens. No unit: the row stays. False: it is not shown."""
        folded = self._model.folded_group_of(unit_id) if unit_id is not None else None
        if folded is not None:
            self.toggle(folded)
        row = self.currentIndex().row() if unit_id is None else self._model.row_of_unit(unit_id)
        if row is None or row < 0:
            return False
        self.setCurrentIndex(self._model.index(row, column))
        return True

    def cell_rect(self, unit_id: str, first: int, last: int) -> QRect:
        """The cells of a unit in the viewport; empty while its row is not shown."""
        row = self._model.row_of_unit(unit_id)
        if row is None:
            return QRect()
        left, right = self.columnViewportPosition(first), self.columnViewportPosition(last) + self.columnWidth(last)
        return QRect(left, self.rowViewportPosition(row), right - left, self.rowHeight(row))

    # --- for the subclass ---------------------------------------------------------------------------------------------

    def content_changing(self) -> None:
        """Other content is about to be shown."""

    def content_changed(self) -> None:
        """Other content is shown now."""

    def days_changed(self) -> None:
        """Some rows of the content look different now."""

    def is_busy_with_hand(self) -> bool:
        """Somebody drags something over the rows: they must not move under it."""
        return False

    def chosen_marks(self) -> list[GridMark]:
        """Marks of the days being chosen; the focus ring gives way to them."""
        return []

    def show_head_line(self) -> None:
        """The line under the head follows the first draft, held booking or refused stretch."""
        lined = next((m for m in self._marks if m.kind in (MarkKind.CONFLICT, MarkKind.DRAFT, MarkKind.HELD)), None)
        if lined is None:
            self._days.show_chosen(None)
        else:
            self._days.show_chosen(lined.first, lined.last, conflict=lined.kind is MarkKind.CONFLICT)

    # --- painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        try:
            painting = self._ready_painting()
            if painting is None:
                painter.fillRect(event.rect(), theme().surface)
                return
            for area in painted_parts(event.region(), self._units.defaultSectionSize()):
                painter.save()
                painting.paint(painter, area, self._scene(area))
                painter.restore()
        finally:
            painter.end()

    def _ready_painting(self) -> GridPainting | None:
        ratio, content = self.devicePixelRatioF(), self.content
        if content is None:
            return None
        column = round(self.columnWidth(0) * ratio)
        frame = Frame(
            ratio=ratio,
            width=max(round(self.viewport().width() * ratio), column * self._model.columnCount()),
            column=column,
            row=round(self._units.defaultSectionSize() * ratio),
            stale=self._stale,
        )
        look = theme()
        if self._painting is None or not self._painting.fits(look, frame, content, self._only):
            before = self._painting
            self._painting = GridPainting(look, frame, content, self._only)
            if before is not None:
                self._painting.carry_tiles(before)
        return self._painting

    def _scene(self, area: QRect) -> Scene:
        index = self.currentIndex()
        row = self.current_row()
        return Scene(
            rows=self._visible_rows(area),
            offset_x=self.horizontalOffset(),
            now=self._now() if self._now is not None else None,
            marks=(*self._marks, *self.chosen_marks(), *self._pulses.marks()),
            current=(row.unit.unit.id if row.unit else "", index.column()) if row is not None else None,
            current_group=row.group.sku.code if row is not None and row.unit is None else None,
            focused=self.hasFocus() and not self.chosen_marks(),
        )

    def _visible_rows(self, area: QRect) -> list[tuple[GridRow, int]]:
        height = self._units.defaultSectionSize()
        first = max(0, (area.top() + self.verticalOffset()) // height)
        last = min(self._model.rowCount() - 1, (area.bottom() + self.verticalOffset()) // height)
        top = first * height - self.verticalOffset()
        return [(self._model.row(first + n), top + n * height) for n in range(last - first + 1)]

    def _update_row(self, row: int) -> None:
        height = self.rowHeight(row)
        for y in places_of(self._model, row, self.verticalOffset(), height):
            self.viewport().update(0, y, self.viewport().width(), height)
            self._units.viewport().update(0, y, self._units.width(), height)

    def _update_cells(self, row: int, first: int, last: int) -> None:
        left = self.columnViewportPosition(first)
        right = self.columnViewportPosition(last) + self.columnWidth(last)
        for y in places_of(self._model, row, self.verticalOffset(), self.rowHeight(row)):
            self.viewport().update(left, y, right - left, self.rowHeight(row))

    def _count_down(self) -> None:
        """A second passed: repaint the countdowns on screen and nothing else."""
        painting = self._ready_painting()
        if painting is None:
            return
        for row, y in self._visible_rows(self.viewport().rect()):
            for rect in painting.time_rects(row, y, self.horizontalOffset()):
                self.viewport().update(rect)

    def _watch_time(self) -> None:
        content = self.content
        running = self.isVisible() and content is not None and content.has_deadlines()
        if running and not self._tick.isActive():
            self._tick.start()
        elif not running:
            self._tick.stop()

    def _end_pulses(self, ended: tuple[GridMark, ...]) -> None:
        for mark in ended:
            row = self._model.row_of_unit(mark.unit_id)
            if row is not None:
                self._update_cells(row, mark.first, mark.last)

    # --- layout -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_columns()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_columns()
        self._watch_time()

    def updateGeometries(self) -> None:
        bar, height = self.verticalScrollBar(), self._units.defaultSectionSize()
        before = bar.value()
        super().updateGeometries()
        # Rows scroll by whole rows, to the end too, so that the picture moves by whole device pixels at every scale.
        bar.setMaximum(-(-bar.maximum() // height) * height)
        bar.setValue(before)
        bar.setSingleStep(height)
        self.corner.setGeometry(0, 0, self._units.width(), self._days.height())
        self.corner.raise_()

    def grid_fit(self) -> GridFit | None:
        return self._fit

    def _fit_columns(self) -> None:
        if self.content is None:
            return
        found = fit(self.width(), len(self.content.days), self.devicePixelRatioF())
        self._units.set_width(found.unit_column)
        if self._days.defaultSectionSize() != found.day_column:
            self._days.setDefaultSectionSize(found.day_column)
            for column in range(self._days.count()):
                self._days.resizeSection(column, found.day_column)
        if found != self._fit:
            self._fit = found
            self.updateGeometries()
            self.fit_changed.emit(found)

    def _place_current(self, unit_id: str | None, day: dt.date, near: int) -> None:
        if self.content is None or self._model.rowCount() == 0:
            return
        row = row_to_stand_on(self._model, unit_id, near)
        index = self._model.index(row, self.content.column_of(day) or 0)
        self.selectionModel().setCurrentIndex(index, self.selectionModel().SelectionFlag.NoUpdate)

    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        self._units.show_current(current.row())
        for index in (current, previous):
            if index.isValid():
                self.viewport().update(self._ring_rect(index))
        self.moved.emit()

    def _ring_rect(self, index: QModelIndex) -> QRect:
        """What the focus ring of a cell covers: the cell, or the whole bar that lies on it."""
        row = self._model.row(index.row()) if index.isValid() else None
        span = None
        if row is not None and row.unit is not None and self.content is not None:
            span = self.content.span_at(row.unit, index.column())
        if span is not None and row is not None and row.unit is not None:
            return self.cell_rect(row.unit.unit.id, span.first, span.last).adjusted(-3, -3, 3, 3)
        return self.visualRect(index).adjusted(-2, -2, 2, 2)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update(self._ring_rect(self.currentIndex()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update(self._ring_rect(self.currentIndex()))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.content is not None:
            self.setAccessibleName(self.tr("Kalender unit"))
            self.corner.show_count(self.content.unit_count)
            self._restyle()
        super().changeEvent(event)

    def _restyle(self) -> None:
        self._painting = None
        self._units.forget_pictures()
        self._days.viewport().update()
        self.corner.update()
        self.viewport().update()
