-- The till, part four: cash shifts. What a drawer should hold, cash in and out, the blind count, closing with the
-- difference explained, opening again, and the report of a shift (X while it runs, Z once it is closed).

-- What a drawer should hold: its float, cash paid in less change and refunds, credit brought and given back in cash, and
-- what was put in or taken out.
CREATE FUNCTION sentra.shift_cash(wanted uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (s.opening_float
        + (SELECT coalesce(sum(t.received), 0) FROM sentra.tender AS t JOIN sentra.payment AS p ON p.id = t.payment_id
           WHERE p.shift_id = s.id AND t.kind = 'CASH')
        - (SELECT coalesce(sum(p.change), 0) FROM sentra.payment AS p WHERE p.shift_id = s.id)
        - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r WHERE r.shift_id = s.id AND r.way = 'CASH')
        + (SELECT coalesce(sum(e.amount), 0) FROM sentra.credit_entry AS e WHERE e.shift_id = s.id AND e.way = 'CASH')
        + (SELECT coalesce(sum(m.amount), 0) FROM sentra.cash_movement AS m WHERE m.shift_id = s.id))::bigint
    FROM sentra.shift AS s WHERE s.id = wanted
$$;

-- The shift that is meant, held: the caller's own open one, or any of the branch for a manager.
CREATE FUNCTION sentra.shift_here(wanted uuid) RETURNS sentra.shift LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    found_one sentra.shift;
BEGIN
    PERFORM sentra.require_role('cashier');
    SELECT * INTO found_one FROM sentra.shift AS s
    WHERE s.branch_id = branch
      AND CASE WHEN wanted IS NULL THEN s.cashier = session_user AND s.closed_at IS NULL ELSE s.id = wanted END
    FOR UPDATE;
    IF NOT FOUND THEN
        IF wanted IS NULL THEN
            PERFORM sentra.refuse('SHIFT_NEEDED', '{"cash": true}');
        END IF;
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'shift_id', 'shift_id', wanted));
    END IF;
    IF found_one.cashier <> session_user AND NOT sentra.has_role('manager') THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "shift_id", "reason": "not_your_shift", "roles": ["manager"]}');
    END IF;
    RETURN found_one;
END $$;

CREATE FUNCTION sentra.refuse_closed(held sentra.shift, its_action text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF held.closed_at IS NOT NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'shift_id', 'shift_id', held.id,
            'reason', 'shift_closed', 'state', 'CLOSED', 'action', its_action, 'number', held.number));
    END IF;
END $$;

-- Cash put into (more than nothing) or taken out of the caller's drawer, with a reason. The same id writes once.
CREATE FUNCTION sentra.move_cash(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held  sentra.shift;
    known sentra.cash_movement;
BEGIN
    PERFORM sentra.check_fields(p, '', 'id uuid', 'amount rupiah', 'reason text 500', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    PERFORM sentra.check_reason(p ->> 'reason');
    IF (p ->> 'amount')::bigint = 0 THEN
        PERFORM sentra.invalid('amount', 'not_an_amount');
    END IF;
    held := sentra.shift_here(NULL);
    SELECT * INTO known FROM sentra.cash_movement AS m WHERE m.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF (known.shift_id, known.amount) <> (held.id, (p ->> 'amount')::bigint) THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN jsonb_build_object('id', known.id, 'shift_id', held.id, 'already', true);
    END IF;
    IF (p ->> 'amount')::bigint < 0 AND sentra.shift_cash(held.id) + (p ->> 'amount')::bigint < 0 THEN
        PERFORM sentra.invalid('amount', 'over_drawer');
    END IF;
    INSERT INTO sentra.cash_movement (id, branch_id, shift_id, amount, reason, counter)
    VALUES ((p ->> 'id')::uuid, held.branch_id, held.id, (p ->> 'amount')::bigint, p ->> 'reason', p ->> 'counter');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', held.branch_id, 'move_cash', held.id::text,
        jsonb_build_object('amount', (p ->> 'amount')::bigint, 'reason', p ->> 'reason'));
    RETURN jsonb_build_object('id', p ->> 'id', 'shift_id', held.id, 'already', false);
END $$;

-- What a count says to its cashier, once it is locked in.
CREATE FUNCTION sentra.told_count(c sentra.shift_count) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', c.id, 'shift_id', c.shift_id, 'n', c.n, 'counted', c.counted, 'expected', c.expected,
        'difference', c.counted - c.expected, 'limit', sentra.till_limit(c.branch_id, 'shift_difference_limit', 20000),
        'may_recount', c.n < 2, 'edc_slips', c.edc_slips, 'edc_total', c.edc_total,
        'edc_expected_slips', (SELECT count(*) FROM sentra.tender AS t JOIN sentra.payment AS p ON p.id = t.payment_id
                               WHERE p.shift_id = c.shift_id AND t.kind = 'EDC'),
        'edc_expected', (SELECT coalesce(sum(t.amount), 0) FROM sentra.tender AS t
                         JOIN sentra.payment AS p ON p.id = t.payment_id WHERE p.shift_id = c.shift_id AND t.kind = 'EDC'))
