-- The till, part one: what is kept of ways of paying, customer credit, companies' debts, refunds paid out, closed months,
-- printed papers and the history of an invoice's lock; the settings that a branch's till goes by.
-- Lock order as everywhere: invoice, bookings by id, units by id; then refund, shift, credit account, company, collective
-- invoice, receivables by id; the number counters last.

-- --- tables ---------------------------------------------------------------------------------------------------------

-- What a way of paying says beside its amount.
ALTER TABLE sentra.tender
    ADD COLUMN bank          text CHECK (length(bank) <= 100 AND sentra.is_clean(bank)),
    ADD COLUMN last4         text CHECK (last4 ~ '^[0-9]{4}$'),
    ADD COLUMN approval_code text CHECK (approval_code ~ '^[0-9]{6}$'),
    ADD COLUMN sender        text CHECK (length(sender) <= 100 AND sentra.is_clean(sender)),
    ADD COLUMN paid_on       date,
    ADD COLUMN approval_id   uuid REFERENCES sentra.approval,
    DROP CONSTRAINT tender_received,
    ADD CONSTRAINT tender_received CHECK (received >= amount AND (kind IN ('CASH', 'TRANSFER') OR received = amount));

-- What was handed over beyond the sum and kept for the customer.
ALTER TABLE sentra.payment
    ADD COLUMN credited bigint NOT NULL DEFAULT 0 CHECK (credited BETWEEN 0 AND 9999999999999);

-- What a branch owes a customer beyond deposits: the sum of the entries, never less than nothing.
CREATE TABLE sentra.credit_account (
    branch_id   text NOT NULL REFERENCES sentra.branch,
    customer_id uuid NOT NULL REFERENCES sentra.customer,
    balance     bigint NOT NULL CONSTRAINT credit_never_negative CHECK (balance BETWEEN 0 AND 9999999999999),
    PRIMARY KEY (branch_id, customer_id)
);

-- Insert-only. RECEIVED: money brought or transferred without settling anything; OVERPAID: beyond an invoice; REFUNDED: a
-- refund kept as credit; USED: paid an invoice; PAID_OUT: given back. `way`: how money came or went.
CREATE TABLE sentra.credit_entry (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    branch_id   text NOT NULL REFERENCES sentra.branch,
    customer_id uuid NOT NULL REFERENCES sentra.customer,
    kind        text NOT NULL CHECK (kind IN ('RECEIVED', 'OVERPAID', 'REFUNDED', 'USED', 'PAID_OUT')),
    amount      bigint NOT NULL CHECK (amount <> 0 AND abs(amount) <= 9999999999999),
    way         text CHECK (way IN ('CASH', 'EDC', 'QRIS', 'TRANSFER')),
    reference   text CHECK (length(reference) <= 100 AND sentra.is_clean(reference)),
    bank        text CHECK (length(bank) <= 100 AND sentra.is_clean(bank)),
    reason      text NOT NULL DEFAULT '' CHECK (sentra.is_note(reason)),
    invoice_id  uuid REFERENCES sentra.invoice,
    payment_id  uuid REFERENCES sentra.payment,
    refund_id   uuid REFERENCES sentra.refund,
    attempt_id  text CONSTRAINT credit_attempt_once UNIQUE CHECK (length(attempt_id) BETWEEN 1 AND 100),
    shift_id    uuid REFERENCES sentra.shift,
    counter     text NOT NULL CHECK (length(counter) <= 60),
    made_at     timestamptz NOT NULL DEFAULT sentra.now(),
    made_by     text NOT NULL DEFAULT session_user,
    CONSTRAINT credit_sign CHECK ((amount < 0) = (kind IN ('USED', 'PAID_OUT')))
);
CREATE INDEX credit_entry_customer ON sentra.credit_entry (customer_id, made_at);
CREATE INDEX credit_entry_shift ON sentra.credit_entry (shift_id);

