"""The calendar screen: windows, filters, live changes, what is away and how it heals, cancelling."""

import datetime as dt
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.changes import AvailabilityChange, ChangeFeed, SomethingChanged
from app.desktop.commands import use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_cancel import CancelDialog
from app.desktop.screens.calendar_viewmodel import Source
from app.desktop.screens.calendar_window import Zoom
from app.desktop.states import ShownState
from app.domain.booking import BookingState
from app.domain.days import Days, YearMonth
from app.domain.staff import Role
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import TODAY, bar, fleet, staff
from tests.desktop.calendar_threads import ThreadRunner
from tests.desktop.runners import HeldRunner

DECEMBER = YearMonth(2026, 12)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def window(first: int, last: int) -> Days:
    return Days(TODAY + dt.timedelta(days=first), TODAY + dt.timedelta(days=last))


def new_bar(plate: str, first: int, last: int, name: str = "Baru") -> object:
    unit = next(unit for unit in fleet() if unit.unit.plate == plate)
    return bar(unit, "LB", first, last, name, number="BK-20001")


# --- windows ----------------------------------------------------------------------------------------------------------


def test_the_grid_opens_on_31_days_from_four_days_before_today(desk: Desk) -> None:
    assert desk.model.window == window(-4, 26)
    assert desk.screen.toolbar.title.text() == "26 Nov – 26 Des 2026"
    assert desk.screen.toolbar.free.text() == "Tersedia hari ini\n10 dari 26"
    assert desk.screen.toolbar.free.accessibleName() == "Tersedia 10 dari 26 hari ini"


def test_ctrl_arrows_step_through_calendar_months(desk: Desk) -> None:
    desk.shortcut("Ctrl+Right")
    assert desk.screen.toolbar.title.text() == "Desember 2026"
    desk.shortcut("Ctrl+Right")
    assert desk.model.window == Days(dt.date(2027, 1, 1), dt.date(2027, 1, 31))
    desk.shortcut("Ctrl+Left")
    desk.shortcut("Ctrl+Left")
    assert desk.screen.toolbar.title.text() == "November 2026"


def test_c40_weekdays_stand_over_their_days_in_every_zone(desk: Desk) -> None:
    desk.model.show_day(dt.date(2027, 3, 15))
    content = desk.screen.grid.content
    assert content is not None
    column = content.column_of(dt.date(2027, 3, 15))
    assert column is not None
    head = desk.screen.grid.grid_model().headerData(
        column, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole
    )
    assert head == "Senin, 15 Maret 2027"


def test_t_comes_back_to_today_from_anywhere(desk: Desk) -> None:
    desk.shortcut("Ctrl+Right")
    desk.shortcut("Ctrl+Right")
    desk.screen.grid.setFocus()
    desk.shortcut("T")
    assert desk.model.window == window(-4, 26)
    assert desk.screen.grid.currentIndex().column() == 4


def test_the_zoom_shows_7_14_31_days_or_the_calendar_month(desk: Desk) -> None:
    desk.screen.toolbar.zoom.chosen.emit("7")
    assert desk.model.window is not None
    assert desk.model.window.count == 7
    desk.shortcut("B")
    assert desk.model.window == Days(dt.date(2026, 11, 1), dt.date(2026, 11, 30))


def test_a_month_seen_before_is_painted_at_once_while_it_is_read_again(desk: Desk, held_runner: HeldRunner) -> None:
    # The first visit of December is read to its end, the second one finds it kept.
    desk.model.step_month(1)
    while held_runner.waiting:
        held_runner.go_on()
    desk.model.show_today()
    while held_runner.waiting:
        held_runner.go_on()
    desk.model.step_month(1)
    content = desk.screen.grid.content
    assert content is not None
    assert content.window.first == dt.date(2026, 12, 1)
    assert content.has_bars
    assert held_runner.waiting == 1


