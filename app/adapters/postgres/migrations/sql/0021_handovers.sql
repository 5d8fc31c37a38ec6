-- Out and back: what is looked at when a unit goes out and comes back, the hand-over to the customer, what the customer
-- leaves, and units that are not back in time. Lock order as everywhere: invoices, bookings by id, units by id, number
-- counter; rows of this file after them.

-- --- tables ---------------------------------------------------------------------------------------------------------

-- When the customer had the unit and when it was back, as it really was.
ALTER TABLE sentra.booking
    ADD COLUMN handed_at   timestamptz CHECK (sentra.is_sane(handed_at)),
    ADD COLUMN returned_at timestamptz CHECK (sentra.is_sane(returned_at));
-- Units that are out or not settled: the service looks through them all the time.
CREATE INDEX booking_out ON sentra.booking (due_at)
    WHERE state IN ('DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING', 'RETURNED_PENDING_CHECK', 'DISPUTED');

ALTER TABLE sentra.setting
    ADD CONSTRAINT setting_overdue CHECK (key <> 'overdue_takes_days' OR jsonb_typeof(value) = 'boolean'),
    ADD CONSTRAINT setting_collateral CHECK (key <> 'collateral_needed' OR jsonb_typeof(value) = 'boolean'),
    ADD CONSTRAINT setting_taxed_charges CHECK (key <> 'taxed_charges' OR jsonb_typeof(value) = 'array');

-- A setting of a branch, else the installation's, else the default.
CREATE FUNCTION sentra.setting_of(branch text, its_key text, otherwise jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT s.value FROM sentra.setting AS s
                     WHERE s.key = its_key AND (s.branch_id = branch OR s.branch_id IS NULL)
                     ORDER BY s.branch_id NULLS LAST LIMIT 1), otherwise)
$$;

-- What a SKU's return is charged by, the domain's `ChargeTerms`. A SKU without a row has the defaults.
CREATE TABLE sentra.charge_terms (
    sku_id                 text PRIMARY KEY REFERENCES sentra.sku,
    template               text NOT NULL CHECK (template IN ('CAR', 'EV', 'MOTORCYCLE', 'EQUIPMENT')),
    included_km            integer CHECK (included_km BETWEEN 0 AND 99999),
    km_rate                bigint NOT NULL CHECK (km_rate BETWEEN 0 AND 99999999),
    fuel_rate              bigint NOT NULL CHECK (fuel_rate BETWEEN 0 AND 99999999),
    one_way_fee            bigint NOT NULL CHECK (one_way_fee BETWEEN 0 AND 999999999),
    late_free_minutes      integer NOT NULL CHECK (late_free_minutes BETWEEN 0 AND 720),
    late_hour_percent      integer NOT NULL CHECK (late_hour_percent BETWEEN 0 AND 100),
    late_day_after_minutes integer NOT NULL CHECK (late_day_after_minutes BETWEEN 0 AND 1440),
    changed_at             timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by             text NOT NULL DEFAULT session_user
);

CREATE FUNCTION sentra.charge_terms_of(sku text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT to_jsonb(t) - 'sku_id' - 'changed_at' - 'changed_by' FROM sentra.charge_terms AS t
                     WHERE t.sku_id = sku),
        '{"template": "CAR", "included_km": null, "km_rate": 0, "fuel_rate": 0, "one_way_fee": 0,
          "late_free_minutes": 30, "late_hour_percent": 10, "late_day_after_minutes": 180}')
$$;

-- One look at one unit, insert-only. `branch_id` is the booking's, `done_at` the true time; `terms` are frozen when it goes
-- out. `fingerprint` tells the same inspection sent again from another one under its id.
CREATE TABLE sentra.inspection (
    id          uuid PRIMARY KEY,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    booking_id  uuid NOT NULL REFERENCES sentra.booking,
    unit_id     text NOT NULL REFERENCES sentra.unit,
    kind        text NOT NULL CHECK (kind IN ('OUT', 'IN')),
    done_at     timestamptz NOT NULL CHECK (sentra.is_sane(done_at)),
    odometer    integer CHECK (odometer BETWEEN 0 AND 999999),
    fuel        integer CHECK (fuel BETWEEN 0 AND 100),
    hours       integer CHECK (hours BETWEEN 0 AND 999999),
    accessories integer CHECK (accessories BETWEEN 0 AND 999),
    checks      jsonb NOT NULL CHECK (jsonb_typeof(checks) = 'array'),
    signature   jsonb CHECK (jsonb_typeof(signature) = 'object'),
    note        text NOT NULL CHECK (sentra.is_note(note)),
    override    text NOT NULL CHECK (sentra.is_note(override)),
    terms       jsonb NOT NULL CHECK (jsonb_typeof(terms) = 'object'),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{32}$'),
    counter     text NOT NULL CHECK (length(counter) <= 60),
    recorded_at timestamptz NOT NULL DEFAULT sentra.now(),
    recorded_by text NOT NULL DEFAULT session_user
);
CREATE INDEX inspection_booking ON sentra.inspection (booking_id, done_at);
CREATE INDEX inspection_unit ON sentra.inspection (unit_id, done_at);

-- The customer has the unit: signed for, or refused before a witness. Insert-only.
CREATE TABLE sentra.handover (
    id          uuid PRIMARY KEY,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    booking_id  uuid NOT NULL REFERENCES sentra.booking,
    unit_id     text NOT NULL REFERENCES sentra.unit,
    at          timestamptz NOT NULL CHECK (sentra.is_sane(at)),
    signature   jsonb NOT NULL CHECK (jsonb_typeof(signature) = 'object'),
    counter     text NOT NULL CHECK (length(counter) <= 60),
    recorded_at timestamptz NOT NULL DEFAULT sentra.now(),
    recorded_by text NOT NULL DEFAULT session_user
);
CREATE INDEX handover_booking ON sentra.handover (booking_id, at);

