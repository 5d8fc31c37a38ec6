-- Book, end and expire: the writes that decide who has a unit. Lock order everywhere: invoice, bookings by id, units by
-- id, number counter. Prices and texts come from the caller; sums and frozen rates are checked again here.

-- Units with their active days and version in ONE statement, as the index projects them.
CREATE FUNCTION sentra.unit_projections(unit_ids text[]) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('unit_id', u.id, 'sku', u.sku_id, 'slot', u.slot,
        'version', u.availability_version, 'today', (sentra.now() AT TIME ZONE b.zone)::date,
        'days', (SELECT coalesce(jsonb_agg(jsonb_build_array(lower(o.days), upper(o.days) - 1) ORDER BY lower(o.days)),
                                 '[]')
                 FROM sentra.occupancy AS o WHERE o.unit_id = u.id AND o.active)) ORDER BY u.id), '[]')
    FROM sentra.unit AS u JOIN sentra.branch AS b ON b.id = u.branch_id
    WHERE u.id = ANY (unit_ids)
$$;

-- What was booked under an order id, as `book_order` answers it.
CREATE FUNCTION sentra.booked_order(wanted uuid, repeat boolean) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('order_id', wanted, 'repeat', repeat, 'now', sentra.now(),
        'invoice_id', i.id, 'total', i.total,
        'bookings', jsonb_agg(jsonb_build_object('id', b.id, 'number', b.number, 'unit_id', b.unit_id,
            'state', b.state, 'payment_deadline', b.payment_deadline) ORDER BY b.line_no),
        'projections', sentra.unit_projections(array_agg(b.unit_id)))
    FROM sentra.booking AS b
    JOIN LATERAL (SELECT x.id, x.total FROM sentra.invoice AS x WHERE x.order_id = wanted
                  ORDER BY x.kind NOT IN ('RENTAL', 'DOWN_PAYMENT'), x.created_at, x.id LIMIT 1) AS i ON true
    WHERE b.order_id = wanted
    GROUP BY i.id, i.total
$$;

