"""Change a booking that stands: move it, give it another unit, extend or shorten it. PostgreSQL decides, as in booking.

Days that a change adds are claimed in the index first; a booking's own days never stand in its way. Nothing is half
freed: the old days and the new ones change in one transaction, or neither.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Sequence

from app.domain.booking import Action, BookingState, transition
from app.domain.booking_change import (
    added,
    change_of,
    check_moved,
    check_unit,
    extended,
    longest_last_day,
    remaining,
    shortened,
    taken_on,
)
from app.domain.catalogue import checked_unit_id
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.pricing import worth
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_input import checked_note, checked_uuid, checked_version
from app.usecases.calendar import Calendar
from app.usecases.change_prices import change_price, paid_for
from app.usecases.change_refusals import ChangeRefusals
from app.usecases.change_seen import check_seen
from app.usecases.demand import Demand
from app.usecases.index_work import Claim, IndexWork
from app.usecases.ports import Ids, Store, Tx
from app.usecases.rows import Blocker, FleetUnit, Taken
from app.usecases.rows_changes import ChangeBasis, ChangedBooking, ChangeQuote

log = logging.getLogger(__name__)

AGENT = frozenset({Role.AGENT})
CHANGERS = frozenset({Role.AGENT, Role.INSPECTOR})
"""An agent moves and extends; once the unit is out, an inspector swaps it."""

Refuse = Callable[[Sequence[Blocker]], Refusal]
Work = Callable[[Tx], ChangedBooking | Taken]

MOST_PRICINGS = 10
"""Each one more is somebody else's change of the same order in between."""


