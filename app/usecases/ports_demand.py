"""Ports of waitlist, maintenance, holidays and refused demand: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Protocol

from app.domain.days import Days
from app.usecases.rows import FleetUnit, Taken
from app.usecases.rows_maintenance import BlockedUnit, BranchRow, HolidayEdit, MaintenanceRow, NewBlock
from app.usecases.rows_waitlist import (
    JoinedWaitlist,
    MirroredPlace,
    NewWaitlistEntry,
    RefusalCount,
    RefusalRow,
    RefusedWish,
    WaitlistRow,
    WithdrawnEntry,
)


class DemandTx(Protocol):
    """Writes; each locks units by id before anything else it locks."""

    def join_waitlist(self, entry: NewWaitlistEntry) -> JoinedWaitlist:
        """Write the entry, or answer the customer's open one for the same SKU and first day."""

    def withdraw_waitlist(self, entry_id: str, counter: str) -> WithdrawnEntry: ...

    def block_unit(self, block: NewBlock) -> BlockedUnit | Taken:
        """Taken: planned work over taken days; the transaction is to be rolled back."""

    def end_block(self, block_id: str, last_day: dt.date | None, counter: str) -> BlockedUnit: ...

    def edit_holiday(self, day: dt.date, name: str | None, counter: str) -> None:
        """A name for the day, or None: no holiday whatever the calendar says."""

    def record_refusal(self, wish: RefusedWish) -> bool:
        """True when it was new; the same wish again is counted once."""


class DemandReads(Protocol):
    """Plain SELECTs, each one statement and so one snapshot."""

    def waitlist(self, branch_id: str, sku: str | None) -> tuple[WaitlistRow, ...]:
        """Open entries whose first day is not past, by SKU and in the order they are asked."""

    def waiting_places(self) -> tuple[MirroredPlace, ...]:
        """Every branch's waiting entries that are not past, for the mirror (the service's right)."""

    def blocks(self, branch_id: str, window: Days) -> tuple[MaintenanceRow, ...]: ...

    def holiday_edits(self, branch_id: str, window: Days) -> tuple[HolidayEdit, ...]: ...

    def refusals(self, branch_id: str, window: Days) -> tuple[RefusalRow, ...]: ...

    def refusal_counts(self, branch_id: str, window: Days) -> tuple[RefusalCount, ...]: ...

    def free_among(self, unit_ids: Sequence[str], period: Days) -> frozenset[str]:
        """Which of these units are free for the period and their SKU's turnaround; one statement for all of them."""

    def free_of_skus(self, skus: Sequence[str], period: Days, branch_id: str) -> tuple[FleetUnit, ...]:
        """Free units of these SKUs in a branch, each with its own turnaround, by SKU name and slot."""

    def branches(self) -> tuple[BranchRow, ...]:
        """Every branch of the installation, by name."""

    def free_elsewhere(self, sku: str, taken: Days, but_not: str) -> tuple[tuple[BranchRow, int, FleetUnit], ...]:
        """Other branches with a free unit of the SKU: how many, and the first; the most first."""
