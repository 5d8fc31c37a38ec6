-- Reschedule, swap, extend, shorten: changes of a booking that stands. Lock order as everywhere: invoices, bookings by id,
-- units by id, number counter. Each change is one function: rows locked, state and role, days, price, then the writes.
-- A booking's own days are never in its way: its one active row moves in place on the same unit, and on another one the
-- old row ends before the new one is written.

-- The last day a booking is paid for while it was shortened and ends earlier: so far it may be lengthened again.
ALTER TABLE sentra.booking ADD COLUMN paid_until date,
    ADD CONSTRAINT booking_paid_until CHECK (paid_until IS NULL OR (paid_until > last_day AND paid_until - first_day < 365));

-- An ended row of a unit that was out with its customer until it was swapped: seen on the grid, in nobody's way.
ALTER TABLE sentra.occupancy ADD COLUMN was_out boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT occupancy_was_out CHECK (NOT was_out OR (kind = 'BOOKING' AND NOT active));
CREATE INDEX occupancy_was_out ON sentra.occupancy (booking_id) WHERE was_out;

-- `taxable` is the rent before PPN that a refund gives back. A refund that a later change takes back is VOID.
ALTER TABLE sentra.refund ADD COLUMN taxable bigint NOT NULL DEFAULT 0 CHECK (taxable >= 0),
    DROP CONSTRAINT refund_state_check,
    ADD CONSTRAINT refund_state_check CHECK (state IN ('DUE', 'DONE', 'VOID'));
CREATE UNIQUE INDEX refund_one_reschedule ON sentra.refund (invoice_id, booking_id)
    WHERE state = 'DUE' AND kind = 'RESCHEDULE';

-- Deadlines that the service watches: unpaid bookings and unpaid extensions.
DROP INDEX sentra.booking_unpaid;
CREATE INDEX booking_unpaid ON sentra.booking (payment_deadline)
    WHERE state IN ('PENDING_PAYMENT', 'EXTENSION_PENDING');

-- --- guards ---------------------------------------------------------------------------------------------------------

-- I3 at COMMIT: a non-final booking has exactly one active BOOKING row, a final one none; a DISPUTED booking whose unit
-- was released none. Until it comes back that row is exactly the booking's unit, and its period with turnaround: one that
-- was given another unit on its way holds it from the day of the swap on, one that waits for an extension to be paid
-- longer than its period.
CREATE OR REPLACE FUNCTION sentra.check_booking_days() RETURNS trigger SECURITY DEFINER
SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held sentra.booking;
    rows integer;
    layers integer;
    exact integer;
    expected integer;
BEGIN
    IF TG_TABLE_NAME = 'booking' THEN
        wanted := NEW.id;
    ELSE
        wanted := NEW.booking_id;
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    SELECT count(*) FILTER (WHERE o.kind = 'BOOKING'), count(*) FILTER (WHERE o.kind = 'OVERDUE'),
           count(*) FILTER (WHERE o.kind = 'BOOKING' AND sentra.holds_its_days(held, o))
    INTO rows, layers, exact
    FROM sentra.occupancy AS o WHERE o.booking_id = wanted AND o.active;
    expected := CASE WHEN held.state IN ('COMPLETED', 'CANCELLED') THEN 0
                     WHEN held.state = 'DISPUTED' AND held.last_action = 'release_unit' THEN 0 ELSE 1 END;
    IF rows <> expected OR (expected = 0 AND layers > 0)
       OR (held.state IN ('PENDING_PAYMENT', 'PAID_APPROVED', 'DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING')
           AND exact <> 1) THEN
        RAISE EXCEPTION 'booking % in state % has % active occupancy rows (% exact, % overdue)',
            wanted, held.state, rows, exact, layers
            USING ERRCODE = 'check_violation', CONSTRAINT = 'booking_days';
    END IF;
    RETURN NULL;
END $$;

-- Whether a row of days is what a booking that has not come back must hold.
CREATE FUNCTION sentra.holds_its_days(held sentra.booking, o sentra.occupancy) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT o.unit_id = held.unit_id
       AND CASE WHEN held.state = 'EXTENSION_PENDING' THEN upper(o.days) - 1 > held.last_day + held.turnaround_days
                ELSE upper(o.days) - 1 = held.last_day + held.turnaround_days END
       AND (lower(o.days) = held.first_day OR (lower(o.days) > held.first_day AND lower(o.days) <= (
                SELECT (sentra.now() AT TIME ZONE b.zone)::date FROM sentra.branch AS b WHERE b.id = held.branch_id)))
$$;

-- --- what stands in the way -----------------------------------------------------------------------------------------

-- Active rows over wanted days of units, as refusals name them; a booking and its customer only to their own branch.
CREATE OR REPLACE FUNCTION sentra.blocking_rows(wanted jsonb, branch text, but_not uuid[]) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('unit_id', o.unit_id, 'kind', o.kind,
        'first_day', lower(o.days), 'last_day', upper(o.days) - 1, 'since', o.created_at,
        'booking_id', CASE WHEN k.branch_id = branch THEN k.id END,
        'number', k.number, 'state', k.state, 'customer', CASE WHEN k.branch_id = branch THEN c.name END,
        'by', coalesce(CASE WHEN o.branch_id = branch THEN s.name END, ''))), '[]')
    FROM jsonb_to_recordset(wanted) AS w (unit_id text, taken_first date, taken_last date)
    JOIN sentra.occupancy AS o ON o.unit_id = w.unit_id AND o.active
        AND o.days && daterange(w.taken_first, w.taken_last, '[]')
    LEFT JOIN sentra.booking AS k ON k.id = o.booking_id
    LEFT JOIN sentra.customer AS c ON c.id = k.customer_id
    LEFT JOIN sentra.staff AS s ON s.role_name = o.created_by
    WHERE o.booking_id IS NULL OR o.booking_id <> ALL (but_not)
$$;

CREATE FUNCTION sentra.in_the_way(held sentra.booking, unit_id text, days daterange) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT sentra.blocking_rows(jsonb_build_array(jsonb_build_object('unit_id', unit_id, 'taken_first', lower(days),
        'taken_last', upper(days) - 1)), held.branch_id, ARRAY[held.id])
$$;

-- --- money ----------------------------------------------------------------------------------------------------------

-- A taxable sum as it is paid: with its PPN where the branch adds it on top.
CREATE FUNCTION sentra.payable(b sentra.branch, taxable bigint, on_day date) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT taxable + CASE WHEN b.has_ppn AND NOT b.prices_include_ppn
                          THEN (SELECT p.ppn FROM sentra.priced(b, taxable, on_day) AS p) ELSE 0 END
$$;

-- Where an invoice has its PPN, as it stands on it: the branch's settings may have become others since it was made.
CREATE FUNCTION sentra.ppn_place_of(i sentra.invoice) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.kind = 'PPN')
                THEN 'ON_TOP' WHEN i.dpp > 0 THEN 'INSIDE' ELSE 'NONE' END
$$;

CREATE FUNCTION sentra.ppn_place_now(b sentra.branch) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN NOT b.has_ppn THEN 'NONE' WHEN b.prices_include_ppn THEN 'INSIDE' ELSE 'ON_TOP' END
$$;

-- An invoice's branch, with the settings of PPN that the invoice was made by.
CREATE FUNCTION sentra.branch_of(i sentra.invoice) RETURNS sentra.branch STABLE LANGUAGE plpgsql AS $$
DECLARE
    b     sentra.branch;
    place text := sentra.ppn_place_of(i);
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = i.branch_id;
    b.has_ppn := place <> 'NONE';
    b.prices_include_ppn := place = 'INSIDE';
    RETURN b;
END $$;

