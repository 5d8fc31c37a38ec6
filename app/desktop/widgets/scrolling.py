"""A column that scrolls only where the window is too low for it; elsewhere it looks like any layout."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.desktop.widgets.slim_scroll import SlimScrollBar


def scrolling_column(*, ground: str = "surface") -> tuple[QScrollArea, QVBoxLayout]:
    """The area to put into a layout and the column inside it. It never takes the focus; its bar lies on `ground`."""
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBar(SlimScrollBar(area, ground=ground))
    area.setWidget(inside)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    return area, column
