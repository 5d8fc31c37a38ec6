-- A manager's word at somebody else's counter, used once, and what a paid booking's end costs. Lock order as everywhere:
-- invoices, bookings by id, units by id, number counter; an approval's own row after the bookings it is about.

-- --- approvals ------------------------------------------------------------------------------------------------------

-- Bound to the person who asked for it, at one counter. `used_tx`: the transaction that it was used in.
ALTER TABLE sentra.approval
    ADD COLUMN asked_by text NOT NULL,
    ADD COLUMN counter  text NOT NULL DEFAULT '' CHECK (length(counter) <= 60),
    ADD COLUMN used_by  text,
    ADD COLUMN used_tx  bigint,
    ADD CONSTRAINT approval_words CHECK (action ~ '^[a-z_]{1,40}$' AND length(object) <= 100 AND sentra.is_clean(object)
        AND sentra.is_note(reason)),
    ADD CONSTRAINT approval_amount CHECK (amount BETWEEN 0 AND 9999999999999),
    ADD CONSTRAINT approval_used_whole CHECK (num_nulls(used_at, used_by, used_tx) IN (0, 3));
CREATE INDEX approval_asked ON sentra.approval (asked_by, created_at);

-- How many wrong passwords somebody typed at an approval within five minutes, none since the last right one; and, after
-- five, for how many milliseconds no other is tried.
CREATE FUNCTION sentra.wrong_approvals(asker text, OUT wrong integer, OUT paused_ms bigint) STABLE LANGUAGE sql AS $$
    SELECT count(*)::integer,
           CASE WHEN count(*) >= 5 THEN sentra.remaining_ms(max(a.at) + interval '5 minutes', sentra.now()) ELSE 0 END
    FROM sentra.audit AS a
    WHERE a.action = 'approval_wrong' AND a.actor = asker AND a.at > sentra.now() - interval '5 minutes'
      AND a.branch_id = (SELECT s.branch_id FROM sentra.staff AS s WHERE s.role_name = asker)
      AND a.at > coalesce((SELECT max(p.created_at) FROM sentra.approval AS p WHERE p.asked_by = asker), '-infinity')
$$;

CREATE FUNCTION sentra.refuse_paused(asker text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    tries record := sentra.wrong_approvals(asker);
BEGIN
    IF tries.paused_ms > 0 THEN
        PERFORM sentra.refuse('NOT_ALLOWED', jsonb_build_object('field', 'password', 'reason', 'paused',
            'remaining_ms', tries.paused_ms));
    END IF;
END $$;

-- Refuse while the person who asks has typed too many wrong passwords; asked before one more is tried.
CREATE FUNCTION sentra.check_approval_tries() RETURNS void STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sentra.require_branch();
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    PERFORM sentra.refuse_paused(session_user);
END $$;

-- Record a wrong password at an approval; how many more are tried before a pause.
CREATE FUNCTION sentra.note_wrong_approval(login text) RETURNS integer
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
BEGIN
    PERFORM sentra.require_role('agent', 'inspector', 'cashier');
    IF login IS NULL OR length(login) > 60 OR NOT sentra.is_clean(login) THEN
        PERFORM sentra.invalid('login', CASE WHEN login IS NULL THEN 'missing' ELSE 'not_a_login' END);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject)
    VALUES (sentra.my_counter(), branch, 'approval_wrong', login);
    RETURN (SELECT greatest(0, 5 - t.wrong) FROM sentra.wrong_approvals(session_user) AS t);
END $$;

-- An approval as its counter needs it.
CREATE FUNCTION sentra.told_approval(given sentra.approval) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', given.id, 'expires_at', given.expires_at, 'approved_by_name',
        (SELECT s.name FROM sentra.staff AS s WHERE s.role_name = given.approved_by))
$$;

