"""The branch's invoices as a list: what is owed, until when, and who holds which lock, live."""

import datetime as dt
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, reload_command
from app.desktop.heartbeat import Clocks, system_clocks
from app.desktop.screens.settlement_phase import SettlementCounter
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceKind, InvoiceState
from app.domain.lock import LATE_BELOW_SECONDS, TTL_SECONDS
from app.domain.money import Rupiah
from app.domain.staff import Role
from app.usecases.ports import Store
from app.usecases.rows import InvoiceRow

POLL_MS = 5_000
DEBOUNCE_MS = 150
FINES = frozenset({InvoiceKind.FINE, InvoiceKind.POST_RENTAL})


class InvoicesCounter(SettlementCounter, Protocol):
    """The part of a counter that the list needs: `store` for the server's clock only."""

    @property
    def store(self) -> Store: ...


class Segment(StrEnum):
    UNPAID = "unpaid"
    DUE_TODAY = "due_today"
    FINES = "fines"
    PAID_TODAY = "paid_today"


class SortBy(StrEnum):
    NUMBER = "number"
    CUSTOMER = "customer"
    DUE = "due"
    AMOUNT = "amount"


class InvoicesViewModel(ViewModel):
    """Reads again on change hints, every 5 s while shown, and on F5; the selected invoice stays selected.

    `freed` carries the row of an invoice somebody asked to be told about: its lock is gone, nothing was taken.
    """

    ticked = Signal()
    freed = Signal(object)

    def __init__(self, counter: InvoicesCounter, clocks: Clocks | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counter = counter
        self._clocks = clocks or system_clocks()
        self.zone = counter.who.branch.zone
        self._read_at = 0.0
        self._now = dt.datetime.fromtimestamp(0, dt.UTC)
        self._watched: set[str] = set()
        self._wants_paid = True
        self._open: tuple[InvoiceRow, ...] = ()
        self._paid: tuple[InvoiceRow, ...] = ()
        self.rows: tuple[InvoiceRow, ...] = ()
        self.is_loaded = False
        self.segment = Segment.UNPAID
        self.filter_text = ""
        self.sort_by = SortBy.DUE
        self.descending = False
        self.selected_id: str | None = None
        self.stopped: Refusal | None = None
        """Why the invoice of the row card did not open (LOCK_HELD, LOCK_MINE_ELSEWHERE); the card is open while set."""
        self._stopped_at = 0.0
        self._poll = self._timer(POLL_MS, self.reload)
        self._tick = self._timer(1_000, self.tick)
        self._settle_down = self._timer(DEBOUNCE_MS, self.reload)
        self._settle_down.setSingleShot(True)

    # --- what the screen shows ---------------------------------------------------------------------------------------

    @property
    def may_settle(self) -> bool:
        return Role.CASHIER in self._counter.who.roles

    def now(self) -> dt.datetime:
        """The server's time: as read, plus what passed here since."""
        return self._now + dt.timedelta(seconds=self._clocks.boot() - self._read_at)

    def shown(self) -> tuple[InvoiceRow, ...]:
        """The rows of the segment that match the typed text, in order."""
        wanted = self.filter_text.casefold().split()
        found = [row for row in self.rows if self.is_in(row, self.segment) and _matches(row, wanted)]
        found.sort(key=self._sort_key, reverse=self.descending)
        return tuple(found)

    def count(self, segment: Segment) -> int:
        return sum(self.is_in(row, segment) for row in self.rows)

    def is_in(self, row: InvoiceRow, segment: Segment) -> bool:
        if segment is Segment.PAID_TODAY:
            return row.state is InvoiceState.PAID
        if row.state is not InvoiceState.OPEN:
            return False
        match segment:
            case Segment.DUE_TODAY:
                return row.due_at is not None and self._day(row.due_at) == self._day(self.now())
            case Segment.FINES:
                return row.kind in FINES
            case _:
                return True

    def owed(self) -> Rupiah:
        """The sum of what is shown: still owed, or paid in the segment of paid ones."""
        paid = self.segment is Segment.PAID_TODAY
        return Rupiah(sum(row.paid if paid else row.total - row.paid for row in self.shown()))

    def locked_by_others(self) -> int:
        return sum(self.lock_seconds(row) > 0 and not row.locked_by_me for row in self.shown())

    def lock_seconds(self, row: InvoiceRow) -> float:
        """What its lock lasts at most, if nobody renews it."""
        if row.lock_remaining_ms <= 0:
            return 0.0
        return max(0.0, row.lock_remaining_ms / 1000 - (self._clocks.boot() - self._read_at))

    def is_renewed(self, row: InvoiceRow) -> bool:
        """True while its holder keeps renewing: then the seconds would be a false countdown."""
        if row.locked_at is None or self.lock_seconds(row) <= LATE_BELOW_SECONDS:
            return False
        until = self._now + dt.timedelta(milliseconds=row.lock_remaining_ms)
        return (until - row.locked_at).total_seconds() > TTL_SECONDS + 1

    def selected(self) -> InvoiceRow | None:
        return next((row for row in self.rows if row.id == self.selected_id), None)

    def stopped_row(self) -> InvoiceRow | None:
        """The row under which the card stands."""
        if self.stopped is None:
            return None
        return next((row for row in self.shown() if row.id == self.stopped.params.get("invoice_id")), None)

    def stopped_seconds(self) -> float:
        """What the holder's lock still lasts at most: the newest reading of the list, else the refusal's own."""
        row = self.stopped_row()
        if row is not None and self._read_at >= self._stopped_at:
            return self.lock_seconds(row)
        remaining = self.stopped.params.get("remaining_ms") if self.stopped else 0
        milliseconds = remaining if isinstance(remaining, int) else 0
        return max(0.0, milliseconds / 1000 - (self._clocks.boot() - self._stopped_at))

    def is_watched(self, invoice_id: str) -> bool:
        return invoice_id in self._watched

    # --- choosing ----------------------------------------------------------------------------------------------------

    def choose_segment(self, segment: Segment) -> None:
        self.segment = segment
        self._keep_selection()
        self.changed.emit()

    def filter(self, text: str) -> None:
        self.filter_text = text
        self._keep_selection()
        self.changed.emit()

    def sort(self, by: SortBy) -> None:
        """Sort by a column; the same column again turns the order round."""
        self.descending = not self.descending if by is self.sort_by else False
        self.sort_by = by
        self.changed.emit()

    def select(self, invoice_id: str | None) -> None:
        if invoice_id != self.selected_id:
            self.selected_id = invoice_id
            self.changed.emit()

    def select_next_of(self, invoice_id: str) -> None:
        """After paying: the invoice below becomes the selected one, else the one above."""
        ids = [row.id for row in self.shown()]
        if invoice_id in ids:
            place = ids.index(invoice_id)
            rest = ids[place + 1 :] or ids[:place][::-1]
            self.selected_id = rest[0] if rest else None
            self.changed.emit()

    # --- the row card ------------------------------------------------------------------------------------------------

    def stop_at(self, refusal: Refusal) -> None:
        """An invoice did not open because of its lock: the card under its row says so."""
        if refusal.code in (RefusalCode.LOCK_HELD, RefusalCode.LOCK_MINE_ELSEWHERE):
            self.stopped, self._stopped_at = refusal, self._clocks.boot()
            self.selected_id = str(refusal.params.get("invoice_id"))
            self.changed.emit()

    def close_card(self) -> None:
        self.stopped = None
        self.changed.emit()

    def tell_me(self, invoice_id: str) -> None:
        """Say so (`freed`) when this invoice's lock is gone. It is never taken."""
        self._watched.add(invoice_id)
        self.close_card()

    # --- reading -----------------------------------------------------------------------------------------------------

    @reload_command
    async def reload(self) -> None:
        """Read the list again; what is typed, chosen and selected stays."""
        sent_at = self._clocks.boot()
        with_paid, self._wants_paid = self._wants_paid, False
        self._open, now = await call(self._read_open)
        self._now, self._read_at = now, sent_at
        if with_paid:
            self._paid = await call(self._read_paid_today, now)
        settled = {row.id for row in self._open}
        self.rows = (*self._open, *(row for row in self._paid if row.id not in settled))
        self.is_loaded = True
        self._keep_selection()
        self._tell_freed()

    def hint(self, invoice_id: str = "") -> None:
        """Something about an invoice changed somewhere: read soon, once for many hints."""
        self._wants_paid = True
        if not self._settle_down.isActive():
            self._settle_down.start()

    def refresh(self) -> None:
        """Read everything again; what was paid today too, which the polling of locks leaves out."""
        self._wants_paid = True
        self.reload()

    def show(self) -> None:
        """The list is on the screen: read now, poll the locks, run the countdowns."""
        self.refresh()
        self._poll.start()
        self._tick.start()

    def hide(self) -> None:
        """Nobody sees the list. Watched locks are still polled."""
        self._tick.stop()
        if not self._watched:
            self._poll.stop()

    def tick(self) -> None:
        """Once a second: countdowns step; a card whose lock ran out is read again at once."""
        if self.stopped is not None and self.stopped_seconds() <= 0:
            self.hint()
        self.ticked.emit()

    def close(self) -> None:
        for timer in (self._poll, self._tick, self._settle_down):
            timer.stop()
        super().close()

    # --- steps -------------------------------------------------------------------------------------------------------

    def _read_open(self) -> tuple[tuple[InvoiceRow, ...], dt.datetime]:
        now = self._counter.store.read.now()
        return self._counter.settlement.invoices((InvoiceState.OPEN,)), now

    def _read_paid_today(self, now: dt.datetime) -> tuple[InvoiceRow, ...]:
        midnight = dt.datetime.combine(self._day(now), dt.time(), self.zone)
        return self._counter.settlement.invoices((InvoiceState.PAID,), midnight)

    def _tell_freed(self) -> None:
        by_id = {row.id: row for row in self.rows}
        for invoice_id in tuple(self._watched):
            row = by_id.get(invoice_id)
            if row is None or row.state is not InvoiceState.OPEN or self.lock_seconds(row) <= 0:
                self._watched.discard(invoice_id)
                if row is not None:
                    self.freed.emit(row)
        stopped = self.stopped_row()
        if stopped is not None and self._read_at >= self._stopped_at and self.lock_seconds(stopped) <= 0:
            self.stopped = None
            self.freed.emit(stopped)

    def _keep_selection(self) -> None:
        ids = [row.id for row in self.shown()]
        if self.selected_id not in ids:
            self.selected_id = ids[0] if ids else None

    def _sort_key(self, row: InvoiceRow) -> tuple[object, ...]:
        match self.sort_by:
            case SortBy.NUMBER:
                return (row.booking_number,)
            case SortBy.CUSTOMER:
                return row.customer_name.casefold(), row.booking_number
            case SortBy.AMOUNT:
                return row.total - row.paid, row.booking_number
            case _:
                return row.due_at is None, row.due_at or self._now, row.booking_number

    def _day(self, moment: dt.datetime) -> dt.date:
        return moment.astimezone(self.zone).date()

    def _timer(self, milliseconds: int, run: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(milliseconds)
        timer.timeout.connect(lambda: run() and None)
        return timer


def _matches(row: InvoiceRow, words: list[str]) -> bool:
    text = f"{row.booking_number} {row.number or ''} {row.customer_name} {row.unit_plate}".casefold()
    plain = text.replace(" ", "")
    return all(word in text or word in plain for word in words)
