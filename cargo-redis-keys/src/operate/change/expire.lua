-- Gives an expiry to a key that has none.
--
-- KEYS[1]  the key
-- ARGV[1]  its type; `other` if a server module defines it
-- ARGV[2]  its time to live in milliseconds
-- ARGV[3]  how much of that has passed at most, if an earlier run has set it
-- ARGV[4]  the first bytes of its value; empty if any are right
-- ARGV[5]  the time from which its time to live counts, in milliseconds since 1970; empty if it counts from now
-- Reply    `done`; `already` if an earlier run has set it; `gone` if there is no key; or what is not as planned: `type` or `expiry`

local known = { string = true, hash = true, list = true, set = true, zset = true, stream = true }

local found = redis.pcall('TYPE', KEYS[1])
if found.err then
  return found
end
if found.ok == 'none' then
  return { 'gone' }
end
if (known[found.ok] and found.ok or 'other') ~= ARGV[1] then
  return { 'type' }
end
if ARGV[4] ~= '' then
  local start = redis.pcall('GETRANGE', KEYS[1], 0, #ARGV[4] - 1)
  if type(start) == 'table' then
    return start
  end
  if start ~= ARGV[4] then
    return { 'type' }
  end
end

local ttl = tonumber(ARGV[2])
if ARGV[5] ~= '' then
  local now = redis.pcall('TIME')
  if now.err then
    return now
  end
  ttl = ttl + math.max(0, ARGV[5] - now[1] * 1000 - math.floor(now[2] / 1000))
end
local left = redis.pcall('PTTL', KEYS[1])
if type(left) == 'table' then
  return left
end
if left >= 0 then
  local is_ours = left >= ttl - ARGV[3] and left <= ttl
  return { is_ours and 'already' or 'expiry' }
end
local started = redis.pcall('PEXPIRE', KEYS[1], string.format('%.0f', ttl))
return type(started) == 'table' and started or { 'done' }
