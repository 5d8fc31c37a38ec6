"""The invoice list: who owes what until when, who holds which lock, and what a refused cashier can do."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.invoices_table import AMOUNT, DUE, LEFT, LOCK, NUMBER, STATE, UNIT, shown_state
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel, Segment, SortBy
from app.desktop.screens.settlement_phase import Phase
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button
from app.desktop.widgets.label import ElidedLabel, Label
from app.desktop.widgets.table import CellRole
from app.domain.booking import Source
from app.domain.errors import RefusalCode
from app.domain.invoice import InvoiceState
from app.domain.money import Rupiah
from tests.desktop.calendar_samples import NOW
from tests.desktop.settlement_fakes import BUDI, Counterfoil, invoice_detail, invoice_row

HADI = BUDI.replace("10240", "10243")


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Counterfoil]:
    made = Counterfoil(tmp_path)
    qtbot.addWidget(made.screen)
    made.screen.resize(1310, 632)
    made.screen.show()
    made.screen.activate()
    yield made
    made.screen.page.end()


def model_of(desk: Counterfoil) -> InvoicesViewModel:
    return desk.screen.invoices


def cell(desk: Counterfoil, invoice_id: str, column: int, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
    table = desk.screen.list_page.table_model
    return table.index(table.row_of(invoice_id), column).data(role)


def press(desk: Counterfoil, key: Qt.Key, text: str = "") -> None:
    target = desk.screen.focusWidget() or desk.screen
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(target, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))


def refuse(desk: Counterfoil, seconds: float = 48) -> None:
    """Siti settles Budi's invoice; the cashier here tries it too."""
    desk.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2", seconds=seconds)
    desk.screen.open_invoice(BUDI)


# --- what a row says -------------------------------------------------------------------------------------------------


def test_rows_are_sorted_by_what_is_due_first(desk: Counterfoil) -> None:
    shown = [row.booking_number for row in model_of(desk).shown()]
    assert shown[:4] == ["BK-10238", "BK-10243", "BK-10242", "BK-10229"]


def test_a_row_tells_due_time_time_left_amount_and_state(desk: Counterfoil) -> None:
    assert cell(desk, BUDI, DUE) == "hari ini 14.17"
    assert cell(desk, BUDI, LEFT) == "12:41"
    assert cell(desk, BUDI, AMOUNT) == "Rp\u00a01.497.500"
    assert cell(desk, BUDI, STATE, CellRole.STATE) == ShownState.PENDING_PAYMENT


def test_what_is_overdue_says_so_in_the_error_colour(desk: Counterfoil) -> None:
    joko = BUDI.replace("10240", "10238")
    assert cell(desk, joko, DUE) == "Min 29 Nov"
    assert cell(desk, joko, LEFT) == "terlambat 1 hari"
    assert cell(desk, joko, LEFT, CellRole.TONE) == "error"


def test_countdowns_run_on_the_server_s_time(desk: Counterfoil) -> None:
    desk.clocks.advance(41)
    model_of(desk).tick()
    assert cell(desk, BUDI, LEFT) == "12:00"


def test_several_units_are_one_row_with_a_count(desk: Counterfoil) -> None:
    assert cell(desk, BUDI.replace("10240", "10245"), UNIT) == "B 7105 UAA +2"


def test_a_waitlist_offer_is_a_hold_of_its_own() -> None:
    assert shown_state(invoice_row(1, source=Source.WAITLIST)) is ShownState.WAITLIST_HOLD


def test_a_lock_shows_owner_counter_and_seconds_before_anyone_tries(desk: Counterfoil) -> None:
    desk.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2", seconds=48, held=12)
    model_of(desk).reload()
    desk.clocks.advance(3)
    assert cell(desk, BUDI, LOCK) == "Siti"
    assert cell(desk, BUDI, LOCK, CellRole.SECOND) == "Kasir 2"
    assert cell(desk, BUDI, LOCK, CellRole.THIRD) == "0:45"
    assert cell(desk, BUDI, LOCK, int(Qt.ItemDataRole.AccessibleTextRole)) == "Kunci: Siti Kasir 2 0:45"


