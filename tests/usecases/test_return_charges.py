"""Charges of a return on real servers: by rule and by hand, accepted, contested, waived; the deposit to the Rupiah."""

import datetime as dt
from dataclasses import replace

import pytest

from app.bootstrap import Counter
from app.domain.booking import BookingState
from app.domain.charges import Charge, ChargeKind, Outcome
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows_handovers import HandedBooking, Standing, UnitRepair
from tests.support.world import AVANZA, AVANZAS, START, World, days, refused
from tests.usecases.change_rig import DEPOSIT, active, pay, taken
from tests.usecases.handover_rig import back, out, prepared

pytest_plugins = ("tests.support.world_fixtures",)

DUE = START + dt.timedelta(days=2, hours=11)
"""20:00 of the third day."""
SCRATCH = Charge(kind=ChargeKind.DAMAGE, text="Goresan pintu kiri", quantity=1, unit_price=Rupiah(150_000))
WASH = Charge(kind=ChargeKind.CLEANING, text="Cuci jok", quantity=1, unit_price=Rupiah(100_000))


def contested(line: Charge) -> Charge:
    return replace(line, contested=True, reason="sudah ada sejak awal")


def returned(world: World, dedi: Counter, *, late: dt.timedelta = dt.timedelta(), **change: int) -> str:
    """A rental that came back, by default in time; its id."""
    maya = world.counter("maya")
    terms = maya.rentals.charges.charge_terms("TOY-AVNZ-G")
    maya.rentals.charges.set_charge_terms(
        "TOY-AVNZ-G", replace(terms, included_km=200, km_rate=Rupiah(2_000), fuel_rate=Rupiah(50_000))
    )
    mine = prepared(world)
    out(world, dedi, mine)
    world.stand(DUE + late)
    back(world, dedi, mine, **change)
    return mine


def deposits(world: World, booking_id: str) -> list[tuple[object, ...]]:
    return world.rows(
        "SELECT kind, state, amount FROM sentra.refund WHERE booking_id = %s ORDER BY created_at, amount DESC",
        booking_id,
    )


def money_left(done: HandedBooking) -> tuple[int | None, list[int]]:
    return done.deposit_left, [item.total for item in done.to_pay]


def test_charges_within_the_deposit_are_paid_from_it_and_the_rest_is_due_back(world: World) -> None:
    dedi, budi = world.counter("dedi"), world.counter("budi")
    late = dt.timedelta(hours=1, minutes=20)
    mine = returned(world, dedi, late=late, odometer=1_612, fuel=6)
    quoted = dedi.rentals.charges.quote(mine, [SCRATCH])
    assert [(line.kind.value, line.amount) for line in quoted.charges] == [
        ("LATE", 70_000),
        ("KM", 24_000),
        ("FUEL", 100_000),
        ("DAMAGE", 150_000),
    ]
    assert (quoted.accepted, quoted.deposit.refund, quoted.deposit.bill) == (344_000, DEPOSIT - 344_000, 0)
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.clear(mine)
    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "charges_due"
    asked = dedi.rentals.charges.dispute(mine, [SCRATCH])
    assert (asked.state, money_left(asked)) == (BookingState.DISPUTED, (DEPOSIT, [344_000]))
    again = dedi.rentals.charges.dispute(mine, [SCRATCH])
    assert (again.version, len(again.to_pay)) == (asked.version, 1)
    assert world.bits(AVANZA, "202703") == [1, 2, 3]
    done = budi.rentals.charges.settle_charges(mine)
    assert (done.state, money_left(done)) == (BookingState.COMPLETED, (0, []))
    assert deposits(world, mine) == [("DEPOSIT", "DUE", DEPOSIT - 344_000)]
    assert world.bits(AVANZA, "202703") == []
    assert world.rows(
        "SELECT i.kind, i.state, i.number IS NOT NULL, t.kind, t.amount FROM sentra.invoice i"
        " JOIN sentra.payment p ON p.invoice_id = i.id JOIN sentra.tender t ON t.payment_id = p.id"
        " WHERE i.kind = 'FINE'"
    ) == [("FINE", "PAID", True, "DEPOSIT", 344_000)]
    world.catch_up()
    world.assert_sound()


def test_charges_above_the_deposit_go_to_the_till_and_settling_there_ends_the_rental(world: World) -> None:
    dedi, budi = world.counter("dedi"), world.counter("budi")
    mine = returned(world, dedi)
    wreck = replace(SCRATCH, unit_price=Rupiah(700_000))
    quoted = dedi.rentals.charges.quote(mine, [wreck])
    assert (quoted.deposit.refund, quoted.deposit.bill) == (0, 200_000)
    asked = dedi.rentals.charges.dispute(mine, [wreck])
    left = budi.rentals.charges.settle_charges(mine)
    assert (left.state, money_left(left)) == (BookingState.DISPUTED, (DEPOSIT, [700_000]))
    held = budi.settlement.open_invoice(asked.to_pay[0].invoice_id)
    with pytest.raises(Refusal) as no:  # while a cashier has it, nobody settles it beside
        world.counter("siti").rentals.charges.settle_charges(mine)
    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["holder_name"] == "Budi"
    budi.settlement.release_lock(held.handle)
    pay(world, asked.to_pay[0].invoice_id)
    assert world.state(mine) == "COMPLETED"
    assert deposits(world, mine) == [("DEPOSIT", "DUE", DEPOSIT)]
    world.catch_up()
    world.assert_sound()


