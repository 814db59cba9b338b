-- Changes when a job is due.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the score of the job, as it was taken
-- ARGV[3]  its member
-- ARGV[4]  `extend`, `retry`, `bury` or `revive`
-- ARGV[5]  the milliseconds until it is due
-- ARGV[6]  how often a job is taken
-- Reply    1, 2 if the job is dead now, or 0 if it has been taken again, or is gone

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

local score = redis.pcall('ZSCORE', KEYS[1], ARGV[3])
if type(score) == 'table' then
  return score
end
if not score or not holds(ARGV[2], score) then
  return 0
end

local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000)
local delay = tonumber(ARGV[5])
if delay > 0 then
  -- The time was rounded down.
  due = due + delay + 1
end
local tries = math.floor(score) % 64
local is_dead = ARGV[4] == 'bury' or (ARGV[4] == 'retry' and tries >= tonumber(ARGV[6]))
if is_dead then
  -- 2^52: never due.
  tries = tries + 4503599627370496
elseif ARGV[4] == 'revive' then
  tries = 0
end
local started = redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
if type(started) == 'table' then
  return started
end
local done = redis.pcall('ZADD', KEYS[1], 'XX', string.format('%.0f', due * 64 + tries), ARGV[3])
if type(done) == 'table' then
  return done
end
return is_dead and 2 or 1
