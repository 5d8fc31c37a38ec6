-- What a rental costs: dated rates, extras, a discount, a deposit as agreed, days counted by dates or by 24 hours. A booking
-- keeps what it was priced by, so that every later change of its days is priced the same. The rules are the domain's
-- (`rates.py`, `pricing.py`); a test compares the two to the Rupiah.

-- --- tables ---------------------------------------------------------------------------------------------------------

-- The rates of a SKU besides that of an ordinary day, as a booking keeps them: of a weekend day, a holiday, 7 and 30 days.
CREATE FUNCTION sentra.is_card(card jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN jsonb_typeof(card) <> 'object' THEN false
                ELSE card <> '{}' AND NOT EXISTS (
                    SELECT FROM jsonb_each(card) AS c
                    WHERE c.key NOT IN ('weekend', 'holiday', 'weekly', 'monthly')
                       OR jsonb_typeof(c.value) <> 'number' OR c.value::text !~ '^[0-9]{1,12}$') END
$$;
-- Whoever writes a booking, its CHECK runs as that person.
GRANT EXECUTE ON FUNCTION sentra.is_card(jsonb)
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}}, {{staff_admin}};

-- What a SKU costs from a day on; before the first of them what the fleet says. A rental has the rates of its first day.
CREATE TABLE sentra.sku_rate (
    sku_id     text NOT NULL REFERENCES sentra.sku,
    since      date NOT NULL CHECK (since BETWEEN '2000-01-01' AND '9997-12-31'),
    weekday    bigint NOT NULL CHECK (weekday BETWEEN 0 AND 999999999999),
    weekend    bigint CHECK (weekend BETWEEN 0 AND 999999999999),
    holiday    bigint CHECK (holiday BETWEEN 0 AND 999999999999),
    weekly     bigint CHECK (weekly BETWEEN 0 AND 999999999999),
    monthly    bigint CHECK (monthly BETWEEN 0 AND 999999999999),
    deposit    bigint NOT NULL CHECK (deposit BETWEEN 0 AND 999999999999),
    changed_at timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by text NOT NULL DEFAULT session_user,
    PRIMARY KEY (sku_id, since)
);

-- What a branch rents out or does along with a unit. One that is not taxable is charged once: a change of days never
-- touches it, nor does a discount.
CREATE TABLE sentra.extra (
    branch_id  text NOT NULL REFERENCES sentra.branch,
    code       text NOT NULL CHECK (code ~ '^[A-Z0-9]([A-Z0-9.-]{0,28}[A-Z0-9])?$'),
    name       text NOT NULL CHECK (length(name) <= 80 AND sentra.is_clean(name)),
    per_day    boolean NOT NULL,
    rate       bigint NOT NULL CHECK (rate BETWEEN 0 AND 999999999999),
    taxable    boolean NOT NULL,
    replaces_driver_licence boolean NOT NULL,
    active     boolean NOT NULL DEFAULT true,
    changed_at timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by text NOT NULL DEFAULT session_user,
    PRIMARY KEY (branch_id, code),
    CONSTRAINT extra_untaxed_once CHECK (taxable OR NOT per_day)
);

-- An extra of a booking, frozen.
CREATE TABLE sentra.booking_extra (
    booking_id uuid NOT NULL REFERENCES sentra.booking,
    line_no    integer NOT NULL CHECK (line_no BETWEEN 1 AND 10),
    branch_id  text NOT NULL REFERENCES sentra.branch,
    code       text NOT NULL,
    name       text NOT NULL,
    per_day    boolean NOT NULL,
    rate       bigint NOT NULL CHECK (rate >= 0),
    taxable    boolean NOT NULL,
    replaces_driver_licence boolean NOT NULL,
    quantity   integer NOT NULL CHECK (quantity BETWEEN 1 AND 99),
    PRIMARY KEY (booking_id, line_no),
    CONSTRAINT booking_extra_once UNIQUE (booking_id, code)
);

-- `card` null: every day costs `daily_rate`. `holidays`: the days that cost its holiday rate. A rental that is counted by
-- 24 hours is paid for `day_offset` days less than the dates it touches, by its two times of day.
ALTER TABLE sentra.booking
    ADD COLUMN card             jsonb,
    ADD COLUMN holidays         date[] NOT NULL DEFAULT '{}',
    ADD COLUMN discount_percent integer NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
    ADD COLUMN counts_hours     boolean NOT NULL DEFAULT false,
    ADD COLUMN day_offset       integer NOT NULL DEFAULT 0 CHECK (day_offset BETWEEN -2 AND 0),
    ADD COLUMN min_days         integer NOT NULL DEFAULT 1 CHECK (min_days BETWEEN 1 AND 30),
    ADD CONSTRAINT booking_card CHECK (card IS NULL OR sentra.is_card(card)),
    ADD CONSTRAINT booking_holidays CHECK (cardinality(holidays) <= 400),
    ADD CONSTRAINT booking_counting CHECK (counts_hours OR day_offset = 0);

ALTER TABLE sentra.sku ADD COLUMN min_days integer NOT NULL DEFAULT 1 CHECK (min_days BETWEEN 1 AND 30);

ALTER TABLE sentra.branch
    ADD COLUMN counts_hours      boolean NOT NULL DEFAULT false,
    ADD COLUMN tolerance_minutes integer NOT NULL DEFAULT 30 CHECK (tolerance_minutes BETWEEN 0 AND 720);

-- By role, the greatest discount in percent without a manager's word.
CREATE FUNCTION sentra.is_discount_limit(limits jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN jsonb_typeof(limits) <> 'object' THEN false
                ELSE NOT EXISTS (SELECT FROM jsonb_each(limits) AS l
                    WHERE l.key NOT IN ('agent', 'cashier', 'manager')
                       OR CASE WHEN l.value::text ~ '^[0-9]{1,3}$' THEN l.value::text::integer > 100 ELSE true END) END
$$;
ALTER TABLE sentra.setting ADD CONSTRAINT setting_discount_limit
    CHECK (key <> 'discount_limit' OR sentra.is_discount_limit(value));

GRANT SELECT ON sentra.sku_rate, sentra.extra, sentra.booking_extra
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};

DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['extra', 'booking_extra'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
END $$;

-- --- rules ----------------------------------------------------------------------------------------------------------

-- The rates of a SKU on a day: its dated ones, else those of the fleet. `card` as a booking keeps it.
CREATE FUNCTION sentra.rates_on(s sentra.sku, on_day date, OUT daily_rate bigint, OUT card jsonb, OUT deposit bigint)
STABLE LANGUAGE plpgsql AS $$
DECLARE
    dated sentra.sku_rate;
BEGIN
    SELECT * INTO dated FROM sentra.sku_rate AS r WHERE r.sku_id = s.id AND r.since <= on_day
    ORDER BY r.since DESC LIMIT 1;
    IF NOT FOUND THEN
        daily_rate := s.daily_rate;
        deposit := s.deposit;
        RETURN;
    END IF;
    daily_rate := dated.weekday;
    deposit := dated.deposit;
    card := nullif(jsonb_strip_nulls(jsonb_build_object('weekend', dated.weekend, 'holiday', dated.holiday,
        'weekly', dated.weekly, 'monthly', dated.monthly)), '{}');
END $$;

-- The domain's `rent_parts`: whole months, whole weeks, the rest day by day, never dearer than the next bigger block.
CREATE FUNCTION sentra.rent_parts(daily_rate bigint, card jsonb, holidays date[], first_day date, days integer)
RETURNS TABLE (word text, quantity integer, rate bigint) IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
    weekend bigint := (card ->> 'weekend')::bigint;
    holiday bigint := (card ->> 'holiday')::bigint;
    weekly  bigint := (card ->> 'weekly')::bigint;
    monthly bigint := (card ->> 'monthly')::bigint;
    months  integer := 0;
    weeks   integer := 0;
    begun   integer;
    rest    record;
BEGIN
    IF card IS NULL THEN
        RETURN QUERY SELECT '', days, daily_rate;
        RETURN;
    END IF;
    IF monthly IS NOT NULL THEN
        months := days / 30;
    END IF;
    IF weekly IS NOT NULL THEN
        weeks := (days - 30 * months) / 7;
    END IF;
    begun := 30 * months + 7 * weeks;
    SELECT count(*) FILTER (WHERE x.kind = 0)::integer AS plain, count(*) FILTER (WHERE x.kind = 1)::integer AS ends,
           count(*) FILTER (WHERE x.kind = 2)::integer AS feasts
    INTO rest
    FROM (SELECT CASE WHEN holiday IS NOT NULL AND first_day + n = ANY (holidays) THEN 2
                      WHEN weekend IS NOT NULL AND extract(isodow FROM first_day + n) > 5 THEN 1 ELSE 0 END AS kind
          FROM generate_series(begun, days - 1) AS n) AS x;
    IF rest.plain * daily_rate + rest.ends * coalesce(weekend, 0) + rest.feasts * coalesce(holiday, 0) > weekly THEN
        weeks := weeks + 1;
        SELECT 0 AS plain, 0 AS ends, 0 AS feasts INTO rest;
    END IF;
    IF weeks * coalesce(weekly, 0) + rest.plain * daily_rate + rest.ends * coalesce(weekend, 0)
       + rest.feasts * coalesce(holiday, 0) > monthly THEN
        months := months + 1;
        weeks := 0;
        SELECT 0 AS plain, 0 AS ends, 0 AS feasts INTO rest;
    END IF;
    RETURN QUERY SELECT v.word, v.quantity, v.rate
    FROM (VALUES (1, 'bulanan (30 hari)', months, monthly), (2, 'mingguan (7 hari)', weeks, weekly),
                 (3, '', rest.plain, daily_rate), (4, 'akhir pekan', rest.ends, weekend),
                 (5, 'hari libur', rest.feasts, holiday)) AS v (place, word, quantity, rate)
    WHERE v.quantity > 0 ORDER BY v.place;
END $$;

-- The domain's `priced_lines`: rent, extras, and one discount over all that is taxable.
CREATE FUNCTION sentra.priced_lines(name text, daily_rate bigint, card jsonb, holidays date[], extras jsonb,
    discount_percent integer, first_day date, days integer)
RETURNS TABLE (kind text, text text, quantity integer, unit_price bigint, amount bigint, taxable boolean)
STABLE LANGUAGE plpgsql AS $$
DECLARE
    part  record;
    base  numeric := 0;
    less  bigint;
BEGIN
    FOR part IN
        SELECT 'RENT' AS kind, name || CASE r.word WHEN '' THEN '' ELSE ' · ' || r.word END AS text, r.quantity,
               r.rate, true AS taxable
        FROM sentra.rent_parts(daily_rate, card, holidays, first_day, days) AS r
        UNION ALL
        SELECT 'EXTRA', x.name, x.quantity * CASE WHEN x.per_day THEN days ELSE 1 END, x.rate, x.taxable
        FROM jsonb_to_recordset(extras) AS x (name text, per_day boolean, rate bigint, taxable boolean, quantity integer)
    LOOP
        kind := part.kind;
        text := part.text;
        quantity := part.quantity;
        unit_price := part.rate;
        amount := part.quantity * part.rate;
        taxable := part.taxable;
        base := base + CASE WHEN part.taxable THEN amount ELSE 0 END;
        RETURN NEXT;
    END LOOP;
    less := sentra.half_up(base * discount_percent, 100);
    IF less > 0 THEN
        RETURN QUERY SELECT 'DISCOUNT', format('Diskon %s %%', discount_percent), 1, -less, -less, true;
    END IF;
END $$;

-- The greatest discount in percent that the person may give without a manager's word.
CREATE FUNCTION sentra.discount_limit() RETURNS integer STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE sql AS $$
    SELECT coalesce(max(l.value::text::integer), 0)
    FROM jsonb_each(coalesce(
        (SELECT s.value FROM sentra.setting AS s
         WHERE s.key = 'discount_limit' AND (s.branch_id = sentra.my_branch() OR s.branch_id IS NULL)
         ORDER BY s.branch_id NULLS LAST LIMIT 1),
        '{"agent": 10, "cashier": 10, "manager": 100}')) AS l
    WHERE sentra.has_role(l.key)
$$;
GRANT EXECUTE ON FUNCTION sentra.discount_limit() TO {{agent}}, {{inspector}}, {{cashier}}, {{service}};

-- --- booking --------------------------------------------------------------------------------------------------------

-- As before, and what a booking may have beside its days: extras, a discount, a deposit as agreed, a card of rates.
CREATE OR REPLACE FUNCTION sentra.check_order(wanted jsonb) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    item  jsonb;
    extra jsonb;
    at    integer;
    place text;
    more  boolean := false;
BEGIN
    PERFORM sentra.check_fields(wanted, '', 'id uuid', 'customer_id uuid?', 'new_customer object?', 'source text 20',
        'note text? 500', 'counter text 60', 'invoice_id uuid', 'base rupiah', 'dpp rupiah', 'ppn rupiah', 'total rupiah',
        'bookings array', 'lines array', 'approval_id uuid?');
    IF wanted ->> 'source' NOT IN ('COUNTER', 'WAITLIST', 'REINSTATED', 'IMPORT') THEN
        PERFORM sentra.invalid('source', 'not_a_source');
    END IF;
    PERFORM sentra.check_counter(wanted ->> 'counter');
    IF NOT sentra.is_note(coalesce(wanted ->> 'note', '')) THEN
        PERFORM sentra.invalid('note', 'control_characters');
    END IF;
    IF wanted ->> 'customer_id' IS NULL THEN
        item := wanted -> 'new_customer';
        PERFORM sentra.check_fields(item, 'customer.', 'id uuid', 'name text 1000', 'phone text 40');
        IF sentra.name_fault(item ->> 'name') IS NOT NULL THEN
            PERFORM sentra.invalid('customer.name', sentra.name_fault(item ->> 'name'), '{"least": 2, "most": 80}');
        END IF;
        IF item ->> 'phone' !~ '^\+[1-9][0-9]{7,14}$' THEN
            PERFORM sentra.invalid('customer.phone', 'not_a_phone');
        END IF;
    END IF;
    IF jsonb_array_length(wanted -> 'bookings') NOT BETWEEN 1 AND 20 THEN
        PERFORM sentra.invalid('lines', CASE jsonb_array_length(wanted -> 'bookings') WHEN 0 THEN 'empty' ELSE 'count' END,
            '{"least": 1, "most": 20}');
    END IF;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS x (e, n) LOOP
        place := format('lines[%s].', at);
        PERFORM sentra.check_fields(item, place, 'id uuid', 'unit_id text', 'given_unit text?',
            'sku_id text', 'first_day day', 'last_day day', 'taken_first day', 'taken_last day', 'pickup_at moment',
            'due_at moment', 'daily_rate rupiah', 'deposit rupiah', 'turnaround_days number', 'agreed_deposit rupiah?',
            'discount_percent number?', 'card object?', 'holidays array?', 'extras array?', 'day_offset number?',
            'min_days number?');
        IF item ->> 'given_unit' <> item ->> 'unit_id' THEN
            PERFORM sentra.invalid(place || 'given_unit', 'not_the_unit');
        END IF;
        IF (item ->> 'discount_percent')::integer NOT BETWEEN 0 AND 100 THEN
            PERFORM sentra.invalid(place || 'discount_percent', 'out_of_range', '{"least": 0, "most": 100}');
        END IF;
        IF item ->> 'card' IS NOT NULL AND NOT sentra.is_card(item -> 'card') THEN
            PERFORM sentra.invalid(place || 'card', 'not_a_card');
        END IF;
        IF item ->> 'holidays' IS NOT NULL THEN
            PERFORM sentra.check_holidays(item -> 'holidays', place || 'holidays');
        END IF;
        IF item ->> 'extras' IS NOT NULL THEN
            IF jsonb_array_length(item -> 'extras') > 10 THEN
                PERFORM sentra.invalid(place || 'extras', 'count', '{"most": 10}');
            END IF;
            FOR extra IN SELECT jsonb_array_elements(item -> 'extras') LOOP
                PERFORM sentra.check_fields(extra, place || 'extras.', 'code text 30', 'name text 80', 'per_day boolean',
                    'rate rupiah', 'taxable boolean', 'replaces_driver_licence boolean', 'quantity number');
                IF (extra ->> 'quantity')::integer NOT BETWEEN 1 AND 99 THEN
                    PERFORM sentra.invalid(place || 'extras.quantity', 'out_of_range', '{"least": 1, "most": 99}');
                END IF;
            END LOOP;
        END IF;
        more := more OR sentra.is_special(item);
    END LOOP;
    -- Rent and deposit of twenty units, and PPN; of other than plain bookings five kinds of rent, ten extras, a discount.
    IF jsonb_array_length(wanted -> 'lines') > (CASE WHEN more THEN 341 ELSE 41 END) THEN
        PERFORM sentra.invalid('prices', 'count', jsonb_build_object('most', CASE WHEN more THEN 341 ELSE 41 END));
    END IF;
    FOR item, at IN SELECT e, n - 1 FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS x (e, n) LOOP
        PERFORM sentra.check_fields(item, format('prices[%s].', at), 'booking_id uuid?', 'kind text 20', 'text text 200',
            'quantity number', 'unit_price rupiah', 'amount rupiah', 'taxable boolean');
        IF NOT sentra.is_clean(item ->> 'text') THEN
            PERFORM sentra.invalid(format('prices[%s].text', at), 'not_a_text');
        END IF;
    END LOOP;
END $$;

-- Refuse holidays that are no days, or more than a rental has.
CREATE FUNCTION sentra.check_holidays(days jsonb, field text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF jsonb_array_length(days) > 400 THEN
        PERFORM sentra.invalid(field, 'count', '{"most": 400}');
    END IF;
    IF EXISTS (SELECT FROM jsonb_array_elements(days) AS d
               WHERE CASE WHEN jsonb_typeof(d) <> 'string' OR d #>> '{}' !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN true
                          ELSE NOT pg_input_is_valid(d #>> '{}', 'date') END) THEN
        PERFORM sentra.invalid(field, 'not_a_day');
    END IF;
END $$;

-- Whether a wanted booking is priced by more than its days at one rate.
CREATE FUNCTION sentra.is_special(item jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
    SELECT item ->> 'card' IS NOT NULL OR coalesce((item ->> 'discount_percent')::integer, 0) > 0
        OR (item ->> 'extras' IS NOT NULL AND item -> 'extras' <> '[]')
$$;

-- Holidays out of JSON, each once.
CREATE FUNCTION sentra.holidays_of(days jsonb) RETURNS date[] IMMUTABLE LANGUAGE sql AS $$
    SELECT coalesce(array_agg(DISTINCT d::date ORDER BY d::date), '{}')
    FROM jsonb_array_elements_text(CASE jsonb_typeof(days) WHEN 'array' THEN days ELSE '[]' END) AS d
$$;

-- Refuse holidays of days that are priced which are not the branch's: one that it has added must be there, one that it has
-- made an ordinary day must not. What the national calendar says the database does not know.
CREATE FUNCTION sentra.check_branch_holidays(branch text, holidays date[], first_day date, days integer) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (SELECT FROM sentra.holiday AS h
               WHERE h.branch_id = branch AND h.day BETWEEN first_day AND first_day + days - 1
                 AND (h.state = 'ADDED') <> (h.day = ANY (holidays))) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', '{"reason": "holidays"}');
    END IF;
END $$;

-- The guard on what the caller priced. Rates, extras and the least deposit of this moment; of each booking exactly the
-- lines that the product's rules make of its days; PPN of this day; and the sum. PRICE_CHANGED when rates are others by
-- now, else the field that is wrong.
CREATE OR REPLACE FUNCTION sentra.check_prices(wanted jsonb, branch_id text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    branch   sentra.branch;
    wrong    jsonb;
    place    text;
    taxable  numeric;
    computed record;
    on_top   bigint[];
    total    numeric;
    special  uuid[];
BEGIN
    SELECT * INTO branch FROM sentra.branch AS b WHERE b.id = branch_id;
    special := sentra.check_terms(wanted, branch);

    -- Each line by itself: its kind, whose it is, and what that kind must say. A special booking's lines come after.
    SELECT format('prices[%s].', e.line - 1) || CASE
        WHEN l.kind NOT IN ('RENT', 'DEPOSIT', 'PPN') THEN 'kind'
        WHEN (l.kind = 'PPN') <> (l.booking_id IS NULL) OR (l.kind <> 'PPN' AND w.id IS NULL) THEN 'booking_id'
        WHEN l.taxable <> (l.kind = 'RENT') THEN 'taxable'
        WHEN l.quantity <> CASE l.kind WHEN 'RENT' THEN w.days ELSE 1 END THEN 'quantity'
        WHEN l.unit_price <> CASE l.kind WHEN 'RENT' THEN w.daily_rate WHEN 'DEPOSIT' THEN w.deposit ELSE l.amount END
            THEN 'unit_price'
        WHEN l.amount <> l.quantity::numeric * l.unit_price THEN 'amount' END
    INTO place
    FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS l (booking_id uuid, kind text, quantity integer, unit_price bigint,
        amount bigint, taxable boolean)
    LEFT JOIN (SELECT x.id, x.daily_rate, x.deposit,
                      greatest(coalesce(x.min_days, 1), x.last_day - x.first_day + 1 + coalesce(x.day_offset, 0)) AS days
               FROM jsonb_to_recordset(wanted -> 'bookings') AS x (id uuid, first_day date, last_day date,
                   daily_rate bigint, deposit bigint, min_days integer, day_offset integer)) AS w ON w.id = l.booking_id
    WHERE (l.kind NOT IN ('RENT', 'EXTRA', 'DISCOUNT') OR l.booking_id IS NULL OR l.booking_id <> ALL (special))
      AND (l.kind NOT IN ('RENT', 'DEPOSIT', 'PPN')
       OR (l.kind = 'PPN') <> (l.booking_id IS NULL) OR (l.kind <> 'PPN' AND w.id IS NULL)
       OR l.taxable <> (l.kind = 'RENT')
       OR l.quantity <> CASE l.kind WHEN 'RENT' THEN w.days ELSE 1 END
       OR l.unit_price <> CASE l.kind WHEN 'RENT' THEN w.daily_rate WHEN 'DEPOSIT' THEN w.deposit ELSE l.amount END
       OR l.amount <> l.quantity::numeric * l.unit_price)
    ORDER BY e.line LIMIT 1;
    IF place IS NOT NULL THEN
        PERFORM sentra.invalid(place, 'not_the_price');
    END IF;
    -- And all together: one rent per plain booking, one deposit where there is any; of a special one every line.
    IF EXISTS (
        SELECT FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, deposit bigint)
        LEFT JOIN jsonb_to_recordset(wanted -> 'lines') AS l (booking_id uuid, kind text) ON l.booking_id = w.id
        GROUP BY w.id, w.deposit
        HAVING (count(*) FILTER (WHERE l.kind = 'RENT') <> 1 AND w.id <> ALL (special))
            OR count(*) FILTER (WHERE l.kind = 'DEPOSIT') <> CASE WHEN w.deposit > 0 THEN 1 ELSE 0 END) THEN
        PERFORM sentra.invalid('prices', 'incomplete');
    END IF;
    IF cardinality(special) > 0 THEN
        PERFORM sentra.check_special_lines(wanted, special);
    END IF;

    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0), coalesce(sum(l.amount), 0) INTO taxable, total
    FROM jsonb_to_recordset(wanted -> 'lines') AS l (amount bigint, taxable boolean);
    IF total > 9999999999999 OR total <> (wanted ->> 'total')::numeric THEN
        PERFORM sentra.invalid('total', CASE WHEN total > 9999999999999 THEN 'too_large' ELSE 'not_the_sum' END);
    END IF;
    computed := sentra.priced(branch, taxable::bigint, (sentra.now() AT TIME ZONE branch.zone)::date);
    -- PPN on top of the price is a line of its own; inside the price, or without any, there is none.
    on_top := CASE WHEN branch.has_ppn AND NOT branch.prices_include_ppn THEN ARRAY[computed.ppn] END;
    IF (computed.base, computed.dpp, computed.ppn) IS DISTINCT FROM
           ((wanted ->> 'base')::bigint, (wanted ->> 'dpp')::bigint, (wanted ->> 'ppn')::bigint)
       OR (SELECT array_agg(l.amount) FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint)
           WHERE l.kind = 'PPN') IS DISTINCT FROM on_top THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('total', total));
    END IF;
END $$;

-- Refuse what a booking is priced by unless it is the product's own of this moment. Answers the bookings that are priced by
-- more than their days at one rate.
CREATE FUNCTION sentra.check_terms(wanted jsonb, branch sentra.branch) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    w       record;
    special uuid[] := '{}';
BEGIN
    FOR w IN SELECT e.line, e.item, x.*, s.id AS sku, s.min_days AS least_days, s.turnaround_days AS its_turnaround,
                    r.daily_rate AS rate_now, r.card AS card_now, r.deposit AS least_deposit,
                    CASE WHEN branch.counts_hours THEN ceil((extract(epoch FROM x.due_at - x.pickup_at)
                             - 60 * branch.tolerance_minutes) / 86400)::integer - (x.last_day - x.first_day + 1)
                         ELSE 0 END AS offset_now,
                    (x.pickup_at AT TIME ZONE branch.zone)::date <> x.first_day AS late_start,
                    (x.due_at AT TIME ZONE branch.zone)::date <> x.last_day AS early_end
             FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
             CROSS JOIN LATERAL jsonb_to_record(e.item) AS x (id uuid, sku_id text, first_day date, last_day date,
                 pickup_at timestamptz, due_at timestamptz, daily_rate bigint, deposit bigint, turnaround_days integer,
                 agreed_deposit bigint, card jsonb, holidays jsonb, day_offset integer, min_days integer, extras jsonb)
             JOIN sentra.sku AS s ON s.id = x.sku_id
             CROSS JOIN LATERAL sentra.rates_on(s, x.first_day) AS r
             ORDER BY e.line LOOP
        IF (w.daily_rate, nullif(w.card, 'null'), w.turnaround_days, coalesce(w.min_days, 1))
               IS DISTINCT FROM (w.rate_now, w.card_now, w.its_turnaround, w.least_days)
           OR (w.agreed_deposit IS NULL AND w.deposit <> w.least_deposit) THEN
            PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('sku', w.sku, 'daily_rate', w.rate_now,
                'deposit', w.least_deposit));
        END IF;
        IF w.agreed_deposit < w.least_deposit OR w.agreed_deposit <> w.deposit THEN
            PERFORM sentra.invalid(format('lines[%s].deposit', w.line - 1),
                CASE WHEN w.agreed_deposit < w.least_deposit THEN 'too_low' ELSE 'not_the_price' END,
                jsonb_build_object('least', w.least_deposit));
        END IF;
        IF branch.counts_hours AND (w.late_start OR w.early_end) THEN
            PERFORM sentra.invalid(format('lines[%s].%s', w.line - 1,
                CASE WHEN w.late_start THEN 'pickup_at' ELSE 'due_at' END), 'not_of_the_period');
        END IF;
        IF coalesce(w.day_offset, 0) <> w.offset_now THEN
            PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('sku', w.sku, 'reason', 'days'));
        END IF;
        IF w.card_now ? 'holiday' THEN
            PERFORM sentra.check_branch_holidays(branch.id, sentra.holidays_of(w.holidays), w.first_day,
                greatest(w.least_days, w.last_day - w.first_day + 1 + w.offset_now));
        END IF;
        IF w.extras IS NOT NULL AND w.extras NOT IN ('null', '[]') THEN
            PERFORM sentra.check_extras(w.extras, branch.id, format('lines[%s].extras', w.line - 1));
        END IF;
        IF sentra.is_special(w.item) THEN
            special := special || w.id;
        END IF;
    END LOOP;
    RETURN special;
