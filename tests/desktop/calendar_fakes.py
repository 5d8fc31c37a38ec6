"""Hand-written stand-ins for the counter behind the calendar and the drawer."""

import datetime as dt
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.desktop.widgets.month_grid_conflicts import conflicts_of
from app.desktop.widgets.month_grid_spans import takes_days
from app.domain.booking import BookingState, Source
from app.domain.customer import Customer, checked_name
from app.domain.days import Days, RentalPeriod
from app.domain.down_payment import check_part, parted
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.pricing import Extra, Quote, QuoteLine, quote
from app.domain.rates import ChosenExtra, day_offset
from app.domain.staff import Branch, StaffMember
from app.usecases.booking_prices import rental_times
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.calendar import BranchRow, CalendarMasks
from app.usecases.rows import (
    Bar,
    Blocker,
    BookedOrder,
    BookedUnit,
    BookingRow,
    CustomerHit,
    EndedBooking,
    FleetUnit,
    OccupancyKind,
    PaidMark,
)
from tests.desktop.calendar_samples import (
    BRANCH,
    ELSEWHERE,
    NOW,
    TODAY,
    bars,
    elsewhere_bars,
    elsewhere_fleet,
    fleet,
    masks_of,
    staff,
)
from tests.desktop.ends_fakes import FakeApprovals, FakeEnds, is_manager
from tests.desktop.verbs_fakes import (
    FakeChanges,
    FakeDemand,
    FakeMaintenance,
    FakeOpenInvoices,
    FakeWaitlist,
    check_seen,
)

BUDI = CustomerHit(
    customer=Customer(id="11111111-1111-4111-8111-111111111111", name="Budi Santoso", phone="+6281234567890"),
    rentals=8,
    open_invoices=0,
)
HARTONO = CustomerHit(
    customer=Customer(id="22222222-2222-4222-8222-222222222222", name="Budi Hartono", phone="+6281234567811"),
    rentals=1,
    open_invoices=1,
)


EXTRAS = {
    extra.code: extra
    for extra in (
        Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(150_000), replaces_driver_licence=True),
        Extra(code="KURSI", name="Kursi bayi", per_day=True, rate=Rupiah(25_000)),
        Extra(code="ANTAR", name="Antar", per_day=False, rate=Rupiah(100_000)),
    )
}


@dataclass
class FakeClock:
    """The server's clock and the PC's steady clock, moved by the test."""

    at: dt.datetime = NOW
    steady: float = 1000.0

    def now(self) -> dt.datetime:
        return self.at

    def pass_seconds(self, seconds: float) -> None:
        self.at += dt.timedelta(seconds=seconds)
        self.steady += seconds


GATE_SECONDS = 10.0
"""Whoever would open the gate may be the one who waits before it: then it opens by itself, and the test can tell."""


@dataclass
class FakeBranch:
    """The bars of one branch, shared by all its counters; `index_away` and `away` are its two servers' absence,
    `callers` the names of the threads that asked it something. It answers nothing before `gate` is open."""

    clock: FakeClock = field(default_factory=FakeClock)
    units: tuple[FleetUnit, ...] = field(default_factory=fleet)
    rows: list[Bar] = field(default_factory=lambda: list(bars()))
    index_away: bool = False
    away: bool = False
    gate: threading.Event | None = None
    fleet_reads: int = 0
    mask_reads: int = 0
    bar_reads: int = 0
    free_reads: int = 0
    doubled_reads: int = 0
    callers: set[str] = field(default_factory=set)

    def reach(self) -> None:
        self.callers.add(threading.current_thread().name)
        if self.gate is not None:
            self.gate.wait(GATE_SECONDS)
        if self.away:
            raise Refusal(RefusalCode.UNREACHABLE)

    def blocking(self, unit_id: str, days: Days) -> list[Bar]:
        return [
            row
            for row in self.rows
            if row.unit_id == unit_id and row.state is not BookingState.COMPLETED and row.days.overlaps(days)
        ]


