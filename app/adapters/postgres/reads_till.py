"""Reads of the till: refunds, customer credit, shifts, numbered months, and how an invoice was settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from app.adapters.postgres.reads_companies import CompanyReads
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import day, moment, moment_or_none, rupiah
from app.adapters.postgres.tx_till import month_of
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.refund import EDC_REFUND_LIMIT, WAY_OF_TENDER, RefundState, RefundWay
from app.usecases.rows_till import (
    CashMovement,
    ClosingList,
    CountedOnce,
    CreditEntry,
    CustomerCredit,
    HeldBefore,
    NumberedMonth,
    OpenEnd,
    ProofEvent,
    RefundRow,
    SettlementProof,
    ShiftLine,
    ShiftReport,
    WaySum,
)

Columns = Mapping[str, Any]

_REFUNDS = text("""
    SELECT r.id, r.invoice_id, i.number AS invoice_number, r.booking_id, b.number AS booking_number,
           c.id AS customer_id, c.name AS customer_name, r.kind, r.state, r.amount, r.reason, r.created_at, r.number,
           r.way, r.reference, r.done_at, coalesce(s.name, r.done_by) AS done_by_name,
           (SELECT coalesce(json_object_agg(came.kind, came.amount), '{}') FROM (
                SELECT t.kind, sum(t.amount) AS amount FROM sentra.payment p
                JOIN sentra.tender t ON t.payment_id = p.id WHERE p.invoice_id = r.invoice_id GROUP BY t.kind) came)
               AS came_in,
           (SELECT coalesce(json_object_agg(went.way, went.amount), '{}') FROM (
                SELECT x.way, sum(x.amount) AS amount FROM sentra.refund x
                WHERE x.invoice_id = r.invoice_id AND x.state = 'DONE' AND x.way IS NOT NULL GROUP BY x.way) went)
               AS went_out,
           (SELECT CAST(CAST(x.value AS text) AS bigint) FROM sentra.setting x
            WHERE x.key = 'edc_refund_limit' AND (x.branch_id = r.branch_id OR x.branch_id IS NULL)
            ORDER BY x.branch_id NULLS LAST LIMIT 1) AS edc_limit
    FROM sentra.refund r
    JOIN sentra.invoice i ON i.id = r.invoice_id
    JOIN sentra.customer c ON c.id = i.customer_id
    LEFT JOIN sentra.booking b ON b.id = r.booking_id
    LEFT JOIN sentra.staff s ON s.role_name = r.done_by
    WHERE r.branch_id = (SELECT sentra.my_branch()) AND r.state = ANY(CAST(:states AS text[]))
    ORDER BY CASE WHEN r.state = 'DUE' THEN r.created_at END, r.done_at DESC, r.number DESC, r.booking_id, r.id
    LIMIT :most""")

_CREDIT = text("""
    SELECT coalesce((SELECT a.balance FROM sentra.credit_account a WHERE a.branch_id = here.id
                     AND a.customer_id = CAST(:customer_id AS uuid)), 0) AS balance,
           (SELECT coalesce(json_agg(one ORDER BY one.made_at DESC, one.id), '[]') FROM (
                SELECT e.id, e.kind, e.amount, e.way, e.reference, e.reason, i.number AS invoice_number, e.made_at,
                       coalesce(s.name, e.made_by) AS made_by_name
                FROM sentra.credit_entry e
                LEFT JOIN sentra.invoice i ON i.id = e.invoice_id
                LEFT JOIN sentra.staff s ON s.role_name = e.made_by
                WHERE e.customer_id = CAST(:customer_id AS uuid) AND e.branch_id = here.id
                ORDER BY e.made_at DESC, e.id LIMIT 200) one) AS entries
    FROM (SELECT sentra.my_branch() AS id) here""")

_REPORT = text("SELECT sentra.shift_report(CAST(:shift_id AS uuid)) AS told")

_SHIFTS = text("""
    SELECT h.id, h.number, h.drawer, coalesce(s.name, h.cashier) AS cashier_name, h.opened_at, h.closed_at,
           h.counted - h.expected AS difference
    FROM sentra.shift h LEFT JOIN sentra.staff s ON s.role_name = h.cashier
    WHERE h.branch_id = (SELECT sentra.my_branch())
    ORDER BY h.number DESC LIMIT :most""")

_ENDS = text("""
    WITH ends AS (
        SELECT 'lock' AS what, i.id, i.locked_at AS since, i.total AS amount FROM sentra.invoice i
        WHERE i.branch_id = (SELECT sentra.my_branch()) AND i.locked_by = session_user AND i.state = 'OPEN'
          AND i.locked_until > sentra.now()
        UNION ALL
        SELECT 'qris', i.id, a.created_at, a.amount
        FROM sentra.gateway_attempt a JOIN sentra.invoice i ON i.id = a.invoice_id
        WHERE a.branch_id = (SELECT sentra.my_branch()) AND a.kind = 'QRIS' AND a.state IN ('ASKED', 'LIVE')
          AND i.state = 'OPEN' AND a.expires_at > sentra.now()
        UNION ALL
        SELECT 'transfer', i.id, i.created_at, i.total FROM sentra.invoice i
        WHERE i.branch_id = (SELECT sentra.my_branch()) AND i.state = 'OPEN' AND EXISTS (
            SELECT FROM sentra.booking b WHERE b.order_id = i.order_id AND b.state = 'PENDING_PAYMENT'
              AND b.last_action = 'hold_longer'))
    SELECT e.what, e.id, e.amount, b.number, c.name
    FROM ends e
    JOIN sentra.invoice i ON i.id = e.id
    JOIN sentra.customer c ON c.id = i.customer_id
    JOIN LATERAL (SELECT x.number FROM sentra.booking x
                  WHERE x.order_id = i.order_id ORDER BY x.line_no LIMIT 1) b ON true
    ORDER BY e.since, e.id LIMIT 300""")

_MONTHS = text("SELECT sentra.numbered_months() AS told")

_LOCKS = text("""
    SELECT h.epoch, coalesce(s.name, h.holder) AS holder_name, h.counter, h.taken_at, h.beats, h.last_beat_at,
           h.locked_until, h.ended_at, h.ended_how
    FROM sentra.lock_history h LEFT JOIN sentra.staff s ON s.role_name = h.holder
    WHERE h.invoice_id = CAST(:invoice_id AS uuid)
    ORDER BY h.epoch""")

_EVENTS = text("""
    SELECT a.at, coalesce(s.name, a.actor) AS actor_name, a.counter, a.action, a.after
    FROM sentra.audit a LEFT JOIN sentra.staff s ON s.role_name = a.actor
    WHERE a.subject = :invoice_id
    ORDER BY a.id""")


class TillReads(CompanyReads):
    """The part `TillReads` of the reads."""

    _ask: Ask

    def refunds(self, states: Sequence[RefundState], limit: int) -> tuple[RefundRow, ...]:
        """Refunds of the branch: those that are due first and the oldest of them first, then the newest paid out."""
        rows = self._ask.rows(_REFUNDS, states=[state.value for state in states], most=limit)
        return tuple(map(_refund, rows))

    def customer_credit(self, customer_id: str) -> CustomerCredit:
        """Balance and the newest 200 movements."""
        row = self._ask.row(_CREDIT, customer_id=customer_id) if is_uuid(customer_id) else None
        if row is None:
            return CustomerCredit(customer_id=customer_id, balance=Rupiah(0), entries=())
        return CustomerCredit(
            customer_id=customer_id, balance=rupiah(row["balance"]), entries=tuple(map(_entry, row["entries"]))
        )

    def shift_report(self, shift_id: str | None) -> ShiftReport | None:
        """One shift, or the person's own open one."""
        if shift_id is not None and not is_uuid(shift_id):
            return None
        row = self._ask.row(_REPORT, shift_id=shift_id)
        return None if row is None or row["told"] is None else _report(row["told"])

    def shifts(self, limit: int) -> tuple[ShiftLine, ...]:
        """Shifts of the branch, the newest first."""
        return tuple(
            ShiftLine(
                id=str(row["id"]),
                number=row["number"],
                drawer=row["drawer"],
                cashier_name=row["cashier_name"],
                opened_at=moment(row["opened_at"]),
                closed_at=moment_or_none(row["closed_at"]),
                difference=None if row["difference"] is None else rupiah(row["difference"]),
            )
            for row in self._ask.rows(_SHIFTS, most=limit)
        )

    def closing_list(self) -> ClosingList:
        """The person's locks, unpaid QRIS codes and what is held longer for a transfer; the oldest first."""
        found: dict[str, list[OpenEnd]] = {"lock": [], "qris": [], "transfer": []}
        for row in self._ask.rows(_ENDS):
            found[row["what"]].append(
                OpenEnd(
                    invoice_id=str(row["id"]),
                    booking_number=row["number"],
                    customer_name=row["name"],
                    amount=rupiah(row["amount"]),
                )
            )
        return ClosingList(locks=tuple(found["lock"]), qris=tuple(found["qris"]), transfers=tuple(found["transfer"]))

    def numbered_months(self) -> tuple[NumberedMonth, ...]:
        """Months with numbers, the newest first."""
        return tuple(month_of(item) for item in self._ask.rows(_MONTHS)[0]["told"])

    def settlement_proof(self, invoice_id: str) -> SettlementProof:
        """Each lock of an invoice; what the audit says where the person may read it."""
        if not is_uuid(invoice_id):
            return SettlementProof(invoice_id=invoice_id, locks=(), events=())
        locks = self._ask.rows(_LOCKS, invoice_id=invoice_id)
        try:
            events = self._ask.rows(_EVENTS, invoice_id=invoice_id.lower())
        except Refusal as no:
            if no.code is not RefusalCode.NOT_ALLOWED:
                raise
            events = ()
        return SettlementProof(invoice_id=invoice_id, locks=tuple(map(_lock, locks)), events=tuple(map(_event, events)))


