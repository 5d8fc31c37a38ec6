-- Money through the payment gateway: attempts to pay an invoice there, what the gateway tells, booking it, and what becomes
-- of money that comes too late. Lock order as everywhere: invoice, bookings by id, units by id, number counter; an
-- attempt's row after its invoice.

-- --- attempts -------------------------------------------------------------------------------------------------------

-- One try to pay an invoice at the gateway, by link or QRIS. `order_id` is the gateway's name of it: invoice and number.
-- ASKED: to be made there; LIVE: can be paid; PAID, ENDED, FAILED: over. Money that comes after the end is booked all the
-- same, so PAID follows every state and nothing follows PAID. `ask_at`: when the gateway is asked next, null for never.
CREATE TABLE sentra.gateway_attempt (
    order_id       text PRIMARY KEY CHECK (order_id ~ '^[A-Za-z0-9._~-]{1,50}$'),
    invoice_id     uuid NOT NULL REFERENCES sentra.invoice,
    number         integer NOT NULL CHECK (number BETWEEN 1 AND 999),
    branch_id      text NOT NULL REFERENCES sentra.branch,
    kind           text NOT NULL CHECK (kind IN ('LINK', 'QRIS')),
    amount         bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999),
    state          text NOT NULL CHECK (state IN ('ASKED', 'LIVE', 'ENDED', 'FAILED', 'PAID')),
    seen           text NOT NULL DEFAULT '' CHECK (length(seen) <= 30),
    expires_at     timestamptz NOT NULL CHECK (sentra.is_sane(expires_at)),
    link           text CHECK (length(link) <= 500),
    qr             text CHECK (length(qr) <= 1000),
    transaction_id text CHECK (length(transaction_id) <= 40),
    ask_at         timestamptz,
    asked_count    integer NOT NULL DEFAULT 0,
    end_asked_at   timestamptz,
    ended_at       timestamptz,
    paid_at        timestamptz,
    error          text NOT NULL DEFAULT '' CHECK (length(error) <= 300),
    counter        text NOT NULL DEFAULT '' CHECK (length(counter) <= 60),
    created_at     timestamptz NOT NULL DEFAULT sentra.now(),
    created_by     text NOT NULL DEFAULT session_user,
    CONSTRAINT gateway_attempt_number_once UNIQUE (invoice_id, number)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX gateway_attempt_one_live ON sentra.gateway_attempt (invoice_id) WHERE state IN ('ASKED', 'LIVE');
CREATE INDEX gateway_attempt_due ON sentra.gateway_attempt (ask_at) WHERE ask_at IS NOT NULL;

-- What the gateway told, as before: written before anything is done with it. `verdict`: an event about an order that is
-- none of ours, or about another sum than was asked for, is kept and moves nothing by itself. `said`: the amount as it was
-- written; `amount` is it rounded down, `is_exact` unless our part of it was. `fee`: the part of `amount` that the gateway charged the payer on top. `given_back`:
-- the part of it that went back to the payer there since. `is_held`: taken, and not said to be ours. Only what it answers
-- when it is asked (STATUS) is money. Another amount, or another meaning of the same word, is another row.
ALTER TABLE sentra.gateway_event
    ADD COLUMN said       text NOT NULL DEFAULT '' CHECK (length(said) <= 30),
    ADD COLUMN is_exact   boolean NOT NULL DEFAULT true,
    ADD COLUMN fee        bigint NOT NULL DEFAULT 0 CHECK (fee >= 0),
    ADD COLUMN given_back bigint NOT NULL DEFAULT 0 CHECK (given_back >= 0),
    ADD COLUMN is_money   boolean NOT NULL DEFAULT false,
    ADD COLUMN is_held    boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT gateway_event_once,
    ADD CONSTRAINT gateway_event_once UNIQUE (provider, order_id, transaction_id, status, code, said, fee, given_back,
        is_money, is_held),
    ADD COLUMN verdict  text NOT NULL DEFAULT 'OK' CHECK (verdict IN ('OK', 'UNKNOWN_ORDER', 'WRONG_AMOUNT')),
    ADD COLUMN source   text NOT NULL DEFAULT 'NOTIFICATION' CHECK (source IN ('NOTIFICATION', 'STATUS'));
CREATE INDEX gateway_event_order ON sentra.gateway_event (order_id, transaction_id);

-- Money that could not settle its invoice: a task while OPEN. `reason` is why; `provider_order_id` and `transaction_id` name
-- the money at the gateway. A REINSTATED one settled a new order instead. Beside what became of the money itself:
-- GIVEN_BACK, what the gateway gave back of it to the payer; HELD_BACK, what it took and has not said to be ours, CLOSED
-- once it did, or refused it.
ALTER TABLE sentra.late_money
    DROP CONSTRAINT late_money_gateway_event_id_key,
    DROP CONSTRAINT late_money_state_check,
    ADD CONSTRAINT late_money_state_check CHECK (state IN ('OPEN', 'REINSTATED', 'REFUNDED', 'CLOSED')),
    ADD COLUMN reason text NOT NULL DEFAULT 'LATE' CHECK (reason IN ('LATE', 'UNIT_TAKEN', 'PICKUP_PAST',
        'NOT_A_BOOKING', 'SECOND_PAYMENT', 'WRONG_AMOUNT', 'OVERPAID', 'BOOKING_STATE', 'GIVEN_BACK', 'HELD_BACK')),
    ADD COLUMN provider_order_id   text,
    ADD COLUMN transaction_id      text,
    ADD COLUMN reinstated_order_id uuid REFERENCES sentra.booking_order,
    ADD CONSTRAINT late_money_event_once UNIQUE (gateway_event_id, reason),
    ADD CONSTRAINT late_money_reinstated CHECK ((state = 'REINSTATED') = (reinstated_order_id IS NOT NULL));
CREATE UNIQUE INDEX late_money_once ON sentra.late_money (provider_order_id, transaction_id)
    WHERE reason NOT IN ('GIVEN_BACK', 'HELD_BACK');
CREATE UNIQUE INDEX late_money_held_once ON sentra.late_money (provider_order_id, transaction_id)
    WHERE reason = 'HELD_BACK' AND state = 'OPEN';