@dataclass
class FakeCalendar:
    branch: FakeBranch

    def branches(self) -> tuple[BranchRow, ...]:
        self.branch.reach()
        return (BranchRow(id=BRANCH.id, code=BRANCH.code, name=BRANCH.name), ELSEWHERE)

    def fleet(self, branch_id: str | None = None) -> tuple[FleetUnit, ...]:
        self.branch.reach()
        self.branch.fleet_reads += 1
        return elsewhere_fleet() if branch_id == ELSEWHERE.id else self.branch.units

    def masks(self, fleet: Sequence[FleetUnit], window: Days) -> CalendarMasks:
        self.branch.reach()
        self.branch.mask_reads += 1
        found = masks_of(fleet, [*self.branch.rows, *elsewhere_bars()], window)
        return replace(found, from_index=not self.branch.index_away, read_at=self.branch.clock.now())

    def bars(self, window: Days, branch_id: str | None = None) -> tuple[Bar, ...]:
        self.branch.reach()
        self.branch.bar_reads += 1
        rows = elsewhere_bars() if branch_id == ELSEWHERE.id else self.branch.rows
        return tuple(row for row in rows if row.days.overlaps(window))

    def first_doubled(self, today: dt.date) -> tuple[str, Days] | None:
        self.branch.reach()
        self.branch.doubled_reads += 1
        by_unit: dict[str, list[Bar]] = {}
        for row in self.branch.rows:
            by_unit.setdefault(row.unit_id, []).append(row)
        found = [(unit_id, claim.days) for unit_id, rows in by_unit.items() for claim in conflicts_of(rows)]
        return min((one for one in found if one[1].last >= today), key=lambda one: one[1].first, default=None)

    def free_now(self, period: RentalPeriod, *, fleet: Sequence[FleetUnit] | None = None) -> tuple[FleetUnit, ...]:
        self.branch.reach()
        self.branch.free_reads += 1
        rows = [*self.branch.rows, *elsewhere_bars()]
        return tuple(
            unit
            for unit in (self.branch.units if fleet is None else fleet)
            if not any(row.unit_id == unit.unit.id and takes_days(row) and row.days.overlaps(period) for row in rows)
        )

    def blockers(self, unit_id: str, days: Days) -> tuple[Blocker, ...]:
        """As if Andi had taken all of it this second."""
        self.branch.reach()
        return tuple(
            Blocker(
                unit_id=row.unit_id,
                kind=row.kind,
                days=row.days,
                booking_number=row.number,
                state=row.state,
                customer_name=row.customer_name,
                since=self.branch.clock.now(),
                by="Andi",
                counter="Kasir 2",
            )
            for row in self.branch.blocking(unit_id, days)
        )

    def free_elsewhere(self, sku: str, period: RentalPeriod) -> tuple[tuple[BranchRow, int, FleetUnit], ...]:
        self.branch.reach()
        units = [unit for unit in elsewhere_fleet() if unit.sku.code == sku]
        free = self.free_now(period, fleet=units)
        return ((ELSEWHERE, len(free), free[0]),) if free else ()


