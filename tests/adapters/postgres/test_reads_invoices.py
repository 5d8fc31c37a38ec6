"""Reads of bookings, orders, invoices, staff and shifts: whole, in one snapshot, and of the own branch only."""

import datetime as dt
from collections.abc import Iterator

import pytest

from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceKind, InvoiceState, LineKind, TenderKind
from app.domain.staff import Role
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import ScratchDatabase

NOW = dt.datetime(2027, 3, 10, 3, tzinfo=dt.UTC)
OPEN = [InvoiceState.OPEN]


@pytest.fixture
def rig(database: ScratchDatabase) -> Iterator[Rig]:
    database.clock.stand(NOW)
    with open_rig(database) as made:
        for code in ("JKT", "MKS"):
            made.branch(code)
        made.staff("rd_ayu", "JKT", "agent", name="Ayu")
        made.staff("rd_budi", "JKT", "cashier", name="Budi")
        made.staff("rd_siti", "JKT", "cashier", "agent", name="Siti")
        made.staff("rd_dedi", "JKT", "inspector", name="Dedi")
        made.staff("rd_maya", "JKT", "manager", name="Maya")
        made.staff("rd_rahmat", "MKS", "agent", "cashier", name="Rahmat")
        made.sku("AVZ")
        made.units("AVZ", "JKT", 3)
        made.units("AVZ", "MKS", 1)
        yield made


@pytest.fixture
def hadi(rig: Rig) -> str:
    return rig.customer("Hadi Wijaya", "+628121111111")


def test_an_order_of_two_units_is_one_invoice_row(rig: Rig, hadi: str) -> None:
    first, second = rig.book(["avz-001", "avz-002"], "2027-03-12", "2027-03-14", customer=hadi)

    (row,) = rig.reads("rd_budi").invoices("JKT", OPEN)

    assert (row.id, row.order_id, row.kind, row.state) == (
        first.invoice_id,
        second.order_id,
        InvoiceKind.RENTAL,
        InvoiceState.OPEN,
    )
    assert (row.booking_id, row.booking_number, row.unit_plate, row.unit_count) == (
        first.id,
        first.number,
        "B 1001 XYZ",
        2,
    )
    assert (row.customer_name, row.total, row.paid, row.number) == ("Hadi Wijaya", 3_100_000, 0, None)
    assert row.due_at == NOW + dt.timedelta(minutes=15)
    assert (row.locked_by, row.lock_remaining_ms, row.locked_by_me) == (None, 0, False)


def test_the_bookings_of_an_invoice_are_those_of_its_lines(rig: Rig, hadi: str) -> None:
    first, second = rig.book(["avz-001", "avz-002"], "2027-03-12", "2027-03-14", customer=hadi)
    rig.end(first.id)
    rig.owner.execute("UPDATE sentra.invoice_line SET active = false WHERE booking_id = %s", (first.id,))
    reads = rig.reads("rd_budi")

    (row,) = reads.invoices("JKT", OPEN)
    detail = reads.invoice(row.id)

    assert (row.booking_number, row.unit_count, row.booking_state) == (second.number, 1, BookingState.PENDING_PAYMENT)
    assert detail is not None
    assert [booking.id for booking in detail.bookings] == [second.id]
    assert {line.booking_id for line in detail.lines} == {second.id}


def test_the_list_is_in_the_order_of_what_is_due_first(rig: Rig, hadi: str) -> None:
    late = rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi, deadline=dt.timedelta(minutes=9))[0]
    soon = rig.book("avz-002", "2027-03-12", "2027-03-14", customer=hadi, deadline=dt.timedelta(minutes=2))[0]
    paid = rig.book("avz-003", "2027-03-12", "2027-03-14", customer=hadi)[0]
    rig.pay(paid, "cashier")
    reads = rig.reads("rd_budi")

    assert [row.id for row in reads.invoices("JKT", OPEN)] == [soon.invoice_id, late.invoice_id]
    assert [row.id for row in reads.invoices("JKT", [InvoiceState.PAID])] == [paid.invoice_id]
    assert len(reads.invoices("JKT", list(InvoiceState))) == 3
    assert reads.invoices("JKT", []) == ()


