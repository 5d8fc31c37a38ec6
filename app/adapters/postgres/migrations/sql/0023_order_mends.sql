-- Orders and holds: whose name an order is on, what a manager's word covers, and how long days and holds may last.

-- --- days -----------------------------------------------------------------------------------------------------------

-- As before; and nothing is due before it was booked. Pick-up may have been earlier today.
CREATE OR REPLACE FUNCTION sentra.check_days(wanted jsonb, branch_id text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    its_zone text := (SELECT b.zone FROM sentra.branch AS b WHERE b.id = branch_id);
    today    date := (sentra.now() AT TIME ZONE its_zone)::date;
    w        record;
    wrong    text;
BEGIN
    FOR w IN SELECT x.*, format('lines[%s].', e.line - 1) AS place
             FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
             CROSS JOIN LATERAL jsonb_to_record(e.item) AS x (first_day date, last_day date, taken_first date,
                 taken_last date, pickup_at timestamptz, due_at timestamptz, turnaround_days integer) LOOP
        wrong := CASE WHEN w.first_day < today THEN 'past' WHEN w.first_day - today > 730 THEN 'too_far' END;
        IF wrong IS NOT NULL THEN
            PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', w.place || 'first_day', 'reason', wrong,
                'first', w.first_day, 'limit', 730));
        END IF;
        wrong := CASE WHEN w.last_day < w.first_day THEN 'reversed' WHEN w.last_day - w.first_day >= 365 THEN 'too_long' END;
        IF wrong IS NOT NULL THEN
            PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', w.place || 'last_day', 'reason', wrong,
                'first', w.first_day, 'last', w.last_day, 'days', w.last_day - w.first_day + 1, 'limit', 365));
        END IF;
        wrong := CASE WHEN w.turnaround_days < 0 THEN 'turnaround_days'
                      WHEN w.taken_first <> w.first_day THEN 'taken_first'
                      WHEN w.taken_last <> w.last_day + w.turnaround_days THEN 'taken_last'
                      WHEN (w.pickup_at AT TIME ZONE its_zone)::date NOT BETWEEN w.first_day AND w.last_day THEN 'pickup_at'
                      WHEN (w.due_at AT TIME ZONE its_zone)::date NOT BETWEEN w.first_day AND w.last_day
                        OR w.due_at <= w.pickup_at THEN 'due_at' END;
        IF wrong IS NOT NULL THEN
            PERFORM sentra.invalid(w.place || wrong, 'not_of_the_period');
        END IF;
        IF w.due_at < date_trunc('second', sentra.now()) THEN  -- the day's last second is within the day
            PERFORM sentra.invalid(w.place || 'due_at', 'past', jsonb_build_object('due_at', w.due_at));
        END IF;
    END LOOP;
END $$;

-- --- whose order it is ----------------------------------------------------------------------------------------------

