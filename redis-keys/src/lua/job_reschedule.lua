-- Changes when a job is due.
--
-- A job that is revived gets another member, which begins with `r`, how often that was, and `:`. So no receipt from before fits.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the score of the job, as it was taken
-- ARGV[3]  its member
-- ARGV[4]  `extend`, `retry`, `bury` or `revive`
-- ARGV[5]  the milliseconds until it is due
-- ARGV[6]  how often a job is taken
-- Reply    1, 2 if the job is dead now, or 0 if it has been taken again, or is gone; for `extend` also if it was put off by `retry`

-- begin shared/holds_job.lua
local function holds(taken, score)
  if taken == score then
    return true
  end
  local dead = 4503599627370496
  taken, score = tonumber(taken), tonumber(score)
  if taken >= dead or score >= dead then
    return taken >= dead and score >= dead
  end
  return taken % 64 == math.floor(score) % 64
end
-- end shared/holds_job.lua

local change = ARGV[4]
local score = redis.pcall('ZSCORE', KEYS[1], ARGV[3])
if type(score) == 'table' then
  return score
end
if not score or not holds(ARGV[2], score) or (change == 'extend' and score % 1 > 0) then
  return 0
end

local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000)
local delay = tonumber(ARGV[5])
if delay > 0 then
  -- The time was rounded down.
  due = due + delay + 1
end
if change == 'extend' then
  -- A clock that is set back makes no job due sooner.
  due = math.max(due, math.floor(score / 64))
end
local tries = math.floor(score) % 64
local is_dead = change == 'bury' or (change == 'retry' and tries >= tonumber(ARGV[6]))
local mark = ''
if is_dead then
  -- 2^52: never due.
  tries = tries + 4503599627370496
elseif change == 'retry' then
  mark = '.5'
elseif change == 'revive' then
  tries = 0
end
local started = redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
if type(started) == 'table' then
  return started
end
local member = ARGV[3]
if change == 'revive' then
  local times, pushed = member:match('^r(%d+):(.*)$')
  member = 'r' .. (times or 0) + 1 .. ':' .. (pushed or member)
  -- There is no such member. Without permission to remove the old one, nothing is changed.
  local none = redis.pcall('ZREM', KEYS[1], member)
  if type(none) == 'table' then
    return none
  end
end
local done = redis.pcall('ZADD', KEYS[1], string.format('%.0f', due * 64 + tries) .. mark, member)
if type(done) == 'table' then
  return done
end
if member ~= ARGV[3] then
  redis.call('ZREM', KEYS[1], ARGV[3])
end
return is_dead and 2 or 1
