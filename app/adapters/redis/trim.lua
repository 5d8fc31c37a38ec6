-- Cut a packed month to the slots its SKU has ever given out; nothing else of it changes. KEYS: packed. ARGV: bytes.
local length = redis.pcall('STRLEN', KEYS[1])
if type(length) ~= 'number' or length <= tonumber(ARGV[1]) then return 0 end
if tonumber(ARGV[1]) == 0 then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1))
return 1
