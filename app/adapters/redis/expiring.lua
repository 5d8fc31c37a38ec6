-- Which of these keys would end by themselves: their numbers from 1. Nothing of the index may. KEYS: any.
local found = {}
for n, key in ipairs(KEYS) do
  if redis.call('PTTL', key) >= 0 then found[#found + 1] = n end
end
return found
