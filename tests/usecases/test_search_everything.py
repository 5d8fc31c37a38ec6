"""One search finds units, bookings, invoices and customers, with the rights of whoever asks."""

import datetime as dt

import pytest

from app.bootstrap import Counter
from app.domain.catalogue import UnitStatus
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.usecases.rows_search import SearchHit, SearchKind
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, START, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

TODAY = START.date().isoformat()


def found(who: Counter, text: str) -> list[tuple[SearchKind, str]]:
    return [(hit.kind, hit.title) for hit in who.search.search(text)]


def first(who: Counter, text: str) -> SearchHit:
    return who.search.search(text)[0]


@pytest.mark.parametrize("text", ["B 1200 XYZ", "b1200xyz", "b-1200", "1200", "B 1200", AVANZA, AVANZA.upper()])
def test_a_unit_is_found_by_its_plate_its_figures_and_its_id(world: World, text: str) -> None:
    hit = first(world.counter("ayu"), text)
    assert (hit.kind, hit.id, hit.title) == (SearchKind.UNIT, AVANZA, "B 1200 XYZ")
    assert hit.unit_status is UnitStatus.IN_SERVICE


def test_a_unit_says_who_has_it_today(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days(TODAY, "2027-03-03"))
    hit = first(ayu, "1200")
    assert (hit.customer_name, hit.number, hit.days) == (
        "Rina Maharani",
        booked.bookings[0].number,
        Days(dt.date(2027, 3, 1), dt.date(2027, 3, 3)),
    )
    assert first(ayu, "1201").booking_id is None


def test_a_booking_number_finds_the_booking_and_its_open_invoice(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10"))
    number = booked.bookings[0].number
    for text in (number, number.lower(), number.replace("-", " "), number.removeprefix("BK-")):
        hits = ayu.search.search(text)
        assert [(hit.kind, hit.id) for hit in hits if hit.is_exact] == [
            (SearchKind.BOOKING, booked.bookings[0].id),
            (SearchKind.INVOICE, booked.invoice_id),
        ], text
        assert (hits[0].plate, hits[0].customer_name) == ("B 1200 XYZ", "Rina Maharani")
        assert hits[1].invoice_state is InvoiceState.OPEN
        assert hits[1].total == booked.total


def test_a_paid_invoice_is_found_by_its_whole_number_and_by_its_place_in_the_month(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.book(siti, days("2027-03-10"))
    receipt = world.settle(siti, booked)
    whole = receipt.number
    place = whole.rsplit("/", 1)[1]
    for text in (whole, whole.lower(), whole.replace("/", "-"), place, f"inv {int(place)}"):
        assert (SearchKind.INVOICE, whole) in found(siti, text), text


def test_a_customer_is_found_by_name_and_phone_with_the_bookings_below(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10"))
    expected = [(SearchKind.CUSTOMER, "Rina Maharani"), (SearchKind.BOOKING, booked.bookings[0].number)]
    for text in ("rina", "MAHA", "rina maha", "0812 0000", "62812 0000", "+62 812-0000-1234"):
        assert found(ayu, text) == expected, text
    ayu.bookings.cancel(booked.bookings[0].id, "berubah rencana")
    assert found(ayu, "rina") == expected[:1], "a cancelled booking is nowhere on the grid"


def test_another_branch_finds_units_and_customers_but_no_bookings_and_no_invoices(world: World) -> None:
    ayu, rahmat = world.counter("ayu"), world.counter("rahmat")
    booked = world.book(ayu, days(TODAY))
    assert found(rahmat, booked.bookings[0].number) == []
    assert found(rahmat, "rina") == [(SearchKind.CUSTOMER, "Rina Maharani")]
    hit = first(rahmat, "1200")
    assert (hit.id, hit.branch_id == rahmat.who.branch.id) == (AVANZA, False)
    assert (hit.customer_name, hit.number, hit.booking_id) == ("", "", None)
    assert first(ayu, "dd 1101").id == FAR_AVANZA


def test_an_inspector_may_search_too(world: World) -> None:
    booked = world.book(world.counter("ayu"), days(TODAY))
    assert first(world.counter("dedi"), booked.bookings[0].number).id == booked.bookings[0].id


@pytest.mark.parametrize(
    "text",
    ["", " ", "b", "%", "_", "%%%", "__", "' OR 1=1 --", "\\", "😀😀", "a\u0301", "\u202e", "{0}%s", "ri\0na",
     "ri\ud800na", "٣٤"],
)  # fmt: skip
def test_too_little_or_strange_text_finds_nothing_and_breaks_nothing(shared_world: World, text: str) -> None:
    assert shared_world.counter("ayu").search.search(text) == ()


@pytest.mark.parametrize(
    ("text", "limit", "field"), [("x" * 81, 8, "text"), ("rina", 0, "limit"), ("rina", 51, "limit")]
)
def test_bad_input_is_refused_by_its_field(shared_world: World, text: str, limit: int, field: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").search.search(text, limit)
    refused(no.value, RefusalCode.FIELD_INVALID, field)


def test_c05_a_unit_promised_to_another_is_refused_with_that_booking_and_another_unit(world: World) -> None:
    ayu = world.counter("ayu")
    promised = world.book(ayu, days("2027-03-02", "2027-03-03"), name="Bagus Pratama", phone="0813 0000 9999")
    with pytest.raises(Refusal) as no:
        ayu.scans.unit_for(AVANZA, days(TODAY, "2027-03-05"))
    params = refused(no.value, RefusalCode.DAYS_TAKEN, "lines[0]")
    blockers = params["blockers"]
    assert isinstance(blockers, list)
    assert [(item["number"], item["customer"]) for item in blockers] == [(promised.bookings[0].number, "Bagus Pratama")]
    offered = [item.params["unit_id"] for item in no.value.next if item.action == "use_unit"]
    assert offered == list(AVANZAS[1:])
    for code in (AVANZAS[1], AVANZAS[1].upper()):  # a scanner under Caps Lock swaps the letters' case
        assert ayu.scans.unit_for(code, days(TODAY, "2027-03-05")).unit.id == AVANZAS[1]


def test_a_scanned_unit_of_another_branch_or_out_of_rent_is_refused_with_its_reason(world: World) -> None:
    ayu = world.counter("ayu")
    world.do("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = %s", AVANZAS[1])
    world.do("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = %s", AVANZAS[2])
    for unit, reason in ((FAR_AVANZA, "other_branch"), (AVANZAS[1], "status"), (AVANZAS[2], "status")):
        with pytest.raises(Refusal) as no:
            ayu.scans.unit_for(unit, days(TODAY))
        assert refused(no.value, RefusalCode.UNIT_NOT_RENTABLE, "unit_id")["reason"] == reason
        assert [item.action for item in no.value.next] == ["any_unit"]


@pytest.mark.parametrize("code", ["", "x" * 65, "a\0b", "ü", "\u202e"])
def test_a_code_that_is_no_units_is_refused_by_its_field(shared_world: World, code: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").scans.unit_for(code, days(TODAY))
    refused(no.value, RefusalCode.FIELD_INVALID, "unit_id")
    with pytest.raises(Refusal) as unknown:
        shared_world.counter("ayu").scans.unit_for("nobody-1", days(TODAY))
    refused(unknown.value, RefusalCode.NOT_FOUND, "unit_id")