-- A mark on a unit's drawing. It belongs to the unit and goes with it to any branch; nothing personal is in it.
CREATE TABLE sentra.damage (
    id            uuid PRIMARY KEY,
    unit_id       text NOT NULL REFERENCES sentra.unit,
    inspection_id uuid NOT NULL REFERENCES sentra.inspection,
    view          text NOT NULL CHECK (view IN ('FRONT', 'REAR', 'LEFT', 'RIGHT', 'TOP', 'INSIDE')),
    x             integer NOT NULL CHECK (x BETWEEN 0 AND 1000),
    y             integer NOT NULL CHECK (y BETWEEN 0 AND 1000),
    type          text NOT NULL CHECK (type IN ('SCRATCH', 'DENT', 'CRACK', 'BROKEN', 'MISSING', 'STAIN')),
    severity      text NOT NULL CHECK (severity IN ('LIGHT', 'MEDIUM', 'HEAVY')),
    note          text NOT NULL CHECK (length(note) <= 200 AND sentra.is_note(note)),
    found_at      timestamptz NOT NULL,
    repaired_at   timestamptz,
    repaired_by   text
);
CREATE INDEX damage_unit ON sentra.damage (unit_id) WHERE repaired_at IS NULL;
CREATE INDEX damage_inspection ON sentra.damage (inspection_id);

-- A photo that an inspection promises; its bytes follow, in a table of their own that a backup can leave out.
CREATE TABLE sentra.photo (
    id            uuid PRIMARY KEY,
    branch_id     text NOT NULL REFERENCES sentra.branch,
    inspection_id uuid NOT NULL REFERENCES sentra.inspection,
    damage_id     uuid REFERENCES sentra.damage,
    angle         text NOT NULL CHECK (angle ~ '^[A-Z]{1,20}$'),
    sha256        text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
CREATE INDEX photo_inspection ON sentra.photo (inspection_id);
CREATE INDEX photo_damage ON sentra.photo (damage_id) WHERE damage_id IS NOT NULL;
CREATE TABLE sentra.photo_bytes (
    photo_id  uuid PRIMARY KEY REFERENCES sentra.photo,
    branch_id text NOT NULL REFERENCES sentra.branch,
    content   bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 1500000),
    stored_at timestamptz NOT NULL DEFAULT sentra.now(),
    stored_by text NOT NULL DEFAULT session_user
);
ALTER TABLE sentra.photo_bytes ALTER COLUMN content SET STORAGE EXTERNAL;  -- a JPEG is compressed already

-- What the customer leaves, and where it lies.
CREATE TABLE sentra.collateral (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    booking_id uuid NOT NULL REFERENCES sentra.booking,
    kind       text NOT NULL CHECK (kind IN ('KTP', 'SIM', 'PASSPORT', 'STNK', 'MOTORCYCLE', 'OTHER')),
    what       text NOT NULL CHECK (length(what) <= 200 AND sentra.is_note(what)),
    place      text NOT NULL CHECK (length(place) <= 60 AND sentra.is_clean(place)),
    state      text NOT NULL DEFAULT 'HELD' CHECK (state IN ('HELD', 'RETURNED', 'KEPT')),
    taken_at   timestamptz NOT NULL DEFAULT sentra.now(),
    taken_by   text NOT NULL DEFAULT session_user,
    ended_at   timestamptz,
    ended_by   text,
    reason     text NOT NULL DEFAULT '' CHECK (sentra.is_note(reason)),
    CONSTRAINT collateral_kept_for_a_reason CHECK (state <> 'KEPT' OR reason <> '')
);
CREATE INDEX collateral_booking ON sentra.collateral (booking_id);

GRANT SELECT ON sentra.charge_terms, sentra.inspection, sentra.handover, sentra.damage, sentra.photo, sentra.collateral
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.charge_terms, sentra.inspection, sentra.handover, sentra.damage, sentra.photo, sentra.collateral,
    sentra.photo_bytes TO {{backup}};
DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['inspection', 'handover', 'photo', 'collateral'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
    FOREACH branched IN ARRAY ARRAY['inspection', 'handover', 'photo', 'photo_bytes'] LOOP
        EXECUTE format('CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE ON sentra.%I
            FOR EACH ROW EXECUTE FUNCTION sentra.refuse_change()', branched);
        EXECUTE format('CREATE TRIGGER insert_only_whole BEFORE TRUNCATE ON sentra.%I
            FOR EACH STATEMENT EXECUTE FUNCTION sentra.refuse_change()', branched);
    END LOOP;
END $$;

-- --- whose booking it is ----------------------------------------------------------------------------------------------

-- Of the own branch; or of another one whose unit stands here and waits to be checked; or, to take it back, any rental.
CREATE FUNCTION sentra.booking_in_hand(wanted uuid, may_come_back boolean) RETURNS sentra.booking
LANGUAGE plpgsql STABLE AS $$
DECLARE
    branch text := sentra.require_branch();
    held   sentra.booking;
BEGIN
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('booking_id', 'missing');
    END IF;
    SELECT b.* INTO held FROM sentra.booking AS b JOIN sentra.unit AS u ON u.id = b.unit_id
    WHERE b.id = wanted AND (b.branch_id = branch
        OR (b.state IN ('RETURNED_PENDING_CHECK', 'DISPUTED') AND u.branch_id = branch)
        OR (may_come_back AND b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING')));
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    RETURN held;
END $$;

CREATE FUNCTION sentra.lock_in_hand(wanted uuid, with_invoices boolean, may_come_back boolean) RETURNS sentra.booking
LANGUAGE plpgsql AS $$
DECLARE
    held sentra.booking := sentra.booking_in_hand(wanted, may_come_back);
BEGIN
    IF with_invoices THEN
        PERFORM 1 FROM sentra.invoice AS i WHERE i.order_id = held.order_id ORDER BY i.id FOR NO KEY UPDATE;
    END IF;
    PERFORM 1 FROM sentra.booking AS b WHERE b.order_id = held.order_id ORDER BY b.id FOR NO KEY UPDATE;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    RETURN held;
END $$;

-- Bookings that wait for a unit which may not be there in time: on these days of it, but not this booking.
CREATE FUNCTION sentra.at_risk(its_unit text, its_days daterange, but_not uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('booking_id', b.id, 'number', b.number, 'unit_id', b.unit_id,
        'branch_id', b.branch_id, 'state', b.state, 'first_day', b.first_day, 'last_day', b.last_day)
        ORDER BY b.first_day, b.id), '[]')
    FROM sentra.booking AS b
    WHERE b.unit_id = its_unit AND b.id <> but_not AND b.state IN ('PENDING_PAYMENT', 'PAID_APPROVED')
      AND daterange(b.first_day, b.last_day, '[]') && its_days
$$;

-- A booking after a step of its way, as callers need it. `effect`: what the step touched, freed, voided, put at risk.
CREATE FUNCTION sentra.handed_booking(wanted uuid, effect jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT '{"touched": [], "freed": [], "invoices": [], "at_risk": []}' || effect || jsonb_build_object(
        'booking_id', b.id, 'number', b.number, 'order_id', b.order_id, 'branch_id', b.branch_id, 'unit_id', b.unit_id,
        'state', b.state, 'version', b.version, 'handed_at', b.handed_at, 'returned_at', b.returned_at,
        'now', sentra.now(), 'projections', sentra.unit_projections(b.unit_id || ARRAY(
            SELECT DISTINCT t ->> 'unit_id' FROM jsonb_array_elements(effect -> 'touched') AS t
            WHERE t ->> 'unit_id' <> b.unit_id)))
    FROM sentra.booking AS b WHERE b.id = wanted
$$;

-- --- inspections ------------------------------------------------------------------------------------------------------

-- What every inspection must come with: fields, bounds and texts, naming each. `its_template` tells what can be read.
CREATE FUNCTION sentra.check_inspection(p jsonb, place text, its_template text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    item    jsonb;
    at      integer;
    full_at integer := CASE its_template WHEN 'EV' THEN 100 WHEN 'EQUIPMENT' THEN -1 ELSE 8 END;
BEGIN
    PERFORM sentra.check_fields(p, place, 'id uuid', 'done_at moment', 'odometer number?', 'fuel number?',
        'hours number?', 'accessories number?', 'checks array', 'damages array', 'photos array', 'signature object?',
        'note text? 500');
    IF (p ->> 'odometer')::integer NOT BETWEEN 0 AND 999999 THEN
        PERFORM sentra.invalid('odometer', 'out_of_range', '{"least": 0, "most": 999999}');
    END IF;
    IF (p ->> 'hours')::integer NOT BETWEEN 0 AND 999999 THEN
        PERFORM sentra.invalid('hours', 'out_of_range', '{"least": 0, "most": 999999}');
    END IF;
    IF (p ->> 'fuel')::integer NOT BETWEEN 0 AND full_at THEN
        PERFORM sentra.invalid('fuel', 'out_of_range', jsonb_build_object('least', 0, 'most', greatest(full_at, 0)));
    END IF;
    IF (p ->> 'accessories')::integer NOT BETWEEN 0 AND 999 THEN
        PERFORM sentra.invalid('accessories', 'out_of_range', '{"least": 0, "most": 999}');
    END IF;
    IF NOT sentra.is_note(coalesce(p ->> 'note', '')) THEN
        PERFORM sentra.invalid('note', 'control_characters');
    END IF;
    IF jsonb_array_length(p -> 'checks') > 60 OR jsonb_array_length(p -> 'damages') > 60
       OR jsonb_array_length(p -> 'photos') > 120 THEN
        PERFORM sentra.invalid('photos', 'count', '{"least": 0, "most": 120}');
    END IF;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(p -> 'checks') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('%schecks[%s].', place, at), 'item text 40', 'good boolean', 'note text? 200');
    END LOOP;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(p -> 'damages') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('%sdamages[%s].', place, at), 'id uuid', 'view text 20', 'x number',
            'y number', 'type text 20', 'severity text 20', 'note text? 200');
        IF (item ->> 'x')::integer NOT BETWEEN 0 AND 1000 OR (item ->> 'y')::integer NOT BETWEEN 0 AND 1000
           OR item ->> 'view' NOT IN ('FRONT', 'REAR', 'LEFT', 'RIGHT', 'TOP', 'INSIDE')
           OR item ->> 'type' NOT IN ('SCRATCH', 'DENT', 'CRACK', 'BROKEN', 'MISSING', 'STAIN')
           OR item ->> 'severity' NOT IN ('LIGHT', 'MEDIUM', 'HEAVY') OR NOT sentra.is_note(coalesce(item ->> 'note', '')) THEN
            PERFORM sentra.invalid('damages', 'not_valid');
        END IF;
    END LOOP;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(p -> 'photos') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('%sphotos[%s].', place, at), 'id uuid', 'angle text 20', 'sha256 text 64',
            'damage_id uuid?');
        IF item ->> 'angle' !~ '^[A-Z]{1,20}$' OR item ->> 'sha256' !~ '^[0-9a-f]{64}$' THEN
            PERFORM sentra.invalid('photos', 'not_valid');
        END IF;
    END LOOP;
    IF p ->> 'signature' IS NOT NULL THEN
        PERFORM sentra.check_signature(p -> 'signature');
    END IF;
END $$;

-- A refused signature has a witness and a reason.
CREATE FUNCTION sentra.check_signature(p jsonb) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM sentra.check_fields(p, 'signature.', 'signed boolean', 'witness text? 200', 'reason text? 200');
    IF NOT (p ->> 'signed')::boolean THEN
        IF NOT sentra.is_clean(coalesce(p ->> 'witness', '')) THEN
            PERFORM sentra.invalid('signature.witness', 'empty');
        END IF;
        IF NOT sentra.is_clean(coalesce(p ->> 'reason', '')) THEN
            PERFORM sentra.invalid('signature.reason', 'empty');
        END IF;
    END IF;
END $$;

-- The true time of a step: never before the step before it, never ahead of the clock by more than a counter's own may be.
CREATE FUNCTION sentra.true_time(at timestamptz, since timestamptz, moment timestamptz, field text) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF at IS NULL THEN
        RETURN moment;
    END IF;
    IF at > moment + interval '2 minutes' THEN
        PERFORM sentra.invalid(field, 'in_the_future', jsonb_build_object('given', at));
    END IF;
    IF at < since THEN
        PERFORM sentra.invalid(field, 'before_the_last_step', jsonb_build_object('given', at, 'after', since));
    END IF;
    RETURN least(at, moment);
END $$;

-- When the last step of a booking's way was.
CREATE FUNCTION sentra.last_step_at(held sentra.booking) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT greatest(held.created_at, held.handed_at,
        (SELECT max(i.done_at) FROM sentra.inspection AS i WHERE i.booking_id = held.id),
        (SELECT max(h.at) FROM sentra.handover AS h WHERE h.booking_id = held.id))
$$;

-- Whether this inspection was recorded before; another one under its id is refused.
CREATE FUNCTION sentra.was_inspected(p jsonb, its_booking uuid, its_kind text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    known sentra.inspection;
BEGIN
    PERFORM sentra.check_fields(p, 'inspection.', 'id uuid');
    SELECT * INTO known FROM sentra.inspection AS i WHERE i.id = (p ->> 'id')::uuid;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF (known.booking_id, known.kind, known.fingerprint) IS DISTINCT FROM (its_booking, its_kind, md5(p::text)) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "inspection.id"}');
    END IF;
    RETURN true;
END $$;

-- Record a look at a unit, which is locked; its clock never runs backwards. Answers the true time.
CREATE FUNCTION sentra.record_inspection(held sentra.booking, its_unit text, its_kind text, p jsonb, its_terms jsonb,
    why text, moment timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
    done   timestamptz;
    before sentra.inspection;
    wrong  text;
BEGIN
    PERFORM sentra.check_inspection(p, 'inspection.', its_terms ->> 'template');
    done := sentra.true_time((p ->> 'done_at')::timestamptz, sentra.last_step_at(held), moment, 'done_at');
    IF its_kind = 'IN' THEN
        SELECT * INTO before FROM sentra.inspection AS i
        WHERE i.booking_id = held.id AND i.unit_id = its_unit AND i.kind = 'OUT' ORDER BY i.done_at DESC LIMIT 1;
        wrong := CASE WHEN (p ->> 'odometer')::integer < before.odometer THEN 'odometer'
                      WHEN (p ->> 'hours')::integer < before.hours THEN 'hours' END;
        IF wrong IS NOT NULL THEN
            PERFORM sentra.invalid(wrong, 'below_the_last', jsonb_build_object('given', p -> wrong,
                'least', CASE wrong WHEN 'hours' THEN before.hours ELSE before.odometer END));
        END IF;
    END IF;
    INSERT INTO sentra.inspection (id, branch_id, booking_id, unit_id, kind, done_at, odometer, fuel, hours, accessories,
        checks, signature, note, override, terms, fingerprint, counter)
    VALUES ((p ->> 'id')::uuid, held.branch_id, held.id, its_unit, its_kind, done, (p ->> 'odometer')::integer,
        (p ->> 'fuel')::integer, (p ->> 'hours')::integer, (p ->> 'accessories')::integer, p -> 'checks',
        CASE WHEN p ->> 'signature' IS NOT NULL THEN p -> 'signature' END, coalesce(p ->> 'note', ''), why, its_terms,
        md5(p::text), sentra.my_counter());
    INSERT INTO sentra.damage (id, unit_id, inspection_id, view, x, y, type, severity, note, found_at)
    SELECT d.id, its_unit, (p ->> 'id')::uuid, d.view, d.x, d.y, d.type, d.severity, coalesce(d.note, ''), done
    FROM jsonb_to_recordset(p -> 'damages') AS d (id uuid, view text, x integer, y integer, type text, severity text, note text)
    ON CONFLICT DO NOTHING;
    IF (SELECT count(*) FROM sentra.damage AS d WHERE d.inspection_id = (p ->> 'id')::uuid)
       <> jsonb_array_length(p -> 'damages') THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "damages"}');
    END IF;
    PERFORM sentra.promise_photos(held, (p ->> 'id')::uuid, p -> 'photos');
    UPDATE sentra.unit AS u SET odometer = (p ->> 'odometer')::integer
    WHERE u.id = its_unit AND u.odometer < (p ->> 'odometer')::integer;
    RETURN done;
END $$;

CREATE FUNCTION sentra.promise_photos(held sentra.booking, its_inspection uuid, photos jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    written integer;
BEGIN
    IF EXISTS (SELECT FROM jsonb_to_recordset(photos) AS f (damage_id uuid) WHERE f.damage_id IS NOT NULL
               AND NOT EXISTS (SELECT FROM sentra.damage AS d WHERE d.id = f.damage_id)) THEN
        PERFORM sentra.invalid('photos', 'not_valid');
    END IF;
    INSERT INTO sentra.photo (id, branch_id, inspection_id, damage_id, angle, sha256)
    SELECT f.id, held.branch_id, its_inspection, f.damage_id, f.angle, f.sha256
    FROM jsonb_to_recordset(photos) AS f (id uuid, damage_id uuid, angle text, sha256 text)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < jsonb_array_length(photos) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "photos"}');
    END IF;
END $$;

-- The terms that a booking's return is charged by: those it went out with.
CREATE FUNCTION sentra.terms_for(held sentra.booking) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT i.terms FROM sentra.inspection AS i
                     WHERE i.booking_id = held.id AND i.kind = 'OUT' ORDER BY i.done_at DESC LIMIT 1),
                    sentra.charge_terms_of(held.sku_id))
$$;

-- --- the gate -------------------------------------------------------------------------------------------------------

-- What stands between a paid booking and its unit: each open line with its reason.
CREATE FUNCTION sentra.gate_lines(held sentra.booking) RETURNS jsonb LANGUAGE sql STABLE AS $$
    WITH line (place, name, reason, amount, invoice_id) AS (
        SELECT 1, 'MONEY', 'unpaid', sum(i.total - i.paid)::bigint, (array_agg(i.id ORDER BY i.created_at, i.id))[1]
        FROM sentra.invoice AS i WHERE i.id = ANY (sentra.open_papers(held)) AND i.total > i.paid HAVING count(*) > 0
        UNION ALL
        SELECT 2, 'CONTRACT', 'not_printed', 0, NULL
        WHERE NOT EXISTS (
            SELECT FROM sentra.printed_document AS d WHERE d.order_id = held.order_id AND d.kind = 'CONTRACT'
              AND d.printed_at >= coalesce((SELECT max(a.at) FROM sentra.audit AS a
                  WHERE a.subject = held.id::text AND a.action IN ('reschedule', 'swap_unit')), '-infinity'))
        UNION ALL
        SELECT 3, 'LICENCE', CASE WHEN c.licence_expires_on < held.last_day AND n.is_there THEN 'expired' ELSE 'missing' END,
               0, NULL
        FROM sentra.customer AS c
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM sentra.customer_identity AS x
                            WHERE x.customer_id = c.id AND x.kind = 'LICENCE') AS is_there) AS n
        WHERE c.id = held.customer_id
          AND (NOT n.is_there OR c.licence_expires_on IS NULL OR c.licence_expires_on < held.last_day)
          AND sentra.charge_terms_of(held.sku_id) ->> 'template' <> 'EQUIPMENT'
          AND NOT EXISTS (SELECT FROM sentra.booking_extra AS x WHERE x.booking_id = held.id AND x.replaces_driver_licence)
        UNION ALL
        SELECT 4, 'COLLATERAL', 'missing', 0, NULL
        WHERE sentra.setting_of(held.branch_id, 'collateral_needed', 'true') = 'true'
          AND NOT EXISTS (SELECT FROM sentra.collateral AS k WHERE k.booking_id = held.id AND k.state = 'HELD')
        UNION ALL
        SELECT 5, 'UNIT', CASE WHEN u.branch_id <> held.branch_id THEN 'elsewhere'
                               WHEN u.status <> 'IN_SERVICE' THEN 'maintenance' ELSE 'still_out' END, 0, NULL
        FROM sentra.unit AS u
        WHERE u.id = held.unit_id AND (u.branch_id <> held.branch_id OR u.status <> 'IN_SERVICE' OR EXISTS (
            SELECT FROM sentra.booking AS b WHERE b.unit_id = u.id AND b.id <> held.id
              AND b.state IN ('DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING', 'RETURNED_PENDING_CHECK')))
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('line', l.name, 'reason', l.reason, 'amount', l.amount,
        'invoice_id', l.invoice_id, 'may_be_overridden', l.name <> 'UNIT') ORDER BY l.place), '[]') FROM line AS l