def test_days_are_there_before_the_names(desk: Desk, held_runner: HeldRunner) -> None:
    desk.model.step_month(1)
    for _ in range(2):
        held_runner.go_on()
    content = desk.screen.grid.content
    assert content is not None
    assert content.window.first == dt.date(2026, 12, 1)
    assert not content.has_bars
    unit = desk.model.find_unit("B 1211 XYZ")
    assert unit is not None
    assert {span.state for span in content.spans(unit)} == {None}
    held_runner.go_on()
    assert content.has_bars


def test_ctrl_g_understands_a_typed_day_and_goes_there(desk: Desk) -> None:
    desk.shortcut("Ctrl+G")
    desk.type("lusa")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.grid.currentIndex().column() == desk.column(2)
    desk.shortcut("Ctrl+G")
    desk.type("15/3")
    desk.press(Qt.Key.Key_Return)
    assert desk.model.window is not None
    assert dt.date(2027, 3, 15) in desk.model.window


def test_ctrl_g_marks_what_is_no_day_and_stays(desk: Desk) -> None:
    desk.shortcut("Ctrl+G")
    desk.type("31/2")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.moves.goto.isVisible()
    assert desk.screen.moves.goto.field.is_wrong()
    assert desk.screen.escape()
    assert not desk.screen.moves.goto.isVisible()


# --- filters ----------------------------------------------------------------------------------------------------------


def test_slash_filters_by_sku_and_says_what_was_meant(desk: Desk) -> None:
    desk.screen.grid.setFocus()
    desk.shortcut("/")
    desk.type("innova")
    content = desk.screen.grid.content
    assert content is not None
    assert [group.sku.name for group in content.groups] == ["Innova Zenix"]
    desk.screen.toolbar.sku.set_text("avansa g")
    desk.model.set_filter("avansa g")
    assert desk.screen.place.empty.text.text() == "Tidak ditemukan 'avansa g'. Maksud Anda Avanza G (8 unit)?"
    desk.screen.place.empty.button.click()
    assert desk.model.filter_text == "Avanza G"
    assert desk.screen.escape()
    assert desk.model.filter_text == ""


def test_a_state_can_be_picked_by_typing_its_word_or_code(desk: Desk) -> None:
    desk.screen.toolbar.state.edit.setFocus()
    desk.screen.toolbar.state.edit.selectAll()
    desk.type("terl")
    desk.press(Qt.Key.Key_Return)
    assert desk.model.only_state is ShownState.OVERDUE
    assert desk.screen.toolbar.state.text() == "Terlambat"


def test_a_plate_or_a_booking_number_typed_into_the_search_is_found(desk: Desk) -> None:
    assert desk.screen.find_text("b2411uzn")
    assert desk.screen.grid.current_cell() == (desk.unit("B 2411 UZN"), desk.column(0))
    assert desk.screen.find_text("BK-10119")
    assert desk.screen.grid.current_cell() == (desk.unit("B 1211 XYZ"), desk.column(5))
    assert desk.screen.find_text("lestari")
    assert not desk.screen.find_text("nobody at all")


# --- live -------------------------------------------------------------------------------------------------------------


def test_another_counters_booking_is_painted_from_the_hint_and_named_soon_after(desk: Desk, qtbot: QtBot) -> None:
    branch = desk.counter.branch
    branch.rows.append(new_bar("GNS-015", 3, 5))  # type: ignore[arg-type]
    unit = desk.model.find_unit("GNS-015")
    assert unit is not None
    mask = window(3, 5).mask(DECEMBER)
    desk.feed.on_availability("GEN-5KVA", DECEMBER, unit.unit.slot, mask)
    desk.feed._deliver()
    content = desk.screen.grid.content
    assert content is not None
    assert [(span.first, span.state) for span in content.spans(unit)] == [(desk.column(3), None)]
    qtbot.waitUntil(lambda: content.spans(unit)[0].state is ShownState.PAID_APPROVED, timeout=20_000)


