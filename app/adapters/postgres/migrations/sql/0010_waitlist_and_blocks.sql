-- Waitlist entries at the counter, maintenance blocks and breakdowns, holidays of a branch, wishes that were refused.
-- Lock order: units by id, then the block's own row. Nothing here locks invoices or bookings.

-- --- tables ---------------------------------------------------------------------------------------------------------

-- One open place per customer, SKU and first day: joining twice keeps the first. After a lapse or a withdrawal a new
-- join is a new place.
ALTER TABLE sentra.waitlist_entry ADD COLUMN counter text NOT NULL DEFAULT '' CHECK (length(counter) <= 60);
ALTER TABLE sentra.waitlist_entry ADD COLUMN closed_at timestamptz;
CREATE UNIQUE INDEX waitlist_entry_one_open ON sentra.waitlist_entry (customer_id, branch_id, sku_id, first_day)
    WHERE state IN ('WAITING', 'OFFERED');

ALTER TABLE sentra.maintenance ADD COLUMN counter text NOT NULL DEFAULT '' CHECK (length(counter) <= 60);
ALTER TABLE sentra.maintenance ADD COLUMN ended_at timestamptz;
ALTER TABLE sentra.maintenance ADD COLUMN ended_by text;
CREATE INDEX occupancy_maintenance ON sentra.occupancy (maintenance_id) WHERE maintenance_id IS NOT NULL;

-- What a branch says of a day, over the national calendar: a name of its own, or that the day is an ordinary one.
CREATE TABLE sentra.holiday (
    branch_id  text NOT NULL REFERENCES sentra.branch,
    day        date NOT NULL CHECK (day BETWEEN '2000-01-01' AND '9997-12-31'),
    state      text NOT NULL CHECK (state IN ('ADDED', 'REMOVED')),
    name       text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by text NOT NULL DEFAULT session_user,
    PRIMARY KEY (branch_id, day),
    CONSTRAINT holiday_name CHECK (length(name) <= 80
        AND CASE state WHEN 'ADDED' THEN sentra.is_clean(name) ELSE name = '' END)
);

-- A wish refused for want of free days, for the lost-demand report. `unit_id` when a unit was asked for by name.
CREATE TABLE sentra.refused_demand (
    id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    order_id  uuid NOT NULL,
    branch_id text NOT NULL REFERENCES sentra.branch,
    sku_id    text NOT NULL REFERENCES sentra.sku,
    unit_id   text REFERENCES sentra.unit,
    first_day date NOT NULL,
    last_day  date NOT NULL,
    code      text NOT NULL CHECK (code = 'DAYS_TAKEN'),
    counter   text NOT NULL CHECK (length(counter) <= 60),
    at        timestamptz NOT NULL DEFAULT sentra.now(),
    by        text NOT NULL DEFAULT session_user,
    CONSTRAINT refused_demand_period CHECK (last_day >= first_day AND last_day - first_day < 365
        AND sentra.is_sane(daterange(first_day, last_day, '[]'))),
    CONSTRAINT refused_demand_once UNIQUE NULLS NOT DISTINCT (order_id, sku_id, unit_id, first_day, last_day)
);
CREATE INDEX refused_demand_at ON sentra.refused_demand (branch_id, at);
CREATE INDEX refused_demand_day ON sentra.refused_demand (branch_id, first_day);

GRANT SELECT ON sentra.holiday TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.refused_demand TO {{manager}}, {{service}};
GRANT SELECT ON sentra.holiday, sentra.refused_demand TO {{backup}};

DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['holiday', 'refused_demand'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
END $$;

-- --- what several of them check -------------------------------------------------------------------------------------

-- The branch's calendar day.
CREATE FUNCTION sentra.today_of(branch text) RETURNS date LANGUAGE sql STABLE AS
$$ SELECT (sentra.now() AT TIME ZONE b.zone)::date FROM sentra.branch AS b WHERE b.id = branch $$;

-- Refuse days that do not begin from today on, that lie more than 730 days away, that are reversed or more than `most`.
CREATE FUNCTION sentra.check_stretch(first_day date, last_day date, today date, most integer) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    wrong text := CASE WHEN first_day < today THEN 'past' WHEN first_day - today > 730 THEN 'too_far' END;
BEGIN
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', 'first_day', 'reason', wrong,
            'first', first_day, 'limit', 730));
    END IF;
    wrong := CASE WHEN last_day < first_day THEN 'reversed' WHEN last_day - first_day >= most THEN 'too_long' END;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', 'last_day', 'reason', wrong,
            'first', first_day, 'last', last_day, 'days', last_day - first_day + 1, 'limit', most));
    END IF;
