"""What rentals cost: dated rates of SKUs, extras of the branch, and how much discount a person may give."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from app.domain.catalogue import checked_sku
from app.domain.days import Days
from app.domain.errors import invalid
from app.domain.money import Rupiah
from app.domain.rates import Extra, RateCard
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.calendar import check_window
from app.usecases.index_work import IndexWork
from app.usecases.maintenance import checked_reason
from app.usecases.ports import Store
from app.usecases.rows_rates import DatedRate as DatedRate

MAX_NAME = 80
MAX_RATE = Rupiah(999_999_999_999)
MANAGER = frozenset({Role.MANAGER})


class Rates:
    """Rate use cases of one logged-in person. Bookings that are made keep the rates and extras they were made with."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember, counter: str) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter

    def extras(self) -> tuple[Extra, ...]:
        """What the branch offers along with a unit, by name."""
        return self._store.read.extras(self._who.branch.id)

    def rates(self, sku: str) -> tuple[DatedRate, ...]:
        """Dated rates of a SKU, the earliest first; empty while it has the fleet's rate alone."""
        return self._store.read.rates(checked_sku(sku))

    def discount_limit(self) -> int:
        """The greatest discount in percent that this person may give without a manager's word."""
        return self._store.read.discount_limit()

    def undriven_skus(self) -> frozenset[str]:
        """SKUs that nobody drives: no licence is asked for."""
        return self._store.read.undriven_skus()

    def set_extra(self, extra: Extra) -> None:
        """Offer an extra in the own branch, or change its name and rate. Managers only.

        One that is not taxable is charged once: FIELD_INVALID `taxable` for each day.
        """
        require_role(self._who, MANAGER, "set_extra")
        checked_sku(extra.code, "code")
        name = checked_reason(extra.name, "name")
        if len(name) > MAX_NAME:
            raise invalid("name", "too_long", length=len(name), most=MAX_NAME)
        _check_rate("rate", extra.rate)
        if extra.per_day and not extra.taxable:
            raise invalid("taxable", "per_day")
        said = replace(extra, name=name)
        self._store.transact(lambda tx: tx.set_extra(said, self._counter), one_call=True)
        self._work.announce(self._who.branch.id, "rate", extra.code)

    def drop_extra(self, code: str) -> None:
        """Offer an extra no more. Managers only; NOT_FOUND for one that the branch never had."""
        require_role(self._who, MANAGER, "drop_extra")
        checked_sku(code, "code")
        self._store.transact(lambda tx: tx.drop_extra(code, self._counter), one_call=True)
        self._work.announce(self._who.branch.id, "rate", code)

    def set_rate(self, sku: str, since: dt.date, card: RateCard, deposit: Rupiah) -> None:
        """What rentals that begin on this day or later cost, in every branch, and the least deposit. Managers only."""
        require_role(self._who, MANAGER, "set_rate")
        checked_sku(sku)
        check_window(Days(since, since))
        special = {"weekend": card.weekend, "holiday": card.holiday, "weekly": card.weekly, "monthly": card.monthly}
        for field, amount in {"weekday": card.weekday, **special, "deposit": deposit}.items():
            if amount is not None:
                _check_rate(field, amount)
        rate = DatedRate(since=since, card=card, deposit=deposit)
        self._store.transact(lambda tx: tx.set_rate(sku, rate, self._counter), one_call=True)
        self._work.announce(self._who.branch.id, "rate", sku)


def _check_rate(field: str, rate: Rupiah) -> None:
    if not 0 <= rate <= MAX_RATE:
        raise invalid(field, "not_an_amount", given=rate)
