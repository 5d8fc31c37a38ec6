"""Maintenance blocks: planned work on free days, and breakdowns, which are recorded whatever is booked."""

from __future__ import annotations

import datetime as dt
import logging
import unicodedata

from app.domain.catalogue import checked_unit_id
from app.domain.days import MAX_OCCUPANCY_DAYS, Days, local_day
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.alternatives import blocker_params
from app.usecases.booking_input import check_period, checked_uuid
from app.usecases.calendar import check_window
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store, Tx
from app.usecases.rows import Taken
from app.usecases.rows_maintenance import BlockedUnit as BlockedUnit
from app.usecases.rows_maintenance import MaintenanceRow as MaintenanceRow
from app.usecases.rows_maintenance import NewBlock

log = logging.getLogger(__name__)

MAY_PLAN = frozenset({Role.AGENT, Role.INSPECTOR})
MAY_REPORT = frozenset({Role.INSPECTOR})
"""A breakdown puts bookings at risk: an inspector (or a manager, who covers one) has looked at the unit."""
MAX_REASON = 200


class Maintenance:
    """Maintenance use cases of one logged-in person at one counter."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember, counter: str, ids: Ids) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids

    def block_unit(
        self, unit_id: str, days: Days, reason: str, breakdown: bool = False, block_id: str | None = None
    ) -> BlockedUnit:
        """Take a unit of the own branch out of rent for these days. The same `block_id` again answers the first result.

        Planned work over taken days is refused DAYS_TAKEN, naming each booking; nothing is moved silently. A breakdown
        is always recorded: the unit is MAINTENANCE from now on, the free days of the estimate are blocked, and the
        bookings inside it come back as `blockers`. Their days, once they are moved or cancelled, stay blocked.
        """
        require_role(self._who, MAY_REPORT if breakdown else MAY_PLAN, "block_unit")
        wanted = checked_unit_id(unit_id)
        check_period(days, local_day(self._store.read.now(), self._who.branch.zone))
        if days.count > MAX_OCCUPANCY_DAYS:
            raise Refusal(
                RefusalCode.PERIOD_INVALID,
                field="last_day",
                reason="too_long",
                days=days.count,
                limit=MAX_OCCUPANCY_DAYS,
            )
        block = NewBlock(
            id=self._ids.uuid() if block_id is None else checked_uuid(block_id, "block_id"),
            unit_id=wanted,
            days=Days(days.first, days.last),
            reason=checked_reason(reason),
            breakdown=breakdown,
            counter=self._counter,
        )
        epoch = self._work.epoch()
        try:
            blocked = self._store.transact(lambda tx: _block_or_roll_back(block, tx), one_call=True)
        except _RolledBack as booked:
            raise self._days_taken(block, booked.taken) from None
        self._conclude(epoch, blocked)
        log.info("blocked unit %s: %s%s", wanted, blocked.row.id, ", breakdown" if breakdown else "")
        return blocked

    def end_block(self, block_id: str, last_day: dt.date | None = None) -> BlockedUnit:
        """End a block: one that has not begun is CANCELLED, one that runs is FINISHED and today is free again.

        With `last_day` (today or later, inside the block) it goes on until then and only the rest is freed. A unit that
        broke down is back IN_SERVICE. A block that ended before answers as it stands. Undo of `block_unit`, too.
        """
        require_role(self._who, MAY_PLAN, "end_block")
        wanted = checked_uuid(block_id, "block_id")
        if last_day is not None:
            check_window(Days(last_day, last_day))
        epoch = self._work.epoch()
        ended = self._store.transact(lambda tx: tx.end_block(wanted, last_day, self._counter), one_call=True)
        self._conclude(epoch, ended)
        log.info("block %s is %s", ended.row.id, ended.row.state)
        return ended

    def blocks(self, window: Days) -> tuple[MaintenanceRow, ...]:
        """Blocks of the own branch that touch the window and were not cancelled, by unit and day."""
        check_window(window)
        return self._store.read.blocks(self._who.branch.id, window)

    def _days_taken(self, block: NewBlock, taken: Taken) -> Refusal:
        (unit,) = self._store.read.units([block.unit_id])
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field="days",
            unit_id=block.unit_id,
            plate=unit.unit.plate,
            sku=unit.sku.code,
            first_day=block.days.first,
            last_day=block.days.last,
            blockers=[blocker_params(item) for item in taken.blockers],
        )

    def _conclude(self, epoch: str | None, done: BlockedUnit) -> None:
        news = [self._work.news(self._who.branch.id, "unit", done.row.unit_id)]
        self._work.conclude(epoch, done.projections, (), news)


class _RolledBack(Exception):
    """Leaves the transaction so that nothing of a refused block stays; carries what is in the way."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def _block_or_roll_back(block: NewBlock, tx: Tx) -> BlockedUnit:
    answer = tx.block_unit(block)
    if isinstance(answer, Taken):
        raise _RolledBack(answer)
    return answer


def checked_reason(text: str, field: str = "reason") -> str:
    """Why a unit is blocked: 1 to 200 characters on one line, with something to read in it."""
    said = " ".join(text.split())
    if not said:
        raise invalid(field, "empty")
    if len(said) > MAX_REASON:
        raise invalid(field, "too_long", length=len(said), most=MAX_REASON)
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"} for sign in said):
        raise invalid(field, "control_characters")
    if not any(sign.isalnum() for sign in said):
        raise invalid(field, "not_a_reason", given=said[:40])
    return said
