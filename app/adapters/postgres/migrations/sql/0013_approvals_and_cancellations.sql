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
    -- What is asked for at once is part of the rent: it cannot become less than that while it is not paid.
    IF NEW.last_action = 'reschedule' AND NEW.state = 'PENDING_PAYMENT' AND sentra.worth(NEW) < (
        SELECT coalesce(sum(l.amount), 0) FROM sentra.invoice AS i JOIN sentra.invoice_line AS l ON l.invoice_id = i.id
        WHERE i.order_id = NEW.order_id AND i.kind = 'DOWN_PAYMENT' AND i.state = 'OPEN' AND l.active AND l.taxable
          AND l.booking_id = NEW.id) THEN
        PERFORM sentra.refuse('PERIOD_INVALID', jsonb_build_object('field', 'last_day', 'reason', 'down_payment',
            'first', NEW.first_day, 'last', NEW.last_day));
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

-- Whether a refund of rent stays as it is: what the end of a booking gave back, and what was paid back. One that a change
-- of days made is written anew while it is due.
CREATE FUNCTION sentra.stays(r sentra.refund) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (r.kind = 'RENT' AND r.state <> 'VOID') OR (r.kind = 'RESCHEDULE' AND r.state = 'DONE')
$$;

-- Refunds of changes are paid back in the order in which `price_refunds` reckons them: each is the invoice's price with
-- and without its rent after those before it. Paid out of turn, it could be a Rupiah more or less than its rent is worth
-- once those before it are taken back, and nothing would be left that makes up for it.
CREATE FUNCTION sentra.refund_in_turn() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM sentra.refund AS r
               WHERE r.invoice_id = NEW.invoice_id AND r.kind = 'RESCHEDULE' AND r.state = 'DUE'
                 AND r.booking_id < NEW.booking_id) THEN
        RAISE EXCEPTION 'refund %: others of its invoice are paid back before it', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER refund_in_turn AFTER UPDATE OF state ON sentra.refund FOR EACH ROW
    WHEN (NEW.state = 'DONE' AND OLD.state = 'DUE' AND NEW.kind = 'RESCHEDULE') EXECUTE FUNCTION sentra.refund_in_turn();

-- Settled invoices with something of a booking on them, the newest first: what is left of its rent and its deposit there,
-- and what the invoice's refunds of rent that stay as they are amount to so far: of ends, and those paid back. Rents are
-- before a PPN on top; extras that are not taxable are `untaxed`.
CREATE FUNCTION sentra.cancellation_papers(held sentra.booking) RETURNS TABLE (invoice_id uuid, made_on date,
    ppn_place text, taxable bigint, given_back bigint, refunded bigint, rent bigint, untaxed bigint, deposit bigint)
STABLE LANGUAGE sql AS $$
    SELECT i.id, (i.created_at AT TIME ZONE b.zone)::date, sentra.ppn_place_of(i), lines.taxable, back.taxable,
           back.amount, lines.rent - back.rent, lines.untaxed - back.untaxed, lines.deposit - back.deposit
    FROM sentra.invoice AS i JOIN sentra.branch AS b ON b.id = i.branch_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint AS taxable,
               coalesce(sum(l.amount) FILTER (WHERE l.taxable AND l.booking_id = held.id), 0)::bigint AS rent,
               coalesce(sum(l.amount) FILTER (WHERE l.kind = 'DEPOSIT' AND l.booking_id = held.id), 0)::bigint AS deposit,
               coalesce(sum(l.amount) FILTER (WHERE NOT l.taxable AND l.kind NOT IN ('DEPOSIT', 'PPN', 'ROUNDING')
                                              AND l.booking_id = held.id), 0)::bigint AS untaxed,
               bool_or(l.booking_id = held.id) AS is_here
        FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.active) AS lines
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable) FILTER (WHERE sentra.stays(r)), 0)::bigint AS taxable,
               coalesce(sum(r.amount) FILTER (WHERE sentra.stays(r)), 0)::bigint AS amount,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id), 0)::bigint AS rent,
               coalesce(sum(r.amount) FILTER (WHERE r.booking_id = held.id AND r.kind = 'EXTRA'), 0)::bigint AS untaxed,
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
        'version', held.version, 'state', held.state, 'pickup_at', held.pickup_at, 'first_day', held.first_day,
        'daily_rate', held.daily_rate, 'terms', sentra.terms_of(held), 'now', sentra.now(),
        'ladder', sentra.ladder_of(branch),
        'papers', (SELECT coalesce(jsonb_agg(to_jsonb(p)), '[]') FROM sentra.cancellation_papers(held) AS p));