-- Invoices with rent of a booking, as the domain prices a change of it: open ones first, then the newest settled.
CREATE FUNCTION sentra.papers_of(held sentra.booking) RETURNS TABLE (invoice_id uuid, kind text, is_open boolean,
    made_on date, ppn_place text, taxable bigint, rent bigint, given_back bigint, given_back_here bigint, due bigint,
    all_due bigint, due_amount bigint, paid_back bigint, settled_at timestamptz) STABLE LANGUAGE sql AS $$
    SELECT i.id, i.kind, i.state = 'OPEN', (i.created_at AT TIME ZONE b.zone)::date, sentra.ppn_place_of(i),
           rents.taxable, rents.rent, back.given_back, back.given_back_here, back.due, back.all_due, back.due_amount,
           back.paid_back, i.settled_at
    FROM sentra.invoice AS i JOIN sentra.branch AS b ON b.id = i.branch_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint AS taxable,
               sum(l.amount) FILTER (WHERE l.kind = 'RENT' AND l.booking_id = held.id)::bigint AS rent
        FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.active) AS rents
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable) FILTER (WHERE r.kind = 'RESCHEDULE'), 0)::bigint AS given_back,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id), 0)::bigint AS given_back_here,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id AND r.state = 'DUE'
                                               AND r.kind = 'RESCHEDULE'), 0)::bigint AS due,
               coalesce(sum(r.taxable) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint AS all_due,
               coalesce(sum(r.amount) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint
                   AS due_amount,
               coalesce(sum(r.amount) FILTER (WHERE r.state = 'DONE' AND r.kind = 'RESCHEDULE'), 0)::bigint AS paid_back
        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.order_id = held.order_id AND rents.rent IS NOT NULL
      AND (i.state = 'PAID' OR (i.state = 'OPEN' AND i.kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE')
           AND (i.kind = 'BALANCE') = (held.state <> 'PENDING_PAYMENT')))
    ORDER BY i.state = 'OPEN' DESC, i.settled_at DESC, i.id
$$;

-- What a change of a booking starts from; null for a booking that this branch has not.
CREATE FUNCTION sentra.change_basis(wanted uuid) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    moment timestamptz := sentra.now();
    held   sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector');
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.branch_id = branch;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN (SELECT jsonb_build_object('booking_id', held.id, 'number', held.number, 'order_id', held.order_id,
        'version', held.version, 'state', held.state, 'unit_id', held.unit_id, 'unit_sku', u.sku_id, 'first_day', held.first_day,
        'last_day', held.last_day, 'held_first', coalesce(lower(o.days), held.first_day),
        'held_last', coalesce(upper(o.days) - 1, held.last_day + held.turnaround_days),
        'turnaround_days', held.turnaround_days, 'paid_until', held.paid_until,
        'today', (moment AT TIME ZONE b.zone)::date, 'now', moment, 'payment_deadline', held.payment_deadline,
        'sold_sku', s.id, 'sold_rate', s.daily_rate, 'daily_rate', held.daily_rate,
        'ppn_place', sentra.ppn_place_now(b),
        'papers', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'settled_at' ORDER BY p.is_open DESC, p.settled_at DESC,
                                             p.invoice_id), '[]') FROM sentra.papers_of(held) AS p))
    FROM sentra.branch AS b
    JOIN sentra.unit AS u ON u.id = held.unit_id
    JOIN sentra.sku AS s ON s.id = held.sku_id
    LEFT JOIN sentra.occupancy AS o ON o.booking_id = held.id AND o.active AND o.kind = 'BOOKING'
    WHERE b.id = held.branch_id);
END $$;

-- An open invoice's sums from its active lines, by its branch's settings and the PPN of the day it was made; by how much
-- its total grew.
CREATE FUNCTION sentra.price_invoice(wanted uuid, b sentra.branch) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    was      sentra.invoice;
    taxed    numeric;
    computed record;
    amounts  numeric;
BEGIN
    SELECT * INTO STRICT was FROM sentra.invoice AS i WHERE i.id = wanted;
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0), coalesce(sum(l.amount), 0) INTO taxed, amounts
    FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    IF 2 * amounts > 9999999999999 THEN  -- with any PPN it would not fit
        PERFORM sentra.invalid('total', 'too_large');
    END IF;
    computed := sentra.priced(b, taxed::bigint, (was.created_at AT TIME ZONE b.zone)::date);
    UPDATE sentra.invoice_line AS l SET amount = computed.ppn, unit_price = computed.ppn
    WHERE l.invoice_id = wanted AND l.active AND l.kind = 'PPN';
    SELECT coalesce(sum(l.amount), 0) INTO amounts FROM sentra.invoice_line AS l
    WHERE l.invoice_id = wanted AND l.active;
    UPDATE sentra.invoice SET base = computed.base, dpp = computed.dpp, ppn = computed.ppn, total = amounts
    WHERE id = wanted;
    RETURN amounts - was.total;
END $$;

-- A new invoice for so many days of a booking's rent, at the rate frozen on it.
CREATE FUNCTION sentra.invoice_for_days(held sentra.booking, its_kind text, days integer, moment timestamptz,
    OUT made uuid, OUT total bigint) LANGUAGE plpgsql AS $$
DECLARE
    b sentra.branch;
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = held.branch_id;
    made := gen_random_uuid();
    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES (made, held.order_id, held.branch_id, held.customer_id, its_kind, 0, 0, 0, 0, moment);
    INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price, amount,
        taxable)
    SELECT made, 1, held.branch_id, held.id, 'RENT', s.name, days, held.daily_rate, days * held.daily_rate, true
    FROM sentra.sku AS s WHERE s.id = held.sku_id;
    IF b.has_ppn AND NOT b.prices_include_ppn THEN
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, kind, text, quantity, unit_price, amount, taxable)
        VALUES (made, 2, held.branch_id, 'PPN', 'PPN', 1, 0, 0, false);
    END IF;
    total := sentra.price_invoice(made, b);
END $$;

-- An open invoice's rent of a booking by so many days more or less; a BALANCE with nothing left on it is void.
CREATE FUNCTION sentra.bill_days(held sentra.booking, paper uuid, days integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    grown bigint;
BEGIN
    UPDATE sentra.invoice_line AS l SET quantity = l.quantity + days, amount = (l.quantity + days) * l.unit_price,
        active = l.quantity + days > 0
    WHERE l.invoice_id = paper AND l.booking_id = held.id AND l.kind = 'RENT' AND l.active;
    SELECT sentra.price_invoice(i.id, sentra.branch_of(i)) INTO STRICT grown FROM sentra.invoice AS i WHERE i.id = paper;
    IF NOT EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = paper AND l.active AND l.kind <> 'PPN') THEN
        PERFORM sentra.void_invoice(paper);
    END IF;
    RETURN grown;
END $$;

