-- Remove one unit from the index; its version stays, so that a projection read earlier cannot bring it back.
-- KEYS: versions of the SKU, then for each month the unit's key and the SKU's packed string. ARGV: slot, version.
local slot, version = ARGV[1], ARGV[2]
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then redis.call('DEL', KEYS[1]) end
local stored = redis.call('HGET', KEYS[1], slot)
if stored and (tonumber(stored) or 0) > tonumber(version) then return 0 end
redis.call('HSET', KEYS[1], slot, version)
for m = 1, (#KEYS - 1) / 2 do
  redis.call('DEL', KEYS[2 * m])
  local length = redis.pcall('STRLEN', KEYS[2 * m + 1])
  if type(length) == 'number' and length >= slot * 4 + 4 then
    redis.call('SETRANGE', KEYS[2 * m + 1], slot * 4, '\0\0\0\0')
  end
end
return 1
