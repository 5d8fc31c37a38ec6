"""Out and back on real servers: the gate, true times, what is sent twice, and the days that come free."""

import datetime as dt
from dataclasses import replace

import pytest

from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.gate import GateName
from app.domain.inspection import Angle, View
from app.domain.money import Rupiah
from app.usecases.rows_handovers import CollateralState, GateOverride, Replacement, UnitRepair
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, START, World, days, refused
from tests.usecases.change_rig import DEPOSIT, active, paid, taken
from tests.usecases.handover_rig import (
    TODAY,
    back,
    handing,
    looked_at,
    mark,
    out,
    pass_gate,
    picture,
    prepared,
    promise,
)

pytest_plugins = ("tests.support.world_fixtures",)


def test_a_rental_goes_out_through_its_gate_and_comes_back_clear(world: World) -> None:
    dedi, ayu = world.counter("dedi"), world.counter("ayu")
    mine = prepared(world)
    assert dedi.rentals.handovers.basis(mine).gate == ()
    look = looked_at(world)
    sent = dedi.rentals.handovers.check_out(mine, look)
    assert (sent.state, sent.handed_at) == (BookingState.DISPATCHED, None)
    assert dedi.rentals.handovers.check_out(mine, look).version == sent.version  # sent once more: nothing twice
    world.after(hours=2)
    happened = world.now() - dt.timedelta(hours=1)
    given = dedi.rentals.handovers.hand_over(mine, handing(at=happened))
    assert (given.state, given.handed_at) == (BookingState.ACTIVE_RENTAL, happened)
    world.stand(START + dt.timedelta(days=2, hours=8))  # 17:00 of the last day
    returned = back(world, dedi, mine, odometer=1_300)
    assert (returned.state, returned.returned_at) == (BookingState.RETURNED_PENDING_CHECK, world.now())
    with pytest.raises(Refusal) as no:  # C-09, C-10: until it is checked it is nobody else's
        world.book(ayu, days("2027-03-03"), phone="0812 0000 9999", name="Budi Santoso")
    assert no.value.code is RefusalCode.DAYS_TAKEN
    done = dedi.rentals.charges.clear(mine)
    assert (done.state, [(item.kind, item.amount) for item in done.refunds]) == (
        BookingState.COMPLETED,
        [("DEPOSIT", DEPOSIT)],
    )
    assert [(item.days.first.day, item.days.last.day) for item in done.freed] == [(3, 3)]
    assert world.value("SELECT odometer FROM sentra.unit WHERE id = %s", AVANZA) == 1_300
    world.book(ayu, days("2027-03-03"), phone="0812 0000 9999", name="Budi Santoso")
    assert world.bits(AVANZA, "202703") == [3]
    assert world.value("SELECT count(*) FROM sentra.inspection WHERE booking_id = %s", mine) == 2
    world.catch_up()
    world.assert_sound()


def test_c09_c10_a_unit_cleared_at_17_is_walked_in_for_at_1730_and_before_that_refused_with_the_reason(
    world: World,
) -> None:
    dedi, ayu = world.counter("dedi"), world.counter("ayu")
    mine = prepared(world, days("2027-03-01", "2027-03-01"))
    out(world, dedi, mine)
    world.stand(START.replace(hour=17))
    back(world, dedi, mine)
    with pytest.raises(Refusal) as no:
        world.book(ayu, days("2027-03-01", "2027-03-02"), phone="0812 0000 9999", name="Budi Santoso")
    blockers = no.value.params["blockers"]
    assert isinstance(blockers, list)
    assert [item["state"] for item in blockers] == ["RETURNED_PENDING_CHECK"]
    dedi.rentals.charges.clear(mine)
    world.after(minutes=30)
    world.book(ayu, days("2027-03-01", "2027-03-02"), phone="0812 0000 9999", name="Budi Santoso")
    assert world.bits(AVANZA, "202703") == [1, 2]
    world.catch_up()
    world.assert_sound()


