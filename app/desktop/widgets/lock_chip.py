"""The lock chip of the settlement screen: padlock, words, the seconds that are left, a bar. Neutral, amber or red."""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import BannerKind, TextRole, theme, theme_source
from app.desktop.widgets.paint import BoxStyle, paint_box

HEIGHT = 32
PADDING = 14
GAP = 8
ICON = 16
BAR = 64


class Urgency(Enum):
    """NEUTRAL while all is well (never green), WARNING when a beat failed, DANGER when paying is no longer possible."""

    NEUTRAL = "neutral"
    WARNING = "warning"
    DANGER = "danger"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipContent:
    """`words`, then `time` in bold digits, then `share` (0 to 1) as a bar; a None share draws no bar.

    `mark` adds the "!" that tells a late renewal without colour; `bold` makes the words heavy (lost).
    """

    words: str
    icon: str = "lock"
    time: str = ""
    after: str = ""
    share: float | None = None
    urgency: Urgency = Urgency.NEUTRAL
    mark: bool = False
    bold: bool = False


class LockChip(QWidget):
    """Paints one ChipContent. Its width follows the words, not the seconds, so nothing moves while it counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = ChipContent(words="")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        theme_source().changed.connect(self.updateGeometry)

    def content(self) -> ChipContent:
        return self._content

    def set_content(self, content: ChipContent) -> None:
        """Show something else; does nothing when it is the same."""
        if content == self._content:
            return
        wider = self._width(content) != self._width(self._content)
        self._content = content
        self.setAccessibleName(" ".join(part for part in (content.words, content.time, content.after) if part))
        if wider:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._width(self._content), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look, content = theme(), self._content
        fill, ink, line = self._colours()
        paint_box(painter, QRectF(self.rect()), BoxStyle(fill=fill, line=line, radius=look.sizes.radius_control))
        middle = self.height() / 2
        left = float(PADDING)
        paint_icon(painter, QRectF(left, middle - ICON / 2, ICON, ICON), content.icon, ink)
        left += ICON + GAP
        if content.mark:
            left += self._text(painter, left, "!", ink, TextRole.SECTION, 700) + 6
        weight = 600 if content.bold else 400
        left += self._text(painter, left, content.words, ink, TextRole.BASE, weight) + GAP
        if content.time:
            self._text(painter, left, content.time, ink, TextRole.SECTION, 600)
            left += self._advance("0:00", TextRole.SECTION, 600) + GAP
        if content.after:
            left += self._text(painter, left, content.after, ink, TextRole.BASE, 400) + GAP
        if content.share is not None:
            self._bar(painter, left, middle, content.share, ink)

    def _bar(self, painter: QPainter, left: float, middle: float, share: float, ink: QColor) -> None:
        look = theme()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = look.sizes.progress
        track = QRectF(left, middle - height / 2, BAR, height)
        neutral = self._content.urgency is Urgency.NEUTRAL
        painter.setBrush(look.line_strong)
        painter.drawRoundedRect(track, 3, 3)
        if share > 0:
            track.setWidth(max(float(height), BAR * min(1.0, share)))
            painter.setBrush(look.muted if neutral else ink)
            painter.drawRoundedRect(track, 3, 3)

    def _colours(self) -> tuple[QColor, QColor, QColor]:
        look = theme()
        match self._content.urgency:
            case Urgency.WARNING:
                style = look.banner(BannerKind.WARNING)
            case Urgency.DANGER:
                style = look.banner(BannerKind.ERROR)
            case _:
                return look.head, look.text, look.line_strong
        return style.fill, style.text, style.line

    def _text(self, painter: QPainter, left: float, text: str, ink: QColor, role: TextRole, weight: int) -> float:
        painter.setFont(theme().font(role, weight))
        painter.setPen(ink)
        width = self._advance(text, role, weight)
        place = QRectF(left, 0, width + 2, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        return width

    def _width(self, content: ChipContent) -> int:
        width = PADDING + ICON + GAP + self._advance(content.words, TextRole.BASE, 600 if content.bold else 400)
        if content.mark:
            width += self._advance("!", TextRole.SECTION, 700) + 6
        if content.time:
            width += GAP + self._advance("0:00", TextRole.SECTION, 600)
        if content.after:
            width += GAP + self._advance(content.after, TextRole.BASE, 400)
        if content.share is not None:
            width += GAP + BAR
        return round(width + PADDING)

    @staticmethod
    def _advance(text: str, role: TextRole, weight: int) -> float:
        return QFontMetricsF(theme().font(role, weight)).horizontalAdvance(text)
