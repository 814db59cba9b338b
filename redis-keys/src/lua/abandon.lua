-- Gives up the lease of a cached key, so that others need not wait for its end.
--
-- The token stays, with others that were given up: their claims can still arrive, and get no lease then. Where the key holds a
-- value or the lease of another caller, it is that which a late claim finds. With a value that has expired, one token stays.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  how long the token stays, in milliseconds
-- Reply    1, or 0 if the caller does not have the lease

local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
end
local start = content and content:sub(1, 2) == '\193r' and 31 or 0
if content and content:sub(start + 1, start + 2) == '\193s' then
  local left = redis.call('PTTL', KEYS[1])
  local fresh = left - (tonumber(content:sub(start + 3, start + 15)) or 0)
  local is_mine = start > 0 and content:sub(3, 18) == ARGV[1]
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local deadline = start > 0 and tonumber(content:sub(19, 31)) or 0
  if left < 0 or fresh > 0 then
    -- The claim of a refresh stays until the value expires.
    if is_mine and left > 0 and deadline > now + fresh then
      redis.pcall('SETRANGE', KEYS[1], 18, string.format('%013.0f', now + fresh))
    end
    return 0
  elseif not is_mine and deadline > now then
    return 0
  end
  -- A deadline of 0 tells a claim with this token that is still to come that it was given up.
  local head = '\193r' .. ARGV[1] .. '0000000000000'
  local done = redis.pcall('SET', KEYS[1], head .. content:sub(start + 1), 'KEEPTTL')
  return done.err and done or is_mine and 1 or 0
end
local is_mine = content == '\193l' .. ARGV[1]
local others = ''
if content and not is_mine then
  if content:sub(1, 2) ~= '\193a' then
    return 0
  end
  -- At most 31 of them.
  others = content:sub(3, 498)
end
local done = redis.pcall('SET', KEYS[1], '\193a' .. ARGV[1] .. others, 'PX', ARGV[2])
if done.err and is_mine then
  return redis.pcall('DEL', KEYS[1])
end
return is_mine and 1 or 0
