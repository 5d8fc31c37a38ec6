"""Demand that was refused for want of free days: recorded once per wish, counted for the lost-demand report."""

from __future__ import annotations

import datetime as dt
import logging

from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.calendar import check_window
from app.usecases.ports import Store
from app.usecases.rows_waitlist import RefusalCount as RefusalCount
from app.usecases.rows_waitlist import RefusalRow as RefusalRow
from app.usecases.rows_waitlist import RefusedWish

log = logging.getLogger(__name__)


class Demand:
    """Refused wishes of one logged-in person's branch."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def record(self, no: Refusal, order_id: str) -> None:
        """Record a DAYS_TAKEN refusal of a booking or of a change under its order's id; any other is left alone.

        Never raises and never waits for a lock longer than a moment: the refusal is answered whatever happens here. A
        wish sent again (same order, SKU, unit and days) counts once.
        """
        first, last, sku = (no.params.get(name) for name in ("first_day", "last_day", "sku"))
        unit_id = no.params.get("unit_id")
        if no.code is not RefusalCode.DAYS_TAKEN or not isinstance(sku, str):
            return
        if not (isinstance(first, dt.date) and isinstance(last, dt.date)):
            return
        wish = RefusedWish(
            order_id=order_id,
            sku=sku,
            unit_id=unit_id if isinstance(unit_id, str) else None,
            period=RentalPeriod(first, last),
            code=no.code.value,
            counter=self._counter,
        )
        try:
            self._store.transact(lambda tx: tx.record_refusal(wish), one_call=True)
        except Refusal as away:
            log.warning("a refused wish for %s was not recorded: %s", sku, away)
        except Exception:
            # Whatever is wrong here, the clerk waits for the refusal itself.
            log.exception("a refused wish for %s was not recorded", sku)

    def refusals(self, window: Days) -> tuple[RefusalRow, ...]:
        """Wishes that were refused on the branch's days of the window, oldest first. Managers only."""
        require_role(self._who, frozenset({Role.MANAGER}), "refusals")
        check_window(window)
        return self._store.read.refusals(self._who.branch.id, window)

    def refusal_counts(self, window: Days) -> tuple[RefusalCount, ...]:
        """Lost demand by SKU and wanted day of the window: wishes that were not booked after all. Managers only.

        A wish is an order: one that was tried with several units, or a change that was tried to several dates, counts
        once for each day it wanted. A counter keeps to it: whoever was refused there and asks again the same day for
        the SKU on overlapping days goes on under the refused order's id, and days that were lost while they were being
        chosen are those of the order they were for.
        """
        require_role(self._who, frozenset({Role.MANAGER}), "refusals")
        check_window(window)
        return self._store.read.refusal_counts(self._who.branch.id, window)
