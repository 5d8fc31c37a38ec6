"""Rules of the state machine: open, renew, move, release, settle; locks that run out, and payments sent twice."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.domain.errors import RefusalCode
from tests.faults.model import CANCELLED, LOCK, PAID, PENDING, ModelLock, ModelOrder, ModelUnit
from tests.faults.model_rig import cashiers, lengths, picks, starts, units
from tests.faults.model_rules_booking import BookingRules
from tests.support.world import cash


class MoneyRules(BookingRules):
    """One payer per invoice, whoever held its lock before."""

    @precondition(lambda self: self.model.orders)
    @rule(which=picks, cashier=cashiers)
    def open_invoice(self, which: int, cashier: str) -> None:
        self._lock(self.order_of(which), cashier)

    @rule(unit=units, start=starts, length=lengths, cashier=cashiers)
    def walk_in(self, unit: ModelUnit, start: int, length: int, cashier: str) -> None:
        """Book and pay at one counter, as it goes most of the time."""
        before = len(self.model.orders)
        self.book_given(unit=unit, start=start, length=length, clerk=cashier, is_blind=False)
        if len(self.model.orders) > before:
            self.settle(which=3 * before, cashier=cashier)

    @precondition(lambda self: self.model.orders)
    @rule(which=picks, cashier=cashiers)
    def settle(self, which: int, cashier: str) -> None:
        """Open and pay in one go, as it goes most of the time."""
        order = self.order_of(which)
        lock = self._lock(order, cashier)
        if lock is not None:
            self._pay(order, lock)

    @precondition(lambda self: self.model.orders)
    @rule(which=picks)
    def two_cashiers_open_one_invoice(self, which: int) -> None:
        order = self.order_of(which)
        for cashier in ("siti", "budi"):
            self._lock(order, cashier)

    @precondition(lambda self: self._holding())
    @rule(which=picks)
    def pay_under_a_lock_of_before(self, which: int) -> None:
        """A lock that was taken some steps ago: still good, run out, or given to somebody else meanwhile."""
        order, lock = self.pick(self._holding(), which)
        self._pay(order, lock)

    @precondition(lambda self: self._holding())
    @rule(which=picks, how=st.sampled_from(["renew", "renew", "idle", "release", "move", "move"]), cashier=cashiers)
    def use_a_lock(self, which: int, how: str, cashier: str) -> None:
        """Keep it, give it up or move it to another window: by who has it, or believes so."""
        order, lock = self.pick(self._holding(), which)
        if how == "release":
            self._release(order, lock)
        elif how == "move":
            self._move(order, cashier)
        else:
            self._renew(order, lock, 900_000 if how == "idle" else 60_000)

    def _renew(self, order: ModelOrder, lock: ModelLock, idle: int) -> None:
        settlement = self.at(lock.cashier).settlement
        if idle >= 900_000 or not self._is_good(order, lock):
            self.refused(lambda: settlement.renew_lock(lock.held.handle, idle), RefusalCode.LOCK_LOST)
            return
        assert settlement.renew_lock(lock.held.handle, idle) == 60_000
        lock.until = self.now + LOCK
        self.tally["renewed"] += 1

    def _release(self, order: ModelOrder, lock: ModelLock) -> None:
        """Its own lock only, also one that ran out and nobody took; never another's."""
        is_its_own = order.lock is lock and order.paid_by is None and not order.is_void
        assert self.at(lock.cashier).settlement.release_lock(lock.held.handle) is is_its_own
        if is_its_own:
            order.lock = None
            order.old_locks.append(lock)

    def _move(self, order: ModelOrder, cashier: str) -> None:
        settlement = self.at(cashier).settlement
        if order.paid_by is not None or order.is_void:
            self.refused(lambda: settlement.move_lock(order.invoice_id), RefusalCode.BOOKING_STATE)
        elif not order.is_locked(self.now):
            self.refused(lambda: settlement.move_lock(order.invoice_id), RefusalCode.LOCK_LOST)
        elif order.lock is not None and order.lock.cashier != cashier:
            self.refused(lambda: settlement.move_lock(order.invoice_id), RefusalCode.LOCK_HELD)
        else:
            assert order.lock is not None
            before = order.lock
            held = settlement.move_lock(order.invoice_id)
            order.old_locks.append(before)
            order.lock = ModelLock(cashier=cashier, held=held, until=self.now + LOCK)
            assert before.held.handle.epoch < held.handle.epoch
            self.tally["moved"] += 1

    @precondition(lambda self: self._paid())
    @rule(which=picks)
    def send_a_payment_again(self, which: int) -> None:
        """The same attempt, the same receipt: one payment. Another attempt is no second one."""
        order = self.pick(self._paid(), which)
        assert order.paid_by is not None
        attempt, number, held = order.paid_by
        settlement = self.at("siti").settlement
        total = settlement.invoice(order.invoice_id).row.total
        again = settlement.settle(held.handle, attempt, [cash(total)])
        assert (again.already, again.number) == (True, number)
        self.refused(
            lambda: settlement.settle(held.handle, self.at("siti").new_id(), [cash(total)]), RefusalCode.BOOKING_STATE
        )
        self.tally["paid again"] += 1

    # --- steps ------------------------------------------------------------------------------------------------------

    def _lock(self, order: ModelOrder, cashier: str) -> ModelLock | None:
        """Take the lock, or see it refused as the model says."""
        settlement = self.at(cashier).settlement
        if order.is_locked(self.now) and order.paid_by is None and not order.is_void:
            mine = order.lock is not None and order.lock.cashier == cashier
            code = RefusalCode.LOCK_MINE_ELSEWHERE if mine else RefusalCode.LOCK_HELD
            no = self.refused(lambda: settlement.open_invoice(order.invoice_id), code)
            assert order.lock is not None
            assert no.params["remaining_ms"] == int((order.lock.until - self.now).total_seconds() * 1000)
            return None
        void_by_time = order.is_void and any(stay.expired for stay in order.stays)
        if order.paid_by is None and (order.is_overdue(self.now) or void_by_time):
            self.refused(lambda: settlement.open_invoice(order.invoice_id), RefusalCode.BOOKING_EXPIRED)
            return None
        if order.paid_by is not None or order.is_void:
            self.refused(lambda: settlement.open_invoice(order.invoice_id), RefusalCode.BOOKING_STATE)
            return None
        held = settlement.open_invoice(order.invoice_id)
        assert held.remaining_ms == 60_000
        if order.lock is not None:
            order.old_locks.append(order.lock)
            self.tally["taken over"] += 1
        order.lock = ModelLock(cashier=cashier, held=held, until=self.now + LOCK)
        self.tally["locked"] += 1
        return order.lock

    def _pay(self, order: ModelOrder, lock: ModelLock) -> None:
        counter = self.at(lock.cashier)
        total = counter.settlement.invoice(order.invoice_id).row.total
        attempt = counter.new_id()

        def pay() -> str:
            return counter.settlement.settle(lock.held.handle, attempt, [cash(total)]).number

        if order.paid_by is not None or order.is_void:
            self.refused(pay, RefusalCode.BOOKING_STATE)
        elif not self._is_good(order, lock):
            self.refused(pay, RefusalCode.LOCK_LOST)
        else:
            number = pay()
            order.paid_by = (attempt, number, lock.held)
            order.old_locks.append(lock)
            order.lock = None
            for stay in order.stays:
                if stay.state is PENDING:
                    stay.state, stay.deadline = PAID, None
                else:
                    assert stay.state is CANCELLED
            self.model.owes({stay.unit for stay in order.stays if stay.state is PAID}, self.now)
            self.is_swept = False
            self.tally["paid"] += 1

    def _is_good(self, order: ModelOrder, lock: ModelLock) -> bool:
        return order.lock is lock and lock.until > self.now and order.paid_by is None and not order.is_void

    def _holding(self) -> list[tuple[ModelOrder, ModelLock]]:
        """Every lock that anybody ever had and may still believe in."""
        found = []
        for order in self.model.orders.values():
            found += [(order, lock) for lock in [*order.old_locks[-2:], order.lock] if lock is not None]
        return found

    def _paid(self) -> list[ModelOrder]:
        return [order for order in self.model.orders.values() if order.paid_by is not None]
