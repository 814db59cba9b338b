-- RPUSH that removes the oldest items beyond a length.
--
-- KEYS[1]  the list
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the position of the oldest item to keep
-- ARGV[3…] the items
-- Reply    the length before the oldest items are removed

-- begin shared/push_keeping.lua
-- PUSH = 'RPUSH'
-- START = ARGV[2]
-- STOP = '-1'
local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall('RPUSH', KEYS[1], unpack(ARGV, 3))
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
local trimmed = redis.pcall('LTRIM', KEYS[1], ARGV[2], '-1')
return trimmed.err and trimmed or done
-- end shared/push_keeping.lua
