-- The till, part three: refunds that are due are paid out, settled invoices are voided, companies' debts are billed and paid.

-- --- refunds --------------------------------------------------------------------------------------------------------

-- What of a payment may go back by this way: what came in by it, less what went back by it. What came by QRIS or through
-- the gateway goes back by transfer.
CREATE FUNCTION sentra.came_by(invoice uuid, its_way text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (SELECT coalesce(sum(t.amount), 0) FROM sentra.tender AS t JOIN sentra.payment AS p ON p.id = t.payment_id
            WHERE p.invoice_id = invoice
              AND CASE its_way WHEN 'TRANSFER' THEN t.kind IN ('TRANSFER', 'QRIS', 'GATEWAY') ELSE t.kind = its_way END)::bigint
         - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r
            WHERE r.invoice_id = invoice AND r.state = 'DONE' AND r.way = its_way)::bigint
$$;

-- Whether a cashier pays this refund out alone: a deposit, by the way it was paid; one paid by card also by transfer, up
-- to the branch's limit. Everything else is a manager's.
CREATE FUNCTION sentra.is_cashiers_refund(due sentra.refund, its_way text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT due.kind = 'DEPOSIT' AND (sentra.came_by(due.invoice_id, its_way) >= due.amount
        OR (its_way = 'TRANSFER' AND sentra.came_by(due.invoice_id, 'EDC') >= due.amount
            AND due.amount <= sentra.till_limit(due.branch_id, 'edc_refund_limit', 2000000)))
$$;

CREATE FUNCTION sentra.told_refund(done sentra.refund, already boolean) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('refund_id', done.id, 'number', done.number, 'invoice_id', done.invoice_id,
        'amount', done.amount, 'way', done.way, 'done_at', done.done_at, 'already', already)
$$;

-- Lower what a company owes for an invoice that it has not paid: a refund of money that never came.
CREATE FUNCTION sentra.lower_receivable(invoice uuid, part bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    debt sentra.receivable;
BEGIN
    SELECT * INTO debt FROM sentra.receivable AS r WHERE r.invoice_id = invoice FOR NO KEY UPDATE;
    IF NOT FOUND OR debt.state <> 'OPEN' OR debt.amount - debt.reduced < part THEN
        PERFORM sentra.invalid('way', 'no_open_debt', jsonb_build_object('given', part,
            'open', CASE debt.state WHEN 'OPEN' THEN debt.amount - debt.reduced ELSE 0 END));
    END IF;
    UPDATE sentra.receivable AS r SET reduced = r.reduced + part,
        state = CASE WHEN r.reduced + part = r.amount THEN 'DROPPED' ELSE 'OPEN' END
    WHERE r.id = debt.id;
END $$;

-- Pay out a refund that is due, once: by cash out of the open shift, a card's reversal, a transfer, as credit, or off a
-- company's debt. A deposit by the way it was paid is the cashier's; everything else needs a manager's word and a reason.
CREATE FUNCTION sentra.pay_out_refund(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    attempt text;
    its_way text;
    due     sentra.refund;
    owed    sentra.invoice;
    moment  timestamptz;
    shift   uuid;
    word    uuid;
    first   uuid;
    entry   sentra.credit_entry;
    dated   record;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'refund_id uuid', 'attempt_id uuid', 'way text 20', 'reference text? 100',
        'bank text? 100', 'reason text? 500', 'approval_id uuid?', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    wanted := (p ->> 'refund_id')::uuid;
    attempt := lower(p ->> 'attempt_id');
    its_way := p ->> 'way';
    IF its_way NOT IN ('CASH', 'EDC', 'TRANSFER', 'CREDIT', 'RECEIVABLE') THEN
        PERFORM sentra.invalid('way', 'not_offered');
    END IF;
    PERFORM sentra.check_said(p ->> 'bank', 'bank', 'not_a_text');
    IF its_way IN ('EDC', 'TRANSFER') AND NOT sentra.is_reference(p ->> 'reference') THEN
        PERFORM sentra.invalid('reference', 'not_a_reference');
    END IF;
    PERFORM sentra.check_said(p ->> 'reference', 'reference', 'not_a_reference');
    SELECT * INTO due FROM sentra.refund AS r WHERE r.id = wanted AND r.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'refund_id', 'refund_id', wanted));
    END IF;
    SELECT * INTO STRICT owed FROM sentra.invoice AS i WHERE i.id = due.invoice_id FOR NO KEY UPDATE;
    SELECT * INTO STRICT due FROM sentra.refund AS r WHERE r.id = wanted FOR NO KEY UPDATE;
    IF due.state = 'DONE' THEN
        IF due.attempt_id = attempt THEN
            RETURN sentra.told_refund(due, true);
        END IF;
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'refund_id', 'reason', 'paid_out',
            'number', due.number, 'done_at', due.done_at,
            'holder_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = due.done_by)));
    END IF;
    IF due.state <> 'DUE' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'refund_id', 'refund_id', wanted,
            'state', due.state, 'action', 'refund_pay_out'));
    END IF;
    IF EXISTS (SELECT FROM sentra.refund AS r WHERE r.attempt_id = attempt) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "attempt_id"}');
    END IF;
    IF due.kind = 'RESCHEDULE' THEN  -- in their order: `refund_in_turn` holds it whoever writes
        SELECT r.id INTO first FROM sentra.refund AS r
        WHERE r.invoice_id = due.invoice_id AND r.kind = 'RESCHEDULE' AND r.state = 'DUE' AND r.booking_id < due.booking_id
        ORDER BY r.booking_id LIMIT 1;
        IF FOUND THEN
            PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'refund_id', 'refund_id', wanted,
                'reason', 'out_of_turn', 'first', first, 'state', due.state, 'action', 'refund_pay_out'));
        END IF;
    END IF;
    moment := sentra.now();
    shift := sentra.need_shift(branch, its_way);
    IF NOT sentra.is_cashiers_refund(due, its_way) THEN
        PERFORM sentra.check_reason(p ->> 'reason');
        word := sentra.need_word((p ->> 'approval_id')::uuid, 'refund_pay_out', wanted, due.amount);
    ELSIF p ->> 'reason' IS NOT NULL THEN
        PERFORM sentra.check_reason(p ->> 'reason');
    END IF;
    IF its_way = 'RECEIVABLE' THEN
        PERFORM sentra.lower_receivable(due.invoice_id, due.amount);
    ELSIF its_way = 'CREDIT' THEN
        entry.branch_id := branch;
        entry.customer_id := owed.customer_id;
        entry.kind := 'REFUNDED';
        entry.amount := due.amount;
        entry.invoice_id := owed.id;
        entry.refund_id := wanted;
        entry.counter := p ->> 'counter';
        PERFORM sentra.move_credit(entry, 'amount');
    END IF;
    dated := sentra.draw_paper_number(branch, 'REF', moment);
    UPDATE sentra.refund AS r SET state = 'DONE', done_at = moment, done_by = session_user, way = its_way,
        reference = p ->> 'reference', bank = p ->> 'bank', attempt_id = attempt, approval_id = word, shift_id = shift,
        done_reason = coalesce(p ->> 'reason', ''), number = dated.number
    WHERE r.id = wanted RETURNING * INTO STRICT due;
    UPDATE sentra.invoice AS i SET paid = i.paid - due.amount WHERE i.id = due.invoice_id;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'refund_pay_out', wanted::text, '{"refund": "DUE"}', jsonb_strip_nulls(jsonb_build_object(
        'refund', 'DONE', 'amount', due.amount, 'way', its_way, 'number', due.number, 'reference', due.reference,
        'reason', nullif(due.done_reason, ''), 'invoice_id', due.invoice_id)));
    RETURN sentra.told_refund(due, false);
