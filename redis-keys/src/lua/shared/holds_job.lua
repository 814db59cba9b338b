-- Whether a job is still what it was when it had the score `taken`. That score can have another time, since a lease can be extended.
-- The number of its tries is another one each time that it is taken. A dead job is held by every client that has read it as such.
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
