"""A scanned unit is set into a booking for days it was found free for, and never into one that cannot take it now."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from tests.desktop.calendar_samples import TODAY
from tests.desktop.finding_desk import FindingDesk, unit_hit
from tests.desktop.runners import HeldRunner

FREE, PROMISED = "B 1200 XYZ", "B 1201 XYZ"


@pytest.fixture(params=list(Language), ids=str)
def desk(request: pytest.FixtureRequest, tmp_path: Path, qtbot: QtBot) -> Iterator[FindingDesk]:
    """With a booking begun for three days from today."""
    made = FindingDesk(tmp_path, qtbot)
    use_language(request.param)
    QApplication.processEvents()
    made.screen.drawer.open_panel()
    made.screen.walk_in.set_sku("TOY-AVNZ-G")
    made.screen.walk_in.set_first(TODAY)
    made.screen.walk_in.set_days(2)
    yield made
    made.close()
    use_language(Language.ID)


def code(desk: FindingDesk, plate: str) -> str:
    return f"U-{desk.unit(plate).unit.id}"


def chosen(desk: FindingDesk) -> str | None:
    return desk.screen.walk_in.form.unit_id


def test_c05_a_unit_is_not_set_for_days_it_was_not_asked_for(desk: FindingDesk) -> None:
    runner = HeldRunner()
    before = use_runner(runner)
    try:
        desk.scan(code(desk, FREE))
        assert chosen(desk) is None
        desk.screen.walk_in.set_first(TODAY + dt.timedelta(days=3))
        desk.screen.walk_in.set_days(3)
        while runner.waiting:
            runner.go_on()
    finally:
        use_runner(before)
    assert chosen(desk) is None, "promised to somebody else on one of these days"
    assert desk.screen.refusals.card.isVisible()
    assert "Siti R." in desk.screen.refusals.card.accessibleName()


def test_c05_a_unit_scanned_for_somebody_is_not_set_into_the_next_ones_form(desk: FindingDesk) -> None:
    runner = HeldRunner()
    before = use_runner(runner)
    try:
        desk.screen.walk_in.type_customer("Budi Santoso")
        desk.scan(code(desk, FREE))
        desk.screen.walk_in.put_aside()
        desk.screen.walk_in.set_sku("TOY-AVNZ-G")
        desk.screen.walk_in.set_first(TODAY)
        desk.screen.walk_in.set_days(2)
        while runner.waiting:
            runner.go_on()
    finally:
        use_runner(before)
    assert chosen(desk) is None
    assert not desk.finding.scans.flash.is_good


def test_c05_a_unit_without_days_is_asked_for_when_there_are_some(desk: FindingDesk) -> None:
    desk.knows(desk.unit(FREE).unit.id, unit_hit(desk.unit(FREE)))
    desk.screen.walk_in.set_last(None)
    before = desk.screen.walk_in.form
    desk.scan(code(desk, FREE))
    assert desk.screen.walk_in.form == before
    assert desk.screen.drawer.is_open(), "nobody is carried away from what is being typed"
    assert not desk.finding.scans.flash.is_good
    assert desk.search.asked == []


def test_one_unit_is_not_twice_in_one_booking_on_the_same_days(desk: FindingDesk) -> None:
    desk.scan(code(desk, FREE))
    assert chosen(desk) == desk.unit(FREE).unit.id
    desk.screen.walk_in.add_line()
    desk.screen.walk_in.set_sku("TOY-AVNZ-G")
    desk.scan(code(desk, FREE))
    assert chosen(desk) is None
    assert not desk.finding.scans.flash.is_good
    desk.screen.walk_in.set_first(TODAY + dt.timedelta(days=2))
    desk.screen.walk_in.set_days(1)
    desk.scan(code(desk, FREE))
    assert chosen(desk) == desk.unit(FREE).unit.id, "on other days it may be"


def test_a_booking_that_is_being_sent_takes_no_unit(desk: FindingDesk) -> None:
    runner = HeldRunner()
    walk_in = desk.screen.walk_in
    walk_in.type_customer("081399991234")
    walk_in.ask_new()
    walk_in.type_new_name("Wahyu Adi")
    before = use_runner(runner)
    try:
        walk_in.book()
        assert walk_in.is_sending
        sent = walk_in.form
        desk.scan(code(desk, FREE))
        assert walk_in.form == sent
        assert desk.screen.drawer.is_open()
        assert not desk.finding.scans.flash.is_good
    finally:
        while runner.waiting:
            runner.go_on()
        use_runner(before)


def test_a_begun_form_that_is_pinned_beside_the_grid_takes_the_unit_too(desk: FindingDesk) -> None:
    desk.window.resize(1920, 1016)
    QApplication.processEvents()
    desk.screen.walk_in.type_customer("0812")
    desk.screen.drawer.close_panel()
    assert desk.screen.drawer.is_shown()
    desk.scan(code(desk, FREE))
    assert chosen(desk) == desk.unit(FREE).unit.id
