-- The customer register: more of a customer, companies, identity numbers that only the service can read.
-- Lock order: the customer's (or company's) own row; nothing here locks invoices, bookings or units.

-- --- tables ---------------------------------------------------------------------------------------------------------

CREATE TABLE sentra.company (
    id           uuid PRIMARY KEY,
    version      integer NOT NULL DEFAULT 1,
    name         text NOT NULL CONSTRAINT company_name CHECK (sentra.name_fault(name) IS NULL),
    folded_name  text COLLATE "C" NOT NULL GENERATED ALWAYS AS (sentra.folded(name) COLLATE "C") STORED,
    npwp         text COLLATE "C" NOT NULL DEFAULT '' CHECK (npwp ~ '^([0-9]{15,16})?$'),
    address      text NOT NULL DEFAULT '' CHECK (length(address) <= 300 AND sentra.is_note(address)),
    email        text NOT NULL DEFAULT '' CHECK (length(email) <= 254 AND email ~ '^([!-~]+@[!-~]+)?$'),
    phone        text COLLATE "C" NOT NULL DEFAULT '' CHECK (phone ~ '^(\+[1-9][0-9]{7,14})?$'),
    credit_limit bigint NOT NULL DEFAULT 0 CHECK (credit_limit BETWEEN 0 AND 100000000000),
    due_days     integer NOT NULL DEFAULT 0 CHECK (due_days BETWEEN 0 AND 120),
    created_at   timestamptz NOT NULL DEFAULT sentra.now(),
    created_by   text NOT NULL DEFAULT session_user,
    changed_at   timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by   text NOT NULL DEFAULT session_user
);
CREATE INDEX company_folded_name ON sentra.company (folded_name);
CREATE UNIQUE INDEX company_npwp_once ON sentra.company (npwp) WHERE npwp <> '';

ALTER TABLE sentra.customer
    ADD COLUMN version            integer NOT NULL DEFAULT 1,
    ADD COLUMN birth_on           date CHECK (birth_on >= '1900-01-01'),
    ADD COLUMN nationality        text NOT NULL DEFAULT 'ID' CHECK (nationality ~ '^[A-Z]{2}$'),
    ADD COLUMN licence_class      text CHECK (licence_class IN ('A', 'A UMUM', 'B1', 'B1 UMUM', 'B2', 'B2 UMUM', 'C',
                                                                'C1', 'C2', 'D', 'INT')),
    ADD COLUMN licence_expires_on date CHECK (licence_expires_on BETWEEN '2000-01-01' AND '2100-12-31'),
    ADD COLUMN address            text NOT NULL DEFAULT '' CHECK (length(address) <= 300 AND sentra.is_note(address)),
    ADD COLUMN email              text NOT NULL DEFAULT '' CHECK (length(email) <= 254 AND email ~ '^([!-~]+@[!-~]+)?$'),
    ADD COLUMN company_id         uuid REFERENCES sentra.company,
    ADD COLUMN consent_at         timestamptz,
    ADD COLUMN consent_text       text NOT NULL DEFAULT '' CHECK (sentra.is_note(consent_text)),
    ADD COLUMN note               text NOT NULL DEFAULT '' CHECK (sentra.is_note(note)),
    ADD COLUMN blacklist_code     text CHECK (blacklist_code ~ '^[0-9]{2}$' AND blacklist_code <> '01'),
    ADD COLUMN changed_at         timestamptz,
    ADD COLUMN changed_by         text;
UPDATE sentra.customer SET changed_at = created_at, changed_by = created_by;
ALTER TABLE sentra.customer
    ALTER COLUMN changed_at SET DEFAULT sentra.now(), ALTER COLUMN changed_at SET NOT NULL,
    ALTER COLUMN changed_by SET DEFAULT session_user, ALTER COLUMN changed_by SET NOT NULL;
CREATE INDEX customer_changed ON sentra.customer (changed_at DESC, id);
CREATE INDEX customer_company ON sentra.customer (company_id) WHERE company_id IS NOT NULL;

-- "Who had this car" is asked while somebody types: a plate without its spaces, in capitals.
CREATE INDEX unit_plate_in_capitals ON sentra.unit ((replace(upper(plate COLLATE "C"), ' ', '')));

