"""An order as psql may send it: what is missing, of another type, or not the product's own sums and days is refused by
its field, and nothing is written."""

import datetime as dt
import itertools
import json
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.tx_booking import order_json
from app.domain.money import PPN_TABLE, Rupiah, ppn_inside, ppn_on_top, ppn_rate
from tests.adapters.postgres.write_rig import WriteRig, march, new_order

Wanted = dict[str, Any]


def wanted_of(*unit_ids: str, first: dt.date | None = None, last: dt.date | None = None, **options: Any) -> Wanted:
    """A right order as JSON, to be spoilt."""
    order = new_order(unit_ids or ["AVZ-01"], first or march(10), last or march(12), **options)
    said: Wanted = json.loads(json.dumps(order_json(order), default=lambda value: value.isoformat()))
    return said


def send(rig: WriteRig, wanted: object, login: str = "rina") -> dict[str, Any]:
    with rig.psql(login) as mine:
        row = mine.execute("SELECT sentra.book_order(%s)", (json.dumps(wanted),)).fetchone()
        assert row is not None
        told: dict[str, Any] = row[0]
        return told


def refusal(rig: WriteRig, wanted: object, login: str = "rina") -> tuple[str | None, str | None]:
    """Code and field of the "no"; insists that nothing was written."""
    before = rig.value("SELECT count(*) FROM sentra.booking")
    with pytest.raises(psycopg.Error) as refused:
        send(rig, wanted, login)
    assert refused.value.sqlstate == "SR001", refused.value
    assert rig.value("SELECT count(*) FROM sentra.booking") == before
    detail = json.loads(refused.value.diag.message_detail or "{}")
    return refused.value.diag.message_primary, detail.get("field")


def test_the_order_that_the_tests_spoil_is_a_right_one(rig: WriteRig) -> None:
    assert send(rig, wanted_of())["repeat"] is False
    rig.insist_on_invariants()


ORDER_FIELDS = ("id", "source", "counter", "invoice_id", "base", "dpp", "ppn", "total", "bookings", "lines")
BOOKING_FIELDS = (
    *("id", "unit_id", "sku_id", "first_day", "last_day", "taken_first", "taken_last", "pickup_at", "due_at"),
    *("daily_rate", "deposit", "turnaround_days"),
)
LINE_FIELDS = ("kind", "text", "quantity", "unit_price", "amount", "taxable")
CUSTOMER_FIELDS = ("id", "name", "phone")
PLACES: tuple[tuple[str, tuple[str, ...], Callable[[Wanted], Wanted]], ...] = (
    ("", ORDER_FIELDS, lambda order: order),
    ("lines[0].", BOOKING_FIELDS, lambda order: order["bookings"][0]),
    ("prices[1].", LINE_FIELDS, lambda order: order["lines"][1]),
    ("customer.", CUSTOMER_FIELDS, lambda order: order["new_customer"]),
)


@pytest.mark.parametrize("how", ["missing", "null", "other type"])
def test_a_field_that_is_missing_null_or_of_another_type_is_refused_by_its_name(rig: WriteRig, how: str) -> None:
    for place, names, of in PLACES:
        for name in names:
            order = wanted_of()
            if how == "missing":
                del of(order)[name]
            else:
                of(order)[name] = None if how == "null" else {"a": [1]} if name != "bookings" else 1

            assert refusal(rig, order) == ("FIELD_INVALID", place + name)


@pytest.mark.parametrize("wrong", [[], "x", 1, None, {}])
def test_what_is_no_order_at_all_is_refused(rig: WriteRig, wrong: object) -> None:
    assert refusal(rig, wrong)[0] == "FIELD_INVALID"


@pytest.mark.parametrize(
    "day", ["infinity", "-infinity", "1999-12-31", "9998-01-01", "10000-01-01", "2027-02-30", "today"]
)
@pytest.mark.parametrize("name", ["first_day", "last_day", "taken_first", "taken_last"])
def test_a_day_that_no_reader_could_hold_is_refused(rig: WriteRig, name: str, day: str) -> None:
    order = wanted_of()
    order["bookings"][0][name] = day

    assert refusal(rig, order) == ("FIELD_INVALID", f"lines[0].{name}")