-- Give so much of a booking's rent back of a settled invoice, or (less than nothing) take back what is due: one refund
-- that is due per invoice and booking. By how much what is due of the invoice grew.
CREATE FUNCTION sentra.give_back(held sentra.booking, paper record, rent bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    IF rent < 0 AND -rent = paper.due THEN
        UPDATE sentra.refund AS r SET state = 'VOID', taxable = 0
        WHERE r.invoice_id = paper.invoice_id AND r.booking_id = held.id AND r.state = 'DUE' AND r.kind = 'RESCHEDULE';
    ELSIF paper.due > 0 THEN
        UPDATE sentra.refund AS r SET taxable = r.taxable + rent
        WHERE r.invoice_id = paper.invoice_id AND r.booking_id = held.id AND r.state = 'DUE' AND r.kind = 'RESCHEDULE';
    ELSE
        INSERT INTO sentra.refund (id, branch_id, invoice_id, payment_id, booking_id, amount, taxable, kind, state, reason)
        VALUES (gen_random_uuid(), held.branch_id, paper.invoice_id,
            (SELECT p.id FROM sentra.payment AS p WHERE p.invoice_id = paper.invoice_id), held.id, rent, rent,
            'RESCHEDULE', 'DUE', 'reschedule');
    END IF;
    RETURN sentra.price_refunds(paper) - paper.due_amount;
END $$;

-- What all refunds that are due of a settled invoice amount to, each one written anew: together with those paid back
-- they are the invoice's price with and without that rent, whichever changes led there.
CREATE FUNCTION sentra.price_refunds(paper record) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    b     sentra.branch;
    due   record;
    given bigint;
    told  bigint := paper.paid_back;
    worth bigint;
BEGIN
    SELECT x.* INTO STRICT b FROM sentra.invoice AS i CROSS JOIN LATERAL sentra.branch_of(i) AS x
    WHERE i.id = paper.invoice_id;
    SELECT coalesce(sum(r.taxable), 0) INTO given FROM sentra.refund AS r
    WHERE r.invoice_id = paper.invoice_id AND r.state = 'DONE' AND r.kind = 'RESCHEDULE';
    FOR due IN SELECT r.id, r.taxable FROM sentra.refund AS r
               WHERE r.invoice_id = paper.invoice_id AND r.state = 'DUE' AND r.kind = 'RESCHEDULE' ORDER BY r.booking_id LOOP
        given := given + due.taxable;
        worth := sentra.payable(b, paper.taxable, paper.made_on) - sentra.payable(b, paper.taxable - given, paper.made_on);
        UPDATE sentra.refund AS r SET amount = worth - told WHERE r.id = due.id AND r.amount <> worth - told;
        told := worth;
    END LOOP;
    RETURN told - paper.paid_back;
END $$;

-- Write what so many days more or less of a booking cost: the domain's `difference_of_unpaid` and `difference_of_paid`.
CREATE FUNCTION sentra.bill_change(held sentra.booking, days integer, moment timestamptz, OUT difference bigint,
    OUT invoices uuid[]) LANGUAGE plpgsql AS $$
DECLARE
    paper record;
    part  bigint;
    rest  bigint := abs(days) * held.daily_rate;
    made  record;
BEGIN
    difference := 0;
    invoices := '{}';
    IF held.state = 'PENDING_PAYMENT' THEN
        FOR paper IN SELECT * FROM sentra.papers_of(held) AS p WHERE p.is_open LIMIT 1 LOOP
            difference := sentra.bill_days(held, paper.invoice_id, days);
            invoices := ARRAY[paper.invoice_id];
        END LOOP;
        RETURN;
    END IF;
    IF rest = 0 THEN
        RETURN;
    END IF;
    FOR paper IN SELECT * FROM sentra.papers_of(held) LOOP
        part := CASE WHEN days > 0 THEN CASE WHEN paper.is_open THEN 0 ELSE least(rest, paper.due) END
                     WHEN paper.is_open THEN least(rest, paper.rent)
                     ELSE least(rest, paper.rent - paper.given_back_here) END;
        IF part > 0 THEN
            rest := rest - part;
            invoices := invoices || paper.invoice_id;
            IF paper.is_open THEN
                difference := difference + sentra.bill_days(held, paper.invoice_id, (-part / held.daily_rate)::integer);
            ELSE
                difference := difference - sentra.give_back(held, paper, sign(-days)::integer * part);
            END IF;
        END IF;
    END LOOP;
    IF days > 0 AND rest > 0 THEN
        SELECT p.invoice_id INTO paper FROM sentra.papers_of(held) AS p WHERE p.is_open;
        IF FOUND THEN
            difference := difference + sentra.bill_days(held, paper.invoice_id, (rest / held.daily_rate)::integer);
            invoices := invoices || paper.invoice_id;
        ELSE
            made := sentra.invoice_for_days(held, 'BALANCE', (rest / held.daily_rate)::integer, moment);
            difference := difference + made.total;
            invoices := invoices || made.made;
        END IF;
    END IF;
END $$;

-- --- steps that changes share ---------------------------------------------------------------------------------------

-- A booking of the own branch as it is, nothing locked.
CREATE FUNCTION sentra.booking_here(wanted uuid) RETURNS sentra.booking LANGUAGE plpgsql STABLE AS $$
DECLARE
    branch text := sentra.require_branch();
    held   sentra.booking;
BEGIN
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('booking_id', 'missing');
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    RETURN held;
END $$;

-- The booking, locked with the others of its order, and (when open invoices change) their invoices before it.
CREATE FUNCTION sentra.lock_booking(wanted uuid, with_invoices boolean) RETURNS sentra.booking LANGUAGE plpgsql AS $$
DECLARE
    held sentra.booking := sentra.booking_here(wanted);
BEGIN
    IF with_invoices THEN
        PERFORM 1 FROM sentra.invoice AS i WHERE i.order_id = held.order_id ORDER BY i.id FOR NO KEY UPDATE;
    END IF;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = held.order_id ORDER BY b.id FOR NO KEY UPDATE;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    RETURN held;
END $$;

-- The table's word on an action in the booking's state; an unpaid booking past its deadline changes no more.
CREATE FUNCTION sentra.check_change(held sentra.booking, its_action text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    roles text[];
BEGIN
    SELECT array_agg(t.role ORDER BY t.role) INTO roles FROM sentra.transition AS t
    WHERE t.from_state = held.state AND t.action = its_action;
    IF roles IS NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', held.id,
            'state', held.state, 'action', its_action));
    END IF;
    PERFORM sentra.require_role(VARIADIC roles);
    IF held.state = 'PENDING_PAYMENT' AND held.payment_deadline <= sentra.now() THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('field', 'booking_id', 'booking_id', held.id));
    END IF;
END $$;

