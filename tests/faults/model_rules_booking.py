"""Rules of the state machine: book, send again, cancel, block a unit, and let time pass with and without a service."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import replace

import psycopg
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.adapters.postgres.owner_steps import record_maintenance
from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import RefusalCode
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder
from tests.faults.model import DEADLINE, PENDING, ModelOrder, ModelUnit, Stay
from tests.faults.model_rig import ModelRig, avanzas, clerks, lengths, picks, starts, units
from tests.support.world import SKU


class BookingRules(ModelRig):
    """Everything that gives days to somebody or takes them back."""

    @rule(unit=units, start=starts, length=lengths, clerk=clerks, is_blind=st.sampled_from([False, False, False, True]))
    def book_given(self, unit: ModelUnit, start: int, length: int, clerk: str, is_blind: bool) -> None:
        """One unit by name; from a counter without an index the service tells the index later."""
        self._book(self.blind(clerk) if is_blind else self.at(clerk), [unit], 0, self.period(start, length), is_blind)

    @rule(start=starts, length=lengths, clerk=clerks)
    def book_any(self, start: int, length: int, clerk: str) -> None:
        self._book(self.at(clerk), [], 1, self.period(start, length))

    @rule(given=avanzas, anys=st.integers(1, 2), start=starts, length=lengths, clerk=clerks)
    def book_order(self, given: frozenset[ModelUnit], anys: int, start: int, length: int, clerk: str) -> None:
        """Several units in one go: all of them or none."""
        named = sorted(given, key=lambda unit: unit.id)
        self._book(self.at(clerk), named, anys, self.period(start, length))

    def _book(
        self, who: Counter, named: list[ModelUnit], anys: int, period: RentalPeriod, is_blind: bool = False
    ) -> None:
        lines = [BookLine(sku=unit.sku, unit_id=unit.id, period=period) for unit in named]
        lines += [BookLine(sku=SKU, period=period)] * anys
        request = BookRequest(
            order_id=str(uuid.uuid4()), lines=tuple(lines), customer_name="Rina M", customer_phone="081200001234"
        )
        blocked = [unit for unit in named if not self.model.is_free(unit, period)]
        left = [unit for unit in self.model.free(SKU, period) if unit not in named]
        if blocked or len(left) < anys:
            no = self.refused(lambda: who.bookings.book(request), RefusalCode.DAYS_TAKEN)
            told = no.params["blockers"]
            assert isinstance(told, list)
            asked = {*blocked, *(self.model.of_sku(SKU) if anys else [])}
            numbers = {item["number"] for item in told if item["number"] is not None}
            assert numbers <= {number for unit in asked for number in self.model.in_the_way(unit, period)}
            # Nobody is in the way of who asks for more units than there are.
            assert bool(told) == any(not self.model.is_free(unit, period) for unit in asked)
            return
        booked = who.bookings.book(request)
        self.tally["booked"] += 1
        self._remember(request, booked)
        chosen = [stay.unit for stay in self.model.orders[booked.order_id].stays]
        assert chosen[: len(named)] == named
        assert set(chosen[len(named) :]) <= set(left)
        if is_blind:
            self.model.stale |= {unit.id for unit in chosen}
        else:
            self.model.told_by_a_counter(chosen, self.today)
        self.model.owes(chosen, self.now)
        self.is_swept = False

    def _remember(self, request: BookRequest, booked: BookedOrder) -> None:
        by_id = {unit.id: unit for unit in self.model.units}
        stays = [
            Stay(
                booking_id=item.id,
                number=item.number,
                order_id=booked.order_id,
                unit=by_id[item.unit_id],
                period=line.period,
                state=PENDING,
                deadline=self.now + DEADLINE,
            )
            for item, line in zip(booked.bookings, request.lines, strict=True)
        ]
        assert all(item.payment_deadline == self.now + DEADLINE for item in booked.bookings)
        self.model.orders[booked.order_id] = ModelOrder(request=request, invoice_id=booked.invoice_id, stays=stays)

    @precondition(lambda self: self.model.orders)
    @rule(which=picks, clerk=clerks)
    def send_an_order_again(self, which: int, clerk: str) -> None:
        """The same id, the same answer, whatever became of it and whoever sends it."""
        order = self.order_of(which)
        again = self.at(clerk).bookings.book(order.request)
        assert again.repeat
        assert [(item.id, item.number, item.unit_id, item.state) for item in again.bookings] == [
            (stay.booking_id, stay.number, stay.unit.id, stay.state) for stay in order.stays
        ]
        assert again.invoice_id == order.invoice_id
        self.tally["again"] += 1
        self._send_another_under_its_id(order, self.at(clerk))

    def _send_another_under_its_id(self, order: ModelOrder, who: Counter) -> None:
        line = order.request.lines[0]
        later = RentalPeriod(line.period.first, line.period.last + dt.timedelta(days=1))
        other = replace(order.request, lines=(replace(line, period=later), *order.request.lines[1:]))
        self.refused(lambda: who.bookings.book(other), RefusalCode.DUPLICATE)

    @precondition(lambda self: self.model.orders)
    @rule(which=picks, clerk=clerks, is_blind=st.sampled_from([False, False, True]))
    def cancel(self, which: int, clerk: str, is_blind: bool) -> None:
        """Only what is unpaid and in no cashier's hands; its days are free at once."""
        stay = self.stay_of(which)
        order = self.model.orders[stay.order_id]
        who = self.blind(clerk) if is_blind else self.at(clerk)
        if stay.state is not PENDING:
            no = self.refused(lambda: who.bookings.cancel(stay.booking_id), RefusalCode.BOOKING_STATE)
            assert no.params["state"] == stay.state.value
        elif order.is_locked(self.now):
            no = self.refused(lambda: who.bookings.cancel(stay.booking_id), RefusalCode.INVOICE_LOCKED)
            assert order.lock is not None
            assert no.params["holder_name"] == order.lock.cashier.capitalize()
        else:
            ended = who.bookings.cancel(stay.booking_id)
            assert [(item.days.first, item.days.last) for item in ended.freed] == [(stay.days.first, stay.days.last)]
            stay.end()
            if is_blind:
                self.model.stale.add(stay.unit.id)
            else:
                self.model.told_by_a_counter([stay.unit], self.today)
            self.model.owes([stay.unit], self.now)
            self.is_swept = False
            self.tally["cancelled"] += 1

    @rule(unit=units, start=starts, length=lengths)
    def block(self, unit: ModelUnit, start: int, length: int) -> None:
        """Maintenance recorded by the installation's owner: the constraint alone decides, and the index is not told."""
        days = self.period(start, length)

        def record() -> None:
            record_maintenance(
                self.world.database.owner_url, unit_id=unit.id, days=days, reason="servis", running=start == 0
            )

        if self.model.taken(unit) & set(days):
            with pytest.raises(psycopg.errors.ExclusionViolation):
                record()
            self.tally["block refused"] += 1
            return
        record()
        self.model.blocks[str(uuid.uuid4())] = (unit, days)
        self.model.stale.add(unit.id)
        self.tally["blocked"] += 1

    @rule(minutes=st.sampled_from([0.25, 0.5, 1, 1, 3, 5, 14, 20.5, 24 * 60]), is_swept=st.booleans())
    def time_passes(self, minutes: float, is_swept: bool) -> None:
        """With a service running, what nobody paid is free again; without one it is late, not lost."""
        self._pass(dt.timedelta(minutes=minutes))
        if is_swept or minutes > 60:
            self._sweep_all()

    def _pass(self, step: dt.timedelta) -> None:
        self.world.database.clock.advance(step)
        self.now += step
        self.is_swept = False

    def _sweep_all(self) -> None:
        before = len([stay for stay in self.model.stays if stay.expired])
        self.sweep()
        self.tally["expired"] += len([stay for stay in self.model.stays if stay.expired]) - before