END $$;

-- The customer that is named by id, or typed: one with the same phone is used instead of a second one.
CREATE FUNCTION sentra.given_customer(customer_id uuid, typed jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    known uuid;
BEGIN
    IF customer_id IS NOT NULL THEN
        SELECT c.id INTO known FROM sentra.customer AS c WHERE c.id = customer_id;
        IF NOT FOUND THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer.id', 'customer_id', customer_id));
        END IF;
        RETURN known;
    END IF;
    PERFORM sentra.check_fields(typed, 'customer.', 'id uuid', 'name text 1000', 'phone text 40');
    IF sentra.name_fault(typed ->> 'name') IS NOT NULL THEN
        PERFORM sentra.invalid('customer.name', sentra.name_fault(typed ->> 'name'), '{"least": 2, "most": 80}');
    END IF;
    IF typed ->> 'phone' !~ '^\+[1-9][0-9]{7,14}$' THEN
        PERFORM sentra.invalid('customer.phone', 'not_a_phone');
    END IF;
    INSERT INTO sentra.customer (id, name, phone)
    VALUES ((typed ->> 'id')::uuid, typed ->> 'name', typed ->> 'phone')
    ON CONFLICT DO NOTHING RETURNING id INTO known;
    IF known IS NULL THEN
        SELECT c.id INTO known FROM sentra.customer AS c WHERE c.phone = typed ->> 'phone';
        IF NOT FOUND THEN  -- no such phone, so it is the id that somebody has
            PERFORM sentra.refuse('DUPLICATE', '{"field": "customer.id"}');
        END IF;
    END IF;
    RETURN known;
END $$;

-- --- waitlist -------------------------------------------------------------------------------------------------------

-- One entry as screens show it. Its position counts the waiting entries of the branch and SKU that overlap it, itself
-- included, in the order of the sorted set's score; ties go by arrival.
CREATE FUNCTION sentra.waitlist_place(wanted uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', w.id, 'customer_id', c.id, 'customer_name', c.name, 'customer_phone', c.phone,
        'tier_weight', w.tier_weight, 'sku', w.sku_id, 'first_day', w.first_day, 'last_day', w.last_day,
        'joined_at', w.joined_at, 'state', w.state, 'position', CASE WHEN w.state = 'WAITING' THEN (
            SELECT count(*) FROM sentra.waitlist_entry AS x
            WHERE x.branch_id = w.branch_id AND x.sku_id = w.sku_id AND x.state = 'WAITING'
              AND x.first_day >= sentra.today_of(w.branch_id)
              AND x.first_day <= w.last_day AND x.last_day >= w.first_day
              AND (x.tier_weight, x.joined_at, x.id) <= (w.tier_weight, w.joined_at, w.id)) ELSE 0 END)
    FROM sentra.waitlist_entry AS w JOIN sentra.customer AS c ON c.id = w.customer_id
    WHERE w.id = wanted
$$;

-- What the mirror says of a customer under a SKU and first day: of all branches the best waiting place; null when none.
CREATE FUNCTION sentra.mirrored_place(customer uuid, sku text, first date) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('tier_weight', w.tier_weight, 'joined_at', w.joined_at)
    FROM sentra.waitlist_entry AS w
    WHERE w.customer_id = customer AND w.sku_id = sku AND w.first_day = first AND w.state = 'WAITING'
      AND w.first_day >= sentra.today_of(w.branch_id)
    ORDER BY w.tier_weight, w.joined_at LIMIT 1
$$;

-- Join the own branch's list. Answers the entry with `already`: the customer had an open place, and keeps it.
CREATE FUNCTION sentra.join_waitlist(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch   text := sentra.require_branch();
    wish_id  uuid;
    sku      text;
    first    date;
    last     date;
    customer uuid;
    place    uuid;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    PERFORM sentra.check_fields(wanted, '', 'id uuid', 'customer_id uuid?', 'new_customer object?', 'sku_id text 30',
        'first_day day', 'last_day day', 'counter text 60');
    PERFORM sentra.check_counter(wanted ->> 'counter');
    wish_id := (wanted ->> 'id')::uuid;
    sku := wanted ->> 'sku_id';
    first := (wanted ->> 'first_day')::date;
    last := (wanted ->> 'last_day')::date;
    PERFORM sentra.check_stretch(first, last, sentra.today_of(branch), 365);
    IF NOT EXISTS (SELECT FROM sentra.unit AS u
                   WHERE u.sku_id = sku AND u.branch_id = branch AND u.status <> 'RETIRED') THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'sku', 'sku', sku));
    END IF;
    customer := sentra.given_customer((wanted ->> 'customer_id')::uuid, wanted -> 'new_customer');
    FOR attempt IN 1..3 LOOP
        INSERT INTO sentra.waitlist_entry (id, customer_id, branch_id, sku_id, first_day, last_day, tier_weight,
            counter)
        SELECT wish_id, c.id, branch, sku, first, last,
               array_position(ARRAY['PLATINUM', 'GOLD', 'SILVER', 'BASIC'], c.tier) - 1, wanted ->> 'counter'
        FROM sentra.customer AS c WHERE c.id = customer
        ON CONFLICT DO NOTHING
        RETURNING id INTO place;
        IF place IS NOT NULL THEN
            INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
            SELECT wanted ->> 'counter', branch, 'join_waitlist', place::text, jsonb_build_object('sku', w.sku_id,
                'first_day', w.first_day, 'last_day', w.last_day, 'customer_id', w.customer_id,
                'tier_weight', w.tier_weight, 'state', w.state)
            FROM sentra.waitlist_entry AS w WHERE w.id = place;
            RETURN sentra.waitlist_place(place) || jsonb_build_object('already', false,
                'mirrored', sentra.mirrored_place(customer, sku, first));
        END IF;
        -- Somebody was first, perhaps an earlier try of this very call.
        SELECT w.id INTO place FROM sentra.waitlist_entry AS w
        WHERE w.customer_id = customer AND w.branch_id = branch AND w.sku_id = sku AND w.first_day = first
          AND w.state IN ('WAITING', 'OFFERED');
        IF FOUND THEN
            RETURN sentra.waitlist_place(place) || jsonb_build_object('already', place <> wish_id,
                'mirrored', sentra.mirrored_place(customer, sku, first));
        END IF;
        IF EXISTS (SELECT FROM sentra.waitlist_entry AS w WHERE w.id = wish_id) THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        -- The place that stood in the way was closed in between.
    END LOOP;
    RAISE EXCEPTION 'the place changed hands three times' USING ERRCODE = 'serialization_failure';
