"""The lock chip over the real database: away for 5, 35 and 70 seconds, taken over, moved, the clock put forward."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psycopg
import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_texts import SettlementTexts
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.lock import HEARTBEAT_SECONDS, RETRY_SECONDS, LockState
from tests.desktop.settlement_fakes import Hearts, VirtualClocks
from tests.support.world import World, days

pytest_plugins = ("tests.support.world_fixtures",)

HELD, LATE, CRITICAL, LOST = LockState.HELD, LockState.RENEWING_LATE, LockState.CRITICAL, LockState.LOST


class Till:
    """One invoice under its lock at a counter whose clocks are the test's; the database and its answers are real."""

    def __init__(self, world: World) -> None:
        self.world, self.clocks, self.hearts = world, VirtualClocks(), Hearts()
        counter = world.counter("budi")
        world.open_shift(counter)
        self.invoice_id = world.book(world.counter("siti", "Kasir 9"), days("2027-03-10", "2027-03-12")).invoice_id
        self.model = SettlementViewModel(counter, self.clocks.as_clocks(), make_heartbeat=self.hearts)
        self.texts = SettlementTexts(self.model)
        self.model.open(self.invoice_id)
        self.model.set_received(1_600_000)
        self.refusals: list[Refusal] = []
        self.model.not_opened.connect(self.refusals.append)

    def state(self) -> LockState | None:
        self.model.tick()
        return self.model.lock_state()

    def pass_time(self, seconds: int) -> list[tuple[LockState | None, bool]]:
        """What the chip shows and whether Bayar may be pressed, each time one of them changes; beats as the heart's."""
        seen: list[tuple[LockState | None, bool]] = []
        for second in range(1, seconds + 1):
            self.clocks.advance(1)
            is_due = second >= HEARTBEAT_SECONDS and (second - HEARTBEAT_SECONDS) % RETRY_SECONDS == 0
            if is_due and self.hearts.last.running:
                self.hearts.last.beat()
            now = self.state(), self.model.may_pay()
            if not seen or seen[-1] != now:
                seen.append(now)
        return seen

    @contextmanager
    def database_away(self) -> Iterator[None]:
        """Nobody gets in, and whoever was in is out."""
        name = psycopg.conninfo.conninfo_to_dict(self.world.database.owner_url)["dbname"]
        elsewhere = psycopg.conninfo.make_conninfo(self.world.database.owner_url, dbname="postgres")
        with psycopg.connect(elsewhere, autocommit=True) as owner:
            owner.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())
            try:
                owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
                yield
            finally:
                owner.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'.encode())


@pytest.fixture
def till(world: World, qapp: QApplication) -> Iterator[Till]:
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    made = Till(world)
    yield made
    made.model.close()
    use_runner(before)


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [
        (5, [(HELD, True)]),
        (35, [(HELD, True), (LATE, True)]),
        (70, [(HELD, True), (LATE, True), (CRITICAL, False), (LOST, False)]),
    ],
)
def test_a_database_that_is_away_shows_on_the_chip_and_heals(
    till: Till, seconds: int, seen: list[tuple[LockState, bool]]
) -> None:
    assert till.state() is HELD
    with till.database_away():
        assert till.pass_time(seconds) == seen
    till.world.after(seconds=seconds)
    if seconds < 60:
        till.hearts.last.beat()
    else:
        assert till.texts.lost_title() == "Kunci hilang. Pembayaran belum disimpan."
        till.model.lock_again()
    assert (till.state(), till.model.received) == (HELD, 1_600_000)
    assert till.model.may_pay()
    till.model.pay()
    assert till.model.phase is Phase.PAID
    assert till.world.value("SELECT count(*) FROM sentra.payment WHERE invoice_id = %s", till.invoice_id) == 1


def test_a_window_that_stood_still_past_its_lock_finds_it_taken_over(till: Till) -> None:
    till.clocks.advance(61)  # stopped: no beat went out
    till.world.after(seconds=61)
    siti = till.world.counter("siti", "Kasir 2")
    siti.settlement.open_invoice(till.invoice_id)
    assert (till.state(), till.model.may_pay()) == (LOST, False)
    till.model.pay()
    till.model.lock_again()
    no = till.model.refusal
    assert no is not None
    told = no.code, no.params["holder_name"], no.params["counter"]
    assert told == (RefusalCode.LOCK_HELD, siti.who.name, "Kasir 2")
    assert till.model.received == 1_600_000
    assert till.world.value("SELECT count(*) FROM sentra.payment") == 0


def test_the_same_person_moves_the_lock_to_another_counter(till: Till) -> None:
    other = SettlementViewModel(till.world.counter("budi", "Kasir 3"), till.clocks.as_clocks(), make_heartbeat=Hearts())
    refused: list[Refusal] = []
    other.not_opened.connect(refused.append)
    other.open(till.invoice_id)
    assert [no.code for no in refused] == [RefusalCode.LOCK_MINE_ELSEWHERE]
    other.open(till.invoice_id, True)
    assert other.lock_state() is HELD
    till.hearts.last.beat()
    assert (till.state(), till.model.may_pay()) == (LOST, False)
    other.close()


def test_a_clock_that_was_put_forward_closes_bayar_until_the_database_was_asked(till: Till) -> None:
    assert till.model.may_pay()
    till.clocks.jump(3_600)
    till.model.tick()
    assert not till.model.may_pay()
    assert till.texts.message().title == "Jam PC ini meloncat."
    till.hearts.last.beat()
    assert till.model.may_pay()


@pytest.mark.parametrize("was_written", [True, False])
def test_an_answer_that_was_lost_is_unknown_until_the_attempt_was_asked_about(
    till: Till, monkeypatch: pytest.MonkeyPatch, was_written: bool
) -> None:
    settlement = till.model._settlement
    real: Callable[..., object] = settlement.settle

    def lose(*given: object, **named: object) -> object:
        if was_written:
            real(*given, **named)
        monkeypatch.undo()
        raise Refusal(RefusalCode.UNREACHABLE)

    monkeypatch.setattr(settlement, "settle", lose)
    till.model.pay()
    assert (till.state(), till.model.may_pay()) == (LockState.UNKNOWN_OUTCOME, False)
    till.pass_time(3)
    if not was_written:
        assert (till.state(), till.model.may_pay()) == (HELD, True)
        till.model.pay()
    assert till.model.phase is Phase.PAID
    assert till.world.value("SELECT count(*) FROM sentra.payment WHERE invoice_id = %s", till.invoice_id) == 1
