-- Redlock on one node: set, or confirm the same token (a retry after a lost answer). KEYS: lock. ARGV: token, TTL in ms.
local held = redis.pcall('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
