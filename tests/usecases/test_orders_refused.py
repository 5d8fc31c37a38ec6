"""Orders and holds that are refused: another name, an expired licence, hours that are over, a word of others."""

import dataclasses
import datetime as dt
import uuid
from collections.abc import Callable

import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.bookings import BookLine, BookRequest
from tests.support.at_once import at_once
from tests.support.world import (
    AVANZA,
    AVANZAS,
    HIACE,
    OTHER_SKU,
    SKU,
    START,
    WIB,
    World,
    days,
    line,
    password_of,
    refused,
)
from tests.usecases.rates_rig import DRIVER, add_extras, wish

pytest_plugins = ("tests.support.world_fixtures",)

TEN = days("2027-03-10", "2027-03-11")
RINA, PHONE = "Rina Maharani", "0812 0000 1234"
INVALID = RefusalCode.FIELD_INVALID


def told(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as no:
        act()
    return no.value


def order(
    who: Counter, one: BookLine, *, customer_id: str | None = None, name: str = RINA, phone: str = PHONE
) -> BookRequest:
    typed = (None, None) if customer_id is not None else (name, phone)
    return BookRequest(
        order_id=who.new_id(), lines=(one,), customer_id=customer_id, customer_name=typed[0], customer_phone=typed[1]
    )


def test_c79_a_known_phone_under_another_name_books_nobody_and_says_whose_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the counter, by the database behind it, and when two names come at once."""
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-20"), AVANZAS[2])
    rina = world.value("SELECT id::text FROM sentra.customer")
    before = world.counts()
    whose = {"customer_id": rina, "customer_name": RINA}

    joko = order(ayu, line(TEN), name="Joko Susilo", phone="6262 812 0000 1234")
    no = told(lambda: ayu.bookings.book(joko))
    assert refused(no, RefusalCode.DUPLICATE, "customer.phone") == whose
    assert [(way.action, dict(way.params)) for way in no.next] == [("use_customer", whose), ("other_phone", {})]
    with monkeypatch.context() as without:
        without.setattr("app.usecases.bookings.check_name", lambda typed, known: None)
        behind = told(lambda: ayu.bookings.book(joko))
    assert refused(behind, RefusalCode.DUPLICATE, "customer.phone") == whose
    assert world.counts() == before
    assert world.claims() == []

    for name in (RINA, "  rina   MAHARANI "):
        ayu.bookings.book(order(ayu, line(days("2027-04-01" if name == RINA else "2027-04-02")), name=name))
    ayu.bookings.book(order(ayu, line(TEN), customer_id=str(rina)))
    assert world.value("SELECT count(DISTINCT customer_id) FROM sentra.booking") == 1

    budi = world.counter("budi", "Kasir 2")
    out = at_once(
        lambda: ayu.bookings.book(order(ayu, line(days("2027-05-01")), name="Agus Salim", phone="0813 1111 2222")),
        lambda: budi.bookings.book(
            order(budi, line(days("2027-05-01"), AVANZAS[1]), name="Sri Wahyuni", phone="0813 1111 2222")
        ),
    )
    assert len(out.results) == 1
    (late,) = out.refusals
    assert refused(late, RefusalCode.DUPLICATE, "customer.phone")["customer_name"] in {"Agus Salim", "Sri Wahyuni"}
    world.assert_sound()


def test_a_licence_that_ends_before_the_return_lets_nobody_drive(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a driver, or for equipment, none is asked for; on its last day it is good."""
    ayu = world.counter("ayu")
    add_extras(world)
    world.book(ayu, days("2027-03-20"), AVANZAS[2])
    world.do("UPDATE sentra.customer SET licence_expires_on = '2027-03-10'")
    no = told(lambda: ayu.bookings.book(order(ayu, line(TEN))))
    said = {"reason": "expires", "expires_on": dt.date(2027, 3, 10), "last_day": dt.date(2027, 3, 11), "line": 0}
    assert refused(no, INVALID, "customer.licence_expires_on") == said
    with monkeypatch.context() as without:
        without.setattr("app.usecases.bookings.check_licence", lambda known, lines, basis: None)
        behind = told(lambda: ayu.bookings.book(order(ayu, line(TEN))))
    assert refused(behind, INVALID, "customer.licence_expires_on") == {
        **said,
        "expires_on": "2027-03-10",
        "last_day": "2027-03-11",
    }
    assert world.value("SELECT count(*) FROM sentra.booking") == 1
    assert world.claims() == []

    ayu.bookings.book(order(ayu, line(days("2027-03-10"))))
    ayu.bookings.book(order(ayu, wish(TEN, AVANZAS[1], DRIVER)))
    world.do(
        "INSERT INTO sentra.charge_terms SELECT (jsonb_populate_record(NULL::sentra.charge_terms,"
        " sentra.charge_terms_of(%s) || jsonb_build_object('sku_id', %s::text, 'template', 'EQUIPMENT',"
        " 'changed_at', sentra.now(), 'changed_by', 'maya'))).*",
        *(OTHER_SKU, OTHER_SKU),
    )
    ayu.bookings.book(order(ayu, line(TEN, HIACE, OTHER_SKU)))
    assert ayu.rates.undriven_skus() == {OTHER_SKU}, "the counter's form asks for none either"
    world.assert_sound()


def test_a_unit_is_not_due_before_it_is_booked_and_pick_up_may_have_been_this_morning(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ayu = world.counter("ayu")
    world.stand(dt.datetime(2027, 3, 1, 16, tzinfo=WIB))
    morning = BookLine(sku=SKU, period=days("2027-03-01"), unit_id=AVANZA, pickup_time=dt.time(8))
    over = dataclasses.replace(morning, due_time=dt.time(10))
    first = order(ayu, over)
    assert refused(told(lambda: ayu.bookings.book(first)), INVALID, "lines[0].due_at")["reason"] == "past"
    with monkeypatch.context() as without:
        without.setattr("app.usecases.bookings.check_due", lambda lines, basis: None)
        behind = told(lambda: ayu.bookings.book(first))
    assert refused(behind, INVALID, "lines[0].due_at")["reason"] == "past"

    later = dataclasses.replace(first, lines=(dataclasses.replace(morning, due_time=dt.time(17)),))
    ayu.bookings.book(later)
    world.stand(dt.datetime(2027, 3, 1, 22, tzinfo=WIB))
    assert ayu.bookings.book(later).repeat, "an order that stands is answered whatever the hour"
    ayu.bookings.book(order(ayu, dataclasses.replace(morning, unit_id=AVANZAS[1])))
    due = "SELECT (due_at AT TIME ZONE 'Asia/Jakarta')::time::text FROM sentra.booking ORDER BY created_at"
    assert world.rows(due) == [("17:00:00",), ("23:59:59",)]


def test_an_order_is_held_no_longer_than_its_first_unit_is_due(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya")
    world.stand(dt.datetime(2027, 3, 1, 18, 30, tzinfo=WIB))
    one = BookLine(sku=SKU, period=days("2027-03-01"), unit_id=AVANZA, due_time=dt.time(22))
    other = line(TEN, AVANZAS[1])
    booked = siti.bookings.book(dataclasses.replace(order(siti, one), lines=(other, one)))
    booking = booked.bookings[0].id

    no = told(lambda: maya.bookings.hold_longer(booking, 4, "transfer"))
    params = refused(no, INVALID, "until_hours")
    assert (params["reason"], params["least"], params["most"]) == ("after_due", 1, 3)
    assert dt.datetime.fromisoformat(str(params["latest"])) == dt.datetime(2027, 3, 1, 22, tzinfo=WIB)
    assert maya.bookings.ending_facts(booking).first_due_at == dt.datetime(2027, 3, 1, 22, tzinfo=WIB)
    held = maya.bookings.hold_longer(booking, 3, "transfer")
    assert held.payment_deadline == world.now() + dt.timedelta(hours=3)
    longest = told(lambda: maya.bookings.hold_longer(booking, 4, "transfer"))
    assert refused(longest, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "held_longest"


def test_a_word_to_hold_longer_is_for_its_hours_and_its_reason(world: World) -> None:
    siti = world.counter("siti")
    booking = world.book(siti, TEN).bookings[0].id
    asked = refused(told(lambda: siti.bookings.hold_longer(booking, 2, "transfer BCA")), *NEEDED)
    assert (asked["action"], asked["object"]) == ("hold_longer", f"{booking}:2")
    word = siti.approvals.approve("maya", password_of("maya"), "hold_longer", str(asked["object"]), "transfer BCA").id
    for hours, reason in ((24, "transfer BCA"), (2, "lain")):
        no = told(lambda h=hours, r=reason: siti.bookings.hold_longer(booking, h, r, approval_id=word))  # type: ignore[misc]
        assert refused(no, *NEEDED)["reason"] == "other"
    held = siti.bookings.hold_longer(booking, 2, " transfer BCA ", approval_id=word)
    assert held.payment_deadline == START + dt.timedelta(hours=2)


def test_a_word_for_one_blocked_customer_books_no_other(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya")
    for name, phone, unit in (("Si Pelupa", "0813 0000 0001", AVANZAS[1]), ("Si Penipu", "0813 0000 0002", AVANZAS[2])):
        world.book(maya, days("2027-03-20"), unit, name=name, phone=phone)
    world.do("UPDATE sentra.customer SET blacklist_code = CASE name WHEN 'Si Pelupa' THEN '03' ELSE '99' END")
    people = {str(row[0]): str(row[1]) for row in world.rows("SELECT name, id::text FROM sentra.customer")}
    first = order(ayu, line(TEN), customer_id=people["Si Pelupa"])
    asked = refused(told(lambda: ayu.bookings.book(first)), *NEEDED)
    word = ayu.approvals.approve(
        "maya", password_of("maya"), "blocked_customer", str(asked["object"]), "sudah lunas di kantor"
    ).id

    other = dataclasses.replace(first, customer_id=people["Si Penipu"], approval_id=word)
    params = refused(told(lambda: ayu.bookings.book(other)), *NEEDED)
    assert (params["reason"], params["object"]) == ("other", f"{first.order_id}:{people['Si Penipu']}:99")
    world.do("UPDATE sentra.customer SET blacklist_code = '07' WHERE name = 'Si Pelupa'")
    again = dataclasses.replace(first, approval_id=word)
    assert refused(told(lambda: ayu.bookings.book(again)), *NEEDED)["reason"] == "other"
    world.do("UPDATE sentra.customer SET blacklist_code = '03' WHERE name = 'Si Pelupa'")
    assert ayu.bookings.book(again).bookings[0].unit_id == AVANZA


NEEDED = (RefusalCode.APPROVAL_NEEDED, "approval_id")


def test_numbers_out_of_bounds_are_refused_by_their_field(shared_world: World) -> None:
    siti = shared_world.counter("siti")
    bookings, changes, booking, nothing = siti.bookings, siti.changes_of_bookings, str(uuid.uuid4()), Rupiah(0)
    huge = 10**30
    cases: list[tuple[str, Callable[[], object]]] = [
        ("expected_back", lambda: bookings.cancel_paid(booking, "batal", Rupiah(huge))),
        ("expected_back", lambda: bookings.no_show(booking, "batal", Rupiah(-1))),
        ("version", lambda: bookings.cancel(booking, version=10**12)),
        ("version", lambda: bookings.cancel_paid(booking, "batal", nothing, version=10**12)),
        ("version", lambda: bookings.hold_longer(booking, 3, "transfer", version=0)),
        ("until_hours", lambda: bookings.hold_longer(booking, huge, "transfer")),
        ("version", lambda: changes.swap_unit(booking, AVANZA, version=huge)),
        ("version", lambda: changes.reject_extension(booking, "batal", version=huge)),
        ("version", lambda: changes.shorten(booking, TEN.last, "pulang", version=huge)),
    ]
    wrong: list[tuple[str, dict[str, object]]] = [
        ("discount_percent", {"discount_percent": 9.5}),
        ("deposit", {"deposit": 500_000.5}),
        ("deposit", {"deposit": huge}),
    ]
    for field, change in wrong:
        one = dataclasses.replace(line(TEN), **change)  # type: ignore[arg-type]
        cases += [
            (f"lines[0].{field}", lambda one=one: bookings.quote([one])),  # type: ignore[misc]
            (f"lines[0].{field}", lambda one=one: bookings.book(order(siti, one))),  # type: ignore[misc]
        ]
    for part in (huge, 400_000.5, -1):
        sent = dataclasses.replace(order(siti, line(TEN)), down_payment=part)  # type: ignore[arg-type]
        cases.append(("down_payment", lambda sent=sent: bookings.book(sent)))  # type: ignore[misc]
    for field, act in cases:
        refused(told(act), INVALID, field)


def test_two_lines_of_one_unit_too_close_are_refused_naming_the_turnaround(world: World) -> None:
    ayu = world.counter("ayu")
    early, late = days("2027-04-10", "2027-04-11"), days("2027-04-12", "2027-04-13")
    for first, second, unit in ((early, late, HIACE), (late, early, HIACE), (early, late, None)):
        pair = [line(first, HIACE, OTHER_SKU), line(second, unit, OTHER_SKU)]
        after = 1 if second == late else 0
        params = refused(told(lambda pair=pair: world.order(ayu, pair)), INVALID, f"lines[{after}].unit_id")  # type: ignore[misc]
        assert params == {
            "reason": "turnaround",
            "unit_id": HIACE,
            "plate": "B 7105 UAA",
            "line": 1 - after,
            "first_day": dt.date(2027, 4, 12),
            "last_day": dt.date(2027, 4, 12),
            "possible": dt.date(2027, 4, 13),
        }
    twice = [line(early, HIACE, OTHER_SKU), line(early, HIACE, OTHER_SKU)]
    assert refused(told(lambda: world.order(ayu, twice)), INVALID, "lines[0].unit_id")["reason"] == "twice"
    world.order(ayu, [line(early, HIACE, OTHER_SKU), line(days("2027-04-13"), HIACE, OTHER_SKU)])
    world.assert_sound()


def test_an_order_is_priced_by_the_branch_as_it_is_now_not_as_it_was_at_login(world: World) -> None:
    ayu = world.counter("ayu")
    world.do("UPDATE sentra.branch SET has_ppn = true, prices_include_ppn = false")
    shown = ayu.bookings.quote([line(TEN)])
    world.do("UPDATE sentra.branch SET has_ppn = false")
    without = ayu.bookings.quote([line(TEN)])
    assert (shown.total > without.total, without.ppn) == (True, None)
    booked = ayu.bookings.book(dataclasses.replace(order(ayu, line(TEN)), expected_total=without.total))
    assert booked.total == without.total
    world.assert_sound()
