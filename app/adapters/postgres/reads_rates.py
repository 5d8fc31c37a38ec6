"""Reads of rates and extras, and of what an order is priced by."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import HIT_TABLES, OVERDUE
from app.adapters.postgres.rows import (
    BRANCH_COLUMNS,
    UNIT_COLUMNS,
    Columns,
    branch_of,
    day,
    fleet_unit_of,
    moment,
    rupiah,
    sku_of,
)
from app.domain.customer import Customer
from app.domain.customer_texts import ARREARS_CODE
from app.domain.money import Rupiah
from app.domain.rates import Extra, RateCard
from app.usecases.rows_rates import BeforeBooking, DatedRate, KnownCustomer, LineBasis, PriceBasis, PriceQuestion

_RATE_COLUMNS = "r.since, r.weekday, r.weekend, r.holiday, r.weekly, r.monthly, r.deposit"

_EXTRA_COLUMNS = "e.code, e.name, e.per_day, e.rate, e.taxable, e.replaces_driver_licence, e.active"

# A CASE asks for the limit only where there is a discount: nearly every order has none.
_PRICES = f"""
    sentra.now() AS now,
    (SELECT to_jsonb(here) FROM (SELECT {BRANCH_COLUMNS} FROM sentra.branch br WHERE br.id = sentra.my_branch()) here)
        AS branch,
    (SELECT jsonb_agg(CASE WHEN k.id IS NOT NULL THEN jsonb_build_object('sku', k.id, 'sku_name', k.name,
            'category', k.category, 'daily_rate', k.daily_rate, 'deposit', k.deposit,
            'turnaround_days', k.turnaround_days, 'min_days', k.min_days, 'is_driven', NOT EXISTS (
                SELECT FROM sentra.charge_terms t WHERE t.sku_id = k.id AND t.template = 'EQUIPMENT'), 'rate', (
                SELECT to_jsonb(found) FROM (
                    SELECT {_RATE_COLUMNS} FROM sentra.sku_rate r
                    WHERE r.sku_id = k.id AND r.since <= w.first_day ORDER BY r.since DESC LIMIT 1) found)) END
            ORDER BY w.place)
     FROM unnest(CAST(:skus AS text[]), CAST(:first_days AS date[])) WITH ORDINALITY AS w (sku, first_day, place)
     LEFT JOIN sentra.sku k ON k.id = w.sku) AS price_lines,
    (SELECT jsonb_agg(to_jsonb(found) ORDER BY found.code)
     FROM (SELECT {_EXTRA_COLUMNS} FROM sentra.extra e
           WHERE e.branch_id = sentra.my_branch() AND e.code = ANY(CAST(:extras AS text[]))) found) AS extras,
    CASE WHEN CAST(:has_discount AS boolean) THEN sentra.discount_limit() ELSE 0 END AS discount_limit,
    CASE WHEN CAST(:has_down_payment AS boolean) THEN sentra.least_down_payment(sentra.my_branch()) ELSE 0 END
        AS least_down_payment"""

_PRICE_BASIS = text(f"SELECT {_PRICES}")

_BEFORE_BOOKING = text(f"""
    SELECT start.now, start.branch, start.price_lines, start.extras, start.discount_limit,
           start.least_down_payment, start.is_known, start.customer,
           {UNIT_COLUMNS}
    FROM (SELECT {_PRICES},
                 (SELECT jsonb_build_object('id', c.id, 'name', c.name, 'phone', c.phone,
                      'licence_expires_on', c.licence_expires_on,
                      'blocked', coalesce(c.blacklist_code,
                          CASE WHEN EXISTS (SELECT FROM sentra.invoice i WHERE {OVERDUE})
                               THEN CAST(:arrears AS text) END))
                  FROM {HIT_TABLES}
                  WHERE c.id = coalesce(CAST(:customer_id AS uuid),
                                        (SELECT x.id FROM sentra.customer x WHERE x.phone = :phone))) AS customer,
                 EXISTS (SELECT FROM sentra.booking b WHERE b.order_id = CAST(:order_id AS uuid)) AS is_known
          OFFSET 0) start
    LEFT JOIN (sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id) ON u.id = ANY(CAST(:unit_ids AS text[]))""")

_RATES = text(f"SELECT {_RATE_COLUMNS} FROM sentra.sku_rate r WHERE r.sku_id = :sku ORDER BY r.since")

_EXTRAS = text(f"""
    SELECT {_EXTRA_COLUMNS} FROM sentra.extra e
    WHERE e.branch_id = :branch_id AND e.active ORDER BY e.name, e.code""")

_UNDRIVEN = text("SELECT DISTINCT t.sku_id FROM sentra.charge_terms t WHERE t.template = 'EQUIPMENT'")

_LIMIT = text("SELECT sentra.discount_limit() AS discount_limit")


def before_booking(
    ask: Ask,
    order_id: str,
    unit_ids: Sequence[str],
    asked: PriceQuestion,
    customer_id: str | None,
    phone: str | None,
) -> BeforeBooking:
    """What booking starts from; units that do not exist are left out."""
    rows = ask.rows(
        _BEFORE_BOOKING,
        order_id=order_id,
        unit_ids=list(unit_ids),
        customer_id=customer_id,
        phone=phone,
        arrears=ARREARS_CODE,
        **_parameters(asked),
    )
    return BeforeBooking(
        is_known=rows[0]["is_known"],
        customer=None if rows[0]["customer"] is None else _customer_of(rows[0]["customer"]),
        units=tuple(fleet_unit_of(row) for row in rows if row["unit_id"] is not None),
        prices=_basis_of(rows[0]),
    )


class RateReads:
    """The part `RateReads` of the reads."""

    _ask: Ask

    def price_basis(self, asked: PriceQuestion) -> PriceBasis:
        """What an order is priced by now, in one statement."""
        return _basis_of(self._ask.rows(_PRICE_BASIS, **_parameters(asked))[0])

    def rates(self, sku: str) -> tuple[DatedRate, ...]:
        """Dated rates of a SKU, the earliest first."""
        return tuple(map(_rate_of, self._ask.rows(_RATES, sku=sku)))

    def extras(self, branch_id: str) -> tuple[Extra, ...]:
        """What a branch offers along with a unit, by name."""
        return tuple(map(extra_of, self._ask.rows(_EXTRAS, branch_id=branch_id)))

    def discount_limit(self) -> int:
        """The greatest discount in percent that the person may give alone."""
        return int(self._ask.rows(_LIMIT)[0]["discount_limit"])

    def undriven_skus(self) -> frozenset[str]:
        """Equipment: nobody needs a licence for it."""
        return frozenset(row["sku_id"] for row in self._ask.rows(_UNDRIVEN))


def card_of(weekday: Any, special: Columns | None) -> RateCard:
    """A card out of the rate of an ordinary day and the special ones, as columns or as a booking's JSON."""
    found = special or {}

    def rate(name: str) -> Rupiah | None:
        return None if found.get(name) is None else rupiah(found[name])

    return RateCard(
        weekday=rupiah(weekday),
        weekend=rate("weekend"),
        holiday=rate("holiday"),
        weekly=rate("weekly"),
        monthly=rate("monthly"),
    )


