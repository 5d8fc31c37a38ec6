"""Small promises of the calendar's looks: nothing is cut, nothing jumps, one focus ring, a way out that is named."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.screen import BannerAction, BannerContent
from app.desktop.screens.calendar_menu import MENU_WIDTH, MenuLine, VerbMenu
from app.desktop.theme import BannerKind, TextRole, theme
from app.desktop.widgets.banner import Banner
from app.desktop.widgets.close_hint import CloseHint
from app.desktop.widgets.month_grid_ghost_painting import ghost_words
from app.desktop.widgets.month_grid_marks import MarkKind
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI
from tests.desktop.calendar_samples import TODAY


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def offline(age: str) -> BannerContent:
    return BannerContent(
        kind=BannerKind.WARNING,
        title="Koneksi terputus 14.05.",
        text="Data dari 14.05.10, umur",
        figure=age,
        rest=". Menahan unit, kunci tagihan, dan pembayaran dimatikan.",
        stamp="Mencoba lagi 4 dtk",
        actions=(BannerAction(text="Coba sekarang", run=lambda: None),),
    )


def test_a_banner_that_is_too_long_for_its_line_keeps_its_consequence_on_a_second_one(qtbot: QtBot) -> None:
    banner = Banner(offline("9 dtk"))
    qtbot.addWidget(banner)
    banner.resize(1300, banner.height())
    banner.show()
    one_line = banner.height()
    assert not banner.is_folded()
    banner.resize(855, one_line)
    assert banner.is_folded()
    assert banner.height() > one_line
    assert banner.say(offline("1 dtk"))
    assert banner.is_folded(), "a shorter figure does not make the grid jump"
    banner.resize(1300, banner.height())
    assert (banner.is_folded(), banner.height()) == (False, one_line)


def test_a_bar_in_the_hand_shortens_its_name_as_every_bar_does(qapp: QApplication) -> None:
    metrics = QFontMetricsF(theme().font(TextRole.SECONDARY, 600))
    room = metrics.horizontalAdvance("LB Bagus P.") + 1
    assert ghost_words("LB Bagus Prasetyo", metrics, 500) == "LB Bagus Prasetyo"
    assert ghost_words("LB Bagus Prasetyo", metrics, room) == "LB Bagus P."
    assert ghost_words("LB Bagus Prasetyo", metrics, metrics.horizontalAdvance("LB Bagus") + 1) == "LB Bagus"
    assert ghost_words("LB Bagus Prasetyo", metrics, metrics.horizontalAdvance("LB") + 2) == "LB"
    assert ghost_words("Parkir", metrics, 1) == "Parkir"


def test_what_is_held_has_lines_around_it_and_under_the_head_and_no_second_ring(desk: Desk) -> None:
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(desk.model.find_unit("B 1207 XYZ"), TODAY, TODAY)
    desk.screen.drawer.open_panel()
    desk.walk_in.book()
    grid, column = desk.screen.grid, desk.column(0)
    assert [mark.kind for mark in grid._marks] == [MarkKind.HELD]
    assert grid._days._chosen == (column, column, False)
    cell = grid.cell_rect(desk.unit("B 1207 XYZ"), column, column)
    image = grid.viewport().grab().toImage()
    accent = theme().accent.rgb()
    inked = {
        y - cell.top() for y in range(cell.top(), cell.bottom() + 1) if image.pixel(cell.center().x(), y) == accent
    }
    assert inked == {0, 1, 26, 27}, "a line that touched the bar's foot would read as another state"


def test_the_lane_that_is_offered_covers_no_row_and_moves_nothing(desk: Desk) -> None:
    screen = desk.screen
    before = (screen.grid.geometry(), screen.legend.geometry())
    desk.grab("B 1211 XYZ", 6, "B 1211 XYZ", 7, release=False)
    lane = screen.hands.lane
    assert lane.isVisible()
    assert (screen.grid.geometry(), screen.legend.geometry()) == before
    legend = screen.legend.geometry()
    assert (lane.geometry().top(), lane.geometry().bottom()) == (legend.top(), legend.bottom())
    assert lane.width() < legend.width() / 3, "the states stay to be read"
    desk.let_go("B 1211 XYZ", 6)


def test_every_card_says_that_escape_closes_it(desk: Desk) -> None:
    screen = desk.screen
    for card in (screen.pointing.preview, screen.refusals.card, screen.hands.demand.waitlist, screen.hands.menu):
        (hint,) = card.findChildren(CloseHint)
        assert hint.word.text() == "tutup"
        assert not hint.isHidden()


def test_a_long_menu_fits_a_small_screen(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(860, 405)
    host.show()
    menu = VerbMenu(host)
    lines = [
        MenuLine(name=str(n), text=f"Kerjakan {n}", key="X", reason="Tidak bisa." if n % 3 else "") for n in range(13)
    ]
    menu.show_lines("BK-10023", "Bagus Prasetyo", lines, room=host.height())
    menu.place(host.rect().adjusted(0, 0, -MENU_WIDTH, -380), within=host.rect())
    assert menu.height() <= host.height()
    assert min(row.height() for row in menu.rows) >= 24


def test_enter_in_a_filter_that_finds_nothing_stands_on_the_one_thing_to_press(desk: Desk) -> None:
    desk.press(Qt.Key.Key_Slash)
    desk.type("avansa")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.place.empty.button.hasFocus()
    assert desk.screen.toolbar.free.sentence() == "", "nothing is counted where nothing is shown"
    desk.press(Qt.Key.Key_Return)
    assert desk.model.filter_text == "Avanza G"
    assert desk.screen.grid.isVisible()
