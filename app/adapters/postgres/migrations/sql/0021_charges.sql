-- Charges of a return and what becomes of the deposit. Rules are the domain's, computed here once more; texts come from
-- the caller. Lock order as everywhere: invoices, bookings by id, units by id, number counter.

-- One line of what a customer is charged beyond the rental. It stands on a FINE invoice, or (after the rental is over) on a
-- POST_RENTAL one; a contested line has one of its own. `amount` is what was found, `quantity` x `unit_price` what is asked.
CREATE TABLE sentra.charge (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    booking_id uuid NOT NULL REFERENCES sentra.booking,
    invoice_id uuid NOT NULL REFERENCES sentra.invoice,
    line_no    integer NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('LATE', 'KM', 'ONE_WAY', 'FUEL', 'CLEANING', 'DAMAGE', 'LOST', 'TRAFFIC')),
    text       text NOT NULL CHECK (length(text) <= 200 AND sentra.is_clean(text)),
    quantity   integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999999),
    unit_price bigint NOT NULL CHECK (unit_price > 0),
    amount     bigint NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
    taxable    boolean NOT NULL,
    standing   text NOT NULL CHECK (standing IN ('ACCEPTED', 'CONTESTED', 'WAIVED')),
    reason     text NOT NULL DEFAULT '' CHECK (sentra.is_note(reason)),
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    created_by text NOT NULL DEFAULT session_user,
    closed_at  timestamptz,
    closed_by  text,
    outcome    text CHECK (outcome IN ('FULL', 'REDUCED', 'DROPPED')),
    CONSTRAINT charge_contested_for_a_reason CHECK (standing <> 'CONTESTED' OR reason <> ''),
    CONSTRAINT charge_line_once UNIQUE (invoice_id, line_no)
);
CREATE INDEX charge_booking ON sentra.charge (booking_id);

-- A part of a deposit that a manager holds back for traffic fines, until a day. Then the service gives it back.
CREATE TABLE sentra.deposit_hold (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    booking_id uuid NOT NULL REFERENCES sentra.booking,
    amount     bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999),
    until_on   date NOT NULL CHECK (sentra.is_sane(daterange(until_on, until_on, '[]'))),
    reason     text NOT NULL CHECK (sentra.is_note(reason)),
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    created_by text NOT NULL DEFAULT session_user,
    ended_at   timestamptz,
    ended_by   text
);
CREATE INDEX refund_booking ON sentra.refund (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX deposit_hold_booking ON sentra.deposit_hold (booking_id);
CREATE INDEX deposit_hold_open ON sentra.deposit_hold (until_on) WHERE ended_at IS NULL;

GRANT SELECT ON sentra.charge, sentra.deposit_hold TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};
DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['charge', 'deposit_hold'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
END $$;

-- --- rules ----------------------------------------------------------------------------------------------------------

-- The domain's `late_fee`.
CREATE FUNCTION sentra.late_fee(day_rate bigint, late interval, terms jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN x.seconds <= 0 THEN 0 ELSE x.days * day_rate + least(day_rate, CASE
        WHEN x.rest <= 60 * (terms ->> 'late_free_minutes')::integer THEN 0
        WHEN x.rest > 60 * (terms ->> 'late_day_after_minutes')::integer THEN day_rate
        ELSE sentra.half_up(day_rate * (terms ->> 'late_hour_percent')::integer * ceil(x.rest / 3600), 100) END) END
    FROM (SELECT s.seconds, floor(s.seconds / 86400)::bigint AS days, s.seconds - 86400 * floor(s.seconds / 86400) AS rest
          FROM (SELECT extract(epoch FROM late)::numeric AS seconds) AS s) AS x
$$;

-- The end of the days that a booking is paid for: an agreed early return makes nobody late before it.
CREATE FUNCTION sentra.late_due(held sentra.booking) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN held.paid_until IS NULL THEN held.due_at
                ELSE (SELECT t.due FROM sentra.rental_times(held, held.first_day, held.paid_until, sentra.now()) AS t) END
$$;

-- The ways of a booking's units out and back. One that was looked at only once counts for nothing.
CREATE FUNCTION sentra.trips_of(held sentra.booking) RETURNS TABLE (unit_id text, odometer_out integer,
    odometer_in integer, fuel_out integer, fuel_in integer) LANGUAGE sql STABLE AS $$
    SELECT back.unit_id, went.odometer, back.odometer, went.fuel, back.fuel
    FROM sentra.inspection AS back
    CROSS JOIN LATERAL (
        SELECT i.odometer, i.fuel FROM sentra.inspection AS i
        WHERE i.booking_id = held.id AND i.unit_id = back.unit_id AND i.kind = 'OUT' AND i.done_at <= back.done_at
        ORDER BY i.done_at DESC LIMIT 1) AS went
    WHERE back.booking_id = held.id AND back.kind = 'IN'
    ORDER BY back.done_at
$$;

-- What rules ask for of a unit that is back: the domain's `due_charges`, by kind.
CREATE FUNCTION sentra.due_charges(held sentra.booking) RETURNS TABLE (kind text, quantity bigint, unit_price bigint)
LANGUAGE sql STABLE AS $$
    SELECT c.kind, c.quantity, c.unit_price
    FROM (SELECT sentra.terms_for(held) AS terms) AS t
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(w.odometer_in - w.odometer_out), 0) AS driven,
               coalesce(sum(greatest(0, w.fuel_out - w.fuel_in)), 0) AS missing FROM sentra.trips_of(held) AS w) AS way
    JOIN sentra.unit AS u ON u.id = held.unit_id
    CROSS JOIN LATERAL (VALUES
        (1, 'LATE', 1::bigint, sentra.late_fee(held.daily_rate, held.returned_at - sentra.late_due(held), t.terms)),
        (2, 'KM', greatest(0, way.driven - (t.terms ->> 'included_km')::bigint
                  * sentra.charged_days(held, greatest(held.last_day, held.paid_until))), (t.terms ->> 'km_rate')::bigint),
        (3, 'ONE_WAY', CASE WHEN u.branch_id <> held.branch_id THEN 1 ELSE 0 END, (t.terms ->> 'one_way_fee')::bigint),
        (4, 'FUEL', way.missing, (t.terms ->> 'fuel_rate')::bigint)) AS c (place, kind, quantity, unit_price)
    WHERE held.returned_at IS NOT NULL AND c.quantity * c.unit_price > 0
      AND (c.kind <> 'KM' OR t.terms ->> 'included_km' IS NOT NULL)
    ORDER BY c.place
$$;

