"""Bars in the hand: moved, extended and shortened with the mouse and by keys, asked of the server, undone."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.screens.calendar_keys import CalendarKey
from app.desktop.screens.walk_in_form import Stage
from app.desktop.widgets.month_grid_ghost import HANDLE_HIT, Grip, Verdict, grip_at
from app.desktop.widgets.month_grid_marks import MarkKind
from app.domain.booking import Action, BookingState
from app.domain.days import Days, RentalPeriod, YearMonth, mask_of
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role
from app.usecases.rows import Bar
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, HARTONO, FakeCounter
from tests.desktop.calendar_samples import TODAY, bar, fleet, staff
from tests.desktop.runners import HeldRunner

DECEMBER = YearMonth(2026, 12)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def of(desk: Desk, name: str) -> Bar:
    """A customer's bar as the server has it."""
    return next(row for row in desk.counter.branch.rows if row.customer_name == name)


def days(first: int, last: int) -> Days:
    return Days(TODAY + dt.timedelta(days=first), TODAY + dt.timedelta(days=last))


def marks(desk: Desk) -> set[MarkKind]:
    return {mark.kind for mark in desk.screen.grid.chosen_marks()}


# --- with the mouse ---------------------------------------------------------------------------------------------------


def test_a_bar_dragged_to_another_row_keeps_its_days_and_settles_after_the_answer(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    moved = of(desk, "Budi Santoso")
    assert (moved.unit_id, moved.days) == (desk.unit("B 1200 XYZ"), days(7, 10))
    assert desk.counter.changes_of_bookings.done == [(Action.RESCHEDULE, moved.booking_id)]
    assert desk.shell.toasts[-1] == "BK-10119 pindah ke 7–10 Des, B 1200 XYZ."
    assert desk.screen.grid.ghost() is None
    assert desk.screen.grid.current_cell() == (desk.unit("B 1200 XYZ"), desk.column(7))


def test_a_drag_shorter_than_four_pixels_moves_nothing(desk: Desk) -> None:
    at = desk.point("B 1211 XYZ", 6)
    desk._mouse(QEvent.Type.MouseButtonPress, at)
    desk._mouse(QEvent.Type.MouseMove, at + QPoint(2, 1))
    assert desk.screen.grid.ghost() is None
    desk._mouse(QEvent.Type.MouseButtonRelease, at + QPoint(2, 1))
    assert desk.counter.changes_of_bookings.asked == []


def test_while_the_server_is_asked_the_bar_is_a_ghost_that_says_so(desk: Desk, held_runner: HeldRunner) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    assert desk.screen.hands.changes.bubble.price() == "memeriksa…"
    assert MarkKind.GHOST_CHECKING in marks(desk)
    assert of(desk, "Budi Santoso").days == days(5, 8)
    while held_runner.waiting:
        held_runner.go_on()
    assert of(desk, "Budi Santoso").days == days(7, 10)
    assert desk.screen.grid.ghost() is None


def test_the_price_difference_stands_beside_the_pointer_before_it_is_let_go(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 8, "B 1211 XYZ", 10, edge="end", release=False)
    desk.wait_for_quote()
    bubble = desk.screen.hands.changes.bubble
    assert bubble.price() == "+Rp\u00a0700.000"
    assert "Kembali Sel 8 Des - Kam 10 Des · 6 hari" in bubble.spoken()
    assert marks(desk) >= {MarkKind.GHOST, MarkKind.ORIGIN}
    desk.let_go("B 1211 XYZ", 10)
    assert of(desk, "Budi Santoso").days == days(5, 10)
    assert desk.shell.toasts[-1] == "BK-10119 pindah ke 5–10 Des. Tambah Rp\u00a0700.000."


def test_a_rental_that_is_out_is_extended_by_its_right_edge_and_f9_settles_it(desk: Desk) -> None:
    settled: list[str] = []
    desk.screen.pay_requested.connect(settled.append)
    rina = of(desk, "Rina M.")
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", 4, edge="end")
    assert of(desk, "Rina M.").state is BookingState.EXTENSION_PENDING
    assert desk.counter.changes_of_bookings.done == [(Action.REQUEST_EXTENSION, rina.booking_id)]
    assert "diperpanjang s.d. Jum 4 Des" in desk.shell.toasts[-1]
    assert "Rp\u00a0700.000 menunggu bayar (F9)" in desk.shell.toasts[-1]
    desk.screen.grid.setFocus()
    desk.shortcut("F9")
    assert settled == [f"bill-{rina.booking_id}"]


def test_an_edge_stops_at_the_next_booking_and_names_it(desk: Desk) -> None:
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", 8, edge="end", release=False)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.days == days(-2, 4)
    assert "Berhenti sebelum Sab 5 Des: LB Bagus P." in desk.screen.hands.changes.bubble.reason()
    assert MarkKind.STOPPED in marks(desk)
    assert of(desk, "Bagus P.").days == days(5, 7)


def test_a_rental_that_is_out_is_shortened_by_its_edge_but_never_before_today(desk: Desk) -> None:
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", -2, edge="end")
    assert of(desk, "Rina M.").days == days(-2, 0)
    assert desk.counter.changes_of_bookings.done[-1][0] is Action.SHORTEN


def test_the_start_of_a_rental_that_is_out_is_no_handle(desk: Desk) -> None:
    # Its first day is held like the rest of the bar, which an agent may not move to another unit.
    desk.grab("B 1201 XYZ", -2, "B 1201 XYZ", -1, edge="start")
    assert desk.counter.changes_of_bookings.asked == []
    assert "menggantinya perlu peran Inspektur" in desk.screen.pointing.blocked.accessibleName()


def test_an_inspector_gives_a_rental_that_is_out_another_unit_on_the_same_days(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.INSPECTOR)))
    qtbot.addWidget(desk.screen)
    desk.grab("B 1201 XYZ", 0, "B 1207 XYZ", 3)
    moved = of(desk, "Rina M.")
    assert desk.counter.changes_of_bookings.done == [(Action.SWAP_UNIT, moved.booking_id)]
    assert (moved.unit_id, moved.days) == (desk.unit("B 1207 XYZ"), days(-2, 2))
    desk.screen.shut()


