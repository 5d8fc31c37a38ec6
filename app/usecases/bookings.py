"""Book and cancel: the seven guarded steps of seed 10.1, with PostgreSQL as the arbiter."""

from __future__ import annotations

import datetime as dt
import logging
import unicodedata
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from app.domain.booking import Action, Source, transition
from app.domain.customer import checked_name, folded, normalised_phone
from app.domain.days import Days, RentalPeriod, local_day
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.money import ZERO
from app.domain.pricing import Quote, QuoteLine, quote
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.alternatives import Alternatives
from app.usecases.calendar import Calendar
from app.usecases.index_port import ClaimAnswer
from app.usecases.index_work import Claim, IndexWork
from app.usecases.ports import (
    BookedOrder,
    EndedBooking,
    FleetUnit,
    Ids,
    NewBooking,
    NewCustomer,
    NewOrder,
    Store,
    Taken,
    Tx,
)

log = logging.getLogger(__name__)

MAX_LINES = 20
MAX_NOTE = 500
MAX_DAYS_AHEAD = 730
TRIES_FOR_ANY_UNIT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BookLine:
    """One unit of an order; without `unit_id` any free unit of the SKU."""

    sku: str
    period: RentalPeriod
    unit_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRequest:
    """An order as the counter sends it. `order_id` is the client's UUID: sent again, it answers the same."""

    order_id: str
    lines: tuple[BookLine, ...]
    customer_id: str | None = None
    customer_name: str | None = None
    customer_phone: str | None = None
    note: str = ""


@dataclass(slots=True)
class _Plan:
    """One line on its way to a unit: the candidates left, and what is held in the index for the one being tried."""

    number: int
    line: BookLine
    any_unit: bool
    candidates: list[FleetUnit]
    claim: Claim | None = None

    @property
    def unit(self) -> FleetUnit:
        return self.candidates[0]

    @property
    def taken(self) -> Days:
        return self.line.period.with_turnaround(self.unit.sku.turnaround_days)


