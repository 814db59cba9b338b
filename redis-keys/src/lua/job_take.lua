-- Takes the jobs that are due, for the time of the lease.
--
-- A job that has been taken too often becomes dead instead: its score is 2^52 plus what the score of a job is, so it is never due.
--
-- KEYS[1]  the sorted set
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the maximum number of jobs
-- ARGV[3]  the lease in milliseconds
-- ARGV[4]  how often a job is taken
-- Reply    the milliseconds until the next job is due, -1 if there is none; how many jobs have become dead; then member and score
--          of each job that was taken

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dead = 4503599627370496
local found = redis.pcall(
  'ZRANGEBYSCORE',
  KEYS[1],
  '-inf',
  string.format('%.0f', now * 64 + 63),
  'WITHSCORES',
  'LIMIT',
  '0',
  ARGV[2]
)
if found.err then
  return found
end

local reply = { 0, 0 }
if found[1] then
  -- `now` is rounded down.
  local leased, died = (now + ARGV[3] + 1) * 64, dead + now * 64
  local limit = tonumber(ARGV[4])
  local changes = {}
  -- The score of a job after so many tries, most of which are the same.
  local scores = {}
  for i = 1, #found, 2 do
    local tries = found[i + 1] % 64
    -- Another program can write any score.
    tries = tries >= 0 and math.floor(tries) or 0
    local score
    if tries >= limit then
      score = string.format('%.0f', died + tries)
      reply[2] = reply[2] + 1
    else
      score = scores[tries] or string.format('%.0f', leased + tries + 1)
      scores[tries] = score
      reply[#reply + 1] = found[i]
      reply[#reply + 1] = score
    end
    changes[i] = score
    changes[i + 1] = found[i]
  end
  local started = redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
  if type(started) == 'table' then
    return started
  end
  local done = redis.pcall('ZADD', KEYS[1], 'XX', unpack(changes))
  if type(done) == 'table' then
    return done
  end
end

-- If there were as many as asked for, there may be more.
if #found < 2 * ARGV[2] then
  local first = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(4503599627370496', 'WITHSCORES', 'LIMIT', '0', '1')
  reply[1] = first[2] and math.max(math.floor(first[2] / 64) - now, 0) or -1
end
return reply
