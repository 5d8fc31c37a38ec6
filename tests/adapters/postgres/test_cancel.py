"""Cancel an unpaid booking: days free at once and only once, the rest of its order repriced, never under a lock."""

import datetime as dt

import psycopg
import pytest
from psycopg.types.json import Jsonb

from app.domain.booking import Action, BookingState
from app.domain.days import Days, YearMonth
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import BookedOrder, EndedBooking
from tests.adapters.postgres.write_rig import WriteRig, at_once, book_with, cancel_with, march, new_order, stretch


def test_c20_a_cancelled_bookings_days_are_free_and_its_stretch_is_recorded_once(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))

    ended = rig.cancel(booked.bookings[0].id)

    assert ended.state is BookingState.CANCELLED
    assert rig.taken("AVZ-01") == []
    assert [(item.sku, item.branch_id, item.days) for item in ended.freed] == [("AVZ", "JKT", stretch(10, 12))]
    assert rig.rows("SELECT id::text, sku_id, lower(days), cause, run_at FROM sentra.freed_stretch") == [
        (ended.freed[0].id, "AVZ", march(10), "cancel", None)
    ]
    assert rig.rows("SELECT state, locked_by FROM sentra.invoice") == [("VOID", None)]
    (projection,) = ended.projections
    assert (projection.days, projection.version) == ((), 2)
    rig.insist_on_invariants()


def test_a_cancelled_bookings_far_month_is_projected_empty(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=dt.date(2028, 11, 3), last=dt.date(2028, 11, 4))

    ended = rig.cancel(booked.bookings[0].id)

    assert YearMonth(2028, 11) in ended.projections[0].months


def test_only_days_still_ahead_are_recorded_as_freed(rig: WriteRig) -> None:
    """The branch's day counts: at 00.30 of the 3rd in Jakarta it is still the 2nd elsewhere."""
    booked = rig.book("AVZ-01", first=march(1), last=march(4))
    rig.database.clock.stand(dt.datetime(2027, 3, 2, 17, 30, tzinfo=dt.UTC))

    ended = rig.cancel(booked.bookings[0].id)

    assert [item.days for item in ended.freed] == [stretch(3, 4)]


def test_c23_two_cancels_at_once_free_the_days_once_and_never_somebody_elses(rig: WriteRig) -> None:
    first, second, buyer = (rig.new_store(login, pool_size=1) for login in ("rina", "bayu", "citra"))
    for round_ in range(50):
        day = dt.date(2027, 5, 1) + dt.timedelta(days=round_)
        phone = f"+62815000000{round_:02d}"
        booked = rig.book("AVZ-01", first=day, last=day, phone=phone)
        again = new_order(["AVZ-01"], day, day, phone=phone)

        answers = at_once(
            [
                lambda b=booked: cancel_with(first, b.bookings[0].id),
                lambda b=booked: cancel_with(second, b.bookings[0].id),
                lambda o=again: book_with(buyer, o),
            ]
        )

        ended = [item for item in answers[:2] if isinstance(item, EndedBooking)]
        refused = [item for item in answers[:2] if isinstance(item, Refusal)]
        assert len(ended) == 1, answers
        assert [item.code for item in refused] == [RefusalCode.BOOKING_STATE]
        sold = isinstance(answers[2], BookedOrder)
        assert rig.taken("AVZ-01").count((day, day)) == int(sold)
        freed = rig.value("SELECT count(*) FROM sentra.freed_stretch WHERE booking_id = %s", booked.bookings[0].id)
        assert freed == 1
    rig.insist_on_invariants()


