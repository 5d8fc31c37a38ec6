"""A unit seen from one side, and the damage marked on it: earlier marks are blue discs, new ones orange triangles."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.desktop.theme import TextRole, theme
from app.desktop.widgets.damage_outlines import outline_of
from app.desktop.widgets.paint import RING_MARGIN, paint_ring
from app.domain.inspection import CANVAS, DamageMark, Template, View

STEP, FAR_STEP = 20, 100
MARK = 9.0
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_MOVES = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class DamageDrawing(QWidget):
    """`placed` carries x and y of a new mark in the canvas of the domain, 0 to 1000 each way.

    A click places one; so do arrows (Shift: five times as far) and Enter. Earlier marks are shown and locked: nothing
    here moves or removes a mark.
    """

    placed = Signal(int, int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = View.FRONT
        self.cursor_at = (CANVAS // 2, CANVAS // 2)
        self._template = Template.CAR
        self._earlier: tuple[DamageMark, ...] = ()
        self._new: tuple[DamageMark, ...] = ()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMinimumSize(240, 240)

    def show_side(self, template: Template, view: View) -> None:
        """Another side; the cursor starts in its middle."""
        self._template, self.view = template, view
        self.cursor_at = (CANVAS // 2, CANVAS // 2)
        self.update()

    def show_marks(self, earlier: Sequence[DamageMark], new: Sequence[DamageMark]) -> None:
        """All marks of the unit: each keeps its number, whichever side is shown. New ones are counted from 1."""
        self._earlier, self._new = tuple(earlier), tuple(new)
        self.update()

    def place_of(self, x: int, y: int) -> QPointF:
        """Where a point of the canvas is drawn."""
        ground = self._ground()
        return QPointF(ground.left() + x * ground.width() / CANVAS, ground.top() + y * ground.height() / CANVAS)

    def sizeHint(self) -> QSize:
        return QSize(360, 360)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _MOVES:
            far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            step = FAR_STEP if far else STEP
            across, down = _MOVES[key]
            x, y = self.cursor_at
            self.cursor_at = (_within(x + across * step), _within(y + down * step))
            self.update()
        elif (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.placed.emit(*self.cursor_at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        ground = self._ground()
        if event.button() is not Qt.MouseButton.LeftButton or not ground.contains(event.position()):
            super().mousePressEvent(event)
            return
        at = event.position() - ground.topLeft()
        self.cursor_at = (
            _within(round(at.x() * CANVAS / ground.width())),
            _within(round(at.y() * CANVAS / ground.height())),
        )
        self.update()
        self.placed.emit(*self.cursor_at)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ground = self._ground()
            painter.fillRect(ground, look.sunken)
            painter.save()
            painter.translate(ground.topLeft())
            painter.scale(ground.width() / CANVAS, ground.height() / CANVAS)
            line = QPen(look.muted, 2)
            line.setCosmetic(True)
            painter.setPen(line)
            painter.setBrush(look.surface)
            for path in outline_of(self._template, self.view):
                painter.drawPath(path)
            painter.restore()
            painter.setFont(look.font(TextRole.CAPTION, 700))
            for number, mark in enumerate(self._earlier, 1):
                if mark.view is self.view:
                    self._paint_mark(painter, mark, number, is_new=False)
            for number, mark in enumerate(self._new, 1):
                if mark.view is self.view:
                    self._paint_mark(painter, mark, number, is_new=True)
            if self.hasFocus():
                at = self.place_of(*self.cursor_at)
                painter.setPen(QPen(look.accent, 2))
                painter.drawLine(at - QPointF(8, 0), at + QPointF(8, 0))
                painter.drawLine(at - QPointF(0, 8), at + QPointF(0, 8))
                paint_ring(painter, ground, 0)
        finally:
            painter.end()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _ground(self) -> QRectF:
        """The square that the canvas fills, in the middle of the widget."""
        side = max(1, min(self.width(), self.height()) - 2 * RING_MARGIN)
        return QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)

    def _paint_mark(self, painter: QPainter, mark: DamageMark, number: int, *, is_new: bool) -> None:
        look = theme()
        at = self.place_of(mark.x, mark.y)
        shape = QPainterPath()
        if is_new:
            corners = (QPointF(0, -1.5 * MARK), QPointF(1.4 * MARK, MARK), QPointF(-1.4 * MARK, MARK))
            shape.addPolygon(QPolygonF([at + corner for corner in corners]))
            shape.closeSubpath()
        else:
            shape.addEllipse(at, MARK, MARK)
        painter.setPen(QPen(look.surface, 1))
        painter.setBrush(look.warning_mark if is_new else look.accent)
        painter.drawPath(shape)
        painter.setPen(look.on_accent)
        drop = 2 if is_new else 0
        box = QRectF(at.x() - 12, at.y() - 8 + drop, 24, 16)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))


def _within(place: int) -> int:
    return min(CANVAS, max(0, place))
