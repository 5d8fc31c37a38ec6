"""Whole Rupiah and PPN. Integers only; no float anywhere in the money path.

PPN since 1 January 2025 (PMK 131/2024 as the product states it): DPP = price x 11/12, PPN = DPP x 12 %, each rounded
half up, once per invoice over its taxable lines.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import Enum
from typing import NewType

Rupiah = NewType("Rupiah", int)
ZERO = Rupiah(0)


def half_up(numerator: int, denominator: int) -> int:
    """numerator / denominator rounded half away from zero, exactly, in integers."""
    sign = -1 if (numerator < 0) != (denominator < 0) else 1
    top, bottom = abs(numerator), abs(denominator)
    return sign * ((2 * top + bottom) // (2 * bottom))


class PpnPlace(Enum):
    """Where the PPN of a price is: a branch that is no PKP has none."""

    NONE = "NONE"
    INSIDE = "INSIDE"
    ON_TOP = "ON_TOP"


@dataclass(frozen=True, slots=True, kw_only=True)
class PpnRate:
    """One row of the dated tax table: DPP = base x dpp, PPN = DPP x percent / 100."""

    since: dt.date
    dpp_numerator: int
    dpp_denominator: int
    percent: int

    @property
    def inclusive(self) -> tuple[int, int]:
        """The fraction of a PPN-inclusive price that is its base: 100/111 for 12 % of 11/12."""
        per_hundred = 100 * self.dpp_denominator + self.percent * self.dpp_numerator
        return 100 * self.dpp_denominator, per_hundred


PPN_TABLE: tuple[PpnRate, ...] = (
    PpnRate(since=dt.date(2022, 4, 1), dpp_numerator=1, dpp_denominator=1, percent=11),
    PpnRate(since=dt.date(2025, 1, 1), dpp_numerator=11, dpp_denominator=12, percent=12),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ppn:
    """`base` + `tax` is what the customer pays for the taxable part; `dpp` is what the tax invoice prints."""

    base: Rupiah
    dpp: Rupiah
    tax: Rupiah


def ppn_rate(on: dt.date, table: tuple[PpnRate, ...] = PPN_TABLE) -> PpnRate:
    """The row in force on a day; ValueError before the table begins."""
    valid = [row for row in table if row.since <= on]
    if not valid:
        raise ValueError(f"no PPN rate is known for {on}")
    return max(valid, key=lambda row: row.since)


def ppn_on_top(base: Rupiah, rate: PpnRate) -> Ppn:
    """PPN of a price without it: 1,000,000 → DPP 916,667 → PPN 110,000."""
    dpp = half_up(base * rate.dpp_numerator, rate.dpp_denominator)
    return Ppn(base=base, dpp=Rupiah(dpp), tax=Rupiah(half_up(dpp * rate.percent, 100)))


def ppn_inside(price: Rupiah, rate: PpnRate) -> Ppn:
    """PPN inside a price that includes it; the base takes a leftover Rupiah so that base + tax is the price."""
    base = Rupiah(half_up(price * rate.inclusive[0], rate.inclusive[1]))
    above = ppn_on_top(base, rate)
    return Ppn(base=Rupiah(price - above.tax), dpp=above.dpp, tax=above.tax)
