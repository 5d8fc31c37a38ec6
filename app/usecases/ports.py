"""Ports of the database: what use cases ask of PostgreSQL, as frozen rows. One adapter implements them.

Every method speaks with the rights of the person who is logged in. A server that does not answer, or a wait for a row
lock that ran out, is `Refusal(UNREACHABLE)`; another branch's row looks like "not found".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from app.domain.booking import Action
from app.domain.catalogue import Sku
from app.domain.customer import Customer
from app.domain.days import Days, YearMonth
from app.domain.invoice import InvoiceState
from app.domain.money import Rupiah
from app.domain.staff import StaffMember
from app.usecases.engine_rows import EngineState, NewDrift, OutboxState
from app.usecases.index_port import Projection
from app.usecases.odd_keys import SkuSlots
from app.usecases.ports_approvals import ApprovalReads, ApprovalTx
from app.usecases.ports_changes import ChangeReads, ChangeTx
from app.usecases.ports_contracts import ContractReads, ContractTx
from app.usecases.ports_customers import CustomerReads, CustomerTx
from app.usecases.ports_demand import DemandReads, DemandTx
from app.usecases.ports_gateway import GatewayReads, GatewayTx
from app.usecases.ports_handovers import HandoverReads, HandoverTx
from app.usecases.ports_rates import RateReads, RateTx
from app.usecases.ports_till import TillReads, TillTx
from app.usecases.rows import (
    Bar,
    Blocker,
    BookedOrder,
    BookingRow,
    Break,
    CustomerHit,
    EndedBooking,
    FleetOutcome,
    FleetRow,
    FleetUnit,
    FreedStretch,
    InvoiceDetail,
    InvoiceRow,
    LockAnswer,
    NewOrder,
    NewPayment,
    OutboxRow,
    SettleAnswer,
    ShiftRow,
    Taken,
)
from app.usecases.rows_lost import CalledBack, SentAttempt
from app.usecases.rows_rates import BeforeBooking, PriceQuestion
from app.usecases.rows_search import SearchHit, SearchWish

T = TypeVar("T")


class Tx(HandoverTx, ChangeTx, DemandTx, ApprovalTx, ContractTx, CustomerTx, RateTx, GatewayTx, TillTx, Protocol):
    """One transaction. Leaving the work normally commits; an exception rolls back. Lock order: invoice, bookings by id,
    units by id, number counter."""

    def book(self, order: NewOrder) -> BookedOrder | Taken: ...

    def await_order(self, order_id: str) -> None:
        """Return when no transaction that has written this order is under way; UNREACHABLE `busy` while one is."""

    def end_booking(self, booking_id: str, action: Action, reason: str, based_on: int | None = None) -> EndedBooking:
        """`cancel` one unpaid booking: days freed, invoice void (or repriced when its order goes on), stretch recorded.

        Refuses NOT_FOUND, BOOKING_STATE, NOT_ALLOWED, INVOICE_LOCKED (naming the cashier).
        """

    def due_orders(self, most: int, but_not: Sequence[str]) -> tuple[str, ...]:
        """Orders past their deadline, oldest first, at most so many, without those already looked at."""

    def expire_order(self, order_id: str) -> tuple[EndedBooking, ...]:
        """Expire the bookings of this order: unpaid ones are cancelled, of unpaid extensions only the extra days go.

        Empty when it is not due, or somebody holds a row of it this moment.
        """

    def expire_next(self) -> tuple[EndedBooking, ...]:
        """Expire the bookings of the oldest overdue order whose invoice nobody holds; empty when there is none.

        Skips rows locked by another worker; waits for a valid invoice lock at most 5 minutes past the deadline.
        """

    def take_lock(self, invoice_id: str, token: str, counter: str) -> LockAnswer: ...

    def renew_lock(self, invoice_id: str, token: str, epoch: int, idle_ms: int) -> LockAnswer: ...

    def move_lock(self, invoice_id: str, token: str, counter: str) -> LockAnswer: ...

    def call_back_payment(self, sent: SentAttempt) -> CalledBack:
        """What became of an attempt to pay; Refusal UNREACHABLE `busy` while a transaction of it may still commit."""

    def release_lock(self, invoice_id: str, token: str, epoch: int) -> bool:
        """True when this call released it; False, quietly, when the lock was no longer this one."""

    def settle(self, payment: NewPayment) -> SettleAnswer: ...

    def open_shift(self, drawer: str, opening_float: Rupiah, counter: str) -> ShiftRow:
        """Refuses DUPLICATE when this cashier or this drawer has an open shift."""

    def import_fleet(self, rows: Sequence[FleetRow]) -> tuple[FleetOutcome, ...]: ...

    def add_staff(self, login: str, name: str, branch_code: str, roles: Sequence[str], verifier: str) -> None:
        """Make the LOGIN role (SCRAM verifier made by the client) and its staff row. Managers and the owner only."""

    def claim_outbox(self, kinds: Sequence[str], limit: int, lease_seconds: int) -> tuple[OutboxRow, ...]: ...

    def finish_outbox(self, ids: Sequence[str]) -> None: ...

    def retry_outbox(self, row: OutboxRow, error: str) -> bool:
        """Record a failure: tried again with back-off, given up (visibly) after its limit.

        False, and nothing written, when the row is done or another worker has it by now.
        """

    def finish_projections(self, compared_from: dt.datetime) -> int:
        """Close projections that were given up before this moment: every unit was compared after it. How many."""

    def retry_given_up(self) -> int:
        """Everything that was given up is due again, from its first try; how many."""

    def beat_service(self, instance: str, trouble: str) -> None:
        """This service works now; `trouble` names jobs that do not get on."""

    def end_service(self, instance: str) -> None:
        """This service has ended in order."""

    def record_drift(self, found: NewDrift) -> None: ...


class Reads(
    HandoverReads,
    ChangeReads,
    DemandReads,
    ApprovalReads,
    ContractReads,
    CustomerReads,
    RateReads,
    GatewayReads,
    TillReads,
    Protocol,
):
    """Plain SELECTs into frozen rows, each one statement and so one snapshot."""

    def now(self) -> dt.datetime: ...

    def who_am_i(self) -> StaffMember: ...

    def fleet(self, branch_id: str | None) -> tuple[FleetUnit, ...]:
        """Units in service or in maintenance, by SKU name and slot; None means every branch."""

    def units(self, unit_ids: Sequence[str]) -> tuple[FleetUnit, ...]: ...

    def scanned(self, code: str) -> tuple[FleetUnit, ...]:
        """The unit of a code in capitals or small letters, whatever its status."""

    def sku(self, code: str) -> Sku | None: ...

    def bars(self, branch_id: str, days: Days) -> tuple[Bar, ...]: ...

    def first_doubled(self, branch_id: str, today: dt.date) -> tuple[str, Days] | None:
        """The first double claim of a branch that ends today or later, at the cost of nothing while none can be."""

    def projections(self, unit_ids: Sequence[str] | None, months: Sequence[YearMonth]) -> tuple[Projection, ...]:
        """Days and version of units in ONE statement (None: every unit that is not retired)."""

    def free_units(self, sku: str, taken: Days, branch_id: str | None, limit: int) -> tuple[FleetUnit, ...]:
        """Rentable units without an active row over these days, by slot; OVERDUE layers count as taken."""

    def blockers(self, unit_ids: Sequence[str], taken: Days) -> tuple[Blocker, ...]: ...

    def taken_days(self, unit_ids: Sequence[str], window: Days) -> Mapping[str, tuple[Days, ...]]: ...

    def order(self, order_id: str) -> BookedOrder | None:
        """What was booked under this id (for a retry whose first answer was lost); projections are empty."""

    def before_booking(
        self,
        order_id: str,
        unit_ids: Sequence[str],
        asked: PriceQuestion,
        customer_id: str | None,
        phone: str | None,
    ) -> BeforeBooking:
        """What booking starts from, in one statement: the time, whether this order is known here, the named units, what
        its lines are priced by, and the code of a customer (by id, else by phone) who is blocked."""

    def find_customers(self, text: str, limit: int) -> tuple[CustomerHit, ...]:
        """By phone digits (from the 4th) or by the beginning of a name word; own installation only."""

    def customer(self, customer_id: str) -> Customer | None: ...

    def search(self, wish: SearchWish) -> tuple[SearchHit, ...]:
        """Units, bookings, invoices and customers, at most `limit` of a kind, each kind in its own order."""

    def booking(self, booking_id: str) -> BookingRow | None: ...

    def invoices(
        self, branch_id: str, states: Sequence[InvoiceState], settled_since: dt.datetime | None = None
    ) -> tuple[InvoiceRow, ...]:
        """The branch's invoices in these states; with a moment, only those settled since then."""

    def invoice(self, invoice_id: str) -> InvoiceDetail | None: ...

    def open_shift(self) -> ShiftRow | None:
        """The open shift of the person who is logged in."""

    def breaks(self) -> tuple[Break, ...]:
        """Every invariant that lives in PostgreSQL alone, as found now."""

    def engine_state(self) -> EngineState:
        """The clock, the latest beat of any service and the last drift on record, in one statement."""

    def outbox_state(self) -> tuple[OutboxState, ...]:
        """Outside effects that are not done, by kind. The service's and the owner's."""

    def sku_slots(self) -> Mapping[str, SkuSlots]:
        """By SKU, the slots of its units (retired ones too) and the first one that was never given out."""

    def freed_stretches(self, sku: str) -> tuple[FreedStretch, ...]: ...

    def changed_since(self, since: dt.datetime) -> tuple[str, ...]:
        """Ids of units whose occupancy changed since (polling while the index is away)."""


class Store(Protocol):
    """The database as one logged-in person. `close()` returns every connection."""

    @property
    def read(self) -> Reads: ...

    def transact(self, work: Callable[[Tx], T], *, one_call: bool = False) -> T:
        """Run `work` in one transaction and commit.

        Serialisation failures and deadlocks (40001, 40P01) are tried again up to 3 times with jitter; so is a lost
        connection, since every write carries the client's id. After that: UNREACHABLE.

        `one_call`: `work` makes exactly one call of a database function, sent with its BEGIN and COMMIT in one round
        trip. What `work` raises after that call undoes nothing, so the call must have written nothing by itself then.
        """

    def close(self) -> None: ...


class Ids(Protocol):
    """Randomness as a port."""

    def uuid(self) -> str: ...

    def token(self) -> str:
        """256 bits, URL-safe."""
