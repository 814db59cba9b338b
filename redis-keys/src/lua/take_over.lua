-- Renames a key to the name in use, if it exists under its other name only. One without an expiry gets the declared one first.
--
-- KEYS[1]  the key under the name in use
-- KEYS[2]  the key under its other name
-- ARGV[1]  the expiry in milliseconds, empty if it never expires
-- ARGV[2]  the declared type
-- Reply    0 if there is no key, 1 if it has the name in use, 2 if it was renamed, 3 if there is one under each name

local here = redis.pcall('TYPE', KEYS[1])
local there = redis.pcall('TYPE', KEYS[2])
if here.err or there.err then
  return here.err and here or there
end
if there.ok == 'none' then
  return here.ok == 'none' and 0 or 1
end
if here.ok ~= 'none' then
  return 3
end
if there.ok ~= ARGV[2] then
  return redis.error_reply('WRONGTYPE Operation against a key holding the wrong kind of value')
end
if ARGV[1] ~= '' then
  local left = redis.pcall('PTTL', KEYS[2])
  if left == -1 then
    left = redis.pcall('PEXPIRE', KEYS[2], ARGV[1])
  end
  if type(left) == 'table' then
    return left
  end
end
local renamed = redis.pcall('RENAME', KEYS[2], KEYS[1])
return renamed.err and renamed or 2