def test_a_contested_line_stands_alone_and_freezes_no_more_than_itself(world: World) -> None:
    dedi, budi, maya = world.counter("dedi"), world.counter("budi"), world.counter("maya")
    mine = returned(world, dedi)
    asked = dedi.rentals.charges.dispute(mine, [WASH, contested(SCRATCH)])
    assert [(item.total, item.contested) for item in asked.to_pay] == [(100_000, False), (150_000, True)]
    assert deposits(world, mine) == []
    part = budi.rentals.charges.settle_charges(mine)
    assert (part.state, money_left(part)) == (BookingState.DISPUTED, (150_000, [150_000]))
    assert deposits(world, mine) == [("DEPOSIT", "DUE", 250_000)]
    freed = dedi.rentals.charges.release_unit(mine)
    assert (freed.state, world.bits(AVANZA, "202703")) == (BookingState.DISPUTED, [])
    assert dedi.rentals.charges.release_unit(mine).version == freed.version
    (line,) = [item for item in dedi.rentals.handovers.basis(mine).charges if item.standing is Standing.CONTESTED]
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.close_charge(line.id, Outcome.REDUCED, "separuh", amount=Rupiah(60_000))
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    for wrong in (0, 150_000):
        with pytest.raises(Refusal) as no:
            maya.rentals.charges.close_charge(line.id, Outcome.REDUCED, "separuh", amount=Rupiah(wrong))
        refused(no.value, RefusalCode.FIELD_INVALID, "amount")
    closed = maya.rentals.charges.close_charge(line.id, Outcome.REDUCED, "separuh", amount=Rupiah(60_000))
    assert [(item.total, item.contested) for item in closed.to_pay] == [(60_000, False)]
    done = budi.rentals.charges.settle_charges(mine)
    assert (done.state, done.deposit_left) == (BookingState.COMPLETED, 0)
    assert deposits(world, mine) == [("DEPOSIT", "DUE", 250_000), ("DEPOSIT", "DUE", 90_000)]
    world.catch_up()
    world.assert_sound()


def test_a_manager_waives_a_charge_and_nothing_is_left_to_pay(world: World) -> None:
    dedi, maya, siti = world.counter("dedi"), world.counter("maya"), world.counter("siti")
    mine = returned(world, dedi)
    dedi.rentals.charges.dispute(mine, [WASH, SCRATCH])
    wash, scratch = dedi.rentals.handovers.basis(mine).charges
    moved = siti.rentals.charges.contest_charge(scratch.id, "bukan saya")
    assert [(item.total, item.contested) for item in moved.to_pay] == [(100_000, False), (150_000, True)]
    dropped = maya.rentals.charges.close_charge(scratch.id, Outcome.DROPPED, "goresan lama")
    assert [item.total for item in dropped.to_pay] == [100_000]
    word = siti.approvals.approve("maya", "maya-sandi-uji", "close_charge", wash.id, "pelanggan setia")
    last = siti.rentals.charges.close_charge(wash.id, Outcome.DROPPED, "pelanggan setia", approval_id=word.id)
    assert last.to_pay == ()
    with pytest.raises(Refusal) as no:
        maya.rentals.charges.close_charge(wash.id, Outcome.FULL, "berubah pikiran")
    assert refused(no.value, RefusalCode.BOOKING_STATE, "charge_id")["reason"] == "closed"
    done = siti.rentals.charges.settle_charges(mine)
    assert done.state is BookingState.COMPLETED
    assert deposits(world, mine) == [("DEPOSIT", "DUE", DEPOSIT)]
    assert world.value("SELECT count(*) FROM sentra.invoice WHERE kind = 'FINE' AND state <> 'VOID'") == 0
    world.catch_up()
    world.assert_sound()


def test_no_rule_charge_can_be_left_out_or_made_up_past_the_screen(world: World) -> None:
    dedi = world.counter("dedi")
    mine = returned(world, dedi, fuel=6)
    with pytest.raises(Refusal) as no:
        dedi.store.transact(lambda tx: tx.dispute(mine, ()))
    refused(no.value, RefusalCode.PRICE_CHANGED, "charges")
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.dispute(mine, [replace(SCRATCH, kind=ChargeKind.KM)])
    assert refused(no.value, RefusalCode.FIELD_INVALID, "charges[0].kind")["reason"] == "by_rule"
    full = replace(SCRATCH, kind=ChargeKind.FUEL, contested=True, reason="tangki penuh")
    fuel = dedi.rentals.charges.quote(mine, [full])
    assert [(line.kind, line.amount, line.contested) for line in fuel.charges] == [(ChargeKind.FUEL, 100_000, True)]
    assert world.state(mine) == "RETURNED_PENDING_CHECK"


