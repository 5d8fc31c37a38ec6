-- Take members off the claim register; a register of another type goes whole. KEYS: claims. ARGV: members.
local gone = redis.pcall('ZREM', KEYS[1], unpack(ARGV))
if type(gone) == 'table' then return redis.call('DEL', KEYS[1]) end
return gone