-- Refuse a customer of a counter whose licence ends before a unit comes back; who has none on record shows it at the gate.
-- A driver's customer needs none, and no equipment is driven.
CREATE FUNCTION sentra.check_licence(wanted jsonb, customer uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    wrong jsonb;
BEGIN
    IF wanted ->> 'source' <> 'COUNTER' THEN
        RETURN;
    END IF;
    SELECT jsonb_build_object('line', e.line - 1, 'expires_on', c.licence_expires_on, 'last_day', w.last_day) INTO wrong
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS w (sku_id text, last_day date, extras jsonb)
    JOIN sentra.customer AS c ON c.id = customer AND c.licence_expires_on < w.last_day
    WHERE sentra.charge_terms_of(w.sku_id) ->> 'template' <> 'EQUIPMENT'
      AND NOT EXISTS (SELECT FROM jsonb_to_recordset(nullif(w.extras, 'null')) AS x (replaces_driver_licence boolean)
                      WHERE x.replaces_driver_licence)
    ORDER BY e.line LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.invalid('customer.licence_expires_on', 'expires', wrong);
    END IF;
END $$;

-- As before; and who was typed as somebody new is the customer of that phone under the same name only, never unsaid
-- somebody else. A licence is good until the last unit that the customer drives comes back.
CREATE OR REPLACE FUNCTION sentra.book_order(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch      text := sentra.require_branch();
    wanted_id   uuid;
    units       text[];
    booking_ids uuid[];
    customer    uuid;
    his_phone   text;
    his         sentra.customer;
    print       text;
    known       sentra.booking_order;
    wrong       jsonb;
    moment      timestamptz;
    written     integer;
    answer      jsonb;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier', 'service');
    PERFORM sentra.check_order(wanted);
    IF wanted ->> 'source' <> 'COUNTER' THEN
        PERFORM sentra.require_role('service');
    END IF;
    wanted_id := (wanted ->> 'id')::uuid;
    customer := (wanted ->> 'customer_id')::uuid;
    his_phone := wanted #>> '{new_customer,phone}';
    SELECT array_agg(DISTINCT w.unit_id ORDER BY w.unit_id), array_agg(w.id)
    INTO units, booking_ids
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, unit_id text);
    IF customer IS NOT NULL THEN
        SELECT c.phone INTO his_phone FROM sentra.customer AS c WHERE c.id = customer;
        IF NOT FOUND THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer.id', 'customer_id', customer));
        END IF;
    END IF;
    -- Who, what and when make an order, and a unit that was asked for by name; and what was wished for beside it, a down
    -- payment too, not what that costs. Which unit "any unit" became may differ when a lost answer is asked for again.
    SELECT md5(jsonb_build_array(branch, wanted ->> 'source', his_phone, jsonb_agg(
               jsonb_build_array(w.id, w.sku_id, w.first_day, w.last_day, w.given_unit) || w.wishes ORDER BY w.id))::text
               || coalesce(' down payment ' || (wanted ->> 'down_payment'), ''))
    INTO print
    FROM (SELECT x.*, CASE
              WHEN coalesce(x.discount_percent, 0) = 0 AND x.agreed_deposit IS NULL AND coalesce(x.extras, '[]') IN ('[]', 'null')
              THEN '[]' ELSE jsonb_build_array(coalesce(x.discount_percent, 0), x.agreed_deposit, (
                  SELECT jsonb_agg(jsonb_build_array(e.code, e.quantity) ORDER BY e.code)
                  FROM jsonb_to_recordset(nullif(x.extras, 'null')) AS e (code text, quantity integer))) END AS wishes
          FROM jsonb_to_recordset(wanted -> 'bookings')
              AS x (id uuid, sku_id text, first_day date, last_day date, given_unit text, discount_percent integer,
                    agreed_deposit bigint, extras jsonb)) AS w;

    SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    IF NOT FOUND THEN
        PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
        -- The same order sent twice at once waited here for its own first try.
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    END IF;
    IF FOUND THEN
        RETURN sentra.repeated_order(known, branch, print);
    END IF;
    PERFORM sentra.check_days(wanted, branch);

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
    PERFORM sentra.check_word(wanted);

    INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)
    VALUES (wanted_id, branch, wanted ->> 'source', print, wanted ->> 'counter')
    ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND THEN  -- the same order at once on another unit
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
        RETURN sentra.repeated_order(known, branch, print);
    END IF;
    IF customer IS NULL THEN
        INSERT INTO sentra.customer (id, name, phone)
        SELECT n.id, n.name, n.phone
        FROM jsonb_to_record(wanted -> 'new_customer') AS n (id uuid, name text, phone text)
        ON CONFLICT DO NOTHING
        RETURNING id INTO customer;
        IF customer IS NULL THEN
            SELECT * INTO his FROM sentra.customer AS c WHERE c.phone = his_phone;
            IF NOT FOUND THEN  -- no such phone, so it is the id that somebody has
                PERFORM sentra.refuse('DUPLICATE', '{"field": "customer.id"}');
            END IF;
            IF his.folded_name <> sentra.folded(wanted #>> '{new_customer,name}') COLLATE "C" THEN
                PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'customer.phone', 'customer_id', his.id,
                    'customer_name', his.name));
            END IF;
            customer := his.id;
        END IF;
    END IF;
    PERFORM sentra.check_licence(wanted, customer);

    moment := sentra.now();
    INSERT INTO sentra.booking (id, number, order_id, line_no, branch_id, unit_id, sku_id, customer_id, first_day,
        last_day, pickup_at, due_at, state, payment_deadline, source, daily_rate, deposit, turnaround_days, last_action,
        note, counter, created_at, changed_at, card, holidays, discount_percent, counts_hours, day_offset, min_days)
    SELECT w.id, 'BK-' || nextval('sentra.booking_number'), wanted_id, e.line, branch, w.unit_id, w.sku_id,
        customer, w.first_day, w.last_day, w.pickup_at, w.due_at, 'PENDING_PAYMENT', moment + interval '15 minutes',
        wanted ->> 'source', w.daily_rate, w.deposit, w.turnaround_days, 'create', coalesce(wanted ->> 'note', ''),
        wanted ->> 'counter', moment, moment, nullif(w.card, 'null'), sentra.holidays_of(w.holidays),
        coalesce(w.discount_percent, 0), b.counts_hours, coalesce(w.day_offset, 0), coalesce(w.min_days, 1)
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS w (id uuid, unit_id text, sku_id text, first_day date, last_day date,
        pickup_at timestamptz, due_at timestamptz, daily_rate bigint, deposit bigint, turnaround_days integer, card jsonb,
        holidays jsonb, discount_percent integer, day_offset integer, min_days integer)
    JOIN sentra.branch AS b ON b.id = branch
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(booking_ids) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "lines.id"}');
    END IF;
    INSERT INTO sentra.booking_extra (booking_id, line_no, branch_id, code, name, per_day, rate, taxable,
        replaces_driver_licence, quantity)
    SELECT w.id, e.line, branch, x.code, x.name, x.per_day, x.rate, x.taxable, x.replaces_driver_licence, x.quantity
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, extras jsonb)
    CROSS JOIN LATERAL jsonb_array_elements(coalesce(nullif(w.extras, 'null'), '[]')) WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS x (code text, name text, per_day boolean, rate bigint,
        taxable boolean, replaces_driver_licence boolean, quantity integer);

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
        (wanted ->> 'dpp')::bigint, (wanted ->> 'ppn')::bigint, (wanted ->> 'total')::bigint, moment)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "invoice_id"}');
    END IF;
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