$$;

-- Let a unit out of the yard: the gate is passed, or opened by a manager's word with a reason; the look is complete.
CREATE FUNCTION sentra.check_out(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    moment timestamptz;
    today  date;
    lines  jsonb;
    why    text := '';
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'inspection object', 'override object?', 'based_on number?');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_booking(wanted, false);
    IF sentra.was_inspected(p -> 'inspection', wanted, 'OUT') THEN
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'check_out');
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    moment := sentra.now();
    today := sentra.today_of(held.branch_id);
    IF today NOT BETWEEN held.first_day AND held.last_day THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', CASE WHEN today > held.last_day THEN 'period_past' ELSE 'too_early' END, 'state', held.state,
            'action', 'check_out', 'first_day', held.first_day, 'last_day', held.last_day));
    END IF;
    lines := sentra.gate_lines(held);
    IF lines <> '[]' THEN
        IF p ->> 'override' IS NULL OR EXISTS (SELECT FROM jsonb_array_elements(lines) AS l WHERE l ->> 'line' = 'UNIT') THEN
            PERFORM sentra.refuse('GATE_OPEN', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
                'lines', lines));
        END IF;
        PERFORM sentra.check_fields(p -> 'override', 'override.', 'reason text 500', 'approval_id uuid?');
        why := p #>> '{override,reason}';
        PERFORM sentra.check_reason(why);
        IF NOT sentra.has_role('manager') THEN
            PERFORM sentra.use_approval((p #>> '{override,approval_id}')::uuid, 'check_out', wanted::text);
        END IF;
        INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
        VALUES (sentra.my_counter(), held.branch_id, 'gate_opened', wanted::text,
            jsonb_build_object('lines', lines, 'reason', why));
    END IF;
    PERFORM sentra.record_inspection(held, held.unit_id, 'OUT', p -> 'inspection', sentra.charge_terms_of(held.sku_id),
        why, moment);
    UPDATE sentra.booking SET state = 'DISPATCHED', last_action = 'check_out', reason = why WHERE id = wanted;
    RETURN sentra.handed_booking(wanted);
END $$;

-- The customer has the unit from this true time on.
CREATE FUNCTION sentra.hand_over(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held   sentra.booking;
    known  sentra.handover;
    happened timestamptz;
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'booking_id uuid', 'at moment?', 'signature object', 'photos array',
        'based_on number?');
    PERFORM sentra.check_signature(p -> 'signature');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_booking(wanted, false);
    SELECT * INTO known FROM sentra.handover AS h WHERE h.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF known.booking_id <> wanted THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'hand_over');
    happened := sentra.true_time((p ->> 'at')::timestamptz, sentra.last_step_at(held), sentra.now(), 'at');
    PERFORM sentra.give_to_customer(held, held.unit_id, (p ->> 'id')::uuid, happened, p -> 'signature', p -> 'photos');
    UPDATE sentra.booking SET state = 'ACTIVE_RENTAL', last_action = 'hand_over', handed_at = happened WHERE id = wanted;
    RETURN sentra.handed_booking(wanted);
END $$;

CREATE FUNCTION sentra.give_to_customer(held sentra.booking, its_unit text, wanted uuid, happened timestamptz,
    signature jsonb, photos jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    item jsonb;
    look uuid;
BEGIN
    INSERT INTO sentra.handover (id, branch_id, booking_id, unit_id, at, signature, counter)
    VALUES (wanted, held.branch_id, held.id, its_unit, happened, signature, sentra.my_counter());
    FOR item IN SELECT e FROM jsonb_array_elements(photos) AS e LOOP
        PERFORM sentra.check_fields(item, 'photos.', 'id uuid', 'angle text 20', 'sha256 text 64');
    END LOOP;
    IF photos <> '[]' THEN  -- a signature belongs to the look that it is under
        SELECT i.id INTO look FROM sentra.inspection AS i
        WHERE i.booking_id = held.id AND i.unit_id = its_unit AND i.kind = 'OUT' ORDER BY i.done_at DESC LIMIT 1;
        IF look IS NULL THEN
            PERFORM sentra.invalid('photos', 'not_valid');
        END IF;
        PERFORM sentra.promise_photos(held, look, photos);
    END IF;
END $$;

-- The customer refused the unit: it is in the yard again. `again`: the caller's own COMMIT may have happened unseen.
CREATE FUNCTION sentra.recall(wanted uuid, reason text, again boolean, based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held sentra.booking;
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_reason(reason);
    held := sentra.lock_booking(wanted, false);
    IF again AND held.state = 'PAID_APPROVED' AND held.last_action = 'recall' THEN
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    PERFORM sentra.check_change(held, 'recall');
    UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'recall', reason = recall.reason WHERE id = wanted;
    RETURN sentra.handed_booking(wanted);
END $$;

-- --- coming back ----------------------------------------------------------------------------------------------------

-- A unit that came back at another branch belongs there from now on, with every row of its days.
CREATE FUNCTION sentra.relocate(its_unit text, here text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    o sentra.occupancy;
    was text;
BEGIN
    SELECT u.branch_id INTO was FROM sentra.unit AS u WHERE u.id = its_unit;
    UPDATE sentra.unit SET branch_id = here WHERE id = its_unit;
    UPDATE sentra.maintenance SET branch_id = here WHERE unit_id = its_unit AND state IN ('SCHEDULED', 'RUNNING');
    FOR o IN SELECT * FROM sentra.occupancy AS x WHERE x.unit_id = its_unit AND x.active ORDER BY lower(x.days), x.id LOOP
        UPDATE sentra.occupancy AS x SET active = false WHERE x.id = o.id;  -- a row never changes its branch
        INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id, maintenance_id, created_at,
            created_by)
        VALUES (o.unit_id, o.sku_id, here, o.days, o.kind, o.booking_id, o.maintenance_id, o.created_at, o.created_by);
    END LOOP;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), here, 'relocate', its_unit, jsonb_build_object('branch_id', was),
        jsonb_build_object('branch_id', here));
END $$;

-- The unit is back, from its true time on nobody is late any more. An extension that is not paid is taken back. At
-- another branch the unit stays there; bookings that wait for it at its old one are at risk.
CREATE FUNCTION sentra.check_in(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    held    sentra.booking;
    row_of  sentra.occupancy;
    moment  timestamptz;
    done    timestamptz;
    moved   jsonb := '{}';
    papers  uuid[] := '{}';
    risky   jsonb := '[]';
    stands  text;
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'inspection object', 'based_on number?');
    wanted := (p ->> 'booking_id')::uuid;
    IF sentra.was_inspected(p -> 'inspection', wanted, 'IN') THEN
        RETURN sentra.handed_booking(wanted);
    END IF;
    held := sentra.booking_in_hand(wanted, true);
    PERFORM sentra.refuse_if_locked(sentra.extension_papers(held));
    held := sentra.lock_in_hand(wanted, true, true);
    IF sentra.was_inspected(p -> 'inspection', wanted, 'IN') THEN  -- the same one at once
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'check_in');
    papers := CASE WHEN held.state = 'EXTENSION_PENDING' THEN sentra.extension_papers(held) ELSE '{}' END;
    PERFORM sentra.refuse_if_locked(papers);
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    SELECT u.branch_id INTO stands FROM sentra.unit AS u WHERE u.id = held.unit_id;
    moment := sentra.now();
    done := sentra.record_inspection(held, held.unit_id, 'IN', p -> 'inspection', sentra.terms_for(held), '', moment);
    UPDATE sentra.booking SET state = 'RETURNED_PENDING_CHECK', last_action = 'check_in', payment_deadline = NULL,
        returned_at = done WHERE id = wanted;
    IF held.state = 'EXTENSION_PENDING' THEN
        SELECT * INTO STRICT row_of FROM sentra.occupancy AS o
        WHERE o.booking_id = wanted AND o.active AND o.kind = 'BOOKING';
        moved := sentra.move_days(held, held.unit_id, row_of.sku_id,
            daterange(lower(row_of.days), held.last_day + held.turnaround_days, '[]'), 'reject_extension');
        PERFORM sentra.void_invoice(x) FROM unnest(papers) AS x;
    END IF;
    IF stands <> branch THEN
        PERFORM sentra.relocate(held.unit_id, branch);
        risky := sentra.at_risk(held.unit_id, daterange(sentra.today_of(branch), NULL), wanted);
        PERFORM sentra.project_later(branch, ARRAY[held.unit_id]);
    ELSIF held.state = 'EXTENSION_PENDING' THEN
        PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    END IF;
    RETURN sentra.handed_booking(wanted, moved || jsonb_build_object('invoices', to_jsonb(papers), 'at_risk', risky));
