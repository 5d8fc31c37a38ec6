-- Who is asking, and the triggers that hold whatever a caller does: booking machine with audit, days of a booking,
-- availability versions, append-only tables, the payment guard.

-- From here on nothing in this schema is executable for everybody.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA sentra FROM PUBLIC;

-- Whether the person who logged in holds a group role (a manager's covered ones included).
CREATE FUNCTION sentra.has_role(role text) RETURNS boolean STABLE LANGUAGE sql AS
$$ SELECT pg_has_role(session_user, ('{{prefix}}_' || role)::name, 'USAGE') $$;

CREATE FUNCTION sentra.me() RETURNS text STABLE SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE sql AS
$$ SELECT s.login FROM sentra.staff AS s WHERE s.role_name = session_user AND s.active $$;

-- The branch of the person who logged in; null for nobody of ours. In policies as (SELECT sentra.my_branch()).
CREATE FUNCTION sentra.my_branch() RETURNS text STABLE SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE sql AS
$$ SELECT s.branch_id FROM sentra.staff AS s WHERE s.role_name = session_user AND s.active $$;

-- The counter (till or PC) of this connection, as its application name says; for the audit, not for any right.
CREATE FUNCTION sentra.my_counter() RETURNS text STABLE LANGUAGE sql AS
$$ SELECT left(split_part(current_setting('application_name'), 'sentra/', 2), 60) $$;

-- An expected "no": the caller turns it into a refusal. `detail` holds its parameters, `field` among them.
CREATE FUNCTION sentra.refuse(code text, detail jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'SR001', MESSAGE = code, DETAIL = detail::text;
END $$;

CREATE FUNCTION sentra.require_role(VARIADIC roles text[]) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY roles LOOP
        IF sentra.has_role(role) THEN
            RETURN;
        END IF;
    END LOOP;
    PERFORM sentra.refuse('NOT_ALLOWED', jsonb_build_object('roles', to_jsonb(roles)));
END $$;

CREATE FUNCTION sentra.require_branch() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    branch text := sentra.my_branch();
BEGIN
    IF branch IS NULL THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"reason": "no_active_staff"}');
    END IF;
    RETURN branch;
END $$;

-- One field is wrong; `reason` is a stable word.
CREATE FUNCTION sentra.invalid(field text, reason text, more jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.refuse('FIELD_INVALID', more || jsonb_build_object('field', field, 'reason', reason));
END $$;

-- Refuse a counter's name that is none.
CREATE FUNCTION sentra.check_counter(counter text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF counter IS NULL OR length(counter) > 60 OR NOT sentra.is_clean(counter) THEN
        PERFORM sentra.invalid('counter', CASE WHEN counter IS NULL THEN 'missing' WHEN length(counter) > 60 THEN 'too_long'
                                               ELSE 'not_a_counter' END);
    END IF;
END $$;

-- Refuse a JSON object that lacks a field or has one of another type, naming it: a null compared is neither right nor
-- wrong, and would pass every guard behind it. `wanted`: "name type [most]", the type with ? when the field may be absent.
CREATE FUNCTION sentra.check_fields(given jsonb, place text, VARIADIC wanted text[]) RETURNS void LANGUAGE plpgsql
STABLE AS $$
DECLARE
    one   text;
    field text;
    kind  text;
    value jsonb;
    said  text;
    good  boolean;
BEGIN
    IF jsonb_typeof(given) IS DISTINCT FROM 'object' THEN
        PERFORM sentra.invalid(rtrim(place, '.'), 'not_an_object');
    END IF;
    FOREACH one IN ARRAY wanted LOOP
        field := split_part(one, ' ', 1);
        kind := split_part(one, ' ', 2);
        value := given -> field;
        said := given ->> field;
        IF said IS NULL THEN
            IF kind NOT LIKE '%?' THEN
                PERFORM sentra.invalid(place || field, 'missing');
            END IF;
            CONTINUE;
        END IF;
        kind := rtrim(kind, '?');
        good := CASE kind
            WHEN 'text' THEN jsonb_typeof(value) = 'string'
                AND length(said) <= coalesce(nullif(split_part(one, ' ', 3), '')::integer, 100)
            WHEN 'uuid' THEN jsonb_typeof(value) = 'string'
                AND said ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
            WHEN 'number' THEN jsonb_typeof(value) = 'number' AND said ~ '^-?[0-9]{1,9}$'
            WHEN 'rupiah' THEN jsonb_typeof(value) = 'number' AND said ~ '^-?[0-9]{1,13}$'
            WHEN 'epoch' THEN jsonb_typeof(value) = 'number' AND said ~ '^[0-9]{1,18}$'
            WHEN 'day' THEN jsonb_typeof(value) = 'string' AND said ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
                AND CASE WHEN pg_input_is_valid(said, 'date')
                         THEN sentra.is_sane(daterange(said::date, said::date, '[]')) ELSE false END
            WHEN 'moment' THEN jsonb_typeof(value) = 'string'
                AND said ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(Z|[+-][0-9]{2}:?[0-9]{2})$'
                AND CASE WHEN pg_input_is_valid(said, 'timestamptz') THEN sentra.is_sane(said::timestamptz) ELSE false END
            ELSE jsonb_typeof(value) = kind END;  -- boolean, object, array
        IF good IS NOT TRUE THEN
            PERFORM sentra.invalid(place || field, 'not_a' || CASE WHEN kind ~ '^[aeo]' THEN 'n_' ELSE '_' END || kind);
        END IF;
    END LOOP;
END $$;

-- --- booking machine ------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.booking_guard() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
DECLARE
    came_from text;
    roles text[];
    old_values jsonb;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.id, NEW.number, NEW.order_id, NEW.line_no, NEW.branch_id, NEW.source, NEW.created_at, NEW.created_by)
           IS DISTINCT FROM
           (OLD.id, OLD.number, OLD.order_id, OLD.line_no, OLD.branch_id, OLD.source, OLD.created_at, OLD.created_by)
        THEN
            RAISE EXCEPTION 'booking %: what names it never changes', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        came_from := OLD.state;
        old_values := jsonb_build_object('state', OLD.state, 'version', OLD.version, 'unit_id', OLD.unit_id,
            'first_day', OLD.first_day, 'last_day', OLD.last_day, 'payment_deadline', OLD.payment_deadline);
        NEW.version := OLD.version + 1;
        NEW.changed_at := sentra.now();
    ELSE
        NEW.version := 1;
    END IF;
    SELECT array_agg(t.role ORDER BY t.role) INTO roles FROM sentra.transition AS t
    WHERE t.from_state IS NOT DISTINCT FROM came_from
      AND t.action = NEW.last_action AND t.to_state = NEW.state;
    IF roles IS NULL THEN
        PERFORM sentra.refuse('BOOKING_STATE',
            jsonb_build_object('booking_id', NEW.id, 'state', came_from, 'action', NEW.last_action, 'to', NEW.state));
    END IF;
    PERFORM sentra.require_role(VARIADIC roles);
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), NEW.branch_id, NEW.last_action, NEW.id::text, old_values,
        jsonb_strip_nulls(jsonb_build_object('state', NEW.state, 'version', NEW.version, 'unit_id', NEW.unit_id,
            'first_day', NEW.first_day, 'last_day', NEW.last_day, 'payment_deadline', NEW.payment_deadline,
            'reason', nullif(NEW.reason, ''))));
    RETURN NEW;