-- --- a manager's word -----------------------------------------------------------------------------------------------

-- As before; and a word for a blocked customer is for that customer with that code.
CREATE OR REPLACE FUNCTION sentra.check_word(wanted jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    highest integer;
    blocked text;
    his_id  uuid;
    amount  bigint;
    said    jsonb := jsonb_build_object('object', lower(wanted ->> 'id'));
BEGIN
    IF wanted ->> 'source' = 'COUNTER' AND NOT sentra.has_role('manager') THEN
        his_id := coalesce((wanted ->> 'customer_id')::uuid,
            (SELECT c.id FROM sentra.customer AS c WHERE c.phone = wanted #>> '{new_customer,phone}'));
        blocked := sentra.blocked_code(his_id, sentra.my_branch());
    END IF;
    SELECT max((e ->> 'discount_percent')::integer) INTO highest FROM jsonb_array_elements(wanted -> 'bookings') AS e;
    IF highest > sentra.discount_limit() THEN
        SELECT coalesce(-sum(l.amount), 0) INTO amount
        FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint) WHERE l.kind = 'DISCOUNT';
        said := said || jsonb_build_object('amount', amount, 'limit', sentra.discount_limit());
    ELSIF blocked IS NULL THEN
        RETURN;
    END IF;
    said := said || CASE WHEN blocked IS NULL THEN '{"action": "discount"}'
                         ELSE jsonb_build_object('action', 'blocked_customer', 'blocked', blocked,
                             'object', format('%s:%s:%s', said ->> 'object', his_id, blocked)) END;
    IF wanted ->> 'approval_id' IS NULL THEN
        PERFORM sentra.refuse('APPROVAL_NEEDED', said || '{"field": "approval_id", "reason": "missing"}');
    END IF;
    PERFORM sentra.use_approval((wanted ->> 'approval_id')::uuid, said ->> 'action', said ->> 'object', amount);
END $$;

-- As before; what is approved of a booking may say more behind its id.
CREATE OR REPLACE FUNCTION sentra.is_approved(changed sentra.booking) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM sentra.approval AS a
        WHERE a.used_tx = pg_current_xact_id_if_assigned()::text::bigint AND a.used_by = session_user
          AND a.action = changed.last_action AND a.branch_id = changed.branch_id
          AND split_part(a.object, ':', 1) IN (
              SELECT b.id::text FROM sentra.booking AS b WHERE b.order_id = changed.order_id))
$$;

-- --- holding longer -------------------------------------------------------------------------------------------------

-- As before; never past the hour when the first of its units is due, and a manager's word is for these hours and this reason.
CREATE OR REPLACE FUNCTION sentra.hold_longer(wanted uuid, until_hours integer, reason text, approval uuid, again boolean,
    based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    moment timestamptz;
    limit_at timestamptz;
    due    timestamptz;
    least_hours integer;
    until  timestamptz;
    thing  text;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF until_hours IS NULL THEN
        PERFORM sentra.invalid('until_hours', 'missing');
    END IF;
    PERFORM sentra.check_reason(reason);
    held := sentra.lock_booking(wanted, false);
    IF again AND held.state = 'PENDING_PAYMENT' AND held.last_action = 'hold_longer' AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.held_longer(held);
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    moment := sentra.now();
    IF held.state <> 'PENDING_PAYMENT' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'hold_longer'));
    END IF;
    IF held.payment_deadline <= moment THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    limit_at := held.created_at + interval '24 hours';
    SELECT min(b.due_at) INTO due FROM sentra.booking AS b WHERE b.order_id = held.order_id AND b.state = 'PENDING_PAYMENT';
    least_hours := floor(extract(epoch FROM held.payment_deadline - moment) / 3600)::integer + 1;
    IF held.payment_deadline >= limit_at OR moment + make_interval(hours => least_hours) > due THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', 'held_longest', 'state', held.state, 'action', 'hold_longer',
            'payment_deadline', held.payment_deadline));
    END IF;
    until := least(moment + make_interval(hours => least(greatest(until_hours, 0), 24)), limit_at);
    IF until_hours NOT BETWEEN 1 AND 24 OR until <= held.payment_deadline THEN
        PERFORM sentra.invalid('until_hours', 'out_of_range', jsonb_build_object('most', 24, 'least', least_hours));
    END IF;
    IF until > due THEN
        PERFORM sentra.invalid('until_hours', 'after_due', jsonb_build_object('least', least_hours,
            'most', floor(extract(epoch FROM due - moment) / 3600)::integer, 'latest', due));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        thing := wanted::text || ':' || until_hours;
        PERFORM sentra.use_approval(approval, 'hold_longer', thing);
        IF (SELECT a.reason FROM sentra.approval AS a WHERE a.id = approval) <> reason THEN
            PERFORM sentra.refuse('APPROVAL_NEEDED', jsonb_build_object('field', 'approval_id', 'reason', 'other',
                'action', 'hold_longer', 'object', thing));
        END IF;
    END IF;
    UPDATE sentra.booking AS b SET last_action = 'hold_longer', payment_deadline = until, reason = hold_longer.reason
    WHERE b.order_id = held.order_id AND b.state = 'PENDING_PAYMENT';
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    RETURN sentra.held_longer(held);
END $$;

