"""What a change of a booking costs by what is frozen on it; the database reckons the same once more."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.booking import Action, BookingState
from app.domain.change_pricing import difference_of_paid, difference_of_unpaid, payable
from app.domain.days import RentalPeriod
from app.domain.money import ZERO, Rupiah
from app.domain.pricing import worth
from app.domain.staff import Branch
from app.usecases.holidays import holiday_days
from app.usecases.ports import Store
from app.usecases.rows_changes import ChangeBasis


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePrice:
    """Positive to pay, negative to give back. `holidays` are the new days' where those have a rate of their own."""

    difference: Rupiah
    holidays: frozenset[dt.date]


def change_price(store: Store, branch: Branch, basis: ChangeBasis, action: Action, period: RentalPeriod) -> ChangePrice:
    """The worth of the new days less that of the ones that were priced, which keep their rates, holidays included."""
    terms, priced = basis.terms, basis.standing.period
    holidays: frozenset[dt.date] = frozenset()
    if action is Action.REQUEST_EXTENSION:
        priced = RentalPeriod(priced.first, basis.standing.longest_paid)
    if terms.card.holiday is not None and action in {Action.REQUEST_EXTENSION, Action.RESCHEDULE}:
        holidays = holiday_days(store, branch.id, terms.priced_days(period))
    rent = worth(terms.with_holidays(priced, holidays), period) - worth(terms, priced)
    return ChangePrice(difference=_difference(basis, action, rent), holidays=holidays)


def _difference(basis: ChangeBasis, action: Action, rent: int) -> Rupiah:
    standing = basis.standing
    if action is Action.REQUEST_EXTENSION:
        return payable(basis.ppn_place, rent, standing.today)
    if action is not Action.RESCHEDULE or rent == 0:
        return ZERO
    if standing.state is BookingState.PENDING_PAYMENT:
        opened = next((paper for paper in basis.papers if paper.is_open), None)
        return ZERO if opened is None else difference_of_unpaid(opened, rent)
    return difference_of_paid(basis.papers, rent, basis.ppn_place, standing.today)


def paid_for(basis: ChangeBasis, rent: int) -> Rupiah:
    """Rent of a booking as the customer pays it: with the PPN of its first invoice."""
    if not basis.papers:
        return payable(basis.ppn_place, rent, basis.standing.today)
    first = basis.papers[-1]
    return payable(first.ppn_place, rent, first.made_on)
