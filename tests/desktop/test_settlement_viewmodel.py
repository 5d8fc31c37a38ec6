"""Settling one invoice: the lock from opening to paying, every way it can end, and that money is never taken twice."""

import datetime as dt

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.screens.settlement_phase import Notice, Phase
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState, Tender, TenderKind
from app.domain.lock import LockState
from app.domain.money import Rupiah
from tests.desktop.runners import HeldRunner
from tests.desktop.settlement_fakes import BUDI, FakeCounter, FakeSettlement, Hearts, VirtualClocks, fake_settlement


class Bench:
    """One settlement screen without widgets, its branch, its clocks and its heartbeats."""

    def __init__(self) -> None:
        self.clocks = VirtualClocks()
        self.branch: FakeSettlement = fake_settlement(self.clocks)
        self.hearts = Hearts()
        self.ids = iter(f"00000000-0000-4000-8000-0000000000{n:02d}" for n in range(10, 99))
        self.model = SettlementViewModel(
            FakeCounter(self.branch).as_counter(),
            self.clocks.as_clocks(),
            make_heartbeat=self.hearts,
            new_id=lambda: next(self.ids),
        )
        self.refusals: list[Refusal] = []
        self.model.not_opened.connect(self.refusals.append)
        self.model.refused.connect(self.refusals.append)

    def open(self, received: int | None = 1_500_000) -> None:
        self.model.open(BUDI)
        self.model.set_received(received)

    def pass_time(self, seconds: float, step: float = 1.0) -> None:
        """Time passes and the screen ticks; no beat is sent."""
        while seconds > 0:
            self.clocks.advance(min(step, seconds))
            seconds -= step
            self.model.tick()


@pytest.fixture
def bench(qapp: object) -> Bench:
    return Bench()


# --- opening ---------------------------------------------------------------------------------------------------------


def test_opening_takes_the_lock_for_60_seconds_and_reads_the_invoice(bench: Bench) -> None:
    bench.open(None)
    assert bench.model.phase is Phase.OPEN
    assert bench.branch.locks[BUDI].by == "dewi"
    assert bench.model.lock.seconds_left() == 60
    assert bench.model.due == 1_497_500


def test_r43_the_seconds_count_from_when_the_question_was_sent(bench: Bench, held_runner: HeldRunner) -> None:
    bench.model.open(BUDI)
    take = bench.branch.open_invoice
    bench.clocks.advance(0)

    def slow(invoice_id: str) -> object:
        held = take(invoice_id)
        bench.clocks.advance(55)
        return held

    bench.branch.open_invoice = slow  # type: ignore[method-assign,assignment]
    held_runner.go_on()
    held_runner.go_on()
    assert bench.model.lock.seconds_left() == 5
    assert bench.model.lock_state() is LockState.CRITICAL


def test_an_invoice_that_somebody_settles_is_refused_with_who_where_and_how_long(bench: Bench) -> None:
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2", seconds=48)
    bench.open()
    (no,) = bench.refusals
    assert no.code is RefusalCode.LOCK_HELD
    assert (no.params["holder_name"], no.params["counter"], no.params["remaining_ms"]) == ("Siti", "Kasir 2", 48_000)
    assert bench.model.phase is Phase.CLOSED


def test_my_own_lock_at_another_counter_is_moved_here_only_when_asked(bench: Bench) -> None:
    bench.branch.lock_by(BUDI, "dewi", "Dewi", "Kasir 3")
    bench.open()
    assert bench.refusals[0].code is RefusalCode.LOCK_MINE_ELSEWHERE
    bench.model.open(BUDI, True)
    assert bench.model.phase is Phase.OPEN
    assert bench.branch.locks[BUDI].counter == "Kasir 1"