-- Refuse while a cashier holds one of these open invoices, naming the cashier. Asked before their rows are locked, so
-- that no heartbeat and no payment waits for a change that is refused; and once more under the lock.
CREATE FUNCTION sentra.refuse_if_locked(papers uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
    owed   sentra.invoice;
BEGIN
    SELECT * INTO owed FROM sentra.invoice AS i
    WHERE i.id = ANY (papers) AND i.state = 'OPEN' AND i.lock_token IS NOT NULL AND i.locked_until > moment
    ORDER BY i.id LIMIT 1;
    IF FOUND THEN
        PERFORM sentra.refuse('INVOICE_LOCKED', jsonb_build_object('invoice_id', owed.id, 'holder', owed.locked_by,
            'holder_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = owed.locked_by),
            'counter', owed.locked_counter, 'since', owed.locked_at,
            'remaining_ms', sentra.remaining_ms(owed.locked_until, moment)));
    END IF;
END $$;

CREATE FUNCTION sentra.refuse_period(field text, reason text, more jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.refuse('PERIOD_INVALID', more || jsonb_build_object('field', field, 'reason', reason));
END $$;

-- Refuse a stretch that no rental may have, turnaround included.
CREATE FUNCTION sentra.check_length(first_day date, last_day date, turnaround integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT isfinite(last_day) THEN
        PERFORM sentra.invalid('last_day', 'not_a_day');
    END IF;
    IF last_day < first_day THEN
        PERFORM sentra.refuse_period('last_day', 'reversed', jsonb_build_object('first', first_day, 'last', last_day));
    END IF;
    IF last_day - first_day >= 365 OR last_day + turnaround - first_day >= 400 THEN
        PERFORM sentra.refuse_period('last_day', 'too_long', jsonb_build_object('days', last_day - first_day + 1,
            'limit', CASE WHEN last_day - first_day >= 365 THEN 365 ELSE 400 END));
    END IF;
    IF NOT sentra.is_sane(daterange(first_day, last_day + turnaround, '[]')) THEN
        PERFORM sentra.invalid('last_day', 'not_a_day');
    END IF;
END $$;

-- The unit that a booking shall have, and its turnaround, which stays while the unit's SKU does. A unit that is not the
-- booking's already must be rentable, of the SKU that was sold or a better one.
CREATE FUNCTION sentra.unit_for(held sentra.booking, wanted text, starts_today boolean, OUT unit_id text,
    OUT sku_id text, OUT turnaround integer) LANGUAGE plpgsql AS $$
DECLARE
    chosen  sentra.unit;
    now_has sentra.unit;
    its     sentra.sku;
    sold    sentra.sku;
BEGIN
    SELECT * INTO now_has FROM sentra.unit AS u WHERE u.id = held.unit_id;
    SELECT * INTO chosen FROM sentra.unit AS u WHERE u.id = wanted AND u.branch_id = held.branch_id;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'unit_id', 'unit_id', wanted));
    END IF;
    SELECT * INTO its FROM sentra.sku AS s WHERE s.id = chosen.sku_id;
    SELECT * INTO sold FROM sentra.sku AS s WHERE s.id = held.sku_id;
    IF chosen.id <> held.unit_id THEN
        IF chosen.status = 'RETIRED' OR (starts_today AND chosen.status = 'MAINTENANCE') THEN
            PERFORM sentra.refuse('UNIT_NOT_RENTABLE', jsonb_build_object('field', 'unit_id', 'reason', 'status',
                'unit_id', wanted, 'plate', chosen.plate, 'status', chosen.status));
        END IF;
        IF its.id <> sold.id AND its.daily_rate < sold.daily_rate THEN
            PERFORM sentra.refuse('UNIT_NOT_RENTABLE', jsonb_build_object('field', 'unit_id', 'reason', 'lower_class',
                'unit_id', wanted, 'plate', chosen.plate, 'sku', its.id, 'sold', sold.id));
        END IF;
    END IF;
    unit_id := chosen.id;
    sku_id := chosen.sku_id;
    turnaround := CASE WHEN chosen.sku_id = now_has.sku_id THEN held.turnaround_days ELSE its.turnaround_days END;
END $$;

-- When the customer comes and when the unit is due: pick-up stays while the first day does, else it is now or at opening;
-- due at closing time of the last day, or at the day's end when that has passed by then.
CREATE FUNCTION sentra.rental_times(held sentra.booking, first_day date, last_day date, moment timestamptz,
    OUT pickup timestamptz, OUT due timestamptz) STABLE LANGUAGE plpgsql AS $$
DECLARE
    b sentra.branch;
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = held.branch_id;
    pickup := CASE WHEN first_day = held.first_day THEN held.pickup_at
                   WHEN first_day = (moment AT TIME ZONE b.zone)::date THEN moment
                   ELSE (first_day + b.opens_at::time) AT TIME ZONE b.zone END;
    due := (last_day + b.closes_at::time) AT TIME ZONE b.zone;
    IF due <= pickup THEN
        due := (last_day + time '23:59:59') AT TIME ZONE b.zone;
        pickup := least(pickup, due - interval '1 second');
    END IF;
END $$;

-- Let a booking's one active row be these days of this unit; both units are locked and the days free. On the same unit it
-- moves in place; on another one the old row ends first (yesterday, when the unit was out). Answers what was touched, and
-- the days still ahead that became free, a stretch each: none that a breakdown of the unit takes.
CREATE FUNCTION sentra.move_days(held sentra.booking, new_unit text, new_sku text, new_days daterange, its_cause text)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    old     sentra.occupancy;
    today   date;
    gone    datemultirange;
    went_out boolean;
BEGIN
    SELECT * INTO STRICT old FROM sentra.occupancy AS o
    WHERE o.booking_id = held.id AND o.active AND o.kind = 'BOOKING' FOR NO KEY UPDATE;
    SELECT (sentra.now() AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    IF old.unit_id = new_unit THEN
        gone := datemultirange(old.days) - datemultirange(new_days);
        IF old.days <> new_days THEN
            UPDATE sentra.occupancy AS o SET days = new_days WHERE o.id = old.id;
        END IF;
    ELSE
        gone := datemultirange(old.days);
        went_out := held.state = 'ACTIVE_RENTAL' AND lower(old.days) < today;
        UPDATE sentra.occupancy AS o SET active = false, was_out = went_out,
            days = CASE WHEN went_out THEN daterange(lower(o.days), today) ELSE o.days END
        WHERE o.id = old.id;
        INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)
        VALUES (new_unit, new_sku, held.branch_id, new_days, 'BOOKING', held.id)
        ON CONFLICT ON CONSTRAINT occupancy_no_overlap DO NOTHING;
        IF NOT FOUND THEN  -- a row put in past the unit's lock
            RAISE EXCEPTION USING ERRCODE = 'SR002', MESSAGE = 'DAYS_TAKEN', DETAIL = jsonb_build_object(
                'taken', sentra.in_the_way(held, new_unit, new_days))::text;
        END IF;
    END IF;
    RETURN jsonb_build_object('freed', sentra.left_days(old, gone, its_cause), 'touched', jsonb_build_array(jsonb_build_object('unit_id', old.unit_id,
        'first_day', lower(old.days), 'last_day', upper(old.days) - 1)));
END $$;

-- A changed booking as callers need it: `effect` is what the change did, `moved` days and what they and the money became.
CREATE FUNCTION sentra.changed_booking(wanted uuid, effect jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT effect || jsonb_build_object('booking_id', b.id, 'number', b.number, 'order_id', b.order_id, 'state', b.state,
        'version', b.version, 'unit_id', b.unit_id, 'first_day', b.first_day, 'last_day', b.last_day,
        'payment_deadline', b.payment_deadline, 'now', sentra.now(),
        'invoice_id', (SELECT i.id FROM sentra.invoice AS i
            WHERE i.order_id = b.order_id AND i.state = 'OPEN' AND EXISTS (
                SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.booking_id = b.id AND l.active)
            ORDER BY i.created_at DESC, i.id LIMIT 1),
        'projections', sentra.unit_projections(b.unit_id || ARRAY(
            SELECT DISTINCT t ->> 'unit_id' FROM jsonb_array_elements(effect -> 'touched') AS t
            WHERE t ->> 'unit_id' <> b.unit_id)))
    FROM sentra.booking AS b WHERE b.id = wanted
$$;

-- Record what a change did, so that the same change asked for again is answered the same, and have it projected.
CREATE FUNCTION sentra.conclude_change(held sentra.booking, its_action text, moved jsonb, difference bigint,
    invoices uuid[], more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    effect jsonb := moved || jsonb_build_object('difference', difference, 'invoices', to_jsonb(invoices));
    units  text[];
BEGIN
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'changed', held.id::text,
        effect || more || jsonb_build_object('by_action', its_action));
    SELECT array_agg(DISTINCT x.unit_id) INTO units FROM (
        SELECT b.unit_id FROM sentra.booking AS b WHERE b.id = held.id
        UNION SELECT t ->> 'unit_id' FROM jsonb_array_elements(moved -> 'touched') AS t) AS x;
    PERFORM sentra.project_later(held.branch_id, units);
    RETURN sentra.changed_booking(held.id, effect);
END $$;

-- The answer to a change that changes nothing: what the last one did when it was this one, by the same person.
CREATE FUNCTION sentra.unchanged_booking(held sentra.booking, its_action text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    last   sentra.audit;
    effect jsonb;
BEGIN
    SELECT * INTO last FROM sentra.audit AS a
    WHERE a.subject = held.id::text AND a.action IN (SELECT t.action FROM sentra.transition AS t)
    ORDER BY a.id DESC LIMIT 1;
    IF last.action = its_action AND last.actor = session_user THEN
        SELECT a.after - 'by_action' INTO effect FROM sentra.audit AS a
        WHERE a.subject = held.id::text AND a.action = 'changed' AND a.txid = last.txid ORDER BY a.id DESC LIMIT 1;
    END IF;
    RETURN sentra.changed_booking(held.id,
        coalesce(effect, '{"touched": [], "freed": [], "difference": 0, "invoices": []}'));
END $$;

-- Refuse a change that was priced of another version of the booking: the caller prices it again.
CREATE FUNCTION sentra.check_expected(held sentra.booking, expected jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF held.version <> (expected ->> 'version')::integer THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('version', held.version));
    END IF;
END $$;

-- Refuse a change of a booking that its caller saw in another version, naming who changed it since. NULL: whatever it is.
CREATE FUNCTION sentra.check_based_on(held sentra.booking, seen integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    last sentra.audit;
BEGIN
    IF held.version <> seen THEN
        SELECT * INTO last FROM sentra.audit AS a
        WHERE a.subject = held.id::text AND a.action IN (SELECT t.action FROM sentra.transition AS t)
        ORDER BY a.id DESC LIMIT 1;
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', held.id,
            'reason', 'changed_meanwhile', 'number', held.number, 'version', held.version, 'action', last.action,
            'counter', last.counter, 'by', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = last.actor)));
    END IF;
END $$;

-- --- the changes ----------------------------------------------------------------------------------------------------

-- Move a booking that is not out yet. `expected` is what the caller reckons: of which version, and at what difference;
-- `based_on` in it, and beside the other changes, is the version that the person saw who asked for it.
-- Answers the changed booking, or {"taken": […]} with nothing written.
CREATE FUNCTION sentra.reschedule_booking(wanted uuid, new_first date, new_last date, new_unit text, expected jsonb)
RETURNS jsonb SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    moment  timestamptz;
    today   date;
    target  record;
    days    daterange;
    blocked jsonb;
    times   record;
    moved   jsonb;
    billed  record;
BEGIN
    PERFORM sentra.require_role('agent');
    PERFORM sentra.check_fields(expected, 'expected.', 'version number', 'difference rupiah', 'based_on number?');
    IF num_nulls(new_first, new_last) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN new_first IS NULL THEN 'first_day' ELSE 'last_day' END, 'missing');
    END IF;
    held := sentra.booking_here(wanted);
    IF (new_first, new_last, coalesce(new_unit, held.unit_id)) <> (held.first_day, held.last_day, held.unit_id) THEN
        PERFORM sentra.check_change(held, 'reschedule');
        PERFORM sentra.refuse_if_locked(ARRAY(SELECT p.invoice_id FROM sentra.papers_of(held) AS p WHERE p.is_open));
    END IF;
    held := sentra.lock_booking(wanted, true);
    PERFORM sentra.check_change(held, 'reschedule');
    new_unit := coalesce(new_unit, held.unit_id);
    IF (new_first, new_last, new_unit) = (held.first_day, held.last_day, held.unit_id) THEN
        RETURN sentra.unchanged_booking(held, 'reschedule');
    END IF;
    PERFORM sentra.check_based_on(held, (expected ->> 'based_on')::integer);
    moment := sentra.now();
    SELECT (moment AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    IF new_first < today OR new_first > today + 730 THEN
        PERFORM sentra.refuse_period('first_day', CASE WHEN new_first < today THEN 'past' ELSE 'too_far' END,
            jsonb_build_object('first', new_first, 'limit', 730));
    END IF;
    PERFORM sentra.refuse_if_locked(ARRAY(SELECT p.invoice_id FROM sentra.papers_of(held) AS p WHERE p.is_open));
    PERFORM 1 FROM sentra.unit AS u WHERE u.id IN (held.unit_id, new_unit) ORDER BY u.id FOR NO KEY UPDATE;
    target := sentra.unit_for(held, new_unit, false);
    PERFORM sentra.check_length(new_first, new_last, target.turnaround);
    days := daterange(new_first, new_last + target.turnaround, '[]');
    blocked := sentra.in_the_way(held, new_unit, days);
    IF blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    PERFORM sentra.check_expected(held, expected);

    times := sentra.rental_times(held, new_first, new_last, moment);
    UPDATE sentra.booking SET last_action = 'reschedule', unit_id = new_unit, first_day = new_first, last_day = new_last,
        pickup_at = times.pickup, due_at = times.due, turnaround_days = target.turnaround WHERE id = wanted;
    moved := sentra.move_days(held, new_unit, target.sku_id, days, 'reschedule');
    billed := sentra.bill_change(held, (new_last - new_first) - (held.last_day - held.first_day), moment);
    IF billed.difference <> (expected ->> 'difference')::bigint THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('difference', billed.difference));
    END IF;
    RETURN sentra.conclude_change(held, 'reschedule', moved, billed.difference, billed.invoices);