-- What a company is asked for once a month: its debts of a branch up to the end of that month.
CREATE TABLE sentra.collective_invoice (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    company_id uuid NOT NULL REFERENCES sentra.company,
    month      text NOT NULL CHECK (month ~ '^[0-9]{6}$'),
    number     text NOT NULL,
    total      bigint NOT NULL CHECK (total BETWEEN 1 AND 9999999999999),
    withheld   bigint NOT NULL DEFAULT 0 CHECK (withheld >= 0),
    issued_on  date NOT NULL,
    due_on     date NOT NULL,
    state      text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'PAID')),
    bank       text CHECK (length(bank) <= 100 AND sentra.is_clean(bank)),
    sender     text CHECK (length(sender) <= 100 AND sentra.is_clean(sender)),
    reference  text CHECK (length(reference) <= 100 AND sentra.is_clean(reference)),
    attempt_id text CONSTRAINT collective_attempt_once UNIQUE CHECK (length(attempt_id) BETWEEN 1 AND 100),
    paid_at    timestamptz,
    paid_by    text,
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    created_by text NOT NULL DEFAULT session_user,
    counter    text NOT NULL CHECK (length(counter) <= 60),
    CONSTRAINT collective_number_once UNIQUE (branch_id, number),
    CONSTRAINT collective_paid_whole CHECK (
        num_nulls(paid_at, paid_by, reference, attempt_id) = CASE state WHEN 'PAID' THEN 0 ELSE 4 END)
);
CREATE INDEX collective_company ON sentra.collective_invoice (company_id);

-- What a company owes for an invoice that was settled on account. `reduced`: by refunds that lowered the debt.
CREATE TABLE sentra.receivable (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    branch_id     text NOT NULL REFERENCES sentra.branch,
    company_id    uuid NOT NULL REFERENCES sentra.company,
    invoice_id    uuid NOT NULL UNIQUE REFERENCES sentra.invoice,
    payment_id    uuid NOT NULL REFERENCES sentra.payment,
    amount        bigint NOT NULL CHECK (amount > 0),
    reduced       bigint NOT NULL DEFAULT 0,
    due_on        date NOT NULL,
    state         text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'BILLED', 'PAID', 'DROPPED')),
    collective_id uuid REFERENCES sentra.collective_invoice,
    created_at    timestamptz NOT NULL DEFAULT sentra.now(),
    created_by    text NOT NULL DEFAULT session_user,
    CONSTRAINT receivable_reduced CHECK (reduced BETWEEN 0 AND amount AND (state = 'DROPPED') = (reduced = amount)),
    CONSTRAINT receivable_billed CHECK ((state IN ('BILLED', 'PAID')) = (collective_id IS NOT NULL))
);
CREATE INDEX receivable_company ON sentra.receivable (company_id, state);
CREATE INDEX receivable_collective ON sentra.receivable (collective_id);

-- PPh 23 that a company withheld: its slip is chased until its number is noted.
CREATE TABLE sentra.withholding (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    branch_id     text NOT NULL REFERENCES sentra.branch,
    company_id    uuid NOT NULL REFERENCES sentra.company,
    invoice_id    uuid REFERENCES sentra.invoice,
    collective_id uuid REFERENCES sentra.collective_invoice,
    amount        bigint NOT NULL CHECK (amount > 0),
    slip_number   text CHECK (length(slip_number) <= 60 AND sentra.is_clean(slip_number)),
    slip_on       date,
    noted_at      timestamptz,
    noted_by      text,
    created_at    timestamptz NOT NULL DEFAULT sentra.now(),
    created_by    text NOT NULL DEFAULT session_user,
    CONSTRAINT withholding_of_one CHECK (num_nonnulls(invoice_id, collective_id) = 1),
    CONSTRAINT withholding_noted_whole CHECK (num_nulls(slip_number, noted_at, noted_by) IN (0, 3))
);
CREATE INDEX withholding_missing ON sentra.withholding (branch_id, created_at) WHERE slip_number IS NULL;

