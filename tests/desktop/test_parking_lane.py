"""What waits in the parking lane stays there whatever is looked at, and never goes without a word."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.panes import focus_next
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.screens.calendar_window import Zoom
from app.domain.days import Days, RentalPeriod
from app.usecases.rows import Bar
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import ELSEWHERE, TODAY


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.hands.lane.return_all()
    made.screen.shut()


def of(desk: Desk, name: str) -> Bar:
    return next(row for row in desk.counter.branch.rows if row.customer_name == name)


def park_budi(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    assert parked(desk) == ["BK-10119"]


def parked(desk: Desk) -> list[str | None]:
    return [item.bar.number for item in desk.screen.hands.lane.parked()]


def gone(desk: Desk) -> str:
    return "BK-10119 baru saja berubah, jadi keluar dari parkir. Lihat dulu keadaannya."


LOOKS: dict[str, Callable[[Desk], object]] = {
    "two days on": lambda desk: desk.model.pan(2),
    "far from its days": lambda desk: desk.model.pan(90),
    "a week": lambda desk: desk.model.set_zoom(Zoom.WEEK),
    "two months": lambda desk: desk.model.set_zoom(Zoom.TWO_MONTHS),
    "other units": lambda desk: desk.screen.filters.use(CalendarFilter(text="hiace")),
    "no unit at all": lambda desk: desk.screen.filters.use(CalendarFilter(text="nothing is called so")),
    "free units": lambda desk: desk.screen.filters.use(
        CalendarFilter(free_for=RentalPeriod(TODAY + dt.timedelta(days=5), TODAY + dt.timedelta(days=6)))
    ),
    "the next month": lambda desk: desk.shortcut("Ctrl+Right"),
    "the month before": lambda desk: desk.shortcut("Ctrl+Left"),
    "another branch": lambda desk: desk.screen.filters.use(CalendarFilter(branch=ELSEWHERE)),
    "the same again": lambda desk: desk.screen.refresh(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_a_parked_booking_stays_parked_whatever_is_looked_at(desk: Desk, look: str) -> None:
    park_budi(desk)
    told = len(desk.shell.toasts)
    LOOKS[look](desk)
    assert parked(desk) == ["BK-10119"]
    desk.model.load()
    assert parked(desk) == ["BK-10119"]
    desk.screen.filters.use(CalendarFilter())
    desk.screen.moves.go_today()
    assert parked(desk) == ["BK-10119"]
    assert len(desk.shell.toasts) == told


@pytest.mark.parametrize("how", ["moved", "to other days", "cancelled", "moved while other units are shown"])
def test_a_parked_booking_that_another_counter_changed_leaves_the_lane_with_a_word(desk: Desk, how: str) -> None:
    park_budi(desk)
    other = FakeCounter(branch=desk.counter.branch)
    booking_id = of(desk, "Budi Santoso").booking_id
    assert booking_id is not None
    days = Days(TODAY + dt.timedelta(days=9), TODAY + dt.timedelta(days=12))
    if how == "cancelled":
        other.bookings.cancel(booking_id)
    elif how == "to other days":
        other.changes_of_bookings.reschedule(booking_id, RentalPeriod(days.first, days.last))
    else:
        days = Days(TODAY + dt.timedelta(days=7), TODAY + dt.timedelta(days=10))
        other.changes_of_bookings.reschedule(booking_id, RentalPeriod(days.first, days.last), desk.unit("B 1200 XYZ"))
    if how.endswith("shown"):
        desk.screen.filters.use(CalendarFilter(text="hiace"))
    else:
        desk.model.reread()
    assert parked(desk) == []
    assert desk.shell.toasts[-1] == gone(desk)


def test_a_parked_booking_that_was_only_paid_meanwhile_stays_and_can_be_placed(desk: Desk) -> None:
    park_budi(desk)
    row = of(desk, "Budi Santoso")
    rows = desk.counter.branch.rows
    rows[rows.index(row)] = replace(row, version=(row.version or 1) + 1)
    desk.model.reread()
    assert parked(desk) == ["BK-10119"]
    desk.screen.hands.lane.take_focus()
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Left)
    desk.press(Qt.Key.Key_Return)
    assert parked(desk) == []
    assert of(desk, "Budi Santoso").days.first == row.days.first - dt.timedelta(days=1)


def test_a_booking_cancelled_here_while_it_is_parked_leaves_the_lane_without_another_word(desk: Desk) -> None:
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("Shift+P")
    unpaid = of(desk, "Hadi")
    assert unpaid.booking_id is not None
    desk.model.cancel(unpaid.booking_id, "", unpaid.version)
    assert parked(desk) == []
    assert desk.shell.toasts[-1].endswith("dibatalkan, unit kosong lagi.")


@pytest.mark.parametrize("look", ["other units", "far from its days", "another branch", "free units"])
def test_a_parked_booking_is_placed_from_a_look_that_does_not_have_its_row(desk: Desk, look: str) -> None:
    park_budi(desk)
    before = of(desk, "Budi Santoso").days
    LOOKS[look](desk)
    desk.screen.hands.lane.take_focus()
    desk.press(Qt.Key.Key_Return)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.bar.number == "BK-10119"
    desk.model.load()
    assert desk.screen.grid.is_moving()
    desk.press(Qt.Key.Key_Left)
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days.first == before.first - dt.timedelta(days=1)
    assert parked(desk) == []


def test_the_leaving_question_follows_the_language_and_goes_with_the_last_parked_booking(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    assert not desk.screen.leave()
    question = desk.screen.hands.parked.question
    use_language(Language.EN)
    QApplication.processEvents()
    assert question.isVisible()
    assert question.accessibleName().startswith("1 booking still parked")
    desk.screen.hands.lane.return_all()
    assert not question.isVisible()
    assert desk.screen.leave()


def test_a_parked_booking_given_up_by_escape_is_not_taken_again_by_the_held_mouse(desk: Desk) -> None:
    park_budi(desk)
    grid, (chip,) = desk.screen.grid, desk.screen.hands.lane._chips
    left = Qt.MouseButton.LeftButton

    def mouse(kind: QEvent.Type, where: QPoint) -> None:
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
        at = QPointF(chip.mapFromGlobal(where))
        event = QMouseEvent(kind, at, QPointF(where), button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(chip, event)

    def pull() -> QPoint:
        goal = grid.viewport().mapToGlobal(desk.point("B 1200 XYZ", 8))
        mouse(QEvent.Type.MouseButtonPress, chip.mapToGlobal(chip.rect().center()))
        mouse(QEvent.Type.MouseMove, goal)
        assert grid.ghost() is not None
        return goal

    goal = pull()
    assert desk.screen.escape()
    mouse(QEvent.Type.MouseMove, goal + QPoint(30, 0))
    assert grid.ghost() is None
    mouse(QEvent.Type.MouseButtonRelease, goal)
    assert desk.counter.changes_of_bookings.done == []
    assert parked(desk) == ["BK-10119"]
    mouse(QEvent.Type.MouseButtonRelease, pull())
    assert parked(desk) == [], "the next press takes it again"


def test_the_lane_names_the_keys_that_work_where_the_focus_is(desk: Desk) -> None:
    lane = desk.screen.hands.lane
    park_budi(desk)
    assert desk.screen.grid.hasFocus()
    assert (lane._way.isVisible(), lane._keys[0].isVisible()) == (True, False), "Enter would open the grid's cell"
    focus_next(desk.screen.panes(), desk.screen.grid, 1)
    assert (lane._way.isVisible(), lane._keys[0].isVisible()) == (False, True)
    desk.press(Qt.Key.Key_Return)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.bar.number == "BK-10119"
    desk.press(Qt.Key.Key_Escape)
