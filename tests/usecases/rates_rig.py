"""Extras, dated rates and orders with them, for tests of what a rental costs."""

from collections.abc import Sequence

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.domain.rates import ExtraWish
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder
from tests.support.world import AVANZA, SKU, World

DRIVER, SEAT, DELIVERY, TOLL = "SOPIR", "KURSI-BAYI", "ANTAR", "TOL"
_EXTRAS = (  # code, name, per day, rate, taxable, replaces the licence
    (DRIVER, "Sopir", True, 200_000, True, True),
    (SEAT, "Kursi bayi", True, 25_000, True, False),
    (DELIVERY, "Antar", False, 150_000, True, False),
    (TOLL, "Tol", False, 75_000, False, False),
)


def add_extras(world: World) -> None:
    """What the branch in Jakarta offers."""
    for row in _EXTRAS:
        world.do(
            "INSERT INTO sentra.extra (branch_id, code, name, per_day, rate, taxable, replaces_driver_licence)"
            " VALUES ('JKT', %s, %s, %s, %s, %s, %s)",
            *row,
        )


def set_card(world: World, since: str = "2027-01-01", *, deposit: int = 500_000, **rates: int) -> None:
    """A dated card of the Avanza: 350,000 on an ordinary day, and these rates."""
    card = {"weekday": 350_000, "weekend": None, "holiday": None, "weekly": None, "monthly": None, **rates}
    world.do(
        "INSERT INTO sentra.sku_rate (sku_id, since, weekday, weekend, holiday, weekly, monthly, deposit)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        *(SKU, since, *card.values(), deposit),
    )


def wish(
    period: RentalPeriod, unit: str | None = AVANZA, *extras: str, percent: int = 0, deposit: int | None = None
) -> BookLine:
    """One line with one of each of these extras."""
    return BookLine(
        sku=SKU,
        unit_id=unit,
        period=period,
        extras=tuple(ExtraWish(code=code) for code in extras),
        discount_percent=percent,
        deposit=None if deposit is None else Rupiah(deposit),
    )


def request(
    who: Counter,
    lines: Sequence[BookLine],
    *,
    order_id: str | None = None,
    expected: int | None = None,
    approval: str | None = None,
) -> BookRequest:
    return BookRequest(
        order_id=order_id or who.new_id(),
        lines=tuple(lines),
        customer_name="Sari Dewi",
        customer_phone="0812 3456 7890",
        expected_total=None if expected is None else Rupiah(expected),
        approval_id=approval,
    )


def book(who: Counter, *lines: BookLine) -> BookedOrder:
    return who.bookings.book(request(who, lines))
