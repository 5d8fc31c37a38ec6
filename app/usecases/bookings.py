"""Book and cancel: the seven guarded steps of seed 10.1, with PostgreSQL as the arbiter."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.domain.booking import Action, Source, transition
from app.domain.days import local_day
from app.domain.down_payment import check_part, parted
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import ZERO, Rupiah
from app.domain.pricing import Quote, QuoteLine, quote
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.alternatives import Alternatives
from app.usecases.booking_customer import check_licence, check_name
from app.usecases.booking_input import BookLine as BookLine
from app.usecases.booking_input import BookRequest as BookRequest
from app.usecases.booking_input import (
    check_lines,
    check_period,
    checked_amount,
    checked_note,
    checked_uuid,
    checked_version,
    new_customer,
)
from app.usecases.booking_plan import LinePlan, Planner
from app.usecases.booking_prices import check_due, check_price, price_question, quote_lines, rental_times
from app.usecases.calendar import Calendar
from app.usecases.cancellations import Cancellations
from app.usecases.demand import Demand
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store, Tx
from app.usecases.rows import Blocker, BookedOrder, EndedBooking, NewBooking, NewCustomer, NewOrder, Taken
from app.usecases.rows_rates import PriceBasis

log = logging.getLogger(__name__)

QUOTE_HOLDS = dt.timedelta(minutes=15)
"""How long a price is told to hold; whether it still does is asked when the order is booked."""

TRIES_FOR_ANY_UNIT = 50
"""Lost races after which "any unit" is refused; with the index away each clerk tries the units one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """An order whose input is checked, and what it is priced by."""

    order_id: str
    request: BookRequest
    customer: NewCustomer | None
    note: str
    approval_id: str | None
    prices: PriceBasis


