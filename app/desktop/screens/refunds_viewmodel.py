"""Money that is due back: which refunds wait, and paying one out once, with a manager's word where one is needed."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.shift_desk_viewmodel import ManagersWord
from app.desktop.screens.walk_in_counter import Approve
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import ZERO, Rupiah
from app.domain.refund import RefundState, RefundWay
from app.domain.staff import Role, StaffMember
from app.usecases.rows_till import PaidOut, RefundRow

ACTION = "refund_pay_out"
WAYS = (RefundWay.CASH, RefundWay.EDC, RefundWay.TRANSFER, RefundWay.CREDIT)
"""In the order of 1 to 4. What a company owes is reduced where that is how it was paid."""


class RefundDesk(Protocol):
    """The part of `Refunds` that the page needs."""

    def refunds(self, states: Sequence[RefundState], limit: int = 500) -> tuple[RefundRow, ...]: ...

    def may_pay_out_alone(self, refund: RefundRow, way: RefundWay) -> bool: ...

    def refund_pay_out(
        self,
        refund_id: str,
        attempt_id: str,
        way: RefundWay,
        *,
        reference: str | None = None,
        bank: str | None = None,
        reason: str | None = None,
        approval_id: str | None = None,
    ) -> PaidOut: ...


class RefundsViewModel(ViewModel):
    """`paid_out` carries the RefundRow as it stands then, `shift_needed` the Refusal of cash without a shift."""

    paid_out = Signal(object)
    shift_needed = Signal(object)

    def __init__(
        self,
        desk: RefundDesk,
        approve: Approve,
        new_id: Callable[[], str],
        who: StaffMember,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._approve, self._new_id = desk, approve, new_id
        self.who = who
        self.may_pay_out = Role.CASHIER in who.roles
        self.due: tuple[RefundRow, ...] = ()
        self.is_loaded = False
        self._attempts: dict[str, str] = {}
        """By refund: sent again under the same id until it is answered, so that money goes back once."""

    @reload_command
    async def load(self) -> None:
        """Read what is due; only whoever may pay it out sees it."""
        if self.may_pay_out:
            self.due = await call(self._desk.refunds, (RefundState.DUE,))
        self.is_loaded = True
        self.changed.emit()

    def total(self) -> Rupiah:
        return Rupiah(sum(refund.amount for refund in self.due))

    def usual_way(self, refund: RefundRow) -> RefundWay:
        """The way most of it was paid by; cash where nothing is known."""
        ways = (*WAYS, RefundWay.RECEIVABLE)
        return max(ways, key=lambda way: refund.came_by.get(way, ZERO))

    def ways(self, refund: RefundRow) -> tuple[RefundWay, ...]:
        """What may be chosen for it."""
        owes = (RefundWay.RECEIVABLE,) if refund.came_by.get(RefundWay.RECEIVABLE, ZERO) else ()
        return (*WAYS, *owes)

    def needs_word(self, refund: RefundRow, way: RefundWay) -> bool:
        """Whether a reason and a manager's approval are asked for."""
        return not self._desk.may_pay_out_alone(refund, way)

    @command
    async def pay_out(
        self, refund: RefundRow, way: RefundWay, reference: str, bank: str, reason: str, word: ManagersWord | None
    ) -> None:
        """Pay it out; what was asked and not answered is sent again as the same."""
        approval: str | None = None
        if word is not None:
            given = await call(self._approve, word.login, word.password, ACTION, refund.id, reason, refund.amount)
            approval = given.id
        attempt = self._attempts.setdefault(refund.id, self._new_id())
        try:
            await call(
                lambda: self._desk.refund_pay_out(
                    refund.id,
                    attempt,
                    way,
                    reference=reference or None,
                    bank=bank or None,
                    reason=reason or None,
                    approval_id=approval,
                )
            )
        except Refusal as no:
            if no.code is RefusalCode.SHIFT_NEEDED:
                self.shift_needed.emit(no)
                return
            if no.code is RefusalCode.UNREACHABLE:
                raise
            del self._attempts[refund.id]
            raise
        del self._attempts[refund.id]
        done = await call(self._desk.refunds, (RefundState.DONE,))
        self.due = await call(self._desk.refunds, (RefundState.DUE,))
        self.changed.emit()
        self.paid_out.emit(next((row for row in done if row.id == refund.id), refund))