$$;

-- Lock in a blind count of the drawer by notes and coins, and only then say what it should hold. A recount once; when money
-- moved since the last count, always.
CREATE FUNCTION sentra.count_shift(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.shift;
    known   sentra.shift_count;
    last    sentra.shift_count;
    made    sentra.shift_count;
    should  bigint;
    counted numeric;
BEGIN
    PERFORM sentra.check_fields(p, '', 'id uuid', 'shift_id uuid?', 'pieces object', 'edc_slips number', 'edc_total rupiah',
        'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF EXISTS (SELECT FROM jsonb_each(p -> 'pieces') AS e
               WHERE e.key NOT IN ('100000', '75000', '50000', '20000', '10000', '5000', '2000', '1000', '500', '200', '100', '50')
                  OR (e.value::text ~ '^[0-9]{1,6}$') IS NOT TRUE) THEN
        PERFORM sentra.invalid('pieces', 'not_pieces');
    END IF;
    IF (p ->> 'edc_slips')::integer < 0 THEN
        PERFORM sentra.invalid('edc_slips', 'not_a_number');
    END IF;
    IF (p ->> 'edc_total')::bigint < 0 THEN
        PERFORM sentra.invalid('edc_total', 'not_an_amount');
    END IF;
    held := sentra.shift_here((p ->> 'shift_id')::uuid);
    SELECT * INTO known FROM sentra.shift_count AS c WHERE c.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF known.shift_id <> held.id THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN sentra.told_count(known);
    END IF;
    PERFORM sentra.refuse_closed(held, 'count_shift');
    should := sentra.shift_cash(held.id);
    SELECT * INTO last FROM sentra.shift_count AS c WHERE c.shift_id = held.id AND c.round = held.round
    ORDER BY c.n DESC LIMIT 1;
    IF last.n >= 2 AND last.expected = should THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'pieces', 'reason', 'counted_twice',
            'state', 'COUNTED', 'action', 'count_shift', 'number', held.number));
    END IF;
    SELECT coalesce(sum(e.key::bigint * e.value::text::bigint), 0) INTO counted FROM jsonb_each(p -> 'pieces') AS e;
    INSERT INTO sentra.shift_count (id, branch_id, shift_id, round, n, pieces, counted, expected, edc_slips, edc_total, counter)
    VALUES ((p ->> 'id')::uuid, held.branch_id, held.id, held.round, coalesce(last.n, 0) + 1, p -> 'pieces', counted, should,
        (p ->> 'edc_slips')::integer, (p ->> 'edc_total')::bigint, p ->> 'counter')
    RETURNING * INTO STRICT made;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', held.branch_id, 'count_shift', held.id::text, jsonb_build_object('n', made.n,
        'counted', made.counted, 'expected', made.expected));
    RETURN sentra.told_count(made);
END $$;

-- Close a shift by its last count. A difference needs a reason, beyond the branch's limit a manager's word too. `again`: the
-- caller's own COMMIT may have happened unseen.
CREATE FUNCTION sentra.close_shift(p jsonb, again boolean) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held sentra.shift;
    last sentra.shift_count;
    word uuid;
    gap  bigint;
    held_locks jsonb;
