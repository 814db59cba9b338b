-- Gives up the lease of a cached key, so that others need not wait for its end.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- Reply    1, or 0 if the caller does not have the lease

local head = redis.pcall('GETRANGE', KEYS[1], 0, 17)
if type(head) == 'table' then
  return head
end
if head ~= '\193l' .. ARGV[1] then
  return 0
end
return redis.pcall('DEL', KEYS[1])