-- How a refund left the house.
ALTER TABLE sentra.refund
    ADD COLUMN number      text,
    ADD COLUMN way         text CHECK (way IN ('CASH', 'EDC', 'TRANSFER', 'CREDIT', 'RECEIVABLE')),
    ADD COLUMN reference   text CHECK (length(reference) <= 100 AND sentra.is_clean(reference)),
    ADD COLUMN bank        text CHECK (length(bank) <= 100 AND sentra.is_clean(bank)),
    ADD COLUMN attempt_id  text CONSTRAINT refund_attempt_once UNIQUE CHECK (length(attempt_id) BETWEEN 1 AND 100),
    ADD COLUMN approval_id uuid REFERENCES sentra.approval,
    ADD COLUMN done_by     text,
    ADD COLUMN done_reason text NOT NULL DEFAULT '' CHECK (sentra.is_note(done_reason)),
    ADD CONSTRAINT refund_number_once UNIQUE (branch_id, number);
CREATE INDEX refund_due ON sentra.refund (branch_id, created_at) WHERE state = 'DUE';
CREATE INDEX refund_shift ON sentra.refund (shift_id);

-- A closed month gives no more numbers: what comes later is dated in the next one.
ALTER TABLE sentra.number_counter
    ADD COLUMN closed_at timestamptz,
    ADD COLUMN closed_by text,
    ADD CONSTRAINT number_counter_closed CHECK (num_nulls(closed_at, closed_by) IN (0, 2));

-- The last number of other papers: refund slips and collective invoices.
CREATE TABLE sentra.paper_counter (
    branch_id text NOT NULL REFERENCES sentra.branch,
    series    text NOT NULL CHECK (series IN ('REF', 'KOL')),
    month     text NOT NULL CHECK (month ~ '^[0-9]{6}$'),
    last      integer NOT NULL CHECK (last >= 1),
    PRIMARY KEY (branch_id, series, month)
);

-- One row per printing of a money paper; `copy` 0 is the original, each later one a SALINAN.
CREATE TABLE sentra.printed_money (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    kind       text NOT NULL CHECK (kind IN ('INVOICE', 'KWITANSI', 'RECEIPT', 'REFUND_SLIP', 'SHIFT_REPORT', 'COLLECTIVE')),
    subject_id uuid NOT NULL,
    copy       integer NOT NULL CHECK (copy >= 0),
    counter    text NOT NULL CHECK (length(counter) <= 60),
    printed_at timestamptz NOT NULL DEFAULT sentra.now(),
    printed_by text NOT NULL DEFAULT session_user,
    CONSTRAINT printed_money_once UNIQUE (kind, subject_id, copy)
);

-- One row per lock of an invoice, written by a trigger: who held it, from when, how often it was renewed, how it ended.
CREATE TABLE sentra.lock_history (
    invoice_id   uuid NOT NULL REFERENCES sentra.invoice,
    epoch        bigint NOT NULL,
    branch_id    text NOT NULL REFERENCES sentra.branch,
    holder       text NOT NULL,
    counter      text NOT NULL,
    taken_at     timestamptz NOT NULL,
    beats        integer NOT NULL DEFAULT 0,
    last_beat_at timestamptz,
    locked_until timestamptz NOT NULL,
    ended_at     timestamptz,
    ended_how    text CHECK (ended_how IN ('RELEASED', 'PAID', 'VOID', 'MOVED', 'EXPIRED')),
    PRIMARY KEY (invoice_id, epoch)
) WITH (fillfactor = 80);

