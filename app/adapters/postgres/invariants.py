"""What must always hold inside PostgreSQL: one query per invariant, each giving a row per break.

All of them run as one statement, so that they speak of one moment. They find what constraints and triggers would have
refused: a row written while those were switched off, restored from elsewhere, or changed by a superuser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import TextClause, text

from app.adapters.postgres.reads_connection import Ask
from app.usecases.rows import Break

UNPAID_LIMIT = "interval '30 seconds'"
UNPAID_UNDER_LOCK_LIMIT = "interval '5 minutes 30 seconds'"
OUTBOX_LIMIT = "interval '10 minutes'"
MONEY_LIMIT = "interval '2 minutes'"

# Booking rows of the audit in order, with what came before each.
_HISTORY = """
    SELECT a.id, a.subject, a.action, a.txid, CAST(CAST(a.xmin AS text) AS bigint) AS written_by,
           a.before->>'state' AS from_state, a.after->>'state' AS to_state,
           CAST(a.before->>'version' AS integer) AS from_version, CAST(a.after->>'version' AS integer) AS to_version,
           lag(a.after->>'state') OVER one AS last_state,
           lag(CAST(a.after->>'version' AS integer)) OVER one AS last_version,
           row_number() OVER (PARTITION BY a.subject ORDER BY a.id DESC) AS from_last
    FROM sentra.audit a
    WHERE a.after ? 'state' AND a.action IN (SELECT t.action FROM sentra.transition t)
    WINDOW one AS (PARTITION BY a.subject ORDER BY a.id)"""

INVARIANTS: Mapping[str, str] = {
    # No two active BOOKING or MAINTENANCE rows of a unit overlap, whether the constraint is there or not.
    "I1": """
        SELECT a.unit_id, greatest(lower(a.days), lower(z.days)) AS day,
               concat(a.days, ' and ', z.days) AS found, concat(a.id, ' ', z.id) AS id
        FROM sentra.occupancy a
        JOIN sentra.occupancy z ON z.unit_id = a.unit_id AND z.id > a.id AND z.days && a.days
        WHERE a.active AND z.active AND a.kind <> 'OVERDUE' AND z.kind <> 'OVERDUE'""",
    # A booking that is not final has exactly one active BOOKING row, a final one (or a released unit) none; until it
    # comes back that row is its unit, period and turnaround. One that was given another unit on its way holds it from
    # the day of the swap on, one whose extension waits for payment longer than its period.
    "I3": """
        SELECT b.unit_id, b.first_day AS day,
               concat(b.number, ' in ', b.state, ' has ', coalesce(held.rows, 0), ' active rows, ',
                      coalesce(held.exact, 0), ' of its own days, ', coalesce(held.layers, 0), ' overdue') AS found,
               CAST(b.id AS text) AS id
        FROM sentra.booking b
        LEFT JOIN (
            SELECT o.booking_id, count(*) FILTER (WHERE o.kind = 'BOOKING') AS rows,
                   count(*) FILTER (WHERE o.kind = 'OVERDUE') AS layers,
                   count(*) FILTER (WHERE o.kind = 'BOOKING' AND o.unit_id = of.unit_id
                       AND CASE WHEN of.state = 'EXTENSION_PENDING'
                                THEN upper(o.days) - 1 > of.last_day + of.turnaround_days
                                ELSE upper(o.days) - 1 = of.last_day + of.turnaround_days END
                       AND (lower(o.days) = of.first_day OR (lower(o.days) > of.first_day AND lower(o.days) <=
                            CAST((SELECT sentra.now()) AT TIME ZONE place.zone AS date)))) AS exact
            FROM sentra.occupancy o JOIN sentra.booking of ON of.id = o.booking_id
            JOIN sentra.branch place ON place.id = of.branch_id
            WHERE o.active GROUP BY o.booking_id
        ) held ON held.booking_id = b.id
        WHERE CASE WHEN b.state IN ('COMPLETED', 'CANCELLED')
                   THEN coalesce(held.rows, 0) + coalesce(held.layers, 0) > 0
                   WHEN b.state = 'DISPUTED' AND b.last_action = 'release_unit' THEN coalesce(held.rows, 0) <> 0
                   WHEN b.state IN ('PENDING_PAYMENT', 'PAID_APPROVED', 'DISPATCHED', 'ACTIVE_RENTAL',
                                    'EXTENSION_PENDING')
                   THEN coalesce(held.rows, 0) <> 1 OR coalesce(held.exact, 0) <> 1
                   ELSE coalesce(held.rows, 0) <> 1 END""",
    # At most one settlement per invoice, and the sums of lines, payments, tenders and refunds agree with the invoice.
    "I4": """
        SELECT '' AS unit_id, CAST(i.issued_on AS date) AS day,
               concat(i.kind, ' ', i.state, ': total ', i.total, ', lines ', lines.amount, ', paid ', i.paid,
                      ', payments ', pays.amount, ' in ', pays.number, ', tenders ', pays.tendered,
                      ', refunds ', refunds.amount) AS found,
               CAST(i.id AS text) AS id
        FROM sentra.invoice i
        CROSS JOIN LATERAL (
            SELECT count(*) AS number, coalesce(sum(p.amount), 0) AS amount, coalesce(sum((
                SELECT sum(t.amount) FROM sentra.tender t WHERE t.payment_id = p.id)), 0) AS tendered
            FROM sentra.payment p WHERE p.invoice_id = i.id) pays
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(r.amount), 0) AS amount
            FROM sentra.refund r WHERE r.invoice_id = i.id AND r.state = 'DONE') refunds
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(il.amount), 0) AS amount
            FROM sentra.invoice_line il WHERE il.invoice_id = i.id AND il.active) lines
        WHERE i.paid <> pays.amount - refunds.amount OR pays.number > 1 OR pays.tendered <> pays.amount
           OR (i.state = 'PAID' AND (pays.number <> 1 OR pays.amount <> i.total))
           OR (i.state = 'OPEN' AND pays.number > 0)
           OR (i.state = 'VOID' AND pays.number > 0 AND (i.number IS NULL OR pays.amount <> i.total))
           OR (i.state <> 'VOID' AND lines.amount <> i.total)""",
    # A payment's epoch is the invoice's at pay time: paying ends the locks, so they stay equal. Money without an epoch
    # came through the gateway.
    "I5": """
        SELECT '' AS unit_id, CAST(p.paid_at AS date) AS day,
               concat('payment under epoch ', coalesce(CAST(p.lock_epoch AS text), 'none'),
                      ', invoice at ', i.lock_epoch) AS found,
               CAST(p.id AS text) AS id
        FROM sentra.payment p JOIN sentra.invoice i ON i.id = p.invoice_id
        WHERE CASE WHEN p.lock_epoch IS NOT NULL THEN p.lock_epoch <> i.lock_epoch
                   ELSE NOT EXISTS (SELECT FROM sentra.tender t
                                    WHERE t.payment_id = p.id AND t.kind IN ('GATEWAY', 'QRIS')) END""",
    # Nothing waits for payment long past its deadline; a cashier's valid lock gives it five minutes more.
    "I6": f"""
        SELECT b.unit_id, b.first_day AS day,
               concat(b.number, ' waits for payment since ', b.payment_deadline) AS found, CAST(b.id AS text) AS id
        FROM sentra.booking b
        WHERE b.state IN ('PENDING_PAYMENT', 'EXTENSION_PENDING') AND (b.payment_deadline IS NULL
           OR b.payment_deadline < (SELECT sentra.now()) - CASE WHEN EXISTS (
                SELECT FROM sentra.invoice i WHERE i.order_id = b.order_id AND i.state = 'OPEN'
                  AND i.locked_until > (SELECT sentra.now())
                  AND (b.state = 'PENDING_PAYMENT' OR (i.kind = 'EXTENSION' AND EXISTS (
                       SELECT FROM sentra.invoice_line il
                       WHERE il.invoice_id = i.id AND il.booking_id = b.id AND il.active))))
                THEN {UNPAID_UNDER_LOCK_LIMIT} ELSE {UNPAID_LIMIT} END)""",
    # Money that the gateway confirmed ends in exactly one of a payment and late money, within minutes; every payment
    # without a lock's epoch is such money. What an invoice did not ask for of it is late money beside the payment, and
    # so is what the gateway gave back of it. Money that went back whole before it was booked is in neither.
    "I7": f"""
        SELECT '' AS unit_id, CAST(m.told_at AS date) AS day,
               concat('money ', m.order_id, ' ', m.transaction_id, ' is in ', pays.number, ' payments and ',
                      late.number, ' rows of late money') AS found,
               CAST(m.id AS text) AS id
        FROM (SELECT e.order_id, e.transaction_id, min(e.received_at) AS told_at, min(CAST(e.id AS text)) AS id,
                     bool_or(e.given_back > 0 AND e.given_back >= e.amount - e.fee) AS went_back
              FROM sentra.gateway_event e
              WHERE e.is_money AND e.source = 'STATUS' AND e.verdict <> 'UNKNOWN_ORDER'
              GROUP BY e.order_id, e.transaction_id) m
        CROSS JOIN LATERAL (
            SELECT count(*) AS number FROM sentra.payment p
            WHERE p.attempt_id = concat('midtrans:', m.order_id, ':', m.transaction_id)) pays
        CROSS JOIN LATERAL (
            SELECT count(*) AS number FROM sentra.late_money l
            WHERE l.provider_order_id = m.order_id AND l.transaction_id = m.transaction_id
              AND l.state <> 'REINSTATED' AND l.reason NOT IN ('OVERPAID', 'GIVEN_BACK', 'HELD_BACK')) late
        WHERE pays.number + late.number > 1
           OR (pays.number + late.number = 0 AND NOT coalesce(m.went_back, false)
               AND m.told_at < (SELECT sentra.now()) - {MONEY_LIMIT})
      UNION ALL
        SELECT '', CAST(g.told_at AS date),
               concat(g.back, ' of money ', g.order_id, ' ', g.transaction_id, ' went back at the gateway, ', told.back,
                      ' of it is on record'), g.id
        FROM (SELECT e.order_id, e.transaction_id, min(e.received_at) AS told_at, min(CAST(e.id AS text)) AS id,
                     max(least(e.given_back, e.amount - e.fee)) AS back
              FROM sentra.gateway_event e
              WHERE e.is_money AND e.source = 'STATUS' AND e.verdict <> 'UNKNOWN_ORDER' AND e.given_back > 0
              GROUP BY e.order_id, e.transaction_id) g
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(l.amount), 0) AS back FROM sentra.late_money l
            WHERE l.provider_order_id = g.order_id AND l.transaction_id = g.transaction_id
              AND l.reason = 'GIVEN_BACK') told
        WHERE told.back <> g.back AND g.told_at < (SELECT sentra.now()) - {MONEY_LIMIT}
          AND (EXISTS (SELECT FROM sentra.payment p
                       WHERE p.attempt_id = concat('midtrans:', g.order_id, ':', g.transaction_id))
               OR EXISTS (SELECT FROM sentra.late_money l
                          WHERE l.provider_order_id = g.order_id AND l.transaction_id = g.transaction_id
                            AND l.reason NOT IN ('GIVEN_BACK', 'HELD_BACK')))
      UNION ALL
        SELECT '', CAST(p.paid_at AS date), concat('payment ', p.attempt_id, ' is not of any money told'),
               CAST(p.id AS text)
        FROM sentra.payment p
        WHERE p.lock_epoch IS NULL AND NOT EXISTS (
            SELECT FROM sentra.gateway_event e
            WHERE e.is_money AND e.source = 'STATUS'
              AND p.attempt_id = concat('midtrans:', e.order_id, ':', e.transaction_id))
      UNION ALL
        SELECT '', CAST(l.created_at AS date), 'late money is REINSTATED without a payment', CAST(l.id AS text)
        FROM sentra.late_money l
        WHERE l.state = 'REINSTATED' AND NOT EXISTS (
            SELECT FROM sentra.payment p
            WHERE p.attempt_id = concat('midtrans:', l.provider_order_id, ':', l.transaction_id))""",
    # Outside effects are carried out, or given up visibly, within their limit.
    "I9": f"""
        SELECT '' AS unit_id, CAST(x.created_at AS date) AS day,
               concat(x.kind, ' waits since ', greatest(x.created_at, x.not_before), ' after ', x.attempts, ' tries')
                   AS found,
               CAST(x.id AS text) AS id
        FROM sentra.outbox x
        WHERE x.done_at IS NULL AND x.given_up_at IS NULL
          AND greatest(x.created_at, x.not_before) < (SELECT sentra.now()) - {OUTBOX_LIMIT}""",
    # Nothing was given up: somebody has to look at its cause (`sentra-admin outbox --again` then tries it once more).
    "OUTBOX": """
        SELECT '' AS unit_id, CAST(x.given_up_at AS date) AS day,
               concat(x.kind, ' given up after ', x.attempts, ' tries: ', x.error) AS found, CAST(x.id AS text) AS id
        FROM sentra.outbox x
        WHERE x.done_at IS NULL AND x.given_up_at IS NOT NULL""",
    # Only transitions of the table: where a booking stands, and every step it took.
    "I10": f"""
        SELECT b.unit_id, b.first_day AS day, concat(b.number, ' in ', b.state, ' by ', b.last_action) AS found,
               CAST(b.id AS text) AS id
        FROM sentra.booking b
        WHERE NOT EXISTS (
            SELECT FROM sentra.transition t WHERE t.to_state = b.state AND t.action = b.last_action)
      UNION ALL
        SELECT '', NULL, concat(h.from_state, ' ', h.action, ' ', h.to_state, ' in audit ', h.id), h.subject
        FROM ({_HISTORY}) h
        WHERE NOT EXISTS (
            SELECT FROM sentra.transition t
            WHERE t.from_state IS NOT DISTINCT FROM h.from_state AND t.action = h.action
              AND t.to_state = h.to_state)""",
    # Every change of state has its audit row of the same transaction: the last one tells the state and version that
    # stand, each begins where the one before ended, and the booking's row was written by the transaction that wrote
    # its last audit row. (A restored database has new transaction numbers, its audit rows too: not compared.)
    "I11": f"""
        SELECT b.unit_id, b.first_day AS day,
               concat(b.number, ' is ', b.state, ' version ', b.version, ', its audit ends with ',
                      coalesce(h.to_state, 'nothing'), ' version ', h.to_version,
                      CASE WHEN h.txid = h.written_by
                           THEN concat(' of transaction ', h.txid, ', the row is of ', b.xmin) END) AS found,
               CAST(b.id AS text) AS id
        FROM sentra.booking b
        LEFT JOIN ({_HISTORY}) h ON h.subject = CAST(b.id AS text) AND h.from_last = 1
        WHERE h.id IS NULL OR h.to_state <> b.state OR h.to_version <> b.version OR h.action <> b.last_action
           OR (h.txid % 4294967296 = h.written_by AND CAST(CAST(b.xmin AS text) AS bigint) <> h.written_by)
      UNION ALL
        SELECT '', NULL, concat('audit ', h.id, ' begins with ', h.from_state, ' version ', h.from_version,
                                ' after ', h.last_state, ' version ', h.last_version), h.subject
        FROM ({_HISTORY}) h
        WHERE h.last_state IS DISTINCT FROM h.from_state OR h.last_version IS DISTINCT FROM h.from_version
      UNION ALL
        SELECT '', i.issued_on, concat('invoice ', i.number, ' is PAID without an audit row'), CAST(i.id AS text)
        FROM sentra.invoice i
        WHERE i.state = 'PAID' AND NOT EXISTS (
            SELECT FROM sentra.audit a WHERE a.subject = CAST(i.id AS text) AND a.after->>'state' = 'PAID')""",
    # A deposit is given out once: what was refunded, what paid charges and what is held back is never more than it.
    "DEPOSITS": """
        SELECT b.unit_id, b.last_day AS day,
               concat(b.number, ' has a deposit of ', money.paid, ', refunds ', money.refunded, ', charges paid ',
                      money.used) AS found,
               CAST(b.id AS text) AS id
        FROM sentra.booking b
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(il.amount)
                             FROM sentra.invoice_line il JOIN sentra.invoice i ON i.id = il.invoice_id
                             WHERE il.booking_id = b.id AND il.kind = 'DEPOSIT' AND il.active AND i.state = 'PAID'), 0)
                       AS paid,
                   coalesce((SELECT sum(r.amount)
                             FROM sentra.refund r JOIN sentra.invoice i ON i.id = r.invoice_id AND i.state = 'PAID'
                             WHERE r.booking_id = b.id AND r.kind = 'DEPOSIT' AND r.state <> 'VOID'), 0) AS refunded,
                   coalesce((SELECT sum(t.amount) FROM sentra.tender t JOIN sentra.payment p ON p.id = t.payment_id
                             WHERE t.kind = 'DEPOSIT' AND p.invoice_id IN (
                                 SELECT c.invoice_id FROM sentra.charge c WHERE c.booking_id = b.id)), 0) AS used
        ) money
        WHERE money.refunded + money.used > money.paid""",
    # Numbers of a branch and month are 1 to the counter's last, none left out and none twice, a void's included.
    "NUMBERS": """
        SELECT '' AS unit_id, CAST(NULL AS date) AS day,
               concat('the last number of ', n.branch_id, ' ', n.month, ' is ', n.last, ', there are ', found.number,
                      ' up to ', found.greatest) AS found,
               concat(n.branch_id, '/', n.month) AS id
        FROM sentra.number_counter n
        JOIN sentra.branch place ON place.id = n.branch_id
        CROSS JOIN LATERAL (
            SELECT count(DISTINCT i.number) AS number,
                   coalesce(max(CAST(split_part(i.number, '/', 4) AS integer)), 0) AS greatest
            FROM sentra.invoice i
            WHERE i.branch_id = n.branch_id AND i.number LIKE concat('INV/', place.code, '/', n.month, '/%')) found
        WHERE found.number <> n.last OR found.greatest <> n.last""",
    # A customer's credit is the sum of its entries; a closed shift expected what its drawer's entries come to.
    "TILL": """
        SELECT '' AS unit_id, CAST(NULL AS date) AS day,
               concat('credit of ', a.balance, ', entries come to ', entries.amount) AS found,
               CAST(a.customer_id AS text) AS id
        FROM sentra.credit_account a
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(e.amount), 0) AS amount FROM sentra.credit_entry e
            WHERE e.branch_id = a.branch_id AND e.customer_id = a.customer_id) entries
        WHERE a.balance <> entries.amount
      UNION ALL
        SELECT '', CAST(s.closed_at AS date), concat('shift ', s.number, ' expected ', s.expected,
               ', its drawer comes to ', drawer.amount), CAST(s.id AS text)
        FROM sentra.shift s
        CROSS JOIN LATERAL (
            SELECT s.opening_float
                + coalesce((SELECT sum(t.received) FROM sentra.tender t JOIN sentra.payment p ON p.id = t.payment_id
                            WHERE p.shift_id = s.id AND t.kind = 'CASH'), 0)
                - coalesce((SELECT sum(p.change) FROM sentra.payment p WHERE p.shift_id = s.id), 0)
                - coalesce((SELECT sum(r.amount) FROM sentra.refund r WHERE r.shift_id = s.id AND r.way = 'CASH'), 0)
                + coalesce((SELECT sum(e.amount) FROM sentra.credit_entry e
                            WHERE e.shift_id = s.id AND e.way = 'CASH'), 0)
                + coalesce((SELECT sum(m.amount) FROM sentra.cash_movement m WHERE m.shift_id = s.id), 0) AS amount
        ) drawer
        WHERE s.closed_at IS NOT NULL AND s.expected <> drawer.amount""",
    # A slot is one unit's in its SKU and below the SKU's next one; days are kept under the unit's own SKU and branch.
    "SLOTS": """
        SELECT u.id AS unit_id, CAST(NULL AS date) AS day,
               concat('slot ', u.slot, ' of ', u.sku_id, ', the next one is ', k.next_slot) AS found, u.id
        FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
        WHERE u.slot >= k.next_slot OR EXISTS (
            SELECT FROM sentra.unit twin WHERE twin.sku_id = u.sku_id AND twin.slot = u.slot AND twin.id <> u.id)
      UNION ALL
        SELECT o.unit_id, lower(o.days), concat('days kept under ', o.sku_id, ' in ', o.branch_id, ', the unit is ',
               u.sku_id, ' in ', u.branch_id), CAST(o.id AS text)
        FROM sentra.occupancy o JOIN sentra.unit u ON u.id = o.unit_id
        WHERE o.active AND (o.sku_id <> u.sku_id OR o.branch_id <> u.branch_id)""",
    # A lock is whole or absent, and only an open invoice has one.
    "LOCKS": """
        SELECT '' AS unit_id, CAST(i.locked_at AS date) AS day,
               concat(i.state, ' invoice, locked by ', coalesce(i.locked_by, 'nobody'), ' at ',
                      coalesce(i.locked_counter, 'no counter'), ' until ', i.locked_until) AS found,
               CAST(i.id AS text) AS id
        FROM sentra.invoice i
        WHERE num_nulls(i.locked_by, i.locked_until, i.locked_at, i.locked_counter) NOT IN (0, 4)
           OR (i.state <> 'OPEN' AND i.locked_by IS NOT NULL)
           OR (i.locked_by IS NOT NULL AND i.lock_epoch < 1)""",
    # Every constraint, unique index, trigger, policy and function is there, switched on, and says what the migrations
    # made it say: one put back under the same name with less in it guards nothing.
    "GUARDS": """
        SELECT '' AS unit_id, CAST(NULL AS date) AS day,
               concat(g.kind, ' ', g.name, ' on ', g.of_table,
                      CASE WHEN n.made IS NULL THEN ' is missing' ELSE ' is changed or switched off' END) AS found,
               g.name AS id
        FROM sentra.guard g
        LEFT JOIN sentra.guards_now() n ON n.kind = g.kind AND n.of_table = g.of_table AND n.name = g.name
        WHERE n.made IS DISTINCT FROM g.made
      UNION ALL
        SELECT '', NULL, 'the migrations left no list of guards', 'guard'
        WHERE NOT EXISTS (SELECT FROM sentra.guard)""",
}


def statement(names: Sequence[str]) -> TextClause:
    """These invariants as one statement; columns invariant, unit_id, day, found, id."""
    parts = [
        f"SELECT '{name}' AS invariant, broken.unit_id, broken.day, broken.found, broken.id"
        f" FROM ({INVARIANTS[name]}) AS broken (unit_id, day, found, id)"
        for name in names
    ]
    return text("\nUNION ALL\n".join(parts) + "\nORDER BY invariant, id")


_ALL = statement(list(INVARIANTS))


def breaks(ask: Ask) -> tuple[Break, ...]:
    """Every break found now. Needs the rights of the service or of a superuser: all branches, all tables."""
    return tuple(
        Break(
            invariant=row["invariant"],
            unit_id=row["unit_id"] or "",
            day=row["day"].isoformat() if row["day"] is not None else "",
            postgres=row["found"],
            id=row["id"],
        )
        for row in ask.rows(_ALL)
    )