END $$;

-- Another unit for a rental that is out, because its own broke or was wanted back: the old one is looked at and may go to
-- maintenance, the new one is looked at, goes out and is handed over. All of it or nothing.
CREATE FUNCTION sentra.replace_unit(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    wanted   uuid;
    held     sentra.booking;
    moment   timestamptz;
    answer   jsonb;
    happened timestamptz;
BEGIN
    PERFORM sentra.require_role('inspector');
    PERFORM sentra.check_fields(p, '', 'booking_id uuid', 'unit_id text', 'back object', 'out object', 'hand_over object',
        'maintenance object?', 'based_on number?');
    PERFORM sentra.check_fields(p -> 'hand_over', 'hand_over.', 'id uuid', 'signature object', 'photos array');
    PERFORM sentra.check_signature(p #> '{hand_over,signature}');
    wanted := (p ->> 'booking_id')::uuid;
    held := sentra.lock_booking(wanted, false);
    IF sentra.was_inspected(p -> 'out', wanted, 'OUT') THEN
        RETURN sentra.handed_booking(wanted);
    END IF;
    PERFORM sentra.check_based_on(held, (p ->> 'based_on')::integer);
    IF held.state <> 'ACTIVE_RENTAL' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'swap_unit'));
    END IF;
    IF p ->> 'unit_id' = held.unit_id THEN
        PERFORM sentra.invalid('unit_id', 'taken');
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id IN (held.unit_id, p ->> 'unit_id') ORDER BY u.id FOR NO KEY UPDATE;
    moment := sentra.now();
    PERFORM sentra.record_inspection(held, held.unit_id, 'IN', p -> 'back', sentra.terms_for(held), '', moment);
    IF p ->> 'maintenance' IS NOT NULL THEN  -- before its days come free: they are the breakdown's
        PERFORM sentra.block_unit(p -> 'maintenance' || jsonb_build_object('unit_id', held.unit_id, 'breakdown', true,
            'first_day', sentra.today_of(held.branch_id), 'counter', sentra.my_counter()));
    END IF;
    UPDATE sentra.occupancy AS o SET active = false WHERE o.booking_id = wanted AND o.active AND o.kind = 'OVERDUE';
    answer := sentra.swap_unit(wanted, p ->> 'unit_id', held.version);
    IF answer ? 'taken' THEN
        RAISE EXCEPTION USING ERRCODE = 'SR002', MESSAGE = 'DAYS_TAKEN', DETAIL = answer::text;
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    happened := sentra.record_inspection(held, held.unit_id, 'OUT', p -> 'out', sentra.terms_for(held), '', moment);
    PERFORM sentra.give_to_customer(held, held.unit_id, (p #>> '{hand_over,id}')::uuid, happened,
        p #> '{hand_over,signature}', p #> '{hand_over,photos}');
    RETURN sentra.handed_booking(wanted, jsonb_build_object('touched', answer -> 'touched', 'freed', answer -> 'freed'));
END $$;

-- The rental that a unit is out on, wherever it was let out: what a scan at any branch leads to. Null: it is not out.
CREATE FUNCTION sentra.rental_of(its_unit text) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_branch();
    PERFORM sentra.require_role('inspector');
    RETURN (SELECT jsonb_build_object('booking_id', b.id, 'number', b.number, 'branch_id', b.branch_id, 'state', b.state,
                'version', b.version, 'customer_name', c.name, 'due_at', b.due_at)
            FROM sentra.booking AS b JOIN sentra.customer AS c ON c.id = b.customer_id
            WHERE b.unit_id = its_unit AND b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING'));
END $$;

-- --- collateral -----------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.told_collateral(wanted uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT to_jsonb(k) || jsonb_build_object('taken_by_name', (SELECT s.name FROM sentra.staff AS s
        WHERE s.role_name = k.taken_by)) FROM sentra.collateral AS k WHERE k.id = wanted
$$;

-- Take something the customer leaves, and say where it lies. The same id again answers the same.
CREATE FUNCTION sentra.take_collateral(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held  sentra.booking;
    known sentra.collateral;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'booking_id uuid', 'kind text 20', 'what text? 200', 'place text 60');
    IF p ->> 'kind' NOT IN ('KTP', 'SIM', 'PASSPORT', 'STNK', 'MOTORCYCLE', 'OTHER') THEN
        PERFORM sentra.invalid('kind', 'not_valid');
    END IF;
    IF NOT sentra.is_note(coalesce(p ->> 'what', '')) THEN
        PERFORM sentra.invalid('what', 'control_characters');
    END IF;
    IF NOT sentra.is_clean(p ->> 'place') THEN
        PERFORM sentra.invalid('place', 'empty');
    END IF;
    held := sentra.lock_booking((p ->> 'booking_id')::uuid, false);
    SELECT * INTO known FROM sentra.collateral AS k WHERE k.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF known.booking_id <> held.id THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN sentra.told_collateral(known.id);
    END IF;
    IF held.state IN ('CANCELLED', 'COMPLETED') THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', held.id,
            'state', held.state, 'action', 'take_collateral'));
    END IF;
    INSERT INTO sentra.collateral (id, branch_id, booking_id, kind, what, place)
    VALUES ((p ->> 'id')::uuid, held.branch_id, held.id, p ->> 'kind', coalesce(p ->> 'what', ''), p ->> 'place');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'take_collateral', p ->> 'id',
        jsonb_build_object('booking_id', held.id, 'kind', p ->> 'kind', 'place', p ->> 'place'));
    RETURN sentra.told_collateral((p ->> 'id')::uuid);
END $$;

-- Give collateral back, or (with a reason) keep it. What was kept may still be given back.
CREATE FUNCTION sentra.end_collateral(wanted uuid, kept boolean, reason text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    known  sentra.collateral;
    becomes text := CASE WHEN kept THEN 'KEPT' ELSE 'RETURNED' END;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    IF kept IS NULL THEN
        PERFORM sentra.invalid('kind', 'missing');
    END IF;
    IF kept THEN
        PERFORM sentra.check_reason(reason);
    END IF;
    SELECT * INTO known FROM sentra.collateral AS k WHERE k.id = wanted AND k.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'id', 'id', wanted));
    END IF;
    IF known.state = 'RETURNED' OR known.state = becomes THEN
        IF known.state <> becomes THEN
            PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'id', 'reason', 'given_back',
                'action', 'keep_collateral'));
        END IF;
        RETURN sentra.told_collateral(wanted);
    END IF;
    UPDATE sentra.collateral AS k SET state = becomes, ended_at = sentra.now(), ended_by = session_user,
        reason = coalesce(end_collateral.reason, '') WHERE k.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), branch, 'end_collateral', wanted::text, jsonb_build_object('holds', known.state),
        jsonb_build_object('holds', becomes, 'reason', coalesce(reason, '')));
    RETURN sentra.told_collateral(wanted);
