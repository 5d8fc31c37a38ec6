"""Cards, transfers, QRIS by hand and payments in parts through their keys; and what a power cut leaves of them."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.screens.settlement_gateway import GatewayUse
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_tendering import Slip, Tendering
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.tender import Tender, TenderKind
from app.usecases.rows_approvals import Approval
from tests.desktop.calendar_samples import NOW
from tests.desktop.settlement_fakes import BUDI, Counterfoil, FakeSettlement

DUE = 1_497_500
ENTER = Qt.Key.Key_Return


@dataclass
class Manager:
    """Agrees with the right password."""

    asked: list[tuple[str, str, int]] = field(default_factory=list)

    def approve(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval:
        if password != "rahasia":
            raise Refusal(RefusalCode.NOT_ALLOWED, field="password", action="log_in", reason="wrong", left=4)
        self.asked.append((action, object, amount or 0))
        return Approval(id=f"word-{len(self.asked)}", approved_by_name="Maya", expires_at=NOW + dt.timedelta(minutes=5))


class Till(Counterfoil):
    """The place with a disk and a manager near by; its keys are counted."""

    def __init__(self, folder: Path, gateway: Callable[[FakeSettlement], GatewayUse] | None = None) -> None:
        self.kept = KeptTenders(folder / "drafts", "dewi")
        self.manager = Manager()
        super().__init__(folder, kept=self.kept, approve=self.manager.approve, gateway=gateway)
        self.keys = 0
        self.screen.resize(1310, 632)
        self.screen.show()
        self.screen.activate()

    def press(self, key: Qt.Key, text: str = "") -> None:
        self.keys += 1
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text)
        QApplication.sendEvent(self.screen.focusWidget() or self.screen, event)

    def type(self, text: str) -> None:
        for sign in text:
            self.press(Qt.Key(ord(sign.upper())), sign)

    def alt(self, place: int) -> None:
        self.keys += 1
        self.screen._way_keys[place - 1].trigger()

    def split(self) -> None:
        self.keys += 1
        self.screen._split_key.trigger()

    def pay(self) -> None:
        self.keys += 1
        self.screen._pay_key.trigger()

    def open(self) -> None:
        self.screen.invoices.select(BUDI)
        self.press(ENTER, "\r")

    def paid(self) -> list[tuple[TenderKind, int]]:
        return [(row.kind, row.amount) for payment in self.branch.payments for row in payment.tenders]


@pytest.fixture
def till(qtbot: QtBot, tmp_path: Path) -> Iterator[Till]:
    made = Till(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.page.end()


def test_a_card_takes_at_most_14_keys_from_the_selected_invoice(till: Till) -> None:
    till.open()
    till.alt(2)
    till.type("0012")
    till.type("482913")
    till.press(ENTER, "\r")
    assert till.paid() == [(TenderKind.EDC, DUE)]
    (row,) = till.branch.payments[0].tenders
    assert (row.bank, row.last4, row.approval_code) == ("BCA", "0012", "482913")
    assert till.keys <= 14
    assert till.kept.load(BUDI) is None


def test_a_card_is_on_the_disk_before_it_is_used_and_outlives_a_kill(till: Till, tmp_path: Path, qtbot: QtBot) -> None:
    till.open()
    till.alt(2)
    chosen = till.kept.load(BUDI)
    assert chosen is not None
    till.type("0012482913")
    attempt = till.screen.settlement.attempt_id
    again = Till(tmp_path)  # the window was killed: nothing said goodbye
    qtbot.addWidget(again.screen)
    again.open()
    assert (again.screen.settlement.attempt_id, chosen[0]) == (attempt, attempt)
    assert again.message.title == f"EDC {_rp(DUE)} (kode 482913) sudah disetujui tetapi belum tercatat."
    assert again.screen.page.pay_card.card_form.code.text() == "482913"
    again.pay()
    assert again.paid() == [(TenderKind.EDC, DUE)]
    again.screen.page.end()


def test_a_lost_lock_names_the_card_that_was_charged_and_one_key_goes_on(till: Till) -> None:
    till.open()
    till.alt(2)
    till.type("0012482913")
    till.pass_time(61)
    banner = till.shell.banners["settlement"]
    assert banner.title == f"Kunci hilang. EDC {_rp(DUE)} (kode 482913) belum tercatat."
    assert [action.text for action in banner.actions] == ["Lihat saja", "Kunci lagi & catat"]
    till.press(ENTER, "\r")
    till.pay()
    assert till.paid() == [(TenderKind.EDC, DUE)]


def test_what_the_terminal_took_stays_when_the_total_changes_while_the_lock_is_lost(till: Till) -> None:
    till.open()
    till.alt(2)
    till.type("0012482913")
    till.pass_time(61)
    till.branch.set_total(BUDI, DUE - 70_000)
    till.press(ENTER, "\r")
    till.pay()
    assert till.paid() == []
    assert till.screen.settlement.excess == 70_000
    assert till.message.title == f"Total berubah {_rp(DUE)} menjadi {_rp(DUE - 70_000)}."


def test_a_card_of_an_invoice_that_was_paid_another_way_is_told_and_stays_on_the_disk(till: Till) -> None:
    till.kept.save(BUDI, "00000000-0000-4000-8000-000000000001", _charged(), NOW)
    till.screen.open_invoice("00000000-0000-4000-8000-000000010243")
    till.screen.escape()
    till.branch.pay(BUDI, till.branch.payment_of(BUDI))
    till.screen.open_invoice(BUDI)
    told = f"EDC {_rp(DUE)} (kode 482913) belum tercatat dan tagihannya sudah lunas. Serahkan ke manajer."
    assert told in till.shell.toasts
    assert till.kept.load(BUDI) is not None


def test_a_payment_whose_answer_was_lost_with_the_window_is_found_and_leaves_the_disk(till: Till) -> None:
    attempt = "00000000-0000-4000-8000-000000000001"
    till.kept.save(BUDI, attempt, _charged(), NOW)
    till.branch.pay(BUDI, till.branch.payment_of(BUDI, attempt))
    till.screen.open_invoice(BUDI)
    assert till.kept.load(BUDI) is None


def test_without_room_on_the_disk_no_card_is_to_be_used(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(till.kept, "save", lambda *given: False)
    till.open()
    till.alt(2)
    assert till.message.title == "Isian kartu tidak bisa disimpan di PC ini."


def test_cash_and_card_are_two_parts_of_one_payment(till: Till) -> None:
    till.open()
    till.type("500000")
    till.split()
    assert till.screen.page.pay_card._due.text() == _rp(DUE - 500_000)
    till.alt(2)
    till.type("0012482913")
    till.press(ENTER, "\r")
    assert till.paid() == [(TenderKind.CASH, 500_000), (TenderKind.EDC, DUE - 500_000)]
    assert len(till.branch.payments) == 1


def test_a_part_may_be_taken_back(till: Till) -> None:
    till.open()
    till.type("500000")
    till.split()
    (button,) = till.screen.page.cards.drop_buttons
    button.click()
    assert till.screen.settlement.left == DUE
    assert till.screen.page.cards.drop_buttons == []


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("", "Isi dulu jumlah bagian ini, lalu Ctrl+B."),
        ("1497500", "Ini sudah menutup sisanya: F9 membayar."),
        ("500050", "Bagian tunai harus kelipatan Rp\u00a0100."),
    ],
)
def test_ctrl_b_says_why_it_makes_no_part(till: Till, typed: str, title: str) -> None:
    till.open()
    till.type(typed)
    till.split()
    assert till.screen.settlement.tendering.parts == ()
    assert till.message.title == title


def test_parts_survive_a_lost_lock_a_retry_and_a_kill(till: Till, tmp_path: Path, qtbot: QtBot) -> None:
    till.open()
    till.type("500000")
    till.split()
    till.pass_time(61)
    assert till.screen.settlement.phase is Phase.LOST
    till.press(ENTER, "\r")
    assert [part.amount for part in till.screen.settlement.tendering.parts] == [500_000]
    again = Till(tmp_path)
    qtbot.addWidget(again.screen)
    again.open()
    assert [part.amount for part in again.screen.settlement.tendering.parts] == [500_000]
    again.screen.page.end()


def test_a_transfer_is_a_tender_only_once_it_was_seen(till: Till) -> None:
    till.open()
    till.alt(4)
    till.type("trx-0012")
    till.pay()
    assert till.paid() == []
    assert till.message.text.startswith("Transfer belum terlihat di rekening.")
    till.screen.page.pay_card.transfer_form.seen.setChecked(True)
    till.pay()
    assert till.paid() == [(TenderKind.TRANSFER, DUE)]
    assert till.branch.payments[0].tenders[0].reference == "trx-0012"


def test_a_qris_by_hand_needs_a_managers_word_for_this_invoice_and_amount(till: Till) -> None:
    till.open()
    till.alt(3)
    till.type("rrn 123456789012")
    till.pay()
    assert till.paid() == []
    form = till.screen.page.pay_card.qris_form
    form.word.login.set_text("maya")
    form.word.password.set_text("salah")
    till.screen.page.pay_card.go_on()
    assert till.paid() == []
    assert "kata sandi" in till.message.title.lower()
    form.word.password.set_text("rahasia")
    till.screen.page.pay_card.go_on()
    assert till.manager.asked == [("qris_by_hand", BUDI, DUE)]
    assert till.paid() == [(TenderKind.QRIS, DUE)]
    assert till.branch.payments[0].tenders[0].approval_id == "word-1"


def test_a_word_is_not_used_for_what_is_typed_after_it() -> None:
    draft = Tendering(method=TenderKind.QRIS).with_slip(reference="RRN 1234", word="word-1")
    current = draft.current(Rupiah(DUE), 100)
    assert current is not None
    assert current.approval_id == "word-1"


def test_cash_is_rounded_where_the_branch_rounds_it(till: Till) -> None:
    till.branch.set_total(BUDI, 1_497_540)
    till.open()
    assert till.screen.settlement.left == 1_497_500
    assert till.message.text == (f"Tunai dibulatkan -{_rp(40)}: terima {_rp(1_497_500)}, atau tekan + untuk uang pas.")
    till.alt(2)
    assert till.screen.settlement.left == 1_497_540


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"v": 3}'])
def test_a_damaged_file_reads_as_none_and_stays(tmp_path: Path, damage: str) -> None:
    kept = KeptTenders(tmp_path, "dewi")
    kept.save(BUDI, "a", _charged(), NOW)
    (file,) = tmp_path.glob("settlement-*.json")
    file.write_text(damage, encoding="utf-8")
    assert kept.load(BUDI) is None
    assert file.read_text(encoding="utf-8") == damage


def test_what_is_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    part = Tender(kind=TenderKind.TRANSFER, amount=Rupiah(300_000), reference="TRX-1", sender="Rina", bank="BNI")
    draft = Tendering(
        method=TenderKind.EDC, received=Rupiah(5), slips={TenderKind.EDC: Slip(bank="BCA", last4="0012")}, parts=(part,)
    )
    kept = KeptTenders(tmp_path, "dewi")
    assert kept.save(BUDI, "a-1", draft, NOW)
    assert kept.load(BUDI) == ("a-1", draft)
    kept.discard(BUDI)
    assert kept.load(BUDI) is None


def _charged() -> Tendering:
    slip = Slip(amount=Rupiah(DUE), bank="BCA", last4="0012", code="482913")
    return Tendering(method=TenderKind.EDC, slips={TenderKind.EDC: slip})


def _rp(amount: int) -> str:
    return f"Rp\u00a0{amount:,}".replace(",", ".")
