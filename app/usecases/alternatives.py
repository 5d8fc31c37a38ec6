"""What to offer instead when days are taken: other units, the nearest dates, another branch, and the waitlist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.usecases.calendar import Calendar
from app.usecases.ports import Store
from app.usecases.rows import Blocker, FleetUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """The booking that is moved: its own days are in nobody's way, and its turnaround stays while its SKU does."""

    booking_id: str
    unit: FleetUnit
    period: RentalPeriod
    turnaround_days: int

    def turnaround_on(self, unit: FleetUnit) -> int:
        same = unit.sku.code == self.unit.sku.code
        return self.turnaround_days if same else unit.sku.turnaround_days


class Alternatives:
    """Builds DAYS_TAKEN refusals with their next actions. Reads only."""

    def __init__(self, store: Store, calendar: Calendar) -> None:
        self._store = store
        self._calendar = calendar

    def taken(
        self,
        number: int,
        unit: FleetUnit,
        period: RentalPeriod,
        blockers: Sequence[Blocker],
        *,
        moving: Moving | None = None,
    ) -> Refusal:
        """DAYS_TAKEN: which unit, which days, what is in the way; two other free units and the nearest free dates.

        The unit of the booking that is moved is one of them when only that booking itself is in its way.
        """
        turnaround = None if moving is None else moving.turnaround_on(unit)
        free = self._calendar.free_units(unit.sku.code, period, turnaround_days=turnaround)
        others = [other for other in free if other.unit.id != unit.unit.id]
        stays_free = moving is not None and unit.unit.id != moving.unit.unit.id and self._fits(moving, unit, period)
        if moving is not None and stays_free and period != moving.period:
            others = [moving.unit, *(other for other in others if other.unit.id != moving.unit.unit.id)]
        actions = [
            NextAction(
                "use_unit",
                {
                    "unit_id": other.unit.id,
                    "plate": other.unit.plate,
                    "first_day": period.first,
                    "last_day": period.last,
                },
            )
            for other in others[:2]
        ]
        actions += [
            NextAction(
                "use_dates",
                {
                    "unit_id": unit.unit.id,
                    "plate": unit.unit.plate,
                    "first_day": stretch.first,
                    "last_day": stretch.last,
                },
            )
            for stretch in self._calendar.nearest_free(
                unit, period, turnaround_days=turnaround, but_not=None if moving is None else moving.booking_id
            )
        ]
        actions += self._elsewhere(unit.sku.code, period)
        if not others and not stays_free:
            actions.append(_join(unit.sku.code, period))
        mine = with_counters(self._store, [blocker for blocker in blockers if blocker.unit_id == unit.unit.id])
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field=f"lines[{number}]",
            next=tuple(actions),
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            sku=unit.sku.code,
            first_day=period.first,
            last_day=period.last,
            free_units=len(others),
            blockers=[blocker_params(item) for item in mine],
        )

    def _fits(self, moving: Moving, unit: FleetUnit, period: RentalPeriod) -> bool:
        """Whether the moved booking's own unit, of the SKU that is wanted, is free but for the booking itself."""
        if moving.unit.sku.code != unit.sku.code:
            return False
        taken = period.with_turnaround(moving.turnaround_days)
        rows = self._store.read.blockers([moving.unit.unit.id], taken)
        return all(row.booking_id == moving.booking_id for row in rows)

    def none_free(self, number: int, sku: str, period: RentalPeriod) -> Refusal:
        """No unit of the SKU fits: the nearest dates of the units that come free first."""
        fleet = [unit for unit in self._calendar.fleet() if unit.sku.code == sku]
        if not fleet:
            return Refusal(RefusalCode.NOT_FOUND, field=f"lines[{number}].sku", next=(), sku=sku)
        taken = period.with_turnaround(fleet[0].sku.turnaround_days)
        found = [
            (abs(stretch.first - period.first), unit, stretch)
            for unit in fleet[:30]
            for stretch in self._calendar.nearest_free(unit, period)
        ]
        found.sort(key=lambda item: (item[0], item[1].unit.slot))
        actions = [
            NextAction(
                "use_dates",
                {
                    "unit_id": unit.unit.id,
                    "plate": unit.unit.plate,
                    "first_day": stretch.first,
                    "last_day": stretch.last,
                },
            )
            for _, unit, stretch in found[:3]
        ]
        actions += [*self._elsewhere(sku, period), _join(sku, period)]
        blockers = self._store.read.blockers([unit.unit.id for unit in fleet[:10]], taken)
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field=f"lines[{number}]",
            next=tuple(actions),
            sku=sku,
            first_day=period.first,
            last_day=period.last,
            free_units=0,
            blockers=[blocker_params(item) for item in blockers],
        )

    def _elsewhere(self, sku: str, period: RentalPeriod) -> list[NextAction]:
        """The other branch with the most free units of the SKU, if any has one."""
        return [
            NextAction(
                "other_branch",
                {
                    "branch_id": branch.id,
                    "branch": branch.code,
                    "branch_name": branch.name,
                    "free_units": free,
                    "unit_id": first.unit.id,
                    "plate": first.unit.plate,
                    "first_day": period.first,
                    "last_day": period.last,
                },
            )
            for branch, free, first in self._calendar.free_elsewhere(sku, period)[:1]
        ]


def _join(sku: str, period: RentalPeriod) -> NextAction:
    """Only where no unit of the SKU fits: whoever can have a unit needs no place on the list."""
    return NextAction("waitlist", {"sku": sku, "first_day": period.first, "last_day": period.last})


def with_counters(store: Store, blockers: Sequence[Blocker]) -> tuple[Blocker, ...]:
    """The same blockers, each with the counter where it was booked, as far as the reader's branch may know it: a
    write's answer does not say."""
    if not blockers:
        return ()
    whole = Days(min(item.days.first for item in blockers), max(item.days.last for item in blockers))
    rows = store.read.blockers(sorted({item.unit_id for item in blockers}), whole)
    known = {(row.unit_id, row.kind, row.days): row.counter for row in rows}
    return tuple(replace(item, counter=known.get((item.unit_id, item.kind, item.days), "")) for item in blockers)


def blocker_params(blocker: Blocker) -> dict[str, object]:
    """A blocker as refusal parameters: plain values that a script or a sentence can use."""
    return {
        "unit_id": blocker.unit_id,
        "kind": blocker.kind.value,
        "first_day": blocker.days.first,
        "last_day": blocker.days.last,
        "number": blocker.booking_number,
        "state": blocker.state.value if blocker.state else None,
        "customer": blocker.customer_name,
        "since": blocker.since,
        "by": blocker.by,
        "counter": blocker.counter,
    }
