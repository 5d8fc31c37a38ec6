"""What no customer, no day and no length is: named in both languages, and nothing is booked."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import language, use_language
from app.desktop.screens.walk_in_form import FormField, Problem, Stage
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.widgets.field import Field
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_samples import TODAY
from tests.desktop.test_walk_in import fill

ANYTHING = ["abc", "😀", "\u202e30/11", "'; DROP TABLE sentra.booking", "%s%n", "{0}", "\x00", "９", "9" * 60]


@pytest.fixture(params=list(Language), ids=str)
def desk(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    """In either language."""
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    use_language(request.param)
    QApplication.processEvents()
    yield made
    made.screen.shut()


def fill_new(desk: Desk, name: str = "Wahyu Adi") -> None:
    """Somebody new for three days of an Avanza."""
    fill(desk)
    desk.walk_in.type_customer("081399991234")
    desk.walk_in.ask_new()
    desk.walk_in.type_new_name(name)


def enter(field: Field, text: str) -> None:
    """The text as a paste brings it: keys cannot type all of these signs."""
    field.edit.setFocus()
    field.edit.setText(text)
    field.edit.textEdited.emit(text)


def assert_refused(desk: Desk, field: Field, bad: str, word_id: str, word_en: str) -> None:
    """F9 with `bad` marks the field, goes there, names it, and nothing was written."""
    bars = list(desk.counter.branch.rows)
    desk.shortcut("F9")
    message = desk.screen.panel.form.message.text()
    assert (word_id if language() is Language.ID else word_en) in message, repr(bad)
    assert field.is_wrong(), repr(bad)
    assert desk.screen.focusWidget() is field.edit
    assert desk.walk_in.stage is Stage.FORM
    assert (desk.counter.bookings.orders, desk.counter.branch.rows) == ({}, bars)


NO_NAMES = ["", " ", "x", "x" * 81, "Budi\x00", "Bu\u202edi", "😀😀", "12", "\u3164\u3164", "ab" + "\u0301" * 9]


def test_what_is_no_name_is_named_and_books_nothing(desk: Desk) -> None:
    fill_new(desk)
    for bad in NO_NAMES:
        desk.walk_in.type_new_name(bad)
        assert_refused(desk, desk.screen.panel.form.new_name, bad, "ama", "ame")
        assert desk.walk_in.form.new_name == bad


def test_a_name_that_looks_like_code_is_a_name(desk: Desk) -> None:
    name = "O'Brien; DROP TABLE %s {0}"
    fill_new(desk, name)
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert desk.counter.bookings.requests[-1].customer_name == name


def test_what_is_no_phone_is_named_and_books_nothing(desk: Desk) -> None:
    fill_new(desk)
    for bad in (*ANYTHING, "", "08", "0812-3456", "0" * 20, "+62 812 abc", "\u202e081234567890"):
        desk.walk_in.type_customer(bad)
        assert_refused(desk, desk.screen.panel.form.customer, bad, "telepon", "hone")
    assert desk.counter.bookings.requests == []


@pytest.mark.parametrize("end", ["first", "last"])
def test_what_is_no_day_is_named_and_books_nothing(desk: Desk, end: str) -> None:
    fill(desk)
    form = desk.screen.panel.form
    field = form.first if end == "first" else form.last
    for bad in (*ANYTHING, "", "31/2", "29/2/27", "32", "0", "1/13", "2026-02-30"):
        enter(field, bad)
        assert_refused(desk, field, bad, "anggal", "ate")
        assert field.text() == bad
    assert desk.counter.bookings.requests == []


def test_days_that_have_passed_or_are_reversed_or_too_many_book_nothing(desk: Desk) -> None:
    fill(desk)
    form = desk.screen.panel.form
    enter(form.first, "-1")
    assert_refused(desk, form.first, "-1", "anggal ambil", "pick-up date")
    enter(form.first, "+0")
    enter(form.last, "-1")
    assert_refused(desk, form.last, "-1", "anggal kembali", "return")
    enter(form.last, "+400")
    assert_refused(desk, form.days, "+400", "Lama sewa", "ental")
    assert desk.counter.bookings.requests == []


def test_what_is_no_length_is_named_unpriced_and_books_nothing(desk: Desk) -> None:
    fill(desk)
    for bad in (*ANYTHING, "0", "-1", "366", "400", "3.5", "1e1"):
        enter(desk.screen.panel.form.days, bad)
        desk.wait_for_price()
        assert desk.walk_in.quote is None
        assert_refused(desk, desk.screen.panel.form.days, bad, "Lama sewa", "ental")
    assert desk.counter.bookings.requests == []


def test_a_length_that_is_none_stays_in_its_field_and_goes_with_the_next_day(desk: Desk) -> None:
    fill(desk)
    form = desk.screen.panel.form
    desk.type("66")
    assert desk.walk_in.problems() == ((FormField.DAYS, Problem.TOO_LONG),)
    form.focus(form.sku)
    assert form.days.text() == "366"
    assert from_fields(to_fields(desk.walk_in.form)) == desk.walk_in.form
    desk.walk_in.set_last(TODAY + dt.timedelta(days=1))
    assert (form.days.text(), desk.walk_in.problems()) == ("2", ())
    form.focus(form.days)
    desk.press(Qt.Key.Key_5)
    assert desk.walk_in.form.days == 5