-- Which charges are a supply and have PPN in this branch.
CREATE FUNCTION sentra.taxed_charges(branch text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT sentra.setting_of(branch, 'taxed_charges', '["LATE", "KM", "ONE_WAY", "FUEL", "CLEANING"]')
$$;

-- --- the deposit ----------------------------------------------------------------------------------------------------

-- What is left of a booking's deposit: paid, not given back, not used for charges.
CREATE FUNCTION sentra.deposit_left(wanted uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (coalesce((SELECT sum(l.amount) FROM sentra.invoice_line AS l JOIN sentra.invoice AS i ON i.id = l.invoice_id
                      WHERE l.booking_id = wanted AND l.kind = 'DEPOSIT' AND l.active AND i.state = 'PAID'), 0)
          - coalesce((SELECT sum(r.amount) FROM sentra.refund AS r
                      WHERE r.booking_id = wanted AND r.kind = 'DEPOSIT' AND r.state <> 'VOID'), 0)
          - coalesce((SELECT sum(t.amount) FROM sentra.tender AS t JOIN sentra.payment AS p ON p.id = t.payment_id
                      WHERE t.kind = 'DEPOSIT' AND p.invoice_id IN (
                          SELECT c.invoice_id FROM sentra.charge AS c WHERE c.booking_id = wanted)), 0))::bigint
$$;

CREATE FUNCTION sentra.held_back(wanted uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(h.amount), 0)::bigint FROM sentra.deposit_hold AS h
    WHERE h.booking_id = wanted AND h.ended_at IS NULL
$$;

-- As the till asks: how much of its booking's deposit may pay this invoice. What is held back for fines pays those that
-- come after the rental, not what it was kept beside.
CREATE OR REPLACE FUNCTION sentra.deposit_for(owed sentra.invoice) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        SELECT CASE WHEN owed.kind = 'FINE' THEN greatest(0, sentra.deposit_left(c.booking_id) - sentra.held_back(c.booking_id))
                    ELSE sentra.deposit_left(c.booking_id) END
        FROM sentra.charge AS c WHERE c.invoice_id = owed.id LIMIT 1), 0)
$$;

-- Whoever inserts it: a deposit pays charges of its own booking, and no more than is left of it. What is held back for
-- fines pays those that come after the rental, not what it was kept beside.
CREATE FUNCTION sentra.tender_from_deposit() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
DECLARE
    owed   sentra.invoice;
    wanted uuid;
    usable bigint;
BEGIN
    SELECT i.* INTO STRICT owed FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id
    WHERE p.id = NEW.payment_id;
    SELECT c.booking_id INTO wanted FROM sentra.charge AS c WHERE c.invoice_id = owed.id LIMIT 1;
    PERFORM 1 FROM sentra.booking AS b WHERE b.id = wanted FOR NO KEY UPDATE;
    usable := CASE WHEN wanted IS NULL THEN 0 WHEN owed.kind = 'FINE' THEN
        greatest(0, sentra.deposit_left(wanted) - sentra.held_back(wanted)) ELSE sentra.deposit_left(wanted) END;
    IF NEW.amount > usable THEN
        PERFORM sentra.refuse('AMOUNT_MISMATCH', jsonb_build_object('field', 'tenders.amount', 'reason', 'deposit',
            'given', NEW.amount, 'most', usable));
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tender_from_deposit BEFORE INSERT ON sentra.tender FOR EACH ROW WHEN (NEW.kind = 'DEPOSIT')
    EXECUTE FUNCTION sentra.tender_from_deposit();

-- Give back so much of a booking's deposit: a refund that is due of each invoice that brought it, the oldest first.
CREATE FUNCTION sentra.give_deposit_back(held sentra.booking, so_much bigint, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    paper record;
    rest  bigint := so_much;
    part  bigint;
BEGIN
    FOR paper IN
        SELECT i.id, (SELECT p.id FROM sentra.payment AS p WHERE p.invoice_id = i.id LIMIT 1) AS payment_id,
               sum(l.amount) - coalesce((SELECT sum(r.amount) FROM sentra.refund AS r WHERE r.invoice_id = i.id
                   AND r.booking_id = held.id AND r.kind = 'DEPOSIT' AND r.state <> 'VOID'), 0) AS here
        FROM sentra.invoice AS i JOIN sentra.invoice_line AS l ON l.invoice_id = i.id
        WHERE l.booking_id = held.id AND l.kind = 'DEPOSIT' AND l.active AND i.state = 'PAID'
        GROUP BY i.id, i.settled_at ORDER BY i.settled_at, i.id LOOP
        part := least(rest, paper.here);
        CONTINUE WHEN part <= 0;
        INSERT INTO sentra.refund (id, branch_id, invoice_id, payment_id, booking_id, amount, kind, state, reason)
        VALUES (gen_random_uuid(), held.branch_id, paper.id, paper.payment_id, held.id, part, 'DEPOSIT', 'DUE', why);
        rest := rest - part;
    END LOOP;
END $$;

-- Once nothing that the customer accepts is unpaid, the rest of the deposit is due: contested lines freeze no more than
-- themselves, and what is held back stays.
CREATE FUNCTION sentra.give_rest_back(wanted uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    frozen bigint;
    rest   bigint;
BEGIN
    SELECT * INTO STRICT held FROM sentra.booking AS b WHERE b.id = wanted;
    IF EXISTS (SELECT FROM sentra.charge AS c JOIN sentra.invoice AS i ON i.id = c.invoice_id
               WHERE c.booking_id = wanted AND c.standing = 'ACCEPTED' AND i.state = 'OPEN' AND i.kind = 'FINE') THEN
        RETURN;
    END IF;
    SELECT coalesce(sum(i.total), 0) INTO frozen FROM sentra.invoice AS i
    WHERE i.state = 'OPEN' AND i.kind = 'FINE'
      AND i.id IN (SELECT c.invoice_id FROM sentra.charge AS c WHERE c.booking_id = wanted);
    rest := sentra.deposit_left(wanted) - frozen - sentra.held_back(wanted);
    IF rest > 0 THEN
        PERFORM sentra.give_deposit_back(held, rest, 'deposit');
    END IF;
END $$;

-- However a rental ends, at the till, by an inspector or a manager: what is left of its deposit is due.
CREATE FUNCTION sentra.deposit_of_the_end() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.give_rest_back(NEW.id);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER deposit_of_the_end AFTER UPDATE ON sentra.booking
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state = 'COMPLETED' AND OLD.state <> 'COMPLETED')
    EXECUTE FUNCTION sentra.deposit_of_the_end();

-- And as soon as a FINE is paid while another is argued about.
CREATE FUNCTION sentra.deposit_of_a_fine() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.give_rest_back(c.booking_id)
    FROM (SELECT DISTINCT x.booking_id FROM sentra.charge AS x JOIN sentra.booking AS b ON b.id = x.booking_id
          WHERE x.invoice_id = NEW.id AND b.state = 'DISPUTED') AS c;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER deposit_of_a_fine AFTER UPDATE ON sentra.invoice
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'FINE' AND OLD.state = 'OPEN' AND NEW.state <> 'OPEN')
    EXECUTE FUNCTION sentra.deposit_of_a_fine();

