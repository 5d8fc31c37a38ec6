-- Plates as they are typed: without spaces and marks, and by their figures alone. Written once per unit: neither index
-- keeps an update of a unit's version from staying on its page.
CREATE INDEX unit_plate_plain ON sentra.unit ((lower(regexp_replace(plate, '[^A-Za-z0-9]', '', 'g')) COLLATE "C"));
CREATE INDEX unit_plate_figures ON sentra.unit ((regexp_replace(plate, '[^0-9]', '', 'g') COLLATE "C"));