BEGIN
    PERFORM sentra.check_fields(p, '', 'shift_id uuid', 'reason text? 500', 'approval_id uuid?', 'drafts array',
        'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF jsonb_array_length(p -> 'drafts') > 50 OR EXISTS (
        SELECT FROM jsonb_array_elements(p -> 'drafts') AS d (said)
        WHERE (jsonb_typeof(d.said) = 'string' AND length(d.said #>> '{}') <= 100 AND sentra.is_clean(d.said #>> '{}'))
              IS NOT TRUE) THEN
        PERFORM sentra.invalid('drafts', 'not_a_text');
    END IF;
    held := sentra.shift_here((p ->> 'shift_id')::uuid);
    IF held.closed_at IS NOT NULL AND again AND held.closed_by = session_user THEN
        RETURN jsonb_build_object('shift_id', held.id, 'number', held.number);
    END IF;
    PERFORM sentra.refuse_closed(held, 'close_shift');
    SELECT * INTO last FROM sentra.shift_count AS c WHERE c.shift_id = held.id AND c.round = held.round
    ORDER BY c.n DESC LIMIT 1;
    IF last.id IS NULL OR last.expected <> sentra.shift_cash(held.id) THEN
        PERFORM sentra.invalid('pieces', CASE WHEN last.id IS NULL THEN 'missing' ELSE 'counted_before' END);
    END IF;
    gap := last.counted - last.expected;
    IF gap <> 0 OR p ->> 'reason' IS NOT NULL THEN
        PERFORM sentra.check_reason(p ->> 'reason');
    END IF;
    IF abs(gap) > sentra.till_limit(held.branch_id, 'shift_difference_limit', 20000) THEN
        word := sentra.need_word((p ->> 'approval_id')::uuid, 'close_shift', held.id, abs(gap));
    END IF;
    SELECT coalesce(jsonb_agg(i.id ORDER BY i.locked_at, i.id), '[]') INTO held_locks FROM sentra.invoice AS i
    WHERE i.branch_id = held.branch_id AND i.locked_by = held.cashier AND i.state = 'OPEN' AND i.locked_until > sentra.now();
    UPDATE sentra.shift AS s SET closed_at = sentra.now(), closed_by = session_user, counted = last.counted,
        expected = last.expected, close_reason = coalesce(p ->> 'reason', ''), approval_id = word,
        closing = jsonb_build_object('drafts', p -> 'drafts', 'open_locks', held_locks)
    WHERE s.id = held.id;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', held.branch_id, 'close_shift', held.id::text, jsonb_strip_nulls(jsonb_build_object(
        'number', held.number, 'counted', last.counted, 'expected', last.expected, 'difference', gap,
        'reason', p ->> 'reason')));
    RETURN jsonb_build_object('shift_id', held.id, 'number', held.number);
END $$;

-- Open a closed shift again, to be counted and closed once more. A manager's, or with a manager's word.
CREATE FUNCTION sentra.reopen_shift(p jsonb, again boolean) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held sentra.shift;
BEGIN
    PERFORM sentra.check_fields(p, '', 'shift_id uuid', 'reason text 500', 'approval_id uuid?', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    PERFORM sentra.check_reason(p ->> 'reason');
    PERFORM 1 FROM sentra.branch AS b WHERE b.id = sentra.require_branch() FOR NO KEY UPDATE;  -- as `open_shift` does
    held := sentra.shift_here((p ->> 'shift_id')::uuid);
    IF held.closed_at IS NULL THEN
        IF again AND held.round > 1 THEN
            RETURN jsonb_build_object('shift_id', held.id, 'number', held.number);
        END IF;
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'shift_id', 'shift_id', held.id,
            'reason', 'shift_open', 'state', 'OPEN', 'action', 'reopen_shift', 'number', held.number));
    END IF;
    IF EXISTS (SELECT FROM sentra.shift AS s WHERE s.closed_at IS NULL AND (s.cashier = held.cashier
               OR (s.branch_id = held.branch_id AND lower(s.drawer COLLATE pg_c_utf8) = lower(held.drawer COLLATE pg_c_utf8)))) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "shift_id", "reason": "my_shift"}');
    END IF;
    PERFORM sentra.need_word((p ->> 'approval_id')::uuid, 'reopen_shift', held.id, NULL);
    UPDATE sentra.shift AS s SET closed_at = NULL, closed_by = NULL, counted = NULL, expected = NULL, close_reason = '',
        approval_id = NULL, closing = NULL, round = s.round + 1
    WHERE s.id = held.id;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', held.branch_id, 'reopen_shift', held.id::text, jsonb_build_object('counted', held.counted,
        'expected', held.expected, 'closed_at', held.closed_at), jsonb_build_object('reason', p ->> 'reason'));
    RETURN jsonb_build_object('shift_id', held.id, 'number', held.number);
END $$;
GRANT EXECUTE ON FUNCTION sentra.move_cash(jsonb), sentra.count_shift(jsonb), sentra.close_shift(jsonb, boolean),
    sentra.reopen_shift(jsonb, boolean) TO {{cashier}};

