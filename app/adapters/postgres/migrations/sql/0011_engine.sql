-- What the engine keeps about itself: whether a service sweeps, what differed between index and database, and outside
-- effects that outlive their worker.

-- --- who sweeps -----------------------------------------------------------------------------------------------------

-- One row per running service. A counter reads with every probe whether anybody ends what is not paid.
CREATE TABLE sentra.service_beat (
    instance   text PRIMARY KEY CHECK (length(instance) BETWEEN 1 AND 100),
    started_at timestamptz NOT NULL DEFAULT sentra.now(),
    beat_at    timestamptz NOT NULL DEFAULT sentra.now(),
    trouble    text NOT NULL DEFAULT '' CHECK (length(trouble) <= 500)
) WITH (fillfactor = 50);
GRANT SELECT ON sentra.service_beat TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};

CREATE FUNCTION sentra.beat_service(instance text, trouble text) RETURNS timestamptz
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
BEGIN
    PERFORM sentra.require_role('service');
    IF num_nulls(instance, trouble) > 0 OR length(instance) NOT BETWEEN 1 AND 100 THEN
        PERFORM sentra.invalid('instance', 'not_an_instance');
    END IF;
    INSERT INTO sentra.service_beat AS b (instance, started_at, beat_at, trouble)
    VALUES (beat_service.instance, moment, moment, left(beat_service.trouble, 500))
    ON CONFLICT ON CONSTRAINT service_beat_pkey DO UPDATE SET beat_at = excluded.beat_at, trouble = excluded.trouble;
    -- Services that were killed say no goodbye.
    DELETE FROM sentra.service_beat AS b WHERE b.beat_at < moment - interval '1 day';
    RETURN moment;
END $$;

CREATE FUNCTION sentra.end_service(instance text) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_role('service');
    DELETE FROM sentra.service_beat AS b WHERE b.instance = end_service.instance;
    RETURN FOUND;
END $$;
GRANT EXECUTE ON FUNCTION sentra.beat_service(text, text), sentra.end_service(text) TO {{service}};

-- --- drift ----------------------------------------------------------------------------------------------------------

-- Each time a comparison found the index to say something else than the database: when, how many units, which kinds.
CREATE TABLE sentra.drift (
    found_at timestamptz NOT NULL DEFAULT sentra.now(),
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    found_by text NOT NULL CHECK (found_by IN ('reconcile', 'doctor')),
    units    integer NOT NULL CHECK (units >= 0),
    findings integer NOT NULL CHECK (findings > 0),
    kinds    jsonb NOT NULL CHECK (jsonb_typeof(kinds) = 'object'),
    repaired integer NOT NULL CHECK (repaired >= 0)
);
GRANT SELECT ON sentra.drift TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};

CREATE FUNCTION sentra.record_drift(p jsonb) RETURNS bigint
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    written bigint;
BEGIN
    PERFORM sentra.require_role('service');
    PERFORM sentra.check_fields(p, '', 'found_by text 20', 'units number', 'findings number', 'kinds object',
        'repaired number');
    INSERT INTO sentra.drift (found_by, units, findings, kinds, repaired)
    VALUES (p ->> 'found_by', (p ->> 'units')::integer, (p ->> 'findings')::integer, p -> 'kinds',
        (p ->> 'repaired')::integer)
    RETURNING id INTO written;
    DELETE FROM sentra.drift AS d WHERE d.found_at < sentra.now() - interval '90 days';
    RETURN written;
END $$;
GRANT EXECUTE ON FUNCTION sentra.record_drift(jsonb) TO {{service}};

-- --- outbox ---------------------------------------------------------------------------------------------------------

-- The try after which a row is given up. `attempts` is the lease's epoch as well: it grows for ever, also when somebody
-- asks for a row once more, so that no two leases of a row are the same.
ALTER TABLE sentra.outbox ADD COLUMN last_try integer NOT NULL DEFAULT 12;