@pytest.mark.parametrize(
    "moment", ["infinity", "-infinity", "now", "2027-03-10T08:00:00", "1999-03-10T08:00:00Z", "2027-03-10T99:00:00Z"]
)
@pytest.mark.parametrize("name", ["pickup_at", "due_at"])
def test_a_time_that_is_none_is_refused(rig: WriteRig, name: str, moment: str) -> None:
    order = wanted_of()
    order["bookings"][0][name] = moment

    assert refusal(rig, order) == ("FIELD_INVALID", f"lines[0].{name}")


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [
        ("2027-02-28", "2027-03-02", "lines[0].first_day"),
        ("2029-03-01", "2029-03-02", "lines[0].first_day"),
        ("2027-03-12", "2027-03-10", "lines[0].last_day"),
        ("2027-03-10", "2028-03-09", "lines[0].last_day"),
    ],
)
def test_a_period_that_is_past_too_far_reversed_or_too_long_is_refused(
    rig: WriteRig, first: str, last: str, field: str
) -> None:
    order = wanted_of()
    order["bookings"][0] |= {"first_day": first, "last_day": last, "taken_first": first, "taken_last": last}

    assert refusal(rig, order) == ("PERIOD_INVALID", field)


def test_today_is_the_branchs_day_and_730_days_ahead_are_allowed(rig: WriteRig) -> None:
    rig.database.clock.stand(dt.datetime(2027, 3, 1, 17, 30, tzinfo=dt.UTC))  # 00.30 of the 2nd in Jakarta
    assert refusal(rig, wanted_of(first=march(1), last=march(2))) == ("PERIOD_INVALID", "lines[0].first_day")
    far = march(2) + dt.timedelta(days=730)
    assert send(rig, wanted_of(first=march(2), last=march(2)))["repeat"] is False
    assert send(rig, wanted_of(first=far, last=far))["repeat"] is False


def test_a_repeat_after_midnight_still_answers_the_first_result(rig: WriteRig) -> None:
    order = wanted_of(first=march(1), last=march(2))
    send(rig, order)
    rig.minutes_pass(24 * 60)

    assert send(rig, order)["repeat"] is True


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("taken_first", "2027-03-09"),
        ("taken_last", "2027-03-11"),
        ("taken_last", "2027-03-13"),
        ("pickup_at", "2027-03-09T16:59:59Z"),
        ("pickup_at", "2027-03-12T17:00:00Z"),
        ("due_at", "2027-03-12T17:00:00Z"),
        ("due_at", "2027-03-10T01:00:00Z"),
        ("turnaround_days", -1),
    ],
)
def test_days_and_times_that_are_not_the_periods_own_are_refused(rig: WriteRig, name: str, value: object) -> None:
    order = wanted_of()
    order["bookings"][0][name] = value

    assert refusal(rig, order) == ("FIELD_INVALID", f"lines[0].{name}")


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("name", "X", "customer.name"),
        ("name", "X" * 81, "customer.name"),
        ("name", "Budi \u202eosotnaS", "customer.name"),
        ("name", "Budi\u200b", "customer.name"),
        ("name", "Budi\nSantoso", "customer.name"),
        ("name", " Budi", "customer.name"),
        ("name", "X" * 3_000_000, "customer.name"),
        ("name", "\u3164\u3164", "customer.name"),
        ("name", "\u2800\u2800\u2800", "customer.name"),
        ("name", "A\u3164\u2800", "customer.name"),
        ("name", "Budi\u00a0Santoso", "customer.name"),
        ("name", "Budi  Santoso", "customer.name"),
        ("name", "12345", "customer.name"),
        ("name", "Bu\u0301\u0301\u0301\u0301\u0301di", "customer.name"),
        ("name", "\ufdfa" * 80, "customer.name"),
        ("phone", "081234567890", "customer.phone"),
        ("phone", "+0123456789", "customer.phone"),
        ("phone", "+62812345678901234", "customer.phone"),
        ("phone", "+62 8123456789", "customer.phone"),
    ],
)
def test_a_customer_who_would_not_show_is_refused(rig: WriteRig, name: str, value: str, field: str) -> None:
    order = wanted_of()
    order["new_customer"][name] = value

    assert refusal(rig, order) == ("FIELD_INVALID", field)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("note", "x" * 501),
        ("note", "a\u0007"),
        ("note", "a\u202eb"),
        ("note", "a\u200bb"),
        ("note", "a\u2066b"),
        ("counter", "x" * 61),
        ("counter", ""),
        ("counter", " - "),
        ("counter", "K\u202e1"),
        ("counter", "K\n1"),
    ],
)
def test_texts_without_bounds_are_refused(rig: WriteRig, name: str, value: str) -> None:
    assert refusal(rig, wanted_of() | {name: value}) == ("FIELD_INVALID", name)


