"""What is laid over the grid's rows: chosen days, drafts, refused and offered stretches, pulses, the focus ring."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.desktop.theme import TextRole, Theme
from app.desktop.widgets.month_grid_bars import BAR_HEIGHT, BAR_TOP
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_dashes import paint_dashed
from app.desktop.widgets.month_grid_ghost_painting import GhostPainting
from app.desktop.widgets.month_grid_strips import Frame, paint_hatch
from app.usecases.rows import FleetUnit


class MarkKind(StrEnum):
    SELECTION = "selection"
    DRAFT = "draft"
    CONFLICT = "conflict"
    OFFER = "offer"
    PULSE = "pulse"
    STOPPED = "stopped"
    HELD = "held"
    ORIGIN = "origin"
    PARKED = "parked"
    GHOST = "ghost"
    GHOST_CHECKING = "ghost_checking"
    GHOST_REFUSED = "ghost_refused"
    HANDLES = "handles"


@dataclass(frozen=True, slots=True, kw_only=True)
class GridMark:
    """Something laid over a unit's row: chosen days, a draft, a refused stretch, an offered one, a short pulse."""

    kind: MarkKind
    unit_id: str
    first: int
    last: int
    text: str = ""


class MarkPainting:
    """Draws marks in device pixels, over the bars."""

    def __init__(self, look: Theme, frame: Frame, content: GridContent) -> None:
        self._look = look
        self.frame = frame
        self.content = content
        self._mark_font = look.font(TextRole.CAPTION, 600)
        self._mark_font.setPixelSize(self._px(11))
        self._draft_font = look.font(TextRole.SECONDARY, 600)
        self._draft_font.setPixelSize(self._px(12))
        self._ghosts = GhostPainting(look, frame.ratio)

    def paint(self, painter: QPainter, mark: GridMark, shift: int, y: int) -> None:
        frame, look, gap = self.frame, self._look, self._px(2)
        x = shift + mark.first * frame.column
        width = (mark.last - mark.first + 1) * frame.column
        box = QRectF(x + gap, y + self._px(BAR_TOP), width - 2 * gap, self._px(BAR_HEIGHT))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        match mark.kind:
            case MarkKind.SELECTION:
                self._dashed(painter, box, look.selection, fill=0.18)
            case MarkKind.DRAFT:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.soft)
                painter.drawRoundedRect(box, self._px(3), self._px(3))
                self._dashed(painter, box, look.selection, fill=0)
                self._label(painter, box, mark.text, look.on_soft, self._draft_font)
            case MarkKind.CONFLICT | MarkKind.GHOST_REFUSED:
                self._conflict(painter, mark, box, shift)
            case MarkKind.OFFER:
                painter.setPen(QPen(look.accent, self._px(1)))
                painter.setBrush(look.surface)
                half = self._px(1) / 2
                painter.drawRoundedRect(box.adjusted(half, half, -half, -half), self._px(3), self._px(3))
                self._label(painter, box, mark.text, look.accent, self._mark_font)
            case MarkKind.PULSE:
                wash = QColor(look.accent)
                wash.setAlphaF(0.22)
                painter.fillRect(QRectF(x, y, width, frame.row), wash)
            case MarkKind.HELD:
                # A line above and one below, apart from the bar: a ring is the focus' alone, a foot some states' own.
                line = self._px(2)
                for top in (y, y + frame.row - line):
                    painter.fillRect(QRectF(box.left(), top, box.width(), line), look.accent)
            case MarkKind.STOPPED:
                self._stopped(painter, mark, box, shift, y)
            case MarkKind.ORIGIN | MarkKind.PARKED:
                self._ghosts.vacated(painter, box, mark.text, self._mark_font)
            case MarkKind.GHOST | MarkKind.GHOST_CHECKING:
                checking = mark.kind is MarkKind.GHOST_CHECKING
                self._ghosts.ghost(painter, box, mark.text, self._draft_font, checking=checking)
            case MarkKind.HANDLES:
                self._ghosts.handles(painter, box, mark.text)
        painter.restore()

    def _dashed(self, painter: QPainter, box: QRectF, colour: QColor, *, fill: float) -> None:
        if fill:
            wash = QColor(colour)
            wash.setAlphaF(fill)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(wash)
            painter.drawRoundedRect(box, self._px(3), self._px(3))
        paint_dashed(painter, box, colour, self._px(2), self._px(3))

    def _conflict(self, painter: QPainter, mark: GridMark, box: QRectF, shift: int) -> None:
        """Red dash over the stretch, open inside a bar; X hatch on its free cells only: names stay readable."""
        look, frame = self._look, self.frame
        unit = self.content.unit(mark.unit_id)
        ink = QColor(look.conflict)
        ink.setAlphaF(0.55)
        wash = QColor(look.conflict)
        wash.setAlphaF(0.18)
        for first, last in self._free_stretches(unit, mark) if unit is not None else ():
            left = shift + first * frame.column + self._px(2)
            width = (last - first + 1) * frame.column - (self._px(4) if last == mark.last else self._px(2))
            cell = QRectF(left, box.top(), width, box.height())
            painter.fillRect(cell, wash)
            paint_hatch(painter, cell, ink, self._px(6), self._px(1))
            painter.save()
            painter.setClipRect(cell)
            painter.translate(2 * cell.center().x(), 0)
            painter.scale(-1, 1)
            paint_hatch(painter, cell, ink, self._px(6), self._px(1))
            painter.restore()
        opened, closed = self._inside_bar(unit, mark.first, mark.last)
        paint_dashed(painter, box, look.conflict, self._px(2), self._px(3), left=not opened, right=not closed)

    def _free_stretches(self, unit: FleetUnit, mark: GridMark) -> list[tuple[int, int]]:
        """The free columns of a mark, those side by side together."""
        found: list[tuple[int, int]] = []
        for column in range(mark.first, mark.last + 1):
            if not self.content.is_free(unit, column):
                continue
            if found and found[-1][1] == column - 1:
                found[-1] = (found[-1][0], column)
            else:
                found.append((column, column))
        return found

    def _inside_bar(self, unit: FleetUnit | None, first: int, last: int) -> tuple[bool, bool]:
        """Whether the first and the last column's outer edge lies inside a bar, where its name may stand."""
        if unit is None:
            return False, False
        before, after = self.content.span_at(unit, first), self.content.span_at(unit, last)
        return before is not None and before.first < first, after is not None and after.last > last

    def _stopped(self, painter: QPainter, mark: GridMark, box: QRectF, shift: int, y: int) -> None:
        """The red edge at the obstacle and a red ring around the bar that stopped the stretch."""
        look = self._look
        painter.setPen(QPen(look.conflict, self._px(2)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        grown = box.adjusted(-self._px(2), -self._px(2), self._px(3), self._px(2))
        painter.drawRoundedRect(grown, self._px(5), self._px(5))
        edge = self._px(4)
        x = box.left() - edge if mark.text != "after" else box.right()
        painter.fillRect(QRectF(x, y + self._px(1), edge, self.frame.row - self._px(2)), look.conflict)

    def _label(self, painter: QPainter, box: QRectF, text: str, ink: QColor, font: QFont) -> None:
        """On a bar of one day the words move to its edge in the small type before they are left out."""
        painter.setPen(ink)
        for each, edge in ((font, 6), (self._mark_font, 3)):
            room = box.adjusted(self._px(edge), 0, -self._px(min(edge, 2)), 0)
            shown = mark_words(text, QFontMetricsF(each), room.width())
            if shown:
                painter.setFont(each)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
                return

    def ring_at(self, painter: QPainter, unit_id: str, column: int, shift: int, y: int) -> None:
        """The current cell: a ring around it, or around its bar with a line under the day, so that no name is cut."""
        x = shift + column * self.frame.column
        unit = self.content.unit(unit_id)
        span = self.content.span_at(unit, column) if unit is not None else None
        if span is None:
            self.ring(painter, x, y)
            return
        left, gap = shift + span.first * self.frame.column, self._px(1)
        width = (span.last - span.first + 1) * self.frame.column
        line = self._px(2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.accent, line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = QRectF(left, y + gap, width, self.frame.row - 3 * gap)
        painter.drawRoundedRect(box, self._px(5), self._px(5))
        painter.restore()
        under = QRect(x + line, y + self.frame.row - self._px(4), self.frame.column - 2 * line, self._px(3))
        painter.fillRect(under, self._look.accent)

    def ring(self, painter: QPainter, x: int, y: int) -> None:
        line = self._px(2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        box = QRect(x - self._px(1), y - self._px(1), self.frame.column + self._px(1), self.frame.row + self._px(1))
        for part in (
            QRect(box.left(), box.top(), box.width(), line),
            QRect(box.left(), box.bottom() - line + 1, box.width(), line),
            QRect(box.left(), box.top(), line, box.height()),
            QRect(box.right() - line + 1, box.top(), line, box.height()),
        ):
            painter.fillRect(part, self._look.accent)
        painter.restore()

    def _px(self, length: float) -> int:
        return round(length * self.frame.ratio)


def mark_words(text: str, metrics: QFontMetricsF, room: float) -> str:
    """A mark's words, without what follows the dot where they do not fit; never cut inside a word."""
    for words in (text, text.split(" · ", 1)[0]):
        if metrics.horizontalAdvance(words) <= room:
            return words
    return ""
