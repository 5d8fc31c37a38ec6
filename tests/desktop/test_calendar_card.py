"""The card of a bar follows its booking, and its keys act on the booking it names and on no other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.screens.calendar_cancel import CancelDialog
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.usecases.rows import Bar
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_samples import days_around

PLATE, DAY = "B 1633 KLM", 4
GONE = "BK-10141 tidak ada lagi di sini. Baru saja dibatalkan atau dipindah. Tidak ada yang dilakukan."


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def bar(desk: Desk, number: str) -> Bar:
    return next(row for row in desk.counter.branch.rows if row.number == number)


def put_another_there(desk: Desk) -> None:
    """Another counter cancels Hadi's booking and books somebody else on the same days."""
    old = bar(desk, "BK-10141")
    rows = desk.counter.branch.rows
    rows[rows.index(old)] = replace(old, booking_id="id-BK-20000", number="BK-20000", customer_name="Orang Lain")


def open_card(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    desk.press(Qt.Key.Key_Return)
    assert "BK-10141" in desk.screen.pointing.preview.accessibleName()


@pytest.mark.parametrize("key", ["F9", "Del"])
def test_a_key_on_the_card_of_a_booking_that_has_gone_does_nothing_to_the_one_in_its_place(
    desk: Desk, key: str
) -> None:
    asked: list[str] = []
    desk.screen.pointing.pay_wanted.connect(asked.append)
    open_card(desk)
    put_another_there(desk)
    desk.model.reread()
    assert not desk.screen.pointing.preview.isVisible()
    assert desk.screen.grid.hasFocus()
    assert desk.screen.pointing.blocked.accessibleName() == GONE
    desk.shortcut(key)
    assert asked == []
    assert desk.screen.findChild(CancelDialog) is None
    assert desk.shell.toasts[-1] == GONE


def test_the_card_shows_where_its_booking_was_moved_and_its_keys_act_there(desk: Desk) -> None:
    asked: list[str] = []
    desk.screen.pointing.pay_wanted.connect(asked.append)
    open_card(desk)
    when = days_around(8, 9)
    desk.counter.bookings.move("id-BK-10141", desk.unit("B 1634 KLM"), RentalPeriod(when.first, when.last))
    desk.model.reread()
    card = desk.screen.pointing.preview
    assert card.isVisible()
    assert "B 1634 KLM" in card.accessibleName()
    desk.shortcut("F9")
    assert asked == ["id-BK-10141"]
    assert desk.screen.grid.current_cell() == (desk.unit("B 1634 KLM"), desk.column(8))


def test_a_card_of_a_booking_that_was_paid_elsewhere_offers_no_payment_any_more(desk: Desk) -> None:
    open_card(desk)
    card = desk.screen.pointing.preview
    assert card.pay_button.isVisible()
    old, rows = bar(desk, "BK-10141"), desk.counter.branch.rows
    rows[rows.index(old)] = replace(old, state=BookingState.PAID_APPROVED, payment_deadline=None)
    desk.model.reread()
    assert card.isVisible()
    assert not card.pay_button.isVisible()
    assert (card.cancel_button.text(), card.cancel_button.isEnabled()) == ("Batalkan booking", True)


def test_keys_act_on_the_card_under_the_pointer_not_on_another_bar_under_the_cursor(desk: Desk) -> None:
    asked: list[str] = []
    desk.screen.pointing.pay_wanted.connect(asked.append)
    desk.stand_on("B 1204 XYZ", 3)
    content = desk.screen.grid.content
    assert content is not None
    unit = content.unit(desk.unit(PLATE))
    assert unit is not None
    desk.screen.pointing.point_bar(unit, content.span_at(unit, desk.column(DAY)))
    desk.shortcut("F9")
    assert asked == ["id-BK-10141"]


def test_a_card_goes_silently_when_other_days_are_shown(desk: Desk) -> None:
    open_card(desk)
    desk.model.step_month(2)
    assert not desk.screen.pointing.preview.isVisible()
    assert not desk.screen.pointing.blocked.isVisible()
