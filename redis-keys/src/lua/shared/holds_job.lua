-- Whether a job still has the score with which it was taken, apart from its time, which the extension of the lease changes. Each
-- time that it is taken, the number of its tries differs.
local function holds(taken, score)
  if taken == score then
    return true
  end
  local dead = 4503599627370496
  taken, score = tonumber(taken), tonumber(score)
  return math.floor(taken) % 64 == math.floor(score) % 64 and (taken < dead) == (score < dead)
end
