"""A shift from opening to its Z report, numbers and dates at midnight, closed months, counted papers, a month's tax."""

import datetime as dt
from xml.etree import ElementTree as Xml

import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.money_papers import MoneyPaper
from tests.support.world import AVANZAS, WIB, World, cash, days, password_of, refused
from tests.usecases.change_rig import DEPOSIT, RATE

pytest_plugins = ("tests.support.world_fixtures",)

FLOAT = 500_000


def settled(world: World, who: Counter, unit: str, first: str, *tenders: Tender) -> str:
    """An invoice that is settled; its id."""
    order = world.book(who, days(first), unit)
    held = who.settlement.open_invoice(order.invoice_id)
    who.settlement.settle(held.handle, who.new_id(), tenders or [cash(order.total)])
    return order.invoice_id


def count(who: Counter, pieces: dict[int, int], **said: int) -> tuple[int, int]:
    got = who.shifts.count_shift(who.new_id(), pieces, **said)  # type: ignore[arg-type]
    return got.expected, got.difference


def test_a_drawer_is_counted_blind_and_closed_with_its_difference_explained(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    with pytest.raises(Refusal) as no:
        siti.shifts.shift_report()
    refused(no.value, RefusalCode.SHIFT_NEEDED)
    opened = siti.shifts.open_shift("Laci 1", Rupiah(FLOAT))
    total = RATE + DEPOSIT
    settled(world, siti, AVANZAS[0], "2027-03-10", cash(total + 50_000))
    card = Tender(kind=TenderKind.EDC, amount=Rupiah(total), bank="BCA", last4="1234", approval_code="123456")
    settled(world, siti, AVANZAS[1], "2027-03-10", card)
    movement = siti.new_id()
    for _ in range(2):
        report = siti.shifts.move_cash(movement, Rupiah(-200_000), "setor ke brankas")
    assert (report.expected, [item.amount for item in report.movements]) == (None, [-200_000]), "blind until counted"
    assert maya.shifts.shift_report(opened.id).expected == FLOAT + total - 200_000
    with pytest.raises(Refusal) as no:
        siti.shifts.move_cash(siti.new_id(), Rupiah(-2_000_000), "terlalu banyak")
    assert refused(no.value, RefusalCode.FIELD_INVALID, "amount")["reason"] == "over_drawer"
    with pytest.raises(Refusal) as no:
        siti.shifts.close_shift(opened.id)
    assert refused(no.value, RefusalCode.FIELD_INVALID, "pieces")["reason"] == "missing"

    should = FLOAT + total - 200_000
    assert count(siti, {100_000: 11, 10_000: 4}, edc_slips=1, edc_total=total) == (should, -10_000)
    with pytest.raises(Refusal) as no:
        siti.shifts.close_shift(opened.id)
    refused(no.value, RefusalCode.FIELD_INVALID, "reason")
    assert count(siti, {100_000: 11}) == (should, -50_000)
    with pytest.raises(Refusal) as no:
        count(siti, {100_000: 12})
    assert refused(no.value, RefusalCode.BOOKING_STATE, "pieces")["reason"] == "counted_twice"
    with pytest.raises(Refusal) as no:
        siti.shifts.close_shift(opened.id, "salah kembalian")
    asked = refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    assert (asked["action"], asked["object"], asked["amount"]) == ("close_shift", opened.id, 50_000)
    left = world.book(siti, days("2027-03-20"), AVANZAS[2])
    siti.settlement.open_invoice(left.invoice_id)
    word = siti.approvals.approve("maya", password_of("maya"), "close_shift", opened.id, "saya tahu", Rupiah(50_000))
    world.stand(dt.datetime(2027, 3, 1, 9, 0, 30, tzinfo=WIB))
    zed = siti.shifts.close_shift(opened.id, "salah kembalian", word.id, ["Walk-in BK baru"])
    assert (zed.difference, zed.expected, zed.close_reason) == (-50_000, should, "salah kembalian")
    assert (zed.drafts, zed.open_locks) == (("Walk-in BK baru",), (left.invoice_id,))
    assert [(item.kind, item.count, item.amount) for item in zed.tenders] == [("CASH", 1, total), ("EDC", 1, total)]
    assert (zed.change, zed.first_number, zed.last_number) == (
        50_000,
        "INV/JKT/202703/00001",
        "INV/JKT/202703/00002",
    )
    assert [(item.n, item.counted) for item in zed.counts] == [(1, 1_140_000), (2, 1_100_000)]

    with pytest.raises(Refusal) as no:
        siti.shifts.reopen_shift(opened.id, "lupa satu slip")
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    maya.shifts.reopen_shift(opened.id, "lupa satu slip")
    assert maya.shifts.count_shift(maya.new_id(), {100_000: 11, 50_000: 1}, shift_id=opened.id).difference == 0
    assert maya.shifts.close_shift(opened.id).difference == 0
    assert [(line.number, line.difference) for line in siti.shifts.shifts()] == [(1, 0)]
    with pytest.raises(Refusal) as no:
        world.counter("budi", "Kasir 2").shifts.shift_report(opened.id)
    refused(no.value, RefusalCode.NOT_FOUND, "shift_id")
    world.assert_sound()


def test_c77_number_and_date_are_of_one_clock_reading_and_a_closed_month_takes_no_more(world: World) -> None:
    """Case C-77: at 23:59:59.9 on the 31st; and the shift belongs to the day it was opened on."""
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    world.stand(dt.datetime(2027, 3, 31, 23, 59, 59, 900_000, tzinfo=WIB))
    siti.shifts.open_shift("Laci 1", Rupiah(FLOAT))
    ids = [settled(world, siti, AVANZAS[0], "2027-04-10")]
    world.stand(dt.datetime(2027, 4, 1, 0, 0, tzinfo=WIB))
    ids.append(settled(world, siti, AVANZAS[1], "2027-04-10"))
    assert siti.shifts.shift_report().belongs_to == dt.date(2027, 3, 31)
    world.stand(dt.datetime(2027, 4, 30, 20, 0, tzinfo=WIB))
    with pytest.raises(Refusal) as no:
        siti.till.tax_months.close_month("202704")
    refused(no.value, RefusalCode.NOT_ALLOWED)
    with pytest.raises(Refusal) as no:
        maya.till.tax_months.close_month("202705")
    refused(no.value, RefusalCode.FIELD_INVALID, "month")
    closed = maya.till.tax_months.close_month("2027-04")
    assert (closed.month, closed.last, maya.till.tax_months.close_month("202704")) == ("202704", 1, closed)
    ids.append(settled(world, siti, AVANZAS[2], "2027-05-10"))
    assert [world.rows("SELECT number, issued_on::text FROM sentra.invoice WHERE id = %s", one)[0] for one in ids] == [
        ("INV/JKT/202703/00001", "2027-03-31"),
        ("INV/JKT/202704/00001", "2027-04-01"),
        ("INV/JKT/202705/00001", "2027-05-01"),
    ]
    assert [(item.month, item.last, item.closed_at is not None) for item in siti.till.tax_months.months()] == [
        ("202705", 1, False),
        ("202704", 1, True),
        ("202703", 1, False),
    ]
    world.catch_up()
    world.assert_sound()


def test_papers_are_counted_locks_are_told_and_the_months_tax_is_the_invoices_to_the_rupiah(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    world.open_shift(siti)
    order = world.book(siti, days("2027-03-10", "2027-03-12"), AVANZAS[0])
    held = siti.settlement.open_invoice(order.invoice_id)
    world.after(seconds=30)
    siti.settlement.renew_lock(held.handle, 0)
    world.after(seconds=61)
    held = siti.settlement.open_invoice(order.invoice_id)
    siti.settlement.settle(held.handle, siti.new_id(), [cash(order.total)])
    proof = maya.till.papers.settlement_proof(order.invoice_id)
    assert [(lock.epoch, lock.beats, lock.ended_how) for lock in proof.locks] == [(1, 1, "EXPIRED"), (2, 0, "PAID")]
    assert [event.action for event in proof.events] == ["lock_expired", "settle"]
    assert siti.till.papers.settlement_proof(order.invoice_id).events == ()

    papers, first = siti.till.papers, siti.new_id()
    copies = [
        papers.count_print(print_id, MoneyPaper.KWITANSI, order.invoice_id)
        for print_id in (first, first, siti.new_id(), siti.new_id())
    ]
    assert copies == [0, 0, 1, 2]
    unpaid = world.book(siti, days("2027-03-10"), AVANZAS[1])
    with pytest.raises(Refusal) as no:
        papers.count_print(siti.new_id(), MoneyPaper.INVOICE, unpaid.invoice_id)
    refused(no.value, RefusalCode.NOT_FOUND, "subject_id")

    with pytest.raises(Refusal) as no:
        maya.till.tax_months.export_tax_month("202703")
    assert refused(no.value, RefusalCode.FIELD_INVALID, "tax_identity")["reason"] == "missing"
    with pytest.raises(Refusal) as no:
        maya.till.tax_months.set_till_setting("tax_identity", {"npwp": "1", "idtku": "2", "name": "PT"})
    refused(no.value, RefusalCode.FIELD_INVALID, "value")
    seller = {"npwp": "0012345678901000", "idtku": "0012345678901000000000", "name": "PT Sewa Contoh"}
    maya.till.tax_months.set_till_setting("tax_identity", seller)
    month = maya.till.tax_months.export_tax_month("202703")
    detail = siti.settlement.invoice(order.invoice_id)
    assert (month.count, month.base, month.dpp, month.ppn) == (1, detail.base, detail.dpp, detail.ppn)
    root = Xml.fromstring(month.xml)
    row = {element.tag: element.text for element in root.iter()}
    assert (row["TrxCode"], row["OtherTaxBase"], row["VAT"]) == ("04", str(detail.dpp), str(detail.ppn))
    assert month.incomplete == ("INV/JKT/202703/00001",)
    assert "." not in str(row["VAT"]) + str(row["Price"])


def test_what_a_shift_leaves_behind_is_listed_and_somebody_elses_lock_is_not(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    orders = [world.book(siti, days(f"2027-03-{10 + n}"), AVANZAS[0]) for n in range(3)]
    siti.settlement.open_invoice(orders[0].invoice_id)
    booking = orders[1].bookings[0]
    maya.bookings.hold_longer(booking.id, 4, "menunggu transfer")
    world.do(
        "INSERT INTO sentra.gateway_attempt (order_id, invoice_id, number, branch_id, kind, amount, state, expires_at)"
        " SELECT 'SNT-1', id, 1, branch_id, 'QRIS', total, 'LIVE', sentra.now() + interval '5 minutes'"
        " FROM sentra.invoice WHERE id = %s",
        orders[2].invoice_id,
    )
    ends = siti.shifts.closing_list()
    assert [end.invoice_id for end in ends.locks] == [orders[0].invoice_id]
    assert [(end.invoice_id, end.amount) for end in ends.qris] == [(orders[2].invoice_id, orders[2].total)]
    assert [end.booking_number for end in ends.transfers] == [booking.number]
    assert maya.shifts.closing_list().locks == ()
    world.after(seconds=61)
    assert siti.shifts.closing_list().locks == (), "a lock that ran out is none"