END $$;
GRANT EXECUTE ON FUNCTION sentra.pay_out_refund(jsonb) TO {{cashier}};

-- --- voiding --------------------------------------------------------------------------------------------------------

-- Void a settled invoice: it keeps its number, and what was paid and is not given back yet is due to be. While its
-- bookings go on it is replaced by an open one with the same lines, that asks once more; without that it is refused.
-- A manager's, or with a manager's word. `again`: the caller's own COMMIT may have happened unseen.
CREATE FUNCTION sentra.void_settled(p jsonb, again boolean) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    owed    sentra.invoice;
    moment  timestamptz;
    replace boolean;
    going   boolean;
    about   boolean;
    rest    bigint;
    taxed   bigint;
    answer  jsonb;
    refund  uuid;
    made    uuid;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'invoice_id uuid', 'reason text 500', 'replace boolean', 'approval_id uuid?',
        'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    PERFORM sentra.check_reason(p ->> 'reason');
    wanted := (p ->> 'invoice_id')::uuid;
    replace := (p ->> 'replace')::boolean;
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted));
    END IF;
    IF again AND owed.state = 'VOID' THEN
        SELECT a.after INTO answer FROM sentra.audit AS a
        WHERE a.subject = wanted::text AND a.action = 'void_invoice' AND a.actor = session_user ORDER BY a.id DESC LIMIT 1;
        IF FOUND THEN
            RETURN answer;
        END IF;
    END IF;
    IF owed.state <> 'PAID' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted,
            'state', owed.state, 'action', 'void_invoice'));
    END IF;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = owed.order_id ORDER BY b.id FOR NO KEY UPDATE;
    about := owed.kind NOT IN ('FINE', 'POST_RENTAL');
    SELECT coalesce(bool_or(b.state <> 'CANCELLED'), false) INTO going FROM sentra.booking AS b
    WHERE b.id IN (SELECT l.booking_id FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active);
    IF about AND going AND NOT replace THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted,
            'reason', 'booking_goes_on', 'state', owed.state, 'action', 'void_invoice'));
    END IF;
    IF replace AND (EXISTS (SELECT FROM sentra.refund AS r WHERE r.invoice_id = wanted AND r.state <> 'VOID')
       OR (about AND NOT going)
       OR (about AND EXISTS (SELECT FROM sentra.invoice AS i WHERE i.order_id = owed.order_id AND i.state = 'OPEN'
                             AND i.kind = 'BALANCE'))) THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted,
            'reason', 'not_replaceable', 'state', owed.state, 'action', 'void_invoice'));
    END IF;
    PERFORM sentra.need_word((p ->> 'approval_id')::uuid, 'void_invoice', wanted, owed.total);
    moment := sentra.now();
    SELECT owed.total - coalesce(sum(r.amount), 0), coalesce(sum(r.taxable), 0) INTO rest, taxed
    FROM sentra.refund AS r WHERE r.invoice_id = wanted AND r.state <> 'VOID';
    IF rest > 0 THEN
        refund := gen_random_uuid();
        INSERT INTO sentra.refund (id, branch_id, invoice_id, payment_id, booking_id, amount, taxable, kind, state, reason)
        SELECT refund, branch, wanted, (SELECT x.id FROM sentra.payment AS x WHERE x.invoice_id = wanted),
               min(l.booking_id::text)::uuid, rest,
               greatest(coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) - taxed, 0), 'VOID', 'DUE', p ->> 'reason'
        FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    END IF;
    UPDATE sentra.invoice AS i SET state = 'VOID', voided_at = moment WHERE i.id = wanted;
    IF replace THEN
        made := gen_random_uuid();
        INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
        SELECT made, owed.order_id, branch, owed.customer_id, CASE WHEN about THEN 'BALANCE' ELSE owed.kind END,
               owed.base, owed.dpp, owed.ppn, coalesce(sum(l.amount), 0), owed.created_at
        FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active AND l.kind <> 'ROUNDING';
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price,
            amount, taxable)
        SELECT made, l.line_no, l.branch_id, l.booking_id, l.kind, l.text, l.quantity, l.unit_price, l.amount, l.taxable
        FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active AND l.kind <> 'ROUNDING';
    END IF;
    answer := jsonb_build_object('invoice_id', wanted, 'number', owed.number, 'refund_id', refund,
        'refund', greatest(rest, 0), 'replaced_by', made, 'state', 'VOID', 'reason', p ->> 'reason');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'void_invoice', wanted::text, jsonb_build_object('state', 'PAID', 'total', owed.total),
        answer);
    RETURN answer;