def test_a_part_held_back_pays_a_fine_that_comes_later_and_the_rest_goes_back_in_time(world: World) -> None:
    dedi, budi, maya = world.counter("dedi"), world.counter("budi"), world.counter("maya")
    mine = returned(world, dedi)
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.hold_back(mine, dedi.new_id(), Rupiah(200_000), "tilang kamera")
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    hold_id = maya.new_id()
    held = maya.rentals.charges.hold_back(mine, hold_id, Rupiah(200_000), "tilang kamera", days=30)
    assert maya.rentals.charges.hold_back(mine, hold_id, Rupiah(200_000), "tilang kamera", days=30) == held
    assert held.until_on == dt.date(2027, 4, 2)
    done = dedi.rentals.charges.clear(mine)
    assert (done.state, done.deposit_left) == (BookingState.COMPLETED, 200_000)
    assert deposits(world, mine) == [("DEPOSIT", "DUE", 300_000)]
    world.after(days=10)
    fine = budi.rentals.charges.post_rental_fine(mine, budi.new_id(), "Tilang elektronik 5 Maret", Rupiah(75_000))
    paid = budi.rentals.charges.settle_from_deposit(fine.to_pay[0].invoice_id)
    assert money_left(paid) == (125_000, [])
    more = budi.rentals.charges.post_rental_fine(mine, budi.new_id(), "Tilang elektronik 6 Maret", Rupiah(500_000))
    with pytest.raises(Refusal) as no:
        budi.rentals.charges.settle_from_deposit(more.to_pay[0].invoice_id)
    assert refused(no.value, RefusalCode.AMOUNT_MISMATCH, "invoice_id")["most"] == 125_000
    service = world.service()
    assert service.overdue.run().done == 0
    world.stand(dt.datetime(2027, 4, 2, 17, 1, tzinfo=dt.UTC))  # 3 April in Jakarta
    assert service.overdue.run().done == 1
    assert deposits(world, mine) == [("DEPOSIT", "DUE", 300_000), ("DEPOSIT", "DUE", 125_000)]
    assert service.overdue.run().done == 0
    world.catch_up()
    world.assert_sound()


def test_a_unit_that_does_not_come_back_is_a_managers_word_and_never_simply_free(world: World) -> None:
    dedi, ayu, budi, maya = (world.counter(login) for login in ("dedi", "ayu", "budi", "maya"))
    mine = active(world, days("2027-03-01", "2027-03-03"))
    lost = Charge(kind=ChargeKind.LOST, text="Unit tidak kembali", quantity=1, unit_price=Rupiah(400_000))
    with pytest.raises(Refusal) as no:
        ayu.rentals.charges.not_returned(mine, "dilaporkan hilang", [lost])
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    word = ayu.approvals.approve("maya", "maya-sandi-uji", "not_returned", mine, "laporan polisi")
    gone = ayu.rentals.charges.not_returned(mine, "dilaporkan hilang", [lost], approval_id=word.id)
    assert (gone.state, [item.total for item in gone.to_pay]) == (BookingState.DISPUTED, [400_000])
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.release_unit(mine)
    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "not_returned"
    repair = UnitRepair(id=dedi.new_id(), last_day=dt.date(2027, 3, 30), reason="Hilang, menunggu asuransi")
    dedi.rentals.charges.release_unit(mine, repair)
    assert taken(world, AVANZA) == [("2027-03-01", "2027-03-03"), ("2027-03-04", "2027-03-30")]
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "MAINTENANCE"
    more = dedi.rentals.charges.add_charges(mine, dedi.new_id(), [replace(lost, unit_price=Rupiah(50_000))])
    assert sorted(item.total for item in more.to_pay) == [50_000, 400_000]
    done = budi.rentals.charges.settle_charges(mine)
    assert (done.state, deposits(world, mine)) == (BookingState.COMPLETED, [("DEPOSIT", "DUE", 50_000)])
    assert world.state(mine) == "COMPLETED"
    theirs = active(world, days("2027-03-01"), AVANZAS[1], phone="0812 0000 9999", name="Budi Santoso")
    assert maya.rentals.charges.not_returned(theirs, "hilang").state is BookingState.DISPUTED
    assert maya.rentals.charges.settle_charges(theirs).state is BookingState.COMPLETED
    world.catch_up()
    world.assert_sound()


def test_an_agreed_early_return_makes_nobody_late_before_the_end_of_the_paid_days(world: World) -> None:
    dedi, ayu = world.counter("dedi"), world.counter("ayu")
    mine = prepared(world)
    out(world, dedi, mine)
    ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 2), "pulang lebih cepat")
    world.stand(DUE - dt.timedelta(hours=1))
    back(world, dedi, mine)
    assert dedi.rentals.charges.quote(mine).charges == ()
    assert dedi.rentals.charges.clear(mine).state is BookingState.COMPLETED
    world.catch_up()
    world.assert_sound()
