-- Claims the loading of a cached key that holds nothing: until the lease ends, others wait for the value.
--
-- A token that was given up gets no lease: its claim has arrived late, and nothing would end the lease. A lease that never
-- expires, which another program has written, gets an expiry.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the lease in milliseconds
-- ARGV[3]  optional: a content that cannot be read, which is replaced if it is still there
-- Reply    OK, or the content of the key if there is one, or the lease of a token that was given up

local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
end
local lease = '\193l' .. ARGV[1]
local kind = content and content:sub(1, 2)
if kind == '\193a' then
  if content:find(ARGV[1], 3, true) then
    return lease
  end
elseif content and content ~= lease and content ~= ARGV[3] then
  if kind == '\193l' and redis.pcall('PTTL', KEYS[1]) == -1 then
    redis.pcall('PEXPIRE', KEYS[1], ARGV[2])
  end
  return content
end
return redis.pcall('SET', KEYS[1], lease, 'PX', ARGV[2])
