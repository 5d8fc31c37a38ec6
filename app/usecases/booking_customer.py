"""Whose order it is: the customer of an id or a phone, under one name, with a licence to the last return."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.customer import is_same_name
from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.domain.identity import LicenceProblem, licence_problem
from app.usecases.booking_input import BookLine
from app.usecases.rows import NewCustomer
from app.usecases.rows_rates import KnownCustomer, PriceBasis


def check_name(typed: NewCustomer | None, known: KnownCustomer | None) -> None:
    """Refuse DUPLICATE `customer.phone` when the phone is somebody's of another name: nobody is booked on a name that
    was not typed. Ways on: that customer by id, or another number."""
    if typed is None or known is None or is_same_name(typed.name, known.customer.name):
        return
    his = known.customer
    no = Refusal(RefusalCode.DUPLICATE, field="customer.phone", customer_id=his.id, customer_name=his.name)
    raise with_ways_on(no)


def with_ways_on(no: Refusal) -> Refusal:
    """A phone that is somebody else's offers that customer, or another number; any other refusal stays as it is."""
    if no.code is RefusalCode.DUPLICATE and no.field == "customer.phone":
        names = ("customer_id", "customer_name")
        found = {name: no.params[name] for name in names if name in no.params}
        no.next = (NextAction("use_customer", found), NextAction("other_phone"))
    return no


def check_licence(known: KnownCustomer | None, lines: Sequence[BookLine], basis: PriceBasis) -> None:
    """Refuse a licence that ends before a unit comes back. Nobody needs one with a driver or for equipment, and one
    that is not on record yet is shown when the unit goes out."""
    if known is None:
        return
    extras = {extra.code: extra for extra in basis.extras}
    for number, (line, terms) in enumerate(zip(lines, basis.lines, strict=True)):
        chosen = [extras[wish.code] for wish in line.extras if wish.code in extras]
        is_driven = terms is None or terms.is_driven
        if is_driven and licence_problem(known, line.period.last, chosen) is LicenceProblem.EXPIRES:
            raise invalid(
                "customer.licence_expires_on",
                "expires",
                expires_on=known.licence_expires_on,
                last_day=line.period.last,
                line=number,
            )
