-- Adds jobs to a queue.
--
-- A member is the time in microseconds as 14 hexadecimal digits, a number of the caller as 4 more, and the payload. Jobs that are
-- due at the same time are in this order. The score is the time in milliseconds at which the job is due, times 64, plus how often
-- it has been taken.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the maximum number of jobs
-- ARGV[3]  a random number, to which the position of each job is added: at most 65535 then
-- ARGV[4…] the payload of each job; then the delay in milliseconds
-- Reply    the first 18 characters of each job, joined; or the size that would exceed the maximum, negated

local size = redis.pcall('ZCARD', KEYS[1])
if type(size) == 'table' then
  return size
end
local jobs = #ARGV - 4
if size + jobs > tonumber(ARGV[2]) then
  return -(size + jobs)
end

local time = redis.call('TIME')
local pushed = string.format('%014x', time[1] * 1000000 + time[2])
local due = time[1] * 1000 + math.floor(time[2] / 1000)
local delay = tonumber(ARGV[#ARGV])
if delay > 0 then
  -- The time was rounded down.
  due = due + delay + 1
end
local score = string.format('%.0f', due * 64)
local ids, members = {}, {}
for i = 1, jobs do
  ids[i] = pushed .. string.format('%04x', ARGV[3] + i - 1)
  members[2 * i - 1] = score
  members[2 * i] = ids[i] .. ARGV[3 + i]
end
local done = redis.pcall('ZADD', KEYS[1], unpack(members))
if type(done) == 'table' then
  return done
end

local left = size == 0 and -2 or 0
-- begin shared/start_expiry.lua
local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
if left == -2 and type(started) == 'table' then
  local gone = redis.pcall('UNLINK', KEYS[1])
  if type(gone) == 'table' then
    redis.pcall('DEL', KEYS[1])
  end
  return started
end
-- end shared/start_expiry.lua
return table.concat(ids)
