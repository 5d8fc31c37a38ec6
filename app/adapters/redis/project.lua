-- Write what PostgreSQL said of several units of one SKU: whole months, in the seed's keys and the packed strings.
-- KEYS: epoch, versions of the SKU, then the packed string of each month, then for each unit its key of each month.
-- ARGV: epoch read before PostgreSQL, channel, number of months, their names, then for each unit its slot, its version
-- and 4 bytes per month.
-- Answers how many units were applied: none under another epoch; a unit known at a newer version is left alone.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end

local versions, channel, months = KEYS[2], ARGV[2], tonumber(ARGV[3])
local function drop_unless(key, wanted) -- a stranger's value of another type must not stop the repair
  local found = redis.call('TYPE', key).ok
  if found ~= wanted and found ~= 'none' then redis.call('DEL', key) end
end
drop_unless(versions, 'hash')
for m = 1, months do drop_unless(KEYS[2 + m], 'string') end

local applied = 0
for unit = 0, (#ARGV - 3 - months) / 3 - 1 do
  local at = 3 + months + 3 * unit
  local slot, version, masks = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local stored = redis.call('HGET', versions, slot)
  if not stored or (tonumber(stored) or 0) <= tonumber(version) then
    applied = applied + 1
    if stored ~= version then redis.call('HSET', versions, slot, version) end
    for m = 1, months do
      local raw = string.sub(masks, 4 * m - 3, 4 * m)
      local key = KEYS[2 + months + unit * months + m]
      if redis.pcall('GET', key) ~= raw then
        redis.call('SET', key, raw)
        redis.call('PUBLISH', channel, ARGV[3 + m] .. ' ' .. slot .. ' ' .. raw)
      end
      local packed = string.sub(raw, 1, 3) .. string.char(string.byte(raw, 4) + 1) -- bit 31: known
      if redis.call('GETRANGE', KEYS[2 + m], slot * 4, slot * 4 + 3) ~= packed then
        redis.call('SETRANGE', KEYS[2 + m], slot * 4, packed)
      end
    end
  end
end
return applied
