"""A QR code, drawn module by module on white paper in every theme, because phones read nothing else."""

import segno
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

QUIET = 4
"""Modules of white around the code (ISO/IEC 18004)."""
_PAPER, _INK, _SPENT = QColor("#FFFFFF"), QColor("#000000"), QColor("#B9C0C8")


class QrCode(QWidget):
    """Empty paper without a text. `set_spent` shows one that can be paid no longer, too pale to be read."""

    def __init__(self, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._modules: tuple[bytearray, ...] = ()
        self._is_spent = False
        self.setFixedSize(size, size)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.size()

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """What the code says; at most what one code can hold, else ValueError."""
        if text != self._text:
            self._text = text
            self._modules = segno.make(text, error="m", micro=False).matrix if text else ()
            self.update()

    def set_spent(self, spent: bool) -> None:
        if spent is not self._is_spent:
            self._is_spent = spent
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), _PAPER)
            if not self._modules:
                return
            # Whole device pixels per module: an edge between two pixels is grey, and grey costs a scan.
            ratio = self.devicePixelRatioF()
            count = len(self._modules) + 2 * QUIET
            module = max(1, int(self.width() * ratio / count)) / ratio
            start = (self.width() - module * len(self._modules)) / 2
            start = round(start * ratio) / ratio
            ink = _SPENT if self._is_spent else _INK
            for row, bits in enumerate(self._modules):
                for column, bit in enumerate(bits):
                    if bit:
                        painter.fillRect(QRectF(start + column * module, start + row * module, module, module), ink)
        finally:
            painter.end()
