"""The customer register at a counter: new and changed customers, companies, duplicates, arrears, and who may what."""

import dataclasses
import datetime as dt
import uuid
from functools import partial
from typing import Any

import pytest

from app.bootstrap import Counter
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.identity import IdentityKind, LicenceClass, NikWarning
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CompanyForm, CustomerCard, CustomerForm
from tests.support.at_once import at_once
from tests.support.world import AVANZAS, START, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

NIK = "3275011708900012"
PHONE = "+6281200001234"
HARMFUL = ("a\x00b", "\u202etxet", "a\ud800b")


@pytest.fixture(scope="module")
def register(shared_world: World) -> World:
    """A world whose counters can seal numbers."""
    shared_world.service().identity.publish()
    return shared_world


def form(**given: Any) -> CustomerForm:
    wanted: dict[str, Any] = {
        "id": str(uuid.uuid4()),
        "name": "Rina Maharani",
        "phone": f"0813{uuid.uuid4().int % 10**8:08d}",
    }
    return CustomerForm(**{**wanted, **given})


def form_of(card: CustomerCard, **changes: Any) -> CustomerForm:
    """The form that leaves a card as it is, but for the changes."""
    names = {item.name for item in dataclasses.fields(CustomerForm)} & {f.name for f in dataclasses.fields(card)}
    same = {name: getattr(card, name) for name in names}
    return CustomerForm(**{**same, "company_id": card.company and card.company.id, **changes})


def everything(**given: Any) -> CustomerForm:
    return form(
        birth_on=dt.date(1990, 8, 17),
        nik=NIK,
        passport="x1234567",
        licence_number="9208-1234-5678",
        licence_class="a",
        licence_expires_on=dt.date(2027, 12, 1),
        address="Jl. Melati 1\nJakarta",
        email="Rina@Contoh.id",
        consent_at=START,
        consent_text="Data dipakai untuk sewa.",
        note="Lebih suka pagi",
        **given,
    )


def written(world: World) -> dict[str, object]:
    """Everything that saving a customer or a company writes."""
    names = ("customer", "customer_word", "customer_identity", "company", "identity_ticket", "audit")
    return {
        name: world.value(f"SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM sentra.{name} t")
        for name in names
    }


def test_a_new_customer_is_read_back_whole_with_its_numbers_masked(register: World) -> None:
    ayu = register.counter("ayu")
    wanted = everything(phone="0812 0000 1234")

    card = ayu.customers.save_customer(wanted)

    assert dataclasses.replace(card, warnings=()) == ayu.customers.get_customer(wanted.id)
    assert (card.version, card.name, card.phone) == (1, "Rina Maharani", PHONE)
    assert (card.licence_class, card.licence_expires_on) == (LicenceClass.A, dt.date(2027, 12, 1))
    assert (card.address, card.email, card.note) == ("Jl. Melati 1\nJakarta", "rina@contoh.id", "Lebih suka pagi")
    assert (card.consent_at, card.consent_text) == (START, "Data dipakai untuk sewa.")
    assert (card.tier, card.blocked, card.arrears, card.warnings) == (Tier.BASIC, None, 0, ())
    assert {item.kind: item.masked for item in card.identities} == {
        IdentityKind.NIK: "3275 01 •••••• 0012",
        IdentityKind.PASSPORT: "•••••• 567",
        IdentityKind.LICENCE: "•••••• 678",
    }


