"""Frozen rows of the till: shifts, refunds, credit, papers and the proof of a settlement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.money import Rupiah
from app.domain.refund import RefundState, RefundWay


@dataclass(frozen=True, slots=True, kw_only=True)
class WaySum:
    """How often and how much by one way (`kind`: CASH, EDC, …)."""

    kind: str
    count: int
    amount: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class CashMovement:
    """Cash put into a drawer, or taken out of it (less than nothing)."""

    id: str
    amount: Rupiah
    reason: str
    made_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedOnce:
    """One blind count; `round` grows when the shift is opened again, `n` with a recount."""

    round: int
    n: int
    pieces: Mapping[int, int]
    counted: Rupiah
    expected: Rupiah
    edc_slips: int
    edc_total: Rupiah
    counted_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftReport:
    """A shift in one snapshot: an X report while it runs, the Z report once it is closed.

    It belongs to the date it was opened on. `expected` is None for its cashier until the drawer was counted. `tenders`
    are what paid invoices, `refunds` what was paid out, `credits` customer credit brought and given back. `drafts` are
    what the counter told at its close; `open_locks` are ids of invoices that its cashier holds (or held at its close).
    """

    id: str
    number: int
    drawer: str
    counter: str
    cashier_name: str
    opening_float: Rupiah
    opened_at: dt.datetime
    belongs_to: dt.date
    closed_at: dt.datetime | None
    closed_by_name: str | None
    close_reason: str
    expected: Rupiah | None
    counted: Rupiah | None
    payments: int
    change: Rupiah
    credited: Rupiah
    first_number: str | None
    last_number: str | None
    tenders: tuple[WaySum, ...]
    refunds: tuple[WaySum, ...]
    credits: tuple[WaySum, ...]
    movements: tuple[CashMovement, ...]
    counts: tuple[CountedOnce, ...]
    drafts: tuple[str, ...]
    open_locks: tuple[str, ...]
    now: dt.datetime

    @property
    def difference(self) -> Rupiah | None:
        """What the drawer had more than it should; None while the shift is open."""
        if self.counted is None or self.expected is None:
            return None
        return Rupiah(self.counted - self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEnd:
    """Money that somebody waits for: an invoice of the branch, its booking's number and what is still to come."""

    invoice_id: str
    booking_number: str
    customer_name: str
    amount: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingList:
    """What a shift leaves behind: invoices under its cashier's locks, QRIS codes nobody has paid yet, and bookings that
    are held longer because a transfer was not seen in the account."""

    locks: tuple[OpenEnd, ...]
    qris: tuple[OpenEnd, ...]
    transfers: tuple[OpenEnd, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftLine:
    """A shift in the list of shifts."""

    id: str
    number: int
    drawer: str
    cashier_name: str
    opened_at: dt.datetime
    closed_at: dt.datetime | None
    difference: Rupiah | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftCount:
    """What a locked-in count tells: `difference` = counted - expected. Beyond `limit` a manager's word closes it."""

    id: str
    shift_id: str
    n: int
    counted: Rupiah
    expected: Rupiah
    difference: Rupiah
    limit: Rupiah
    may_recount: bool
    edc_slips: int
    edc_total: Rupiah
    edc_expected_slips: int
    edc_expected: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundRow:
    """A refund. `came_by`: what is left, of the invoice's payment, of each way it was paid by."""

    id: str
    invoice_id: str
    invoice_number: str | None
    booking_id: str | None
    booking_number: str | None
    customer_id: str
    customer_name: str
    kind: str
    state: RefundState
    amount: Rupiah
    reason: str
    created_at: dt.datetime
    came_by: Mapping[RefundWay, Rupiah]
    edc_limit: Rupiah
    number: str | None
    way: RefundWay | None
    reference: str | None
    done_at: dt.datetime | None
    done_by_name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayOut:
    """One attempt to pay a refund out."""

    refund_id: str
    attempt_id: str
    way: RefundWay
    reference: str | None
    bank: str | None
    reason: str | None
    approval_id: str | None
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOut:
    """A refund that left the house, with its slip's number; `already`: this attempt had been recorded before."""

    refund_id: str
    number: str
    invoice_id: str
    amount: Rupiah
    way: RefundWay
    done_at: dt.datetime
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidedInvoice:
    """A settled invoice that is void and kept its number; `refund_id` is due of it, `replaced_by` the open one."""

    invoice_id: str
    number: str
    refund_id: str | None
    refund: Rupiah
    replaced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditWish:
    """Money that settles nothing: `kind` RECEIVED or PAID_OUT, `way` CASH, EDC, QRIS or TRANSFER."""

    attempt_id: str
    customer_id: str
    kind: str
    way: str
    amount: Rupiah
    reference: str | None
    bank: str | None
    reason: str | None
    invoice_id: str | None
    approval_id: str | None
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditAnswer:
    entry_id: str
    balance: Rupiah
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditEntry:
    """One movement of a customer's credit; USED and PAID_OUT are less than nothing."""

    id: str
    kind: str
    amount: Rupiah
    way: str | None
    reference: str | None
    reason: str
    invoice_number: str | None
    made_at: dt.datetime
    made_by_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerCredit:
    """What the branch owes a customer, with its movements, the newest first."""

    customer_id: str
    balance: Rupiah
    entries: tuple[CreditEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBefore:
    """One lock of an invoice. `beats`: how often it was renewed; `ended_how` RELEASED, PAID, VOID, MOVED or EXPIRED."""

    epoch: int
    holder_name: str
    counter: str
    taken_at: dt.datetime
    beats: int
    last_beat_at: dt.datetime | None
    locked_until: dt.datetime
    ended_at: dt.datetime | None
    ended_how: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofEvent:
    """What the audit says of an invoice: `settle`, `lock_expired`, `void_invoice`, …"""

    at: dt.datetime
    actor_name: str
    counter: str
    action: str
    after: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementProof:
    """How an invoice was settled: each lock with its beats, and each event on record (for managers)."""

    invoice_id: str
    locks: tuple[HeldBefore, ...]
    events: tuple[ProofEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedMonth:
    """A month `YYYYMM` with its last invoice number; `closed_at` once nothing more is dated in it."""

    month: str
    last: int
    closed_at: dt.datetime | None
    closed_by_name: str | None