def test_a_lock_that_is_renewed_says_active_instead_of_a_false_countdown(desk: Counterfoil) -> None:
    desk.branch.lock_by(HADI, "andi", "Andi", "Kasir 3", seconds=55, held=400)
    model_of(desk).reload()
    assert cell(desk, HADI, LOCK, CellRole.THIRD) == "aktif"
    desk.clocks.advance(30)
    assert cell(desk, HADI, LOCK, CellRole.THIRD) == "0:25"


# --- filter, segments, order -----------------------------------------------------------------------------------------


def test_any_digit_goes_to_the_search_and_filters_at_once(desk: Counterfoil) -> None:
    desk.screen.list_page.table.setFocus()
    for digit in "1024":
        press(desk, Qt.Key(ord(digit)), digit)
    assert desk.screen.list_page.search.text() == "1024"
    assert {row.booking_number[:7] for row in model_of(desk).shown()} == {"BK-1024"}


def test_slash_goes_to_the_search_and_escape_clears_it(desk: Counterfoil) -> None:
    press(desk, Qt.Key.Key_Slash, "/")
    assert desk.screen.list_page.search.edit.hasFocus()
    model_of(desk).filter("hadi")
    desk.screen.list_page.search.set_text("hadi")
    assert desk.screen.escape()
    assert len(model_of(desk).shown()) == 13


@pytest.mark.parametrize("typed", ["hadi", "B1633", "b 1633 klm", "10243", "HADI klm"])
def test_number_name_and_plate_are_found(desk: Counterfoil, typed: str) -> None:
    model_of(desk).filter(typed)
    assert [row.id for row in model_of(desk).shown()] == [HADI]


def test_nothing_found_says_what_was_typed(desk: Counterfoil) -> None:
    model_of(desk).filter("zebra")
    assert desk.screen.list_page._empty.text() == "Tidak ditemukan 'zebra'. Esc menghapus pencarian."


def test_segments_count_what_they_hold(desk: Counterfoil) -> None:
    counts = {segment: model_of(desk).count(segment) for segment in Segment}
    assert counts == {Segment.UNPAID: 13, Segment.DUE_TODAY: 7, Segment.FINES: 1, Segment.PAID_TODAY: 0}


def test_denda_is_a_choice_only_while_there_are_any(desk: Counterfoil) -> None:
    assert Segment.FINES.value in desk.screen.list_page.segments._cells
    del desk.branch.rows[BUDI.replace("10240", "10238")]
    model_of(desk).reload()
    assert Segment.FINES.value not in desk.screen.list_page.segments._cells


def test_the_footer_adds_up_what_is_shown(desk: Counterfoil) -> None:
    model_of(desk).filter("B 2415")
    assert desk.screen.list_page.footer._sum.text() == "Rp\u00a01.580.000"
    assert model_of(desk).owed() == Rupiah(380_000 + 1_200_000)


def test_a_column_head_sorts_and_sorts_back(desk: Counterfoil) -> None:
    model_of(desk).sort(SortBy.AMOUNT)
    assert cell_numbers(desk)[0] == "BK-10238"
    model_of(desk).sort(SortBy.AMOUNT)
    assert cell_numbers(desk)[0] == "BK-10254"


def cell_numbers(desk: Counterfoil) -> list[object]:
    table = desk.screen.list_page.table_model
    return [table.index(row, NUMBER).data() for row in range(table.rowCount())]


# --- live ------------------------------------------------------------------------------------------------------------


def test_many_hints_are_one_reading(desk: Counterfoil, qtbot: QtBot) -> None:
    desk.branch.rows[invoice_row(10300).id] = invoice_row(10300)
    with qtbot.waitSignal(model_of(desk).changed):
        for _ in range(20):
            desk.screen.hint(BUDI)
    assert len(model_of(desk).rows) == 14