def test_an_open_gate_names_its_lines_and_opens_for_a_managers_word_alone(world: World) -> None:
    dedi, maya, siti = world.counter("dedi"), world.counter("maya"), world.counter("siti")
    world.open_shift(siti)
    booked = world.book(siti, days("2027-03-02", "2027-03-03"))
    world.settle(siti, booked)
    mine = booked.bookings[0].id
    siti.changes_of_bookings.reschedule(mine, days("2027-03-01", "2027-03-03"))  # one day more to pay: a BALANCE
    lines = dedi.rentals.handovers.basis(mine).gate
    assert [(line.name, line.reason, line.amount) for line in lines] == [
        (GateName.MONEY, "unpaid", Rupiah(350_000)),
        (GateName.CONTRACT, "not_printed", 0),
        (GateName.LICENCE, "missing", 0),
        (GateName.COLLATERAL, "missing", 0),
    ]
    before = world.counts()
    look = looked_at(world)
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_out(mine, look)
    refused(no.value, RefusalCode.GATE_OPEN, "booking_id")
    assert [item.action for item in no.value.next] == [
        "open_invoice",
        "print_contract",
        "edit_customer",
        "take_collateral",
    ]
    assert no.value.next[0].params == {"invoice_id": lines[0].invoice_id}
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_out(mine, look, override=GateOverride(reason="tamu hotel"))
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    assert world.counts() == before
    word = dedi.approvals.approve("maya", "maya-sandi-uji", "check_out", mine, "tamu hotel")
    sent = dedi.rentals.handovers.check_out(mine, look, override=GateOverride(reason="tamu hotel", approval_id=word.id))
    assert sent.state is BookingState.DISPATCHED
    dedi.rentals.handovers.recall(mine, "pelanggan menolak unit")
    world.do("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = %s", AVANZA)
    with pytest.raises(Refusal) as no:
        maya.rentals.handovers.check_out(mine, looked_at(world), override=GateOverride(reason="tetap jalan"))
    found = refused(no.value, RefusalCode.GATE_OPEN, "booking_id")["lines"]
    assert isinstance(found, list)
    assert [line["line"] for line in found if not line["may_be_overridden"]] == ["UNIT"]
    assert world.state(mine) == "PAID_APPROVED"


def test_c60_a_booking_whose_end_is_past_does_not_go_out_and_says_what_can_be_done(world: World) -> None:
    dedi = world.counter("dedi")
    mine = prepared(world)
    later = prepared(world, days("2027-03-05"), AVANZAS[1], phone="0812 0000 9999", name="Budi Santoso")
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_out(later, looked_at(world))
    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "too_early"
    world.after(days=3)
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_out(mine, looked_at(world))
    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "period_past"
    assert [item.action for item in no.value.next] == ["reschedule", "no_show"]
    assert world.state(mine) == "PAID_APPROVED"


def test_an_inspection_that_lacks_something_or_lies_about_time_is_refused_and_writes_nothing(world: World) -> None:
    dedi = world.counter("dedi")
    mine = prepared(world)
    whole = looked_at(world)
    before = world.counts()
    for look, field, reason in (
        (replace(whole, fuel=None), "fuel", "missing"),
        (replace(whole, photos=whole.photos[1:]), "photos", "missing"),
        (replace(whole, done_at=world.now() + dt.timedelta(minutes=10)), "done_at", "in_the_future"),
        (replace(whole, done_at=world.now() - dt.timedelta(hours=1)), "done_at", "before_the_last_step"),
    ):
        with pytest.raises(Refusal) as no:
            dedi.rentals.handovers.check_out(mine, look)
        assert refused(no.value, RefusalCode.FIELD_INVALID, field)["reason"] == reason
    assert world.counts() == before
    out(world, dedi, mine, odometer=5_000)
    world.after(hours=5)
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_in(mine, looked_at(world, odometer=4_999))
    assert refused(no.value, RefusalCode.FIELD_INVALID, "odometer")["reason"] == "below_the_last"
    assert world.state(mine) == "ACTIVE_RENTAL"