CREATE FUNCTION sentra.write_lock_history() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.lock_epoch <> OLD.lock_epoch THEN
        IF OLD.lock_token IS NOT NULL THEN
            UPDATE sentra.lock_history AS h SET ended_at = least(OLD.locked_until, NEW.locked_at),
                ended_how = CASE WHEN OLD.locked_until <= NEW.locked_at THEN 'EXPIRED' ELSE 'MOVED' END
            WHERE h.invoice_id = OLD.id AND h.epoch = OLD.lock_epoch AND h.ended_at IS NULL;
        END IF;
        IF NEW.lock_token IS NOT NULL THEN
            INSERT INTO sentra.lock_history (invoice_id, epoch, branch_id, holder, counter, taken_at, locked_until)
            VALUES (NEW.id, NEW.lock_epoch, NEW.branch_id, NEW.locked_by, NEW.locked_counter, NEW.locked_at, NEW.locked_until)
            ON CONFLICT DO NOTHING;
        END IF;
    ELSIF NEW.lock_token IS NULL THEN
        UPDATE sentra.lock_history AS h SET ended_at = sentra.now(),
            ended_how = CASE NEW.state WHEN 'OPEN' THEN 'RELEASED' ELSE NEW.state END
        WHERE h.invoice_id = OLD.id AND h.epoch = OLD.lock_epoch AND h.ended_at IS NULL;
    ELSE
        UPDATE sentra.lock_history AS h SET beats = h.beats + 1, last_beat_at = sentra.now(),
            locked_until = NEW.locked_until
        WHERE h.invoice_id = OLD.id AND h.epoch = OLD.lock_epoch AND h.ended_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER lock_history AFTER UPDATE OF lock_token, locked_until ON sentra.invoice FOR EACH ROW
    WHEN (NEW.lock_token IS DISTINCT FROM OLD.lock_token OR NEW.locked_until IS DISTINCT FROM OLD.locked_until)
    EXECUTE FUNCTION sentra.write_lock_history();

-- Cash that goes into or out of a drawer beside payments. Insert-only.
CREATE TABLE sentra.cash_movement (
    id        uuid PRIMARY KEY,
    branch_id text NOT NULL REFERENCES sentra.branch,
    shift_id  uuid NOT NULL REFERENCES sentra.shift,
    amount    bigint NOT NULL CHECK (amount <> 0 AND abs(amount) <= 9999999999999),
    reason    text NOT NULL CHECK (sentra.is_note(reason)),
    counter   text NOT NULL CHECK (length(counter) <= 60),
    made_at   timestamptz NOT NULL DEFAULT sentra.now(),
    made_by   text NOT NULL DEFAULT session_user
);
CREATE INDEX cash_movement_shift ON sentra.cash_movement (shift_id);

-- A blind count of a drawer. `round` grows when a closed shift is opened again; both counts of a recount stay. Insert-only.
CREATE TABLE sentra.shift_count (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    shift_id   uuid NOT NULL REFERENCES sentra.shift,
    round      integer NOT NULL CHECK (round >= 1),
    n          integer NOT NULL CHECK (n >= 1),
    pieces     jsonb NOT NULL,
    counted    bigint NOT NULL CHECK (counted BETWEEN 0 AND 9999999999999),
    expected   bigint NOT NULL,
    edc_slips  integer NOT NULL CHECK (edc_slips >= 0),
    edc_total  bigint NOT NULL CHECK (edc_total >= 0),
    counter    text NOT NULL CHECK (length(counter) <= 60),
    counted_at timestamptz NOT NULL DEFAULT sentra.now(),
    counted_by text NOT NULL DEFAULT session_user,
    CONSTRAINT shift_count_once UNIQUE (shift_id, round, n)
);

-- `closing`: what was left lying when it was closed (drafts, held invoices), as the counter said.
ALTER TABLE sentra.shift
    ADD COLUMN round        integer NOT NULL DEFAULT 1 CHECK (round >= 1),
    ADD COLUMN closed_by    text,
    ADD COLUMN close_reason text NOT NULL DEFAULT '' CHECK (sentra.is_note(close_reason)),
    ADD COLUMN approval_id  uuid REFERENCES sentra.approval,
    ADD COLUMN closing      jsonb;

GRANT SELECT ON sentra.credit_account, sentra.credit_entry, sentra.receivable, sentra.collective_invoice,
    sentra.withholding, sentra.printed_money, sentra.lock_history, sentra.cash_movement, sentra.shift_count
    TO {{cashier}}, {{manager}}, {{service}}, {{backup}};