-- --- lines and their invoices -----------------------------------------------------------------------------------------

-- What charges must look like; with `by_rule` exactly those that rules ask for are among them, else none of their kinds.
CREATE FUNCTION sentra.check_charges(held sentra.booking, lines jsonb, by_rule boolean) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    item  jsonb;
    at    integer;
    given text;
    asked text;
BEGIN
    IF jsonb_array_length(lines) > 40 THEN
        PERFORM sentra.invalid('charges', 'count', '{"least": 1, "most": 40}');
    END IF;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(lines) WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('charges[%s].', at), 'id uuid', 'kind text 20', 'text text 200',
            'quantity number', 'unit_price rupiah', 'contested boolean', 'reason text? 500');
        IF item ->> 'kind' NOT IN ('LATE', 'KM', 'ONE_WAY', 'FUEL', 'CLEANING', 'DAMAGE', 'LOST', 'TRAFFIC') THEN
            PERFORM sentra.invalid(format('charges[%s].kind', at), 'not_valid');
        END IF;
        IF NOT sentra.is_clean(item ->> 'text') THEN
            PERFORM sentra.invalid(format('charges[%s].text', at), 'empty');
        END IF;
        IF (item ->> 'quantity')::integer NOT BETWEEN 1 AND 9999999 THEN
            PERFORM sentra.invalid(format('charges[%s].quantity', at), 'out_of_range', '{"least": 1, "most": 9999999}');
        END IF;
        IF (item ->> 'unit_price')::bigint <= 0
           OR (item ->> 'quantity')::numeric * (item ->> 'unit_price')::numeric > 999999999999 THEN
            PERFORM sentra.invalid(format('charges[%s].unit_price', at), 'not_an_amount');
        END IF;
        IF (item ->> 'contested')::boolean THEN
            PERFORM sentra.check_reason(item ->> 'reason');
        END IF;
    END LOOP;
    SELECT string_agg(format('%s %s %s', l.kind, l.quantity, l.unit_price), ', ' ORDER BY l.kind) INTO given
    FROM jsonb_to_recordset(lines) AS l (kind text, quantity bigint, unit_price bigint)
    WHERE l.kind IN ('LATE', 'KM', 'ONE_WAY', 'FUEL');
    IF by_rule THEN
        SELECT string_agg(format('%s %s %s', d.kind, d.quantity, d.unit_price), ', ' ORDER BY d.kind) INTO asked
        FROM sentra.due_charges(held) AS d;
    END IF;
    IF given IS DISTINCT FROM asked THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('field', 'charges', 'old', given, 'new', asked));
    END IF;
END $$;

-- An invoice for these lines of a booking, PPN of this day on what is taxable.
CREATE FUNCTION sentra.make_fine(held sentra.booking, its_kind text, lines jsonb, moment timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    made uuid := gen_random_uuid();
    b    sentra.branch;
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = held.branch_id;
    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES (made, held.order_id, held.branch_id, held.customer_id, its_kind, 0, 0, 0, 0, moment);
    INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price, amount,
        taxable)
    SELECT made, e.line, held.branch_id, held.id, 'FINE', l.text, l.quantity, l.unit_price,
           l.quantity * l.unit_price, sentra.taxed_charges(held.branch_id) ? l.kind
    FROM jsonb_array_elements(lines) WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS l (kind text, text text, quantity integer, unit_price bigint);
    IF b.has_ppn AND NOT b.prices_include_ppn AND EXISTS (
        SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = made AND l.taxable) THEN
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, kind, text, quantity, unit_price, amount, taxable)
        VALUES (made, 1000, held.branch_id, 'PPN', 'PPN', 1, 0, 0, false);
    END IF;
    PERFORM sentra.price_invoice(made, b);
    RETURN made;
END $$;

-- Write charges: those the customer accepts on one invoice, each contested one on its own. Answers the invoices.
CREATE FUNCTION sentra.write_charges(held sentra.booking, lines jsonb, its_kind text, moment timestamptz) RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    part   jsonb;
    paper  uuid;
    papers uuid[] := '{}';
BEGIN
    FOR part IN
        SELECT jsonb_agg(e.item ORDER BY array_position(ARRAY['LATE', 'KM', 'ONE_WAY', 'FUEL', 'CLEANING', 'DAMAGE', 'LOST',
                   'TRAFFIC'], e.item ->> 'kind'), e.line)
        FROM jsonb_array_elements(lines) WITH ORDINALITY AS e (item, line)
        GROUP BY CASE WHEN (e.item ->> 'contested')::boolean THEN e.line ELSE 0 END
        ORDER BY CASE WHEN (e.item ->> 'contested')::boolean THEN e.line ELSE 0 END LOOP
        paper := sentra.make_fine(held, its_kind, part, moment);
        papers := papers || paper;
        INSERT INTO sentra.charge (id, branch_id, booking_id, invoice_id, line_no, kind, text, quantity, unit_price, amount,
            taxable, standing, reason, created_at)
        SELECT l.id, held.branch_id, held.id, paper, e.line, l.kind, l.text, l.quantity, l.unit_price,
               l.quantity * l.unit_price, sentra.taxed_charges(held.branch_id) ? l.kind,
               CASE WHEN l.contested THEN 'CONTESTED' ELSE 'ACCEPTED' END, coalesce(l.reason, ''), moment
        FROM jsonb_array_elements(part) WITH ORDINALITY AS e (item, line)
        CROSS JOIN LATERAL jsonb_to_record(e.item) AS l (id uuid, kind text, text text, quantity integer,
            unit_price bigint, contested boolean, reason text)
        ON CONFLICT (id) DO NOTHING;
        IF NOT FOUND OR (SELECT count(*) FROM sentra.charge AS c WHERE c.invoice_id = paper) < jsonb_array_length(part) THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "charges"}');
        END IF;
    END LOOP;
    RETURN papers;
END $$;