END $$;

-- The domain's `first_day_rent`: the first day as it was agreed, less the discount, without extras.
CREATE FUNCTION sentra.first_day_rent(held sentra.booking) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (x.rent - sentra.half_up(x.rent * held.discount_percent, 100))::bigint
    FROM (SELECT sum(p.quantity::numeric * p.rate) AS rent
          FROM sentra.rent_parts(held.daily_rate, held.card, held.holidays, held.first_day, 1) AS p) AS x
$$;

-- What the end of a paid booking gives back of each of its settled invoices: the domain's `effect_of`. Of the rent the
-- ladder's percent, or all but the first day's; the newest invoice first, each with its own PPN to the Rupiah; untaxed
-- extras, for which nothing was done, and the deposit whole.
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
    rest := CASE its_action WHEN 'no_show' THEN greatest(rest - sentra.first_day_rent(held), 0)
                            ELSE sentra.half_up(rest::numeric * percent, 100) END;
    FOR paper IN SELECT * FROM sentra.cancellation_papers(held) LOOP
        SELECT x.* INTO STRICT b FROM sentra.invoice AS i CROSS JOIN LATERAL sentra.branch_of(i) AS x
        WHERE i.id = paper.invoice_id;
        whole := sentra.payable(b, paper.taxable, paper.made_on) - paper.refunded;
        paid := paid + whole - sentra.payable(b, paper.taxable - paper.given_back - paper.rent, paper.made_on)
            + paper.untaxed;
        part := least(rest, paper.rent);
        rest := rest - part;
        money := CASE WHEN part > 0 THEN whole
            - sentra.payable(b, paper.taxable - paper.given_back - part, paper.made_on) ELSE 0 END;
        parts := parts || jsonb_build_object('invoice_id', paper.invoice_id, 'taxable', part, 'rent', money,
            'extra', paper.untaxed, 'deposit', paper.deposit);
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
    SELECT jsonb_build_object('percent', got.percent, 'rent_back', coalesce(sum(p.rent + p.extra), 0),
               'deposit_back', coalesce(sum(p.deposit), 0), 'fee', got.paid - coalesce(sum(p.rent + p.extra), 0),
               'hours_before', floor(extract(epoch FROM held.pickup_at - moment) / 3600)::bigint),
           coalesce(sum(p.rent + p.extra + p.deposit), 0)
    INTO effect, back FROM jsonb_to_recordset(got.parts) AS p (rent bigint, extra bigint, deposit bigint);
    IF back <> expected_back THEN
        PERFORM sentra.refuse('PRICE_CHANGED', effect || jsonb_build_object('field', 'expected_back', 'old', expected_back,
            'new', back));
    END IF;
    PERFORM 1 FROM sentra.unit AS u WHERE u.id = held.unit_id FOR NO KEY UPDATE;

    UPDATE sentra.booking AS b SET state = 'CANCELLED', last_action = cancel_paid.action, reason = cancel_paid.reason,
        paid_until = NULL WHERE b.id = wanted;
    WITH wants AS (
        SELECT p.invoice_id, v.kind, v.amount, v.taxable
        FROM jsonb_to_recordset(got.parts) AS p (invoice_id uuid, taxable bigint, rent bigint, extra bigint,
            deposit bigint)
        CROSS JOIN LATERAL (VALUES ('RENT', p.rent, p.taxable), ('EXTRA', p.extra, 0), ('DEPOSIT', p.deposit, 0)) AS v (kind, amount, taxable)
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
    PERFORM sentra.price_refunds(p) FROM sentra.papers_of(held) AS p WHERE NOT p.is_open AND p.all_due > 0;
    effect := effect || jsonb_build_object('dropped', to_jsonb(sentra.drop_open_papers(held)));
    INSERT INTO sentra.audit (counter, branch_id, action, subject, after)
    VALUES (sentra.my_counter(), held.branch_id, 'given_back', wanted::text, effect);
    freed := sentra.free_days(held, action);  -- a statement of its own: the projections below see it
    PERFORM sentra.project_later(held.branch_id, ARRAY[held.unit_id]);
    RETURN effect || sentra.ended_booking(wanted, NULL, freed);
END $$;
GRANT EXECUTE ON FUNCTION sentra.cancellation_basis(uuid),
    sentra.cancel_paid(uuid, text, text, bigint, boolean, integer) TO {{agent}};

-- --- down payments --------------------------------------------------------------------------------------------------

-- Part of an order's rent is asked for at once (DOWN_PAYMENT), the rest with the deposits until pick-up (BALANCE).
ALTER TABLE sentra.booking_order ADD COLUMN down_payment bigint CHECK (down_payment BETWEEN 1 AND 9999999999999);
ALTER TABLE sentra.invoice_line DROP CONSTRAINT invoice_line_kind_check,
    ADD CONSTRAINT invoice_line_kind_check CHECK
        (kind IN ('RENT', 'EXTRA', 'DISCOUNT', 'DOWN_PAYMENT', 'DEPOSIT', 'FINE', 'PPN', 'ROUNDING'));
ALTER TABLE sentra.setting ADD CONSTRAINT setting_least_down_payment
    CHECK (key <> 'least_down_payment' OR (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,3}$'
        AND value::text::integer BETWEEN 1 AND 100));

