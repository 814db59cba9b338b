-- Adds jobs to a queue.
--
-- A member is the id, 32 hexadecimal digits, and the payload. The id is the time in microseconds as 14 digits, the number of the
-- job among those of its process as 12, and 6 that differ between processes. Jobs that are due at the same time are taken in this
-- order. The time is the same for all commands of a transaction, so it makes no id unique. The score is the time in milliseconds at
-- which the job is due, times 64, plus how often it has been taken.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the maximum number of jobs
-- ARGV[3…] the payload of each job; then the delay in milliseconds, the number of the first job, and the last 6 digits
-- Reply    the ids, joined; or the size that would exceed the maximum, negated

local size = redis.pcall('ZCARD', KEYS[1])
if type(size) == 'table' then
  return size
end
local jobs = #ARGV - 5
if size + jobs > tonumber(ARGV[2]) then
  return -(size + jobs)
end

local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local due = time[1] * 1000 + math.floor(time[2] / 1000)
local delay, number = tonumber(ARGV[#ARGV - 2]), ARGV[#ARGV - 1]
if delay > 0 then
  -- The time was rounded down.
  due = due + delay + 1
end
local score = string.format('%.0f', due * 64)
local ids, members = {}, {}
repeat
  local pushed = string.format('%014x', micros)
  for i = 1, jobs do
    ids[i] = pushed .. string.format('%012x', number + i - 1) .. ARGV[#ARGV]
    members[2 * i - 1] = score
    members[2 * i] = ids[i] .. ARGV[2 + i]
  end
  local added = redis.pcall('ZADD', KEYS[1], 'NX', unpack(members))
  if type(added) == 'table' then
    return added
  end
  -- A member that was there is another job. All jobs get other ids then: rather is one done twice than lost.
  micros = micros + 1
until added == jobs

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