-- Whether all of these charges of a booking were written before: the same step sent again.
CREATE FUNCTION sentra.were_charged(wanted uuid, lines jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT count(*) > 0 AND count(*) = count(c.id)
    FROM jsonb_to_recordset(lines) AS l (id uuid) LEFT JOIN sentra.charge AS c ON c.id = l.id AND c.booking_id = wanted
$$;

-- What the customer left must be back, or be kept for a reason, before a return is done.
CREATE FUNCTION sentra.check_collateral(held sentra.booking) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (SELECT FROM sentra.collateral AS k WHERE k.booking_id = held.id AND k.state = 'HELD') THEN
        PERFORM sentra.refuse('GATE_OPEN', jsonb_build_object('field', 'booking_id', 'booking_id', held.id, 'lines',
            '[{"line": "COLLATERAL", "reason": "not_returned", "amount": 0, "invoice_id": null,
               "may_be_overridden": false}]'::jsonb));
    END IF;
END $$;

-- Refunds of a booking's deposit that are due.
CREATE FUNCTION sentra.due_deposit(wanted uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'invoice_id', r.invoice_id, 'kind', r.kind,
        'amount', r.amount) ORDER BY r.created_at, r.id), '[]')
    FROM sentra.refund AS r WHERE r.booking_id = wanted AND r.kind = 'DEPOSIT' AND r.state = 'DUE'
$$;

-- A booking after its charges changed, with what is open and what is due back of it. Deposits are given back first.
CREATE FUNCTION sentra.charged_booking(wanted uuid, effect jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
    SET CONSTRAINTS sentra.deposit_of_the_end, sentra.deposit_of_a_fine IMMEDIATE;
    SET CONSTRAINTS sentra.deposit_of_the_end, sentra.deposit_of_a_fine DEFERRED;
    RETURN sentra.handed_booking(wanted, effect) || jsonb_build_object('refunds', sentra.due_deposit(wanted),
        'deposit_left', sentra.deposit_left(wanted), 'to_pay', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('invoice_id', x.id, 'total', x.total, 'contested', x.contested)
                ORDER BY x.contested, x.created_at, x.id), '[]')
            FROM (SELECT i.id, i.total, i.created_at, EXISTS (SELECT FROM sentra.charge AS c
                      WHERE c.invoice_id = i.id AND c.standing = 'CONTESTED') AS contested
                  FROM sentra.invoice AS i WHERE i.state = 'OPEN' AND i.kind IN ('FINE', 'POST_RENTAL')
                    AND i.id IN (SELECT c.invoice_id FROM sentra.charge AS c WHERE c.booking_id = wanted)) AS x));
END $$;

-- --- the end of a return ------------------------------------------------------------------------------------------------

-- Nothing is charged: the rental is over, its days are free. `again`: the caller's own COMMIT may have happened unseen.
CREATE FUNCTION sentra.clear(wanted uuid, again boolean, based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held  sentra.booking;
    due   jsonb;
    freed jsonb;
BEGIN
    PERFORM sentra.require_role('inspector');
    IF again THEN  -- a finished rental of another branch is no longer in hand
        SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.state = 'COMPLETED' AND b.last_action = 'clear';
        IF FOUND AND session_user = (SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text
                                     AND a.action = 'clear' ORDER BY a.id DESC LIMIT 1) THEN
            RETURN sentra.charged_booking(wanted, '{}');
        END IF;
    END IF;
    held := sentra.lock_in_hand(wanted, false, false);
    PERFORM sentra.check_based_on(held, based_on);
    PERFORM sentra.check_change(held, 'clear');
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    SELECT jsonb_agg(to_jsonb(d)) INTO due FROM sentra.due_charges(held) AS d;
    IF due IS NOT NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', 'charges_due', 'state', held.state, 'action', 'clear', 'charges', due));
    END IF;
    PERFORM sentra.check_collateral(held);
    UPDATE sentra.booking SET state = 'COMPLETED', last_action = 'clear' WHERE id = wanted;
    freed := sentra.free_days(held, 'clear');
    PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    RETURN sentra.charged_booking(wanted, freed);
END $$;

-- Something is charged. The customer accepts or contests each line; the unit stays taken until it is released or settled.
CREATE FUNCTION sentra.dispute(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    papers uuid[];
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'charges array', 'based_on number?');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_in_hand(wanted, true, false);
    IF sentra.were_charged(wanted, p -> 'charges') THEN
        RETURN sentra.charged_booking(wanted, '{}');
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'dispute');
    PERFORM sentra.check_charges(held, p -> 'charges', true);
    IF p -> 'charges' = '[]' THEN
        PERFORM sentra.refuse('BOOKING_STATE', '{"field": "charges", "reason": "no_charges"}');
    END IF;
    PERFORM sentra.check_collateral(held);
    papers := sentra.write_charges(held, p -> 'charges', 'FINE', sentra.now());
    UPDATE sentra.booking SET state = 'DISPUTED', last_action = 'dispute' WHERE id = wanted;
    RETURN sentra.charged_booking(wanted, jsonb_build_object('invoices', to_jsonb(papers)));
END $$;

-- A unit that does not come back: stolen, or kept. A manager's, or with a manager's word.
CREATE FUNCTION sentra.not_returned(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    papers uuid[];
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'reason text 500', 'charges array', 'approval_id uuid?',
        'based_on number?', 'again boolean');
    PERFORM sentra.check_reason(p ->> 'reason');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_booking(wanted, true);
    IF sentra.were_charged(wanted, p -> 'charges')
       OR ((p ->> 'again')::boolean AND held.state = 'DISPUTED' AND held.last_action = 'not_returned') THEN
        RETURN sentra.charged_booking(wanted, '{}');
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    IF held.state <> 'ACTIVE_RENTAL' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'not_returned'));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        PERFORM sentra.use_approval((p ->> 'approval_id')::uuid, 'not_returned', wanted::text);
    END IF;
    PERFORM sentra.check_charges(held, p -> 'charges', false);
    papers := sentra.write_charges(held, p -> 'charges', 'FINE', sentra.now());
    UPDATE sentra.booking SET state = 'DISPUTED', last_action = 'not_returned', reason = p ->> 'reason' WHERE id = wanted;
    RETURN sentra.charged_booking(wanted, jsonb_build_object('invoices', to_jsonb(papers)));
END $$;

-- More that was found while a return is argued about; of kinds that no rule computes.
CREATE FUNCTION sentra.add_charges(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    papers uuid[];
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'charges array');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_in_hand(wanted, true, false);
    IF sentra.were_charged(wanted, p -> 'charges') THEN
        RETURN sentra.charged_booking(wanted, '{}');
    END IF;
    IF held.state <> 'DISPUTED' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'add_charges'));
    END IF;
    PERFORM sentra.check_charges(held, p -> 'charges', false);
    IF p -> 'charges' = '[]' THEN
        PERFORM sentra.refuse('BOOKING_STATE', '{"field": "charges", "reason": "no_charges"}');
    END IF;
    papers := sentra.write_charges(held, p -> 'charges', 'FINE', sentra.now());
    RETURN sentra.charged_booking(wanted, jsonb_build_object('invoices', to_jsonb(papers)));
END $$;

-- --- arguing --------------------------------------------------------------------------------------------------------

