-- The epoch, set where there is none or something that is none of ours. KEYS: epoch. ARGV: a new one.
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'string' and string.find(held, '^[%w_.-]+$') then return held end
redis.call('SET', KEYS[1], ARGV[1]) -- whatever type stood there
return ARGV[1]