def test_r41_an_error_while_locking_opens_nothing(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.branch.broken = True
    failures: list[object] = []
    bench.model.failed.connect(failures.append)
    bench.open()
    assert bench.model.phase is Phase.CLOSED
    assert len(failures) == 1
    assert bench.hearts.made == []


def test_a_lock_without_its_invoice_is_given_back(bench: Bench) -> None:
    del bench.branch.details[BUDI]
    bench.open()
    assert bench.refusals[0].code is RefusalCode.NOT_FOUND
    assert bench.branch.locks == {}


def test_leaving_while_the_lock_is_being_taken_gives_it_back_as_soon_as_it_is_in(
    bench: Bench, held_runner: HeldRunner
) -> None:
    bench.model.open(BUDI)
    bench.model.release()
    while held_runner.waiting:
        held_runner.go_on()
    assert bench.model.phase is Phase.CLOSED
    assert bench.branch.locks == {}


# --- the lock's life -------------------------------------------------------------------------------------------------


def test_the_chip_goes_from_held_over_late_and_critical_to_lost_when_no_beat_succeeds(bench: Bench) -> None:
    bench.open()
    seen = []
    for seconds, may_pay in ((31, True), (1, True), (17, True), (1, False), (9, False), (1, False)):
        bench.pass_time(seconds)
        seen.append(bench.model.lock_state())
        assert bench.model.may_pay() is may_pay
    assert seen == [
        LockState.HELD,
        LockState.RENEWING_LATE,
        LockState.RENEWING_LATE,
        LockState.CRITICAL,
        LockState.CRITICAL,
        LockState.LOST,
    ]


def test_a_beat_brings_the_lock_back_to_60_seconds(bench: Bench) -> None:
    bench.open()
    bench.pass_time(35)
    bench.hearts.last.beat()
    assert bench.model.lock.seconds_left() == 60
    assert bench.model.lock_state() is LockState.HELD


def test_one_lost_beat_does_not_lose_the_lock(bench: Bench) -> None:
    bench.open()
    bench.pass_time(30)
    bench.branch.unreachable = True
    bench.hearts.last.beat()
    bench.pass_time(5)
    assert bench.model.lock_state() is LockState.RENEWING_LATE
    bench.branch.unreachable = False
    bench.hearts.last.beat()
    assert bench.model.lock_state() is LockState.HELD


def test_r48_a_lock_that_somebody_took_over_is_lost_even_when_it_is_free_again(bench: Bench) -> None:
    bench.open()
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    del bench.branch.locks[BUDI]
    bench.hearts.last.beat()
    assert bench.model.phase is Phase.LOST
    assert not bench.hearts.last.running


def test_c66_r40_a_pc_that_slept_past_the_lock_cannot_pay(bench: Bench) -> None:
    bench.open()
    bench.clocks.sleep(61)
    bench.model.pay()
    assert bench.branch.settled == []
    assert bench.branch.payments == []


def test_after_a_lost_lock_everything_typed_is_there_and_the_lock_can_be_taken_again(bench: Bench) -> None:
    bench.open()
    attempt = bench.model.attempt_id
    bench.pass_time(61)
    assert bench.model.phase is Phase.LOST
    assert bench.model.received == 1_500_000
    bench.model.lock_again()
    assert bench.model.phase is Phase.OPEN
    assert (bench.model.received, bench.model.attempt_id) == (1_500_000, attempt)
    assert bench.model.may_pay()


def test_a_total_that_changed_while_the_lock_was_lost_is_shown(bench: Bench) -> None:
    bench.open()
    bench.pass_time(61)
    bench.branch.set_total(BUDI, 1_427_500)
    bench.model.lock_again()
    assert bench.model.notice is Notice.TOTAL_CHANGED
    assert bench.model.total_change is not None
    assert (bench.model.total_change.before, bench.model.total_change.after) == (1_497_500, 1_427_500)


def test_locking_again_while_somebody_else_settles_stays_lost_and_says_who(bench: Bench) -> None:
    bench.open()
    bench.pass_time(61)
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    bench.model.lock_again()
    assert bench.model.phase is Phase.LOST
    assert bench.model.refusal is not None
    assert bench.model.refusal.params["holder_name"] == "Siti"
    assert bench.model.received == 1_500_000


def test_an_answer_that_comes_after_the_local_end_brings_the_lock_back(bench: Bench) -> None:
    bench.open()
    bench.pass_time(59)
    heart = bench.hearts.last
    bench.branch.renew_lock(bench.model.lock.handle, 0)  # type: ignore[arg-type]
    bench.pass_time(2)
    assert bench.model.phase is Phase.LOST
    heart.beat()
    assert bench.model.phase is Phase.OPEN


def test_a_clock_that_jumps_stops_paying_until_a_beat_succeeds(bench: Bench) -> None:
    bench.open()
    bench.clocks.jump(3_600)
    bench.model.tick()
    assert not bench.model.may_pay()
    assert bench.model.notice is Notice.CLOCK_JUMPED
    assert bench.hearts.last.asked == 1
    bench.hearts.last.beat()
    assert bench.model.may_pay()
    assert bench.model.notice is Notice.NONE


def test_two_minutes_before_the_end_of_patience_the_screen_warns(bench: Bench) -> None:
    bench.open()
    for _ in range(26):
        bench.pass_time(29.9)
        bench.hearts.last.beat()
    assert bench.model.idle_left() is None
    bench.pass_time(3)
    assert bench.model.idle_left() == pytest.approx(120, abs=1)
    bench.model.note_input()
    assert bench.model.idle_left() is None


def test_after_15_idle_minutes_the_lock_ends_and_says_why(bench: Bench) -> None:
    bench.open()
    bench.clocks.advance(15 * 60)
    bench.model.tick()
    assert bench.model.phase is Phase.LOST
    assert bench.model.lost_reason == "idle"


def test_a_beat_of_the_old_lock_that_answers_late_does_not_touch_the_new_one(bench: Bench) -> None:
    bench.open()
    old = bench.hearts.last
    bench.pass_time(61)
    bench.model.lock_again()
    old.lost.emit(Refusal(RefusalCode.LOCK_LOST, reason="lost"))
    assert bench.model.phase is Phase.OPEN


# --- giving it back --------------------------------------------------------------------------------------------------


def test_leaving_gives_the_lock_back_at_once(bench: Bench, qtbot: QtBot) -> None:
    bench.open()
    with qtbot.waitSignal(bench.model.released):
        bench.model.release()
    assert bench.branch.locks == {}
    assert not bench.hearts.last.running


def test_c65_leaving_after_the_lock_was_taken_over_leaves_the_new_owner_s_lock_alone(bench: Bench) -> None:
    bench.open()
    bench.pass_time(61)
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    bench.model.release()
    assert bench.branch.locks[BUDI].by == "siti"


def test_leaving_works_while_the_database_is_away(bench: Bench, qtbot: QtBot) -> None:
    bench.open()
    bench.branch.unreachable = True
    with qtbot.waitSignal(bench.model.released):
        bench.model.release()
    assert bench.model.phase is Phase.CLOSED


# --- paying ----------------------------------------------------------------------------------------------------------


def test_paying_writes_one_payment_gives_change_and_frees_the_lock(bench: Bench) -> None:
    bench.open()
    bench.model.pay()
    (payment,) = bench.branch.payments
    assert (payment.amount, payment.change) == (1_497_500, 2_500)
    assert bench.model.phase is Phase.PAID
    assert bench.model.change == 2_500
    assert bench.model.notes() == {50_000: 0, 20_000: 0, 10_000: 0, 5_000: 0, 2_000: 1, 1_000: 0, 500: 1}
    assert bench.branch.locks == {}
    assert not bench.hearts.last.running


def test_c61_five_presses_of_bayar_are_one_call_and_one_payment(bench: Bench, held_runner: HeldRunner) -> None:
    bench.model.open(BUDI)
    while held_runner.waiting:
        held_runner.go_on()
    bench.model.set_received(1_500_000)
    for _ in range(5):
        bench.model.pay()
    while held_runner.waiting:
        held_runner.go_on()
    assert len(bench.branch.settled) == 1
    assert len(bench.branch.payments) == 1


def test_too_little_money_pays_nothing(bench: Bench) -> None:
    bench.open(1_400_000)
    assert bench.model.missing == 97_500
    bench.model.pay()
    assert bench.branch.settled == []


def test_in_a_critical_lock_nothing_is_sent(bench: Bench) -> None:
    bench.open()
    bench.pass_time(51)
    bench.model.pay()
    assert bench.branch.settled == []
    assert bench.model.phase is Phase.OPEN


def test_cash_without_a_shift_asks_for_one_and_keeps_what_was_typed(bench: Bench) -> None:
    bench.branch.shift_open = False
    bench.open()
    asked: list[object] = []
    bench.model.shift_needed.connect(asked.append)
    bench.model.pay()
    assert len(asked) == 1
    assert bench.model.phase is Phase.OPEN
    assert bench.model.received == 1_500_000
    bench.branch.shift_open = True
    bench.model.pay()
    assert len(bench.branch.payments) == 1


def test_c47_a_lock_the_database_no_longer_knows_pays_nothing(bench: Bench) -> None:
    bench.open()
    del bench.branch.locks[BUDI]
    bench.model.pay()
    assert bench.model.phase is Phase.LOST
    assert bench.branch.payments == []
    assert bench.model.received == 1_500_000


@pytest.mark.parametrize(
    ("total", "received", "asks"),
    [
        (1_497_500, 2_497_500, False),
        (1_497_500, 2_497_501, True),
        (10_000_000, 10_000_000, False),
        (10_000_001, 10_000_001, True),
    ],
)
def test_much_cash_or_much_change_is_asked_again(bench: Bench, total: int, received: int, asks: bool) -> None:
    bench.branch.set_total(BUDI, total)
    bench.open(received)
    bench.model.pay()
    assert (bench.model.notice is Notice.CONFIRM) is asks
    assert len(bench.branch.payments) == (0 if asks else 1)


def test_the_second_press_counts_only_after_a_second_and_only_for_the_same_amount(bench: Bench) -> None:
    bench.open(12_000_000)
    for _ in range(5):
        bench.model.pay()
    assert bench.branch.payments == []
    bench.model.set_received(11_000_000)
    bench.pass_time(1.5)
    bench.model.pay()
    assert bench.branch.payments == []
    bench.pass_time(1.5)
    bench.model.pay()
    assert len(bench.branch.payments) == 1


# --- an answer that got lost -----------------------------------------------------------------------------------------


def test_r09_a_lost_answer_is_a_state_of_its_own_that_finds_the_payment(bench: Bench) -> None:
    bench.open()
    bench.branch.lose_answer = True
    bench.model.pay()
    assert bench.model.lock_state() is LockState.UNKNOWN_OUTCOME
    assert not bench.model.may_pay()
    bench.pass_time(2.5)
    assert bench.model.phase is Phase.UNKNOWN
    bench.pass_time(1)
    assert bench.model.phase is Phase.PAID
    assert bench.model.receipt is not None
    assert bench.model.receipt.payment_id == bench.branch.payments[0].id
    assert len(bench.branch.payments) == 1


def test_an_unexpected_error_while_paying_is_unknown_too(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.open()
    pay = bench.branch.settle

    def breaks(*given: object) -> object:
        pay(*given)  # type: ignore[arg-type]
        raise OSError("cut")

    bench.branch.settle = breaks  # type: ignore[method-assign,assignment]
    bench.model.pay()
    assert bench.model.phase is Phase.UNKNOWN
    bench.model.check_outcome()
    assert bench.model.phase is Phase.PAID


def test_while_the_server_is_away_the_outcome_stays_unknown(bench: Bench) -> None:
    bench.open()
    bench.branch.unreachable = True
    bench.model.pay()
    bench.pass_time(30)
    assert bench.model.phase is Phase.UNKNOWN


def test_not_written_is_told_once_nothing_is_under_way_and_the_retry_carries_the_same_attempt(bench: Bench) -> None:
    bench.open()
    attempt, sent_under = bench.model.attempt_id, bench.model.lock.handle
    bench.branch.unreachable = True
    bench.model.pay()
    bench.branch.unreachable, bench.branch.under_way = False, True
    bench.pass_time(30)
    assert bench.model.phase is Phase.UNKNOWN
    bench.branch.under_way = False
    bench.pass_time(3)
    assert bench.model.phase is Phase.OPEN
    assert bench.model.notice is Notice.NOT_WRITTEN
    assert bench.model.lock.handle != sent_under, "what was sent under the old token finds no lock any more"
    assert bench.model.lock.seconds_left() == 60
    bench.model.pay()
    assert bench.branch.settled == [attempt]
    assert len(bench.branch.payments) == 1


def test_a_lost_answer_whose_lock_is_gone_is_not_written_and_the_lock_is_lost(bench: Bench) -> None:
    bench.open()
    bench.branch.unreachable = True
    bench.model.pay()
    bench.branch.unreachable = False
    bench.branch.lock_by(BUDI, "sari", "Sari", "Kasir 2")
    bench.pass_time(3)
    assert bench.model.phase is Phase.LOST
    assert bench.model.notice is Notice.NOT_WRITTEN


def test_a_screen_left_while_it_asks_for_a_lost_attempt_keeps_no_lock(bench: Bench, held_runner: HeldRunner) -> None:
    bench.model.open(BUDI)
    while held_runner.waiting:
        held_runner.go_on()
    bench.model.set_received(1_500_000)
    bench.branch.unreachable = True
    bench.model.pay()
    held_runner.go_on()
    assert bench.model.phase is Phase.UNKNOWN
    bench.branch.unreachable = False
    bench.model.check_outcome()
    bench.model.release()
    while held_runner.waiting:
        held_runner.go_on()
    assert bench.model.phase is Phase.CLOSED  # type: ignore[comparison-overlap]
    assert bench.branch.locks == {}  # type: ignore[unreachable]
    assert bench.model.lock.handle is None


def test_a_beat_refused_because_we_paid_is_no_lost_lock(bench: Bench, held_runner: HeldRunner) -> None:
    bench.model.open(BUDI)
    while held_runner.waiting:
        held_runner.go_on()
    bench.model.set_received(1_500_000)
    bench.model.pay()
    bench.hearts.last.lost.emit(Refusal(RefusalCode.LOCK_LOST, reason="lost"))
    assert bench.model.phase is Phase.COMMITTING
    while held_runner.waiting:
        held_runner.go_on()
    assert bench.model.phase is Phase.PAID


def test_locking_again_finds_that_the_own_attempt_was_written(bench: Bench) -> None:
    bench.open()
    bench.branch.lose_answer = True
    handle = bench.model.lock.handle
    assert handle is not None
    with pytest.raises(Refusal):
        bench.branch.settle(handle, bench.model.attempt_id, (_cash(1_500_000),))
    bench.hearts.last.beat()
    assert bench.model.phase is Phase.LOST
    bench.model.lock_again()
    assert bench.model.phase is Phase.PAID


def test_an_invoice_paid_by_somebody_else_meanwhile_is_not_paid_again(bench: Bench) -> None:
    bench.open()
    handle = bench.model.lock.handle
    assert handle is not None
    bench.branch.settle(handle, "00000000-0000-4000-8000-00000000abcd", (_cash(1_497_500),))
    bench.hearts.last.beat()
    bench.model.lock_again()
    assert bench.model.phase is Phase.LOST
    assert bench.model.notice is Notice.PAID_ELSEWHERE
    assert len(bench.branch.payments) == 1


def test_each_opening_has_an_attempt_of_its_own(bench: Bench) -> None:
    bench.open()
    first = bench.model.attempt_id
    bench.model.release()
    bench.open()
    assert bench.model.attempt_id != first


# --- looking only ----------------------------------------------------------------------------------------------------


def test_looking_takes_no_lock_and_pays_nothing(bench: Bench) -> None:
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    bench.model.view(BUDI)
    bench.model.set_received(1_500_000)
    bench.model.pay()
    assert bench.model.phase is Phase.VIEWING
    assert bench.branch.locks[BUDI].by == "siti"
    assert bench.branch.rows[BUDI].state is InvoiceState.OPEN
    assert bench.model.lock_state() is None


def test_the_server_s_time_runs_on_from_the_invoice(bench: Bench) -> None:
    bench.open()
    before = bench.model.server_time()
    bench.clocks.advance(10)
    assert bench.model.server_time() - before == dt.timedelta(seconds=10)


def _cash(amount: int) -> Tender:
    return Tender(kind=TenderKind.CASH, amount=Rupiah(amount))
