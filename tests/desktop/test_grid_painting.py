"""The grid's painting by itself: nothing old remains, bars cut by the scroll keep their code, veiled words are read."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.states import ShownState
from app.desktop.theme import Theme
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_bars import BarLook, BarShape
from app.desktop.widgets.month_grid_conflict_painting import widest_room
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_marks import GridMark, MarkKind, MarkPainting
from app.desktop.widgets.month_grid_model import GridRow
from app.desktop.widgets.month_grid_names import fitting_name, name_forms
from app.desktop.widgets.month_grid_painting import GridPainting, Scene
from app.desktop.widgets.month_grid_strips import Frame
from tests.desktop.calendar_samples import NOW, TODAY, bar, days_around, fleet, masks_of
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


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Bagus Pratama", ("Bagus Pratama", "Bagus P.", "Bagus")),
        ("Ida Ayu Lestari", ("Ida Ayu Lestari", "Ida A.", "Ida")),
        ("PT Arunika Persada", ("PT Arunika Persada", "PT Arunika P.", "PT Arunika")),
        ("Keluarga Wijaya", ("Keluarga Wijaya",)),
        ("Ida", ("Ida",)),
        ("", ("",)),
    ],
)
def test_a_name_grows_shorter_by_whole_words(name: str, forms: tuple[str, ...]) -> None:
    assert name_forms(name) == forms


def test_a_name_is_cut_only_where_no_form_of_it_fits_and_a_reason_keeps_its_words(qapp: QApplication) -> None:
    metrics = QFontMetricsF(BarLook(Theme.light(), 1.0).name_font)
    room = metrics.horizontalAdvance
    assert fitting_name("Bagus Pratama", metrics, room("Bagus Pratama")) == "Bagus Pratama"
    assert fitting_name("Bagus Pratama", metrics, room("Bagus Pratama") - 1) == "Bagus P."
    assert fitting_name("Bagus Pratama", metrics, room("Bagus P.") - 1) == "Bagus"
    assert fitting_name("Bagus Pratama", metrics, room("Bagus") - 1) == "Bag…"
    assert fitting_name("servis rutin", metrics, room("servis ru…") + 1, whole=True) == "servis ru…"
    assert fitting_name("Bagus", metrics, 2) == ""


@pytest.mark.parametrize("scrolled", [12, 36, 60])
def test_a_bar_cut_by_the_scroll_looks_like_one_that_begins_at_the_edge(qapp: QApplication, scrolled: int) -> None:
    units, window, look = fleet()[:1], days_around(-4, 26), Theme.light()
    rows = (bar(units[0], "LB", -4, 0, "Bagus Pratama"),)
    shown = GridContent(
        window=window, today=TODAY, now=NOW, fleet=units, masks=masks_of(units, rows, window), holidays={}, bars=rows
    )
    painting = GridPainting(look, Frame(ratio=1, width=31 * 24, column=24, row=28, stale=False), shown, None)
    image = QImage(200, 28, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    scene = Scene(rows=[(GridRow(group=shown.groups[0], unit=units[0]), 0)], offset_x=scrolled, now=None)
    painting.paint(painter, QRect(0, 0, 200, 28), scene)
    painter.end()
    (whole,) = painting.row_bars(units[0])
    width = whole.x + whole.shape.width - scrolled
    shape = replace(whole.shape, width=width, cut_left=True, corner=False)
    expected = QImage(40, 22, QImage.Format.Format_RGB32)
    expected.fill(look.surface)
    painter = QPainter(expected)
    painting.bars.paint(painter, shape)
    painter.end()
    code = QRect(4, 0, 20, 22)
    assert image.copy(code.translated(0, 3)) == expected.copy(code)


@pytest.mark.parametrize(("room", "width"), [(1310, 24), (2500, 37), (3000, 45)])
def test_a_holiday_carries_a_star_in_its_own_column_at_every_width(qtbot: QtBot, room: int, width: int) -> None:
    units, window = fleet()[:1], days_around(-4, 57)
    holidays = dict.fromkeys((days_around(24, 25).first, days_around(32, 32).first), "libur")
    grid = MonthGrid()
    qtbot.addWidget(grid)
    grid.show_content(
        GridContent(
            window=window,
            today=TODAY,
            now=NOW,
            fleet=units,
            masks=masks_of(units, (), window),
            holidays=holidays,
            bars=(),
        )
    )
    grid.resize(room, 200)
    grid.show()
    head = grid.horizontalHeader().viewport()
    image = head.grab().toImage()
    shown = [column for column in range(window.count) if (column + 1) * width <= head.width()]

    def is_red(column: int) -> bool:
        """Ink of a star's colour, or of today's chip, in this column."""
        xs = range(column * width, (column + 1) * width)
        inks = (QColor(image.pixel(x, y)) for x in xs for y in range(17, 34))
        return any(ink.red() - ink.green() > 60 for ink in inks)

    assert (grid.columnWidth(0), len(shown) > 36) == (width, True)
    assert [column for column in shown if is_red(column)] == [4, 28, 36]


def test_a_draft_of_one_day_says_that_it_is_new(qapp: QApplication) -> None:
    units, window, look = fleet()[:1], days_around(-4, 26), Theme.light()
    shown = GridContent(
        window=window, today=TODAY, now=NOW, fleet=units, masks=masks_of(units, (), window), holidays={}, bars=()
    )
    pictures = []
    for text in ("Baru · 1 hari", ""):
        image = QImage(80, 28, QImage.Format.Format_RGB32)
        image.fill(look.surface)
        painter = QPainter(image)
        frame = Frame(ratio=1, width=31 * 36, column=36, row=28, stale=False)
        mark = GridMark(kind=MarkKind.DRAFT, unit_id=units[0].unit.id, first=0, last=0, text=text)
        MarkPainting(look, frame, shown).paint(painter, mark, 0, 0)
        painter.end()
        pictures.append(image)
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("kind", [MarkKind.CONFLICT, MarkKind.GHOST_REFUSED])
def test_refused_days_hatch_free_cells_only_and_their_frame_crosses_no_bar(qapp: QApplication, kind: MarkKind) -> None:
    units, window, look = fleet()[:1], days_around(-4, 26), Theme.light()
    rows = (bar(units[0], "LB", 3, 5, "Andi Saputra"),)
    shown = GridContent(
        window=window, today=TODAY, now=NOW, fleet=units, masks=masks_of(units, rows, window), holidays={}, bars=rows
    )
    first = shown.column_of(rows[0].days.last)
    assert first is not None
    frame = Frame(ratio=1, width=31 * 36, column=36, row=28, stale=False)
    image = QImage(frame.width, 28, QImage.Format.Format_RGB32)
    image.fill(look.surface)
    painter = QPainter(image)
    mark = GridMark(kind=kind, unit_id=units[0].unit.id, first=first, last=first + 2)
    MarkPainting(look, frame, shown).paint(painter, mark, 0, 0)
    painter.end()

    def touched(left: int, right: int) -> set[int]:
        """Colours between the lines above and below."""
        return {image.pixel(x, y) for x in range(left, right) for y in range(7, 21)} - {look.surface.rgb()}

    taken, free = first * 36, (first + 1) * 36
    assert not touched(taken - 4, free - 1), "the bar's name lies here"
    assert touched(free + 4, free + 30)
    assert look.conflict.rgb() in touched((first + 3) * 36 - 6, (first + 3) * 36), "the closed end"
    assert look.conflict.rgb() in {image.pixel(x, 4) for x in range(taken, free)}, "the lines go on over the bar"


@pytest.mark.parametrize(
    ("kept", "room"),
    [
        ((), (0, 100)),
        (((60, 90),), (0, 60)),
        (((0, 30),), (30, 100)),
        (((40, 50), (10, 20)), (50, 100)),
        (((-30, 200),), (0, 0)),
        (((120, 150),), (0, 100)),
    ],
)
def test_the_plate_of_a_double_claim_takes_the_widest_room_beside_countdowns(
    kept: tuple[tuple[float, float], ...], room: tuple[float, float]
) -> None:
    assert widest_room(0, 100, kept) == room
