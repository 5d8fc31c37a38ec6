"""Dated rates and extras: a manager says what they are, everybody reads them, and what is booked keeps its own."""

import datetime as dt
import json
from collections.abc import Callable

import psycopg
import pytest

from app.admin_do import do
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.rates import Extra, RateCard
from tests.support.world import SKU, World, days, refused
from tests.usecases.rates_rig import book, wish

pytest_plugins = ("tests.support.world_fixtures",)

DRIVER = Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(200_000), replaces_driver_licence=True)
CARD = RateCard(weekday=Rupiah(350_000), weekend=Rupiah(400_000), weekly=Rupiah(2_100_000))


def test_an_extra_is_offered_changed_and_dropped_and_bookings_keep_it_as_it_was(world: World) -> None:
    maya, ayu = world.counter("maya"), world.counter("ayu")
    maya.rates.set_extra(DRIVER)
    assert ayu.rates.extras() == (DRIVER,)
    assert world.counter("rahmat").rates.extras() == ()  # another branch's
    booked = book(ayu, wish(days("2027-03-02"), None, "SOPIR"))
    maya.rates.set_extra(Extra(code="SOPIR", name="Sopir harian", per_day=True, rate=Rupiah(250_000)))
    assert [(extra.name, extra.rate) for extra in ayu.rates.extras()] == [("Sopir harian", 250_000)]
    maya.rates.drop_extra("SOPIR")
    maya.rates.drop_extra("SOPIR")
    assert ayu.rates.extras() == ()
    told = ayu.changes_of_bookings.quote_change(booked.bookings[0].id, days("2027-03-02", "2027-03-03"))
    assert told.difference == 550_000
    actions = world.rows("SELECT action FROM sentra.audit WHERE action LIKE '%_extra' ORDER BY id")
    assert [action for (action,) in actions] == ["set_extra", "set_extra", "drop_extra"]


def test_a_dated_rate_is_in_force_from_its_day_on(world: World) -> None:
    maya, ayu = world.counter("maya"), world.counter("ayu")
    maya.rates.set_rate(SKU, dt.date(2027, 4, 1), CARD, Rupiah(600_000))
    maya.rates.set_rate(SKU, dt.date(2027, 6, 1), RateCard(weekday=Rupiah(380_000)), Rupiah(500_000))
    assert ayu.bookings.quote([wish(days("2027-03-27"))]).rent == 350_000, "a Saturday before there was a card"
    assert ayu.bookings.quote([wish(days("2027-05-29"))]).rent == CARD.weekend
    assert [(rate.since, rate.deposit) for rate in ayu.rates.rates(SKU)] == [
        (dt.date(2027, 4, 1), 600_000),
        (dt.date(2027, 6, 1), 500_000),
    ]
    assert ayu.bookings.quote([wish(days("2027-06-01"))]).rent == 380_000


def test_limits_of_discounts_are_the_persons_own(world: World) -> None:
    limits = [world.counter(login).rates.discount_limit() for login in ("ayu", "budi", "maya", "dedi")]
    assert limits == [10, 10, 100, 0]


@pytest.mark.parametrize(
    ("extra", "field"),
    [
        (Extra(code="a", name="Sopir", per_day=True, rate=Rupiah(1)), "code"),
        (Extra(code="SOPIR", name=" ", per_day=True, rate=Rupiah(1)), "name"),
        (Extra(code="SOPIR", name="x" * 81, per_day=True, rate=Rupiah(1)), "name"),
        (Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(-1)), "rate"),
        (Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(1), taxable=False), "taxable"),
    ],
)
def test_an_extra_that_cannot_be_is_refused_by_its_field_also_when_sent_by_hand(
    world: World, extra: Extra, field: str
) -> None:
    with pytest.raises(Refusal) as no:
        world.counter("maya").rates.set_extra(extra)
    refused(no.value, RefusalCode.FIELD_INVALID, field)
    said = {name: getattr(extra, name) for name in Extra.__slots__} | {"counter": "Kasir 1"}
    with psycopg.connect(world.url_of("maya"), autocommit=True) as mine, pytest.raises(psycopg.Error) as by_hand:
        mine.execute("SELECT sentra.set_extra(%s)", (json.dumps(said),))
    assert json.loads(by_hand.value.diag.message_detail or "{}")["field"] == field


def test_only_a_manager_says_what_things_cost(world: World) -> None:
    siti = world.counter("siti")
    tries: tuple[Callable[[], object], ...] = (
        lambda: siti.rates.set_extra(DRIVER),
        lambda: siti.rates.drop_extra("SOPIR"),
        lambda: siti.rates.set_rate(SKU, dt.date(2027, 4, 1), CARD, Rupiah(0)),
    )
    for attempt in tries:
        with pytest.raises(Refusal) as no:
            attempt()
        assert no.value.code is RefusalCode.NOT_ALLOWED
    maya = world.counter("maya")
    with pytest.raises(Refusal) as no:
        maya.rates.set_rate("NO-SKU", dt.date(2027, 4, 1), CARD, Rupiah(0))
    refused(no.value, RefusalCode.NOT_FOUND, "sku")
    with pytest.raises(Refusal) as no:
        maya.rates.drop_extra("PAYUNG")
    refused(no.value, RefusalCode.NOT_FOUND, "code")


def test_a_script_sets_rates_quotes_and_books_with_extras(world: World) -> None:
    maya, siti = world.counter("maya"), world.counter("siti")
    do(maya, "set_extra", {"code": "SOPIR", "name": "Sopir", "per_day": True, "rate": 200_000})
    do(maya, "set_rate", {"sku": SKU, "since": "2027-03-01", "weekday": 300_000, "weekly": 1_800_000, "deposit": 0})
    line: dict[str, object] = {
        "sku": SKU,
        "first_day": "2027-03-02",
        "last_day": "2027-03-03",
        "extras": [{"code": "SOPIR"}],
    }
    line |= {"discount_percent": 10, "deposit": 250_000, "due_time": "18:30"}
    told = do(siti, "quote", {"lines": [line]})
    assert isinstance(told, dict)
    assert (told["rent"], told["extras"], told["discount"], told["total"]) == (600_000, 400_000, 100_000, 1_150_000)
    customer = {"name": "Sari Dewi", "phone": "0812 3456 7890"}
    done = do(siti, "book", {"customer": customer, "lines": [line], "expected_total": 1_150_000})
    assert isinstance(done, dict)
    assert done["total"] == 1_150_000
    assert world.value("SELECT to_char(due_at AT TIME ZONE 'Asia/Jakarta', 'HH24:MI') FROM sentra.booking") == "18:30"
    assert do(siti, "discount_limit", {}) == {"limit": 10}
    assert do(maya, "drop_extra", {"code": "SOPIR"}) == {"dropped": True}
    assert do(siti, "extras", {}) == []
    with pytest.raises(Refusal) as no:
        do(siti, "quote", {"lines": [line | {"due_time": "25:00"}]})
    refused(no.value, RefusalCode.FIELD_INVALID, "lines[0].due_time")
