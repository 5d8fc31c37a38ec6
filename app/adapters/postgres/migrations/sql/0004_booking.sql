-- Book, end and expire: the writes that decide who has a unit. Lock order everywhere: invoice, bookings by id, units by
-- id, number counter. Days, prices and texts come from the caller; every one of them is checked again here.

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

-- What an order must look like before anything is asked of it: every field there and of its type, texts within bounds.
CREATE FUNCTION sentra.check_order(wanted jsonb) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    item jsonb;
    at   integer;
BEGIN
    PERFORM sentra.check_fields(wanted, '', 'id uuid', 'customer_id uuid?', 'new_customer object?', 'source text 20',
        'note text? 500', 'counter text 60', 'invoice_id uuid', 'base rupiah', 'dpp rupiah', 'ppn rupiah', 'total rupiah',
        'bookings array', 'lines array');
    IF wanted ->> 'source' NOT IN ('COUNTER', 'WAITLIST', 'REINSTATED', 'IMPORT') THEN
        PERFORM sentra.invalid('source', 'not_a_source');
    END IF;
    PERFORM sentra.check_counter(wanted ->> 'counter');
    IF NOT sentra.is_note(coalesce(wanted ->> 'note', '')) THEN
        PERFORM sentra.invalid('note', 'control_characters');
    END IF;
    IF wanted ->> 'customer_id' IS NULL THEN
        item := wanted -> 'new_customer';
        PERFORM sentra.check_fields(item, 'customer.', 'id uuid', 'name text 1000', 'phone text 40');
        IF sentra.name_fault(item ->> 'name') IS NOT NULL THEN
            PERFORM sentra.invalid('customer.name', sentra.name_fault(item ->> 'name'), '{"least": 2, "most": 80}');
        END IF;
        IF item ->> 'phone' !~ '^\+[1-9][0-9]{7,14}$' THEN
            PERFORM sentra.invalid('customer.phone', 'not_a_phone');
        END IF;
    END IF;
    IF jsonb_array_length(wanted -> 'bookings') NOT BETWEEN 1 AND 20 THEN
        PERFORM sentra.invalid('lines', CASE jsonb_array_length(wanted -> 'bookings') WHEN 0 THEN 'empty' ELSE 'count' END,
            '{"least": 1, "most": 20}');
    END IF;
    IF jsonb_array_length(wanted -> 'lines') > 41 THEN  -- rent and deposit of twenty units, and PPN
        PERFORM sentra.invalid('prices', 'count', '{"most": 41}');
    END IF;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('lines[%s].', at), 'id uuid', 'unit_id text', 'given_unit text?',
            'sku_id text', 'first_day day', 'last_day day', 'taken_first day', 'taken_last day', 'pickup_at moment',
            'due_at moment', 'daily_rate rupiah', 'deposit rupiah', 'turnaround_days number');
        IF item ->> 'given_unit' <> item ->> 'unit_id' THEN
            PERFORM sentra.invalid(format('lines[%s].given_unit', at), 'not_the_unit');
        END IF;
    END LOOP;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('prices[%s].', at), 'booking_id uuid?', 'kind text 20', 'text text 200',
            'quantity number', 'unit_price rupiah', 'amount rupiah', 'taxable boolean');
        IF NOT sentra.is_clean(item ->> 'text') THEN
            PERFORM sentra.invalid(format('prices[%s].text', at), 'not_a_text');
        END IF;
    END LOOP;
END $$;

-- Refuse days that are no rental from today on in the branch's calendar, and times outside the booking's own days.
CREATE FUNCTION sentra.check_days(wanted jsonb, branch_id text) RETURNS void LANGUAGE plpgsql STABLE AS $$
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
    END LOOP;
END $$;

