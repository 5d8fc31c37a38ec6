"""A unit that was scanned for somebody's days: it may be taken, or the reason why not and what to do instead."""

from __future__ import annotations

from app.domain.catalogue import UnitStatus
from app.domain.days import RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.domain.staff import StaffMember
from app.usecases.alternatives import Alternatives
from app.usecases.calendar import Calendar
from app.usecases.ports import Store
from app.usecases.rows import FleetUnit

LONGEST_CODE = 64


class Scans:
    """What a scanned unit is good for, as one logged-in person. Reads only: taking it is the booking's own step."""

    def __init__(self, store: Store, calendar: Calendar, who: StaffMember) -> None:
        self._store = store
        self._alternatives = Alternatives(store, calendar)
        self._who = who

    def unit_for(self, unit_id: str, period: RentalPeriod) -> FleetUnit:
        """The unit, when it is here, in service and free for all these days and its turnaround. Capitals and small
        letters of its code are the same: a scanner under Caps Lock swaps them.

        Refuses NOT_FOUND for no such unit, UNIT_NOT_RENTABLE for a retired one and one of another branch, DAYS_TAKEN
        naming whose days they are (promised, out, late, in maintenance), with other units and the nearest free days.
        """
        if not unit_id or len(unit_id) > LONGEST_CODE or not unit_id.isascii() or not unit_id.isprintable():
            raise invalid("unit_id", "not_a_unit", given=unit_id[:LONGEST_CODE])
        found = self._store.read.scanned(unit_id)
        if not found:
            raise Refusal(RefusalCode.NOT_FOUND, field="unit_id", next=(), unit_id=unit_id)
        (unit,) = found
        if unit.unit.status is UnitStatus.RETIRED:
            raise self._not_rentable(unit, "status")
        if unit.branch_id != self._who.branch.id:
            raise self._not_rentable(unit, "other_branch")
        blockers = self._store.read.blockers([unit.unit.id], period.with_turnaround(unit.sku.turnaround_days))
        if blockers:
            raise self._alternatives.taken(0, unit, period, blockers)
        if not self._store.read.free_among([unit.unit.id], period):
            # In maintenance without a block: nobody knows until when.
            raise self._not_rentable(unit, "status")
        return unit

    def _not_rentable(self, unit: FleetUnit, reason: str) -> Refusal:
        """With another unit of the same SKU that is free: the way on that is right for both."""
        other = NextAction("any_unit", {"sku": unit.sku.code})
        return Refusal(
            RefusalCode.UNIT_NOT_RENTABLE,
            field="unit_id",
            next=(other,),
            reason=reason,
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            status=unit.unit.status.value,
        )
