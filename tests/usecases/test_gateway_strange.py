"""Money that went back at the gateway, that it holds back, or that is no whole amount: explained, blocking nothing."""

from __future__ import annotations

from app.domain.gateway import AttemptKind, GatewayAmount, GatewayStatus
from app.domain.money import Rupiah
from app.usecases.gateway import NoticeOutcome
from app.usecases.rows import BookedOrder
from app.usecases.rows_gateway import EventSource, GatewayTold
from tests.support.world import World
from tests.usecases.test_gateway_orders import Scene, day_of, scene

pytest_plugins = ("tests.support.world_fixtures",)


def _booked(at: Scene, n: int) -> BookedOrder:
    unit, period = day_of(n)
    return at.world.book(at.siti, period, unit, phone=f"0812 0000 {n:04d}")


def _told(name: str, transaction: str, status: GatewayStatus, word: str, gross: int, *, back: int = 0) -> GatewayTold:
    return GatewayTold(
        order_id=name,
        transaction_id=transaction,
        status=status,
        word=word,
        code="200",
        amount=GatewayAmount(gross=Rupiah(gross), fee=Rupiah(0)),
        payment_type="qris",
        body="{}",
        said=f"{gross}.00",
        given_back=Rupiah(back),
    )


def _says(at: Scene, told: GatewayTold) -> GatewayTold:
    """From now on the provider answers this about the order."""
    at.port.other[told.order_id] = told
    return told


def _tasks(at: Scene, name: str) -> list[tuple[object, ...]]:
    return at.world.rows(
        "SELECT reason, state, amount FROM sentra.late_money WHERE provider_order_id = %s ORDER BY reason, amount", name
    )


def _catch_up(at: Scene) -> None:
    parts = at.world.service()
    at.port.away = False
    for _ in range(2):
        at.desk.work_now()
        at.desk.pass_once()
        parts.sweeps.expire()
        parts.sweeps.outbox()
        at.world.after(seconds=25)


def _state(at: Scene, name: str) -> str:
    return str(at.world.value("SELECT state FROM sentra.gateway_attempt WHERE order_id = %s", name))


def test_what_went_back_at_the_gateway_is_a_task_beside_what_was_booked_whichever_came_first(world: World) -> None:
    at = scene(world)
    orders = [_booked(at, n) for n in range(5)]
    part, whole, after, killed, twice = (at.qris(one) for one in orders)
    total = [one.total for one in orders]
    refunded = GatewayStatus.REFUNDED

    # Some of it went back before anybody here heard that it came.
    first = _says(at, _told(part, "t1", refunded, "partial_refund", total[0], back=100_000))
    assert at.desk.notice(first) is NoticeOutcome.BOOKED
    assert at.desk.notice(first) is NoticeOutcome.REPLAY
    assert world.state(orders[0].bookings[0].id) == "PAID_APPROVED"
    more = _says(at, _told(part, "t1", refunded, "partial_refund", total[0], back=250_000))
    assert at.desk.notice(more) is NoticeOutcome.GIVEN_BACK
    assert _tasks(at, part) == [("GIVEN_BACK", "OPEN", 100_000), ("GIVEN_BACK", "OPEN", 150_000)]

    # All of it did: nothing came in the end, and the invoice can be asked for again.
    gone = _says(at, _told(whole, "t2", refunded, "chargeback", total[1], back=total[1]))
    assert at.desk.notice(gone) is NoticeOutcome.GIVEN_BACK
    assert (_state(at, whole), _tasks(at, whole)) == ("ENDED", [])
    assert world.state(orders[1].bookings[0].id) == "PENDING_PAYMENT"
    assert at.siti.gateway.start_attempt(orders[1].invoice_id, AttemptKind.QRIS).number == 2

    # Booked, and gone back later: no replay.
    assert at.desk.notice(_says(at, _told(after, "t3", GatewayStatus.PAID, "settlement", total[2]))) is (
        NoticeOutcome.BOOKED
    )
    back = _says(at, _told(after, "t3", refunded, "refund", total[2], back=total[2]))
    assert at.desk.notice(back) is NoticeOutcome.GIVEN_BACK
    assert at.desk.notice(back) is NoticeOutcome.REPLAY
    assert _tasks(at, after) == [("GIVEN_BACK", "OPEN", total[2])]
    assert world.state(orders[2].bookings[0].id) == "PAID_APPROVED"

    # The service died between storing what it was answered and booking it: the next look books it.
    paid = _says(at, _told(killed, "t4", GatewayStatus.PAID, "settlement", total[3]))
    at.desk._record(paid, EventSource.STATUS)
    world.after(seconds=6)
    assert at.desk.pass_once().done == 1
    assert world.state(orders[3].bookings[0].id) == "PAID_APPROVED"

    # A second transaction of another sum under a paid name; whoever heard of it died before asking.
    assert at.desk.notice(_says(at, _told(twice, "t5", GatewayStatus.PAID, "settlement", total[4]))) is (
        NoticeOutcome.BOOKED
    )
    second = _told(twice, "t6", GatewayStatus.PAID, "settlement", 123_000)
    at.port.other["t6"] = second
    at.desk._record(second, EventSource.NOTIFICATION)
    world.after(seconds=6)
    assert at.desk.pass_once().done == 1
    assert _tasks(at, twice) == [("SECOND_PAYMENT", "OPEN", 123_000)]
    assert at.desk.notice(second) is NoticeOutcome.REPLAY
    assert at.desk.pass_once().done == 0
    world.after(minutes=3)
    _catch_up(at)
    assert world.doctor().breaks == ()