def test_a_note_may_have_lines_and_tabs(rig: WriteRig) -> None:
    send(rig, wanted_of() | {"note": "Antar ke rumah\n\tpagar hijau"})

    assert rig.value("SELECT note FROM sentra.booking") == "Antar ke rumah\n\tpagar hijau"


@pytest.mark.parametrize("text", ["", " ", "---", "x" * 201, "Ava\u202enza", "Ava\nnza", "\u3164"])
def test_a_priced_line_without_a_readable_text_is_refused(rig: WriteRig, text: str) -> None:
    order = wanted_of()
    order["lines"][0]["text"] = text

    assert refusal(rig, order) == ("FIELD_INVALID", "prices[0].text")


def test_the_search_form_of_a_name_is_not_the_callers_to_say(rig: WriteRig) -> None:
    order = wanted_of(name="José Álvarez")
    order["new_customer"]["folded_name"] = "budi santoso"
    send(rig, order)

    assert rig.rows("SELECT folded_name FROM sentra.customer") == [("jose alvarez",)]
    assert rig.rows("SELECT word FROM sentra.customer_word ORDER BY word") == [("alvarez",), ("jose",)]


def test_a_customer_who_is_renamed_is_found_by_the_new_words(rig: WriteRig) -> None:
    send(rig, wanted_of(name="José Álvarez"))

    rig.owner.execute("UPDATE sentra.customer SET name = 'Sari Dewi'")

    assert rig.rows("SELECT word FROM sentra.customer_word ORDER BY word") == [("dewi",), ("sari",)]


def test_more_than_twenty_bookings_are_refused(rig: WriteRig) -> None:
    order = wanted_of()
    order["bookings"] = [order["bookings"][0] | {"id": str(uuid.uuid4())} for _ in range(21)]

    assert refusal(rig, order) == ("FIELD_INVALID", "lines")


# --- prices


def extra(**said: object) -> Wanted:
    plain = {"booking_id": None, "kind": "RENT", "text": "x", "quantity": 1, "unit_price": 0, "amount": 0}
    return {**plain, "taxable": False, **said}


def forge_lines(order: Wanted, forged: str) -> None:
    rent, deposit = order["lines"]
    booking = order["bookings"][0]["id"]
    match forged:
        case "discount":
            order["lines"].append(extra(kind="DISCOUNT", booking_id=booking, unit_price=-100_000, amount=-100_000))
            order["total"] -= 100_000
        case "second rent":
            order["lines"].append(dict(rent))
        case "rent twice halved":
            rent |= {"quantity": 1, "amount": 300_000}
            order["lines"].append(dict(rent) | {"quantity": 2, "amount": 600_000})
        case "no rent":
            order["lines"].remove(rent)
        case "two deposits":
            order["lines"].append(dict(deposit))
        case "cheaper day":
            rent |= {"unit_price": 1, "amount": 3}
        case "fewer days":
            rent |= {"quantity": 1, "amount": 300_000}
        case "other amount":
            rent |= {"amount": 1}
        case "rent without tax":
            rent |= {"taxable": False}
        case "taxed deposit":
            deposit |= {"taxable": True}
        case "nobody's rent":
            rent |= {"booking_id": None}
        case "another order's":
            deposit |= {"booking_id": str(uuid.uuid4())}
        case "minus line":
            order["lines"].append(extra(kind="ROUNDING", unit_price=-1, amount=-1))
        case "ppn of a booking":
            order["lines"].append(extra(kind="PPN", booking_id=booking))


