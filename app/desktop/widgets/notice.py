"""A small outlined note with an icon: the Caps Lock warning beside a label, a hint below a form."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import BannerKind, TextRole, theme
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import RING_MARGIN, BoxStyle, paint_box


class Notice(QWidget):
    """An empty text makes it invisible without giving up its place."""

    def __init__(self, icon: str, *, warning: bool = False, small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._warning, self._small = icon, warning, small
        self._has_text = False
        tone = Tone.WARNING if warning else Tone.TEXT
        self._title = Label("", TextRole.CAPTION if small else TextRole.BASE, tone, weight=400)
        self._detail = Label("", TextRole.SECONDARY, Tone.MUTED)
        row = QHBoxLayout(self)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        if not small:
            words.addWidget(self._detail)
        row.addLayout(words)
        row.setContentsMargins(23 if small else 40, 1 if small else 11, 8 if small else 11, 2 if small else 11)

    def set_text(self, title: str, detail: str = "") -> None:
        self._has_text = bool(title)
        self._title.setText(title)
        self._detail.setText(detail)
        self.setAccessibleName(f"{title} {detail}".strip())
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._title.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._has_text:
            return
        look = theme()
        painter = QPainter(self)
        try:
            banner = look.banner(BannerKind.WARNING)
            style = BoxStyle(
                fill=banner.fill if self._warning else look.surface,
                line=banner.line if self._warning else look.line,
                radius=look.sizes.radius_bar if self._small else look.sizes.radius_control,
            )
            # As wide as the box of a field, which keeps room for its ring.
            side = 0 if self._small else RING_MARGIN
            paint_box(painter, QRectF(self.rect()).adjusted(side, 0, -side, 0), style)
            size = 12 if self._small else 16
            place = QRectF(7 if self._small else 16, (self.height() - size) / 2, size, size)
            paint_icon(painter, place, self._icon, look.warning if self._warning else look.muted)
        finally:
            painter.end()
