"""Customer search while somebody types: phone digits from the fourth one, beginnings of name words, nothing else."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.postgres.reads_customers import Wanted, search_statement, understood
from app.adapters.postgres.rows import CUSTOMER_COLUMNS
from app.domain.customer import normalised_phone
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import ScratchDatabase

PEOPLE = {
    "Budi Hartono": "+6281234567811",
    "Siti Rahma": "+6281234567899",
    "Siti Zulaikha": "+628567000001",
    "Ratna Siti Dewi": "+6281199990000",
    "Zoë Müller": "+491701234567",
    "PT 99 Jaya": "+62215550199",
    "100% Rental": "+628119990001",
    "O'Brien_Test": "+628119990002",
}


@pytest.fixture
def rig(database: ScratchDatabase) -> Iterator[Rig]:
    with open_rig(database) as made:
        for code in ("JKT", "MKS"):
            made.branch(code)
        made.staff("rd_ayu", "JKT", "agent")
        made.staff("rd_rahmat", "MKS", "agent")
        for name, phone in PEOPLE.items():
            made.customer(name, phone)
        yield made


def names(rig: Rig, typed: str, limit: int = 8) -> list[str]:
    return [hit.customer.name for hit in rig.reads("rd_ayu").find_customers(typed, limit)]


@pytest.mark.parametrize(
    "typed",
    [
        "0812",
        "0812-3456",
        "62812 34",
        "+62 812-3456",
        "81234567",
        "0812 3456 7811",
        "62 812 3456 7811",
        "+62 0812 34",
        "0062 812 34",
        "62 62 812 34",
        "62 62 0812 34",
    ],
)
def test_a_phone_is_found_by_its_first_digits_however_they_are_written(rig: Rig, typed: str) -> None:
    assert "Budi Hartono" in names(rig, typed)
    assert set(names(rig, typed)) <= {"Budi Hartono", "Siti Rahma"}


def test_a_whole_number_finds_one_customer_and_a_foreign_one_is_found_as_it_is_written(rig: Rig) -> None:
    assert names(rig, "0812-3456-7811") == ["Budi Hartono"]
    assert names(rig, "+49 170") == ["Zoë Müller"]
    assert names(rig, "4917") == ["Zoë Müller"]
    assert names(rig, "0215550") == ["PT 99 Jaya"]


def test_three_digits_are_no_phone(rig: Rig) -> None:
    assert names(rig, "081") == []
    assert names(rig, "99") == ["PT 99 Jaya"], "a short number may begin a word of a name"


def test_a_name_is_found_by_the_beginning_of_any_word_those_that_begin_so_first(rig: Rig) -> None:
    assert names(rig, "siti") == ["Siti Rahma", "Siti Zulaikha", "Ratna Siti Dewi"]
    assert names(rig, "SIT") == ["Siti Rahma", "Siti Zulaikha", "Ratna Siti Dewi"]
    assert names(rig, "iti") == []
    assert names(rig, "siti", limit=2) == ["Siti Rahma", "Siti Zulaikha"]


def test_every_word_narrows_and_their_order_does_not_matter(rig: Rig) -> None:
    assert names(rig, "siti ra") == ["Siti Rahma", "Ratna Siti Dewi"]
    assert names(rig, "dew ratn") == ["Ratna Siti Dewi"]
    assert names(rig, "siti hartono") == []


def test_a_name_and_digits_together_must_both_fit(rig: Rig) -> None:
    assert names(rig, "siti 0812") == ["Siti Rahma"]
    assert names(rig, "budi 0856") == []


def test_case_and_accents_do_not_matter(rig: Rig) -> None:
    assert names(rig, "ZOE MULL") == ["Zoë Müller"]
    assert names(rig, "zoë") == ["Zoë Müller"]


@pytest.mark.parametrize(
    "typed", ["%", "%%%%", "____", "si%", "_iti", "s_ti", "%siti", "\\", "'; DROP TABLE x; --", "{0}"]
)
def test_wildcards_and_sql_are_plain_signs(rig: Rig, typed: str) -> None:
    assert names(rig, typed) == []


def test_a_sign_that_stands_in_a_name_is_found_as_itself(rig: Rig) -> None:
    assert names(rig, "100% rental") == ["100% Rental"]
    assert names(rig, "o'brien_") == ["O'Brien_Test"]
    assert names(rig, "o'brienx") == []


@pytest.mark.parametrize(
    "typed", ["", "   ", "\x00", "\x00\x01\t\n", "\ud800", "\u202e", "😀", "a" * 5_000, "1" * 5_000]
)
def test_odd_input_finds_nothing_and_breaks_nothing(rig: Rig, typed: str) -> None:
    assert names(rig, typed) == []


def test_hits_tell_rentals_and_open_invoices_of_the_own_branch(rig: Rig) -> None:
    rig.sku("AVZ")
    first, second = rig.units("AVZ", "JKT", 2)
    siti = rig.reads("rd_ayu").find_customers("siti rahma", 1)[0].customer
    rig.pay(rig.book(first, "2027-03-01", "2027-03-02", customer=siti.id)[0], "cashier")
    rig.book(first, "2027-03-10", "2027-03-12", customer=siti.id)
    rig.end(rig.book(second, "2027-03-20", "2027-03-21", customer=siti.id)[0].id)
    rig.owner.execute("UPDATE sentra.invoice SET state = 'VOID' WHERE paid = 0 AND total = 1200000")

    mine = rig.reads("rd_ayu").find_customers("siti rahma", 1)[0]
    theirs = rig.reads("rd_rahmat").find_customers("siti rahma", 1)[0]

    assert (mine.rentals, mine.open_invoices) == (2, 1)
    assert (theirs.customer, theirs.rentals, theirs.open_invoices) == (siti, 0, 0), "money is per branch"


def test_a_customer_is_got_by_id_and_nothing_else_is_an_id(rig: Rig) -> None:
    reads = rig.reads("rd_ayu")
    budi = reads.find_customers("budi", 1)[0].customer

    assert reads.customer(budi.id) == budi
    assert budi.phone == "+6281234567811"
    assert reads.customer("00000000-0000-0000-0000-000000000000") is None
    assert reads.customer("not an id'") is None


@pytest.mark.parametrize(
    "typed",
    [
        *("0812/3456/7811", "62811234", "0062 812 3456 7811", "6262 811 234 567", "+6262811234567", "021-3456789"),
        *(
            "+65 9123 4567",
            "0065 9123 4567",
            "0 62 812 3456 7811",
            "62 062 812 345 678",
            "0628112345",
            "+62 0812 345678",
        ),
    ],
)
def test_a_whole_number_is_looked_for_as_it_would_be_stored(typed: str) -> None:
    stored = normalised_phone(typed)
    for text in (typed, f"siti {typed}"):
        assert any(stored.startswith(beginning) for beginning in understood(text).phones), understood(text)


@given(st.from_regex(r"0?8[1-9][0-9]{7,10}", fullmatch=True))
def test_the_digits_of_every_phone_lead_to_its_stored_form(typed: str) -> None:
    stored = normalised_phone(typed)
    for length in range(4, len(typed) + 1):
        assert any(stored.startswith(beginning) for beginning in understood(typed[:length]).phones)


def test_search_walks_indexes_and_not_the_customers(rig: Rig) -> None:
    """Row-level security must not turn a prefix into a walk over everybody."""
    rig.owner.execute(
        """INSERT INTO sentra.customer (id, name, phone)
           SELECT gen_random_uuid(), 'Orang' || n || ' Nama' || (n % 977), '+6287' || (10000000 + n)
           FROM generate_series(1, 20000) AS n"""
    )
    rig.owner.execute("ANALYZE sentra.customer, sentra.customer_word")
    rig.owner.execute(
        """INSERT INTO sentra.customer_identity (customer_id, kind, masked, sealed, key_id, lookup)
           SELECT c.id, 'NIK', '3275 01 •••••• 0012', decode(repeat('00', 80), 'hex'), 'k',
                  sha256(convert_to(c.phone, 'UTF8'))
           FROM sentra.customer c"""
    )
    rig.owner.execute("ANALYZE sentra.customer_identity")
    source = rig.owner.execute("SELECT prosrc FROM pg_proc WHERE proname = 'use_identity_ticket'").fetchone()
    assert source is not None
    (found_by,) = re.findall(r"SELECT jsonb_agg.*?unnest\(lookups\) AS l\)", str(source[0]), re.DOTALL)
    by_number = "EXPLAIN " + found_by.replace("lookups", "%s::text[]")
    plan = rig.owner.execute(by_number, (["00" * 32, "01" * 32, "02" * 32],)).fetchall()
    assert "customer_identity_lookup" in str(plan), f"a NIK is found by its keyed hash: {plan}"
    engine = rig.engine(rig.database.url_for("rd_ayu"))
    for typed in ("0871 0000", "orang777", "nama97 orang12", "b1200x", "BK-10240", "nama97 0871 0001"):
        wanted = understood(typed)
        parameters = bounds(wanted)
        with engine.connect() as connection:
            statement = search_statement(wanted)
            plan = connection.exec_driver_sql("EXPLAIN " + str(statement.compile(engine)), parameters).scalars().all()
        text = "\n".join(map(str, plan))
        assert "Seq Scan on customer" not in text, f"{typed}\n{text}"


@pytest.mark.parametrize(
    ("typed", "used"),
    [("b1200x", "unit_plate_in_capitals"), ("BK-10240", "booking_number_key"), ("0871 0000", "customer_phone_once")],
)
def test_plates_bookings_and_phones_have_an_index_that_row_security_leaves_usable(
    rig: Rig, typed: str, used: str
) -> None:
    """Few rows are walked whichever way: what would serve them as well is taken out of the way."""
    rig.owner.execute("DROP INDEX sentra.booking_branch_state, sentra.booking_customer")
    wanted = understood(typed)
    engine = rig.engine(rig.database.url_for("rd_ayu"))
    with engine.connect() as connection:
        connection.exec_driver_sql("SET enable_seqscan = off")
        statement = "EXPLAIN " + str(search_statement(wanted).compile(engine))
        plan = "\n".join(map(str, connection.exec_driver_sql(statement, bounds(wanted)).scalars()))
    assert used in plan, plan


def bounds(wanted: Wanted) -> dict[str, object]:
    """The parameters of the search, as the read gives them."""
    last = "\U0010ffff"
    whole = " ".join(wanted.words)
    found: dict[str, object] = {"limit": 8, "whole": whole, "whole_end": whole + last}
    if wanted.plate:
        found |= {"plate": wanted.plate, "plate_end": wanted.plate + last}
    if wanted.number:
        found["number"] = wanted.number
    for n, word in enumerate(wanted.words):
        found |= {f"word{n}": word, f"word{n}_end": word + last}
    for n, phone in enumerate(wanted.phones):
        found |= {f"phone{n}": phone, f"phone{n}_end": phone + last}
    return found


def test_columns_are_named_and_never_a_star() -> None:
    assert "*" not in CUSTOMER_COLUMNS
    assert "SELECT *" not in str(search_statement(understood("siti 0812")))
