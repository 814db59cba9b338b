-- Claims the loading of a cached key that holds nothing: until the lease is over, others wait for the value.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the lease in milliseconds
-- ARGV[3]  optional: a content that cannot be read, which is replaced if it is still there
-- Reply    OK, or the content of the key if there is one

local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
end
local lease = '\193l' .. ARGV[1]
if content and content ~= lease and content ~= ARGV[3] then
  return content
end
return redis.pcall('SET', KEYS[1], lease, 'PX', ARGV[2])