-- A number of an identity paper. `sealed` opens with the service's private key alone; `lookup` is its keyed hash, which
-- the service writes soon after. `masked` is what a counter may show.
CREATE TABLE sentra.customer_identity (
    customer_id uuid NOT NULL REFERENCES sentra.customer,
    kind        text NOT NULL CHECK (kind IN ('NIK', 'PASSPORT', 'LICENCE')),
    masked      text NOT NULL CHECK (length(masked) <= 30 AND masked LIKE '%••••••%'
                                     AND regexp_count(masked, '[0-9A-Za-z]') <= 10),
    sealed      bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 64 AND 1000),
    key_id      text NOT NULL,
    lookup      bytea CHECK (octet_length(lookup) = 32),
    is_readable boolean NOT NULL DEFAULT true,
    written_at  timestamptz NOT NULL DEFAULT sentra.now(),
    written_by  text NOT NULL DEFAULT session_user,
    PRIMARY KEY (customer_id, kind)
);
CREATE INDEX customer_identity_lookup ON sentra.customer_identity (lookup) WHERE lookup IS NOT NULL;
CREATE INDEX customer_identity_unread ON sentra.customer_identity (written_at) WHERE lookup IS NULL AND is_readable;

-- A right to ask the service once, for 60 seconds. Only the hash of the ticket is here.
CREATE TABLE sentra.identity_ticket (
    token_hash  bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    purpose     text NOT NULL CHECK (purpose IN ('FIND', 'REVEAL')),
    customer_id uuid REFERENCES sentra.customer,
    kind        text CHECK (kind IN ('NIK', 'PASSPORT', 'LICENCE')),
    branch_id   text NOT NULL REFERENCES sentra.branch,
    counter     text NOT NULL CHECK (length(counter) <= 60),
    asked_by    text NOT NULL DEFAULT session_user,
    asked_at    timestamptz NOT NULL DEFAULT sentra.now(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    CONSTRAINT identity_ticket_object CHECK (num_nulls(customer_id, kind) = CASE purpose WHEN 'FIND' THEN 2 ELSE 0 END)
);
CREATE INDEX identity_ticket_age ON sentra.identity_ticket (expires_at);

GRANT SELECT ON sentra.company TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT (customer_id, kind, masked, written_at) ON sentra.customer_identity
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.company, sentra.customer_identity, sentra.identity_ticket TO {{backup}};

-- --- customers ------------------------------------------------------------------------------------------------------

-- What a new or changed customer must look like, field by field.
CREATE FUNCTION sentra.check_customer(p jsonb) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    paper jsonb;
    wrong text;
BEGIN
    PERFORM sentra.check_fields(p, '', 'id uuid', 'version number?', 'name text 1000', 'phone text 40', 'birth_on text? 10',
        'nationality text 2', 'licence_class text? 10', 'licence_expires_on day?', 'address text 300', 'email text 254',
        'tier text 10', 'company_id uuid?', 'consent boolean', 'consent_text text 500', 'note text 500',
        'blacklist_code text? 2', 'identities array', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF sentra.name_fault(p ->> 'name') IS NOT NULL THEN
        PERFORM sentra.invalid('name', sentra.name_fault(p ->> 'name'), '{"least": 2, "most": 80}');
    END IF;
    IF p ->> 'phone' !~ '^\+[1-9][0-9]{7,14}$' THEN
        PERFORM sentra.invalid('phone', 'not_a_phone');
    END IF;
    IF p ->> 'birth_on' IS NOT NULL AND (CASE
        WHEN p ->> 'birth_on' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' AND pg_input_is_valid(p ->> 'birth_on', 'date')
        THEN (p ->> 'birth_on')::date BETWEEN '1900-01-01' AND sentra.today_of(sentra.my_branch()) - 1 END) IS NOT TRUE
    THEN
        PERFORM sentra.invalid('birth_on', 'not_a_birth');
    END IF;
    IF p ->> 'nationality' !~ '^[A-Z]{2}$' THEN
        PERFORM sentra.invalid('nationality', 'not_a_country');
    END IF;
    IF p ->> 'licence_class' NOT IN ('A', 'A UMUM', 'B1', 'B1 UMUM', 'B2', 'B2 UMUM', 'C', 'C1', 'C2', 'D', 'INT') THEN
        PERFORM sentra.invalid('licence_class', 'not_a_licence_class');
    END IF;
    IF (p ->> 'licence_expires_on')::date NOT BETWEEN '2000-01-01' AND '2100-12-31' THEN
        PERFORM sentra.invalid('licence_expires_on', 'not_a_day');
    END IF;
    IF p ->> 'email' !~ '^([!-~]+@[!-~]+)?$' THEN
        PERFORM sentra.invalid('email', 'not_an_email');
    END IF;
    IF p ->> 'tier' NOT IN ('PLATINUM', 'GOLD', 'SILVER', 'BASIC') THEN
        PERFORM sentra.invalid('tier', 'not_a_tier');
    END IF;
    IF p ->> 'blacklist_code' !~ '^[0-9]{2}$' OR p ->> 'blacklist_code' = '01' THEN
        PERFORM sentra.invalid('blacklist_code', 'not_a_code');
    END IF;
    FOREACH wrong IN ARRAY ARRAY['address', 'note', 'consent_text'] LOOP
        IF NOT sentra.is_note(p ->> wrong) THEN
            PERFORM sentra.invalid(wrong, 'control_characters');
        END IF;
    END LOOP;
    IF jsonb_array_length(p -> 'identities') > 3 THEN
        PERFORM sentra.invalid('identities', 'count', '{"least": 0, "most": 3}');
    END IF;
    FOR paper IN SELECT e FROM jsonb_array_elements(p -> 'identities') AS x (e) LOOP
        PERFORM sentra.check_fields(paper, 'identities.', 'kind text 10', 'masked text? 30', 'sealed text? 1400',
            'key_id text? 64');
        IF paper ->> 'kind' NOT IN ('NIK', 'PASSPORT', 'LICENCE') THEN
            PERFORM sentra.invalid('identities.kind', 'not_an_identity');
        END IF;
        IF paper ->> 'masked' IS NOT NULL THEN
            IF paper ->> 'masked' NOT LIKE '%••••••%' OR regexp_count(paper ->> 'masked', '[0-9A-Za-z]') > 10 THEN
                PERFORM sentra.invalid('identities.masked', 'not_masked');
            END IF;
            IF coalesce(paper ->> 'sealed', '') !~ '^([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
               OR length(paper ->> 'sealed') NOT BETWEEN 88 AND 1336 THEN
                PERFORM sentra.invalid('identities.sealed', 'not_sealed');
            END IF;
            IF paper ->> 'key_id' IS DISTINCT FROM (SELECT s.value ->> 'key_id' FROM sentra.setting AS s
                                                    WHERE s.key = 'identity_key' AND s.branch_id IS NULL) THEN
                PERFORM sentra.refuse('UNREACHABLE', '{"field": "identities", "reason": "identity_key"}');
            END IF;
        END IF;
    END LOOP;
END $$;

-- The row as it is asked for, over what is there. A consent keeps the moment at which it was first given.
CREATE FUNCTION sentra.customer_as_asked(held sentra.customer, p jsonb) RETURNS sentra.customer STABLE LANGUAGE plpgsql AS $$
BEGIN
    held.id := (p ->> 'id')::uuid;
    held.name := p ->> 'name';
    held.phone := p ->> 'phone';
    held.birth_on := (p ->> 'birth_on')::date;
    held.nationality := p ->> 'nationality';
    held.licence_class := p ->> 'licence_class';
    held.licence_expires_on := (p ->> 'licence_expires_on')::date;
    held.address := p ->> 'address';
    held.email := p ->> 'email';
    held.tier := p ->> 'tier';
    held.company_id := (p ->> 'company_id')::uuid;
    held.note := p ->> 'note';
    held.blacklist_code := p ->> 'blacklist_code';
    IF NOT (p ->> 'consent')::boolean THEN
        held.consent_at := NULL;
        held.consent_text := '';
    ELSIF held.consent_at IS NULL THEN
        held.consent_at := sentra.now();
        held.consent_text := p ->> 'consent_text';
    END IF;
    RETURN held;
END $$;

-- Whether everything that was asked for stands there already: an earlier try of the same call, whose answer was lost.
CREATE FUNCTION sentra.is_customer_as_asked(held sentra.customer, p jsonb) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT sentra.customer_as_asked(held, p) IS NOT DISTINCT FROM held
       AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(p -> 'identities') AS w (kind text, masked text)
        LEFT JOIN sentra.customer_identity AS x ON x.customer_id = held.id AND x.kind = w.kind
        WHERE x.masked IS DISTINCT FROM w.masked)
$$;

-- What the audit keeps of a customer: no number, no address.
CREATE FUNCTION sentra.customer_facts(held sentra.customer) RETURNS jsonb STABLE LANGUAGE sql AS $$
    SELECT jsonb_build_object('name', held.name, 'version', held.version, 'tier', held.tier,
        'company_id', held.company_id, 'blacklist_code', held.blacklist_code, 'consent_at', held.consent_at,
        'licence_expires_on', held.licence_expires_on)
$$;

CREATE FUNCTION sentra.refuse_known_phone(wanted text, but_not uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    known sentra.customer;
BEGIN
    SELECT * INTO known FROM sentra.customer AS c WHERE c.phone = wanted AND c.id <> but_not;
    IF FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'phone', 'customer_id', known.id,
            'customer_name', known.name, 'customer_phone', known.phone));
    END IF;