def extra_of(row: Columns) -> Extra:
    return Extra(
        code=row["code"],
        name=row["name"],
        per_day=row["per_day"],
        rate=rupiah(row["rate"]),
        taxable=row["taxable"],
        replaces_driver_licence=row["replaces_driver_licence"],
    )


def _customer_of(found: Columns) -> KnownCustomer:
    expires = found["licence_expires_on"]
    return KnownCustomer(
        customer=Customer(id=found["id"], name=found["name"], phone=found["phone"]),
        licence_expires_on=None if expires is None else day(expires),
        blocked=found["blocked"],
    )


def _parameters(asked: PriceQuestion) -> dict[str, Any]:
    return {
        "skus": list(asked.skus),
        "first_days": list(asked.first_days),
        "extras": list(asked.extras),
        "has_discount": asked.has_discount,
        "has_down_payment": asked.has_down_payment,
    }


def _basis_of(row: Columns) -> PriceBasis:
    extras = row["extras"] or ()
    return PriceBasis(
        now=moment(row["now"]),
        branch=branch_of(row["branch"]),
        lines=tuple(None if line is None else _line_of(line) for line in row["price_lines"] or ()),
        extras=tuple(map(extra_of, extras)),
        offered=frozenset(extra["code"] for extra in extras if extra["active"]),
        discount_limit=row["discount_limit"],
        least_down_payment=row["least_down_payment"],
    )


def _line_of(line: Columns) -> LineBasis:
    return LineBasis(
        sku=sku_of(line),
        min_days=line["min_days"],
        rate=None if line["rate"] is None else _rate_of(line["rate"]),
        is_driven=line["is_driven"],
    )


def _rate_of(row: Columns) -> DatedRate:
    since = row["since"]
    return DatedRate(
        since=since if isinstance(since, dt.date) else dt.date.fromisoformat(since),
        card=card_of(row["weekday"], row),
        deposit=rupiah(row["deposit"]),
    )
