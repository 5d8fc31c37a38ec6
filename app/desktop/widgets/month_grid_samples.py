"""The end of the legend: what the payment marks mean, and the bars that carry no code (turnaround, another branch)."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from app.desktop.theme import TextRole, theme
from app.desktop.widgets.month_grid_bars import BarLook, BarShape, paint_paid_mark
from app.desktop.widgets.month_grid_texts import paid_word
from app.usecases.rows import PaidMark

_VERTICAL = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_SAMPLE, _GAP = 16, 8
_MARK = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """`turnaround`: some SKU has days after a rental. `elsewhere`: another branch, its bars without names and marks."""

    turnaround: bool = False
    elsewhere: bool = False

    def words(self) -> tuple[str, ...]:
        """What they are, for whoever hears the legend."""
        return tuple(word for _, word in self._plain())

    def width(self) -> int:
        """The room they take at the right, in pixels."""
        plain = sum(_SAMPLE + 4 + _wide(word) + _GAP for _, word in self._plain())
        if self.elsewhere:
            return plain
        return plain + _wide(_paid_head()) + sum(_wide(paid_word(paid)) + _MARK for paid in PaidMark)

    def paint(self, painter: QPainter, left: float, height: float) -> None:
        """Draw them from `left` on, in a line of this height."""
        look, x = theme(), left
        painter.setFont(look.font(TextRole.CAPTION))
        bars = BarLook(look, 1.0)
        for turnaround, word in self._plain():
            shape = BarShape(
                state=None,
                width=_SAMPLE,
                paid=None,
                corner=False,
                cut_left=False,
                cut_right=False,
                turnaround=turnaround,
            )
            painter.save()
            painter.setClipRect(QRectF(x, (height - 14) / 2, _SAMPLE, 14))
            painter.translate(x, (height - 14) / 2)
            painter.scale(1, 14 / bars.height)
            bars.paint(painter, shape)
            painter.restore()
            x = self._word(painter, word, x + _SAMPLE + 4, height) + _GAP
        if self.elsewhere:
            return
        x = self._word(painter, _paid_head(), x, height)
        for paid in PaidMark:
            paint_paid_mark(painter, QRectF(x + 7, height / 2 - 3.5, 7, 7), paid, look.text)
            x = self._word(painter, paid_word(paid), x + _MARK, height)

    def _plain(self) -> tuple[tuple[bool, str], ...]:
        found = []
        if self.turnaround:
            found.append((True, QCoreApplication.translate("Legend", "Jeda")))
        if self.elsewhere:
            found.append((False, QCoreApplication.translate("Legend", "Terisi, tanpa nama")))
        return tuple(found)

    def _word(self, painter: QPainter, word: str, x: float, height: float) -> float:
        painter.setPen(theme().muted)
        width = _wide(word)
        painter.drawText(QRectF(x, 0, width + 2, height), _VERTICAL, word)
        return x + width


def _wide(word: str) -> int:
    return QFontMetrics(theme().font(TextRole.CAPTION)).horizontalAdvance(word)


def _paid_head() -> str:
    return QCoreApplication.translate("MonthGrid", "Bayar:")