class Bookings:
    """Booking use cases of one logged-in person at one counter."""

    def __init__(
        self, store: Store, calendar: Calendar, work: IndexWork, who: StaffMember, counter: str, ids: Ids
    ) -> None:
        self._store = store
        self._calendar = calendar
        self._alternatives = Alternatives(store, calendar)
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids

    def quote(self, lines: Sequence[BookLine]) -> Quote:
        """The price of an order now; nothing is written or held."""
        self._check_lines(lines)
        items = []
        for number, line in enumerate(lines):
            sku = self._store.read.sku(line.sku)
            if sku is None:
                raise Refusal(RefusalCode.NOT_FOUND, field=f"lines[{number}].sku", next=(), sku=line.sku)
            items.append(QuoteLine(booking_id=str(number), sku=sku, period=line.period))
        return quote(self._who.branch, items, self._today())

    def book(self, request: BookRequest) -> BookedOrder:
        """Book all lines or none. Raises DAYS_TAKEN with what is in the way and what else is free.

        The same `order_id` again answers with the first result and writes nothing (cases R-09, R-11).
        """
        transition(None, Action.CREATE, self._who.roles)
        order_id = _checked_uuid(request.order_id, "order_id")
        self._check_lines(request.lines)
        note = _checked_note(request.note)
        customer = self._new_customer(request)
        now = self._store.read.now()
        today = local_day(now, self._who.branch.zone)
        for number, line in enumerate(request.lines):
            self._check_period(line.period, today, f"lines[{number}]")
        if (before := self._store.read.order(order_id)) is not None:
            return before
        plans = self._plan(request.lines)
        epoch = self._work.epoch()
        try:
            for plan in sorted(plans, key=lambda item: item.unit.unit.id):
                self._hold(plan, order_id)
            booked = self._commit(plans, order_id, request, customer, note, now)
        except Refusal:
            self._give_back(plans)
            raise
        self._work.project(epoch, booked.projections)
        for plan in plans:
            if plan.claim is not None:
                self._work.settle_claim(plan.claim)
        for item in booked.bookings:
            self._work.announce(self._who.branch.id, "booking", item.id)
        self._work.announce(self._who.branch.id, "invoice", booked.invoice_id)
        log.info("booked order %s: %s", booked.order_id, ", ".join(item.number for item in booked.bookings))
        return booked

    def cancel(self, booking_id: str, reason: str = "") -> EndedBooking:
        """Cancel an unpaid booking: its days are free at once. Refused while a cashier settles its invoice."""
        require_role(self._who, frozenset({Role.AGENT, Role.CASHIER}), Action.CANCEL.value)
        wanted = _checked_uuid(booking_id, "booking_id")
        why = _checked_note(reason, "reason")
        epoch = self._work.epoch()
        ended = self._store.transact(lambda tx: tx.end_booking(wanted, Action.CANCEL, why))
        self._work.project(epoch, ended.projections)
        self._work.announce(ended.branch_id, "booking", ended.booking_id)
        self._work.announce(ended.branch_id, "invoice", ended.invoice_id)
        log.info("cancelled booking %s", ended.number)
        return ended

    # --- steps --------------------------------------------------------------------------------------------------------

    def _plan(self, lines: Sequence[BookLine]) -> list[_Plan]:
        """Candidates for each line, by reading PostgreSQL; a line without a free unit is refused here already."""
        given = [line.unit_id for line in lines if line.unit_id is not None]
        units = {unit.unit.id: unit for unit in self._store.read.units(given)} if given else {}
        plans: list[_Plan] = []
        spoken_for: set[str] = set(given)
        for number, line in enumerate(lines):
            if line.unit_id is not None:
                unit = units.get(line.unit_id)
                if unit is None or unit.branch_id != self._who.branch.id or unit.sku.code != line.sku:
                    raise Refusal(
                        RefusalCode.NOT_FOUND, field=f"lines[{number}].unit_id", next=(), unit_id=line.unit_id
                    )
                plans.append(_Plan(number, line, any_unit=False, candidates=[unit]))
                continue
            free = [u for u in self._calendar.free_units(line.sku, line.period) if u.unit.id not in spoken_for]
            if not free:
                raise self._alternatives.none_free(number, line.sku, line.period)
            ordered = self._work.in_trying_order(free)
            spoken_for.add(ordered[0].unit.id)
            plans.append(_Plan(number, line, any_unit=True, candidates=ordered))
        self._refuse_twice_the_same(plans)
        return plans

    def _hold(self, plan: _Plan, order_id: str) -> None:
        """Steps 2 and 3. A BUSY claim is a hint: "any unit" goes on to the next one, a given unit to PostgreSQL."""
        while True:
            token = f"{order_id}:{plan.number}:{plan.unit.unit.id}"
            claim = self._work.take(
                plan.unit, plan.taken, token, f"{self._counter}:{self._ids.token()}", wait=not plan.any_unit
            )
            if claim.answer is ClaimAnswer.BUSY and plan.any_unit and len(plan.candidates) > 1:
                self._work.settle_claim(claim)
                plan.candidates.pop(0)
                continue
            plan.claim = claim
            return

    def _commit(
        self,
        plans: list[_Plan],
        order_id: str,
        request: BookRequest,
        customer: NewCustomer | None,
        note: str,
        now: dt.datetime,
    ) -> BookedOrder:
        """Step 4. A lost race on "any unit" tries the next candidate; a given unit is refused naming who has it."""
        for _ in range(TRIES_FOR_ANY_UNIT):
            order = self._order(plans, order_id, request, customer, note, now)
            try:
                return self._store.transact(partial(_book_or_roll_back, order))
            except _RolledBack as lost_race:
                blockers = lost_race.taken.blockers
            blocked = {blocker.unit_id for blocker in blockers}
            lost = [plan for plan in plans if plan.unit.unit.id in blocked]
            self._give_back(lost)
            for plan in lost:
                if not plan.any_unit or len(plan.candidates) == 1:
                    raise self._alternatives.taken(plan.number, plan.unit, plan.line.period, blockers)
                plan.candidates.pop(0)
                self._refuse_twice_the_same(plans)
                self._hold(plan, order_id)
        raise self._alternatives.none_free(plans[0].number, plans[0].line.sku, plans[0].line.period)

    def _give_back(self, plans: Sequence[_Plan]) -> None:
        """Undo claims that came to nothing: project what PostgreSQL says, then drop the claim and the Redlock."""
        held = [plan for plan in plans if plan.claim is not None]
        self._work.give_back([plan.claim for plan in held if plan.claim is not None], [plan.taken for plan in held])
        for plan in held:
            plan.claim = None

    def _order(
        self,
        plans: Sequence[_Plan],
        order_id: str,
        request: BookRequest,
        customer: NewCustomer | None,
        note: str,
        now: dt.datetime,
    ) -> NewOrder:
        today = local_day(now, self._who.branch.zone)
        ids = {plan.number: str(uuid.uuid5(uuid.UUID(order_id), str(plan.number))) for plan in plans}
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
                    sku=plan.unit.sku,
                    period=plan.line.period,
                    taken=plan.taken,
                    pickup_at=pickup_at,
                    due_at=due_at,
                )
            )
        return NewOrder(
            id=order_id,
            customer_id=request.customer_id,
            new_customer=customer,
            bookings=tuple(bookings),
            invoice_id=str(uuid.uuid5(uuid.UUID(order_id), "RENTAL")),
            lines=priced.lines,
            base=priced.ppn.base if priced.ppn else priced.rent,
            dpp=priced.ppn.dpp if priced.ppn else ZERO,
            ppn=priced.ppn.tax if priced.ppn else ZERO,
            total=priced.total,
            source=Source.COUNTER,
            note=note,
            counter=self._counter,
        )

    def _times(self, period: RentalPeriod, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
        """Pick-up now when it starts today, else at opening; due at closing time of the last day (day counting
        `calendar`), or at the day's end when closing has passed already."""
        zone = self._who.branch.zone
        local = now.astimezone(zone)
        opens = dt.time.fromisoformat(self._who.branch.opens_at)
        closes = dt.time.fromisoformat(self._who.branch.closes_at)
        pickup = local if period.first == local.date() else dt.datetime.combine(period.first, opens, zone)
        due = dt.datetime.combine(period.last, closes, zone)
        if due <= pickup:
            due = dt.datetime.combine(period.last, dt.time(23, 59), zone)
        return pickup.astimezone(dt.UTC), due.astimezone(dt.UTC)

    # --- input and refusals ------------------------------------------------------------------------------------------

    def _refuse_twice_the_same(self, plans: Sequence[_Plan]) -> None:
        """Two lines of one order may not rely on the same unit for overlapping days."""
        for plan in plans:
            while plan.any_unit and any(
                other is not plan and other.unit.unit.id == plan.unit.unit.id for other in plans
            ):
                if len(plan.candidates) == 1:
                    raise self._alternatives.none_free(plan.number, plan.line.sku, plan.line.period)
                plan.candidates.pop(0)
            clash = [
                other
                for other in plans
                if other is not plan and other.unit.unit.id == plan.unit.unit.id and other.taken.overlaps(plan.taken)
            ]
            if clash:
                raise invalid(f"lines[{plan.number}].unit_id", "twice", unit_id=plan.unit.unit.id)

    def _today(self) -> dt.date:
        return local_day(self._store.read.now(), self._who.branch.zone)

    def _check_lines(self, lines: Sequence[BookLine]) -> None:
        if not 1 <= len(lines) <= MAX_LINES:
            raise invalid("lines", "count", least=1, most=MAX_LINES, given=len(lines))

    def _check_period(self, period: RentalPeriod, today: dt.date, where: str) -> None:
        if period.first < today:
            raise Refusal(
                RefusalCode.PERIOD_INVALID, field=f"{where}.first_day", next=(), reason="past", first=period.first
            )
        if (period.first - today).days > MAX_DAYS_AHEAD:
            raise Refusal(
                RefusalCode.PERIOD_INVALID,
                field=f"{where}.first_day",
                next=(),
                reason="too_far",
                first=period.first,
                limit=MAX_DAYS_AHEAD,
            )

    def _new_customer(self, request: BookRequest) -> NewCustomer | None:
        if request.customer_id is not None:
            _checked_uuid(request.customer_id, "customer.id")
            return None
        if request.customer_name is None or request.customer_phone is None:
            raise invalid("customer", "empty")
        name = checked_name(request.customer_name)
        phone = normalised_phone(request.customer_phone)
        return NewCustomer(id=self._ids.uuid(), name=name, folded_name=folded(name), phone=phone)


class _RolledBack(Exception):
    """Leaves the transaction so that nothing of a blocked order stays; carries the blockers out."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def _book_or_roll_back(order: NewOrder, tx: Tx) -> BookedOrder:
    answer = tx.book(order)
    if isinstance(answer, Taken):
        raise _RolledBack(answer)
    return answer


def _checked_uuid(text: str, field: str) -> str:
    try:
        return str(uuid.UUID(text))
    except (ValueError, AttributeError, TypeError):
        raise invalid(field, "not_a_uuid", given=str(text)[:60]) from None


def _checked_note(text: str, field: str = "note") -> str:
    """At most 500 characters; line breaks stay, other control characters are refused."""
    if len(text) > MAX_NOTE:
        raise invalid(field, "too_long", length=len(text), most=MAX_NOTE)
    if any(unicodedata.category(sign) in {"Cc", "Cs", "Cn"} and sign not in "\n\t" for sign in text):
        raise invalid(field, "control_characters")
    return text.strip()
