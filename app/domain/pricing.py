"""What a rental costs: rent by days, extras, a discount over both, deposit, and the invoice's one PPN."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from app.domain.catalogue import Sku
from app.domain.days import Days, RentalPeriod
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.money import ZERO, Ppn, Rupiah, half_up, ppn_inside, ppn_on_top, ppn_rate
from app.domain.rates import RENT_WORDS, ChosenExtra, charged_days, rent_parts
from app.domain.rates import Extra as Extra
from app.domain.rates import ExtraWish as ExtraWish
from app.domain.rates import RateCard as RateCard
from app.domain.staff import Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a booking is priced by, as it is frozen on it: changes of its days are priced by the same.

    `holidays` are the days that cost the card's holiday rate; `day_offset` and `min_days` say how days are counted.
    """

    name: str
    card: RateCard
    holidays: frozenset[dt.date] = frozenset()
    extras: tuple[ChosenExtra, ...] = ()
    discount_percent: int = 0
    day_offset: int = 0
    min_days: int = 1

    def days(self, period: RentalPeriod) -> int:
        """Days that are paid for."""
        return charged_days(period.count, self.day_offset, self.min_days)

    def priced_days(self, period: RentalPeriod) -> Days:
        """The days that are paid for, from the first one on."""
        return Days(period.first, period.first + dt.timedelta(days=self.days(period) - 1))

    def with_holidays(self, priced: RentalPeriod, found: Collection[dt.date]) -> Terms:
        """The terms for other days: what was priced before keeps its holidays, new days have those that were found."""
        old = self.priced_days(priced)
        kept = {day for day in self.holidays if day in old} | {day for day in found if day not in old}
        return replace(self, holidays=frozenset(kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLine:
    """One unit of an order, as it will be frozen on the booking. Without `card` and `deposit` those of the SKU."""

    booking_id: str
    sku: Sku
    period: RentalPeriod
    extras: tuple[ChosenExtra, ...] = ()
    discount_percent: int = 0
    deposit: Rupiah | None = None
    card: RateCard | None = None
    holidays: frozenset[dt.date] = frozenset()
    day_offset: int = 0
    min_days: int = 1

    @property
    def terms(self) -> Terms:
        return Terms(
            name=self.sku.name,
            card=self.card or RateCard(weekday=self.sku.daily_rate),
            holidays=self.holidays,
            extras=self.extras,
            discount_percent=self.discount_percent,
            day_offset=self.day_offset,
            min_days=self.min_days,
        )

    @property
    def agreed_deposit(self) -> Rupiah:
        return self.sku.deposit if self.deposit is None else self.deposit


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """`total` is due now. `ppn` is inside it (or on top, by the branch), None where the branch is no PKP.

    `taxable` is rent and taxable extras less the `discount`: what the PPN is of. `balance` is what a BALANCE invoice
    will ask later, 0 without a down payment. Prices hold until `valid_until` unless somebody changes the rates.
    `days` are those that each item of the order pays for; a week's rate may stand for fewer than seven of them.
    """

    lines: tuple[InvoiceLine, ...]
    rent: Rupiah
    deposit: Rupiah
    ppn: Ppn | None
    total: Rupiah
    extras: Rupiah = ZERO
    discount: Rupiah = ZERO
    taxable: Rupiah = ZERO
    balance: Rupiah = ZERO
    valid_until: dt.datetime | None = None
    days: tuple[int, ...] = ()


def priced_lines(terms: Terms, period: RentalPeriod, booking_id: str | None = None) -> tuple[InvoiceLine, ...]:
    """Rent by kind of day, extras, and one DISCOUNT line: of all that is taxable, rounded half up once."""

    def line(kind: LineKind, text: str, quantity: int, price: int, taxable: bool = True) -> InvoiceLine:
        return InvoiceLine(
            kind=kind,
            text=text,
            quantity=quantity,
            unit_price=Rupiah(price),
            amount=Rupiah(quantity * price),
            taxable=taxable,
            booking_id=booking_id,
        )

    days = terms.days(period)
    lines = []
    for part in rent_parts(terms.card, period.first, days, terms.holidays):
        word = RENT_WORDS[part.kind]
        lines.append(line(LineKind.RENT, f"{terms.name} · {word}" if word else terms.name, part.quantity, part.rate))
    for chosen in terms.extras:
        extra = chosen.extra
        quantity = chosen.quantity * (days if extra.per_day else 1)
        lines.append(line(LineKind.EXTRA, extra.name, quantity, extra.rate, extra.taxable))
    discount = half_up(sum(item.amount for item in lines if item.taxable) * terms.discount_percent, 100)
    if discount:
        lines.append(line(LineKind.DISCOUNT, f"Diskon {terms.discount_percent} %", 1, -discount))
    return tuple(lines)


def worth(terms: Terms, period: RentalPeriod) -> Rupiah:
    """What the days are worth before a PPN on top: all that is taxable, less the discount."""
    return Rupiah(sum(item.amount for item in priced_lines(terms, period) if item.taxable))


def first_day_rent(terms: Terms, first: dt.date) -> Rupiah:
    """The first day's rent as it was agreed: by its kind of day, less the discount, without extras."""
    rent = sum(part.amount for part in rent_parts(terms.card, first, 1, terms.holidays))
    return Rupiah(rent - half_up(rent * terms.discount_percent, 100))


def quote(branch: Branch, order: Sequence[QuoteLine], on: dt.date) -> Quote:
    """Price an order on a day. Whole Rupiah; PPN once over all taxable lines, never per line (case C-74)."""
    lines = [line for item in order for line in priced_lines(item.terms, item.period, item.booking_id)]
    taxable = Rupiah(sum(line.amount for line in lines if line.taxable))
    for item in order:
        if item.agreed_deposit:
            lines.append(
                InvoiceLine(
                    kind=LineKind.DEPOSIT,
                    text=item.sku.name,
                    quantity=1,
                    unit_price=item.agreed_deposit,
                    amount=item.agreed_deposit,
                    taxable=False,
                    booking_id=item.booking_id,
                )
            )
    ppn = _ppn(branch, taxable, on)
    if ppn is not None and not branch.prices_include_ppn:
        lines.append(
            InvoiceLine(kind=LineKind.PPN, text="PPN", quantity=1, unit_price=ppn.tax, amount=ppn.tax, taxable=False)
        )
    return Quote(
        lines=tuple(lines),
        rent=_sum(lines, LineKind.RENT),
        extras=_sum(lines, LineKind.EXTRA),
        discount=Rupiah(-_sum(lines, LineKind.DISCOUNT)),
        deposit=_sum(lines, LineKind.DEPOSIT),
        taxable=taxable,
        ppn=ppn,
        total=Rupiah(sum(line.amount for line in lines)),
        days=tuple(item.terms.days(item.period) for item in order),
    )


def _sum(lines: Sequence[InvoiceLine], kind: LineKind) -> Rupiah:
    return Rupiah(sum(line.amount for line in lines if line.kind is kind))


def _ppn(branch: Branch, taxable: Rupiah, on: dt.date) -> Ppn | None:
    if not branch.has_ppn:
        return None
    rate = ppn_rate(on)
    return ppn_inside(taxable, rate) if branch.prices_include_ppn else ppn_on_top(taxable, rate)