@pytest.mark.parametrize(
    ("forged", "field"),
    [
        ("discount", "prices[2].kind"),
        ("second rent", "prices"),
        ("rent twice halved", "prices[0].quantity"),
        ("no rent", "prices"),
        ("two deposits", "prices"),
        ("cheaper day", "prices[0].unit_price"),
        ("fewer days", "prices[0].quantity"),
        ("other amount", "prices[0].amount"),
        ("rent without tax", "prices[0].taxable"),
        ("taxed deposit", "prices[1].taxable"),
        ("nobody's rent", "prices[0].booking_id"),
        ("another order's", "prices[1].booking_id"),
        ("minus line", "prices[2].kind"),
        ("ppn of a booking", "prices[2].booking_id"),
    ],
)
def test_a_price_line_that_is_not_the_products_own_is_refused(rig: WriteRig, forged: str, field: str) -> None:
    order = wanted_of()
    forge_lines(order, forged)
    order["total"] = sum(line["amount"] for line in order["lines"])

    assert refusal(rig, order) == ("FIELD_INVALID", field)


@pytest.mark.parametrize("change", [{"ppn": 1, "base": 899_999}, {"dpp": 0}, {"base": 810_810, "ppn": 89_190}])
def test_a_ppn_that_is_not_this_days_is_refused(rig: WriteRig, change: dict[str, int]) -> None:
    assert refusal(rig, wanted_of() | change) == ("PRICE_CHANGED", None)


def test_a_ppn_line_where_it_is_inside_the_price_is_refused(rig: WriteRig) -> None:
    order = wanted_of()
    order["lines"].append(extra(kind="PPN"))

    assert refusal(rig, order) == ("PRICE_CHANGED", None)


@pytest.mark.parametrize("has_ppn", [True, False])
@pytest.mark.parametrize("inside", [True, False])
def test_every_kind_of_branch_books_at_the_domains_own_prices(rig: WriteRig, has_ppn: bool, inside: bool) -> None:
    """Case C-74 over three units: what the domain quotes passes, and one Rupiah beside it does not."""
    rig.owner.execute("UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s", (has_ppn, inside))
    rig.owner.execute("UPDATE sentra.sku SET daily_rate = 332501 WHERE id = 'AVZ'")
    branch = rig.store("rina").read.who_am_i().branch
    sku = rig.store("rina").read.sku("AVZ")
    assert sku is not None
    units = ("AVZ-01", "AVZ-02", "AVZ-03")
    rent = 3 * 3 * 332_501
    if has_ppn:
        order = wanted_of(*units, branch=branch, sku=sku)
    else:
        order = wanted_of(*units, sku=sku) | {"base": rent, "dpp": 0, "ppn": 0}
    assert refusal(rig, order | {"ppn": order["ppn"] + 1})[0] == "PRICE_CHANGED"
    assert send(rig, order)["total"] == order["total"]
    rig.insist_on_invariants()


def test_the_dated_ppn_table_is_the_domains(rig: WriteRig) -> None:
    rows = rig.rows("SELECT since, dpp_numerator, dpp_denominator, percent FROM sentra.ppn_rate ORDER BY since")

    assert rows == [(row.since, row.dpp_numerator, row.dpp_denominator, row.percent) for row in PPN_TABLE]


def test_the_database_prices_as_the_domain_does(rig: WriteRig) -> None:
    sums = (0, 1, 5, 99, 100, 111, 13_750, 500_000, 997_500, 1_000_000, 2_992_509, 9_999_999_999_999)
    days = (dt.date(2022, 4, 1), dt.date(2024, 12, 31), dt.date(2025, 1, 1), march(1))
    for taxable, day, inside in itertools.product(sums, days, (True, False)):
        found = rig.rows(
            "SELECT p.* FROM sentra.branch AS b CROSS JOIN LATERAL sentra.priced("
            "jsonb_populate_record(b, jsonb_build_object('prices_include_ppn', %s::boolean)), %s, %s) AS p"
            " WHERE b.id = 'JKT'",
            *(inside, taxable, day),
        )
        rate = ppn_rate(day)
        right = ppn_inside(Rupiah(taxable), rate) if inside else ppn_on_top(Rupiah(taxable), rate)
        assert found == [(right.base, right.dpp, right.tax)], (taxable, day, inside)


