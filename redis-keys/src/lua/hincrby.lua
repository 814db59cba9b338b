-- HINCRBY within a range and up to a maximum number of fields.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the maximum number of fields
-- ARGV[3]  the field
-- ARGV[4]  the step
-- ARGV[5]  the step back
-- ARGV[6]  the lowest number
-- ARGV[7]  the highest number
-- Reply    the new number, as text beyond 2^53; nil if it would leave the range; or, in a list, the number of fields
--          that would exceed the maximum. Nothing changes but in the first case.

local left = redis.call('PTTL', KEYS[1])
local function outside(number)
  return number < tonumber(ARGV[6]) or number > tonumber(ARGV[7])
end

local before = redis.pcall('HGET', KEYS[1], ARGV[3])
if type(before) == 'table' then
  return before
end
if not before then
  local size = redis.call('HLEN', KEYS[1]) + 1
  if size > tonumber(ARGV[2]) then
    return { size }
  end
  if outside(tonumber(ARGV[4])) then
    return false
  end
end

local done = redis.pcall('HINCRBY', KEYS[1], ARGV[3], ARGV[4])
if type(done) == 'table' then
  if string.find(done.err, 'would overflow') then
    return false
  end
  if string.find(done.err, 'not an integer') and string.find(before, '^[1-9]%d+$') then
    return false
  end
  return done
end
if outside(done) then
  redis.call('HINCRBY', KEYS[1], ARGV[3], ARGV[5])
  return false
end
if done <= -9007199254740992 or done >= 9007199254740992 then
  done = redis.pcall('HGET', KEYS[1], ARGV[3])
end

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
