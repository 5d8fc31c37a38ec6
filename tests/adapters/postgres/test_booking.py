"""Who gets a unit: the database decides, once, and the same question has the same answer."""

import datetime as dt
import uuid
from dataclasses import replace

import pytest

from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku
from app.domain.days import Days, YearMonth
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder, OccupancyKind, Taken
from tests.adapters.postgres.write_rig import AVZ, WriteRig, at_once, book_with, cancel_with, march, new_order, stretch


def test_an_order_writes_booking_days_invoice_and_its_deadline_from_the_databases_clock(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))

    now = rig.database.clock.now()
    assert booked.now == now
    assert [item.payment_deadline for item in booked.bookings] == [now + dt.timedelta(minutes=15)]
    assert [item.state for item in booked.bookings] == [BookingState.PENDING_PAYMENT]
    assert rig.taken("AVZ-01") == [(march(10), march(12))]
    assert rig.rows("SELECT kind, state, total, paid, number FROM sentra.invoice") == [
        ("RENTAL", "OPEN", 3 * 300_000 + 500_000, 0, None)
    ]
    rig.insist_on_invariants()


def test_the_projection_of_a_booking_over_a_month_end_holds_both_months_and_the_new_version(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(30), last=dt.date(2027, 4, 2))

    (projection,) = booked.projections
    assert projection.days == (Days(march(30), dt.date(2027, 4, 2)),)
    assert {YearMonth(2027, 3), YearMonth(2027, 4)} <= set(projection.months)
    assert (projection.months[0], projection.months[-1]) == (YearMonth(2027, 1), YearMonth(2028, 5))
    assert projection.version == rig.value("SELECT availability_version FROM sentra.unit WHERE id = 'AVZ-01'") == 1


def test_a_booking_far_ahead_projects_its_own_month_too(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=dt.date(2028, 11, 3), last=dt.date(2028, 11, 4))

    assert YearMonth(2028, 11) in booked.projections[0].months


def test_c01_of_twenty_counters_that_book_the_same_days_at_once_one_wins(rig: WriteRig) -> None:
    stores = [rig.new_store("rina", pool_size=1) for _ in range(20)]
    orders = [new_order(["AVZ-01"], march(10), march(12), phone=f"+62812000000{n:02d}") for n in range(20)]

    answers = at_once([lambda s=store, o=order: book_with(s, o) for store, order in zip(stores, orders, strict=True)])

    winners = [item for item in answers if isinstance(item, BookedOrder)]
    losers = [item for item in answers if isinstance(item, Taken)]
    assert (len(winners), len(losers)) == (1, 19), answers
    number = winners[0].bookings[0].number
    assert {blocker.booking_number for item in losers for blocker in item.blockers} == {number}
    assert rig.taken("AVZ-01") == [(march(10), march(12))]
    assert rig.value("SELECT count(*) FROM sentra.booking") == 1
    rig.insist_on_invariants()


@pytest.mark.parametrize(
    ("first", "last"),
    [(8, 12), (13, 15), (12, 13), (10, 15), (12, 12)],
    ids=["left", "right", "equal", "around", "inside"],
)
def test_c04_every_shape_of_overlap_is_refused_and_names_what_stands_there(
    rig: WriteRig, first: int, last: int
) -> None:
    rig.book("AVZ-01", first=march(12), last=march(13))

    answer = rig.try_book(new_order(["AVZ-01"], march(first), march(last), phone="+6281999999999"))

    assert isinstance(answer, Taken)
    (blocker,) = answer.blockers
    assert (blocker.unit_id, blocker.kind, blocker.days) == ("AVZ-01", OccupancyKind.BOOKING, stretch(12, 13))
    assert (blocker.customer_name, blocker.by, blocker.state) == ("Sari Dewi", "Rina", BookingState.PENDING_PAYMENT)
    assert rig.taken("AVZ-01") == [(march(12), march(13))]
    assert rig.rows("SELECT name FROM sentra.customer") == [("Sari Dewi",)]


def test_c04_the_days_beside_a_booking_are_free(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(12), last=march(13))

    rig.book("AVZ-01", first=march(10), last=march(11))
    rig.book("AVZ-01", first=march(14), last=march(15))

    assert rig.taken("AVZ-01") == [(march(10), march(11)), (march(12), march(13)), (march(14), march(15))]