def test_no_identity_number_stands_in_clear_anywhere_in_the_database(register: World) -> None:
    register.counter("ayu").customers.save_customer(everything())
    tables = [name for (name,) in register.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'sentra'")]
    for table in tables:
        found = register.value(
            f"SELECT count(*) FROM sentra.{table} t WHERE t::text ~ '{NIK}|X1234567|920812345678'"
            f" OR t::text LIKE '%' || encode('{NIK}', 'hex') || '%'"
        )
        assert found == 0, table


def test_nobody_at_a_counter_reads_a_sealed_number_or_a_ticket(register: World) -> None:
    for login in ("ayu", "dedi", "maya"):
        for column in ("sealed", "lookup"):
            with pytest.raises(Refusal) as no:
                register.counter(login).store.read._ask.rows(  # type: ignore[attr-defined]
                    _statement(f"SELECT {column} FROM sentra.customer_identity")
                )
            assert no.value.code is RefusalCode.NOT_ALLOWED


def _statement(words: str) -> Any:
    from sqlalchemy import text

    return text(words)


def test_the_same_form_sent_again_is_one_customer_and_another_form_under_its_id_is_refused(register: World) -> None:
    ayu = register.counter("ayu")
    wanted = everything()
    first = ayu.customers.save_customer(wanted)
    before = written(register)

    assert ayu.customers.save_customer(wanted) == first
    changed = form_of(first, note="sore")
    second = ayu.customers.save_customer(changed)
    assert (second.version, second.note) == (2, "sore")
    again = written(register)
    assert ayu.customers.save_customer(changed) == second
    assert written(register) == again != before

    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(dataclasses.replace(wanted, name="Orang Lain"))
    told = refused(no.value, RefusalCode.DUPLICATE, "id")
    assert (told["version"], told["by"], told["is_own"]) == (2, "Ayu", True)
    assert no.value.next == (NextAction("take_version", {"version": 2}),)


def test_a_number_that_looks_the_same_masked_is_another_number(register: World) -> None:
    ayu = register.counter("ayu")
    first = ayu.customers.save_customer(everything())
    typo, right = NIK[:6] + "1" + NIK[7:], NIK[:6] + "2" + NIK[7:]
    changed = ayu.customers.save_customer(form_of(first, nik=typo))
    box = f"SELECT sealed FROM sentra.customer_identity WHERE customer_id = '{first.id}' AND kind = 'NIK'"
    sealed = register.value(box)

    assert ayu.customers.save_customer(form_of(first, nik=typo)) == changed, "sent again it is the same"
    assert register.value(box) == sealed
    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(form_of(first, nik=right))
    assert refused(no.value, RefusalCode.FIELD_INVALID, "version")["version"] == 2
    assert ayu.customers.save_customer(form_of(changed, nik=right)).version == 3
    assert register.value(box) != sealed


def test_a_new_form_sent_again_from_another_window_with_a_corrected_number_is_not_dropped(register: World) -> None:
    ayu, other = register.counter("ayu"), register.counter("ayu")
    new = everything()
    ayu.customers.save_customer(new)
    corrected = dataclasses.replace(new, nik=NIK[:6] + "2" + NIK[7:])

    for desk in (ayu, other):
        with pytest.raises(Refusal) as no:
            desk.customers.save_customer(corrected)
        assert refused(no.value, RefusalCode.DUPLICATE, "id")["version"] == 1


def test_one_form_sent_twice_at_once_is_one_customer_and_one_company(register: World) -> None:
    ayu = register.counter("ayu")
    for _ in range(3):
        wanted = everything()
        company = CompanyForm(id=str(uuid.uuid4()), name="PT Sekali Saja", phone="")
        saved = at_once(*[partial(ayu.customers.save_customer, wanted)] * 3)
        firms = at_once(*[partial(ayu.customers.save_company, company)] * 3)
        assert [card.version for card in saved.results] == [1, 1, 1], saved
        assert [firm.version for firm in firms.results] == [1, 1, 1], firms


def test_a_stale_form_overwrites_nothing_and_names_who_changed_it(register: World) -> None:
    ayu, siti = register.counter("ayu"), register.counter("siti")
    card = ayu.customers.save_customer(form())
    siti.customers.save_customer(form_of(card, note="dari siti"))

    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(form_of(card, note="dari ayu"))

    said = refused(no.value, RefusalCode.FIELD_INVALID, "version")
    assert (said["reason"], said["by"], said["version"]) == ("changed_meanwhile", "Siti", 2)
    assert ayu.customers.get_customer(card.id).note == "dari siti"


@pytest.mark.parametrize(
    "typed", ["0812 9999 1111", "62812-9999-1111", "+62 812 9999 1111", "81299991111", "0062812 99991111"]
)
def test_c79_a_duplicate_is_offered_and_not_made_however_the_phone_is_written(register: World, typed: str) -> None:
    ayu = register.counter("ayu")
    known = ayu.customers.find_customers("0812 9999 1111")
    first = known[0].customer.id if known else ayu.customers.save_customer(form(phone="0812 9999 1111")).id
    before = written(register)

    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(form(name="Rina M.", phone=typed))

    said = refused(no.value, RefusalCode.DUPLICATE, "phone")
    assert (said["customer_id"], said["customer_name"]) == (first, "Rina Maharani")
    assert no.value.next == (NextAction("use_customer", {"customer_id": first}),)
    assert written(register) == before


def test_c78_a_bare_62_is_stored_once(register: World) -> None:
    assert register.counter("ayu").customers.save_customer(form(phone="62811811234")).phone == "+62811811234"


def test_a_customer_may_keep_the_own_phone_and_not_take_anothers(register: World) -> None:
    ayu = register.counter("ayu")
    one, other = (ayu.customers.save_customer(form()) for _ in range(2))
    assert ayu.customers.save_customer(form_of(one, name="Rina Baru")).phone == one.phone
    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(form_of(other, phone=one.phone))
    assert refused(no.value, RefusalCode.DUPLICATE, "phone")["customer_id"] == one.id


def test_numbers_left_out_stay_and_an_empty_one_is_taken_away(register: World) -> None:
    ayu = register.counter("ayu")
    card = ayu.customers.save_customer(everything())
    kept = ayu.customers.save_customer(form_of(card, note="baru"))
    assert kept.identities == card.identities
    less = ayu.customers.save_customer(form_of(kept, passport="", nik="3275015708900099"))
    assert {item.kind: item.masked for item in less.identities} == {
        IdentityKind.NIK: "3275 01 •••••• 0099",
        IdentityKind.LICENCE: "•••••• 678",
    }


def test_an_odd_nik_is_saved_with_its_warning(register: World) -> None:
    card = register.counter("ayu").customers.save_customer(form(nik="3275013213900012"))
    assert card.warnings == (NikWarning.ODD_DATE,)
    assert card.identity(IdentityKind.NIK) is not None


def test_a_consent_keeps_its_first_moment_and_can_be_taken_back(register: World) -> None:
    ayu = register.counter("ayu")
    card = ayu.customers.save_customer(form(consent_at=dt.datetime(2040, 1, 1, tzinfo=dt.UTC), consent_text="Ya"))
    assert (card.consent_at, card.consent_text) == (START, "Ya"), "the database's own time"
    later = ayu.customers.save_customer(form_of(card, consent_text="Lain", note="x"))
    assert (later.consent_at, later.consent_text) == (START, "Ya")
    gone = ayu.customers.save_customer(form_of(later, consent_at=None))
    assert (gone.consent_at, gone.consent_text) == (None, "")


def test_tier_blacklist_and_credit_are_a_managers_word(register: World) -> None:
    ayu, maya = register.counter("ayu"), register.counter("maya")
    card = ayu.customers.save_customer(form())
    firm = ayu.customers.save_company(CompanyForm(id=str(uuid.uuid4()), name="PT Arunika"))
    before = written(register)
    for field, wish in (("tier", form_of(card, tier="GOLD")), ("blacklist_code", form_of(card, blacklist_code="07"))):
        with pytest.raises(Refusal) as no:
            ayu.customers.save_customer(wish)
        assert refused(no.value, RefusalCode.NOT_ALLOWED, field)["roles"] == ["manager"]
    for field, value in (("credit_limit", 5_000_000), ("due_days", 30)):
        with pytest.raises(Refusal) as no:
            ayu.customers.save_company(CompanyForm(id=firm.id, version=1, name=firm.name, **{field: value}))
        refused(no.value, RefusalCode.NOT_ALLOWED, field)
    assert written(register) == before

    marked = maya.customers.save_customer(form_of(card, tier="GOLD", blacklist_code="07"))
    assert (marked.tier, marked.blocked) == (Tier.GOLD, "07")
    assert ayu.customers.save_customer(form_of(marked, note="tetap")).blocked == "07", "an agent leaves it as it is"
    credit = maya.customers.save_company(
        CompanyForm(
            id=firm.id, version=1, name=firm.name, npwp="01.234.567.8-901.000", credit_limit=5_000_000, due_days=30
        )
    )
    assert (credit.version, credit.npwp, credit.credit_limit, credit.due_days) == (2, "012345678901000", 5_000_000, 30)
    assert ayu.customers.companies("arun") == ayu.customers.companies("01.234") == (credit,)
    assert ayu.customers.save_customer(form(company_id=firm.id)).company == credit


def test_an_inspector_reads_cards_and_writes_none(register: World) -> None:
    card = register.counter("ayu").customers.save_customer(form())
    dedi = register.counter("dedi")
    assert dedi.customers.get_customer(card.id).name == "Rina Maharani"
    with pytest.raises(Refusal) as no:
        dedi.customers.save_customer(form_of(card, note="x"))
    refused(no.value, RefusalCode.NOT_ALLOWED)


def test_two_companies_have_not_one_npwp(register: World) -> None:
    ayu = register.counter("ayu")
    first = ayu.customers.save_company(CompanyForm(id=str(uuid.uuid4()), name="CV Tirta", npwp="0123456789012345"))
    assert ayu.customers.save_company(CompanyForm(id=first.id, name="CV Tirta", npwp="0123456789012345")) == first
    with pytest.raises(Refusal) as no:
        ayu.customers.save_company(CompanyForm(id=str(uuid.uuid4()), name="CV Tirta Baru", npwp="0123 4567 8901 2345"))
    said = refused(no.value, RefusalCode.DUPLICATE, "npwp")
    assert (said["company_id"], said["company_name"]) == (first.id, "CV Tirta")
    assert no.value.next == (NextAction("use_company", {"company_id": first.id}),)


BAD: list[tuple[str, dict[str, Any]]] = [
    *(("id", {"id": bad}) for bad in ("", "1", "' OR 1=1 --", "x" * 5_000)),
    *(("name", {"name": bad}) for bad in ("", "R", "x" * 81, "123", "😀😀", "\u3164\u3164", *HARMFUL)),
    *(("phone", {"phone": bad}) for bad in ("", "081", "8" * 60, "nol delapan", "😀", "0812%s", "' OR 1", *HARMFUL)),
    *(("nik", {"nik": bad}) for bad in ("3" * 15, "3" * 17, "327501170890001X", "😀" * 16, "٣" * 16, *HARMFUL)),
    *(("passport", {"passport": bad}) for bad in ("A1", "A" * 20, "x-😀-12345", "{0}12345", *HARMFUL)),
    *(("licence_number", {"licence_number": bad}) for bad in ("1", "9" * 30, "SIM😀12345", *HARMFUL)),
    *(("licence_class", {"licence_class": bad}) for bad in ("E", "x" * 500, "😀", *HARMFUL)),
    *(("licence_expires_on", {"licence_expires_on": bad}) for bad in (dt.date(1999, 12, 31), dt.date(9999, 12, 31))),
    *(("birth_on", {"birth_on": bad}) for bad in (dt.date(2027, 3, 1), dt.date(1899, 12, 31), dt.date(9999, 1, 1))),
    *(("nationality", {"nationality": bad}) for bad in ("", "IDN", "😀", "1%", *HARMFUL)),
    *(("address", {"address": bad}) for bad in ("x" * 301, "x" * 64_000_000, *HARMFUL[:1], HARMFUL[2])),
    *(("email", {"email": bad}) for bad in ("a", "a@b", "@", "a" * 250 + "@b.id", "a b@c.id", *HARMFUL)),
    *(("tier", {"tier": bad}) for bad in ("", "DIAMOND", "gold", *HARMFUL)),
    *(("company_id", {"company_id": bad}) for bad in ("", "PT Arunika", str(uuid.UUID(int=7)))),
    *(("consent_text", {"consent_at": START, "consent_text": bad}) for bad in ("x" * 501, HARMFUL[0])),
    *(("note", {"note": bad}) for bad in ("x" * 501, HARMFUL[0], HARMFUL[2])),
    *(("blacklist_code", {"blacklist_code": bad}) for bad in ("7", "01", "007", "😀", *HARMFUL)),
    ("customer_id", {"version": 3}),
    ("customer_id", {"version": -1}),
]


def test_bad_input_in_each_field_is_a_refusal_that_names_it_and_writes_nothing(register: World) -> None:
    ayu = register.counter("ayu")
    before = written(register)
    for field, given in BAD:
        with pytest.raises(Refusal) as no:
            ayu.customers.save_customer(form(**given))
        assert no.value.field == field, f"{str(given)[:60]} → {no.value}"
        assert no.value.code in (RefusalCode.FIELD_INVALID, RefusalCode.NOT_FOUND)
    assert written(register) == before


BAD_COMPANY: list[tuple[str, dict[str, Any]]] = [
    *(("id", {"id": bad}) for bad in ("", "PT")),
    *(("name", {"name": bad}) for bad in ("", "x" * 81, "😀😀", *HARMFUL)),
    *(("npwp", {"npwp": bad}) for bad in ("1", "1" * 17, "12345678901234X", *HARMFUL)),
    *(("address", {"address": bad}) for bad in ("x" * 301, HARMFUL[0])),
    *(("email", {"email": bad}) for bad in ("a", "a@b", *HARMFUL)),
    *(("phone", {"phone": bad}) for bad in ("1", "x" * 60, *HARMFUL)),
    *(("credit_limit", {"credit_limit": bad}) for bad in (-1, 10**15)),
    *(("due_days", {"due_days": bad}) for bad in (-1, 121, 10**12)),
    ("company_id", {"version": 3}),
]


def test_bad_input_in_each_field_of_a_company_names_it_and_writes_nothing(register: World) -> None:
    maya = register.counter("maya")
    before = written(register)
    for field, given in BAD_COMPANY:
        with pytest.raises(Refusal) as no:
            maya.customers.save_company(CompanyForm(**{"id": str(uuid.uuid4()), "name": "PT Arunika", **given}))
        assert no.value.field == field, f"{str(given)[:60]} → {no.value}"
    assert written(register) == before


def test_somebody_without_a_service_saves_everything_but_numbers(shared_world: World) -> None:
    ayu = shared_world.counter("ayu")
    shared_world.do("DELETE FROM sentra.setting WHERE key = 'identity_key'")
    with pytest.raises(Refusal) as no:
        ayu.customers.save_customer(everything())
    assert refused(no.value, RefusalCode.UNREACHABLE, "identities")["reason"] == "identity_key"
    assert ayu.customers.save_customer(form()).version == 1
    shared_world.service().identity.publish()


def test_a_customer_is_found_by_plate_and_booking_number(world: World) -> None:
    ayu: Counter = world.counter("ayu")
    first = world.book(ayu, days("2027-03-10"), AVANZAS[0], name="Rina Maharani", phone="0812 0000 1234")
    world.book(ayu, days("2027-03-10"), AVANZAS[1], name="Bagus Prasetyo", phone="0812 0000 9999")
    gone = world.book(ayu, days("2027-03-20"), AVANZAS[0], name="Tono Hidayat", phone="0812 0000 8888")
    ayu.bookings.cancel(gone.bookings[0].id, "batal")
    number = first.bookings[0].number

    def names(text: str) -> list[str]:
        return [hit.customer.name for hit in ayu.customers.find_customers(text)]

    for text in ("B 1200 XYZ", "b1200xyz", "b 1200", number, number.lower(), number.replace("-", " ")):
        assert names(text) == ["Rina Maharani"], text
    assert names("B 12") == []
    assert names("b1201x") == ["Bagus Prasetyo"]
    assert names("BK-99999999") == names("B 9999 ZZZ") == []


def test_arrears_are_open_invoices_whose_day_has_come_and_show_as_a_code(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10"))
    (hit,) = ayu.customers.find_customers("rina")
    assert (hit.open_invoices, hit.blocked) == (1, None), "a hold that is not paid is no debt"
    world.do(
        "INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total)"
        " SELECT gen_random_uuid(), i.order_id, i.branch_id, i.customer_id, 'FINE', 250000, 0, 0, 250000"
        " FROM sentra.invoice AS i WHERE i.id = %s",
        booked.invoice_id,
    )
    world.after(minutes=1)

    card = ayu.customers.get_customer(hit.customer.id)
    assert (card.arrears, card.blocked, card.open_invoices) == (250_000, "01", 2)
    assert [found.blocked for found in ayu.customers.find_customers("rina")] == ["01"]
    assert world.counter("rahmat").customers.get_customer(hit.customer.id).arrears == 0, "money is per branch"
    maya = world.counter("maya")
    firm = maya.customers.save_company(CompanyForm(id=str(uuid.uuid4()), name="PT Arunika", due_days=14))
    maya.customers.save_customer(form_of(card, company_id=firm.id))
    assert ayu.customers.get_customer(card.id).blocked is None, "a company pays within its days"
    world.after(days=14)
    assert ayu.customers.get_customer(card.id).blocked == "01"


def test_the_customers_changed_last_come_first(world: World) -> None:
    ayu = world.counter("ayu")
    first = ayu.customers.save_customer(form(name="Rina Maharani"))
    world.after(minutes=1)
    ayu.customers.save_customer(form(name="Bagus Prasetyo"))
    world.after(minutes=1)
    assert [hit.customer.name for hit in ayu.customers.recent_customers(2)] == ["Bagus Prasetyo", "Rina Maharani"]
    ayu.customers.save_customer(form_of(first, note="baru"))
    assert [hit.customer.name for hit in ayu.customers.recent_customers(1)] == ["Rina Maharani"]


def test_every_change_is_in_the_audit_without_any_number(world: World) -> None:
    world.service().identity.publish()
    ayu = world.counter("ayu")
    card = ayu.customers.save_customer(everything())
    ayu.customers.save_customer(form_of(card, note="baru"))
    rows = world.rows("SELECT action, actor, after::text FROM sentra.audit WHERE subject = %s ORDER BY id", card.id)
    assert [row[0] for row in rows] == ["add_customer", "change_customer"]
    assert all(str(row[1]).endswith("_ayu") for row in rows)
    assert not any(card.phone[3:] in str(row[2]) or "Melati" in str(row[2]) for row in rows)
