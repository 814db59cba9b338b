-- INCRBY within a range.
--
-- KEYS[1]  the string
-- ARGV[1]  the step
-- ARGV[2]  the step back
-- ARGV[3]  the lowest number
-- ARGV[4]  the highest number
-- ARGV[5]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- Reply    the new number, as text beyond 2^53; nil if it would leave the range: nothing changes
--
-- Lua's numbers are exact up to 2^53. The comparisons are right for larger numbers, too: the ends of the range are
-- below 2^53, or they are those of 64 bits, where INCRBY itself fails.

local function outside(number)
  return number < tonumber(ARGV[3]) or number > tonumber(ARGV[4])
end

local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[5], '%d+')
if left == -2 and outside(tonumber(ARGV[1])) then
  return false
end
if left == -2 and expiry then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', expiry)
  return made.err and made or ARGV[1]
end

-- INCRBY shows whether the key holds a number, so it comes before the expiry. A failure after it takes the step back.
local number = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(number) == 'table' then
  if string.find(number.err, 'would overflow') then
    return false
  end
  if string.find(number.err, 'not an integer') and string.find(redis.call('GET', KEYS[1]), '^[1-9]%d+$') then
    return false
  end
  return number
end
local answer = number
if number <= -9007199254740992 or number >= 9007199254740992 then
  answer = redis.pcall('GET', KEYS[1])
end
local wrong = outside(number) and {} or type(answer) == 'table' and answer
if not wrong and expiry and (left == -1 or expiry ~= ARGV[5]) then
  local started = redis.pcall('PEXPIRE', KEYS[1], expiry)
  wrong = type(started) == 'table' and started
end
if wrong then
  redis.call('INCRBY', KEYS[1], ARGV[2])
  return wrong.err and wrong
end
return answer
