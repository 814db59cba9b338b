-- Takes from a rate limit, if it allows as many: the generic cell rate algorithm, by the server's clock.
--
-- KEYS[1]  the string
-- ARGV[1]  how long it takes until what is taken is allowed again, in microseconds
-- ARGV[2]  the same of a whole burst
-- ARGV[3]  optional: into how many parts a microsecond is divided, where these times are no whole number of them
-- ARGV[4]  the parts of the first time beyond its microseconds
-- ARGV[5]  the parts of the second one
-- Reply    the microseconds until it is allowed, positive if it is not; those until a whole burst is allowed again, and the
--          parts beyond them; or the length of a value that is no time, whose key then expires after the time of a burst
--
-- The key holds the time at which a whole burst is allowed again, in microseconds since 1970: 1767225600333333, or
-- 1767225600333333+1/3. All numbers are below 2^53, so that they are exact.

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return value
end
local cost, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local parts, cost_part, burst_part = tonumber(ARGV[3]) or 1, tonumber(ARGV[4]) or 0, tonumber(ARGV[5]) or 0
local full, part, of = string.match(value or '0', '^(%d+)%+?(%d*)/?(%d*)$')
if not full then
  local left, ms = redis.call('PTTL', KEYS[1]), math.max(1, math.ceil(burst / 1000))
  if left < 0 or left > ms then
    redis.pcall('PEXPIRE', KEYS[1], ms)
  end
  return #value
end
full, part = tonumber(full), tonumber(part) or 0
if part >= parts or (part > 0 and of ~= ARGV[3]) then
  -- Parts of another limit, which was declared before.
  full, part = full + 1, 0
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if full < now then
  full, part = now, 0
end
-- Later than after a whole burst: the clock was set back, or the burst was longer before.
local last = now + burst
local is_late = full > last or (full == last and part > burst_part)
if is_late then
  full, part = last, burst_part
end

local after, after_part = full + cost, part + cost_part
if after_part >= parts then
  after, after_part = after + 1, after_part - parts
end
local wait = after - last
if after_part > burst_part then
  wait = wait + 1
end
local takes = wait <= 0 and cost + cost_part > 0
if takes then
  full, part = after, after_part
end
if takes or is_late then
  local text = string.format('%.0f', full)
  if part > 0 then
    text = text .. '+' .. part .. '/' .. parts
  end
  -- PXAT, since the clock can move on between TIME and SET.
  local ms = math.ceil((full + (part > 0 and 1 or 0)) / 1000)
  local done = redis.pcall('SET', KEYS[1], text, 'PXAT', string.format('%.0f', ms))
  if done.err then
    return done
  end
end
return { wait, full - now, part }