def test_a_locked_invoice_keeps_its_booking_and_names_the_cashier(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.take(booked.invoice_id, "bayu", counter="Kasir 2")

    with pytest.raises(Refusal) as refused:
        rig.cancel(booked.bookings[0].id)

    assert refused.value.code is RefusalCode.INVOICE_LOCKED
    assert refused.value.params["holder_name"] == "Bayu"
    assert refused.value.params["counter"] == "Kasir 2"
    assert refused.value.params["remaining_ms"] == 60_000
    assert refused.value.params["since"] == rig.database.clock.now()
    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"


def test_a_lock_that_ran_out_no_longer_keeps_the_booking(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.take(booked.invoice_id)
    rig.minutes_pass(1)

    rig.cancel(booked.bookings[0].id)

    assert rig.rows("SELECT state, locked_by, lock_token, lock_epoch FROM sentra.invoice") == [("VOID", None, None, 1)]


def test_cancelling_one_of_two_units_reprices_the_order(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", "AVZ-02", first=march(10), last=march(12))

    ended = rig.cancel(booked.bookings[0].id)

    assert [item.unit.unit_id for item in ended.projections] == ["AVZ-01"]
    assert rig.rows("SELECT state, total, base, dpp, ppn FROM sentra.invoice") == [
        ("OPEN", 1_400_000, 810_811, 743_243, 89_189)
    ]
    assert rig.taken("AVZ-01") == []
    assert rig.taken("AVZ-02") == [(march(10), march(12))]
    rig.insist_on_invariants()


def test_cancelling_both_units_of_an_order_at_once_voids_its_invoice(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", "AVZ-02", first=march(10), last=march(12))
    stores = [rig.new_store(login, pool_size=1) for login in ("rina", "bayu")]

    answers = at_once(
        [lambda s=store, b=item.id: cancel_with(s, b) for store, item in zip(stores, booked.bookings, strict=True)]
    )

    assert all(isinstance(item, EndedBooking) for item in answers), answers
    assert rig.rows("SELECT state FROM sentra.invoice") == [("VOID",)]
    rig.insist_on_invariants()


def test_cancelling_where_ppn_comes_on_top_reprices_its_line(rig: WriteRig) -> None:
    rig.owner.execute("UPDATE sentra.branch SET prices_include_ppn = false WHERE id = 'JKT'")
    branch = rig.store("rina").read.who_am_i().branch
    booked = rig.book("AVZ-01", "AVZ-02", first=march(10), last=march(12), branch=branch)
    assert booked.total == 2 * 1_400_000 + 198_000

    rig.cancel(booked.bookings[1].id)

    assert rig.rows("SELECT total, base, ppn FROM sentra.invoice") == [(1_499_000, 900_000, 99_000)]
    rig.insist_on_invariants()


@pytest.mark.parametrize("ppn", [0, 1, 89_000, 89_300, -5])
def test_a_forged_ppn_of_the_rest_is_refused_by_the_database(rig: WriteRig, ppn: int) -> None:
    booked = rig.book("AVZ-01", "AVZ-02", first=march(10), last=march(12))
    priced = Jsonb({"taxable": 900_000, "base": 900_000 - ppn, "dpp": 0, "ppn": ppn})

    with rig.psql("rina") as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute("SELECT sentra.end_booking(%s, 'cancel', '', %s, false)", (booked.bookings[0].id, priced))

    assert refused.value.diag.message_primary == "PRICE_CHANGED"

    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"


def test_a_paid_booking_is_not_cancelled_this_way(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.open_shift()
    rig.pay(booked)

    with pytest.raises(Refusal) as refused:
        rig.cancel(booked.bookings[0].id)

    assert (refused.value.code, refused.value.params["state"]) == (RefusalCode.BOOKING_STATE, "PAID_APPROVED")
    assert rig.taken("AVZ-01") == [(march(10), march(12))]


def test_an_inspector_and_another_branch_cannot_cancel(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))

    with pytest.raises(Refusal) as by_role:
        rig.cancel(booked.bookings[0].id, "gilang")
    with pytest.raises(Refusal) as by_branch:
        rig.cancel(booked.bookings[0].id, "tono")

    assert by_role.value.code is RefusalCode.NOT_ALLOWED
    assert by_branch.value.code is RefusalCode.NOT_FOUND


def test_other_ends_of_a_booking_are_not_offered_by_this_call(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))

    with pytest.raises(Refusal) as refused:
        rig.store("rina").transact(lambda tx: tx.end_booking(booked.bookings[0].id, Action.EXPIRE, ""))

    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "action")


def test_cancelled_days_can_be_booked_again_at_once(rig: WriteRig) -> None:
    """Case R-16: a new booking, one active row, the old one final."""
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.cancel(booked.bookings[0].id)

    again = rig.book("AVZ-01", first=march(10), last=march(12))

    assert again.bookings[0].id != booked.bookings[0].id
    assert rig.taken("AVZ-01") == [(march(10), march(12))]
    assert rig.state_of(booked.bookings[0].id) == "CANCELLED"
    assert Days(march(10), march(12)) in again.projections[0].days
