-- Renames a key, unless there is one of the new name. One without an expiry gets the declared one first.
--
-- KEYS[1]  the key
-- KEYS[2]  its new name
-- ARGV[1]  its type
-- ARGV[2]  the time to live in milliseconds for a key without one; empty if it never expires
-- ARGV[3]  the time from which that counts, in milliseconds since 1970; empty if it counts from now
-- Reply    `done`; `gone` if there is no key; `already` if it has the new name; `both` if there is one of each name; or `type` if it
--          is not as planned

local found = redis.pcall('TYPE', KEYS[1])
local other = redis.pcall('TYPE', KEYS[2])
if found.err or other.err then
  return found.err and found or other
end
if found.ok == 'none' then
  return { other.ok == 'none' and 'gone' or 'already' }
end
if other.ok ~= 'none' then
  return { 'both' }
end
if found.ok ~= ARGV[1] then
  return { 'type' }
end
if ARGV[2] ~= '' then
  local left = redis.pcall('PTTL', KEYS[1])
  if left == -1 then
    local ttl = tonumber(ARGV[2])
    if ARGV[3] ~= '' then
      local now = redis.pcall('TIME')
      if now.err then
        return now
      end
      ttl = ttl + math.max(0, ARGV[3] - now[1] * 1000 - math.floor(now[2] / 1000))
    end
    left = redis.pcall('PEXPIRE', KEYS[1], string.format('%.0f', ttl))
  end
  if type(left) == 'table' then
    return left
  end
end
local renamed = redis.pcall('RENAME', KEYS[1], KEYS[2])
return renamed.err and renamed or { 'done' }
