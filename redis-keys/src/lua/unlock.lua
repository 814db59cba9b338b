-- Releases a lock. Its fence stays for the time of the expiry, so that the next one is larger. So do the last 32 tokens that were
-- released: a call of theirs that arrives later does not acquire the lock, which nobody would release.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the expiry in milliseconds
-- ARGV[3]  optional: `answered`, if no call of the token can arrive later
-- Reply    1, or 0 if the caller does not have the lock

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return value
end
local token, fence, released = (value or ' 0'):match('^(%x*) (%d+)([%x ]*)$')
local held = token == ARGV[1]
-- What another program has written stays as it is.
if not token or (token ~= '' and #token ~= #ARGV[1]) or #released % 33 > 0 then
  return 0
end
if not held and (ARGV[3] or released:find(ARGV[1], 1, true)) then
  return 0
end
if not ARGV[3] then
  released = ' ' .. ARGV[1] .. released:sub(1, 31 * 33)
end
local done
if held or token == '' then
  -- After a write that needs no memory, a server without any runs SET too.
  redis.pcall('PEXPIRE', KEYS[1], ARGV[2])
  done = redis.pcall('SET', KEYS[1], ' ' .. fence .. released, 'PX', ARGV[2])
else
  done = redis.pcall('SET', KEYS[1], token .. ' ' .. fence .. released, 'KEEPTTL')
end
return done.err and done or (held and 1 or 0)
