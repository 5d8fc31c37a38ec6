"""QRIS through the gateway at the till: paid without a key under the cashier's lock, and ended before cash is taken."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.desktop.screens.settlement_phase import Phase
from app.desktop.widgets.qr_code import QUIET, QrCode
from app.domain.errors import Refusal, RefusalCode
from app.domain.gateway import AttemptKind, AttemptState
from app.domain.money import Rupiah
from app.domain.tender import TenderKind
from app.usecases.rows_gateway import Attempt, GatewayPlace
from tests.desktop.settlement_fakes import BUDI, FakeSettlement
from tests.desktop.test_settlement_tenders import DUE, Till

SIMULATED = GatewayPlace(mode="simulated", is_simulated=True)
CODE = "00020101021226SIMULASI-BK-10240"


@dataclass
class FakeGateway:
    """One attempt per invoice; `silent` is a gateway that does not answer."""

    branch: FakeSettlement
    place: GatewayPlace | None = SIMULATED
    attempts: dict[str, Attempt] = field(default_factory=dict)
    silent: bool = False
    refusal: Refusal | None = None

    def gateway(self) -> GatewayPlace | None:
        return self.place

    def start_attempt(self, invoice_id: str, kind: AttemptKind) -> Attempt:
        if self.refusal is not None:
            raise self.refusal
        self.attempts[invoice_id] = attempt = _attempt(invoice_id, kind, self.branch.now())
        return attempt

    def attempt_of(self, invoice_id: str) -> Attempt | None:
        found = self.attempts.get(invoice_id)
        if found is None:
            return None
        left = max(0.0, (found.expires_at - self.branch.now()).total_seconds())
        return replace(found, seconds_left=int(left), now=self.branch.now())

    def end_attempt(self, invoice_id: str) -> Attempt | None:
        found = self.attempts.get(invoice_id)
        if found is None or not found.is_live:
            return None
        if not self.silent:
            self.attempts[invoice_id] = replace(found, state=AttemptState.ENDED)
        return self.attempts[invoice_id]

    def pay(self, invoice_id: str) -> None:
        """The customer paid: the service books it, whoever holds the lock."""
        self.attempts[invoice_id] = replace(self.attempts[invoice_id], state=AttemptState.PAID)
        self.branch.pay(invoice_id, self.branch.payment_of(invoice_id))


def _attempt(invoice_id: str, kind: AttemptKind, now: dt.datetime) -> Attempt:
    return Attempt(
        order_id="BK-10240-1",
        invoice_id=invoice_id,
        number=1,
        branch_id="b",
        kind=kind,
        amount=Rupiah(DUE),
        state=AttemptState.LIVE,
        expires_at=now + dt.timedelta(minutes=12),
        seconds_left=720,
        now=now,
        created_at=now,
        ended_at=None,
        asked_count=0,
        is_end_asked=False,
        is_simulated=True,
        qr=CODE,
    )


@pytest.fixture
def till(qtbot: QtBot, tmp_path: Path) -> Iterator[Till]:
    made = Till(tmp_path, gateway=FakeGateway)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.page.end()


def gateway(till: Till) -> FakeGateway:
    found = till.gateway
    assert isinstance(found, FakeGateway)
    return found


def test_a_code_is_shown_by_two_keys_and_paid_by_none(till: Till) -> None:
    till.open()
    till.alt(3)
    panel = till.screen.page.pay_card.code_panel
    assert (panel.isVisible(), panel.code.text(), panel._time.text()) == (True, CODE, "berlaku 12:00")
    assert panel._simulated.isVisible(), "money that is none says so"
    assert not till.screen.page.pay_card.pay_button.isEnabled()
    assert till.keys == 2
    till.screen.page.pay_card.go_on()
    assert till.screen.settlement.phase is Phase.OPEN
    assert not till.screen.page.pay_card.qris_form.isVisible(), "Enter looks whether it was paid"
    till.pass_time(30)
    assert panel._time.text() == "berlaku 11:30"
    gateway(till).pay(BUDI)
    till.pass_time(2)
    assert till.screen.settlement.phase is Phase.PAID
    assert till.keys == 2


def test_a_code_that_is_paid_after_the_lock_was_lost_is_shown_as_paid(till: Till) -> None:
    till.open()
    till.alt(3)
    till.pass_time(61)
    assert till.screen.settlement.phase is Phase.LOST
    gateway(till).pay(BUDI)
    till.pass_time(2)
    assert till.screen.settlement.phase is Phase.PAID


def test_a_lock_that_went_with_the_money_is_no_lost_lock(till: Till) -> None:
    till.open()
    till.alt(3)
    gateway(till).pay(BUDI)
    till.hearts.last.beat()
    assert till.screen.settlement.phase is Phase.PAID
    assert "settlement" not in till.shell.banners


def test_a_lock_that_was_taken_while_a_code_is_shown_is_lost(till: Till) -> None:
    till.open()
    till.alt(3)
    till.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    till.hearts.last.beat()
    assert till.screen.settlement.phase is Phase.LOST


def test_cash_ends_the_code_first(till: Till) -> None:
    till.open()
    till.alt(3)
    till.alt(1)
    assert gateway(till).attempts[BUDI].state is AttemptState.ENDED
    till.type("1500000")
    till.pay()
    assert till.paid() == [(TenderKind.CASH, DUE)]


def test_a_link_that_was_sent_before_is_ended_before_cash_is_taken(till: Till) -> None:
    gateway(till).start_attempt(BUDI, AttemptKind.LINK)
    till.open()
    till.type("1500000")
    till.pay()
    assert gateway(till).attempts[BUDI].state is AttemptState.ENDED
    assert till.paid() == [(TenderKind.CASH, DUE)]


def test_money_that_came_in_the_last_moment_is_shown_and_no_cash_is_taken(till: Till) -> None:
    till.open()
    till.alt(3)
    gateway(till).silent = True
    till.alt(1)
    till.type("1500000")
    gateway(till).pay(BUDI)
    till.pay()
    assert till.screen.settlement.phase is Phase.PAID
    assert len(till.branch.payments) == 1


def test_a_gateway_that_does_not_answer_asks_for_a_second_press(till: Till) -> None:
    gateway(till).silent = True
    till.open()
    till.alt(3)
    till.alt(1)
    till.type("1500000")
    till.pay()
    assert till.paid() == []
    assert till.message.title == "Kode atau tautan tagihan ini masih bisa dibayar."
    till.pay()
    assert till.paid() == [(TenderKind.CASH, DUE)]


@pytest.mark.parametrize("why", ["no gateway", "refused"])
def test_without_a_code_the_reference_is_typed(till: Till, why: str) -> None:
    if why == "no gateway":
        gateway(till).place = None
    else:
        gateway(till).refusal = Refusal(RefusalCode.UNREACHABLE, next=(), reason="no_gateway")
    till.open()
    till.alt(3)
    assert till.screen.page.pay_card.qris_form.isVisible()
    assert not till.screen.page.pay_card.code_panel.isVisible()


def test_a_payment_in_parts_has_no_code_for_all_of_it(till: Till) -> None:
    till.open()
    till.type("500000")
    till.split()
    till.alt(3)
    assert gateway(till).attempts == {}
    assert till.screen.page.pay_card.qris_form.isVisible()


def test_the_money_may_have_been_seen_elsewhere(till: Till) -> None:
    till.open()
    till.alt(3)
    till.screen.page.pay_card.code_panel.hand_button.click()
    assert till.screen.page.pay_card.qris_form.isVisible()


@pytest.mark.parametrize("size", [150, 232])
def test_a_code_is_black_on_white_paper_with_its_quiet_zone_in_every_theme(qtbot: QtBot, size: int) -> None:
    code = QrCode(size)
    qtbot.addWidget(code)
    code.set_text(CODE)
    picture = code.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    colours = {picture.pixel(x, y) & 0xFFFFFF for x in range(size) for y in range(size)}
    assert colours == {0x000000, 0xFFFFFF}, "no grey edges"
    modules = len(code._modules)
    edge = int(size / (modules + 2 * QUIET)) * QUIET
    assert all(picture.pixelColor(x, y) == QColor("#FFFFFF") for x in range(edge) for y in range(size))
    code.set_spent(True)
    dark = code.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert all(QColor(dark.pixel(x, size // 2)).lightness() > 150 for x in range(size)), "too pale to be read"