-- Book an order: all of it or nothing. Answers what was booked, or {"taken": […]} with nothing written.
-- The same order id again answers the first result; another order under its id is refused DUPLICATE.
CREATE FUNCTION sentra.book_order(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch      text := sentra.require_branch();
    wanted_id   uuid;
    units       text[];
    booking_ids uuid[];
    customer    uuid;
    his_phone   text;
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
    -- Who, what and when make an order, and a unit that was asked for by name. Which one "any unit" became may differ
    -- when a lost answer is asked for again.
    SELECT md5(jsonb_build_array(branch, wanted ->> 'source', his_phone,
               jsonb_agg(jsonb_build_array(w.id, w.sku_id, w.first_day, w.last_day, w.given_unit) ORDER BY w.id))::text)
    INTO print
    FROM jsonb_to_recordset(wanted -> 'bookings')
        AS w (id uuid, sku_id text, first_day date, last_day date, given_unit text);

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
            SELECT c.id INTO customer FROM sentra.customer AS c WHERE c.phone = his_phone;
            IF NOT FOUND THEN  -- no such phone, so it is the id that somebody has
                PERFORM sentra.refuse('DUPLICATE', '{"field": "customer.id"}');
            END IF;
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
        pickup_at timestamptz, due_at timestamptz, daily_rate bigint, deposit bigint, turnaround_days integer)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(booking_ids) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "lines.id"}');
    END IF;

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

CREATE FUNCTION sentra.repeated_order(known sentra.booking_order, branch text, print text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF known.branch_id <> branch OR known.fingerprint <> print THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'order_id', 'order_id', known.id));
    END IF;
    RETURN sentra.booked_order(known.id, true);
END $$;

