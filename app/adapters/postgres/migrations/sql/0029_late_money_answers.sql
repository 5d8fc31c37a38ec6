-- Tasks of late money are answered: kept as the customer's credit, or explained where somebody had to look at the gateway.

ALTER TABLE sentra.late_money
    ADD COLUMN answer text CHECK (answer IN ('CREDIT', 'EXPLAINED')),
    ADD COLUMN answer_reason text NOT NULL DEFAULT '' CHECK (sentra.is_note(answer_reason)),
    ADD CONSTRAINT late_money_answered CHECK (answer IS NULL OR (state = 'CLOSED' AND answer_reason <> ''
        AND closed_at IS NOT NULL AND closed_by IS NOT NULL)),
    ADD CONSTRAINT late_money_answer_fits CHECK (answer IS NULL
        OR (answer = 'EXPLAINED') = (reason IN ('GIVEN_BACK', 'HELD_BACK')));

-- Answer one task of the branch, once; a retry is told what was done. CREDIT keeps the money for the customer of its
-- invoice, less what the gateway gave back of it; EXPLAINED says what became of money that went back or is held back there:
-- a manager's, or with a manager's word. Locks the invoice, the task, then the customer's account.
CREATE FUNCTION sentra.answer_late_money(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    task    sentra.late_money;
    owed    sentra.invoice;
    entry   sentra.credit_entry;
    kept    bigint := 0;
    balance bigint;
    wanted  text;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'late_id uuid', 'answer text 20', 'reason text 500', 'approval_id uuid?',
        'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    PERFORM sentra.check_reason(p ->> 'reason');
    wanted := p ->> 'answer';
    SELECT i.* INTO owed FROM sentra.late_money AS l JOIN sentra.invoice AS i ON i.id = l.invoice_id
    WHERE l.id = (p ->> 'late_id')::uuid AND l.branch_id = branch FOR NO KEY UPDATE OF i;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'late_id', 'late_id', p ->> 'late_id'));
    END IF;
    SELECT * INTO STRICT task FROM sentra.late_money AS l WHERE l.id = (p ->> 'late_id')::uuid FOR NO KEY UPDATE;
    IF task.answer = wanted AND task.closed_by = session_user THEN
        SELECT e.amount INTO kept FROM sentra.credit_entry AS e WHERE e.attempt_id = 'late:' || task.id;
        RETURN jsonb_build_object('late_id', task.id, 'kept', coalesce(kept, 0), 'already', true);
    END IF;
    IF task.state <> 'OPEN' THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'late_id', 'reason', 'answered', 'state', task.state,
            'answer', task.answer));
    END IF;
    IF wanted IS DISTINCT FROM (CASE WHEN task.reason IN ('GIVEN_BACK', 'HELD_BACK') THEN 'EXPLAINED' ELSE 'CREDIT' END)
    THEN
        PERFORM sentra.invalid('answer', 'not_offered');
    END IF;
    IF wanted = 'EXPLAINED' THEN
        PERFORM sentra.need_word((p ->> 'approval_id')::uuid, 'explain_late_money', task.id, task.amount);
    ELSE
        -- What went back to the payer there is no credit of anybody.
        kept := task.amount - sentra.booked_back(task.provider_order_id, task.transaction_id);
        IF kept <= 0 THEN
            PERFORM sentra.invalid('answer', 'given_back');
        END IF;
        entry.branch_id := branch;
        entry.customer_id := owed.customer_id;
        entry.kind := 'RECEIVED';
        entry.amount := kept;
        entry.way := (SELECT 'QRIS' FROM sentra.gateway_attempt AS a
                      WHERE a.order_id = task.provider_order_id AND a.kind = 'QRIS');
        entry.reference := task.transaction_id;
        entry.reason := p ->> 'reason';
        entry.invoice_id := owed.id;
        entry.attempt_id := 'late:' || task.id;
        entry.counter := p ->> 'counter';
        balance := sentra.move_credit(entry, 'amount');
    END IF;
    UPDATE sentra.late_money AS l
    SET state = 'CLOSED', answer = wanted, answer_reason = p ->> 'reason', closed_at = sentra.now(),
        closed_by = session_user
    WHERE l.id = task.id;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', branch, 'answer_late_money', task.id::text, jsonb_strip_nulls(jsonb_build_object(
        'answer', wanted, 'amount', task.amount, 'kept', kept, 'reason', p ->> 'reason', 'balance', balance,
        'order_id', task.provider_order_id, 'transaction_id', task.transaction_id)));
    RETURN jsonb_build_object('late_id', task.id, 'kept', kept, 'already', false);
END $$;

GRANT EXECUTE ON FUNCTION sentra.answer_late_money(jsonb) TO {{cashier}}, {{manager}};