# --- ids


def test_an_order_sent_again_for_another_given_unit_is_refused(rig: WriteRig) -> None:
    order = wanted_of()
    order["bookings"][0]["given_unit"] = "AVZ-01"
    send(rig, order)
    other = json.loads(json.dumps(order))
    other["bookings"][0] |= {"unit_id": "AVZ-02", "given_unit": "AVZ-02"}

    assert refusal(rig, other) == ("DUPLICATE", "order_id")
    assert send(rig, order)["repeat"] is True


def test_any_unit_sent_again_may_name_another_one(rig: WriteRig) -> None:
    order = wanted_of()
    send(rig, order)
    order["bookings"][0]["unit_id"] = "AVZ-02"

    again = send(rig, order)

    assert (again["repeat"], again["bookings"][0]["unit_id"]) == (True, "AVZ-01")


def test_a_given_unit_is_the_unit(rig: WriteRig) -> None:
    order = wanted_of()
    order["bookings"][0]["given_unit"] = "AVZ-02"

    assert refusal(rig, order) == ("FIELD_INVALID", "lines[0].given_unit")


@pytest.mark.parametrize("taken", ["booking", "invoice", "customer", "twice"])
def test_an_id_that_somebody_has_is_refused_by_its_field(rig: WriteRig, taken: str) -> None:
    first = wanted_of()
    send(rig, first)
    order = wanted_of("AVZ-02", "AVZ-03", phone="+6281777777777")
    match taken:
        case "booking" | "twice":
            old = order["bookings"][0]["id"]
            new = first["bookings"][0]["id"] if taken == "booking" else order["bookings"][1]["id"]
            order["bookings"][0]["id"] = new
            for line in order["lines"]:
                line["booking_id"] = new if line["booking_id"] == old else line["booking_id"]
        case "invoice":
            order["invoice_id"] = first["invoice_id"]
        case "customer":
            order["new_customer"]["id"] = first["new_customer"]["id"]
    expected = {
        "booking": ("DUPLICATE", "lines.id"),
        "twice": ("FIELD_INVALID", "prices"),
        "invoice": ("DUPLICATE", "invoice_id"),
        "customer": ("DUPLICATE", "customer.id"),
    }

    assert refusal(rig, order) == expected[taken]


# --- rows that no function wrote


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sentra.booking SET pickup_at = '-infinity'",
        "UPDATE sentra.booking SET due_at = 'infinity'",
        "UPDATE sentra.booking SET first_day = '1999-12-31', last_day = '1999-12-31'",
        "UPDATE sentra.booking SET first_day = '9998-01-01', last_day = '9998-01-01'",
        "UPDATE sentra.booking SET payment_deadline = 'infinity'",
        "UPDATE sentra.booking SET note = repeat('x', 501)",
        "UPDATE sentra.occupancy SET days = daterange('2027-03-10', 'infinity')",
        "UPDATE sentra.occupancy SET days = daterange('1999-03-10', '1999-03-11')",
        "UPDATE sentra.invoice SET total = 99999999999999",
        "UPDATE sentra.customer SET name = 'Budi ' || chr(8238) || 'osotnaS'",
        "UPDATE sentra.customer SET name = repeat('x', 81)",
        "UPDATE sentra.customer SET phone = '+0123456789'",
        "INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received)"
        " VALUES (gen_random_uuid(), 21, 'JKT', 'CASH', 1, 1)",
    ],
)
def test_a_row_that_would_break_a_reader_is_refused_by_its_table(rig: WriteRig, statement: str) -> None:
    send(rig, wanted_of())
    rig.owner.execute("ALTER TABLE sentra.booking DISABLE TRIGGER booking_guard")

    with pytest.raises(psycopg.errors.CheckViolation):
        rig.owner.execute(statement.encode())