-- Active rows over wanted days of units, as refusals name them; a customer's name only to the booking's own branch.
CREATE FUNCTION sentra.blocking_rows(wanted jsonb, branch text, but_not uuid[]) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('unit_id', o.unit_id, 'kind', o.kind,
        'first_day', lower(o.days), 'last_day', upper(o.days) - 1, 'since', o.created_at,
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

-- The service repeats a projection that a killed counter never made.
CREATE FUNCTION sentra.project_later(branch text, unit_ids text[], wait interval DEFAULT '5 seconds') RETURNS void
LANGUAGE sql AS $$
    INSERT INTO sentra.outbox (kind, branch_id, payload, not_before)
    VALUES ('project_units', branch, jsonb_build_object('unit_ids', to_jsonb(unit_ids)), sentra.now() + wait)
$$;

-- Book an order: all of it or nothing. Answers what was booked, or {"taken": […]} with nothing written.
-- The same order id again answers the first result; another order under its id is refused DUPLICATE.
CREATE FUNCTION sentra.book_order(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch      text := sentra.require_branch();
    wanted_id   uuid := (wanted ->> 'id')::uuid;
    units       text[];
    booking_ids uuid[];
    customer    uuid := (wanted ->> 'customer_id')::uuid;
    his_phone   text := wanted #>> '{new_customer,phone}';
    print       text;
    known       sentra.booking_order;
    wrong       jsonb;
    moment      timestamptz;
    written     integer;
    answer      jsonb;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier', 'service');
    IF wanted ->> 'source' <> 'COUNTER' THEN
        PERFORM sentra.require_role('service');
    END IF;
    SELECT array_agg(DISTINCT w.unit_id ORDER BY w.unit_id), array_agg(w.id)
    INTO units, booking_ids
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, unit_id text);
    IF units IS NULL THEN
        PERFORM sentra.refuse('FIELD_INVALID', '{"field": "lines", "reason": "empty"}');
    END IF;
    IF customer IS NOT NULL THEN
        SELECT c.phone INTO his_phone FROM sentra.customer AS c WHERE c.id = customer;
        IF NOT FOUND THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer.id', 'customer_id', customer));
        END IF;
    END IF;
    -- Who, what and when make an order; which unit of a SKU may differ when a lost answer is asked for again.
    SELECT md5(jsonb_build_array(branch, wanted ->> 'source', his_phone,
               jsonb_agg(jsonb_build_array(w.id, w.sku_id, w.first_day, w.last_day) ORDER BY w.id))::text)
    INTO print
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, sku_id text, first_day date, last_day date);

    SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    IF NOT FOUND THEN
        PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
        -- The same order sent twice at once waited here for its own first try.
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    END IF;
    IF FOUND THEN
        RETURN sentra.repeated_order(known, branch, print);
    END IF;

    SELECT jsonb_build_object('field', format('lines[%s].unit_id', w.line - 1), 'unit_id', w.unit_id) INTO wrong
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL (SELECT e.item ->> 'unit_id' AS unit_id, e.item ->> 'sku_id' AS sku_id, e.line) AS w
    WHERE NOT EXISTS (SELECT FROM sentra.unit AS u WHERE u.id = w.unit_id AND u.branch_id = branch AND u.sku_id = w.sku_id)
    ORDER BY w.line LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('NOT_FOUND', wrong);
    END IF;
    SELECT jsonb_build_object('unit_id', u.id, 'plate', u.plate, 'status', u.status) INTO wrong
    FROM sentra.unit AS u WHERE u.id = ANY (units) AND u.status = 'RETIRED' LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('UNIT_NOT_RENTABLE', wrong);
    END IF;

    answer := sentra.blocking_rows(wanted -> 'bookings', branch, '{}');
    IF answer <> '[]' THEN
        RETURN jsonb_build_object('taken', answer);
    END IF;
    PERFORM sentra.check_prices(wanted, branch);

    INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)
    VALUES (wanted_id, branch, wanted ->> 'source', print, wanted ->> 'counter')
    ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND THEN  -- the same order at once on another unit
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
        RETURN sentra.repeated_order(known, branch, print);
    END IF;
    IF customer IS NULL THEN
        INSERT INTO sentra.customer (id, name, folded_name, phone)
        SELECT n.id, n.name, n.folded_name, n.phone
        FROM jsonb_to_record(wanted -> 'new_customer') AS n (id uuid, name text, folded_name text, phone text)
        ON CONFLICT (phone) DO NOTHING
        RETURNING id INTO customer;
        IF customer IS NULL THEN
            SELECT c.id INTO customer FROM sentra.customer AS c WHERE c.phone = his_phone;
        END IF;
    END IF;

    moment := sentra.now();
    INSERT INTO sentra.booking (id, number, order_id, line_no, branch_id, unit_id, sku_id, customer_id, first_day,
        last_day, pickup_at, due_at, state, payment_deadline, source, daily_rate, deposit, turnaround_days, last_action,
        note, counter, created_at, changed_at)
    SELECT w.id, 'BK-' || nextval('sentra.booking_number'), wanted_id, e.line, branch, w.unit_id, w.sku_id,
        customer, w.first_day, w.last_day, w.pickup_at, w.due_at, 'PENDING_PAYMENT', moment + interval '15 minutes',
        wanted ->> 'source', w.daily_rate, w.deposit, w.turnaround_days, 'create', coalesce(wanted ->> 'note', ''),
        wanted ->> 'counter', moment, moment
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS w (id uuid, unit_id text, sku_id text, first_day date, last_day date,
        pickup_at timestamptz, due_at timestamptz, daily_rate bigint, deposit bigint, turnaround_days integer);

    INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id, created_at, changed_at)
    SELECT w.unit_id, w.sku_id, branch, daterange(w.taken_first, w.taken_last, '[]'), 'BOOKING', w.id, moment, moment
    FROM jsonb_to_recordset(wanted -> 'bookings')
        AS w (id uuid, unit_id text, sku_id text, taken_first date, taken_last date)
    ORDER BY w.unit_id
    ON CONFLICT ON CONSTRAINT occupancy_no_overlap DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(booking_ids) THEN  -- two lines over each other, or a row put in past the unit's lock
        RAISE EXCEPTION USING ERRCODE = 'SR002', MESSAGE = 'DAYS_TAKEN', DETAIL = jsonb_build_object(
            'taken', sentra.blocking_rows(wanted -> 'bookings', branch, '{}'))::text;
    END IF;

    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES ((wanted ->> 'invoice_id')::uuid, wanted_id, branch, customer, 'RENTAL', (wanted ->> 'base')::bigint,
        (wanted ->> 'dpp')::bigint, (wanted ->> 'ppn')::bigint, (wanted ->> 'total')::bigint, moment);
    INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price,
        amount, taxable)
    SELECT (wanted ->> 'invoice_id')::uuid, e.line, branch, w.booking_id, w.kind, w.text, w.quantity, w.unit_price,
        w.amount, w.taxable
    FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item)
        AS w (booking_id uuid, kind text, text text, quantity integer, unit_price bigint, amount bigint, taxable boolean);
    PERFORM sentra.project_later(branch, units);
    RETURN sentra.booked_order(wanted_id, false);
