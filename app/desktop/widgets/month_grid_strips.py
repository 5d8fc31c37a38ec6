"""The backgrounds of grid rows as ready pictures: weekends, holidays, lines, today, stale hatch, per-day numbers."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap

from app.desktop.theme import BannerKind, TextRole, Theme
from app.desktop.widgets.month_grid_content import GridContent

_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The grid's measures in device pixels, and whether its data is stale."""

    ratio: float
    width: int
    column: int
    row: int
    stale: bool


class RowStrips:
    """Draws each background once per theme, measures and window; afterwards a row is one copied picture."""

    def __init__(self, look: Theme, frame: Frame, content: GridContent) -> None:
        self._look = look
        self._frame = frame
        self._content = content
        self._unit: QPixmap | None = None
        self._groups: OrderedDict[tuple[int, ...], QPixmap] = OrderedDict()
        self._number_font = look.font(TextRole.BASE, 400)
        self._number_font.setPixelSize(self._px(13))
        self._zero_font = QFont(self._number_font)
        self._zero_font.setWeight(QFont.Weight.Bold)

    def unit_row(self) -> QPixmap:
        if self._unit is None:
            self._unit = self._picture(self.paint_unit_row)
        return self._unit

    def group_row(self, left: tuple[int, ...]) -> QPixmap:
        """The strip of a SKU row with how many units remain each day."""
        found = self._groups.get(left)
        if found is None:
            found = self._picture(lambda painter: self.paint_group_row(painter, left))
            self._groups[left] = found
            if len(self._groups) > _KEPT:
                self._groups.popitem(last=False)
        else:
            self._groups.move_to_end(left)
        return found

    def paint_unit_row(self, painter: QPainter) -> None:
        """Draw a unit's empty row at (0, 0)."""
        look, frame = self._look, self._frame
        painter.fillRect(0, 0, frame.width, frame.row, look.surface)
        for column, day in enumerate(self._content.days):
            area = QRectF(column * frame.column, 0, frame.column, frame.row)
            if day in self._content.holidays:
                painter.fillRect(area, look.weekend)
                self._dots(painter, area)
            elif day.weekday() >= 5:
                painter.fillRect(area, look.weekend)
        if frame.stale:
            self._hatch(painter)
        self._lines(painter)

    def paint_group_row(self, painter: QPainter, left: tuple[int, ...]) -> None:
        """Draw a SKU's row at (0, 0): the count of free units per day, 0 in bold on the warning fill."""
        look, frame = self._look, self._frame
        painter.fillRect(0, 0, frame.width, frame.row, look.head)
        warning = look.banner(BannerKind.WARNING)
        for column, count in enumerate(left):
            if count == 0:
                painter.fillRect(QRectF(column * frame.column, 0, frame.column, frame.row), warning.fill)
        if frame.stale:
            self._hatch(painter)
        for column, count in enumerate(left):
            area = QRectF(column * frame.column, 0, frame.column, frame.row)
            painter.setFont(self._number_font if count else self._zero_font)
            painter.setPen(look.muted if count else warning.text)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(count))
        line = max(1, self._px(1))
        painter.fillRect(0, frame.row - line, frame.width, line, look.line_strong)
        painter.fillRect(0, 0, frame.width, line, look.line_strong)

    def _lines(self, painter: QPainter) -> None:
        look, frame = self._look, self._frame
        line = max(1, self._px(1))
        for column, day in enumerate(self._content.days):
            right = (column + 1) * frame.column - line
            painter.fillRect(right, 0, line, frame.row, look.line)
            if day.day == 1 and column:
                painter.fillRect(column * frame.column - line, 0, 2 * line, frame.row, look.line_strong)
        painter.fillRect(0, frame.row - line, frame.width, line, look.line)
        self._today(painter)

    def _today(self, painter: QPainter) -> None:
        column = self._content.column_of(self._content.today)
        if column is not None:
            thick = self._px(2)
            middle = column * self._frame.column + (self._frame.column - thick) // 2
            painter.fillRect(middle, 0, thick, self._frame.row, self._look.today)

    def _dots(self, painter: QPainter, area: QRectF) -> None:
        step, radius = self._px(6), 0.55 * self._frame.ratio
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.control)
        y = step / 2
        while y < area.height():
            x = area.left() + step / 2
            while x < area.right():
                painter.drawEllipse(QPointF(x, y), radius, radius)
                x += step
            y += step
        painter.restore()

    def _hatch(self, painter: QPainter) -> None:
        """Stale data: 45-degree lines. The period divides the row's height, so rows join without a seam."""
        ink = QColor(self._look.stale)
        ink.setAlphaF(0.25)
        paint_hatch(painter, QRectF(0, 0, self._frame.width, self._frame.row), ink, self._frame.row / 4, self._px(1))

    def _picture(self, paint: Callable[[QPainter], None]) -> QPixmap:
        picture = QPixmap(max(1, self._frame.width), self._frame.row)
        painter = QPainter(picture)
        try:
            paint(painter)
        finally:
            painter.end()
        return picture

    def _px(self, length: float) -> int:
        return round(length * self._frame.ratio)


def paint_hatch(painter: QPainter, area: QRectF, ink: QColor, step: float, line: float) -> None:
    """Rising 45-degree lines over `area`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(ink, line))
    at = area.left() - area.height()
    while at < area.right():
        painter.drawLine(QPointF(at, area.bottom()), QPointF(at + area.height(), area.top()))
        at += step
    painter.restore()