END $$;

-- Take a waiting entry off the list. Answers what the mirror has to forget.
CREATE FUNCTION sentra.withdraw_waitlist(wanted uuid, counter text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    held   sentra.waitlist_entry;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('entry_id', 'missing');
    END IF;
    PERFORM sentra.check_counter(counter);
    SELECT * INTO held FROM sentra.waitlist_entry AS w WHERE w.id = wanted AND w.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'entry_id', 'entry_id', wanted));
    END IF;
    IF held.state = 'WAITING' THEN
        UPDATE sentra.waitlist_entry SET state = 'WITHDRAWN', closed_at = sentra.now() WHERE id = wanted;
        INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
        VALUES (counter, branch, 'withdraw_waitlist', wanted::text, '{"state": "WAITING"}', '{"state": "WITHDRAWN"}');
    ELSIF held.state <> 'WITHDRAWN' THEN
        PERFORM sentra.invalid('entry_id', 'not_waiting', jsonb_build_object('entry_id', wanted, 'state', held.state));
    END IF;
    RETURN jsonb_build_object('id', held.id, 'branch_id', held.branch_id, 'customer_id', held.customer_id,
        'sku', held.sku_id, 'first_day', held.first_day,
        'mirrored', sentra.mirrored_place(held.customer_id, held.sku_id, held.first_day));
END $$;

-- --- maintenance ----------------------------------------------------------------------------------------------------

