"""Menu, parking lane, maintenance, waitlist and refusals on the grid: each with its key, its reason and its undo."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_cancel import RejectDialog
from app.desktop.screens.calendar_verbs import VerbKind
from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_marks import MarkKind
from app.domain.booking import Action, BookingState
from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.staff import Role
from app.usecases.rows import Bar, OccupancyKind
from tests.desktop.calendar_desk import SHIFT, Desk
from tests.desktop.calendar_fakes import BUDI, FakeCounter
from tests.desktop.calendar_samples import NOW, TODAY, bar, fleet, staff


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.hands.lane.return_all()
    made.screen.shut()


def of(desk: Desk, name: str) -> Bar:
    return next(row for row in desk.counter.branch.rows if row.customer_name == name)


def days(first: int, last: int) -> Days:
    return Days(TODAY + dt.timedelta(days=first), TODAY + dt.timedelta(days=last))


def menu_of(desk: Desk) -> dict[str, str]:
    """The lines of the open menu: name → reason."""
    assert desk.screen.hands.menu.isVisible()
    return {row.line.name: row.line.reason for row in desk.screen.hands.menu.rows}


# --- context menu -----------------------------------------------------------------------------------------------------


def test_the_menu_of_a_bar_has_every_verb_with_its_key_and_why_one_does_not_work(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+F10")
    lines = menu_of(desk)
    names = ["open", "pay", "check_out", "extend", "start", "move", "park", "cancel", "no_show", "block", "waitlist"]
    assert list(lines) == names
    assert {name: reason for name, reason in lines.items() if reason} == {
        "pay": "Tidak ada yang perlu dibayar.",
        "check_out": "Layarnya belum ada di versi ini.",
        "no_show": "Mulai 5 Des 10.00, 2 jam setelah waktu ambil.",
        "block": "Harinya terpakai booking ini.",
    }
    keys = [row.line.key for row in desk.screen.hands.menu.rows]
    assert keys == ["Return", "F9", "F7", "X", "Shift+X", "P", "Shift+P", "Del", "Shift+Del", "M", "W"]


def test_a_verb_of_the_menu_works_by_its_own_key_and_by_the_arrows(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+F10")
    desk.press(Qt.Key.Key_P)
    assert not desk.screen.hands.menu.isVisible()
    assert desk.screen.grid.is_moving()
    desk.screen.escape()
    desk.shortcut("Menu")
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.grip.value == "end"


def test_escape_closes_the_menu_and_nothing_else(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+F10")
    desk.press(Qt.Key.Key_Escape)
    assert not desk.screen.hands.menu.isVisible()
    assert desk.screen.grid.hasFocus()


def test_the_right_button_opens_the_menu_where_it_was_pressed(desk: Desk) -> None:
    at = desk.point("B 1211 XYZ", 6)
    viewport = desk.screen.grid.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
    QApplication.sendEvent(viewport, event)
    assert desk.screen.grid.current_cell() == (desk.unit("B 1211 XYZ"), desk.column(6))
    assert "move" in menu_of(desk)


def test_the_menu_of_free_days_books_blocks_and_waits(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("Shift+F10")
    assert menu_of(desk) == {"book": "", "block": "", "waitlist": ""}
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.drawer.is_open()
    assert desk.walk_in.form.first_day == TODAY + dt.timedelta(days=12)


def test_a_past_day_says_why_it_cannot_be_booked(desk: Desk) -> None:
    desk.stand_on("B 1200 XYZ", -1)
    desk.shortcut("Shift+F10")
    lines = menu_of(desk)
    assert lines["book"] == lines["block"] == "Hari itu sudah lewat"


def test_offline_every_writing_verb_says_so(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.screen.connection_changed(False)
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+F10")
    lines = menu_of(desk)
    assert lines["open"] == ""
    assert {lines[name] for name in ("extend", "move", "park", "waitlist")} == {"Koneksi terputus."}


def test_an_inspector_may_swap_but_not_extend(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.INSPECTOR)))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("Shift+F10")
    lines = menu_of(desk)
    assert lines["move"] == ""
    assert lines["extend"] == "Perlu peran Agen."
    desk.screen.shut()


def test_every_verb_of_the_table_is_in_a_menu_somewhere(desk: Desk) -> None:
    found: set[str] = set()
    desk.counter.maintenance.block_unit("u-b1207xyz", days(12, 13), "Ban")
    desk.model.load()
    for plate, day in (("B 1211 XYZ", 6), ("B 1209 XYZ", 0), ("B 1633 KLM", 4), ("B 1207 XYZ", 12), ("B 1207 XYZ", 15)):
        desk.stand_on(plate, day)
        desk.shortcut("Shift+F10")
        found |= set(menu_of(desk))
        desk.press(Qt.Key.Key_Escape)
    assert found == {kind.value for kind in VerbKind}


# --- parking lane -----------------------------------------------------------------------------------------------------


def lane_point(desk: Desk) -> QPoint:
    """The middle of the lane in the grid's viewport coordinates."""
    lane = desk.screen.hands.lane
    return desk.screen.grid.viewport().mapFromGlobal(lane.mapToGlobal(lane.rect().center()))