END $$;

CREATE FUNCTION sentra.repeated_order(known sentra.booking_order, branch text, print text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF known.branch_id <> branch OR known.fingerprint <> print THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'order_id', 'order_id', known.id));
    END IF;
    RETURN sentra.booked_order(known.id, true);
END $$;

-- The guard on what the caller priced: rates are the SKU's of this moment, lines add up, rent and deposit are there.
CREATE FUNCTION sentra.check_prices(wanted jsonb, branch text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    wrong jsonb;
BEGIN
    SELECT jsonb_build_object('sku', s.id, 'daily_rate', s.daily_rate, 'deposit', s.deposit) INTO wrong
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, sku_id text, first_day date, last_day date,
        taken_first date, taken_last date, daily_rate bigint, deposit bigint, turnaround_days integer)
    JOIN sentra.sku AS s ON s.id = w.sku_id
    WHERE (w.daily_rate, w.deposit, w.turnaround_days) IS DISTINCT FROM (s.daily_rate, s.deposit, s.turnaround_days)
       OR w.taken_first IS DISTINCT FROM w.first_day OR w.taken_last IS DISTINCT FROM w.last_day + w.turnaround_days
       OR (SELECT coalesce(sum(l.amount) FILTER (WHERE l.kind = 'RENT'), 0) FROM jsonb_to_recordset(wanted -> 'lines')
               AS l (booking_id uuid, kind text, amount bigint) WHERE l.booking_id = w.id)
          IS DISTINCT FROM w.daily_rate * (w.last_day - w.first_day + 1)
       OR (SELECT coalesce(sum(l.amount) FILTER (WHERE l.kind = 'DEPOSIT'), 0) FROM jsonb_to_recordset(wanted -> 'lines')
               AS l (booking_id uuid, kind text, amount bigint) WHERE l.booking_id = w.id)
          IS DISTINCT FROM w.deposit
    LIMIT 1;
    IF wrong IS NULL THEN
        SELECT jsonb_build_object('total', t.total) INTO wrong
        FROM (SELECT coalesce(sum(l.amount), 0) AS total, coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) AS taxable,
                     coalesce(sum(l.amount) FILTER (WHERE l.kind = 'PPN'), 0) AS on_top
              FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint, taxable boolean)) AS t,
             sentra.branch AS b
        WHERE b.id = branch AND (t.total <> (wanted ->> 'total')::bigint OR NOT
            sentra.is_priced(b, t.taxable, t.on_top, (wanted ->> 'base')::bigint, (wanted ->> 'ppn')::bigint));
    END IF;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('PRICE_CHANGED', wrong);
    END IF;
END $$;

