-- SET of a cached key while the caller has its lease, or its refresh.
--
-- KEYS[1]  the string
-- ARGV[1]  the token of the caller
-- ARGV[2]  the content
-- ARGV[3]  the expiry in milliseconds
-- ARGV[4]  optional: how long the content is not refreshed, in milliseconds
-- Reply    1, or 0 if the token is gone

local head = redis.pcall('GETRANGE', KEYS[1], 0, 17)
if type(head) == 'table' then
  return head
end
if head ~= '\193l' .. ARGV[1] and head ~= '\193r' .. ARGV[1] then
  return 0
end
local content = ARGV[2]
if ARGV[4] then
  local time = redis.call('TIME')
  local refresh = string.format('%013.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4])
  content = '\193r' .. ARGV[1] .. refresh .. content
end
local done = redis.pcall('SET', KEYS[1], content, 'PX', ARGV[3])
return done.err and done or 1