def test_the_selected_invoice_stays_selected_when_the_list_changes_above_it(desk: Counterfoil) -> None:
    model_of(desk).select(BUDI)
    early = invoice_row(10301, due_at=NOW + dt.timedelta(minutes=1))
    desk.branch.rows[early.id] = early
    model_of(desk).reload()
    table = desk.screen.list_page.table
    assert model_of(desk).selected_id == BUDI
    assert table.currentIndex().row() == desk.screen.list_page.table_model.row_of(BUDI)


def test_without_connection_nothing_can_be_opened_and_the_reason_is_told(desk: Counterfoil) -> None:
    desk.screen.connection_changed(False)
    assert desk.screen.list_page.pay_button.reason() == "Belum bisa membuka tagihan: koneksi terputus."
    desk.screen.connection_changed(True)
    assert desk.screen.list_page.pay_button.isEnabled()


def test_a_list_that_cannot_be_read_keeps_the_old_rows_and_says_why(desk: Counterfoil) -> None:
    desk.branch.unreachable = True
    model_of(desk).reload()
    assert len(model_of(desk).rows) == 13
    assert desk.shell.toasts[-1].startswith("Server tidak terjangkau.")


# --- refused ---------------------------------------------------------------------------------------------------------


def test_a_refused_cashier_is_back_on_the_list_with_who_where_since_and_how_long(desk: Counterfoil) -> None:
    refuse(desk)
    page = desk.screen.list_page
    assert not desk.screen.is_settling()
    assert page.card.isVisible()
    assert page.footer.opens.isHidden()
    assert page.card.words() == (
        "Tagihan BK-10240 sedang diproses Siti (Kasir 2) sejak 14.04. Paling lama 0:48 lagi. "
        "Tidak ada yang berubah. Kami memberi tahu saat kuncinya lepas, kunci tidak diambil otomatis."
    )
    assert page.card.tell_button.hasFocus()
    assert page.table_model.card_row() == page.table_model.row_of(BUDI) + 1


def test_the_card_counts_down(desk: Counterfoil) -> None:
    refuse(desk)
    desk.clocks.advance(8)
    model_of(desk).tick()
    assert "Paling lama 0:40 lagi." in desk.screen.list_page.card.words()


def test_the_card_says_that_a_renewed_lock_is_no_countdown(desk: Counterfoil) -> None:
    desk.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2", seconds=55, held=300)
    desk.screen.open_invoice(BUDI)
    assert "Kuncinya terus diperpanjang." in desk.screen.list_page.card.words()


def test_the_card_does_not_move_the_selection_and_arrow_keys_step_over_it(desk: Counterfoil) -> None:
    refuse(desk)
    assert model_of(desk).selected_id == BUDI
    following = desk.id_after(BUDI)
    desk.screen.list_page.table.setFocus()
    press(desk, Qt.Key.Key_Down)
    assert model_of(desk).selected_id == following


def test_tell_me_tells_when_the_lock_is_gone_and_takes_nothing(desk: Counterfoil) -> None:
    refuse(desk)
    press(desk, Qt.Key.Key_B, "b")
    assert not desk.screen.list_page.card.isVisible()
    assert desk.screen.list_page.footer.opens.isVisible()
    del desk.branch.locks[BUDI]
    model_of(desk).reload()
    assert desk.shell.toasts[-1] == "BK-10240 Budi Santoso sudah tidak dikunci. F9 membukanya."
    assert desk.branch.locks == {}
    model_of(desk).reload()
    assert desk.shell.toasts.count(desk.shell.toasts[-1]) == 1


def test_view_only_opens_without_the_lock_and_escape_comes_back(desk: Counterfoil) -> None:
    refuse(desk)
    press(desk, Qt.Key.Key_V, "v")
    assert desk.screen.settlement.phase is Phase.VIEWING
    assert not desk.screen.page.pay_card.pay_button.isEnabled()
    assert desk.branch.locks[BUDI].by == "siti"
    desk.screen.escape()
    assert not desk.screen.is_settling()


