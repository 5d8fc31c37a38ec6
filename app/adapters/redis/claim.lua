-- Take all days of a period for one unit, in the seed's keys and in the packed months, or nothing at all.
-- KEYS: epoch, claims, the unit's Redlock, then for each month the unit's key and the SKU's packed string.
-- ARGV: claim member, slot, lease in ms, channel, Redlock token ('' when it lives elsewhere) and its TTL in ms, then for
-- each month its name and the 4 bytes of wanted days.
-- Answers {1, epoch} taken, {0, epoch} not known here (ask PostgreSQL), {2, epoch, month number from 1, day of month}
-- already taken, {3, epoch} somebody else has the Redlock. The epoch is false while there is none.
local member, slot, lease, channel = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

local epoch = redis.pcall('GET', KEYS[1])
if type(epoch) ~= 'string' then epoch = false end
if ARGV[5] ~= '' then -- as in lock_take.lua
  local held = redis.pcall('GET', KEYS[3])
  if type(held) == 'string' and held ~= ARGV[5] then
    local left = redis.call('PTTL', KEYS[3])
    if left >= 0 and left <= tonumber(ARGV[6]) then return {3, epoch} end
  end
  redis.call('SET', KEYS[3], ARGV[5], 'PX', ARGV[6])
end
local registered = redis.pcall('ZSCORE', KEYS[2], member)
if type(registered) == 'table' then -- a stranger's value of another type
  redis.call('DEL', KEYS[2])
elseif registered then
  return {1, epoch} -- the same try again: its first answer was lost
end
if not epoch then return {0, epoch} end

local function number_of(raw) -- nil for a missing key, another length or another type
  if type(raw) ~= 'string' or #raw ~= 4 then return nil end
  return (struct.unpack('>I4', raw))
end

local months = (#KEYS - 3) / 2
local held, wanted = {}, {}
for m = 1, months do
  held[m] = number_of(redis.pcall('GET', KEYS[2 + 2 * m]))
  local packed = number_of(redis.pcall('GETRANGE', KEYS[3 + 2 * m], slot * 4, slot * 4 + 3))
  -- Two forms that disagree were changed by a stranger: trust neither, the projection mends both.
  if not held[m] or packed ~= held[m] + 1 then return {0, epoch} end
  wanted[m] = struct.unpack('>I4', ARGV[6 + 2 * m])
end

for m = 1, months do
  local clash = bit.band(held[m], wanted[m])
  for day = 1, 31 do
    if bit.band(clash, bit.lshift(1, 32 - day)) ~= 0 then return {2, epoch, m, day} end
  end
end

local masks = {}
for m = 1, months do -- one pass per kind of command, for the reason given in project.lua
  masks[m] = bit.bor(held[m], wanted[m]) % 4294967296
  redis.call('SET', KEYS[2 + 2 * m], struct.pack('>I4', masks[m]))
end
for m = 1, months do
  redis.call('SETRANGE', KEYS[3 + 2 * m], slot * 4, struct.pack('>I4', masks[m] + 1))
end
for m = 1, months do
  redis.call('PUBLISH', channel, ARGV[5 + 2 * m] .. ' ' .. ARGV[2] .. ' ' .. struct.pack('>I4', masks[m]))
end
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] * 1000 + math.floor(now[2] / 1000) + lease, member)
return {1, epoch}