-- Take due rows of these kinds under a lease; rows another worker holds are passed over. One that outlived its last
-- allowed worker (each was killed while it worked) is given up instead of being taken for ever.
CREATE OR REPLACE FUNCTION sentra.claim_outbox(kinds text[], most integer, lease_seconds integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
    taken  jsonb;
BEGIN
    PERFORM sentra.require_role('service');
    IF num_nulls(kinds, most, lease_seconds) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN kinds IS NULL THEN 'kinds' WHEN most IS NULL THEN 'most' ELSE 'lease_seconds' END,
            'missing');
    END IF;
    WITH outlived AS (
        SELECT o.id FROM sentra.outbox AS o
        WHERE o.done_at IS NULL AND o.given_up_at IS NULL AND o.attempts >= o.last_try AND o.lease_until <= moment
          AND o.kind = ANY (kinds)
        FOR UPDATE SKIP LOCKED
    )
    UPDATE sentra.outbox AS o SET given_up_at = moment, lease_until = NULL,
        error = 'the last worker ended without an answer'
    FROM outlived WHERE o.id = outlived.id;
    WITH due AS (
        SELECT o.id FROM sentra.outbox AS o
        WHERE o.done_at IS NULL AND o.given_up_at IS NULL AND o.not_before <= moment
          AND (o.lease_until IS NULL OR o.lease_until <= moment) AND o.kind = ANY (kinds)
        ORDER BY o.not_before, o.id LIMIT most FOR UPDATE SKIP LOCKED
    ), leased AS (
        UPDATE sentra.outbox AS o SET lease_until = moment + make_interval(secs => lease_seconds),
            lease_by = session_user || '/' || pg_backend_pid(), attempts = o.attempts + 1
        FROM due WHERE o.id = due.id
        RETURNING o.id, o.kind, o.payload, o.attempts, o.not_before
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'kind', l.kind, 'payload', l.payload,
        'attempts', l.attempts) ORDER BY l.not_before, l.id), '[]') INTO taken FROM leased AS l;
    RETURN taken;
END $$;

-- Whoever carried an effect out records it, also late: it happened, and nobody needs to do it again.
CREATE OR REPLACE FUNCTION sentra.finish_outbox(ids uuid[]) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    finished integer;
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o SET done_at = sentra.now(), lease_until = NULL, error = NULL, given_up_at = NULL
    WHERE o.id = ANY (ids) AND o.done_at IS NULL;
    GET DIAGNOSTICS finished = ROW_COUNT;
    RETURN finished;
END $$;

-- A failure under the lease of this try: again after 5, 10, 20 … s, at most 10 min apart; after 12 tries it is given up,
-- visibly. A worker that woke up after its lease was taken over changes nothing: the try counts as the lease's epoch.
DROP FUNCTION sentra.retry_outbox(uuid, text);
CREATE FUNCTION sentra.retry_outbox(wanted uuid, attempt integer, error text) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o
    SET lease_until = NULL, error = left(retry_outbox.error, 500),
        not_before = sentra.now() + least(interval '5 seconds' * 2 ^ greatest(o.attempts - (o.last_try - 12) - 1, 0),
            interval '10 minutes'),
        given_up_at = CASE WHEN o.attempts >= o.last_try THEN sentra.now() END
    WHERE o.id = wanted AND o.done_at IS NULL AND o.given_up_at IS NULL AND o.attempts = attempt;
    RETURN FOUND;
END $$;

-- Projections that were given up while the index was away, once every unit was compared and mended after them. Two
-- minutes of room: a transaction may stamp its row before the comparison and commit it behind the reading. A retired unit
-- is not compared: what names one is tried again.
CREATE FUNCTION sentra.finish_projections(compared_from timestamptz) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    finished integer;
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o SET given_up_at = NULL, last_try = o.attempts + 12, lease_until = NULL,
        not_before = sentra.now()
    WHERE o.kind = 'project_units' AND o.done_at IS NULL AND o.given_up_at IS NOT NULL
      AND EXISTS (SELECT FROM sentra.unit AS u WHERE u.status = 'RETIRED' AND o.payload -> 'unit_ids' ? u.id);
    UPDATE sentra.outbox AS o SET done_at = sentra.now(), given_up_at = NULL, error = NULL
    WHERE o.kind = 'project_units' AND o.done_at IS NULL AND o.given_up_at IS NOT NULL
      AND o.created_at < compared_from - interval '2 minutes';
    GET DIAGNOSTICS finished = ROW_COUNT;
    RETURN finished;