END $$;
GRANT EXECUTE ON FUNCTION sentra.void_settled(jsonb, boolean) TO {{cashier}};

-- --- what companies owe ---------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.told_collective(bill sentra.collective_invoice, already boolean) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', bill.id, 'number', bill.number, 'company_id', bill.company_id, 'month', bill.month,
        'total', bill.total, 'withheld', bill.withheld, 'state', bill.state, 'issued_on', bill.issued_on,
        'due_on', bill.due_on, 'paid_at', bill.paid_at, 'already', already,
        'invoices', (SELECT coalesce(jsonb_agg(r.invoice_id ORDER BY r.created_at, r.id), '[]')
                     FROM sentra.receivable AS r WHERE r.collective_id = bill.id))
$$;

-- Bill a company for all that it owes this branch up to the end of a month. `id` is the client's: sent again, the same bill.
CREATE FUNCTION sentra.issue_collective(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    firm   sentra.company;
    bill   sentra.collective_invoice;
    place  sentra.branch;
    moment timestamptz;
    ids    uuid[];
    sum_of bigint;
    dated  record;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'company_id uuid', 'month text 6', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'month' !~ '^20[0-9]{2}(0[1-9]|1[0-2])$' THEN
        PERFORM sentra.invalid('month', 'not_a_month');
    END IF;
    SELECT * INTO firm FROM sentra.company AS f WHERE f.id = (p ->> 'company_id')::uuid FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'company_id', 'company_id', p ->> 'company_id'));
    END IF;
    SELECT * INTO bill FROM sentra.collective_invoice AS c WHERE c.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF (bill.branch_id, bill.company_id, bill.month) <> (branch, firm.id, p ->> 'month') THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN sentra.told_collective(bill, true);
    END IF;
    SELECT * INTO STRICT place FROM sentra.branch AS b WHERE b.id = branch;
    SELECT array_agg(x.id), sum(x.amount - x.reduced) INTO ids, sum_of
    FROM (SELECT r.id, r.amount, r.reduced FROM sentra.receivable AS r
          WHERE r.company_id = firm.id AND r.branch_id = branch AND r.state = 'OPEN'
            AND to_char(r.created_at AT TIME ZONE place.zone, 'YYYYMM') <= p ->> 'month'
          ORDER BY r.id FOR NO KEY UPDATE) AS x;
    IF ids IS NULL THEN
        PERFORM sentra.invalid('month', 'nothing_owed');
    END IF;
    moment := sentra.now();
    dated := sentra.draw_paper_number(branch, 'KOL', moment);
    INSERT INTO sentra.collective_invoice (id, branch_id, company_id, month, number, total, issued_on, due_on, created_at, counter)
    VALUES ((p ->> 'id')::uuid, branch, firm.id, p ->> 'month', dated.number, sum_of, dated.issued_on,
        dated.issued_on + firm.due_days, moment, p ->> 'counter')
    RETURNING * INTO STRICT bill;
    UPDATE sentra.receivable AS r SET state = 'BILLED', collective_id = bill.id WHERE r.id = ANY (ids);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', branch, 'issue_collective', bill.id::text, jsonb_build_object('number', bill.number,
        'company_id', firm.id, 'total', bill.total, 'debts', cardinality(ids)));
    RETURN sentra.told_collective(bill, false);
