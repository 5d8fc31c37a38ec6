"""Frozen rows of rates and extras, and what an order is priced by."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.catalogue import Sku
from app.domain.customer import Customer
from app.domain.money import Rupiah
from app.domain.rates import Extra, RateCard
from app.domain.staff import Branch
from app.usecases.rows import FleetUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedRate:
    """What a SKU costs from a day on, and the least deposit."""

    since: dt.date
    card: RateCard
    deposit: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceQuestion:
    """What an order wants to know the price of: SKU and first day of each line, codes of extras, whether there is a
    discount and a down payment."""

    skus: tuple[str, ...]
    first_days: tuple[dt.date, ...]
    extras: tuple[str, ...]
    has_discount: bool
    has_down_payment: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBasis:
    """What one line is priced by. `rate` is the dated one in force on its first day, None where the fleet's is.

    `is_driven` is false for equipment: nobody needs a licence for it.
    """

    sku: Sku
    min_days: int
    rate: DatedRate | None
    is_driven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBasis:
    """Answer to a `PriceQuestion` in one snapshot; `now` is the database's clock. A SKU that does not exist is None in
    its place. `branch` has the settings of this moment, whatever they were when the person logged in. `extras` are the
    branch's, dropped ones too; `offered` the codes of those that it has now.

    `discount_limit` is the person's in percent, 0 when there was no discount to ask about; `least_down_payment` the
    branch's in percent, 0 likewise.
    """

    now: dt.datetime
    branch: Branch
    lines: tuple[LineBasis | None, ...]
    extras: tuple[Extra, ...]
    offered: frozenset[str]
    discount_limit: int
    least_down_payment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCustomer:
    """A customer of the register whom an order is for. `blocked` is the code of one whom only a manager may let rent,
    None for everybody else."""

    customer: Customer
    licence_expires_on: dt.date | None
    blocked: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeBooking:
    """Units that do not exist are left out of `units`. `customer` is the one of the id, else of the phone, None for
    somebody new."""

    is_known: bool
    customer: KnownCustomer | None
    units: tuple[FleetUnit, ...]
    prices: PriceBasis

    @property
    def now(self) -> dt.datetime:
        """The database's clock."""
        return self.prices.now
