-- The invoice lock and paying under it (the second seed). First the row lock, then the guarded statement: a WHERE that
-- waited on a row lock has looked at the clock before the wait. Nobody waits longer than 2 s.

-- What a lock question is answered with; holder fields when somebody holds a valid lock.
CREATE FUNCTION sentra.lock_answer(outcome text, owed sentra.invoice, moment timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('outcome', outcome, 'epoch', owed.lock_epoch, 'invoice_state', owed.state,
               'remaining_ms', coalesce(sentra.remaining_ms(owed.locked_until, moment), 0))
        || CASE WHEN owed.lock_token IS NULL OR owed.locked_until <= moment THEN '{}'
                ELSE jsonb_build_object('holder', owed.locked_by, 'holder_counter', owed.locked_counter,
                    'held_since', owed.locked_at,
                    'holder_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = owed.locked_by)) END
$$;

-- What every question about a lock must come with; a null would pass each comparison behind it.
CREATE FUNCTION sentra.check_lock_question(wanted uuid, token text, counter text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('invoice_id', 'missing');
    END IF;
    IF token IS NULL OR length(token) NOT BETWEEN 32 AND 200 THEN
        PERFORM sentra.invalid('token', CASE WHEN token IS NULL THEN 'missing' WHEN length(token) < 32 THEN 'too_short'
                                             ELSE 'too_long' END);
    END IF;
    PERFORM sentra.check_counter(counter);
END $$;

-- Give the row a new lock: the epoch grows, and a lock that ran out by itself is on record.
CREATE FUNCTION sentra.write_lock(owed sentra.invoice, token text, counter text, moment timestamptz) RETURNS sentra.invoice
LANGUAGE plpgsql AS $$
DECLARE
    written sentra.invoice;
BEGIN
    IF owed.lock_token IS NOT NULL AND owed.locked_until <= moment THEN
        INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
        VALUES (counter, owed.branch_id, 'lock_expired', owed.id::text,
            jsonb_build_object('locked_by', owed.locked_by, 'locked_counter', owed.locked_counter,
                'locked_until', owed.locked_until, 'lock_epoch', owed.lock_epoch),
            jsonb_build_object('locked_by', session_user, 'locked_counter', counter, 'lock_epoch', owed.lock_epoch + 1));
    END IF;
    UPDATE sentra.invoice AS i
    SET locked_by = session_user, locked_until = moment + interval '60 seconds', lock_token = token, locked_at = moment,
        locked_counter = counter, lock_epoch = i.lock_epoch + 1
    WHERE i.id = owed.id AND i.lock_epoch = owed.lock_epoch AND i.state = 'OPEN'
    RETURNING * INTO STRICT written;
    RETURN written;
END $$;

CREATE FUNCTION sentra.take_lock(wanted uuid, token text, counter text) RETURNS jsonb
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
            OR (owed.state = 'VOID' AND b.last_action = 'expire'))) THEN
        RETURN sentra.lock_answer('EXPIRED_BOOKING', owed, moment);
    END IF;
    IF owed.state <> 'OPEN' THEN
        RETURN sentra.lock_answer('NOT_OPEN', owed, moment);
    END IF;
    RETURN sentra.lock_answer('TAKEN', sentra.write_lock(owed, token, counter, moment), moment);
END $$;

CREATE FUNCTION sentra.renew_lock(wanted uuid, token text, epoch bigint, idle_ms bigint) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    owed   sentra.invoice;
    beaten sentra.invoice;
    moment timestamptz;
BEGIN
    PERFORM sentra.require_role('cashier');
    IF num_nulls(wanted, token, epoch, idle_ms) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN wanted IS NULL THEN 'invoice_id' WHEN token IS NULL THEN 'token'
                                    WHEN epoch IS NULL THEN 'epoch' ELSE 'idle_ms' END, 'missing');
    END IF;
    IF idle_ms < 0 THEN
        PERFORM sentra.invalid('idle_ms', 'not_a_duration');
    END IF;
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN '{"outcome": "NOT_FOUND", "epoch": 0, "remaining_ms": 0}';
    END IF;
    moment := sentra.now();
    IF idle_ms >= 900000 THEN
        RETURN sentra.lock_answer('IDLE', owed, moment);
    END IF;
    UPDATE sentra.invoice AS i SET locked_until = moment + interval '60 seconds'
    WHERE i.id = wanted AND i.lock_token = token AND i.lock_epoch = epoch AND i.locked_by = session_user
      AND i.locked_until > moment AND i.state = 'OPEN'
    RETURNING * INTO beaten;
    IF NOT FOUND THEN
        RETURN sentra.lock_answer('LOST', owed, moment);
    END IF;
    RETURN sentra.lock_answer('SAME', beaten, moment);
END $$;

CREATE FUNCTION sentra.move_lock(wanted uuid, token text, counter text) RETURNS jsonb
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
    IF owed.state <> 'OPEN' THEN
        RETURN sentra.lock_answer('NOT_OPEN', owed, moment);
    END IF;
    IF owed.lock_token IS NULL OR owed.locked_until <= moment THEN
        RETURN sentra.lock_answer('LOST', owed, moment);
    END IF;
    IF owed.locked_by <> session_user THEN
        RETURN sentra.lock_answer('HELD', owed, moment);
    END IF;
    IF owed.lock_token = token THEN
        RETURN sentra.lock_answer('SAME', owed, moment);
    END IF;
    RETURN sentra.lock_answer('TAKEN', sentra.write_lock(owed, token, counter, moment), moment);
