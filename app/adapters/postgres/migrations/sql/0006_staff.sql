-- Staff accounts. The two functions belong to a NOLOGIN CREATEROLE role: it can only alter roles that it made, and grant
-- only the five group roles. Passwords arrive as SCRAM verifiers made on the client; no clear text reaches the server.

GRANT SELECT, INSERT ON sentra.staff TO {{staff_admin}};
GRANT UPDATE (active, disabled_at, name, branch_id) ON sentra.staff TO {{staff_admin}};
GRANT SELECT ON sentra.branch TO {{staff_admin}};
GRANT INSERT ON sentra.audit TO {{staff_admin}};
GRANT EXECUTE ON FUNCTION sentra.refuse(text, jsonb), sentra.require_role(text[]), sentra.require_branch() TO {{staff_admin}};
CREATE POLICY staff_admin_all ON sentra.staff TO {{staff_admin}} USING (true) WITH CHECK (true);
CREATE POLICY staff_admin_writes ON sentra.audit FOR INSERT TO {{staff_admin}} WITH CHECK (actor = session_user);

-- Make the LOGIN role and the staff row of an employee. A manager makes staff of the own branch; the owner, any.
CREATE FUNCTION sentra.add_staff(login text, name text, branch_code text, roles text[], verifier text) RETURNS text
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    role_name name := '{{prefix}}_' || login;
    branch    sentra.branch;
    role      text;
BEGIN
    PERFORM sentra.require_role('manager');
    IF login IS NULL OR login !~ '^[a-z][a-z0-9_.]{1,30}$' OR login ~ '\.\.|\.$' OR length('{{prefix}}_' || login) > 63
       OR login IN ('agent', 'inspector', 'cashier', 'manager', 'service', 'owner', 'staff_admin', 'backup') THEN
        PERFORM sentra.refuse('FIELD_INVALID',
            jsonb_build_object('field', 'login', 'reason', 'not_a_login', 'given', left(login, 60)));
    END IF;
    name := sentra.single_spaced(coalesce(name, ''));
    IF sentra.name_fault(name) IS NOT NULL THEN
        PERFORM sentra.refuse('FIELD_INVALID', jsonb_build_object('field', 'name', 'reason', sentra.name_fault(name)));
    END IF;
    IF verifier IS NULL OR verifier !~ '^SCRAM-SHA-256\$[0-9]{1,9}:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}$' THEN
        PERFORM sentra.refuse('FIELD_INVALID', '{"field": "verifier", "reason": "not_a_verifier"}');
    END IF;
    -- Fewer rounds than PostgreSQL's own would make a stolen verifier cheap to try passwords on.
    IF substring(verifier FROM '^SCRAM-SHA-256\$([0-9]+)')::integer < 4096 THEN
        PERFORM sentra.refuse('FIELD_INVALID', '{"field": "verifier", "reason": "too_few_iterations", "least": 4096}');
    END IF;
    IF array_ndims(roles) IS DISTINCT FROM 1 OR NOT roles <@ ARRAY['agent', 'inspector', 'cashier', 'manager', 'service'] THEN
        PERFORM sentra.refuse('FIELD_INVALID', '{"field": "roles", "reason": "not_a_role"}');
    END IF;
    SELECT * INTO branch FROM sentra.branch AS b WHERE b.code = branch_code;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'branch', 'branch', branch_code));
    END IF;
    -- A superuser sets up the installation; everybody else is a manager of this branch and makes no service accounts.
    IF NOT (SELECT r.rolsuper FROM pg_roles AS r WHERE r.rolname = session_user)
       AND (branch.id IS DISTINCT FROM sentra.my_branch() OR 'service' = ANY (roles)) THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"reason": "other_branch_or_service"}');
    END IF;
    IF EXISTS (SELECT FROM sentra.staff AS s WHERE s.login = add_staff.login) THEN
        PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'login', 'login', login));
    END IF;
    -- A role that is there already was made for another database of this cluster; only a superuser may reuse it.
    IF EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = role_name) THEN
        IF NOT (SELECT r.rolsuper FROM pg_roles AS r WHERE r.rolname = session_user) THEN
            PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'login', 'login', login));
        END IF;
        EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', role_name, verifier);
    ELSE
        EXECUTE format('CREATE ROLE %I LOGIN INHERIT PASSWORD %L', role_name, verifier);
    END IF;
    -- One employee's or stolen login cannot take every connection of the server; a service works with more of them.
    EXECUTE format('ALTER ROLE %I CONNECTION LIMIT %s', role_name, CASE WHEN 'service' = ANY (roles) THEN 40 ELSE 20 END);
    -- A login's own connection waits and stays idle only so long, whatever program made it. Settings of a group role are
    -- not inherited, so each login has them.
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = %L', role_name, '30s');
    EXECUTE format('ALTER ROLE %I SET lock_timeout = %L', role_name, '3s');
    EXECUTE format('ALTER ROLE %I SET statement_timeout = %L', role_name, '15s');
    FOREACH role IN ARRAY roles LOOP
        EXECUTE format('GRANT %I TO %I WITH INHERIT TRUE, SET FALSE', '{{prefix}}_' || role, role_name);
    END LOOP;
    INSERT INTO sentra.staff (login, role_name, name, branch_id)
    VALUES (add_staff.login, role_name, add_staff.name, branch.id);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), branch.id, 'add_staff', login,
        jsonb_build_object('name', name, 'roles', to_jsonb(roles)));
    RETURN role_name;
