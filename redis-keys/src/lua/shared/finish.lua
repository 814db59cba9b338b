-- Ends a write of a collection whose reply is `done`: starts the expiry of a key that is new or has none, and restarts
-- it where each write does. Most writes start no expiry; these return an error in `done` without a check for it.
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
  if type(done) == 'table' and done.err then
    return done
  end
  -- begin shared/start_expiry.lua
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
  -- end shared/start_expiry.lua
end
return done