END $$;

CREATE FUNCTION sentra.release_lock(wanted uuid, token text, epoch bigint) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('cashier');
    IF num_nulls(wanted, token, epoch) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN wanted IS NULL THEN 'invoice_id' WHEN token IS NULL THEN 'token' ELSE 'epoch' END,
            'missing');
    END IF;
    -- Compare and release in one statement: what it waits for can only make it match less.
    UPDATE sentra.invoice AS i
    SET locked_by = NULL, locked_until = NULL, lock_token = NULL, locked_at = NULL, locked_counter = NULL
    WHERE i.id = wanted AND i.branch_id = branch AND i.lock_token = token AND i.lock_epoch = epoch
      AND i.locked_by = session_user;
    RETURN FOUND;
END $$;

-- Settle an invoice in full under its lock. Order: row lock, attempt id, guard, payment, booking, number, lock columns.
-- Anything but PAID and ALREADY means that nothing was written. A lock that ran out while rows were waited for raises
-- LOCK_LOST, so that what was written by then is undone.
CREATE FUNCTION sentra.settle_invoice(p jsonb) RETURNS jsonb
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
            UPDATE sentra.booking AS b SET state = 'ACTIVE_RENTAL', last_action = act, payment_deadline = NULL,
                last_day = (SELECT upper(o.days) - 1 - b.turnaround_days FROM sentra.occupancy AS o
                            WHERE o.booking_id = b.id AND o.active AND o.kind = 'BOOKING')
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
        state = 'PAID', paid = i.total, settled_at = moment, issued_on = (moment AT TIME ZONE local_zone)::date, locked_by = NULL, locked_until = NULL,
        lock_token = NULL, locked_at = NULL, locked_counter = NULL
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

-- Open a cash shift: one per cashier and per drawer, numbered per branch. `again`: the caller's own COMMIT may have
-- happened unseen, so that its shift is answered once more.
CREATE FUNCTION sentra.open_shift(drawer text, opening_float bigint, counter text, again boolean) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    opened sentra.shift;
    inside record;
BEGIN
    PERFORM sentra.require_role('cashier');
    IF num_nulls(drawer, opening_float, counter) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN drawer IS NULL THEN 'drawer' WHEN opening_float IS NULL THEN 'float'
                                    ELSE 'counter' END, 'missing');
    END IF;
    IF NOT sentra.is_clean(drawer) THEN
        PERFORM sentra.invalid('drawer', 'not_a_drawer');
    END IF;
    drawer := sentra.single_spaced(drawer);
    IF length(drawer) > 60 THEN
        PERFORM sentra.invalid('drawer', 'not_a_drawer');
    END IF;
    IF opening_float NOT BETWEEN 0 AND 9999999999999 THEN
        PERFORM sentra.invalid('float', 'not_an_amount');
    END IF;
    PERFORM sentra.check_counter(counter);
    PERFORM 1 FROM sentra.branch AS b WHERE b.id = branch FOR NO KEY UPDATE;
    SELECT * INTO opened FROM sentra.shift AS s WHERE s.cashier = session_user AND s.closed_at IS NULL;
    IF FOUND AND again AND (opened.drawer, opened.opening_float, opened.counter)
       = (open_shift.drawer, open_shift.opening_float, open_shift.counter) THEN
        RETURN to_jsonb(opened);
    ELSIF FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', '{"reason": "my_shift"}');
    END IF;
    SELECT s.number, s.opened_at, coalesce(p.name, s.cashier) AS holder_name INTO inside
    FROM sentra.shift AS s LEFT JOIN sentra.staff AS p ON p.role_name = s.cashier
    WHERE s.branch_id = branch AND s.closed_at IS NULL
      AND lower(s.drawer COLLATE pg_c_utf8) = lower(open_shift.drawer COLLATE pg_c_utf8);
    IF FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'drawer', 'reason', 'drawer', 'drawer', drawer,
            'holder_name', inside.holder_name, 'number', inside.number, 'opened_at', inside.opened_at));
    END IF;
    INSERT INTO sentra.shift (number, branch_id, drawer, counter, opening_float)
    SELECT coalesce(max(s.number), 0) + 1, branch, open_shift.drawer, open_shift.counter, open_shift.opening_float
    FROM sentra.shift AS s WHERE s.branch_id = branch
    RETURNING * INTO opened;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (counter, branch, 'open_shift', opened.id::text,
        jsonb_build_object('number', opened.number, 'drawer', drawer, 'opening_float', opening_float));
    RETURN jsonb_build_object('id', opened.id, 'number', opened.number, 'drawer', opened.drawer,
        'opening_float', opened.opening_float, 'opened_at', opened.opened_at);
END $$;

GRANT EXECUTE ON FUNCTION sentra.take_lock(uuid, text, text), sentra.renew_lock(uuid, text, bigint, bigint),
    sentra.move_lock(uuid, text, text), sentra.release_lock(uuid, text, bigint), sentra.settle_invoice(jsonb),
    sentra.open_shift(text, bigint, text, boolean) TO {{cashier}};
