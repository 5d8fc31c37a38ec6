-- What the engine keeps about claims, drift and outside effects.
SELECT 1;