-- A charge of the own branch whose invoice is open and in nobody's hands; its invoices and its booking are locked.
CREATE FUNCTION sentra.open_charge(wanted uuid) RETURNS sentra.charge LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    found_ sentra.charge;
    owed   sentra.invoice;
BEGIN
    SELECT * INTO found_ FROM sentra.charge AS c WHERE c.id = wanted AND c.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'charge_id', 'charge_id', wanted));
    END IF;
    PERFORM sentra.refuse_if_locked(ARRAY[found_.invoice_id]);
    PERFORM sentra.lock_booking(found_.booking_id, true);
    SELECT * INTO found_ FROM sentra.charge AS c WHERE c.id = wanted FOR NO KEY UPDATE;
    PERFORM sentra.refuse_if_locked(ARRAY[found_.invoice_id]);
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = found_.invoice_id;
    IF owed.state <> 'OPEN' AND found_.standing <> 'WAIVED' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'charge_id', 'charge_id', wanted,
            'reason', 'paid', 'action', 'close_charge'));
    END IF;
    RETURN found_;
END $$;

-- Take a line off its open invoice; one with nothing left on it is void.
CREATE FUNCTION sentra.take_off(its_paper uuid, its_line integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = its_paper AND l.line_no = its_line;
    IF EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = its_paper AND l.active AND l.kind <> 'PPN') THEN
        PERFORM sentra.price_invoice(i.id, sentra.branch_of(i)) FROM sentra.invoice AS i WHERE i.id = its_paper;
    ELSE
        PERFORM sentra.void_invoice(its_paper);
    END IF;
END $$;

-- The customer does not agree with a line after all: it goes on an invoice of its own, the others can be settled.
CREATE FUNCTION sentra.contest_charge(wanted uuid, reason text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    line  sentra.charge;
    held  sentra.booking;
    paper uuid;
BEGIN
    PERFORM sentra.require_role('inspector', 'cashier');
    PERFORM sentra.check_reason(reason);
    line := sentra.open_charge(wanted);
    IF line.standing = 'WAIVED' OR line.outcome IS NOT NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'charge_id', 'charge_id', wanted,
            'reason', 'closed', 'action', 'contest_charge'));
    END IF;
    IF line.standing = 'CONTESTED' THEN
        RETURN sentra.charged_booking(line.booking_id, '{}');
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = line.booking_id;
    paper := line.invoice_id;
    IF EXISTS (SELECT FROM sentra.charge AS c WHERE c.invoice_id = paper AND c.id <> wanted AND c.standing <> 'WAIVED') THEN
        PERFORM sentra.take_off(paper, line.line_no);
        paper := sentra.make_fine(held, (SELECT i.kind FROM sentra.invoice AS i WHERE i.id = paper),
            jsonb_build_array(jsonb_build_object('kind', line.kind, 'text', line.text, 'quantity', line.quantity,
                'unit_price', line.unit_price)), sentra.now());
    END IF;
    UPDATE sentra.charge AS c SET standing = 'CONTESTED', reason = contest_charge.reason, invoice_id = paper,
        line_no = CASE WHEN paper = line.invoice_id THEN c.line_no ELSE 1 END WHERE c.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), line.branch_id, 'contest_charge', wanted::text,
        jsonb_build_object('invoice_id', line.invoice_id), jsonb_build_object('invoice_id', paper, 'reason', reason));
    RETURN sentra.charged_booking(line.booking_id, jsonb_build_object('invoices', jsonb_build_array(line.invoice_id, paper)));
END $$;

-- A manager's last word on a line: as it stands, for less, or not at all. Or with a manager's word.
CREATE FUNCTION sentra.close_charge(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    line   sentra.charge;
    so_much bigint;
    how    text;
BEGIN
    PERFORM sentra.require_role('inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'charge_id uuid', 'outcome text 20', 'amount rupiah?', 'reason text 500',
        'approval_id uuid?');
    PERFORM sentra.check_reason(p ->> 'reason');
    how := p ->> 'outcome';
    wanted := (p ->> 'charge_id')::uuid;
    so_much := (p ->> 'amount')::bigint;
    IF how NOT IN ('FULL', 'REDUCED', 'DROPPED') THEN
        PERFORM sentra.invalid('outcome', 'not_valid');
    END IF;
    line := sentra.open_charge(wanted);
    IF line.outcome IS NOT NULL THEN
        IF line.outcome = how AND (how <> 'REDUCED' OR line.unit_price = so_much) THEN
            RETURN sentra.charged_booking(line.booking_id, '{}');
        END IF;
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'charge_id', 'charge_id', wanted,
            'reason', 'closed', 'action', 'close_charge'));
    END IF;
    IF how = 'REDUCED' AND (so_much BETWEEN 1 AND line.amount - 1) IS NOT TRUE THEN
        PERFORM sentra.invalid('amount', 'out_of_range', jsonb_build_object('least', 1, 'most', line.amount - 1));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        PERFORM sentra.use_approval((p ->> 'approval_id')::uuid, 'close_charge', wanted::text);
    END IF;
    IF how = 'DROPPED' THEN
        PERFORM sentra.take_off(line.invoice_id, line.line_no);
    ELSIF how = 'REDUCED' THEN
        UPDATE sentra.invoice_line AS l SET quantity = 1, unit_price = so_much, amount = so_much
        WHERE l.invoice_id = line.invoice_id AND l.line_no = line.line_no;
        PERFORM sentra.price_invoice(i.id, sentra.branch_of(i)) FROM sentra.invoice AS i WHERE i.id = line.invoice_id;
    END IF;
    UPDATE sentra.charge AS c SET standing = CASE how WHEN 'DROPPED' THEN 'WAIVED' ELSE 'ACCEPTED' END, outcome = how,
        quantity = CASE how WHEN 'REDUCED' THEN 1 ELSE c.quantity END,
        unit_price = CASE how WHEN 'REDUCED' THEN so_much ELSE c.unit_price END,
        closed_at = sentra.now(), closed_by = session_user WHERE c.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), line.branch_id, 'close_charge', wanted::text,
        jsonb_build_object('amount', line.amount, 'standing', line.standing),
        jsonb_strip_nulls(jsonb_build_object('outcome', how, 'amount', so_much, 'reason', p ->> 'reason')));
    RETURN sentra.charged_booking(line.booking_id, jsonb_build_object('invoices', jsonb_build_array(line.invoice_id)));
END $$;

-- --- settling -------------------------------------------------------------------------------------------------------