-- Whether base and PPN fit the taxable sum in this branch: inside the price, on top of it as a line, or none at all. The
-- rate itself is the caller's (a dated table), but a taxable price has some.
CREATE FUNCTION sentra.is_priced(branch sentra.branch, taxable numeric, on_top numeric, base bigint, ppn bigint)
RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN NOT branch.has_ppn THEN base = taxable AND ppn = 0 AND on_top = 0
                WHEN taxable >= 100 AND ppn <= 0 THEN false
                WHEN branch.prices_include_ppn THEN base + ppn = taxable AND on_top = 0
                ELSE base = taxable AND on_top = ppn END
$$;

-- Free a booking's days: rows end, the version grows, and one stretch is recorded for what is still ahead.
CREATE FUNCTION sentra.free_days(freed sentra.booking, cause text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    ended   record;
    today   date;
    ahead   daterange;
    touched jsonb := '[]';
    stretches jsonb := '[]';
    stretch uuid;
BEGIN
    SELECT (sentra.now() AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = freed.branch_id;
    FOR ended IN UPDATE sentra.occupancy AS o SET active = false WHERE o.booking_id = freed.id AND o.active
               RETURNING o.unit_id, o.sku_id, o.branch_id, o.days, o.kind LOOP
        touched := touched || jsonb_build_array(
            jsonb_build_object('unit_id', ended.unit_id, 'first_day', lower(ended.days), 'last_day', upper(ended.days) - 1));
        ahead := ended.days * daterange(today, NULL);
        IF ended.kind = 'BOOKING' AND NOT isempty(ahead) THEN
            INSERT INTO sentra.freed_stretch (sku_id, branch_id, unit_id, days, booking_id, cause)
            VALUES (ended.sku_id, ended.branch_id, ended.unit_id, ahead, freed.id, free_days.cause) RETURNING id INTO stretch;
            stretches := stretches || jsonb_build_array(jsonb_build_object('id', stretch, 'sku', ended.sku_id,
                'branch_id', ended.branch_id, 'first_day', lower(ahead), 'last_day', upper(ahead) - 1));
        END IF;
    END LOOP;
    RETURN jsonb_build_object('touched', touched, 'freed', stretches);
END $$;

CREATE FUNCTION sentra.void_invoice(wanted uuid) RETURNS void LANGUAGE sql AS $$
    UPDATE sentra.invoice SET state = 'VOID', voided_at = sentra.now(), locked_by = NULL, locked_until = NULL,
        lock_token = NULL, locked_at = NULL, locked_counter = NULL
    WHERE id = wanted AND state = 'OPEN'
$$;

-- One ended booking as callers need it.
CREATE FUNCTION sentra.ended_booking(wanted uuid, invoice_id uuid, freed jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT freed || jsonb_build_object('booking_id', b.id, 'number', b.number, 'order_id', b.order_id,
        'invoice_id', invoice_id, 'branch_id', b.branch_id, 'state', b.state,
        'projections', sentra.unit_projections(ARRAY[b.unit_id]))
    FROM sentra.booking AS b WHERE b.id = wanted
$$;

-- The same for a booking that was ended before.
CREATE FUNCTION sentra.ended_before(held sentra.booking) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT sentra.ended_booking(held.id,
        (SELECT i.id FROM sentra.invoice AS i WHERE i.order_id = held.order_id ORDER BY i.created_at, i.id LIMIT 1),
        jsonb_build_object(
            'touched', (SELECT coalesce(jsonb_agg(jsonb_build_object('unit_id', o.unit_id, 'first_day', lower(o.days),
                'last_day', upper(o.days) - 1)), '[]') FROM sentra.occupancy AS o WHERE o.booking_id = held.id),
            'freed', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'sku', f.sku_id, 'branch_id', f.branch_id,
                'first_day', lower(f.days), 'last_day', upper(f.days) - 1)), '[]')
                FROM sentra.freed_stretch AS f WHERE f.booking_id = held.id)))
$$;