CREATE INDEX late_money_open ON sentra.late_money (branch_id, created_at) WHERE state = 'OPEN';
CREATE INDEX late_money_invoice ON sentra.late_money (invoice_id);

GRANT SELECT ON sentra.gateway_attempt TO {{agent}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};
ALTER TABLE sentra.gateway_attempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_branch ON sentra.gateway_attempt FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
    USING (branch_id = (SELECT sentra.my_branch()));
CREATE POLICY every_branch ON sentra.gateway_attempt FOR SELECT TO {{service}} USING (true);

ALTER TABLE sentra.setting ADD CONSTRAINT setting_gateway CHECK (key <> 'gateway' OR jsonb_typeof(value) = 'object');

-- A running service tells counters which gateway it speaks to, again and again; `simulated` money is no money. Both null,
-- of a service without a key: there is none, unless another service told of one within the last minute. Whether what was
-- told holds.
CREATE FUNCTION sentra.publish_gateway(mode text, simulated boolean) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
    said jsonb := jsonb_build_object('mode', mode, 'simulated', simulated);
BEGIN
    PERFORM sentra.require_role('service');
    IF num_nulls(mode, simulated) = 2 THEN
        DELETE FROM sentra.setting AS s
        WHERE s.key = 'gateway' AND s.branch_id IS NULL AND s.changed_at < moment - interval '1 minute';
        RETURN NOT EXISTS (SELECT 1 FROM sentra.setting AS s WHERE s.key = 'gateway' AND s.branch_id IS NULL);
    END IF;
    IF num_nulls(mode, simulated) > 0 OR mode !~ '^[a-z]{1,20}$' THEN
        PERFORM sentra.invalid('mode', 'not_a_mode');
    END IF;
    -- Told with every pass, written when it is news or ten seconds old.
    PERFORM 1 FROM sentra.setting AS s WHERE s.key = 'gateway' AND s.branch_id IS NULL AND s.value = said
        AND s.changed_at > moment - interval '10 seconds';
    IF NOT FOUND THEN
        INSERT INTO sentra.setting AS s (branch_id, key, value, changed_at) VALUES (NULL, 'gateway', said, moment)
        ON CONFLICT ON CONSTRAINT setting_once DO UPDATE
        SET value = excluded.value, changed_at = excluded.changed_at, changed_by = session_user;
    END IF;
    RETURN true;
END $$;

-- How long an ended link of this invoice can be paid on all the same: the gateway ends no page on which nothing was begun,
-- or on which a way to pay failed. Null when there is none.
CREATE FUNCTION sentra.still_payable_until(wanted uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT max(a.expires_at) FROM sentra.gateway_attempt AS a
    WHERE a.invoice_id = wanted AND a.kind = 'LINK' AND a.state = 'ENDED' AND a.link IS NOT NULL
      AND a.seen IN ('not_opened', 'deny', 'failure') AND a.expires_at > sentra.now()
$$;

CREATE FUNCTION sentra.attempt_json(a sentra.gateway_attempt) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT to_jsonb(a) || jsonb_build_object('now', sentra.now(),
        'still_payable_until', sentra.still_payable_until(a.invoice_id),
        'seconds_left', greatest(0, floor(extract(epoch FROM a.expires_at - sentra.now())))::bigint,
        'simulated', coalesce((SELECT (s.value ->> 'simulated')::boolean FROM sentra.setting AS s
                               WHERE s.key = 'gateway' AND s.branch_id IS NULL), false))
$$;

-- Until when an invoice can be paid: the deadline of the bookings that its payment is for; null without one.
CREATE FUNCTION sentra.pay_until(owed sentra.invoice) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT min(b.payment_deadline) FROM sentra.booking AS b
    WHERE b.order_id = owed.order_id AND CASE
        WHEN owed.kind IN ('RENTAL', 'DOWN_PAYMENT') THEN b.state = 'PENDING_PAYMENT'
        WHEN owed.kind = 'EXTENSION' THEN b.state = 'EXTENSION_PENDING' AND owed.id = ANY (sentra.extension_papers(b)) END
$$;

-- Ask for an attempt to pay what is due of an invoice; the service makes it at the gateway. The one that is live and the
-- same is answered again. It can be paid no longer than the invoice: by QRIS at most 15 minutes, by link a day.
CREATE FUNCTION sentra.ask_attempt(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    wanted uuid;
    wish   text;
    owed   sentra.invoice;
    live   sentra.gateway_attempt;
    made   sentra.gateway_attempt;
    moment timestamptz;
    until  timestamptz;
    due    bigint;
    place  integer;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    PERFORM sentra.check_fields(p, '', 'invoice_id uuid', 'kind text 10', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    wanted := (p ->> 'invoice_id')::uuid;
    wish := p ->> 'kind';
    IF wish NOT IN ('LINK', 'QRIS') THEN
        PERFORM sentra.invalid('kind', 'not_offered');
    END IF;
    IF NOT EXISTS (SELECT FROM sentra.setting AS s WHERE s.key = 'gateway' AND s.branch_id IS NULL) THEN
        PERFORM sentra.refuse('UNREACHABLE', '{"reason": "no_gateway"}');
    END IF;
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted));
    END IF;
    moment := sentra.now();
    due := owed.total - owed.paid;
    IF owed.state = 'VOID' AND EXISTS (SELECT FROM sentra.booking AS b
                                       WHERE b.order_id = owed.order_id AND b.last_action = 'expire') THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('invoice_id', wanted));
    END IF;
    IF owed.state <> 'OPEN' OR due <= 0 THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted,
            'state', owed.state, 'action', 'start_attempt'));
    END IF;
    PERFORM sentra.refuse_before_down_payment(wanted);
    IF owed.locked_by <> session_user THEN
        PERFORM sentra.refuse_if_locked(ARRAY[wanted]);
    END IF;
    SELECT * INTO live FROM sentra.gateway_attempt AS a
    WHERE a.invoice_id = wanted AND a.state IN ('ASKED', 'LIVE') FOR NO KEY UPDATE;
    IF FOUND THEN
        IF (live.kind, live.amount) = (wish, due) AND live.end_asked_at IS NULL AND live.expires_at > moment THEN
            RETURN sentra.attempt_json(live);
        END IF;
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'invoice_id', 'reason', 'live_attempt',
            'kind', live.kind, 'amount', live.amount, 'invoice_id', wanted));
    END IF;
    IF wish = 'QRIS' AND due > 10000000 THEN  -- the domain's MAX_QRIS
        PERFORM sentra.invalid('kind', 'too_much', '{"most": 10000000}');
    END IF;
    until := least(sentra.pay_until(owed),
        moment + CASE wish WHEN 'QRIS' THEN interval '15 minutes' ELSE interval '24 hours' END);
    IF wish = 'LINK' AND until >= moment + interval '1 minute' AND until < moment + interval '5 minutes' THEN
        PERFORM sentra.invalid('kind', 'too_late_for_a_link', '{"least_seconds": 300}');  -- the domain's LEAST_LINK_SECONDS
    END IF;
    IF until < moment + interval '1 minute' THEN  -- the domain's LEAST_SECONDS
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('invoice_id', wanted, 'reason', 'too_late',
            'payment_deadline', until));
    END IF;
    SELECT coalesce(max(a.number), 0) + 1 INTO place FROM sentra.gateway_attempt AS a WHERE a.invoice_id = wanted;
    INSERT INTO sentra.gateway_attempt (order_id, invoice_id, number, branch_id, kind, amount, state, expires_at, ask_at,
        counter, created_at)
    VALUES (wanted || '-' || place, wanted, place, branch, wish, due, 'ASKED', until, until, p ->> 'counter', moment)
    RETURNING * INTO made;
    INSERT INTO sentra.outbox (kind, branch_id, payload)
    VALUES ('gateway_create', branch, jsonb_build_object('order_id', made.order_id));
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', branch, 'start_attempt', wanted::text,
        jsonb_build_object('order_id', made.order_id, 'kind', wish, 'amount', due, 'expires_at', until));
    RETURN sentra.attempt_json(made);