def test_c81_an_inspection_is_saved_before_its_photos_which_follow_once_and_only_as_promised(world: World) -> None:
    dedi = world.counter("dedi")
    mine = prepared(world)
    scratch = mark()
    look = looked_at(world, damages=(scratch,))
    dedi.rentals.handovers.check_out(mine, look, handing_over=handing())
    (kept,) = dedi.rentals.handovers.basis(mine).inspections
    assert [photo.stored for photo in kept.photos] == [False] * 9
    front = next(photo for photo in look.photos if photo.angle is Angle.FRONT)
    assert dedi.rentals.photos.photo(front.id) is None
    with pytest.raises(Refusal) as no:
        dedi.rentals.photos.save_photo(front.id, picture("another one"))
    refused(no.value, RefusalCode.FIELD_INVALID, "photo")
    with pytest.raises(Refusal) as no:
        dedi.rentals.photos.save_photo(promise("x", Angle.REAR).id, picture("x"))  # its inspection has not come yet
    refused(no.value, RefusalCode.NOT_FOUND, "photo_id")
    assert [dedi.rentals.photos.save_photo(front.id, picture("FRONT")) for _ in range(2)] == [False, True]
    assert dedi.rentals.photos.photo(front.id) == picture("FRONT")
    assert world.value("SELECT count(*) FROM sentra.photo_bytes") == 1
    (known,) = dedi.rentals.handovers.basis(mine).damages
    assert (known.mark, known.inspection_id) == (scratch, look.id)
    world.after(hours=1)
    again = looked_at(world, damages=(mark(View.REAR),))
    dedi.rentals.handovers.check_in(mine, again)
    assert [item.mark.view for item in dedi.rentals.handovers.basis(mine).damages] == [View.LEFT, View.REAR]
    with pytest.raises(Refusal) as no:  # another look under an id that was used
        dedi.rentals.handovers.check_in(mine, replace(looked_at(world), id=again.id, odometer=9_000))
    assert no.value.code in {RefusalCode.DUPLICATE, RefusalCode.BOOKING_STATE}


def test_a_return_while_an_extension_waits_takes_it_back_and_frees_its_days(world: World) -> None:
    dedi, ayu, budi = world.counter("dedi"), world.counter("ayu"), world.counter("budi")
    mine = prepared(world)
    out(world, dedi, mine)
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 5))
    assert asked.invoice_id is not None
    held = budi.settlement.open_invoice(asked.invoice_id)
    look = looked_at(world)
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.check_in(mine, look)
    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["holder_name"] == "Budi"
    budi.settlement.release_lock(held.handle)
    done = dedi.rentals.handovers.check_in(mine, look)
    assert (done.state, done.invoices) == (BookingState.RETURNED_PENDING_CHECK, (asked.invoice_id,))
    assert [(item.days.first.day, item.days.last.day) for item in done.freed] == [(4, 5)]
    assert world.value("SELECT state FROM sentra.invoice WHERE id = %s", asked.invoice_id) == "VOID"
    assert world.bits(AVANZA, "202703") == [1, 2, 3]
    world.catch_up()
    world.assert_sound()


def test_a_broken_unit_is_replaced_on_the_way_and_goes_to_maintenance(world: World) -> None:
    dedi, ayu = world.counter("dedi"), world.counter("ayu")
    mine = prepared(world)
    out(world, dedi, mine)
    other = prepared(world, days("2027-03-02"), AVANZAS[1], phone="0812 0000 9999", name="Budi Santoso")
    world.after(days=1)
    broken = UnitRepair(id=dedi.new_id(), last_day=dt.date(2027, 3, 4), reason="Mesin mati")
    old, new = looked_at(world, odometer=1_200), looked_at(world, odometer=7_000)

    def to(unit: str) -> Replacement:
        return Replacement(unit_id=unit, back=old, out=new, handing_over=handing(), repair=broken)

    before = world.counts()
    with pytest.raises(Refusal) as no:
        dedi.rentals.handovers.replace_unit(mine, to(AVANZAS[1]))
    assert no.value.code is RefusalCode.DAYS_TAKEN
    assert world.counts() == before
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "IN_SERVICE"
    done = dedi.rentals.handovers.replace_unit(mine, to(AVANZAS[2]))
    assert (done.state, done.unit_id, done.freed) == (BookingState.ACTIVE_RENTAL, AVANZAS[2], ())
    assert taken(world, AVANZAS[2]) == [("2027-03-02", "2027-03-03")]
    assert taken(world, AVANZA) == [("2027-03-02", "2027-03-03"), ("2027-03-04", "2027-03-04")]
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "MAINTENANCE"
    world.after(hours=5)
    back(world, dedi, mine, odometer=7_100)
    trips = dedi.rentals.handovers.basis(mine).trips
    assert [trip.driven for trip in trips] == [200, 100]
    assert world.state(other) == "PAID_APPROVED"
    assert ayu.calendar.free_units("TOY-AVNZ-G", days("2027-03-05")) != ()
    world.catch_up()
    world.assert_sound()