GRANT SELECT ON sentra.paper_counter TO {{service}}, {{backup}};

DO $$
DECLARE
    branched text;
    fixed    text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['credit_account', 'credit_entry', 'receivable', 'collective_invoice', 'withholding',
        'printed_money', 'lock_history', 'paper_counter', 'cash_movement', 'shift_count'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
    FOREACH fixed IN ARRAY ARRAY['credit_entry', 'printed_money', 'cash_movement', 'shift_count'] LOOP
        EXECUTE format('CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE ON sentra.%I
            FOR EACH ROW EXECUTE FUNCTION sentra.refuse_change()', fixed);
        EXECUTE format('CREATE TRIGGER insert_only_whole BEFORE TRUNCATE ON sentra.%I
            FOR EACH STATEMENT EXECUTE FUNCTION sentra.refuse_change()', fixed);
    END LOOP;
END $$;

-- A settled invoice may be voided: it keeps its number, its sums and its payment, and never comes back.
DROP TRIGGER invoice_guard ON sentra.invoice;
CREATE TRIGGER invoice_guard BEFORE UPDATE ON sentra.invoice FOR EACH ROW
    WHEN (NEW.lock_epoch < OLD.lock_epoch OR NEW.branch_id <> OLD.branch_id OR (OLD.state <> 'OPEN' AND
          ((NEW.state <> OLD.state AND (OLD.state <> 'PAID' OR NEW.state <> 'VOID' OR NEW.voided_at IS NULL))
           OR NEW.total <> OLD.total OR NEW.number IS DISTINCT FROM OLD.number OR NEW.lock_token IS NOT NULL)))
    EXECUTE FUNCTION sentra.invoice_guard();

-- --- settings -------------------------------------------------------------------------------------------------------

-- What a branch's till goes by: the most of an EDC deposit that a cashier pays back by transfer alone, the greatest
-- difference that a cashier closes with alone, and who the branch is to the tax office.
CREATE FUNCTION sentra.is_till_setting(key text, value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN key IN ('edc_refund_limit', 'shift_difference_limit')
            THEN jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,12}$'
        WHEN key = 'tax_identity' THEN CASE WHEN jsonb_typeof(value) <> 'object' THEN false
            ELSE coalesce(value ->> 'npwp' ~ '^[0-9]{16}$' AND value ->> 'idtku' ~ '^[0-9]{22}$'
                AND length(value ->> 'name') <= 200 AND sentra.is_clean(value ->> 'name'), false) END
        ELSE true END
$$;
-- Whoever writes a setting, its CHECK runs as that person.
GRANT EXECUTE ON FUNCTION sentra.is_till_setting(text, jsonb)
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}}, {{staff_admin}};
ALTER TABLE sentra.setting ADD CONSTRAINT setting_till CHECK (sentra.is_till_setting(key, value));

CREATE FUNCTION sentra.till_limit(branch text, wanted text, otherwise bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT s.value::text::bigint FROM sentra.setting AS s
                     WHERE s.key = wanted AND (s.branch_id = branch OR s.branch_id IS NULL)
                     ORDER BY s.branch_id NULLS LAST LIMIT 1), otherwise)
$$;