def test_a_lock_is_told_with_its_holder_counter_and_the_databases_remaining_time(rig: Rig, hadi: str) -> None:
    booked = rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi)[0]
    rig.lock(booked.invoice_id, f"{rig.database.prefix}_rd_siti", "Kasir 2", 60)
    rig.database.clock.advance(dt.timedelta(seconds=12))

    (seen,) = rig.reads("rd_budi").invoices("JKT", OPEN)
    (own,) = rig.reads("rd_siti").invoices("JKT", OPEN)

    assert (seen.locked_by_name, seen.locked_counter, seen.locked_at) == ("Siti", "Kasir 2", NOW)
    assert (seen.lock_remaining_ms, seen.locked_by_me) == (48_000, False)
    assert (own.lock_remaining_ms, own.locked_by_me) == (48_000, True)


def test_a_lock_that_ran_out_is_no_lock(rig: Rig, hadi: str) -> None:
    booked = rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi)[0]
    rig.lock(booked.invoice_id, f"{rig.database.prefix}_rd_siti", "Kasir 2", 60)
    rig.database.clock.advance(dt.timedelta(seconds=60))

    (row,) = rig.reads("rd_siti").invoices("JKT", OPEN)

    assert (row.locked_by, row.locked_by_name, row.locked_counter, row.locked_at) == (None, None, None, None)
    assert (row.lock_remaining_ms, row.locked_by_me) == (0, False)


def test_an_invoice_is_read_whole(rig: Rig, hadi: str) -> None:
    booked = rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi)[0]
    payment_id = rig.pay(booked, "cashier")
    rig.database.clock.advance(dt.timedelta(minutes=1))

    detail = rig.reads("rd_budi").invoice(booked.invoice_id)

    assert detail is not None
    assert [(line.kind, line.quantity, line.unit_price, line.amount, line.taxable) for line in detail.lines] == [
        (LineKind.RENT, 3, 350_000, 1_050_000, True),
        (LineKind.DEPOSIT, 1, 500_000, 500_000, False),
    ]
    (booking,) = detail.bookings
    assert (booking.id, booking.customer.name, booking.unit.unit.id) == (booked.id, "Hadi Wijaya", "avz-001")
    assert (booking.period.first, booking.period.last) == (dt.date(2027, 3, 12), dt.date(2027, 3, 14))
    assert (booking.state, booking.version) == (BookingState.PAID_APPROVED, 2)
    (payment,) = detail.payments
    assert (payment.id, payment.amount, payment.change, payment.paid_at) == (payment_id, 1_550_000, 500, NOW)
    (tender,) = payment.tenders
    assert (tender.kind, tender.amount, tender.received) == (TenderKind.CASH, 1_550_000, 1_550_500)
    assert (detail.row.state, detail.row.paid, detail.settled_at) == (InvoiceState.PAID, 1_550_000, NOW)
    assert detail.now == NOW + dt.timedelta(minutes=1)


def test_another_branchs_booking_order_and_invoice_are_not_found(rig: Rig, hadi: str) -> None:
    booked = rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi)[0]
    own, other = rig.reads("rd_budi"), rig.reads("rd_rahmat")

    assert own.invoice(booked.invoice_id) is not None
    assert own.booking(booked.id) is not None
    assert own.order(booked.order_id) is not None
    assert other.invoice(booked.invoice_id) is None
    assert other.booking(booked.id) is None
    assert other.order(booked.order_id) is None
    assert other.invoices("JKT", list(InvoiceState)) == ()


@pytest.mark.parametrize("wrong", ["", "x", "1; DROP TABLE", "00000000-0000-0000-0000-000000000000", "\x00"])
def test_what_is_no_id_is_not_found(rig: Rig, wrong: str) -> None:
    reads = rig.reads("rd_budi")

    assert (reads.invoice(wrong), reads.booking(wrong), reads.order(wrong)) == (None, None, None)