def test_money_in_parts_of_a_rupiah_or_under_an_unknown_judgement_is_a_task_and_blocks_nothing(world: World) -> None:
    at = scene(world)
    orders = [_booked(at, n) for n in range(4)]
    cents, held, challenged, odd = (at.qris(one) for one in orders)
    total = [one.total for one in orders]

    broken = GatewayTold(
        order_id=cents,
        transaction_id="c1",
        status=GatewayStatus.PAID,
        word="settlement",
        code="200",
        amount=GatewayAmount(gross=Rupiah(total[0]), fee=Rupiah(0), is_exact=False),
        payment_type="qris",
        body="{}",
        said=f"{total[0]}.50",
    )
    assert at.desk.notice(_says(at, broken)) is NoticeOutcome.WRONG_AMOUNT
    assert _tasks(at, cents) == [("WRONG_AMOUNT", "OPEN", total[0])]
    assert world.value("SELECT DISTINCT said FROM sentra.gateway_event WHERE order_id = %s", cents) == broken.said

    review = _says(at, _told(held, "h1", GatewayStatus.HELD, "settlement", total[1]))
    assert at.desk.notice(review) is NoticeOutcome.HELD
    assert at.desk.notice(review) is NoticeOutcome.HELD
    assert _tasks(at, held) == [("HELD_BACK", "OPEN", total[1])]
    assert world.state(orders[1].bookings[0].id) == "PENDING_PAYMENT"
    _says(at, _told(challenged, "k1", GatewayStatus.CHALLENGED, "capture", total[2]))
    _says(at, _told(odd, "o1", GatewayStatus.UNKNOWN, "something new", total[3]))
    world.after(minutes=15, seconds=1)
    at.desk.pass_once()
    assert [_state(at, name) for name in (held, challenged, odd)] == ["ENDED"] * 3

    # Judged in the end: the same word and code mean money now, and its own verdict counts.
    fine = _says(at, _told(held, "h1", GatewayStatus.PAID, "settlement", total[1]))
    assert at.desk.notice(fine) is NoticeOutcome.BOOKED
    assert _tasks(at, held) == [("HELD_BACK", "CLOSED", total[1])]
    _catch_up(at)
    assert world.doctor().breaks == ()


def test_an_attempt_of_a_gateway_that_never_answers_again_is_over_ten_minutes_past_its_end(world: World) -> None:
    at = scene(world)
    name = at.qris(_booked(at, 0))
    at.port.away = True
    world.after(minutes=24, seconds=59)
    assert at.desk.pass_once().failed == 1
    assert _state(at, name) == "LIVE"
    world.after(minutes=3)
    at.desk.pass_once()
    assert _state(at, name) == "ENDED"
    _catch_up(at)
    assert world.doctor().breaks == ()
