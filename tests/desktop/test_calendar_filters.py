"""Which units the calendar shows: free for days, a category, another branch, one state; the legend; holidays."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.changes import SomethingChanged
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_holidays import holiday_names, holiday_words
from app.desktop.screens.calendar_shown import EVERYTHING, CalendarFilter, ShownFleet, with_text
from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_legend import ORDER, Legend
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal
from app.usecases.holidays import Holiday, HolidaySource
from tests.desktop.calendar_desk import SHIFT, Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import ELSEWHERE, TODAY, elsewhere_fleet, fleet


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()
    use_language(Language.ID)


def day(offset: int) -> dt.date:
    return TODAY + dt.timedelta(days=offset)


def period(first: int, last: int) -> RentalPeriod:
    return RentalPeriod(day(first), day(last))


def only(desk: Desk) -> ShownState | None:
    return desk.model.only_state


def plates(desk: Desk) -> list[str]:
    content = desk.screen.grid.content
    return [unit.unit.plate for unit in content.fleet.units] if content is not None else []


# --- free for days ----------------------------------------------------------------------------------------------------


def test_f_and_two_days_leave_the_units_that_are_free_on_all_of_them(desk: Desk) -> None:
    desk.screen.grid.setFocus()
    desk.shortcut("F")
    desk.type("30/11")
    desk.press(Qt.Key.Key_Tab)
    desk.type("3/12")
    desk.press(Qt.Key.Key_Return)
    assert plates(desk) == ["B 1200 XYZ", "B 1207 XYZ", "B 1211 XYZ", "GNS-012", "GNS-015"]
    assert desk.screen.filters.strip.isVisible()
    assert desk.screen.filters.strip.count.text() == "5 dari 26 unit kosong Sen 30 Nov – Kam 3 Des"
    assert desk.screen.grid.hasFocus()


def test_days_chosen_in_the_grid_are_filled_in_so_that_f_enter_asks_for_them(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Right, SHIFT, times=2)
    desk.keys = 0
    desk.shortcut("F")
    desk.press(Qt.Key.Key_Return)
    assert desk.keys == 2
    assert desk.model.shown.wanted.free_for == period(2, 4)
    assert "B 1211 XYZ" in plates(desk)
    assert "B 1204 XYZ" not in plates(desk)


def test_who_is_free_is_asked_once_for_all_units_and_answered_for_days_outside_the_window(desk: Desk) -> None:
    before = desk.counter.branch.free_reads
    desk.model.set_wanted(CalendarFilter(free_for=period(40, 45)))
    assert desk.counter.branch.free_reads == before + 1
    assert len(plates(desk)) == 26


def test_nobody_free_is_one_sentence_and_the_way_back(desk: Desk) -> None:
    desk.model.set_wanted(CalendarFilter(text="HiAce", free_for=period(0, 6)))
    assert desk.screen.place.empty.text.text() == "Tidak ada unit kosong Sen 30 Nov – Min 6 Des."
    desk.screen.place.empty.button.click()
    assert desk.model.shown.wanted == CalendarFilter(text="HiAce")
    assert len(plates(desk)) == 3


@pytest.mark.parametrize(("first", "last"), [("31/2", ""), ("29/11/26", "30/11"), ("3/12", "1/12"), ("", "3/12")])
def test_days_that_are_none_past_or_reversed_are_marked_and_nothing_changes(desk: Desk, first: str, last: str) -> None:
    desk.screen.filters.open()
    card = desk.screen.filters.card
    card.first.edit.setFocus()
    desk.type(first)
    desk.press(Qt.Key.Key_Tab)
    desk.type(last)
    desk.press(Qt.Key.Key_Return)
    assert card.isVisible()
    assert desk.model.shown.wanted == EVERYTHING


def test_esc_takes_filters_back_one_by_one_the_state_first(desk: Desk) -> None:
    desk.model.set_wanted(CalendarFilter(free_for=period(1, 3)))
    desk.screen.filters.choose_state(ShownState.PAID_APPROVED)
    assert desk.screen.escape()
    assert only(desk) is None
    assert desk.model.shown.wanted.free_for is not None
    assert desk.screen.escape()
    assert desk.model.shown.wanted == EVERYTHING
    assert not desk.screen.filters.strip.isVisible()
    assert not desk.screen.escape()


def test_a_filter_is_announced_once_with_how_many_units_are_left(desk: Desk) -> None:
    heard: list[str] = []
    announcer().announced.connect(lambda text, _: heard.append(text))
    desk.model.set_filter("innova")
    desk.model.load()
    assert heard == ["4 dari 26 unit"]


# --- category and text ------------------------------------------------------------------------------------------------


def test_a_text_finds_names_codes_and_categories() -> None:
    shown = ShownFleet()
    shown.take_own((*fleet(), *elsewhere_fleet()))
    for text, count in (("avanza", 9), ("hon-brio", 4), ("truck", 1), ("  innova   zenix ", 4), ("nothing", 0)):
        shown.wanted = with_text(EVERYTHING, text)
        assert len(shown.grid_fleet().units) == count, text
    shown.wanted = CalendarFilter(category="TRUCK")
    assert [unit.sku.name for unit in shown.grid_fleet().units] == ["L300 Pikap"]


def test_the_same_filter_is_the_same_rows() -> None:
    shown = ShownFleet()
    shown.take_own(fleet())
    shown.wanted = with_text(EVERYTHING, "avanza")
    first = shown.grid_fleet()
    shown.wanted = with_text(EVERYTHING, "avanza ")
    assert shown.grid_fleet() is first


# --- another branch ---------------------------------------------------------------------------------------------------


def go_elsewhere(desk: Desk) -> None:
    desk.screen.filters.open()
    desk.screen.filters.card.branch.edit.setFocus()
    desk.screen.filters.card.branch.edit.selectAll()
    desk.type("maka")
    desk.press(Qt.Key.Key_Return)


def test_another_branch_shows_units_and_days_without_names(desk: Desk) -> None:
    go_elsewhere(desk)
    grid = desk.screen.grid
    assert plates(desk) == ["DD 1120 AB", "DD 8801 AB"]
    assert grid.corner.accessibleName() == "Makassar, 2 unit"
    assert grid.content is not None
    unit = elsewhere_fleet()[0]
    spoken = grid.grid_model().index(1, desk.column(4)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "DD 1120 AB, Avanza G, Jumat, 4 Desember 2026, terisi"
    assert all(span.bar is None or span.bar.customer_name is None for span in grid.content.spans(unit))


def test_nothing_is_held_in_another_branch_and_a_new_booking_leads_home(desk: Desk) -> None:
    go_elsewhere(desk)
    assert not desk.model.may_hold
    desk.screen.grid.setCurrentIndex(desk.screen.grid.grid_model().index(1, desk.column(1)))
    desk.press(Qt.Key.Key_Return)
    assert not desk.screen.drawer.is_open()
    desk.shortcut("Ctrl+N")
    assert desk.model.shown.wanted.branch is None
    assert len(plates(desk)) == 26
    assert desk.screen.drawer.is_open()


def test_home_again_every_name_is_there(desk: Desk) -> None:
    go_elsewhere(desk)
    desk.screen.filters.strip.branch.click()
    assert desk.screen.grid.corner.accessibleName() == "Unit, 26 unit"
    cell = desk.screen.grid.grid_model().index(7, desk.column(6))
    assert "Budi Santoso" in cell.data(Qt.ItemDataRole.AccessibleTextRole)


def test_what_only_another_branch_has_is_looked_for_there(desk: Desk) -> None:
    desk.model.set_filter("pikap")
    assert desk.screen.place.empty.text.text() == "Tidak ada unit 'pikap' di cabang ini."
    desk.screen.place.empty.button.click()
    assert desk.screen.filters.card.isVisible()
    assert desk.screen.filters.card.branch.picks()[1].key == ELSEWHERE.id
    desk.screen.filters.card.branch.edit.setFocus()
    desk.screen.filters.card.branch.edit.selectAll()
    desk.type("maka")
    desk.press(Qt.Key.Key_Return)
    assert plates(desk) == ["DD 8801 AB"]


# --- one state --------------------------------------------------------------------------------------------------------


def test_a_press_on_the_legend_shows_one_state_alone_and_again_all(desk: Desk) -> None:
    legend = desk.screen.legend
    legend.chip(ShownState.OVERDUE).click()
    assert only(desk) is ShownState.OVERDUE
    assert desk.screen.toolbar.state.text() == "Terlambat"
    assert desk.screen.toolbar.free.text() == "1 Terlambat"
    legend.chip(ShownState.OVERDUE).click()
    assert only(desk) is None
    assert desk.screen.toolbar.state.text() == "semua"


def test_l_arrows_and_enter_choose_a_state_and_esc_goes_back_to_the_grid(desk: Desk) -> None:
    desk.screen.grid.setFocus()
    desk.shortcut("L")
    desk.press(Qt.Key.Key_Right, times=3)
    desk.press(Qt.Key.Key_Return)
    assert only(desk) is ORDER[3]
    desk.press(Qt.Key.Key_Escape)
    assert desk.screen.grid.hasFocus()


def test_with_one_state_alone_g_goes_from_bar_to_bar_of_it(desk: Desk) -> None:
    desk.screen.filters.choose_state(ShownState.MAINTENANCE)
    desk.stand_on("B 1200 XYZ", 0)
    seen = []
    for _ in range(4):
        desk.shortcut("G")
        seen.append(desk.screen.grid.current_cell())
    assert seen == [
        (desk.unit("B 1203 XYZ"), desk.column(10)),
        (desk.unit("B 1214 XYZ"), desk.column(-1)),
        (desk.unit("B 1638 KLM"), desk.column(16)),
        (desk.unit("B 4408 SRT"), desk.column(-2)),
    ]


def test_states_without_room_in_the_legend_are_counted_and_can_still_be_chosen(qtbot: QtBot) -> None:
    legend = Legend()
    qtbot.addWidget(legend)
    legend.resize(1310, 24)
    legend.show()
    assert legend.left_out() == ()
    assert not legend.more.isVisible()
    legend.resize(855, 24)
    QApplication.processEvents()
    hidden = legend.left_out()
    assert hidden == ORDER[len(ORDER) - len(hidden) :]
    assert hidden
    assert legend.more.text() == f"+{len(hidden)}"
    assert "AN Tahan antrean" in legend.more.accessibleName()
    right = max(chip.geometry().right() for chip in (legend.chip(state) for state in ORDER) if chip.isVisible())
    assert right < legend.more.x() + 1
    chosen: list[object] = []
    legend.chosen.connect(chosen.append)
    legend.show_only(ShownState.WAITLIST_HOLD)
    assert legend.more.text() == f"+{len(hidden)} · AN"


def test_the_legend_is_one_tab_stop_with_named_parts(qtbot: QtBot) -> None:
    legend = Legend()
    qtbot.addWidget(legend)
    legend.resize(1310, 24)
    legend.show()
    stops = [legend.chip(state) for state in ORDER if legend.chip(state).focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert len(stops) == 1
    assert legend.chip(ShownState.OVERDUE).accessibleName() == "Tampilkan hanya Terlambat"


# --- holidays ---------------------------------------------------------------------------------------------------------


def test_joint_leave_is_told_apart_from_a_holiday_in_both_languages(desk: Desk) -> None:
    christmas = dt.date(2026, 12, 25)
    holiday = Holiday(day=christmas, name="Hari Raya Natal", joint_leave=False, source=HolidaySource.CALENDAR)
    leave = Holiday(day=christmas, name="Cuti Bersama Hari Raya Natal", joint_leave=True, source=HolidaySource.CALENDAR)
    assert holiday_words(holiday) == "Hari Raya Natal"
    assert holiday_words(leave) == "Cuti bersama: Hari Raya Natal"
    use_language(Language.EN)
    english = Holiday(day=christmas, name="Christmas Joint Holiday", joint_leave=True, source=HolidaySource.CALENDAR)
    assert holiday_words(english) == "Joint leave: Christmas"


def test_holidays_come_from_the_branchs_table_in_the_language_in_use() -> None:
    asked: list[tuple[Days, str]] = []

    class Table:
        def holidays(self, window: Days, language: str = "id") -> tuple[Holiday, ...]:
            asked.append((window, language))
            own = Holiday(day=day(3), name="HUT kota", joint_leave=False, source=HolidaySource.BRANCH)
            return (own,)

    window = Days(day(0), day(30))
    assert holiday_names(Table())(window, Language.EN) == {day(3): "HUT kota"}
    assert asked == [(window, "en")]


def test_a_holidays_name_is_in_the_heads_tooltip_and_in_every_cell_of_its_day(desk: Desk) -> None:
    model = desk.screen.grid.grid_model()
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        head = model.headerData(desk.column(24), Qt.Orientation.Horizontal, role)
        assert head == "Kamis, 24 Desember 2026, Cuti bersama Natal"
    cell = model.index(1, desk.column(25)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Hari Raya Natal" in cell


def test_a_filter_that_the_server_cannot_answer_changes_nothing_that_is_shown(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.model.set_wanted(CalendarFilter(free_for=period(1, 2)))
    assert len(plates(desk)) == 26
    desk.counter.branch.away = False
    desk.model.load()
    assert 0 < len(plates(desk)) < 26


def test_a_period_of_more_than_a_year_is_refused_before_it_is_asked(desk: Desk) -> None:
    with pytest.raises(Refusal):
        period(0, 400)
    desk.screen.filters.open()
    card = desk.screen.filters.card
    card.first.set_day(day(0))
    card.last.set_day(day(400))
    card.last.edit.setFocus()
    desk.press(Qt.Key.Key_Return)
    assert card.isVisible()
    assert desk.model.shown.wanted == EVERYTHING


def test_the_legend_explains_the_bars_without_a_code_that_there_are(qtbot: QtBot, tmp_path: Path) -> None:
    counter = FakeCounter()
    desk = Desk(tmp_path, counter)
    qtbot.addWidget(desk.screen)
    legend = desk.screen.legend
    assert "Jeda" not in legend.accessibleName()
    units = counter.branch.units
    counter.branch.units = tuple(replace(unit, sku=replace(unit.sku, turnaround_days=1)) for unit in units)
    desk.feed.changed.emit(SomethingChanged(branch="b-1", what="unit", id="", by=""))
    desk.model._reread_settled()
    assert legend.accessibleName().endswith(", Jeda")
    desk.model.set_wanted(CalendarFilter(branch=ELSEWHERE))
    assert legend.accessibleName().endswith("Terisi, tanpa nama")
    assert desk.screen.filters.strip.all_units.text() == "Semua unit Bandung"
    use_language(Language.EN)
    QApplication.processEvents()
    assert legend.accessibleName().endswith("Taken, no names")
    assert desk.screen.filters.strip.all_units.text() == "All units of Bandung"
    desk.screen.shut()
