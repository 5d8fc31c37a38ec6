-- What a branch prints in its own words (terms of its contracts, lines under its name), and each printing of a contract.

-- A text of several lines: no control signs but the lines' ends, nothing invisible, something to read, 20,000 signs at
-- most. Looked at in pieces, since a note may have 500.
CREATE FUNCTION sentra.is_long_text(said text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT length(said) <= 20000 AND position(E'\t' IN said) = 0 AND said COLLATE pg_c_utf8 ~ '[[:alnum:]]'
       AND (SELECT bool_and(sentra.is_note(substr(said, at, 500))) FROM generate_series(1, length(said), 500) AS at)
$$;

-- Each version stays: a contract is printed again with the terms it was made under. `said` null: from here on the
-- program's own text again.
CREATE TABLE sentra.branch_text (
    branch_id  text NOT NULL REFERENCES sentra.branch,
    kind       text NOT NULL CHECK (kind IN ('TERMS', 'LETTERHEAD')),
    language   text NOT NULL CHECK (language IN ('id', 'en')),
    version    integer NOT NULL CHECK (version >= 1),
    said       text CHECK (sentra.is_long_text(said)),
    counter    text NOT NULL CHECK (length(counter) <= 60),
    changed_at timestamptz NOT NULL DEFAULT sentra.now(),
    changed_by text NOT NULL DEFAULT session_user,
    PRIMARY KEY (branch_id, kind, language, version)
);

-- One row per printing. `id` is the client's UUID. `fingerprint` stands for what is agreed: another one makes the next
-- revision, the same one the next SALINAN (`copy` 0 is the original). `terms_version` is the branch's text in
-- `terms_language`, 0 the program's own, which has its `terms_edition`.
CREATE TABLE sentra.printed_document (
    id             uuid PRIMARY KEY,
    branch_id      text NOT NULL REFERENCES sentra.branch,
    order_id       uuid NOT NULL REFERENCES sentra.booking_order,
    kind           text NOT NULL CHECK (kind IN ('CONTRACT')),
    language       text NOT NULL CHECK (language IN ('id', 'en')),
    fingerprint    text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    revision       integer NOT NULL CHECK (revision >= 0),
    copy           integer NOT NULL CHECK (copy >= 0),
    terms_language text NOT NULL CHECK (terms_language IN ('id', 'en')),
    terms_version  integer NOT NULL CHECK (terms_version >= 0),
    terms_edition  integer NOT NULL CHECK (terms_edition >= 1),
    counter        text NOT NULL CHECK (length(counter) <= 60),
    printed_at     timestamptz NOT NULL DEFAULT sentra.now(),
    printed_by     text NOT NULL DEFAULT session_user,
    CONSTRAINT printed_document_once UNIQUE (order_id, kind, language, revision, copy)
);

GRANT EXECUTE ON FUNCTION sentra.is_long_text(text)
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}}, {{staff_admin}};
GRANT SELECT ON sentra.branch_text, sentra.printed_document
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}};

DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['branch_text', 'printed_document'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
        EXECUTE format('CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE ON sentra.%I
            FOR EACH ROW EXECUTE FUNCTION sentra.refuse_change()', branched);
        EXECUTE format('CREATE TRIGGER insert_only_whole BEFORE TRUNCATE ON sentra.%I
            FOR EACH STATEMENT EXECUTE FUNCTION sentra.refuse_change()', branched);
    END LOOP;
END $$;

-- Write the next version of a text; the version that stands now. The same text again writes nothing.
CREATE FUNCTION sentra.set_branch_text(kind text, language text, said text, counter text) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    was    sentra.branch_text;
BEGIN
    PERFORM sentra.require_role('manager');
    IF kind IS NULL OR kind NOT IN ('TERMS', 'LETTERHEAD') THEN
        PERFORM sentra.invalid('kind', 'unknown');
    END IF;
    IF language IS NULL OR language NOT IN ('id', 'en') THEN
        PERFORM sentra.invalid('language', 'not_a_language');
    END IF;
    IF said IS NOT NULL AND NOT sentra.is_long_text(said) THEN
        PERFORM sentra.invalid('terms', CASE WHEN length(said) > 20000 THEN 'too_long' ELSE 'control_characters' END,
            jsonb_build_object('length', length(said), 'most', 20000));
    END IF;
    PERFORM sentra.check_counter(counter);
    PERFORM FROM sentra.branch AS b WHERE b.id = branch FOR NO KEY UPDATE;  -- one version at a time
    SELECT * INTO was FROM sentra.branch_text AS t
    WHERE (t.branch_id, t.kind, t.language) = (branch, set_branch_text.kind, set_branch_text.language)
    ORDER BY t.version DESC LIMIT 1;
    IF was.said IS NOT DISTINCT FROM said THEN
        RETURN coalesce(was.version, 0);
    END IF;
    INSERT INTO sentra.branch_text (branch_id, kind, language, version, said, counter)
    VALUES (branch, set_branch_text.kind, set_branch_text.language, coalesce(was.version, 0) + 1, set_branch_text.said,
        set_branch_text.counter);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (set_branch_text.counter, branch, 'set_branch_text', branch,
        jsonb_build_object('kind', kind, 'language', language, 'version', coalesce(was.version, 0)),
        jsonb_build_object('kind', kind, 'language', language, 'version', coalesce(was.version, 0) + 1));
    RETURN coalesce(was.version, 0) + 1;
END $$;

-- Count one printing of an order's contract before it goes on paper: `{"revision", "copy"}`. The same id again answers
-- the same, and counts once.
CREATE FUNCTION sentra.count_printing(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    wanted uuid;
    was    sentra.printed_document;
    made   sentra.printed_document;
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    PERFORM sentra.check_fields(p, '', 'id uuid', 'order_id uuid', 'language text 2', 'fingerprint text 64',
        'terms_language text 2', 'terms_version number', 'terms_edition number', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'language' NOT IN ('id', 'en') OR p ->> 'terms_language' NOT IN ('id', 'en') THEN
        PERFORM sentra.invalid('language', 'not_a_language');
    END IF;
    IF p ->> 'fingerprint' !~ '^[0-9a-f]{64}$' THEN
        PERFORM sentra.invalid('order_id', 'unknown');
    END IF;
    SELECT o.id INTO wanted FROM sentra.booking_order AS o
    WHERE o.id = (p ->> 'order_id')::uuid AND o.branch_id = branch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_FOUND', jsonb_build_object('field', 'order_id', 'order_id', p ->> 'order_id'));
    END IF;
    SELECT * INTO made FROM sentra.printed_document AS d WHERE d.id = (p ->> 'id')::uuid;
    IF FOUND THEN
        IF made.order_id <> wanted THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "id"}');
        END IF;
        RETURN jsonb_build_object('revision', made.revision, 'copy', made.copy);
    END IF;
    IF (p ->> 'terms_version')::integer > 0 AND NOT EXISTS (
        SELECT FROM sentra.branch_text AS t WHERE t.branch_id = branch AND t.kind = 'TERMS'
          AND t.language = p ->> 'terms_language' AND t.version = (p ->> 'terms_version')::integer) THEN
        PERFORM sentra.refuse('NOT_FOUND', '{"field": "terms_version"}');
    END IF;
    SELECT * INTO was FROM sentra.printed_document AS d
    WHERE d.order_id = wanted AND d.kind = 'CONTRACT' AND d.language = p ->> 'language'
    ORDER BY d.revision DESC, d.copy DESC LIMIT 1;
    INSERT INTO sentra.printed_document (id, branch_id, order_id, kind, language, fingerprint, revision, copy,
        terms_language, terms_version, terms_edition, counter)
    VALUES ((p ->> 'id')::uuid, branch, wanted, 'CONTRACT', p ->> 'language', p ->> 'fingerprint',
        CASE WHEN was.id IS NULL THEN 0 WHEN was.fingerprint = p ->> 'fingerprint' THEN was.revision
             ELSE was.revision + 1 END,
        CASE WHEN was.fingerprint = p ->> 'fingerprint' THEN was.copy + 1 ELSE 0 END,
        p ->> 'terms_language', (p ->> 'terms_version')::integer, (p ->> 'terms_edition')::integer, p ->> 'counter')
    RETURNING * INTO made;
    RETURN jsonb_build_object('revision', made.revision, 'copy', made.copy);
END $$;

-- What changes of an order's rentals give back of what was paid for them, whether it is paid back yet or not: a contract
-- says it beside the paid lines. Refunds themselves are for cashiers to read.
CREATE FUNCTION sentra.rent_given_back(wanted uuid) RETURNS bigint STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    RETURN (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r JOIN sentra.booking AS b ON b.id = r.booking_id
            WHERE b.order_id = wanted AND b.branch_id = branch AND b.state <> 'CANCELLED'
              AND r.kind = 'RESCHEDULE' AND r.state <> 'VOID');
END $$;

GRANT EXECUTE ON FUNCTION sentra.set_branch_text(text, text, text, text) TO {{manager}};
GRANT EXECUTE ON FUNCTION sentra.count_printing(jsonb), sentra.rent_given_back(uuid)
    TO {{agent}}, {{inspector}}, {{cashier}};
