"""A down payment: part of an order's rent is asked for at once, the rest with the deposits until pick-up.

The part is of what is taxable (rent, taxable extras, less the discount), before a PPN on top. Each of the two invoices
has its own PPN. By default it is at least 30 % of the rent.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from app.domain.change_pricing import payable
from app.domain.days import RentalPeriod
from app.domain.errors import invalid
from app.domain.invoice import LineKind
from app.domain.money import PpnPlace, Rupiah
from app.domain.pricing import Quote
from app.domain.staff import Branch


def check_part(whole: Quote, part: Rupiah, periods: Sequence[RentalPeriod], on: dt.date, least_percent: int) -> None:
    """Refuses FIELD_INVALID `down_payment` when the rentals do not all begin later than `on`, for less than
    `least_percent` of the rent (rounded up), and for more than the rent."""
    if any(period.first <= on for period in periods):
        raise invalid("down_payment", "not_of_the_period", given=part)
    least = max(1, -(-whole.taxable * least_percent // 100))
    if not least <= part <= whole.taxable:
        raise invalid("down_payment", "out_of_range", given=part, least=least, most=whole.taxable)


def parted(whole: Quote, branch: Branch, part: Rupiah, on: dt.date) -> Quote:
    """The order's price with so much of its rent due now and the rest as `balance`; its lines stay the whole."""
    place = PpnPlace.NONE if not branch.has_ppn else PpnPlace.INSIDE if branch.prices_include_ppn else PpnPlace.ON_TOP
    untaxed = sum(line.amount for line in whole.lines if not line.taxable and line.kind is not LineKind.PPN)
    return replace(
        whole,
        total=payable(place, part, on),
        balance=Rupiah(payable(place, whole.taxable - part, on) + untaxed),
    )
