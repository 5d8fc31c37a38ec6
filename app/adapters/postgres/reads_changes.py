"""What a change of a booking starts from, out of the one JSON object in which the database answers it."""

from __future__ import annotations

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.reads_rates import card_of, extra_of
from app.adapters.postgres.tx_call import Told, day_of, moment_of
from app.domain.booking import BookingState
from app.domain.booking_change import Standing
from app.domain.change_pricing import Paper
from app.domain.days import Days, RentalPeriod
from app.domain.money import PpnPlace, Rupiah
from app.domain.pricing import Terms
from app.domain.rates import ChosenExtra
from app.usecases.rows_changes import ChangeBasis

_BASIS = text("SELECT sentra.change_basis(CAST(:booking_id AS uuid)) AS basis")


class ChangeReads:
    """The part `ChangeReads` of the reads."""

    _ask: Ask

    def change_basis(self, booking_id: str) -> ChangeBasis | None:
        """Standing, rates and invoices of a booking in one snapshot; None when the person's branch has no such one."""
        row = self._ask.row(_BASIS, booking_id=booking_id) if is_uuid(booking_id) else None
        return None if row is None or row["basis"] is None else basis_of(row["basis"])


def basis_of(told: Told) -> ChangeBasis:
    deadline, paid_until = told["payment_deadline"], told["paid_until"]
    standing = Standing(
        state=BookingState(told["state"]),
        unit_id=told["unit_id"],
        unit_sku=told["unit_sku"],
        period=RentalPeriod(day_of(told["first_day"]), day_of(told["last_day"])),
        held=Days(day_of(told["held_first"]), day_of(told["held_last"])),
        turnaround_days=told["turnaround_days"],
        paid_until=None if paid_until is None else day_of(paid_until),
        today=day_of(told["today"]),
    )
    return ChangeBasis(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        version=told["version"],
        standing=standing,
        sold_sku=told["sold_sku"],
        sold_rate=Rupiah(told["sold_rate"]),
        terms=terms_of(told["daily_rate"], told["terms"]),
        ppn_place=PpnPlace(told["ppn_place"]),
        payment_deadline=None if deadline is None else moment_of(deadline),
        papers=tuple(_paper(item) for item in told["papers"]),
        now=moment_of(told["now"]),
    )


def terms_of(daily_rate: int, told: Told) -> Terms:
    """What a booking is priced by, as its JSON tells it."""
    return Terms(
        name=told["name"],
        card=card_of(daily_rate, told["card"]),
        holidays=frozenset(map(day_of, told["holidays"])),
        extras=tuple(ChosenExtra(extra=extra_of(item), quantity=item["quantity"]) for item in told["extras"]),
        discount_percent=told["discount_percent"],
        day_offset=told["day_offset"],
        min_days=told["min_days"],
    )


def _paper(told: Told) -> Paper:
    return Paper(
        is_open=told["is_open"],
        made_on=day_of(told["made_on"]),
        ppn_place=PpnPlace(told["ppn_place"]),
        taxable=Rupiah(told["taxable"]),
        rent=Rupiah(told["rent"]),
        given_back=Rupiah(told["given_back"]),
        given_back_here=Rupiah(told["given_back_here"]),
        due=Rupiah(told["due"]),
        due_amount=Rupiah(told["due_amount"]),
        paid_back=Rupiah(told["paid_back"]),
    )