-- Everything of one shift in one snapshot. What the drawer should hold is told to its cashier only once it was counted,
-- to a manager always. Null for a shift that the caller may not see.
CREATE FUNCTION sentra.shift_report(wanted uuid) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    held   sentra.shift;
    zone   text;
    blind  boolean;
BEGIN
    PERFORM sentra.require_role('cashier');
    SELECT * INTO held FROM sentra.shift AS s WHERE s.branch_id = branch
      AND CASE WHEN wanted IS NULL THEN s.cashier = session_user AND s.closed_at IS NULL ELSE s.id = wanted END;
    IF NOT FOUND OR (held.cashier <> session_user AND NOT sentra.has_role('manager')) THEN
        RETURN NULL;
    END IF;
    SELECT b.zone INTO STRICT zone FROM sentra.branch AS b WHERE b.id = branch;
    blind := NOT sentra.has_role('manager') AND held.closed_at IS NULL AND NOT EXISTS (
        SELECT FROM sentra.shift_count AS c WHERE c.shift_id = held.id AND c.round = held.round);
    RETURN jsonb_build_object('id', held.id, 'number', held.number, 'drawer', held.drawer, 'counter', held.counter,
        'cashier_name', (SELECT coalesce(min(s.name), held.cashier) FROM sentra.staff AS s WHERE s.role_name = held.cashier),
        'opening_float', held.opening_float, 'opened_at', held.opened_at, 'belongs_to', (held.opened_at AT TIME ZONE zone)::date,
        'closed_at', held.closed_at, 'counted', held.counted,
        'closed_by_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = held.closed_by),
        'close_reason', held.close_reason, 'closing', held.closing, 'round', held.round,
        'expected', CASE WHEN NOT blind THEN coalesce(held.expected, sentra.shift_cash(held.id)) END,
        'payments', (SELECT count(*) FROM sentra.payment AS p WHERE p.shift_id = held.id),
        'change', (SELECT coalesce(sum(p.change), 0) FROM sentra.payment AS p WHERE p.shift_id = held.id),
        'credited', (SELECT coalesce(sum(p.credited), 0) FROM sentra.payment AS p WHERE p.shift_id = held.id),
        'first_number', (SELECT min(i.number) FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id
                         WHERE p.shift_id = held.id),
        'last_number', (SELECT max(i.number) FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id
                        WHERE p.shift_id = held.id),
        'tenders', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', x.kind, 'count', x.often, 'amount', x.amount)
                        ORDER BY x.kind), '[]')
                    FROM (SELECT t.kind, count(*) AS often, sum(t.amount) AS amount FROM sentra.tender AS t
                          JOIN sentra.payment AS p ON p.id = t.payment_id WHERE p.shift_id = held.id GROUP BY t.kind) AS x),
        'refunds', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', x.way, 'count', x.often, 'amount', x.amount)
                        ORDER BY x.way), '[]')
                    FROM (SELECT r.way, count(*) AS often, sum(r.amount) AS amount FROM sentra.refund AS r
                          WHERE r.shift_id = held.id GROUP BY r.way) AS x),
        'credits', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', x.way, 'count', x.often, 'amount', x.amount)
                        ORDER BY x.way), '[]')
                    FROM (SELECT e.way, count(*) AS often, sum(e.amount) AS amount FROM sentra.credit_entry AS e
                          WHERE e.shift_id = held.id AND e.way IS NOT NULL GROUP BY e.way) AS x),
        'movements', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'amount', m.amount, 'reason', m.reason,
                          'made_at', m.made_at) ORDER BY m.made_at, m.id), '[]')
                      FROM sentra.cash_movement AS m WHERE m.shift_id = held.id),
        'counts', (SELECT coalesce(jsonb_agg(jsonb_build_object('round', c.round, 'n', c.n, 'pieces', c.pieces,
                       'counted', c.counted, 'expected', c.expected, 'edc_slips', c.edc_slips, 'edc_total', c.edc_total,
                       'counted_at', c.counted_at) ORDER BY c.round, c.n), '[]')
                   FROM sentra.shift_count AS c WHERE c.shift_id = held.id),
        'open_locks', (SELECT coalesce(jsonb_agg(i.id ORDER BY i.locked_at, i.id), '[]') FROM sentra.invoice AS i
                       WHERE held.closed_at IS NULL AND i.branch_id = branch AND i.locked_by = held.cashier
                         AND i.state = 'OPEN' AND i.locked_until > sentra.now()),
        'now', sentra.now());
END $$;
GRANT EXECUTE ON FUNCTION sentra.shift_report(uuid) TO {{cashier}};