def test_c14_a_move_onto_another_booking_is_refused_and_the_old_days_stay_taken(desk: Desk) -> None:
    # Siti R. has 4-6 December; Bagus P. has 5-7 on the row below.
    desk.grab("B 1200 XYZ", 5, "B 1201 XYZ", 5, release=False)
    assert MarkKind.GHOST_REFUSED in marks(desk)
    assert "LB Bagus P." in desk.screen.hands.changes.bubble.reason()
    desk.let_go("B 1201 XYZ", 5)
    siti = of(desk, "Siti R.")
    assert (siti.unit_id, siti.days) == (desk.unit("B 1200 XYZ"), days(4, 6))
    assert of(desk, "Bagus P.").days == days(5, 7)
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert facts.title == "Tidak bisa diubah ke B 1201 XYZ 4–6 Des"
    assert facts.kept == "BK-10101 tetap di B 1200 XYZ"
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1200 XYZ")
    assert content is not None
    assert unit is not None
    assert not any(content.is_free(unit, desk.column(day)) for day in (4, 5, 6))


def test_a_refused_move_offers_other_units_one_key_each(desk: Desk) -> None:
    desk.grab("B 1200 XYZ", 5, "B 1201 XYZ", 5)
    facts = desk.screen.refusals.facts
    assert facts is not None
    offered = facts.actions[0]
    assert (offered.key, offered.action.action) == ("1", "use_unit")
    desk.press(Qt.Key.Key_1)
    siti = of(desk, "Siti R.")
    assert siti.unit_id == offered.action.params["unit_id"]
    assert siti.days == days(4, 6)
    assert not desk.screen.refusals.is_open()


