"""Hand-written stand-ins for the use cases behind the grid's verbs: changes, maintenance, waitlist, open invoices."""

import datetime as dt
import uuid
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.domain.booking import Action, BookingState
from app.domain.catalogue import MaintenanceState
from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.waitlist import Tier, WaitlistState
from app.usecases.maintenance import BlockedUnit, MaintenanceRow
from app.usecases.rows import Bar, Blocker, FleetUnit, InvoiceRow, OccupancyKind, PaidMark
from app.usecases.rows_changes import ChangedBooking, ChangeQuote
from app.usecases.waitlist import JoinedWaitlist, WaitlistRow, WaitlistWish
from tests.desktop.calendar_samples import NOW, TODAY


class _Branch(Protocol):
    rows: list[Bar]
    units: tuple[FleetUnit, ...]

    def reach(self) -> None: ...


def check_seen(bar: Bar, version: int | None) -> None:
    if version not in (None, bar.version or 1):
        raise Refusal(
            RefusalCode.BOOKING_STATE,
            field="booking_id",
            next=(),
            reason="changed_meanwhile",
            number=bar.number,
            by="Ayu",
            counter="Kasir 2",
        )


@dataclass
class FakeChanges:
    """Changes the branch's bars. `refuses` is the answer to the next question about a place."""

    branch: _Branch
    asked: list[tuple[str, RentalPeriod, str | None]] = field(default_factory=list)
    done: list[tuple[Action, str]] = field(default_factory=list)
    refuses: Refusal | None = None

    def quote_change(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangeQuote:
        self.branch.reach()
        self.asked.append((booking_id, period, unit_id))
        if self.refuses is not None:
            raise self.refuses
        bar = self._seen(booking_id, version)
        unit = self._unit(unit_id or bar.unit_id)
        home = self._unit(bar.unit_id)
        if unit.sku.code != home.sku.code and unit.sku.daily_rate < home.sku.daily_rate:
            raise Refusal(
                RefusalCode.UNIT_NOT_RENTABLE,
                field="unit_id",
                next=(),
                reason="lower_class",
                unit_id=unit.unit.id,
                plate=unit.unit.plate,
                sku=unit.sku.code,
                sold=home.sku.code,
            )
        before = bar.rented or bar.days
        action = self._action(bar, period, unit_id)
        blockers = self._blockers(bar, unit, period)
        rate = self._unit(bar.unit_id).sku.daily_rate
        difference = Rupiah(rate * (period.count - before.count)) if action is not Action.SHORTEN else Rupiah(0)
        free_until = min((blocker.days.first for blocker in blockers), default=None)
        longest = free_until - dt.timedelta(days=1) if free_until is not None else None
        return ChangeQuote(
            before=Rupiah(rate * before.count),
            after=Rupiah(rate * before.count + difference),
            difference=difference,
            action=action,
            blockers=blockers,
            longest_last_day=longest if action is Action.REQUEST_EXTENSION else None,
        )

    def reschedule(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangedBooking:
        self._seen(booking_id, version)
        return self._move(Action.RESCHEDULE, booking_id, period, unit_id)

    def swap_unit(self, booking_id: str, unit_id: str, *, version: int | None = None) -> ChangedBooking:
        bar = self._seen(booking_id, version)
        days = bar.rented or bar.days
        return self._move(Action.SWAP_UNIT, booking_id, RentalPeriod(days.first, days.last), unit_id)

    def request_extension(self, booking_id: str, last_day: dt.date, *, version: int | None = None) -> ChangedBooking:
        bar = self._seen(booking_id, version)
        return self._move(Action.REQUEST_EXTENSION, booking_id, RentalPeriod(bar.days.first, last_day), None)

    def reject_extension(self, booking_id: str, reason: str = "", *, version: int | None = None) -> ChangedBooking:
        self.branch.reach()
        bar = self._seen(booking_id, version)
        rented = bar.rented or bar.days
        self._replace(bar, days=rented, rented=rented, state=BookingState.ACTIVE_RENTAL, payment_deadline=None)
        self.done.append((Action.REJECT_EXTENSION, booking_id))
        return self._changed(booking_id, RentalPeriod(rented.first, rented.last), Rupiah(0))

    def shorten(
        self, booking_id: str, last_day: dt.date, reason: str = "", *, version: int | None = None
    ) -> ChangedBooking:
        bar = self._seen(booking_id, version)
        return self._move(Action.SHORTEN, booking_id, RentalPeriod(bar.days.first, last_day), None)

    def _move(self, action: Action, booking_id: str, period: RentalPeriod, unit_id: str | None) -> ChangedBooking:
        self.branch.reach()
        bar = self._bar(booking_id)
        unit = self._unit(unit_id or bar.unit_id)
        blockers = self._blockers(bar, unit, period)
        if blockers:
            raise self._taken(unit, period, blockers)
        before = bar.rented or bar.days
        rate = self._unit(bar.unit_id).sku.daily_rate
        difference = Rupiah(rate * (period.count - before.count)) if action is not Action.SHORTEN else Rupiah(0)
        days = Days(period.first, period.last)
        if action is Action.REQUEST_EXTENSION:
            deadline = NOW + dt.timedelta(minutes=15)
            self._replace(bar, days=days, state=BookingState.EXTENSION_PENDING, payment_deadline=deadline)
        else:
            self._replace(bar, unit_id=unit.unit.id, days=days, rented=days)
        self.done.append((action, booking_id))
        return self._changed(booking_id, period, difference)

    def _changed(self, booking_id: str, period: RentalPeriod, difference: Rupiah) -> ChangedBooking:
        bar = self._bar(booking_id)
        assert bar.state is not None
        return ChangedBooking(
            booking_id=booking_id,
            number=bar.number or "",
            order_id="",
            state=bar.state,
            version=bar.version or 1,
            unit_id=bar.unit_id,
            period=period,
            invoice_id=f"bill-{booking_id}" if difference > 0 else None,
            difference=difference,
            payment_deadline=bar.payment_deadline,
            projections=(),
            freed=(),
            now=NOW,
        )

    def _action(self, bar: Bar, period: RentalPeriod, unit_id: str | None) -> Action:
        before = bar.rented or bar.days
        if bar.state is BookingState.ACTIVE_RENTAL:
            if unit_id is not None:
                return Action.SWAP_UNIT
            return Action.REQUEST_EXTENSION if period.last > before.last else Action.SHORTEN
        same = (period.first, period.last) == (before.first, before.last)
        return Action.SWAP_UNIT if unit_id is not None and same else Action.RESCHEDULE

    def _blockers(self, bar: Bar, unit: FleetUnit, period: RentalPeriod) -> tuple[Blocker, ...]:
        return tuple(
            Blocker(
                unit_id=row.unit_id,
                kind=row.kind,
                days=row.days,
                booking_number=row.number,
                state=row.state,
                customer_name=row.customer_name,
                since=NOW - dt.timedelta(hours=3),
                by="Andi",
                booking_id=row.booking_id,
            )
            for row in self.branch.rows
            if row.unit_id == unit.unit.id
            and row.booking_id != bar.booking_id
            and row.state is not BookingState.COMPLETED
            and row.days.overlaps(period)
        )

    def _taken(self, unit: FleetUnit, period: RentalPeriod, blockers: tuple[Blocker, ...]) -> Refusal:
        others = [
            other
            for other in self.branch.units
            if other.sku == unit.sku
            and other.unit.id != unit.unit.id
            and not any(
                row.unit_id == other.unit.id and row.state is not BookingState.COMPLETED and row.days.overlaps(period)
                for row in self.branch.rows
            )
        ]
        return Refusal(
            RefusalCode.DAYS_TAKEN,
            field="first_day",
            next=tuple(
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
            ),
            unit_id=unit.unit.id,
            plate=unit.unit.plate,
            sku=unit.sku.code,
            first_day=period.first,
            last_day=period.last,
            free_units=len(others),
            blockers=[
                {
                    "unit_id": blocker.unit_id,
                    "kind": blocker.kind.value,
                    "first_day": blocker.days.first,
                    "last_day": blocker.days.last,
                    "number": blocker.booking_number,
                    "state": blocker.state.value if blocker.state else None,
                    "customer": blocker.customer_name,
                    "since": blocker.since,
                    "by": blocker.by,
                }
                for blocker in blockers
            ],
        )

    def _seen(self, booking_id: str, version: int | None) -> Bar:
        bar = self._bar(booking_id)
        check_seen(bar, version)
        return bar

    def _bar(self, booking_id: str) -> Bar:
        return next(row for row in self.branch.rows if row.booking_id == booking_id)

    def _unit(self, unit_id: str) -> FleetUnit:
        return next(unit for unit in self.branch.units if unit.unit.id == unit_id)

    def _replace(self, bar: Bar, **changes: object) -> None:
        at = self.branch.rows.index(bar)
        self.branch.rows[at] = replace(bar, version=(bar.version or 1) + 1, **changes)  # type: ignore[arg-type]


@dataclass
class FakeMaintenance:
    branch: _Branch
    blocked: dict[str, MaintenanceRow] = field(default_factory=dict)
    ended: dict[str, MaintenanceRow] = field(default_factory=dict)

    def block_unit(
        self, unit_id: str, days: Days, reason: str, breakdown: bool = False, block_id: str | None = None
    ) -> BlockedUnit:
        self.branch.reach()
        for bar in self.branch.rows:
            if bar.unit_id == unit_id and bar.state is not BookingState.COMPLETED and bar.days.overlaps(days):
                raise Refusal(
                    RefusalCode.DAYS_TAKEN,
                    field="days",
                    unit_id=unit_id,
                    first_day=days.first,
                    last_day=days.last,
                    blockers=[{"first_day": bar.days.first, "last_day": bar.days.last, "number": bar.number}],
                )
        plate = next(unit.unit.plate for unit in self.branch.units if unit.unit.id == unit_id)
        row = MaintenanceRow(
            id=block_id or str(uuid.uuid4()),
            unit_id=unit_id,
            plate=plate,
            days=days,
            state=MaintenanceState.RUNNING if days.first <= TODAY else MaintenanceState.SCHEDULED,
            breakdown=breakdown,
            reason=reason,
            created_by_name="Siti",
        )
        self.blocked[row.id] = row
        self.branch.rows.append(maintenance_bar(row))
        return BlockedUnit(row=row, blockers=(), projections=(), freed=())

    def end_block(self, block_id: str) -> BlockedUnit:
        self.branch.reach()
        if block_id not in self.ended:
            self.ended[block_id] = self.blocked.pop(block_id)
            self.branch.rows.remove(maintenance_bar(self.ended[block_id]))
        row = self.ended[block_id]
        return BlockedUnit(row=row, blockers=(), projections=(), freed=())

    def blocks(self, window: Days) -> tuple[MaintenanceRow, ...]:
        self.branch.reach()
        return tuple(row for row in self.blocked.values() if row.days.overlaps(window))


def maintenance_bar(row: MaintenanceRow) -> Bar:
    return Bar(
        unit_id=row.unit_id,
        kind=OccupancyKind.MAINTENANCE,
        days=row.days,
        rented=None,
        booking_id=None,
        number=None,
        state=None,
        source=None,
        customer_name=None,
        payment_deadline=None,
        due_at=None,
        paid=PaidMark.UNPAID,
        note=row.reason,
    )


@dataclass
class FakeWaitlist:
    branch: _Branch
    places: list[WaitlistRow] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def join_waitlist(self, wish: WaitlistWish) -> JoinedWaitlist:
        self.branch.reach()
        name = wish.customer_name or "Budi Santoso"
        known = next((place for place in self.places if place.customer_name == name and place.sku == wish.sku), None)
        if known is not None:
            return JoinedWaitlist(entry=known, already=True, mirrored=None)
        entry = WaitlistRow(
            id=str(uuid.uuid4()),
            customer_id=wish.customer_id or "c-new",
            customer_name=name,
            customer_phone=wish.customer_phone or "+6281234567890",
            tier=Tier.BASIC,
            sku=wish.sku,
            period=wish.period,
            joined_at=NOW,
            state=WaitlistState.WAITING,
            position=len(self.places) + 1,
        )
        self.places.append(entry)
        return JoinedWaitlist(entry=entry, already=False, mirrored=None)

    def withdraw_waitlist(self, entry_id: str) -> None:
        self.branch.reach()
        self.withdrawn.append(entry_id)
        self.places = [place for place in self.places if place.id != entry_id]

    def entries(self, sku: str | None = None) -> tuple[WaitlistRow, ...]:
        self.branch.reach()
        return tuple(place for place in self.places if place.sku == sku)


@dataclass
class FakeDemand:
    """Refused wishes as (order's id, SKU, unit, first day, last day)."""

    wishes: list[tuple[str, object, object, object, object]] = field(default_factory=list)

    def record(self, no: Refusal, order_id: str) -> None:
        names = ("sku", "unit_id", "first_day", "last_day")
        sku, unit_id, first, last = (no.params.get(name) for name in names)
        self.wishes.append((order_id, sku, unit_id, first, last))


@dataclass
class FakeOpenInvoices:
    rows: list[InvoiceRow] = field(default_factory=list)

    def invoices(self) -> tuple[InvoiceRow, ...]:
        return tuple(self.rows)