END $$;

-- Have an invoice's live attempt ended at the gateway, before it is paid another way. Null when there is none.
CREATE FUNCTION sentra.end_attempt(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    wanted uuid;
    live   sentra.gateway_attempt;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    PERFORM sentra.check_fields(p, '', 'invoice_id uuid', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    wanted := (p ->> 'invoice_id')::uuid;
    PERFORM 1 FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted));
    END IF;
    SELECT * INTO live FROM sentra.gateway_attempt AS a WHERE a.invoice_id = wanted AND a.state IN ('ASKED', 'LIVE');
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF live.end_asked_at IS NULL THEN
        INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
        VALUES (p ->> 'counter', branch, 'end_attempt', wanted::text, jsonb_build_object('order_id', live.order_id));
        PERFORM sentra.ask_end(live.invoice_id, branch);
        SELECT * INTO live FROM sentra.gateway_attempt AS a WHERE a.order_id = live.order_id;
    END IF;
    RETURN sentra.attempt_json(live);
END $$;

-- The invoice's live attempt is to be ended at the gateway; its row is locked after the invoice's.
CREATE FUNCTION sentra.ask_end(wanted uuid, branch text) RETURNS void LANGUAGE sql AS $$
    WITH ended AS (
        UPDATE sentra.gateway_attempt AS a SET end_asked_at = sentra.now(), ask_at = least(a.ask_at, sentra.now())
        WHERE a.invoice_id = wanted AND a.state IN ('ASKED', 'LIVE') AND a.end_asked_at IS NULL
        RETURNING a.order_id
    )
    INSERT INTO sentra.outbox (kind, branch_id, payload)
    SELECT 'gateway_end', branch, jsonb_build_object('order_id', e.order_id) FROM ended AS e
$$;

-- An invoice that is paid another way, void, or about another sum: what is live of it at the gateway is ended there.
CREATE FUNCTION sentra.gateway_ends_with_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.ask_end(NEW.id, NEW.branch_id);
    RETURN NULL;
END $$;
CREATE TRIGGER gateway_ends_with_invoice AFTER UPDATE OF state, total ON sentra.invoice FOR EACH ROW
    WHEN (OLD.state = 'OPEN' AND (NEW.state <> 'OPEN' OR NEW.total <> OLD.total))
    EXECUTE FUNCTION sentra.gateway_ends_with_invoice();