END $$;

-- Refuse extras that the branch has not, twice the same, or at other rates than now.
CREATE FUNCTION sentra.check_extras(extras jsonb, branch text, field text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    w record;
BEGIN
    FOR w IN SELECT x.*, e.code AS known, count(*) OVER (PARTITION BY x.code) AS times,
                    (x.name, x.per_day, x.rate, x.taxable, x.replaces_driver_licence) IS DISTINCT FROM
                    (e.name, e.per_day, e.rate, e.taxable, e.replaces_driver_licence) AS is_other, e.rate AS rate_now
             FROM jsonb_to_recordset(extras) AS x (code text, name text, per_day boolean, rate bigint, taxable boolean,
                 replaces_driver_licence boolean)
             LEFT JOIN sentra.extra AS e ON e.branch_id = branch AND e.code = x.code AND e.active LOOP
        IF w.known IS NULL THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', field, 'extra', w.code));
        END IF;
        IF w.times > 1 THEN
            PERFORM sentra.invalid(field, 'twice', jsonb_build_object('extra', w.code));
        END IF;
        IF w.is_other THEN
            PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('extra', w.code, 'rate', w.rate_now));
        END IF;
    END LOOP;
END $$;

-- Refuse lines of special bookings that are not exactly those which the rules make, in their order.
CREATE FUNCTION sentra.check_special_lines(wanted jsonb, special uuid[]) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    at integer;
BEGIN
    WITH given AS (
        SELECT l.*, e.line, row_number() OVER (PARTITION BY l.booking_id ORDER BY e.line) AS place
        FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS e (item, line)
        CROSS JOIN LATERAL jsonb_to_record(e.item) AS l (booking_id uuid, kind text, quantity integer,
            unit_price bigint, amount bigint, taxable boolean)
        WHERE l.booking_id = ANY (special) AND l.kind IN ('RENT', 'EXTRA', 'DISCOUNT')
    ), right_ones AS (
        SELECT w.id, p.kind, p.quantity, p.unit_price, p.amount, p.taxable, p.place
        FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, first_day date, last_day date, daily_rate bigint,
            card jsonb, holidays jsonb, extras jsonb, discount_percent integer, min_days integer, day_offset integer)
        CROSS JOIN LATERAL sentra.priced_lines('', w.daily_rate, nullif(w.card, 'null'), sentra.holidays_of(w.holidays),
            coalesce(nullif(w.extras, 'null'), '[]'), coalesce(w.discount_percent, 0), w.first_day,
            greatest(coalesce(w.min_days, 1), w.last_day - w.first_day + 1 + coalesce(w.day_offset, 0)))
            WITH ORDINALITY AS p (kind, text, quantity, unit_price, amount, taxable, place)
        WHERE w.id = ANY (special)
    )
    SELECT coalesce(min(g.line) - 1, -1) INTO at
    FROM given AS g FULL JOIN right_ones AS r ON r.id = g.booking_id AND r.place = g.place
    WHERE (g.kind, g.quantity, g.unit_price, g.amount, g.taxable)
          IS DISTINCT FROM (r.kind, r.quantity, r.unit_price, r.amount, r.taxable)
    HAVING count(*) > 0;
    IF at IS NOT NULL THEN
        PERFORM sentra.invalid(CASE WHEN at < 0 THEN 'prices' ELSE format('prices[%s]', at) END,
            CASE WHEN at < 0 THEN 'incomplete' ELSE 'not_the_price' END);
    END IF;
