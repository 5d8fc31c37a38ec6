"""A shift at its desk: counted blind by keys, kept on this PC, explained, agreed to, closed, printed, opened again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.printers import Sent
from app.desktop.screen import ScreenKey
from app.desktop.screens.shift_desk_view import COMPANY_BILLS, X_REPORT
from app.domain.money import Rupiah
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows_till import ClosingList, OpenEnd
from tests.desktop.money_samples import a_shift
from tests.desktop.shift_fakes import MAYA, SHOULD, FakeShifts, ShiftPlace, line_of
from tests.desktop.test_text_fits import cut_texts

CTRL = Qt.KeyboardModifier.ControlModifier
EVEN = {100_000: 12, 50_000: 7, 20_000: 9, 10_000: 8, 5_000: 6, 2_000: 12, 1_000: 19, 500: 5, 200: 3, 100: 9}
"""Rp 1.887.000 exactly."""

Opened = Callable[..., ShiftPlace]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Opened:
    def opened(**options: object) -> ShiftPlace:
        place = ShiftPlace(tmp_path, **options)  # type: ignore[arg-type]
        qtbot.addWidget(place.screen)
        place.screen.resize(1310, 640)
        with qtbot.waitExposed(place.screen):
            place.screen.show()
        place.screen.activateWindow()
        place.screen.activate()
        return place

    return opened


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def keys(text: str) -> int:
    """Type where the focus is; `⏎` is Enter. How many keys that were."""
    for sign in text:
        if sign == "⏎":
            QTest.keyClick(focus(), Qt.Key.Key_Return)
        else:
            QTest.keyClicks(focus(), sign)
    return len(text)


def ctrl_enter() -> int:
    QTest.keyClick(focus(), Qt.Key.Key_Return, CTRL)
    return 1


def count(place: ShiftPlace, pieces: dict[int, int]) -> None:
    for piece, many in pieces.items():
        place.model.set_pieces(piece, many)


def test_a_shift_without_a_difference_is_counted_and_closed_with_at_most_35_keys(desk: Opened) -> None:
    place = desk()
    pressed = keys("12⏎7⏎9⏎8⏎6⏎12⏎19⏎5⏎3⏎9⏎")
    assert focus() is place.screen.page.slips.slips.edit
    pressed += keys("4⏎2950000")
    pressed += ctrl_enter()
    assert place.screen.page.result.sentence().startswith("Tidak ada selisih")
    pressed += ctrl_enter()
    assert place.shifts.closed_with == [(None, None, ())]
    assert pressed + 1 <= 35, "with the key that shows the screen"
    assert place.shell.toasts == ["Shift #214 ditutup"]


def test_the_count_is_blind_until_it_is_locked_in(desk: Opened) -> None:
    place = desk()
    place.shifts.should = Rupiah(1_900_000)
    count(place, EVEN)
    assert place.screen.page.total.total.text() == "Rp\u00a01.887.000"
    shown = [label.text() for label in place.screen.findChildren(QLabel) if label.isVisible()]
    assert len(shown) > 20
    assert not any("1.900.000" in text or "13.000" in text for text in shown)
    assert not place.screen.page.result.isVisible()
    ctrl_enter()
    assert place.screen.page.result.isVisible()
    assert place.screen.page.result.sentence() == "Selisih kurang Rp\u00a013.000. Isi alasan."
    assert place.screen.page.count.fields[100_000].edit.isReadOnly()


def test_a_small_difference_needs_a_reason_and_no_manager(desk: Opened) -> None:
    place = desk()
    count(place, {**EVEN, 1_000: 18})
    ctrl_enter()
    ctrl_enter()
    assert place.shifts.closed_with == []
    assert focus() is place.screen.page.result.reason.edit
    assert not place.screen.page.result.word.isVisible()
    keys("salah kembalian⏎")
    assert place.shifts.closed_with == [("salah kembalian", None, ())]


def test_beyond_the_limit_a_manager_agrees_in_place_and_a_wrong_password_keeps_what_was_typed(desk: Opened) -> None:
    place = desk()
    count(place, {**EVEN, 100_000: 11})
    ctrl_enter()
    keys("uang palsu⏎maya⏎salah⏎")
    word = place.screen.page.result.word
    assert "sandi" in place.screen.page.message().lower()
    assert (word.login.text(), word.password.text(), place.screen.page.result.reason.text()) == (
        "maya",
        "",
        "uang palsu",
    )
    assert focus() is word.password.edit
    keys("maya-demo⏎")
    assert place.manager.asked == [("maya", "close_shift", a_shift().id, "uang palsu", Rupiah(100_000))]
    assert place.shifts.closed_with == [("uang palsu", "word-1", ())]


def test_a_manager_closes_beyond_the_limit_without_another_ones_word(desk: Opened) -> None:
    place = desk(who=MAYA)
    count(place, {**EVEN, 100_000: 11})
    ctrl_enter()
    keys("uang palsu⏎")
    assert place.shifts.closed_with == [("uang palsu", None, ())]


def test_one_recount_is_offered_and_the_second_time_the_button_says_why_not(desk: Opened) -> None:
    place = desk()
    count(place, {**EVEN, 1_000: 18})
    ctrl_enter()
    page = place.screen.page
    page.recount_button.click()
    assert not page.count.fields[1_000].edit.isReadOnly()
    count(place, EVEN)
    ctrl_enter()
    assert not page.recount_button.isEnabled()
    assert page.recount_button.reason() == "Sudah dihitung ulang satu kali."
    assert [told.counted for told in place.shifts.counts.values()] == [SHOULD - 1_000, SHOULD], "both are kept"


def test_money_that_moved_since_the_count_asks_for_a_new_one(desk: Opened) -> None:
    place = desk()
    count(place, EVEN)
    ctrl_enter()
    place.shifts.should = Rupiah(SHOULD + 350_000)
    ctrl_enter()
    assert place.shifts.closed_with == []
    assert place.model.count is None
    assert place.screen.page.message()
    assert not place.screen.page.count.fields[1_000].edit.isReadOnly()


def test_offline_the_drawer_is_counted_and_closing_waits(desk: Opened, tmp_path: Path, qtbot: QtBot) -> None:
    place = desk()
    place.shell.online, place.shifts.away = False, True
    place.screen.connection_changed(False)
    keys("12⏎7⏎")
    assert place.screen.page.total.total.text() == "Rp\u00a01.550.000"
    assert not place.screen.page.primary.isEnabled()
    ctrl_enter()
    assert "Koneksi terputus" in place.screen.page.message()
    assert place.shifts.counts == {}
    kept = tmp_path / "drafts" / "shift_count-dewi-1.json"
    qtbot.waitUntil(lambda: kept.exists() and '"50000": 7' in kept.read_text(), timeout=60_000)

    after_power_cut = ShiftPlace(tmp_path)
    qtbot.addWidget(after_power_cut.screen)
    after_power_cut.screen.activate()
    assert after_power_cut.model.total == 1_550_000


def test_reading_again_keeps_the_digit_that_was_typed_just_now(desk: Opened) -> None:
    place = desk()
    keys("12⏎7")
    place.screen.refresh()
    assert place.model.typed.pieces == {100_000: 12, 50_000: 7}
    assert place.screen.page.total.total.text() == "Rp\u00a01.550.000"


def test_a_lost_answer_to_the_count_is_the_same_count_at_the_next_press(desk: Opened) -> None:
    place = desk()
    count(place, EVEN)
    place.shifts.lost = 1
    ctrl_enter()
    assert place.model.count is None
    assert place.screen.page.message()
    ctrl_enter()
    assert place.model.count is not None
    assert len(place.shifts.counts) == 1


def test_a_locked_count_is_told_again_after_a_restart(desk: Opened, tmp_path: Path, qtbot: QtBot) -> None:
    place = desk()
    count(place, {**EVEN, 1_000: 18})
    ctrl_enter()
    again = ShiftPlace(tmp_path, shifts=place.shifts)
    qtbot.addWidget(again.screen)
    again.screen.activate()
    assert again.model.count is not None
    assert again.model.count.difference == -1_000
    assert len(place.shifts.counts) == 1


def test_what_is_left_open_is_listed_with_a_way_to_it(desk: Opened, tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    (drafts / "walk_in-dewi-1.json").write_text("{}")
    (drafts / "walk_in-siti-1.json").write_text("{}")
    shifts = FakeShifts()
    end = OpenEnd(invoice_id="i-1", booking_number="BK-10240", customer_name="Budi Santoso", amount=Rupiah(1_497_500))
    shifts.ends = ClosingList(locks=(end,), qris=(), transfers=(end, end))
    place = desk(shifts=shifts)
    assert place.screen.page.ends.texts() == (
        "1 kunci tagihan terbuka",
        "Tidak ada QRIS yang menunggu",
        "2 transfer belum terverifikasi",
        "1 draf belum selesai",
    )
    for link in place.screen.page.ends.links:
        link.click()
    assert place.shell.went == [
        (ScreenKey.INVOICES, "i-1"),
        (ScreenKey.INVOICES, "i-1"),
        (ScreenKey.CALENDAR, None),
    ]
    count(place, EVEN)
    ctrl_enter()
    ctrl_enter()
    assert place.shifts.closed_with == [(None, None, ("walk_in-dewi-1",))], "nothing of it keeps the shift open"


def test_cash_goes_out_with_a_reason_and_never_without(desk: Opened) -> None:
    place = desk()
    QTest.keyClick(focus(), Qt.Key.Key_M, CTRL)
    cash = place.screen.cash
    assert focus() is cash.amount.edit
    keys("200rb")
    cash.out_button.click()
    assert cash.message.text() == "Isi alasan kas masuk atau keluar."
    cash.reason.set_text("setor ke brankas")
    cash.out_button.click()
    assert place.shell.toasts == ["Kas keluar Rp\u00a0200.000"]
    assert place.shifts.should == SHOULD - 200_000
    assert cash.amount.amount() is None
    cash.amount.set_amount(9_000_000)
    cash.reason.set_text("terlalu banyak")
    cash.out_button.click()
    assert cash.message.text()
    assert cash.amount.amount() == 9_000_000, "what was typed stays"


def test_the_z_report_is_shown_counted_and_printed_and_a_jammed_printer_is_told_beside_it(desk: Opened) -> None:
    place = desk()
    place.printer.says = Sent.REFUSED
    count(place, EVEN)
    ctrl_enter()
    ctrl_enter()
    report = place.screen.report
    assert report.isVisible()
    assert ("Selisih", "Rp\u00a00") in report.card.texts()
    assert "belum tercetak" in report.message()
    assert place.papers.counted == [(MoneyPaper.SHIFT_REPORT, a_shift().id)]
    assert len(list((place.folder / "documents").glob("SHIFT-Z-*.pdf"))) == 2, "the page and the strip"
    assert place.shell.toasts == ["Shift #214 ditutup"]
    QTest.keyClick(focus(), Qt.Key.Key_P, CTRL)
    assert len(list((place.folder / "documents").glob("*SALINAN-1.pdf"))) == 1
    assert place.screen.escape()
    assert place.screen.opening.isVisible(), "the next shift can be opened"
    assert not (place.folder / "drafts" / "shift_count-dewi-1.json").exists()


def test_an_x_report_shows_the_cards_and_hides_the_cash(desk: Opened) -> None:
    place = desk()
    place.screen.activate(X_REPORT)
    rows = dict(place.screen.report.card.texts())
    assert rows["Kartu (EDC) · 4×"] == "Rp\u00a02.950.000"
    assert rows["Tunai · 3×"] == "tampil setelah dihitung"
    assert place.papers.counted == []
    assert place.screen.escape()
    assert place.screen.page.isVisible()


def test_a_closed_shift_is_opened_again_with_a_managers_word_and_reason(desk: Opened) -> None:
    shifts = FakeShifts()
    shifts.report = None
    shifts.lines = (line_of(a_shift()),)
    place = desk(shifts=shifts)
    place.screen.past.ask_again(shifts.lines[0])
    keys("lupa satu slip⏎maya⏎maya-demo⏎")
    assert shifts.reopened == [(a_shift().id, "lupa satu slip", "word-1")]
    assert place.manager.asked == [("maya", "reopen_shift", a_shift().id, "lupa satu slip", None)]
    assert place.screen.page.isVisible()
    assert place.shell.toasts == ["Shift #214 dibuka lagi"]


def test_a_manager_opens_a_shift_again_alone_and_counts_anothers(desk: Opened) -> None:
    shifts = FakeShifts()
    open_line = replace(line_of(a_shift()), closed_at=None, difference=None, id="other", number=215)
    shifts.report, shifts.lines = None, (open_line, line_of(a_shift()))
    place = desk(who=MAYA, shifts=shifts)
    place.screen.past.ask_again(shifts.lines[1])
    keys("salah tutup⏎")
    assert shifts.reopened == [(a_shift().id, "salah tutup", None)]
    place.screen.past.count_wanted.emit("other")
    assert not place.model.is_mine()
    assert not place.screen.cash.isVisible()


def test_five_presses_close_once(desk: Opened) -> None:
    place = desk()
    count(place, EVEN)
    ctrl_enter()
    page = place.screen.page
    for _ in range(5):
        page.primary.click()
    assert len(place.shifts.closed_with) == 1


@pytest.mark.parametrize("language", list(Language), ids=str)
@pytest.mark.parametrize("width", [1310, 855])
def test_every_text_of_the_desk_fits(desk: Opened, language: Language, width: int, qtbot: QtBot) -> None:
    use_language(language)
    place = desk()
    place.screen.resize(width, 420 if width < 1000 else 640)
    count(place, {**EVEN, 100_000: 11})
    ctrl_enter()
    QApplication.processEvents()
    assert cut_texts(place.screen) == []


def test_a_companys_month_is_billed_printed_and_paid_by_one_transfer_with_its_slip_chased(desk: Opened) -> None:
    place = desk()
    place.companies.lost = 1
    place.screen.activate(COMPANY_BILLS)
    page = place.screen.bills
    assert page.texts()[:2] == ("PT Contoh Maju", "2 tagihan")
    page.press("Tagih s.d. 2026-11, PT Contoh Maju")
    assert page.message(), "the answer got lost"
    page.press("Tagih s.d. 2026-11, PT Contoh Maju")
    assert list(place.companies.issued.values()) == [("f", "202611")], "the same bill again"
    assert (MoneyPaper.COLLECTIVE, place.companies.bill.id) in place.papers.counted
    assert list((place.folder / "documents").glob("TG-BDG-202611-00001.pdf"))

    page.press("Catat transfer, TG/BDG/202611/00001")
    page.withheld.setChecked(True)
    keys("TRX-0012⏎")
    tax = 75_010
    assert [payment[1:] for payment in place.companies.payments] == [(3_750_500 - tax, "TRX-0012", tax, None)]
    assert page.message() == "TG/BDG/202611/00001 lunas."
    page.press("Catat nomor, TG/BDG/202611/00001")
    keys("BP-77⏎")
    assert place.companies.slips[0].slip_number == "BP-77"
    assert place.screen.escape()
    assert place.screen.page.isVisible()


def test_each_text_of_the_companies_page_fits(desk: Opened) -> None:
    place = desk()
    place.screen.activate(COMPANY_BILLS)
    place.screen.bills.press("Tagih s.d. 2026-11, PT Contoh Maju")
    place.screen.bills.press("Catat transfer, TG/BDG/202611/00001")
    QApplication.processEvents()
    assert cut_texts(place.screen) == []


def test_the_float_may_be_counted_by_notes_and_coins(desk: Opened) -> None:
    shifts = FakeShifts()
    shifts.report = None
    place = desk(shifts=shifts)
    page = place.screen.opening_page
    assert focus() is place.screen.opening.float_field.edit
    page.button.click()
    keys("4⏎1⏎⏎⏎⏎⏎⏎2⏎⏎⏎")
    assert place.screen.opening.float_field.amount() == 4 * 100_000 + 50_000 + 2 * 500
    assert focus() is place.screen.opening.open_button
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    assert place.model.report is not None
    assert place.model.report.opening_float == 451_000
    assert place.screen.page.isVisible()
    assert place.model.typed.pieces == {}, "the count at the end begins blind"