-- Whoever is named by id, else by name and phone; nobody waits under a name that was not typed.
CREATE OR REPLACE FUNCTION sentra.given_customer(customer_id uuid, typed jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    known uuid;
    his   sentra.customer;
BEGIN
    IF customer_id IS NOT NULL THEN
        SELECT c.id INTO known FROM sentra.customer AS c WHERE c.id = customer_id;
        IF NOT FOUND THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer.id', 'customer_id', customer_id));
        END IF;
        RETURN known;
    END IF;
    PERFORM sentra.check_fields(typed, 'customer.', 'id uuid', 'name text 1000', 'phone text 40');
    IF sentra.name_fault(typed ->> 'name') IS NOT NULL THEN
        PERFORM sentra.invalid('customer.name', sentra.name_fault(typed ->> 'name'), '{"least": 2, "most": 80}');
    END IF;
    IF typed ->> 'phone' !~ '^\+[1-9][0-9]{7,14}$' THEN
        PERFORM sentra.invalid('customer.phone', 'not_a_phone');
    END IF;
    INSERT INTO sentra.customer (id, name, phone)
    VALUES ((typed ->> 'id')::uuid, typed ->> 'name', typed ->> 'phone')
    ON CONFLICT DO NOTHING RETURNING id INTO known;
    IF known IS NULL THEN
        SELECT * INTO his FROM sentra.customer AS c WHERE c.phone = typed ->> 'phone';
        IF NOT FOUND THEN  -- no such phone, so it is the id that somebody has
            PERFORM sentra.refuse('DUPLICATE', '{"field": "customer.id"}');
        END IF;
        IF his.folded_name <> sentra.folded(typed ->> 'name') COLLATE "C" THEN
            PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'customer.phone', 'customer_id', his.id,
                'customer_name', his.name));
        END IF;
        known := his.id;
    END IF;
    RETURN known;
END $$;
