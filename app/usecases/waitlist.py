"""The waitlist at the counter: join, withdraw, and who waits. Offers are the service's work."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from app.domain.catalogue import checked_sku
from app.domain.days import RentalPeriod, local_day
from app.domain.errors import Refusal
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_customer import with_ways_on
from app.usecases.booking_input import check_period, checked_uuid, typed_customer
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store
from app.usecases.rows_waitlist import JoinedWaitlist as JoinedWaitlist
from app.usecases.rows_waitlist import NewWaitlistEntry
from app.usecases.rows_waitlist import WaitlistRow as WaitlistRow
from app.usecases.waitlist_mirror import WaitlistMirror, tell_mirror

log = logging.getLogger(__name__)

MAY_JOIN = frozenset({Role.AGENT, Role.CASHIER})


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitlistWish:
    """Who waits for what: a known customer by id, or a name and a phone number as with a booking."""

    sku: str
    period: RentalPeriod
    customer_id: str | None = None
    customer_name: str | None = None
    customer_phone: str | None = None


class Waitlist:
    """Waitlist use cases of one logged-in person at one counter. The rows in PostgreSQL decide, Redis mirrors them."""

    def __init__(
        self, store: Store, mirror: WaitlistMirror, work: IndexWork, who: StaffMember, counter: str, ids: Ids
    ) -> None:
        self._store = store
        self._mirror = mirror
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids

    def join_waitlist(self, wish: WaitlistWish) -> JoinedWaitlist:
        """Put a customer on the list of the own branch for a SKU and a period.

        Joining twice keeps and shows the first place: one open place per customer, SKU and first day, also when two
        counters join at once. After a lapse or a withdrawal a new join is a new place. Refuses PERIOD_INVALID for a
        first day that is past or more than 730 days away, NOT_FOUND for a SKU this branch has no unit of, DUPLICATE
        `customer.phone` naming whose the phone is when that is another name.
        """
        require_role(self._who, MAY_JOIN, "join_waitlist")
        checked_sku(wish.sku)
        customer = typed_customer(wish.customer_id, wish.customer_name, wish.customer_phone, self._ids)
        check_period(wish.period, local_day(self._store.read.now(), self._who.branch.zone))
        wanted = NewWaitlistEntry(
            id=self._ids.uuid(),
            customer_id=wish.customer_id,
            new_customer=customer,
            sku=wish.sku,
            period=wish.period,
            counter=self._counter,
        )
        try:
            joined = self._store.transact(lambda tx: tx.join_waitlist(wanted), one_call=True)
        except Refusal as no:
            raise with_ways_on(no) from None
        entry = joined.entry
        tell_mirror(self._mirror, (entry.sku, entry.period.first, entry.customer_id), joined.mirrored)
        self._work.announce(self._who.branch.id, "waitlist", entry.id)
        log.info("waitlist entry %s, place %d%s", entry.id, entry.position, " (kept)" if joined.already else "")
        return joined

    def withdraw_waitlist(self, entry_id: str) -> None:
        """Take a waiting entry off the list, which also undoes a join; one that was withdrawn before stays so.

        Refuses NOT_FOUND, and FIELD_INVALID (`not_waiting`) for an entry that was offered, booked or lapsed.
        """
        require_role(self._who, MAY_JOIN, "withdraw_waitlist")
        wanted = checked_uuid(entry_id, "entry_id")
        gone = self._store.transact(lambda tx: tx.withdraw_waitlist(wanted, self._counter), one_call=True)
        tell_mirror(self._mirror, (gone.sku, gone.first_day, gone.customer_id), gone.mirrored)
        self._work.announce(gone.branch_id, "waitlist", gone.id)
        log.info("waitlist entry %s withdrawn", gone.id)

    def entries(self, sku: str | None = None) -> tuple[WaitlistRow, ...]:
        """Open entries of the own branch that are not past, in the order in which each SKU's are asked."""
        if sku is not None:
            checked_sku(sku)
        return self._store.read.waitlist(self._who.branch.id, sku)
