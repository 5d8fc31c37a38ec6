"""Contracts: what one says of an order, how often it was printed, and the words a branch prints of its own."""

import datetime as dt
import uuid
from dataclasses import replace

import psycopg
import pytest

from app.admin_do import do
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceKind, InvoiceState, LineKind
from app.domain.money import Rupiah
from app.usecases.bookings import BookRequest
from app.usecases.contract_terms import own_terms
from app.usecases.contracts import fingerprint
from app.usecases.rows_contracts import Printed
from app.usecases.rows_customers import CustomerForm
from tests.support.world import AVANZA, AVANZAS, HIACE, OTHER_SKU, World, days, line, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
NIK = "3275015708900012"
"""Invented, of a structure that is right."""


def number(count: int) -> str:
    """The id of one printing."""
    return str(uuid.UUID(int=count))


def test_a_contract_says_every_unit_line_and_sum_of_the_order(world: World) -> None:
    ayu = world.counter("ayu")
    lines = [line(MARCH, AVANZA), line(MARCH, AVANZAS[1]), line(MARCH, HIACE, OTHER_SKU)]
    order = world.order(ayu, lines, name="Rina Maharani")

    facts = ayu.contracts.contract(order.order_id)

    assert [unit.booking.unit.unit.id for unit in facts.units] == [AVANZA, AVANZAS[1], HIACE]
    assert [unit.booking.number for unit in facts.units] == [booked.number for booked in order.bookings]
    assert {unit.odometer for unit in facts.units} == {1000}
    assert (facts.customer.name, facts.customer.phone) == ("Rina Maharani", "+6281200001234")
    assert facts.total == order.total == sum(item.amount for item in facts.lines)
    assert facts.deposit == sum(item.amount for item in facts.lines if item.kind is LineKind.DEPOSIT)
    assert (facts.paid, facts.invoices[0].state) == (0, InvoiceState.OPEN)
    assert facts.branch.zone.key == "Asia/Jakarta"
    assert facts.made_by_name == "Ayu"
    assert ayu.contracts.contract(order.bookings[2].id) == replace(
        facts, now=ayu.contracts.contract(order.order_id).now
    )


def test_a_contract_names_papers_masked_and_where_the_customer_lives(world: World) -> None:
    ayu = world.counter("ayu")
    world.service().identity.publish()
    order = world.book(ayu, MARCH)
    (customer,) = world.rows("SELECT id, version FROM sentra.customer")
    ayu.customers.save_customer(
        CustomerForm(
            id=str(customer[0]),
            version=int(str(customer[1])),
            name="Rina Maharani",
            phone="0812 0000 1234",
            nik=NIK,
            licence_number="900112345678",
            licence_class="A",
            licence_expires_on=dt.date(2029, 5, 3),
            address="Jl. Mawar 3, Jakarta",
        )
    )
    party = ayu.contracts.contract(order.order_id).customer
    assert (party.address, party.licence_class, party.licence_expires_on) == (
        "Jl. Mawar 3, Jakarta",
        "A",
        dt.date(2029, 5, 3),
    )
    assert (party.nik, party.passport, party.company) == ("3275 01 •••••• 0012", "", "")
    assert party.licence.startswith("•")
    assert NIK not in repr(party)
    assert "900112345678" not in repr(party)


