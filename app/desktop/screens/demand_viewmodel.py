"""Maintenance blocks and places on the waitlist from the grid, each with its undo; and other branches' free units."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.viewmodel import ViewModel
from app.domain.catalogue import MaintenanceState
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.maintenance import BlockedUnit, MaintenanceRow
from app.usecases.rows import Bar, Blocker, CustomerHit, FleetUnit
from app.usecases.rows_maintenance import BranchRow
from app.usecases.rows_waitlist import WaitlistRow
from app.usecases.waitlist import JoinedWaitlist, WaitlistWish

Elsewhere = Sequence[tuple[BranchRow, int, FleetUnit]]


class BlockUseCases(Protocol):
    def block_unit(
        self, unit_id: str, days: Days, reason: str, breakdown: bool = False, block_id: str | None = None
    ) -> BlockedUnit: ...

    def end_block(self, block_id: str) -> BlockedUnit: ...

    def blocks(self, window: Days) -> tuple[MaintenanceRow, ...]: ...


class WaitlistUseCases(Protocol):
    def join_waitlist(self, wish: WaitlistWish) -> JoinedWaitlist: ...

    def withdraw_waitlist(self, entry_id: str) -> None: ...

    def entries(self, sku: str | None = None) -> Sequence[WaitlistRow]: ...


class RefusalUseCases(Protocol):
    def record(self, no: Refusal, order_id: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedBlock:
    """A block as it was asked for. `id` makes sending it again safe."""

    id: str
    unit_id: str
    plate: str
    days: Days
    reason: str


class DemandViewModel(ViewModel):
    """`blocked` and `block_ended` carry a BlockedUnit, `block_refused` (WantedBlock, Refusal), `block_found` (the Bar
    asked about, its MaintenanceRow or None), `joined` a JoinedWaitlist, `withdrawn` an entry's id, `elsewhere_found`
    (sku, period, what other branches have free), `people_found` (what was typed, the customers it may be), `told_who`
    (unit's id, the Blockers of the days that were asked about). `join_refused` (WaitlistWish, Refusal) for a phone that
    is somebody else's. `block_lost` (WantedBlock) and `join_lost` (WaitlistWish, when it was sent): without an answer.
    """

    blocked = Signal(object)
    block_refused = Signal(object, object)
    block_ended = Signal(object)
    block_found = Signal(object, object)
    joined = Signal(object)
    join_refused = Signal(object, object)
    block_lost = Signal(object)
    join_lost = Signal(object, object)
    withdrawn = Signal(str)
    elsewhere_found = Signal(str, object, object)
    people_found = Signal(str, object)
    told_who = Signal(str, object)

    def __init__(
        self,
        maintenance: BlockUseCases,
        waitlist: WaitlistUseCases,
        free_elsewhere: Callable[[str, RentalPeriod], Elsewhere],
        find_customers: Callable[[str], Sequence[CustomerHit]],
        blockers: Callable[[str, Days], Sequence[Blocker]],
        refusals: RefusalUseCases,
        now: Callable[[], dt.datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._maintenance = maintenance
        self._waitlist = waitlist
        self._free_elsewhere = free_elsewhere
        self._find_customers = find_customers
        self._blockers = blockers
        self._refusals = refusals
        self._now = now

    @reload_command
    async def look_for(self, text: str) -> None:
        """Who may have this number; of several asked in a row the last one is answered."""
        self.people_found.emit(text, await call(self._find_customers, text))

    @reload_command
    async def ask_who(self, unit_id: str, days: Days) -> None:
        """Who took these days, when, and where; of several asked in a row the last one is answered."""
        self.told_who.emit(unit_id, tuple(await call(self._blockers, unit_id, days)))

    @command
    async def block(self, wanted: WantedBlock) -> None:
        """Take a unit out of rent for these days."""
        try:
            done = await call(
                self._maintenance.block_unit, wanted.unit_id, wanted.days, wanted.reason, block_id=wanted.id
            )
        except Refusal as no:
            if no.code is RefusalCode.UNREACHABLE:
                self.block_lost.emit(wanted)
            else:
                self.block_refused.emit(wanted, no)
        else:
            self.blocked.emit(done)

    @command
    async def end_block(self, block_id: str) -> None:
        """End a block now, or call it off before it began; also the undo of `block`."""
        self.block_ended.emit(await call(self._maintenance.end_block, block_id))

    @reload_command
    async def find_block(self, seen: Bar) -> None:
        """Which block a bar of the grid is: the one with its days and its reason, never another that lies there."""
        rows = await call(self._maintenance.blocks, seen.days)
        self.block_found.emit(seen, next((row for row in rows if _is_same(row, seen)), None))

    @command
    async def join(self, wish: WaitlistWish) -> None:
        """Put a customer on the waitlist."""
        sent_at = self._now()
        try:
            joined = await call(self._waitlist.join_waitlist, wish)
        except Refusal as no:
            if no.code is RefusalCode.UNREACHABLE:
                self.join_lost.emit(wish, sent_at)
            elif no.code is RefusalCode.DUPLICATE and no.field == "customer.phone":
                self.join_refused.emit(wish, no)
            else:
                raise
        else:
            self.joined.emit(joined)

    @command
    async def record_lost(self, lost: Refusal, order_id: str) -> None:
        """Days that were taken while they were being chosen are refused demand, too: of the order they were for."""
        await call(self._refusals.record, lost, order_id)

    @command
    async def withdraw(self, entry_id: str) -> None:
        """Take an entry off the waitlist; also the undo of `join`."""
        await call(self._waitlist.withdraw_waitlist, entry_id)
        self.withdrawn.emit(entry_id)

    @command
    async def look_elsewhere(self, sku: str, period: RentalPeriod) -> None:
        """What other branches have free of a SKU."""
        self.elsewhere_found.emit(sku, period, await call(self._free_elsewhere, sku, period))


def _is_same(row: MaintenanceRow, seen: Bar) -> bool:
    """Booked days inside a breakdown's estimate cut its bar into pieces: each of them is the whole block."""
    is_open = row.state in (MaintenanceState.SCHEDULED, MaintenanceState.RUNNING)
    is_here = row.unit_id == seen.unit_id and row.days.first <= seen.days.first and seen.days.last <= row.days.last
    return is_open and is_here and row.reason == seen.note