-- Pay an open invoice of charges whole from its booking's deposit, under a lock of this very transaction; all its rows are
-- locked. The number is drawn by the same counter and clock as at the till.
CREATE FUNCTION sentra.pay_from_deposit(paper uuid, counter text, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    owed  sentra.invoice;
    made  uuid := gen_random_uuid();
    drawn record;
BEGIN
    SELECT * INTO STRICT owed FROM sentra.invoice AS i WHERE i.id = paper;
    owed := sentra.write_lock(owed, replace(gen_random_uuid()::text, '-', ''), counter, moment);
    INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at, counter)
    VALUES (made, paper, owed.branch_id, owed.total - owed.paid, gen_random_uuid()::text, owed.lock_epoch, moment, counter);
    INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received)
    VALUES (made, 1, owed.branch_id, 'DEPOSIT', owed.total - owed.paid, owed.total - owed.paid);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (counter, owed.branch_id, 'settle', paper::text, jsonb_build_object('state', owed.state, 'paid', owed.paid),
        jsonb_build_object('state', 'PAID', 'paid', owed.total, 'payment_id', made, 'lock_epoch', owed.lock_epoch));
    drawn := sentra.draw_invoice_number(owed.branch_id, moment);
    UPDATE sentra.invoice AS i
    SET number = drawn.number, state = 'PAID', paid = i.total, settled_at = moment, issued_on = drawn.issued_on,
        locked_by = NULL, locked_until = NULL, lock_token = NULL, locked_at = NULL, locked_counter = NULL
    WHERE i.id = paper;
END $$;

-- Settle what a customer accepts from the deposit as far as whole invoices go; what is left goes to the till. With nothing
-- open the rental is over.
CREATE FUNCTION sentra.settle_charges(wanted uuid, counter text, again boolean, based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    papers uuid[];
    paper  sentra.invoice;
    moment timestamptz;
    effect jsonb := '{}';
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_counter(counter);
    held := sentra.booking_here(wanted);
    SELECT coalesce(array_agg(DISTINCT i.id), '{}') INTO papers FROM sentra.charge AS c
    JOIN sentra.invoice AS i ON i.id = c.invoice_id WHERE c.booking_id = wanted AND i.state = 'OPEN' AND i.kind = 'FINE';
    PERFORM sentra.refuse_if_locked(papers);
    held := sentra.lock_booking(wanted, true);
    IF again AND held.state = 'COMPLETED' AND held.last_action = 'settle_charges' THEN
        RETURN sentra.charged_booking(wanted, '{}');
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    PERFORM sentra.check_change(held, 'settle_charges');
    PERFORM sentra.refuse_if_locked(papers);
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    moment := sentra.now();
    FOR paper IN SELECT * FROM sentra.invoice AS i
                 WHERE i.state = 'OPEN' AND i.kind = 'FINE'
                   AND i.id IN (SELECT c.invoice_id FROM sentra.charge AS c WHERE c.booking_id = wanted)
                   AND NOT EXISTS (SELECT FROM sentra.charge AS c WHERE c.invoice_id = i.id AND c.standing = 'CONTESTED')
                 ORDER BY i.created_at, i.id LOOP
        IF paper.total <= sentra.deposit_left(wanted) - sentra.held_back(wanted) THEN
            PERFORM sentra.pay_from_deposit(paper.id, counter, moment);
            effect := effect || jsonb_build_object('invoices', coalesce(effect -> 'invoices', '[]') || to_jsonb(paper.id));
        END IF;
    END LOOP;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    IF held.state = 'DISPUTED' AND NOT EXISTS (
        SELECT FROM sentra.charge AS c JOIN sentra.invoice AS i ON i.id = c.invoice_id
        WHERE c.booking_id = wanted AND i.state = 'OPEN' AND i.kind = 'FINE') THEN
        UPDATE sentra.booking SET state = 'COMPLETED', last_action = 'settle_charges' WHERE id = wanted;
        effect := effect || sentra.free_days(held, 'settle_charges');
        PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    END IF;
    RETURN sentra.charged_booking(wanted, effect);
END $$;

-- Pay a fine that came after the rental from what was held back for it.
CREATE FUNCTION sentra.settle_from_deposit(wanted uuid, counter text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    owed   sentra.invoice;
    whose  uuid;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_counter(counter);
    SELECT * INTO owed FROM sentra.invoice AS i
    WHERE i.id = wanted AND i.branch_id = branch AND i.kind = 'POST_RENTAL';
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted));
    END IF;
    SELECT c.booking_id INTO STRICT whose FROM sentra.charge AS c WHERE c.invoice_id = wanted LIMIT 1;
    PERFORM sentra.refuse_if_locked(ARRAY[wanted]);
    PERFORM sentra.lock_booking(whose, true);
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted;
    IF owed.state <> 'OPEN' THEN
        RETURN sentra.charged_booking(whose, '{}');
    END IF;
    PERFORM sentra.refuse_if_locked(ARRAY[wanted]);
    IF owed.total > sentra.deposit_left(whose) THEN
        PERFORM sentra.refuse('AMOUNT_MISMATCH', jsonb_build_object('field', 'invoice_id', 'reason', 'deposit',
            'due', owed.total, 'most', sentra.deposit_left(whose)));
    END IF;
    PERFORM sentra.pay_from_deposit(wanted, counter, sentra.now());
    RETURN sentra.charged_booking(whose, jsonb_build_object('invoices', jsonb_build_array(wanted)));
END $$;

-- The unit of a return that is argued about is free again, or goes to maintenance first. One that never came back is not.
CREATE FUNCTION sentra.release_unit(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    freed  jsonb;
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'maintenance object?', 'based_on number?');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_in_hand(wanted, false, false);
    IF held.state = 'DISPUTED' AND held.last_action = 'release_unit' THEN
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'release_unit');
    IF held.returned_at IS NULL AND held.last_action = 'not_returned' AND p ->> 'maintenance' IS NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', 'not_returned', 'state', held.state, 'action', 'release_unit'));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    IF p ->> 'maintenance' IS NOT NULL THEN  -- before its days come free: they are the breakdown's
        PERFORM sentra.block_unit(p -> 'maintenance' || jsonb_build_object('unit_id', held.unit_id, 'breakdown', true,
            'first_day', sentra.today_of(sentra.my_branch()), 'counter', sentra.my_counter()));
    END IF;
    UPDATE sentra.booking SET last_action = 'release_unit' WHERE id = wanted;
    freed := sentra.free_days(held, 'release_unit');
    PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    RETURN sentra.handed_booking(wanted, freed);
END $$;