END $$;
CREATE TRIGGER booking_guard BEFORE INSERT OR UPDATE ON sentra.booking
    FOR EACH ROW EXECUTE FUNCTION sentra.booking_guard();

-- I3 at COMMIT: a non-final booking has exactly one active BOOKING row, a final one none; a DISPUTED booking whose unit
-- was released none. Until check-out that row is exactly the booking's unit, period and turnaround.
CREATE FUNCTION sentra.check_booking_days() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    held sentra.booking;
    rows integer;
    layers integer;
    exact integer;
    expected integer;
BEGIN
    IF TG_TABLE_NAME = 'booking' THEN
        wanted := NEW.id;
    ELSE
        wanted := NEW.booking_id;
    END IF;
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    SELECT count(*) FILTER (WHERE o.kind = 'BOOKING'), count(*) FILTER (WHERE o.kind = 'OVERDUE'),
           count(*) FILTER (WHERE o.kind = 'BOOKING' AND o.unit_id = held.unit_id
                            AND o.days = daterange(held.first_day, held.last_day + held.turnaround_days, '[]'))
    INTO rows, layers, exact
    FROM sentra.occupancy AS o WHERE o.booking_id = wanted AND o.active;
    expected := CASE WHEN held.state IN ('COMPLETED', 'CANCELLED') THEN 0
                     WHEN held.state = 'DISPUTED' AND held.last_action = 'release_unit' THEN 0 ELSE 1 END;
    IF rows <> expected OR (expected = 0 AND layers > 0)
       OR (held.state IN ('PENDING_PAYMENT', 'PAID_APPROVED') AND exact <> 1) THEN
        RAISE EXCEPTION 'booking % in state % has % active occupancy rows (% exact, % overdue)',
            wanted, held.state, rows, exact, layers
            USING ERRCODE = 'check_violation', CONSTRAINT = 'booking_days';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER booking_days AFTER INSERT OR UPDATE ON sentra.booking
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sentra.check_booking_days();
CREATE CONSTRAINT TRIGGER occupancy_days AFTER INSERT OR UPDATE ON sentra.occupancy
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.booking_id IS NOT NULL)
    EXECUTE FUNCTION sentra.check_booking_days();

