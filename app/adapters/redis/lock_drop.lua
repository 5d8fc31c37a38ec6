-- Redlock on one node: remove the lock only if it carries this token. KEYS: lock. ARGV: token.
if redis.pcall('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
