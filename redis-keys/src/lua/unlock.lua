-- Releases a lock. Its fence stays for the time that is left, so that the next one is larger.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- Reply    1, or 0 if the caller does not have the lock

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return value
end
if not value or value:sub(1, 33) ~= ARGV[1] .. ' ' then
  return 0
end
local left = redis.call('PTTL', KEYS[1])
if left < 1 then
  return redis.pcall('DEL', KEYS[1])
end
local done = redis.pcall('SET', KEYS[1], value:sub(33), 'PX', left)
return done.err and done or 1