def test_many_hints_are_followed_by_one_reading(desk: Desk, qtbot: QtBot) -> None:
    before = desk.counter.branch.bar_reads
    for number in range(30):
        desk.feed.on_availability("TOY-AVNZ-G", DECEMBER, number % 8, number)
        desk.feed.on_change("b-1", "booking", f"id-{number}", "andi")
        desk.feed._deliver()
    qtbot.waitUntil(lambda: desk.counter.branch.bar_reads > before, timeout=20_000)
    assert desk.counter.branch.bar_reads == before + 1


def test_hints_from_another_thread_arrive_in_the_gui_thread_the_newest_per_unit_and_month(qtbot: QtBot) -> None:
    feed = ChangeFeed()
    seen: list[tuple[object, bool]] = []
    main = threading.current_thread()
    feed.availability.connect(lambda change: seen.append((change, threading.current_thread() is main)))
    feed.changed.connect(lambda change: seen.append((change, threading.current_thread() is main)))

    def listener() -> None:
        for mask in (0, 7, 0xFFFFFFFE):
            feed.on_availability("TOY-AVNZ-G", DECEMBER, 3, mask)
        feed.on_change("b-1", "booking", "id-1", "andi")

    thread = threading.Thread(target=listener)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(seen) == 2, timeout=20_000)
    assert seen == [
        (AvailabilityChange(sku="TOY-AVNZ-G", month=DECEMBER, slot=3, mask=0xFFFFFFFE), True),
        (SomethingChanged(branch="b-1", what="booking", id="id-1", by="andi"), True),
    ]


def test_a_closed_feed_is_silent(qtbot: QtBot) -> None:
    feed = ChangeFeed()
    seen: list[object] = []
    feed.availability.connect(seen.append)
    feed.on_availability("TOY-AVNZ-G", DECEMBER, 3, 1)
    feed.close()
    QApplication.processEvents()
    feed.on_availability("TOY-AVNZ-G", DECEMBER, 3, 1)
    QApplication.processEvents()
    assert seen == []


def test_without_hints_the_calendar_asks_every_five_seconds_and_stops_when_they_are_back(desk: Desk) -> None:
    desk.feed.on_lost()
    desk.feed._deliver()
    assert desk.model._poll.isActive()
    assert desk.model._poll.interval() == 5000
    desk.feed.on_restored()
    desk.feed._deliver()
    assert not desk.model._poll.isActive()


def test_what_changed_while_hints_were_lost_is_read_when_they_are_back(desk: Desk) -> None:
    desk.feed.on_lost()
    desk.feed._deliver()
    desk.counter.branch.rows.append(new_bar("GNS-015", 3, 5))  # type: ignore[arg-type]
    desk.feed.on_restored()
    desk.feed._deliver()
    unit = desk.model.find_unit("GNS-015")
    content = desk.screen.grid.content
    assert unit is not None
    assert content is not None
    assert [span.state for span in content.spans(unit)] == [ShownState.PAID_APPROVED]


# --- away -------------------------------------------------------------------------------------------------------------


def test_with_the_index_away_a_banner_says_so_and_everything_goes_on(desk: Desk) -> None:
    desk.counter.branch.index_away = True
    desk.model.load()
    banner = desk.shell.banners["calendar-index"]
    assert banner.title == "Kalender dari basis data, diperbarui tiap 5 dtk."
    assert "sejak 14.05" in banner.text
    assert desk.model._poll.isActive()
    assert desk.model.may_hold
    desk.counter.branch.index_away = False
    desk.model.load()
    assert "calendar-index" not in desk.shell.banners
    assert not desk.model._poll.isActive()