@dataclass
class FakeBookings(FakeEnds):
    """Books into the branch. `lose_answer` commits and then fails, as a broken line does. With a `code` every customer
    needs a manager's word."""

    branch: FakeBranch
    lose_answer: bool = False
    dearer: int = 0
    limit: int = 10
    code: str = ""
    orders: dict[str, tuple[BookedOrder, BookingRow]] = field(default_factory=dict)
    contents: dict[str, BookRequest] = field(default_factory=dict)
    rules: Branch = BRANCH
    requests: list[BookRequest] = field(default_factory=list)
    cancelled: list[tuple[str, str]] = field(default_factory=list)

    def quote(self, lines: Sequence[BookLine], *, down_payment: Rupiah | None = None) -> Quote:
        self.branch.reach()
        priced = []
        for number, line in enumerate(lines):
            sku = next(unit.sku for unit in self.branch.units if unit.sku.code == line.sku)
            chosen = tuple(ChosenExtra(extra=EXTRAS[wish.code]) for wish in line.extras)
            priced.append(
                QuoteLine(
                    booking_id=str(number),
                    sku=sku,
                    period=line.period,
                    extras=chosen,
                    discount_percent=line.discount_percent,
                    deposit=line.deposit,
                    day_offset=self._offset(line, number),
                )
            )
        found = quote(BRANCH, priced, TODAY)
        until = self.branch.clock.now() + dt.timedelta(minutes=15)
        found = replace(found, total=Rupiah(found.total + self.dearer), valid_until=until)
        if down_payment is None:
            return found
        check_part(found, down_payment, [line.period for line in lines], TODAY, 30)
        return parted(found, BRANCH, down_payment, TODAY)

    def _offset(self, line: BookLine, number: int) -> int:
        """Days fewer than dates, where the branch counts by 24 hours."""
        if not self.rules.counts_hours:
            return 0
        pickup, due = rental_times(self.rules, line, self.branch.clock.now(), number)
        return day_offset(pickup, due, line.period.count, dt.timedelta(minutes=self.rules.tolerance_minutes))

    def book(self, request: BookRequest) -> BookedOrder:
        self.branch.reach()
        self.requests.append(request)
        if request.customer_id is None:
            checked_name(request.customer_name or "")
        if request.order_id in self.orders:
            if self.contents[request.order_id] != request:
                raise Refusal(RefusalCode.DUPLICATE, field="order_id", order_id=request.order_id)
            return replace(self.orders[request.order_id][0], repeat=True)
        costs = self.quote(request.lines, down_payment=request.down_payment)
        if request.expected_total not in (None, costs.total + costs.balance):
            new = costs.total + costs.balance
            raise Refusal(RefusalCode.PRICE_CHANGED, old=request.expected_total, new=new)
        if max(line.discount_percent for line in request.lines) > self.limit and request.approval_id is None:
            raise Refusal(
                RefusalCode.APPROVAL_NEEDED,
                field="approval_id",
                reason="missing",
                action="discount",
                object=request.order_id,
                amount=costs.discount,
                limit=self.limit,
            )
        if self.code and request.approval_id is None:
            raise Refusal(
                RefusalCode.APPROVAL_NEEDED,
                field="approval_id",
                reason="missing",
                action="blocked_customer",
                object=f"{request.order_id}:{request.customer_id}:{self.code}",
                blocked=self.code,
            )
        line = request.lines[0]
        candidates = [unit for unit in self.branch.units if unit.sku.code == line.sku]
        if line.unit_id is not None:
            candidates = [unit for unit in candidates if unit.unit.id == line.unit_id]
        days = Days(line.period.first, line.period.last)
        free = [unit for unit in candidates if not self.branch.blocking(unit.unit.id, days)]
        if not free:
            raise self._taken(candidates[0], line)
        booked = self._write(free[0], line, request)
        for more in request.lines[1:]:
            booked = self._write_more(booked, more)
        if self.lose_answer:
            self.lose_answer = False
            raise Refusal(RefusalCode.UNREACHABLE)
        return booked

    def cancel(self, booking_id: str, reason: str = "", *, version: int | None = None) -> EndedBooking:
        self.branch.reach()
        row = next((row for row in self.branch.rows if row.booking_id == booking_id), None)
        if row is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id")
        check_seen(row, version)
        self.branch.rows.remove(row)
        self.cancelled.append((booking_id, reason))
        return EndedBooking(
            booking_id=booking_id,
            number=row.number or "",
            order_id="",
            invoice_id="",
            branch_id=BRANCH.id,
            state=BookingState.CANCELLED,
            projections=(),
            freed=(),
        )

    def find_order(self, order_id: str) -> BookedOrder | None:
        self.branch.reach()
        found = self.orders.get(order_id)
        return found[0] if found else None

    def find_booking(self, booking_id: str) -> BookingRow | None:
        self.branch.reach()
        held = next((row for _, row in self.orders.values() if row.id == booking_id), None)
        return held or next((self._stored(bar) for bar in self.branch.rows if bar.booking_id == booking_id), None)

    def _stored(self, bar: Bar) -> BookingRow:
        """A booking that was there before this counter opened; a name nobody else has is a known customer's."""
        assert bar.booking_id is not None
        assert bar.state is not None
        assert bar.rented is not None
        customer = next((hit.customer for hit in (BUDI, HARTONO) if hit.customer.name == bar.customer_name), None)
        return BookingRow(
            id=bar.booking_id,
            number=bar.number or "",
            order_id=f"order-{bar.booking_id}",
            unit=next(unit for unit in self.branch.units if unit.unit.id == bar.unit_id),
            customer=customer
            or Customer(id=f"c-{bar.booking_id}", name=bar.customer_name or "", phone="+6281200000000"),
            period=RentalPeriod(bar.rented.first, bar.rented.last),
            pickup_at=self.branch.clock.now(),
            due_at=bar.due_at or self.branch.clock.now(),
            state=bar.state,
            version=1,
            payment_deadline=bar.payment_deadline,
            source=Source.COUNTER,
            note="",
        )

    def move(self, booking_id: str, unit_id: str, period: RentalPeriod) -> None:
        """Another counter gives a booking of this one other days and another unit; its invoice follows."""
        unit = next(unit for unit in self.branch.units if unit.unit.id == unit_id)
        for order_id, (booked, row) in self.orders.items():
            if row.id == booking_id:
                total = self.quote((BookLine(sku=unit.sku.code, period=period, unit_id=unit_id),)).total
                item = replace(booked.bookings[0], unit_id=unit_id)
                moved = replace(row, unit=unit, period=period, version=row.version + 1)
                self.orders[order_id] = (replace(booked, bookings=(item,), total=total), moved)
        days = Days(period.first, period.last)
        self.branch.rows = [
            replace(bar, unit_id=unit_id, days=days, rented=days, version=(bar.version or 1) + 1)
            if bar.booking_id == booking_id
            else bar
            for bar in self.branch.rows
        ]

    def note_deadline(self, booking_id: str, until: dt.datetime) -> None:
        for order_id, (booked, row) in self.orders.items():
            if row.id == booking_id:
                self.orders[order_id] = (booked, replace(row, payment_deadline=until))

    def set_state(self, booking_id: str, state: BookingState) -> None:
        """What the service or another counter did meanwhile."""
        for order_id, (booked, row) in self.orders.items():
            if row.id == booking_id:
                self.orders[order_id] = (booked, replace(row, state=state))
        if state is BookingState.CANCELLED:
            self.branch.rows = [row for row in self.branch.rows if row.booking_id != booking_id]

    def _write(self, unit: FleetUnit, line: BookLine, request: BookRequest) -> BookedOrder:
        number = f"BK-{10240 + len(self.orders)}"
        deadline = self.branch.clock.now() + dt.timedelta(minutes=15)
        customer = next((hit.customer for hit in (BUDI, HARTONO) if hit.customer.id == request.customer_id), None)
        customer = customer or Customer(
            id="c-new", name=request.customer_name or "", phone=request.customer_phone or ""
        )
        booking_id = f"id-{number}"
        booked = BookedOrder(
            order_id=request.order_id,
            bookings=(
                BookedUnit(
                    id=booking_id,
                    number=number,
                    unit_id=unit.unit.id,
                    state=BookingState.PENDING_PAYMENT,
                    payment_deadline=deadline,
                ),
            ),
            invoice_id=f"inv-{number}",
            total=self.quote((line,)).total,
            repeat=False,
            projections=(),
            now=self.branch.clock.now(),
        )
        row = BookingRow(
            id=booking_id,
            number=number,
            order_id=request.order_id,
            unit=unit,
            customer=customer,
            period=line.period,
            pickup_at=self.branch.clock.now(),
            due_at=self.branch.clock.now(),
            state=BookingState.PENDING_PAYMENT,
            version=1,
            payment_deadline=deadline,
            source=Source.COUNTER,
            note="",
        )
        self.orders[request.order_id] = (booked, row)
        self.contents[request.order_id] = request
        self.branch.rows.append(
            Bar(
                unit_id=unit.unit.id,
                kind=OccupancyKind.BOOKING,
                days=Days(line.period.first, line.period.last),
                rented=Days(line.period.first, line.period.last),
                booking_id=booking_id,
                number=number,
                state=BookingState.PENDING_PAYMENT,
                source=Source.COUNTER,
                customer_name=customer.name,
                payment_deadline=deadline,
                due_at=None,
                paid=PaidMark.UNPAID,
                note="",
                version=1,
            )
        )
        return booked

    def _write_more(self, booked: BookedOrder, line: BookLine) -> BookedOrder:
        """One more unit of the same order and invoice."""
        unit = next(
            unit
            for unit in self.branch.units
            if unit.sku.code == line.sku
            and line.unit_id in (None, unit.unit.id)
            and not self.branch.blocking(unit.unit.id, Days(line.period.first, line.period.last))
        )
        first, days = booked.bookings[0], Days(line.period.first, line.period.last)
        number = f"{first.number}-{len(booked.bookings) + 1}"
        item = replace(first, id=f"id-{number}", number=number, unit_id=unit.unit.id)
        bar = next(bar for bar in self.branch.rows if bar.booking_id == first.id)
        self.branch.rows.append(
            replace(bar, unit_id=unit.unit.id, days=days, rented=days, booking_id=item.id, number=number)
        )
        order, row = self.orders[booked.order_id]
        order = replace(order, bookings=(*order.bookings, item), total=Rupiah(order.total + self.quote((line,)).total))
        self.orders[booked.order_id] = (order, row)
        return order

    def _taken(self, unit: FleetUnit, line: BookLine) -> Refusal:
        days = Days(line.period.first, line.period.last)
        others = [
            other
            for other in self.branch.units
            if other.sku.code == line.sku
            and other.unit.id != unit.unit.id
            and not self.branch.blocking(other.unit.id, days)
        ]
        actions = [
            NextAction(
                "use_unit",
                {
                    "unit_id": other.unit.id,
                    "plate": other.unit.plate,
                    "first_day": days.first,
                    "last_day": days.last,
                },
            )
            for other in others[:2]
        ]
        shift = dt.timedelta(days=1)
        later = Days(days.first + shift, days.last + shift)
        while self.branch.blocking(unit.unit.id, later):
            later = Days(later.first + shift, later.last + shift)
        actions.append(
            NextAction(
                "use_dates",
                {
                    "unit_id": unit.unit.id,
                    "plate": unit.unit.plate,
                    "first_day": later.first,
                    "last_day": later.last,
                },
            )
        )
        blockers = [
            {
                "unit_id": row.unit_id,
                "kind": row.kind.value,
                "first_day": row.days.first,
                "last_day": row.days.last,
                "number": row.number,
                "state": row.state.value if row.state else None,
                "customer": row.customer_name,
                "since": self.branch.clock.now() - dt.timedelta(hours=3),
                "by": "Andi",
            }
            for row in self.branch.blocking(unit.unit.id, days)
        ]
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field="lines[0]",
            next=tuple(actions),
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            sku=unit.sku.code,
            first_day=days.first,
            last_day=days.last,
            free_units=len(others),
            blockers=blockers,
        )