-- The least part of the rent, in percent, that is a down payment here.
CREATE FUNCTION sentra.least_down_payment(branch text) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT s.value::text::integer FROM sentra.setting AS s
                     WHERE s.key = 'least_down_payment' AND (s.branch_id = branch OR s.branch_id IS NULL)
                     ORDER BY s.branch_id NULLS LAST LIMIT 1), 30)
$$;

-- Book an order as `book_order` does, for a later day, and ask for so much of its rent (before a PPN on top) at once. The
-- same order with another down payment is another order.
CREATE FUNCTION sentra.book_with_down_payment(wanted jsonb) RETURNS jsonb
SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE plpgsql AS $$
DECLARE
    branch text := sentra.require_branch();
    answer jsonb;
    part   bigint;
    rent   bigint;
    least  bigint;
BEGIN
    PERFORM sentra.require_role('agent', 'cashier', 'service');
    PERFORM sentra.check_fields(wanted, '', 'id uuid', 'down_payment rupiah', 'invoice_id uuid', 'balance_id uuid');
    part := (wanted ->> 'down_payment')::bigint;
    answer := sentra.book_order(wanted);
    IF answer ? 'taken' THEN
        RETURN answer;
    END IF;
    IF (answer ->> 'repeat')::boolean THEN
        IF part IS DISTINCT FROM (SELECT o.down_payment FROM sentra.booking_order AS o
                                  WHERE o.id = (wanted ->> 'id')::uuid) THEN
            PERFORM sentra.refuse('DUPLICATE', jsonb_build_object('field', 'order_id', 'order_id', wanted ->> 'id'));
        END IF;
        RETURN answer;
    END IF;
    IF EXISTS (SELECT FROM sentra.booking AS b WHERE b.order_id = (wanted ->> 'id')::uuid
               AND b.first_day <= sentra.today_of(branch)) THEN
        PERFORM sentra.invalid('down_payment', 'not_of_the_period');
    END IF;
    SELECT sum(l.amount) INTO rent FROM sentra.invoice_line AS l
    WHERE l.invoice_id = (wanted ->> 'invoice_id')::uuid AND l.taxable;
    least := ceil(rent::numeric * sentra.least_down_payment(branch) / 100);
    IF part NOT BETWEEN greatest(least, 1) AND rent THEN
        PERFORM sentra.invalid('down_payment', 'out_of_range', jsonb_build_object('least', greatest(least, 1), 'most', rent));
    END IF;
    UPDATE sentra.booking_order AS o SET down_payment = part WHERE o.id = (wanted ->> 'id')::uuid;
    PERFORM sentra.split_invoice((wanted ->> 'invoice_id')::uuid, (wanted ->> 'balance_id')::uuid, part, rent);
    RETURN sentra.booked_order((wanted ->> 'id')::uuid, false);