END $$;

-- Write a customer: new without `version`, else the change of that version. Answers id and version.
CREATE FUNCTION sentra.save_customer(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    seen    integer;
    before  sentra.customer;
    becomes sentra.customer;
    is_new  boolean;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    PERFORM sentra.check_customer(p);
    wanted := (p ->> 'id')::uuid;
    seen := (p ->> 'version')::integer;
    IF p ->> 'company_id' IS NOT NULL
       AND NOT EXISTS (SELECT FROM sentra.company AS f WHERE f.id = (p ->> 'company_id')::uuid) THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'company_id', 'company_id', p ->> 'company_id'));
    END IF;
    SELECT * INTO before FROM sentra.customer AS c WHERE c.id = wanted FOR NO KEY UPDATE;
    is_new := NOT FOUND;
    IF is_new AND seen IS NOT NULL THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer_id', 'customer_id', wanted));
    END IF;
    IF NOT is_new AND before.version IS DISTINCT FROM seen THEN
        IF before.version = coalesce(seen, 0) + 1 AND before.changed_by = session_user
           AND sentra.is_customer_as_asked(before, p) THEN
            RETURN jsonb_build_object('id', before.id, 'version', before.version);
        END IF;
        IF seen IS NULL THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        PERFORM sentra.invalid('version', 'changed_meanwhile', jsonb_build_object('version', before.version,
            'by', coalesce((SELECT s.name FROM sentra.staff AS s WHERE s.role_name = before.changed_by), ''),
            'since', before.changed_at));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        IF p ->> 'tier' <> coalesce(before.tier, 'BASIC') THEN
            PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "tier", "roles": ["manager"]}');
        END IF;
        IF p ->> 'blacklist_code' IS DISTINCT FROM before.blacklist_code THEN
            PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "blacklist_code", "roles": ["manager"]}');
        END IF;
    END IF;
    PERFORM sentra.refuse_known_phone(p ->> 'phone', wanted);
    becomes := sentra.customer_as_asked(before, p);
    BEGIN
        IF is_new THEN
            INSERT INTO sentra.customer (id, name, phone, birth_on, nationality, licence_class, licence_expires_on,
                address, email, tier, company_id, consent_at, consent_text, note, blacklist_code)
            VALUES (wanted, becomes.name, becomes.phone, becomes.birth_on, becomes.nationality, becomes.licence_class,
                becomes.licence_expires_on, becomes.address, becomes.email, becomes.tier, becomes.company_id,
                becomes.consent_at, coalesce(becomes.consent_text, ''), becomes.note, becomes.blacklist_code)
            RETURNING * INTO becomes;
        ELSE
            UPDATE sentra.customer SET name = becomes.name, phone = becomes.phone, birth_on = becomes.birth_on,
                nationality = becomes.nationality, licence_class = becomes.licence_class,
                licence_expires_on = becomes.licence_expires_on, address = becomes.address, email = becomes.email,
                tier = becomes.tier, company_id = becomes.company_id, consent_at = becomes.consent_at,
                consent_text = becomes.consent_text, note = becomes.note, blacklist_code = becomes.blacklist_code,
                version = version + 1, changed_at = sentra.now(), changed_by = session_user
            WHERE id = wanted
            RETURNING * INTO becomes;
        END IF;
    EXCEPTION WHEN unique_violation THEN  -- somebody with this phone, or under this id, at this very moment
        PERFORM sentra.refuse_known_phone(p ->> 'phone', wanted);
        PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
    END;
    PERFORM sentra.write_identities(wanted, p -> 'identities');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, CASE WHEN is_new THEN 'add_customer' ELSE 'change_customer' END, wanted::text,
        CASE WHEN NOT is_new THEN sentra.customer_facts(before) END,
        sentra.customer_facts(becomes) || jsonb_build_object('identities', coalesce((
            SELECT jsonb_agg(e ->> 'kind') FROM jsonb_array_elements(p -> 'identities') AS x (e)), '[]')));
    RETURN jsonb_build_object('id', becomes.id, 'version', becomes.version);
