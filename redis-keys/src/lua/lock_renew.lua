-- Restarts the expiry of a lock.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the expiry in milliseconds
-- Reply    1, or 0 if the caller does not have the lock

local head = redis.pcall('GETRANGE', KEYS[1], 0, 32)
if type(head) == 'table' then
  return head
end
if head ~= ARGV[1] .. ' ' then
  return 0
end
return redis.pcall('PEXPIRE', KEYS[1], ARGV[2])
