"""Rules of changing a booking that stands: which change it is, which days it may reach, which days it adds."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import NoReturn

from app.domain.booking import Action, BookingState
from app.domain.catalogue import Sku, UnitStatus
from app.domain.days import MAX_RENTAL_DAYS, Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.money import Rupiah

MAX_DAYS_AHEAD = 730
"""As for a new booking."""

RESCHEDULED = frozenset({BookingState.PENDING_PAYMENT, BookingState.PAID_APPROVED})
"""States in which the whole period may move; afterwards only its end does."""

_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A booking as it stands. `held` are the days its unit is taken for it now, with turnaround and unpaid extra days.

    `paid_until` is the last day it is paid for while it was shortened and ends earlier. `today` is the branch's.
    """

    state: BookingState
    unit_id: str
    unit_sku: str
    period: RentalPeriod
    held: Days
    turnaround_days: int
    paid_until: dt.date | None
    today: dt.date

    @property
    def longest_paid(self) -> dt.date:
        """The last day that costs nothing more."""
        return max(self.period.last, self.paid_until or self.period.last)

    @property
    def promised_last_day(self) -> dt.date:
        """The last rented day, those of an unpaid extension included."""
        return self.held.last - dt.timedelta(days=self.turnaround_days)


def change_of(standing: Standing, period: RentalPeriod, unit_id: str) -> Action:
    """Which action leads to this period on this unit; a refusal when one action alone cannot.

    Before the unit is out the period moves as a whole; later its first day stands, and unit and end change one by one.
    """
    other_unit = unit_id != standing.unit_id
    if standing.state in RESCHEDULED:
        return Action.SWAP_UNIT if other_unit and period == standing.period else Action.RESCHEDULE
    if standing.state is BookingState.ACTIVE_RENTAL and period.first != standing.period.first:
        raise _period("first_day", "begun", first=period.first, begun=standing.period.first)
    if other_unit:
        if standing.state is BookingState.ACTIVE_RENTAL and period.last != standing.period.last:
            raise _period("last_day", "one_change", last=period.last, present=standing.period.last)
        return Action.SWAP_UNIT
    return Action.REQUEST_EXTENSION if period.last > standing.longest_paid else Action.SHORTEN


def check_moved(period: RentalPeriod, today: dt.date) -> None:
    """Refuse PERIOD_INVALID for a first day that is past or more than 730 days away."""
    if period.first < today:
        raise _period("first_day", "past", first=period.first)
    if (period.first - today).days > MAX_DAYS_AHEAD:
        raise _period("first_day", "too_far", first=period.first, limit=MAX_DAYS_AHEAD)


def extended(standing: Standing, last_day: dt.date) -> RentalPeriod:
    """The longer period, or a refusal: it must reach today and go beyond what is paid, within 365 days."""
    if last_day <= standing.longest_paid:
        _refuse_not_longer(standing, last_day)
    if last_day < standing.today:
        raise _period("last_day", "past", last=last_day)
    return _reaching(standing, last_day)


def shortened(standing: Standing, last_day: dt.date) -> RentalPeriod:
    """The shorter period (or, within the paid days, a longer one again), or a refusal: it ends today or later."""
    if last_day < standing.period.first:
        raise _period("last_day", "reversed", first=standing.period.first, last=last_day)
    if last_day < standing.today and last_day != standing.period.last:
        raise _period("last_day", "past", last=last_day)
    period = _reaching(standing, last_day)
    if last_day > standing.longest_paid:
        actions = (NextAction("request_extension", {"last_day": last_day}),)
        raise _period("last_day", "not_paid", actions, last=last_day, limit=standing.longest_paid)
    return period


def taken_on(standing: Standing, sku: Sku, period: RentalPeriod) -> Days:
    """The days a unit of this SKU is taken for the period: the turnaround stays while the SKU of the unit does."""
    same = sku.code == standing.unit_sku
    return period.with_turnaround(standing.turnaround_days if same else sku.turnaround_days)


def remaining(standing: Standing, taken: Days) -> Days:
    """What a swap needs of the other unit: the days from today on. Refused when none is left."""
    if standing.period.last < standing.today:
        raise _period("last_day", "past", last=standing.period.last)
    return Days(max(taken.first, standing.today), taken.last)


def check_unit(
    unit_id: str, sku: Sku, status: UnitStatus, *, sold_sku: str, sold_rate: Rupiah, starts_today: bool
) -> None:
    """Refuse UNIT_NOT_RENTABLE: retired, in maintenance when it is to go out at once, or of a lower class.

    Better at the same rate is a SKU whose day rate is not below the one of the SKU that was sold.
    """
    if status is UnitStatus.RETIRED or (starts_today and status is UnitStatus.MAINTENANCE):
        raise _not_rentable(unit_id, "status", status=status.value)
    if sku.code != sold_sku and sku.daily_rate < sold_rate:
        raise _not_rentable(unit_id, "lower_class", sku=sku.code, sold=sold_sku)


def added(new: Days, old: Days | None) -> tuple[Days, ...]:
    """The stretches of `new` that are not in `old`, in order: what has to be claimed, or what becomes free."""
    if old is None or not new.overlaps(old):
        return (new,)
    found = []
    if new.first < old.first:
        found.append(Days(new.first, old.first - _ONE_DAY))
    if new.last > old.last:
        found.append(Days(old.last + _ONE_DAY, new.last))
    return tuple(found)


def longest_last_day(standing: Standing, obstacle: dt.date) -> dt.date:
    """The last day the booking can reach before an obstacle, today at the earliest; the present one when there is none.

    `change_of` says how it gets there: within the days that are paid for without asking for an extension.
    """
    reach = obstacle - _ONE_DAY - dt.timedelta(days=standing.turnaround_days)
    return reach if reach > standing.period.last and reach >= standing.today else standing.period.last


def _reaching(standing: Standing, last_day: dt.date) -> RentalPeriod:
    if (last_day - standing.period.first).days >= MAX_RENTAL_DAYS:
        days = (last_day - standing.period.first).days + 1
        raise _period("last_day", "too_long", days=days, limit=MAX_RENTAL_DAYS)
    return RentalPeriod(standing.period.first, last_day)


def _refuse_not_longer(standing: Standing, last_day: dt.date) -> NoReturn:
    if last_day > standing.period.last:  # paid for, and given up by a shortening
        actions = (NextAction("shorten", {"last_day": last_day}),) if last_day >= standing.today else ()
        raise _period("last_day", "paid", actions, last=last_day)
    raise _period("last_day", "not_longer", last=last_day, present=standing.period.last)


def _period(field: str, reason: str, actions: tuple[NextAction, ...] = (), **params: object) -> Refusal:
    return Refusal(RefusalCode.PERIOD_INVALID, field=field, next=actions, reason=reason, **params)


def _not_rentable(unit_id: str, reason: str, **params: object) -> Refusal:
    return Refusal(RefusalCode.UNIT_NOT_RENTABLE, field="unit_id", next=(), reason=reason, unit_id=unit_id, **params)
