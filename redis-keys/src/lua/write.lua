-- Runs a write of a collection that needs no limit.
--
-- KEYS[1]  the key
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the command
-- ARGV[3…] its arguments after the key
-- Reply    that of the command

local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall(ARGV[2], KEYS[1], unpack(ARGV, 3))

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
