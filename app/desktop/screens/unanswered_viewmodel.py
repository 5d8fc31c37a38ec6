"""Changes, blocks and joins whose answer was lost: asked for until it is known whether they were written."""

import datetime as dt
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command
from app.desktop.screens.changes_viewmodel import Change, ChangeUseCases, DoneChange
from app.desktop.screens.demand_viewmodel import WantedBlock
from app.desktop.typed import typed_phone
from app.desktop.viewmodel import ViewModel
from app.desktop.widgets.month_grid_ghost import rented
from app.domain.booking import Action, BookingState
from app.domain.catalogue import MaintenanceState
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.maintenance import BlockedUnit, MaintenanceRow
from app.usecases.rows import Bar
from app.usecases.rows_changes import ChangedBooking
from app.usecases.rows_waitlist import WaitlistRow
from app.usecases.waitlist import JoinedWaitlist, WaitlistWish

log = logging.getLogger(__name__)

ASK_MS = 3200
"""A little more than what a write may still wait for its days: one that is not there twice was not written."""
ASKS_UNTIL_NOT_WRITTEN = 2
CLOCKS_APART = dt.timedelta(seconds=5)
OPEN_BLOCKS = frozenset({MaintenanceState.SCHEDULED, MaintenanceState.RUNNING})


class _Blocks(Protocol):
    def blocks(self, window: Days) -> Sequence[MaintenanceRow]: ...


class _Places(Protocol):
    def entries(self, sku: str | None = None) -> Sequence[WaitlistRow]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LostChange:
    """A change that was sent, and as what."""

    change: Change
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class LostJoin:
    """A wish that was sent at `sent_at` of the server's clock: a place that is older was there before."""

    wish: WaitlistWish
    sent_at: dt.datetime


Lost = LostChange | LostJoin | WantedBlock


def key_of(lost: Lost) -> object:
    """What the same thing sent again has in common."""
    match lost:
        case LostChange():
            return lost.change.booking_id
        case LostJoin():
            return lost.wish
        case _:
            return lost.id


