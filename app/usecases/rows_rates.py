"""Frozen rows of rates and extras, and what an order is priced by."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.catalogue import Sku
from app.domain.money import Rupiah
from app.domain.rates import Extra, RateCard
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
    discount."""

    skus: tuple[str, ...]
    first_days: tuple[dt.date, ...]
    extras: tuple[str, ...]
    has_discount: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBasis:
    """What one line is priced by. `rate` is the dated one in force on its first day, None where the fleet's is."""

    sku: Sku
    min_days: int
    rate: DatedRate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBasis:
    """Answer to a `PriceQuestion` in one snapshot; `now` is the database's clock. A SKU that does not exist is None in
    its place. `extras` are the branch's, dropped ones too; `offered` the codes of those that it has now.

    `discount_limit` is the person's in percent, 0 when there was no discount to ask about.
    """

    now: dt.datetime
    lines: tuple[LineBasis | None, ...]
    extras: tuple[Extra, ...]
    offered: frozenset[str]
    discount_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeBooking:
    """Units that do not exist are left out of `units`. `blocked` is the code of a customer whom only a manager may let
    rent, None for everybody else."""

    is_known: bool
    blocked: str | None
    units: tuple[FleetUnit, ...]
    prices: PriceBasis

    @property
    def now(self) -> dt.datetime:
        """The database's clock."""
        return self.prices.now