-- Cancel one unpaid booking. `priced` is what the caller reckons for the rest of its order (base, dpp, ppn, taxable);
-- when the order changed meanwhile the whole transaction is to be tried again (40001). `again`: the caller's own COMMIT
-- may have happened unseen, so that its result is answered once more.
CREATE FUNCTION sentra.end_booking(wanted uuid, action text, reason text, priced jsonb, again boolean) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    held    sentra.booking;
    owed    sentra.invoice;
    moment  timestamptz;
    rest    integer;
    freed   jsonb;
    holder  text;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF action <> 'cancel' THEN
        PERFORM sentra.refuse('FIELD_INVALID', jsonb_build_object('field', 'action', 'reason', 'not_offered'));
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    PERFORM 1 FROM sentra.invoice AS i WHERE i.order_id = held.order_id ORDER BY i.id FOR NO KEY UPDATE;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = held.order_id ORDER BY b.id FOR NO KEY UPDATE;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    IF again AND held.state = 'CANCELLED' AND held.last_action = action AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.ended_before(held);
    END IF;
    IF held.state <> 'PENDING_PAYMENT' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', action));
    END IF;
    moment := sentra.now();
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.order_id = held.order_id AND i.state = 'OPEN'
    ORDER BY coalesce(i.locked_until > moment, false) DESC, i.id LIMIT 1;
    IF owed.lock_token IS NOT NULL AND owed.locked_until > moment THEN
        SELECT s.name INTO holder FROM sentra.staff AS s WHERE s.role_name = owed.locked_by;
        PERFORM sentra.refuse('INVOICE_LOCKED', jsonb_build_object('invoice_id', owed.id, 'holder', owed.locked_by,
            'holder_name', holder, 'counter', owed.locked_counter, 'since', owed.locked_at,
            'remaining_ms', sentra.remaining_ms(owed.locked_until, moment)));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;

    UPDATE sentra.booking SET state = 'CANCELLED', last_action = end_booking.action, reason = end_booking.reason,
        payment_deadline = NULL WHERE id = wanted;
    freed := sentra.free_days(held, action);
    SELECT count(*) INTO rest FROM sentra.booking AS b
    WHERE b.order_id = held.order_id AND b.state NOT IN ('CANCELLED', 'COMPLETED');
    IF rest = 0 THEN
        PERFORM sentra.void_invoice(i.id) FROM sentra.invoice AS i
        WHERE i.order_id = held.order_id AND i.state = 'OPEN';
    ELSE
        PERFORM sentra.reprice(owed.id, wanted, priced);
    END IF;
    PERFORM sentra.project_later(branch, ARRAY[held.unit_id]);
    RETURN sentra.ended_booking(wanted, owed.id, freed);
END $$;

CREATE FUNCTION sentra.reprice(wanted uuid, left_out uuid, priced jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taxable bigint;
    on_top  bigint;
    b       sentra.branch;
    was     sentra.invoice;
BEGIN
    SELECT * INTO was FROM sentra.invoice AS i WHERE i.id = wanted;
    SELECT x.* INTO b FROM sentra.branch AS x JOIN sentra.invoice AS i ON i.branch_id = x.id WHERE i.id = wanted;
    UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = wanted AND l.booking_id = left_out;
    UPDATE sentra.invoice_line AS l SET amount = (priced ->> 'ppn')::bigint, unit_price = (priced ->> 'ppn')::bigint
    WHERE l.invoice_id = wanted AND l.active AND l.kind = 'PPN';
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0), coalesce(sum(l.amount) FILTER (WHERE l.kind = 'PPN'), 0)
    INTO taxable, on_top FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    IF priced IS NULL OR (priced ->> 'taxable')::bigint IS DISTINCT FROM taxable THEN
        RAISE EXCEPTION 'the order changed while its rest was priced' USING ERRCODE = 'serialization_failure';
    END IF;
    -- The same rate as before, to the Rupiah that rounding may take.
    IF NOT sentra.is_priced(b, taxable, on_top, (priced ->> 'base')::bigint, (priced ->> 'ppn')::bigint)
       OR abs((priced ->> 'ppn')::numeric * was.base - was.ppn::numeric * (priced ->> 'base')::numeric)
          > 2 * (was.base + (priced ->> 'base')::numeric) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('invoice_id', wanted));
    END IF;
    UPDATE sentra.invoice SET base = (priced ->> 'base')::bigint, dpp = (priced ->> 'dpp')::bigint,
        ppn = (priced ->> 'ppn')::bigint,
        total = (SELECT coalesce(sum(l.amount), 0) FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active)
    WHERE id = wanted;
