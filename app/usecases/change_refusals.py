"""DAYS_TAKEN of a change: what is in the way of it, how far it could go, and what can be done instead. Reads only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from app.domain.booking import BookingState
from app.domain.booking_change import RESCHEDULED, change_of, longest_last_day, remaining, taken_on
from app.domain.catalogue import UnitStatus
from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.staff import StaffMember
from app.usecases.alternatives import Alternatives, Moving, blocker_params, with_counters
from app.usecases.calendar import Calendar
from app.usecases.ports import Store
from app.usecases.rows import Blocker, FleetUnit
from app.usecases.rows_changes import ChangeBasis

OTHERS = 2
"""Other units that a refusal names."""
MOST_UNITS = 50
"""Other units that are looked at for them."""


class ChangeRefusals:
    """Builds the refusals of changes for one person's branch."""

    def __init__(self, store: Store, calendar: Calendar, who: StaffMember) -> None:
        self._store = store
        self._alternatives = Alternatives(store, calendar)
        self._branch_id = who.branch.id

    def moved(self, unit: FleetUnit, basis: ChangeBasis, period: RentalPeriod, blockers: Sequence[Blocker]) -> Refusal:
        """Of a new period: what booking it would be refused with. Its own days count as free, where it is does not."""
        standing = basis.standing
        (present,) = self._store.read.units([standing.unit_id])
        moving = Moving(
            booking_id=basis.booking_id,
            unit=present,
            period=standing.period,
            turnaround_days=standing.turnaround_days,
        )
        found = self._alternatives.taken(0, unit, period, blockers, moving=moving)
        here = (standing.unit_id, standing.period.first, standing.period.last)
        actions = tuple(
            item
            for item in found.next
            if tuple(item.params.get(name) for name in ("unit_id", "first_day", "last_day")) != here
        )
        return Refusal(found.code, field="first_day", next=actions, **found.params)

    def swapped(self, unit: FleetUnit, basis: ChangeBasis, needed: Days, blockers: Sequence[Blocker]) -> Refusal:
        """Of another unit: units of the SKU that was sold that are free for all of the days that remain."""
        standing = basis.standing
        sold = self._store.read.sku(basis.sold_sku)
        wanted = needed if sold is None else remaining(standing, taken_on(standing, sold, standing.period))
        free = self._store.read.free_units(basis.sold_sku, wanted, self._branch_id, MOST_UNITS)
        goes_out = standing.state is BookingState.ACTIVE_RENTAL
        actions = [
            NextAction("swap_unit", {"unit_id": other.unit.id, "plate": other.unit.plate})
            for other in free
            if other.unit.id not in {unit.unit.id, standing.unit_id}
            and not (goes_out and other.unit.status is UnitStatus.MAINTENANCE)
        ]
        return self._taken("unit_id", unit, needed, blockers, tuple(actions[:OTHERS]))

    def extended(self, unit: FleetUnit, basis: ChangeBasis, last_day: dt.date, blockers: Sequence[Blocker]) -> Refusal:
        """Of a later last day: how far it could go and by which change, and another unit for the booking in the way."""
        standing = basis.standing
        first = max(standing.period.last + dt.timedelta(days=1), standing.today)
        longest = longest_last_day(standing, min((item.days.first for item in blockers), default=first))
        actions = []
        if longest > standing.period.last:
            how = change_of(standing, RentalPeriod(standing.period.first, longest), standing.unit_id)
            actions.append(NextAction(how.value, {"last_day": longest}))
        actions += [action for blocker in blockers[:1] for action in self._other_unit_for(blocker, unit, basis)]
        wanted = Days(min(first, last_day), last_day)
        return self._taken("last_day", unit, wanted, blockers, tuple(actions), longest_last_day=longest)

    def _other_unit_for(self, blocker: Blocker, unit: FleetUnit, basis: ChangeBasis) -> list[NextAction]:
        """A unit that the next booking could have instead, when it has not begun (case C-17)."""
        if blocker.booking_id is None or blocker.state not in RESCHEDULED or blocker.days.first <= basis.standing.today:
            return []
        free = self._store.read.free_units(unit.sku.code, blocker.days, self._branch_id, 1)
        return [
            NextAction(
                "swap_other",
                {
                    "booking_id": blocker.booking_id,
                    "number": blocker.booking_number,
                    "unit_id": other.unit.id,
                    "plate": other.unit.plate,
                },
            )
            for other in free
        ]

    def _taken(
        self,
        field: str,
        unit: FleetUnit,
        wanted: Days,
        blockers: Sequence[Blocker],
        actions: tuple[NextAction, ...],
        **params: object,
    ) -> Refusal:
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field=field,
            next=actions,
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            sku=unit.sku.code,
            first_day=wanted.first,
            last_day=wanted.last,
            blockers=[blocker_params(item) for item in with_counters(self._store, blockers)],
            **params,
        )
