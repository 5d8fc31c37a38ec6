"""A slim scroll bar without arrows; its steps keep the picture on whole device pixels."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QScrollBar, QSizePolicy, QStyle, QStyleOptionSlider, QWidget

from app.desktop.theme import theme
from app.desktop.widgets.month_grid_fit import SCROLL_BAR

_WHOLE = 4  # 4 px are whole device pixels at 100, 125 and 150 %


class SlimScrollBar(QScrollBar):
    """Dragging moves in steps of 4 px so that scrolling by copying stays exact at every scale.

    `spare` answers how much more room it is to take beside its slim thumb, so that no row is cut above it.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        ground: str = "surface",
        orientation: Qt.Orientation = Qt.Orientation.Vertical,
        spare: Callable[[], int] = lambda: 0,
    ) -> None:
        super().__init__(orientation, parent)
        self._spare = spare
        if orientation is Qt.Orientation.Horizontal:
            # As high as its place, which may have grown since the layout last asked.
            self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding)
        self._ground = ground
        self.actionTriggered.connect(self._snap)

    def sizeHint(self) -> QSize:
        upright = self.orientation() is Qt.Orientation.Vertical
        return QSize(SCROLL_BAR, 60) if upright else QSize(60, SCROLL_BAR + self._spare())

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), getattr(look, self._ground))
            if self.maximum() > self.minimum():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.control if self.isSliderDown() else look.line_strong)
                painter.drawRoundedRect(self._thumb(), 3.5, 3.5)
        finally:
            painter.end()

    def _thumb(self) -> QRectF:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        groove = self.style().subControlRect(
            QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, self
        )
        if self.orientation() is Qt.Orientation.Horizontal:
            top = self.height() - SCROLL_BAR + 1.5
            return QRectF(groove.left() + 1, top, groove.width() - 2, SCROLL_BAR - 3)
        return QRectF(1.5, groove.top() + 1, SCROLL_BAR - 3, groove.height() - 2)

    def _snap(self, action: int) -> None:
        if action == QAbstractSlider.SliderAction.SliderMove.value:
            self.setSliderPosition(self.sliderPosition() // _WHOLE * _WHOLE)