END $$;

-- Give a booking another unit for the days that remain, at the price it has. One that is out already gets it from today
-- on: a new hand-over, as the audit says.
CREATE FUNCTION sentra.swap_unit(wanted uuid, new_unit text, based_on integer DEFAULT NULL) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    today   date;
    target  record;
    days    daterange;
    blocked jsonb;
    moved   jsonb;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector');
    IF new_unit IS NULL THEN
        PERFORM sentra.invalid('unit_id', 'missing');
    END IF;
    held := sentra.lock_booking(wanted, false);
    PERFORM sentra.check_change(held, 'swap_unit');
    IF new_unit = held.unit_id THEN
        RETURN sentra.unchanged_booking(held, 'swap_unit');
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    SELECT (sentra.now() AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id IN (held.unit_id, new_unit) ORDER BY u.id FOR NO KEY UPDATE;
    target := sentra.unit_for(held, new_unit, held.state = 'ACTIVE_RENTAL');
    IF held.last_day < today THEN
        PERFORM sentra.refuse_period('last_day', 'past', jsonb_build_object('last', held.last_day));
    END IF;
    PERFORM sentra.check_length(held.first_day, held.last_day, target.turnaround);
    days := daterange(greatest(held.first_day, today), held.last_day + target.turnaround, '[]');
    blocked := sentra.in_the_way(held, new_unit, days);
    IF blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    UPDATE sentra.booking SET last_action = 'swap_unit', unit_id = new_unit, turnaround_days = target.turnaround
    WHERE id = wanted;
    moved := sentra.move_days(held, new_unit, target.sku_id, days, 'swap_unit');
    RETURN sentra.conclude_change(held, 'swap_unit', moved, 0, '{}', CASE WHEN held.state = 'ACTIVE_RENTAL'
        THEN jsonb_build_object('hand_over_due', new_unit, 'taken_back', held.unit_id) ELSE '{}' END);
END $$;

-- Hold extra days of a rental for 15 minutes, with an invoice for those that were not paid before.
CREATE FUNCTION sentra.request_extension(wanted uuid, new_last date, expected jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    row_of  sentra.occupancy;
    moment  timestamptz;
    today   date;
    paid    date;
    days    daterange;
    blocked jsonb;
    moved   jsonb;
    billed  record;
BEGIN
    PERFORM sentra.require_role('agent');
    PERFORM sentra.check_fields(expected, 'expected.', 'version number', 'difference rupiah', 'based_on number?');
    IF new_last IS NULL THEN
        PERFORM sentra.invalid('last_day', 'missing');
    END IF;
    held := sentra.lock_booking(wanted, false);  -- its invoice is a new one
    SELECT * INTO row_of FROM sentra.occupancy AS o WHERE o.booking_id = wanted AND o.active AND o.kind = 'BOOKING';
    IF held.state = 'EXTENSION_PENDING' AND held.payment_deadline <= sentra.now() THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    IF held.state = 'EXTENSION_PENDING' AND upper(row_of.days) - 1 - held.turnaround_days = new_last AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.unchanged_booking(held, 'request_extension');
    END IF;
    PERFORM sentra.check_based_on(held, (expected ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'request_extension');
    moment := sentra.now();
    SELECT (moment AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    paid := greatest(held.last_day, held.paid_until);
    IF new_last <= paid OR new_last < today THEN
        PERFORM sentra.refuse_period('last_day', CASE WHEN new_last > paid THEN 'past'
            WHEN new_last > held.last_day THEN 'paid' ELSE 'not_longer' END,
            jsonb_build_object('last', new_last, 'present', held.last_day));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    PERFORM sentra.check_length(held.first_day, new_last, held.turnaround_days);
    days := daterange(lower(row_of.days), new_last + held.turnaround_days, '[]');
    blocked := sentra.in_the_way(held, held.unit_id, days);
    IF blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    PERFORM sentra.check_expected(held, expected);

    UPDATE sentra.booking SET state = 'EXTENSION_PENDING', last_action = 'request_extension',
        payment_deadline = moment + interval '15 minutes' WHERE id = wanted;
    moved := sentra.move_days(held, held.unit_id, row_of.sku_id, days, 'request_extension');
    billed := sentra.invoice_for_days(held, 'EXTENSION', new_last - paid, moment);
    IF billed.total <> (expected ->> 'difference')::bigint THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('difference', billed.total));
    END IF;
    RETURN sentra.conclude_change(held, 'request_extension', moved, billed.total, ARRAY[billed.made]);
END $$;

-- The open invoices of a booking's extension.
CREATE FUNCTION sentra.extension_papers(held sentra.booking) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(i.id ORDER BY i.id), '{}') FROM sentra.invoice AS i
    WHERE i.order_id = held.order_id AND i.kind = 'EXTENSION' AND i.state = 'OPEN' AND EXISTS (
        SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.booking_id = held.id AND l.active)
$$;

-- Take an extension back: the period is as it was, the extra days are free, its invoice is void. All rows are locked.
CREATE FUNCTION sentra.drop_extension(held sentra.booking, why text, its_cause text, OUT moved jsonb, OUT papers uuid[])
LANGUAGE plpgsql AS $$
DECLARE
    row_of sentra.occupancy;
BEGIN
    SELECT * INTO STRICT row_of FROM sentra.occupancy AS o
    WHERE o.booking_id = held.id AND o.active AND o.kind = 'BOOKING';
    papers := sentra.extension_papers(held);
    UPDATE sentra.booking SET state = 'ACTIVE_RENTAL', last_action = 'reject_extension', payment_deadline = NULL,
        reason = why WHERE id = held.id;
    moved := sentra.move_days(held, held.unit_id, row_of.sku_id,
        daterange(lower(row_of.days), held.last_day + held.turnaround_days, '[]'), its_cause);
    PERFORM sentra.void_invoice(x) FROM unnest(papers) AS x;
END $$;

-- `again`: the caller's own COMMIT may have happened unseen, so that its result is answered once more.
CREATE FUNCTION sentra.reject_extension(wanted uuid, reason text, again boolean, based_on integer DEFAULT NULL)
RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    dropped record;
BEGIN
    PERFORM sentra.require_role('agent');
    IF reason IS NULL OR NOT sentra.is_note(reason) THEN
        PERFORM sentra.invalid('reason', CASE WHEN reason IS NULL THEN 'missing' ELSE 'not_a_note' END);
    END IF;
    PERFORM sentra.refuse_if_locked(sentra.extension_papers(sentra.booking_here(wanted)));
    held := sentra.lock_booking(wanted, true);
    IF again AND held.state = 'ACTIVE_RENTAL' AND held.last_action = 'reject_extension' AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.unchanged_booking(held, 'reject_extension');
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    PERFORM sentra.check_change(held, 'reject_extension');
    PERFORM sentra.refuse_if_locked(sentra.extension_papers(held));
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    dropped := sentra.drop_extension(held, reason, 'reject_extension');
    RETURN sentra.conclude_change(held, 'reject_extension', dropped.moved, 0, dropped.papers);
END $$;

-- End a rental earlier, today at the earliest, or later again within the days it is paid for.
CREATE FUNCTION sentra.shorten_booking(wanted uuid, new_last date, reason text, based_on integer DEFAULT NULL)
RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    row_of  sentra.occupancy;
    moment  timestamptz;
    today   date;
    paid    date;
    days    daterange;
    blocked jsonb;
    times   record;
    moved   jsonb;
BEGIN
    PERFORM sentra.require_role('agent');
    IF new_last IS NULL OR reason IS NULL THEN
        PERFORM sentra.invalid(CASE WHEN new_last IS NULL THEN 'last_day' ELSE 'reason' END, 'missing');
    END IF;
    IF NOT sentra.is_note(reason) THEN
        PERFORM sentra.invalid('reason', 'not_a_note');
    END IF;
    held := sentra.lock_booking(wanted, false);
    PERFORM sentra.check_change(held, 'shorten');
    IF new_last = held.last_day THEN
        RETURN sentra.unchanged_booking(held, 'shorten');
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    moment := sentra.now();
    SELECT (moment AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    paid := greatest(held.last_day, held.paid_until);
    IF new_last < today OR new_last > paid THEN
        PERFORM sentra.refuse_period('last_day', CASE WHEN new_last < today THEN 'past' ELSE 'not_paid' END,
            jsonb_build_object('last', new_last, 'limit', paid));
    END IF;
    PERFORM sentra.check_length(held.first_day, new_last, held.turnaround_days);
    SELECT * INTO STRICT row_of FROM sentra.occupancy AS o
    WHERE o.booking_id = wanted AND o.active AND o.kind = 'BOOKING';
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    days := daterange(lower(row_of.days), new_last + held.turnaround_days, '[]');
    blocked := sentra.in_the_way(held, held.unit_id, days);
    IF new_last > held.last_day AND blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    times := sentra.rental_times(held, held.first_day, new_last, moment);
    UPDATE sentra.booking AS b SET last_action = 'shorten', reason = shorten_booking.reason, last_day = new_last,
        pickup_at = times.pickup, due_at = times.due, paid_until = CASE WHEN new_last < paid THEN paid END WHERE b.id = wanted;
    moved := sentra.move_days(held, held.unit_id, row_of.sku_id, days, 'shorten');
    RETURN sentra.conclude_change(held, 'shorten', moved, 0, '{}');
END $$;

-- --- cancelling a part ------------------------------------------------------------------------------------------------

-- What stays of an unpaid order, by the settings and the rate that its invoice was made by.
CREATE OR REPLACE FUNCTION sentra.reprice(wanted uuid, left_out uuid, priced jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taxable  bigint;
    b        sentra.branch;
    was      sentra.invoice;
    computed record;
BEGIN
    SELECT * INTO STRICT was FROM sentra.invoice AS i WHERE i.id = wanted;
    b := sentra.branch_of(was);
    UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = wanted AND l.booking_id = left_out;
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) INTO taxable
    FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    IF (priced ->> 'taxable')::bigint IS DISTINCT FROM taxable THEN
        RAISE EXCEPTION 'the order changed while its rest was priced' USING ERRCODE = 'serialization_failure';
    END IF;
    computed := sentra.priced(b, taxable, (was.created_at AT TIME ZONE b.zone)::date);
    IF (computed.base, computed.dpp, computed.ppn) IS DISTINCT FROM
       ((priced ->> 'base')::bigint, (priced ->> 'dpp')::bigint, (priced ->> 'ppn')::bigint) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('invoice_id', wanted));
    END IF;
    PERFORM sentra.price_invoice(wanted, b);
END $$;

-- --- deadlines ------------------------------------------------------------------------------------------------------

-- Whether a booking past its deadline may expire: no invoice that would be void by it is under a valid lock, or 5 minutes
-- are over.
CREATE OR REPLACE FUNCTION sentra.may_expire(held sentra.booking, moment timestamptz) RETURNS boolean LANGUAGE sql STABLE
AS $$
    SELECT held.payment_deadline + interval '5 minutes' <= moment OR NOT EXISTS (
        SELECT FROM sentra.invoice AS i
        WHERE i.order_id = held.order_id AND i.state = 'OPEN' AND i.locked_until > moment
          AND (held.state <> 'EXTENSION_PENDING' OR i.id = ANY (sentra.extension_papers(held))))
$$;

-- Orders with a booking or an extension past its deadline, oldest first, at most so many, without those the caller has
-- looked at.
CREATE OR REPLACE FUNCTION sentra.due_orders(most integer, but_not uuid[]) RETURNS uuid[]
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
BEGIN
    PERFORM sentra.require_role('service');
    RETURN (SELECT coalesce(array_agg(x.order_id ORDER BY x.deadline, x.order_id), '{}') FROM (
        SELECT b.order_id, min(b.payment_deadline) AS deadline FROM sentra.booking AS b
        WHERE b.state IN ('PENDING_PAYMENT', 'EXTENSION_PENDING') AND b.payment_deadline <= moment
          AND b.order_id <> ALL (coalesce(but_not, '{}')) AND sentra.may_expire(b, moment)
        GROUP BY b.order_id ORDER BY 2, 1 LIMIT greatest(coalesce(most, 1), 1)) AS x);
END $$;

-- Expire the bookings of one order past its deadline: an unpaid one is cancelled, an unpaid extension taken back. Null
-- when it is not due, or is in other hands this moment: an invoice, booking or unit that somebody holds is never waited
-- for. A valid lock is waited for at most 5 minutes past the deadline.
CREATE OR REPLACE FUNCTION sentra.expire_order(due uuid) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '1s' LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
    branch text;
    ours   uuid[];
    first  uuid;
    held   sentra.booking;
    ended  jsonb := '[]';
    units  text[];
    locked integer;
    dropped record;
BEGIN
    PERFORM sentra.require_role('service');
    SELECT array_agg(x.id), (array_agg(x.id ORDER BY x.kind NOT IN ('RENTAL', 'DOWN_PAYMENT'), x.created_at, x.id))[1]
    INTO ours, first FROM (SELECT i.id, i.kind, i.created_at FROM sentra.invoice AS i WHERE i.order_id = due
                           ORDER BY i.id FOR NO KEY UPDATE SKIP LOCKED) AS x;
    IF EXISTS (SELECT FROM sentra.invoice AS i WHERE i.order_id = due AND i.id <> ALL (coalesce(ours, '{}'))) THEN
        RETURN NULL;
    END IF;
    SELECT count(*) INTO locked FROM (SELECT FROM sentra.booking AS b WHERE b.order_id = due
                                      ORDER BY b.id FOR NO KEY UPDATE SKIP LOCKED) AS x;
    IF locked < (SELECT count(*) FROM sentra.booking AS b WHERE b.order_id = due) THEN
        RETURN NULL;
    END IF;
    -- Now that nobody can change them: still unpaid, past the deadline, and not under a cashier's hands?
    SELECT array_agg(DISTINCT b.unit_id), min(b.branch_id) INTO units, branch FROM sentra.booking AS b
    WHERE b.order_id = due AND b.state IN ('PENDING_PAYMENT', 'EXTENSION_PENDING') AND b.payment_deadline <= moment
      AND sentra.may_expire(b, moment);
    IF units IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT count(*) INTO locked FROM (SELECT FROM sentra.unit AS u WHERE u.id = ANY (units)
                                      ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED) AS x;
    IF locked < cardinality(units) THEN
        RETURN NULL;
    END IF;
    FOR held IN SELECT * FROM sentra.booking AS b
                WHERE b.order_id = due AND b.state IN ('PENDING_PAYMENT', 'EXTENSION_PENDING')
                  AND b.payment_deadline <= moment AND sentra.may_expire(b, moment)
                ORDER BY b.id LOOP
        IF held.state = 'EXTENSION_PENDING' THEN
            dropped := sentra.drop_extension(held, '', 'expire');
            ended := ended || jsonb_build_array(jsonb_build_object('id', held.id, 'freed', dropped.moved,
                'invoice_id', dropped.papers[1]));
        ELSE
            UPDATE sentra.booking SET state = 'CANCELLED', last_action = 'expire' WHERE id = held.id;
            ended := ended || jsonb_build_array(jsonb_build_object('id', held.id,
                'freed', sentra.free_days(held, 'expire'), 'invoice_id', first));
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM sentra.booking AS b
                   WHERE b.order_id = due AND b.state NOT IN ('CANCELLED', 'COMPLETED')) THEN
        PERFORM sentra.void_invoice(i.id) FROM sentra.invoice AS i WHERE i.order_id = due AND i.state = 'OPEN';
    END IF;
    PERFORM sentra.project_later(branch, units);
    RETURN (SELECT jsonb_agg(sentra.ended_booking((e ->> 'id')::uuid, (e ->> 'invoice_id')::uuid, e -> 'freed'))
            FROM jsonb_array_elements(ended) AS e);
END $$;

-- The same for a booking that was ended before; what earlier changes freed is not of its end.
CREATE OR REPLACE FUNCTION sentra.ended_before(held sentra.booking) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT sentra.ended_booking(held.id,
        (SELECT i.id FROM sentra.invoice AS i WHERE i.order_id = held.order_id ORDER BY i.created_at, i.id LIMIT 1),
        jsonb_build_object(
            'touched', (SELECT coalesce(jsonb_agg(jsonb_build_object('unit_id', o.unit_id, 'first_day', lower(o.days),
                'last_day', upper(o.days) - 1)), '[]') FROM sentra.occupancy AS o WHERE o.booking_id = held.id),
            'freed', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'sku', f.sku_id, 'branch_id', f.branch_id,
                'first_day', lower(f.days), 'last_day', upper(f.days) - 1)), '[]')
                FROM sentra.freed_stretch AS f WHERE f.booking_id = held.id AND f.cause = held.last_action)))
