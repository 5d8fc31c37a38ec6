-- Redlock on one node: set, or confirm the same token (a retry after a lost answer). KEYS: lock. ARGV: token, TTL in ms.
-- What is no lock, or would outlive any lock of ours, was put there by a stranger and holds nobody up.
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'string' and held ~= ARGV[1] then
  local left = redis.call('PTTL', KEYS[1])
  if left >= 0 and left <= tonumber(ARGV[2]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
