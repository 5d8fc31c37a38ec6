"""The grid stays where it is while the fleet changes, and finds what lies in a folded SKU."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.changes import SomethingChanged
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.widgets.month_grid_content import GridContent
from app.domain.booking import Action
from app.domain.catalogue import UnitStatus
from app.domain.days import RentalPeriod
from app.usecases.rows import Bar, FleetUnit
from tests.desktop.calendar_desk import NO_KEY, Desk
from tests.desktop.calendar_fakes import FakeBranch, FakeCounter
from tests.desktop.calendar_samples import ELSEWHERE, TODAY, fleet
from tests.desktop.runners import HeldRunner


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.hands.lane.return_all()
    made.screen.shut()


def of(desk: Desk, name: str) -> Bar:
    return next(row for row in desk.counter.branch.rows if row.customer_name == name)


def many_units(count: int = 60) -> tuple[FleetUnit, ...]:
    """One SKU with so many units that they scroll."""
    one = fleet()[0]
    return tuple(
        replace(one, unit=replace(one.unit, id=f"u-{n:03}", plate=f"B {4000 + n} SCR", slot=n)) for n in range(count)
    )


def other_status(unit: FleetUnit) -> UnitStatus:
    return next(status for status in UnitStatus if status is not unit.unit.status)


def top_row(desk: Desk) -> tuple[str, int]:
    """The uppermost whole row: its plate, and its top in the viewport."""
    grid = desk.screen.grid
    row = grid.rowAt(27)
    unit = grid.grid_model().row(row).unit
    assert unit is not None
    return unit.unit.plate, grid.rowViewportPosition(row)


def fold(desk: Desk, plate: str) -> None:
    content = desk.screen.grid.content
    assert isinstance(content, GridContent)
    group = next(group for group in content.groups if any(unit.unit.plate == plate for unit in group.units))
    desk.screen.grid.toggle(group)
    assert desk.screen.grid.grid_model().row_of_unit(desk.unit(plate)) is None


# --- a live change of the fleet ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", ["a status", "a unit below", "a unit above", "a unit above gone", "the unit under me"]
)
def test_a_live_change_of_the_fleet_never_scrolls(qtbot: QtBot, tmp_path: Path, change: str) -> None:
    branch = FakeBranch(units=many_units(), rows=[])
    desk = Desk(tmp_path, FakeCounter(branch=branch))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 4045 SCR", 5)
    desk.screen.grid.verticalScrollBar().setValue(28 * 30)
    before = top_row(desk)
    units = list(branch.units)
    new = replace(units[0], unit=replace(units[0].unit, id="u-new", plate="A 1000 NEW", slot=70))
    if change == "a status":
        units[3] = replace(units[3], unit=replace(units[3].unit, status=other_status(units[3])))
    elif change == "a unit below":
        units.append(new)
    elif change == "a unit above":
        units.insert(0, new)
    elif change == "a unit above gone":
        del units[2]
    else:
        del units[45]
    branch.units = tuple(units)
    desk.model._something_changed(SomethingChanged(branch="b", what="unit", id="u-000", by=""))
    desk.model._reread_settled()
    assert top_row(desk) == before
    row = desk.screen.grid.current_row()
    assert row is not None
    assert row.unit is not None
    assert row.unit.unit.plate in ("B 4045 SCR", "B 4046 SCR")
    desk.screen.shut()


# --- folded SKUs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["B 1211 XYZ", "b1211xyz", "BK-10119", "Budi San"])
def test_what_lies_in_a_folded_sku_is_found_and_gone_to(desk: Desk, text: str) -> None:
    fold(desk, "B 1211 XYZ")
    assert desk.screen.find_text(text)
    cell = desk.screen.grid.current_cell()
    assert cell is not None
    assert cell[0] == desk.unit("B 1211 XYZ")


def test_g_goes_into_folded_skus(desk: Desk) -> None:
    seen = []
    desk.stand_on("B 1200 XYZ", -4)
    for _ in range(12):
        desk.shortcut("G")
        seen.append(desk.screen.grid.current_cell())
    for plate in ("B 1200 XYZ", "B 1633 KLM"):
        if desk.screen.grid.grid_model().row_of_unit(desk.unit(plate)) is not None:
            fold(desk, plate)
    desk.screen.grid.setCurrentIndex(desk.screen.grid.grid_model().index(0, desk.column(-4)))
    again = []
    for _ in range(12):
        desk.shortcut("G")
        again.append(desk.screen.grid.current_cell())
    assert set(again) == set(seen)


# --- only units free for … --------------------------------------------------------------------------------------------


def test_only_units_free_for_a_period_follows_what_other_counters_book(desk: Desk) -> None:
    period = RentalPeriod(TODAY + dt.timedelta(days=12), TODAY + dt.timedelta(days=13))
    desk.screen.filters.use(CalendarFilter(free_for=period))
    shown = {unit.unit.plate for unit in desk.model.shown.grid_fleet().units}
    assert "B 1207 XYZ" in shown
    row = of(desk, "Budi Santoso")
    assert row.booking_id is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(
        row.booking_id, RentalPeriod(period.first, period.first + dt.timedelta(days=3)), desk.unit("B 1207 XYZ")
    )
    desk.feed.changed.emit(SomethingChanged(branch="b", what="booking", id=row.booking_id, by=""))
    desk.model._reread_settled()
    left = {unit.unit.plate for unit in desk.model.shown.grid_fleet().units}
    assert "B 1207 XYZ" not in left


# --- what is said and kept --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["X", "Shift+X", "P", "Shift+P", "W"])
def test_in_another_branch_the_verbs_say_that_it_is_only_looked_at(desk: Desk, key: str) -> None:
    desk.screen.filters.use(CalendarFilter(branch=ELSEWHERE))
    content = desk.screen.grid.content
    assert content is not None
    unit, span = next((unit, span) for unit in content.fleet.units for span in content.spans(unit))
    assert desk.screen.grid.go_to(unit.unit.id, span.first)
    desk.screen.grid.setFocus()
    desk.shortcut(key)
    assert desk.shell.toasts[-1] == "Cabang lain hanya bisa dilihat."


def test_the_bubble_that_says_offline_goes_with_the_outage(desk: Desk) -> None:
    desk.screen.connection_changed(False)
    desk.stand_on("B 1207 XYZ", 12)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.pointing.blocked.isVisible()
    desk.screen.connection_changed(True)
    assert not desk.screen.pointing.blocked.isVisible()
    desk.stand_on("B 1211 XYZ", 6)
    desk.screen.pointing.show_blocked(desk.model.find_unit("B 1211 XYZ"), None)
    assert desk.screen.pointing.blocked.isVisible()


def test_a_parked_bar_can_be_dragged_as_it_can_be_moved_by_keys(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    assert of(desk, "Budi Santoso").unit_id == desk.unit("B 1200 XYZ")
    assert desk.screen.hands.lane.parked() == ()


def test_the_middle_button_does_not_take_a_dragged_bar_off_the_pointer(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1211 XYZ", 8, release=False)
    at = desk.point("B 1211 XYZ", 8)
    viewport = desk.screen.grid.viewport()
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        button = Qt.MouseButton.MiddleButton
        event = QMouseEvent(kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), button, button, NO_KEY)
        QApplication.sendEvent(viewport, event)
    desk._mouse(QEvent.Type.MouseMove, desk.point("B 1200 XYZ", 8) + QPoint(2, 0))
    desk.let_go("B 1200 XYZ", 8)
    assert of(desk, "Budi Santoso").unit_id == desk.unit("B 1200 XYZ")
    assert desk.screen.grid.ghost() is None


def test_enter_pressed_twice_puts_a_bar_down_once_and_opens_nothing(desk: Desk, held_runner: HeldRunner) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    desk.press(Qt.Key.Key_Return, times=2)
    assert not desk.screen.pointing.preview.isVisible()
    while held_runner.waiting:
        held_runner.go_on()
    assert [action for action, _ in desk.counter.changes_of_bookings.done] in ([], [Action.RESCHEDULE])
    assert not desk.screen.pointing.preview.isVisible()
