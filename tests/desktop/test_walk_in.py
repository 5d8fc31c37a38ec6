"""Booking a walk-in with keys only; nothing typed is ever lost; the hold counts by the server's clock."""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.formats import Language, day_count, day_with_weekday
from app.desktop.language import use_language
from app.desktop.screens.walk_in_draft import DraftStore
from app.desktop.screens.walk_in_form import FormField, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_texts import problem_sentence
from app.desktop.widgets.button import Button
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.pick_field import Pick
from app.domain.booking import BookingState
from app.domain.errors import Refusal
from app.domain.staff import Role
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, HARTONO, FakeCounter
from tests.desktop.calendar_samples import TODAY, staff

BOOK = Qt.Key.Key_Return


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


class ClickCount(QObject):
    """Counts mouse presses anywhere in the program."""

    def __init__(self) -> None:
        super().__init__()
        self.clicks = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self.clicks += 1
        return False


def fill(desk: Desk, days: str = "3") -> None:
    """F3, the phone, Enter, the SKU, Enter, Enter, the days: all but holding."""
    desk.shortcut("F3")
    desk.type("081234567890")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.type("ava")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    desk.type(days)
    desk.wait_for_price()


def restarted(desk: Desk, qtbot: QtBot, folder: Path) -> Desk:
    """Another life of the same counter on the same folder; the first one got no chance to say good-bye."""
    desk.die()
    again = Desk(folder, desk.counter)
    qtbot.addWidget(again.screen)
    return again


# --- the flow ---------------------------------------------------------------------------------------------------------


def test_a_walk_in_is_held_with_at_most_30_keys_and_no_click(desk: Desk, qapp: QApplication) -> None:
    mouse = ClickCount()
    qapp.installEventFilter(mouse)
    fill(desk)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.focusWidget() is desk.screen.panel.primary
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.stage is Stage.HELD
    paid: list[str] = []
    desk.screen.pay_requested.connect(paid.append)
    desk.shortcut("F9")
    qapp.removeEventFilter(mouse)
    assert paid == ["inv-BK-10240"]
    # `+` and F9 in the settlement are the last two keys of the budget.
    assert desk.keys + 2 <= 30
    assert mouse.clicks == 0


