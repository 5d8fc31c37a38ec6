"""How a double claim is drawn: over the bars of its unit, in its SKU's row, and beside the plate."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.desktop.icons import icon_pixmap
from app.desktop.theme import TextRole, Theme
from app.desktop.widgets.month_grid_dashes import paint_dashed
from app.desktop.widgets.month_grid_strips import Frame, paint_hatch

_SIGN = 14
_CORNER = 8


class ConflictPainting:
    """In device pixels, over everything that a row shows: nobody may overlook it, in no zoom."""

    def __init__(self, look: Theme, frame: Frame) -> None:
        self._look = look
        self._frame = frame
        self._font = look.font(TextRole.CAPTION, 600)
        self._font.setPixelSize(self._px(11))

    def stretch(
        self,
        painter: QPainter,
        columns: tuple[int, int],
        shift: int,
        y: int,
        claims: Sequence[str] = (),
        *,
        times: Iterable[tuple[float, float]] = (),
        goes_on: bool = False,
    ) -> None:
        """The columns that two rows claim: X hatch at the row's edges, red dash around, open at the right where the
        upper bar `goes_on`. In the widest room beside countdowns (`times`, from and to) stand the sign and the first of
        the claims' forms that fits, on a plate of its own.
        """
        first, last = columns
        look, frame = self._look, self._frame
        x, width = shift + first * frame.column, (last - first + 1) * frame.column
        box = QRectF(x, y + 1, width, frame.row - 3)
        ink, wash = QColor(look.conflict), QColor(look.conflict)
        ink.setAlphaF(0.8)
        wash.setAlphaF(0.18)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(box, wash)
        edge = self._px(3)
        for top in (box.top(), box.bottom() - edge):
            paint_hatch(painter, QRectF(x, top, width, edge), ink, self._px(4), self._px(1))
        line = self._px(2)
        paint_dashed(painter, box, look.conflict, line, self._px(3), right=not goes_on)
        side = min(self._px(_SIGN), frame.column - 2 * line)
        left, right = widest_room(box.left() + line, box.right() - line, times)
        if right - left >= side + 2:
            self._sign(painter, claims, QRectF(left, box.top(), right - left, box.height()), side)
        painter.restore()

    def _sign(self, painter: QPainter, claims: Sequence[str], room: QRectF, side: int) -> None:
        look = self._look
        middle = QPointF(room.left() + side / 2 + 1, room.center().y())
        painter.setPen(QPen(look.conflict, max(1, self._px(1))))
        painter.setBrush(look.surface)
        painter.drawEllipse(middle, side / 2 + self._px(2), side / 2 + self._px(2))
        picture = icon_pixmap("warning", look.conflict, side, 1.0)
        painter.drawPixmap(QPointF(middle.x() - side / 2, middle.y() - side / 2 - 0.5), picture)
        from_x = middle.x() + side / 2 + self._px(6)
        self._words(painter, claims, QRectF(from_x, room.top(), room.right() - from_x, room.height()))

    def _words(self, painter: QPainter, forms: Sequence[str], room: QRectF) -> None:
        metrics, pad = QFontMetricsF(self._font), self._px(3)
        text = next((form for form in forms if metrics.horizontalAdvance(form) + 2 * pad <= room.width()), "")
        if not text:
            return
        height = self._px(15)
        plate = QRectF(room.left(), room.center().y() - height / 2, metrics.horizontalAdvance(text) + 2 * pad, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.surface)
        painter.drawRoundedRect(plate, pad, pad)
        painter.setPen(self._look.error)
        painter.setFont(self._font)
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def corner(self, painter: QPainter, column: int, shift: int, y: int) -> None:
        """The mark in a SKU's row: it stands there when the units are folded away, too."""
        x, side = shift + column * self._frame.column, self._px(_CORNER)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.conflict)
        top = y + self._px(1)
        painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x + side, top), QPointF(x, top + side)]))
        painter.restore()

    def _px(self, length: float) -> int:
        return round(length * self._frame.ratio)


def widest_room(left: float, right: float, kept: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """The widest stretch between `left` and `right` that leaves every kept one free, the leftmost of equal ones."""
    rooms: list[tuple[float, float]] = []
    at = left
    for start, end in sorted(kept):
        if end > at and start < right:
            rooms.append((at, max(at, start)))
            at = end
    rooms.append((at, max(at, right)))
    return max(rooms, key=lambda room: room[1] - room[0])
