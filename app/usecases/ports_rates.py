"""Ports of rates and extras: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

from typing import Protocol

from app.domain.rates import Extra
from app.usecases.rows_rates import DatedRate, PriceBasis, PriceQuestion


class RateTx(Protocol):
    """Writes of a manager; each is in the audit with what was before."""

    def set_extra(self, extra: Extra, counter: str) -> None:
        """Offer an extra in the own branch, or change what it is. FIELD_INVALID, NOT_ALLOWED."""

    def drop_extra(self, code: str, counter: str) -> None:
        """Offer an extra no more; NOT_FOUND for one that the branch never had."""

    def set_rate(self, sku: str, rate: DatedRate, counter: str) -> None:
        """What a SKU costs from a day on; of one day only what was said last. NOT_FOUND."""


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

    def undriven_skus(self) -> frozenset[str]:
        """Equipment: nobody needs a licence for it."""
