"""The settlement page through its keys: typing, paying, losing the lock, and the change that stays to be read."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screen import Screen
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.widgets.button import Button
from app.desktop.widgets.label import ElidedLabel, Label
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.settlement_fakes import BUDI, Counterfoil, invoice_detail


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Counterfoil]:
    made = Counterfoil(tmp_path)
    qtbot.addWidget(made.screen)
    made.screen.resize(1310, 632)
    made.screen.show()
    made.screen.activate()
    yield made
    made.screen.page.end()


def press(desk: Counterfoil, key: Qt.Key, text: str = "", times: int = 1) -> None:
    """A key goes to whatever has the focus, as the window would send it."""
    for _ in range(times):
        QApplication.sendEvent(target(desk), key_event(key, text))
        QApplication.sendEvent(target(desk), key_event(key, text, QEvent.Type.KeyRelease))


def key_event(key: Qt.Key, text: str, kind: QEvent.Type = QEvent.Type.KeyPress) -> QKeyEvent:
    return QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text)


def target(desk: Counterfoil) -> QWidget:
    return desk.screen.focusWidget() or desk.screen


def type_digits(desk: Counterfoil, digits: str) -> None:
    for digit in digits:
        press(desk, Qt.Key(ord(digit)), digit)


def f9(desk: Counterfoil) -> None:
    desk.screen._pay_key.trigger()


def test_cash_settlement_exact_takes_three_keys_from_the_selected_invoice(desk: Counterfoil) -> None:
    desk.screen.invoices.select(BUDI)
    press(desk, Qt.Key.Key_Return, "\r")
    press(desk, Qt.Key.Key_Plus, "+")
    f9(desk)
    assert [payment.amount for payment in desk.branch.payments] == [1_497_500]


def test_digits_typed_anywhere_go_to_diterima_and_enter_pays(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    desk.screen.page.pay_card.leave_button.setFocus()
    type_digits(desk, "1500000")
    assert desk.screen.page.pay_card.field.text() == "1.500.000"
    assert desk.screen.page.pay_card.change_box.amount() == 2_500
    press(desk, Qt.Key.Key_Return, "\r")
    assert len(desk.branch.payments) == 1


def test_enter_with_too_little_says_how_much_is_missing(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1400000")
    press(desk, Qt.Key.Key_Return, "\r")
    assert desk.branch.payments == []
    assert desk.message.title == "Kurang Rp\u00a097.500."


def test_five_presses_of_f9_pay_once_and_leave_the_change_on_the_screen(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    for _ in range(5):
        f9(desk)
        press(desk, Qt.Key.Key_F9)
    assert len(desk.branch.payments) == 1
    assert desk.screen.is_settling()
    assert desk.screen.page.pay_card.change_box.amount() == 2_500


def test_the_change_stays_until_the_next_key_and_then_the_next_invoice_is_selected(desk: Counterfoil) -> None:
    following = desk.id_after(BUDI)
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    press(desk, Qt.Key.Key_Return, "\r")
    assert desk.screen.is_settling()
    desk.clocks.advance(2)
    press(desk, Qt.Key.Key_Space, " ")
    assert not desk.screen.is_settling()
    assert desk.screen.invoices.selected_id == following


def test_paying_writes_the_kwitansi_and_ctrl_p_a_copy(desk: Counterfoil, tmp_path: Path) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    assert (tmp_path / "INV-BDG-202611-00017.pdf").stat().st_size > 5_000
    desk.screen._print_key.trigger()
    assert (tmp_path / "INV-BDG-202611-00017-SALINAN-1.pdf").exists()
    assert desk.shell.toasts[-1] == "SALINAN ke-1 tersimpan: INV-BDG-202611-00017-SALINAN-1.pdf"
    assert desk.shell.toast_detail.endswith(f"tersimpan di folder dokumen: {tmp_path}")


def test_a_kwitansi_that_cannot_be_written_leaves_the_payment_paid(desk: Counterfoil, tmp_path: Path) -> None:
    desk.screen.printing.folder = tmp_path / "file"
    desk.screen.printing.folder.write_text("not a folder")
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    assert desk.screen.settlement.phase is Phase.PAID
    assert desk.shell.toasts[-1].startswith("Lunas. Kwitansi gagal ditulis")


def test_a_lost_lock_shows_the_banner_keeps_the_amount_and_enter_locks_again(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    desk.pass_time(61)
    banner = desk.shell.banners["settlement"]
    assert banner.title == "Kunci hilang. Pembayaran belum disimpan."
    assert banner.text == (
        "Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci. "
        "Perpanjangan terakhir 14.05.10, habis 14.06.10."
    )
    card = desk.screen.page.pay_card
    assert card.pay_button.text() == "Kunci hilang"
    assert not card.pay_button.isEnabled()
    assert card.field.text() == "1.500.000"
    assert card.field.edit.isEnabled()
    card.field.setFocus()
    press(desk, Qt.Key.Key_Return, "\r")
    assert desk.screen.settlement.phase is Phase.OPEN
    assert "settlement" not in desk.shell.banners
    assert card.field.text() == "1.500.000"
    assert desk.branch.payments == []


def test_a_lock_that_ended_early_names_no_end_that_is_still_to_come(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    desk.screen.settlement._lock_refused("moved")
    text = desk.shell.banners["settlement"].text
    assert text.endswith("sebelum terkunci. Perpanjangan terakhir 14.05.10.")


def test_an_unknown_outcome_says_so_and_offers_only_to_look(desk: Counterfoil) -> None:
    heard: list[tuple[str, bool]] = []
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    desk.branch.lose_answer = True
    announcer().announced.connect(lambda text, assertive: heard.append((text, assertive)))
    f9(desk)
    assert desk.shell.banners["settlement"].title == "Status pembayaran belum pasti."
    assert desk.screen.page.pay_card.pay_button.text() == "Periksa sekarang"
    assert any(assertive and "Jangan tagih ulang" in text for text, assertive in heard)
    f9(desk)
    assert desk.screen.settlement.phase is Phase.PAID
    assert len(desk.branch.payments) == 1


def test_cash_without_a_shift_opens_the_shift_panel_in_place_and_keeps_the_amount(desk: Counterfoil) -> None:
    desk.branch.shift_open = False
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    shift = desk.screen.page.shift
    assert shift is not None
    assert shift.isVisible()
    shift.model.open("Kasir 1", 500_000)  # type: ignore[attr-defined]
    assert desk.screen.page.shift is None
    assert desk.screen.page.pay_card.field.text() == "1.500.000"
    desk.clocks.advance(1)
    f9(desk)
    assert len(desk.branch.payments) == 1


def test_what_is_typed_into_the_shift_panel_stays_there(desk: Counterfoil) -> None:
    desk.branch.shift_open = False
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    shift = desk.screen.page.shift
    assert isinstance(shift, ShiftScreen)
    assert shift.float_field.edit.hasFocus()
    type_digits(desk, "5")
    shift.open_button.setFocus()
    type_digits(desk, "777")
    press(desk, Qt.Key.Key_Plus, "+")
    desk.screen.activate()
    type_digits(desk, "0")
    assert desk.screen.page.pay_card.field.text() == "1.500.000"
    assert shift.float_field.text() == "50"


def test_opening_the_shift_pays_nothing_by_itself_and_goes_back_to_the_amount(desk: Counterfoil) -> None:
    desk.branch.shift_open = False
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    type_digits(desk, "500000")
    for _ in range(3):
        press(desk, Qt.Key.Key_Return, "\r")
    f9(desk)
    assert desk.branch.payments == []
    assert desk.screen.page.shift is None
    assert desk.screen.page.pay_card.field.edit.hasFocus()
    assert desk.screen.page.pay_card.field.text() == "1.500.000"
    assert desk.message.title == "Shift dibuka."
    desk.clocks.advance(1)
    f9(desk)
    assert len(desk.branch.payments) == 1


def test_a_mistyped_amount_is_seen_at_once_and_asked_again(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "15000000")
    assert desk.message.title == "Kembalian Rp\u00a013.502.500."
    f9(desk)
    assert desk.branch.payments == []
    assert (desk.message.title, desk.message.text) == (
        "Kembalian Rp\u00a013.502.500.",
        "Tekan F9 sekali lagi untuk membayar.",
    )
    desk.clocks.advance(1.1)
    f9(desk)
    assert len(desk.branch.payments) == 1


def test_a_paid_invoice_that_is_looked_at_says_paid_and_prints(desk: Counterfoil, tmp_path: Path) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    desk.clocks.advance(2)
    press(desk, Qt.Key.Key_Space, " ")
    desk.screen.view_invoice(BUDI)
    card = desk.screen.page.pay_card
    assert "Sudah dibayar" in [label.text() for label in card.findChildren(Label)]
    assert card.field.text() == "1.500.000"
    assert card.change_box.amount() == 2_500
    assert desk.message.title == "Lunas Sen 30 Nov 14.05, diterima Dewi."
    assert (card.pay_button.text(), card.pay_button.isEnabled()) == ("Cetak ulang", True)
    card.pay_button.click()
    assert (tmp_path / "INV-BDG-202611-00017-SALINAN-1.pdf").exists()


def test_the_typed_amount_comes_back_after_the_screen_was_locked(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    desk.screen.leave()
    desk.screen.activate()
    desk.screen.open_invoice(desk.id_after(BUDI))
    assert desk.screen.settlement.received is None
    desk.screen.escape()
    desk.screen.open_invoice(BUDI)
    assert desk.screen.page.pay_card.field.text() == "1.500.000"
    type_digits(desk, "2000000")
    assert desk.screen.page.pay_card.field.text() == "2.000.000"
    desk.screen.escape()
    desk.screen.open_invoice(BUDI)
    assert desk.screen.page.pay_card.field.text() == ""


def test_a_counter_that_died_right_after_paying_prints_the_original_first(desk: Counterfoil, tmp_path: Path) -> None:
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    original = tmp_path / "INV-BDG-202611-00017.pdf"
    original.unlink()
    desk.screen._print_key.trigger()
    assert original.exists()
    assert not list(tmp_path.glob("*SALINAN*"))
    desk.screen._print_key.trigger()
    assert len(list(tmp_path.glob("*SALINAN*"))) == 1


def test_escape_closes_the_shift_panel_first_and_then_gives_the_lock_back(desk: Counterfoil) -> None:
    desk.branch.shift_open = False
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    f9(desk)
    assert desk.screen.escape()
    assert desk.screen.page.shift is None
    assert BUDI in desk.branch.locks
    assert desk.screen.escape()
    assert desk.branch.locks == {}
    assert not desk.screen.is_settling()


def test_r65_leaving_the_screen_releases_the_lock_before_the_window_goes_on(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    assert desk.screen.leave()
    assert desk.branch.locks == {}


def test_every_key_counts_as_working(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    desk.clocks.advance(100)
    press(desk, Qt.Key.Key_Shift)
    assert desk.hearts.last.idle_seconds() == 0


def test_nothing_moves_in_the_pay_card_while_messages_come_and_go(desk: Counterfoil) -> None:
    card = desk.screen.page.pay_card
    desk.screen.open_invoice(BUDI)
    QApplication.processEvents()
    places = [(w.x(), w.y()) for w in (card.field, card.change_box, card.message, card.pay_button)]
    type_digits(desk, "1400000")
    desk.pass_time(33)
    type_digits(desk, "0")
    desk.pass_time(18)
    QApplication.processEvents()
    assert places == [(w.x(), w.y()) for w in (card.field, card.change_box, card.message, card.pay_button)]


def test_the_details_say_what_each_line_is_for(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    words = [label.text() for label in desk.screen.page.cards.findChildren(Label)]
    assert "Sewa 3 hari × Rp\u00a0350.000" in words
    assert "Deposit" in words
    assert "(dikembalikan saat selesai)" in words


def test_the_chip_is_named_for_a_screen_reader(desk: Counterfoil) -> None:
    desk.screen.open_invoice(BUDI)
    desk.pass_time(8)
    assert desk.screen.page.chip.accessibleName() == "Terkunci untuk Anda 0:52"


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("state", ["open", "short", "late", "critical", "lost", "shift", "unknown", "paid", "big"])
def test_words_fit_in_both_languages(desk: Counterfoil, language: Language, state: str) -> None:
    use_language(language)
    QApplication.processEvents()
    desk.screen.open_invoice(BUDI)
    amount = {"short": "1400000", "big": "12000000"}.get(state, "1500000")
    type_digits(desk, amount)
    if state in ("late", "critical", "lost"):
        desk.pass_time({"late": 33, "critical": 52, "lost": 61}[state])
    desk.branch.shift_open = state != "shift"
    desk.branch.lose_answer = state == "unknown"
    if state in ("shift", "unknown", "paid", "big"):
        f9(desk)
    QApplication.processEvents()
    assert clipped(desk.screen.page) == []
    assert desk.screen.page.pay_card.message.fits()


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("state", ["open", "paid", "shift"])
def test_at_150_percent_on_a_small_screen_nothing_overlaps(desk: Counterfoil, language: Language, state: str) -> None:
    use_language(language)
    desk.screen.setMinimumSize(400, 300)  # as in the window, whose own smallest size is what counts
    desk.screen.resize(854, 405)
    desk.screen.open_invoice(BUDI)
    type_digits(desk, "1500000")
    desk.branch.shift_open = state != "shift"
    if state != "open":
        f9(desk)
    for _ in range(3):  # a changed word asks for another layout
        QApplication.processEvents()
    card = desk.screen.page.pay_card
    assert (desk.screen.width(), desk.screen.height()) == (854, 405)
    assert clipped(desk.screen.page) == []
    if desk.screen.page.shift is not None:
        assert_inside(desk.screen.page.shift, desk.screen)
        return
    places = [bounds(widget, card) for widget in (card.field, card.change_box, card.message, card.pay_button)]
    assert all(above.bottom() < below.top() for above, below in pairwise(places))
    assert card.rect().contains(places[-1])


def bounds(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, widget.rect().topLeft()), widget.size())


def assert_inside(panel: Screen, screen: QWidget) -> None:
    button = next(button for button in panel.findChildren(Button) if button.isVisible())
    assert screen.rect().contains(bounds(button, screen))


def clipped(page: QWidget) -> list[str]:
    """Visible texts that have less room than they need."""
    found = []
    for widget in page.findChildren(QWidget):
        if not isinstance(widget, Label | Button) or isinstance(widget, ElidedLabel) or not widget.isVisible():
            continue
        if isinstance(widget, Label) and widget.wordWrap():
            continue
        if widget.sizeHint().width() > widget.width():
            found.append(widget.text())
    return found


def test_an_agent_may_look_but_not_settle(qtbot: QtBot, tmp_path: Path) -> None:
    agent = StaffMember(login="ayu", name="Ayu", roles=frozenset({Role.AGENT}), branch=BRANCH)
    desk = Counterfoil(tmp_path, who=agent)
    qtbot.addWidget(desk.screen)
    desk.screen.show()
    desk.screen.activate()
    desk.screen.invoices.select(BUDI)
    assert not desk.screen.list_page.pay_button.isEnabled()
    assert "kasir" in desk.screen.list_page.pay_button.reason()
    assert "lihat (membayar: hanya kasir)" in [label.text() for label in desk.screen.list_page.findChildren(Label)]
    f9(desk)
    assert desk.screen.settlement.phase is Phase.VIEWING
    assert desk.branch.locks == {}
    assert desk.message.title == "Hanya dilihat: membayar hanya untuk kasir."
    assert desk.screen.page.pay_card.pay_button.text() == "Hanya kasir"
    desk.screen.page.end()


def test_a_large_invoice_shows_its_numbers_whole(desk: Counterfoil) -> None:
    row = desk.branch.rows[BUDI]
    desk.branch.set_total(BUDI, 987_654_321_000)
    desk.branch.details[BUDI] = invoice_detail(row)
    desk.screen.open_invoice(BUDI)
    desk.screen.page.pay_card.take_exact()
    assert desk.screen.settlement.received == Rupiah(987_654_321_000)
    assert clipped(desk.screen.page) == []