def test_r09_an_order_is_read_back_as_it_was_answered_first(rig: Rig, hadi: str) -> None:
    first, second = rig.book(["avz-002", "avz-001"], "2027-03-12", "2027-03-14", customer=hadi)

    found = rig.reads("rd_ayu").order(first.order_id)

    assert found is not None
    assert [(b.id, b.number, b.unit_id) for b in found.bookings] == [
        (first.id, first.number, "avz-002"),
        (second.id, second.number, "avz-001"),
    ]
    assert (found.invoice_id, found.total, found.repeat) == (first.invoice_id, 3_100_000, True)
    assert (found.now, found.projections) == (NOW, ())


def test_who_i_am_comes_from_the_login_itself(rig: Rig) -> None:
    budi, maya, rahmat = (rig.reads(login).who_am_i() for login in ("rd_budi", "rd_maya", "rd_rahmat"))

    assert (budi.login, budi.name, budi.roles, budi.branch.code) == ("rd_budi", "Budi", {Role.CASHIER}, "JKT")
    assert maya.roles == {Role.MANAGER, Role.AGENT, Role.INSPECTOR, Role.CASHIER}
    assert (rahmat.branch.code, rahmat.branch.zone.key, rahmat.branch.has_ppn) == ("MKS", "Asia/Makassar", True)


def test_a_login_that_is_nobodys_or_no_longer_active_is_refused(rig: Rig) -> None:
    rig.owner.execute("UPDATE sentra.staff SET active = false WHERE login = 'rd_ayu'")

    for reads in (rig.reads("rd_ayu"), rig.owner_reads()):
        with pytest.raises(Refusal) as refused:
            reads.who_am_i()
        assert refused.value.code is RefusalCode.NOT_ALLOWED


def test_a_wrong_password_is_not_allowed_and_an_absent_server_is_unreachable(rig: Rig) -> None:
    right = rig.database.url_for("rd_budi")
    password = right.split(":")[2].split("@")[0]
    wrong = rig.engine(right.replace(password, "0" * len(password)))
    nowhere = rig.engine("postgresql://x:y@127.0.0.1:1/sentra")

    from app.adapters.postgres.reads import PostgresReads

    for engine, code in ((wrong, RefusalCode.NOT_ALLOWED), (nowhere, RefusalCode.UNREACHABLE)):
        with pytest.raises(Refusal) as refused:
            PostgresReads(engine).now()
        assert refused.value.code is code


def test_a_connection_that_died_is_replaced_without_a_word(rig: Rig) -> None:
    reads = rig.reads("rd_budi")
    assert reads.now() == NOW
    rig.owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s",
        (f"{rig.database.prefix}_rd_budi",),
    )

    assert reads.now() == NOW


def test_the_open_shift_is_ones_own(rig: Rig) -> None:
    for login, number, closed in (("rd_budi", 1, NOW), ("rd_budi", 2, None), ("rd_siti", 3, None)):
        rig.owner.execute(
            """INSERT INTO sentra.shift (number, branch_id, drawer, cashier, counter, opening_float, closed_at)
               VALUES (%s, 'JKT', %s, %s, 'Kasir 1', 500000, %s)""",
            (number, f"Laci {number}", f"{rig.database.prefix}_{login}", closed),
        )

    shift = rig.reads("rd_budi").open_shift()

    assert shift is not None
    assert (shift.number, shift.drawer, shift.opening_float, shift.opened_at) == (2, "Laci 2", 500_000, NOW)
    assert rig.reads("rd_rahmat").open_shift() is None
    assert rig.reads("rd_ayu").open_shift() is None, "who sees no shifts has none"


def test_what_a_role_may_not_read_is_refused(rig: Rig, hadi: str) -> None:
    with pytest.raises(Refusal) as refused:
        rig.reads("rd_ayu").breaks()
    assert refused.value.code is RefusalCode.NOT_ALLOWED
