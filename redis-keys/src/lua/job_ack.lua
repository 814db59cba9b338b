-- Removes jobs that are done.
--
-- KEYS[1]  the sorted set
-- ARGV     score and member of each job, as they were taken
-- Reply    for each job 1, or 0 if it has been taken again, or is gone

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

local members = {}
for i = 2, #ARGV, 2 do
  members[i / 2] = ARGV[i]
end
local scores = redis.pcall('ZMSCORE', KEYS[1], unpack(members))
if scores.err then
  return scores
end
local reply, done = {}, {}
for i, member in ipairs(members) do
  reply[i] = 0
  if scores[i] and holds(ARGV[2 * i - 1], scores[i]) then
    reply[i] = 1
    done[#done + 1] = member
  end
end
if done[1] then
  local removed = redis.pcall('ZREM', KEYS[1], unpack(done))
  if type(removed) == 'table' then
    return removed
  end
end
return reply
