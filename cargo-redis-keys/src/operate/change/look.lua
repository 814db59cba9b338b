-- Looks at a key.
--
-- KEYS[1]  the key
-- ARGV[1]  `digest` if its value can be read without a use
-- Reply    its type; its time to live in milliseconds, -1 without expiry, -2 without key; its memory, -1 if it is unknown; its idle
--          time in seconds, -1 if it is unknown; the time of the server: the seconds and the microseconds; and the digest of its
--          value, empty without one

local found = redis.pcall('TYPE', KEYS[1])
if found.err then
  return found
end
local left = redis.pcall('PTTL', KEYS[1])
if type(left) == 'table' then
  return left
end
local memory = redis.pcall('MEMORY', 'USAGE', KEYS[1])
local idle = redis.pcall('OBJECT', 'IDLETIME', KEYS[1])
local now = redis.pcall('TIME')
if now.err then
  return now
end
local number = function(value)
  return type(value) == 'number' and value or -1
end
local value = ARGV[1] == 'digest' and digest(KEYS[1], found.ok) or ''
return { found.ok, left, number(memory), number(idle), tonumber(now[1]), tonumber(now[2]), value }
