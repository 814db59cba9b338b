-- Sets bits of a Bloom filter.
--
-- A filter of another declaration is replaced by an empty one that was never built: it would lack these items, and its
-- readers would take them for absent.
--
-- KEYS[1]  the filter
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the fingerprint: the first 8 bytes of the value
-- ARGV[3…] the numbers of the bits
-- Reply    OK

local found = redis.pcall('GETRANGE', KEYS[1], 0, 7)
if type(found) == 'table' then
  return found
end
local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[1], '%d+')
if found ~= ARGV[2] then
  local set = { 'SET', KEYS[1], ARGV[2] .. string.rep('\0', 8) }
  if expiry then
    set[4] = 'PX'
    set[5] = expiry
  end
  local made = redis.pcall(unpack(set))
  if made.err then
    return made
  end
end
for index = 3, #ARGV do
  local done = redis.pcall('SETBIT', KEYS[1], ARGV[index], 1)
  if type(done) == 'table' then
    return done
  end
end
if found == ARGV[2] and expiry and (left == -1 or expiry ~= ARGV[1]) then
  local started = redis.pcall('PEXPIRE', KEYS[1], expiry)
  if type(started) == 'table' then
    return started
  end
end
return { ok = 'OK' }
