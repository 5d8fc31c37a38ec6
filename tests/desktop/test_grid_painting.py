"""The grid's painting by itself: nothing old remains, bars cut by the scroll keep their code, veiled words are read."""

import math

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.desktop.theme import Theme
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_model import GridRow
from app.desktop.widgets.month_grid_painting import GridPainting, Scene
from app.desktop.widgets.month_grid_strips import Frame
from tests.desktop.calendar_samples import NOW, TODAY, days_around, fleet, masks_of


@pytest.mark.parametrize("height", [101, 75, 203])
def test_no_device_pixel_under_the_last_row_keeps_what_was_there(qapp: QApplication, height: int) -> None:
    units, window = fleet()[:1], days_around(-4, 26)
    shown = GridContent(
        window=window, today=TODAY, now=NOW, fleet=units, masks=masks_of(units, (), window), holidays={}, bars=()
    )
    width, ratio = 201, 1.5
    painting = GridPainting(Theme.dark(), Frame(ratio=ratio, width=302, column=36, row=42, stale=False), shown, None)
    image = QImage(math.ceil(width * ratio), math.ceil(height * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("white"))
    painter = QPainter(image)
    row = GridRow(group=shown.groups[0], unit=units[0])
    painting.paint(painter, QRect(0, 0, width, height), Scene(rows=[(row, 0)], offset_x=0, now=None))
    painter.end()
    surface = Theme.dark().surface.rgb()
    assert {image.pixel(x, image.height() - 1) for x in range(image.width())} == {surface}
    assert {image.pixel(image.width() - 1, y) for y in range(60, image.height())} == {surface}
