"""The contact sheet: every picture small, with its name, on one page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

WIDTH, GAP, CAPTION, COLUMNS = 420, 12, 18, 4


def write_sheet(out: Path) -> Path:
    """Write `sheet.png` beside the pictures."""
    app = QGuiApplication.instance() or QGuiApplication(["sheet", "-platform", "offscreen"])
    pictures = sorted(path for path in out.glob("*.png") if path.name != "sheet.png")
    thumbs = [QImage(str(path)).scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation) for path in pictures]
    cell = max((thumb.height() for thumb in thumbs), default=0) + CAPTION + GAP
    rows = -(-len(thumbs) // COLUMNS)
    sheet = QImage(COLUMNS * (WIDTH + GAP) + GAP, max(1, rows * cell + GAP), QImage.Format.Format_RGB32)
    sheet.fill(QColor("#F1F3F6"))
    painter = QPainter(sheet)
    try:
        for number, (path, thumb) in enumerate(zip(pictures, thumbs, strict=True)):
            x, y = GAP + number % COLUMNS * (WIDTH + GAP), GAP + number // COLUMNS * cell
            painter.drawText(QRect(x, y, WIDTH, CAPTION), Qt.AlignmentFlag.AlignLeft, path.stem)
            painter.drawImage(x, y + CAPTION, thumb)
    finally:
        painter.end()
    target = out / "sheet.png"
    sheet.save(str(target))
    del app
    return target