END $$;

-- Disable: not active, no LOGIN, sessions ended, in one step. A manager disables neither oneself, nor a service account,
-- nor the last active manager of the branch; the owner may.
CREATE FUNCTION sentra.disable_staff(login text) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    gone  sentra.staff;
    ended integer;
    is_owner boolean := (SELECT r.rolsuper FROM pg_roles AS r WHERE r.rolname = session_user);
BEGIN
    PERFORM sentra.require_role('manager');
    -- All of the branch in one order: two managers disabling each other at once wait for each other here.
    PERFORM 1 FROM sentra.staff AS s WHERE s.branch_id = (SELECT x.branch_id FROM sentra.staff AS x
        WHERE x.login = disable_staff.login) ORDER BY s.login FOR UPDATE;
    SELECT * INTO gone FROM sentra.staff AS s WHERE s.login = disable_staff.login
        AND (is_owner OR s.branch_id = sentra.my_branch());
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'login', 'login', login));
    END IF;
    IF gone.role_name = session_user THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "login", "reason": "oneself"}');
    END IF;
    IF NOT is_owner AND pg_has_role(gone.role_name, '{{service}}', 'USAGE') THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "login", "reason": "service"}');
    END IF;
    IF NOT is_owner AND pg_has_role(gone.role_name, '{{manager}}', 'USAGE') AND NOT EXISTS (
        SELECT FROM sentra.staff AS s JOIN pg_roles AS r ON r.rolname = s.role_name
        WHERE s.branch_id = gone.branch_id AND s.active AND s.login <> gone.login
          AND pg_has_role(r.oid, '{{manager}}', 'USAGE')) THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "login", "reason": "last_manager"}');
    END IF;
    UPDATE sentra.staff AS s SET active = false, disabled_at = sentra.now() WHERE s.login = disable_staff.login;
    EXECUTE format('ALTER ROLE %I NOLOGIN', gone.role_name);
    SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid)) INTO ended
    FROM pg_stat_activity AS a WHERE a.usename = gone.role_name AND a.pid <> pg_backend_pid();
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), gone.branch_id, 'disable_staff', login, '{"active": true}', '{"active": false}');
    RETURN ended;
END $$;

-- Their owner is the role that may make roles; it needs to create in the schema for this one moment.
GRANT CREATE ON SCHEMA sentra TO {{staff_admin}};
RESET ROLE;
ALTER FUNCTION sentra.add_staff(text, text, text, text[], text) OWNER TO {{staff_admin}};
ALTER FUNCTION sentra.disable_staff(text) OWNER TO {{staff_admin}};
SET LOCAL ROLE {{staff_admin}};
REVOKE ALL ON FUNCTION sentra.add_staff(text, text, text, text[], text), sentra.disable_staff(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sentra.add_staff(text, text, text, text[], text), sentra.disable_staff(text) TO {{manager}};
RESET ROLE;
SET LOCAL ROLE {{owner}};
REVOKE CREATE ON SCHEMA sentra FROM {{staff_admin}};