-- --- holding back -----------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.told_hold(wanted uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT to_jsonb(h) FROM sentra.deposit_hold AS h WHERE h.id = wanted
$$;

-- Hold a part of a deposit back until a day, before the rental is over. A manager's, or with a manager's word.
CREATE FUNCTION sentra.hold_back(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held  sentra.booking;
    known sentra.deposit_hold;
    most  bigint;
    today date;
BEGIN
    PERFORM sentra.require_role('inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'booking_id uuid', 'amount rupiah', 'days number', 'reason text 500',
        'approval_id uuid?');
    PERFORM sentra.check_reason(p ->> 'reason');
    held := sentra.lock_booking((p ->> 'booking_id')::uuid, false);
    SELECT * INTO known FROM sentra.deposit_hold AS h WHERE h.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF known.booking_id <> held.id THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN sentra.told_hold(known.id);
    END IF;
    IF held.state NOT IN ('ACTIVE_RENTAL', 'RETURNED_PENDING_CHECK', 'DISPUTED') THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', held.id,
            'state', held.state, 'action', 'hold_back'));
    END IF;
    IF (p ->> 'days')::integer NOT BETWEEN 1 AND 180 THEN
        PERFORM sentra.invalid('days', 'out_of_range', '{"least": 1, "most": 180}');
    END IF;
    most := sentra.deposit_left(held.id) - sentra.held_back(held.id);
    IF (p ->> 'amount')::bigint NOT BETWEEN 1 AND most THEN
        PERFORM sentra.invalid('amount', 'out_of_range', jsonb_build_object('least', 1, 'most', most));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        PERFORM sentra.use_approval((p ->> 'approval_id')::uuid, 'hold_back', held.id::text, (p ->> 'amount')::bigint);
    END IF;
    today := sentra.today_of(held.branch_id);
    INSERT INTO sentra.deposit_hold (id, branch_id, booking_id, amount, until_on, reason)
    VALUES ((p ->> 'id')::uuid, held.branch_id, held.id, (p ->> 'amount')::bigint, today + (p ->> 'days')::integer,
        p ->> 'reason');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'hold_back', p ->> 'id', jsonb_build_object('booking_id', held.id,
        'amount', p -> 'amount', 'until_on', today + (p ->> 'days')::integer, 'reason', p ->> 'reason'));
    RETURN sentra.told_hold((p ->> 'id')::uuid);
END $$;

-- End a hold whose booking is locked: of a rental that is over, what is left of it is due back.
CREATE FUNCTION sentra.end_hold(ending sentra.deposit_hold) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE sentra.deposit_hold AS h SET ended_at = sentra.now(), ended_by = session_user WHERE h.id = ending.id;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), ending.branch_id, 'end_hold', ending.id::text,
        jsonb_build_object('booking_id', ending.booking_id, 'amount', ending.amount));
    IF (SELECT b.state FROM sentra.booking AS b WHERE b.id = ending.booking_id) = 'COMPLETED' THEN
        PERFORM sentra.give_rest_back(ending.booking_id);
    END IF;
END $$;

-- A manager gives back early what was held back.
CREATE FUNCTION sentra.release_hold(wanted uuid) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    known  sentra.deposit_hold;
BEGIN
    PERFORM sentra.require_role('manager');
    SELECT * INTO known FROM sentra.deposit_hold AS h WHERE h.id = wanted AND h.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'id', 'id', wanted));
    END IF;
    PERFORM sentra.lock_booking(known.booking_id, false);
    SELECT * INTO known FROM sentra.deposit_hold AS h WHERE h.id = wanted FOR NO KEY UPDATE;
    IF known.ended_at IS NULL THEN
        PERFORM sentra.end_hold(known);
    END IF;
    RETURN sentra.told_hold(wanted);
END $$;

-- End holds whose day is past, at most so many; those in somebody's hands wait for the next pass. How many.
CREATE FUNCTION sentra.end_due_holds(most integer) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '1s' LANGUAGE plpgsql AS $$
DECLARE
    due   sentra.deposit_hold;
    ended integer := 0;
BEGIN
    PERFORM sentra.require_role('service');
    FOR due IN SELECT h.* FROM sentra.deposit_hold AS h
               WHERE h.ended_at IS NULL AND h.until_on < sentra.today_of(h.branch_id)
               ORDER BY h.booking_id, h.id LIMIT greatest(coalesce(most, 1), 1) LOOP
        PERFORM 1 FROM sentra.booking AS b WHERE b.id = due.booking_id FOR NO KEY UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        SELECT * INTO due FROM sentra.deposit_hold AS h WHERE h.id = due.id FOR NO KEY UPDATE;
        CONTINUE WHEN due.ended_at IS NOT NULL;
        PERFORM sentra.end_hold(due);
        ended := ended + 1;
    END LOOP;
    RETURN ended;
END $$;

-- A fine that comes after the rental is over, by a traffic camera for example, on an invoice of its own.
CREATE FUNCTION sentra.post_rental_fine(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    lines  jsonb;
    papers uuid[];
BEGIN
    PERFORM sentra.require_role('inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'booking_id uuid', 'text text 200', 'amount rupiah', 'reason text? 500');
    wanted := (p ->> 'booking_id')::uuid;
    lines := jsonb_build_array(jsonb_build_object('id', p -> 'id', 'kind', 'TRAFFIC', 'text', p -> 'text', 'quantity', 1,
        'unit_price', p -> 'amount', 'contested', false, 'reason', p -> 'reason'));
    held := sentra.lock_booking(wanted, true);
    IF sentra.were_charged(wanted, lines) THEN
        RETURN sentra.charged_booking(wanted, '{}');
    END IF;
    IF held.state <> 'COMPLETED' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'post_rental_fine'));
    END IF;
    PERFORM sentra.check_charges(held, lines, false);
    papers := sentra.write_charges(held, lines, 'POST_RENTAL', sentra.now());
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'post_rental_fine', p ->> 'id',
        jsonb_build_object('booking_id', wanted, 'amount', p -> 'amount'));
    RETURN sentra.charged_booking(wanted, jsonb_build_object('invoices', to_jsonb(papers)));
END $$;