-- --- occupancy ------------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.occupancy_guard() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.unit_id, NEW.sku_id, NEW.branch_id, NEW.kind, NEW.booking_id, NEW.maintenance_id)
           IS DISTINCT FROM (OLD.unit_id, OLD.sku_id, OLD.branch_id, OLD.kind, OLD.booking_id, OLD.maintenance_id) THEN
            RAISE EXCEPTION 'occupancy %: unit and cause never change', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.active AND NOT OLD.active THEN
            RAISE EXCEPTION 'occupancy %: freed days are not taken back', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        NEW.changed_at := sentra.now();
    END IF;
    UPDATE sentra.unit SET availability_version = availability_version + 1 WHERE id = NEW.unit_id;
    RETURN NEW;
END $$;
CREATE TRIGGER occupancy_guard_update BEFORE UPDATE ON sentra.occupancy
    FOR EACH ROW EXECUTE FUNCTION sentra.occupancy_guard();
-- After the insert: a row that the constraint turned away must not raise the version.
CREATE TRIGGER occupancy_guard_insert AFTER INSERT ON sentra.occupancy
    FOR EACH ROW EXECUTE FUNCTION sentra.occupancy_guard();

-- --- money ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is insert-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
    insert_only text;
BEGIN
    FOREACH insert_only IN ARRAY ARRAY['payment', 'tender', 'audit', 'gateway_event', 'transition'] LOOP
        EXECUTE format('CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE ON sentra.%I
            FOR EACH ROW EXECUTE FUNCTION sentra.refuse_change()', insert_only);
        EXECUTE format('CREATE TRIGGER insert_only_whole BEFORE TRUNCATE ON sentra.%I
            FOR EACH STATEMENT EXECUTE FUNCTION sentra.refuse_change()', insert_only);
    END LOOP;
END $$;

-- The final guard once more, whoever inserts: a payment is made under the invoice's current lock, by its holder, before
-- it expires, for exactly what is due. Only the service posts money without a lock (what the gateway brought).
CREATE FUNCTION sentra.payment_guard() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
DECLARE
    owed sentra.invoice;
BEGIN
    SELECT * INTO owed FROM sentra.invoice AS i WHERE i.id = NEW.invoice_id FOR NO KEY UPDATE;
    IF NEW.cashier IS DISTINCT FROM session_user OR NEW.branch_id IS DISTINCT FROM owed.branch_id THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"reason": "not_your_payment"}');
    END IF;
    IF NEW.lock_epoch IS NULL THEN
        PERFORM sentra.require_role('service');
        RETURN NEW;
    END IF;
    IF (owed.state = 'OPEN' AND owed.lock_token IS NOT NULL AND owed.lock_epoch = NEW.lock_epoch
        AND owed.locked_by = session_user AND owed.locked_until > sentra.now()) IS NOT TRUE THEN
        PERFORM sentra.refuse('LOCK_LOST', jsonb_build_object('invoice_id', NEW.invoice_id));
    END IF;
    IF NEW.amount IS DISTINCT FROM owed.total - owed.paid THEN
        PERFORM sentra.refuse('AMOUNT_MISMATCH',
            jsonb_build_object('field', 'tenders.amount', 'due', owed.total - owed.paid));
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payment_guard BEFORE INSERT ON sentra.payment
    FOR EACH ROW EXECUTE FUNCTION sentra.payment_guard();

CREATE FUNCTION sentra.invoice_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'invoice %: epochs only grow, and PAID and VOID are final', OLD.id
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER invoice_guard BEFORE UPDATE ON sentra.invoice FOR EACH ROW
    WHEN (NEW.lock_epoch < OLD.lock_epoch OR NEW.branch_id <> OLD.branch_id OR (OLD.state <> 'OPEN' AND
          (NEW.state <> OLD.state OR NEW.total <> OLD.total OR NEW.number IS DISTINCT FROM OLD.number
           OR NEW.lock_token IS NOT NULL)))
    EXECUTE FUNCTION sentra.invoice_guard();

-- --- customers ------------------------------------------------------------------------------------------------------

CREATE FUNCTION sentra.customer_words() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM sentra.customer_word AS w WHERE w.customer_id = NEW.id;
    END IF;
    INSERT INTO sentra.customer_word (word, customer_id)
    SELECT DISTINCT found.word, NEW.id FROM string_to_table(NEW.folded_name, ' ') AS found (word) WHERE found.word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER customer_words AFTER INSERT OR UPDATE OF name ON sentra.customer
    FOR EACH ROW EXECUTE FUNCTION sentra.customer_words();