END $$;

-- Papers that were given: a number that replaces the one before, or, without `masked`, none any more.
CREATE FUNCTION sentra.write_identities(customer uuid, papers jsonb) RETURNS void LANGUAGE sql AS $$
    DELETE FROM sentra.customer_identity AS x USING jsonb_to_recordset(papers) AS w (kind text, masked text)
    WHERE x.customer_id = customer AND x.kind = w.kind AND w.masked IS NULL;
    INSERT INTO sentra.customer_identity AS x (customer_id, kind, masked, sealed, key_id)
    SELECT DISTINCT ON (w.kind) customer, w.kind, w.masked, decode(w.sealed, 'base64'), w.key_id
    FROM jsonb_to_recordset(papers) AS w (kind text, masked text, sealed text, key_id text)
    WHERE w.masked IS NOT NULL
    ON CONFLICT ON CONSTRAINT customer_identity_pkey DO UPDATE SET masked = EXCLUDED.masked, sealed = EXCLUDED.sealed,
        key_id = EXCLUDED.key_id, lookup = NULL, is_readable = true, written_at = sentra.now(), written_by = session_user
$$;

-- --- companies ------------------------------------------------------------------------------------------------------

-- Write a company: new without `version`, else the change of that version. Credit is a manager's word.
CREATE FUNCTION sentra.save_company(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch  text := sentra.require_branch();
    wanted  uuid;
    seen    integer;
    before  sentra.company;
    becomes sentra.company;
    is_new  boolean;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'version number?', 'name text 1000', 'npwp text 16', 'address text 300',
        'email text 254', 'phone text 16', 'credit_limit rupiah', 'due_days number', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF sentra.name_fault(p ->> 'name') IS NOT NULL THEN
        PERFORM sentra.invalid('name', sentra.name_fault(p ->> 'name'), '{"least": 2, "most": 80}');
    END IF;
    IF p ->> 'npwp' !~ '^([0-9]{15,16})?$' THEN
        PERFORM sentra.invalid('npwp', 'not_an_npwp');
    END IF;
    IF NOT sentra.is_note(p ->> 'address') THEN
        PERFORM sentra.invalid('address', 'control_characters');
    END IF;
    IF p ->> 'email' !~ '^([!-~]+@[!-~]+)?$' THEN
        PERFORM sentra.invalid('email', 'not_an_email');
    END IF;
    IF p ->> 'phone' !~ '^(\+[1-9][0-9]{7,14})?$' THEN
        PERFORM sentra.invalid('phone', 'not_a_phone');
    END IF;
    IF (p ->> 'credit_limit')::bigint NOT BETWEEN 0 AND 100000000000 THEN
        PERFORM sentra.invalid('credit_limit', 'out_of_range', '{"least": 0, "most": 100000000000}');
    END IF;
    IF (p ->> 'due_days')::integer NOT BETWEEN 0 AND 120 THEN
        PERFORM sentra.invalid('due_days', 'out_of_range', '{"least": 0, "most": 120}');
    END IF;
    wanted := (p ->> 'id')::uuid;
    seen := (p ->> 'version')::integer;
    SELECT * INTO before FROM sentra.company AS f WHERE f.id = wanted FOR NO KEY UPDATE;
    is_new := NOT FOUND;
    IF is_new AND seen IS NOT NULL THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'company_id', 'company_id', wanted));
    END IF;
    becomes := before;
    becomes.name := p ->> 'name';
    becomes.npwp := p ->> 'npwp';
    becomes.address := p ->> 'address';
    becomes.email := p ->> 'email';
    becomes.phone := p ->> 'phone';
    becomes.credit_limit := (p ->> 'credit_limit')::bigint;
    becomes.due_days := (p ->> 'due_days')::integer;
    IF NOT is_new AND before.version IS DISTINCT FROM seen THEN
        IF before.version = coalesce(seen, 0) + 1 AND before.changed_by = session_user
           AND becomes IS NOT DISTINCT FROM before THEN
            RETURN jsonb_build_object('id', before.id, 'version', before.version);
        END IF;
        IF seen IS NULL THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        PERFORM sentra.invalid('version', 'changed_meanwhile', jsonb_build_object('version', before.version,
            'by', coalesce((SELECT s.name FROM sentra.staff AS s WHERE s.role_name = before.changed_by), ''),
            'since', before.changed_at));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        IF becomes.credit_limit <> coalesce(before.credit_limit, 0) THEN
            PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "credit_limit", "roles": ["manager"]}');
        END IF;
        IF becomes.due_days <> coalesce(before.due_days, 0) THEN
            PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "due_days", "roles": ["manager"]}');
        END IF;
    END IF;
    BEGIN
        IF is_new THEN
            INSERT INTO sentra.company (id, name, npwp, address, email, phone, credit_limit, due_days)
            VALUES (wanted, becomes.name, becomes.npwp, becomes.address, becomes.email, becomes.phone,
                becomes.credit_limit, becomes.due_days)
            RETURNING * INTO becomes;
        ELSE
            UPDATE sentra.company SET name = becomes.name, npwp = becomes.npwp, address = becomes.address,
                email = becomes.email, phone = becomes.phone, credit_limit = becomes.credit_limit,
                due_days = becomes.due_days, version = version + 1, changed_at = sentra.now(), changed_by = session_user
            WHERE id = wanted
            RETURNING * INTO becomes;
        END IF;
    EXCEPTION WHEN unique_violation THEN
        SELECT * INTO before FROM sentra.company AS f WHERE f.npwp = p ->> 'npwp' AND f.npwp <> '' AND f.id <> wanted;
        IF FOUND THEN
            PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'npwp', 'company_id', before.id,
                'company_name', before.name));
        END IF;
        PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
    END;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, CASE WHEN is_new THEN 'add_company' ELSE 'change_company' END, wanted::text,
        CASE WHEN NOT is_new THEN jsonb_build_object('name', before.name, 'version', before.version,
            'credit_limit', before.credit_limit, 'due_days', before.due_days) END,
        jsonb_build_object('name', becomes.name, 'version', becomes.version, 'credit_limit', becomes.credit_limit,
            'due_days', becomes.due_days));
    RETURN jsonb_build_object('id', becomes.id, 'version', becomes.version);
