"""Which unit each line of an order rests on, and what is held for it in the index while it is being booked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.catalogue import UnitStatus
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import StaffMember
from app.usecases.alternatives import Alternatives
from app.usecases.booking_input import BookLine
from app.usecases.calendar import Calendar
from app.usecases.index_port import ClaimAnswer
from app.usecases.index_work import Claim, IndexWork
from app.usecases.ports import Store
from app.usecases.rows import Blocker, FleetUnit

_ONE_DAY = dt.timedelta(days=1)


@dataclass(slots=True)
class LinePlan:
    """One line on its way to a unit: the candidates left, the first of them being tried, and what is held for it."""

    number: int
    line: BookLine
    candidates: list[FleetUnit]
    claim: Claim | None = None

    @property
    def any_unit(self) -> bool:
        return self.line.unit_id is None

    @property
    def unit(self) -> FleetUnit:
        return self.candidates[0]

    @property
    def taken(self) -> Days:
        return self.taken_on(self.unit)

    def is_blocked_by(self, blocker: Blocker) -> bool:
        """Whether this is in the way of the unit being tried, on the line's own days."""
        return blocker.unit_id == self.unit.unit.id and blocker.days.overlaps(self.taken)

    def taken_on(self, unit: FleetUnit) -> Days:
        return self.line.period.with_turnaround(unit.sku.turnaround_days)


