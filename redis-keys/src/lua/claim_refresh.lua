-- Claims the refresh of a cached key that expires soon: until the lease is over, nobody else does. The content can still be read,
-- and keeps the time that it has left.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the lease in milliseconds
-- ARGV[3]  a value with less time left than this is refreshed, in milliseconds
-- ARGV[4]  the same for the marker that there is no value
-- Reply    1, or 0

local left = redis.call('PTTL', KEYS[1])
if left < 1 then
  return 0
end
local head = redis.pcall('GETRANGE', KEYS[1], 0, 32)
if type(head) == 'table' then
  return head
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kind = head:sub(1, 2)
local start = 0
if kind == '\193r' then
  if (tonumber(head:sub(19, 31)) or 0) > now then
    return 0
  end
  start = 31
  kind = head:sub(32, 33)
end
local threshold = kind == '\193n' and ARGV[4] or ARGV[3]
if kind == '\193l' or left >= tonumber(threshold) then
  return 0
end
local content = redis.call('GETRANGE', KEYS[1], start, -1)
local deadline = string.format('%013.0f', now + ARGV[2])
local done = redis.pcall('SET', KEYS[1], '\193r' .. ARGV[1] .. deadline .. content, 'PX', left)
return done.err and done or 1
