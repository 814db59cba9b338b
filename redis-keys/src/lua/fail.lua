-- Returns the value of a cached key for a caller whose load has failed: one that is there by now, or one that has expired and
-- is kept for this case. If the caller has claimed the load or the refresh, the others get the expired value too, until one
-- of them tries again.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the time until one call tries again, in milliseconds
-- Reply    the value with its times before it, or nothing

local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
end
local start = content and content:sub(1, 2) == '\193r' and 31 or 0
if not content or content:sub(start + 1, start + 2) ~= '\193s' then
  return false
end
local left = redis.call('PTTL', KEYS[1])
if start > 0 and left >= 0 and content:sub(3, 18) == ARGV[1] then
  local expired_at = tonumber(content:sub(start + 3, start + 15)) or 0
  local retry_at = math.min(math.max(left - ARGV[2], 0), expired_at)
  redis.pcall('SETRANGE', KEYS[1], 46, string.format('%013.0f', retry_at))
end
return content:sub(start + 1)