def test_with_the_database_away_the_grid_stays_hatched_and_booking_is_refused_before_typing(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.screen.connection_changed(False)
    assert desk.model.source is Source.STALE
    assert desk.screen.grid.content is not None
    desk.stand_on("B 1207 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.pointing.blocked.isVisible()
    assert "koneksi terputus" in desk.screen.pointing.blocked.accessibleName()
    assert not desk.screen.drawer.is_open()
    assert desk.screen.toolbar.booking.text() == "Draf baru"
    assert desk.shell.facts["grid"] == "Data 14.05.10"


def test_an_outage_ends_by_itself(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.model.load()
    assert desk.model.source is Source.STALE
    desk.counter.branch.away = False
    desk.model._polled()
    assert desk.model.source is Source.INDEX
    assert desk.model.may_hold


def test_offline_a_draft_can_still_be_typed(desk: Desk) -> None:
    desk.counter.branch.away = True
    desk.screen.connection_changed(False)
    desk.shortcut("Ctrl+N")
    assert desk.screen.drawer.is_open()
    assert not desk.screen.panel.primary.isEnabled()
    assert "koneksi terputus" in desk.screen.panel.primary.reason()


def test_a_slow_server_never_freezes_the_window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in beats of the window while nobody answers: how busy the machine is plays no part."""
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    use_runner(ThreadRunner())
    sleepers: list[str] = []
    monkeypatch.setattr(time, "sleep", lambda _seconds: sleepers.append(threading.current_thread().name))
    desk.counter.branch.gate = gate = threading.Event()
    desk.counter.branch.callers.clear()
    beats: list[bool] = []
    beat = QTimer(desk.screen)
    beat.setInterval(20)
    beat.timeout.connect(lambda: beats.append(gate.is_set()))
    beat.start()
    desk.model.step_month(1)
    desk.shortcut("Ctrl+N")
    desk.type("0812345678")
    qtbot.waitUntil(lambda: beats.count(False) > 25, timeout=60_000)
    # Nobody has answered anything, and the window lives: it took what was typed.
    assert desk.model.is_busy("load")
    assert desk.walk_in.form.customer_text == "0812-3456-78"
    gate.set()
    qtbot.waitUntil(lambda: not desk.model.is_busy() and not desk.walk_in.is_busy(), timeout=60_000)
    assert threading.main_thread().name not in [*desk.counter.branch.callers, *sleepers]
    assert desk.screen.grid.content is not None
    assert desk.screen.grid.content.window.first == dt.date(2026, 12, 1)
    desk.screen.shut()


# --- cancelling -------------------------------------------------------------------------------------------------------


def test_del_cancels_an_unpaid_booking_after_a_reason(desk: Desk) -> None:
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("Del")
    dialog = desk.screen.findChild(CancelDialog)
    assert dialog is not None
    assert not dialog.cancel_button.isEnabled()
    dialog.cancel_button.click()
    assert desk.counter.bookings.cancelled == []
    dialog.reason.edit.setFocus()
    dialog.reason.edit.insert("")
    for sign in "berubah pikiran":
        dialog.reason.edit.insert(sign)
    dialog.reason.typed.emit(dialog.reason.text())
    dialog.cancel_button.click()
    assert [reason for _, reason in desk.counter.bookings.cancelled] == ["berubah pikiran"]
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1633 KLM")
    assert content is not None
    assert unit is not None
    assert content.is_free(unit, desk.column(4))


def test_the_question_keeps_the_booking_by_default(desk: Desk) -> None:
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("Del")
    dialog = desk.screen.findChild(CancelDialog)
    assert dialog is not None
    assert (dialog.cancel_button.text(), dialog.keep_button.text()) == ("Batalkan booking", "Biarkan")
    dialog.keep_button.click()
    assert desk.counter.bookings.cancelled == []


def test_del_on_a_rental_that_is_out_says_that_it_cannot(desk: Desk) -> None:
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("Del")
    assert desk.screen.findChild(CancelDialog) is None
    assert not desk.screen.hands.ends.paid.isVisible()
    assert desk.shell.toasts[-1] == "Batalkan booking: Hanya sebelum unitnya diserahkan."


def test_an_inspector_sees_why_cancelling_is_disabled(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.INSPECTOR)))
    qtbot.addWidget(desk.screen)
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("Space")
    assert desk.screen.pointing.preview.cancel_button.reason() == "Membatalkan perlu peran Agen atau Kasir."
    desk.screen.shut()


# --- look -------------------------------------------------------------------------------------------------------------


def test_f1_lists_the_keys_that_work_now(desk: Desk) -> None:
    hints = desk.screen.keys()
    keys = {hint.key for hint in hints}
    assert {"Ctrl+N", "T", "/", "N", "G", "Ctrl+G", "Del", "Ctrl+Left"} <= keys
    assert "Ctrl+U" not in keys


def test_every_focusable_widget_has_a_name(desk: Desk) -> None:
    desk.shortcut("Ctrl+N")
    nameless = [
        widget
        for widget in desk.screen.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisibleTo(desk.screen)
        and widget.focusProxy() is None
        and not widget.accessibleName()
    ]
    assert nameless == []


def test_the_toolbar_leaves_parts_out_whole_on_narrow_screens(qtbot: QtBot, tmp_path: Path) -> None:
    for language in Language:
        use_language(language)
        for width in (863, 1045, 1310, 1544, 1864):
            desk = Desk(tmp_path, size=(width, 600))
            qtbot.addWidget(desk.screen)
            bar_ = desk.screen.toolbar
            shown = [bar_.previous, bar_.title, bar_.today, bar_.zoom, bar_.maintenance, bar_.booking]
            for widget in shown:
                if widget.isVisible():
                    assert widget.width() >= widget.sizeHint().width(), (language, width, widget)
                    assert widget.geometry().right() <= bar_.width()
            desk.screen.shut()


def test_narrow_screens_show_14_days_and_wide_ones_pin_the_drawer(qtbot: QtBot, tmp_path: Path) -> None:
    narrow = Desk(tmp_path, size=(863, 391))
    qtbot.addWidget(narrow.screen)
    assert narrow.model.zoom is Zoom.FORTNIGHT
    narrow.screen.shut()
    wide = Desk(tmp_path, size=(1864, 976))
    qtbot.addWidget(wide.screen)
    assert wide.screen.panel.isVisible()
    assert wide.screen.panel.width() == 340
    fitted = wide.screen.grid.grid_fit()
    assert fitted is not None
    assert fitted.day_column == 40
    wide.screen.shut()


def test_a_day_that_passes_moves_today(desk: Desk) -> None:
    desk.counter.branch.clock.pass_seconds(24 * 3600)
    desk.model.load()
    assert desk.model.today == TODAY + dt.timedelta(days=1)
    content = desk.screen.grid.content
    assert content is not None
    assert content.today == desk.model.today


def test_a_unit_taken_out_of_service_disappears_when_the_hint_says_unit(desk: Desk, qtbot: QtBot) -> None:
    branch = desk.counter.branch
    branch.units = branch.units[:-1]
    desk.feed.on_change("b-1", "unit", "u-gns015", "maya")
    desk.feed._deliver()
    qtbot.waitUntil(lambda: desk.model.find_unit("GNS-015") is None, timeout=20_000)
    content = desk.screen.grid.content
    assert content is not None
    assert content.unit_count == 25


def test_r16_after_cancelling_the_same_days_can_be_booked_again(desk: Desk) -> None:
    row = next(row for row in desk.counter.branch.rows if row.state is BookingState.PENDING_PAYMENT)
    assert row.booking_id is not None
    desk.model.cancel(row.booking_id, "salah tanggal")
    unit = next(unit for unit in desk.model.fleet if unit.unit.id == row.unit_id)
    content = desk.screen.grid.content
    assert content is not None
    columns = range((row.days.first - content.window.first).days, (row.days.last - content.window.first).days + 1)
    assert all(content.is_free(unit, column) for column in columns if content.days[column] >= TODAY)


def test_masks_read_again_change_only_the_rows_that_differ(desk: Desk) -> None:
    content = desk.screen.grid.content
    assert content is not None
    changed: list[frozenset[str]] = []
    desk.model.rows_changed.connect(changed.append)
    desk.counter.branch.rows.append(new_bar("GNS-015", 3, 5))  # type: ignore[arg-type]
    desk.model.load()
    assert set().union(*changed) == {desk.unit("GNS-015")}
