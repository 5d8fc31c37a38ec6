"""F9 on an unpaid bar goes to its invoice; its card offers paying and cancelling."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.staff import Role
from app.usecases.bookings import BookLine, BookRequest
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import HARTONO, FakeCounter
from tests.desktop.calendar_samples import TODAY, staff


def unpaid(desk: Desk) -> str:
    """A booking of another counter on B 1200 XYZ today, not paid; answers its id."""
    request = BookRequest(
        order_id="other-1",
        lines=(BookLine(sku="TOY-AVNZ-G", period=RentalPeriod(TODAY, TODAY), unit_id=desk.unit("B 1200 XYZ")),),
        customer_id=HARTONO.customer.id,
    )
    booked = desk.counter.bookings.book(request)
    desk.model.load()
    return booked.bookings[0].id


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def asked(desk: Desk) -> list[str]:
    paid: list[str] = []
    desk.screen.pay_requested.connect(paid.append)
    return paid


def test_f9_on_an_unpaid_bar_goes_to_its_invoice(desk: Desk) -> None:
    unpaid(desk)
    paid = asked(desk)
    desk.stand_on("B 1200 XYZ", 0)
    desk.shortcut("F9")
    assert paid == ["inv-BK-10240"]


def test_the_card_of_an_unpaid_bar_offers_paying_first(desk: Desk) -> None:
    unpaid(desk)
    paid = asked(desk)
    desk.stand_on("B 1200 XYZ", 0)
    desk.press(Qt.Key.Key_Return)
    preview = desk.screen.pointing.preview
    assert preview.pay_button.accessibleName() == "Bayar, F9"
    assert preview.cancel_button.isVisible()
    assert desk.screen.focusWidget() is preview.pay_button
    desk.press(Qt.Key.Key_Return)
    assert paid == ["inv-BK-10240"]
    assert not preview.isVisible()


def test_del_in_the_card_asks_to_cancel(desk: Desk) -> None:
    unpaid(desk)
    desk.stand_on("B 1200 XYZ", 0)
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Delete)
    dialogs = desk.screen.findChildren(QDialog)
    assert [dialog.isVisible() for dialog in dialogs] == [True]
    dialogs[0].close()


def test_a_paid_bar_offers_no_payment_and_f9_on_it_does_nothing(desk: Desk) -> None:
    paid = asked(desk)
    desk.stand_on("B 1200 XYZ", 4)
    desk.press(Qt.Key.Key_Return)
    assert not desk.screen.pointing.preview.pay_button.isVisible()
    desk.shortcut("F9")
    assert paid == []


def test_without_the_cashier_role_paying_is_disabled_with_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.AGENT)))
    qtbot.addWidget(desk.screen)
    unpaid(desk)
    paid = asked(desk)
    desk.stand_on("B 1200 XYZ", 0)
    desk.press(Qt.Key.Key_Return)
    button = desk.screen.pointing.preview.pay_button
    assert not button.isEnabled()
    assert button.reason() == "Menerima pembayaran perlu peran Kasir."
    desk.shortcut("F9")
    assert paid == []
    assert desk.shell.toasts == ["Menerima pembayaran perlu peran Kasir."]
    desk.screen.shut()


def test_a_bar_that_was_paid_a_moment_ago_is_told_instead_of_charged_again(desk: Desk) -> None:
    booking_id = unpaid(desk)
    paid = asked(desk)
    desk.stand_on("B 1200 XYZ", 0)
    desk.counter.bookings.set_state(booking_id, BookingState.PAID_APPROVED)
    desk.shortcut("F9")
    assert paid == []
    assert desk.shell.toasts == ["BK-10240 untuk Budi Hartono sudah tersimpan: Dibayar."]


def test_a_long_name_leaves_every_line_of_the_card_its_height(desk: Desk) -> None:
    request = BookRequest(
        order_id="other-2",
        lines=(BookLine(sku="TOY-AVNZ-G", period=RentalPeriod(TODAY, TODAY), unit_id=desk.unit("B 1200 XYZ")),),
        customer_name="Raden Ajeng Kusumaningrum Wijayakusuma Hadiningrat binti Suryaningrat",
        customer_phone="+6281234500000",
    )
    desk.counter.bookings.book(request)
    desk.model.load()
    desk.stand_on("B 1200 XYZ", 0)
    desk.press(Qt.Key.Key_Return)
    preview = desk.screen.pointing.preview
    for label in preview.labels():
        assert label.height() >= label.heightForWidth(label.width()), label.text()