END $$;

-- A discount above what the person may give needs a manager's word, for this order and at least so much money.
CREATE FUNCTION sentra.check_word(wanted jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    highest integer;
    amount  bigint;
BEGIN
    SELECT max((e ->> 'discount_percent')::integer) INTO highest FROM jsonb_array_elements(wanted -> 'bookings') AS e;
    IF highest > sentra.discount_limit() THEN
        IF wanted ->> 'approval_id' IS NULL THEN
            PERFORM sentra.refuse('APPROVAL_NEEDED', jsonb_build_object('field', 'approval_id', 'reason', 'missing',
                'action', 'discount', 'object', lower(wanted ->> 'id'), 'limit', sentra.discount_limit()));
        END IF;
        SELECT -sum(l.amount) INTO amount FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint)
        WHERE l.kind = 'DISCOUNT';
        PERFORM sentra.use_approval((wanted ->> 'approval_id')::uuid, 'discount', lower(wanted ->> 'id'),
            coalesce(amount, 0));
    END IF;
END $$;

-- Book an order: all of it or nothing. Answers what was booked, or {"taken": […]} with nothing written.
-- The same order id again answers the first result; another order under its id is refused DUPLICATE.
CREATE OR REPLACE FUNCTION sentra.book_order(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch      text := sentra.require_branch();
    wanted_id   uuid;
    units       text[];
    booking_ids uuid[];
    customer    uuid;
    his_phone   text;
    print       text;
    known       sentra.booking_order;
    wrong       jsonb;
    moment      timestamptz;
    written     integer;
    answer      jsonb;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier', 'service');
    PERFORM sentra.check_order(wanted);
    IF wanted ->> 'source' <> 'COUNTER' THEN
        PERFORM sentra.require_role('service');
    END IF;
    wanted_id := (wanted ->> 'id')::uuid;
    customer := (wanted ->> 'customer_id')::uuid;
    his_phone := wanted #>> '{new_customer,phone}';
    SELECT array_agg(DISTINCT w.unit_id ORDER BY w.unit_id), array_agg(w.id)
    INTO units, booking_ids
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, unit_id text);
    IF customer IS NOT NULL THEN
        SELECT c.phone INTO his_phone FROM sentra.customer AS c WHERE c.id = customer;
        IF NOT FOUND THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer.id', 'customer_id', customer));
        END IF;
    END IF;
    -- Who, what and when make an order, and a unit that was asked for by name; and what was wished for beside it, a down
    -- payment too, not what that costs. Which unit "any unit" became may differ when a lost answer is asked for again.
    SELECT md5(jsonb_build_array(branch, wanted ->> 'source', his_phone, jsonb_agg(
               jsonb_build_array(w.id, w.sku_id, w.first_day, w.last_day, w.given_unit) || w.wishes ORDER BY w.id))::text
               || coalesce(' down payment ' || (wanted ->> 'down_payment'), ''))
    INTO print
    FROM (SELECT x.*, CASE
              WHEN coalesce(x.discount_percent, 0) = 0 AND x.agreed_deposit IS NULL AND coalesce(x.extras, '[]') IN ('[]', 'null')
              THEN '[]' ELSE jsonb_build_array(coalesce(x.discount_percent, 0), x.agreed_deposit, (
                  SELECT jsonb_agg(jsonb_build_array(e.code, e.quantity) ORDER BY e.code)
                  FROM jsonb_to_recordset(nullif(x.extras, 'null')) AS e (code text, quantity integer))) END AS wishes
          FROM jsonb_to_recordset(wanted -> 'bookings')
              AS x (id uuid, sku_id text, first_day date, last_day date, given_unit text, discount_percent integer,
                    agreed_deposit bigint, extras jsonb)) AS w;

    SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    IF NOT FOUND THEN
        PERFORM 1 FROM sentra.unit AS u WHERE u.id = ANY (units) ORDER BY u.id FOR NO KEY UPDATE;
        -- The same order sent twice at once waited here for its own first try.
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
    END IF;
    IF FOUND THEN
        RETURN sentra.repeated_order(known, branch, print);
    END IF;
    PERFORM sentra.check_days(wanted, branch);

    SELECT jsonb_build_object('field', format('lines[%s].unit_id', w.line - 1), 'unit_id', w.unit_id) INTO wrong
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL (SELECT e.item ->> 'unit_id' AS unit_id, e.item ->> 'sku_id' AS sku_id, e.line) AS w
    WHERE NOT EXISTS (SELECT FROM sentra.unit AS u WHERE u.id = w.unit_id AND u.branch_id = branch AND u.sku_id = w.sku_id)
    ORDER BY w.line LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('NOT_FOUND', wrong);
    END IF;
    SELECT jsonb_build_object('unit_id', u.id, 'plate', u.plate, 'status', u.status) INTO wrong
    FROM sentra.unit AS u WHERE u.id = ANY (units) AND u.status = 'RETIRED' LIMIT 1;
    IF wrong IS NOT NULL THEN
        PERFORM sentra.refuse('UNIT_NOT_RENTABLE', wrong);
    END IF;

    answer := sentra.blocking_rows(wanted -> 'bookings', branch, '{}');
    IF answer <> '[]' THEN
        RETURN jsonb_build_object('taken', answer);
    END IF;
    PERFORM sentra.check_prices(wanted, branch);
    PERFORM sentra.check_word(wanted);

    INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)
    VALUES (wanted_id, branch, wanted ->> 'source', print, wanted ->> 'counter')
    ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND THEN  -- the same order at once on another unit
        SELECT * INTO known FROM sentra.booking_order AS x WHERE x.id = wanted_id;
        RETURN sentra.repeated_order(known, branch, print);
    END IF;
    IF customer IS NULL THEN
        INSERT INTO sentra.customer (id, name, phone)
        SELECT n.id, n.name, n.phone
        FROM jsonb_to_record(wanted -> 'new_customer') AS n (id uuid, name text, phone text)
        ON CONFLICT DO NOTHING
        RETURNING id INTO customer;
        IF customer IS NULL THEN
            SELECT c.id INTO customer FROM sentra.customer AS c WHERE c.phone = his_phone;
            IF NOT FOUND THEN  -- no such phone, so it is the id that somebody has
                PERFORM sentra.refuse('DUPLICATE', '{"field": "customer.id"}');
            END IF;
        END IF;
    END IF;

    moment := sentra.now();
    INSERT INTO sentra.booking (id, number, order_id, line_no, branch_id, unit_id, sku_id, customer_id, first_day,
        last_day, pickup_at, due_at, state, payment_deadline, source, daily_rate, deposit, turnaround_days, last_action,
        note, counter, created_at, changed_at, card, holidays, discount_percent, counts_hours, day_offset, min_days)
    SELECT w.id, 'BK-' || nextval('sentra.booking_number'), wanted_id, e.line, branch, w.unit_id, w.sku_id,
        customer, w.first_day, w.last_day, w.pickup_at, w.due_at, 'PENDING_PAYMENT', moment + interval '15 minutes',
        wanted ->> 'source', w.daily_rate, w.deposit, w.turnaround_days, 'create', coalesce(wanted ->> 'note', ''),
        wanted ->> 'counter', moment, moment, nullif(w.card, 'null'), sentra.holidays_of(w.holidays),
        coalesce(w.discount_percent, 0), b.counts_hours, coalesce(w.day_offset, 0), coalesce(w.min_days, 1)
    FROM jsonb_array_elements(wanted -> 'bookings') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS w (id uuid, unit_id text, sku_id text, first_day date, last_day date,
        pickup_at timestamptz, due_at timestamptz, daily_rate bigint, deposit bigint, turnaround_days integer, card jsonb,
        holidays jsonb, discount_percent integer, day_offset integer, min_days integer)
    JOIN sentra.branch AS b ON b.id = branch
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(booking_ids) THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "lines.id"}');
    END IF;
    INSERT INTO sentra.booking_extra (booking_id, line_no, branch_id, code, name, per_day, rate, taxable,
        replaces_driver_licence, quantity)
    SELECT w.id, e.line, branch, x.code, x.name, x.per_day, x.rate, x.taxable, x.replaces_driver_licence, x.quantity
    FROM jsonb_to_recordset(wanted -> 'bookings') AS w (id uuid, extras jsonb)
    CROSS JOIN LATERAL jsonb_array_elements(coalesce(nullif(w.extras, 'null'), '[]')) WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item) AS x (code text, name text, per_day boolean, rate bigint,
        taxable boolean, replaces_driver_licence boolean, quantity integer);

    INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id, created_at, changed_at)
    SELECT w.unit_id, w.sku_id, branch, daterange(w.taken_first, w.taken_last, '[]'), 'BOOKING', w.id, moment, moment
    FROM jsonb_to_recordset(wanted -> 'bookings')
        AS w (id uuid, unit_id text, sku_id text, taken_first date, taken_last date)
    ORDER BY w.unit_id
    ON CONFLICT ON CONSTRAINT occupancy_no_overlap DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(booking_ids) THEN  -- two lines over each other, or a row put in past the unit's lock
        RAISE EXCEPTION USING ERRCODE = 'SR002', MESSAGE = 'DAYS_TAKEN', DETAIL = jsonb_build_object(
            'taken', sentra.blocking_rows(wanted -> 'bookings', branch, '{}'))::text;
    END IF;

    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES ((wanted ->> 'invoice_id')::uuid, wanted_id, branch, customer, 'RENTAL', (wanted ->> 'base')::bigint,
        (wanted ->> 'dpp')::bigint, (wanted ->> 'ppn')::bigint, (wanted ->> 'total')::bigint, moment)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "invoice_id"}');
    END IF;
    INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price,
        amount, taxable)
    SELECT (wanted ->> 'invoice_id')::uuid, e.line, branch, w.booking_id, w.kind, w.text, w.quantity, w.unit_price,
        w.amount, w.taxable
    FROM jsonb_array_elements(wanted -> 'lines') WITH ORDINALITY AS e (item, line)
    CROSS JOIN LATERAL jsonb_to_record(e.item)
        AS w (booking_id uuid, kind text, text text, quantity integer, unit_price bigint, amount bigint, taxable boolean);
    PERFORM sentra.project_later(branch, units);
    RETURN sentra.booked_order(wanted_id, false);