def test_escape_closes_the_card(desk: Counterfoil) -> None:
    refuse(desk)
    assert desk.screen.escape()
    assert not desk.screen.list_page.card.isVisible()
    assert not desk.screen.escape()


def test_my_own_lock_elsewhere_offers_to_move_it_here(desk: Counterfoil) -> None:
    desk.branch.lock_by(BUDI, "dewi", "Dewi", "Kasir 3")
    desk.screen.open_invoice(BUDI)
    card = desk.screen.list_page.card
    assert card.words().startswith("Anda membukanya di Kasir 3.")
    assert card.move_button.hasFocus()
    press(desk, Qt.Key.Key_P, "p")
    assert desk.screen.settlement.phase is Phase.OPEN
    assert desk.branch.locks[BUDI].counter == "Kasir 1"


def test_when_the_holder_is_done_the_card_goes_away_by_itself(desk: Counterfoil) -> None:
    refuse(desk)
    del desk.branch.locks[BUDI]
    desk.clocks.advance(5)
    model_of(desk).reload()
    assert not desk.screen.list_page.card.isVisible()


def test_an_expired_booking_is_refused_with_a_sentence_and_no_card(desk: Counterfoil) -> None:
    from app.domain.errors import Refusal

    def refused(invoice_id: str) -> None:
        raise Refusal(RefusalCode.BOOKING_EXPIRED, invoice_id=invoice_id)

    desk.branch.open_invoice = refused  # type: ignore[method-assign,assignment]
    desk.screen.open_invoice(BUDI)
    assert desk.shell.toasts[-1].startswith("Batas bayar sudah lewat")
    assert not desk.screen.list_page.card.isVisible()


def test_a_paid_invoice_opens_for_looking_and_can_be_printed_again(desk: Counterfoil, tmp_path: Path) -> None:
    desk.screen.open_invoice(BUDI)
    desk.screen.page.pay_card.take_exact()
    desk.screen.page.pay()
    desk.clocks.advance(2)
    desk.screen.escape()
    model_of(desk).choose_segment(Segment.PAID_TODAY)
    desk.screen.refresh()
    assert model_of(desk).selected_id == BUDI
    assert desk.branch.rows[BUDI].state is InvoiceState.PAID
    desk.screen._print_key.trigger()
    assert (tmp_path / "INV-BDG-202611-00017-SALINAN-1.pdf").exists()


def test_paid_today_are_those_settled_on_the_branch_s_day(desk: Counterfoil) -> None:
    branch = desk.branch
    just_before, just_after = NOW - dt.timedelta(hours=14, minutes=6), NOW - dt.timedelta(hours=14, minutes=5)
    numbers = {"10241": NOW, "10243": just_before, "10244": just_after}  # midnight of the branch, not of UTC
    for count, (of_invoice, settled_at) in enumerate(sorted(numbers.items(), key=lambda pair: pair[1]), start=1):
        paid = BUDI.replace("10240", of_invoice)
        number = f"INV/BDG/202611/{count:05d}"
        branch.rows[paid] = replace(
            branch.rows[paid], state=InvoiceState.PAID, number=number, paid=Rupiah(1), settled_at=settled_at
        )
    desk.screen.refresh()
    assert model_of(desk).count(Segment.PAID_TODAY) == 2