-- A manager's word, given over the manager's own connection: for one action on one thing, asked for by one person, once,
-- within five minutes. The same id again by the same manager answers the same.
CREATE FUNCTION sentra.approve(p jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    moment timestamptz := sentra.now();
    asker  text;
    given  sentra.approval;
BEGIN
    IF NOT sentra.has_role('manager') THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "login", "reason": "not_a_manager", "roles": ["manager"]}');
    END IF;
    PERFORM sentra.check_fields(p, '', 'id uuid', 'action text 40', 'object text 100', 'amount rupiah?', 'reason text 500',
        'asked_by text 60', 'counter text 60');
    PERFORM sentra.check_counter(p ->> 'counter');
    IF p ->> 'action' !~ '^[a-z_]{1,40}$' THEN
        PERFORM sentra.invalid('action', 'not_offered');
    END IF;
    IF NOT sentra.is_clean(p ->> 'object') THEN
        PERFORM sentra.invalid('object', 'not_a_text');
    END IF;
    PERFORM sentra.check_reason(p ->> 'reason');
    IF (p ->> 'amount')::bigint < 0 THEN
        PERFORM sentra.invalid('amount', 'not_an_amount');
    END IF;
    SELECT s.role_name INTO asker FROM sentra.staff AS s
    WHERE s.login = p ->> 'asked_by' AND s.branch_id = branch AND s.active;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('NOT_ALLOWED', '{"field": "login", "reason": "other_branch"}');
    END IF;
    PERFORM sentra.refuse_paused(asker);
    INSERT INTO sentra.approval (id, branch_id, action, object, amount, reason, asked_by, counter, created_at, expires_at)
    VALUES ((p ->> 'id')::uuid, branch, p ->> 'action', p ->> 'object', (p ->> 'amount')::bigint, p ->> 'reason', asker,
        p ->> 'counter', moment, moment + interval '5 minutes')
    ON CONFLICT (id) DO NOTHING
    RETURNING * INTO given;
    IF NOT FOUND THEN
        SELECT * INTO given FROM sentra.approval AS a WHERE a.id = (p ->> 'id')::uuid;
        IF (given.branch_id, given.approved_by, given.asked_by, given.action, given.object, given.amount, given.reason)
           IS DISTINCT FROM (branch, session_user::text, asker, p ->> 'action', p ->> 'object', (p ->> 'amount')::bigint,
                             p ->> 'reason') THEN
            PERFORM sentra.refuse('DUPLICATE', '{"field": "approval_id"}');
        END IF;
        RETURN sentra.told_approval(given);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (p ->> 'counter', branch, 'approve', given.id::text, jsonb_strip_nulls(jsonb_build_object('action', given.action,
        'object', given.object, 'amount', given.amount, 'reason', given.reason, 'asked_by', asker)));
    RETURN sentra.told_approval(given);
END $$;

-- Whether somebody is an active manager of a branch now.
CREATE FUNCTION sentra.is_manager(role text, branch text) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM sentra.staff AS s JOIN pg_roles AS r ON r.rolname = s.role_name
                   WHERE s.role_name = role AND s.branch_id = branch AND s.active
                     AND pg_has_role(r.oid, '{{manager}}', 'USAGE'))
$$;

-- Use an approval inside the transaction that waited for it, or refuse APPROVAL_NEEDED with why it does not do: it must be
-- this person's, of this branch, for this action on this thing, for at least this amount, unused, not over, and given by
-- somebody who still is an active manager.
CREATE FUNCTION sentra.use_approval(wanted uuid, its_action text, its_object text, its_amount bigint DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    given  sentra.approval;
    moment timestamptz;
    why    text;
BEGIN
    SELECT * INTO given FROM sentra.approval AS a WHERE a.id = wanted AND a.branch_id = branch FOR UPDATE;
    moment := sentra.now();
    why := CASE WHEN wanted IS NULL THEN 'missing'
                WHEN given.id IS NULL THEN 'unknown'
                WHEN given.used_at IS NOT NULL THEN 'used'
                WHEN given.expires_at <= moment THEN 'over'
                WHEN (given.action, given.object) IS DISTINCT FROM (its_action, its_object) THEN 'other'
                WHEN given.asked_by IS DISTINCT FROM session_user THEN 'other_person'
                WHEN its_amount > coalesce(given.amount, -1) THEN 'amount'
                WHEN NOT sentra.is_manager(given.approved_by, branch) THEN 'not_a_manager' END;
    IF why IS NOT NULL THEN
        PERFORM sentra.refuse('APPROVAL_NEEDED', jsonb_build_object('field', 'approval_id', 'reason', why,
            'action', its_action, 'object', its_object, 'amount', its_amount));
    END IF;
    UPDATE sentra.approval AS a SET used_at = moment, used_by = session_user,
        used_tx = pg_current_xact_id()::text::bigint WHERE a.id = wanted;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), branch, 'use_approval', wanted::text, jsonb_strip_nulls(jsonb_build_object(
        'action', its_action, 'object', its_object, 'amount', its_amount, 'approved_by', given.approved_by)));
END $$;

