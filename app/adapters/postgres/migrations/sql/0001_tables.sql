-- Tables of schema sentra. Money is whole Rupiah (bigint), moments are timestamptz, days are the branch's calendar days.
-- Columns created_by, locked_by, cashier and actor hold session_user, which is staff.role_name of the person.

-- The only clock of SQL. Test databases replace its body by a clock that a row drives.
CREATE FUNCTION sentra.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

-- Text on one line that shows as it is: no control signs, no invisible ones that turn the direction or hide letters, and
-- something to read: a letter or digit that is not one of the Hangul fillers, which show as nothing.
CREATE FUNCTION sentra.is_clean(said text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT said !~ '[\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]'
       AND said COLLATE pg_c_utf8 ~ '(?![\u115f\u1160\u3164\uffa0])[[:alnum:]]'
$$;

-- The same for a note, which may be empty and have lines and tabs.
CREATE FUNCTION sentra.is_note(said text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT length(said) <= 500
       AND said !~ '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]'
$$;

-- Without spaces around, and one plain space where there are several or other ones.
CREATE FUNCTION sentra.single_spaced(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT btrim(regexp_replace(said,
        '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'))
$$;

-- The search form of a name, the domain's own `folded`: no case, no accents, single spaces. The ranges are the signs of a
-- combining class; lower case by a collation that is the same on every system.
CREATE FUNCTION sentra.folded(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sentra.single_spaced(replace(replace(lower(regexp_replace(normalize(said, NFKD),
        '[\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f72\u0f74\u0f7a-\u0f7d\u0f80\u0f82-\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7f\u1ab0-\u1abd\u1abf-\u1ace\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010eab-\U00010eac\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U00011374\U00011442\U00011446\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f\U00011d42\U00011d44-\U00011d45\U00011d97\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e02a\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]',
        '', 'g') COLLATE pg_c_utf8), 'ß', 'ss'), 'ς', 'σ'))
$$;

-- Why a text is nobody's name, or null: 2 to 80 characters with single spaces, at least two letters or digits that show and
-- one letter, no pile of accents.
CREATE FUNCTION sentra.name_fault(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN length(said) NOT BETWEEN 2 AND 80 THEN 'length'
        WHEN said ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]' THEN 'control_characters'
        WHEN said <> sentra.single_spaced(said)
          OR regexp_count(said COLLATE pg_c_utf8, '(?![\u115f\u1160\u3164\uffa0])[[:alnum:]]') < 2
          OR said COLLATE pg_c_utf8 !~ '(?![\u115f\u1160\u3164\uffa0])[[:alpha:]]'
          OR said ~ '[\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f72\u0f74\u0f7a-\u0f7d\u0f80\u0f82-\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7f\u1ab0-\u1abd\u1abf-\u1ace\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010eab-\U00010eac\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U00011374\U00011442\U00011446\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f\U00011d42\U00011d44-\U00011d45\U00011d97\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e02a\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]{5}'
          THEN 'not_a_name'
        WHEN length(sentra.folded(said)) NOT BETWEEN 1 AND 400 THEN 'length' END
$$;

-- Days that every reader can hold: infinity is a date to PostgreSQL and to nobody else.
CREATE FUNCTION sentra.is_sane(days daterange) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT NOT isempty(days) AND NOT lower_inf(days) AND NOT upper_inf(days)
       AND lower(days) >= '2000-01-01'::date AND upper(days) <= '9998-01-01'::date
$$;

CREATE FUNCTION sentra.is_sane(moment timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT moment >= '2000-01-01T00:00:00Z'::timestamptz AND moment < '9998-01-01T00:00:00Z'::timestamptz
$$;

CREATE TABLE sentra.branch (
    id                 text PRIMARY KEY CHECK (id <> ''),
    code               text NOT NULL UNIQUE CHECK (code ~ '^[A-Z0-9]{2,10}$'),
    name               text NOT NULL,
    zone               text NOT NULL CHECK (zone IN ('Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura')),
    has_ppn            boolean NOT NULL DEFAULT true,
    prices_include_ppn boolean NOT NULL DEFAULT true,
    cash_rounding      bigint NOT NULL DEFAULT 0 CHECK (cash_rounding >= 0),
    opens_at           text NOT NULL DEFAULT '08:00' CHECK (opens_at ~ '^[0-2][0-9]:[0-5][0-9]$'),
    closes_at          text NOT NULL DEFAULT '20:00' CHECK (closes_at ~ '^[0-2][0-9]:[0-5][0-9]$')
);

-- `id` is the SKU code itself, as it stands in the Redis keys.
CREATE TABLE sentra.sku (
    id              text PRIMARY KEY CHECK (id ~ '^[A-Z0-9]([A-Z0-9.-]{0,28}[A-Z0-9])?$'),
    name            text NOT NULL,
    category        text NOT NULL,
    daily_rate      bigint NOT NULL CHECK (daily_rate >= 0),
    deposit         bigint NOT NULL CHECK (deposit >= 0),
    turnaround_days integer NOT NULL DEFAULT 0 CHECK (turnaround_days BETWEEN 0 AND 35),
    next_slot       integer NOT NULL DEFAULT 0
);

CREATE TABLE sentra.unit (
    id                   text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$'),
    sku_id               text NOT NULL REFERENCES sentra.sku,
    branch_id            text NOT NULL REFERENCES sentra.branch,
    slot                 integer NOT NULL CHECK (slot >= 0),
    plate                text NOT NULL,
    colour               text NOT NULL DEFAULT '',
    odometer             bigint NOT NULL DEFAULT 0 CHECK (odometer >= 0),
    status               text NOT NULL DEFAULT 'IN_SERVICE' CHECK (status IN ('IN_SERVICE', 'MAINTENANCE', 'RETIRED')),
    availability_version bigint NOT NULL DEFAULT 0,
    created_at           timestamptz NOT NULL DEFAULT sentra.now(),
    CONSTRAINT unit_slot_once UNIQUE (sku_id, slot)
) WITH (fillfactor = 80);
CREATE INDEX unit_branch ON sentra.unit (branch_id, sku_id, slot);
-- Two ids that differ only by case are one to people, and to some file systems.
CREATE UNIQUE INDEX unit_id_in_any_case ON sentra.unit (lower(id COLLATE "C"));

CREATE TABLE sentra.staff (
    login       text PRIMARY KEY CHECK (login ~ '^[a-z][a-z0-9_.]{1,30}$'),
    role_name   text NOT NULL UNIQUE,
    name        text NOT NULL,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    active      boolean NOT NULL DEFAULT true,
    created_at  timestamptz NOT NULL DEFAULT sentra.now(),
    created_by  text NOT NULL DEFAULT session_user,
    disabled_at timestamptz
);

CREATE TABLE sentra.customer (
    id          uuid PRIMARY KEY,
    name        text NOT NULL CONSTRAINT customer_name CHECK (sentra.name_fault(name) IS NULL),
    folded_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (sentra.folded(name) COLLATE "C") STORED,
    phone       text COLLATE "C" NOT NULL CONSTRAINT customer_phone_once UNIQUE CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
    tier        text NOT NULL DEFAULT 'BASIC' CHECK (tier IN ('PLATINUM', 'GOLD', 'SILVER', 'BASIC')),
    created_at  timestamptz NOT NULL DEFAULT sentra.now(),
    created_by  text NOT NULL DEFAULT session_user
);
CREATE INDEX customer_folded_name ON sentra.customer (folded_name);

-- One row per word of a folded name, kept by a trigger: "by the beginning of a name word" is a prefix range here.
CREATE TABLE sentra.customer_word (
    word        text COLLATE "C" NOT NULL,
    customer_id uuid NOT NULL REFERENCES sentra.customer,
    PRIMARY KEY (word, customer_id)
);
CREATE INDEX customer_word_customer ON sentra.customer_word (customer_id);

-- One order: bookings made together. `fingerprint` tells the same order sent again from another one under its id.
CREATE TABLE sentra.booking_order (
    id          uuid PRIMARY KEY,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    source      text NOT NULL CHECK (source IN ('COUNTER', 'WAITLIST', 'REINSTATED', 'IMPORT')),
    fingerprint text NOT NULL,
    counter     text NOT NULL CHECK (length(counter) <= 60),
    created_at  timestamptz NOT NULL DEFAULT sentra.now(),
    created_by  text NOT NULL DEFAULT session_user
);

CREATE SEQUENCE sentra.booking_number START 10001;

CREATE TABLE sentra.booking (
    id               uuid PRIMARY KEY,
    number           text NOT NULL UNIQUE,
    order_id         uuid NOT NULL REFERENCES sentra.booking_order,
    line_no          integer NOT NULL,
    branch_id        text NOT NULL REFERENCES sentra.branch,
    unit_id          text NOT NULL REFERENCES sentra.unit,
    sku_id           text NOT NULL REFERENCES sentra.sku,
    customer_id      uuid NOT NULL REFERENCES sentra.customer,
    first_day        date NOT NULL,
    last_day         date NOT NULL,
    pickup_at        timestamptz NOT NULL,
    due_at           timestamptz NOT NULL,
    state            text NOT NULL,
    version          integer NOT NULL DEFAULT 1,
    payment_deadline timestamptz,
    source           text NOT NULL CHECK (source IN ('COUNTER', 'WAITLIST', 'REINSTATED', 'IMPORT')),
    reinstated_from  uuid REFERENCES sentra.booking,
    daily_rate       bigint NOT NULL CHECK (daily_rate >= 0),
    deposit          bigint NOT NULL CHECK (deposit >= 0),
    turnaround_days  integer NOT NULL CHECK (turnaround_days BETWEEN 0 AND 35),
    last_action      text NOT NULL,
    reason           text NOT NULL DEFAULT '' CHECK (sentra.is_note(reason)),
    note             text NOT NULL DEFAULT '' CHECK (sentra.is_note(note)),
    counter          text NOT NULL DEFAULT '' CHECK (length(counter) <= 60),
    created_at       timestamptz NOT NULL DEFAULT sentra.now(),
    created_by       text NOT NULL DEFAULT session_user,
    changed_at       timestamptz NOT NULL DEFAULT sentra.now(),
    CONSTRAINT booking_period CHECK (last_day >= first_day AND last_day - first_day < 365),
    CONSTRAINT booking_due_after_pickup CHECK (due_at > pickup_at),
    CONSTRAINT booking_sane CHECK (sentra.is_sane(daterange(first_day, last_day, '[]')) AND sentra.is_sane(pickup_at)
        AND sentra.is_sane(due_at) AND (payment_deadline IS NULL OR sentra.is_sane(payment_deadline))),
    CONSTRAINT booking_line_once UNIQUE (order_id, line_no)
) WITH (fillfactor = 80);
CREATE INDEX booking_customer ON sentra.booking (customer_id);
CREATE INDEX booking_unit ON sentra.booking (unit_id, first_day);
CREATE INDEX booking_branch_state ON sentra.booking (branch_id, state);
CREATE INDEX booking_unpaid ON sentra.booking (payment_deadline) WHERE state = 'PENDING_PAYMENT';

CREATE TABLE sentra.maintenance (
    id         uuid PRIMARY KEY,
    unit_id    text NOT NULL REFERENCES sentra.unit,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    days       daterange NOT NULL CHECK (sentra.is_sane(days)),
    state      text NOT NULL CHECK (state IN ('SCHEDULED', 'RUNNING', 'FINISHED', 'CANCELLED')),
    breakdown  boolean NOT NULL DEFAULT false,
    reason     text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    created_by text NOT NULL DEFAULT session_user
);
CREATE INDEX maintenance_unit ON sentra.maintenance (unit_id);

-- A stretch of days a unit is taken and why. `days` includes turnaround and is read back as [first, last + 1).
-- OVERDUE is a layer outside the constraint. `kind` and `days` of BOOKING and MAINTENANCE rows decide every double booking.
CREATE TABLE sentra.occupancy (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    unit_id        text NOT NULL REFERENCES sentra.unit,
    sku_id         text NOT NULL REFERENCES sentra.sku,
    branch_id      text NOT NULL REFERENCES sentra.branch,
    days           daterange NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('BOOKING', 'MAINTENANCE', 'OVERDUE')),
    booking_id     uuid REFERENCES sentra.booking,
    maintenance_id uuid REFERENCES sentra.maintenance,
    active         boolean NOT NULL DEFAULT true,
    created_at     timestamptz NOT NULL DEFAULT sentra.now(),
    created_by     text NOT NULL DEFAULT session_user,
    changed_at     timestamptz NOT NULL DEFAULT sentra.now(),
    CONSTRAINT occupancy_bounds CHECK (sentra.is_sane(days)),
    CONSTRAINT occupancy_length CHECK (upper(days) - lower(days) BETWEEN 1 AND 400),
    CONSTRAINT occupancy_cause CHECK (
        CASE kind WHEN 'MAINTENANCE' THEN maintenance_id IS NOT NULL AND booking_id IS NULL
                  ELSE booking_id IS NOT NULL AND maintenance_id IS NULL END),
    CONSTRAINT occupancy_no_overlap EXCLUDE USING gist (unit_id WITH =, days WITH &&)
        WHERE (active AND kind IN ('BOOKING', 'MAINTENANCE'))
);
CREATE INDEX occupancy_search ON sentra.occupancy USING gist (sku_id, days) WHERE (active);
CREATE INDEX occupancy_unit ON sentra.occupancy (unit_id) WHERE (active);
CREATE INDEX occupancy_booking ON sentra.occupancy (booking_id);
CREATE INDEX occupancy_changed ON sentra.occupancy (changed_at);

-- Lock columns are written by definer functions only; no index on locked_until (it would end HOT updates).
CREATE TABLE sentra.invoice (
    id             uuid PRIMARY KEY,
    number         text,
    order_id       uuid NOT NULL REFERENCES sentra.booking_order,
    branch_id      text NOT NULL REFERENCES sentra.branch,
    customer_id    uuid NOT NULL REFERENCES sentra.customer,
    kind           text NOT NULL CHECK (kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE', 'EXTENSION', 'FINE', 'POST_RENTAL')),
    state          text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'PAID', 'VOID')),
    base           bigint NOT NULL CHECK (base >= 0),
    dpp            bigint NOT NULL CHECK (dpp >= 0),
    ppn            bigint NOT NULL CHECK (ppn >= 0),
    total          bigint NOT NULL CHECK (total >= 0),
    paid           bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
    issued_on      date,
    settled_at     timestamptz,
    voided_at      timestamptz,
    locked_by      text,
    locked_until   timestamptz,
    lock_token     text,
    locked_at      timestamptz,
    locked_counter text,
    lock_epoch     bigint NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT sentra.now(),
    created_by     text NOT NULL DEFAULT session_user,
    CONSTRAINT invoice_number_once UNIQUE (branch_id, number),
    CONSTRAINT invoice_lock_whole CHECK (
        num_nulls(locked_by, locked_until, lock_token, locked_at, locked_counter) IN (0, 5)
        AND (locked_until IS NULL OR sentra.is_sane(locked_until))),
    CONSTRAINT invoice_bounded CHECK (greatest(base, dpp, ppn, total, paid) <= 9999999999999),
    CONSTRAINT invoice_paid_numbered CHECK (state <> 'PAID' OR (number IS NOT NULL AND settled_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX invoice_branch_state ON sentra.invoice (branch_id, state, created_at);
CREATE INDEX invoice_order ON sentra.invoice (order_id);
CREATE INDEX invoice_customer ON sentra.invoice (customer_id);

CREATE TABLE sentra.invoice_line (
    invoice_id uuid NOT NULL REFERENCES sentra.invoice,
    line_no    integer NOT NULL,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    booking_id uuid REFERENCES sentra.booking,
    kind       text NOT NULL CHECK (kind IN ('RENT', 'EXTRA', 'DISCOUNT', 'DEPOSIT', 'FINE', 'PPN', 'ROUNDING')),
    text       text NOT NULL CHECK (length(text) <= 200 AND sentra.is_clean(text)),
    quantity   integer NOT NULL,
    unit_price bigint NOT NULL,
    amount     bigint NOT NULL,
    taxable    boolean NOT NULL,
    active     boolean NOT NULL DEFAULT true,
    PRIMARY KEY (invoice_id, line_no)
);
CREATE INDEX invoice_line_booking ON sentra.invoice_line (booking_id);

CREATE TABLE sentra.shift (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    number        integer NOT NULL,
    branch_id     text NOT NULL REFERENCES sentra.branch,
    drawer        text NOT NULL CHECK (drawer <> '' AND length(drawer) <= 60),
    cashier       text NOT NULL DEFAULT session_user,
    counter       text NOT NULL,
    opening_float bigint NOT NULL CHECK (opening_float BETWEEN 0 AND 9999999999999),
    opened_at     timestamptz NOT NULL DEFAULT sentra.now(),
    closed_at     timestamptz,
    counted       bigint,
    expected      bigint,
    CONSTRAINT shift_number_once UNIQUE (branch_id, number)
);
CREATE UNIQUE INDEX shift_one_per_cashier ON sentra.shift (cashier) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX shift_one_per_drawer ON sentra.shift (branch_id, (lower(drawer COLLATE pg_c_utf8)))
    WHERE closed_at IS NULL;

-- Insert-only. `lock_epoch` is the epoch the payment was made under; null only for money the gateway brought.
CREATE TABLE sentra.payment (
    id         uuid PRIMARY KEY,
    invoice_id uuid NOT NULL REFERENCES sentra.invoice,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    amount     bigint NOT NULL CHECK (amount BETWEEN 0 AND 9999999999999),
    change     bigint NOT NULL DEFAULT 0 CHECK (change BETWEEN 0 AND 100000000),
    attempt_id text NOT NULL CONSTRAINT payment_attempt_once UNIQUE CHECK (length(attempt_id) BETWEEN 1 AND 100),
    lock_epoch bigint,
    paid_at    timestamptz NOT NULL CHECK (sentra.is_sane(paid_at)),
    counter    text NOT NULL CHECK (length(counter) <= 60),
    shift_id   uuid REFERENCES sentra.shift,
    cashier    text NOT NULL DEFAULT session_user
);
CREATE INDEX payment_invoice ON sentra.payment (invoice_id);
CREATE INDEX payment_shift ON sentra.payment (shift_id);

CREATE TABLE sentra.tender (
    payment_id uuid NOT NULL REFERENCES sentra.payment,
    line_no    integer NOT NULL CONSTRAINT tender_few CHECK (line_no BETWEEN 1 AND 20),
    branch_id  text NOT NULL REFERENCES sentra.branch,
    kind       text NOT NULL CHECK (kind IN
        ('CASH', 'EDC', 'QRIS', 'TRANSFER', 'GATEWAY', 'CREDIT', 'PPH23', 'RECEIVABLE', 'DEPOSIT')),
    amount     bigint NOT NULL CHECK (amount > 0),
    received   bigint NOT NULL CHECK (received <= 9999999999999),
    reference  text CHECK (length(reference) <= 100 AND sentra.is_clean(reference)),
    PRIMARY KEY (payment_id, line_no),
    CONSTRAINT tender_received CHECK (received >= amount AND (kind = 'CASH' OR received = amount))
);

CREATE TABLE sentra.refund (
    id         uuid PRIMARY KEY,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    invoice_id uuid NOT NULL REFERENCES sentra.invoice,
    payment_id uuid REFERENCES sentra.payment,
    booking_id uuid REFERENCES sentra.booking,
    amount     bigint NOT NULL CHECK (amount > 0),
    kind       text NOT NULL,
    state      text NOT NULL CHECK (state IN ('DUE', 'DONE')),
    reason     text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    created_by text NOT NULL DEFAULT session_user,
    done_at    timestamptz,
    shift_id   uuid REFERENCES sentra.shift
);
CREATE INDEX refund_invoice ON sentra.refund (invoice_id);

-- The dated PPN rates, the domain's own numbers; a test compares the two. DPP = base x dpp, PPN = DPP x percent / 100.
CREATE TABLE sentra.ppn_rate (
    since           date PRIMARY KEY,
    dpp_numerator   integer NOT NULL CHECK (dpp_numerator > 0),
    dpp_denominator integer NOT NULL CHECK (dpp_denominator > 0),
    percent         integer NOT NULL CHECK (percent > 0)
);
INSERT INTO sentra.ppn_rate (since, dpp_numerator, dpp_denominator, percent)
VALUES ('2022-04-01', 1, 1, 11), ('2025-01-01', 11, 12, 12);

-- Rows to wait for where one at a time is meant. Unlike an advisory lock's number, nobody locks them from outside.
CREATE TABLE sentra.turn (name text PRIMARY KEY);
INSERT INTO sentra.turn (name) VALUES ('import_fleet');

-- The last invoice number of a branch and month; drawn as the last statement of the settling transaction.
CREATE TABLE sentra.number_counter (
    branch_id text NOT NULL REFERENCES sentra.branch,
    month     text NOT NULL CHECK (month ~ '^[0-9]{6}$'),
    last      integer NOT NULL CHECK (last >= 0),
    PRIMARY KEY (branch_id, month)
);

-- Outside effects, written in the transaction that causes them. `id` is the provider's idempotency key.
CREATE TABLE sentra.outbox (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind        text NOT NULL,
    branch_id   text REFERENCES sentra.branch,
    payload     jsonb NOT NULL,
    attempts    integer NOT NULL DEFAULT 0,
    not_before  timestamptz NOT NULL DEFAULT sentra.now(),
    lease_until timestamptz,
    lease_by    text,
    done_at     timestamptz,
    given_up_at timestamptz,
    error       text,
    created_at  timestamptz NOT NULL DEFAULT sentra.now()
) WITH (fillfactor = 80);
CREATE INDEX outbox_waiting ON sentra.outbox (not_before) WHERE done_at IS NULL AND given_up_at IS NULL;

-- Days of a SKU that became free: one row per stretch, in the freeing transaction. `run_at`: its waitlist run is done.
CREATE TABLE sentra.freed_stretch (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    sku_id     text NOT NULL REFERENCES sentra.sku,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    unit_id    text NOT NULL REFERENCES sentra.unit,
    days       daterange NOT NULL CHECK (sentra.is_sane(days)),
    booking_id uuid REFERENCES sentra.booking,
    cause      text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    run_at     timestamptz
);
CREATE INDEX freed_stretch_waiting ON sentra.freed_stretch (sku_id, created_at) WHERE run_at IS NULL;

CREATE TABLE sentra.waitlist_entry (
    id          uuid PRIMARY KEY,
    customer_id uuid NOT NULL REFERENCES sentra.customer,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    sku_id      text NOT NULL REFERENCES sentra.sku,
    first_day   date NOT NULL,
    last_day    date NOT NULL,
    tier_weight integer NOT NULL CHECK (tier_weight BETWEEN 0 AND 3),
    joined_at   timestamptz NOT NULL DEFAULT sentra.now(),
    state       text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'OFFERED', 'BOOKED', 'LAPSED', 'WITHDRAWN')),
    created_by  text NOT NULL DEFAULT session_user,
    CHECK (last_day >= first_day AND last_day - first_day < 365 AND sentra.is_sane(daterange(first_day, last_day, '[]')))
);
CREATE INDEX waitlist_entry_waiting ON sentra.waitlist_entry (sku_id, branch_id, tier_weight, joined_at)
    WHERE state = 'WAITING';

CREATE TABLE sentra.offer (
    id         uuid PRIMARY KEY,
    entry_id   uuid NOT NULL REFERENCES sentra.waitlist_entry,
    booking_id uuid NOT NULL REFERENCES sentra.booking,
    branch_id  text NOT NULL REFERENCES sentra.branch,
    stretch_id uuid REFERENCES sentra.freed_stretch,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT sentra.now(),
    closed_at  timestamptz
);
CREATE UNIQUE INDEX offer_one_open ON sentra.offer (entry_id) WHERE closed_at IS NULL;

CREATE TABLE sentra.gateway_event (
    id             uuid PRIMARY KEY,
    provider       text NOT NULL,
    order_id       text NOT NULL,
    transaction_id text NOT NULL,
    status         text NOT NULL,
    code           text NOT NULL,
    amount         bigint,
    body           text NOT NULL,
    received_at    timestamptz NOT NULL DEFAULT sentra.now(),
    CONSTRAINT gateway_event_once UNIQUE (provider, order_id, transaction_id, status, code)
);

CREATE TABLE sentra.late_money (
    id               uuid PRIMARY KEY,
    branch_id        text NOT NULL REFERENCES sentra.branch,
    gateway_event_id uuid NOT NULL UNIQUE REFERENCES sentra.gateway_event,
    invoice_id       uuid NOT NULL REFERENCES sentra.invoice,
    amount           bigint NOT NULL CHECK (amount > 0),
    state            text NOT NULL CHECK (state IN ('OPEN', 'REINSTATED', 'REFUNDED')),
    created_at       timestamptz NOT NULL DEFAULT sentra.now(),
    closed_at        timestamptz,
    closed_by        text
);

CREATE TABLE sentra.approval (
    id          uuid PRIMARY KEY,
    branch_id   text NOT NULL REFERENCES sentra.branch,
    action      text NOT NULL,
    object      text NOT NULL,
    amount      bigint,
    reason      text NOT NULL CHECK (reason <> ''),
    approved_by text NOT NULL DEFAULT session_user,
    created_at  timestamptz NOT NULL DEFAULT sentra.now(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz
);

-- branch_id null: for the whole installation.
CREATE TABLE sentra.setting (
    branch_id  text REFERENCES sentra.branch,
    key        text NOT NULL,
    value      jsonb NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by text NOT NULL DEFAULT session_user,
    CONSTRAINT setting_once UNIQUE NULLS NOT DISTINCT (branch_id, key)
);

-- Insert-only. `subject` is the id of the row it speaks of, `txid` the transaction that changed it.
CREATE TABLE sentra.audit (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL DEFAULT sentra.now(),
    actor     text NOT NULL DEFAULT session_user,
    counter   text NOT NULL DEFAULT '',
    branch_id text REFERENCES sentra.branch,
    action    text NOT NULL,
    subject   text NOT NULL,
    before    jsonb,
    after     jsonb,
    txid      bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint)
);
CREATE INDEX audit_subject ON sentra.audit (subject, id);
CREATE INDEX audit_branch_at ON sentra.audit (branch_id, at);

-- The booking machine's copy of the domain's table, one row per role; a test compares the two.
CREATE TABLE sentra.transition (
    from_state text,
    action     text NOT NULL,
    to_state   text NOT NULL,
    role       text NOT NULL,
    from_seed  boolean NOT NULL,
    CONSTRAINT transition_once UNIQUE NULLS NOT DISTINCT (from_state, action, role)
);
INSERT INTO sentra.transition (from_state, action, to_state, role, from_seed)
SELECT v.from_state, v.action, v.to_state, r.role, v.from_seed
FROM (VALUES
    (NULL,                     'create',            'PENDING_PAYMENT',        'agent cashier service', true),
    ('PENDING_PAYMENT',        'pay',               'PAID_APPROVED',          'cashier service',       true),
    ('PENDING_PAYMENT',        'expire',            'CANCELLED',              'service',               true),
    ('PENDING_PAYMENT',        'cancel',            'CANCELLED',              'agent cashier',         true),
    ('PAID_APPROVED',          'check_out',         'DISPATCHED',             'inspector',             true),
    ('DISPATCHED',             'hand_over',         'ACTIVE_RENTAL',          'inspector',             true),
    ('ACTIVE_RENTAL',          'request_extension', 'EXTENSION_PENDING',      'agent',                 true),
    ('EXTENSION_PENDING',      'approve_extension', 'ACTIVE_RENTAL',          'cashier service',       true),
    ('EXTENSION_PENDING',      'reject_extension',  'ACTIVE_RENTAL',          'agent service',         true),
    ('ACTIVE_RENTAL',          'check_in',          'RETURNED_PENDING_CHECK', 'inspector',             true),
    ('RETURNED_PENDING_CHECK', 'clear',             'COMPLETED',              'inspector',             true),
    ('RETURNED_PENDING_CHECK', 'dispute',           'DISPUTED',               'inspector',             true),
    ('DISPUTED',               'settle_charges',    'COMPLETED',              'cashier manager',       true),
    ('PAID_APPROVED',          'cancel_paid',       'CANCELLED',              'agent',                 false),
    ('PAID_APPROVED',          'no_show',           'CANCELLED',              'agent',                 false),
    ('DISPATCHED',             'recall',            'PAID_APPROVED',          'inspector',             false),
    ('EXTENSION_PENDING',      'check_in',          'RETURNED_PENDING_CHECK', 'inspector',             false),
    ('ACTIVE_RENTAL',          'not_returned',      'DISPUTED',               'manager',               false),
    ('PENDING_PAYMENT',        'reschedule',        'PENDING_PAYMENT',        'agent',                 false),
    ('PAID_APPROVED',          'reschedule',        'PAID_APPROVED',          'agent',                 false),
    ('PENDING_PAYMENT',        'swap_unit',         'PENDING_PAYMENT',        'agent',                 false),
    ('PAID_APPROVED',          'swap_unit',         'PAID_APPROVED',          'agent',                 false),
    ('ACTIVE_RENTAL',          'swap_unit',         'ACTIVE_RENTAL',          'inspector',             false),
    ('ACTIVE_RENTAL',          'shorten',           'ACTIVE_RENTAL',          'agent',                 false),
    ('DISPUTED',               'release_unit',      'DISPUTED',               'inspector',             false),
    ('PENDING_PAYMENT',        'hold_longer',       'PENDING_PAYMENT',        'manager',               false)
) AS v (from_state, action, to_state, roles, from_seed)
CROSS JOIN LATERAL string_to_table(v.roles, ' ') AS r (role);