END $$;

-- Record the one transfer that pays a collective invoice in full, less the PPh 23 that the company withheld of it (all of
-- it or none): of invoices that had none withheld when they were settled, 2 % of their rents.
CREATE FUNCTION sentra.pay_collective(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch   text := sentra.require_branch();
    wanted   uuid;
    bill     sentra.collective_invoice;
    held     bigint;
    kept     bigint;
    moment   timestamptz;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'attempt_id uuid', 'amount rupiah', 'withheld rupiah', 'reference text 100',
        'bank text? 100', 'sender text? 100', 'slip_number text? 60', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    wanted := (p ->> 'id')::uuid;
    kept := (p ->> 'withheld')::bigint;
    IF NOT sentra.is_reference(p ->> 'reference') THEN
        PERFORM sentra.invalid('reference', 'not_a_reference');
    END IF;
    PERFORM sentra.check_said(p ->> 'bank', 'bank', 'not_a_text');
    PERFORM sentra.check_said(p ->> 'sender', 'sender', 'not_a_text');
    IF p ->> 'slip_number' IS NOT NULL AND NOT sentra.is_reference(p ->> 'slip_number') THEN
        PERFORM sentra.invalid('slip_number', 'not_a_reference');
    END IF;
    SELECT * INTO bill FROM sentra.collective_invoice AS c WHERE c.id = wanted AND c.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'id', 'collective_id', wanted));
    END IF;
    IF bill.state = 'PAID' THEN
        IF bill.attempt_id = lower(p ->> 'attempt_id') THEN
            RETURN sentra.told_collective(bill, true);
        END IF;
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'id', 'reason', 'paid_before', 'number', bill.number));
    END IF;
    IF EXISTS (SELECT FROM sentra.collective_invoice AS c WHERE c.attempt_id = lower(p ->> 'attempt_id')) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "attempt_id"}');
    END IF;
    SELECT coalesce(sum(sentra.pph23(i.base)), 0) INTO held
    FROM sentra.receivable AS r JOIN sentra.invoice AS i ON i.id = r.invoice_id
    WHERE r.collective_id = wanted AND NOT EXISTS (SELECT FROM sentra.withholding AS w WHERE w.invoice_id = i.id);
    IF kept NOT IN (0, held) THEN
        PERFORM sentra.invalid('withheld', 'not_the_tax', jsonb_build_object('given', kept, 'due', held));
    END IF;
    IF (p ->> 'amount')::bigint <> bill.total - kept THEN
        PERFORM sentra.refuse('AMOUNT_MISMATCH', jsonb_build_object('field', 'amount', 'due', bill.total - kept,
            'given', (p ->> 'amount')::bigint));
    END IF;
    moment := sentra.now();
    PERFORM 1 FROM sentra.receivable AS r WHERE r.collective_id = wanted ORDER BY r.id FOR NO KEY UPDATE;
    UPDATE sentra.receivable AS r SET state = 'PAID' WHERE r.collective_id = wanted;
    UPDATE sentra.collective_invoice AS c SET state = 'PAID', withheld = kept, bank = p ->> 'bank',
        sender = p ->> 'sender', reference = p ->> 'reference', attempt_id = lower(p ->> 'attempt_id'), paid_at = moment,
        paid_by = session_user
    WHERE c.id = wanted RETURNING * INTO STRICT bill;
    IF kept > 0 THEN
        INSERT INTO sentra.withholding (branch_id, company_id, collective_id, amount, slip_number, noted_at, noted_by, created_at)
        VALUES (branch, bill.company_id, wanted, kept, p ->> 'slip_number',
            CASE WHEN p ->> 'slip_number' IS NOT NULL THEN moment END,
            CASE WHEN p ->> 'slip_number' IS NOT NULL THEN session_user END, moment);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'pay_collective', wanted::text, '{"bill": "OPEN"}', jsonb_build_object('bill', 'PAID',
        'number', bill.number, 'amount', (p ->> 'amount')::bigint, 'withheld', kept, 'reference', p ->> 'reference'));
    RETURN sentra.told_collective(bill, false);