-- Whether this transaction used a manager's word for what is being done to this booking, or to another of its order.
CREATE FUNCTION sentra.is_approved(changed sentra.booking) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM sentra.approval AS a
        WHERE a.used_tx = pg_current_xact_id_if_assigned()::text::bigint AND a.used_by = session_user
          AND a.action = changed.last_action AND a.branch_id = changed.branch_id
          AND a.object IN (SELECT b.id::text FROM sentra.booking AS b WHERE b.order_id = changed.order_id))
$$;

-- As before; and what only a manager may do is also done by whoever has a manager's word for it.
CREATE OR REPLACE FUNCTION sentra.booking_guard() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
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
    IF NOT ('manager' = ANY (roles) AND sentra.is_approved(NEW)) THEN
        PERFORM sentra.require_role(VARIADIC roles);
    END IF;
    INSERT INTO sentra.audit (counter, branch_id, action, subject, before, after)
    VALUES (sentra.my_counter(), NEW.branch_id, NEW.last_action, NEW.id::text, old_values,
        jsonb_strip_nulls(jsonb_build_object('state', NEW.state, 'version', NEW.version, 'unit_id', NEW.unit_id,
            'first_day', NEW.first_day, 'last_day', NEW.last_day, 'payment_deadline', NEW.payment_deadline,
            'reason', nullif(NEW.reason, ''))));
    RETURN NEW;
END $$;

-- Refuse a reason that says nothing.
CREATE FUNCTION sentra.check_reason(reason text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF reason IS NULL OR NOT sentra.is_note(reason) OR NOT sentra.is_clean(sentra.single_spaced(reason)) THEN
        PERFORM sentra.invalid('reason', CASE WHEN reason IS NULL THEN 'missing' ELSE 'not_a_reason' END);
    END IF;
END $$;

GRANT EXECUTE ON FUNCTION sentra.check_approval_tries(), sentra.note_wrong_approval(text)
    TO {{agent}}, {{inspector}}, {{cashier}};
GRANT EXECUTE ON FUNCTION sentra.approve(jsonb) TO {{manager}};

-- --- holding longer -------------------------------------------------------------------------------------------------

-- Give an unpaid order so many hours from now to be paid, at most 24 in all since it was made: a transfer is on its way.
-- A manager's, or with a manager's word. Locks no invoice: a cashier who is settling it goes on.
CREATE FUNCTION sentra.hold_longer(wanted uuid, until_hours integer, reason text, approval uuid, again boolean,
    based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    moment timestamptz;
    limit_at timestamptz;
    until  timestamptz;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier');
    IF until_hours IS NULL THEN
        PERFORM sentra.invalid('until_hours', 'missing');
    END IF;
    PERFORM sentra.check_reason(reason);
    held := sentra.lock_booking(wanted, false);
    IF again AND held.state = 'PENDING_PAYMENT' AND held.last_action = 'hold_longer' AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        RETURN sentra.held_longer(held);
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    moment := sentra.now();
    IF held.state <> 'PENDING_PAYMENT' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'state', held.state, 'action', 'hold_longer'));
    END IF;
    IF held.payment_deadline <= moment THEN
        PERFORM sentra.refuse('BOOKING_EXPIRED', jsonb_build_object('field', 'booking_id', 'booking_id', wanted));
    END IF;
    limit_at := held.created_at + interval '24 hours';
    IF held.payment_deadline >= limit_at THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', 'held_longest', 'state', held.state, 'action', 'hold_longer',
            'payment_deadline', held.payment_deadline));
    END IF;
    until := least(moment + make_interval(hours => least(greatest(until_hours, 0), 24)), limit_at);
    IF until_hours NOT BETWEEN 1 AND 24 OR until <= held.payment_deadline THEN
        PERFORM sentra.invalid('until_hours', 'out_of_range', jsonb_build_object('most', 24,
            'least', floor(extract(epoch FROM held.payment_deadline - moment) / 3600)::integer + 1));
    END IF;
    IF NOT sentra.has_role('manager') THEN
        PERFORM sentra.use_approval(approval, 'hold_longer', wanted::text);
    END IF;
    UPDATE sentra.booking AS b SET last_action = 'hold_longer', payment_deadline = until, reason = hold_longer.reason
    WHERE b.order_id = held.order_id AND b.state = 'PENDING_PAYMENT';
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted;
    RETURN sentra.held_longer(held);
END $$;

