-- The till, part two: settling by every way of paying in one transaction, and customer credit.

-- --- rules ----------------------------------------------------------------------------------------------------------

-- The domain's `cash_rounding`: to the nearest step, half in the customer's favour, never down to nothing.
CREATE FUNCTION sentra.cash_rounding(cash_due bigint, step bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN step <= 0 OR cash_due <= 0 THEN 0
                WHEN 2 * (cash_due % step) > step THEN step - cash_due % step
                WHEN cash_due < step THEN 0
                ELSE -(cash_due % step) END
$$;

-- The domain's `pph23`.
CREATE FUNCTION sentra.pph23(base bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT greatest(base, 0) * 2 / 100 $$;

-- How much of a deposit may pay this invoice: nothing, until returns are charged.
CREATE FUNCTION sentra.deposit_for(owed sentra.invoice) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT 0::bigint $$;

-- The caller's open shift, held so that it is not closed meanwhile; null when there is none.
CREATE FUNCTION sentra.my_shift(branch text) RETURNS uuid LANGUAGE sql AS $$
    SELECT x.id FROM sentra.shift AS x
    WHERE x.cashier = session_user AND x.branch_id = branch AND x.closed_at IS NULL FOR SHARE
$$;

-- The same where cash changes hands.
CREATE FUNCTION sentra.need_shift(branch text, way text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    mine uuid := sentra.my_shift(branch);
BEGIN
    IF way = 'CASH' AND mine IS NULL THEN
        PERFORM sentra.refuse('SHIFT_NEEDED', '{"cash": true}');
    END IF;
    RETURN mine;
END $$;

-- Use a manager's word, unless a manager is asking: the approval's id then, else null.
CREATE FUNCTION sentra.need_word(word uuid, its_action text, its_object uuid, its_amount bigint) RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
    IF sentra.has_role('manager') THEN
        RETURN NULL;
    END IF;
    PERFORM sentra.use_approval(word, its_action, its_object::text, its_amount);
    RETURN word;
END $$;

-- Move a customer's credit and write why; what is left. Refuses `over_credit` when there is not so much.
CREATE FUNCTION sentra.move_credit(entry sentra.credit_entry, field text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    left_over bigint;
BEGIN
    INSERT INTO sentra.credit_account (branch_id, customer_id, balance) VALUES (entry.branch_id, entry.customer_id, 0)
    ON CONFLICT DO NOTHING;
    SELECT a.balance + entry.amount INTO STRICT left_over FROM sentra.credit_account AS a
    WHERE a.branch_id = entry.branch_id AND a.customer_id = entry.customer_id FOR NO KEY UPDATE;
    IF left_over < 0 THEN
        PERFORM sentra.invalid(field, 'over_credit', jsonb_build_object('balance', left_over - entry.amount,
            'given', -entry.amount));
    END IF;
    IF left_over > 9999999999999 THEN
        PERFORM sentra.invalid(field, 'too_large');
    END IF;
    UPDATE sentra.credit_account AS a SET balance = left_over
    WHERE a.branch_id = entry.branch_id AND a.customer_id = entry.customer_id;
    INSERT INTO sentra.credit_entry (id, branch_id, customer_id, kind, amount, way, reference, bank, reason, invoice_id,
        payment_id, refund_id, attempt_id, shift_id, counter)
    VALUES (coalesce(entry.id, gen_random_uuid()), entry.branch_id, entry.customer_id, entry.kind, entry.amount, entry.way,
        entry.reference, entry.bank, coalesce(entry.reason, ''), entry.invoice_id, entry.payment_id, entry.refund_id,
        entry.attempt_id, entry.shift_id, entry.counter);
    RETURN left_over;
END $$;

-- --- settling -------------------------------------------------------------------------------------------------------

-- Refuse a text that nobody could read; null is none.
CREATE FUNCTION sentra.check_said(said text, field text, reason text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT sentra.is_clean(said) THEN
        PERFORM sentra.invalid(field, CASE reason WHEN 'not_a_reference' THEN 'not_a_reference' ELSE 'not_a_text' END);
    END IF;
END $$;

-- Whether a text is the number of a bank's or a terminal's slip, as the domain has it.
CREATE FUNCTION sentra.is_reference(said text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
$$ SELECT coalesce(said ~ '^[A-Za-z0-9][A-Za-z0-9 ./-]{3,59}$', false) $$;

-- Refuse a tender that does not say what its way of paying must say: the domain's `check_tender`.
CREATE FUNCTION sentra.check_tender(tender jsonb, place text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM sentra.check_fields(tender, place, 'kind text 20', 'amount rupiah', 'received rupiah', 'reference text? 100',
        'bank text? 100', 'last4 text? 4', 'approval_code text? 6', 'sender text? 100', 'paid_on day?', 'approval_id uuid?');
    IF tender ->> 'kind' NOT IN ('CASH', 'EDC', 'QRIS', 'TRANSFER', 'CREDIT', 'PPH23', 'RECEIVABLE', 'DEPOSIT') THEN
        PERFORM sentra.refuse('FIELD_INVALID', jsonb_build_object('field', 'tenders.kind', 'reason', 'not_offered',
            'given', tender ->> 'kind'));
    END IF;
    PERFORM sentra.check_said(tender ->> 'reference', place || 'reference', 'not_a_reference');
    PERFORM sentra.check_said(tender ->> 'bank', place || 'bank', 'not_a_text');
    PERFORM sentra.check_said(tender ->> 'sender', place || 'sender', 'not_a_text');
    IF NOT sentra.is_reference(tender ->> 'reference') AND (tender ->> 'kind' IN ('QRIS', 'TRANSFER')
       OR (tender ->> 'kind' = 'PPH23' AND tender ->> 'reference' IS NOT NULL)) THEN
        PERFORM sentra.invalid(place || 'reference', 'not_a_reference');
    END IF;
    IF tender ->> 'kind' = 'EDC' THEN
        IF tender ->> 'bank' IS NULL THEN
            PERFORM sentra.invalid(place || 'bank', 'empty');
        END IF;
        IF (tender ->> 'last4' ~ '^[0-9]{4}$') IS NOT TRUE THEN
            PERFORM sentra.invalid(place || 'last4', 'not_last4');
        END IF;
        IF (tender ->> 'approval_code' ~ '^[0-9]{6}$') IS NOT TRUE THEN
            PERFORM sentra.invalid(place || 'approval_code', 'not_an_approval_code');
        END IF;
    END IF;
END $$;

-- What a company's renter pays with besides money: PPh 23 of exactly this invoice's rent, and a debt within the company's
-- limit. The company of the invoice's customer; its row is held when a debt is written.
CREATE FUNCTION sentra.check_company_tenders(owed sentra.invoice, withheld bigint, debt bigint) RETURNS sentra.company
LANGUAGE plpgsql AS $$
DECLARE
    firm   sentra.company;
    so_far bigint;
BEGIN
    SELECT f.* INTO firm FROM sentra.customer AS c JOIN sentra.company AS f ON f.id = c.company_id
    WHERE c.id = owed.customer_id;
    IF NOT FOUND THEN
        PERFORM sentra.invalid('tenders.kind', 'no_company');
    END IF;
    IF withheld > 0 AND withheld <> sentra.pph23(owed.base) THEN
        PERFORM sentra.invalid('tenders.amount', 'not_the_tax', jsonb_build_object('given', withheld,
            'due', sentra.pph23(owed.base)));
    END IF;
    IF debt > 0 THEN
        SELECT * INTO STRICT firm FROM sentra.company AS f WHERE f.id = firm.id FOR NO KEY UPDATE;
        SELECT coalesce(sum(r.amount - r.reduced), 0) INTO so_far FROM sentra.receivable AS r
        WHERE r.company_id = firm.id AND r.state IN ('OPEN', 'BILLED');
        IF so_far + debt > firm.credit_limit THEN
            PERFORM sentra.invalid('tenders.amount', 'over_limit', jsonb_build_object('limit', firm.credit_limit,
                'open', so_far, 'given', debt));
        END IF;
    END IF;
    RETURN firm;
END $$;

-- Settle an invoice in full under its lock, by any ways of paying together. Order: row lock, attempt id, guard, payment,
-- booking, number, lock columns. Anything but PAID and ALREADY means that nothing was written. A lock that ran out while
-- rows were waited for raises LOCK_LOST, so that what was written by then is undone.
CREATE OR REPLACE FUNCTION sentra.settle_invoice(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch   text := sentra.require_branch();
    wanted   uuid;
    token    text;
    epoch    bigint;
    tender   jsonb;
    line     integer;
    owed     sentra.invoice;
    before   sentra.payment;
    moment   timestamptz;
    due      bigint;
    rounding bigint := 0;
    back     bigint;
    credited bigint;
    given    record;
    shift    uuid;
    moved    record;
    blocked  jsonb;
    states   jsonb;
    firm     sentra.company;
    entry    sentra.credit_entry;
    dated    record;
    given_number text;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'attempt_id uuid', 'invoice_id uuid', 'token text 200', 'epoch epoch',
        'amount rupiah', 'change rupiah', 'counter text 60', 'tenders array', 'rounding rupiah?', 'credited rupiah?');
    PERFORM sentra.check_counter(p ->> 'counter');
    p := p || jsonb_build_object('attempt_id', lower(p ->> 'attempt_id'));  -- one attempt, however its id is written
    wanted := (p ->> 'invoice_id')::uuid;
    token := p ->> 'token';
    epoch := (p ->> 'epoch')::bigint;
    back := (p ->> 'change')::bigint;
    credited := coalesce((p ->> 'credited')::bigint, 0);
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
        PERFORM sentra.invalid('tenders', 'count', '{"least": 1, "most": 20}');
    END IF;
    FOR tender, line IN SELECT e, n - 1 FROM jsonb_array_elements(p -> 'tenders') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_tender(tender, format('tenders[%s].', line));
    END LOOP;

    SELECT coalesce(sum(t.amount), 0) AS amount, coalesce(sum(t.received - t.amount), 0) AS excess,
           coalesce(sum(t.received - t.amount) FILTER (WHERE t.kind = 'CASH'), 0) AS cash_excess,
           coalesce(sum(t.amount) FILTER (WHERE t.kind = 'CASH'), 0) AS cash,
           coalesce(bool_and(t.amount > 0 AND t.received >= t.amount
                             AND (t.received = t.amount OR t.kind IN ('CASH', 'TRANSFER'))), true) AS whole,
           coalesce(sum(t.amount) FILTER (WHERE t.kind = 'CREDIT'), 0) AS credit,
           coalesce(sum(t.amount) FILTER (WHERE t.kind = 'PPH23'), 0) AS withheld,
           min(t.reference) FILTER (WHERE t.kind = 'PPH23') AS slip,
           coalesce(sum(t.amount) FILTER (WHERE t.kind = 'RECEIVABLE'), 0) AS debt,
           coalesce(sum(t.amount) FILTER (WHERE t.kind = 'DEPOSIT'), 0) AS deposit,
           greatest(count(*) FILTER (WHERE t.kind = 'CREDIT'), count(*) FILTER (WHERE t.kind = 'PPH23'),
                    count(*) FILTER (WHERE t.kind = 'RECEIVABLE'), count(*) FILTER (WHERE t.kind = 'DEPOSIT')) AS often
    INTO given
    FROM jsonb_to_recordset(p -> 'tenders') AS t (kind text, amount bigint, received bigint, reference text);
    IF given.often > 1 THEN
        PERFORM sentra.invalid('tenders.kind', 'twice');
    END IF;
    due := owed.total - owed.paid;
    IF given.cash > 0 THEN
        SELECT sentra.cash_rounding((due - (given.amount - given.cash))::bigint, b.cash_rounding) INTO STRICT rounding
        FROM sentra.branch AS b WHERE b.id = branch;
    END IF;
    due := due + rounding;
    IF (given.amount = due AND (p ->> 'amount')::bigint = due AND coalesce((p ->> 'rounding')::bigint, 0) = rounding
        AND credited >= 0 AND given.excess = back + credited AND back BETWEEN 0 AND given.cash_excess
        AND given.whole) IS NOT TRUE THEN
        RETURN jsonb_build_object('outcome', 'AMOUNT_MISMATCH', 'due', due);
    END IF;
    IF back > 100000000 THEN  -- the domain's MAX_CHANGE: a drawer never holds more
        PERFORM sentra.invalid('tenders.amount', 'too_much', jsonb_build_object('change', back, 'most', 100000000));
    END IF;
    shift := sentra.my_shift(branch);
    IF given.cash > 0 AND shift IS NULL THEN
        RETURN jsonb_build_object('outcome', 'SHIFT_NEEDED', 'due', due);
    END IF;
    moved := sentra.lock_paid_bookings(owed);
    IF moved.act IS NOT NULL AND moved.act <> 'settle_charges' AND moved.paying IS NULL THEN
        RETURN jsonb_build_object('outcome', 'BOOKING_STATE', 'due', due);
    END IF;
    IF moved.act = 'pay' THEN
        -- Cannot happen while occupancy_no_overlap stands. Of two unpaid bookings over each other (constraint dropped)
        -- the first payer under the unit's lock wins; the second meets a paid one.
        blocked := sentra.blocking_payment(moved.paying, moved.units, branch);
        IF blocked <> '[]' THEN
            RETURN jsonb_build_object('outcome', 'DAYS_TAKEN', 'blockers', blocked, 'due', due);
        END IF;
    END IF;

    -- From here on a "no" is raised, so that nothing of it stays.
    IF given.deposit > 0 AND given.deposit > sentra.deposit_for(owed) THEN
        PERFORM sentra.invalid('tenders.amount', 'over_deposit', jsonb_build_object('given', given.deposit,
            'left', sentra.deposit_for(owed)));
    END IF;
    IF given.withheld > 0 OR given.debt > 0 THEN
        firm := sentra.check_company_tenders(owed, given.withheld::bigint, given.debt::bigint);
    END IF;
    FOR tender IN SELECT e FROM jsonb_array_elements(p -> 'tenders') AS x (e)
                  WHERE e ->> 'kind' IN ('QRIS', 'RECEIVABLE') LOOP
        PERFORM sentra.need_word((tender ->> 'approval_id')::uuid,
            CASE tender ->> 'kind' WHEN 'QRIS' THEN 'qris_by_hand' ELSE 'receivable' END, wanted,
            (tender ->> 'amount')::bigint);
    END LOOP;
    IF rounding <> 0 THEN
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, kind, text, quantity, unit_price, amount, taxable)
        SELECT wanted, max(l.line_no) + 1, branch, 'ROUNDING', 'Pembulatan tunai', 1, rounding, rounding, false
        FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted;
        UPDATE sentra.invoice AS i SET total = i.total + rounding WHERE i.id = wanted;
    END IF;

    INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, change, credited, attempt_id, lock_epoch, paid_at, counter,
        shift_id)
    VALUES ((p ->> 'id')::uuid, wanted, branch, due, back, credited, p ->> 'attempt_id', epoch, moment, p ->> 'counter',
        shift)
    ON CONFLICT DO NOTHING;  -- the same attempt at this moment on another invoice: its COMMIT was waited for
    IF NOT FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', CASE WHEN EXISTS (
            SELECT FROM sentra.payment AS x WHERE x.attempt_id = p ->> 'attempt_id') THEN 'attempt_id' ELSE 'id' END));
    END IF;
    INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received, reference, bank, last4, approval_code,
        sender, paid_on, approval_id)
    SELECT (p ->> 'id')::uuid, e.line, branch, t.kind, t.amount, t.received, t.reference, t.bank, t.last4, t.approval_code,
           t.sender, t.paid_on,
           CASE WHEN t.kind IN ('QRIS', 'RECEIVABLE') AND NOT sentra.has_role('manager') THEN t.approval_id END
    FROM jsonb_array_elements(p -> 'tenders') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS t (kind text, amount bigint, received bigint, reference text, bank text,
        last4 text, approval_code text, sender text, paid_on date, approval_id uuid);
    states := sentra.move_paid_bookings(moved.act, moved.paying, moment);
    IF moved.units IS NOT NULL THEN
        PERFORM sentra.project_later(branch, moved.units);
    END IF;

    entry.branch_id := branch;
    entry.customer_id := owed.customer_id;
    entry.invoice_id := wanted;
    entry.payment_id := (p ->> 'id')::uuid;
    entry.counter := p ->> 'counter';
    IF given.credit > 0 THEN
        entry.kind := 'USED';
        entry.amount := -given.credit;
        PERFORM sentra.move_credit(entry, 'tenders.amount');
    END IF;
    IF credited > 0 THEN
        entry.kind := 'OVERPAID';
        entry.amount := credited;
        PERFORM sentra.move_credit(entry, 'tenders.amount');
    END IF;
    IF given.withheld > 0 THEN
        INSERT INTO sentra.withholding (branch_id, company_id, invoice_id, amount, slip_number, noted_at, noted_by, created_at)
        VALUES (branch, firm.id, wanted, given.withheld, given.slip, CASE WHEN given.slip IS NOT NULL THEN moment END,
            CASE WHEN given.slip IS NOT NULL THEN session_user END, moment);
    END IF;
    IF given.debt > 0 THEN
        INSERT INTO sentra.receivable (branch_id, company_id, invoice_id, payment_id, amount, due_on, created_at)
        SELECT branch, firm.id, wanted, (p ->> 'id')::uuid, given.debt,
               (moment AT TIME ZONE b.zone)::date + firm.due_days, moment
        FROM sentra.branch AS b WHERE b.id = branch;
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'settle', wanted::text, jsonb_build_object('state', owed.state, 'paid', owed.paid),
        jsonb_build_object('state', 'PAID', 'paid', owed.total + rounding, 'payment_id', p ->> 'id', 'lock_epoch', epoch));

    -- Last, because it holds the branch's counter to COMMIT: number and date from the one clock reading above.
    dated := sentra.draw_invoice_number(branch, moment);
    -- The guard once more after every wait. A statement of its own: its clock reading is later than all of them.
    UPDATE sentra.invoice AS i
    SET number = dated.number, state = 'PAID', paid = i.total, settled_at = moment, issued_on = dated.issued_on,
        locked_by = NULL, locked_until = NULL, lock_token = NULL, locked_at = NULL, locked_counter = NULL
    WHERE i.id = wanted AND i.lock_token = token AND i.lock_epoch = epoch AND i.locked_by = session_user
      AND i.locked_until > sentra.now()
    RETURNING i.number INTO given_number;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('LOCK_LOST', jsonb_build_object('invoice_id', wanted));
    END IF;
    RETURN jsonb_build_object('outcome', 'PAID', 'payment_id', p ->> 'id', 'number', given_number, 'change', back,
        'paid_at', moment, 'booking_states', states, 'due', due);
