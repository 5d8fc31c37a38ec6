"""Book and cancel: the seven guarded steps of seed 10.1, with PostgreSQL as the arbiter."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from app.domain.booking import Action, Source, transition
from app.domain.days import RentalPeriod, local_day
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import ZERO
from app.domain.pricing import Quote, QuoteLine, quote
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.alternatives import Alternatives
from app.usecases.booking_input import BookLine as BookLine
from app.usecases.booking_input import BookRequest as BookRequest
from app.usecases.booking_input import check_lines, check_period, checked_note, checked_uuid, new_customer
from app.usecases.booking_plan import LinePlan, Planner
from app.usecases.calendar import Calendar
from app.usecases.cancellations import Cancellations
from app.usecases.demand import Demand
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store, Tx
from app.usecases.rows import Blocker, BookedOrder, EndedBooking, NewBooking, NewCustomer, NewOrder, Taken

log = logging.getLogger(__name__)

TRIES_FOR_ANY_UNIT = 50
"""Lost races after which "any unit" is refused; with the index away each clerk tries the units one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """An order whose input is checked. `now` is the database's clock."""

    order_id: str
    request: BookRequest
    customer: NewCustomer | None
    note: str
    now: dt.datetime


class Bookings(Cancellations):
    """Booking use cases of one logged-in person at one counter."""

    def __init__(
        self,
        store: Store,
        calendar: Calendar,
        work: IndexWork,
        who: StaffMember,
        counter: str,
        ids: Ids,
        demand: Demand | None = None,
    ) -> None:
        self._store = store
        self._calendar = calendar
        self._alternatives = Alternatives(store, calendar)
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids
        self._demand = demand or Demand(store, who, counter)

    def quote(self, lines: Sequence[BookLine]) -> Quote:
        """The price of an order now; nothing is written or held."""
        check_lines(lines)
        items = []
        for number, line in enumerate(lines):
            sku = self._store.read.sku(line.sku)
            if sku is None:
                raise Refusal(RefusalCode.NOT_FOUND, field=f"lines[{number}].sku", next=(), sku=line.sku)
            items.append(QuoteLine(booking_id=str(number), sku=sku, period=line.period))
        return quote(self._who.branch, items, local_day(self._store.read.now(), self._who.branch.zone))

    def book(self, request: BookRequest) -> BookedOrder:
        """Book all lines or none. Raises DAYS_TAKEN with what is in the way and what else is free.

        The same `order_id` again answers with the first result and writes nothing (cases R-09, R-11). A wish that is
        refused for want of free days is recorded, once under its order id, for the lost-demand report.
        """
        try:
            return self._book(request)
        except Refusal as no:
            self._demand.record(no, request.order_id)
            raise

    def _book(self, request: BookRequest) -> BookedOrder:
        transition(None, Action.CREATE, self._who.roles)
        order_id = checked_uuid(request.order_id, "order_id")
        check_lines(request.lines)
        start = self._store.read.before_booking(
            order_id, [line.unit_id for line in request.lines if line.unit_id is not None]
        )
        wish = _Wish(
            order_id=order_id,
            request=request,
            note=checked_note(request.note),
            customer=new_customer(request, self._ids),
            now=start.now,
        )
        if start.is_known and (before := self._store.read.order(order_id)) is not None:
            return self._again(wish, before)
        today = local_day(wish.now, self._who.branch.zone)
        for number, line in enumerate(request.lines):
            check_period(line.period, today, f"lines[{number}]")
        planner = Planner(
            self._store, self._calendar, self._work, self._who, order_id, f"{self._counter}:{self._ids.token()}"
        )
        planner.plan(request.lines, start.units)
        try:
            planner.hold_all()
            booked = self._commit(planner, wish)
        except Exception:
            # Whatever went wrong: what PostgreSQL says now is projected, and while it says nothing the claims stay.
            planner.give_back(planner.plans)
            raise
        news = [self._work.news(self._who.branch.id, "booking", item.id) for item in booked.bookings]
        news.append(self._work.news(self._who.branch.id, "invoice", booked.invoice_id))
        claims = planner.claims_on([item.unit_id for item in booked.bookings])
        self._work.conclude(planner.epoch, booked.projections, claims, news)
        log.info("booked order %s: %s", booked.order_id, ", ".join(item.number for item in booked.bookings))
        return booked

    def find_order(self, order_id: str) -> BookedOrder | None:
        """What became of an order whose answer was lost; None when it is not written.

        Refuses UNREACHABLE while a transaction that has written it may still commit.
        """
        wanted = checked_uuid(order_id, "order_id")
        self._store.transact(lambda tx: tx.await_order(wanted), one_call=True)
        return self._store.read.order(wanted)

    def cancel(self, booking_id: str, reason: str = "", *, version: int | None = None) -> EndedBooking:
        """Cancel an unpaid booking: its days are free at once. Refused while a cashier settles its invoice.

        `version` as for changes: one that somebody changed since is refused BOOKING_STATE, `changed_meanwhile`.
        """
        require_role(self._who, frozenset({Role.AGENT, Role.CASHIER}), Action.CANCEL.value)
        wanted = checked_uuid(booking_id, "booking_id")
        why = checked_note(reason, "reason")
        epoch = self._work.epoch()
        ended = self._store.transact(lambda tx: tx.end_booking(wanted, Action.CANCEL, why, version), one_call=True)
        news = [
            self._work.news(ended.branch_id, "booking", ended.booking_id),
            self._work.news(ended.branch_id, "invoice", ended.invoice_id),
        ]
        self._work.conclude(epoch, ended.projections, (), news)
        log.info("cancelled booking %s", ended.number)
        return ended

    # --- steps --------------------------------------------------------------------------------------------------------

    def _again(self, wish: _Wish, before: BookedOrder) -> BookedOrder:
        """This id was booked before: the database answers the first result, or DUPLICATE for another order.

        The order is sent as it was wished for: what came of it may have been given another unit since.
        """
        lines = wish.request.lines
        wished = [line.unit_id or item.unit_id for line, item in zip(lines, before.bookings, strict=False)]
        units = {unit.unit.id: unit for unit in self._store.read.units(wished)}
        plans = []
        for number, (line, unit_id) in enumerate(zip(lines, wished, strict=False)):
            found = [units[unit_id]] if unit_id in units and units[unit_id].sku.code == line.sku else []
            if not found and line.unit_id is None:  # swapped for a better one: any unit of what was sold
                found = [unit for unit in self._calendar.fleet() if unit.sku.code == line.sku][:1]
            plans.append(LinePlan(number, line, found))
        if len(lines) != len(before.bookings) or not all(plan.candidates for plan in plans):
            raise Refusal(RefusalCode.DUPLICATE, field="order_id", next=(), order_id=wish.order_id)
        return self._store.transact(partial(_book_or_roll_back, self._order(plans, wish)), one_call=True)

    def _commit(self, planner: Planner, wish: _Wish) -> BookedOrder:
        """Step 4. A lost race on "any unit" tries the next candidate; a given unit is refused naming who has it."""
        for _ in range(TRIES_FOR_ANY_UNIT):
            try:
                order = self._order(planner.plans, wish)
                return self._store.transact(partial(_book_or_roll_back, order), one_call=True)
            except _RolledBack as lost_race:
                blockers = lost_race.taken.blockers
            lost = [plan for plan in planner.plans if any(plan.is_blocked_by(blocker) for blocker in blockers)]
            given = [plan for plan in lost if not plan.any_unit]
            if given:
                planner.give_back(planner.plans)
                raise self._taken(given, blockers)
            planner.try_others(lost)
        first = wish.request.lines[0]
        raise self._alternatives.none_free(0, first.sku, first.period)

    def _taken(self, given: Sequence[LinePlan], blockers: Sequence[Blocker]) -> Refusal:
        """The refusal of the first unit that is taken; `taken_units` names every one of the order (case C-34)."""
        first = given[0]
        no = self._alternatives.taken(first.number, first.unit, first.line.period, blockers)
        no.params["taken_units"] = [
            {"line": plan.number, "unit_id": plan.unit.unit.id, "plate": plan.unit.unit.plate} for plan in given
        ]
        return no

    def _order(self, plans: Sequence[LinePlan], wish: _Wish) -> NewOrder:
        order_id, now = wish.order_id, wish.now
        today = local_day(now, self._who.branch.zone)
        named = uuid.UUID(order_id)
        ids = {plan.number: str(uuid.uuid5(named, str(plan.number))) for plan in plans}
        priced = quote(
            self._who.branch,
            [QuoteLine(booking_id=ids[p.number], sku=p.unit.sku, period=p.line.period) for p in plans],
            today,
        )
        bookings = []
        for plan in plans:
            pickup_at, due_at = self._times(plan.line.period, now)
            bookings.append(
                NewBooking(
                    id=ids[plan.number],
                    unit_id=plan.unit.unit.id,
                    given_unit=plan.line.unit_id,
                    sku=plan.unit.sku,
                    period=plan.line.period,
                    taken=plan.taken,
                    pickup_at=pickup_at,
                    due_at=due_at,
                )
            )
        return NewOrder(
            id=order_id,
            customer_id=wish.request.customer_id,
            new_customer=wish.customer,
            bookings=tuple(bookings),
            invoice_id=str(uuid.uuid5(named, "RENTAL")),
            lines=priced.lines,
            base=priced.ppn.base if priced.ppn else priced.rent,
            dpp=priced.ppn.dpp if priced.ppn else ZERO,
            ppn=priced.ppn.tax if priced.ppn else ZERO,
            total=priced.total,
            source=Source.COUNTER,
            note=wish.note,
            counter=self._counter,
        )

    def _times(self, period: RentalPeriod, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
        """Pick-up now when it starts today, else at opening; due at closing time of the last day (day counting
        `calendar`), or at the day's end when closing has passed already; always a second or more apart."""
        zone = self._who.branch.zone
        local = now.astimezone(zone)
        opens = dt.time.fromisoformat(self._who.branch.opens_at)
        closes = dt.time.fromisoformat(self._who.branch.closes_at)
        pickup = local if period.first == local.date() else dt.datetime.combine(period.first, opens, zone)
        due = dt.datetime.combine(period.last, closes, zone)
        if due <= pickup:
            due = dt.datetime.combine(period.last, dt.time(23, 59, 59), zone)
            pickup = min(pickup, due - dt.timedelta(seconds=1))
        return pickup.astimezone(dt.UTC), due.astimezone(dt.UTC)


class _RolledBack(Exception):
    """Nothing of a blocked order was written; carries the blockers out."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def _book_or_roll_back(order: NewOrder, tx: Tx) -> BookedOrder:
    answer = tx.book(order)
    if isinstance(answer, Taken):
        raise _RolledBack(answer)
    return answer
