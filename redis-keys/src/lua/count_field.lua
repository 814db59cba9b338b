-- HINCRBY within a range, of one field of an existing record.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the expiry of the field in milliseconds, or empty
-- ARGV[3]  the step, which fits the type of the field: a new field is always in the range
-- ARGV[4]  the step back
-- ARGV[5]  the lowest number
-- ARGV[6]  the highest number
-- ARGV[7]  the field
-- Reply    the new number, as text beyond 2^53; nil if it would leave the range; an empty list if there is no record; a
--          list of one element if the field holds no number. Nothing changes but in the first case.

local left = redis.call('PTTL', KEYS[1])
if left == -2 then
  return {}
end
local function outside(number)
  return number < tonumber(ARGV[5]) or number > tonumber(ARGV[6])
end

local before = redis.pcall('HGET', KEYS[1], ARGV[7])
if type(before) == 'table' then
  return before
end
if not before and ARGV[2] ~= '' then
  -- begin shared/check_field_expiry.lua
  -- TTL = ARGV[2]
  local may = redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, KEYS[1])
  if type(may) == 'table' and may.err then
    if string.find(may.err, '[Uu]nknown') then
      return redis.error_reply('ERR no expiry of fields')
    end
    return may
  end
  -- end shared/check_field_expiry.lua
end

local done = redis.pcall('HINCRBY', KEYS[1], ARGV[7], ARGV[3])
if type(done) == 'table' then
  if string.find(done.err, 'would overflow') then
    return false
  end
  if string.find(done.err, 'not an integer') then
    return not string.find(before, '^[1-9]%d+$') and { 0 }
  end
  return done
end
if outside(done) then
  redis.call('HINCRBY', KEYS[1], ARGV[7], ARGV[4])
  return false
end
if not before and ARGV[2] ~= '' then
  redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, ARGV[7])
end
if done <= -9007199254740992 or done >= 9007199254740992 then
  done = redis.pcall('HGET', KEYS[1], ARGV[7])
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