def test_a_cards_ways_are_those_of_the_booking_it_names_whatever_happens_to_another(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9)
    budi, undo = of(desk, "Budi Santoso").booking_id, desk.shell.undo
    desk.grab("B 1200 XYZ", 5, "B 1201 XYZ", 5)
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert facts.kept == "BK-10101 tetap di B 1200 XYZ"
    assert undo is not None
    assert budi is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(budi, RentalPeriod(days(20, 23).first, days(20, 23).last))
    undo()
    assert desk.shell.toasts[-1].startswith("BK-10119 baru saja diubah")
    desk.press(Qt.Key.Key_1)
    assert of(desk, "Budi Santoso").days == days(20, 23)
    assert of(desk, "Siti R.").unit_id == facts.actions[0].action.params["unit_id"]


def test_c15_a_booking_moves_over_its_own_days(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1211 XYZ", 7, release=False)
    assert MarkKind.GHOST_REFUSED not in marks(desk)
    desk.let_go("B 1211 XYZ", 7)
    assert of(desk, "Budi Santoso").days == days(6, 9)


def test_c21_after_a_move_the_old_days_are_free_on_the_grid_and_can_be_held(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9)
    desk.stand_on("B 1211 XYZ", 6)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.drawer.is_open()
    assert desk.walk_in.form.unit_id == desk.unit("B 1211 XYZ")
    assert desk.walk_in.form.first_day == TODAY + dt.timedelta(days=6)


def test_a_lower_class_is_refused_with_the_way_to_the_form(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1633 KLM", 9)
    assert of(desk, "Budi Santoso").unit_id == desk.unit("B 1211 XYZ")
    blocked = desk.screen.pointing.blocked
    assert "Brio RS kelas lebih rendah" in blocked.accessibleName()
    blocked.form_button.click()
    assert desk.screen.drawer.is_open()
    assert desk.walk_in.form.unit_id == desk.unit("B 1633 KLM")
    assert desk.walk_in.form.days == 4


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_bar_put_down_where_the_server_refuses_goes_home_with_the_reason(desk: Desk, *, asked_before: bool) -> None:
    desk.counter.changes_of_bookings.refuses = Refusal(
        RefusalCode.BOOKING_STATE, field="booking_id", next=(), state="CANCELLED"
    )
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    if asked_before:
        desk.wait_for_quote()
    desk.let_go("B 1200 XYZ", 8)
    assert desk.screen.grid.ghost() is None
    assert desk.shell.toasts[-1].startswith("Tidak bisa lagi: statusnya sekarang")
    assert of(desk, "Budi Santoso").days == days(5, 8)


def test_undo_never_overwrites_what_another_counter_made_of_the_booking_meanwhile(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    mine = of(desk, "Budi Santoso")
    assert mine.booking_id is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(mine.booking_id, RentalPeriod(days(20, 23).first, days(20, 23).last))
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert of(desk, "Budi Santoso").days == days(20, 23)
    assert desk.shell.toasts[-1].startswith("BK-10119 baru saja diubah Ayu (Kasir 2).")


def test_a_bar_in_the_hand_that_another_counter_moved_is_let_go_with_a_word(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    mine = of(desk, "Budi Santoso")
    assert mine.booking_id is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(mine.booking_id, RentalPeriod(days(9, 12).first, days(9, 12).last))
    desk.model.reread()
    assert desk.screen.grid.ghost() is None
    assert desk.shell.toasts[-1] == "BK-10119 baru saja berubah, jadi dilepas. Lihat dulu keadaannya."
    assert of(desk, "Budi Santoso").days == days(9, 12)


def test_an_undo_with_the_same_bar_in_the_hand_again_lets_it_go_and_stays_undone(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    desk.stand_on("B 1200 XYZ", 8)
    desk.shortcut("X")
    desk.press(Qt.Key.Key_Right)
    assert desk.screen.grid.ghost() is not None
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.screen.grid.ghost() is None
    desk.press(Qt.Key.Key_Return)
    assert (of(desk, "Budi Santoso").unit_id, of(desk, "Budi Santoso").days) == (desk.unit("B 1211 XYZ"), days(5, 8))


def test_a_bar_put_down_before_the_grid_heard_of_another_counters_move_is_not_written(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    mine = of(desk, "Budi Santoso")
    assert mine.booking_id is not None
    desk.counter.branch.rows[desk.counter.branch.rows.index(mine)] = replace(mine, version=1)
    desk.model.reread()
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(mine.booking_id, RentalPeriod(days(9, 12).first, days(9, 12).last))
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days == days(9, 12)
    assert desk.shell.toasts[-1].startswith("BK-10119 baru saja diubah Ayu (Kasir 2).")


def test_a_bar_that_was_moved_is_never_red_while_the_grid_reads_its_new_days(
    desk: Desk, held_runner: HeldRunner
) -> None:
    seen: list[set[MarkKind]] = []
    desk.screen.grid.ghost_changed.connect(lambda _ghost: seen.append(marks(desk)))
    desk.model.rows_changed.connect(lambda _ids: seen.append(marks(desk)))
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    seen.clear()
    while held_runner.waiting:
        held_runner.go_on()
        seen.append(marks(desk))
    assert of(desk, "Budi Santoso").days == days(7, 10)
    assert [found for found in seen if MarkKind.GHOST_REFUSED in found] == []


def test_a_filter_that_hides_the_row_of_a_bar_in_the_hand_lets_it_go(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    desk.model.set_filter("hiace")
    assert desk.screen.grid.ghost() is None
    assert desk.shell.toasts[-1] == "BK-10119 dilepas: barisnya tidak ditampilkan lagi."
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days == days(5, 8)
    assert desk.counter.changes_of_bookings.done == []
    desk.model.set_filter("")
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    assert of(desk, "Budi Santoso").days == days(7, 10)


def test_the_next_bar_stays_in_the_hand_when_the_time_of_the_one_before_is_over(
    desk: Desk, held_runner: HeldRunner, qtbot: QtBot
) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    while not desk.counter.changes_of_bookings.done:
        held_runner.go_on()
    assert held_runner.waiting, "the grid is still being read"
    desk.screen.hands.escape()
    desk.stand_on("B 1201 XYZ", 2)
    desk.shortcut("X")
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.bar.customer_name == "Rina M."
    settled = desk.screen.hands.changes._in_hand._settled
    qtbot.waitUntil(lambda: not settled.isActive())
    assert desk.screen.grid.ghost() == ghost


def test_the_form_for_a_lower_class_has_the_bookings_customer(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1633 KLM", 9)
    desk.screen.pointing.blocked.form_button.click()
    form = desk.walk_in.form
    assert (form.customer_id, form.customer_name, form.customer_rentals) == (
        BUDI.customer.id,
        "Budi Santoso",
        BUDI.rentals,
    )
    assert (form.first_day, form.last_day) == (TODAY + dt.timedelta(days=8), TODAY + dt.timedelta(days=11))
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.customer_name == "Budi Santoso"


def test_a_draft_of_somebody_else_waits_while_a_lower_class_is_booked(desk: Desk) -> None:
    desk.shortcut("Ctrl+N")
    desk.walk_in.pick(HARTONO)
    desk.press(Qt.Key.Key_Escape)
    desk.grab("B 1211 XYZ", 6, "B 1633 KLM", 9)
    desk.screen.pointing.blocked.form_button.click()
    assert desk.walk_in.form.customer_id == BUDI.customer.id
    desk.shortcut("F9")
    desk.walk_in.cancel_hold()
    assert desk.walk_in.draft_count == 2
    desk.walk_in.clear()
    assert desk.walk_in.form.customer_id == HARTONO.customer.id


def test_a_name_typed_meanwhile_stays_in_the_form_for_a_lower_class(desk: Desk, held_runner: HeldRunner) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1633 KLM", 9)
    while not desk.screen.pointing.blocked.isVisible():  # the server says that it is one
        held_runner.go_on()
    desk.screen.pointing.blocked.form_button.click()
    assert desk.walk_in.form.customer_text == "Budi Santoso"
    desk.walk_in.type_customer("Hadi")
    while held_runner.waiting:
        held_runner.go_on()
    assert desk.walk_in.form.customer_text == "Hadi"
    assert desk.walk_in.form.customer_id is None


def test_escape_and_the_right_button_give_a_drag_up_while_the_mouse_is_still_held(desk: Desk) -> None:
    grid = desk.screen.grid
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    assert desk.screen.escape()
    assert grid.ghost() is None
    desk._mouse(QEvent.Type.MouseMove, desk.point("B 1200 XYZ", 9))
    desk.let_go("B 1200 XYZ", 9)
    assert of(desk, "Budi Santoso").days == days(5, 8)
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    at = desk.point("B 1200 XYZ", 8)
    where = QPointF(grid.viewport().mapToGlobal(at))
    both = Qt.MouseButton.LeftButton | Qt.MouseButton.RightButton
    right = QMouseEvent(
        QEvent.Type.MouseButtonPress,
        QPointF(at),
        where,
        Qt.MouseButton.RightButton,
        both,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(grid.viewport(), right)
    assert grid.ghost() is None
    desk.let_go("B 1200 XYZ", 8)
    assert of(desk, "Budi Santoso").days == days(5, 8)
    desk.drag("B 1200 XYZ", 8, 10, release=False)
    assert desk.screen.escape()
    desk._mouse(QEvent.Type.MouseMove, desk.point("B 1200 XYZ", 11))
    desk.let_go("B 1200 XYZ", 11)
    assert not desk.screen.drawer.is_open()


def test_offline_a_bar_cannot_be_dragged_and_the_reason_stands_there(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.screen.connection_changed(False)
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    assert desk.screen.grid.ghost() is None
    assert "koneksi terputus" in desk.screen.pointing.blocked.accessibleName()


def test_a_lost_answer_leaves_no_ghost_and_the_grid_shows_what_the_server_has(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    desk.wait_for_quote()
    desk.counter.branch.away = True
    desk.let_go("B 1200 XYZ", 8)
    assert desk.screen.grid.ghost() is None
    assert desk.shell.toasts[-1].startswith(f"Jawaban untuk {of(desk, 'Budi Santoso').number} belum sampai.")


@pytest.mark.parametrize(
    ("width", "x", "expected"),
    [
        (144, 2, Grip.START),
        (144, HANDLE_HIT - 1, Grip.START),
        (144, HANDLE_HIT + 1, Grip.BODY),
        (144, 144 - HANDLE_HIT + 1, Grip.END),
        (24, 7, Grip.START),
        (24, 12, Grip.BODY),
        (24, 17, Grip.END),
    ],
)
def test_a_handle_is_twelve_pixels_and_never_more_than_a_third(width: int, x: int, expected: Grip) -> None:
    assert grip_at(0, width, x, has_start=True, has_end=True) is expected


def test_the_middle_button_pulls_the_days_along(desk: Desk) -> None:
    grid = desk.screen.grid
    assert desk.model.window is not None
    before = desk.model.window.first
    start, width = desk.point("B 1211 XYZ", 6), grid.columnWidth(0)
    for kind, shift, button in (
        (QEvent.Type.MouseButtonPress, 0, Qt.MouseButton.MiddleButton),
        (QEvent.Type.MouseMove, -3 * width, Qt.MouseButton.NoButton),
        (QEvent.Type.MouseButtonRelease, -3 * width, Qt.MouseButton.MiddleButton),
    ):
        at = start + QPoint(shift, 0)
        where = QPointF(grid.viewport().mapToGlobal(at))
        event = QMouseEvent(
            kind, QPointF(at), where, button, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(grid.viewport(), event)
    assert (desk.model.window.first - before).days == 3


def test_a_drag_near_the_last_day_brings_later_days(desk: Desk) -> None:
    grid = desk.screen.grid
    assert desk.model.window is not None
    before = desk.model.window.first
    desk.grab("B 1207 XYZ", 22, "B 1207 XYZ", 25, release=False)
    right = QPoint(grid.viewport().width() - 3, desk.point("B 1207 XYZ", 25).y())
    desk._mouse(QEvent.Type.MouseMove, right)
    for _ in range(6):
        grid._push_edge()
    assert (desk.model.window.first - before).days == 2
    ghost = grid.ghost()
    assert ghost is not None
    assert ghost.days.count == 6


# --- by keys ----------------------------------------------------------------------------------------------------------


def test_p_arrows_and_enter_move_a_booking(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.keys = 0
    desk.shortcut("P")
    assert not desk.screen.keymap.action(CalendarKey.NEXT_FREE).isEnabled(), "letters rest while a bar is in the hand"
    desk.press(Qt.Key.Key_Right, times=5)
    desk.press(Qt.Key.Key_Up, times=2)
    desk.wait_for_quote()
    assert desk.screen.hands.changes.bubble.price() == "harga sama"
    desk.press(Qt.Key.Key_Return)
    moved = of(desk, "Budi Santoso")
    assert (moved.unit_id, moved.days) == (desk.unit("B 1207 XYZ"), days(10, 13))
    assert desk.keys == 9
    assert desk.screen.keymap.action(CalendarKey.NEXT_FREE).isEnabled()


def test_the_arrows_skip_the_rows_of_skus(desk: Desk) -> None:
    desk.stand_on("B 1214 XYZ", 10)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Down)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.unit.unit.plate == "B 2410 UZN"
    desk.press(Qt.Key.Key_Home)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.is_home
    assert desk.screen.escape()
    assert desk.screen.grid.ghost() is None
    assert desk.counter.changes_of_bookings.done == []


def test_x_extends_within_its_keys(desk: Desk) -> None:
    desk.stand_on("B 1201 XYZ", 1)
    desk.keys = 0
    desk.shortcut("X")
    desk.press(Qt.Key.Key_Right, times=2)
    desk.press(Qt.Key.Key_Return)
    assert desk.keys == 4
    assert of(desk, "Rina M.").state is BookingState.EXTENSION_PENDING
    assert of(desk, "Rina M.").days == days(-2, 4)


def test_shift_x_changes_the_first_day_and_the_mouse_does_the_same(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+X")
    desk.press(Qt.Key.Key_Left, times=2)
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days == days(3, 8)
    desk.grab("B 1211 XYZ", 3, "B 1211 XYZ", 5, edge="start")
    assert of(desk, "Budi Santoso").days == days(5, 8)


def test_x_says_who_may_and_when_not(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.CASHIER)))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("X")
    assert desk.screen.grid.ghost() is None
    assert "Perlu peran Agen" in desk.screen.pointing.blocked.accessibleName()
    desk.screen.shut()


def test_an_extension_that_waits_must_be_paid_or_refused_first(desk: Desk) -> None:
    desk.stand_on("B 1209 XYZ", -1)
    desk.shortcut("X")
    assert "bayar (F9) atau tolak (Del)" in desk.screen.pointing.blocked.accessibleName()


def test_every_step_of_a_bar_in_the_hand_is_spoken(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    spoken = desk.screen.hands.changes.bubble.accessibleName()
    assert spoken.startswith("BK-10119 Budi Santoso, Sab 5 – Sel 8 Des - Min 6 – Rab 9 Des")


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_a_move_back(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9)
    assert desk.shell.undo is not None
    desk.shell.undo()
    back = of(desk, "Budi Santoso")
    assert (back.unit_id, back.days) == (desk.unit("B 1211 XYZ"), days(5, 8))
    assert desk.shell.toasts[-1] == "BK-10119 kembali seperti semula."


def test_undo_takes_an_extension_back(desk: Desk) -> None:
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", 4, edge="end")
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert of(desk, "Rina M.").state is BookingState.ACTIVE_RENTAL
    assert of(desk, "Rina M.").days == days(-2, 2)


def test_undo_lengthens_a_rental_again_that_was_shortened(desk: Desk) -> None:
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", 1, edge="end")
    assert of(desk, "Rina M.").days == days(-2, 1)
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.changes_of_bookings.done[-1][0] is not Action.RESCHEDULE


def test_an_undo_whose_day_was_sold_meanwhile_opens_the_card_with_its_ways_on(desk: Desk) -> None:
    desk.grab("B 1201 XYZ", 2, "B 1201 XYZ", 1, edge="end")
    assert "Bisa diurungkan selama harinya kosong." in desk.shell.toasts[-1]
    unit = next(unit for unit in fleet() if unit.unit.plate == "B 1201 XYZ")
    desk.counter.branch.rows.append(bar(unit, "LB", 2, 3, "Cepat", number="BK-20002"))
    assert desk.shell.undo is not None
    desk.shell.undo()
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert "BK-20002 Cepat" in facts.taken
    assert facts.kept.endswith("tetap di B 1201 XYZ")
    assert of(desk, "Rina M.").days == days(-2, 1)


def test_undo_is_refused_when_somebody_took_the_old_days(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9)
    unit = next(unit for unit in fleet() if unit.unit.plate == "B 1211 XYZ")
    desk.counter.branch.rows.append(bar(unit, "MB", 6, 6, "Cepat", number="BK-20002"))
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert of(desk, "Budi Santoso").unit_id == desk.unit("B 1200 XYZ")
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert facts.title == "Tidak bisa diubah ke B 1211 XYZ 5–8 Des"
    assert facts.kept.endswith("tetap di B 1200 XYZ")


def test_a_hold_is_let_go_again_by_undo(desk: Desk) -> None:
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(desk.model.find_unit("B 1207 XYZ"), TODAY, TODAY + dt.timedelta(days=1))
    desk.screen.drawer.open_panel()
    desk.walk_in.book()
    assert desk.shell.toasts[-1] == "B 1207 XYZ ditahan 15 menit (BK-10240)."
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.bookings.cancelled == [("id-BK-10240", "")]
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.form.customer_id == BUDI.customer.id


def test_undo_lets_every_unit_of_the_order_go_although_the_next_customer_is_served(desk: Desk) -> None:
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(desk.model.find_unit("B 1207 XYZ"), TODAY, TODAY + dt.timedelta(days=1))
    desk.walk_in.add_line()
    desk.walk_in.set_sku("TOY-AVNZ-G")
    desk.walk_in.set_unit(desk.unit("B 1211 XYZ"))
    desk.screen.drawer.open_panel()
    desk.walk_in.book()
    assert desk.shell.toasts[-1] == "B 1207 XYZ, B 1211 XYZ ditahan 15 menit (BK-10240, BK-10240-2)."
    undo = desk.shell.undo
    desk.shortcut("Ctrl+N")
    assert desk.walk_in.stage is Stage.FORM
    assert undo is not None
    undo()
    assert [one for one, _ in desk.counter.bookings.cancelled] == ["id-BK-10240", "id-BK-10240-2"]


# --- live -------------------------------------------------------------------------------------------------------------


def _taken_elsewhere(desk: Desk, plate: str, first: int, last: int) -> None:
    """Another counter books; the hint comes, then the names."""
    unit = desk.model.find_unit(plate)
    assert unit is not None
    desk.counter.branch.rows.append(bar(unit, "MB", first, last, "Rival", number="BK-20003"))
    mine = [row.days for row in desk.counter.branch.rows if row.unit_id == unit.unit.id]
    mask = mask_of(mine, DECEMBER)
    desk.feed.on_availability(unit.sku.code, DECEMBER, unit.unit.slot, mask)
    desk.feed._deliver()


def test_days_taken_under_a_drag_turn_it_red_and_name_who_without_ending_it(desk: Desk) -> None:
    desk.drag("B 1207 XYZ", 12, 15, release=False)
    assert MarkKind.SELECTION in marks(desk)
    _taken_elsewhere(desk, "B 1207 XYZ", 14, 14)
    assert MarkKind.CONFLICT in marks(desk)
    assert desk.screen.grid.is_dragging()
    desk.model.reread()
    assert "MB Rival" in desk.screen.pointing.price.spoken()
    assert "Baru saja diambil oleh Andi (Kasir 2), 14.05.10:" in desk.screen.pointing.price.spoken()
    desk.let_go("B 1207 XYZ", 15)
    assert not desk.screen.drawer.is_open()
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert facts.title.startswith("B 1207 XYZ tidak bisa dipesan 12–1")
    assert facts.taken == "Baru saja diambil oleh Andi (Kasir 2), 14.05.10 · BK-20003"
    assert facts.kept == "", "nothing was typed yet"
    first, last = days(12, 15).first, days(12, 15).last
    lost = (desk.walk_in.form.order_id, "TOY-AVNZ-G", desk.unit("B 1207 XYZ"), first, last)
    assert desk.counter.demand.wishes == [lost], "nobody could give these days"
    offer = facts.actions[0]
    assert offer.target is not None
    desk.press(Qt.Key.Key_1)
    assert desk.screen.drawer.is_open()
    assert desk.walk_in.form.unit_id == offer.target[0]
    assert (desk.walk_in.form.first_day, desk.walk_in.form.days) == (offer.target[1].first, offer.target[1].count)
    assert desk.walk_in.form.order_id == lost[0], "booked after all, when it is booked"


def test_days_taken_under_a_bar_in_the_hand_turn_it_red_and_name_who(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    desk.wait_for_quote()
    assert desk.screen.grid._verdict is Verdict.ALLOWED
    _taken_elsewhere(desk, "B 1200 XYZ", 9, 9)
    desk.model.reread()
    assert MarkKind.GHOST_REFUSED in marks(desk)
    assert desk.screen.grid.is_dragging()
    assert "MB Rival" in desk.screen.hands.changes.bubble.reason()


def test_c31_anothers_change_neither_scrolls_nor_ends_a_drag(desk: Desk) -> None:
    grid = desk.screen.grid
    grid.verticalScrollBar().setValue(56)
    desk.drag("B 1207 XYZ", 12, 14, release=False)
    before = grid.verticalScrollBar().value()
    _taken_elsewhere(desk, "GNS-015", 3, 5)
    desk.model.load()
    assert grid.verticalScrollBar().value() == before
    assert grid.is_dragging()
    chosen = grid.stretch()
    assert chosen is not None
    assert (chosen.first, chosen.last) == (desk.column(12), desk.column(14))
    assert chosen.lost is None


def test_a_drag_lives_on_when_the_fleet_changes_under_it(desk: Desk) -> None:
    desk.drag("B 1207 XYZ", 12, 14, release=False)
    desk.counter.branch.units = desk.counter.branch.units[:-1]
    desk.feed.on_change("b-1", "unit", "u-gns015", "maya")
    desk.feed._deliver()
    desk.model._reread_settled()
    assert desk.model.find_unit("GNS-015") is None
    assert desk.screen.grid.is_dragging()
    desk.let_go("B 1207 XYZ", 14)
    assert desk.walk_in.form.unit_id == desk.unit("B 1207 XYZ")
    assert desk.walk_in.form.days == 3


def test_a_bar_that_was_put_down_stays_in_its_new_place_until_the_grid_has_read_it(
    desk: Desk, held_runner: HeldRunner
) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8)
    held_runner.go_on()  # the quote
    held_runner.go_on()  # the change
    assert of(desk, "Budi Santoso").days == days(7, 10)
    assert desk.screen.grid.ghost() is not None, "not back in its old place while the days are read"
    while held_runner.waiting:
        held_runner.go_on()
    assert desk.screen.grid.ghost() is None


def test_nothing_stays_in_the_hand_when_another_screen_comes(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    desk.screen.hide()
    assert desk.screen.grid.ghost() is None
    assert desk.counter.changes_of_bookings.done == []