END $$;

-- --- changes --------------------------------------------------------------------------------------------------------

-- The extras of a booking as JSON, in their order.
CREATE FUNCTION sentra.extras_of(held sentra.booking) RETURNS jsonb STABLE LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(to_jsonb(x) - 'booking_id' - 'branch_id' ORDER BY x.line_no), '[]')
    FROM sentra.booking_extra AS x WHERE x.booking_id = held.id
$$;

-- Days of a booking that are paid for when it ends on a day.
CREATE FUNCTION sentra.charged_days(held sentra.booking, last_day date) RETURNS integer IMMUTABLE LANGUAGE sql AS $$
    SELECT greatest(held.min_days, last_day - held.first_day + 1 + held.day_offset)
$$;

-- The lines of a booking by what is frozen on it.
CREATE FUNCTION sentra.booking_lines(held sentra.booking) RETURNS TABLE (kind text, text text, quantity integer,
    unit_price bigint, amount bigint, taxable boolean) STABLE LANGUAGE sql AS $$
    SELECT p.* FROM sentra.sku AS s
    CROSS JOIN LATERAL sentra.priced_lines(s.name, held.daily_rate, held.card, held.holidays, sentra.extras_of(held),
        held.discount_percent, held.first_day, sentra.charged_days(held, held.last_day)) AS p
    WHERE s.id = held.sku_id
$$;

-- What its days are worth before a PPN on top: the domain's `worth`.
CREATE FUNCTION sentra.worth(held sentra.booking) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint FROM sentra.booking_lines(held) AS l
$$;

-- The holidays that a changed booking keeps: those of days that were priced before, and the given ones of new days. Days are
-- priced up to `priced_until` before. Only a card with a rate for holidays has any.
CREATE FUNCTION sentra.holidays_for(held sentra.booking, priced_until date, becomes sentra.booking, given jsonb)
RETURNS date[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    old_days daterange := daterange(held.first_day, held.first_day + sentra.charged_days(held, priced_until));
    new_days daterange := daterange(becomes.first_day, becomes.first_day + sentra.charged_days(becomes, becomes.last_day));
    fresh    date[];
BEGIN
    IF NOT coalesce(held.card ? 'holiday', false) THEN
        RETURN held.holidays;
    END IF;
    IF given IS NOT NULL AND given <> 'null' THEN
        PERFORM sentra.check_holidays(given, 'expected.holidays');
    END IF;
    fresh := sentra.holidays_of(given);
    IF EXISTS (SELECT FROM sentra.holiday AS h
               WHERE h.branch_id = held.branch_id AND h.day <@ new_days AND NOT h.day <@ old_days
                 AND (h.state = 'ADDED') <> (h.day = ANY (fresh))) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', '{"reason": "holidays"}');
    END IF;
    RETURN (SELECT coalesce(array_agg(DISTINCT x.day ORDER BY x.day), '{}')
            FROM (SELECT d AS day FROM unnest(held.holidays) AS d WHERE d <@ old_days
                  UNION ALL SELECT d FROM unnest(fresh) AS d WHERE NOT d <@ old_days) AS x
            WHERE x.day <@ new_days);
END $$;

-- By what the lines of a booking differ from those of another state of it: days and extras by their count, the discount
-- by its sum.
CREATE FUNCTION sentra.changed_lines(was sentra.booking, becomes sentra.booking) RETURNS jsonb STABLE LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.place), '[]') FROM (
        SELECT min(x.place) AS place, x.kind, x.text, x.price AS unit_price,
               CASE x.kind WHEN 'DISCOUNT' THEN 1 ELSE sum(x.quantity) END AS quantity, sum(x.amount) AS amount
        FROM (SELECT l.*, CASE l.kind WHEN 'DISCOUNT' THEN 0 ELSE l.unit_price END AS price
              FROM sentra.booking_lines(becomes) WITH ORDINALITY
                  AS l (kind, text, quantity, unit_price, amount, taxable, place)
              UNION ALL
              SELECT l.kind, l.text, -l.quantity, l.unit_price, -l.amount, l.taxable, 100 + l.place,
                     CASE l.kind WHEN 'DISCOUNT' THEN 0 ELSE l.unit_price END
              FROM sentra.booking_lines(was) WITH ORDINALITY
                  AS l (kind, text, quantity, unit_price, amount, taxable, place)) AS x
        GROUP BY x.kind, x.text, x.price
        HAVING sum(x.quantity) <> 0 OR sum(x.amount) <> 0) AS c