END $$;

-- Note the number of a withholding slip that came; the same again writes nothing, another number corrects it.
CREATE FUNCTION sentra.note_slip(wanted uuid, slip_number text, slip_on date, counter text) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    slip   sentra.withholding;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_counter(counter);
    IF slip_number IS NULL OR NOT sentra.is_reference(slip_number) THEN
        PERFORM sentra.invalid('slip_number', 'not_a_reference');
    END IF;
    IF slip_on > sentra.today_of(branch) OR slip_on < '2000-01-01' THEN
        PERFORM sentra.invalid('slip_on', 'not_a_day');
    END IF;
    SELECT * INTO slip FROM sentra.withholding AS w WHERE w.id = wanted AND w.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'withholding_id', 'withholding_id', wanted));
    END IF;
    IF (slip.slip_number, slip.slip_on) IS NOT DISTINCT FROM (note_slip.slip_number, note_slip.slip_on) THEN
        RETURN;
    END IF;
    UPDATE sentra.withholding AS w SET slip_number = note_slip.slip_number, slip_on = note_slip.slip_on,
        noted_at = sentra.now(), noted_by = session_user WHERE w.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (note_slip.counter, branch, 'note_slip', wanted::text, jsonb_build_object('slip_number', slip.slip_number),
        jsonb_build_object('slip_number', note_slip.slip_number, 'slip_on', note_slip.slip_on));
END $$;
GRANT EXECUTE ON FUNCTION sentra.issue_collective(jsonb), sentra.pay_collective(jsonb),
    sentra.note_slip(uuid, text, date, text) TO {{cashier}};