-- One setting of the own branch's till, by a manager: the keys above, and `cash_rounding` (whole Rupiah; 0 is none).
CREATE FUNCTION sentra.set_till_setting(key text, value jsonb, counter text) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    was    jsonb;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_counter(counter);
    IF key IS NULL OR key NOT IN ('edc_refund_limit', 'shift_difference_limit', 'tax_identity', 'cash_rounding') THEN
        PERFORM sentra.invalid('key', 'unknown');
    END IF;
    IF value IS NULL OR NOT sentra.is_till_setting(key, value)
       OR (key = 'cash_rounding' AND value::text NOT IN ('0', '50', '100', '500', '1000')) THEN
        PERFORM sentra.invalid('value', 'not_a_setting');
    END IF;
    IF key = 'cash_rounding' THEN
        SELECT to_jsonb(b.cash_rounding) INTO was FROM sentra.branch AS b WHERE b.id = branch FOR NO KEY UPDATE;
        UPDATE sentra.branch AS b SET cash_rounding = value::text::bigint WHERE b.id = branch;
    ELSE
        SELECT s.value INTO was FROM sentra.setting AS s
        WHERE s.branch_id = branch AND s.key = set_till_setting.key FOR NO KEY UPDATE;
        INSERT INTO sentra.setting AS s (branch_id, key, value)
        VALUES (branch, set_till_setting.key, set_till_setting.value)
        ON CONFLICT ON CONSTRAINT setting_once DO UPDATE SET value = EXCLUDED.value, changed_at = sentra.now(),
            changed_by = session_user;
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (set_till_setting.counter, branch, 'set_till_setting', key, was, value);
END $$;
GRANT EXECUTE ON FUNCTION sentra.set_till_setting(text, jsonb, text) TO {{manager}};

-- --- numbers --------------------------------------------------------------------------------------------------------

-- The next invoice number of a branch and the day it stands under, from one clock reading. Gapless: the counter's row is
-- held to COMMIT, so this is drawn last. In a closed month nothing is dated any more: the next open month's first day.
CREATE OR REPLACE FUNCTION sentra.draw_invoice_number(branch text, moment timestamptz, OUT number text,
    OUT issued_on date) LANGUAGE plpgsql AS $$
DECLARE
    place     sentra.branch;
    its_month text;
    drawn     integer;
BEGIN
    SELECT * INTO STRICT place FROM sentra.branch AS x WHERE x.id = branch;
    issued_on := (moment AT TIME ZONE place.zone)::date;
    LOOP
        its_month := to_char(issued_on, 'YYYYMM');
        INSERT INTO sentra.number_counter AS n (branch_id, month, last) VALUES (branch, its_month, 1)
        ON CONFLICT ON CONSTRAINT number_counter_pkey DO UPDATE SET last = n.last + 1 WHERE n.closed_at IS NULL
        RETURNING n.last INTO drawn;
        EXIT WHEN FOUND;
        issued_on := (date_trunc('month', issued_on::timestamp) + interval '1 month')::date;
    END LOOP;
    number := format('INV/%s/%s/%s', place.code, its_month, lpad(drawn::text, greatest(5, length(drawn::text)), '0'));
END $$;

-- The same for a refund slip or a collective invoice.
CREATE FUNCTION sentra.draw_paper_number(branch text, its_series text, moment timestamptz, OUT number text,
    OUT issued_on date) LANGUAGE plpgsql AS $$
DECLARE
    place     sentra.branch;
    its_month text;
    drawn     integer;
BEGIN
    SELECT * INTO STRICT place FROM sentra.branch AS x WHERE x.id = branch;
    issued_on := (moment AT TIME ZONE place.zone)::date;
    WHILE EXISTS (SELECT FROM sentra.number_counter AS n WHERE n.branch_id = branch
                  AND n.month = to_char(issued_on, 'YYYYMM') AND n.closed_at IS NOT NULL) LOOP
        issued_on := (date_trunc('month', issued_on::timestamp) + interval '1 month')::date;
    END LOOP;
    its_month := to_char(issued_on, 'YYYYMM');
    INSERT INTO sentra.paper_counter AS n (branch_id, series, month, last) VALUES (branch, its_series, its_month, 1)
    ON CONFLICT ON CONSTRAINT paper_counter_pkey DO UPDATE SET last = n.last + 1 RETURNING n.last INTO STRICT drawn;
    number := format('%s/%s/%s/%s', its_series, place.code, its_month,
        lpad(drawn::text, greatest(5, length(drawn::text)), '0'));
END $$;