END $$;
GRANT EXECUTE ON FUNCTION sentra.book_with_down_payment(jsonb) TO {{agent}}, {{cashier}}, {{service}};

-- Make a BALANCE of an order's invoice, and of the invoice itself the DOWN_PAYMENT of so much of its rent: each booking's
-- share by its rent, taken off the balance in a line of its own. Each invoice has its own PPN; one of nothing is not made.
CREATE FUNCTION sentra.split_invoice(whole uuid, balance uuid, part bigint, rent bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    was  sentra.invoice;
    b    sentra.branch;
    has_top boolean;
BEGIN
    SELECT * INTO STRICT was FROM sentra.invoice AS i WHERE i.id = whole;
    b := sentra.branch_of(was);
    has_top := EXISTS (SELECT FROM sentra.invoice_line AS l WHERE l.invoice_id = whole AND l.kind = 'PPN');
    INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total, created_at)
    VALUES (balance, was.order_id, was.branch_id, was.customer_id, 'BALANCE', 0, 0, 0, 0, was.created_at)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        PERFORM sentra.refuse('DUPLICATE', '{"field": "invoice_id"}');
    END IF;
    UPDATE sentra.invoice_line AS l SET invoice_id = balance WHERE l.invoice_id = whole AND l.kind <> 'PPN';
    WITH shares AS (
        SELECT x.booking_id, x.place, x.name,
               div(x.up_to * part, rent) - div((x.up_to - x.amount) * part, rent) AS share
        FROM (SELECT l.booking_id, min(k.line_no) AS place, min(s.name) AS name, sum(l.amount) AS amount,
                     sum(sum(l.amount)) OVER (ORDER BY min(k.line_no)) AS up_to
              FROM sentra.invoice_line AS l
              JOIN sentra.booking AS k ON k.id = l.booking_id JOIN sentra.sku AS s ON s.id = k.sku_id
              WHERE l.invoice_id = balance AND l.taxable GROUP BY l.booking_id) AS x
    )
    INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity, unit_price, amount,
        taxable)
    SELECT v.paper, 1000 + s.place, was.branch_id, s.booking_id, 'DOWN_PAYMENT', s.name, 1, v.sign * s.share,
           v.sign * s.share, true
    FROM shares AS s CROSS JOIN (VALUES (whole, 1), (balance, -1)) AS v (paper, sign)
    WHERE s.share <> 0;
    IF has_top THEN
        INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, kind, text, quantity, unit_price, amount, taxable)
        VALUES (balance, 2000, was.branch_id, 'PPN', 'PPN', 1, 0, 0, false);
    END IF;
    UPDATE sentra.invoice AS i SET kind = 'DOWN_PAYMENT' WHERE i.id = whole;
    PERFORM sentra.price_invoice(whole, b);
    PERFORM sentra.price_invoice(balance, b);
    IF (SELECT i.total FROM sentra.invoice AS i WHERE i.id = balance) = 0 THEN
        PERFORM sentra.void_invoice(balance);
    END IF;
END $$;

