"""The calendar of a branch: month masks first (fast, from the index), names and states laid over from PostgreSQL."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.booking_change import MAX_DAYS_AHEAD
from app.domain.catalogue import UnitStatus, checked_sku
from app.domain.days import Days, RentalPeriod, YearMonth, is_taken, local_day, mask_of, runs
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import StaffMember
from app.usecases.drift import possible_months
from app.usecases.index_port import AvailabilityIndex, IndexUnreachable, Projection, SlotsForPeriod
from app.usecases.key_names import KEY_YEARS
from app.usecases.ports import Store
from app.usecases.rows import Bar, Blocker, FleetUnit
from app.usecases.rows_maintenance import BranchRow as BranchRow

log = logging.getLogger(__name__)

MAX_WINDOW_DAYS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarMasks:
    """Taken days of a window: (sku, month) → slot → mask. `from_index` is False while the index is away."""

    masks: Mapping[tuple[str, YearMonth], Mapping[int, int]]
    from_index: bool
    read_at: dt.datetime

    def is_taken(self, unit: FleetUnit, day: dt.date) -> bool:
        """A unit that is unknown counts as taken: unknown is never shown as free."""
        mask = self.masks.get((unit.sku.code, YearMonth.of(day)), {}).get(unit.unit.slot)
        return mask is None or is_taken(mask, day.day)

    def is_known(self, unit: FleetUnit, day: dt.date) -> bool:
        return unit.unit.slot in self.masks.get((unit.sku.code, YearMonth.of(day)), {})

    def left_on(self, units: Sequence[FleetUnit], day: dt.date) -> int:
        """How many of these units are free on a day (the "sisa" row)."""
        return sum(not self.is_taken(unit, day) for unit in units)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarView:
    """What the grid shows for a window. `today` is the branch's day by the database's clock."""

    window: Days
    today: dt.date
    now: dt.datetime
    fleet: tuple[FleetUnit, ...]
    masks: CalendarMasks
    bars: tuple[Bar, ...]


class Calendar:
    """Reads for the grid and the search for free units, as one logged-in person."""

    def __init__(self, store: Store, index: AvailabilityIndex, who: StaffMember) -> None:
        self._store = store
        self._index = index
        self._who = who

    def calendar(self, window: Days) -> CalendarView:
        """Fleet, masks and bars of the person's branch over `window`, both ends included.

        Refuses PERIOD_INVALID for more than 400 days and for years that no calendar of ours has.
        """
        check_window(window)
        fleet = self._store.read.fleet(self._who.branch.id)
        masks = self.masks(fleet, window)
        bars = self._store.read.bars(self._who.branch.id, window)
        now = self._store.read.now()
        return CalendarView(
            window=window,
            today=local_day(now, self._who.branch.zone),
            now=now,
            fleet=fleet,
            masks=masks,
            bars=bars,
        )

    def branches(self) -> tuple[BranchRow, ...]:
        """Every branch of the installation, the own one included, by name."""
        return self._store.read.branches()

    def fleet(self, branch_id: str | None = None) -> tuple[FleetUnit, ...]:
        """Units of the own branch, or of another one."""
        return self._store.read.fleet(branch_id or self._who.branch.id)

    def bars(self, window: Days, branch_id: str | None = None) -> tuple[Bar, ...]:
        """What the grid draws; of another branch days and kind only, without numbers, states and names."""
        check_window(window)
        return self._store.read.bars(branch_id or self._who.branch.id, window)

    def first_doubled(self, today: dt.date) -> tuple[str, Days] | None:
        """The first double claim of the own branch that ends today or later: its unit and days, near or far."""
        return self._store.read.first_doubled(self._who.branch.id, today)

    def masks(self, fleet: Sequence[FleetUnit], window: Days) -> CalendarMasks:
        """The window's masks: one pipelined read of the packed months.

        Units that the index does not know are answered by PostgreSQL and projected; with the index away PostgreSQL
        answers all of them. Months that no booking can reach are PostgreSQL's alone.
        """
        check_window(window)
        now = self._store.read.now()
        possible = frozenset(possible_months(local_day(now, self._who.branch.zone)))
        near = [month for month in window.months() if month in possible]
        far = [month for month in window.months() if month not in possible]
        masks, from_index = self._near(fleet, near) if near else ({}, True)
        if far:
            # No booking can be there: nothing of these months may enter the index, where nobody would remove it.
            _lay_over(masks, self._store.read.projections([unit.unit.id for unit in fleet], far))
        return CalendarMasks(masks=masks, from_index=from_index, read_at=now)

    def _near(
        self, fleet: Sequence[FleetUnit], months: Sequence[YearMonth]
    ) -> tuple[dict[tuple[str, YearMonth], dict[int, int]], bool]:
        """Masks of months the index may have, and whether it answered."""
        skus = list(dict.fromkeys(unit.sku.code for unit in fleet))
        try:
            epoch = self._index.epoch()
            found = self._index.months([(sku, month) for sku in skus for month in months])
        except IndexUnreachable:
            away: dict[tuple[str, YearMonth], dict[int, int]] = {}
            _lay_over(away, self._store.read.projections([unit.unit.id for unit in fleet], months))
            return away, False
        masks = {(item.sku, item.month): dict(item.masks.items()) for item in found}
        unknown = [
            unit
            for unit in fleet
            if any(unit.unit.slot not in masks.get((unit.sku.code, month), {}) for month in months)
        ]
        if unknown:
            self._learn(unknown, months, masks, epoch)
        return masks, True

    def free_units(
        self, sku: str, period: RentalPeriod, limit: int = 50, *, turnaround_days: int | None = None
    ) -> tuple[FleetUnit, ...]:
        """Units of the person's branch that are free for the whole period and its turnaround, by slot.

        `turnaround_days` are the frozen ones of a booking that is moved; else the SKU's.
        """
        _check_years(period)
        kind = self._store.read.sku(sku)
        if kind is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="sku", next=(), sku=sku)
        taken = period.with_turnaround(kind.turnaround_days if turnaround_days is None else turnaround_days)
        return self._store.read.free_units(sku, taken, self._who.branch.id, limit)

    def free_now(
        self,
        period: RentalPeriod,
        *,
        sku: str | None = None,
        category: str | None = None,
        fleet: Sequence[FleetUnit] | None = None,
    ) -> tuple[FleetUnit, ...]:
        """Units of the branch that are free for the period and their turnaround, from the packed months; a hint.

        Of one SKU, of a whole category, or of all; among `fleet` when the caller has it already. One pipelined read of
        the index however many units there are. Units that the index does not know, and those in maintenance, are
        answered by PostgreSQL; with the index away, or in months it does not keep, all of them are.
        """
        _check_years(period)
        if sku is not None:
            checked_sku(sku)
        among = [
            unit
            for unit in (self.fleet() if fleet is None else fleet)
            if (sku is None or unit.sku.code == sku) and (category is None or unit.sku.category == category)
        ]
        if not among:
            return ()
        wanted = {unit.sku.code: period.with_turnaround(unit.sku.turnaround_days) for unit in among}
        possible = frozenset(possible_months(local_day(self._store.read.now(), self._who.branch.zone)))
        if all(month in possible for days in wanted.values() for month in days.months()):
            try:
                epoch = self._index.epoch()
                slots = dict(zip(wanted, self._index.slots_of(list(wanted.items())), strict=True))
            except IndexUnreachable:
                log.info("index away: a search over %d SKUs is answered by PostgreSQL", len(wanted))
            else:
                return self._free_by_slots(among, period, slots, epoch)
        asked = {unit.unit.id for unit in among}
        found = self._store.read.free_of_skus(sorted(wanted), period, among[0].branch_id)
        return tuple(unit for unit in found if unit.unit.id in asked)

    def free_units_of_category(self, category: str, period: RentalPeriod) -> tuple[FleetUnit, ...]:
        """Free units of every SKU of a category, by SKU name and slot; NOT_FOUND for one the branch has no unit of."""
        fleet = self.fleet()
        if not any(unit.sku.category == category for unit in fleet):
            raise Refusal(RefusalCode.NOT_FOUND, field="category", next=(), category=category[:80])
        return self.free_now(period, category=category, fleet=fleet)

    def free_elsewhere(self, sku: str, period: RentalPeriod) -> tuple[tuple[BranchRow, int, FleetUnit], ...]:
        """Other branches with free units of the SKU: the branch, how many, and the first of them; the most first."""
        _check_years(period)
        kind = self._store.read.sku(checked_sku(sku))
        if kind is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="sku", next=(), sku=sku)
        taken = period.with_turnaround(kind.turnaround_days)
        return self._store.read.free_elsewhere(sku, taken, self._who.branch.id)

    def _free_by_slots(
        self, among: Sequence[FleetUnit], period: RentalPeriod, slots: Mapping[str, SlotsForPeriod], epoch: str
    ) -> tuple[FleetUnit, ...]:
        free = {sku: frozenset(found.free) for sku, found in slots.items()}
        known = {sku: free[sku].union(found.taken) for sku, found in slots.items()}
        unknown = [unit for unit in among if unit.unit.slot not in known[unit.sku.code]]
        # Free in the packed months, but out of service: whether its end is known stands in PostgreSQL.
        doubtful = [
            unit
            for unit in among
            if unit.unit.status is UnitStatus.MAINTENANCE and unit.unit.slot in free[unit.sku.code]
        ]
        asked = {unit.unit.id for unit in (*unknown, *doubtful)}
        confirmed = self._store.read.free_among(sorted(asked), period) if asked else frozenset()
        if unknown:
            longest = max(unit.sku.turnaround_days for unit in unknown)
            self._learn(unknown, period.with_turnaround(longest).months(), {}, epoch)
        return tuple(
            unit
            for unit in among
            if (unit.unit.id in confirmed if unit.unit.id in asked else unit.unit.slot in free[unit.sku.code])
        )

    def blockers(self, unit_id: str, days: Days) -> tuple[Blocker, ...]:
        """What stands in the way on a unit, by day: who took it, when, and at which counter."""
        return self._store.read.blockers([unit_id], days)

    def nearest_free(
        self,
        unit: FleetUnit,
        period: RentalPeriod,
        within_days: int = 60,
        *,
        turnaround_days: int | None = None,
        but_not: str | None = None,
    ) -> tuple[RentalPeriod, ...]:
        """The nearest stretches of the same length that are free on this unit and may be booked today: one later, one
        earlier.

        `but_not` is a booking that is moved, with its frozen `turnaround_days`: its own days are in nobody's way.
        """
        _check_years(period)
        today = local_day(self._store.read.now(), self._who.branch.zone)
        length = dt.timedelta(days=period.count - 1)
        turnaround = unit.sku.turnaround_days if turnaround_days is None else turnaround_days
        reach = dt.timedelta(days=within_days)
        search = Days(max(today, period.first - reach), period.last + reach + dt.timedelta(days=turnaround + 1))
        if but_not is None:
            taken = self._store.read.taken_days([unit.unit.id], search).get(unit.unit.id, ())
        else:
            rows = self._store.read.blockers([unit.unit.id], search)
            taken = tuple(row.days for row in rows if row.booking_id != but_not)

        def fits(first: dt.date) -> bool:
            wanted = Days(first, first + length + dt.timedelta(days=turnaround))
            may_be = today <= first <= today + dt.timedelta(days=MAX_DAYS_AHEAD)
            return may_be and not any(stretch.overlaps(wanted) for stretch in taken)

        steps = [dt.timedelta(days=n) for n in range(1, within_days + 1)]
        later = next((period.first + step for step in steps if fits(period.first + step)), None)
        earlier = next((period.first - step for step in steps if fits(period.first - step)), None)
        found = sorted(
            (first for first in (later, earlier) if first is not None), key=lambda first: abs(first - period.first)
        )
        return tuple(RentalPeriod(first, first + length) for first in found)

    def _learn(
        self,
        unknown: Sequence[FleetUnit],
        months: Sequence[YearMonth],
        masks: dict[tuple[str, YearMonth], dict[int, int]],
        epoch: str,
    ) -> None:
        projections = self._store.read.projections([unit.unit.id for unit in unknown], months)
        _lay_over(masks, projections)
        try:
            self._index.project(epoch, projections)
        except IndexUnreachable:
            log.info("index away while projecting %d unknown units", len(projections))


def check_window(window: Days) -> None:
    """Refuse PERIOD_INVALID, naming the field, for a window that is too long or of absurd years."""
    _check_years(window)
    if window.count > MAX_WINDOW_DAYS:
        raise Refusal(
            RefusalCode.PERIOD_INVALID, field="last_day", reason="too_long", days=window.count, limit=MAX_WINDOW_DAYS
        )


def _check_years(days: Days) -> None:
    for field, day in (("first_day", days.first), ("last_day", days.last)):
        if day.year not in KEY_YEARS:
            raise Refusal(
                RefusalCode.PERIOD_INVALID,
                field=field,
                reason="out_of_range",
                given=day.isoformat(),
                least=KEY_YEARS.start,
                most=KEY_YEARS.stop - 1,
            )


def _lay_over(masks: dict[tuple[str, YearMonth], dict[int, int]], projections: Sequence[Projection]) -> None:
    for item in projections:
        for month in item.months:
            masks.setdefault((item.unit.sku, month), {})[item.unit.slot] = mask_of(item.days, month)


def taken_runs(masks: CalendarMasks, unit: FleetUnit, window: Days) -> tuple[Days, ...]:
    """Stretches of taken days of one unit in the window: the bars that can be painted before their names are known."""
    return runs(day for day in window if masks.is_taken(unit, day))
