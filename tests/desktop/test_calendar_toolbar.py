"""The row above the grid: what it is called, what it switches off, and whose the one filled button is."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_toolbar import CalendarToolbar, Part
from app.desktop.screens.calendar_window import Zoom
from app.desktop.states import ShownState
from tests.desktop.calendar_desk import Desk


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()
    use_language(Language.ID)


def test_while_the_connection_is_lost_a_draft_is_offered_in_every_language(desk: Desk) -> None:
    toolbar = desk.screen.toolbar
    assert toolbar.booking.text() == "Booking baru"
    desk.screen.connection_changed(False)
    assert toolbar.booking.text() == "Draf baru"
    use_language(Language.EN)
    QApplication.processEvents()
    assert toolbar.booking.text() == "New draft"


def test_maintenance_is_off_with_the_reason_while_nothing_can_be_written(desk: Desk) -> None:
    maintenance = desk.screen.toolbar.maintenance
    assert maintenance.isEnabled()
    desk.screen.connection_changed(False)
    assert (maintenance.isEnabled(), maintenance.reason()) == (False, "Koneksi terputus.")
    desk.screen.connection_changed(True)
    QApplication.processEvents()
    assert maintenance.isEnabled()


@pytest.mark.parametrize("key", ["F", "W"])
def test_a_card_that_asks_has_the_one_filled_button(desk: Desk, key: str) -> None:
    booking = desk.screen.toolbar.booking
    desk.stand_on("B 1207 XYZ", 1)
    assert booking._primary
    desk.shortcut(key)
    assert not booking._primary
    desk.press(Qt.Key.Key_Escape)
    desk.screen.escape()
    assert booking._primary


def test_a_pinned_drawer_that_nobody_uses_leaves_the_filled_button_to_the_toolbar(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, size=(1864, 952))
    qtbot.addWidget(desk.screen)
    toolbar, panel = desk.screen.toolbar.booking, desk.screen.panel.primary
    assert desk.screen.drawer.is_pinned()
    assert (toolbar.is_primary(), panel.is_primary()) == (True, False)
    desk.shortcut("Ctrl+N")
    assert (toolbar.is_primary(), panel.is_primary()) == (False, True)
    for card in (desk.screen.hands.ends.paid, desk.screen.hands.ends.longer):
        card.show()
        assert (toolbar.is_primary(), panel.is_primary()) == (False, False), "a question stands alone"
        card.hide()
    assert (toolbar.is_primary(), panel.is_primary()) == (False, True)
    desk.screen.shut()


def places(toolbar: CalendarToolbar) -> dict[str, tuple[int, int]]:
    """Where each part stands that is shown."""
    QApplication.processEvents()
    parts = {name: part for name, part in vars(toolbar).items() if isinstance(part, QWidget) and part.isVisible()}
    return {name: (part.x(), part.width()) for name, part in parts.items()}


@pytest.mark.parametrize("width", [860, 1037, 1310, 1600, 1864])
def test_no_part_of_the_row_moves_with_what_the_calendar_shows(qtbot: QtBot, tmp_path: Path, width: int) -> None:
    desk = Desk(tmp_path, size=(width, 500))
    qtbot.addWidget(desk.screen)
    toolbar = desk.screen.toolbar
    before = places(toolbar)
    assert len(before) >= 7
    changes: tuple[Callable[[], object], ...] = (
        lambda: desk.screen.moves.choose_zoom(Zoom.TWO_MONTHS.value),
        lambda: desk.screen.moves.choose_zoom(Zoom.MONTH.value),
        lambda: desk.screen.moves.choose_zoom(Zoom.WEEK.value),
        lambda: desk.model.step_month(1),
        lambda: desk.model.set_only(ShownState.RETURNED_PENDING_CHECK),
        lambda: desk.screen.connection_changed(False),
    )
    for change in changes:
        change()
        assert places(toolbar) == before
    desk.screen.shut()


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("width", [860, 1037, 1310, 1864])
def test_the_row_fits_and_what_has_no_place_stands_behind_the_dots(
    qtbot: QtBot, tmp_path: Path, width: int, language: Language
) -> None:
    use_language(language)
    desk = Desk(tmp_path, size=(width, 500))
    qtbot.addWidget(desk.screen)
    toolbar, menu = desk.screen.toolbar, desk.screen.more.menu
    spots = sorted(places(toolbar).values())
    assert all(x + size <= following for (x, size), (following, _) in pairwise(spots))
    assert spots[-1][0] + spots[-1][1] <= width
    shown = [zoom for zoom in (toolbar.zoom, toolbar.short_zoom) if zoom.isVisible()]
    assert toolbar.more.isVisible() is bool(toolbar.left_out())
    if not toolbar.left_out():
        assert shown == [toolbar.zoom]
    else:
        toolbar.more.click()
        names = {row.line.name for row in menu.rows}
        lengths = {zoom.value for zoom in Zoom}
        assert names & lengths == ({Zoom.TWO_MONTHS.value, Zoom.MONTH.value} if shown else lengths)
        assert ("block" in names) is not toolbar.maintenance.isVisible()
        assert ("state" in names) is not toolbar.state.isVisible()
        assert (toolbar.free.sentence() in menu.accessibleName()) is not toolbar.free.isVisible()
        off = {row.line.name for row in menu.rows if not row.isEnabled()}
        assert off == ({Zoom.ROLLING.value, Zoom.MONTH.value} if width == 860 else set())
        toolbar.more.click()
        assert not menu.isVisible()
    desk.screen.shut()


def test_two_months_and_a_whole_month_are_a_press_away_on_a_small_screen(desk: Desk) -> None:
    toolbar, menu = desk.screen.toolbar, desk.screen.more.menu
    assert Part.LONG_ZOOMS in toolbar.left_out()
    toolbar.more.click()
    next(row for row in menu.rows if row.line.name == Zoom.TWO_MONTHS.value).click()
    assert (desk.model.zoom, toolbar.short_zoom.current(), toolbar.more.isChecked()) == (Zoom.TWO_MONTHS, "", True)
    assert desk.screen.grid.hasFocus()
    toolbar.more.click()
    desk.press(Qt.Key.Key_B)
    assert desk.model.zoom is Zoom.MONTH
    toolbar.more.click()
    desk.press(Qt.Key.Key_Escape)
    assert not menu.isVisible()
    toolbar.short_zoom.chosen.emit(Zoom.ROLLING.value)
    assert (toolbar.short_zoom.current(), toolbar.more.isChecked()) == (Zoom.ROLLING.value, False)


def test_the_dots_close_when_somebody_goes_on_elsewhere(desk: Desk) -> None:
    desk.screen.toolbar.more.click()
    assert desk.screen.more.menu.isVisible()
    desk.screen.grid.setFocus()
    assert not desk.screen.more.menu.isVisible()


def test_beside_the_drawer_the_free_count_is_shorter_and_never_cut(desk: Desk) -> None:
    free = desk.screen.toolbar.free

    def width() -> int:
        """How far the words reach; 0 while nothing is drawn."""
        image = free.grab().toImage()
        paper = image.pixel(image.width() - 1, 0)
        columns = (x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) != paper)
        return max(columns, default=0)

    whole = width()
    desk.shortcut("Ctrl+N")
    QApplication.processEvents()
    assert desk.screen.panel.x() < free.x() + whole
    assert 0 < width() < whole
    assert free.x() + width() <= desk.screen.panel.x()
    assert free.sentence() == "Tersedia 10 dari 26 hari ini"
    free.set_seen(free.x() + 20)
    assert width() == 0, "left out whole where even that is cut"


def test_the_dots_name_the_length_that_has_no_cell_of_its_own(desk: Desk) -> None:
    toolbar = desk.screen.toolbar
    desk.screen.resize(1310, 632)
    before = toolbar.more.geometry()
    desk.screen.moves.choose_zoom(Zoom.TWO_MONTHS.value)
    assert (toolbar.more.text(), toolbar.more.isChecked()) == ("62", True)
    assert toolbar.more.accessibleName() == "Lainnya; 62 hari tampil"
    desk.screen.moves.choose_zoom(Zoom.MONTH.value)
    assert (toolbar.more.text(), toolbar.more.isChecked()) == ("Bln", True)
    assert toolbar.more.geometry() == before, "nothing moves"
    desk.screen.moves.choose_zoom(Zoom.FORTNIGHT.value)
    assert (toolbar.more.text(), toolbar.more.isChecked()) == ("", False)


def test_the_days_of_a_draft_are_named_in_the_language_that_was_just_chosen(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 1)
    desk.shortcut("Ctrl+N")
    QApplication.processEvents()
    assert [mark.text.split(" · ")[0] for mark in desk.screen.grid._marks] == ["Baru"]
    use_language(Language.EN)
    QApplication.processEvents()
    assert [mark.text.split(" · ")[0] for mark in desk.screen.grid._marks] == ["New"]
