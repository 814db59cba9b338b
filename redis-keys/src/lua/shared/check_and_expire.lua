-- Returns an error in `done`; then starts the expiry as `finish.lua` does, and goes on.
if type(done) == 'table' and done.err then
  return done
end
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
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
