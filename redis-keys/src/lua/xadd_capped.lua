-- XADD up to a maximum number of entries.
--
-- KEYS[1]  the stream
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the maximum number of entries
-- ARGV[3]  the id
-- ARGV[4…] field and value of each field
-- Reply    the id of the new entry; or, as an integer, the number of entries that would exceed the maximum

local left = redis.call('PTTL', KEYS[1])
local size = redis.pcall('XLEN', KEYS[1])
if type(size) == 'table' then
  return size
end
if size >= tonumber(ARGV[2]) then
  return size + 1
end
local done = redis.pcall('XADD', KEYS[1], unpack(ARGV, 3))

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
