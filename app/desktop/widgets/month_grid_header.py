"""The grid's frozen heads: days above, plates at the left, and the corner between them."""

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QHeaderView, QWidget

from app.desktop.formats import month_title
from app.desktop.icons import icon_pixmap
from app.desktop.language import language
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_model import MonthGridModel
from app.desktop.widgets.month_grid_pinned import Pinned, pinned_row
from app.desktop.widgets.month_grid_spans import Group
from app.desktop.widgets.month_grid_texts import header_lines
from app.desktop.widgets.paint import paint_count
from app.usecases.rows import FleetUnit

_PICTURES_KEPT = 512
WEEKDAY_ROOM = 26
_STAR = 6
_STARS_SIDE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class DayHeader(QHeaderView):
    """Weekday and number per column; chosen days carry a line at the bottom, today a chip."""

    def __init__(self, model: MonthGridModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._grid_model = model
        self._chosen: tuple[int, int, bool] | None = None
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(12)
        self.setHighlightSections(False)
        self.setAccessibleName(self.tr("Hari"))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme().sizes.grid_header)

    def show_chosen(self, first: int | None, last: int = 0, *, conflict: bool = False) -> None:
        """Draw the line under these columns; None removes it."""
        new = None if first is None else (first, last, conflict)
        if new != self._chosen:
            self._chosen = new
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        try:
            self._paint(painter, event.rect())
        finally:
            painter.end()

    def _paint(self, painter: QPainter, area: QRect) -> None:
        look, content = theme(), self._grid_model.content
        height = self.height()
        painter.fillRect(area, look.surface)
        if content is not None:
            for column in range(len(content.days)):
                x, width = self.sectionViewportPosition(column), self.sectionSize(column)
                if x + width >= area.left() and x <= area.right():
                    self._day(painter, content, column, x, width)
            if self.defaultSectionSize() < WEEKDAY_ROOM:
                self._months(painter, content)
            if self._chosen is not None:
                first, last, conflict = self._chosen
                left = self.sectionViewportPosition(first)
                right = self.sectionViewportPosition(last) + self.sectionSize(last)
                colour = look.conflict if conflict else look.accent
                painter.fillRect(left, height - 3, right - left - 1, 3, colour)
        painter.fillRect(area.left(), height - 1, area.width(), 1, look.line_strong)

    def _months(self, painter: QPainter, content: GridContent) -> None:
        """Too narrow for weekdays: their line names the months instead, as far as they are seen."""
        width, days = self.defaultSectionSize(), content.days
        starts = [0, *(column for column, day in enumerate(days) if day.day == 1 and column)]
        font = theme().font(TextRole.CAPTION, 600)
        painter.setFont(font)
        painter.setPen(theme().muted)
        for start, end in zip(starts, [*starts[1:], len(days)], strict=True):
            left = max(0, self.sectionViewportPosition(start)) + 6
            room = self.sectionViewportPosition(start) + (end - start) * width - left
            title = month_title(days[start], language())
            fitting = (name for name in (title, title.split(" ")[0][:3]) if fits(name, font, room))
            painter.drawText(QRectF(left, 3, room, 16), Qt.AlignmentFlag.AlignVCenter, next(fitting, ""))

    def _day(self, painter: QPainter, content: GridContent, column: int, x: int, width: int) -> None:
        look, day = theme(), content.days[column]
        height = self.height()
        holiday = day in content.holidays
        if day.weekday() >= 5 or holiday:
            painter.fillRect(x, 0, width, height, look.weekend)
        painter.fillRect(x + width - 1, 0 if width >= 34 else height // 2, 1, height, look.line)
        if day.day == 1 and column:
            painter.fillRect(x - 1, 0, 2, height, look.line_strong)
        weekday, number = header_lines(content, column, width)
        painter.setFont(look.font(TextRole.CAPTION))
        painter.setPen(look.muted)
        middle = Qt.AlignmentFlag.AlignCenter
        if width >= WEEKDAY_ROOM:
            painter.drawText(QRectF(x, 3, width, 16), middle, weekday)
        star = _STAR if holiday else 0
        font = number_font(number, width - 4 if not star else width - star - 1, narrow=width < WEEKDAY_ROOM)
        half = QFontMetricsF(font).horizontalAdvance(number) / 2
        # The star stands behind the number; where that has no room to spare both of them are in the middle.
        shift = max(0.0, half + star + 1 - width / 2) if star else 0.0
        box = QRectF(x - shift, 18, width, 18)
        ink = look.text
        if day == content.today:
            around = min(width / 2 - 0.5, max(13.0, half + 3))
            chip = QRectF(x + width / 2 - around, 18.5, 2 * around, 17)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.today)
            painter.drawRoundedRect(chip, 4, 4)
            painter.fillRect(QRectF(x + (width - 2) // 2, 35, 2, height - 35), look.today)
            ink = look.on_today
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(box, middle, number)
        if star:
            painter.setPen(ink if day == content.today and shift else look.error)
            painter.drawText(QRectF(x + width / 2 - shift + half, 18, star + 2, 18), _STARS_SIDE, "*")


def fits(text: str, font: QFont, room: float) -> bool:
    return QFontMetricsF(font).horizontalAdvance(text) <= room


def number_font(number: str, room: float, *, narrow: bool = False) -> QFont:
    """The largest of the type roles in which the number of a day, with the month's name on its first, fits. In narrow
    columns all of them are small: two holidays side by side keep their stars apart.
    """
    look = theme()
    for role in (TextRole.SECONDARY,) if narrow else (TextRole.BASE, TextRole.SECONDARY):
        font = look.font(role, 600)
        if QFontMetricsF(font).horizontalAdvance(number) <= room:
            return font
    return look.font(TextRole.CAPTION, 600)


def about_unit(unit: FleetUnit, room: int, metrics: QFontMetrics) -> str:
    """The colour behind the plate, nothing where the plate needs the room; the model's name stands in its SKU's row."""
    return unit.unit.colour if metrics.horizontalAdvance(unit.unit.colour) <= room else ""


class UnitHeader(QHeaderView):
    """Status dot, plate and colour per unit; chevron, name and count per SKU. `group_pressed` on a SKU's row."""

    group_pressed = Signal(object)

    def __init__(self, model: MonthGridModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._grid_model = model
        self._width = theme().sizes.unit_column
        self._current = -1
        self._pictures: OrderedDict[tuple[str, ...], QPixmap] = OrderedDict()
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setDefaultSectionSize(theme().sizes.grid_row)
        self.setHighlightSections(False)
        self.setAccessibleName(self.tr("Unit"))
        theme_source().changed.connect(self.forget_pictures)

    def forget_pictures(self) -> None:
        """Draw every row again: theme, language or pixel ratio changed."""
        self._pictures.clear()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def set_width(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._pictures.clear()
            self.updateGeometry()

    def show_current(self, row: int) -> None:
        """Mark the row of the current cell."""
        if row != self._current:
            for at in (row, self._current):
                if 0 <= at < self.count():
                    self.viewport().update(0, self.sectionViewportPosition(at), self.width(), self.sectionSize(at))
            self._current = row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        pinned = self._pinned()
        if pinned is not None and where.y() < pinned.y + self.defaultSectionSize():
            row = pinned.number
        else:
            row = self.logicalIndexAt(where)
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            found = self._grid_model.row(row)
            if found.unit is None:
                self.group_pressed.emit(found.group)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        try:
            self._paint(painter, event.rect())
        finally:
            painter.end()

    def _paint(self, painter: QPainter, area: QRect) -> None:
        look, content = theme(), self._grid_model.content
        painter.fillRect(area, look.surface)
        if content is None:
            return
        first = max(0, self.visualIndexAt(area.top()))
        row_height = self.defaultSectionSize()
        y = self.sectionViewportPosition(first)
        row = first
        while y <= area.bottom() and row < self._grid_model.rowCount():
            painter.drawPixmap(QPoint(0, y), self._picture(content, row))
            y += row_height
            row += 1
        pinned = self._pinned()
        if pinned is not None and area.top() < pinned.y + row_height:
            painter.drawPixmap(QPoint(0, pinned.y), self._picture(content, pinned.number))

    def _pinned(self) -> Pinned | None:
        return pinned_row(self._grid_model, self.offset(), self.defaultSectionSize())

    def _picture(self, content: GridContent, number: int) -> QPixmap:
        row = self._grid_model.row(number)
        current = "1" if number == self._current else ""
        if row.unit is None:
            group = row.group
            folded = "1" if self._grid_model.is_folded(group) else ""
            key: tuple[str, ...] = (group.sku.name, str(len(group.units)), folded, current)
        else:
            unit = row.unit
            dot = "m" if content.in_maintenance(unit) else "o" if content.is_out(unit) else "h"
            doubled = "1" if content.has_conflicts and content.conflicts(unit) else ""
            key = (unit.unit.plate, unit.unit.colour, dot, current, doubled)
        found = self._pictures.get(key)
        if found is None:
            found = self._drawn(row.group, row.unit, key)
            self._pictures[key] = found
            if len(self._pictures) > _PICTURES_KEPT:
                self._pictures.popitem(last=False)
        return found

    def _drawn(self, group: Group, unit: FleetUnit | None, key: tuple[str, ...]) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(QSize(round(self._width * ratio), round(self.defaultSectionSize() * ratio)))
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        try:
            if unit is None:
                self._draw_group(painter, group, folded=bool(key[2]), current=bool(key[3]))
            else:
                self._draw_unit(painter, unit, dot=key[2], current=bool(key[3]), doubled=bool(key[4]))
        finally:
            painter.end()
        return picture

    def _draw_group(self, painter: QPainter, group: Group, *, folded: bool, current: bool) -> None:
        look, width, height = theme(), self._width, self.defaultSectionSize()
        painter.fillRect(0, 0, width, height, look.soft if current else look.head)
        painter.fillRect(0, 0, width, 1, look.line_strong)
        painter.fillRect(0, height - 1, width, 1, look.line_strong)
        if current:
            painter.fillRect(0, 0, 3, height, look.accent)
        chevron = icon_pixmap(
            "chevron_right" if folded else "chevron_down", look.text, 14, painter.device().devicePixelRatioF()
        )
        painter.drawPixmap(QPointF(8, (height - 14) / 2), chevron)
        sisa = self.tr("sisa")
        caption = look.font(TextRole.CAPTION)
        right = width - 8 - QFontMetrics(caption).horizontalAdvance(sisa)
        font = look.font(TextRole.SECONDARY, 600)
        count = str(len(group.units))
        room = right - 6 - 24 - 28
        metrics = QFontMetrics(font)
        if metrics.horizontalAdvance(group.sku.name) > room:
            # The name comes first: what the numbers mean is said by the other rows and aloud.
            sisa, room = "", width - 8 - 24 - 28
        name = metrics.elidedText(group.sku.name, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(look.text)
        box = QRectF(28, 0, room + 2, height)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        paint_count(painter, 28 + QFontMetrics(font).horizontalAdvance(name) + 6, height / 2, count)
        if sisa:
            painter.setFont(caption)
            painter.setPen(look.muted)
            painter.drawText(QRectF(right, 0, width - right, height), Qt.AlignmentFlag.AlignVCenter, sisa)
        painter.fillRect(width - 1, 0, 1, height, look.line_strong)

    def _draw_unit(self, painter: QPainter, unit: FleetUnit, *, dot: str, current: bool, doubled: bool) -> None:
        look, width, height = theme(), self._width, self.defaultSectionSize()
        painter.fillRect(0, 0, width, height, look.soft if current else look.surface)
        painter.fillRect(0, height - 1, width, 1, look.line)
        if current:
            painter.fillRect(0, 0, 3, height, look.accent)
        if doubled:
            picture = icon_pixmap("warning", look.error, 14, painter.device().devicePixelRatioF())
            painter.drawPixmap(QPointF(9, (height - 14) / 2), picture)
        else:
            self._draw_dot(painter, QRectF(12, height / 2 - 3.5, 7, 7), dot, look.muted)
        plate_font = look.font(TextRole.SECONDARY, 600)
        colour_font = look.font(TextRole.CAPTION)
        plate_room = QFontMetrics(plate_font).horizontalAdvance(unit.unit.plate)
        about = about_unit(unit, width - 28 - plate_room - 12 - 8, QFontMetrics(colour_font))
        about_width = QFontMetrics(colour_font).horizontalAdvance(about)
        self._text(painter, plate_font, look.text, 28, width - 28 - about_width - 12, unit.unit.plate)
        painter.setFont(colour_font)
        painter.setPen(look.muted)
        box = QRectF(width - 8 - about_width, 0, about_width + 1, height)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, about)
        painter.fillRect(width - 1, 0, 1, height, look.line_strong)

    def _draw_dot(self, painter: QPainter, box: QRectF, dot: str, ink: QColor) -> None:
        """Disc: here; ring: with a customer; square: in maintenance."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, dot != "m")
        painter.setPen(QPen(ink, 1.4) if dot == "o" else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if dot == "o" else ink)
        if dot == "m":
            painter.drawRect(box.toAlignedRect())
        else:
            painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5) if dot == "o" else box)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _text(self, painter: QPainter, font: QFont, ink: QColor, x: float, room: float, text: str) -> None:
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(room))
        painter.setFont(font)
        painter.setPen(ink)
        box = QRectF(x, 0, room + 2, self.defaultSectionSize())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class GridCorner(QWidget):
    """The cell above the plates: "Unit" and how many are shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines: Sequence[str] = ("", "")
        self._place = ""
        self._count = 0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_count(self, units: int) -> None:
        """How many units the grid has."""
        self._count = units
        count = self.tr("%n unit", "", units)
        place = self._place or self.tr("Unit")
        self.show_lines(place, count)

    def set_place(self, name: str) -> None:
        """The name of the branch that is shown when it is not the own one."""
        if name != self._place:
            self._place = name
            self.show_count(self._count)

    def show_lines(self, above: str, below: str) -> None:
        self._lines = (above, below)
        self.setAccessibleName(f"{above}, {below}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), look.surface)
            painter.setFont(look.font(TextRole.CAPTION))
            painter.setPen(look.muted)
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(12, 3, self.width() - 16, 16), left, self._lines[0])
            painter.setFont(look.font(TextRole.SECONDARY, 600))
            painter.setPen(look.text)
            room = self.width() - 16
            below = painter.fontMetrics().elidedText(self._lines[1], Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(12, 18, room, 18), left, below)
            painter.fillRect(0, self.height() - 1, self.width(), 1, look.line_strong)
            painter.fillRect(self.width() - 1, 0, 1, self.height(), look.line_strong)
        finally:
            painter.end()