def test_c13_an_overlap_with_another_first_day_is_refused(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(23), last=march(26))

    answer = rig.try_book(new_order(["AVZ-01"], march(24), march(26)))

    assert isinstance(answer, Taken)


def test_r01_two_desks_at_a_barrier_have_exactly_one_winner_fifty_times(rig: WriteRig) -> None:
    desks = [rig.new_store("rina", pool_size=1), rig.new_store("bayu", pool_size=1)]
    for round_ in range(50):
        day = dt.date(2027, 5, 1) + dt.timedelta(days=round_)
        orders = [new_order(["AVZ-02"], day, day, phone=f"+6281300000{desk}{round_:02d}") for desk in (0, 1)]

        answers = at_once([lambda s=desk, o=order: book_with(s, o) for desk, order in zip(desks, orders, strict=True)])

        (winner,) = [item for item in answers if isinstance(item, BookedOrder)]
        (loser,) = [item for item in answers if isinstance(item, Taken)]
        assert loser.blockers[0].booking_number == winner.bookings[0].number


def test_r02_the_same_order_from_two_windows_is_one_booking_with_one_answer(rig: WriteRig) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))
    windows = [rig.new_store("rina", pool_size=1, counter=name) for name in ("K1", "K2")]

    answers = at_once([lambda s=window: book_with(s, order) for window in windows])

    assert all(isinstance(item, BookedOrder) for item in answers), answers
    assert len({item.bookings for item in answers if isinstance(item, BookedOrder)}) == 1
    assert sorted(item.repeat for item in answers if isinstance(item, BookedOrder)) == [False, True]
    assert rig.value("SELECT count(*) FROM sentra.booking") == 1


def test_the_same_order_sent_at_once_for_two_different_units_is_one_booking(rig: WriteRig) -> None:
    order_id = str(uuid.uuid4())
    windows = [rig.new_store("rina", pool_size=1) for _ in range(2)]
    orders = [new_order([unit], march(10), march(12), order_id=order_id) for unit in ("AVZ-01", "AVZ-02")]

    answers = at_once([lambda s=w, o=o: book_with(s, o) for w, o in zip(windows, orders, strict=True)])

    assert len({item.bookings for item in answers if isinstance(item, BookedOrder)}) == 1, answers
    assert rig.value("SELECT count(*) FROM sentra.booking") == 1
    assert rig.taken("AVZ-01") + rig.taken("AVZ-02") == [(march(10), march(12))]


def test_the_same_order_id_answers_the_first_result_even_after_its_days_are_gone(rig: WriteRig) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))
    first = rig.try_book(order)
    assert isinstance(first, BookedOrder)
    rig.cancel(first.bookings[0].id)
    rig.book("AVZ-01", first=march(10), last=march(12), phone="+6281777777777")

    again = rig.try_book(order)

    assert isinstance(again, BookedOrder)
    assert again.repeat
    assert again.bookings[0].id == first.bookings[0].id
    assert again.bookings[0].state is BookingState.CANCELLED


@pytest.mark.parametrize("other", ["days", "phone", "branch"])
def test_another_order_under_the_same_id_is_refused(rig: WriteRig, other: str) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))
    rig.try_book(order)
    second = {
        "days": new_order(["AVZ-01"], march(10), march(13), order_id=order.id),
        "phone": new_order(["AVZ-01"], march(10), march(12), order_id=order.id, phone="+6281888888888"),
        "branch": new_order(["AVZ-91"], march(10), march(12), order_id=order.id),
    }[other]

    with pytest.raises(Refusal) as refused:
        rig.try_book(second, "tono" if other == "branch" else "rina")

    assert (refused.value.code, refused.value.field) == (RefusalCode.DUPLICATE, "order_id")