def test_the_order_names_customer_sku_and_days_and_leaves_the_unit_to_the_server(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    line = request.lines[0]
    assert (request.customer_id, line.sku, line.unit_id) == (BUDI.customer.id, "TOY-AVNZ-G", None)
    assert (line.period.first, line.period.count) == (TODAY, 3)


def test_days_chosen_in_the_grid_book_that_unit(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    desk.press(Qt.Key.Key_Return)
    desk.type("bud")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert request.customer_id == HARTONO.customer.id
    assert request.lines[0].unit_id == desk.unit("B 1211 XYZ")
    assert request.lines[0].period.count == 2


def test_suggestions_start_at_the_fourth_digit_or_the_second_letter(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("081")
    assert not desk.walk_in._search_wait.isActive()
    desk.type("2")
    assert desk.walk_in._search_wait.isActive()
    desk.wait_for_search()
    assert desk.screen.panel.form.hits.isVisible()
    assert [hit.customer.name for hit in desk.screen.panel.form.hits.hits()] == ["Budi Santoso", "Budi Hartono"]
    assert desk.screen.panel.form.hits.accessibleName() == "Budi Santoso, 0812-3456-7890, 8x sewa"
    desk.press(Qt.Key.Key_Down)
    assert desk.screen.panel.form.hits.accessibleName() == "Budi Hartono, 0812-3456-7811, 1 tagihan belum lunas"


def test_somebody_new_gives_the_name_inline(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("081399991234")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.type("Wahyu Adi")
    desk.press(Qt.Key.Key_Return)
    desk.type("ava")
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert (request.customer_id, request.customer_name, request.customer_phone) == (None, "Wahyu Adi", "+6281399991234")


def test_a_new_name_typed_first_asks_for_the_phone(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.type("Zulkifli")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.new_name == "Zulkifli"
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit
    desk.type("081399991234")
    assert desk.walk_in.phone() == "+6281399991234"


def test_price_lines_and_total_come_from_the_quote(desk: Desk) -> None:
    fill(desk)
    texts = {label.text() for label in desk.screen.panel.price.findChildren(QLabel)}
    assert {"Sewa 3 × Rp\u00a0350.000", "Rp\u00a01.050.000", "Deposit (dikembalikan)", "Rp\u00a0500.000"} <= texts
    assert "termasuk PPN Rp\u00a0104.054" in texts
    assert desk.screen.panel.price.total.text() == "Rp\u00a01.550.000"
    assert desk.screen.panel.price.total.accessibleName() == (
        "Total sekarang, satu juta lima ratus lima puluh ribu rupiah"
    )


def test_dates_follow_the_grammar_and_keep_the_length(desk: Desk) -> None:
    fill(desk)
    panel = desk.screen.panel
    panel.form.first.edit.setFocus()
    panel.form.first.edit.selectAll()
    desk.type("lusa")
    desk.press(Qt.Key.Key_Return)
    form = desk.walk_in.form
    assert (form.first_day, form.last_day) == (TODAY + dt.timedelta(days=2), TODAY + dt.timedelta(days=4))
    assert panel.form.first.text() == "Rab 2 Des"
    assert panel.form.last.text() == "Jum 4 Des"


def test_the_automatic_unit_is_the_first_free_one_and_is_marked_in_the_grid(desk: Desk) -> None:
    fill(desk)
    assert desk.screen.panel.form.unit.text() == "B 1200 XYZ"
    (mark,) = desk.screen.grid._marks
    assert (mark.unit_id, mark.first, mark.last, mark.text) == (
        desk.unit("B 1200 XYZ"),
        desk.column(0),
        desk.column(2),
        "Baru · 3 hari",
    )


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_ctrl_u_chooses_another_unit(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+U")
    assert desk.screen.focusWidget() is desk.screen.panel.form.unit.edit
    menu = desk.screen.panel.form.unit.menu
    assert menu is not None
    menu.close()
    desk.screen.panel.form.unit.edit.selectAll()
    desk.type("1207")
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.unit_id == desk.unit("B 1207 XYZ")


def test_f9_lists_every_problem_and_goes_to_the_first(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    message = desk.screen.panel.form.message.text()
    assert "Pilih pelanggan" in message
    assert "Pilih barang." in message
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit
    assert desk.screen.panel.form.customer.is_wrong()
    assert desk.screen.panel.form.sku.is_wrong()


# --- nothing is lost --------------------------------------------------------------------------------------------------


def test_esc_keeps_the_draft_and_ctrl_n_brings_it_back(desk: Desk) -> None:
    fill(desk)
    before = desk.walk_in.form
    assert desk.screen.escape()
    assert not desk.screen.drawer.is_open()
    assert desk.shell.facts["drafts"] == "1 draf"
    desk.shortcut("Ctrl+N")
    assert desk.walk_in.form == before
    assert desk.screen.panel.form.customer.text() == "Budi Santoso"


def test_a_draft_survives_a_kill_and_is_offered_after_the_restart(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    fill(desk)
    desk.walk_in.save_draft()
    before = desk.walk_in.form
    again = restarted(desk, qtbot, tmp_path)
    assert again.walk_in.form == before
    assert again.shell.toasts == ["Ada draf booking dari 14.05. Ctrl+N membukanya."]
    again.shortcut("Ctrl+N")
    panel = again.screen.panel
    assert (panel.form.customer.text(), panel.form.sku.text(), panel.form.days.text()) == (
        "Budi Santoso",
        "Avanza G",
        "3",
    )
    again.screen.shut()


def test_the_draft_is_written_by_itself_shortly_after_typing(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    desk.shortcut("F3")
    desk.type("0812")
    qtbot.waitUntil(lambda: (tmp_path / "walk_in-siti-1.json").exists(), timeout=20_000)
    written = json.loads((tmp_path / "walk_in-siti-1.json").read_text(encoding="utf-8"))
    assert (written["v"], written["form"], written["staff"]) == (3, "walk_in", "siti")
    assert written["fields"]["customer_text"] == "0812"
    assert written["saved_at"].startswith("2026-11-30T07:05")


def test_a_draft_of_somebody_else_or_a_damaged_one_is_not_shown(tmp_path: Path) -> None:
    mine = DraftStore(tmp_path, "siti")
    mine.path.write_text('{"v": 1, "form": "walk_in", "staff": "budi", "fields": {}, "saved_at": "x"}')
    assert mine.load() is None
    for text in ("", "{", "[]", '{"v": 2}', '{"v": 1, "form": "walk_in", "staff": "siti", "fields": 3, "saved_at": 1}'):
        mine.path.write_text(text)
        assert mine.load() is None


def test_damaged_fields_start_an_empty_form(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "walk_in-siti-1.json"
    path.write_text(
        json.dumps(
            {
                "v": 1,
                "form": "walk_in",
                "staff": "siti",
                "fields": {"order_id": "x", "first_day": "31 Februari"},
                "saved_at": "2026-11-30T07:05:10+00:00",
            }
        )
    )
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    assert desk.walk_in.form.is_empty
    desk.screen.shut()


def test_a_form_survives_its_way_through_the_file() -> None:
    form = WalkInForm(
        order_id="o-1",
        customer_text="08123",
        is_new=True,
        new_name="Ibu 'Siti' \"R\"",
        sku="TOY-AVNZ-G",
        unit_id="u-1",
        first_day=dt.date(2028, 2, 29),
        last_day=dt.date(2028, 3, 1),
        was_sent=True,
    )
    assert from_fields(json.loads(json.dumps(to_fields(form)))) == form


def test_after_a_hold_no_draft_is_left(desk: Desk, tmp_path: Path) -> None:
    fill(desk)
    desk.shortcut("F9")
    assert not (tmp_path / "walk_in-siti-1.json").exists()
    assert desk.shell.facts["drafts"] == ""


def test_ctrl_n_takes_sku_and_day_of_the_cell_under_the_cursor(desk: Desk) -> None:
    desk.stand_on("B 1207 XYZ", 4)
    sku = desk.model.find_unit("B 1207 XYZ")
    assert sku is not None
    desk.shortcut("Ctrl+N")
    form = desk.walk_in.form
    assert (form.sku, form.unit_id, form.first_day, form.days) == (
        sku.sku.code,
        None,
        TODAY + dt.timedelta(days=4),
        1,
    )
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit


def test_ctrl_n_on_a_day_that_has_passed_proposes_today(desk: Desk) -> None:
    desk.stand_on("B 1200 XYZ", -2)
    desk.shortcut("Ctrl+N")
    assert desk.walk_in.form.first_day == TODAY


def test_a_mark_goes_as_soon_as_the_field_is_filled(desk: Desk) -> None:
    desk.shortcut("Ctrl+N")
    desk.type("081399991234")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    form = desk.screen.panel.form
    assert form.new_name.is_wrong()
    assert desk.screen.focusWidget() is form.new_name.edit
    desk.type("W")
    assert not form.new_name.is_wrong()
    assert form.message.text() == ""


def test_kosongkan_begins_anew_with_another_order(desk: Desk, tmp_path: Path) -> None:
    fill(desk)
    before = desk.walk_in.form.order_id
    desk.screen.panel.clear_button.click()
    assert desk.walk_in.form.is_empty
    assert desk.walk_in.form.order_id != before
    assert not (tmp_path / "walk_in-siti-1.json").exists()


def test_r10_the_same_form_sent_twice_is_one_booking(desk: Desk) -> None:
    fill(desk)
    desk.counter.bookings.lose_answer = True
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.FORM
    assert "tidak akan dobel" in desk.screen.panel.form.message.text()
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    assert len(desk.counter.bookings.orders) == 1
    assert len({request.order_id for request in desk.counter.bookings.requests}) == 1


def test_offline_f9_says_why_and_keeps_the_draft(desk: Desk) -> None:
    fill(desk)
    desk.counter.branch.away = True
    desk.screen.connection_changed(False)
    assert not desk.screen._pay.isEnabled()
    assert desk.screen.panel.primary.reason() == "Belum bisa menahan unit: koneksi terputus. Draf disimpan."
    desk.counter.branch.away = False
    desk.screen.connection_changed(True)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD


def test_a_refused_field_is_marked_and_everything_else_stays(desk: Desk) -> None:
    from app.domain.errors import RefusalCode

    fill(desk)
    before = desk.walk_in.form
    refusal = Refusal(RefusalCode.PERIOD_INVALID, field="lines[0].first_day", reason="past")
    desk.walk_in.refused.emit(refusal)
    assert desk.screen.panel.form.first.is_wrong()
    assert "sudah lewat" in desk.screen.panel.form.message.text()
    assert desk.walk_in.form == before


# --- the hold ---------------------------------------------------------------------------------------------------------


def test_the_hold_shows_number_state_time_amount_and_the_next_step(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    panel = desk.screen.panel
    assert panel._title.text() == "BK-10240"
    assert panel._chip.accessibleName() == "Menunggu bayar"
    assert panel.hold_page.time.text() == "15:00"
    assert panel.price.total.text() == "Rp\u00a01.550.000"
    assert panel.primary.accessibleName() == "Bayar, F9"
    assert desk.screen.grid.current_cell() == (desk.unit("B 1200 XYZ"), desk.column(0))


def test_the_countdown_is_the_servers_and_turns_amber_and_red(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    page = desk.screen.panel.hold_page
    said: list[str] = []
    announcer().announced.connect(lambda text, _: said.append(text))
    desk.pass_seconds(139)
    assert (page.time.text(), page.time._tone) == ("12:41", Tone.TEXT)
    desk.pass_seconds(481)
    assert (page.time.text(), page.time._tone) == ("04:40", Tone.WARNING)
    desk.pass_seconds(250)
    assert (page.time.text(), page.time._tone) == ("00:30", Tone.ERROR)
    desk.pass_seconds(0.5)
    assert said == ["Sisa waktu tahan, 00:29"]


@pytest.mark.parametrize("language", list(Language))
def test_at_150_percent_on_a_small_screen_a_hold_is_shown_whole(
    qtbot: QtBot, tmp_path: Path, language: Language
) -> None:
    use_language(language)
    desk = Desk(tmp_path, size=(863, 391))
    qtbot.addWidget(desk.screen)
    fill(desk)
    desk.shortcut("F9")
    QApplication.processEvents()
    page = desk.screen.panel.hold_page
    words = [label for label in page.findChildren(QLabel) if label.isVisible() and label.text()]
    assert any(day_count(3, language) in label.text() for label in words)
    for label in words:
        assert label.height() >= label.fontMetrics().height(), label.text()
        assert label.mapTo(page, label.rect().bottomLeft()).y() < page.height(), label.text()
    desk.screen.shut()


def test_at_zero_the_server_is_asked_before_anything_is_said(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.pass_seconds(900)
    assert desk.walk_in.stage is Stage.CHECKING
    assert desk.screen.panel.hold_page._label.text() == "Memeriksa pembayaran terakhir…"
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.CANCELLED)
    desk.walk_in._check_again()
    assert desk.walk_in.stage is Stage.EXPIRED
    assert desk.screen.panel._chip.accessibleName() == "Kedaluwarsa"
    assert desk.screen.panel.primary.text() == "Tahan lagi 15 mnt"


def test_a_payment_in_the_last_second_wins(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.PAID_APPROVED)
    desk.pass_seconds(900)
    assert desk.walk_in.stage is Stage.PAID
    assert desk.screen.panel.hold_page.time.text() == "Dibayar"


def test_while_the_service_has_not_decided_the_drawer_waits_and_says_so(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.pass_seconds(900)
    desk.pass_seconds(21)
    assert desk.screen.panel.hold_page._label.text() == "Menunggu keputusan server"
    assert desk.walk_in.stage is Stage.CHECKING


def test_an_expired_hold_is_held_again_as_a_new_order(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.CANCELLED)
    desk.pass_seconds(900)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.number == "BK-10241"
    first, second = desk.counter.bookings.requests
    assert first.order_id != second.order_id
    assert first.lines == second.lines


def test_batalkan_tahan_lets_the_unit_go_and_brings_the_form_back(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.screen.panel.release_button.click()
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    content = desk.screen.grid.content
    unit = desk.model.find_unit("B 1200 XYZ")
    assert content is not None
    assert unit is not None
    assert content.is_free(unit, desk.column(1))


def test_a_hold_paid_at_another_counter_is_noticed_from_the_hint(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.PAID_APPROVED)
    desk.walk_in.note_change("somebody-elses")
    assert desk.walk_in.stage is Stage.HELD
    desk.walk_in.note_change(hold.booking_id)
    assert desk.walk_in.stage is Stage.PAID


def test_an_agent_without_the_cashier_role_sees_the_reason_on_bayar(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.AGENT)))
    qtbot.addWidget(desk.screen)
    fill(desk)
    desk.shortcut("F9")
    assert desk.screen.panel.primary.reason() == "Menerima pembayaran perlu peran Kasir."
    assert not desk.screen._pay.isEnabled()
    assert desk.screen.panel.hold_page.time.text() == "15:00"
    desk.screen.shut()


def test_five_presses_hold_one_unit(desk: Desk) -> None:
    fill(desk)
    for _ in range(5):
        desk.walk_in.book()
    assert len(desk.counter.bookings.orders) == 1


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (
            WalkInForm(order_id="o"),
            [
                (FormField.CUSTOMER, Problem.NO_CUSTOMER),
                (FormField.SKU, Problem.NO_SKU),
                (FormField.FIRST_DAY, Problem.NO_FIRST),
                (FormField.LAST_DAY, Problem.NO_FIRST),
            ],
        ),
        (
            WalkInForm(order_id="o", customer_id="c", sku="S", first_day=TODAY, last_day=TODAY - dt.timedelta(days=1)),
            [(FormField.LAST_DAY, Problem.REVERSED)],
        ),
        (
            WalkInForm(order_id="o", customer_id="c", sku="S", first_day=TODAY - dt.timedelta(days=1), last_day=TODAY),
            [(FormField.FIRST_DAY, Problem.PAST)],
        ),
        (
            WalkInForm(
                order_id="o", customer_id="c", sku="S", first_day=TODAY, last_day=TODAY + dt.timedelta(days=365)
            ),
            [(FormField.DAYS, Problem.TOO_LONG)],
        ),
        (
            WalkInForm(order_id="o", is_new=True, new_name=" x ", sku="S", first_day=TODAY, last_day=TODAY),
            [(FormField.CUSTOMER, Problem.NO_PHONE), (FormField.NAME, Problem.NO_NAME)],
        ),
    ],
)
def test_every_problem_is_named_in_the_order_of_the_fields(
    form: WalkInForm, expected: list[tuple[FormField, Problem]]
) -> None:
    assert list(form.problems(TODAY, phone_ok=False)) == expected


@pytest.mark.parametrize("language", list(Language))
def test_words_fit_their_places_in_the_drawer(qtbot: QtBot, tmp_path: Path, language: Language) -> None:
    use_language(language)
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    fill(desk)
    for stage in ("form", "held"):
        if stage == "held":
            desk.shortcut("F9")
        desk.walk_in.save_draft()
        for _ in range(3):
            QApplication.processEvents()
        for label in desk.screen.panel.findChildren(Label):
            if label.isVisible() and not label.wordWrap() and not isinstance(label, ElidedLabel):
                widest = max(
                    (label.fontMetrics().horizontalAdvance(line) for line in label.text().split("\n")), default=0
                )
                assert widest <= label.contentsRect().width() + 1, (language, label.text())
        for button in desk.screen.panel.findChildren(Button):
            if button.isVisible():
                assert button.width() >= button.sizeHint().width(), (language, button.text())
    desk.screen.shut()


@pytest.mark.parametrize("spoken", list(Language))
def test_dates_and_item_are_read_whole_in_their_boxes(desk: Desk, spoken: Language) -> None:
    use_language(spoken)
    unit = desk.model.find_unit("B 1200 XYZ")
    form = desk.screen.panel.form
    for last in (dt.date(2026, 12, 30), dt.date(2027, 6, 30)):
        desk.walk_in.propose(unit, dt.date(2026, 12, 17), last)
        desk.screen.drawer.open_panel()
        for _ in range(3):
            QApplication.processEvents()
        for field in (form.first, form.last, form.days, form.sku, form.unit):
            edit = field.edit
            # A QLineEdit keeps 2 px at each side.
            assert edit.fontMetrics().horizontalAdvance(edit.text()) + 4 <= edit.width(), (field.name(), edit.text())
    for field in (form.first, form.last):
        for day in (dt.date(2026, 5, 20) + dt.timedelta(days=step) for step in range(365)):
            text = day_with_weekday(day, spoken)
            assert field.edit.fontMetrics().horizontalAdvance(text) + 4 <= field.edit.width(), text


def test_an_item_wider_than_its_box_shows_its_beginning(desk: Desk) -> None:
    desk.shortcut("F3")
    form = desk.screen.panel.form
    form.sku.set_picks([Pick(key="long", text="Innova Zenix Hybrid Q Modellista")])
    form.sku.choose("long")
    form.focus(form.sku)
    assert form.sku.edit.cursorPosition() == 0
    assert form.sku.edit.selectedText() == form.sku.text()


def test_the_return_may_be_on_the_day_of_the_pick_up(desk: Desk) -> None:
    assert problem_sentence(Problem.REVERSED) == "Tanggal kembali tidak boleh sebelum tanggal ambil."


def test_all_controls_have_names_and_tab_walks_through_the_form(desk: Desk) -> None:
    desk.shortcut("Ctrl+N")
    names = []
    for _ in range(6):
        focus = desk.screen.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        desk.press(Qt.Key.Key_Tab)
    assert names == ["Pelanggan", "Barang", "Unit", "Tanggal ambil", "Tanggal kembali", "Lama sewa"]
