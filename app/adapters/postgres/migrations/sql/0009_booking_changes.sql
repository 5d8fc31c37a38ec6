-- Reschedule, swap, extend, shorten: changes of a booking that stands.
SELECT 1;
