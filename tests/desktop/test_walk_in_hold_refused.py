"""What is refused while a unit is held is said: the drawer shows no form then that could say it."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.screens.walk_in_form import Stage
from app.domain.days import RentalPeriod
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_samples import TODAY
from tests.desktop.test_walk_in import fill


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def hold_and_move(desk: Desk) -> None:
    """Hold a unit; another counter gives the booking another unit before anybody undoes it."""
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    first = TODAY + dt.timedelta(days=1)
    desk.counter.bookings.move(hold.booking_id, desk.unit("B 1211 XYZ"), RentalPeriod(first, first))


def test_the_undo_of_a_hold_that_somebody_moved_says_who_and_shows_where_it_is(desk: Desk) -> None:
    hold_and_move(desk)
    undo = desk.shell.undo
    assert undo is not None
    desk.shell.toasts.clear()
    undo()
    (said,) = desk.shell.toasts
    assert "Ayu" in said
    assert desk.walk_in.stage is Stage.HELD
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.unit_id == desk.unit("B 1211 XYZ")


def test_a_hold_that_cannot_be_let_go_because_nothing_answers_is_told_of(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.shell.toasts.clear()
    desk.counter.branch.away = True
    desk.walk_in.cancel_hold()
    assert len(desk.shell.toasts) == 1
    assert desk.walk_in.stage is Stage.HELD


def test_what_was_refused_about_a_hold_does_not_stand_in_the_next_form(desk: Desk) -> None:
    hold_and_move(desk)
    assert desk.shell.undo is not None
    desk.shell.undo()
    desk.walk_in.cancel_hold()
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.refusal is None
    assert desk.screen.panel.form.message.text() == ""