$$;

-- --- locking --------------------------------------------------------------------------------------------------------

-- As before, and an extension that nobody paid in time is not to be paid any more either, whether it was taken back yet
-- or not.
CREATE OR REPLACE FUNCTION sentra.take_lock(wanted uuid, token text, counter text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    owed   sentra.invoice;
    moment timestamptz;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_lock_question(wanted, token, counter);
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN '{"outcome": "NOT_FOUND", "epoch": 0, "remaining_ms": 0}';
    END IF;
    moment := sentra.now();
    IF owed.lock_token IS NOT NULL AND owed.locked_until > moment THEN
        RETURN sentra.lock_answer(CASE WHEN owed.locked_by <> session_user THEN 'HELD'
            WHEN owed.lock_token = token THEN 'SAME' ELSE 'MINE_ELSEWHERE' END, owed, moment);
    END IF;
    IF owed.kind IN ('RENTAL', 'DOWN_PAYMENT') AND owed.state <> 'PAID' AND EXISTS (
        SELECT FROM sentra.booking AS b WHERE b.order_id = owed.order_id AND (
            (b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment)
            OR (owed.state = 'VOID' AND b.last_action = 'expire')))
       OR owed.kind = 'EXTENSION' AND owed.state = 'OPEN' AND EXISTS (
        SELECT FROM sentra.booking AS b WHERE b.order_id = owed.order_id
          AND b.state = 'EXTENSION_PENDING' AND b.payment_deadline <= moment
          AND owed.id = ANY (sentra.extension_papers(b))) THEN
        RETURN sentra.lock_answer('EXPIRED_BOOKING', owed, moment);
    END IF;
    IF owed.state <> 'OPEN' THEN
        RETURN sentra.lock_answer('NOT_OPEN', owed, moment);
    END IF;
    RETURN sentra.lock_answer('TAKEN', sentra.write_lock(owed, token, counter, moment), moment);
END $$;

-- --- settling -------------------------------------------------------------------------------------------------------

-- Settle an invoice in full under its lock. Order: row lock, attempt id, guard, payment, booking, number, lock columns.
-- Anything but PAID and ALREADY means that nothing was written. A lock that ran out while rows were waited for raises
-- LOCK_LOST, so that what was written by then is undone.
CREATE OR REPLACE FUNCTION sentra.settle_invoice(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    token   text;
    epoch   bigint;
    tender  jsonb;
    line    integer;
    owed    sentra.invoice;
    before  sentra.payment;
    moment  timestamptz;
    due     bigint;
    given   record;
    shift   uuid;
    act     text;
    units   text[];
    paying  uuid[];
    blocked jsonb;
    held    sentra.booking;
    states  jsonb := '{}';
    longer  date;
    local_zone text;
    its_month  text;
    drawn   integer;
    given_number text;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'attempt_id uuid', 'invoice_id uuid', 'token text 200', 'epoch epoch',
        'amount rupiah', 'change rupiah', 'counter text 60', 'tenders array');
    PERFORM sentra.check_counter(p ->> 'counter');
    p := p || jsonb_build_object('attempt_id', lower(p ->> 'attempt_id'));  -- one attempt, however its id is written
    wanted := (p ->> 'invoice_id')::uuid;
    token := p ->> 'token';
    epoch := (p ->> 'epoch')::bigint;
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN '{"outcome": "NOT_FOUND"}';
    END IF;
    -- Looked up under the row lock: a retry whose COMMIT answer was lost waits for it and finds its payment.
    SELECT * INTO before FROM sentra.payment AS x WHERE x.attempt_id = p ->> 'attempt_id';
    IF FOUND THEN
        IF before.invoice_id <> wanted THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "attempt_id"}');
        END IF;
        RETURN jsonb_build_object('outcome', 'ALREADY', 'payment_id', before.id, 'number', owed.number,
            'change', before.change, 'paid_at', before.paid_at, 'booking_states', '{}'::jsonb);
    END IF;
    moment := sentra.now();
    IF owed.state <> 'OPEN' THEN
        RETURN jsonb_build_object('outcome', 'NOT_OPEN', 'invoice_state', owed.state);
    END IF;
    IF (owed.lock_token = token AND owed.lock_epoch = epoch AND owed.locked_by = session_user
        AND owed.locked_until > moment) IS NOT TRUE THEN
        RETURN '{"outcome": "LOCK_LOST"}';
    END IF;
    IF jsonb_array_length(p -> 'tenders') > 20 THEN
        PERFORM sentra.invalid('tenders', 'count', '{"most": 20}');
    END IF;
    FOR tender, line IN SELECT e, n - 1 FROM jsonb_array_elements(p -> 'tenders') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(tender, format('tenders[%s].', line), 'kind text 20', 'amount rupiah',
            'received rupiah', 'reference text? 100');
        IF NOT sentra.is_clean(tender ->> 'reference') THEN
            PERFORM sentra.invalid(format('tenders[%s].reference', line), 'not_a_reference');
        END IF;
    END LOOP;

    SELECT coalesce(sum(t.amount), 0) AS amount, coalesce(sum(t.received - t.amount), 0) AS change,
           coalesce(bool_or(t.kind = 'CASH'), false) AS cash, min(t.kind) FILTER (WHERE t.kind <> 'CASH') AS other,
           coalesce(bool_and(t.amount > 0 AND t.received >= t.amount), true) AS whole
    INTO given FROM jsonb_to_recordset(p -> 'tenders') AS t (kind text, amount bigint, received bigint);
    IF given.other IS NOT NULL THEN  -- their checks come with their screens; until then no counter can record them
        PERFORM sentra.refuse('FIELD_INVALID',
            jsonb_build_object('field', 'tenders.kind', 'reason', 'not_offered', 'given', given.other));
    END IF;
    due := owed.total - owed.paid;
    IF (given.amount = due AND (p ->> 'amount')::bigint = due AND given.change = (p ->> 'change')::bigint
        AND given.whole) IS NOT TRUE THEN
        RETURN jsonb_build_object('outcome', 'AMOUNT_MISMATCH', 'due', due);
    END IF;
    IF given.change > 100000000 THEN  -- the domain's MAX_CHANGE: a drawer never holds more
        PERFORM sentra.invalid('tenders.amount', 'too_much', jsonb_build_object('change', given.change, 'most', 100000000));
    END IF;
    IF given.cash THEN
        SELECT x.id INTO shift FROM sentra.shift AS x
        WHERE x.cashier = session_user AND x.branch_id = branch AND x.closed_at IS NULL FOR SHARE;
        IF NOT FOUND THEN
            RETURN jsonb_build_object('outcome', 'SHIFT_NEEDED', 'due', due);
        END IF;
    END IF;

    act := CASE owed.kind WHEN 'RENTAL' THEN 'pay' WHEN 'DOWN_PAYMENT' THEN 'pay'
                          WHEN 'EXTENSION' THEN 'approve_extension' WHEN 'FINE' THEN 'settle_charges' END;
    IF act IS NOT NULL THEN
        PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = owed.order_id ORDER BY b.id FOR NO KEY UPDATE;
        -- A FINE ends its booking when it is the booking's last open FINE.
        SELECT array_agg(b.id ORDER BY b.id), array_agg(DISTINCT b.unit_id) INTO paying, units
        FROM sentra.booking AS b
        WHERE b.order_id = owed.order_id
          AND (act = 'pay' OR EXISTS (SELECT FROM sentra.invoice_line AS l
                                      WHERE l.invoice_id = wanted AND l.booking_id = b.id AND l.active))
          AND b.state = CASE act WHEN 'pay' THEN 'PENDING_PAYMENT' WHEN 'approve_extension' THEN 'EXTENSION_PENDING'
                                 ELSE 'DISPUTED' END
          AND (act <> 'settle_charges' OR NOT EXISTS (
               SELECT FROM sentra.invoice_line AS l JOIN sentra.invoice AS i ON i.id = l.invoice_id
               WHERE l.booking_id = b.id AND l.active AND i.kind = 'FINE' AND i.state = 'OPEN' AND i.id <> wanted));
        IF paying IS NULL AND act <> 'settle_charges' THEN
            RETURN jsonb_build_object('outcome', 'BOOKING_STATE', 'due', due);
        END IF;
        PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
    END IF;
    IF act = 'pay' THEN
        -- Cannot happen while occupancy_no_overlap stands. Of two unpaid bookings over each other (constraint dropped)
        -- the first payer under the unit's lock wins; the second meets a paid one.
        SELECT sentra.blocking_rows(jsonb_agg(jsonb_build_object('unit_id', b.unit_id, 'taken_first', b.first_day,
                   'taken_last', b.last_day + b.turnaround_days)), branch, paying || coalesce((
                       SELECT array_agg(x.id) FROM sentra.booking AS x
                       WHERE x.unit_id = ANY (units) AND x.state = 'PENDING_PAYMENT'), '{}'))
        INTO blocked FROM sentra.booking AS b WHERE b.id = ANY (paying);
        SELECT coalesce(jsonb_agg(e), '[]') INTO blocked FROM jsonb_array_elements(blocked) AS e
        WHERE e ->> 'kind' <> 'OVERDUE';
        IF blocked <> '[]' THEN
            RETURN jsonb_build_object('outcome', 'DAYS_TAKEN', 'blockers', blocked, 'due', due);
        END IF;
    END IF;

    INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, change, attempt_id, lock_epoch, paid_at, counter, shift_id)
    VALUES ((p ->> 'id')::uuid, wanted, branch, due, given.change, p ->> 'attempt_id', epoch, moment, p ->> 'counter',
        shift)
    ON CONFLICT DO NOTHING;  -- the same attempt at this moment on another invoice: its COMMIT was waited for
    IF NOT FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', CASE WHEN EXISTS (
            SELECT FROM sentra.payment AS x WHERE x.attempt_id = p ->> 'attempt_id') THEN 'attempt_id' ELSE 'id' END));
    END IF;
    INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received, reference)
    SELECT (p ->> 'id')::uuid, e.line, branch, t.kind, t.amount, t.received, t.reference
    FROM jsonb_array_elements(p -> 'tenders') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS t (kind text, amount bigint, received bigint, reference text);

    FOR held IN SELECT * FROM sentra.booking AS b WHERE b.id = ANY (paying) ORDER BY b.id LOOP
        IF act = 'approve_extension' THEN  -- the held days are the longer period and its turnaround
            SELECT upper(o.days) - 1 - held.turnaround_days INTO STRICT longer FROM sentra.occupancy AS o
            WHERE o.booking_id = held.id AND o.active AND o.kind = 'BOOKING';
            UPDATE sentra.booking AS b SET state = 'ACTIVE_RENTAL', last_action = act, payment_deadline = NULL,
                last_day = longer, paid_until = NULL,
                due_at = (SELECT t.due FROM sentra.rental_times(held, held.first_day, longer, moment) AS t)
            WHERE b.id = held.id;
        ELSIF act = 'settle_charges' THEN
            UPDATE sentra.booking SET state = 'COMPLETED', last_action = act WHERE id = held.id;
            PERFORM sentra.free_days(held, act);
        ELSE
            UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = act, payment_deadline = NULL
            WHERE id = held.id;
        END IF;
        states := states || jsonb_build_object(held.id::text, CASE act WHEN 'approve_extension' THEN 'ACTIVE_RENTAL'
            WHEN 'settle_charges' THEN 'COMPLETED' ELSE 'PAID_APPROVED' END);
    END LOOP;
    IF units IS NOT NULL THEN
        PERFORM sentra.project_later(branch, units);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'settle', wanted::text, jsonb_build_object('state', owed.state, 'paid', owed.paid),
        jsonb_build_object('state', 'PAID', 'paid', owed.total, 'payment_id', p ->> 'id', 'lock_epoch', epoch));

    -- Last, because it holds the branch's counter to COMMIT: number and date from the one clock reading above.
    SELECT x.zone INTO local_zone FROM sentra.branch AS x WHERE x.id = branch;
    its_month := to_char(moment AT TIME ZONE local_zone, 'YYYYMM');
    INSERT INTO sentra.number_counter AS n (branch_id, month, last) VALUES (branch, its_month, 1)
    ON CONFLICT ON CONSTRAINT number_counter_pkey DO UPDATE SET last = n.last + 1 RETURNING n.last INTO STRICT drawn;
    -- The guard once more after every wait. A statement of its own: its clock reading is later than all of them.
    UPDATE sentra.invoice AS i
    SET number = format('INV/%s/%s/%s', x.code, its_month, lpad(drawn::text, greatest(5, length(drawn::text)), '0')),
        state = 'PAID', paid = i.total, settled_at = moment, issued_on = (moment AT TIME ZONE local_zone)::date,
        locked_by = NULL, locked_until = NULL, lock_token = NULL, locked_at = NULL, locked_counter = NULL
    FROM sentra.branch AS x
    WHERE i.id = wanted AND x.id = branch AND i.lock_token = token AND i.lock_epoch = epoch
      AND i.locked_by = session_user AND i.locked_until > sentra.now()
    RETURNING i.number INTO given_number;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('LOCK_LOST', jsonb_build_object('invoice_id', wanted));
    END IF;
    RETURN jsonb_build_object('outcome', 'PAID', 'payment_id', p ->> 'id', 'number', given_number, 'change', given.change,
        'paid_at', moment, 'booking_states', states, 'due', due);