def _refund(row: Columns) -> RefundRow:
    came: dict[RefundWay, int] = {}
    for kind, amount in row["came_in"].items():
        if (way := WAY_OF_TENDER.get(kind)) is not None:
            came[way] = came.get(way, 0) + int(amount)
    for name, amount in row["went_out"].items():
        came[RefundWay(name)] = came.get(RefundWay(name), 0) - int(amount)
    return RefundRow(
        id=str(row["id"]),
        invoice_id=str(row["invoice_id"]),
        invoice_number=row["invoice_number"],
        booking_id=None if row["booking_id"] is None else str(row["booking_id"]),
        booking_number=row["booking_number"],
        customer_id=str(row["customer_id"]),
        customer_name=row["customer_name"],
        kind=row["kind"],
        state=RefundState(row["state"]),
        amount=rupiah(row["amount"]),
        reason=row["reason"],
        created_at=moment(row["created_at"]),
        came_by={way: Rupiah(amount) for way, amount in came.items() if amount > 0},
        edc_limit=EDC_REFUND_LIMIT if row["edc_limit"] is None else rupiah(row["edc_limit"]),
        number=row["number"],
        way=None if row["way"] is None else RefundWay(row["way"]),
        reference=row["reference"],
        done_at=moment_or_none(row["done_at"]),
        done_by_name=row["done_by_name"],
    )


