"""The change to hand back: 28 px, and seven note tiles that never move."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.formats import money, number
from app.desktop.language import language
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.paint import BoxStyle, paint_box
from app.domain.invoice import NOTES

HEIGHT, COMPACT_HEIGHT = 112, 46
AMOUNT_HEIGHT = 38
PADDING = 16
TILE_HEIGHT = 44
TILE_GAP = 8
MOST_SHOWN = 999


class ChangeBox(QWidget):
    """Tiles with 0 stay visible but pale. `field_left` puts the tiles on one edge with the field above."""

    def __init__(self, field_left: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field_left = field_left
        self._title = ""
        self._hand_over = ""
        self._amount = 0
        self._notes: Mapping[int, int] = {}
        self._pale = False
        self._is_compact = False
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self.update)

    def set_words(self, title: str, hand_over: str) -> None:
        """ "Kembalian" and "Serahkan" in the language in use."""
        self._title, self._hand_over = title, hand_over
        self._describe()

    def set_compact(self, compact: bool) -> None:
        """The amount alone, where there is no height for the tiles."""
        self._is_compact = compact
        self.setFixedHeight(COMPACT_HEIGHT if compact else HEIGHT)
        self.update()

    def set_change(self, amount: int, notes: Mapping[int, int], *, pale: bool = False) -> None:
        """`pale`: nothing may be handed over now (no lock), the number stays readable."""
        self._amount, self._notes, self._pale = amount, dict(notes), pale
        self._describe()

    def amount(self) -> int:
        return self._amount

    def notes(self) -> Mapping[int, int]:
        """How many of each note the tiles show."""
        return self._notes

    def sizeHint(self) -> QSize:
        return QSize(480, COMPACT_HEIGHT if self._is_compact else HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = QRectF(self.rect())
        paint_box(painter, box, BoxStyle(fill=look.head, line=look.line, radius=look.sizes.radius_card))
        inner = box.adjusted(PADDING, 0, -PADDING, 0)
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(look.font(TextRole.SECTION))
        painter.setPen(look.text)
        above = (COMPACT_HEIGHT - AMOUNT_HEIGHT) / 2 if self._is_compact else 10
        line = QRectF(inner.left(), above, inner.width(), AMOUNT_HEIGHT)
        painter.drawText(line, vertical | Qt.AlignmentFlag.AlignLeft, self._title)
        painter.setFont(look.font(TextRole.TOTAL))
        painter.setPen(look.muted if self._pale else look.text)
        painter.drawText(line, vertical | Qt.AlignmentFlag.AlignRight, money(self._amount, language()))
        if self._is_compact:
            return
        top = 54
        painter.setFont(look.font(TextRole.SECONDARY))
        painter.setPen(look.muted)
        painter.drawText(
            QRectF(inner.left(), top, self._field_left - PADDING, TILE_HEIGHT),
            vertical | Qt.AlignmentFlag.AlignLeft,
            self._hand_over,
        )
        left = float(self._field_left)
        width = (inner.right() - left - TILE_GAP * (len(NOTES) - 1)) / len(NOTES)
        for note in NOTES:
            self._tile(painter, QRectF(round(left), top, round(width), TILE_HEIGHT), note)
            left += width + TILE_GAP

    def _tile(self, painter: QPainter, place: QRectF, note: int) -> None:
        look = theme()
        count = self._notes.get(note, 0)
        wanted = count > 0
        style = BoxStyle(
            fill=look.surface if wanted else look.head,
            line=look.control if wanted else look.line,
            radius=look.sizes.radius_bar,
        )
        paint_box(painter, place, style)
        painter.setFont(look.font(TextRole.SECTION, 600 if wanted else 500))
        painter.setPen(look.text if wanted else look.muted)
        painter.drawText(
            QRectF(place.left(), place.top() + 4, place.width(), 20), Qt.AlignmentFlag.AlignCenter, _count(count)
        )
        painter.setFont(look.font(TextRole.SECONDARY))
        painter.drawText(
            QRectF(place.left(), place.top() + 23, place.width(), 17),
            Qt.AlignmentFlag.AlignCenter,
            number(note, language()),
        )

    def _describe(self) -> None:
        parts = [f"{self._title} {money(self._amount, language())}"]
        parts += [f"{count} × {number(note, language())}" for note, count in self._notes.items() if count]
        self.setAccessibleName(", ".join(parts))
        self.update()


def _count(count: int) -> str:
    """How many notes, within the tile's width."""
    return f"{count} ×" if count <= MOST_SHOWN else f">{MOST_SHOWN}"