CREATE FUNCTION sentra.held_longer(held sentra.booking) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('booking_id', held.id, 'number', held.number, 'order_id', held.order_id,
        'branch_id', held.branch_id, 'version', held.version, 'payment_deadline', held.payment_deadline,
        'bookings', (SELECT jsonb_agg(b.id ORDER BY b.line_no) FROM sentra.booking AS b
                     WHERE b.order_id = held.order_id AND b.state = 'PENDING_PAYMENT'),
        'invoices', (SELECT coalesce(jsonb_agg(i.id ORDER BY i.created_at, i.id), '[]') FROM sentra.invoice AS i
                     WHERE i.order_id = held.order_id AND i.state = 'OPEN'))
$$;
GRANT EXECUTE ON FUNCTION sentra.hold_longer(uuid, integer, text, uuid, boolean, integer) TO {{agent}}, {{cashier}};

-- --- cancelling what is paid ----------------------------------------------------------------------------------------

-- Steps [hours before pick-up, percent of the rent that is given back], at most ten.
CREATE FUNCTION sentra.is_ladder(steps jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN jsonb_typeof(steps) <> 'array' THEN false
                ELSE jsonb_array_length(steps) <= 10 AND NOT EXISTS (
                    SELECT FROM jsonb_array_elements(steps) AS s
                    WHERE (CASE WHEN jsonb_typeof(s) <> 'array' THEN false
                                ELSE jsonb_array_length(s) = 2 AND s ->> 0 ~ '^[0-9]{1,4}$' AND s ->> 1 ~ '^[0-9]{1,3}$'
                                     AND (s ->> 1)::integer <= 100 END) IS NOT TRUE) END
$$;
ALTER TABLE sentra.setting ADD CONSTRAINT setting_ladder
    CHECK (key <> 'cancellation_ladder' OR sentra.is_ladder(value));

-- The ladder of a branch: its own setting, else the installation's, else the domain's default.
CREATE FUNCTION sentra.ladder_of(branch text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT s.value FROM sentra.setting AS s
                     WHERE s.key = 'cancellation_ladder' AND (s.branch_id = branch OR s.branch_id IS NULL)
                     ORDER BY s.branch_id NULLS LAST LIMIT 1), '[[48, 100], [24, 50]]')
$$;

-- Settled invoices with something of a booking on them, the newest first: what is left of its rent and its deposit there,
-- and what the invoice's refunds of rent amount to so far. Rents are before a PPN on top.
CREATE FUNCTION sentra.cancellation_papers(held sentra.booking) RETURNS TABLE (invoice_id uuid, made_on date,
    ppn_place text, taxable bigint, given_back bigint, refunded bigint, rent bigint, deposit bigint)
STABLE LANGUAGE sql AS $$
    SELECT i.id, (i.created_at AT TIME ZONE b.zone)::date, sentra.ppn_place_of(i), lines.taxable, back.taxable,
           back.amount, lines.rent - back.rent, lines.deposit - back.deposit
    FROM sentra.invoice AS i JOIN sentra.branch AS b ON b.id = i.branch_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint AS taxable,
               coalesce(sum(l.amount) FILTER (WHERE l.taxable AND l.booking_id = held.id), 0)::bigint AS rent,
               coalesce(sum(l.amount) FILTER (WHERE l.kind = 'DEPOSIT' AND l.booking_id = held.id), 0)::bigint AS deposit,
               bool_or(l.booking_id = held.id) AS is_here
        FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.active) AS lines
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable), 0)::bigint AS taxable,
               coalesce(sum(r.amount) FILTER (WHERE r.kind IN ('RESCHEDULE', 'RENT')), 0)::bigint AS amount,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id), 0)::bigint AS rent,
               coalesce(sum(r.amount) FILTER (WHERE r.booking_id = held.id AND r.kind = 'DEPOSIT'), 0)::bigint AS deposit
        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.order_id = held.order_id AND i.state = 'PAID' AND i.kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE')
      AND lines.is_here
    ORDER BY i.settled_at DESC, i.id
$$;

-- What the end of a paid booking starts from; null for a booking that this branch has not.
CREATE FUNCTION sentra.cancellation_basis(wanted uuid) RETURNS jsonb STABLE
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    held   sentra.booking;
BEGIN
    PERFORM sentra.require_role('agent');
    SELECT * INTO held FROM sentra.booking AS b WHERE b.id = wanted AND b.branch_id = branch;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN jsonb_build_object('booking_id', held.id, 'number', held.number, 'order_id', held.order_id,
        'version', held.version, 'state', held.state, 'pickup_at', held.pickup_at, 'daily_rate', held.daily_rate,
        'now', sentra.now(), 'ladder', sentra.ladder_of(branch),
        'papers', (SELECT coalesce(jsonb_agg(to_jsonb(p)), '[]') FROM sentra.cancellation_papers(held) AS p));
