-- SET if the value has not changed since it was read.
--
-- KEYS[1]  the string
-- ARGV[1]  1 if there was a value, 0 if not
-- ARGV[2]  that value, or empty
-- ARGV[3]  the new value
-- ARGV[4]  the expiry in milliseconds; empty if the key never expires
-- Reply    1, or 0 if the value has changed

local now = redis.pcall('GET', KEYS[1])
if type(now) == 'table' then
  return now
end
if now ~= (ARGV[1] == '1' and ARGV[2]) then
  return 0
end
local set = { 'SET', KEYS[1], ARGV[3] }
if ARGV[4] ~= '' then
  set[4] = 'PX'
  set[5] = ARGV[4]
end
local done = redis.pcall(unpack(set))
return done.err and done or 1