class Bookings(Cancellations):
    """Booking use cases of one logged-in person at one counter."""

    def __init__(
        self,
        store: Store,
        calendar: Calendar,
        work: IndexWork,
        who: StaffMember,
        counter: str,
        ids: Ids,
        demand: Demand | None = None,
    ) -> None:
        self._store = store
        self._calendar = calendar
        self._alternatives = Alternatives(store, calendar)
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids
        self._demand = demand or Demand(store, who, counter)

    def quote(self, lines: Sequence[BookLine], *, down_payment: Rupiah | None = None) -> Quote:
        """The price of an order now, whoever asks for it; nothing is written or held.

        With a down payment `total` is what is due now and `balance` what is due until pick-up.

        A discount above the person's limit has a price too: the approval is asked for when the order is booked.
        """
        check_lines(lines)
        if down_payment is not None:
            checked_amount(down_payment, "down_payment")
        basis = self._store.read.price_basis(price_question(lines, has_down_payment=down_payment is not None))
        skus = []
        for number, (line, found) in enumerate(zip(lines, basis.lines, strict=True)):
            if found is None:
                raise Refusal(RefusalCode.NOT_FOUND, field=f"lines[{number}].sku", next=(), sku=line.sku)
            skus.append(found.sku)
        ids = [str(number) for number in range(len(lines))]
        items = quote_lines(self._store, lines, skus, ids, basis)
        priced = _quoted(items, basis, down_payment)
        return replace(priced, valid_until=basis.now + QUOTE_HOLDS)

    def book(self, request: BookRequest) -> BookedOrder:
        """Book all lines or none. Raises DAYS_TAKEN with what is in the way and what else is free.

        A phone that is somebody's of another name is refused DUPLICATE `customer.phone` with who that is; a licence
        that ends before the return FIELD_INVALID `customer.licence_expires_on`, a unit due by now `lines[…].due_at`.

        A customer who is blocked (by a code of the blacklist, or by arrears) is booked by a manager or with a manager's
        word: else APPROVAL_NEEDED, action `blocked_customer` with the code as `blocked`. Its `object` is that customer
        with that code in this order; the word is for a discount too.

        The same `order_id` again answers with the first result and writes nothing (cases R-09, R-11). A wish that is
        refused for want of free days is recorded, once under its order id, for the lost-demand report.
        """
        try:
            return self._book(request)
        except Refusal as no:
            self._demand.record(no, request.order_id)
            raise

    def _book(self, request: BookRequest) -> BookedOrder:
        transition(None, Action.CREATE, self._who.roles)
        order_id = checked_uuid(request.order_id, "order_id")
        check_lines(request.lines)
        if request.down_payment is not None:
            checked_amount(request.down_payment, "down_payment")
        customer = new_customer(request, self._ids)
        start = self._store.read.before_booking(
            order_id,
            [line.unit_id for line in request.lines if line.unit_id is not None],
            price_question(request.lines, has_down_payment=request.down_payment is not None),
            request.customer_id,
            None if customer is None else customer.phone,
        )
        wish = _Wish(
            order_id=order_id,
            request=request,
            note=checked_note(request.note),
            approval_id=None if request.approval_id is None else checked_uuid(request.approval_id, "approval_id"),
            customer=customer,
            prices=start.prices,
        )
        if start.is_known and (before := self._store.read.order(order_id)) is not None:
            return self._again(wish, before)
        today = local_day(start.now, start.prices.branch.zone)
        for number, line in enumerate(request.lines):
            check_period(line.period, today, f"lines[{number}]")
        check_due(request.lines, start.prices)
        check_name(customer, start.customer)
        check_licence(start.customer, request.lines, start.prices)
        planner = Planner(
            self._store, self._calendar, self._work, self._who, order_id, f"{self._counter}:{self._ids.token()}"
        )
        planner.plan(request.lines, start.units)
        items = self._priced(planner.plans, wish)
        needs_word = start.customer is not None and start.customer.blocked and Role.MANAGER not in self._who.roles
        priced = _quoted(items, start.prices, request.down_payment)
        check_price(request, order_id, priced, start.prices, start.customer if needs_word else None)
        try:
            planner.hold_all()
            booked = self._commit(planner, wish, items)
        except Exception:
            # Whatever went wrong: what PostgreSQL says now is projected, and while it says nothing the claims stay.
            planner.give_back(planner.plans)
            raise
        news = [self._work.news(self._who.branch.id, "booking", item.id) for item in booked.bookings]
        news.append(self._work.news(self._who.branch.id, "invoice", booked.invoice_id))
        if request.down_payment is not None:
            news.append(self._work.news(self._who.branch.id, "invoice", _balance_id(order_id)))
        claims = planner.claims_on([item.unit_id for item in booked.bookings])
        self._work.conclude(planner.epoch, booked.projections, claims, news)
        log.info("booked order %s: %s", booked.order_id, ", ".join(item.number for item in booked.bookings))
        return booked

    def find_order(self, order_id: str) -> BookedOrder | None:
        """What became of an order whose answer was lost; None when it is not written.

        Refuses UNREACHABLE while a transaction that has written it may still commit.
        """
        wanted = checked_uuid(order_id, "order_id")
        self._store.transact(lambda tx: tx.await_order(wanted), one_call=True)
        return self._store.read.order(wanted)

    def cancel(self, booking_id: str, reason: str = "", *, version: int | None = None) -> EndedBooking:
        """Cancel an unpaid booking: its days are free at once. Refused while a cashier settles its invoice.

        `version` as for changes: one that somebody changed since is refused BOOKING_STATE, `changed_meanwhile`.
        """
        require_role(self._who, frozenset({Role.AGENT, Role.CASHIER}), Action.CANCEL.value)
        wanted = checked_uuid(booking_id, "booking_id")
        why = checked_note(reason, "reason")
        checked_version(version)
        epoch = self._work.epoch()
        ended = self._store.transact(lambda tx: tx.end_booking(wanted, Action.CANCEL, why, version), one_call=True)
        news = [
            self._work.news(ended.branch_id, "booking", ended.booking_id),
            self._work.news(ended.branch_id, "invoice", ended.invoice_id),
        ]
        self._work.conclude(epoch, ended.projections, (), news)
        log.info("cancelled booking %s", ended.number)
        return ended

    # --- steps --------------------------------------------------------------------------------------------------------

    def _again(self, wish: _Wish, before: BookedOrder) -> BookedOrder:
        """This id was booked before: the database answers the first result, or DUPLICATE for another order.

        The order is sent as it was wished for: what came of it may have been given another unit since.
        """
        lines = wish.request.lines
        wished = [line.unit_id or item.unit_id for line, item in zip(lines, before.bookings, strict=False)]
        units = {unit.unit.id: unit for unit in self._store.read.units(wished)}
        plans = []
        for number, (line, unit_id) in enumerate(zip(lines, wished, strict=False)):
            found = [units[unit_id]] if unit_id in units and units[unit_id].sku.code == line.sku else []
            if not found and line.unit_id is None:  # swapped for a better one: any unit of what was sold
                found = [unit for unit in self._calendar.fleet() if unit.sku.code == line.sku][:1]
            plans.append(LinePlan(number, line, found))
        if len(lines) != len(before.bookings) or not all(plan.candidates for plan in plans):
            raise Refusal(RefusalCode.DUPLICATE, field="order_id", next=(), order_id=wish.order_id)
        order = self._order(plans, wish, self._priced(plans, wish, again=True))
        return self._store.transact(partial(_book_or_roll_back, order), one_call=True)

    def _commit(self, planner: Planner, wish: _Wish, items: Sequence[QuoteLine]) -> BookedOrder:
        """Step 4. A lost race on "any unit" tries the next candidate; a given unit is refused naming who has it."""
        for _ in range(TRIES_FOR_ANY_UNIT):
            try:
                order = self._order(planner.plans, wish, items)
                return self._store.transact(partial(_book_or_roll_back, order), one_call=True)
            except _RolledBack as lost_race:
                blockers = lost_race.taken.blockers
            lost = [plan for plan in planner.plans if any(plan.is_blocked_by(blocker) for blocker in blockers)]
            given = [plan for plan in lost if not plan.any_unit]
            if given:
                planner.give_back(planner.plans)
                raise self._taken(given, blockers)
            planner.try_others(lost)
        first = wish.request.lines[0]
        raise self._alternatives.none_free(0, first.sku, first.period)

    def _taken(self, given: Sequence[LinePlan], blockers: Sequence[Blocker]) -> Refusal:
        """The refusal of the first unit that is taken; `taken_units` names every one of the order (case C-34)."""
        first = given[0]
        no = self._alternatives.taken(first.number, first.unit, first.line.period, blockers)
        no.params["taken_units"] = [
            {"line": plan.number, "unit_id": plan.unit.unit.id, "plate": plan.unit.unit.plate} for plan in given
        ]
        return no

    def _priced(self, plans: Sequence[LinePlan], wish: _Wish, *, again: bool = False) -> tuple[QuoteLine, ...]:
        """What each booking will be priced by; which unit of its SKU it gets is of no account."""
        named = uuid.UUID(wish.order_id)
        ids = [str(uuid.uuid5(named, str(plan.number))) for plan in plans]
        lines, skus = [plan.line for plan in plans], [plan.unit.sku for plan in plans]
        return quote_lines(self._store, lines, skus, ids, wish.prices, again=again)

    def _order(self, plans: Sequence[LinePlan], wish: _Wish, items: Sequence[QuoteLine]) -> NewOrder:
        now, branch = wish.prices.now, wish.prices.branch
        priced = quote(branch, items, local_day(now, branch.zone))
        bookings = []
        for plan, item in zip(plans, items, strict=True):
            pickup_at, due_at = rental_times(branch, plan.line, now, plan.number)
            bookings.append(
                NewBooking(
                    id=item.booking_id,
                    unit_id=plan.unit.unit.id,
                    given_unit=plan.line.unit_id,
                    sku=plan.unit.sku,
                    period=plan.line.period,
                    taken=plan.taken,
                    pickup_at=pickup_at,
                    due_at=due_at,
                    agreed_deposit=plan.line.deposit,
                    priced=item,
                )
            )
        return NewOrder(
            id=wish.order_id,
            customer_id=wish.request.customer_id,
            new_customer=wish.customer,
            bookings=tuple(bookings),
            invoice_id=str(uuid.uuid5(uuid.UUID(wish.order_id), "RENTAL")),
            lines=priced.lines,
            base=priced.ppn.base if priced.ppn else priced.taxable,
            dpp=priced.ppn.dpp if priced.ppn else ZERO,
            ppn=priced.ppn.tax if priced.ppn else ZERO,
            total=priced.total,
            source=Source.COUNTER,
            note=wish.note,
            counter=self._counter,
            approval_id=wish.approval_id,
            down_payment=wish.request.down_payment,
            balance_id=_balance_id(wish.order_id),
        )


class _RolledBack(Exception):
    """Nothing of a blocked order was written; carries the blockers out."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def _quoted(items: Sequence[QuoteLine], basis: PriceBasis, down_payment: Rupiah | None) -> Quote:
    today = local_day(basis.now, basis.branch.zone)
    whole = quote(basis.branch, items, today)
    if down_payment is None:
        return whole
    check_part(whole, down_payment, [item.period for item in items], today, basis.least_down_payment)
    return parted(whole, basis.branch, down_payment, today)


def _balance_id(order_id: str) -> str:
    """Of the BALANCE invoice that an order with a down payment has."""
    return str(uuid.uuid5(uuid.UUID(order_id), "BALANCE"))


def _book_or_roll_back(order: NewOrder, tx: Tx) -> BookedOrder:
    answer = tx.book(order)
    if isinstance(answer, Taken):
        raise _RolledBack(answer)
    return answer
