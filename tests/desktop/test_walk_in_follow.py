"""The drawer follows what happens to its booking elsewhere, and tells whoever may not book so before they type."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_verbs import VerbKind
from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_form import Stage
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.staff import Role
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, FakeCounter
from tests.desktop.calendar_samples import TODAY, staff
from tests.desktop.test_walk_in import fill


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


@pytest.fixture
def inspector(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, FakeCounter(who=staff(Role.INSPECTOR)), size=(1862, 924))
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def move_held(desk: Desk, plate: str, first: int, last: int) -> None:
    """Another counter gives the held booking other days and another unit."""
    assert desk.walk_in.hold is not None
    period = RentalPeriod(TODAY + dt.timedelta(days=first), TODAY + dt.timedelta(days=last))
    desk.counter.bookings.move(desk.walk_in.hold.booking_id, desk.unit(plate), period)


def shown(desk: Desk) -> set[str]:
    return {label.text() for label in desk.screen.panel.findChildren(QLabel) if not label.isHidden()}


def assert_moved(desk: Desk) -> None:
    hold = desk.walk_in.hold
    assert hold is not None
    assert (hold.unit_id, hold.period.first, hold.period.count) == (
        desk.unit("B 1211 XYZ"),
        TODAY + dt.timedelta(days=1),
        2,
    )
    assert desk.screen.panel.price.total.text() == "Rp\u00a01.200.000"
    assert "Sewa 2 × Rp\u00a0350.000" in shown(desk)
    assert any(text.startswith("Avanza G · B 1211 XYZ") for text in shown(desk))
    (mark,) = desk.screen.grid._marks
    assert (mark.unit_id, mark.first, mark.last) == (desk.unit("B 1211 XYZ"), desk.column(1), desk.column(2))


def test_a_held_booking_moved_at_another_counter_shows_its_new_unit_days_and_money(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    move_held(desk, "B 1211 XYZ", 1, 2)
    assert desk.walk_in.hold is not None
    desk.walk_in.note_change(desk.walk_in.hold.booking_id)
    assert_moved(desk)


def test_f5_reads_the_held_booking_again(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    move_held(desk, "B 1211 XYZ", 1, 2)
    desk.screen.refresh()
    assert_moved(desk)


def test_a_held_booking_that_was_dragged_here_shows_its_new_unit_and_days(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    move_held(desk, "B 1211 XYZ", 1, 2)
    desk.screen.hands.changed.emit()
    assert_moved(desk)


def test_without_notes_the_next_reading_of_the_grid_tells_of_the_move(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    move_held(desk, "B 1211 XYZ", 1, 2)
    desk.model.reread()
    assert_moved(desk)


def test_paying_after_a_move_asks_for_the_same_invoice(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    move_held(desk, "B 1211 XYZ", 1, 2)
    desk.screen.refresh()
    paid: list[str] = []
    desk.screen.pay_requested.connect(paid.append)
    desk.shortcut("F9")
    assert paid == ["inv-BK-10240"]


# --- who may book -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoken", "reason"),
    [(Language.ID, "Perlu peran Agen atau Kasir."), (Language.EN, "Needs the role Agent or Cashier.")],
)
def test_an_inspector_reads_why_nothing_can_be_booked_before_typing(
    inspector: Desk, spoken: Language, reason: str
) -> None:
    use_language(spoken)
    desk = inspector
    QApplication.processEvents()
    assert desk.screen.toolbar.booking.reason() == reason
    assert not desk.screen.toolbar.booking.isEnabled()
    form = desk.screen.panel.form
    assert all(field.edit.isReadOnly() for field in form._fields())
    assert form.message.text() == reason
    assert desk.screen.panel.primary.reason() == reason
    assert not desk.screen._pay.isEnabled()


def test_an_inspectors_menu_says_why_a_day_cannot_be_booked_but_offers_maintenance(inspector: Desk) -> None:
    inspector.stand_on("B 1211 XYZ", 2)
    verbs = {verb.kind: verb.reason for verb in inspector.screen.hands.verbs()}
    assert verbs[VerbKind.BOOK] == "Perlu peran Agen atau Kasir."
    assert verbs[VerbKind.BLOCK] == ""


def test_days_an_inspector_chose_open_no_form_and_say_why(inspector: Desk) -> None:
    inspector.drag("B 1211 XYZ", 2, 4)
    assert inspector.walk_in.form.unit_id is None
    bubble = inspector.screen.pointing.blocked
    assert bubble.isVisible()
    assert bubble.accessibleName() == "B 1211 XYZ tidak bisa dipesan. Perlu peran Agen atau Kasir."
    assert inspector.screen.grid.stretch() is None


def test_ctrl_n_and_f3_tell_an_inspector_why_nothing_opens(inspector: Desk) -> None:
    for key in ("Ctrl+N", "F3"):
        inspector.shortcut(key)
        assert inspector.shell.toasts[-1] == "Booking baru: Perlu peran Agen atau Kasir."
    assert not inspector.screen.drawer.is_open()


def test_whoever_may_book_finds_the_fields_open(desk: Desk) -> None:
    desk.shortcut("F3")
    assert desk.screen.toolbar.booking.isEnabled()
    assert not desk.screen.panel.form.customer.edit.isReadOnly()


# --- what is said of drafts and phones --------------------------------------------------------------------------------


def test_nothing_is_said_of_a_draft_while_nothing_is_typed(desk: Desk) -> None:
    fill(desk)
    desk.walk_in.save_draft()
    assert desk.screen.panel._saved.text() == "Draf tersimpan 14.05.10"
    desk.walk_in.put_aside()
    assert desk.walk_in.form.is_empty
    assert desk.screen.panel._saved.text() == ""


def test_offline_with_an_empty_form_no_draft_is_promised(desk: Desk) -> None:
    desk.shortcut("Ctrl+N")
    desk.screen.connection_changed(False)
    assert desk.screen.panel.form.message.text() == "Belum bisa menahan unit: koneksi terputus."
    assert desk.screen.panel.primary.reason() == "Belum bisa menahan unit: koneksi terputus."
    desk.type("0812")
    assert desk.screen.panel.form.message.text() == "Belum bisa menahan unit: koneksi terputus. Draf disimpan."


def test_a_phone_is_grouped_while_it_is_typed_and_stays_a_phone(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("081234567")
    assert desk.screen.panel.form.customer.text() == "0812-3456-7"
    desk.press(Qt.Key.Key_Backspace)
    assert desk.screen.panel.form.customer.text() == "0812-3456"
    desk.type("+")
    assert desk.screen.panel.form.customer.text() == "0812-3456+"
    desk.press(Qt.Key.Key_Backspace)
    desk.type("7890")
    assert desk.walk_in.phone() == "+6281234567890"


def test_a_correction_in_the_middle_of_a_phone_leaves_the_cursor_there(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("08123456")
    edit = desk.screen.panel.form.customer.edit
    edit.setCursorPosition(2)
    desk.type("9")
    assert (edit.text(), edit.cursorPosition()) == ("0891-2345-6", 3)


@pytest.mark.parametrize("typed", ["Budi", "B 1234 XYZ", "BK-10240", "+628123456789", "3275010101900012"])
def test_what_is_no_local_phone_stays_as_it_is_typed(desk: Desk, typed: str) -> None:
    desk.shortcut("F3")
    desk.type(typed)
    assert desk.screen.panel.form.customer.text() == typed


def test_the_held_customers_phone_is_grouped(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("081399991234")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.type("Wahyu Adi")
    desk.press(Qt.Key.Key_Return)
    desk.type("ava")
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    assert desk.screen.panel.hold_page._person.accessibleName() == "Wahyu Adi, 0813-9999-1234"


# --- an order of several units, and how long its price is good for ----------------------------------------------------


def hold_two(desk: Desk) -> tuple[str, str]:
    """An Avanza and an NMAX in one order, held; their numbers."""
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("nma")
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    first, second = hold.units
    return first.number, second.number


def plates(desk: Desk) -> list[str]:
    assert desk.walk_in.hold is not None
    units = [desk.walk_in.unit(unit.unit_id) for unit in desk.walk_in.hold.units]
    return [unit.unit.plate for unit in units if unit is not None]


def test_a_held_order_of_several_units_names_and_rings_each_of_them(desk: Desk) -> None:
    numbers = hold_two(desk)
    lines = [f"{number} · {plate}" for number, plate in zip(numbers, plates(desk), strict=True)]
    assert "\n".join(lines) in shown(desk)
    assert desk.walk_in.hold is not None
    assert [mark.unit_id for mark in desk.screen.grid._marks] == [unit.unit_id for unit in desk.walk_in.hold.units]


@pytest.mark.parametrize("how", ["note", "grid"])
def test_a_move_of_the_second_unit_is_noticed_and_told_with_its_days(desk: Desk, how: str) -> None:
    numbers = hold_two(desk)
    assert desk.walk_in.hold is not None
    second = desk.walk_in.hold.others[0]
    days = RentalPeriod(TODAY + dt.timedelta(days=1), TODAY + dt.timedelta(days=2))
    desk.counter.bookings.move(second.booking_id, second.unit_id, days)
    if how == "note":
        desk.walk_in.note_change(second.booking_id)
    else:
        desk.model.reread()
    assert desk.walk_in.hold.others[0].period == days
    text = next(text for text in shown(desk) if text.startswith(numbers[0]) and "\n" in text)
    assert text.splitlines() == [
        f"{numbers[0]} · {plates(desk)[0]} · 30 Nov – 2 Des",
        f"{numbers[1]} · {plates(desk)[1]} · 1–2 Des",
    ]


def test_a_second_unit_that_was_let_go_elsewhere_is_not_named_any_more(desk: Desk) -> None:
    hold_two(desk)
    assert desk.walk_in.hold is not None
    second = desk.walk_in.hold.others[0].booking_id
    desk.counter.bookings.cancel(second)
    desk.walk_in.note_change(second)
    assert desk.walk_in.hold.booking_ids == ("id-BK-10240",)
    assert desk.walk_in.stage is Stage.HELD


def test_an_order_is_held_until_none_of_its_units_is(desk: Desk) -> None:
    numbers = hold_two(desk)
    walk_in, bookings = desk.walk_in, desk.counter.bookings
    assert walk_in.hold is not None
    first, second = walk_in.hold.booking_ids
    bookings.set_state(first, BookingState.CANCELLED)
    walk_in.note_change(first)
    assert (walk_in.stage, walk_in.hold.number) == (Stage.HELD, numbers[1])
    assert walk_in.hold.booking_ids == (second,)
    assert desk.screen.panel.primary.text() == "Bayar"
    assert desk.shell.undo is not None, "the second one can still be taken back"
    branch = desk.counter.branch
    branch.rows = [
        replace(bar, state=BookingState.CANCELLED) if bar.booking_id == second else bar for bar in branch.rows
    ]
    walk_in.note_change(second)
    assert walk_in.stage is Stage.EXPIRED
    assert desk.shell.undo is None, "what would be taken back is over"
    assert desk.screen.panel._chip.accessibleName() == "Dibatalkan"
    walk_in.note_change(second)
    assert desk.screen.panel.hold_page.time.text() == "Dibatalkan"


def test_what_ended_with_nothing_else_free_offers_the_waitlist_with_everything_typed(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    walk_in, panel = desk.walk_in, desk.screen.panel
    assert walk_in.hold is not None
    period = walk_in.hold.period
    desk.pass_seconds(900)
    desk.counter.bookings.set_state(walk_in.hold.booking_id, BookingState.CANCELLED)
    walk_in._check_again()
    assert panel._chip.accessibleName() == "Kedaluwarsa"
    desk.screen.drawer.refresh()
    assert not panel.foot.waitlist_button.isVisible(), "another unit is free"
    panel.suggest_unit("", frozenset())
    assert panel.foot.waitlist_button.isVisible()
    assert desk.screen.focusWidget() is panel.primary
    desk.press(Qt.Key.Key_W)
    assert desk.screen.hands.demand.waitlist.isVisible()
    desk.press(Qt.Key.Key_Return)
    (place,) = desk.counter.waitlist.places
    assert (place.customer_id, place.sku, place.period) == (BUDI.customer.id, "TOY-AVNZ-G", period)
    assert walk_in.form.customer_name == "Budi Santoso"


@pytest.mark.parametrize(
    ("spoken", "text"), [(Language.ID, "Harga berlaku s.d. 14.20"), (Language.EN, "Price valid until 14:20")]
)
def test_a_price_says_until_when_it_is_good_and_a_held_one_does_not(desk: Desk, spoken: Language, text: str) -> None:
    use_language(spoken)
    QApplication.processEvents()
    fill(desk)
    desk.wait_for_price()
    assert text in shown(desk)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    assert text not in shown(desk)


def test_what_is_left_to_pay_is_read_whole(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, offers=Offers(extras=lambda: ()))
    qtbot.addWidget(desk.screen)
    fill(desk)
    desk.walk_in.set_first(TODAY + dt.timedelta(days=5))
    desk.walk_in.type_down_payment("400rb")
    desk.wait_for_price()
    QApplication.processEvents()
    note = next(label for label in desk.screen.panel.price.findChildren(QLabel) if label.text().startswith("sisa "))
    assert note.sizeHint().width() <= note.width()
    desk.screen.shut()


def test_on_a_small_screen_every_unit_of_an_order_can_be_scrolled_to(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, size=(870, 330))
    qtbot.addWidget(desk.screen)
    fill(desk)
    for sku in ("nma", "ava", "ava"):
        desk.shortcut("Ctrl+Shift+N")
        desk.type(sku)
        desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert len(desk.walk_in.hold.units) == 4
    QApplication.processEvents()
    scroll = desk.screen.panel.pages.area(desk.screen.panel.hold_page)
    assert scroll.verticalScrollBar().maximum() > 0
    assert scroll.focusPolicy() is Qt.FocusPolicy.TabFocus
    page = desk.screen.panel.hold_page
    for label in page.findChildren(QLabel):
        assert label.isHidden() or not label.text() or label.sizeHint().height() <= label.height()
    desk.screen.shut()
