"""Open a cash shift: one per cashier and per drawer."""

from __future__ import annotations

import logging

from app.domain.errors import invalid
from app.domain.invoice import MAX_AMOUNT
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.ports import Store
from app.usecases.rows import ShiftRow

log = logging.getLogger(__name__)


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
        require_role(self._who, frozenset({Role.CASHIER}), "open_shift")
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
