"""The grid on screen: keys, mouse, folding, what screen readers hear, and that only what changed is painted."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetricsF, QImage, QPaintEvent, QRegion, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.formats import Language, day_with_weekday
from app.desktop.language import use_language
from app.desktop.screens.calendar_window import Zoom
from app.desktop.states import ShownState
from app.desktop.theme import BannerKind, TextRole, Theme, use_theme
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_header import number_font
from app.desktop.widgets.month_grid_marks import mark_words
from app.domain.days import YearMonth
from tests.desktop.calendar_desk import SHIFT, Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import HOLIDAYS, NOW, TODAY, bar, bars, days_around, fleet, masks_of


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


class Painted(QObject):
    """Remembers which parts of a viewport were asked to be painted."""

    def __init__(self) -> None:
        super().__init__()
        self.region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def spoken(grid: MonthGrid, plate: str, column: int) -> str:
    row = next(
        row
        for row in range(grid.grid_model().rowCount())
        if (unit := grid.grid_model().row(row).unit) is not None and unit.unit.plate == plate
    )
    return str(grid.grid_model().index(row, column).data(Qt.ItemDataRole.AccessibleTextRole))


def test_the_grid_is_a_table_of_sku_rows_and_unit_rows(desk: Desk) -> None:
    model = desk.screen.grid.grid_model()
    assert (model.rowCount(), model.columnCount()) == (6 + 26, 31)
    assert model.row(0).unit is None
    assert model.row(1).unit is not None


def test_a_screen_reader_hears_unit_day_state_name_and_which_day_of_how_many(desk: Desk) -> None:
    grid = desk.screen.grid
    assert (
        spoken(grid, "B 1211 XYZ", desk.column(6))
        == "B 1211 XYZ, Avanza G, Minggu, 6 Desember 2026, Dibayar, Budi Santoso, hari 2 dari 4"
    )
    assert spoken(grid, "B 1211 XYZ", desk.column(10)) == "B 1211 XYZ, Avanza G, Kamis, 10 Desember 2026, kosong"
    assert "Hari Raya Natal" in spoken(grid, "B 1200 XYZ", desk.column(25))
    first = grid.grid_model().index(0, desk.column(1)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert first == "Avanza G, Selasa, 1 Desember 2026, sisa 4 dari 8"


def test_heads_are_spoken_too(desk: Desk) -> None:
    model = desk.screen.grid.grid_model()
    day = model.headerData(desk.column(0), Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
    assert day == "Senin, 30 November 2026, hari ini"
    assert (
        model.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.AccessibleTextRole) == "Avanza G, 8 unit, terbuka"
    )
    unit = model.headerData(2, Qt.Orientation.Vertical, Qt.ItemDataRole.AccessibleTextRole)
    assert unit == "B 1201 XYZ, Avanza G, hitam, sedang keluar"


def test_the_accessible_table_has_every_cell(desk: Desk) -> None:
    table = QAccessible.queryAccessibleInterface(desk.screen.grid)
    assert table is not None
    # One head row and one head column stand around the cells.
    assert table.childCount() == (32 + 1) * (31 + 1)
    cell = table.child((1 + 1) * (31 + 1) + desk.column(4) + 1)
    assert cell is not None
    assert cell.role() is QAccessible.Role.Cell
    assert cell.text(QAccessible.Text.Name).endswith("Dibayar, Siti R., hari 1 dari 3")


def test_shift_and_arrow_grow_the_days_and_stop_at_the_obstacle_with_price_and_reason(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Right, SHIFT, times=5)
    chosen = desk.screen.grid.stretch()
    assert chosen is not None
    assert (chosen.count, chosen.stopped is not None) == (3, True)
    assert desk.screen.pointing.price.isVisible()
    assert desk.screen.pointing.price.spoken() == (
        "3 hari, Rp\u00a01.050.000, Rab 2 – Jum 4 Des · Avanza G B 1211 XYZ, "
        "Berhenti sebelum Sab 5 Des: LB Budi Santoso sampai Sel 8 Des (BK-10119)"
    )


def test_shift_and_arrow_choose_days_past_the_edge_while_the_first_stays_in_sight(desk: Desk) -> None:
    content = desk.screen.grid.content
    assert content is not None
    last, count = content.window.last, len(content.days)
    assert desk.screen.grid.go_to(desk.unit("B 1200 XYZ"), count - 1)
    desk.screen.grid.setFocus()
    desk.press(Qt.Key.Key_Right, SHIFT, times=3)
    chosen = desk.screen.grid.stretch()
    assert chosen is not None
    assert (chosen.first_day, chosen.last_day) == (last, last + dt.timedelta(days=3))
    assert desk.screen.grid.content is not None
    assert desk.screen.grid.content.window.last == last + dt.timedelta(days=3)
    desk.press(Qt.Key.Key_Right, SHIFT, times=count - 4)
    assert desk.shell.toasts == []
    desk.press(Qt.Key.Key_Right, SHIFT)
    assert "Tekan - untuk menampilkan lebih banyak hari" in desk.shell.toasts[-1]


def test_shift_and_arrow_back_shrink_the_days(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Right, SHIFT, times=2)
    desk.press(Qt.Key.Key_Left, SHIFT)
    chosen = desk.screen.grid.stretch()
    assert chosen is not None
    assert chosen.count == 2


def test_esc_gives_the_chosen_days_up(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Right, SHIFT)
    assert desk.screen.escape()
    assert desk.screen.grid.stretch() is None
    assert not desk.screen.pointing.price.isVisible()


def test_enter_on_a_taken_day_opens_the_bars_card_and_never_a_booking(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.pointing.preview.isVisible()
    assert not desk.screen.drawer.is_open()
    assert desk.screen.pointing.preview.accessibleName().startswith("BK-10119, Dibayar, Budi Santoso")


def test_trying_a_day_in_the_past_says_why_not(desk: Desk) -> None:
    desk.stand_on("GNS-015", -2)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.pointing.blocked.isVisible()
    assert "Hari itu sudah lewat." in desk.screen.pointing.blocked.accessibleName()
    assert not desk.screen.drawer.is_open()


def test_a_drag_over_free_days_opens_the_drawer_with_unit_and_days(desk: Desk) -> None:
    desk.drag("B 1211 XYZ", 2, 4)
    assert desk.screen.drawer.is_open()
    form = desk.walk_in.form
    assert (form.unit_id, form.first_day, form.days) == (desk.unit("B 1211 XYZ"), TODAY.replace(month=12, day=2), 3)


def test_a_drag_stops_at_the_first_taken_day_and_says_so_beside_the_cursor(desk: Desk) -> None:
    desk.drag("B 1211 XYZ", 2, 12, release=False)
    chosen = desk.screen.grid.stretch()
    assert chosen is not None
    assert chosen.last == desk.column(4)
    assert "Berhenti sebelum Sab 5 Des" in desk.screen.pointing.price.spoken()
    assert desk.screen.escape()
    assert not desk.screen.drawer.is_open()


def test_a_press_without_moving_chooses_a_cell_and_nothing_else(desk: Desk) -> None:
    desk.drag("B 1211 XYZ", 2, 2)
    assert desk.screen.grid.current_cell() == (desk.unit("B 1211 XYZ"), desk.column(2))


def test_a_sku_folds_with_left_and_unfolds_with_right_and_enter(desk: Desk) -> None:
    grid, model = desk.screen.grid, desk.screen.grid.grid_model()
    grid.setCurrentIndex(model.index(0, desk.column(0)))
    grid.setFocus()
    desk.press(Qt.Key.Key_Left)
    assert model.rowCount() == 32 - 8
    assert grid.current_cell() == ("", desk.column(0))
    desk.press(Qt.Key.Key_Right)
    assert model.rowCount() == 32
    desk.press(Qt.Key.Key_Return)
    assert model.rowCount() == 24


def test_home_end_and_arrows_move_the_current_cell(desk: Desk) -> None:
    desk.stand_on("B 1201 XYZ", 0)
    desk.press(Qt.Key.Key_End)
    assert desk.screen.grid.current_cell() == (desk.unit("B 1201 XYZ"), 30)
    desk.press(Qt.Key.Key_Home)
    desk.press(Qt.Key.Key_Right)
    desk.press(Qt.Key.Key_Up)
    assert desk.screen.grid.current_cell() == (desk.unit("B 1200 XYZ"), 1)


def test_n_goes_to_the_next_free_day_and_g_to_the_next_bar_that_needs_somebody(desk: Desk) -> None:
    desk.stand_on("B 2410 UZN", 0)
    desk.shortcut("N")
    assert desk.screen.grid.current_cell() == (desk.unit("B 2410 UZN"), desk.column(6))
    desk.stand_on("B 1200 XYZ", 0)
    desk.shortcut("G")
    assert desk.screen.grid.current_cell() == (desk.unit("B 1203 XYZ"), desk.column(-4))
    desk.shortcut("G")
    assert desk.screen.grid.current_cell() == (desk.unit("B 1204 XYZ"), desk.column(-3))


def test_a_hint_repaints_the_changed_cells_and_nothing_else(desk: Desk, qtbot: QtBot) -> None:
    grid = desk.screen.grid
    qtbot.waitExposed(desk.screen)
    QApplication.processEvents()
    seen = Painted()
    grid.viewport().installEventFilter(seen)
    unit = desk.model.find_unit("GNS-015")
    assert unit is not None
    mask = days_around(3, 5).mask(YearMonth(2026, 12))
    grid.apply_hint("GEN-5KVA", YearMonth(2026, 12), unit.unit.slot, mask)
    QApplication.processEvents()
    grid.scrollToBottom()
    QApplication.processEvents()
    seen.region = QRegion()
    mask = days_around(4, 6).mask(YearMonth(2026, 12))
    grid.apply_hint("GEN-5KVA", YearMonth(2026, 12), unit.unit.slot, mask)
    QApplication.processEvents()
    cells = grid.cell_rect(unit.unit.id, desk.column(3), desk.column(6))
    row = grid.grid_model().row_of_group("GEN-5KVA")
    assert row is not None
    numbers = QRect(cells.left(), grid.rowViewportPosition(row), cells.width(), 28)
    allowed = QRegion(cells).united(QRegion(numbers))
    assert not seen.region.isEmpty()
    assert seen.region.subtracted(allowed).isEmpty()


def test_a_change_of_the_view_model_alone_paints_no_cell(desk: Desk, qtbot: QtBot) -> None:
    qtbot.waitExposed(desk.screen)
    QApplication.processEvents()
    seen = Painted()
    desk.screen.grid.viewport().installEventFilter(seen)
    desk.model.changed.emit()
    desk.model.reread()
    QApplication.processEvents()
    assert seen.region.isEmpty()


def test_hints_never_end_a_drag(desk: Desk) -> None:
    desk.drag("B 1211 XYZ", 2, 4, release=False)
    desk.feed.on_availability("HON-BRIO", YearMonth(2026, 12), 0, 0)
    desk.feed._deliver()
    assert desk.screen.grid.is_dragging()
    assert desk.screen.grid.stretch() is not None


def test_ctrl_wheel_zooms_and_shift_wheel_moves_the_window(desk: Desk) -> None:
    def wheel(modifiers: Qt.KeyboardModifier, delta: int) -> None:
        at = QPointF(400, 200)
        event = QWheelEvent(
            at,
            at,
            QPoint(),
            QPoint(0, delta),
            Qt.MouseButton.NoButton,
            modifiers,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(desk.screen.grid.viewport(), event)

    wheel(Qt.KeyboardModifier.ControlModifier, 120)
    assert desk.model.window is not None
    assert desk.model.window.count == 14
    wheel(Qt.KeyboardModifier.ControlModifier, -120)
    assert desk.model.window.count == 31
    first = desk.model.window.first
    wheel(Qt.KeyboardModifier.ShiftModifier, -120)
    assert (desk.model.window.first - first).days == 7


def pixels(theme: Theme, *, state: ShownState | None = None) -> QImage:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    use_theme(theme, app)
    units, rows, window = fleet(), bars(), days_around(-4, 26)
    grid = MonthGrid()
    grid.resize(1310, 950)
    grid.set_clock(lambda: NOW)
    grid.show_content(
        GridContent(
            window=window,
            today=TODAY,
            now=NOW,
            fleet=units,
            masks=masks_of(units, rows, window),
            holidays=HOLIDAYS,
            bars=rows,
        )
    )
    grid.show_only(state)
    grid.ensurePolished()
    image = QImage(grid.size(), QImage.Format.Format_RGB32)
    grid.render(image)
    grid.deleteLater()
    return image


def test_c32_a_double_claim_is_marked_on_its_days_beside_the_plate_and_in_the_skus_row(
    qtbot: QtBot, tmp_path: Path
) -> None:
    counter = FakeCounter()
    unit = fleet()[0]
    counter.branch.rows = [
        bar(unit, "LB", 6, 10, "Siti R.", number="BK-1"),
        bar(unit, "LB", 9, 12, "Budi", number="BK-2"),
    ]
    desk = Desk(tmp_path, counter)
    qtbot.addWidget(desk.screen)
    grid = desk.screen.grid
    conflict = Theme.light().conflict.rgb()

    def marked(image: QImage, area: QRect) -> bool:
        spots = ((x, y) for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom()))
        return any(image.pixel(x, y) == conflict for x, y in spots)

    for zoom in Zoom:
        desk.model.set_zoom(zoom)
        desk.model.show_day(TODAY + dt.timedelta(days=9))
        grid.go_to(unit.unit.id, desk.column(9))
        image = grid.viewport().grab().toImage()
        cells = grid.cell_rect(unit.unit.id, desk.column(9), desk.column(10))
        group = cells.translated(0, grid.rowViewportPosition(0) - cells.top())
        before = grid.cell_rect(unit.unit.id, desk.column(8), desk.column(8)).adjusted(0, 4, -4, -4)
        assert marked(image, cells), zoom
        assert marked(image, group), zoom
        assert not marked(image, before), zoom
        assert spoken(grid, unit.unit.plate, desk.column(9)).endswith("BENTROK: Siti R. (BK-1) dan Budi (BK-2)")
        assert "BENTROK" not in spoken(grid, unit.unit.plate, desk.column(8))
    head = grid.grid_model().index(0, desk.column(10)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert head.endswith("ada bentrok")
    banner = desk.shell.banners["calendar-conflict"]
    assert banner.kind is BannerKind.ERROR
    assert f"{banner.title} {banner.text}" == (
        f"{unit.unit.plate} dipesan dua kali 9–10 Des: BK-1 Siti R. dan BK-2 Budi."
    )
    desk.stand_on("B 1214 XYZ", 12)
    banner.actions[0].run()
    QApplication.processEvents()
    assert grid.current_cell() == (unit.unit.id, desk.column(9))
    counter.branch.rows = [bar(unit, "LB", 6, 10, "Siti R.", number="BK-1")]
    desk.model.load()
    QApplication.processEvents()
    assert "calendar-conflict" not in desk.shell.banners
    counter.branch.rows.append(bar(unit, "LB", 9, 12, "Budi", number="BK-2"))
    desk.model.load()
    desk.stand_on("B 1214 XYZ", 9)
    desk.shortcut("G")
    desk.shortcut("G")
    assert grid.current_cell() is not None
    desk.screen.shut()


@pytest.mark.parametrize("count", [500, 1000])
def test_c35_two_months_of_many_units_are_read_in_one_go_and_only_what_is_seen_is_laid_out(
    qtbot: QtBot, tmp_path: Path, count: int
) -> None:
    counter = FakeCounter()
    base = fleet()[0]
    counter.branch.units = tuple(
        replace(base, unit=replace(base.unit, id=f"u{n}", slot=n, plate=f"B {n} XX")) for n in range(count)
    )
    counter.branch.rows = [
        bar(unit, "LB", n % 40, n % 40 + 2, "Siti R.") for n, unit in enumerate(counter.branch.units)
    ]
    desk = Desk(tmp_path, counter)
    qtbot.addWidget(desk.screen)
    branch = counter.branch
    branch.fleet_reads = branch.mask_reads = branch.bar_reads = 0
    desk.model.set_zoom(Zoom.TWO_MONTHS)
    QApplication.processEvents()
    grid = desk.screen.grid
    assert grid.content is not None
    assert (grid.content.unit_count, grid.content.window.count) == (count, 62)
    assert (branch.fleet_reads, branch.mask_reads, branch.bar_reads) == (0, 1, 1)
    grid.viewport().grab()
    assert len(grid._painting._rows) <= 24  # type: ignore[union-attr]
    grid.verticalScrollBar().setValue(28 * 200)
    grid.viewport().grab()
    assert len(grid._painting._rows) <= 2 * 24  # type: ignore[union-attr]
    assert (branch.mask_reads, branch.bar_reads) == (1, 1)
    desk.screen.shut()


def test_another_window_and_a_folded_sku_are_announced_and_the_first_window_is_not(
    qtbot: QtBot, tmp_path: Path
) -> None:
    heard: list[str] = []
    announcer().announced.connect(lambda text, _: heard.append(text))
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    assert heard == []
    desk.model.step_month(1)
    desk.screen.grid.toggle(desk.screen.grid.content.groups[0])  # type: ignore[union-attr]
    desk.model.load()
    assert heard == ["1 Des – 31 Des 2026, 31 hari", "Avanza G, 8 unit, terlipat"]
    desk.screen.shut()


@pytest.mark.parametrize("theme", [Theme.light(), Theme.dark()], ids=["light", "dark"])
def test_every_state_is_drawn_in_its_own_fill(theme: Theme, qapp: QApplication) -> None:
    image = pixels(theme)
    colours = {image.pixel(x, y) for y in range(0, image.height(), 3) for x in range(176, image.width(), 3)}
    for state in (
        ShownState.PENDING_PAYMENT,
        ShownState.PAID_APPROVED,
        ShownState.ACTIVE_RENTAL,
        ShownState.OVERDUE,
        ShownState.RETURNED_PENDING_CHECK,
        ShownState.DISPUTED,
        ShownState.COMPLETED,
        ShownState.MAINTENANCE,
        ShownState.WAITLIST_HOLD,
    ):
        assert theme.state(state).fill.rgb() in colours, state


def test_the_second_paint_with_static_text_is_the_same_picture(qtbot: QtBot, desk: Desk) -> None:
    grid = desk.screen.grid
    grid.setFocus()
    first = grid.viewport().grab().toImage()
    second = grid.viewport().grab().toImage()
    third = grid.viewport().grab().toImage()
    differing = sum(
        second.pixel(x, y) != third.pixel(x, y) for y in range(0, second.height(), 2) for x in range(0, 1100, 2)
    )
    assert differing == 0
    differing = sum(first.pixel(x, y) != third.pixel(x, y) for y in range(0, 500, 2) for x in range(0, 1100, 2))
    assert differing / (250 * 550) < 0.005


def test_english_texts_are_spoken_in_english(desk: Desk) -> None:
    use_language(Language.EN)
    assert spoken(desk.screen.grid, "B 1211 XYZ", desk.column(6)) == (
        "B 1211 XYZ, Avanza G, Sunday, 6 December 2026, Paid, Budi Santoso, day 2 of 4"
    )


def test_units_are_counted_in_the_language_in_use(desk: Desk) -> None:
    assert desk.screen.grid.corner.accessibleName() == "Unit, 26 unit"
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.screen.grid.corner.accessibleName() == "Unit, 26 units"


def test_the_grid_of_a_large_fleet_scrolls_without_laying_out_rows_it_does_not_show(qtbot: QtBot) -> None:
    base = fleet()[0]

    units = tuple(replace(base, unit=replace(base.unit, id=f"u{n}", slot=n, plate=f"B {n} XX")) for n in range(5000))
    window = days_around(-4, 26)
    content = GridContent(
        window=window, today=TODAY, now=NOW, fleet=units, masks=masks_of(units[:50], (), window), holidays={}, bars=()
    )
    grid = MonthGrid()
    qtbot.addWidget(grid)
    grid.resize(1310, 600)
    grid.show_content(content)
    grid.show()
    QApplication.processEvents()
    assert len(grid._painting._rows) <= 24  # type: ignore[union-attr]
    grid.scrollToBottom()
    QApplication.processEvents()
    assert grid.rowAt(grid.viewport().height() - 2) == 5000


@pytest.mark.parametrize("width", [36, 40, 52])
@pytest.mark.parametrize("spoken", list(Language))
def test_number_and_month_of_a_first_day_fit_their_column_and_the_chip_of_today(
    qapp: QApplication, width: int, spoken: Language
) -> None:
    for month in range(1, 13):
        number = day_with_weekday(dt.date(2026, month, 1), spoken).split(" ", 1)[1]
        assert QFontMetricsF(number_font(number, width - 4)).horizontalAdvance(number) <= width - 2, number


def test_a_marks_words_are_left_out_whole_where_they_do_not_fit(qapp: QApplication) -> None:
    metrics = QFontMetricsF(Theme.light().font(TextRole.CAPTION, 600))
    lengths = [metrics.horizontalAdvance(words) for words in ("1 · kosong", "1")]
    assert mark_words("1 · kosong", metrics, lengths[0]) == "1 · kosong"
    assert mark_words("1 · kosong", metrics, lengths[0] - 1) == "1"
    assert mark_words("1 · kosong", metrics, lengths[1] - 1) == ""


def test_c32_a_double_claim_far_from_the_window_has_its_banner_and_a_way_there(qtbot: QtBot, tmp_path: Path) -> None:
    counter = FakeCounter()
    unit = fleet()[0]
    counter.branch.rows = [
        bar(unit, "LB", 150, 155, "Siti R.", number="BK-1"),
        bar(unit, "LB", 154, 160, "Budi", number="BK-2"),
    ]
    desk = Desk(tmp_path, counter)
    qtbot.addWidget(desk.screen)
    banner = desk.shell.banners["calendar-conflict"]
    assert f"{banner.title} {banner.text}" == (
        f"{unit.unit.plate} dipesan dua kali 3–4 Mei: BK-1 Siti R. dan BK-2 Budi."
    )
    desk.model.set_filter("innova")
    banner.actions[0].run()
    QApplication.processEvents()
    grid = desk.screen.grid
    assert desk.model.window is not None
    assert TODAY + dt.timedelta(days=154) in desk.model.window
    assert grid.current_cell() == (unit.unit.id, desk.column(154))
    del counter.branch.rows[1]
    desk.model.load()
    QApplication.processEvents()
    assert "calendar-conflict" not in desk.shell.banners
    desk.screen.shut()