-- A block as callers need it.
CREATE FUNCTION sentra.blocked_unit(wanted uuid, blockers jsonb, freed jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('row', jsonb_build_object('id', m.id, 'unit_id', m.unit_id, 'plate', u.plate,
            'first_day', lower(m.days), 'last_day', upper(m.days) - 1, 'state', m.state, 'breakdown', m.breakdown,
            'reason', m.reason, 'created_by_name', coalesce(s.name, '')),
        'blockers', blockers, 'freed', freed, 'projections', sentra.unit_projections(ARRAY[m.unit_id]))
    FROM sentra.maintenance AS m JOIN sentra.unit AS u ON u.id = m.unit_id
    LEFT JOIN sentra.staff AS s ON s.role_name = m.created_by
    WHERE m.id = wanted
$$;

-- Block those of the days from today on that nothing takes: several rows around what is booked.
CREATE FUNCTION sentra.block_free_days(block sentra.maintenance, within daterange) RETURNS void LANGUAGE sql AS $$
    INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)
    SELECT u.id, u.sku_id, u.branch_id, gap, 'MAINTENANCE', block.id
    FROM sentra.unit AS u
    CROSS JOIN LATERAL unnest(
        datemultirange(block.days * within * daterange(sentra.today_of(u.branch_id), NULL))
        - coalesce((SELECT range_agg(o.days) FROM sentra.occupancy AS o
                    WHERE o.unit_id = u.id AND o.active AND o.kind IN ('BOOKING', 'MAINTENANCE')), '{}')) AS gap
    WHERE u.id = block.unit_id
    ORDER BY gap
    ON CONFLICT DO NOTHING
$$;

-- Take a unit out of rent. Answers the block, or {"taken": […]}: then the transaction is to be rolled back.
CREATE FUNCTION sentra.block_unit(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch    text := sentra.require_branch();
    wanted    uuid;
    first     date;
    last      date;
    breakdown boolean;
    blocked   sentra.unit;
    block     sentra.maintenance;
    in_way    jsonb;
    written   integer;
    today     date;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'unit_id text 64', 'first_day day', 'last_day day', 'reason text 200',
        'breakdown boolean', 'counter text 60');
    breakdown := (p ->> 'breakdown')::boolean;
    IF breakdown THEN
        PERFORM sentra.require_role('inspector');
    END IF;
    PERFORM sentra.check_counter(p ->> 'counter');
    IF NOT sentra.is_clean(p ->> 'reason') THEN
        PERFORM sentra.invalid('reason', 'not_a_reason');
    END IF;
    wanted := (p ->> 'id')::uuid;
    first := (p ->> 'first_day')::date;
    last := (p ->> 'last_day')::date;
    SELECT * INTO blocked FROM sentra.unit AS u WHERE u.id = p ->> 'unit_id' AND u.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'unit_id', 'unit_id', p ->> 'unit_id'));
    END IF;
    in_way := sentra.blocking_rows(jsonb_build_array(jsonb_build_object('unit_id', blocked.id, 'taken_first', first,
        'taken_last', last)), branch, '{}');
    -- Looked up under the unit's lock: a block sent twice waited here for its own first try.
    SELECT * INTO block FROM sentra.maintenance AS m WHERE m.id = wanted;
    IF FOUND THEN
        IF (block.unit_id, lower(block.days), block.breakdown, block.reason, block.created_by)
           IS DISTINCT FROM (blocked.id, first, breakdown, p ->> 'reason', session_user::text) THEN
            PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'block_id', 'block_id', wanted));
        END IF;
        RETURN sentra.blocked_unit(wanted, sentra.not_maintenance(in_way, breakdown), '[]');
    END IF;
    today := sentra.today_of(branch);
    PERFORM sentra.check_stretch(first, last, today, 400);
    IF blocked.status = 'RETIRED' THEN
        PERFORM sentra.refuse('UNIT_NOT_RENTABLE', jsonb_build_object('field', 'unit_id', 'unit_id', blocked.id,
            'plate', blocked.plate, 'status', blocked.status));
    END IF;
    IF NOT breakdown AND in_way <> '[]' THEN
        RETURN jsonb_build_object('taken', in_way);
    END IF;

    INSERT INTO sentra.maintenance (id, unit_id, branch_id, days, state, breakdown, reason, counter)
    VALUES (wanted, blocked.id, branch, daterange(first, last, '[]'),
        CASE WHEN breakdown OR first = today THEN 'RUNNING' ELSE 'SCHEDULED' END, breakdown, p ->> 'reason',
        p ->> 'counter')
    ON CONFLICT DO NOTHING
    RETURNING * INTO block;
    IF NOT FOUND THEN  -- the same id at this moment for another unit
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'block_id', 'block_id', wanted));
    END IF;
    IF breakdown THEN
        UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = blocked.id;
        PERFORM sentra.block_free_days(block, block.days);
    ELSE
        INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)
        VALUES (blocked.id, blocked.sku_id, branch, block.days, 'MAINTENANCE', wanted)
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written = 0 THEN  -- a row put in past the unit's lock
            RAISE EXCEPTION USING ERRCODE = 'SR002', MESSAGE = 'DAYS_TAKEN', DETAIL = jsonb_build_object(
                'taken', sentra.blocking_rows(jsonb_build_array(jsonb_build_object(
                    'unit_id', blocked.id, 'taken_first', first, 'taken_last', last)), branch, '{}'))::text;
        END IF;
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'block_unit', wanted::text, jsonb_build_object('status', blocked.status),
        jsonb_build_object('unit_id', blocked.id, 'first_day', first, 'last_day', last, 'state', block.state,
            'breakdown', breakdown, 'reason', block.reason,
            'status', CASE WHEN breakdown THEN 'MAINTENANCE' ELSE blocked.status END));
    PERFORM sentra.project_later(branch, ARRAY[blocked.id]);
    RETURN sentra.blocked_unit(wanted, sentra.not_maintenance(in_way, breakdown), '[]');
