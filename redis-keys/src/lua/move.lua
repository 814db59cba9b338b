-- LMOVE between two lists, up to a maximum length of the destination.
--
-- KEYS[1]  the destination
-- KEYS[2]  the source
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the maximum length of the destination, or empty
-- ARGV[3]  the first position of the destination to keep, or empty
-- ARGV[4]  the last one, or empty
-- ARGV[5]  the end of the source: LEFT or RIGHT
-- ARGV[6]  the end of the destination
-- Reply    the item; nil if the source is empty; or, as an integer, the length that would exceed the maximum

local left = redis.call('PTTL', KEYS[1])
if ARGV[2] ~= '' and KEYS[1] ~= KEYS[2] then
  local size = redis.pcall('LLEN', KEYS[1])
  if type(size) == 'table' then
    return size
  end
  if size >= tonumber(ARGV[2]) then
    local from = redis.pcall('LLEN', KEYS[2])
    if type(from) == 'table' then
      return from
    end
    return from > 0 and size + 1
  end
end

-- Checks before there is a key whether this user may expire it: an item that was moved could not be moved back without
-- an expiry either.
if ARGV[1] ~= '' and left == -2 then
  local may = redis.pcall('PEXPIRE', KEYS[1], '1')
  if type(may) == 'table' then
    return may
  end
end

local done = redis.pcall('LMOVE', KEYS[2], KEYS[1], ARGV[5], ARGV[6])
if not done then
  return false
end

-- begin shared/check_and_expire.lua
if type(done) == 'table' and done.err then
  return done
end
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
end
-- end shared/check_and_expire.lua

if ARGV[3] ~= '' then
  local trimmed = redis.pcall('LTRIM', KEYS[1], ARGV[3], ARGV[4])
  return trimmed.err and trimmed or done
end
return done