END $$;

CREATE FUNCTION sentra.remaining_ms(until timestamptz, moment timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql AS
$$ SELECT greatest(0, floor(extract(epoch FROM until - moment) * 1000))::bigint $$;

-- Whether a booking past its deadline may expire: no invoice of its order is under a valid lock, or 5 minutes are over.
CREATE FUNCTION sentra.may_expire(held sentra.booking, moment timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT held.payment_deadline + interval '5 minutes' <= moment OR NOT EXISTS (
        SELECT FROM sentra.invoice AS i
        WHERE i.order_id = held.order_id AND i.state = 'OPEN' AND i.locked_until > moment)
$$;

-- Expire the bookings of the oldest order past its deadline; null when there is none. An order whose invoice is in other
-- hands this moment is passed over; a valid lock is waited for at most 5 minutes past the deadline.
CREATE FUNCTION sentra.expire_next() RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz;
    due    uuid;
    branch text;
    passed uuid[] := '{}';
    ours   uuid[];
    first  uuid;
    held   sentra.booking;
    ended  jsonb := '[]';
    units  text[];
BEGIN
    PERFORM sentra.require_role('service');
    LOOP
        moment := sentra.now();
        SELECT b.order_id, b.branch_id INTO due, branch
        FROM sentra.booking AS b
        WHERE b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment AND b.order_id <> ALL (passed)
          AND sentra.may_expire(b, moment)
        ORDER BY b.payment_deadline, b.order_id, b.id LIMIT 1;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        SELECT array_agg(x.id), (array_agg(x.id ORDER BY x.kind NOT IN ('RENTAL', 'DOWN_PAYMENT'), x.created_at, x.id))[1]
        INTO ours, first FROM (SELECT i.id, i.kind, i.created_at FROM sentra.invoice AS i WHERE i.order_id = due
                               ORDER BY i.id FOR NO KEY UPDATE SKIP LOCKED) AS x;
        IF EXISTS (SELECT FROM sentra.invoice AS i WHERE i.order_id = due AND i.id <> ALL (coalesce(ours, '{}'))) THEN
            passed := passed || due;
            CONTINUE;
        END IF;
        PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = due ORDER BY b.id FOR NO KEY UPDATE;
        -- Now that nobody can change them: still unpaid, past the deadline, and not under a cashier's hands?
        SELECT array_agg(DISTINCT b.unit_id) INTO units FROM sentra.booking AS b
        WHERE b.order_id = due AND b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment
          AND sentra.may_expire(b, moment);
        IF units IS NULL THEN
            passed := passed || due;
            CONTINUE;
        END IF;
        PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
        FOR held IN SELECT * FROM sentra.booking AS b
                    WHERE b.order_id = due AND b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment
                    ORDER BY b.id LOOP
            UPDATE sentra.booking SET state = 'CANCELLED', last_action = 'expire' WHERE id = held.id;
            ended := ended || jsonb_build_array(jsonb_build_object('id', held.id, 'freed', sentra.free_days(held, 'expire')));
        END LOOP;
        IF NOT EXISTS (SELECT FROM sentra.booking AS b
                       WHERE b.order_id = due AND b.state NOT IN ('CANCELLED', 'COMPLETED')) THEN
            PERFORM sentra.void_invoice(i.id) FROM sentra.invoice AS i WHERE i.order_id = due AND i.state = 'OPEN';
        END IF;
        PERFORM sentra.project_later(branch, units);
        RETURN (SELECT jsonb_agg(sentra.ended_booking((e ->> 'id')::uuid, first, e -> 'freed'))
                FROM jsonb_array_elements(ended) AS e);
    END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION sentra.book_order(jsonb) TO {{agent}}, {{cashier}}, {{service}};
GRANT EXECUTE ON FUNCTION sentra.end_booking(uuid, text, text, jsonb, boolean) TO {{agent}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.expire_next() TO {{service}};
