"""Every order of settlement, expiry, sweep, cash and cancelling around a deadline: all money explained, one booking."""

from __future__ import annotations

import itertools
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg

from app.adapters.clock import SystemIds
from app.adapters.gateway.midtrans_words import MidtransNotices
from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.gateway import AttemptKind, GatewayAmount, GatewayStatus, status_of
from app.domain.money import Rupiah
from app.index_parts import index_parts
from app.usecases.bookings import BookLine
from app.usecases.gateway import GatewayDesk, NoticeOutcome
from app.usecases.index_work import IndexWork
from app.usecases.ports_gateway import GatewayAway
from app.usecases.rows import BookedOrder
from app.usecases.rows_gateway import GatewayPlace, GatewayTold, MadeAttempt
from tests.support.at_once import at_once
from tests.support.world import AVANZAS, START, World, cash, line
from tests.usecases.test_down_payments import reserve

pytest_plugins = ("tests.support.world_fixtures",)


@dataclass
class PlainGateway:
    """A provider in memory: what each order's truth is; `away` while nobody answers."""

    truth: dict[str, str] = field(default_factory=dict)
    amounts: dict[str, int] = field(default_factory=dict)
    other: dict[str, GatewayTold] = field(default_factory=dict)
    away: bool = False
    on_status: Callable[[], None] | None = None

    @property
    def place(self) -> GatewayPlace:
        return GatewayPlace(mode="simulated", is_simulated=True)

    def create_link(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt:
        self._answers()
        return MadeAttempt(link="https://pay.example/x")

    def create_qris(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt:
        self._answers()
        self.truth[order_id], self.amounts[order_id] = "pending", amount
        return MadeAttempt(qr="SIMULASI", transaction_id=transaction_of(order_id))

    def status(self, name: str) -> GatewayTold | None:
        self._answers()
        if name in self.other:
            return self.other[name]
        answer = self.told(name) if name in self.truth else None
        if (meanwhile := self.on_status) is not None:
            self.on_status = None
            meanwhile()
        return answer

    def expire(self, order_id: str) -> bool:
        self._answers()
        if self.truth.get(order_id) != "pending":
            return False
        self.truth[order_id] = "expire"
        return True

    def refund(self, order_id: str, key: str, amount: Rupiah, reason: str, payment_type: str) -> None:
        self._answers()

    def told(self, order_id: str, word: str = "") -> GatewayTold:
        said = word or self.truth[order_id]
        return GatewayTold(
            order_id=order_id,
            transaction_id=transaction_of(order_id),
            status=status_of(said, "accept"),
            word=said,
            code="200" if said == "settlement" else "201",
            amount=GatewayAmount(gross=Rupiah(self.amounts[order_id]), fee=Rupiah(0)),
            payment_type="qris",
            body=json.dumps({"said": said}),
        )

    def _answers(self) -> None:
        if self.away:
            raise GatewayAway("timeout")


def transaction_of(order_id: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, order_id))


@dataclass
class Scene:
    """A world with a provider in memory, a desk of the service, and a clerk with a cash drawer."""

    world: World
    port: PlainGateway
    desk: GatewayDesk
    siti: Counter

    def qris(self, booked: BookedOrder) -> str:
        """A live code for what is due; its order id."""
        asked = self.siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
        self.desk.work_now()
        return asked.order_id

    def another_desk(self) -> GatewayDesk:
        """A second service at the same provider."""
        return _desk(self.world, self.port)

    @contextmanager
    def holding(self, statement: str) -> Iterator[None]:
        """Somebody's open transaction that has locked these rows."""
        with psycopg.connect(self.world.database.owner_url) as connection:
            connection.execute(statement.encode())
            yield
            connection.rollback()

    def money(self) -> tuple[int, int]:
        """Cash and gateway money as the books tell: payments by tender, and late money of the gateway's."""
        cash_in = self.world.value("SELECT coalesce(sum(amount), 0)::bigint FROM sentra.tender WHERE kind = 'CASH'")
        gateway = self.world.value(
            "SELECT (SELECT coalesce(sum(amount), 0) FROM sentra.tender WHERE kind = 'QRIS')::bigint"
            " + (SELECT coalesce(sum(amount), 0) FROM sentra.late_money WHERE state = 'OPEN')::bigint"
        )
        assert isinstance(cash_in, int)
        assert isinstance(gateway, int)
        return cash_in, gateway


def scene(world: World, redis_url: str | None = "") -> Scene:
    port = PlainGateway()
    desk = _desk(world, port)
    desk.publish()
    siti = world.counter("siti", redis_url=redis_url)
    world.open_shift(siti)
    return Scene(world=world, port=port, desk=desk, siti=siti)


def _desk(world: World, port: PlainGateway) -> GatewayDesk:
    parts = world.service()
    index = index_parts(world.settings())
    world._closers.append(index.close)
    work = IndexWork(parts.store, index.index, index.locks, index.changes, "service")
    return GatewayDesk(parts.store, port, MidtransNotices("kunci"), work, SystemIds())


def day_of(n: int) -> tuple[str, RentalPeriod]:
    """A unit and a day of its own for the n-th order."""
    first = START.date().toordinal() + 30 + n // len(AVANZAS)
    day = START.date().fromordinal(first)
    return AVANZAS[n % len(AVANZAS)], RentalPeriod(day, day)


def test_c46_every_order_of_what_can_happen_around_a_deadline_explains_all_money(world: World) -> None:
    """120 orders of five events, with a late word "pending" at every place in turn and three settlements at once."""
    at = scene(world, None)  # the service tells the index in the end
    orders = list(itertools.permutations(("settlement", "expire", "sweep", "cash", "cancel")))
    booked, names = [], []
    for n in range(len(orders)):
        unit, period = day_of(n)
        booked.append(world.book(at.siti, period, unit, phone=f"0812 0000 {n:04d}"))
        names.append(at.siti.gateway.start_attempt(booked[n].invoice_id, AttemptKind.QRIS).order_id)
    while at.desk.work_now():
        continue
    received = [0, 0]

    def settlement(n: int) -> None:
        at.port.truth[names[n]] = "settlement"
        received[1] += booked[n].total
        told = at.port.told(names[n])
        several = 3 if n % 12 == 0 else 1
        found = at_once(*[lambda: at.desk.notice(told)] * several).results
        assert len([one for one in found if one is not NoticeOutcome.REPLAY]) <= 1
        assert at.desk.notice(told) is NoticeOutcome.REPLAY

    def expire(n: int) -> None:
        if at.port.expire(names[n]):
            at.desk.notice(at.port.told(names[n]))

    def pending(n: int) -> None:
        assert at.desk.notice(at.port.told(names[n], "pending")) in (NoticeOutcome.NOTED, NoticeOutcome.REPLAY)

    def sweep(n: int) -> None:
        parts.store.transact(lambda tx: tx.expire_order(booked[n].order_id), one_call=True)

    def cash_in(n: int) -> None:
        try:
            held = at.siti.settlement.open_invoice(booked[n].invoice_id)
            at.siti.settlement.settle(held.handle, at.siti.new_id(), [cash(booked[n].total)])
        except Refusal as no:
            assert no.code in (RefusalCode.BOOKING_EXPIRED, RefusalCode.BOOKING_STATE), str(no)
        else:
            received[0] += booked[n].total

    def cancel(n: int) -> None:
        try:
            at.siti.bookings.cancel(booked[n].bookings[0].id, "")
        except Refusal as no:
            assert no.code in (RefusalCode.BOOKING_EXPIRED, RefusalCode.BOOKING_STATE), str(no)

    parts = world.service()
    steps = {"settlement": settlement, "expire": expire, "sweep": sweep, "cash": cash_in, "cancel": cancel}

    def walk(n: int, *, before: bool) -> None:
        """The steps before the sweep come before the deadline, it and those after it behind it."""
        cut = orders[n].index("sweep")
        part = orders[n][:cut] if before else orders[n][cut:]
        for place, name in enumerate(part, 0 if before else cut):
            if place == n % 5:
                pending(n)
            steps[name](n)

    for n in range(len(orders)):
        walk(n, before=True)
    world.after(minutes=15, seconds=21)
    for n in range(len(orders)):
        walk(n, before=False)
    while at.desk.work_now():
        continue
    parts.sweeps.outbox()
    parts.sweeps.outbox()

    assert at.money() == tuple(received)
    assert (
        world.rows(
            "SELECT unit_id, days, count(*) FROM sentra.occupancy WHERE active GROUP BY 1, 2 HAVING count(*) > 1"
        )
        == []
    )
    for n, order in enumerate(orders):
        rows = world.rows(
            "SELECT b.state FROM sentra.booking b JOIN sentra.booking r ON r.id = %s"
            " WHERE (b.id = r.id OR b.reinstated_from = r.id) AND b.state <> 'CANCELLED'",
            booked[n].bookings[0].id,
        )
        assert rows == [("PAID_APPROVED",)], order  # the gateway's money came in each of them
    assert world.doctor().breaks == ()


def test_r27_r28_a_status_that_is_slow_is_not_acted_on_twice_and_news_before_the_answer_is_no_fault(
    world: World,
) -> None:
    at = scene(world)
    unit, period = day_of(0)
    booked = world.book(at.siti, period, unit)
    asked = at.siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    # the payer was faster than the answer to our question.
    at.port.truth[asked.order_id], at.port.amounts[asked.order_id] = "settlement", booked.total
    told = at.port.told(asked.order_id)
    first: list[NoticeOutcome] = []
    at.port.on_status = lambda: first.append(at.desk.notice(told))
    assert at.desk.notice(told) is NoticeOutcome.REPLAY, "while it was asked, another notification was booked"
    assert first == [NoticeOutcome.BOOKED]
    at.desk.work_now()
    assert at.money() == (0, booked.total)
    assert world.rows("SELECT state FROM sentra.gateway_attempt") == [("PAID",)]
    assert world.doctor().breaks == ()


def test_a_gateway_that_is_away_delays_and_loses_nothing(world: World) -> None:
    at = scene(world)
    unit, period = day_of(0)
    booked = world.book(at.siti, period, unit)
    at.port.away = True
    asked = at.siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    at.desk.work_now()
    assert world.rows("SELECT state FROM sentra.gateway_attempt") == [("ASKED",)]
    at.port.away = False
    world.after(seconds=6)
    at.desk.work_now()
    assert world.rows("SELECT state FROM sentra.gateway_attempt") == [("LIVE",)]
    at.port.truth[asked.order_id] = "settlement"
    at.port.away = True
    try:
        at.desk.notice(at.port.told(asked.order_id))
    except GatewayAway:
        world.after(seconds=6)
    assert at.desk.pass_once().failed == 1
    at.port.away = False
    world.after(seconds=4)
    assert at.desk.pass_once().done == 1
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert world.doctor().breaks == ()


def test_money_of_another_amount_or_of_a_second_transaction_is_late_money(world: World) -> None:
    at = scene(world)
    booked = [world.book(at.siti, day_of(n)[1], day_of(n)[0], phone=f"0812 0000 {n:04d}") for n in range(4)]
    less, twice, over, restored = (at.qris(one) for one in booked)
    at.port.truth[less], at.port.amounts[less] = "settlement", 1_000
    assert at.desk.notice(at.port.told(less)) is NoticeOutcome.WRONG_AMOUNT, "kept aside, and asked about"
    world.after(seconds=12)
    at.desk.pass_once()
    assert world.state(booked[0].bookings[0].id) == "PENDING_PAYMENT"

    at.port.truth[twice] = "settlement"
    assert at.desk.notice(at.port.told(twice)) is NoticeOutcome.BOOKED
    again = GatewayTold(
        order_id=twice,
        transaction_id="second",
        status=GatewayStatus.PAID,
        word="settlement",
        code="200",
        amount=GatewayAmount(gross=Rupiah(booked[1].total), fee=Rupiah(0)),
        payment_type="bank_transfer",
        body="{}",
    )
    at.port.other["second"] = again
    assert at.desk.notice(again) is NoticeOutcome.LATE_MONEY

    # The invoice became cheaper than what its code asks for.
    world.do(
        "UPDATE sentra.invoice_line SET amount = amount - 1000 WHERE invoice_id = %s AND kind = 'DEPOSIT'",
        booked[2].invoice_id,
    )
    world.do("UPDATE sentra.invoice SET total = total - 1000 WHERE id = %s", booked[2].invoice_id)
    at.port.truth[over] = "settlement"
    assert at.desk.notice(at.port.told(over)) is NoticeOutcome.BOOKED

    # The attempt is not on record any more: its name tells the invoice.
    world.do("DELETE FROM sentra.gateway_attempt WHERE order_id = %s", restored)
    at.port.truth[restored] = "settlement"
    assert at.desk.notice(at.port.told(restored)) is NoticeOutcome.BOOKED
    assert world.state(booked[3].bookings[0].id) == "PAID_APPROVED"

    assert sorted((row.reason.value, row.amount) for row in at.siti.gateway.late_money()) == [
        ("OVERPAID", 1_000),
        ("SECOND_PAYMENT", booked[1].total),
        ("WRONG_AMOUNT", 1_000),
    ]
    assert world.doctor().breaks == ()


def test_money_late_for_a_down_payment_an_order_of_several_and_an_extension(world: World) -> None:
    at = scene(world)
    parts = world.service()
    reserved = reserve(at.siti)
    several = world.order(
        at.siti, [line_of(40, AVANZAS[1]), line_of(40, AVANZAS[2])], phone="0812 0000 2222", name="Bagus Wira"
    )
    codes = [at.qris(reserved), at.qris(several)]
    world.after(minutes=15, seconds=21)
    parts.sweeps.expire()
    for code in codes:
        at.port.truth[code] = "settlement"
        assert at.desk.notice(at.port.told(code)) is NoticeOutcome.REINSTATED
    assert world.rows(
        "SELECT i.kind, i.state FROM sentra.invoice i JOIN sentra.booking_order o ON o.id = i.order_id"
        " WHERE o.source = 'REINSTATED' ORDER BY i.kind"
    ) == [("BALANCE", "OPEN"), ("DOWN_PAYMENT", "PAID"), ("RENTAL", "PAID")]
    assert world.rows("SELECT state, count(*) FROM sentra.booking WHERE source = 'REINSTATED' GROUP BY 1") == [
        ("PAID_APPROVED", 3)
    ]
    parts.sweeps.outbox()
    assert world.doctor().breaks == ()


def line_of(days_ahead: int, unit: str) -> BookLine:
    day = START.date().fromordinal(START.date().toordinal() + days_ahead)
    return line(RentalPeriod(day, day), unit)
