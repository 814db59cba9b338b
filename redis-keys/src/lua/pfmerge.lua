-- PFMERGE.
--
-- KEYS[1]  the destination
-- KEYS[2…] the sources
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- Reply    that of PFMERGE

local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall('PFMERGE', unpack(KEYS))

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