-- The domain's prices once more: PPN of a taxable sum on a day in this branch, rounded half up in whole Rupiah.
CREATE FUNCTION sentra.priced(branch sentra.branch, taxable bigint, on_day date, OUT base bigint, OUT dpp bigint,
    OUT ppn bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
    rate    sentra.ppn_rate;
    hundred numeric;
BEGIN
    base := taxable;
    dpp := 0;
    ppn := 0;
    IF NOT branch.has_ppn THEN
        RETURN;
    END IF;
    SELECT * INTO STRICT rate FROM sentra.ppn_rate AS r WHERE r.since <= on_day ORDER BY r.since DESC LIMIT 1;
    IF branch.prices_include_ppn THEN
        hundred := 100 * rate.dpp_denominator + rate.percent * rate.dpp_numerator;
        base := sentra.half_up(taxable::numeric * 100 * rate.dpp_denominator, hundred);
    END IF;
    dpp := sentra.half_up(base::numeric * rate.dpp_numerator, rate.dpp_denominator);
    ppn := sentra.half_up(dpp::numeric * rate.percent, 100);
    IF branch.prices_include_ppn THEN  -- the base takes a leftover Rupiah
        base := taxable - ppn;
    END IF;
END $$;

CREATE FUNCTION sentra.half_up(over numeric, under numeric) RETURNS bigint IMMUTABLE LANGUAGE sql AS
$$ SELECT div(2 * over + under, 2 * under)::bigint $$;

-- The guard on what the caller priced. Of each booking exactly one RENT line of its days at the SKU's rate of this moment,
-- and its deposit; PPN of this day; and the sum. PRICE_CHANGED when rates are others by now, else the field that is wrong.
CREATE FUNCTION sentra.check_prices(wanted jsonb, branch_id text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    branch   sentra.branch;
    wrong    jsonb;
    place    text;
    taxable  numeric;
    computed record;
    on_top   bigint[];
    total    numeric;
BEGIN
    SELECT jsonb_build_object('sku', s.id, 'daily_rate', s.daily_rate, 'deposit', s.deposit) INTO wrong
    FROM jsonb_to_recordset(wanted -> 'bookings')
        AS w (sku_id text, daily_rate bigint, deposit bigint, turnaround_days integer)
    JOIN sentra.sku AS s ON s.id = w.sku_id
    WHERE (w.daily_rate, w.deposit, w.turnaround_days) IS DISTINCT FROM (s.daily_rate, s.deposit, s.turnaround_days)
    LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('PRICE_CHANGED', wrong);
    END IF;

    -- Each line by itself: its kind, whose it is, and what that kind must say.
    SELECT format('prices[%s].', e.line - 1) || CASE
        WHEN l.kind NOT IN ('RENT', 'DEPOSIT', 'PPN') THEN 'kind'
        WHEN (l.kind = 'PPN') <> (l.booking_id IS NULL) OR (l.kind <> 'PPN' AND w.id IS NULL) THEN 'booking_id'
        WHEN l.taxable <> (l.kind = 'RENT') THEN 'taxable'
        WHEN l.quantity <> CASE l.kind WHEN 'RENT' THEN w.last_day - w.first_day + 1 ELSE 1 END THEN 'quantity'
        WHEN l.unit_price <> CASE l.kind WHEN 'RENT' THEN w.daily_rate WHEN 'DEPOSIT' THEN w.deposit ELSE l.amount END
            THEN 'unit_price'
        WHEN l.amount <> l.quantity::numeric * l.unit_price THEN 'amount' END
    INTO place
    FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS l (booking_id uuid, kind text, quantity integer, unit_price bigint,
        amount bigint, taxable boolean)
    LEFT JOIN jsonb_to_recordset(wanted -> 'bookings')
        AS w (id uuid, first_day date, last_day date, daily_rate bigint, deposit bigint) ON w.id = l.booking_id
    WHERE l.kind NOT IN ('RENT', 'DEPOSIT', 'PPN')
       OR (l.kind = 'PPN') <> (l.booking_id IS NULL) OR (l.kind <> 'PPN' AND w.id IS NULL)
       OR l.taxable <> (l.kind = 'RENT')
       OR l.quantity <> CASE l.kind WHEN 'RENT' THEN w.last_day - w.first_day + 1 ELSE 1 END
       OR l.unit_price <> CASE l.kind WHEN 'RENT' THEN w.daily_rate WHEN 'DEPOSIT' THEN w.deposit ELSE l.amount END
       OR l.amount <> l.quantity::numeric * l.unit_price
    ORDER BY e.line LIMIT 1;
    IF place IS NOT NULL THEN
        PERFORM sentra.invalid(place, 'not_the_price');
    END IF;
    -- And all together: one rent per booking, one deposit where there is any.
    IF EXISTS (
        SELECT FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, deposit bigint)
        LEFT JOIN jsonb_to_recordset(wanted -> 'lines') AS l (booking_id uuid, kind text) ON l.booking_id = w.id
        GROUP BY w.id, w.deposit
        HAVING count(*) FILTER (WHERE l.kind = 'RENT') <> 1
            OR count(*) FILTER (WHERE l.kind = 'DEPOSIT') <> CASE WHEN w.deposit > 0 THEN 1 ELSE 0 END) THEN
        PERFORM sentra.invalid('prices', 'incomplete');
    END IF;

    SELECT * INTO branch FROM sentra.branch AS b WHERE b.id = branch_id;
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0), coalesce(sum(l.amount), 0) INTO taxable, total
    FROM jsonb_to_recordset(wanted -> 'lines') AS l (amount bigint, taxable boolean);
    IF total > 9999999999999 OR total <> (wanted ->> 'total')::numeric THEN
        PERFORM sentra.invalid('total', CASE WHEN total > 9999999999999 THEN 'too_large' ELSE 'not_the_sum' END);
    END IF;
    computed := sentra.priced(branch, taxable::bigint, (sentra.now() AT TIME ZONE branch.zone)::date);
    -- PPN on top of the price is a line of its own; inside the price, or without any, there is none.
    on_top := CASE WHEN branch.has_ppn AND NOT branch.prices_include_ppn THEN ARRAY[computed.ppn] END;
    IF (computed.base, computed.dpp, computed.ppn) IS DISTINCT FROM
           ((wanted ->> 'base')::bigint, (wanted ->> 'dpp')::bigint, (wanted ->> 'ppn')::bigint)
       OR (SELECT array_agg(l.amount) FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint)
           WHERE l.kind = 'PPN') IS DISTINCT FROM on_top THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('total', total));
    END IF;
