-- Fleet import by a manager, and the outbox as the service works it off.

-- One row of a fleet file on the units of the own branch. Answers {"outcome", "column", "reason"}.
CREATE FUNCTION sentra.import_unit(row_of jsonb, own_branch text, any_branch boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    wanted    record;
    branch    sentra.branch;
    kind      sentra.sku;
    known     sentra.unit;
    is_known  boolean;
    outcome   text := 'same';
    given_slot integer;
BEGIN
    SELECT * INTO wanted FROM jsonb_to_record(row_of) AS r (branch_code text, sku text, sku_name text, category text,
        daily_rate bigint, deposit bigint, turnaround_days integer, unit_id text, plate text, colour text,
        odometer bigint, status text);
    SELECT * INTO branch FROM sentra.branch AS b WHERE b.code = wanted.branch_code;
    IF NOT FOUND THEN
        RETURN '{"outcome": "refused", "column": "branch", "reason": "unknown"}';
    END IF;
    IF branch.id IS DISTINCT FROM own_branch AND NOT any_branch THEN
        RETURN '{"outcome": "refused", "column": "branch", "reason": "other_branch"}';
    END IF;
    -- Nothing to read in it, as in "-": this row's mistake, not the file's.
    IF NOT (sentra.is_clean(wanted.sku_name) AND sentra.is_clean(wanted.category) AND sentra.is_clean(wanted.plate)) THEN
        RETURN jsonb_build_object('outcome', 'refused', 'reason', 'empty', 'column', CASE
            WHEN NOT sentra.is_clean(wanted.sku_name) THEN 'sku_name'
            WHEN NOT sentra.is_clean(wanted.category) THEN 'category' ELSE 'plate' END);
    END IF;
    SELECT * INTO known FROM sentra.unit AS u WHERE u.id = wanted.unit_id FOR NO KEY UPDATE;
    is_known := FOUND;
    IF is_known AND known.branch_id <> branch.id THEN
        RETURN '{"outcome": "refused", "column": "unit_id", "reason": "other_branch"}';
    END IF;
    IF NOT is_known AND EXISTS (
        SELECT FROM sentra.unit AS u WHERE lower(u.id COLLATE "C") = lower(wanted.unit_id COLLATE "C")) THEN
        RETURN '{"outcome": "refused", "column": "unit_id", "reason": "differs_by_case"}';
    END IF;
    IF is_known AND known.sku_id <> wanted.sku THEN  -- its slot and keys would have to move
        RETURN '{"outcome": "refused", "column": "sku", "reason": "sku_change"}';
    END IF;
    IF wanted.status = 'RETIRED' AND EXISTS (
        SELECT FROM sentra.occupancy AS o WHERE o.unit_id = wanted.unit_id AND o.active) THEN
        RETURN '{"outcome": "refused", "column": "status", "reason": "has_bookings"}';
    END IF;
    IF wanted.status <> 'RETIRED' AND EXISTS (SELECT FROM sentra.unit AS u
            WHERE u.plate = wanted.plate AND u.id <> wanted.unit_id AND u.status <> 'RETIRED') THEN
        RETURN '{"outcome": "refused", "column": "plate", "reason": "taken"}';
    END IF;

    INSERT INTO sentra.sku (id, name, category, daily_rate, deposit, turnaround_days)
    VALUES (wanted.sku, wanted.sku_name, wanted.category, wanted.daily_rate, wanted.deposit, wanted.turnaround_days)
    ON CONFLICT (id) DO NOTHING;
    SELECT * INTO kind FROM sentra.sku AS s WHERE s.id = wanted.sku FOR NO KEY UPDATE;
    IF (kind.name, kind.category, kind.daily_rate, kind.deposit, kind.turnaround_days) IS DISTINCT FROM
       (wanted.sku_name, wanted.category, wanted.daily_rate, wanted.deposit, wanted.turnaround_days) THEN
        UPDATE sentra.sku AS s SET name = wanted.sku_name, category = wanted.category, daily_rate = wanted.daily_rate,
            deposit = wanted.deposit, turnaround_days = wanted.turnaround_days WHERE s.id = wanted.sku;
        INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
        VALUES (sentra.my_counter(), branch.id, 'change_sku', wanted.sku, to_jsonb(kind) - 'next_slot',
            (SELECT to_jsonb(s) - 'next_slot' FROM sentra.sku AS s WHERE s.id = wanted.sku));
        outcome := 'changed';
    END IF;
    IF NOT is_known THEN
        UPDATE sentra.sku AS s SET next_slot = s.next_slot + 1 WHERE s.id = wanted.sku
        RETURNING s.next_slot - 1 INTO given_slot;
        INSERT INTO sentra.unit (id, sku_id, branch_id, slot, plate, colour, odometer, status)
        VALUES (wanted.unit_id, wanted.sku, branch.id, given_slot, wanted.plate, wanted.colour, wanted.odometer,
            wanted.status);
        outcome := 'added';
    ELSE
        -- A unit whose maintenance runs goes back into service when that ends, not because a file says so. One that a file
        -- put there comes back by a file.
        IF known.status = 'MAINTENANCE' AND wanted.status = 'IN_SERVICE' AND EXISTS (
            SELECT FROM sentra.maintenance AS m WHERE m.unit_id = known.id AND m.state = 'RUNNING') THEN
            wanted.status := known.status;
        END IF;
        IF (known.plate, known.colour, known.odometer, known.status)
           IS DISTINCT FROM (wanted.plate, wanted.colour, wanted.odometer, wanted.status) THEN
            UPDATE sentra.unit AS u SET plate = wanted.plate, colour = wanted.colour, odometer = wanted.odometer,
                status = wanted.status
            WHERE u.id = wanted.unit_id;
            outcome := 'changed';
        END IF;
    END IF;
    IF outcome <> 'same' THEN
        INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
        VALUES (sentra.my_counter(), branch.id, outcome || '_unit', wanted.unit_id,
            CASE WHEN is_known THEN to_jsonb(known) END,
            (SELECT to_jsonb(u) FROM sentra.unit AS u WHERE u.id = wanted.unit_id));
    END IF;
    RETURN jsonb_build_object('outcome', outcome);
END $$;

-- Good rows of a fleet file, in one transaction; each answers by itself. A manager's own branch; the owner, any branch.
CREATE FUNCTION sentra.import_fleet(rows_of jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    own_branch text := sentra.my_branch();
    any_branch boolean := (SELECT r.rolsuper FROM pg_roles AS r WHERE r.rolname = session_user);
    item       jsonb;
    answers    jsonb := '[]';
    answer     jsonb;
    touched    text[] := '{}';
    place      text;
    wrong      text;
BEGIN
    PERFORM sentra.require_role('manager');
    IF own_branch IS NULL AND NOT any_branch THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"reason": "no_active_staff"}');
    END IF;
    IF jsonb_typeof(rows_of) IS DISTINCT FROM 'array' THEN
        PERFORM sentra.invalid('rows', 'not_an_array');
    END IF;
    FOR item, place IN SELECT e, format('rows[%s].', n - 1) FROM jsonb_array_elements(rows_of) WITH ORDINALITY AS x (e, n)
    LOOP
        PERFORM sentra.check_fields(item, place, 'line number', 'branch_code text', 'sku text', 'sku_name text 200',
            'category text', 'daily_rate rupiah', 'deposit rupiah', 'turnaround_days number', 'unit_id text', 'plate text',
            'colour text', 'odometer rupiah', 'status text');
        wrong := CASE WHEN item ->> 'sku' !~ '^[A-Z0-9]([A-Z0-9.-]{0,28}[A-Z0-9])?$' THEN 'sku'
            WHEN item ->> 'unit_id' !~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$' THEN 'unit_id'
            WHEN NOT sentra.is_clean('x' || (item ->> 'sku_name')) THEN 'sku_name'
            WHEN NOT sentra.is_clean('x' || (item ->> 'category')) THEN 'category'
            WHEN NOT sentra.is_clean('x' || (item ->> 'plate'))
              OR item ->> 'plate' <> sentra.single_spaced(upper((item ->> 'plate') COLLATE pg_c_utf8)) THEN 'plate'
            WHEN NOT sentra.is_clean('x' || (item ->> 'colour')) THEN 'colour'
            WHEN (item ->> 'daily_rate')::bigint < 0 THEN 'daily_rate'
            WHEN (item ->> 'deposit')::bigint < 0 THEN 'deposit'
            WHEN (item ->> 'odometer')::bigint < 0 THEN 'odometer'
            WHEN (item ->> 'turnaround_days')::integer NOT BETWEEN 0 AND 35 THEN 'turnaround_days'
            WHEN item ->> 'status' NOT IN ('IN_SERVICE', 'MAINTENANCE', 'RETIRED') THEN 'status' END;
        IF wrong IS NOT NULL THEN
            PERFORM sentra.invalid(place || wrong, 'not_valid');
        END IF;
    END LOOP;
    -- One import at a time: new units have no row yet that two imports could wait for.
    PERFORM 1 FROM sentra.turn AS t WHERE t.name = 'import_fleet' FOR UPDATE;
    -- Every unit's row lock in id order before the first change, as everywhere.
    PERFORM 1 FROM sentra.unit AS u WHERE u.id IN (SELECT e ->> 'unit_id' FROM jsonb_array_elements(rows_of) AS e)
    ORDER BY u.id FOR NO KEY UPDATE;
    FOR item IN SELECT e FROM jsonb_array_elements(rows_of) WITH ORDINALITY AS x (e, line) ORDER BY x.line LOOP
        answer := sentra.import_unit(item, own_branch, any_branch);
        answers := answers || jsonb_build_array(answer || jsonb_build_object('line', item -> 'line',
            'unit_id', item -> 'unit_id'));
        IF answer ->> 'outcome' IN ('added', 'changed') THEN
            touched := touched || (item ->> 'unit_id');
        END IF;
    END LOOP;
    IF touched <> '{}' THEN
        PERFORM sentra.project_later(own_branch, touched, '0');
    END IF;
    RETURN answers;
END $$;
GRANT EXECUTE ON FUNCTION sentra.import_fleet(jsonb) TO {{manager}};

-- --- outbox ---------------------------------------------------------------------------------------------------------

-- Take due rows of these kinds under a lease; rows another worker holds are passed over.
CREATE FUNCTION sentra.claim_outbox(kinds text[], most integer, lease_seconds integer) RETURNS jsonb
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

CREATE FUNCTION sentra.finish_outbox(ids uuid[]) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    finished integer;
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o SET done_at = sentra.now(), lease_until = NULL, error = NULL
    WHERE o.id = ANY (ids) AND o.done_at IS NULL;
    GET DIAGNOSTICS finished = ROW_COUNT;
    RETURN finished;
END $$;

-- A failure: again after 5, 10, 20 … s, at most 10 min apart; after 12 tries it is given up, visibly.
CREATE FUNCTION sentra.retry_outbox(wanted uuid, error text) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_role('service');
    UPDATE sentra.outbox AS o
    SET lease_until = NULL, error = left(retry_outbox.error, 500),
        not_before = sentra.now() + least(interval '5 seconds' * 2 ^ greatest(o.attempts - 1, 0), interval '10 minutes'),
        given_up_at = CASE WHEN o.attempts >= 12 THEN sentra.now() END
    WHERE o.id = wanted AND o.done_at IS NULL;
    RETURN FOUND;
END $$;
GRANT EXECUTE ON FUNCTION sentra.claim_outbox(text[], integer, integer), sentra.finish_outbox(uuid[]),
    sentra.retry_outbox(uuid, text) TO {{service}};
