-- ZADD that removes the members with the lowest scores beyond a size.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the last rank to remove, negative
-- ARGV[3…] the options, then score and member of each
-- Reply    that of ZADD

local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall('ZADD', KEYS[1], unpack(ARGV, 3))

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

local trimmed = redis.pcall('ZREMRANGEBYRANK', KEYS[1], '0', ARGV[2])
return type(trimmed) == 'table' and trimmed or done
