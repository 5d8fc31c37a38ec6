-- Waitlist entries, maintenance blocks, recorded refusals, holidays.
SELECT 1;