END $$;

-- Cancelling waits for a lock no longer than the other changes do.
ALTER FUNCTION sentra.end_booking(uuid, text, text, jsonb, boolean) SET lock_timeout = '2s';

-- End a booking that is as its caller saw it. One that is over already is answered as before.
CREATE FUNCTION sentra.end_booking(wanted uuid, action text, reason text, priced jsonb, again boolean, based_on integer)
RETURNS jsonb SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF wanted IS NOT NULL AND based_on IS NOT NULL THEN
        held := sentra.lock_booking(wanted, true);
        IF held.state = 'PENDING_PAYMENT' THEN
            PERFORM sentra.check_based_on(held, based_on);
        END IF;
    END IF;
    RETURN sentra.end_booking(wanted, action, reason, priced, again);
END $$;
GRANT EXECUTE ON FUNCTION sentra.end_booking(uuid, text, text, jsonb, boolean, integer) TO {{agent}}, {{cashier}};

GRANT EXECUTE ON FUNCTION sentra.change_basis(uuid), sentra.swap_unit(uuid, text, integer) TO {{agent}}, {{inspector}};
GRANT EXECUTE ON FUNCTION sentra.reschedule_booking(uuid, date, date, text, jsonb),
    sentra.request_extension(uuid, date, jsonb), sentra.reject_extension(uuid, text, boolean, integer),
    sentra.shorten_booking(uuid, date, text, integer) TO {{agent}};
