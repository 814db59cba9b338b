-- Acquires a lock.
--
-- A held lock is `TOKEN FENCE`, a free one ` FENCE`: the last fence stays until the key expires. By then the clock of the
-- server has passed it, unless the clock was further behind it than the expiry. So each fence is larger than all before it.
-- After either, ` TOKEN` for each of the last 32 released tokens, of which a call may still arrive. Any other value is
-- that of another program, which has the lock until the key expires; so is a free lock whose fence is too large to be
-- counted exactly.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the expiry in milliseconds
-- Reply    the fence as text; how many milliseconds another caller has left; or -3 if the token was released

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return value
end
local token, fence, released = (value or ' 0'):match('^(%x*) (%d+)([%x ]*)$')
if not token or #released % 33 > 0 then
  return redis.call('PTTL', KEYS[1])
end
if released:find(ARGV[1], 1, true) then
  return -3
end
if token ~= ARGV[1] then
  if token ~= '' or tonumber(fence) >= 2 ^ 53 - 1 then
    return redis.call('PTTL', KEYS[1])
  end
  local time = redis.call('TIME')
  fence = string.format('%.0f', math.max(time[1] * 1000000 + time[2], fence + 1))
end
local done = redis.pcall('SET', KEYS[1], ARGV[1] .. ' ' .. fence .. released, 'PX', ARGV[2])
return done.err and done or fence
