-- APPEND up to a maximum size.
--
-- KEYS[1]  the string
-- ARGV[1]  the bytes
-- ARGV[2]  the maximum size in bytes
-- ARGV[3]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- Reply    the new size; or the size that would exceed the maximum, negated

local before = redis.pcall('STRLEN', KEYS[1])
if type(before) == 'table' then
  return before
end
local after = before + #ARGV[1]
if after > tonumber(ARGV[2]) then
  return -after
end

local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[3], '%d+')
if left == -2 and expiry then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', expiry)
  return made.err and made or after
end
if expiry and (left == -1 or expiry ~= ARGV[3]) then
  -- Appends nothing first, as a check: a server that is out of memory refuses the first write of a script.
  for _, first in ipairs({ { 'APPEND', KEYS[1], '' }, { 'PEXPIRE', KEYS[1], expiry } }) do
    local done = redis.pcall(unpack(first))
    if type(done) == 'table' then
      return done
    end
  end
end
return redis.pcall('APPEND', KEYS[1], ARGV[1])