-- As before; and a balance is not settled while its bookings wait for their down payment: they could still expire.
CREATE OR REPLACE FUNCTION sentra.check_lock_question(wanted uuid, token text, counter text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF wanted IS NULL THEN
        PERFORM sentra.invalid('invoice_id', 'missing');
    END IF;
    IF token IS NULL OR length(token) NOT BETWEEN 32 AND 200 THEN
        PERFORM sentra.invalid('token', CASE WHEN token IS NULL THEN 'missing' WHEN length(token) < 32 THEN 'too_short'
                                             ELSE 'too_long' END);
    END IF;
    PERFORM sentra.check_counter(counter);
    IF EXISTS (SELECT FROM sentra.invoice AS i WHERE i.id = wanted AND i.branch_id = sentra.my_branch()) THEN
        PERFORM sentra.refuse_before_down_payment(wanted);
    END IF;
END $$;

CREATE FUNCTION sentra.refuse_before_down_payment(wanted uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (SELECT FROM sentra.invoice AS i JOIN sentra.booking AS b ON b.order_id = i.order_id
               WHERE i.id = wanted AND i.kind = 'BALANCE' AND i.state = 'OPEN' AND b.state = 'PENDING_PAYMENT') THEN
        PERFORM sentra.refuse('BOOKING_STATE', jsonb_build_object('field', 'invoice_id', 'invoice_id', wanted,
            'reason', 'down_payment_first', 'state', 'PENDING_PAYMENT', 'action', 'settle'));
    END IF;
END $$;

-- As before; and whoever inserts, no balance is paid before its down payment.
CREATE OR REPLACE FUNCTION sentra.payment_guard() RETURNS trigger SECURITY DEFINER SET search_path = sentra, pg_temp
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
    PERFORM sentra.refuse_before_down_payment(NEW.invoice_id);
    IF NEW.amount IS DISTINCT FROM owed.total - owed.paid THEN
        PERFORM sentra.refuse('AMOUNT_MISMATCH',
            jsonb_build_object('field', 'tenders.amount', 'due', owed.total - owed.paid));
    END IF;
    RETURN NEW;
END $$;

-- What stays of an unpaid order, by the settings and the rate that its invoice was made by. Of a down payment and its
-- balance each asks for what is left of it: the share of the booking that goes was its own.
CREATE OR REPLACE FUNCTION sentra.reprice(wanted uuid, left_out uuid, priced jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taxable  bigint;
    b        sentra.branch;
    was      sentra.invoice;
    computed record;
BEGIN
    SELECT * INTO STRICT was FROM sentra.invoice AS i WHERE i.id = wanted;
    IF was.kind IN ('DOWN_PAYMENT', 'BALANCE') THEN
        PERFORM sentra.drop_open_papers(k) FROM sentra.booking AS k WHERE k.id = left_out;
        RETURN;
    END IF;
    b := sentra.branch_of(was);
    UPDATE sentra.invoice_line AS l SET active = false WHERE l.invoice_id = wanted AND l.booking_id = left_out;
    SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) INTO taxable
    FROM sentra.invoice_line AS l WHERE l.invoice_id = wanted AND l.active;
    IF (priced ->> 'taxable')::bigint IS DISTINCT FROM taxable THEN
        RAISE EXCEPTION 'the order changed while its rest was priced' USING ERRCODE = 'serialization_failure';
    END IF;
    computed := sentra.priced(b, taxable, (was.created_at AT TIME ZONE b.zone)::date);
    IF (computed.base, computed.dpp, computed.ppn) IS DISTINCT FROM
       ((priced ->> 'base')::bigint, (priced ->> 'dpp')::bigint, (priced ->> 'ppn')::bigint) THEN
        PERFORM sentra.refuse('PRICE_CHANGED', jsonb_build_object('invoice_id', wanted));
    END IF;
    PERFORM sentra.price_invoice(wanted, b);
END $$;

-- Invoices with rent of a booking, as the domain prices a change of it: open ones first, then the newest settled. Rent is
-- all that is taxable of it: extras, the discount and a down payment's part are in it. What an unpaid order costs more or
-- less the balance takes where there is one, also one of deposits alone. Rent that was given back with the end of another booking stays as it is.
CREATE OR REPLACE FUNCTION sentra.papers_of(held sentra.booking) RETURNS TABLE (invoice_id uuid, kind text, is_open boolean,
    made_on date, ppn_place text, taxable bigint, rent bigint, given_back bigint, given_back_here bigint, due bigint,
    all_due bigint, due_amount bigint, paid_back bigint, settled_at timestamptz) STABLE LANGUAGE sql AS $$
    SELECT i.id, i.kind, i.state = 'OPEN', (i.created_at AT TIME ZONE b.zone)::date, sentra.ppn_place_of(i),
           rents.taxable, rents.rent, back.given_back, back.given_back_here, back.due, back.all_due, back.due_amount,
           back.paid_back, i.settled_at
    FROM sentra.invoice AS i JOIN sentra.branch AS b ON b.id = i.branch_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint AS taxable,
               coalesce(sum(l.amount) FILTER (WHERE l.taxable AND l.booking_id = held.id),
                        CASE WHEN i.kind = 'BALANCE' AND bool_or(l.booking_id = held.id) THEN 0 END)::bigint AS rent
        FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.active) AS rents
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable) FILTER (WHERE r.kind IN ('RESCHEDULE', 'RENT')), 0)::bigint AS given_back,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id), 0)::bigint AS given_back_here,
               coalesce(sum(r.taxable) FILTER (WHERE r.booking_id = held.id AND r.state = 'DUE'
                                               AND r.kind = 'RESCHEDULE'), 0)::bigint AS due,
               coalesce(sum(r.taxable) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint AS all_due,
               coalesce(sum(r.amount) FILTER (WHERE r.state = 'DUE' AND r.kind = 'RESCHEDULE'), 0)::bigint
                   AS due_amount,
               coalesce(sum(r.amount) FILTER (WHERE sentra.stays(r)), 0)::bigint AS paid_back
        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.order_id = held.order_id AND rents.rent IS NOT NULL
      AND (i.state = 'PAID' OR (i.state = 'OPEN' AND CASE
               WHEN held.state <> 'PENDING_PAYMENT' THEN i.kind = 'BALANCE'
               WHEN i.kind = 'DOWN_PAYMENT' THEN NOT EXISTS (
                   SELECT FROM sentra.invoice AS x
                   WHERE x.order_id = i.order_id AND x.kind = 'BALANCE' AND x.state = 'OPEN')
               ELSE i.kind IN ('RENTAL', 'BALANCE') END))
    ORDER BY i.state = 'OPEN' DESC, i.settled_at DESC, i.id
$$;

-- What all refunds of changes that are due of a settled invoice amount to, each one written anew: together with those paid
-- back, and with rent given back by the end of a booking, they are the invoice's price with and without that rent,
-- whichever changes led there.
CREATE OR REPLACE FUNCTION sentra.price_refunds(paper record) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    b     sentra.branch;
    due   record;
    given bigint;
    told  bigint := paper.paid_back;
    worth bigint;
BEGIN
    SELECT x.* INTO STRICT b FROM sentra.invoice AS i CROSS JOIN LATERAL sentra.branch_of(i) AS x
    WHERE i.id = paper.invoice_id;
    SELECT coalesce(sum(r.taxable), 0) INTO given FROM sentra.refund AS r
    WHERE r.invoice_id = paper.invoice_id AND sentra.stays(r);
    FOR due IN SELECT r.id, r.taxable FROM sentra.refund AS r
               WHERE r.invoice_id = paper.invoice_id AND r.state = 'DUE' AND r.kind = 'RESCHEDULE' ORDER BY r.booking_id LOOP
        given := given + due.taxable;
        worth := sentra.payable(b, paper.taxable, paper.made_on) - sentra.payable(b, paper.taxable - given, paper.made_on);
        UPDATE sentra.refund AS r SET amount = worth - told WHERE r.id = due.id AND r.amount <> worth - told;
        told := worth;
    END LOOP;
    RETURN told - paper.paid_back;
END $$;
