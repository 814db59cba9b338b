-- INCRBYFLOAT within a range.
--
-- KEYS[1]  the string
-- ARGV[1]  the step
-- ARGV[2]  the highest absolute value
-- ARGV[3]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- Reply    the new number as text; nil if it would leave the range: nothing changes

local before = redis.pcall('GET', KEYS[1])
if type(before) == 'table' then
  return before
end
local from = tonumber(before or 0)
if from and math.abs(from + tonumber(ARGV[1])) > tonumber(ARGV[2]) then
  return false
end

-- A new key starts as 0, since INCRBYFLOAT formats numbers in its own way. Redis and Lua disagree on which texts are
-- numbers, so an existing key gets its expiry after INCRBYFLOAT.
local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[3], '%d+')
local made = not before and expiry and redis.pcall('SET', KEYS[1], '0', 'PX', expiry)
if made and made.err then
  return made
end
local number = redis.pcall('INCRBYFLOAT', KEYS[1], ARGV[1])
if type(number) == 'table' then
  if not before then
    redis.pcall('UNLINK', KEYS[1])
  end
  return number
end
if before and expiry and (left == -1 or expiry ~= ARGV[3]) then
  local started = redis.pcall('PEXPIRE', KEYS[1], expiry)
  if type(started) == 'table' then
    redis.pcall('SET', KEYS[1], before, 'KEEPTTL')
    return started
  end
  left = expiry
end

-- Redis 6.2, which has no REDIS_VERSION_NUM, corrupts its memory here: INCRBYFLOAT shrinks the argument array that all
-- scripts share, and the next long command writes past its end. A SET with an expiry allocates a new array, so an
-- existing key is written once more.
if not made and not redis.REDIS_VERSION_NUM then
  local never = tonumber(left) < 0
  redis.pcall('PSETEX', KEYS[1], never and 1000000000000 or math.max(left, 1), number)
  if never then
    redis.pcall('SET', KEYS[1], number)
  end
end
return number
