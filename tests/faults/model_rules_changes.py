"""Rules of the state machine: move, hand over, extend, shorten, and take a unit out of rent and back."""

from __future__ import annotations

import datetime as dt
import uuid

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.adapters.postgres.owner_steps import move_booking
from app.domain.booking import Action
from app.domain.days import RentalPeriod
from app.domain.errors import RefusalCode
from tests.faults.model import DEADLINE, EXTENDING, OUT, PAID, PENDING, ModelUnit, Stay
from tests.faults.model_rig import UNITS, ModelRig, clerks, lengths, picks, starts, units
from tests.support.world import cash


class ChangeRules(ModelRig):
    """What becomes of a booking that stands. Its own days are never in its way."""

    @precondition(lambda self: self.model.orders)
    @rule(
        which=picks, start=starts, length=lengths, other=st.one_of(st.none(), st.sampled_from(UNITS[:3])), clerk=clerks
    )
    def reschedule(self, which: int, start: int, length: int, other: ModelUnit | None, clerk: str) -> None:
        stay = self.stay_of(which)
        unit = other if other is not None and other.sku == stay.unit.sku else stay.unit
        period = self.period(start, length)
        changes = self.at(clerk).changes_of_bookings
        order = self.model.orders[stay.order_id]

        def move() -> object:
            return changes.reschedule(stay.booking_id, period, unit.id)

        if stay.state not in (PENDING, PAID):
            self.refused(move, RefusalCode.BOOKING_STATE)
        elif stay.state is PENDING and order.is_overdue(self.now):
            self.refused(move, RefusalCode.BOOKING_EXPIRED)
        elif (period, unit) == (stay.period, stay.unit):
            move()
        elif stay.state is PENDING and order.is_locked(self.now):
            self.refused(move, RefusalCode.INVOICE_LOCKED)
        elif not self.model.is_free(unit, period, but_not=stay):
            no = self.refused(move, RefusalCode.DAYS_TAKEN)
            told = no.params["blockers"]
            assert isinstance(told, list)
            assert stay.number not in {item["number"] for item in told}, "it is in its own way"
        else:
            before = stay.unit
            changes.reschedule(stay.booking_id, period, unit.id)
            stay.period, stay.unit = period, unit
            self._told({before, unit})
            self.tally["moved on"] += 1

    @precondition(lambda self: self._paid_stays())
    @rule(which=picks)
    def hand_over(self, which: int) -> None:
        """The unit goes out with the customer, along the machine's own arrows."""
        stay = self.pick(self._paid_stays(), which)
        for action in (Action.CHECK_OUT, Action.HAND_OVER):
            move_booking(self.world.database.owner_url, stay.booking_id, action)
        stay.state = OUT
        self.tally["out"] += 1

    @precondition(lambda self: self._out())
    @rule(which=picks, days=st.integers(1, 4), then=st.sampled_from(["wait", "pay", "pay", "reject"]), clerk=clerks)
    def extend(self, which: int, days: int, then: str, clerk: str) -> None:
        """Hold extra days; then they are paid, given back, or left to the deadline."""
        stay = self.pick(self._out(), which)
        last = max(stay.period.last, self.today) + dt.timedelta(days=days)
        changes = self.at(clerk).changes_of_bookings

        def ask() -> object:
            return changes.request_extension(stay.booking_id, last)

        if not self.model.is_free(stay.unit, RentalPeriod(stay.period.first, last), but_not=stay):
            self.refused(ask, RefusalCode.DAYS_TAKEN)
            return
        held = changes.request_extension(stay.booking_id, last)
        stay.state, stay.held_until, stay.extension = EXTENDING, last, held.invoice_id
        stay.deadline = self.now + DEADLINE
        assert held.payment_deadline == stay.deadline
        self._told({stay.unit})
        self.tally["extended"] += 1
        if then == "pay":
            self._pay_extension(stay)
        elif then == "reject":
            changes.reject_extension(stay.booking_id)
            stay.let_go()
            self._told({stay.unit})

    def _pay_extension(self, stay: Stay) -> None:
        siti = self.at("siti")
        assert stay.extension is not None
        assert stay.held_until is not None
        lock = siti.settlement.open_invoice(stay.extension)
        total = siti.settlement.invoice(stay.extension).row.total
        assert siti.settlement.settle(lock.handle, siti.new_id(), [cash(total)]).number
        stay.period = RentalPeriod(stay.period.first, stay.held_until)
        stay.let_go()
        self.model.owes([stay.unit], self.now)
        self.is_swept = False

    @precondition(lambda self: self._out())
    @rule(which=picks, days=st.integers(1, 3), clerk=clerks)
    def shorten(self, which: int, days: int, clerk: str) -> None:
        stay = self.pick(self._out(), which)
        last = stay.period.last - dt.timedelta(days=days)
        changes = self.at(clerk).changes_of_bookings
        if last < self.today or last < stay.period.first:
            self.refused(lambda: changes.shorten(stay.booking_id, last), RefusalCode.PERIOD_INVALID)
            return
        changes.shorten(stay.booking_id, last)
        stay.period = RentalPeriod(stay.period.first, last)
        self._told({stay.unit})
        self.tally["shortened"] += 1

    @rule(unit=units, start=starts, length=lengths)
    def block_unit(self, unit: ModelUnit, start: int, length: int) -> None:
        """Planned work by the inspector: refused over anything that stands there."""
        days = self.period(start, length)
        dedi = self.at("dedi").maintenance
        block_id = str(uuid.uuid4())
        if self.model.taken(unit) & set(days):
            self.refused(lambda: dedi.block_unit(unit.id, days, "servis", block_id=block_id), RefusalCode.DAYS_TAKEN)
            return
        dedi.block_unit(unit.id, days, "servis", block_id=block_id)
        self.model.blocks[block_id] = (unit, days)
        self.may_end.append(block_id)
        self._told({unit})
        self.tally["blocked"] += 1

    @precondition(lambda self: self.may_end)
    @rule(which=picks)
    def end_block(self, which: int) -> None:
        """What has not begun is as if it had never been; of what runs, the days from today on are free."""
        block_id = self.may_end.pop(which % len(self.may_end))
        unit, days = self.model.blocks[block_id]
        if days.last < self.today:
            return  # over by itself
        self.at("dedi").maintenance.end_block(block_id)
        left = [day for day in days if day < self.today]
        if left:
            self.model.blocks[block_id] = (unit, RentalPeriod(left[0], left[-1]))
        else:
            del self.model.blocks[block_id]
        self._told({unit})
        self.tally["unblocked"] += 1

    # --- steps --------------------------------------------------------------------------------------------------------

    def _told(self, changed: set[ModelUnit]) -> None:
        """A counter changed these units, and told the index."""
        self.model.told_by_a_counter(changed, self.today)
        self.model.owes(changed, self.now)
        self.is_swept = False

    def _paid_stays(self) -> list[Stay]:
        return [stay for stay in self.model.stays if stay.state is PAID]

    def _out(self) -> list[Stay]:
        return [stay for stay in self.model.stays if stay.state is OUT]
