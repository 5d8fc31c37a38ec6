"""What the settlement screen shows of one invoice: money, lock, clocks; no use case is called here."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.desktop.heartbeat import Clocks, system_clocks
from app.desktop.screens.settlement_lock import KeptLock, MakeHeartbeat
from app.desktop.screens.settlement_phase import (
    BIG_CASH,
    BIG_CHANGE,
    MANY_TIMES_DUE,
    Notice,
    Phase,
    SettlementCounter,
    TotalChange,
)
from app.desktop.screens.settlement_tendering import Tendering
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal
from app.domain.invoice import InvoiceState, Tender, TenderKind, notes_to_return
from app.domain.lock import IDLE_LIMIT_SECONDS, IDLE_WARNING_SECONDS, LockState, may_pay, state_of
from app.domain.money import ZERO, Rupiah
from app.domain.tender import NEEDS_WORD
from app.usecases.rows import InvoiceDetail
from app.usecases.settlement import Receipt


class SettlementState(ViewModel):
    """Attributes and questions of the settlement view model; the commands that change them are in the subclass."""

    ticked = Signal()
    opened = Signal()
    not_opened = Signal(object)
    lock_lost = Signal()
    shift_needed = Signal(object)
    outcome_unknown = Signal()
    paid = Signal(object)
    released = Signal()
    card_unrecorded = Signal(object)
    """Tenders of cards that were charged for an invoice that cannot be paid any more."""

    def __init__(
        self,
        counter: SettlementCounter,
        clocks: Clocks | None,
        make_heartbeat: MakeHeartbeat,
        new_id: Callable[[], str],
        parent: QObject | None,
    ) -> None:
        super().__init__(parent)
        self._settlement = counter.settlement
        self.who = counter.who
        self._clocks = clocks or system_clocks()
        self._new_id = new_id
        self.lock = KeptLock(counter.settlement, self._clocks, make_heartbeat, self)
        self._read_at = 0.0
        self._paid_at = 0.0
        self._kept: dict[str, Tendering] = {}
        """By invoice: what was typed when its screen was left without paying. Never outlives this person's session."""
        self.is_online = True
        self._reset()

    def _reset(self) -> None:
        """No invoice."""
        self._leaving = False
        self._asked_at = 0.0
        self._last_check_at = 0.0
        self.phase = Phase.CLOSED
        self.invoice_id = ""
        self.attempt_id = ""
        self.detail: InvoiceDetail | None = None
        self.tendering = Tendering()
        self.receipt: Receipt | None = None
        self.notice = Notice.NONE
        self.refusal: Refusal | None = None
        self.total_change: TotalChange | None = None
        self.lost_reason = ""
        self.lost_at = 0.0

    @property
    def received(self) -> Rupiah | None:
        """Cash as it was typed."""
        return self.tendering.received

    @property
    def step(self) -> int:
        """What the branch rounds cash to, in Rupiah; 0 for not at all."""
        return self.who.branch.cash_rounding

    @property
    def left(self) -> Rupiah:
        """What the way chosen now has to bring; once paid, what was paid."""
        return self.due if self.is_paid else self.tendering.left(self.due, self.step)

    @property
    def rounding(self) -> Rupiah:
        """What is added to the sum so that notes and coins can pay it."""
        return ZERO if self.is_paid else self.tendering.rounding(self.due, self.step)

    def wants_word(self) -> bool:
        """The way chosen now needs a manager's approval, which is not there yet."""
        return self.tendering.method in NEEDS_WORD and not self.tendering.slip.word

    def waits_for_code(self) -> bool:
        """A code is shown instead: its money comes by itself."""
        return False

    def current(self) -> Tender | None:
        """The tender that stands there now."""
        return self.tendering.current(self.due, self.step)

    @property
    def due(self) -> Rupiah:
        """What is to be paid; once paid, what was."""
        if self.detail is None:
            return ZERO
        row = self.detail.row
        return Rupiah(row.total if row.state is InvoiceState.PAID else row.total - row.paid)

    @property
    def is_paid(self) -> bool:
        """Whether nothing is owed any more: settled just now, or looked at afterwards."""
        return self.phase is Phase.PAID or (self.detail is not None and self.detail.row.state is InvoiceState.PAID)

    @property
    def handed_over(self) -> Rupiah | None:
        """What was typed; of an invoice that was paid earlier, what was recorded."""
        if self.received is not None or self.detail is None or not self.is_paid or not self.detail.payments:
            return self.received
        return Rupiah(sum(tender.received for tender in self.detail.payments[-1].tenders))

    @property
    def change(self) -> Rupiah:
        """What goes back to the customer; the recorded one once paid."""
        if self.receipt is not None:
            return self.receipt.change
        if self.is_paid and self.detail is not None:
            return self.detail.payments[-1].change if self.detail.payments else ZERO
        if self.tendering.method is not TenderKind.CASH:
            return ZERO
        return Rupiah(max(0, (self.received or 0) - self.left))

    @property
    def missing(self) -> Rupiah:
        return Rupiah(max(0, self.left - self.tendering.amount(self.due, self.step)))

    @property
    def excess(self) -> Rupiah:
        """More than is owed, by a way that gives no change."""
        if self.tendering.method is TenderKind.CASH:
            return ZERO
        return Rupiah(max(0, self.tendering.amount(self.due, self.step) - self.left))

    def notes(self) -> dict[int, int]:
        return notes_to_return(self.change)

    def server_time(self, boot: float | None = None) -> dt.datetime:
        """The server's time at a reading of the suspend-proof clock, by default now. Only while an invoice is shown."""
        if self.detail is None:
            raise RuntimeError("the server's time is known from the invoice")
        return self.detail.now + dt.timedelta(seconds=(self._clocks.boot() if boot is None else boot) - self._read_at)

    def boot_time(self) -> float:
        """The suspend-proof clock, in seconds."""
        return self._clocks.boot()

    def lock_state(self) -> LockState | None:
        """What the chip shows; None while no lock is wanted (read-only view, closed)."""
        match self.phase:
            case Phase.CLOSED | Phase.VIEWING:
                return None
            case Phase.OPEN:
                return state_of(self.lock.seconds_left())
            case Phase.UNKNOWN:
                return LockState.UNKNOWN_OUTCOME
            case _:
                return LockState[self.phase.name]

    def may_pay(self) -> bool:
        """Whether Bayar may be pressed now; pressing asks again."""
        return (
            self.phase is Phase.OPEN
            and may_pay(state_of(self.lock.seconds_left()))
            and self.lock.clock_trusted
            and self.is_online
            and self.current() is not None
            and self.missing == 0
            and self.excess == 0
            and self.tendering.problem(self.due, self.step) is None
            and not self.waits_for_code()
            and not self.wants_word()
            and self.due > 0
        )

    def is_unusual(self) -> bool:
        """Amounts that are asked again: cash or change above a limit, or many times what is due."""
        if self.tendering.method is not TenderKind.CASH:
            return False
        received = self.received or 0
        many = self.left > 0 and received > MANY_TIMES_DUE * self.left
        return received > BIG_CASH or self.change > BIG_CHANGE or many

    def idle_left(self) -> float | None:
        """Seconds until renewing stops for lack of input; None until two minutes before."""
        idle = self.lock.idle_seconds()
        if self.phase is not Phase.OPEN or idle < IDLE_WARNING_SECONDS:
            return None
        return max(0.0, IDLE_LIMIT_SECONDS - idle)

    def seconds_since_paid(self) -> float:
        """For the change, which stays until the next deliberate key."""
        return self._clocks.boot() - self._paid_at

    @property
    def is_saving(self) -> bool:
        """A payment is on its way: the screen must not be left now."""
        return self.phase is Phase.COMMITTING
