-- Customers and approvals: the same form sent again is known by everything in it, and tries at a manager's password are
-- counted one after another.

-- --- customers ------------------------------------------------------------------------------------------------------

-- Whether everything that was asked for stands there already: an earlier try of the same call, whose answer was lost.
-- Of an identity number its sealed box is compared, which a counter sends again as it was: two numbers may look the same
-- masked.
CREATE OR REPLACE FUNCTION sentra.is_customer_as_asked(held sentra.customer, p jsonb) RETURNS boolean STABLE
LANGUAGE sql AS $$
    SELECT sentra.customer_as_asked(held, p) IS NOT DISTINCT FROM held
       AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(p -> 'identities') AS w (kind text, masked text, sealed text)
        LEFT JOIN sentra.customer_identity AS x ON x.customer_id = held.id AND x.kind = w.kind
        WHERE x.masked IS DISTINCT FROM w.masked
           OR (w.masked IS NOT NULL AND x.sealed IS DISTINCT FROM decode(w.sealed, 'base64')))
$$;

-- An id that stands for another form: whose version it is now, so that the form can be saved as its change.
CREATE FUNCTION sentra.refuse_known_id(version integer, by_role text, since timestamptz) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'id', 'version', version,
        'by', coalesce((SELECT s.name FROM sentra.staff AS s WHERE s.role_name = by_role), ''), 'since', since,
        'is_own', by_role = session_user));
END $$;

-- Write a customer: new without `version`, else the change of that version. Answers id and version.
CREATE OR REPLACE FUNCTION sentra.save_customer(p jsonb) RETURNS jsonb
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
            PERFORM sentra.refuse_known_id(before.version, before.changed_by, before.changed_at);
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
        SELECT * INTO before FROM sentra.customer AS c WHERE c.id = wanted FOR NO KEY UPDATE;
        IF before.version = 1 AND before.changed_by = session_user AND sentra.is_customer_as_asked(before, p) THEN
            RETURN jsonb_build_object('id', before.id, 'version', before.version);  -- the first try of this very call
        END IF;
        PERFORM sentra.refuse_known_id(before.version, before.changed_by, before.changed_at);
    END;
    PERFORM sentra.write_identities(wanted, p -> 'identities');
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, CASE WHEN is_new THEN 'add_customer' ELSE 'change_customer' END, wanted::text,
        CASE WHEN NOT is_new THEN sentra.customer_facts(before) END,
        sentra.customer_facts(becomes) || jsonb_build_object('identities', coalesce((
            SELECT jsonb_agg(e ->> 'kind') FROM jsonb_array_elements(p -> 'identities') AS x (e)), '[]')));
    RETURN jsonb_build_object('id', becomes.id, 'version', becomes.version);
END $$;

-- --- companies ------------------------------------------------------------------------------------------------------

-- Write a company: new without `version`, else the change of that version. Credit is a manager's word.
CREATE OR REPLACE FUNCTION sentra.save_company(p jsonb) RETURNS jsonb
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
            PERFORM sentra.refuse_known_id(before.version, before.changed_by, before.changed_at);
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
        SELECT * INTO before FROM sentra.company AS f WHERE f.id = wanted FOR NO KEY UPDATE;
        IF before.version = 1 AND before.changed_by = session_user AND (before.name, before.npwp, before.address,
               before.email, before.phone, before.credit_limit, before.due_days) IS NOT DISTINCT FROM (becomes.name,
               becomes.npwp, becomes.address, becomes.email, becomes.phone, becomes.credit_limit, becomes.due_days) THEN
            RETURN jsonb_build_object('id', before.id, 'version', before.version);  -- the first try of this very call
        END IF;
        PERFORM sentra.refuse_known_id(before.version, before.changed_by, before.changed_at);
    END;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (p ->> 'counter', branch, CASE WHEN is_new THEN 'add_company' ELSE 'change_company' END, wanted::text,
        CASE WHEN NOT is_new THEN jsonb_build_object('name', before.name, 'version', before.version,
            'credit_limit', before.credit_limit, 'due_days', before.due_days) END,
        jsonb_build_object('name', becomes.name, 'version', becomes.version, 'credit_limit', becomes.credit_limit,
            'due_days', becomes.due_days));
    RETURN jsonb_build_object('id', becomes.id, 'version', becomes.version);
END $$;

-- --- approvals ------------------------------------------------------------------------------------------------------

-- How many managers' passwords somebody has tried at an approval within five minutes, none since the last right one; and,
-- after five, for how many milliseconds no other is tried.
CREATE OR REPLACE FUNCTION sentra.wrong_approvals(asker text, OUT wrong integer, OUT paused_ms bigint) STABLE
LANGUAGE sql AS $$
    SELECT count(*)::integer,
           CASE WHEN count(*) >= 5 THEN sentra.remaining_ms(max(a.at) + interval '5 minutes', sentra.now()) ELSE 0 END
    FROM sentra.audit AS a
    WHERE a.action = 'approval_try' AND a.actor = asker AND a.at > sentra.now() - interval '5 minutes'
      AND a.branch_id = (SELECT s.branch_id FROM sentra.staff AS s WHERE s.role_name = asker)
      AND a.at > coalesce((SELECT max(p.created_at) FROM sentra.approval AS p WHERE p.asked_by = asker), '-infinity')
$$;

-- Before a manager's password is tried the try is written down, one after another for each person who asks: as many at
-- once as there are windows are no way around the five.
DROP FUNCTION sentra.check_approval_tries();
CREATE FUNCTION sentra.begin_approval_try(login text) RETURNS void
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    IF login IS NULL OR length(login) > 60 OR NOT sentra.is_clean(login) THEN
        PERFORM sentra.invalid('login', CASE WHEN login IS NULL THEN 'missing' ELSE 'not_a_login' END);
    END IF;
    PERFORM 1 FROM sentra.staff AS s WHERE s.role_name = session_user FOR NO KEY UPDATE;
    PERFORM sentra.refuse_paused(session_user);
    INSERT INTO sentra.audit (counter, branch_id, action, subject)
    VALUES (sentra.my_counter(), branch, 'approval_try', login);
END $$;
GRANT EXECUTE ON FUNCTION sentra.begin_approval_try(text) TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}};