GRANT EXECUTE ON FUNCTION sentra.ask_attempt(jsonb), sentra.end_attempt(jsonb) TO {{agent}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.publish_gateway(text, boolean) TO {{service}};

-- --- deadlines ------------------------------------------------------------------------------------------------------

-- Whether a booking past its deadline may expire: as before; and while an attempt is live it is asked for and ended at the
-- gateway first, for at most 20 seconds.
CREATE OR REPLACE FUNCTION sentra.may_expire(held sentra.booking, moment timestamptz) RETURNS boolean LANGUAGE sql STABLE
AS $$
    SELECT (held.payment_deadline + interval '5 minutes' <= moment OR NOT EXISTS (
        SELECT FROM sentra.invoice AS i
        WHERE i.order_id = held.order_id AND i.state = 'OPEN' AND i.locked_until > moment
          AND (held.state <> 'EXTENSION_PENDING' OR i.id = ANY (sentra.extension_papers(held)))))
    AND (held.payment_deadline + interval '20 seconds' <= moment OR NOT EXISTS (
        SELECT FROM sentra.invoice AS i JOIN sentra.gateway_attempt AS a ON a.invoice_id = i.id
        WHERE i.order_id = held.order_id AND i.state = 'OPEN' AND a.state IN ('ASKED', 'LIVE')
          AND (held.state <> 'EXTENSION_PENDING' OR i.id = ANY (sentra.extension_papers(held)))))
$$;

-- --- the service's side ---------------------------------------------------------------------------------------------

-- What became of an attempt at the gateway: MADE (with link or QR), FAILED (refused there), ENDED, SEEN (still open), or
-- LATER (no answer). Never back in state; `seconds`: when it is asked about next, null for never.
CREATE FUNCTION sentra.note_attempt(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    noted  sentra.gateway_attempt;
    what   text;
    moment timestamptz;
    next   timestamptz;
BEGIN
    PERFORM sentra.require_role('service');
    PERFORM sentra.check_fields(p, '', 'order_id text 50', 'what text 10', 'link text? 500', 'qr text? 1000',
        'transaction_id text? 40', 'seen text? 30', 'error text? 300', 'seconds number?');
    what := p ->> 'what';
    SELECT * INTO noted FROM sentra.gateway_attempt AS a WHERE a.order_id = p ->> 'order_id' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', '{"field": "order_id"}');
    END IF;
    moment := sentra.now();
    IF p ->> 'seen' IN ('expire', 'cancel', 'deny', 'failure') THEN  -- what was held back was not paid in the end
        UPDATE sentra.late_money AS l SET state = 'CLOSED', closed_at = moment, closed_by = session_user
        WHERE l.provider_order_id = noted.order_id AND l.reason = 'HELD_BACK' AND l.state = 'OPEN';
    END IF;
    next := moment + make_interval(secs => (p ->> 'seconds')::integer);
    IF noted.state = 'PAID' THEN
        UPDATE sentra.gateway_attempt AS a SET ask_at = NULL WHERE a.order_id = noted.order_id RETURNING * INTO noted;
        RETURN sentra.attempt_json(noted);
    END IF;
    IF what IN ('MADE', 'SEEN', 'LATER') AND noted.state IN ('ASKED', 'LIVE') AND noted.expires_at > moment THEN
        next := least(next, noted.expires_at);  -- it is asked about at its end in any case
    END IF;
    UPDATE sentra.gateway_attempt AS a
    SET state = CASE WHEN what = 'MADE' AND a.state = 'ASKED' THEN 'LIVE'
                     WHEN what = 'FAILED' AND a.state = 'ASKED' THEN 'FAILED'
                     WHEN what = 'ENDED' AND a.state IN ('ASKED', 'LIVE') THEN 'ENDED' ELSE a.state END,
        ended_at = CASE WHEN what IN ('ENDED', 'FAILED') THEN coalesce(a.ended_at, moment) ELSE a.ended_at END,
        link = coalesce(p ->> 'link', a.link), qr = coalesce(p ->> 'qr', a.qr),
        transaction_id = coalesce(p ->> 'transaction_id', a.transaction_id),
        seen = coalesce(p ->> 'seen', a.seen), error = coalesce(p ->> 'error', ''), ask_at = next
    WHERE a.order_id = noted.order_id RETURNING * INTO noted;
    RETURN sentra.attempt_json(noted);
END $$;

-- Take one attempt that is to be asked about now; another service passes it over for half a minute.
CREATE FUNCTION sentra.claim_attempt() RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
    taken  sentra.gateway_attempt;
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.gateway_attempt AS a SET ask_at = moment + interval '30 seconds', asked_count = a.asked_count + 1
    WHERE a.order_id = (SELECT x.order_id FROM sentra.gateway_attempt AS x WHERE x.ask_at <= moment
                        ORDER BY x.ask_at, x.order_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING * INTO taken;
    RETURN CASE WHEN taken.order_id IS NOT NULL THEN sentra.attempt_json(taken) END;
END $$;

-- Store what the gateway told before anything is done with it. An order id of ours whose attempt is not on record (a
-- database put back from a backup) makes one. The same told again answers the first row.
CREATE FUNCTION sentra.record_gateway_event(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    tried  sentra.gateway_attempt;
    kept  sentra.gateway_event;
    fresh  boolean;
    judged text;
    place  text;
BEGIN
    PERFORM sentra.require_role('service');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'order_id text 100', 'transaction_id text 40', 'status text 30',
        'code text 10', 'said text 30', 'amount rupiah?', 'fee rupiah', 'given_back rupiah', 'is_exact boolean',
        'is_money boolean', 'is_held boolean', 'source text 20', 'body text 65536');
    SELECT * INTO tried FROM sentra.gateway_attempt AS a WHERE a.order_id = p ->> 'order_id';
    IF NOT FOUND AND p ->> 'order_id' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[1-9][0-9]{0,2}$' THEN
        INSERT INTO sentra.gateway_attempt (order_id, invoice_id, number, branch_id, kind, amount, state, expires_at, ended_at)
        SELECT p ->> 'order_id', i.id, split_part(p ->> 'order_id', '-', 6)::integer, i.branch_id, 'LINK',
               i.total, 'ENDED', sentra.now(), sentra.now()
        FROM sentra.invoice AS i WHERE i.id = left(p ->> 'order_id', 36)::uuid AND i.total > 0
        ON CONFLICT DO NOTHING;
        SELECT * INTO tried FROM sentra.gateway_attempt AS a WHERE a.order_id = p ->> 'order_id';
    END IF;
    judged := CASE WHEN tried.order_id IS NULL THEN 'UNKNOWN_ORDER'
                   WHEN (p ->> 'is_exact')::boolean AND tried.amount = (p ->> 'amount')::bigint - (p ->> 'fee')::bigint
                   THEN 'OK' ELSE 'WRONG_AMOUNT' END;
    -- What it sends and what it answers when asked are two things: a signature does not cover the status.
    place := CASE p ->> 'source' WHEN 'STATUS' THEN 'midtrans/status' ELSE 'midtrans' END;
    INSERT INTO sentra.gateway_event (id, provider, order_id, transaction_id, status, code, said, amount, is_exact, fee,
        given_back, is_money, is_held, verdict, source, body)
    VALUES ((p ->> 'id')::uuid, place, p ->> 'order_id', p ->> 'transaction_id', p ->> 'status', p ->> 'code',
        p ->> 'said', (p ->> 'amount')::bigint, (p ->> 'is_exact')::boolean, (p ->> 'fee')::bigint,
        (p ->> 'given_back')::bigint, (p ->> 'is_money')::boolean, (p ->> 'is_held')::boolean, judged, p ->> 'source', p ->> 'body')
    ON CONFLICT ON CONSTRAINT gateway_event_once DO NOTHING RETURNING * INTO kept;
    fresh := FOUND;
    IF NOT fresh THEN
        SELECT * INTO STRICT kept FROM sentra.gateway_event AS e
        WHERE (e.provider, e.order_id, e.transaction_id, e.status, e.code, e.said, e.fee, e.given_back, e.is_money,
               e.is_held)
            = (place, p ->> 'order_id', p ->> 'transaction_id', p ->> 'status', p ->> 'code', p ->> 'said',
               (p ->> 'fee')::bigint, (p ->> 'given_back')::bigint, (p ->> 'is_money')::boolean,
               (p ->> 'is_held')::boolean);
    END IF;
    IF fresh AND ((p ->> 'is_money')::boolean OR (p ->> 'is_held')::boolean) THEN
        -- Should the one who stored this die now, somebody asks the gateway within seconds; also of what is paid, because
        -- money comes twice and goes back.
        UPDATE sentra.gateway_attempt AS a
        SET ask_at = least(a.ask_at, sentra.now() + interval '5 seconds') WHERE a.order_id = tried.order_id;
    END IF;
    RETURN jsonb_build_object('id', kept.id, 'fresh', fresh, 'verdict', kept.verdict,
        'attempt', CASE WHEN tried.order_id IS NOT NULL THEN sentra.attempt_json(tried) END,
        'is_booked', sentra.is_booked(kept.order_id, kept.transaction_id)
                     AND least(kept.given_back, kept.amount - kept.fee) <= sentra.booked_back(kept.order_id, kept.transaction_id));
END $$;

-- The name under which money of the gateway is booked once.
CREATE FUNCTION sentra.money_name(order_id text, transaction_id text) RETURNS text IMMUTABLE LANGUAGE sql AS
$$ SELECT 'midtrans:' || order_id || ':' || transaction_id $$;

-- Whether money of the gateway became a payment or late money.
CREATE FUNCTION sentra.is_booked(its_order text, its_transaction text) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM sentra.payment AS x WHERE x.attempt_id = sentra.money_name(its_order, its_transaction))
        OR EXISTS (SELECT FROM sentra.late_money AS l WHERE l.provider_order_id = its_order
                   AND l.transaction_id = its_transaction AND l.reason NOT IN ('GIVEN_BACK', 'HELD_BACK'))
$$;

-- How much of it is on record as given back at the gateway.
CREATE FUNCTION sentra.booked_back(its_order text, its_transaction text) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT coalesce(sum(l.amount), 0)::bigint FROM sentra.late_money AS l
    WHERE l.provider_order_id = its_order AND l.transaction_id = its_transaction AND l.reason = 'GIVEN_BACK'
$$;

-- --- what a payment does, whoever takes it --------------------------------------------------------------------------

-- The bookings that settling this invoice moves, and their units; `act` null when it moves none. Bookings are locked, then
-- units. A FINE ends its booking when it is the booking's last open FINE.
CREATE FUNCTION sentra.lock_paid_bookings(owed sentra.invoice, OUT act text, OUT paying uuid[], OUT units text[])
LANGUAGE plpgsql AS $$
BEGIN
    act := CASE owed.kind WHEN 'RENTAL' THEN 'pay' WHEN 'DOWN_PAYMENT' THEN 'pay'
                          WHEN 'EXTENSION' THEN 'approve_extension' WHEN 'FINE' THEN 'settle_charges' END;
    IF act IS NULL THEN
        RETURN;
    END IF;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = owed.order_id ORDER BY b.id FOR NO KEY UPDATE;
    SELECT array_agg(b.id ORDER BY b.id), array_agg(DISTINCT b.unit_id) INTO paying, units
    FROM sentra.booking AS b
    WHERE b.order_id = owed.order_id
      AND (act = 'pay' OR EXISTS (SELECT FROM sentra.invoice_line AS l
                                  WHERE l.invoice_id = owed.id AND l.booking_id = b.id AND l.active))
      AND b.state = CASE act WHEN 'pay' THEN 'PENDING_PAYMENT' WHEN 'approve_extension' THEN 'EXTENSION_PENDING'
                             ELSE 'DISPUTED' END
      AND (act <> 'settle_charges' OR NOT EXISTS (
           SELECT FROM sentra.invoice_line AS l JOIN sentra.invoice AS i ON i.id = l.invoice_id
           WHERE l.booking_id = b.id AND l.active AND i.kind = 'FINE' AND i.state = 'OPEN' AND i.id <> owed.id));
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
END $$;

-- Active rows that stand in the way of unpaid bookings being paid; empty while occupancy_no_overlap stands.
CREATE FUNCTION sentra.blocking_payment(paying uuid[], units text[], branch text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(e), '[]')
    FROM (SELECT sentra.blocking_rows(jsonb_agg(jsonb_build_object('unit_id', b.unit_id, 'taken_first', b.first_day,
                     'taken_last', b.last_day + b.turnaround_days)), branch, paying || coalesce((
                         SELECT array_agg(x.id) FROM sentra.booking AS x
                         WHERE x.unit_id = ANY (units) AND x.state = 'PENDING_PAYMENT'), '{}')) AS found
          FROM sentra.booking AS b WHERE b.id = ANY (paying)) AS all_of_them
    CROSS JOIN LATERAL jsonb_array_elements(all_of_them.found) AS e
    WHERE e ->> 'kind' <> 'OVERDUE'
$$;

-- Move the paid bookings on; their states by id.
CREATE FUNCTION sentra.move_paid_bookings(act text, paying uuid[], moment timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    longer date;
    states jsonb := '{}';
BEGIN
    FOR held IN SELECT * FROM sentra.booking AS b WHERE b.id = ANY (paying) ORDER BY b.id LOOP
        IF act = 'approve_extension' THEN  -- the held days are the longer period and its turnaround
            SELECT upper(o.days) - 1 - held.turnaround_days INTO STRICT longer FROM sentra.occupancy AS o
            WHERE o.booking_id = held.id AND o.active AND o.kind = 'BOOKING';
            UPDATE sentra.booking AS b SET state = 'ACTIVE_RENTAL', last_action = act, payment_deadline = NULL,
                last_day = longer, paid_until = NULL,
                due_at = (SELECT t.due FROM sentra.rental_times(held, held.first_day, longer, moment) AS t)
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
    RETURN states;
END $$;

-- Draw the next number of a branch and month; the last thing of a settling transaction, because it holds the branch's
-- counter to COMMIT. Number and date are of the one moment given.
CREATE FUNCTION sentra.draw_invoice_number(branch text, moment timestamptz, OUT number text, OUT issued_on date)
LANGUAGE plpgsql AS $$
DECLARE
    its_month text;
    drawn     integer;
    place     sentra.branch;
BEGIN
    SELECT * INTO STRICT place FROM sentra.branch AS x WHERE x.id = branch;
    its_month := to_char(moment AT TIME ZONE place.zone, 'YYYYMM');
    INSERT INTO sentra.number_counter AS n (branch_id, month, last) VALUES (branch, its_month, 1)
    ON CONFLICT ON CONSTRAINT number_counter_pkey DO UPDATE SET last = n.last + 1 RETURNING n.last INTO STRICT drawn;
    number := format('INV/%s/%s/%s', place.code, its_month, lpad(drawn::text, greatest(5, length(drawn::text)), '0'));
    issued_on := (moment AT TIME ZONE place.zone)::date;
END $$;

-- --- booking the gateway's money ------------------------------------------------------------------------------------

-- Settle an invoice, whose row and bookings are locked, with money of the gateway: payment and tender without a lock's
-- epoch, bookings moved, number last. A cashier's lock ends with it.
CREATE FUNCTION sentra.settle_by_gateway(owed sentra.invoice, payment uuid, money text, tender_kind text, reference text,
    act text, paying uuid[], units text[], moment timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    due    bigint := owed.total - owed.paid;
    states jsonb;
    drawn  record;
BEGIN
    INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, change, attempt_id, lock_epoch, paid_at, counter)
    VALUES (payment, owed.id, owed.branch_id, due, 0, money, NULL, moment, 'gateway');
    INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received, reference)
    VALUES (payment, 1, owed.branch_id, tender_kind, due, due, reference);
    states := sentra.move_paid_bookings(act, paying, moment);
    IF units IS NOT NULL THEN
        PERFORM sentra.project_later(owed.branch_id, units);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES ('gateway', owed.branch_id, 'settle', owed.id::text,
        jsonb_strip_nulls(jsonb_build_object('state', owed.state, 'paid', owed.paid, 'locked_by', owed.locked_by)),
        jsonb_build_object('state', 'PAID', 'paid', owed.total, 'payment_id', payment, 'money', money));
    drawn := sentra.draw_invoice_number(owed.branch_id, moment);
    UPDATE sentra.invoice AS i
    SET number = coalesce(i.number, drawn.number), state = 'PAID', paid = i.total, settled_at = moment,
        issued_on = coalesce(i.issued_on, drawn.issued_on), locked_by = NULL, locked_until = NULL, lock_token = NULL,
        locked_at = NULL, locked_counter = NULL
    WHERE i.id = owed.id;
    RETURN jsonb_build_object('booking_states', states, 'number', drawn.number);
END $$;

-- Why an order that ended unpaid cannot be made once more for the money of this invoice; null when it can. Its bookings are
-- locked, and their units.
CREATE FUNCTION sentra.not_reinstatable(owed sentra.invoice, moment timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    ended uuid[];
    units text[];
BEGIN
    IF owed.kind NOT IN ('RENTAL', 'DOWN_PAYMENT') THEN
        RETURN 'NOT_A_BOOKING';
    END IF;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = owed.order_id ORDER BY b.id FOR NO KEY UPDATE;
    SELECT array_agg(b.id ORDER BY b.id), array_agg(DISTINCT b.unit_id) INTO ended, units FROM sentra.booking AS b
    WHERE b.order_id = owed.order_id AND EXISTS (
        SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = owed.id AND l.booking_id = b.id AND l.active);
    IF EXISTS (SELECT FROM sentra.booking AS b WHERE b.reinstated_from = ANY (ended)) THEN
        RETURN 'SECOND_PAYMENT';
    END IF;
    IF ended IS NULL OR EXISTS (SELECT FROM sentra.booking AS b WHERE b.id = ANY (ended)
                                AND (b.state, b.last_action) NOT IN (('CANCELLED', 'expire'), ('CANCELLED', 'cancel'))) THEN
        RETURN 'BOOKING_STATE';
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM sentra.booking AS b WHERE b.id = ANY (ended) AND b.pickup_at <= moment) THEN
        RETURN 'PICKUP_PAST';
    END IF;
    IF EXISTS (SELECT FROM sentra.booking AS b JOIN sentra.unit AS u ON u.id = b.unit_id
               WHERE b.id = ANY (ended) AND (u.status = 'RETIRED' OR u.branch_id <> b.branch_id OR u.sku_id <> b.sku_id))
       OR (SELECT sentra.blocking_rows(jsonb_agg(jsonb_build_object('unit_id', b.unit_id, 'taken_first', b.first_day,
                      'taken_last', b.last_day + b.turnaround_days)), owed.branch_id, '{}')
           FROM sentra.booking AS b WHERE b.id = ANY (ended)) <> '[]' THEN
        RETURN 'UNIT_TAKEN';
    END IF;
    RETURN NULL;
END $$;

-- Make an order once more that ended unpaid: new bookings on the same units and days, at the same frozen prices, with the
-- same invoices; the new one of `owed` is to be settled by the caller. Everything is locked and looked at before.
CREATE FUNCTION sentra.reinstate_order(owed sentra.invoice, moment timestamptz, OUT new_order uuid, OUT paper uuid)
LANGUAGE plpgsql AS $$
DECLARE
    ended   uuid[];
    becomes jsonb := '{}';
    papers  jsonb := '{}';
    written integer;
BEGIN
    new_order := gen_random_uuid();
    SELECT array_agg(b.id ORDER BY b.line_no), jsonb_object_agg(b.id, gen_random_uuid()) INTO ended, becomes
    FROM sentra.booking AS b
    WHERE b.order_id = owed.order_id AND EXISTS (
        SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = owed.id AND l.booking_id = b.id AND l.active);
    INSERT INTO sentra.booking_order
    SELECT x.* FROM sentra.booking_order AS o CROSS JOIN LATERAL jsonb_populate_record(o, jsonb_build_object(
        'id', new_order, 'source', 'REINSTATED', 'fingerprint', 'reinstated ' || o.id, 'counter', 'gateway',
        'created_at', moment, 'created_by', session_user)) AS x
    WHERE o.id = owed.order_id;
    INSERT INTO sentra.booking
    SELECT x.* FROM sentra.booking AS b CROSS JOIN LATERAL jsonb_populate_record(b, jsonb_build_object(
        'id', becomes ->> b.id::text, 'number', 'BK-' || nextval('sentra.booking_number'), 'order_id', new_order,
        'state', 'PENDING_PAYMENT', 'version', 1, 'payment_deadline', moment + interval '15 minutes',
        'source', 'REINSTATED', 'reinstated_from', b.id, 'last_action', 'create', 'reason', '', 'counter', 'gateway',
        'created_at', moment, 'created_by', session_user, 'changed_at', moment)) AS x
    WHERE b.id = ANY (ended) ORDER BY b.line_no;
    INSERT INTO sentra.booking_extra
    SELECT x.* FROM sentra.booking_extra AS e CROSS JOIN LATERAL jsonb_populate_record(e, jsonb_build_object(
        'booking_id', becomes ->> e.booking_id::text)) AS x
    WHERE e.booking_id = ANY (ended);
    INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id, created_at, changed_at)
    SELECT b.unit_id, b.sku_id, b.branch_id, daterange(b.first_day, b.last_day + b.turnaround_days, '[]'), 'BOOKING', b.id,
           moment, moment
    FROM sentra.booking AS b WHERE b.order_id = new_order ORDER BY b.unit_id
    ON CONFLICT ON CONSTRAINT occupancy_no_overlap DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(ended) THEN
        RAISE EXCEPTION 'days were taken past the unit''s lock' USING ERRCODE = 'serialization_failure';
    END IF;
    SELECT jsonb_object_agg(i.id, gen_random_uuid()) INTO papers FROM sentra.invoice AS i
    WHERE i.order_id = owed.order_id AND i.kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE') AND i.state = 'VOID'
      AND i.total > 0;
    INSERT INTO sentra.invoice
    SELECT x.* FROM sentra.invoice AS i CROSS JOIN LATERAL jsonb_populate_record(i, jsonb_build_object(
        'id', papers ->> i.id::text, 'number', NULL, 'order_id', new_order, 'state', 'OPEN', 'paid', 0, 'issued_on', NULL,
        'settled_at', NULL, 'voided_at', NULL, 'lock_epoch', 0, 'created_by', session_user)) AS x
    WHERE papers ? i.id::text;
    INSERT INTO sentra.invoice_line
    SELECT x.* FROM sentra.invoice_line AS l CROSS JOIN LATERAL jsonb_populate_record(l, jsonb_build_object(
        'invoice_id', papers ->> l.invoice_id::text, 'booking_id', becomes ->> l.booking_id::text)) AS x
    WHERE papers ? l.invoice_id::text AND l.active;
    paper := (papers ->> owed.id::text)::uuid;
END $$;

-- Put on record what the gateway gave back of booked money, as far as it is not: a task. Whether there was any. The row of
-- the invoice is locked.
CREATE FUNCTION sentra.book_given_back(owed sentra.invoice, event uuid, back bigint, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    told sentra.gateway_event;
    more bigint;
BEGIN
    SELECT * INTO told FROM sentra.gateway_event AS e WHERE e.id = event;
    more := back - sentra.booked_back(told.order_id, told.transaction_id);
    IF (more > 0) IS NOT TRUE THEN
        RETURN false;
    END IF;
    INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state, reason, provider_order_id,
        transaction_id, created_at)
    VALUES (gen_random_uuid(), owed.branch_id, told.id, owed.id, more, 'OPEN', 'GIVEN_BACK', told.order_id,
        told.transaction_id, moment);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES ('gateway', owed.branch_id, 'gateway_gave_back', owed.id::text, jsonb_build_object('order_id', told.order_id,
        'transaction_id', told.transaction_id, 'word', told.status, 'amount', more, 'in_all', back));
    RETURN true;
END $$;

-- Book money that the gateway confirmed, told by a stored event; each money once, whoever tells it and how often. It
-- settles its invoice while that asks for it, also past the deadline and under a cashier's lock. An order that ended unpaid
-- is made once more for it where its units are still free and no pick-up is past. Everything else is late money: a task.
-- What the gateway gave back of booked money since is a task beside it; money that went back whole before it was booked is
-- explained by its events alone. Money that is held back is a task until the gateway says what it is.
CREATE FUNCTION sentra.book_gateway_money(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    told   sentra.gateway_event;
    tried  sentra.gateway_attempt;
    owed   sentra.invoice;
    money  text;
    net    bigint;
    due    bigint;
    moment timestamptz;
    its    record;
    why    text;
    made   record;
    effect jsonb := '{}';
    task   uuid;
    outcome text;
    tender_kind text;
    back   bigint;
    latest uuid;
BEGIN
    PERFORM sentra.require_role('service');
    PERFORM sentra.check_fields(p, '', 'event_id uuid', 'payment_id uuid', 'late_id uuid', 'payment_type text 40');
    SELECT * INTO told FROM sentra.gateway_event AS e WHERE e.id = (p ->> 'event_id')::uuid;
    SELECT * INTO tried FROM sentra.gateway_attempt AS a WHERE a.order_id = told.order_id;
    net := told.amount - told.fee;
    IF tried.order_id IS NULL OR NOT (told.is_money OR told.is_held) OR told.source <> 'STATUS' OR (net > 0) IS NOT TRUE
    THEN
        RETURN '{"outcome": "UNKNOWN"}';
    END IF;
    money := sentra.money_name(told.order_id, told.transaction_id);
    tender_kind := CASE WHEN p ->> 'payment_type' = 'qris' OR tried.kind = 'QRIS' THEN 'QRIS' ELSE 'GATEWAY' END;
    SELECT * INTO STRICT owed FROM sentra.invoice AS i WHERE i.id = tried.invoice_id FOR NO KEY UPDATE;
    moment := sentra.now();
    IF told.is_held THEN
        IF NOT sentra.is_booked(told.order_id, told.transaction_id) THEN
            INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state, reason,
                provider_order_id, transaction_id)
            VALUES ((p ->> 'late_id')::uuid, owed.branch_id, told.id, owed.id, net, 'OPEN', 'HELD_BACK', told.order_id,
                told.transaction_id)
            ON CONFLICT DO NOTHING;
        END IF;
        RETURN jsonb_build_object('outcome', 'HELD', 'branch_id', owed.branch_id, 'invoice_id', owed.id);
    END IF;
    UPDATE sentra.late_money AS l SET state = 'CLOSED', closed_at = moment, closed_by = session_user
    WHERE l.provider_order_id = told.order_id AND l.transaction_id = told.transaction_id AND l.reason = 'HELD_BACK'
      AND l.state = 'OPEN';
    -- The latest of what it gave back, whichever event is booked first. Of it the fee was never ours.
    SELECT least(e.given_back, net), e.id INTO back, latest FROM sentra.gateway_event AS e
    WHERE e.order_id = told.order_id AND e.transaction_id = told.transaction_id AND e.source = 'STATUS' AND e.is_money
    ORDER BY e.given_back DESC, e.received_at DESC LIMIT 1;
    IF sentra.is_booked(told.order_id, told.transaction_id) THEN
        outcome := CASE WHEN sentra.book_given_back(owed, latest, back, moment) THEN 'GIVEN_BACK' ELSE 'ALREADY' END;
        RETURN jsonb_build_object('outcome', outcome, 'branch_id', owed.branch_id, 'invoice_id', owed.id);
    END IF;
    IF back >= net THEN
        UPDATE sentra.gateway_attempt AS a
        SET state = 'ENDED', seen = told.status, ended_at = moment, ask_at = NULL
        WHERE a.order_id = tried.order_id AND a.state IN ('ASKED', 'LIVE');
        outcome := CASE WHEN FOUND OR tried.seen <> told.status THEN 'GIVEN_BACK' ELSE 'ALREADY' END;
        RETURN jsonb_build_object('outcome', outcome, 'branch_id', owed.branch_id, 'invoice_id', owed.id);
    END IF;
    UPDATE sentra.gateway_attempt AS a
    SET state = 'PAID', seen = told.status, paid_at = coalesce(a.paid_at, moment), ask_at = NULL, error = '',
        transaction_id = coalesce(a.transaction_id, told.transaction_id)
    WHERE a.order_id = tried.order_id;
    due := owed.total - owed.paid;
    IF owed.state = 'PAID' THEN
        why := 'SECOND_PAYMENT';
    ELSIF owed.state = 'VOID' THEN
        why := CASE WHEN net <> owed.total OR NOT told.is_exact THEN 'WRONG_AMOUNT'
                    ELSE sentra.not_reinstatable(owed, moment) END;
    ELSIF due <= 0 OR net < due OR NOT told.is_exact THEN
        why := 'WRONG_AMOUNT';
    ELSE
        its := sentra.lock_paid_bookings(owed);
        why := CASE WHEN its.paying IS NULL AND its.act IN ('pay', 'approve_extension') THEN 'BOOKING_STATE'
                    WHEN its.act = 'pay' AND sentra.blocking_payment(its.paying, its.units, owed.branch_id) <> '[]'
                    THEN 'UNIT_TAKEN' END;
    END IF;
    IF why IS NULL AND owed.state = 'OPEN' THEN
        outcome := 'PAID';
        effect := sentra.settle_by_gateway(owed, (p ->> 'payment_id')::uuid, money, tender_kind, told.transaction_id,
            its.act, its.paying, its.units, moment);
        IF net > due THEN  -- a cheaper invoice than was asked for: the rest is to be given back
            why := 'OVERPAID';
            net := net - due;
        END IF;
    ELSIF why IS NULL THEN
        outcome := 'REINSTATED';
        made := sentra.reinstate_order(owed, moment);
        INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state, reason,
            provider_order_id, transaction_id, reinstated_order_id, closed_at, closed_by)
        VALUES ((p ->> 'late_id')::uuid, owed.branch_id, told.id, owed.id, net, 'REINSTATED', 'LATE', told.order_id,
            told.transaction_id, made.new_order, moment, session_user);
        SELECT * INTO STRICT owed FROM sentra.invoice AS i WHERE i.id = made.paper FOR NO KEY UPDATE;
        its := sentra.lock_paid_bookings(owed);
        effect := sentra.settle_by_gateway(owed, (p ->> 'payment_id')::uuid, money, tender_kind, told.transaction_id,
            its.act, its.paying, its.units, moment);
    ELSE
        outcome := 'LATE';
    END IF;
    IF why IS NOT NULL THEN
        task := (p ->> 'late_id')::uuid;
        INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state, reason,
            provider_order_id, transaction_id)
        VALUES (task, owed.branch_id, told.id, owed.id, net, 'OPEN', why, told.order_id, told.transaction_id);
    END IF;
    PERFORM sentra.book_given_back(owed, latest, back, moment);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES ('gateway', owed.branch_id, 'gateway_money', owed.id::text, jsonb_strip_nulls(jsonb_build_object(
        'outcome', outcome, 'reason', why, 'order_id', told.order_id, 'transaction_id', told.transaction_id,
        'amount', told.amount, 'fee', told.fee)));
    RETURN jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'reason', why, 'branch_id', owed.branch_id,
        'invoice_id', owed.id, 'asked_invoice_id', tried.invoice_id, 'number', effect ->> 'number', 'late_id', task,
        'bookings', (SELECT jsonb_agg(k) FROM jsonb_object_keys(effect -> 'booking_states') AS k)))
        || jsonb_build_object('projections', sentra.unit_projections(coalesce((
            SELECT array_agg(DISTINCT b.unit_id) FROM sentra.booking AS b
            WHERE outcome = 'REINSTATED' AND b.order_id = owed.order_id), '{}')));
END $$;

GRANT EXECUTE ON FUNCTION sentra.note_attempt(jsonb), sentra.claim_attempt(), sentra.record_gateway_event(jsonb),
    sentra.book_gateway_money(jsonb) TO {{service}};
