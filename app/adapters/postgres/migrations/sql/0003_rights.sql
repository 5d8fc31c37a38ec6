-- Who may read what. Nobody writes a table by hand: every write is a definer function of a later migration.

GRANT USAGE ON SCHEMA sentra TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}}, {{staff_admin}};
GRANT EXECUTE ON FUNCTION sentra.now(), sentra.has_role(text), sentra.me(), sentra.my_branch(), sentra.my_counter(),
    sentra.is_clean(text), sentra.is_note(text), sentra.single_spaced(text), sentra.folded(text), sentra.name_fault(text),
    sentra.is_sane(daterange), sentra.is_sane(timestamptz)
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}}, {{backup}}, {{staff_admin}};

-- No personal data: readable by all of us in all branches, without policies that would switch indexes off.
GRANT SELECT ON sentra.schema_version, sentra.branch, sentra.sku, sentra.unit, sentra.occupancy, sentra.maintenance,
    sentra.transition, sentra.ppn_rate
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};

-- Customers belong to the installation.
GRANT SELECT ON sentra.customer, sentra.customer_word TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};

-- Per branch. A lock's token is the proof of holding it: nobody reads it.
GRANT SELECT (login, role_name, name, branch_id, active) ON sentra.staff
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.booking, sentra.booking_order, sentra.invoice_line
    TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT (id, number, order_id, branch_id, customer_id, kind, state, base, dpp, ppn, total, paid, issued_on,
    settled_at, voided_at, locked_by, locked_until, locked_at, locked_counter, lock_epoch, created_at, created_by)
    ON sentra.invoice TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.payment, sentra.tender TO {{agent}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.refund, sentra.shift, sentra.late_money TO {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.waitlist_entry, sentra.freed_stretch TO {{agent}}, {{cashier}}, {{manager}}, {{service}};
GRANT SELECT ON sentra.audit, sentra.approval TO {{manager}}, {{service}};
GRANT SELECT ON sentra.setting TO {{agent}}, {{inspector}}, {{cashier}}, {{manager}}, {{service}};

-- The service alone.
GRANT SELECT ON sentra.outbox, sentra.offer, sentra.gateway_event, sentra.number_counter TO {{service}};

GRANT SELECT ON ALL TABLES IN SCHEMA sentra TO {{backup}};
GRANT SELECT ON ALL SEQUENCES IN SCHEMA sentra TO {{backup}};

DO $$
DECLARE
    branched text;
BEGIN
    FOREACH branched IN ARRAY ARRAY['staff', 'booking', 'booking_order', 'invoice', 'invoice_line', 'payment', 'tender',
        'refund', 'shift', 'late_money', 'waitlist_entry', 'freed_stretch', 'offer', 'audit', 'approval',
        'number_counter'] LOOP
        EXECUTE format('ALTER TABLE sentra.%I ENABLE ROW LEVEL SECURITY', branched);
        EXECUTE format('CREATE POLICY own_branch ON sentra.%I FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
            USING (branch_id = (SELECT sentra.my_branch()))', branched);
        EXECUTE format('CREATE POLICY every_branch ON sentra.%I FOR SELECT TO {{service}} USING (true)', branched);
    END LOOP;
END $$;
ALTER TABLE sentra.setting ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_branch ON sentra.setting FOR SELECT TO {{agent}}, {{inspector}}, {{cashier}}
    USING (branch_id IS NULL OR branch_id = (SELECT sentra.my_branch()));
CREATE POLICY every_branch ON sentra.setting FOR SELECT TO {{service}} USING (true);
ALTER TABLE sentra.outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_branch ON sentra.outbox FOR SELECT TO {{service}} USING (true);
ALTER TABLE sentra.gateway_event ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_branch ON sentra.gateway_event FOR SELECT TO {{service}} USING (true);