def test_a_unit_that_comes_back_at_another_branch_stays_there_and_its_next_bookings_are_at_risk(world: World) -> None:
    dedi, maya, hasnah = world.counter("dedi"), world.counter("maya"), world.counter("hasnah")
    ayu = world.counter("ayu")
    maya.rentals.charges.set_charge_terms(
        "TOY-AVNZ-G", replace(maya.rentals.charges.charge_terms("TOY-AVNZ-G"), one_way_fee=Rupiah(400_000))
    )
    mine = prepared(world)
    out(world, dedi, mine)
    next_one = paid(world, days("2027-03-05", "2027-03-06"), phone="0812 0000 9999", name="Budi Santoso")
    world.after(days=1)
    found = hasnah.rentals.handovers.rental_of(AVANZA)
    assert found is not None
    assert (found.booking_id, found.branch_id) == (mine, "JKT")
    assert hasnah.rentals.handovers.rental_of(FAR_AVANZA) is None
    done = hasnah.rentals.handovers.check_in(mine, looked_at(world))
    assert [item.booking_id for item in done.at_risk] == [next_one]
    assert world.value("SELECT branch_id FROM sentra.unit WHERE id = %s", AVANZA) == "MKS"
    world.catch_up()
    assert world.doctor().breaks == ()
    quoted = dedi.rentals.charges.quote(mine)
    assert [(line.kind, line.amount) for line in quoted.charges] == [("ONE_WAY", 400_000)]
    assert (quoted.deposit.refund, quoted.deposit.bill) == (100_000, 0)
    with pytest.raises(Refusal) as no:
        hasnah.rentals.charges.clear(mine)
    assert no.value.params["reason"] == "charges_due"
    with pytest.raises(Refusal) as no:
        hasnah.rentals.charges.dispute(mine, [])
    refused(no.value, RefusalCode.GATE_OPEN, "booking_id")  # the collateral lies in Jakarta
    (item,) = dedi.rentals.handovers.basis(mine).collateral
    assert dedi.rentals.collaterals.return_collateral(item.id).state is CollateralState.RETURNED
    assert hasnah.rentals.charges.dispute(mine, []).state is BookingState.DISPUTED
    ayu.changes_of_bookings.swap_unit(next_one, AVANZAS[1])
    world.catch_up()
    world.assert_sound()


def test_c19_a_cancelled_next_booking_leaves_a_unit_that_is_out_taken(world: World) -> None:
    dedi, ayu = world.counter("dedi"), world.counter("ayu")
    mine = prepared(world)
    out(world, dedi, mine)
    nexts = [
        world.book(ayu, RentalPeriod(day, day), phone=f"0812 0000 {number}99", name="Budi Santoso").bookings[0].id
        for number, day in enumerate((dt.date(2027, 3, 4), dt.date(2027, 3, 5)), 10)
    ]
    for booking_id in nexts:
        ayu.bookings.cancel(booking_id)
    assert world.state(mine) == "ACTIVE_RENTAL"
    assert world.bits(AVANZA, "202703") == [1, 2, 3]
    world.catch_up()
    world.assert_sound()


def test_a_paid_booking_without_its_papers_shows_which_lines_close_one_by_one(world: World) -> None:
    dedi = world.counter("dedi")
    mine = paid(world, TODAY)
    assert [line.name.value for line in dedi.rentals.handovers.basis(mine).gate] == [
        "CONTRACT",
        "LICENCE",
        "COLLATERAL",
    ]
    world.do("INSERT INTO sentra.setting (branch_id, key, value) VALUES ('JKT', 'collateral_needed', 'false')")
    assert [line.name.value for line in dedi.rentals.handovers.basis(mine).gate] == ["CONTRACT", "LICENCE"]
    pass_gate(world, mine)
    world.do("UPDATE sentra.customer SET licence_expires_on = '2027-03-02'")
    assert [(line.name.value, line.reason) for line in dedi.rentals.handovers.basis(mine).gate] == [
        ("LICENCE", "expired")
    ]
    assert active(world, days("2027-03-05"), AVANZAS[1], phone="0812 0000 9999", name="Budi Santoso")