END $$;

-- What a breakdown puts at risk: everything in the way that is no maintenance itself. Planned work: nothing.
CREATE FUNCTION sentra.not_maintenance(in_way jsonb, breakdown boolean) RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(e), '[]') FROM jsonb_array_elements(in_way) AS e
    WHERE breakdown AND e ->> 'kind' <> 'MAINTENANCE'
$$;

-- End a block now (or after `last_day`), freeing the rest. One that has not begun is cancelled.
CREATE FUNCTION sentra.end_block(wanted uuid, last_day date, counter text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    held    sentra.maintenance;
    today   date;
    kept    daterange;
    became  text;
    ended   sentra.occupancy;
    freed   jsonb := '[]';
BEGIN
    PERFORM sentra.require_role('agent', 'inspector');
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('block_id', 'missing');
    END IF;
    PERFORM sentra.check_counter(counter);
    SELECT * INTO held FROM sentra.maintenance AS m WHERE m.id = wanted AND m.branch_id = branch;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'block_id', 'block_id', wanted));
    END IF;
    IF held.breakdown THEN
        PERFORM sentra.require_role('inspector');
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    SELECT * INTO held FROM sentra.maintenance AS m WHERE m.id = wanted;
    IF held.state IN ('FINISHED', 'CANCELLED') THEN
        RETURN sentra.blocked_unit(wanted, '[]', '[]');
    END IF;
    today := sentra.today_of(branch);
    became := held.state;
    IF last_day IS NULL THEN
        became := CASE WHEN lower(held.days) > today AND NOT held.breakdown THEN 'CANCELLED' ELSE 'FINISHED' END;
        kept := CASE WHEN lower(held.days) < today THEN held.days * daterange(NULL, today) ELSE 'empty' END;
    ELSIF last_day < greatest(today, lower(held.days)) OR last_day >= upper(held.days) THEN
        PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', 'last_day', 'reason',
            CASE WHEN last_day < today THEN 'past' WHEN last_day < lower(held.days) THEN 'reversed' ELSE 'too_late' END,
            'first', lower(held.days), 'last', last_day, 'limit', upper(held.days) - 1));
    ELSE
        kept := daterange(lower(held.days), last_day, '[]');
    END IF;

    -- First the block itself, so that it takes none of these days again.
    UPDATE sentra.maintenance AS m SET state = became,
        -- A cancelled block keeps its plan; one that ended the day it began was there that day.
        days = CASE WHEN became = 'CANCELLED' THEN m.days
                    WHEN isempty(kept) THEN daterange(lower(m.days), lower(m.days), '[]') ELSE kept END,
        ended_at = CASE WHEN last_day IS NULL THEN sentra.now() END,
        ended_by = CASE WHEN last_day IS NULL THEN session_user END
    WHERE m.id = wanted;
    FOR ended IN SELECT * FROM sentra.occupancy AS o WHERE o.maintenance_id = wanted AND o.active
                 ORDER BY lower(o.days) LOOP
        CONTINUE WHEN ended.days <@ kept;
        IF ended.days && kept THEN
            UPDATE sentra.occupancy SET days = ended.days * kept WHERE id = ended.id;
        ELSE
            UPDATE sentra.occupancy SET active = false WHERE id = ended.id;
        END IF;
        freed := freed || sentra.left_days(ended, datemultirange(ended.days) - datemultirange(kept), 'end_block');
    END LOOP;
    IF held.breakdown AND became = 'FINISHED' AND NOT EXISTS (
        SELECT FROM sentra.maintenance AS m
        WHERE m.unit_id = held.unit_id AND m.breakdown AND m.state = 'RUNNING' AND m.id <> wanted) THEN
        UPDATE sentra.unit SET status = 'IN_SERVICE' WHERE id = held.unit_id AND status = 'MAINTENANCE';
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    SELECT end_block.counter, branch, 'end_block', wanted::text,
        jsonb_build_object('state', held.state, 'last_day', upper(held.days) - 1),
        jsonb_build_object('state', m.state, 'last_day', upper(m.days) - 1, 'unit_id', m.unit_id)
    FROM sentra.maintenance AS m WHERE m.id = wanted;
    PERFORM sentra.project_later(branch, ARRAY[held.unit_id]);
    RETURN sentra.blocked_unit(wanted, '[]', freed);