-- What a SKU's returns are charged by from the next check-out on. A manager's.
CREATE FUNCTION sentra.set_charge_terms(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    its_sku text;
    was    jsonb;
    field  text;
    most   bigint;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_fields(p, '', 'sku text 30', 'template text 20', 'included_km number?', 'km_rate rupiah',
        'fuel_rate rupiah', 'one_way_fee rupiah', 'late_free_minutes number', 'late_hour_percent number',
        'late_day_after_minutes number');
    its_sku := p ->> 'sku';
    IF p ->> 'template' NOT IN ('CAR', 'EV', 'MOTORCYCLE', 'EQUIPMENT') THEN
        PERFORM sentra.invalid('template', 'not_valid');
    END IF;
    FOR field, most IN VALUES ('included_km', 99999), ('km_rate', 99999999), ('fuel_rate', 99999999),
        ('one_way_fee', 999999999), ('late_free_minutes', 720), ('late_hour_percent', 100),
        ('late_day_after_minutes', 1440) LOOP
        IF (p ->> field)::bigint NOT BETWEEN 0 AND most THEN
            PERFORM sentra.invalid('charge_terms', 'out_of_range', jsonb_build_object('least', 0, 'most', most));
        END IF;
    END LOOP;
    PERFORM 1 FROM sentra.sku AS s WHERE s.id = its_sku;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'sku', 'sku', its_sku));
    END IF;
    was := sentra.charge_terms_of(its_sku);
    INSERT INTO sentra.charge_terms AS t (sku_id, template, included_km, km_rate, fuel_rate, one_way_fee,
        late_free_minutes, late_hour_percent, late_day_after_minutes)
    VALUES (its_sku, p ->> 'template', (p ->> 'included_km')::integer, (p ->> 'km_rate')::bigint,
        (p ->> 'fuel_rate')::bigint, (p ->> 'one_way_fee')::bigint, (p ->> 'late_free_minutes')::integer,
        (p ->> 'late_hour_percent')::integer, (p ->> 'late_day_after_minutes')::integer)
    ON CONFLICT ON CONSTRAINT charge_terms_pkey DO UPDATE SET template = excluded.template,
        included_km = excluded.included_km, km_rate = excluded.km_rate, fuel_rate = excluded.fuel_rate,
        one_way_fee = excluded.one_way_fee, late_free_minutes = excluded.late_free_minutes,
        late_hour_percent = excluded.late_hour_percent, late_day_after_minutes = excluded.late_day_after_minutes,
        changed_at = sentra.now(), changed_by = session_user;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), branch, 'set_charge_terms', its_sku, was, sentra.charge_terms_of(its_sku));
    RETURN sentra.charge_terms_of(its_sku);
END $$;

-- --- what screens start from --------------------------------------------------------------------------------------------

-- Everything a hand-over or a return starts from, in one snapshot; null for a booking that is not in hand here.
CREATE FUNCTION sentra.handover_basis(wanted uuid) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    moment timestamptz := sentra.now();
    held   sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    SELECT b.* INTO held FROM sentra.booking AS b JOIN sentra.unit AS u ON u.id = b.unit_id
    WHERE b.id = wanted AND (b.branch_id = branch OR (sentra.has_role('inspector') AND (
        b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING')
        OR (b.state IN ('RETURNED_PENDING_CHECK', 'DISPUTED') AND u.branch_id = branch))));
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN (SELECT jsonb_build_object('booking_id', held.id, 'number', held.number, 'order_id', held.order_id,
        'branch_id', held.branch_id, 'version', held.version, 'state', held.state, 'last_action', held.last_action,
        'unit_id', u.id, 'plate', u.plate, 'sku', u.sku_id, 'sold_sku', held.sku_id, 'unit_odometer', u.odometer,
        'unit_status', u.status, 'customer_name', c.name, 'first_day', held.first_day, 'last_day', held.last_day,
        'pickup_at', held.pickup_at, 'due_at', held.due_at, 'late_due_at', sentra.late_due(held),
        'handed_at', held.handed_at, 'returned_at', held.returned_at, 'last_step_at', sentra.last_step_at(held),
        'day_rate', held.daily_rate, 'paid_days', sentra.charged_days(held, greatest(held.last_day, held.paid_until)),
        'elsewhere', u.branch_id <> held.branch_id OR held.branch_id <> branch, 'terms', sentra.terms_for(held),
        'taxed', sentra.taxed_charges(held.branch_id), 'ppn_place', sentra.ppn_place_now(b), 'today',
        (moment AT TIME ZONE b.zone)::date, 'now', moment,
        'gate', CASE WHEN held.state = 'PAID_APPROVED' THEN sentra.gate_lines(held) ELSE '[]' END,
        'damages', (SELECT coalesce(jsonb_agg(to_jsonb(d) ORDER BY d.found_at, d.id), '[]') FROM sentra.damage AS d
                    WHERE d.unit_id = u.id AND d.repaired_at IS NULL),
        'inspections', (SELECT coalesce(jsonb_agg(to_jsonb(i) - 'fingerprint' - 'terms' || jsonb_build_object('photos', (
                SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'angle', f.angle, 'sha256', f.sha256,
                    'damage_id', f.damage_id, 'stored', EXISTS (SELECT FROM sentra.photo_bytes AS s WHERE s.photo_id = f.id))
                    ORDER BY f.id), '[]') FROM sentra.photo AS f WHERE f.inspection_id = i.id)) ORDER BY i.done_at), '[]')
            FROM sentra.inspection AS i WHERE i.booking_id = held.id),
        'trips', (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM sentra.trips_of(held) AS t),
        'collateral', (SELECT coalesce(jsonb_agg(sentra.told_collateral(k.id) ORDER BY k.taken_at, k.id), '[]')
            FROM sentra.collateral AS k WHERE k.booking_id = held.id),
        'charges', (SELECT coalesce(jsonb_agg(to_jsonb(g) || jsonb_build_object('invoice_state', i.state)
                ORDER BY g.created_at, g.invoice_id, g.line_no), '[]')
            FROM sentra.charge AS g JOIN sentra.invoice AS i ON i.id = g.invoice_id WHERE g.booking_id = held.id),
        'holds', (SELECT coalesce(jsonb_agg(to_jsonb(h) ORDER BY h.created_at, h.id), '[]') FROM sentra.deposit_hold AS h
            WHERE h.booking_id = held.id),
        'deposit_left', sentra.deposit_left(held.id), 'refunds', sentra.due_deposit(held.id),
        'at_risk', sentra.at_risk(u.id, daterange((moment AT TIME ZONE b.zone)::date, NULL), held.id))
    FROM sentra.branch AS b
    JOIN sentra.unit AS u ON u.id = held.unit_id
    JOIN sentra.customer AS c ON c.id = held.customer_id
    WHERE b.id = held.branch_id);
END $$;

GRANT EXECUTE ON FUNCTION sentra.handover_basis(uuid), sentra.not_returned(jsonb) TO {{agent}}, {{inspector}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.clear(uuid, boolean, integer), sentra.dispute(jsonb), sentra.add_charges(jsonb),
    sentra.release_unit(jsonb) TO {{inspector}};
GRANT EXECUTE ON FUNCTION sentra.contest_charge(uuid, text), sentra.close_charge(jsonb), sentra.hold_back(jsonb),
    sentra.post_rental_fine(jsonb) TO {{inspector}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.settle_charges(uuid, text, boolean, integer), sentra.settle_from_deposit(uuid, text)
    TO {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.release_hold(uuid), sentra.set_charge_terms(jsonb) TO {{manager}};
GRANT EXECUTE ON FUNCTION sentra.end_due_holds(integer) TO {{service}};