END $$;

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
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('booking_id', 'missing');
    END IF;
    IF action IS DISTINCT FROM 'cancel' THEN
        PERFORM sentra.invalid('action', 'not_offered');
    END IF;
    IF reason IS NULL OR NOT sentra.is_note(reason) THEN
        PERFORM sentra.invalid('reason', CASE WHEN reason IS NULL THEN 'missing' ELSE 'not_a_note' END);
    END IF;
    IF priced IS NOT NULL AND priced <> 'null' THEN
        PERFORM sentra.check_fields(priced, 'priced.', 'taxable rupiah', 'base rupiah', 'dpp rupiah', 'ppn rupiah');
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
    b       sentra.branch;
    was     sentra.invoice;
    computed record;
BEGIN
    SELECT * INTO was FROM sentra.invoice AS i WHERE i.id = wanted;
    SELECT x.* INTO b FROM sentra.branch AS x JOIN sentra.invoice AS i ON i.branch_id = x.id WHERE i.id = wanted;
    UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = wanted AND l.booking_id = left_out;
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) INTO taxable
    FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    IF (priced ->> 'taxable')::bigint IS DISTINCT FROM taxable THEN
        RAISE EXCEPTION 'the order changed while its rest was priced' USING ERRCODE = 'serialization_failure';
    END IF;
    -- By the rate of the day it was booked.
    computed := sentra.priced(b, taxable, (was.created_at AT TIME ZONE b.zone)::date);
    IF (computed.base, computed.dpp, computed.ppn) IS DISTINCT FROM
       ((priced ->> 'base')::bigint, (priced ->> 'dpp')::bigint, (priced ->> 'ppn')::bigint) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('invoice_id', wanted));
    END IF;
    UPDATE sentra.invoice_line AS l SET amount = computed.ppn, unit_price = computed.ppn
    WHERE l.invoice_id = wanted AND l.active AND l.kind = 'PPN';
    UPDATE sentra.invoice SET base = computed.base, dpp = computed.dpp, ppn = computed.ppn,
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

-- Orders past their deadline, oldest first, at most so many, without those the caller has looked at.
CREATE FUNCTION sentra.due_orders(most integer, but_not uuid[]) RETURNS uuid[]
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
BEGIN
    PERFORM sentra.require_role('service');
    RETURN (SELECT coalesce(array_agg(x.order_id ORDER BY x.deadline, x.order_id), '{}') FROM (
        SELECT b.order_id, min(b.payment_deadline) AS deadline FROM sentra.booking AS b
        WHERE b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment
          AND b.order_id <> ALL (coalesce(but_not, '{}')) AND sentra.may_expire(b, moment)
        GROUP BY b.order_id ORDER BY 2, 1 LIMIT greatest(coalesce(most, 1), 1)) AS x);
END $$;

-- Expire the bookings of one order past its deadline; null when it is not due, or is in other hands this moment: an
-- invoice, booking or unit that somebody holds is never waited for. A valid lock is waited for at most 5 minutes past
-- the deadline.
CREATE FUNCTION sentra.expire_order(due uuid) RETURNS jsonb
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
    WHERE b.order_id = due AND b.state = 'PENDING_PAYMENT' AND b.payment_deadline <= moment
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
END $$;

-- The oldest due order that is in nobody's hands, expired; null when there is none.
CREATE FUNCTION sentra.expire_next() RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    due    uuid;
    passed uuid[] := '{}';
    ended  jsonb;
BEGIN
    LOOP
        due := (sentra.due_orders(1, passed))[1];
        IF due IS NULL THEN
            RETURN NULL;
        END IF;
        ended := sentra.expire_order(due);
        IF ended IS NOT NULL THEN
            RETURN ended;
        END IF;
        passed := passed || due;
    END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION sentra.book_order(jsonb) TO {{agent}}, {{cashier}}, {{service}};
GRANT EXECUTE ON FUNCTION sentra.end_booking(uuid, text, text, jsonb, boolean) TO {{agent}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.due_orders(integer, uuid[]), sentra.expire_order(uuid), sentra.expire_next() TO {{service}};
