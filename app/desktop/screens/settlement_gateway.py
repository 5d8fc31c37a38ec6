"""QRIS through the gateway: shown, watched until it is paid, ended before anything else is taken for the invoice."""

import logging
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject

from app.desktop.commands import call, command, reload_command
from app.desktop.heartbeat import Clocks
from app.desktop.screens.settlement_choosing import SettlementChoosing
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_lock import MakeHeartbeat
from app.desktop.screens.settlement_phase import Notice, Phase, SettlementCounter
from app.desktop.screens.walk_in_counter import Approve
from app.domain.errors import Refusal
from app.domain.gateway import AttemptKind, AttemptState
from app.domain.invoice import InvoiceState
from app.domain.tender import TenderKind
from app.usecases.rows import InvoiceDetail
from app.usecases.rows_gateway import Attempt, GatewayPlace
from app.usecases.settlement import Receipt

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""How often a shown code is asked about; money is also told by the lock that goes with it."""


_WAITING = (Phase.OPEN, Phase.LOST)
"""The service books the money whether this window has the lock or not."""


class GatewayUse(Protocol):
    """The part of a counter that shows a code and watches it."""

    def gateway(self) -> GatewayPlace | None: ...

    def start_attempt(self, invoice_id: str, kind: AttemptKind) -> Attempt: ...

    def attempt_of(self, invoice_id: str) -> Attempt | None: ...

    def end_attempt(self, invoice_id: str) -> Attempt | None: ...


class SettlementGateway(SettlementChoosing):
    """`attempt` is the invoice's newest; money of it is booked by the service, whoever holds the lock here."""

    def __init__(
        self,
        counter: SettlementCounter,
        clocks: Clocks | None,
        make_heartbeat: MakeHeartbeat,
        new_id: Callable[[], str],
        kept: KeptTenders | None,
        approve: Approve | None,
        gateway: GatewayUse | None,
        parent: QObject | None,
    ) -> None:
        self._gateway = gateway
        super().__init__(counter, clocks, make_heartbeat, new_id, kept, approve, parent)

    def _reset(self) -> None:
        super()._reset()
        self.attempt: Attempt | None = None
        self.is_by_hand = self._gateway is None
        self._attempt_read_at = self._looked_at = 0.0

    @property
    def shows_code(self) -> bool:
        """The code stands in the place of the fields; a payment in parts has none, it is for all that is owed."""
        is_qris = self.tendering.method is TenderKind.QRIS
        return is_qris and not self.is_by_hand and not self.tendering.parts and not self.is_paid

    def waits_for_code(self) -> bool:
        return self.shows_code

    def code_seconds(self) -> float:
        """How long the code can be paid still."""
        if self.attempt is None:
            return 0.0
        return max(0.0, self.attempt.seconds_left - (self._clocks.boot() - self._attempt_read_at))

    def choose(self, method: TenderKind) -> None:
        before = self.tendering.method
        super().choose(method)
        if self.tendering.method is before:
            return
        if method is TenderKind.QRIS:
            self.show_code()
        elif self.attempt is not None and self.attempt.is_live:
            self.end_code()

    def write_by_hand(self) -> None:
        """The money was seen elsewhere: its reference is typed."""
        if self.may_type:
            self.is_by_hand = True
            self.changed.emit()

    @command
    async def show_code(self) -> None:
        """Ask for a code of what is due; without a gateway the fields stand there. A refusal is said."""
        if self._gateway is None or not self.shows_code or self.phase is not Phase.OPEN:
            return
        wanted = self.invoice_id
        try:
            place = await call(self._gateway.gateway)
            made = None if place is None else await call(self._gateway.start_attempt, wanted, AttemptKind.QRIS)
        except Refusal as no:
            self.refusal, self.is_by_hand = no, True
            self.changed.emit()
            return
        if wanted != self.invoice_id:
            return
        if made is None:
            self.is_by_hand = True
            self.changed.emit()
        else:
            self._take_attempt(made)

    @command
    async def end_code(self) -> None:
        """Nothing can be paid on it any more, so that the money is taken once."""
        if self._gateway is None:
            return
        wanted = self.invoice_id
        try:
            ended = await call(self._gateway.end_attempt, wanted)
        except Refusal as no:
            log.info("the code of %s was not ended yet: %s", wanted, no.code)
            return
        if wanted == self.invoice_id and ended is not None:
            self._take_attempt(ended)

    @reload_command
    async def look_at_code(self) -> None:
        """Whether it was paid; asked by itself every 2 s while it is shown."""
        if self._gateway is None or self.attempt is None:
            return
        wanted, self._looked_at = self.invoice_id, self._clocks.boot()
        try:
            found = await call(self._gateway.attempt_of, wanted)
        except Refusal as no:
            log.info("the code of %s was not looked at: %s", wanted, no.code)
            return
        if found is not None and wanted == self.invoice_id:
            self._take_attempt(found)

    @command
    async def look_whether_paid(self, reason: str) -> None:
        """The lock went while a code could be paid: that may have been its money."""
        if not await self._is_paid_by_gateway() and self.phase is Phase.OPEN:
            self._enter_lost(reason)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _watch_code(self) -> None:
        live = self.attempt is not None and self.attempt.is_live
        if live and self.phase in _WAITING and self._clocks.boot() - self._looked_at >= LOOK_SECONDS:
            self.look_at_code()

    def _take_attempt(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self._attempt_read_at = self._clocks.boot()
        if attempt.state is AttemptState.PAID:
            self.look_whether_paid("lost")
        self.changed.emit()

    async def _find_attempt(self) -> None:
        """What was begun for this invoice before, by link or by code."""
        if self._gateway is not None:
            found = await call(self._gateway.attempt_of, self.invoice_id)
            if found is not None and found.is_live:
                self._take_attempt(found)

    async def _ended_before_paying(self) -> bool:
        """Whether nothing can be paid at the gateway any more. False also when it just was: then that is shown; the
        person may pay after all by pressing once more, when the gateway does not answer."""
        if self._gateway is None or self.attempt is None or not self.attempt.is_live:
            return True
        try:
            ended = await call(self._gateway.end_attempt, self.invoice_id)
        except Refusal as no:
            self.refusal = no
            return False
        if ended is None or not ended.is_live:
            self.attempt = ended
            return not await self._is_paid_by_gateway()
        is_second = self.notice is Notice.CODE_LIVE
        self.attempt, self.notice = ended, Notice.CODE_LIVE
        return is_second

    async def _is_paid_by_gateway(self) -> bool:
        try:
            detail = await call(self._settlement.invoice, self.invoice_id)
        except Refusal as no:
            log.info("invoice %s not read: %s", self.invoice_id, no.code)
            return False
        if detail.row.state is not InvoiceState.PAID or not detail.payments or self.phase not in _WAITING:
            return False
        await self._enter_paid(_receipt(detail))
        return True

    async def _enter_paid(self, receipt: Receipt) -> None:
        raise NotImplementedError

    def _enter_lost(self, reason: str) -> None:
        raise NotImplementedError


def _receipt(detail: InvoiceDetail) -> Receipt:
    payment = detail.payments[-1]
    return Receipt(
        payment_id=payment.id,
        number=detail.row.number or "",
        change=payment.change,
        paid_at=payment.paid_at,
        already=True,
    )
