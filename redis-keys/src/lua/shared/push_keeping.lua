-- Pushes items, then removes the oldest ones. PUSH is the command; START and STOP are the positions to keep.
local left = redis.call('PTTL', KEYS[1])
local done = redis.pcall(PUSH, KEYS[1], unpack(ARGV, 3))
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
local trimmed = redis.pcall('LTRIM', KEYS[1], START, STOP)
return trimmed.err and trimmed or done