END $$;

-- --- photos ---------------------------------------------------------------------------------------------------------

-- Store the bytes of a promised photo; they must be the promised ones. True: they were there before.
CREATE FUNCTION sentra.save_photo(wanted uuid, content bytea) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    promised sentra.photo;
BEGIN
    PERFORM sentra.require_branch();
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    IF content IS NULL OR length(content) NOT BETWEEN 1 AND 1500000 THEN
        PERFORM sentra.invalid('photo', CASE WHEN length(content) > 1500000 THEN 'too_large' ELSE 'missing' END);
    END IF;
    SELECT f.* INTO promised FROM sentra.photo AS f JOIN sentra.inspection AS i ON i.id = f.inspection_id
    WHERE f.id = wanted AND (f.branch_id = sentra.my_branch() OR i.recorded_by = session_user);
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'photo_id', 'photo_id', wanted));
    END IF;
    IF encode(sha256(content), 'hex') <> promised.sha256 THEN
        PERFORM sentra.invalid('photo', 'not_valid');
    END IF;
    INSERT INTO sentra.photo_bytes (photo_id, branch_id, content) VALUES (wanted, promised.branch_id, save_photo.content)
    ON CONFLICT DO NOTHING;
    RETURN NOT FOUND;
END $$;

-- The bytes of a photo of the own branch, or of a unit that stands here or is to come back; null until they are stored.
CREATE FUNCTION sentra.photo_content(wanted uuid) RETURNS bytea STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    IF NOT EXISTS (SELECT FROM sentra.photo AS f JOIN sentra.inspection AS i ON i.id = f.inspection_id
                   JOIN sentra.booking AS b ON b.id = i.booking_id JOIN sentra.unit AS u ON u.id = b.unit_id
                   WHERE f.id = wanted AND (f.branch_id = branch OR (sentra.has_role('inspector') AND (
                       b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING')
                       OR (b.state IN ('RETURNED_PENDING_CHECK', 'DISPUTED') AND u.branch_id = branch))))) THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'photo_id', 'photo_id', wanted));
    END IF;
    RETURN (SELECT b.content FROM sentra.photo_bytes AS b WHERE b.photo_id = wanted);
