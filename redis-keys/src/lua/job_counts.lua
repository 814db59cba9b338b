-- Counts the jobs of a queue.
--
-- KEYS[1]  the sorted set
-- Reply    how many are due, how many later, and how many are dead

local time = redis.call('TIME')
local due = string.format('%.0f', (time[1] * 1000 + math.floor(time[2] / 1000)) * 64 + 63)
local size = redis.pcall('ZCARD', KEYS[1])
if type(size) == 'table' then
  return size
end
local ready = redis.call('ZCOUNT', KEYS[1], '-inf', due)
local dead = redis.call('ZCOUNT', KEYS[1], '4503599627370496', '+inf')
return { ready, size - ready - dead, dead }
