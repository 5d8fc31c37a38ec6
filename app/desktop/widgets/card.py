"""A card: surface, hairline, radius 8, a title; and the hairline between its rows."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.desktop.theme import TextRole, theme
from app.desktop.widgets.label import Label
from app.desktop.widgets.paint import BoxStyle, paint_box


class Card(QFrame):
    """Put rows into `body`; widgets for the right end of the title line into `head`. Cards are never nested."""

    def __init__(
        self, title: str = "", *, dense: bool = False, sunken: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sunken = sunken
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(16, 12, 16, 12)
        self.body.setSpacing(8)
        self.title = Label(title, TextRole.BASE if dense else TextRole.SECTION, weight=600)
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        self.head.addWidget(self.title)
        self.head.addStretch(1)
        if title:
            self.body.addLayout(self.head)
        else:
            self.title.setParent(self)
            self.title.hide()
        self.setAccessibleName(title)

    def set_title(self, title: str) -> None:
        self.title.setText(title)
        self.setAccessibleName(title)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            style = BoxStyle(
                fill=look.head if self._sunken else look.surface, line=look.line, radius=look.sizes.radius_card
            )
            paint_box(painter, QRectF(self.rect()), style)
        finally:
            painter.end()


class Hairline(QWidget):
    """A 1 px line across (or down, when `vertical`)."""

    def __init__(self, *, vertical: bool = False, strong: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strong = strong
        fixed, wide = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        if vertical:
            self.setFixedWidth(1)
            self.setSizePolicy(fixed, wide)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(wide, fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme().line_strong if self._strong else theme().line)
        finally:
            painter.end()


class Surface(QWidget):
    """A plain area in a theme colour (`surface`, `sunken`, `head`, `app`) with optional hairlines at its edges."""

    def __init__(
        self,
        colour: str = "surface",
        *,
        top_line: bool = False,
        bottom_line: bool = False,
        right_line: bool = False,
        strong: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._colour = colour
        self._lines = (top_line, bottom_line, right_line)
        self._strong = strong
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), getattr(look, self._colour))
            line = look.line_strong if self._strong else look.line
            top, bottom, right = self._lines
            if top:
                painter.fillRect(0, 0, self.width(), 1, line)
            if bottom:
                painter.fillRect(0, self.height() - 1, self.width(), 1, line)
            if right:
                painter.fillRect(self.width() - 1, 0, 1, self.height(), line)
        finally:
            painter.end()