class UnansweredViewModel(ViewModel):
    """`waiting` with a Lost when its answer was lost. Then one of: `change_found` with a DoneChange whose price is not
    known, `block_found` with a BlockedUnit, `join_found` with a JoinedWaitlist, or `not_written` with the Lost.

    Only reads, except that an extension is asked for again where it stands already, which answers with its invoice.
    A booking that somebody changed meanwhile is not taken for what was asked. Asked every few seconds while the server
    is away; "not there" counts after two answers.
    """

    waiting = Signal(object)
    change_found = Signal(object)
    block_found = Signal(object)
    join_found = Signal(object)
    not_written = Signal(object)

    def __init__(
        self,
        changes: ChangeUseCases,
        blocks: _Blocks,
        places: _Places,
        bars: Callable[[Days], Sequence[Bar]],
        now: Callable[[], dt.datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._changes, self._blocks, self._places = changes, blocks, places
        self._bars, self._now = bars, now
        self._open: dict[object, tuple[Lost, int]] = {}
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(ASK_MS)
        self._wait.timeout.connect(self.ask_again)

    def note(self, lost: Lost) -> None:
        """Nobody answered this; whether it was written is asked for from now on."""
        self._open[key_of(lost)] = (lost, 0)
        self._wait.start()
        self.waiting.emit(lost)

    def forget(self, key: object) -> None:
        """The same thing was sent again and answered."""
        self._open.pop(key, None)

    def forget_joins(self, entry: WaitlistRow) -> None:
        """This place is known by now."""
        for lost, _ in tuple(self._open.values()):
            if isinstance(lost, LostJoin) and lost.wish.sku == entry.sku and _is_place_of(entry, lost.wish):
                self.forget(key_of(lost))

    def ask_again(self) -> None:
        """The pause is over."""
        if self._open and not self.resolve() and not self.is_closed:
            self._wait.start()

    @command
    async def resolve(self) -> None:
        """Ask for everything that is open."""
        try:
            for key in tuple(self._open):
                await self._ask(key)
        except Refusal as no:
            # Only the server's answers count, and only one after the other.
            log.info("whether something was written is still unknown: %s", no.code)
            self._open = {key: (lost, 0) for key, (lost, _) in self._open.items()}
        if self._open and not self.is_closed:
            self._wait.start()

    def close(self) -> None:
        self._wait.stop()
        super().close()

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _ask(self, key: object) -> None:
        lost, count = self._open[key]
        found: Callable[[], None] | None
        match lost:
            case LostChange():
                found = await self._ask_change(lost)
            case LostJoin():
                found = await self._ask_join(lost)
            case _:
                found = await self._ask_block(lost)
        if key not in self._open:
            return  # answered meanwhile
        if found is None and count + 1 < ASKS_UNTIL_NOT_WRITTEN:
            self._open[key] = (lost, count + 1)
            return
        del self._open[key]
        if found is not None:
            found()
        else:
            self.not_written.emit(lost)

    async def _ask_change(self, lost: LostChange) -> Callable[[], None] | None:
        change = lost.change
        bars = await call(self._bars, change.days)
        bar = next((bar for bar in bars if _is_next_of(bar, change)), None)
        if bar is None or bar.version is None:
            return None
        if lost.action is not Action.REQUEST_EXTENSION:
            if (bar.unit_id, rented(bar)) != (change.unit_id, change.days):
                return None
            booking = _changed(change, bar, self._now())
        elif bar.state is BookingState.EXTENSION_PENDING:
            again = partial(self._changes.request_extension, change.booking_id, change.days.last, version=bar.version)
            try:
                booking = await call(again)
            except Refusal as no:
                if no.code is RefusalCode.UNREACHABLE:
                    raise
                return None  # another extension than this one stands, or it ended
        else:
            return None
        return lambda: self.change_found.emit(DoneChange(change=change, action=lost.action, booking=booking))

    async def _ask_block(self, wanted: WantedBlock) -> Callable[[], None] | None:
        rows = await call(self._blocks.blocks, wanted.days)
        row = next((row for row in rows if row.id == wanted.id and row.state in OPEN_BLOCKS), None)
        if row is None:
            return None
        return lambda: self.block_found.emit(BlockedUnit(row=row, blockers=(), projections=(), freed=()))

    async def _ask_join(self, lost: LostJoin) -> Callable[[], None] | None:
        rows = await call(self._places.entries, lost.wish.sku)
        row = next((row for row in rows if _is_place_of(row, lost.wish)), None)
        if row is None:
            return None
        joined = JoinedWaitlist(entry=row, already=row.joined_at < lost.sent_at - CLOCKS_APART, mirrored=None)
        return lambda: self.join_found.emit(joined)


def _is_place_of(row: WaitlistRow, wish: WaitlistWish) -> bool:
    if wish.customer_id is not None:
        is_theirs = row.customer_id == wish.customer_id
    else:
        is_theirs = typed_phone(row.customer_phone) == typed_phone(wish.customer_phone or "")
    return is_theirs and row.period.first == wish.period.first


def _is_next_of(bar: Bar, change: Change) -> bool:
    """The booking as exactly one change left it; not the part of a rental that was on another unit before a swap."""
    is_next = change.version is not None and bar.version == change.version + 1
    return is_next and bar.booking_id == change.booking_id and bar.state is not BookingState.COMPLETED


def _changed(change: Change, bar: Bar, now: dt.datetime) -> ChangedBooking:
    """What the bar tells of a change; its order and its price it does not."""
    return ChangedBooking(
        booking_id=change.booking_id,
        number=bar.number or change.number,
        order_id="",
        state=bar.state or BookingState.PENDING_PAYMENT,
        version=bar.version or 1,
        unit_id=bar.unit_id,
        period=change.period,
        invoice_id=None,
        difference=Rupiah(0),
        payment_deadline=bar.payment_deadline,
        projections=(),
        freed=(),
        now=now,
    )