$$;

-- Let an open invoice ask for so much more (or less) rent of a booking, line by line as `changes` says. Where that leads to
-- no lines that could be read, or there is no word of it, its rent is one line.
CREATE FUNCTION sentra.write_lines(held sentra.booking, paper uuid, more bigint, changes jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    part  record;
    line  integer;
    asked bigint;
    fits  boolean := changes IS NOT NULL;
BEGIN
    SELECT coalesce(sum(l.amount), 0) + more INTO asked FROM sentra.invoice_line AS l
    WHERE l.invoice_id = paper AND l.booking_id = held.id AND l.active AND l.taxable;
    FOR part IN SELECT * FROM jsonb_to_recordset(coalesce(changes, '[]'))
                    AS c (kind text, text text, quantity integer, unit_price bigint, amount bigint) LOOP
        SELECT l.line_no INTO line FROM sentra.invoice_line AS l
        WHERE l.invoice_id = paper AND l.booking_id = held.id AND l.active AND l.kind = part.kind
          AND (l.kind = 'DISCOUNT' OR l.unit_price = part.unit_price)
          AND (l.kind <> 'RENT' OR split_part(l.text, ' · ', 2) = split_part(part.text, ' · ', 2))
          AND (l.kind <> 'EXTRA' OR l.text = part.text)
        ORDER BY l.line_no LIMIT 1;
        IF NOT FOUND THEN
            INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price,
                amount, taxable)
            VALUES (paper, (SELECT coalesce(max(l.line_no), 0) + 1 FROM sentra.invoice_line AS l WHERE l.invoice_id = paper),
                held.branch_id, held.id, part.kind, part.text, part.quantity,
                CASE part.kind WHEN 'DISCOUNT' THEN part.amount ELSE part.unit_price END, part.amount, true);
        ELSIF part.kind = 'DISCOUNT' THEN
            UPDATE sentra.invoice_line AS l SET amount = l.amount + part.amount, unit_price = l.amount + part.amount,
                active = l.amount + part.amount <> 0
            WHERE l.invoice_id = paper AND l.line_no = line;
        ELSE
            UPDATE sentra.invoice_line AS l SET quantity = l.quantity + part.quantity,
                amount = (l.quantity + part.quantity) * l.unit_price, active = l.quantity + part.quantity <> 0
            WHERE l.invoice_id = paper AND l.line_no = line;
        END IF;
    END LOOP;
    fits := fits AND (SELECT coalesce(sum(l.amount), 0) = asked
                             AND coalesce(bool_and(CASE l.kind WHEN 'DISCOUNT' THEN l.amount < 0 ELSE l.quantity > 0 END), true)
                      FROM sentra.invoice_line AS l
                      WHERE l.invoice_id = paper AND l.booking_id = held.id AND l.active AND l.taxable);
    IF NOT fits THEN
        UPDATE sentra.invoice_line AS l SET active = false
        WHERE l.invoice_id = paper AND l.booking_id = held.id AND l.active AND l.taxable;
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price, amount,
            taxable)
        SELECT paper, (SELECT coalesce(max(l.line_no), 0) + 1 FROM sentra.invoice_line AS l WHERE l.invoice_id = paper),
            held.branch_id, held.id, 'RENT', s.name, 1, asked, asked, true
        FROM sentra.sku AS s WHERE s.id = held.sku_id AND asked > 0;
    END IF;
END $$;

-- The same, priced anew; a BALANCE with nothing left on it is void. By how much the invoice grew.
CREATE FUNCTION sentra.bill_lines(held sentra.booking, paper uuid, more bigint, changes jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    grown bigint;
BEGIN
    PERFORM sentra.write_lines(held, paper, more, changes);
    SELECT sentra.price_invoice(i.id, sentra.branch_of(i)) INTO STRICT grown FROM sentra.invoice AS i WHERE i.id = paper;
    IF NOT EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = paper AND l.active AND l.kind <> 'PPN') THEN
        PERFORM sentra.void_invoice(paper);
    END IF;
    RETURN grown;
END $$;

-- A new invoice for so much rent of a booking.
CREATE FUNCTION sentra.invoice_for_change(held sentra.booking, its_kind text, more bigint, changes jsonb,
    moment timestamptz, OUT made uuid, OUT total bigint) LANGUAGE plpgsql AS $$
DECLARE
    b sentra.branch;
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = held.branch_id;
    made := gen_random_uuid();
    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES (made, held.order_id, held.branch_id, held.customer_id, its_kind, 0, 0, 0, 0, moment);
    PERFORM sentra.write_lines(held, made, more, changes);
    IF more = 0 AND NOT EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = made AND l.active) THEN
        -- Days that cost nothing more, such as the last of a week: the invoice says so, and is settled with nothing.
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price,
            amount, taxable)
        SELECT made, (SELECT coalesce(max(l.line_no), 0) + 1 FROM sentra.invoice_line AS l WHERE l.invoice_id = made),
            held.branch_id, held.id, 'RENT', s.name, 1, 0, 0, true
        FROM sentra.sku AS s WHERE s.id = held.sku_id;
    END IF;
    IF b.has_ppn AND NOT b.prices_include_ppn THEN
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, kind, text, quantity, unit_price, amount, taxable)
        SELECT made, max(l.line_no) + 1, held.branch_id, 'PPN', 'PPN', 1, 0, 0, false
        FROM sentra.invoice_line AS l WHERE l.invoice_id = made;
    END IF;
    total := sentra.price_invoice(made, b);
END $$;

-- What a part of a change's rent is made of: all of it, or days of a booking whose days all cost the same; else unknown.
CREATE FUNCTION sentra.lines_of_part(held sentra.booking, part bigint, whole bigint, changes jsonb) RETURNS jsonb STABLE
LANGUAGE sql AS $$
    SELECT CASE WHEN part = whole THEN changes
                WHEN held.card IS NULL AND held.discount_percent = 0 AND held.daily_rate > 0 AND NOT EXISTS (
                    SELECT FROM sentra.booking_extra AS x WHERE x.booking_id = held.id AND x.per_day)
                THEN (SELECT jsonb_build_array(jsonb_build_object('kind', 'RENT', 'text', s.name,
                          'quantity', part / held.daily_rate, 'unit_price', held.daily_rate, 'amount', part))
                      FROM sentra.sku AS s WHERE s.id = held.sku_id) END
$$;

-- Write what another period of a booking costs: the domain's `difference_of_unpaid` and `difference_of_paid`.
CREATE FUNCTION sentra.bill_change(held sentra.booking, becomes sentra.booking, moment timestamptz,
    OUT difference bigint, OUT invoices uuid[]) LANGUAGE plpgsql AS $$
DECLARE
    paper   record;
    part    bigint;
    whole   bigint := sentra.worth(becomes) - sentra.worth(held);
    rest    bigint := abs(whole);
    changes jsonb := sentra.changed_lines(held, becomes);
    made    record;
BEGIN
    difference := 0;
    invoices := '{}';
    IF held.state = 'PENDING_PAYMENT' THEN
        FOR paper IN SELECT * FROM sentra.papers_of(held) AS p WHERE p.is_open LIMIT 1 LOOP
            difference := sentra.bill_lines(held, paper.invoice_id, whole, changes);
            invoices := ARRAY[paper.invoice_id];
        END LOOP;
        RETURN;
    END IF;
    IF rest = 0 THEN
        RETURN;
    END IF;
    FOR paper IN SELECT * FROM sentra.papers_of(held) LOOP
        part := CASE WHEN whole > 0 THEN CASE WHEN paper.is_open THEN 0 ELSE least(rest, paper.due) END
                     WHEN paper.is_open THEN least(rest, paper.rent)
                     ELSE least(rest, paper.rent - paper.given_back_here) END;
        IF part > 0 THEN
            rest := rest - part;
            invoices := invoices || paper.invoice_id;
            IF paper.is_open THEN
                difference := difference + sentra.bill_lines(held, paper.invoice_id, -part,
                    sentra.lines_of_part(held, -part, whole, changes));
            ELSE
                difference := difference - sentra.give_back(held, paper, sign(-whole)::integer * part);
            END IF;
        END IF;
    END LOOP;
    IF whole > 0 AND rest > 0 THEN
        SELECT p.invoice_id INTO paper FROM sentra.papers_of(held) AS p WHERE p.is_open;
        IF FOUND THEN
            difference := difference + sentra.bill_lines(held, paper.invoice_id, rest,
                sentra.lines_of_part(held, rest, whole, changes));
            invoices := invoices || paper.invoice_id;
        ELSE
            made := sentra.invoice_for_change(held, 'BALANCE', rest, sentra.lines_of_part(held, rest, whole, changes),
                moment);
            difference := difference + made.total;
            invoices := invoices || made.made;
        END IF;
    END IF;
