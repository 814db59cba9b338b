-- Pushes items unless the list would become longer than `ARGV[2]`. PUSH is the command.
local left = redis.call('PTTL', KEYS[1])
local size = redis.pcall('LLEN', KEYS[1])
if type(size) == 'table' then
  return size
end
local more = #ARGV - 2
if more > ARGV[2] - size then
  return -(size + more)
end
local done = redis.pcall(PUSH, KEYS[1], unpack(ARGV, 3))
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