def test_a_reservation_with_a_down_payment_has_one_contract_over_both_invoices(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    order = siti.bookings.book(
        BookRequest(
            order_id=str(uuid.uuid4()),
            lines=(line(MARCH),),
            customer_name="Rina Maharani",
            customer_phone="0812 0000 1234",
            down_payment=Rupiah(400_000),
        )
    )
    world.settle(siti, order)
    facts = siti.contracts.contract(order.order_id)
    assert [(item.kind, item.state) for item in facts.invoices] == [
        (InvoiceKind.DOWN_PAYMENT, InvoiceState.PAID),
        (InvoiceKind.BALANCE, InvoiceState.OPEN),
    ]
    assert (facts.total, facts.paid) == (3 * 350_000 + 500_000, 400_000)


def test_a_contract_tells_the_days_that_were_agreed_to_be_paid_for_whatever_the_rules_are_later(world: World) -> None:
    world.do("UPDATE sentra.branch SET counts_hours = true")
    siti = world.counter("siti")
    asked = replace(line(MARCH, AVANZA), pickup_time=dt.time(9), due_time=dt.time(9, 30))
    hourly = world.order(siti, [asked])
    world.do("UPDATE sentra.sku SET min_days = 5")
    least = world.order(siti, [line(MARCH, AVANZAS[1])])
    assert siti.bookings.quote([asked, replace(asked, pickup_time=None, due_time=None)]).days == (5, 5)
    told = [siti.contracts.contract(order.order_id).units for order in (hourly, least)]
    assert [[unit.days for unit in units] for units in told] == [[2], [5]]


def test_a_cancelled_booking_is_not_in_the_contract_and_an_order_of_such_has_none(world: World) -> None:
    ayu = world.counter("ayu")
    order = world.order(ayu, [line(MARCH, AVANZA), line(MARCH, AVANZAS[1])])
    ayu.bookings.cancel(order.bookings[0].id, "batal")
    facts = ayu.contracts.contract(order.order_id)
    assert [unit.booking.id for unit in facts.units] == [order.bookings[1].id]
    assert {item.booking_id for item in facts.lines} == {order.bookings[1].id}
    ayu.bookings.cancel(order.bookings[1].id, "batal")
    with pytest.raises(Refusal) as no:
        ayu.contracts.contract(order.order_id)
    refused(no.value, RefusalCode.BOOKING_STATE, "order_id")


def test_another_branchs_order_has_no_contract_here_and_is_not_counted(world: World) -> None:
    ayu, rahmat = world.counter("ayu"), world.counter("rahmat")
    order = world.book(ayu, MARCH)
    facts = ayu.contracts.contract(order.order_id)
    for ask in (
        lambda: rahmat.contracts.contract(order.order_id),
        lambda: rahmat.contracts.count_printing(facts, number(1)),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.NOT_FOUND, "order_id")
    assert world.value("SELECT count(*) FROM sentra.printed_document") == 0


def test_printings_are_counted_once_each_and_what_is_agreed_anew_is_a_new_original(world: World) -> None:
    ayu, dedi = world.counter("ayu"), world.counter("dedi", "Serah 1")
    order = world.book(ayu, MARCH)
    facts = ayu.contracts.contract(order.order_id)
    assert ayu.contracts.count_printing(facts, number(1)) == Printed(revision=0, copy=0)
    assert ayu.contracts.count_printing(facts, number(1)) == Printed(revision=0, copy=0)
    assert dedi.contracts.count_printing(dedi.contracts.contract(order.order_id), number(2)) == Printed(
        revision=0, copy=1
    )
    english = ayu.contracts.contract(order.order_id, "en")
    assert ayu.contracts.count_printing(english, number(3)) == Printed(revision=0, copy=0)
    ayu.changes_of_bookings.reschedule(order.bookings[0].id, days("2027-03-11", "2027-03-14"))
    moved = ayu.contracts.contract(order.order_id)
    assert ayu.contracts.count_printing(moved, number(4)) == Printed(revision=1, copy=0)
    assert ayu.contracts.count_printing(moved, number(5)) == Printed(revision=1, copy=1)
    recorded = world.rows(
        "SELECT language, revision, copy, printed_by, counter FROM sentra.printed_document ORDER BY id"
    )
    prefix = world.database.prefix
    assert [(row[0], row[1], row[2], str(row[3]).removeprefix(f"{prefix}_"), row[4]) for row in recorded] == [
        ("id", 0, 0, "ayu", "Kasir 1"),
        ("id", 0, 1, "dedi", "Serah 1"),
        ("en", 0, 0, "ayu", "Kasir 1"),
        ("id", 1, 0, "ayu", "Kasir 1"),
        ("id", 1, 1, "ayu", "Kasir 1"),
    ]


def test_paying_and_a_new_odometer_reading_change_nothing_that_is_agreed(world: World) -> None:
    siti = world.counter("siti")
    order = world.book(siti, MARCH)
    before = siti.contracts.contract(order.order_id)
    world.open_shift(siti)
    world.settle(siti, order)
    world.do("UPDATE sentra.unit SET odometer = 2222 WHERE id = %s", AVANZA)
    after = siti.contracts.contract(order.order_id)
    assert (after.paid, after.units[0].odometer) == (order.total, 2222)
    assert fingerprint(after) == fingerprint(before)


def test_what_a_shorter_paid_rental_gives_back_is_told_whoever_prints(world: World) -> None:
    siti = world.counter("siti")
    order = world.book(siti, MARCH)
    world.open_shift(siti)
    world.settle(siti, order)
    siti.changes_of_bookings.reschedule(order.bookings[0].id, days("2027-03-10", "2027-03-11"))
    for login in ("ayu", "budi", "dedi"):
        facts = world.counter(login).contracts.contract(order.order_id)
        assert (facts.given_back, facts.paid, facts.total) == (350_000, order.total, order.total)


def test_a_paid_order_that_goes_on_without_a_unit_tells_what_was_paid_for_the_others(world: World) -> None:
    siti = world.counter("siti")
    order = world.order(siti, [line(MARCH, AVANZA), line(MARCH, AVANZAS[1])])
    world.open_shift(siti)
    world.settle(siti, order)
    gone = order.bookings[0].id
    effect = siti.bookings.cancellation_effect(gone)
    siti.bookings.cancel_paid(gone, "sakit", Rupiah(effect.rent_back + effect.deposit_back))
    facts = siti.contracts.contract(order.order_id)
    assert {item.booking_id for item in facts.lines} == {order.bookings[1].id}
    assert facts.total == facts.paid == order.total // 2
    assert facts.given_back == 0


def test_a_contract_keeps_the_terms_it_was_first_printed_with(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya")
    old, new = world.book(ayu, MARCH), world.book(ayu, MARCH, AVANZAS[1])
    facts = ayu.contracts.contract(old.order_id)
    assert facts.terms.said == own_terms("id", 1)
    ayu.contracts.count_printing(facts, number(1))
    maya.contracts.set_terms("1. Kunci dikembalikan.\n2. Bensin penuh.")
    assert ayu.contracts.contract(old.order_id).terms == facts.terms
    second = ayu.contracts.contract(new.order_id)
    assert second.terms.said == "1. Kunci dikembalikan.\n2. Bensin penuh."
    ayu.contracts.count_printing(second, number(2))
    maya.contracts.set_terms("1. Lain sama sekali.")
    assert ayu.contracts.contract(new.order_id).terms == second.terms
    assert ayu.contracts.contract(new.order_id, "en").terms.said == "1. Lain sama sekali.", "no English ones of its own"
    maya.contracts.set_terms("1. Something else.", "en")
    english = ayu.contracts.contract(new.order_id, "en")
    assert english.terms.said == "1. Something else."
    assert ayu.contracts.count_printing(english, number(3)) == Printed(revision=0, copy=0)
    maya.contracts.set_terms(None, "en")
    assert ayu.contracts.contract(new.order_id, "en").terms == english.terms


def test_terms_are_written_by_a_manager_for_the_own_branch_and_language(world: World) -> None:
    maya, ayu, hasnah = (world.counter(login) for login in ("maya", "ayu", "hasnah"))
    said = maya.contracts.set_terms("  1. Satu.  \r\n\r\n\t2. Dua.\r\n\n")
    assert (said.said, said.version) == ("  1. Satu.\n\n    2. Dua.", 1)
    assert maya.contracts.set_terms(said.said).version == 1
    assert maya.contracts.set_terms("1. Tiga.").version == 2
    assert ayu.contracts.terms().said == "1. Tiga."
    assert ayu.contracts.terms("en") == ayu.contracts.terms(), "the branch's own words, in the language it wrote"
    assert hasnah.contracts.terms("en").said == own_terms("en", 1)
    assert hasnah.contracts.terms().said == own_terms("id", 1)
    assert (maya.contracts.set_terms(None).said, maya.contracts.terms().version) == (own_terms("id", 1), 0)
    assert maya.contracts.set_letterhead("Jl. Melati 7\nTelp. 021-000000") == "Jl. Melati 7\nTelp. 021-000000"
    maya.contracts.set_letterhead("7 Melati Street", "en")
    assert ayu.contracts.letterhead() == "Jl. Melati 7\nTelp. 021-000000"
    assert ayu.contracts.letterhead("en") == "7 Melati Street"
    maya.contracts.set_letterhead(None, "en")
    assert ayu.contracts.letterhead("en") == ayu.contracts.letterhead()
    assert hasnah.contracts.letterhead() == ""
    assert world.value("SELECT count(*) FROM sentra.audit WHERE action = 'set_branch_text'") == 6


@pytest.mark.parametrize("login", ["ayu", "budi", "dedi"])
def test_only_a_manager_writes_the_branchs_words(shared_world: World, login: str) -> None:
    contracts = shared_world.counter(login).contracts
    for ask in (contracts.set_terms, contracts.set_letterhead):
        with pytest.raises(Refusal) as no:
            ask("Kunci dikembalikan.")
        refused(no.value, RefusalCode.NOT_ALLOWED)


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "a" * 20_001, "a" * 90_000, "Pasal\x00", "Pasal \u202eabc", "\u200b", "🎉"]
)
def test_a_bad_text_is_refused_naming_it_and_changes_nothing(shared_world: World, text: str) -> None:
    contracts = shared_world.counter("maya").contracts
    for ask, field in ((contracts.set_terms, "terms"), (contracts.set_letterhead, "letterhead")):
        with pytest.raises(Refusal) as no:
            ask(text)
        refused(no.value, RefusalCode.FIELD_INVALID, field)
    assert shared_world.value("SELECT count(*) FROM sentra.branch_text") == 0