END $$;
DROP FUNCTION sentra.bill_change(sentra.booking, integer, timestamptz);
DROP FUNCTION sentra.bill_days(sentra.booking, uuid, integer);
DROP FUNCTION sentra.invoice_for_days(sentra.booking, text, integer, timestamptz);

-- Invoices with rent of a booking, as the domain prices a change of it: open ones first, then the newest settled. Rent is
-- all that is taxable of it: extras and the discount are in it.
CREATE OR REPLACE FUNCTION sentra.papers_of(held sentra.booking) RETURNS TABLE (invoice_id uuid, kind text, is_open boolean,
    made_on date, ppn_place text, taxable bigint, rent bigint, given_back bigint, given_back_here bigint, due bigint,
    all_due bigint, due_amount bigint, paid_back bigint, settled_at timestamptz) STABLE LANGUAGE sql AS $$
    SELECT i.id, i.kind, i.state = 'OPEN', (i.created_at AT TIME ZONE b.zone)::date, sentra.ppn_place_of(i),
           rents.taxable, rents.rent, back.given_back, back.given_back_here, back.due, back.all_due, back.due_amount,
           back.paid_back, i.settled_at
    FROM sentra.invoice AS i JOIN sentra.branch AS b ON b.id = i.branch_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint AS taxable,
               sum(l.amount) FILTER (WHERE l.taxable AND l.booking_id = held.id)::bigint AS rent
        FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.active) AS rents
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable) FILTER (WHERE r.kind = 'RESCHEDULE'), 0)::bigint AS given_back,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id), 0)::bigint AS given_back_here,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id AND r.state = 'DUE'
                                               AND r.kind = 'RESCHEDULE'), 0)::bigint AS due,
               coalesce(sum(r.taxable) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint AS all_due,
               coalesce(sum(r.amount) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint
                   AS due_amount,
               coalesce(sum(r.amount) FILTER (WHERE r.state = 'DONE' AND r.kind = 'RESCHEDULE'), 0)::bigint AS paid_back
        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.order_id = held.order_id AND rents.rent IS NOT NULL
      AND (i.state = 'PAID' OR (i.state = 'OPEN' AND i.kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE')
           AND (i.kind = 'BALANCE') = (held.state <> 'PENDING_PAYMENT')))
    ORDER BY i.state = 'OPEN' DESC, i.settled_at DESC, i.id
$$;

-- What a booking is priced by, as it is frozen on it.
CREATE FUNCTION sentra.terms_of(held sentra.booking) RETURNS jsonb STABLE LANGUAGE sql AS $$
    SELECT jsonb_build_object('name', s.name, 'card', held.card, 'holidays', held.holidays,
        'discount_percent', held.discount_percent, 'day_offset', held.day_offset, 'min_days', held.min_days,
        'extras', sentra.extras_of(held))
    FROM sentra.sku AS s WHERE s.id = held.sku_id
$$;

-- As before, and what its days are priced by.
CREATE OR REPLACE FUNCTION sentra.change_basis(wanted uuid) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    moment timestamptz := sentra.now();
    held   sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector');
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.branch_id = branch;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN (SELECT jsonb_build_object('booking_id', held.id, 'number', held.number, 'order_id', held.order_id,
        'version', held.version, 'state', held.state, 'unit_id', held.unit_id, 'unit_sku', u.sku_id, 'first_day', held.first_day,
        'last_day', held.last_day, 'held_first', coalesce(lower(o.days), held.first_day),
        'held_last', coalesce(upper(o.days) - 1, held.last_day + held.turnaround_days),
        'turnaround_days', held.turnaround_days, 'paid_until', held.paid_until,
        'today', (moment AT TIME ZONE b.zone)::date, 'now', moment, 'payment_deadline', held.payment_deadline,
        'sold_sku', s.id, 'sold_rate', s.daily_rate, 'daily_rate', held.daily_rate,
        'ppn_place', sentra.ppn_place_now(b),
        'terms', sentra.terms_of(held),
        'papers', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'settled_at' ORDER BY p.is_open DESC, p.settled_at DESC,
                                             p.invoice_id), '[]') FROM sentra.papers_of(held) AS p))
    FROM sentra.branch AS b
    JOIN sentra.unit AS u ON u.id = held.unit_id
    JOIN sentra.sku AS s ON s.id = held.sku_id
    LEFT JOIN sentra.occupancy AS o ON o.booking_id = held.id AND o.active AND o.kind = 'BOOKING'
    WHERE b.id = held.branch_id);
END $$;

-- As before; a booking that is counted by 24 hours keeps its two times of day.
CREATE OR REPLACE FUNCTION sentra.rental_times(held sentra.booking, first_day date, last_day date, moment timestamptz,
    OUT pickup timestamptz, OUT due timestamptz) STABLE LANGUAGE plpgsql AS $$
DECLARE
    b sentra.branch;
BEGIN
    SELECT * INTO STRICT b FROM sentra.branch AS x WHERE x.id = held.branch_id;
    pickup := CASE WHEN first_day = held.first_day THEN held.pickup_at
                   WHEN first_day = (moment AT TIME ZONE b.zone)::date THEN moment
                   ELSE (first_day + b.opens_at::time) AT TIME ZONE b.zone END;
    due := (last_day + b.closes_at::time) AT TIME ZONE b.zone;
    IF held.counts_hours THEN  -- its days are counted by these two times of day
        pickup := (first_day + (held.pickup_at AT TIME ZONE b.zone)::time) AT TIME ZONE b.zone;
        due := (last_day + (held.due_at AT TIME ZONE b.zone)::time) AT TIME ZONE b.zone;
    END IF;
    IF due <= pickup THEN
        due := (last_day + time '23:59:59') AT TIME ZONE b.zone;
        pickup := least(pickup, due - interval '1 second');
    END IF;
END $$;

-- As before, with the holidays of the new days in `expected`.
CREATE OR REPLACE FUNCTION sentra.reschedule_booking(wanted uuid, new_first date, new_last date, new_unit text, expected jsonb)
RETURNS jsonb SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    moment  timestamptz;
    today   date;
    target  record;
    days    daterange;
    blocked jsonb;
    times   record;
    moved   jsonb;
    billed  record;
    becomes sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent');
    PERFORM sentra.check_fields(expected, 'expected.', 'version number', 'difference rupiah', 'based_on number?',
        'holidays array?');
    IF num_nulls(new_first, new_last) > 0 THEN
        PERFORM sentra.invalid(CASE WHEN new_first IS NULL THEN 'first_day' ELSE 'last_day' END, 'missing');
    END IF;
    held := sentra.booking_here(wanted);
    IF (new_first, new_last, coalesce(new_unit, held.unit_id)) <> (held.first_day, held.last_day, held.unit_id) THEN
        PERFORM sentra.check_change(held, 'reschedule');
        PERFORM sentra.refuse_if_locked(ARRAY(SELECT p.invoice_id FROM sentra.papers_of(held) AS p WHERE p.is_open));
    END IF;
    held := sentra.lock_booking(wanted, true);
    PERFORM sentra.check_change(held, 'reschedule');
    new_unit := coalesce(new_unit, held.unit_id);
    IF (new_first, new_last, new_unit) = (held.first_day, held.last_day, held.unit_id) THEN
        RETURN sentra.unchanged_booking(held, 'reschedule');
    END IF;
    PERFORM sentra.check_based_on(held, (expected ->> 'based_on')::integer);
    moment := sentra.now();
    SELECT (moment AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    IF new_first < today OR new_first > today + 730 THEN
        PERFORM sentra.refuse_period('first_day', CASE WHEN new_first < today THEN 'past' ELSE 'too_far' END,
            jsonb_build_object('first', new_first, 'limit', 730));
    END IF;
    PERFORM sentra.refuse_if_locked(ARRAY(SELECT p.invoice_id FROM sentra.papers_of(held) AS p WHERE p.is_open));
    PERFORM 1 FROM sentra.unit AS u WHERE u.id IN (held.unit_id, new_unit) ORDER BY u.id FOR NO KEY UPDATE;
    target := sentra.unit_for(held, new_unit, false);
    PERFORM sentra.check_length(new_first, new_last, target.turnaround);
    days := daterange(new_first, new_last + target.turnaround, '[]');
    blocked := sentra.in_the_way(held, new_unit, days);
    IF blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    PERFORM sentra.check_expected(held, expected);

    becomes := held;
    becomes.first_day := new_first;
    becomes.last_day := new_last;
    becomes.holidays := sentra.holidays_for(held, held.last_day, becomes, expected -> 'holidays');
    times := sentra.rental_times(held, new_first, new_last, moment);
    UPDATE sentra.booking SET last_action = 'reschedule', unit_id = new_unit, first_day = new_first, last_day = new_last,
        pickup_at = times.pickup, due_at = times.due, turnaround_days = target.turnaround, holidays = becomes.holidays
    WHERE id = wanted;
    moved := sentra.move_days(held, new_unit, target.sku_id, days, 'reschedule');
    billed := sentra.bill_change(held, becomes, moment);
    IF billed.difference <> (expected ->> 'difference')::bigint THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('difference', billed.difference));
    END IF;
    RETURN sentra.conclude_change(held, 'reschedule', moved, billed.difference, billed.invoices);
