"""A row of joined choices, one of them chosen: zoom, filters, ranges, yes and no."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.paint import RING_MARGIN, paint_ring


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`key` names the choice in code, `text` is shown, `count` stands behind it in muted digits."""

    key: str
    text: str
    count: int | None = None


class Segment(QWidget):
    """Emits `chosen` with the key when the person chooses; Left and Right step through the cells."""

    chosen = Signal(str)

    def __init__(
        self, name: str, choices: Sequence[Choice], *, small: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._cells: dict[str, _Cell] = {}
        self._name = name
        row = QHBoxLayout(self)
        row.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
        row.setSpacing(0)
        for index, choice in enumerate(choices):
            cell = _Cell(choice, first=index == 0, last=index == len(choices) - 1, small=small, parent=self)
            cell.setAccessibleName(f"{name}: {choice.text}")
            cell.clicked.connect(lambda _checked=False, key=choice.key: self.chosen.emit(key))
            self._group.addButton(cell)
            self._cells[choice.key] = cell
            row.addWidget(cell)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if choices:
            self.choose(choices[0].key)

    def current(self) -> str:
        """The key of the chosen cell; empty while none is."""
        return next((key for key, cell in self._cells.items() if cell.isChecked()), "")

    def choose(self, key: str) -> None:
        """Choose without emitting `chosen`; an empty key marks none, when what is chosen stands elsewhere."""
        if not key:
            self._group.setExclusive(False)
            for cell in self._cells.values():
                cell.setChecked(False)
                cell.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.setExclusive(True)
            return
        self._cells[key].setChecked(True)
        for cell in self._cells.values():
            cell.setFocusPolicy(Qt.FocusPolicy.StrongFocus if cell.isChecked() else Qt.FocusPolicy.ClickFocus)

    def set_text(self, key: str, text: str, count: int | None = None) -> None:
        """Change a cell's words or count."""
        self._cells[key].show_choice(Choice(key=key, text=text, count=count))
        self._cells[key].setAccessibleName(f"{self._name}: {text}" + ("" if count is None else f", {count}"))

    def set_name(self, name: str) -> None:
        self._name = name
        for cell in self._cells.values():
            cell.setAccessibleName(f"{name}: {cell.choice.text}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        keys = list(self._cells)
        index = keys.index(self.current()) + step if self.current() else 0
        if 0 <= index < len(keys):
            self.choose(keys[index])
            self._cells[keys[index]].setFocus()
            self.chosen.emit(keys[index])


class _Cell(QAbstractButton):
    def __init__(self, choice: Choice, *, first: bool, last: bool, small: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.choice = choice
        self._first, self._last, self._small = first, last, small
        self.setCheckable(True)
        self.setText(choice.text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.toggled.connect(self._follow_focus)
        theme_source().changed.connect(self.updateGeometry)

    def show_choice(self, choice: Choice) -> None:
        self.choice = choice
        self.setText(choice.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        look = theme()
        role = TextRole.SECONDARY if self._small else TextRole.BASE
        # Measured in the heavier weight, so that choosing a cell moves nothing.
        width = QFontMetrics(look.font(role, 600)).horizontalAdvance(self.choice.text)
        if self.choice.count is not None:
            width += 10 + QFontMetrics(look.font(role)).horizontalAdvance(str(self.choice.count))
        padding = 10 if self._small else 12
        height = look.sizes.field_small if self._small else look.sizes.field
        return QSize(width + 2 * padding, height + 2 * RING_MARGIN)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = QRectF(self.rect()).adjusted(0, RING_MARGIN, 0, -RING_MARGIN)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._last:
            box.adjust(0, 0, 1, 0)
        shape = self._shape(box)
        fill = (
            look.soft if self.isChecked() else look.head if self.underMouse() or not self.isEnabled() else look.surface
        )
        painter.fillPath(shape, fill)
        painter.setPen(QPen(look.accent if self.isChecked() else look.line_strong, 1))
        painter.drawPath(shape)
        if self.hasFocus():
            paint_ring(painter, box.adjusted(3, 0, -3, 0), 4)
        role = TextRole.SECONDARY if self._small else TextRole.BASE
        ink = look.disabled_text if not self.isEnabled() else look.on_soft if self.isChecked() else look.text
        font = look.font(role, 600 if self.isChecked() else 400)
        count = "" if self.choice.count is None else str(self.choice.count)
        count_font = look.font(role)
        text_width = QFontMetrics(font).horizontalAdvance(self.choice.text)
        count_width = 10 + QFontMetrics(count_font).horizontalAdvance(count) if count else 0
        left = box.center().x() - (text_width + count_width) / 2
        painter.setFont(font)
        painter.setPen(ink)
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(left, box.top(), text_width + 2, box.height()), vertical, self.choice.text)
        if count:
            painter.setFont(count_font)
            painter.setPen(ink if self.isChecked() else look.muted)
            painter.drawText(QRectF(left + text_width + 10, box.top(), count_width, box.height()), vertical, count)

    def _shape(self, box: QRectF) -> QPainterPath:
        edge = box.adjusted(0.5, 0.5, -0.5, -0.5)
        radius = theme().sizes.radius_control
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        if not (self._first or self._last):
            path.addRect(edge)
            return path
        path.addRoundedRect(edge, radius, radius)
        if not self._first:
            path.addRect(QRectF(edge.left(), edge.top(), radius, edge.height()))
        if not self._last:
            path.addRect(QRectF(edge.right() - radius, edge.top(), radius, edge.height()))
        return path.simplified()

    def _follow_focus(self, checked: bool) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if checked else Qt.FocusPolicy.ClickFocus)
