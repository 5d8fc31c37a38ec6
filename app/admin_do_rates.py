"""`sentra-admin do`: quotes, rates and extras, by their names, from JSON to JSON."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.days import RentalPeriod, parse_day
from app.domain.errors import invalid
from app.domain.money import Rupiah
from app.domain.rates import Extra, ExtraWish, RateCard
from app.json_values import Fields, plain
from app.usecases.bookings import BookLine

_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)

LINE_FIELDS = {"sku", "unit_id", "first_day", "last_day", "extras", "discount_percent", "deposit"} | {
    *("pickup_time", "due_time"),
}


def line_of(given: Fields) -> BookLine:
    """One line of an order: `extras` are `[{"code", "quantity"?}]`, times `HH:MM` of the branch."""
    given.only(LINE_FIELDS)
    first = parse_day(given.text("first_day"), given.name("first_day"))
    last = parse_day(given.text("last_day"), given.name("last_day"))
    return BookLine(
        sku=given.text("sku"),
        unit_id=given.text_or_none("unit_id"),
        period=RentalPeriod(first, last),
        extras=tuple(map(_wish, given.objects("extras"))) if given.has("extras") else (),
        discount_percent=given.whole("discount_percent") if given.has("discount_percent") else 0,
        deposit=_rupiah(given, "deposit"),
        pickup_time=_time(given, "pickup_time"),
        due_time=_time(given, "due_time"),
    )


def _wish(given: Fields) -> ExtraWish:
    given.only({"code", "quantity"})
    return ExtraWish(code=given.text("code"), quantity=given.whole("quantity") if given.has("quantity") else 1)


def _rupiah(given: Fields, name: str) -> Rupiah | None:
    return Rupiah(given.whole(name)) if given.has(name) else None


def _time(given: Fields, name: str) -> dt.time | None:
    text = given.text_or_none(name)
    if text is None:
        return None
    if not _TIME.fullmatch(text):
        raise invalid(given.name(name), "not_a_time", given=text[:20])
    return dt.time.fromisoformat(text)


def _quote(counter: Counter, given: Fields) -> object:
    return plain(counter.bookings.quote([line_of(item) for item in given.objects("lines")]))


def _set_extra(counter: Counter, given: Fields) -> object:
    counter.rates.set_extra(
        Extra(
            code=given.text("code"),
            name=given.text("name"),
            per_day=given.flag("per_day"),
            rate=Rupiah(given.whole("rate")),
            taxable=given.flag("taxable") if given.has("taxable") else True,
            replaces_driver_licence=given.flag("replaces_driver_licence"),
        )
    )
    return {"set": True}


def _drop_extra(counter: Counter, given: Fields) -> object:
    counter.rates.drop_extra(given.text("code"))
    return {"dropped": True}


def _set_rate(counter: Counter, given: Fields) -> object:
    card = RateCard(
        weekday=Rupiah(given.whole("weekday")),
        weekend=_rupiah(given, "weekend"),
        holiday=_rupiah(given, "holiday"),
        weekly=_rupiah(given, "weekly"),
        monthly=_rupiah(given, "monthly"),
    )
    since = parse_day(given.text("since"), given.name("since"))
    counter.rates.set_rate(given.text("sku"), since, card, Rupiah(given.whole("deposit")))
    return {"set": True}


RATES: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "quote": (_quote, ("lines",)),
    "extras": (lambda counter, _given: plain(counter.rates.extras()), ()),
    "set_extra": (_set_extra, ("code", "name", "per_day", "rate", "taxable", "replaces_driver_licence")),
    "drop_extra": (_drop_extra, ("code",)),
    "rates": (lambda counter, given: plain(counter.rates.rates(given.text("sku"))), ("sku",)),
    "set_rate": (_set_rate, ("sku", "since", "weekday", "weekend", "holiday", "weekly", "monthly", "deposit")),
    "discount_limit": (lambda counter, _given: {"limit": counter.rates.discount_limit()}, ()),
}
"""By name: what runs it and the fields it takes."""