@dataclass
class FakeCustomers:
    branch: FakeBranch
    known: tuple[CustomerHit, ...] = (BUDI, HARTONO)

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]:
        self.branch.reach()
        digits = "".join(sign for sign in text if sign.isdigit())
        found = []
        for hit in self.known:
            local = "0" + hit.customer.phone[3:]
            named = any(word.startswith(text.strip().casefold()) for word in hit.customer.name.casefold().split())
            if (len(digits) >= 4 and (digits in local or digits in hit.customer.phone)) or (not digits and named):
                found.append(hit)
        return tuple(found[:limit])


@dataclass
class FakeCounter:
    """One counter at the branch; several may share a `FakeBranch`."""

    branch: FakeBranch = field(default_factory=FakeBranch)
    who: StaffMember = field(default_factory=staff)
    calendar: FakeCalendar = field(init=False)
    bookings: FakeBookings = field(init=False)
    customers: FakeCustomers = field(init=False)
    changes_of_bookings: FakeChanges = field(init=False)
    maintenance: FakeMaintenance = field(init=False)
    waitlist: FakeWaitlist = field(init=False)
    approvals: FakeApprovals = field(init=False)
    demand: FakeDemand = field(default_factory=FakeDemand)
    settlement: FakeOpenInvoices = field(default_factory=FakeOpenInvoices)

    def __post_init__(self) -> None:
        self.changes_of_bookings = FakeChanges(self.branch)
        self.maintenance = FakeMaintenance(self.branch)
        self.waitlist = FakeWaitlist(self.branch)
        self.calendar = FakeCalendar(self.branch)
        self.approvals = FakeApprovals(self.branch, self.who)
        self.bookings = FakeBookings(self.branch, words=self.approvals.given, needs_word=not is_manager(self.who))
        self.bookings.rules = self.who.branch
        self.customers = FakeCustomers(self.branch)

    def server_now(self) -> dt.datetime:
        self.branch.reach()
        return self.branch.clock.now()