END $$;

-- --- customer credit ------------------------------------------------------------------------------------------------

-- Take or give back money that settles nothing: RECEIVED (a transfer that came early, C-62) or PAID_OUT (a manager's word).
-- One attempt id is one entry, however often it is sent.
CREATE FUNCTION sentra.write_credit(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    entry  sentra.credit_entry;
    known  sentra.credit_entry;
    balance bigint;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'attempt_id uuid', 'customer_id uuid', 'kind text 20', 'way text 20',
        'amount rupiah', 'reference text? 100', 'bank text? 100', 'reason text? 500', 'invoice_id uuid?', 'approval_id uuid?',
        'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'kind' NOT IN ('RECEIVED', 'PAID_OUT') THEN
        PERFORM sentra.invalid('kind', 'not_offered');
    END IF;
    IF p ->> 'way' NOT IN ('CASH', 'EDC', 'QRIS', 'TRANSFER') OR (p ->> 'kind' = 'PAID_OUT'
       AND p ->> 'way' NOT IN ('CASH', 'TRANSFER')) THEN
        PERFORM sentra.invalid('way', 'not_offered');
    END IF;
    IF (p ->> 'amount')::bigint <= 0 THEN
        PERFORM sentra.invalid('amount', 'not_an_amount');
    END IF;
    PERFORM sentra.check_said(p ->> 'reference', 'reference', 'not_a_reference');
    PERFORM sentra.check_said(p ->> 'bank', 'bank', 'not_a_text');
    IF p ->> 'way' <> 'CASH' AND NOT sentra.is_reference(p ->> 'reference') THEN
        PERFORM sentra.invalid('reference', 'not_a_reference');
    END IF;
    IF p ->> 'reason' IS NOT NULL OR p ->> 'kind' = 'PAID_OUT' THEN
        PERFORM sentra.check_reason(p ->> 'reason');
    END IF;
    PERFORM FROM sentra.customer AS c WHERE c.id = (p ->> 'customer_id')::uuid;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer_id', 'customer_id', p ->> 'customer_id'));
    END IF;
    IF p ->> 'invoice_id' IS NOT NULL AND NOT EXISTS (
        SELECT FROM sentra.invoice AS i WHERE i.id = (p ->> 'invoice_id')::uuid AND i.branch_id = branch
          AND i.customer_id = (p ->> 'customer_id')::uuid) THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'invoice_id', 'invoice_id', p ->> 'invoice_id'));
    END IF;
    entry.shift_id := sentra.need_shift(branch, p ->> 'way');
    -- The account first: a retry whose COMMIT answer was lost waits for it and finds its entry.
    INSERT INTO sentra.credit_account (branch_id, customer_id, balance) VALUES (branch, (p ->> 'customer_id')::uuid, 0)
    ON CONFLICT DO NOTHING;
    PERFORM FROM sentra.credit_account AS a
    WHERE a.branch_id = branch AND a.customer_id = (p ->> 'customer_id')::uuid FOR NO KEY UPDATE;
    SELECT * INTO known FROM sentra.credit_entry AS e WHERE e.attempt_id = lower(p ->> 'attempt_id');
    IF FOUND THEN
        IF (known.branch_id, known.customer_id, known.kind, abs(known.amount)) IS DISTINCT FROM
           (branch, (p ->> 'customer_id')::uuid, p ->> 'kind', (p ->> 'amount')::bigint) THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "attempt_id"}');
        END IF;
        SELECT a.balance INTO balance FROM sentra.credit_account AS a
        WHERE a.branch_id = branch AND a.customer_id = known.customer_id;
        RETURN jsonb_build_object('entry_id', known.id, 'balance', balance, 'already', true);
    END IF;
    entry.id := gen_random_uuid();
    entry.branch_id := branch;
    entry.customer_id := (p ->> 'customer_id')::uuid;
    entry.kind := p ->> 'kind';
    entry.amount := CASE p ->> 'kind' WHEN 'RECEIVED' THEN 1 ELSE -1 END * (p ->> 'amount')::bigint;
    entry.way := p ->> 'way';
    entry.reference := p ->> 'reference';
    entry.bank := p ->> 'bank';
    entry.reason := p ->> 'reason';
    entry.invoice_id := (p ->> 'invoice_id')::uuid;
    entry.attempt_id := lower(p ->> 'attempt_id');
    entry.counter := p ->> 'counter';
    balance := sentra.move_credit(entry, 'amount');
    IF p ->> 'kind' = 'PAID_OUT' THEN
        PERFORM sentra.need_word((p ->> 'approval_id')::uuid, 'pay_out_credit', entry.customer_id, -entry.amount);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', branch, 'credit', entry.customer_id::text, jsonb_strip_nulls(jsonb_build_object(
        'kind', entry.kind, 'amount', entry.amount, 'way', entry.way, 'reference', entry.reference, 'balance', balance)));
    RETURN jsonb_build_object('entry_id', entry.id, 'balance', balance, 'already', false);
END $$;
GRANT EXECUTE ON FUNCTION sentra.write_credit(jsonb) TO {{cashier}};