END $$;

-- What the end of a paid booking gives back of each of its settled invoices: the domain's `effect_of`. Of the rent the
-- ladder's percent, or all but a day's; the newest invoice first, each with its own PPN to the Rupiah; the deposit whole.
CREATE FUNCTION sentra.cancellation_parts(held sentra.booking, its_action text, moment timestamptz,
    OUT percent integer, OUT paid bigint, OUT parts jsonb) LANGUAGE plpgsql STABLE AS $$
DECLARE
    paper record;
    b     sentra.branch;
    rest  bigint;
    part  bigint;
    whole bigint;
    money bigint;
BEGIN
    parts := '[]';
    paid := 0;
    SELECT (s ->> 1)::integer INTO percent FROM jsonb_array_elements(sentra.ladder_of(held.branch_id)) AS s
    WHERE moment + make_interval(hours => (s ->> 0)::integer) <= held.pickup_at
    ORDER BY (s ->> 0)::integer DESC, (s ->> 1)::integer DESC LIMIT 1;
    percent := CASE its_action WHEN 'no_show' THEN NULL ELSE coalesce(percent, 0) END;
    SELECT coalesce(sum(p.rent), 0) INTO rest FROM sentra.cancellation_papers(held) AS p;
    rest := CASE its_action WHEN 'no_show' THEN greatest(rest - held.daily_rate, 0)
                            ELSE sentra.half_up(rest::numeric * percent, 100) END;
    FOR paper IN SELECT * FROM sentra.cancellation_papers(held) LOOP
        SELECT x.* INTO STRICT b FROM sentra.invoice AS i CROSS JOIN LATERAL sentra.branch_of(i) AS x
        WHERE i.id = paper.invoice_id;
        whole := sentra.payable(b, paper.taxable, paper.made_on) - paper.refunded;
        paid := paid + whole - sentra.payable(b, paper.taxable - paper.given_back - paper.rent, paper.made_on);
        part := least(rest, paper.rent);
        rest := rest - part;
        money := CASE WHEN part > 0 THEN whole
            - sentra.payable(b, paper.taxable - paper.given_back - part, paper.made_on) ELSE 0 END;
        parts := parts || jsonb_build_object('invoice_id', paper.invoice_id, 'taxable', part, 'rent', money,
            'deposit', paper.deposit);
    END LOOP;
END $$;

-- Open invoices with something of a booking on them.
CREATE FUNCTION sentra.open_papers(held sentra.booking) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(i.id ORDER BY i.id), '{}') FROM sentra.invoice AS i
    WHERE i.order_id = held.order_id AND i.state = 'OPEN' AND EXISTS (
        SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.booking_id = held.id AND l.active)
$$;

-- Nothing more is asked for of a booking: an open invoice of its own is void, one that it shares asks for the others.
CREATE FUNCTION sentra.drop_open_papers(held sentra.booking) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
    papers uuid[] := sentra.open_papers(held);
    paper  uuid;
BEGIN
    FOREACH paper IN ARRAY papers LOOP
        IF EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = paper AND l.active AND l.kind <> 'PPN'
                   AND l.booking_id IS DISTINCT FROM held.id) THEN
            UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = paper AND l.booking_id = held.id;
            PERFORM sentra.price_invoice(i.id, sentra.branch_of(i)) FROM sentra.invoice AS i WHERE i.id = paper;
        ELSE
            PERFORM sentra.void_invoice(paper);
        END IF;
    END LOOP;
    RETURN papers;
END $$;

-- End a paid booking: `cancel_paid`, or `no_show` from two hours after pick-up. Its days are free, its open invoices ask
-- for nothing more of it, and what is given back is due. `expected_back` is what the person was shown: when it is another
-- sum by now (a step of the ladder has passed), nothing is written. `again`: the caller's own COMMIT may have happened
-- unseen, so that its result is answered once more.
CREATE FUNCTION sentra.cancel_paid(wanted uuid, action text, reason text, expected_back bigint, again boolean,
    based_on integer) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp SET lock_timeout = '2s' LANGUAGE plpgsql AS $$
DECLARE
    held   sentra.booking;
    moment timestamptz;
    got    record;
    effect jsonb;
    freed  jsonb;
    back   bigint;