class Planner:
    """Chooses units for the lines of one order and holds them. `lock_token` is this order's at every unit."""

    def __init__(
        self, store: Store, calendar: Calendar, work: IndexWork, who: StaffMember, order_id: str, lock_token: str
    ) -> None:
        self._store = store
        self._calendar = calendar
        self._alternatives = Alternatives(store, calendar)
        self._work = work
        self._branch_id = who.branch.id
        self._order_id = order_id
        self._lock_token = lock_token
        self.plans: list[LinePlan] = []
        self.epoch: str | None = None
        """The index's before the first claim or earlier than any other: what is read after `hold_all` is projected
        under it."""

    def plan(self, lines: Sequence[BookLine], given: Sequence[FleetUnit]) -> None:
        """Candidates for each line: the `given` units as PostgreSQL has them, then "any unit" among the rest."""
        units = {unit.unit.id: unit for unit in given}
        self.plans = [LinePlan(number, line, []) for number, line in enumerate(lines)]
        for plan in self.plans:
            if plan.line.unit_id is not None:
                plan.candidates = [self._given(plan, units.get(plan.line.unit_id))]
        for plan in self.plans:
            if plan.line.unit_id is None:
                self._choose(plan)
            elif self._is_spoken_for(plan, plan.unit):
                raise self._twice(plan, plan.unit)

    def hold_all(self) -> None:
        """Steps 2 and 3 for every line, in the order of the units.

        The epoch is the first claim's: a flush after it shows, since every later read belongs to a later moment.
        """
        for plan in sorted(self.plans, key=lambda item: item.unit.unit.id):
            self._hold(plan)

    def claims_on(self, booked: Sequence[str]) -> list[Claim]:
        """The claims that came to something. What is held at other units (a repeated order) is given back."""
        self.give_back([plan for plan in self.plans if plan.unit.unit.id not in booked])
        return [plan.claim for plan in self.plans if plan.claim is not None]

    def try_others(self, blocked: Sequence[LinePlan]) -> None:
        """These lines lost their unit to somebody: hold another candidate, or refuse when there is none."""
        self.give_back(blocked)
        for plan in blocked:
            self._choose(plan, but_not=plan.unit.unit.id)
            self._hold(plan)

    def give_back(self, plans: Sequence[LinePlan]) -> None:
        """Undo claims that came to nothing: project what PostgreSQL says, then drop the claim and the Redlock."""
        held = [plan for plan in plans if plan.claim is not None]
        if held:
            self._work.give_back([plan.claim for plan in held if plan.claim is not None], [plan.taken for plan in held])
        for plan in held:
            plan.claim = None

    def _given(self, plan: LinePlan, unit: FleetUnit | None) -> FleetUnit:
        if unit is None or unit.branch_id != self._branch_id or unit.sku.code != plan.line.sku:
            raise Refusal(
                RefusalCode.NOT_FOUND, field=f"lines[{plan.number}].unit_id", next=(), unit_id=plan.line.unit_id
            )
        return unit

    def _choose(self, plan: LinePlan, but_not: str = "") -> None:
        """Candidates that no other line rests on; the database is asked (again) before "any unit" is refused."""
        fits = [unit for unit in plan.candidates if unit.unit.id != but_not and not self._is_spoken_for(plan, unit)]
        if not fits:
            free = self._calendar.free_units(plan.line.sku, plan.line.period)
            fits = self._work.in_trying_order([unit for unit in free if not self._is_spoken_for(plan, unit)])
            if not fits and (close := [unit for unit in free if not self._is_out_with(plan, unit)]):
                raise self._twice(plan, close[0])
        if not fits:
            raise self._alternatives.none_free(plan.number, plan.line.sku, plan.line.period)
        plan.candidates = fits

    def _is_spoken_for(self, plan: LinePlan, unit: FleetUnit) -> bool:
        """Whether another line of this order rests on the unit for overlapping days."""
        return any(self._others_on(plan, unit))

    def _is_out_with(self, plan: LinePlan, unit: FleetUnit) -> bool:
        """Whether another line of this order rents the unit on one of the same days."""
        return any(other.line.period.overlaps(plan.line.period) for other in self._others_on(plan, unit))

    def _others_on(self, plan: LinePlan, unit: FleetUnit) -> Iterator[LinePlan]:
        """The other lines of this order that rest on the unit for days that overlap, turnaround included."""
        wanted = plan.taken_on(unit)
        for other in self.plans:
            rests_there = other is not plan and bool(other.candidates) and other.unit.unit.id == unit.unit.id
            if rests_there and other.taken.overlaps(wanted):
                yield other

    def _twice(self, plan: LinePlan, unit: FleetUnit) -> Refusal:
        """The unit is another line's of this order: on one of the same days (`twice`), or one line begins on the
        turnaround of the other (`turnaround`, naming those days and the first that is `possible`)."""
        other = next(self._others_on(plan, unit))
        if other.line.period.overlaps(plan.line.period):
            return _unit_refused(plan, "twice", unit, line=other.number)
        before, after = sorted((other, plan), key=lambda item: item.line.period.first)
        first, last = before.line.period.last + _ONE_DAY, before.taken_on(unit).last
        named = {"first_day": first, "last_day": last, "possible": last + _ONE_DAY}
        return _unit_refused(after, "turnaround", unit, line=before.number, **named)

    def _hold(self, plan: LinePlan) -> None:
        """A BUSY claim is a hint: "any unit" goes on to the next candidate, the last one and a given unit to
        PostgreSQL. A retired unit has no place in the index: PostgreSQL says what is to be said of it."""
        if plan.unit.unit.status is UnitStatus.RETIRED:
            return
        while True:
            token = f"{self._order_id}:{plan.number}:{plan.unit.unit.id}"
            claim = self._work.take(plan.unit, plan.taken, token, self._lock_token, wait=not plan.any_unit)
            if claim.answer is ClaimAnswer.BUSY and plan.any_unit:
                left = [unit for unit in plan.candidates[1:] if not self._is_spoken_for(plan, unit)]
                if left:
                    self._work.settle_claim(claim)
                    plan.candidates = left
                    continue
            plan.claim = claim
            self.epoch = self.epoch or claim.epoch
            return


def _unit_refused(plan: LinePlan, reason: str, unit: FleetUnit, **params: object) -> Refusal:
    return invalid(f"lines[{plan.number}].unit_id", reason, unit_id=unit.unit.id, plate=unit.unit.plate, **params)
