-- HSET up to a maximum number of fields.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the maximum number of fields
-- ARGV[3…] field and value of each
-- Reply    the number of new fields; or the number that would exceed the maximum, negated

local left = redis.call('PTTL', KEYS[1])

-- begin shared/check_capacity.lua
-- SIZE = 'HLEN'
-- FIRST = 3
-- WIDTH = 2
-- MEMBER = 0
-- IS_NEW = redis.call('HEXISTS', KEYS[1], member) == 0
local size = redis.pcall('HLEN', KEYS[1])
if type(size) == 'table' then
  return size
end
local first = 3
if (#ARGV - first + 1) / 2 > ARGV[2] - size then
  local seen, before = {}, size
  for i = first + 0, #ARGV, 2 do
    local member = ARGV[i]
    if not seen[member] and redis.call('HEXISTS', KEYS[1], member) == 0 then
      size = size + 1
    end
    seen[member] = true
  end
  if size > before and size > tonumber(ARGV[2]) then
    return -size
  end
end
-- end shared/check_capacity.lua

local done = redis.pcall('HSET', KEYS[1], unpack(ARGV, 3))

-- begin shared/finish.lua
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
  if type(done) == 'table' and done.err then
    return done
  end
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
end
return done
-- end shared/finish.lua
