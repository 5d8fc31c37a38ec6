"""Pick-up and due hours in the drawer of a branch that counts days by 24 hours."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.walk_in_form import FormField, FormLine, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_hours import hour_problems, hours_of
from app.desktop.screens.walk_in_texts import problem_sentence
from app.domain.days import RentalPeriod
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import BRANCH, NOW, TODAY, staff
from tests.desktop.test_walk_in import fill

ENTER = Qt.Key.Key_Return
BY_HOURS = replace(BRANCH, counts_hours=True)
RUPIAH = "Rp\u00a0"


def open_desk(folder: Path, qtbot: QtBot) -> Desk:
    desk = Desk(folder, FakeCounter(who=replace(staff(), branch=BY_HOURS)))
    qtbot.addWidget(desk.screen)
    return desk


def said(desk: Desk) -> set[str]:
    return {label.text() for label in desk.screen.panel.findChildren(QLabel) if label.isVisible()}


def test_days_of_24_hours_are_priced_held_and_sent_with_the_hours_that_were_typed(qtbot: QtBot, tmp_path: Path) -> None:
    desk = open_desk(tmp_path, qtbot)
    fill(desk, days="3")
    form, panel = desk.screen.panel.form, desk.screen.panel
    assert desk.walk_in.form.period == RentalPeriod(TODAY, TODAY + dt.timedelta(days=3)), "three days touch four dates"
    assert f"Sewa 3 × {RUPIAH}350.000" in said(desk)
    assert "Kembali paling lambat Kam 3 Des 14.05 WIB" in said(desk)
    assert (form.hours.pickup.edit.placeholderText(), form.hours.due.edit.placeholderText()) == ("14.05", "14.05")
    desk.press(Qt.Key.Key_Tab)
    desk.type("0900")
    desk.press(ENTER)
    assert form.hours.pickup.text() == "09.00"
    desk.type("21:30")
    desk.press(ENTER)
    assert "Pukul 21.30 di luar jam buka 08.00-20.00. Booking tetap bisa ditahan." in said(desk)
    desk.wait_for_price()
    assert form.days.text() == "4"
    assert f"Sewa 4 × {RUPIAH}350.000" in said(desk)
    assert "Kembali paling lambat Kam 3 Des 21.30 WIB" in said(desk)
    desk.walk_in.save_draft()
    fields = json.loads((tmp_path / "walk_in-siti-1.json").read_text(encoding="utf-8"))["fields"]
    assert (fields["pickup_text"], fields["due_text"]) == ("0900", "21:30")
    assert desk.screen.focusWidget() is panel.primary
    desk.press(ENTER)
    assert desk.walk_in.stage is Stage.HELD
    (line,) = desk.counter.bookings.requests[-1].lines
    assert (line.pickup_time, line.due_time) == (dt.time(9), dt.time(21, 30))
    assert {"Sen 30 Nov 09.00 – Kam 3 Des 21.30", "4 hari"} <= said(desk)
    desk.screen.shut()


def test_one_day_ends_a_day_later_and_a_typed_length_follows_the_hours(qtbot: QtBot, tmp_path: Path) -> None:
    desk = open_desk(tmp_path, qtbot)
    walk_in = desk.walk_in
    desk.shortcut("F3")
    assert (walk_in.form.last_day, walk_in.length) == (TODAY + dt.timedelta(days=1), 1)
    walk_in.type_pickup("9")
    walk_in.type_due("18")
    walk_in.type_days("2")
    assert (walk_in.form.last_day, walk_in.length) == (TODAY + dt.timedelta(days=1), 2)
    walk_in.type_due("9")
    assert walk_in.length == 1
    walk_in.type_days("2")
    assert walk_in.form.last_day == TODAY + dt.timedelta(days=2)
    desk.screen.shut()


@pytest.mark.parametrize("spoken", [Language.ID, Language.EN])
def test_what_is_no_time_of_day_is_named_unpriced_and_books_nothing(
    qtbot: QtBot, tmp_path: Path, spoken: Language
) -> None:
    use_language(spoken)
    desk = open_desk(tmp_path, qtbot)
    fill(desk)
    form = desk.screen.panel.form
    for bad in ("24", "9.75", "12345", "x", "-1", "\u0669", "\U0001f600", "'; --"):
        form.focus(form.hours.due)
        form.hours.due.edit.setText(bad)
        form.hours.due.edit.textEdited.emit(bad)
        desk.wait_for_price()
        assert desk.walk_in.quote is None, bad
        form.quiet()
        desk.shortcut("F9")
        assert desk.counter.bookings.requests == [], bad
        assert form.message.text() == problem_sentence(Problem.TIME), bad
        assert form.hours.due.is_wrong(), bad
        assert desk.screen.focusWidget() is form.hours.due.edit
    desk.screen.shut()


def test_a_return_before_the_pick_up_of_the_same_day_is_named() -> None:
    form = WalkInForm(order_id="o", first_day=TODAY, last_day=TODAY, pickup_text="14.00", due_text="13.59")
    assert hour_problems(form, hours_of(BY_HOURS, form, NOW)) == [(FormField.DUE, Problem.DUE_FIRST)]
    later = replace(form, last_day=TODAY + dt.timedelta(days=1))
    assert hour_problems(later, hours_of(BY_HOURS, later, NOW)) == []
    now = replace(form, pickup_text="")
    assert hour_problems(now, hours_of(BY_HOURS, now, NOW)) == [(FormField.DUE, Problem.DUE_FIRST)], "it is 14.05"


def test_hours_are_part_of_what_is_ordered_and_survive_the_file() -> None:
    plain = WalkInForm(order_id="o", sku="A", first_day=TODAY, last_day=TODAY)
    timed = replace(plain, pickup_text="9", due_text="18")
    assert timed.content != plain.content
    assert replace(timed, pickup_text="09:00").content == timed.content
    assert json.loads(plain.content) == [None, "A", None, str(TODAY), str(TODAY)], "as older drafts remember it"
    more = timed.with_line_added()
    assert more.lines == (
        FormLine(sku="A", unit_id=None, first_day=TODAY, last_day=TODAY, pickup_time=dt.time(9), due_time=dt.time(18)),
    )
    assert from_fields(json.loads(json.dumps(to_fields(more)))) == more


def test_a_branch_that_counts_dates_has_no_hours_to_pass(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    fill(desk)
    assert desk.screen.panel.form.hours.isHidden()
    desk.walk_in.type_due("25")
    assert desk.walk_in.problems() == ()
    desk.shortcut("F9")
    (line,) = desk.counter.bookings.requests[-1].lines
    assert (line.pickup_time, line.due_time) == (None, None)
    desk.screen.shut()
