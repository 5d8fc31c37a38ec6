-- Counters tell the least down payment with the price, before anybody is asked for a word.
ALTER FUNCTION sentra.least_down_payment(text) SECURITY DEFINER SET search_path = sentra, pg_temp;
GRANT EXECUTE ON FUNCTION sentra.least_down_payment(text) TO {{agent}}, {{inspector}}, {{cashier}}, {{service}};
