-- Write what PostgreSQL said of several units of one SKU: whole months, in the seed's keys and the packed strings.
-- KEYS: epoch, versions of the SKU, then the packed string of each month, then for each unit its key of each month.
-- ARGV: epoch read before PostgreSQL, channel, 'newer' or 'always', number of months, their names, then for each unit
-- its slot, its version and 4 bytes per month.
-- Answers how many units were applied: none under another epoch; a unit known at a newer version is left alone, unless
-- the rule is 'always'.
--
-- One pass per kind of command: Redis hands the argument objects of one call on to the next, and a SET stores the one
-- it was given with the room of its longest earlier use. Mixed passes cost 16 more bytes per key.
if redis.pcall('GET', KEYS[1]) ~= ARGV[1] then return 0 end

local versions, channel, always, months = KEYS[2], ARGV[2], ARGV[3] == 'always', tonumber(ARGV[4])
local function drop_unless(key, wanted) -- a stranger's value of another type must not stop the repair
  local found = redis.call('TYPE', key).ok
  if found ~= wanted and found ~= 'none' then redis.call('DEL', key) end
end
drop_unless(versions, 'hash')
for m = 1, months do drop_unless(KEYS[2 + m], 'string') end

local function mask(masks, m) return string.sub(masks, 4 * m - 3, 4 * m) end

local units, slots, masks_of = {}, {}, {} -- the applied ones
for unit = 0, (#ARGV - 4 - months) / 3 - 1 do
  local at = 4 + months + 3 * unit
  local slot, version = ARGV[at + 1], ARGV[at + 2]
  local stored = redis.call('HGET', versions, slot)
  if always or not stored or (tonumber(stored) or 0) <= tonumber(version) then
    units[#units + 1], slots[#slots + 1], masks_of[#masks_of + 1] = unit, slot, ARGV[at + 3]
    if stored ~= version then redis.call('HSET', versions, slot, version) end
  end
end

local changed = {} -- unit and month in one number, so that a rebuild makes little garbage
for n, unit in ipairs(units) do
  for m = 1, months do
    if redis.pcall('GET', KEYS[2 + months + unit * months + m]) ~= mask(masks_of[n], m) then
      changed[#changed + 1] = n * months + m - 1
    end
  end
end

for _, both in ipairs(changed) do
  local n, m = math.floor(both / months), both % months + 1
  local heard = redis.call('PUBLISH', channel, ARGV[4 + m] .. ' ' .. slots[n] .. ' ' .. mask(masks_of[n], m))
  if heard == 0 then break end -- nobody listens, and nobody can begin to while this runs
end

for n, slot in ipairs(slots) do
  for m = 1, months do
    local a, b, c, d = string.byte(masks_of[n], 4 * m - 3, 4 * m)
    local packed = string.char(a, b, c, d + 1) -- bit 31: known
    if redis.call('GETRANGE', KEYS[2 + m], slot * 4, slot * 4 + 3) ~= packed then
      redis.call('SETRANGE', KEYS[2 + m], slot * 4, packed)
    end
  end
end

for _, both in ipairs(changed) do
  local n, m = math.floor(both / months), both % months + 1
  redis.call('SET', KEYS[2 + months + units[n] * months + m], mask(masks_of[n], m))
end
return #units
