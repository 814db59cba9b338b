-- Gives up the lease of a cached key, so that others need not wait for its end.
--
-- The token stays, with others that were given up: their claims can still arrive, and get no lease then. Where the key holds a
-- value or the lease of another caller, it is that which a late claim finds.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  how long the token stays, in milliseconds
-- Reply    1, or 0 if the caller does not have the lease

local content = redis.pcall('GET', KEYS[1])
if type(content) == 'table' then
  return content
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
