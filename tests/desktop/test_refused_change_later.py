"""The card of a refused change, with the world going on under it."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.domain.booking import Action
from app.domain.days import RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import TODAY
from tests.desktop.test_grid_changes import days, of


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def refuse_extension(desk: Desk) -> None:
    """Rina's rental cannot be longer: Bagus has the unit next, and another one would do for him."""
    rina, bagus = of(desk, "Rina M."), of(desk, "Bagus P.")
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("X")
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    changes = desk.screen.hands.changes
    change = changes._change(ghost)
    assert change is not None
    swap = {
        "booking_id": bagus.booking_id,
        "number": bagus.number,
        "unit_id": desk.unit("B 1200 XYZ"),
        "plate": "B 1200 XYZ",
    }
    blocker = {
        "unit_id": bagus.unit_id,
        "kind": bagus.kind.value,
        "first_day": bagus.days.first,
        "last_day": bagus.days.last,
        "number": bagus.number,
    }
    changes._last = change
    changes._apply_refused(
        change,
        Refusal(
            RefusalCode.DAYS_TAKEN,
            field="last_day",
            next=(NextAction("swap_other", swap), NextAction("waitlist", {})),
            unit_id=rina.unit_id,
            plate="B 1201 XYZ",
            sku="TOY-AVNZ-G",
            first_day=TODAY + dt.timedelta(days=3),
            last_day=TODAY + dt.timedelta(days=6),
            blockers=[blocker],
        ),
    )
    assert desk.screen.refusals.is_open()


def elsewhere(desk: Desk, name: str, first: int, last: int) -> None:
    """Another counter gives a booking other days."""
    found = of(desk, name)
    assert found.booking_id is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(found.booking_id, RentalPeriod(days(first, last).first, days(first, last).last))


def test_the_next_booking_gets_the_other_unit_that_was_chosen_for_it(desk: Desk) -> None:
    elsewhere(desk, "Siti R.", 8, 10)
    desk.model.reread()
    bagus = of(desk, "Bagus P.")
    refuse_extension(desk)
    desk.press(Qt.Key.Key_1)
    assert of(desk, "Bagus P.").unit_id == desk.unit("B 1200 XYZ")
    assert desk.counter.changes_of_bookings.done == [(Action.SWAP_UNIT, bagus.booking_id)]


def test_a_next_booking_that_left_the_way_meanwhile_stays_where_it_was_put(desk: Desk) -> None:
    refuse_extension(desk)
    elsewhere(desk, "Bagus P.", 9, 11)
    desk.model.reread()
    desk.press(Qt.Key.Key_1)
    bagus = of(desk, "Bagus P.")
    assert (bagus.unit_id, bagus.days) == (desk.unit("B 1201 XYZ"), days(9, 11))
    assert desk.counter.changes_of_bookings.done == []
    assert desk.shell.toasts[-1] == f"{bagus.number} baru saja berubah, jadi tidak dipindahkan. Lihat dulu keadaannya."


def test_other_news_leave_the_open_card_its_waiting_list_and_its_language(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    desk.shortcut("M")
    desk.press(Qt.Key.Key_4)
    undo = desk.shell.undo
    assert undo is not None
    refuse_extension(desk)
    undo()
    assert desk.counter.maintenance.blocked == {}
    assert desk.screen.refusals.is_open()
    use_language(Language.EN)
    QApplication.processEvents()
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert facts.title.startswith("Cannot")
    desk.press(Qt.Key.Key_W)
    assert desk.screen.hands.demand.waitlist.isVisible()