def test_an_order_of_several_units_is_all_or_nothing(rig: WriteRig) -> None:
    rig.book("AVZ-02", first=march(11), last=march(11))
    before = rig.rows("SELECT id, availability_version FROM sentra.unit ORDER BY id")

    answer = rig.try_book(new_order(["AVZ-03", "AVZ-02", "AVZ-01"], march(10), march(12), phone="+6281555555555"))

    assert isinstance(answer, Taken)
    assert {item.unit_id for item in answer.blockers} == {"AVZ-02"}
    assert rig.taken("AVZ-01") == rig.taken("AVZ-03") == []
    assert rig.rows("SELECT id, availability_version FROM sentra.unit ORDER BY id") == before
    assert rig.value("SELECT count(*) FROM sentra.booking_order") == 1
    assert rig.value("SELECT count(*) FROM sentra.customer") == 1


def test_an_order_of_two_units_is_one_invoice_with_one_ppn(rig: WriteRig) -> None:
    booked = rig.book("AVZ-02", "AVZ-01", first=march(10), last=march(12))

    assert [item.unit_id for item in booked.bookings] == ["AVZ-02", "AVZ-01"]
    assert booked.total == 2 * (3 * 300_000 + 500_000)
    assert rig.rows("SELECT base + ppn, ppn FROM sentra.invoice") == [(1_800_000, 178_378)]
    rig.insist_on_invariants()


def test_two_lines_over_the_same_days_of_one_unit_write_nothing(rig: WriteRig) -> None:
    answer = rig.try_book(new_order(["AVZ-01", "AVZ-01"], march(10), march(12)))

    assert isinstance(answer, Taken)
    assert rig.value("SELECT count(*) FROM sentra.booking") == 0


def test_mixed_orders_over_the_same_units_never_deadlock(rig: WriteRig) -> None:
    """Lock order units by id: whatever the order of the lines, nobody is chosen as a victim."""
    tries_again: list[float] = []
    shuffles = (["AVZ-01", "AVZ-02", "AVZ-03"], ["AVZ-03", "AVZ-02", "AVZ-01"], ["AVZ-02", "AVZ-03", "AVZ-01"])

    def one_desk(desk: int) -> list[object]:
        store = rig.new_store("rina", pool_size=1, sleep=tries_again.append)
        answers: list[object] = []
        for turn in range(12):
            day = dt.date(2027, 6, 1) + dt.timedelta(days=(desk + turn) % 5)
            phone = f"+62814{desk}{turn:02d}000000"
            answer = book_with(store, new_order(shuffles[(desk + turn) % 3], day, day, phone=phone))
            if isinstance(answer, BookedOrder):
                for item in answer.bookings:
                    cancel_with(store, item.id)
            answers.append(answer)
        return answers

    results = at_once([lambda d=desk: one_desk(d) for desk in range(6)])

    assert not [item for item in results if isinstance(item, BaseException)]
    assert tries_again == []  # a deadlock's victim would have been tried again
    rig.insist_on_invariants()


def test_an_overdue_layer_takes_its_days_from_new_bookings(rig: WriteRig) -> None:
    late = rig.book("AVZ-01", first=march(5), last=march(6))
    rig.owner.execute(
        "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
        " VALUES ('AVZ-01', 'AVZ', 'JKT', '[2027-03-07,2027-03-08]', 'OVERDUE', %s)",
        (late.bookings[0].id,),
    )

    answer = rig.try_book(new_order(["AVZ-01"], march(8), march(9)))

    assert isinstance(answer, Taken)
    assert [(item.kind, item.days) for item in answer.blockers] == [(OccupancyKind.OVERDUE, stretch(7, 8))]


def test_a_retired_unit_is_not_rentable(rig: WriteRig) -> None:
    rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'AVZ-01'")

    with pytest.raises(Refusal) as refused:
        rig.try_book(new_order(["AVZ-01"], march(10), march(12)))

    assert refused.value.code is RefusalCode.UNIT_NOT_RENTABLE
    assert refused.value.params["unit_id"] == "AVZ-01"


def test_a_unit_of_another_branch_looks_like_not_found(rig: WriteRig) -> None:
    with pytest.raises(Refusal) as refused:
        rig.try_book(new_order(["AVZ-01", "AVZ-91"], march(10), march(12)))

    assert (refused.value.code, refused.value.field) == (RefusalCode.NOT_FOUND, "lines[1].unit_id")


