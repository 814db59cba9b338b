-- Looks at a key.
--
-- KEYS[1]  the key
-- Reply    its type; its time to live in milliseconds, -1 without expiry, -2 without key; its memory, -1 if it is unknown; and when
--          it was used last, in Unix seconds, -1 if it is unknown

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
local is_known = type(idle) == 'number' and not now.err
return { found.ok, left, type(memory) == 'number' and memory or -1, is_known and now[1] - idle or -1 }
