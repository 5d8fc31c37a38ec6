"""The dashed frame of refused and doubled days, open where it would cross the words of a bar that goes on."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

_DASHES = (2.2, 1.6)


def paint_dashed(
    painter: QPainter,
    box: QRectF,
    colour: QColor,
    line: int,
    radius: int,
    *,
    left: bool = True,
    right: bool = True,
) -> None:
    """The frame inside `box`; a side that is False stays open, and the lines above and below run on to its edge."""
    pen = QPen(colour, line)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(_DASHES)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = line / 2
    inner = box.adjusted(half if left else 0, half, -half if right else 0, -half)
    if left and right:
        painter.drawRoundedRect(inner, radius, radius)
    elif left or right:
        painter.drawPath(_three_sides(inner, radius, open_right=left))
    else:
        painter.drawLine(inner.topLeft(), inner.topRight())
        painter.drawLine(inner.bottomLeft(), inner.bottomRight())


def _three_sides(box: QRectF, radius: int, *, open_right: bool) -> QPainterPath:
    """From the open end round the closed one and back."""
    away, near = (box.right(), box.left()) if open_right else (box.left(), box.right())
    turn = radius if open_right else -radius
    path = QPainterPath()
    path.moveTo(away, box.top())
    path.lineTo(near + turn, box.top())
    path.quadTo(near, box.top(), near, box.top() + radius)
    path.lineTo(near, box.bottom() - radius)
    path.quadTo(near, box.bottom(), near + turn, box.bottom())
    path.lineTo(away, box.bottom())
    return path
