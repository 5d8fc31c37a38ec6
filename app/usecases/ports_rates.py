"""Ports of rates and extras: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

from typing import Protocol

from app.domain.rates import Extra
from app.usecases.rows_rates import DatedRate, PriceBasis, PriceQuestion


class RateReads(Protocol):
    """Reads, each one statement and so one snapshot."""

    def price_basis(self, asked: PriceQuestion) -> PriceBasis:
        """What an order is priced by now."""

    def rates(self, sku: str) -> tuple[DatedRate, ...]:
        """Dated rates of a SKU, the earliest first."""

    def extras(self, branch_id: str) -> tuple[Extra, ...]:
        """What a branch offers along with a unit, by name."""

    def discount_limit(self) -> int:
        """The greatest discount in percent that the person may give alone."""
