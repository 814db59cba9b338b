-- Claims the refresh of a cached key that expires soon: until the lease ends, no other caller does. The content can still be
-- read, and keeps the time that it has left.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the lease in milliseconds
-- ARGV[3]  a value with less time left than this is refreshed, in milliseconds
-- ARGV[4]  the same for the marker that there is no value
-- Reply    1, or 0

local head = redis.pcall('GETRANGE', KEYS[1], 0, 58)
if type(head) == 'table' then
  return head
end
local left = redis.call('PTTL', KEYS[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local start, kind = 0, head:sub(1, 2)
if kind == '\193r' then
  if (tonumber(head:sub(19, 31)) or 0) > now then
    return 0
  end
  start, kind = 31, head:sub(32, 33)
end
if kind == '\193s' then
  left = left - (tonumber(head:sub(start + 3, start + 15)) or 0)
end
local is_absent = kind == '\193n'
local is_value = kind:byte() ~= 193 or kind == '\193v' or kind == '\193s'
if #head < start or not (is_absent or is_value) then
  return 0
end
if left < 1 or left >= tonumber(is_absent and ARGV[4] or ARGV[3]) then
  return 0
end
local deadline = string.format('%013.0f', now + ARGV[2])
local content = redis.call('GETRANGE', KEYS[1], start, -1)
local done = redis.pcall('SET', KEYS[1], '\193r' .. ARGV[1] .. deadline .. content, 'KEEPTTL')
return done.err and done or 1