def test_a_paid_invoice_shows_its_whole_number_what_was_paid_and_when(desk: Counterfoil) -> None:
    row = desk.branch.rows[BUDI]
    number = "INV/JKT/202611/00017"
    desk.branch.rows[BUDI] = replace(
        row, state=InvoiceState.PAID, number=number, paid=row.total, settled_at=NOW, due_at=NOW - dt.timedelta(hours=1)
    )
    page = desk.screen.list_page
    model_of(desk).refresh()
    model_of(desk).choose_segment(Segment.PAID_TODAY)
    table = page.table
    heads = [str(page.table_model.headerData(column, Qt.Orientation.Horizontal)) for column in (LEFT, AMOUNT)]
    assert heads == ["Dibayar pukul", "Dibayar"]
    assert (cell(desk, BUDI, LEFT), cell(desk, BUDI, AMOUNT)) == ("14.05 WIB", "Rp\u00a01.497.500")
    assert cell(desk, BUDI, LEFT, CellRole.TONE) is None
    assert table.isColumnHidden(DUE)
    desk.screen.setMinimumSize(400, 300)  # as in the window, whose own smallest size is what counts
    for width in (1310, 854):
        desk.screen.resize(width, 500)
        QApplication.processEvents()
        room = table.columnWidth(NUMBER) - 16 - 8
        assert QFontMetrics(theme().font(TextRole.BASE, 600)).horizontalAdvance(number) <= room
        shown = [column for column in range(LOCK + 1) if not table.isColumnHidden(column)]
        assert all(table.columnWidth(column) >= 60 for column in shown)
        assert sum(table.columnWidth(column) for column in shown) <= table.viewport().width() + 2
    model_of(desk).choose_segment(Segment.UNPAID)
    assert not table.isColumnHidden(LOCK)


def test_amounts_are_never_cut_at_150_percent_on_a_small_screen(desk: Counterfoil) -> None:
    desk.screen.setMinimumSize(400, 300)
    desk.screen.resize(854, 405)
    QApplication.processEvents()
    table = desk.screen.list_page.table
    room = table.columnWidth(AMOUNT) - 16 - 8 - 8
    assert QFontMetrics(theme().font(TextRole.BASE, 600)).horizontalAdvance("Rp\u00a098.765.000") <= room
    assert not table.isColumnHidden(LOCK)


def test_end_and_home_go_to_the_last_and_the_first_row(desk: Counterfoil) -> None:
    ids = [row.id for row in model_of(desk).shown()]
    press(desk, Qt.Key.Key_End)
    assert model_of(desk).selected_id == ids[-1]
    press(desk, Qt.Key.Key_Home)
    assert model_of(desk).selected_id == ids[0]


def test_tell_me_is_promised_and_marked_with_a_bell(desk: Counterfoil) -> None:
    refuse(desk)
    press(desk, Qt.Key.Key_B, "b")
    assert desk.shell.toasts[-1] == "Kami beri tahu saat kuncinya lepas."
    assert cell(desk, BUDI, LOCK, CellRole.ICON) == "bell"
    spoken = str(cell(desk, BUDI, LOCK, int(Qt.ItemDataRole.AccessibleTextRole)))
    assert spoken.endswith("diberi tahu saat lepas")


def test_another_screen_opens_an_invoice_directly(desk: Counterfoil) -> None:
    desk.screen.activate(HADI)
    assert desk.screen.settlement.invoice_id == HADI
    desk.screen.activate(BUDI)
    assert desk.screen.settlement.invoice_id == BUDI
    assert set(desk.branch.locks) == {BUDI}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("width", [1310, 1037, 1864])
def test_words_fit_in_both_languages(desk: Counterfoil, language: Language, width: int) -> None:
    use_language(language)
    QApplication.processEvents()
    desk.screen.resize(width, 632)
    refuse(desk)
    QApplication.processEvents()
    clipped = [
        widget.text()
        for widget in desk.screen.list_page.findChildren(Label) + desk.screen.list_page.findChildren(Button)
        if widget.isVisible() and not isinstance(widget, ElidedLabel) and widget.sizeHint().width() > widget.width()
    ]
    assert clipped == []


def test_every_control_has_a_name(desk: Counterfoil) -> None:
    desk.branch.details[BUDI] = invoice_detail(desk.branch.rows[BUDI])
    refuse(desk)
    nameless = [
        type(widget).__name__
        for widget in desk.screen.findChildren(Button)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not widget.accessibleName()
    ]
    assert nameless == []