END $$;

-- --- days that are left -----------------------------------------------------------------------------------------------

-- A unit that is broken down stays blocked: its running breakdowns take these days, as far as nothing else does.
CREATE FUNCTION sentra.block_left_days(its_unit text, gone datemultirange) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.block_free_days(m, part) FROM sentra.maintenance AS m CROSS JOIN unnest(gone) AS part
    WHERE m.unit_id = its_unit AND m.breakdown AND m.state = 'RUNNING' AND m.days && part;
END $$;

-- Days that a row of a unit has left, the unit locked and the row changed: what a breakdown holds is blocked first. What
-- then is free, from today on, is a stretch each; answers those.
CREATE FUNCTION sentra.left_days(left_by sentra.occupancy, gone datemultirange, its_cause text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    free    daterange;
    stretch uuid;
    freed   jsonb := '[]';
BEGIN
    PERFORM sentra.block_left_days(left_by.unit_id, gone);
    FOR free IN SELECT r FROM unnest(
            gone * datemultirange(daterange(sentra.today_of(left_by.branch_id), NULL))
            - coalesce((SELECT range_agg(o.days) FROM sentra.occupancy AS o
                        WHERE o.unit_id = left_by.unit_id AND o.active AND o.kind IN ('BOOKING', 'MAINTENANCE')), '{}')
        ) AS r LOOP
        INSERT INTO sentra.freed_stretch (sku_id, branch_id, unit_id, days, booking_id, cause)
        VALUES (left_by.sku_id, left_by.branch_id, left_by.unit_id, free, left_by.booking_id, its_cause)
        RETURNING id INTO stretch;
        freed := freed || jsonb_build_array(jsonb_build_object('id', stretch, 'sku', left_by.sku_id,
            'branch_id', left_by.branch_id, 'first_day', lower(free), 'last_day', upper(free) - 1));
    END LOOP;
    RETURN freed;
END $$;

-- End every active row of a booking: what was touched, and the stretches still ahead that became free.
CREATE OR REPLACE FUNCTION sentra.free_days(freed sentra.booking, cause text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    ended     sentra.occupancy;
    touched   jsonb := '[]';
    stretches jsonb := '[]';
BEGIN
    FOR ended IN UPDATE sentra.occupancy AS o SET active = false WHERE o.booking_id = freed.id AND o.active
               RETURNING o.* LOOP
        touched := touched || jsonb_build_array(
            jsonb_build_object('unit_id', ended.unit_id, 'first_day', lower(ended.days), 'last_day', upper(ended.days) - 1));
        IF ended.kind = 'BOOKING' THEN
            stretches := stretches || sentra.left_days(ended, datemultirange(ended.days), cause);
        END IF;
    END LOOP;
    RETURN jsonb_build_object('touched', touched, 'freed', stretches);
END $$;

-- The net below: whoever ends a row without the functions above leaves a broken unit blocked all the same. At COMMIT,
-- because a change may take the same days again for the same booking.
CREATE FUNCTION sentra.breakdown_takes_freed_days() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.block_left_days(OLD.unit_id, datemultirange(OLD.days));
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER occupancy_of_broken_unit AFTER UPDATE ON sentra.occupancy
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.kind <> 'OVERDUE' AND OLD.active AND (NOT NEW.active OR NEW.days IS DISTINCT FROM OLD.days))
    EXECUTE FUNCTION sentra.breakdown_takes_freed_days();

-- --- holidays and refused wishes ------------------------------------------------------------------------------------

-- What the own branch says of a day: a name, or (null) that it is an ordinary one.
CREATE FUNCTION sentra.edit_holiday(day date, name text, counter text) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    was     sentra.holiday;
    becomes text;
BEGIN
    PERFORM sentra.require_role('manager');
    IF day IS NULL OR NOT sentra.is_sane(daterange(day, day, '[]')) THEN
        PERFORM sentra.invalid('day', CASE WHEN day IS NULL THEN 'missing' ELSE 'not_a_day' END);
    END IF;
    PERFORM sentra.check_counter(counter);
    IF name IS NOT NULL AND (length(name) > 80 OR NOT sentra.is_clean(name)) THEN
        PERFORM sentra.invalid('name', CASE WHEN length(name) > 80 THEN 'too_long' ELSE 'not_a_name' END);
    END IF;
    becomes := CASE WHEN name IS NULL THEN 'REMOVED' ELSE 'ADDED' END;
    name := coalesce(name, '');
    SELECT * INTO was FROM sentra.holiday AS h
    WHERE h.branch_id = branch AND h.day = edit_holiday.day FOR NO KEY UPDATE;
    IF FOUND AND (was.state, was.name) = (becomes, name) THEN
        RETURN;
    END IF;
    INSERT INTO sentra.holiday AS h (branch_id, day, state, name)
    VALUES (branch, edit_holiday.day, becomes, edit_holiday.name)
    ON CONFLICT ON CONSTRAINT holiday_pkey DO UPDATE SET state = EXCLUDED.state, name = EXCLUDED.name,
        changed_at = sentra.now(), changed_by = session_user;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (edit_holiday.counter, branch, CASE becomes WHEN 'ADDED' THEN 'set_holiday' ELSE 'remove_holiday' END,
        day::text, CASE WHEN was.day IS NOT NULL THEN jsonb_build_object('holiday', was.state, 'name', was.name) END,
        jsonb_build_object('holiday', becomes, 'name', name));
END $$;

-- Record a wish that was refused; false when it was recorded before. The clerk is waiting for the refusal itself: no
-- lock is waited for longer than a moment, and no disk; a crash may cost a few rows of a report.
CREATE FUNCTION sentra.record_refusal(p jsonb) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '200ms' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'order_id uuid', 'sku_id text 30', 'unit_id text? 64', 'first_day day',
        'last_day day', 'code text 20', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'code' <> 'DAYS_TAKEN' THEN
        PERFORM sentra.invalid('code', 'not_recorded');
    END IF;
    PERFORM sentra.check_stretch((p ->> 'first_day')::date, (p ->> 'last_day')::date, sentra.today_of(branch), 365);
    IF NOT EXISTS (SELECT FROM sentra.sku AS s WHERE s.id = p ->> 'sku_id')
       OR (p ->> 'unit_id' IS NOT NULL AND NOT EXISTS (
        SELECT FROM sentra.unit AS u WHERE u.id = p ->> 'unit_id' AND u.branch_id = branch)) THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'sku_id'));
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO sentra.refused_demand (order_id, branch_id, sku_id, unit_id, first_day, last_day, code, counter)
    VALUES ((p ->> 'order_id')::uuid, branch, p ->> 'sku_id', p ->> 'unit_id', (p ->> 'first_day')::date,
        (p ->> 'last_day')::date, p ->> 'code', p ->> 'counter')
    ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;

GRANT EXECUTE ON FUNCTION sentra.join_waitlist(jsonb), sentra.withdraw_waitlist(uuid, text) TO {{agent}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.block_unit(jsonb), sentra.end_block(uuid, date, text) TO {{agent}}, {{inspector}};
GRANT EXECUTE ON FUNCTION sentra.edit_holiday(date, text, text) TO {{manager}};
GRANT EXECUTE ON FUNCTION sentra.record_refusal(jsonb) TO {{agent}}, {{inspector}}, {{cashier}};