def test_a_bar_dropped_into_the_lane_leaves_its_row_to_the_eye_and_nothing_on_the_server(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1214 XYZ", 6, release=False)
    lane = desk.screen.hands.lane
    assert lane.isVisible(), "it is offered while a bar is dragged"
    where = lane_point(desk)
    desk._mouse(QEvent.Type.MouseMove, where)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert ghost.parks
    bubble, grid = desk.screen.hands.changes.bubble, desk.screen.grid
    assert bubble.height() >= bubble.body.totalHeightForWidth(bubble.width()), "its other words are not cut"
    assert grid.viewport().rect().contains(bubble.geometry())
    assert not bubble.geometry().intersects(grid.home_rect()), "the place it comes from stays to be seen"
    desk._mouse(QEvent.Type.MouseButtonRelease, where)
    assert [item.bar.customer_name for item in lane.parked()] == ["Budi Santoso"]
    assert lane._count.text() == "1"
    assert MarkKind.PARKED in {mark.kind for mark in desk.screen.grid.chosen_marks()}
    assert desk.counter.changes_of_bookings.done == []
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1211 XYZ")
    assert content is not None
    assert unit is not None
    assert not content.is_free(unit, desk.column(6)), "its days stay taken"


def test_the_lane_shows_only_while_it_is_wanted(desk: Desk) -> None:
    lane = desk.screen.hands.lane
    assert not lane.isVisible()
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    assert lane.isVisible()
    desk.screen.escape()
    assert not lane.isVisible()


def test_parking_and_placing_by_keys_alone(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    assert desk.screen.hands.lane.holds(of(desk, "Budi Santoso").booking_id)
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("Shift+P")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.grid.is_moving()
    desk.press(Qt.Key.Key_Right, times=5)
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days == days(5, 8), "13 Dec is taken: nothing moved"
    assert desk.screen.refusals.is_open()
    desk.screen.escape()
    assert desk.screen.hands.lane.parked(), "it waits on"
    desk.screen.hands.lane.take_focus()
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Right)
    desk.press(Qt.Key.Key_Return)
    assert of(desk, "Budi Santoso").days == days(6, 9)
    assert desk.screen.hands.lane.parked() == ()


def test_del_in_the_lane_and_shift_p_on_its_bar_bring_it_back(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    desk.screen.hands.lane.take_focus()
    desk.press(Qt.Key.Key_Delete)
    assert desk.screen.hands.lane.parked() == ()
    assert desk.screen.grid.hasFocus()
    desk.shortcut("Shift+P")
    desk.shortcut("Shift+P")
    assert desk.screen.hands.lane.parked() == ()


def test_a_chip_of_the_lane_can_be_dragged_into_the_grid(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    lane = desk.screen.hands.lane
    chip = lane._chips[0]
    goal = desk.screen.grid.viewport().mapToGlobal(desk.point("B 1200 XYZ", 7))
    for kind, at in (
        (QEvent.Type.MouseButtonPress, chip.mapToGlobal(QPoint(10, 10))),
        (QEvent.Type.MouseMove, chip.mapToGlobal(QPoint(10, -20))),
        (QEvent.Type.MouseMove, goal),
        (QEvent.Type.MouseButtonRelease, goal),
    ):
        left = Qt.MouseButton.LeftButton
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
        event = QMouseEvent(
            kind, QPointF(chip.mapFromGlobal(at)), QPointF(at), button, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(chip, event)
    moved = of(desk, "Budi Santoso")
    assert (moved.unit_id, moved.days) == (desk.unit("B 1200 XYZ"), days(7, 10))
    assert lane.parked() == ()


def test_leaving_with_something_parked_asks_and_staying_is_the_default(desk: Desk, qtbot: QtBot) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    assert not desk.screen.leave()
    question = desk.screen.hands.parked.question
    assert question.accessibleName() == "1 booking masih diparkir. Di server tetap di unit dan tanggal lamanya"
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.hands.lane.parked()
    assert not desk.screen.leave()
    with qtbot.waitSignal(desk.screen.ready_to_leave, timeout=20_000):
        desk.press(Qt.Key.Key_K)
    assert desk.screen.hands.lane.parked() == ()
    assert desk.screen.leave()


def test_a_parked_booking_that_ended_elsewhere_leaves_the_lane(desk: Desk) -> None:
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("Shift+P")
    desk.counter.branch.rows.remove(of(desk, "Hadi"))
    desk.model.load()
    assert desk.screen.hands.lane.parked() == ()


# --- maintenance ------------------------------------------------------------------------------------------------------


def test_m_on_chosen_days_and_enter_block_the_unit(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.keys = 0
    desk.press(Qt.Key.Key_Right, SHIFT, times=2)
    desk.shortcut("M")
    desk.press(Qt.Key.Key_Return)
    assert desk.keys == 4
    (row,) = desk.counter.maintenance.blocked.values()
    assert (row.unit_id, row.days, row.reason) == (desk.unit("B 1207 XYZ"), days(12, 14), "Servis")
    assert desk.shell.toasts[-1] == "B 1207 XYZ perawatan 12–14 Des: Servis."
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1207 XYZ")
    assert content is not None
    assert unit is not None
    span = content.span_at(unit, desk.column(13))
    assert span is not None
    assert span.state is ShownState.MAINTENANCE


def test_m_with_nothing_chosen_is_shown_until_days_are_chosen(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("M")
    strip = desk.screen.hands.demand.strip
    assert strip.isVisible()
    assert strip.text() == "Perawatan: seret hari atau pilih dengan Shift+panah, lalu Enter."
    assert desk.shell.toasts == [], "it stays longer than a note would"
    desk.press(Qt.Key.Key_Right, SHIFT)
    assert strip.isVisible()
    desk.press(Qt.Key.Key_Return)
    assert not strip.isVisible()
    desk.press(Qt.Key.Key_Return)
    (row,) = desk.counter.maintenance.blocked.values()
    assert (row.days, row.reason) == (days(12, 13), "Servis")


@pytest.mark.parametrize("how", ["Esc", "M again", "the strip's button", "another screen"])
def test_the_hint_that_the_next_days_are_for_maintenance_goes_with_it(desk: Desk, how: str) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("M")
    strip = desk.screen.hands.demand.strip
    assert strip.isVisible()
    match how:
        case "Esc":
            assert desk.screen.escape()
        case "M again":
            desk.shortcut("M")
        case "the strip's button":
            strip.button.click()
        case _:
            assert desk.screen.leave()
    assert not strip.isVisible()
    desk.press(Qt.Key.Key_Right, SHIFT)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.drawer.is_open(), "days are for a booking again"


def test_the_hint_speaks_the_language_in_use(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("M")
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.screen.hands.demand.strip.text() == "Maintenance: drag days or choose with Shift+arrows, then Enter."


def test_a_reason_has_a_key_of_its_own(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.press(Qt.Key.Key_Right, SHIFT)
    desk.shortcut("M")
    desk.press(Qt.Key.Key_4)
    (row,) = desk.counter.maintenance.blocked.values()
    assert row.reason == "Kecelakaan"


def test_m_held_while_dragging_asks_for_the_reason_on_release(desk: Desk) -> None:
    desk.keys = 0
    desk.screen.grid.setFocus()
    desk.shortcut("M")
    desk.drag("B 1207 XYZ", 12, 14)
    assert desk.screen.hands.demand.reasons.isVisible()
    desk.press(Qt.Key.Key_Return)
    assert desk.keys <= 3
    (row,) = desk.counter.maintenance.blocked.values()
    assert row.days == days(12, 14)
    assert not desk.screen.drawer.is_open()


def test_m_pressed_in_the_middle_of_a_drag_takes_the_days_so_far(desk: Desk) -> None:
    desk.drag("B 1207 XYZ", 12, 13, release=False)
    desk.shortcut("M")
    assert desk.screen.hands.demand.reasons.isVisible()
    desk.let_go("B 1207 XYZ", 13)
    assert not desk.screen.drawer.is_open()
    desk.press(Qt.Key.Key_Return)
    (row,) = desk.counter.maintenance.blocked.values()
    assert row.days == days(12, 13)


def test_m_and_escape_book_as_before(desk: Desk) -> None:
    desk.screen.grid.setFocus()
    desk.shortcut("M")
    assert desk.screen.escape()
    desk.drag("B 1207 XYZ", 12, 14)
    assert desk.screen.drawer.is_open()
    assert desk.counter.maintenance.blocked == {}


def test_undo_ends_the_block(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.press(Qt.Key.Key_Right, SHIFT)
    desk.shortcut("M")
    desk.press(Qt.Key.Key_Return)
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.maintenance.blocked == {}
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1207 XYZ")
    assert content is not None
    assert unit is not None
    assert content.is_free(unit, desk.column(12))


def test_del_on_a_block_asks_and_keeps_it_by_default(desk: Desk) -> None:
    desk.counter.maintenance.block_unit(desk.unit("B 1207 XYZ"), days(12, 14), "Ban")
    desk.model.load()
    desk.stand_on("B 1207 XYZ", 13)
    desk.shortcut("Del")
    desk.press(Qt.Key.Key_Return)
    assert len(desk.counter.maintenance.blocked) == 1
    desk.shortcut("Del")
    desk.press(Qt.Key.Key_A)
    assert desk.counter.maintenance.blocked == {}


def test_a_block_that_lost_a_race_is_refused_naming_the_unit(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 12)
    desk.press(Qt.Key.Key_Right, SHIFT)
    desk.shortcut("M")
    unit = next(unit for unit in fleet() if unit.unit.plate == "B 1207 XYZ")
    desk.counter.branch.rows.append(bar(unit, "MB", 12, 12, "Cepat", number="BK-20009"))
    desk.press(Qt.Key.Key_Return)
    assert desk.counter.maintenance.blocked == {}
    assert desk.shell.toasts[-1].startswith("B 1207 XYZ tidak bisa dipesan 12–13 Des.")


def test_a_cashier_reads_who_may_block(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.CASHIER)))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 1207 XYZ", 12)
    desk.shortcut("M")
    assert desk.shell.toasts[-1] == "Perlu peran Agen atau Inspektur."
    desk.screen.shut()


# --- refusing an extension --------------------------------------------------------------------------------------------


def test_del_on_an_unpaid_extension_refuses_it_with_a_reason(desk: Desk) -> None:
    desk.stand_on("B 1209 XYZ", -1)
    desk.shortcut("Del")
    dialog = desk.screen.findChild(RejectDialog)
    assert dialog is not None
    assert (dialog.cancel_button.text(), dialog.keep_button.text()) == ("Tolak perpanjangan", "Biarkan")
    dialog.reason.edit.insert("tidak jadi")
    dialog.reason.typed.emit(dialog.reason.text())
    dialog.cancel_button.click()
    assert of(desk, "CV Mitra").state is BookingState.ACTIVE_RENTAL
    assert desk.counter.changes_of_bookings.done[-1][0] is Action.REJECT_EXTENSION


# --- waitlist and refusals --------------------------------------------------------------------------------------------


def full_house(desk: Desk, first: int, last: int) -> None:
    """No Avanza is free on these days."""
    for unit in fleet():
        if unit.sku.code == "TOY-AVNZ-G":
            desk.counter.branch.rows = [
                row
                for row in desk.counter.branch.rows
                if row.unit_id != unit.unit.id or not row.days.overlaps(days(first, last))
            ]
            desk.counter.branch.rows.append(bar(unit, "LB", first, last, "Penuh", number=f"BK-3{unit.unit.slot:04}"))
    desk.model.load()


def refuse(desk: Desk, *, waitlist: bool = True) -> None:
    """A booking that finds no unit: the refusal offers the waitlist."""
    unit = desk.model.find_unit("B 1200 XYZ")
    assert unit is not None
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(unit, TODAY + dt.timedelta(days=8), TODAY + dt.timedelta(days=9))
    desk.screen.drawer.open_panel()
    action = NextAction("waitlist", {"sku": "TOY-AVNZ-G"})
    branch = NextAction("other_branch", {"branch_name": "Jakarta", "plate": "B 9 AA", "sku": "TOY-AVNZ-G"})
    desk.walk_in.days_taken.emit(
        Refusal(
            RefusalCode.DAYS_TAKEN,
            next=(branch, *((action,) if waitlist else ())),
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            sku="TOY-AVNZ-G",
            first_day=TODAY + dt.timedelta(days=8),
            last_day=TODAY + dt.timedelta(days=9),
            free_units=0,
            blockers=[],
        )
    )


def test_after_a_refusal_w_and_enter_put_the_customer_on_the_list(desk: Desk) -> None:
    full_house(desk, 8, 9)
    refuse(desk)
    desk.keys = 0
    desk.press(Qt.Key.Key_W)
    desk.press(Qt.Key.Key_Return)
    assert desk.keys == 2
    (place,) = desk.counter.waitlist.places
    assert (place.customer_id, place.sku) == (BUDI.customer.id, "TOY-AVNZ-G")
    assert (place.period.first, place.period.last) == (TODAY + dt.timedelta(days=8), TODAY + dt.timedelta(days=9))
    assert desk.shell.toasts[-1].startswith("Budi Santoso nomor 1 di antrean 8–9 Des.")
    assert "belum menjamin" in desk.shell.toasts[-1]
    assert desk.walk_in.form.customer_id == BUDI.customer.id, "what was typed stays"
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.waitlist.withdrawn == [place.id]


def test_joining_twice_shows_the_first_place_without_an_undo(desk: Desk) -> None:
    refuse(desk)
    desk.press(Qt.Key.Key_W)
    desk.press(Qt.Key.Key_Return)
    refuse(desk)
    desk.press(Qt.Key.Key_W)
    desk.press(Qt.Key.Key_Return)
    assert len(desk.counter.waitlist.places) == 1
    assert desk.shell.toasts[-1] == "Budi Santoso sudah nomor 1 di antrean 8–9 Des."
    assert desk.shell.undo is None


def test_escape_in_the_waitlist_card_comes_back_to_the_refusal(desk: Desk) -> None:
    refuse(desk)
    desk.press(Qt.Key.Key_W)
    assert desk.screen.hands.demand.waitlist.isVisible()
    desk.press(Qt.Key.Key_Escape)
    assert desk.screen.refusals.is_open()
    desk.press(Qt.Key.Key_Escape)
    assert not desk.screen.refusals.is_open()
    assert not desk.screen.refusals.show_again()


def test_w_on_a_taken_bar_asks_for_its_days_and_a_new_customer(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    card = desk.screen.hands.demand.waitlist
    assert card.isVisible()
    desk.type("081299998888")
    desk.press(Qt.Key.Key_Return)
    desk.type("Sinta")
    desk.press(Qt.Key.Key_Return)
    (place,) = desk.counter.waitlist.places
    assert (place.customer_name, place.customer_phone) == ("Sinta", "+6281299998888")
    assert (place.period.first, place.period.last) == (days(5, 8).first, days(5, 8).last)


def test_the_waitlist_card_complains_about_the_field_that_is_wrong(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    card = desk.screen.hands.demand.waitlist
    desk.type("0812")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    assert desk.counter.waitlist.places == []
    assert card.phone.is_wrong()
    assert card.isVisible()


def test_an_inspector_reads_who_may_use_the_waitlist(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.INSPECTOR)))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    assert desk.shell.toasts[-1] == "Perlu peran Agen atau Kasir."
    desk.screen.shut()


def test_another_branch_shows_what_it_has_free_and_then_its_units(desk: Desk) -> None:
    refuse(desk, waitlist=False)
    desk.press(Qt.Key.Key_1)
    card = desk.screen.hands.demand.elsewhere
    assert card.isVisible()
    assert "kosong, antara lain" in card.rows[0].line.text
    desk.press(Qt.Key.Key_Return)
    assert desk.model.is_elsewhere
    content = desk.screen.grid.content
    assert content is not None
    assert {unit.sku.code for group in content.groups for unit in group.units} == {"TOY-AVNZ-G"}
    assert desk.walk_in.form.customer_id == BUDI.customer.id


def test_another_branchs_units_can_only_be_looked_at(desk: Desk) -> None:
    refuse(desk, waitlist=False)
    desk.press(Qt.Key.Key_1)
    desk.press(Qt.Key.Key_Return)
    content = desk.screen.grid.content
    assert content is not None
    unit = content.groups[0].units[0]
    assert desk.screen.grid.go_to(unit.unit.id, desk.column(9))
    desk.screen.grid.setFocus()
    desk.press(Qt.Key.Key_Return)
    assert "hanya bisa dilihat dari sini" in desk.screen.pointing.blocked.accessibleName()


def test_who_was_faster_lights_up_once_and_the_form_stays(desk: Desk) -> None:
    unit = desk.model.find_unit("B 1207 XYZ")
    assert unit is not None
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(unit, TODAY + dt.timedelta(days=12), TODAY + dt.timedelta(days=13))
    rival = bar(unit, "MB", 12, 13, "Rival", number="BK-20005")
    desk.counter.branch.rows.append(rival)
    refusal = Refusal(
        RefusalCode.DAYS_TAKEN,
        unit_id=unit.unit.id,
        plate=unit.unit.plate,
        sku="TOY-AVNZ-G",
        first_day=TODAY + dt.timedelta(days=12),
        last_day=TODAY + dt.timedelta(days=13),
        blockers=[
            {
                "first_day": rival.days.first,
                "last_day": rival.days.last,
                "number": "BK-20005",
                "customer": "Rival",
                "state": "PENDING_PAYMENT",
                "since": NOW - dt.timedelta(seconds=3),
                "by": "Andi",
            }
        ],
    )
    desk.walk_in.days_taken.emit(refusal)
    flashes = [mark for mark in desk.screen.grid._pulses.marks() if mark.kind is MarkKind.PULSE]
    assert [(mark.unit_id, mark.first, mark.last) for mark in flashes] == [
        (unit.unit.id, desk.column(12), desk.column(13))
    ]
    desk.model.reread()
    assert len(desk.screen.grid._pulses.marks()) == 1
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert "Baru saja diambil oleh Andi" in facts.taken
    assert desk.walk_in.form.customer_id == BUDI.customer.id


@pytest.mark.parametrize("how", ["request_extension", "shorten"])
def test_a_refused_extension_offers_the_longest_one_and_another_unit_for_the_next_booking(desk: Desk, how: str) -> None:
    rina, bagus = of(desk, "Rina M."), of(desk, "Bagus P.")
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("X")
    desk.press(Qt.Key.Key_Right)
    changes = desk.screen.hands.changes
    change = changes._change(desk.screen.grid.ghost())  # type: ignore[arg-type]
    assert change is not None
    changes._last = replace(change, days=days(-2, 6))
    last = TODAY + dt.timedelta(days=4)
    refusal = Refusal(
        RefusalCode.DAYS_TAKEN,
        field="last_day",
        next=(
            NextAction(how, {"last_day": last}),
            NextAction(
                "swap_other",
                {
                    "booking_id": bagus.booking_id,
                    "number": bagus.number,
                    "unit_id": desk.unit("B 1200 XYZ"),
                    "plate": "B 1200 XYZ",
                },
            ),
        ),
        unit_id=rina.unit_id,
        plate="B 1201 XYZ",
        sku="TOY-AVNZ-G",
        first_day=TODAY + dt.timedelta(days=3),
        last_day=TODAY + dt.timedelta(days=6),
        blockers=[],
    )
    changes._apply_refused(change, refusal)
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert [action.verb for action in facts.actions] == [
        "Perpanjang s.d. Jum 4 Des",
        f"Pindahkan {bagus.number} ke B 1200 XYZ",
    ]
    desk.press(Qt.Key.Key_1)
    assert of(desk, "Rina M.").days == days(-2, 4)


# --- words ------------------------------------------------------------------------------------------------------------


def test_the_lane_and_its_question_speak_english_too(desk: Desk) -> None:
    use_language(Language.EN)
    QApplication.processEvents()
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("Shift+P")
    assert not desk.screen.leave()
    assert desk.screen.hands.parked.question.accessibleName().startswith("1 booking still parked")


def test_every_bar_kind_that_cannot_move_says_why(desk: Desk) -> None:
    for row in list(desk.counter.branch.rows):
        unit = next(unit for unit in fleet() if unit.unit.id == row.unit_id)
        content = desk.screen.grid.content
        assert content is not None
        column = content.column_of(max(row.days.first, content.window.first))
        span = content.span_at(unit, column) if column is not None else None
        if span is None or span.bar is not row or row.kind is OccupancyKind.OVERDUE:
            continue
        desk.screen.grid.go_to(unit.unit.id, span.first)
        reason = next((verb.reason for verb in desk.screen.hands.verbs() if verb.kind is VerbKind.MOVE), "-")
        movable = row.state in (BookingState.PENDING_PAYMENT, BookingState.PAID_APPROVED)
        assert (reason == "") is movable, (row.state, reason)


def test_an_old_refusal_does_not_come_back_behind_another_card(desk: Desk) -> None:
    refuse(desk, waitlist=False)
    desk.press(Qt.Key.Key_1)
    desk.press(Qt.Key.Key_Return)
    desk.screen.filters.clear()
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.press(Qt.Key.Key_Escape)
    assert not desk.screen.refusals.is_open()


def test_the_menu_acts_on_the_booking_it_names_and_on_no_other(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.screen.hands.open_menu()
    rows = desk.counter.branch.rows
    (named,) = [row for row in rows if row.customer_name == "Budi Santoso"]
    rows[rows.index(named)] = replace(named, booking_id="id-new", number="BK-20002", customer_name="Orang Lain")
    desk.model.reread()
    desk.screen.hands.menu.chosen.emit(VerbKind.MOVE.value)
    assert desk.screen.grid.ghost() is None
    assert desk.shell.toasts[-1] == "Di sini baru saja berubah, jadi tidak ada yang dilakukan."


def test_the_menu_follows_its_booking_to_where_another_counter_moved_it(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.screen.hands.open_menu()
    (named,) = [row for row in desk.counter.branch.rows if row.customer_name == "Budi Santoso"]
    assert named.booking_id is not None
    moved = days(7, 10)
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(named.booking_id, RentalPeriod(moved.first, moved.last), desk.unit("B 1200 XYZ"))
    desk.model.reread()
    desk.screen.hands.menu.chosen.emit(VerbKind.MOVE.value)
    ghost = desk.screen.grid.ghost()
    assert ghost is not None
    assert (ghost.bar.booking_id, ghost.home.unit.plate, ghost.days) == (named.booking_id, "B 1200 XYZ", moved)


def test_only_the_button_that_holds_a_bar_puts_it_down(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9, release=False)
    viewport = desk.screen.grid.viewport()
    where = desk.point("B 1200 XYZ", 9)
    for button in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
        QTest.mousePress(viewport, button, pos=where)
        QTest.mouseRelease(viewport, button, pos=where)
    assert desk.screen.grid.ghost() is not None
    home = desk.unit("B 1211 XYZ")
    budi = next(row for row in desk.counter.branch.rows if row.customer_name == "Budi Santoso")
    assert budi.unit_id == home
    desk.let_go("B 1200 XYZ", 9)
    budi = next(row for row in desk.counter.branch.rows if row.customer_name == "Budi Santoso")
    assert budi.unit_id == desk.unit("B 1200 XYZ")


@pytest.mark.parametrize("button", [Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton, Qt.MouseButton.BackButton])
def test_only_the_left_button_opens_by_a_double_click(desk: Desk, button: Qt.MouseButton) -> None:
    QTest.mouseDClick(desk.screen.grid.viewport(), button, pos=desk.point("B 1207 XYZ", 20))
    assert not desk.screen.drawer.is_open()
