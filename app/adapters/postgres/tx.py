"""One transaction of one person: the port `Tx`, each method one call of a database function."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from app.adapters.postgres import tx_booking, tx_engine, tx_settlement, tx_work
from app.adapters.postgres.driver import Borrowed
from app.adapters.postgres.tx_approvals import ApprovalCalls
from app.adapters.postgres.tx_call import Call
from app.adapters.postgres.tx_changes import ChangeCalls
from app.adapters.postgres.tx_contracts import ContractCalls
from app.adapters.postgres.tx_customers import CustomerCalls
from app.adapters.postgres.tx_demand import DemandCalls
from app.adapters.postgres.tx_gateway import GatewayCalls
from app.adapters.postgres.tx_handovers import HandoverCalls
from app.adapters.postgres.tx_rates import RateCalls
from app.adapters.postgres.tx_till import TillCalls
from app.domain.booking import Action
from app.domain.money import Rupiah
from app.usecases.engine_rows import NewDrift
from app.usecases.rows import (
    BookedOrder,
    EndedBooking,
    FleetOutcome,
    FleetRow,
    LockAnswer,
    NewOrder,
    NewPayment,
    OutboxRow,
    SettleAnswer,
    ShiftRow,
    Taken,
)
from app.usecases.rows_lost import CalledBack, SentAttempt


class PostgresTx(
    HandoverCalls,
    ChangeCalls,
    DemandCalls,
    ApprovalCalls,
    ContractCalls,
    CustomerCalls,
    RateCalls,
    GatewayCalls,
    TillCalls,
):
    """`Tx` on an open transaction. `again`: an earlier try of the same work may have been committed unseen."""

    def __init__(self, connection: Borrowed, *, again: bool = False, one_call: bool = False) -> None:
        self._call = Call(connection, again=again, one_call=one_call)

    def book(self, order: NewOrder) -> BookedOrder | Taken:
        return tx_booking.book(self._call, order)

    def await_order(self, order_id: str) -> None:
        tx_booking.await_order(self._call, order_id)

    def end_booking(self, booking_id: str, action: Action, reason: str, based_on: int | None = None) -> EndedBooking:
        return tx_booking.end_booking(self._call, booking_id, action, reason, based_on)

    def due_orders(self, most: int, but_not: Sequence[str]) -> tuple[str, ...]:
        return tx_booking.due_orders(self._call, most, but_not)

    def expire_order(self, order_id: str) -> tuple[EndedBooking, ...]:
        return tx_booking.expire_order(self._call, order_id)

    def expire_next(self) -> tuple[EndedBooking, ...]:
        return tx_booking.expire_next(self._call)

    def take_lock(self, invoice_id: str, token: str, counter: str) -> LockAnswer:
        return tx_settlement.take_lock(self._call, invoice_id, token, counter)

    def renew_lock(self, invoice_id: str, token: str, epoch: int, idle_ms: int) -> LockAnswer:
        return tx_settlement.renew_lock(self._call, invoice_id, token, epoch, idle_ms)

    def move_lock(self, invoice_id: str, token: str, counter: str) -> LockAnswer:
        return tx_settlement.move_lock(self._call, invoice_id, token, counter)

    def call_back_payment(self, sent: SentAttempt) -> CalledBack:
        return tx_settlement.call_back_payment(self._call, sent)

    def release_lock(self, invoice_id: str, token: str, epoch: int) -> bool:
        return tx_settlement.release_lock(self._call, invoice_id, token, epoch)

    def settle(self, payment: NewPayment) -> SettleAnswer:
        return tx_settlement.settle(self._call, payment)

    def open_shift(self, drawer: str, opening_float: Rupiah, counter: str) -> ShiftRow:
        return tx_settlement.open_shift(self._call, drawer, opening_float, counter)

    def import_fleet(self, rows: Sequence[FleetRow]) -> tuple[FleetOutcome, ...]:
        return tx_work.import_fleet(self._call, rows)

    def add_staff(self, login: str, name: str, branch_code: str, roles: Sequence[str], verifier: str) -> None:
        tx_work.add_staff(self._call, login, name, branch_code, roles, verifier)

    def disable_staff(self, login: str) -> int:
        """End an account: not active, no login, its sessions ended; how many sessions."""
        return tx_work.disable_staff(self._call, login)

    def claim_outbox(self, kinds: Sequence[str], limit: int, lease_seconds: int) -> tuple[OutboxRow, ...]:
        return tx_work.claim_outbox(self._call, kinds, limit, lease_seconds)

    def finish_outbox(self, ids: Sequence[str]) -> None:
        tx_work.finish_outbox(self._call, ids)

    def retry_outbox(self, row: OutboxRow, error: str) -> bool:
        return tx_engine.retry_outbox(self._call, row, error)

    def finish_projections(self, compared_from: dt.datetime) -> int:
        return tx_engine.finish_projections(self._call, compared_from)

    def retry_given_up(self) -> int:
        return tx_engine.retry_given_up(self._call)

    def beat_service(self, instance: str, trouble: str) -> None:
        tx_engine.beat_service(self._call, instance, trouble)

    def end_service(self, instance: str) -> None:
        tx_engine.end_service(self._call, instance)

    def record_drift(self, found: NewDrift) -> None:
        tx_engine.record_drift(self._call, found)
