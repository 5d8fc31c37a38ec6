"""Reads of the payment gateway: which one it is, attempts, and money that came too late."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text

from app.adapters.postgres.driver import Row
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import moment, moment_or_none
from app.domain.gateway import AttemptKind, AttemptState
from app.domain.money import Rupiah
from app.usecases.rows_gateway import Attempt, GatewayPlace, LateMoneyRow, LateReason, LateState

_PLACE = text("SELECT s.value FROM sentra.setting s WHERE s.key = 'gateway' AND s.branch_id IS NULL")

_ATTEMPT = """
    SELECT a.order_id, a.invoice_id, a.number, a.branch_id, a.kind, a.amount, a.state, a.expires_at, a.created_at,
           a.ended_at, a.asked_count, a.end_asked_at, a.link, a.qr, a.transaction_id, a.error, clock.now,
           CAST(greatest(0, floor(extract(epoch FROM a.expires_at - clock.now))) AS bigint) AS seconds_left,
           (SELECT max(x.expires_at) FROM sentra.gateway_attempt x
            WHERE x.invoice_id = a.invoice_id AND x.kind = 'LINK' AND x.state = 'ENDED' AND x.link IS NOT NULL
              AND x.seen IN ('not_opened', 'deny', 'failure') AND x.expires_at > clock.now) AS still_payable_until,
           coalesce((SELECT CAST(s.value->>'simulated' AS boolean) FROM sentra.setting s
                     WHERE s.key = 'gateway' AND s.branch_id IS NULL), false) AS simulated
    FROM sentra.gateway_attempt a CROSS JOIN (SELECT sentra.now() AS now) clock"""
_BY_ORDER = text(f"{_ATTEMPT} WHERE a.order_id = :order_id")
_LAST = text(f"{_ATTEMPT} WHERE a.invoice_id = CAST(:invoice_id AS uuid) ORDER BY a.number DESC LIMIT 1")

# Money that was told and became nothing yet, and what went back of it beyond what is on record.
_TOLD = text("""
    SELECT DISTINCT e.transaction_id FROM sentra.gateway_event e
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE l.reason NOT IN ('GIVEN_BACK', 'HELD_BACK')) AS number,
               coalesce(sum(l.amount) FILTER (WHERE l.reason = 'GIVEN_BACK'), 0) AS back
        FROM sentra.late_money l
        WHERE l.provider_order_id = e.order_id AND l.transaction_id = e.transaction_id) late
    WHERE e.order_id = :order_id AND (e.is_money OR e.is_held)
      AND (least(e.given_back, e.amount - e.fee) > late.back OR (late.number = 0 AND NOT EXISTS (
          SELECT FROM sentra.payment p
          WHERE p.attempt_id = concat('midtrans:', e.order_id, ':', e.transaction_id))))
    ORDER BY 1""")

_LATE = text("""
    SELECT l.id, l.invoice_id, i.order_id, l.amount, l.state, l.reason, l.created_at, l.closed_at,
           b.number AS booking_number, c.name AS customer_name, u.plate AS unit_plate,
           ARRAY(SELECT n.number FROM sentra.booking n WHERE n.order_id = l.reinstated_order_id ORDER BY n.line_no)
               AS reinstated_numbers
    FROM sentra.late_money l
    JOIN sentra.invoice i ON i.id = l.invoice_id
    JOIN LATERAL (SELECT x.number, x.unit_id FROM sentra.booking x
                  WHERE x.order_id = i.order_id ORDER BY x.line_no LIMIT 1) b ON true
    JOIN sentra.unit u ON u.id = b.unit_id
    JOIN sentra.customer c ON c.id = i.customer_id
    WHERE l.branch_id = :branch_id AND l.state = ANY (:states)
    ORDER BY l.created_at, l.id""")


class GatewayReads:
    """The part `GatewayReads` of the reads."""

    _ask: Ask

    def gateway_place(self) -> GatewayPlace | None:
        """The gateway that a service told of; None when none ever ran with one."""
        row = self._ask.row(_PLACE)
        return None if row is None else GatewayPlace(mode=row["value"]["mode"], is_simulated=row["value"]["simulated"])

    def attempt(self, order_id: str) -> Attempt | None:
        """By the gateway's name of it."""
        row = self._ask.row(_BY_ORDER, order_id=order_id)
        return None if row is None else _attempt(row)

    def last_attempt(self, invoice_id: str) -> Attempt | None:
        """The newest attempt of an invoice of the person's branch."""
        row = self._ask.row(_LAST, invoice_id=invoice_id) if is_uuid(invoice_id) else None
        return None if row is None else _attempt(row)

    def told_transactions(self, order_id: str) -> tuple[str, ...]:
        """Transactions of an order of which money was told that is not booked yet. The service's."""
        return tuple(row["transaction_id"] for row in self._ask.rows(_TOLD, order_id=order_id))

    def late_money(self, branch_id: str, states: Sequence[LateState]) -> tuple[LateMoneyRow, ...]:
        """Money that could not settle its invoice, oldest first."""
        rows = self._ask.rows(_LATE, branch_id=branch_id, states=[state.value for state in states])
        return tuple(
            LateMoneyRow(
                id=str(row["id"]),
                invoice_id=str(row["invoice_id"]),
                order_id=str(row["order_id"]),
                booking_number=row["booking_number"],
                customer_name=row["customer_name"],
                unit_plate=row["unit_plate"],
                amount=Rupiah(row["amount"]),
                state=LateState(row["state"]),
                reason=LateReason(row["reason"]),
                came_at=moment(row["created_at"]),
                closed_at=moment_or_none(row["closed_at"]),
                reinstated_numbers=tuple(row["reinstated_numbers"]),
            )
            for row in rows
        )


def _attempt(row: Row) -> Attempt:
    return Attempt(
        order_id=row["order_id"],
        invoice_id=str(row["invoice_id"]),
        number=row["number"],
        branch_id=row["branch_id"],
        kind=AttemptKind(row["kind"]),
        amount=Rupiah(row["amount"]),
        state=AttemptState(row["state"]),
        expires_at=moment(row["expires_at"]),
        seconds_left=row["seconds_left"],
        now=moment(row["now"]),
        created_at=moment(row["created_at"]),
        ended_at=moment_or_none(row["ended_at"]),
        asked_count=row["asked_count"],
        is_end_asked=row["end_asked_at"] is not None,
        is_simulated=row["simulated"],
        link=row["link"],
        qr=row["qr"],
        transaction_id=row["transaction_id"],
        error=row["error"],
        still_payable_until=moment_or_none(row["still_payable_until"]),
    )
