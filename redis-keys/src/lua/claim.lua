-- Claims the loading of a cached key that holds nothing: until the lease ends, others wait for the value.
--
-- A token that was given up gets no lease: its claim has arrived late, and nothing would end the lease. A lease that never
-- expires, which another program has written, gets an expiry.
--
-- A value that has expired, and is kept in case its loader fails, is kept under the claim, unless the key itself expires
-- before the lease ends.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the lease in milliseconds
-- ARGV[3]  optional: a content that cannot be read, which is replaced if it is still there
-- Reply    OK, or the content of the key if there is one, or the lease of a token that was given up. Only a value that has
--          expired, and is returned since its loader fails, has its times before it

local lease = '\193l' .. ARGV[1]
local claimed = redis.pcall('SET', KEYS[1], lease, 'NX', 'PX', ARGV[2])
if claimed and claimed.ok then
  return claimed
end
local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
elseif not content then
  return claimed
end
local kind = content:sub(1, 2)
if kind == '\193a' then
  if content:find(ARGV[1], 3, true) then
    return lease
  end
elseif content ~= lease and content ~= ARGV[3] then
  local start = kind == '\193r' and 31 or 0
  local times = content:sub(start + 1, start + 28):match('^\193s(%d+)$')
  if times and #times == 26 then
    local expired_at, retry_at = tonumber(times:sub(1, 13)), tonumber(times:sub(14))
    local left = redis.call('PTTL', KEYS[1])
    if left < 0 or left > expired_at then
      return content:sub(start + 29)
    elseif left > retry_at then
      return content:sub(start + 1)
    end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    if start > 0 then
      local token, deadline = content:sub(3, 18), tonumber(content:sub(19, 31)) or 0
      if token == ARGV[1] and deadline == 0 then
        return lease
      elseif token ~= ARGV[1] and deadline > now then
        return '\193l' .. token
      end
    end
    local rest = left - ARGV[2]
    if rest > 0 then
      -- If its loader has failed before, others need not wait for this call.
      local retry = retry_at < expired_at and rest or retry_at
      local head = '\193r' .. ARGV[1] .. string.format('%013.0f\193s%013.0f%013.0f', now + ARGV[2], expired_at, retry)
      return redis.pcall('SET', KEYS[1], head .. content:sub(start + 29), 'KEEPTTL')
    end
    return redis.pcall('SET', KEYS[1], lease, 'PX', ARGV[2])
  end
  if kind == '\193l' and redis.pcall('PTTL', KEYS[1]) == -1 then
    redis.pcall('PEXPIRE', KEYS[1], ARGV[2])
  end
  return content
end
return redis.pcall('SET', KEYS[1], lease, 'PX', ARGV[2])
