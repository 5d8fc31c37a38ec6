"""Units that are not back: the service takes their days on, day by day; a counter sees who waits for them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from app.domain.days import Days
from app.domain.staff import StaffMember, require_role
from app.usecases.handovers import AT_THE_COUNTER
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.rows_handovers import LateRental, MissedPickup, RiskyBooking
from app.usecases.sweeps import JobResult

log = logging.getLogger(__name__)

BATCH = 200
MOST_SWAPS = 50
"""Units looked at for a swap: more bookings than these never wait for one late unit."""


class Overdue:
    """The service's pass over rentals that ought to be back, and over deposits that were held back until a day."""

    def __init__(self, store: Store, work: IndexWork) -> None:
        self._store = store
        self._work = work

    def run(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Bring every overdue stretch up to now, one booking per transaction, longest overdue first; end due holds.

        Safe in two services at once: what another holds this moment is left to the next pass.
        """
        done = 0
        seen: list[str] = []
        while not stop():
            found = self._store.transact(lambda tx: tx.overdue_bookings(BATCH, seen), one_call=True)
            if not found:
                break
            for booking_id in found:
                seen.append(booking_id)
                done += self._mark(booking_id)
        ended = self._store.transact(lambda tx: tx.end_due_holds(BATCH), one_call=True)
        return JobResult(job="overdue", done=done + ended, failed=0)

    def _mark(self, booking_id: str) -> int:
        epoch = self._work.epoch()
        marked = self._store.transact(lambda tx: tx.mark_overdue(booking_id), one_call=True)
        if marked is None:
            return 0
        self._work.project(epoch, marked.projections)
        self._work.announce(marked.branch_id, "booking", marked.booking_id)
        log.info("overdue days of booking %s are up to now", marked.number)
        return 1


class LateDesk:
    """Who is late, who waits for those units, and who has not come: of one person's branch. Reads only."""

    def __init__(self, store: Store, who: StaffMember) -> None:
        self._store = store
        self._who = who

    def late_rentals(self) -> tuple[LateRental, ...]:
        """Rentals past their due time, longest first; each next booking at risk with a unit it could have instead.

        No unit is proposed twice, and none that is not free for all the days that wait.
        """
        require_role(self._who, AT_THE_COUNTER, "late_rentals")
        given: set[str] = set()
        return tuple(
            replace(late, at_risk=tuple(self._with_swap(late, item, given) for item in late.at_risk))
            for late in self._store.read.late_rentals(self._who.branch.id)
        )

    def missed_pickups(self) -> tuple[MissedPickup, ...]:
        """Paid bookings whose customer has not come, from the pick-up time on; `possible_at` is the no-show's."""
        require_role(self._who, AT_THE_COUNTER, "missed_pickups")
        return self._store.read.missed_pickups(self._who.branch.id)

    def _with_swap(self, late: LateRental, risky: RiskyBooking, given: set[str]) -> RiskyBooking:
        sku = self._store.read.sku(late.sku)
        turnaround = 0 if sku is None else sku.turnaround_days
        days = Days(risky.first_day, risky.last_day + timedelta(days=turnaround))
        free = self._store.read.free_units(late.sku, days, self._who.branch.id, MOST_SWAPS)
        for unit in free:
            if unit.unit.id not in given and unit.unit.id != risky.unit_id:
                given.add(unit.unit.id)
                return replace(risky, swap_unit_id=unit.unit.id, swap_plate=unit.unit.plate)
        return risky
