"""The counter's side of the payment gateway: show a QR code or send a link, watch it, end it before cash is taken."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from app.domain.gateway import AttemptKind, AttemptState
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.ports import Store
from app.usecases.ports_gateway import GatewayBell
from app.usecases.rows_gateway import Attempt, GatewayPlace, LateAnswer, LateAnswered, LateMoneyRow, LateState

log = logging.getLogger(__name__)

ASKERS = frozenset({Role.AGENT, Role.CASHIER})
CASHIERS = frozenset({Role.CASHIER})


class GatewayAttempts:
    """Gateway use cases of one logged-in person. A wish is a row of the database; the service carries it out, at once
    when its bell is heard and at its next pass otherwise. No secret of the gateway is here."""

    def __init__(self, store: Store, who: StaffMember, counter: str, bell: GatewayBell) -> None:
        self._store = store
        self._who = who
        self._counter = counter
        self._bell = bell

    def gateway(self) -> GatewayPlace | None:
        """Which gateway this installation has, and whether its money is simulated; None without one."""
        return self._store.read.gateway_place()

    def start_attempt(self, invoice_id: str, kind: AttemptKind) -> Attempt:
        """Ask for what is due of an invoice by QRIS or by link; the live attempt that is the same is answered again.

        LIVE with its code or link when the service worked at once; ASKED when it comes later; FAILED when the gateway
        refused. `still_payable_until` tells that an older link of the invoice can be paid on as well until then.
        Refuses FIELD_INVALID `too_late_for_a_link` when less than five minutes remain (QRIS or cash instead),
        BOOKING_STATE, BOOKING_EXPIRED, INVOICE_LOCKED by somebody else, DUPLICATE `live_attempt` of another kind or
        amount (end it first), UNREACHABLE `no_gateway`.
        """
        require_role(self._who, ASKERS, "start_attempt")
        wanted = checked_uuid(invoice_id, "invoice_id")
        asked = self._store.transact(lambda tx: tx.ask_attempt(wanted, kind, self._counter), one_call=True)
        if asked.state is not AttemptState.ASKED:
            return asked
        self._bell.ring()
        return self._store.read.attempt(asked.order_id) or asked

    def attempt_of(self, invoice_id: str) -> Attempt | None:
        """The newest attempt of an invoice."""
        return self._store.read.last_attempt(checked_uuid(invoice_id, "invoice_id"))

    def end_attempt(self, invoice_id: str) -> Attempt | None:
        """Have the live attempt ended at the gateway before the invoice is paid another way; None when none is live.

        ENDED: nothing can be paid on it any more, but for a page on which nothing was begun: the gateway does not end
        those, and `still_payable_until` tells how long somebody may pay on it, which would be late money. PAID: the
        money was there already and is booked. Still live: the gateway did not answer yet; money that comes on it later
        is late money.
        """
        require_role(self._who, ASKERS, "end_attempt")
        wanted = checked_uuid(invoice_id, "invoice_id")
        live = self._store.transact(lambda tx: tx.end_attempt(wanted, self._counter), one_call=True)
        if live is None:
            return None
        self._bell.ring()
        return self._store.read.attempt(live.order_id) or live

    def late_money(self, states: Sequence[LateState] = (LateState.OPEN,)) -> tuple[LateMoneyRow, ...]:
        """Money that could not settle its invoice at this branch, oldest first."""
        require_role(self._who, CASHIERS, "late_money")
        return self._store.read.late_money(self._who.branch.id, states)

    def credit_late_money(self, late_id: str, reason: str) -> LateAnswered:
        """Keep late money as credit of the customer it came for, less what the gateway gave back of it; once, however
        often it is sent. From there it pays another invoice, or goes back with a manager's word.

        Refuses DUPLICATE `answered`, FIELD_INVALID `not_offered` for what is not here, `given_back` when all of it is.
        """
        return self._answer(late_id, LateAnswer.CREDIT, reason, None)

    def explain_late_money(self, late_id: str, reason: str, *, approval_id: str | None = None) -> LateAnswered:
        """Say what became of money that went back or is held back at the gateway; no money moves. A manager's, or with
        a manager's approval of `explain_late_money` on the task for its amount."""
        return self._answer(late_id, LateAnswer.EXPLAINED, reason, approval_id)

    def _answer(self, late_id: str, answer: LateAnswer, reason: str, approval_id: str | None) -> LateAnswered:
        require_role(self._who, CASHIERS, "answer_late_money")
        wanted, why = checked_uuid(late_id, "late_id"), checked_reason(reason)
        word = None if approval_id is None else checked_uuid(approval_id, "approval_id")
        done = self._store.transact(
            lambda tx: tx.answer_late_money(wanted, answer, why, word, self._counter), one_call=True
        )
        log.info("late money %s: %s, %d kept", wanted, answer.value, done.kept)
        return done