END $$;

CREATE OR REPLACE FUNCTION sentra.request_extension(wanted uuid, new_last date, expected jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held    sentra.booking;
    row_of  sentra.occupancy;
    moment  timestamptz;
    today   date;
    paid    date;
    days    daterange;
    blocked jsonb;
    moved   jsonb;
    billed  record;
    paid_for sentra.booking;
    becomes sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent');
    PERFORM sentra.check_fields(expected, 'expected.', 'version number', 'difference rupiah', 'based_on number?',
        'holidays array?');
    IF new_last IS NULL THEN
        PERFORM sentra.invalid('last_day', 'missing');
    END IF;
    held := sentra.lock_booking(wanted, false);  -- its invoice is a new one
    SELECT * INTO row_of FROM sentra.occupancy AS o WHERE o.booking_id = wanted AND o.active AND o.kind = 'BOOKING';
    IF held.state = 'EXTENSION_PENDING' AND held.payment_deadline <= sentra.now() THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    IF held.state = 'EXTENSION_PENDING' AND upper(row_of.days) - 1 - held.turnaround_days = new_last AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.unchanged_booking(held, 'request_extension');
    END IF;
    PERFORM sentra.check_based_on(held, (expected ->> 'based_on')::integer);
    PERFORM sentra.check_change(held, 'request_extension');
    moment := sentra.now();
    SELECT (moment AT TIME ZONE b.zone)::date INTO today FROM sentra.branch AS b WHERE b.id = held.branch_id;
    paid := greatest(held.last_day, held.paid_until);
    IF new_last <= paid OR new_last < today THEN
        PERFORM sentra.refuse_period('last_day', CASE WHEN new_last > paid THEN 'past'
            WHEN new_last > held.last_day THEN 'paid' ELSE 'not_longer' END,
            jsonb_build_object('last', new_last, 'present', held.last_day));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;
    PERFORM sentra.check_length(held.first_day, new_last, held.turnaround_days);
    days := daterange(lower(row_of.days), new_last + held.turnaround_days, '[]');
    blocked := sentra.in_the_way(held, held.unit_id, days);
    IF blocked <> '[]' THEN
        RETURN jsonb_build_object('taken', blocked);
    END IF;
    PERFORM sentra.check_expected(held, expected);

    paid_for := held;
    paid_for.last_day := paid;
    becomes := held;
    becomes.last_day := new_last;
    becomes.holidays := sentra.holidays_for(held, paid, becomes, expected -> 'holidays');
    UPDATE sentra.booking SET state = 'EXTENSION_PENDING', last_action = 'request_extension',
        payment_deadline = moment + interval '15 minutes', holidays = becomes.holidays WHERE id = wanted;
    moved := sentra.move_days(held, held.unit_id, row_of.sku_id, days, 'request_extension');
    billed := sentra.invoice_for_change(held, 'EXTENSION', sentra.worth(becomes) - sentra.worth(paid_for),
        sentra.changed_lines(paid_for, becomes), moment);
    IF billed.total <> (expected ->> 'difference')::bigint THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('difference', billed.total));
    END IF;
    RETURN sentra.conclude_change(held, 'request_extension', moved, billed.total, ARRAY[billed.made]);
END $$;

-- --- rates and extras -----------------------------------------------------------------------------------------------

-- Refuse a rate that is none.
CREATE FUNCTION sentra.check_rate(field text, rate bigint) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF rate NOT BETWEEN 0 AND 999999999999 THEN
        PERFORM sentra.invalid(field, 'not_an_amount');
    END IF;
END $$;

-- Offer an extra in the own branch, or change what it is; bookings that have it keep it as it was.
CREATE FUNCTION sentra.set_extra(p jsonb) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    was    sentra.extra;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_fields(p, '', 'code text 30', 'name text 80', 'per_day boolean', 'rate rupiah', 'taxable boolean',
        'replaces_driver_licence boolean', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'code' !~ '^[A-Z0-9]([A-Z0-9.-]{0,28}[A-Z0-9])?$' THEN
        PERFORM sentra.invalid('code', 'not_a_code');
    END IF;
    IF NOT sentra.is_clean(p ->> 'name') THEN
        PERFORM sentra.invalid('name', 'not_a_name');
    END IF;
    PERFORM sentra.check_rate('rate', (p ->> 'rate')::bigint);
    IF (p ->> 'per_day')::boolean AND NOT (p ->> 'taxable')::boolean THEN
        PERFORM sentra.invalid('taxable', 'per_day');
    END IF;
    SELECT * INTO was FROM sentra.extra AS e WHERE e.branch_id = branch AND e.code = p ->> 'code' FOR NO KEY UPDATE;
    INSERT INTO sentra.extra AS e (branch_id, code, name, per_day, rate, taxable, replaces_driver_licence)
    VALUES (branch, p ->> 'code', p ->> 'name', (p ->> 'per_day')::boolean, (p ->> 'rate')::bigint,
        (p ->> 'taxable')::boolean, (p ->> 'replaces_driver_licence')::boolean)
    ON CONFLICT ON CONSTRAINT extra_pkey DO UPDATE SET name = EXCLUDED.name, per_day = EXCLUDED.per_day,
        rate = EXCLUDED.rate, taxable = EXCLUDED.taxable, replaces_driver_licence = EXCLUDED.replaces_driver_licence,
        active = true, changed_at = sentra.now(), changed_by = session_user;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'set_extra', p ->> 'code', CASE WHEN was.code IS NOT NULL THEN to_jsonb(was) END,
        p - 'counter');
END $$;

-- Offer an extra no more.
CREATE FUNCTION sentra.drop_extra(code text, counter text) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    was    sentra.extra;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_counter(counter);
    SELECT * INTO was FROM sentra.extra AS e WHERE e.branch_id = branch AND e.code = drop_extra.code FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'code', 'extra', left(code, 40)));
    END IF;
    IF NOT was.active THEN
        RETURN;
    END IF;
    UPDATE sentra.extra AS e SET active = false, changed_at = sentra.now(), changed_by = session_user
    WHERE e.branch_id = branch AND e.code = drop_extra.code;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before)
    VALUES (drop_extra.counter, branch, 'drop_extra', code, to_jsonb(was));
END $$;

-- What a SKU costs from a day on, in every branch; of that day only what was said last. Bookings keep what they were
-- priced by.
CREATE FUNCTION sentra.set_rate(p jsonb) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    was    sentra.sku_rate;
    name   text;
BEGIN
    PERFORM sentra.require_role('manager');
    PERFORM sentra.check_fields(p, '', 'sku text 30', 'since day', 'weekday rupiah', 'weekend rupiah?', 'holiday rupiah?',
        'weekly rupiah?', 'monthly rupiah?', 'deposit rupiah', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    FOREACH name IN ARRAY ARRAY['weekday', 'weekend', 'holiday', 'weekly', 'monthly', 'deposit'] LOOP
        PERFORM sentra.check_rate(name, (p ->> name)::bigint);
    END LOOP;
    PERFORM 1 FROM sentra.sku AS s WHERE s.id = p ->> 'sku';
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'sku', 'sku', p ->> 'sku'));
    END IF;
    SELECT * INTO was FROM sentra.sku_rate AS r
    WHERE r.sku_id = p ->> 'sku' AND r.since = (p ->> 'since')::date FOR NO KEY UPDATE;
    INSERT INTO sentra.sku_rate AS r (sku_id, since, weekday, weekend, holiday, weekly, monthly, deposit)
    VALUES (p ->> 'sku', (p ->> 'since')::date, (p ->> 'weekday')::bigint, (p ->> 'weekend')::bigint,
        (p ->> 'holiday')::bigint, (p ->> 'weekly')::bigint, (p ->> 'monthly')::bigint, (p ->> 'deposit')::bigint)
    ON CONFLICT ON CONSTRAINT sku_rate_pkey DO UPDATE SET weekday = EXCLUDED.weekday, weekend = EXCLUDED.weekend,
        holiday = EXCLUDED.holiday, weekly = EXCLUDED.weekly, monthly = EXCLUDED.monthly, deposit = EXCLUDED.deposit,
        changed_at = sentra.now(), changed_by = session_user;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, 'set_rate', p ->> 'sku', CASE WHEN was.sku_id IS NOT NULL THEN to_jsonb(was) END,
        p - 'counter');
END $$;
GRANT EXECUTE ON FUNCTION sentra.set_extra(jsonb), sentra.drop_extra(text, text), sentra.set_rate(jsonb) TO {{manager}};