def test_a_long_text_with_many_lines_is_taken_whole(world: World) -> None:
    text = "\n".join(f"{n}. {'Penyewa menjaga unit. ' * 5}".strip() for n in range(1, 151))
    assert world.counter("maya").contracts.set_terms(text).said == text


@pytest.mark.parametrize(
    "call",
    [
        "SELECT sentra.set_branch_text('TERMS', 'id', E'a\\u202eb', 'K1')",
        "SELECT sentra.set_branch_text('TERMS', 'id', repeat('a', 20001), 'K1')",
        "SELECT sentra.set_branch_text('TERMS', 'id', '', 'K1')",
        "SELECT sentra.set_branch_text('TERMS', 'fr', 'abc', 'K1')",
        "SELECT sentra.set_branch_text('POEM', 'id', 'abc', 'K1')",
        "SELECT sentra.set_branch_text(NULL, NULL, NULL, NULL)",
    ],
)
def test_a_forged_text_is_refused_by_the_database_too(shared_world: World, call: str) -> None:
    with psycopg.connect(shared_world.url_of("maya")) as manager, pytest.raises(psycopg.Error) as no:
        manager.execute(call.encode())
    assert no.value.sqlstate == "SR001"
    assert shared_world.value("SELECT count(*) FROM sentra.branch_text") == 0


def test_a_script_reads_a_contract_and_writes_the_terms(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya")
    order = world.book(ayu, MARCH)
    told = do(ayu, "contract", {"order_id": order.order_id, "language": "en"})
    assert isinstance(told, dict)
    assert (told["order_id"], told["language"], len(told["units"])) == (order.order_id, "en", 1)
    assert do(maya, "set_terms", {"terms": "1. Satu.", "language": "en"}) == {
        "said": "1. Satu.",
        "language": "en",
        "version": 1,
        "edition": 1,
    }
    assert do(ayu, "terms", {"language": "en"}) == {"said": "1. Satu.", "language": "en", "version": 1, "edition": 1}
    assert do(maya, "set_letterhead", {"letterhead": "Jl. Melati 7"}) == {"letterhead": "Jl. Melati 7"}
    assert do(ayu, "letterhead", {}) == {"letterhead": "Jl. Melati 7"}