END $$;

-- --- identity numbers -----------------------------------------------------------------------------------------------

-- A ticket for one question to the service: FIND by an exact number, or REVEAL one customer's number with a reason. The
-- question is in the audit before it is answered.
CREATE FUNCTION sentra.ask_identity(p jsonb) RETURNS timestamptz
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch   text := sentra.require_branch();
    hash     bytea;
    customer uuid;
    until    timestamptz := sentra.now() + interval '60 seconds';
BEGIN
    PERFORM sentra.check_fields(p, '', 'ticket text 64', 'purpose text 10', 'customer_id uuid?', 'kind text? 10',
        'reason text? 200', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'ticket' !~ '^[0-9a-f]{64}$' THEN
        PERFORM sentra.invalid('ticket', 'not_a_token');
    END IF;
    hash := decode(p ->> 'ticket', 'hex');
    IF p ->> 'purpose' = 'FIND' THEN
        PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    ELSIF p ->> 'purpose' = 'REVEAL' THEN
        PERFORM sentra.require_role('manager', 'inspector');
        IF NOT sentra.is_clean(coalesce(p ->> 'reason', '')) THEN
            PERFORM sentra.invalid('reason', 'not_a_reason');
        END IF;
        customer := (p ->> 'customer_id')::uuid;
        IF NOT EXISTS (SELECT FROM sentra.customer_identity AS x
                       WHERE x.customer_id = customer AND x.kind = p ->> 'kind') THEN
            PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'customer_id', 'customer_id', customer));
        END IF;
    ELSE
        PERFORM sentra.invalid('purpose', 'not_an_identity');
    END IF;
    DELETE FROM sentra.identity_ticket AS t WHERE t.expires_at < sentra.now() - interval '1 day';
    INSERT INTO sentra.identity_ticket (token_hash, purpose, customer_id, kind, branch_id, counter, expires_at)
    VALUES (hash, p ->> 'purpose', customer, CASE WHEN customer IS NOT NULL THEN p ->> 'kind' END, branch,
        p ->> 'counter', until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN  -- else an earlier try of this very call
        INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
        VALUES (p ->> 'counter', branch,
            CASE p ->> 'purpose' WHEN 'FIND' THEN 'find_identity' ELSE 'reveal_identity' END,
            coalesce(customer::text, ''), CASE WHEN customer IS NOT NULL
                THEN jsonb_build_object('kind', p ->> 'kind', 'reason', p ->> 'reason') END);
    END IF;
    RETURN until;
END $$;

-- Use a ticket, once: FIND answers ids of customers with one of the keyed hashes, REVEAL the sealed number.
CREATE FUNCTION sentra.use_identity_ticket(ticket text, wanted text, lookups text[]) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held  sentra.identity_ticket;
    paper sentra.customer_identity;
BEGIN
    PERFORM sentra.require_role('service');
    IF ticket IS NULL OR ticket !~ '^[0-9a-f]{64}$' THEN
        PERFORM sentra.invalid('ticket', CASE WHEN ticket IS NULL THEN 'missing' ELSE 'not_a_token' END);
    END IF;
    SELECT * INTO held FROM sentra.identity_ticket AS t WHERE t.token_hash = decode(ticket, 'hex') FOR NO KEY UPDATE;
    IF NOT FOUND OR held.purpose IS DISTINCT FROM wanted OR held.used_at IS NOT NULL
       OR held.expires_at <= sentra.now() THEN
        PERFORM sentra.refuse('NOT_FOUND', '{"field": "ticket"}');
    END IF;
    UPDATE sentra.identity_ticket AS t SET used_at = sentra.now() WHERE t.token_hash = held.token_hash;
    IF held.purpose = 'FIND' THEN
        RETURN jsonb_build_object('customer_ids', coalesce((
            SELECT jsonb_agg(DISTINCT x.customer_id) FROM sentra.customer_identity AS x
            WHERE x.lookup IN (SELECT decode(l, 'hex') FROM unnest(lookups) AS l)), '[]'));
    END IF;
    SELECT * INTO paper FROM sentra.customer_identity AS x
    WHERE x.customer_id = held.customer_id AND x.kind = held.kind;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', '{"field": "customer_id"}');
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (held.counter, held.branch_id, 'identity_revealed', held.customer_id::text,
        jsonb_build_object('kind', held.kind, 'asked_by', held.asked_by));
    RETURN jsonb_build_object('customer_id', paper.customer_id, 'kind', paper.kind, 'key_id', paper.key_id,
        'sealed', replace(encode(paper.sealed, 'base64'), E'\n', ''));
END $$;

-- Publish the key that counters seal with. The first one stays: a number sealed with it opens with no other. Answers the
-- one that is published.
CREATE FUNCTION sentra.publish_identity_key(key_id text, public_key text) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    found jsonb;
BEGIN
    PERFORM sentra.require_role('service');
    IF key_id IS NULL OR key_id !~ '^[0-9a-f]{16}$' THEN
        PERFORM sentra.invalid('key_id', 'not_a_key');
    END IF;
    IF public_key IS NULL OR public_key !~ '^[A-Za-z0-9+/]{43}=$' THEN
        PERFORM sentra.invalid('public_key', 'not_a_key');
    END IF;
    INSERT INTO sentra.setting (branch_id, key, value)
    VALUES (NULL, 'identity_key', jsonb_build_object('key_id', key_id, 'public_key', public_key))
    ON CONFLICT ON CONSTRAINT setting_once DO NOTHING;
    IF FOUND THEN
        INSERT INTO sentra.audit (action, subject, after)
        VALUES ('publish_identity_key', key_id, jsonb_build_object('key_id', key_id));
    END IF;
    SELECT s.value INTO found FROM sentra.setting AS s WHERE s.key = 'identity_key' AND s.branch_id IS NULL;
    RETURN found;
END $$;

-- Numbers whose keyed hash is still to be written, oldest first.
CREATE FUNCTION sentra.unread_identities(most integer) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_role('service');
    IF most IS NULL OR most NOT BETWEEN 1 AND 1000 THEN
        PERFORM sentra.invalid('most', 'out_of_range', '{"least": 1, "most": 1000}');
    END IF;
    RETURN (SELECT coalesce(jsonb_agg(jsonb_build_object('customer_id', x.customer_id, 'kind', x.kind,
                'key_id', x.key_id, 'sealed', replace(encode(x.sealed, 'base64'), E'\n', ''))), '[]')
            FROM (SELECT * FROM sentra.customer_identity AS y WHERE y.lookup IS NULL AND y.is_readable
                  ORDER BY y.written_at LIMIT most) AS x);
END $$;

-- Write a number's keyed hash, or, without one, that it cannot be opened; false when the number is another by now.
CREATE FUNCTION sentra.note_identity(p jsonb) RETURNS boolean
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_role('service');
    PERFORM sentra.check_fields(p, '', 'customer_id uuid', 'kind text 10', 'sealed text 1400', 'lookup text? 64');
    UPDATE sentra.customer_identity AS x
    SET lookup = decode(p ->> 'lookup', 'hex'), is_readable = p ->> 'lookup' IS NOT NULL
    WHERE x.customer_id = (p ->> 'customer_id')::uuid AND x.kind = p ->> 'kind'
      AND replace(encode(x.sealed, 'base64'), E'\n', '') = p ->> 'sealed';
    RETURN FOUND;
END $$;

GRANT EXECUTE ON FUNCTION sentra.save_customer(jsonb), sentra.save_company(jsonb) TO {{agent}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.ask_identity(jsonb) TO {{agent}}, {{inspector}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.use_identity_ticket(text, text, text[]), sentra.publish_identity_key(text, text),
    sentra.unread_identities(integer), sentra.note_identity(jsonb) TO {{service}};

-- --- customers who need a manager's word -----------------------------------------------------------------------------

-- The code that the screen shows of a customer whom only a manager may let rent: the blacklist's, else 01 for an open
-- invoice of this branch whose day has come (as `reads_customers.py` has it). Null for everybody else.
CREATE FUNCTION sentra.blocked_code(wanted uuid, branch text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(c.blacklist_code, CASE WHEN EXISTS (
        SELECT FROM sentra.invoice AS i
        WHERE i.customer_id = c.id AND i.branch_id = branch AND i.state = 'OPEN' AND i.total > i.paid
          AND i.created_at + make_interval(days => coalesce(f.due_days, 0)) < sentra.now()
          AND (i.kind IN ('FINE', 'POST_RENTAL')
               OR i.kind = 'BALANCE' AND EXISTS (SELECT FROM sentra.booking AS late
                   WHERE late.order_id = i.order_id AND late.pickup_at < sentra.now()))) THEN '01' END)
    FROM sentra.customer AS c LEFT JOIN sentra.company AS f ON f.id = c.company_id
    WHERE c.id = wanted
$$;

-- As before; and whoever is blocked rents at a counter by a manager, or with a manager's word, which is then for the
-- discount too. Also when the customer's name and phone were typed as somebody new's.
CREATE OR REPLACE FUNCTION sentra.check_word(wanted jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    highest integer;
    blocked text;
    amount  bigint;
    said    jsonb := jsonb_build_object('object', lower(wanted ->> 'id'));
BEGIN
    IF wanted ->> 'source' = 'COUNTER' AND NOT sentra.has_role('manager') THEN
        blocked := sentra.blocked_code(coalesce((wanted ->> 'customer_id')::uuid,
            (SELECT c.id FROM sentra.customer AS c WHERE c.phone = wanted #>> '{new_customer,phone}')), sentra.my_branch());
    END IF;
    SELECT max((e ->> 'discount_percent')::integer) INTO highest FROM jsonb_array_elements(wanted -> 'bookings') AS e;
    IF highest > sentra.discount_limit() THEN
        SELECT coalesce(-sum(l.amount), 0) INTO amount
        FROM jsonb_to_recordset(wanted -> 'lines') AS l (kind text, amount bigint) WHERE l.kind = 'DISCOUNT';
        said := said || jsonb_build_object('amount', amount, 'limit', sentra.discount_limit());
    ELSIF blocked IS NULL THEN
        RETURN;
    END IF;
    said := said || CASE WHEN blocked IS NULL THEN '{"action": "discount"}'
                         ELSE jsonb_build_object('action', 'blocked_customer', 'blocked', blocked) END;
    IF wanted ->> 'approval_id' IS NULL THEN
        PERFORM sentra.refuse('APPROVAL_NEEDED', said || '{"field": "approval_id", "reason": "missing"}');
    END IF;
    PERFORM sentra.use_approval((wanted ->> 'approval_id')::uuid, said ->> 'action', said ->> 'object', amount);
END $$;