END $$;

-- Try what was given up twelve times more, after somebody removed the cause.
CREATE FUNCTION sentra.retry_given_up() RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    again integer;
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o SET given_up_at = NULL, last_try = o.attempts + 12, lease_until = NULL,
        not_before = sentra.now()
    WHERE o.done_at IS NULL AND o.given_up_at IS NOT NULL;
    GET DIAGNOSTICS again = ROW_COUNT;
    RETURN again;
END $$;
GRANT EXECUTE ON FUNCTION sentra.retry_outbox(uuid, integer, text), sentra.finish_projections(timestamptz),
    sentra.retry_given_up() TO {{service}};

-- --- guards ---------------------------------------------------------------------------------------------------------

-- Everything that refuses or decides in this schema, as the catalogue tells it now: constraints with their own triggers'
-- state, unique indexes, triggers, row security with its policies, function bodies. Names are written out in full and
-- days in one style, so that the same guard reads the same in every session.
CREATE FUNCTION sentra.guards_now() RETURNS TABLE (kind text, of_table text, name text, made text)
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO, YMD' SET timezone = 'UTC' SET intervalstyle = 'postgres'
LANGUAGE sql STABLE AS $$
    SELECT 'constraint', t.relname::text, c.conname::text,
           concat(pg_get_constraintdef(c.oid), (SELECT string_agg(DISTINCT ' off', '') FROM pg_trigger AS g
                                                WHERE g.tgconstraint = c.oid AND g.tgenabled NOT IN ('O', 'A')))
    FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
    WHERE t.relnamespace = 'sentra'::regnamespace AND c.contype <> 't'
    UNION ALL
    SELECT 'index', t.relname::text, n.relname::text,
           concat(pg_get_indexdef(i.indexrelid), CASE WHEN NOT (i.indisvalid AND i.indisready) THEN ' off' END)
    FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS n ON n.oid = i.indexrelid
    WHERE t.relnamespace = 'sentra'::regnamespace AND i.indisunique
      AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 'trigger', t.relname::text, g.tgname::text,
           concat(pg_get_triggerdef(g.oid), CASE WHEN g.tgenabled NOT IN ('O', 'A') THEN ' off' END)
    FROM pg_trigger AS g JOIN pg_class AS t ON t.oid = g.tgrelid
    WHERE t.relnamespace = 'sentra'::regnamespace AND NOT g.tgisinternal
    UNION ALL
    SELECT 'row security', t.relname::text, t.relname::text, concat('on ', t.relrowsecurity, t.relforcerowsecurity)
    FROM pg_class AS t WHERE t.relnamespace = 'sentra'::regnamespace AND t.relkind = 'r' AND t.relrowsecurity
    UNION ALL
    SELECT 'policy', t.relname::text, p.polname::text,
           concat(p.polcmd, p.polpermissive, ' using ', pg_get_expr(p.polqual, p.polrelid),
                  ' check ', pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_policy AS p JOIN pg_class AS t ON t.oid = p.polrelid WHERE t.relnamespace = 'sentra'::regnamespace
    UNION ALL
    SELECT 'function', 'schema', concat(f.proname, '(', pg_get_function_identity_arguments(f.oid), ')'),
           concat(md5(f.prosrc), ' ', f.prosecdef, ' ', f.proconfig, ' ', f.provolatile, ' ', l.lanname)
    FROM pg_proc AS f JOIN pg_language AS l ON l.oid = f.prolang WHERE f.pronamespace = 'sentra'::regnamespace
$$;

-- The same as the migrations made it, written down when they have run.
CREATE TABLE sentra.guard (
    kind     text NOT NULL,
    of_table text NOT NULL,
    name     text NOT NULL,
    made     text NOT NULL,
    PRIMARY KEY (kind, of_table, name)
);
GRANT SELECT ON sentra.guard TO {{service}}, {{backup}};
GRANT EXECUTE ON FUNCTION sentra.guards_now() TO {{service}};

CREATE FUNCTION sentra.note_guards() RETURNS void LANGUAGE sql AS $$
    DELETE FROM sentra.guard;
    INSERT INTO sentra.guard (kind, of_table, name, made)
    SELECT n.kind, n.of_table, n.name, n.made FROM sentra.guards_now() AS n;
$$;

-- --- answers that were lost ------------------------------------------------------------------------------------------

-- What became of an attempt to pay whose answer was lost: its receipt, or the certainty that it will never be written.
-- Under the row lock that paying holds to its COMMIT: while a transaction of the attempt is under way the wait runs out.
-- A lock that still stands goes on under a fresh token, so that a statement still on its way meets LOCK_LOST; one that
-- does not stand lets nothing through.
CREATE FUNCTION sentra.call_back_payment(wanted uuid, attempt text, token text, epoch bigint, fresh text, counter text)
RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    owed   sentra.invoice;
    made   sentra.payment;
    moment timestamptz;
BEGIN
    PERFORM sentra.require_role('cashier');
    PERFORM sentra.check_lock_question(wanted, fresh, counter);
    IF num_nulls(attempt, token, epoch) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN attempt IS NULL THEN 'attempt_id' WHEN epoch IS NULL THEN 'epoch' ELSE 'token' END,
            'missing');
    END IF;
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN '{"outcome": "NOT_FOUND", "epoch": 0, "remaining_ms": 0}';
    END IF;
    SELECT * INTO made FROM sentra.payment AS x WHERE x.attempt_id = lower(attempt) AND x.invoice_id = wanted;
    moment := sentra.now();
    IF FOUND THEN
        RETURN sentra.lock_answer('NOT_OPEN', owed, moment) || jsonb_build_object('payment_id', made.id,
            'number', owed.number, 'change', made.change, 'paid_at', made.paid_at);
    END IF;
    IF owed.state <> 'OPEN' THEN
        RETURN sentra.lock_answer('NOT_OPEN', owed, moment);
    END IF;
    IF owed.lock_token = fresh AND owed.locked_by = session_user AND owed.locked_until > moment THEN
        RETURN sentra.lock_answer('SAME', owed, moment);
    END IF;
    IF (owed.lock_token = token AND owed.lock_epoch = epoch AND owed.locked_by = session_user
        AND owed.locked_until > moment) IS NOT TRUE THEN
        RETURN sentra.lock_answer('LOST', owed, moment);
    END IF;
    RETURN sentra.lock_answer('TAKEN', sentra.write_lock(owed, fresh, counter, moment), moment);
END $$;
GRANT EXECUTE ON FUNCTION sentra.call_back_payment(uuid, text, text, bigint, text, text) TO {{cashier}};

-- Wait until no transaction that has written this order is still under way: it has committed then, or never will. The
-- order's own primary key is waited for, by a row that does not stay.
CREATE FUNCTION sentra.await_order(wanted uuid) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('order_id', 'missing');
    END IF;
    IF EXISTS (SELECT FROM sentra.booking_order AS x WHERE x.id = wanted) THEN
        RETURN;
    END IF;
    BEGIN
        INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)
        VALUES (wanted, branch, 'COUNTER', '', '');
        RAISE EXCEPTION USING ERRCODE = 'SR003', MESSAGE = 'nobody writes this order';
    EXCEPTION WHEN unique_violation OR SQLSTATE 'SR003' THEN
        RETURN;
    END;
END $$;
GRANT EXECUTE ON FUNCTION sentra.await_order(uuid) TO {{agent}}, {{cashier}};