def test_who_stands_in_the_way_in_another_branch_is_not_named(rig: WriteRig) -> None:
    """A unit that moved to another branch keeps the bookings of the old one; their names stay there."""
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.owner.execute("UPDATE sentra.unit SET branch_id = 'MKS' WHERE id = 'AVZ-01'")

    answer = rig.try_book(new_order(["AVZ-01"], march(10), march(12)), "tono")

    assert isinstance(answer, Taken)
    assert (answer.blockers[0].customer_name, answer.blockers[0].by) == (None, "")


@pytest.mark.parametrize("forged", ["rate", "deposit", "total", "turnaround", "ppn"])
def test_an_order_at_other_prices_than_the_skus_is_refused(rig: WriteRig, forged: str) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))
    (booking,) = order.bookings

    def sold_as(**change: object) -> Sku:
        return replace(AVZ, **change)  # type: ignore[arg-type]

    wrong = {
        "rate": replace(order, bookings=(replace(booking, sku=sold_as(daily_rate=Rupiah(1))),)),
        "deposit": replace(order, lines=order.lines[:1], total=order.lines[0].amount),
        "total": replace(order, total=Rupiah(order.total - 1)),
        "turnaround": replace(order, bookings=(replace(booking, taken=stretch(10, 11)),)),
        "ppn": replace(order, ppn=Rupiah(0)),
    }[forged]

    with pytest.raises(Refusal) as refused:
        rig.try_book(wrong)

    expected = {
        "deposit": (RefusalCode.FIELD_INVALID, "prices"),
        "total": (RefusalCode.FIELD_INVALID, "total"),
        "turnaround": (RefusalCode.FIELD_INVALID, "lines[0].taken_last"),
    }
    assert (refused.value.code, refused.value.field) == expected.get(forged, (RefusalCode.PRICE_CHANGED, None))
    assert rig.value("SELECT count(*) FROM sentra.booking") == 0


def test_a_customer_with_the_same_phone_is_used_again_not_doubled(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.book("AVZ-02", first=march(10), last=march(12), name="sari DEWI")
    with pytest.raises(Refusal) as other:
        rig.book("AVZ-03", first=march(10), last=march(12), name="Sari D.")

    assert (other.value.code, other.value.field) == (RefusalCode.DUPLICATE, "customer.phone")
    assert other.value.params["customer_name"] == "Sari Dewi"
    assert rig.rows("SELECT name, phone FROM sentra.customer") == [("Sari Dewi", "+6281234567890")]
    assert rig.rows("SELECT word FROM sentra.customer_word ORDER BY word") == [("dewi",), ("sari",)]


def test_a_customer_who_does_not_exist_is_refused_by_field(rig: WriteRig) -> None:
    with pytest.raises(Refusal) as refused:
        rig.try_book(new_order(["AVZ-01"], march(10), march(12), customer_id=str(uuid.uuid4())))

    assert (refused.value.code, refused.value.field) == (RefusalCode.NOT_FOUND, "customer.id")


@pytest.mark.parametrize("login", ["gilang", "hesti"])
def test_only_agent_cashier_and_service_of_the_branch_book(rig: WriteRig, login: str) -> None:
    with pytest.raises(Refusal) as refused:
        rig.try_book(new_order(["AVZ-01"], march(10), march(12)), login)

    # An inspector has no right at all; a manager of another branch does not even see the unit.
    assert refused.value.code is (RefusalCode.NOT_ALLOWED if login == "gilang" else RefusalCode.NOT_FOUND)


def test_an_agent_cannot_pretend_to_be_the_waitlist(rig: WriteRig) -> None:
    order = replace(new_order(["AVZ-01"], march(10), march(12)), source=Source.WAITLIST)

    with pytest.raises(Refusal) as refused:
        rig.try_book(order)

    assert refused.value.code is RefusalCode.NOT_ALLOWED


def test_the_service_repeats_a_projection_that_a_killed_counter_never_made(rig: WriteRig) -> None:
    rig.book("AVZ-02", "AVZ-01", first=march(10), last=march(12))

    assert rig.rows("SELECT kind, payload, not_before - created_at FROM sentra.outbox WHERE done_at IS NULL") == [
        ("project_units", {"unit_ids": ["AVZ-01", "AVZ-02"]}, dt.timedelta(seconds=5))
    ]
