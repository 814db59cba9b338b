-- HINCRBYFLOAT within a range and up to a maximum number of fields.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the maximum number of fields
-- ARGV[3]  the field
-- ARGV[4]  the step
-- ARGV[5]  the highest absolute value
-- Reply    the new number as text; nil if it would leave the range; or, in a list, the number of fields that would
--          exceed the maximum. Nothing changes but in the first case.

local left = redis.call('PTTL', KEYS[1])
local before = redis.pcall('HGET', KEYS[1], ARGV[3])
if type(before) == 'table' then
  return before
end
if not before then
  local size = redis.call('HLEN', KEYS[1]) + 1
  if size > tonumber(ARGV[2]) then
    return { size }
  end
end
local from = tonumber(before or 0)
if from and math.abs(from + tonumber(ARGV[4])) > tonumber(ARGV[5]) then
  return false
end
local done = redis.pcall('HINCRBYFLOAT', KEYS[1], ARGV[3], ARGV[4])

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
