-- Runs a command on a cached key if it holds a value that has not expired, and not only a lease, tokens or the marker that
-- there is none.
--
-- KEYS[1]  the string
-- ARGV[1]  the command
-- ARGV[2]  optional: its argument, an expiry in milliseconds
-- Reply    that of the command, or 0

local head = redis.pcall('GETRANGE', KEYS[1], 0, 46)
if type(head) == 'table' then
  return head
end
local start, kind = 0, head:sub(1, 2)
if kind == '\193r' then
  start, kind = 31, head:sub(32, 33)
end
if kind == '\193l' or kind == '\193a' or kind == '\193n' then
  return 0
end
local argument = ARGV[2]
if kind == '\193s' then
  local expired_at = tonumber(head:sub(start + 3, start + 15)) or 0
  local left = redis.call('PTTL', KEYS[1])
  if left >= 0 and left <= expired_at then
    return 0
  end
  if argument then
    argument = string.format('%.0f', argument + expired_at)
    -- A load that has failed before is over.
    redis.pcall('SETRANGE', KEYS[1], start + 15, head:sub(start + 3, start + 15))
  end
end
return redis.pcall(ARGV[1], KEYS[1], unpack({ argument }))