BEGIN
    PERFORM sentra.require_role('agent');
    IF action IS NULL OR action NOT IN ('cancel_paid', 'no_show') THEN
        PERFORM sentra.invalid('action', CASE WHEN action IS NULL THEN 'missing' ELSE 'not_offered' END);
    END IF;
    PERFORM sentra.check_reason(reason);
    IF expected_back IS NULL THEN
        PERFORM sentra.invalid('expected_back', 'missing');
    END IF;
    held := sentra.booking_here(wanted);
    IF held.state = 'PAID_APPROVED' THEN
        PERFORM sentra.refuse_if_locked(sentra.open_papers(held));
    END IF;
    held := sentra.lock_booking(wanted, true);
    IF again AND held.state = 'CANCELLED' AND held.last_action = action AND session_user = (
        SELECT a.actor FROM sentra.audit AS a WHERE a.subject = wanted::text ORDER BY a.id DESC LIMIT 1) THEN
        SELECT a.after INTO STRICT effect FROM sentra.audit AS a
        WHERE a.subject = wanted::text AND a.action = 'given_back' ORDER BY a.id DESC LIMIT 1;
        RETURN sentra.ended_before(held) || effect;
    END IF;
    PERFORM sentra.check_based_on(held, based_on);
    PERFORM sentra.check_change(held, action);
    PERFORM sentra.refuse_if_locked(sentra.open_papers(held));
    moment := sentra.now();
    IF action = 'no_show' AND moment < held.pickup_at + interval '2 hours' THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'booking_id', 'booking_id', wanted,
            'reason', 'too_early', 'state', held.state, 'action', action,
            'possible_at', held.pickup_at + interval '2 hours'));
    END IF;
    got := sentra.cancellation_parts(held, action, moment);
    SELECT jsonb_build_object('percent', got.percent, 'rent_back', coalesce(sum(p.rent), 0),
               'deposit_back', coalesce(sum(p.deposit), 0), 'fee', got.paid - coalesce(sum(p.rent), 0),
               'hours_before', floor(extract(epoch FROM held.pickup_at - moment) / 3600)::bigint),
           coalesce(sum(p.rent + p.deposit), 0)
    INTO effect, back FROM jsonb_to_recordset(got.parts) AS p (rent bigint, deposit bigint);
    IF back <> expected_back THEN
        PERFORM sentra.refuse('PRICE_CHANGED', effect || jsonb_build_object('field', 'expected_back', 'old', expected_back,
            'new', back));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;

    UPDATE sentra.booking AS b SET state = 'CANCELLED', last_action = cancel_paid.action, reason = cancel_paid.reason,
        paid_until = NULL WHERE b.id = wanted;
    WITH wants AS (
        SELECT p.invoice_id, v.kind, v.amount, v.taxable
        FROM jsonb_to_recordset(got.parts) AS p (invoice_id uuid, taxable bigint, rent bigint, deposit bigint)
        CROSS JOIN LATERAL (VALUES ('RENT', p.rent, p.taxable), ('DEPOSIT', p.deposit, 0)) AS v (kind, amount, taxable)
        WHERE v.amount > 0
    ), made AS (
        INSERT INTO sentra.refund (id, branch_id, invoice_id, payment_id, booking_id, amount, taxable, kind, state, reason)
        SELECT gen_random_uuid(), held.branch_id, w.invoice_id,
               (SELECT p.id FROM sentra.payment AS p WHERE p.invoice_id = w.invoice_id), wanted, w.amount, w.taxable, w.kind,
               'DUE', cancel_paid.reason
        FROM wants AS w
        RETURNING id, invoice_id, kind, amount
    )
    SELECT effect || jsonb_build_object('refunds', coalesce(jsonb_agg(jsonb_build_object('id', m.id,
        'invoice_id', m.invoice_id, 'kind', m.kind, 'amount', m.amount) ORDER BY m.invoice_id, m.kind), '[]'))
    INTO effect FROM made AS m;
    effect := effect || jsonb_build_object('dropped', to_jsonb(sentra.drop_open_papers(held)));
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'given_back', wanted::text, effect);
    freed := sentra.free_days(held, action);  -- a statement of its own: the projections below see it
    PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    RETURN effect || sentra.ended_booking(wanted, NULL, freed);
END $$;
GRANT EXECUTE ON FUNCTION sentra.cancellation_basis(uuid),
    sentra.cancel_paid(uuid, text, text, bigint, boolean, integer) TO {{agent}};
