-- Runs a command on a cached key if it holds a value, and not only a lease, tokens or the marker that there is none.
--
-- KEYS[1]  the string
-- ARGV[1]  the command
-- ARGV[2]  optional: its argument
-- Reply    that of the command, or 0

local head = redis.pcall('GETRANGE', KEYS[1], 0, 32)
if type(head) == 'table' then
  return head
end
local kind = head:sub(1, 2)
if kind == '\193r' then
  kind = head:sub(32, 33)
end
if kind == '\193l' or kind == '\193a' or kind == '\193n' then
  return 0
end
return redis.pcall(ARGV[1], KEYS[1], unpack(ARGV, 2))
