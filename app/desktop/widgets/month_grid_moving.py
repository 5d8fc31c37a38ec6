"""A bar in the hand: the ghost that follows pointer or arrows until it is put down or given up."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_ghost import Ghost, Grip, Verdict, moved_to, rechecked, rented, resized_to
from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.desktop.widgets.month_grid_selection import StopReason
from app.desktop.widgets.month_grid_spans import Span
from app.desktop.widgets.month_grid_table import GridTable
from app.desktop.widgets.month_grid_texts import bar_title
from app.domain.days import Days
from app.usecases.rows import Bar, FleetUnit

EDGE_ROWS, EDGE_DAYS = 22, 12
"""How near to an edge of the viewport a drag scrolls, in pixels."""
EDGE_MS = 140
_DAYS_EVERY = 3
_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MovingGrid(GridTable):
    """One ghost at a time. `ghost_changed` while it moves (a Ghost or None), `ghost_dropped` when it is put down: it
    stays where it is until `end_ghost`. `edge_pushed` with +1 or -1 when a drag wants other days.
    """

    ghost_changed = Signal(object)
    ghost_dropped = Signal(object)
    edge_pushed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ghost: Ghost | None = None
        self._verdict = Verdict.HOME
        self._is_dropped = False
        self._held_day: dt.date | None = None
        self._pointer: QPoint | None = None
        self._over_lane: Callable[[QPoint], bool] = lambda _where: False
        self._parked: dict[str, tuple[str, Days]] = {}
        self._edge_turns = 0
        self._edge = QTimer(self)
        self._edge.setInterval(EDGE_MS)
        self._edge.timeout.connect(self._push_edge)

    # --- what the screen tells it -------------------------------------------------------------------------------------

    def set_lane(self, over_lane: Callable[[QPoint], bool]) -> None:
        """Answers whether a global point lies over the parking lane."""
        self._over_lane = over_lane

    def set_parked(self, bars: tuple[Bar, ...]) -> None:
        """These bars wait in the lane: their rows look free."""
        self._parked = {bar.booking_id: (bar.unit_id, bar.days) for bar in bars if bar.booking_id is not None}
        self.grid_model().parked = tuple(self._parked.values())
        self.viewport().update()

    def unfold_row_of(self, unit_id: str) -> None:
        """Open the SKU that hides a unit, if it is folded."""
        folded = self.grid_model().folded_group_of(unit_id)
        if folded is not None:
            self.toggle(folded)

    def set_verdict(self, verdict: Verdict) -> None:
        """What is known about the ghost's place."""
        if verdict is not self._verdict:
            self._verdict = verdict
            self.viewport().update()

    # --- the ghost ----------------------------------------------------------------------------------------------------

    def ghost(self) -> Ghost | None:
        return self._ghost

    def is_moving(self) -> bool:
        """A bar is in the hand and was not put down yet."""
        return self._ghost is not None and not self._is_dropped

    def begin_ghost(self, unit: FleetUnit, bar: Bar, grip: Grip, *, by_keys: bool, held: dt.date | None = None) -> None:
        """Take a bar into the hand at one of its days; by keys it is moved with the arrows."""
        days = rented(bar)
        self._held_day = held or days.first
        self._is_dropped = False
        self._put(Ghost(bar=bar, home=unit, unit=unit, days=days, grip=grip, by_keys=by_keys))

    def take_bar_anew(self, bar: Bar) -> None:
        """The bar in the hand was read again, in its old place."""
        if self._ghost is not None:
            self._put(replace(self._ghost, bar=bar))

    def drop_ghost(self) -> None:
        """Put it down where it is."""
        if self.is_moving() and self._ghost is not None:
            self._stop_edge()
            self._is_dropped = True
            self.ghost_dropped.emit(self._ghost)

    def end_ghost(self) -> bool:
        """Let it go; the bar is where the server has it. False when nothing was in the hand."""
        had = self._ghost is not None
        self._stop_edge()
        self._is_dropped = False
        if had:
            self._put(None)
        return had

    def drag_ghost(self, where: QPoint) -> None:
        """The pointer is here now (viewport coordinates)."""
        ghost, content = self._ghost, self.content
        if ghost is None or content is None or self._is_dropped:
            return
        if ghost.grip in (Grip.BODY, Grip.ROW) and self._over_lane(self.viewport().mapToGlobal(where)):
            self._put(replace(ghost, parks=True, unit=ghost.home, days=ghost.before, obstacle=None, stopped=None))
            self._stop_edge()
            return
        day = content.days[self.column_near(where.x())]
        if ghost.grip in (Grip.START, Grip.END):
            self._put(resized_to(replace(ghost, parks=False), content, day))
        else:
            shift = day - (self._held_day or day)
            unit = self._unit_near(where.y()) or ghost.unit
            self._put(moved_to(replace(ghost, parks=False), content, unit, ghost.before.first + shift))
        self._watch_edge(where)

    def step_ghost(self, rows: int, days: int) -> None:
        """An arrow: another unit, or a day more or less."""
        ghost, content = self._ghost, self.content
        if ghost is None or content is None or self._is_dropped:
            return
        step = dt.timedelta(days=days)
        if ghost.grip is Grip.END:
            moved = resized_to(ghost, content, ghost.days.last + step)
        elif ghost.grip is Grip.START:
            moved = resized_to(ghost, content, ghost.days.first + step)
        else:
            moved = moved_to(ghost, content, self._unit_beside(ghost.unit, rows), ghost.days.first + step)
        self._put(moved)
        self._keep_seen(moved)

    def ghost_key(self, event: QKeyEvent) -> bool:
        """A key while a bar is in the hand: arrows move it, Enter puts it down. Every key is taken until it settled."""
        if not self.is_moving():
            if self._ghost is None:
                return False
            event.accept()  # put down and not settled yet: another Enter is no other wish
            return True
        key, ghost = Qt.Key(event.key()), self._ghost
        if key in _ARROWS:
            self.step_ghost(*_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.drop_ghost()
        elif key == Qt.Key.Key_Home and ghost is not None and self.content is not None:
            self._put(rechecked(replace(ghost, unit=ghost.home, days=ghost.before, stopped=None), self.content))
        event.accept()
        return True

    def ghost_rect(self) -> QRect:
        """Its cells in the viewport; empty while they are not shown."""
        ghost = self._ghost
        columns = self._columns(ghost.days) if ghost is not None else None
        if ghost is None or columns is None:
            return QRect()
        return self.cell_rect(ghost.unit.unit.id, *columns)

    def home_rect(self) -> QRect:
        """The cells the ghost came from; empty while they are not shown."""
        ghost = self._ghost
        columns = self._columns(ghost.before) if ghost is not None else None
        return self.cell_rect(ghost.home.unit.id, *columns) if ghost is not None and columns is not None else QRect()

    # --- for the subclass ---------------------------------------------------------------------------------------------

    def follow(self, where: QPoint) -> None:
        """The rows or days went on under a pointer that is held here."""
        self.drag_ghost(where)

    def column_near(self, x: int) -> int:
        """The column under a place, or the nearest one."""
        column = self.columnAt(x)
        if column >= 0:
            return column
        return 0 if x < self.columnViewportPosition(0) else self._model.columnCount() - 1

    def is_busy_with_hand(self) -> bool:
        return self.is_moving() and self._ghost is not None and not self._ghost.by_keys

    def content_changed(self) -> None:
        """Other days are shown: the ghost keeps its days; a dragged one follows the pointer that stands still."""
        self._look_again()
        if self.is_busy_with_hand() and self._pointer is not None:
            self.follow(self._pointer)

    def days_changed(self) -> None:
        self._look_again()

    def ghost_marks(self) -> list[GridMark]:
        """The parked bars, the place that was left, the ghost, and the bar it ran into."""
        content = self.content
        if content is None:
            return []
        marks = [
            GridMark(kind=MarkKind.PARKED, unit_id=unit_id, first=columns[0], last=columns[1], text=self.tr("Parkir"))
            for unit_id, days in self._parked.values()
            if (columns := self._columns(days)) is not None
        ]
        ghost = self._ghost
        if ghost is None:
            return marks
        home = self._columns(ghost.before)
        if home is not None and not (ghost.by_keys and ghost.is_home):
            text = bar_title(self._as_span(ghost, home))
            marks.append(
                GridMark(kind=MarkKind.ORIGIN, unit_id=ghost.home.unit.id, first=home[0], last=home[1], text=text)
            )
        here = self._columns(ghost.days)
        if here is not None and not ghost.parks:
            text = bar_title(self._as_span(ghost, here))
            marks.append(
                GridMark(
                    kind=self._mark_kind(ghost), unit_id=ghost.unit.unit.id, first=here[0], last=here[1], text=text
                )
            )
        marks += self._stop_marks(ghost)
        return marks

    # --- inside -------------------------------------------------------------------------------------------------------

    def _put(self, ghost: Ghost | None) -> None:
        if ghost == self._ghost:
            return
        self._ghost = ghost
        self.show_head_line()
        self.viewport().update()
        self.ghost_changed.emit(ghost)

    def _look_again(self) -> None:
        ghost, content = self._ghost, self.content
        if ghost is None or content is None or self._is_dropped:
            return  # once it was put down the days there may be its own already: they are the server's to judge
        if content.unit(ghost.home.unit.id) is not None and content.unit(ghost.unit.unit.id) is not None:
            self._put(rechecked(ghost, content))

    def _mark_kind(self, ghost: Ghost) -> MarkKind:
        match self._verdict:
            case Verdict.REFUSED:
                return MarkKind.GHOST_REFUSED
            case Verdict.CHECKING:
                return MarkKind.GHOST_CHECKING
            case Verdict.HOME | Verdict.ALLOWED:
                return MarkKind.GHOST

    def _stop_marks(self, ghost: Ghost) -> list[GridMark]:
        found = ghost.stopped or ghost.obstacle
        if found is None or found.span is None or found.reason is not StopReason.TAKEN or ghost.parks:
            return []
        side = "after" if found.day < ghost.days.first else ""
        return [
            GridMark(
                kind=MarkKind.STOPPED,
                unit_id=ghost.unit.unit.id,
                first=found.span.first,
                last=found.span.last,
                text=side,
            )
        ]

    def _as_span(self, ghost: Ghost, columns: tuple[int, int]) -> Span:
        content = self.content
        found = None
        if isinstance(content, GridContent):
            home = self._columns(ghost.before)
            is_shown = home is not None and content.unit(ghost.home.unit.id) is not None
            found = content.span_at(ghost.home, home[0]) if home is not None and is_shown else None
        state = found.state if found is not None and found.bar is not None else None
        return Span(
            first=columns[0],
            last=columns[1],
            opens_before=False,
            ends_after=False,
            state=state,
            bar=ghost.bar,
            deadline=None,
            needs_action=False,
        )

    def _columns(self, days: Days) -> tuple[int, int] | None:
        content = self.content
        if content is None or not days.overlaps(content.window):
            return None
        first, last = max(days.first, content.window.first), min(days.last, content.window.last)
        return (first - content.window.first).days, (last - content.window.first).days

    def _unit_near(self, y: int) -> FleetUnit | None:
        row = self.rowAt(min(max(0, y), self.viewport().height() - 1))
        return self._model.row(row).unit if row >= 0 else None

    def _unit_beside(self, unit: FleetUnit, step: int) -> FleetUnit:
        """The next row with a unit; the same one at either end."""
        row = self._model.row_of_unit(unit.unit.id)
        while row is not None and step:
            row += step
            if not 0 <= row < self._model.rowCount():
                return unit
            found = self._model.row(row).unit
            if found is not None:
                return found
        return unit

    def _keep_seen(self, ghost: Ghost) -> None:
        """Scroll the row and push the days, so that what the arrows moved stays in sight."""
        row, content = self._model.row_of_unit(ghost.unit.unit.id), self.content
        if row is None or content is None:
            return
        end = ghost.days.last if ghost.grip is Grip.END else ghost.days.first
        column = content.column_of(end)
        if column is not None:
            self.scrollTo(self._model.index(row, column))
        elif end > content.window.last:
            self.edge_pushed.emit(1)
        else:
            self.edge_pushed.emit(-1)

    def _watch_edge(self, where: QPoint) -> None:
        self._pointer = where
        if any(self._pushes(where)):
            if not self._edge.isActive():
                self._edge_turns = 0
                self._edge.start()
        else:
            self._edge.stop()

    def _pushes(self, where: QPoint) -> tuple[int, int]:
        """Which way rows and days should go: -1, 0 or 1 each."""
        area = self.viewport().rect()
        rows = -1 if where.y() < EDGE_ROWS else 1 if where.y() > area.bottom() - EDGE_ROWS else 0
        days = -1 if where.x() < EDGE_DAYS else 1 if where.x() > area.right() - EDGE_DAYS else 0
        return rows, days

    def _push_edge(self) -> None:
        where = self._pointer
        if where is None:
            self._edge.stop()
            return
        rows, days = self._pushes(where)
        self._edge_turns += 1
        if rows and self._scrolls_rows():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + rows * bar.singleStep())
        if days and self._edge_turns % _DAYS_EVERY == 0 and self._may_push(days):
            self.edge_pushed.emit(days)
        self.follow(where)

    def _scrolls_rows(self) -> bool:
        return self._ghost is not None and self._ghost.grip in (Grip.BODY, Grip.ROW)

    def _may_push(self, days: int) -> bool:
        return self._ghost is not None and self._ghost.grip is not Grip.ROW

    def _stop_edge(self) -> None:
        self._edge.stop()
        self._pointer = None

    def hideEvent(self, event: QHideEvent) -> None:
        """Another screen comes: nothing stays in the hand."""
        if self.is_moving():
            self.end_ghost()
        super().hideEvent(event)

    def show_head_line(self) -> None:
        ghost = self._ghost
        columns = self._columns(ghost.days) if ghost is not None and not ghost.parks else None
        if columns is not None:
            self._days.show_chosen(*columns, conflict=self._verdict is Verdict.REFUSED)
        else:
            super().show_head_line()