-- Close a month of the own branch: no later entry is dated in it. The same again answers the same.
CREATE FUNCTION sentra.close_month(its_month text, counter text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    moment timestamptz := sentra.now();
    row_of sentra.number_counter;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_counter(counter);
    IF (its_month ~ '^20[0-9]{2}(0[1-9]|1[0-2])$') IS NOT TRUE THEN
        PERFORM sentra.invalid('month', 'not_a_month');
    END IF;
    IF its_month > to_char(sentra.today_of(branch), 'YYYYMM') THEN
        PERFORM sentra.invalid('month', 'too_far');
    END IF;
    INSERT INTO sentra.number_counter AS n (branch_id, month, last, closed_at, closed_by)
    VALUES (branch, its_month, 0, moment, session_user)
    ON CONFLICT ON CONSTRAINT number_counter_pkey DO UPDATE SET closed_at = coalesce(n.closed_at, moment),
        closed_by = coalesce(n.closed_by, session_user)
    RETURNING * INTO STRICT row_of;
    IF row_of.closed_at = moment THEN
        INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
        VALUES (close_month.counter, branch, 'close_month', its_month, jsonb_build_object('last', row_of.last));
    END IF;
    RETURN jsonb_build_object('month', row_of.month, 'last', row_of.last, 'closed_at', row_of.closed_at,
        'closed_by_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = row_of.closed_by));
END $$;
GRANT EXECUTE ON FUNCTION sentra.close_month(text, text) TO {{manager}};

-- Months of the own branch with their last number, newest first; `closed_at` where they are closed.
CREATE FUNCTION sentra.numbered_months() RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('cashier');
    RETURN (SELECT coalesce(jsonb_agg(jsonb_build_object('month', n.month, 'last', n.last, 'closed_at', n.closed_at,
                'closed_by_name', (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = n.closed_by))
                ORDER BY n.month DESC), '[]')
            FROM sentra.number_counter AS n WHERE n.branch_id = branch);
END $$;
GRANT EXECUTE ON FUNCTION sentra.numbered_months() TO {{cashier}};

-- Count one printing of a money paper before it goes on paper: its copy, 0 for the original. The same id counts once.
CREATE FUNCTION sentra.count_print(p jsonb) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    subject uuid;
    made    sentra.printed_money;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'kind text 20', 'subject_id uuid', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    subject := (p ->> 'subject_id')::uuid;
    CASE p ->> 'kind'  -- its row is held, so that one printing is counted at a time
        WHEN 'REFUND_SLIP' THEN
            PERFORM FROM sentra.refund AS r WHERE r.id = subject AND r.branch_id = branch AND r.state = 'DONE' FOR NO KEY UPDATE;
        WHEN 'SHIFT_REPORT' THEN
            PERFORM FROM sentra.shift AS s WHERE s.id = subject AND s.branch_id = branch FOR NO KEY UPDATE;
        WHEN 'COLLECTIVE' THEN
            PERFORM FROM sentra.collective_invoice AS c WHERE c.id = subject AND c.branch_id = branch FOR NO KEY UPDATE;
        WHEN 'INVOICE', 'KWITANSI', 'RECEIPT' THEN
            PERFORM FROM sentra.invoice AS i
            WHERE i.id = subject AND i.branch_id = branch AND i.number IS NOT NULL FOR NO KEY UPDATE;
        ELSE PERFORM sentra.invalid('kind', 'unknown');
    END CASE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'subject_id', 'subject_id', subject));
    END IF;
    SELECT * INTO made FROM sentra.printed_money AS d WHERE d.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF (made.kind, made.subject_id) <> (p ->> 'kind', subject) THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN made.copy;
    END IF;
    INSERT INTO sentra.printed_money (id, branch_id, kind, subject_id, copy, counter)
    SELECT (p ->> 'id')::uuid, branch, p ->> 'kind', subject, count(*), p ->> 'counter'
    FROM sentra.printed_money AS d WHERE d.kind = p ->> 'kind' AND d.subject_id = subject
    RETURNING * INTO made;
    RETURN made.copy;
END $$;
GRANT EXECUTE ON FUNCTION sentra.count_print(jsonb) TO {{cashier}};
