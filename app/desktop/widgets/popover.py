"""A small framed panel over a viewport with a notch that points at what it speaks of."""

from collections.abc import Sequence
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.desktop.theme import theme, theme_source

NOTCH = 9


class Side(Enum):
    """Where the panel lies, seen from its target."""

    RIGHT = auto()
    LEFT = auto()
    BELOW = auto()
    ABOVE = auto()


class Popover(QFrame):
    """A child of the viewport; put widgets into `body`. It never takes clicks away when `see_through`."""

    def __init__(self, parent: QWidget, *, see_through: bool = False, notch: bool = True) -> None:
        super().__init__(parent)
        self._side = Side.RIGHT
        self._tip = 24
        self._notch = NOTCH if notch else 0
        self.body = QVBoxLayout(self)
        room = self._notch + 1
        self.body.setContentsMargins(room, room, room, room + 1)
        self.body.setSpacing(4)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, see_through)
        # A viewport's children would take its text role; the labels in here have their own tones.
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        theme_source().changed.connect(self.update)
        self.hide()

    def pad(self, horizontal: int, vertical: int) -> None:
        """Distance between the line and the content."""
        room = self._notch + 1
        self.body.setContentsMargins(room + horizontal, room + vertical, room + horizontal, room + vertical + 1)

    def place(self, target: QRect, clear: Sequence[QRect] = (), within: QRect | None = None) -> None:
        """Show beside `target` (viewport coordinates): right, left, below, above, the first that hides none of `clear`.

        Where every side hides something, the one that hides least. `within` is the part of the viewport that is seen.
        """
        parent = self.parentWidget()
        if parent is None:
            return
        self._fit()
        size, area = self.size(), within or parent.rect()
        best: tuple[int, Side, QRect, QRect] | None = None
        for side, beside in self._candidates(target, clear):
            rect = self._rect(side, beside, size, area)
            outside = size.width() * size.height() - _covered(rect, area)
            hidden = sum(_covered(rect, other) for other in (target, *clear)) + 4 * outside
            if best is None or hidden < best[0]:
                best = (hidden, side, rect, beside)
            if hidden == 0:
                break
        if best is None:
            return
        _, self._side, rect, beside = best
        rect = _inside(rect, area)
        self._tip = self._tip_of(beside, rect)
        self.move(rect.topLeft())
        self.show()
        self.raise_()
        self.update()

    def _fit(self) -> None:
        """As high as its texts need at this width: wrapped lines are counted, not guessed."""
        self.body.invalidate()
        self.body.activate()
        self.adjustSize()
        width = self.width()
        if self.body.hasHeightForWidth():
            self.resize(width, max(self.minimumHeight(), self.body.totalHeightForWidth(width)))

    def side(self) -> Side:
        return self._side

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect()).adjusted(self._notch, self._notch, -self._notch, -self._notch)
            edge = box.adjusted(0.5, 0.5, -0.5, -1.5)
            shape = QPainterPath()
            shape.addRoundedRect(edge, look.sizes.radius_card, look.sizes.radius_card)
            if self._notch:
                shape = shape.united(self._notch_path(edge))
            painter.setPen(QPen(look.control, 1))
            painter.setBrush(look.surface)
            painter.drawPath(shape)
            painter.setPen(QPen(look.control, 2))
            left, right = edge.left() + 7, edge.right() - 7
            painter.drawLine(QPointF(left, edge.bottom() + 0.5), QPointF(right, edge.bottom() + 0.5))
        finally:
            painter.end()

    def _candidates(self, target: QRect, clear: Sequence[QRect]) -> list[tuple[Side, QRect]]:
        """Beside the target itself, then beside everything that is to stay visible, in the target's row or column."""
        whole = QRect(target)
        for rect in clear:
            whole = whole.united(rect)
        wide = QRect(whole.left(), target.top(), whole.width(), target.height())
        tall = QRect(target.left(), whole.top(), target.width(), whole.height())
        outer = [(side, wide if side in (Side.RIGHT, Side.LEFT) else tall) for side in Side]
        return [*((side, target) for side in Side), *outer]

    def _notch_path(self, edge: QRectF) -> QPainterPath:
        half, tip = NOTCH * 0.75, float(self._tip)
        path = QPainterPath()
        match self._side:
            case Side.RIGHT:
                points = [
                    QPointF(edge.left() + 1, tip - half),
                    QPointF(edge.left() - NOTCH + 1, tip),
                    QPointF(edge.left() + 1, tip + half),
                ]
            case Side.LEFT:
                points = [
                    QPointF(edge.right() - 1, tip - half),
                    QPointF(edge.right() + NOTCH - 1, tip),
                    QPointF(edge.right() - 1, tip + half),
                ]
            case Side.BELOW:
                points = [
                    QPointF(tip - half, edge.top() + 1),
                    QPointF(tip, edge.top() - NOTCH + 1),
                    QPointF(tip + half, edge.top() + 1),
                ]
            case Side.ABOVE:
                points = [
                    QPointF(tip - half, edge.bottom() - 1),
                    QPointF(tip, edge.bottom() + NOTCH - 1),
                    QPointF(tip + half, edge.bottom() - 1),
                ]
        path.moveTo(points[0])
        for point in points[1:]:
            path.lineTo(point)
        path.closeSubpath()
        return path

    def _tip_of(self, target: QRect, rect: QRect) -> int:
        """The notch's place along the side that faces the target."""
        if self._side in (Side.RIGHT, Side.LEFT):
            return max(26, min(rect.height() - 26, target.center().y() - rect.top()))
        return max(30, min(rect.width() - 30, target.center().x() - rect.left()))

    def _rect(self, side: Side, target: QRect, size: QSize, area: QRect) -> QRect:
        rect = QRect(target.topLeft(), size)
        lead = 26  # the notch sits near the beginning of the side, as in a spoken bubble
        match side:
            case Side.RIGHT:
                rect.moveLeft(target.right() + 1)
                rect.moveTop(target.center().y() - lead)
            case Side.LEFT:
                rect.moveRight(target.left() - 1)
                rect.moveTop(target.center().y() - lead)
            case Side.BELOW:
                rect.moveTop(target.bottom() + 1)
                rect.moveLeft(target.left())
            case Side.ABOVE:
                rect.moveBottom(target.top() - 1)
                rect.moveLeft(target.left())
        if side in (Side.RIGHT, Side.LEFT):
            rect.moveTop(max(area.top(), min(rect.top(), area.bottom() + 1 - size.height())))
        else:
            rect.moveLeft(max(area.left(), min(rect.left(), area.right() + 1 - size.width())))
        return rect


def _inside(rect: QRect, area: QRect) -> QRect:
    """Moved so that all of it is seen, over what it speaks of where there is no other room; its top and left first."""
    left = max(area.left(), min(rect.left(), area.right() + 1 - rect.width()))
    top = max(area.top(), min(rect.top(), area.bottom() + 1 - rect.height()))
    return QRect(left, top, rect.width(), rect.height())


def _covered(rect: QRect, other: QRect) -> int:
    common = rect.intersected(other)
    return common.width() * common.height() if common.isValid() else 0