def _entry(row: Columns) -> CreditEntry:
    return CreditEntry(
        id=row["id"],
        kind=row["kind"],
        amount=rupiah(row["amount"]),
        way=row["way"],
        reference=row["reference"],
        reason=row["reason"],
        invoice_number=row["invoice_number"],
        made_at=moment(row["made_at"]),
        made_by_name=row["made_by_name"],
    )


def _sums(rows: Sequence[Columns]) -> tuple[WaySum, ...]:
    return tuple(WaySum(kind=row["kind"] or "", count=row["count"], amount=rupiah(row["amount"])) for row in rows)


def _report(told: Columns) -> ShiftReport:
    closing: Columns = told["closing"] or {"drafts": (), "open_locks": told["open_locks"]}
    return ShiftReport(
        id=told["id"],
        number=told["number"],
        drawer=told["drawer"],
        counter=told["counter"],
        cashier_name=told["cashier_name"],
        opening_float=rupiah(told["opening_float"]),
        opened_at=moment(told["opened_at"]),
        belongs_to=day(told["belongs_to"]),
        closed_at=moment_or_none(told["closed_at"]),
        closed_by_name=told["closed_by_name"],
        close_reason=told["close_reason"],
        expected=None if told["expected"] is None else rupiah(told["expected"]),
        counted=None if told["counted"] is None else rupiah(told["counted"]),
        payments=told["payments"],
        change=rupiah(told["change"]),
        credited=rupiah(told["credited"]),
        first_number=told["first_number"],
        last_number=told["last_number"],
        tenders=_sums(told["tenders"]),
        refunds=_sums(told["refunds"]),
        credits=_sums(told["credits"]),
        movements=tuple(
            CashMovement(
                id=item["id"], amount=rupiah(item["amount"]), reason=item["reason"], made_at=moment(item["made_at"])
            )
            for item in told["movements"]
        ),
        counts=tuple(map(_count, told["counts"])),
        drafts=tuple(closing["drafts"]),
        open_locks=tuple(closing["open_locks"]),
        now=moment(told["now"]),
    )


def _count(told: Columns) -> CountedOnce:
    return CountedOnce(
        round=told["round"],
        n=told["n"],
        pieces={int(piece): int(number) for piece, number in told["pieces"].items()},
        counted=rupiah(told["counted"]),
        expected=rupiah(told["expected"]),
        edc_slips=told["edc_slips"],
        edc_total=rupiah(told["edc_total"]),
        counted_at=moment(told["counted_at"]),
    )


def _lock(row: Columns) -> HeldBefore:
    return HeldBefore(
        epoch=row["epoch"],
        holder_name=row["holder_name"],
        counter=row["counter"],
        taken_at=moment(row["taken_at"]),
        beats=row["beats"],
        last_beat_at=moment_or_none(row["last_beat_at"]),
        locked_until=moment(row["locked_until"]),
        ended_at=moment_or_none(row["ended_at"]),
        ended_how=row["ended_how"],
    )


def _event(row: Columns) -> ProofEvent:
    return ProofEvent(
        at=moment(row["at"]),
        actor_name=row["actor_name"],
        counter=row["counter"],
        action=row["action"],
        after=row["after"] or {},
    )
