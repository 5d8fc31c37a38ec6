"""Charges at a return: late, extra km, one way and fuel by rule; cleaning, damage, lost items and fines as seen.

A rule charge is computed from the frozen terms and the two inspections, and once more by the database: an inspector
adds what was seen, and leaves nothing out that a rule asks for. A manager may waive any line, with a reason.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.change_pricing import payable
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.inspection import Template
from app.domain.late_fee import DEFAULT_LATE_RULE, LateRule, late_fee, lateness
from app.domain.money import ZERO, PpnPlace, Rupiah

MAX_LINES = 40
MAX_TEXT = 200
MAX_QUANTITY = 9_999
MAX_CHARGE = 999_999_999_999


class ChargeKind(StrEnum):
    """In the order in which a deposit pays them."""

    LATE = "LATE"
    KM = "KM"
    ONE_WAY = "ONE_WAY"
    FUEL = "FUEL"
    CLEANING = "CLEANING"
    DAMAGE = "DAMAGE"
    LOST = "LOST"
    TRAFFIC = "TRAFFIC"


BY_RULE = frozenset({ChargeKind.LATE, ChargeKind.KM, ChargeKind.ONE_WAY, ChargeKind.FUEL})
"""Computed, never typed."""
TAXED_BY_DEFAULT = frozenset({ChargeKind.LATE, ChargeKind.KM, ChargeKind.ONE_WAY, ChargeKind.FUEL, ChargeKind.CLEANING})
"""Damage, lost items and traffic fines make a loss good and are no supply. A branch's setting may say otherwise."""


class Outcome(StrEnum):
    """How a manager closes a charge: as it stands, for less, or not at all."""

    FULL = "FULL"
    REDUCED = "REDUCED"
    DROPPED = "DROPPED"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeTerms:
    """What a SKU's return is charged by, frozen at check-out. Rates are whole Rupiah before a PPN on top.

    `included_km` is per paid day, None for any distance. `fuel_rate` is for each eighth that is missing, of an electric
    unit for each percent.
    """

    template: Template = Template.CAR
    included_km: int | None = None
    km_rate: Rupiah = ZERO
    fuel_rate: Rupiah = ZERO
    one_way_fee: Rupiah = ZERO
    late: LateRule = DEFAULT_LATE_RULE


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One unit's way out and back; a rental whose unit was replaced on its way has two. None: not read."""

    odometer_out: int | None
    odometer_in: int | None
    fuel_out: int | None
    fuel_in: int | None

    @property
    def driven(self) -> int:
        return 0 if self.odometer_out is None or self.odometer_in is None else self.odometer_in - self.odometer_out

    @property
    def fuel_missing(self) -> int:
        return 0 if self.fuel_out is None or self.fuel_in is None else max(0, self.fuel_out - self.fuel_in)


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One line. `contested`: the customer does not agree, `reason` says why; it goes on an invoice of its own."""

    kind: ChargeKind
    text: str
    quantity: int
    unit_price: Rupiah
    contested: bool = False
    reason: str = ""

    @property
    def amount(self) -> Rupiah:
        return Rupiah(self.quantity * self.unit_price)


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What the rule charges of a return are computed from. `late_due_at` is the end of the days that are paid for."""

    day_rate: Rupiah
    paid_days: int
    late_due_at: dt.datetime
    returned_at: dt.datetime
    trips: tuple[Trip, ...]
    elsewhere: bool = False


def due_charges(back: Returned, terms: ChargeTerms) -> tuple[Charge, ...]:
    """The charges that rules ask for, in their order; none of nothing."""
    late = lateness(back.late_due_at, back.returned_at)
    driven = sum(trip.driven for trip in back.trips)
    extra_km = 0 if terms.included_km is None else max(0, driven - terms.included_km * back.paid_days)
    missing = sum(trip.fuel_missing for trip in back.trips)
    found = [
        _line(ChargeKind.LATE, f"Terlambat {_span(late)}", 1, late_fee(back.day_rate, late, terms.late)),
        _line(ChargeKind.KM, f"Lebih {extra_km} km", extra_km, terms.km_rate),
        _line(ChargeKind.ONE_WAY, "Kembali di cabang lain", int(back.elsewhere), terms.one_way_fee),
        _line(ChargeKind.FUEL, _fuel(missing, terms.template), missing, terms.fuel_rate),
    ]
    return tuple(line for line in found if line.amount > 0)


def checked_charge(charge: Charge, place: str) -> Charge:
    """A line that somebody typed: a kind no rule computes, something to read, a sum above nothing. Names the field."""
    if charge.kind in BY_RULE:
        raise invalid(f"{place}.kind", "by_rule", given=charge.kind.value)
    text = " ".join(charge.text.split())
    if not any(sign.isalnum() for sign in text):
        raise invalid(f"{place}.text", "empty")
    if len(text) > MAX_TEXT:
        raise invalid(f"{place}.text", "too_long", length=len(text), most=MAX_TEXT)
    if not text.isprintable():
        raise invalid(f"{place}.text", "control_characters")
    if not 1 <= charge.quantity <= MAX_QUANTITY:
        raise invalid(f"{place}.quantity", "out_of_range", least=1, most=MAX_QUANTITY, given=charge.quantity)
    if not 1 <= charge.amount <= MAX_CHARGE:
        raise invalid(f"{place}.unit_price", "not_an_amount", given=charge.unit_price)
    return Charge(
        kind=charge.kind,
        text=text,
        quantity=charge.quantity,
        unit_price=charge.unit_price,
        contested=charge.contested,
        reason=charge.reason,
    )


def in_order(charges: Sequence[Charge]) -> tuple[Charge, ...]:
    """By kind, in the order in which a deposit pays them; of one kind as they were given."""
    order = list(ChargeKind)
    return tuple(sorted(charges, key=lambda line: order.index(line.kind)))


def check_count(charges: Sequence[Charge]) -> None:
    """Refuse a return without any charge, which is cleared instead, and one with more than `MAX_LINES`."""
    if not charges:
        raise Refusal(RefusalCode.BOOKING_STATE, field="charges", next=(), reason="no_charges")
    if len(charges) > MAX_LINES:
        raise invalid("charges", "count", least=1, most=MAX_LINES, given=len(charges))


def paper_total(charges: Sequence[Charge], taxed: Collection[ChargeKind], place: PpnPlace, on: dt.date) -> Rupiah:
    """What one invoice with these lines asks for, its PPN included."""
    taxable = sum(line.amount for line in charges if line.kind in taxed)
    untaxed = sum(line.amount for line in charges if line.kind not in taxed)
    return Rupiah((payable(place, taxable, on) if taxable else 0) + untaxed)


def _line(kind: ChargeKind, text: str, quantity: int, price: int) -> Charge:
    return Charge(kind=kind, text=text, quantity=quantity, unit_price=Rupiah(price))


def _fuel(missing: int, template: Template) -> str:
    return f"Baterai kurang {missing} %" if template is Template.EV else f"BBM kurang {missing}/8"


def _span(late: dt.timedelta) -> str:
    minutes = -(-late // dt.timedelta(minutes=1))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = ((days, "hari"), (hours, "jam"), (minutes, "menit"))
    return " ".join(f"{count} {word}" for count, word in parts if count) or "0 menit"