END $$;

-- A mark is mended: nobody is shown or charged it any more.
CREATE FUNCTION sentra.repair_damage(wanted uuid) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    mended sentra.damage;
BEGIN
    PERFORM sentra.require_role('inspector');
    SELECT d.* INTO mended FROM sentra.damage AS d JOIN sentra.unit AS u ON u.id = d.unit_id
    WHERE d.id = wanted AND u.branch_id = branch FOR NO KEY UPDATE OF d;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'damage_id', 'damage_id', wanted));
    END IF;
    IF mended.repaired_at IS NOT NULL THEN
        RETURN false;
    END IF;
    UPDATE sentra.damage AS d SET repaired_at = sentra.now(), repaired_by = session_user WHERE d.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), branch, 'repair_damage', wanted::text, jsonb_build_object('unit_id', mended.unit_id));
    RETURN true;
END $$;

-- --- overdue --------------------------------------------------------------------------------------------------------

-- The days that a booking takes beyond its own because its unit is not back or not checked: through tomorrow, day by day.
-- Null: none, or its branch does not want it.
CREATE FUNCTION sentra.overdue_days(held sentra.booking, moment timestamptz) RETURNS daterange LANGUAGE sql STABLE AS $$
    SELECT daterange(greatest(upper(o.days), t.today - 300), t.today + 2)
    FROM sentra.branch AS b
    CROSS JOIN LATERAL (SELECT (moment AT TIME ZONE b.zone)::date AS today) AS t
    JOIN sentra.occupancy AS o ON o.booking_id = held.id AND o.active AND o.kind = 'BOOKING' AND o.unit_id = held.unit_id
    WHERE b.id = held.branch_id
      AND held.state IN ('DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING', 'RETURNED_PENDING_CHECK', 'DISPUTED')
      AND upper(o.days) < t.today + 2
      AND (upper(o.days) <= t.today OR (held.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING') AND held.due_at < moment))
      AND sentra.setting_of(b.id, 'overdue_takes_days', 'true') = 'true'
$$;

-- Bookings whose overdue days are not as they should be now, at most so many.
CREATE FUNCTION sentra.overdue_bookings(most integer, but_not uuid[]) RETURNS uuid[]
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := sentra.now();
BEGIN
    PERFORM sentra.require_role('service');
    RETURN (SELECT coalesce(array_agg(x.id), '{}') FROM (
        SELECT b.id FROM sentra.booking AS b
        LEFT JOIN sentra.occupancy AS layer ON layer.booking_id = b.id AND layer.active AND layer.kind = 'OVERDUE'
        CROSS JOIN LATERAL (SELECT sentra.overdue_days(b, moment) AS days) AS wanted
        WHERE b.state IN ('DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING', 'RETURNED_PENDING_CHECK', 'DISPUTED')
          AND b.id <> ALL (coalesce(but_not, '{}'))
          AND ((layer.days IS DISTINCT FROM wanted.days) OR (layer.id IS NOT NULL AND layer.unit_id <> b.unit_id))
        ORDER BY b.due_at, b.id LIMIT greatest(coalesce(most, 1), 1)) AS x);
END $$;

-- Bring one booking's overdue days up to now. Null when they are, or when somebody holds a row of it this moment.
CREATE FUNCTION sentra.mark_overdue(wanted uuid) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '1s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    layer   sentra.occupancy;
    taken   daterange;
    locked  integer;
    units   text[];
    touched jsonb := '[]';
BEGIN
    PERFORM sentra.require_role('service');
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO layer FROM sentra.occupancy AS o WHERE o.booking_id = wanted AND o.active AND o.kind = 'OVERDUE';
    units := ARRAY(SELECT DISTINCT x FROM unnest(ARRAY[held.unit_id, coalesce(layer.unit_id, held.unit_id)]) AS x);
    SELECT count(*) INTO locked FROM (SELECT FROM sentra.unit AS u WHERE u.id = ANY (units)
                                      ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED) AS x;
    IF locked < cardinality(units) THEN
        RETURN NULL;
    END IF;
    taken := sentra.overdue_days(held, sentra.now());
    IF layer.id IS NOT NULL AND (taken IS NULL OR layer.unit_id <> held.unit_id) THEN
        UPDATE sentra.occupancy AS o SET active = false WHERE o.id = layer.id;
        touched := touched || jsonb_build_array(jsonb_build_object('unit_id', layer.unit_id,
            'first_day', lower(layer.days), 'last_day', upper(layer.days) - 1));
        layer := NULL;
    ELSIF layer.days = taken THEN
        RETURN NULL;
    END IF;
    IF taken IS NOT NULL AND layer.id IS NOT NULL THEN
        UPDATE sentra.occupancy AS o SET days = taken WHERE o.id = layer.id;
        touched := touched || jsonb_build_array(jsonb_build_object('unit_id', layer.unit_id,
            'first_day', lower(layer.days), 'last_day', upper(layer.days) - 1));
    ELSIF taken IS NOT NULL THEN
        INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)
        SELECT u.id, u.sku_id, u.branch_id, taken, 'OVERDUE', wanted
        FROM sentra.unit AS u WHERE u.id = held.unit_id;
    END IF;
    IF touched = '[]' AND taken IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM sentra.project_later(held.branch_id, units);
    RETURN sentra.handed_booking(wanted, jsonb_build_object('touched', touched));
END $$;

GRANT EXECUTE ON FUNCTION sentra.check_out(jsonb), sentra.hand_over(jsonb), sentra.recall(uuid, text, boolean, integer),
    sentra.check_in(jsonb), sentra.replace_unit(jsonb), sentra.rental_of(text), sentra.repair_damage(uuid) TO {{inspector}};
GRANT EXECUTE ON FUNCTION sentra.take_collateral(jsonb), sentra.end_collateral(uuid, boolean, text),
    sentra.save_photo(uuid, bytea), sentra.photo_content(uuid) TO {{agent}}, {{inspector}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.overdue_bookings(integer, uuid[]), sentra.mark_overdue(uuid) TO {{service}};
