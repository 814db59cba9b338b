-- XGROUP CREATE, with a new stream if there is none.
--
-- KEYS[1]  the stream
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the group
-- ARGV[3]  the id after which it starts
-- Reply    1, or 0 if the group exists

local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[2], ARGV[3], 'MKSTREAM')
local new = 1
if done.err and string.find(done.err, 'BUSYGROUP') then
  done, new = 0, 0
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

return new
