"""Reads of the database as one logged-in person: every method one autocommitted statement, so one snapshot.

The statements live by topic in the `reads_*` files; what must always hold lives in `invariants`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from sqlalchemy import Engine, text

from app.adapters.postgres import (
    invariants,
    reads_calendar,
    reads_customers,
    reads_engine,
    reads_fleet,
    reads_invoices,
    reads_rates,
    reads_search,
    reads_staff,
)
from app.adapters.postgres.reads_approvals import ApprovalReads
from app.adapters.postgres.reads_changes import ChangeReads
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_contracts import ContractReads
from app.adapters.postgres.reads_demand import DemandReads
from app.adapters.postgres.reads_gateway import GatewayReads
from app.adapters.postgres.reads_handovers import HandoverReads
from app.adapters.postgres.reads_rates import RateReads
from app.adapters.postgres.reads_register import CustomerReads
from app.adapters.postgres.reads_till import TillReads
from app.adapters.postgres.rows import moment
from app.domain.catalogue import Sku
from app.domain.customer import Customer
from app.domain.days import Days, YearMonth
from app.domain.invoice import InvoiceState
from app.domain.staff import StaffMember
from app.usecases.engine_rows import EngineState, OutboxState
from app.usecases.index_port import Projection
from app.usecases.odd_keys import SkuSlots
from app.usecases.rows import (
    Bar,
    Blocker,
    BookedOrder,
    BookingRow,
    Break,
    CustomerHit,
    FleetUnit,
    FreedStretch,
    InvoiceDetail,
    InvoiceRow,
    ShiftRow,
)
from app.usecases.rows_rates import BeforeBooking, PriceQuestion
from app.usecases.rows_search import SearchHit, SearchWish

_NOW = text("SELECT sentra.now() AS now")


class PostgresReads(
    HandoverReads,
    ChangeReads,
    DemandReads,
    ApprovalReads,
    ContractReads,
    CustomerReads,
    RateReads,
    GatewayReads,
    TillReads,
):
    """`Reads` over an engine whose login is the person. Raises Refusal UNREACHABLE, or NOT_ALLOWED by the rights."""

    def __init__(self, engine: Engine) -> None:
        self._ask = Ask(engine)

    def now(self) -> dt.datetime:
        """The database's clock, the only one for locks and deadlines."""
        return moment(self._ask.rows(_NOW)[0]["now"])

    def who_am_i(self) -> StaffMember:
        """The active person behind this connection; NOT_ALLOWED for a role that is nobody's."""
        return reads_staff.who_am_i(self._ask)

    def fleet(self, branch_id: str | None) -> tuple[FleetUnit, ...]:
        """Units in service or in maintenance, by SKU name and slot; None means every branch."""
        return reads_fleet.fleet(self._ask, branch_id)

    def units(self, unit_ids: Sequence[str]) -> tuple[FleetUnit, ...]:
        """Units by id whatever their status; ids that do not exist are left out."""
        return reads_fleet.units(self._ask, unit_ids)

    def scanned(self, code: str) -> tuple[FleetUnit, ...]:
        return reads_fleet.scanned(self._ask, code)

    def sku(self, code: str) -> Sku | None:
        return reads_fleet.sku(self._ask, code)

    def bars(self, branch_id: str, days: Days) -> tuple[Bar, ...]:
        """What the grid draws of a branch's units in a window, whole rows even where they reach out of it."""
        return reads_calendar.bars(self._ask, branch_id, days)

    def first_doubled(self, branch_id: str, today: dt.date) -> tuple[str, Days] | None:
        """The first unit of a branch that two rows claim on the same days, and the days; None while none can be."""
        return reads_calendar.first_doubled(self._ask, branch_id, today)

    def projections(self, unit_ids: Sequence[str] | None, months: Sequence[YearMonth]) -> tuple[Projection, ...]:
        """Days and version of units in ONE statement, days cut to `months` (None: every unit that is not retired)."""
        return reads_calendar.projections(self._ask, unit_ids, months)

    def free_units(self, sku: str, taken: Days, branch_id: str | None, limit: int) -> tuple[FleetUnit, ...]:
        """Rentable units without an active row over these days, by slot; OVERDUE layers count as taken."""
        return reads_fleet.free_units(self._ask, sku, taken, branch_id, limit)

    def blockers(self, unit_ids: Sequence[str], taken: Days) -> tuple[Blocker, ...]:
        """Every active row over `taken`, by unit and day."""
        return reads_calendar.blockers(self._ask, unit_ids, taken)

    def taken_days(self, unit_ids: Sequence[str], window: Days) -> Mapping[str, tuple[Days, ...]]:
        """Taken stretches inside the window, joined and in order, for each unit asked."""
        return reads_calendar.taken_days(self._ask, unit_ids, window)

    def order(self, order_id: str) -> BookedOrder | None:
        """What was booked under this id (for a retry whose first answer was lost); projections are empty."""
        return reads_invoices.order(self._ask, order_id)

    def before_booking(
        self,
        order_id: str,
        unit_ids: Sequence[str],
        asked: PriceQuestion,
        customer_id: str | None,
        phone: str | None,
    ) -> BeforeBooking:
        """The time, whether this order is known to the person's branch, the named units, prices, and whether the
        customer is blocked: one statement."""
        return reads_rates.before_booking(self._ask, order_id, unit_ids, asked, customer_id, phone)

    def find_customers(self, text: str, limit: int) -> tuple[CustomerHit, ...]:
        """By phone digits (from the 4th) or by the beginning of name words; every sign means only itself."""
        return reads_customers.find_customers(self._ask, text, limit)

    def customer(self, customer_id: str) -> Customer | None:
        return reads_customers.customer(self._ask, customer_id)

    def search(self, wish: SearchWish) -> tuple[SearchHit, ...]:
        """Units, bookings, invoices and customers in one statement, each kind in its own order."""
        return reads_search.search(self._ask, wish)

    def booking(self, booking_id: str) -> BookingRow | None:
        return reads_invoices.booking(self._ask, booking_id)

    def invoices(
        self, branch_id: str, states: Sequence[InvoiceState], settled_since: dt.datetime | None = None
    ) -> tuple[InvoiceRow, ...]:
        """A branch's invoices in these states, the earliest due first; with a moment, only those settled since."""
        return reads_invoices.invoices(self._ask, branch_id, states, settled_since)

    def invoice(self, invoice_id: str) -> InvoiceDetail | None:
        """One invoice with lines, bookings and payments in one snapshot."""
        return reads_invoices.invoice(self._ask, invoice_id)

    def open_shift(self) -> ShiftRow | None:
        """The open shift of the person who is logged in; None for one who can have none."""
        return reads_staff.open_shift(self._ask)

    def breaks(self) -> tuple[Break, ...]:
        """Every invariant that lives in PostgreSQL alone, as found now."""
        return invariants.breaks(self._ask)

    def engine_state(self) -> EngineState:
        """The clock, the latest beat of any service and the last drift on record, in one statement."""
        return reads_engine.engine_state(self._ask)

    def outbox_state(self) -> tuple[OutboxState, ...]:
        """Outside effects that are not done, by kind; for the service and the owner."""
        return reads_engine.outbox_state(self._ask)

    def sku_slots(self) -> Mapping[str, SkuSlots]:
        """By SKU, the slots of its units (retired ones too) and the first one that was never given out."""
        return reads_engine.sku_slots(self._ask)

    def freed_stretches(self, sku: str) -> tuple[FreedStretch, ...]:
        """Stretches of a SKU whose waitlist run is still to come, oldest first."""
        return reads_calendar.freed_stretches(self._ask, sku)

    def changed_since(self, since: dt.datetime) -> tuple[str, ...]:
        """Ids of units whose occupancy changed since; a few that changed shortly before may be among them."""
        return reads_calendar.changed_since(self._ask, since)
