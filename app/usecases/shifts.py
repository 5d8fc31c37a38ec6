"""Cash shifts: open, cash in and out, count blind, close with the difference explained, open again, X and Z report."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from app.domain.cash_count import counted
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.invoice import MAX_AMOUNT
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.ports import Store
from app.usecases.rows import ShiftRow
from app.usecases.rows_till import ClosingList, ShiftCount, ShiftLine, ShiftReport

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
MAX_DRAFTS = 50
MAX_SLIPS = 100_000


class Shifts:
    """Shift use cases of one logged-in person at one counter."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def current_shift(self) -> ShiftRow | None:
        """My open shift, or None."""
        return self._store.read.open_shift()

    def open_shift(self, drawer: str, opening_float: Rupiah) -> ShiftRow:
        """Open a shift on a drawer with its opening cash. Refuses DUPLICATE when I or the drawer have one open."""
        require_role(self._who, CASHIER, "open_shift")
        name = " ".join(drawer.split())
        if not 1 <= len(name) <= 40:
            raise invalid("drawer", "length" if name else "empty", least=1, most=40)
        if not name.isprintable():
            raise invalid("drawer", "control_characters")
        if not 0 <= opening_float <= MAX_AMOUNT:
            raise invalid("float", "not_an_amount", given=opening_float)
        shift = self._store.transact(lambda tx: tx.open_shift(name, opening_float, self._counter), one_call=True)
        log.info("shift %s opened on drawer %s", shift.number, shift.drawer)
        return shift

    def move_cash(self, movement_id: str, amount: Rupiah, reason: str) -> ShiftReport:
        """Put cash into my drawer, or take it out (less than nothing), with a reason; my shift as it is then.

        One id is one movement. Refuses SHIFT_NEEDED, and FIELD_INVALID `over_drawer` for more than the drawer holds.
        """
        require_role(self._who, CASHIER, "move_cash")
        wanted, why = checked_uuid(movement_id, "movement_id"), checked_reason(reason)
        if not 0 < abs(amount) <= MAX_AMOUNT:
            raise invalid("amount", "not_an_amount", given=amount)
        self._store.transact(lambda tx: tx.move_cash(wanted, amount, why, self._counter), one_call=True)
        log.info("cash moved: %d", amount)
        return self.shift_report()

    def shift_report(self, shift_id: str | None = None) -> ShiftReport:
        """A shift in one snapshot: X while it runs, Z once it is closed. Without an id my open one, else SHIFT_NEEDED.

        Another cashier's is a manager's to read; for anybody else NOT_FOUND.
        """
        require_role(self._who, CASHIER, "shift_report")
        wanted = None if shift_id is None else checked_uuid(shift_id, "shift_id")
        found = self._store.read.shift_report(wanted)
        if found is None and wanted is None:
            raise Refusal(RefusalCode.SHIFT_NEEDED, next=(), cash=True)
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="shift_id", next=(), shift_id=wanted)
        return found

    def shifts(self, limit: int = 100) -> tuple[ShiftLine, ...]:
        """Shifts of the branch, the newest first."""
        require_role(self._who, CASHIER, "shifts")
        return self._store.read.shifts(max(1, min(limit, 1000)))

    def closing_list(self) -> ClosingList:
        """What somebody should look at before my shift is closed; none of it keeps it open."""
        require_role(self._who, CASHIER, "closing_list")
        return self._store.read.closing_list()

    def count_shift(
        self,
        count_id: str,
        pieces: Mapping[int, int],
        edc_slips: int = 0,
        edc_total: Rupiah = Rupiah(0),
        shift_id: str | None = None,
    ) -> ShiftCount:
        """Lock in a blind count of my drawer (or, for a manager, of that shift's) and learn what it should hold.

        One id is one count. Once more is allowed, and again whenever money moved since; all counts are kept. Refuses
        BOOKING_STATE `counted_twice` or `shift_closed`.
        """
        require_role(self._who, CASHIER, "count_shift")
        wanted = checked_uuid(count_id, "count_id")
        which = None if shift_id is None else checked_uuid(shift_id, "shift_id")
        counted(pieces)
        if not 0 <= edc_slips <= MAX_SLIPS:
            raise invalid("edc_slips", "not_a_number", given=edc_slips)
        if not 0 <= edc_total <= MAX_AMOUNT:
            raise invalid("edc_total", "not_an_amount", given=edc_total)
        return self._store.transact(
            lambda tx: tx.count_shift(wanted, which, pieces, edc_slips, edc_total, self._counter), one_call=True
        )

    def close_shift(
        self, shift_id: str, reason: str | None = None, approval_id: str | None = None, drafts: Sequence[str] = ()
    ) -> ShiftReport:
        """Close a shift by its last count; its Z report. `drafts`: what this counter has lying unfinished.

        A difference needs a reason; beyond the branch's limit a manager's approval of `close_shift` on the shift for at
        least the difference, else APPROVAL_NEEDED. Refuses FIELD_INVALID `pieces` when it was not counted, or money
        moved since the count.
        """
        require_role(self._who, CASHIER, "close_shift")
        wanted = checked_uuid(shift_id, "shift_id")
        why = None if reason is None else checked_reason(reason)
        word = None if approval_id is None else checked_uuid(approval_id, "approval_id")
        names = tuple(" ".join(name.split())[:100] for name in drafts[:MAX_DRAFTS] if name.strip())
        closed = self._store.transact(lambda tx: tx.close_shift(wanted, why, word, names, self._counter), one_call=True)
        report = self.shift_report(closed)
        log.info("shift %s closed with a difference of %s", report.number, report.difference)
        return report

    def reopen_shift(self, shift_id: str, reason: str, approval_id: str | None = None) -> ShiftReport:
        """Open a closed shift again, to be counted and closed once more.

        A manager's; a cashier's own with a manager's approval of `reopen_shift` on the shift.
        """
        require_role(self._who, CASHIER, "reopen_shift")
        wanted, why = checked_uuid(shift_id, "shift_id"), checked_reason(reason)
        word = None if approval_id is None else checked_uuid(approval_id, "approval_id")
        opened = self._store.transact(lambda tx: tx.reopen_shift(wanted, why, word, self._counter), one_call=True)
        report = self.shift_report(opened)
        log.info("shift %s opened again", report.number)
        return report
