"""Two counters at the same moment, and answers that were lost: one inspection, one return, one settlement."""

import datetime as dt
from functools import partial

from app.domain.booking import BookingState
from app.domain.charges import Charge, ChargeKind
from app.domain.errors import RefusalCode
from app.domain.money import Rupiah
from tests.support.at_once import at_once
from tests.support.world import AVANZA, World, cash
from tests.usecases.handover_rig import handing, looked_at, out, prepared

pytest_plugins = ("tests.support.world_fixtures",)

WASH = Charge(kind=ChargeKind.CLEANING, text="Cuci jok", quantity=1, unit_price=Rupiah(100_000))


def test_one_form_sent_by_two_counters_at_once_is_one_step_and_two_forms_are_one_return(world: World) -> None:
    dedi, maya = world.counter("dedi", "Kasir 1"), world.counter("maya", "Kasir 2")
    budi, siti = world.counter("budi", "Kasir 3"), world.counter("siti", "Kasir 4")
    mine = prepared(world)
    look, given = looked_at(world), handing()
    went = at_once(*(partial(who.rentals.handovers.check_out, mine, look, handing_over=given) for who in (dedi, maya)))
    assert went.refusals == []
    assert {done.state for done in went.results} == {BookingState.ACTIVE_RENTAL}
    world.after(hours=1)
    form, other = looked_at(world), looked_at(world)
    came = at_once(
        lambda: dedi.rentals.handovers.check_in(mine, form),
        lambda: maya.rentals.handovers.check_in(mine, form),
        lambda: maya.rentals.handovers.check_in(mine, other),
    )
    assert len(came.refusals) in {1, 2}
    assert {no.code for no in came.refusals} <= {RefusalCode.BOOKING_STATE, RefusalCode.FIELD_INVALID}
    assert world.value("SELECT count(*) FROM sentra.inspection WHERE kind = 'IN'") == 1
    for item in dedi.rentals.handovers.basis(mine).collateral:
        dedi.rentals.collaterals.return_collateral(item.id)
    asked = at_once(*(partial(who.rentals.charges.dispute, mine, [WASH]) for who in (dedi, maya)))
    assert (len(asked.results), world.value("SELECT count(*) FROM sentra.charge")) == (2, 1)
    paid = at_once(*(partial(who.rentals.charges.settle_charges, mine) for who in (budi, siti)))
    assert {done.state for done in paid.results} == {BookingState.COMPLETED}
    assert {no.code for no in paid.refusals} <= {RefusalCode.BOOKING_STATE, RefusalCode.INVOICE_LOCKED}
    assert world.rows("SELECT kind, amount FROM sentra.refund") == [("DEPOSIT", 400_000)]
    assert world.value("SELECT count(*) FROM sentra.tender WHERE kind = 'DEPOSIT'") == 1
    assert world.bits(AVANZA, "202703") == []
    world.catch_up()
    world.assert_sound()


def test_a_return_meets_an_extension_that_is_being_paid_and_exactly_one_of_them_is_first(world: World) -> None:
    dedi, ayu, budi = world.counter("dedi"), world.counter("ayu"), world.counter("budi")
    mine = prepared(world)
    out(world, dedi, mine)
    world.open_shift(budi)
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 4))
    assert asked.invoice_id is not None
    held = budi.settlement.open_invoice(asked.invoice_id)
    look = looked_at(world)

    def back() -> str:
        return dedi.rentals.handovers.check_in(mine, look).state.value

    def pay() -> str:
        return budi.settlement.settle(held.handle, budi.new_id(), [cash(asked.difference)]).payment_id

    met = at_once(back, pay)
    assert len(met.results) >= 1
    state = world.state(mine)
    paid = world.value("SELECT state FROM sentra.invoice WHERE id = %s", asked.invoice_id)
    assert (state, paid) in {("ACTIVE_RENTAL", "PAID"), ("RETURNED_PENDING_CHECK", "PAID")}
    assert world.value("SELECT last_day::text FROM sentra.booking WHERE id = %s", mine) == "2027-03-04"
    world.catch_up()
    world.assert_sound()
