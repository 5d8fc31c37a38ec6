"""Del, Shift+Del and Ctrl+H on the grid: money first, a reason, a manager's word in place, nothing done twice."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.calendar_cancel_paid import CancelPaidCard
from app.desktop.screens.calendar_hold_longer import HoldLongerCard
from app.desktop.screens.calendar_idle_keys import idle_keys
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import TenderKind
from app.domain.staff import Role
from app.usecases.rows import Bar
from tests.desktop.calendar_desk import CONTROL, SHIFT, Desk
from tests.desktop.calendar_fakes import BUDI, FakeCounter
from tests.desktop.calendar_samples import TODAY, staff
from tests.desktop.ends_fakes import NOTHING_BACK, PASSWORD
from tests.desktop.test_text_fits import cut_texts

PAID = ("B 1211 XYZ", 6)
UNPAID = ("B 1633 KLM", 4)
PICKED_UP_TODAY = "B 2411 UZN"


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    qtbot.addWidget(found.screen)
    yield found
    found.screen.shut()


def money_of(card: CancelPaidCard) -> list[str]:
    return [amount.replace("\xa0", " ") for _, amount in card.rows()]


def bar_at(desk: Desk, place: tuple[str, int]) -> Bar:
    desk.stand_on(*place)
    found = desk.screen.grid.current_span()
    assert found is not None
    assert found[1].bar is not None
    return found[1].bar


def ask_cancel(desk: Desk) -> CancelPaidCard:
    desk.stand_on(*PAID)
    desk.press(Qt.Key.Key_Delete)
    card = desk.screen.hands.ends.paid
    assert card.isVisible()
    return card


def ask_longer(desk: Desk) -> HoldLongerCard:
    desk.stand_on(*UNPAID)
    desk.press(Qt.Key.Key_H, CONTROL)
    card = desk.screen.hands.ends.longer
    assert card.isVisible()
    return card


# --- cancelling what is paid ------------------------------------------------------------------------------------------


def test_del_on_a_paid_booking_shows_its_money_before_anything_else(desk: Desk) -> None:
    card = ask_cancel(desk)
    assert card.title.text() == "Batalkan BK-10119?"
    assert card.about.text() == "Budi Santoso · B 1211 XYZ · Sab 5 – Sel 8 Des"
    assert money_of(card) == ["Rp 1.550.000", "Rp 525.000", "Rp 500.000", "Rp 525.000"]
    assert [name for name, _ in card.rows()] == [
        *("Sudah dibayar", "Sewa kembali (50 %)", "Deposit kembali", "Tidak kembali")
    ]
    assert card.total.text().replace("\xa0", " ") == "Rp 1.025.000"
    assert card.why.text() == (
        "31 jam sebelum ambil (Sab 5 Des 08.00): 50 % sewa kembali. Dikembalikan di kasir seperti dibayar: tunai."
    )
    assert (card.act.text(), card.keep.text()) == ("Batalkan booking", "Biarkan")
    assert (card.act.isEnabled(), card.act.reason()) == (False, "Isi alasan dulu.")
    assert desk.counter.bookings.ends == []


def test_a_paid_booking_is_cancelled_by_keys_alone_in_three_keys_beside_the_reason(desk: Desk) -> None:
    booking = bar_at(desk, PAID).booking_id
    ask_cancel(desk)
    desk.keys = 1
    desk.type("sakit")
    desk.press(Qt.Key.Key_Return)
    assert desk.counter.bookings.ends == [], "Enter in the field ends nothing"
    desk.press(Qt.Key.Key_Return)

    assert desk.counter.bookings.ends == [("cancel_paid", booking, "sakit", 1_025_000)]
    assert desk.keys == len("sakit") + 3
    assert desk.shell.toasts[-1].replace("\xa0", " ") == (
        "BK-10119 dibatalkan, B 1211 XYZ kosong lagi. Rp 1.025.000 menunggu dikembalikan di kasir (tunai)."
    )
    assert not desk.screen.hands.ends.paid.isVisible()
    assert desk.screen.grid.hasFocus()
    unit, content = desk.model.find_unit(PAID[0]), desk.screen.grid.content
    assert unit is not None
    assert content is not None
    assert content.is_free(unit, desk.column(PAID[1]))


def test_escape_keeps_the_booking_and_what_was_typed_for_it(desk: Desk) -> None:
    ask_cancel(desk)
    desk.type("sakit")
    desk.press(Qt.Key.Key_Escape)
    assert desk.counter.bookings.ends == []
    assert desk.screen.grid.hasFocus()
    card = ask_cancel(desk)
    assert (card.reason.text(), card.act.isEnabled()) == ("sakit", True)


def test_enter_without_a_reason_says_what_is_missing(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.type(" . ")
    desk.press(Qt.Key.Key_Return, times=2)
    assert card.message.text() == "Isi alasan dulu."
    assert card.reason.edit.hasFocus()
    assert desk.counter.bookings.ends == []


def test_a_step_of_the_ladder_that_passed_is_asked_about_once_more(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.type("sakit")
    desk.press(Qt.Key.Key_Return)
    desk.counter.bookings.effect = NOTHING_BACK
    desk.press(Qt.Key.Key_Return)

    assert desk.counter.bookings.ends == []
    assert card.message.text().replace("\xa0", " ") == (
        "Berubah dari Rp 1.025.000 menjadi Rp 500.000 sejak ditampilkan. Periksa, lalu tekan lagi bila setuju."
    )
    assert money_of(card) == ["Rp 1.550.000", "Rp 0", "Rp 500.000", "Rp 1.050.000"]
    assert card.reason.edit.hasFocus(), "one more Enter agrees to nothing"
    desk.press(Qt.Key.Key_Return, times=2)
    assert [(what, back) for what, _, _, back in desk.counter.bookings.ends] == [("cancel_paid", 500_000)]


def test_a_newer_answer_of_the_server_is_shown_and_told(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.counter.bookings.effect = NOTHING_BACK
    desk.screen.hands.work.ends.ending.refresh()
    assert card.total.text().replace("\xa0", " ") == "Rp 500.000"
    assert "Rp 1.025.000" in card.message.text().replace("\xa0", " ")


def test_an_order_of_several_units_shows_that_only_this_ones_money_goes_back(desk: Desk) -> None:
    desk.counter.bookings.unit_count = 3
    desk.counter.bookings.paid_by = (TenderKind.CASH, TenderKind.EDC)
    card = ask_cancel(desk)
    assert "Pesanan ini 3 unit: uang ini milik unit ini saja, yang lain tetap." in card.why.text()
    assert "seperti dibayar: tunai, kartu (EDC)." in card.why.text()


def test_a_refusal_keeps_the_reason_and_names_the_cashier(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.type("sakit")
    desk.counter.bookings.refuses = Refusal(RefusalCode.INVOICE_LOCKED, holder_name="Budi", counter="Kasir 2")
    desk.press(Qt.Key.Key_Return, times=2)
    assert card.message.text() == (
        "Tagihannya sedang diproses Budi (Kasir 2). Tidak ada yang berubah. Coba lagi setelah selesai."
    )
    assert (card.reason.text(), card.act.isEnabled()) == ("sakit", True)
    desk.press(Qt.Key.Key_Return, times=2)
    assert len(desk.counter.bookings.ends) == 1


def test_an_outage_keeps_the_reason_and_what_was_shown(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.type("sakit")
    desk.counter.branch.away = True
    desk.press(Qt.Key.Key_Return, times=2)
    assert card.message.text().startswith("Server tidak terjangkau.")
    desk.counter.branch.away = False
    desk.press(Qt.Key.Key_Return, times=2)
    assert [reason for _, _, reason, _ in desk.counter.bookings.ends] == ["sakit"]


def test_money_that_could_not_be_read_is_read_again_by_one_press(desk: Desk) -> None:
    desk.stand_on(*PAID)
    desk.counter.branch.away = True
    desk.press(Qt.Key.Key_Delete)
    card = desk.screen.hands.ends.paid
    assert (card.act.text(), card.total.text()) == ("Hitung lagi", "–")
    desk.counter.branch.away = False
    card.act.click()
    assert (card.act.text(), card.message.text()) == ("Batalkan booking", "")
    assert money_of(card)[0] == "Rp 1.550.000"


@pytest.mark.parametrize("loses", ["written", "not written"])
def test_a_lost_answer_is_found_out_by_asking_the_booking(desk: Desk, loses: str) -> None:
    card = ask_cancel(desk)
    desk.type("sakit")
    desk.counter.bookings.loses = loses
    desk.press(Qt.Key.Key_Return, times=2)
    assert card.message.text() == (
        "Belum pasti apakah sudah tersimpan. BK-10119 ditanyakan lagi setiap 3 detik; jangan diulang."
    )
    assert card.act.reason() == "Menunggu jawaban server."
    ask = desk.screen.hands.work.ends.ending.ask_again
    ask()
    if loses == "written":
        assert not card.isVisible()
        assert desk.shell.toasts[-1].startswith("BK-10119 dibatalkan")
    else:
        assert card.act.reason() == "Menunggu jawaban server.", "it may still be written"
        desk.pass_seconds(3)
        ask()
        assert card.message.text() == "Sudah diperiksa: belum ada yang berubah. Alasannya tetap ada, tekan lagi."
        desk.press(Qt.Key.Key_Return, times=2)
    assert len(desk.counter.bookings.ends) == 1


def test_an_end_that_somebody_else_wrote_while_the_answer_was_missing_is_not_told_as_this_ones(desk: Desk) -> None:
    bookings, booking = desk.counter.bookings, bar_at(desk, PAID)
    card = ask_cancel(desk)
    desk.type("sakit")
    bookings.loses = "not written"
    desk.press(Qt.Key.Key_Return, times=2)
    bookings.cancel_paid(booking.booking_id or "", "orangnya menelepon", bookings.effect.back)
    desk.screen.hands.work.ends.ending.ask_again()
    assert not card.isVisible()
    assert desk.shell.toasts[-1] == "BK-10119 sudah diakhiri oleh orang lain. Uang kembalinya ada di Tagihan."
    assert len(bookings.ends) == 1


def test_a_booking_that_another_counter_ended_takes_its_question_along(desk: Desk) -> None:
    card = ask_cancel(desk)
    booking = bar_at(desk, PAID)
    desk.counter.branch.rows.remove(booking)
    desk.model.reread()
    assert not card.isVisible()
    assert desk.shell.toasts[-1] == "BK-10119 baru saja berubah di tempat lain, jadi tidak ada yang dilakukan."


def test_a_booking_that_another_counter_moved_is_asked_about_as_it_is_now(desk: Desk) -> None:
    card = ask_cancel(desk)
    rows = desk.counter.branch.rows
    booking = next(row for row in rows if row.number == "BK-10119")
    rows[rows.index(booking)] = replace(booking, unit_id=desk.unit("B 1207 XYZ"), version=2)
    desk.model.reread()
    assert "B 1207 XYZ" in card.about.text()
    desk.type("sakit")
    desk.press(Qt.Key.Key_Return, times=2)
    assert len(desk.counter.bookings.ends) == 1


def test_the_card_of_a_paid_booking_cancels_it_too(desk: Desk) -> None:
    desk.stand_on(*PAID)
    desk.press(Qt.Key.Key_Space)
    desk.screen.pointing.preview.cancel_button.click()
    assert desk.screen.hands.ends.paid.title.text() == "Batalkan BK-10119?"
    assert not desk.screen.pointing.preview.isVisible()


def test_a_cashier_reads_that_cancelling_what_is_paid_is_an_agents(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(Role.CASHIER)))
    qtbot.addWidget(desk.screen)
    desk.stand_on(*PAID)
    desk.press(Qt.Key.Key_Delete)
    assert not desk.screen.hands.ends.paid.isVisible()
    assert desk.shell.toasts[-1] == "Batalkan booking: Perlu peran Agen."
    desk.screen.shut()


def test_money_and_print_keys_rest_while_a_question_is_open(desk: Desk) -> None:
    card = ask_cancel(desk)
    desk.press(Qt.Key.Key_F9)
    desk.press(Qt.Key.Key_F4)
    assert card.isVisible()
    assert (desk.counter.bookings.requests, desk.counter.bookings.ends) == ([], [])


# --- no-show ----------------------------------------------------------------------------------------------------------


def test_a_no_show_is_offered_from_two_hours_after_pick_up_on(desk: Desk) -> None:
    rows = desk.counter.branch.rows
    mine = next(row for row in rows if row.number == "BK-10119")
    now = desk.counter.branch.clock.now()
    rows[rows.index(mine)] = replace(mine, pickup_at=now)
    desk.model.load()
    desk.stand_on(*PAID)
    desk.press(Qt.Key.Key_Delete, SHIFT)
    assert desk.shell.toasts[-1] == "Tidak datang: Mulai 30 Nov 16.05, 2 jam setelah waktu ambil."
    assert "Shift+Del" in idle_keys(desk.screen)

    desk.counter.branch.clock.pass_seconds(2 * 3600)
    assert "Shift+Del" not in idle_keys(desk.screen)
    desk.press(Qt.Key.Key_Delete, SHIFT)
    card = desk.screen.hands.ends.paid
    assert (card.title.text(), card.act.text()) == ("BK-10119 tidak datang?", "Catat tidak datang")
    assert card.rows()[3][0] == "Biaya tidak datang (hari pertama)"
    assert money_of(card)[3] == "Rp 350.000"
    assert "Waktu ambil Sen 30 Nov 14.05 sudah lewat: sewa hari pertama tidak kembali." in card.why.text()
    desk.type("tidak datang")
    desk.press(Qt.Key.Key_Return, times=2)
    assert [(what, back) for what, _, _, back in desk.counter.bookings.ends] == [("no_show", 1_200_000)]
    assert desk.shell.toasts[-1].startswith("BK-10119 dicatat tidak datang, B 1211 XYZ kosong lagi.")


# --- holding longer ---------------------------------------------------------------------------------------------------


def test_a_clerk_holds_longer_with_a_managers_word_given_in_place(desk: Desk) -> None:
    booking = bar_at(desk, UNPAID).booking_id
    card = ask_longer(desk)
    assert card.title.text() == "Tahan BK-10141 lebih lama?"
    assert card.about.text() == "Hadi · batas sekarang Sen 30 Nov 14.15, sisa 10:00"
    desk.type("3")
    assert card.hours.echo() == "sampai Sen 30 Nov 17.05, paling lama 24 jam sejak dibuat"
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    desk.press(Qt.Key.Key_Return, times=2)

    assert (card.title.text(), desk.counter.bookings.holds) == ("Persetujuan manajer", [])
    desk.type("maya")
    desk.press(Qt.Key.Key_Return)
    desk.type("salah")
    desk.press(Qt.Key.Key_Return)
    assert card.message.text() == "Login atau kata sandi manajer tidak cocok, 4 kali lagi."
    assert (card.password.text(), card.password.edit.hasFocus()) == ("", True)
    desk.type(PASSWORD)
    desk.press(Qt.Key.Key_Return)

    assert desk.counter.bookings.holds == [(booking, 3, "transfer")]
    assert desk.counter.approvals.asked == [("hold_longer", f"{booking}:3", "transfer")]
    assert desk.shell.toasts[-1] == "BK-10141 ditahan sampai Sen 30 Nov 17.05, disetujui Maya."
    assert not card.isVisible()
    assert bar_at(desk, UNPAID).payment_deadline == desk.counter.branch.clock.now().replace(hour=10)
    assert card.password.text() == ""


def test_a_manager_holds_longer_by_keys_alone(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(*Role)))
    qtbot.addWidget(desk.screen)
    ask_longer(desk)
    desk.keys = 1
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    desk.press(Qt.Key.Key_Return, times=2)
    assert [hours for _, hours, _ in desk.counter.bookings.holds] == [2]
    assert desk.keys == len("transfer") + 4
    assert desk.shell.toasts[-1] == "BK-10141 ditahan sampai Sen 30 Nov 16.05."
    desk.screen.shut()


@pytest.mark.parametrize("typed", ["0", "25", "dua"])
def test_hours_that_are_none_are_named_and_nothing_is_sent(desk: Desk, typed: str) -> None:
    card = ask_longer(desk)
    desk.type(typed)
    desk.press(Qt.Key.Key_Return)
    assert card.hours.problem() == "Lama menunggu 1-24 jam, contoh 3."
    desk.type("transfer")
    desk.press(Qt.Key.Key_Return)
    assert (card.act.reason(), card.hours.edit.hasFocus()) == ("Isi lama menunggu 1-24 jam.", True)
    assert desk.counter.bookings.holds == []


def test_a_refused_hour_goes_back_to_its_field_and_the_managers_word_is_not_asked_again(desk: Desk) -> None:
    card = ask_longer(desk)
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    desk.press(Qt.Key.Key_Return, times=2)
    desk.counter.bookings.refuses = Refusal(
        RefusalCode.FIELD_INVALID, field="until_hours", reason="out_of_range", least=3, most=24
    )
    desk.type("maya")
    desk.press(Qt.Key.Key_Return)
    desk.type(PASSWORD)
    desk.press(Qt.Key.Key_Return)
    assert card.message.text().startswith("Lama menunggu (jam) harus antara 3 dan 24.")
    assert card.hours.edit.hasFocus()
    card.hours.edit.selectAll()
    desk.type("5")
    desk.press(Qt.Key.Key_Return, times=3)
    assert [hours for _, hours, _ in desk.counter.bookings.holds] == [5]
    assert len(desk.counter.approvals.asked) == 1


def test_a_lost_answer_of_a_longer_hold_is_found_out_by_its_deadline(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(*Role)))
    qtbot.addWidget(desk.screen)
    card = ask_longer(desk)
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    desk.counter.bookings.loses = "written"
    desk.press(Qt.Key.Key_Return, times=2)
    assert card.message.text().startswith("Belum pasti apakah sudah tersimpan.")
    desk.screen.hands.work.ends.longer.ask_again()
    assert not card.isVisible()
    assert desk.shell.toasts[-1] == "BK-10141 ditahan sampai Sen 30 Nov 16.05."
    assert len(desk.counter.bookings.holds) == 1
    desk.screen.shut()


def test_what_the_drawer_holds_is_held_longer_from_there_and_its_countdown_follows(
    qtbot: QtBot, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, FakeCounter(who=staff(*Role)))
    qtbot.addWidget(desk.screen)
    unit = desk.model.find_unit("B 1207 XYZ")
    assert unit is not None
    button = desk.screen.hands.ends.longer_button
    assert not button.isVisibleTo(desk.screen)
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(unit, TODAY + dt.timedelta(days=12), TODAY + dt.timedelta(days=13))
    desk.screen.drawer.open_panel()
    desk.walk_in.book()
    assert desk.walk_in.hold is not None
    assert button.isVisibleTo(desk.screen)
    assert desk.screen.panel.primary.hasFocus()

    desk.shortcut("Ctrl+H")
    card = desk.screen.hands.ends.longer
    assert card.title.text() == f"Tahan {desk.walk_in.hold.number} lebih lama?"
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    desk.press(Qt.Key.Key_Return, times=2)

    assert len(desk.counter.bookings.holds) == 1
    assert desk.walk_in.seconds_left() == 2 * 3600
    assert desk.screen.panel.primary.hasFocus(), "back in the drawer"
    desk.screen.shut()


def test_ctrl_h_needs_a_booking_that_waits(desk: Desk) -> None:
    desk.stand_on(*PAID)
    desk.press(Qt.Key.Key_H, CONTROL)
    assert not desk.screen.hands.ends.longer.isVisible()
    assert desk.shell.toasts[-1] == "Pilih booking yang menunggu bayar dulu (panah atau G)."
    assert "Ctrl+H" in idle_keys(desk.screen)


def test_one_question_at_a_time(desk: Desk) -> None:
    paid = ask_cancel(desk)
    longer = ask_longer(desk)
    assert (paid.isVisible(), longer.isVisible()) == (False, True)
    desk.press(Qt.Key.Key_Escape)
    assert not longer.isVisible()
    assert bar_at(desk, UNPAID).state is BookingState.PENDING_PAYMENT


# --- look -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", list(Language))
def test_both_questions_fit_a_small_screen_in_both_languages(qtbot: QtBot, tmp_path: Path, language: Language) -> None:
    use_language(language)
    desk = Desk(tmp_path, size=(863, 391))
    qtbot.addWidget(desk.screen)
    desk.counter.bookings.unit_count = 3
    desk.counter.bookings.paid_by = (TenderKind.CASH, TenderKind.EDC)
    ends = desk.screen.hands.ends
    desk.stand_on("B 1200 XYZ", 4)
    desk.press(Qt.Key.Key_Delete)
    desk.counter.bookings.effect = NOTHING_BACK
    desk.screen.hands.work.ends.ending.refresh()
    QApplication.processEvents()
    assert desk.screen.rect().contains(ends.paid.geometry())
    assert cut_texts(ends.paid) == []
    desk.press(Qt.Key.Key_Escape)
    ask_longer(desk)
    desk.press(Qt.Key.Key_Return)
    desk.type("transfer")
    QApplication.processEvents()
    assert cut_texts(ends.longer) == []
    desk.press(Qt.Key.Key_Return, times=2)
    QApplication.processEvents()
    assert desk.screen.rect().contains(ends.longer.geometry())
    assert cut_texts(ends.longer) == []
    desk.screen.shut()
