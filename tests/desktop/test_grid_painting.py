"""The grid's painting by itself: nothing old remains, bars cut by the scroll keep their code, veiled words are read."""

import math

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.desktop.states import ShownState
from app.desktop.theme import Theme
from app.desktop.widgets.month_grid_bars import BarLook, BarShape
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_model import GridRow
from app.desktop.widgets.month_grid_painting import GridPainting, Scene
from app.desktop.widgets.month_grid_strips import Frame
from tests.desktop.calendar_samples import NOW, TODAY, days_around, fleet, masks_of
from tests.desktop.colours import contrast


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


@pytest.mark.parametrize("look", [Theme.light(), Theme.dark()], ids=["light", "dark"])
def test_the_words_on_a_veiled_bar_are_readable(qapp: QApplication, look: Theme) -> None:
    bars = BarLook(look, 1.0)
    for state in look.states:
        assert contrast(look.muted, bars.veiled(look.state(state).fill)) >= 4.5, state
        shape = BarShape(state=state, width=120, paid=None, corner=False, cut_left=False, cut_right=False)
        picture = QImage(120, bars.height, QImage.Format.Format_RGB32)
        picture.fill(look.surface)
        painter = QPainter(picture)
        bars.paint(painter, shape, veiled=True)
        painter.end()
        seen = {picture.pixel(x, y) for x in range(5, 50) for y in range(4, 18)}
        assert any(contrast(QColor(spot), bars.veiled(look.state(state).fill)) >= 3.5 for spot in seen), state


def test_dark_dashes_stand_inside_the_fill_where_the_ground_is_dark(qapp: QApplication) -> None:
    look = Theme.dark()
    bars = BarLook(look, 1.0)
    shape = BarShape(
        state=ShownState.PENDING_PAYMENT, width=120, paid=None, corner=False, cut_left=False, cut_right=False
    )
    picture = QImage(120, bars.height, QImage.Format.Format_RGB32)
    picture.fill(look.surface)
    painter = QPainter(picture)
    bars.paint(painter, shape)
    painter.end()
    fill = look.state(ShownState.PENDING_PAYMENT).fill.rgb()
    assert {picture.pixel(x, 1) for x in range(8, 112)} == {fill}
