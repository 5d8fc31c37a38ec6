"""What a rental's way out and back starts from, and rentals that are late: reads of the database."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import text

from app.adapters.postgres.handover_json import (
    charge_of,
    collateral_of,
    damage_of,
    gate_line_of,
    hold_of,
    inspection_of,
    refund_of,
    risky_of,
    terms_of,
)
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import Columns, moment
from app.adapters.postgres.tx_call import Told, day_of, moment_of
from app.domain.booking import BookingState
from app.domain.cancellation import NO_SHOW_AFTER
from app.domain.catalogue import UnitStatus
from app.domain.charges import ChargeKind, ChargeTerms, Trip
from app.domain.money import PpnPlace, Rupiah
from app.usecases.rows_handovers import HandoverBasis, LateRental, MissedPickup, RentalAtLarge

_BASIS = text("SELECT sentra.handover_basis(CAST(:booking_id AS uuid)) AS basis")
_RENTAL = text("SELECT sentra.rental_of(:unit_id) AS rental")
_PHOTO = text("SELECT sentra.photo_content(CAST(:photo_id AS uuid)) AS content")
_TERMS = text("""
    SELECT template, included_km, km_rate, fuel_rate, one_way_fee, late_free_minutes, late_hour_percent,
           late_day_after_minutes
    FROM sentra.charge_terms WHERE sku_id = :sku""")

_LATE = text("""
    SELECT b.id, b.number, b.unit_id, u.plate, u.sku_id, b.state, c.name AS customer_name, c.phone, b.due_at,
           b.last_day,
           (SELECT coalesce(json_agg(n ORDER BY n.first_day, n.number), '[]') FROM (
                SELECT x.id AS booking_id, x.number, x.unit_id, x.branch_id, x.state, x.first_day, x.last_day
                FROM sentra.booking x
                WHERE x.unit_id = b.unit_id AND x.id <> b.id AND x.state IN ('PENDING_PAYMENT', 'PAID_APPROVED')
                  AND x.first_day <= day.today + 1 AND x.last_day >= day.today) n) AS at_risk
    FROM sentra.booking b
    JOIN sentra.unit u ON u.id = b.unit_id
    JOIN sentra.customer c ON c.id = b.customer_id
    JOIN sentra.branch br ON br.id = b.branch_id
    CROSS JOIN (SELECT sentra.now() AS now OFFSET 0) clock
    CROSS JOIN LATERAL (SELECT CAST(clock.now AT TIME ZONE br.zone AS date) AS today) day
    WHERE b.branch_id = :branch_id
      AND ((b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING') AND b.due_at < clock.now)
           OR (b.state = 'RETURNED_PENDING_CHECK' AND b.last_day < day.today))
    ORDER BY b.due_at, b.number""")

_MISSED = text("""
    SELECT b.id, b.number, b.unit_id, u.plate, c.name AS customer_name, c.phone, b.pickup_at
    FROM sentra.booking b
    JOIN sentra.unit u ON u.id = b.unit_id
    JOIN sentra.customer c ON c.id = b.customer_id
    WHERE b.branch_id = :branch_id AND b.state = 'PAID_APPROVED' AND b.pickup_at < (SELECT sentra.now())
    ORDER BY b.pickup_at, b.number""")


class HandoverReads:
    """The part `HandoverReads` of the reads."""

    _ask: Ask

    def handover_basis(self, booking_id: str) -> HandoverBasis | None:
        """Gate, looks, charges and deposit of a booking in one snapshot; None when it is not in hand here."""
        row = self._ask.row(_BASIS, booking_id=booking_id) if is_uuid(booking_id) else None
        return None if row is None or row["basis"] is None else _basis_of(row["basis"])

    def rental_of(self, unit_id: str) -> RentalAtLarge | None:
        row = self._ask.row(_RENTAL, unit_id=unit_id)
        told = None if row is None else row["rental"]
        if told is None:
            return None
        return RentalAtLarge(
            booking_id=told["booking_id"],
            number=told["number"],
            branch_id=told["branch_id"],
            state=BookingState(told["state"]),
            version=told["version"],
            customer_name=told["customer_name"],
            due_at=moment_of(told["due_at"]),
        )

    def photo_content(self, photo_id: str) -> bytes | None:
        row = self._ask.row(_PHOTO, photo_id=photo_id)
        return None if row is None or row["content"] is None else bytes(row["content"])

    def charge_terms(self, sku: str) -> ChargeTerms:
        row = self._ask.row(_TERMS, sku=sku)
        return ChargeTerms() if row is None else terms_of(row)

    def late_rentals(self, branch_id: str) -> tuple[LateRental, ...]:
        return tuple(map(_late_of, self._ask.rows(_LATE, branch_id=branch_id)))

    def missed_pickups(self, branch_id: str) -> tuple[MissedPickup, ...]:
        return tuple(map(_missed_of, self._ask.rows(_MISSED, branch_id=branch_id)))


def _basis_of(told: Told) -> HandoverBasis:
    return HandoverBasis(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        branch_id=told["branch_id"],
        version=told["version"],
        state=BookingState(told["state"]),
        unit_id=told["unit_id"],
        plate=told["plate"],
        sku=told["sku"],
        sold_sku=told["sold_sku"],
        unit_odometer=told["unit_odometer"],
        unit_status=UnitStatus(told["unit_status"]),
        customer_name=told["customer_name"],
        first_day=day_of(told["first_day"]),
        last_day=day_of(told["last_day"]),
        pickup_at=moment_of(told["pickup_at"]),
        due_at=moment_of(told["due_at"]),
        late_due_at=moment_of(told["late_due_at"]),
        handed_at=_moment_or_none(told["handed_at"]),
        returned_at=_moment_or_none(told["returned_at"]),
        last_step_at=moment_of(told["last_step_at"]),
        day_rate=Rupiah(told["day_rate"]),
        paid_days=told["paid_days"],
        elsewhere=told["elsewhere"],
        terms=terms_of(told["terms"]),
        taxed=frozenset(map(ChargeKind, told["taxed"])),
        ppn_place=PpnPlace(told["ppn_place"]),
        gate=tuple(map(gate_line_of, told["gate"])),
        damages=tuple(map(damage_of, told["damages"])),
        inspections=tuple(map(inspection_of, told["inspections"])),
        trips=tuple(
            Trip(
                odometer_out=way["odometer_out"],
                odometer_in=way["odometer_in"],
                fuel_out=way["fuel_out"],
                fuel_in=way["fuel_in"],
            )
            for way in told["trips"]
        ),
        collateral=tuple(map(collateral_of, told["collateral"])),
        charges=tuple(map(charge_of, told["charges"])),
        holds=tuple(map(hold_of, told["holds"])),
        deposit_left=Rupiah(told["deposit_left"]),
        refunds=tuple(map(refund_of, told["refunds"])),
        at_risk=tuple(map(risky_of, told["at_risk"])),
        today=day_of(told["today"]),
        now=moment_of(told["now"]),
    )


def _late_of(row: Columns) -> LateRental:
    return LateRental(
        booking_id=str(row["id"]),
        number=row["number"],
        unit_id=row["unit_id"],
        plate=row["plate"],
        sku=row["sku_id"],
        state=BookingState(row["state"]),
        customer_name=row["customer_name"],
        customer_phone=row["phone"],
        due_at=moment(row["due_at"]),
        last_day=row["last_day"],
        at_risk=tuple(map(risky_of, row["at_risk"])),
    )


def _missed_of(row: Columns) -> MissedPickup:
    pickup = moment(row["pickup_at"])
    return MissedPickup(
        booking_id=str(row["id"]),
        number=row["number"],
        unit_id=row["unit_id"],
        plate=row["plate"],
        customer_name=row["customer_name"],
        customer_phone=row["phone"],
        pickup_at=pickup,
        possible_at=pickup + NO_SHOW_AFTER,
    )


def _moment_or_none(told: str | None) -> dt.datetime | None:
    return None if told is None else moment_of(told)