class BookingChanges:
    """Changes of bookings by one logged-in person at one counter. One that somebody changed since its `version` was
    seen is refused BOOKING_STATE, `changed_meanwhile`."""

    def __init__(
        self,
        store: Store,
        calendar: Calendar,
        work: IndexWork,
        who: StaffMember,
        counter: str,
        ids: Ids,
        demand: Demand,
    ) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids
        self._demand = demand
        self._refusals = ChangeRefusals(store, calendar, who)

    def quote_change(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangeQuote:
        """What leading the booking to this period (and unit) would be and cost; nothing is written or held.

        Refuses like the change itself: BOOKING_STATE, BOOKING_EXPIRED, NOT_ALLOWED, PERIOD_INVALID, UNIT_NOT_RENTABLE,
        NOT_FOUND. What stands in the way comes back as blockers.
        """
        require_role(self._who, CHANGERS, "quote_change")
        basis = self._basis(booking_id)
        check_seen(basis, version)
        standing = basis.standing
        unit = self._unit(basis, unit_id)
        action = change_of(standing, period, unit.unit.id)
        self._check_state(basis, action)
        taken = taken_on(standing, unit.sku, period)
        match action:
            case Action.SWAP_UNIT:
                taken = self._swapped(basis, unit, period)
            case Action.RESCHEDULE:
                self._check_moved(basis, unit, period)
            case Action.REQUEST_EXTENSION:
                extended(standing, period.last)
            case _:
                shortened(standing, period.last)
        blockers = self._blockers(basis, unit, taken)
        blocked = action is Action.REQUEST_EXTENSION and bool(blockers)
        before = paid_for(basis, worth(basis.terms, standing.period))
        difference = change_price(self._store, self._who.branch, basis, action, period).difference
        return ChangeQuote(
            before=before,
            after=Rupiah(before + difference),
            difference=difference,
            action=action,
            blockers=blockers,
            longest_last_day=longest_last_day(standing, min(item.days.first for item in blockers)) if blocked else None,
        )

    def reschedule(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangedBooking:
        """Move a booking that is not out yet to another period, and unit if one is named; its rates stay.

        Unpaid: the order's invoice is repriced, the deadline stays. Paid: more rent is an open BALANCE invoice, less
        rent a refund that is due. Refuses DAYS_TAKEN with what is in the way and what else is free, INVOICE_LOCKED
        while a cashier holds the invoice. The period and unit it has already: answered, nothing written.
        """
        require_role(self._who, AGENT, Action.RESCHEDULE.value)
        checked_version(version)
        basis = self._basis(booking_id)
        self._check_state(basis, Action.RESCHEDULE)
        unit = self._unit(basis, unit_id)
        if (period, unit.unit.id) != (basis.standing.period, basis.standing.unit_id):
            self._check_moved(basis, unit, period)
        same_unit = unit.unit.id == basis.standing.unit_id
        claims = added(taken_on(basis.standing, unit.sku, period), basis.held if same_unit else None)

        def move(now: ChangeBasis) -> Work:
            price = change_price(self._store, self._who.branch, now, Action.RESCHEDULE, period)
            return lambda tx: tx.reschedule(
                now.booking_id, period, unit.unit.id, now.version, price.difference, version, price.holidays
            )

        return self._change(
            Action.RESCHEDULE,
            unit,
            claims,
            lambda: self._priced(basis, move),
            lambda found: self._lost(basis, period, self._refusals.moved(unit, basis, period, found)),
        )

    def swap_unit(self, booking_id: str, unit_id: str, *, version: int | None = None) -> ChangedBooking:
        """Give a booking another unit of its SKU, or a better one at the same rate, for the days that remain.

        When the unit is out (inspector) the old one's days end yesterday and the new one's begin today. Refuses
        UNIT_NOT_RENTABLE for a lower class, DAYS_TAKEN with other units that are free.
        """
        require_role(self._who, CHANGERS, Action.SWAP_UNIT.value)
        checked_version(version)
        basis = self._basis(booking_id)
        self._check_state(basis, Action.SWAP_UNIT)
        unit = self._unit(basis, unit_id)
        same = unit.unit.id == basis.standing.unit_id
        needed = basis.held if same else self._swapped(basis, unit, basis.standing.period)
        return self._change(
            Action.SWAP_UNIT,
            unit,
            () if same else (needed,),
            lambda: self._write(lambda tx: tx.swap_unit(basis.booking_id, unit.unit.id, version)),
            lambda found: self._refusals.swapped(unit, basis, needed, found),
        )

    def request_extension(self, booking_id: str, last_day: dt.date, *, version: int | None = None) -> ChangedBooking:
        """Hold the extra days of a rental that is out for 15 minutes, with an EXTENSION invoice for their rent.

        Its settlement makes the period longer. Refuses DAYS_TAKEN naming the obstacle and the longest possible last day
        (cases C-08, C-17). The same extension asked for again by the same person is answered with the one that is held.
        """
        require_role(self._who, AGENT, Action.REQUEST_EXTENSION.value)
        checked_version(version)
        basis = self._basis(booking_id)
        standing = basis.standing
        waiting = standing.state is BookingState.EXTENSION_PENDING and standing.promised_last_day == last_day
        if standing.state is BookingState.EXTENSION_PENDING:
            _check_deadline(basis)
        claims: tuple[Days, ...] = ()
        unit = self._unit(basis, None)
        if not waiting:
            self._check_state(basis, Action.REQUEST_EXTENSION)
            claims = added(taken_on(standing, unit.sku, extended(standing, last_day)), basis.held)

        def ask(now: ChangeBasis) -> Work:
            longer = RentalPeriod(now.standing.period.first, last_day)
            price = change_price(self._store, self._who.branch, now, Action.REQUEST_EXTENSION, longer)
            return lambda tx: tx.request_extension(
                now.booking_id, last_day, now.version, price.difference, version, price.holidays
            )

        return self._change(
            Action.REQUEST_EXTENSION,
            unit,
            claims,
            lambda: self._priced(basis, ask),
            lambda found: self._lost(
                basis,
                RentalPeriod(standing.period.first, last_day),
                self._refusals.extended(unit, basis, last_day, found),
            ),
        )

    def reject_extension(self, booking_id: str, reason: str = "", *, version: int | None = None) -> ChangedBooking:
        """Take an unpaid extension back: its days are free, its invoice is void, the rental goes on as before.

        Refused INVOICE_LOCKED while a cashier settles it.
        """
        require_role(self._who, AGENT, Action.REJECT_EXTENSION.value)
        checked_version(version)
        why = checked_note(reason, "reason")
        wanted = checked_uuid(booking_id, "booking_id")
        return self._change(
            Action.REJECT_EXTENSION,
            None,
            (),
            lambda: self._write(lambda tx: tx.reject_extension(wanted, why, version)),
            _impossible,
        )

    def shorten(
        self, booking_id: str, last_day: dt.date, reason: str = "", *, version: int | None = None
    ) -> ChangedBooking:
        """End a rental that is out earlier, today at the earliest: the rest is free at once, nothing is given back.

        Within the paid days it may be lengthened again while they are free; else DAYS_TAKEN.
        """
        require_role(self._who, AGENT, Action.SHORTEN.value)
        checked_version(version)
        why = checked_note(reason, "reason")
        basis = self._basis(booking_id)
        self._check_state(basis, Action.SHORTEN)
        unit = self._unit(basis, None)
        period = shortened(basis.standing, last_day)
        claims = added(taken_on(basis.standing, unit.sku, period), basis.held)
        return self._change(
            Action.SHORTEN,
            unit,
            claims if period.last > basis.standing.period.last else (),
            lambda: self._write(lambda tx: tx.shorten(basis.booking_id, last_day, why, version)),
            lambda found: self._refusals.extended(unit, basis, last_day, found),
        )

    # --- steps --------------------------------------------------------------------------------------------------------

    def _basis(self, booking_id: str) -> ChangeBasis:
        wanted = checked_uuid(booking_id, "booking_id")
        found = self._store.read.change_basis(wanted)
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id", next=(), booking_id=wanted)
        return found

    def _check_state(self, basis: ChangeBasis, action: Action) -> None:
        transition(basis.standing.state, action, self._who.roles)
        if basis.standing.state is BookingState.PENDING_PAYMENT:
            _check_deadline(basis)

    def _unit(self, basis: ChangeBasis, unit_id: str | None) -> FleetUnit:
        """The wanted unit of the person's branch; the present one when none is named."""
        wanted = basis.standing.unit_id if unit_id is None else checked_unit_id(unit_id, "unit_id")
        found = [item for item in self._store.read.units([wanted]) if item.branch_id == self._who.branch.id]
        if not found:
            raise Refusal(RefusalCode.NOT_FOUND, field="unit_id", next=(), unit_id=wanted)
        return found[0]

    def _check_unit(self, basis: ChangeBasis, unit: FleetUnit, *, starts_today: bool = False) -> None:
        if unit.unit.id != basis.standing.unit_id:
            check_unit(
                unit.unit.id,
                unit.sku,
                unit.unit.status,
                sold_sku=basis.sold_sku,
                sold_rate=basis.sold_rate,
                starts_today=starts_today,
            )

    def _check_moved(self, basis: ChangeBasis, unit: FleetUnit, period: RentalPeriod) -> None:
        check_moved(period, basis.standing.today)
        self._check_unit(basis, unit)

    def _swapped(self, basis: ChangeBasis, unit: FleetUnit, period: RentalPeriod) -> Days:
        """The days a swap needs of the other unit; a unit that is to go out at once must not be in maintenance."""
        out = basis.standing.state is BookingState.ACTIVE_RENTAL
        self._check_unit(basis, unit, starts_today=out)
        return remaining(basis.standing, taken_on(basis.standing, unit.sku, period))

    def _lost(self, basis: ChangeBasis, wanted: RentalPeriod, no: Refusal) -> Refusal:
        """Days that were wanted and not to be had count as lost demand, under the booking's order; not days that the
        booking has anyway, when only the unit was to be another one."""
        if added(wanted, basis.standing.period):
            self._demand.record(no, basis.order_id)
        return no

    def _blockers(self, basis: ChangeBasis, unit: FleetUnit, days: Days) -> tuple[Blocker, ...]:
        """What stands in the way of these days: never the booking itself (cases C-15, C-33)."""
        found = self._store.read.blockers([unit.unit.id], days)
        return tuple(item for item in found if item.booking_id != basis.booking_id)

    def _write(self, work: Work) -> ChangedBooking:
        """One call in a transaction of its own: no row stays locked while a client thinks, or is stopped."""
        answer = self._store.transact(work, one_call=True)
        if isinstance(answer, Taken):
            raise _NotWritten(answer)
        return answer

    def _priced(self, basis: ChangeBasis, work: Callable[[ChangeBasis], Work]) -> ChangedBooking:
        """Price without a lock; when the order has changed since, price and write once more."""
        for _ in range(MOST_PRICINGS - 1):
            try:
                return self._write(work(basis))
            except Refusal as no:
                if no.code is not RefusalCode.PRICE_CHANGED:
                    raise
            basis = self._basis(basis.booking_id)
        return self._write(work(basis))

    def _change(
        self,
        action: Action,
        unit: FleetUnit | None,
        stretches: Sequence[Days],
        write: Callable[[], ChangedBooking],
        refuse: Refuse,
    ) -> ChangedBooking:
        """Claim what is added, write the change, project both units. A claim that is BUSY is a hint only."""
        held = _Held(self._work, self._ids, self._counter)
        try:
            if unit is not None:
                held.take(unit, stretches)
            epoch = held.epoch or self._work.epoch()
            try:
                changed = write()
            except _NotWritten as lost:
                raise refuse(lost.taken.blockers) from None
        except Exception:
            held.give_back()
            raise
        news = [self._work.news(self._who.branch.id, "booking", changed.booking_id)]
        news += [self._work.news(self._who.branch.id, "invoice", invoice_id) for invoice_id in changed.invoices]
        self._work.conclude(epoch, changed.projections, held.claims, news)
        log.info("%s of booking %s: %s on %s", action.value, changed.number, changed.period, changed.unit_id)
        return changed


class _Held:
    """What one change holds in the index: a claim of its own for each stretch that is added."""

    def __init__(self, work: IndexWork, ids: Ids, counter: str) -> None:
        self._work = work
        self._token = ids.uuid()
        self._lock_token = f"{counter}:{ids.token()}"
        self._days: list[Days] = []
        self.claims: list[Claim] = []
        self.epoch: str | None = None
        """The index's when the first claim was made."""

    def take(self, unit: FleetUnit, stretches: Sequence[Days]) -> None:
        for number, days in enumerate(stretches):
            token = f"{self._token}:{number}:{unit.unit.id}"
            claim = self._work.take(unit, days, token, self._lock_token, wait=True)
            self.claims.append(claim)
            self._days.append(days)
            self.epoch = self.epoch or claim.epoch

    def give_back(self) -> None:
        """Project what PostgreSQL says and drop the claims: what was claimed came to nothing."""
        if self.claims:
            self._work.give_back(self.claims, self._days)


class _NotWritten(Exception):
    """Days were taken; carries the blockers out."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def _check_deadline(basis: ChangeBasis) -> None:
    if basis.payment_deadline is not None and basis.payment_deadline <= basis.now:
        raise Refusal(RefusalCode.BOOKING_EXPIRED, field="booking_id", next=(), booking_id=basis.booking_id)


def _impossible(blockers: Sequence[Blocker]) -> Refusal:
    raise RuntimeError(f"giving days back met blockers: {blockers}")
