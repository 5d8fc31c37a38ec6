"""Refunds that are due, in the invoices' place: where they are found, and paid out once, alone or with a word."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.screens.refunds_key import RefundsKey
from app.desktop.screens.refunds_page import RefundsPage
from app.desktop.screens.refunds_viewmodel import RefundsViewModel
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.refund import RefundState, RefundWay, is_cashiers_refund
from app.usecases.rows_till import PaidOut, RefundRow
from tests.desktop.calendar_samples import NOW
from tests.desktop.settlement_fakes import BUDI, DEWI, Counterfoil
from tests.desktop.test_settlement_tenders import Manager

DEPOSIT = Rupiah(500_000)


def refund(number: int, **changes: object) -> RefundRow:
    """A deposit in cash of BK-<number> that is due since yesterday."""
    row = RefundRow(
        id=f"00000000-0000-4000-8000-{number:012d}",
        invoice_id=BUDI,
        invoice_number="INV/BDG/202611/00016",
        booking_id="b",
        booking_number=f"BK-{number}",
        customer_id="c",
        customer_name="Rina Maharani",
        kind="DEPOSIT",
        state=RefundState.DUE,
        amount=DEPOSIT,
        reason="",
        created_at=NOW - dt.timedelta(days=1),
        came_by={RefundWay.CASH: DEPOSIT},
        edc_limit=Rupiah(2_000_000),
        number=None,
        way=None,
        reference=None,
        done_at=None,
        done_by_name=None,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


@dataclass
class FakeDesk:
    """Pays each refund out once per attempt; `lose` loses the answers, `no` refuses."""

    rows: list[RefundRow] = field(default_factory=list)
    paid: list[tuple[str, RefundWay, str | None, str | None, str | None]] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)
    lose: bool = False
    no: Refusal | None = None

    def refunds(self, states: Sequence[RefundState], limit: int = 500) -> tuple[RefundRow, ...]:
        return tuple(row for row in self.rows if row.state in states)

    def may_pay_out_alone(self, row: RefundRow, way: RefundWay) -> bool:
        return is_cashiers_refund(row.kind, way, row.amount, row.came_by, row.edc_limit)

    def refund_pay_out(
        self,
        refund_id: str,
        attempt_id: str,
        way: RefundWay,
        *,
        reference: str | None = None,
        bank: str | None = None,
        reason: str | None = None,
        approval_id: str | None = None,
    ) -> PaidOut:
        if self.no is not None:
            raise self.no
        (row,) = [row for row in self.rows if row.id == refund_id]
        if attempt_id not in self.attempts:
            self.attempts.append(attempt_id)
            self.paid.append((refund_id, way, reference, reason, approval_id))
            done = replace(row, state=RefundState.DONE, way=way, number="KMB-1", done_at=NOW)
            self.rows[self.rows.index(row)] = done
        if self.lose:
            raise Refusal(RefusalCode.UNREACHABLE)
        return PaidOut(
            refund_id=refund_id,
            invoice_id=row.invoice_id,
            number="KMB-1",
            way=way,
            amount=row.amount,
            done_at=NOW,
            already=False,
        )


@dataclass
class Slips:
    printed: list[RefundRow] = field(default_factory=list)

    def print_refund(self, row: RefundRow) -> None:
        self.printed.append(row)


class Place(Counterfoil):
    """The invoices with the refunds beside them."""

    def __init__(self, folder: Path, rows: Sequence[RefundRow]) -> None:
        super().__init__(folder)
        self.desk, self.manager, self.slips = FakeDesk(rows=list(rows)), Manager(), Slips()
        ids = iter(f"a-{n}" for n in range(99))
        model = RefundsViewModel(self.desk, self.manager.approve, lambda: next(ids), DEWI)
        self.key = RefundsKey(self.screen, RefundsPage(model), self.slips, self.shell)  # type: ignore[arg-type]
        self.page = self.key.page
        self.screen.resize(1310, 632)
        self.screen.show()
        self.screen.activate()

    def f9(self) -> None:
        self.screen._pay_key.trigger()


@pytest.fixture
def place(qtbot: QtBot, tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path, [refund(1), refund(2, kind="CANCELLATION", reason="batal oleh pelanggan")])
    qtbot.addWidget(made.screen)
    yield made
    made.screen.page.end()


def test_the_list_says_how_much_is_due_back_and_one_key_shows_it(place: Place) -> None:
    button = place.screen.list_page.footer.refunds_button
    assert (button.isVisible(), button.text()) == (True, "Dana kembali: Rp\u00a01.000.000")
    place.key.action.trigger()
    assert place.page.isVisible()
    assert place.page._sum.text() == "2 menunggu, Rp\u00a01.000.000"
    place.screen.escape()
    assert place.screen.list_page.isVisible()


def test_nothing_due_shows_no_button(qtbot: QtBot, tmp_path: Path) -> None:
    empty = Place(tmp_path, [])
    qtbot.addWidget(empty.screen)
    assert not empty.screen.list_page.footer.refunds_button.isVisible()
    empty.screen.page.end()


def test_a_deposit_goes_back_in_cash_by_the_cashier_alone_and_its_slip_is_printed(place: Place) -> None:
    place.key.action.trigger()
    place.page.begin(place.page.model.due[0])
    assert place.page.way is RefundWay.CASH
    assert not place.page.word.isVisible()
    place.f9()
    assert [(way, word) for _, way, _, _, word in place.desk.paid] == [(RefundWay.CASH, None)]
    assert place.page.message() == "Rp\u00a0500.000 dikembalikan ke Rina Maharani (Tunai), KMB-1."
    assert [row.number for row in place.slips.printed] == ["KMB-1"]
    assert len(place.page.model.due) == 1


def test_another_way_needs_a_reason_and_a_managers_word(place: Place) -> None:
    place.key.action.trigger()
    place.page.begin(place.page.model.due[0])
    place.page.choose(RefundWay.TRANSFER)
    place.f9()
    assert place.page.reference.edit.hasFocus()
    place.page.reference.set_text("TRX-0099")
    place.f9()
    assert place.page.reason.edit.hasFocus()
    place.page.reason.set_text("diminta pelanggan")
    place.f9()
    assert place.page.word.login.edit.hasFocus()
    place.page.word.login.set_text("maya")
    place.page.word.password.set_text("salah")
    place.f9()
    assert place.desk.paid == []
    assert place.page.word.password.edit.hasFocus()
    place.page.word.password.set_text("rahasia")
    place.f9()
    assert place.manager.asked == [("refund_pay_out", refund(1).id, DEPOSIT)]
    assert [(way, ref, why, word) for _, way, ref, why, word in place.desk.paid] == [
        (RefundWay.TRANSFER, "TRX-0099", "diminta pelanggan", "word-1")
    ]


def test_a_lost_answer_is_asked_for_again_as_the_same(place: Place) -> None:
    place.key.action.trigger()
    first = place.page.model.due[0]
    place.page.begin(first)
    place.desk.lose = True
    place.f9()
    place.desk.lose = False
    place.f9()
    assert place.desk.attempts == ["a-0"]
    assert len(place.desk.paid) == 1


def test_cash_without_a_shift_leads_to_the_shift(place: Place) -> None:
    place.key.action.trigger()
    place.page.begin(place.page.model.due[0])
    place.desk.no = Refusal(RefusalCode.SHIFT_NEEDED, next=(NextAction("open_shift"),))
    place.f9()
    assert place.page.message() == "Uang tunai keluar dari laci Anda: buka shift dulu."
    assert place.shell.shown[-1][0].value == "shift"
    assert place.desk.paid == []


def test_esc_closes_the_form_before_it_leaves(place: Place) -> None:
    place.key.action.trigger()
    place.page.begin(place.page.model.due[0])
    place.screen.escape()
    assert place.page.isVisible()
    assert not place.page._form.isVisible()
    place.f9()
    assert place.desk.paid == []
